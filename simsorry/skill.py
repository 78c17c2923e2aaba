"""Skill against luck: what careful play is worth in a ruleset, measured by playing the same games with other players in the seats.

In a *duel* one side plays one way and all others another. Every game number is played once with each side as that one, so that the mean
over these games, a *deal*, is free of what a seat or the first move is worth: where all play alike, the one side wins exactly its fair
share of every deal. Deals are the unit of replication. A side is a player or, in team play, a team.
"""

import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry import policies, stats
from simsorry.games.weights import MISTAKES, RANDOM_FROM
from simsorry.margin import Margin
from simsorry.metrics import MARGINS
from simsorry.simulate import Block, Task, Traits, map_blocks
from simsorry.stats import Difference, Estimate, Floats, Verdict

if TYPE_CHECKING:
    from simsorry.policies import Policy
    from simsorry.rulesets import Ruleset

MISTAKEN = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)  # shares of decisions that are left to chance
RANDOM_AFTER = (0.25, 0.5, 0.75)  # shares of the way after which all of them are
ONE_PAWN = "balanced-one-pawn"
RESTRICTIONS = (
    "balanced-no-bumps",
    ONE_PAWN,
    "balanced-no-backward",
    "balanced-no-swaps",
    "balanced-no-splits",
    "balanced-foremost",
    "balanced-rearmost",
    "balanced-blind",
)
GROUPS = 200  # of deals that are left out in turn, for the errors of what is no ratio of sums
FEWEST_DEALS = 20
PARTS = ("policy", "seat", "luck", "policy_luck", "rest")  # of the variance; they add up to 1
LUCK = "luck"  # a column of the seats table: what a player's cards were worth above what was to be expected of the pile

_ALPHA = 1 - stats.LEVEL


# -- what is played --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Duel:
    """One side that plays one way, and all the others another."""

    name: str
    told: str  # how the one plays, in words
    one: "Policy"
    others: "Policy"


@dataclass(frozen=True)
class Design:
    """What is asked: of which rules, which careful policy, and how many deals."""

    ruleset: "Ruleset"
    players: int
    careful: "Policy"
    deals: int
    seed: int
    margin: Margin = MARGINS["policy_share"]

    @cached_property
    def alike(self) -> Task:
        """The games of careful players alone."""
        return self.task([self.careful] * self.players)

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

    @cached_property
    def at_random(self) -> "Policy":
        """Who chooses at random."""
        return policies.load("random", self.ruleset.game)

    @property
    def measures_luck(self) -> bool:
        """Whether the game keeps what each player's cards were worth."""
        return any(column.name == LUCK for column in self.alike.game.SEAT_COLUMNS)

    @cached_property
    def skilled(self) -> Duel:
        """The careful player against players who choose at random."""
        return Duel(self.careful.name, "careful", self.careful, self.at_random)

    @cached_property
    def duels(self) -> dict[str, tuple[Duel, ...]]:
        """The duels of a weakened player against careful ones, by what weakens it."""
        return {
            "mistakes": tuple(self._careless(MISTAKES, share, f"{share:.0%} of its decisions at random") for share in MISTAKEN),
            "restricted": tuple(Duel(each.name, each.title.rpartition(", but ")[2], each, self.careful) for each in self._restricted()),
            "random_from": tuple(self._careless(RANDOM_FROM, share, f"at random from {share:.0%} of its way on") for share in RANDOM_AFTER),
        }

    @property
    def games(self) -> int:
        """All games that are played."""
        duels = 1 + sum(map(len, self.duels.values()))
        return self.deals * (duels * len(self.sides) + self.measures_luck)

    def task(self, line_up: Sequence["Policy"]) -> Task:
        """The games of one line-up."""
        return Task(self.ruleset, self.players, tuple(line_up), self.seed)

    def arrangement(self, duel: Duel, at: int) -> Task:
        """The games in which side ``at`` is the one."""
        return self.task([duel.one if seat in self.sides[at] else duel.others for seat in range(self.players)])

    def _careless(self, how: str, share: float, told: str) -> Duel:
        name = f"{self.careful.name}~{how}={share:g}"
        return Duel(name, told, replace(self.careful, name=name, weights={**self.careful.weights, how: share}), self.careful)

    def _restricted(self) -> "Iterator[Policy]":
        """The careful policy under each restriction that means anything in this game."""
        for name in RESTRICTIONS:
            policy = policies.restricted(name, self.careful, self.ruleset.game)
            # Who may always pass would never start a pawn rather than start one at a time.
            passes = name == ONE_PAWN and not getattr(self.ruleset.rules, "must_move", True)
            if policy.weights != self.careful.weights and not passes:
                yield policy


