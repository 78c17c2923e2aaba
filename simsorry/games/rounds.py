"""How a round begins, what a 2 brings, and whether it goes on when somebody has finished or the turn cap is reached."""

import numpy as np

from simsorry import rng
from simsorry.games.columns import NOBODY
from simsorry.games.course import begin_course
from simsorry.games.records import ALWAYS, END_ALL, END_FIRST, FIRST_FIXED, FIRST_ROTATE, IF_PLAYED, LEADER_NEXT, LEADER_WINNER
from simsorry.jit import inner, small, stay_apart

U = np.uint64

MAX_CHAIN = 10_000  # a turn that has not ended after so many cards never will: a game is cut off there

_0, _1, _8 = U(0), U(1), U(8)
_NOBODY = U(NOBODY)


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
def begin(X, seat):
    """Nothing has happened yet, and a seat is to move."""
    X.first_seat = seat
    X.seat = seat
    X.again = _0
    X.turn_kind = _0
    X.turns = _0
    X.finished = _0
    X.winner = _NOBODY
    X.leader = _NOBODY
    X.careless = _0
    begin_course(X)


@inner
def open_round(R, X, seed, game):
    """Begins a round of a match, but for pawns and cards: its chance streams, and the player who begins (HQ1, H-30)."""
    stay_apart()
    purpose = X.match_round << _8
    X.cards_key = rng.stream(seed, game, rng.CARDS + purpose)
    X.choices_key = rng.stream(seed, game, rng.CHOICES + purpose)
    first_key = rng.stream(seed, game, rng.FIRST_PLAYER + purpose)
    X.draws = _0
    X.resolved = _0
    X.chain = _0
    if X.match_round == _0:
        X.opening_seat = first_seat(R, first_key, game)
        begin(X, X.opening_seat)
    else:
        begin(X, next_first_seat(R, X, first_key))
        # A round that others began is another one, even if all else comes to the same.
        X.digest = (X.digest ^ (X.first_seat + _1)) * rng.GOLDEN
    X.rounds += 1
    for s in range(R.players):
        X.turns_had[U(s)] = _0


@small
def two_brings_another(R, played):
    """1 if a 2 that is drawn brings another card; ``played``: whether it was (H-14, HQ4)."""
    return U(R.two_again == U(ALWAYS)) | (U(R.two_again == U(IF_PLAYED)) & played)


@small
def cut_off(X):
    """Ends a round that has reached the turn cap, and its match; whether nobody has won it, and standings are still to be noted."""
    X.capped = 1
    nobody = X.winner == _NOBODY
    if nobody:
        X.turns_to_win += np.int32(X.turns)
    return nobody


@small
def goes_on(R, finished, sides):
    """Whether a round goes on for places when so many of its sides, players or teams, have finished (H-30, H-37, F-15, HQ25)."""
    if R.game_end == U(END_FIRST):
        return False
    return finished + _1 < sides or (R.game_end == U(END_ALL) and finished < sides)
