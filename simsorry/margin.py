"""Margins: the sizes of difference that matter."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Margin:
    """The size of difference that matters: a number in the metric's unit, or a part of the base's value."""

    amount: float
    relative: bool = False

    def of(self, base: float) -> float:
        """The margin in the metric's unit, for a base ruleset with this value."""
        return self.amount * abs(base) if self.relative else self.amount

    def __str__(self) -> str:
        return f"{self.amount * 100:.10g}% of the base" if self.relative else f"{self.amount:.10g}"


def parse_margin(text: str) -> Margin:
    """Reads ``1pp`` (percentage points), ``2.5%`` (of the base's value) or ``0.5`` (in the metric's unit).

    Raises ValueError if the text is none of these or not above 0.
    """
    cleaned = text.strip().lower()
    for ending, scale, relative in (("pp", 0.01, False), ("%", 0.01, True), ("", 1.0, False)):
        if cleaned.endswith(ending):
            amount = float(cleaned.removesuffix(ending)) * scale
            if not (math.isfinite(amount) and amount > 0):
                raise ValueError(f"{text!r} is not above 0")
            return Margin(amount, relative)
    raise AssertionError("the empty ending always fits")
