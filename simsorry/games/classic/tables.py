"""Rules compiled for the kernel: one record of small integers and look-up tables.

*Places* are those of ``track``, counted from each color's own start circle. A *row* is a way of moving (forward n, backward n,
forward n past the own entry); ``target[row, place]`` is where it leads before any slide, ``NOWHERE`` if it is not possible. Most
options only change table contents.
"""

from typing import Any

import numpy as np

from simsorry.games import records, seating
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS
from simsorry.games.records import packed
from simsorry.games.track import (
    HOME,
    NOWHERE,
    SIDE,
    START,
    STRIDE,
    TRACK,
    ZONE,
    back_target,
    forward_target,
    past_target,
    rides,
    squares_to_go,
)

PATH_SPAN = 80  # more than any distance along a pawn's way

FORWARD, BACKWARD, PAST = 0, 16, 32  # first row of each way of moving; row = that + squares
ARRIVES = 67  # HOME as a target, where it must not look taken by the pawns that are there
OUT, NO_ROW = 48, 63  # from START onto the circle; nowhere
ZONE_BIT = 60  # in a word of squares: the safety zone
ROWS = 64

STARTS, SWAPS, TAKES, AGAIN = 1, 2, 4, 8  # what a card can do besides moving along a row
OPS_STRIDE = 8
OP_FLAGS, OP_FORWARD, OP_BACK, OP_PAST, OP_SPLIT, OP_BACK_OPTIONAL, OP_SIMPLE, OP_REPEATS = range(8)

ILLEGAL, SHARE, BUMP_SELF, ENDS_TURN = 0, 1, 2, 3
SWAP_NONE, SWAP_MOVER, SWAP_BOTH = 0, 1, 2
BUMP_OCCUPANT, BUMP_MOVER, COEXIST, PARTNER_BLOCKS = 0, 1, 2, 3
OPPONENTS_FIRST, ANY_TARGET, OPPONENTS_ONLY = 0, 1, 2

_SCALARS = """
    players pawns wide plain must_move swap_forced past past_forced own_collision own_on_triangle_bump parts simultaneous
    swap_may_cross slide_on_backward slide_after_swap slide_after_sorry deck_size single team own_only team_collision sorry_target
    sorry_either swap_partner finished_skip first_member_wins score_home score_not_home start_word home_word
""".split()  # noqa: SIM905 - a list of names reads better as text
TABLES = np.dtype(
    [(name, np.uint64) for name in (*_SCALARS, *records.ROUND_SCALARS, *records.HAND_SCALARS, *records.POINT_SCALARS)]
    + [
        ("target", np.uint8, (ROWS * STRIDE,)),
        ("both", np.uint64, (16 * STRIDE,)),  # per card and place: forward target in byte 0, backward target in byte 4
        ("ahead", np.uint64, (STRIDE,)),  # per place: targets of 1 to 6 squares in bytes 0 to 5
        ("rest", np.uint64, (STRIDE,)),  # the same for 6 to 1 squares: what is left of a 7
        ("ahead_rides", np.uint64, (4 * STRIDE,)),  # per color: a mask of those targets that are ridden on
        ("rest_rides", np.uint64, (4 * STRIDE,)),
        ("path", np.uint64, (STRIDE,)),  # how far along its way a place is, for distances between own pawns
        ("same_end", np.uint64, (PATH_SPAN * 2,)),  # per distance of two pawns: a mask of share-outs of a 7 that end as an earlier way does
        ("seen_as", np.uint64, (4 * 64,)),  # per relative color and track place: that color's number of it, in all bytes
        ("ride", np.uint8, (4 * STRIDE,)),  # squares ridden by a color that lands on a place
        ("togo", np.uint8, (STRIDE,)),  # squares to HOME
        ("key", np.uint64, (4 * STRIDE,)),  # random number per relative color and place: an outcome's key is a sum of these
        ("ops", np.uint8, (16 * OPS_STRIDE,)),
        ("deck", np.uint8, (256,)),
        ("seat_color", np.uint8, (4,)),
        ("color_seat", np.uint8, (4,)),  # NO_SEAT for a color nobody plays
        ("partner", np.uint8, (4,)),  # by color: how many colors clockwise its partner is; 0 without teams
        ("reach", np.uint64, (4 * STRIDE,)),  # per color and place: the squares that a part of a 7 can touch, and ZONE_BIT
        *records.COURSE_FIELDS,
        *records.BAND_FIELDS,
    ],
    align=True,
)


