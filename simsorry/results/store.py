"""Writing a task's results: what is there, what is missing, and adding it part by part."""

import fcntl
import hashlib
import json
import os
import platform
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from simsorry import __version__, simulate
from simsorry.errors import INTERRUPTED, INVALID, SimsorryError
from simsorry.results.files import damaged, fingerprint, read_json, to_json, trouble, write_whole
from simsorry.results.parts import (
    TABLES,
    encode,
    encode_vectors,
    files_in,
    head,
    header,
    header_of,
    part_name,
    read_block,
    read_summary,
    read_tally,
    whole_parts,
)
from simsorry.simulate import FORMAT, Block, Task
from simsorry.summary import Summary
from simsorry.tally import Kept, Summing

Keep = Literal["rows", "summary"]
Say = Callable[[str], None]

_QUEUED_PARTS = 2  # complete parts waiting to be written, before the run waits for the disk
_MANIFEST_SECONDS = 2.0
_ENTRY_KEYS = ("file", "first_game", "games", "rows", "bytes", "sha256")  # of a part in the manifest


class BlockSums(NamedTuple):
    """What is summed up of some games: for one summary of them all, and by chunks of games for reports."""

    summary: Summary
    tally: Kept


class _Open:
    """The part that blocks are being gathered for."""

    def __init__(self, first_game: int, wanted: int, summing: Summing) -> None:
        self.first_game, self.wanted = first_game, wanted
        self.games = 0
        self.blocks: list[Block] = []
        self.summary = Summary(summing.players)
        self.tally = summing.empty(first_game, first_game)
        self._summing = summing

    def add(self, block: Block | None, sums: BlockSums) -> None:
        """Adds the next block; None where rows are not kept."""
        self.games += sums.summary.games
        if block:
            self.blocks.append(block)
        self.summary.add(sums.summary)
        longer = self._summing.empty(self.first_game, self.first_game + self.games)  # in larger chunks, once there are many games
        longer.take(self.tally.kept())
        longer.take(sums.tally)
        self.tally = longer

    def table(self, table: str, first: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """The columns gathered for a table, after those in ``first``."""
        names = getattr(self.blocks[0], table)
        return first | {name: np.concatenate([getattr(block, table)[name] for block in self.blocks]) for name in names}


class Store:
    """A task's folder, open for writing by this process alone.

    Raises SimsorryError if the folder cannot be used, belongs to something else, or holds a damaged part.
    """

    def __init__(self, task: Task, out: Path, keep: Keep, *, say: Say, stop: threading.Event, run: dict[str, Any]) -> None:
        self.task, self.keep, self.folder = task, keep, out / task.id
        self._say, self._stop = say, stop
        self._run = run  # this run's entry in the manifest
        self._begun = time.monotonic()
        self._saved = -_MANIFEST_SECONDS
        self._requested = 0
        self._open: _Open | None = None
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="simsorry-writer")
        self._writing: deque[Future[dict[str, dict[str, Any]]]] = deque()
        self._files: dict[str, dict[str, Any]] = {}  # the manifest's parts, by name
        self._earlier: list[dict[str, Any]] = []  # the manifest's runs
        self.settled = False  # whether the manifest already says all that is there
        self.parts: dict[int, int] = {}  # first game to games of the parts that are whole

    def __enter__(self) -> Self:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = open(self.folder / ".lock", "a+")
        except OSError as error:
            raise trouble(error, self.folder, INVALID) from error
        try:
            self._acquire()
            self._take_stock()
        except BaseException:
            self._lock.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.shutdown(wait=True, cancel_futures=True)
        self._lock.close()

    def _acquire(self) -> None:
        """Waits until no other run writes here. The system frees the lock when its holder ends, however it ends."""
        told = False
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not told:
                    self._say(f"waiting: another run ({_holder(self._lock)}) is writing to {self.folder}")
                    told = True
            except OSError as error:
                raise trouble(error, self.folder, INVALID) from error
            if self._stop.wait(0.2):
                raise SimsorryError(f"stopped while waiting for another run to finish with {self.folder}", INTERRUPTED)
        with suppress(OSError):
            self._lock.seek(0)
            self._lock.truncate()
            self._lock.write(f"process {os.getpid()} on {socket.gethostname()}")
            self._lock.flush()

    def _take_stock(self) -> None:
        """Finds out what is there: reads task and manifest, checks every whole part, sweeps up what a killed run left."""
        self._check_description()
        for table in TABLES[self.keep]:
            self._make_folder(self.folder / table)
        manifest, known = self._read_manifest()
        self.parts = whole_parts(self.folder, self.keep)
        for first_game, games in self.parts.items():
            for table in TABLES[self.keep]:
                name = part_name(table, first_game, games)
                self._files[name] = self._checked(table, first_game, games, known.get(name))
        self.settled = manifest.get("status") == "complete" and known.keys() == self._files.keys()
        self._compare_versions()

    def _check_description(self) -> None:
        """Writes ``task.json``, or checks that the one that is there fits."""
        path = self.folder / "task.json"
        columns = {table: [column.name for column in self._columns(table)] for table in ("games", "seats")}
        results = {"keep": self.keep, "part_games": simulate.PART_GAMES, "columns": columns}
        mine = {**self.task.describe(), "results": results}
        if not path.exists():
            write_whole(path, to_json(mine))
        self.description = read_json(path)
        theirs = self.description.pop("results", {})
        if self.description.get("id") != self.task.id or theirs.keys() != results.keys():
            raise SimsorryError(f"{path} describes another task: use another --out folder")
        if theirs["keep"] != self.keep:
            raise SimsorryError(f"{self.folder} was begun with --keep {theirs['keep']}: go on with that, or use another --out folder")
        if theirs != results:
            raise SimsorryError(f"{self.folder} was written by a version of simsorry with other columns: use another --out folder")
        self.summing = Summing(self.description)

    def _make_folder(self, folder: Path) -> None:
        try:
            folder.mkdir(exist_ok=True)
            for path in folder.glob(".part-*.tmp-*"):
                path.unlink(missing_ok=True)  # left by a killed run: nobody else writes here while the lock is held
        except OSError as error:
            raise trouble(error, folder, INVALID) from error

    def _columns(self, table: str) -> tuple[Any, ...]:
        columns: tuple[Any, ...] = self.task.game.GAME_COLUMNS if table == "games" else self.task.game.SEAT_COLUMNS
        return columns

    def _read_manifest(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """The manifest, and the parts it knows by name; both empty if there is none that can be read."""
        path = self.folder / "manifest.json"
        if not path.exists():
            return {}, {}
        try:
            manifest = read_json(path)
            self._earlier = [{**each, "versions": dict(each["versions"])} for each in manifest["runs"]]
            return manifest, {entry["file"]: {key: entry[key] for key in _ENTRY_KEYS} for entry in manifest["parts"]}
        except (SimsorryError, KeyError, TypeError, ValueError):
            self._say(f"{path} cannot be read and is made anew from the parts that are whole")
            return {}, {}

    def _checked(self, table: str, first_game: int, games: int, known: dict[str, Any] | None) -> dict[str, Any]:
        """The manifest's entry of a part, after comparing the file with it, or with its own footer if the manifest lacks it."""
        path = self.folder / part_name(table, first_game, games)
        entry = self._entry(table, first_game, games, fingerprint(path))
        if known:
            if entry != known:
                raise damaged(path, "is not as it was written (its size or sha256 differs from manifest.json)")
            return known
        about = header_of(path)
        if (about.get("first_game"), about.get("games")) != (first_game, games) or about.get("task", {}).get("id") != self.task.id:
            raise SimsorryError(f"{path} belongs to another task or range of games: move it elsewhere and run the same command again")
        return entry

    def _entry(self, table: str, first_game: int, games: int, size_and_hash: tuple[int, str]) -> dict[str, Any]:
        rows = {"games": games, "seats": games * self.task.players, "tallies": 1, "summary": 1}[table]
        name = part_name(table, first_game, games)
        size, sha256 = size_and_hash
        return dict(zip(_ENTRY_KEYS, (name, first_game, games, rows, size, sha256), strict=True))

    def _compare_versions(self) -> None:
        """Tells if earlier parts were made with other versions: same rows, but perhaps other bytes."""
        if not self._earlier or not self.parts:
            return
        before, now = self._earlier[-1]["versions"], self._run["versions"]
        changed = [f"{name} {before[name]} (now {now[name]})" for name in before if name in now and before[name] != now[name]]
        if changed:
            self._say(f"note: {self.folder} was last written with {', '.join(changed)}")

    # -- adding games

    def missing(self, games: int) -> list[range]:
        """The games below a number that are not stored yet; what is added from now on is meant to fill these."""
        self._requested = games
        gaps: list[range] = []
        for first_game in range(0, games, simulate.PART_GAMES):
            have = first_game + self.parts.get(first_game, 0)
            end = min(first_game + simulate.PART_GAMES, games)
            if have >= end:
                continue
            if gaps and gaps[-1].stop == have:
                gaps[-1] = range(gaps[-1].start, end)
            else:
                gaps.append(range(have, end))
        return gaps

    def with_sums(self, block: Block) -> tuple[Block, BlockSums]:
        """A block and what it adds up to; may be called from any thread."""
        return block, BlockSums(Summary.of(block), self.summing.of(block).kept())

    def add(self, block: Block, sums: BlockSums) -> None:
        """Takes the next block of the missing games, in order; writes the part once it is complete."""
        if self._open is None:
            self._open = self._begin_part(block.first_game)
        self._open.add(block if self.keep == "rows" else None, sums)
        if self._open.games == self._open.wanted:
            self._write_open_part()

    def _begin_part(self, first_game: int) -> _Open:
        start = first_game - first_game % simulate.PART_GAMES
        part = _Open(start, min(simulate.PART_GAMES, self._requested - start), self.summing)
        if have := self.parts.get(start):
            block = read_block(self.folder, start, have) if self.keep == "rows" else None
            try:
                part.add(block, BlockSums(read_summary(self.folder, start, have), read_tally(self.folder, start, have)))
            except (KeyError, ValueError) as error:
                raise damaged(self.folder / part_name("tallies", start, have), "does not hold the sums that this version keeps") from error
        return part

    def flush(self) -> None:
        """Writes what has been gathered, even if the part is short, and waits until everything is on disk."""
        if self._open and self._open.games:
            self._write_open_part()
        self._settle(0)

    def _write_open_part(self) -> None:
        part, self._open = self._open, None
        assert part is not None
        self._writing.append(self._writer.submit(self._write_part, part))
        self._settle(_QUEUED_PARTS)

    def _settle(self, queued: int) -> None:
        """Waits until no more than so many parts are being written; raises what went wrong with one."""
        while len(self._writing) > queued or (self._writing and self._writing[0].done()):
            entries = self._writing.popleft().result()
            for entry in entries.values():
                self.parts[entry["first_game"]] = entry["games"]
            self._files |= entries
            self.save_manifest("partial", now=False)

    def _write_part(self, part: _Open) -> dict[str, dict[str, Any]]:
        """Writes the tables of a part, then removes a shorter part that it replaces. Runs in the writer's thread."""
        entries = {}
        for table in TABLES[self.keep]:
            name = part_name(table, part.first_game, part.games)
            data = self._bytes(table, part)
            write_whole(self.folder / name, data)
            entries[name] = self._entry(table, part.first_game, part.games, (len(data), hashlib.sha256(data).hexdigest()))
        for table in TABLES[self.keep]:
            for path in files_in(self.folder / table):
                if path.name.startswith(f"part-{part.first_game:012d}-") and f"{table}/{path.name}" not in entries:
                    with suppress(OSError):
                        path.unlink()  # a shorter part left behind is ignored
        return entries

    def _bytes(self, table: str, part: _Open) -> bytes | memoryview:
        about = header(self.description, table, part.first_game, part.games)
        if table == "summary":
            return json.dumps({**about, "summary": part.summary.to_json()}, ensure_ascii=False).encode()
        if table == "tallies":
            return encode_vectors(part.tally.kept().vectors, about)
        numbers = np.arange(part.first_game, part.first_game + part.games, dtype=np.int64)
        meanings = {column.name: column.meaning for column in self._columns(table)} | {"game": "game number"}
        if table == "games":
            return encode(part.table("games", {"game": numbers}), meanings, about)
        players = self.task.players
        keys: dict[str, NDArray[Any]] = {
            "game": np.repeat(numbers, players),
            "seat": np.tile(np.arange(players, dtype=np.uint8), part.games),
        }
        return encode(part.table("seats", keys), meanings | {"seat": "play-order seat: 0 moved first"}, about)

    # -- the whole

    def summary(self, games: int) -> Summary:
        """Sums over the stored games below a number, however many more are stored."""
        total = Summary(self.task.players)
        for first_game, count in sorted(self.parts.items()):
            if first_game + count <= games:
                total.add(read_summary(self.folder, first_game, count))
            elif first_game < games:
                total.add(self._head_summary(first_game, games))
        return total

    def _head_summary(self, first_game: int, end: int) -> Summary:
        """Sums over the first games of a part: from its rows, or by playing them again where there are none."""
        if self.keep == "rows":
            return Summary.of(head(read_block(self.folder, first_game, self.parts[first_game]), end - first_game))
        total = Summary(self.task.players)
        for each in simulate.map_blocks(self.task, range(first_game, end), Summary.of, threads=self._run["threads"]):
            total.add(each)
        return total

    def save_manifest(self, status: str, *, now: bool = True) -> None:
        """Writes the manifest; without ``now`` only if the last time is long enough ago."""
        begun = time.monotonic()
        if not now and begun - self._saved < _MANIFEST_SECONDS:
            return
        self._run["seconds"] = round(begun - self._begun, 3)
        self._run["status"] = status
        stored = [self._files[part_name(table, *part)] for part in sorted(self.parts.items()) for table in TABLES[self.keep]]
        manifest = {
            "format": FORMAT,
            "task": self.task.id,
            "status": status,
            "keep": self.keep,
            "requested": self._requested,
            "games": sum(self.parts.values()),
            "parts": stored,
            "runs": [*self._earlier, self._run],
        }
        write_whole(self.folder / "manifest.json", to_json(manifest))
        self._saved = time.monotonic()


def _holder(lock: Any) -> str:
    with suppress(OSError, ValueError):
        lock.seek(0)
        return str(lock.read(200)).strip() or "just starting"
    return "unknown"


def versions() -> dict[str, str]:
    """Versions of this package and of those that its numbers and files depend on."""
    installed = {name: metadata.version(name) for name in ("numba", "numpy", "pyarrow")}
    return {"simsorry": __version__, "python": platform.python_version(), **installed}
