"""Putting a pawn down: whose squares are whose, whom a landing sends back, and where a slide ends.

A position is a frame (``frames``); places are those of ``track``. The pawn that is put down is always of the frame's first color.
"""

import numpy as np

from simsorry.games import track
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import ARRIVAL, BUMP, OWN_BUMP, PARTNER_BUMP, RIDE_BUMP, SLIDE
from simsorry.games.frames import of_frame, turned, with_frame
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import count, equal, filled, get, lane_bit, put, spread, zeros

U = np.uint64

TRACK, HOME, START, NOWHERE = U(track.TRACK), U(track.HOME), U(track.START), U(track.NOWHERE)
_SIDE = U(track.SIDE)
_SHARE, _BUMP_SELF = U(t.SHARE), U(t.BUMP_SELF)
_BUMP_MOVER, _COEXIST, _PARTNER_BLOCKS = U(t.BUMP_MOVER), U(t.COEXIST), U(t.PARTNER_BLOCKS)
_0, _1, _2, _3, _4, _5, _6, _7 = U(0), U(1), U(2), U(3), U(4), U(5), U(6), U(7)
LEGAL, BLOCKED_BY_OWN = U(1), U(2)


@small
def from_frame(place, other):
    """A track place of this color as the place of the color ``other`` steps clockwise."""
    moved = place + TRACK - _SIDE * other
    return moved - TRACK if moved >= TRACK else moved


@small
def to_frame(place, other):
    """The inverse: a track place of the color ``other`` steps clockwise, as a place of this color."""
    moved = place + _SIDE * other
    return moved - TRACK if moved >= TRACK else moved


@small
def target_of(R, row, place):
    return U(R.target[(row << _7) + place])


@small
def ride_of(R, color, place):
    return U(R.ride[(color << _7) + place])


@small
def word_key(R, other, word):
    """Sum of the random numbers of one color's places: equal for equal placements whatever the lane order."""
    base = other << _7
    total = R.key[base + get(word, _0)] + R.key[base + get(word, _1)] + R.key[base + get(word, _2)] + R.key[base + get(word, _3)]
    if R.wide != _0:
        total += R.key[base + get(word, _4)] + R.key[base + get(word, _5)] + R.key[base + get(word, _6)] + R.key[base + get(word, _7)]
    return total


@small
def sent_home(word, mask):
    """The word with the pawns of a mask back on START."""
    chosen = spread(mask)
    return (word & ~chosen) | (filled(START) & chosen)


@small
def may_land(R, color, w0, lane, place, rides):
    """Whether an own pawn in the way forbids landing: 0 impossible, LEGAL, or BLOCKED_BY_OWN (H-12, HQ17).

    ``rides``: 1 if the landing counts for slides, else 0.
    """
    if place == NOWHERE:
        return _0
    if place == HOME or R.own_collision == _SHARE or R.own_collision == _BUMP_SELF:
        return LEGAL
    if equal(w0, place) & ~lane_bit(lane) == _0:
        return LEGAL
    if R.own_on_triangle_bump * rides != _0 and ride_of(R, color, place) != _0:
        return LEGAL
    return BLOCKED_BY_OWN


@small
def bump_others(R, w1, w2, w3, place):
    """Sends every other color's pawns on a track place back; returns the words and how many went."""
    m1 = zeros(w1 ^ R.seen_as[place + U(64)])
    m2 = zeros(w2 ^ R.seen_as[place + U(128)])
    m3 = zeros(w3 ^ R.seen_as[place + U(192)])
    n = _0
    if (m1 | m2 | m3) != _0:
        n = count(m1) + count(m2) + count(m3)
        w1 = sent_home(w1, m1)
        w2 = sent_home(w2, m2)
        w3 = sent_home(w3, m3)
    return w1, w2, w3, n


@small
def land(R, color, w0, w1, w2, w3, lane, place, rides):
    """Puts a pawn down by exact count: bumps who stands there, then rides the slide (H-11, H-28, HQ17, HQ18).

    ``rides``: 1 if the landing counts for slides, else 0. Returns the four words and the events.
    """
    events = _0
    w0 = put(w0, lane, NOWHERE)
    if place >= TRACK:
        if place == HOME:
            events = ARRIVAL
        elif R.own_collision == _BUMP_SELF:
            mine = equal(w0, place)
            events = count(mine) * OWN_BUMP
            w0 = sent_home(w0, mine)
        return put(w0, lane, place), w1, w2, w3, events
    squares = ride_of(R, color, place) * rides
    if R.own_collision == _BUMP_SELF or (R.own_on_triangle_bump != _0 and squares != _0):
        mine = equal(w0, place)
        events += count(mine) * OWN_BUMP
        w0 = sent_home(w0, mine)
    w1, w2, w3, n = bump_others(R, w1, w2, w3, place)
    events += n * BUMP
    if squares != _0:
        events += SLIDE
        for step in range(_1, squares + _1):
            q = place + U(step)
            if q >= TRACK:
                q -= TRACK
            mine = equal(w0, q)
            events += count(mine) * OWN_BUMP
            w0 = sent_home(w0, mine)
            w1, w2, w3, n = bump_others(R, w1, w2, w3, q)
            events += n * RIDE_BUMP
        place += squares
        if place >= TRACK:
            place -= TRACK
    return put(w0, lane, place), w1, w2, w3, events


