"""What is measured: one entry in ``METRICS`` each, and the tallies that gather it block by block.

A metric turns the rows of some games into a numerator and a denominator per game; its value is the sum of the
one over the sum of the other. Tallies keep per-block sums, sums of products and an exact histogram of
the game lengths, so their size does not depend on the number of games. Intervals are made in ``stats``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from simsorry import stats
from simsorry.stats import Margin

NO_WINNER = 255  # column winner of a game that was cut off
START_LOCK_TURNS = 5
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)

# The sizes of difference that matter unless the user says otherwise, by kind of metric.
MARGINS = {
    "seat_share": Margin(0.01),
    "policy_share": Margin(0.02),
    "game_share": Margin(0.01),
    "length": Margin(0.025, relative=True),
    "rate": Margin(0.05, relative=True),
}

Column = npt.NDArray[Any]
PerGame = tuple[Column, Column]


@dataclass(frozen=True)
class Rows:
    """Some consecutive games of one task: columns per game, and per game and play-order seat."""

    games: Mapping[str, Column]
    seats: Mapping[str, Column]
    players: int
    first_game: int

    def __len__(self) -> int:
        return len(self.games["winner"])

    def seat(self, column: str) -> Column:
        """A column of ``seats`` as games x play-order seats."""
        return self.seats[column].reshape(-1, self.players)

    @property
    def decided(self) -> Column:
        """Which games have a winner."""
        decided: Column = self.games["winner"] != NO_WINNER
        return decided


@dataclass(frozen=True)
class Metric:
    """One thing that is measured; ``counts`` gives its numerator and denominator for each game."""

    name: str
    title: str  # as a row heading
    noun: str  # as in "<noun> go up from … to …"
    unit: str  # "share" is printed in percent and its differences in percentage points
    definition: str
    columns: tuple[str, ...]
    margin: str  # key of MARGINS
    counts: Callable[[Rows], PerGame]
    headline: bool = False  # in the scorecard; the others are in the longer table
    event: bool = False  # a yes or no of every game
    plural: bool = True  # of the noun

    @property
    def of_games(self) -> bool:
        """Whether it is a share of the games, each of which is a yes or a no."""
        return self.margin in ("seat_share", "policy_share", "game_share")


# -- numerators and denominators -------------------------------------------------------------------


def _ones(rows: Rows) -> Column:
    return np.ones(len(rows))


def per_game(column: str) -> Callable[[Rows], PerGame]:
    """The mean of a column over games."""
    return lambda rows: (rows.games[column], _ones(rows))


def per_turn(column: str) -> Callable[[Rows], PerGame]:
    """A column's total over the total number of turns."""
    return lambda rows: (rows.games[column], rows.games["turns_all"])


def stuck_turns(rows: Rows) -> PerGame:
    """Turns in which nothing could be done: a dead turn in which the player declined to move had a choice."""
    games = rows.games
    return games["turns_all"] - games["forced_turns"] - games["choice_turns"], games["turns_all"]


def options_per_choice(rows: Rows) -> PerGame:
    """Distinct outcomes over the decisions that have two or more."""
    return rows.games["outcomes"], rows.games["choices"]


def landing_bumps(rows: Rows) -> PerGame:
    """Bumps that neither a slide nor the Sorry! card made."""
    return rows.games["bumps"] - rows.games["bumps_slide"] - rows.games["bumps_sorry"], _ones(rows)


def first_start(rows: Rows) -> PerGame:
    """Own turns until the first pawn is out; a player who never got one out has waited all their turns so far."""
    waited = rows.seat("first_start")
    return np.where(waited >= 0, waited, rows.seat("turns")).sum(axis=1), np.full(len(rows), rows.players)


def start_lock(rows: Rows) -> PerGame:
    """Players with no pawn out after so many own turns, over the players of whom that is known."""
    waited, turns = rows.seat("first_start"), rows.seat("turns")
    known = (waited >= 0) | (turns >= START_LOCK_TURNS)
    locked = known & ((waited < 0) | (waited > START_LOCK_TURNS))
    return locked.sum(axis=1), known.sum(axis=1)


def shutouts(rows: Rows) -> PerGame:
    """Decided games in which no loser has a pawn HOME."""
    losers_home = np.where(rows.seat("won") == 1, 0, rows.seat("pawns_home")).max(axis=1)
    return (losers_home == 0) & rows.decided, rows.decided


def seat_wins(seat: int) -> Callable[[Rows], PerGame]:
    """Decided games won by one play-order seat."""
    return lambda rows: (rows.games["winner"] == seat, rows.decided)


