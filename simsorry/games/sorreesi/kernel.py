"""The turn loop: rolls, cards, and one decision after the other about what to do with them.

``step`` comes to one decision, rolling the dice before it where a roll is due, and carries out what the policy chooses.
"""

import numpy as np

from simsorry import deck, rng
from simsorry.games import audit, course, records, rounds
from simsorry.games.choosing import is_careless, note_progress
from simsorry.games.columns import NOBODY
from simsorry.games.options import CARDS
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.actions import NOTHING, STOP
from simsorry.games.sorreesi.counting import begin_audit, note_round_end, take_stock
from simsorry.games.sorreesi.fights import FIGHT_UNIT
from simsorry.games.sorreesi.moves import earn, play_use
from simsorry.games.sorreesi.scoring import best_use
from simsorry.games.sorreesi.state import (
    ACTED,
    BONUS_ALONE,
    CARD_ALONE,
    CARD_USED,
    CHOSE,
    DIE_USED,
    NO_CARD,
    POOL,
    ROLL,
    STARTED,
    TALLY,
    clear_counts,
    give_head_starts,
    partner_of,
    put_on_board,
    seat_of,
)
from simsorry.games.sorreesi.uses import controls, list_uses, pick
from simsorry.games.tallies import tally
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import equal, get, put

U = np.uint64

_0, _1, _2, _3, _6, _7, _8, _32, _36 = U(0), U(1), U(2), U(3), U(6), U(7), U(8), U(32), U(36)
_NOBODY = U(NOBODY)
_ALWAYS, _NEVER = U(records.ALWAYS), U(records.NEVER)
_TWO = U(CARDS.index("2"))
BASE, HOME = U(t.BASE), U(t.HOME)
OK, TOO_MANY_OUTCOMES = 0, 1
_ANY_TIME, _END_OF_ROLL, _END_OF_TURN = U(t.ANY_TIME), U(t.END_OF_ROLL), U(t.END_OF_TURN)


@inner
def set_up(R, X, seed, game):
    """A new game: pawns in place, a full pile, nobody ahead, and the player who begins."""
    stay_apart()
    deck.fill(R, X)
    X.cards_key = rng.stream(seed, game, rng.CARDS)
    X.choices_key = rng.stream(seed, game, rng.CHOICES)
    X.dice_key = rng.stream(seed, game, rng.DICE)
    X.fights_key = rng.stream(seed, game, rng.FIGHTS)
    clear_counts(R, X)
    put_on_board(R, X)
    X.turns = _0
    X.finished = _0
    X.winner = _NOBODY
    X.leader = _NOBODY
    course.begin_course(X)
    X.rounds = 1
    let_begin(X, rounds.first_seat(R, rng.stream(seed, game, rng.FIRST_PLAYER), game))
    give_head_starts(R, X)
    audit.begin_game(X, game)
    if X.audited != _0:
        begin_audit(R, X)


@small
def let_begin(X, seat):
    """Gives a seat the first turn."""
    X.opening_seat = seat
    X.first_seat = seat
    X.careless = _0
    begin_turn(X, seat)


# -- a turn and its rolls ----------------------------------------------------------------------------


@small
def begin_turn(X, seat):
    """Nothing rolled yet, nothing to spend but units won in others' turns."""
    X.seat = seat
    X.turn_kind = _0
    X.roll = _0
    X.double = _0
    X.phase = ROLL
    X.begun = _1
    X.card = NO_CARD
    X.dice[_0] = _0
    X.dice[_1] = _0
    X.units[_0] = _0
    X.units[_1] = _0
    X.units[FIGHT_UNIT] = X.carried[seat]
    X.carried[seat] = _0
    X.chain = _0
    X.turn_begin = X.moves


@small
def draw_card(R, X, seat, in_play):
    """Draws a card into what there is to spend."""
    X.card = deck.draw(R, X, X.cards_key, in_play)
    X.chain += _1
    tally(X, seat, TALLY.draws, 1)


@small
def draws_with(R, X):
    """Whether this roll has a card (SQ7)."""
    return X.roll == _1 or R.redraw_card != _0


@small
def roll_dice(R, X, seat):
    """Rolls the dice; returns whether they are a third double, whose roll is lost (S-2, S-7, S-8)."""
    both = rng.below(rng.word(X.dice_key, X.rolled), _36)
    one, other = both // _6 + _1, both % _6 + _1
    X.rolled += _1
    X.roll += _1
    X.double = U(one == other)
    X.digest ^= both << _8
    X.luck[seat] += (np.int64(one + other) - 7) << np.int64(deck.LUCK_BITS)
    tally(X, seat, TALLY.rolls, 1)
    tally(X, seat, TALLY.doubles, X.double)
    X.phase = POOL
    X.number[_0] = one
    X.number[_1] = other
    X.dice[_0] = _1 + X.double
    X.dice[_1] = _1 - X.double
    if X.double != _0:
        if X.roll == _3:
            tally(X, seat, TALLY.third, 1)
            if R.play_third == _0:
                return True
        if R.bottoms != _0 and equal(X.word[U(R.seat_color[seat])], BASE) == _0:
            X.number[_1] = _7 - one
            X.dice[_1] = _2
    if draws_with(R, X) and R.dice_then_card == _0:
        draw_card(R, X, seat, _0)
    return False


