"""A task made again from what is stored about it, so that its games can be replayed without the files it was asked with."""

from typing import Any

from simsorry import games, policies, rulesets
from simsorry.errors import SimsorryError
from simsorry.gauge import Gauge
from simsorry.results.read import Stored
from simsorry.simulate import MAX_SEED, Task


def rebuild(stored: Stored) -> Task:
    """The task whose games these are; raises SimsorryError, with the reason, if this version can't play it.

    The description is taken at its word only if the id worked out of it is the one that is stored. A game of an earlier VERSION, or rows
    in an earlier format, are no hindrance: whether the games are still the same is for who replays them to see.
    """
    about = stored.description
    try:
        task = _task(about)
        id_then = task.id_as_of(_whole(about["format"]), _whole(about["version"]))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise SimsorryError("task.json does not describe a task as simsorry does") from error
    if id_then != stored.id:
        raise SimsorryError(
            f"task.json describes a task with the id {id_then}, not {stored.id}: it was edited, or this version takes its words otherwise"
        )
    return task


def _task(about: dict[str, Any]) -> Task:
    game = about["game"]
    if game not in games.GAMES:
        raise SimsorryError(f"this version has no game {str(game)[:40]!r}; it has {', '.join(games.GAMES)}")
    players, seed = _whole(about["players"]), _whole(about["seed"], MAX_SEED)
    line_up = tuple(policies.of_weights(str(each["name"]), str(each["title"]), each["weights"], game) for each in about["policies"])
    gauge = Gauge.of(about["gauge"]) if about.get("gauge") is not None else None
    if gauge:
        _check_gauge(gauge)
    return Task(rulesets.settled(about["ruleset"], game), players, line_up, seed, gauge)


def _whole(number: Any, most: int = 1_000_000) -> int:
    """A whole number that is not negative; ValueError for anything else."""
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= most:
        raise ValueError("not a whole number in range")
    return number


def _check_gauge(gauge: Gauge) -> None:
    """ValueError for weights that do not fit into a record."""
    if len(gauge.weights) != 4 or not all(isinstance(weight, int) and abs(weight) < 1 << 31 for weight in (*gauge.weights, gauge.order)):
        raise ValueError("not the weights of a gauge")
