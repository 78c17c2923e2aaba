"""Rules compiled for the kernel: one record of small integers and look-up tables.

*Places* are numbered alike for all colors: 0 to 59 the squares of the track, 60 to 79 the safety zones, five squares a color. HOME and
START hold no piles. A *row* is a way of moving (forward n, backward n, forward n past the own entry); ``target[color, row, place]`` is
where it leads before any slide, ``NOWHERE`` if it is not possible, with ``TURNS_IN`` added where the pawn turns in at its own entry. Most
options only change table contents.
"""

from typing import Any

import numpy as np

from simsorry.games import records, seating, track
from simsorry.games.ice.rules import SIZES, Rules
from simsorry.games.options import CARDS, COLORS

TRACK = track.TRACK
ZONE, ZONE_SQUARES = TRACK, 5  # first zone square of the first color, and how many a color has
PLACES = ZONE + len(COLORS) * ZONE_SQUARES
HOME = PLACES  # as a target
NOWHERE = 127
TURNS_IN = 128
STRIDE = 128
LEVELS = 64  # room for the pawns of one pile: there are 60 in all
CODES = 32  # of pawns: the size in bits 0 and 1, the color in 2 and 3, the flag in 4

FORWARD, BACKWARD, PAST = 0, 16, 32  # first row of each way of moving; row = that + squares
ROWS = 64

TOP_ONLY, DROP_AT_ENTRY, TO_START = 0, 1, 2
SWEEP, CARRY_STACKED, END_ONLY = 0, 1, 2
SLOT_EXCHANGE, LAND_ON_TOP, SAME_SIZE = 0, 1, 2

_SCALARS = [
    "players",
    "team",
    "pawns",
    "must_move",
    "swap_forced",
    "ten_back_forced",
    "past",
    "past_always",
    "comes_back",
    "past_forced",
    "parts",
    "other_pile",
    "contact_top",
    "mixed",
    "top_home",
    "carry_stops",
    "slide_on_backward",
    "slide_after_sorry",
    "slide_mode",
    "first_lowest",
    "take_triangle",
    "swap_mode",
    "swap_same_space",
    "swap_slides",
    "swap_may_cross",
    "sorry_anywhere",
    "deck_size",
    *records.HAND_SCALARS,
    *records.POINT_SCALARS,
    *records.ROUND_SCALARS,
]
TABLES = np.dtype(
    [(name, np.uint64) for name in _SCALARS]
    + [
        ("target", np.uint8, (4 * ROWS * STRIDE,)),
        ("ride", np.uint8, (4 * STRIDE,)),  # per color and place: squares ridden by one that lands there
        ("togo", np.uint8, (4 * STRIDE,)),  # per color and place: squares to HOME
        ("around", np.uint8, (4 * STRIDE,)),  # per color and track square: how far from its start circle, forward
        ("triangles", np.uint64, (4,)),  # per color: the squares from which it rides, as bits
        ("circle", np.uint64, (4,)),  # per color: its start circle
        ("entry", np.uint64, (4,)),  # per color: the entry of its safety zone
        ("pieces", np.uint8, (4,)),  # per size
        ("quick", np.uint8, (4,)),  # per size: of those, how many begin on the start circle
        ("forward", np.uint64, (16,)),  # per card: squares forward, 0 if it has none
        ("back", np.uint64, (16,)),  # squares backward
        ("starts", np.uint64, (16,)),  # a bit per size that it brings onto the start circle
        ("takes", np.uint64, (16,)),  # a bit per size that it brings onto an opponent
        ("worth_home", np.int32, (4,)),  # points per size
        ("worth_missing", np.int32, (4,)),
        # Random numbers: a placement's key is a sum over its pawns, of place times level times code.
        ("place_key", np.uint64, (PLACES,)),
        ("level_key", np.uint64, (LEVELS,)),
        ("code_key", np.uint64, (CODES,)),
        ("start_key", np.uint64, (16,)),  # per color and size
        ("home_key", np.uint64, (16,)),
        ("deck", np.uint8, (256,)),
        ("seat_color", np.uint8, (4,)),
        ("color_seat", np.uint8, (4,)),
        ("partner", np.uint8, (4,)),  # nobody has one
        *records.COURSE_FIELDS,
        *records.BAND_FIELDS,
    ],
    align=True,
)


