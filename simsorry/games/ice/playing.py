"""Blocks of games, and everybody's way to choose: what Python calls to have games played.

A card is resolved as in ``kernel``; who looks ahead chooses by play-outs (``lookahead``), and who is asked in Python, there.
"""

import numpy as np

from simsorry import rng
from simsorry.games import audit, lookahead
from simsorry.games.columns import NOBODY
from simsorry.games.ice import kernel
from simsorry.games.ice.counting import AUDITED, audit_step
from simsorry.games.ice.scoring import position_score
from simsorry.games.ice.state import LASTING
from simsorry.games.records import words_of
from simsorry.jit import entry, inner, small, stay_apart

U = np.uint64

_0, _1 = U(0), U(1)
_NOBODY = U(NOBODY)

judge = lookahead.judging(position_score)


@inner
def play_out(R, Q, X, Y, words, copy, at, seat, luck, number):
    """Plays on from an outcome; returns what it counts for the player's side. ``Q`` is how everybody plays there."""
    stay_apart()
    for i in range(LASTING):
        copy[i] = words[i]
    Y.outcomes = _1
    Y.action[_0] = X.action[at]
    Y.card[_0] = X.card[at]
    Y.did_card = X.did_card
    key = lookahead.begin_playout(Y, luck, number)
    if R.hand_size != _0:
        lookahead.deal_unseen(R, Y, seat, key)
    Y.cards_key = rng.key_for(lookahead.first_word(luck, number), Y.draws)
    last = X.turns + _1 + Q.horizon[seat]
    going = kernel.close_card(R, Y, _0)
    while going and Y.winner == _NOBODY and Y.turns < last:
        going = kernel.step(R, Q, Y)
    return judge(R, Q, Y, seat)


@small
def luck_now(X):
    """The random word of the decision that is open."""
    return rng.word(X.choices_key, X.resolved)


@small
def play_card(R, Q, X):
    """One card where everybody goes by weights, looked at more closely if the game is audited."""
    if X.audited == _0:
        return kernel.step(R, Q, X)
    if R.hand_size != _0:
        audit.note_hand(X)
    audit.before_step(R, X, AUDITED)
    going = kernel.step(R, Q, X)
    audit_step(R, X)
    return going


@inner
def open_card(R, Q, X):
    """Begins with a card, of an audited game too."""
    stay_apart()
    if X.audited != _0:
        if R.hand_size != _0:
            audit.note_hand(X)
        audit.before_step(R, X, AUDITED)
    kernel.open_card(R, Q, X)


@inner
def close_card(R, X, at):
    """Takes an outcome, if there is any, in an audited game too; returns whether the round goes on."""
    stay_apart()
    going = kernel.close_card(R, X, at)
    if X.audited != _0:
        audit_step(R, X)
    return going


@small
def complete(_R, X):
    """Counts the decision; its outcomes are at hand."""
    kernel.note_choice(X, X.outcomes)


step_of_game, play_games = lookahead.playing(
    play_card,
    lookahead.looking_ahead(play_out),
    luck_now,
    open_card,
    kernel.choose,
    close_card,
    complete,
    lookahead.itself,
    kernel.begin_match,
    kernel.begin_round,
    kernel.close_round,
    kernel.write_rows,
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


def play_deep(*given):
    """``play_ice``, where somebody looks ahead or is asked in Python."""
    return play_ice(*given)
