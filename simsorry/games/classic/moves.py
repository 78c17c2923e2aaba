"""The distinct outcomes of one decision: every legal action, carried out, with equal placements merged.

Every action is carried out for real, step by step on the changing board, and its resulting four words are kept beside it, so
choosing and playing an outcome need no second look at the rules. Results are frames that begin with the player's own color.

Outcomes of a card stand in a fixed order, which is part of what a seed means: starting the lowest pawn on START; the card's own
count for each pawn in lane order, forward, past the own entry, backward; swaps by own pawn, then opponents clockwise; Sorry!
likewise; the same for the partner's pawns in team play; splits of a 7 by first pawn, its squares, then the next pawn; at last
passing. Where several actions end alike the first place in that order counts, and the plainest action is the one told.
"""

import numpy as np

from simsorry.games import track
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import (
    BLOCKED,
    BUMP,
    MOVE,
    ONE_PART,
    OPTIONAL,
    OWN_BUMP,
    PARTNER,
    PARTNER_BUMP,
    PASS,
    RIDE_BUMP,
    SWAP,
    SWAPPED_BUMP,
    SWAPPED_OWN_BUMP,
    SWAPPED_PARTNER_BUMP,
    SWAPPED_SLIDE,
    TAKE,
    met,
)
from simsorry.games.classic.landing import (
    BLOCKED_BY_OWN,
    LEGAL,
    controls,
    from_frame,
    land_apart,
    land_for,
    may_land,
    may_settle,
    partner_there,
    pawns_on,
    ride_of,
    sent_home,
    target_of,
    to_frame,
)
from simsorry.games.classic.listing import add, add_idle
from simsorry.games.classic.splits import list_splits, list_splits_together
from simsorry.games.frames import of_frame, turned, with_frame
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import below, count, drop_first, equal, first, get, put

U = np.uint64

BACKWARD, NO_ROW, OUT, PAST = U(t.BACKWARD), U(t.NO_ROW), U(t.OUT), U(t.PAST)
TRACK, START = U(track.TRACK), U(track.START)
_CIRCLE = U(0)
_SHARE, _ENDS_TURN, _COEXIST = U(t.SHARE), U(t.ENDS_TURN), U(t.COEXIST)
_STARTS, _SWAPS, _TAKES = U(t.STARTS), U(t.SWAPS), U(t.TAKES)
_SWAP_NONE, _SWAP_BOTH = U(t.SWAP_NONE), U(t.SWAP_BOTH)
_OPPONENTS_ONLY, _OPPONENTS_FIRST = U(t.OPPONENTS_ONLY), U(t.OPPONENTS_FIRST)
_0, _1, _2, _3, _8, _16 = U(0), U(1), U(2), U(3), U(8), U(16)


@small
def whose(X):
    """The mark of an action that moves a pawn of the partner."""
    return PARTNER if X.turned != _0 else _0


@inner
def list_row(R, X, color, p0, p1, p2, p3, row, optional):
    """Every move of one pawn along a row."""
    stay_apart()
    rides = U(row < BACKWARD or row >= PAST) | R.slide_on_backward
    for k in range(R.pawns):
        lane = U(k)
        place = target_of(R, row, get(p0, lane))
        verdict = may_settle(R, color, p0, p1, p2, p3, lane, place, rides)
        if verdict == LEGAL:
            w0, w1, w2, w3, events = land_apart(R, color, p0, p1, p2, p3, lane, place, rides)
            action = MOVE | ONE_PART | optional | whose(X) | (lane << _8) | (row << _16)
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
    verdict = may_settle(R, color, p0, p1, p2, p3, lane, _CIRCLE, _0)
    if verdict == LEGAL:
        w0, w1, w2, w3, events = land_apart(R, color, p0, p1, p2, p3, lane, _CIRCLE, _0)
        add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, MOVE | ONE_PART | whose(X) | (lane << _8) | (OUT << _16), events)
    elif verdict == BLOCKED_BY_OWN:
        X.blocked = _1


@inner
def list_moves(R, X, color, card, p0, p1, p2, p3):
    """Starting and moving single pawns of one color."""
    stay_apart()
    ops = card << _3
    if U(R.ops[ops + U(t.OP_FLAGS)]) & _STARTS != _0:
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


