"""The turn loop of the classic game and the counting of what happens in it.

``play_block`` is what Python calls; ``step`` resolves one card. All of a game's memory is one scratch record of
fixed size, so that the same functions can run one game per thread.
"""

import numpy as np

from simsorry import deck, rng
from simsorry.games.classic import tables as t
from simsorry.games.classic.columns import GAME, NOBODY, SEAT
from simsorry.games.classic.moves import (
    BACKWARD,
    BLOCKED,
    MOVE,
    OUT,
    PASS,
    PAST,
    SCRATCH_FIELDS,
    SWAP,
    TAKE,
    land,
    list_outcomes,
)
from simsorry.games.classic.plain import carry_out, carry_out_apart, list_plain, pick_eleven, pick_seven, pick_take, simple_moves
from simsorry.games.classic.scoring import best_outcome, togo_of
from simsorry.games.columns import numbered
from simsorry.jit import entry, inner, small, stay_apart
from simsorry.lanes import below, count, equal, first, get, nth

U = np.uint64

# What is counted as it happens, for the mover's table seat; the tables' columns are sums of these.
TALLY_STRIDE = 32
ACTED, CHOSE = U(1), U(2)  # a turn's kind is their sum, and each kind has its own count, 0 to 3
_TALLIES = """
    turns_0 turns_1 turns_2 turns_3 again starts given taken own swaps slides splits backs passes homes ride_bumps sorry_bumps first_start
""".split()  # noqa: SIM905 - a list of names reads better as text
TALLY = numbered(_TALLIES)

SCRATCH = np.dtype(
    [
        ("word", np.uint64, (4,)),  # the position: a word of places per color
        ("togo", np.uint64, (4,)),  # squares each color still has to go
        ("seat", np.uint64),  # table seat to move
        ("first_seat", np.uint64),
        ("again", np.uint64),  # whether the card to come is one that a 2 gives
        ("turn_kind", np.uint64),  # what this turn has had so far: ACTED, CHOSE, both or nothing
        ("turns", np.uint64),  # turns over
        ("decisions", np.uint64),  # how many in the lower half, their outcomes in the upper
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
        ("turns_to_win", np.int32),
        ("rounds", np.int32),
        ("lead_changes", np.int32),
        ("capped", np.int32),
        ("pips_left", np.int32, (4,)),  # when the winner finished, by table seat
        ("pawns_home", np.int32, (4,)),
        ("tally", np.int32, ((t.NO_SEAT + 1) * TALLY_STRIDE,)),  # what happened, by table seat; the last is nobody's
        *SCRATCH_FIELDS,
    ],
    align=True,
)

_0, _1, _2, _3, _7, _8, _16, _24, _32, _40 = U(0), U(1), U(2), U(3), U(7), U(8), U(16), U(24), U(32), U(40)
_BYTE, _NOBODY = U(255), U(NOBODY)
_ALWAYS, _IF_PLAYED = U(t.ALWAYS), U(t.IF_PLAYED)
HOME, START, NO_ROW = U(t.HOME), U(t.START), U(t.NO_ROW)
EMPTY = U(0x7F7F7F7F7F7F7F7F)
_SUMMED_NAMES = """
    dead_turns forced_turns choice_turns starts bumps bumps_slide bumps_sorry own_bumps swaps slides splits backs passes homes
""".split()  # noqa: SIM905
SUMMED = tuple(getattr(GAME, name) for name in _SUMMED_NAMES)
OK, TOO_MANY_OUTCOMES = 0, 1
NOTHING, UNSETTLED = U(7), U(6)  # in place of an action: no outcome is possible; it takes a closer look


@small
def tally_at(seat, what):
    return (seat << U(5)) + what


