"""Who is strongest: a panel of policies meets at balanced tables on the same luck, in every seat, and is rated.

A *line-up* is who sits at a table, a *seating* of it who sits where. Every line-up is played on the same game numbers, each of them once
in every seating, so that neither a seat nor the first move favors anybody. All games of one number share their luck: game numbers
are the unit of replication. A side is a player or, in team play, a team, which is one competitor and plays one policy.
"""

import math
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, groupby, permutations, product
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from simsorry import policies, stats
from simsorry.metrics import MARGINS, NO_WINNER
from simsorry.simulate import Block, Task, Traits, map_blocks
from simsorry.skill import by_table_seat, first_side
from simsorry.stats import Contests, Difference, Estimate, Floats, Ints, Ratings, Verdict, alpha_rank, cycles, rate

if TYPE_CHECKING:
    from simsorry.policies import Policy
    from simsorry.rulesets import Ruleset

# The panel that rulesets are compared by: chance; one's own squares alone; pawns out first, or HOME first; against the leader first;
# the greedy player of a published program; everything weighed by hand; and the strongest weights known.
PANEL = ("random", "racer", "starter", "homebody", "leader-hunter", "reward-v1", "balanced", "tuned")
FEWEST_NUMBERS = 20
ALL_SEATINGS = 100  # up to so many, every seating of every line-up is played
ALL_TABLES = 35  # up to so many, every table of different policies is; of more, a balanced choice
BOOTSTRAPS = 400  # resampled sets of game numbers, for the intervals of what is no smooth function of the games
MARGIN = MARGINS["policy_share"].amount  # a smaller error of a win share does not matter

# The search for a balanced choice: exchanges it may try, how freely it takes a worse one at first, and how bad a table that is there twice
# is, where two who meet once too often and two who meet once too seldom are 1.
_STEPS, _HEAT, _TWICE = 20_000, 0.5, 2

Seating = tuple[int, ...]  # by side: the number of the policy in the panel


# -- what is played --------------------------------------------------------------------------------


def default_panel(game: str) -> tuple["Policy", ...]:
    """The published panel, without who would play like one before in this game."""
    return policies.distinct(PANEL, game)


@dataclass(frozen=True)
class Design:
    """What is asked: of which rules, which policies, and how many game numbers."""

    ruleset: "Ruleset"
    players: int
    panel: tuple["Policy", ...]
    numbers: int
    seed: int

    @cached_property
    def alike(self) -> Task:
        """The games of the first of the panel among its like."""
        return Task(self.ruleset, self.players, (self.panel[0],) * self.players, self.seed)

    @property
    def traits(self) -> Traits:
        """What the game has beside the plain race."""
        return self.alike.traits

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The table seats of each side."""
        return self.alike.sides

    @property
    def fair(self) -> float:
        """What each side wins where all play alike."""
        return 1 / len(self.sides)

    @property
    def names(self) -> tuple[str, ...]:
        """The policies' names."""
        return tuple(policy.name for policy in self.panel)

    @property
    def at_random(self) -> int | None:
        """Who plays at random, if anybody does."""
        return next((at for at, policy in enumerate(self.panel) if not policy.weights), None)

    @cached_property
    def seatings(self) -> tuple[Seating, ...]:
        """All seatings that are played, those of a line-up one after the other."""
        return seatings(len(self.panel), len(self.sides))

    @cached_property
    def line_ups(self) -> dict[tuple[int, ...], list[int]]:
        """The seatings, by number, of each line-up."""
        by_line_up = groupby(range(len(self.seatings)), key=lambda at: tuple(sorted(self.seatings[at])))
        return {line_up: list(numbers) for line_up, numbers in by_line_up}

    @property
    def games(self) -> int:
        """All games that are played."""
        return self.numbers * len(self.seatings)

    @property
    def meetings(self) -> tuple[int, int]:
        """At how many tables of different policies two of the panel meet, at least and at most."""
        tables = [line_up for line_up in self.line_ups if len(set(line_up)) == len(line_up)]
        met = [sum({*pair} <= {*table} for table in tables) for pair in combinations(range(len(self.panel)), 2)]
        return min(met), max(met)

    def task(self, seating: Seating) -> Task:
        """The games of one seating."""
        side_of = {seat: side for side, seats in enumerate(self.sides) for seat in seats}
        line_up = tuple(self.panel[seating[side_of[seat]]] for seat in range(self.players))
        return Task(self.ruleset, self.players, line_up, self.seed)


