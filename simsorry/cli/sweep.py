"""``simsorry sweep``: several rules varied at once, and what each of them and every two together do, as a report."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsorry.cli import _cluster
from simsorry.cli._files import readable_title
from simsorry.errors import INTERRUPTED, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.cli._progress import Watch
    from simsorry.report.gather import Judging
    from simsorry.report.sweeping import Asked, Sweep, Swept
    from simsorry.report.tables import Table
    from simsorry.report.tallies import Tally
    from simsorry.results.cluster import Cluster
    from simsorry.simulate import Task
    from simsorry.sweep import Design, Levels

FEWEST_GAMES = 20  # fewer blocks than that give no interval worth the name
SECONDS_PER_TURN = 15.0
OUT = "simsorry-sweep"
TOLD = 2  # refused cells that a message names in full


def sweep(
    ruleset: Annotated[str, typer.Argument(help="The base: a built-in ruleset (hasbro) or a file (./mine.toml).")],
    vary: Annotated[
        list[str],
        typer.Option(metavar="OPTION=LEVELS", help="An option and its levels: slides=on,off, hand_size=0,3,5, deck_counts.sorry=2..6."),
    ],
    players: Annotated[int, typer.Option(help="Number of players.")] = 4,
    policy: Annotated[
        list[str] | None, typer.Option(help="Who plays: one for all, or one per table seat (repeat or separate by commas).")
    ] = None,
    also_policy: Annotated[
        list[str] | None,
        typer.Option(metavar="LINEUP", help="Ask the same of these players too (repeat for more); balanced if not given, none for nobody."),
    ] = None,
    games: Annotated[str, typer.Option(metavar="N", help="Games of each ruleset: 10000, 1e6, 2M.")] = "5000",
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of all chance: the same seed gives the same games.")] = "1",
    out: Annotated[str, typer.Option(metavar="FOLDER", help="Folder for the report; an earlier report there is replaced.")] = OUT,
    sets: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top of every ruleset; may be repeated.")
    ] = None,
    seats: Annotated[
        str | None, typer.Option(metavar="COLORS", help="Colors in seat order (red,blue), or opposite or adjacent for two players.")
    ] = None,
    fraction: Annotated[
        str | None,
        typer.Option(metavar="V|IV", help="Play a part of the combinations of the options with two levels, of this resolution."),
    ] = None,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="Leave out combinations that the rules refuse, and the effects that need them.")
    ] = False,
    target: Annotated[
        str | None,
        typer.Option(metavar="CONDITIONS", help='Look for the smallest change that reaches this: "turns_p50<120, dead_share<15%".'),
    ] = None,
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Say which share of the variance between the rulesets comes from which option.")
    ] = False,
    margin: Annotated[
        list[str] | None,
        typer.Option(metavar="WHAT=SIZE", help="What is too small to matter, as for compare: seat_share=1pp, length=2.5%, turns=10."),
    ] = None,
    seconds_per_turn: Annotated[float, typer.Option(help="For turning turns into minutes.")] = SECONDS_PER_TURN,
    title: Annotated[str | None, typer.Option(help="Title of the report.", callback=readable_title)] = None,
    keep_games: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Store the games there too, as simsorry run does; what is there already is used.")
    ] = None,
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help=_cluster.HELP + " Needs --keep-games.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report's JSON instead of its opening sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Vary several rules at once on the same games, and say what each of them does, and every two together."""
    from simsorry.cli.compare import check_keep_games, line_ups_of, make_judging, out_folder
    from simsorry.cli.run import whole_number
    from simsorry.report import folder
    from simsorry.simulate import MAX_SEED

    where = out_folder(out)
    folder.check(where)
    check_keep_games(keep_games, where)
    _cluster.check(cluster, threads, kept=keep_games)
    made = swept(
        ruleset,
        vary,
        Seating(players, whole_number("--seed", seed, 0, MAX_SEED), tuple(sets or ()), seats),
        line_ups=line_ups_of(policy or ["random"], also_policy),
        games=games,
        fraction=fraction,
        skip_invalid=skip_invalid,
        target=target,
        sensitivity=sensitivity,
        judging=make_judging(margin or [], seconds_per_turn),
        title=title,
        keep_games=keep_games,
        threads=threads,
        cluster=cluster,
        quiet=quiet,
    )
    _publish(made, where, as_json)


