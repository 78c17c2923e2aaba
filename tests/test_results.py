"""The store: whole-or-nothing parts, resuming and extending, damage, full disks, two writers; with a game that needs no compiling."""

import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import astuple
from pathlib import Path
from typing import Any

import fakegame
import made_up
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from simsorry import results, simulate
from simsorry.errors import INTERRUPTED, INVALID, PARTIAL, SimsorryError
from simsorry.results import files, store, writing
from simsorry.results import parts as parts_module
from simsorry.simulate import Block, play
from simsorry.summary import Moments, Summary, share
from simsorry.tally import Plan, Summing, Sums, statistical_block, stored_chunk

PART = 1000  # games per part in these tests

PROGRAM = """
import sys
from pathlib import Path
import fakegame
fakegame.patch()
from simsorry import results, simulate
from simsorry.errors import SimsorryError
simulate.PART_GAMES = {part}
try:
    outcome = results.run(fakegame.task(), {games}, out=Path(sys.argv[1]), threads=2, block_games={block}, say=print)
except SimsorryError as error:
    print("error:", error)
    sys.exit(error.exit_code)
print("played", outcome.played)
"""


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fakegame.patch(monkeypatch)
    monkeypatch.setattr(simulate, "PART_GAMES", PART)


def run(out: Path, games: int, **options: Any) -> results.Outcome:
    return results.run(options.pop("task", None) or fakegame.task(), games, out=out, **options)


def parts(out: Path) -> dict[str, str]:
    """Name in the task's folder to sha256 of every part."""
    return {str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(out.glob("*/*/part-*"))}


def manifest(out: Path) -> dict[str, Any]:
    return dict(json.loads(next(out.glob("*/manifest.json")).read_text()))


def part(out: Path, table: str, first_game: int = 0) -> Path:
    return next(out.glob(f"*/{table}/part-{first_game:012d}-*"))


def start(out: Path, games: int, *, delay: float = 0.0, block: int = 50, part_games: int = PART) -> "subprocess.Popen[str]":
    program = PROGRAM.format(games=games, block=block, part=part_games)
    here = Path(__file__).parent
    environment = {**os.environ, "FAKE_DELAY": str(delay), "PYTHONPATH": f"{here}{os.pathsep}{here.parent}"}
    return subprocess.Popen([sys.executable, "-c", program, str(out)], env=environment, stdout=subprocess.PIPE, text=True)


def wait_for(condition: Any, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.01)


def stop_after(games: int) -> dict[str, Any]:
    """Options that stop a run once so many games are done."""
    stop, done = threading.Event(), [0]

    def count(more: int) -> None:
        done[0] += more
        if done[0] >= games:
            stop.set()

    return {"stop": stop, "on_games": count, "block_games": 50, "threads": 2}


# -- what is written -------------------------------------------------------------------------------


def test_rows_come_back_as_they_were_played(tmp_path: Path) -> None:
    outcome = run(tmp_path, 2300)
    block = play(fakegame.task(), 0, 2300)
    games, seats = results.read_games(tmp_path), results.read_seats(tmp_path)
    assert list(games["game"]) == list(range(2300))
    assert list(seats["game"]) == list(np.repeat(range(2300), 4))
    assert list(seats["seat"]) == [0, 1, 2, 3] * 2300
    assert set(games["task"]) == {outcome.folder and outcome.folder.name} == {fakegame.task().id}
    for table, columns in ((games, block.games), (seats, block.seats)):
        for name, column in columns.items():
            assert table[name].dtype == column.dtype, name
            np.testing.assert_array_equal(table[name].to_numpy(), column, err_msg=name)
    assert str(games["game"].dtype) == "int64"
    assert str(seats["seat"].dtype) == "uint8"
    assert games["capped"].sum() == (block.games["turns"] >= 898).sum() > 0


def test_the_footer_says_what_the_part_is(tmp_path: Path) -> None:
    run(tmp_path, 1500)
    schema = pq.read_schema(part(tmp_path, "seats", 1000))
    about = json.loads(schema.metadata[b"simsorry"])
    assert (about["format"], about["table"], about["first_game"], about["games"]) == (simulate.FORMAT, "seats", 1000, 500)
    assert about["task"] == fakegame.task().describe()
    meanings = {column.name: column.meaning for column in fakegame.SEAT_COLUMNS}
    assert schema.field("won").metadata[b"meaning"].decode() == meanings["won"]
    assert pq.ParquetFile(part(tmp_path, "games")).metadata.row_group(0).column(0).compression == "ZSTD"


