"""Results that lie elsewhere: in a store of the S3 kind that runs on this machine, and in one in memory."""

import hashlib
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fakegame
import pytest

from simsorry import results, simulate
from simsorry.errors import INVALID, MISSING, PARTIAL, USAGE, SimsorryError
from simsorry.results import export, files
from simsorry.results.places import is_elsewhere, lasting, only_here, place

PART = 1000

pytest.importorskip("upath")


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fakegame.patch(monkeypatch)
    monkeypatch.setattr(simulate, "PART_GAMES", PART)


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    pytest.importorskip("s3fs")
    moto = pytest.importorskip("moto.server")
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    started = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    started.start()
    yield started
    started.stop()


@pytest.fixture
def bucket(server: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    import boto3

    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    for name, value in (("AWS_ACCESS_KEY_ID", "one"), ("AWS_SECRET_ACCESS_KEY", "two"), ("AWS_DEFAULT_REGION", "us-east-1")):
        monkeypatch.setenv(name, value)
    store = boto3.client("s3")
    store.create_bucket(Bucket="results")
    yield "s3://results"
    for each in store.list_objects_v2(Bucket="results").get("Contents", []):
        store.delete_object(Bucket="results", Key=each["Key"])
    store.delete_bucket(Bucket="results")


def run(out: str | Path, games: int, **options: Any) -> results.Outcome:
    return results.run(fakegame.task(), games, out=out, **options)


def stored(out: str | Path) -> dict[str, str]:
    """Name in the task's folder to sha256 of everything but the manifest."""
    folder = place(out) / fakegame.task().id
    found = {}
    for table in ("games", "seats", "tallies", "summary"):
        for name in files.sizes_in(folder / table):
            found[f"{table}/{name}"] = hashlib.sha256(files.read_bytes(folder / table / name)).hexdigest()
    return found


@pytest.mark.parametrize("keep", ["rows", "summary"])
def test_a_store_holds_the_same_bytes_as_a_folder(bucket: str, tmp_path: Path, keep: results.Keep) -> None:
    run(f"{bucket}/runs", 700, keep=keep)
    outcome = run(f"{bucket}/runs", 2300, keep=keep)
    assert outcome.played == 1600
    assert run(f"{bucket}/runs", 2300, keep=keep).played == 0
    here = run(tmp_path, 2300, keep=keep)
    assert outcome.summary.to_json() == here.summary.to_json()
    assert stored(f"{bucket}/runs") == stored(tmp_path) != {}
    (task,) = results.tasks(f"{bucket}/runs")
    assert (task.games, task.keep, str(task.folder)) == (2300, keep, f"{bucket}/runs/{fakegame.task().id}")


def test_a_stores_rows_and_sums_are_read(bucket: str, tmp_path: Path) -> None:
    run(f"{bucket}/runs", 1200)
    run(tmp_path, 1200)
    there, here = results.read_games(f"{bucket}/runs"), results.read_games(tmp_path)
    assert there.equals(here)
    (task,), (same,) = results.tasks(f"{bucket}/runs"), results.tasks(tmp_path)
    for ours, theirs in zip(results.iter_tallies(task, 1200), results.iter_tallies(same, 1200), strict=True):
        assert {name: list(vector) for name, vector in ours.vectors.items()} == {
            name: list(vector) for name, vector in theirs.vectors.items()
        }


def test_games_there_are_exported(bucket: str, tmp_path: Path) -> None:
    run(f"{bucket}/runs", 300)
    wanted = export.Wanted(results.tasks(f"{bucket}/runs"), export.TABLES, None, None, False)
    files_made = export.write(wanted, tmp_path / "sheets", stop=threading.Event(), on_games=lambda _: None)
    assert files_made is not None
    assert (tmp_path / "sheets" / "games.csv").read_text().count("\n") == 301


def test_a_part_that_was_changed_there_is_named(bucket: str) -> None:
    run(f"{bucket}/runs", 1200)
    part = place(f"{bucket}/runs") / fakegame.task().id / "games" / "part-000000000000-1000.parquet"
    files.write_whole(part, files.read_bytes(part)[:-9])
    with pytest.raises(SimsorryError, match=r"s3://results/runs/.*part-000000000000-1000\.parquet is not as it was written") as caught:
        run(f"{bucket}/runs", 1200)
    assert caught.value.exit_code == INVALID


def test_two_runs_there_at_once_leave_what_one_leaves(bucket: str, tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda games: run(f"{bucket}/runs", games, block_games=50), (2300, 2300)))
    assert [each.complete for each in both] == [True, True]
    run(tmp_path, 2300)
    assert stored(f"{bucket}/runs") == stored(tmp_path)


