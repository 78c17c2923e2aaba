"""What is counted of a game: what each play brings about, where everybody stands, and the rows of the tables."""

import numpy as np

from simsorry.games import audit, audited, course, track
from simsorry.games.ice import tables as t
from simsorry.games.ice.actions import (
    BACK,
    FORWARD,
    NOTHING,
    PASS,
    SORRY,
    SPLIT,
    START,
    SWAP,
    THROW,
    first_part,
    kind_of,
    pawns_of,
    place_of,
    second_part,
    size_of,
    slots_of,
    target_of,
)
from simsorry.games.ice.columns import GAME, GAME_COLUMNS, SEAT
from simsorry.games.ice.moves import of_color, play_counted, play_sorry, play_start, play_swap
from simsorry.games.ice.piles import begin_change, covers_at, note_covers, top_of
from simsorry.games.ice.state import PLAY, TALLY, color_in, size_in
from simsorry.games.tallies import matched, tally, tally_at, turns_of, write_course, write_match, write_player, write_turns
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import lowest

U = np.uint64

_0, _1, _2, _3, _4, _6, _7 = U(0), U(1), U(2), U(3), U(4), U(6), U(7)
NOWHERE = U(t.NOWHERE)

# Columns that are counts of a seat, and in the games table sums over the seats.
_SUMMED = {
    "starts": "starts", "sorry_starts": "sorry_starts", "swaps": "swaps", "slides": "slides", "splits": "splits", "backs": "backs",
    "passes": "passes", "homes": "homes", "throws": "throws", "moves_small": "small", "moves_medium": "medium",
    "moves_large": "large", "stack_moves": "stack_moves", "carried": "carried", "swept": "swept", "covers": "covers",
    "stacks": "stacks", "pawns_freed": "freed", "pawn_turns": "pawn_turns", "covered_turns": "covered_turns",
}  # fmt: skip
_OF_SEATS = {
    "starts": "starts", "sorry_starts": "sorry_starts", "throws": "throws", "swaps": "swaps", "slides": "slides", "covers_given": "given",
    "covers_taken": "taken", "own_covers": "own", "carried": "carried", "pawn_turns": "pawn_turns", "covered_turns": "covered_turns",
    "first_start": "first_start",
}  # fmt: skip
SUM_COLUMN, SUM_TALLY = matched(GAME, TALLY, _SUMMED)
SEAT_COLUMN, SEAT_TALLY = matched(SEAT, TALLY, _OF_SEATS)
COLUMNS = len(GAME_COLUMNS)
# How the use of a card is known (``audited.USES``).
AUDITED = np.array([TALLY.starts, TALLY.splits, TALLY.swaps, TALLY.backs, TALLY.sorry_starts, TALLY.passes, TALLY.throws], np.uint64)
AT_START, AT_SAFE, AT_HOME = U(audited.AT_START), U(audited.AT_SAFE), U(audited.AT_HOME)
ZONE_SQUARES = track.HOME - track.ZONE
_WORDS = U(audit.WORDS)


# -- one play ------------------------------------------------------------------------------------------


@inner
def play(R, X, seat, action):
    """Carries an action that moves pawns out for good, and counts it."""
    stay_apart()
    color = U(R.seat_color[seat])
    begin_change(X, PLAY)
    kind = kind_of(action)
    home = X.on_home[color]
    if kind == SPLIT:
        key = count_moved(R, X, seat, color, FORWARD, first_part(action))
        key += count_moved(R, X, seat, color, FORWARD, second_part(action))
        tally(X, seat, TALLY.splits, 1)
    elif kind <= BACK and kind != START:
        key = count_moved(R, X, seat, color, kind, first_part(action))
        tally(X, seat, TALLY.backs, kind == BACK)
    elif kind == SWAP:
        place, level, other, other_level = slots_of(action)
        key = play_swap(R, X, color, place, level, other, other_level, PLAY)
        tally(X, seat, TALLY.swaps, 1)
    elif kind == START:
        key = play_start(R, X, color, size_of(action), PLAY)
        tally(X, seat, TALLY.starts, 1)
        count_rest(X, seat, _1)
    else:
        key = play_sorry(R, X, color, size_of(action), target_of(action), PLAY)
        tally(X, seat, TALLY.sorry_starts, 1)
        count_rest(X, seat, _1)
    X.placement += key
    if kind == SWAP or kind == SORRY:  # noqa: SIM109 - numba knows no membership of a tuple built anew
        tally(X, seat, TALLY.slides, X.rides)
        tally(X, seat, TALLY.swept, X.swept)
    tally(X, seat, TALLY.homes, X.on_home[color] - home)
    count_covers(R, X, seat, color)
    if X.tally[tally_at(seat, TALLY.first_start)] < 0:
        count_first_start(X, seat, kind)


