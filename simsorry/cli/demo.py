"""``simsorry demo``: one small, telling question from beginning to end."""

from typing import Annotated

import typer

GAMES = 2_400
QUESTION = "What do the slides do?"


def demo(
    out: Annotated[str, typer.Option(metavar="FOLDER", help="Folder for the report.")] = "simsorry-demo",
    games: Annotated[str, typer.Option(metavar="N", help="Games of each ruleset.")] = str(GAMES),
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of all chance.")] = "1",
    as_json: Annotated[bool, typer.Option("--json", help="Print the report's JSON instead of its opening sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Find out what the slides do: play the printed rules with and without them, and write a report."""
    from simsorry.cli.compare import compare

    compare("hasbro", ["hasbro+slides=off"], games=games, seed=seed, out=out, title=QUESTION, as_json=as_json, quiet=quiet)
