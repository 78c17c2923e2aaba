"""The working memory of one game, and the small functions that keep it.

All of a game's memory is one scratch record of fixed size, so that the same functions can run one game per thread. A *pile* is a list of
pawns, bottom to top: at place p its level l is ``piece[64 p + l]``, ``height[p]`` says how many there are.
"""

import numpy as np

from simsorry import deck
from simsorry.games import audit, choosing, course, hands, lookahead, points, standings, tallies
from simsorry.games.columns import numbered
from simsorry.games.ice import tables as t
from simsorry.games.records import words_before
from simsorry.games.tallies import tally_at
from simsorry.jit import inner, small, stay_apart

U = np.uint64

TALLY_STRIDE = tallies.STRIDE
_TALLIES = """
    starts sorry_starts swaps slides splits backs passes homes throws small medium large stack_moves carried swept covers stacks given
    taken own freed pawn_turns covered_turns first_start
""".split()  # noqa: SIM905 - a list of names reads better as text
TALLY = numbered((*tallies.OF_TURNS, *_TALLIES))

SLOTS = 16_384
CAPACITY = 12_000  # outcomes of one decision: more than fifteen pawns a color can make
MOVERS = 64  # there are at most two for each of a player's pawns
MAX_CHANGED = 32  # places that one play can change
_APART = 24  # words between the lists, so that equal indices do not share the low bits of their addresses

# A carried group of pawns is looked at only, moved to try something out, or moved for good.
LOOK, TRY, PLAY = U(0), U(1), U(2)

