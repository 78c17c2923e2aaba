"""Where everybody stands, and the rows of the tables."""

import numpy as np

from simsorry.games.columns import NOBODY
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.columns import GAME, GAME_COLUMNS, SEAT
from simsorry.games.sorreesi.state import ACTED, CHOSE, TALLY, tally_at, togo_of, turns_of
from simsorry.games.standings import place_of, side_of_seat
from simsorry.jit import inner, stay_apart
from simsorry.lanes import count, equal

U = np.uint64

HOME = U(t.HOME)
_0, _32 = U(0), U(32)
_NOBODY = U(NOBODY)

# Columns of the games table that are sums over the seats, and the counts that they sum.
_SUMMED = {
    "rolls": "rolls", "doubles": "doubles", "draws": "draws", "dice_turns": "dice_turns", "card_turns": "card_turns",
    "both_turns": "both_turns", "dice_used": "dice_used", "cards_used": "cards_used", "hops": "hops", "passes": "passes",
    "starts": "starts", "starts_dice": "starts_dice", "start_turns": "start_turns", "bumps": "given", "bumps_sorry": "sorry_bumps",
    "bumps_fight": "fight_bumps", "partner_bumps": "partner", "multi_captures": "multi", "fights": "fights",
    "fights_lost": "fights_lost", "fight_ties": "ties", "bonuses_earned": "earned", "bonuses_used": "used", "bonuses_lost": "lost",
    "home_bonuses_earned": "home_earned", "home_bonuses_used": "home_used", "third_doubles": "third", "penalties": "penalties",
    "swaps": "swaps", "splits": "splits", "backs": "backs", "homes": "homes",
}  # fmt: skip
_OF_SEATS = {
    "rolls": "rolls", "draws": "draws", "starts": "starts", "bumps_given": "given", "bumps_taken": "taken", "partner_bumps": "partner",
    "partner_moves": "partner_moves", "fights": "fights", "fights_lost": "fights_lost", "bonuses_earned": "earned",
    "bonuses_used": "used", "bonuses_lost": "lost", "penalties": "penalties", "swaps": "swaps", "first_start": "first_start",
}  # fmt: skip
SUM_COLUMN = np.array([int(getattr(GAME, name)) for name in _SUMMED], np.uint64)
SUM_TALLY = np.array([int(getattr(TALLY, name)) for name in _SUMMED.values()], np.uint64)
SEAT_COLUMN = np.array([int(getattr(SEAT, name)) for name in _OF_SEATS], np.uint64)
SEAT_TALLY = np.array([int(getattr(TALLY, name)) for name in _OF_SEATS.values()], np.uint64)
COLUMNS = len(GAME_COLUMNS)


# -- standings ---------------------------------------------------------------------------------------


@inner
def take_stock(R, X):
    """What every player has to go, and the pawns HOME (``standings``); lanes without a pawn do not count."""
    stay_apart()
    for s in range(R.players):
        word = X.word[U(R.seat_color[U(s)])]
        X.stock_togo[U(s)] = np.int32(togo_of(R, word))
        X.stock_home[U(s)] = np.int32(count(equal(word, HOME)))


# -- rows --------------------------------------------------------------------------------------------


@inner
def write_game(R, X, i, games):
    """One row of the games table, but for what is summed over the seats."""
    stay_apart()
    for column in range(COLUMNS):
        games[U(column), i] = 0
    won = X.winner != _NOBODY
    games[GAME.winner, i] = np.int32((X.winner + R.players - X.opening_seat) % R.players) if won else NOBODY
    games[GAME.winner_color, i] = np.int32(R.seat_color[X.winner]) if won else NOBODY
    games[GAME.first_seat, i] = np.int32(X.opening_seat)
    games[GAME.capped, i] = X.capped
    games[GAME.turns, i] = X.turns_to_win
    games[GAME.turns_all, i] = np.int32(X.turns)
    games[GAME.rounds, i] = X.rounds
    games[GAME.choices, i] = np.int32(X.decisions)
    games[GAME.outcomes, i] = np.int32(X.outcomes_sum)
    games[GAME.lead_changes, i] = X.lead_changes
    games[GAME.reshuffles, i] = X.reshuffles
    games[GAME.digest, i] = np.int32(np.uint32(X.digest >> _32))


@inner
def write_seat(R, X, i, order, games, seats):
    """One row of the seats table, and its share of the game's sums."""
    stay_apart()
    seat = (X.opening_seat + U(order)) % R.players
    row = np.int64(i) * np.int64(R.players) + np.int64(order)
    base = tally_at(seat, _0)
    idle, forced, declined, chose = X.tally[base], X.tally[base + ACTED], X.tally[base + CHOSE], X.tally[base + ACTED + CHOSE]
    seats[SEAT.color, row] = np.int32(R.seat_color[seat])
    seats[SEAT.table_seat, row] = np.int32(seat)
    seats[SEAT.won, row] = 1 if X.winner != _NOBODY and side_of_seat(R, seat) == side_of_seat(R, X.winner) else 0
    seats[SEAT.place, row] = place_of(R, X, seat)
    seats[SEAT.turns, row] = turns_of(X, seat)
    seats[SEAT.dead_turns, row] = idle + declined
    seats[SEAT.choice_turns, row] = declined + chose
    seats[SEAT.pips_left, row] = X.pips_left[seat]
    seats[SEAT.pawns_home, row] = X.pawns_home[seat]
    for k in range(len(SEAT_COLUMN)):
        seats[SEAT_COLUMN[U(k)], row] = X.tally[base + SEAT_TALLY[U(k)]]
    games[GAME.dead_turns, i] += idle + declined
    games[GAME.forced_turns, i] += forced
    games[GAME.choice_turns, i] += declined + chose
    for k in range(len(SUM_COLUMN)):
        games[SUM_COLUMN[U(k)], i] += X.tally[base + SUM_TALLY[U(k)]]
