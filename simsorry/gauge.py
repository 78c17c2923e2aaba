"""A gauge of the chance to win: what it weighs, and how well it did when it was checked. ``gauging`` fits one.

From how far everybody has come at a round end it says how likely each side is to win: a softmax of weights times the share of the way
walked, the pawns HOME, on START and safe, and how soon a side moves next (a conditional logit). Squares alone say different things under
different rules; chances can be compared.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Bin:
    """Chances about as high, and how often they came true."""

    gauged: float  # mean chance
    won: float  # share of these that won
    low: float  # 95 % interval of that share, games taken as the unit
    high: float
    notes: int


@dataclass(frozen=True)
class Check:
    """How well a gauge does on games it was not fitted to."""

    fit_games: int
    games: int
    notes: int  # round ends
    brier: float  # mean over round ends of the summed squares of chance minus outcome
    brier_even: float  # the same of equal chances
    reliability: tuple[Bin, ...]

    @property
    def skill(self) -> float:
        """How much of the error of equal chances the gauge takes away."""
        return 1 - self.brier / self.brier_even if self.brier_even else 0.0


@dataclass(frozen=True)
class Gauge:
    """Weights in 1/64: of the whole way walked, of a pawn HOME, on START and safe, and of every seat that moves before."""

    weights: tuple[int, int, int, int]
    order: int
    check: Check | None = None

    @property
    def identity(self) -> dict[str, Any]:
        """What makes games with it different: the weights alone."""
        return {"weights": list(self.weights), "order": self.order}

    def describe(self) -> dict[str, Any]:
        """As plain data, with how it was checked."""
        return {**self.identity, "check": asdict(self.check) if self.check else None}

    @classmethod
    def of(cls, description: Mapping[str, Any]) -> "Gauge":
        """The gauge that ``describe`` told of."""
        check = description["check"]
        bins = tuple(Bin(**each) for each in check["reliability"]) if check else ()
        return cls(tuple(description["weights"]), description["order"], Check(**{**check, "reliability": bins}) if check else None)

    def fill(self, record: Any) -> None:
        """Writes the weights into a record of compiled rules."""
        record["gauge"] = 1
        record["gauge_weight"][:] = self.weights
        record["gauge_order"][:] = [self.order * seat for seat in range(4)]


NOTHING = Gauge((0, 0, 0, 0), 0)  # weighs nothing: that of a task whose gauge is still to be fitted