def seat_colors(rules: Rules, players: int) -> tuple[str, ...]:
    """The color of each table seat; raises SimsorryError where the ruleset does not fit the number of players."""
    return seating.seated_with_hands(rules, players)


def entry_point(_rules: Rules, _deep: bool = False) -> str:
    """The name of the compiled function that plays these rules."""
    return "play_ice"


# -- geometry ----------------------------------------------------------------------------------------


def circle_of(color: int) -> int:
    """The track square of a color's start circle."""
    return (track.CIRCLE_SQUARE + track.SIDE * color) % TRACK


def absolute(color: int, place: int) -> int:
    """The number of a place that is counted from the color's start circle, as ``track`` does."""
    if place < TRACK:
        return (circle_of(color) + place) % TRACK
    if place < track.HOME:
        return ZONE + ZONE_SQUARES * color + place - track.ZONE
    return HOME if place == track.HOME else NOWHERE


def relative(color: int, place: int) -> int:
    """A place as counted from the color's start circle; ``track.NOWHERE`` in another color's safety zone."""
    if place < TRACK:
        return (place - circle_of(color)) % TRACK
    inside = place - ZONE - ZONE_SQUARES * color
    return track.ZONE + inside if 0 <= inside < ZONE_SQUARES else track.NOWHERE


def _forward(rules: Rules, color: int, place: int, squares: int) -> int:
    """Where a forward count leads, and whether the pawn turns in."""
    start = relative(color, place)
    target = absolute(color, track.forward_target(rules, start, squares))
    turns_in = target != NOWHERE and start <= track.ENTRY < start + squares
    return target + TURNS_IN * turns_in


def _targets(rules: Rules) -> np.ndarray:
    target = np.full((4, ROWS, STRIDE), NOWHERE, np.uint8)
    for color in range(4):
        for place in range(PLACES):
            start = relative(color, place)
            if start == track.NOWHERE:
                continue
            for squares in range(1, 13):
                target[color, FORWARD + squares, place] = _forward(rules, color, place, squares)
                target[color, PAST + squares, place] = absolute(color, track.past_target(rules, start, squares))
            for squares in range(1, 5):
                back = track.back_target(start, squares, rules.backward_out_of_zone)
                target[color, BACKWARD + squares, place] = absolute(color, back)
    return target.ravel()


def _by_place(value: Any) -> np.ndarray:
    """A number for each color and place in its own way around the board; 0 where it never comes."""
    table = np.zeros((4, STRIDE), np.uint8)
    for color in range(4):
        for place in range(PLACES):
            start = relative(color, place)
            if start != track.NOWHERE:
                table[color, place] = value(color, start)
    return table.ravel()


# -- options -----------------------------------------------------------------------------------------


def _move_scalars(rules: Rules) -> dict[str, int]:
    """The options of moving, as the numbers that the kernel knows them by."""
    return {
        "pawns": rules.pawns,
        "must_move": rules.must_move,
        "swap_forced": rules.eleven_swap_forced,
        "ten_back_forced": rules.ten_back_forced,
        "past": rules.forward_past_entry != "forbidden",
        "comes_back": rules.home_overshoot == "bounce" or rules.ice_mixed_stack_zone == "drop_at_entry",
        "past_always": rules.pass_scope == "always",
        "past_forced": rules.forward_past_entry == "forced",
        "parts": rules.seven_parts,
        "other_pile": rules.ice_seven_same_pile == "forbidden",
        "contact_top": rules.ice_contact_piece == "top",
        "mixed": {"top_only": TOP_ONLY, "drop_at_entry": DROP_AT_ENTRY, "to_start": TO_START}[rules.ice_mixed_stack_zone],
        "top_home": rules.ice_stack_home == "top_only",
        "carry_stops": rules.ice_carry_past_entry == "forbidden",
        "slide_on_backward": rules.slide_on_backward,
        "slide_after_sorry": rules.slide_after_sorry,
        "slide_mode": {"sweep": SWEEP, "carry_stacked": CARRY_STACKED, "end_only": END_ONLY}[rules.ice_slide_mode],
        "first_lowest": rules.ice_slide_order == "first_met_lowest",
        "take_triangle": rules.ice_slide_triangle == "take",
        "swap_mode": {"slot_exchange": SLOT_EXCHANGE, "land_on_top": LAND_ON_TOP, "same_size": SAME_SIZE}[rules.ice_swap_mode],
        "swap_same_space": rules.ice_swap_same_space,
        "swap_slides": rules.ice_swap_slide == "if_top",
        "swap_may_cross": rules.swap_may_cross_entry,
        "sorry_anywhere": rules.ice_sorry_target == "any_in_pile",
    }


