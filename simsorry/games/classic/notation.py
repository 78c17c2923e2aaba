"""Positions of the classic game as people write them, and back (rulebook 13.5).

One group per player, colors clockwise from red: ``red S S 12 H / blue Z2 S S S``. ``S`` is START, a number the
track square (0..59 clockwise from red's corner), ``Z1``..``Z5`` the safety zone from the track on, ``H`` HOME.
In JSON: an object from color to list, squares as numbers.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simsorry.errors import SimsorryError
from simsorry.games.classic import tables as t
from simsorry.games.classic.rules import COLORS, Rules

Place = int | str
Position = dict[str, list[Place]]

_EXPECTED = "S, H, Z1 to Z5, or a track square 0 to 59"


def place_number(token: object, color: str) -> int:
    """A written place as the color's own place number; raises SimsorryError."""
    text = str(token).strip().upper()
    if text == "S":
        return t.START
    if text == "H":
        return t.HOME
    if text in ("Z1", "Z2", "Z3", "Z4", "Z5"):
        return t.ZONE + int(text[1]) - 1
    if not isinstance(token, bool) and text.isascii() and text.isdigit() and len(text) <= 2 and int(text) < t.TRACK:
        return (int(text) - t.CIRCLE_SQUARE - t.SIDE * COLORS.index(color)) % t.TRACK
    raise SimsorryError(f"position: {color} has a pawn on {str(token)[:40]!r}; a place is {_EXPECTED}")


def place_name(place: int, color: int) -> Place:
    """A color's place number as it is written."""
    if place == t.START:
        return "S"
    if place == t.HOME:
        return "H"
    if place >= t.ZONE:
        return f"Z{place - t.ZONE + 1}"
    return (place + t.CIRCLE_SQUARE + t.SIDE * color) % t.TRACK


def _order(place: Place) -> tuple[int, int]:
    if isinstance(place, int):
        return (1, place)
    return (0, 0) if place == "S" else (3, 0) if place == "H" else (2, int(place[1]))


def places_of(word: int, color: int) -> list[Place]:
    """The pawns of a word, START first, then track, zone, HOME."""
    numbers = (word >> (8 * lane) & 255 for lane in range(8))
    return sorted((place_name(number, color) for number in numbers if number != t.NOWHERE), key=_order)


def parse(text: str) -> Position:
    """Reads the one-line notation into colors and places, without checking it against any rules."""
    position: Position = {}
    for group in text.split("/"):
        color, *places = group.split() or [""]
        color = color.lower()
        if color not in COLORS:
            raise SimsorryError(f"position: {color[:40]!r} is not a color; a group begins with one of {', '.join(COLORS)}")
        if color in position:
            raise SimsorryError(f"position: {color} has two groups")
        position[color] = list(places)
    return position


def to_words(position: Mapping[str, Sequence[Any]], rules: Rules, seated: Sequence[str]) -> np.ndarray:
    """A position as the kernel's four words, checked against the rules; raises SimsorryError."""
    if wrong := [color for color in position if color not in seated]:
        raise SimsorryError(f"position: {wrong[0]!r} does not play here; the players are {', '.join(seated)}")
    words = np.full(4, 0x7F7F7F7F7F7F7F7F, np.uint64)
    taken: dict[int, str] = {}
    for color in seated:
        if color not in position:
            raise SimsorryError(f"position: {color} has no group; the players are {', '.join(seated)}")
        pawns = position[color]
        if isinstance(pawns, str) or len(pawns) != rules.pawns:
            raise SimsorryError(f"position: {color} needs {rules.pawns} pawns, not {1 if isinstance(pawns, str) else len(pawns)}")
        places = [place_number(pawn, color) for pawn in pawns]
        _check_shared(places, color, rules, taken)
        number = COLORS.index(color)
        words[number] = sum(place << (8 * lane) for lane, place in enumerate(places + [t.NOWHERE] * (8 - len(places))))
    return words


def _check_shared(places: list[int], color: str, rules: Rules, taken: dict[int, str]) -> None:
    """Refuses two pawns on one square where no move could have brought them there."""
    number = COLORS.index(color)
    resting = [place for place in places if place < t.HOME]
    if rules.own_collision != "share":
        for place in resting:
            if resting.count(place) > 1:
                raise SimsorryError(f"position: {color} has two pawns on {place_name(place, number)}, which these rules never allow")
    for place in {place for place in resting if place < t.TRACK}:
        square = int(place_name(place, number))
        if square in taken:
            raise SimsorryError(f"position: {taken[square]} and {color} both stand on {square}")
        taken[square] = color


def to_position(words: Sequence[int], seated: Sequence[str]) -> Position:
    """The kernel's words as colors and places, colors clockwise from red."""
    return {color: places_of(int(words[number]), number) for number, color in enumerate(COLORS) if color in seated}


def to_text(words: Sequence[int], seated: Sequence[str]) -> str:
    """The kernel's words in the one-line notation."""
    return " / ".join(f"{color} {' '.join(map(str, places))}" for color, places in to_position(words, seated).items())
