"""What the tests of hostile input share: the program called as a shell calls it, what it may answer, and what is thrown at it."""

import io
import json
import os
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from simsorry import cli, games
from simsorry.rulesets import options

CODES = {0, 1, 2, 3, 4, 5, 69}  # of the epilog of ``simsorry --help``, but for that of an interrupt
SECONDS = 20  # of processor time, for what is refused in milliseconds
MEMORY = 3 << 30  # bytes of address space more than there are at the beginning
LONGEST = 2_100  # characters of a sentence
CAMPAIGN = int(os.environ.get("SIMSORRY_HOSTILE_EXAMPLES", "0"))  # examples of each test of many, others every time; 0 for the usual few
FEW = settings(
    max_examples=CAMPAIGN or 8,
    deadline=None,
    derandomize=not CAMPAIGN,
    database=None,
    phases=[Phase.explicit, Phase.generate],  # to shrink what fails would take minutes
    suppress_health_check=list(HealthCheck),
)
SCRIPT = "<script>alert(1)</script>"


class Answer(NamedTuple):
    """What the program did."""

    code: int
    out: str
    err: str


@contextmanager
def _bounded() -> Iterator[None]:
    """Less than all the memory, and not for ever: who needs more gets a MemoryError, who takes longer an alarm."""
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)

    def too_long(*_: object) -> None:
        pytest.fail(f"no answer within {SECONDS} seconds of processor time")

    old = signal.signal(signal.SIGPROF, too_long)
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, hard))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.signal(signal.SIGPROF, old)


def answer(*arguments: str) -> Answer:
    """Calls the program in this process, as a shell would."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, _bounded():
        patch.setattr(sys, "argv", ["simsorry", *arguments])
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.setenv("COLUMNS", "100")
        patch.setenv("NO_COLOR", "1")
        with pytest.raises(SystemExit) as end:
            cli.main()
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))
    return Answer(end.value.code if isinstance(end.value.code, int) else int(end.value.code is not None), *texts)


def demand(*arguments: str, codes: Sequence[int] = tuple(CODES)) -> Answer:
    """Calls the program, and demands one of these exit codes and, if anything was wrong, a sentence a line and nothing else."""
    given = answer(*arguments)
    shown = f"{[argument[:200] for argument in arguments]}: {given}"[:4_000]
    assert given.code in codes, shown
    assert "internal error" not in given.err, shown
    assert "Traceback" not in given.err, shown
    assert "not enough memory" not in given.err, shown
    if given.code in (1, 2, 4, 5, 69) and "Usage: " not in given.err:
        lines = given.err.splitlines()
        assert lines, shown
        assert all(line.startswith("simsorry: ") and line.isprintable() and len(line) < LONGEST for line in lines), shown
        assert "\n" not in lines[-1], shown
    return given


def refused(*arguments: str, code: int = 4) -> str:
    """The one sentence with which the program refuses."""
    (line,) = demand(*arguments, codes=(code,)).err.splitlines()
    return line


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """All that lies in a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


# -- what is thrown ----------------------------------------------------------------------------------

HUGE = (10**9, 10**18, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, 10**30, 10**400)
NUMBERS = ("1e999", "-1e999", "nan", "inf", "-inf", "-0.0", "1e-320", "0x10", "0b1", "0o7", "1_000", "١٢", "²", "1.5", "", " ", "+1", "--1")
DEEP = 300
EVIL_TEXTS = (
    SCRIPT,
    '"><img src=x onerror=alert(1)>',
    "]]>",
    "--><svg/onload=1>",
    "=1+1",
    "@SUM(A1)",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "\t=1",
    "[a](javascript:alert(1))",
    "![x](http://evil.example/x.png)",
    "`x`|y",
    "$x^2$",
    "$\\frac$",
    "\\input{/etc/passwd}",
    "a\x00b",
    "a\nb",
    "\r\nx",
    "\u202eabc",
    "\u2028",
    "\x1b[31m",
    "../../x",
    "/etc/passwd",
    "",
    " ",
    "%s%n{0}{x}",
    "{{7*7}}",
    "{% raw %}",
    "CON",
    "é" * 300,
    "x" * 5_000,
    "\udcff",
    "&lt;&#60;",
    "javascript:alert(1)",
    "'; DROP TABLE x; --",
)


def toml_text(value: Any) -> str:
    """A value as TOML writes it; also numbers and texts that TOML does not allow."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(toml_text, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {toml_text(item)}' for key, item in value.items())}}}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def nested(depth: int) -> list[Any]:
    """A list in a list in a list …"""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


OPTIONS = tuple(dict.fromkeys(option.name for game in games.GAMES for option in options(game)))
scalars = (
    st.sampled_from(HUGE)
    | st.sampled_from([-number for number in HUGE])
    | st.integers(-3, 12)
    | st.integers()
    | st.floats()
    | st.booleans()
    | st.sampled_from(EVIL_TEXTS)
    | st.sampled_from(["red", "blue", "sorry", "1", "7", "deck_44", "all", "off", "never", "red A", "balanced", "hasbro"])
    | st.text(max_size=8)
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4) | st.sampled_from(OPTIONS), inner, max_size=3)
)
names = st.sampled_from(OPTIONS)


def mutated(text: str) -> st.SearchStrategy[bytes]:
    """The bytes of a file, with up to four places of it cut out, doubled or overwritten."""
    data = text.encode()
    pieces = [
        *(number.encode() for number in NUMBERS),
        *(str(huge).encode() for huge in HUGE),
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\r",
        b"\r\n",
        b"[[",
        b"]]",
        b"{",
        b"=",
        b'"',
        b"'''",
        b"\\",
        b"\\ud800",
        b"a." * 150,
        b"[" * DEEP,
        b"\xed\xa0\x80",
        b"1979-05-27",
        b"#",
        b"\n",
    ]

    def change(changes: list[tuple[int, int, bytes]]) -> bytes:
        new = data
        for begin, length, piece in changes:
            begin %= len(new) + 1
            new = new[:begin] + piece + new[begin + length :]
        return new

    edit = st.tuples(st.integers(0, len(data)), st.integers(0, 30), st.sampled_from(pieces) | st.binary(max_size=4))
    return st.lists(edit, min_size=1, max_size=4).map(change)
