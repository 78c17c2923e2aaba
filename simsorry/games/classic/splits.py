"""Every split of a 7 into parts for different pawns, of one color or of two partners.

The pawns are numbered: the own by lane, then those of the partner from 8 on. Parts are played one after the other on the changing
board (H-17 to H-19, HQ10). Two pawns are *apart* if nothing that a part may touch is common to both; whichever of them goes first
comes to the same, so only the order by number is gone through. What is left is searched part by part, and no state twice.
"""

import numpy as np

from simsorry.games import track
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import MOVE, ONE_MORE, OPTIONAL, PARTNER_BUMP, SLIDE, met, part_of, parts_of, split_part
from simsorry.games.classic.landing import (
    LEGAL,
    controls,
    land_for,
    may_settle_for,
    partner_there,
    ride_of,
    target_of,
    to_frame,
)
from simsorry.games.classic.listing import add
from simsorry.games.frames import of_frame, turned, with_frame
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import get, lowest, put

U = np.uint64

SEEN = 32_768  # slots of the table of split states already gone through
PAWNS = 16
HOME, START, TRACK, NOWHERE, PAST = U(track.HOME), U(track.START), U(track.TRACK), U(track.NOWHERE), U(t.PAST)
_SHARE, _COEXIST, _BUMP_MOVER = U(t.SHARE), U(t.COEXIST), U(t.BUMP_MOVER)
_SIDE, _ZONE = U(track.SIDE), U(t.ZONE_BIT)
_SQUARES = U((1 << track.TRACK) - 1)
_0, _1, _2, _3, _7, _8, _16, _32 = U(0), U(1), U(2), U(3), U(7), U(8), U(16), U(32)

# The stack of the search: one entry per part played.
SCRATCH_FIELDS = [
    ("frame", np.uint64, (8 * 4,)),
    ("did", np.uint64, (8,)),
    ("act", np.uint64, (8,)),
    ("used", np.uint64, (8,)),
    ("rest", np.uint64, (8,)),
    ("open", np.uint64, (8,)),  # the pawns still to be tried, as bits
    ("try_steps", np.uint64, (8,)),
    ("near", np.uint64, (PAWNS,)),  # by pawn: those that are not apart from it, as bits
    ("touched", np.uint64, (PAWNS,)),
    # by part, of those put down together: which pawn, of which color, where it lands and ends
    ("pawn", np.uint64, (8,)),
    ("other", np.uint64, (8,)),
    ("target", np.uint64, (8,)),
    ("end", np.uint64, (8,)),
    ("seen", np.uint64, (SEEN,)),
    ("seen_at", np.uint64, (SEEN,)),
    ("search", np.uint64),
]


@small
def side_of(R, color, pawn):
    """How many colors clockwise the color of a pawn is."""
    return U(R.partner[color]) if pawn >= _8 else _0


@small
def touched_by(R, color, other, place):
    """The squares that a part of a 7 may touch from a place of the color ``other`` steps clockwise, numbered by this color's places."""
    reach = R.reach[(((color + other) & _3) << _7) + place]
    shift = _SIDE * other
    squares = reach & _SQUARES
    if other != _0:
        squares = ((squares << shift) | (squares >> (U(track.TRACK) - shift))) & _SQUARES
    return squares | ((reach >> _ZONE) << (_ZONE + U(other != _0)))


@inner
def note_pawns(R, X, color, p0, p1, p2, p3):
    """Fills ``X.near`` for the pawns in play that the player moves; returns those pawns as bits."""
    stay_apart()
    own, partner = controls(R, p0)
    movers = _0
    for side in range(2):
        if (own if side == 0 else partner) != _0:
            other = _0 if side == 0 else U(R.partner[color])
            word = p0 if side == 0 else of_frame(p1, p2, p3, other)
            for lane in range(R.pawns):
                place = get(word, U(lane))
                if place < HOME:
                    pawn = U(lane) + _8 * U(side)
                    movers |= _1 << pawn
                    X.touched[pawn] = touched_by(R, color, other, place)
    rest = movers
    while rest != _0:
        pawn = lowest(rest)
        rest &= rest - _1
        near = _0
        others = movers
        while others != _0:
            second = lowest(others)
            others &= others - _1
            near |= U(X.touched[pawn] & X.touched[second] != _0) << second
        X.near[pawn] = near
    return movers


@small
def is_new(X, w0, w1, w2, w3, used, left, slides):
    """Whether this state of a split has not been gone through in this decision; remembers it."""
    key = w0 * U(0x9E3779B97F4A7C15) + w1 * U(0xD1342543DE82EF95) + w2 * U(0xDA942042E4DD58B5) + w3 * U(0xAF251AF3B0F025B5)
    key ^= (used << U(20)) ^ (left << U(8)) ^ slides
    key = (key ^ (key >> U(29))) * U(0xBF58476D1CE4E5B9)
    key ^= key >> _32
    slot = key & U(SEEN - 1)
    for _ in range(64):
        if X.seen_at[slot] != X.search:
            X.seen_at[slot] = X.search
            X.seen[slot] = key
            return True
        if X.seen[slot] == key:
            return False
        slot = (slot + _1) & U(SEEN - 1)
    return True  # a full neighbourhood only costs time: the outcome list merges equal ends


