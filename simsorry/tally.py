"""What is kept of games for a report: sums of every metric's numerators and denominators by blocks of games, and a few histograms.

All of it are whole numbers, so that it adds up to the same whatever pieces the games come in. The size does not depend on the number
of games: statistics rest on a few hundred blocks. Sums that are stored are those of smaller blocks, out of which the blocks of any
larger number of games can be put together. Estimates and differences are made from them in ``report/tallies.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simsorry import games as game_modules
from simsorry import simulate
from simsorry.at_table import measured_metrics
from simsorry.checks import checks_of
from simsorry.games import audited
from simsorry.metrics import PLAIN, Column, Metric, Rows
from simsorry.simulate import Block, Traits, part_of

PARTS = ("counted", "of", "squares")  # numerator, denominator, squares
SPREADS = ("longest_cover",)  # columns of which every value is counted, where a game has them

_BLOCKS, _MOST_BLOCKS = 200, 400
_CHUNKS = ((2_000, 1), (20_000, 20), (100_000, 100))  # below so many games, the size of what is summed up together
_LARGEST_CHUNK = 1_000
_CHUNKS_IN_LARGE_PARTS = 200

Counts = npt.NDArray[np.int64]


def lasting_block(games: int) -> int:
    """How many games can be summed up together if there will be at least so many: the blocks of all those consist of whole ones of these.

    It never falls as the number of games grows, and each size is a multiple of those before it.
    """
    if (chunk := chunk_games(games)) < _LARGEST_CHUNK:
        return chunk
    block = statistical_block(games)
    return block // 2 if str(block).startswith("2") else block  # after blocks of 2,000 come those of 5,000


def chunk_games(games: int) -> int:
    """Those that are stored together, a thousand at most, so that all parts but the first hold the same number of chunks."""
    return next((size for below, size in _CHUNKS if games < below), _LARGEST_CHUNK)


def stored_chunk(first_game: int, end: int, *, sums_only: bool) -> int:
    """Those of a stored part up to game ``end``: the blocks of that many games consist of whole ones of these."""
    part = len(part_of(first_game, sums_only=sums_only))
    return part // _CHUNKS_IN_LARGE_PARTS if part > simulate.PART_GAMES else chunk_games(end)


def statistical_block(games: int) -> int:
    """Games per block of replication: a hundred to four hundred blocks, of whole chunks.

    Blocks of 20 games and more hold whole turns of two and of four seats where the first player rotates.
    """
    chunk = chunk_games(games)
    if chunk == 1:
        return max(1, games // _BLOCKS)
    if chunk < _LARGEST_CHUNK:
        return chunk * -(-games // (_BLOCKS * chunk))
    # One of these fills a stored part with whole blocks, or a block with whole parts.
    power = 1_000
    while True:
        for size in (power, 2 * power, 5 * power):
            if games <= _MOST_BLOCKS * size:
                return size
        power *= 10


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

    @property
    def audit_games(self) -> int:
        """Games per block of what is counted of audited ones: whole blocks where those are whole chunks of them, else a chunk."""
        return _audit_games(self.block_games)

    @property
    def audit_blocks(self) -> int:
        """Number of those blocks."""
        return (self.first_game + max(self.games, 1) - 1) // self.audit_games - self.first_game // self.audit_games + 1

    def count(self, rows: Rows) -> "Counted":
        """Works out every metric's numerators and denominators; there are none where there is nothing to measure."""
        return Counted(rows, [_parts(metric, rows) if metric.measured(rows.traits) else () for metric in self.metrics])


def _audit_games(block_games: int) -> int:
    return block_games if block_games % audited.CHUNK == 0 else audited.CHUNK


def _parts(metric: Metric, rows: Rows) -> tuple[Column, ...]:
    if metric.audit:
        return ()
    return (*metric.counts(rows), metric.squares(rows)) if metric.squares else metric.counts(rows)


@dataclass(frozen=True)
class Counted:
    """Rows with their numerators, denominators and, where a metric needs them, squares, game by game for each metric."""

    rows: Rows
    parts: Sequence[tuple[Column, ...]]


@dataclass(frozen=True)
class Kept:
    """Sums as they are stored: vectors of whole numbers by name; those of metrics have a number for each block."""

    first_game: int  # of the first block
    block_games: int
    blocks: int
    games: int  # in all of them: the first and the last block may be incomplete
    vectors: Mapping[str, Counts]

    def measures(self, metric: Metric) -> bool:
        """Whether the sums of a metric are among them."""
        return bool(metric.audit) or _vector_name(metric, 0) in self.vectors


