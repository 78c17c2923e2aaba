"""Scores the outcomes of a decision by a policy's weights (``features``) and finds the best."""

import numpy as np

from simsorry import rng
from simsorry.games.classic import tables as t
from simsorry.games.classic.moves import BACKWARD, MOVE, OUT, PAST, SWAP, TAKE
from simsorry.jit import inner, small
from simsorry.lanes import TOPS, below, count, equal, filled, get, spread

U = np.uint64

_0, _1, _2, _3, _4, _5, _6, _7 = U(0), U(1), U(2), U(3), U(4), U(5), U(6), U(7)
_8, _12, _13, _15, _16, _24, _60, _61, _65, _73, _120 = U(8), U(12), U(13), U(15), U(16), U(24), U(60), U(61), U(65), U(73), U(120)
_BYTE, TRACK, START = U(255), U(t.TRACK), U(t.START)


@small
def pawns_value(values, base, word, wide):
    """Sum of a table over the pawns of a word."""
    total = values[base + get(word, _0)] + values[base + get(word, _1)] + values[base + get(word, _2)] + values[base + get(word, _3)]
    if wide != _0:
        total += values[base + get(word, _4)] + values[base + get(word, _5)] + values[base + get(word, _6)] + values[base + get(word, _7)]
    return total


@small
def togo_of(R, word):
    """Squares the pawns of a color still have to go."""
    total = U(R.togo[get(word, _0)]) + U(R.togo[get(word, _1)]) + U(R.togo[get(word, _2)]) + U(R.togo[get(word, _3)])
    if R.wide != _0:
        total += U(R.togo[get(word, _4)]) + U(R.togo[get(word, _5)]) + U(R.togo[get(word, _6)]) + U(R.togo[get(word, _7)])
    return total


@small
def find_leader(R, p1, p2, p3):
    """Which opponent (1 to 3 colors clockwise) has the least to go; the next to play among equals; 0 if there is none."""
    best = U(1 << 40)
    leader = _0
    for d in range(1, 4):
        word = p1 if d == 1 else p2 if d == 2 else p3
        if get(word, _0) != U(t.NOWHERE):
            togo = togo_of(R, word)
            if togo < best:
                best = togo
                leader = U(d)
    return leader


@small
def in_frame(word, other):
    """Another color's pawns on the track as places of this color; the rest become 120, which no distance reaches."""
    on_track = spread(below(word, TRACK))
    moved = (word & on_track) + filled(_15 * other)
    over = spread(TOPS & ~below(moved, TRACK))
    moved -= over & filled(TRACK)
    return (moved & on_track) | (filled(_120) & ~on_track)


@small
def behind(place, theirs):
    """How many of their pawns stand 1 to 12 squares behind a track place."""
    on_track = spread(below(theirs, TRACK))
    distance = filled(place + _60) - (theirs & on_track)  # 1..12 or 61..72 is behind; never negative
    near = below(distance, _13) & ~below(distance, _1)
    wrapped = below(distance, _73) & ~below(distance, _61)
    return count((near | wrapped) & on_track)


@small
def ahead(place, theirs):
    """How many of their pawns stand 1 to 12 squares ahead of a track place."""
    on_track = spread(below(theirs, TRACK))
    distance = ((theirs & on_track) + filled(_60)) - filled(place)
    near = below(distance, _13) & ~below(distance, _1)
    wrapped = below(distance, _73) & ~below(distance, _61)
    return count((near | wrapped) & on_track)


@inner
def danger_value(R, Q, seat, w0, w1, w2, w3):
    """The weighed features that look at pairs of pawns."""
    f1, f2, f3 = in_frame(w1, _1), in_frame(w2, _2), in_frame(w3, _3)
    waiting1, waiting2, waiting3 = equal(w1, START) != _0, equal(w2, START) != _0, equal(w3, START) != _0
    exposed, exposure, stake, targets, starters = _0, _0, _0, _0, _0
    for k in range(R.pawns):
        place = get(w0, U(k))
        if place >= TRACK:
            continue
        chasers = behind(place, f1) + behind(place, f2) + behind(place, f3)
        if chasers != _0:
            exposed += _1
            exposure += chasers
            stake += _65 - U(R.togo[place])
        targets += ahead(place, f1) + ahead(place, f2) + ahead(place, f3)
        starters += U(waiting1 and place - _15 <= _12) + U(waiting2 and place - U(30) <= _12) + U(waiting3 and place - U(45) <= _12)
    base = seat << _3
    return (
        Q.danger[base] * np.int64(exposed)
        + Q.danger[base + _1] * np.int64(exposure)
        + Q.danger[base + _2] * np.int64(stake)
        + Q.danger[base + _3] * np.int64(targets)
        + Q.danger[base + _4] * np.int64(starters)
    )


@small
def event_value(Q, seat, action, events):
    """The weighed features of the action itself."""
    kind = action & _7
    base = seat << _4
    value = (
        Q.event[base] * np.int64((events & _BYTE) + ((events >> _8) & _BYTE))
        + Q.event[base + _1] * np.int64((events >> _16) & _BYTE)
        + Q.event[base + _2] * np.int64((events >> _24) & _BYTE)
    )
    if kind == MOVE:
        if (action >> _3) & _7 > _1:
            value += Q.event[base + _6]
        else:
            row = (action >> _16) & U(63)
            if row == OUT:
                value += Q.event[base + _3]
            elif row >= BACKWARD and row < PAST:
                value += Q.event[base + _7]
    elif kind == SWAP:
        value += Q.event[base + _4]
    elif kind == TAKE:
        value += Q.event[base + _5]
    else:
        value += Q.event[base + _8]
    return value


@inner
def best_outcome(R, Q, X, n, seat, p1, p2, p3, luck):
    """The outcome with the highest score among the first n; equals are drawn for with the random word."""
    at_seat = seat << _7
    base1 = pawns_value(Q.foe, at_seat, p1, R.wide)
    base2 = pawns_value(Q.foe, at_seat, p2, R.wide)
    base3 = pawns_value(Q.foe, at_seat, p3, R.wide)
    leader = find_leader(R, p1, p2, p3) if Q.uses_leader[seat] != _0 else _0
    best = np.int64(-(1 << 62))
    chosen = _0
    ties = _1
    for i in range(n):
        at = U(i) << _2
        w0, w1, w2, w3 = X.result[at], X.result[at + _1], X.result[at + _2], X.result[at + _3]
        score = pawns_value(Q.own, at_seat, w0, R.wide) + event_value(Q, seat, X.action[U(i)], X.events[U(i)])
        score += base1 if w1 == p1 else pawns_value(Q.foe, at_seat, w1, R.wide)
        score += base2 if w2 == p2 else pawns_value(Q.foe, at_seat, w2, R.wide)
        score += base3 if w3 == p3 else pawns_value(Q.foe, at_seat, w3, R.wide)
        if leader != _0:
            score += pawns_value(Q.leader, at_seat, w1 if leader == _1 else w2 if leader == _2 else w3, R.wide)
        if Q.uses_danger[seat] != _0:
            score += danger_value(R, Q, seat, w0, w1, w2, w3)
        if score > best:
            best = score
            chosen = U(i)
            ties = _1
        elif score == best:
            ties += _1
            if rng.below(rng.word(luck, U(i)), ties) == _0:
                chosen = U(i)
    return chosen
