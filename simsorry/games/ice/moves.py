"""What a play does to the board: moves with their slides, starts, switches and Sorry!s.

``play_part`` and its like are the one place where that is written. They carry a play out for good, try it out so that it can be taken back,
or only look at it: all three return by how much the key of the placement changes, and leave in the scratch record where the pawns came to
rest, the slides ridden and the pawns swept along.
"""

import numpy as np

from simsorry.games.ice import tables as t
from simsorry.games.ice.actions import (
    BACK,
    FORWARD,
    SORRY,
    SPLIT,
    START,
    SWAP,
    first_part,
    goes_past,
    kind_of,
    pawns_of,
    place_of,
    second_part,
    size_of,
    slots_of,
    squares_of,
    target_of,
)
from simsorry.games.ice.piles import (
    keep,
    key_at,
    key_of,
    lay,
    leave_play,
    lift,
    meet,
    meet_pile,
    put_down,
    save,
    set_height,
    touch,
    unit_within,
)
from simsorry.games.ice.state import LOOK, PLAY, TRY, color_in, pawn_of, size_in
from simsorry.jit import inner, small, stay_apart

U = np.uint64

_0, _1, _2, _3, _4, _6, _7, _13, _15, _16 = U(0), U(1), U(2), U(3), U(4), U(6), U(7), U(13), U(15), U(16)
_PLACE, TRACK, HOME, NOWHERE, TURNS_IN, ENTRY = U(127), U(t.TRACK), U(t.HOME), U(t.NOWHERE), U(t.TURNS_IN), U(58)
_ROW_BITS, _STRIDE_BITS = U(6), U(7)
_BACKWARD, _PAST_ROW = U(t.BACKWARD), U(t.PAST)
_TOP_ONLY, _DROP_AT_ENTRY = U(t.TOP_ONLY), U(t.DROP_AT_ENTRY)
_CARRY_STACKED, _END_ONLY, _LAND_ON_TOP = U(t.CARRY_STACKED), U(t.END_ONLY), U(t.LAND_ON_TOP)


# -- where a move leads --------------------------------------------------------------------------------


@small
def of_color(table, color, place):
    """A value by color and place."""
    return U(table[(color << _STRIDE_BITS) + place])


@small
def row_of(kind, what):
    """The way of moving of a part."""
    if kind == BACK:
        return _BACKWARD + squares_of(what)
    return squares_of(what) + _PAST_ROW * goes_past(what)


@small
def leads_to(R, color, place, pawns, others, row):
    """The target of a move, with TURNS_IN if it enters the safety zone; NOWHERE if it is not allowed.

    ``others`` has a bit for each other color among the pawns moved.
    """
    target = U(R.target[((color << _ROW_BITS) + row << _STRIDE_BITS) + place])
    if pawns == _1 or target == NOWHERE:
        return target
    if target & _PLACE == HOME and R.top_home != _0:
        return NOWHERE
    if others != _0:
        if target & TURNS_IN != _0 and R.mixed == _TOP_ONLY:
            return NOWHERE
        if R.carry_stops != _0 and carries_past(R, color, place, others, row, target):
            return NOWHERE
    return target


@inner
def carries_past(R, color, place, others, row, target):
    """Whether a stack takes another color's pawn past that color's entry (IQ7)."""
    stay_apart()
    if row & _BACKWARD != _0:
        return False
    if target & TURNS_IN != _0:
        squares = ENTRY - of_color(R.around, color, place)  # the others get no farther than the entry
    else:
        squares = (row & _15) + of_color(R.ride, color, target)
    for other in range(4):
        if others >> U(other) & _1 != _0:
            around = of_color(R.around, U(other), place)
            if around <= ENTRY < around + squares:
                return True
    return False


# -- a move --------------------------------------------------------------------------------------------


@small
def pawns_there(X, place, origin, left):
    """How many pawns are on a place once the moved ones have left their origin, where ``left`` stay."""
    return left if place == origin else U(X.height[place])


@inner
def play_part(R, X, color, place, pawns, target, slides, how):
    """Moves the upper pawns of a pile to a target of ``leads_to``; returns the change of the key.

    ``slides``: 1 if triangles are ridden.
    """
    stay_apart()
    left = U(X.height[place]) - pawns
    key = _0 - lift(R, X, place, pawns, how)
    X.rides = _0
    X.swept = _0
    if target & TURNS_IN != _0 and pawns > _1 and R.mixed != _TOP_ONLY:
        key += leave_others(R, X, color, place, left, how)
    to = target & _PLACE
    if to == HOME:
        return key + go_home(R, X, color, how)
    return key + come_down(R, X, color, to, place, left, slides, how)


