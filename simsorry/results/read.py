"""Reading results: whole tables as pandas frames, or part by part."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simsorry.errors import PARTIAL, SimsorryError
from simsorry.results.described import is_description
from simsorry.results.files import damaged, exists, read_json, replaced, sizes_in, sweep_up, trouble
from simsorry.results.parts import TABLES, decode, part_name, part_sizes, read_block, read_tally, whole_parts
from simsorry.results.parts import read_summary as summary_of
from simsorry.results.places import place
from simsorry.simulate import FORMAT, PART_GAMES, PART_GROWTH, Block
from simsorry.summary import Summary
from simsorry.tally import Kept, Sums
from simsorry.toml import closest

if TYPE_CHECKING:
    import pandas as pd


class Stored(NamedTuple):
    """A task whose results are in a folder."""

    id: str
    folder: Path
    description: dict[str, Any]
    keep: str
    columns: dict[str, list[str]]  # of the tables games and seats
    parts: dict[int, int]  # first game to number of games

    @property
    def games(self) -> int:
        """Number of games stored."""
        return sum(self.parts.values())


def tasks(folder: str | Path) -> list[Stored]:
    """The tasks stored in the folder of a run, or the one whose own folder this is, by id.

    Raises SimsorryError if there is none.
    """
    return [_stored(each) for each in folders(folder)]


def one_by_one(folder: str | Path) -> Iterator[tuple[Path, Stored | SimsorryError]]:
    """Likewise each task's own folder, with the reason in place of what can't be read: for who can go on with the others."""
    for each in folders(folder):
        try:
            yield each, _stored(each)
        except SimsorryError as error:
            yield each, error


def folders(folder: str | Path) -> list[Path]:
    """The folders of the tasks in the folder of a run, or that of the one whose own folder this is; SimsorryError if there is none."""
    root = place(folder)
    if not exists(root):
        raise SimsorryError(f"{root} does not exist")
    if not root.is_dir():
        raise SimsorryError(f"{root} is a file: the folder of a run or of one of its tasks is needed")
    found = [root] if exists(root / "task.json") else [root / name for name in sorted(sizes_in(root)) if exists(root / name / "task.json")]
    if not found:
        raise SimsorryError(f"{root} holds no results of simsorry (no folder with a task.json)")
    return found


def holds_tasks(folder: Path) -> bool:
    """Whether a folder is that of a run or of one of its tasks."""
    return exists(folder / "task.json") or any(exists(folder / name / "task.json") for name in sizes_in(folder))


def _stored(folder: Path) -> Stored:
    description = read_json(folder / "task.json")
    try:
        results = description.pop("results")
        keep, columns, task_id = results["keep"], results["columns"], description["id"]
        newer = description["format"] > FORMAT
        sound = isinstance(keep, str) and _are_columns(columns) and is_description(description)
    except (KeyError, TypeError) as error:
        raise SimsorryError(f"{folder / 'task.json'} was not written by simsorry") from error
    if not sound:
        raise SimsorryError(f"{folder / 'task.json'} was not written by simsorry")
    if newer or keep not in TABLES:
        raise SimsorryError(f"{folder} was written by a newer version of simsorry: upgrade to read it")
    parts = whole_parts(folder, keep, description["format"])
    if results.get("part_games") != part_sizes(keep) and max(parts, default=0) >= PART_GAMES * PART_GROWTH:
        raise SimsorryError(f"{folder} was written by a version of simsorry with other parts: read it with that version")
    return Stored(task_id, folder, description, keep, columns, parts)


def _are_columns(columns: Any) -> bool:
    """Whether the columns of both tables are named."""
    tables = [columns.get("games"), columns.get("seats")] if isinstance(columns, dict) else [None]
    return all(isinstance(table, list) and all(isinstance(name, str) for name in table) for table in tables)


def task(folder: str | Path, task_id: str) -> Stored | None:
    """One task of those in the folder of a run, whatever else is there; None if it is not. Raises SimsorryError if it is damaged."""
    inner = place(folder) / task_id
    return _stored(inner) if exists(inner / "task.json") else None


def _chosen(folder: str | Path, ids: Sequence[str] | None) -> list[Stored]:
    """The tasks with these ids, in their order; all of the folder's if None."""
    stored = {each.id: each for each in tasks(folder)}
    if ids is None:
        return list(stored.values())
    if unknown := [each for each in ids if each not in stored]:
        raise SimsorryError(f"{folder} holds no task {unknown[0]}; it holds {', '.join(stored)}")
    return [stored[each] for each in ids]


