"""The distinct outcomes of one decision: every legal action, carried out, with equal placements merged.

A position is four words of ``lanes``, the mover's color first and the others clockwise (a *frame*); places are
those of ``tables``. Every action is carried out for real, step by step on the changing board, and its resulting
four words are kept beside it, so choosing and playing an outcome need no second look at the rules.

Outcomes stand in a fixed order, which is part of what a seed means: starting the lowest pawn on START; the card's
own count for each pawn in lane order, forward, past the own entry, backward; splits of a 7 by first pawn, its
steps, then the next pawn; swaps by own pawn, then opponents clockwise; Sorry! likewise; at last passing. Where
several actions end alike the first place in that order counts, and the plainest action (fewest slides, then fewest
parts) is the one told (rulebook 13.6).
"""

import numpy as np

from simsorry.games.classic import tables as t
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import below, count, drop_first, equal, filled, first, get, lane_bit, put, spread, zeros

U = np.uint64

CAPACITY = 8192  # outcomes of one decision; far above what eight pawns and seven parts can make
SEEN = 32_768  # slots of the table of split states already gone through

TRACK, ZONE, HOME, START, NOWHERE = U(t.TRACK), U(t.ZONE), U(t.HOME), U(t.START), U(t.NOWHERE)
NO_ROW, PAST, BACKWARD, OUT = U(t.NO_ROW), U(t.PAST), U(t.BACKWARD), U(t.OUT)
_SIDE, _CIRCLE = U(t.SIDE), U(0)
_SHARE, _BUMP_SELF, _ENDS_TURN = U(t.SHARE), U(t.BUMP_SELF), U(t.ENDS_TURN)
_STARTS, _SWAPS, _TAKES = U(t.STARTS), U(t.SWAPS), U(t.TAKES)
_SWAP_NONE, _SWAP_BOTH = U(t.SWAP_NONE), U(t.SWAP_BOTH)
_0, _1, _2, _3, _4, _6, _7, _8 = U(0), U(1), U(2), U(3), U(4), U(6), U(7), U(8)
_16, _32, _40 = U(16), U(32), U(40)
_BYTE = U(255)

# An action in one word: bits 0..2 its kind, 3..5 its parts, 6 whether it may be declined, then a byte per part.
MOVE, SWAP, TAKE, PASS, BLOCKED = U(0), U(1), U(2), U(3), U(4)
OPTIONAL = U(64)
# The bytes: a single move has pawn, row (OUT for a start); a split has pawn | steps << 3 | past << 6 for each part;
# a swap or Sorry! has pawn, then other pawn | relative color << 3.

# What an action did, in one word of byte counters.
BUMP, RIDE_BUMP, OWN_BUMP, SLIDE, ARRIVAL = U(1), U(1 << 8), U(1 << 16), U(1 << 24), U(1 << 32)
# The ride of a swapped opponent's pawn stands apart: ridden, its bumps, and those of its own color.
SWAPPED_SLIDE, SWAPPED_BUMP, SWAPPED_OWN_BUMP = U(1 << 40), U(1 << 48), U(1 << 56)

LEGAL, BLOCKED_BY_OWN = U(1), U(2)

_APART = 24  # words between the lists, so that equal indices do not share the low bits of their addresses

SCRATCH_FIELDS = [
    ("action", np.uint64, (CAPACITY + _APART,)),
    ("key", np.uint64, (CAPACITY + _APART,)),
    ("events", np.uint64, (CAPACITY + _APART,)),
    ("result", np.uint64, (CAPACITY * 4 + _APART,)),  # the frame after the action
    ("outcomes", np.uint64),
    ("compulsory", np.uint64),  # how many of them must be played if nothing else is chosen
    ("blocked", np.uint64),  # whether an own pawn stood in the way of some single move
    ("overflow", np.uint64),
    # the stack of the search through the splits of a 7
    ("frame", np.uint64, (8 * 4,)),
    ("did", np.uint64, (8,)),
    ("act", np.uint64, (8,)),
    ("used", np.uint64, (8,)),
    ("rest", np.uint64, (8,)),
    ("try_pawn", np.uint64, (8,)),
    ("try_steps", np.uint64, (8,)),
    ("seen", np.uint64, (SEEN,)),
    ("seen_at", np.uint64, (SEEN,)),
    ("search", np.uint64),
]


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
        total += R.key[base + get(word, _4)] + R.key[base + get(word, U(5))] + R.key[base + get(word, _6)] + R.key[base + get(word, _7)]
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


