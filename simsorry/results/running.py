"""Playing a task into its store, or into sums alone."""

import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from simsorry import simulate
from simsorry.errors import SimsorryError
from simsorry.results.store import Keep, Say, Store, versions
from simsorry.simulate import Task
from simsorry.summary import Summary


@dataclass
class Outcome:
    """What a run came to."""

    summary: Summary
    folder: Path | None  # of the task; None if nothing was stored
    complete: bool  # False if it was stopped before all games were played
    played: int = 0  # games played by this run, the others having been stored already


def run(
    task: Task,
    games: int,
    *,
    out: Path | None = None,
    keep: Keep = "rows",
    threads: int | None = None,
    block_games: int | None = None,
    stop: threading.Event | None = None,
    on_games: Callable[[int], None] | None = None,
    say: Say | None = None,
    command: Sequence[str] = (),
) -> Outcome:
    """Plays games 0 to ``games`` - 1 of a task and stores them under ``out``, going on from what is there.

    ``on_games`` is told how many games came to be done since the last call, those already stored first; ``say`` gets sentences
    for the user. Once ``stop`` is set, what is finished is stored and the outcome is not complete.
    """
    stop, tell, count = stop or threading.Event(), say or _silent, on_games or _silent
    if out is None:
        count(0)
        summary = _sum_up(task, range(games), threads, block_games, stop, count)
        return Outcome(summary, None, summary.games == games, summary.games)
    with Store(task, out, keep, say=tell, stop=stop, run=_run_entry(command, threads)) as store:
        gaps = store.missing(games)
        needed = sum(len(gap) for gap in gaps)
        count(games - needed)
        try:
            played = sum(_play_into(store, gap, threads, block_games, stop, count) for gap in gaps)
            store.flush()
        except BaseException:
            with suppress(SimsorryError):
                store.save_manifest("failed")
            raise
        complete = played == needed
        if needed or not store.settled:
            store.save_manifest("complete" if complete else "partial")
        return Outcome(store.summary(games), store.folder, complete, played)


def _silent(_: Any) -> None:
    return None


def _run_entry(command: Sequence[str], threads: int | None) -> dict[str, Any]:
    """What the manifest says of a run: all that may differ between runs that give the same parts."""
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": 0.0,
        "status": "partial",
        "host": socket.gethostname(),
        "threads": threads or simulate.cores(),
        "command": list(command),
        "versions": versions(),
    }


def _sum_up(
    task: Task, games: range, threads: int | None, block_games: int | None, stop: threading.Event, count: Callable[[int], None]
) -> Summary:
    total = Summary(task.players)
    for each in simulate.map_blocks(task, games, Summary.of, threads=threads, block_games=block_games, stop=stop):
        total.add(each)
        count(each.games)
    return total


def _play_into(
    store: Store, games: range, threads: int | None, block_games: int | None, stop: threading.Event, count: Callable[[int], None]
) -> int:
    """Plays a range of missing games into the store; returns how many were played before ``stop`` was set."""
    played = 0
    for block, sums in simulate.map_blocks(store.task, games, store.with_sums, threads=threads, block_games=block_games, stop=stop):
        store.add(block, sums)
        played += block.count
        count(block.count)
    if played < len(games):
        store.flush()
    return played
