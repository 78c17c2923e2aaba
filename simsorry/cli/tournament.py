"""``simsorry tournament``: policies meet at balanced tables and are rated, as a report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsorry.errors import INTERRUPTED, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.policies import Policy
    from simsorry.simulate import Task
    from simsorry.tournament import Design, Tournament

OUT = "simsorry-tournament"


def tournament(
    ruleset: Annotated[str, typer.Argument(help="A built-in ruleset (hasbro), a file (./mine.toml), or one with house rules.")],
    policies: Annotated[
        str | None,
        typer.Option(metavar="A,B,…", help="Who takes part, with commas between; if not given, a fixed panel of seven or eight."),
    ] = None,
    players: Annotated[int, typer.Option(help="Number of players.")] = 4,
    games: Annotated[
        str, typer.Option(metavar="N", help="Game numbers; each is played in every seating of every line-up, some 300 with the panel.")
    ] = "1000",
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of all chance: the same seed gives the same games.")] = "1",
    out: Annotated[str, typer.Option(metavar="FOLDER", help="Folder for the report; an earlier report there is replaced.")] = OUT,
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top; may be repeated.")] = None,
    seats: Annotated[
        str | None, typer.Option(metavar="COLORS", help="Colors in seat order (red,blue), or opposite or adjacent for two players.")
    ] = None,
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report's JSON instead of its opening sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Say which policy is strongest and by how much, who beats whom, whether there is a circle, and who makes games long.

    One of every policy meets others of every other, and tables are mixed so that every two policies meet equally often. All line-ups
    play the same game numbers, each once in every seating, so that neither seat nor first move favors anybody.
    """
    from simsorry.cli.compare import out_folder
    from simsorry.cli.run import make_task, number_of_threads, whole_number
    from simsorry.report import folder
    from simsorry.simulate import MAX_GAMES, MAX_SEED
    from simsorry.tournament import FEWEST_NUMBERS, Design

    target = out_folder(out)
    folder.check(target)
    numbers, numbered = whole_number("--games", games, FEWEST_NUMBERS, MAX_GAMES), whole_number("--seed", seed, 0, MAX_SEED)
    task = make_task(ruleset, players, ["random"], numbered, sets or [], seats)
    design = Design(task.ruleset, players, _panel(policies, task), numbers, numbered)
    _publish(_held(design, number_of_threads(threads), quiet), target, as_json)


def _panel(given: str | None, task: "Task") -> "tuple[Policy, ...]":
    """Who takes part; SimsorryError if that is no tournament."""
    from simsorry import policies
    from simsorry.tournament import default_panel

    if given is None:
        return default_panel(task.ruleset.game)
    names = [name.strip() for name in given.split(",")]
    if len(names) < 2:
        raise SimsorryError(f"--policies {given[:60]}: two policies at least are needed, with commas between", USAGE)
    if twice := [name for name in names if names.count(name) > 1]:
        raise SimsorryError(f"--policies names {twice[0][:60]!r} twice: each policy is named once", USAGE)
    return tuple(policies.load(name, task.ruleset.game) for name in names)


def _held(design: "Design", threads: int | None, quiet: bool) -> "Tournament":
    """Plays everything; SimsorryError if the user stops it, or nobody ever wins."""
    from simsorry.cli._progress import on_terminal
    from simsorry.tournament import measure, play

    watch = on_terminal(design.games, [design.task(design.seatings[0]).entry_point], quiet=quiet)
    watch.say(
        f"{len(design.panel)} policies in {len(design.line_ups)} line-ups, {len(design.seatings)} seatings, of {design.numbers:,} game "
        f"numbers: {design.games:,} games"
    )
    with watch.shown():
        watch.games(0)
        played = play(design, threads=threads, stop=watch.stop, on_games=watch.games)
    if played is None:
        raise SimsorryError(f"stopped after {watch.done:,} of {watch.total:,} games; no report was written", INTERRUPTED)
    found = measure(design, played)
    if found is None:
        raise SimsorryError(
            f"no game of {design.ruleset.name} had a winner before the turn cap, so that nobody can be rated; no report was written"
        )
    return found


def _publish(found: "Tournament", target: Path, as_json: bool) -> None:
    """Writes the report and says what it found, on stdout."""
    from simsorry.cli._files import give_report, wrap
    from simsorry.report import tournament

    give_report(tournament.render(found), target, [*map(wrap, tournament.in_short(found))], as_json)
