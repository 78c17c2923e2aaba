"""The turns of everything: hands of cards, teams, points, matches.

``step`` resolves one card: it lists what the drawn card, or every card of the hand, can do with the pawns that the player moves,
lets the policy choose, and moves. A game is a match of one round or more; the rounds of a match have chance streams of their own.
"""

import numpy as np

from simsorry import rng
from simsorry.games import audit, hands, records, rounds
from simsorry.games.choosing import is_careless, note_progress
from simsorry.games.classic.actions import (
    BLOCKED,
    NOTHING,
    PASS,
    THROW,
    kind_of,
)
from simsorry.games.classic.choices import carry_out, carry_out_all, list_choices
from simsorry.games.classic.counting import (
    begin_audit,
    count_action,
    count_in_team,
    note_finish,
    note_round_end,
    take_stock,
)
from simsorry.games.classic.kernel import cut_off, plays_again
from simsorry.games.classic.scoring import best_in_match
from simsorry.games.classic.state import TALLY, clear_counts, give_head_starts, move_all, put_on_board
from simsorry.games.frames import frame_of
from simsorry.games.hands import NO_CARD
from simsorry.games.options import CARDS
from simsorry.games.tallies import CHOSE, CHOSE_THROW, tally, tally_at
from simsorry.jit import inner, small, stay_apart

U = np.uint64

_0, _1, _2, _3, _8, _32 = U(0), U(1), U(2), U(3), U(8), U(32)
_NO_MORE = U(records.NO_MORE)
_TWO = U(CARDS.index("2"))


@small
def note_choice(X, n):
    """Counts a decision if there is one; cards to throw in stand last, so the first outcome tells whether there is anything else."""
    several = U(n > _1)
    only_throws = U(kind_of(X.action[_0]) == THROW)
    X.turn_kind |= several * (CHOSE_THROW if only_throws != _0 else CHOSE)
    X.decisions += several * ((n << _32) | _1)


# -- one card ----------------------------------------------------------------------------------------


@inner
def choose(R, Q, X):
    """The outcome that the player takes, of at least one."""
    stay_apart()
    seat, n = X.seat, X.outcomes
    note_choice(X, n)
    luck = rng.word(X.choices_key, X.resolved)
    if n == _1 or Q.weighted[seat] == _0 or is_careless(Q, X, seat, luck):
        return rng.below(luck, n)
    color = U(R.seat_color[seat])
    p0, p1, p2, p3 = frame_of(X, color)
    if R.plain != _0:
        carry_out_all(R, X, color, p0, p1, p2, p3)
    return best_in_match(R, Q, X, n, seat, p0, p1, p2, p3, luck)


@inner
def take_outcome(R, X, seat, color, at, p0, p1, p2, p3):
    """Moves as an outcome says, and notes what was done."""
    stay_apart()
    w0, w1, w2, w3, events = carry_out(R, X, at, color, p0, p1, p2, p3)
    move_all(R, X, color, w0, w1, w2, w3)
    action = X.action[at]
    X.did_action = action
    X.did_events = events
    if R.team != _0:
        count_in_team(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3)
    else:
        count_action(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3)
    return kind_of(action)


@inner
def step(R, Q, X):
    """Resolves one card; returns whether the round goes on. ``X.did_...`` tell what was done, ``X.outcomes`` of how many choices."""
    stay_apart()
    open_card(R, Q, X)
    return close_card(R, X, choose(R, Q, X) if X.outcomes != _0 else _0)


@small
def open_card(R, Q, X):
    """Lists what there is to choose from."""
    seat = X.seat
    color = U(R.seat_color[seat])
    if Q.weighted[seat] > _1 and X.again == _0:
        take_stock(R, X)
        note_progress(R, Q, X, seat)
    p0, p1, p2, p3 = frame_of(X, color)
    X.now_card = list_choices(R, X, seat, color, p0, p1, p2, p3)
    X.resolved += _1
    X.did_action = NOTHING


@inner
def close_card(R, X, at):
    """Takes outcome ``at``, if there is any, and does what follows; returns whether the round goes on."""
    stay_apart()
    seat = X.seat
    color = U(R.seat_color[seat])
    p0, p1, p2, p3 = frame_of(X, color)
    card, kind = X.now_card, NOTHING
    if X.outcomes != _0:
        card = U(X.card[at])
        kind = take_outcome(R, X, seat, color, at, p0, p1, p2, p3)
        if kind == THROW and card == NO_CARD:
            card = hands.random_card(X, seat, rng.word(X.choices_key, X.resolved))
    X.did_card = card
    X.did_kind = kind
    mixed = (X.digest ^ X.word[color] ^ (card << U(56))) * rng.GOLDEN
    X.digest = mixed ^ (mixed >> _32)
    going = True
    if p0 != X.word[color] or R.team != _0:
        going = who_is_home(R, X, color)
    out = is_out(R, X, seat)
    if R.hand_size == _0:
        again = plays_again(R, card, kind) * U(not out)
    elif out:
        again = _0  # whoever is out has laid the hand down
        X.kept_out = _0
    else:
        again = spend(R, X, seat, card, kind)
        if again == _0:
            hands.fill_for_next_turn(R, X, seat)
    return end_card(R, X, seat, again, going)


