"""What ``simsorry moves`` asks of Sorreesi: which of its options go with it, and how the answer is laid out.

Every game has a module of this name with the same functions. What is ``given`` holds the options of the command line that are there,
by their names in ``OPTIONS``, as they are written; a switch is True.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from simsorry.errors import USAGE, SimsorryError
from simsorry.games.options import CARDS
from simsorry.games.sorreesi.decision import Table
from simsorry.games.sorreesi.story import bonus_moves, spent
from simsorry.games.words import all_of, do
from simsorry.toml import brief

OPTIONS = ("dice", "card", "bonus", "roll")

_EXAMPLES = {"--dice": "5,2", "--bonus": "20 or 20,10", "--roll": "2"}


def missing(given: Mapping[str, Any]) -> str:
    """Which option is needed and not given; empty if none is."""
    return "" if {"dice", "card", "bonus"} & set(given) else "--dice, --card or --bonus"


def check(table: Table, given: Mapping[str, Any]) -> None:
    """Refuses what does not go together, or not with the rules; raises SimsorryError."""
    pool = table.read_pool(**_spendable(given))
    if not pool.dice and not pool.bonus and pool.card_name is None:
        raise SimsorryError(f"there is nothing to spend: give {missing({})}", USAGE)


def _spendable(given: Mapping[str, Any]) -> dict[str, Any]:
    """What there is to spend, as ``Table.decide`` takes it."""
    rolls = _numbers("--roll", [given.get("roll", "1")])
    if len(rolls) != 1:
        raise SimsorryError(f"--roll {brief(given['roll'])} is not one number", USAGE)
    dice, bonus = _numbers("--dice", [given.get("dice", "")]), _numbers("--bonus", given.get("bonus", []))
    return {"dice": dice, "card": given.get("card"), "bonus": bonus, "roll": rolls[0]}


def _numbers(option: str, written: Sequence[str]) -> list[int]:
    """Whole numbers with commas or blanks between them."""
    words = [word for text in written for word in re.findall(r"[^\s,]+", text)]
    for word in words:
        if not re.fullmatch(r"\d{1,4}", word, re.ASCII):
            raise SimsorryError(f"{option} {brief(word)} is not a whole number, such as {_EXAMPLES[option]}", USAGE)
    return [int(word) for word in words]


def answer(table: Table, position: str | Mapping[str, Any], color: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What there is to spend, and what that offers, as plain data; raises SimsorryError."""
    spendable = _spendable(given)
    found = table.decide(position, color, **spendable)
    return {
        "color": found.color,
        "dice": list(found.dice),
        "card": found.card,
        "bonus": list(found.bonus),
        "roll": spendable["roll"],
        "compulsory": found.compulsory,
        "may_stop": found.may_stop,
        "outcomes": [outcome._asdict() for outcome in found.outcomes],
    }


# -- for people to read ----------------------------------------------------------------------------


def laid_out(document: Mapping[str, Any]) -> str:
    """An answer, with ruleset and position, as a table."""
    outcomes = sorted(document["outcomes"], key=_order)
    head = f"{document['ruleset']['name']}, {document['color']} has {_unspent(document)}\n{document['position']}\n"
    if not outcomes:
        return f"{head}\nnothing is possible"
    spends = [spent(outcome["use"]) for outcome in outcomes]
    widths = max(map(len, spends)), max(len(outcome["position"]) for outcome in outcomes)
    lines = [
        f"{use:<{widths[0]}}   {outcome['position']:<{widths[1]}}   {outcome['did']}" for use, outcome in zip(spends, outcomes, strict=True)
    ]
    return "\n".join([head, *lines, "", _what_must_be(document)])


def _order(outcome: Mapping[str, Any]) -> tuple[bool, bool, int, bool, Sequence[str]]:
    """Dice and card alone, then added up, then bonus moves, and stopping last."""
    use = outcome["use"]
    return use[0] == "stop", use[0].startswith("bonus"), len(use), use[0].startswith("card"), use


def _unspent(document: Mapping[str, Any]) -> str:
    """What there is to spend, in words."""
    dice, card = document["dice"], document["card"]
    named = [f"{'a die' if len(dice) == 1 else 'dice'} {' and '.join(map(str, dice))}"] if dice else []
    if card:
        named.append("a Sorry! card" if card == CARDS[-1] else f"card {card}")
    if document["bonus"]:
        named.append(bonus_moves(document["bonus"]))
    return all_of(named)


def _what_must_be(document: Mapping[str, Any]) -> str:
    """What a player has to do, in a line."""
    outcomes = document["outcomes"]
    if len(outcomes) == 1:
        return "1 outcome: it must be taken"
    told = f"{len(outcomes)} distinct outcomes"
    if document["may_stop"]:
        return f"{told}, stopping among them: nothing is compulsory"
    due = [{part.split()[0] for part in outcome["use"]} for outcome in outcomes if outcome["compulsory"]]
    needed = {"the card": any("card" in kinds for kinds in due), "a die": {"die"} in due, "a bonus move": {"bonus"} in due}
    return f"{told}: no stopping before {do([what for what, is_due in needed.items() if is_due], 'is', 'are')} used"