@small
def go_home(R, X, color, how):
    """Puts the carried group HOME (I-28)."""
    key = _0
    for i in range(X.grouped):
        at = (color << _2) + size_in(U(X.group[U(i)]))
        key += R.home_key[at]
        if how != LOOK:
            X.home[at] += 1
    if how == PLAY:
        X.on_home[color] += X.grouped
        leave_play(X)
    X.rest = NOWHERE
    return key


@small
def come_down(R, X, color, to, origin, left, slides, how):
    """Puts the carried group down on a square, or lets it ride from there (I-10, I-25)."""
    squares = of_color(R.ride, color, to) * slides
    if squares != _0:
        return ride(R, X, to, squares, origin, left, how)
    X.rest = to
    return put_down(R, X, to, pawns_there(X, to, origin, left), how)


@inner
def leave_others(R, X, color, origin, left, how):
    """Takes the other colors' pawns out of the carried group, which enters the safety zone, and puts them where the rules say (IQ5)."""
    stay_apart()
    count = X.grouped
    for i in range(count):
        X.met[U(i)] = X.group[U(i)]
        X.met_since[U(i)] = X.group_since[U(i)]
    pick_group(X, color, count, _0)
    key = _0
    if X.grouped != _0:
        if R.mixed == _DROP_AT_ENTRY:
            entry = R.entry[color]
            key = put_down(R, X, entry, pawns_there(X, entry, origin, left), how)
        else:
            key = go_to_start(R, X, how)
    pick_group(X, color, count, _1)
    return key


@small
def pick_group(X, color, count, own):
    """Carries the own (1), or else the other colors', pawns of those set aside; who stands on another pawn now has no flag."""
    X.grouped = _0
    follows = _0
    for i in range(count):
        code = U(X.met[U(i)])
        chosen = U(color_in(code) == color) ^ own ^ _1
        if chosen != _0:
            X.group[X.grouped] = code if follows != _0 else code & _15
            X.group_since[X.grouped] = X.met_since[U(i)]
            X.grouped += _1
        follows = chosen


@small
def go_to_start(R, X, how):
    """Sends the carried group back to START."""
    key = _0
    for i in range(X.grouped):
        code = U(X.group[U(i)])
        at = code & _15  # the color and the size, as START is numbered
        key += R.start_key[at]
        if how != LOOK:
            X.start[at] += 1
    if how == PLAY:
        leave_play(X)
    return key


@inner
def look_at_part(R, X, color, place, pawns, target, slides):
    """``play_part`` only looked at. What comes down on a square without a slide, or goes HOME, takes a short way."""
    stay_apart()
    to = target & _PLACE
    parts = target != to and pawns > _1 and R.mixed != _TOP_ONLY
    if parts or R.contact_top != _0 or (to != HOME and of_color(R.ride, color, to) * slides != _0):
        return play_part(R, X, color, place, pawns, target, slides, LOOK)
    X.rides = _0
    touch(X, place)
    low = U(X.height[place]) - pawns
    at, key = (place << _6) + low, _0
    if to == HOME:
        for i in range(pawns):
            code = U(X.piece[at + U(i)])
            key += R.home_key[(color << _2) + size_in(code)] - key_at(R, place, low + U(i), code)
        return key
    touch(X, to)
    below, here, there = pawns_there(X, to, place, low), R.place_key[place], R.place_key[to]
    for i in range(pawns):
        level = U(i)
        key += (there * R.level_key[below + level] - here * R.level_key[low + level]) * R.code_key[U(X.piece[at + level])]
    return key


# -- slides --------------------------------------------------------------------------------------------


