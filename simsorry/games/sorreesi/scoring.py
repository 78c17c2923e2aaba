"""Scores the outcomes of a decision by a policy's weights (``features``) and finds the best."""

import numpy as np

from simsorry.games import records
from simsorry.games.choosing import NO_SCORE, better_of
from simsorry.games.frames import frame_of, turned
from simsorry.games.options import CARDS
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.actions import (
    BACK,
    CARD,
    HOP,
    MAX_PARTS,
    PART_PARTNER,
    PARTNER,
    SHARE,
    SPLIT,
    START,
    STOP,
    SWAP,
    TAKE,
    bonus_of,
    dice_of,
    kind_of,
    lane_of,
    part_of,
)
from simsorry.games.sorreesi.features import CHANCES, EVENTS
from simsorry.games.sorreesi.moves import CAPTURE_UNIT, HOME_UNIT, put_down
from simsorry.games.sorreesi.state import BONUS_ALONE, EMPTY, NO_CARD, POOL, in_play, togo_of
from simsorry.games.sorreesi.uses import expand
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import count, drop_first, equal, first, get, zeros

U = np.uint64
_int = np.int64

_0, _1, _2, _3, _7, _8 = U(0), U(1), U(2), U(3), U(7), U(8)
_BYTE, BASE, HOME = U(255), U(t.BASE), U(t.HOME)
_STRIDE = U(t.STRIDE)
_ANY_TIME, _ALWAYS = U(t.ANY_TIME), U(records.ALWAYS)
_TWO = U(CARDS.index("2"))
_AT = {name: U(number) for number, name in enumerate(EVENTS)}
_BUMPS, _MULTI, _PARTNER_BUMPS, _PARTNER_MOVES = _AT["bumps"], _AT["multi_captures"], _AT["partner_bumps"], _AT["partner_moves"]
_STARTS, _TAKES, _SWAPS, _SPLITS, _BACKS, _HOPS = (_AT[name] for name in ("starts", "takes", "swaps", "splits", "backs", "hops"))
_PASSES, _PAWNS_BEHIND, _SAFE_LEFT, _SAFE_REACHED = _AT["passes"], _AT["pawns_behind"], _AT["safe_left"], _AT["safe_reached"]
_BONUS_EARNED, _BONUS_LEFT, _BONUS_LOST = _AT["bonus_earned"], _AT["bonus_left"], _AT["bonus_lost"]
_FIGHTS, _FIGHT_RISK, _FIGHT_GAIN = _AT["fights"], _AT["fight_risk"], _AT["fight_gain"]
_DICE_LEFT, _CARD_LEFT, _ON_SAFE = _AT["dice_left"], _AT["card_left"], _AT["on_safe"]


@small
def as_printed(R, place):
    """A place as on a board with a private path of 7 squares, for which the tables of features are made."""
    shift = R.path - _7
    return place - shift if place > shift and place < BASE else place


@small
def sum_of(R, table, row, word):
    """What the pawns of a word count in a table over places."""
    value = _int(0)
    for _ in range(R.pawns):
        value += table[row + as_printed(R, word & _BYTE)]
        word = word >> _8
    return value


@small
def progress_of(R, place):
    """Squares that a pawn has come from the base."""
    return _int(0) if place == BASE else _int(R.entry) + 1 - _int(place)


@small
def is_safe(R, color, place):
    """Whether a place on the track is safe for a color's own pawns."""
    return R.protected[((color << _2) * _STRIDE) + place] != 0


# -- the use -----------------------------------------------------------------------------------------


@small
def behind(R, word, place):
    """How many pawns of a word have farther to go."""
    found = _int(0)
    for _ in range(R.pawns):
        found += _int((word & _BYTE) > place)
        word = word >> _8
    return found


@inner
def parts_value(R, Q, base, color, p0, theirs, action):
    """What is weighed of a split 7 itself; ``theirs`` is the partner's word."""
    stay_apart()
    rearmost = _0
    left, reached = _int(0), _int(0)
    partners = _int(0)
    for i in range(MAX_PARTS):
        part = part_of(action, U(i))
        if part >> SHARE == _0:
            break
        mine = (part >> PART_PARTNER) & _1 == _0
        place = get(p0 if mine else theirs, part & _7)
        rearmost = max(rearmost, place)
        whose = color if mine else (color + R.partner[color]) & _3
        left += _int(is_safe(R, whose, place))
        if place >= part >> SHARE:
            reached += _int(is_safe(R, whose, place - (part >> SHARE)))
        partners |= _int(not mine)
    value = Q.event[base + _SPLITS] + Q.event[base + _PARTNER_MOVES] * partners
    value += Q.event[base + _PAWNS_BEHIND] * (behind(R, p0, rearmost) + (behind(R, theirs, rearmost) if R.team != _0 else _int(0)))
    return value + Q.event[base + _SAFE_LEFT] * min(left, 1) + Q.event[base + _SAFE_REACHED] * min(reached, 1)


