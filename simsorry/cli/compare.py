"""``simsorry compare``: what a rule does to the game, as a report."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsorry.cli import _cluster
from simsorry.cli._files import readable_title
from simsorry.errors import INTERRUPTED, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.cli._precision import Needs
    from simsorry.cli._progress import Watch
    from simsorry.margin import Margin
    from simsorry.report.gather import Judging, Name
    from simsorry.report.study import Sitting, Study
    from simsorry.results import Stored
    from simsorry.results.cluster import Cluster
    from simsorry.simulate import Task

FEWEST_GAMES = 20  # fewer blocks than that give no interval worth the name
SECONDS_PER_TURN = 15.0
OUT = "simsorry-report"
GAMES, MOST_GAMES = "20000", "1M"  # of each ruleset; at most, where games are played until something is known


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
    games: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Games of each ruleset: 10000, 1e6, 2M; 20000 if not given. With --precision or --until-clear as many as that at most: 1M "
            "if not given.",
        ),
    ] = None,
    precision: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHAT=SIZE",
            help="Play until the 95% intervals of a kind or a measure, under every ruleset and of every difference, are no wider than this "
            "to either side: seat_share=0.5pp, turns=1%; may be repeated.",
        ),
    ] = None,
    until_clear: Annotated[
        bool,
        typer.Option("--until-clear", help="Play until each verdict of the scorecard is clear, with intervals that allow for the looking."),
    ] = False,
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
            help="What is too small to matter, of a kind (seat_share, policy_share, game_share, round_share, drama, length, points, place, "
            "rate) or a measure: seat_share=1pp, length=2.5%, turns=10.",
        ),
    ] = None,
    seconds_per_turn: Annotated[float, typer.Option(help="For turning turns into minutes.")] = SECONDS_PER_TURN,
    chances: Annotated[
        bool, typer.Option("--chances", help="Follow everybody's chance to win, by gauges that are fitted to other games first.")
    ] = False,
    title: Annotated[str | None, typer.Option(help="Title of the report.", callback=readable_title)] = None,
    keep_games: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Store the games there too, as simsorry run does; what is there already is used.")
    ] = None,
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help=_cluster.HELP + " Needs --keep-games.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report's JSON instead of its opening sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Play rulesets on the same game numbers, and write a report on what the variants change."""
    from simsorry.report import folder

    target = out_folder(out)
    folder.check(target)
    check_keep_games(keep_games, target)
    _cluster.check(cluster, threads, kept=keep_games)
    study, needs = compared(
        ruleset,
        variants or [],
        players=players,
        line_ups=line_ups_of(policy or ["random"], also_policy),
        games=games,
        precision=precision or [],
        until_clear=until_clear,
        seed=seed,
        sets=sets or [],
        seats=seats,
        judging=make_judging(margin or [], seconds_per_turn),
        chances=chances,
        title=title,
        keep_games=keep_games,
        threads=threads,
        cluster=cluster,
        quiet=quiet,
    )
    publish(study, target, as_json)
    if needs:
        needs.check(study.sittings)


def compared(
    ruleset: str,
    variants: list[str],
    *,
    players: int,
    line_ups: list[list[str]],
    games: str | None,
    precision: list[str],
    until_clear: bool,
    seed: str,
    sets: list[str],
    seats: str | None,
    judging: "Judging",
    chances: bool,
    title: str | None,
    keep_games: str | None,
    threads: str | None,
    cluster: str | None,
    quiet: bool,
    names: Mapping[str, str] | None = None,
    called: str = "",
) -> "tuple[Study, Needs | None]":
    """Plays everything, and says what was played for and found; SimsorryError for what can't be had, or if the user stops it.

    ``names`` are what rulesets are called in plain words, ``called`` is what all variants are.
    """
    from simsorry.cli._chances import to_gauge
    from simsorry.cli._precision import make_needs
    from simsorry.cli.run import make_task, number_of_threads, whole_number
    from simsorry.report.gather import short_names
    from simsorry.simulate import MAX_GAMES, MAX_SEED

    needs = make_needs(precision, until_clear)
    wanted = whole_number("--games", games or (MOST_GAMES if needs else GAMES), FEWEST_GAMES, MAX_GAMES)
    numbered = whole_number("--seed", seed, 0, MAX_SEED)
    specs = _distinct([ruleset, *variants])
    tables = [[make_task(spec, players, line_up, numbered, sets, seats) for spec in specs] for line_up in line_ups]
    _same_game(tables[0])
    if chances:
        tables = [to_gauge(tasks) for tasks in tables]
    if needs:
        needs.allow(tables)
    short = short_names(specs, names or {})
    sittings = [
        replace(sitting, called=called)
        for sitting in _sit(tables, wanted, short, judging, keep_games, number_of_threads(threads), cluster, quiet, needs)
    ]
    return make_study(title, sittings, judging), needs


# -- arguments -------------------------------------------------------------------------------------


def out_folder(out: str) -> Path:
    """The folder for a report; SimsorryError if its name is empty."""
    if not out.strip() or "\0" in out:
        raise SimsorryError("--out is empty or not a possible name: name a folder", USAGE)
    from simsorry.results import places

    return places.only_here(out, "a report")


def check_keep_games(keep_games: str | None, report: Path) -> None:
    """Refuses to store games in the folder of the report, which is replaced as a whole."""
    if keep_games is None:
        return
    from simsorry.results import places

    if not keep_games or "\0" in keep_games or _real(places.lasting(keep_games)).is_relative_to(_real(report)):
        raise SimsorryError(f"--keep-games {keep_games!r} must be a folder outside the report's, {report}", USAGE)


