"""Differences of two rulesets that play the same game numbers, and what playing the same numbers is worth.

The difference is taken block by block, which is always valid; where the games of both go together it is also more precise.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from simsorry.stats.estimates import LEVEL, Floats, deviation, influence, spread_influence, standard_error, t_quantile

# -- paired differences ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """Variant minus base on the same game numbers."""

    value: float
    error: float  # standard error
    df: float  # degrees of freedom of its t distribution; infinite for the normal
    n: int  # pairs of games
    unit: str

    @property
    def known(self) -> bool:
        """Whether both sides could be measured."""
        return math.isfinite(self.value) and not math.isnan(self.error)

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Two-sided t interval."""
        if self.error == 0:
            return self.value, self.value
        half = t_quantile(level, self.df) * self.error
        return self.value - half, self.value + half

    def p_beyond(self, margin: float = 0.0) -> float:
        """Two-sided p value of "the true difference is at most ``margin`` in size"."""
        excess = abs(self.value) - margin
        if excess <= 0 or math.isinf(self.error):  # a single block says nothing of its own error
            return 1.0
        if self.error == 0:
            return 0.0
        if math.isinf(self.df):
            return float(2 * special.ndtr(-excess / self.error))
        return float(2 * special.stdtr(self.df, -excess / self.error))


def unknown(n: int, unit: str) -> Difference:
    """The difference of what one side or both have nothing of."""
    return Difference(math.nan, math.nan, 0, n, unit)


def paired_ratio(base: tuple[Floats, Floats], variant: tuple[Floats, Floats], n: int, unit: str) -> Difference:
    """Difference of two ratios of sums over the same blocks; each side is (numerators, denominators)."""
    totals = float(base[1].sum()), float(variant[1].sum())
    if 0 in totals:
        return unknown(n, unit)
    value = float(variant[0].sum()) / totals[1] - float(base[0].sum()) / totals[0]
    error = standard_error(influence(*variant) - influence(*base))
    return Difference(value, error, len(base[0]) - 1, n, unit)


def paired_spread(base: tuple[Floats, Floats, Floats], variant: tuple[Floats, Floats, Floats], n: int, unit: str) -> Difference:
    """Difference of two standard deviations over the same blocks; each side is (sums, sums of squares, numbers of values)."""
    if not float(base[2].sum()) or not float(variant[2].sum()):
        return unknown(n, unit)
    error = standard_error(spread_influence(*variant) - spread_influence(*base))
    return Difference(deviation(*variant) - deviation(*base), error, len(base[0]) - 1, n, unit)


def paired_events(only_base: int, only_variant: int, n: int, unit: str = "share") -> Difference:
    """Difference of two shares of the same games, from the games in which just one of them has the event.

    Half a game is added to each of the four cells (Agresti and Min 2005), so that an event never seen still has an interval.
    """
    if n == 0:
        return unknown(n, unit)
    lean = (only_variant - only_base) / (n + 2)
    error = math.sqrt(max(only_base + only_variant + 1 - lean * (only_variant - only_base), 0.0)) / (n + 2)
    return Difference((only_variant - only_base) / n, error, math.inf, n, unit)


def unpaired_events(base: int, variant: int, n: int, unit: str = "share") -> Difference:
    """Difference of two shares of ``n`` games each, as if they were other games: too wide rather than too narrow where they go together.

    A game with and a game without the event are added to each side (Agresti and Caffo 2000), so that an event never seen still has an
    interval.
    """
    if n == 0:
        return unknown(n, unit)
    rates = [(count + 1) / (n + 2) for count in (base, variant)]
    error = math.sqrt(sum(rate * (1 - rate) for rate in rates) / (n + 2))
    return Difference((variant - base) / n, error, math.inf, n, unit)


@dataclass(frozen=True)
class Pairing:
    """What playing the same game numbers was worth."""

    correlation: float
    factor: float  # variance of the difference with independent games / variance achieved


def pairing(products: Floats, base_sums: tuple[float, float], variant_sums: tuple[float, float]) -> Pairing:
    """Correlation over games, from the 4 x 4 sums of products of (base numerator, base denominator, variant's, variant's).

    ``base_sums`` and ``variant_sums`` are (sum of numerators, sum of denominators).
    """
    if not base_sums[1] or not variant_sums[1]:
        return Pairing(math.nan, math.nan)
    left = np.array([1.0, -base_sums[0] / base_sums[1]]) / base_sums[1]
    right = np.array([1.0, -variant_sums[0] / variant_sums[1]]) / variant_sums[1]
    own = max(float(left @ products[:2, :2] @ left), 0.0), max(float(right @ products[2:, 2:] @ right), 0.0)
    return _pairing(own, float(left @ products[:2, 2:] @ right))


def block_pairing(base: Floats, variant: Floats) -> Pairing:
    """Correlation over blocks of games, from the influences of the blocks; of games it is the same, known less well."""
    return _pairing((float(base @ base), float(variant @ variant)), float(base @ variant))


def _pairing(own: tuple[float, float], common: float) -> Pairing:
    if not math.isfinite(own[0] * own[1]):
        return Pairing(math.nan, math.nan)
    if own[0] * own[1] == 0:
        return Pairing(math.nan, math.nan)
    correlation = max(-1.0, min(1.0, common / math.sqrt(own[0] * own[1])))
    achieved = own[0] + own[1] - 2 * common
    # Rounding leaves a speck of variance where the two sides are the same games.
    identical = achieved <= 1e-9 * (own[0] + own[1])
    return Pairing(correlation, math.inf if identical else (own[0] + own[1]) / achieved)