# -- playing ---------------------------------------------------------------------------------------


class Dealt(NamedTuple):
    """What a duel came to, deal by deal."""

    wins: Floats  # games won by the one side
    decided: Floats  # games with a winner
    cubes: Mapping[str, Floats]  # by measure: deals x sides in play order x players, the one first


class _Rows(NamedTuple):
    """Some games of one arrangement."""

    decided: Floats
    first: Floats  # the side that moves first
    values: Mapping[str, Floats]  # by measure: games x sides as in ``Design.sides``


def _rows(sides: tuple[tuple[int, ...], ...], measures: Sequence[str], block: Block) -> _Rows:
    """What a block has to say of each side; partners have the same win, place and points, and their luck is added up."""
    values = {}
    for name in measures:
        by_table = by_table_seat(block, name).astype(float)
        added = sum if name == LUCK else _first
        values[name] = np.column_stack([added(by_table[:, seat] for seat in side) for side in sides])
    return _Rows((block.games["winner"] < block.players).astype(float), first_side(block, sides).astype(float), values)


def by_table_seat(block: Block, name: str) -> NDArray[Any]:
    """A column of the seats table as games x table seats."""
    column, seated = (block.seats[each].reshape(-1, block.players) for each in (name, "table_seat"))
    found = np.zeros_like(column)
    np.put_along_axis(found, seated.astype(np.intp), column, axis=1)
    return found


def first_side(block: Block, sides: tuple[tuple[int, ...], ...]) -> NDArray[np.intp]:
    """Which side moved first in each game."""
    return np.asarray(np.argmax([np.isin(block.games["first_seat"], side) for side in sides], axis=0))


def _first(columns: Iterator[Floats]) -> Floats:
    return next(columns)


def _played(
    task: Task, sides: tuple[tuple[int, ...], ...], measures: Sequence[str], deals: int, threads: int | None, stop: threading.Event,
    on_games: Callable[[int], None],
) -> _Rows | None:  # fmt: skip
    """All games of an arrangement; None if ``stop`` was set before."""
    found = []
    for rows in map_blocks(task, range(deals), partial(_rows, sides, measures), threads=threads, stop=stop):
        found.append(rows)
        on_games(len(rows.decided))
    if sum(len(rows.decided) for rows in found) < deals:
        return None
    decided, first = (np.concatenate([getattr(rows, name) for rows in found]) for name in ("decided", "first"))
    return _Rows(decided, first, {name: np.concatenate([rows.values[name] for rows in found]) for name in measures})


def deal(
    design: Design, duel: Duel, measures: Sequence[str] = (), *, threads: int | None = None, stop: threading.Event | None = None,
    on_games: Callable[[int], None] = lambda _: None,
) -> Dealt | None:  # fmt: skip
    """Plays a duel; None if ``stop`` was set before all of it was played. ``measures`` are columns of seats to make cubes of."""
    sides, stop = design.sides, stop or threading.Event()
    count, asked = len(sides), ("won", *measures)
    wins, decided = np.zeros(design.deals), np.zeros(design.deals)
    cubes = {name: np.zeros((design.deals, count, count)) for name in measures}
    for at in range(count):
        rows = _played(design.arrangement(duel, at), sides, asked, design.deals, threads, stop, on_games)
        if rows is None:
            return None
        wins += rows.values["won"][:, at]
        decided += rows.decided
        for side in range(count):
            order = (side - rows.first.astype(int)) % count
            for name, cube in cubes.items():
                cube[np.arange(design.deals), order, (side - at) % count] = rows.values[name][:, side]
    return Dealt(wins, decided, cubes)


# -- what it comes to ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Weakened:
    """What one weakened side wins against careful ones, and what it is the worse for it."""

    name: str
    told: str
    share: Estimate  # of the games with a winner
    change: Estimate  # of the share from the fair one
    verdict: Verdict | None


@dataclass(frozen=True)
class Skill:
    """Everything that was found."""

    design: Design
    share: Estimate  # won by the careful side against random ones
    gap: Estimate  # of the way from the fair share to all games
    weakened: dict[str, tuple[Weakened, ...]]  # by what weakens it, as in ``Design.duels``
    parts: dict[str, dict[str, Estimate]]  # by measure: shares of the variance where one careful side meets random ones
    luck: Estimate | None  # share of winning that a careful player's cards explain among careful players, where the game keeps that
    no_winner: int  # games that were cut off, of all

    @property
    def games_each(self) -> int:
        """Games of one duel."""
        return self.design.deals * len(self.design.sides)


