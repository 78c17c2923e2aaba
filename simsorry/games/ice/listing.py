"""The distinct outcomes of a decision, as a list of actions.

Two actions with the same card that end in the same placement are one outcome, of which the plainest action stays. They are told by a key
of 64 bits, of which only the change against the position before is worked out. What is independent is worked out once: the two parts of a
7 that have no square in common end alike in either order, and change the key by the sum of what each does.
"""

import numpy as np

from simsorry.games import hands, track
from simsorry.games.ice import tables as t
from simsorry.games.ice.actions import (
    BACK,
    FORWARD,
    IDLE,
    OPTIONAL,
    PASS,
    PAST,
    THROW,
    move,
    part,
    rank_of,
    sorry,
    split,
    start,
    swap,
)
from simsorry.games.ice.moves import leads_to, look_at_part, of_color, play_part, play_sorry, play_swap, slides_on
from simsorry.games.ice.piles import begin_change, set_height, take_back, top_of, unit_of
from simsorry.games.ice.state import CAPACITY, LOOK, SLOTS, TRY, color_in
from simsorry.games.options import CARDS
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import lowest

U = np.uint64

_0, _1, _2, _3, _4, _6, _7, _8, _14, _32, _64 = U(0), U(1), U(2), U(3), U(4), U(6), U(7), U(8), U(14), U(32), U(64)
_LOWER = U(0xFFFFFFFF)
TRACK, ZONE_SQUARES, NOWHERE = U(t.TRACK), U(t.ZONE_SQUARES), U(t.NOWHERE)
_BACKWARD, _PAST_ROW = U(t.BACKWARD), U(t.PAST)
_CAPACITY = U(CAPACITY)
assert SLOTS == 1 << 14
_WAYS = U(16)  # ways of a part of a 7: by squares, less 1, and PAST_WAY for those that pass the entry
PAST_WAY = U(8)
_SEVEN, _ELEVEN, _TWO = (U(CARDS.index(card)) for card in ("7", "11", "2"))
SLOTS_OF_OTHERS = U(t.LEVELS)
_LATE = U(track.ENTRY - 11)
APART = U(4)  # beside the slides of a split 7: its parts have no place in common
_LAND_ON_TOP, _SAME_SIZE = U(t.LAND_ON_TOP), U(t.SAME_SIZE)


# -- the list ------------------------------------------------------------------------------------------


@small
def append(X, card, action, slides):
    """Adds an outcome that is like no other."""
    n = X.outcomes
    if n >= _CAPACITY:
        X.overflow = _1
        return
    X.action[n] = action
    X.card[n] = card
    X.ridden[n] = slides
    X.outcomes = n + _1


@small
def note_compulsion(X, action):
    X.compulsory += U(action & OPTIONAL == _0)


@small
def new_list(X, expected):
    """Begins a list of keys, in a table with room for more outcomes than are ever expected."""
    X.listing += _1
    bits = _8
    while (_1 << bits) < expected << _1 and bits < _14:
        bits += _1
    X.key_shift = _64 - bits
    X.key_room = (_1 << bits) - _1  # a slot stays free, where a search ends


@inner
def add(X, card, action, slides, key):
    """Adds an action; one that ends as another does takes its place if it is plainer."""
    stay_apart()
    note_compulsion(X, action)
    slot = key >> X.key_shift << _1
    last = (_2 << (_64 - X.key_shift)) - _1
    while X.key[slot + _1] >> _32 == X.listing:
        if X.key[slot] == key:
            add_again(X, X.key[slot + _1] & _LOWER, action, slides)
            return
        slot = (slot + _2) & last
    if X.key_room == _0:
        X.overflow = _1
        return
    X.key_room -= _1
    X.key[slot] = key
    X.key[slot + _1] = X.listing << _32 | X.outcomes
    append(X, card, action, slides)


@small
def add_again(X, at, action, slides):
    """Another action with the outcome of one that is listed: the outcome may be declined only if that is true of both."""
    known = X.action[at]
    optional = known & action & OPTIONAL
    if rank_of(action, slides & _3) < rank_of(known, U(X.ridden[at]) & _3):
        known = action
        X.ridden[at] = slides
    X.action[at] = known & ~OPTIONAL | optional


# -- who can move --------------------------------------------------------------------------------------


@small
def others_among(X, color, place, pawns):
    """A bit for each other color among the upper pawns of a pile."""
    others = _0
    at = (place << _6) + U(X.height[place]) - pawns
    for i in range(pawns):
        others |= _1 << color_in(U(X.piece[at + U(i)]))
    return others & ~(_1 << color)


