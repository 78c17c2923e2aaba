"""Actions as one number: what is done with a card, and with which pawns.

From the lowest bit: the kind (4 bits), whether the action may be declined (1 bit), and from bit 8 what it is done with. Places are
those of ``tables``. A move has a part of 18 bits, a split 7 two: place (7 bits), pawns moved (6), squares (4), whether the own entry is
passed (1). A start has the size (2); a switch the own pawn's place (7) and level in the pile (6) and the other pawn's; a Sorry! the size
(2) and the place (7).
"""

import numpy as np

from simsorry.jit import small

U = np.uint64

START, FORWARD, PAST, BACK, SPLIT, SWAP, SORRY, PASS, THROW, IDLE, NOTHING = (U(number) for number in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15))
OPTIONAL = U(16)
PART = 18  # bits of a part
FIRST_PART, SECOND_PART = 8, 8 + PART

_1, _2, _3, _4, _7, _8, _10, _13, _15, _17, _21, _26, _28 = (U(number) for number in (1, 2, 3, 4, 7, 8, 10, 13, 15, 17, 21, 26, 28))
_PLACE, _LEVEL, _PART = U(127), U(63), U((1 << PART) - 1)
_43, _50, _54, _56, _62 = U(43), U(50), U(54), U(56), U(62)
_DETAILS = U((1 << 36) - 1)


@small
def kind_of(action):
    return action & _15


@small
def part(place, pawns, squares, past):
    """What a count of squares moves, and how."""
    return place | pawns << _7 | squares << _13 | past << _17


@small
def move(kind, what):
    """A move of one part."""
    return kind | what << _8


@small
def split(first, second):
    """A 7 in two parts, in the order in which they are played."""
    return SPLIT | first << _8 | second << _26


@small
def start(size):
    return START | size << _8


@small
def swap(place, level, other, other_level):
    """A switch of the own pawn, named first, with another."""
    return SWAP | place << _8 | level << _15 | other << _21 | other_level << _28


@small
def sorry(size, place):
    return SORRY | size << _8 | place << _10


@small
def first_part(action):
    return action >> _8 & _PART


@small
def second_part(action):
    return action >> _26 & _PART


@small
def place_of(what):
    return what & _PLACE


@small
def pawns_of(what):
    return what >> _7 & _LEVEL


@small
def squares_of(what):
    return what >> _13 & _15


@small
def goes_past(what):
    return what >> _17 & _1


@small
def size_of(action):
    """The size that a start or a Sorry! brings out."""
    return action >> _8 & _3


@small
def target_of(action):
    """The place of a Sorry!."""
    return action >> _10 & _PLACE


@small
def slots_of(action):
    """The place and level of the own pawn of a switch, and those of the other."""
    return action >> _8 & _PLACE, action >> _15 & _LEVEL, action >> _21 & _PLACE, action >> _28 & _LEVEL


@small
def written_out(what):
    """A part with the place in its highest bits, then the pawns, so that parts compare as they are listed."""
    return place_of(what) << U(11) | pawns_of(what) << U(5) | squares_of(what) << _1 | goes_past(what)


@small
def rank_of(action, slides):
    """A number that is the lower, the plainer an action is; of actions that end alike the plainest is taken.

    First counts how many slides are ridden, then whether a 7 is split, how many pawns are moved on purpose, and the kind of action;
    then what it is done with.
    """
    kind = kind_of(action)
    pawns, details = _1, action >> _8
    if kind == SPLIT:
        pawns = pawns_of(first_part(action)) + pawns_of(second_part(action))
        details = written_out(first_part(action)) << U(PART) | written_out(second_part(action))
    elif kind == FORWARD or kind == PAST or kind == BACK:  # noqa: SIM109 - numba knows no membership of a tuple built anew
        pawns = pawns_of(first_part(action))
        details = written_out(first_part(action))
    elif kind == SWAP:
        place, level, other, other_level = slots_of(action)
        pawns = _2
        details = ((place << U(6) | level) << _7 | other) << U(6) | other_level
    elif kind == SORRY:
        details = size_of(action) << _7 | target_of(action)
    return slides << _62 | U(kind == SPLIT) << U(61) | pawns << _54 | kind << _50 | (details & _DETAILS)
