"""The distinct ways to play a 7 with the pawns of two partners, in rulesets without other ways to end alike (``plain``).

The search is that of ``splits``: part after part, pawns that are apart in one order only. But nothing is carried out. An outcome is
told by where the pawns of both partners end, and by the opponents' squares that were landed on or ridden over.
"""

import numpy as np

from simsorry.games import track
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import MOVE, ONE_MORE, ONE_PART, PARTNER, split_part
from simsorry.games.classic.landing import ride_of, sent_home, target_of, to_frame, word_key
from simsorry.games.classic.listing import CAPACITY, STAMP, slot_of
from simsorry.games.classic.plain import can_start, start_action
from simsorry.games.classic.splits import is_new, may_follow, next_try, note_pawns
from simsorry.games.frames import of_frame
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import below, drop_first, equal, first, get, lowest, put, zeros

U = np.uint64

TRACK, HOME, NOWHERE = U(track.TRACK), U(track.HOME), U(track.NOWHERE)
_SIDE = U(track.SIDE)
_SQUARES = U((1 << track.TRACK) - 1)
_0, _1, _2, _3, _6, _7, _8, _16 = U(0), U(1), U(2), U(3), U(6), U(7), U(8), U(16)
_SPREAD_BITS = U(0x9E3779B97F4A7C15)


@small
def opponents_on_track(R, color, p1, p2, p3):
    """The squares of all opponents on the track, as bits numbered by this color's places."""
    bits = _0
    for d in range(1, 4):
        other = U(d)
        theirs = below(of_frame(p1, p2, p3, other), TRACK)
        while theirs != _0 and other != U(R.partner[color]):
            bits |= _1 << to_frame(get(of_frame(p1, p2, p3, other), first(theirs)), other)
            theirs = drop_first(theirs)
    return bits


@small
def seen_by(bits, other):
    """Squares as bits numbered by the color ``other`` steps clockwise, numbered by this color's places instead."""
    shift = _SIDE * other
    return bits if other == _0 else ((bits << shift) | (bits >> (U(track.TRACK) - shift))) & _SQUARES


@small
def without_those_on(R, word, other, place):
    """The partner's word with the pawns on a track place of this color back on START."""
    return sent_home(word, zeros(word ^ R.seen_as[place + (other << _6)]))


@small
def put_down(R, color, mine, theirs, lane, place):
    """Puts a pawn down: both partners' words after it, the squares gone over as bits, and 1 if it slides."""
    if place >= TRACK:
        return put(mine, lane, place), theirs, _0, _0
    other = U(R.partner[color])
    over = _1 << place
    mine = put(mine, lane, NOWHERE)
    theirs = without_those_on(R, theirs, other, place)
    squares = ride_of(R, color, place)
    if squares == _0:
        return put(mine, lane, place), theirs, over, _0
    for step in range(_1, squares + _1):
        q = place + U(step)
        if q >= TRACK:
            q -= TRACK
        mine = sent_home(mine, equal(mine, q))
        theirs = without_those_on(R, theirs, other, q)
        over |= _1 << q
    place += squares
    if place >= TRACK:
        place -= TRACK
    return put(mine, lane, place), theirs, over, _1


@small
def play_part(R, color, pawn, squares, own, theirs):
    """Moves a numbered pawn: whether it can, both words, squares gone over numbered by the player's color, and 1 for a slide."""
    other = U(R.partner[color]) if pawn >= _8 else _0
    lane = pawn & _7
    mine = own if other == _0 else theirs
    place = target_of(R, squares, get(mine, lane))
    if place == NOWHERE or (place != HOME and equal(mine, place) != _0):
        return False, own, theirs, _0, _0
    if other == _0:
        own, theirs, over, slid = put_down(R, color, own, theirs, lane, place)
    else:
        theirs, own, over, slid = put_down(R, (color + other) & _3, theirs, own, lane, place)
    return True, own, theirs, seen_by(over, other), slid