def policy_wins(table_seats: Sequence[int]) -> Callable[[Rows], PerGame]:
    """Decided games won from one of these table seats."""
    return lambda rows: (((rows.seat("won") == 1) & np.isin(rows.seat("table_seat"), table_seats)).sum(axis=1), rows.decided)


# -- the list --------------------------------------------------------------------------------------

METRICS = (
    Metric(
        "turns", "Turns per game", "turns per game", "turns",
        "Turns up to and including the winner's last, forfeited turns included; a turn lasts until play passes on. "
        "A game that was cut off counts with the turns it had, so the mean is then a lower bound.",
        ("turns",), "length", per_game("turns"), headline=True,
    ),
    Metric(
        "dead_share", "Dead turns", "dead turns, in which nothing happens,", "share",
        "Turns in which no action was taken, be it that none was possible or that the player declined, over all turns.",
        ("dead_turns", "turns_all"), "rate", per_turn("dead_turns"), headline=True,
    ),
    Metric(
        "choice_share", "Choice turns", "turns with a real choice", "share",
        "Turns in which some decision had two or more distinct outcomes (passing counts as one), over all turns.",
        ("choice_turns", "turns_all"), "rate", per_turn("choice_turns"), headline=True,
    ),
    Metric(
        "options", "Options per choice", "options per choice", "options",
        "Distinct outcomes over the decisions that had two or more of them.",
        ("outcomes", "choices"), "rate", options_per_choice, headline=True,
    ),
    Metric(
        "bumps", "Bumps per game", "bumps per game", "bumps",
        "Opponents' pawns sent back to START in a game, by any cause.",
        ("bumps",), "rate", per_game("bumps"), headline=True,
    ),
    Metric(
        "bumps_per_turn", "Bumps per turn", "bumps per turn", "bumps",
        "Opponents' pawns sent back to START, over all turns.",
        ("bumps", "turns_all"), "rate", per_turn("bumps"), headline=True,
    ),
    Metric(
        "lead_changes", "Lead changes per game", "lead changes per game", "changes",
        "Ends of rounds at which the sole leader in squares to go is not the last sole leader.",
        ("lead_changes",), "rate", per_game("lead_changes"), headline=True,
    ),
    Metric(
        "first_start", "Wait for the first pawn", "the wait for the first pawn to leave START, in own turns,", "own turns",
        "Own turn in which a player's first pawn leaves START, averaged over players; 0 if it begins outside. "
        "A player who never gets one out counts with the own turns they had.",
        ("first_start", "turns"), "rate", first_start, headline=True, plural=False,
    ),
    Metric(
        "capped", "Games cut off", "games cut off at the turn cap", "share",
        "Games that reached the turn cap without a winner or, where play goes on for places, without an end. They stay in every number.",
        ("capped",), "game_share", per_game("capped"), headline=True, event=True,
    ),
    Metric(
        "rounds", "Rounds per game", "rounds per game", "rounds",
        "Times play came back to the first seat still playing, counting the round begun.",
        ("rounds",), "length", per_game("rounds"),
    ),
    Metric(
        "turns_all", "Turns to the end", "turns to the end of the game", "turns",
        "Turns to the end of the game; more than the winner's where play goes on for places.",
        ("turns_all",), "length", per_game("turns_all"),
    ),
    Metric(
        "draws", "Cards per game", "cards per game", "cards",
        "Cards drawn and resolved; a 2 that draws again adds a card, not a turn.",
        ("draws",), "length", per_game("draws"),
    ),
    Metric(
        "stuck_share", "Stuck turns", "turns in which nothing can be done", "share",
        "Turns without any possible action, over all turns; dead turns in which the player could have moved are not among them.",
        ("turns_all", "forced_turns", "choice_turns"), "rate", stuck_turns,
    ),
    Metric(
        "forced_share", "Forced turns", "forced turns", "share",
        "Turns with an action and never more than one distinct outcome to choose from, over all turns.",
        ("forced_turns", "turns_all"), "rate", per_turn("forced_turns"),
    ),
    Metric(
        "bumps_landing", "Bumps by landing", "bumps by landing on a pawn", "bumps",
        "Bumps per game made by landing on a pawn: all but those met on a slide or hit by the Sorry! card itself.",
        ("bumps", "bumps_slide", "bumps_sorry"), "rate", landing_bumps,
    ),
    Metric(
        "bumps_slide", "Bumps by sliding", "bumps on slides", "bumps",
        "Bumps per game of pawns met while riding a slide.",
        ("bumps_slide",), "rate", per_game("bumps_slide"),
    ),
    Metric(
        "bumps_sorry", "Bumps by Sorry!", "bumps by the Sorry! card", "bumps",
        "Bumps per game of pawns hit by the Sorry! card itself.",
        ("bumps_sorry",), "rate", per_game("bumps_sorry"),
    ),
    Metric(
        "own_bumps", "Own pawns bumped", "own pawns bumped per game", "pawns",
        "Pawns of the mover's own color sent back to START in a game.",
        ("own_bumps",), "rate", per_game("own_bumps"),
    ),
    Metric(
        "swaps", "Swaps per game", "swaps per game", "swaps",
        "11s used to change places, per game.",
        ("swaps",), "rate", per_game("swaps"),
    ),
    Metric(
        "slides", "Slides per game", "slides ridden per game", "slides",
        "Slides ridden per game.",
        ("slides",), "rate", per_game("slides"),
    ),
    Metric(
        "splits", "Split 7s per game", "split 7s per game", "7s",
        "7s split between pawns, per game.",
        ("splits",), "rate", per_game("splits"),
    ),
    Metric(
        "backs", "Backward moves per game", "backward moves per game", "moves",
        "Backward moves per game.",
        ("backs",), "rate", per_game("backs"),
    ),
    Metric(
        "starts", "Starts per game", "starts per game", "pawns",
        "Pawns brought from START onto the start circle by a number card, per game.",
        ("starts",), "rate", per_game("starts"),
    ),
    Metric(
        "start_lock", f"Locked for {START_LOCK_TURNS} turns", f"players with no pawn out after {START_LOCK_TURNS} own turns", "share",
        f"Players with no pawn out after {START_LOCK_TURNS} own turns, over the players of whom that is known.",
        ("first_start", "turns"), "rate", start_lock,
    ),
    Metric(
        "shutouts", "Shutouts", "games in which no loser has a pawn HOME", "share",
        "Decided games in which no loser has a pawn HOME when the winner finishes.",
        ("pawns_home", "won", "winner"), "game_share", shutouts,
    ),
)  # fmt: skip


