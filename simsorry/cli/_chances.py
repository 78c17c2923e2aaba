"""``--chances``: gauges of the chance to win, fitted before the games that they are for."""

from dataclasses import replace
from typing import TYPE_CHECKING

from simsorry.errors import INTERRUPTED, USAGE, SimsorryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simsorry.cli._progress import Watch
    from simsorry.simulate import Task


def to_gauge(tasks: "Sequence[Task]") -> "list[Task]":
    """The same tasks, each to be played with a gauge that is still to be fitted; SimsorryError if one is played in matches."""
    from simsorry.gauge import NOTHING

    for task in tasks:
        if task.traits.match:
            raise SimsorryError(
                f"--chances: {task.ruleset.name} is played in matches of several rounds, where who is ahead in a round says nothing of "
                "points; leave it out for these",
                USAGE,
            )
    return [replace(task, gauge=NOTHING) for task in tasks]


def fitted(tasks: "Sequence[Task]", watch: "Watch") -> "list[Task]":
    """The same tasks with their gauges, of those that are to have one; SimsorryError if the user stops it, or nobody ever wins."""
    from simsorry.gauging import fit

    if any(task.gauge for task in tasks):
        many = f" of {len(tasks)} rulesets" if len(tasks) > 1 else f" of {tasks[0].ruleset.name}"
        watch.games(0)
        watch.say(f"fitting a gauge of the chance to win to other games{many} …")
    found = []
    for task in tasks:
        if task.gauge and watch.stop.is_set():
            raise SimsorryError("stopped while the chance to win was gauged; nothing was played", INTERRUPTED)
        found.append(replace(task, gauge=fit(task)) if task.gauge else task)
    return found
