"""The turn loop of the classic game and the counting of what happens in it.

``play_block`` is what Python calls; ``step`` resolves one card. All of a game's memory is one scratch record of
fixed size, so that the same functions can run one game per thread.
"""

import numpy as np

from simsorry import deck, rng
from simsorry.games.classic import tables as t
from simsorry.games.classic.columns import GAME, GAME_COLUMNS, NOBODY, SEAT, SEAT_COLUMNS
from simsorry.games.classic.scoring import best_outcome, togo_of
from simsorry.games.classic.moves import (
    BACKWARD,
    BLOCKED,
    CAPACITY,
    MOVE,
    OUT,
    PASS,
    PAST,
    SCRATCH_FIELDS,
    SWAP,
    TAKE,
    list_outcomes,
)
from simsorry.games.classic.plain import carry_out, carry_out_apart, list_plain, simple_action, simple_moves
from simsorry.jit import entry, inner, small
from simsorry.lanes import count, equal

U = np.uint64

SCRATCH = np.dtype(
    [
        ("word", np.uint64, (4,)),  # the position: a word of places per color
        ("seat", np.uint64),  # table seat to move
        ("first_seat", np.uint64),
        ("again", np.uint64),  # whether the card to come is one that a 2 gives
        ("acted", np.uint64),  # whether this turn has had an action, and a choice
        ("chose", np.uint64),
        ("finished", np.uint64),  # players who have all pawns HOME
        ("winner", np.uint64),  # table seat, NOBODY while there is none
        ("leader", np.uint64),  # last sole leader at a round end, NOBODY before the first
        ("digest", np.uint64),
        ("cards_key", np.uint64),
        ("choices_key", np.uint64),
        ("left", np.uint64),
        ("draws", np.uint64),
        ("reshuffles", np.int32),
        ("place", np.int32, (4,)),  # finishing place by table seat, 0 while on the way
        ("deck", np.uint8, (256,)),
        ("game", np.int32, (len(GAME_COLUMNS),)),
        ("by_seat", np.int32, (4 * len(SEAT_COLUMNS),)),  # by table seat
    ]
    + SCRATCH_FIELDS,
    align=True,
)

_0, _1, _2, _3, _7, _8, _16, _24, _32 = U(0), U(1), U(2), U(3), U(7), U(8), U(16), U(24), U(32)
_BYTE, _NOBODY = U(255), U(NOBODY)
_AGAIN, _ALWAYS, _IF_PLAYED = U(t.AGAIN), U(t.ALWAYS), U(t.IF_PLAYED)
HOME, START, NOWHERE, NO_ROW = U(t.HOME), U(t.START), U(t.NOWHERE), U(t.NO_ROW)
EMPTY = U(0x7F7F7F7F7F7F7F7F)
_SEAT_COLUMNS = U(len(SEAT_COLUMNS))
OK, TOO_MANY_OUTCOMES = 0, 1
NOTHING = U(7)  # in place of an action: no outcome was possible



@small
def seat_at(seat, column):
    return seat * _SEAT_COLUMNS + column


@inner
def set_up(R, X, seed, game):
    """A new game: pawns in place, a full pile, nobody ahead, and the player who begins."""
    deck.fill(R, X)
    X.draws = _0
    X.reshuffles = 0
    X.cards_key = rng.stream(seed, game, rng.CARDS)
    X.choices_key = rng.stream(seed, game, rng.CHOICES)
    for color in range(4):
        X.word[U(color)] = EMPTY
    for i in range(len(X.game)):
        X.game[U(i)] = 0
    for i in range(len(X.by_seat)):
        X.by_seat[U(i)] = 0
    for s in range(R.players):
        seat = U(s)
        X.word[U(R.seat_color[seat])] = R.start_word
        X.place[seat] = 0
        X.by_seat[seat_at(seat, SEAT.first_start)] = 0 if count(equal(R.start_word, START)) < R.pawns else -1
    X.first_seat = first_seat(R, seed, game)
    X.seat = X.first_seat
    X.again = _0
    X.acted = _0
    X.chose = _0
    X.finished = _0
    X.winner = _NOBODY
    X.leader = _NOBODY
    X.digest = _0


@small
def first_seat(R, seed, game):
    """The table seat that begins (HQ1)."""
    if R.first_player == U(t.FIRST_FIXED):
        return _0
    if R.first_player == U(t.FIRST_ROTATE):
        return game % R.players
    return rng.below(rng.word(rng.stream(seed, game, rng.FIRST_PLAYER), _0), R.players)


@small
def on_start(word):
    return count(equal(word, START))