def test_the_manifest_lists_every_part(tmp_path: Path) -> None:
    run(tmp_path, 2500, command=["simsorry", "run"])
    about = manifest(tmp_path)
    assert (about["status"], about["games"], about["requested"]) == ("complete", 2500, 2500)
    folder = tmp_path / about["task"]
    assert {entry["file"]: entry["sha256"] for entry in about["parts"]} == {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*/part-*")
    }
    rows = {entry["file"].split("/")[0]: entry["rows"] for entry in about["parts"] if entry["first_game"] == 2000}
    assert rows == {"games": 500, "seats": 2000, "tallies": 1, "summary": 1}
    assert about["runs"][0]["command"] == ["simsorry", "run"]
    assert {"simsorry", "python", "numba", "numpy", "pyarrow"} <= about["runs"][0]["versions"].keys()


def test_nothing_but_parts_and_descriptions_is_left(tmp_path: Path) -> None:
    run(tmp_path, 1200)
    left = {path.name for path in tmp_path.rglob("*") if path.is_file() and not path.name.startswith("part-")}
    assert left == {"task.json", "manifest.json", ".lock"}


@pytest.mark.parametrize("keep", ["rows", "summary"])
def test_parts_are_the_same_bytes_whatever_the_blocks_and_the_history(tmp_path: Path, keep: results.Keep) -> None:
    run(tmp_path / "whole", 3300, keep=keep)
    expected = parts(tmp_path / "whole")
    assert len(expected) == (16 if keep == "rows" else 8)
    for number, (threads, block) in enumerate([(1, 1000), (2, 7), (3, 333)]):
        run(tmp_path / str(number), 3300, keep=keep, threads=threads, block_games=block)
        assert parts(tmp_path / str(number)) == expected
    for games in (10, 700, 1000, 1001, 2999, 3300):
        run(tmp_path / "steps", games, keep=keep)
    assert parts(tmp_path / "steps") == expected


@pytest.mark.parametrize("keep", ["rows", "summary"])
def test_a_stopped_run_keeps_its_games_and_goes_on(tmp_path: Path, keep: results.Keep) -> None:
    outcome = run(tmp_path / "a", 4000, keep=keep, **stop_after(2345))
    assert not outcome.complete
    assert 2345 <= outcome.summary.games < 4000
    assert manifest(tmp_path / "a")["status"] == "partial"
    assert manifest(tmp_path / "a")["games"] == outcome.summary.games
    again = run(tmp_path / "a", 4000, keep=keep)
    assert again.complete
    assert again.played == 4000 - outcome.summary.games
    run(tmp_path / "b", 4000, keep=keep)
    assert parts(tmp_path / "a") == parts(tmp_path / "b")
    assert [each["status"] for each in manifest(tmp_path / "a")["runs"]] == ["partial", "complete"]


def test_what_is_there_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(tmp_path, 2500)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.name != ".lock"}
    monkeypatch.setattr(fakegame, "BROKEN", 5)
    second = run(tmp_path, 2500)
    assert second.played == 0
    assert second.summary == first.summary
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_extending_never_rewrites_a_full_part(tmp_path: Path) -> None:
    run(tmp_path, 2500)
    full = [part(tmp_path, table, first) for table in ("games", "seats", "tallies", "summary") for first in (0, 1000)]
    before = [path.stat().st_ino for path in full]
    assert run(tmp_path, 5000).played == 2500
    assert [path.stat().st_ino for path in full] == before


@pytest.mark.parametrize("keep", ["rows", "summary"])
def test_fewer_games_than_stored_are_summed_up_exactly(tmp_path: Path, keep: results.Keep) -> None:
    run(tmp_path, 3300, keep=keep)
    for games in (1, 1000, 1234, 3299):
        fewer = run(tmp_path, games, keep=keep)
        assert fewer.played == 0
        assert fewer.summary == results.run(fakegame.task(), games).summary
    assert results.tasks(tmp_path)[0].games == 3300


def test_tasks_do_not_mix(tmp_path: Path) -> None:
    run(tmp_path, 1200)
    run(tmp_path, 300, task=fakegame.task(seed=2))
    run(tmp_path, 50, task=fakegame.task(players=2))
    one, two, three = (fakegame.task(), fakegame.task(seed=2), fakegame.task(players=2))
    assert {stored.id: stored.games for stored in results.tasks(tmp_path)} == {one.id: 1200, two.id: 300, three.id: 50}
    assert len(results.read_games(tmp_path)) == 1550
    assert len(results.read_seats(tmp_path, tasks=[three.id])) == 100
    assert results.read_games(tmp_path, tasks=[two.id, one.id])["task"].value_counts().to_dict() == {one.id: 1200, two.id: 300}


def test_a_task_begun_with_rows_is_not_continued_with_sums(tmp_path: Path) -> None:
    run(tmp_path, 100)
    with pytest.raises(SimsorryError, match="begun with --keep rows"):
        run(tmp_path, 200, keep="summary")


# -- killed at any moment --------------------------------------------------------------------------


