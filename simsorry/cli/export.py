"""``simsorry export``: stored games as CSV files for spreadsheets."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsorry.errors import INTERRUPTED, SimsorryError

OUT = "simsorry-export"

if TYPE_CHECKING:
    from simsorry.results import Stored
    from simsorry.results.export import File, Wanted


class Table(StrEnum):
    """What can be exported."""

    summary = "summary"
    games = "games"
    seats = "seats"


def export(
    stored: Annotated[
        list[str], typer.Argument(metavar="FOLDER...", help="Folders that simsorry run or study wrote, or those of single tasks.")
    ],
    csv: Annotated[bool, typer.Option("--csv", help="CSV files for spreadsheets: what is written if nothing is said.")] = True,  # noqa: ARG001
    out: Annotated[str, typer.Option(metavar="FOLDER", help="Folder for the files; an earlier export there is replaced.")] = OUT,
    tables: Annotated[list[Table] | None, typer.Option("--table", help="Only this table; may be repeated. All three if not given.")] = None,
    columns: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="Only these columns of games and seats: turns,bumps,winner_color.")
    ] = None,
    games: Annotated[str | None, typer.Option(metavar="N", help="Only the first N games of each task.")] = None,
    apart: Annotated[bool, typer.Option("--apart", help="Files of its own for each task, not one with all of them.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Write stored games as CSV files for a spreadsheet: a summary with a row per task, a row per game, a row per seat of each game.

    Players, colors and policies stand there by name. A table with more rows than a sheet can hold (1,048,576) is cut into several files.
    """
    from simsorry.cli._progress import on_terminal
    from simsorry.cli.compare import out_folder
    from simsorry.cli.run import whole_number
    from simsorry.results import export as exporting
    from simsorry.simulate import MAX_GAMES

    target = out_folder(out)
    exporting.check(target)
    wanted = exporting.Wanted(
        list({task.id: task for each in stored for task in _tasks(each)}.values()),
        [table for table in exporting.TABLES if tables is None or table in tables],
        None if columns is None else [name.strip() for name in columns.split(",")],
        None if games is None else whole_number("--games", games, 1, MAX_GAMES),
        apart,
    )
    of_rows = [table for table in wanted.tables if table != exporting.SUMMARY]
    watch = on_terminal(len(of_rows) * sum(map(wanted.games_of, wanted.with_rows)), quiet=quiet)
    for told in _told(wanted):
        watch.say(told)
    with watch.shown():
        files = exporting.write(wanted, target, stop=watch.stop, on_games=watch.games)
    if files is None:
        raise SimsorryError(f"stopped after {watch.done:,} of {watch.total:,} games; nothing was exported", INTERRUPTED)
    _list(files, target, wanted)


def _tasks(name: str) -> "list[Stored]":
    """The tasks in a folder; in that of a study they are one folder farther down."""
    from simsorry import results
    from simsorry.results.places import place

    folder = place(name)
    inner = folder / "games"
    return results.tasks(folder if results.holds_tasks(folder) or not results.holds_tasks(inner) else inner)


def _told(wanted: "Wanted") -> list[str]:
    """What a user may not expect, before it is done."""
    from simsorry.results.export import SHEET_ROWS, SUMMARY, rows_of

    of_rows = [table for table in wanted.tables if table != SUMMARY]
    told = [
        f"{task.folder} keeps sums only (--keep summary): {'its summary' if SUMMARY in wanted.tables else 'nothing of it'} is exported"
        for task in wanted.tasks
        if of_rows and task.keep != "rows"
    ]
    for table in of_rows:
        counts = [rows_of(wanted, table, task) for task in wanted.with_rows]
        if max(counts if wanted.apart else [sum(counts)], default=0) >= SHEET_ROWS:
            told.append(
                f"{table}: {sum(counts):,} rows are more than a sheet can hold ({SHEET_ROWS:,}), so they are cut into several files; "
                "--games N takes the first N games of each task"
            )
    return told


def _list(files: "list[File]", target: Path, wanted: "Wanted") -> None:
    from simsorry.cli._files import in_columns

    many = len(wanted.tasks)
    typer.echo(f"{many:,} {'task' if many == 1 else 'tasks'}\n")
    typer.echo(in_columns([[str(target / file.name), f"{file.rows:,} {'row' if file.rows == 1 else 'rows'}"] for file in files]))