@small
def any_units(X):
    return (X.units[_0] | X.units[_1] | X.units[FIGHT_UNIT]) != _0


@small
def nothing_left(R, X):
    """Whether there is nothing more to spend in this phase, so that nobody need look for a use."""
    if X.phase == BONUS_ALONE:
        return not any_units(X)
    left = X.dice[_0] + X.dice[_1] + U(X.card != NO_CARD)
    return left == _0 and (R.timing != _ANY_TIME or not any_units(X))


@inner
def end_phase(R, X, seat):
    """Ends dice and card, or the bonus moves after them: what comes next may be a card, bonus moves, or the end of the roll."""
    stay_apart()
    if X.phase != BONUS_ALONE:
        if X.card != NO_CARD:
            again = X.card == _TWO and R.two_again == _ALWAYS  # found without a use (rulebook 13.6)
            X.idle_card = X.card
            X.card = NO_CARD
            if again:
                draw_card(R, X, seat, _1)
                return True
        X.dice[_0] = _0
        X.dice[_1] = _0
        if X.phase == POOL and R.dice_then_card != _0 and draws_with(R, X):
            X.phase = CARD_ALONE
            draw_card(R, X, seat, _0)
            return True
        if R.timing == _END_OF_ROLL and any_units(X):
            X.phase = BONUS_ALONE
            return True
    if X.double != _0 and X.roll < _3:
        X.phase = ROLL
        return True
    if R.timing == _END_OF_TURN and X.phase != BONUS_ALONE and any_units(X):
        X.phase = BONUS_ALONE
        return True
    if X.double != _0 and X.roll == _3:
        penalize(R, X, seat)
    return False


# -- the penalty of a third double -------------------------------------------------------------------


@small
def is_exempt(R, place):
    """Whether the penalty leaves a pawn there alone (SQ11)."""
    return place == HOME or (R.exempt_path != _0 and place <= R.path)


@inner
def penalized(R, X, seat):
    """The pawn that the penalty sends back, as color and lane; 32 if there is none."""
    stay_apart()
    own = U(R.seat_color[seat])
    moves_own, moves_partners = controls(R, X, own)
    found, best = U(32), _0
    for k in range(2 if R.team != _0 else 1):
        color = own if k == 0 else partner_of(R, own)
        if R.closest != _0 and not (moves_own if k == 0 else moves_partners):
            continue
        for lane in range(R.pawns):
            pawn = (color << _3) + U(lane)
            place = get(X.word[color], U(lane))
            if is_exempt(R, place):
                continue
            if R.closest != _0:
                rank = BASE - place if place < BASE else _0
            else:
                rank = X.moved[pawn] if X.moved[pawn] > X.turn_begin else _0
            if rank > best:
                best, found = rank, pawn
    return found


@inner
def penalize(R, X, seat):
    """Sends a pawn back for a third double (S-8, SQ10, SQ11)."""
    stay_apart()
    pawn = penalized(R, X, seat)
    if pawn == U(32):
        return
    color, lane = pawn >> _3, pawn & _7
    if get(X.word[color], lane) == BASE:
        return
    X.word[color] = put(X.word[color], lane, BASE)
    tally(X, seat, TALLY.penalties, 1)
    X.turn_kind |= ACTED


# -- decisions ---------------------------------------------------------------------------------------


@small
def note_choice(X, n):
    """Counts a decision."""
    X.turn_kind |= CHOSE
    X.decisions += _1
    X.outcomes_sum += n


@small
def luck_now(X):
    """The random word of the decision that was counted last."""
    return rng.word(X.choices_key, X.decisions - _1)


@inner
def choose(R, Q, X):
    """The use that the player makes, of at least one outcome."""
    stay_apart()
    seat, n = X.seat, X.outcomes
    if n == _1:
        return pick(X, _0)
    note_choice(X, n)
    luck = luck_now(X)
    if Q.weighted[seat] == _0 or is_careless(Q, X, seat, luck):
        return pick(X, rng.below(luck, n))
    return best_use(R, Q, X, seat, n, luck)


@inner
def use(R, X, seat, action):
    """Makes a use; returns whether it brings HOME the last pawn that the player's side needs."""
    stay_apart()
    is_two = X.card == _TWO
    captured, homes, met = play_use(R, X, seat, action)
    tally(X, seat, TALLY.multi, met > _1)
    tally(X, seat, TALLY.homes, homes)
    if homes != _0 and is_done(R, X, seat):
        earn(R, X, seat, captured, _0)
        return True
    earn(R, X, seat, captured, homes)
    if is_two and X.card == NO_CARD and R.two_again != _NEVER and not (homes != _0 and is_out(R, X, seat)):
        draw_card(R, X, seat, _1)
    return False


