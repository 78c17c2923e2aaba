"""Blocks of games, and everybody's way to choose: what Python calls to have games played.

A decision is carried out as in ``kernel``; who looks ahead chooses by play-outs (``lookahead``), and who is asked in Python, there.
"""

import numpy as np

from simsorry import rng
from simsorry.games import audit, lookahead
from simsorry.games.columns import NOBODY
from simsorry.games.records import words_of
from simsorry.games.sorreesi import kernel
from simsorry.games.sorreesi.counting import AUDITED, audit_step, take_stock, write_game, write_seat
from simsorry.games.sorreesi.scoring import position_score
from simsorry.games.sorreesi.state import LASTING
from simsorry.games.sorreesi.uses import expand
from simsorry.jit import entry, inner, small, stay_apart

U = np.uint64

_0, _1 = U(0), U(1)
_NOBODY = U(NOBODY)

judge = lookahead.judging(position_score)


@inner
def step_of(R, Q, Y):
    """One decision of a play-out."""
    stay_apart()
    return kernel.step(R, Q, Y)


@inner
def play_out(R, Q, X, Y, words, copy, at, seat, luck, number):
    """Plays on from an outcome; returns what it counts for the player's side. ``Q`` is how everybody plays there."""
    stay_apart()
    for i in range(LASTING):
        copy[i] = words[i]
    Y.outcomes = X.outcomes
    Y.roll_lost = _0
    key = lookahead.begin_playout(Y, luck, number)
    Y.fights_key = rng.word(key, _0)
    Y.dice_key = rng.key_for(lookahead.first_word(luck, number), Y.rolled)
    Y.cards_key = rng.key_for(lookahead.other_word(luck, number), Y.draws)
    last = X.turns + _1 + Q.horizon[seat]
    going = kernel.close_decision(R, Y, X.action[at])
    while going and Y.winner == _NOBODY and Y.turns < last:
        going = step_of(R, Q, Y)
    return judge(R, Q, Y, seat)


# -- the game ----------------------------------------------------------------------------------------


@small
def play_decision(R, Q, X):
    """One decision where everybody goes by weights, looked at more closely if the game is audited."""
    if X.audited != _0:
        audit.before_step(R, X, AUDITED)
    going = kernel.step(R, Q, X)
    if X.audited != _0:
        audit_step(R, X)
    return going


@inner
def open_decision(R, Q, X):
    """Comes to a decision, of an audited game too."""
    stay_apart()
    if X.audited != _0:
        audit.before_step(R, X, AUDITED)
    kernel.open_decision(R, Q, X)


@inner
def close_decision(R, X, action):
    """Makes a use, if there is any, in an audited game too; returns whether the game goes on."""
    stay_apart()
    going = kernel.close_decision(R, X, action)
    if X.audited != _0:
        audit_step(R, X)
    return going


@inner
def complete(_R, X):
    """Counts the decision, and writes all its uses out."""
    stay_apart()
    kernel.note_choice(X, X.outcomes)
    expand(X)


@small
def taken(X, at):
    """The use that an outcome is."""
    return X.action[at]


_look_ahead = lookahead.looking_ahead(play_out)


@inner
def look_ahead(R, Q, X, Y, words, copy, seat, luck):
    """The use to make, by play-outs."""
    stay_apart()
    if Q.weighted[seat] == _0:  # or the weights have them written out
        expand(X)
    return taken(X, _look_ahead(R, Q, X, Y, words, copy, seat, luck))


@small
def begin_match(_R, _X, _game):
    """Nothing: a game is no match."""


@inner
def end_game(R, X):
    """Ends a game, audited or not; returns that there is no other round."""
    stay_apart()
    take_stock(R, X)
    if X.audited != _0:
        audit.end_round(R, X)
    return False


@inner
def write_rows(R, X, first_game, i, games, seats, audits):
    """The rows of a game that is over."""
    stay_apart()
    if X.audited != _0:
        audit.write_chunk(X, first_game, first_game + U(i), audits)
    write_game(R, X, i, games)
    for order in range(R.players):
        write_seat(R, X, i, order, games, seats)


step_of_game, play_games = lookahead.playing(
    play_decision,
    look_ahead,
    kernel.luck_now,
    open_decision,
    kernel.choose,
    close_decision,
    complete,
    taken,
    begin_match,
    kernel.set_up,
    end_game,
    write_rows,
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


def play_deep(*given):
    """``play_sorreesi``, where somebody looks ahead or is asked in Python."""
    return play_sorreesi(*given)
