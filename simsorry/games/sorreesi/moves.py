"""What a use does: the pawns put down (to look at), and carried out with its fights (to play)."""

import numpy as np

from simsorry.games.frames import frame_of, turned
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
    other_lane_of,
    other_of,
    part_of,
    squares_of,
)
from simsorry.games.sorreesi.fights import fight
from simsorry.games.sorreesi.landing import AS_USUAL, ENTERING, SORRY, back_from, count_from, put_pawn
from simsorry.games.sorreesi.state import ACTED, CARD_USED, DIE_USED, NO_CARD, STARTED, TALLY, partner_of, seat_of, turns_of
from simsorry.games.tallies import tally, tally_at
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import count, get, put

U = np.uint64

_0, _1, _2, _3, _7 = U(0), U(1), U(2), U(3), U(7)
BASE, HOME = U(t.BASE), U(t.HOME)
_STRIDE = U(t.STRIDE)
HOME_UNIT, CAPTURE_UNIT = U(0), U(1)


@small
def is_partners(action):
    """Whether a pawn of the partner is moved, of a split the first."""
    return action & PARTNER != _0


@small
def lands_on(R, action, place):
    """Where a use of a single pawn, no swap, takes it from its place."""
    kind = kind_of(action)
    if kind == HOP:
        return count_from(R, place, squares_of(action))
    if kind == START:
        return R.entry
    if kind == BACK:
        return back_from(R, place, squares_of(action))
    return squares_of(action)  # a Sorry! card says the place itself


@small
def way_of(kind):
    """How a pawn comes: it matters for whom it meets."""
    return ENTERING if kind == START else SORRY if kind == TAKE else AS_USUAL


@small
def meets_color(R, other, place):
    """The place of another color, ``other`` clockwise, on the square of an own place."""
    return get(R.seen[other * _STRIDE + place], _0)


# -- to look at --------------------------------------------------------------------------------------


@small
def note_fight(R, X, color, place):
    """Notes the square of a fight that is to come."""
    square = U(R.square[color * _STRIDE + place])
    for i in range(X.fights):
        if X.fight_square[U(i)] == square:
            return
    X.fight_square[X.fights] = square
    X.fight_color[X.fights] = color
    X.fight_place[X.fights] = place
    X.fights += _1


@inner
def put_one(R, X, color, p0, p1, p2, p3, lane, place, how):
    """Puts a pawn down, notes captures and a fight to come; returns the frame."""
    stay_apart()
    p0, p1, p2, p3, m1, m2, m3, fighting = put_pawn(R, color, p0, p1, p2, p3, lane, place, how)
    base = color << _2
    X.captured += count(m1 & R.foe[base + _1]) + count(m2 & R.foe[base + _2]) + count(m3 & R.foe[base + _3])
    if fighting:
        note_fight(R, X, color, place)
    return p0, p1, p2, p3


@inner
def put_parts(R, X, color, p0, p1, p2, p3, action):
    """Puts down the pawns of a split 7."""
    stay_apart()
    k = R.partner[color]
    for i in range(MAX_PARTS):
        part = part_of(action, U(i))
        share = part >> SHARE
        if share == _0:
            break
        if (part >> PART_PARTNER) & _1 == _0:
            place = count_from(R, get(p0, part & _7), share)
            p0, p1, p2, p3 = put_one(R, X, color, p0, p1, p2, p3, part & _7, place, AS_USUAL)
        else:
            q0, q1, q2, q3 = turned(p0, p1, p2, p3, k)
            place = count_from(R, get(q0, part & _7), share)
            q0, q1, q2, q3 = put_one(R, X, (color + k) & _3, q0, q1, q2, q3, part & _7, place, AS_USUAL)
            p0, p1, p2, p3 = turned(q0, q1, q2, q3, (_0 - k) & _3)
    return p0, p1, p2, p3