@inner
def set_up(R, X, seed, game):
    """A new game: pawns in place, a full pile, nobody ahead, and the player who begins."""
    stay_apart()
    deck.fill(R, X)
    X.draws = _0
    X.reshuffles = 0
    X.cards_key = rng.stream(seed, game, rng.CARDS)
    X.choices_key = rng.stream(seed, game, rng.CHOICES)
    for color in range(4):
        X.word[U(color)] = EMPTY
    for i in range(4 * TALLY_STRIDE):
        X.tally[U(i)] = 0
    for s in range(R.players):
        seat = U(s)
        X.word[U(R.seat_color[seat])] = R.start_word
        X.togo[U(R.seat_color[seat])] = togo_of(R, R.start_word)
        X.place[seat] = 0
        X.tally[tally_at(seat, TALLY.first_start)] = 0 if on_start(R.start_word) < R.pawns else -1
    X.first_seat = first_seat(R, seed, game)
    X.seat = X.first_seat
    X.again = _0
    X.turn_kind = _0
    X.turns = _0
    X.decisions = _0
    X.turns_to_win = 0
    X.rounds = 1
    X.lead_changes = 0
    X.capped = 0
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
def add(X, seat, what, n):
    """Adds to one count of a table seat."""
    X.tally[tally_at(seat, what)] += np.int32(n)


@small
def count_action(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3):
    """Adds an action to the counts of the seats it concerns."""
    kind = action & _7
    if kind == PASS:
        add(X, seat, TALLY.passes, 1)
        return
    if kind == BLOCKED:
        return
    if kind == MOVE:
        if (action >> _3) & _7 > _1:
            add(X, seat, TALLY.splits, 1)
        else:
            row = (action >> _16) & U(63)
            add(X, seat, TALLY.starts, row == OUT)
            add(X, seat, TALLY.backs, row - BACKWARD < PAST - BACKWARD)
    elif kind == SWAP:
        add(X, seat, TALLY.swaps, 1)
    elif kind == TAKE:
        add(X, seat, TALLY.sorry_bumps, events & _BYTE)
    count_move(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3)
    if events >> _40 != _0:
        count_swapped_ride(R, X, seat, action, events)


@small
def count_move(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3):
    """Counts what every action may bring about: a first start, bumps, slides, pawns that come HOME."""
    X.turn_kind |= ACTED
    if X.tally[tally_at(seat, TALLY.first_start)] < 0 and on_start(w0) < R.pawns:
        X.tally[tally_at(seat, TALLY.first_start)] = turns_of(X, seat) + 1
    if events != _0:
        add(X, seat, TALLY.given, (events & _BYTE) + ((events >> _8) & _BYTE))
        add(X, seat, TALLY.ride_bumps, (events >> _8) & _BYTE)
        add(X, seat, TALLY.own, (events >> _16) & _BYTE)
        add(X, seat, TALLY.slides, (events >> _24) & _BYTE)
        add(X, seat, TALLY.homes, (events >> _32) & _BYTE)
        if events & U(0xFFFF) != _0 or events >> _40 != _0:
            color = U(R.seat_color[seat])
            other = (action >> U(19)) & _3  # of the swapped pawn, whose own bumps stand apart
            by_itself = (events >> U(56)) & _BYTE
            if events >> _40 != _0:
                count_taken(R, X, color, p0, w0, (events >> _16) & _BYTE)
            count_taken(R, X, (color + _1) & _3, p1, w1, by_itself * U(other == _1))
            count_taken(R, X, (color + _2) & _3, p2, w2, by_itself * U(other == _2))
            count_taken(R, X, (color + _3) & _3, p3, w3, by_itself * U(other == _3))


@small
def count_taken(R, X, color, before, after, by_itself):
    """Counts the pawns that others have sent back."""
    add(X, U(R.color_seat[color]), TALLY.taken, on_start(after) - on_start(before) - by_itself)


