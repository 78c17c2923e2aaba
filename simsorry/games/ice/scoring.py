"""Scores the outcomes of a decision by a policy's weights (``features``) and finds the best.

All of a position but the hand is a sum over places, HOME and START. So an outcome's score is worked out from the few places that it
changes; and a 7 whose two parts have no place in common counts what its parts do.
"""

import numpy as np

from simsorry.games import track
from simsorry.games.choosing import NO_SCORE, better_of, kept_value
from simsorry.games.ice import tables as t
from simsorry.games.ice.actions import (
    BACK,
    IDLE,
    PASS,
    SORRY,
    SPLIT,
    START,
    SWAP,
    THROW,
    first_part,
    goes_past,
    kind_of,
    pawns_of,
    place_of,
    second_part,
    squares_of,
)
from simsorry.games.ice.counting import take_stock
from simsorry.games.ice.features import EVENTS
from simsorry.games.ice.listing import APART, PAST_WAY, ways_of_parts
from simsorry.games.ice.moves import carry_out, of_color, play_part
from simsorry.games.ice.piles import begin_change, take_back, top_of, unit_of
from simsorry.games.ice.state import TRY, color_in, size_in
from simsorry.games.lookahead import held_value
from simsorry.games.options import CARDS
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import lowest, ones

U = np.uint64
_int = np.int64

_0, _1, _2, _3, _4, _6, _7, _16 = U(0), U(1), U(2), U(3), U(4), U(6), U(7), U(16)
TRACK, NOWHERE, HOME_PLACE, START_PLACE = U(t.TRACK), U(t.NOWHERE), U(track.HOME), U(track.START)
_STRIDE_BITS = U(7)
_THREE = U(CARDS.index("3"))
_AT = {name: U(number) for number, name in enumerate(EVENTS)}
_SLIDES, _STARTS, _TAKES, _SWAPS, _SPLITS, _BACKS = (_AT[name] for name in ("slides", "starts", "takes", "swaps", "splits", "backs"))
_PASSES, _THROWS, _IDLES, _STACK_MOVES, _BEHIND = (_AT[name] for name in ("passes", "throws", "idles", "stack_moves", "pawns_behind"))


# -- a place -------------------------------------------------------------------------------------------


@inner
def value_at(R, Q, X, row, color, leader, danger, place):
    """What the pile on a place counts for a player; ``leader`` is a color, 4 if there is none to look at."""
    stay_apart()
    height = U(X.height[place])
    value = _int(0)
    if height == _0:
        return value
    free_from = height - unit_of(X, place)
    mine = color_in(top_of(X, place)) == color
    base = row << _STRIDE_BITS
    for number in range(height):
        level = U(number)
        whose = color_in(U(X.piece[(place << _6) + level]))
        at = base + of_color(R.around, whose, place)
        if whose == color:
            above = height - _1 - level
            value += Q.own[at] + Q.burden[at] * _int(above)
            if level < free_from:
                value += Q.buried[at]
            elif not mine:
                value += Q.carried[at]
            elif above != _0:
                value += Q.stacked[at]
        else:
            value += Q.foe[at] + (Q.leader[at] if whose == leader else _int(0))
            if level < free_from:
                value += Q.foe_buried[at] + (Q.leader_buried[at] if whose == leader else _int(0))
            elif mine:
                value += Q.led[at]
    if mine and danger and place < TRACK:
        value += danger_at(R, Q, X, base, color, place, size_in(top_of(X, place)))
    return value


@small
def danger_at(R, Q, X, base, color, place, size):
    """What an own top pawn on the track fears, and what it is after."""
    at = base + of_color(R.around, color, place)
    feared = place << _2
    larger = _0
    for other in range(3):
        larger += U(X.feared[feared + U(other)]) * U(U(other) > size)
    feared_by = U(X.feared[feared]) + U(X.feared[feared + _1]) + U(X.feared[feared + _2])
    value = Q.threat[at] * _int(feared_by) + Q.overcast[at] * _int(larger) + Q.sorry[at] * _int(X.waiting)
    return value + Q.target[at] * _int(ones(Q.reach[(color << _6) + place] & X.foe_tops))


