"""``simsorry play``: one game told move by move, the board drawn as it goes."""

import json
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsorry.cli.moves import part_of, seat_number, tell_of_compiling
from simsorry.cli.run import make_task, whole_number
from simsorry.errors import USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.simulate import Task

DEFAULT_PLAYERS = 4
_MAX_TURNS = 10**9


def play(
    ruleset: Annotated[
        str, typer.Argument(help="A built-in ruleset (hasbro), a file (./mine.toml), or one with house rules: hasbro+slides=off.")
    ],
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of all chance.")] = "1",
    game: Annotated[str, typer.Option(metavar="N", help="Number of the game: the one that run plays with this number.")] = "0",
    players: Annotated[int | None, typer.Option(help="Number of players; 4, or as many as the position of --from has.")] = None,
    policy: Annotated[
        list[str] | None, typer.Option(help="Who plays: one for all, or one per table seat (repeat or separate by commas).")
    ] = None,
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top; may be repeated.")] = None,
    seats: Annotated[
        str | None, typer.Option(metavar="COLORS", help="Colors in seat order (red,blue), or opposite or adjacent for two players.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", metavar="POSITION", help="Begin here, all cards shuffled: 'red S S 12 H / yellow Z2 S S S'.")
    ] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="COLOR", help="Who moves first: a color, or the number of a table seat, from 1.")
    ] = None,
    turns: Annotated[str | None, typer.Option(metavar="N", help="Stop after this many turns.")] = None,
    moves: Annotated[bool, typer.Option(help="Tell every move; if not, only how it ends, of a match every round.")] = True,
    board: Annotated[bool, typer.Option(help="Draw the board.")] = True,
    every: Annotated[str | None, typer.Option(metavar="N", help="Turns between two drawings of the board; a round if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")] = False,
) -> None:
    """Tell one game move by move, in plain words, with the board drawn after every round.

    It is the very game that simsorry run plays with the same ruleset, players, policies, seed and number.

    A line shows the turn, whose it is, the card and, where it was chosen from a hand, that hand, the card held longest first.

    In games with dice it shows a roll, and each line below it what is used: dice, card, bonus moves.
    """
    from simsorry.simulate import MAX_GAMES, MAX_SEED

    number = whole_number("--game", game, 0, MAX_GAMES)
    last = _MAX_TURNS if turns is None else whole_number("--turns", turns, 1, _MAX_TURNS)
    pause = None if every is None else whole_number("--every", every, 1, _MAX_TURNS)
    places = None
    if start is not None:
        players, seats, places = _seated(ruleset, sets or [], start, players, seats)
    players = DEFAULT_PLAYERS if players is None else players
    task = make_task(ruleset, players, policy or ["random"], whole_number("--seed", seed, 0, MAX_SEED), sets or [], seats)
    replay = replay_of(task, number, places, seat)
    if as_json:
        typer.echo(json.dumps(describe(task, number, replay, last), ensure_ascii=False, indent=2))
        return
    pause = pause or (players if moves else _MAX_TURNS)
    _tell(heading(task, number), replay, last, pause if board else None, moves)


def replay_of(task: "Task", number: int, places: dict[str, Any] | None = None, seat: str | None = None) -> Any:
    """The game of a task, ready to be told; from a position and with a first player if they are given. Raises SimsorryError."""
    from simsorry import replays

    tell_of_compiling(replays.compiled_for(task))
    return replays.replay_of(task, number, places, None if seat is None else seat_number(seat, task.seat_colors))


def _seated(ruleset: str, sets: list[str], start: str, players: int | None, seats: str | None) -> tuple[int, str | None, dict[str, Any]]:
    """Number of players, their seats and the places of the position that a game is to begin from."""
    from simsorry import games, rulesets

    name = rulesets.load(ruleset, sets).game
    places: dict[str, Any] = part_of(name, "notation").parse(start)
    colors = [color for color in games.load(name).COLORS if color in places]
    if players not in (None, len(colors)):
        raise SimsorryError(f"--players {players}, but --from has the pawns of {len(colors)}: {', '.join(colors)}", USAGE)
    return len(colors), seats or ",".join(colors), places


# -- telling ---------------------------------------------------------------------------------------


def heading(task: "Task", number: int) -> str:
    """Which game is told."""
    from simsorry.games.words import seating

    policies = [policy.name for policy in task.policies]
    line_up = policies if len(set(policies)) > 1 else policies[:1]
    return f"{task.ruleset.name}; {seating(task.ruleset.rules, task.seat_colors)}; {', '.join(line_up)}; seed {task.seed}, game {number}"


class _Pages:
    """Prints lines, and blocks of lines that empty lines set apart."""

    def __init__(self) -> None:
        self._gap = ""

    def line(self, text: str) -> None:
        typer.echo(f"{self._gap}{text}")
        self._gap = ""

    def block(self, text: str, first: bool = False) -> None:
        typer.echo(text if first else f"\n{text}")
        self._gap = "\n"


def _tell(head: str, replay: Any, last: int, pause: int | None, moves: bool) -> None:
    """Prints the game up to a turn, or only how its rounds end; with the board every so many turns, unless ``pause`` is None."""
    pages = _Pages()
    pages.block(f"{head}\n{replay.position if pause is None else replay.legend}", first=True)
    if pause is not None:
        pages.block(_drawn(replay))
    for step in replay.steps():
        if step.opening:
            pages.block(step.opening)
        if moves:
            if replay.columns and step.begins_round:
                pages.line(replay.columns)
            pages.line(step.line)
        done = replay.over or replay.turns == last
        if pause is not None and step.ends_turn and (done or step.ends_round or step.turn % pause == 0):
            pages.block(_drawn(replay))
        if step.ends_round and replay.closing:
            pages.block("\n".join(replay.closing))
        if done:
            break
    pages.line(replay.summary)


def _drawn(replay: Any) -> str:
    """The board, and the position below it as it is written."""
    colored = sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"{replay.board(colored)}\n{replay.position}"


def describe(task: "Task", number: int, replay: Any, last: int) -> dict[str, Any]:
    """The game as plain data."""
    from simsorry.cli import _command
    from simsorry.report import provenance

    document = {
        "task": task.id,
        "ruleset": {"name": task.ruleset.name, "title": task.ruleset.title, "hash": task.ruleset.hash},
        "seat_colors": list(task.seat_colors),
        "policies": [policy.name for policy in task.policies],
        "seed": task.seed,
        "game": number,
        "position": replay.position,
    }
    steps = []
    for step in replay.steps():
        steps.append({**step.plain(), "position": replay.position})
        if replay.turns == last:
            break
    made_by = provenance.document([provenance.Played(task.describe(), 1)], _command.told())
    return {**document, replay.STEPS: steps, **replay.plain(), "provenance": made_by}
