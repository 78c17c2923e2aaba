"""Seat price: what players who move later must be given for all seats to win practically equally often.

A *head start* is a number of squares that a player begins ahead, by seat in the order of play (the option ``head_starts``). Head
starts are tried along a line: one number of squares for the seat that lacks most, and for the others as much of it as they lack; and
then, if need be, a few near the best of these. Each is played on the same game numbers as the seats as they are, so that their
differences are paired, and what was chosen on these games is played once more on others. A side is a seat in the order of play or, in
team play, a team.
"""

import itertools
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import special

from simsorry import stats
from simsorry.errors import USAGE, SimsorryError
from simsorry.games.options import HEAD_START
from simsorry.simulate import Block, Task, map_blocks
from simsorry.stats import Difference, Estimate, Fairness, Floats
from simsorry.tally import statistical_block

if TYPE_CHECKING:
    from simsorry.margin import Margin
    from simsorry.rulesets import Ruleset

LINE = (1, 2, 3, 5, 8, 12, HEAD_START)  # squares for the seat that lacks most, tried one after the other until that is too much
FEWEST_GAMES = 100
EQUAL = (stats.SAME, stats.NEGLIGIBLE)

# What a search comes to.
EVEN = "even"  # as it is
OPEN = "open"  # not known whether it is
PRICED = "priced"
BEYOND = "beyond"  # the longest head start is not enough

_NUDGES = 8  # head starts beside the line
_STEPS = 400  # between two head starts, in which the ends of a price's interval are looked for
_ALPHA = 1 - stats.LEVEL


# -- head starts -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """Who lacks how much: by side in the order of play, in parts of what the one lacks that lacks most."""

    name: str
    weights: tuple[float, ...]

    def given(self, squares: int) -> tuple[int, ...]:
        """Squares for each side where the one that lacks most gets so many."""
        return tuple(math.floor(weight * squares + 0.5) for weight in self.weights)

    @property
    def contrast(self) -> Floats:
        """Weights of the shares by which they say how much the last side lacks against the first one."""
        centered = np.array(self.weights) - np.mean(self.weights)
        return np.asarray(-centered / float(centered @ centered))

    def fits(self, lacking: Floats) -> float:
        """Sum of the squares that remain of what the sides lack, where each gets its part; infinite if the wrong ones would get it."""
        centered = np.array(self.weights) - np.mean(self.weights)
        size = float(centered @ lacking) / float(centered @ centered)
        return float(((lacking - size * centered) ** 2).sum()) if size > 0 else math.inf


def shapes(sides: int) -> list[Shape]:
    """What is tried: the later the more, the earlier the more, only one side, and all but one."""
    later = tuple(side / (sides - 1) for side in range(sides))
    found = [Shape("later", later), Shape("earlier", later[::-1])]
    if sides > 2:
        alone = [tuple(float(side == one) for side in range(sides)) for one in range(sides)]
        found += [Shape(f"only {one + 1}", weights) for one, weights in enumerate(alone)]
        found += [Shape(f"all but {one + 1}", tuple(1 - weight for weight in weights)) for one, weights in enumerate(alone)]
    return found


def shape_of(counts: Sequence[int]) -> Shape:
    """Who lacks how much, from games won: the later or the earlier the more, unless that is shown not to fit."""
    n, sides = sum(counts), len(counts)
    lacking = 1 / sides - np.array(counts) / n
    by_fit = sorted(shapes(sides), key=lambda shape: shape.fits(lacking))
    steady = min((shape for shape in by_fit if shape.name in ("later", "earlier")), key=lambda shape: shape.fits(lacking))
    misfit = steady.fits(lacking) * n * sides  # chi-square against equal shares, but for the trend
    fits = math.isfinite(misfit) and (sides == 2 or float(special.chdtrc(sides - 2, misfit)) >= _ALPHA)
    return steady if fits else by_fit[0]


