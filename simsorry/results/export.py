"""Results as CSV files for spreadsheets: names instead of numbers, a row of headings, and no more rows than a sheet can hold.

A folder of these files holds

    summary.csv     one row per task: who played what, how long it took, who won, with 95 % intervals
    games.csv       one row per game
    seats.csv       one row per game and seat in play order
    columns.csv     what each column of these files means
    export.json     which tasks and how many games these files are of, and their names: what makes the folder an export

Where a table has more rows than a sheet, it is cut into ``games-1.csv``, ``games-2.csv`` and so on. The folder appears whole or not at
all. Rows go through part by part, so memory does not grow with the number of games.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import NormalDist
from typing import Any

from simsorry import __version__
from simsorry.errors import PARTIAL, USAGE, SimsorryError
from simsorry.games.options import COLORS
from simsorry.results.files import to_json
from simsorry.results.folders import making
from simsorry.results.parts import head, part_name, read_block, read_summary, source
from simsorry.results.read import Stored, check_part, known_parts, part_rows
from simsorry.simulate import FORMAT as STORED_FORMAT
from simsorry.simulate import Traits
from simsorry.summary import Estimate, Share, Summary
from simsorry.toml import closest

FORMAT = "simsorry export 1"
MARK = "export.json"
SUMMARY, GAMES, SEATS = TABLES = ("summary", "games", "seats")
SHEET_ROWS = 1_048_576  # that Excel and LibreOffice have in a sheet, the headings included
LEVEL = 0.95

ABOUT = {
    "task": "id of the task: the same rules, players, policies and seed have the same",
    "ruleset": "name of the ruleset, with its house rules",
    "players": "number of players",
    "policies": "who plays: one name if all play alike, else one for each color in the order of the table",
    "seed": "seed of all chance: tasks with the same seed play the same game numbers with the same luck",
}
KEYS = {
    GAMES: {
        "game": "number of the game",
        "winner_seat": "seat in play order of the winner, 1 for who moved first; empty if the game was cut off",
        "winner_color": "color of the winner; empty if the game was cut off",
        "winner_policy": "policy of the winner; empty if the game was cut off",
        "first_color": "color of who moved first",
    },
    SEATS: {
        "game": "number of the game",
        "seat": "seat in play order, 1 for who moved first",
        "color": "color of this player",
        "policy": "policy of this player",
    },
}
NUMBERED = {"winner", "winner_color", "first_seat", "digest", "seat", "color", "table_seat", "game"}  # told by names above, or of no use
SUMMED = {
    "title": "title of the ruleset",
    "kind": "kind of game, which says what is counted",
    "colors": "colors in the order of the table",
    "games": "number of games that all numbers of this row are of",
    "cut_off": "games that were cut off at the turn cap",
    "turns": "turns per game, on average",
    "turns_sd": "standard deviation of the turns per game",
    "turns_median": "turns within which half of the games are over",
    "turns_90": "turns within which 90 % of the games are over",
    "dead_turns": "share of all turns in which nothing could be done",
    "choice_turns": "share of all turns with a choice",
    "bumps": "pawns sent back per game, on average",
    "lead_changes": "changes of the lead per game, on average",
    "match_rounds": "rounds per game, on average: 1 where a game is no match",
}
PER_TURN, PER_GAME = ("dead_turns", "choice_turns"), ("bumps", "lead_changes", "match_rounds")
_ALTERED = re.compile(r"[=+\-@\t\r]|\d{16,}$|\d+(\.\d*)?e[+-]?\d+$", re.IGNORECASE)  # what a spreadsheet would take for something else
_Z = NormalDist().inv_cdf(0.5 + LEVEL / 2)
_DIGITS = 4  # after the point, of summaries


@dataclass(frozen=True)
class Wanted:
    """What is exported: tables of tasks, of all columns or some, of all games or the first ones, together or each task apart.

    Raises SimsorryError where there is nothing of that.
    """

    tasks: Sequence[Stored]
    tables: Sequence[str] = TABLES
    columns: Sequence[str] | None = None
    games: int | None = None
    apart: bool = False

    def __post_init__(self) -> None:
        if not any(task.games for task in self.tasks):
            raise SimsorryError(f"{self.tasks[0].folder} holds no whole part yet")
        for task in self.tasks if SUMMARY in self.tables else ():
            _check_sums(task, self.games)
        if not self.with_rows and SUMMARY not in self.tables:
            raise SimsorryError(f"{self.tasks[0].folder} keeps sums only (--keep summary): there are no rows to export, only a summary")
        self._check_columns()

    @cached_property
    def with_rows(self) -> list[Stored]:
        """The tasks of which there are rows."""
        return [task for task in self.tasks if task.keep == "rows"]

    def games_of(self, task: Stored) -> int:
        """How many games of a task are exported."""
        return sum(many for _, many in self.parts(task))

    def parts(self, task: Stored) -> Iterator[tuple[int, int]]:
        """The first game of each part, and how many of its games are wanted."""
        for first_game, games in sorted(task.parts.items()):
            many = games if self.games is None else min(games, self.games - first_game)
            if many > 0:
                yield first_game, many

    def headings(self, table: str, tasks: Sequence[Stored]) -> list[str]:
        """The columns of a table of some tasks, those that only some of them have included."""
        counted = dict.fromkeys(name for task in tasks for name in task.columns[table] if name not in NUMBERED)
        named = [name for name in KEYS[table] if name != "winner_seat" or any("winner" in task.columns[table] for task in tasks)]
        if self.columns is not None:
            keep = {"game", "seat", *self.columns}
            return [*ABOUT, *(name for name in (*named, *counted) if name in keep)]
        return [*ABOUT, *named, *counted]

    def _check_columns(self) -> None:
        """Refuses a column that none of the tables has."""
        tables = [table for table in self.tables if table != SUMMARY]
        there = {name for table in tables for task in self.with_rows for name in (*KEYS[table], *task.columns[table])} - NUMBERED
        there |= {name for table in tables for name in KEYS[table]}
        if unknown := [name for name in self.columns or () if name not in there]:
            told = f"there is no column {unknown[0][:60]!r} in {' and '.join(tables) or 'a summary'}"
            raise SimsorryError(f"--columns: {told}{closest(unknown[0], there)}", USAGE)


def _check_sums(task: Stored, games: int | None) -> None:
    """Refuses a summary that can't be had."""
    if task.description["format"] != STORED_FORMAT:
        raise SimsorryError(
            f"{task.folder} was stored by an earlier version of simsorry, and its sums can't be read: ask for --table games --table seats"
        )
    inside = games is not None and any(first < games < first + many for first, many in task.parts.items())
    if task.keep == "summary" and inside:
        raise SimsorryError(f"--games {games:,}: {task.folder} keeps sums only, of whole parts: leave --games out", USAGE)


