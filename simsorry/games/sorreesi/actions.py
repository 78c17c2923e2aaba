"""The layout of an action: one use of what a turn has to spend, in one word.

The lowest four bits say what kind of action it is, the next ones what it spends: how many dice of the roll's first and second
number, whether the card, and which bonus unit. Then follow, for all but a split 7, the squares moved, the pawn (a lane, and whether it
is the partner's) and the other pawn of a swap or a Sorry! card; for a split 7 its parts, seven bits each.
"""

import numpy as np

from simsorry.games.sorreesi import tables as t
from simsorry.jit import small

U = np.uint64

HOP, START, SPLIT, BACK, SWAP, TAKE, STOP, NOTHING = (U(kind) for kind in (0, 1, 2, 3, 4, 5, 6, 15))
DIE1, DIE2, BONUS = U(t.DIE1), U(t.DIE2), U(9)  # where the numbers begin; of a bonus unit its kind plus one
CARD = U(t.CARD)
SPENDS = U(0x7F0)
SQUARES, LANE, OTHER, OTHER_LANE = U(15), U(23), U(26), U(28)
PARTNER = U(1 << 22)
PARTS, PART_BITS, MAX_PARTS = U(15), U(7), 7
PART_PARTNER, SHARE = U(3), U(4)  # within a part, behind the lane

_3, _7, _15, _127 = U(3), U(7), U(15), U(127)


@small
def kind_of(action):
    return action & _15


@small
def dice_of(action):
    """How many dice of the first and of the second number an action spends."""
    return (action >> DIE1) & _3, (action >> DIE2) & _3


@small
def bonus_of(action):
    """The kind of bonus unit spent, plus one; 0 if none is."""
    return (action >> BONUS) & _3


@small
def squares_of(action):
    return (action >> SQUARES) & _127


@small
def lane_of(action):
    return (action >> LANE) & _7


@small
def other_of(action):
    """Of a swap or a Sorry! card: how many colors clockwise of the moved pawn's the other pawn's is."""
    return (action >> OTHER) & _3


@small
def other_lane_of(action):
    return (action >> OTHER_LANE) & _7


@small
def part_of(action, i):
    """Part ``i`` of a split 7; its share is 0 behind the last one."""
    return (action >> (PARTS + PART_BITS * i)) & _127
