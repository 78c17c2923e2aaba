"""Playing a task into its store, or into sums alone."""

import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from simsorry import simulate
from simsorry.errors import USAGE, SimsorryError
from simsorry.games.weights import ASKS
from simsorry.results.parts import read_block
from simsorry.results.store import Keep, Say, Store, versions
from simsorry.simulate import Block, Task
from simsorry.summary import Summary

if TYPE_CHECKING:
    from simsorry.results.cluster import Cluster
    from simsorry.results.pieces import Answer

S = TypeVar("S")  # what a block adds up to
T = TypeVar("T")


@dataclass
class Outcome:
    """What a run came to."""

    summary: Summary
    folder: Path | None  # of the task; None if nothing was stored
    complete: bool  # False if it was stopped before all games were played
    played: int = 0  # games played by this run, the others having been stored already
    enough: bool = True  # False if as many games were played as might be, and they do not tell what was asked


class Watcher(Protocol):
    """Sees every game in turn, from game 0 on, and says when there are enough."""

    def take(self, block: Block) -> None:
        """Takes in the next games."""

    def enough(self, games: int) -> bool:
        """Whether so many games, all of which it has seen, are enough."""


def run(
    task: Task,
    games: int,
    *,
    out: str | Path | None = None,
    keep: Keep = "rows",
    threads: int | None = None,
    block_games: int | None = None,
    cluster: "Cluster | None" = None,
    stop: threading.Event | None = None,
    on_games: Callable[[int], None] | None = None,
    say: Say | None = None,
    command: Sequence[str] = (),
) -> Outcome:
    """Plays games 0 to ``games`` - 1 of a task and stores them under ``out``, going on from what is there.

    They are played in threads of this process, or on the workers of a ``cluster``, which is the same but for the time taken.
    ``on_games`` is told how many games came to be done since the last call, those already stored first; ``say`` gets sentences
    for the user. Once ``stop`` is set, what is finished is stored and the outcome is not complete.
    """
    stop, tell, count = stop or threading.Event(), say or _silent, on_games or _silent
    player = _Player(task, threads, block_games, stop, cluster)
    if out is None:
        count(0)
        summary = player.sum_up(range(games), count)
        return Outcome(summary, None, summary.games == games, summary.games)
    with Store(task, out, keep, say=tell, stop=stop, run=_run_entry(command, threads, cluster)) as store:
        gaps = store.missing(games)
        needed = sum(len(gap) for gap in gaps)
        count(games - needed)
        try:
            played = sum(player.fill(store, gap, count) for gap in gaps)
            store.flush()
        except BaseException:
            with suppress(SimsorryError):
                store.save_manifest("failed")
            raise
        complete = played == needed
        if needed or not store.settled:
            store.save_manifest("complete" if complete else "partial")
        return Outcome(store.summary(games), store.folder, complete, played)


def run_until(
    task: Task,
    looks: Iterable[int],
    watcher: Watcher,
    *,
    out: str | Path | None = None,
    keep: Keep = "rows",
    threads: int | None = None,
    block_games: int | None = None,
    cluster: "Cluster | None" = None,
    stop: threading.Event | None = None,
    on_games: Callable[[int], None] | None = None,
    say: Say | None = None,
    command: Sequence[str] = (),
) -> Outcome:
    """As ``run``, but plays on until ``watcher`` has seen enough, which it is asked after the numbers of games in ``looks``.

    It sees all games in order, those already stored as well. So how many games it takes depends on the task and the looks alone, not on
    threads, blocks, or what was stored before.
    """
    counts, stop, tell, count = tuple(looks), stop or threading.Event(), say or _silent, on_games or _silent
    steps = _Steps(_Player(task, threads, block_games, stop, cluster), watcher, count)
    count(0)
    if out is None:
        total = Summary(task.players)

        def take(_: Block, summary: Summary) -> None:
            total.add(summary)

        complete, enough = steps.through(counts, lambda games: steps.play(games, _with_summary, take))
        return Outcome(total, None, complete, total.games, enough)
    with Store(task, out, keep, say=tell, stop=stop, run=_run_entry(command, threads, cluster)) as store:
        store.missing(counts[-1])
        stored = _Stored(store, tell)
        try:
            complete, enough = steps.through(counts, lambda games: stored.step(games, steps))
            store.flush()
        except BaseException:
            with suppress(SimsorryError):
                store.save_manifest("failed")
            raise
        store.missing(steps.done)
        if steps.played or not store.settled:
            store.save_manifest("complete" if complete else "partial")
        return Outcome(store.summary(steps.done), store.folder, complete, steps.played, enough)


@dataclass
class _Steps:
    """Games from one look to the next."""

    player: "_Player"
    watcher: Watcher
    count: Callable[[int], None]
    done: int = 0  # games that the watcher has seen
    played: int = 0

    def through(self, looks: Sequence[int], step: Callable[[range], bool]) -> tuple[bool, bool]:
        """Whether all games up to the last look that was taken are there, and whether they are enough."""
        for games in looks:
            if not step(range(self.done, games)):
                return False, False
            if self.watcher.enough(games):
                return True, True
        return True, False

    def play(self, games: range, work: Callable[[Block], tuple[Block, S]], take: Callable[[Block, S], None]) -> bool:
        """Plays some games, and takes in what ``work`` makes of them; whether all were before ``stop`` was set."""
        for block, sums in self.player.rows(games, work):
            take(block, sums)
            self.played += block.count
            self.see(block)
        return self.done == games.stop

    def see(self, block: Block) -> None:
        """Shows the next games to the watcher."""
        self.watcher.take(block)
        self.done += block.count
        self.count(block.count)


