"""Intervals, paired differences and verdicts, over scipy and statsmodels.

Blocks of consecutive games are the unit of replication: a mean or a ratio comes with a t interval over
block sums. Two rulesets are compared on the same game numbers, so their difference is taken block by
block. Nothing here knows what a game is: it gets counts, sums and histograms.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import multinomial_proportions_confint, proportion_confint

LEVEL = 0.95  # of every interval that is shown
EQUIVALENCE_LEVEL = 0.90  # the interval that must lie inside the margin: two one-sided tests at 5 %
POWER = 0.90  # wanted chance of a decision when saying how many more games are needed

DIFFERENT = "different"
SAME = "no practical difference"
NEGLIGIBLE = "detectable but negligible"
UNSIZED = "different, size unclear"
UNDECIDED = "undecided"

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """A number with its interval and the number of games (or turns, players …) behind it."""

    value: float
    low: float
    high: float
    n: int
    unit: str
    level: float = LEVEL

    @property
    def known(self) -> bool:
        """Whether there was anything to measure."""
        return math.isfinite(self.value)


# -- shares ----------------------------------------------------------------------------------------


def share(count: int, n: int, level: float = LEVEL, unit: str = "share") -> Estimate:
    """``count`` of ``n`` with Wilson's interval."""
    if n == 0:
        return Estimate(math.nan, 0.0, 1.0, 0, unit, level)
    low, high = proportion_confint(count, n, alpha=1 - level, method="wilson")
    value = count / n
    return Estimate(value, min(float(low), value), max(float(high), value), n, unit, level)  # rounding may part them


def shares(counts: Sequence[int], level: float = LEVEL) -> list[Estimate]:
    """Shares of a whole with Goodman's intervals, which hold for all of them at once."""
    n = int(sum(counts))
    if n == 0:
        return [Estimate(math.nan, 0.0, 1.0, 0, "share", level) for _ in counts]
    bounds = multinomial_proportions_confint(np.asarray(counts), alpha=1 - level, method="goodman")
    return [
        Estimate(count / n, max(0.0, min(float(low), count / n)), min(1.0, max(float(high), count / n)), n, "share", level)
        for count, (low, high) in zip(counts, bounds, strict=True)
    ]


def gap(counts: Sequence[int], level: float = LEVEL) -> Estimate:
    """Largest minus smallest share, from simultaneous intervals of all pairwise differences (Goodman 1965).

    The raw gap of equal shares is never 0, so its interval, not its value, says whether there is one.
    """
    n = int(sum(counts))
    if n == 0:
        return Estimate(math.nan, 0.0, 1.0, 0, "share", level)
    p = np.asarray(counts) / n
    pairs = [(i, j) for i in range(len(p)) for j in range(i)]
    z = math.sqrt(scipy_stats.chi2.isf((1 - level) / len(pairs), 1))
    sizes = [abs(p[i] - p[j]) for i, j in pairs]
    halves = [z * math.sqrt((p[i] + p[j] - (p[i] - p[j]) ** 2) / n) for i, j in pairs]
    low = max(0.0, max(size - half for size, half in zip(sizes, halves, strict=True)))
    high = min(1.0, max(size + half for size, half in zip(sizes, halves, strict=True)))
    return Estimate(float(max(sizes)), float(low), float(high), n, "share", level)


@dataclass(frozen=True)
class Fairness:
    """Whether equal seats win equally often: the test, the trend from seat to seat, and the verdict."""

    chi_square: float
    p_value: float
    trend: Estimate  # change of the win share from one seat to the next in play order
    trend_p: float
    verdict: "Verdict"


def fairness(counts: Sequence[int], margin: float) -> Fairness:
    """Chi-square against equal shares, linear trend, and a verdict on the seat that is farthest off.

    "All seats are within the margin" is an intersection-union claim and needs no correction; "some seat is
    off" uses simultaneous intervals.
    """
    n, seats = int(sum(counts)), len(counts)
    if n == 0:
        nothing = Estimate(math.nan, -1.0, 1.0, 0, "share")
        return Fairness(math.nan, math.nan, nothing, math.nan, Verdict(UNDECIDED, -1.0, 1.0, -1.0, 1.0, math.nan, margin, None))
    chi_square, p_value = scipy_stats.chisquare(np.asarray(counts))
    trend, trend_p = _trend(np.asarray(counts) / n, n)
    even = 1 / seats
    wide = [(each.low - even, each.high - even) for each in shares(counts)]
    narrow = [(each.low - even, each.high - even) for each in (share(count, n, EQUIVALENCE_LEVEL) for count in counts)]
    off = max(range(seats), key=lambda seat: abs(counts[seat] / n - even))
    if any(low > margin or high < -margin for low, high in wide):
        off = max(range(seats), key=lambda seat: max(wide[seat][0], -wide[seat][1]))
        word = DIFFERENT
    elif all(-margin < low and high < margin for low, high in narrow):
        word = NEGLIGIBLE if p_value < 1 - LEVEL else SAME
    else:
        word = UNSIZED if p_value < 1 - LEVEL else UNDECIDED
    sd = math.sqrt(even * (1 - even))
    more = _more_games(sd, n, margin) if word == UNDECIDED else None
    return Fairness(
        float(chi_square), float(p_value), trend, trend_p, Verdict(word, *wide[off], *narrow[off], float(p_value), margin, more)
    )


