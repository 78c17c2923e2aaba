"""The board with 60 squares: its squares as each color counts them, where a count leads, and who rides which slide.

*Places* are counted from each color's own start circle, so that one table serves all four colors: 0 the circle,
58 the safety zone's entry, 59 the square between entry and circle, 60..64 the safety zone, 65 HOME, 66 START.
"""

from typing import Any

import numpy as np

from simsorry.games.options import COLORS

TRACK = 60  # squares of the track; places below are on it
ENTRY, BEHIND_CIRCLE, ZONE, HOME, START, NOWHERE = 58, 59, 60, 65, 66, 127
CIRCLE_SQUARE = 4  # board square of red's start circle (rulebook 1.1)
SIDE = 15
STRIDE = 128  # room for all places in a table
TRIANGLES = {"A": (-3, 3), "B": (5, 4)}  # slide: place of its triangle for its own color, squares ridden


def squares_to_go(place: int) -> int:
    """Squares to HOME, counting the start move as one (rulebook 1.2)."""
    if place <= ENTRY:
        return ENTRY - place + 6
    return {BEHIND_CIRCLE: 65, HOME: 0, START: 65}.get(place, HOME - place)


def back_target(place: int, squares: int, may_leave_zone: bool) -> int:
    """Where ``squares`` steps back lead from the track, the zone or (when bouncing) HOME."""
    if place < TRACK:
        return (place - squares) % TRACK
    if place - squares >= ZONE:
        return place - squares
    if not may_leave_zone:
        return NOWHERE
    return (ENTRY - (squares - (place - ZONE) - 1)) % TRACK


def forward_target(rules: Any, place: int, squares: int) -> int:
    """Where a forward count leads, turning in at the own entry (H-25, H-27)."""
    if place >= HOME:
        return NOWHERE
    surplus = squares - squares_to_go(place)
    if surplus > 0:
        if rules.home_overshoot == "any":
            return HOME
        return back_target(HOME, surplus, rules.backward_out_of_zone) if rules.home_overshoot == "bounce" else NOWHERE
    if place == BEHIND_CIRCLE:
        return squares - 1
    target = place + squares
    return target + 1 if place <= ENTRY < target else target  # no square 59 on the way in


def past_target(rules: Any, place: int, squares: int) -> int:
    """Where the count leads if the pawn walks past its own entry, where the ruleset lets it (HQ26, IQ8)."""
    if rules.forward_past_entry == "forbidden" or place > ENTRY or place + squares <= ENTRY:
        return NOWHERE
    if rules.pass_scope == "overshoot_only" and squares <= squares_to_go(place):
        return NOWHERE
    return (place + squares) % TRACK


def _riders(rules: Any, owner: str, letter: str, seated: tuple[str, ...]) -> tuple[str, ...]:
    """The colors that ride one slide (H-28, HQ3)."""
    if rules.absent_color_slides == "inert" and owner not in seated:
        return ()
    chosen: tuple[str, ...] | None = rules.slide_riders.get(f"{owner} {letter}")
    if chosen is not None:
        return chosen
    if rules.slides == "off":
        return ()
    return tuple(color for color in COLORS if rules.slides == "all" or color != owner)


def rides(rules: Any, seated: tuple[str, ...]) -> np.ndarray:
    """By color and place: the squares ridden by a pawn that lands there; ``seated`` are the colors that play."""
    ride = np.zeros((len(COLORS), STRIDE), np.uint8)
    for owner_number, owner in enumerate(COLORS):
        for letter, (triangle, squares) in TRIANGLES.items():
            for color in _riders(rules, owner, letter, seated):
                number = COLORS.index(color)
                ride[number, (triangle + SIDE * (owner_number - number)) % TRACK] = squares
    return ride