@dataclass
class _Stored:
    """What a store held when it was opened, and what is added to it."""

    store: Store
    say: Say
    parts: dict[int, int] = field(init=False)
    _read: tuple[int, Block] | None = None  # the part that was read last, and its first game

    def __post_init__(self) -> None:
        self.parts = dict(self.store.parts)

    def step(self, games: range, steps: _Steps) -> bool:
        """Shows stored games and plays the others; whether all are there then."""
        for piece, there in self._pieces(games):
            if not there:
                whole = steps.play(piece, self.store.with_sums, self.store.add)
            elif self.store.keep == "rows":
                steps.see(self._rows(piece))
                whole = not steps.player.stop.is_set()
            else:
                whole = self._again(piece, steps)
            if not whole:
                return False
        return True

    def _pieces(self, games: range) -> Iterator[tuple[range, bool]]:
        """The games cut where parts and what is stored of them end; whether each piece was stored."""
        position = games.start
        while position < games.stop:
            part = self.store.part_of(position)
            have = part.start + self.parts.get(part.start, 0)
            end = min(games.stop, part.stop, have if position < have else games.stop)
            yield range(position, end), position < have
            position = end

    def _rows(self, games: range) -> Block:
        first = self.store.part_of(games.start).start
        if self._read is None or self._read[0] != first:
            self._read = first, read_block(self.store.folder, first, self.parts[first])
        return _cut(self._read[1], games)

    def _again(self, games: range, steps: _Steps) -> bool:
        """Sums have no rows to be shown: the games are played again, and not counted as played."""
        if not games.start:
            self.say(f"{self.store.folder} keeps sums only: its games are played again to see how precise they are")
        before = steps.played
        whole = steps.play(games, _with_nothing, lambda _block, _nothing: None)
        steps.played = before
        return whole


def _cut(block: Block, games: range) -> Block:
    """Some games of a block."""
    rows = slice(games.start - block.first_game, games.stop - block.first_game)
    seats = slice(rows.start * block.players, rows.stop * block.players)
    return Block(
        {name: column[rows] for name, column in block.games.items()},
        {name: column[seats] for name, column in block.seats.items()},
        games.start,
    )


def _silent(_: Any) -> None:
    return None


def _run_entry(command: Sequence[str], threads: int | None, cluster: "Cluster | None") -> dict[str, Any]:
    """What the manifest says of a run: all that may differ between runs that give the same parts."""
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": 0.0,
        "status": "partial",
        "host": socket.gethostname(),
        "threads": threads or simulate.cores(),
        "cluster": cluster.address if cluster else None,
        "command": list(command),
        "versions": versions(),
    }


def _with_summary(block: Block) -> tuple[Block, Summary]:
    return block, Summary.of(block)


def _with_nothing(block: Block) -> tuple[Block, None]:
    return block, None


@dataclass
class _Player:
    """Who plays the games of a task: threads of this process, or the workers of a cluster."""

    task: Task
    threads: int | None
    block_games: int | None
    stop: threading.Event
    cluster: "Cluster | None"

    def __post_init__(self) -> None:
        if self.cluster and (asked := [policy.name for policy in self.task.policies if ASKS in policy.weights]):
            raise SimsorryError(
                f"--cluster: the policy {asked[0]} is a function in Python, which the workers do not have: play it here", USAGE
            )

    def rows(self, games: range, work: Callable[[Block], T]) -> Iterator[T]:
        """``work`` of the blocks of a range of games, in order."""
        if not self.cluster:
            yield from simulate.map_blocks(self.task, games, work, threads=self.threads, block_games=self.block_games, stop=self.stop)
            return
        for answer in self._answers(games, None):
            assert answer.block is not None
            yield work(answer.block)

    def sum_up(self, games: range, count: Callable[[int], None]) -> Summary:
        """The sums of a range of games."""
        total = Summary(self.task.players)
        for each in self._summaries(games):
            total.add(each)
            count(each.games)
        return total

    def _summaries(self, games: range) -> Iterator[Summary]:
        if not self.cluster:
            yield from self.rows(games, Summary.of)
            return
        for answer in self._answers(games, "summary"):
            assert answer.sums is not None
            yield answer.sums.summary

    def fill(self, store: Store, games: range, count: Callable[[int], None]) -> int:
        """Plays a range of missing games into the store; returns how many were played before ``stop`` was set."""
        played = 0
        for many in self._into(store, games):
            played += many
            count(many)
        if played < len(games):
            store.flush()
        return played

    def _into(self, store: Store, games: range) -> Iterator[int]:
        if not self.cluster:
            for block, sums in self.rows(games, store.with_sums):
                store.add(block, sums)
                yield block.count
            return
        for answer in self._answers(games, store.keep, store):
            if answer.written:
                store.take_written(answer.written)
            else:
                assert answer.sums is not None
                store.take(answer.first_game, answer.block, answer.sums)
            yield answer.games

    def _answers(self, games: range, keep: str | None, store: Store | None = None) -> "Iterator[Answer]":
        """What the workers make of a range of games, piece by piece."""
        from simsorry.results.pieces import Target, jobs

        assert self.cluster is not None
        size = self.block_games or simulate.fitting_block(self.task, len(games), self.cluster.piece_seconds)
        target = Target(str(store.folder), store.token, store.description) if store else None
        threads = 0 if self.block_games else self.cluster.threads
        return self.cluster.play(jobs(self.task, games, size, threads, keep, target, store.parts if store else {}))