SCRATCH = np.dtype(
    [
        ("piece", np.uint8, (t.PLACES * t.LEVELS,)),
        ("since", np.int32, (t.PLACES * t.LEVELS,)),  # the turn in which the pawn there became covered, -1 if it is not
        ("height", np.uint8, (t.PLACES + 16,)),
        ("occupied", np.uint64),  # a bit for each track square with pawns on it
        ("start", np.uint8, (16,)),  # pawns on START by color and size
        ("home", np.uint8, (16,)),
        ("on_home", np.uint64, (4,)),  # the same in all sizes, by color
        ("placement", np.uint64),  # key of the position, but for what it was at the beginning of the round
        ("seat", np.uint64),  # table seat to move
        ("first_seat", np.uint64),
        ("opening_seat", np.uint64),  # first seat of the first round
        ("turn_kind", np.uint64),  # what this turn has had so far: the sum of ACTED, CHOSE and CHOSE_THROW (``tallies``)
        ("turns", np.uint64),  # turns over
        ("decisions", np.uint64),  # with two or more outcomes
        ("outcomes_sum", np.uint64),  # over these
        ("finished", np.uint64),  # players who have all pawns HOME
        ("winner", np.uint64),  # table seat, NOBODY while there is none
        ("leader", np.uint64),  # last sole leader at a round end, NOBODY before the first
        ("digest", np.uint64),
        ("cards_key", np.uint64),
        ("choices_key", np.uint64),
        *choosing.SCRATCH_FIELDS,
        ("left", np.uint64),
        ("draws", np.uint64),
        ("now_card", np.uint64),  # without hands: the card drawn
        ("resolved", np.uint64),
        ("chain", np.uint64),  # cards since the turn began
        ("reshuffles", np.int32),
        ("place", np.int32, (4,)),  # finishing place by table seat, 0 while on the way
        ("deck", np.uint8, (256,)),
        ("turns_to_win", np.int32),
        ("rounds", np.int32),
        ("lead_changes", np.int32),
        ("capped", np.int32),
        ("tally", np.int32, (4 * TALLY_STRIDE,)),  # what happened, by table seat
        # where pawns are, kept as they move: by color, and how many squares hold any
        ("in_play", np.int32, (4,)),
        ("covered", np.int32, (4,)),
        ("piles", np.int32),
        ("pile_turns", np.int32),
        ("highest_pile", np.int32),
        ("longest_cover", np.int32),
        *hands.SCRATCH_FIELDS,
        *points.SCRATCH_FIELDS,
        *standings.SCRATCH_FIELDS,
        *deck.SCRATCH_FIELDS,
        ("compulsory", np.uint64),  # how many actions may not be declined
        # the group of pawns that is being carried
        ("group", np.uint8, (t.LEVELS,)),
        ("group_since", np.int32, (t.LEVELS,)),
        ("grouped", np.uint64),
        ("met", np.uint8, (t.LEVELS,)),  # piles that it has met, where these lie beneath it
        ("met_since", np.int32, (t.LEVELS,)),
        ("met_count", np.uint64),
        # what the last move came to
        ("touched", np.uint64, (2,)),  # places that could matter to another move: bits of the track, then of the zones
        ("rest", np.uint64),  # where its own pawns came to rest
        ("rides", np.uint64),
        ("swept", np.uint64),
        # places as they were before a play
        ("changed", np.uint64),  # how many
        ("change_bits", np.uint64, (2,)),
        ("change_place", np.uint8, (MAX_CHANGED,)),
        ("change_height", np.uint8, (MAX_CHANGED,)),
        ("change_saved", np.uint8, (MAX_CHANGED,)),  # whether the pawns are kept too
        ("change_piece", np.uint8, (MAX_CHANGED * t.LEVELS,)),
        ("before_start", np.uint8, (16,)),
        ("before_home", np.uint8, (16,)),
        ("newly_covered", np.uint64),  # pawns that the last play covered: how many, their colors and places
        ("cover_color", np.uint8, (64,)),
        ("cover_place", np.uint8, (64,)),
        ("cover_counts", np.int32, (5,)),  # pawns that the last play covered, by color, and those that it freed
        # who can move: by mover
        ("movers", np.uint64),
        ("late_movers", np.uint64),  # of those, such as are near enough to their entry to pass it
        ("mover_place", np.uint64, (MOVERS,)),
        ("mover_pawns", np.uint64, (MOVERS,)),
        ("mover_others", np.uint64, (MOVERS,)),  # a bit per other color among its pawns
        # what each mover's part of a 7 comes to: by mover and 16 ways, 1 to 6 squares, and 8 more for those past the entry
        ("part_target", np.uint8, (MOVERS * 16,)),  # NOWHERE where it is not allowed
        ("part_key", np.uint64, (MOVERS * 16,)),
        ("part_track", np.uint64, (MOVERS * 16,)),
        ("part_zones", np.uint64, (MOVERS * 16,)),
        ("part_rides", np.uint8, (MOVERS * 16,)),
        ("part_met", np.uint8, (MOVERS * 16,)),  # whether it has to do with another mover's part
        ("part_value", np.int64, (MOVERS * 16,)),
        ("mover_at", np.uint64, (2 * t.PLACES,)),  # by place, and whether it moves a whole stack
        # what a position counts (``scoring``): by place; how many top pawns of each size have a square in reach; and the opponents
        ("place_value", np.int64, (t.PLACES,)),
        ("feared", np.uint8, (4 * t.TRACK,)),
        ("foe_tops", np.uint64),
        ("waiting", np.uint64),
        # pawns on the track that an 11 can switch: the player's own, then from SLOTS_OF_OTHERS on the opponents'
        ("own_slots", np.uint64),
        ("other_slots", np.uint64),
        ("slot_place", np.uint64, (2 * t.LEVELS,)),
        ("slot_level", np.uint64, (2 * t.LEVELS,)),
        ("slot_code", np.uint64, (2 * t.LEVELS,)),
        ("slot_key", np.uint64, (2 * t.LEVELS,)),  # what a slot's pawn is multiplied with in the key
        # the outcomes on offer
        ("outcomes", np.uint64),
        ("forward", np.uint64),  # whether the card has a forward move that may not be declined
        ("overflow", np.uint64),
        ("did_action", np.uint64),
        ("did_card", np.uint64),
        ("listing", np.uint64),  # number of the list of keys, which marks their slots
        ("action", np.uint64, (CAPACITY + _APART,)),
        ("card", np.uint8, (CAPACITY + _APART,)),
        ("ridden", np.uint8, (CAPACITY + _APART,)),  # slides of an action
        ("key", np.uint64, (2 * SLOTS,)),  # by hash: the key, then the number of the list and, in the lower half, of the outcome
        ("key_shift", np.uint64),  # how many of the hash's bits are not used
        ("key_room", np.uint64),  # how many more keys the list has room for
        *course.SCRATCH_FIELDS,
        *audit.SCRATCH_FIELDS,
        ("score_of", np.int64, (CAPACITY + _APART,)),  # as the policy scores an outcome, if it does
        *lookahead.SCRATCH_FIELDS,
    ],
    align=True,
)
LASTING = words_before(SCRATCH, "compulsory")  # words at its beginning that are the game; behind them is what a decision works out

