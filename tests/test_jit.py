"""The compile cache: a folder per version of the sources, and no trouble where none can be written."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simsorry
from simsorry import jit

PACKAGE = Path(simsorry.__file__).parent
TELL = "import json; from simsorry import jit; print(json.dumps([str(jit.cache_folder()), jit.CACHED, jit.is_cold('triple')]))"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of the package."""
    shutil.copytree(PACKAGE, tmp_path / "simsorry", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def python(code: str, where: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs code with the package that lies in a folder."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=where,
        env={**os.environ, "PYTHONPATH": str(where), "SIMSORRY_CACHE": str(where / "cache"), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def told(where: Path, **environment: str) -> tuple[str, bool, bool]:
    """In another process: the cache folder, whether it can be used, and whether ``something.triple`` will have to be compiled."""
    done = python(TELL, where, **environment)
    assert done.returncode == 0, done.stderr
    folder, cached, cold = json.loads(done.stdout)
    return folder, cached, cold


def fingerprint_after_edit(monkeypatch: pytest.MonkeyPatch, copy: Path, edited: str) -> tuple[str, str]:
    """The name of the cache folder before and after an edit."""
    monkeypatch.setattr(jit, "_PACKAGE", copy / "simsorry")
    before = jit._fingerprint()
    file = copy / "simsorry" / edited
    file.write_text(file.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    return before, jit._fingerprint()


COMPILED = ["games/classic/moves.py", "games/classic/rules.py", "games/sorreesi/uses.py", "games/sorreesi/tables.py", "games/options.py"]
COMPILED += ["rng.py", "deck.py", "lanes.py", "jit.py"]


@pytest.mark.parametrize("edited", COMPILED)
def test_an_edit_of_a_compiled_source_gives_a_new_folder(monkeypatch: pytest.MonkeyPatch, copy: Path, edited: str) -> None:
    before, after = fingerprint_after_edit(monkeypatch, copy, edited)
    assert before != after


@pytest.mark.parametrize("edited", ["simulate.py", "cli/__init__.py", "rulesets/hasbro.toml"])
def test_other_edits_keep_the_folder(monkeypatch: pytest.MonkeyPatch, copy: Path, edited: str) -> None:
    before, after = fingerprint_after_edit(monkeypatch, copy, edited)
    assert before == after


def test_every_source_that_numba_compiles_is_watched() -> None:
    watched = {path for pattern in jit._COMPILED for path in PACKAGE.glob(pattern)}
    uses_numba = re.compile(r"^from simsorry\.jit import|^import numba", re.MULTILINE)
    compiled = {path for path in PACKAGE.rglob("*.py") if uses_numba.search(path.read_text(encoding="utf-8"))}
    assert PACKAGE / "rng.py" in compiled
    assert compiled <= watched


def test_the_next_process_sees_an_edit(copy: Path) -> None:
    before, _, _ = told(copy)
    (copy / "simsorry" / "games" / "classic" / "moves.py").write_text("# edited", encoding="utf-8")
    after, _, _ = told(copy)
    assert before != after
    assert Path(after).parent == Path(before).parent == copy / "cache"


def test_code_with_checked_indices_lies_in_a_folder_of_its_own(copy: Path) -> None:
    assert told(copy)[0] != told(copy, NUMBA_BOUNDSCHECK="1")[0]


COMPILE = """
import numpy as np
from simsorry import jit, lanes

@jit.inner
def twice(n):
    return n + n

@jit.small
def once_more(n):
    return twice(n) + n

@jit.entry
def triple(n):
    return once_more(n)

assert triple(np.uint64(14)) == 42
"""


def compile_something(where: Path, **environment: str) -> None:
    """Compiles through all three decorators, from a file as the cache wants it."""
    (where / "something.py").write_text(COMPILE, encoding="utf-8")
    done = python("import something", where, **environment)
    assert done.returncode == 0, done.stderr


def test_a_function_is_cold_until_it_is_compiled(copy: Path) -> None:
    folder, cached, cold = told(copy)
    assert cached
    assert cold
    assert not list(Path(folder).rglob("*.nbc"))
    compile_something(copy)
    assert told(copy) == (folder, True, False)
    assert "True" in python("from simsorry import jit; print(jit.is_cold('play_single'))", copy).stdout  # another still is


def test_a_folder_that_cannot_be_made_means_slower_not_broken(copy: Path) -> None:
    blocked = copy / "a file"
    blocked.write_text("not a folder", encoding="utf-8")
    cache = str(blocked / "cache")
    folder, cached, cold = told(copy, SIMSORRY_CACHE=cache)
    assert not cached
    assert cold
    assert not Path(folder).exists()
    compile_something(copy, SIMSORRY_CACHE=cache)


def test_a_folder_that_may_not_be_written_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert jit._usable(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: not (path == tmp_path and mode & os.W_OK))  # root may write anywhere
    assert not jit._usable(tmp_path)


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SIMSORRY_CACHE", str(tmp_path / "own"))
    assert jit.cache_root() == tmp_path / "own"
    monkeypatch.delenv("SIMSORRY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert jit.cache_root() == tmp_path / "xdg" / "simsorry"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert jit.cache_root() == tmp_path / "home" / ".cache" / "simsorry"


def test_caches_nobody_has_used_for_a_month_go(copy: Path) -> None:
    folder = Path(told(copy)[0])
    month = 31 * 86_400
    made: dict[str, bool] = {"0" * len(folder.name): False, "f" * len(folder.name): True, "notes": True}
    for name in made:
        (folder.parent / name).mkdir()
        (folder.parent / name / "x.nbc").write_bytes(b"x")
    now = folder.stat().st_mtime
    for name in ("0" * len(folder.name), "notes"):
        os.utime(folder.parent / name, (now - month, now - month))
    os.utime(folder, (now - month, now - month))
    told(copy)
    assert {name: (folder.parent / name).exists() for name in made} == made
    assert folder.stat().st_mtime > now - month  # using it keeps it


def test_compiled_functions_run_without_the_lock() -> None:
    # Threads are of no use otherwise; the option is what numba was given.
    entry: Any = jit.entry(lambda n: n)
    assert entry.targetoptions["nogil"]
    assert entry(np.int64(3)) == 3