@inner
def land_apart(R, color, w0, w1, w2, w3, lane, place, rides):
    """``land`` as a call, for the rare places where copying its code is not worth it."""
    stay_apart()
    return land(R, color, w0, w1, w2, w3, lane, place, rides)


@small
def plainness(action, events):
    """Orders the ways to one outcome: fewest slides, then fewest parts."""
    return ((((events >> U(24)) & _BYTE) + ((events >> _40) & _BYTE)) << _3) + ((action >> _3) & _7)


@inner
def add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, action, events):
    """Adds an outcome, or merges it with an equal one."""
    stay_apart()
    key = word_key(R, _0, w0) - word_key(R, _0, p0)
    if w1 != p1:
        key += word_key(R, _1, w1) - word_key(R, _1, p1)
    if w2 != p2:
        key += word_key(R, _2, w2) - word_key(R, _2, p2)
    if w3 != p3:
        key += word_key(R, _3, w3) - word_key(R, _3, p3)
    n = X.outcomes
    at = n
    for i in range(n):
        if X.key[U(i)] == key:
            at = U(i)
            break
    optional = action & OPTIONAL
    if at == n:
        if n == U(CAPACITY):
            X.overflow = _1
            return
        X.outcomes = n + _1
        if optional == _0:
            X.compulsory += _1
    else:
        if optional == _0 and X.action[at] & OPTIONAL != _0:
            X.compulsory += _1
        optional &= X.action[at]
        if plainness(action, events) >= plainness(X.action[at], X.events[at]):
            X.action[at] = (X.action[at] & ~OPTIONAL) | optional
            return
    X.key[at] = key
    X.action[at] = (action & ~OPTIONAL) | optional
    X.events[at] = events
    base = at << _2
    X.result[base] = w0
    X.result[base + _1] = w1
    X.result[base + _2] = w2
    X.result[base + _3] = w3


@inner
def list_row(R, X, color, p0, p1, p2, p3, row, optional):
    """Every move of one pawn along a row."""
    stay_apart()
    rides = U(row < BACKWARD or row >= PAST) | R.slide_on_backward
    for k in range(R.pawns):
        lane = U(k)
        place = target_of(R, row, get(p0, lane))
        verdict = may_land(R, color, p0, lane, place, rides)
        if verdict == LEGAL:
            w0, w1, w2, w3, events = land_apart(R, color, p0, p1, p2, p3, lane, place, rides)
            action = MOVE | (_1 << _3) | optional | (lane << _8) | (row << _16)
            add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, action, events)
        elif verdict == BLOCKED_BY_OWN:
            X.blocked = _1


@inner
def list_start(R, X, color, p0, p1, p2, p3):
    """Bringing the lowest pawn of START onto the circle (H-13, H-24)."""
    stay_apart()
    waiting = equal(p0, START)
    if waiting == _0:
        return
    lane = first(waiting)
    verdict = may_land(R, color, p0, lane, _CIRCLE, _0)
    if verdict == LEGAL:
        w0, w1, w2, w3, events = land_apart(R, color, p0, p1, p2, p3, lane, _CIRCLE, _0)
        add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, MOVE | (_1 << _3) | (lane << _8) | (OUT << _16), events)
    elif verdict == BLOCKED_BY_OWN:
        X.blocked = _1


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
def push(X, depth, w0, w1, w2, w3, events, action, used, left):
    base = depth << _2
    X.frame[base] = w0
    X.frame[base + _1] = w1
    X.frame[base + _2] = w2
    X.frame[base + _3] = w3
    X.did[depth] = events
    X.act[depth] = action
    X.used[depth] = used
    X.rest[depth] = left
    X.try_pawn[depth] = _0
    X.try_steps[depth] = _0