_0, _1, _2, _3, _6 = U(0), U(1), U(2), U(3), U(6)


def new_scratch() -> np.ndarray:
    """The working memory of one thread: a 1-element record."""
    return np.zeros(1, SCRATCH).view(np.recarray)


@small
def pawn_of(color, size):
    """The code of a pawn, as it stands in a pile."""
    return size | color << _2


@small
def size_in(code):
    return code & _3


@small
def color_in(code):
    return code >> _2 & _3


@inner
def put_on_board(R, X):
    """Everybody's pawns where they begin."""
    stay_apart()
    for place in range(t.PLACES):
        X.height[U(place)] = 0
    X.occupied = _0
    for number in range(4):
        color = U(number)
        X.place[color] = 0
        X.in_play[color] = 0
        X.covered[color] = 0
        X.on_home[color] = _0
        for size in range(4):
            X.start[(color << _2) + U(size)] = 0
            X.home[(color << _2) + U(size)] = 0
    X.piles = 0
    for s in range(R.players):
        put_color_on_board(R, X, U(R.seat_color[U(s)]))


@small
def put_color_on_board(R, X, color):
    """A color's pawns on START, and those that begin on its start circle in one stack, the larger the lower."""
    place = R.circle[color]
    for number in range(3):
        size = U(2 - number)
        quick = U(R.quick[size])
        X.start[(color << _2) + size] = U(R.pieces[size]) - quick
        for _ in range(quick):
            at = (place << _6) + U(X.height[place])
            X.piece[at] = pawn_of(color, size)
            X.since[at] = -1
            X.height[place] += 1
            X.occupied |= _1 << place
    X.in_play[color] = np.int32(X.height[place])
    X.piles += np.int32(X.height[place] != 0)


@inner
def give_head_starts(R, X):
    """Brings a pawn out for the seats that begin ahead, the largest."""
    stay_apart()
    for k in range(R.players):
        squares = R.head_start[U(k)]
        if squares == _0:
            continue
        seat = (X.first_seat + U(k)) % R.players
        color = U(R.seat_color[seat])
        size = _2 if R.pieces[_2] != 0 else _1 if R.pieces[_1] != 0 else _0
        place = (R.circle[color] + squares - _1) % U(t.TRACK)
        X.start[(color << _2) + size] -= 1
        X.piece[place << _6] = pawn_of(color, size)
        X.since[place << _6] = -1
        X.height[place] = 1
        X.occupied |= _1 << place
        X.in_play[color] += 1
        X.piles += 1
        if X.rounds == 1:  # of a match what is counted is the first round's
            X.tally[tally_at(seat, TALLY.first_start)] = 0


@inner
def clear_counts(R, X):
    """Nothing counted yet."""
    stay_apart()
    for i in range(4 * TALLY_STRIDE):
        X.tally[U(i)] = 0
    outside = U(R.quick[_0]) + U(R.quick[_1]) + U(R.quick[_2])
    for s in range(R.players):
        X.tally[tally_at(U(s), TALLY.first_start)] = 0 if outside != _0 else -1
    X.decisions = _0
    X.outcomes_sum = _0
    X.turns_to_win = 0
    X.lead_changes = 0
    X.reshuffles = 0
    X.capped = 0
    X.digest = _0
    deck.clear_luck(X)
    course.clear_course(X)
    X.pile_turns = 0
    X.highest_pile = 0
    X.longest_cover = 0
