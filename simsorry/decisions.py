"""What decisions are worth: every outcome of every decision of some games, gauged by the chance to win that it leaves the mover.

The gauge (``gauging``) is fitted to round ends of other games. Here it is asked of the position after each outcome, with the seats in the
order in which they move from there. It sees pawns, not cards: of two outcomes that leave the same position none is better.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from simsorry import gauging, offers
from simsorry.games.options import CARDS, COLORS
from simsorry.games.records import EXP_STEPS
from simsorry.gauge import Gauge
from simsorry.offers import HOME, SAFE, SQUARES, START, Bools, Ints, Offer
from simsorry.simulate import Task
from simsorry.stats import Estimate, Floats, ratio, ratio_share

REAL_CHANCE, REAL_SQUARES = 0.01, 5  # by what the best and the worst outcome of a real choice differ at least
HOPELESS, KINGMAKING = 0.05, 0.10  # the chance of who has nothing to play for, and what such a player's choice means for another one
LARGEST = 5  # swings that are told one by one

_NOT_PLAYED = ("pass", "throw", "nothing")  # kinds of what is done with a hand without a card played
_EPSILON = 1e-9


@dataclass(frozen=True)
class Swing:
    """How a card changed its player's chance to win."""

    change: float
    game: int
    turn: int
    color: str
    card: str
    did: str


@dataclass
class Counts:
    """What is counted and summed up over the decisions of one game, as long as nobody has won it."""

    turns: int = 0
    choices: int = 0  # decisions with two or more outcomes, those after a winner too, as in the games table
    outcomes: int = 0  # of these
    decisions: int = 0  # the same before there is a winner
    real: int = 0  # turns with a real choice, by chances
    real_squares: int = 0  # and by squares
    offered: float = 0.0  # sum of the best chance less the mean of all outcomes
    used: float = 0.0  # sum of the chance taken less that mean
    victims: int = 0  # turns with a choice of victims
    struck: int = 0  # decisions with one, of which one was hit and one was ahead of the others
    struck_leader: int = 0
    leader_even: float = 0.0  # how many of them would hit who is ahead if all victims on offer were as likely
    leader_blind: float = 0.0  # and if all outcomes that hit somebody were
    leader_beyond: float = 0.0  # struck_leader less that
    hopeless: int = 0  # decisions of players without hope
    kingmaking: int = 0  # of these, such as decide about another one
    kingmaker: int = 0  # 1 if there is any
    kingmaker_change: float = 0.0  # the largest change of them all
    cards: Ints = field(default_factory=lambda: np.zeros(len(CARDS), np.int64))  # by card: played, with something possible or not
    swings: Floats = field(default_factory=lambda: np.zeros(len(CARDS)))  # by card: sum of the changes of the mover's chance
    largest: Ints = field(default_factory=lambda: np.zeros(len(CARDS), np.int64))  # by card: 1 for that of the largest gain


@dataclass(frozen=True)
class Decisions:
    """What was found in all games."""

    task: Task
    gauge: Gauge
    by_game: Sequence[Counts]
    largest: Sequence[Swing]  # gains first to last

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.by_game)

    @property
    def sides(self) -> int:
        """Number of players, or of teams."""
        return len(self.task.traits.teams) or self.task.players

    @cached_property
    def _columns(self) -> dict[str, npt.NDArray[Any]]:
        return {each.name: np.array([getattr(counts, each.name) for counts in self.by_game]) for each in fields(Counts)}

    def total(self, name: str) -> float:
        """The sum of a count over all games."""
        return float(self._columns[name].sum())

    def mean(self, name: str, over: str, unit: str) -> Estimate:
        """A sum over another one, or with ``over`` = "games" over the games, which are the unit of replication."""
        numerator, denominator = self._pair(name, over)
        return ratio(numerator, denominator, self.games, unit)

    def points(self, name: str, over: str) -> Estimate:
        """The same of chances, in percentage points."""
        numerator, denominator = self._pair(name, over)
        return ratio(100 * numerator, denominator, self.games, "percentage points")

    def part(self, name: str, over: str) -> Estimate:
        """The same where one count is a part of the other."""
        numerator, denominator = self._pair(name, over)
        return ratio_share(numerator, denominator, self.games)

    def _pair(self, name: str, over: str) -> tuple[Floats, Floats]:
        denominator = np.ones(self.games) if over == "games" else self._columns[over].astype(np.float64)
        return self._columns[name].astype(np.float64), denominator

    def swing(self, card: int) -> Estimate:
        """By how many percentage points a card changes its player's chance to win on average."""
        changes, cards = 100 * self._columns["swings"][:, card], self._columns["cards"][:, card].astype(np.float64)
        return ratio(changes, cards, self.games, "percentage points")

    def cards(self, card: int) -> int:
        """How many of a card were looked at."""
        return int(self._columns["cards"][:, card].sum())

    def largest_by(self, card: int) -> Estimate:
        """The share of games whose largest gain of a chance came with a card."""
        return ratio_share(self._columns["largest"][:, card].astype(np.float64), np.ones(self.games), self.games)


