"""What is counted of a game: what each action brings about, who leads and where everybody stands, and the rows of the tables."""

import numpy as np

from simsorry.games import standings, track
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import (
    ARRIVAL,
    BUMP,
    MOVE,
    OWN_BUMP,
    PARTNER,
    PARTNER_BUMP,
    PASS,
    RIDE_BUMP,
    SLIDE,
    SWAP,
    SWAPPED,
    SWAPPED_BUMP,
    SWAPPED_OWN_BUMP,
    SWAPPED_PARTNER_BUMP,
    TAKE,
    THROW,
    kind_of,
    met,
    met_after_swap,
    moves_partner,
    parts_of,
    row_of,
    swapped_of,
)
from simsorry.games.classic.columns import GAME, SEAT
from simsorry.games.classic.state import ACTED, CHOSE, CHOSE_THROW, TALLY, on_start, tally, tally_at, turns_of
from simsorry.games.columns import NOBODY
from simsorry.games.frames import of_frame, turned
from simsorry.games.options import MAX_BANDS
from simsorry.games.standings import side_of_seat
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import count, equal

U = np.uint64

BACKWARD, HOME, OUT, PAST = U(t.BACKWARD), U(track.HOME), U(t.OUT), U(t.PAST)
_0, _1, _2, _3, _32 = U(0), U(1), U(2), U(3), U(32)
_NOBODY = U(NOBODY)
_BUMPS = U(0xFFFF)  # the bytes of opponents' pawns sent back

# Columns of the games table that are sums over the seats.
_SUMMED_NAMES = """
    dead_turns forced_turns choice_turns throw_choice_turns starts bumps bumps_slide bumps_sorry own_bumps partner_bumps swaps slides
    splits backs passes homes throws
""".split()  # noqa: SIM905
SUMMED = tuple(getattr(GAME, name) for name in _SUMMED_NAMES)

# -- one action --------------------------------------------------------------------------------------


@small
def count_kind(X, seat, starter, action, events):
    """Counts what kind of action it is; ``starter`` is the seat whose pawn a start brings out."""
    kind = kind_of(action)
    if kind == MOVE:
        if parts_of(action) > _1:
            tally(X, seat, TALLY.splits, 1)
        else:
            row = row_of(action)
            tally(X, starter, TALLY.starts, row == OUT)
            tally(X, seat, TALLY.backs, row - BACKWARD < PAST - BACKWARD)
    elif kind == SWAP:
        tally(X, seat, TALLY.swaps, 1)
    elif kind == TAKE:
        tally(X, seat, TALLY.sorry_bumps, met(events, BUMP))


@small
def count_events(X, seat, events):
    """Counts what it brought about, but for a swapped opponent's pawn."""
    tally(X, seat, TALLY.given, met(events, BUMP) + met(events, RIDE_BUMP))
    tally(X, seat, TALLY.ride_bumps, met(events, RIDE_BUMP))
    tally(X, seat, TALLY.own, met(events, OWN_BUMP))
    tally(X, seat, TALLY.slides, met(events, SLIDE))
    tally(X, seat, TALLY.homes, met(events, ARRIVAL))


@small
def count_idle(X, seat, action):
    """Counts what moves no pawn."""
    kind = kind_of(action)
    tally(X, seat, TALLY.passes, kind == PASS)
    tally(X, seat, TALLY.throws, kind == THROW)


@small
def count_action(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3):
    """Adds an action to the counts of the seats it concerns, where everybody plays alone."""
    if kind_of(action) > TAKE:
        count_idle(X, seat, action)
        return
    count_kind(X, seat, seat, action, events)
    count_move(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3)
    if events >> SWAPPED != _0:
        count_swapped_ride(R, X, seat, action, events)


