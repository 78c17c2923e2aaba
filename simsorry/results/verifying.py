"""Whether stored games are what this version plays: a sample of them is replayed and compared number by number.

Where rows are stored, games are drawn in runs of consecutive ones, each as likely as any other; where only sums are, whole parts are
replayed. Files are compared with the manifest and with what they say of themselves. One part is held in memory at a time.
"""

import bisect
import itertools
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.results.files import damaged, exists, fingerprint, read_json, sizes_in
from simsorry.results.parts import TABLES, decode, header_of, part_name, read_summary, read_tally
from simsorry.results.read import Stored
from simsorry.results.rebuild import rebuild
from simsorry.results.store import versions
from simsorry.simulate import FORMAT, Block, Task, map_blocks
from simsorry.summary import Summary
from simsorry.tally import PARTS, Summing

Word = Literal["same", "differs", "cannot be replayed", "not replayed"]

RUN = 10  # consecutive games that are drawn together
CONFIDENCE = 0.95
_MOST_TOLD = 20  # problems of a task
_OF_METRICS = tuple(f" {part}" for part in PARTS)  # what the names of a metric's sums end with


class Unlike(NamedTuple):
    """The first number of a task that is not what this version makes of the same game."""

    game: int
    table: str
    column: str
    seat: int | None  # in play order; None in the table of games
    stored: int
    replayed: int


@dataclass
class Checked:
    """What came of one task."""

    stored: Stored
    because: str = ""  # why it cannot be replayed
    games: int = 0  # replayed
    runs: int = 0  # of consecutive games; none where only sums are stored
    whole_parts: int = 0  # replayed from the first game to the last, and their sums compared
    differing: int = 0  # games
    first: Unlike | None = None
    problems: list[str] = field(default_factory=list)  # what is wrong with files and sums, in sentences
    untold: int = 0  # further problems
    notes: list[str] = field(default_factory=list)  # what is no fault, but may explain one
    files: int = 0  # of which every byte was compared with the manifest

    @property
    def word(self) -> Word:
        """The verdict."""
        if self.differing or self.problems:
            return "differs"
        if self.because:
            return "cannot be replayed"
        return "same" if self.games else "not replayed"  # there are none, or it was stopped before

    def wrong(self, problem: str) -> None:
        """Notes a problem, once."""
        if problem in self.problems:
            return
        if len(self.problems) < _MOST_TOLD:
            self.problems.append(problem)
        else:
            self.untold += 1


@dataclass(frozen=True)
class Piece:
    """A stored part, and which of its games are replayed."""

    first_game: int
    games: int
    runs: tuple[range, ...]

    @property
    def wanted(self) -> int:
        """How many games are replayed."""
        return sum(map(len, self.runs))

    @property
    def whole(self) -> bool:
        """Whether all are."""
        return self.wanted == self.games


@dataclass
class Verification:
    """Which games of which tasks are replayed, and what came of it."""

    tasks: list[Checked]
    pieces: list[list[Piece]]  # of each task
    drawn: int  # runs that were drawn from all with equal chances; those that were added for tasks without any are not among them
    runs: int  # runs that there are where rows are stored
    _rebuilt: list[Task | None]

    @property
    def games(self) -> int:
        """How many games will be replayed."""
        return sum(piece.wanted for pieces in self.pieces for piece in pieces)

    @property
    def stored(self) -> int:
        """How many games are stored of the tasks that can be replayed."""
        return sum(each.stored.games for each, task in zip(self.tasks, self._rebuilt, strict=True) if task)

    @property
    def entry_points(self) -> list[str]:
        """The compiled functions that will be called."""
        return [task.entry_point for task in self._rebuilt if task]

    def replay(
        self, *, threads: int | None = None, stop: threading.Event | None = None, on_games: Callable[[int], None] | None = None
    ) -> bool:
        """Replays what is wanted and notes what differs; False if it was stopped before it was done."""
        stop = stop or threading.Event()
        for checked, task, pieces in zip(self.tasks, self._rebuilt, self.pieces, strict=True):
            _check_files(checked, pieces)
            replaying = _Replaying(checked, task, threads, stop, on_games or _silent) if task else None
            for piece in pieces if replaying else ():
                assert replaying is not None
                replaying.part(piece)
                if stop.is_set():
                    return False
        return True


def _silent(_: int) -> None:
    return None


# -- what is replayed ------------------------------------------------------------------------------