# -- files -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class File:
    """A file that was written, and its rows without the headings."""

    name: str
    rows: int


def check(folder: Path) -> None:
    """Raises SimsorryError if an export could not be written to ``folder``."""
    if not (folder.is_symlink() or folder.exists()):
        return
    if not folder.is_dir():
        raise SimsorryError(f"--out {folder} is a file; an export is a folder", USAGE)
    files = {path.name for path in folder.iterdir()}
    if files and not (own := _files_of(folder)):
        raise SimsorryError(f"--out {folder} exists and is no export of simsorry: choose another folder, or remove it yourself", USAGE)
    if foreign := sorted(files - own if files else ()):
        raise SimsorryError(
            f"--out {folder} holds {foreign[0]}, which is no part of the export there: move it away, or choose another folder", USAGE
        )


def _files_of(folder: Path) -> set[str]:
    """The files of an earlier export; none if the folder is not one."""
    try:
        found = json.loads((folder / MARK).read_text(encoding="utf-8"))
        return {MARK, *found["files"]} if str(found["format"]).startswith(FORMAT.rpartition(" ")[0]) else set()
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def write(wanted: Wanted, folder: Path, *, stop: threading.Event, on_games: Callable[[int], None]) -> list[File] | None:
    """Writes everything into a folder; None, and nothing written, if it was stopped. ``on_games`` is told of games as their rows are done.

    Raises SimsorryError if the folder is not free or cannot be written to.
    """
    check(folder)
    with making(folder, PARTIAL) as made:
        files = _write_all(wanted, made.path, stop, on_games)
        if files is None:
            return None
        document = {
            "format": FORMAT,
            "version": __version__,
            "files": [file.name for file in files],
            "tasks": [
                {
                    "id": task.id,
                    "ruleset": task.description["ruleset"]["name"],
                    "games": wanted.games_of(task),
                    "description": task.description,
                }
                for task in wanted.tasks
            ],
        }
        (made.path / MARK).write_bytes(to_json(document))
        check(folder)
        made.put()
    return files


