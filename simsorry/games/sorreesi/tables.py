"""Rules compiled for the kernel: one record of small integers and look-up tables.

The *place* of a pawn is its distance to HOME along its own way, so that one numbering serves all four colors and a forward
move is a subtraction: 0 is HOME, then come the private path, from its last square (1) to its first (``path``), the color's turn-off
square (``path`` + 1), the track up to the color's entry square (``entry``), and the four squares behind that, from
which a pawn has more than a lap to go. ``BASE`` is the base, ``NOWHERE`` no place at all.
"""

import functools
import itertools
import math
from typing import Any

import numpy as np

from simsorry.games import records, seating
from simsorry.games.options import CARDS
from simsorry.games.records import packed
from simsorry.games.sorreesi.rules import QUARTER, Rules

TRACK = 68  # squares of the track
ENTRY_TO_TURN_OFF = 63
BEHIND = 4  # squares between a color's turn-off and its entry square
TURN_OFF = 12  # turn-off squares, from the entry square before them
HOME, BASE, NOWHERE, UNUSED = 0, 100, 126, 127  # lanes without a pawn are UNUSED
STRIDE = 128

EITHER, SEQUENTIAL, SINGLE_HOP = 0, 1, 2
ANY_TIME, END_OF_ROLL, END_OF_TURN = 0, 1, 2
REROLL, ATTACKER, DEFENDER, BOTH_STAY, BOTH_BACK = 0, 1, 2, 3, 4
DIE1, DIE2, CARD = 4, 6, 1 << 8  # in an action: where the numbers of dice spent begin, and the bit of the card
SHAPES, WAYS = 18, 17  # dice unspent and whether the card has a forward count, as a number; ways to add them up
USES_DIE1, USES_DIE2, USES_CARD = 1 << 32, 1 << 33, 1 << 34  # flags of a way: a die of the first or second number, or the card, has a use

_SCALARS = """
    players pawns team own_only finished_skip first_member_wins sorry_any swap_partner
    path entry last slack any_home back_out parts swap_single swap_may_cross sorry_on_safe entry_capture
    combine dice_pass card_global swap_forced ten_back_forced dice_then_card redraw_card bottoms
    play_third closest exempt_path enter_five enter_sum enter_forced takes
    timing bonus_forced bonus_to_winner sorry_bonus tie
    deck_size start_word home_word
""".split()  # noqa: SIM905 - a list of names reads better as text
TABLES = np.dtype(
    [(name, np.uint64) for name in (*_SCALARS, *records.ROUND_SCALARS)]
    + [
        ("bonus", np.uint64, (4,)),  # squares of a unit by kind: HOME, capture, fight
        ("forward", np.uint64, (16,)),  # per card: squares forward, 0 if it has no plain forward count
        ("backward", np.uint64, (16,)),
        ("starts", np.uint64, (16,)),  # per card: 1 if it puts a pawn onto the entry square
        ("ways", np.uint64, (SHAPES,)),  # per number of dice of either number and of forward cards: how many ways there are to add them up
        ("way", np.uint64, (SHAPES * WAYS,)),  # these ways: what is spent as in an action, and the flags of what has a use
        ("seen", np.uint64, (4 * STRIDE,)),  # per color clockwise and own place: that color's place on the same square, in all lanes
        ("protected", np.uint8, (16 * STRIDE,)),  # per color, color clockwise of it, and own place: 1 if that color's pawns are safe there
        ("foe", np.uint64, (16,)),  # per color and color clockwise of it: all ones if that one is an opponent
        ("partner", np.uint64, (4,)),  # by color: how many colors clockwise its partner is; 0 without teams
        ("square", np.uint8, (4 * STRIDE,)),  # per color and place: the track square, NOWHERE off the track
        ("odds_won", np.int64, (16,)),  # by dice of the pawn's side that comes to a fight, times four, plus those of the others:
        ("odds_lost", np.int64, (16,)),  # the chance that the others go back, and that the side does, in units of 1/1024
        ("key", np.uint64, (4 * STRIDE,)),  # random numbers: of own and of the partner's places, and of squares with a fight
        ("deck", np.uint8, (256,)),
        ("seat_color", np.uint8, (4,)),
        ("color_seat", np.uint8, (4,)),  # NO_SEAT for a color nobody plays
        *records.COURSE_FIELDS,
    ],
    align=True,
)


def seat_colors(rules: Rules, players: int) -> tuple[str, ...]:
    """The color of each table seat; raises SimsorryError where the ruleset does not fit the number of players."""
    return seating.seated(rules, players)


def entry_point(_rules: Rules, _deep: bool = False) -> str:
    """The name of the compiled function that plays these rules."""
    return "play_sorreesi"


# -- geometry ----------------------------------------------------------------------------------------


def entry_place(rules: Rules) -> int:
    """The place of the entry square, which is how far it is from HOME."""
    return ENTRY_TO_TURN_OFF + 1 + rules.home_path_length


def last_place(rules: Rules) -> int:
    """The place of the square farthest from HOME: the one before the turn-off square, seen from the entry square backward."""
    return entry_place(rules) + BEHIND


