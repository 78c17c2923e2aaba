"""Scores the outcomes of a decision by a policy's weights (``features``) and finds the best."""

import numpy as np

from simsorry.games import track
from simsorry.games.choosing import NO_SCORE, better_of, kept_value
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import (
    IDLE,
    PARTNER,
    PARTNER_BUMP,
    SLIDE,
    SWAP,
    TAKE,
    THROW,
    kind_of,
    met,
    moves_partner,
    part_of,
    parts_of,
    row_of,
)
from simsorry.games.classic.features import EVENTS
from simsorry.games.frames import frame_of, of_frame, turned
from simsorry.games.lookahead import held_value
from simsorry.games.options import CARDS
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import count, equal, get, ones

U = np.uint64

_0, _1, _2, _3, _4, _5, _6, _7 = U(0), U(1), U(2), U(3), U(4), U(5), U(6), U(7)
_8, _63 = U(8), U(63)
_BYTE, START, BACKWARD, OUT, PAST = U(255), U(track.START), U(t.BACKWARD), U(t.OUT), U(t.PAST)
EMPTY = U(0x7F7F7F7F7F7F7F7F)
_TWO = U(CARDS.index("2"))
_CIRCLE1, _CIRCLE2, _CIRCLE3 = (U(1 << (track.SIDE * other)) for other in (1, 2, 3))
_ROW1, _ROW2, _ROW3 = (U(track.STRIDE * other) for other in (1, 2, 3))
_BUMPS, _OWN_BUMPS, _SLIDES, _STARTS, _TAKES = (U(EVENTS.index(name)) for name in ("bumps", "own_bumps", "slides", "starts", "takes"))
_SWAPS, _SPLITS, _BACKS, _PASSES, _PAWNS_BEHIND = (U(EVENTS.index(name)) for name in ("swaps", "splits", "backs", "passes", "pawns_behind"))
_PARTNER_BUMPS, _PARTNER_MOVES, _THROWS, _IDLES = (U(EVENTS.index(name)) for name in ("partner_bumps", "partner_moves", "throws", "idles"))


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


# -- the action --------------------------------------------------------------------------------------


@small
def rearmost(R, p0, theirs, action):
    """What the rearmost of the pawns that a number card moves has to go; ``theirs`` is the partner's word."""
    if parts_of(action) == _1:
        return U(R.togo[get(theirs if action & PARTNER != _0 else p0, part_of(action, _0))])
    farthest = _0
    for i in range(parts_of(action)):
        part = part_of(action, U(i))
        farthest = max(farthest, U(R.togo[get(theirs if part >> _7 != _0 else p0, part & _7)]))
    return farthest


@small
def behind(R, word, farthest):
    """How many pawns of a word have farther to go."""
    found = 0
    for lane in range(R.pawns):
        found += R.togo[get(word, U(lane))] > farthest
    return found


@small
def sent_back(p, w):
    """How many pawns more are on START."""
    return np.int64(count(equal(w, START))) - np.int64(count(equal(p, START)))


@small
def kind_value(R, Q, base, action, p0, theirs):
    """The weighed features of what kind of action it is, and the pawns that it brings out of START."""
    kind = kind_of(action)
    if kind == SWAP:
        return Q.event[base + _SWAPS], np.int64(0)
    if kind == TAKE:
        return Q.event[base + _TAKES], np.int64(1)
    row = row_of(action)
    single = parts_of(action) == _1
    if single and row >= BACKWARD and row < PAST:
        return Q.event[base + _BACKS], np.int64(0)
    farthest = rearmost(R, p0, theirs, action)
    left_behind = behind(R, p0, farthest)
    if R.team != _0:
        left_behind += behind(R, theirs, farthest)
    value = Q.event[base + _PAWNS_BEHIND] * left_behind
    if not single:
        return value + Q.event[base + _SPLITS], np.int64(0)
    if row == OUT:
        return value + Q.event[base + _STARTS], np.int64(1)
    return value, np.int64(0)


@small
def idle_value(Q, base, action):
    """The weighed feature of an outcome in which no pawn moves."""
    kind = kind_of(action)
    return Q.event[base + (_THROWS if kind == THROW else _IDLES if kind == IDLE else _PASSES)]


@inner
def event_value(R, Q, X, seat, i, p0, p1, p2, p3):
    """The weighed features of the action itself, where everybody plays alone."""
    stay_apart()
    base = Q.row[seat] >> _3
    action = X.action[i]
    if kind_of(action) > TAKE:
        return idle_value(Q, base, action)
    value, left = kind_value(R, Q, base, action, p0, p0)
    at = i << _2
    bumped = sent_back(p1, X.result[at + _1]) + sent_back(p2, X.result[at + _2]) + sent_back(p3, X.result[at + _3])
    value += Q.event[base + _BUMPS] * bumped
    value += Q.event[base + _OWN_BUMPS] * (sent_back(p0, X.result[at]) + left)
    return value + Q.event[base + _SLIDES] * np.int64(met(X.events[i], SLIDE))


