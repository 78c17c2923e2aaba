"""What is looked at more closely in every 23rd game: squares, cards, hits, and what a lead is worth.

What is counted is listed in ``audited``. In every game it would take longer than to play; in one of 23, which shares no factor with the
number of seats, it costs little, and says enough. What is counted are the differences that a step makes to the board, so that no rule of
a game has to tell of itself. The counts of CHUNK consecutive games are summed up: exact numbers that can be merged, and chunks enough to
say how sure they are.
"""

import numpy as np

from simsorry.games.audited import (
    AT_HOME,
    AT_SAFE,
    AT_START,
    CARDS,
    CELLS,
    CHUNK,
    DEAD,
    EARLY,
    EVERY,
    KINDS,
    OFFSETS,
    PHASES,
    SECTIONS,
    SIZE,
    SQUARES,
    USES,
)
from simsorry.games.columns import NOBODY, numbered
from simsorry.games.course import way_of_side
from simsorry.games.standings import mate_of, of_side, side_of_seat
from simsorry.jit import inner, small, stay_apart

U = np.uint64

WORDS = CELLS // 8  # eight cells to a word
_AT = numbered(SECTIONS)._replace(**{name: U(offset) for name, offset in OFFSETS.items()})
USE = numbered(USES)
_DEAD = numbered(DEAD)
_KINDS = len(KINDS)

SCRATCH_FIELDS = [
    ("audited", np.uint64),  # whether this game is
    ("counts", np.int64, (SIZE,)),
    ("board", np.uint64, (4 * WORDS,)),  # how many pawns of a color stand on each cell
    ("board_before", np.uint64, (4 * WORDS,)),
    ("farthest", np.int64, (4,)),  # squares to go of the last of a color's pawns that are on their way, 0 if none is
    ("redrawn", np.uint64),  # a bit for each color that has been drawn anew
    ("been_out", np.uint64),  # a bit for each seat that has had a pawn off START in this round
    ("was_seat", np.uint64),
    ("was_leader", np.uint64),
    ("was_turn", np.uint64),
    ("was_phase", np.uint64),
    ("was_togo", np.int32, (4,)),  # by table seat
    ("was_tally", np.int32, (len(USES),)),
    ("rival", np.uint64, (4,)),  # by side: the best other one at the last round end
    ("early", np.int64, (4 * CARDS,)),  # by table seat and card
    ("early_cards", np.int64, (4,)),
    ("lead_before", np.int64, (4,)),  # and how much further that had to go
    ("leads_known", np.uint64),
    ("stall_turn", np.int64, (4,)),  # by side: turns over when it first needed one pawn, -1 before
    ("stall_dead", np.int64, (4,)),
    ("swing_best", np.int64),
    ("swing_card", np.uint64),
    ("turn_seat", np.uint64),
    ("turn_phase", np.uint64),
    ("was_kinds", np.int32, (_KINDS,)),  # turns of each kind that the mover had had when the turn began
]

_0, _1, _3, _6, _8, _255 = U(0), U(1), U(3), U(6), U(8), U(255)
_NOBODY = U(NOBODY)
_NO_CARD = U(CARDS - 1)
_WORDS, _CARDS, _SQUARES = U(WORDS), U(CARDS), U(SQUARES)
_EVERY, _CHUNK = U(EVERY), U(CHUNK)
_NO_TURN = U(1 << 60)


# -- the board, as a game draws it ---------------------------------------------------------------------


@small
def clear_color(X, color):
    """Takes a color's pawns off the audited board, for them to be drawn anew."""
    X.redrawn |= _1 << color
    for k in range(WORDS):
        X.board[color * _WORDS + U(k)] = _0
    X.farthest[color] = 0


@small
def put_pawn(X, color, cell, togo):
    """Puts a pawn of a color onto a cell of the audited board."""
    X.board[color * _WORDS + (cell >> _3)] += _1 << ((cell & U(7)) << _3)
    if cell <= U(AT_SAFE) and cell != U(AT_START):
        X.farthest[color] = max(X.farthest[color], np.int64(togo))


@small
def pawns_at(X, color, cell):
    """Pawns of a color on a cell."""
    return X.board[color * _WORDS + (cell >> _3)] >> ((cell & U(7)) << _3) & _255


# -- a game --------------------------------------------------------------------------------------------


@small
def add(X, what, n):
    X.counts[what] += np.int64(n)


@small
def begin_game(X, game):
    """Says whether a game is audited; nothing counted yet."""
    X.audited = U(game % _EVERY == _0)
    if X.audited != _0:
        for k in range(SIZE):
            X.counts[U(k)] = 0
        add(X, _AT.games, 1)


