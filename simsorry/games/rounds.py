"""Who begins a round, and whether it goes on when somebody has finished."""

import numpy as np

from simsorry import rng
from simsorry.games.records import END_ALL, END_FIRST, FIRST_FIXED, FIRST_ROTATE, LEADER_NEXT, LEADER_WINNER
from simsorry.jit import small

U = np.uint64

MAX_CHAIN = 10_000  # a turn that has not ended after so many cards never will: a game is cut off there

_0, _1 = U(0), U(1)


@small
def first_seat(R, key, game):
    """The table seat that begins (HQ1, SQ13); ``key`` is that of the stream for it."""
    if R.first_player == U(FIRST_FIXED):
        return _0
    if R.first_player == U(FIRST_ROTATE):
        return game % R.players
    return rng.below(rng.word(key, _0), R.players)


@small
def next_first_seat(R, X, key):
    """Who begins the next round of a match."""
    if R.next_leader == U(LEADER_WINNER):
        return X.winner
    if R.next_leader == U(LEADER_NEXT):
        return (X.first_seat + _1) % R.players
    return rng.below(rng.word(key, _0), R.players)


@small
def goes_on(R, finished, sides):
    """Whether a round goes on for places when so many of its sides, players or teams, have finished (H-30, H-37, F-15, HQ25)."""
    if R.game_end == U(END_FIRST):
        return False
    return finished + _1 < sides or (R.game_end == U(END_ALL) and finished < sides)
