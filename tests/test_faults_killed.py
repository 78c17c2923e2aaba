"""Killed before any change of the disk, one after the other: what is whole stays, the same command goes on, and nothing is left over."""

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import fakegame
import pytest
from cli_tools import said
from fault_tools import QUESTION, content, hidden, killed_everywhere

from simsorry import results, simulate
from simsorry.report import folder as report_folder
from simsorry.report.gallery import GALLERY
from simsorry.results import export, folders, store

PART = 100
OLD = {"report.json": b'{"format": "simsorry report 2", "of": "old"}', "report.html": b"old", "figures/old.svg": b"old"}
NEW = {"report.json": b'{"format": "simsorry report 2", "of": "new"}', "report.html": b"new", "figures/new.svg": b"new"}
OLD_GALLERY = {"gallery.json": b'{"format": "simsorry gallery 1", "files": {"old.md": "cba06b5736faf67e"}}', "old.md": b"old"}
NEW_GALLERY = {"gallery.json": b'{"format": "simsorry gallery 1", "files": {"a/new.md": "11507a0e2f5e69d5"}}', "a/new.md": b"new"}


@pytest.fixture
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fakegame.patch(monkeypatch)
    monkeypatch.setattr(simulate, "PART_GAMES", PART)
    monkeypatch.setattr(os, "fsync", lambda _: None)  # a killed process leaves its writes to the system
    monkeypatch.setattr(store, "_MANIFEST_SECONDS", 0.0)  # written as often as can be
    monkeypatch.setattr(store, "_MANIFEST_PAUSE", 0)


def run(out: Path, games: int = 130) -> None:
    assert results.run(fakegame.task(), games, out=out, block_games=50, threads=1).complete


def stored(out: Path) -> dict[str, str]:
    """All that a run leaves but for what tells of when and where it was."""
    return {name: digest for name, digest in content(out).items() if not name.endswith(("manifest.json", ".lock"))}


@pytest.mark.usefixtures("_fake")
@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("before", [0, 110])
def test_a_run_killed_anywhere_goes_on(tmp_path: Path, before: int, every: int) -> None:
    run(tmp_path / "quiet")
    quiet, count = stored(tmp_path / "quiet"), 0

    def begun(out: Path) -> None:
        if before:
            run(out, before)

    for out in killed_everywhere(run, tmp_path, begun, every):
        count += every
        assert not before or results.tasks(out)[0].games >= before
        run(out)
        assert stored(out) == quiet
        assert hidden(out) == []
        manifest = json.loads(next(out.glob("*/manifest.json")).read_text(encoding="utf-8"))
        assert (manifest["status"], manifest["games"]) == ("complete", 130)
    assert count > 20


def exporting(out: Path, *tables: str) -> None:
    wanted = export.Wanted(results.tasks(out.parent / "runs"), tables or export.TABLES)
    assert export.write(wanted, out / "made", stop=threading.Event(), on_games=lambda _: None)


WRITERS: dict[str, tuple[Callable[[Path], None], Callable[[Path], None]]] = {  # an earlier one, and the one that replaces it
    "report": (lambda out: report_folder.write(OLD, out / "made"), lambda out: report_folder.write(NEW, out / "made")),
    "gallery": (
        lambda out: report_folder.write(OLD_GALLERY, out / "made", GALLERY),
        lambda out: report_folder.write(NEW_GALLERY, out / "made", GALLERY),
    ),
    "export": (lambda out: exporting(out, "summary"), exporting),
}


def made(write: Callable[[Path], None], out: Path) -> dict[str, str]:
    """What is written where nothing was."""
    out.mkdir()
    write(out)
    return content(out / "made")


@pytest.mark.usefixtures("_fake")
@pytest.mark.parametrize(("earlier", "in_one_step"), [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize(
    ("kind", "every"), [("report", 1), ("gallery", 1), ("export", 4), pytest.param("export", 1, marks=pytest.mark.slow)]
)
def test_a_folder_killed_anywhere_is_the_earlier_one_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, every: int, earlier: bool, in_one_step: bool
) -> None:
    if not in_one_step:
        monkeypatch.setattr(folders, "exchange", lambda _one, _other: False)  # as where the file system can't
    run(tmp_path / "runs", 30)
    (write_old, write_new), count = WRITERS[kind], 0
    old, new = made(write_old, tmp_path / "old"), made(write_new, tmp_path / "new")

    def begun(out: Path) -> None:
        out.mkdir()
        if earlier:
            write_old(out)

    for out in killed_everywhere(write_new, tmp_path, begun, every):
        count += every
        folders.tidy(out / "made")  # as every command begins that writes one
        assert content(out / "made") in ((old, new) if earlier else ({}, new))
        assert hidden(out) == []
        write_new(out)
        assert content(out / "made") == new
        assert hidden(out) == []
    assert count > len(new)


@pytest.mark.usefixtures("_fake")
def test_where_there_are_no_locks_nothing_is_swept_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_old, write_new = WRITERS["report"]
    (killed, *_) = (out for out in killed_everywhere(write_old, tmp_path, every=3) if hidden(out))
    left = hidden(killed)

    def refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    with monkeypatch.context() as patch:
        patch.setattr("fcntl.flock", refuse)
        write_new(killed)
        assert hidden(killed) == left  # somebody might be at it
    assert content(killed / "made") == made(write_new, tmp_path / "new")
    write_new(killed)
    assert hidden(killed) == []


@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize("every", [41, pytest.param(1, marks=pytest.mark.slow)])
def test_a_study_killed_anywhere_goes_on(tmp_path: Path, every: int) -> None:
    def study(out: Path) -> None:
        said("study", str(out / "slides.toml"), "--threads", "1", "--quiet")

    def begun(out: Path) -> None:
        out.mkdir()
        (out / "slides.toml").write_text(QUESTION, encoding="utf-8")

    begun(tmp_path / "quiet")
    study(tmp_path / "quiet")
    for out in killed_everywhere(study, tmp_path, begun, every):
        study(out)
        assert stored(out) == stored(tmp_path / "quiet")
        assert hidden(out) == []
