"""The turns: hands of cards, points and matches.

``step`` resolves one card: it lists what the cards of the hand, or the card drawn, can do, lets the policy choose, and plays. A game is a
match of one round or more; the rounds of a match have chance streams of their own.
"""

import numpy as np

from simsorry import deck, rng
from simsorry.games import audit, hands, points, records, rounds
from simsorry.games.choosing import is_careless, note_progress
from simsorry.games.columns import NOBODY
from simsorry.games.ice.actions import NOTHING, PASS, SORRY, THROW, kind_of
from simsorry.games.ice.counting import (
    begin_audit,
    close_covers,
    count_idle,
    count_turn_end,
    note_finish,
    note_round_end,
    play,
    take_stock,
)
from simsorry.games.ice.listing import list_plays
from simsorry.games.ice.scoring import best_play
from simsorry.games.ice.state import TALLY, clear_counts, give_head_starts, put_on_board
from simsorry.games.options import CARDS
from simsorry.games.tallies import ACTED, CHOSE, CHOSE_THROW, tally, tally_at
from simsorry.jit import inner, small, stay_apart

U = np.uint64

_0, _1, _32 = U(0), U(1), U(32)
_NOBODY = U(NOBODY)
_TWO = U(CARDS.index("2"))
OK, TOO_MANY_OUTCOMES = 0, 1


# -- one card ------------------------------------------------------------------------------------------


@small
def note_choice(X, n):
    """Counts a decision if there is one; cards to throw in stand last, so the first outcome tells whether there is anything else."""
    if n > _1:
        X.turn_kind |= CHOSE_THROW if kind_of(X.action[_0]) == THROW else CHOSE
        X.decisions += _1
        X.outcomes_sum += n


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
    if Q.weighted[seat] > _1 and X.again == _0:
        take_stock(R, X)
        note_progress(R, Q, X, seat)
    if R.hand_size == _0:
        X.now_card = deck.draw(R, X, X.cards_key, X.again)
    list_plays(R, X, seat)
    X.resolved += _1
    X.did_card = X.now_card if R.hand_size == _0 else hands.NO_CARD
    X.did_action = NOTHING


@inner
def choose(R, Q, X):
    """The outcome that the player takes, of at least one."""
    stay_apart()
    seat, n = X.seat, X.outcomes
    note_choice(X, n)
    luck = rng.word(X.choices_key, X.resolved)
    at_random = n == _1 or Q.weighted[seat] == _0 or is_careless(Q, X, seat, luck)
    return rng.below(luck, n) if at_random else best_play(R, Q, X, n, seat, luck)


@inner
def close_card(R, X, at):
    """Takes outcome ``at``, if there is any, and does what follows; returns whether the round goes on."""
    stay_apart()
    seat = X.seat
    color = U(R.seat_color[seat])
    if X.outcomes != _0:
        note_taken(R, X, at)
        if kind_of(X.did_action) <= SORRY:
            X.turn_kind |= ACTED
            play(R, X, seat, X.did_action)
        else:
            count_idle(X, seat, kind_of(X.did_action))
        if kind_of(X.did_action) == THROW and X.did_card == hands.NO_CARD:
            X.did_card = hands.random_card(X, seat, rng.word(X.choices_key, X.resolved))
    mixed = (X.digest ^ X.placement ^ (X.did_card << U(56))) * rng.GOLDEN
    X.digest = mixed ^ (mixed >> _32)
    going = True
    if X.on_home[color] == R.pawns and X.place[seat] == 0:
        going = finish(R, X, seat)
    return end_card(R, X, seat, goes_again(R, X, seat), going)


@small
def note_taken(R, X, at):
    """Notes the outcome that the player takes, of those listed."""
    X.did_action = X.action[at]
    if R.hand_size != _0:
        X.did_card = U(X.card[at])


@inner
def goes_again(R, X, seat):
    """Lays the card down and draws; 1 if the turn goes on with another card (I-5, IQ21)."""
    stay_apart()
    card, kind = X.did_card, kind_of(X.did_action)
    if X.place[seat] != 0:  # whoever has finished has laid the hand down
        X.kept_out = _0
        return _0
    if R.hand_size == _0:
        return U(card == _TWO) & rounds.two_brings_another(R, U(kind != NOTHING) & U(kind != PASS))
    again = _0
    if kind == PASS or kind == NOTHING:  # noqa: SIM109 - numba knows no membership of a tuple built anew
        tally(X, seat, TALLY.cardless, 1)
    elif kind == THROW:
        hands.throw_in(R, X, seat, card)
    else:
        hands.lay_down(R, X, seat, card, _1)
        again = hands.refill(R, X, seat, U(card == _TWO and R.two_in_hand != U(records.NO_MORE)))
    if again == _0:
        hands.fill_for_next_turn(R, X, seat)
    return again


# -- the end of a card, a turn, a round ------------------------------------------------------------------


@inner
def finish(R, X, seat):
    """Notes that a player has all pawns HOME; returns whether the round goes on (I-28)."""
    stay_apart()
    X.finished += _1
    X.place[seat] = np.int32(X.finished)
    if R.hand_size != _0:
        hands.drop_hand(R, X, seat)
    if X.finished == _1:
        X.winner = seat
        X.turns_to_win += np.int32(X.turns) + 1
        note_finish(R, X)
    return rounds.goes_on(R, X.finished, R.players)


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
    if again != _0:
        return True
    X.turn_kind = _0
    X.turns += _1
    X.turns_had[seat] += _1
    count_turn_end(R, X)
    if not going:
        return False
    if X.turns >= R.turn_cap or endless:
        if rounds.cut_off(X):
            note_finish(R, X)
        return False
    following = seat + _1 if seat + _1 < R.players else _0
    round_over = following == X.first_seat
    while X.place[following] != 0:  # finished players are passed over
        following = following + _1 if following + _1 < R.players else _0
        round_over = round_over or following == X.first_seat
    X.seat = following
    if round_over:
        X.rounds += 1
        note_round_end(R, X)
    return True


# -- matches ---------------------------------------------------------------------------------------------


@inner
def begin_match(R, X, game):
    """A new match: nothing counted, no points."""
    stay_apart()
    clear_counts(R, X)
    audit.begin_game(X, game)
    points.begin_match(X)
    X.rounds = 0


@inner
def begin_round(R, X, seed, game):
    """A new round: pawns in place, a full pile or hands dealt, and the player who begins (I-2, I-3)."""
    stay_apart()
    rounds.open_round(R, X, seed, game)
    X.placement = _0
    put_on_board(R, X)
    give_head_starts(R, X)
    hands.set_out(R, X)
    if X.audited != _0:
        begin_audit(R, X)


@inner
def end_round(R, X):
    """Counts a round; returns whether the match goes on with another."""
    stay_apart()
    close_covers(X)
    return points.end_round(R, X)


@inner
def next_round(R, X, seed, game):
    """The next round of a match."""
    stay_apart()
    X.match_round += _1
    begin_round(R, X, seed, game)