def seatings(count: int, sides: int) -> tuple[Seating, ...]:
    """Who of ``count`` policies sits where, in all seatings to be played, those of a line-up one after the other.

    All there are, if these are few. Otherwise every policy among its like, one of every policy against others of every other, and tables
    of different policies at which every two meet equally often, all of them in every rotation.
    """
    if count**sides <= ALL_SEATINGS:
        return tuple(sorted(product(range(count), repeat=sides), key=lambda seating: (sorted(seating), seating)))
    alike = [(one,) * sides for one in range(count)]
    duels = [(one, *(other,) * (sides - 1)) for one, other in permutations(range(count), 2)]
    if sides == 2:
        duels = [seating for seating in duels if seating[0] < seating[1]]
    draw = np.random.default_rng(count)
    mixed = [tuple(map(int, draw.permutation(table))) for table in tables(count, sides)] if sides > 2 else []  # who sits after whom varies
    return tuple(seating for start in (*alike, *duels, *mixed) for seating in _rotations(start))


def _rotations(seating: Seating) -> list[Seating]:
    """A seating and what becomes of it as all move on by a seat, each once."""
    return list(dict.fromkeys(seating[-by:] + seating[:-by] for by in range(len(seating))))


def tables(count: int, size: int) -> list[tuple[int, ...]]:
    """Tables of different policies: all there are or, if these are many, so many that every two can meet equally often."""
    every = list(combinations(range(count), size))
    if len(every) <= ALL_TABLES:
        return every
    at_once = next(n for n in range(1, len(every) + 1) if not n * size % count and not n * size * (size - 1) % (count * (count - 1)))
    number = at_once * math.ceil(2 * count / at_once)
    return every if number >= len(every) else _balanced(count, size, number)


def _balanced(count: int, size: int, number: int) -> list[tuple[int, ...]]:
    """A choice of tables at which all sit equally often, and every two meet so as nearly as a search of limited time brings it about."""
    found, draw = _Tables(count, size, number), Random(number)
    for step in range(_STEPS):
        if found.even:
            break
        found.exchange(draw, _HEAT * (1 - step / _STEPS))
    return sorted({tuple(sorted(table)) for table in found.tables})


class _Tables:
    """Tables whose policies change places until every two meet equally often: simulated annealing."""

    def __init__(self, count: int, size: int, number: int) -> None:
        self.tables = [frozenset((size * at + seat) % count for seat in range(size)) for at in range(number)]
        self._there = Counter(self.tables)
        self._met = [
            [sum(one != other and {one, other} <= table for table in self.tables) for other in range(count)] for one in range(count)
        ]
        pairs = count * (count - 1) // 2
        meetings = number * size * (size - 1) // 2
        self._uneven = sum(met**2 for row in self._met for met in row) // 2 - meetings**2 // pairs  # 0 if every two meet equally often

    @property
    def even(self) -> bool:
        """Whether every two meet equally often, and no table is there twice."""
        return self._uneven == 0 and len(self._there) == len(self.tables)

    def exchange(self, draw: Random, heat: float) -> None:
        """Lets two policies of two tables change places, if that evens things out or, the hotter the likelier, even if it does not."""
        one, other = draw.sample(range(len(self.tables)), 2)
        a, b = self.tables[one], self.tables[other]
        if a == b:
            return
        x, y = draw.choice(sorted(a - b)), draw.choice(sorted(b - a))
        new_a, new_b, only_a, only_b = a ^ {x, y}, b ^ {x, y}, a - b - {x}, b - a - {y}
        more = sum(self._met[y][z] - self._met[x][z] + 1 for z in only_a) + sum(self._met[x][z] - self._met[y][z] + 1 for z in only_b)
        doubled = sum(self._there[each] > 0 for each in (new_a, new_b)) - sum(self._there[each] > 1 for each in (a, b))
        worse = more + _TWICE * doubled
        if worse > 0 and draw.random() >= math.exp(-worse / heat):
            return
        for policy, met, left in ((x, only_b, only_a), (y, only_a, only_b)):
            self._change(policy, met, 1)
            self._change(policy, left, -1)
        self._uneven += 2 * more
        self._there.update((new_a, new_b))
        self._there.subtract((a, b))
        self._there += Counter()  # without those that are there no more
        self.tables[one], self.tables[other] = new_a, new_b

    def _change(self, policy: int, others: Collection[int], by: int) -> None:
        """Counts a meeting more or less of a policy with others."""
        for other in others:
            self._met[policy][other] += by
            self._met[other][policy] += by