@small
def count_move(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3):
    """Counts what every action may bring about: a first start, bumps, slides, pawns that come HOME."""
    X.turn_kind |= ACTED
    if X.tally[tally_at(seat, TALLY.first_start)] < 0:
        count_first_start(R, X, seat, w0)
    if events != _0:
        count_events(X, seat, events)
        if events & _BUMPS != _0 or events >> SWAPPED != _0:
            color = U(R.seat_color[seat])
            other = swapped_of(action)  # of the swapped pawn, whose own bumps stand apart
            by_itself = met_after_swap(events, SWAPPED_OWN_BUMP)
            if events >> SWAPPED != _0:
                count_taken(R, X, color, p0, w0, met(events, OWN_BUMP))
            count_taken(R, X, (color + _1) & _3, p1, w1, by_itself * U(other == _1))
            count_taken(R, X, (color + _2) & _3, p2, w2, by_itself * U(other == _2))
            count_taken(R, X, (color + _3) & _3, p3, w3, by_itself * U(other == _3))


@small
def count_first_start(R, X, seat, word):
    """Notes the own turn in which a color's first pawn has left START; only the first round of a match counts."""
    if on_start(word) < R.pawns and X.match_round == _0:
        X.tally[tally_at(seat, TALLY.first_start)] = turns_of(X, seat) + 1


@small
def count_taken(R, X, color, before, after, not_by_others):
    """Counts the pawns that opponents have sent back."""
    tally(X, U(R.color_seat[color]), TALLY.taken, on_start(after) - on_start(before) - not_by_others)


@inner
def count_swapped_ride(R, X, seat, action, events):
    """Counts the ride of a swapped opponent's pawn for that opponent, whose pawn it is (rulebook 13.6)."""
    stay_apart()
    theirs = U(R.color_seat[(U(R.seat_color[seat]) + swapped_of(action)) & _3])
    tally(X, theirs, TALLY.slides, 1)
    tally(X, theirs, TALLY.given, met_after_swap(events, SWAPPED_BUMP))
    tally(X, theirs, TALLY.ride_bumps, met_after_swap(events, SWAPPED_BUMP))
    tally(X, theirs, TALLY.own, met_after_swap(events, SWAPPED_OWN_BUMP))
    tally(X, theirs, TALLY.partner, met_after_swap(events, SWAPPED_PARTNER_BUMP))


# -- one action in team play -------------------------------------------------------------------------


@inner
def count_in_team(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3):
    """``count_action`` where colors have partners; both frames begin with the player's color."""
    stay_apart()
    if kind_of(action) > TAKE:
        count_idle(X, seat, action)
        return
    X.turn_kind |= ACTED
    color = U(R.seat_color[seat])
    other = U(R.partner[color])
    mate = U(R.color_seat[(color + other) & _3])
    count_kind(X, seat, mate if action & PARTNER != _0 else seat, action, events)
    count_events(X, seat, events)
    tally(X, seat, TALLY.partner, met(events, PARTNER_BUMP))
    tally(X, seat, TALLY.partner_moves, moves_partner(action, other))
    if X.tally[tally_at(seat, TALLY.first_start)] < 0:
        count_first_start(R, X, seat, w0)
    if X.tally[tally_at(mate, TALLY.first_start)] < 0:
        count_first_start(R, X, mate, of_frame(w1, w2, w3, other))
    if events & _BUMPS != _0 or events >> SWAPPED != _0:
        count_bumped(R, X, color, action, events, p0, p1, p2, p3, w0, w1, w2, w3)


