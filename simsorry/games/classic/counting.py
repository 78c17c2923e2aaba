"""What is counted of a game: what each action brings about, who leads and where everybody stands, and the rows of the tables."""

import numpy as np

from simsorry.games import audit, audited, course, track
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import (
    ARRIVAL,
    BUMP,
    MOVE,
    NOTHING,
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
from simsorry.games.classic.columns import GAME, GAME_COLUMNS, SEAT
from simsorry.games.classic.state import TALLY, on_start
from simsorry.games.frames import of_frame, turned
from simsorry.games.tallies import (
    ACTED,
    matched,
    tally,
    tally_at,
    turns_of,
    write_course,
    write_match,
    write_player,
    write_turns,
)
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import below, count, equal, get

U = np.uint64

BACKWARD, HOME, OUT, PAST = U(t.BACKWARD), U(track.HOME), U(t.OUT), U(t.PAST)
_0, _1, _2, _3, _32 = U(0), U(1), U(2), U(3), U(32)
_BUMPS = U(0xFFFF)  # the bytes of opponents' pawns sent back

# Columns that are counts of a seat, and in the games table sums over the seats.
_SUMMED = {
    "starts": "starts", "bumps": "given", "bumps_slide": "ride_bumps", "bumps_sorry": "sorry_bumps", "own_bumps": "own",
    "partner_bumps": "partner", "swaps": "swaps", "slides": "slides", "splits": "splits", "backs": "backs", "passes": "passes",
    "homes": "homes", "throws": "throws",
}  # fmt: skip
_OF_SEATS = {
    "starts": "starts", "bumps_given": "given", "bumps_taken": "taken", "own_bumps": "own", "partner_bumps": "partner",
    "partner_moves": "partner_moves", "throws": "throws", "swaps": "swaps", "slides": "slides", "first_start": "first_start",
}  # fmt: skip
SUM_COLUMN, SUM_TALLY = matched(GAME, TALLY, _SUMMED)
SEAT_COLUMN, SEAT_TALLY = matched(SEAT, TALLY, _OF_SEATS)
COLUMNS = len(GAME_COLUMNS)
# How the use of a card is known (``audit.USES``).
AUDITED = np.array([TALLY.starts, TALLY.splits, TALLY.swaps, TALLY.backs, TALLY.sorry_bumps, TALLY.passes, TALLY.throws], np.uint64)
AT_START, AT_SAFE, AT_HOME = U(audited.AT_START), U(audited.AT_SAFE), U(audited.AT_HOME)
CIRCLE, SIDE, START, TRACK, ZONE = U(track.CIRCLE_SQUARE), U(track.SIDE), U(track.START), U(track.TRACK), U(track.ZONE)

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


@inner
def note_round_end(R, X):
    """What is noted at a round end. Comes after every few cards, so that stock is taken only of what is needed."""
    stay_apart()
    if R.gauge != _0:
        take_stock(R, X)
    for s in range(R.players):
        X.stock_togo[U(s)] = np.int32(X.togo[U(R.seat_color[U(s)])])
    course.note_round(R, X)
    if X.audited != _0:
        draw_board(R, X)
        audit.note_round_end(R, X)


@inner
def take_stock(R, X):
    """What every player has to go, and the pawns HOME, on START and safe (``standings``)."""
    stay_apart()
    for s in range(R.players):
        take_stock_of(R, X, U(s))


@small
def take_stock_of(R, X, seat):
    """The same of one player."""
    color = U(R.seat_color[seat])
    word = X.word[color]
    X.stock_togo[seat] = np.int32(X.togo[color])
    X.stock_home[seat] = np.int32(count(equal(word, HOME)))
    X.stock_start[seat] = np.int32(on_start(word))
    X.stock_safe[seat] = np.int32(count(below(word, HOME)) - count(below(word, ZONE)))


@inner
def note_finish(R, X):
    """Where every player stood when the winner finished, and what the pawns are worth."""
    stay_apart()
    take_stock(R, X)
    course.note_finish(R, X)
    for s in range(R.players):
        home = np.int64(X.pawns_home[U(s)])
        X.home_worth[U(s)] = np.int32(np.int64(R.score_home) * home)
        X.missing_worth[U(s)] = np.int32(np.int64(R.score_not_home) * (np.int64(R.pawns) - home))


# -- audited games -----------------------------------------------------------------------------------


@inner
def draw_board(R, X):
    """Draws the pawns of all colors that have moved on the audited board, and takes stock of them."""
    stay_apart()
    for s in range(R.players):
        color = U(R.seat_color[U(s)])
        word = X.word[color]
        if word == X.drawn_word[color]:
            continue
        X.drawn_word[color] = word
        take_stock_of(R, X, U(s))
        audit.clear_color(X, color)
        for lane in range(R.pawns):
            place = get(word, U(lane))
            if place < ZONE:
                audit.put_pawn(X, color, (place + color * SIDE + CIRCLE) % TRACK, R.togo[place])
            elif place == HOME:
                audit.put_pawn(X, color, AT_HOME, 0)
            elif place < HOME:
                audit.put_pawn(X, color, AT_SAFE, R.togo[place])
            elif place == START:
                audit.put_pawn(X, color, AT_START, 0)


@inner
def begin_audit(R, X):
    """Begins a round of an audited game."""
    stay_apart()
    for number in range(4):
        X.drawn_word[U(number)] = _0
        audit.clear_color(X, U(number))
    draw_board(R, X)
    audit.begin_round(R, X)


@inner
def audit_step(R, X):
    """Counts what a card has come to."""
    stay_apart()
    draw_board(R, X)
    audit.after_step(R, X, AUDITED, X.did_card, X.did_kind <= TAKE, X.did_kind == NOTHING, _0)


# -- rows --------------------------------------------------------------------------------------------


@inner
def write_game(R, X, i, games):
    """One row of the games table, but for what is summed over the seats."""
    stay_apart()
    for column in range(COLUMNS):
        games[U(column), i] = 0
    write_course(GAME, R, X, i, games)
    write_match(GAME, X, i, games)
    games[GAME.choices, i] = np.int32(X.decisions & U(0xFFFFFFFF))
    games[GAME.outcomes, i] = np.int32(X.decisions >> _32)


@inner
def write_seat(R, X, i, order, place, games, seats):
    """One row of the seats table, and its share of the game's sums."""
    stay_apart()
    seat = (X.opening_seat + U(order)) % R.players
    row = np.int64(i) * np.int64(R.players) + np.int64(order)
    write_player(SEAT, R, X, seat, row, place, seats)
    write_turns(GAME, SEAT, X, seat, i, row, games, seats)
    base = tally_at(seat, _0)
    for k in range(len(SEAT_COLUMN)):
        seats[SEAT_COLUMN[U(k)], row] = X.tally[base + SEAT_TALLY[U(k)]]
    for k in range(len(SUM_COLUMN)):
        games[SUM_COLUMN[U(k)], i] += X.tally[base + SUM_TALLY[U(k)]]