def measure(
    design: Design, *, threads: int | None = None, stop: threading.Event | None = None, on_games: Callable[[int], None] = lambda _: None
) -> Skill | None:
    """Plays all duels and works out what they come to; None if ``stop`` was set before all were played."""
    stop = stop or threading.Event()
    play = partial(deal, design, threads=threads, stop=stop, on_games=on_games)
    skilled = play(design.skilled, measures_of(design.traits))
    dealt = {kind: _all_there([play(duel) for duel in duels]) for kind, duels in design.duels.items()}
    luck = _played(design.alike, design.sides, ("won", LUCK), design.deals, threads, stop, on_games) if design.measures_luck else None
    if skilled is None or None in dealt.values() or (luck is None and design.measures_luck):
        return None
    weakened = {kind: _weakened(design, design.duels[kind], each) for kind, each in dealt.items() if each is not None}
    won = share_of(skilled)
    everything = [skilled, *(each for found in dealt.values() for each in found or ())]
    return Skill(
        design=design,
        share=won,
        gap=gap_of(won, design.fair),
        weakened=weakened,
        parts={name: variance_parts(cube) for name, cube in skilled.cubes.items()},
        luck=luck_share(luck.values["won"], luck.values[LUCK]) if luck else None,
        no_winner=sum(each.wins.size * len(design.sides) - int(each.decided.sum()) for each in everything),
    )


def _all_there(dealt: Sequence[Dealt | None]) -> list[Dealt] | None:
    """The duels, if all of them were played."""
    there = [each for each in dealt if each is not None]
    return there if len(there) == len(dealt) else None


def measures_of(traits: Traits) -> tuple[str, ...]:
    """Columns of the seats table whose variance is taken apart."""
    return ("won", "place", "points") if traits.points else ("won", "place")


def share_of(dealt: Dealt) -> Estimate:
    """The share of games won by the one side, of those with a winner; a t interval over deals."""
    return stats.ratio_share(dealt.wins, dealt.decided, int(dealt.decided.sum()))


def gap_of(share: Estimate, fair: float) -> Estimate:
    """How much of the way from the fair share to all games a share is: 0 a lottery, 1 a certain win."""
    value, low, high = ((each - fair) / (1 - fair) for each in (share.value, share.low, share.high))
    return Estimate(value, low, high, share.n, "part of the way", share.level)


def change_of(dealt: Dealt, fair: float) -> Difference:
    """The share minus the fair one, which the same games with equal players give without any error."""
    share = share_of(dealt)
    if not share.known:
        return stats.unknown(0, "share")
    error = stats.standard_error(stats.influence(dealt.wins, dealt.decided))
    if share.value in (0, 1):  # as uncertain as Wilson's interval is wide
        error = (share.high - share.low) / (2 * Difference(0.0, 1.0, math.inf, 1, "share").interval()[1])
    return Difference(share.value - fair, error, len(dealt.wins) - 1, share.n, "share")


def _weakened(design: Design, duels: Sequence[Duel], dealt: Sequence[Dealt]) -> tuple[Weakened, ...]:
    verdicts = stats.judge([change_of(each, design.fair) for each in dealt], [design.margin.of(design.fair)] * len(dealt), "bh")
    shares = [share_of(each) for each in dealt]
    return tuple(
        Weakened(duel.name, duel.told, share, less(share, design.fair), verdict)
        for duel, share, verdict in zip(duels, shares, verdicts, strict=True)
    )


def less(share: Estimate, fair: float) -> Estimate:
    """A share minus one that is known without error."""
    return replace(share, value=share.value - fair, low=share.low - fair, high=share.high - fair)


# -- where the differences come from ---------------------------------------------------------------


class _Sums(NamedTuple):
    """Sums over deals that all sums of squares can be made of; of some deals, or of all."""

    deals: Floats
    total: Floats
    squares: Floats  # of every number
    by_seat: Floats  # means over players, added up; then the same by player, and by arrangement
    by_player: Floats
    by_turn: Floats
    seat_squares: Floats  # squares of these means of each deal
    player_squares: Floats
    turn_squares: Floats
    deal_squares: Floats  # of each deal's own mean


