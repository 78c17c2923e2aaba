"""Better weights for a ruleset: a search by CMA-ES, and what its outcome is worth on games that had no part in it.

In a generation all candidates play the same game numbers at the same tables, each candidate once from every side, so that luck is common
to them; the next generation plays other numbers. At the tables sit policies of a *pool*: the start, a panel, and every earlier champion.
The middle of the candidates plays along, and becomes the champion where it clearly wins more than the one before at the same tables.

Weights are free of scale, as the best outcome is the same whatever all of them are multiplied by: ``progress`` stays as it is.

What the search went by is no measure of strength, for the luckiest looks best. So its outcome is chosen, thinned out and rounded on
other game numbers, and measured on the games of another seed.
"""

import json
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simsorry import policies, stats
from simsorry.errors import FAILURE, INVALID, MISSING, USAGE, SimsorryError
from simsorry.games.weights import MAX_WEIGHT
from simsorry.margin import Margin
from simsorry.metrics import MARGINS
from simsorry.policies import FINEST, Policy
from simsorry.results.files import trouble, write_whole
from simsorry.simulate import MAX_SEED, Block, Task, Traits, map_line_ups
from simsorry.skill import Design, Duel, change_of, deal, share_of
from simsorry.stats import Estimate, Floats, Verdict

if TYPE_CHECKING:
    from simsorry.rulesets import Ruleset

FORMAT = 1  # of a stored search, raised whenever it is continued otherwise
PANEL = ("balanced", "card-wise", "reward-v1", "homebody")
FIXED = "progress"
REDUNDANT = ("on_track",)  # the pawns that are nowhere else: what is elsewhere is weighed
IN_SQUARES = ("progress", "lead", "stake", "sorry_risk", "fight_risk", "fight_gain", "bonus_earned", "bonus_left", "bonus_lost")
WORTH, WAY = 10.0, 65  # squares that whatever is counted may be worth at first; squares of the whole way
STEP = 0.6  # standard deviation of the first candidates, in scales
TABLES = 2  # kinds of opponents in a generation
FEWEST_DEALS = 10 * TABLES
MOST_GROWTH = 20  # times that the game numbers of a generation may grow
CLEARLY = 2.0  # standard errors by which the middle must win more to become the champion
NOISE, ORDER = 0.1, 0.5  # agreement of the two halves of a generation's games below which more are played, and above which fewer
FAME = 6  # earlier champions that are met
CHOOSING = 10**11  # game numbers of the search's seed from here on choose and thin out
THINNING = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)  # parts of a scale below which weights are dropped
PROBE_GAMES, PROBE = 20, 3.0  # games that show whether a feature means anything, with a weight of so many scales
DIGITS = 2  # that weights are rounded to

WON, POINTS = "won", "points"
START = "start"
_JOB_GAMES = 500
_SETTINGS, _GENERATIONS = "settings.json", "generations.jsonl"

Weights = dict[str, float]
OnGames = Callable[[int], None]