@inner
def count_moved(R, X, seat, color, kind, what):
    """Plays a part of a move by a count of squares, and counts it; returns the change of the key."""
    stay_apart()
    place, pawns = place_of(what), pawns_of(what)
    at = (place << _6) + U(X.height[place]) - pawns
    others = _0
    for i in range(pawns):
        others += U(color_in(U(X.piece[at + U(i)])) != color)
    size = size_in(top_of(X, place))
    key = play_counted(R, X, color, kind, what, PLAY)
    tally(X, seat, TALLY.small + size, 1)
    tally(X, seat, TALLY.stack_moves, pawns > _1)
    tally(X, seat, TALLY.carried, others)
    tally(X, seat, TALLY.slides, X.rides)
    tally(X, seat, TALLY.swept, X.swept)
    if X.rest != NOWHERE:
        goes_apart = R.mixed != U(t.TOP_ONLY) and X.rest >= U(t.TRACK)  # into the safety zone, without the others
        count_rest(X, seat, pawns - others if goes_apart else pawns)
    return key


@small
def count_rest(X, seat, pawns):
    """Counts how the lowest of the moved pawns came to rest on the one beneath it."""
    below = U(X.height[X.rest]) - pawns
    if below != _0:
        covers = covers_at(X, (X.rest << _6) + below)
        tally(X, seat, TALLY.covers, covers)
        tally(X, seat, TALLY.stacks, _1 - covers)


@inner
def count_covers(R, X, seat, color):
    """Counts the pawns that a play has covered and freed."""
    stay_apart()
    note_covers(X, X.turns)
    # Of two stacks or more that begin on start circles only one can have lost a pawn.
    X.highest_pile = max(X.highest_pile, np.int32(R.quick[_0]) + np.int32(R.quick[_1]) + np.int32(R.quick[_2]))
    for number in range(4):
        count = X.cover_counts[U(number)]
        if count == 0:
            continue
        if U(number) == color:
            tally(X, seat, TALLY.own, count)
        else:
            tally(X, seat, TALLY.given, count)
            tally(X, U(R.color_seat[U(number)]), TALLY.taken, count)
    tally(X, seat, TALLY.freed, X.cover_counts[_4])


@small
def count_first_start(X, seat, kind):
    """Notes the own turn in which a color's first pawn has left START; only the first round of a match counts."""
    if kind != START and kind != SORRY:
        return
    if X.match_round == _0:
        X.tally[tally_at(seat, TALLY.first_start)] = turns_of(X, seat) + 1


@small
def count_idle(X, seat, kind):
    """Counts what moves no pawn."""
    tally(X, seat, TALLY.passes, kind == PASS)
    tally(X, seat, TALLY.throws, kind == THROW)


@small
def count_turn_end(R, X):
    """Counts what stands on the board at the end of a turn."""
    for s in range(R.players):
        color = U(R.seat_color[U(s)])
        tally(X, U(s), TALLY.pawn_turns, X.in_play[color])
        tally(X, U(s), TALLY.covered_turns, X.covered[color])
    X.pile_turns += X.piles


@inner
def close_covers(X):
    """At the end of a round: pawns that are still covered have been so until its last turn."""
    stay_apart()
    last = np.int32(X.turns) - 1
    for place in range(t.PLACES):
        for level in range(X.height[U(place)]):
            since = X.since[(U(place) << _6) + U(level)]
            if since >= 0:
                X.longest_cover = max(X.longest_cover, last - since)


# -- standings -----------------------------------------------------------------------------------------


@inner
def take_stock(R, X):
    """How far everybody has to go, and how many pawns everybody has HOME, on START and safe."""
    stay_apart()
    for s in range(R.players):
        color = U(R.seat_color[U(s)])
        waiting = U(X.start[color << _2]) + U(X.start[(color << _2) + _1]) + U(X.start[(color << _2) + _2])
        X.stock_togo[U(s)] = np.int32(waiting) * 65
        X.stock_home[U(s)] = np.int32(X.on_home[color])
        X.stock_start[U(s)] = np.int32(waiting)
        X.stock_safe[U(s)] = 0
        for z in range(ZONE_SQUARES):
            X.stock_safe[U(s)] += np.int32(X.height[U(t.TRACK) + color * U(ZONE_SQUARES) + U(z)])
    squares = X.occupied
    while squares != _0:
        count_togo(R, X, lowest(squares))
        squares &= squares - _1
    for place in range(t.TRACK, t.PLACES):
        count_togo(R, X, U(place))


