"""Where everybody stands, and the rows of the tables."""

import numpy as np

from simsorry.games import audit, audited, course
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.columns import GAME, GAME_COLUMNS, SEAT
from simsorry.games.sorreesi.state import ACTED, CHOSE, NO_CARD, TALLY, togo_of, turns_of
from simsorry.games.standings import place_of
from simsorry.games.tallies import matched, tally_at, write_course, write_player
from simsorry.jit import inner, stay_apart
from simsorry.lanes import below, count, equal, get

U = np.uint64

BASE, HOME = U(t.BASE), U(t.HOME)
_0, _1 = U(0), U(1)

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
SUM_COLUMN, SUM_TALLY = matched(GAME, TALLY, _SUMMED)
SEAT_COLUMN, SEAT_TALLY = matched(SEAT, TALLY, _OF_SEATS)
COLUMNS = len(GAME_COLUMNS)
# How the use of a card is known (``audited.USES``); a card is never passed or thrown in.
AUDITED = np.array([TALLY.starts, TALLY.splits, TALLY.swaps, TALLY.backs, TALLY.sorry_bumps], np.uint64)
AT_START, AT_SAFE, AT_HOME = U(audited.AT_START), U(audited.AT_SAFE), U(audited.AT_HOME)
_STRIDE = U(t.STRIDE)


# -- standings ---------------------------------------------------------------------------------------


@inner
def take_stock(R, X):
    """What every player has to go, and the pawns HOME, in the base and safe (``standings``); lanes without a pawn do not count."""
    stay_apart()
    for s in range(R.players):
        word = X.word[U(R.seat_color[U(s)])]
        home = count(equal(word, HOME))
        X.stock_togo[U(s)] = np.int32(togo_of(R, word))
        X.stock_home[U(s)] = np.int32(home)
        X.stock_start[U(s)] = np.int32(count(equal(word, BASE)))
        X.stock_safe[U(s)] = np.int32(count(below(word, R.path + _1)) - home)


@inner
def note_round_end(R, X):
    """What is noted at a round end."""
    stay_apart()
    take_stock(R, X)
    course.note_round(R, X)
    if X.audited != _0:
        draw_board(R, X)
        audit.note_round_end(R, X)


# -- audited games -----------------------------------------------------------------------------------


@inner
def draw_board(R, X):
    """Draws the pawns of all colors that have moved on the audited board."""
    stay_apart()
    for number in range(4):
        color = U(number)
        word = X.word[color]
        if word == X.drawn_word[color]:
            continue
        X.drawn_word[color] = word
        audit.clear_color(X, color)
        for lane in range(R.pawns):
            place = get(word, U(lane))
            if place == HOME:
                audit.put_pawn(X, color, AT_HOME, 0)
            elif place == BASE:
                audit.put_pawn(X, color, AT_START, 0)
            elif place <= R.path:
                audit.put_pawn(X, color, AT_SAFE, place)
            elif place < BASE:
                audit.put_pawn(X, color, U(R.square[color * _STRIDE + place]), place)


@inner
def begin_audit(R, X):
    """Begins an audited game."""
    stay_apart()
    for number in range(4):
        X.drawn_word[U(number)] = _0
        audit.clear_color(X, U(number))
    draw_board(R, X)
    take_stock(R, X)
    audit.begin_round(R, X)


@inner
def audit_step(R, X):
    """Counts what a decision has come to; where a die is used and a card found useless after it, the card is counted as useless."""
    stay_apart()
    draw_board(R, X)
    take_stock(R, X)
    idle = X.idle_card != NO_CARD
    audit.after_step(R, X, AUDITED, X.idle_card if idle else X.did_card, not idle, idle, _0)


# -- rows --------------------------------------------------------------------------------------------


@inner
def write_game(R, X, i, games):
    """One row of the games table, but for what is summed over the seats."""
    stay_apart()
    for column in range(COLUMNS):
        games[U(column), i] = 0
    write_course(GAME, R, X, i, games)
    games[GAME.turns_all, i] = np.int32(X.turns)
    games[GAME.choices, i] = np.int32(X.decisions)
    games[GAME.outcomes, i] = np.int32(X.outcomes_sum)


@inner
def write_seat(R, X, i, order, games, seats):
    """One row of the seats table, and its share of the game's sums."""
    stay_apart()
    seat = (X.opening_seat + U(order)) % R.players
    row = np.int64(i) * np.int64(R.players) + np.int64(order)
    base = tally_at(seat, _0)
    idle, forced, declined, chose = X.tally[base], X.tally[base + ACTED], X.tally[base + CHOSE], X.tally[base + ACTED + CHOSE]
    write_player(SEAT, R, X, seat, row, place_of(R, X, seat), seats)
    seats[SEAT.turns, row] = turns_of(X, seat)
    seats[SEAT.dead_turns, row] = idle + declined
    seats[SEAT.choice_turns, row] = declined + chose
    for k in range(len(SEAT_COLUMN)):
        seats[SEAT_COLUMN[U(k)], row] = X.tally[base + SEAT_TALLY[U(k)]]
    games[GAME.dead_turns, i] += idle + declined
    games[GAME.forced_turns, i] += forced
    games[GAME.choice_turns, i] += declined + chose
    for k in range(len(SUM_COLUMN)):
        games[SUM_COLUMN[U(k)], i] += X.tally[base + SUM_TALLY[U(k)]]