@small
def is_done(R, X, seat):
    """Whether a player's side has all the pawns HOME that it needs (S-13, SQ41)."""
    color = U(R.seat_color[seat])
    own = X.word[color] == R.home_word
    if R.team == _0:
        return own
    partner = X.word[partner_of(R, color)] == R.home_word
    return (own or partner) if R.first_member_wins != _0 else (own and partner)


@small
def is_out(R, X, seat):
    """Whether a player takes no more turns although the team goes on (SQ42)."""
    return R.finished_skip != _0 and X.word[U(R.seat_color[seat])] == R.home_word


@inner
def finish(R, X, seat):
    """Notes that a side is done; returns whether the game goes on."""
    stay_apart()
    X.finished += _1
    X.place[seat] = np.int32(X.finished)
    sides = R.players
    if R.team != _0:
        X.place[seat_of(R, partner_of(R, U(R.seat_color[seat])))] = np.int32(X.finished)
        sides = _2
    if X.finished == _1:
        X.winner = seat
        X.turns_to_win = np.int32(X.turns) + 1
        take_stock(R, X)
        course.note_finish(R, X)
    return rounds.goes_on(R, X.finished, sides)


@small
def step(R, Q, X):
    """Comes to one decision, and to what follows it; returns whether the game goes on."""
    open_decision(R, Q, X)
    return close_decision(R, X, choose(R, Q, X) if X.outcomes != _0 else NOTHING)


@inner
def open_decision(R, Q, X):
    """Rolls where a roll is due, and lists what there is to choose from."""
    stay_apart()
    seat = X.seat
    X.did_action = NOTHING
    X.did_card = NO_CARD
    X.idle_card = NO_CARD
    X.outcomes = _0
    if Q.weighted[seat] > _1 and X.begun != _0:
        take_stock(R, X)
        note_progress(R, Q, X, seat)
    X.begun = _0
    X.roll_lost = U(X.phase == ROLL and roll_dice(R, X, seat))
    if X.roll_lost == _0:
        X.outcomes = list_uses(R, X, seat)


@inner
def close_decision(R, X, action):
    """Makes a use, if there is any, and does what follows; returns whether the game goes on."""
    stay_apart()
    seat = X.seat
    if X.roll_lost != _0:
        penalize(R, X, seat)
        return end_turn(R, X, seat, True)
    over = X.outcomes == _0
    if not over:
        X.did_action = action
        over = action == STOP
        if over:
            tally(X, seat, TALLY.passes, 1)
        else:
            done = use(R, X, seat, action)
            mixed = (X.digest ^ X.word[U(R.seat_color[seat])] ^ action) * rng.GOLDEN
            X.digest = mixed ^ (mixed >> _32)
            if done:
                return end_turn(R, X, seat, finish(R, X, seat))
            if R.finished_skip != _0 and is_out(R, X, seat):
                return end_turn(R, X, seat, True)
            over = nothing_left(R, X)
    if over and not end_phase(R, X, seat):
        return end_turn(R, X, seat, True)
    if X.chain > U(rounds.MAX_CHAIN):
        count_turn(X, seat)
        X.turns += _1
        cut_off(R, X)
        return False
    return True


@inner
def end_turn(R, X, seat, going):
    """Counts the turn that is over, and passes play on; returns whether the game goes on."""
    stay_apart()
    count_turn(X, seat)
    X.turns += _1
    if not going:
        return False
    tally(X, seat, TALLY.lost, X.units[_0] + X.units[_1] + X.units[FIGHT_UNIT])
    if X.turns >= R.turn_cap:
        cut_off(R, X)
        return False
    following = seat + _1 if seat + _1 < R.players else _0
    round_over = following == X.first_seat
    while X.place[following] != 0 or is_out(R, X, following):
        following = following + _1 if following + _1 < R.players else _0
        round_over = round_over or following == X.first_seat
    if round_over:
        X.rounds += 1
        note_round_end(R, X)
    begin_turn(X, following)
    return True


@small
def count_turn(X, seat):
    """Adds what a turn was like to the counts of its player."""
    kind = X.turn_kind
    X.tally[(seat << _6) + (kind & _3)] += 1
    by_dice, by_card = kind & DIE_USED != _0, kind & CARD_USED != _0
    tally(X, seat, TALLY.dice_turns, by_dice and not by_card)
    tally(X, seat, TALLY.card_turns, by_card and not by_dice)
    tally(X, seat, TALLY.both_turns, by_dice and by_card)
    tally(X, seat, TALLY.start_turns, kind & STARTED != _0)


@inner
def cut_off(R, X):
    """Ends a game that has reached the turn cap."""
    stay_apart()
    if rounds.cut_off(X):
        take_stock(R, X)
        course.note_finish(R, X)
