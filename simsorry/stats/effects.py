"""What a difference comes to at the table, tests for yes and no, and means freed of some of the luck."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special
from statsmodels.regression.linear_model import WLS
from statsmodels.stats.contingency_tables import cochrans_q
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from simsorry.stats.differences import Difference
from simsorry.stats.estimates import LEVEL, Counts, Estimate, Floats, t_quantile, z_quantile

FEW_GAMES = 25  # that differ: below that McNemar's test counts exactly
NOTICED_IN = (5, 20, 100)  # games of an evening, of a holiday and of years
_CERTAIN = 30.0  # standard errors beyond which a chance is 1 to the last digit


# -- at the table ----------------------------------------------------------------------------------


def longer(one: Counts, other: Counts, cut: tuple[int, int] = (0, 0), level: float = LEVEL) -> Estimate:
    """Chance that a game of the one ruleset is longer than a game of the other, a tie counting as half of each.

    Each histogram counts at ``[v]`` the games of v turns; ``cut`` are games of each that were cut off above every counted value. The
    interval takes the two for unrelated, which makes it somewhat wide where they are the same game numbers, and is one of log odds.
    """
    size = max(len(one), len(other)) + 1
    left, right = (_with_cut(each, many, size) for each, many in zip((one, other), cut, strict=True))
    games = float(left.sum()), float(right.sum())
    n = int(sum(games))
    if 0 in games:
        return Estimate(math.nan, 0.0, 1.0, n, "share", level)
    left, right = left / games[0], right / games[1]
    above, below = np.cumsum(right) - right / 2, 1 - (np.cumsum(left) - left / 2)  # chance to win with v on the one side or the other
    value = float(left @ above)
    variance = float(left @ (above - value) ** 2) / games[0] + float(right @ (below - value) ** 2) / games[1]
    if not 0 < value < 1:
        return Estimate(value, value, value, n, "share", level)
    half = z_quantile((1 - level) / 2) * math.sqrt(variance) / (value * (1 - value))
    odds = float(special.logit(value))
    return Estimate(value, float(special.expit(odds - half)), float(special.expit(odds + half)), n, "share", level)


def _with_cut(histogram: Counts, cut: int, size: int) -> Floats:
    """The histogram with one more value, longer than all, for games that were cut off."""
    found = np.zeros(size)
    found[: len(histogram)] = histogram
    found[-1] = cut
    return found


def noticing(difference: Difference, deviation: float, games: int) -> Estimate:
    """Chance that somebody who plays so many games of each ruleset, and tests at 5 %, sees a difference: the power of their t test.

    ``deviation`` is that of the difference of two single, unrelated games. Where there is no difference, the chance is that of a false
    alarm. The interval goes with that of the difference.
    """
    if not difference.known or not math.isfinite(deviation):
        return Estimate(math.nan, 0.0, 1.0, difference.n, "share")
    low, high = difference.interval()
    least = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
    sizes = (abs(difference.value), least, max(abs(low), abs(high)))
    value, lowest, highest = (_power(size, deviation, games) for size in sizes)
    return Estimate(value, lowest, highest, difference.n, "share")


def _power(size: float, deviation: float, games: int) -> float:
    """Power of a two-sided t test at 5 % with so many games on each side."""
    if not deviation:
        return 1.0 if size else 0.0
    df, shift = 2 * games - 2, size / deviation * math.sqrt(games)
    if shift > _CERTAIN:
        return 1.0
    bound = t_quantile(LEVEL, df)
    return float(1 - special.nctdtr(df, shift, bound) + special.nctdtr(df, shift, -bound))


# -- tests of yes and no ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Tested:
    """A test statistic and the p value of no difference."""

    statistic: float
    p_value: float


def mcnemar(only_base: int, only_variant: int) -> Tested:
    """Whether two shares of the same games are equal, from the games in which just one of them has the event."""
    few = only_base + only_variant < FEW_GAMES
    found = statsmodels_mcnemar([[0, only_base], [only_variant, 0]], exact=few, correction=False)
    return Tested(float(found.statistic), min(1.0, float(found.pvalue)))


def cochran(outcomes: Counts) -> Tested:
    """Whether an event is equally likely under several rulesets that play the same games: Cochran's Q.

    ``outcomes`` has a row for each game and a column for each ruleset, of 0 and 1.
    """
    if not (outcomes.min(axis=1) < outcomes.max(axis=1)).any():
        return Tested(0.0, 1.0)  # no game tells them apart
    found = cochrans_q(outcomes)
    return Tested(float(found.statistic), float(found.pvalue))


# -- less luck -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Adjusted:
    """A mean freed of what sums of luck explain of it."""

    estimate: Estimate
    factor: float  # variance of the plain mean / variance achieved


def adjusted(y: Floats, controls: Floats, blocks: Floats, n: int, unit: str, level: float = LEVEL) -> Adjusted:
    """The mean of y a game, with the part that goes with some control variates taken out by regression over blocks.

    ``y`` are sums over blocks, ``blocks`` the number of games in each, and ``controls`` has a column for each control: sums over
    the same blocks of something whose true mean is exactly 0, such as the luck of the draw. The adjusted mean is unbiased but for
    a part of the order of 1 / number of blocks; its interval is that of the constant of the regression.
    """
    if len(y) - 2 < controls.shape[1]:
        value = float(y.sum() / blocks.sum()) if blocks.sum() else math.nan
        return Adjusted(Estimate(value, -math.inf, math.inf, n, unit, level), math.nan)
    mean = y / blocks
    fitted = WLS(mean, np.column_stack([np.ones(len(y)), controls / blocks[:, None]]), weights=blocks).fit()
    plain = WLS(mean, np.ones(len(y)), weights=blocks).fit()
    low, high = fitted.conf_int(alpha=1 - level)[0]
    achieved = float(fitted.bse[0]) ** 2
    factor = float(plain.bse[0]) ** 2 / achieved if achieved else math.inf
    return Adjusted(Estimate(float(fitted.params[0]), float(low), float(high), n, unit, level), factor)
