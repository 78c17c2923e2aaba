"""Scores the outcomes of a decision by a policy's weights (``features``) and finds the best."""

import numpy as np

from simsorry import rng
from simsorry.games.classic import tables as t
from simsorry.games.classic.features import EVENTS
from simsorry.games.classic.moves import BACKWARD, OUT, PAST, SWAP, TAKE
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import count, equal, get

U = np.uint64

_0, _1, _2, _3, _4, _5, _6, _7 = U(0), U(1), U(2), U(3), U(4), U(5), U(6), U(7)
_8, _16, _24, _56, _63 = U(8), U(16), U(24), U(56), U(63)
_BYTE, START = U(255), U(t.START)
_PAIRS, _QUADS, _OCTETS, _ONES = U(0x5555555555555555), U(0x3333333333333333), U(0x0F0F0F0F0F0F0F0F), U(0x0101010101010101)
_CIRCLE1, _CIRCLE2, _CIRCLE3 = (U(1 << (t.SIDE * other)) for other in (1, 2, 3))
_ROW1, _ROW2, _ROW3 = (U(t.ROW_STRIDE * other) for other in (1, 2, 3))
_BUMPS, _OWN_BUMPS, _SLIDES, _STARTS, _TAKES = (U(EVENTS.index(name)) for name in ("bumps", "own_bumps", "slides", "starts", "takes"))
_SWAPS, _SPLITS, _BACKS, _PASSES, _PAWNS_BEHIND = (U(EVENTS.index(name)) for name in ("swaps", "splits", "backs", "passes", "pawns_behind"))


@small
def togo_of(R, word):
    """Squares the pawns of a color still have to go."""
    total = U(R.togo[get(word, _0)]) + U(R.togo[get(word, _1)]) + U(R.togo[get(word, _2)]) + U(R.togo[get(word, _3)])
    if R.wide != _0:
        total += U(R.togo[get(word, _4)]) + U(R.togo[get(word, _5)]) + U(R.togo[get(word, _6)]) + U(R.togo[get(word, _7)])
    return total


@small
def find_leader(R, p1, p2, p3):
    """Which opponent still on the way (1 to 3 colors clockwise) has the least to go; the next to play among equals; 0: nobody."""
    # A color that does not play has nothing to go, like one that has finished; one less than nothing is a very large number.
    togo1, togo2, togo3 = togo_of(R, p1) - _1, togo_of(R, p2) - _1, togo_of(R, p3) - _1
    leader, least = _1, togo1
    if togo2 < least:
        leader, least = _2, togo2
    if togo3 < least:
        leader, least = _3, togo3
    return leader if least + _1 != _0 else _0


@small
def number_of(squares):
    """How many squares a word names bit by bit; LLVM knows these lines, and makes them one instruction."""
    squares -= (squares >> _1) & _PAIRS
    squares = (squares & _QUADS) + ((squares >> _2) & _QUADS)
    return (((squares + (squares >> _4)) & _OCTETS) * _ONES) >> _56


# -- the action --------------------------------------------------------------------------------------


@small
def pawns_behind(R, p0, action):
    """How many own pawns were farther back than the rearmost of those that a number card moves forward."""
    farthest = _0
    for part in range((action >> _3) & _7):
        lane = (action >> (_8 + (U(part) << _3))) & _7
        farthest = max(farthest, U(R.togo[get(p0, lane)]))
    behind = 0
    for lane in range(R.pawns):
        behind += R.togo[get(p0, U(lane))] > farthest
    return behind


@small
def sent_back(p, w):
    """How many pawns more are on START."""
    return np.int64(count(equal(w, START))) - np.int64(count(equal(p, START)))


@inner
def event_value(R, Q, X, seat, i, p0, p1, p2, p3):
    """The weighed features of the action itself."""
    stay_apart()
    base = Q.row[seat] >> _3
    action = X.action[i]
    kind = action & _7
    if kind > TAKE:
        return Q.event[base + _PASSES]
    row = (action >> _16) & _63
    single = (action >> _3) & _7 == _1
    left = np.int64(kind == TAKE)
    if kind == SWAP:
        value = Q.event[base + _SWAPS]
    elif kind == TAKE:
        value = Q.event[base + _TAKES]
    elif single and row >= BACKWARD and row < PAST:
        value = Q.event[base + _BACKS]
    else:
        value = Q.event[base + _PAWNS_BEHIND] * pawns_behind(R, p0, action)
        if not single:
            value += Q.event[base + _SPLITS]
        elif row == OUT:
            left = np.int64(1)
            value += Q.event[base + _STARTS]
    at = i << _2
    bumped = sent_back(p1, X.result[at + _1]) + sent_back(p2, X.result[at + _2]) + sent_back(p3, X.result[at + _3])
    value += Q.event[base + _BUMPS] * bumped
    value += Q.event[base + _OWN_BUMPS] * (sent_back(p0, X.result[at]) + left)
    return value + Q.event[base + _SLIDES] * np.int64((X.events[i] >> _24) & _BYTE)


