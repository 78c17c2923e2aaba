"""What the verbs for rulesets and policies share: checking files, printing JSON, and text that fits the terminal."""

import json
import shutil
import textwrap
from collections.abc import Callable, Iterable
from typing import Any

import typer

from simsorry.errors import INVALID, SimsorryError


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


def wrap(text: str, first: str = "", rest: str | None = None) -> str:
    """Text in lines that fit the terminal, with what the first line and the others (like the first if None) begin with."""
    width = min(shutil.get_terminal_size().columns, 110)
    return textwrap.fill(
        text, width, initial_indent=first, subsequent_indent=first if rest is None else rest, break_long_words=False, break_on_hyphens=False
    )
