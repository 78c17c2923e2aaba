"""How the kernel writes down an action, and what it brought about: one word each.

An *action* has its kind in bits 0 to 2, the number of its parts in 3 to 5, whether it may be declined in 6, whether it moves a
pawn of the partner in 7, and then a byte per part: a single move has pawn and, in the next byte, row (OUT for a start); a split 7
has pawn, squares, whether it walks past the own entry, and whether the pawn is the partner's for each part; a swap or Sorry! has
pawn, and in the next byte the other pawn and how many colors clockwise it is. Colors count from the color of the pawn that moves.

*Events* are counts: of opponents' pawns landed on and ridden over, own pawns, slides, pawns that came HOME, and partner's pawns, a
byte each; then of the ride of an opponent's pawn that was swapped, which stands apart: whether there was one, and whom it met.
"""

import numpy as np

from simsorry.jit import small

U = np.uint64

MOVE, SWAP, TAKE, PASS, BLOCKED, THROW, IDLE = (U(kind) for kind in range(7))
NOTHING = U(7)  # in place of an action: no outcome is possible
OPTIONAL, PARTNER = U(1 << 6), U(1 << 7)
ONE_PART, ONE_MORE = U(1 << 3), U(1 << 3)

BUMP, RIDE_BUMP, OWN_BUMP, SLIDE, ARRIVAL, PARTNER_BUMP = (U(1 << (8 * count)) for count in range(6))
SWAPPED_SLIDE, SWAPPED_BUMP, SWAPPED_OWN_BUMP, SWAPPED_PARTNER_BUMP = U(1 << 48), U(1 << 49), U(1 << 54), U(1 << 59)
SWAPPED = U(48)  # where those begin

_1, _3, _7, _8, _19, _31 = U(1), U(3), U(7), U(8), U(19), U(31)
_BYTE = U(255)


@small
def kind_of(action):
    return action & _7


@small
def parts_of(action):
    return (action >> _3) & _7


@small
def part_of(action, part):
    """The byte of a part."""
    return (action >> (_8 + (part << _3))) & _BYTE


@small
def row_of(action):
    """The row of a single move."""
    return (action >> U(16)) & U(63)


@small
def swapped_of(action):
    """How many colors clockwise the pawn that was swapped with or aimed at is, from the color that moves."""
    return (action >> _19) & _3


@small
def split_part(lane, squares, past, partner):
    """The byte of a part of a split 7."""
    return lane | (squares << _3) | (past << U(6)) | (partner << _7)


@small
def met(events, what):
    """One of the counts of a byte: ``what`` is the constant that adds one to it."""
    return (events // what) & _BYTE


@small
def met_after_swap(events, what):
    """One of the counts of a swapped pawn's ride."""
    return (events // what) & (_1 if what == SWAPPED_SLIDE else _31)


@small
def plainness(action, events):
    """Orders the ways to one outcome: fewest slides, then fewest parts (rulebook 13.6)."""
    slides = met(events, SLIDE) + met_after_swap(events, SWAPPED_SLIDE)
    return (slides << _3) + parts_of(action)


@small
def moves_partner(action, partner):
    """1 if a pawn of the partner is moved, by itself or in a swap of partners; ``partner`` is how many colors clockwise it is."""
    if kind_of(action) == SWAP and swapped_of(action) == (partner if action & PARTNER == U(0) else U(4) - partner):
        return U(1)
    if kind_of(action) != MOVE or parts_of(action) == _1:
        return U(action & PARTNER != U(0))
    some = U(0)
    for part in range(parts_of(action)):
        some |= part_of(action, U(part)) >> _7
    return some
