"""Verdict words: what a difference, its interval and the margin of what matters come to, for a whole family of them at once."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special
from scipy import stats as scipy_stats

from simsorry.stats.differences import Difference
from simsorry.stats.estimates import LEVEL, Estimate, Floats, share, shares, z_quantile

EQUIVALENCE_LEVEL = 0.90  # the interval that must lie inside the margin: two one-sided tests at 5 %
POWER = 0.90  # wanted chance of a decision when saying how many more games are needed

DIFFERENT = "different"
SAME = "no practical difference"
NEGLIGIBLE = "detectable but negligible"
UNSIZED = "different, size unclear"
UNDECIDED = "undecided"
CLEAR = (DIFFERENT, SAME, NEGLIGIBLE)  # what more games would not be played for

Correction = Literal["holm", "bh"]


# -- verdicts --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """One of the verdict words, with the two intervals, the margin and the corrected p values it rests on."""

    word: str
    low: float  # 95 %
    high: float
    low_equivalence: float  # 90 %
    high_equivalence: float
    p_value: float  # of no difference at all, corrected for the size of the family where there was one
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
    order = np.argsort(p_values, kind="stable")
    # Not by statsmodels, which searches all memory for garbage in every call: a tenth of a second each time that is looked.
    raised = np.maximum.accumulate(np.asarray(p_values)[order] * np.arange(len(order), 0, -1))
    corrected = np.empty(len(order))
    corrected[order] = np.minimum(raised, 1.0)
    return [float(p) for p in corrected]


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """p values corrected so that among those below 5 % no more than 5 % are expected to be false alarms."""
    return [float(p) for p in scipy_stats.false_discovery_control(p_values, method="bh")] if p_values else []


def judge(differences: Sequence[Difference], margins: Sequence[float], correction: Correction = "holm") -> list[Verdict | None]:
    """A verdict for each difference of one family; None where nothing could be measured.

    Holm's correction keeps the chance of any false alarm in the family below 5 %. That of Benjamini and Hochberg (``bh``) keeps the
    share of false alarms among all differences that are told below 5 %: for tables in which one looks for what is worth a closer look.
    """
    corrected = {"holm": holm, "bh": benjamini_hochberg}[correction]
    known = [index for index, difference in enumerate(differences) if difference.known]
    zero = corrected([differences[index].p_beyond() for index in known])
    beyond = corrected([differences[index].p_beyond(margins[index]) for index in known])
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
        more = _more_games(difference.error * math.sqrt(difference.n), difference.n, margin, _reach(difference))
    return Verdict(word, *difference.interval(), *difference.interval(EQUIVALENCE_LEVEL), p_zero, margin, more)


def _reach(difference: Difference) -> float:
    """Half of the width of the interval that shows equivalence, in standard errors."""
    low, high = difference.interval(EQUIVALENCE_LEVEL)
    return (high - low) / 2 / difference.error if difference.error else math.nan


def _more_games(sd: float, n: int, margin: float, reach: float) -> int | None:
    """Games still to be played so that, with ``sd`` as it is, no real difference would be shown to be inside the margin with good power.

    Planned from the spread and the margin alone: the difference seen so far is what is not known yet, and a plan that
    leans on it jumps about from run to run. Where that many are played already, the difference lies near the margin;
    then as many again.
    """
    if not (math.isfinite(sd) and math.isfinite(reach)) or margin <= 0:
        return None
    z = reach + z_quantile((1 - POWER) / 2)
    missing = (z * sd / margin) ** 2 - n
    return _two_digits_up(max(missing if missing > n / 10 else n, 1))


def _two_digits_up(value: float) -> int:
    """Rounded up to two leading digits: a sample size is never known better than that."""
    step: int = 10 ** max(0, math.floor(math.log10(value)) - 1)
    return math.ceil(value / step) * step


# -- equal seats -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fairness:
    """Whether equal seats win equally often: the test, the trend from seat to seat, and the verdict."""

    chi_square: float
    p_value: float
    trend: Estimate  # change of the win share from one seat to the next in play order
    trend_p: float
    verdict: Verdict


def fairness(counts: Sequence[int], margin: float) -> Fairness:
    """Chi-square against equal shares, linear trend, and a verdict on the seat that is farthest off.

    "All seats are within the margin" is an intersection-union claim and needs no correction; "some seat is
    off" uses simultaneous intervals.
    """
    return fairness_of([counts], [margin])[0]


def fairness_of(tables: Sequence[Sequence[int]], margins: Sequence[float]) -> list[Fairness]:
    """The same for several tables of wins at once; that some seats are not equal is corrected for their number by Holm's method."""
    known = [at for at, counts in enumerate(tables) if sum(counts)]
    chi_squares = {at: scipy_stats.chisquare(np.asarray(tables[at])) for at in known}
    zero = dict(zip(known, holm([float(chi_squares[at][1]) for at in known]), strict=True))
    beyond = dict(zip(known, holm([_p_beyond_even(tables[at], margins[at]) for at in known]), strict=True))
    return [
        _fairness(counts, margin, float(chi_squares[at][0]), float(chi_squares[at][1]), zero[at], beyond[at])
        if at in zero
        else _no_wins(margin)
        for at, (counts, margin) in enumerate(zip(tables, margins, strict=True))
    ]


