"""Looking at games while they are played: when to look, and intervals that hold at every look.

Who looks at ordinary 95 % intervals again and again, and stops once one of them excludes 0, is wrong far more often than one time in
twenty. A confidence sequence is wide enough to hold at all looks together, however many there are. To stop once an interval is
narrow enough, ordinary intervals will do, because their width says nothing of where they lie.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from simsorry.stats.differences import Difference
from simsorry.stats.estimates import LEVEL, t_quantile, z_quantile

FIRST_LOOK = 2_400  # games, in 120 blocks
EXPECTED = 20_000  # games at which confidence sequences are narrowest, compared with ordinary intervals
_STEPS = 4  # looks from one number of games to its double


def looks(most: int) -> Iterator[int]:
    """The numbers of games after which is looked, up to ``most``, which is the last.

    They depend on nothing but ``most``: 2,400, 4,800, 7,200, 9,600, then four to each doubling. The more games, the rarer the looks.
    """
    times = 1
    while times * FIRST_LOOK < most:
        yield times * FIRST_LOOK
        times += max(1, (1 << (times.bit_length() - 1)) // _STEPS)
    yield most


def widening(n: int, expected: int = EXPECTED, level: float = LEVEL) -> float:
    """Half of the width of a confidence sequence after ``n`` games, in standard errors: an ordinary interval has 1.96 at 95 %.

    The normal mixture for means with an estimated variance (Robbins 1970; Waudby-Smith and others, "Time-uniform central limit theory
    and asymptotic confidence sequences"), tuned to be narrowest about ``expected`` games. It holds for all n at once, once there are
    enough games for the central limit theorem.
    """
    spread = n * _tuned(expected)
    return math.sqrt(2 * (spread + 1) / spread * math.log(math.sqrt(spread + 1) / (1 - level)))


def _tuned(expected: int) -> float:
    """Variance of the mixture's normal distribution, in units of that of one game."""
    size = -2 * math.log(1 - LEVEL)
    return (size + math.log(size) + 1) / expected


@dataclass(frozen=True)
class Looked(Difference):
    """A difference that is looked at again and again: its intervals hold at all looks at once, and so do its p values."""

    expected: int = EXPECTED

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Those of the confidence sequence."""
        if self.error == 0:
            return self.value, self.value
        half = widening(self.n, self.expected, level) * self.error * self._few_blocks
        return self.value - half, self.value + half

    def p_beyond(self, margin: float = 0.0) -> float:
        """One minus the highest level at which the confidence sequence excludes all differences of at most ``margin`` in size."""
        excess = abs(self.value) - margin
        if excess <= 0:
            return 1.0
        if self.error == 0:
            return 0.0
        spread = self.n * _tuned(self.expected)
        return min(1.0, math.sqrt(spread + 1) * math.exp(-((excess / self.error / self._few_blocks) ** 2) * spread / (2 * (spread + 1))))

    @property
    def _few_blocks(self) -> float:
        """What a standard error from few blocks adds, as in an ordinary interval; without any freedom there is no bound."""
        return t_quantile(LEVEL, self.df) / z_quantile((1 - LEVEL) / 2)


def looked_at(difference: Difference, expected: int = EXPECTED) -> Looked:
    """The same difference with the intervals and p values of a confidence sequence; ``judge`` gives it its word as it does any other."""
    return Looked(difference.value, difference.error, difference.df, difference.n, difference.unit, expected)