def seat_metrics(players: int) -> tuple[Metric, ...]:
    """Win share of each play-order seat."""
    return tuple(
        Metric(
            f"seat_{seat + 1}",
            f"Wins of seat {seat + 1}" + (" (moves first)" if seat == 0 else ""),
            f"wins of seat {seat + 1}",
            "share",
            "Games won by this seat in play order (seat 1 moves first), over the games that have a winner.",
            ("winner",),
            "seat_share",
            seat_wins(seat),
            headline=True,
        )
        for seat in range(players)
    )


def policy_metrics(policies: Sequence[str]) -> tuple[Metric, ...]:
    """Win share of each policy, where the table seats do not all have the same one."""
    names = list(dict.fromkeys(policies))
    if len(names) < 2:
        return ()
    return tuple(
        Metric(
            f"policy_{name}",
            f"Wins of {name}",
            f"wins of {name}",
            "share",
            f"Games won by the players of {name} ({policies.count(name)} of {len(policies)} seats), over the games that have a winner.",
            ("won", "table_seat", "winner"),
            "policy_share",
            policy_wins([seat for seat, policy in enumerate(policies) if policy == name]),
            headline=True,
        )
        for name in names
    )


def all_metrics(players: int, policies: Sequence[str]) -> tuple[Metric, ...]:
    """Everything measured at a table with these policies by table seat: length first, then who wins, then the rest."""
    return (METRICS[0], *seat_metrics(players), *policy_metrics(policies), *METRICS[1:])


def margin_of(metric: Metric, margins: Mapping[str, Margin]) -> Margin:
    """The margin set for the metric itself, else for its kind."""
    return margins.get(metric.name) or margins.get(metric.margin) or MARGINS[metric.margin]