def _write_all(wanted: Wanted, folder: Path, stop: threading.Event, on_games: Callable[[int], None]) -> list[File] | None:
    _check_parts(wanted)
    files = []
    if SUMMARY in wanted.tables:
        files.append(_write_rows(folder / "summary.csv", _summaries(wanted)))
    for table in (each for each in wanted.tables if each != SUMMARY):
        groups = {f"-{task.id}": [task] for task in wanted.with_rows} if wanted.apart else {"": wanted.with_rows}
        for ending, tasks in groups.items():
            sheets = _Sheets(folder, f"{table}{ending}", sum(rows_of(wanted, table, task) for task in tasks))
            headings = wanted.headings(table, tasks)
            for task in tasks:
                for first_game, many in wanted.parts(task):
                    if stop.is_set():
                        return None
                    sheets.add(_converted(task, table, _part(task, table, first_game, many), headings))
                    on_games(many)
            files += sheets.files
    return [*files, _write_rows(folder / "columns.csv", _meanings(wanted))]


def _check_parts(wanted: Wanted) -> None:
    """Raises SimsorryError for a part that is wanted and is not as it was written."""
    for task in wanted.tasks:
        known = known_parts(task)
        for table in wanted.tables if task.keep == "rows" else {SUMMARY}.intersection(wanted.tables):
            for first_game, _ in wanted.parts(task):
                check_part(task, table, first_game, known)


def rows_of(wanted: Wanted, table: str, task: Stored) -> int:
    """Rows of a table of a task."""
    return wanted.games_of(task) * (1 if table == GAMES else int(task.description["players"]))


class _Sheets:
    """A table as one CSV file, or as several if it has more rows than a sheet."""

    def __init__(self, folder: Path, name: str, rows: int) -> None:
        self.files: list[File] = []
        self._folder, self._name, self._room = folder, name, 0
        self._several = rows >= SHEET_ROWS
        self._begun = 0  # sheets

    def add(self, rows: Any) -> None:
        """Writes more rows."""
        from pyarrow import csv

        while len(rows):
            new = not self._room
            if new:
                self._begun, self._room = self._begun + 1, SHEET_ROWS - 1
                self.files.append(File(f"{self._name}{f'-{self._begun}' if self._several else ''}.csv", 0))
            piece = rows.slice(0, self._room)
            with open(self._folder / self.files[-1].name, "ab") as file:
                csv.write_csv(piece, file, csv.WriteOptions(include_header=new))
            self.files[-1] = File(self.files[-1].name, self.files[-1].rows + len(piece))
            self._room -= len(piece)
            rows = rows.slice(len(piece))


