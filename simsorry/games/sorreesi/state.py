"""The working memory of one game, and the small functions that keep it.

All of a game's memory is one scratch record of fixed size, so that the same functions can run one game per thread.
"""

import numpy as np

from simsorry import deck
from simsorry.games import audit, choosing, course, lookahead, standings, tallies
from simsorry.games.columns import numbered
from simsorry.games.records import NO_SEAT, words_before
from simsorry.games.sorreesi import tables as t
from simsorry.games.tallies import tally_at
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import below, count, equal, put, zeros

U = np.uint64

TALLY_STRIDE = tallies.STRIDE
ACTED, CHOSE, DIE_USED, CARD_USED, STARTED = U(1), U(2), U(4), U(8), U(16)  # a turn's kind is their sum
_TALLIES = """
    turns_0 turns_1 turns_2 turns_3 dice_turns card_turns both_turns start_turns rolls doubles draws dice_used cards_used hops passes
    starts starts_dice first_start given taken sorry_bumps fight_bumps partner partner_moves multi fights fights_lost ties
    earned used lost home_earned home_used third penalties swaps splits backs homes
""".split()  # noqa: SIM905 - a list of names reads better as text
TALLY = numbered(_TALLIES)

# What the player is at: a roll to come, dice and card, a card drawn after the dice, bonus moves alone.
ROLL, POOL, CARD_ALONE, BONUS_ALONE = U(0), U(1), U(2), U(3)
NO_CARD = U(15)
KINDS = 3  # of bonus units: HOME, capture, fight

GROUPS = 128
CAPACITY = 16_384  # outcomes of one decision: more than any number of pawns and parts that the rules allow can make
SLOTS = 32_768
MAX_PARTS = 7
_APART = 24  # words between the lists, so that equal indices do not share the low bits of their addresses

SCRATCH = np.dtype(
    [
        ("word", np.uint64, (4,)),  # the position: a word of places per color
        ("seat", np.uint64),  # table seat to move
        ("first_seat", np.uint64),
        ("opening_seat", np.uint64),
        ("turn_kind", np.uint64),  # what this turn has had so far: the sum of ACTED, CHOSE …
        ("turns", np.uint64),  # turns over
        ("decisions", np.uint64),  # with two or more outcomes
        ("outcomes_sum", np.uint64),  # over these
        ("finished", np.uint64),  # players, or teams, who have all pawns HOME
        ("winner", np.uint64),  # table seat, NOBODY while there is none
        ("leader", np.uint64),  # last sole leader at a round end, NOBODY before the first
        ("digest", np.uint64),
        ("cards_key", np.uint64),
        ("choices_key", np.uint64),
        *choosing.SCRATCH_FIELDS,
        ("dice_key", np.uint64),
        ("fights_key", np.uint64),
        ("left", np.uint64),
        ("draws", np.uint64),
        ("rolled", np.uint64),  # rolls of the game
        ("fight_dice", np.uint64),  # dice rolled in fights of the game
        # what there is to spend
        ("phase", np.uint64),
        ("begun", np.uint64),  # whether the turn has begun and nothing been decided in it yet
        ("roll", np.uint64),  # of the turn, from 1
        ("double", np.uint64),  # whether it shows equal dice
        ("number", np.uint64, (2,)),  # what the unspent dice show
        ("dice", np.uint64, (2,)),  # how many of them do
        ("card", np.uint64),
        ("units", np.uint64, (4,)),  # bonus units by kind
        ("carried", np.uint64, (4,)),  # by table seat: fight units for the next own turn
        ("chain", np.uint64),  # cards drawn in this turn
        # who has moved when: a number for each move of the game, by color and lane
        ("moves", np.uint64),
        ("turn_begin", np.uint64),
        ("moved", np.uint64, (32,)),
        # the uses on offer (``uses``)
        ("groups", np.uint64),
        ("template", np.uint64, (GROUPS,)),
        ("movers", np.uint64, (GROUPS,)),
        ("listed", np.uint64),
        ("total", np.uint64),
        ("stop", np.uint64),
        ("outcomes", np.uint64),  # of the last decision, *stop* included
        ("card_must", np.uint64),  # whether the card has a use that can never be declined, hops aside
        ("card_optional", np.uint64),  # whether it has one that the rules may let be declined
        ("uses", np.uint64),  # which dice, and whether the card, can be used for a hop: the flags of ``tables``
        ("dice_start", np.uint64),
        ("bonus_able", np.uint64),
        ("overflow", np.uint64),
        # what the last use came to
        ("did_action", np.uint64),
        ("did_card", np.uint64),  # the card used, NO_CARD if none was
        ("idle_card", np.uint64),  # the card for which there was no use
        ("drawn_word", np.uint64, (4,)),  # the words that the audited board shows
        ("die", np.uint64, (4,)),  # of the last fight, by color clockwise from that of the pawn that came
        # a use that is only looked at
        ("captured", np.uint64),  # opponents' pawns
        ("fights", np.uint64),  # to come, and where: the track square, the color that came and its place
        ("result", np.uint64, (4,)),  # the position, by color
        ("fight_square", np.uint64, (8,)),
        ("fight_color", np.uint64, (8,)),
        ("fight_place", np.uint64, (8,)),
        # what pawns fear and are after, by color and place, and in which decision that was worked out (``scoring``)
        ("danger_round", np.uint64),
        ("danger_known", np.uint64, (4 * t.STRIDE,)),
        ("danger", np.int64, (4 * t.STRIDE,)),
        ("reshuffles", np.int32),
        ("place", np.int32, (4,)),  # finishing place by table seat, 0 while on the way
        ("turns_to_win", np.int32),
        ("rounds", np.int32),
        ("lead_changes", np.int32),
        ("capped", np.int32),
        *standings.SCRATCH_FIELDS,
        *deck.SCRATCH_FIELDS,
        ("tally", np.int32, ((NO_SEAT + 1) * TALLY_STRIDE,)),  # what happened, by table seat; the last is nobody's
        ("deck", np.uint8, (256,)),
        ("action", np.uint64, (CAPACITY + _APART,)),
        ("key", np.uint64, (SLOTS + _APART,)),  # of split 7s, by hash
        ("key_stamp", np.uint64, (SLOTS + _APART,)),
        ("listing", np.uint64),
        ("candidate", np.uint64, (16,)),  # pawns that a 7 can move: lane, and 8 for the partner's
        ("position", np.uint64, (MAX_PARTS + 1,)),  # of the split being laid out: each part's pawn among the candidates
        ("chosen", np.uint64, (MAX_PARTS + 1,)),
        ("share", np.uint64, (MAX_PARTS + 1,)),
        *course.SCRATCH_FIELDS,
        *audit.SCRATCH_FIELDS,
        ("roll_lost", np.uint64),  # whether the roll is that of a third double
        ("score_of", np.int64, (CAPACITY + _APART,)),  # as the policy scores an outcome, if it does
        *lookahead.SCRATCH_FIELDS,
    ],
    align=True,
)
LASTING = words_before(SCRATCH, "action")  # words at its beginning that hold the game; behind them is what a decision works out