# -- what is asked ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What is searched for: in which rules, from where, against whom, and how."""

    ruleset: "Ruleset"
    players: int
    start: Policy
    panel: tuple[Policy, ...]
    seed: int
    deals: int  # game numbers of the first generation
    features: tuple[str, ...] = ()  # that are searched; all that mean anything if none are named
    candidates: int | None = None  # of a generation; as many as suit the number of weights if it is not given
    goal: str = WON
    margin: Margin = MARGINS["policy_share"]

    @cached_property
    def design(self) -> Design:
        """The duels that measure strength: on games of the next seed, which the search does not play."""
        return Design(self.ruleset, self.players, self.start, self.deals, (self.seed + 1) % (MAX_SEED + 1), self.margin)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The table seats of each side: a player, or a team."""
        return self.design.sides

    @property
    def traits(self) -> Traits:
        """What the game has beside the plain race."""
        return self.design.traits

    @property
    def unit(self) -> float:
        """What a square is worth: the weight that stays as it is, or 1 if the start has none that is positive."""
        return max(self.start.features.get(FIXED, 0.0), 0.0) or 1.0

    @cached_property
    def base(self) -> Weights:
        """The weights of the start, with that which stays as it is."""
        return {**self.start.features, FIXED: self.unit}

    @cached_property
    def searched(self) -> tuple[str, ...]:
        """The features whose weights are searched; SimsorryError if those named can't be."""
        for name in self.features:
            if name == FIXED:
                raise SimsorryError(f"--weights {FIXED}: it stays as it is, as weights have no scale of their own; name others", USAGE)
            if name not in self._known:
                known = "`simsorry policies features` lists them"
                raise SimsorryError(f"--weights {name[:60]}: {self.ruleset.game} has no such feature; {known}", USAGE)
        usual = [name for name in self._known if name != FIXED and (name not in REDUNDANT or name in self.base)]
        wanted = [name for name in self._known if name in self.features] if self.features else usual
        meaningful = self._meaningful(wanted)
        for name in self.features:
            if name not in meaningful:
                raise SimsorryError(f"--weights {name}: under {self.ruleset.name} it changes nothing in {PROBE_GAMES} games", USAGE)
        return tuple(meaningful)

    @property
    def scales(self) -> Weights:
        """How far a weight may go at first, in units of its own: by what the start has, or what its feature may be worth in squares."""
        return {name: max(abs(self.base.get(name, 0.0)) / 2, self.worth(name)) for name in self.searched}

    @property
    def population(self) -> int:
        """Candidates of a generation: twice as many as are usual where nothing is left to chance."""
        return self.candidates or 2 * (4 + int(3 * math.log(len(self.searched))))

    @property
    def _known(self) -> tuple[str, ...]:
        return tuple(feature.name for feature in self.task([self.start] * self.players).game.FEATURES)

    def worth(self, name: str) -> float:
        """A weight by which a feature is worth about WORTH squares."""
        return self.unit * WORTH / (WAY if name.endswith(IN_SQUARES) else 1)

    def task(self, line_up: Sequence[Policy]) -> Task:
        """The games of a line-up that the search plays."""
        return Task(self.ruleset, self.players, tuple(line_up), self.seed)

    def policy(self, name: str, weights: Weights) -> Policy:
        """A policy of these weights."""
        return Policy(name, name, "", {key: weights[key] for key in self._known if weights.get(key)})

    def _meaningful(self, names: Sequence[str]) -> list[str]:
        """Those features by which a policy plays otherwise in some games, whichever way it weighs them."""
        bases = [self.base, *({**self.base, name: sign * PROBE * self.worth(name)} for name in names for sign in (1, -1))]
        tasks = [self.task([self.policy("probe", weights)] * self.players) for weights in bases]
        plain, *found = map_line_ups([(task, range(PROBE_GAMES)) for task in tasks], _all_rows)
        return [name for at, name in enumerate(names) if plain != found[2 * at] or plain != found[2 * at + 1]]

    def describe(self) -> dict[str, Any]:
        """Everything that the course of the search depends on, as plain data."""
        task = self.task([self.start] * self.players)
        return {
            "format": FORMAT,
            "cma": _cma().__version__,
            "game": self.ruleset.game,
            "version": task.game.VERSION,
            "ruleset": self.ruleset.name,
            "rules": self.ruleset.hash,
            "seat_colors": list(task.seat_colors),
            "from": {"name": self.start.name, "weights": self.start.weights},
            "against": [{"name": policy.name, "weights": policy.weights} for policy in self.panel],
            "weights": list(self.searched),
            "goal": self.goal,
            "deals": self.deals,
            "candidates": self.population,
            "seed": self.seed,
        }


def _all_rows(block: Block) -> bytes:
    return b"".join(column.tobytes() for table in (block.games, block.seats) for column in table.values())


def panel_for(game: str, start: Policy, named: Sequence[str] = ()) -> tuple[Policy, ...]:
    """The policies named, or the usual ones, but for those that play as the start or an earlier one does."""
    return tuple(policy for policy in policies.distinct(named or PANEL, game) if policy.hash != start.hash)


def _cma() -> Any:
    """The package that searches; SimsorryError if it is not installed."""
    try:
        return import_module("cma")
    except ImportError as error:
        raise SimsorryError("tune needs the package cma, which is not installed: pip install 'simsorry[tune]'", MISSING) from error


# -- playing ---------------------------------------------------------------------------------------


