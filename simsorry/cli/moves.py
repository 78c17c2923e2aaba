"""``simsorry moves``: every distinct outcome of a decision, for one position or for a whole file of them."""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, BinaryIO, NamedTuple

import typer

from simsorry.errors import PARTIAL, USAGE, SimsorryError

MAX_LINE = 1 << 20
_TABLES = 256  # rulesets with their players that are kept compiled while a file of points is answered
_CARD = 6  # columns


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
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top; may be repeated.")] = None,
    points: Annotated[
        str | None, typer.Option(metavar="FILE", help="Instead: a file of decision points, one JSON object a line; - reads standard input.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of a table.")] = False,
) -> None:
    """Show every distinct outcome of a card, or of a hand of cards, in a position, with what is done to get there.

    Places are S (START), H (HOME), Z1 to Z5 (safety zone, from the track on) and the track squares 0 to 59, clockwise from red's corner.
    """
    cards = Cards(card, hand, followup, drawn, first_turn)
    if points is not None:
        if any(each is not None for each in (ruleset, position, seat, sets)) or cards != Cards() or as_json:
            raise SimsorryError("--points takes everything from the file: no ruleset and no other option goes with it", USAGE)
        return answer_file(points)
    given = {"RULESET": ruleset, "--position": position, "--seat": seat, "--card or --hand": hand if card is None else card}
    if missing := [name for name, value in given.items() if value is None]:
        raise SimsorryError(f"missing: {', '.join(missing)}; or give a file of decision points with --points", USAGE)
    cards.check()
    document = describe(str(ruleset), sets or [], str(position), str(seat), cards)
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2) if as_json else table(document))
    return None


# -- one decision ----------------------------------------------------------------------------------


class Cards(NamedTuple):
    """What is to be played with, as the command line says it."""

    card: str | None = None
    hand: str | None = None
    followup: bool = False
    drawn: str | None = None
    first_turn: bool = False

    def check(self) -> None:
        """Refuses what does not go together."""
        if self.card is not None and self.hand is not None:
            raise SimsorryError("--card and --hand exclude each other: a card is drawn, or chosen from a hand", USAGE)
        for option, given in (("--followup", self.followup), ("--drawn", self.drawn is not None), ("--first-turn", self.first_turn)):
            if given and self.hand is None:
                raise SimsorryError(f"{option} goes with --hand only", USAGE)
        if self.drawn is not None and not self.followup:
            raise SimsorryError("--drawn goes with --followup only: it names the card drawn in place of the 2 before", USAGE)


def part_of(game: str, part: str) -> Any:
    """A part of a game's package that every game has."""
    from simsorry.games import GAMES

    return importlib.import_module(f"{GAMES[game]}.{part}")


def tell_of_compiling(function: str) -> None:
    """Says on standard error that it takes a while if a compiled function is not in the cache yet."""
    from simsorry import jit

    if jit.is_cold(function):
        typer.echo("compiling (first run only) …", err=True)


def describe(ruleset: str, sets: list[str], position: str, seat: str, cards: Cards) -> dict[str, Any]:
    """A decision as plain data; raises SimsorryError."""
    from simsorry import games, rulesets

    rules = rulesets.load(ruleset, sets)
    notation, decision = (part_of(rules.game, part) for part in ("notation", "decision"))
    places = notation.parse(position)
    asked = decision.Table(rules.rules, [color for color in games.load(rules.game).COLORS if color in places])
    color = asked.players[seat_number(seat, asked.players)]
    words = asked.words(places)
    return {
        "ruleset": {"name": rules.name, "title": rules.title, "hash": rules.hash},
        "players": list(asked.players),
        "position": notation.to_text(words, asked.players),
        **_decided(asked, places, color, cards),
    }


def _decided(asked: Any, places: dict[str, Any], color: str, cards: Cards) -> dict[str, Any]:
    """What is played with, and what that offers."""
    if cards.hand is None and asked.rules.hand_size:
        raise SimsorryError(f'--card {cards.card}: in these rules a card is chosen from a hand; give the hand: --hand "{cards.card} ..."')
    if cards.hand is None:
        asked.read_card(cards.card)  # before anything is said of compiling
        tell_of_compiling("outcomes_of")
        found = asked.decide(places, color, cards.card)
        held = {"card": found.cards[0]}
    else:
        state = {"followup": cards.followup, "drawn": cards.drawn, "first_turn": cards.first_turn}
        asked.read_hand(cards.hand, **state)
        tell_of_compiling("outcomes_of_hand")
        found = asked.decide_hand(places, color, cards.hand, **state)
        held = {"hand": list(found.cards), **state}
    return {
        "color": found.color,
        **held,
        "compulsory": found.compulsory,
        "may_pass": found.may_pass,
        "outcomes": [outcome._asdict() for outcome in found.outcomes],
    }


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