@inner
def count_swapped_ride(R, X, seat, action, events):
    """Counts the ride of a swapped opponent's pawn for that opponent, whose pawn it is (rulebook 13.6)."""
    stay_apart()
    theirs = U(R.color_seat[(U(R.seat_color[seat]) + ((action >> U(19)) & _3)) & _3])
    add(X, theirs, TALLY.slides, 1)
    add(X, theirs, TALLY.given, (events >> U(48)) & _BYTE)
    add(X, theirs, TALLY.ride_bumps, (events >> U(48)) & _BYTE)
    add(X, theirs, TALLY.own, (events >> U(56)) & _BYTE)


@small
def turns_of(X, seat):
    """Turns a table seat has had."""
    base = tally_at(seat, _0)
    return X.tally[base] + X.tally[base + _1] + X.tally[base + _2] + X.tally[base + _3]


@inner
def note_lead(R, X):
    """At a round end: who alone has the least to go, and whether that has changed."""
    stay_apart()
    best = U(1 << 40)
    leader = _NOBODY
    for s in range(R.players):
        togo = X.togo[U(R.seat_color[U(s)])]
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
def finish(R, X):
    """Notes that the mover has all pawns HOME; returns whether the game goes on (H-30, F-15, HQ25)."""
    stay_apart()
    X.finished += _1
    X.place[X.seat] = np.int32(X.finished)
    if X.finished == _1:
        X.winner = X.seat
        X.turns_to_win = np.int32(X.turns) + 1
        note_finish(R, X)
    if R.game_end == U(t.END_FIRST):
        return False
    return X.finished + _1 < R.players or (R.game_end == U(t.END_ALL) and X.finished < R.players)


@inner
def note_finish(R, X):
    """Where every player stood when the winner finished."""
    stay_apart()
    for s in range(R.players):
        word = X.word[U(R.seat_color[U(s)])]
        X.pips_left[U(s)] = np.int32(togo_of(R, word))
        X.pawns_home[U(s)] = np.int32(count(equal(word, HOME)))


@inner
def carry_out_all(R, X, n, color, p0, p1, p2, p3):
    """Fills in the results and events of actions that were only listed."""
    stay_apart()
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
    X.turn_kind |= several << _1
    X.decisions += several * ((n << _32) | _1)
    return rng.word(X.choices_key, X.draws)


@small
def move_color(R, X, color, word):
    """Takes over a color's pawns, and what it has to go."""
    if word != X.word[color]:
        X.word[color] = word
        X.togo[color] = togo_of(R, word)


@inner
def move_all(R, X, color, w0, w1, w2, w3):
    """Takes over a position."""
    stay_apart()
    move_color(R, X, color, w0)
    move_color(R, X, (color + _1) & _3, w1)
    move_color(R, X, (color + _2) & _3, w2)
    move_color(R, X, (color + _3) & _3, w3)


@small
def play_simple(R, X, seat, color, card):
    """A card that only starts or moves one pawn, played at random where actions rarely end alike; returns the action's kind."""
    p0, p1, p2, p3 = X.word[color], X.word[(color + _1) & _3], X.word[(color + _2) & _3], X.word[(color + _3) & _3]
    start, lanes, places = simple_moves(R, color, card, p0, p1, p2, p3)
    n = start + count(lanes)
    if n == _0:
        return NOTHING
    k = rng.below(note_choice(X, n), n)
    starting = k < start
    lane = nth(lanes, k - start)
    back = U(lane > _3 and not starting)
    place = _0 if starting else min(get(places, lane), HOME)
    pawn = first(equal(p0, START)) if starting else lane & _3
    w0, w1, w2, w3, events = land(R, color, p0, p1, p2, p3, pawn, place, R.slide_on_backward | (back ^ _1))
    if events & U(0xFFFFFF) == _0:
        X.word[color] = w0
        X.togo[color] += U(R.togo[get(w0, pawn)]) - U(R.togo[get(p0, pawn)])
    else:
        move_all(R, X, color, w0, w1, w2, w3)
    add(X, seat, TALLY.starts, starting)
    add(X, seat, TALLY.backs, back)
    count_move(R, X, seat, MOVE, events, p0, p1, p2, p3, w0, w1, w2, w3)
    return MOVE


