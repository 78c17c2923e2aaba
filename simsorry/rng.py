"""Keyed random streams: every random word is a function of (seed, game, purpose, index).

No state is kept anywhere, so a game's luck does not depend on threads, blocks, the games before it, or on how
many numbers another purpose used. The generator is SplitMix64 in counter form: word ``k`` of a stream is the
finishing mix of ``key + (k + 1) * GOLDEN``.
"""

import numpy as np

from simsorry.jit import small

U = np.uint64

GOLDEN = U(0x9E3779B97F4A7C15)
_GAME = U(0xD1342543DE82EF95)
_PURPOSE = U(0xDA942042E4DD58B5)
_M1, _M2 = U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)
_M1_INVERSE, _M2_INVERSE = U(pow(int(_M1), -1, 1 << 64)), U(pow(int(_M2), -1, 1 << 64))
_S27, _S30, _S31, _S32, _S54, _S60, _S62 = U(27), U(30), U(31), U(32), U(54), U(60), U(62)
_ONE = U(1)

# Purposes. A new one gets a new number; numbers are never reused, or old seeds would mean other games.
CARDS, CHOICES, FIRST_PLAYER, DICE, FIGHTS = U(0), U(1), U(2), U(3), U(4)


@small
def mix(z):
    """SplitMix64's finishing mix of a 64-bit word."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@small
def unmix(z):
    """The word whose finishing mix a word is."""
    z ^= (z >> _S31) ^ (z >> _S62)
    z *= _M2_INVERSE
    z ^= (z >> _S27) ^ (z >> _S54)
    z *= _M1_INVERSE
    return z ^ (z >> _S30) ^ (z >> _S60)


@small
def stream(seed, game, purpose):
    """The key of one stream."""
    return mix(mix(mix(seed + GOLDEN) + game * _GAME) + purpose * _PURPOSE)


@small
def word(key, index):
    """The stream's 64-bit word number ``index``, counted from 0."""
    return mix(key + (index + _ONE) * GOLDEN)


@small
def key_for(bits, index):
    """The key of the stream whose word number ``index`` is ``bits``."""
    return unmix(bits) - (index + _ONE) * GOLDEN


@small
def below(bits, n):
    """Maps a word's upper 32 bits to 0..n-1 (n below 2**32; bias under n / 2**32)."""
    return ((bits >> _S32) * n) >> _S32
