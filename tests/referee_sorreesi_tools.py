"""What the tests of Sorreesi's referee share: outcomes in words, and games with dice, cards and choices in a fixed order."""

from collections.abc import Sequence
from typing import Any

from referee import sorreesi as referee
from referee.sorreesi import Decision, Game, Outcome, Record, Step
from sorreesi_vectors import described, groups_of

from simsorry.games.sorreesi.rules import Rules


def in_words(decision: Decision, outcome: Outcome) -> str:
    """An outcome as the table of hand-worked decisions writes it."""
    return described(decision.pool.bonus, outcome.use, outcome.text, outcome.fights, outcome.left, outcome.over)


class Played:
    """A few turns from a position, with everything in a fixed order; fails unless all of it has come.

    ``choices`` begin the outcomes chosen, as ``in_words`` writes them; decisions with one outcome are not asked for.
    """

    def __init__(
        self,
        position: str,
        rolls: Sequence[tuple[int, int]],
        cards: str = "",
        *choices: str,
        fights: Sequence[int] = (),
        turns: int = 1,
        first: int = 0,
        **options: Any,
    ) -> None:
        self.rolls, self.cards, self.fights, self.choices = iter(rolls), iter(cards.split()), iter(fights), iter(choices)
        self.piles: list[list[str]] = []
        self.decisions: list[Decision] = []
        groups = groups_of(position)
        rules = Rules(**{"pawns": len(next(iter(groups.values()))), "turn_cap": turns} | options)
        self.game = Game(
            rules,
            tuple(groups),
            first,
            roll=lambda: next(self.rolls),
            draw=self._draw,
            fight=lambda: next(self.fights),
            choose=self._choose,
            position=referee.read_position(position),
        )
        self.record: Record = self.game.play()
        assert [list(luck) for luck in (self.rolls, self.cards, self.fights, self.choices)] == [[], [], [], []]

    def _draw(self, pile: list[str]) -> str:
        self.piles.append(pile)
        card = next(self.cards)
        assert card in pile
        return card

    def _choose(self, decision: Decision) -> Outcome:
        self.decisions.append(decision)
        wanted = next(self.choices)
        found = [outcome for outcome in decision.outcomes if in_words(decision, outcome).startswith(wanted)]
        words = [in_words(decision, outcome) for outcome in decision.outcomes]
        assert len(found) == 1, f"{wanted!r} of {words}"
        return found[0]

    @property
    def text(self) -> str:
        """The position at the end."""
        return self.game.board.text

    @property
    def steps(self) -> list[Step]:
        """The course."""
        return self.record.steps

    def kinds(self, color: str = "red") -> list[str]:
        """What happened in a color's turns."""
        return [step.kind for step in self.steps if step.color == color]

    def texts(self, kind: str = "play") -> list[str]:
        """The positions after what happened."""
        return [step.text for step in self.steps if step.kind == kind]

    def seat(self, color: str) -> dict[str, int]:
        """The counters of a color's seat."""
        return self.record.seats[self.game.order.index(color)]

    def counted(self, *names: str) -> list[int]:
        """Counters of the game."""
        return [self.record.game[name] for name in names]
