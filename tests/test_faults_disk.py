"""Full disks, folders that may not be written, vanish or turn into files, and two at one folder: a sentence, and nothing is lost."""

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import fakegame
import pytest
from cli_tools import said, simsorry_says
from fault_tools import QUESTION, Ended, child, children, content, hidden, largest_file, nobody, read_only, small_disk

from simsorry import results, simulate
from simsorry.errors import FAILURE, INVALID, PARTIAL
from simsorry.report import folder as report_folder
from simsorry.report.gallery import GALLERY
from simsorry.results import export

PART = 500
REPORT = {"report.json": b'{"format": "simsorry report 2"}', "report.html": b"x" * 300_000, "figures/one.svg": b"<svg></svg>"}
LIST = b'{"format": "simsorry gallery 1", "files": {"a/README.md": "d9c30921ab850a0e"}}'
GOES_ON = "what was whole stays, and the same command goes on from there"
ANEW = "what was there before stays, and the same command makes it anew"


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fakegame.patch(monkeypatch)
    monkeypatch.setattr(simulate, "PART_GAMES", PART)


@pytest.fixture(scope="module", autouse=True)
def _warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Has all modules imported that a user without rights may not read."""
    out = tmp_path_factory.mktemp("warm")
    with pytest.MonkeyPatch.context() as patch:
        fakegame.patch(patch)
        run(out, 1500)
        results.read_games(out)
        make_report(out)
        make_export(out, out.with_name("exported"))


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that everybody may look into and write to, unlike those of pytest."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def run(out: Path, games: int = 4500) -> None:
    assert results.run(fakegame.task(), games, out=out, threads=2, block_games=250).complete


def make_report(out: Path) -> None:
    report_folder.write(REPORT, out / "made")


def make_gallery(out: Path) -> None:
    report_folder.write({"gallery.json": LIST, "a/README.md": b"y" * 300_000}, out / "made", GALLERY)


def make_export(runs: Path, out: Path) -> None:
    wanted = export.Wanted(results.tasks(runs))
    assert export.write(wanted, out / "made", stop=threading.Event(), on_games=lambda _: None)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    run(tmp_path / "runs", 2000)
    return tmp_path / "runs"


@pytest.fixture(params=["report", "gallery", "export"])
def make(request: pytest.FixtureRequest, runs: Path) -> Callable[[Path], None]:
    """Makes one of the folders that appear whole or not at all."""
    makers: dict[str, Callable[[Path], None]] = {"report": make_report, "gallery": make_gallery, "export": partial(make_export, runs)}
    return makers[request.param]


# -- full disks ------------------------------------------------------------------------------------


def test_a_run_goes_on_once_a_full_disk_has_room(tmp_path: Path, shared: Path) -> None:
    def fill_and_make_room() -> str:
        filler = shared / "filler"
        filler.write_bytes(b"\0" * 1_100_000)
        first = child(partial(run, shared / "out"))
        assert not hidden(shared)
        filler.unlink()
        run(shared / "out")
        assert stored(shared) == stored(tmp_path)
        return f"{first.status} {first.text}"

    run(tmp_path / "out")
    ended = child(fill_and_make_room, small_disk(shared, 1_600_000))
    assert ended.status == 0, ended
    assert ended.text.startswith(f"{PARTIAL} the disk is full: ")
    assert ended.text.endswith(f"{GOES_ON} once there is room")


def stored(folder: Path) -> dict[str, str]:
    return {name: digest for name, digest in content(folder).items() if "/part-" in name}


def test_a_folder_that_a_full_disk_refuses_is_made_once_there_is_room(make: Callable[[Path], None], shared: Path) -> None:
    def fill_and_make_room() -> str:
        make(shared)
        before = content(shared / "made")
        (shared / "filler").write_bytes(b"\0" * (free(shared) - 100_000))
        full = child(partial(make, shared))
        assert content(shared / "made") == before
        assert not hidden(shared)
        (shared / "filler").unlink()
        make(shared)
        return full.sentence

    ended = child(fill_and_make_room, small_disk(shared, 8_000_000))
    assert ended.status == 0, ended
    assert ended.text == f"the disk is full: {shared / 'made'} could not be written; {ANEW} once there is room"


@pytest.mark.usefixtures("sketched")
def test_a_study_goes_on_once_a_full_disk_has_room(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # a real game

    def fill_and_make_room() -> str:
        (shared / "slides.toml").write_text(QUESTION, encoding="utf-8")
        (shared / "filler").write_bytes(b"\0" * (free(shared) - 60_000))
        full = simsorry_says("study", str(shared / "slides.toml"), "--quiet")
        assert (full.exit_code, full.stdout) == (PARTIAL, "")
        (shared / "filler").unlink()
        said("study", str(shared / "slides.toml"), "--quiet")
        assert not hidden(shared)
        return full.stderr

    ended = child(fill_and_make_room, small_disk(shared, 4_000_000))
    assert ended.status == 0, ended
    assert ended.text.startswith(f"simsorry: {shared / 'slides.toml'}: the disk is full: ")
    assert ended.text.endswith(f"{GOES_ON} once there is room\n")


def free(folder: Path) -> int:
    about = os.statvfs(folder)
    return about.f_bavail * about.f_frsize


def test_a_folder_with_a_file_that_is_too_large_is_not_made(make: Callable[[Path], None], tmp_path: Path) -> None:
    ended = child(partial(make, tmp_path), largest_file(20_000))
    assert ended.status in (FAILURE, PARTIAL)
    assert ended.sentence.endswith(f"it is larger than files may be here (ulimit -f); {ANEW}")
    assert not (tmp_path / "made").exists()
    assert not hidden(tmp_path)


# -- folders that may not be written ---------------------------------------------------------------


def forbidden(work: Callable[[Path], object], folder: Path, how: str) -> Ended:
    """Work in a folder that may not be written, by a user without rights or on a disk that is read only."""
    if how == "rights":
        folder.chmod(0o555)
        return child(partial(work, folder), nobody)
    return child(partial(work, folder), read_only(folder))


@pytest.mark.parametrize("how", ["rights", "read-only"])
def test_a_run_into_a_folder_that_may_not_be_written(shared: Path, how: str) -> None:
    ended = forbidden(lambda out: run(out / "out"), shared, how)
    assert ended.status == INVALID
    assert "may not be written or read: " in ended.sentence
    assert "choose another folder or change its permissions" in ended.sentence


@pytest.mark.parametrize("how", ["rights", "read-only"])
def test_a_run_that_would_add_to_what_may_not_be_written(shared: Path, how: str) -> None:
    run(shared / "out", 1500)
    before = content(shared)
    for path in [shared, *shared.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    ended = forbidden(lambda out: run(out / "out"), shared, how)
    assert ended.status == INVALID
    assert "may not be written or read: " in ended.sentence
    assert content(shared) == before


@pytest.mark.parametrize("how", ["rights", "read-only"])
def test_what_may_not_be_written_can_be_read(shared: Path, how: str) -> None:
    run(shared / "out", 1500)
    shared.joinpath("out").chmod(0o555)
    ended = forbidden(lambda out: len(results.read_games(out / "out")), shared, how)
    assert (ended.status, ended.text) == (0, "1500")


@pytest.mark.parametrize("how", ["rights", "read-only"])
def test_a_folder_is_not_made_where_nothing_may_be_written(make: Callable[[Path], None], shared: Path, how: str) -> None:
    ended = forbidden(make, shared, how)
    assert ended.status in (INVALID, FAILURE, PARTIAL)
    assert "nothing can be written to" in ended.sentence or "may not be written or read" in ended.sentence
    assert not list(shared.iterdir())


# -- folders that vanish or turn into files --------------------------------------------------------


@pytest.mark.parametrize("then", ["gone", "file"])
def test_a_runs_folder_vanishes_in_the_middle(tmp_path: Path, then: str) -> None:
    out = tmp_path / "out"

    def vanish(_: int) -> None:
        if out.is_dir():
            shutil.rmtree(out)
        if then == "file" and not out.exists():
            out.write_text("mine", encoding="utf-8")

    ended = child(lambda: results.run(fakegame.task(), 4500, out=out, block_games=250, threads=1, on_games=vanish))
    assert ended.status == PARTIAL
    assert ("its folder vanished" if then == "gone" else "is a file") in ended.sentence
    assert then == "gone" or out.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("then", ["gone", "file"])
def test_the_place_of_a_folder_vanishes_while_it_is_made(runs: Path, tmp_path: Path, then: str) -> None:
    place = tmp_path / "place"
    place.mkdir()

    def vanish(_: int) -> None:
        if place.is_dir():
            shutil.rmtree(place)
        if then == "file":
            place.write_text("mine", encoding="utf-8")

    wanted = export.Wanted(results.tasks(runs))
    ended = child(lambda: export.write(wanted, place / "made", stop=threading.Event(), on_games=vanish))
    assert ended.status == PARTIAL
    assert ("its folder vanished" if then == "gone" else "is a file") in ended.sentence
    assert then == "gone" or place.read_text(encoding="utf-8") == "mine"


def test_what_is_put_in_the_way_of_a_folder_is_not_lost(runs: Path, tmp_path: Path) -> None:
    def put(_: int) -> None:
        (tmp_path / "made").write_text("mine", encoding="utf-8")

    wanted = export.Wanted(results.tasks(runs))
    ended = child(lambda: export.write(wanted, tmp_path / "made", stop=threading.Event(), on_games=put))
    assert "is a file" in ended.sentence
    assert (tmp_path / "made").read_text(encoding="utf-8") == "mine"
    assert not hidden(tmp_path)


# -- two at once -----------------------------------------------------------------------------------


def test_two_that_make_one_folder_leave_one_that_is_whole(make: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / "quiet").mkdir()
    make(tmp_path / "quiet")
    quiet = content(tmp_path / "quiet" / "made")

    def again() -> None:
        for _ in range(6):
            make(tmp_path)

    assert [ended.status for ended in children(again, again, again)] == [0, 0, 0]
    assert content(tmp_path / "made") == quiet
    assert not hidden(tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("sketched")
def test_two_studies_of_one_question_give_one_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # a real game

    def study(folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        (folder / "slides.toml").write_text(QUESTION, encoding="utf-8")
        said("study", str(folder / "slides.toml"), "--quiet")

    study(tmp_path / "alone")
    both = children(partial(study, tmp_path / "both"), partial(study, tmp_path / "both"))
    assert [ended.status for ended in both] == [0, 0], both
    assert stored(tmp_path / "both") == stored(tmp_path / "alone")
    report = Path("results") / "slides" / "report"
    assert content(tmp_path / "both" / report) == content(tmp_path / "alone" / report)
    assert not hidden(tmp_path)