# -- trials ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trial:
    """Games with one head start."""

    given: tuple[int, ...]  # squares by side in the order of play
    wins: Floats  # by block of games and side
    margin: float

    @cached_property
    def counts(self) -> list[int]:
        """Games won by each side."""
        return [int(count) for count in self.wins.sum(axis=0)]

    @property
    def n(self) -> int:
        """Games with a winner."""
        return sum(self.counts)

    @cached_property
    def shares(self) -> list[Estimate]:
        """Of the games with a winner, with intervals that hold for all sides at once."""
        return stats.shares(self.counts)

    @cached_property
    def fairness(self) -> Fairness:
        """Whether the sides win equally often."""
        return stats.fairness(self.counts, self.margin)

    @property
    def equal(self) -> bool:
        """Whether every share is shown to lie within the margin of an equal one."""
        return self.fairness.verdict.word in EQUAL

    @property
    def farthest(self) -> int:
        """The side whose share is farthest from an equal one."""
        return max(range(len(self.counts)), key=lambda side: abs(self.counts[side] / max(self.n, 1) - 1 / len(self.counts)))

    @property
    def off(self) -> float:
        """How far that is."""
        return abs(self.shares[self.farthest].value - 1 / len(self.counts))

    def lack(self, shape: Shape) -> Difference:
        """By how much the share of the last one of a shape falls short of the first one's, along the line through all of them."""
        return _mixed([self], [1.0], shape)

    def gain(self, base: "Trial", side: int) -> Difference:
        """What one side wins more often than in other games of the same numbers."""
        sides = [(each.wins[:, side], each.wins.sum(axis=1)) for each in (base, self)]
        return stats.paired_ratio(sides[0], sides[1], self.n, "share")


def _mixed(trials: Sequence[Trial], parts: Sequence[float], shape: Shape) -> Difference:
    """What is lacking at a head start between others, on a straight line between them; they are trials of the same games."""
    value, influences = 0.0, np.zeros(len(trials[0].wins))
    for trial, part in zip(trials, parts, strict=True):
        numerator, denominator = trial.wins @ shape.contrast, trial.wins.sum(axis=1)
        value += part * float(numerator.sum()) / float(denominator.sum())
        influences += part * stats.influence(numerator, denominator)
    return Difference(value, stats.standard_error(influences), len(influences) - 1, trials[0].n, "share")


# -- the search ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Search:
    """What was tried on the same games, and what it came to."""

    trials: tuple[Trial, ...]  # the seats as they are first
    outcome: str = OPEN
    shape: Shape | None = None  # who lacks how much, where head starts were tried
    price: Estimate | None = None  # squares for the one that lacks most; infinite if no head start is enough

    @property
    def base(self) -> Trial:
        """The sides as they are."""
        return self.trials[0]

    @property
    def equal(self) -> Trial | None:
        """The smallest head start with which all are practically equal, as they are included."""
        return min((trial for trial in self.trials if trial.equal), key=lambda trial: sum(trial.given), default=None)

    @property
    def nearest(self) -> Trial:
        """The one with which the side that is farthest off is the nearest to an equal share."""
        return min(self.trials, key=lambda trial: trial.off)

    @property
    def chosen(self) -> Trial | None:
        """The head start to give: the smallest equal one, else the nearest; None if that is none."""
        if self.outcome in (EVEN, OPEN):
            return None
        found = self.equal or self.nearest
        return found if any(found.given) else None

    @property
    def single(self) -> Trial | None:
        """The trial of one square for the side that lacks most, and for as few others as possible."""
        ones = [trial for trial in self.trials if max(trial.given) == 1]
        return min(ones, key=lambda trial: sum(trial.given), default=None)

    @property
    def overshoots(self) -> bool:
        """Whether one square is shown to be more than is lacking, with whatever sides get it."""
        ones = [trial for trial in self.trials if max(trial.given) == 1]
        return bool(ones) and self.shape is not None and all(_past(trial, self.shape) for trial in ones)