def _write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> File:
    """A small table, with a column for whatever any row has."""
    import pyarrow as pa
    from pyarrow import csv

    headings = list(dict.fromkeys(name for row in rows for name in row))
    with open(path, "wb") as file:
        csv.write_csv(pa.table([pa.array([row.get(name) for row in rows]) for name in headings], names=headings), file)
    return File(path.name, len(rows))


# -- rows ------------------------------------------------------------------------------------------


def as_text(text: str) -> str:
    """A name that a spreadsheet shows as it is: with an apostrophe in front if it would else be a formula or lose digits."""
    return f"'{text}" if _ALTERED.match(text) else text


def _about(task: Stored) -> dict[str, Any]:
    """What tells the rows of a task from those of others."""
    about = task.description
    names = [policy["name"] for policy in about["policies"]]
    return {
        "task": as_text(task.id),
        "ruleset": as_text(about["ruleset"]["name"]),
        "players": about["players"],
        "policies": as_text(names[0] if len(set(names)) == 1 else ", ".join(names)),
        "seed": as_text(str(about["seed"])),
    }


def _part(task: Stored, table: str, first_game: int, many: int) -> Any:
    """The first rows of a part of a table."""
    rows = part_rows(task, table, first_game)
    return rows.slice(0, many * (1 if table == GAMES else task.description["players"]))


def _converted(task: Stored, table: str, rows: Any, headings: Sequence[str]) -> Any:
    """Rows with these columns, numbers that stand for something said by its name; empty where a task lacks a column."""
    import pyarrow as pa

    made = {name: pa.repeat(pa.scalar(value), len(rows)) for name, value in _about(task).items()}
    made |= _named(task, table, rows)
    made |= {name: rows[name] for name in rows.column_names if name not in NUMBERED}
    return pa.table([made[name] if name in made else pa.nulls(len(rows)) for name in headings], names=list(headings))


def _named(task: Stored, table: str, rows: Any) -> dict[str, Any]:
    """What stands in the stored rows as a number, by name."""
    at_table = [as_text(policy["name"]) for policy in task.description["policies"]]
    colors = task.description["seat_colors"]
    by_color = [at_table[colors.index(color)] if color in colors else None for color in COLORS]
    if table == SEATS:
        return {
            "game": rows["game"],
            "seat": _following(rows["seat"]),
            "color": _names(COLORS, rows["color"]),
            "policy": _names(at_table, rows["table_seat"]),
        }
    return {
        "game": rows["game"],
        "winner_seat": _names(range(1, len(at_table) + 1), rows["winner"]),
        "winner_color": _names(COLORS, rows["winner_color"]),
        "winner_policy": _names(by_color, rows["winner_color"]),
        "first_color": _names(colors, rows["first_seat"]),
    }


def _names(names: Sequence[Any], numbers: Any) -> Any:
    """The name for each number; nothing for a number that has none."""
    import pyarrow as pa
    from pyarrow import compute

    known = compute.if_else(compute.less(numbers, len(names)), numbers, None)
    return pa.array(list(names)).take(known)


def _following(numbers: Any) -> Any:
    from pyarrow import compute

    return compute.add(numbers, 1)


# -- sums ------------------------------------------------------------------------------------------


def _summaries(wanted: Wanted) -> list[dict[str, Any]]:
    return [_summary_row(task, _sums(wanted, task)) for task in wanted.tasks if wanted.games_of(task)]


def _sums(wanted: Wanted, task: Stored) -> Summary:
    """Sums over the games of a task that are wanted."""
    total = Summary(task.description["players"])
    for first_game, many in wanted.parts(task):
        stored = task.parts[first_game]
        whole = many == stored
        total.add(
            read_summary(task.folder, first_game, stored) if whole else Summary.of(head(read_block(task.folder, first_game, stored), many))
        )
    return total