# -- playing ---------------------------------------------------------------------------------------


class Played(NamedTuple):
    """What came of the games: seatings x game numbers, and of ``finish`` sides in order of finish, too."""

    first: Ints  # the side that moved first
    finish: Ints  # sides in play order, the winner first; -1 from where on the rules do not rank
    turns: Ints

    @property
    def decided(self) -> npt.NDArray[np.bool_]:
        """Which games had a winner."""
        return np.asarray(self.finish[..., 0] >= 0)


def _rows(sides: tuple[tuple[int, ...], ...], ranks: bool, block: Block) -> Played:
    """What a block has to say; partners have the same win and place."""
    first, leaders = first_side(block, sides), [side[0] for side in sides]
    in_turn = (first[:, None] + np.arange(len(sides))) % len(sides)
    won, place = (np.take_along_axis(by_table_seat(block, name)[:, leaders], in_turn, axis=1) for name in ("won", "place"))
    ranked = (block.games["capped"] == 0) & ranks
    finish = _order(won, np.where(ranked[:, None], place, 2))
    finish[block.games["winner"] == NO_WINNER] = -1
    return Played(first.astype(np.int8), finish, block.games["turns"].astype(np.int32))


def _order(won: Ints, place: Ints) -> Ints:
    """Sides in the order of their places, the winner first; -1 from the first tie on."""
    key = np.where(won == 1, 0, place)
    order = np.argsort(key, axis=1, kind="stable")
    ordered = np.take_along_axis(key, order, axis=1)
    apart = np.ones(order.shape, dtype=bool)
    apart[:, :-1] = ordered[:, :-1] < ordered[:, 1:]
    return np.where(np.logical_and.accumulate(apart, axis=1), order, -1).astype(np.int8)


def play(
    design: Design, *, threads: int | None = None, stop: threading.Event | None = None, on_games: Callable[[int], None] = lambda _: None
) -> Played | None:
    """Plays all games; None if ``stop`` was set before all were played."""
    stop = stop or threading.Event()
    work = partial(_rows, design.sides, design.traits.places)
    found: list[Played] = []
    for seating in design.seatings:
        blocks = []
        for rows in map_blocks(design.task(seating), range(design.numbers), work, threads=threads, stop=stop):
            blocks.append(rows)
            on_games(len(rows.turns))
        if sum(len(rows.turns) for rows in blocks) < design.numbers:
            return None
        found.append(Played(*(np.concatenate(parts) for parts in zip(*blocks, strict=True))))
    return Played(*(np.stack(parts) for parts in zip(*found, strict=True)))


# -- what it comes to ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Duel:
    """One policy against others of another, and what the ratings say of it."""

    one: int
    others: int
    won: Estimate  # by the one side
    rated: float  # what it should win by the ratings
    misfit: Difference  # won less rated
    verdict: Verdict | None


@dataclass(frozen=True)
class Table:
    """A line-up: who sat there, how long games took, and who won."""

    line_up: tuple[int, ...]
    turns: Estimate
    won: dict[int, Estimate]  # by policy: the share won by all its sides together


