"""Decisions of games with cards, one drawn at a time or a hand to choose from: what is asked, and what ``simsorry moves`` says.

A game's ``Table`` answers ``decide(position, color, card)`` and ``decide_hand(position, color, hand, ...)`` with a ``Decision``. What is
``given`` holds the options of the command line that are there, by their names in ``OPTIONS``, as they are written; a switch is True.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from simsorry.errors import USAGE, SimsorryError
from simsorry.games import hands
from simsorry.games.given import card_number
from simsorry.games.options import CARDS
from simsorry.toml import brief

DECLINED = ("pass", "throw")  # kinds of outcomes that nobody must take


class Decision(NamedTuple):
    """What a card, or a hand of cards, offers."""

    color: str
    cards: tuple[str, ...]  # the card drawn, or the hand, the card held longest first
    outcomes: tuple[Any, ...]  # the game's own; empty: nothing is possible

    @property
    def compulsory(self) -> bool:
        """Whether some outcome must be taken."""
        return any(outcome.compulsory for outcome in self.outcomes)

    @property
    def may_pass(self) -> bool:
        """Whether passing is one of the outcomes."""
        return any(outcome.kind == "pass" for outcome in self.outcomes)


class Hand(NamedTuple):
    """A hand to choose from."""

    held: list[int]  # card numbers, the card held longest first
    followup: bool = False
    drawn: int | None = None
    first_turn: bool = False


# -- what is played with ---------------------------------------------------------------------------


def read_card(rules: Any, card: object) -> int:
    """The number of a card that is drawn to be played; raises SimsorryError, also where cards are chosen from a hand."""
    if rules.hand_size:
        raise SimsorryError(f"card: in these rules a card is chosen from a hand (hand_size = {rules.hand_size}); give that hand")
    return card_number(card)


def read_hand(rules: Any, hand: str | Sequence[object], *, followup: bool = False, drawn: object = None, first_turn: bool = False) -> Hand:
    """A hand, as a list of cards or a text such as "1 2 7 7 sorry"; raises SimsorryError if these rules never bring it about."""
    written = re.findall(r"[^\s,]+", hand) if isinstance(hand, str) else hand
    number = None if drawn is None else card_number(drawn)
    found = Hand([card_number(card) for card in written], followup, number, first_turn)
    _check_hand(rules, found)
    return found


def hand_of(rules: Any, point: Mapping[str, Any]) -> Hand:
    """The hand of a recorded decision point; raises SimsorryError."""
    written = point["hand"]
    if not isinstance(written, (list, tuple)):
        raise SimsorryError(f"hand = {brief(written)} is no list of cards")
    after_two = "follow_up" if "follow_up" in point else "followup"
    for key in (after_two, "first_turn"):
        if not isinstance(point.get(key, False), bool):
            raise SimsorryError(f"{key} = {brief(point[key])} is neither true nor false")
    followup, first_turn = point.get(after_two, False), point.get("first_turn", False)
    return read_hand(rules, written, followup=followup, drawn=point.get("drawn"), first_turn=first_turn)


def hand_in(rules: Any, record: Any, seat: int) -> Hand:
    """The hand that a player chooses from, in a kernel's scratch record."""
    begin, again = seat * hands.MAX_HELD, bool(record["again"])
    held = record["hand"][begin : begin + int(record["held"][seat])].tolist()
    only_drawn = again and rules.two_in_hand == "play_drawn"
    return Hand(held, again, int(record["drawn"]) if only_drawn else None, not record["turns_had"][seat])


def _check_hand(rules: Any, hand: Hand) -> None:
    """Refuses a hand that nobody can hold."""
    if not rules.hand_size:
        raise SimsorryError("hand: these rules draw a card and play it (hand_size = 0), nobody holds a hand")
    if len(hand.held) > rules.hand_size:
        raise SimsorryError(f"hand: {len(hand.held)} cards are more than hand_size = {rules.hand_size}")
    for card, count in Counter(hand.held).items():
        copies = rules.deck_counts.counts[CARDS[card]]
        if not copies or (count > copies and rules.draw == "without_replacement"):
            raise SimsorryError(f"hand: {count} times {CARDS[card]}, but the deck holds {copies}")
    _check_followup(rules, hand)


