"""How a policy settles on one of the outcomes that it has scored, and what it weighs of the cards that it keeps."""

import numpy as np

from simsorry import rng
from simsorry.games.hands import VALUES
from simsorry.games.options import CARDS
from simsorry.jit import small

U = np.uint64

NO_SCORE = np.int64(-(1 << 62))  # less than any score

_0, _1 = U(0), U(1)
_VALUES, _CARDS = U(VALUES), U(len(CARDS))
_HOLDS_START, _VARIETY = _CARDS, _CARDS + _1  # behind the features of single cards


@small
def better_of(i, score, luck, chosen, best, ties):
    """The outcome chosen so far, its score and how many have that score, once outcome ``i`` has been looked at.

    Among equals every one is as likely to be left: the k-th of them takes the place of the one before with a chance of 1/k, drawn
    from the random word of the decision.
    """
    if score > best:
        return i, score, _1
    if score == best:
        ties += _1
        if rng.below(rng.word(luck, i), ties) == _0:
            chosen = i
    return chosen, best, ties


@small
def kept_value(Q, X, base, seat, card, last_starter):
    """The weighed features of what is left of a hand once a card, or none, is spent; what does not depend on the card is left out.

    ``base`` is where the policy's weights begin in ``Q.hand``; cards up to ``last_starter`` start pawns.
    """
    held = seat * _VALUES
    starters = np.int64(0)
    for number in range(last_starter + _1):
        starters += np.int64(X.have[held + U(number)])
    value = np.int64(0)
    if card < _CARDS:
        value -= Q.hand[base + card]
        if X.have[held + card] == 1:
            value -= Q.hand[base + _VARIETY]
        starters -= np.int64(card <= last_starter)
    return value + Q.hand[base + _HOLDS_START] * np.int64(starters > 0)