@dataclass(frozen=True)
class Tournament:
    """Everything that was found."""

    design: Design
    ratings: Ratings
    zero: tuple[int, ...]  # whose mean strength is 0
    elo: tuple[Estimate, ...]  # by policy, above these
    seats: tuple[Estimate, ...]  # what a seat in play order is worth, in Elo points
    span: Estimate
    deviation: Estimate
    duels: dict[tuple[int, int], Duel]  # by the one and the others
    deviance: float  # of the duels from the ratings
    df: int
    beats: npt.NDArray[np.bool_]
    cycles: tuple[tuple[int, ...], ...]
    alpha: tuple[Estimate, ...]  # alpha-Rank
    tables: tuple[Table, ...]
    no_winner: int  # games that were cut off, of all

    @property
    def order(self) -> list[int]:
        """The policies, the strongest first."""
        return sorted(range(len(self.elo)), key=lambda at: -self.elo[at].value)

    @property
    def lead(self) -> Estimate:
        """The strongest above the second, in Elo points."""
        best, second, *_ = self.order
        return self.ratings.strength(best, [second])

    @property
    def champion(self) -> int | None:
        """Who beats every other."""
        return next((at for at, row in enumerate(self.beats) if row.sum() == len(row) - 1), None)

    @property
    def alike(self) -> tuple[Table, ...]:
        """The tables of one policy alone, by policy."""
        return tuple(sorted((each for each in self.tables if len(set(each.line_up)) == 1), key=lambda each: each.line_up))


def measure(design: Design, played: Played) -> Tournament | None:
    """Works out what the games come to; None if none of them had a winner."""
    decided = played.decided
    if not decided.any():
        return None
    ratings = rate(contests(design, played), len(design.panel))
    zero = _zero(design, ratings)
    duels = _duels(design, played, ratings)
    beats = np.zeros((len(design.panel),) * 2, dtype=bool)
    for one, other in duels:
        beats[one, other] = duels[one, other].won.low > design.fair and duels[other, one].won.high < design.fair
    told = [duel for (one, other), duel in duels.items() if len(design.sides) > 2 or one < other]
    return Tournament(
        design=design,
        ratings=ratings,
        zero=zero,
        elo=tuple(ratings.strength(at, zero) for at in range(len(design.panel))),
        seats=tuple(ratings.place(at) for at in range(len(design.sides))),
        span=ratings.span(),
        deviation=ratings.deviation(),
        duels=duels,
        deviance=sum(_deviance(duel) for duel in told),
        df=len(told) - len(design.panel) + 1,
        beats=beats,
        cycles=tuple(cycles(beats)),
        alpha=_alpha(design, played),
        tables=tuple(_table(line_up, numbers, design, played) for line_up, numbers in design.line_ups.items()),
        no_winner=int((~decided).sum()),
    )


def _zero(design: Design, ratings: Ratings) -> tuple[int, ...]:
    """Whom strengths are measured from: who plays at random or, where that one's own strength has no bound, the mean of most others."""
    most = int(np.bincount(ratings.groups).argmax())
    if design.at_random is not None and ratings.groups[design.at_random] == most:
        return (design.at_random,)
    return tuple(map(int, np.flatnonzero(ratings.groups == most)))


def contests(design: Design, played: Played) -> Contests:
    """The games with a winner, entrants in play order; games of a number are a cluster."""
    number = len(design.sides)
    in_turn = (played.first[..., None] + np.arange(number)) % number
    seated = np.broadcast_to(np.array(design.seatings)[:, None, :], in_turn.shape)
    entrants = np.take_along_axis(seated, in_turn, axis=2)
    decided = played.decided
    return Contests(entrants[decided], played.finish[decided], np.broadcast_to(np.arange(design.numbers), decided.shape)[decided])


def _wins(design: Design, played: Played, numbers: Sequence[int], policy: int) -> Floats:
    """Games that a policy won in some seatings, by game number."""
    sides = np.array([design.seatings[at] for at in numbers])
    winner = (played.first[numbers] + played.finish[numbers, :, 0]) % len(design.sides)
    won = (np.take_along_axis(sides, winner, axis=1) == policy) & played.decided[numbers]
    return np.asarray(won.sum(axis=0), dtype=float)


def _share(design: Design, played: Played, numbers: Sequence[int], policy: int) -> Estimate:
    """The share of games with a winner that a policy won in some seatings; a t interval over game numbers."""
    decided = played.decided[numbers].sum(axis=0).astype(float)
    return stats.ratio_share(_wins(design, played, numbers, policy), decided, int(decided.sum()))


def _duel_seatings(design: Design) -> Iterator[tuple[tuple[int, int], list[int]]]:
    """Of every two policies, the seatings in which one side of the first meets others of the second alone."""
    others = len(design.sides) - 1
    for one, other in permutations(range(len(design.panel)), 2):
        yield (one, other), design.line_ups[tuple(sorted((one, *(other,) * others)))]


