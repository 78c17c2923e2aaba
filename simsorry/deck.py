"""The draw pile: drawing without ever shuffling, and what happens when it runs out.

A scratch record holds the pile: ``deck`` (card numbers), ``left`` (how many of its first cards are still to be
drawn) and ``draws`` (cards drawn so far). A random word picks one of the cards left and swaps it behind them, so
cards ``left`` and up are the discards, and making them the new pile is setting ``left`` back (H-9, HQ23).

Beside it runs everybody's *luck*: what each card drawn is worth more than the average of those it was drawn from. Whatever the cards are
said to be worth, that is 0 on average, and what came before says nothing about it.
"""

import numpy as np

from simsorry import rng
from simsorry.jit import small

U = np.uint64
_0, _1 = U(0), U(1)

LUCK_BITS = 16  # luck is counted in 1/2^16 squares
_RECIPROCAL = np.array([0] + [round((1 << LUCK_BITS) / cards) for cards in range(1, 257)], np.int64)
SCRATCH_FIELDS = [
    ("left_worth", np.int64),  # of the cards left
    ("luck", np.int64, (4,)),  # by table seat
]


@small
def clear_luck(X):
    """Nobody has been lucky yet."""
    for seat in range(4):
        X.luck[U(seat)] = 0


@small
def fill(R, X):
    """A full pile."""
    for i in range(R.deck_size):
        X.deck[U(i)] = R.deck[U(i)]
    X.left = R.deck_size
    X.left_worth = R.deck_worth


@small
def reshuffle(R, X, in_play):
    """The discards become the pile; the ``in_play`` last cards drawn, still being played, stay out if the rules say so."""
    X.left = R.deck_size
    X.left_worth = R.deck_worth
    if R.exclude_in_play != _0 and in_play < R.deck_size:
        for i in range(in_play):  # they stand first, the last one drawn foremost
            last = R.deck_size - _1 - U(i)
            card = X.deck[U(i)]
            X.deck[U(i)] = X.deck[last]
            X.deck[last] = card
            X.left_worth -= R.worth[U(card)]
        X.left = R.deck_size - in_play
    X.reshuffles += 1


@small
def note_luck(R, X, seat, card):
    """Adds what a card just drawn is worth more than the average of those that were left, to the luck of a seat."""
    worth = R.worth[card]
    X.luck[seat] += (worth * np.int64(X.left) - X.left_worth) * _RECIPROCAL[X.left]
    if R.replacement == _0:
        X.left_worth -= worth


@small
def draw(R, X, key, in_play):
    """Draws the next card; ``in_play`` is 1 if the card before it is still being played, else 0."""
    if X.left == _0:
        reshuffle(R, X, in_play)
    at = rng.below(rng.word(key, X.draws), X.left)
    X.draws += _1
    card = X.deck[at]
    note_luck(R, X, X.seat, U(card))
    if R.replacement == _0:
        left = X.left - _1
        X.left = left
        X.deck[at] = X.deck[left]
        X.deck[left] = card
        if left == _0 and R.reshuffle_at_last != _0:
            reshuffle(R, X, _1 + in_play)
    return U(card)
