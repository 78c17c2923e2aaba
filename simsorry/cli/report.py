"""``simsorry report``: the report on games that ``simsorry run`` has stored."""

from typing import TYPE_CHECKING, Annotated

import typer

from simsorry.cli._files import readable_title
from simsorry.errors import INTERRUPTED, USAGE, SimsorryError

OUT = "simsorry-report"

if TYPE_CHECKING:
    from simsorry.cli._progress import Watch
    from simsorry.report.gather import Judging
    from simsorry.report.study import Sitting
    from simsorry.results import Stored


def report(
    stored: Annotated[list[str], typer.Argument(metavar="FOLDER...", help="Folders that simsorry run wrote, or those of single tasks.")],
    out: Annotated[str, typer.Option(metavar="FOLDER", help="Folder for the report; an earlier report there is replaced.")] = OUT,
    games: Annotated[
        str | None, typer.Option(metavar="N", help="Use the first N games of each task; as many as all of them have if not given.")
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(metavar="RULESET", help="The ruleset to compare the others with; the one they are built on if not given."),
    ] = None,
    margin: Annotated[
        list[str] | None, typer.Option(metavar="WHAT=SIZE", help="What is too small to matter: seat_share=1pp, length=2.5%, turns=10.")
    ] = None,
    seconds_per_turn: Annotated[float, typer.Option(help="For turning turns into minutes.")] = 15.0,
    title: Annotated[str | None, typer.Option(help="Title of the report.", callback=readable_title)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report's JSON instead of its opening sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Write a report on stored games; tasks with the same players and seed are compared game by game."""
    from simsorry import results
    from simsorry.cli._progress import on_terminal
    from simsorry.cli.compare import FEWEST_GAMES, make_judging, make_study, out_folder, publish
    from simsorry.cli.run import whole_number
    from simsorry.report import folder
    from simsorry.simulate import MAX_GAMES

    target = out_folder(out)
    folder.check(target)
    judging = make_judging(margin or [], seconds_per_turn)
    wanted = None if games is None else whole_number("--games", games, FEWEST_GAMES, MAX_GAMES)
    tables = _tables([task for each in stored for task in results.tasks(each)], base)
    ranges = [_common(tasks, wanted) for tasks in tables]
    watch = on_terminal(sum(len(tasks) * many for tasks, many in zip(tables, ranges, strict=True)), quiet=quiet)
    with watch.shown():
        sittings = [_read(tasks, many, judging, watch) for tasks, many in zip(tables, ranges, strict=True)]
    publish(make_study(title, sittings, judging, repeated=_same_question(tables)), target, as_json)


def _tables(tasks: list["Stored"], base: str | None) -> list[list["Stored"]]:
    """The tasks by players, policies, seats and seed; at each table the base first, else in order of name."""
    unique = {task.id: task for task in tasks}
    names = [task.description["ruleset"]["name"] for task in unique.values()]
    if base is not None and base not in names:
        raise SimsorryError(f"--base {base[:60]}: no task of that name is stored there; there are {', '.join(dict.fromkeys(names))}", USAGE)
    groups: dict[tuple[object, ...], list[Stored]] = {}
    for task in _gauged_ones(list(unique.values())):
        groups.setdefault(_table(task), []).append(task)
    for group in groups.values():
        names = [_name(task) for task in group]
        group.sort(key=lambda task: (_name(task) != base, -_built_on(_name(task), names), _name(task)))
    return sorted(
        groups.values(), key=lambda group: (-len(group), [policy["name"] != "random" for policy in group[0].description["policies"]])
    )


def _gauged_ones(tasks: list["Stored"]) -> list["Stored"]:
    """Without those that are stored with a gauge of the chance to win as well: the games are the same, and say more there."""
    gauged = {_same_games(task) for task in tasks if task.description.get("gauge")}
    return [task for task in tasks if task.description.get("gauge") or _same_games(task) not in gauged]


def _same_games(task: "Stored") -> tuple[object, ...]:
    return (*_table(task), task.description["ruleset"]["hash"])


def _built_on(name: str, names: list[str]) -> int:
    """How many of the rulesets are this one with house rules on top: what others are built on is the natural base."""
    return sum(other.startswith(name + "+") for other in names)


def _name(task: "Stored") -> str:
    return str(task.description["ruleset"]["name"])


def _table(task: "Stored") -> tuple[object, ...]:
    description = task.description
    weights = tuple(tuple(sorted(policy["weights"].items())) for policy in description["policies"])
    return description["game"], description["players"], tuple(description["seat_colors"]), weights, description["seed"]


def _same_question(tables: list[list["Stored"]]) -> bool:
    """Whether every table has the same rulesets and number of players, so that their verdicts can be held side by side."""
    asked = {(tuple(task.description["ruleset"]["hash"] for task in tasks), tasks[0].description["players"]) for tasks in tables}
    return len(asked) == 1


def _common(tasks: list["Stored"], wanted: int | None) -> int:
    """How many games, from number 0 on, all tasks of a table have; SimsorryError if they are too few.

    Of tasks kept as sums the number is one at which a part of theirs ends.
    """
    from simsorry.cli.compare import FEWEST_GAMES
    from simsorry.report.gather import ends, whole_games

    fewest = min(tasks, key=whole_games)
    there = whole_games(fewest)
    if wanted is None:
        sums = [set(ends(task)) for task in tasks if task.keep == "summary"]
        there = max((games for games in set.intersection(*sums) if games <= there), default=there) if sums else there
    if wanted is None and there < FEWEST_GAMES:
        raise SimsorryError(f"{fewest.folder} has {there:,} games; a report needs at least {FEWEST_GAMES}")
    if wanted is not None and there < wanted:
        raise SimsorryError(f"--games {wanted:,}: {fewest.folder} ({_name(fewest)}) has only {there:,}")
    return wanted or there


def _read(tasks: list["Stored"], games: int, judging: "Judging", watch: "Watch") -> "Sitting":
    from simsorry.report.gather import read, short_names

    sitting = read(tasks, range(games), short_names([_name(task) for task in tasks]), judging, stop=watch.stop, on_games=watch.games)
    if sitting is None:
        raise SimsorryError("stopped; no report was written", INTERRUPTED)
    return sitting
