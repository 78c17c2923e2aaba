"""TOML as this project reads and writes it: files a person wrote and what they extend, ``--set`` fragments, and single values.

Everything that can be wrong with a file ends in a ``SimsorryError`` that names the file and, where TOML knows it, line
and column. What the tables mean is the business of the caller.
"""

import difflib
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from simsorry.errors import SimsorryError, printable

MAX_BYTES = 64 * 1024  # a ruleset is 2 kB; more than this is some other file
_MAX_DOTS = 200  # in a line; tomllib needs minutes for a key of ten thousand parts
_PLACE = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)
_WORD = re.compile(r"""(?<!["'\w])[A-Za-z_]\w*(?!["'\w])""")  # not in quotes
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_File = TypeVar("_File")


def read(path: Path, shown: str) -> dict[str, Any]:
    """The tables of a TOML file; ``shown`` is the file's name in messages. Raises SimsorryError."""
    text = _text(path, shown)
    too_deep = SimsorryError(f"{shorten(shown)}: not valid TOML: its values are nested too deeply")
    if max(line.count(".") for line in text.split("\n")) > _MAX_DOTS:
        raise too_deep
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SimsorryError(_syntax(text, shown, error)) from error
    except RecursionError as error:
        raise too_deep from error
    except ValueError as error:  # a number with thousands of digits
        raise SimsorryError(f"{shorten(shown)}: not valid TOML: a number is too long") from error