@small
def next_try(R, X, depth, least):
    """Moves the search on to the next (pawn, steps, past) at a depth; False when it has tried them all.

    ``least`` is the smallest number of steps worth trying: all that is left where no further part is allowed.
    """
    steps = X.try_steps[depth] + _1
    if R.past == _0 and steps & _1 != _0:
        steps += _1
    first_steps = least << _1
    if steps < first_steps:
        steps = first_steps
    # steps holds 2 * squares, plus one for walking past the own entry
    if steps > (X.rest[depth] << _1) + _1:
        steps = first_steps
        X.try_pawn[depth] += _1
    X.try_steps[depth] = steps
    return X.try_pawn[depth] < R.pawns


@inner
def list_splits(R, X, color, p0, p1, p2, p3, total):
    """Every split of a 7 into parts for different pawns, part after part on the changing board (H-17 to H-19, HQ10)."""
    stay_apart()
    X.search += _1
    depth = _0
    push(X, depth, p0, p1, p2, p3, _0, MOVE, _0, total)
    working = True
    while working:
        least = X.rest[depth] if depth + _1 == R.parts else _1
        if not next_try(R, X, depth, least):
            if depth == _0:
                working = False
            else:
                depth -= _1
            continue
        lane = X.try_pawn[depth]
        squares = X.try_steps[depth] >> _1
        past = X.try_steps[depth] & _1
        left = X.rest[depth] - squares
        if X.used[depth] & (_1 << lane) != _0 or (depth == _0 and left == _0):
            continue
        base = depth << _2
        w0 = X.frame[base]
        row = squares + PAST if past != _0 else squares
        place = target_of(R, row, get(w0, lane))
        if may_land(R, color, w0, lane, place, _1) != LEGAL:
            continue
        w0, w1, w2, w3, events = land_apart(R, color, w0, X.frame[base + _1], X.frame[base + _2], X.frame[base + _3], lane, place, _1)
        events += X.did[depth]
        action = X.act[depth] + _8  # one part more
        action |= (lane | (squares << _3) | (past << _6)) << (_8 + (depth << _3))
        if past != _0 and R.past_forced == _0:
            action |= OPTIONAL
        if left == _0:
            add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, action, events)
            continue
        used = X.used[depth] | (_1 << lane)
        slides = (events >> U(24)) & _BYTE
        if R.parts > _2 and not is_new(X, w0, w1, w2, w3, used | ((action & OPTIONAL) << _8), left, slides):
            continue
        depth += _1
        push(X, depth, w0, w1, w2, w3, events, action, used, left)


@inner
def resolve_together(R, X, color, p0, p1, p2, p3, action):
    """Carries out a split whose pawns are lifted and put down at the same time; adds it if that is legal."""
    stay_apart()
    parts = (action >> _3) & _7
    w0, w1, w2, w3 = p0, p1, p2, p3
    moved = _0
    for i in range(parts):
        lane = (action >> (_8 + (U(i) << _3))) & _7
        w0 = put(w0, lane, NOWHERE)
        moved |= lane_bit(lane)
    targets = filled(NOWHERE)
    ends = filled(NOWHERE)
    for i in range(parts):
        part = action >> (_8 + (U(i) << _3))
        lane = part & _7
        row = ((part >> _3) & _7) + (((part >> _6) & _1) << U(5))
        place = target_of(R, row, get(p0, lane))
        if may_land(R, color, w0, lane, place, _1) != LEGAL:
            return
        end = place + ride_of(R, color, place) if place < TRACK else place
        if end >= TRACK and place < TRACK:
            end -= TRACK
        if place != HOME and R.own_collision != _SHARE and (equal(targets, place) | equal(ends, end)) != _0:
            return
        targets = put(targets, lane, place)
        ends = put(ends, lane, end)
    events = _0
    for i in range(parts):
        lane = (action >> (_8 + (U(i) << _3))) & _7
        w0, w1, w2, w3, did = land_apart(R, color, w0, w1, w2, w3, lane, get(targets, lane), _1)
        w0 = put(w0, lane, NOWHERE)  # stays lifted, so that no other ride meets it
        events += did
    chosen = spread(moved)
    w0 = (w0 & ~chosen) | (ends & chosen)
    add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, action, events)


