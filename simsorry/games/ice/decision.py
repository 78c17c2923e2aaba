"""One decision of Ice Soo Sorry!: the distinct outcomes of a hand or a card in a position, and what is done to get there.

    from simsorry import rulesets
    from simsorry.games.ice.decision import decide_hand

    rules = rulesets.load("ice-three").rules
    position = "red S:m H:l / yellow S:s S:m | 20: rs | 25: yl"
    for outcome in decide_hand(rules, ("red", "yellow"), position, "red", "5 2 sorry").outcomes:
        print(outcome.card, outcome.changes, outcome.did)

A ``Table`` is what that is made of: rules and players compiled once, for many decisions.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from simsorry.errors import SimsorryError
from simsorry.games import hands
from simsorry.games.asked import DECLINED, Decision, Hand, card_name, hand_in, hand_of, read_card, read_hand
from simsorry.games.given import checked_players, color_number, mover_of
from simsorry.games.ice import notation, placement, queries, state, story
from simsorry.games.ice.actions import OPTIONAL
from simsorry.games.ice.placement import Placement
from simsorry.games.ice.retelling import Retelling
from simsorry.games.ice.rules import Rules
from simsorry.games.ice.tables import compile_rules
from simsorry.games.options import CARDS, COLORS
from simsorry.toml import brief

__all__ = ["Decision", "Outcome", "Table", "decide", "decide_hand"]


class Outcome(NamedTuple):
    """One distinct outcome."""

    card: str  # what it is played with; of a hand "" for passing, "random" for a card thrown in at random
    position: str  # the placement, in the one-line notation
    changes: notation.Position  # what differs from the position before: all that stands there now, an emptied place with nothing
    did: str  # what is done to get there, in plain words
    kind: str  # as story.kind says
    compulsory: bool  # False if it may be declined


def decide(rules: Rules, players: Sequence[str], position: str | Mapping[str, Sequence[Any]], color: str, card: object) -> Decision:
    """The full set of distinct outcomes of ``card`` for ``color``.

    ``players`` are colors by table seat; ``position`` is the one-line notation, or its JSON. Raises SimsorryError for anything
    impossible. Not for several threads at once: give each a ``Table``.
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


@lru_cache(maxsize=16)  # a table's memory is large
def _table(rules: str, players: tuple[str, ...]) -> "Table":
    """The table of rules given as JSON."""
    return Table(Rules.model_validate_json(rules), players)


class Listed(NamedTuple):
    """One outcome as the kernel lists it."""

    action: int
    card: int
    after: Placement


