"""The distinct ways to play a 7 in rulesets without other ways to end alike (``plain``).

Parts of a 7 end alike all the time: each pawn may go first, and two pawns of a color change roles where one comes to
the other's place. With two pawns in play and no slide to mix them up, which share-outs repeat an earlier one is a
matter of their distance, and looked up. Otherwise every way is told by where the own pawns end and which opponents
are met, and compared with those before it.
"""

import numpy as np

from simsorry.games import track
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import MOVE, ONE_PART
from simsorry.games.classic.landing import ride_of, sent_home, target_of, to_frame
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import below, drop_first, equal, first, get, lane_bit, put, zeros

U = np.uint64

TRACK, HOME, NOWHERE = U(track.TRACK), U(track.HOME), U(track.NOWHERE)
_0, _1, _2, _3, _6, _7, _8 = U(0), U(1), U(2), U(3), U(6), U(7), U(8)
_16, _66 = U(16), U(66)
TWO_PARTS = U(2 << 3)
_SPREAD_BITS = U(0x9E3779B97F4A7C15)
_NEAR = U(12)  # a part of a 7 and its slide take a pawn less far than this


@small
def whole_seven(lane):
    """The action of moving one pawn 7."""
    return MOVE | ONE_PART | (lane << _8) | (_7 << _16)


@small
def split_seven(lead, at, second):
    """The action of moving one pawn ``at + 1`` and then another the rest."""
    return MOVE | TWO_PARTS | ((lead | ((at + _1) << _3)) << _8) | ((second | ((_6 - at) << _3)) << _16)


@small
def is_near(R, here, there):
    """Whether two own pawns are so close along their way that the parts of a 7 can bring them together."""
    return R.path[there] + _NEAR - _1 - R.path[here] < _NEAR + _NEAR - _1


@small
def end_apart(leads, rests):
    """Mask of the share-outs of a 7 that do not bring both pawns to one square (HOME excepted)."""
    return ~zeros(leads ^ rests) | equal(rests, HOME)


@small
def possible(R, here, there):
    """Mask of the share-outs for which both places have a way to go, ending apart."""
    leads, rests = R.ahead[here], R.rest[there]
    return below(leads, _66) & below(rests, _66) & end_apart(leads, rests)


@small
def made_up(R, color, here, there):
    """Whether, of two share-outs, each pawn's slide can make up for the other's: 3 or 4 squares, as slides are long."""
    rides = R.ahead_rides[(color << _7) + here]
    return ((rides << U(24)) | (rides << U(32))) & R.rest_rides[(color << _7) + there] != _0


@small
def shared_out(R, color, p0, lead, second):
    """The share-outs between the only two pawns in play that end like no earlier way, and whether that can be told so simply."""
    here, there = get(p0, lead), get(p0, second)
    rides = R.ahead_rides[(color << _7) + here] | R.rest_rides[(color << _7) + there]
    settled = rides == _0 or (not is_near(R, here, there) and not made_up(R, color, here, there))
    return possible(R, here, there) & ~R.same_end[R.path[there] + U(t.PATH_SPAN) - R.path[here]], settled


@inner
def all_apart(R, color, p0, movers):
    """Whether no two pawns in play can get in each other's way or end alike."""
    leads = movers
    while leads != _0:
        here = get(p0, first(leads))
        leads = drop_first(leads)
        follow = leads
        while follow != _0:
            there = get(p0, first(follow))
            follow = drop_first(follow)
            if is_near(R, here, there) or made_up(R, color, here, there):
                return False
    return True


@inner
def list_apart(R, X, n, p0, movers):
    """Lists the splits between pawns that are all apart: every possible share-out of every pair."""
    leads = movers
    while leads != _0:
        lead = first(leads)
        leads = drop_first(leads)
        union = _0
        follow = leads
        while follow != _0:
            second = first(follow)
            follow = drop_first(follow)
            X.act[second] = possible(R, get(p0, lead), get(p0, second))
            union |= X.act[second]
        while union != _0:
            at = first(union)
            union = drop_first(union)
            follow = leads
            while follow != _0:
                second = first(follow)
                follow = drop_first(follow)
                if X.act[second] & lane_bit(at) != _0:
                    X.action[n] = split_seven(lead, at, second)
                    n += _1
    return n