@small
def add_mover(X, color, place, pawns):
    number = X.movers
    X.mover_place[number] = place
    X.mover_pawns[number] = pawns
    X.mover_others[number] = others_among(X, color, place, pawns) if pawns > _1 else _0
    X.movers = number + _1


@small
def is_late(R, color, place):
    """1 if a count of 12 would carry a pawn past its entry."""
    return U(of_color(R.around, color, place) - _LATE <= U(11))


@small
def add_movers_at(X, color, place):
    """The top pawn of a pile, and the stack that it controls (I-14)."""
    if U(X.height[place]) == _0 or color_in(top_of(X, place)) != color:
        return
    add_mover(X, color, place, _1)
    unit = unit_of(X, place)
    if unit > _1:
        add_mover(X, color, place, unit)


@inner
def list_movers(R, X, color):
    """All that a player can move by a count of squares."""
    stay_apart()
    X.movers = _0
    X.late_movers = _0
    squares = X.occupied
    while squares != _0:
        place = lowest(squares)
        squares &= squares - _1
        known = X.movers
        add_movers_at(X, color, place)
        X.late_movers += (X.movers - known) * is_late(R, color, place)
    first = TRACK + ZONE_SQUARES * color
    for k in range(t.ZONE_SQUARES):
        add_movers_at(X, color, first + U(k))


# -- moves by a count ------------------------------------------------------------------------------------


@small
def way_past(R):
    """OPTIONAL if walking past the own entry may be declined."""
    return _0 if R.past_forced != _0 else OPTIONAL


@small
def ends_alike(R, card, kind, rides):
    """Whether a move by a count may end as another use of its card does.

    A move takes pawns off its square. No other whole move forward does that, and puts them where this one does: nothing so near behind
    them could sweep them along. But a step back from just past a triangle rides over its own square again; the parts of a 7 can share the
    way of a whole one; some switches change piles like moves; a count that bounces back from HOME may end where it began; and a stack
    that leaves others on the entry square may have stood there.
    """
    split = card == _SEVEN and R.parts > _1
    switched = card == _ELEVEN and not is_plain_swap(R)
    return split or switched or (kind == BACK and rides != _0) or R.comes_back != _0


@inner
def list_counted(R, X, color, card, squares, kind, optional):
    """Every mover by a count: forward, past the own entry, or backward."""
    stay_apart()
    row = squares + (_BACKWARD if kind == BACK else _PAST_ROW if kind == PAST else _0)
    slides = slides_on(R, kind)
    for number in range(X.movers):
        mover = U(number)
        place, pawns = X.mover_place[mover], X.mover_pawns[mover]
        target = leads_to(R, color, place, pawns, X.mover_others[mover], row)
        if target == NOWHERE:
            continue
        X.forward |= U(optional == _0) & U(kind != BACK)
        action = move(kind, part(place, pawns, squares, U(kind == PAST))) | optional
        rides = U(target < TRACK and of_color(R.ride, color, target) * slides != _0)
        if ends_alike(R, card, kind, rides):
            add(X, card, action, rides, look_at_part(R, X, color, place, pawns, target, slides))
        else:
            note_compulsion(X, action)
            append(X, card, action, rides)


# -- sevens ----------------------------------------------------------------------------------------------


@small
def ways_of_parts(R):
    """How many ways a part of a 7 can be moved at the most, some of them without a meaning."""
    return PAST_WAY + U(6) if R.past_always != _0 else U(6)


@small
def is_possible(X, at):
    """Whether a mover's way of playing a part of a 7 is allowed if it is played first."""
    return U(X.part_target[at]) != NOWHERE


@small
def row_of_way(way):
    """The row of one of the sixteen ways of a part of a 7."""
    return (way & _7) + _1 + (_PAST_ROW if way >= PAST_WAY else _0)


@small
def part_of_way(place, pawns, way):
    return part(place, pawns, (way & _7) + _1, U(way >= PAST_WAY))


@small
def rest_of(way):
    """The way of moving forward by what a part of a 7 leaves."""
    return U(5) - (way & _7)


@inner
def look_at_parts(R, X, color):
    """What each part of a 7 does if it is played first.

    A part never overshoots HOME from the track, so it passes the own entry only where counts that fit may do so too.
    """
    stay_apart()
    for number in range(X.movers):
        mover = U(number)
        place, pawns = X.mover_place[mover], X.mover_pawns[mover]
        for k in range(ways_of_parts(R)):
            way = U(k)
            at = mover * _WAYS + way
            target = NOWHERE
            if way & _7 <= U(5):
                target = leads_to(R, color, place, pawns, X.mover_others[mover], row_of_way(way))
            X.part_target[at] = target
            if target == NOWHERE:
                continue
            X.touched[_0] = _0
            X.touched[_1] = _0
            X.part_key[at] = look_at_part(R, X, color, place, pawns, target, _1)
            X.part_track[at] = X.touched[_0]
            X.part_zones[at] = X.touched[_1]
            X.part_rides[at] = X.rides
            X.part_met[at] = 0