@inner
def count_bumped(R, X, color, action, events, p0, p1, p2, p3, w0, w1, w2, w3):
    """Counts the pawns that each color has lost to opponents."""
    stay_apart()
    turn = U(R.partner[color]) if action & PARTNER != _0 else _0
    moved = (color + turn) & _3
    p0, p1, p2, p3 = turned(p0, p1, p2, p3, turn)
    w0, w1, w2, w3 = turned(w0, w1, w2, w3, turn)
    partner = U(R.partner[moved])
    riding = swapped_of(action) if events >> SWAPPED != _0 else _0
    if riding != _0:
        count_swapped_ride(R, X, U(R.color_seat[moved]), action, events)
        count_taken(R, X, moved, p0, w0, met(events, OWN_BUMP))
    for d in range(1, 4):
        other = U(d)
        not_by_others = _0
        if other == partner:
            if riding == _0:
                continue
            not_by_others = met(events, PARTNER_BUMP)
        elif other == riding:
            not_by_others = met_after_swap(events, SWAPPED_OWN_BUMP)
        elif riding != _0:
            not_by_others = met_after_swap(events, SWAPPED_PARTNER_BUMP)
        count_taken(R, X, (moved + other) & _3, of_frame(p1, p2, p3, other), of_frame(w1, w2, w3, other), not_by_others)


# -- standings ---------------------------------------------------------------------------------------


@small
def togo_of_side(R, X, seat):
    """Squares that a player's side still has to go."""
    color = U(R.seat_color[seat])
    togo = X.togo[color]
    if R.team != _0:
        togo += X.togo[(color + U(R.partner[color])) & _3]
    return togo


@inner
def note_lead(R, X):
    """``standings.note_lead`` without taking stock: it comes after every few cards, and what is to go is at hand."""
    stay_apart()
    best = U(1 << 40)
    leader = _NOBODY
    for s in range(R.players):
        if side_of_seat(R, U(s)) != U(s):
            continue
        togo = togo_of_side(R, X, U(s))
        if togo < best:
            best = togo
            leader = U(s)
        elif togo == best:
            leader = _NOBODY
    if leader != _NOBODY:
        if X.leader != _NOBODY and X.leader != leader:
            X.lead_changes += 1
        X.leader = leader


@inner
def take_stock(R, X):
    """What every player has to go, and the pawns HOME (``standings``)."""
    stay_apart()
    for s in range(R.players):
        color = U(R.seat_color[U(s)])
        X.stock_togo[U(s)] = np.int32(X.togo[color])
        X.stock_home[U(s)] = np.int32(count(equal(X.word[color], HOME)))


@inner
def note_finish(R, X):
    """Where every player stood when the winner finished, and what the pawns are worth."""
    stay_apart()
    take_stock(R, X)
    standings.note_finish(R, X)
    for s in range(R.players):
        home = np.int64(X.pawns_home[U(s)])
        X.home_worth[U(s)] = np.int32(np.int64(R.score_home) * home)
        X.missing_worth[U(s)] = np.int32(np.int64(R.score_not_home) * (np.int64(R.pawns) - home))


# -- rows --------------------------------------------------------------------------------------------


@inner
def write_game(R, X, i, games):
    """One row of the games table, but for what is summed over the seats."""
    stay_apart()
    order = (X.winner + R.players - X.opening_seat) % R.players
    games[GAME.winner, i] = NOBODY if X.winner == _NOBODY else np.int32(order)
    games[GAME.winner_color, i] = NOBODY if X.winner == _NOBODY else np.int32(R.seat_color[X.winner])
    games[GAME.first_seat, i] = np.int32(X.opening_seat)
    games[GAME.capped, i] = X.capped
    games[GAME.turns, i] = X.turns_to_win
    games[GAME.turns_all, i] = X.turns_all
    games[GAME.rounds, i] = X.rounds
    games[GAME.draws, i] = 0
    games[GAME.choices, i] = np.int32(X.decisions & U(0xFFFFFFFF))
    games[GAME.outcomes, i] = np.int32(X.decisions >> _32)
    games[GAME.lead_changes, i] = X.lead_changes
    games[GAME.reshuffles, i] = X.reshuffles
    games[GAME.match_rounds, i] = np.int32(X.match_round) + 1
    games[GAME.match_upsets, i] = X.upsets
    for k in range(MAX_BANDS):
        games[GAME.band_1 + U(k), i] = X.bonuses[U(k)]
    games[GAME.digest, i] = np.int32(np.uint32(X.digest >> _32))
    for column in SUMMED:
        games[column, i] = 0


