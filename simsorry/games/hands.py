"""Hands of cards: dealing, drawing, playing a card from the hand, the discards, and what a hand offers besides moving pawns.

Unlike in ``deck``, where all cards that have left the pile are discards, cards here are in the pile, in a hand, or among the discards.
The pile is that of ``deck``; ``cards_key`` is the stream that cards are drawn from.
"""

import numpy as np

from simsorry import deck, rng
from simsorry.games.records import CHOOSE, END_OF_TURN, PER_CARD, PLAY_DRAWN, RANDOM_CARD, WHEN_EMPTY
from simsorry.jit import inner, small, stay_apart

U = np.uint64

MAX_HELD = 64  # room for the cards of a hand
VALUES = 16  # room for the values of cards
NO_CARD = U(15)

NOT_OFFERED, THROWING, PASSING = U(0), U(1), U(2)  # how a player may do without a play

SCRATCH_FIELDS = [
    # by table seat
    ("hand", np.uint8, (4 * MAX_HELD,)),  # the cards, the one held longest first
    ("held", np.uint64, (4,)),  # how many
    ("have", np.uint8, (4 * VALUES,)),  # how many of each value
    ("values", np.uint64, (4,)),  # the values held, as bits
    ("turns_had", np.uint64, (4,)),  # in this round of the match
    # of all
    ("again", np.uint64),  # whether the card to come is one that a 2 gives
    ("drawn", np.uint64),  # the card drawn in place of a 2
    ("discard", np.uint8, (256,)),
    ("discarded", np.uint64),
    ("kept_out", np.uint64),  # how many of the discards, the last, stay out of a reshuffle
]

_0, _1 = U(0), U(1)
_HELD, _VALUES = U(MAX_HELD), U(VALUES)
_THROWN = U(1 << 32)  # which word of a decision's luck picks the card that is thrown in at random; ties use the lower ones


@inner
def deal(R, X):
    """A full pile, and from it a hand to everybody, a card at a time from the first player on (F-40)."""
    stay_apart()
    for i in range(R.deck_size):
        X.deck[U(i)] = R.deck[U(i)]
    X.left = R.deck_size
    X.left_worth = R.deck_worth
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


@small
def set_out(R, X):
    """The cards as a round begins: hands dealt, or all of them in the pile."""
    if R.hand_size != _0:
        deal(R, X)
    else:
        deck.fill(R, X)


@small
def hold(X, seat, cards):
    """Gives a player a hand, an array of cards, the one held longest first."""
    X.values[seat] = _0
    X.held[seat] = U(len(cards))
    for value in range(VALUES):
        X.have[seat * _VALUES + U(value)] = 0
    for i in range(len(cards)):
        card = U(cards[i])
        X.hand[seat * _HELD + U(i)] = card
        X.have[seat * _VALUES + card] += 1
        X.values[seat] |= _1 << card


@inner
def reshuffle(R, X):
    """The discards become the pile, but for those that are kept out (H-9, HQ23)."""
    stay_apart()
    returning = X.discarded - X.kept_out
    if returning == _0:
        return
    X.left_worth = 0
    for i in range(returning):
        X.deck[U(i)] = X.discard[U(i)]
        X.left_worth += R.worth[U(X.discard[U(i)])]
    for i in range(X.kept_out):
        X.discard[U(i)] = X.discard[returning + U(i)]
    X.left = returning
    X.discarded = X.kept_out
    X.reshuffles += 1


@small
def draw(R, X, seat):
    """The next card of the pile, or NO_CARD where all are in hands."""
    if X.left == _0:
        reshuffle(R, X)
    if X.left == _0:
        return NO_CARD
    at = rng.below(rng.word(X.cards_key, X.draws), X.left)
    X.draws += _1
    card = U(X.deck[at])
    deck.note_luck(R, X, seat, card)
    if R.replacement == _0:
        X.left -= _1
        X.deck[at] = X.deck[X.left]
        if X.left == _0 and R.reshuffle_at_last != _0:
            reshuffle(R, X)
    return card


@inner
def draw_to_hand(R, X, seat):
    """Draws a card into a hand; returns it, or NO_CARD."""
    stay_apart()
    card = draw(R, X, seat)
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
    if R.hand_refill == U(PER_CARD):
        X.drawn = fill_up(R, X, seat)
    elif again != _0 and R.two_in_hand == U(PLAY_DRAWN):
        X.drawn = draw_to_hand(R, X, seat)
        X.kept_out = X.kept_out if X.drawn == NO_CARD else _0
    if X.held[seat] == _0 or (R.two_in_hand == U(PLAY_DRAWN) and X.drawn == NO_CARD):
        return _0
    return again


@small
def fill_for_next_turn(R, X, seat):
    """Draws what is due at the end of a turn."""
    if R.hand_refill == U(END_OF_TURN) or X.held[seat] == _0:
        fill_up(R, X, seat)
    X.kept_out = _0


# -- what a hand offers besides moving pawns ----------------------------------------------------------


@small
def playable(R, X, seat):
    """The values that may be played now, as bits: those of the hand, or after a 2 that of the card drawn in its place (FQ19)."""
    only_drawn = X.again * U(R.two_in_hand == U(PLAY_DRAWN))
    return X.values[seat] & (_1 << X.drawn) if only_drawn != _0 else X.values[seat]


@small
def declining(R, X, seat):
    """How a player may do without the plays listed, ``X.outcomes`` of them and ``X.compulsory`` compulsory (rulebook 13.1, 13.6).

    THROWING a card in, PASSING, or neither. ``R.must_move``: whether a compulsory play must be made.
    """
    if X.compulsory != _0 and R.must_move != _0:
        return NOT_OFFERED
    if X.outcomes != _0 and R.optional_playable != _0:
        return NOT_OFFERED
    ends = (X.again != _0 and R.stuck_throws == _0) or (X.turns_had[seat] == _0 and R.first_turn_skips != _0)
    if not ends:
        return THROWING
    return PASSING if X.outcomes != _0 else NOT_OFFERED


@small
def throwable(R, X, seat):
    """The cards that may be thrown in, as bits; the bit of NO_CARD stands for one at random (F-42, FQ23)."""
    if R.dead_hand == U(CHOOSE) or X.held[seat] == _0:
        return X.values[seat]
    return _1 << (NO_CARD if R.dead_hand == U(RANDOM_CARD) else U(X.hand[seat * _HELD]))


@small
def random_card(X, seat, luck):
    """A card of the hand, for one to be thrown in at random; ``luck`` is the random word of the decision."""
    return U(X.hand[seat * _HELD + rng.below(rng.word(luck, _THROWN), X.held[seat])])


@small
def throw_in(R, X, seat, card):
    """Lays a card down that is not played, and draws one for it."""
    lay_down(R, X, seat, card, _0)
    if R.hand_refill != U(WHEN_EMPTY):
        draw_to_hand(R, X, seat)