@inner
def look_around(R, Q, X, color):
    """What there is to fear and to be after, as the opponents stand: on each square how many top pawns of a size have it in reach."""
    stay_apart()
    for i in range(4 * t.TRACK):
        X.feared[U(i)] = 0
    X.foe_tops = _0
    X.waiting = _0
    for s in range(R.players):
        other = U(R.seat_color[U(s)])
        at = other << _2
        waits = X.start[at] | X.start[at + _1] | X.start[at + _2]
        X.waiting += U(other != color and waits != 0)
    squares = X.occupied
    while squares != _0:
        place = lowest(squares)
        squares &= squares - _1
        top = top_of(X, place)
        if color_in(top) == color:
            continue
        X.foe_tops |= _1 << place
        reach = Q.reach[(color_in(top) << _6) + place]
        while reach != _0:
            X.feared[(lowest(reach) << _2) + size_in(top)] += 1
            reach &= reach - _1


# -- HOME and START ------------------------------------------------------------------------------------


@inner
def value_off_board(R, Q, X, row, color, leader):
    """What the pawns on START and HOME count."""
    stay_apart()
    base, sizes = row << _STRIDE_BITS, row << _2
    value = _int(0)
    for s in range(R.players):
        whose = U(R.seat_color[U(s)])
        for number in range(3):
            size = U(number)
            waiting, home = _int(X.start[(whose << _2) + size]), _int(X.home[(whose << _2) + size])
            if whose == color:
                value += waiting * (Q.own[base + START_PLACE] + Q.start_size[sizes + size])
                value += home * (Q.own[base + HOME_PLACE] + Q.home_size[sizes + size])
            else:
                value += waiting * Q.foe[base + START_PLACE] + home * Q.foe[base + HOME_PLACE]
                if whose == leader:
                    value += waiting * Q.leader[base + START_PLACE] + home * Q.leader[base + HOME_PLACE]
    return value


@small
def find_leader(R, X, color):
    """Which opponent still on the way has the least to go, by color, stock taken; the next to play among equals; 4: nobody."""
    leader, least = _4, _int(1 << 40)
    for k in range(1, 4):
        other = (color + U(k)) & _3
        seat = U(R.color_seat[other])
        if seat >= R.players or X.on_home[other] == R.pawns:
            continue
        togo = _int(X.stock_togo[seat])
        if togo < least:
            leader, least = other, togo
    return leader


# -- the play ------------------------------------------------------------------------------------------


@small
def behind(R, X, color, place):
    """How many own pawns have farther to go than one on a place."""
    togo = of_color(R.togo, color, place)
    at = color << _2
    found = _int(X.start[at]) + _int(X.start[at + _1]) + _int(X.start[at + _2]) if togo < U(65) else _int(0)
    for p in range(t.PLACES):
        for level in range(X.height[U(p)]):
            mine = color_in(U(X.piece[(U(p) << _6) + U(level)])) == color
            found += _int(mine and of_color(R.togo, color, U(p)) > togo)
    return found


@inner
def counted_value(R, Q, X, base, color, action):
    """What is weighed of a move by counts of squares itself, the slides aside; the board is that before it."""
    stay_apart()
    kind = kind_of(action)
    one, other = first_part(action), second_part(action)
    stacks = _int(pawns_of(one) > _1) + _int(kind == SPLIT and pawns_of(other) > _1)
    value = Q.event[base + _STACK_MOVES] * stacks
    if kind == BACK:
        return value + Q.event[base + _BACKS]
    if kind == SPLIT:
        value += Q.event[base + _SPLITS]
    if Q.event[base + _BEHIND] != 0:
        found = behind(R, X, color, place_of(one))
        if kind == SPLIT:
            found = min(found, behind(R, X, color, place_of(other)))
        value += Q.event[base + _BEHIND] * found
    return value


@inner
def event_value(R, Q, X, base, color, action, rides):
    """The weighed features of the play itself."""
    stay_apart()
    kind = kind_of(action)
    value = Q.event[base + _SLIDES] * _int(rides)
    if kind == START:
        return value + Q.event[base + _STARTS]
    if kind == SWAP:
        return value + Q.event[base + _SWAPS]
    if kind == SORRY:
        return value + Q.event[base + _TAKES]
    if kind == PASS:
        return value + Q.event[base + _PASSES]
    if kind == THROW:
        return value + Q.event[base + _THROWS]
    if kind == IDLE:
        return value + Q.event[base + _IDLES]
    return value + counted_value(R, Q, X, base, color, action)


