"""The fast way to the same outcomes, for rulesets in which actions hardly ever end alike.

``moves.list_outcomes`` carries every action out and merges equal ends; that is right for any rules, and slow. Where
``tables.is_plain`` holds, two actions can end alike in two ways only: backward moves that ride back to where they
began, and 7s whose parts end on the same squares. So here an action is listed without carrying it out, and only a 7
is looked at more closely. Order, actions and numbers are the same as there; the tests hold the two together.
"""

import numpy as np

from simsorry.games.classic import tables as t
from simsorry.games.classic.moves import (
    BACKWARD,
    MOVE,
    OPTIONAL,
    OUT,
    PASS,
    SWAP,
    TAKE,
    from_frame,
    land,
    of_frame,
    ride_of,
    sent_home,
    target_of,
    to_frame,
    with_frame,
)
from simsorry.jit import inner, small
from simsorry.lanes import TOPS, below, count, drop_first, equal, first, get, lane_bit, put, zeros

U = np.uint64

TRACK, HOME, START, NOWHERE, NO_ROW = U(t.TRACK), U(t.HOME), U(t.START), U(t.NOWHERE), U(t.NO_ROW)
_0, _1, _2, _3, _4, _6, _7, _8 = U(0), U(1), U(2), U(3), U(4), U(6), U(7), U(8)
_16, _24, _32, _63, _66, _68 = U(16), U(24), U(32), U(63), U(66), U(68)
_STARTS, _SWAPS, _TAKES, _PAST = U(t.STARTS), U(t.SWAPS), U(t.TAKES), U(t.PAST)
_SWAP_NONE = U(t.SWAP_NONE)
_ONE_PART = U(1 << 3)
_HALF = U(0xFFFFFFFF)
_NO_PAWNS = U(0x7F7F7F7F00000000)
_SPREAD_BITS = U(0x9E3779B97F4A7C15)


@small
def targets(R, row, p0):
    """Where a row leads each of the first four pawns."""
    base = row << _7
    return (
        U(R.target[base + get(p0, _0)])
        | (U(R.target[base + get(p0, _1)]) << _8)
        | (U(R.target[base + get(p0, _2)]) << _16)
        | (U(R.target[base + get(p0, _3)]) << _24)
        | _NO_PAWNS
    )


@inner
def drop_repeats(R, color, lanes, places, p0, p1, p2, p3):
    """Drops all but the first of the pawns that a backward move and its slide would leave where they are, bumping nobody."""
    kept = lanes
    found = False
    while lanes != _0:
        lane = first(lanes)
        place = get(places, lane)
        if place < TRACK and place + ride_of(R, color, place) == get(p0, lane):
            w0, w1, w2, w3, events = land(R, color, p0, p1, p2, p3, lane, place, True)
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
        X.action[n] = MOVE | _ONE_PART | (first(lanes) << _8) | (row << _16)
        n += _1
        lanes = drop_first(lanes)
    return n


@small
def opponents_on_track(X, color):
    """The squares of all opponents on the track, as bits numbered by this color's places."""
    bits = _0
    for d in range(1, 4):
        other = U(d)
        word = X.word[(color + other) & _3]
        theirs = below(word, TRACK)
        while theirs != _0:
            bits |= _1 << to_frame(get(word, first(theirs)), other)
            theirs = drop_first(theirs)
    return bits


@small
def square_bit(place):
    """The bit of a track square; none for the safety zone and HOME."""
    return _1 << place if place < TRACK else _0


@small
def land_own(R, color, w0, lane, place):
    """``land`` for the mover's own word alone; returns the word and the squares gone over, as bits."""
    if place >= TRACK:
        return put(w0, lane, place), _0
    over = _1 << place
    squares = ride_of(R, color, place)
    w0 = put(w0, lane, NOWHERE)
    if squares != _0:
        for step in range(_1, squares + _1):
            q = place + U(step)
            if q >= TRACK:
                q -= TRACK
            w0 = sent_home(w0, equal(w0, q))
            over |= _1 << q
        place += squares
        if place >= TRACK:
            place -= TRACK
    return put(w0, lane, place), over


@small
def own_key(R, word):
    return R.key[get(word, _0)] + R.key[get(word, _1)] + R.key[get(word, _2)] + R.key[get(word, _3)]


