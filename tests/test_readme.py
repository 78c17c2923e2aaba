"""What the README shows is what happens: its commands and programs are run, its files loaded, its tables and paths compared.

A ``console`` block holds commands and what they print; ``…`` alone on a line stands for any lines. A ``text`` block after
a ``python`` block is what that prints. A ``toml NAME`` block, or a ``python NAME.py`` block, is the file of that name. In a
``console speeds`` block any number stands for any other. ``pytest tests/test_readme.py --update`` (in one process, so without
``-n``) writes what is printed now into the README, and leaves out what was left out before.
"""

import contextlib
import difflib
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from simsorry import errors, policies, question, rulesets, stats
from simsorry.cli import app
from simsorry.games import classic, ice, sorreesi

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "experiments" / "README.md", ROOT / "reports" / "README.md"]
README = PAGES[0].read_text(encoding="utf-8")
WIDTH = "100"  # columns of the terminal that the README shows
OMISSION = "…"

_BLOCK = re.compile(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"\d[\d,.]*")


class Fenced(NamedTuple):
    """A block of code."""

    kind: str
    note: str  # after the kind
    text: str


def blocks(markdown: str) -> list[Fenced]:
    return [Fenced(*match) for match in _BLOCK.findall(markdown)]


def sections() -> dict[str, str]:
    """Text by heading; what stands before the first one comes under the title."""
    parts = re.split(r"^## (.+)$", README, flags=re.MULTILINE)
    return {"simsorry": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def table(first: str) -> str:
    """The rows of the table whose first column has this heading."""
    found = re.findall(rf"^\| {re.escape(first)} \|.*\n\|[ -|]*\n((?:\|.*\n)+)", README, re.MULTILINE)
    assert len(found) == 1, f"{len(found)} tables begin with {first}"
    return str(found[0])


def first_cells(rows: str) -> list[str]:
    return [row.split("|")[1].strip() for row in rows.splitlines()]


def as_rows(entries: Iterable[tuple[str, str]]) -> str:
    return "".join(f"| `{name}` | {meaning} |\n" for name, meaning in entries)


def renew(old: str, new: str) -> None:
    """Puts a text in the README in place of one that stands there once."""
    page = PAGES[0].read_text(encoding="utf-8")
    assert page.count(old) == 1, "what stands there twice must be renewed by hand"
    PAGES[0].write_text(page.replace(old, new), encoding="utf-8")


# -- commands and programs -------------------------------------------------------------------------


def commands(block: Fenced) -> list[tuple[str, str]]:
    """Each command of a console block with what it is shown to print."""
    parts = re.split(r"^\$ (.+)\n", block.text, flags=re.MULTILINE)
    assert parts[0] == "", "a console block begins with a command"
    return list(zip(parts[1::2], parts[2::2], strict=True))


def output(command: str) -> tuple[int, str]:
    """Exit code and output of a command of the README, errors included, progress not."""
    words = shlex.split(command)
    assert words[0] == "./run", f"{command}: the README's commands begin with ./run"
    if words[1] == "simsorry":
        done = CliRunner().invoke(app, words[2:], env={"COLUMNS": WIDTH}, prog_name="simsorry")
        return done.exit_code, re.sub(r"^compiling .*\n", "", done.output, flags=re.MULTILINE)
    assert words[1] == "python"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    script = subprocess.run(
        [sys.executable, ROOT / words[2], *words[3:]], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    return script.returncode, script.stdout + script.stderr


def matches(shown: str, printed: str) -> bool:
    """Whether what is shown, with its omissions, is what was printed."""
    lines = (r"(?:.*\n)*" if line == OMISSION else re.escape(line) + r" *\n" for line in shown.rstrip().splitlines())
    return re.fullmatch("".join(lines), printed.rstrip() + "\n") is not None


def masked(text: str) -> str:
    """With 0 for every number and one space for several."""
    return re.sub(" +", " ", _NUMBER.sub("0", text))


def renewed(shown: str, printed: str) -> str:
    """What is printed now, in place of what was shown before, with the same omissions."""
    lines = [line.rstrip() for line in printed.rstrip().splitlines()]
    pieces = [piece.splitlines() for piece in re.split(rf"^{OMISSION}\n", shown, flags=re.MULTILINE)]
    if len(pieces) == 1:
        return "\n".join(lines) + "\n"
    found, begin = [], 0
    for number, piece in enumerate(pieces):
        last = len(lines) - len(piece)
        places = range(begin, last + 1) if 0 < number < len(pieces) - 1 else [last] if number else [0]
        place = max(places, key=lambda place: _likeness(piece, lines[place : place + len(piece)]))
        begin = place + len(piece)
        found.append("".join(f"{line}\n" for line in lines[place:begin]))
    return f"{OMISSION}\n".join(found)


def _likeness(piece: list[str], lines: list[str]) -> float:
    return sum(difflib.SequenceMatcher(None, masked(old), masked(new)).ratio() for old, new in zip(piece, lines, strict=True))


def run_console(block: Fenced) -> Iterator[tuple[str, str]]:
    """Runs the commands; yields what is shown and what is printed."""
    for command, shown in commands(block):
        code, printed = output(command)
        assert (code != 0) == printed.startswith("simsorry: "), f"{command} ended with {code}:\n{printed}"
        yield shown, printed


def run_python(block: Fenced, names: dict[str, Any]) -> str:
    """What a program prints; one that needs a package that is not here is only compiled."""
    program = compile(block.text, "README.md", "exec")
    if block.note and importlib.util.find_spec(block.note) is None:
        return ""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(program, names)
    return said.getvalue()


def outputs(section: str) -> Iterator[tuple[Fenced, str, str]]:
    """Runs everything in a section; yields each block that shows an output, with what it shows and what was printed."""
    names: dict[str, Any] = {}
    printed = ""
    for block in blocks(section):
        if block.kind == "console":
            yield from ((block, *each) for each in run_console(block))
        elif block.kind == "python" and not block.note.endswith(".py"):
            printed = run_python(block, names)
        elif block.kind == "text" and printed:
            yield block, block.text, printed


@pytest.mark.parametrize(
    "heading", [name for name, text in sections().items() if {"console", "python"} & {each.kind for each in blocks(text)}]
)
def test_what_is_shown_is_what_happens(heading: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update: bool) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks(README):
        if block.kind == "toml" or block.note.endswith(".py"):
            (tmp_path / block.note).write_text(block.text, encoding="utf-8")
    for block, shown, printed in outputs(sections()[heading]):
        if update:
            renew(shown, renewed(shown, printed))
        elif block.note == "speeds":
            assert matches(masked(shown), masked(printed)), printed
        else:
            assert matches(shown, printed), printed


@pytest.mark.parametrize("command", re.findall(r"\| `(.+)` \|$", table("question"), re.MULTILINE))
def test_a_question_is_answered(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, printed = output(f"./run {command} --games {100 if ' price ' in command else 20}")
    assert code == 0, printed


def test_rulesets_of_the_experiments_are_there() -> None:
    shown = [command for block in blocks(PAGES[1].read_text(encoding="utf-8")) if block.kind == "console" for command, _ in commands(block)]
    assert shown
    for command in shown:
        for name in command.partition(" --")[0].split()[3:]:
            rulesets.load(name)


def test_every_question_is_listed_under_its_title() -> None:
    listed = re.findall(r"^\| \[(.+)\]\(\1\) \| (.+) \|$", PAGES[1].read_text(encoding="utf-8"), re.MULTILINE)
    files = (ROOT / "experiments").glob("*.toml")
    assert dict(listed) == {file.name: question.load(str(file)).title for file in files}


def test_the_gallery_has_an_answer_to_every_question() -> None:
    gallery = ROOT / "reports" / "gallery"
    questions = {file.stem for file in (ROOT / "experiments").glob("*.toml")}
    assert {path.name for path in gallery.iterdir() if path.is_dir()} == questions
    page = (gallery / "README.md").read_text(encoding="utf-8")
    assert all(f"]({name}/README.md)" in page for name in questions)


def test_omissions_stand_for_any_lines() -> None:
    assert matches("a\n…\nd\n", "a\nc\nc\nd\n")
    assert matches("a\n…\n", "a\n")
    assert not matches("a\n…\nd\n", "a\nc\n")
    assert masked("1,234   games 5.6") == masked("9 games   12,000.5")


def test_what_is_renewed_leaves_out_the_same() -> None:
    assert renewed("won 1\n", "won 2\nlost 3 \n") == "won 2\nlost 3\n"
    assert renewed("a 1\n…\nbumps 2\n…\nend 3\n", "a 4\nb\nc\nbumps 5\nd\nend 6\n") == "a 4\n…\nbumps 5\n…\nend 6\n"
    assert renewed("…\nbumps 2\n…\n", "a 4\nbumps 5\nd\n") == "…\nbumps 5\n…\n"


def test_files_load() -> None:
    files = [block for block in blocks(README) if block.kind == "toml"]
    assert {block.note for block in files} == {"mine.toml", "kind.toml", "ties.toml", "fours.toml", "first.toml"}


def test_plain_help_has_no_boxes() -> None:
    assert "TYPER_USE_RICH=0 ./run simsorry" in README
    environment = {**os.environ, "TYPER_USE_RICH": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "simsorry", "--help"], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stdout.isascii()


# -- tables ----------------------------------------------------------------------------------------


LISTS: dict[str, Callable[[], Iterable[tuple[str, str]]]] = {
    "ruleset": lambda: rulesets.titles().items(),
    "policy": lambda: ((name, policies.load(name).description) for name in policies.names()),
    "column of games": lambda: ((column.name, column.meaning) for column in classic.GAME_COLUMNS),
    "column of seats": lambda: ((column.name, column.meaning) for column in classic.SEAT_COLUMNS),
    "column of games of Sorreesi": lambda: ((column.name, column.meaning) for column in sorreesi.GAME_COLUMNS),
    "column of seats of Sorreesi": lambda: ((column.name, column.meaning) for column in sorreesi.SEAT_COLUMNS),
    "column of games of Ice Soo Sorry!": lambda: ((column.name, column.meaning) for column in ice.GAME_COLUMNS),
    "column of seats of Ice Soo Sorry!": lambda: ((column.name, column.meaning) for column in ice.SEAT_COLUMNS),
}


@pytest.mark.parametrize("first", LISTS)
def test_every_one_is_listed_with_its_own_words(first: str, update: bool) -> None:
    shown, there = table(first), as_rows(LISTS[first]())
    if update:
        renew(shown, there)
    else:
        assert shown == there


@pytest.mark.parametrize(("first", "game"), [("options", classic), ("options of Sorreesi", sorreesi), ("options of Ice Soo Sorry!", ice)])
def test_every_option_is_named_in_its_order(first: str, game: Any) -> None:
    assert re.findall(r"`(\w+)`", table(first)) == list(game.Rules.model_fields)


def test_every_verdict_is_explained() -> None:
    words = {stats.DIFFERENT, stats.SAME, stats.NEGLIGIBLE, stats.UNSIZED, stats.UNDECIDED}
    assert set(first_cells(table("verdict"))) == words


def test_every_exit_code_is_explained() -> None:
    codes = {
        0, errors.FAILURE, errors.USAGE, errors.IMPRECISE, errors.INVALID, errors.PARTIAL, errors.MISSING, errors.INTERRUPTED,
    }  # fmt: skip
    assert set(map(int, first_cells(table("code")))) == codes


# -- paths and links -------------------------------------------------------------------------------

_PATH = re.compile(r"`((?:simsorry|tests|reports|experiments)/[^`\s]*)`")


@pytest.mark.parametrize("path", sorted(set(_PATH.findall(README))))
def test_a_path_that_is_named_exists(path: str) -> None:
    assert list(ROOT.glob(path.replace("NAME", "*"))), path


def test_every_part_of_the_package_is_on_the_map() -> None:
    parts = {path.name for path in (ROOT / "simsorry").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    named = {path.split("/")[1] for path in _PATH.findall(sections()["From a rule to a report"]) if path.startswith("simsorry/")}
    assert parts - named == {"__init__.py", "__main__.py"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    markdown = page.read_text(encoding="utf-8")
    anchors = {"#" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.+)$", markdown, re.MULTILINE)}
    for link in re.findall(r"\]\(([^)\s]+)\)", markdown):
        if link.startswith("#"):
            assert link in anchors
        elif not link.startswith("https://"):
            assert (page.parent / link).exists(), link
