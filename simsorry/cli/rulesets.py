"""``simsorry rulesets``: what rules there are, what one says, how two differ, and whether a file is right."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsorry.cli._files import check_files, print_json, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simsorry.rulesets import Option, Ruleset

app = typer.Typer(no_args_is_help=True, help="List, show, compare and check rulesets.")


def complete_ruleset(incomplete: str) -> list[str]:
    """The built-in names that begin as typed, for the shell."""
    from simsorry.rulesets import names

    return [name for name in names() if name.startswith(incomplete)]


_RULESET_HELP = "A built-in name, a file (with a slash or .toml), or either with house rules: hasbro+slides=off."
_Spec = Annotated[str, typer.Argument(metavar="RULESET", help=_RULESET_HELP, autocompletion=complete_ruleset)]
_Sets = Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top; may be repeated.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]


@app.command("list")
def list_rulesets(
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Only those of this game.")] = None, as_json: _Json = False
) -> None:
    """Names the built-in rulesets, game by game."""
    from simsorry import games
    from simsorry.rulesets import titles

    if game is not None:
        games.load(game)  # refuses what is no game
    found = {each: titles(each) for each in ([game] if game else games.GAMES)}
    if as_json:
        print_json([{"name": name, "title": title, "game": each} for each, listed in found.items() for name, title in listed.items()])
        return
    width = max(len(name) for listed in found.values() for name in listed)
    for number, (each, listed) in enumerate(found.items()):
        typer.echo(f"\n{each}:" if number else f"{each}:")
        for name, title in listed.items():
            typer.echo(f"  {name:{width}}  {title}")


@app.command("show")
def show(
    ruleset: _Spec,
    sets: _Sets = None,
    resolved: Annotated[bool, typer.Option("--resolved", help="Every option, as a TOML file to start one's own from.")] = False,
    origin: Annotated[bool, typer.Option("--origin", help="Also say which file set each option.")] = False,
    as_json: _Json = False,
) -> None:
    """Shows what a ruleset says: its source, the readings taken, and the options that differ from the game's printed rules."""
    from simsorry.rulesets import load

    rules = load(ruleset, sets or [])
    if as_json:
        print_json(_as_json(rules))
        return
    for line in _as_toml(rules, origin) if resolved else _as_text(rules, origin):
        typer.echo(line)


@app.command("diff")
def diff(first: _Spec, second: _Spec, as_json: _Json = False) -> None:
    """Shows the options in which two rulesets of a game differ, with both values."""
    from simsorry.rulesets import load, options
    from simsorry.toml import value_text

    one, other = load(first), load(second)
    described = {option.name: option.description for option in options(one.game)}
    differences = one.differences(other)
    if as_json:
        print_json([{"option": option, "values": {"first": here, "second": there}} for option, here, there in differences])
        return
    if not differences:
        typer.echo("no option differs")
    width = max(len(one.name), len(other.name))
    for option, here, there in differences:
        typer.echo(option)
        for name, value in ((one.name, here), (other.name, there)):
            typer.echo(f"  {name:{width}}  {'not set' if value is None else value_text(value)}")
        typer.echo(wrap(described[option.partition(".")[0]], "    "))


@app.command("check")
def check(files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Ruleset files, or other ways to name a ruleset.")]) -> None:
    """Checks ruleset files: says ok, or what is wrong with the first wrong thing in each."""
    from simsorry.rulesets import load

    check_files(files, lambda file: load(file).title)


@app.command("schema")
def schema(game: Annotated[str, typer.Option(metavar="GAME", help="The game that is played.")] = "classic") -> None:
    """Prints the JSON schema of a game's ruleset files, with which editors complete and check options as one types."""
    from simsorry.rulesets.schema import file_schema

    print_json(file_schema(game))


def _as_json(ruleset: "Ruleset") -> dict[str, Any]:
    return {
        "name": ruleset.name,
        "title": ruleset.title,
        "source": ruleset.source,
        "readings": list(ruleset.readings),
        "game": ruleset.game,
        "hash": ruleset.hash,
        "changes": ruleset.changes(),
        "rules": ruleset.resolved(),
        "origin": ruleset.origin,
    }


def _as_text(ruleset: "Ruleset", with_origin: bool) -> "Iterator[str]":
    from simsorry.rulesets import options
    from simsorry.toml import value_text

    described = {option.name: option for option in options(ruleset.game)}
    yield f"{ruleset.name}: {ruleset.title} (hash {ruleset.hash})"
    if ruleset.source:
        yield wrap(ruleset.source)
    changes = ruleset.changes()
    yield ""
    yield "Options that differ from the defaults:" if changes else "No option differs from the defaults."
    for option, value in changes.items():
        head = described[option.partition(".")[0]]
        set_by = f"   ({ruleset.origin[option]})" if with_origin else ""
        yield f"  {option} = {value_text(value)}   (default: {_default(head, option)}){set_by}"
        yield wrap(head.description, "      ")
    if ruleset.readings:
        yield ""
        yield "Readings, where the source is silent or says two things (in brackets the option that takes the other one):"
        for reading in ruleset.readings:
            yield wrap(reading, "  - ", "    ")


def _default(head: "Option", option: str) -> str:
    from simsorry.toml import value_text

    entry = option.partition(".")[2].strip('"')
    if not entry:
        return value_text(head.default)
    return value_text(head.default[entry]) if entry in head.default else "not set"


def _as_toml(ruleset: "Ruleset", with_origin: bool) -> "Iterator[str]":
    """A whole ruleset file: loading it gives the same rules."""
    from simsorry.rulesets import options
    from simsorry.toml import dotted, value_text

    def line(key: str, value: Any, option: str) -> str:
        set_by = f" # {ruleset.origin.get(option, 'default')}" if with_origin else ""
        return f"{key} = {value_text(value)}{set_by}"

    yield f"title = {value_text(ruleset.title)}"
    yield f"source = {value_text(ruleset.source)}"
    yield "readings = ["
    yield from (f"    {value_text(reading)}," for reading in ruleset.readings)
    yield "]"
    yield f"game = {value_text(ruleset.game)}"
    yield ""
    yield "[rules]"
    values = ruleset.resolved()
    tables = {option.name: option for option in options(ruleset.game) if isinstance(values[option.name], dict)}
    for option in options(ruleset.game):
        if option.name not in tables:
            yield from _comment(option)
            yield line(option.name, values[option.name], option.name)
    for name, option in tables.items():
        yield ""
        yield from _comment(option)
        yield f"[rules.{name}]"
        yield from (line(dotted([key]), value, dotted([name, key])) for key, value in values[name].items())


def _comment(option: "Option") -> "Iterator[str]":
    yield wrap(f"{option.description} Allowed: {option.allowed}.", "# ")