def _summary_row(task: Stored, sums: Summary) -> dict[str, Any]:
    """One row on a task; measures that its game does not count are left out."""
    about = task.description
    row = _about(task) | {
        "title": as_text(about["ruleset"]["title"]),
        "kind": about["game"],
        "colors": ", ".join(about["seat_colors"]),
        "games": sums.games,
        "cut_off": sums.capped().count,
    }
    turns = sums.mean("turns")
    row |= _bounded("turns", turns)
    row |= {"turns_sd": _rounded(turns.sd), "turns_median": sums.quantile(0.5), "turns_90": sums.quantile(0.9)}
    counted = sums.game_moments
    row |= {key: value for name in PER_TURN if name in counted for key, value in _bounded(name, sums.per_turn(name)).items()}
    row |= {key: value for name in PER_GAME if name in counted for key, value in _bounded(name, sums.mean(name)).items()}
    for seat, won in enumerate(sums.wins_by_seat(), start=1):
        row |= _shared(f"won_seat_{seat}", won)
    return row | _by_policy(task, sums)


def _by_policy(task: Stored, sums: Summary) -> dict[str, Any]:
    """Shares of the games by who plays, where not all play alike; none in team play, where a win is that of both partners."""
    names = [policy["name"] for policy in task.description["policies"]]
    if len(set(names)) == 1 or Traits.of(task.description).teams:
        return {}
    seats = {name: [seat for seat, each in enumerate(names) if each == name] for name in names}
    found = zip(seats, sums.wins_by_group(seats.values()), strict=True)
    return {key: value for name, won in found for key, value in _shared(f"won_by_{name}", won).items()}


def _bounded(name: str, found: Estimate) -> dict[str, Any]:
    """A number with the ends of its interval."""
    half = None if found.se is None else _Z * found.se
    ends = (None, None) if half is None else (found.value - half, found.value + half)
    return {name: _rounded(found.value), f"{name}_low": _rounded(ends[0]), f"{name}_high": _rounded(ends[1])}


def _shared(name: str, found: Share) -> dict[str, Any]:
    return {name: _rounded(found.share), f"{name}_low": _rounded(found.low), f"{name}_high": _rounded(found.high)}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


# -- what the columns mean -------------------------------------------------------------------------


def _meanings(wanted: Wanted) -> list[dict[str, str]]:
    """A row for each column of each file."""
    listed = []
    for table in wanted.tables:
        meanings = dict(_summed_meanings(wanted)) if table == SUMMARY else _row_meanings(wanted, table)
        listed += [{"table": table, "column": name, "meaning": meaning} for name, meaning in meanings.items()]
    return listed


def _row_meanings(wanted: Wanted, table: str) -> dict[str, str]:
    """Those of a table of rows, the counted ones as its parts say them; those that differ between games with the game's name."""
    import pyarrow.parquet as pq

    told: dict[str, dict[str, str]] = {}
    for task in (each for each in wanted.with_rows if each.parts):
        first_game, games = min(task.parts.items())
        with suppress(OSError):  # a part that vanished: a run is extending it
            for column in pq.read_schema(source(task.folder / part_name(table, first_game, games))):
                meaning = (column.metadata or {}).get(b"meaning", b"").decode()
                told.setdefault(column.name, {}).setdefault(task.description["game"], meaning)
    known = ABOUT | KEYS[table]
    return {name: known.get(name) or _together(told.get(name, {})) for name in wanted.headings(table, wanted.with_rows)}


def _together(by_game: dict[str, str]) -> str:
    if len(set(by_game.values())) <= 1:
        return next(iter(by_game.values()), "")
    return "; ".join(f"{game}: {meaning}" for game, meaning in by_game.items())


def _summed_meanings(wanted: Wanted) -> Iterator[tuple[str, str]]:
    yield from (ABOUT | SUMMED).items()
    players = max(task.description["players"] for task in wanted.tasks)
    yield from ((f"won_seat_{seat}", f"share of the games won by seat {seat} in play order") for seat in range(1, players + 1))
    yield "won_by_…", "share of the games won by a policy, where not all play alike"
    yield "…_low, …_high", "ends of the 95 % interval of the number before"
