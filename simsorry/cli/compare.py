"""``simsorry compare``: what a rule does to the game, as a report."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsorry.errors import INTERRUPTED, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.cli._progress import Watch
    from simsorry.margin import Margin
    from simsorry.report.gather import Judging, Name
    from simsorry.report.study import Sitting, Study
    from simsorry.simulate import Task

FEWEST_GAMES = 20  # fewer blocks than that give no interval worth the name
SECONDS_PER_TURN = 15.0
OUT = "simsorry-report"


def compare(
    ruleset: Annotated[str, typer.Argument(help="The base: a built-in ruleset (hasbro) or a file (./mine.toml).")],
    variants: Annotated[
        list[str] | None, typer.Argument(metavar="[VARIANT]...", help="What to compare it with: french, hasbro+slides=off, ./mine.toml.")
    ] = None,
    players: Annotated[int, typer.Option(help="Number of players.")] = 4,
    policy: Annotated[
        list[str] | None, typer.Option(help="Who plays: one for all, or one per table seat (repeat or separate by commas).")
    ] = None,
    also_policy: Annotated[
        list[str] | None,
        typer.Option(metavar="LINEUP", help="Ask the same of these players too (repeat for more); balanced if not given, none for nobody."),
    ] = None,
    games: Annotated[str, typer.Option(metavar="N", help="Games of each ruleset: 10000, 1e6, 2M.")] = "20000",
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of all chance: the same seed gives the same games.")] = "1",
    out: Annotated[str, typer.Option(metavar="FOLDER", help="Folder for the report; an earlier report there is replaced.")] = OUT,
    sets: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top of every ruleset; may be repeated.")
    ] = None,
    seats: Annotated[
        str | None, typer.Option(metavar="COLORS", help="Colors in seat order (red,blue), or opposite or adjacent for two players.")
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHAT=SIZE",
            help="What is too small to matter, of a kind (seat_share, policy_share, game_share, round_share, length, points, place, rate) "
            "or a measure: seat_share=1pp, length=2.5%, turns=10.",
        ),
    ] = None,
    seconds_per_turn: Annotated[float, typer.Option(help="For turning turns into minutes.")] = SECONDS_PER_TURN,
    title: Annotated[str | None, typer.Option(help="Title of the report.")] = None,
    keep_games: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Store the games there too, as simsorry run does; what is there already is used.")
    ] = None,
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report's JSON instead of its opening sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Play rulesets on the same game numbers, and write a report on what the variants change."""
    from simsorry.cli.run import make_task, whole_number
    from simsorry.report import folder
    from simsorry.simulate import MAX_GAMES, MAX_SEED

    target = out_folder(out)
    folder.check(target)
    if keep_games is not None and (not keep_games or Path(keep_games).resolve().is_relative_to(Path(target).resolve())):
        raise SimsorryError(f"--keep-games {keep_games!r} must be a folder outside the report's, {target}", USAGE)
    wanted = whole_number("--games", games, FEWEST_GAMES, MAX_GAMES)
    numbered = whole_number("--seed", seed, 0, MAX_SEED)
    judging = make_judging(margin or [], seconds_per_turn)
    specs = _distinct([ruleset, *(variants or [])])
    line_ups = _line_ups(policy or ["random"], also_policy)
    tables = [[make_task(spec, players, line_up, numbered, sets or [], seats) for spec in specs] for line_up in line_ups]
    _same_game(tables[0])
    at_work = whole_number("--threads", threads, 1, 1024) if threads is not None else None
    sittings = _sit(tables, wanted, specs, judging, keep_games, at_work, quiet)
    study = make_study(title, sittings, judging)
    publish(study, target, as_json)


# -- arguments -------------------------------------------------------------------------------------


def out_folder(out: str) -> Path:
    """The folder for a report; SimsorryError if its name is empty."""
    if not out.strip() or "\0" in out:
        raise SimsorryError("--out is empty or not a possible name: name a folder", USAGE)
    return Path(out)


def make_judging(margins: list[str], seconds_per_turn: float, source: str = "--margin ") -> "Judging":
    """Margins and time per turn as the options say; SimsorryError if they make no sense. ``source`` stands before a margin in messages."""
    from simsorry.report.gather import Judging

    if not 0.01 <= seconds_per_turn <= 86_400:
        raise SimsorryError(f"--seconds-per-turn {seconds_per_turn:g}: a number of seconds from 0.01 to 86,400 is needed", USAGE)
    return Judging(dict(_margin(text, source) for text in margins), seconds_per_turn)


def _margin(text: str, source: str) -> tuple[str, "Margin"]:
    from simsorry.at_table import named_metrics
    from simsorry.margin import parse_margin
    from simsorry.metrics import MARGINS
    from simsorry.toml import closest

    shares = {metric.name: metric.unit == "share" for metric in named_metrics()}
    shares |= {kind: kind.endswith("_share") for kind in MARGINS}
    name, equals, size = (part.strip() for part in text.partition("="))
    if not equals:
        raise SimsorryError(f"{source}{text[:60]}: write WHAT=SIZE, such as seat_share=1pp or length=2.5%", USAGE)
    if name not in shares:
        raise SimsorryError(
            f"{source}{name[:60]}: there is no such kind or measure{closest(name, shares)}; kinds are {', '.join(MARGINS)}", USAGE
        )
    try:
        margin = parse_margin(size)
    except ValueError:
        raise SimsorryError(f"{source}{name}={size[:60]}: a size above 0 is needed, such as 1pp, 2.5% or 10", USAGE) from None
    if size.lower().endswith("pp") and not shares[name]:
        raise SimsorryError(f"{source}{name}={size}: percentage points are for shares; {name} takes a part of the base such as 5%", USAGE)
    if shares[name] and not margin.relative and margin.amount >= 1:
        raise SimsorryError(f"{source}{name}={size}: that is 100 percentage points or more; one percentage point is written 1pp", USAGE)
    return name, margin


