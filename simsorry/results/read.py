"""Reading results: whole tables as pandas frames, or part by part."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simsorry.errors import PARTIAL, SimsorryError
from simsorry.results.described import is_description
from simsorry.results.files import damaged, exists, fingerprint, read_json, replaced, sizes_in, sweep_up, trouble
from simsorry.results.parts import (
    TABLES,
    are_first,
    decode,
    header_of,
    part_name,
    part_sizes,
    read_block,
    read_tally,
    same_task,
    whole_parts,
)
from simsorry.results.parts import read_summary as summary_of
from simsorry.results.places import is_elsewhere, place
from simsorry.simulate import FORMAT, Block
from simsorry.summary import Summary
from simsorry.tally import Kept, Sums
from simsorry.toml import closest

if TYPE_CHECKING:
    import pandas as pd


_ID = re.compile(r"[0-9a-f]{16}")  # of a task, and the name of its folder


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

    Raises SimsorryError if there is none, or one that is damaged. A folder that cannot be read and that no task has the name of is none.
    """
    named = folders(folder)
    found = [each for each in named if _ID.fullmatch(each.name) or len(named) == 1 or _is_readable(each)]
    return [_described(each) for each in found or named]


def _is_readable(folder: Path) -> bool:
    try:
        _stored(folder)
    except SimsorryError:
        return False
    return True


def one_by_one(folder: str | Path) -> Iterator[tuple[Path, Stored | SimsorryError]]:
    """Likewise each task's own folder, with the reason in place of what can't be read: for who can go on with the others.

    Whether the descriptions are those of the games is not looked at.
    """
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
        raise _strange(folder) from error
    if not sound:
        raise _strange(folder)
    if newer or keep not in TABLES:
        raise SimsorryError(f"{folder} was written by a newer version of simsorry: upgrade to read it")
    parts = whole_parts(folder, keep, description["format"])
    if results.get("part_games") != part_sizes(keep) and not are_first(parts):
        raise SimsorryError(f"{folder} was written by a version of simsorry with other parts: read it with that version")
    return Stored(task_id, folder, description, keep, columns, parts)


def _described(folder: Path) -> Stored:
    """Likewise, and that of the games that are there."""
    stored = _stored(folder)
    if not _is_described(stored):
        raise SimsorryError(f"{folder / 'task.json'} is not that of the games there: delete it and repeat the run that wrote it")
    return stored


def _strange(folder: Path) -> SimsorryError:
    return SimsorryError(
        f"{folder / 'task.json'} was not written by simsorry: move its folder elsewhere, or delete it and repeat the run that wrote it"
    )


def _is_described(stored: Stored) -> bool:
    """Whether the description agrees with what the first part says, if that is as it was written; True where that is not known.

    Of an earlier format it is not asked, which is refused wherever it matters.
    """
    if stored.description["format"] != FORMAT:
        return True
    known = known_parts(stored)
    with suppress(SimsorryError, StopIteration):
        first_game, games = next(iter(stored.parts.items()))
        check_part(stored, "summary", first_game, known)  # who reads that part says what is wrong with it
        name = part_name("summary", first_game, games)
        return name not in known or same_task(header_of(stored.folder / name)["task"], stored.description)
    return True


def check_part(stored: Stored, table: str, first_game: int, known: Mapping[str, tuple[int, str]]) -> None:
    """Raises SimsorryError if a part is not as it was written, as far as that is ``known`` (``known_parts``)."""
    name = part_name(table, first_game, stored.parts[first_game])
    path = stored.folder / name
    if name in known and exists(path) and fingerprint(path) != known[name]:  # whoever misses it says so
        raise damaged(path, "is not as it was written (its size or sha256 differs from manifest.json)")


def known_parts(stored: Stored) -> dict[str, tuple[int, str]]:
    """Size and sha256 of the parts that the manifest knows, by name; nothing if there is none that can be read, or it lies elsewhere."""
    path = stored.folder / "manifest.json"
    if not is_elsewhere(path):
        with suppress(SimsorryError, KeyError, TypeError):
            return {entry["file"]: (entry["bytes"], entry["sha256"]) for entry in read_json(path)["parts"]}
    return {}


def _are_columns(columns: Any) -> bool:
    """Whether the columns of both tables are named."""
    if not isinstance(columns, dict):
        return False
    tables = columns.get("games"), columns.get("seats")
    return all(isinstance(table, list) and all(isinstance(name, str) for name in table) for table in tables)


def task(folder: str | Path, task_id: str) -> Stored | None:
    """One task of those in the folder of a run, whatever else is there; None if it is not. Raises SimsorryError if it is damaged."""
    inner = place(folder) / task_id
    return _described(inner) if exists(inner / "task.json") else None


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
        known = known_parts(stored)
        for first_game, games in stored.parts.items():
            for table in ("games", "seats"):
                check_part(stored, table, first_game, known)
            yield stored, read_block(stored.folder, first_game, games)


def iter_tallies(stored: Stored, games: int) -> Iterator[Kept]:
    """What is kept of the first games of a task for reports, part by part; raises SimsorryError for an earlier format.

    The games must be those of whole parts.
    """
    _needs_format(stored)
    known = known_parts(stored)
    for first_game, many in stored.parts.items():
        if first_game < games:
            check_part(stored, "tallies", first_game, known)
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
    total, known = Summary(chosen[0].description["players"]), known_parts(chosen[0])
    for first_game, games in chosen[0].parts.items():
        check_part(chosen[0], "summary", first_game, known)
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
    known = known_parts(stored)
    for first_game in stored.parts:
        check_part(stored, table, first_game, known)
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