def table(document: dict[str, Any]) -> str:
    """A decision for people to read."""
    outcomes, with_hand = document["outcomes"], "hand" in document
    head = f"{document['ruleset']['name']}, {_held(document) if with_hand else _drawn(document)}\n{document['position']}\n"
    if not outcomes:
        return f"{head}\n{'nothing can be played: the turn ends' if with_hand else 'nothing is possible: the card is forfeited'}"
    width = max(len(outcome["position"]) for outcome in outcomes)
    optional = document["compulsory"] and not all(outcome["compulsory"] for outcome in outcomes)
    lines = []
    for outcome in outcomes:
        card = f"{outcome['card'] or '-':<{_CARD}} " if with_hand else ""
        declinable = " (not compulsory)" if optional and not outcome["compulsory"] else ""
        lines.append(f"{card}{outcome['position']:<{width}}   {outcome['did']}{declinable}")
    return "\n".join([head, *lines, "", _what_must_be(outcomes)])


def _drawn(document: dict[str, Any]) -> str:
    return f"{document['color']} has drawn {document['card']}"


def _held(document: dict[str, Any]) -> str:
    """The hand, and when it is to be played from."""
    played = "has played a 2 and " if document["followup"] else ""
    must = f"; the {document['drawn']}, drawn in place of the 2, must follow" if document["drawn"] is not None else ""
    first = " in the first turn" if document["first_turn"] else ""
    return f"{document['color']} {played}holds {' '.join(document['hand']) or 'no cards'}{first}{must}"


def _what_must_be(outcomes: list[dict[str, Any]]) -> str:
    """What a player has to do, in a line."""
    count, throws = len(outcomes), sum(outcome["kind"] == "throw" for outcome in outcomes)
    if throws == count:
        return f"nothing can be played: {'the card must' if count == 1 else f'one of these {count} cards must'} be thrown in"
    told = "1 outcome" if count == 1 else f"{count} distinct outcomes"
    if any(outcome["kind"] == "pass" for outcome in outcomes):
        return f"{told}, passing among them: nothing is compulsory"
    if throws:
        return f"{told}, {throws} of them to throw a card in: nothing is compulsory"
    return f"{told}: {'it' if count == 1 else 'one of them'} must be taken"


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
    asked: set[str] = set()  # functions that have been called
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
            asking, function = table_for(point), "outcomes_of_hand" if "hand" in point else "outcomes_of"
            if function not in asked:
                asked.add(function)
                tell_of_compiling(function)
            yield {"id": name, "outcomes": asking.answer(point)}
        except SimsorryError as error:
            yield {"id": name, "error": f"line {number}: {error}" if name is None else str(error)}


def _read(line: bytes) -> dict[str, Any]:
    try:
        point = json.loads(line.decode("utf-8-sig"), parse_constant=_no_number)
    except RecursionError as error:
        raise SimsorryError("its values are nested too deeply") from error
    except ValueError as error:
        raise SimsorryError(f"not valid JSON: {error}") from error
    if not isinstance(point, dict):
        raise SimsorryError("not a JSON object")
    return point


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def table_for(point: dict[str, Any]) -> Any:
    """The compiled rules and players of a point, whatever its game; raises SimsorryError."""
    from simsorry.toml import brief, value_text

    preset, options, players = point.get("preset"), point.get("options", {}), point.get("players")
    if not isinstance(preset, str):
        raise SimsorryError(f"preset = {brief(preset)} is not the name of a ruleset" if "preset" in point else "the point names no preset")
    if not isinstance(options, dict):
        raise SimsorryError(f"options = {brief(options)} is no table of options")
    if not isinstance(players, list) or not all(isinstance(color, str) for color in players):
        raise SimsorryError("players is not a list of colors in seat order" if "players" in point else "the point names no players")
    sets = tuple(f"{option}={value if isinstance(value, str) else value_text(value)}" for option, value in options.items())
    found = _table(preset, sets, tuple(players))
    if isinstance(found, SimsorryError):
        raise SimsorryError(re.sub(r"^--set:", "options:", str(found)))
    return found


@lru_cache(maxsize=_TABLES)
def _table(preset: str, sets: tuple[str, ...], players: tuple[str, ...]) -> Any:
    """A table, or the SimsorryError that says why there is none."""
    from simsorry import rulesets

    try:
        rules = rulesets.load(preset, sets)
        return part_of(rules.game, "decision").Table(rules.rules, players)
    except SimsorryError as error:
        return error