# -- team play ---------------------------------------------------------------------------------------


@small
def partner_there(R, color, w1, w2, w3, place):
    """Mask of the partner's pawns on a place of this color; empty without teams, and off the track."""
    other = U(R.partner[color])
    if other == _0 or place >= TRACK:
        return _0
    return equal(of_frame(w1, w2, w3, other), from_frame(place, other))


@inner
def land_in_team(R, color, w0, w1, w2, w3, lane, place, rides):
    """``land`` where colors have partners: tells their pawns from the opponents', and meets them as the rules say (H-33, FQ12)."""
    stay_apart()
    other = U(R.partner[color])
    theirs = of_frame(w1, w2, w3, other)
    there = partner_there(R, color, w1, w2, w3, place)
    if there != _0 and R.team_collision == _BUMP_MOVER:
        return put(w0, lane, START), w1, w2, w3, PARTNER_BUMP
    stays = there if R.team_collision == _COEXIST else _0
    away = spread(stays)
    w1, w2, w3 = with_frame(w1, w2, w3, other, (theirs & ~away) | (filled(NOWHERE) & away))
    w0, w1, w2, w3, events = land(R, color, w0, w1, w2, w3, lane, place, rides)
    after = of_frame(w1, w2, w3, other)
    after = (after & ~away) | (theirs & away)
    w1, w2, w3 = with_frame(w1, w2, w3, other, after)
    hit = count(there & ~stays)
    ridden = count(equal(after, START)) - count(equal(theirs, START)) - hit
    return w0, w1, w2, w3, events + hit * (PARTNER_BUMP - BUMP) + ridden * (PARTNER_BUMP - RIDE_BUMP)


@inner
def land_apart(R, color, w0, w1, w2, w3, lane, place, rides):
    """``land`` as a call, with partners or without."""
    stay_apart()
    if R.team != _0:
        return land_in_team(R, color, w0, w1, w2, w3, lane, place, rides)
    return land(R, color, w0, w1, w2, w3, lane, place, rides)


@inner
def land_for(R, color, other, w0, w1, w2, w3, lane, place, rides):
    """Puts down a pawn of the color ``other`` steps clockwise of the frame's first, ``color``; the frame stays as it is."""
    stay_apart()
    if other == _0:
        return land_apart(R, color, w0, w1, w2, w3, lane, place, rides)
    w0, w1, w2, w3 = turned(w0, w1, w2, w3, other)
    w0, w1, w2, w3, events = land_apart(R, (color + other) & _3, w0, w1, w2, w3, lane, place, rides)
    w0, w1, w2, w3 = turned(w0, w1, w2, w3, _4 - other)
    return w0, w1, w2, w3, events


@small
def may_settle(R, color, w0, w1, w2, w3, lane, place, rides):
    """``may_land``, with the partner's pawns looked at too (FQ12)."""
    verdict = may_land(R, color, w0, lane, place, rides)
    if R.team_collision == _PARTNER_BLOCKS and partner_there(R, color, w1, w2, w3, place) != _0:
        return _0
    return verdict


@small
def may_settle_for(R, color, other, w0, w1, w2, w3, lane, place, rides):
    """The same for a pawn of the color ``other`` steps clockwise."""
    w0, w1, w2, w3 = turned(w0, w1, w2, w3, other)
    return may_settle(R, (color + other) & _3, w0, w1, w2, w3, lane, place, rides)


@small
def pawns_on(w0, w1, w2, w3, place):
    """How many pawns of any color stand on a track place of the frame's first color."""
    others = count(equal(w1, from_frame(place, _1))) + count(equal(w2, from_frame(place, _2))) + count(equal(w3, from_frame(place, _3)))
    return count(equal(w0, place)) + others


@small
def controls(R, p0):
    """Whether a player moves the own pawns, and whether the partner's (H-32, HQ36): own only until they are HOME."""
    only_own = U(R.own_only != _0)
    finished = U(p0 == R.home_word)
    return _1 - only_own * finished, R.team * (_1 - only_own * (_1 - finished))