@small
def count_action(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3):
    """Adds an action to the counters of the game and of the seats it concerns."""
    kind = action & _7
    if kind == PASS or kind == BLOCKED:
        if kind == PASS:
            X.game[GAME.passes] += 1
        return
    X.acted = _1
    if kind == MOVE:
        if (action >> _3) & _7 > _1:
            X.game[GAME.splits] += 1
        else:
            row = (action >> _16) & U(63)
            starts = np.int32(row == OUT)
            X.game[GAME.starts] += starts
            X.by_seat[seat_at(seat, SEAT.starts)] += starts
            X.game[GAME.backs] += np.int32(row - BACKWARD < PAST - BACKWARD)
    elif kind == SWAP:
        X.game[GAME.swaps] += 1
        X.by_seat[seat_at(seat, SEAT.swaps)] += 1
    if X.by_seat[seat_at(seat, SEAT.first_start)] < 0 and w0 != p0 and on_start(w0) < R.pawns:
        X.by_seat[seat_at(seat, SEAT.first_start)] = X.by_seat[seat_at(seat, SEAT.turns)] + 1
    if events != _0:
        count_events(R, X, seat, kind, events, p1, p2, p3, w1, w2, w3)


@small
def count_events(R, X, seat, kind, events, p1, p2, p3, w1, w2, w3):
    landed = np.int32(events & _BYTE)
    ridden_over = np.int32((events >> _8) & _BYTE)
    own = np.int32((events >> _16) & _BYTE)
    slides = np.int32((events >> _24) & _BYTE)
    X.game[GAME.homes] += np.int32((events >> _32) & _BYTE)
    X.game[GAME.bumps] += landed + ridden_over
    X.game[GAME.bumps_slide] += ridden_over
    X.game[GAME.own_bumps] += own
    X.game[GAME.slides] += slides
    X.by_seat[seat_at(seat, SEAT.bumps_given)] += landed + ridden_over
    X.by_seat[seat_at(seat, SEAT.own_bumps)] += own
    X.by_seat[seat_at(seat, SEAT.slides)] += slides
    if kind == TAKE:
        X.game[GAME.bumps_sorry] += landed
    if landed + ridden_over != 0:
        color = U(R.seat_color[seat])
        for s in range(R.players):
            other = (U(R.seat_color[U(s)]) - color) & _3
            if other == _1:
                taken = on_start(w1) - on_start(p1)
            elif other == _2:
                taken = on_start(w2) - on_start(p2)
            elif other == _3:
                taken = on_start(w3) - on_start(p3)
            else:
                taken = _0
            X.by_seat[seat_at(U(s), SEAT.bumps_taken)] += np.int32(taken)


@inner
def note_lead(R, X):
    """At a round end: who alone has the least to go, and whether that has changed."""
    best = U(1 << 40)
    leader = _NOBODY
    for s in range(R.players):
        togo = togo_of(R, X.word[U(R.seat_color[U(s)])])
        if togo < best:
            best = togo
            leader = U(s)
        elif togo == best:
            leader = _NOBODY
    if leader != _NOBODY:
        if X.leader != _NOBODY and X.leader != leader:
            X.game[GAME.lead_changes] += 1
        X.leader = leader


@small
def count_turn(R, X):
    """Counts the mover's turn."""
    seat = X.seat
    X.game[GAME.turns_all] += 1
    X.by_seat[seat_at(seat, SEAT.turns)] += 1
    if X.chose != _0:
        X.game[GAME.choice_turns] += 1
        X.by_seat[seat_at(seat, SEAT.choice_turns)] += 1
    if X.acted == _0:
        X.game[GAME.dead_turns] += 1
        X.by_seat[seat_at(seat, SEAT.dead_turns)] += 1
    elif X.chose == _0:
        X.game[GAME.forced_turns] += 1
    X.acted = _0
    X.chose = _0


@small
def pass_on(R, X):
    """Gives the turn to the next player who is not finished; play coming round to the first seat ends a round."""
    seat = X.seat
    searching = True
    round_over = False
    while searching:
        seat += _1
        if seat == R.players:
            seat = _0
        round_over = round_over or seat == X.first_seat
        searching = X.place[seat] != 0
    X.seat = seat
    if round_over:
        X.game[GAME.rounds] += 1
        note_lead(R, X)


