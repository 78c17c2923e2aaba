"""The named rulesets, and how one is read: built-in or a person's own file, with house rules laid on top.

A ruleset is a TOML file beside this module, or anywhere: a title, the source it follows, what it ``extends``, and a
``[rules]`` table of the options that differ. Tables merge, lists and single values replace. ``hasbro`` names a
built-in, ``./mine.toml`` a file; ``hasbro+slides=off`` and ``--set slides=off`` lay house rules on top. The game whose
options it settles is named by ``game``, there or in a file that it extends.
"""

import copy
import hashlib
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deepmerge import Merger
from pydantic import BaseModel, TypeAdapter, ValidationError

from simsorry import games
from simsorry.errors import SimsorryError
from simsorry.rulesets import schema
from simsorry.rulesets.schema import Option, RulesetFile, options
from simsorry.toml import Shelf, brief, check_readable, dotted, parse_key, parse_value, read, shorten

__all__ = ["Option", "Ruleset", "load", "names", "options", "settled", "titles"]

FOLDER = Path(__file__).parent
MAX_HOUSE_RULE = 1000  # characters
SET = "--set"  # the origin of what did not come from a file
UNNAMED_GAME = "classic"  # that of a file that names none
_HOUSE_RULE = re.compile(r"""\s*[A-Za-z_][\w.\- "']*=""")
_OPTION_NAMED = re.compile(r"`(\w+)")
_FLIPPED = re.compile(r"`(\w[^`]*=[^`]*)`")
_MERGER = Merger([(dict, ["merge"])], ["override"], ["override"])


def _advice(spec: str) -> str:
    return "; after a plus comes option=value, such as hasbro+slides=off" if "+" in spec else ""


_SHELF = Shelf("ruleset", "rulesets", FOLDER, _advice)


@dataclass(frozen=True)
class Ruleset:
    """The rules of a game as a person named them, every option settled."""

    name: str  # as written: hasbro+slides=off
    title: str
    source: str
    readings: tuple[str, ...]
    game: str
    rules: Any  # the game's Rules
    origin: dict[str, str]  # option -> the file that set it, or --set; what no file sets is missing

    @property
    def hash(self) -> str:
        """12 hex digits that depend on the rules alone, not on titles, comments, order or spelling."""
        canonical = json.dumps({"game": self.game, "rules": self.changes()}, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]

    def changes(self) -> dict[str, Any]:
        """The options that differ from the game's defaults."""
        defaults = _flat(type(self.rules)())
        return {option: value for option, value in _flat(self.rules).items() if value != defaults.get(option)}

    def resolved(self) -> dict[str, Any]:
        """Every option with its plain value, as TOML would hold it."""
        plain: dict[str, Any] = self.rules.model_dump(mode="json", by_alias=True)
        return plain

    def differences(self, other: "Ruleset") -> list[tuple[str, Any, Any]]:
        """The options that differ, with both values; None where one side has no such entry. Raises SimsorryError across games."""
        if self.game != other.game:
            raise SimsorryError(
                f"{self.name} is a ruleset of the {self.game} game and {other.name} one of the {other.game} game: "
                "only rulesets of the same game can be compared option by option"
            )
        here, there = _flat(self.rules), _flat(other.rules)
        every = list(dict.fromkeys([*here, *there]))
        return [(option, here.get(option), there.get(option)) for option in every if here.get(option) != there.get(option)]


@dataclass(frozen=True)
class _Layer:
    """One file's or one house rule's share of the rules."""

    where: str  # how a message names it
    origin: str
    prefix: tuple[str, ...]  # the table its options stand in
    rules: dict[str, Any]


def names(game: str | None = None) -> list[str]:
    """The built-in rulesets, of one game or of all: game by game, printed ones before house rules."""
    return list(titles(game))


