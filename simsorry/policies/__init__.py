"""The named policies, and how one is read: a TOML file of weights, built-in or a person's own.

A policy scores every outcome of a decision as the sum of weight times feature and takes the best; outcomes with the
same score are drawn for. All weights zero is ``random``: uniform over the distinct outcomes. A feature of what a game does
not have, such as a hand, is 0 in it. A file has a title, a description, what it ``extends`` (a built-in name, or a path seen
from that file) and a ``[weights]`` table.

``[weights]`` holds in every game; what it weighs that only another game has counts nothing. A table with the name of a game,
such as ``[sorreesi]``, stands in that game instead of the file's ``[weights]``, and both stand on what the file extends. A
file that says ``game`` is for that one alone.

A policy may be careless: with ``mistakes = 0.1`` it leaves that share of its decisions to chance, and with ``random_from = 0.5`` all of
them once the pawns of its side have come that share of their way at the beginning of a turn of its own, for the rest of the round.

A policy may look ahead: with ``playouts = 100`` it plays on from the ``breadth`` outcomes that its weights like best (6, 0 for all), a
hundred times each on average, all turns taken by its weights, and takes the one that is best for it in the end. With ``horizon = 1`` a
play-out stops a round after its own turn, and the weights judge the position there: a score that is higher by ``spread`` (0.4) of what it
counts that all pawns come from START HOME multiplies the odds to win by e.

All these *habits* stand above the tables, or behind a name: ``balanced~mistakes=0.1``, ``balanced~playouts=100~horizon=1``.

A policy may also be a function of one's own in Python, ``./mine.py:choose`` (``asking``).
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simsorry import games
from simsorry.errors import SimsorryError
from simsorry.games.weights import (
    ASKS,
    BREADTH,
    DEFAULT_BREADTH,
    DEFAULT_SPREAD,
    HABITS,
    HORIZON,
    LAPSES,
    LOOKS,
    MISTAKES,
    PLAYOUTS,
    RANDOM_FROM,
    SPREAD,
)
from simsorry.policies import functions
from simsorry.toml import Shelf, brief, check_readable, closest, dotted, parse_value, read, shorten

_SHELF = Shelf("policy", "policies", Path(__file__).parent)
FINEST = 1e-6  # games count weights in millionths: what is smaller would silently count for nothing
WEIGHTS = "weights"
_TEXTS = ("title", "description", "extends", "game")
_KEYS = (*_TEXTS, *HABITS, WEIGHTS, *games.GAMES)
MOST_LOOKED = 64  # outcomes, as in ``games.lookahead``
_WHOLE = {PLAYOUTS: (1, 10_000), HORIZON: (0, 1_000), BREADTH: (0, MOST_LOOKED)}  # habits that are whole numbers, and between what
_SPREADS = (0.001, 1_000.0)


@dataclass(frozen=True)
class Policy:
    """A way of playing."""

    name: str  # as a person wrote it
    title: str
    description: str
    weights: dict[str, float]  # by feature, only those that are not zero, in the features' order; then its habits, if it has any
    idle: tuple[str, ...] = ()  # features that it weighs, and that only other games have
    function: functions.Function | None = None  # which chooses in place of weights

    @property
    def hash(self) -> str:
        """12 hex digits that depend on the weights alone, and on its habits."""
        return hashlib.sha256(json.dumps(self.weights, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def features(self) -> dict[str, float]:
        """The weights of features."""
        return {name: weight for name, weight in self.weights.items() if name not in (*HABITS, ASKS)}

    @property
    def habits(self) -> dict[str, float]:
        """How it is careless or looks ahead, as far as it does."""
        return {name: number for name, number in self.weights.items() if name in HABITS}

    @property
    def lapses(self) -> dict[str, float]:
        """How it is careless: ``mistakes`` and ``random_from``, as far as it is."""
        return {name: share for name, share in self.weights.items() if name in LAPSES}


def names() -> list[str]:
    """The built-in policies, random first."""
    return sorted(_SHELF.names(), key=lambda name: (name != "random", name))


def load(spec: str, game: str = "classic") -> Policy:
    """Reads a built-in policy or a file (a spec with a slash or ending in .toml), with ``~mistakes=SHARE`` or the like behind it.

    A spec ``FILE.py:NAME`` is a function. Raises SimsorryError with one sentence that names the file, the key, the value and what is
    allowed.
    """
    check_readable("policy", spec)
    if functions.is_named(spec):
        function = functions.load(spec)
        return Policy(spec, function.title, function.description, {ASKS: function.number}, function=function)
    named_by, written = _without_habits(spec)
    files = _files(named_by, game)
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
    title = ", ".join([first.get("title") or Path(named_by).stem, *(f"{name} = {share:g}" for name, share in written.items())])
    return Policy(spec, title, first.get("description", ""), kept | _habits_of(files, written, bool(kept)), idle)


def of_weights(name: str, title: str, weights: Mapping[str, Any], game: str) -> Policy:
    """The policy that a task describes, from its weights and habits alone, whatever files are there now; raises SimsorryError."""
    where = shorten(name)
    if ASKS in weights:
        raise SimsorryError(f"{where} is a function in Python, which is not stored with the games")
    features = {key: value for key, value in weights.items() if key not in HABITS}
    _check_weights(features, where, game)
    habits = {key: _habit(key, _plain(key, weights[key]), f"{where}: {key} = {brief(weights[key])}") for key in HABITS if key in weights}
    return Policy(name, title, "", {key: float(value) for key, value in features.items() if value} | habits)


def _plain(key: str, value: Any) -> Any:
    """A habit's number as a file would say it."""
    return int(value) if key in _WHOLE and isinstance(value, float) and value.is_integer() else value