@small
def optional_ways(R, one, other):
    """OPTIONAL if a part passes the own entry and that may be declined."""
    return way_past(R) if (one | other) & PAST_WAY != _0 else _0


@small
def meets(X, at, track, zones):
    """Whether a part of a 7 has a place in common with some places."""
    return (X.part_track[at] & track | X.part_zones[at] & zones) != _0


@inner
def list_splits(R, X, color):
    """Every 7 in two parts."""
    stay_apart()
    look_at_parts(R, X, color)
    for number in range(X.movers):
        for k in range(ways_of_parts(R)):
            at = U(number) * _WAYS + U(k)
            if is_possible(X, at):
                list_apart(R, X, U(number), U(k))
    for number in range(X.movers):
        for k in range(ways_of_parts(R)):
            at = U(number) * _WAYS + U(k)
            if not is_possible(X, at) or not must_try(R, X, color, U(number), at):
                continue
            if not list_uncovered(R, X, color, U(number), U(k)):
                list_together(R, X, color, U(number), U(k))


@inner
def list_apart(R, X, mover, way):
    """The second parts by later movers that have nothing to do with the first one: their order does not matter."""
    stay_apart()
    at = mover * _WAYS + way
    track, zones, key, slides = X.part_track[at], X.part_zones[at], X.part_key[at], U(X.part_rides[at]) | APART
    first = part_of_way(X.mover_place[mover], X.mover_pawns[mover], way)
    for number in range(mover + _1, X.movers):
        other = U(number)
        for k in range(2 if R.past_always != _0 else 1):
            second_way = rest_of(way) + PAST_WAY * U(k)
            there = other * _WAYS + second_way
            if not is_possible(X, there):
                continue
            if meets(X, there, track, zones):
                X.part_met[at] = 1
                X.part_met[there] = 1
                continue
            second = part_of_way(X.mover_place[other], X.mover_pawns[other], second_way)
            action = split(first, second) | optional_ways(R, way, second_way)
            add(X, _SEVEN, action, slides + U(X.part_rides[there]), key + X.part_key[there])


@small
def is_touched(place, track, zones):
    return (track >> place if place < TRACK else zones >> (place - TRACK)) & _1


@small
def leaves_mover(X, color, place, pawns):
    """Whether a pawn of the color is on top once the upper ones have left."""
    height = U(X.height[place])
    return height > pawns and color_in(U(X.piece[(place << _6) + height - pawns - _1])) == color


@small
def must_try(R, X, color, mover, at):
    """Whether a second part can have to do with a first one, or can be possible only after it."""
    leaves = R.slide_mode == U(t.CARRY_STACKED) and X.part_rides[at] != 0
    return leaves or X.part_met[at] != 0 or leaves_mover(X, color, X.mover_place[mover], X.mover_pawns[mover])


@inner
def list_uncovered(R, X, color, mover, way):
    """The second parts of whoever is on top where the first one has left; whether that is all that can have to do with the first one.

    It is not if the first one rides or meets another's part, nor if the second one rides and may meet the pawns of the first.
    """
    stay_apart()
    at = mover * _WAYS + way
    if (R.comes_back | R.past_always) != _0 or X.part_rides[at] != 0 or X.part_met[at] != 0:
        return False
    place, pawns = X.mover_place[mover], X.mover_pawns[mover]
    height, known = U(X.height[place]), X.movers
    set_height(X, place, height - pawns)
    if R.other_pile == _0:
        add_movers_at(X, color, place)
    none_rides = True
    for number in range(known, X.movers):
        second_way = rest_of(way)
        target = leads_to(R, color, place, X.mover_pawns[U(number)], X.mover_others[U(number)], row_of_way(second_way))
        none_rides = none_rides and not (target < TRACK and of_color(R.ride, color, target) != _0)
    if none_rides:
        first = part_of_way(place, pawns, way)
        for number in range(known, X.movers):
            list_second(R, X, color, first, way, U(number), X.part_key[at], _0, _0, _0, _0)
    X.movers = known
    set_height(X, place, height)
    return none_rides