def titles(game: str | None = None) -> dict[str, str]:
    """Likewise with their titles, without checking their rules."""
    files = _built_in()
    played = {name: _built_in_game(name, files) for name in files}
    order = {known: number for number, known in enumerate(games.GAMES)}
    chosen = [name for name in files if game in (None, played[name])]
    chosen.sort(key=lambda name: (order.get(played[name], len(order)), name.startswith("house-"), name))
    return {name: str(files[name]["title"]) for name in chosen}


def _built_in() -> dict[str, dict[str, Any]]:
    """The tables of every built-in file."""
    return {name: read(path, shown) for name in _SHELF.names() for shown, path in [_SHELF.path_of(name)]}


def _built_in_game(name: str, files: dict[str, dict[str, Any]]) -> str:
    """The game of a built-in ruleset: built-in ones extend only built-in ones."""
    tables = files[name]
    base = tables.get("extends")
    return str(tables.get("game") or (_built_in_game(base, files) if base else UNNAMED_GAME))


def _printed(game: str) -> str | None:
    """The built-in ruleset of a game that has every option at its default, if there is one."""
    files = _built_in()
    plain = (name for name in sorted(files) if not files[name].get("extends") and not files[name].get("rules"))
    return next((name for name in plain if _built_in_game(name, files) == game), None)


def load(spec: str, sets: Sequence[str] = ()) -> Ruleset:
    """Reads a built-in ruleset or a file, lays ``+option=value`` parts and then ``sets`` on top, and checks everything.

    Raises SimsorryError with one sentence that names the place, the key, the value and what is allowed.
    """
    base, house_rules = _split(spec)
    try:
        found = _assemble(base, [(spec, text) for text in house_rules] + [(SET, text) for text in sets])
    except RecursionError as error:
        raise SimsorryError(f"{shorten(spec)}: its tables are nested too deeply") from error
    check_readable("ruleset", found.name)
    return found


def settled(described: Mapping[str, Any], game: str) -> Ruleset:
    """The ruleset that a task describes, from its settled options alone, whatever files are there now.

    Options that the description does not name are at their defaults: rulesets had them not when it was written. Raises SimsorryError for
    what is no option any more.
    """
    name, rules, texts = described["name"], described["rules"], ("name", "title", "source", "hash")
    if not isinstance(rules, dict) or not all(isinstance(described[text], str) for text in texts):
        raise SimsorryError("its ruleset is not described as simsorry describes one")
    layer = _Layer(shorten(name), SET, ("rules",), rules)
    merged, _ = _merge([layer], game, name)
    readings = tuple(map(str, described["readings"]))
    return Ruleset(name, described["title"], described["source"], readings, game, merged, {})


def _split(spec: str) -> tuple[str, list[str]]:
    """``hasbro+slides=off+pawns=3`` as its base and house rules; a plus inside a value stays where no option follows it, or in quotes."""
    pieces: list[str] = []
    begin, quote = 0, ""
    for place, char in enumerate(spec):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and pieces:
            quote = char
        elif char == "+" and _HOUSE_RULE.match(spec, place + 1):
            pieces.append(spec[begin:place])
            begin = place + 1
    pieces.append(spec[begin:])
    return pieces[0], pieces[1:]


def _assemble(base: str, house_rules: list[tuple[str, str]]) -> Ruleset:
    files = list(_SHELF.chain(base, _parse, lambda file: file.extends))
    game = _game_of(files)
    settings = [_house_rule(where, text, game) for where, text in house_rules]
    layers = [_Layer(shorten(shown), shown, ("rules",), file.rules) for shown, file in reversed(files)]
    layers += [_Layer(shorten(where), SET, (), _nested(*setting)) for (where, _), setting in zip(house_rules, settings, strict=True)]
    name = "+".join([base, *(text for _, text in house_rules)])
    rules, origin = _merge(layers, game, name)
    title = files[0][1].title or Path(files[0][0]).stem
    changes = " and ".join(shorten(text) for _, text in house_rules)
    readings = _readings(files, {path[0] for path, _ in settings})
    if len(files) + len(settings) > 1:  # a file that stands alone knows what it says
        readings = tuple(reading for reading in readings if _means_something(reading, rules, game))
    return Ruleset(
        name=name,
        title=f"{title}, with {changes}" if changes else title,
        source=next((file.source for _, file in files if file.source is not None), ""),
        readings=readings,
        game=game,
        rules=rules,
        origin=origin,
    )