def _text(path: Path, shown: str) -> str:
    name = shorten(shown)
    try:
        if path.is_dir():
            raise SimsorryError(f"{name}: this is a folder, not a TOML file")
        if not path.exists():
            raise SimsorryError(f"{name}: there is no such file")
        if not path.is_file():
            raise SimsorryError(f"{name}: this is not an ordinary file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name is not a possible file name"
        raise SimsorryError(f"{name}: the file can't be read: {reason}") from error
    if len(data) > MAX_BYTES:
        raise SimsorryError(f"{name}: the file is larger than {MAX_BYTES} bytes, which no file of this kind needs")
    try:
        return data.decode("utf-8-sig")  # some editors put a byte order mark first
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SimsorryError(f"{name}:{line}: the file is not UTF-8 text") from error


def _syntax(text: str, shown: str, error: Exception) -> str:
    """``file:line:column: what``; TOML's own message says "end of document" where the line is the last."""
    place = _PLACE.fullmatch(str(error))
    what = place["what"] if place else str(error)
    if place and place["line"]:
        return f"{shorten(shown)}:{place['line']}:{place['column']}: not valid TOML: {shorten(what)}"
    lines = text.split("\n")
    return f"{shorten(shown)}:{len(lines)}:{len(lines[-1]) + 1}: not valid TOML: {shorten(what)} (the file ends here)"


@dataclass(frozen=True)
class Shelf:
    """The files of one kind: built-in ones by name, people's own by path (with a slash or ending in .toml); each may extend another."""

    kind: str  # what a message calls one of them
    verb: str  # the verb whose ``list`` names the built-in ones
    folder: Path  # where those stand
    advice: Callable[[str], str] = lambda _spec: ""  # a hint for an unknown name that only this kind knows

    def names(self) -> list[str]:
        """The built-in ones, in no particular order."""
        return [path.stem for path in self.folder.glob("*.toml")]

    def path_of(self, name: str) -> tuple[str, Path]:
        """Name for messages and path of a built-in one."""
        return f"{name}.toml", self.folder / f"{name}.toml"

    def chain(self, spec: str, parse: Callable[[Path, str], _File], extends: Callable[[_File], str | None]) -> Iterator[tuple[str, _File]]:
        """The file that a spec names, then the one it extends, and so on, each with its name for messages.

        ``parse`` reads one file and ``extends`` says what it names as its base. Raises SimsorryError for an unknown
        name and for files that extend one another in a circle.
        """
        shown, path = self._find(spec, Path(), "")
        seen: dict[str, str] = {}
        while True:
            file = parse(path, shown)
            real = os.path.realpath(path)
            if real in seen:
                circle = " -> ".join(shorten(name) for name in [*seen.values(), shown])
                raise SimsorryError(f"{shorten(shown)}: extends goes round in a circle: {shorten(circle, 300)}")
            seen[real] = shown
            yield shown, file
            base = extends(file)
            if base is None:
                return
            shown, path = self._find(base, path.parent, shown)

    def _find(self, spec: str, folder: Path, reader: str) -> tuple[str, Path]:
        """Name for messages and path of a file named on the command line or, where there is a ``reader``, by that file's ``extends``."""
        if "/" in spec or spec.endswith(".toml"):
            return os.path.normpath(Path(reader).parent / spec) if reader else spec, folder / spec
        if spec in self.names():
            return self.path_of(spec)
        where = f"{shorten(reader)}: extends = {brief(spec)}: " if reader else ""
        hint = self.advice(spec) or self._hint(spec, folder)
        raise SimsorryError(f"{where}no built-in {self.kind} is called {brief(spec)}{hint}")

    def _hint(self, spec: str, folder: Path) -> str:
        """What a person who wrote an unknown name may have meant."""
        beside = folder / f"{spec[:100]}.toml"
        try:
            if beside.is_file():
                return f"; for the file {beside.name} write ./{beside.name}"
        except (OSError, ValueError):
            pass  # no possible file name
        return closest(spec, self.names()) or f"; `simsorry {self.verb} list` names them, and a file is written with a slash or .toml"


def parse_value(text: str) -> Any:
    """A value in TOML's spelling, in which words in lists need no quotes; what TOML does not understand is a string as it stands."""
    for written in (text, _WORD.sub(r'"\g<0>"', text)) if text.startswith("[") else (text,):
        try:
            parsed = tomllib.loads(f"value = {written}")
        except (ValueError, RecursionError):
            continue
        return parsed["value"] if list(parsed) == ["value"] else text
    return text


def parse_key(text: str) -> list[str]:
    """The parts of a dotted key, with or without quotes: ``slide_riders."red A"`` or ``slide_riders.red A``."""
    try:
        table = tomllib.loads(f"{text} = 0")
    except (ValueError, RecursionError):
        return [part.strip() for part in text.split(".")]
    parts = []
    while isinstance(table, dict) and len(table) == 1:
        part, table = next(iter(table.items()))
        parts.append(part)
    return parts


def dotted(parts: Iterable[str]) -> str:
    """A key as TOML writes it, quoted where it must be."""
    return ".".join(part if _BARE_KEY.fullmatch(part) else _string(part) for part in parts)


def value_text(value: Any) -> str:
    """A value as TOML writes it, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(value_text(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{dotted([key])} = {value_text(item)}' for key, item in value.items())} }}" if value else "{}"
    return str(value)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")  # the one escape that JSON lacks and TOML wants


def shorten(text: str, limit: int = 120) -> str:
    """Text that others wrote, fit for one line of a message: nothing unprintable, and the middle of a long one left out."""
    if len(text) > limit:
        text = f"{text[: limit - 30]}…{text[-29:]}"
    return printable(text)


def brief(value: Any) -> str:
    """A value in a message: as TOML writes it, shortened; tables, and lists in lists in lists, are only named: they may be of any depth."""
    return shorten(_outline(value), 80)


def _outline(value: Any, depth: int = 0) -> str:
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, (list, tuple)):
        return "a list" if depth > 1 else f"[{', '.join(_outline(item, depth + 1) for item in value[:40])}]"
    if isinstance(value, int) and value.bit_length() > 256:
        return "a number of more than 77 digits"
    return value_text(value[:200] if isinstance(value, str) else value)


def check_readable(kind: str, name: str) -> None:
    """Raises SimsorryError for a name that no report could show, such as a file's name that is not UTF-8."""
    if not name.isprintable():
        raise SimsorryError(f"{shorten(name)}: a {kind} is named in reports, and this name has characters that can't be printed")


def closest(word: str, names: Iterable[str]) -> str:
    """``"; did you mean NAME?"`` for the most similar valid name, or nothing where none is similar."""
    by_spelling = {name.lower(): name for name in names}
    near = difflib.get_close_matches(word[:80].lower(), by_spelling, n=1, cutoff=0.5)
    return f"; did you mean {by_spelling[near[0]]}?" if near else ""