@small
def count_togo(R, X, place):
    """Adds the squares that the pawns on a place have to go."""
    for level in range(X.height[place]):
        color = color_in(U(X.piece[(place << _6) + U(level)]))
        X.stock_togo[U(R.color_seat[color])] += np.int32(of_color(R.togo, color, place))


@inner
def note_finish(R, X):
    """Where every player stood when the winner finished, and what the pawns are worth."""
    stay_apart()
    take_stock(R, X)
    course.note_finish(R, X)
    for s in range(R.players):
        seat = U(s)
        color = U(R.seat_color[seat])
        X.home_worth[seat] = 0
        X.missing_worth[seat] = 0
        for size in range(3):
            home = np.int32(X.home[(color << _2) + U(size)])
            X.home_worth[seat] += home * R.worth_home[U(size)]
            X.missing_worth[seat] += (np.int32(R.pieces[U(size)]) - home) * R.worth_missing[U(size)]


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
    """Draws all pawns on the audited board."""
    stay_apart()
    for number in range(4):
        audit.clear_color(X, U(number))
    for p in range(t.PLACES):
        place = U(p)
        for level in range(X.height[place]):
            at = (place << _6) + U(level)
            color = color_in(U(X.piece[at]))
            audit.put_pawn(X, color, place if place < U(t.TRACK) else AT_SAFE, of_color(R.togo, color, place))
    for s in range(R.players):
        color = U(R.seat_color[U(s)])
        X.board[color * _WORDS + (AT_START >> _3)] += U(X.stock_start[U(s)]) << ((AT_START & _7) << _3)
        X.board[color * _WORDS + (AT_HOME >> _3)] += U(X.stock_home[U(s)]) << ((AT_HOME & _7) << _3)


@inner
def begin_audit(R, X):
    """Begins a round of an audited game."""
    stay_apart()
    take_stock(R, X)
    draw_board(R, X)
    audit.begin_round(R, X)


@inner
def audit_step(R, X):
    """Counts what a card has come to; hits are opponents' pawns that it has covered, where they are now."""
    stay_apart()
    take_stock(R, X)
    draw_board(R, X)
    kind = kind_of(X.did_action)
    hits = _0
    if kind <= SORRY:
        for number in range(X.newly_covered):
            color, place = U(X.cover_color[U(number)]), U(X.cover_place[U(number)])
            if color != U(R.seat_color[X.was_seat]):
                audit.note_hits(R, X, X.was_seat, U(R.color_seat[color]), _1)
                hits += _1
                if place < U(t.TRACK):
                    audit.note_danger(X, place)
    audit.after_step(R, X, AUDITED, X.did_card, kind <= SORRY, kind == NOTHING, hits)


# -- rows ----------------------------------------------------------------------------------------------


@inner
def write_game(R, X, i, games):
    """One row of the games table, but for what is summed over the seats."""
    stay_apart()
    for column in range(COLUMNS):
        games[U(column), i] = 0
    write_course(GAME, R, X, i, games)
    write_match(GAME, X, i, games)
    games[GAME.choices, i] = np.int32(X.decisions)
    games[GAME.outcomes, i] = np.int32(X.outcomes_sum)
    games[GAME.pile_turns, i] = X.pile_turns
    games[GAME.highest_pile, i] = X.highest_pile
    games[GAME.longest_cover, i] = X.longest_cover


@inner
def write_seat(R, X, i, order, place, games, seats):
    """One row of the seats table, and its share of the game's sums."""
    stay_apart()
    seat = (X.opening_seat + U(order)) % R.players
    row = np.int64(i) * np.int64(R.players) + np.int64(order)
    base = tally_at(seat, _0)
    write_player(SEAT, R, X, seat, row, place, seats)
    write_turns(GAME, SEAT, X, seat, i, row, games, seats)
    for k in range(len(SEAT_COLUMN)):
        seats[SEAT_COLUMN[U(k)], row] = X.tally[base + SEAT_TALLY[U(k)]]
    games[GAME.pawns_covered, i] += X.tally[base + TALLY.given] + X.tally[base + TALLY.own]
    for k in range(len(SUM_COLUMN)):
        games[SUM_COLUMN[U(k)], i] += X.tally[base + SUM_TALLY[U(k)]]