def test_kill_leaves_whole_parts_only_and_the_run_goes_on(tmp_path: Path) -> None:
    process = start(tmp_path, 100_000, delay=0.0002)
    wait_for(lambda: len(list(tmp_path.glob("*/summary/part-*"))) >= 3)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    stored = results.tasks(tmp_path)[0]
    assert stored.games >= 3 * PART
    for path in tmp_path.glob("*/*/part-*.parquet"):
        pq.read_table(path)
    games = results.read_games(tmp_path)
    assert list(games["game"]) == list(range(stored.games))
    again = run(tmp_path, stored.games + 1500)
    assert again.played == 1500
    run(tmp_path / "fresh", stored.games + 1500)
    fresh = {name.split("/", 1)[1] if name.startswith("fresh") else name: digest for name, digest in parts(tmp_path / "fresh").items()}
    assert {name: digest for name, digest in parts(tmp_path).items() if not name.startswith("fresh")} == fresh


@pytest.mark.parametrize("dies_at", range(1, 13))
def test_a_sudden_end_at_any_write_is_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies_at: int) -> None:
    class PowerCut(BaseException):
        pass

    calls = [0]
    real = files.write_whole

    def write(path: Path, data: bytes) -> None:
        calls[0] += 1
        if calls[0] >= dies_at:
            path.with_name(f".{path.name}.tmp-1").write_bytes(data[: len(data) // 2])
            raise PowerCut
        real(path, data)

    for module in (store, writing):
        monkeypatch.setattr(module, "write_whole", write)
    monkeypatch.setattr(store, "_MANIFEST_SECONDS", 0.0)
    monkeypatch.setattr(store, "_MANIFEST_PAUSE", 0.0)
    with pytest.raises(PowerCut):
        run(tmp_path / "a", 1500)
    for module in (store, writing):
        monkeypatch.setattr(module, "write_whole", real)
    run(tmp_path / "a", 2200)
    run(tmp_path / "b", 2200)
    assert parts(tmp_path / "a") == parts(tmp_path / "b")
    assert not list(tmp_path.glob("*/*/*/.*tmp*"))
    assert list(results.read_games(tmp_path / "a")["game"]) == list(range(2200))


def test_a_short_part_beside_the_longer_one_is_not_counted_twice(tmp_path: Path) -> None:
    run(tmp_path, 1300)
    short = {path: path.read_bytes() for path in tmp_path.glob("*/*/part-000000001000-300.*")}
    run(tmp_path, 1800)
    assert not any(path.exists() for path in short)
    for path, data in short.items():
        path.write_bytes(data)
    assert list(results.read_games(tmp_path)["game"]) == list(range(1800))
    assert results.read_summary(tmp_path) == results.run(fakegame.task(), 1800).summary
    assert run(tmp_path, 2000).played == 200
    assert not any(path.exists() for path in short)


def test_a_missing_manifest_is_made_anew(tmp_path: Path) -> None:
    run(tmp_path, 2500)
    expected = manifest(tmp_path)["parts"]
    next(tmp_path.glob("*/manifest.json")).unlink()
    assert run(tmp_path, 2500).played == 0
    assert manifest(tmp_path)["parts"] == expected
    next(tmp_path.glob("*/manifest.json")).write_text('{"parts": [')
    said: list[str] = []
    assert run(tmp_path, 2500, say=said.append).played == 0
    assert manifest(tmp_path)["parts"] == expected
    assert "made anew" in said[0]


def test_a_deleted_part_is_played_again(tmp_path: Path) -> None:
    run(tmp_path, 3500)
    expected = parts(tmp_path)
    part(tmp_path, "seats", 1000).unlink()
    assert results.tasks(tmp_path)[0].games == 2500
    assert run(tmp_path, 3500).played == 1000
    assert parts(tmp_path) == expected


# -- damage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["games", "seats", "tallies", "summary"])
@pytest.mark.parametrize("known", [True, False])
def test_a_truncated_part_is_named_with_what_to_do(tmp_path: Path, table: str, known: bool) -> None:
    run(tmp_path, 2500)
    damaged = part(tmp_path, table, 1000)
    damaged.write_bytes(damaged.read_bytes()[:-100])
    if not known:
        next(tmp_path.glob("*/manifest.json")).unlink()
    with pytest.raises(SimsorryError, match=f"{re.escape(str(damaged))} .*: delete it and repeat the run that wrote it") as raised:
        run(tmp_path, 5000)
    assert raised.value.exit_code == INVALID
    damaged.unlink()
    assert run(tmp_path, 2500).played == 1000


def test_readers_name_a_damaged_part(tmp_path: Path) -> None:
    run(tmp_path, 2500)
    next(tmp_path.glob("*/manifest.json")).unlink()  # which would tell, too
    damaged = part(tmp_path, "games", 1000)
    data = bytearray(damaged.read_bytes())
    data[len(data) // 3] ^= 0xFF  # inside a page: only its checksum can tell
    damaged.write_bytes(bytes(data))
    with pytest.raises(SimsorryError, match=f"{re.escape(str(damaged))} is damaged"):
        results.read_games(tmp_path)
    damaged.write_bytes(b"")
    with pytest.raises(SimsorryError, match="damaged or cut short"):
        list(results.iter_parts(tmp_path))


def test_a_changed_part_is_noticed_by_its_hash(tmp_path: Path) -> None:
    run(tmp_path, 1500)
    changed = part(tmp_path, "summary", 0)
    changed.write_text(changed.read_text().replace('"games": 1000', '"games": 1001'))
    with pytest.raises(SimsorryError, match=r"size or sha256 differs from manifest\.json"):
        run(tmp_path, 2000)


def test_a_part_of_another_task_is_refused(tmp_path: Path) -> None:
    run(tmp_path / "a", 1500)
    run(tmp_path / "b", 1500, task=fakegame.task(seed=2))
    foreign = part(tmp_path / "b", "games", 1000)
    here = part(tmp_path / "a", "games", 1000)
    next((tmp_path / "a").glob("*/manifest.json")).unlink()
    here.write_bytes(foreign.read_bytes())
    with pytest.raises(SimsorryError, match=f"{re.escape(str(here))} belongs to another task"):
        run(tmp_path / "a", 1500)


def test_a_strange_parquet_file_is_refused(tmp_path: Path) -> None:
    run(tmp_path, 1500)
    here = part(tmp_path, "games", 1000)
    pd.DataFrame({"a": [1]}).to_parquet(here)
    next(tmp_path.glob("*/manifest.json")).unlink()
    with pytest.raises(SimsorryError, match="was not written by simsorry"):
        run(tmp_path, 1500)
    here.rename(here.with_name("part-000000000007-500.parquet"))  # a name that none of its parts has: not ours
    assert run(tmp_path, 1500).played == 500


def test_a_folder_of_another_version_is_refused(tmp_path: Path) -> None:
    run(tmp_path, 100)
    path = next(tmp_path.glob("*/task.json"))
    about = json.loads(path.read_text())
    about["results"]["columns"]["games"].append("more")
    path.write_text(json.dumps(about))
    with pytest.raises(SimsorryError, match="other columns or parts: use another --out folder"):
        run(tmp_path, 100)
    path.write_text("[]")
    with pytest.raises(SimsorryError, match=r"task\.json"):
        run(tmp_path, 100)


# -- disks and folders -----------------------------------------------------------------------------


def test_a_full_disk_is_said_and_what_was_whole_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, written = os.fsync, [0]

    def full(descriptor: int) -> None:
        written[0] += 1
        if written[0] > 12:
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SimsorryError, match=r"the disk is full: .* could not be written; what was whole stays") as raised:
        run(tmp_path, 20_000)
    assert raised.value.exit_code == PARTIAL
    monkeypatch.setattr(os, "fsync", real)
    kept = results.tasks(tmp_path)[0].games
    assert kept >= PART
    assert not list(tmp_path.rglob(".*.tmp-*"))
    assert list(results.read_games(tmp_path)["game"]) == list(range(kept))
    assert run(tmp_path, 20_000).played == 20_000 - kept


def test_a_limit_on_file_size_is_said(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    program = PROGRAM.format(games=3000, block=50, part=PART)
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": f"{here}{os.pathsep}{here.parent}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", program, str(tmp_path / "many")]
    limited = subprocess.run([*command], env=environment, capture_output=True, text=True, preexec_fn=limit, check=False)
    assert limited.returncode == PARTIAL, limited.stderr
    assert "larger than files may be here" in limited.stdout
    assert run(tmp_path / "many", 3000).complete


def test_a_file_in_the_way_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(SimsorryError, match="is a file") as raised:
            run(out, 100)
        assert raised.value.exit_code == INVALID


def test_a_folder_that_may_not_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(30, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(SimsorryError, match="may not be written or read: read-only file system"):
        run(tmp_path / "out", 100)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(SimsorryError, match="may not be written"):
        run(tmp_path / "out", 100)
    tmp_path.chmod(0o700)


def test_a_folder_that_vanishes_is_said(tmp_path: Path) -> None:
    def vanish(_: int) -> None:
        shutil.rmtree(tmp_path / "out", ignore_errors=True)

    with pytest.raises(SimsorryError, match="its folder vanished") as raised:
        run(tmp_path / "out", 5000, on_games=vanish)
    assert raised.value.exit_code == PARTIAL


def test_an_engine_error_leaves_whole_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fakegame, "BROKEN", 2500)
    with pytest.raises(SimsorryError, match="gave up with code 3"):
        run(tmp_path, 4000, block_games=100)
    assert manifest(tmp_path)["status"] == "failed"
    monkeypatch.setattr(fakegame, "BROKEN", -1)
    assert run(tmp_path, 4000).complete


# -- two at once -----------------------------------------------------------------------------------


def test_two_runs_into_one_folder_share_the_work(tmp_path: Path) -> None:
    both = [start(tmp_path, 6000, delay=0.0002), start(tmp_path, 7500, delay=0.0002)]
    said = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum("waiting: another run (process" in text for text in said) <= 1
    assert sum(int(text.split()[-1]) for text in said) == 7500
    run(tmp_path / "fresh", 7500)
    assert {name: digest for name, digest in parts(tmp_path).items() if "fresh" not in name} == parts(tmp_path / "fresh")


def test_waiting_for_another_run_can_be_stopped(tmp_path: Path) -> None:
    process = start(tmp_path, 50_000, delay=0.001)
    wait_for(lambda: list(tmp_path.glob("*/manifest.json")) or list(tmp_path.glob("*/games")))
    stop, said = threading.Event(), []

    def say(text: str) -> None:
        said.append(text)
        stop.set()

    with pytest.raises(SimsorryError, match="stopped while waiting") as raised:
        run(tmp_path, 100, stop=stop, say=say)
    assert raised.value.exit_code == INTERRUPTED
    assert f"process {process.pid} on" in said[0]
    process.kill()
    process.communicate()
    assert run(tmp_path, 100).complete


def test_another_version_of_a_library_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = results.versions()
    monkeypatch.setattr("simsorry.results.running.versions", lambda: {**now, "pyarrow": "1.0"})
    run(tmp_path, 100)
    monkeypatch.undo()
    fakegame.patch(monkeypatch)
    monkeypatch.setattr(simulate, "PART_GAMES", PART)
    said: list[str] = []
    run(tmp_path, 200, say=said.append)
    assert said == [f"note: {tmp_path / fakegame.task().id} was last written with pyarrow 1.0 (now {now['pyarrow']})"]


# -- reading ---------------------------------------------------------------------------------------


def test_columns_can_be_chosen(tmp_path: Path) -> None:
    run(tmp_path, 1200)
    assert list(results.read_games(tmp_path, ["turns", "winner"]).columns) == ["task", "game", "winner", "turns"] or list(
        results.read_games(tmp_path, ["turns", "winner"]).columns
    ) == ["task", "game", "turns", "winner"]
    assert list(results.read_seats(tmp_path, ["won"]).columns) == ["task", "game", "seat", "won"]
    with pytest.raises(SimsorryError, match="no column turnz; did you mean turns"):
        results.read_games(tmp_path, ["turnz"])
    with pytest.raises(SimsorryError, match="holds no task feed"):
        results.read_games(tmp_path, tasks=["feed"])


def test_parts_and_blocks_can_be_read_one_by_one(tmp_path: Path) -> None:
    outcome = run(tmp_path, 2500)
    assert [len(frame) for _, frame in results.iter_parts(tmp_path, "seats", ["won"])] == [4000, 4000, 2000]
    total = Summary(4)
    for stored, block in results.iter_blocks(tmp_path):
        assert stored.id == fakegame.task().id
        total.add(Summary.of(block))
    assert total == outcome.summary == results.read_summary(tmp_path)


def test_the_tasks_own_folder_can_be_read(tmp_path: Path) -> None:
    outcome = run(tmp_path, 300)
    assert outcome.folder
    assert results.read_games(outcome.folder).equals(results.read_games(tmp_path))


@pytest.mark.parametrize("content", [None, "file", "empty"])
def test_folders_without_results_are_said(tmp_path: Path, content: str | None) -> None:
    folder = tmp_path / "x"
    if content == "file":
        folder.write_text("")
    if content == "empty":
        folder.mkdir()
    with pytest.raises(SimsorryError, match=r"does not exist|is a file|holds no results"):
        results.read_games(folder)


def test_sums_have_no_rows(tmp_path: Path) -> None:
    run(tmp_path, 300, keep="summary")
    with pytest.raises(SimsorryError, match="keeps sums only"):
        results.read_games(tmp_path)


def test_csv_holds_the_rows(tmp_path: Path) -> None:
    run(tmp_path, 1200)
    games, seats = results.export_csv(tmp_path, tmp_path / "csv")
    pd.testing.assert_frame_equal(
        pd.read_csv(games), results.read_games(tmp_path).drop(columns="task"), check_dtype=False, check_column_type=False
    )
    assert len(pd.read_csv(seats)) == 4800
    assert sorted(path.name for path in (tmp_path / "csv").iterdir()) == sorted([games.name, seats.name])


def in_format_1(folder: Path, monkeypatch: pytest.MonkeyPatch, keep: results.Keep = "rows") -> None:
    """Stores games as of an earlier format, which had no tallies."""
    with monkeypatch.context() as patch:
        for module in (simulate, store, parts_module):
            patch.setattr(module, "FORMAT", 1)
        run(folder, 300, keep=keep)
    shutil.rmtree(next(folder.glob("*/tallies")))


def test_games_of_an_earlier_format_are_not_mixed_with_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_format_1(tmp_path, monkeypatch)
    (old,) = results.tasks(tmp_path)
    assert old.description["format"] == 1
    assert run(tmp_path, 300).played == 300  # into a folder of their own, beside the old ones
    assert [each.games for each in results.tasks(tmp_path)] == [300, 300]
    assert len(results.read_games(tmp_path, tasks=[old.id])) == 300  # rows can still be read as they are


@pytest.mark.parametrize("keep", ["rows", "summary"])
def test_an_earlier_format_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keep: results.Keep) -> None:
    in_format_1(tmp_path, monkeypatch, keep)
    (old,) = results.tasks(tmp_path)
    assert old.games == 300
    sentence = r"was stored in format 1 by an earlier version of simsorry and lacks what format 4 counts: run the same command again"
    with pytest.raises(SimsorryError, match=sentence):
        results.read_summary(tmp_path)
    with pytest.raises(SimsorryError, match=sentence):
        list(results.iter_blocks(tmp_path) if keep == "rows" else results.iter_tallies(old, 300))


# -- sums ------------------------------------------------------------------------------------------


def test_sums_are_those_of_the_rows(tmp_path: Path) -> None:
    summary = run(tmp_path, 2345).summary
    games, seats = results.read_games(tmp_path), results.read_seats(tmp_path)
    turns = games["turns"].astype(float)
    assert summary.games == 2345
    assert summary.mean("turns") == pytest.approx((turns.mean(), turns.std(), turns.sem()))
    third = seats[seats["seat"] == 2]
    assert summary.seat_mean("pips_left", 2) == pytest.approx(
        (third["pips_left"].mean(), third["pips_left"].std(), third["pips_left"].sem())
    )
    assert summary.histograms["turns"] == games["turns"].value_counts().to_dict()
    assert summary.seat_histograms["first_start"][1] == seats[seats["seat"] == 1]["first_start"].value_counts().to_dict()
    assert [each.count for each in summary.wins_by_seat()] == [int((games["winner"] == seat).sum()) for seat in range(4)]
    assert [each.count for each in summary.wins_by_table_seat()] == [int((games["winner_color"] == color).sum()) for color in range(4)]
    assert summary.capped().count == games["capped"].sum()
    assert summary.digest == int(games["digest"].astype("uint64").sum())
    for p in (0.01, 0.25, 0.5, 0.99):
        assert summary.quantile(p) == np.quantile(games["turns"], p, method="inverted_cdf")
    assert summary.quantile(0) == games["turns"].min()
    assert summary.quantile(1) == games["turns"].max()


def test_a_ratios_error_is_the_delta_methods(tmp_path: Path) -> None:
    summary = run(tmp_path, 2345).summary
    games = results.read_games(tmp_path).astype({"bumps": float, "turns_all": float})
    ratio = games["bumps"].sum() / games["turns_all"].sum()
    residuals = games["bumps"] - ratio * games["turns_all"]
    assert summary.per_turn("bumps").value == pytest.approx(ratio)
    assert summary.per_turn("bumps").se == pytest.approx(residuals.std() / np.sqrt(len(games)) / games["turns_all"].mean(), rel=1e-6)
    assert summary.per_turn("turns_all")[::2] == (1.0, 0.0)


def test_means_by_table_seat_take_what_the_seats_of_a_game_have_in_common(tmp_path: Path) -> None:
    summary = run(tmp_path, 2345).summary
    seats = results.read_seats(tmp_path)
    for table_seats in ([2], [0, 3]):
        held = seats[seats["table_seat"].isin(table_seats)]
        per_game = held.groupby("game")["points"].mean()
        found = summary.table_mean("points", table_seats)
        assert found.value == pytest.approx(held["points"].mean())
        assert found.sd == pytest.approx(held["points"].std())
        assert found.se == pytest.approx(per_game.sem())


def test_what_is_said_of_games_with_a_winner_leaves_the_others_out(tmp_path: Path) -> None:
    summary = run(tmp_path, 2345).summary
    games, seats = results.read_games(tmp_path), results.read_seats(tmp_path)
    won = seats[seats["won"] == 1]
    assert summary.decided == (games["winner"] != 255).sum() == len(won) < 2345
    winner = summary.decided_mean("winner_points")
    assert winner == pytest.approx((won["points"].mean(), won["points"].std(), won["points"].sem()))
    lost = seats[(seats["won"] == 0) & seats["game"].isin(won["game"])].groupby("game")["pips_left"].sum()
    assert summary.decided_mean("losers_pips") == pytest.approx((lost.mean(), lost.std(), lost.sem()))
    assert summary.decided_sums["ended_by_earlier"][0] == summary.decided  # nobody has a partner here


def test_ratios_of_other_columns_than_turns(tmp_path: Path) -> None:
    summary = run(tmp_path, 2345).summary
    games = results.read_games(tmp_path).astype({"band_2": float, "match_rounds": float})
    ratio = games["band_2"].sum() / games["match_rounds"].sum()
    residuals = games["band_2"] - ratio * games["match_rounds"]
    found = summary.ratio("band_2", "match_rounds")
    assert found.value == pytest.approx(ratio)
    assert found.se == pytest.approx(residuals.std() / np.sqrt(len(games)) / games["match_rounds"].mean(), rel=1e-6)
    moved = results.read_seats(tmp_path)["partner_moves"].sum()
    assert summary.ratio("partner_moves", "draws").value == pytest.approx(moved / games["draws"].sum())
    board = games["choice_turns"] - games["throw_choice_turns"]
    assert summary.per_turn("board_choice_turns").value == pytest.approx(board.sum() / games["turns_all"].sum())


def test_games_without_a_winner_have_no_mean() -> None:
    block = play(fakegame.task(), 0, 20)
    none = Block({**block.games, "winner": np.full(20, 255, dtype=np.uint8)}, {**block.seats, "won": block.seats["won"] * 0}, 0)
    assert Summary.of(none).decided_mean("winner_points") is None


@pytest.mark.parametrize("cut", [1, 2, 500, 999])
def test_sums_merge_exactly_in_any_order(cut: int) -> None:
    block = play(fakegame.task(), 0, 1000)
    pieces = [Summary.of(play(fakegame.task(), 0, cut)), Summary.of(play(fakegame.task(), cut, 1000 - cut))]
    for order in (pieces, pieces[::-1]):
        total = Summary(4)
        for piece in order:
            total.add(piece)
        assert total == Summary.of(block)
        assert Summary.from_json(json.loads(json.dumps(total.to_json()))) == total


def test_sums_beyond_64_bits_stay_exact() -> None:
    block = play(fakegame.task(), 0, 10)
    huge = np.full(10, 2_000_000_000, dtype=np.int32)
    summary = Summary.of(Block({**block.games, "outcomes": huge, "turns_all": huge}, block.seats, 0))
    assert summary.game_moments["outcomes"] == Moments(20_000_000_000, 10 * 2_000_000_000**2, 10 * 2_000_000_000**2)
    assert summary.histograms["outcomes"] == {2_000_000_000: 10}
    assert summary.mean("outcomes").sd == 0
    points = np.full(40, 2_000_000_000, dtype=np.int32)
    rich = Summary.of(Block({**block.games, "throws": huge, "draws": huge}, {**block.seats, "points": points}, 0))
    assert rich.table_sums["points"].products[1][2] == 10 * 2_000_000_000**2
    assert rich.products["throws*draws"] == 10 * 2_000_000_000**2


def test_sums_of_different_games_do_not_merge() -> None:
    total = Summary.of(play(fakegame.task(), 0, 10))
    with pytest.raises(SimsorryError, match="cannot be merged"):
        total.add(Summary.of(play(fakegame.task(players=3), 0, 10)))


def test_what_a_game_counts_is_summed_up_and_nothing_else() -> None:
    rows = made_up.rows(200, traits=made_up.BONUS_MOVES, columns=made_up.SORREESI)
    summary = Summary.of(Block(dict(rows.games), dict(rows.seats), 0))
    assert set(summary.table_sums) == {"place", "partner_moves", "partner_bumps"}
    assert set(summary.products) == {"partner_moves*draws", "fights_lost*fights", "bonuses_lost*bonuses_earned"}
    assert set(summary.decided_sums) == {"losers_pips", "ended_by_earlier"}
    assert "board_choice_turns" not in summary.game_moments
    assert summary.ratio("fights_lost", "fights").value == rows.games["fights_lost"].sum() / rows.games["fights"].sum()
    assert Summary.from_json(json.loads(json.dumps(summary.to_json()))) == summary
    twice = Summary(4)
    for _ in range(2):
        twice.add(summary)
    assert twice.mean("bonuses_earned").value == summary.mean("bonuses_earned").value
    with pytest.raises(SimsorryError, match="cannot be merged"):
        twice.add(Summary.of(play(fakegame.task(), 0, 10)))


def test_one_game_has_no_error() -> None:
    summary = Summary.of(play(fakegame.task(), 0, 1))
    assert summary.mean("turns")[1:] == (None, None)
    assert summary.per_turn("dead_turns").se is None


@pytest.mark.parametrize(("count", "of"), [(0, 10), (10, 10), (3, 10), (250_123, 1_000_000), (1, 1)])
def test_intervals_of_shares_are_wilsons(count: int, of: int) -> None:
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(count, of, method="wilson")
    assert astuple(share(count, of))[2:] == pytest.approx((count / of, low, high), abs=1e-12)
    assert astuple(share(0, 0))[2:] == (0.0, 0.0, 1.0)


# -- many games ------------------------------------------------------------------------------------


def test_parts_of_sums_grow_a_hundredfold_after_each_hundred(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the real sizes
    of = simulate.part_of
    assert [of(0), of(99_999), of(10**7)] == [range(10**5), range(10**5), range(10**7, 10**7 + 10**5)]
    sums = [of(game, sums_only=True) for game in (0, 10**7 - 1, 10**7, 10**9 - 1, 10**9, 10**12 - 1)]
    assert [len(part) for part in sums] == [10**5, 10**5, 10**7, 10**7, 10**9, 10**11]
    assert [part.start for part in sums] == [0, 10**7 - 10**5, 10**7, 10**9 - 10**7, 10**9, 9 * 10**11]
    first, parts = 0, 0
    while first < 10**12:
        first, parts = of(first, sums_only=True).stop, parts + 1
    assert parts == 100 + 99 + 99 + 9


@pytest.mark.parametrize("games", [10**7, 10**7 + 1, 3 * 10**8, 10**9, 10**9 + 1, 5 * 10**10, 10**11 + 7, 10**12])
def test_reports_on_many_games_rest_on_whole_chunks_of_what_is_stored(monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    monkeypatch.undo()
    block, first = statistical_block(games), 0
    assert 100 <= games // block <= 400
    while first < games:
        part = simulate.part_of(first, sums_only=True)
        chunk = stored_chunk(first, min(part.stop, games), sums_only=True)
        assert (block % chunk, part.start % chunk, len(part) // chunk in (100, 200)) == (0, 0, True), part
        first = part.stop


def test_sums_in_larger_parts_are_those_of_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With parts of 1,000 games and larger ones from 10,000 on."""
    monkeypatch.setattr(simulate, "PART_GROWTH", 10)
    games = 26_000
    run(tmp_path / "sums", 10_400, keep="summary")
    run(tmp_path / "sums", games, keep="summary", block_games=770)
    run(tmp_path / "once", games, keep="summary")
    run(tmp_path / "rows", games)
    assert parts(tmp_path / "sums") == parts(tmp_path / "once")
    (stored,) = results.tasks(tmp_path / "sums")
    assert list(stored.parts.items())[8:] == [(8_000, 1_000), (9_000, 1_000), (10_000, 10_000), (20_000, 6_000)]
    assert results.read_summary(tmp_path / "sums").to_json() == results.read_summary(tmp_path / "rows").to_json()
    plan = Plan(Summing(stored.description).metrics, 4, 0, games)
    tallied = [Sums(plan), Sums(plan)]
    for sums, name in zip(tallied, ("sums", "rows"), strict=True):
        (task,) = results.tasks(tmp_path / name)
        for kept in results.iter_tallies(task, games):
            results.take_tally(task, kept, sums)
    assert [sums.games for sums in tallied] == [games, games]
    np.testing.assert_array_equal(tallied[0].sums, tallied[1].sums)
    np.testing.assert_array_equal(tallied[0].lengths, tallied[1].lengths)
    np.testing.assert_array_equal(tallied[0].audits, tallied[1].audits)


def test_a_part_that_takes_long_is_written_as_far_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_PART_SECONDS", 0.0)
    seen: set[str] = set()

    def look(_: int) -> None:
        time.sleep(0.02)
        seen.update(path.name for path in tmp_path.glob("a/*/games/part-*"))  # by name: a longer part may take its place

    run(tmp_path / "a", 900, block_games=20, threads=1, on_games=look)
    assert len(seen) > 1
    run(tmp_path / "b", 900)
    assert parts(tmp_path / "a") == parts(tmp_path / "b")
    assert manifest(tmp_path / "a")["parts"] == manifest(tmp_path / "b")["parts"]


def test_sums_of_a_version_whose_parts_did_not_grow_go_on(tmp_path: Path) -> None:
    run(tmp_path / "a", 1_500, keep="summary")
    path = next((tmp_path / "a").glob("*/task.json"))
    about = json.loads(path.read_text())
    about["results"]["part_games"] = PART
    path.write_text(json.dumps(about))
    assert results.tasks(tmp_path / "a")[0].games == 1_500
    assert run(tmp_path / "a", 2_300, keep="summary").played == 800
    run(tmp_path / "b", 2_300, keep="summary")
    assert parts(tmp_path / "a") == parts(tmp_path / "b")
    assert path.read_text() == next((tmp_path / "b").glob("*/task.json")).read_text()
