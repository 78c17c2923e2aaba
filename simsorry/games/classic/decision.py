"""One decision of the classic game: the distinct outcomes of a card in a position, and what is done to get there.

    from simsorry import rulesets
    from simsorry.games.classic.decision import decide

    rules = rulesets.load("hasbro").rules
    for outcome in decide(rules, ("red", "blue"), "red S S 12 H / blue Z2 S S S", "red", 7).outcomes:
        print(outcome.position, outcome.did)

A ``Table`` is what that is made of: rules and players compiled once, for thousands of decisions a second.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.games.classic import kernel, moves, notation, story
from simsorry.games.classic.rules import CARDS, COLORS, Rules
from simsorry.games.classic.tables import compile_rules
from simsorry.toml import brief, closest


class Outcome(NamedTuple):
    """One distinct outcome."""

    position: str  # the placement, in the one-line notation
    did: str  # what is done to get there, in plain words
    kind: str  # "play", "pass", or "blocked" where an own pawn ends the turn
    compulsory: bool  # False if it may be declined


class Decision(NamedTuple):
    """What one card offers."""

    color: str
    card: str
    outcomes: tuple[Outcome, ...]  # empty: nothing is possible and the card is forfeited

    @property
    def compulsory(self) -> bool:
        """Whether some outcome must be taken."""
        return any(outcome.compulsory for outcome in self.outcomes)

    @property
    def may_pass(self) -> bool:
        """Whether passing is one of the outcomes."""
        return any(outcome.kind == "pass" for outcome in self.outcomes)


def decide(rules: Rules, players: Sequence[str], position: str | Mapping[str, Sequence[Any]], color: str, card: object) -> Decision:
    """The full set of distinct outcomes of ``card`` for ``color``.

    ``players`` are colors by table seat; ``position`` is the one-line notation, or colors and their pawns' places. Raises
    SimsorryError for anything impossible. Not for several threads at once: give each a ``Table``.
    """
    return _table(rules.model_dump_json(by_alias=True), tuple(players)).decide(position, color, card)


@lru_cache(maxsize=64)
def _table(rules: str, players: tuple[str, ...]) -> "Table":
    """The table of rules given as JSON."""
    return Table(Rules.model_validate_json(rules), players)


class Listed(NamedTuple):
    """The outcomes as the kernel lists them."""

    actions: list[int]
    events: list[int]
    results: list[list[int]]  # the position after each: four words by color


class Table:
    """A ruleset and its players, ready to answer decisions.

    ``players`` are colors by table seat. Raises SimsorryError if they can't play this ruleset.
    """

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.players = _checked(players)
        self.rules: Rules = rules.model_copy(update={"seat_colors": self.players})
        self.compiled: NDArray[Any] = compile_rules(self.rules, len(self.players))
        self._scratch = kernel.new_scratch()

    def words(self, position: str | Mapping[str, Sequence[Any]]) -> NDArray[np.uint64]:
        """A position, in the one-line notation or as colors and places, as four words by color; raises SimsorryError."""
        if isinstance(position, str):
            position = notation.parse(position)
        if not isinstance(position, Mapping):
            raise SimsorryError(f"position = {brief(position)} is no table of colors and their pawns' places")
        return notation.to_words(position, self.rules, self.players)

    def decide(self, position: str | Mapping[str, Sequence[Any]], color: str, card: object) -> Decision:
        """The full set of distinct outcomes of ``card`` for ``color``; raises SimsorryError for anything impossible."""
        mover, number, before = self._mover(color), card_number(card), self.words(position)
        listed = self.outcomes(before, mover, number)
        must = bool(self.compiled[0]["must_move"])
        outcomes = []
        for action, after in zip(listed.actions, listed.results, strict=True):
            kind = story.kind(action)
            did = story.did(self.compiled[0], action, before.tolist(), mover)
            compulsory = must and kind != "pass" and not action & int(moves.OPTIONAL)
            outcomes.append(Outcome(notation.to_text(after, self.players), did, kind, compulsory))
        return Decision(COLORS[mover], CARDS[number], tuple(outcomes))

    def answer(self, point: Mapping[str, Any]) -> list[list[str]]:
        """The outcomes of a recorded decision point, each ``[card, position]``, with ``"pass"`` third where that is what it is.

        Raises SimsorryError for a point that this game can't have.
        """
        if "hand" in point or point.get("followup"):
            raise SimsorryError("the point has a hand of cards, but in this ruleset one card is drawn and played at a time")
        mover, number = self._mover(self._color_of(point)), card_number(point.get("card"))
        listed = self.outcomes(self.words(point.get("position", {})), mover, number)
        outcomes = [[CARDS[number], notation.to_text(after, self.players)] for after in listed.results]
        if listed.actions and listed.actions[-1] & 7 == story.PASS:
            outcomes[-1].append("pass")
        return outcomes

    def outcomes(self, words: NDArray[np.uint64], mover: int, card: int) -> Listed:
        """The outcomes of a card by number, for a color by number, in a position of four words by color."""
        record = self._scratch[0]
        record["overflow"] = 0
        n = int(kernel.outcomes_of(self.compiled, self._scratch, np.uint64(mover), np.uint64(card), words))
        if record["overflow"]:
            raise SimsorryError(f"this decision has more than {moves.CAPACITY:,} outcomes, which is more than simsorry looks at")
        turned = record["result"][: 4 * n].reshape(n, 4)  # the mover's color first
        results: list[list[int]] = np.roll(turned, mover, axis=1).tolist()
        return Listed(record["action"][:n].tolist(), record["events"][:n].tolist(), results)

    def _mover(self, color: object) -> int:
        if color not in self.players:
            raise SimsorryError(f"color {brief(color)} does not play here; the players are {', '.join(self.players)}")
        return COLORS.index(str(color))

    def _color_of(self, point: Mapping[str, Any]) -> object:
        """Whose decision a point is: it names a color, a seat counted from 0, or both."""
        seat, color = point.get("seat"), point.get("color")
        if seat is None:
            return color
        if type(seat) is not int or not 0 <= seat < len(self.players):
            raise SimsorryError(f"seat = {brief(seat)} is none of the seats 0 to {len(self.players) - 1}")
        if color not in (None, self.players[seat]):
            raise SimsorryError(f"seat {seat} is {self.players[seat]}, not {brief(color)}")
        return self.players[seat]


def _checked(players: Sequence[str]) -> tuple[str, ...]:
    """The players, if they are two to four different colors."""
    for color in players:
        if color not in COLORS:
            raise SimsorryError(f"players: {brief(color)} is not a color{closest(str(color), COLORS)}; the colors are {', '.join(COLORS)}")
    if not 2 <= len(players) <= len(COLORS) or len(set(players)) < len(players):
        raise SimsorryError(f"players: {', '.join(players) or 'nobody'}: two to four different colors are needed")
    return tuple(players)


def card_number(card: object) -> int:
    """A card's number; raises SimsorryError."""
    name = str(card).strip().lower().rstrip("!") if type(card) in (int, str) else ""
    if name not in CARDS:
        raise SimsorryError(f"card {brief(card)} is not in the deck{closest(name, CARDS)}; the cards are {', '.join(CARDS)}")
    return CARDS.index(name)
