"""Writing a task's results: what is there, what is missing, and adding it part by part."""

import fcntl
import json
import os
import platform
import secrets
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, Self, TextIO

from simsorry import __version__, simulate
from simsorry.errors import INTERRUPTED, INVALID, SimsorryError
from simsorry.results.described import is_description
from simsorry.results.files import (
    damaged,
    exists,
    fingerprint,
    make_folder,
    read_json,
    remove,
    sizes_in,
    sweep_up,
    to_json,
    trouble,
    write_whole,
)
from simsorry.results.parts import (
    TABLES,
    are_first,
    head,
    header_of,
    part_name,
    part_sizes,
    read_block,
    read_summary,
    read_tally,
    same_task,
    whole_parts,
)
from simsorry.results.places import is_elsewhere, place
from simsorry.results.writing import ENTRY_KEYS, BlockSums, Entries, Gathered, PartWriter, sums_of
from simsorry.simulate import FORMAT, Block, Task, part_of
from simsorry.summary import Summary
from simsorry.tally import Summing

LOCK = ".lock"

Keep = Literal["rows", "summary"]
Say = Callable[[str], None]

_QUEUED_PARTS = 2  # complete parts waiting to be written, before the run waits for the disk
_MANIFEST_SECONDS = 2.0
_MANIFEST_PAUSE = 20  # times as long as it took to write it
_PART_SECONDS = 60.0  # a part that takes longer is written as far as it is, that so much at most is lost when a run is killed


