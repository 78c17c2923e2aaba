"""What the referee's tests share: cards in a fixed order, and players who know what they want."""

from collections.abc import Callable, Iterator

from referee.classic import Choose, Decision, Outcome


class Script:
    """Cards that come in a fixed order, and what the pile looked like each time."""

    def __init__(self, cards: str) -> None:
        self.cards: Iterator[str] = iter(cards.split())
        self.piles: list[list[str]] = []

    def __call__(self, pile: list[str]) -> str:
        self.piles.append(sorted(pile))
        card = next(self.cards)
        assert card in pile
        return card

    @property
    def left(self) -> list[str]:
        """The cards that have not come."""
        return list(self.cards)


def last(decision: Decision) -> Outcome:
    """A policy: the last choice, which is to pass where passing is on offer."""
    return decision.choices[-1]


def plan(*wanted: str) -> Choose:
    """A policy that makes one choice after the other: ``"3 red 23"`` is the 3 after which "red 23" stands in the text, ``"throw 3"``."""
    to_come = iter(wanted)

    def choose(decision: Decision) -> Outcome:
        found = list(filter(_matches(next(to_come)), decision.choices))
        assert len(found) == 1, [(choice.kind, choice.card, choice.text) for choice in decision.choices]
        return found[0]

    return choose


def _matches(wanted: str) -> Callable[[Outcome], bool]:
    first, _, rest = wanted.partition(" ")
    if first in ("pass", "throw", "idle", "blocked"):
        return lambda choice: (choice.kind, choice.card) == (first, rest)
    return lambda choice: choice.kind == "play" and choice.card == first and rest in choice.text
