"""Hands of cards: dealing, drawing, playing a card from the hand, and the discards.

Unlike in ``deck``, where all cards that have left the pile are discards, cards here are in the pile, in a hand, or among the discards.
"""

import numpy as np

from simsorry import rng
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import BLOCKED, IDLE, PASS, THROW, kind_of
from simsorry.games.classic.listing import add_idle
from simsorry.games.classic.state import MAX_HELD, VALUES
from simsorry.games.options import CARDS
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import lowest

U = np.uint64

NO_CARD = U(15)
_0, _1 = U(0), U(1)
_HELD, _VALUES = U(MAX_HELD), U(VALUES)
_TWO = U(CARDS.index("2"))


@inner
def deal(R, X):
    """A full pile, and from it a hand to everybody, a card at a time from the first player on (F-40)."""
    stay_apart()
    for i in range(R.deck_size):
        X.deck[U(i)] = R.deck[U(i)]
    X.left = R.deck_size
    X.discarded = _0
    X.kept_out = _0
    for s in range(R.players):
        X.held[U(s)] = _0
        X.values[U(s)] = _0
        for value in range(VALUES):
            X.have[U(s) * _VALUES + U(value)] = 0
    for _ in range(R.hand_size):
        for s in range(R.players):
            draw_to_hand(R, X, (X.first_seat + U(s)) % R.players)


@inner
def reshuffle(X):
    """The discards become the pile, but for those that are kept out (H-9, HQ23)."""
    stay_apart()
    returning = X.discarded - X.kept_out
    if returning == _0:
        return
    for i in range(returning):
        X.deck[U(i)] = X.discard[U(i)]
    for i in range(X.kept_out):
        X.discard[U(i)] = X.discard[returning + U(i)]
    X.left = returning
    X.discarded = X.kept_out
    X.reshuffles += 1


@small
def draw(R, X):
    """The next card of the pile, or NO_CARD where all are in hands."""
    if X.left == _0:
        reshuffle(X)
    if X.left == _0:
        return NO_CARD
    at = rng.below(rng.word(X.cards_key, X.draws), X.left)
    X.draws += _1
    card = U(X.deck[at])
    if R.replacement == _0:
        X.left -= _1
        X.deck[at] = X.deck[X.left]
        if X.left == _0 and R.reshuffle_at_last != _0:
            reshuffle(X)
    return card


@inner
def draw_to_hand(R, X, seat):
    """Draws a card into a hand; returns it, or NO_CARD."""
    stay_apart()
    card = draw(R, X)
    if card != NO_CARD:
        X.hand[seat * _HELD + X.held[seat]] = card
        X.held[seat] += _1
        X.have[seat * _VALUES + card] += 1
        X.values[seat] |= _1 << card
    return card


@inner
def lay_down(R, X, seat, card, in_play):
    """Takes the copy of a card that was held longest out of a hand, and lays it on the discards.

    ``in_play``: 1 for a card that is played, and stays out of a reshuffle until the hand is filled up if the rules say so (HQ23).
    """
    stay_apart()
    base = seat * _HELD
    at = _0
    while U(X.hand[base + at]) != card:
        at += _1
    X.held[seat] -= _1
    for i in range(at, X.held[seat]):
        X.hand[base + U(i)] = X.hand[base + U(i) + _1]
    left = X.have[seat * _VALUES + card] - 1
    X.have[seat * _VALUES + card] = left
    if left == 0:
        X.values[seat] &= ~(_1 << card)
    if R.replacement == _0:
        place = X.discarded - X.kept_out * (_1 - in_play)  # those that are kept out stay the last
        X.discard[X.discarded] = X.discard[place]
        X.discard[place] = card
        X.discarded += _1
        X.kept_out += R.exclude_in_play * in_play


@inner
def fill_up(R, X, seat):
    """Draws until the hand is full, or no card is to be had; returns the first card drawn, or NO_CARD (F-41)."""
    stay_apart()
    card = NO_CARD
    missing = R.hand_size - X.held[seat]
    while missing != _0:
        drawn = draw_to_hand(R, X, seat)
        card = drawn if card == NO_CARD else card
        missing = missing - _1 if drawn != NO_CARD else _0
    X.kept_out = _0
    return card


@inner
def drop_hand(R, X, seat):
    """Lays a whole hand on the discards: its player has finished."""
    stay_apart()
    while X.held[seat] != _0:
        lay_down(R, X, seat, U(X.hand[seat * _HELD]), _0)


@small
def refill(R, X, seat, again):
    """Draws what is due after a card was played, ``again`` if it is a 2 that brings another; whether the turn goes on (FQ19, FQ20)."""
    X.drawn = NO_CARD
    if R.hand_refill == U(t.PER_CARD):
        X.drawn = fill_up(R, X, seat)
    elif again != _0 and R.two_in_hand == U(t.PLAY_DRAWN):
        X.drawn = draw_to_hand(R, X, seat)
        X.kept_out = X.kept_out if X.drawn == NO_CARD else _0
    if X.held[seat] == _0 or (R.two_in_hand == U(t.PLAY_DRAWN) and X.drawn == NO_CARD):
        return _0
    return again


@small
def fill_for_next_turn(R, X, seat):
    """Draws what is due at the end of a turn."""
    if R.hand_refill == U(t.END_OF_TURN) or X.held[seat] == _0:
        fill_up(R, X, seat)
    X.kept_out = _0


# -- what a hand offers besides moving pawns ----------------------------------------------------------


@small
def playable(R, X, seat):
    """The values that may be played now, as bits: those of the hand, or after a 2 that of the card drawn in its place (FQ19)."""
    only_drawn = X.again * U(R.two_in_hand == U(t.PLAY_DRAWN))
    return X.values[seat] & (_1 << X.drawn) if only_drawn != _0 else X.values[seat]


@small
def lay_idle(R, X, card, before, p0, p1, p2, p3):
    """Adds laying a 2 down without a move, where it can't be moved with: since ``before`` no move was added."""
    only_blocked = X.outcomes == before + _1 and kind_of(X.action[before]) == BLOCKED
    if card == _TWO and R.two_idle != _0 and (X.outcomes == before or only_blocked):
        add_idle(X, IDLE, card, p0, p1, p2, p3)


@inner
def decline(R, X, seat, p0, p1, p2, p3):
    """Adds what a player may do instead of a play, where none is compulsory: throw a card in, or pass (rulebook 13.1, 13.6)."""
    stay_apart()
    if X.compulsory != _0 and R.must_move != _0:
        return
    plays = X.outcomes
    if plays != _0 and R.optional_playable != _0:
        return
    ends = (X.again != _0 and R.stuck_throws == _0) or (X.turns_had[seat] == _0 and R.first_turn_skips != _0)
    if not ends:
        list_throws(R, X, seat, p0, p1, p2, p3)
    elif plays != _0:
        add_idle(X, PASS, NO_CARD, p0, p1, p2, p3)


@small
def list_throws(R, X, seat, p0, p1, p2, p3):
    """The cards that may be thrown in (F-42, FQ23)."""
    if R.dead_hand == U(t.CHOOSE):
        values = X.values[seat]
        while values != _0:
            add_idle(X, THROW, lowest(values), p0, p1, p2, p3)
            values &= values - _1
    elif X.held[seat] != _0:
        oldest = U(X.hand[seat * _HELD])
        add_idle(X, THROW, NO_CARD if R.dead_hand == U(t.RANDOM_CARD) else oldest, p0, p1, p2, p3)