@inner
def single_value(R, Q, base, color, p0, w0, action):
    """What is weighed of a use of one pawn itself; the words are those of its color, before and after."""
    stay_apart()
    kind, lane = kind_of(action), lane_of(action)
    before, after = get(p0, lane), get(w0, lane)
    value = Q.event[base + _SAFE_LEFT] * _int(is_safe(R, color, before)) + Q.event[base + _SAFE_REACHED] * _int(is_safe(R, color, after))
    k1, k2 = dice_of(action)
    value += Q.event[base + _HOPS] * _int(k1 + k2 + U(action & CARD != _0) > _1)
    if kind == START:
        value += Q.event[base + _STARTS]
    elif kind == BACK:
        value += Q.event[base + _BACKS]
    elif kind != HOP:
        value += Q.event[base + (_SWAPS if kind == SWAP else _TAKES)]
    return value


@small
def ends_turn(R, X):
    """Whether the turn is over if the player stops, so that bonus moves unspent are lost."""
    if X.double != _0 and X.roll < _3:
        return False
    if X.phase == BONUS_ALONE:
        return True
    if X.card == _TWO and R.two_again == _ALWAYS:
        return False
    card_to_come = R.dice_then_card != _0 and X.phase == POOL and (X.roll == _1 or R.redraw_card != _0)
    return R.timing == _ANY_TIME and not card_to_come


@inner
def left_value(R, Q, X, base, action, earned):
    """What is weighed of what is left to spend; ``earned`` are squares of bonus moves that the use brings."""
    stay_apart()
    k1, k2 = dice_of(action)
    units = X.units[_0] * R.bonus[_0] + X.units[_1] * R.bonus[_1] + X.units[_2] * R.bonus[_2]
    unit = bonus_of(action)
    if unit != _0:
        units -= R.bonus[unit - _1]
    if kind_of(action) != STOP:
        dice, card = X.dice[_0] + X.dice[_1] - k1 - k2, U(X.card != NO_CARD and action & CARD == _0)
        value = Q.event[base + _DICE_LEFT] * _int(dice) + Q.event[base + _CARD_LEFT] * _int(card)
        return value + Q.event[base + _BONUS_LEFT] * (_int(units) + earned)
    value = Q.event[base + _PASSES] + Q.event[base + _DICE_LEFT] * _int(X.dice[_0] + X.dice[_1])
    value += Q.event[base + _CARD_LEFT] * _int(X.card != NO_CARD)
    return value + Q.event[base + (_BONUS_LOST if ends_turn(R, X) else _BONUS_LEFT)] * _int(units)


@inner
def fights_value(R, Q, X, base, own, w0, w1, w2, w3):
    """What is weighed of the fights to come; the frame is that of color ``own``, whose player moves."""
    stay_apart()
    value = Q.event[base + _FIGHTS] * _int(X.fights)
    for i in range(X.fights):
        k = (X.fight_color[U(i)] - own) & _3
        q0, q1, q2, q3 = turned(w0, w1, w2, w3, k)
        color, place = X.fight_color[U(i)], X.fight_place[U(i)]
        ours, theirs, friends, foes = progress_of(R, place) * _int(count(equal(q0, place))), _int(0), _1, _0
        for j in range(1, 4):
            other = q1 if j == 1 else q2 if j == 2 else q3
            seen = R.seen[U(j) * _STRIDE + place]
            pawns = count(zeros(other ^ seen))
            if pawns == _0:
                continue
            there = progress_of(R, seen & _BYTE) * _int(pawns)
            if R.foe[(color << _2) + U(j)] == _0:
                friends += _1
                ours += there
            else:
                foes += _1
                theirs += there
        at = (friends << _2) + foes
        risk, gain = ours * R.odds_lost[at], theirs * R.odds_won[at]
        if R.foe[(own << _2) + k] != _0:  # an opponent's pawn that an 11 has brought there
            risk, gain = theirs * R.odds_won[at], ours * R.odds_lost[at]
        value += (Q.event[base + _FIGHT_RISK] * risk + Q.event[base + _FIGHT_GAIN] * gain) // CHANCES
    return value