class Plan(NamedTuple):
    """Which games a generation plays: as many numbers at each table, one after the other."""

    first_game: int
    deals: int
    tables: tuple[tuple[str, ...], ...]  # who sits on the other sides, by name in the pool


Play = Callable[[Sequence[Policy], Plan, dict[str, Policy]], Floats | None]


def play_tables(
    asked: Asked, candidates: Sequence[Policy], plan: Plan, pool: dict[str, Policy], *, threads: int | None, stop: threading.Event,
    on_games: OnGames,
) -> Floats | None:  # fmt: skip
    """What each candidate got of every deal, from 0 to 1: candidates x deals. None if ``stop`` was set before all were played."""
    jobs = list(_jobs(asked, candidates, plan, pool))
    own, every = np.zeros((len(candidates), plan.deals)), np.zeros((len(candidates), plan.deals))
    tasks = [(task, games) for _, _, task, games in jobs]
    done = 0
    for (candidate, at, _, games), found in zip(
        jobs, map_line_ups(tasks, partial(_taken, asked), threads=threads, stop=stop), strict=False
    ):
        there = slice(games.start - plan.first_game, games.stop - plan.first_game)
        own[candidate, there] += found[:, at]
        every[candidate, there] += found.sum(axis=1)
        on_games(len(games))
        done += 1
    if done < len(jobs):
        return None
    shares: Floats = np.full_like(own, 1 / len(asked.sides))
    np.divide(own, every, out=shares, where=every > 0)
    return shares


def _jobs(asked: Asked, candidates: Sequence[Policy], plan: Plan, pool: dict[str, Policy]) -> Iterator[tuple[int, int, Task, range]]:
    """Candidate, its side, and the games: every table with every side as the candidate's."""
    each, count = plan.deals // len(plan.tables), len(asked.sides)
    for number, rest in enumerate(plan.tables):
        first = plan.first_game + number * each
        for candidate, policy in enumerate(candidates):
            around = [policy, *(pool[name] for name in rest)]
            for at in range(count):
                of_side = {seat: around[(side - at) % count] for side, seats in enumerate(asked.sides) for seat in seats}
                task = asked.task([of_side[seat] for seat in range(asked.players)])
                for begin in range(first, first + each, _JOB_GAMES):
                    yield candidate, at, task, range(begin, min(begin + _JOB_GAMES, first + each))


def _taken(asked: Asked, block: Block) -> Floats:
    """What each side of each game won, or scored: games x sides."""
    column = block.seats[asked.goal].reshape(-1, asked.players).astype(float)
    seated = block.seats["table_seat"].reshape(-1, asked.players)
    by_table = np.zeros_like(column)
    by_table[np.arange(block.count)[:, None], seated] = column
    return by_table[:, [side[0] for side in asked.sides]]  # partners win and score the same


# -- the search ------------------------------------------------------------------------------------


class Generation(NamedTuple):
    """A generation that has been played; together with the settings these are all that the search goes on from."""

    plan: Plan
    points: list[list[float]]  # what the candidates weighed, in scales
    shares: list[float]  # what they got
    middle: float  # what the middle of them got
    champion: float  # what the champion got in the same games
    crowned: bool  # whether the middle is the champion from now on
    agreement: float  # rank correlation of the candidates in one half of the games and in the other
    step: float  # standard deviation of the candidates