@inner
def list_splits_together(R, X, color, p0, p1, p2, p3, total):
    """Every way to share a 7 out over two or more pawns, put down at the same time (HQ10, simultaneous)."""
    stay_apart()
    depth = _0
    push(X, depth, p0, p1, p2, p3, _0, MOVE, _0, total)
    working = True
    while working:
        least = X.rest[depth] if depth + _1 == R.parts else _1
        if not next_try(R, X, depth, least):
            if depth == _0:
                working = False
            else:
                depth -= _1
            continue
        lane = X.try_pawn[depth]
        squares = X.try_steps[depth] >> _1
        past = X.try_steps[depth] & _1
        left = X.rest[depth] - squares
        # In ascending pawn order each share-out comes up once.
        if X.used[depth] >= (_1 << lane) or (depth == _0 and left == _0):
            continue
        row = squares + PAST if past != _0 else squares
        if target_of(R, row, get(p0, lane)) == NOWHERE:
            continue
        action = X.act[depth] + _8
        action |= (lane | (squares << _3) | (past << _6)) << (_8 + (depth << _3))
        if past != _0 and R.past_forced == _0:
            action |= OPTIONAL
        if left == _0:
            resolve_together(R, X, color, p0, p1, p2, p3, action)
            continue
        used = X.used[depth] | (_1 << lane)
        depth += _1
        push(X, depth, p0, p1, p2, p3, _0, action, used, left)


@small
def of_frame(p1, p2, p3, other):
    """One of the other colors' words."""
    if other == _1:
        return p1
    return p2 if other == _2 else p3


@small
def with_frame(p1, p2, p3, other, word):
    """The other colors' words with one of them replaced."""
    return word if other == _1 else p1, word if other == _2 else p2, word if other == _3 else p3


@inner
def ride_after_swap(R, color, w0, w1, w2, w3, other, lane, place):
    """Lets the swapped opponent's pawn ride too, if it still stands where the swap put it (HQ7, both)."""
    stay_apart()
    word = of_frame(w1, w2, w3, other)
    their = (color + other) & _3
    if get(word, lane) != place or ride_of(R, their, place) == _0:
        return w0, w1, w2, w3, _0
    if other == _1:
        w1, w2, w3, w0, events = land_apart(R, their, w1, w2, w3, w0, lane, place, _1)
    elif other == _2:
        w2, w3, w0, w1, events = land_apart(R, their, w2, w3, w0, w1, lane, place, _1)
    else:
        w3, w0, w1, w2, events = land_apart(R, their, w3, w0, w1, w2, lane, place, _1)
    did = SWAPPED_SLIDE + ((events >> _8) & _BYTE) * SWAPPED_BUMP + ((events >> _16) & _BYTE) * SWAPPED_OWN_BUMP
    return w0, w1, w2, w3, did


@inner
def swap(R, X, color, p0, p1, p2, p3, lane, other, their_lane, optional):
    """One exchange of places (H-21, H-22, H-29)."""
    stay_apart()
    here = get(p0, lane)
    word = of_frame(p1, p2, p3, other)
    there = to_frame(get(word, their_lane), other)
    if R.own_collision == _SHARE and (count(equal(p0, here)) > _1 or count(equal(word, get(word, their_lane))) > _1):
        return  # both squares must hold a single pawn
    swapped = from_frame(here, other)
    w1, w2, w3 = with_frame(p1, p2, p3, other, put(word, their_lane, swapped))
    rides = U(R.slide_after_swap != _SWAP_NONE)
    w0, w1, w2, w3, events = land_apart(R, color, p0, w1, w2, w3, lane, there, rides)
    if R.slide_after_swap == _SWAP_BOTH:
        w0, w1, w2, w3, more = ride_after_swap(R, color, w0, w1, w2, w3, other, their_lane, swapped)
        events += more
    if R.swap_may_cross == _0 and R.togo[get(w0, lane)] > R.togo[here]:
        return
    action = SWAP | (_1 << _3) | optional | (lane << _8) | ((their_lane | (other << _3)) << _16)
    add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, action, events)


