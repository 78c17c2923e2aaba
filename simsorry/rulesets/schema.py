"""What the options of a ruleset may be, read from the game's ``Rules`` and said in words.

The JSON schema that pydantic makes of a model is the one description that editors, error messages and ``rulesets show``
share; nothing here knows an option by name.
"""

import copy
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from simsorry import games
from simsorry.errors import SimsorryError
from simsorry.toml import brief, closest, dotted, shorten, value_text

Path = tuple[str | int, ...]
_LIMITS = {"ge": "minimum", "le": "maximum", "lt": "exclusiveMaximum"}


def _one_line(text: str) -> str:
    """Folds line breaks into spaces, and refuses what would upset a terminal."""
    line = " ".join(text.split())
    if not line.isprintable():
        raise ValueError("it holds characters that can't be printed")
    return line


Line = Annotated[str, AfterValidator(_one_line)]


class RulesetFile(BaseModel):
    """A ruleset: what it is called, what it follows, and the options in which it differs."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    title: Line | None = Field(None, description="What people call these rules; the file's name if left out.", min_length=1, max_length=120)
    source: Line | None = Field(
        None, description="The printed sheet or the custom it follows; that of the base if left out.", max_length=1000
    )
    readings: list[Annotated[Line, Field(max_length=1000)]] = Field(
        [],
        description="Where the source is silent or says two things, the reading taken: a sentence each, with the `option=value` that "
        "flips it in backticks. They come before those of the base.",
        max_length=100,
    )
    game: str | None = Field(None, description="The game it is played with; classic, or that of the base, if left out.")
    extends: str | None = Field(
        None, description="What it builds on: the name of a built-in ruleset, or a path (with a slash or .toml) seen from this file."
    )
    rules: dict[str, Any] = Field({}, description="The options that differ. Tables are merged with those of the base, lists replace them.")


class Option(NamedTuple):
    """One option of a game, in words."""

    name: str
    allowed: str
    default: Any
    description: str


class _PlainSchema(GenerateJsonSchema):
    """Without the titles that pydantic makes up from the names, and with JSON's names for the limits behind a validator of one's own."""

    def generate_inner(self, schema: Any) -> dict[str, Any]:
        return {_LIMITS.get(key, key): value for key, value in super().generate_inner(schema).items()}

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False


def rules_class(game: str) -> type[BaseModel]:
    """The options class of a game. Raises SimsorryError for an unknown game."""
    rules: type[BaseModel] = games.load(game).Rules
    return rules


def options(game: str = "classic") -> list[Option]:
    """Every option of a game: its name, what is allowed, its default and what it does."""
    schema = schema_of(rules_class(game))
    return [
        Option(name, allowed(part, schema["$defs"]), part["default"], part["description"]) for name, part in schema["properties"].items()
    ]


@functools.cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model, always with a ``$defs`` table. Shared: not to be changed."""
    return {"$defs": {}, **model.model_json_schema(by_alias=True, schema_generator=_PlainSchema)}


def file_schema(game: str = "classic") -> dict[str, Any]:
    """The JSON schema of a ruleset file, for editors: an option that does not exist is underlined as it is typed."""
    schema, rules = copy.deepcopy(schema_of(RulesetFile)), copy.deepcopy(schema_of(rules_class(game)))
    description = schema["properties"]["rules"]["description"]
    definitions = {**schema.pop("$defs"), **rules.pop("$defs")}
    schema["properties"] = {key: _without_null(part) for key, part in schema["properties"].items()}
    schema["properties"]["rules"] = {**rules, "description": description}
    schema["properties"]["game"]["enum"] = [game]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"simsorry ruleset of the {game} game"}
    return {**schema, **head, "$defs": definitions}


def _without_null(part: dict[str, Any]) -> dict[str, Any]:
    """TOML has no null: what may be absent in Python may be left out in the file."""
    if "anyOf" not in part:
        return part
    (kept,) = (choice for choice in part["anyOf"] if choice != {"type": "null"})
    return {**kept, **{key: value for key, value in part.items() if key not in ("anyOf", "default")}}