def _distinct(specs: list[str]) -> list[str]:
    """The rulesets as named; SimsorryError if one is named twice."""
    for at, spec in enumerate(specs):
        if spec in specs[:at]:
            raise SimsorryError(f"{spec[:60]} is named twice: each ruleset is compared once", USAGE)
    return specs


def _same_game(tasks: list["Task"]) -> None:
    """Raises SimsorryError unless all rulesets are of one game."""
    one = tasks[0].ruleset
    for other in (task.ruleset for task in tasks[1:]):
        if other.game != one.game:
            raise SimsorryError(
                f"{one.name[:60]} is a ruleset of the {one.game} game and {other.name[:60]} one of the {other.game} game: "
                "only rulesets of the same game are compared",
                USAGE,
            )


def _line_ups(policy: list[str], also: list[str] | None) -> list[list[str]]:
    """Every line-up that is asked, the main one first; each as make_task takes it."""
    main = [name.strip() for given in policy for name in given.split(",")]
    if also is None:
        also = ["random" if set(main) == {"balanced"} else "balanced"]
    if "none" in also and len(also) > 1:
        raise SimsorryError("--also-policy none stands alone", USAGE)
    others = [[name.strip() for name in line_up.split(",")] for line_up in also if line_up != "none"]
    return [main, *(line_up for line_up in others if line_up != main)]


# -- playing ---------------------------------------------------------------------------------------


def _sit(
    tables: list[list["Task"]], games: int, specs: list[str], judging: "Judging", keep: str | None, threads: int | None, quiet: bool
) -> list["Sitting"]:
    """Plays every table in turn; SimsorryError if the user stops it."""
    from simsorry.cli._progress import Watch
    from simsorry.report.gather import short_names

    total, entry_points = games * sum(len(tasks) for tasks in tables), {task.entry_point for tasks in tables for task in tasks}
    watch = Watch(total, entry_points, quiet=quiet, show=sys.stderr is not None and sys.stderr.isatty())
    sittings = []
    with watch.shown():
        watch.games(0)
        for tasks in tables:
            sitting = _one_table(tasks, games, short_names(specs), judging, keep, threads, watch)
            if sitting is None:
                goes_on = f"the same command goes on from the games in {keep}" if keep else "no report was written"
                raise SimsorryError(f"stopped after {watch.done:,} of {watch.total:,} games; {goes_on}", INTERRUPTED)
            sittings.append(sitting)
    return sittings


def _one_table(
    tasks: list["Task"], games: int, names: list["Name"], judging: "Judging", keep: str | None, threads: int | None, watch: "Watch"
) -> "Sitting | None":
    from simsorry import results
    from simsorry.report import gather

    if keep is None:
        return gather.play(tasks, range(games), names, judging, threads=threads, stop=watch.stop, on_games=watch.games)
    for task in tasks:
        done = results.run(
            task, games, out=Path(keep), threads=threads, stop=watch.stop, on_games=watch.games, say=watch.say,
            command=["simsorry", *sys.argv[1:]],
        )  # fmt: skip
        if not done.complete:
            return None
    stored = {each.id: each for each in results.tasks(keep)}
    return gather.read([stored[task.id] for task in tasks], range(games), names, judging, stop=watch.stop)


# -- the report ------------------------------------------------------------------------------------


def make_study(title: str | None, sittings: list["Sitting"], judging: "Judging", repeated: bool = True) -> "Study":
    """The sittings as a study, with a title made from the question if the user gave none."""
    from simsorry import __version__
    from simsorry.metrics import MARGINS
    from simsorry.report.study import Study

    margins = {**MARGINS, **judging.margins}
    return Study(title or _question(sittings[0]), __version__, judging.seconds_per_turn, margins, tuple(sittings), repeated)


def _question(sitting: "Sitting") -> str:
    from simsorry.report.words import listed

    base, others = sitting.base.ruleset.short, [arm.ruleset for arm in sitting.variants]
    if not others:
        return f"How does {base} play?"
    verb, names = "does" if len(others) == 1 else "do", listed([other.short for other in others])
    if all(other.on_base for other in others):
        return f"What {verb} {names} change in {base}?"
    return f"How {verb} {names} differ from {base}?"


def publish(study: "Study", target: Path, as_json: bool) -> None:
    """Writes the report and says what it found, on stdout."""
    from simsorry.report import folder, render, words
    from simsorry.report.study import as_json as document

    folder.write(render.render(study), target)
    if as_json:
        typer.echo(json.dumps(document(study), indent=1, ensure_ascii=False, allow_nan=False))
        return
    typer.echo("\n\n".join(_wrapped(" ".join(paragraph)) for paragraph in words.in_short(study)))
    typer.echo(f"\nreport: {target / 'report.html'}")


def _wrapped(text: str) -> Any:
    import shutil
    import textwrap

    width = min(100, max(40, shutil.get_terminal_size((100, 24)).columns))
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)
