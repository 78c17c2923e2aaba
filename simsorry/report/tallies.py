"""Gathers metrics block by block.

Tallies keep per-block sums, sums of products and an exact histogram of the game lengths, so their size does not
depend on the number of games. Estimates and differences are made from them in ``stats``.
"""

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from simsorry import stats
from simsorry.metrics import PLAIN, Column, Metric, Rows
from simsorry.report.checks import checks_of
from simsorry.simulate import Traits

PARTS = 3  # numerator, denominator, squares
SPREADS = ("longest_cover",)  # columns of which every value is counted, where a game has them


def statistical_block(games: int) -> int:
    """Games per block of replication: about 200 blocks, and whole turns of the seats where the first player rotates."""
    size = max(1, games // 200)
    return size if size < 12 else -(-size // 12) * 12


@dataclass(frozen=True)
class Plan:
    """Which games are tallied, in blocks of which size, by which metrics."""

    metrics: tuple[Metric, ...]
    players: int
    first_game: int
    games: int
    block: int = 0  # games per block; 0 for what fits so many games

    @property
    def block_games(self) -> int:
        """Games per block; the last may be shorter."""
        return self.block or statistical_block(self.games)

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return -(-self.games // self.block_games)

    def block_of(self, rows: Rows) -> Column:
        """The block that each game of ``rows`` belongs to."""
        return (rows.first_game - self.first_game + np.arange(len(rows))) // self.block_games

    def count(self, rows: Rows) -> "Counted":
        """Works out every metric's numerators and denominators; they stay 0 where there is nothing to measure."""
        parts = np.zeros((len(self.metrics), PARTS, len(rows)))
        for index, metric in enumerate(self.metrics):
            if not metric.measured(rows.traits):
                continue
            parts[index, 0], parts[index, 1] = metric.counts(rows)
            if metric.squares:
                parts[index, 2] = metric.squares(rows)
        return Counted(rows, parts)


@dataclass(frozen=True)
class Counted:
    """Rows with their numerators, denominators and, where a metric needs them, squares: metrics x 3 x games."""

    rows: Rows
    parts: Column


class Tally:
    """The sums of one task; all of them whole numbers, so that they do not depend on how the games were cut up."""

    def __init__(self, plan: Plan, traits: Traits = PLAIN) -> None:
        self.plan, self.traits = plan, traits
        self.games = 0
        self.sums = np.zeros((len(plan.metrics), PARTS, plan.blocks))
        self.side_wins = np.zeros(2 if traits.teams else plan.players, dtype=np.int64)  # by play-order seat, or as in TEAM_NAMES
        self.ended = np.zeros((plan.players, plan.players), dtype=np.int64)  # winning moves by play-order seat and table seat
        self.no_winner = 0
        self.lengths = np.zeros(1, dtype=np.int64)  # how many decided games took so many turns
        self.values: dict[str, stats.Counts] = {}  # how many games have each value of a column of SPREADS
        self.failed_checks: dict[str, int] = {}

    def add(self, counted: Counted) -> None:
        """Takes in the next games."""
        rows = counted.rows
        blocks = self.plan.block_of(rows)
        first = int(blocks[0])
        for index in range(len(self.plan.metrics)):
            for part in range(PARTS):
                in_blocks = np.bincount(blocks - first, weights=counted.parts[index, part])
                self.sums[index, part, first : first + len(in_blocks)] += in_blocks
        self.games += len(rows)
        self._add_winners(rows)
        self.lengths = _added(self.lengths, np.bincount(rows.games["turns"][rows.decided]))
        for name in SPREADS:
            if name in rows.games:
                self.values[name] = _added(self.values.get(name, np.zeros(1, dtype=np.int64)), np.bincount(rows.games[name]))
        for name, broken in checks_of(rows.games.keys() | rows.seats.keys()).items():
            self.failed_checks[name] = self.failed_checks.get(name, 0) + int(broken(rows).sum())

    def _add_winners(self, rows: Rows) -> None:
        players, decided = self.plan.players, rows.decided
        winners = rows.games["winner"][decided].astype(np.int64)
        at_table = np.take_along_axis(rows.seat("table_seat")[decided], winners[:, None], axis=1)[:, 0]
        self.ended += np.bincount(winners * players + at_table, minlength=players**2).reshape(players, players)
        sides = np.where(rows.seat("won")[decided, 0], 0, 1) if self.traits.teams else winners
        self.side_wins += np.bincount(sides, minlength=len(self.side_wins))
        self.no_winner += len(rows) - len(winners)

    def part(self, index: int) -> tuple[stats.Floats, stats.Floats]:
        """Numerators and denominators of a metric by block."""
        return self.sums[index, 0], self.sums[index, 1]

    def moments(self, index: int) -> tuple[stats.Floats, stats.Floats, stats.Floats]:
        """Sums, sums of squares and numbers of values of a metric that is a standard deviation, by block."""
        return self.sums[index, 0], self.sums[index, 2], self.sums[index, 1]

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

    def influence(self, index: int) -> stats.Floats:
        """What each block adds to the error of a metric."""
        if self.plan.metrics[index].squares:
            return stats.spread_influence(*self.moments(index)) if self.sums[index, 1].any() else np.zeros(self.plan.blocks)
        return stats.influence(*self.part(index))

    def quantile(self, p: float) -> stats.Estimate:
        """A quantile of the game length in turns, games without a winner counting as longer than all others."""
        return stats.quantile(self.lengths, p, censored=self.no_winner)


class PairTally:
    """The sums that tie a variant to its base, game number by game number."""

    def __init__(self, base: Tally, variant: Tally) -> None:
        self.base, self.variant = base, variant
        self.products = np.zeros((len(base.plan.metrics), 4, 4))
        self.identical = 0

    def add(self, base: Counted, variant: Counted) -> None:
        """Takes in the next games of both; raises ValueError unless they have the same numbers."""
        if base.rows.first_game != variant.rows.first_game or len(base.rows) != len(variant.rows):
            raise ValueError("a pair needs the same games on both sides")
        both = np.concatenate([base.parts[:, :2], variant.parts[:, :2]], axis=1)
        self.products += both @ both.transpose(0, 2, 1)
        self.identical += int((base.rows.games["digest"] == variant.rows.games["digest"]).sum())

    def difference(self, index: int) -> stats.Difference:
        """Variant minus base for one metric."""
        metric, sides = self.base.plan.metrics[index], (self.base, self.variant)
        if not all(metric.measured(side.traits) for side in sides):
            return stats.unknown(self.base.games, metric.unit)
        if metric.squares:
            return stats.paired_spread(self.base.moments(index), self.variant.moments(index), self.base.games, metric.unit)
        if all(metric.of_every_game(side.traits) for side in sides):
            together = int(self.products[index, 0, 2])
            base, variant = (int(side.sums[index, 0].sum()) for side in sides)
            return stats.paired_events(base - together, variant - together, self.base.games)
        return stats.paired_ratio(self.base.part(index), self.variant.part(index), self.base.games, metric.unit)

    def pairing(self, index: int) -> stats.Pairing:
        """Correlation over games, and what it was worth; not known of standard deviations."""
        if self.base.plan.metrics[index].squares:
            return stats.Pairing(math.nan, math.nan)
        sums = [(float(side.sums[index, 0].sum()), float(side.sums[index, 1].sum())) for side in (self.base, self.variant)]
        return stats.pairing(self.products[index], sums[0], sums[1])

    @property
    def unchanged(self) -> stats.Estimate:
        """Share of games whose course is the same under both rulesets."""
        return stats.share(self.identical, self.base.games)


@dataclass
class Tallies:
    """The tallies of several tasks at one table; the first task is the base of every pair."""

    plan: Plan
    arms: Sequence[Traits]  # of each task
    tallies: list[Tally] = field(init=False)
    pairs: list[PairTally] = field(init=False)

    def __post_init__(self) -> None:
        self.tallies = [Tally(self.plan, traits) for traits in self.arms]
        self.pairs = [PairTally(self.tallies[0], variant) for variant in self.tallies[1:]]

    def add(self, counted: Sequence[Counted]) -> None:
        """Takes in the same game numbers of every task."""
        for tally, each in zip(self.tallies, counted, strict=True):
            tally.add(each)
        for pair, variant in zip(self.pairs, counted[1:], strict=True):
            pair.add(counted[0], variant)


def regrouped(tallies: Tallies, plan: Plan) -> Tallies:
    """The same sums under another plan, with room for other numbers of games, and blocks that are one or several of the former ones.

    What is not kept by block is shared by both, so only one of them may take in further games.
    """
    found = copy.copy(tallies)
    found.plan = plan
    found.tallies = [_regrouped(tally, plan) for tally in tallies.tallies]
    found.pairs = [copy.copy(pair) for pair in tallies.pairs]
    for pair, variant in zip(found.pairs, found.tallies[1:], strict=True):
        pair.base, pair.variant = found.tallies[0], variant
    return found


def _regrouped(tally: Tally, plan: Plan) -> Tally:
    found, times = copy.copy(tally), plan.block_games // tally.plan.block_games
    there = -(-tally.games // tally.plan.block_games)  # blocks in which there are games
    fine = np.zeros((*tally.sums.shape[:2], plan.blocks * times))
    fine[:, :, :there] = tally.sums[:, :, :there]
    found.plan, found.sums = plan, fine.reshape(*fine.shape[:2], plan.blocks, times).sum(axis=3)
    return found


def _added(left: stats.Counts, right: Column) -> stats.Counts:
    """Sum of two histograms of different length."""
    total = np.zeros(max(len(left), len(right)), dtype=np.int64)
    total[: len(left)] += left
    total[: len(right)] += right
    return total
