"""What ``simsorry moves`` asks of the classic game: which of its options go with it, and how the answer is laid out.

Every game has a module of this name with the same functions.
"""

from collections.abc import Mapping
from typing import Any

from simsorry.games.asked import OPTIONS, answer, check, heading, line, missing, what_must_be

__all__ = ["OPTIONS", "answer", "check", "laid_out", "missing"]


def laid_out(document: Mapping[str, Any]) -> str:
    """An answer, with ruleset and position, as a table."""
    outcomes = document["outcomes"]
    width = max((len(outcome["position"]) for outcome in outcomes), default=0)
    lines = [line(document, outcome, f"{outcome['position']:<{width}}") for outcome in outcomes]
    return "\n".join([heading(document), *lines, *([""] if lines else []), what_must_be(document)])