def swept(
    ruleset: str,
    vary: Sequence[str],
    table: "Seating",
    *,
    line_ups: list[list[str]],
    games: str,
    fraction: str | None,
    skip_invalid: bool,
    target: str | None,
    sensitivity: bool,
    judging: "Judging",
    title: str | None,
    keep_games: str | None,
    threads: str | None,
    cluster: str | None,
    quiet: bool,
) -> "Sweep":
    """Plays everything, and says what was found; SimsorryError for what can't be had, or if the user stops it."""
    from simsorry.cli.run import number_of_threads, whole_number
    from simsorry.metrics import MARGINS
    from simsorry.report import gather
    from simsorry.report.sweeping import Asked
    from simsorry.simulate import MAX_GAMES
    from simsorry.sweep import conditions, effects

    wanted = whole_number("--games", games, FEWEST_GAMES, MAX_GAMES)
    plan, played, missing = planned(ruleset, vary, fraction, table, line_ups[0], skip_invalid=skip_invalid)
    if sensitivity and len(played) < plan.full:
        raise SimsorryError(
            "--sensitivity shares out the variance of a full grid: leave out --fraction, and levels that the rules refuse", USAGE
        )
    tables = [[table.task(plan.spec(cell), line_up) for cell in played] for line_up in line_ups]
    known = {metric.name: metric.unit for metric in gather.metrics_of(tables[0])}
    found, refused = effects(plan, played)
    asked = Asked(
        plan, played, tuple(found), conditions(target, known) if target else (), sensitivity, judging.margins, judging.seconds_per_turn
    )
    bases = [table.task(ruleset, line_up) for line_up in line_ups]
    sittings = _sit(asked, tables, bases, wanted, keep_games, number_of_threads(threads), cluster, quiet)
    return _made(title, asked, bases[0], sittings, refused, missing, {**MARGINS, **judging.margins})


def opening(made: "Sweep") -> list[str]:
    """What a sweep says on a terminal: the opening of its report, and its shortest tables."""
    from simsorry.cli.compare import wrapped
    from simsorry.report import sweep_words

    said = [wrapped(" ".join(paragraph)) for paragraph in sweep_words.in_short(made)]
    tables = (sweep_words.largest(made, made.main), sweep_words.reached(made), sweep_words.aliases(made))
    return said + [_plain(table) for table in tables if table and table.rows]


# -- arguments -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seating:
    """What all tasks of a sweep have in common."""

    players: int
    seed: int
    sets: tuple[str, ...] = ()
    seats: str | None = None

    def task(self, spec: str, line_up: list[str]) -> "Task":
        """One ruleset, played by these policies; SimsorryError if that can't be."""
        from simsorry.cli.run import make_task

        return make_task(spec, self.players, line_up, self.seed, list(self.sets), self.seats)


def planned(
    ruleset: str,
    vary: Sequence[str],
    fraction: str | None,
    table: Seating,
    line_up: list[str],
    *,
    skip_invalid: bool,
    source: str = "--vary ",
) -> "tuple[Design, tuple[Levels, ...], tuple[str, ...]]":
    """The design, its cells that can be played, and what the rules say of the others.

    Raises SimsorryError if an option or a level can't be had at all or, unless they are to be skipped, if the rules refuse some cells.
    """
    from simsorry.sweep import design, factors, split

    plan = design(ruleset, factors([split(text, source) for text in vary], ruleset, table.sets, source), fraction)
    refused: dict[Levels, SimsorryError] = {}
    for cell in plan.cells:
        try:
            table.task(plan.spec(cell), line_up)
        except SimsorryError as error:
            refused[cell] = error
    _no_level_refused(plan, refused, source)
    if refused and not skip_invalid:
        named = [str(error) for error in refused.values()]
        more = f"; and {len(named) - TOLD} more" if len(named) > TOLD else ""
        raise SimsorryError(
            f"the rules refuse {len(named)} of the {len(plan.cells)} combinations: {'; '.join(named[:TOLD])}{more}; leave those levels "
            "out, or play the others with --skip-invalid"
        )
    return plan, tuple(cell for cell in plan.cells if cell not in refused), tuple(str(error) for error in refused.values())


def _no_level_refused(plan: "Design", refused: "dict[Levels, SimsorryError]", source: str) -> None:
    """Raises SimsorryError for a level that is refused whatever it is combined with."""
    if len(refused) == len(plan.cells):
        raise next(iter(refused.values()))
    for at, factor in enumerate(plan.factors):
        for number, level in enumerate(factor.levels):
            cells = [cell for cell in plan.cells if cell[at] == number]
            if cells and all(cell in refused for cell in cells):
                error = refused[cells[0]]
                raise SimsorryError(
                    f"{source}{factor.option}={level.shown[:60]} can't be played with any other level: {error}", error.exit_code
                )