# -- swaps and Sorry! --------------------------------------------------------------------------------


@small
def others_on_track(p1, p2, p3):
    """Masks of the other colors' pawns on the track."""
    return below(p1, TRACK), below(p2, TRACK), below(p3, TRACK)


@small
def without_partner(R, color, m1, m2, m3):
    """Masks of other colors' pawns, without those of the partner."""
    other = U(R.partner[color])
    return m1 if other != _1 else _0, m2 if other != _2 else _0, m3 if other != _3 else _0


@small
def swappable(R, color, p1, p2, p3):
    """Masks of the pawns that an 11 may swap an own one with (H-22, HQ31)."""
    m1, m2, m3 = others_on_track(p1, p2, p3)
    if R.swap_partner == _0:
        m1, m2, m3 = without_partner(R, color, m1, m2, m3)
    return m1, m2, m3


@small
def aimed_at(R, color, p1, p2, p3):
    """Masks of the pawns that a Sorry! card may hit (H-23, H-34, HQ29)."""
    m1, m2, m3 = others_on_track(p1, p2, p3)
    if R.team != _0:
        o1, o2, o3 = without_partner(R, color, m1, m2, m3)
        if R.sorry_target == _OPPONENTS_ONLY or (R.sorry_target == _OPPONENTS_FIRST and o1 | o2 | o3 != _0):
            m1, m2, m3 = o1, o2, o3
    return m1, m2, m3


@inner
def ride_after_swap(R, color, w0, w1, w2, w3, other, lane, place):
    """Lets the swapped opponent's pawn ride too, if it still stands where the swap put it (HQ7, both)."""
    stay_apart()
    their = (color + other) & _3
    if get(of_frame(w1, w2, w3, other), lane) != place or ride_of(R, their, place) == _0:
        return w0, w1, w2, w3, _0
    w0, w1, w2, w3, events = land_for(R, color, other, w0, w1, w2, w3, lane, place, _1)
    if other == U(R.partner[color]):
        return w0, w1, w2, w3, events  # of the same team: nobody else's doing
    did = SWAPPED_SLIDE + (met(events, BUMP) + met(events, RIDE_BUMP)) * SWAPPED_BUMP
    did += met(events, OWN_BUMP) * SWAPPED_OWN_BUMP + met(events, PARTNER_BUMP) * SWAPPED_PARTNER_BUMP
    return w0, w1, w2, w3, did


@inner
def swap(R, X, color, p0, p1, p2, p3, lane, other, their_lane, optional):
    """One exchange of places (H-21, H-22, H-29)."""
    stay_apart()
    here = get(p0, lane)
    word = of_frame(p1, p2, p3, other)
    there = to_frame(get(word, their_lane), other)
    together = R.own_collision == _SHARE or R.team_collision == _COEXIST
    if together and (pawns_on(p0, p1, p2, p3, here) > _1 or pawns_on(p0, p1, p2, p3, there) > _1):
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
    action = SWAP | ONE_PART | optional | whose(X) | (lane << _8) | ((their_lane | (other << _3)) << _16)
    add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, action, events)


@inner
def list_swaps(R, X, color, p0, p1, p2, p3):
    """Every exchange of a pawn on the track with another color's on the track."""
    stay_apart()
    optional = _0 if R.swap_forced != _0 else OPTIONAL
    m1, m2, m3 = swappable(R, color, p1, p2, p3)
    mine = below(p0, TRACK)
    while mine != _0:
        lane = first(mine)
        mine = drop_first(mine)
        for d in range(1, 4):
            other = U(d)
            theirs = of_frame(m1, m2, m3, other)
            while theirs != _0:
                swap(R, X, color, p0, p1, p2, p3, lane, other, first(theirs), optional)
                theirs = drop_first(theirs)