@inner
def finish(R, X):
    """Notes that the mover has all pawns HOME; returns whether the game goes on (H-30, F-15, HQ25)."""
    X.finished += _1
    X.place[X.seat] = np.int32(X.finished)
    if X.finished == _1:
        X.winner = X.seat
        X.game[GAME.turns] = X.game[GAME.turns_all] + 1
        note_finish(R, X)
    if R.game_end == U(t.END_FIRST):
        return False
    return X.finished + _1 < R.players or (R.game_end == U(t.END_ALL) and X.finished < R.players)


@inner
def note_finish(R, X):
    """Where every player stood when the winner finished."""
    for s in range(R.players):
        word = X.word[U(R.seat_color[U(s)])]
        X.by_seat[seat_at(U(s), SEAT.pips_left)] = np.int32(togo_of(R, word))
        X.by_seat[seat_at(U(s), SEAT.pawns_home)] = np.int32(count(equal(word, HOME)))


@inner
def carry_out_all(R, X, n, color, p0, p1, p2, p3):
    """Fills in the results and events of actions that were only listed."""
    for i in range(n):
        base = U(i) << _2
        w0, w1, w2, w3, events = carry_out_apart(R, color, p0, p1, p2, p3, X.action[U(i)])
        X.result[base] = w0
        X.result[base + _1] = w1
        X.result[base + _2] = w2
        X.result[base + _3] = w3
        X.events[U(i)] = events


@small
def note_choice(X, n):
    """Counts a decision if there is one; returns the random word that decides it."""
    several = U(n > _1)
    X.chose |= several
    X.game[GAME.choices] += np.int32(several)
    X.game[GAME.outcomes] += np.int32(n * several)
    return rng.word(X.choices_key, X.draws)


@small
def pick_plain(R, Q, X, color, card, p0, p1, p2, p3):
    """The action chosen where actions rarely end alike; PASS with no action where nothing is possible."""
    at_random = Q.weighted[X.seat] == _0
    if at_random and R.ops[(card << _3) + U(t.OP_SIMPLE)] != 0:
        start, lanes = simple_moves(R, color, card, p0, p1, p2, p3)
        n = start + count(lanes)
        if n == _0:
            return NOTHING
        luck = note_choice(X, n)
        return simple_action(R, card, rng.below(luck, n), start, lanes, p0)
    n = list_plain(R, X, color, card, p0, p1, p2, p3)
    if n == _0:
        return NOTHING
    luck = note_choice(X, n)
    if at_random or n == _1:
        return X.action[rng.below(luck, n)]
    carry_out_all(R, X, n, color, p0, p1, p2, p3)
    return X.action[best_outcome(R, Q, X, n, X.seat, p1, p2, p3, luck)]


@inner
def pick_outcome(R, Q, X, color, card, p0, p1, p2, p3):
    """The number of the outcome chosen from the full list; CAPACITY where nothing is possible."""
    n = list_outcomes(R, X, color, card, p0, p1, p2, p3)
    if n == _0:
        return U(CAPACITY)
    luck = note_choice(X, n)
    if n == _1 or Q.weighted[X.seat] == _0:
        return rng.below(luck, n)
    return best_outcome(R, Q, X, n, X.seat, p1, p2, p3, luck)


@small
def play_card(R, Q, X, color, card):
    """Lists the outcomes of a card, lets the policy choose, and moves; returns the kind of action, NOTHING if there was none."""
    second, third, fourth = (color + _1) & _3, (color + _2) & _3, (color + _3) & _3
    p0, p1, p2, p3 = X.word[color], X.word[second], X.word[third], X.word[fourth]
    if R.plain != _0:
        action = pick_plain(R, Q, X, color, card, p0, p1, p2, p3)
        if action == NOTHING:
            return NOTHING
        w0, w1, w2, w3, events = carry_out(R, color, p0, p1, p2, p3, action)
    else:
        at = pick_outcome(R, Q, X, color, card, p0, p1, p2, p3)
        if at == U(CAPACITY):
            return NOTHING
        base = at << _2
        w0, w1, w2, w3 = X.result[base], X.result[base + _1], X.result[base + _2], X.result[base + _3]
        action, events = X.action[at], X.events[at]
    X.word[color] = w0
    X.word[second] = w1
    X.word[third] = w2
    X.word[fourth] = w3
    count_action(R, X, X.seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3)
    return action & _7