# -- files -----------------------------------------------------------------------------------------


def _parse(path: Path, shown: str) -> RulesetFile:
    """One file, checked as far as it can be alone."""
    where, tables = shorten(shown), read(path, shown)
    if not tables:
        raise SimsorryError(f'{where}: the file is empty; a ruleset says at least what it extends, such as extends = "hasbro"')
    known = list(RulesetFile.model_fields)
    for key, value in tables.items():
        if key not in known:
            is_option = any(key in schema.rules_class(game).model_fields for game in games.GAMES)
            raise schema.unknown_key(where, [key], value, known, "; options stand below the line [rules]" if is_option else "")
    try:
        file = RulesetFile.model_validate(tables)
    except ValidationError as error:
        raise schema.explain(error, RulesetFile, lambda path: (where, path)) from error
    if file.game is not None and file.game not in games.GAMES:
        raise schema.wrong_value(where, ("game",), file.game, {"enum": list(games.GAMES)}, {})
    return file


def _game_of(files: list[tuple[str, RulesetFile]]) -> str:
    """The one game of a chain of files. Raises SimsorryError where two files are of different games."""
    named = [(shown, file.game or UNNAMED_GAME) for shown, file in files if file.game or file.extends is None]
    for (shown, game), (base, other) in itertools.pairwise(named):
        if game != other:
            raise SimsorryError(f"{shorten(shown)}: game = {brief(game)}, but it extends {shorten(base)}, a ruleset of the {other} game")
    return named[0][1] if named else UNNAMED_GAME


def _readings(files: list[tuple[str, RulesetFile]], settled: set[str]) -> tuple[str, ...]:
    """What each file reads into its source, the most special file first.

    A reading names the option that flips it in backticks; once a file or house rule built on top speaks of that option, the reading
    is no longer the one taken, and left out.
    """
    kept: list[str] = []
    for _, file in files:
        own = [reading for reading in file.readings if settled.isdisjoint(_OPTION_NAMED.findall(reading))]
        settled = settled.union(file.rules, *(_OPTION_NAMED.findall(reading) for reading in own))
        kept += own
    return tuple(kept)


def _means_something(reading: str, rules: Any, game: str) -> bool:
    """Whether the other values that a reading names could be played with these rules; if not, it speaks of what they do not have."""
    for text in _FLIPPED.findall(reading):
        path, value = _house_rule("reading", text, game)
        tables = _MERGER.merge(rules.model_dump(by_alias=True, mode="json"), _nested(path, value))
        try:
            type(rules).model_validate(tables)
        except ValidationError:
            return False
    return True


# -- house rules -----------------------------------------------------------------------------------


def _house_rule(where: str, text: str, game: str) -> tuple[list[str], Any]:
    """``option=value`` as the parts of its key and its value; a list of words or numbers may be written without brackets and quotes."""
    if len(text) > MAX_HOUSE_RULE:
        raise SimsorryError(f"{shorten(where)}: {brief(text)} is too long for a house rule ({len(text)} characters)")
    key, equals, written = (part.strip() for part in text.partition("="))
    if not equals or not key or not written:
        raise SimsorryError(f"{shorten(where)}: {brief(text)} is not a house rule; write option=value, such as slides=off")
    path = parse_key(key)
    if path[0] == "rules" and len(path) > 1:
        path = path[1:]
    value = parse_value(written)
    whole = schema.schema_of(schema.rules_class(game))
    listed = schema.at(whole, tuple(path), whole["$defs"]).get("items", {})
    if isinstance(value, list) or listed.get("type") not in ("string", "integer"):
        return path, value
    parts = [part.strip() for part in written.split(",")]
    return path, [part.strip("\"'") for part in parts] if listed["type"] == "string" else [parse_value(part) for part in parts]


