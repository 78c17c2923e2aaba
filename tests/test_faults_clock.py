"""A clock that is set back or forward by years in the middle of a run: the same bytes, sensible times, and no waiting."""

import json
import time
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

import fakegame
import pytest
from fault_tools import child, content

from simsorry import results, simulate
from simsorry.cli._progress import Watch
from simsorry.results import running, store

YEARS = [timedelta(days=365 * years) for years in (0, -30, 20, -5, 50)]


def jumping() -> None:
    """Every look at the clock on the wall finds it years away from the last one; the one that only goes on is left alone."""
    real, jumps = time.time, cycle(YEARS)

    class Wall(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Wall":
            return cls.fromtimestamp(time.time(), tz)

    time.time = lambda: real() + next(jumps).total_seconds()
    time.time_ns = lambda: int(time.time() * 1e9)
    running.datetime = Wall  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fakegame.patch(monkeypatch)
    monkeypatch.setattr(simulate, "PART_GAMES", 100)
    monkeypatch.setattr(store, "_MANIFEST_SECONDS", 0.01)


def run(out: Path, games: int) -> None:
    watch = Watch(games, quiet=False, show=True)
    with watch.shown():
        outcome = results.run(fakegame.task(), games, out=out, block_games=25, threads=2, on_games=watch.games, say=watch.say)
    assert outcome.complete


def parts(out: Path) -> dict[str, str]:
    return {name: digest for name, digest in content(out).items() if not name.endswith(("manifest.json", ".lock"))}


def test_a_clock_that_jumps_changes_nothing_but_what_it_is_asked_for(tmp_path: Path) -> None:
    run(tmp_path / "quiet", 650)
    for games in (150, 400, 650):
        assert child(lambda games=games: run(tmp_path / "jumping", games), jumping).status == 0  # type: ignore[misc]
    assert parts(tmp_path / "jumping") == parts(tmp_path / "quiet")
    manifest = json.loads(next((tmp_path / "jumping").glob("*/manifest.json")).read_text(encoding="utf-8"))
    assert (manifest["status"], manifest["games"], len(manifest["runs"])) == ("complete", 650, 3)
    for each in manifest["runs"]:
        assert 0 < each["seconds"] < 60
        assert datetime.fromisoformat(each["started"]).tzinfo == UTC
    assert [each["status"] for each in manifest["runs"]] == ["complete"] * 3