def _trend(p: Floats, n: int) -> tuple[Estimate, float]:
    """Slope of the share on the seat's number, with a normal interval and p value."""
    centered = np.arange(len(p)) - (len(p) - 1) / 2
    weights = centered / float(centered @ centered)
    slope = float(weights @ p)
    error = math.sqrt(max(float(weights**2 @ p) - slope**2, 0.0) / n)
    half = _z((1 - LEVEL) / 2) * error
    p_value = float(2 * special.ndtr(-abs(slope) / error)) if error else float(slope == 0)
    return Estimate(slope, slope - half, slope + half, n, "share per seat"), p_value


# -- means and ratios over blocks ------------------------------------------------------------------


def influence(numerator: Floats, denominator: Floats) -> Floats:
    """What each block adds to the error of sum(numerator) / sum(denominator): the delta method, linear part."""
    total = float(denominator.sum())
    if total == 0:
        return np.full(len(numerator), math.nan)
    return (numerator - float(numerator.sum()) / total * denominator) / total


def standard_error(influences: Floats) -> float:
    """Standard error from the influences of the blocks; infinite with a single block."""
    blocks = len(influences)
    if blocks < 2:
        return math.inf
    return math.sqrt(blocks / (blocks - 1) * float(influences @ influences))


def ratio(numerator: Floats, denominator: Floats, n: int, unit: str, level: float = LEVEL) -> Estimate:
    """sum(numerator) / sum(denominator) over blocks with a t interval; a mean has block sizes as denominator."""
    total = float(denominator.sum())
    if total == 0:
        return Estimate(math.nan, -math.inf, math.inf, n, unit, level)
    value = float(numerator.sum()) / total
    half = _t(level, len(numerator) - 1) * standard_error(influence(numerator, denominator))
    return Estimate(value, value - half, value + half, n, unit, level)


def ratio_share(numerator: Floats, denominator: Floats, n: int, level: float = LEVEL) -> Estimate:
    """``ratio`` where the numerator counts some of the denominator: between 0 and 1, and not certain where all or none are counted."""
    some, total = float(numerator.sum()), float(denominator.sum())
    if total and some in (0, total):
        return replace(share(int(some), int(total), level), n=n)
    found = ratio(numerator, denominator, n, "share", level)
    return replace(found, low=max(found.low, 0.0), high=min(found.high, 1.0)) if total else found


def spread(total: Floats, squares: Floats, values: Floats, n: int, unit: str, level: float = LEVEL) -> Estimate:
    """Standard deviation of some values, from their sum, the sum of their squares and their number in each block, with a t interval."""
    if not float(values.sum()):
        return Estimate(math.nan, -math.inf, math.inf, n, unit, level)
    value = _deviation(total, squares, values)
    half = _t(level, len(values) - 1) * standard_error(spread_influence(total, squares, values))
    return Estimate(value, max(0.0, value - half), value + half, n, unit, level)


def spread_influence(total: Floats, squares: Floats, values: Floats) -> Floats:
    """What each block adds to the error of a standard deviation: the delta method, linear part; 0 where nothing varies."""
    value = _deviation(total, squares, values)
    if not value:
        return np.zeros(len(values))
    mean = float(total.sum() / values.sum())
    return (influence(squares, values) - 2 * mean * influence(total, values)) / (2 * value)


def _deviation(total: Floats, squares: Floats, values: Floats) -> float:
    mean, square = float(total.sum() / values.sum()), float(squares.sum() / values.sum())
    return math.sqrt(max(square - mean**2, 0.0))


def _t(level: float, df: float) -> float:
    """Two-sided t quantile; without degrees of freedom there is no bound."""
    if df <= 0:
        return math.inf
    return _z((1 - level) / 2) if math.isinf(df) else -float(special.stdtrit(df, (1 - level) / 2))


# -- quantiles -------------------------------------------------------------------------------------