@inner
def event_value_in_team(R, Q, X, seat, color, i, p0, p1, p2, p3):
    """The same in team play: own pawns are those of both partners."""
    stay_apart()
    base = Q.row[seat] >> _3
    action = X.action[i]
    if kind_of(action) > TAKE:
        return idle_value(Q, base, action)
    other = U(R.partner[color])
    value, left = kind_value(R, Q, base, action, p0, of_frame(p1, p2, p3, other))
    at = i << _2
    bumped, own = np.int64(0), sent_back(p0, X.result[at]) + left
    for d in range(1, 4):
        gone = sent_back(of_frame(p1, p2, p3, U(d)), X.result[at + U(d)])
        if U(d) == other:
            own += gone
        else:
            bumped += gone
    value += Q.event[base + _BUMPS] * bumped + Q.event[base + _OWN_BUMPS] * own
    value += Q.event[base + _PARTNER_BUMPS] * np.int64(met(X.events[i], PARTNER_BUMP))
    value += Q.event[base + _PARTNER_MOVES] * np.int64(moves_partner(action, other))
    return value + Q.event[base + _SLIDES] * np.int64(met(X.events[i], SLIDE))


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
    waiting = np.int64(ones(manned))
    for _ in range(R.pawns):
        place = w0 & _BYTE
        w0 >>= _8
        value += Q.own[row + place]
        if Q.uses_threats[seat] != _0:
            chasers = ones(f1 & Q.feared[_ROW1 + place]) + ones(f2 & Q.feared[_ROW2 + place]) + ones(f3 & Q.feared[_ROW3 + place])
            value += Q.threat[row + place] * np.int64(chasers)
        if Q.uses_targets[seat] != _0:
            prey = ones(f1 & Q.aim[place]) + ones(f2 & Q.aim[place]) + ones(f3 & Q.aim[place])
            value += Q.target[row + place] * np.int64(prey)
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
    chosen, best, ties = _0, NO_SCORE, _1
    for i in range(n):
        score = score_of(R, Q, X, seat, leader, U(i), p0, p1, p2, p3, foes, f1, f2, f3)
        chosen, best, ties = better_of(U(i), score, luck, chosen, best, ties)
    return chosen


# -- hands and teams ---------------------------------------------------------------------------------


@small
def opponents_of(R, color, w1, w2, w3):
    """The other colors' words, that of the partner as if nobody played it."""
    other = U(R.partner[color])
    return EMPTY if other == _1 else w1, EMPTY if other == _2 else w2, EMPTY if other == _3 else w3


@inner
def side_value(R, Q, seat, color, leader, w0, w1, w2, w3):
    """What a position counts for a player: the own pawns, in team play the partner's too, and the opponents'."""
    stay_apart()
    row = Q.row[seat]
    o1, o2, o3 = opponents_of(R, color, w1, w2, w3)
    value, f1, f2, f3 = look_at_foes(R, Q, row, o1, o2, o3)
    value += own_value(R, Q, seat, row, w0, f1, f2, f3, manned_circles(o1, o2, o3))
    if leader != _0:
        value += leader_value(R, Q, row, leader, w1, w2, w3)
    if R.team != _0:
        other = U(R.partner[color])
        w0, w1, w2, w3 = turned(w0, w1, w2, w3, other)
        o1, o2, o3 = opponents_of(R, (color + other) & _3, w1, w2, w3)
        _, f1, f2, f3 = look_at_foes(R, Q, row, o1, o2, o3)
        value += own_value(R, Q, seat, row, w0, f1, f2, f3, manned_circles(o1, o2, o3))
        for _ in range(R.pawns):
            value += Q.partner[row + (w0 & _BYTE)]
            w0 >>= _8
    return value


@small
def score_in_match(R, Q, X, seat, color, leader, i, p0, p1, p2, p3):
    """``score_of`` with hands and teams; of a hand what does not depend on the card is left out."""
    at = i << _2
    score = side_value(R, Q, seat, color, leader, X.result[at], X.result[at + _1], X.result[at + _2], X.result[at + _3])
    if Q.uses_events[seat] != _0:
        if R.team != _0:
            score += event_value_in_team(R, Q, X, seat, color, i, p0, p1, p2, p3)
        else:
            score += event_value(R, Q, X, seat, i, p0, p1, p2, p3)
    if Q.uses_hand[seat] * R.hand_size != _0:
        score += kept_value(Q, X, Q.row[seat] >> _3, seat, U(X.card[i]), _TWO)
    return score


@inner
def position_score(R, Q, X, seat):
    """How a policy scores the position as it is, with the hand that a seat holds."""
    stay_apart()
    color = U(R.seat_color[seat])
    w0, w1, w2, w3 = frame_of(X, color)
    leader = find_leader(R, *opponents_of(R, color, w1, w2, w3)) if Q.uses_leader[seat] != _0 else _0
    value = side_value(R, Q, seat, color, leader, w0, w1, w2, w3)
    if Q.uses_hand[seat] * R.hand_size != _0:
        value += held_value(Q, X, Q.row[seat] >> _3, seat, _TWO)
    return value


@inner
def best_in_match(R, Q, X, n, seat, p0, p1, p2, p3, luck):
    """``best_outcome`` with hands and teams."""
    stay_apart()
    color = U(R.seat_color[seat])
    o1, o2, o3 = opponents_of(R, color, p1, p2, p3)
    leader = find_leader(R, o1, o2, o3) if Q.uses_leader[seat] != _0 else _0
    chosen, best, ties = _0, NO_SCORE, _1
    for number in range(n):
        i = U(number)
        score = score_in_match(R, Q, X, seat, color, leader, i, p0, p1, p2, p3)
        X.score_of[i] = score
        chosen, best, ties = better_of(i, score, luck, chosen, best, ties)
    return chosen
