"""The draw pile: drawing without ever shuffling, and what happens when it runs out.

A scratch record holds the pile: ``deck`` (card numbers), ``left`` (how many of its first cards are still to be
drawn) and ``draws`` (cards drawn so far). A random word picks one of the cards left and swaps it behind them, so
cards ``left`` and up are the discards, and making them the new pile is setting ``left`` back (H-9, HQ23).
"""

import numpy as np

from simsorry import rng
from simsorry.jit import small

U = np.uint64
_0, _1 = U(0), U(1)


@small
def fill(R, X):
    """A full pile."""
    for i in range(R.deck_size):
        X.deck[U(i)] = R.deck[U(i)]
    X.left = R.deck_size


@small
def reshuffle(R, X, in_play):
    """The discards become the pile; the ``in_play`` last cards drawn, still being played, stay out if the rules say so."""
    X.left = R.deck_size
    if R.exclude_in_play != _0 and in_play < R.deck_size:
        for i in range(in_play):  # they stand first, the last one drawn foremost
            last = R.deck_size - _1 - U(i)
            card = X.deck[U(i)]
            X.deck[U(i)] = X.deck[last]
            X.deck[last] = card
        X.left = R.deck_size - in_play
    X.reshuffles += 1


@small
def draw(R, X, key, in_play):
    """Draws the next card; ``in_play`` is 1 if the card before it is still being played, else 0."""
    if X.left == _0:
        reshuffle(R, X, in_play)
    at = rng.below(rng.word(key, X.draws), X.left)
    X.draws += _1
    card = X.deck[at]
    if R.replacement == _0:
        left = X.left - _1
        X.left = left
        X.deck[at] = X.deck[left]
        X.deck[left] = card
        if left == _0 and R.reshuffle_at_last != _0:
            reshuffle(R, X, _1 + in_play)
    return U(card)