def _size_bits(sizes: tuple[str, ...]) -> int:
    return sum(1 << SIZES.index(size) for size in sizes)


def _fill_cards(rules: Rules, record: Any) -> None:
    """What each card can do."""
    for number, card in enumerate(CARDS):
        if card not in ("4", "sorry"):
            record["forward"][number] = int(card)
        record["starts"][number] = _size_bits(rules.start_cards.sizes.get(card, ()))
    sorry = CARDS.index("sorry")
    record["forward"][sorry] = rules.sorry_alt_forward
    sizes = SIZES if rules.ice_sorry_size == "any" else (rules.ice_sorry_size.removesuffix("_only"),)
    record["takes"][sorry] = _size_bits(sizes)
    record["back"][CARDS.index("4")], record["back"][CARDS.index("10")] = 4, 1


def quick_pieces(rules: Rules) -> list[int]:
    """By size: how many pawns begin on the start circle, the largest first."""
    left, quick = rules.quick_start_pawns, [0, 0, 0]
    for size in (2, 1, 0):
        quick[size] = min(left, rules.pieces[size])
        left -= quick[size]
    return quick


def _fill_keys(record: Any) -> None:
    """Random numbers for the keys of placements; odd ones, so that no bit of a sum is lost."""
    words = records.random_words(PLACES + CODES + 33)
    record["place_key"] = [word | 1 for word in words[:PLACES]]
    record["code_key"] = words[PLACES : PLACES + CODES]
    record["start_key"], record["home_key"] = words[PLACES + CODES : PLACES + CODES + 16], words[PLACES + CODES + 16 : -1]
    base = words[-1] | 1
    record["level_key"] = [pow(base, level, 1 << 64) for level in range(LEVELS)]


def compile_rules(rules: Rules, players: int) -> np.ndarray:
    """The rules as one record for the kernel.

    Returns a 1-element array of dtype ``TABLES``; raises SimsorryError where seats and players do not fit.
    """
    seated = seat_colors(rules, players)
    tables = np.zeros(1, TABLES).view(np.recarray)
    record = tables[0]
    shared = records.hand_scalars(rules) | records.point_scalars(rules) | records.round_scalars(rules)
    records.fill_scalars(record, {"players": players} | shared | _move_scalars(rules))
    record["target"] = _targets(rules)
    rides = track.rides(rules, seated)
    record["ride"] = _by_place(lambda color, place: rides[color, place])
    record["triangles"] = [sum(1 << absolute(color, place) for place in range(TRACK) if rides[color, place]) for color in range(4)]
    record["togo"] = _by_place(lambda _color, place: track.squares_to_go(place))
    record["around"] = _by_place(lambda _color, place: place)
    record["circle"] = [circle_of(color) for color in range(4)]
    record["entry"] = [absolute(color, track.ENTRY) for color in range(4)]
    record["pieces"][:3], record["quick"][:3] = rules.pieces, quick_pieces(rules)
    record["worth_home"][:3], record["worth_missing"][:3] = rules.score_home_value, rules.score_not_home_value
    _fill_cards(rules, record)
    _fill_keys(record)
    records.fill_course(record, rules, int(sum(rules.pieces)) * track.squares_to_go(track.START), 8)
    records.fill_bands(record, rules)
    records.fill_deck_and_seats(record, rules, seated)
    return tables