@small
def pick_at_random(R, X, color, card, p0, p1, p2, p3):
    """A random player's action on a card whose outcomes can be counted without listing them; UNSETTLED where they can't."""
    ops = card << _3
    flags = U(R.ops[ops + U(t.OP_FLAGS)])
    luck = rng.word(X.choices_key, X.draws)
    if flags == U(t.TAKES) and U(R.ops[ops + U(t.OP_FORWARD)]) == NO_ROW:
        n, action = pick_take(X, color, p0, luck)
    else:
        start, lanes, _ = simple_moves(R, color, card, p0, p1, p2, p3)
        if R.ops[ops + U(t.OP_SPLIT)] != 0:
            n, action, settled = pick_seven(R, color, p0, start, lanes & U(0xFFFFFFFF), below(p0, HOME), luck)
        elif flags & U(t.SWAPS) != _0:
            n, action, settled = pick_eleven(R, X, color, p0, lanes, luck)
        else:
            return UNSETTLED
        if not settled or start != _0:
            return UNSETTLED
    note_choice(X, n)
    return action if n != _0 else NOTHING


@inner
def take_outcome(R, X, seat, color, at, p0, p1, p2, p3):
    """Moves as outcome ``at``, whose result is at hand; returns the kind of its action."""
    stay_apart()
    base = at << _2
    w0, w1, w2, w3 = X.result[base], X.result[base + _1], X.result[base + _2], X.result[base + _3]
    move_all(R, X, color, w0, w1, w2, w3)
    count_action(R, X, seat, X.action[at], X.events[at], p0, p1, p2, p3, w0, w1, w2, w3)
    return X.action[at] & _7


@inner
def play_plain(R, Q, X, seat, color, card):
    """Any card where actions rarely end alike: lists them, lets the policy choose, and moves; returns the action's kind."""
    stay_apart()
    p0, p1, p2, p3 = X.word[color], X.word[(color + _1) & _3], X.word[(color + _2) & _3], X.word[(color + _3) & _3]
    at_random = Q.weighted[seat] == _0
    action = UNSETTLED
    if at_random:
        action = pick_at_random(R, X, color, card, p0, p1, p2, p3)
    if action == UNSETTLED:
        n = list_plain(R, X, color, card, p0, p1, p2, p3)
        if n == _0:
            return NOTHING
        luck = note_choice(X, n)
        if n > _1 and not at_random:
            carry_out_all(R, X, n, color, p0, p1, p2, p3)
            return take_outcome(R, X, seat, color, best_outcome(R, Q, X, n, seat, p1, p2, p3, luck), p0, p1, p2, p3)
        action = X.action[rng.below(luck, n)]
    if action == NOTHING:
        return NOTHING
    w0, w1, w2, w3, events = carry_out(R, color, p0, p1, p2, p3, action)
    move_all(R, X, color, w0, w1, w2, w3)
    count_action(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3)
    return action & _7


@inner
def play_full(R, Q, X, seat, color, card):
    """The same for any rules, from the full list of outcomes."""
    stay_apart()
    p0, p1, p2, p3 = X.word[color], X.word[(color + _1) & _3], X.word[(color + _2) & _3], X.word[(color + _3) & _3]
    n = list_outcomes(R, X, color, card, p0, p1, p2, p3)
    if n == _0:
        return NOTHING
    luck = note_choice(X, n)
    at = rng.below(luck, n)
    if n > _1 and Q.weighted[seat] != _0:
        at = best_outcome(R, Q, X, n, seat, p1, p2, p3, luck)
    return take_outcome(R, X, seat, color, at, p0, p1, p2, p3)


