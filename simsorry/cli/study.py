"""``simsorry study``: a question from a file, played and answered with a report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsorry.errors import INTERRUPTED, SimsorryError

if TYPE_CHECKING:
    from simsorry.panel import Measured, Plan
    from simsorry.question import Question

RESULTS = "results"  # beside the file


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
    plan: Annotated[bool, typer.Option("--plan", help="Say what would be played, and play nothing.")] = False,
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report's JSON instead of its opening sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Answer a question that a file asks: play what is missing, and write a report.

    Games are kept beside the file, in results/NAME/games, so that the same command goes on where it was stopped, and more games add to
    those that are there; those of a panel, which are over in a minute or so, are not.
    """
    from simsorry import question
    from simsorry.cli.compare import SECONDS_PER_TURN, compare, make_judging
    from simsorry.cli.sweep import sweep

    asked = question.load(file)
    home = Path(file).parent / RESULTS / Path(file).stem
    target = out if out is not None else str(home / "report")
    if asked.panel:
        try:
            _panel(asked, games, None if plan else target, threads, as_json=as_json, quiet=quiet)
        except SimsorryError as error:
            raise SimsorryError(f"{file}: {error}", error.exit_code) from error
        return
    if plan:
        typer.echo(_plan(asked, games))
        return
    main, *others = asked.line_ups
    margins = [f"{name}={size}" for name, size in asked.margins.items()]
    try:
        make_judging(margins, SECONDS_PER_TURN, "margins: ")
        if asked.vary:
            _specs(asked, main.split(","))
            sweep(
                asked.base,
                asked.varied,
                players=asked.players,
                policy=[main],
                also_policy=others or ["none"],
                games=games if games is not None else str(asked.games),
                seed=str(asked.seed),
                out=target,
                sets=None,
                seats=None,
                fraction=asked.fraction,
                skip_invalid=asked.skip_invalid,
                target=asked.target,
                sensitivity=asked.sensitivity,
                margin=margins,
                title=asked.title,
                keep_games=str(home / "games"),
                threads=threads,
                as_json=as_json,
                quiet=quiet,
            )
            return
        compare(
            asked.base,
            list(asked.arms),
            players=asked.players,
            policy=[main],
            also_policy=others or ["none"],
            games=games if games is not None else str(asked.games),
            seed=str(asked.seed),
            out=target,
            sets=None,
            seats=None,
            margin=margins,
            chances=asked.chances,
            title=asked.title,
            keep_games=str(home / "games"),
            threads=threads,
            as_json=as_json,
            quiet=quiet,
        )
    except SimsorryError as error:
        raise SimsorryError(f"{file}: {error}", error.exit_code) from error


def _panel(asked: "Question", games: str | None, out: str | None, threads: str | None, *, as_json: bool, quiet: bool) -> None:
    """Plays a panel and writes its report into a folder, or says what would be played if there is none."""
    from simsorry import panel
    from simsorry.cli._files import give_report, wrap
    from simsorry.cli.compare import SECONDS_PER_TURN, make_judging, out_folder
    from simsorry.cli.run import number_of_threads, whole_number
    from simsorry.report import folder
    from simsorry.report import panel as report
    from simsorry.simulate import MAX_GAMES
    from simsorry.skill import FEWEST_DEALS

    deals = whole_number("--games", games, FEWEST_DEALS, MAX_GAMES) if games is not None else asked.games
    judging = make_judging([f"{name}={size}" for name, size in asked.margins.items()], SECONDS_PER_TURN, "margins: ")
    planned = panel.plan(asked, deals, judging.margins)
    if out is None:
        typer.echo(_panel_plan(planned))
        return
    target = out_folder(out)
    folder.check(target)
    found = _measured(planned, number_of_threads(threads), quiet)
    give_report(report.render(found), target, [*map(wrap, report.in_short(found))], report.as_json(found) if as_json else None)


def _measured(planned: "Plan", threads: int | None, quiet: bool) -> "Measured":
    """Plays everything; SimsorryError if the user stops it."""
    from simsorry.cli._progress import on_terminal
    from simsorry.panel import measure

    entry_points = {setting.alike(setting.design.careful).entry_point for setting in planned.settings}
    watch = on_terminal(planned.games, entry_points, quiet=quiet)
    with watch.shown():
        watch.games(0)
        found = measure(planned, threads=threads, stop=watch.stop, on_games=watch.games)
    if found is None:
        raise SimsorryError(f"stopped after {watch.done:,} of {watch.total:,} games; no report was written", INTERRUPTED)
    return found


def _panel_plan(planned: "Plan") -> str:
    """What a panel has played, in lines."""
    lines = [planned.asked.title, ""]
    for setting in planned.settings:
        design = setting.design
        lines.append(f"{setting.games_each:,} games of {design.ruleset.name} for each way, against {design.careful.name}:")
        lines += [f"  {way.name}" for way in setting.ways]
    return "\n".join([*lines, "", f"{planned.games:,} games in all, with those in which all play alike"])


def _plan(asked: "Question", games: str | None) -> str:
    """What a question has played, in lines; SimsorryError if one of its rulesets or policies can't be had."""
    from simsorry.cli.run import make_task, whole_number
    from simsorry.simulate import MAX_GAMES

    each = whole_number("--games", games, 20, MAX_GAMES) if games is not None else asked.games
    lines, total = [asked.title, ""], 0
    for line_up in asked.line_ups:
        names = [name.strip() for name in line_up.split(",")]
        tasks = [make_task(spec, asked.players, names, asked.seed, [], None) for spec in _specs(asked, names)]
        lines.append(f"{each:,} games of each of {len(tasks)} rulesets with {asked.players} players: {', '.join(names)}")
        lines += [f"  {task.ruleset.name}" for task in tasks]
        total += each * len(tasks)
    return "\n".join([*lines, "", f"{total:,} games in all"])


def _specs(asked: "Question", line_up: list[str]) -> list[str]:
    """The rulesets that a question has played: the base and its arms, or every combination of what is varied."""
    from simsorry.cli.sweep import Seating, planned

    if not asked.vary:
        return [asked.base, *asked.arms]
    table = Seating(asked.players, asked.seed)
    plan, played, _ = planned(asked.base, asked.varied, asked.fraction, table, line_up, skip_invalid=asked.skip_invalid, source="vary: ")
    return [plan.spec(cell) for cell in played]