def _duels(design: Design, played: Played, ratings: Ratings) -> dict[tuple[int, int], Duel]:
    pairs = dict(_duel_seatings(design))
    found = {
        pair: (_share(design, played, numbers, pair[0]), *_misfit(design, played, ratings, pair, numbers))
        for pair, numbers in pairs.items()
    }
    verdicts = stats.judge([misfit for _, _, misfit in found.values()], [MARGIN] * len(found), "bh")
    return {
        pair: Duel(*pair, won, rated, misfit, verdict)
        for (pair, (won, rated, misfit)), verdict in zip(found.items(), verdicts, strict=True)
    }


def _misfit(design: Design, played: Played, ratings: Ratings, pair: tuple[int, int], numbers: Sequence[int]) -> tuple[float, Difference]:
    """What the one of a duel should win by the ratings, and by how much it won more; the ratings' own errors are part of the difference."""
    decided = played.decided[numbers]
    count, games = len(design.sides), int(decided.sum())
    if not games:
        return math.nan, stats.unknown(0, "share")
    one_at = np.array([design.seatings[at].index(pair[0]) for at in numbers])
    place = ((one_at[:, None] - played.first[numbers]) % count)[decided]
    rated, slope = 0.0, np.zeros(ratings.influences.shape[1])
    for at, often in zip(*np.unique(place, return_counts=True), strict=True):
        entrants = np.full((1, count), pair[1])
        entrants[0, at] = pair[0]
        chance, slopes = ratings.chance(entrants, int(at))
        rated, slope = rated + chance * often / games, slope + slopes * often / games
    wins, all_ = _wins(design, played, numbers, pair[0]), decided.sum(axis=0).astype(float)
    error = stats.standard_error(stats.influence(wins, all_) - ratings.influences @ slope)
    return float(rated), Difference(float(wins.sum() / games - rated), error, design.numbers - 1, games, "share")


def _deviance(duel: Duel) -> float:
    """Twice the logarithm of how much likelier the share that was won is by itself than by the ratings, for all games of the duel."""
    if not duel.won.known:
        return 0.0
    seen, rated = np.array([duel.won.value, 1 - duel.won.value]), np.array([duel.rated, 1 - duel.rated])
    happened = seen > 0
    return float(2 * duel.won.n * (seen[happened] * np.log(seen[happened] / rated[happened])).sum())


def _alpha(design: Design, played: Played) -> tuple[Estimate, ...]:
    """alpha-Rank of the duels, with percentile intervals over resampled game numbers."""
    pairs = dict(_duel_seatings(design))
    wins = np.array([_wins(design, played, numbers, one) for (one, _), numbers in pairs.items()])
    decided = np.array([played.decided[numbers].sum(axis=0) for numbers in pairs.values()])
    draw, numbers = np.random.default_rng(design.seed), design.numbers
    weights = np.vstack([np.ones(numbers), draw.multinomial(numbers, np.full(numbers, 1 / numbers), BOOTSTRAPS)])
    with np.errstate(invalid="ignore"):
        shares = np.nan_to_num((weights @ wins.T) / (weights @ decided.T), nan=design.fair)
    places = tuple(np.array(list(pairs)).T)
    found = []
    for row in shares:
        payoff = np.full((len(design.panel),) * 2, design.fair)
        payoff[places] = row
        found.append(alpha_rank(payoff, len(design.sides)))
    tail = (1 - stats.LEVEL) / 2
    low, high = np.quantile(found[1:], [tail, 1 - tail], axis=0)
    games = int(decided.sum()) // (1 if len(design.sides) > 2 else 2)
    return tuple(
        Estimate(float(value), min(float(value), float(below)), max(float(value), float(above)), games, "share of time")
        for value, below, above in zip(found[0], low, high, strict=True)
    )


def _table(line_up: tuple[int, ...], numbers: Sequence[int], design: Design, played: Played) -> Table:
    turns = played.turns[numbers].sum(axis=0).astype(float)
    games = len(numbers) * design.numbers
    length = stats.ratio(turns, np.full(design.numbers, float(len(numbers))), games, "turns")
    return Table(line_up, length, {policy: _share(design, played, numbers, policy) for policy in sorted(set(line_up))})
