"""Blocks of games, and everybody's way to choose: what Python calls to have games played.

A card is resolved as in ``kernel``; who looks ahead chooses by play-outs (``lookahead``), and who is asked in Python, there.
"""

import numpy as np

from simsorry.games import audit, lookahead
from simsorry.games.ice import kernel
from simsorry.games.ice.counting import AUDITED, audit_step, take_stock, write_game, write_seat
from simsorry.games.ice.scoring import position_score
from simsorry.games.ice.state import LASTING
from simsorry.games.points import final_place
from simsorry.games.records import words_of
from simsorry.jit import entry, small

U = np.uint64

_0, _1 = U(0), U(1)


@small
def prepare(R, X, Y, at, seat, luck, number, key):
    """Makes outcome ``at`` the only one of the other scratch record, and deals what nobody has seen."""
    Y.outcomes = _1
    Y.action[_0] = X.action[at]
    Y.card[_0] = X.card[at]
    Y.did_card = X.did_card
    lookahead.deal_cards(R, Y, seat, luck, number, key)


@small
def close_first(R, _X, Y, _at):
    """Takes the outcome that a play-out begins with."""
    return kernel.close_card(R, Y, _0)


@small
def complete(_R, _X):
    """Nothing: outcomes are at hand as they are listed."""


@small
def before_card(R, X):
    """What is looked at before a card of an audited game."""
    if R.hand_size != _0:
        audit.note_hand(X)
    audit.before_step(R, X, AUDITED)


@small
def write_seat_of(R, X, i, order, games, seats):
    """The row of a play-order seat."""
    write_seat(R, X, i, order, final_place(R, X, (X.opening_seat + U(order)) % R.players), games, seats)


judge = lookahead.judging(position_score)
step_of_game, play_games = lookahead.playing(
    lookahead.playing_out(LASTING, prepare, close_first, kernel.step, judge),
    kernel.step,
    kernel.open_card,
    kernel.choose,
    kernel.close_card,
    lookahead.luck_of_card,
    kernel.note_choice,
    complete,
    lookahead.itself,
    before_card,
    audit_step,
    kernel.begin_match,
    kernel.begin_round,
    take_stock,
    kernel.end_round,
    kernel.next_round,
    write_game,
    write_seat_of,
)


@entry
def play_ice(tables, line_ups, scratch, ghost, words, copy, seed, first_game, at, answer, games, seats, audits):
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

    Everything as for ``play_ice``.
    """
    return step_of_game(tables[0], line_ups, scratch[0], ghost[0], words, copy, answer)


def play_block(tables, line_up, scratch, seed, first_game, games, seats, audits):
    """Plays as many games as ``games`` has columns where everybody goes by weights; returns 0, or a code that says why it gave up.

    ``line_up``: 1-element record; the rest as for ``play_ice``.
    """
    words = words_of(scratch)
    at = play_ice(tables, line_up, scratch, scratch, words, words, seed, first_game, 0, -1, games, seats, audits)
    return kernel.TOO_MANY_OUTCOMES if at < 0 else kernel.OK
