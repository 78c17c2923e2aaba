"""Eight small numbers in one 64-bit word: the places of one color's pawns, compared all at once.

A *word* holds a place below 128 in each of its eight bytes (lanes); lane k is pawn k. A *mask* has the top bit of
each lane that satisfies a question, and nothing else. Comparing, counting and replacing then take a few integer
instructions for all pawns together, and a whole position is four numbers that need no memory.
"""

import numpy as np

from simsorry.jit import small

U = np.uint64

ONES = U(0x0101010101010101)  # one in every lane: multiply by it to fill all lanes
TOPS = U(0x8080808080808080)
_BYTE = U(255)
_TOP = U(128)
_1, _2, _3, _4, _7, _56, _127 = U(1), U(2), U(3), U(4), U(7), U(56), U(127)
_PAIRS, _QUADS, _OCTETS = U(0x5555555555555555), U(0x3333333333333333), U(0x0F0F0F0F0F0F0F0F)


@small
def filled(value):
    """A word with the same value in every lane."""
    return value * ONES


@small
def zeros(word):
    """Mask of the lanes that hold 0; with an exclusive or, of the lanes in which two words agree."""
    return (TOPS - word) & TOPS


@small
def equal(word, value):
    """Mask of the lanes that hold the value."""
    return zeros(word ^ (value * ONES))


@small
def below(word, value):
    """Mask of the lanes that hold less than the value (1 to 128)."""
    return ((value + _127) * ONES - word) & TOPS


@small
def count(mask):
    """How many lanes a mask names."""
    return ((mask >> _7) * ONES) >> _56


@small
def spread(mask):
    """Turns a mask into all ones in every lane it names."""
    return (mask >> _7) * _BYTE


@small
def get(word, lane):
    """The value in a lane."""
    return (word >> (lane << _3)) & _BYTE


@small
def put(word, lane, value):
    """The word with another value in a lane."""
    shift = lane << _3
    return (word & ~(_BYTE << shift)) | (value << shift)


@small
def lane_bit(lane):
    """Mask that names one lane."""
    return _TOP << (lane << _3)


@small
def first(mask):
    """The lowest lane of a mask that is not empty."""
    return count(~mask & (mask - _1) & TOPS)


@small
def nth(mask, n):
    """The n-th lane of a mask that has more than n, counted from 0; no branch, so nothing to predict wrongly."""
    found = equal((mask >> _7) * ONES, n + _1) & mask  # the product counts lanes up to and including each
    return first(found)


@small
def drop_first(mask):
    """The mask without its lowest lane."""
    return mask & (mask - _1)


@small
def ones(word):
    """How many bits of a word are set; LLVM knows these lines, and makes them one instruction."""
    word -= (word >> _1) & _PAIRS
    word = (word & _QUADS) + ((word >> _2) & _QUADS)
    return (((word + (word >> _4)) & _OCTETS) * ONES) >> _56


@small
def lowest(word):
    """The number of the lowest bit that is set, of a word that is not zero."""
    return ones(~word & (word - _1))