@inner
def event_value(R, Q, X, seat, color, action, p0, p1, p2, p3, w0, w1, w2, w3):
    """The weighed features of the use itself, and of what is left to spend."""
    stay_apart()
    base = Q.row[seat] >> _2
    kind = kind_of(action)
    homes = _int(count(equal(w0, HOME))) - _int(count(equal(p0, HOME)))
    k = R.partner[color]
    q0, r0 = turned(p0, p1, p2, p3, k)[0], turned(w0, w1, w2, w3, k)[0]
    if R.team != _0:
        homes += _int(count(equal(r0, HOME))) - _int(count(equal(q0, HOME)))
    captured = _int(X.captured)
    pays = kind != TAKE or R.sorry_bonus != _0
    earned = homes * _int(R.bonus[HOME_UNIT]) + (captured * _int(R.bonus[CAPTURE_UNIT]) if pays else _int(0))
    value = left_value(R, Q, X, base, action, earned)
    if kind == STOP:
        return value
    value += Q.event[base + _BUMPS] * captured + Q.event[base + _MULTI] * _int(captured > 1) + Q.event[base + _BONUS_EARNED] * earned
    if X.fights != _0:
        value += fights_value(R, Q, X, base, color, w0, w1, w2, w3)
    if R.team != _0 and kind == TAKE:
        value += (
            Q.event[base + _PARTNER_BUMPS] * (_int(count(equal(r0, BASE))) - _int(count(equal(q0, BASE)))) * _int(action & PARTNER == _0)
        )
    if kind == SPLIT:
        return value + parts_value(R, Q, base, color, p0, q0, action)
    if action & PARTNER != _0:
        value += Q.event[base + _PARTNER_MOVES] + single_value(R, Q, base, (color + k) & _3, q0, r0, action)
    else:
        value += single_value(R, Q, base, color, p0, w0, action)
    if kind == HOP and Q.event[base + _PAWNS_BEHIND] != 0:
        place = get(q0 if action & PARTNER != _0 else p0, lane_of(action))
        value += Q.event[base + _PAWNS_BEHIND] * (behind(R, p0, place) + (behind(R, q0, place) if R.team != _0 else _int(0)))
    return value


# -- the position after it ---------------------------------------------------------------------------


@inner
def danger_at(R, Q, row, color, place, o1, o2, o3):
    """What a pawn on a track place fears of the opponents' pawns, and what it is after."""
    stay_apart()
    value = _int(0)
    fears = not is_safe(R, color, place)
    for number in range(1, 4):
        k = U(number)
        other = o1 if number == 1 else o2 if number == 2 else o3
        there = R.seen[k * _STRIDE + place] & _BYTE  # as a place of theirs
        theirs = in_play(other)
        while theirs != _0:
            their_place = get(other, first(theirs))
            theirs = drop_first(theirs)
            if their_place <= R.path:
                continue
            here = R.seen[((_0 - k) & _3) * _STRIDE + their_place] & _BYTE  # as an own place
            if fears:
                value += (Q.threat[row + as_printed(R, place)] * Q.chance[_STRIDE + their_place - there]) // CHANCES
            if R.protected[((color << _2) + k) * _STRIDE + here] == 0:
                value += (Q.target[row + as_printed(R, their_place)] * Q.chance[_STRIDE + place - here]) // CHANCES
    return value


@small
def known_danger_at(R, Q, X, row, color, place, same, o1, o2, o3):
    """The same, worked out once for a decision as long as no opponent's pawn has moved (``same``)."""
    at = color * _STRIDE + place
    if same and X.danger_known[at] == X.danger_round:
        return X.danger[at]
    value = danger_at(R, Q, row, color, place, o1, o2, o3)
    if same:
        X.danger[at] = value
        X.danger_known[at] = X.danger_round
    return value


@small
def find_leader(R, o1, o2, o3):
    """Which opponent still on the way (1 to 3 colors clockwise) has the least to go; the next to play among equals; 0: nobody."""
    leader, least = _0, U(1 << 40)
    for k in range(1, 4):
        word = o1 if k == 1 else o2 if k == 2 else o3
        if word == EMPTY or word == R.home_word:
            continue
        togo = togo_of(R, word)
        if togo < least:
            leader, least = U(k), togo
    return leader


