"""The fast way to the same outcomes, for rulesets in which actions hardly ever end alike.

``moves.list_outcomes`` carries every action out and merges equal ends; that is right for any rules, and slow. Where
``tables`` calls them plain, two actions can end alike in two ways only: backward moves that ride back to where they
began, and 7s whose parts end on the same squares. So here an action is listed without carrying it out, and only a 7
is looked at more closely. Order, actions and numbers are the same as there; the tests hold the two together.
"""

import numpy as np

from simsorry import rng
from simsorry.games import track
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import MOVE, ONE_PART, OPTIONAL, PASS, SWAP, TAKE
from simsorry.games.classic.landing import from_frame, land, land_apart, ride_of, target_of, to_frame
from simsorry.games.classic.moves import aimed_at, swappable
from simsorry.games.classic.sevens import list_sevens, shared_out, split_seven, whole_seven
from simsorry.games.frames import of_frame, with_frame
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import TOPS, below, count, drop_first, equal, first, get, lane_bit, nth, put

U = np.uint64

TRACK, HOME, START, BACKWARD, OUT = U(track.TRACK), U(track.HOME), U(track.START), U(t.BACKWARD), U(t.OUT)
_0, _1, _2, _3, _7, _8 = U(0), U(1), U(2), U(3), U(7), U(8)
_16, _24, _32, _63, _68 = U(16), U(24), U(32), U(63), U(68)
_STARTS, _SWAPS, _TAKES = U(t.STARTS), U(t.SWAPS), U(t.TAKES)
_SWAP_NONE = U(t.SWAP_NONE)
_HALF = U(0xFFFFFFFF)


@inner
def drop_repeats(R, color, lanes, places, p0, p1, p2, p3):
    """Drops all but the first of the pawns that a backward move and its slide would leave where they are, bumping nobody."""
    stay_apart()
    kept = lanes
    found = False
    while lanes != _0:
        lane = first(lanes)
        place = get(places, lane)
        if place < TRACK and place + ride_of(R, color, place) == get(p0, lane):
            w0, w1, w2, w3, _ = land_apart(R, color, p0, p1, p2, p3, lane, place, _1)
            if w0 == p0 and w1 == p1 and w2 == p2 and w3 == p3:
                if found:
                    kept &= ~lane_bit(lane)
                found = True
        lanes = drop_first(lanes)
    return kept


@small
def list_lanes(X, n, lanes, row):
    """Lists a move along a row for each pawn of a mask."""
    while lanes != _0:
        X.action[n] = MOVE | ONE_PART | (first(lanes) << _8) | (row << _16)
        n += _1
        lanes = drop_first(lanes)
    return n


@small
def in_the_way(lane, p0, place, squares):
    """Whether this pawn and a lower one both stand on a slide: whichever of them is swapped onto its triangle ends the ride alone.

    The ride then sends back the other, and the opponent's pawn that came to the swapped one's square.
    """
    on_it = below(p0, place + squares + _1) & ~below(p0, place + _1)
    return on_it & lane_bit(lane) != _0 and first(on_it) != lane


@small
def list_swaps(R, X, n, color, p0, p1, p2, p3):
    """Lists every exchange of an own pawn on the track with another color's, own pawns first."""
    kind = SWAP | ONE_PART | (OPTIONAL if R.swap_forced == _0 else _0)
    m1, m2, m3 = swappable(R, color, p1, p2, p3)
    mine = below(p0, TRACK)
    while mine != _0:
        lane = first(mine)
        mine = drop_first(mine)
        for d in range(1, 4):
            other = U(d)
            word = of_frame(p1, p2, p3, other)
            theirs = of_frame(m1, m2, m3, other)
            while theirs != _0:
                their_lane = first(theirs)
                theirs = drop_first(theirs)
                place = to_frame(get(word, their_lane), other)
                squares = ride_of(R, color, place)
                if squares != _0 and R.slide_after_swap != _SWAP_NONE and in_the_way(lane, p0, place, squares):
                    continue
                X.action[n] = kind | (lane << _8) | ((their_lane | (other << _3)) << _16)
                n += _1
    return n