@inner
def put_swapped(R, X, color, p0, p1, p2, p3, action):
    """Lets two pawns change places (SQ36)."""
    stay_apart()
    k, lane, other_lane = other_of(action), lane_of(action), other_lane_of(action)
    q0, q1, q2, q3 = turned(p0, p1, p2, p3, k)
    mine, theirs = get(p0, lane), get(q0, other_lane)
    back = (_0 - k) & _3
    mine_there, theirs_here = meets_color(R, back, theirs), meets_color(R, k, mine)
    q0 = put(q0, other_lane, theirs_here)
    p0, p1, p2, p3 = turned(q0, q1, q2, q3, back)
    if R.swap_single != _0:
        return put(p0, lane, mine_there), p1, p2, p3
    p0, p1, p2, p3 = put_one(R, X, color, p0, p1, p2, p3, lane, mine_there, AS_USUAL)
    earned = X.captured
    q0, q1, q2, q3 = turned(p0, p1, p2, p3, k)
    q0, q1, q2, q3 = put_one(R, X, (color + k) & _3, q0, q1, q2, q3, other_lane, theirs_here, AS_USUAL)
    X.captured = earned  # what the other pawn captures earns the player nothing
    return turned(q0, q1, q2, q3, back)


@inner
def put_down(R, X, color, p0, p1, p2, p3, action):
    """The frame after a use, before any fight is rolled for; the captures that earn, and the fights, are noted in ``X``.

    The frame is that of ``color``, whose player uses it.
    """
    stay_apart()
    X.captured = _0
    X.fights = _0
    kind = kind_of(action)
    if kind == STOP:
        return p0, p1, p2, p3
    if kind == SPLIT:
        return put_parts(R, X, color, p0, p1, p2, p3, action)
    k = R.partner[color] if is_partners(action) else _0
    q0, q1, q2, q3 = turned(p0, p1, p2, p3, k)
    mover = (color + k) & _3
    if kind == SWAP:
        q0, q1, q2, q3 = put_swapped(R, X, mover, q0, q1, q2, q3, action)
    else:
        lane = lane_of(action)
        place = lands_on(R, action, get(q0, lane))
        q0, q1, q2, q3 = put_one(R, X, mover, q0, q1, q2, q3, lane, place, way_of(kind))
    return turned(q0, q1, q2, q3, (_0 - k) & _3)


# -- to play -----------------------------------------------------------------------------------------


@small
def note_moved(X, color, lane):
    """Notes that a pawn has moved, for the penalty of a third double (SQ11)."""
    X.moves += _1
    X.moved[(color << _3) + lane] = X.moves


@inner
def note_sent_back(R, X, seat, color, m1, m2, m3):
    """Counts the pawns that a pawn of ``color`` has captured, and returns how many of them earn the player a bonus."""
    stay_apart()
    own = U(R.seat_color[seat])
    ours = R.foe[(own << _2) + ((color - own) & _3)] == _0
    by = seat if ours else seat_of(R, color)
    earning = _0
    for k in range(1, 4):
        n = count(m1 if k == 1 else m2 if k == 2 else m3)
        if n == _0:
            continue
        other = (color + U(k)) & _3
        if R.foe[(color << _2) + U(k)] == _0:
            tally(X, by, TALLY.partner, n)
            continue
        tally(X, by, TALLY.given, n)
        tally(X, seat_of(R, other), TALLY.taken, n)
        if ours:
            earning += n
    return earning


@inner
def land(R, X, seat, color, lane, place, how):
    """Puts a pawn of a color on a place with all that follows; returns how many captured pawns earn the player a bonus."""
    stay_apart()
    p0, p1, p2, p3 = frame_of(X, color)
    p0, p1, p2, p3, m1, m2, m3, fighting = put_pawn(R, color, p0, p1, p2, p3, lane, place, how)
    X.word[color] = p0
    earning = _0
    if (m1 | m2 | m3) != _0:
        X.word[(color + _1) & _3] = p1
        X.word[(color + _2) & _3] = p2
        X.word[(color + _3) & _3] = p3
        earning = note_sent_back(R, X, seat, color, m1, m2, m3)
    if fighting:
        fight(R, X, seat, color, place)
    return earning


@inner
def play_parts(R, X, seat, action):
    """Plays a split 7 part by part; returns captures that earn, and pawns brought HOME."""
    stay_apart()
    own = U(R.seat_color[seat])
    captured, homes = _0, _0
    partners = False
    for i in range(MAX_PARTS):
        part = part_of(action, U(i))
        share = part >> SHARE
        if share == _0:
            break
        color = own
        if (part >> PART_PARTNER) & _1 != _0:
            color = partner_of(R, own)
            partners = True
        lane = part & _7
        place = get(X.word[color], lane)
        if place == BASE:
            continue  # a fight of an earlier part has sent it back
        note_moved(X, color, lane)
        place = count_from(R, place, share)
        homes += U(place == HOME)
        captured += land(R, X, seat, color, lane, place, AS_USUAL)
    tally(X, seat, TALLY.splits, 1)
    tally(X, seat, TALLY.partner_moves, partners)
    return captured, homes


