"""Asking policies that are functions in Python: what they are told of a decision, and games in which somebody is asked.

The game is played by compiled code up to a decision of such a player, then the function is called, and play goes on.
"""

import importlib
import operator
import threading
from dataclasses import dataclass, field
from random import Random
from typing import Any

from simsorry.errors import FAILURE, SimsorryError
from simsorry.policies import functions
from simsorry.toml import brief, shorten

_ONE_AT_A_TIME = threading.Lock()  # a function may keep something in mind, and threads play games at the same time


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
    """The players of a task (``simulate.Task``) who are functions, ready to be asked; for one thread."""

    def __init__(self, task: Any) -> None:
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
        chance = Random(f"{self._task.seed} {game} {int(record['decisions'])}")  # which grows with every decision, in all rounds of a match
        asked = Asked(self._task.ruleset.rules, self._task.seat_colors, seat, color, position, decision, chance)
        try:
            with _ONE_AT_A_TIME:
                answer = function.call(asked)
        except (Exception, SystemExit) as error:
            raise SimsorryError(f"{shorten(function.spec)}: in game {game} it fails with {function.told(error)}") from error
        return _number_of(answer, asked.outcomes, function, game)


def _number_of(answer: Any, outcomes: tuple[Any, ...], function: functions.Function, game: int) -> int:
    """Which outcome an answer means."""
    number = _whole(answer)
    if number is not None and 0 <= number < len(outcomes):
        return number
    for number, outcome in enumerate(outcomes):
        if answer is outcome or (type(answer) is type(outcome) and answer == outcome):
            return number
    allowed = f"allowed is one of asked.outcomes or its number, 0 to {len(outcomes) - 1}"
    raise SimsorryError(f"{shorten(function.spec)}: in game {game} it returned {brief(answer)}; {allowed}")


def _whole(answer: Any) -> int | None:
    """A whole number, of numpy too; None for anything else."""
    try:
        return None if isinstance(answer, bool) else operator.index(answer)
    except TypeError:
        return None