@small
def list_takes(R, X, n, color, p0, p1, p2, p3):
    """Lists every Sorry!, other colors clockwise."""
    waiting = equal(p0, START)
    if waiting == _0:
        return n
    lane = first(waiting)
    m1, m2, m3 = aimed_at(R, color, p1, p2, p3)
    for d in range(1, 4):
        other = U(d)
        theirs = of_frame(m1, m2, m3, other)
        while theirs != _0:
            X.action[n] = TAKE | ONE_PART | (lane << _8) | ((first(theirs) | (other << _3)) << _16)
            n += _1
            theirs = drop_first(theirs)
    return n


@small
def opponents(X, color):
    """Masks of the three other colors' pawns on the track, clockwise, and how many pawns that is."""
    m1 = below(X.word[(color + _1) & _3], TRACK)
    m2 = below(X.word[(color + _2) & _3], TRACK)
    m3 = below(X.word[(color + _3) & _3], TRACK)
    return m1, m2, m3, count(m1) + count(m2) + count(m3)


@small
def opponent(m1, m2, m3, k):
    """The k-th of those pawns as an action holds it: lane, and relative color above it."""
    c1, c2 = count(m1), count(m1) + count(m2)
    other = _1 + U(k >= c1) + U(k >= c2)
    theirs = m1 if other == _1 else m2 if other == _2 else m3
    before = _0 if other == _1 else c1 if other == _2 else c2
    return nth(theirs, k - before) | (other << _3)


@small
def pick_take(X, color, p0, luck):
    """The number of Sorry! actions, and the one of them that a random word picks."""
    m1, m2, m3, there = opponents(X, color)
    waiting = equal(p0, START)
    n = there * U(waiting != _0)
    return n, TAKE | ONE_PART | (first(waiting) << _8) | (opponent(m1, m2, m3, rng.below(luck, n)) << _16)


@small
def pick_eleven(R, X, color, p0, lanes, luck):
    """The same for an 11 of a player with at most one pawn on the track, and whether the count can be relied on."""
    mine = below(p0, TRACK)
    m1, m2, m3, there = opponents(X, color)
    forward = count(lanes)
    n = forward + there * U(mine != _0)
    passing = U(n != _0) & U(forward == _0) & U(R.swap_forced == _0)
    k = rng.below(luck, n + passing)
    action = SWAP | OPTIONAL | ONE_PART | (first(mine) << _8) | (opponent(m1, m2, m3, k - forward) << _16)
    action = MOVE | ONE_PART | (nth(lanes, k) << _8) | (U(t.FORWARD + 11) << _16) if k < forward else action
    return n + passing, PASS if k >= n else action, drop_first(mine) == _0


@small
def pick_seven(R, color, p0, start, lanes, movers, luck):
    """The same for a 7 with at most two pawns in play."""
    lead = first(movers)
    others = drop_first(movers)
    second = first(others)
    splits, settled = shared_out(R, color, p0, lead, second)
    splits = splits if others != _0 else _0
    settled = (settled or others == _0) and drop_first(others) == _0
    whole = count(lanes)
    n = start + whole + count(splits)
    k = rng.below(luck, n) - start
    moved = whole_seven(nth(lanes, k))
    shared = split_seven(lead, nth(splits, k - whole), second)
    action = moved if k < whole else shared
    return n, action, settled


@inner
def list_special(R, X, n, color, flags, p0, p1, p2, p3):
    """Lists what an 11 and a Sorry! card can do besides moving along a row (H-21, H-23)."""
    stay_apart()
    if flags & _SWAPS != _0:
        n = list_swaps(R, X, n, color, p0, p1, p2, p3)
    if flags & _TAKES != _0:
        n = list_takes(R, X, n, color, p0, p1, p2, p3)
    return n


@small
def can_start(flags, p0):
    """1 if the card can bring a pawn onto the circle."""
    return (flags & _STARTS) * U(equal(p0, START) != _0) * U(equal(p0, _0) == _0)  # no branch: cards come as they like