def quantile(histogram: Counts, p: float, censored: int = 0, level: float = LEVEL, unit: str = "turns") -> Estimate:
    """The p-quantile of whole numbers with the exact order-statistic interval.

    ``histogram[v]`` counts the value v. ``censored`` games were cut off above every counted value: they stay in, and a
    rank that falls among them is infinite.
    """
    n = int(histogram.sum()) + censored
    if n == 0:
        return Estimate(math.nan, -math.inf, math.inf, 0, unit, level)
    cumulative = np.cumsum(histogram)

    def at_rank(rank: int) -> float:
        """The value of the rank-th smallest game, counted from 1."""
        if rank < 1:
            return -math.inf
        if rank > cumulative[-1]:
            return math.inf
        return float(np.searchsorted(cumulative, rank))

    tail = (1 - level) / 2
    ranks = scipy_stats.binom(n, p)
    low, high = int(ranks.ppf(tail)), int(ranks.isf(tail)) + 1
    return Estimate(at_rank(max(1, math.ceil(p * n))), at_rank(low), at_rank(high), n, unit, level)


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
        half = _t(level, self.df) * self.error
        return self.value - half, self.value + half

    def p_beyond(self, margin: float = 0.0) -> float:
        """Two-sided p value of "the true difference is at most ``margin`` in size"."""
        excess = abs(self.value) - margin
        if excess <= 0:
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
    return Difference(_deviation(*variant) - _deviation(*base), error, len(base[0]) - 1, n, unit)


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


# -- verdicts --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """One of the verdict words, with the two intervals, the margin and the corrected p values it rests on."""

    word: str
    low: float  # 95 %
    high: float
    low_equivalence: float  # 90 %
    high_equivalence: float
    p_value: float  # of no difference at all, after Holm's correction where there was a family
    margin: float
    more_games: int | None  # only if undecided, and only if a number can be given

    @property
    def text(self) -> str:
        """The word as printed."""
        if self.word != UNDECIDED:
            return self.word
        return f"{UNDECIDED} - about {self.more_games:,} more games needed" if self.more_games else f"{UNDECIDED} - more games needed"


def equivalent(difference: Difference, margin: float) -> bool:
    """Two one-sided tests at 5 %: the 90 % interval lies inside +-margin."""
    low, high = difference.interval(EQUIVALENCE_LEVEL)
    return (-margin < low and high < margin) or low == high == 0


def holm(p_values: Sequence[float]) -> list[float]:
    """p values corrected for the size of their family."""
    if not p_values:
        return []
    return [float(p) for p in multipletests(p_values, method="holm")[1]]


def judge(differences: Sequence[Difference], margins: Sequence[float]) -> list[Verdict | None]:
    """A verdict for each difference of one family, corrected by Holm's method; None where nothing could be measured."""
    known = [index for index, difference in enumerate(differences) if difference.known]
    zero = holm([differences[index].p_beyond() for index in known])
    beyond = holm([differences[index].p_beyond(margins[index]) for index in known])
    verdicts: list[Verdict | None] = [None] * len(differences)
    for index, p_zero, p_beyond in zip(known, zero, beyond, strict=True):
        verdicts[index] = _verdict(differences[index], margins[index], p_zero, p_beyond)
    return verdicts


def _verdict(difference: Difference, margin: float, p_zero: float, p_beyond: float) -> Verdict:
    alpha = 1 - LEVEL
    more = None
    if p_beyond < alpha:
        word = DIFFERENT
    elif equivalent(difference, margin):
        word = NEGLIGIBLE if p_zero < alpha else SAME
    elif p_zero < alpha:
        word = UNSIZED
    else:
        word = UNDECIDED
        more = _more_games(difference.error * math.sqrt(difference.n), difference.n, margin)
    return Verdict(word, *difference.interval(), *difference.interval(EQUIVALENCE_LEVEL), p_zero, margin, more)


def _more_games(sd: float, n: int, margin: float) -> int | None:
    """Games still to be played so that, with ``sd`` as it is, no real difference would be shown to be inside the margin with good power.

    Planned from the spread and the margin alone: the difference seen so far is what is not known yet, and a plan that
    leans on it jumps about from run to run. Where that many are played already, the difference lies near the margin;
    then as many again.
    """
    if not math.isfinite(sd) or margin <= 0:
        return None
    z = _z((1 - EQUIVALENCE_LEVEL) / 2) + _z((1 - POWER) / 2)
    missing = (z * sd / margin) ** 2 - n
    return _two_digits_up(max(missing if missing > n / 10 else n, 1))


def _two_digits_up(value: float) -> int:
    """Rounded up to two leading digits: a sample size is never known better than that."""
    step: int = 10 ** max(0, math.floor(math.log10(value)) - 1)
    return math.ceil(value / step) * step


def _z(tail: float) -> float:
    """Upper quantile of the standard normal distribution."""
    return -float(special.ndtri(tail))


def plain(value: Any) -> Any:
    """A copy for JSON: no infinities, no not-a-numbers, no numpy types."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
