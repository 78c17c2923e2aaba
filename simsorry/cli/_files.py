"""What several verbs share: checking files, printing JSON and reports, and text that fits the terminal."""

import json
import shutil
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from simsorry.errors import INVALID, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.report.render import Report


LONGEST_TITLE = 200  # characters, as in a question from a file


def check_files(files: Iterable[str], title_of: Callable[[str], str]) -> None:
    """Says for each file that it is ok, with its title, or what is wrong with it; ends with INVALID if any is wrong."""
    from simsorry.toml import shorten

    wrong = 0
    for file in files:
        try:
            typer.echo(f"{shorten(file)}: ok ({shorten(title_of(file))})")
        except SimsorryError as error:
            typer.echo(f"simsorry: {error}", err=True)
            wrong += 1
    if wrong:
        raise typer.Exit(INVALID)


def print_json(document: Any) -> None:
    typer.echo(json.dumps(document, indent=2))


def in_columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells with all columns as wide as their widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def readable_title(title: str | None) -> str | None:
    """The title that was given for a report; SimsorryError if it has control characters, or is more than a title."""
    if title is not None and (len(title) > LONGEST_TITLE or not title.isprintable()):
        raise SimsorryError(f"--title {title[:60]}: at most {LONGEST_TITLE} characters that can be printed are needed", USAGE)
    return title


def give_report(report: "Report", target: Path, said: Iterable[str], as_json: bool) -> None:
    """Writes a report into its folder and prints what it says, paragraph by paragraph, or instead the document that has all of it."""
    from simsorry.cli import _command
    from simsorry.report import folder

    report = replace(report, command=report.command or _command.told())
    folder.write(report.files, target)
    if as_json:
        typer.echo(json.dumps(report.whole_document, indent=1, ensure_ascii=False, allow_nan=False))
        return
    typer.echo("\n\n".join(said))
    typer.echo(f"\nreport: {target / 'report.html'}")


def wrap(text: str, first: str = "", rest: str | None = None) -> str:
    """Text in lines that fit the terminal, with what the first line and the others (like the first if None) begin with."""
    width = min(shutil.get_terminal_size().columns, 110)
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=first if rest is None else rest, break_long_words=False, break_on_hyphens=False
    )
