"""A gauge of the chance to win: what it weighs, and how well it did when it was checked. ``gauging`` fits one.

From how far everybody has come at a round end it says how likely each side is to win: a softmax of weights times the share of the way
walked, the pawns HOME, on START and safe, and how soon a side moves next (a conditional logit). Squares alone say different things under
different rules; chances can be compared.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

FAN = (0.1, 0.25, 0.5, 0.75, 0.9)  # quantiles of the winner's chance


@dataclass(frozen=True)
class Bin:
    """Chances about as high, and how often they came true."""

    gauged: float  # mean chance
    won: float  # share of these that won
    low: float  # 95 % interval of that share, games taken as the unit
    high: float
    notes: int


@dataclass(frozen=True)
class Mean:
    """A mean chance over games, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Moment:
    """What chances are at one point of the games: of the side that wins in the end, and of the others."""

    passed: float  # share of a game's round ends that are over then
    winner: Mean
    quantiles: tuple[float, float, float, float, float]  # of the winner's chance over games: FAN
    best_loser: Mean  # who of the losers is best placed then
    other_losers: Mean | None  # mean of the others; None where there are two sides


@dataclass(frozen=True)
class Check:
    """How well a gauge does on games it was not fitted to."""

    fit_games: int
    games: int
    notes: int  # round ends
    brier: float  # mean over round ends of the summed squares of chance minus outcome
    brier_even: float  # the same of equal chances
    reliability: tuple[Bin, ...]
    fan: tuple[Moment, ...] = ()  # tenth by tenth; none in checks of earlier versions

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
        return cls(tuple(description["weights"]), description["order"], _check_of(check) if check else None)

    def fill(self, record: Any) -> None:
        """Writes the weights into a record of compiled rules."""
        record["gauge"] = 1
        record["gauge_weight"][:] = self.weights
        record["gauge_order"][:] = [self.order * seat for seat in range(4)]


def _check_of(plain: Mapping[str, Any]) -> Check:
    bins = tuple(Bin(**each) for each in plain["reliability"])
    return Check(**{**plain, "reliability": bins, "fan": tuple(_moment_of(each) for each in plain.get("fan", ()))})


def _moment_of(plain: Mapping[str, Any]) -> Moment:
    means = {name: Mean(**plain[name]) if plain[name] else None for name in ("winner", "best_loser", "other_losers")}
    return Moment(**{**plain, **means, "quantiles": tuple(plain["quantiles"])})


NOTHING = Gauge((0, 0, 0, 0), 0)  # weighs nothing: that of a task whose gauge is still to be fitted
