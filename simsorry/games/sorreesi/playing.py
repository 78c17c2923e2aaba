"""Blocks of games, and everybody's way to choose: what Python calls to have games played.

A decision is carried out as in ``kernel``; who looks ahead chooses by play-outs (``lookahead``), and who is asked in Python, there.
"""

import numpy as np

from simsorry import rng
from simsorry.games import audit, lookahead
from simsorry.games.records import words_of
from simsorry.games.sorreesi import kernel
from simsorry.games.sorreesi.counting import AUDITED, audit_step, take_stock, write_game, write_seat
from simsorry.games.sorreesi.scoring import position_score
from simsorry.games.sorreesi.state import LASTING
from simsorry.games.sorreesi.uses import expand
from simsorry.jit import entry, inner, small, stay_apart

U = np.uint64

_0 = U(0)


# -- play-outs ---------------------------------------------------------------------------------------


@small
def prepare(_R, X, Y, _at, _seat, luck, number, key):
    """Has the other scratch record at the same decision, with dice, cards and fights of its own."""
    Y.outcomes = X.outcomes
    Y.roll_lost = _0
    Y.fights_key = rng.word(key, _0)
    Y.dice_key = rng.key_for(lookahead.first_word(luck, number), Y.rolled)
    Y.cards_key = rng.key_for(lookahead.other_word(luck, number), Y.draws)


@small
def close_first(R, X, Y, at):
    """Makes the use that a play-out begins with."""
    return kernel.close_decision(R, Y, X.action[at])


@inner
def step_of(R, Q, Y):
    """One decision of a play-out."""
    stay_apart()
    return kernel.step(R, Q, Y)


# -- the game ----------------------------------------------------------------------------------------


@inner
def complete(_R, X):
    """Writes all uses out."""
    stay_apart()
    expand(X)


@small
def taken(X, at):
    """The use that an outcome is."""
    return X.action[at]


@small
def before_decision(R, X):
    """What is looked at before a decision of an audited game."""
    audit.before_step(R, X, AUDITED)


@small
def begin_match(_R, _X, _game):
    """Nothing: a game is no match."""


@small
def end_round(_R, _X):
    """Nothing more to count; there is no other round."""
    return False


judge = lookahead.judging(position_score)
step_of_game, play_games = lookahead.playing(
    lookahead.playing_out(LASTING, prepare, close_first, step_of, judge),
    kernel.step,
    kernel.open_decision,
    kernel.choose,
    kernel.close_decision,
    kernel.luck_now,
    kernel.note_choice,
    complete,
    taken,
    before_decision,
    audit_step,
    begin_match,
    kernel.set_up,
    take_stock,
    end_round,
    kernel.set_up,
    write_game,
    write_seat,
)


@entry
def play_sorreesi(tables, line_ups, scratch, ghost, words, copy, seed, first_game, at, answer, games, seats, audits):
    """Plays on in a block of games, from the game in column ``at`` on, until all are over or a player is asked in Python.

    ``tables``, ``scratch``: 1-element records; ``line_ups``: that of the table and, where somebody looks ahead, how each of its seats
    imagines everybody to play; ``ghost``: a second scratch record, for play-outs; ``words``, ``copy``: both as uint64[...]; ``games``:
    int32[len(GAME_COLUMNS), n] and ``seats``: int32[len(SEAT_COLUMNS), n * players], which are filled, from number ``first_game`` on;
    ``audits``: int64[audited.chunks(first_game, n), audited.SIZE], to which is added. ``answer``: the outcome that the player who was
    asked in column ``at`` takes, or -1 if the game there is still to begin. Returns the column in which somebody is asked now; n once all
    games are over; or -1 if a decision had too many outcomes.
    """
    return play_games(tables[0], line_ups, scratch[0], ghost[0], words, copy, seed, first_game, at, answer, games, seats, audits)


@entry
def step_deep(tables, line_ups, scratch, ghost, words, copy, answer):
    """Resolves one card where somebody looks ahead, or is asked; returns 1 if the round goes on, 0 if not, -1 if the player is asked now.

    Everything as for ``play_sorreesi``.
    """
    return step_of_game(tables[0], line_ups, scratch[0], ghost[0], words, copy, answer)


def play_block(tables, line_up, scratch, seed, first_game, games, seats, audits):
    """Plays as many games as ``games`` has columns where everybody goes by weights; returns 0, or a code that says why it gave up.

    ``line_up``: 1-element record; the rest as for ``play_sorreesi``.
    """
    words = words_of(scratch)
    at = play_sorreesi(tables, line_up, scratch, scratch, words, words, seed, first_game, 0, -1, games, seats, audits)
    return kernel.TOO_MANY_OUTCOMES if at < 0 else kernel.OK
