"""``simsorry study``: a question from a file, played and answered with a report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsorry.cli import _cluster

if TYPE_CHECKING:
    from simsorry.cli._answering import Asking, Piece


def study(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The question: a TOML file, such as those in experiments.")],
    games: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="Games of each ruleset with each line-up, or game numbers of a panel, instead of those in the file."
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Folder for the report; results/NAME/report beside the file if not given.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Say what would be played and about how long it takes, and store nothing.")] = False,
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help=_cluster.HELP)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report's JSON instead of its opening sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Answer a question that a file asks: play what is missing, and write a report.

    Games are kept beside the file, in results/NAME, so that the same command goes on where it was stopped, and more games add to those
    that are there.
    """
    from simsorry import question
    from simsorry.cli._answering import Asking, answer, check
    from simsorry.cli._files import give_report
    from simsorry.cli.compare import check_keep_games, out_folder
    from simsorry.report import folder

    _cluster.check(cluster, threads)
    asking = Asking(question.load(file), Path(file), games, threads, cluster, quiet)
    check(asking)
    if plan:
        typer.echo(_plan(asking))
        return
    target = out_folder(out if out is not None else str(asking.home / "report"))
    folder.check(target)
    check_keep_games(str(asking.stored), target)
    found = answer(asking)
    give_report(found.report, target, found.said, as_json)
    found.check()


def _plan(asking: "Asking") -> str:
    """What a question has played, in lines, and how long what is missing takes; SimsorryError if one of its parts can't be had."""
    from simsorry.cli._answering import missing, pieces, seconds
    from simsorry.cli.run import number_of_threads
    from simsorry.simulate import cores

    planned = pieces(asking)
    left = missing(asking, planned)
    most = " at most" if asking.asked.precision or asking.asked.until_clear else ""
    there = sum(piece.games for piece in planned) - sum(left)
    lines = [asking.asked.title, "", *_listed(planned, left), "", f"{sum(left) + there:,} games in all{most}"]
    if there:
        lines.append(f"{there:,} of them are there already")
    if sum(left):
        threads = number_of_threads(asking.threads) or cores()
        lines.append(_time(seconds(planned, left, threads), threads, most))
    return "\n".join(lines)


def _listed(planned: "list[Piece]", left: list[int]) -> list[str]:
    """Every piece on a line, under the heading that it has in common with those before it."""
    lines: list[str] = []
    heading = None
    for piece, games in zip(planned, left, strict=True):
        if heading != (piece.heading, piece.games):
            heading = piece.heading, piece.games
            lines.append(f"{piece.games:,} games {piece.heading}")
        there = piece.games - games
        lines.append(f"  {piece.told}" + (f" ({there:,} are there)" if there else ""))
    return lines


def _time(seconds: float | None, threads: int, most: str) -> str:
    from simsorry.report.words import clock

    if seconds is None:
        return "how long they take can be told once the compiler has run, with the first game"
    long = "a few seconds" if seconds < 10 else clock(round(seconds, -1) / 60)
    return (
        f"about {long}{most} on {threads} core{'s' if threads > 1 else ''}, going by a few games of each kind, and some time for the report"
    )
