"""What there is to choose from at a decision of any game: of a drawn card or a hand, with the own pawns and the partner's.

In ``plain`` rules actions are only listed, and carried out once one of them is chosen or a policy weighs them.
"""

import numpy as np

from simsorry import deck
from simsorry.games import hands
from simsorry.games.classic import hand
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import MOVE, OPTIONAL, PARTNER, PASS, SWAP, TAKE, kind_of, part_of, parts_of, row_of, swapped_of
from simsorry.games.classic.landing import controls, from_frame, land_apart, land_for, target_of, to_frame
from simsorry.games.classic.moves import add_pass, list_card
from simsorry.games.classic.plain import carry_out_apart, list_plain
from simsorry.games.classic.team_sevens import list_team_sevens
from simsorry.games.frames import of_frame, turned, with_frame
from simsorry.games.hands import NO_CARD
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import get, lowest, put

U = np.uint64

BACKWARD = U(t.BACKWARD)
_0, _1, _2, _3, _4, _7, _16 = U(0), U(1), U(2), U(3), U(4), U(7), U(16)


# -- what there is to choose from --------------------------------------------------------------------


@small
def list_plainly(R, X, color, card, p0, p1, p2, p3, mark):
    """Lists a card's actions with the pawns of the frame's first color, without carrying them out."""
    begin_at = X.outcomes
    n = list_plain(R, X, begin_at, color, card, p0, p1, p2, p3)
    for i in range(begin_at, n):
        X.action[U(i)] |= mark
        X.card[U(i)] = card
    # Swaps alone may be declined there, and they come last.
    X.compulsory += U(n != begin_at and X.action[begin_at] & OPTIONAL == _0)
    X.outcomes = n


@inner
def list_for(R, X, color, card, p0, p1, p2, p3):
    """Lists the distinct outcomes of a card with all pawns that the player moves."""
    stay_apart()
    if R.plain == _0:
        list_card(R, X, color, card, p0, p1, p2, p3)
        return
    if R.team == _0:
        list_plainly(R, X, color, card, p0, p1, p2, p3, _0)
        return
    ops = card << _3
    own, partner = controls(R, p0)
    if R.ops[ops + U(t.OP_SPLIT)] != 0:
        list_team_sevens(R, X, color, card, own, partner, p0, p1, p2, p3)
        return
    own_takes_only = U(R.ops[ops + U(t.OP_FLAGS)]) & U(t.TAKES) * (_1 - R.sorry_either)
    if U(R.ops[ops + U(t.OP_REPEATS)]) | own_takes_only != _0:
        list_card(R, X, color, card, p0, p1, p2, p3)  # backward moves of both colors can leave all as it was
        return
    if own != _0:
        list_plainly(R, X, color, card, p0, p1, p2, p3, _0)
    if partner != _0:
        other = U(R.partner[color])
        w0, w1, w2, w3 = turned(p0, p1, p2, p3, other)
        list_plainly(R, X, (color + other) & _3, card, w0, w1, w2, w3, PARTNER)


@inner
def list_choices(R, X, seat, color, p0, p1, p2, p3):
    """Lists what the player can choose from: with every card of the hand, or with a card that is drawn.

    Declining and passing, where they are on offer, are the last. Returns the drawn card, or NO_CARD with a hand.
    """
    stay_apart()
    X.outcomes = _0
    X.compulsory = _0
    drawn = NO_CARD
    if R.hand_size != _0:
        values = hands.playable(R, X, seat)
    else:
        drawn = deck.draw(R, X, X.cards_key, X.again)
        values = _1 << drawn
    while values != _0:
        card = lowest(values)
        values &= values - _1
        before = X.outcomes
        list_for(R, X, color, card, p0, p1, p2, p3)
        hand.lay_idle(R, X, card, before, p0, p1, p2, p3)
    if R.hand_size != _0:
        hand.decline(R, X, seat, p0, p1, p2, p3)
    else:
        add_pass(R, X, drawn, p0, p1, p2, p3)
    return drawn


# -- carrying out ------------------------------------------------------------------------------------


@inner
def carry_out_one(R, color, p0, p1, p2, p3, action):
    """A listed action that moves one pawn of the frame's first color, in team play."""
    stay_apart()
    lane = part_of(action, _0) & _7
    kind = kind_of(action)
    if kind == MOVE:
        rides = R.slide_on_backward | U(row_of(action) < BACKWARD)
        return land_apart(R, color, p0, p1, p2, p3, lane, target_of(R, row_of(action), get(p0, lane)), rides)
    other = swapped_of(action)
    word = of_frame(p1, p2, p3, other)
    their_lane = (action >> _16) & _7
    place = to_frame(get(word, their_lane), other)
    rides = R.slide_after_sorry
    if kind == SWAP:
        p1, p2, p3 = with_frame(p1, p2, p3, other, put(word, their_lane, from_frame(get(p0, lane), other)))
        rides = U(R.slide_after_swap != U(t.SWAP_NONE))
    return land_apart(R, color, p0, p1, p2, p3, lane, place, rides)


@inner
def carry_out_in_team(R, color, p0, p1, p2, p3, action):
    """The position after a listed action where colors have partners, and its events; both frames begin with the player's color."""
    stay_apart()
    other = U(R.partner[color])
    events = _0
    if kind_of(action) > TAKE:
        return p0, p1, p2, p3, events
    if parts_of(action) == _1:
        turn = other if action & PARTNER != _0 else _0
        w0, w1, w2, w3 = turned(p0, p1, p2, p3, turn)
        w0, w1, w2, w3, events = carry_out_one(R, (color + turn) & _3, w0, w1, w2, w3, action)
        w0, w1, w2, w3 = turned(w0, w1, w2, w3, (_4 - turn) & _3)
        return w0, w1, w2, w3, events
    for i in range(parts_of(action)):
        part = part_of(action, U(i))
        turn = other if part >> _7 != _0 else _0
        place = target_of(R, (part >> _3) & _7, get(p0 if turn == _0 else of_frame(p1, p2, p3, other), part & _7))
        p0, p1, p2, p3, did = land_for(R, color, turn, p0, p1, p2, p3, part & _7, place, _1)
        events += did
    return p0, p1, p2, p3, events


@inner
def carry_out(R, X, at, color, p0, p1, p2, p3):
    """The position after outcome ``at``, and its events."""
    stay_apart()
    if R.plain == _0:
        base = at << _2
        return X.result[base], X.result[base + _1], X.result[base + _2], X.result[base + _3], X.events[at]
    if R.team != _0:
        return carry_out_in_team(R, color, p0, p1, p2, p3, X.action[at])
    return carry_out_apart(R, color, p0, p1, p2, p3, X.action[at] if kind_of(X.action[at]) <= TAKE else PASS)


@inner
def carry_out_all(R, X, color, p0, p1, p2, p3):
    """Fills in the results and events of all outcomes, where they were only listed."""
    stay_apart()
    for number in range(X.outcomes):
        at = U(number)
        base = at << _2
        w0, w1, w2, w3, events = carry_out(R, X, at, color, p0, p1, p2, p3)
        X.result[base] = w0
        X.result[base + _1] = w1
        X.result[base + _2] = w2
        X.result[base + _3] = w3
        X.events[at] = events
