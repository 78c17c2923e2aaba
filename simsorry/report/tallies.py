"""Estimates and differences from tallies: every interval rests on blocks of games or on counts of games."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from simsorry import stats
from simsorry.simulate import Traits
from simsorry.tally import Counted, Plan, Sums

FEWEST_EVENTS = 100  # of each ruleset, for the differences of blocks to say how far a rare event's rate may be off


class Tally(Sums):
    """The sums of one task, and what they say."""

    def part(self, index: int) -> tuple[stats.Floats, stats.Floats]:
        """Numerators and denominators of a metric by block."""
        total, _, values = self.moments(index)
        return total, values

    def moments(self, index: int) -> tuple[stats.Floats, stats.Floats, stats.Floats]:
        """Sums, sums of squares and numbers of values by block; there are squares only of a metric that is a standard deviation."""
        total, values, squares = self.sums[index].astype(np.float64)
        return total, squares, values

    def estimate(self, index: int) -> stats.Estimate:
        """A metric's value with its interval; n counts games."""
        metric = self.plan.metrics[index]
        numerator, denominator = self.part(index)
        if metric.squares:
            return stats.spread(*self.moments(index), self.games, metric.unit)
        if metric.of_games(self.traits):
            return stats.share(int(numerator.sum()), int(denominator.sum()))
        if metric.unit == "share":
            return stats.ratio_share(numerator, denominator, self.games)
        return stats.ratio(numerator, denominator, self.games, metric.unit)

    def quantile(self, p: float) -> stats.Estimate:
        """A quantile of the game length in turns, games without a winner counting as longer than all others."""
        return stats.quantile(self.lengths, p, censored=self.no_winner)


class Pair(ABC):
    """A variant and its base, whose blocks have the same game numbers."""

    def __init__(self, base: Tally, variant: Tally) -> None:
        self.base, self.variant = base, variant

    def difference(self, index: int) -> stats.Difference:
        """Variant minus base for one metric."""
        metric, base, variant = self.base.plan.metrics[index], self.base, self.variant
        if not (metric.measured(base.traits) and metric.measured(variant.traits)):
            return stats.unknown(base.games, metric.unit)
        if metric.squares:
            return stats.paired_spread(base.moments(index), variant.moments(index), base.games, metric.unit)
        if metric.of_every_game(base.traits) and metric.of_every_game(variant.traits):
            return self._events(index)
        return stats.paired_ratio(base.part(index), variant.part(index), base.games, metric.unit)

    def pairing(self, index: int) -> stats.Pairing:
        """Correlation of the two, and what it was worth; not known of standard deviations."""
        if self.base.plan.metrics[index].squares:
            return stats.Pairing(math.nan, math.nan)
        return self._pairing(index)

    @property
    @abstractmethod
    def unchanged(self) -> stats.Estimate:
        """Share of games whose course is the same under both rulesets."""

    @abstractmethod
    def _events(self, index: int) -> stats.Difference:
        """The difference of two shares of all games."""

    @abstractmethod
    def _pairing(self, index: int) -> stats.Pairing: ...


class PairTally(Pair):
    """The sums that tie a variant to its base, game number by game number."""

    def __init__(self, base: Tally, variant: Tally) -> None:
        super().__init__(base, variant)
        self.products = np.zeros((len(base.plan.metrics), 4, 4))
        self.identical = 0

    def add(self, base: Counted, variant: Counted) -> None:
        """Takes in the next games of both; raises ValueError unless they have the same numbers."""
        if base.rows.first_game != variant.rows.first_game or len(base.rows) != len(variant.rows):
            raise ValueError("a pair needs the same games on both sides")
        for index, sides in enumerate(zip(base.parts, variant.parts, strict=True)):
            if all(sides):
                both = np.array([column for side in sides for column in side[:2]], dtype=np.float64)
                self.products[index] += both @ both.T
        self.identical += int((base.rows.games["digest"] == variant.rows.games["digest"]).sum())

    @property
    def unchanged(self) -> stats.Estimate:
        """Share of games whose course is the same under both rulesets."""
        return stats.share(self.identical, self.base.games)

    def _events(self, index: int) -> stats.Difference:
        together = int(self.products[index, 0, 2])
        base, variant = (int(side.sums[index, 0].sum()) for side in (self.base, self.variant))
        return stats.paired_events(base - together, variant - together, self.base.games)

    def _pairing(self, index: int) -> stats.Pairing:
        sums = [(float(side.sums[index, 0].sum()), float(side.sums[index, 1].sum())) for side in (self.base, self.variant)]
        return stats.pairing(self.products[index], sums[0], sums[1])


class BlockPair(Pair):
    """A pair of which there are only sums: they are tied block by block."""

    @property
    def unchanged(self) -> stats.Estimate:
        """Not known: sums do not say which games run the same course."""
        return stats.share(0, 0)

    def _events(self, index: int) -> stats.Difference:
        games = self.base.games
        base, variant = (int(side.sums[index, 0].sum()) for side in (self.base, self.variant))
        if all(FEWEST_EVENTS <= events <= games - FEWEST_EVENTS for events in (base, variant)):
            return stats.paired_ratio(self.base.part(index), self.variant.part(index), games, self.base.plan.metrics[index].unit)
        return stats.unpaired_events(base, variant, games)

    def _pairing(self, index: int) -> stats.Pairing:
        return stats.block_pairing(stats.influence(*self.base.part(index)), stats.influence(*self.variant.part(index)))


@dataclass
class Tallies:
    """The tallies of several tasks at one table; the first task is the base of every pair."""

    plan: Plan
    arms: Sequence[Traits]  # of each task
    by_game: bool = True  # whether the games of all tasks are there, and not only sums of some
    tallies: list[Tally] = field(init=False)
    pairs: list[Pair] = field(init=False)

    def __post_init__(self) -> None:
        kind = PairTally if self.by_game else BlockPair
        self.tallies = [Tally(self.plan, traits) for traits in self.arms]
        self.pairs = [kind(self.tallies[0], variant) for variant in self.tallies[1:]]

    def add(self, counted: Sequence[Counted]) -> None:
        """Takes in the same game numbers of every task."""
        for tally, each in zip(self.tallies, counted, strict=True):
            tally.add(each)
        for pair, variant in zip(self.pairs, counted[1:], strict=True):
            if isinstance(pair, PairTally):
                pair.add(counted[0], variant)
