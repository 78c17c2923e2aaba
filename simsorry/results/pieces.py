"""Pieces of a task that are played elsewhere: what a worker of a cluster is given, what it does, and what comes back.

A worker is given plain data and answers with sums, with rows, or, where it can write a whole part to where the results lie, with no
more than that part's entries in the manifest. What it plays depends on the task and the game numbers alone: a piece that is played
twice, or by another worker after the first was lost, gives the same.
"""

import hashlib
import pickle
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from simsorry import __version__, simulate
from simsorry.errors import MISSING, SimsorryError
from simsorry.results.files import read_bytes
from simsorry.results.places import place
from simsorry.results.store import LOCK
from simsorry.results.writing import BlockSums, Entries, Gathered, PartWriter, joined, sums_of
from simsorry.simulate import Block, Task, part_of
from simsorry.tally import Summing

_STEP = 10_000  # games that are played and summed up at once
_PACKAGE = Path(__file__).parent.parent


@dataclass(frozen=True)
class Target:
    """Where the parts of a task lie, how whoever sees the folder knows that it is the same one, and what its parts say of themselves."""

    folder: str
    token: str
    description: dict[str, Any]
    pyarrow: str = field(default_factory=lambda: metadata.version("pyarrow"))  # other versions may write other bytes


@dataclass(frozen=True)
class Job:
    """A piece: some consecutive games of one part."""

    made_by: tuple[str, str]  # version and sources of the package that asks for it
    task: bytes  # pickled, to be read after a look at who made it
    keep: str | None  # None if rows come back and nothing is summed up
    first_game: int
    games: int
    target: Target | None = None  # given if these are all games of a part


@dataclass(frozen=True)
class Answer:
    """What came of a piece: sums, rows if they are kept, or what was written; or what went wrong, with its exit code."""

    first_game: int
    games: int
    block: Block | None = None
    sums: BlockSums | None = None
    written: Entries | None = None
    failed: tuple[str, int] | None = None


@cache
def sources() -> str:
    """A hash of all sources of the package that is installed here."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def jobs(
    task: Task, games: range, size: int, threads: int, keep: str | None, target: Target | None, stored: Mapping[int, int]
) -> Iterator[Job]:
    """Cuts missing games into pieces of ``size`` games, and for so many ``threads`` into smaller ones towards the end (0: into none).

    ``stored`` says how many games of a part are stored already, by its first game: a part that is begun is not written by a worker.
    """
    packed, made_by = pickle.dumps(task), (__version__, sources())
    first = games.start
    while first < games.stop:
        part = part_of(first, sums_only=keep == "summary")
        left = min(part.stop, games.stop) - first
        count = min(left, size)
        if threads:  # so that all of them finish together
            count = min(count, -(-(games.stop - first) // (2 * threads)))
        whole = first == part.start and count == left and not stored.get(first)
        yield Job(made_by, packed, keep, first, count, target if whole else None)
        first += count


def play(job: Job) -> Answer:
    """Plays a piece, in a worker."""
    try:
        _check(job)
        return _play(job)
    except SimsorryError as error:
        return Answer(job.first_game, job.games, failed=(str(error), error.exit_code))


def _check(job: Job) -> None:
    """Refuses to play for another version: its games may be others."""
    if (__version__, sources()) != job.made_by:
        raise SimsorryError(
            f"a worker on {socket.gethostname()} runs simsorry {__version__} of {_PACKAGE} (sources {sources()}), and this is simsorry "
            f"{' (sources '.join(job.made_by)}): install the same version on all workers, and start them anew",
            MISSING,
        )


@lru_cache(maxsize=4)
def _ready(packed: bytes, keep: str | None) -> tuple[simulate.Engine, Summing]:
    """A task ready to be played; a worker plays many pieces of the same."""
    task: Task = pickle.loads(packed)  # noqa: S301 - as all that a cluster's workers are given to run
    return simulate.Engine(task), Summing(task.describe(), sums_only=keep == "summary")


def _play(job: Job) -> Answer:
    engine, summing = _ready(job.task, job.keep)
    gathered = Gathered(job.first_game, job.games, summing)
    blocks = []
    for first, count in _steps(job):
        block = engine.play(first, count)
        if job.keep is None:
            blocks.append(block)
        else:
            gathered.add(block if job.keep == "rows" else None, sums_of(block, summing))
    if job.keep is None:
        return Answer(job.first_game, job.games, joined(blocks))
    if job.target and metadata.version("pyarrow") == job.target.pyarrow and _sees(job.target):
        writer = PartWriter(engine.task, job.target.description, place(job.target.folder), job.keep)
        return Answer(job.first_game, job.games, written=writer.write(gathered))
    return Answer(job.first_game, job.games, gathered.block(), gathered.sums())


def _steps(job: Job) -> Iterator[tuple[int, int]]:
    first, end = job.first_game, job.first_game + job.games
    while first < end:
        count = min(_STEP - first % _STEP, end - first)
        yield first, count
        first += count


def _sees(target: Target) -> bool:
    """Whether the folder is the same one here: a worker on another machine may have one of that name, too."""
    with suppress(SimsorryError):
        return target.token.encode() in read_bytes(place(target.folder) / LOCK).split()
    return False