def _check_followup(rules: Any, hand: Hand) -> None:
    """Refuses a card after a 2 where there is none."""
    way = rules.two_in_hand
    if hand.followup and way == "none":
        raise SimsorryError('followup: in these rules no card follows a 2 (two_in_hand = "none")')
    if hand.drawn is None:
        if hand.followup and way == "play_drawn":
            raise SimsorryError("drawn: the card drawn in place of the 2 is missing, and no other may be played now")
    elif way != "play_drawn":
        raise SimsorryError(f'drawn = {CARDS[hand.drawn]}: in these rules no drawn card must follow a 2 (two_in_hand = "{way}")')
    elif hand.drawn not in hand.held:
        raise SimsorryError(f"drawn = {CARDS[hand.drawn]}: it is not in the hand, but that is where the card drawn in place of a 2 goes")
    elif not hand.followup:
        raise SimsorryError(f"drawn = {CARDS[hand.drawn]}: the card drawn in place of a 2 follows that 2 (followup)")


def card_name(card: int, kind: str) -> str:
    """The card of an outcome as it is written: of a hand "" for passing, "random" for a card thrown in at random."""
    if card < len(CARDS):
        return CARDS[card]
    return "random" if kind == "throw" else ""


# -- what the command line asks --------------------------------------------------------------------

OPTIONS = ("card", "hand", "followup", "drawn", "first_turn")


def missing(given: Mapping[str, Any]) -> str:
    """Which option is needed and not given; empty if none is."""
    return "" if "card" in given or "hand" in given else "--card or --hand"


def check(table: Any, given: Mapping[str, Any]) -> None:
    """Refuses what does not go together, or not with the rules; raises SimsorryError."""
    if "card" in given and "hand" in given:
        raise SimsorryError("--card and --hand exclude each other: a card is drawn, or chosen from a hand", USAGE)
    for option in ("followup", "drawn", "first_turn"):
        if option in given and "hand" not in given:
            raise SimsorryError(f"--{option.replace('_', '-')} goes with --hand only", USAGE)
    if "drawn" in given and "followup" not in given:
        raise SimsorryError("--drawn goes with --followup only: it names the card drawn in place of the 2 before", USAGE)
    if "hand" in given:
        read_hand(table.rules, given["hand"], **_state(given))
        return
    card = given["card"]
    if table.rules.hand_size:
        raise SimsorryError(f'--card {card}: in these rules a card is chosen from a hand; give the hand: --hand "{card} ..."')
    read_card(table.rules, card)


def _state(given: Mapping[str, Any]) -> dict[str, Any]:
    """When a hand is played from, as ``Table.decide_hand`` takes it."""
    return {"followup": "followup" in given, "drawn": given.get("drawn"), "first_turn": "first_turn" in given}


def answer(table: Any, position: str | Mapping[str, Any], color: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is played with, and what that offers, as plain data; raises SimsorryError."""
    found: Decision
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

_CARD = 6  # columns


def heading(document: Mapping[str, Any]) -> str:
    """Who has to decide in which position, and with what."""
    held = _held(document) if "hand" in document else f"{document['color']} has drawn {document['card']}"
    return f"{document['ruleset']['name']}, {held}\n{document['position']}\n"


def _held(document: Mapping[str, Any]) -> str:
    """The hand, and when it is to be played from."""
    played = "has played a 2 and " if document["followup"] else ""
    must = f"; the {document['drawn']}, drawn in place of the 2, must follow" if document["drawn"] is not None else ""
    first = " in the first turn" if document["first_turn"] else ""
    return f"{document['color']} {played}holds {' '.join(document['hand']) or 'no cards'}{first}{must}"


def line(document: Mapping[str, Any], outcome: Mapping[str, Any], ends: str) -> str:
    """One outcome: the card of a hand, how it ends, and what is done."""
    card = f"{outcome['card'] or '-':<{_CARD}} " if "hand" in document else ""
    optional = document["compulsory"] and not outcome["compulsory"]
    return f"{card}{ends}   {outcome['did']}{' (not compulsory)' if optional else ''}"


def what_must_be(document: Mapping[str, Any]) -> str:
    """What a player has to do, in a line."""
    outcomes = document["outcomes"]
    count, throws = len(outcomes), sum(outcome["kind"] == "throw" for outcome in outcomes)
    if not count:
        return "nothing can be played: the turn ends" if "hand" in document else "nothing is possible: the card is forfeited"
    if throws == count:
        return f"nothing can be played: {'the card must' if count == 1 else f'one of these {count} cards must'} be thrown in"
    told = "1 outcome" if count == 1 else f"{count} distinct outcomes"
    if any(outcome["kind"] == "pass" for outcome in outcomes):
        return f"{told}, passing among them: nothing is compulsory"
    if throws:
        return f"{told}, {throws} of them to throw a card in: nothing is compulsory"
    return f"{told}: {'it' if count == 1 else 'one of them'} must be taken"
