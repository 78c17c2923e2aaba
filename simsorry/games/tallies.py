"""Counts of what happens, kept by table seat in the scratch field ``tally``, and the rows that are made of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from simsorry import deck
from simsorry.games import course
from simsorry.games.columns import NOBODY
from simsorry.games.options import MAX_BANDS
from simsorry.games.standings import side_of_seat
from simsorry.jit import small

U = np.uint64

STRIDE = 64  # room for the counts of a seat

# In games with cards a turn's kind is the sum of what it has had, and each kind has its own count, 0 to 7: the first of a seat's.
ACTED, CHOSE, CHOSE_THROW = U(1), U(2), U(4)
KINDS = 8
OF_TURNS = (*(f"turns_{kind}" for kind in range(KINDS)), "again", "cardless")  # then cards that a 2 gave, and turns without a card

_0, _6, _8, _9, _32 = U(0), U(6), U(8), U(9), U(32)
_NOBODY = U(NOBODY)


@small
def tally_at(seat, what):
    return (seat << _6) + what


@small
def tally(X, seat, what, n):
    """Adds to one count of a table seat."""
    X.tally[tally_at(seat, what)] += np.int32(n)


@small
def turns_of(X, seat):
    """Turns a table seat has had."""
    base = tally_at(seat, _0)
    turns = X.tally[base]
    for kind in range(1, KINDS):
        turns += X.tally[base + U(kind)]
    return turns


# -- rows ----------------------------------------------------------------------------------------------


def matched(columns: Any, tallies: Any, names: Mapping[str, str]) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of columns, and of the counts that they hold, from the names of both."""
    held = [int(getattr(columns, column)) for column in names], [int(getattr(tallies, count)) for count in names.values()]
    return np.array(held[0], np.uint64), np.array(held[1], np.uint64)


@small
def write_course(GAME, R, X, i, games):
    """The columns of the games table that all games write alike."""
    won = X.winner != _NOBODY
    games[GAME.winner, i] = np.int32((X.winner + R.players - X.opening_seat) % R.players) if won else NOBODY
    games[GAME.winner_color, i] = np.int32(R.seat_color[X.winner]) if won else NOBODY
    games[GAME.first_seat, i] = np.int32(X.opening_seat)
    games[GAME.capped, i] = X.capped
    games[GAME.turns, i] = X.turns_to_win
    games[GAME.rounds, i] = X.rounds
    games[GAME.lead_changes, i] = X.lead_changes
    games[GAME.reshuffles, i] = X.reshuffles
    course.write_watched(GAME.round_ends, X, i, games)
    games[GAME.digest, i] = np.int32(np.uint32(X.digest >> _32))


@small
def write_match(GAME, X, i, games):
    """The columns of the games table about matches."""
    games[GAME.turns_all, i] = X.turns_all
    games[GAME.match_rounds, i] = np.int32(X.match_round) + 1
    games[GAME.match_upsets, i] = X.upsets
    for k in range(MAX_BANDS):
        games[GAME.band_1 + U(k), i] = X.bonuses[U(k)]


@small
def write_player(SEAT, R, X, seat, row, place, seats):
    """The columns of the seats table that all games write alike."""
    seats[SEAT.color, row] = np.int32(R.seat_color[seat])
    seats[SEAT.table_seat, row] = np.int32(seat)
    seats[SEAT.won, row] = 1 if X.winner != _NOBODY and side_of_seat(R, seat) == side_of_seat(R, X.winner) else 0
    seats[SEAT.place, row] = place
    seats[SEAT.pips_left, row] = X.pips_left[seat]
    seats[SEAT.pawns_home, row] = X.pawns_home[seat]
    seats[SEAT.luck, row] = np.int32(X.luck[seat] >> np.int64(deck.LUCK_BITS - 8))
    course.write_ranks(SEAT.rank_25, X, seat, row, seats)


@small
def write_turns(GAME, SEAT, X, seat, i, row, games, seats):
    """A seat's turns, cards, points and rounds won in a game with cards, and what they add to the game's."""
    base = tally_at(seat, _0)
    turns, forced = turns_of(X, seat), X.tally[base + ACTED]
    acted = forced + X.tally[base + ACTED + CHOSE] + X.tally[base + ACTED + CHOSE_THROW] + X.tally[base + ACTED + CHOSE + CHOSE_THROW]
    dead, choice = turns - acted, turns - forced - X.tally[base]
    draws = turns + X.tally[base + _8] - X.tally[base + _9]
    seats[SEAT.points, row] = X.points[seat]
    seats[SEAT.match_rounds_won, row] = X.rounds_won[seat]
    seats[SEAT.turns, row] = turns
    seats[SEAT.draws, row] = draws
    seats[SEAT.dead_turns, row] = dead
    seats[SEAT.choice_turns, row] = choice
    games[GAME.draws, i] += draws
    games[GAME.dead_turns, i] += dead
    games[GAME.forced_turns, i] += forced
    games[GAME.choice_turns, i] += choice
    games[GAME.throw_choice_turns, i] += X.tally[base + CHOSE_THROW] + X.tally[base + ACTED + CHOSE_THROW]