def look(task: Task, games: range, *, on_game: Callable[[], bool] = lambda: True, gauge: Gauge | None = None) -> Decisions | None:
    """Follows games and gauges all their decisions; None if ``on_game``, called after each, wants to end.

    Without a gauge one is fitted first. Raises SimsorryError for games whose decisions can't be looked at.
    """
    offers.refuse(task)
    weigher = Weigher(task, gauge or gauging.fit(task))
    by_game, largest = [], list[Swing]()
    for game, offered in zip(games, offers.followed(task, games), strict=True):
        counts, swings = weigher.count(game, offered)
        by_game.append(counts)
        largest = sorted([*largest, *swings], key=lambda swing: -swing.change)[:LARGEST]
        if not on_game():
            return None
    return Decisions(task, weigher.gauge, by_game, largest)


# -- chances ---------------------------------------------------------------------------------------


class Weigher:
    """A gauge made ready for the positions of one task."""

    def __init__(self, task: Task, gauge: Gauge) -> None:
        self.gauge = gauge
        self.players = task.players
        self.colors = [COLORS.index(color) for color in task.seat_colors]
        self.sides = task.sides
        self.side_of = np.array([next(at for at, side in enumerate(self.sides) if seat in side) for seat in range(task.players)])
        self._seat_names = task.seat_colors
        self._hand = bool(task.traits.hand)
        self._weights = np.array([*gauge.weights, gauge.order]) / EXP_STEPS
        self._pawns = int(task.ruleset.rules.pawns)
        self._one_wins = task.traits.one_finishes
        self._way = int(task.game.compile_rules(task.ruleset.rules, task.players)[0]["full_way"]) * len(self.sides[0])

    def chances(self, standings: Ints, first: Ints) -> Floats:
        """The chance to win of every side, standings x sides; ``first`` is the table seat that moves next in each.

        Where a side has all pawns HOME that it needs, it has won.
        """
        by_side = np.stack([standings[:, [self.colors[seat] for seat in side]].sum(axis=1) for side in self.sides], axis=1)
        before = np.stack([np.min([(seat - first) % self.players for seat in side], axis=0) for side in self.sides], axis=1)
        walked = 1 - by_side[..., SQUARES] / self._way
        features = np.stack([walked, by_side[..., HOME], by_side[..., START], by_side[..., SAFE], before], axis=2)
        found = gauging.softmax(features @ self._weights)
        won = self._won(standings)
        over = won.any(axis=1)
        found[over] = won[over]
        return found

    def _won(self, standings: Ints) -> Bools:
        home = standings[:, self.colors, HOME] == self._pawns
        needed = np.any if self._one_wins else np.all
        found: Bools = np.stack([needed(home[:, list(side)], axis=1) for side in self.sides], axis=1)
        return found

    # -- a game ------------------------------------------------------------------------------------

    def count(self, game: int, offered: Sequence[Offer]) -> tuple[Counts, list[Swing]]:
        """What is counted of a game, and its largest swings."""
        counts = Counts()
        several = [offer.choices for offer in offered if offer.choices > 1]
        counts.choices, counts.outcomes = len(several), sum(several)
        open_ones = [offer for offer in offered if not offer.decided]
        if not open_ones:
            return counts, []
        seen = _Seen(self, open_ones)
        counts.turns = len({offer.turn for offer in open_ones})
        counts.decisions = int(seen.choice.sum())
        _count_choices(seen, counts)
        _count_victims(seen, counts)
        _count_kings(seen, counts)
        return counts, self._count_swings(game, seen, counts)

    def _count_swings(self, game: int, seen: "_Seen", counts: Counts) -> list[Swing]:
        changes = seen.mine[seen.taken] - seen.mine_before
        cards = np.array([offer.card for offer in seen.offered])
        played = (cards < len(CARDS)) & np.array([not self._hand or offer.kind not in _NOT_PLAYED for offer in seen.offered])
        np.add.at(counts.cards, cards[played], 1)
        np.add.at(counts.swings, cards[played], changes[played])
        order = np.flatnonzero(played)[np.argsort(-changes[played], kind="stable")][:LARGEST]
        if len(order) and changes[order[0]] > 0:
            counts.largest[cards[order[0]]] = 1
        return [self._swing(game, seen.offered[at], float(changes[at])) for at in order.tolist()]

    def _swing(self, game: int, offer: Offer, change: float) -> Swing:
        return Swing(change, game, offer.turn, self._seat_names[offer.seat], CARDS[offer.card], offer.did)


