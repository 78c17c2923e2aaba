"""What ``simsorry moves`` asks of the classic game: which of its options go with it, and how the answer is laid out.

Every game has a module of this name with the same functions. What is ``given`` holds the options of the command line that are there,
by their names in ``OPTIONS``, as they are written; a switch is True.
"""

from collections.abc import Mapping
from typing import Any

from simsorry.errors import USAGE, SimsorryError
from simsorry.games.classic.decision import Table

OPTIONS = ("card", "hand", "followup", "drawn", "first_turn")

_CARD = 6  # columns


def missing(given: Mapping[str, Any]) -> str:
    """Which option is needed and not given; empty if none is."""
    return "" if "card" in given or "hand" in given else "--card or --hand"


def check(table: Table, given: Mapping[str, Any]) -> None:
    """Refuses what does not go together, or not with the rules; raises SimsorryError."""
    if "card" in given and "hand" in given:
        raise SimsorryError("--card and --hand exclude each other: a card is drawn, or chosen from a hand", USAGE)
    for option in ("followup", "drawn", "first_turn"):
        if option in given and "hand" not in given:
            raise SimsorryError(f"--{option.replace('_', '-')} goes with --hand only", USAGE)
    if "drawn" in given and "followup" not in given:
        raise SimsorryError("--drawn goes with --followup only: it names the card drawn in place of the 2 before", USAGE)
    if "hand" in given:
        table.read_hand(given["hand"], **_state(given))
        return
    card = given["card"]
    if table.rules.hand_size:
        raise SimsorryError(f'--card {card}: in these rules a card is chosen from a hand; give the hand: --hand "{card} ..."')
    table.read_card(card)


def _state(given: Mapping[str, Any]) -> dict[str, Any]:
    """When a hand is played from, as ``Table.decide_hand`` takes it."""
    return {"followup": "followup" in given, "drawn": given.get("drawn"), "first_turn": "first_turn" in given}


def answer(table: Table, position: str | Mapping[str, Any], color: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is played with, and what that offers, as plain data; raises SimsorryError."""
    held: dict[str, Any]
    if "hand" in given:
        found = table.decide_hand(position, color, given["hand"], **_state(given))
        held = {"hand": list(found.cards), **_state(given)}
    else:
        found = table.decide(position, color, given["card"])
        held = {"card": found.cards[0]}
    return {
        "color": found.color,
        **held,
        "compulsory": found.compulsory,
        "may_pass": found.may_pass,
        "outcomes": [outcome._asdict() for outcome in found.outcomes],
    }


# -- for people to read ----------------------------------------------------------------------------


def laid_out(document: Mapping[str, Any]) -> str:
    """An answer, with ruleset and position, as a table."""
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


def _drawn(document: Mapping[str, Any]) -> str:
    return f"{document['color']} has drawn {document['card']}"


def _held(document: Mapping[str, Any]) -> str:
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