def search(play: Callable[[tuple[int, ...]], Floats | None], sides: int, margin: float, most: int = HEAD_START) -> Search | None:
    """Looks for the head start that makes all sides practically equal; None if ``play`` answered None.

    ``play`` is told the squares for each side, and answers with the games won by block and side; the games are the same every time.
    ``most`` is the longest head start that can be given.
    """
    wins = play((0,) * sides)
    if wins is None:
        return None
    base = Trial((0,) * sides, wins, margin)
    if base.equal:
        return Search((base,), EVEN)
    if base.fairness.verdict.word == stats.UNDECIDED:
        return Search((base,), OPEN)
    shape = shape_of(base.counts)
    line, beside = {0: base}, []
    while (squares := _next(line, shape, most)) is not None:
        if (wins := play(shape.given(squares))) is None:
            return None
        line[squares] = Trial(shape.given(squares), wins, margin)
    for given in _parts_of_one(line, shape):
        if (wins := play(given)) is None:
            return None
        beside.append(Trial(given, wins, margin))
    while (nudged := _nudged([*line.values(), *beside], most)) is not None and len(beside) < _NUDGES:
        if (wins := play(nudged)) is None:
            return None
        beside.append(Trial(nudged, wins, margin))
    price = price_of(line, shape)
    trials = sorted([*line.values(), *beside], key=lambda trial: (sum(trial.given), trial.given))
    return Search(tuple(trials), PRICED if math.isfinite(price.value) else BEYOND, shape, price)


def _past(trial: Trial, shape: Shape) -> bool:
    """Whether those who lacked something are shown to be ahead now."""
    return trial.lack(shape).interval()[1] < 0


def _next(line: dict[int, Trial], shape: Shape, most: int) -> int | None:
    """The next number of squares to try: up along the line until it is too much, then back into the gap."""
    last = max(line)
    if not _past(line[last], shape):
        longer = [squares for squares in (*LINE, most) if last < squares <= most]
        if longer:
            return longer[0]
    root = _root(line, shape)
    if root is not None:
        around = sorted({math.floor(root), math.ceil(root)} - line.keys(), key=lambda squares: abs(squares - root))
        if around:
            return around[0]
    equal = min((squares for squares, trial in line.items() if trial.equal), default=None)
    if equal is None:
        return None
    below = max(squares for squares in line if squares < equal)  # there is one, for the sides are not equal as they are
    return (below + equal) // 2 if equal - below > 1 else None


def _root(line: dict[int, Trial], shape: Shape) -> float | None:
    """The first head start at which nothing is lacking, on straight lines from one tried to the next; None if there is none."""
    for one, other in itertools.pairwise(sorted(line)):
        before, after = (line[squares].lack(shape).value for squares in (one, other))
        if before > 0 >= after:
            return one + (other - one) * before / (before - after)
    return None


def _parts_of_one(line: dict[int, Trial], shape: Shape) -> Iterator[tuple[int, ...]]:
    """One square for fewer or for more sides than the shape says, those that lack most first: where the price is below one square."""
    root = _root(line, shape)
    if root is None or root >= 1:
        return
    order = sorted(range(len(shape.weights)), key=lambda side: -shape.weights[side])
    for many in range(1, len(order)):
        given = tuple(int(side in order[:many]) for side in range(len(order)))
        if shape.weights[order[many - 1]] and given != shape.given(1):
            yield given


def _nudged(trials: Sequence[Trial], most: int) -> tuple[int, ...] | None:
    """A square more for the last or less for the first of the nearest head start so far; None if some is equal, or both were tried.

    Two sides have nothing beside the line.
    """
    if any(trial.equal for trial in trials) or len(trials[0].given) == 2:
        return None
    nearest = min(trials, key=lambda trial: trial.off)
    last, first = int(np.argmin(nearest.counts)), int(np.argmax(nearest.counts))
    for side, step in ((last, 1), (first, -1)):
        given = tuple(squares + step * (at == side) for at, squares in enumerate(nearest.given))
        if 0 <= given[side] <= most and all(given != trial.given for trial in trials):
            return given
    return None


