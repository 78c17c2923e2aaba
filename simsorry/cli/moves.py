"""``simsorry moves``: every distinct outcome of a decision, for one position or for a whole file of them."""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from simsorry.errors import PARTIAL, USAGE, SimsorryError

MAX_LINE = 1 << 20
_TABLES = 256  # rulesets with their players that are kept compiled while a file of points is answered


def moves(
    ruleset: Annotated[str | None, typer.Argument(help="A built-in ruleset, a file, or one with house rules: hasbro+slides=off.")] = None,
    position: Annotated[
        str | None, typer.Option(metavar="POSITION", help="Where all pawns stand: 'red S S 12 H / blue Z2 S S S'. The colors in it play.")
    ] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="COLOR", help="Whose decision: a color, or its number in the position, from 1.")
    ] = None,
    card: Annotated[str | None, typer.Option(metavar="CARD", help="The card drawn: 1 2 3 4 5 7 8 10 11 12 sorry.")] = None,
    hand: Annotated[
        str | None, typer.Option(metavar="CARDS", help="Instead of --card: the hand to choose from, oldest card first: '1 2 7 7 sorry'.")
    ] = None,
    followup: Annotated[bool, typer.Option("--followup", help="With --hand: a 2 has been played, and one more card follows.")] = False,
    drawn: Annotated[
        str | None,
        typer.Option(metavar="CARD", help="With --followup: which card of the hand was drawn for the 2, if that one must follow."),
    ] = None,
    first_turn: Annotated[bool, typer.Option("--first-turn", help="With --hand: it is the player's first turn.")] = False,
    dice: Annotated[
        str | None, typer.Option(metavar="NUMBERS", help="In games with dice: those still unspent, 5,2; --card is the unspent card then.")
    ] = None,
    bonus: Annotated[
        list[str] | None, typer.Option(metavar="SQUARES", help="With dice: unspent bonus moves, 20,10; may be repeated.")
    ] = None,
    roll: Annotated[str | None, typer.Option(metavar="N", help="With dice: which roll of the turn it is; 1 if not given.")] = None,
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top; may be repeated.")] = None,
    points: Annotated[
        str | None, typer.Option(metavar="FILE", help="Instead: a file of decision points, one JSON object a line; - reads standard input.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of a table.")] = False,
) -> None:
    """Show every distinct outcome of a decision: what a card, a hand, or dice offer in a position, and what is done to get there.

    Places of the classic game: S (START), H (HOME), Z1 to Z5 (safety zone), and track squares 0 to 59, clockwise from red's corner.

    Places of Sorreesi: B (base), H (HOME), P1 to P7 (private path), and track squares 0 to 67, from red's entry square on.

    Ice Soo Sorry! writes pawns with their sizes, and piles after the colors, lowest first: 'red S:s H:l / blue S:m Z3:l | 12: rs bm'.
    """
    options: dict[str, Any] = {"card": card, "hand": hand, "followup": followup, "drawn": drawn, "first_turn": first_turn}
    options |= {"dice": dice, "bonus": bonus, "roll": roll}
    given = {option: value for option, value in options.items() if value not in (None, False, [])}
    if points is not None:
        if any(each is not None for each in (ruleset, position, seat, sets)) or given or as_json:
            raise SimsorryError("--points takes everything from the file: no ruleset and no other option goes with it", USAGE)
        return answer_file(points)
    if ruleset is None:
        needed = ["RULESET", *_missing(position, seat), *([] if given else ["--card (or what else is played with)"])]
        raise SimsorryError(_incomplete(needed), USAGE)
    document, told = describe(ruleset, sets or [], position, seat, given)
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2) if as_json else told)
    return None


# -- one decision ----------------------------------------------------------------------------------


def part_of(game: str, part: str) -> Any:
    """A part of a game's package that every game has."""
    from simsorry.games import GAMES

    return importlib.import_module(f"{GAMES[game]}.{part}")


def tell_of_compiling(function: str) -> None:
    """Says on standard error that it takes a while if a compiled function is not in the cache yet."""
    from simsorry import jit

    if jit.is_cold(function):
        typer.echo("compiling (first run only) …", err=True)


