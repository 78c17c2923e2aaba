"""The working memory of one game, and the small functions that keep it.

All of a game's memory is one scratch record of fixed size, so that the same functions can run one game per thread.
"""

import numpy as np

from simsorry import deck
from simsorry.games import audit, choosing, course, hands, lookahead, points, standings, tallies
from simsorry.games.classic import listing, splits
from simsorry.games.classic.scoring import EMPTY, togo_of
from simsorry.games.columns import numbered
from simsorry.games.records import NO_SEAT, words_before
from simsorry.games.tallies import tally_at
from simsorry.games.track import START
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import count, equal, put

U = np.uint64

# What is counted as it happens, for the mover's table seat; the tables' columns are sums of these.
TALLY_STRIDE = tallies.STRIDE
_TALLIES = """
    starts given taken own partner swaps slides splits backs passes homes ride_bumps sorry_bumps throws partner_moves first_start
""".split()  # noqa: SIM905 - a list of names reads better as text
TALLY = numbered((*tallies.OF_TURNS, *_TALLIES))

SCRATCH = np.dtype(
    [
        ("word", np.uint64, (4,)),  # the position: a word of places per color
        ("togo", np.uint64, (4,)),  # squares each color still has to go
        ("seat", np.uint64),  # table seat to move
        ("first_seat", np.uint64),
        ("turn_kind", np.uint64),  # what this turn has had so far: the sum of ACTED, CHOSE and CHOSE_THROW (``tallies``)
        ("turns", np.uint64),  # turns over
        ("decisions", np.uint64),  # how many in the lower half, their outcomes in the upper
        ("finished", np.uint64),  # players, or teams, who have all pawns HOME
        ("winner", np.uint64),  # table seat, NOBODY while there is none
        ("leader", np.uint64),  # last sole leader at a round end, NOBODY before the first
        ("digest", np.uint64),
        ("cards_key", np.uint64),
        ("choices_key", np.uint64),
        *choosing.SCRATCH_FIELDS,
        ("left", np.uint64),
        ("draws", np.uint64),
        ("reshuffles", np.int32),
        ("place", np.int32, (4,)),  # finishing place by table seat, 0 while on the way
        ("deck", np.uint8, (256,)),
        ("turns_to_win", np.int32),
        ("rounds", np.int32),
        ("lead_changes", np.int32),
        ("capped", np.int32),
        ("tally", np.int32, ((NO_SEAT + 1) * TALLY_STRIDE,)),  # what happened, by table seat; the last is nobody's
        # what the last card came to
        ("did_action", np.uint64),
        ("did_events", np.uint64),
        ("did_card", np.uint64),
        ("did_kind", np.uint64),
        ("drawn_word", np.uint64, (4,)),  # the words that the audited board shows
        # a match
        ("chain", np.uint64),  # cards of this turn that gave another
        ("resolved", np.uint64),  # decisions about a card come to in this round
        ("opening_seat", np.uint64),  # first seat of the first round
        *standings.SCRATCH_FIELDS,
        *deck.SCRATCH_FIELDS,
        *hands.SCRATCH_FIELDS,
        *points.SCRATCH_FIELDS,
        *listing.SCRATCH_FIELDS,
        *splits.SCRATCH_FIELDS,
        *course.SCRATCH_FIELDS,
        *audit.SCRATCH_FIELDS,
        ("now_card", np.uint64),  # without hands: the card drawn
        *listing.SCORE_FIELDS,
        *lookahead.SCRATCH_FIELDS,
    ],
    align=True,
)
LASTING = words_before(SCRATCH, "action")  # words at its beginning that are the game; behind them is what a decision works out

_1, _2, _3, _5 = U(1), U(2), U(3), U(5)
_START = U(START)


def new_scratch() -> np.ndarray:
    """The working memory of one thread: a 1-element record."""
    return np.zeros(1, SCRATCH).view(np.recarray)


@small
def on_start(word):
    return count(equal(word, _START))


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


@inner
def put_on_board(R, X):
    """Everybody's pawns where they begin."""
    stay_apart()
    for number in range(4):
        X.word[U(number)] = EMPTY
    for s in range(R.players):
        color = U(R.seat_color[U(s)])
        X.word[color] = R.start_word
        X.togo[color] = togo_of(R, R.start_word)
        X.place[U(s)] = 0


@inner
def give_head_starts(R, X):
    """Brings a pawn out for the seats that begin ahead."""
    stay_apart()
    for k in range(R.players):
        squares = R.head_start[U(k)]
        if squares != U(0):
            seat = (X.first_seat + U(k)) % R.players
            move_color(R, X, U(R.seat_color[seat]), put(R.start_word, U(0), squares - _1))
            if X.rounds == 1:  # of a match what is counted is the first round's
                X.tally[tally_at(seat, TALLY.first_start)] = 0


@inner
def clear_counts(R, X):
    """Nothing counted yet."""
    stay_apart()
    for i in range(4 * TALLY_STRIDE):
        X.tally[U(i)] = 0
    for s in range(R.players):
        X.tally[tally_at(U(s), TALLY.first_start)] = 0 if on_start(R.start_word) < R.pawns else -1
    X.decisions = U(0)
    X.turns_to_win = 0
    X.lead_changes = 0
    X.reshuffles = 0
    X.capped = 0
    X.digest = U(0)
    deck.clear_luck(X)
    course.clear_course(X)
    points.begin_match(X)
