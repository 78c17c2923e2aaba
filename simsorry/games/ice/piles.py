"""Piles of pawns: what moves together, taking a group of pawns off a pile and putting it onto another, and taking that back.

Every change goes through ``lift`` and ``put_down``. Both return by how much the key of the placement changes, a sum over pawns of random
numbers for place, level and pawn; merely looked at, that is all they do.
"""

import numpy as np

from simsorry.games.ice import tables as t
from simsorry.games.ice.state import LOOK, MAX_CHANGED, PLAY, TRY, color_in
from simsorry.jit import inner, small, stay_apart

U = np.uint64

_0, _1, _2, _3, _4, _6, _15, _16 = U(0), U(1), U(2), U(3), U(4), U(6), U(15), U(16)
_TRACK = U(t.TRACK)


@small
def covers_at(X, at):
    """Whether the pawn at an index of ``piece`` covers the one right below it."""
    upper, lower = U(X.piece[at]), U(X.piece[at - _1])
    return U(upper & _3 > lower & _3) ^ upper >> _4


@small
def unit_within(X, place, height):
    """How many pawns of a pile, of which only the lowest ``height`` are there, move together (rulebook 6.2)."""
    at = (place << _6) + height - _1
    size = _1
    while size < height and covers_at(X, at) == _0:
        at -= _1
        size += _1
    return size


@small
def unit_of(X, place):
    """How many pawns of the pile on a place move together, counted from its top."""
    return unit_within(X, place, U(X.height[place]))


@small
def top_of(X, place):
    """The code of the top pawn of a pile that is not empty."""
    return U(X.piece[(place << _6) + U(X.height[place]) - _1])


# -- keys --------------------------------------------------------------------------------------------


@small
def key_at(R, place, level, code):
    """What a pawn adds to the key of a placement."""
    return R.place_key[place] * R.level_key[level] * R.code_key[code]


@small
def key_of(R, X, place, low, high):
    """What the pawns of a pile from one level up to below another add to the key."""
    total = _0
    base = place << _6
    for level in range(low, high):
        total += R.level_key[U(level)] * R.code_key[U(X.piece[base + U(level)])]
    return total * R.place_key[place]


@small
def key_of_group(R, X, place, level):
    """What the carried group adds to the key with its lowest pawn on a level."""
    total = _0
    for i in range(X.grouped):
        total += R.level_key[level + U(i)] * R.code_key[U(X.group[U(i)])]
    return total * R.place_key[place]


# -- changing piles ------------------------------------------------------------------------------------


@small
def touch(X, place):
    """Notes that a place could matter to another move."""
    if place < _TRACK:
        X.touched[_0] |= _1 << place
    else:
        X.touched[_1] |= _1 << (place - _TRACK)


@inner
def keep(X, place, how):
    """Notes a pile before the first change to it; 1 if it was noted before. If this is for good, its pawns are taken off the counts.

    Of what is only tried out the height is enough to know, as long as no pawn is put where another one was (``save``).
    """
    stay_apart()
    half = U(place >= _TRACK)
    bit = _1 << (place - half * _TRACK)
    if X.change_bits[half] & bit != _0:
        return _1
    X.change_bits[half] |= bit
    number = X.changed
    X.changed += _1
    X.change_place[number] = place
    X.change_height[number] = X.height[place]
    X.change_saved[number] = 0
    if how == PLAY:
        count_pile(X, place, -1)
    return _0


@inner
def save(X, place):
    """Keeps the pawns of a pile that has been noted, before other pawns are put in their places."""
    stay_apart()
    for i in range(X.changed):
        number = U(i)
        if U(X.change_place[number]) == place and X.change_saved[number] == 0:
            X.change_saved[number] = 1
            for level in range(X.change_height[number]):
                X.change_piece[(number << _6) + U(level)] = X.piece[(place << _6) + U(level)]


@small
def set_height(X, place, height):
    """Says how many pawns a pile has."""
    X.height[place] = height
    if place < _TRACK:
        X.occupied = X.occupied & ~(_1 << place) | U(height != _0) << place


@small
def find_occupied(X):
    """Looks for the track squares with pawns on them, in a position that was written in."""
    X.occupied = _0
    for place in range(t.TRACK):
        X.occupied |= U(X.height[U(place)] != 0) << U(place)


@small
def count_pile(X, place, sign):
    """Adds the pawns of a pile to the counts of pawns in play, or takes them off."""
    base = place << _6
    height = U(X.height[place])
    for level in range(height):
        at = base + U(level)
        color = color_in(U(X.piece[at]))
        X.in_play[color] += np.int32(sign)
        X.covered[color] += np.int32(sign) * np.int32(X.since[at] >= 0)
    X.piles += np.int32(sign) * np.int32(height != _0)