class Table:
    """A ruleset and its players, ready to answer decisions.

    ``players`` are colors by table seat. Raises SimsorryError if they can't play this ruleset.
    """

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.players = checked_players(players)
        self.rules: Rules = rules.model_copy(update={"seat_colors": self.players})
        self.compiled = compile_rules(self.rules, len(self.players))
        self._scratch = state.new_scratch()

    def placement(self, position: str | Mapping[str, Sequence[Any]]) -> Placement:
        """A position, in the one-line notation or as its JSON, as a placement; raises SimsorryError."""
        if isinstance(position, str):
            position = notation.parse(position)
        if not isinstance(position, Mapping):
            raise SimsorryError(f"position = {brief(position)} is no table of colors, piles and their pawns")
        return notation.to_placement(position, self.rules, self.players)

    words = placement  # what other games' tables call it

    def text(self, position: Placement) -> str:
        """A placement in the one-line notation."""
        return notation.to_text(position, self.players)

    @staticmethod
    def compiled_for(_asked: Mapping[str, Any]) -> str:
        """The compiled function that answers a recorded decision point, or a question by the same names."""
        return "plays_of"

    def decide(self, position: str | Mapping[str, Sequence[Any]], color: str, card: object) -> Decision:
        """The full set of distinct outcomes of ``card`` for ``color``; raises SimsorryError for anything impossible."""
        mover, number, before = color_number(color, self.players), read_card(self.rules, card), self.placement(position)
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
        mover, before = color_number(color, self.players), self.placement(position)
        cards = read_hand(self.rules, hand, followup=followup, drawn=drawn, first_turn=first_turn)
        return self._decision(mover, tuple(CARDS[card] for card in cards.held), before, self.hand_outcomes(before, mover, cards))

    def _decision(self, mover: int, cards: tuple[str, ...], before: Placement, listed: Iterator[Listed]) -> Decision:
        numbered, outcomes = before.copy(), []
        numbered.give_numbers()
        for action, card, after in listed:
            kind = story.kind(action)
            play = Retelling(self.rules, self.compiled[0], numbered.copy()).carry_out(action, mover)
            outcomes.append(
                Outcome(
                    card=card_name(card, kind),
                    position=self.text(after),
                    changes=notation.changes(before, after),
                    did=story.did(play, mover, card),
                    kind=kind,
                    compulsory=self.rules.must_move and kind not in DECLINED and not action & int(OPTIONAL),
                )
            )
        return Decision(COLORS[mover], cards, tuple(outcomes))

    def of_record(self, record: Any) -> tuple[str, str, Decision]:
        """The decision that is open in the kernel's scratch record: the position, the color to move, and the outcomes as numbered there."""
        seat, before = int(record["seat"]), placement.read(record)
        mover = COLORS.index(self.players[seat])
        if self.rules.hand_size:
            hand = hand_in(self.rules, record, seat)
            cards, listed = [CARDS[card] for card in hand.held], self.hand_outcomes(before, mover, hand)
        else:
            card = int(record["now_card"])
            cards, listed = [CARDS[card]], self.outcomes(before, mover, card)
        return self.text(before), COLORS[mover], self._decision(mover, tuple(cards), before, listed)

    def answer(self, point: Mapping[str, Any]) -> list[list[Any]]:
        """The outcomes of a recorded decision point, each ``[card, what, changes]``.

        ``what`` is play, discard (a card thrown in) or pass. Raises SimsorryError for a point that this game can't have.
        """
        named = point if "to_move" not in point else {"color": point["to_move"]} | dict(point)
        mover = color_number(mover_of(named, self.players), self.players)
        before = self.placement(point["json"] if "position" not in point and "json" in point else point.get("position", {}))
        if "hand" in point:
            listed = self.hand_outcomes(before, mover, hand_of(self.rules, point))
        else:
            listed = self.outcomes(before, mover, read_card(self.rules, point.get("card")))
        answers = []
        for action, card, after in listed:
            kind = story.kind(action)
            what = {"throw": "discard", "pass": "pass"}.get(kind, "play")
            answers.append([card_name(card, kind), what, notation.changes(before, after)])
        return answers

    # -- what the kernel lists ---------------------------------------------------------------------

    def outcomes(self, position: Placement, mover: int, card: int) -> Iterator[Listed]:
        """The outcomes of a card by number, for a color by number."""
        self._scratch[0]["now_card"] = card
        return (listed._replace(card=card) for listed in self._outcomes(position, mover))  # a pass is with that card too

    def hand_outcomes(self, position: Placement, mover: int, hand: Hand) -> Iterator[Listed]:
        """The same of a hand."""
        record, seat = self._scratch[0], self.players.index(COLORS[mover])
        counts = np.bincount(np.array(hand.held, int), minlength=hands.VALUES)
        record["hand"][seat * hands.MAX_HELD : seat * hands.MAX_HELD + len(hand.held)] = hand.held
        record["held"][seat] = len(hand.held)
        record["have"][seat * hands.VALUES : (seat + 1) * hands.VALUES] = counts
        record["values"][seat] = sum(1 << card for card in set(hand.held))
        record["again"] = hand.followup
        record["drawn"] = int(hands.NO_CARD) if hand.drawn is None else hand.drawn
        record["turns_had"][seat] = not hand.first_turn
        return self._outcomes(position, mover)

    def _outcomes(self, position: Placement, mover: int) -> Iterator[Listed]:
        """Has the kernel list the outcomes in a position; raises SimsorryError where it has no room for all of them."""
        seat, record = np.uint64(self.players.index(COLORS[mover])), self._scratch[0]
        placement.write(record, position)
        count = int(queries.plays_of(self.compiled, self._scratch, seat))
        if record["overflow"]:
            raise SimsorryError(f"this decision has more than {state.CAPACITY:,} outcomes, which is more than simsorry looks at")
        for number in range(count):
            queries.show_play(self.compiled, self._scratch, seat, np.uint64(number))
            after = placement.read(record)
            queries.take_back(self._scratch)
            yield Listed(int(record["action"][number]), int(record["card"][number]), after)