@small
def keep(R, X, color, own, theirs, hit, slides, action):
    """Lists an action unless another ends alike; of two alike the plainer one is kept in the earlier place."""
    key = word_key(R, _0, own) + word_key(R, U(R.partner[color]), theirs) + hit * _SPREAD_BITS
    slot, number = slot_of(X, key)
    plainness = (slides << _3) + ((action >> _3) & _7)
    at = number - _1
    if number == _0:
        at = X.outcomes
        if at == U(CAPACITY - 1):
            X.overflow = _1
            return
        X.outcomes = at + _1
        X.slot[slot] = (X.listing << STAMP) | (at + _1)
        X.key[at] = key
        X.card[at] = X.playing
    elif plainness >= X.events[at]:
        return
    X.events[at] = plainness
    X.action[at] = action


@small
def list_whole(R, X, color, pawns, own, theirs, foes):
    """Lists moving one pawn 7, for each numbered pawn of a set of bits."""
    while pawns != _0:
        pawn = lowest(pawns)
        pawns &= pawns - _1
        can, w0, w1, over, slid = play_part(R, color, pawn, _7, own, theirs)
        if can:
            mark = PARTNER if pawn >= _8 else _0
            keep(R, X, color, w0, w1, over & foes, slid, MOVE | ONE_PART | mark | ((pawn & _7) << _8) | (_7 << _16))


@small
def push(X, depth, own, theirs, hit, slides, action, used, left, candidates):
    base = depth << _2
    X.frame[base] = own
    X.frame[base + _1] = theirs
    X.frame[base + _2] = hit
    X.frame[base + _3] = slides
    X.act[depth] = action
    X.used[depth] = used
    X.rest[depth] = left
    X.open[depth] = candidates
    X.try_steps[depth] = _0


@small
def list_parts(R, X, color, own, theirs, foes, movers):
    """Lists the splits."""
    X.search += _1
    depth = _0
    push(X, depth, own, theirs, _0, _0, MOVE, _0, _7, movers)
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
        left = X.rest[depth] - squares
        if depth == _0 and left == _0:
            continue
        base = depth << _2
        can, w0, w1, over, slid = play_part(R, color, pawn, squares, X.frame[base], X.frame[base + _1])
        if not can:
            continue
        hit = X.frame[base + _2] | (over & foes)
        slides = X.frame[base + _3] + slid
        action = X.act[depth] + ONE_MORE
        action |= split_part(pawn & _7, squares, _0, pawn >> _3) << (_8 + (depth << _3))
        if left == _0:
            keep(R, X, color, w0, w1, hit, slides, action)
            continue
        # Two ways to one state differ in the order of pawns that are not apart.
        if X.near[pawn] & X.used[depth] != _0 and not is_new(X, w0, w1, hit, _0, used, left, slides):
            continue
        depth += _1
        push(X, depth, w0, w1, hit, slides, action, used, left, following)


@inner
def list_team_sevens(R, X, color, card, own_too, partner_too, p0, p1, p2, p3):
    """Adds one action per distinct way to play a 7 to the outcomes: starts and whole moves of either color, then splits.

    ``own_too`` and ``partner_too``: whose pawns the player moves. ``X.events`` holds the actions' plainness only.
    """
    stay_apart()
    other = U(R.partner[color])
    theirs = of_frame(p1, p2, p3, other)
    X.listing += _1
    X.playing = card
    begin = X.outcomes
    foes = opponents_on_track(R, color, p1, p2, p3)
    movers = note_pawns(R, X, color, p0, p1, p2, p3)
    flags = U(R.ops[(card << _3) + U(t.OP_FLAGS)])
    if own_too * can_start(flags, p0) != _0:
        X.action[X.outcomes] = start_action(p0)
        X.card[X.outcomes] = card
        X.key[X.outcomes] = _0
        X.outcomes += _1
    list_whole(R, X, color, movers & U(0xFF), p0, theirs, foes)
    if partner_too * can_start(flags, theirs) != _0:
        X.action[X.outcomes] = start_action(theirs) | PARTNER
        X.card[X.outcomes] = card
        X.key[X.outcomes] = _0
        X.outcomes += _1
    list_whole(R, X, color, movers & U(0xFF00), p0, theirs, foes)
    if R.parts > _1 and movers & (movers - _1) != _0:
        list_parts(R, X, color, p0, theirs, foes, movers)
    X.compulsory += X.outcomes - begin