def price_of(line: dict[int, Trial], shape: Shape) -> Estimate:
    """The head start at which nothing is lacking, between those that were tried; infinite if it is beyond them.

    The interval has every head start at which, on straight lines between those tried, what is lacking is not shown to differ from 0,
    with errors from the blocks that all trials have in common.
    """
    tried = sorted(line)
    open_ = [float(squares) for squares in tried if _may_be_none(line[squares].lack(shape))]
    for one, other in itertools.pairwise(tried):
        pair = [line[one], line[other]]
        for step in range(1, _STEPS):
            part = step / _STEPS
            if _may_be_none(_mixed(pair, [1 - part, part], shape)):
                open_.append(one + part * (other - one))
    root = _root(line, shape)
    last = line[tried[-1]].lack(shape)
    value = math.inf if root is None else root
    ends = [*open_, *([] if root is None else [root])]
    high = math.inf if last.interval()[1] >= 0 else max(ends)
    return Estimate(value, min(ends, default=float(tried[-1])), high, line[0].n, "squares")


def _may_be_none(lack: Difference) -> bool:
    low, high = lack.interval()
    return low <= 0 <= high


# -- what is played --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Design:
    """What is asked: tasks of the same ruleset and seed, by number of players and then by line-up, and how many games of each."""

    tasks: tuple[tuple[Task, ...], ...]
    games: int
    margin: "Margin"

    @property
    def ruleset(self) -> "Ruleset":
        """The rules as they are."""
        return self.tasks[0][0].ruleset


@dataclass(frozen=True)
class Table:
    """One number of players: a search for each line-up, and what each chose, played by all on other games."""

    tasks: tuple[Task, ...]
    searches: tuple[Search, ...]
    checks: dict[tuple[int, ...], tuple[Trial, ...]]  # head start by side -> a trial for each line-up

    @property
    def agreed(self) -> bool | None:
        """Whether all line-ups say the same; None where some of them leave it open, or there is only one."""
        outcomes = [each.outcome for each in self.searches]
        if len(outcomes) == 1 or OPEN in outcomes:
            return None
        if len(set(outcomes)) > 1 or len({each.shape.name for each in self.searches if each.shape}) > 1:
            return False
        prices = [each.price for each in self.searches if each.price]
        if any(one.high < other.low for one, other in itertools.permutations(prices, 2)):
            return False
        return all(trial.fairness.verdict.word != stats.DIFFERENT for trials in self.checks.values() for trial in trials)


@dataclass(frozen=True)
class Prices:
    """Everything that was found."""

    design: Design
    tables: tuple[Table, ...]
    games: int  # played in all
    no_winner: int  # of these, cut off


def check(ruleset: "Ruleset") -> None:
    """Raises SimsorryError if the rules leave no head start to be given."""
    rules = ruleset.rules
    if rules.head_starts:
        raise SimsorryError(
            f"{ruleset.name[:60]} gives head starts already (head_starts = {list(rules.head_starts)}), and what they should be is "
            "looked for: price it with --set head_starts=[]",
            USAGE,
        )
    if rules.quick_start_pawns > 1:
        raise SimsorryError(
            f"{ruleset.name[:60]} brings {rules.quick_start_pawns} pawns of every player out (quick_start_pawns), and a head start is the "
            "way of a first pawn: price it with --set quick_start_pawns=1 or --set quick_start_pawns=0",
            USAGE,
        )


def longest(ruleset: "Ruleset") -> int:
    """The longest head start beyond how all players begin."""
    return HEAD_START - int(ruleset.rules.quick_start_pawns)


def sides_of(task: Task) -> int:
    """How many win or lose: players, or two teams."""
    return 2 if task.traits.teams else task.players


def head_starts(task: Task, given: Sequence[int]) -> list[int]:
    """Squares by seat in the order of play, from squares by side.

    All players of a team that takes turns with the other begin ahead. Partners who sit side by side have only one seat that is theirs
    whoever of them begins, the first or the one opposite, and its player begins ahead for both.
    """
    seats = list(given)
    if task.traits.teams:
        one, partner = task.traits.teams[0]
        seats = [given[0], given[1], given[0], given[1]] if abs(partner - one) == 2 else [given[0], 0, given[1], 0]
    return [squares + task.ruleset.rules.quick_start_pawns for squares in seats]