@small
def keep(X, begin, n, key, action, slides):
    """Lists an action of a 7 unless another ends alike; of two alike the plainer one is kept in the earlier place."""
    for i in range(begin, n):
        at = U(i)
        if X.key[at] == key:
            plainness = (slides << _3) + ((action >> _3) & _7)
            if plainness < X.events[at]:
                X.events[at] = plainness
                X.action[at] = action
            return n
    X.key[n] = key
    X.events[n] = (slides << _3) + ((action >> _3) & _7)
    X.action[n] = action
    return n + _1


@small
def rides_at(R, color, place):
    """1 if landing on the place means a slide."""
    return U(place < TRACK and ride_of(R, color, place) != _0)


@small
def blocked_by(p0, places, lead, second):
    """Mask of the targets that hold an own pawn other than these two (HOME blocks nobody)."""
    found = _0
    for k in range(4):
        lane = U(k)
        if lane != lead and lane != second:
            found |= equal(places, get(p0, lane))
    return found & ~equal(places, HOME)


@small
def note_splits(R, X, color, p0, movers, lead):
    """Fills ``X.act`` with a mask per second pawn: the numbers of squares for the first, less one, worth a look; returns their union.

    Parts without a slide are settled here for all share-outs at once. A pair whose pawns could as well go in the
    other order is left to the lower pawn as the first. Where a slide comes in, only the rows are checked.
    """
    before = get(p0, lead)
    first_targets = R.ahead[before]
    possible = below(first_targets, _66) & ~blocked_by(p0, first_targets, lead, lead)
    union = _0
    follow = movers & ~lane_bit(lead)
    while follow != _0:
        second = first(follow)
        follow = drop_first(follow)
        place = get(p0, second)
        ends = R.rest[place]
        rides = R.ahead_rides[(color << _7) + before] | R.rest_rides[(color << _7) + place]
        lanes = possible & below(ends, _66)
        settled = lanes & ~rides & ~blocked_by(p0, ends, lead, second) & (~zeros(ends ^ first_targets) | equal(ends, HOME))
        if second < lead:
            settled &= equal(ends, before)
        lanes = settled | (lanes & rides)
        X.act[second] = lanes
        union |= lanes
    return union


@inner
def list_sevens(R, X, n, color, p0, lanes, places, movers):
    """Every distinct way to play a 7 with two or more pawns in play: whole moves, then splits in two (H-17 to H-19).

    An outcome is told by the own pawns' places and by the opponents' squares that were landed on or ridden over.
    """
    foes = opponents_on_track(X, color)
    begin = n
    key0 = own_key(R, p0)
    while lanes != _0:
        lane = first(lanes)
        lanes = drop_first(lanes)
        place = get(places, lane)
        w0, over = land_own(R, color, p0, lane, place)
        action = MOVE | _ONE_PART | (lane << _8) | (_7 << _16)
        n = keep(X, begin, n, own_key(R, w0) + (over & foes) * _SPREAD_BITS, action, rides_at(R, color, place))
    leads = movers
    while leads != _0:
        lane = first(leads)
        leads = drop_first(leads)
        before = get(p0, lane)
        union = note_splits(R, X, color, p0, movers, lane)
        key1 = key0 - R.key[before]
        while union != _0:
            at = first(union)
            union = drop_first(union)
            place = get(R.ahead[before], at)
            follow = movers & ~lane_bit(lane)
            while follow != _0:
                second = first(follow)
                follow = drop_first(follow)
                if X.act[second] & lane_bit(at) != _0:
                    end = get(R.rest[get(p0, second)], at)
                    action = MOVE | _16 | ((lane | ((at + _1) << _3)) << _8) | ((second | ((_6 - at) << _3)) << _16)
                    if rides_at(R, color, place) + rides_at(R, color, end) == _0:
                        key = key1 + R.key[place] - R.key[get(p0, second)] + R.key[end]
                        n = keep(X, begin, n, key + ((square_bit(place) | square_bit(end)) & foes) * _SPREAD_BITS, action, _0)
                    else:
                        n = keep_ridden(R, X, begin, n, color, p0, lane, place, second, _6 - at, action, foes)
    return n


@inner
def keep_ridden(R, X, begin, n, color, p0, lane, place, second, squares, action, foes):
    """Lists a split in which a slide is ridden, if it can be played in this order."""
    w0, over = land_own(R, color, p0, lane, place)
    end = target_of(R, squares, get(w0, second))
    if end == NOWHERE or (end != HOME and equal(w0, end) != _0):
        return n
    v0, over2 = land_own(R, color, w0, second, end)
    slides = rides_at(R, color, place) + rides_at(R, color, end)
    return keep(X, begin, n, own_key(R, v0) + ((over | over2) & foes) * _SPREAD_BITS, action, slides)