@small
def step(R, Q, X):
    """Draws and resolves one card; returns whether the game goes on."""
    seat = X.seat
    color = U(R.seat_color[seat])
    card = deck.draw(R, X, X.cards_key, X.again)
    if R.plain == _0:
        kind = play_full(R, Q, X, seat, color, card)
    elif Q.weighted[seat] == _0 and R.ops[(card << _3) + U(t.OP_SIMPLE)] != 0:
        kind = play_simple(R, X, seat, color, card)
    else:
        kind = play_plain(R, Q, X, seat, color, card)
    # Every color's word enters at its own cards, so a bump shows at the next card of whom it hit.
    mixed = (X.digest ^ X.word[color] ^ (card << U(56))) * rng.GOLDEN
    X.digest = mixed ^ (mixed >> _32)
    again = plays_again(R, card, kind)
    going = True
    if X.word[color] == R.home_word:
        going = finish(R, X)
        again = _0
    return end_card(R, X, seat, again, going)


@small
def plays_again(R, card, kind):
    """1 if the card gives another (H-14, HQ4)."""
    played = U(kind != NOTHING) & U(kind != PASS)
    wanted = U(R.two_again == _ALWAYS) | (U(R.two_again == _IF_PLAYED) & played)
    return (U(R.ops[card << _3]) >> _3) & wanted & U(kind != BLOCKED)


@small
def end_card(R, X, seat, again, going):
    """Counts the card or the turn it ends, and passes play on; returns whether the game goes on.

    Whether a 2 gives another card is worked into the numbers rather than branched on: cards come as they like.
    """
    X.again = again
    X.tally[tally_at(seat, TALLY.again if again != _0 else X.turn_kind)] += 1
    X.turn_kind *= again
    X.turns += _1 - again
    if not going:
        return False
    if X.turns >= R.turn_cap:
        cut_off(R, X)
        return False
    following = seat + _1 if seat + _1 < R.players else _0
    round_over = U(following == X.first_seat)
    while X.place[following] != 0:  # finished players are passed over
        following = following + _1 if following + _1 < R.players else _0
        round_over |= U(following == X.first_seat)
    X.seat = seat if again != _0 else following
    if round_over > again:
        X.rounds += 1
        note_lead(R, X)
    return True


@inner
def cut_off(R, X):
    """Ends a game that has reached the turn cap."""
    stay_apart()
    X.capped = 1
    if X.winner == _NOBODY:
        X.turns_to_win = np.int32(X.turns)
        note_finish(R, X)


@inner
def place_of(R, X, seat):
    """A seat's finishing place; who is still on the way ranks by pawns HOME, then by what is left to go, equals alike."""
    stay_apart()
    if X.place[seat] != 0:
        return X.place[seat]
    mine = X.word[U(R.seat_color[seat])]
    home, togo = count(equal(mine, HOME)), togo_of(R, mine)
    ahead = 0
    for s in range(R.players):
        theirs = X.word[U(R.seat_color[U(s)])]
        their_home = count(equal(theirs, HOME))
        if X.place[U(s)] != 0 or their_home > home or (their_home == home and togo_of(R, theirs) < togo):
            ahead += 1
    return np.int32(ahead + 1)


@inner
def write_game(R, X, i, games):
    """One row of the games table, but for what is summed over the seats."""
    stay_apart()
    order = (X.winner + R.players - X.first_seat) % R.players
    games[GAME.winner, i] = NOBODY if X.winner == _NOBODY else np.int32(order)
    games[GAME.winner_color, i] = NOBODY if X.winner == _NOBODY else np.int32(R.seat_color[X.winner])
    games[GAME.first_seat, i] = np.int32(X.first_seat)
    games[GAME.capped, i] = X.capped
    games[GAME.turns, i] = X.turns_to_win
    games[GAME.turns_all, i] = np.int32(X.turns)
    games[GAME.rounds, i] = X.rounds
    games[GAME.draws, i] = np.int32(X.draws)
    games[GAME.choices, i] = np.int32(X.decisions & U(0xFFFFFFFF))
    games[GAME.outcomes, i] = np.int32(X.decisions >> _32)
    games[GAME.lead_changes, i] = X.lead_changes
    games[GAME.reshuffles, i] = X.reshuffles
    games[GAME.digest, i] = np.int32(np.uint32(X.digest >> _32))
    for column in SUMMED:
        games[column, i] = 0