def with_head_starts(task: Task, given: Sequence[int]) -> Task:
    """The same games with head starts, by side; where all players begin with a pawn out, it stands so much farther.

    A pawn on the start circle is a head start of one square, for which the option quick_start_pawns then makes room.
    """
    if not any(given):
        return task
    ruleset = task.ruleset
    squares = head_starts(task, given)
    told = ",".join(str(each) for each in squares)
    changed = ruleset.resolved() | {"head_starts": squares, "quick_start_pawns": 0}
    rules = type(ruleset.rules).model_validate(changed)
    return replace(task, ruleset=replace(ruleset, name=f"{ruleset.name}+head_starts=[{told}]", rules=rules))


# -- playing ---------------------------------------------------------------------------------------


def measure(
    design: Design, *, threads: int | None = None, stop: threading.Event | None = None,
    on_games: Callable[[int], None] = lambda _: None, on_plan: Callable[[str, int], None] = lambda *_: None,
) -> Prices | None:  # fmt: skip
    """Plays everything and works out what it comes to; None if ``stop`` was set before all was played.

    ``on_plan`` is told what is played next, in words, and how many games it will be in all as far as is known by then.
    """
    player = _Player(design, threads, stop or threading.Event(), on_games, on_plan, left=sum(map(len, design.tasks)))
    tables = []
    for tasks in design.tasks:
        table = _table(design, player, tasks)
        if table is None:
            return None
        tables.append(table)
    return Prices(design, tuple(tables), player.played, player.played - player.won)


def _table(design: Design, player: "_Player", tasks: tuple[Task, ...]) -> Table | None:
    """One number of players; None if it was stopped."""
    sides = sides_of(tasks[0])
    margin = design.margin.of(1 / sides)
    searches: list[Search] = []
    for task in tasks:
        player.left -= 1
        found = search(partial(player.wins, task, range(design.games)), sides, margin, longest(task.ruleset))
        if found is None:
            return None
        searches.append(found)
    chosen = [found.chosen.given for found in searches if found.chosen]
    checks: dict[tuple[int, ...], tuple[Trial, ...]] = {}
    for given in dict.fromkeys(chosen):
        fresh = [player.wins(task, range(design.games, 2 * design.games), given) for task in tasks]
        trials = [Trial(given, wins, margin) for wins in fresh if wins is not None]
        if len(trials) < len(tasks):
            return None
        checks[given] = tuple(trials)
    return Table(tasks, tuple(searches), checks)


@dataclass
class _Player:
    """Plays games, and keeps count of them."""

    design: Design
    threads: int | None
    stop: threading.Event
    on_games: Callable[[int], None]
    on_plan: Callable[[str, int], None]
    left: int  # searches that have not begun
    played: int = 0
    won: int = 0  # of these, with a winner

    def wins(self, task: Task, games: range, given: tuple[int, ...]) -> Floats | None:
        """Games won by block and side, with this head start; None if it was stopped."""
        names = list(dict.fromkeys(policy.name for policy in task.policies))
        self.on_plan(f"{task.players} players, {', '.join(names)}", self.played + len(games) * (1 + self.left))
        size = statistical_block(len(games))
        found = np.zeros((-(-len(games) // size), sides_of(task)))
        count = 0
        blocks = map_blocks(
            with_head_starts(task, given), games, partial(_winners, bool(task.traits.teams)), threads=self.threads, stop=self.stop
        )
        with closing(blocks):  # type: ignore[type-var]
            for winners in blocks:
                won = winners >= 0
                numbers = (count + np.arange(len(winners))) // size
                np.add.at(found, (numbers[won], winners[won]), 1.0)
                count += len(winners)
                self.on_games(len(winners))
        self.played += count
        self.won += int(found.sum())
        return found if count == len(games) else None


def _winners(teams: bool, block: Block) -> NDArray[np.int64]:
    """The side that won each game, in the order of play; -1 if it was cut off."""
    winner = block.games["winner"].astype(np.int64)
    first = block.seats["won"].reshape(-1, block.players)[:, 0]
    return np.where(winner < block.players, 1 - first if teams else winner, -1)