def distinct(specs: Sequence[str], game: str) -> tuple[Policy, ...]:
    """Policies in their order, without who would play like one before in this game. Raises SimsorryError."""
    found: dict[str, Policy] = {}
    for spec in specs:
        policy = load(spec, game)
        found.setdefault(policy.hash, policy)
    return tuple(found.values())


def restricted(name: str, policy: Policy, game: str = "classic") -> Policy:
    """A policy that weighs what it does, but for what the file of another, without what that one extends, says otherwise."""
    tables = _files(name, game)[0][1]
    weights = policy.features | tables.get(game, tables.get(WEIGHTS, {}))
    kept = {feature: float(weights[feature]) for feature in _features(game) if weights.get(feature)}
    return Policy(name, tables.get("title", name), tables.get("description", ""), kept | policy.habits)


def _without_habits(spec: str) -> tuple[str, dict[str, float]]:
    """What stands before ``~mistakes=SHARE`` and the like in a spec, and these; raises SimsorryError."""
    found: dict[str, float] = {}
    rest, tilde, last = spec.rpartition("~")
    while tilde and "=" in last and "/" not in last and not last.endswith(".toml"):
        key, _, value = last.partition("=")
        where = f"{shorten(spec)}: {shorten(key)} = {shorten(value, 80)}"
        if key not in HABITS:
            hint = closest(key, HABITS) or f"; behind ~ stands {', '.join(HABITS[:-1])} or {HABITS[-1]}"
            raise SimsorryError(f"{where}: there is no such key{hint}")
        if key in found:
            raise SimsorryError(f"{where}: {key} is given twice")
        found = {key: _habit(key, parse_value(value), where), **found}
        spec, (rest, tilde, last) = rest, rest.rpartition("~")
    return spec, found


def _habit(name: str, value: Any, where: str) -> float:
    """The number of a habit; raises SimsorryError."""
    low, high = _WHOLE.get(name, _SPREADS if name == SPREAD else (0, 1))
    whole = name in _WHOLE
    fits = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
    if not fits or not low <= value <= high:
        raise SimsorryError(f"{where} is not allowed; allowed is a {'whole ' if whole else ''}number from {low:g} to {high:g}")
    return float(value)


def _habits_of(files: Sequence[tuple[str, dict[str, Any]]], written: dict[str, float], weighs: bool) -> dict[str, float]:
    """A policy's habits, the same if it plays the same: what is written behind its name goes before what its files say.

    Who weighs nothing leaves everything to chance anyhow, unless it looks ahead.
    """
    habits = {name: float(tables[name]) for _, tables in reversed(files) for name in HABITS if name in tables} | written
    looks = _looks_of(habits, weighs) if PLAYOUTS in habits else {}
    if not weighs:  # that it leaves decisions to chance at times says nothing of who does so anyhow, or has no weights to be careful by
        return looks
    if habits.get(MISTAKES) == 1 or habits.get(RANDOM_FROM) == 0:
        return {MISTAKES: 1.0}
    return {name: habits[name] for name in LAPSES if name in habits and (name, habits[name]) != (MISTAKES, 0)} | looks


def _looks_of(habits: dict[str, float], weighs: bool) -> dict[str, float]:
    """How a policy looks ahead, without what it does anyhow; who weighs nothing likes no outcome best, and no position."""
    if not weighs:
        return {name: habits[name] for name in (PLAYOUTS, HORIZON) if name in habits}
    if habits.get(BREADTH) == MOST_LOOKED:
        habits = habits | {BREADTH: 0.0}
    usual = {BREADTH: DEFAULT_BREADTH, SPREAD: DEFAULT_SPREAD}
    return {name: habits[name] for name in LOOKS if name in habits and habits[name] != usual.get(name)}


def game_of(spec: str) -> str | None:
    """The game that a policy is for, if it or what it extends says so, or has weights for one alone. Raises SimsorryError."""
    if functions.is_named(spec):
        return None
    files = _files(_without_habits(spec)[0], None)
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
        if key in HABITS:
            _habit(key, value, f"{where}: {key} = {brief(value)}")
        if key not in _KEYS:
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
    return closest(key, _KEYS) or f"; the keys are {', '.join(_KEYS)}"


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