@inner
def write_seat(R, X, i, order, games, seats):
    """One row of the seats table, and its share of the game's sums."""
    stay_apart()
    seat = (X.first_seat + U(order)) % R.players
    row = np.int64(i) * np.int64(R.players) + np.int64(order)
    base = tally_at(seat, _0)
    forced, idle_choice, choice = X.tally[base + ACTED], X.tally[base + CHOSE], X.tally[base + ACTED + CHOSE]
    dead = X.tally[base] + idle_choice
    turns = dead + forced + choice
    seats[SEAT.color, row] = np.int32(R.seat_color[seat])
    seats[SEAT.table_seat, row] = np.int32(seat)
    seats[SEAT.won, row] = 1 if seat == X.winner else 0
    seats[SEAT.place, row] = place_of(R, X, seat)
    seats[SEAT.turns, row] = turns
    seats[SEAT.draws, row] = turns + X.tally[base + TALLY.again]
    seats[SEAT.dead_turns, row] = dead
    seats[SEAT.choice_turns, row] = choice + idle_choice
    seats[SEAT.starts, row] = X.tally[base + TALLY.starts]
    seats[SEAT.bumps_given, row] = X.tally[base + TALLY.given]
    seats[SEAT.bumps_taken, row] = X.tally[base + TALLY.taken]
    seats[SEAT.own_bumps, row] = X.tally[base + TALLY.own]
    seats[SEAT.swaps, row] = X.tally[base + TALLY.swaps]
    seats[SEAT.slides, row] = X.tally[base + TALLY.slides]
    seats[SEAT.pips_left, row] = X.pips_left[seat]
    seats[SEAT.pawns_home, row] = X.pawns_home[seat]
    seats[SEAT.first_start, row] = X.tally[base + TALLY.first_start]
    games[GAME.dead_turns, i] += dead
    games[GAME.forced_turns, i] += forced
    games[GAME.choice_turns, i] += choice + idle_choice
    games[GAME.starts, i] += X.tally[base + TALLY.starts]
    games[GAME.bumps, i] += X.tally[base + TALLY.given]
    games[GAME.bumps_slide, i] += X.tally[base + TALLY.ride_bumps]
    games[GAME.bumps_sorry, i] += X.tally[base + TALLY.sorry_bumps]
    games[GAME.own_bumps, i] += X.tally[base + TALLY.own]
    games[GAME.swaps, i] += X.tally[base + TALLY.swaps]
    games[GAME.slides, i] += X.tally[base + TALLY.slides]
    games[GAME.splits, i] += X.tally[base + TALLY.splits]
    games[GAME.backs, i] += X.tally[base + TALLY.backs]
    games[GAME.passes, i] += X.tally[base + TALLY.passes]
    games[GAME.homes, i] += X.tally[base + TALLY.homes]


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
        write_game(R, X, i, games)
        for order in range(R.players):
            write_seat(R, X, i, order, games, seats)
    return TOO_MANY_OUTCOMES if X.overflow != _0 else OK


@entry
def outcomes_of(tables, scratch, color, card, words):
    """Lists the outcomes of one card in a position of four words by color; fills ``scratch``, returns their number."""
    R = tables[0]
    X = scratch[0]
    return list_outcomes(R, X, color, card, words[color], words[(color + _1) & _3], words[(color + _2) & _3], words[(color + _3) & _3])


def new_scratch() -> np.ndarray:
    """The working memory of one thread: a 1-element record."""
    return np.zeros(1, SCRATCH).view(np.recarray)
