"""Fights on safe squares (S-17, SQ22 to SQ25): who rolls, who wins, and whose pawns go back."""

import numpy as np

from simsorry import rng
from simsorry.games.frames import frame_of
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.landing import sent_back
from simsorry.games.sorreesi.state import TALLY, seat_of
from simsorry.games.tallies import tally
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import count, equal, zeros

U = np.uint64

_0, _1, _2, _3, _6 = U(0), U(1), U(2), U(3), U(6)
_STRIDE = U(t.STRIDE)
_ATTACKER, _DEFENDER, _BOTH_STAY, _BOTH_BACK = (U(tie) for tie in (t.ATTACKER, t.DEFENDER, t.BOTH_STAY, t.BOTH_BACK))
FIGHT_UNIT = U(2)

# Those in a fight are sets of bits: bit k is the color k clockwise of the pawn that came.
ARRIVING = U(1)


@small
def side_of(R, color, k):
    """The colors of one side, of those clockwise of ``color``, that color ``k`` plays for."""
    other = R.partner[(color + k) & _3]
    return (_1 << k) | (_1 << ((k + other) & _3))


@small
def lowest_of(colors):
    """The first color of a set that is not empty."""
    return _0 if colors & _1 != _0 else _1 if colors & _2 != _0 else _2 if colors & U(4) != _0 else _3


@small
def roll(X, colors):
    """A die for each of these colors, clockwise from the pawn that came."""
    for k in range(4):
        if (colors >> U(k)) & _1 != _0:
            X.die[U(k)] = rng.below(rng.word(X.fights_key, X.fight_dice), _6) + _1
            X.fight_dice += _1


@small
def highest_of(X, colors):
    """Those of these colors whose die is highest."""
    best, top = _0, _0
    for k in range(4):
        bit = _1 << U(k)
        if colors & bit == _0:
            continue
        if X.die[U(k)] > top:
            top, best = X.die[U(k)], bit
        elif X.die[U(k)] == top:
            best |= bit
    return best


@inner
def decide(R, X, color, there):
    """Rolls until it is decided who of those on the square stays; returns them, whose dice decided that, and the number of ties."""
    stay_apart()
    rolling = there
    ties = _0
    while True:
        roll(X, rolling)
        tied = highest_of(X, rolling)
        side = side_of(R, color, lowest_of(tied))
        if tied & ~side == _0:
            return there & side, tied, ties
        ties += _1
        attackers = side_of(R, color, _0)
        if R.tie == _BOTH_STAY:
            stays = _0
            for k in range(4):
                if (tied >> U(k)) & _1 != _0:
                    stays |= side_of(R, color, U(k))
            return there & stays, tied, ties
        if R.tie == _BOTH_BACK:
            return _0, _0, ties
        if R.tie == _ATTACKER and tied & attackers != _0:
            return there & attackers, tied & attackers, ties
        rolling = tied
        if R.tie == _DEFENDER:
            rolling = tied & ~attackers
            side = side_of(R, color, lowest_of(rolling))
            if rolling & ~side == _0:
                return there & side, rolling, ties


@inner
def fight(R, X, seat, color, place):
    """Has those on a square fight, because a pawn of ``color`` came to its own ``place`` there; ``seat`` is the player to move."""
    stay_apart()
    p0, p1, p2, p3 = frame_of(X, color)
    m0 = equal(p0, place)
    m1 = zeros(p1 ^ R.seen[_STRIDE + place])
    m2 = zeros(p2 ^ R.seen[U(2) * _STRIDE + place])
    m3 = zeros(p3 ^ R.seen[U(3) * _STRIDE + place])
    there = _1 | (U(m1 != _0) << _1) | (U(m2 != _0) << _2) | (U(m3 != _0) << _3)
    stays, deciding, ties = decide(R, X, color, there)
    tally(X, seat, TALLY.fights, 1)
    tally(X, seat, TALLY.ties, ties)
    tally(X, seat, TALLY.fights_lost, stays & ARRIVING == _0)
    for k in range(4):
        bit = _1 << U(k)
        if there & ~stays & bit != _0:
            pawns = m0 if k == 0 else m1 if k == 1 else m2 if k == 2 else m3
            by = credited_to(R, X, seat, color, U(k), there, stays, deciding)
            lose(R, X, seat, (color + U(k)) & _3, pawns, by)


@small
def credited_to(R, X, seat, color, k, there, stays, deciding):
    """The seat that the pawns of color ``k`` are sent back by."""
    attackers = side_of(R, color, _0)
    if attackers & (_1 << k) != _0:
        rivals = deciding & ~attackers
        by = lowest_of(rivals if rivals != _0 else highest_of(X, there & ~attackers))
        return seat_of(R, (color + by) & _3)
    if stays == _0 or stays & attackers != _0:
        ours = R.foe[(U(R.seat_color[seat]) << _2) + ((color - U(R.seat_color[seat])) & _3)] == _0
        return seat if ours else seat_of(R, color)
    return seat_of(R, (color + lowest_of(deciding)) & _3)


@small
def lose(R, X, seat, color, pawns, by):
    """Sends pawns of a color back to the base after a fight, and pays whoever sent them (SQ24)."""
    n = count(pawns)
    X.word[color] = sent_back(X.word[color], pawns)
    tally(X, by, TALLY.given, n)
    tally(X, by, TALLY.fight_bumps, n)
    tally(X, seat_of(R, color), TALLY.taken, n)
    if R.bonus[FIGHT_UNIT] == _0:
        return
    if by == seat:
        X.units[FIGHT_UNIT] += n
        tally(X, by, TALLY.earned, n)
    elif R.bonus_to_winner != _0:
        X.carried[by] += n
        tally(X, by, TALLY.earned, n)
