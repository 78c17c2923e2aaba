"""The command that is being carried out, as it would be written again: what a report says about where it comes from."""

import shlex
from contextlib import suppress
from contextvars import ContextVar
from enum import Enum
from typing import Any

from typer.core import TyperCommand

from simsorry.errors import SimsorryError, printable

# Options that change no number: where it goes to, how it is told, and how fast it is done.
_OF_NO_MATTER = {
    "out",
    "keep",
    "keep_games",
    "threads",
    "cluster",
    "block",
    "quiet",
    "as_json",
    "progress",
    "format",
    "trace",
    "state",
    "force",
}

_CARRIED_OUT: ContextVar[Any] = ContextVar("carried out", default=None)


class Verb(TyperCommand):
    """A command that knows, while it runs, how it was called."""

    def invoke(self, ctx: Any) -> Any:
        token = _CARRIED_OUT.set(ctx)
        try:
            return super().invoke(ctx)
        finally:
            _CARRIED_OUT.reset(token)


def told() -> str:
    """The command with all that decides what comes of it, options by their long names in the order of the help; empty outside of one."""
    if (ctx := _CARRIED_OUT.get()) is None:
        return ""
    words = ["simsorry", *_verbs(ctx)]
    for parameter in ctx.command.params:
        value = ctx.params.get(parameter.name)
        if value is None or parameter.name in _OF_NO_MATTER or ctx.get_parameter_source(parameter.name).name == "DEFAULT":
            continue
        words += _written(parameter, value)
    return shlex.join(map(printable, words))


def _verbs(ctx: Any) -> list[str]:
    """The verb, behind the verb that it belongs to if it does; the program itself may be called anything."""
    return [*_verbs(ctx.parent), ctx.info_name] if ctx.parent else []


def _written(parameter: Any, value: Any) -> list[str]:
    """A parameter and its value, or values, as words."""
    values = value if isinstance(value, list | tuple) else [value]
    if parameter.param_type_name == "argument":
        return [_plain(each) for each in values]
    name = max(parameter.opts, key=len)
    if isinstance(value, bool):
        return [name if value else max(parameter.secondary_opts, key=len)]
    plain = _number if parameter.metavar == "N" else _plain
    return [word for each in values for word in (name, plain(each))]


def _plain(value: Any) -> str:
    return str(value.value if isinstance(value, Enum) else value)


def _number(text: str) -> str:
    """A count in digits, however a person wrote it: 1e4 and 10k are 10000."""
    from simsorry.cli.run import whole_number

    with suppress(SimsorryError):
        return str(whole_number("", text, 0, 10**30))
    return text
