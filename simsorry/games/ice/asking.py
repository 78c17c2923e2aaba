"""What ``simsorry moves`` asks of Ice Soo Sorry!: which of its options go with it, and how the answer is laid out.

Every game has a module of this name with the same functions.
"""

from collections.abc import Mapping
from typing import Any

from simsorry.games.asked import OPTIONS, answer, check, heading, line, missing, what_must_be
from simsorry.games.ice.notation import changes_text

__all__ = ["OPTIONS", "answer", "check", "laid_out", "missing", "unnamed"]

_WIDEST = 40  # columns that the piles of an outcome are given at most; longer ones stick out


def unnamed(point: Mapping[str, Any]) -> str:
    """The ruleset of a recorded decision point that names none; empty if it is none of this game's."""
    return "ice" if "to_move" in point else ""


def laid_out(document: Mapping[str, Any]) -> str:
    """An answer, with ruleset and position, as a table: a line is an outcome with the piles that it changes and what is done."""
    outcomes = document["outcomes"]
    changed = [changes_text(outcome["changes"]) for outcome in outcomes]
    width = min(_WIDEST, max(map(len, changed), default=0))
    lines = [line(document, outcome, f"{piles:<{width}}") for outcome, piles in zip(outcomes, changed, strict=True)]
    return "\n".join([heading(document), *lines, *([""] if lines else []), what_must_be(document)])