def _stored_parts(metric: Metric) -> int:
    """How many of the parts there are of a metric; what is counted of audited games is stored by itself."""
    return 0 if metric.audit else len(PARTS) - (metric.squares is None)


def _vector_name(metric: Metric, part: int) -> str:
    return f"{metric.name} {PARTS[part]}"


class Sums:
    """The sums of one task; all of them whole numbers, so that they do not depend on how the games were cut up."""

    def __init__(self, plan: Plan, traits: Traits = PLAIN) -> None:
        self.plan, self.traits = plan, traits
        self.games = 0
        self.sums = np.zeros((len(plan.metrics), len(PARTS), plan.blocks), dtype=np.int64)
        self.side_wins = np.zeros(2 if traits.teams else plan.players, dtype=np.int64)  # by play-order seat, or as in TEAM_NAMES
        self.ended = np.zeros((plan.players, plan.players), dtype=np.int64)  # winning moves by play-order seat and table seat
        self.no_winner = 0
        self.lengths = np.zeros(1, dtype=np.int64)  # how many decided games took so many turns
        self.values: dict[str, Counts] = {}  # how many games have each value of a column of SPREADS
        self.failed_checks: dict[str, int] = {}
        self.audits = np.zeros((plan.audit_blocks, audited.SIZE), dtype=np.int64)

    # -- from games

    def add(self, counted: Counted) -> None:
        """Takes in the next games."""
        rows = counted.rows
        starts, blocks = self._cut(rows.first_game, 1, len(rows))
        for index, parts in enumerate(counted.parts):
            for part, column in enumerate(parts):
                self.sums[index, part, blocks] += np.add.reduceat(column, starts, dtype=np.int64)
        self.games += len(rows)
        self._add_winners(rows)
        self.lengths = _added(self.lengths, np.bincount(rows.games["turns"][rows.decided]))
        for name in SPREADS:
            if name in rows.games:
                self._add_values(name, np.bincount(rows.games[name]))
        for name, broken in checks_of(rows.games.keys() | rows.seats.keys()).items():
            self._add_failed(name, int(broken(rows).sum()))
        if rows.audits is not None:
            self.add_audits(rows.first_game, audited.CHUNK, rows.audits)

    def add_audits(self, first_game: int, size: int, counts: Counts) -> None:
        """Takes in what was counted of audited games, ``size`` games to a row; the first row is that of ``first_game``."""
        own = self.plan.audit_games
        if own % size:
            raise ValueError(f"counts of {size} games do not fit into those of {own}")
        rows = (first_game // size + np.arange(len(counts))) * size // own - self.plan.first_game // own
        np.add.at(self.audits, rows, counts)

    def _cut(self, first_game: int, size: int, many: int) -> tuple[Counts, slice]:
        """The blocks that ``many`` pieces of ``size`` games belong to, and the first piece in each; ValueError if one crosses a block."""
        own = self.plan.block_games
        offset = first_game - self.plan.first_game
        if own % size or offset % size or offset < 0:
            raise ValueError(f"blocks of {size} games from game {first_game} on do not fit into blocks of {own}")
        blocks = slice(offset // own, (offset + size * many - 1) // own + 1)
        return np.maximum(np.arange(blocks.start, blocks.stop) * own - offset, 0) // size, blocks

    def _add_winners(self, rows: Rows) -> None:
        players, decided = self.plan.players, rows.decided
        winners = rows.games["winner"][decided].astype(np.int64)
        at_table = np.take_along_axis(rows.seat("table_seat")[decided], winners[:, None], axis=1)[:, 0]
        self.ended += np.bincount(winners * players + at_table, minlength=players**2).reshape(players, players)
        sides = np.where(rows.seat("won")[decided, 0], 0, 1) if self.traits.teams else winners
        self.side_wins += np.bincount(sides, minlength=len(self.side_wins))
        self.no_winner += len(rows) - len(winners)

    def _add_values(self, name: str, values: Column) -> None:
        self.values[name] = _added(self.values.get(name, np.zeros(1, dtype=np.int64)), values)

    def _add_failed(self, name: str, games: int) -> None:
        self.failed_checks[name] = self.failed_checks.get(name, 0) + games

    # -- from sums

    def kept(self) -> Kept:
        """The same as vectors, to be stored."""
        vectors = {
            _vector_name(metric, part): self.sums[index, part]
            for index, metric in enumerate(self.plan.metrics)
            if metric.measured(self.traits)
            for part in range(_stored_parts(metric))
        }
        vectors |= {"side wins": self.side_wins, "winning moves": self.ended.ravel(), "no winner": _single(self.no_winner)}
        vectors |= {"lengths": self.lengths, **{f"values {name}": values for name, values in self.values.items()}}
        vectors |= {f"audited {name}": audited.section(self.audits, name).ravel() for name in audited.SECTIONS}
        vectors |= {f"check {name}": _single(games) for name, games in self.failed_checks.items()}
        return Kept(self.plan.first_game, self.plan.block_games, self.plan.blocks, self.games, vectors)

    def take(self, kept: Kept) -> None:
        """Takes in games of which there are only sums, of blocks that fit into these.

        Raises KeyError or ValueError if they do not, or if what is measured here is not among them.
        """
        starts, blocks = self._cut(kept.first_game, kept.block_games, kept.blocks)
        for index, metric in enumerate(self.plan.metrics):
            if not metric.measured(self.traits):
                continue
            for part in range(_stored_parts(metric)):
                vector = kept.vectors[_vector_name(metric, part)]
                if len(vector) != kept.blocks:
                    raise ValueError(f"{metric.name} has sums of {len(vector)} blocks, not of {kept.blocks}")
                self.sums[index, part, blocks] += np.add.reduceat(vector, starts)
        self.games += kept.games
        self.side_wins += kept.vectors["side wins"]
        self.ended += kept.vectors["winning moves"].reshape(self.ended.shape)
        self.no_winner += int(kept.vectors["no winner"][0])
        self.lengths = _added(self.lengths, kept.vectors["lengths"])
        self.take_audits(kept)
        for name, vector in kept.vectors.items():
            if name.startswith("values "):
                self._add_values(name.removeprefix("values "), vector)
            elif name.startswith("check "):
                self._add_failed(name.removeprefix("check "), int(vector[0]))

    def take_audits(self, kept: Kept) -> None:
        """Takes in only what was counted of audited games."""
        sections = [kept.vectors[f"audited {name}"].reshape(-1, size) for name, size in audited.SECTIONS.items()]
        self.add_audits(kept.first_game, _audit_games(kept.block_games), np.concatenate(sections, axis=1))


def _single(number: int) -> Counts:
    return np.array([number], dtype=np.int64)


def _added(left: Counts, right: Column) -> Counts:
    """Sum of two histograms of different length."""
    total = np.zeros(max(len(left), len(right)), dtype=np.int64)
    total[: len(left)] += left
    total[: len(right)] += right
    return total


# -- what is stored of a task ----------------------------------------------------------------------


def policy_names(description: Mapping[str, Any]) -> list[str]:
    """The policy at each table seat of a task, from its description."""
    return [policy["name"] for policy in description["policies"]]


def columns_of(game: str) -> set[str]:
    """The names of everything that a game counts."""
    module = game_modules.load(game)
    return {column.name for column in (*module.GAME_COLUMNS, *module.SEAT_COLUMNS)}


class Summing:
    """Sums up the games of one task chunk by chunk, as they are stored."""

    def __init__(self, description: Mapping[str, Any], *, sums_only: bool = False) -> None:
        self.sums_only = sums_only  # whether the rows are not stored as well
        self.traits = Traits.of(description)
        self.players = int(description["players"])
        self.metrics = measured_metrics(policy_names(description), columns_of(description["game"]), self.traits)

    def of(self, block: Block) -> Sums:
        """The sums of a block."""
        sums = self.empty(block.first_game, block.first_game + block.count)
        sums.add(sums.plan.count(Rows(block.games, block.seats, block.players, block.first_game, self.traits, block.audits)))
        return sums

    def empty(self, first_game: int, end: int) -> Sums:
        """Nothing yet of a range of games, in chunks as large as they may be if the task goes on to where these end."""
        size = stored_chunk(first_game, end, sums_only=self.sums_only)
        start = first_game - first_game % size
        return Sums(Plan(self.metrics, self.players, start, end - start, size), self.traits)
