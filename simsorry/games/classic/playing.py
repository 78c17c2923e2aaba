"""Blocks of games with any rules, hands and points, and everybody's way to choose: what Python calls to have games played.

A card is resolved as in ``match``; who looks ahead chooses by play-outs (``lookahead``), and who is asked in Python, there. The plainest
rulesets have a loop of their own (``kernel``), which plays the same games.
"""

import numpy as np

from simsorry.games import audit, lookahead
from simsorry.games.classic import kernel, match
from simsorry.games.classic.choices import carry_out_all
from simsorry.games.classic.counting import AUDITED, audit_step, take_stock, write_game, write_seat
from simsorry.games.classic.scoring import position_score
from simsorry.games.classic.state import LASTING
from simsorry.games.frames import frame_of
from simsorry.games.points import end_round, final_place
from simsorry.games.records import words_of
from simsorry.jit import entry, inner, small, stay_apart

U = np.uint64

_0, _1, _2, _3 = U(0), U(1), U(2), U(3)

# -- play-outs ---------------------------------------------------------------------------------------


@small
def prepare(R, X, Y, at, seat, luck, number, key):
    """Makes outcome ``at`` the only one of the other scratch record, and deals what nobody has seen."""
    base = at << _2
    Y.now_card = X.now_card
    Y.outcomes = _1
    Y.action[_0] = X.action[at]
    Y.card[_0] = X.card[at]
    Y.events[_0] = X.events[at]
    Y.result[_0] = X.result[base]
    Y.result[_1] = X.result[base + _1]
    Y.result[_2] = X.result[base + _2]
    Y.result[_3] = X.result[base + _3]
    lookahead.deal_cards(R, Y, seat, luck, number, key)


@small
def close_first(R, _X, Y, _at):
    """Takes the outcome that a play-out begins with."""
    return match.close_card(R, Y, _0)


@small
def step_of(R, Q, Y):
    """One card of a play-out."""
    return kernel.step(R, Q, Y) if R.single != _0 else match.step(R, Q, Y)


# -- the game ----------------------------------------------------------------------------------------


@inner
def complete(R, X):
    """Carries all outcomes out, where they were only listed."""
    stay_apart()
    if R.plain != _0:
        color = U(R.seat_color[X.seat])
        p0, p1, p2, p3 = frame_of(X, color)
        carry_out_all(R, X, color, p0, p1, p2, p3)


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
    lookahead.playing_out(LASTING, prepare, close_first, step_of, judge),
    match.step,
    match.open_card,
    match.choose,
    match.close_card,
    lookahead.luck_of_card,
    match.note_choice,
    complete,
    lookahead.itself,
    before_card,
    audit_step,
    match.begin_match,
    match.begin_round,
    take_stock,
    end_round,
    match.next_round,
    write_game,
    write_seat_of,
)


@entry
def play_matches(tables, line_ups, scratch, ghost, words, copy, seed, first_game, at, answer, games, seats, audits):
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

    Everything as for ``play_matches``.
    """
    return step_of_game(tables[0], line_ups, scratch[0], ghost[0], words, copy, answer)


def play_block(tables, line_up, scratch, seed, first_game, games, seats, audits):
    """Plays as many games as ``games`` has columns where everybody goes by weights; returns 0, or a code that says why it gave up.

    ``line_up``: 1-element record; the rest as for ``play_matches``.
    """
    if tables[0]["single"]:
        return kernel.play_single(tables, line_up, scratch, seed, first_game, games, seats, audits)
    words = words_of(scratch)
    at = play_matches(tables, line_up, scratch, scratch, words, words, seed, first_game, 0, -1, games, seats, audits)
    return kernel.TOO_MANY_OUTCOMES if at < 0 else kernel.OK
