"""Positions of the classic game as people write them, and back (rulebook 13.5).

One group per player, colors clockwise from red: ``red S S 12 H / blue Z2 S S S``. ``S`` is START, a number the
track square (0..59 clockwise from red's corner), ``Z1``..``Z5`` the safety zone from the track on, ``H`` HOME.
In JSON: an object from color to list, squares as numbers. The kernel holds the same as four words, one a color.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.games import given, track
from simsorry.games.classic.rules import Rules
from simsorry.games.options import COLORS
from simsorry.toml import brief

Place = int | str
Position = dict[str, list[Place]]

LANES = 8  # pawns that a word has room for
_EXPECTED = "S, H, Z1 to Z5, or a track square 0 to 59"


def place_name(place: int, color: int) -> Place:
    """A color's place number as it is written."""
    if place == track.START:
        return "S"
    if place == track.HOME:
        return "H"
    if place >= track.ZONE:
        return f"Z{place - track.ZONE + 1}"
    return (place + track.CIRCLE_SQUARE + track.SIDE * color) % track.TRACK


# By color: what may be written (squares as text) to the color's own place number.
_NUMBERS = [{str(place_name(place, color)): place for place in range(track.START + 1)} for color in range(len(COLORS))]


def place_number(written: object, color: str) -> int:
    """A written place as the color's own place number; raises SimsorryError."""
    if type(written) in (int, str):
        text = written.strip().upper() if isinstance(written, str) else str(written)
        number = _NUMBERS[COLORS.index(color)].get(text)
        if number is not None:
            return number
    raise SimsorryError(f"position: {color} has a pawn on {brief(written)}; a place is {_EXPECTED}")


def lanes_of(word: int) -> list[int]:
    """The place in each lane of a word."""
    return [word >> 8 * lane & 255 for lane in range(LANES)]


def word_of(places: Iterable[int]) -> int:
    """The word with these places in its lanes; lanes without a pawn are nowhere."""
    word = 0
    for lane, place in enumerate([*places, *[track.NOWHERE] * LANES][:LANES]):
        word |= place << 8 * lane
    return word


def _order(place: Place) -> tuple[int, int]:
    if isinstance(place, int):
        return (1, place)
    return (0, 0) if place == "S" else (3, 0) if place == "H" else (2, int(place[1]))


def places_of(word: int, color: int) -> list[Place]:
    """The pawns of a word as they are written: START first, then track, zone, HOME."""
    return sorted((place_name(place, color) for place in lanes_of(word) if place != track.NOWHERE), key=_order)


@lru_cache(maxsize=16_384)  # most groups of a position stay as they were
def _group(word: int, color: int) -> str:
    return " ".join([COLORS[color], *map(str, places_of(word, color))])


def parse(text: str) -> Position:
    """Reads the one-line notation into colors and places, without checking it against any rules."""
    return given.groups(text, "red S S 12 H")


def to_words(position: Mapping[str, Sequence[Any]], rules: Rules, players: Sequence[str]) -> NDArray[np.uint64]:
    """A position as the kernel's four words, checked against the rules; raises SimsorryError."""
    for color in position:
        if color not in players:
            raise SimsorryError(f"position: {brief(color)} does not play here; the players are {', '.join(players)}")
    words = [word_of([])] * len(COLORS)
    taken: dict[Place, str] = {}
    for color in players:
        if color not in position:
            raise SimsorryError(f"position: {color} has no group; the players are {', '.join(players)}")
        places = _places(position[color], color, rules)
        _check_squares(places, color, rules, taken)
        words[COLORS.index(color)] = word_of(places)
    return np.array(words, np.uint64)


def _places(written: Any, color: str, rules: Rules) -> list[int]:
    if not isinstance(written, (list, tuple)):
        raise SimsorryError(f"position: {color} = {brief(written)} is no list of places; a place is {_EXPECTED}")
    if len(written) != rules.pawns:
        raise SimsorryError(f"position: {color} has {len(written)} pawns, but in this ruleset each color has {rules.pawns}")
    return [place_number(place, color) for place in written]


def _check_squares(places: list[int], color: str, rules: Rules, taken: dict[Place, str]) -> None:
    """Refuses two pawns on one square where no move could have brought them there."""
    names = [place_name(place, COLORS.index(color)) for place in places if place < track.HOME]
    for name in names:
        if rules.own_collision != "share" and names.count(name) > 1:
            raise SimsorryError(f"position: {color} has two pawns on {name}, which this ruleset never allows")
        if isinstance(name, int) and not _may_share(taken.setdefault(name, color), color, rules):
            raise SimsorryError(f"position: {taken[name]} and {color} both stand on {name}, which can't be")


def _may_share(one: str, other: str, rules: Rules) -> bool:
    """Whether pawns of two colors can stand on one square: of partners, where the rules let them."""
    return one == other or (rules.team_collision == "coexist" and any({one, other} == set(pair) for pair in rules.team_pairs))


def to_position(words: Sequence[int], players: Sequence[str]) -> Position:
    """The kernel's words as colors and places, colors clockwise from red."""
    return {color: places_of(int(words[number]), number) for number, color in enumerate(COLORS) if color in players}


def to_text(words: Sequence[int], players: Sequence[str]) -> str:
    """The kernel's words in the one-line notation."""
    return " / ".join([_group(int(words[number]), number) for number, color in enumerate(COLORS) if color in players])