def _real(path: str | Path) -> Path:
    """Where it lies, links followed as far as they lead anywhere."""
    return Path(os.path.realpath(str(path)))


def make_judging(margins: list[str], seconds_per_turn: float, source: str = "--margin ") -> "Judging":
    """Margins and time per turn as the options say; SimsorryError if they make no sense. ``source`` stands before a margin in messages."""
    from simsorry.report.gather import Judging

    if not 0.01 <= seconds_per_turn <= 86_400:
        raise SimsorryError(f"--seconds-per-turn {seconds_per_turn:g}: a number of seconds from 0.01 to 86,400 is needed", USAGE)
    return Judging(dict(sized(text, source, "the base") for text in margins), seconds_per_turn)


def of_shares() -> dict[str, bool]:
    """Every kind of measure and every measure, and whether it is a share."""
    from simsorry.at_table import named_metrics
    from simsorry.metrics import MARGINS

    kinds = {kind: kind.endswith("_share") or kind == "drama" for kind in MARGINS}
    return {metric.name: metric.unit == "share" for metric in named_metrics()} | kinds


def sized(text: str, source: str, of: str) -> tuple[str, "Margin"]:
    """Reads ``WHAT=SIZE``; SimsorryError, which begins with ``source``, if it makes no sense. ``of`` is what a percentage is a part of."""
    from simsorry.margin import parse_margin
    from simsorry.metrics import MARGINS
    from simsorry.toml import closest

    shares = of_shares()
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
        raise SimsorryError(f"{source}{name}={size}: percentage points are for shares; {name} takes a part of {of} such as 5%", USAGE)
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


def line_ups_of(policy: list[str], also: list[str] | None) -> list[list[str]]:
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
    tables: list[list["Task"]], games: int, names: "list[Name]", judging: "Judging", keep: str | None, threads: int | None,
    cluster: str | None, quiet: bool, needs: "Needs | None",
) -> list["Sitting"]:  # fmt: skip
    """Plays every table in turn; SimsorryError if the user stops it."""
    from simsorry.cli._chances import fitted
    from simsorry.cli._progress import on_terminal

    total, entry_points = games * sum(len(tasks) for tasks in tables), {task.entry_point for tasks in tables for task in tasks}
    watch = on_terminal(total, entry_points, quiet=quiet)
    sittings: list[Sitting] = []
    with watch.shown(), _cluster.opened(cluster, watch) as workers:
        watch.games(0)
        for tasks in tables:
            table = _Table(fitted(tasks, watch), names, judging, keep, threads, workers, watch)
            sitting = table.play_until(needs, games) if needs else table.play(games)
            if sitting is None:
                done = f"{watch.done:,} games" if needs else f"{watch.done:,} of {watch.total:,} games"
                goes_on = f"the same command goes on from the games in {keep}" if keep else "no report was written"
                raise SimsorryError(f"stopped after {done}; {goes_on}", INTERRUPTED)
            sittings.append(sitting)
    return sittings


@dataclass
class _Table:
    """The tasks of one line-up, and how they are to be played."""

    tasks: "list[Task]"
    names: "list[Name]"
    judging: "Judging"
    keep: str | None  # folder
    threads: int | None
    cluster: "Cluster | None"
    watch: "Watch"

    def play(self, games: int) -> "Sitting | None":
        """Plays so many games of each; None if the user stops it."""
        from simsorry.report import gather

        if self.keep is None:
            return gather.play(
                self.tasks, range(games), self.names, self.judging, threads=self.threads, stop=self.watch.stop, on_games=self.watch.games
            )
        stored = self._store(range(games))
        return gather.read(stored, range(games), self.names, self.judging, stop=self.watch.stop) if stored else None

    def play_until(self, needs: "Needs", most: int) -> "Sitting | None":
        """Plays games of each until there are enough."""
        from simsorry.report import gather

        until = needs.until(most, self.watch, len(self.tasks))
        if self.keep is None:
            return gather.play_until(
                self.tasks, until, self.names, self.judging, threads=self.threads, stop=self.watch.stop, on_games=self.watch.games
            )
        return gather.read_until(self.tasks, until, self.names, self.judging, self._store, stop=self.watch.stop)

    def _store(self, games: range) -> "list[Stored] | None":
        """Sees to it that the games of each are stored, as simsorry run does; ``games`` are those not counted yet."""
        from simsorry import results

        assert self.keep is not None
        for task in self.tasks:
            counted = told_after(games.start, self.watch.games)
            done = results.run(
                task, games.stop, out=self.keep, threads=self.threads, cluster=self.cluster, stop=self.watch.stop, on_games=counted,
                say=self.watch.say, command=["simsorry", *sys.argv[1:]],
            )  # fmt: skip
            if not done.complete:
                return None
        return [stored for task in self.tasks if (stored := results.task(self.keep, task.id))]


def told_after(counted: int, on_games: Callable[[int], None]) -> Callable[[int], None]:
    """Tells of games but for the first so many, which have been told of."""
    left = counted

    def tell(more: int) -> None:
        nonlocal left
        known = min(left, more)
        left -= known
        on_games(more - known)

    return tell


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
    from simsorry.cli._files import give_report
    from simsorry.report import opening, render

    said = [wrapped(" ".join(paragraph)) for paragraph in opening.in_short(study)]
    give_report(render.render(study), target, said, as_json)


def wrapped(text: str) -> Any:
    """Text in lines as wide as the terminal, 100 columns at most."""
    import shutil
    import textwrap

    width = min(100, max(40, shutil.get_terminal_size((100, 24)).columns))
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)