@inner
def take(R, X, color, p0, p1, p2, p3, lane, other, their_lane):
    """One Sorry!: the pawn that it is aimed at goes back whatever partners do to each other else (H-23, H-34)."""
    stay_apart()
    word = of_frame(p1, p2, p3, other)
    place = to_frame(get(word, their_lane), other)
    w1, w2, w3, hit = p1, p2, p3, _0
    if R.team != _0 and other == U(R.partner[color]):
        if may_land(R, color, p0, lane, place, R.slide_after_sorry) != LEGAL:
            return
        there = partner_there(R, color, p1, p2, p3, place)
        hit = count(there)
        w1, w2, w3 = with_frame(p1, p2, p3, other, sent_home(word, there))
    w0, w1, w2, w3, events = land_apart(R, color, p0, w1, w2, w3, lane, place, R.slide_after_sorry)
    action = TAKE | ONE_PART | whose(X) | (lane << _8) | ((their_lane | (other << _3)) << _16)
    add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, action, events + hit * PARTNER_BUMP)


@inner
def list_takes(R, X, color, p0, p1, p2, p3):
    """Every Sorry!: the lowest pawn on START in the place of another color's on the track."""
    stay_apart()
    waiting = equal(p0, START)
    if waiting == _0:
        return
    m1, m2, m3 = aimed_at(R, color, p1, p2, p3)
    for d in range(1, 4):
        other = U(d)
        theirs = of_frame(m1, m2, m3, other)
        while theirs != _0:
            take(R, X, color, p0, p1, p2, p3, first(waiting), other, first(theirs))
            theirs = drop_first(theirs)


@inner
def list_special(R, X, color, card, p0, p1, p2, p3):
    """What an 11 and a Sorry! card can do with the pawns of one color besides walking."""
    stay_apart()
    flags = U(R.ops[(card << _3) + U(t.OP_FLAGS)])
    if flags & _SWAPS != _0:
        list_swaps(R, X, color, p0, p1, p2, p3)
    if flags & _TAKES != _0 and (X.turned == _0 or R.sorry_either != _0):
        list_takes(R, X, color, p0, p1, p2, p3)


# -- a whole card ------------------------------------------------------------------------------------


@inner
def list_card(R, X, color, card, p0, p1, p2, p3):
    """Adds the distinct outcomes of a card to those listed, for the own pawns and those that are moved for the partner.

    Changes ``X.action, card, key, events, result, outcomes, compulsory, blocked``; passing is not among the outcomes.
    """
    stay_apart()
    X.listing += _1
    X.playing = card
    X.blocked = _0
    X.unchanged = _0
    own, partner = controls(R, p0)
    other = U(R.partner[color])
    theirs = (color + other) & _3
    t0, t1, t2, t3 = turned(p0, p1, p2, p3, other)
    X.turned = _0
    if own != _0:
        list_moves(R, X, color, card, p0, p1, p2, p3)
        list_special(R, X, color, card, p0, p1, p2, p3)
    if partner != _0:
        X.turned = other
        list_moves(R, X, theirs, card, t0, t1, t2, t3)
        list_special(R, X, theirs, card, t0, t1, t2, t3)
        X.turned = _0
    total = U(R.ops[(card << _3) + U(t.OP_SPLIT)])
    if total != _0 and R.parts > _1:
        if R.simultaneous != _0:
            list_splits_together(R, X, color, p0, p1, p2, p3, total)
        else:
            list_splits(R, X, color, p0, p1, p2, p3, total)
    if X.blocked != _0 and R.own_collision == _ENDS_TURN and X.unchanged == _0:
        # Choosing a square where an own pawn stands ends the turn (FQ3); a move that leaves all as it was is the same outcome.
        add(R, X, p0, p1, p2, p3, p0, p1, p2, p3, BLOCKED, _0)


@small
def add_pass(R, X, card, p0, p1, p2, p3):
    """Adds passing to the outcomes of a drawn card, where it is on offer (H-8, H-21)."""
    if X.outcomes != _0 and (X.compulsory == _0 or R.must_move == _0):
        add_idle(X, PASS, card, p0, p1, p2, p3)


@inner
def list_outcomes(R, X, color, card, p0, p1, p2, p3):
    """Fills the scratch record with the distinct outcomes of a drawn card; passing, where it is on offer, is the last.

    Changes what ``list_card`` does; returns the number of outcomes.
    """
    X.outcomes = _0
    X.compulsory = _0
    list_card(R, X, color, card, p0, p1, p2, p3)
    add_pass(R, X, card, p0, p1, p2, p3)
    return X.outcomes