@small
def step(R, Q, X):
    """Draws and resolves one card; returns whether the game goes on."""
    seat = X.seat
    color = U(R.seat_color[seat])
    card = deck.draw(R, X, X.cards_key, X.again != _0)
    X.by_seat[seat_at(seat, SEAT.draws)] += 1
    kind = play_card(R, Q, X, color, card)
    X.digest = (X.digest ^ (X.word[_0] + X.word[_1] * U(3) + X.word[_2] * U(5) + X.word[_3] * U(7) + card)) * U(0x9E3779B97F4A7C15)
    X.digest ^= X.digest >> _32
    going = True
    again = False
    if X.word[color] == R.home_word:
        going = finish(R, X)
    elif U(R.ops[card << _3]) & _AGAIN != _0 and kind != BLOCKED:
        again = R.two_again == _ALWAYS or (R.two_again == _IF_PLAYED and kind != PASS and kind != NOTHING)
    X.again = U(again)
    if again:
        return True
    count_turn(R, X)
    if going and U(X.game[GAME.turns_all]) >= R.turn_cap:
        cut_off(X, R)
        going = False
    if going:
        pass_on(R, X)
    return going


@inner
def cut_off(X, R):
    """Ends a game that has reached the turn cap."""
    X.game[GAME.capped] = 1
    if X.winner == _NOBODY:
        X.game[GAME.turns] = X.game[GAME.turns_all]
        note_finish(R, X)


@inner
def rank_the_rest(R, X):
    """Places of the players still on the way: by pawns HOME, then by what is left to go; equals share a place."""
    for s in range(R.players):
        if X.place[U(s)] != 0:
            continue
        mine = X.word[U(R.seat_color[U(s)])]
        ahead = 0
        for o in range(R.players):
            theirs = X.word[U(R.seat_color[U(o)])]
            home, their_home = count(equal(mine, HOME)), count(equal(theirs, HOME))
            if X.place[U(o)] != 0 or their_home > home or (their_home == home and togo_of(R, theirs) < togo_of(R, mine)):
                ahead += 1
        X.by_seat[seat_at(U(s), SEAT.place)] = ahead + 1
    for s in range(R.players):
        if X.place[U(s)] != 0:
            X.by_seat[seat_at(U(s), SEAT.place)] = X.place[U(s)]


@inner
def write_rows(R, X, i, games, seats):
    """One row of the games table and one per play-order seat of the seats table."""
    order = X.winner + R.players - X.first_seat
    games[GAME.winner, i] = NOBODY if X.winner == _NOBODY else np.int32(order % R.players)
    games[GAME.winner_color, i] = NOBODY if X.winner == _NOBODY else np.int32(R.seat_color[X.winner])
    games[GAME.first_seat, i] = np.int32(X.first_seat)
    for k in range(GAME.capped, GAME.reshuffles):
        games[U(k), i] = X.game[U(k)]
    games[GAME.rounds, i] += 1  # the round begun
    games[GAME.draws, i] = np.int32(X.draws)
    games[GAME.reshuffles, i] = X.reshuffles
    games[GAME.digest, i] = np.int32(np.uint32(X.digest >> _32))
    for order in range(R.players):
        seat = (X.first_seat + U(order)) % R.players
        row = np.int64(i) * np.int64(R.players) + np.int64(order)
        for k in range(SEAT.place, _SEAT_COLUMNS):
            seats[U(k), row] = X.by_seat[seat_at(seat, U(k))]
        seats[SEAT.color, row] = np.int32(R.seat_color[seat])
        seats[SEAT.table_seat, row] = np.int32(seat)
        seats[SEAT.won, row] = 1 if seat == X.winner else 0


@entry
def play_block(tables, line_up, scratch, seed, first_game, games, seats):
    """Plays as many games as ``games`` has columns, numbered from ``first_game``.

    ``tables``, ``line_up``, ``scratch``: 1-element records; ``games``:
    int32[len(GAME_COLUMNS), n]; ``seats``: int32[len(SEAT_COLUMNS), n * players]. Fills both; returns OK or an
    error code.
    """
    R = tables[0]
    Q = line_up[0]
    X = scratch[0]
    X.overflow = _0
    for i in range(games.shape[1]):
        set_up(R, X, seed, first_game + U(i))
        going = True
        while going:
            going = step(R, Q, X)
        rank_the_rest(R, X)
        write_rows(R, X, i, games, seats)
    return TOO_MANY_OUTCOMES if X.overflow != _0 else OK


@entry
def outcomes_of(tables, scratch, color, card, words):
    """Lists the outcomes of one card in a position of four words by color; fills ``scratch``, returns their number."""
    R = tables[0]
    X = scratch[0]
    return list_outcomes(R, X, color, card, words[color], words[(color + _1) & _3], words[(color + _2) & _3], words[(color + _3) & _3])


def new_scratch() -> np.ndarray:
    """The working memory of one thread: a 1-element record."""
    return np.zeros(1, SCRATCH)
