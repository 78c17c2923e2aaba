"""What a pawn meets where it lands, and the pawns put down by a use, before any fight is rolled for."""

import numpy as np

from simsorry.games.frames import frame_of
from simsorry.games.sorreesi import tables as t
from simsorry.jit import small
from simsorry.lanes import put, spread, zeros

U = np.uint64

_0, _1, _2, _3 = U(0), U(1), U(2), U(3)
_STRIDE = U(t.STRIDE)
_ROW1, _ROW2, _ROW3 = (U(t.STRIDE * other) for other in (1, 2, 3))


@small
def count_from(R, place, squares):
    """Where a forward count leads that is allowed (SQ33)."""
    if place >= squares:
        return place - squares
    return _0 if R.any_home != _0 else squares - place


@small
def back_from(R, place, squares):
    """Where a backward count leads: around the lap behind the entry square (SQ34)."""
    back = place + squares
    return back - U(t.TRACK) if back > R.last else back


@small
def met_at(R, color, place, p1, p2, p3):
    """Masks of the opponents' pawns on the square of an own place."""
    base = color << _2
    m1 = zeros(p1 ^ R.seen[_ROW1 + place]) & R.foe[base + _1]
    m2 = zeros(p2 ^ R.seen[_ROW2 + place]) & R.foe[base + _2]
    m3 = zeros(p3 ^ R.seen[_ROW3 + place]) & R.foe[base + _3]
    return m1, m2, m3


@small
def safe_among(R, color, place, m1, m2, m3):
    """Which of the opponents met are safe on that square, as masks (SQ21, SQ27)."""
    base = (color << _2) * _STRIDE + place
    s1 = m1 if R.protected[base + _ROW1] != 0 else _0
    s2 = m2 if R.protected[base + _ROW2] != 0 else _0
    s3 = m3 if R.protected[base + _ROW3] != 0 else _0
    return s1, s2, s3


@small
def fight_waits(R, X, color, place):
    """Whether a pawn of a color that lands on a place has to fight there."""
    _, p1, p2, p3 = frame_of(X, color)
    m1, m2, m3 = met_at(R, color, place, p1, p2, p3)
    s1, s2, s3 = safe_among(R, color, place, m1, m2, m3)
    return (s1 | s2 | s3) != _0


# -- putting a pawn down -----------------------------------------------------------------------------

AS_USUAL, ENTERING, SORRY = U(0), U(1), U(2)  # how it comes
_BASES = U(t.BASE * 0x0101010101010101)


@small
def partner_at(R, color, place, p1, p2, p3):
    """Masks of the partner's pawns on the square of an own place, if they are not safe there."""
    partner = R.partner[color]
    m1 = zeros(p1 ^ R.seen[_ROW1 + place]) if partner == _1 else _0
    m2 = zeros(p2 ^ R.seen[_ROW2 + place]) if partner == _2 else _0
    m3 = zeros(p3 ^ R.seen[_ROW3 + place]) if partner == _3 else _0
    s1, s2, s3 = safe_among(R, color, place, m1, m2, m3)
    return m1 ^ s1, m2 ^ s2, m3 ^ s3


@small
def sent_back(word, pawns):
    """A word after these of its pawns have gone back to the base."""
    wide = spread(pawns)
    return (word & ~wide) | (_BASES & wide)


@small
def put_pawn(R, color, p0, p1, p2, p3, lane, place, how):
    """Puts a pawn of a color on a place, and sends back whom it captures.

    Returns the frame, masks of the captured pawns of the other colors clockwise, and whether a fight is to come (S-15, S-17).
    """
    p0 = put(p0, lane, place)
    m1, m2, m3 = met_at(R, color, place, p1, p2, p3)
    if how == SORRY and R.sorry_any != _0:  # the partner is sent back too, but does not fight (SQ44)
        k1, k2, k3 = partner_at(R, color, place, p1, p2, p3)
        m1, m2, m3 = m1 | k1, m2 | k2, m3 | k3
    if (m1 | m2 | m3) == _0:
        return p0, p1, p2, p3, _0, _0, _0, False
    s1, s2, s3 = safe_among(R, color, place, m1, m2, m3)
    if how == ENTERING and R.entry_capture != _0:
        s1, s2, s3 = _0, _0, _0
    m1, m2, m3 = m1 ^ s1, m2 ^ s2, m3 ^ s3
    return p0, sent_back(p1, m1), sent_back(p2, m2), sent_back(p3, m3), m1, m2, m3, (s1 | s2 | s3) != _0