@small
def opponents_of(R, color, w1, w2, w3):
    """The other colors' words, that of the partner as if nobody played it."""
    base = color << _2
    return (
        w1 if R.foe[base + _1] != _0 else EMPTY,
        w2 if R.foe[base + _2] != _0 else EMPTY,
        w3 if R.foe[base + _3] != _0 else EMPTY,
    )


@inner
def own_value(R, Q, X, seat, color, same, w0, o1, o2, o3):
    """What the pawns of a color count, with what they fear and what they are after."""
    stay_apart()
    row = Q.row[seat]
    value = sum_of(R, Q.own, row, w0)
    if (Q.uses_pairs[seat] | Q.uses_sorry[seat] | Q.uses_safe[seat]) == _0:
        return value
    waiting = _int(equal(o1, BASE) != _0) + _int(equal(o2, BASE) != _0) + _int(equal(o3, BASE) != _0)
    safe = _int(0)
    mine = in_play(w0)
    while mine != _0:
        place = get(w0, first(mine))
        mine = drop_first(mine)
        if place <= R.path:
            continue
        if Q.uses_pairs[seat] != _0:
            value += known_danger_at(R, Q, X, row, color, place, same, o1, o2, o3)
        if is_safe(R, color, place):
            safe += 1
        else:
            value += Q.sorry[row + as_printed(R, place)] * waiting
    return value + Q.event[(row >> _2) + _ON_SAFE] * safe


@inner
def foes_value(R, Q, row, o1, o2, o3):
    """What the opponents' pawns count."""
    stay_apart()
    value = _int(0)
    for k in range(1, 4):
        word = o1 if k == 1 else o2 if k == 2 else o3
        if word != EMPTY:
            value += sum_of(R, Q.foe, row, word)
    return value


@inner
def side_value(R, Q, X, seat, color, leader, same, foes, w0, w1, w2, w3):
    """What a position counts for a player: the own pawns, in team play the partner's too, and the opponents'.

    ``foes`` is what the opponents' pawns count where they stand as before the decision (``same``).
    """
    stay_apart()
    row = Q.row[seat]
    o1, o2, o3 = opponents_of(R, color, w1, w2, w3)
    value = foes if same else foes_value(R, Q, row, o1, o2, o3)
    value += own_value(R, Q, X, seat, color, same, w0, o1, o2, o3)
    if leader != _0:
        value += sum_of(R, Q.leader, row, w1 if leader == _1 else w2 if leader == _2 else w3)
    if R.team != _0:
        k = R.partner[color]
        q0, q1, q2, q3 = turned(w0, w1, w2, w3, k)
        o1, o2, o3 = opponents_of(R, (color + k) & _3, q1, q2, q3)
        value += own_value(R, Q, X, seat, (color + k) & _3, same, q0, o1, o2, o3) + sum_of(R, Q.partner, row, q0)
    return value


@inner
def position_score(R, Q, X, seat):
    """How a policy scores the position as it is, with nothing left to spend."""
    stay_apart()
    color = U(R.seat_color[seat])
    w0, w1, w2, w3 = frame_of(X, color)
    o1, o2, o3 = opponents_of(R, color, w1, w2, w3)
    leader = find_leader(R, o1, o2, o3) if Q.uses_leader[seat] != _0 else _0
    return side_value(R, Q, X, seat, color, leader, False, _int(0), w0, w1, w2, w3)


@inner
def best_use(R, Q, X, seat, n, luck):
    """The use with the highest score among the ``n`` listed; equals are drawn for with the random word."""
    stay_apart()
    expand(X)
    color = U(R.seat_color[seat])
    p0, p1, p2, p3 = frame_of(X, color)
    o1, o2, o3 = opponents_of(R, color, p1, p2, p3)
    leader = find_leader(R, o1, o2, o3) if Q.uses_leader[seat] != _0 else _0
    foes = foes_value(R, Q, Q.row[seat], o1, o2, o3)
    X.danger_round += _1
    chosen, best, ties = _0, NO_SCORE, _1
    for number in range(n):
        i = U(number)
        action = X.action[i]
        w0, w1, w2, w3 = put_down(R, X, color, p0, p1, p2, p3, action)
        same = opponents_of(R, color, w1, w2, w3) == (o1, o2, o3)
        score = side_value(R, Q, X, seat, color, leader, same, foes, w0, w1, w2, w3)
        if Q.uses_events[seat] != _0:
            score += event_value(R, Q, X, seat, color, action, p0, p1, p2, p3, w0, w1, w2, w3)
        X.score_of[i] = score
        chosen, best, ties = better_of(i, score, luck, chosen, best, ties)
    return X.action[chosen]
