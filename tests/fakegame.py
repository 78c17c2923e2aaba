"""A game that is over in no time, to test what plays and stores games without compiling one.

Every number of a game is a hash of seed and game number, so rows are right only if the right game was played.
``DELAY`` seconds are slept per game (without the lock, as compiled code would run), ``BROKEN`` is a game that fails.
"""

import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from simsorry.errors import SimsorryError
from simsorry.games.classic.columns import GAME_COLUMNS, SEAT_COLUMNS

NAME = "fake"
VERSION = 1
COLORS = ("red", "blue", "yellow", "green")
GAME = {column.name: row for row, column in enumerate(GAME_COLUMNS)}
SEAT = {column.name: row for row, column in enumerate(SEAT_COLUMNS)}
DELAY = float(os.environ.get("FAKE_DELAY", "0"))
BROKEN = -1


@dataclass(frozen=True)
class Ruleset:
    name: str = "fake"
    title: str = "The fake game"
    source: str = "made up"
    readings: tuple[str, ...] = ()
    game: str = "fake"
    rules: Any = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)
    hash: str = "0123456789ab"

    def resolved(self) -> dict[str, Any]:
        return {"turn_cap": 900}


@dataclass(frozen=True)
class Policy:
    name: str = "random"
    title: str = "Random"
    weights: dict[str, float] = field(default_factory=dict)


def seat_colors(rules: Any, players: int) -> tuple[str, ...]:
    if not 2 <= players <= 4:
        raise SimsorryError(f"players = {players}: the fake game is for 2 to 4")
    return tuple(rules) or COLORS[:players]


def entry_point(rules: Any, deep: bool = False) -> str:
    """The name of the function that would be compiled."""
    return "play_block"


def compile_rules(rules: Any, players: int) -> np.ndarray:
    return np.array([players])


def compile_line_up(policies: Any) -> np.ndarray:
    return np.zeros(len(policies))


def new_scratch() -> np.ndarray:
    return np.zeros(1)


def _hash(words: np.ndarray) -> np.ndarray:
    words = (words + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def play_block(
    tables: Any, line_up: Any, scratch: Any, seed: Any, first_game: Any, games: np.ndarray, seats: np.ndarray, audits: np.ndarray
) -> int:
    count, players = games.shape[1], int(tables[0])
    assert isinstance(seed, np.uint64)
    assert isinstance(first_game, np.uint64)
    if count and "FAKE_PLAYING" in os.environ:
        Path(os.environ["FAKE_PLAYING"]).touch()  # tells a test that waits for it
    time.sleep(DELAY * count)
    numbers = first_game + np.arange(count, dtype=np.uint64)
    if BROKEN in numbers:
        return 3
    word = _hash(numbers * np.uint64(1_000_003) + seed)
    for row in range(len(GAME_COLUMNS)):
        games[row] = (_hash(word + np.uint64(row)) % np.uint64(50)).astype(np.int32)
    for row in range(len(SEAT_COLUMNS)):
        seats[row] = (_hash(np.repeat(word, players) + np.uint64(100 + row)) % np.uint64(9)).astype(np.int32)
    turns = (word % np.uint64(841) + np.uint64(60)).astype(np.int32)  # 60 to 900
    capped = turns >= 898
    first_seat = (word >> np.uint64(20)).astype(np.int64) % players
    winner = np.where(capped, 255, (word >> np.uint64(40)).astype(np.int64) % players)
    table_seat = (first_seat[:, None] + np.arange(players)) % players
    games[GAME["turns"]] = games[GAME["turns_all"]] = turns
    games[GAME["capped"]] = capped
    games[GAME["first_seat"]] = first_seat
    games[GAME["winner"]] = winner
    games[GAME["winner_color"]] = np.where(capped, 255, (first_seat + winner) % players)
    games[GAME["dead_turns"]] = turns // 3
    games[GAME["digest"]] = word.astype(np.uint32).view(np.int32)
    seats[SEAT["table_seat"]] = seats[SEAT["color"]] = table_seat.ravel()
    seats[SEAT["won"]] = (winner[:, None] == np.arange(players)).ravel()
    seats[SEAT["turns"]] = np.repeat(turns // players, players)
    seats[SEAT["first_start"]] = seats[SEAT["first_start"]] - 1
    return 0


class Rules(BaseModel):
    """Options of which those of a task are none."""

    model_config = ConfigDict(extra="forbid")


class _Module:
    """This module, looked up at each use so that tests can change it."""

    def __getattr__(self, name: str) -> Any:
        return globals()[name]


def patch(monkeypatch: Any = None) -> None:
    """Makes the fake game known; for good if there is no monkeypatch."""
    import simsorry.games

    real_load = getattr(simsorry.games, "load", None)

    def load(name: str) -> Any:
        return _Module() if name == NAME else real_load(name)

    if monkeypatch:
        monkeypatch.setattr(simsorry.games, "load", load, raising=False)
    else:
        simsorry.games.load = load


def task(players: int = 4, seed: int = 1, **ruleset: Any) -> Any:
    """A task of the fake game."""
    from simsorry.simulate import Task

    return Task(Ruleset(**ruleset), players, (Policy(),) * players, seed)


def patch_files(monkeypatch: Any = None) -> None:
    """Lets ``rulesets.load`` and ``policies.load`` know the fake ruleset and a few names."""
    import simsorry.policies
    import simsorry.rulesets

    def load_ruleset(spec: str, sets: Any = ()) -> Ruleset:
        colors = [text.split("=", 1)[1] for text in sets if text.startswith("seat_colors=")]
        chosen = tuple(json.loads(colors[-1])) if colors else ()
        return Ruleset(name=spec, rules=chosen, hash="0123456789ab" if not chosen else "".join(chosen)[:12])

    def load_policy(name: str, game: str) -> Policy:
        if name not in ("random", "runner", "hunter"):
            raise SimsorryError(f"there is no policy {name}")
        return Policy(name, name.title(), {} if name == "random" else {name: 1.0})

    put = monkeypatch.setattr if monkeypatch else setattr
    put(simsorry.rulesets, "load", load_ruleset)
    put(simsorry.policies, "load", load_policy, **({"raising": False} if monkeypatch else {}))