@small
def list_wholes(X, n, lanes):
    """Lists moving one pawn 7, for each pawn of a mask."""
    while lanes != _0:
        X.action[n] = whole_seven(first(lanes))
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
    plainness = (slides << _3) + ((action >> _3) & _7)
    for i in range(begin, n):
        at = U(i)
        if X.key[at] == key:
            if plainness < X.events[at]:
                X.events[at] = plainness
                X.action[at] = action
            return n
    X.key[n] = key
    X.events[n] = plainness
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
    leads = R.ahead[before]
    open_leads = below(leads, _66) & ~blocked_by(p0, leads, lead, lead)
    union = _0
    follow = movers & ~lane_bit(lead)
    while follow != _0:
        second = first(follow)
        follow = drop_first(follow)
        place = get(p0, second)
        rests = R.rest[place]
        rides = R.ahead_rides[(color << _7) + before] | R.rest_rides[(color << _7) + place]
        lanes = open_leads & below(rests, _66)
        settled = lanes & ~rides & ~blocked_by(p0, rests, lead, second) & end_apart(leads, rests)
        if second < lead:
            settled &= equal(rests, before)
        lanes = settled | (lanes & rides)
        X.act[second] = lanes
        union |= lanes
    return union


@inner
def list_sevens(R, X, n, color, p0, lanes, movers):
    """Lists every distinct way to play a 7 with two or more pawns in play: whole moves, then splits in two (H-17 to H-19)."""
    stay_apart()
    lead, second = first(movers), first(drop_first(movers))
    if drop_first(drop_first(movers)) == _0:
        splits, settled = shared_out(R, color, p0, lead, second)
        if settled:
            n = list_wholes(X, n, lanes)
            while splits != _0:
                X.action[n] = split_seven(lead, first(splits), second)
                n += _1
                splits = drop_first(splits)
            return n
    elif all_apart(R, color, p0, movers):
        return list_apart(R, X, list_wholes(X, n, lanes), p0, movers)
    return list_compared(R, X, n, color, p0, lanes, movers)


@inner
def list_compared(R, X, n, color, p0, lanes, movers):
    """The same by comparing every way with those before it.

    An outcome is told by the own pawns' places and by the opponents' squares that were landed on or ridden over.
    """
    stay_apart()
    foes = opponents_on_track(X, color)
    begin = n
    key0 = own_key(R, p0)
    while lanes != _0:
        lane = first(lanes)
        lanes = drop_first(lanes)
        place = target_of(R, _7, get(p0, lane))
        w0, over = land_own(R, color, p0, lane, place)
        action = whole_seven(lane)
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
                    action = split_seven(lane, at, second)
                    if rides_at(R, color, place) + rides_at(R, color, end) == _0:
                        key = key1 + R.key[place] - R.key[get(p0, second)] + R.key[end]
                        n = keep(X, begin, n, key + ((square_bit(place) | square_bit(end)) & foes) * _SPREAD_BITS, action, _0)
                    else:
                        n = keep_ridden(R, X, begin, n, color, p0, lane, place, second, _6 - at, action, foes)
    return n


@inner
def keep_ridden(R, X, begin, n, color, p0, lane, place, second, squares, action, foes):
    """Lists a split in which a slide is ridden, if it can be played in this order."""
    stay_apart()
    w0, over = land_own(R, color, p0, lane, place)
    end = target_of(R, squares, get(w0, second))
    if end == NOWHERE or (end != HOME and equal(w0, end) != _0):
        return n
    v0, over2 = land_own(R, color, w0, second, end)
    slides = rides_at(R, color, place) + rides_at(R, color, end)
    return keep(X, begin, n, own_key(R, v0) + ((over | over2) & foes) * _SPREAD_BITS, action, slides)
