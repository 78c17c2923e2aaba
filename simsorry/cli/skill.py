"""``simsorry skill``: what careful play is worth in a ruleset, and how much is luck, as a report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsorry.errors import INTERRUPTED, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.ladder import Chain, Ladder
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
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Also play a chain of policies by effort, each against the one below: where does skill end?")
    ] = False,
    rungs: Annotated[
        str | None,
        typer.Option(metavar="A,B,…", help="The rungs of the ladder from the lowest, with commas between; if not given, a fixed chain."),
    ] = None,
    ladder_games: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Game numbers of each step of the ladder in which somebody looks ahead, which is slow; of the others --games. If not "
            "given, 100, or --games if that is less.",
        ),
    ] = None,
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report's JSON instead of its opening sentences.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Say how much of a game is skill: careful against random play, what mistakes and restrictions cost, and what is luck.

    One careful side meets random ones; then one that makes mistakes, or plays under a restriction, or stops caring, meets careful ones.
    Every game number is played once with each side as that one, so that no seat has an advantage. With --ladder or --rungs, one side of
    each policy of a chain meets others of the policy below it, and random ones.
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
    chain = _chain(design, rungs, ladder_games) if ladder or rungs is not None else None
    if ladder_games is not None and chain is None:
        raise SimsorryError(f"--ladder-games {ladder_games[:60]}: no ladder is played; ask for it by --ladder or --rungs", USAGE)
    _publish(*_measured(design, chain, number_of_threads(threads), quiet), target, as_json)


def _margin(text: str) -> "Margin":
    from simsorry.margin import parse_margin

    try:
        margin = parse_margin(text)
    except ValueError:
        margin = None
    if margin is None or margin.relative or margin.amount >= 1:
        raise SimsorryError(f"--margin {text[:60]}: a change of the win share is needed, such as 2pp", USAGE)
    return margin


def _chain(design: "Design", rungs: str | None, deep: str | None) -> "Chain":
    """The ladder that is asked for; SimsorryError if it is none."""
    from simsorry import ladder, policies
    from simsorry.cli.run import whole_number
    from simsorry.simulate import MAX_GAMES
    from simsorry.skill import FEWEST_DEALS

    deals = min(ladder.DEEP_DEALS, design.deals) if deep is None else whole_number("--ladder-games", deep, FEWEST_DEALS, MAX_GAMES)
    game = design.ruleset.game
    if rungs is None:
        return ladder.Chain(design, ladder.default_rungs(game), deals)
    names = [name.strip() for name in rungs.split(",")]
    if len(names) < 2:
        raise SimsorryError(f"--rungs {rungs[:60]}: two policies at least are needed, the lowest first, with commas between", USAGE)
    loaded: dict[str, str] = {}
    chain = tuple(policies.load(name, game) for name in names)
    for policy in chain:
        if policy.hash in loaded:
            raise SimsorryError(
                f"--rungs: {policy.name[:60]} plays {game} just like {loaded[policy.hash][:60]}; each rung is another", USAGE
            )
        loaded[policy.hash] = policy.name
    return ladder.Chain(design, chain, deals)


def _measured(design: "Design", chain: "Chain | None", threads: int | None, quiet: bool) -> "tuple[Skill, Ladder | None]":
    """Plays everything; SimsorryError if the user stops it."""
    from simsorry.cli._progress import on_terminal
    from simsorry.ladder import climb
    from simsorry.skill import measure

    entry_points = {design.alike.entry_point} | (chain.entry_points if chain else set())
    watch = on_terminal(design.games + (chain.games if chain else 0), entry_points, quiet=quiet)
    if chain:
        slow = f", {chain.deep_games:,} of them slow, for somebody looks ahead or is a function" if chain.deep_games else ""
        watch.say(f"{design.games:,} games, and {chain.games:,} of a ladder of {len(chain.rungs)} rungs{slow}")
    with watch.shown():
        watch.games(0)
        found = measure(design, threads=threads, stop=watch.stop, on_games=watch.games)
        climbed = climb(chain, threads=threads, stop=watch.stop, on_games=watch.games) if chain and found else None
    if found is None or (chain and climbed is None):
        raise SimsorryError(f"stopped after {watch.done:,} of {watch.total:,} games; no report was written", INTERRUPTED)
    return found, climbed


def _publish(found: "Skill", climbed: "Ladder | None", target: Path, as_json: bool) -> None:
    """Writes the report and says what it found, on stdout."""
    from simsorry.cli._files import give_report, wrap
    from simsorry.report import skill

    give_report(skill.render(found, climbed), target, [*map(wrap, skill.in_short(found, climbed))], as_json)
