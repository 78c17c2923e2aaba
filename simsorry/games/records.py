"""Rules as a record for the kernel: what the records of several games have in common, and the numbers that options are known by there."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from simsorry.games.options import CARDS, COLORS, MAX_BANDS

NO_SEAT = 4  # in place of the table seat of a color that nobody plays

# -- options -----------------------------------------------------------------------------------------

FIRST_RANDOM, FIRST_FIXED, FIRST_ROTATE = 0, 1, 2
END_FIRST, END_RANKING, END_ALL = 0, 1, 2
NEVER, IF_PLAYED, ALWAYS = 0, 1, 2  # when a 2 gives another card
NO_MORE, PLAY_ANOTHER, PLAY_DRAWN = 0, 1, 2  # what it brings with a hand
PER_CARD, END_OF_TURN, WHEN_EMPTY = 0, 1, 2
CHOOSE, RANDOM_CARD, OLDEST = 0, 1, 2
NO_POINTS, TO_ALL, TO_WINNER = 0, 1, 2
LEADER_WINNER, LEADER_NEXT, LEADER_RANDOM = 0, 1, 2

ROUND_SCALARS = "first_player game_end turn_cap two_again replacement reshuffle_at_last exclude_in_play".split()  # noqa: SIM905
HAND_SCALARS = "hand_size two_in_hand two_idle stuck_throws hand_refill dead_hand optional_playable first_turn_skips".split()  # noqa: SIM905
POINT_SCALARS = "score_home_to bands band_total bands_add match match_rounds match_target next_leader".split()  # noqa: SIM905
# About what a card is worth in squares, for the luck of the draw: measured gains, and a third of what others lose, of careful players in
# the classic game; those that bring a pawn out for what a pawn on its way is good for.
CARD_WORTH = {
    "1": 6, "2": 7, "3": 3, "4": 14, "5": 4, "7": 6, "8": 5, "10": 6, "11": 16, "12": 8, "sorry": 33,
}  # fmt: skip
GAUGED = 4  # what a gauge of the chance to win weighs of a side: the way walked, pawns HOME, on START and safe
EXP_STEPS = 64  # a gauge's weights are in so many parts
COURSE_FIELDS = [
    ("head_start", np.uint64, (4,)),  # by play-order seat: squares that it begins ahead
    ("full_way", np.uint64),  # squares that a player's pawns have to go from START
    ("gauge", np.uint64),  # whether there is a gauge
    ("gauge_weight", np.int64, (GAUGED,)),  # in 1/EXP_STEPS, for the whole way walked and for each pawn
    ("gauge_order", np.int64, (4,)),  # the same for the play-order seats
    ("worth", np.int64, (16,)),  # by card
    ("deck_worth", np.int64),  # of all cards
    ("one_partner", np.uint64),  # whether a team has won with the pawns of one partner HOME
    ("turn_kinds", np.int64),  # kinds of turns that are told apart; those with an even number are dead
    ("card_squares", np.int64, (16,)),  # squares that a card moves a pawn, 0 if it moves none
]
BAND_FIELDS = [
    ("band_limit", np.uint8, (MAX_BANDS,)),  # bonuses, the easiest first: pawns HOME allowed
    ("band_points", np.uint16, (MAX_BANDS,)),  # what they earn
]


def round_scalars(rules: Any) -> dict[str, int]:
    """The options of the beginning and the end of a round, and of the deck."""
    return {
        # Every seat is equally likely to draw the highest card, or to roll highest, so those ways of choosing are random ones.
        "first_player": {"fixed": FIRST_FIXED, "rotate": FIRST_ROTATE}.get(rules.first_player, FIRST_RANDOM),
        "game_end": {"first_home": END_FIRST, "full_ranking": END_RANKING, "all_home": END_ALL}[rules.game_end],
        "turn_cap": rules.turn_cap,
        "two_again": {"never": NEVER, "if_played": IF_PLAYED, "always": ALWAYS}[rules.two_draws_again],
        "replacement": rules.draw == "with_replacement",
        "reshuffle_at_last": rules.reshuffle_when == "when_last_taken",
        "exclude_in_play": rules.card_in_play_in_reshuffle == "excluded",
    }


def hand_scalars(rules: Any) -> dict[str, int]:
    """The options of hands."""
    return {
        "hand_size": rules.hand_size,
        "two_in_hand": {"none": NO_MORE, "play_another": PLAY_ANOTHER, "play_drawn": PLAY_DRAWN}[rules.two_in_hand],
        "two_idle": rules.two_playable_idle,
        "stuck_throws": rules.two_followup_stuck == "discard_one",
        "hand_refill": {"per_card": PER_CARD, "end_of_turn": END_OF_TURN, "when_empty": WHEN_EMPTY}[rules.hand_refill],
        "dead_hand": {"choose": CHOOSE, "random": RANDOM_CARD, "oldest": OLDEST}[rules.dead_hand],
        "optional_playable": rules.optional_counts_as_playable,
        "first_turn_skips": rules.first_turn_dead_hand == "skip",
    }


def point_scalars(rules: Any) -> dict[str, int]:
    """The options of points and matches, but for what pawns are worth."""
    kind, _, number = rules.match_end.partition(":")
    return {
        "score_home_to": {"none": NO_POINTS, "all_players": TO_ALL, "winner_only": TO_WINNER}[rules.score_home_to],
        "bands": len(rules.score_bands),
        "band_total": rules.band_measure == "total",
        "bands_add": rules.bonus_bands == "cumulative",
        "match": kind != "single_round",
        "match_rounds": int(number) if kind == "rounds" else 1,
        "match_target": int(number) if kind == "target" else 0,
        "next_leader": {"winner": LEADER_WINNER, "next_seat": LEADER_NEXT, "random": LEADER_RANDOM}[rules.next_leader],
    }


# -- numbers -----------------------------------------------------------------------------------------

_MASK = (1 << 64) - 1


def _mix(z: int) -> int:
    """SplitMix64's finishing mix in plain Python."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def random_words(n: int) -> list[int]:
    """As many random 64-bit words, always the same, for a table of keys."""
    return [_mix((0x9E3779B97F4A7C15 * (number + 1)) & _MASK) for number in range(n)]


