"""``--precision`` and ``--until-clear``: what games are played for, and whether it is reached."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simsorry.errors import IMPRECISE, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.cli._progress import Watch
    from simsorry.margin import Margin
    from simsorry.metrics import Metric
    from simsorry.report.gather import Until
    from simsorry.report.study import Sitting
    from simsorry.simulate import Block, Task


@dataclass(frozen=True)
class Target:
    """Half of the width that the 95 % interval of a measure, or of every measure of a kind, may have."""

    what: str
    size: "Margin"  # relative ones are part of the measure's own value

    def __str__(self) -> str:
        return f"{self.what} to ±{self.shown(self.size.amount, self.size.relative)}"

    def meant(self, metrics: "Sequence[Metric]") -> "list[Metric]":
        """The measures that it is about."""
        return [metric for metric in metrics if self.what in (metric.name, metric.margin)]

    def shown(self, amount: float, relative: bool = False) -> str:
        """An amount as it is written in the option."""
        if relative:
            return f"{amount * 100:.3g}%"
        return f"{amount * 100:.3g}pp" if self._points else f"{amount:.3g}"

    @property
    def _points(self) -> bool:
        from simsorry.cli.compare import of_shares

        return of_shares()[self.what]


def targets(texts: Sequence[str], source: str = "--precision ") -> tuple[Target, ...]:
    """Reads the option, given once or several times; SimsorryError, which begins with ``source``, if it makes no sense."""
    found = tuple(_target(text, source) for text in texts)
    for at, target in enumerate(found):
        if target.what in [other.what for other in found[:at]]:
            raise SimsorryError(f"{source}{target.what} is given twice: once is enough", USAGE)
    return found


def _target(text: str, source: str) -> Target:
    from simsorry.cli.compare import sized

    return Target(*sized(text, source, "its value"))


def measures(task: "Task") -> "list[Metric]":
    """What there is to measure in a task."""
    from simsorry.at_table import all_metrics

    counted = {column.name for column in (*task.game.GAME_COLUMNS, *task.game.SEAT_COLUMNS)}
    every = all_metrics([policy.name for policy in task.policies], counted, [task.traits])
    return [metric for metric in every if metric.measured(task.traits)]


def check(wanted: Sequence[Target], metrics: "Sequence[Metric]", game: str) -> None:
    """Raises SimsorryError unless there is something to measure for every target."""
    for target in wanted:
        if not target.meant(metrics):
            raise SimsorryError(f"--precision {target.what}: there is nothing of that to measure in {game}", USAGE)


@dataclass(frozen=True)
class Reach:
    """How precisely something is known, and how it is to be."""

    target: Target
    half: float
    wanted: float

    @property
    def times(self) -> float:
        """How many times as wide as it may be; more games are needed while that is above 1."""
        return self.half / self.wanted if self.half else 0.0

    def __str__(self) -> str:
        half = "?" if not math.isfinite(self.half) else self.target.shown(self.half)
        return f"{self.target.what} ±{half} of ±{self.target.shown(self.wanted)}"


def farthest(reached: Sequence[Reach]) -> Reach:
    """What more games are needed for most."""
    return max(reached, key=lambda each: each.times)


def needed(reach: Reach, games: int, most: int) -> int:
    """Games that it will take as it looks now."""
    return min(most, max(games, math.ceil(games * reach.times**2))) if math.isfinite(reach.times) else most


def of_sitting(wanted: Sequence[Target], sitting: "Sitting") -> list[Reach]:
    """How precisely the values of every ruleset at a table are known, and the differences from the base."""
    found = []
    for target in wanted:
        for metric in target.meant(sitting.metrics):
            for arm in (arm for arm in sitting.arms if metric.name in arm.measured):
                value = arm.measured[metric.name]
                found.append(_reach(target, value.low, value.high, value.value))
                if metric.name in arm.compared:
                    compared = arm.compared[metric.name]
                    found.append(_reach(target, compared.low, compared.high, sitting.base.measured[metric.name].value))
    return found


def _reach(target: Target, low: float, high: float, value: float) -> Reach:
    """Where there was nothing to measure yet, nothing is known."""
    if not math.isfinite(value):
        return Reach(target, math.inf, target.size.amount)
    return Reach(target, (high - low) / 2, target.size.of(value))


class Precise:
    """Watches a run until its numbers are as precise as asked."""

    def __init__(self, task: "Task", wanted: Sequence[Target], watch: "Watch", most: int) -> None:
        from simsorry import stats
        from simsorry.tally import Plan

        metrics = measures(task)
        check(wanted, metrics, task.ruleset.name)
        self._meant = [(target, metric) for target in wanted for metric in target.meant(metrics)]
        self._plan = Plan(tuple(metric for _, metric in self._meant), task.players, 0, 0)
        self._traits, self._watch, self._most = task.traits, watch, most
        self.looks = tuple(stats.looks(most))  # games after which it is to be asked
        self._totals: Any = 0  # of numerators, denominators and squares by metric, as unbounded whole numbers
        self._products: Any = 0
        self.reached: list[Reach] = []

    def take(self, block: "Block") -> None:
        """Takes in the next games."""
        import numpy as np

        from simsorry.metrics import Rows

        counted = self._plan.count(Rows(block.games, block.seats, block.players, block.first_game, self._traits)).parts
        parts = np.zeros((len(counted), 3, block.count))
        for at, columns in enumerate(counted):
            for part, column in enumerate(columns):
                parts[at, part] = column
        whole = np.frompyfunc(int, 1, 1)
        self._totals = self._totals + whole(parts.sum(axis=2))
        self._products = self._products + whole(parts @ parts.transpose(0, 2, 1))

    def enough(self, games: int) -> bool:
        """Whether every target is reached."""
        self.reached = [self._known(index, games) for index in range(len(self._meant))]
        far = farthest(self.reached)
        self._watch.aim(str(far), needed(far, games, self._most))
        return far.times <= 1

    def _known(self, index: int, games: int) -> Reach:
        import numpy as np

        from simsorry import stats

        target, metric = self._meant[index]
        totals = self._totals[index]
        if metric.of_games(self._traits):
            found = stats.share(int(totals[0]), int(totals[1]))
        else:
            found = stats.ratio_over_games(totals.astype(np.float64), self._products[index].astype(np.float64), games, metric.unit)
        return _reach(target, found.low, found.high, found.value)


def missed(reached: Sequence[Reach], games: int) -> SimsorryError:
    """What is said where as many games were played as might be."""
    far = farthest(reached)
    most = _two_digits(games * far.times**2) if math.isfinite(far.times) else 0
    about = f"; about {most:,} games would do" if most else ""
    return SimsorryError(f"not as precise as asked after {games:,} games: {far}{about} (--games)", IMPRECISE)


def _two_digits(value: float) -> int:
    """Rounded up to two digits."""
    step: int = 10 ** max(0, math.floor(math.log10(value)) - 1)
    return math.ceil(value / step) * step


# -- what a comparison is played for ---------------------------------------------------------------


def make_needs(precision: Sequence[str], until_clear: bool) -> "Needs | None":
    """What the games of a comparison are played for, as the options say; None if their number is given."""
    if precision and until_clear:
        raise SimsorryError("--precision and --until-clear are two ways to say when to stop: give one of them", USAGE)
    return Needs(targets(precision)) if precision or until_clear else None


@dataclass(frozen=True)
class Needs:
    """What the games of a comparison are played for: some precision or, if no target is given, that every verdict is clear."""

    targets: tuple[Target, ...]

    @property
    def rule(self) -> str:
        """It as the report says it."""
        if not self.targets:
            return "until every verdict of the scorecard is clear"
        return "until " + " and ".join(f"{target.what} is known{str(target).removeprefix(target.what)}" for target in self.targets)

    def allow(self, tables: "Sequence[Sequence[Task]]") -> None:
        """Raises SimsorryError if there is nothing to measure for a target, or nothing to compare."""
        if not self.targets and len(tables[0]) == 1:
            raise SimsorryError("--until-clear needs a variant: without one there are no verdicts", USAGE)
        for tasks in tables:
            check(self.targets, [metric for task in tasks for metric in measures(task)], "any of these rulesets")

    def until(self, most: int, watch: "Watch", rulesets: int) -> "Until":
        """The same for one table; ``watch`` is told how far it is after every look."""
        from simsorry import stats
        from simsorry.report.gather import Until

        before = watch.done  # of other tables

        def enough(sitting: "Sitting") -> bool:
            text, games = self._far(sitting, most)
            watch.aim(text, before + games * rulesets)
            return not text

        return Until(self.rule, most, enough, None if self.targets else stats.EXPECTED)

    def _far(self, sitting: "Sitting", most: int) -> tuple[str, int]:
        """How far it is, nothing if it is reached, and the games of each ruleset that it will take as it looks now."""
        if self.targets:
            far = farthest(of_sitting(self.targets, sitting))
            return (str(far) if far.times > 1 else ""), needed(far, sitting.games, most)
        left = unclear(sitting)
        return (f"{len(left)} of {sitting.families['scorecard']} verdicts unclear" if left else ""), most if left else sitting.games

    def check(self, sittings: "Sequence[Sitting]") -> None:
        """Raises SimsorryError if as many games were played as might be, and they are not enough."""
        for sitting in sittings:
            if sitting.stopping is None or sitting.stopping.reached:
                continue
            if self.targets:
                raise missed(of_sitting(self.targets, sitting), sitting.games)
            raise SimsorryError(f"not clear after {sitting.games:,} games: {self._far(sitting, sitting.games)[0]} (--games)", IMPRECISE)


def unclear(sitting: "Sitting") -> list[str]:
    """The verdicts of the scorecard that more games could make clear."""
    from simsorry.stats import CLEAR

    names = {metric.name for metric in sitting.rows(headline=True)}
    found = [(name, each.verdict) for arm in sitting.variants for name, each in arm.compared.items() if name in names]
    return [name for name, verdict in found if verdict and verdict.word not in CLEAR]