@small
def free_both(R, card, p0):
    """Mask of the pawns that a card can move: lanes 0..3 forward, 4..7 backward (up to four pawns); and where to (H-12)."""
    base = card << _7
    places = (
        R.both[base + get(p0, _0)]
        | (R.both[base + get(p0, _1)] << _8)
        | (R.both[base + get(p0, _2)] << _16)
        | (R.both[base + get(p0, _3)] << _24)
    )
    pawns = (p0 & _HALF) | (p0 << _32)
    blocked = TOPS & (
        (TOPS - (places ^ (((pawns << _8) & U(0xFFFFFF00FFFFFF00)) | ((pawns >> _24) & U(0x000000FF000000FF)))))
        | (TOPS - (places ^ (((pawns << _16) & U(0xFFFF0000FFFF0000)) | ((pawns >> _16) & U(0x0000FFFF0000FFFF)))))
        | (TOPS - (places ^ (((pawns << _24) & U(0xFF000000FF000000)) | ((pawns >> _8) & U(0x00FFFFFF00FFFFFF)))))
    )
    return below(places, _68) & ~blocked, places


@small
def simple_moves(R, color, card, p0, p1, p2, p3):
    """What a card offers besides exchanges and splits: 1 if a start, then mask and places as ``free_both``'s."""
    ops = card << _3
    lanes, places = free_both(R, card, p0)
    if U(R.ops[ops + U(t.OP_REPEATS)]) * drop_first(lanes >> _32) != _0:
        lanes = (lanes & _HALF) | (drop_repeats(R, color, lanes >> _32, places >> _32, p0, p1, p2, p3) << _32)
    return can_start(U(R.ops[ops + U(t.OP_FLAGS)]), p0), lanes, places


@small
def start_action(p0):
    """The action of bringing the lowest pawn of START out."""
    return MOVE | ONE_PART | (first(equal(p0, START)) << _8) | (OUT << _16)


@small
def list_plain(R, X, begin, color, card, p0, p1, p2, p3):
    """Lists one action per distinct outcome, but for passing, from ``X.action[begin]`` on; returns the number behind the last."""
    ops = card << _3
    flags = U(R.ops[ops + U(t.OP_FLAGS)])
    start, lanes, _ = simple_moves(R, color, card, p0, p1, p2, p3)
    if start != _0:
        X.action[begin] = start_action(p0)
    n = begin + start
    if R.ops[ops + U(t.OP_SPLIT)] != 0:
        movers = below(p0, HOME)
        if drop_first(movers) != _0:
            return list_sevens(R, X, n, color, p0, lanes & _HALF, movers)
    n = list_lanes(X, n, lanes & _HALF, U(R.ops[ops + U(t.OP_FORWARD)]))
    n = list_lanes(X, n, lanes >> _32, U(R.ops[ops + U(t.OP_BACK)]))
    if flags & (_SWAPS | _TAKES) != _0:
        n = list_special(R, X, n, color, flags, p0, p1, p2, p3)
    return n


@small
def carry_out(R, color, p0, p1, p2, p3, action):
    """The position after a listed action, and its events."""
    kind = action & _7
    events = _0
    if kind == PASS:
        return p0, p1, p2, p3, events
    lane = (action >> _8) & _7
    rides = _1
    place = _0
    second = (action >> _16) & _63
    if kind == MOVE:
        if (action >> _3) & _7 == _1:
            place = target_of(R, second, get(p0, lane))
            rides = R.slide_on_backward | U(second < BACKWARD)
        else:
            place = target_of(R, (action >> U(11)) & _7, get(p0, lane))
    else:
        other = second >> _3
        word = of_frame(p1, p2, p3, other)
        their_lane = second & _7
        place = to_frame(get(word, their_lane), other)
        if kind == SWAP:
            p1, p2, p3 = with_frame(p1, p2, p3, other, put(word, their_lane, from_frame(get(p0, lane), other)))
            rides = U(R.slide_after_swap != _SWAP_NONE)
        else:
            rides = R.slide_after_sorry
    parts = (action >> _3) & _7
    while parts != _0:  # one landing site, gone through twice for a split
        p0, p1, p2, p3, did = land(R, color, p0, p1, p2, p3, lane, place, rides)
        events += did
        parts -= _1
        if parts != _0:
            lane = second & _7
            place = target_of(R, second >> _3, get(p0, lane))
    return p0, p1, p2, p3, events


@inner
def carry_out_apart(R, color, p0, p1, p2, p3, action):
    """``carry_out`` as a call."""
    stay_apart()
    return carry_out(R, color, p0, p1, p2, p3, action)