# -- tallies ---------------------------------------------------------------------------------------


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

    @property
    def block_games(self) -> int:
        """Games per block; the last may be shorter."""
        return statistical_block(self.games)

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return -(-self.games // self.block_games)

    def block_of(self, rows: Rows) -> Column:
        """The block that each game of ``rows`` belongs to."""
        return (rows.first_game - self.first_game + np.arange(len(rows))) // self.block_games

    def count(self, rows: Rows) -> "Counted":
        """Works out every metric's numerators and denominators."""
        parts = np.empty((len(self.metrics), 2, len(rows)))
        for index, metric in enumerate(self.metrics):
            parts[index, 0], parts[index, 1] = metric.counts(rows)
        return Counted(rows, parts)


@dataclass(frozen=True)
class Counted:
    """Rows with their numerators and denominators, metrics x 2 x games."""

    rows: Rows
    parts: Column


class Tally:
    """The sums of one task; all of them whole numbers, so that they do not depend on how the games were cut up."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.games = 0
        self.sums = np.zeros((len(plan.metrics), 2, plan.blocks))
        self.seat_wins = np.zeros(plan.players, dtype=np.int64)
        self.no_winner = 0
        self.lengths = np.zeros(1, dtype=np.int64)  # how many decided games took so many turns
        self.failed_checks = dict.fromkeys(CHECKS, 0)

    def add(self, counted: Counted) -> None:
        """Takes in the next games."""
        rows = counted.rows
        blocks = self.plan.block_of(rows)
        first = int(blocks[0])
        for index in range(len(self.plan.metrics)):
            for part in range(2):
                in_blocks = np.bincount(blocks - first, weights=counted.parts[index, part])
                self.sums[index, part, first : first + len(in_blocks)] += in_blocks
        self.games += len(rows)
        winners = rows.games["winner"][rows.decided]
        self.seat_wins += np.bincount(winners, minlength=self.plan.players)[: self.plan.players]
        self.no_winner += len(rows) - len(winners)
        self.lengths = _added(self.lengths, np.bincount(rows.games["turns"][rows.decided]))
        for name, broken in CHECKS.items():
            self.failed_checks[name] += int(broken(rows).sum())

    def part(self, index: int) -> tuple[stats.Floats, stats.Floats]:
        """Numerators and denominators of a metric by block."""
        return self.sums[index, 0], self.sums[index, 1]

    def estimate(self, index: int) -> stats.Estimate:
        """A metric's value with its interval; n counts games."""
        metric = self.plan.metrics[index]
        numerator, denominator = self.part(index)
        if metric.of_games:
            return stats.share(int(numerator.sum()), int(denominator.sum()))
        return stats.ratio(numerator, denominator, self.games, metric.unit)

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
        both = np.concatenate([base.parts, variant.parts], axis=1)
        self.products += both @ both.transpose(0, 2, 1)
        self.identical += int((base.rows.games["digest"] == variant.rows.games["digest"]).sum())

    def difference(self, index: int) -> stats.Difference:
        """Variant minus base for one metric."""
        metric = self.base.plan.metrics[index]
        if metric.event:
            together = int(self.products[index, 0, 2])
            base, variant = (int(side.sums[index, 0].sum()) for side in (self.base, self.variant))
            return stats.paired_events(base - together, variant - together, self.base.games)
        return stats.paired_ratio(self.base.part(index), self.variant.part(index), self.base.games, metric.unit)

    def pairing(self, index: int) -> stats.Pairing:
        """Correlation over games, and what it was worth."""
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
    tasks: int
    tallies: list[Tally] = field(init=False)
    pairs: list[PairTally] = field(init=False)

    def __post_init__(self) -> None:
        self.tallies = [Tally(self.plan) for _ in range(self.tasks)]
        self.pairs = [PairTally(self.tallies[0], variant) for variant in self.tallies[1:]]

    def add(self, counted: Sequence[Counted]) -> None:
        """Takes in the same game numbers of every task."""
        for tally, each in zip(self.tallies, counted, strict=True):
            tally.add(each)
        for pair, variant in zip(self.pairs, counted[1:], strict=True):
            pair.add(counted[0], variant)


def _added(left: stats.Counts, right: Column) -> stats.Counts:
    """Sum of two histograms of different length."""
    total = np.zeros(max(len(left), len(right)), dtype=np.int64)
    total[: len(left)] += left
    total[: len(right)] += right
    return total


def _overlap(rows: Rows) -> Column:
    """Turns that are both dead and choice turns."""
    games = rows.games
    overlap: Column = games["dead_turns"] + games["forced_turns"] + games["choice_turns"] - games["turns_all"]
    return overlap


# What must hold in every single game; each gives the games that break it.
CHECKS: dict[str, Callable[[Rows], Column]] = {
    "a game has one winner, or it was cut off": lambda rows: rows.seat("won").sum(axis=1) != rows.decided,
    "dead, forced and choice turns cover all turns, and overlap only where a card was declined": lambda rows: (
        (_overlap(rows) < 0) | (_overlap(rows) > np.minimum(rows.games["passes"], rows.games["choice_turns"]))
    ),
    "the players' turns add up to all turns": lambda rows: rows.seat("turns").sum(axis=1) != rows.games["turns_all"],
    "bumps given, bumps taken and bumps of the game are the same number": lambda rows: (
        (rows.seat("bumps_given").sum(axis=1) != rows.games["bumps"]) | (rows.seat("bumps_taken").sum(axis=1) != rows.games["bumps"])
    ),
}
