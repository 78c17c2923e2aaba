"""The fast turn loop: one card drawn at a time, everybody for themselves, and rules that are ``plain``.

``step`` resolves one card. Everything else has a loop of its own (``match``), which plays this game too, and the same game for
game.
"""

import numpy as np

from simsorry import deck, rng
from simsorry.games import audit, records, rounds, track
from simsorry.games.choosing import is_careless, note_progress
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import BLOCKED, MOVE, NOTHING, OPTIONAL, PASS, kind_of
from simsorry.games.classic.counting import (
    AUDITED,
    audit_step,
    begin_audit,
    count_action,
    count_move,
    note_finish,
    note_round_end,
    take_stock,
    write_game,
    write_seat,
)
from simsorry.games.classic.landing import land
from simsorry.games.classic.plain import carry_out, carry_out_apart, list_plain, pick_eleven, pick_seven, pick_take, simple_moves
from simsorry.games.classic.scoring import best_outcome
from simsorry.games.classic.state import TALLY, clear_counts, give_head_starts, move_all, put_on_board
from simsorry.games.columns import NOBODY
from simsorry.games.frames import frame_of
from simsorry.games.standings import place_of
from simsorry.games.tallies import tally, tally_at
from simsorry.jit import entry, inner, small, stay_apart
from simsorry.lanes import below, count, equal, first, get, nth

U = np.uint64

_0, _1, _2, _3, _32 = U(0), U(1), U(2), U(3), U(32)
_NOBODY = U(NOBODY)
_ALWAYS, _IF_PLAYED = U(records.ALWAYS), U(records.IF_PLAYED)
HOME, START, NO_ROW = U(track.HOME), U(track.START), U(t.NO_ROW)
OK, TOO_MANY_OUTCOMES = 0, 1
UNSETTLED = U(15)  # in place of an action: it takes a closer look


@inner
def set_up(R, X, seed, game):
    """A new game: pawns in place, a full pile, nobody ahead, and the player who begins."""
    stay_apart()
    deck.fill(R, X)
    X.draws = _0
    X.cards_key = rng.stream(seed, game, rng.CARDS)
    X.choices_key = rng.stream(seed, game, rng.CHOICES)
    clear_counts(R, X)
    put_on_board(R, X)
    X.opening_seat = rounds.first_seat(R, rng.stream(seed, game, rng.FIRST_PLAYER), game)
    rounds.begin(X, X.opening_seat)
    X.rounds = 1
    give_head_starts(R, X)
    audit.begin_game(X, game)
    if X.audited != _0:
        begin_audit(R, X)


@inner
def finish(R, X):
    """Notes that the mover has all pawns HOME; returns whether the game goes on."""
    stay_apart()
    X.finished += _1
    X.place[X.seat] = np.int32(X.finished)
    if X.finished == _1:
        X.winner = X.seat
        X.rounds_won[X.seat] = 1
        X.turns_to_win += np.int32(X.turns) + 1
        note_finish(R, X)
    return rounds.goes_on(R, X.finished, R.players)


@small
def add_pass(X, n):
    """Adds passing to the outcomes of a card that can only swap, if the swap may be declined; returns their number (H-21)."""
    if n != _0 and X.action[_0] & OPTIONAL != _0:
        X.action[n] = PASS
        n += _1
    return n


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
def play_simple(R, X, seat, color, card):
    """A card that only starts or moves one pawn, played at random where actions rarely end alike; returns the action's kind."""
    p0, p1, p2, p3 = frame_of(X, color)
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
    tally(X, seat, TALLY.starts, starting)
    tally(X, seat, TALLY.backs, back)
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
    return kind_of(X.action[at])


@inner
def play_plain(R, Q, X, seat, color, card):
    """Any card where actions rarely end alike: lists them, lets the policy choose, and moves; returns the action's kind."""
    stay_apart()
    p0, p1, p2, p3 = frame_of(X, color)
    at_random = Q.weighted[seat] == _0
    if Q.weighted[seat] > _1 and X.again == _0:
        take_stock(R, X)
        note_progress(R, Q, X, seat)
    action = UNSETTLED
    if at_random:
        action = pick_at_random(R, X, color, card, p0, p1, p2, p3)
    if action == UNSETTLED:
        n = add_pass(X, list_plain(R, X, _0, color, card, p0, p1, p2, p3))
        if n == _0:
            return NOTHING
        luck = note_choice(X, n)
        if n > _1 and not at_random and not is_careless(Q, X, seat, luck):
            carry_out_all(R, X, n, color, p0, p1, p2, p3)
            return take_outcome(R, X, seat, color, best_outcome(R, Q, X, n, seat, p1, p2, p3, luck), p0, p1, p2, p3)
        action = X.action[rng.below(luck, n)]
    if action == NOTHING:
        return NOTHING
    w0, w1, w2, w3, events = carry_out(R, color, p0, p1, p2, p3, action)
    move_all(R, X, color, w0, w1, w2, w3)
    count_action(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3)
    return kind_of(action)


@small
def step(R, Q, X):
    """Draws and resolves one card; returns whether the game goes on."""
    seat = X.seat
    color = U(R.seat_color[seat])
    card = deck.draw(R, X, X.cards_key, X.again)
    if Q.weighted[seat] == _0 and R.ops[(card << _3) + U(t.OP_SIMPLE)] != 0:
        kind = play_simple(R, X, seat, color, card)
    else:
        kind = play_plain(R, Q, X, seat, color, card)
    X.did_card = card
    X.did_kind = kind
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
    return (U(R.ops[card << _3]) >> _3) & rounds.two_brings_another(R, played) & U(kind != BLOCKED)


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
        note_round_end(R, X)
    return True


@inner
def cut_off(R, X):
    """Ends a round that has reached the turn cap, and its match."""
    stay_apart()
    if rounds.cut_off(X):
        note_finish(R, X)


@entry
def play_single(tables, line_up, scratch, seed, first_game, games, seats, audits):
    """``play_block`` for plain rules without hands, teams, points and matches."""
    R = tables[0]
    Q = line_up[0]
    X = scratch[0]
    X.overflow = _0
    for i in range(games.shape[1]):
        set_up(R, X, seed, first_game + U(i))
        going = True
        while going:
            if X.audited != _0:
                audit.before_step(R, X, AUDITED)
            going = step(R, Q, X)
            if X.audited != _0:
                audit_step(R, X)
        X.turns_all = np.int32(X.turns)
        take_stock(R, X)
        if X.audited != _0:
            audit.end_round(R, X)
            audit.write_chunk(X, first_game, first_game + U(i), audits)
        write_game(R, X, i, games)
        for order in range(R.players):
            seat = (X.opening_seat + U(order)) % R.players
            write_seat(R, X, i, order, place_of(R, X, seat), games, seats)
    return TOO_MANY_OUTCOMES if X.overflow != _0 else OK
