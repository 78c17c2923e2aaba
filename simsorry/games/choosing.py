"""How a policy settles on one of the outcomes that it has scored, what it weighs of the cards that it keeps, and when it is careless.

A policy is careless in a decision that it leaves to chance although it weighs something: every outcome is then as likely as any other,
as for a random player.
"""

import numpy as np

from simsorry import rng
from simsorry.games.course import way_of_side
from simsorry.games.hands import VALUES
from simsorry.games.options import CARDS
from simsorry.games.standings import of_side
from simsorry.games.weights import FALLIBLE, SHARE
from simsorry.jit import small

U = np.uint64

NO_SCORE = np.int64(-(1 << 62))  # less than any score

_0, _1 = U(0), U(1)
_32 = U(32)
_FALLIBLE, _SHARE = U(FALLIBLE), np.int64(SHARE)
_MISTAKE = U(1 << 33)  # which word of a decision's luck says whether it is a mistake; ties use the lower ones, ``hands`` another
_VALUES, _CARDS = U(VALUES), U(len(CARDS))
_HOLDS_START, VARIETY = _CARDS, _CARDS + _1  # behind the features of single cards

SCRATCH_FIELDS = [("careless", np.uint64)]  # table seats that choose at random for the rest of the round, as bits


@small
def note_progress(R, Q, X, seat):
    """At the beginning of a turn, stock taken: whether the player is so far that the policy no longer cares."""
    whole = way_of_side(R)
    if (whole - of_side(R, X.stock_togo, seat)) * _SHARE >= np.int64(Q.random_from[seat]) * whole:
        X.careless |= _1 << seat


@small
def is_careless(Q, X, seat, luck):
    """Whether a policy that weighs something leaves a decision to chance; ``luck`` is the random word of the decision."""
    if Q.weighted[seat] != _FALLIBLE:
        return False
    return (X.careless >> seat) & _1 != _0 or rng.word(luck, _MISTAKE) >> _32 < Q.mistakes[seat]


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
            value -= Q.hand[base + VARIETY]
        starters -= np.int64(card <= last_starter)
    return value + Q.hand[base + _HOLDS_START] * np.int64(starters > 0)