class Search:
    """The state of a search: a function of the settings and of the generations played."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.history: list[Generation] = []
        self.pool = {START: asked.start, **{policy.name: policy for policy in asked.panel}}
        self.champion = START
        self._names, self._scales = list(asked.scales), np.array(list(asked.scales.values()))
        if len(self._names) < 2:
            raise SimsorryError(f"--weights {','.join(self._names)}: at least two weights must be free to be searched", USAGE)
        random = np.random.default_rng([asked.seed, 0])
        options = {"popsize": asked.population, "seed": math.nan, "randn": lambda *shape: random.standard_normal(shape)}
        options |= {"verbose": -9, "verb_log": 0}
        self._strategy = _cma().CMAEvolutionStrategy(self._at(asked.base), STEP, options)
        self._asked_for: list[Floats] | None = None
        self._deals = asked.deals // TABLES * TABLES
        self._agreement = 0.5
        self._middles: list[Floats] = []

    @property
    def candidates(self) -> int:
        """Candidates of a generation, without the middle and the champion."""
        return int(self._strategy.popsize)

    @property
    def games_next(self) -> int:
        """Games of the next generation."""
        return (self.candidates + 2) * self._deals * len(self.asked.sides)

    @property
    def games(self) -> int:
        """Games played so far."""
        return sum((self.candidates + 2) * each.plan.deals for each in self.history) * len(self.asked.sides)

    def weights(self, point: Floats | Sequence[float]) -> Weights:
        """The weights at a point, within what a policy may have."""
        found = np.clip(np.asarray(point) * self._scales, -MAX_WEIGHT, MAX_WEIGHT)
        found[np.abs(found) < FINEST] = 0
        return {**self.asked.base, **{name: float(weight) for name, weight in zip(self._names, found, strict=True)}}

    def _at(self, weights: Weights) -> Floats:
        point: Floats = np.array([weights.get(name, 0.0) for name in self._names]) / self._scales
        return point

    def plan(self) -> Plan:
        """The games of the next generation: half of them against the champion, half against one of the pool or, in turn, several."""
        number, sides = len(self.history), len(self.asked.sides)
        draw = np.random.default_rng([self.asked.seed, 1, number])
        crowned = [name for name in self.pool if name.startswith("generation ")]
        met = [name for name in self.pool if name not in crowned[:-FAME]]
        drawn = tuple(str(name) for name in draw.choice(met, sides - 1))
        first = sum(each.plan.deals for each in self.history)
        return Plan(first, self._deals, ((self.champion,) * (sides - 1), drawn if number % 2 else drawn[:1] * (sides - 1)))

    def step(self, play: Play) -> Generation | None:
        """Plays a generation; None, and nothing has happened, if it was not played to the end."""
        plan, points = self.plan(), self._points()
        middle = self._strategy.mean.copy()
        weighed = [*(self.weights(point) for point in points), self.weights(middle)]
        candidates = [self.asked.policy(f"candidate {at}", weights) for at, weights in enumerate(weighed)]
        got = play([*candidates, self.pool[self.champion]], plan, self.pool)
        if got is None:
            return None
        ahead = got[-2] - got[-1]
        error = float(ahead.std(ddof=1)) / math.sqrt(len(ahead))
        made = Generation(
            plan, [[float(value) for value in point] for point in points], [float(share) for share in got[:-2].mean(axis=1)],
            float(got[-2].mean()), float(got[-1].mean()), bool(ahead.mean() > CLEARLY * error), _agreement(got[:-2]),
            float(self._strategy.sigma),
        )  # fmt: skip
        self.absorb(made)
        return made

    def absorb(self, made: Generation) -> None:
        """Goes on from a generation that was played. Raises SimsorryError if this search would not have come to it."""
        points = self._points()
        if made.plan != self.plan() or [list(point) for point in points] != made.points:
            raise SimsorryError(
                f"generation {len(self.history) + 1} of the stored search is not what its settings lead to on this machine, with these "
                "versions of cma and numpy: name another folder with --state, and begin anew",
                FAILURE,
            )
        if made.crowned:
            self.champion = f"generation {len(self.history)}"
            self.pool[self.champion] = self.asked.policy(self.champion, self.weights(self._strategy.mean))
        self._strategy.tell(points, [-share for share in made.shares])
        self._asked_for = None
        self._middles.append(self._strategy.mean.copy())
        self._agreement += 0.2 * (made.agreement - self._agreement)
        if self._agreement < NOISE:
            self._deals = min(self._deals * 6 // 5, MOST_GROWTH * self.asked.deals) // TABLES * TABLES
        elif self._agreement > ORDER:
            self._deals = max(self._deals * 5 // 6, self.asked.deals) // TABLES * TABLES
        self.history.append(made)

    def _points(self) -> list[Floats]:
        """Where the candidates of the next generation are; the strategy draws them once."""
        if self._asked_for is None:
            self._asked_for = self._strategy.ask()
        return self._asked_for

    def finalists(self) -> dict[str, Weights]:
        """What may be the outcome of at least one generation: where the search was on the average lately, where it is, and its champion."""
        late = self._middles[len(self._middles) // 2 :]
        found = {"average": self.weights(np.mean(late, axis=0)), "last": self.weights(late[-1])}
        if self.champion != START:
            found["champion"] = self.pool[self.champion].features
        return found


@dataclass(frozen=True)
class Budget:
    """How long a search goes on: until the first of these is reached."""

    generations: int
    games: int | None = None
    seconds: float | None = None  # of this run

    def left(self, search: Search, since: float) -> bool:
        """Whether there is still something of it; ``since`` is when this run began, by the monotonic clock."""
        within = self.games is None or search.games + search.games_next <= self.games
        in_time = self.seconds is None or time.monotonic() - since < self.seconds
        return len(search.history) < self.generations and within and in_time


def go_on(search: Search, play: Play, budget: Budget, on_generation: Callable[[Generation], None]) -> bool:
    """Plays generations until the budget is used up, or nothing is played any more; whether it was used up."""
    since = time.monotonic()
    while budget.left(search, since):
        made = search.step(play)
        if made is None:
            return False
        on_generation(made)
    return True


def _agreement(got: Floats) -> float:
    """Rank correlation of the rows in the even columns and in the odd ones; 0 if one of the two has no order."""
    from scipy import stats as scipy_stats

    even, odd = got[:, ::2].mean(axis=1), got[:, 1::2].mean(axis=1)
    return float(scipy_stats.spearmanr(even, odd).statistic) if even.std() and odd.std() else 0.0


# -- stored on the way -----------------------------------------------------------------------------


class Store:
    """The folder of a search: its settings, and a line for each generation."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines: list[str] = []

    def open(self, asked: Asked) -> Search:
        """The search as far as it has come; SimsorryError if the folder holds anything else."""
        settings, search = asked.describe(), Search(asked)
        path = self._folder / _SETTINGS
        try:
            if not path.exists():
                self._begin(settings)
                return search
            stored = json.loads(path.read_text(encoding="utf-8"))
            lines = self._folder / _GENERATIONS
            self._lines = lines.read_text(encoding="utf-8").splitlines() if lines.exists() else []
            self._compare(stored, settings)
            for line in self._lines:
                search.absorb(_generation(json.loads(line)))
        except OSError as error:
            raise trouble(error, self._folder, FAILURE) from error
        except (ValueError, TypeError, KeyError) as error:
            raise SimsorryError(
                f"{self._folder}: what is stored there can't be read as a search; name another folder with --state"
            ) from error
        return search

    def add(self, made: Generation) -> None:
        """Stores a generation: whole or not at all."""
        self._lines.append(json.dumps({**made._asdict(), "plan": made.plan._asdict()}))
        write_whole(self._folder / _GENERATIONS, "".join(f"{line}\n" for line in self._lines).encode())

    def _begin(self, settings: dict[str, Any]) -> None:
        if self._folder.is_dir() and any(self._folder.iterdir()):
            raise SimsorryError(f"{self._folder} holds something else than a search for weights: name another folder with --state", INVALID)
        self._folder.mkdir(parents=True, exist_ok=True)
        write_whole(self._folder / _SETTINGS, f"{json.dumps(settings, indent=1)}\n".encode())

    def _compare(self, stored: dict[str, Any], settings: dict[str, Any]) -> None:
        for key, value in settings.items():
            if stored.get(key) != value:
                told = ""
                if not isinstance(value, (dict, list)):
                    told = f" ({str(stored.get(key))[:60]} there, {str(value)[:60]} here)"
                raise SimsorryError(
                    f"{self._folder} holds a search with another setting of {key!r}{told}: name another folder with --state", INVALID
                )