@small
def hand_value(Q, X, seat, row, card):
    """What is weighed of the hand that is left; 1s, 2s and 3s start pawns."""
    return kept_value(Q, X, row << _4, seat, card, _THREE)


# -- the position after it -----------------------------------------------------------------------------


@small
def change_of(R, Q, X, row, color, leader, danger, off_board):
    """By how much what has been tried out changes what the position counts."""
    value = value_off_board(R, Q, X, row, color, leader) - off_board
    for number in range(X.changed):
        place = U(X.change_place[U(number)])
        value += value_at(R, Q, X, row, color, leader, danger, place) - X.place_value[place]
    return value


@inner
def value_parts(R, Q, X, row, color, leader, danger, off_board):
    """What each part of a 7 changes if it is played alone."""
    stay_apart()
    for number in range(X.movers):
        place, pawns = X.mover_place[U(number)], X.mover_pawns[U(number)]
        X.mover_at[(place << _1) + U(pawns > _1)] = number
        for k in range(ways_of_parts(R)):
            at = (U(number) << _4) + U(k)
            target = U(X.part_target[at])
            if target == NOWHERE:
                continue
            begin_change(X, TRY)
            play_part(R, X, color, place, pawns, target, _1, TRY)
            X.part_value[at] = change_of(R, Q, X, row, color, leader, danger, off_board)
            take_back(X)


@small
def value_of_part(X, what):
    """What a part of a 7 changes, as worked out before."""
    number = U(X.mover_at[(place_of(what) << _1) + U(pawns_of(what) > _1)])
    way = squares_of(what) - _1 + PAST_WAY * goes_past(what)
    return X.part_value[(number << _4) + way]


@inner
def position_value(R, Q, X, row, color, leader, danger, off_board, action, apart):
    """By how much an action changes what the position counts."""
    stay_apart()
    if kind_of(action) > SORRY:
        return _int(0)
    if apart:
        return value_of_part(X, first_part(action)) + value_of_part(X, second_part(action))
    begin_change(X, TRY)
    carry_out(R, X, color, action, TRY)
    value = change_of(R, Q, X, row, color, leader, danger, off_board)
    take_back(X)
    return value


@small
def survey(R, Q, X, seat, color):
    """What a player looks at before scoring anything: the leader's color, 4 if there is none to look at, and whether dangers matter."""
    leader = _4
    if Q.uses_leader[seat] != _0:
        take_stock(R, X)
        leader = find_leader(R, X, color)
    danger = Q.uses_danger[seat] != _0
    if danger:
        look_around(R, Q, X, color)
    return leader, danger


@inner
def position_score(R, Q, X, seat):
    """How a policy scores the position as it is, with the hand that a seat holds."""
    stay_apart()
    color = U(R.seat_color[seat])
    row = Q.row[seat]
    leader, danger = survey(R, Q, X, seat, color)
    value = value_off_board(R, Q, X, row, color, leader)
    for place in range(t.PLACES):
        value += value_at(R, Q, X, row, color, leader, danger, U(place))
    if Q.uses_hand[seat] * R.hand_size != _0:
        value += held_value(Q, X, row << _4, seat, _THREE)
    return value


@inner
def best_play(R, Q, X, n, seat, luck):
    """The outcome with the highest score among the first n; equals are drawn for with the random word."""
    stay_apart()
    color = U(R.seat_color[seat])
    row = Q.row[seat]
    leader, danger = survey(R, Q, X, seat, color)
    for place in range(t.PLACES):
        X.place_value[U(place)] = value_at(R, Q, X, row, color, leader, danger, U(place))
    off_board = value_off_board(R, Q, X, row, color, leader)
    parts_known = False
    chosen, best, ties = _0, NO_SCORE, _1
    for number in range(n):
        i = U(number)
        action, rides = X.action[i], U(X.ridden[i])
        apart = rides & APART != _0
        if apart and not parts_known:
            value_parts(R, Q, X, row, color, leader, danger, off_board)
            parts_known = True
        score = position_value(R, Q, X, row, color, leader, danger, off_board, action, apart)
        score += event_value(R, Q, X, row << _4, color, action, rides & _3)
        if Q.uses_hand[seat] * R.hand_size != _0:
            score += hand_value(Q, X, seat, row, U(X.card[i]))
        X.score_of[i] = score
        chosen, best, ties = better_of(i, score, luck, chosen, best, ties)
    return chosen