@inner
def begin_change(X, how):
    """Before a play that changes piles."""
    stay_apart()
    X.changed = _0
    X.change_bits[_0] = _0
    X.change_bits[_1] = _0
    if how == TRY:
        for i in range(16):
            X.before_start[U(i)] = X.start[U(i)]
            X.before_home[U(i)] = X.home[U(i)]


@inner
def take_back(X):
    """Puts every pile back as it was before what was tried."""
    stay_apart()
    for number in range(X.changed):
        base = U(X.change_place[U(number)]) << _6
        height = U(X.change_height[U(number)])
        set_height(X, U(X.change_place[U(number)]), height)
        if X.change_saved[U(number)] != 0:
            for level in range(height):
                X.piece[base + U(level)] = X.change_piece[(U(number) << _6) + U(level)]
    for i in range(16):
        X.start[U(i)] = X.before_start[U(i)]
        X.home[U(i)] = X.before_home[U(i)]
    X.changed = _0


@small
def lift(R, X, place, pawns, how):
    """Takes the upper pawns of a pile as the carried group; returns what they took from the key."""
    height = U(X.height[place])
    low = height - pawns
    base = (place << _6) + low
    for i in range(pawns):
        X.group[U(i)] = X.piece[base + U(i)]
    X.grouped = pawns
    touch(X, place)
    if how != LOOK:
        keep(X, place, how)
        if how == PLAY:
            for i in range(pawns):
                X.group_since[U(i)] = X.since[base + U(i)]
        set_height(X, place, low)
    return key_of_group(R, X, place, low)


@small
def meet(R, X, beneath):
    """Sets the flag of the carried group's lowest pawn as it comes down on a pawn (IQ1)."""
    lowest = U(X.group[_0]) & _15
    if R.contact_top != _0:
        top = U(X.group[X.grouped - _1])
        if (top & _3 > beneath & _3) != (lowest & _3 > beneath & _3):
            lowest |= _16
    X.group[_0] = lowest


@small
def meet_pile(R, X, place, below):
    """The same for a pile, of which the lowest ``below`` pawns are there."""
    if below == _0:
        X.group[_0] = U(X.group[_0]) & _15
    else:
        meet(R, X, U(X.piece[(place << _6) + below - _1]))


@small
def lay(R, X, place, below, how):
    """Lays the carried group onto a pile as it is, on top of the lowest ``below`` pawns; returns what it adds to the key."""
    touch(X, place)
    if how != LOOK:
        if keep(X, place, how) != _0 and how == TRY:
            save(X, place)
        base = (place << _6) + below
        for i in range(X.grouped):
            X.piece[base + U(i)] = X.group[U(i)]
        if how == PLAY:
            for i in range(X.grouped):
                X.since[base + U(i)] = X.group_since[U(i)]
        set_height(X, place, below + X.grouped)
    return key_of_group(R, X, place, below)


@small
def put_down(R, X, place, below, how):
    """Puts the carried group onto a pile, of which the lowest ``below`` pawns are there; returns what it adds to the key (I-10)."""
    meet_pile(R, X, place, below)
    return lay(R, X, place, below, how)


# -- what a play has covered and freed -------------------------------------------------------------------


@inner
def note_covers(X, turn):
    """After a play for good: who is covered now in the piles that it changed, and ``X.cover_counts`` of whom that is new."""
    stay_apart()
    for i in range(5):
        X.cover_counts[U(i)] = 0
    X.newly_covered = _0
    for number in range(X.changed):
        place = U(X.change_place[U(number)])
        height = U(X.height[place])
        if height == _0:
            continue
        X.highest_pile = max(X.highest_pile, np.int32(height))
        lowest_free = height - unit_of(X, place)
        for level in range(height):
            note_cover(X, (place << _6) + U(level), U(level) < lowest_free, turn)
        count_pile(X, place, 1)


@small
def leave_play(X):
    """Notes how long the pawns of the carried group have been covered, until the first part of the 7 that takes them off the board."""
    for i in range(X.grouped):
        if X.group_since[U(i)] >= 0:
            X.longest_cover = max(X.longest_cover, np.int32(X.turns) - X.group_since[U(i)])


@small
def note_cover(X, at, covered, turn):
    """Notes whether the pawn at an index of ``piece`` is covered."""
    since = X.since[at]
    if covered and since < 0:
        X.since[at] = np.int32(turn)
        color = color_in(U(X.piece[at]))
        X.cover_counts[color] += 1
        X.cover_color[X.newly_covered] = np.uint8(color)
        X.cover_place[X.newly_covered] = np.uint8(at >> _6)
        X.newly_covered += _1
    elif since >= 0 and not covered:
        X.longest_cover = max(X.longest_cover, np.int32(turn) - since)
        X.since[at] = -1
        X.cover_counts[_4] += 1


assert MAX_CHANGED >= 2 * 8  # two parts of a 7, each with its square, a slide of six, and the entry