@small
def in_the_way(lane, p0, place, squares):
    """Whether this pawn and a lower one both stand on a slide: whichever of them is swapped onto its triangle ends the ride alone.

    The ride then sends back the other, and the opponent's pawn that came to the swapped one's square.
    """
    on_it = below(p0, place + squares + _1) & ~below(p0, place + _1)
    return on_it & lane_bit(lane) != _0 and first(on_it) != lane


@small
def list_swaps(R, X, n, color, p0):
    """Lists every exchange of an own pawn on the track with an opponent's, own pawns first."""
    mine = below(p0, TRACK)
    while mine != _0:
        lane = first(mine)
        mine = drop_first(mine)
        for d in range(1, 4):
            other = U(d)
            word = X.word[(color + other) & _3]
            theirs = below(word, TRACK)
            while theirs != _0:
                their_lane = first(theirs)
                theirs = drop_first(theirs)
                place = to_frame(get(word, their_lane), other)
                squares = ride_of(R, color, place)
                if squares != _0 and R.slide_after_swap != _SWAP_NONE and in_the_way(lane, p0, place, squares):
                    continue
                X.action[n] = SWAP | OPTIONAL | _ONE_PART | (lane << _8) | ((their_lane | (other << _3)) << _16)
                n += _1
    return n


@small
def list_takes(X, n, color, p0):
    """Lists every Sorry!, opponents clockwise."""
    waiting = equal(p0, START)
    if waiting == _0:
        return n
    lane = first(waiting)
    for d in range(1, 4):
        other = U(d)
        theirs = below(X.word[(color + other) & _3], TRACK)
        while theirs != _0:
            X.action[n] = TAKE | _ONE_PART | (lane << _8) | ((first(theirs) | (other << _3)) << _16)
            n += _1
            theirs = drop_first(theirs)
    return n


@inner
def list_special(R, X, n, color, flags, p0):
    """Lists what an 11 and a Sorry! card can do besides moving along a row, and passing (H-21, H-23)."""
    if flags & _SWAPS != _0:
        compulsory = n
        n = list_swaps(R, X, n, color, p0)
        if n != _0 and compulsory == _0 and R.swap_forced == _0:
            X.action[n] = PASS
            n += _1
    if flags & _TAKES != _0:
        n = list_takes(X, n, color, p0)
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
def list_plain(R, X, color, card, p0, p1, p2, p3):
    """Fills ``X.action`` with one action per distinct outcome, passing last; returns how many there are."""
    ops = card << _3
    flags = U(R.ops[ops + U(t.OP_FLAGS)])
    start, lanes, _ = simple_moves(R, color, card, p0, p1, p2, p3)
    if start != _0:
        X.action[_0] = MOVE | _ONE_PART | (first(equal(p0, START)) << _8) | (OUT << _16)
    row = U(R.ops[ops + U(t.OP_FORWARD)])
    if R.ops[ops + U(t.OP_SPLIT)] != 0:
        movers = below(p0, HOME)
        if drop_first(movers) != _0:
            return list_sevens(R, X, start, color, p0, lanes & _HALF, targets(R, row, p0), movers)
    n = list_lanes(X, start, lanes & _HALF, row)
    n = list_lanes(X, n, lanes >> _32, U(R.ops[ops + U(t.OP_BACK)]))
    if flags & (_SWAPS | _TAKES) != _0:
        n = list_special(R, X, n, color, flags, p0)
    return n


@small
def carry_out(R, color, p0, p1, p2, p3, action):
    """The position after a listed action, and its events."""
    kind = action & _7
    events = _0
    if kind == PASS:
        return p0, p1, p2, p3, events
    lane = (action >> _8) & _7
    rides = True
    place = _0
    second = (action >> _16) & _63
    if kind == MOVE:
        if (action >> _3) & _7 == _1:
            place = target_of(R, second, get(p0, lane))
            rides = R.slide_on_backward != _0 or second < BACKWARD
        else:
            place = target_of(R, (action >> U(11)) & _7, get(p0, lane))
    else:
        other = second >> _3
        word = of_frame(p1, p2, p3, other)
        their_lane = second & _7
        place = to_frame(get(word, their_lane), other)
        if kind == SWAP:
            p1, p2, p3 = with_frame(p1, p2, p3, other, put(word, their_lane, from_frame(get(p0, lane), other)))
            rides = R.slide_after_swap != _SWAP_NONE
        else:
            rides = R.slide_after_sorry != _0
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
    return carry_out(R, color, p0, p1, p2, p3, action)
