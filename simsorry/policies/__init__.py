"""The named policies, and how one is read: a TOML file of weights, built-in or a person's own.

A policy scores every outcome of a decision as the sum of weight times feature and takes the best; outcomes with the
same score are drawn for. All weights zero is ``random``: uniform over the distinct outcomes. A file has a title, a
description, what it ``extends`` (a built-in name, or a path seen from that file) and a ``[weights]`` table.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simsorry import games
from simsorry.errors import SimsorryError
from simsorry.toml import brief, closest, read, shorten

FOLDER = Path(__file__).parent
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
    return sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda name: (name != "random", name))


def load(spec: str, game: str = "classic") -> Policy:
    """Reads a built-in policy or a file (a spec with a slash or ending in .toml). Raises SimsorryError."""
    shown, path = _find(spec, Path(), "")
    title, description, weights = _read_chain(shown, path, game, [])
    order = [feature.name for feature in games.load(game).FEATURES]
    kept = {name: weights[name] for name in order if weights.get(name)}
    return Policy(spec, title or Path(spec).stem, description, kept)


def line_up(specs: Sequence[str], players: int, game: str = "classic") -> tuple[Policy, ...]:
    """One policy per table seat from one spec for all or one for each. Raises SimsorryError."""
    if len(specs) not in (1, players):
        raise SimsorryError(f"{len(specs)} policies are named for {players} players; name one for all seats or {players}, one per seat")
    loaded = {spec: load(spec, game) for spec in specs}
    return tuple(loaded[spec] for spec in (specs if len(specs) > 1 else list(specs) * players))


def _find(spec: str, folder: Path, reader: str) -> tuple[str, Path]:
    """Name for messages, and path."""
    if "/" in spec or spec.endswith(".toml"):
        return spec, folder / spec
    if spec in names():
        return f"{spec}.toml", FOLDER / f"{spec}.toml"
    where = f"{shorten(reader)}: extends = {brief(spec)}: " if reader else ""
    hint = closest(spec, names()) or f"; the policies are {', '.join(names())}"
    raise SimsorryError(f"{where}no policy is called {brief(spec)}{hint}")


def _read_chain(shown: str, path: Path, game: str, chain: list[Path]) -> tuple[str, str, dict[str, float]]:
    """Title, description and weights of a file laid over what it extends."""
    real = path.resolve()
    if real in chain:
        raise SimsorryError(f"{shorten(shown)}: extends goes round in a circle")
    tables = read(path, shown)
    _check_keys(tables, shown, game)
    weights: dict[str, float] = {}
    if "extends" in tables:
        base_shown, base = _find(tables["extends"], path.parent, shown)
        weights = _read_chain(base_shown, base, game, [*chain, real])[2]
    weights |= _weights(tables.get("weights", {}), shown, game)
    return tables.get("title", ""), tables.get("description", ""), weights


def _check_keys(tables: dict[str, Any], shown: str, game: str) -> None:
    if not tables:
        raise SimsorryError(f"{shorten(shown)}: the file is empty; a policy has at least a table [weights]")
    for key, value in tables.items():
        if key not in _KEYS:
            raise SimsorryError(f"{shorten(shown)}: {shorten(key)} is not a key of a policy{closest(key, _KEYS)}; the keys are {', '.join(_KEYS)}")
        if key != "weights" and not isinstance(value, str):
            raise SimsorryError(f"{shorten(shown)}: {key} = {brief(value)} must be a text")
    if tables.get("game", game) != game:
        raise SimsorryError(f"{shorten(shown)}: this policy is for the game {brief(tables['game'])}, not {game}")


def _weights(table: Any, shown: str, game: str) -> dict[str, float]:
    """The weights of one file, checked."""
    if not isinstance(table, dict):
        raise SimsorryError(f"{shorten(shown)}: weights = {brief(table)} must be a table of numbers")
    module = games.load(game)
    known = [feature.name for feature in module.FEATURES]
    for name, value in table.items():
        if name not in known:
            hint = closest(name, known) or "; `simsorry policies features` lists them"
            raise SimsorryError(f"{shorten(shown)}: weights.{shorten(name)} is not a feature of the {game} game{hint}")
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or abs(value) > module.MAX_WEIGHT:
            raise SimsorryError(
                f"{shorten(shown)}: weights.{name} = {brief(value)} must be a number from -{module.MAX_WEIGHT} to {module.MAX_WEIGHT}"
            )
    return {name: float(value) for name, value in table.items()}