def test_a_bucket_that_is_not_there_is_said(bucket: str) -> None:
    with pytest.raises(SimsorryError, match=r"s3://nowhere/runs/.* could not be written or read|vanished") as caught:
        run("s3://nowhere/runs", 100)
    assert caught.value.exit_code == PARTIAL


def test_a_store_that_does_not_answer_is_said(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import s3fs

    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)
    s3fs.S3FileSystem.clear_instance_cache()
    with pytest.raises(SimsorryError, match="Could not connect to the endpoint URL"):
        run(f"{bucket}/runs", 100)
    s3fs.S3FileSystem.clear_instance_cache()


def test_a_store_that_breaks_off_in_the_middle_keeps_what_was_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fsspec.implementations.memory as memory

    real, written = memory.MemoryFileSystem.pipe_file, []

    def break_off(self: Any, path: str, data: bytes, **more: Any) -> Any:
        if len(written) >= 9:
            raise ConnectionError("broken off")
        written.append(path)
        return real(self, path, data, **more)

    monkeypatch.setattr(memory.MemoryFileSystem, "pipe_file", break_off)
    with pytest.raises(SimsorryError, match=r"memory://breaks/.* could not be written or read: broken off; what was whole stays"):
        run("memory://breaks", 2300)
    monkeypatch.setattr(memory.MemoryFileSystem, "pipe_file", real)
    assert 0 < run("memory://breaks", 2300).played < 2300
    run(tmp_path, 2300)
    assert stored("memory://breaks") == stored(tmp_path)


def test_what_a_name_means(tmp_path: Path) -> None:
    assert place("runs") == Path("runs")
    assert place(f"file://{tmp_path}/a%20b") == tmp_path / "a b"
    assert not is_elsewhere(place(f"file://{tmp_path}"))
    assert is_elsewhere(place("memory://runs"))
    assert place("file://localhost/a") == place("local:///a") == Path("/a")
    assert str(place("S3://bucket/runs")) == "s3://bucket/runs"
    for name in (
        "nonsense://runs",
        "s3://",
        "memory:///",
        "file://runs/a",
        "file://runs",
        "simplecache::s3://bucket/a",
        "https://host/a",
        "zip://x::a",
    ):
        with pytest.raises(SimsorryError, match=name.rstrip("/")) as caught:
            place(name)
        assert caught.value.exit_code == USAGE
    with pytest.raises(SimsorryError, match="memory is gone when this command ends"):
        lasting("memory://runs")
    assert lasting("runs") == Path("runs")
    with pytest.raises(SimsorryError, match="a report is written to a folder of this machine only"):
        only_here("s3://bucket/report", "a report")


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import fsspec

    def missing(protocol: str) -> Any:
        raise ImportError("no gcsfs")

    monkeypatch.setattr(fsspec, "get_filesystem_class", missing)
    monkeypatch.setattr("upath.core.get_filesystem_class", missing, raising=False)
    with pytest.raises(SimsorryError, match="pip install 'gcsfs'") as caught:
        place("gs://bucket/runs")
    assert caught.value.exit_code == MISSING