def seat_colors(rules: Rules, players: int) -> tuple[str, ...]:
    """The color of each table seat; raises SimsorryError where the ruleset does not fit the number of players."""
    return seating.seated_with_hands(rules, players)


def _targets(rules: Rules) -> np.ndarray:
    target = np.full((ROWS, STRIDE), NOWHERE, np.uint8)
    for place in range(HOME):
        for squares in range(1, 13):
            target[FORWARD + squares, place] = forward_target(rules, place, squares)
            target[PAST + squares, place] = past_target(rules, place, squares)
        for squares in range(1, 5):
            target[BACKWARD + squares, place] = back_target(place, squares, rules.backward_out_of_zone)
    target[OUT, START] = 0
    return target


def _both_targets(target: np.ndarray, ops: np.ndarray) -> np.ndarray:
    """A card's two ways of moving side by side, so that one look-up per pawn serves both; HOME is written ``ARRIVES``."""
    marked = np.where(target == HOME, ARRIVES, target)
    forward = marked[ops[:, OP_FORWARD]].astype(np.uint64)
    backward = marked[ops[:, OP_BACK]].astype(np.uint64)
    both: np.ndarray = forward | backward << np.uint64(32)
    return both


def _seven_tables(target: np.ndarray, ride: np.ndarray) -> dict[str, np.ndarray]:
    """The targets of every part of a 7 side by side, so that all its splits between two pawns are judged at once."""
    parts = [[target[squares, place] for squares in range(1, 7)] for place in range(STRIDE)]
    rides = [[[0x80 * (at < TRACK and bool(ride[color, at])) for at in row] for row in parts] for color in range(4)]
    found = {
        "ahead": [packed(row, NOWHERE) for row in parts],
        "rest": [packed(reversed(row), NOWHERE) for row in parts],
        "ahead_rides": [packed(row) for color in rides for row in color],
        "rest_rides": [packed(reversed(row)) for color in rides for row in color],
    }
    return {name: np.array(words, np.uint64) for name, words in found.items()}


def _same_end(distance: int) -> int:
    """Of a 7 shared out over two pawns, the second ``distance`` ahead: which shares for the first end as an earlier way does.

    The ways are, in this order, the whole 7 for either pawn and 1 to 6 squares for the first. Two pawns of a color can
    change roles, so the 7 as ``a`` and ``7 - a`` ends like ``distance + 7 - a`` and the rest; and it ends like the whole
    7 of one pawn where that share brings it just to where the other stood. Slides apart.
    """
    alike = [share in (distance, distance + 7) or 1 <= distance + 7 - share < share for share in range(1, 7)]
    return packed([0x80 * found for found in alike])


def _seen_as() -> np.ndarray:
    """Each track place as the other colors number it."""
    numbers = [(place - SIDE * other) % TRACK if place < TRACK else NOWHERE for other in range(4) for place in range(64)]
    return np.array([packed([number] * 8) for number in numbers], np.uint64)