def variance_parts(cube: Floats) -> dict[str, Estimate]:
    """Shares of the variance of a measure, with jackknife intervals over the deals; they add up to 1.

    ``cube[d, s, p]`` is what player ``p`` came to in seat ``s`` of deal ``d``, every player having sat once in every seat, in games that
    have ``s - p`` in common. The parts are those of an analysis of variance of Latin squares, one for each deal, each freed of the noise
    that its squares hold (omega squared): who plays (``policy``), the seat (``seat``), the luck of a seat in a deal, whoever sits there
    (``luck``), what a deal means for a player in any seat (``policy_luck``), and what is left (``rest``). With two sides, a player's
    fortune in a deal can't be told from what is left, and is part of it.
    """
    groups = np.array_split(np.arange(len(cube)), min(GROUPS, len(cube)))
    whole = _sums(cube)
    parts = _parts(_added(whole), cube.shape[1])
    left_out = [_added(_Sums(*(each[group] for each in whole))) for group in groups]
    others = _Sums(*(all_ - np.array(left) for all_, left in zip(_added(whole), zip(*left_out, strict=True), strict=True)))
    replicates = _parts(others, cube.shape[1])
    return {name: _jackknifed(float(parts[name]), replicates[name], len(cube) * cube.shape[1]) for name in PARTS}


def _sums(cube: Floats) -> _Sums:
    """Those of each deal."""
    sides = cube.shape[1]
    seat, player = cube.mean(axis=2), cube.mean(axis=1)
    places = np.arange(sides)
    turn = np.stack([cube[:, (places + shift) % sides, places].mean(axis=1) for shift in range(sides)], axis=1)
    return _Sums(
        deals=np.ones(len(cube)),
        total=cube.sum(axis=(1, 2)),
        squares=(cube**2).sum(axis=(1, 2)),
        by_seat=seat,
        by_player=player,
        by_turn=turn,
        seat_squares=(seat**2).sum(axis=1),
        player_squares=(player**2).sum(axis=1),
        turn_squares=(turn**2).sum(axis=1),
        deal_squares=cube.mean(axis=(1, 2)) ** 2,
    )


def _added(sums: _Sums) -> _Sums:
    return _Sums(*(np.asarray(each.sum(axis=0)) for each in sums))


def _parts(sums: _Sums, sides: int) -> dict[str, Floats]:
    """The shares that sums over deals come to, for one set of sums or many at once."""
    deals, cells = sums.deals, sides**2
    mean_square = sums.total**2 / (deals * cells)
    main = {
        name: sides * (means**2).sum(axis=-1) / deals - mean_square
        for name, means in (("seat", sums.by_seat), ("policy", sums.by_player), ("turn", sums.by_turn))
    }
    squares = {"seat": sums.seat_squares, "policy": sums.player_squares, "turn": sums.turn_squares}
    own = {name: sides * squares[name] - cells * sums.deal_squares - main[name] for name in main}  # beside what all deals have in common
    total = sums.squares - mean_square
    left = total - (cells * sums.deal_squares - mean_square) - sum(main.values()) - sum(own.values())
    df, df_left = (deals - 1) * (sides - 1), deals * (sides - 1) * (sides - 2)
    noise = left / df_left if sides > 2 else own["policy"] / df
    found = {
        "policy": main["policy"] - own["policy"] / (deals - 1),
        "seat": main["seat"] - own["seat"] / (deals - 1),
        "luck": own["seat"] - df * noise,
        "policy_luck": own["policy"] - df * noise,
    }
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = {name: part / total for name, part in found.items()}
    return {**shares, "rest": 1 - sum(shares.values())}


def _jackknifed(value: float, replicates: Floats, n: int) -> Estimate:
    """A share with a t interval from what it is with each group of deals left out."""
    groups = len(replicates)
    if groups < 2 or not math.isfinite(value):
        return Estimate(value, -math.inf, math.inf, n, "share")
    error = math.sqrt((groups - 1) / groups * float(((replicates - replicates.mean()) ** 2).sum()))
    low, high = Difference(value, error, groups - 1, n, "share").interval()
    return Estimate(value, low, high, n, "share")


def luck_share(won: Floats, luck: Floats) -> Estimate:
    """Share of winning that luck explains: R squared of ``won`` on a side's own ``luck`` less the mean of the others'.

    Both are games x sides. The interval is a jackknife over groups of games, and ends at 0.
    """
    sides = luck.shape[1]
    lead = (luck - luck.mean(axis=1, keepdims=True)) * sides / (sides - 1)
    sums = np.stack([each.sum(axis=1) for each in (np.ones_like(lead), lead, won, lead**2, won**2, lead * won)])
    groups = np.array_split(np.arange(len(luck)), min(GROUPS, len(luck)))
    whole = sums.sum(axis=1)
    replicates = np.stack([whole - sums[:, group].sum(axis=1) for group in groups], axis=1)
    found = _jackknifed(float(_r_squared(whole)), _r_squared(replicates), len(won))
    return replace(found, low=max(found.low, 0.0), high=min(found.high, 1.0))


def _r_squared(sums: Floats) -> Floats:
    n, x, y, xx, yy, xy = sums
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((xy - x * y / n) ** 2 / ((xx - x**2 / n) * (yy - y**2 / n)))