def packed(numbers: Iterable[int], rest: int = 0) -> int:
    """Up to eight small numbers as the bytes of one word, the lowest first; the bytes left over hold ``rest``."""
    given = [int(number) for number in numbers]
    return sum(number << (8 * lane) for lane, number in enumerate(given + [rest] * (8 - len(given))))


# -- filling -----------------------------------------------------------------------------------------


def fill_scalars(record: Any, scalars: Mapping[str, Any]) -> None:
    """Writes numbers and yes-or-no options down by name."""
    for name, value in scalars.items():
        record[name] = int(value)


def fill_deck_and_seats(record: Any, rules: Any, seated: tuple[str, ...]) -> None:
    """Writes down the deck (``deck``, ``deck_size``), and which color sits where (``seat_color``, ``color_seat``)."""
    counts = rules.deck_counts.counts
    cards = [number for number, card in enumerate(CARDS) for _ in range(counts[card])]
    record["deck_size"] = len(cards)
    record["deck"][: len(cards)] = cards
    record["worth"][: len(CARDS)] = [CARD_WORTH[card] for card in CARDS]
    record["deck_worth"] = sum(CARD_WORTH[CARDS[number]] for number in cards)
    record["seat_color"][: len(seated)] = [COLORS.index(color) for color in seated]
    record["color_seat"] = [seated.index(color) if color in seated else NO_SEAT for color in COLORS]


def fill_course(record: Any, rules: Any, way: int, turn_kinds: int) -> None:
    """Writes down head starts, and what the course of a game is measured by: ``way`` is squares that a player has to go from START."""
    record["one_partner"] = getattr(rules, "team_win", "") == "first_member"
    record["head_start"][: len(rules.head_starts)] = rules.head_starts
    record["full_way"], record["turn_kinds"] = way, turn_kinds
    record["card_squares"][: len(CARDS)] = [rules.sorry_alt_forward if card == "sorry" else int(card) for card in CARDS]


def fill_bands(record: Any, rules: Any) -> None:
    """Writes the bonuses down."""
    for number, (limit, points) in enumerate(rules.score_bands):
        record["band_limit"][number], record["band_points"][number] = limit, points


# -- scratch records -----------------------------------------------------------------------------------


def words_of(scratch: Any) -> np.ndarray:
    """A scratch record as the 64-bit words that it is made of."""
    words: np.ndarray = scratch.view(np.ndarray).view(np.uint64)
    return words


def words_before(record: Any, field: str) -> int:
    """How many whole words of a record type come before a field."""
    return int(record.fields[field][1]) // 8
