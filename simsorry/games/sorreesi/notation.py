"""Positions of Sorreesi as people write them, and back (rulebook 13.5).

One group per player, colors clockwise from red: ``red B B 12 P3 H / blue B 34``. ``B`` is the base, a number the track square
(0..67 in travel direction from red's entry square), ``P1``..``P7`` the private path from the track on, ``H`` HOME. In JSON: an
object from color to list, squares as numbers. The kernel holds the same as four words, one a color.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.games import given
from simsorry.games.options import COLORS
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.rules import Rules
from simsorry.toml import brief

Place = int | str
Position = dict[str, list[Place]]

LANES = 8  # pawns that a word has room for


def lanes_of(word: int) -> list[int]:
    """The place in each lane of a word."""
    return [word >> 8 * lane & 255 for lane in range(LANES)]


def word_of(places: Iterable[int]) -> int:
    """The word with these places in its lanes; the others are lanes without a pawn."""
    word = 0
    for lane, place in enumerate([*places, *[t.UNUSED] * LANES][:LANES]):
        word |= place << 8 * lane
    return word


def place_name(rules: Rules, place: int, color: int) -> Place:
    """A color's place as it is written."""
    if place == t.BASE:
        return "B"
    if place == t.HOME:
        return "H"
    if place <= rules.home_path_length:
        return f"P{rules.home_path_length - place + 1}"
    return t.square_of(rules, color, place)


def expected(rules: Rules) -> str:
    """What a place may be, in words."""
    return f"B, H, P1 to P{rules.home_path_length}, or a track square 0 to {t.TRACK - 1}"


def place_number(rules: Rules, written: object, color: str) -> int:
    """A written place as the color's own place number; raises SimsorryError."""
    text = written.strip().upper() if isinstance(written, str) else str(written) if type(written) is int else ""
    if text in ("B", "H"):
        return t.BASE if text == "B" else t.HOME
    on_path = text.startswith("P")
    if text[on_path:].isdecimal() and text.isascii() and len(text) <= 3:
        number = int(text[on_path:])
        if on_path and 1 <= number <= rules.home_path_length:
            return rules.home_path_length + 1 - number
        if not on_path and number < t.TRACK:
            return t.place_of(rules, COLORS.index(color), number)
    raise SimsorryError(f"position: {color} has a pawn on {brief(written)}; a place is {expected(rules)}")


def _order(place: Place) -> tuple[int, int]:
    if isinstance(place, int):
        return (1, place)
    return (0, 0) if place == "B" else (3, 0) if place == "H" else (2, int(place[1]))


def places_of(rules: Rules, word: int, color: int) -> list[Place]:
    """The pawns of a word as they are written: the base first, then track, path, HOME."""
    return sorted((place_name(rules, place, color) for place in lanes_of(word) if place != t.UNUSED), key=_order)


def parse(text: str) -> Position:
    """Reads the one-line notation into colors and places, without checking it against any rules."""
    return given.groups(text, "red B B 12 H")


def to_words(position: Mapping[str, Sequence[Any]], rules: Rules, players: Sequence[str]) -> NDArray[np.uint64]:
    """A position as the kernel's four words, checked against the rules; raises SimsorryError."""
    for color in position:
        if color not in players:
            raise SimsorryError(f"position: {brief(color)} does not play here; the players are {', '.join(players)}")
    words = [word_of([])] * len(COLORS)
    standing: dict[int, set[str]] = {}  # who stands on each track square
    for color in players:
        if color not in position:
            raise SimsorryError(f"position: {color} has no group; the players are {', '.join(players)}")
        places = _places(position[color], color, rules)
        for place in places:
            square = t.square_of(rules, COLORS.index(color), place)
            if square != t.NOWHERE:
                standing.setdefault(square, set()).add(color)
        words[COLORS.index(color)] = word_of(places)
    for square, colors in standing.items():
        _check_square(square, sorted(colors, key=COLORS.index), rules, players)
    return np.array(words, np.uint64)


def _places(written: Any, color: str, rules: Rules) -> list[int]:
    if not isinstance(written, (list, tuple)):
        raise SimsorryError(f"position: {color} = {brief(written)} is no list of places; a place is {expected(rules)}")
    if len(written) != rules.pawns:
        raise SimsorryError(f"position: {color} has {len(written)} pawns, but in this ruleset each color has {rules.pawns}")
    return [place_number(rules, place, color) for place in written]


def _check_square(square: int, colors: Sequence[str], rules: Rules, players: Sequence[str]) -> None:
    """Refuses opponents on one square where no move could have brought them there."""
    if len(colors) < 2 or any(set(colors) == set(pair) for pair in rules.team_pairs):
        return
    # They have fought somebody there for whom it is safe, who may have left.
    safe = any(t.is_safe(rules, COLORS.index(color), square) for color in players)
    if not (safe and rules.fight_tie == "both_stay"):
        raise SimsorryError(f"position: {' and '.join(colors)} both stand on {square}, which can't be")


def to_position(rules: Rules, words: Sequence[int], players: Sequence[str]) -> Position:
    """The kernel's words as colors and places, colors clockwise from red."""
    return {color: places_of(rules, int(words[number]), number) for number, color in enumerate(COLORS) if color in players}


def to_text(rules: Rules, words: Sequence[int], players: Sequence[str]) -> str:
    """The kernel's words in the one-line notation."""
    groups = to_position(rules, words, players)
    return " / ".join([" ".join([color, *map(str, places)]) for color, places in groups.items()])