@inner
def list_together(R, X, color, mover, way):
    """The second parts that have places in common with the first one, which is tried out for them."""
    stay_apart()
    at = mover * _WAYS + way
    place, pawns = X.mover_place[mover], X.mover_pawns[mover]
    track, zones, slides = X.part_track[at], X.part_zones[at], U(X.part_rides[at])
    begin_change(X, TRY)
    key = play_part(R, X, color, place, pawns, U(X.part_target[at]), _1, TRY)
    first = part_of_way(place, pawns, way)
    known = X.movers
    add_new_movers(R, X, color, place, X.rest, track, zones)
    for number in range(X.movers):
        other = U(number)
        if other >= known or is_touched(X.mover_place[other], track, zones) == _0:
            list_second(R, X, color, first, way, other, key, slides, U(other < known), track, zones)
    X.movers = known
    take_back(X)


@small
def add_new_movers(R, X, color, origin, rest, track, zones):
    """Adds those who can move from places that a part of a 7 has changed, but for where its own pawns rest (IQ4; rulebook 13.6)."""
    while (track | zones) != _0:
        if track != _0:
            place = lowest(track)
            track &= track - _1
        else:
            place = TRACK + lowest(zones)
            zones &= zones - _1
        if place != rest and not (R.other_pile != _0 and place == origin):
            add_movers_at(X, color, place)


@inner
def list_second(R, X, color, first, way, other, key, slides, known, track, zones):
    """The second parts of one mover; of one who was ``known`` before only those that meet places of the first part."""
    stay_apart()
    place, pawns = X.mover_place[other], X.mover_pawns[other]
    for k in range(2 if R.past_always != _0 else 1):
        second_way = rest_of(way) + PAST_WAY * U(k)
        there = other * _WAYS + second_way
        if known != _0 and (not is_possible(X, there) or not meets(X, there, track, zones)):
            continue
        target = leads_to(R, color, place, pawns, X.mover_others[other], row_of_way(second_way))
        if target == NOWHERE:
            continue
        change = look_at_part(R, X, color, place, pawns, target, _1)
        action = split(first, part_of_way(place, pawns, second_way)) | optional_ways(R, way, second_way)
        add(X, _SEVEN, action, slides + X.rides, key + change)


# -- switches --------------------------------------------------------------------------------------------


@small
def is_plain_swap(R):
    """Whether pawns that are switched just change slots, so that no pile grows or shrinks unless one of them slides."""
    return R.swap_mode != _LAND_ON_TOP and R.contact_top == _0


@inner
def list_slots(R, X, color):
    """The pawns on the track that can be switched, the player's own and those of opponents (I-22)."""
    stay_apart()
    own, others = _0, SLOTS_OF_OTHERS
    squares = X.occupied
    while squares != _0:
        place = lowest(squares)
        squares &= squares - _1
        for level in range(X.height[place]):
            code = U(X.piece[(place << _6) + U(level)])
            at = own if color_in(code) == color else others
            X.slot_place[at] = place
            X.slot_level[at] = U(level)
            X.slot_code[at] = code
            X.slot_key[at] = R.place_key[place] * R.level_key[U(level)]
            own += U(at < SLOTS_OF_OTHERS)
            others += U(at >= SLOTS_OF_OTHERS)
    X.own_slots = own
    X.other_slots = others - SLOTS_OF_OTHERS


@inner
def list_swaps(R, X, color, card):
    """Every switch of an own pawn with an opponent's (I-20)."""
    stay_apart()
    list_slots(R, X, color)
    optional = OPTIONAL if R.swap_forced == _0 and X.forward == _0 else _0
    slides = R.swap_slides != _0
    simple = is_plain_swap(R)
    for i in range(X.own_slots):
        for j in range(X.other_slots):
            own, other = U(i), SLOTS_OF_OTHERS + U(j)
            place, there = X.slot_place[own], X.slot_place[other]
            if R.swap_mode == _SAME_SIZE and (X.slot_code[own] ^ X.slot_code[other]) & _3 != _0:
                continue
            if place == there and R.swap_same_space == _0:
                continue
            action = swap(place, X.slot_level[own], there, X.slot_level[other]) | optional
            if simple and not (slides and of_color(R.ride, color, there) != _0):
                # No pile grows or shrinks, as it does with every other use of the card: nothing ends alike.
                if R.swap_may_cross != _0 or of_color(R.togo, color, there) <= of_color(R.togo, color, place):
                    note_compulsion(X, action)
                    append(X, card, action, _0)
            else:
                try_swap(R, X, color, card, action, place, X.slot_level[own], there, X.slot_level[other])