def _no_wins(margin: float) -> Fairness:
    nothing = Estimate(math.nan, -1.0, 1.0, 0, "share")
    return Fairness(math.nan, math.nan, nothing, math.nan, Verdict(UNDECIDED, -1.0, 1.0, -1.0, 1.0, math.nan, margin, None))


def _p_beyond_even(counts: Sequence[int], margin: float) -> float:
    """p value of "no share is farther than ``margin`` from an even one": below 5 % just if one of Goodman's intervals is wholly beyond."""
    n, seats = sum(counts), len(counts)
    smallest = 1.0
    for count in counts:
        sign = 1 if count / n > 1 / seats else -1
        limit = 1 / seats + sign * margin
        excess = sign * (count / n - limit)
        if excess > 0 and 0 < limit < 1:
            smallest = min(smallest, seats * 2 * float(special.ndtr(-excess / math.sqrt(limit * (1 - limit) / n))))
    return smallest


def _fairness(counts: Sequence[int], margin: float, chi_square: float, p_value: float, zero: float, beyond: float) -> Fairness:
    """``zero`` and ``beyond`` are p values, corrected: of equal seats, and of seats that are within the margin."""
    n, seats = int(sum(counts)), len(counts)
    trend, trend_p = _trend(np.asarray(counts) / n, n)
    even = 1 / seats
    wide = [(each.low - even, each.high - even) for each in shares(counts)]
    narrow = [(each.low - even, each.high - even) for each in (share(count, n, EQUIVALENCE_LEVEL) for count in counts)]
    off = max(range(seats), key=lambda seat: abs(counts[seat] / n - even))
    if beyond < 1 - LEVEL:
        off = max(range(seats), key=lambda seat: max(wide[seat][0], -wide[seat][1]))
        word = DIFFERENT
    elif all(-margin < low and high < margin for low, high in narrow):
        word = NEGLIGIBLE if zero < 1 - LEVEL else SAME
    else:
        word = UNSIZED if zero < 1 - LEVEL else UNDECIDED
    sd = math.sqrt(even * (1 - even))
    more = _more_games(sd, n, margin, z_quantile((1 - EQUIVALENCE_LEVEL) / 2)) if word == UNDECIDED else None
    return Fairness(chi_square, p_value, trend, trend_p, Verdict(word, *wide[off], *narrow[off], zero, margin, more))


def _trend(p: Floats, n: int) -> tuple[Estimate, float]:
    """Slope of the share on the seat's number, with a normal interval and p value."""
    centered = np.arange(len(p)) - (len(p) - 1) / 2
    weights = centered / float(centered @ centered)
    slope = float(weights @ p)
    error = math.sqrt(max(float(weights**2 @ p) - slope**2, 0.0) / n)
    half = z_quantile((1 - LEVEL) / 2) * error
    p_value = float(2 * special.ndtr(-abs(slope) / error)) if error else float(slope == 0)
    return Estimate(slope, slope - half, slope + half, n, "share per seat"), p_value
