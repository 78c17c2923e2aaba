"""What a game module declares of each number it counts: the name, how it is stored, and what it means."""

from collections import namedtuple
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

NOBODY = 255  # in place of a seat or a color: the winner of a game that was cut off


class Column(NamedTuple):
    """One column of the ``games`` or ``seats`` table."""

    name: str
    dtype: str  # numpy name of the stored type; kernels count in int32
    meaning: str  # one plain sentence, with the unit


def numbered(names: Iterable[str]) -> Any:
    """Names as fields of a named tuple that hold their numbers, for compiled code to index with."""
    kind: Any = namedtuple("Numbered", list(names))  # type: ignore[misc]  # the names are not known before
    return kind(*map(np.uint64, range(len(kind._fields))))


def positions(columns: tuple[Column, ...]) -> Any:
    """The row number of each column in a kernel's block."""
    return numbered(column.name for column in columns)
