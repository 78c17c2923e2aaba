"""The named policies, and how one is read: a TOML file of weights, built-in or a person's own.

A policy scores every outcome of a decision as the sum of weight times feature and takes the best; outcomes with the
same score are drawn for. All weights zero is ``random``: uniform over the distinct outcomes. A feature of what a game does
not have, such as a hand, is 0 in it. A file has a title, a description, what it ``extends`` (a built-in name, or a path seen
from that file) and a ``[weights]`` table.
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
_KEYS = ("title", "description", "extends", "game", "weights")


@dataclass(frozen=True)
class Policy:
    """A way of playing."""

    name: str  # as a person wrote it
    title: str
    description: str
    weights: dict[str, float]  # by feature, only those that are not zero, in the features' order

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
    files = list(_SHELF.chain(spec, lambda path, shown: _parse(path, shown, game), lambda tables: tables.get("extends")))
    weights: dict[str, float] = {}
    for _, tables in reversed(files):
        weights |= tables.get("weights", {})
    order = [feature.name for feature in games.load(game).FEATURES]
    kept = {name: float(weights[name]) for name in order if weights.get(name)}
    first = files[0][1]
    return Policy(spec, first.get("title") or Path(spec).stem, first.get("description", ""), kept)


def line_up(specs: Sequence[str], players: int, game: str = "classic") -> tuple[Policy, ...]:
    """One policy per table seat from one spec for all or one for each. Raises SimsorryError."""
    if len(specs) not in (1, players):
        raise SimsorryError(f"{len(specs)} policies are named for {players} players; name one for all seats or {players}, one per seat")
    loaded = {spec: load(spec, game) for spec in specs}
    return tuple(loaded[spec] for spec in (specs if len(specs) > 1 else list(specs) * players))


# -- what a file may say -----------------------------------------------------------------------------


def _parse(path: Path, shown: str, game: str) -> dict[str, Any]:
    """One file's tables. Raises SimsorryError for the first thing in it that can't stand there."""
    tables, where = read(path, shown), shorten(shown)
    if not tables:
        raise SimsorryError(f"{where}: the file is empty; a policy has at least a table [weights]")
    for key, value in tables.items():
        if key not in _KEYS:
            hint = "; weights stand below the line [weights]" if key in _features(game) else closest(key, _KEYS)
            hint = hint or f"; the keys are {', '.join(_KEYS)}"
            raise SimsorryError(f"{where}: {shorten(dotted([key]))} = {brief(value)}: there is no such key{hint}")
        if key != "weights" and not isinstance(value, str):
            raise SimsorryError(f"{where}: {key} = {brief(value)} is not allowed; allowed is a text in quotes")
    if tables.get("game", game) != game:
        raise SimsorryError(f"{where}: game = {brief(tables['game'])} is not allowed; here a policy for the game {game} is needed")
    _check_weights(tables.get("weights", {}), where, game)
    return tables


def _check_weights(weights: Any, where: str, game: str) -> None:
    if not isinstance(weights, dict):
        raise SimsorryError(f"{where}: weights = {brief(weights)} is not allowed; allowed is a table, [weights], of features and numbers")
    most = games.load(game).MAX_WEIGHT
    for name, value in weights.items():
        given = f"{shorten(dotted(['weights', name]))} = {brief(value)}"
        if name not in _features(game):
            hint = closest(name, _features(game)) or "; `simsorry policies features` lists them"
            raise SimsorryError(f"{where}: {given}: there is no such feature{hint}")
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not (value == 0 or FINEST <= abs(value) <= most):
            allowed = f"a number from -{most} to {most}, no nearer to 0 than {FINEST:f} unless it is 0"
            raise SimsorryError(f"{where}: {given} is not allowed; allowed is {allowed}")


def _features(game: str) -> list[str]:
    return [feature.name for feature in games.load(game).FEATURES]