@inner
def list_swaps(R, X, color, p0, p1, p2, p3):
    """Every exchange of an own pawn on the track with an opponent's on the track."""
    stay_apart()
    optional = _0 if R.swap_forced != _0 else OPTIONAL
    mine = below(p0, TRACK)
    while mine != _0:
        lane = first(mine)
        mine = drop_first(mine)
        for d in range(1, 4):
            other = U(d)
            theirs = below(of_frame(p1, p2, p3, other), TRACK)
            while theirs != _0:
                swap(R, X, color, p0, p1, p2, p3, lane, other, first(theirs), optional)
                theirs = drop_first(theirs)


@inner
def list_takes(R, X, color, p0, p1, p2, p3):
    """Every Sorry!: a pawn from START onto an opponent on the track (H-23)."""
    stay_apart()
    waiting = equal(p0, START)
    if waiting == _0:
        return
    lane = first(waiting)
    for d in range(1, 4):
        other = U(d)
        word = of_frame(p1, p2, p3, other)
        theirs = below(word, TRACK)
        while theirs != _0:
            their_lane = first(theirs)
            theirs = drop_first(theirs)
            place = to_frame(get(word, their_lane), other)
            w0, w1, w2, w3, events = land_apart(R, color, p0, p1, p2, p3, lane, place, R.slide_after_sorry)
            action = TAKE | (_1 << _3) | (lane << _8) | ((their_lane | (other << _3)) << _16)
            add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, action, events)


@inner
def add_blocked(R, X, p0, p1, p2, p3):
    """Choosing a square where an own pawn stands, which ends the turn (FQ3), unless a move already leaves all as it was."""
    stay_apart()
    for i in range(X.outcomes):
        if X.key[U(i)] == _0:
            return
    add(R, X, p0, p1, p2, p3, p0, p1, p2, p3, BLOCKED, _0)


@inner
def list_outcomes(R, X, color, card, p0, p1, p2, p3):
    """Fills the scratch record with the distinct outcomes of a card; passing, where it is on offer, is the last.

    Changes ``X.action, key, events, result, outcomes, compulsory, blocked``; returns the number of outcomes.
    """
    X.outcomes = _0
    X.compulsory = _0
    X.blocked = _0
    ops = card << _3
    flags = U(R.ops[ops + U(t.OP_FLAGS)])
    if flags & _STARTS != _0:
        list_start(R, X, color, p0, p1, p2, p3)
    for which in range(t.OP_FORWARD, t.OP_PAST + 1):
        # printed order: forward, then past the own entry, then backward
        op = U(t.OP_FORWARD) if which == t.OP_FORWARD else U(t.OP_PAST) if which == t.OP_BACK else U(t.OP_BACK)
        row = U(R.ops[ops + op])
        if row != NO_ROW:
            optional = _0
            if (op == U(t.OP_PAST) and R.past_forced == _0) or (op == U(t.OP_BACK) and R.ops[ops + U(t.OP_BACK_OPTIONAL)] != 0):
                optional = OPTIONAL
            list_row(R, X, color, p0, p1, p2, p3, row, optional)
    total = U(R.ops[ops + U(t.OP_SPLIT)])
    if total != _0 and R.parts > _1:
        if R.simultaneous != _0:
            list_splits_together(R, X, color, p0, p1, p2, p3, total)
        else:
            list_splits(R, X, color, p0, p1, p2, p3, total)
    if flags & _SWAPS != _0:
        list_swaps(R, X, color, p0, p1, p2, p3)
    if flags & _TAKES != _0:
        list_takes(R, X, color, p0, p1, p2, p3)
    if X.blocked != _0 and R.own_collision == _ENDS_TURN:
        add_blocked(R, X, p0, p1, p2, p3)
    n = X.outcomes
    if n != _0 and n < U(CAPACITY) and (X.compulsory == _0 or R.must_move == _0):
        base = n << _2
        X.action[n] = PASS
        X.events[n] = _0
        X.result[base] = p0
        X.result[base + _1] = p1
        X.result[base + _2] = p2
        X.result[base + _3] = p3
        n += _1
    return n