@small
def push(X, depth, w0, w1, w2, w3, events, action, used, left, candidates):
    base = depth << _2
    X.frame[base] = w0
    X.frame[base + _1] = w1
    X.frame[base + _2] = w2
    X.frame[base + _3] = w3
    X.did[depth] = events
    X.act[depth] = action
    X.used[depth] = used
    X.rest[depth] = left
    X.open[depth] = candidates
    X.try_steps[depth] = _0


@small
def next_try(R, X, depth, last):
    """Moves the search on to the next (pawn, squares, past) at a depth; False when it has tried them all.

    ``last``: whether the part must use up all that is left. ``X.try_steps`` holds 2 * squares, plus one for walking past the own entry.
    """
    steps = X.try_steps[depth] + (_1 if R.past != _0 else _2)
    least = X.rest[depth] << _1 if last else _2
    if steps < least:
        steps = least
    if steps > (X.rest[depth] << _1) + _1:
        steps = _0
        X.open[depth] &= X.open[depth] - _1
    X.try_steps[depth] = steps
    return steps != _0


@small
def may_follow(X, pawn, movers, used):
    """The pawns that may play the part after this one: those with higher numbers, and those that are not apart from it."""
    return movers & ~used & (((_0 - _2) << pawn) | X.near[pawn])


@inner
def list_splits(R, X, color, p0, p1, p2, p3, total):
    """Every split whose parts are played one after the other."""
    stay_apart()
    movers = note_pawns(R, X, color, p0, p1, p2, p3)
    X.search += _1
    depth = _0
    push(X, depth, p0, p1, p2, p3, _0, MOVE, _0, total, movers)
    working = True
    while working:
        if X.open[depth] == _0:
            working = depth != _0
            depth -= U(working)
            continue
        pawn = lowest(X.open[depth])
        used = X.used[depth] | (_1 << pawn)
        following = may_follow(X, pawn, movers, used)
        if not next_try(R, X, depth, depth + _1 == R.parts or following == _0):
            continue
        squares = X.try_steps[depth] >> _1
        past = X.try_steps[depth] & _1
        left = X.rest[depth] - squares
        if depth == _0 and left == _0:
            continue
        base = depth << _2
        w0, w1, w2, w3 = X.frame[base], X.frame[base + _1], X.frame[base + _2], X.frame[base + _3]
        other = side_of(R, color, pawn)
        lane = pawn & _7
        place = target_of(R, squares + PAST if past != _0 else squares, get(w0 if other == _0 else of_frame(w1, w2, w3, other), lane))
        if may_settle_for(R, color, other, w0, w1, w2, w3, lane, place, _1) != LEGAL:
            continue
        w0, w1, w2, w3, events = land_for(R, color, other, w0, w1, w2, w3, lane, place, _1)
        events += X.did[depth]
        action = X.act[depth] + ONE_MORE
        action |= split_part(lane, squares, past, U(other != _0)) << (_8 + (depth << _3))
        if past != _0 and R.past_forced == _0:
            action |= OPTIONAL
        if left == _0:
            add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, action, events)
            continue
        if R.parts > _2 and not is_new(X, w0, w1, w2, w3, used | ((action & OPTIONAL) << _16), left, met(events, SLIDE)):
            continue
        depth += _1
        push(X, depth, w0, w1, w2, w3, events, action, used, left, following)


# -- all parts at once -------------------------------------------------------------------------------


@small
def place_of(R, color, p0, p1, p2, p3, pawn):
    """Where a numbered pawn stands, as a place of its own color."""
    other = side_of(R, color, pawn)
    return get(p0 if other == _0 else of_frame(p1, p2, p3, other), pawn & _7)


@small
def put_pawn(R, color, w0, w1, w2, w3, pawn, place):
    """The frame with a numbered pawn elsewhere."""
    other = side_of(R, color, pawn)
    if other == _0:
        return put(w0, pawn, place), w1, w2, w3
    w1, w2, w3 = with_frame(w1, w2, w3, other, put(of_frame(w1, w2, w3, other), pawn & _7, place))
    return w0, w1, w2, w3


@small
def end_of(R, color, place):
    """Where a color comes to rest that lands on a place."""
    end = place + ride_of(R, color, place) if place < TRACK else place
    return end - TRACK if place < TRACK and end >= TRACK else end