@inner
def play_swap(R, X, seat, color, action):
    """Lets two pawns change places; returns captures that earn."""
    stay_apart()
    k, lane, other_lane = other_of(action), lane_of(action), other_lane_of(action)
    other = (color + k) & _3
    mine, theirs = get(X.word[color], lane), get(X.word[other], other_lane)
    mine_there, theirs_here = meets_color(R, (_0 - k) & _3, theirs), meets_color(R, k, mine)
    note_moved(X, color, lane)
    tally(X, seat, TALLY.swaps, 1)
    X.word[other] = put(X.word[other], other_lane, theirs_here)
    if R.swap_single != _0:
        X.word[color] = put(X.word[color], lane, mine_there)
        return _0
    captured = land(R, X, seat, color, lane, mine_there, AS_USUAL)
    if get(X.word[other], other_lane) == theirs_here:
        land(R, X, seat, other, other_lane, theirs_here, AS_USUAL)
    return captured


@small
def note_start(R, X, seat, color, action):
    """Counts a pawn that leaves the base."""
    kind = kind_of(action)
    if kind == START:
        tally(X, seat, TALLY.starts, 1)
        tally(X, seat, TALLY.starts_dice, action & CARD == _0)
        X.turn_kind |= STARTED
    theirs = seat_of(R, color)
    if X.tally[tally_at(theirs, TALLY.first_start)] < 0:
        X.tally[tally_at(theirs, TALLY.first_start)] = turns_of(X, theirs) + 1


@inner
def play_one(R, X, seat, action):
    """Plays a use other than a split; returns captures that earn, and pawns brought HOME."""
    stay_apart()
    kind = kind_of(action)
    color = U(R.seat_color[seat])
    if is_partners(action):
        color = partner_of(R, color)
        tally(X, seat, TALLY.partner_moves, 1)
    if kind == SWAP:
        return play_swap(R, X, seat, color, action), _0
    lane = lane_of(action)
    place = lands_on(R, action, get(X.word[color], lane))
    note_moved(X, color, lane)
    if kind != HOP:
        tally(X, seat, TALLY.backs, kind == BACK)
        if kind != BACK:
            note_start(R, X, seat, color, action)
    captured = land(R, X, seat, color, lane, place, way_of(kind))
    if kind == TAKE:
        tally(X, seat, TALLY.sorry_bumps, captured)
    return captured, U(place == HOME)


@small
def spend(X, seat, action):
    """Takes what a use spends from what there is to spend."""
    k1, k2 = dice_of(action)
    with_card = U(action & CARD != _0)
    X.dice[_0] -= k1
    X.dice[_1] -= k2
    X.turn_kind |= ACTED
    if k1 + k2 != _0:
        X.turn_kind |= DIE_USED
        tally(X, seat, TALLY.dice_used, k1 + k2)
        tally(X, seat, TALLY.hops, k1 + k2 + with_card > _1)
    if with_card != _0:
        X.turn_kind |= CARD_USED
        X.did_card = X.card
        X.card = NO_CARD
        tally(X, seat, TALLY.cards_used, 1)
    unit = bonus_of(action)
    if unit != _0:
        X.units[unit - _1] -= _1
        tally(X, seat, TALLY.used, 1)
        tally(X, seat, TALLY.home_used, unit - _1 == HOME_UNIT)


@small
def play_use(R, X, seat, action):
    """Carries out a use, fights and all; returns the captures that earn a bonus, and the pawns brought HOME."""
    spend(X, seat, action)
    if kind_of(action) == SPLIT:
        captured, homes = play_parts(R, X, seat, action)
    else:
        captured, homes = play_one(R, X, seat, action)
    if kind_of(action) == TAKE and R.sorry_bonus == _0:
        return _0, homes, captured
    return captured, homes, captured


@small
def earn(R, X, seat, captured, homes):
    """Gives the bonus units that a use has earned (S-11, S-16)."""
    if R.bonus[CAPTURE_UNIT] != _0:
        X.units[CAPTURE_UNIT] += captured
        tally(X, seat, TALLY.earned, captured)
    if R.bonus[HOME_UNIT] != _0:
        X.units[HOME_UNIT] += homes
        tally(X, seat, TALLY.earned, homes)
        tally(X, seat, TALLY.home_earned, homes)
