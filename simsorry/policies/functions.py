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
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
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

    def told(self, error: BaseException) -> str:
        """What it fails with, on one line."""
        return told(error, str(Path(self.spec.rpartition(":")[0]).resolve()))

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
def _module(path: str, text: bytes) -> Any:
    """The module that a file's text makes, and not what it was when it was last compiled; raises SimsorryError if running it fails."""
    module = ModuleType(f"simsorry_policy_{hashlib.sha256(path.encode()).hexdigest()[:12]}")
    module.__file__ = path
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, path, "exec"), vars(module))  # noqa: S102 - it is what the person named
    except (Exception, SystemExit) as error:
        raise SimsorryError(f"{shorten(path)}: running it fails with {told(error, path)}") from error
    return module


def told(error: BaseException, path: str) -> str:
    """What a person's own code in a file failed with, on one line, with the last line of that file that led there."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == path else lines[-1] if lines else None
    text = " ".join((error.msg if isinstance(error, SyntaxError) else str(error)).split())
    return f"{type(error).__name__}{': ' + shorten(text) if text else ''}{f' (line {line})' if line else ''}"
