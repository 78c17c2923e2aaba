"""What the referees of all games have in common: head starts, and what none of them counts."""

from collections.abc import Sequence
from typing import Protocol

from simsorry.games.columns import COURSE_GAME, COURSE_SEAT

# The digest is the engine's own. How a game went is not a matter of its rules: ``course_referee`` works that out from the steps.
NOT_COUNTED = frozenset({"digest", *(column.name for column in (*COURSE_GAME, *COURSE_SEAT))})


class HasHeadStarts(Protocol):
    """The rules of any game."""

    @property
    def head_starts(self) -> tuple[int, ...]:
        """Squares by seat in the order of play."""


def head_start(rules: HasHeadStarts, order: Sequence[str], color: str) -> int:
    """The square of its own way, from 1, on which a color's first pawn begins; 0 for START. ``order`` begins with who moves first."""
    ahead = dict(zip(order, rules.head_starts, strict=False))
    return ahead.get(color, 0)