# -- the position after it ---------------------------------------------------------------------------


@inner
def look_at_foes(R, Q, row, w1, w2, w3):
    """What the opponents' pawns count, and their squares on the track as bits, numbered by places of the mover's color."""
    value = np.int64(0)
    f1, f2, f3 = _0, _0, _0
    for _ in range(R.pawns):
        value += Q.foe[row + (w1 & _BYTE)] + Q.foe[row + (w2 & _BYTE)] + Q.foe[row + (w3 & _BYTE)]
        f1 |= Q.square[_ROW1 + (w1 & _BYTE)]
        f2 |= Q.square[_ROW2 + (w2 & _BYTE)]
        f3 |= Q.square[_ROW3 + (w3 & _BYTE)]
        w1, w2, w3 = w1 >> _8, w2 >> _8, w3 >> _8
    return value, f1, f2, f3


@small
def manned_circles(w1, w2, w3):
    """The opponents' start circles that have pawns waiting to start, as bits."""
    circle1, circle2, circle3 = U(equal(w1, START) != _0), U(equal(w2, START) != _0), U(equal(w3, START) != _0)
    return circle1 * _CIRCLE1 | circle2 * _CIRCLE2 | circle3 * _CIRCLE3


@small
def own_value(R, Q, seat, row, w0, f1, f2, f3, manned):
    """What the own pawns count, with what they fear and what they are after."""
    value = np.int64(0)
    waiting = np.int64(number_of(manned))
    for _ in range(R.pawns):
        place = w0 & _BYTE
        w0 >>= _8
        value += Q.own[row + place]
        if Q.uses_threats[seat] != _0:
            feared = (f1 & Q.feared[_ROW1 + place]) | (f2 & Q.feared[_ROW2 + place]) | (f3 & Q.feared[_ROW3 + place])
            value += Q.threat[row + place] * np.int64(number_of(feared))
        if Q.uses_targets[seat] != _0:
            value += Q.target[row + place] * np.int64(number_of((f1 | f2 | f3) & Q.aim[place]))
        if Q.uses_waiting[seat] != _0:
            value += Q.sorry[row + place] * waiting + Q.circle[row + place] * np.int64((manned >> (place & _63)) & _1)
    return value


@small
def leader_value(R, Q, row, leader, w1, w2, w3):
    value = np.int64(0)
    word = w1 if leader == _1 else w2 if leader == _2 else w3
    for _ in range(R.pawns):
        value += Q.leader[row + (word & _BYTE)]
        word >>= _8
    return value


@small
def score_of(R, Q, X, seat, leader, i, p0, p1, p2, p3, foes, f1, f2, f3):
    """The score of outcome ``i``; ``foes`` and ``f1`` to ``f3`` are what there is to see of the opponents before it."""
    row = Q.row[seat]
    at = i << _2
    w0, w1, w2, w3 = X.result[at], X.result[at + _1], X.result[at + _2], X.result[at + _3]
    if (w1 ^ p1) | (w2 ^ p2) | (w3 ^ p3) != _0:
        foes, f1, f2, f3 = look_at_foes(R, Q, row, w1, w2, w3)
    score = foes + own_value(R, Q, seat, row, w0, f1, f2, f3, manned_circles(w1, w2, w3))
    if leader != _0:
        score += leader_value(R, Q, row, leader, w1, w2, w3)
    if Q.uses_events[seat] != _0:
        score += event_value(R, Q, X, seat, i, p0, p1, p2, p3)
    return score


@inner
def best_outcome(R, Q, X, n, seat, p1, p2, p3, luck):
    """The outcome with the highest score among the first n; equals are drawn for with the random word."""
    stay_apart()
    p0 = X.word[U(R.seat_color[seat])]
    leader = find_leader(R, p1, p2, p3) if Q.uses_leader[seat] != _0 else _0
    foes, f1, f2, f3 = look_at_foes(R, Q, Q.row[seat], p1, p2, p3)
    best = np.int64(-(1 << 62))
    chosen = _0
    ties = _1
    for i in range(n):
        score = score_of(R, Q, X, seat, leader, U(i), p0, p1, p2, p3, foes, f1, f2, f3)
        if score > best:
            best = score
            chosen = U(i)
            ties = _1
        elif score == best:
            ties += _1
            if rng.below(rng.word(luck, U(i)), ties) == _0:
                chosen = U(i)
    return chosen
