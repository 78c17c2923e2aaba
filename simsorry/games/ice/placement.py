"""Where all pawns stand, in Python: what notation, words and pictures are made from.

A pawn is the kernel's code: its size in bits 0 and 1, its color in 2 and 3, in 4 the flag that reverses whether it covers the pawn right
below it. A number in the bits above tells it from others where that matters. Places are those of ``tables``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simsorry.games.ice import tables as t
from simsorry.games.options import COLORS

FLAG, CODE, NUMBER = 16, 31, 5  # a bit, a mask, and the first bit of the number


def size_of(pawn: int) -> int:
    """The number of a pawn's size."""
    return pawn & 3


def color_of(pawn: int) -> int:
    """The number of a pawn's color."""
    return pawn >> 2 & 3


def covers(upper: int, lower: int) -> bool:
    """Whether a pawn covers the one right below it, if it is not stacked on it."""
    return (size_of(upper) > size_of(lower)) != bool(upper & FLAG)


def unit_of(pile: list[int]) -> int:
    """How many pawns of a pile move together, counted from its top."""
    unit = 1
    while unit < len(pile) and not covers(pile[-unit], pile[-unit - 1]):
        unit += 1
    return unit


@dataclass
class Placement:
    """Where all pawns stand."""

    start: list[int] = field(default_factory=lambda: [0] * 16)  # how many are on START, at 4 * color + size
    home: list[int] = field(default_factory=lambda: [0] * 16)
    piles: dict[int, list[int]] = field(default_factory=dict)  # place to its pawns, lowest first; places without pawns are left out
    numbered: int = 0  # pawns that have got a number

    def copy(self) -> "Placement":
        """The same placement, to be changed."""
        return Placement(self.start[:], self.home[:], {place: pile[:] for place, pile in self.piles.items()}, self.numbered)

    def new_pawn(self, color: int, size: int) -> int:
        """Takes a pawn from START, and gives it a number."""
        self.start[4 * color + size] -= 1
        self.numbered += 1
        return size | color << 2 | self.numbered << NUMBER

    def give_numbers(self) -> None:
        """Numbers all pawns in play."""
        for pile in self.piles.values():
            for level, pawn in enumerate(pile):
                self.numbered += 1
                pile[level] = pawn & CODE | self.numbered << NUMBER

    def covered(self) -> dict[int, int]:
        """By number of the pawn: where the covered pawns stand, those below what moves together."""
        return {pawn >> NUMBER: place for place, pile in self.piles.items() for pawn in pile[: len(pile) - unit_of(pile)]}

    def in_play(self) -> Iterator[tuple[int, int]]:
        """All pawns in play, and their places."""
        return ((pawn, place) for place, pile in self.piles.items() for pawn in pile)

    def home_of(self, color: str) -> int:
        """How many pawns of a color are HOME."""
        number = COLORS.index(color)
        return sum(self.home[4 * number : 4 * number + 4])


def read(record: Any) -> Placement:
    """The placement in a scratch record."""
    heights = record["height"][: t.PLACES]
    pieces = record["piece"]
    piles = {
        place: pieces[t.LEVELS * place : t.LEVELS * place + int(heights[place])].tolist() for place in np.flatnonzero(heights).tolist()
    }
    return Placement(record["start"].tolist(), record["home"].tolist(), piles)


def write(record: Any, placement: Placement) -> None:
    """Puts a placement into a scratch record."""
    record["start"], record["home"] = placement.start, placement.home
    record["height"] = 0
    for place, pile in placement.piles.items():
        record["height"][place] = len(pile)
        record["piece"][t.LEVELS * place : t.LEVELS * place + len(pile)] = [pawn & CODE for pawn in pile]