@inner
def spend(R, X, seat, card, kind):
    """Lays down the card that was played or thrown in, and draws; 1 if the turn goes on with another card (F-41, F-42)."""
    stay_apart()
    again = _0
    if kind == PASS or kind == NOTHING:  # noqa: SIM109 - numba knows no membership of a tuple built anew
        tally(X, seat, TALLY.cardless, 1)
    elif kind == THROW:
        hands.throw_in(R, X, seat, card)
    else:
        hands.lay_down(R, X, seat, card, _1)
        again = hands.refill(R, X, seat, U(card == _TWO and kind != BLOCKED and R.two_in_hand != _NO_MORE))
    return again


# -- the end of a card, a turn, a round ---------------------------------------------------------------


@small
def is_out(R, X, seat):
    """Whether a player takes no more turns in a game that goes on (FQ18, HQ36)."""
    skips = R.finished_skip != _0 and X.word[U(R.seat_color[seat])] == R.home_word
    return X.place[seat] != 0 or skips


@inner
def who_is_home(R, X, color):
    """Notes who has finished with a card; returns whether the round goes on."""
    stay_apart()
    own = X.word[color] == R.home_word
    if R.team == _0:
        return finish(R, X, color, color) if own else True
    other = (color + U(R.partner[color])) & _3
    theirs = X.word[other] == R.home_word
    if (own and theirs) or (R.first_member_wins != _0 and (own or theirs)):
        return finish(R, X, color, other)
    if R.finished_skip * R.hand_size != _0:
        if own:
            hands.drop_hand(R, X, U(R.color_seat[color]))
        if theirs:
            hands.drop_hand(R, X, U(R.color_seat[other]))
    return True


@inner
def finish(R, X, color, other):
    """Notes that a player, or a team of two colors, has finished; returns whether the round goes on."""
    stay_apart()
    X.finished += _1
    sides = _2 if R.team != _0 else R.players
    X.place[U(R.color_seat[color])] = np.int32(X.finished)
    X.place[U(R.color_seat[other])] = np.int32(X.finished)
    if R.hand_size != _0:
        hands.drop_hand(R, X, U(R.color_seat[color]))
        hands.drop_hand(R, X, U(R.color_seat[other]))
    if X.finished == _1:
        X.winner = X.seat
        X.turns_to_win += np.int32(X.turns) + 1
        note_finish(R, X)
    return rounds.goes_on(R, X.finished, sides)


@inner
def end_card(R, X, seat, again, going):
    """Counts the card or the turn it ends, and passes play on; returns whether the round goes on."""
    stay_apart()
    X.chain = (X.chain + _1) * again
    endless = X.chain >= U(rounds.MAX_CHAIN)
    if endless:
        again = _0
    X.again = again
    X.tally[tally_at(seat, TALLY.again if again != _0 else X.turn_kind)] += 1
    X.turn_kind *= again
    X.turns += _1 - again
    X.turns_had[seat] += _1 - again
    if not going:
        return False
    if X.turns >= R.turn_cap or endless:
        cut_off(R, X)
        return False
    following = seat + _1 if seat + _1 < R.players else _0
    round_over = U(following == X.first_seat)
    while is_out(R, X, following):  # finished players are passed over
        following = following + _1 if following + _1 < R.players else _0
        round_over |= U(following == X.first_seat)
    X.seat = seat if again != _0 else following
    if round_over > again:
        X.rounds += 1
        note_round_end(R, X)
    return True


# -- points and matches ------------------------------------------------------------------------------


@inner
def begin_match(R, X, game):
    """A new match: nothing counted, no points."""
    stay_apart()
    clear_counts(R, X)
    audit.begin_game(X, game)
    X.rounds = 0


@inner
def begin_round(R, X, seed, game):
    """A new round: pawns in place, a full pile or hands dealt, and the player who begins (HQ1, H-30)."""
    stay_apart()
    rounds.open_round(R, X, seed, game)
    put_on_board(R, X)
    give_head_starts(R, X)
    hands.set_out(R, X)
    if X.audited != _0:
        begin_audit(R, X)


@inner
def next_round(R, X, seed, game):
    """The next round of a match."""
    stay_apart()
    X.match_round += _1
    begin_round(R, X, seed, game)