def entry_square(rules: Rules, color: int) -> int:
    """The track square on which a color enters (2.3, SQ46)."""
    quarters = color if rules.turn_vs_travel == "same" else -color
    return QUARTER * quarters % TRACK


def square_of(rules: Rules, color: int, place: int) -> int:
    """The track square of a color's place; NOWHERE off the track."""
    if not rules.home_path_length < place <= last_place(rules):
        return NOWHERE
    return (entry_square(rules, color) + entry_place(rules) - place) % TRACK


def place_of(rules: Rules, color: int, square: int) -> int:
    """A color's place on a track square."""
    steps = (square - entry_square(rules, color)) % TRACK
    place = entry_place(rules) - steps
    return place if place > rules.home_path_length else place + TRACK


def is_safe(rules: Rules, color: int, square: int) -> bool:
    """Whether pawns of a color are safe on a track square (SQ21, SQ27)."""
    if square % QUARTER not in rules.safe_squares:
        return False
    if square % QUARTER == TURN_OFF and rules.turnoff_safe_for == "owner":
        return square == (entry_square(rules, color) + ENTRY_TO_TURN_OFF) % TRACK
    return True


def _seen(rules: Rules) -> list[int]:
    """By color clockwise and own place: that color's place on the same square, in all lanes."""
    seen = []
    for other in range(4):
        for place in range(STRIDE):
            square = square_of(rules, 0, place)
            seen.append(packed([NOWHERE if square == NOWHERE else place_of(rules, other, square)] * 8))
    return seen


def _protected(rules: Rules) -> list[int]:
    """By color, color clockwise of it and own place: whether that color's pawns are safe there."""
    protected = []
    for color in range(4):
        for other in range(4):
            squares = [square_of(rules, color, place) for place in range(STRIDE)]
            protected += [square != NOWHERE and is_safe(rules, (color + other) % 4, square) for square in squares]
    return [int(safe) for safe in protected]


@functools.cache
def fight_odds(tie: str, arriving: int, others: int) -> tuple[float, float]:
    """The chance that those on the square go back, and that those who come do, by how many dice the two sides roll (S-17, SQ23)."""
    won = lost = again = 0.0
    for ours, theirs in itertools.product(range(arriving + 1), range(others + 1)):  # how many dice show the highest number
        ways = math.comb(arriving, ours) * math.comb(others, theirs) * (ours + theirs > 0)
        lower = arriving + others - ours - theirs
        chance = ways * sum((number - 1) ** lower for number in range(1, 7)) / 6 ** (arriving + others)
        if not (ours and theirs):
            won, lost = won + chance * (ours > 0), lost + chance * (theirs > 0)
        elif tie != "reroll":
            won += chance * (tie in ("attacker", "both_back"))
            lost += chance * (tie in ("defender", "both_back"))
        elif lower:
            fewer = fight_odds(tie, ours, theirs)
            won, lost = won + chance * fewer[0], lost + chance * fewer[1]
        else:  # all tie, and begin once more
            again = chance
    return won / (1 - again), lost / (1 - again)


# -- options -----------------------------------------------------------------------------------------


def _slack(rules: Rules) -> int:
    """How far a count may go beyond HOME (SQ33)."""
    if rules.home_overshoot == "illegal":
        return 0
    return rules.home_path_length if rules.home_overshoot == "bounce" and not rules.backward_out_of_zone else STRIDE


def _move_scalars(rules: Rules) -> dict[str, Any]:
    """The options of moving, as the numbers that the kernel knows them by."""
    return {
        "pawns": rules.pawns,
        "path": rules.home_path_length,
        "entry": entry_place(rules),
        "last": last_place(rules),
        "slack": _slack(rules),
        "any_home": rules.home_overshoot == "any",
        "back_out": rules.backward_out_of_zone,
        "parts": min(rules.seven_parts, rules.pawns * (2 if rules.team_pairs else 1)),
        "swap_single": rules.swap_requires_single,
        "swap_may_cross": rules.swap_may_cross_entry,
        "sorry_on_safe": rules.sorry_on_safe == "fight",
        "entry_capture": rules.entry_conflict == "capture",
        "takes": "sorry" in rules.start_cards,
        "start_word": packed([entry_place(rules)] * rules.quick_start_pawns + [BASE] * (rules.pawns - rules.quick_start_pawns), UNUSED),
        "home_word": packed([HOME] * rules.pawns, UNUSED),
    }