def _generation(row: dict[str, Any]) -> Generation:
    plan = row.pop("plan")
    return Generation(Plan(plan["first_game"], plan["deals"], tuple(map(tuple, plan["tables"]))), **row)


# -- the outcome -----------------------------------------------------------------------------------


def choose(search: Search, play: Play, deals: int) -> Weights | None:
    """The best of the finalists, thinned out and rounded as far as that costs nothing; None if it was not played to the end.

    Of the versions that win as much as the best one, but for half a standard error, it takes the one with the fewest weights.
    """
    asked = search.asked
    finalists = list(search.finalists().values())
    best = _compared(search, play, finalists, deals, CHOOSING)
    if best is None:
        return None
    weights = finalists[int(best.mean(axis=1).argmax())]
    thin = [thinned(weights, asked, part) for part in THINNING]
    got = _compared(search, play, thin, deals, CHOOSING + deals)
    if got is None:
        return None
    top = int(got.mean(axis=1).argmax())
    behind = got[top] - got
    enough = behind.mean(axis=1) <= behind.std(axis=1, ddof=1) / math.sqrt(got.shape[1]) / 2
    return min((version for version, fine in zip(thin, enough, strict=True) if fine), key=len)


def _compared(search: Search, play: Play, versions: Sequence[Weights], deals: int, first_game: int) -> Floats | None:
    """What each of some versions gets against the start, the champion and each of the panel."""
    rest = len(search.asked.sides) - 1
    opponents = dict.fromkeys([START, search.champion, *(policy.name for policy in search.asked.panel)])
    plan = Plan(first_game, deals // len(opponents) * len(opponents), tuple((name,) * rest for name in opponents))
    return play([search.asked.policy("version", weights) for weights in versions], plan, search.pool)


def compared_games(asked: Asked, deals: int) -> int:
    """Games that choosing and thinning out take, about."""
    return (3 + len(THINNING)) * deals * len(asked.sides)


def thinned(weights: Weights, asked: Asked, part: float) -> Weights:
    """Weights rounded, without those that were searched and are smaller than a part of what their feature may be worth."""
    small = {name for name in asked.searched if abs(weights.get(name, 0.0)) < part * asked.worth(name)}
    rounded = {name: round_to(weight, DIGITS) if name != FIXED else weight for name, weight in weights.items() if name not in small}
    return {name: weight for name, weight in rounded.items() if abs(weight) >= FINEST}


def round_to(value: float, digits: int) -> float:
    """A number to so many significant digits."""
    return float(f"{value:.{digits}g}")


# -- what it is worth ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Check:
    """What one side of one policy wins against another on all the others, on games that took no part in the search."""

    one: str
    others: str
    share: Estimate
    verdict: Verdict | None


@dataclass(frozen=True)
class Tuned:
    """What a search came to."""

    asked: Asked
    search: Search
    weights: Weights
    checks: tuple[Check, ...]  # against the start, the start against it, and against each of the panel
    ahead: Estimate  # what it wins as the one among the start's, less what the start wins as the one among its own
    deals: int  # game numbers of each check

    @property
    def fair(self) -> float:
        """What each side wins where all play alike."""
        return self.asked.design.fair

    @property
    def better(self) -> bool:
        """Whether it beats the start, by both of their duels together: the whole interval of how far it is ahead lies above 0."""
        return self.ahead.known and self.ahead.low > 0


def check(
    search: Search, weights: Weights, name: str, deals: int, *, threads: int | None = None, stop: threading.Event | None = None,
    on_games: OnGames = lambda _: None,
) -> Tuned | None:  # fmt: skip
    """Measures what weights are worth on fresh games; None if ``stop`` was set before all were played."""
    asked, tuned = search.asked, search.asked.policy(name, weights)
    design = replace(asked.design, deals=deals)
    pairs = duels(asked, tuned)
    dealt = []
    for duel in pairs:
        found = deal(design, duel, threads=threads, stop=stop, on_games=on_games)
        if found is None:
            return None
        dealt.append(found)
    verdicts = stats.judge([change_of(each, design.fair) for each in dealt], [asked.margin.of(design.fair)] * len(dealt))
    checks = tuple(
        Check(duel.one.name, duel.others.name, share_of(each), verdict) for duel, each, verdict in zip(pairs, dealt, verdicts, strict=True)
    )
    ahead = stats.ratio(dealt[0].wins - dealt[1].wins, np.full(deals, float(len(design.sides))), checks[0].share.n, "share")
    return Tuned(asked, search, weights, checks, ahead, deals)


def duels(asked: Asked, tuned: Policy) -> list[Duel]:
    """The duels of the check: with the start, of the start with it, and with each of the panel."""
    pairs = [(tuned, asked.start), (asked.start, tuned), *((tuned, policy) for policy in asked.panel)]
    return [Duel(one.name, "", one, others) for one, others in pairs]


def checked_games(asked: Asked, deals: int) -> int:
    """Games that the check takes."""
    return (2 + len(asked.panel)) * deals * len(asked.sides)