def read_games(folder: str | Path, columns: Sequence[str] | None = None, tasks: Sequence[str] | None = None) -> "pd.DataFrame":
    """One row per game: ``task`` (a categorical of ids), ``game``, and the columns asked for (all if None).

    ``tasks`` are ids. Columns that a task was stored without are missing values. Raises SimsorryError for
    unknown columns or tasks, damaged parts, and tasks that were kept as sums.
    """
    return _read_frame(folder, "games", columns, tasks)


def read_seats(folder: str | Path, columns: Sequence[str] | None = None, tasks: Sequence[str] | None = None) -> "pd.DataFrame":
    """One row per game and play-order seat: ``task``, ``game``, ``seat`` and the columns asked for; see ``read_games``."""
    return _read_frame(folder, "seats", columns, tasks)


def _read_frame(folder: str | Path, table: str, columns: Sequence[str] | None, ids: Sequence[str] | None) -> "pd.DataFrame":
    import pandas as pd
    import pyarrow as pa

    chosen = _chosen(folder, ids)
    _check_columns(chosen, table, columns)
    read = [(number, rows) for number, stored in enumerate(chosen) for rows in _arrow_parts(stored, table, columns)]
    if not read:
        raise SimsorryError(f"{folder} holds no whole part yet")
    frame: pd.DataFrame = pa.concat_tables([rows for _, rows in read], promote_options="default").to_pandas()
    codes = np.repeat(np.array([number for number, _ in read]), [len(rows) for _, rows in read])
    frame.insert(0, "task", pd.Series(pd.Categorical.from_codes(codes, pd.Index([stored.id for stored in chosen]))))
    return frame


def _check_columns(chosen: Sequence[Stored], table: str, columns: Sequence[str] | None) -> None:
    """Refuses a table or column that none of the tasks has."""
    if table not in ("games", "seats"):
        raise SimsorryError(f"there is no table {table!r}; the tables are games and seats")
    there = {"game", "seat"}.union(*(stored.columns[table] for stored in chosen))
    if unknown := [name for name in columns or () if name not in there]:
        allowed = ", ".join(sorted(there))
        raise SimsorryError(f"the table {table} has no column {unknown[0]}{closest(unknown[0], there)}; it has {allowed}")


def iter_parts(
    folder: str | Path, table: str = "games", columns: Sequence[str] | None = None, tasks: Sequence[str] | None = None
) -> Iterator[tuple[Stored, "pd.DataFrame"]]:
    """The parts of each task in turn, at most ``PART_GAMES`` games at a time: for what is too large to be read at once."""
    chosen = _chosen(folder, tasks)
    _check_columns(chosen, table, columns)
    for stored in chosen:
        for rows in _arrow_parts(stored, table, columns):
            yield stored, rows.to_pandas()


def iter_blocks(folder: str | Path, tasks: Sequence[str] | None = None) -> Iterator[tuple[Stored, Block]]:
    """Likewise both tables of each part together, as the block of games that was played; raises SimsorryError for an earlier format."""
    for stored in _chosen(folder, tasks):
        _needs_rows(stored)
        _needs_format(stored)
        for first_game, games in stored.parts.items():
            yield stored, read_block(stored.folder, first_game, games)