@inner
def ride(R, X, triangle, squares, origin, left, how):
    """Takes the carried group from a triangle to the end of its slide, with what it meets (I-25, IQ9 to IQ12)."""
    stay_apart()
    X.rides = _1
    X.met_count = _0
    key = _0
    touch(X, triangle)
    if R.take_triangle != _0:
        key += pick_up(R, X, triangle, pawns_there(X, triangle, origin, left), how)
    square = triangle
    for _ in range(squares - _1):
        square = _0 if square + _1 == TRACK else square + _1
        touch(X, square)
        if R.slide_mode != _END_ONLY:
            key += pick_up(R, X, square, pawns_there(X, square, origin, left), how)
    end = _0 if square + _1 == TRACK else square + _1
    X.rest = end
    there = pawns_there(X, end, origin, left)
    if X.met_count == _0:
        return key + put_down(R, X, end, there, how)
    key -= key_of(R, X, end, _0, there)
    if how != LOOK:
        keep(X, end, how)
    gather_below(R, X, end, there)
    return key + lay(R, X, end, _0, how)


@inner
def pick_up(R, X, square, there, how):
    """Meets a pile while sliding: what of it travels on joins the carried group, or the piles that lie beneath it in the end."""
    stay_apart()
    if there == _0:
        return _0
    base = square << _6
    beneath = U(X.piece[base + there - _1])
    meet(R, X, beneath)
    taken = there
    if R.slide_mode == _CARRY_STACKED:
        lowest = U(X.group[_0])
        if U(lowest & _3 > beneath & _3) ^ lowest >> _4 != _0:
            return _0  # what is covered stays
        taken = unit_within(X, square, there)
    low = there - taken
    key = _0 - key_of(R, X, square, low, there)
    if R.first_lowest != _0:
        for i in range(taken):
            X.met[X.met_count + U(i)] = X.piece[base + low + U(i)] & 15 if i == 0 else X.piece[base + low + U(i)]
            X.met_since[X.met_count + U(i)] = X.since[base + low + U(i)]
        X.met_count += taken
    else:
        take_beneath(X, base + low, taken)
    X.swept += taken
    if how != LOOK:
        keep(X, square, how)
        set_height(X, square, low)
    return key


@small
def make_room(X, taken):
    """Moves the carried group up, for as many pawns beneath it."""
    count = X.grouped
    for i in range(count):
        number = count - _1 - U(i)
        X.group[number + taken] = X.group[number]
        X.group_since[number + taken] = X.group_since[number]
    X.grouped = count + taken


@small
def take_beneath(X, at, taken):
    """Puts pawns of a pile, from an index of ``piece`` on, beneath the carried group."""
    make_room(X, taken)
    for i in range(taken):
        X.group[U(i)] = X.piece[at + U(i)]
        X.group_since[U(i)] = X.since[at + U(i)]


@small
def gather_below(R, X, end, there):
    """Puts beneath the carried group the pile on the end square, and beneath that the piles met on the way (IQ10)."""
    meet(R, X, U(X.piece[(end << _6) + there - _1]) if there != _0 else U(X.met[X.met_count - _1]))
    take_beneath(X, end << _6, there)
    make_room(X, X.met_count)
    for i in range(X.met_count):
        X.group[U(i)] = X.met[U(i)]
        X.group_since[U(i)] = X.met_since[U(i)]


# -- out of START --------------------------------------------------------------------------------------


@small
def bring_out(R, X, color, size, how):
    """Takes a pawn out of START as the carried group."""
    at = (color << _2) + size
    X.group[_0] = pawn_of(color, size)
    X.group_since[_0] = -1
    X.grouped = _1
    X.rides = _0
    X.swept = _0
    if how != LOOK:
        X.start[at] -= 1
    return _0 - R.start_key[at]


@small
def play_start(R, X, color, size, how):
    """Brings a pawn onto the start circle (I-8)."""
    key = bring_out(R, X, color, size, how)
    circle = R.circle[color]
    X.rest = circle
    return key + put_down(R, X, circle, U(X.height[circle]), how)


@small
def play_sorry(R, X, color, size, place, how):
    """Brings a pawn onto a pile (I-24, IQ15)."""
    key = bring_out(R, X, color, size, how)
    return key + come_down(R, X, color, place, NOWHERE, _0, R.slide_after_sorry, how)


# -- switches ------------------------------------------------------------------------------------------


