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

# How a game went: what is worked out from the standings at its round ends (``course``).
UNIT = 10_000  # shares are counted in ten-thousandths
CHECKPOINTS = (25, 50, 75)  # percent of the way, at which who is ahead of whom is noted
_MEASURED = {
    "mean": "how far the winner was behind the leader at round ends, on average",
    "most": "how far the winner was behind the leader at most",
    "root": "average of the square root of how far the winner was behind, over the round ends at which it was",
    "rank": "average share of the others who were ahead of the winner",
    "behind": "share of the round ends at which the winner was behind",
    "last_lead": "how much of the game was over when the winner took the lead for good",
    "decided": "how much of the game was still to come when the winner had come nearer than anybody else ever did",
}
MEASURED = tuple(_MEASURED)
COURSE_GAME = (
    Column("round_ends", "int32", "round ends before the winner finished, at which standings are compared"),
    *(Column(f"walked_{name}", "int16", f"{meaning}, by squares walked, in ten-thousandths") for name, meaning in _MEASURED.items()),
    *(
        Column(f"chance_{name}", "int16", f"{meaning}, by the chance to win, in ten-thousandths; 0 where no gauge of it was used")
        for name, meaning in _MEASURED.items()
    ),
    Column("chance_sure", "int16", "how much of the game was over when the winner's chance came to stay at 90 %, in ten-thousandths"),
    Column("chance_open", "int16", "how open the game was on average: entropy of the chances over that of equal ones, in ten-thousandths"),
    Column("chance_open_late", "int16", "the same over the last quarter of its round ends"),
    Column("chance_written_off", "int16", "share of all turns that players with a chance below 1 % had, in ten-thousandths"),
)
COURSE_SEAT = (
    Column("luck", "int32", "what own cards and dice were worth more than expected, in 256ths of a square; 0 on average"),
    *(
        Column(
            f"rank_{percent}",
            "uint8",
            f"rank when first somebody had {percent} % of the way behind them at a round end; 0 if nobody had or won",
        )
        for percent in CHECKPOINTS
    ),
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
