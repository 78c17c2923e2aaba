"""``simsorry skill``: what careful play is worth in a ruleset, and how much is luck, as a report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsorry.errors import INTERRUPTED, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.margin import Margin
    from simsorry.skill import Design, Skill

OUT = "simsorry-skill"


def skill(
    ruleset: Annotated[str, typer.Argument(help="A built-in ruleset (hasbro), a file (./mine.toml), or one with house rules.")],
    policy: Annotated[str, typer.Option(help="Who plays carefully.")] = "balanced",
    players: Annotated[int, typer.Option(help="Number of players.")] = 4,
    games: Annotated[
        str,
        typer.Option(metavar="N", help="Game numbers; each is played in some 18 ways, and in each way once with every side as the one."),
    ] = "2000",
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of all chance: the same seed gives the same games.")] = "1",
    out: Annotated[str, typer.Option(metavar="FOLDER", help="Folder for the report; an earlier report there is replaced.")] = OUT,
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top; may be repeated.")] = None,
    seats: Annotated[
        str | None, typer.Option(metavar="COLORS", help="Colors in seat order (red,blue), or opposite or adjacent for two players.")
    ] = None,
    margin: Annotated[str, typer.Option(metavar="SIZE", help="Change of the win share that is too small to matter.")] = "2pp",
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report's JSON instead of its opening sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Say how much of a game is skill: careful against random play, what mistakes and restrictions cost, and what is luck.

    One careful side meets random ones; then one that makes mistakes, or plays under a restriction, or stops caring, meets careful ones.
    Every game number is played once with each side as that one, so that no seat has an advantage.
    """
    from simsorry.cli.compare import out_folder
    from simsorry.cli.run import make_task, number_of_threads, whole_number
    from simsorry.report import folder
    from simsorry.simulate import MAX_GAMES, MAX_SEED
    from simsorry.skill import FEWEST_DEALS, Design

    target = out_folder(out)
    folder.check(target)
    deals, numbered = whole_number("--games", games, FEWEST_DEALS, MAX_GAMES), whole_number("--seed", seed, 0, MAX_SEED)
    if "," in policy:
        raise SimsorryError(f"--policy {policy[:60]}: one policy is asked for, that of a careful player", USAGE)
    task = make_task(ruleset, players, [policy], numbered, sets or [], seats)
    careful = task.policies[0]
    if careful.function:
        needed = "it has no weights to make mistakes and to be restricted by; name a policy of weights"
        raise SimsorryError(f"--policy {policy[:60]}: a function in Python can't be measured here, for {needed}", USAGE)
    if careful.lapses:
        raise SimsorryError(f"--policy {policy[:60]}: a careful player is asked for, and this one leaves decisions to chance", USAGE)
    design = Design(task.ruleset, players, careful, deals, numbered, _margin(margin))
    at_work = number_of_threads(threads)
    _publish(_measured(design, at_work, quiet), target, as_json)


def _margin(text: str) -> "Margin":
    from simsorry.margin import parse_margin

    try:
        margin = parse_margin(text)
    except ValueError:
        margin = None
    if margin is None or margin.relative or margin.amount >= 1:
        raise SimsorryError(f"--margin {text[:60]}: a change of the win share is needed, such as 2pp", USAGE)
    return margin


def _measured(design: "Design", threads: int | None, quiet: bool) -> "Skill":
    """Plays everything; SimsorryError if the user stops it."""
    from simsorry.cli._progress import on_terminal
    from simsorry.skill import measure

    entry_point = design.task([design.careful] * design.players).entry_point
    watch = on_terminal(design.games, [entry_point], quiet=quiet)
    with watch.shown():
        watch.games(0)
        found = measure(design, threads=threads, stop=watch.stop, on_games=watch.games)
    if found is None:
        raise SimsorryError(f"stopped after {watch.done:,} of {watch.total:,} games; no report was written", INTERRUPTED)
    return found


def _publish(found: "Skill", target: Path, as_json: bool) -> None:
    """Writes the report and says what it found, on stdout."""
    from simsorry.cli._files import give_report, wrap
    from simsorry.report import skill

    give_report(skill.render(found), target, [*map(wrap, skill.in_short(found))], skill.as_json(found) if as_json else None)