@inner
def begin_round(R, X):
    """A round of an audited game, its board drawn and stock taken."""
    stay_apart()
    X.leads_known = _0
    X.was_turn = _NO_TURN
    X.swing_best = 0
    X.swing_card = _0
    for k in range(4 * WORDS):
        X.board_before[U(k)] = X.board[U(k)]
    X.been_out = _0
    for s in range(R.players):
        if X.stock_start[U(s)] < np.int64(R.pawns):
            X.been_out |= _1 << U(s)
        X.stall_turn[U(s)] = 0 if needs_one(R, X, U(s)) else -1
        X.stall_dead[U(s)] = 0
        X.was_togo[U(s)] = X.stock_togo[U(s)]
        X.early_cards[U(s)] = 0
        for card in range(CARDS):
            X.early[U(s) * _CARDS + U(card)] = 0
        add(X, _AT.standing, X.stock_togo[U(s)])


@small
def write_chunk(X, first_game, game, audits):
    """Adds the counts of an audited game to those of its chunk."""
    row = game // _CHUNK - first_game // _CHUNK
    for k in range(SIZE):
        audits[row, U(k)] += X.counts[U(k)]


# -- a step --------------------------------------------------------------------------------------------


@small
def pawns_off(R, X, seat):
    """Pawns of a seat on START and HOME."""
    color = U(R.seat_color[seat])
    return pawns_at(X, color, U(AT_START)), pawns_at(X, color, U(AT_HOME))


