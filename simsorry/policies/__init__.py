"""The named policies, and how one is read: a TOML file of weights, built-in or a person's own.

A policy scores every outcome of a decision as the sum of weight times feature and takes the best; outcomes with the
same score are drawn for. All weights zero is ``random``: uniform over the distinct outcomes. A feature of what a game does
not have, such as a hand, is 0 in it. A file has a title, a description, what it ``extends`` (a built-in name, or a path seen
from that file) and a ``[weights]`` table.

``[weights]`` holds in every game; what it weighs that only another game has counts nothing. A table with the name of a game,
such as ``[sorreesi]``, stands in that game instead of the file's ``[weights]``, and both stand on what the file extends. A
file that says ``game`` is for that one alone.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simsorry import games
from simsorry.errors import SimsorryError
from simsorry.toml import Shelf, brief, closest, dotted, read, shorten

_SHELF = Shelf("policy", "policies", Path(__file__).parent)
FINEST = 1e-6  # games count weights in millionths: what is smaller would silently count for nothing
WEIGHTS = "weights"
_TEXTS = ("title", "description", "extends", "game")


@dataclass(frozen=True)
class Policy:
    """A way of playing."""

    name: str  # as a person wrote it
    title: str
    description: str
    weights: dict[str, float]  # by feature, only those that are not zero, in the features' order
    idle: tuple[str, ...] = ()  # features that it weighs, and that only other games have

    @property
    def hash(self) -> str:
        """12 hex digits that depend on the weights alone."""
        return hashlib.sha256(json.dumps(self.weights, sort_keys=True).encode()).hexdigest()[:12]


def names() -> list[str]:
    """The built-in policies, random first."""
    return sorted(_SHELF.names(), key=lambda name: (name != "random", name))


def load(spec: str, game: str = "classic") -> Policy:
    """Reads a built-in policy or a file (a spec with a slash or ending in .toml).

    Raises SimsorryError with one sentence that names the file, the key, the value and what is allowed.
    """
    files = _files(spec, game)
    named = _tables_of(files)
    if named and named.isdisjoint({WEIGHTS, game}):
        only = " and ".join(sorted(named))
        raise SimsorryError(f"{shorten(spec)}: it has weights for {only} only; to play {game} it needs a table [{WEIGHTS}] or [{game}]")
    weights: dict[str, float] = {}
    for _, tables in reversed(files):
        weights |= tables.get(game, tables.get(WEIGHTS, {}))
    known = _features(game)
    kept = {name: float(weights[name]) for name in known if weights.get(name)}
    idle = tuple(name for name, weight in weights.items() if weight and name not in known)
    first = files[0][1]
    return Policy(spec, first.get("title") or Path(spec).stem, first.get("description", ""), kept, idle)


def game_of(spec: str) -> str | None:
    """The game that a policy is for, if it or what it extends says so, or has weights for one alone. Raises SimsorryError."""
    files = _files(spec, None)
    named = _tables_of(files)
    alone = named.pop() if len(named) == 1 and WEIGHTS not in named else None
    return next((str(tables["game"]) for _, tables in files if "game" in tables), alone)


def _tables_of(files: Sequence[tuple[str, dict[str, Any]]]) -> set[str]:
    """The names of the tables of weights in some files."""
    return {key for _, tables in files for key in tables if key in (WEIGHTS, *games.GAMES)}


def line_up(specs: Sequence[str], players: int, game: str = "classic") -> tuple[Policy, ...]:
    """One policy per table seat from one spec for all or one for each. Raises SimsorryError."""
    if len(specs) not in (1, players):
        raise SimsorryError(f"{len(specs)} policies are named for {players} players; name one for all seats or {players}, one per seat")
    loaded = {spec: load(spec, game) for spec in specs}
    return tuple(loaded[spec] for spec in (specs if len(specs) > 1 else list(specs) * players))


# -- what a file may say -----------------------------------------------------------------------------


def _files(spec: str, game: str | None) -> list[tuple[str, dict[str, Any]]]:
    """The tables of a policy's file and of those that it extends, each with its name for messages."""
    return list(_SHELF.chain(spec, lambda path, shown: _parse(path, shown, game), lambda tables: tables.get("extends")))


def _parse(path: Path, shown: str, game: str | None) -> dict[str, Any]:
    """One file's tables, for a game or for any. Raises SimsorryError for the first thing in it that can't stand there."""
    tables, where = read(path, shown), shorten(shown)
    if not tables:
        raise SimsorryError(f"{where}: the file is empty; a policy has at least a table [{WEIGHTS}]")
    for key, value in tables.items():
        if key in _TEXTS and not isinstance(value, str):
            raise SimsorryError(f"{where}: {key} = {brief(value)} is not allowed; allowed is a text in quotes")
        if key not in (*_TEXTS, WEIGHTS, *games.GAMES):
            raise SimsorryError(f"{where}: {shorten(dotted([key]))} = {brief(value)}: there is no such key{_key_hint(key)}")
    if "game" in tables and tables["game"] not in ([game] if game else games.GAMES):
        needed = f"here a policy for the game {game} is needed" if game else f"the games are {', '.join(games.GAMES)}"
        raise SimsorryError(f"{where}: game = {brief(tables['game'])} is not allowed; {needed}")
    for key in (WEIGHTS, *games.GAMES):
        if key in tables:
            _check_weights(tables[key], where, key)
    return tables


def _key_hint(key: str) -> str:
    """What a person who wrote an unknown key may have meant."""
    if any(key in _features(game) for game in games.GAMES):
        return f"; weights stand below the line [{WEIGHTS}]"
    keys = (*_TEXTS, WEIGHTS, *games.GAMES)
    return closest(key, keys) or f"; the keys are {', '.join(keys)}"


def _check_weights(weights: Any, where: str, table: str) -> None:
    """A table of weights: of the features of the game that it is named by, or those of all games."""
    if not isinstance(weights, dict):
        raise SimsorryError(f"{where}: {table} = {brief(weights)} is not allowed; allowed is a table, [{table}], of features and numbers")
    played = [table] if table in games.GAMES else list(games.GAMES)
    known = {feature for game in played for feature in _features(game)}
    most = min(games.load(game).MAX_WEIGHT for game in played)
    for name, value in weights.items():
        given = f"{shorten(dotted([table, name]))} = {brief(value)}"
        if name not in known:
            raise SimsorryError(f"{where}: {given}: there is no such feature{_feature_hint(name, played)}")
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not (value == 0 or FINEST <= abs(value) <= most):
            allowed = f"a number from -{most} to {most}, no nearer to 0 than {FINEST:f} unless it is 0"
            raise SimsorryError(f"{where}: {given} is not allowed; allowed is {allowed}")


def _feature_hint(name: str, played: Sequence[str]) -> str:
    """What a person who wrote an unknown feature may have meant; in a game's own table, where else it can stand."""
    if elsewhere := [game for game in games.GAMES if name in _features(game)]:
        return f" in {played[0]}, only in {' and '.join(elsewhere)}"
    near = closest(name, dict.fromkeys(feature for game in played for feature in _features(game)))
    return near or "; `simsorry policies features` lists them" + (f" (with --game {played[0]})" if len(played) == 1 else "")


def _features(game: str) -> list[str]:
    return [feature.name for feature in games.load(game).FEATURES]
