"""Policies that are functions of one's own, in Python: how one is named, found and called.

    # mine.py
    def choose(asked):
        '''Takes whatever brings most pawns HOME.'''
        return max(asked.outcomes, key=lambda outcome: outcome.position.count("H"))

``./mine.py:choose`` names it wherever a policy is named. It is handed a ``simsorry.asking.Asked`` in every decision with two outcomes or
more, and returns one of ``asked.outcomes``, or its number. Chance it has to take from ``asked.random``, so that a seed gives the same
games. It is called once for each decision, in Python and in one thread at a time: hundreds of times slower than weights.
"""

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from simsorry.errors import SimsorryError
from simsorry.toml import shorten

_SUFFIX = ".py:"


@dataclass(frozen=True)
class Function:
    """A function that chooses, and the file that it was found in."""

    spec: str  # as a person wrote it
    call: Callable[[Any], Any]
    source: str  # 12 hex digits of the file's text and the function's name

    @property
    def title(self) -> str:
        """What it is called in reports."""
        return self.spec.rpartition(":")[2]

    @property
    def description(self) -> str:
        """The first line of its docstring."""
        return (inspect.getdoc(self.call) or "").partition("\n")[0]

    @property
    def number(self) -> float:
        """``source`` as a number, for where policies are told apart by numbers."""
        return float(int(self.source, 16))


def is_named(spec: str) -> bool:
    """Whether a spec names a function rather than a policy of weights."""
    return _SUFFIX in spec


def load(spec: str) -> Function:
    """The function ``FILE.py:NAME``; raises SimsorryError if there is none.

    The file is run once in a process, as ``import`` would run it.
    """
    path, _, name = spec.rpartition(":")
    where = shorten(spec)
    if not path.endswith(".py") or not name.isidentifier():
        raise SimsorryError(f"{where}: a function is named as FILE.py:NAME, such as ./mine.py:choose")
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise SimsorryError(f"{where}: {shorten(path)} can't be read ({error.strerror or error})") from error
    found = getattr(_module(str(Path(path).resolve()), text), name, None)
    if not callable(found):
        raise SimsorryError(f"{where}: there is no function {name} in {shorten(path)}")
    return Function(spec, found, hashlib.sha256(text + b"\0" + name.encode()).hexdigest()[:12])


@lru_cache(maxsize=64)
def _module(path: str, _text: bytes) -> Any:
    """The module that a file makes; raises SimsorryError if running it fails."""
    name = f"simsorry_policy_{hashlib.sha256(path.encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise SimsorryError(f"{shorten(path)}: this is no file of Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise SimsorryError(f"{shorten(path)}: running it fails with {told(error)}") from error
    return module


def told(error: BaseException) -> str:
    """An exception of a person's own code, on one line, with the line that it came from."""
    line = error.lineno if isinstance(error, SyntaxError) else _last_line(error)
    place = f" (line {line})" if line else ""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' + shorten(text) if text else ''}{place}"


def _last_line(error: BaseException) -> int | None:
    trace, line = error.__traceback__, None
    while trace is not None:
        line, trace = trace.tb_lineno, trace.tb_next
    return line