def describe(ruleset: str, sets: list[str], position: str | None, seat: str | None, given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """A decision as plain data, and as a table for people to read; raises SimsorryError."""
    from simsorry import games, rulesets

    rules = rulesets.load(ruleset, sets)
    notation, decision, asking = (part_of(rules.game, part) for part in ("notation", "decision", "asking"))
    needed = [*_missing(position, seat), *filter(None, [asking.missing(given)])]
    if foreign := [option for option in given if option not in asking.OPTIONS]:
        raise SimsorryError(f"{_option(foreign[0])} does not go with {ruleset}, whose decisions take {_choice(asking.OPTIONS)}", USAGE)
    if position is None or seat is None or needed:
        raise SimsorryError(_incomplete(needed), USAGE)
    places = notation.parse(position)
    table = decision.Table(rules.rules, [color for color in games.load(rules.game).COLORS if color in places])
    color = table.players[seat_number(seat, table.players)]
    words = table.words(places)
    asking.check(table, given)  # before anything is said of compiling
    tell_of_compiling(table.compiled_for(given))
    document = {
        "ruleset": {"name": rules.name, "title": rules.title, "hash": rules.hash},
        "players": list(table.players),
        "position": table.text(words),
        **asking.answer(table, places, color, given),
    }
    return document, asking.laid_out(document)


def _missing(position: str | None, seat: str | None) -> list[str]:
    """Which of the options that every game needs are not given."""
    return [option for option, value in (("--position", position), ("--seat", seat)) if value is None]


def _incomplete(needed: list[str]) -> str:
    return f"missing: {', '.join(needed)}; or give a file of decision points with --points"


def _option(name: str) -> str:
    """A parameter as it is written on the command line."""
    return f"--{name.replace('_', '-')}"


def _choice(names: tuple[str, ...]) -> str:
    options = [_option(name) for name in names]
    return f"{', '.join(options[:-1])} and {options[-1]}"


def seat_number(seat: str, players: tuple[str, ...]) -> int:
    """The table seat that ``--seat`` means, counted from 0."""
    from simsorry.toml import brief, closest

    name = seat.strip().lower()
    numbers = [str(number) for number in range(1, len(players) + 1)]
    if name in numbers:
        return numbers.index(name)
    if name in players:
        return players.index(name)
    known = f"the players are {', '.join(players)} (or 1 to {len(players)})"
    raise SimsorryError(f"--seat {brief(seat)} does not play here{closest(name, players)}; {known}")


# -- a file of points ------------------------------------------------------------------------------


def answer_file(name: str) -> None:
    """Prints one line for every point of a file; raises SimsorryError if some could not be answered."""
    count, failed, why = 0, 0, ""
    with _opened(name) as lines:
        for answer in answers(lines):
            count += 1
            if "error" in answer:
                failed += 1
                why = why or answer["error"]
            sys.stdout.write(json.dumps(answer) + "\n")
    if failed:
        raise SimsorryError(f"{failed:,} of {count:,} points could not be answered; the first because: {why}", PARTIAL)


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    from simsorry.toml import brief

    if name == "-":
        if sys.stdin is None:
            raise SimsorryError("--points -: standard input is closed")
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name is not a possible file name"
        raise SimsorryError(f"--points {brief(name)} can't be read: {reason}") from error


def answers(lines: BinaryIO) -> Iterator[dict[str, Any]]:
    """Answers points, one JSON object a line; what can't be answered becomes an ``error`` that says why."""
    called: set[str] = set()  # compiled functions
    for number, line in enumerate(iter(lambda: lines.readline(MAX_LINE + 1), b""), start=1):
        if line.isspace():
            continue
        if len(line) > MAX_LINE:
            yield {"id": None, "error": f"line {number}: longer than {MAX_LINE:,} bytes, which no point needs"}
            return  # what follows is the rest of that line, or no text at all
        name = None
        try:
            point = _read(line)
            name = point.get("id")
            table = table_for(point)
            function = table.compiled_for(point)
            if function not in called:
                called.add(function)
                tell_of_compiling(function)
            yield {"id": name, "outcomes": table.answer(point)}
        except SimsorryError as error:
            yield {"id": name, "error": f"line {number}: {error}" if name is None else str(error)}


def _read(line: bytes) -> dict[str, Any]:
    try:
        point = json.loads(line.decode("utf-8-sig"), parse_constant=_no_number, parse_float=_finite)
    except RecursionError as error:
        raise SimsorryError("its values are nested too deeply") from error
    except ValueError as error:
        raise SimsorryError(f"not valid JSON: {error}") from error
    if not isinstance(point, dict):
        raise SimsorryError("not a JSON object")
    return point


def _finite(text: str) -> float:
    number = float(text)
    return number if abs(number) < float("inf") else _no_number(text)


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def table_for(point: dict[str, Any]) -> Any:
    """The compiled rules and players of a point, whatever its game; raises SimsorryError."""
    from simsorry.toml import brief, value_text

    named = "ruleset" if "ruleset" in point and "preset" not in point else "preset"
    options, players, teams = point.get("options", {}), point.get("players"), point.get("teams", False)
    name = point[named] if named in point else _recognized(point)
    if not isinstance(name, str):
        raise SimsorryError(f"{named} = {brief(name)} is not the name of a ruleset" if named in point else "the point names no preset")
    if not isinstance(options, dict):
        raise SimsorryError(f"options = {brief(options)} is no table of options")
    if not isinstance(teams, bool):
        raise SimsorryError(f"teams = {brief(teams)} is neither true nor false")
    if type(players) is not int and not (isinstance(players, list) and all(isinstance(color, str) for color in players)):
        wrong = "players is not a list of colors in seat order, nor their number"
        raise SimsorryError(wrong if "players" in point else "the point names no players")
    if teams:
        options = {"team_pairs": "opposite"} | options
    sets = tuple(f"{option}={value if isinstance(value, str) else value_text(value)}" for option, value in options.items())
    found = _table(name, sets, players if isinstance(players, int) else tuple(players))
    if isinstance(found, SimsorryError):
        raise SimsorryError(re.sub(r"^--set:", "options:", str(found)))
    return found


def _recognized(point: dict[str, Any]) -> str | None:
    """The ruleset of a point that names none, if some game knows its points by the way they are written."""
    from simsorry.games import GAMES

    for game in GAMES:
        unnamed = getattr(part_of(game, "asking"), "unnamed", None)
        if unnamed and unnamed(point):
            return str(unnamed(point))
    return None


@lru_cache(maxsize=_TABLES)
def _table(preset: str, sets: tuple[str, ...], players: tuple[str, ...] | int) -> Any:
    """A table, or the SimsorryError that says why there is none; ``players`` are colors by seat, or how many there are."""
    from simsorry import games, rulesets

    try:
        rules = rulesets.load(preset, sets)
        seated = games.load(rules.game).seat_colors(rules.rules, players) if isinstance(players, int) else players
        return part_of(rules.game, "decision").Table(rules.rules, seated)
    except SimsorryError as error:
        return error
