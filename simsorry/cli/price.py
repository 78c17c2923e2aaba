"""``simsorry price``: what head start makes all seats practically equal, as a report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsorry.errors import INTERRUPTED, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.margin import Margin
    from simsorry.seat_price import Design, Prices
    from simsorry.simulate import Task

OUT = "simsorry-price"
PLAYERS = (2, 3, 4)


def price(
    ruleset: Annotated[str, typer.Argument(help="A built-in ruleset (hasbro), a file (./mine.toml), or one with house rules.")],
    players: Annotated[
        str | None, typer.Option(metavar="N,N…", help="Numbers of players: 4, or 2,3,4; all that the rules are for if not given.")
    ] = None,
    policy: Annotated[str, typer.Option(help="Who plays, on all seats.")] = "random",
    also_policy: Annotated[
        list[str] | None,
        typer.Option(metavar="POLICY", help="Ask the same of these players too (repeat for more); balanced if not given, none for nobody."),
    ] = None,
    games: Annotated[str, typer.Option(metavar="N", help="Games with each head start.")] = "40000",
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of all chance: the same seed gives the same games.")] = "1",
    out: Annotated[str, typer.Option(metavar="FOLDER", help="Folder for the report; an earlier report there is replaced.")] = OUT,
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top; may be repeated.")] = None,
    seats: Annotated[
        str | None, typer.Option(metavar="COLORS", help="Colors in seat order (red,blue), or opposite or adjacent for two players.")
    ] = None,
    margin: Annotated[
        str, typer.Option(metavar="seat_share=SIZE", help="How far from an equal share of the wins is too little to matter.")
    ] = "seat_share=1pp",
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report's JSON instead of its opening sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Say what a seat is short of: the head start in squares that makes all seats win practically equally often.

    The seats are first played as they are. If they are not practically equal, head starts for those that lack something are played on
    the same game numbers until the smallest one is found that makes them so, and the chosen one is played again on other games.
    """
    from simsorry.cli.compare import line_ups_of, out_folder
    from simsorry.cli.run import number_of_threads, whole_number
    from simsorry.report import folder
    from simsorry.seat_price import FEWEST_GAMES, Design, check
    from simsorry.simulate import MAX_GAMES, MAX_SEED

    target = out_folder(out)
    folder.check(target)
    wanted = whole_number("--games", games, FEWEST_GAMES, MAX_GAMES // 2)
    numbered = whole_number("--seed", seed, 0, MAX_SEED)
    matters = _margin(margin)
    names = [_alike(line_up) for line_up in line_ups_of([policy], also_policy)]
    tasks = _tasks(ruleset, players, names, numbered, sets or [], seats)
    check(tasks[0][0].ruleset)
    at_work = number_of_threads(threads)
    _publish(_measured(Design(tasks, wanted, matters), at_work, quiet), target, as_json)


# -- arguments -------------------------------------------------------------------------------------


def _margin(text: str) -> "Margin":
    from simsorry.cli.compare import sized

    name, margin = sized(text, "--margin ", "an equal share")
    if name != "seat_share":
        raise SimsorryError(f"--margin {text[:60]}: what matters here is the share of the wins: seat_share=1pp", USAGE)
    return margin


def _alike(line_up: list[str]) -> str:
    """The one policy of all seats; SimsorryError if there are several, for then the better player would be compensated."""
    if len(line_up) > 1:
        raise SimsorryError(
            f"--policy {','.join(line_up)[:60]}: one policy is asked for, that of all players, so that only the seats differ", USAGE
        )
    return line_up[0]


def _tasks(
    ruleset: str, players: str | None, names: list[str], seed: int, sets: list[str], seats: str | None
) -> "tuple[tuple[Task, ...], ...]":
    """The tasks by number of players and policy; of numbers that were not asked for, those that the rules refuse are left out."""
    from simsorry.cli.run import make_task

    found: list[tuple[Task, ...]] = []
    refusal: SimsorryError | None = None
    for number in _numbers(players) if players is not None else PLAYERS:
        try:
            found.append(tuple(make_task(ruleset, number, [name], seed, sets, seats) for name in names))
        except SimsorryError as error:
            if players is not None:
                raise
            refusal = refusal or error
    if not found and refusal:
        raise refusal
    return tuple(found)


def _numbers(players: str) -> list[int]:
    numbers = [part.strip() for part in players.split(",")]
    if not all(number.isdecimal() and int(number) in PLAYERS for number in numbers) or len(set(numbers)) < len(numbers):
        raise SimsorryError(f"--players {players[:60]}: numbers of players from 2 to 4 are needed, each once, such as 4 or 2,3,4", USAGE)
    return [int(number) for number in numbers]


# -- playing ---------------------------------------------------------------------------------------


def _measured(design: "Design", threads: int | None, quiet: bool) -> "Prices":
    """Plays everything; SimsorryError if the user stops it."""
    from simsorry.cli._progress import on_terminal
    from simsorry.seat_price import measure

    line = [task for tasks in design.tasks for task in tasks]
    watch = on_terminal(design.games * len(line), {task.entry_point for task in line}, quiet=quiet)
    with watch.shown():
        watch.games(0)
        found = measure(design, threads=threads, stop=watch.stop, on_games=watch.games, on_plan=watch.aim)
    if found is None:
        raise SimsorryError(f"stopped after {watch.done:,} games; no report was written", INTERRUPTED)
    return found


def _publish(found: "Prices", target: Path, as_json: bool) -> None:
    """Writes the report and says what it found, on stdout."""
    from simsorry.cli._files import give_report, in_columns, wrap
    from simsorry.report import price

    said = [*map(wrap, price.in_short(found)), in_columns(price.text_table(found))]
    give_report(price.render(found), target, said, as_json)