@inner
def write_seat(R, X, i, order, place, games, seats):
    """One row of the seats table, and its share of the game's sums."""
    stay_apart()
    seat = (X.opening_seat + U(order)) % R.players
    row = np.int64(i) * np.int64(R.players) + np.int64(order)
    base = tally_at(seat, _0)
    turns = turns_of(X, seat)
    forced = X.tally[base + ACTED]
    acted = forced + X.tally[base + ACTED + CHOSE] + X.tally[base + ACTED + CHOSE_THROW] + X.tally[base + ACTED + CHOSE + CHOSE_THROW]
    only_throws = X.tally[base + CHOSE_THROW] + X.tally[base + ACTED + CHOSE_THROW]
    dead, choice = turns - acted, turns - forced - X.tally[base]
    draws = turns + X.tally[base + TALLY.again] - X.tally[base + TALLY.cardless]
    seats[SEAT.color, row] = np.int32(R.seat_color[seat])
    seats[SEAT.table_seat, row] = np.int32(seat)
    seats[SEAT.won, row] = 1 if X.winner != _NOBODY and side_of_seat(R, seat) == side_of_seat(R, X.winner) else 0
    seats[SEAT.place, row] = place
    seats[SEAT.points, row] = X.points[seat]
    seats[SEAT.match_rounds_won, row] = X.rounds_won[seat]
    seats[SEAT.turns, row] = turns
    seats[SEAT.draws, row] = draws
    seats[SEAT.dead_turns, row] = dead
    seats[SEAT.choice_turns, row] = choice
    seats[SEAT.starts, row] = X.tally[base + TALLY.starts]
    seats[SEAT.bumps_given, row] = X.tally[base + TALLY.given]
    seats[SEAT.bumps_taken, row] = X.tally[base + TALLY.taken]
    seats[SEAT.own_bumps, row] = X.tally[base + TALLY.own]
    seats[SEAT.partner_bumps, row] = X.tally[base + TALLY.partner]
    seats[SEAT.partner_moves, row] = X.tally[base + TALLY.partner_moves]
    seats[SEAT.throws, row] = X.tally[base + TALLY.throws]
    seats[SEAT.swaps, row] = X.tally[base + TALLY.swaps]
    seats[SEAT.slides, row] = X.tally[base + TALLY.slides]
    seats[SEAT.pips_left, row] = X.pips_left[seat]
    seats[SEAT.pawns_home, row] = X.pawns_home[seat]
    seats[SEAT.first_start, row] = X.tally[base + TALLY.first_start]
    games[GAME.draws, i] += draws
    games[GAME.dead_turns, i] += dead
    games[GAME.forced_turns, i] += forced
    games[GAME.choice_turns, i] += choice
    games[GAME.throw_choice_turns, i] += only_throws
    games[GAME.starts, i] += X.tally[base + TALLY.starts]
    games[GAME.bumps, i] += X.tally[base + TALLY.given]
    games[GAME.bumps_slide, i] += X.tally[base + TALLY.ride_bumps]
    games[GAME.bumps_sorry, i] += X.tally[base + TALLY.sorry_bumps]
    games[GAME.own_bumps, i] += X.tally[base + TALLY.own]
    games[GAME.partner_bumps, i] += X.tally[base + TALLY.partner]
    games[GAME.swaps, i] += X.tally[base + TALLY.swaps]
    games[GAME.slides, i] += X.tally[base + TALLY.slides]
    games[GAME.splits, i] += X.tally[base + TALLY.splits]
    games[GAME.backs, i] += X.tally[base + TALLY.backs]
    games[GAME.passes, i] += X.tally[base + TALLY.passes]
    games[GAME.homes, i] += X.tally[base + TALLY.homes]
    games[GAME.throws, i] += X.tally[base + TALLY.throws]