def _operations(rules: Rules) -> np.ndarray:
    """What each card can do."""
    ops = np.zeros((16, OPS_STRIDE), np.uint8)
    ops[:, OP_FORWARD : OP_PAST + 1] = NO_ROW
    for number, card in enumerate(CARDS):
        squares = 0 if card == "sorry" else int(card)
        if card == "sorry":
            squares = rules.sorry_alt_forward
        if card == "4":
            ops[number, OP_BACK] = BACKWARD + 4
        elif squares:
            ops[number, OP_FORWARD] = FORWARD + squares
            if rules.forward_past_entry != "forbidden":
                ops[number, OP_PAST] = PAST + squares
        if card in rules.start_cards:
            ops[number, OP_FLAGS] |= TAKES if card == "sorry" else STARTS
    ten, seven, eleven, two = (CARDS.index(card) for card in ("10", "7", "11", "2"))
    ops[ten, OP_BACK] = BACKWARD + 1
    ops[ten, OP_BACK_OPTIONAL] = not rules.ten_back_forced
    ops[seven, OP_SPLIT] = 7 if rules.seven_parts > 1 else 0
    ops[eleven, OP_FLAGS] |= SWAPS
    ops[two, OP_FLAGS] |= AGAIN
    ops[:, OP_SIMPLE] = (ops[:, OP_FLAGS] & (SWAPS | TAKES) == 0) & (ops[:, OP_SPLIT] == 0)
    ops[:, OP_REPEATS] = (ops[:, OP_BACK] == BACKWARD + 4) & rules.slide_on_backward  # only a ride of 4 undoes a move
    return ops


def _is_plain(rules: Rules) -> bool:
    """Whether two different actions can end alike only in ways that the fast enumeration knows.

    Those are: backward moves that ride back to where they began, and the parts of a 7 in another order.
    Everything else that can make actions end alike goes through the full list of outcomes; in team play so do 4s and 7s.
    """
    backward_starts = "4" in rules.start_cards or "10" in rules.start_cards
    partners = rules.team_collision == "bump_occupant" and rules.team_own_collision == "illegal" and not rules.team_eleven_partner
    return (
        (partners if rules.team_pairs else rules.seven_parts <= 2)
        and rules.seven_resolution == "sequential"
        and rules.pawns <= 4
        and rules.own_collision == "illegal"
        and rules.own_on_triangle == "illegal"
        and rules.home_overshoot == "illegal"
        and rules.forward_past_entry == "forbidden"
        and rules.slides != "all"
        and not rules.slide_riders
        and rules.slide_after_swap != "both"
        and rules.swap_may_cross_entry
        and rules.must_move
        and rules.ten_back_forced
        and not backward_starts
    )


def is_single(rules: Rules) -> bool:
    """Whether the fast loop of ``kernel`` plays these rules."""
    alone = not rules.hand_size and not rules.team_pairs and rules.score_home_to == "none" and rules.match_end == "single_round"
    return alone and _is_plain(rules)


def entry_point(rules: Rules, deep: bool = False) -> str:
    """The name of the compiled function that plays these rules; ``deep``: with somebody who looks ahead or is asked in Python."""
    return "play_single" if is_single(rules) and not deep else "play_matches"


def _move_scalars(rules: Rules) -> dict[str, Any]:
    """The options of moving, as the numbers that the kernel knows them by."""
    bumps_own = rules.own_collision == "bump_self" or rules.team_own_collision == "bump"
    return {
        "pawns": rules.pawns,
        "wide": rules.pawns > 4,
        "plain": _is_plain(rules),
        "must_move": rules.must_move,
        "swap_forced": rules.eleven_swap_forced,
        "past": rules.forward_past_entry != "forbidden",
        "past_forced": rules.forward_past_entry == "forced",
        "own_collision": BUMP_SELF if bumps_own else {"illegal": ILLEGAL, "share": SHARE, "ends_turn": ENDS_TURN}[rules.own_collision],
        "own_on_triangle_bump": rules.own_on_triangle == "bump",
        "parts": min(rules.seven_parts, rules.pawns * (2 if rules.team_pairs else 1), 7),
        "simultaneous": rules.seven_resolution == "simultaneous",
        "swap_may_cross": rules.swap_may_cross_entry,
        "slide_on_backward": rules.slide_on_backward,
        "slide_after_swap": {"none": SWAP_NONE, "mover": SWAP_MOVER, "both": SWAP_BOTH}[rules.slide_after_swap],
        "slide_after_sorry": rules.slide_after_sorry,
        "start_word": packed([0] * rules.quick_start_pawns + [START] * (rules.pawns - rules.quick_start_pawns), NOWHERE),
        "home_word": packed([HOME] * rules.pawns, NOWHERE),
    }