def keys_of(schema: dict[str, Any], definitions: dict[str, Any]) -> list[str]:
    """The keys a table may have; empty for what is no table."""
    schema = _resolve(schema, definitions)
    if "anyOf" in schema:
        return next(filter(None, (keys_of(choice, definitions) for choice in schema["anyOf"])), [])
    if "propertyNames" in schema:
        return list(_resolve(schema["propertyNames"], definitions)["enum"])
    return list(schema.get("properties", {}))


def at(schema: dict[str, Any], path: Path, definitions: dict[str, Any]) -> dict[str, Any]:
    """The part of a schema that a key leads to; the empty schema where the path leads nowhere."""
    for step in path:
        schema = _resolve(schema, definitions)
        choices = schema.get("anyOf", [schema])
        schema = next((found for choice in choices if (found := _step(_resolve(choice, definitions), step)) is not None), {})
    return _resolve(schema, definitions)


def _step(schema: dict[str, Any], step: str | int) -> dict[str, Any] | None:
    if isinstance(step, int):
        found = dict(enumerate(schema.get("prefixItems", []))).get(step, schema.get("items"))
    else:
        found = schema.get("properties", {}).get(step, schema.get("additionalProperties"))
    return found if isinstance(found, dict) else None


def _resolve(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in schema:
        return schema
    return {**definitions[schema["$ref"].rpartition("/")[2]], **{key: value for key, value in schema.items() if key != "$ref"}}


def allowed(schema: dict[str, Any], definitions: dict[str, Any]) -> str:
    """What a schema allows, in words, with an example where it holds one."""
    schema = _resolve(schema, definitions)
    example = f", such as {value_text(schema['examples'][0])}" if "examples" in schema else ""
    return _in_words(schema, definitions) + example


def _in_words(schema: dict[str, Any], definitions: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return _one_of([allowed(choice, definitions) for choice in _said(schema["anyOf"])])
    if "enum" in schema:
        return _one_of([value_text(value) for value in schema["enum"]])
    if "const" in schema:
        return value_text(schema["const"])
    if "pattern" in schema:
        return str(schema["title"])
    match schema.get("type"):
        case "boolean":
            return "true or false"
        case "integer":
            highest = schema["maximum"] if "maximum" in schema else schema["exclusiveMaximum"] - 1
            return f"a whole number from {schema['minimum']} to {highest}"
        case "number" if "minimum" in schema:
            return f"a number from {schema['minimum']:g} to {schema['maximum']:g}"
        case "array" if "prefixItems" in schema:
            many = len(schema["prefixItems"])
            return f"{'a pair of' if many == 2 else f'a list of {many}'} {_each(schema, definitions)}"
        case "array":
            item = schema["items"]
            items = f"pairs of {_each(item, definitions)}" if "prefixItems" in item else _several(allowed(item, definitions))
            most = f" (at most {schema['maxItems']})" if "maxItems" in schema else ""
            return f"a list of {items}{most}"
        case "object" if "additionalProperties" in schema and "properties" not in schema:
            item = schema["additionalProperties"]
            keys = _keys_text(schema, definitions)
            return "a table" if item is True else f"a table with {allowed(item, definitions)} for each{f' of {keys}' if keys else ' name'}"
        case "object" if _is_mixed(schema, definitions):
            return f"a table with {_keys_text(schema, definitions)}"
        case "object":
            item = next(iter(schema["properties"].values()))
            return f"a table with {allowed(item, definitions)} for each of {_keys_text(schema, definitions)}"
        case _:
            return f"text of {schema.get('minLength', 0)} to {schema['maxLength']} characters" if "maxLength" in schema else "text"


def _is_mixed(schema: dict[str, Any], definitions: dict[str, Any]) -> bool:
    """Whether a table has values of several kinds under its keys."""
    choices = [_resolve(choice, definitions) for choice in _said(schema.get("anyOf", [schema]))]
    return any(len({allowed(part, definitions) for part in choice.get("properties", {}).values()}) > 1 for choice in choices)


def _said(choices: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without null, which TOML has not, and without the text that stands for a list on the command line."""
    listed = any(choice.get("type") == "array" for choice in choices)
    return [choice for choice in choices if choice != {"type": "null"} and not (listed and choice == {"type": "string"})]


def _each(items: dict[str, Any], definitions: dict[str, Any]) -> str:
    """What stands at the places of a list of fixed length; once where it is the same at all of them."""
    kinds = list(dict.fromkeys(allowed(item, definitions) for item in items["prefixItems"]))
    return _several(kinds[0]) if len(kinds) == 1 else " and ".join(kinds)


def _several(item: str) -> str:
    for one, many in (("a whole number", "whole numbers"), ("a number", "numbers"), ("a table", "tables")):
        if item.startswith(one):
            return item.replace(one, many, 1)
    return item


def _keys_text(schema: dict[str, Any], definitions: dict[str, Any]) -> str:
    return ", ".join(dotted([key]) for key in keys_of(schema, definitions))


def _one_of(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def unknown_key(where: str, path: Sequence[str], value: Any, keys: Sequence[str], hint: str = "") -> SimsorryError:
    """The error for a key that does not exist: where it stands, its value, and the closest that does exist."""
    key, table = path[-1], dotted(path[:-1])
    known = closest(key, keys) or (f"; known are {', '.join(dotted([name]) for name in keys)}" if len(keys) < 12 else "")
    inside = f" in {table}" if table else ""
    return SimsorryError(f"{where}: {shorten(dotted(path))} = {brief(value)}: there is no such key{inside}{known}{hint}")


def wrong_value(where: str, path: Path, value: Any, schema: dict[str, Any], definitions: dict[str, Any], reason: str = "") -> SimsorryError:
    """The error for a value that is not allowed: the key, what was given, why, what is allowed, and the closest that is."""
    words = list(_names(schema, definitions))
    near = closest(value, words) if isinstance(value, str) else "; write it in quotes" if brief(value) in words else ""
    return SimsorryError(
        f"{where}: {path_text(path)} = {brief(value)} is not allowed{reason}; allowed is {allowed(schema, definitions)}{near}"
    )


def _names(schema: dict[str, Any], definitions: dict[str, Any]) -> Iterator[str]:
    """The words that a schema allows."""
    schema = _resolve(schema, definitions)
    for choice in schema.get("anyOf", []):
        yield from _names(choice, definitions)
    yield from (name for name in [*schema.get("enum", []), schema.get("const")] if isinstance(name, str))
    if "pattern" in schema:
        yield schema["title"].split()[0]


def path_text(path: Path) -> str:
    """A dotted key; a place in a list, and in a list inside that, is counted from 1."""
    key = dotted(step for step in path if isinstance(step, str))
    places = ", part ".join(str(step + 1) for step in path if isinstance(step, int))
    return shorten(f"{key} (item {places})" if places else key)


def explain(error: ValidationError, model: type[BaseModel], locate: Callable[[Path], tuple[str, Path]]) -> SimsorryError:
    """The first thing that pydantic found wrong, as a sentence.

    ``locate`` says for a key of the model where it was written, and the key as it stands there.
    """
    first = error.errors(include_url=False)[0]
    loc = first["loc"][:-1] if first["type"] == "missing" else first["loc"]  # what lacks a part is wrong, not the part
    schema = schema_of(model)
    place = at(schema, loc, schema["$defs"])
    where, path = locate(loc)
    reason = shorten(str(first["ctx"]["error"]), 300) if first["type"] == "value_error" else ""
    if not loc:
        return SimsorryError(f"{where}: {reason}")
    if reason and _is_mixed(place, schema["$defs"]):
        return SimsorryError(f"{where}: {path_text(path)}: {reason}")
    return wrong_value(where, path, first["input"], place, schema["$defs"], f" ({reason})" if reason else "")
