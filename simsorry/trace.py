"""Games followed from round end to round end: where everybody stood. Nothing of it is kept in a run unless it is asked for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simsorry.games import audited
from simsorry.gauge import NOTHING
from simsorry.simulate import Player, Task, compiled_policies

COLUMNS = {
    "game": "game number",
    "round": "rounds over",
    "seat": "play-order seat; in team play the first seat of the team, whose numbers are those of both partners",
    "squares": "squares to go",
    "home": "pawns HOME",
    "start": "pawns on START, or in the base",
    "safe": "pawns in the safety zone, or on the private path",
    "won": "1 for who wins the game in the end",
}

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Course:
    """The round ends of one game: arrays of round ends x sides; sides in the order of their play-order seats."""

    game: int
    rounds: Ints  # rounds over at each
    seats: Ints  # play-order seat of each side
    squares: Ints
    home: Ints
    start: Ints
    safe: Ints
    winner: int | None  # which side, None if the game was cut off
    way: int  # squares that a side has to go in all


def follow(task: Task, games: Iterable[int]) -> Iterator[Course]:
    """Plays games one by one and says where everybody stood at their round ends; of a match those of its last round."""
    module, players = task.game, task.players
    tables = module.compile_rules(task.ruleset.rules, players)
    (task.gauge or NOTHING).fill(tables[0])  # with a gauge pawns are noted, too
    player = Player(task, tables, compiled_policies(task))
    names = [column.name for column in module.GAME_COLUMNS]
    rows = np.zeros((len(names), 1), np.int32), np.zeros((len(module.SEAT_COLUMNS), players), np.int32)
    audits = np.zeros((1, audited.SIZE), np.int64)
    way = int(tables[0]["full_way"]) * (2 if task.traits.teams else 1)
    for game in games:
        player.play(game, *rows, audits)
        winner, first = (int(rows[0][names.index(name), 0]) for name in ("winner", "first_seat"))
        yield _course(player.scratch[0], task, game, first, (winner + first) % players if winner < players else None, way)


def _course(record: Any, task: Task, game: int, first: int, winner: int | None, way: int) -> Course:
    notes, every = int(record["notes"]), int(record["note_every"])
    order = sorted(task.sides, key=lambda pair: min((seat - first) % task.players for seat in pair))
    sides = [min(pair) for pair in order]
    squares = record["noted"][: 4 * notes].reshape(notes, 4)[:, sides].astype(np.int64)
    pawns = record["noted_pawns"][: 4 * notes].reshape(notes, 4)[:, sides].astype(np.int64)
    return Course(
        game,
        np.arange(1, notes + 1) * every,
        np.array([min((seat - first) % task.players for seat in pair) for pair in order]),
        squares,
        pawns & 255,
        pawns >> 8 & 255,
        pawns >> 16,
        next((number for number, pair in enumerate(order) if winner in pair), None),
        way,
    )


def table(task: Task, games: Iterable[int]) -> dict[str, Ints]:
    """The courses of some games as columns, a row for each game, round end and side."""
    courses = list(follow(task, games))
    found: dict[str, list[Ints]] = {name: [] for name in COLUMNS}
    for course in courses:
        shape = course.squares.shape
        won = np.arange(shape[1]) == (-1 if course.winner is None else course.winner)
        columns = {
            "game": np.full(shape, course.game),
            "round": np.broadcast_to(course.rounds[:, None], shape),
            "seat": np.broadcast_to(course.seats, shape),
            "squares": course.squares,
            "home": course.home,
            "start": course.start,
            "safe": course.safe,
            "won": np.broadcast_to(won.astype(np.int64), shape),
        }
        for name, values in columns.items():
            found[name].append(values.ravel())
    return {name: np.concatenate(values) if values else np.zeros(0, np.int64) for name, values in found.items()}