@small
def meet(R, X, at, earlier):
    """Whether two parts put down together would come to one square, where that is not allowed."""
    one, other = X.other[at], X.other[earlier]
    target, target2, end, end2 = X.target[at], X.target[earlier], X.end[at], X.end[earlier]
    rest = end != START and end2 != START
    if one == other:
        return target != HOME and R.own_collision != _SHARE and (target == target2 or (rest and end == end2))
    if R.team_collision == _COEXIST or target >= TRACK or target2 >= TRACK:
        return False
    return to_frame(target, one) == to_frame(target2, other) or (rest and to_frame(end, one) == to_frame(end2, other))


@small
def settles(R, X, color, p0, p1, p2, p3, w0, w1, w2, w3, action, at):
    """Whether a part may be put down on the board without the pawns that are lifted; notes where it goes."""
    part = part_of(action, at)
    pawn = (part & _7) | ((part >> _7) << _3)
    other = side_of(R, color, pawn)
    row = ((part >> _3) & _7) + (((part >> U(6)) & _1) * PAST)
    place = target_of(R, row, place_of(R, color, p0, p1, p2, p3, pawn))
    if may_settle_for(R, color, other, w0, w1, w2, w3, pawn & _7, place, _1) != LEGAL:
        return False
    X.pawn[at], X.other[at] = pawn, other
    X.target[at], X.end[at] = place, end_of(R, (color + other) & _3, place)
    _, t1, t2, t3 = turned(w0, w1, w2, w3, other)
    if R.team_collision == _BUMP_MOVER and partner_there(R, (color + other) & _3, t1, t2, t3, place) != _0:
        X.end[at] = START
    apart = True
    for i in range(at):
        apart = apart and not meet(R, X, at, U(i))
    return apart


@inner
def resolve_together(R, X, color, p0, p1, p2, p3, action):
    """Carries out a split whose pawns are lifted and put down at the same time; adds it if that is legal."""
    stay_apart()
    w0, w1, w2, w3 = p0, p1, p2, p3
    for i in range(parts_of(action)):
        part = part_of(action, U(i))
        w0, w1, w2, w3 = put_pawn(R, color, w0, w1, w2, w3, (part & _7) | ((part >> _7) << _3), NOWHERE)
    for i in range(parts_of(action)):
        if not settles(R, X, color, p0, p1, p2, p3, w0, w1, w2, w3, action, U(i)):
            return
    events = _0
    for i in range(parts_of(action)):  # all are put down before any of them slides
        at = U(i)
        if X.end[at] != START and X.target[at] < TRACK:
            w0, w1, w2, w3, did = land_for(R, color, X.other[at], w0, w1, w2, w3, X.pawn[at] & _7, X.target[at], _0)
            w0, w1, w2, w3 = put_pawn(R, color, w0, w1, w2, w3, X.pawn[at], NOWHERE)
            events += did
    for i in range(parts_of(action)):
        at = U(i)
        pawn = X.pawn[at]
        did = PARTNER_BUMP
        if X.end[at] != START:
            w0, w1, w2, w3, did = land_for(R, color, X.other[at], w0, w1, w2, w3, pawn & _7, X.target[at], _1)
            w0, w1, w2, w3 = put_pawn(R, color, w0, w1, w2, w3, pawn, NOWHERE)  # stays lifted, so that no other ride meets it
        events += did
    for i in range(parts_of(action)):
        w0, w1, w2, w3 = put_pawn(R, color, w0, w1, w2, w3, X.pawn[U(i)], X.end[U(i)])
    add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, action, events)


@inner
def list_splits_together(R, X, color, p0, p1, p2, p3, total):
    """Every way to share a 7 out over two or more pawns, put down at the same time (HQ10, simultaneous)."""
    stay_apart()
    movers = note_pawns(R, X, color, p0, p1, p2, p3)
    depth = _0
    push(X, depth, p0, p1, p2, p3, _0, MOVE, _0, total, movers)
    working = True
    while working:
        if X.open[depth] == _0:
            working = depth != _0
            depth -= U(working)
            continue
        pawn = lowest(X.open[depth])
        following = movers & ((_0 - _2) << pawn)  # in ascending order each share-out comes up once
        if not next_try(R, X, depth, depth + _1 == R.parts or following == _0):
            continue
        squares = X.try_steps[depth] >> _1
        past = X.try_steps[depth] & _1
        left = X.rest[depth] - squares
        row = squares + PAST if past != _0 else squares
        if (depth == _0 and left == _0) or target_of(R, row, place_of(R, color, p0, p1, p2, p3, pawn)) == NOWHERE:
            continue
        action = X.act[depth] + ONE_MORE
        action |= split_part(pawn & _7, squares, past, pawn >> _3) << (_8 + (depth << _3))
        if past != _0 and R.past_forced == _0:
            action |= OPTIONAL
        if left == _0:
            resolve_together(R, X, color, p0, p1, p2, p3, action)
            continue
        depth += _1
        push(X, depth, p0, p1, p2, p3, _0, action, _0, left, following)
