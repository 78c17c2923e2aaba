"""Asking policies that are functions in Python: what they are told of a decision, and games in which somebody is asked.

The game is played by compiled code up to a decision of such a player, then the function is called, and play goes on.
"""

import importlib
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from simsorry.errors import FAILURE, SimsorryError
from simsorry.policies import functions
from simsorry.toml import brief, shorten

if TYPE_CHECKING:
    from simsorry.simulate import Task


@dataclass(frozen=True)
class Asked:
    """A decision, as a player sees it: the table, the own hand or dice, and every distinct outcome; nothing of what is to come."""

    rules: Any  # the options of the ruleset, by name
    players: tuple[str, ...]  # colors by table seat
    seat: int  # table seat to move
    color: str
    position: str  # in the one-line notation, as in ``simsorry moves``
    decision: Any  # as the game's ``decide`` or ``decide_hand`` answers: what is played with, and ``outcomes``
    random: Random = field(repr=False)  # the same chance in the same decision of the same game

    @property
    def outcomes(self) -> tuple[Any, ...]:
        """Every distinct outcome: ``position`` after it, ``did`` in words, ``kind``, and what it is played with (``card`` or ``use``)."""
        return tuple(self.decision.outcomes)


class Asker:
    """The players of a task who are functions, ready to be asked; for one thread."""

    def __init__(self, task: "Task") -> None:
        self._task = task
        self._table = importlib.import_module(f"{task.game.__name__}.decision").Table(task.ruleset.rules, task.seat_colors)

    def answer(self, record: Any, game: int) -> int:
        """The number of the outcome that the player to move in a scratch record takes; raises SimsorryError if that is none."""
        seat = int(record["seat"])
        function = self._task.policies[seat].function
        assert function is not None
        position, color, decision = self._table.of_record(record)
        if len(decision.outcomes) != int(record["outcomes"]):
            raise SimsorryError(f"{shorten(function.spec)}: in game {game} it would be told of other outcomes than there are", FAILURE)
        chance = Random(f"{self._task.seed} {game} {seat} {int(record['turns'])} {int(record['draws'])} {position}")
        asked = Asked(self._task.ruleset.rules, self._task.seat_colors, seat, color, position, decision, chance)
        try:
            answer = function.call(asked)
        except Exception as error:
            raise SimsorryError(f"{shorten(function.spec)}: in game {game} it fails with {functions.told(error)}") from error
        return _number_of(answer, asked.outcomes, function, game)


def _number_of(answer: Any, outcomes: tuple[Any, ...], function: functions.Function, game: int) -> int:
    """Which outcome an answer means."""
    if isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < len(outcomes):
        return answer
    for number, outcome in enumerate(outcomes):
        if answer is outcome or (type(answer) is type(outcome) and answer == outcome):
            return number
    allowed = f"allowed is one of asked.outcomes or its number, 0 to {len(outcomes) - 1}"
    raise SimsorryError(f"{shorten(function.spec)}: in game {game} it returned {brief(answer)}; {allowed}")