def plan(stored: Sequence[Stored], games: int | None, seed: int) -> Verification:
    """Draws about so many games of some tasks, the same ones for the same seed; all of them if it is None."""
    checked = [Checked(each) for each in stored]
    rebuilt = [_rebuilt(each) for each in checked]
    rows = [each.stored for each, task in zip(checked, rebuilt, strict=True) if task and each.stored.keep == "rows"]
    there = _Runs(rows)
    chance = random.Random(seed)
    most = there.count if games is None else min(there.count, -(-games // RUN))
    drawn = there.all() if most == there.count else there.drawn(chance.sample(range(there.count), most))
    each_sums = None if games is None else max(games // max(len(stored), 1), 1)
    pieces = [
        [] if task is None else drawn.get(each.stored.id, []) if each.stored.keep == "rows" else _summed(each.stored, each_sums, chance)
        for each, task in zip(checked, rebuilt, strict=True)
    ]
    return Verification(checked, pieces, most, there.count, rebuilt)


def _rebuilt(checked: Checked) -> Task | None:
    """The task made again; if it can't be, the reason is noted."""
    try:
        task = rebuild(checked.stored)
    except SimsorryError as error:
        checked.because = str(error)
        return None
    checked.notes += _other_versions(checked.stored, task)
    return task


class _Runs:
    """The runs of consecutive games that the parts of some tasks fall into, numbered one after the other."""

    def __init__(self, stored: Sequence[Stored]) -> None:
        self._parts = [(task.id, first, games) for task in stored for first, games in task.parts.items()]
        self._ends = list(itertools.accumulate(-(-games // RUN) for _, _, games in self._parts))
        self.count = self._ends[-1] if self._ends else 0

    def drawn(self, numbers: Sequence[int]) -> dict[str, list[Piece]]:
        """The parts that hold the runs of these numbers, by task; a task that has none of them gets its first one."""
        found: dict[int, list[int]] = {}
        for number in sorted(numbers):
            found.setdefault(bisect.bisect_right(self._ends, number), []).append(number)
        present = {self._parts[at][0] for at in found}
        for at, (task, _, _) in enumerate(self._parts):
            if task not in present:
                found[at] = [self._begin(at)]
                present.add(task)
        pieces: dict[str, list[Piece]] = {}
        for at, inside in sorted(found.items()):
            task, first, games = self._parts[at]
            begins = [first + (number - self._begin(at)) * RUN for number in inside]
            runs = tuple(range(begin, min(begin + RUN, first + games)) for begin in begins)
            pieces.setdefault(task, []).append(Piece(first, games, _joined(runs)))
        return pieces

    def all(self) -> dict[str, list[Piece]]:
        """Every game of every part, by task."""
        pieces: dict[str, list[Piece]] = {}
        for task, first, games in self._parts:
            pieces.setdefault(task, []).append(Piece(first, games, (range(first, first + games),)))
        return pieces

    def _begin(self, at: int) -> int:
        """The number of the first run of a part."""
        return self._ends[at - 1] if at else 0


def _joined(runs: Sequence[range]) -> tuple[range, ...]:
    """Runs in order, those that follow each other as one."""
    joined: list[range] = []
    for run in runs:
        if joined and joined[-1].stop == run.start:
            joined[-1] = range(joined[-1].start, run.stop)
        else:
            joined.append(run)
    return tuple(joined)


def _summed(stored: Stored, games: int | None, chance: random.Random) -> list[Piece]:
    """Whole parts of which there are only sums: the shortest first, for it is quickly played, then others until there are enough games."""
    parts = list(stored.parts.items())
    chance.shuffle(parts)
    shortest = min(parts, key=lambda part: part[1], default=None)
    taken: list[Piece] = []
    for first, many in sorted(parts, key=lambda part: part != shortest):
        if games is not None and taken and sum(piece.games for piece in taken) >= games:
            break
        taken.append(Piece(first, many, (range(first, first + many),)))
    return sorted(taken, key=lambda piece: piece.first_game)


def _other_versions(stored: Stored, task: Task) -> list[str]:
    """What was otherwise when the games were stored."""
    about, notes = stored.description, []
    if about["version"] != task.game.VERSION:
        notes.append(f"played by version {about['version']} of the game {about['game']}; it is {task.game.VERSION} now")
    if about["format"] != FORMAT:
        notes.append(f"stored in format {about['format']}, which is {FORMAT} now: sums are not compared, nor what only one of them counts")
    with suppress(SimsorryError, KeyError, IndexError, TypeError, AttributeError):
        then, now = read_json(stored.folder / "manifest.json")["runs"][-1]["versions"], versions()
        changed = [f"{name} {then[name]} (now {now[name]})" for name in now if name in then and then[name] != now[name]]
        notes += [f"last written with {', '.join(changed)}"] if changed else []
    return notes


# -- files -----------------------------------------------------------------------------------------


def _check_files(checked: Checked, pieces: Sequence[Piece]) -> None:
    """Compares the size of every file with the manifest, and of the parts that are looked at every byte and what they say of themselves."""
    stored = checked.stored
    known = _manifest(checked)
    there = {part_name(table, *part) for part in stored.parts.items() for table in TABLES[stored.keep]}
    if gone := sorted(known.keys() - there):
        checked.notes.append(f"{gone[0]} stands in manifest.json but is not there: the next run plays its games again")
    sizes = {f"{table}/{name}": size for table in TABLES[stored.keep] for name, size in sizes_in(stored.folder / table).items()}
    for name in sorted(known.keys() & there):
        size = sizes.get(name, 0)
        if size != known[name].get("bytes"):
            checked.wrong(f"{name} has {size} bytes, not the {known[name].get('bytes')} of manifest.json")
    every = checked.because or stored.keep == "summary"  # sums are few and small
    looked_at = stored.parts.items() if every else [(piece.first_game, piece.games) for piece in pieces]
    for part in looked_at:
        for table in TABLES[stored.keep]:
            if exists(stored.folder / (name := part_name(table, *part))):  # earlier formats had no tallies
                _check_file(checked, table, name, part, known.get(name))


def _manifest(checked: Checked) -> dict[str, dict[str, Any]]:
    """What the manifest says of each file; notes if there is none, or none that can be read."""
    path = checked.stored.folder / "manifest.json"
    if not exists(path):
        checked.notes.append("there is no manifest.json to compare files with")
        return {}
    try:
        manifest = read_json(path)
        if manifest["task"] != checked.stored.id:
            checked.wrong("manifest.json is that of another task")
        return {str(entry["file"]): dict(entry) for entry in manifest["parts"]}
    except (SimsorryError, KeyError, TypeError, ValueError):
        checked.wrong("manifest.json can't be read: the next run makes it anew")
        return {}


def _check_file(checked: Checked, table: str, name: str, part: tuple[int, int], known: Mapping[str, Any] | None) -> None:
    """Compares one file with the manifest's words and with its own."""
    path = checked.stored.folder / name
    try:
        if known:
            checked.files += 1
            if fingerprint(path)[1] != known.get("sha256"):
                checked.wrong(f"{name} is not as it was written: its sha256 is not that of manifest.json")
        about = header_of(path)
    except SimsorryError as error:
        checked.wrong(str(error))
        return
    says = about.get("table"), about.get("first_game"), about.get("games"), about.get("format")
    if says != (table, *part, checked.stored.description["format"]):
        checked.wrong(f"{name} says of itself that it holds other games, or another table")
    elif about.get("task") != checked.stored.description:
        checked.wrong(f"{name} describes another task than task.json does")


# -- replaying -------------------------------------------------------------------------------------


class _Found(NamedTuple):
    """What came of a block."""

    games: int
    differing: int
    first: Unlike | None
    summary: Summary | None  # where sums are compared
    tally: Any


@dataclass
class _Replaying:
    """Replays parts of one task."""

    checked: Checked
    task: Task
    threads: int | None
    stop: threading.Event
    on_games: Callable[[int], None]

    def __post_init__(self) -> None:
        self.summing = Summing(self.task.describe(), sums_only=self.checked.stored.keep == "summary")
        self.same_format = self.checked.stored.description["format"] == FORMAT

    def part(self, piece: Piece) -> None:
        """Replays the games of a part that are wanted, and compares their rows and all sums that can be made."""
        try:
            rows = _rows(self.checked.stored, piece) if self.checked.stored.keep == "rows" else None
            if rows:
                self._compare_columns(rows)
                self._compare_summary(piece, Summary.of(rows) if self.same_format else None, "those of its rows")
            self._play(piece, rows)
        except SimsorryError as error:
            self.checked.wrong(str(error))

    def _play(self, piece: Piece, rows: Block | None) -> None:
        summed = piece.whole and self.same_format

        def work(block: Block) -> _Found:
            differing, first = _compared(rows, block) if rows else (0, None)
            sums = (Summary.of(block), self.summing.of(block).kept()) if summed else (None, None)
            return _Found(block.count, differing, first, *sums)

        total = Summary(self.task.players)
        tally = self.summing.empty(piece.first_game, piece.first_game + piece.games)
        for run in piece.runs:
            for found in map_blocks(self.task, run, work, threads=self.threads, stop=self.stop):
                self._take(found)
                if found.summary:
                    total.add(found.summary)
                    tally.take(found.tally)
        self.checked.runs += sum(-(-len(run) // RUN) for run in piece.runs) if rows else 0
        if summed and total.games == piece.games:
            self.checked.whole_parts += 1
            self._compare_summary(piece, total, "what its games come to")
            self._compare_tally(piece, tally.kept().vectors)

    def _take(self, found: _Found) -> None:
        checked = self.checked
        checked.games += found.games
        checked.differing += found.differing
        if found.first and (checked.first is None or found.first.game < checked.first.game):
            checked.first = found.first
        self.on_games(found.games)

    def _compare_columns(self, rows: Block) -> None:
        """Names columns that are stored and not counted any more, or the other way round."""
        for table, columns in (("games", self.task.game.GAME_COLUMNS), ("seats", self.task.game.SEAT_COLUMNS)):
            stored, counted = set(getattr(rows, table)), {column.name for column in columns}
            note = self.checked.wrong if self.same_format else self._note
            for name in sorted(stored ^ counted):
                note(f"the table {table} {'holds' if name in stored else 'lacks'} a column {name}, which is {_counted(name in counted)}")

    def _note(self, text: str) -> None:
        if text not in self.checked.notes:
            self.checked.notes.append(text)

    def _compare_summary(self, piece: Piece, made: Summary | None, what: str) -> None:
        if made is None:
            return
        stored = read_summary(self.checked.stored.folder, piece.first_game, piece.games).to_json()
        if key := _first_unlike(stored, made.to_json()):
            name = part_name("summary", piece.first_game, piece.games)
            self.checked.wrong(f"the sums in {name} are not {what}: {key} differs")

    def _compare_tally(self, piece: Piece, made: Mapping[str, NDArray[np.int64]]) -> None:
        stored = read_tally(self.checked.stored.folder, piece.first_game, piece.games, self.checked.stored.keep).vectors
        name = part_name("tallies", piece.first_game, piece.games)
        lacking = sorted(made.keys() - stored.keys())
        if later := [key for key in lacking if key.endswith(_OF_METRICS)]:  # reports leave out what they lack
            self._note(f"{name} was written before there was {later[0].rpartition(' ')[0]!r} to be summed up")
        if broken := [key for key in lacking if key not in later]:
            self.checked.wrong(f"{name} lacks {broken[0]!r}")
        unlike = [key for key in stored if key in made and not np.array_equal(stored[key], made[key])]
        if unlike:
            self.checked.wrong(f"the sums in {name} are not what its games come to: {unlike[0]!r} differs")


def _counted(now: bool) -> str:
    return "counted now" if now else "not counted any more"


def _rows(stored: Stored, piece: Piece) -> Block:
    """The rows of a part, whose game and seat numbers are checked; raises SimsorryError if they are not those of its name."""
    players = stored.description["players"]
    numbers = np.arange(piece.first_game, piece.first_game + piece.games, dtype=np.int64)
    keys = {"games": {"game": numbers}, "seats": {"game": np.repeat(numbers, players), "seat": np.tile(np.arange(players), piece.games)}}
    columns: dict[str, dict[str, NDArray[Any]]] = {}
    for table, wanted in keys.items():
        path = stored.folder / part_name(table, piece.first_game, piece.games)
        read = decode(path)
        found = {name: read[name].to_numpy() for name in read.column_names}
        if not all(name in found and np.array_equal(found.pop(name), column) for name, column in wanted.items()):
            raise damaged(path, "does not hold the games that its name says")
        columns[table] = found
    return Block(columns["games"], columns["seats"], piece.first_game)


def _compared(rows: Block, played: Block) -> tuple[int, Unlike | None]:
    """How many of the games just played are stored otherwise, and the first number that is."""
    begin = played.first_game - rows.first_game
    unlike = np.zeros(played.count, dtype=bool)
    numbers: list[Unlike] = []
    for table, each in (("games", 1), ("seats", played.players)):
        stored, mine = getattr(rows, table), getattr(played, table)
        for name in (name for name in mine if name in stored):
            there = stored[name][begin * each : (begin + played.count) * each]
            if not (other := (there != mine[name])).any():
                continue
            at = int(other.argmax())
            seat = at % each if table == "seats" else None
            numbers.append(Unlike(played.first_game + at // each, table, name, seat, int(there[at]), int(mine[name][at])))
            unlike |= other.reshape(-1, each).any(axis=1)
    return int(unlike.sum()), min(numbers, key=lambda number: number.game, default=None)


def _first_unlike(one: Any, other: Any, path: str = "") -> str:
    """Where two documents differ first; empty if they are the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        found = (_first_unlike(one.get(key), other.get(key), f"{path} {key}".strip()) for key in dict.fromkeys([*one, *other]))
        return next(filter(None, found), "")
    return "" if one == other else path or "all of it"


# -- what it means ---------------------------------------------------------------------------------


def most_unseen(drawn: int) -> float:
    """The share of all that at most differ, with 95 % confidence, if none of so many that were drawn do."""
    return 1 - (1 - CONFIDENCE) ** (1 / drawn) if drawn else 1.0
