"""The compile cache where it cannot be written, is damaged, vanishes, or two fill it at once: slower, not broken, and never wrong."""

import importlib
import importlib.util
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fault_tools import child, children, largest_file, nobody, read_only

from simsorry import jit

SOURCE = """
from simsorry import jit

@jit.entry
def triple(n):
    return n * 3
"""
pytestmark = pytest.mark.skipif(jit._CONFIG.DISABLE_JIT, reason="nothing is compiled")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody may look into, with a function to compile."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    (folder / "something.py").write_text(SOURCE, encoding="utf-8")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """Has numba import all that it needs, which a user without rights may not read."""
    entry: Any = jit.entry(lambda n: n)
    assert entry(3) == 3


def compile_it(place: Path, before_the_call: Callable[[], object] = lambda: None) -> str:
    """In a child: whether the function was there already, and what was noted."""
    notes: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: notes.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("simsorry").addHandler(handler)
    os.environ["SIMSORRY_CACHE"] = str(place / "cache")
    importlib.reload(jit)
    spec = importlib.util.spec_from_file_location("something", place / "something.py")
    assert spec
    assert spec.loader
    something: Any = importlib.util.module_from_spec(spec)
    sys.modules["something"] = something  # numba looks for it there
    spec.loader.exec_module(something)
    before_the_call()
    assert something.triple(14) == 42
    return " ".join(["kept" if something.triple.stats.cache_hits else "compiled", *notes])


def kept(place: Path) -> list[Path]:
    return sorted(place.glob("cache/**/*.nbc"))


def outcome(place: Path, *before: Callable[[], object]) -> str:
    ended = child(partial(compile_it, place), *before)
    assert ended.status == 0, ended
    return ended.text


def test_what_was_compiled_is_kept(place: Path) -> None:
    assert outcome(place) == "compiled"
    assert outcome(place) == "kept"
    assert len(kept(place)) == 1


@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda data: data[: len(data) // 2], lambda data: data[:-9] + b"!" + data[-8:], lambda _: b"mine" * 99]
)
def test_damaged_code_is_compiled_again_and_mended(place: Path, damage: Callable[[bytes], bytes]) -> None:
    outcome(place)
    (file,) = kept(place)
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert outcome(place) == "compiled"
    assert kept(place) == [file]
    assert outcome(place) == "kept"


def test_code_of_another_function_is_not_taken_for_it(place: Path) -> None:
    outcome(place)
    (file,) = kept(place)
    (place / "something.py").write_text(SOURCE.replace("triple(n)", "triple(n, m=1)").replace("n * 3", "n * 3 + 1 - m"), encoding="utf-8")
    shutil.copy(file, place / "other")
    outcome(place)
    for each in kept(place):
        shutil.copy(place / "other", each)
    assert outcome(place) == "compiled"


def test_a_full_disk_is_noted(place: Path) -> None:
    said = outcome(place, largest_file(1000))
    assert said.startswith("compiled note: compiled code cannot be kept in ")
    assert "file too large; it is compiled again each time" in said
    assert not [path for path in (place / "cache").rglob("*") if path.is_file()]
    assert outcome(place) == "compiled"
    assert outcome(place) == "kept"


@pytest.mark.parametrize("how", ["rights", "read-only"])
@pytest.mark.parametrize("filled", [True, False])
def test_a_cache_that_may_not_be_written(place: Path, how: str, filled: bool) -> None:
    if filled:
        outcome(place)
    for path in [place, *place.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    assert outcome(place, nobody if how == "rights" else read_only(place)).startswith("compiled")


def test_a_cache_that_vanishes_while_it_is_in_use(place: Path) -> None:
    ended = child(lambda: compile_it(place, lambda: shutil.rmtree(place / "cache")))
    assert ended.status == 0, ended
    assert ended.text.startswith("compiled")


def test_several_that_begin_with_an_empty_cache(place: Path) -> None:
    for ended in children(*[partial(compile_it, place)] * 4):
        assert (ended.status, ended.text in ("compiled", "kept")) == (0, True), ended
    assert outcome(place) == "kept"
    assert len(kept(place)) == 1
    assert not list(place.glob("cache/**/*.tmp.*"))