_0, _1, _2, _3, _6, _8, _48 = U(0), U(1), U(2), U(3), U(6), U(8), U(48)
BASE, UNUSED = U(t.BASE), U(t.UNUSED)
EMPTY = U(0x7F7F7F7F7F7F7F7F)
_EVEN = U(0x00FF00FF00FF00FF)
_SUM = U(0x0001000100010001)


def new_scratch() -> np.ndarray:
    """The working memory of one thread: a 1-element record."""
    return np.zeros(1, SCRATCH).view(np.recarray)


@small
def turns_of(X, seat):
    """Turns a table seat has had."""
    base = tally_at(seat, _0)
    return X.tally[base] + X.tally[base + _1] + X.tally[base + _2] + X.tally[base + _3]


@small
def set_frame(X, color, p0, p1, p2, p3):
    """Takes over a position as a color sees it."""
    X.word[color] = p0
    X.word[(color + _1) & _3] = p1
    X.word[(color + _2) & _3] = p2
    X.word[(color + _3) & _3] = p3


@small
def in_play(word):
    """Mask of the pawns that are neither in the base nor HOME."""
    return below(word, BASE) & ~zeros(word)


@small
def places(word):
    """Mask of one pawn in play for each place that holds any: the one with the lowest number (rulebook 13.6)."""
    again = zeros(word ^ (word << _8)) & (_TOPS << _8)
    for k in range(2, 8):
        shift = U(k) << _3
        again |= zeros(word ^ (word << shift)) & (_TOPS << shift)
    return in_play(word) & ~again


_TOPS = U(0x8080808080808080)


@small
def togo_of(R, word):
    """Squares the pawns of a color still have to go."""
    total = (((word & _EVEN) * _SUM) >> _48) + ((((word >> _8) & _EVEN) * _SUM) >> _48)
    return total - count(equal(word, BASE)) * (BASE - R.entry - _1) - (_8 - R.pawns) * UNUSED


@small
def partner_of(R, color):
    return (color + R.partner[color]) & _3


@small
def seat_of(R, color):
    """The table seat of a color."""
    return U(R.color_seat[color])


@inner
def put_on_board(R, X):
    """Everybody's pawns where they begin."""
    stay_apart()
    for number in range(4):
        X.word[U(number)] = EMPTY
        X.carried[U(number)] = _0
    for s in range(R.players):
        X.word[U(R.seat_color[U(s)])] = R.start_word
        X.place[U(s)] = 0
    X.moves = _0
    X.turn_begin = _0
    for pawn in range(32):
        X.moved[U(pawn)] = _0


@inner
def give_head_starts(R, X):
    """Brings a pawn out for the seats that begin ahead."""
    stay_apart()
    for k in range(R.players):
        squares = R.head_start[U(k)]
        if squares != _0:
            seat = (X.first_seat + U(k)) % R.players
            X.word[U(R.seat_color[seat])] = put(R.start_word, _0, R.entry + _1 - squares)
            X.tally[tally_at(seat, TALLY.first_start)] = 0


@inner
def clear_counts(R, X):
    """Nothing counted yet."""
    stay_apart()
    for i in range(4 * TALLY_STRIDE):
        X.tally[U(i)] = 0
    for s in range(R.players):
        X.tally[tally_at(U(s), TALLY.first_start)] = 0 if count(equal(R.start_word, BASE)) < R.pawns else -1
    X.decisions = _0
    X.outcomes_sum = _0
    X.turns_to_win = 0
    X.lead_changes = 0
    X.reshuffles = 0
    X.capped = 0
    X.digest = _0
    deck.clear_luck(X)
    course.clear_course(X)
    X.draws = _0
    X.rolled = _0
    X.fight_dice = _0