@inner
def before_step(R, X, tallies):
    """Before a decision or a card is resolved.

    ``tallies`` are the numbers of the counts of a seat by which the use of a card is known, as in USES from ``start`` on.
    """
    stay_apart()
    seat = X.seat
    X.was_seat = seat
    X.was_leader = X.leader
    for k in range(len(tallies)):
        X.was_tally[U(k)] = count_of_side(R, X, seat, tallies[U(k)])
    way = way_of_side(R)
    togo = of_side(R, X.was_togo, side_of_seat(R, seat))
    X.was_phase = U(min(max((way - togo) * PHASES // way, 0), PHASES - 1))
    X.redrawn = _0
    if X.turns != X.was_turn:
        note_kind(R, X, X.turn_seat)
        X.was_turn = X.turns
        X.turn_seat = seat
        X.turn_phase = X.was_phase
        for kind in range(_KINDS):
            X.was_kinds[U(kind)] = turns_of_kind(R, X, seat, kind)
        add(X, _AT.turns, 1)
        start, home = pawns_off(R, X, seat)
        add(X, _AT.relocked, start + home == R.pawns and start != _0 and X.been_out >> seat & _1 != _0)


@small
def turns_of_kind(R, X, seat, kind):
    """Turns of one of KINDS that a seat has had: the lowest bit of a game's own kinds is whether something was done, the rest choices."""
    turns = np.int32(0)
    for each in range(kind & 1, R.turn_kinds, 2):
        if (each > 1) == (kind > 1):
            turns += X.tally[(seat << _6) + U(each)]
    return turns


@small
def note_kind(R, X, seat):
    """Counts the turn that is over, if there is one, among its kind."""
    if X.was_turn == _NO_TURN:
        return
    for kind in range(_KINDS):
        add(X, _AT.kinds + X.turn_phase * U(_KINDS) + U(kind), turns_of_kind(R, X, seat, kind) - X.was_kinds[U(kind)])


@small
def count_of_side(R, X, seat, what):
    """A count of a seat and its partner: what happens to a partner's pawn may be counted for the partner."""
    total = np.int64(X.tally[(seat << _6) + what])
    if R.team != _0:
        total += X.tally[(mate_of(R, seat) << _6) + what]
    return total


@small
def note_hand(X):
    """At the beginning of a turn, before ``before_step``: what the player holds."""
    if X.turns != X.was_turn:
        for number in range(CARDS - 1):
            add(X, _AT.held + U(number), X.have[X.seat * _CARDS + U(number)])


@small
def use_of(R, X, seat, tallies):
    """How a card was used: the first of the counts that has gone up, else plainly forward."""
    for k in range(len(tallies)):
        if count_of_side(R, X, seat, tallies[U(k)]) != X.was_tally[U(k)]:
            return U(k) + _1
    return _0


@inner
def after_step(R, X, tallies, card, moved, dead, hits):
    """After it, the board drawn anew and stock taken.

    ``card`` is the one resolved, NO_CARD if none was; ``moved``: whether it moved pawns; ``dead``: whether it could do nothing; ``hits``:
    how many there were besides pawns sent back.
    """
    stay_apart()
    seat = X.was_seat
    side = side_of_seat(R, seat)
    walked, harm = np.int64(0), np.int64(0)
    if X.redrawn != _0:
        walked, harm = note_squares(R, X, side)
        hits += note_board(R, X, seat, side)
        note_stall(R, X, side)
    if card < _NO_CARD:
        note_card(R, X, tallies, seat, card, moved, dead, walked, harm, hits)
    if walked > X.swing_best:
        X.swing_best = walked
        X.swing_card = min(card, _NO_CARD)


@small
def note_squares(R, X, side):
    """Counts squares gained and lost by the side that moves and by others; returns what it has gained in all, and others have lost."""
    gain, loss, helped, harm = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for s in range(R.players):
        change = np.int64(X.was_togo[U(s)]) - np.int64(X.stock_togo[U(s)])
        if change == 0:
            continue
        X.was_togo[U(s)] = X.stock_togo[U(s)]
        mine = side_of_seat(R, U(s)) == side
        if change > 0:
            gain += change * np.int64(mine)
            helped += change * np.int64(not mine)
        else:
            loss -= change * np.int64(mine)
            harm -= change * np.int64(not mine)
    add(X, _AT.squares, gain)
    add(X, _AT.squares + _1, loss)
    add(X, _AT.squares + U(2), helped)
    add(X, _AT.squares + U(3), harm)
    return gain - loss, harm


@small
def note_card(R, X, tallies, seat, card, moved, dead, walked, harm, hits):
    """Counts a card that was resolved."""
    phase = X.was_phase
    add(X, _AT.drawn + phase * _CARDS + card, 1)
    if X.early_cards[seat] < EARLY:
        X.early_cards[seat] += 1
        X.early[seat * _CARDS + card] += 1
    if not moved:
        add(X, _AT.unused + phase * _CARDS + card, 1)
    if dead:
        add(X, _AT.dead + why_dead(R, X, seat, card), 1)
    else:
        add(X, _AT.gain + card, walked)
        add(X, _AT.harm + card, harm)
        add(X, _AT.strikes + card, hits)
        use = use_of(R, X, seat, tallies)
        if moved and use == USE.forward and R.card_squares[card] == 0:
            use = USE.sorry  # that took a partner's pawn, which no count tells of
        add(X, _AT.uses + use * _CARDS + card, 1)


@small
def why_dead(R, X, seat, card):
    """Why nothing could be done with a card: it hits only, and could not; nobody is out; HOME is too near; or else pawns are in the way."""
    squares = R.card_squares[card]
    if squares == 0:
        return _DEAD.sorry
    start, home = pawns_off(R, X, seat)
    if start + home == R.pawns:
        return _DEAD.lock
    return _DEAD.exact if X.farthest[U(R.seat_color[seat])] < squares else _DEAD.blocked


# -- the board -----------------------------------------------------------------------------------------


@small
def note_board(R, X, seat, side):
    """Counts landings, hits and where they were, of all cells that have changed; returns the number of hits."""
    hits = _0
    for number in range(4):
        color = U(number)
        base = color * _WORDS
        if X.redrawn >> color & _1 == _0:
            continue
        owner = U(R.color_seat[color])
        if pawns_at(X, color, U(AT_START)) < R.pawns:
            X.been_out |= _1 << owner
        sent = _0
        if side_of_seat(R, owner) != side:
            now = pawns_at(X, color, U(AT_START))
            was = X.board_before[base + U(AT_START >> 3)] >> U((AT_START & 7) << 3) & _255
            sent = now - was if now > was else _0
        note_cells(X, base, sent)
        if sent != _0:
            note_hits(R, X, seat, owner, sent)
            hits += sent
        for k in range(WORDS):
            X.board_before[base + U(k)] = X.board[base + U(k)]
    return hits


@small
def note_cells(X, base, sent):
    """Counts on which squares a color's pawns have come to stand, and from which ones it has lost as many as were sent back."""
    for k in range(SQUARES // 8):
        now, was = X.board[base + U(k)], X.board_before[base + U(k)]
        if now == was:
            continue
        for lane in range(8):
            shift = U(lane) << _3
            here, before = now >> shift & _255, was >> shift & _255
            square = (U(k) << _3) + U(lane)
            if here > before:
                add(X, _AT.landings + square, here - before)
            elif here < before and sent != _0:
                lost = min(before - here, sent)
                sent -= lost
                add(X, _AT.danger + square, lost)


@small
def note_danger(X, square):
    """Counts a pawn that was hit on a square otherwise than by being sent back."""
    add(X, _AT.danger + square, 1)


@small
def note_hits(R, X, seat, owner, n):
    """Counts hits by the two players' places in the order of play, and whether they struck who led."""
    mover, victim = (seat + R.players - X.opening_seat) % R.players, (owner + R.players - X.opening_seat) % R.players
    add(X, _AT.hits + (mover << U(2)) + victim, n)
    if X.was_leader != _NOBODY:
        add(X, _AT.led, n)
        add(X, _AT.led + _1, n * U(side_of_seat(R, owner) == X.was_leader))


# -- the last pawn, round ends, the end ----------------------------------------------------------------


@small
def dead_of_side(R, X, side):
    """Turns without an action that a side has had: those of a kind without the bit for one."""
    dead = np.int64(0)
    for s in range(R.players):
        if side_of_seat(R, U(s)) == side:
            for kind in range(0, R.turn_kinds, 2):
                dead += np.int64(X.tally[(U(s) << _6) + U(kind)])
    return dead


@small
def needs_one(R, X, side):
    """Whether one pawn more HOME is all that a side needs, stock taken."""
    pawns = np.int64(R.pawns)
    if R.team == _0:
        return X.stock_home[side] == pawns - 1
    mate = mate_of(R, side)
    if R.one_partner != _0:
        return X.stock_home[side] == pawns - 1 or X.stock_home[mate] == pawns - 1
    return X.stock_home[side] + X.stock_home[mate] == 2 * pawns - 1


@small
def note_stall(R, X, side):
    """Notes from when on a side needed only one pawn more."""
    if X.stall_turn[side] >= 0:
        return
    if needs_one(R, X, side):
        X.stall_turn[side] = np.int64(X.turns)
        X.stall_dead[side] = dead_of_side(R, X, side)


@inner
def note_round_end(R, X):
    """At a round end, stock taken: where pawns stand, and how everybody's lead has changed since the last one."""
    stay_apart()
    for color in range(4):
        for k in range(SQUARES // 8):
            word = X.board[U(color) * _WORDS + U(k)]
            while word != _0:
                lane = U(0)
                while word >> (lane << _3) & _255 == _0:
                    lane += _1
                add(X, _AT.visits + (U(k) << _3) + lane, word >> (lane << _3) & _255)
                word &= ~(_255 << (lane << _3))
    note_leads(R, X)


@small
def note_leads(R, X):
    """Sums for the slope of a lead's change on the lead.

    The change is that over the same opponent: who is best of several gains on everybody, being another one every time.
    """
    for s in range(R.players):
        side = U(s)
        if side_of_seat(R, side) != side:
            continue
        togo = of_side(R, X.stock_togo, side)
        if X.leads_known != _0:
            before = X.lead_before[side]
            change = of_side(R, X.stock_togo, X.rival[side]) - togo - before
            add(X, _AT.leads, 1)
            add(X, _AT.leads + _1, before)
            add(X, _AT.leads + U(2), change)
            add(X, _AT.leads + U(3), before * before)
            add(X, _AT.leads + U(4), before * change)
        best = np.int64(1 << 40)
        for other in range(R.players):
            if U(other) != side and side_of_seat(R, U(other)) == U(other) and of_side(R, X.stock_togo, U(other)) < best:
                best = of_side(R, X.stock_togo, U(other))
                X.rival[side] = U(other)
        X.lead_before[side] = best - togo
    X.leads_known = _1


@inner
def end_round(R, X):
    """The end of a round of an audited game, stock taken."""
    stay_apart()
    note_kind(R, X, X.turn_seat)
    for s in range(R.players):
        add(X, _AT.standing + _1, X.stock_togo[U(s)])
    add(X, _AT.swing + X.swing_card, X.swing_best > 0)
    add(X, _AT.swing_squares, X.swing_best)
    if X.winner == _NOBODY:
        return
    add(X, _AT.won, 1)
    side = side_of_seat(R, X.winner)
    for s in range(R.players):
        if X.early_cards[U(s)] == EARLY:
            note_early(X, U(s), np.int64(side_of_seat(R, U(s)) == side))
    if X.stall_turn[side] >= 0:
        add(X, _AT.stall, X.won_turn - X.stall_turn[side])
        add(X, _AT.stall + _1, dead_of_side(R, X, side) - X.stall_dead[side])


@small
def note_early(X, seat, won):
    """Counts the first cards of a player."""
    add(X, _AT.early_players, 1)
    add(X, _AT.early_players + _1, won)
    for number in range(CARDS):
        card = U(number)
        cards = X.early[seat * _CARDS + card]
        add(X, _AT.early + card, cards)
        add(X, _AT.early_squares + card, cards * cards)
        add(X, _AT.early_wins + card, cards * won)