class _Seen:
    """The outcomes of all offers of a game one after the other, and the chances that they leave."""

    def __init__(self, weigher: Weigher, offered: Sequence[Offer]) -> None:
        self.offered, self.weigher = offered, weigher
        sizes = np.array([len(offer.after) for offer in offered])
        self.sizes = sizes
        self.starts = np.cumsum(sizes) - sizes
        self.taken = self.starts + np.array([offer.taken for offer in offered])
        self.choice = np.array([offer.choices > 1 for offer in offered])
        self.turns = np.array([offer.turn for offer in offered])
        self.seats = np.array([offer.seat for offer in offered])
        self.before = np.stack([offer.before for offer in offered])
        self.after = np.concatenate([offer.after for offer in offered])
        again = np.concatenate([offer.again for offer in offered])
        movers = np.repeat(self.seats, sizes)
        side, sides = weigher.side_of[self.seats], np.repeat(weigher.side_of[self.seats], sizes)
        self.chances = weigher.chances(self.after, (movers + 1 - again) % weigher.players)
        self.mine = self.chances[np.arange(len(movers)), sides]
        self.mine_before = weigher.chances(self.before, self.seats)[np.arange(len(offered)), side]
        self.foes = weigher.side_of[None, :] != sides[:, None]  # outcomes x seats
        self.squares = self.after[:, weigher.colors, SQUARES]
        self.squares_before = self.before[:, weigher.colors, SQUARES]
        self.side = side

    def highest(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """By offer: the highest of its outcomes' values."""
        return np.maximum.reduceat(values, self.starts, axis=0)

    def lowest(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """By offer: the lowest."""
        return np.minimum.reduceat(values, self.starts, axis=0)

    def turns_with(self, found: Bools) -> int:
        """How many turns have an offer of which something is so."""
        return len(np.unique(self.turns[found]))


def _count_choices(seen: _Seen, counts: Counts) -> None:
    """What the outcomes of decisions differ by, and what is made of it."""
    best, worst = seen.highest(seen.mine), seen.lowest(seen.mine)
    mean = np.add.reduceat(seen.mine, seen.starts) / seen.sizes
    own = np.where(seen.foes, 0, seen.squares).sum(axis=1)
    counts.real = seen.turns_with(best - worst >= REAL_CHANCE - _EPSILON)
    counts.real_squares = seen.turns_with(seen.highest(own) - seen.lowest(own) >= REAL_SQUARES)
    counts.offered = float((best - mean).sum())
    counts.used = float((seen.mine[seen.taken] - mean).sum())


def _count_victims(seen: _Seen, counts: Counts) -> None:
    """Whom outcomes set back: opponents with more squares to go than before."""
    hit = (seen.squares > np.repeat(seen.squares_before, seen.sizes, axis=0)) & seen.foes
    sets = hit @ (1 << np.arange(hit.shape[1]))
    most = seen.highest(sets)
    least = seen.lowest(np.where(sets > 0, sets, 1 << hit.shape[1]))
    choice = (most > 0) & (least < most)
    counts.victims = seen.turns_with(choice)
    on_offer, done = seen.highest(hit), hit[seen.taken]
    togo = np.where(on_offer, seen.squares_before, np.iinfo(np.int64).max)
    alone = (togo == togo.min(axis=1, keepdims=True)).sum(axis=1) == 1
    there = choice & done.any(axis=1) & alone
    counts.struck = int(there.sum())
    counts.struck_leader = int(done[np.arange(len(done)), togo.argmin(axis=1)][there].sum())
    counts.leader_even = float((done.sum(axis=1)[there] / on_offer.sum(axis=1)[there]).sum())
    on_leader = hit[np.arange(len(hit)), np.repeat(togo.argmin(axis=1), seen.sizes)]
    hits = np.add.reduceat(np.stack([on_leader, hit.any(axis=1)], axis=1).astype(np.int64), seen.starts)[there]
    counts.leader_blind = float((hits[:, 0] / hits[:, 1]).sum())
    counts.leader_beyond = counts.struck_leader - counts.leader_blind


def _count_kings(seen: _Seen, counts: Counts) -> None:
    """Decisions of those without hope about who else wins."""
    ranges = seen.highest(seen.chances) - seen.lowest(seen.chances)
    ranges[np.arange(len(ranges)), seen.side] = 0
    largest = ranges.max(axis=1)
    hopeless = seen.choice & (seen.mine_before < HOPELESS)
    makes = hopeless & (largest >= KINGMAKING - _EPSILON)
    counts.hopeless, counts.kingmaking, counts.kingmaker = int(hopeless.sum()), int(makes.sum()), int(makes.any())
    counts.kingmaker_change = float(largest[makes].max()) if makes.any() else 0.0
