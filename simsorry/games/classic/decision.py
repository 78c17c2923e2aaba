"""One decision of the classic game: the distinct outcomes of a card or a hand in a position, and what is done to get there.

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
from simsorry.games.asked import DECLINED, Decision, Hand, card_name, hand_in, hand_of, read_card, read_hand
from simsorry.games.classic import listing, notation, queries, story
from simsorry.games.classic.actions import OPTIONAL
from simsorry.games.classic.rules import Rules
from simsorry.games.classic.state import new_scratch
from simsorry.games.classic.tables import compile_rules
from simsorry.games.given import checked_players, color_number, mover_of
from simsorry.games.hands import NO_CARD
from simsorry.games.options import CARDS, COLORS
from simsorry.toml import brief

__all__ = ["Decision", "Hand", "Outcome", "Table", "decide", "decide_hand"]


class Outcome(NamedTuple):
    """One distinct outcome."""

    position: str  # the placement, in the one-line notation
    did: str  # what is done to get there, in plain words
    kind: str  # one of story.KINDS
    compulsory: bool  # False if it may be declined
    card: str  # what it is played with; of a hand "" for passing, "random" for a card thrown in at random


def decide(rules: Rules, players: Sequence[str], position: str | Mapping[str, Sequence[Any]], color: str, card: object) -> Decision:
    """The full set of distinct outcomes of ``card`` for ``color``.

    ``players`` are colors by table seat; ``position`` is the one-line notation, or colors and their pawns' places. Raises
    SimsorryError for anything impossible. Not for several threads at once: give each a ``Table``.
    """
    return _table(rules.model_dump_json(by_alias=True), tuple(players)).decide(position, color, card)


def decide_hand(
    rules: Rules,
    players: Sequence[str],
    position: str | Mapping[str, Sequence[Any]],
    color: str,
    hand: str | Sequence[object],
    **state: Any,
) -> Decision:
    """The full set of distinct outcomes of a hand of cards for ``color``; ``state`` as for ``Table.decide_hand``."""
    return _table(rules.model_dump_json(by_alias=True), tuple(players)).decide_hand(position, color, hand, **state)


@lru_cache(maxsize=64)
def _table(rules: str, players: tuple[str, ...]) -> "Table":
    """The table of rules given as JSON."""
    return Table(Rules.model_validate_json(rules), players)


class Listed(NamedTuple):
    """The outcomes as the kernel lists them."""

    actions: list[int]
    events: list[int]
    results: list[list[int]]  # the position after each: four words by color
    cards: list[int]


class Table:
    """A ruleset and its players, ready to answer decisions.

    ``players`` are colors by table seat. Raises SimsorryError if they can't play this ruleset.
    """

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.players = checked_players(players)
        self.rules: Rules = rules.model_copy(update={"seat_colors": self.players})
        self.compiled: NDArray[Any] = compile_rules(self.rules, len(self.players))
        self._listing = self.compiled.copy()  # has outcomes carried out as they are listed, where that is not necessary too
        self._listing["plain"] = 0
        self._scratch = new_scratch()

    def words(self, position: str | Mapping[str, Sequence[Any]]) -> NDArray[np.uint64]:
        """A position, in the one-line notation or as colors and places, as four words by color; raises SimsorryError."""
        if isinstance(position, str):
            position = notation.parse(position)
        if not isinstance(position, Mapping):
            raise SimsorryError(f"position = {brief(position)} is no table of colors and their pawns' places")
        return notation.to_words(position, self.rules, self.players)

    def text(self, words: Sequence[int] | NDArray[np.uint64]) -> str:
        """Four words by color in the one-line notation."""
        return notation.to_text([int(word) for word in words], self.players)

    @staticmethod
    def compiled_for(asked: Mapping[str, Any]) -> str:
        """The compiled function that answers a recorded decision point, or a question by the same names."""
        return "outcomes_of_hand" if "hand" in asked else "outcomes_of"

    def decide(self, position: str | Mapping[str, Sequence[Any]], color: str, card: object) -> Decision:
        """The full set of distinct outcomes of ``card`` for ``color``; raises SimsorryError for anything impossible."""
        mover, number, before = color_number(color, self.players), read_card(self.rules, card), self.words(position)
        return self._decision(mover, (CARDS[number],), before, self.outcomes(before, mover, number))

    def decide_hand(
        self,
        position: str | Mapping[str, Sequence[Any]],
        color: str,
        hand: str | Sequence[object],
        *,
        followup: bool = False,
        drawn: object = None,
        first_turn: bool = False,
    ) -> Decision:
        """The full set of distinct outcomes of a hand; raises SimsorryError for anything impossible.

        ``hand`` is a list of cards or a text such as "1 2 7 7 sorry", the card held longest first. ``followup``: a 2 has been
        played; ``drawn``: the card drawn in its place, where the rules say that it must be played; ``first_turn``: it is the
        player's first.
        """
        mover, before = color_number(color, self.players), self.words(position)
        cards = read_hand(self.rules, hand, followup=followup, drawn=drawn, first_turn=first_turn)
        return self._decision(mover, tuple(CARDS[card] for card in cards.held), before, self.hand_outcomes(before, mover, cards))

    def _decision(self, mover: int, cards: tuple[str, ...], before: NDArray[np.uint64], listed: "Listed") -> Decision:
        outcomes = []
        for action, after, card in zip(listed.actions, listed.results, listed.cards, strict=True):
            kind = story.kind(action)
            did = story.did(self.compiled[0], action, before.tolist(), mover, card)
            compulsory = self.rules.must_move and kind not in DECLINED and not action & int(OPTIONAL)
            outcomes.append(Outcome(notation.to_text(after, self.players), did, kind, compulsory, card_name(card, kind)))
        return Decision(COLORS[mover], cards, tuple(outcomes))

    def of_record(self, record: Any) -> tuple[str, str, Decision]:
        """The decision that is open in the kernel's scratch record: the position, the color to move, and the outcomes as numbered there."""
        seat, words = int(record["seat"]), record["word"].copy()
        mover = COLORS.index(self.players[seat])
        if self.rules.hand_size:
            hand = hand_in(self.rules, record, seat)
            cards, listed = [CARDS[card] for card in hand.held], self.hand_outcomes(words, mover, hand)
        else:
            card = int(record["now_card"])
            cards, listed = [CARDS[card]], self.outcomes(words, mover, card)
        return self.text(words), COLORS[mover], self._decision(mover, tuple(cards), words, listed)

    def answer(self, point: Mapping[str, Any]) -> list[list[str]]:
        """The outcomes of a recorded decision point, each ``[card, position]``; with a third item for what moves no pawn.

        That is "pass", "throw" (a card thrown in) or "idle" (a 2 laid down without a move). Raises SimsorryError for a point that
        this game can't have.
        """
        mover, before = color_number(mover_of(point, self.players), self.players), self.words(point.get("position", {}))
        if "hand" in point:
            listed = self.hand_outcomes(before, mover, hand_of(self.rules, point))
        else:
            listed = self.outcomes(before, mover, read_card(self.rules, point.get("card")))
        answers = []
        for action, after, card in zip(listed.actions, listed.results, listed.cards, strict=True):
            kind = story.kind(action)
            told = [kind] if kind in DECLINED or kind == "idle" else []
            answers.append([card_name(card, kind), notation.to_text(after, self.players), *told])
        return answers

    # -- what the kernel lists ---------------------------------------------------------------------

    def outcomes(self, words: NDArray[np.uint64], mover: int, card: int) -> "Listed":
        """The outcomes of a card by number, for a color by number, in a position of four words by color."""
        queries.outcomes_of(self._listing, self._scratch, np.uint64(mover), np.uint64(card), words)
        return self._listed(mover)

    def hand_outcomes(self, words: NDArray[np.uint64], mover: int, hand: Hand) -> "Listed":
        """The same of a hand."""
        held = np.array(hand.held, np.uint8)
        drawn = NO_CARD if hand.drawn is None else np.uint64(hand.drawn)
        first_turn = np.uint64(hand.first_turn)
        queries.outcomes_of_hand(self._listing, self._scratch, np.uint64(mover), held, np.uint64(hand.followup), drawn, first_turn, words)
        return self._listed(mover)

    def _listed(self, mover: int) -> "Listed":
        """What the scratch record holds; raises SimsorryError where it had no room for everything."""
        record = self._scratch[0]
        if record["overflow"]:
            raise SimsorryError(f"this decision has more than {listing.CAPACITY - 1:,} outcomes, which is more than simsorry looks at")
        n = int(record["outcomes"])
        turned = record["result"][: 4 * n].reshape(n, 4)  # the mover's color first
        results: list[list[int]] = np.roll(turned, mover, axis=1).tolist()
        return Listed(record["action"][:n].tolist(), record["events"][:n].tolist(), results, record["card"][:n].tolist())