def _team_scalars(rules: Rules) -> dict[str, Any]:
    """The options of teams."""
    collisions = {"bump_occupant": BUMP_OCCUPANT, "bump_mover": BUMP_MOVER, "coexist": COEXIST, "illegal": PARTNER_BLOCKS}
    targets = {"opponents_first": OPPONENTS_FIRST, "any": ANY_TARGET, "opponents_only": OPPONENTS_ONLY}
    return {
        "team": bool(rules.team_pairs),
        "own_only": rules.team_control == "own_only",
        "team_collision": collisions[rules.team_collision],
        "sorry_target": targets[rules.team_sorry_target],
        "sorry_either": rules.team_sorry_start == "either",
        "swap_partner": rules.team_eleven_partner,
        "finished_skip": bool(rules.team_pairs) and rules.team_finished_player == "skips",
        "first_member_wins": rules.team_win == "first_member",
    }


def _reach(target: np.ndarray, ride: np.ndarray) -> np.ndarray:
    """By color and place: what a part of a 7 may touch from there, on the way of no more than it, slides with it."""
    reach = np.zeros((4, STRIDE), np.uint64)
    for color in range(4):
        for place in range(HOME):
            ends = {int(target[way + squares, place]) for way in (FORWARD, PAST) for squares in range(1, 8)} | {place}
            track = {(end + step) % TRACK for end in ends if end < TRACK for step in range(int(ride[color, end]) + 1)}
            zone = any(ZONE <= end < HOME for end in ends)
            reach[color, place] = sum(1 << square for square in track) | zone << ZONE_BIT
    return reach


def compile_rules(rules: Rules, players: int) -> np.ndarray:
    """The rules as one record for the kernel.

    Returns a 1-element array of dtype ``TABLES``; raises SimsorryError where seats and players do not fit.
    """
    seated = seat_colors(rules, players)
    tables = np.zeros(1, TABLES).view(np.recarray)
    record = tables[0]
    for scalars in (records.round_scalars, records.hand_scalars, records.point_scalars, _move_scalars, _team_scalars):
        records.fill_scalars(record, scalars(rules))
    record["players"], record["single"] = players, is_single(rules)
    record["score_home"], record["score_not_home"] = rules.score_home_value, rules.score_not_home_value
    target, ops = _targets(rules), _operations(rules)
    record["target"] = target.ravel()
    record["both"] = _both_targets(target, ops).ravel()
    ride = rides(rules, seated)
    record["ride"] = ride.ravel()
    record["reach"] = _reach(target, ride).ravel()
    for name, table in _seven_tables(target, ride).items():
        record[name] = table
    record["path"] = [squares_to_go(START) - squares_to_go(place) if place <= START else 0 for place in range(STRIDE)]
    record["same_end"] = [_same_end(distance) for distance in range(-PATH_SPAN, PATH_SPAN)]
    record["seen_as"] = _seen_as()
    record["togo"] = [squares_to_go(place) if place <= START else 0 for place in range(STRIDE)]
    record["key"] = records.random_words(4 * STRIDE)
    record["ops"] = ops.ravel()
    records.fill_deck_and_seats(record, rules, seated)
    record["partner"] = seating.partners(rules.team_pairs)
    records.fill_course(record, rules, rules.pawns * squares_to_go(START), 8)
    records.fill_bands(record, rules)
    return tables