def _nested(path: list[str], value: Any) -> dict[str, Any]:
    """The tables that a dotted key and its value stand for."""
    table = {path[-1]: value}
    for part in reversed(path[:-1]):
        table = {part: table}
    return table


# -- merging ---------------------------------------------------------------------------------------


def _merge(layers: list[_Layer], game: str, name: str) -> tuple[BaseModel, dict[str, str]]:
    """Lays the layers on one another and checks the result; also says where each option was set."""
    rules_class = schema.rules_class(game)
    whole = schema.schema_of(rules_class)
    merged: dict[str, Any] = {}
    source: dict[str, _Layer] = {}
    for layer in layers:
        _check_keys(layer, whole, game)
        rules = _with_named_tables(layer, rules_class)
        merged = _MERGER.merge(merged, copy.deepcopy(rules))
        source |= dict.fromkeys(_leaves(rules, whole), layer)
    try:
        checked = rules_class.model_validate(merged)
    except ValidationError as error:
        raise schema.explain(error, rules_class, lambda path: _locate(path, source, name)) from error
    return checked, {option: layer.origin for option, layer in source.items()}


def _locate(path: schema.Path, source: dict[str, _Layer], name: str) -> tuple[str, schema.Path]:
    """Which layer set the option that an error speaks of, and its key as written there; a combination is everybody's."""
    texts = [part for part in path if isinstance(part, str)]
    layer = next((source[key] for end in range(len(texts), 0, -1) if (key := dotted(texts[:end])) in source), None)
    return (layer.where, (*layer.prefix, *path)) if layer else (shorten(name), path)


def _check_keys(layer: _Layer, whole: dict[str, Any], game: str) -> None:
    """Refuses options, and entries of their tables, that do not exist."""
    for key, value in layer.rules.items():
        if key not in whole["properties"]:
            raise _no_option(layer, [key], value, list(whole["properties"]), game)
        keys = schema.keys_of(whole["properties"][key], whole["$defs"])
        for inner in value if isinstance(value, dict) and keys else ():
            if inner not in keys:
                raise _no_option(layer, [key, inner], value[inner], keys, game)


def _no_option(layer: _Layer, path: list[str], value: Any, keys: list[str], game: str) -> SimsorryError:
    printed = _printed(game)
    hint = f" (`simsorry rulesets show {printed} --resolved` lists all options)" if printed else ""
    return schema.unknown_key(layer.where, [*layer.prefix, *path], value, keys, hint)


def _with_named_tables(layer: _Layer, rules_class: type[BaseModel]) -> dict[str, Any]:
    """Puts the table in place of its name (``deck_44``), so that a later layer can change single entries of it."""
    rules = dict(layer.rules)
    for key, value in rules.items():
        field = rules_class.model_fields[key]
        if isinstance(value, str) and isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            try:
                rules[key] = TypeAdapter(field.rebuild_annotation()).validate_python(value).model_dump(by_alias=True)
            except ValidationError as error:
                whole = schema.schema_of(rules_class)
                raise schema.wrong_value(layer.where, (*layer.prefix, key), value, whole["properties"][key], whole["$defs"]) from error
    return rules


def _leaves(rules: dict[str, Any], whole: dict[str, Any]) -> Iterator[str]:
    """The dotted names of the options a layer sets: whole options, and single entries of tables."""
    for key, value in rules.items():
        if isinstance(value, dict) and schema.keys_of(whole["properties"][key], whole["$defs"]):
            yield from (dotted([key, inner]) for inner in value)
        else:
            yield dotted([key])


def _flat(rules: BaseModel) -> dict[str, Any]:
    """Dotted name to plain value; tables entry by entry."""
    flat: dict[str, Any] = {}
    for key, value in rules.model_dump(mode="json", by_alias=True).items():
        if isinstance(value, dict):
            flat |= {dotted([key, inner]): item for inner, item in value.items()}
        else:
            flat[key] = value
    return flat