@inner
def play_swap(R, X, color, place, level, other, other_level, how):
    """Switches two pawns, the own one named first; returns the change of the key. Not to be looked at only (I-20 to I-23)."""
    stay_apart()
    X.rides = _0
    X.swept = _0
    keep(X, place, how)
    keep(X, other, how)
    if how == TRY:
        save(X, place)
        save(X, other)
    key = _0 - key_of_both(R, X, place, other)
    if R.swap_mode == _LAND_ON_TOP:
        change_piles(R, X, place, level, other, other_level, how)
        on_top = place != other
    else:
        exchange(X, place, level, other, other_level, how)
        on_top = other_level + _1 == U(X.height[other])
    key += key_of_both(R, X, place, other)
    X.rest = other
    squares = of_color(R.ride, color, other)
    if on_top and squares != _0 and R.swap_slides != _0:
        key -= lift(R, X, other, _1, how)
        key += ride(R, X, other, squares, other, U(X.height[other]), how)
    return key


@small
def key_of_both(R, X, place, other):
    """What the piles on two places add to the key; they may be the same."""
    key = key_of(R, X, place, _0, U(X.height[place]))
    return key if place == other else key + key_of(R, X, other, _0, U(X.height[other]))


@small
def settle(X, place, level):
    """Takes the flag off a pawn that stands on another one now, if there is a pawn on that level."""
    if level < U(X.height[place]):
        X.piece[(place << _6) + level] &= 15


@small
def exchange(X, place, level, other, other_level, how):
    """Lets two pawns change slots (IQ16)."""
    at, there = (place << _6) + level, (other << _6) + other_level
    X.piece[at], X.piece[there] = X.piece[there], X.piece[at]
    if how == PLAY:
        X.since[at], X.since[there] = X.since[there], X.since[at]
    settle(X, place, level)
    settle(X, place, level + _1)
    settle(X, other, other_level)
    settle(X, other, other_level + _1)


@small
def change_piles(R, X, place, level, other, other_level, how):
    """Lifts two pawns out of their piles and lands the first on the pile of the second, then the second on that of the first (IQ16)."""
    at, there = (place << _6) + level, (other << _6) + other_level
    own, own_since = X.piece[at], X.since[at]
    theirs, their_since = X.piece[there], X.since[there]
    if place == other and level < other_level:
        take_out(X, other, other_level, how)
        take_out(X, place, level, how)
    else:
        take_out(X, place, level, how)
        take_out(X, other, other_level, how)
    drop_one(R, X, other, own, own_since, how)
    drop_one(R, X, place, theirs, their_since, how)


@small
def take_out(X, place, level, how):
    """Takes a pawn out of a pile, which closes up."""
    set_height(X, place, U(X.height[place]) - _1)
    for i in range(level, U(X.height[place])):
        at = (place << _6) + U(i)
        X.piece[at] = X.piece[at + _1]
        if how == PLAY:
            X.since[at] = X.since[at + _1]
    settle(X, place, level)


@small
def drop_one(R, X, place, code, since, how):
    """Lands one pawn on a pile."""
    X.group[_0] = code
    X.grouped = _1
    height = U(X.height[place])
    meet_pile(R, X, place, height)
    X.piece[(place << _6) + height] = X.group[_0]
    if how == PLAY:
        X.since[(place << _6) + height] = since
    set_height(X, place, height + _1)


# -- any play ------------------------------------------------------------------------------------------


@small
def slides_on(R, kind):
    """1 if a kind of move rides the triangle that it ends on."""
    return R.slide_on_backward if kind == BACK else _1


@small
def play_counted(R, X, color, kind, what, how):
    """Plays one part of a move by a count of squares."""
    place, pawns = place_of(what), pawns_of(what)
    target = U(R.target[((color << _ROW_BITS) + row_of(kind, what) << _STRIDE_BITS) + place])
    return play_part(R, X, color, place, pawns, target, slides_on(R, kind), how)


@inner
def carry_out(R, X, color, action, how):
    """Tries out a whole action that moves pawns; returns the change of the key."""
    stay_apart()
    kind = kind_of(action)
    if kind == SPLIT:
        key = play_counted(R, X, color, FORWARD, first_part(action), how)
        return key + play_counted(R, X, color, FORWARD, second_part(action), how)
    if kind == START:
        return play_start(R, X, color, size_of(action), how)
    if kind == SWAP:
        place, level, other, other_level = slots_of(action)
        return play_swap(R, X, color, place, level, other, other_level, how)
    if kind == SORRY:
        return play_sorry(R, X, color, size_of(action), target_of(action), how)
    return play_counted(R, X, color, kind, first_part(action), how)