@inner
def try_swap(R, X, color, card, action, place, level, other, other_level):
    """Lists a switch that may end as another play does."""
    stay_apart()
    begin_change(X, TRY)
    key = play_swap(R, X, color, place, level, other, other_level, TRY)
    rest, slides = X.rest, X.rides
    take_back(X)
    if R.swap_may_cross != _0 or of_color(R.togo, color, rest) <= of_color(R.togo, color, place):
        add(X, card, action, slides, key)


# -- out of START ------------------------------------------------------------------------------------------


@small
def has_on_start(X, color, sizes, size):
    """Whether a size is among those of a card, and a pawn of it on START."""
    return sizes >> size & _1 != _0 and X.start[(color << _2) + size] != 0


@inner
def list_starts(R, X, color, card):
    """A pawn of each size that the card starts (I-8)."""
    stay_apart()
    for number in range(3):
        size = U(number)
        if has_on_start(X, color, R.starts[card], size):
            note_compulsion(X, _0)
            append(X, card, start(size), _0)


@small
def is_target(R, X, color, place):
    """Whether a Sorry! can put a pawn onto an occupied track square (IQ13)."""
    if R.sorry_anywhere == _0:
        return color_in(top_of(X, place)) != color
    others = _0
    for level in range(X.height[place]):
        others |= U(color_in(U(X.piece[(place << _6) + U(level)])) != color)
    return others != _0


@inner
def list_sorrys(R, X, color, card):
    """A pawn of each size onto each pile that a Sorry! can hit (I-24)."""
    stay_apart()
    any_rides = X.occupied & R.triangles[color] & (_0 - R.slide_after_sorry) != _0
    squares = X.occupied
    while squares != _0:
        place = lowest(squares)
        squares &= squares - _1
        if is_target(R, X, color, place):
            for number in range(3):
                size = U(number)
                if not has_on_start(X, color, R.takes[card], size):
                    continue
                action = sorry(size, place)
                if any_rides:  # it may ride to a square that can be hit as well
                    key = play_sorry(R, X, color, size, place, LOOK)
                    add(X, card, action, X.rides, key)
                else:
                    note_compulsion(X, action)
                    append(X, card, action, _0)


# -- a card, a hand ----------------------------------------------------------------------------------------


@small
def most_told_apart(R, X, card):
    """More actions than a card can have that may end alike."""
    if card == _SEVEN:
        return _6 * X.movers * (X.movers + _4) << (_2 * R.past_always)
    return U(1024) if card == _ELEVEN else U(256)  # fifteen own pawns switched with forty-five others are 675


@inner
def list_card(R, X, color, card):
    """Every outcome of one card."""
    stay_apart()
    new_list(X, most_told_apart(R, X, card))
    X.forward = _0
    if R.starts[card] != _0:
        list_starts(R, X, color, card)
    squares = R.forward[card]
    if squares != _0:
        list_counted(R, X, color, card, squares, FORWARD, _0)
        if R.past != _0 and X.late_movers != _0:
            list_counted(R, X, color, card, squares, PAST, way_past(R))
    back = R.back[card]
    if back != _0:
        declinable = squares != _0 and R.ten_back_forced == _0 and X.forward == _0
        list_counted(R, X, color, card, back, BACK, OPTIONAL if declinable else _0)
    if card == _SEVEN and R.parts > _1:
        list_splits(R, X, color)
    elif card == _ELEVEN:
        list_swaps(R, X, color, card)
    if R.takes[card] != _0:
        list_sorrys(R, X, color, card)


@inner
def list_plays(R, X, seat):
    """All distinct outcomes of the decision that a player has now."""
    stay_apart()
    color = U(R.seat_color[seat])
    X.outcomes = _0
    X.compulsory = _0
    list_movers(R, X, color)
    values = hands.playable(R, X, seat) if R.hand_size != _0 else _1 << X.now_card
    while values != _0:
        card = lowest(values)
        values &= values - _1
        before = X.outcomes
        list_card(R, X, color, card)
        if card == _TWO and R.two_idle * R.hand_size != _0 and X.outcomes == before:
            append(X, card, IDLE | OPTIONAL, _0)
    list_declining(R, X, seat)


@small
def list_declining(R, X, seat):
    """What may be done instead of a play (rulebook 13.1)."""
    if R.hand_size == _0:
        if X.outcomes != _0 and (X.compulsory == _0 or R.must_move == _0):
            append(X, hands.NO_CARD, PASS | OPTIONAL, _0)
        return
    declined = hands.declining(R, X, seat)
    if declined == hands.PASSING:
        append(X, hands.NO_CARD, PASS | OPTIONAL, _0)
    elif declined == hands.THROWING:
        cards = hands.throwable(R, X, seat)
        while cards != _0:
            append(X, lowest(cards), THROW | OPTIONAL, _0)
            cards &= cards - _1