# -- playing ---------------------------------------------------------------------------------------


def _sit(
    asked: "Asked", tables: list[list["Task"]], bases: list["Task"], games: int, keep: str | None, threads: int | None,
    cluster: str | None, quiet: bool,
) -> list["Swept"]:  # fmt: skip
    """Plays every table in turn; SimsorryError if the user stops it."""
    from simsorry.cli._progress import on_terminal
    from simsorry.report import gather, sweeping
    from simsorry.report.provenance import played

    total, entry_points = games * sum(map(len, tables)), {task.entry_point for tasks in tables for task in tasks}
    watch = on_terminal(total, entry_points, quiet=quiet)
    sittings = []
    with watch.shown(), _cluster.opened(cluster, watch) as workers:
        watch.games(0)
        for tasks, base in zip(tables, bases, strict=True):
            tallies = _one_table(tasks, games, keep, threads, workers, watch)
            if tallies is None:
                goes_on = f"the same command goes on from the games in {keep}" if keep else "no report was written"
                raise SimsorryError(f"stopped after {watch.done:,} of {watch.total:,} games; {goes_on}", INTERRUPTED)
            described, of_base = [task.describe() for task in tasks], base.describe()
            names = [gather.Name(asked.design.short(cell)) for cell in asked.played]
            cards = [gather.card(each, of_base, name) for each, name in zip(described, names, strict=True)]
            made = sweeping.build(asked, tallies, cards, gather.policies_of(of_base), base.seed)
            sittings.append(replace(made, played=played(tasks, games)))
    return sittings


def _one_table(
    tasks: list["Task"], games: int, keep: str | None, threads: int | None, workers: "Cluster | None", watch: "Watch"
) -> "list[Tally] | None":
    from simsorry import results
    from simsorry.report import gather

    if keep is None:
        return gather.play_each(tasks, range(games), threads=threads, stop=watch.stop, on_games=watch.games)
    for task in tasks:
        done = results.run(
            task, games, out=keep, threads=threads, cluster=workers, stop=watch.stop, on_games=watch.games, say=watch.say,
            command=["simsorry", *sys.argv[1:]],
        )  # fmt: skip
        if not done.complete:
            return None
    stored = [found for task in tasks if (found := results.task(keep, task.id))]
    return gather.read_each(stored, range(games), stop=watch.stop)


# -- the report ------------------------------------------------------------------------------------


def _made(
    title: str | None, asked: "Asked", base: "Task", sittings: list["Swept"], refused: Sequence[str], missing: Sequence[str],
    margins: dict[str, Any],
) -> "Sweep":  # fmt: skip
    from simsorry import __version__, rulesets
    from simsorry.report.sweeping import Sweep, base_cell
    from simsorry.report.words import listed
    from simsorry.toml import parse_key

    described = {option.name: option.description for option in rulesets.options(base.ruleset.game)}
    varied = [factor.option for factor in asked.design.factors]
    return Sweep(
        title=title or f"What {'do' if len(varied) > 1 else 'does'} {listed(varied)} do in {asked.design.base}?",
        version=__version__,
        seconds_per_turn=asked.seconds_per_turn,
        margins=margins,
        design=asked.design,
        described={option: described.get(parse_key(option)[0], "") for option in varied},
        effects=asked.effects,
        refused=tuple(refused),
        missing=tuple(missing),
        target=asked.target,
        base_played=base_cell([cell.card for cell in sittings[0].cells]) is not None,
        sittings=tuple(sittings),
    )


def _publish(made: "Sweep", where: Path, as_json: bool) -> None:
    """Writes the report and says what it found, on stdout."""
    from simsorry.cli._files import give_report
    from simsorry.report import sweep_report

    give_report(sweep_report.render(made), where, opening(made), as_json)


def _plain(table: "Table") -> str:
    """A table for a terminal: columns of equal width, the caption above."""
    from simsorry.cli._files import in_columns

    rows = [[cell.replace("\n", ", ").replace("\u00a0", " ") for cell in row] for row in (table.headings, *table.rows)]
    return f"{table.caption}\n{in_columns(rows)}"
