"""What a game module declares of each number it counts: the name, how it is stored, and what it means."""

from collections import namedtuple
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from simsorry.games.options import MAX_BANDS

NOBODY = 255  # in place of a seat or a color: the winner of a game that was cut off


class Column(NamedTuple):
    """One column of the ``games`` or ``seats`` table."""

    name: str
    dtype: str  # numpy name of the stored type; kernels count in int32
    meaning: str  # one plain sentence, with the unit


# What all games count alike, in the order in which it follows the winner; what they say first of a seat; and what matches add.
COMMON_GAME = (
    Column("winner_color", "uint8", "color number of the winner, 255 if the game was cut off"),
    Column("first_seat", "uint8", "table seat that moved first"),
    Column("capped", "uint8", "1 if the game reached turn_cap without a winner or, where play goes on, without an end"),
    Column("turns", "int32", "turns up to and including the winner's last"),
    Column("turns_all", "int32", "turns to the end of the game; differs from turns where play goes on for places"),
    Column("rounds", "int32", "times play came back to the first seat still playing, counting the round begun"),
)
COMMON_SEAT = (
    Column("color", "uint8", "color number: 0 red, 1 blue, 2 yellow, 3 green"),
    Column("table_seat", "uint8", "seat at the table; policies are given by table seat"),
)
MATCH_GAME = (
    Column("match_rounds", "int32", "rounds of the match; 1 where a game is a single round"),
    Column("match_upsets", "int32", "rounds of the match whose winner did not alone have most points after it"),
    *(
        Column(f"band_{k}", "int32", f"rounds of the match in which the winner was paid bonus {k} of score_bands, 1 being the easiest")
        for k in range(1, MAX_BANDS + 1)
    ),
)


def numbered(names: Iterable[str]) -> Any:
    """Names as fields of a named tuple that hold their numbers, for compiled code to index with."""
    kind: Any = namedtuple("Numbered", list(names))  # type: ignore[misc]  # the names are not known before
    return kind(*map(np.uint64, range(len(kind._fields))))


def positions(columns: tuple[Column, ...]) -> Any:
    """The row number of each column in a kernel's block."""
    return numbered(column.name for column in columns)