def _turn_scalars(rules: Rules) -> dict[str, Any]:
    """The options of the turn and of fights."""
    return {
        "combine": {"either": EITHER, "sequential": SEQUENTIAL, "single_hop": SINGLE_HOP}[rules.combine_mode],
        "dice_pass": {"none": 0, "one": 1, "any": 4}[rules.dice_pass],
        "card_global": rules.card_compulsion == "global",
        "swap_forced": rules.eleven_swap_forced,
        "ten_back_forced": rules.ten_back_forced,
        "dice_then_card": rules.resolution_order == "dice_then_card",
        "redraw_card": rules.doubles_redraw == "dice_and_card",
        "bottoms": rules.doubles_bottoms,
        "play_third": rules.third_double == "play_then_penalty",
        "closest": rules.triple_penalty_piece == "closest_to_home",
        "exempt_path": rules.triple_penalty_exempt == "home_and_path",
        "enter_five": rules.enter_die_five,
        "enter_sum": rules.enter_sum_five,
        "enter_forced": rules.enter_forced,
        "timing": {"any_time": ANY_TIME, "end_of_roll": END_OF_ROLL, "end_of_turn": END_OF_TURN}[rules.bonus_timing],
        "bonus_forced": rules.bonus_forced,
        "bonus_to_winner": rules.fight_bonus_to == "any_winner",
        "sorry_bonus": rules.sorry_bonus,
        "tie": {"reroll": REROLL, "attacker": ATTACKER, "defender": DEFENDER, "both_stay": BOTH_STAY, "both_back": BOTH_BACK}[
            rules.fight_tie
        ],
    }


def _team_scalars(rules: Rules) -> dict[str, Any]:
    """The options of teams."""
    return {
        "team": bool(rules.team_pairs),
        "own_only": rules.team_control == "own_only",
        "finished_skip": bool(rules.team_pairs) and rules.team_finished_player == "skips",
        "first_member_wins": rules.team_win == "first_member",
        "sorry_any": rules.team_sorry_target == "any",
        "swap_partner": rules.team_eleven_partner,
    }


def shape_of(dice1: int, dice2: int, card: int) -> int:
    """The number of what can be added up: unspent dice of either number, and a card with a forward count or none."""
    return dice1 + 3 * dice2 + 9 * card


def _ways(rules: Rules, dice1: int, dice2: int, card: int) -> list[int]:
    """The ways to add up what is unspent, each with what it says of which dice have a use (SQ2; rulebook 13.1, stop)."""
    ways = []
    for k1, k2, kc in itertools.product(range(dice1 + 1), range(dice2 + 1), range(card + 1)):
        together, everything = k1 + k2 + kc, dice1 + dice2 + card
        if not together or (rules.combine_mode == "sequential" and together > 1):
            continue
        if rules.combine_mode == "single_hop" and together < everything:
            continue
        way = k1 << DIE1 | k2 << DIE2 | CARD * kc | USES_CARD * kc
        if together == 1 or rules.combine_mode == "single_hop":
            way |= USES_DIE1 * (k1 > 0) | USES_DIE2 * (k2 > 0)
        ways.append(way)
    return ways


def _fill_ways(rules: Rules, record: Any) -> None:
    """Writes down the ways to add up whatever may be unspent."""
    for dice1, dice2, card in itertools.product(range(3), range(3), range(2)):
        shape, ways = shape_of(dice1, dice2, card), _ways(rules, dice1, dice2, card)
        record["ways"][shape] = len(ways)
        record["way"][shape * WAYS : shape * WAYS + len(ways)] = ways


def _fill_cards(rules: Rules, record: Any) -> None:
    """What each card can do (SQ3, SQ18, SQ34)."""
    for number, card in enumerate(CARDS):
        if card not in ("4", "sorry"):
            record["forward"][number] = int(card)
        record["starts"][number] = card in rules.start_cards and card != "sorry"
    record["forward"][CARDS.index("sorry")] = rules.sorry_alt_forward
    record["backward"][CARDS.index("4")], record["backward"][CARDS.index("10")] = 4, 1


def compile_rules(rules: Rules, players: int) -> np.ndarray:
    """The rules as one record for the kernel.

    Returns a 1-element array of dtype ``TABLES``; raises SimsorryError where seats and players do not fit.
    """
    seated = seat_colors(rules, players)
    tables = np.zeros(1, TABLES).view(np.recarray)
    record = tables[0]
    for scalars in (records.round_scalars, _move_scalars, _turn_scalars, _team_scalars):
        records.fill_scalars(record, scalars(rules))
    record["players"] = players
    record["bonus"][:3] = rules.home_bonus, rules.capture_bonus, rules.fight_bonus
    _fill_cards(rules, record)
    _fill_ways(rules, record)
    record["seen"] = _seen(rules)
    record["protected"] = _protected(rules)
    partners = seating.partners(rules.team_pairs)
    everything = (1 << 64) - 1
    record["foe"] = [everything * (other not in (0, partners[color])) for color in range(4) for other in range(4)]
    record["partner"] = partners
    record["square"] = [square_of(rules, color, place) for color in range(4) for place in range(STRIDE)]
    for dice in itertools.product(range(1, 4), repeat=2):
        number = 4 * dice[0] + dice[1]
        record["odds_won"][number], record["odds_lost"][number] = (round(1024 * chance) for chance in fight_odds(rules.fight_tie, *dice))
    record["key"] = records.random_words(4 * STRIDE)
    records.fill_deck_and_seats(record, rules, seated)
    records.fill_course(record, rules, rules.pawns * (entry_place(rules) + 1), 4)
    return tables