def iter_tallies(stored: Stored, games: int) -> Iterator[Kept]:
    """What is kept of the first games of a task for reports, part by part; raises SimsorryError for an earlier format.

    The games must be those of whole parts.
    """
    _needs_format(stored)
    for first_game, many in stored.parts.items():
        if first_game < games:
            yield read_tally(stored.folder, first_game, many, stored.keep)


def take_tally(stored: Stored, kept: Kept, into: Sums, *, only_audits: bool = False) -> None:
    """Adds a part of a task to sums, or only what was counted of its audited games; raises SimsorryError if it is not as it was written."""
    try:
        if only_audits:
            into.take_audits(kept)
        else:
            into.take(kept)
    except (KeyError, ValueError, IndexError) as error:
        path = stored.folder / part_name("tallies", kept.first_game, kept.games)
        raise damaged(path, "does not hold the sums that its name says") from error


def read_summary(folder: str | Path, task: str | None = None) -> Summary:
    """The exact sums over all stored games of a task, rows or no rows; ``task`` may be left out if there is only one."""
    chosen = _chosen(folder, None if task is None else [task])
    if len(chosen) > 1:
        raise SimsorryError(f"{folder} holds several tasks, name one of {', '.join(stored.id for stored in chosen)}")
    _needs_format(chosen[0])
    total = Summary(chosen[0].description["players"])
    for first_game, games in chosen[0].parts.items():
        total.add(summary_of(chosen[0].folder, first_game, games))
    return total


def _needs_format(stored: Stored) -> None:
    """Refuses what was stored in an earlier format, which lacks columns that are counted now; its rows can still be read as they are."""
    if (old := stored.description["format"]) != FORMAT:
        raise SimsorryError(
            f"{stored.folder} was stored in format {old} by an earlier version of simsorry and lacks what format {FORMAT} counts: "
            "run the same command again, which plays the games anew beside it, and delete this folder"
        )


def _needs_rows(stored: Stored) -> None:
    if stored.keep != "rows":
        raise SimsorryError(f"{stored.folder} keeps sums only (--keep summary): run it with --keep rows into another folder to have rows")


def _arrow_parts(stored: Stored, table: str, columns: Sequence[str] | None) -> Iterator[Any]:
    """Each part of a table: its game number (and seat), then those of the columns that it has."""
    _needs_rows(stored)
    for first_game in stored.parts:
        yield part_rows(stored, table, first_game, columns)


def part_rows(stored: Stored, table: str, first_game: int, columns: Sequence[str] | None = None) -> Any:
    """A part of a table likewise; raises SimsorryError if it has not the rows and columns that it should have."""
    keys = ["game"] if table == "games" else ["game", "seat"]
    wanted = [*keys, *(stored.columns[table] if columns is None else columns)]
    path = stored.folder / part_name(table, first_game, stored.parts[first_game])
    rows = decode(path, None if columns is None else list(dict.fromkeys(wanted)))
    if gone := {*keys, *stored.columns[table]}.intersection(wanted) - {*rows.column_names}:
        raise damaged(path, f"lacks the column {min(gone)}")
    if len(rows) != stored.parts[first_game] * (1 if table == "games" else stored.description["players"]):
        raise damaged(path, "does not hold the games that its name says")
    return rows


def export_csv(folder: str | Path, out: str | Path) -> list[Path]:
    """Writes ``<task id>-games.csv`` and ``<task id>-seats.csv`` for each task of a run into a folder; returns their paths.

    Goes part by part, so that memory does not grow with the number of games. A file appears when it is complete.
    """
    from pyarrow import csv

    written = []
    for stored in tasks(folder):
        for table in ("games", "seats"):
            path = Path(out) / f"{stored.id}-{table}.csv"
            sweep_up(path)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with replaced(path) as file:
                    for number, rows in enumerate(_arrow_parts(stored, table, None)):
                        csv.write_csv(rows, file, csv.WriteOptions(include_header=number == 0))
            except OSError as error:
                raise trouble(error, path, PARTIAL) from error
            written.append(path)
    return written