class Store:
    """A task's folder, open for writing by this process alone.

    Raises SimsorryError if the folder cannot be used, belongs to something else, or holds a damaged part.
    """

    def __init__(self, task: Task, out: str | Path, keep: Keep, *, say: Say, stop: threading.Event, run: dict[str, Any]) -> None:
        self.task, self.keep, self.folder = task, keep, place(out) / task.id
        self.token = secrets.token_hex(8)  # by which others that see this folder know it
        self._lock: TextIO | None = None
        self._say, self._stop = say, stop
        self._run = run  # this run's entry in the manifest
        self._begun = time.monotonic()
        self._saved, self._saving = -_MANIFEST_SECONDS, 0.0  # when the manifest was written, and how long that took
        self._requested = 0
        self._open: Gathered | None = None
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="simsorry-writer")
        self._writing: deque[Future[Entries]] = deque()
        self._written = time.monotonic()  # when a part was last handed to the writer
        self._files: Entries = {}
        self._earlier: list[dict[str, Any]] = []  # the manifest's runs
        self.settled = False  # whether the manifest already says all that is there
        self.parts: dict[int, int] = {}  # first game to games of the parts that are whole

    def __enter__(self) -> Self:
        make_folder(self.folder)
        if not is_elsewhere(self.folder):
            try:
                self._lock = open(self.folder / LOCK, "a+")
            except OSError as error:
                raise trouble(error, self.folder, INVALID) from error
        try:
            self._acquire()
            self._take_stock()
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.shutdown(wait=True, cancel_futures=True)
        self._release()

    def _release(self) -> None:
        if self._lock:
            self._lock.close()

    def _acquire(self) -> None:
        """Waits until no other run writes here. The system frees the lock when its holder ends, however it ends.

        There are no locks elsewhere: two runs there write the same parts, as these are the same whoever writes them.
        """
        holder = f"process {os.getpid()} on {socket.gethostname()}\n{self.token}\n"
        if not self._lock:
            write_whole(self.folder / LOCK, holder.encode())  # workers of a cluster look for it
            return
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
            self._lock.write(holder)
            self._lock.flush()

    def _take_stock(self) -> None:
        """Finds out what is there: reads task and manifest, checks every whole part, sweeps up what a killed run left."""
        for name in ("task.json", "manifest.json"):
            sweep_up(self.folder / name)
        self._check_description()
        for table in TABLES[self.keep]:
            make_folder(self.folder / table)
            for name in sizes_in(self.folder / table):
                if name.startswith(".part-") and ".tmp-" in name:
                    remove(self.folder / table / name)  # left by a killed run: nobody else writes here while the lock is held
        manifest, known = self._read_manifest()
        self.parts = whole_parts(self.folder, self.keep)
        for table in TABLES[self.keep]:
            self._parts.remove_shorter(table, self.parts)  # left by a run that was killed once it had written the longer ones
        for table in TABLES[self.keep]:
            sizes = sizes_in(self.folder / table)
            for first_game, games in self.parts.items():
                name = part_name(table, first_game, games)
                self._files[name] = self._checked(table, first_game, games, known.get(name), sizes)
        self.settled = manifest.get("status") == "complete" and known.keys() == self._files.keys()
        self._compare_versions()

    def _check_description(self) -> None:
        """Writes ``task.json``, or checks that the one that is there fits."""
        path = self.folder / "task.json"
        columns = {table: [column.name for column in self._columns(table)] for table in ("games", "seats")}
        results = {"keep": self.keep, "part_games": part_sizes(self.keep), "columns": columns}
        mine = {**self.task.describe(), "results": results}
        if not exists(path):
            self._tell_of_edits()
            write_whole(path, to_json(mine))
        self.description = read_json(path)
        theirs = self.description.pop("results", None)
        described = is_description(self.description) and same_task(self.description, mine)
        if not described or not isinstance(theirs, dict) or theirs.keys() != results.keys():
            raise SimsorryError(f"{path} is not that of this task: delete it and run the same command again, or use another --out folder")
        if theirs["keep"] != self.keep:
            raise SimsorryError(f"{self.folder} was begun with --keep {theirs['keep']}: go on with that, or use another --out folder")
        if theirs != results and _as_before_parts_grew(theirs, self.folder, self.keep) == results:
            write_whole(path, to_json({**self.description, "results": results}))
        elif theirs != results:
            raise SimsorryError(f"{self.folder} was written by a version of simsorry with other columns or parts: use another --out folder")
        self.summing = Summing(self.description, sums_only=self.keep == "summary")
        self._parts = PartWriter(self.task, self.description, self.folder, self.keep)

    def _tell_of_edits(self) -> None:
        """Tells if games are stored here of the same files of a person's own with other rules or weights: they were edited since."""
        own = {name: digest for name, digest in _files_of(self.task.describe()) if ".toml" in name or "/" in name}
        if not own or is_elsewhere(self.folder):
            return
        for path in sorted(self.folder.parent.glob("*/task.json")):
            with suppress(SimsorryError, KeyError, TypeError):
                edited = [name for name, digest in _files_of(read_json(path)) if own.get(name, digest) != digest]
                if edited:
                    self._say(f"note: {path.parent} holds games of {edited[0]} before it was edited; new ones go to {self.folder}")
                    return

    def _columns(self, table: str) -> tuple[Any, ...]:
        columns: tuple[Any, ...] = self.task.game.GAME_COLUMNS if table == "games" else self.task.game.SEAT_COLUMNS
        return columns

    def _read_manifest(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """The manifest, and the parts it knows by name; both empty if there is none that can be read."""
        path = self.folder / "manifest.json"
        if not exists(path):
            return {}, {}
        try:
            manifest = read_json(path)
            newer, of_another = manifest["format"] > FORMAT, manifest["task"] != self.task.id
            self._earlier = [{**each, "versions": dict(each["versions"])} for each in manifest["runs"]]
            known = {entry["file"]: {key: entry[key] for key in ENTRY_KEYS} for entry in manifest["parts"]}
        except (SimsorryError, KeyError, TypeError, ValueError):
            newer, of_another = False, True
        if newer:
            raise SimsorryError(f"{path} was written by a newer version of simsorry: upgrade to add to it, or use another --out folder")
        if of_another:
            self._say(f"{path} cannot be read and is made anew from the parts that are whole")
            self._earlier = []
            return {}, {}
        return manifest, known

    def _checked(self, table: str, first_game: int, games: int, known: dict[str, Any] | None, sizes: Mapping[str, int]) -> dict[str, Any]:
        """The manifest's entry of a part, after comparing the file with it, or with its own footer if the manifest lacks it."""
        path = self.folder / part_name(table, first_game, games)
        if known and is_elsewhere(path):  # to fetch everything would take long
            size_and_hash = sizes.get(path.name, 0), known["sha256"]
        else:
            size_and_hash = fingerprint(path)
        entry = self._parts.entry(table, first_game, games, size_and_hash)
        if known:
            if entry != known:
                raise damaged(path, "is not as it was written (its size or sha256 differs from manifest.json)")
            return known
        about = header_of(path)
        if (about.get("first_game"), about.get("games")) != (first_game, games) or about.get("task", {}).get("id") != self.task.id:
            raise SimsorryError(f"{path} belongs to another task or range of games: move it elsewhere and run the same command again")
        return entry

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
        first_game = 0
        while first_game < games:
            part = self.part_of(first_game)
            have, end = first_game + self.parts.get(first_game, 0), min(part.stop, games)
            first_game = part.stop
            if have >= end:
                continue
            if gaps and gaps[-1].stop == have:
                gaps[-1] = range(gaps[-1].start, end)
            else:
                gaps.append(range(have, end))
        return gaps

    def part_of(self, game: int) -> range:
        """The games of the part that a game belongs to."""
        return part_of(game, sums_only=self.keep == "summary")

    def with_sums(self, block: Block) -> tuple[Block, BlockSums]:
        """A block and what it adds up to; may be called from any thread."""
        return block, sums_of(block, self.summing)

    def add(self, block: Block, sums: BlockSums) -> None:
        """Takes the next block of the missing games, in order; writes the part once it is complete, and now and then as far as it is."""
        self.take(block.first_game, block if self.keep == "rows" else None, sums)

    def take(self, first_game: int, block: Block | None, sums: BlockSums) -> None:
        """As ``add``; there is no block where rows are not kept."""
        if self._open is None:
            self._open = self._begin_part(first_game)
        self._open.add(block, sums)
        if self._open.games == self._open.wanted:
            self._write_open_part()
        elif time.monotonic() - self._written >= _PART_SECONDS:
            self._settle(_QUEUED_PARTS)
            if not self._writing:  # a disk that is slow is not given more
                self._write(self._open.so_far())

    def take_written(self, entries: Entries) -> None:
        """Takes a part that somebody else has written already."""
        self._note(entries)
        self.save_manifest("partial", now=False)

    def _begin_part(self, first_game: int) -> Gathered:
        games = self.part_of(first_game)
        start = games.start
        part = Gathered(start, min(len(games), self._requested - start), self.summing)
        if have := self.parts.get(start):
            block = read_block(self.folder, start, have) if self.keep == "rows" else None
            try:
                part.add(block, BlockSums(read_summary(self.folder, start, have), read_tally(self.folder, start, have, self.keep)))
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
        self._write(part)

    def _write(self, part: Gathered) -> None:
        self._writing.append(self._writer.submit(self._parts.write, part))
        self._settle(_QUEUED_PARTS)
        self._written = time.monotonic()

    def _settle(self, queued: int) -> None:
        """Waits until no more than so many parts are being written; raises what went wrong with one."""
        while len(self._writing) > queued or (self._writing and self._writing[0].done()):
            self._note(self._writing.popleft().result())
            self.save_manifest("partial", now=False)

    def _note(self, entries: Entries) -> None:
        """Takes the entries of a part in place of those of a shorter one."""
        for entry in entries.values():
            shorter = int(self.parts.get(entry["first_game"], 0))
            for table in TABLES[self.keep]:
                self._files.pop(part_name(table, entry["first_game"], shorter), None)
            self.parts[entry["first_game"]] = entry["games"]
        self._files |= entries

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
        if end - first_game > simulate.PART_GAMES:
            self._say(f"{self.folder} keeps sums only: {end - first_game:,} games are played again to sum up no more than were asked for")
        for each in simulate.map_blocks(self.task, range(first_game, end), Summary.of, threads=self._run["threads"], stop=self._stop):
            total.add(each)
        if total.games < end - first_game:
            raise SimsorryError("stopped while games were played again; all that is stored stays", INTERRUPTED)
        return total

    def save_manifest(self, status: str, *, now: bool = True) -> None:
        """Writes the manifest; without ``now`` only if the last time is long enough ago."""
        begun = time.monotonic()
        if not now and begun - self._saved < max(_MANIFEST_SECONDS, _MANIFEST_PAUSE * self._saving):
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
        self._saving = self._saved - begun


def _files_of(description: dict[str, Any]) -> list[tuple[str, str]]:
    """The names of the ruleset and the policies of a task, and something that differs whenever what they say does."""
    ruleset = description["ruleset"]
    weights = [(policy["name"], json.dumps(policy["weights"])) for policy in description["policies"]]
    return [(ruleset["name"], ruleset["hash"]), *weights]


def _as_before_parts_grew(results: dict[str, Any], folder: Path, keep: Keep) -> dict[str, Any]:
    """What an earlier version said of results, as it is said now: its parts were all of one size, as those of the first games still are."""
    if results["part_games"] == simulate.PART_GAMES and are_first(whole_parts(folder, keep)):
        return {**results, "part_games": part_sizes(keep)}
    return results


def _holder(lock: Any) -> str:
    with suppress(OSError, ValueError):
        lock.seek(0)
        return str(lock.read(200)).partition("\n")[0].strip() or "just starting"
    return "unknown"


def versions() -> dict[str, str]:
    """Versions of this package and of those that its numbers and files depend on."""
    installed = {name: metadata.version(name) for name in ("numba", "numpy", "pyarrow")}
    return {"simsorry": __version__, "python": platform.python_version(), **installed}
