"""Games of a task, looked at card by card, whoever chooses how."""

import importlib
from collections.abc import Callable
from typing import Any

from simsorry.asking import Asker
from simsorry.games.records import words_of
from simsorry.simulate import Task, compiled_policies


def kind_of(task: Task) -> Any:
    """The class of the game that looks at one game card by card."""
    return importlib.import_module(f"{task.game.__name__}.replay").Replay


def compiled_for(task: Task) -> str:
    """The compiled function that takes the steps of a task's games."""
    return "step_deep" if task.is_deep else str(kind_of(task).COMPILED)


def replay_of(task: Task, game: int, places: Any = None, first_seat: int | None = None) -> Any:
    """A game of a task; from a position and with a first player if they are given. Raises SimsorryError for what can't be."""
    line_up = compiled_policies(task)
    replay = kind_of(task)(task.ruleset.rules, task.seat_colors, line_up, task.seed, game, places, first_seat)
    if task.is_deep:
        replay.step_by(_deep_step(task, game, replay.table.compiled, line_up, replay.memory))
    return replay


def _deep_step(task: Task, game: int, tables: Any, line_ups: Any, scratch: Any) -> Callable[[], bool]:
    """What resolves the next card where somebody looks ahead or is asked in Python; says whether the round goes on."""
    ghost, asker = task.game.new_scratch(), Asker(task)
    records = (tables, line_ups, scratch, ghost, words_of(scratch), words_of(ghost))

    def step() -> bool:
        code = task.game.step_deep(*records, -1)
        if code < 0:
            code = task.game.step_deep(*records, asker.answer(scratch[0], game))
        return bool(code)

    return step
