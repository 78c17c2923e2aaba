"""Games that are played on a cluster are those that are played here, whatever happens to the cluster."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import fakegame
import pytest
from cluster_tools import Processes, processes, wait_for

from simsorry import results, simulate
from simsorry.errors import MISSING, USAGE, SimsorryError
from simsorry.results import pieces
from simsorry.results.cluster import Cluster, check_address
from simsorry.results.pieces import Job, Target

PART = 1000


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fakegame.patch(monkeypatch)
    monkeypatch.setattr(simulate, "PART_GAMES", PART)


@pytest.fixture(scope="module")
def dask() -> Iterator[Processes]:
    pytest.importorskip("distributed")
    with processes(workers=2, part_games=PART, delay=0.001) as started:
        yield started


def run(out: Path | None, games: int, cluster: Cluster | None = None, **options: Any) -> results.Outcome:
    return results.run(fakegame.task(), games, out=out, cluster=cluster, **options)


def opened(dask: Processes, said: list[str] | None = None, stop: threading.Event | None = None) -> Cluster:
    return Cluster(dask.address, say=(said if said is not None else []).append, stop=stop or threading.Event())


def parts(out: Path) -> dict[str, str]:
    return {str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(out.glob("*/*/part-*"))}


def at(games: int, action: Callable[[], object]) -> Callable[[int], None]:
    """Told of games as they are done, does something once so many are."""
    done = [0]

    def count(more: int) -> None:
        before, done[0] = done[0], done[0] + more
        if before < games <= done[0]:
            action()

    return count


# -- the same games --------------------------------------------------------------------------------


@pytest.mark.parametrize(("keep", "block"), [("rows", None), ("rows", 130), ("summary", 170)])
def test_parts_have_the_bytes_of_a_run_here(dask: Processes, tmp_path: Path, keep: results.Keep, block: int | None) -> None:
    with opened(dask) as cluster:
        outcome = run(tmp_path / "there", 2300, cluster, keep=keep, block_games=block)
    here = run(tmp_path / "here", 2300, keep=keep)
    assert (outcome.complete, outcome.played) == (True, 2300)
    assert outcome.summary.to_json() == here.summary.to_json()
    assert parts(tmp_path / "there") == parts(tmp_path / "here") != {}
    assert json.loads(next((tmp_path / "there").glob("*/manifest.json")).read_text())["status"] == "complete"


def test_sums_without_a_store_are_those_of_a_run_here(dask: Processes) -> None:
    with opened(dask) as cluster:
        assert run(None, 700, cluster, block_games=90).summary.to_json() == run(None, 700).summary.to_json()


def test_a_run_begun_here_goes_on_there_and_back(dask: Processes, tmp_path: Path) -> None:
    run(tmp_path / "a", 300)
    with opened(dask) as cluster:
        run(tmp_path / "a", 1400, cluster, block_games=200)
    assert run(tmp_path / "a", 2100).played == 700
    run(tmp_path / "b", 2100)
    assert parts(tmp_path / "a") == parts(tmp_path / "b")


def test_looks_are_taken_at_the_same_games(dask: Processes) -> None:
    class Watcher:
        def __init__(self) -> None:
            self.seen = 0

        def take(self, block: simulate.Block) -> None:
            assert block.first_game == self.seen
            self.seen += block.count

        def enough(self, games: int) -> bool:
            return games >= 400

    with opened(dask) as cluster:
        there = results.run_until(fakegame.task(), (100, 400, 900), Watcher(), cluster=cluster, block_games=70)
    here = results.run_until(fakegame.task(), (100, 400, 900), Watcher())
    assert there.summary.games == 400
    assert there.summary.to_json() == here.summary.to_json()


def test_whole_parts_are_written_by_workers_that_see_the_folder(dask: Processes, tmp_path: Path) -> None:
    """Where they do not, rows travel; the other tests show that this gives the same bytes."""
    written: list[int] = []
    with opened(dask) as cluster:
        real = results.Store.take_written
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(results.Store, "take_written", lambda store, entries: (written.append(len(entries)), real(store, entries)))
            run(tmp_path / "seen", 4000, cluster, block_games=PART)
    assert written == [4, 4, 4, 4]
    assert not list(tmp_path.glob("*/*/*/.part-*"))


# -- what goes wrong -------------------------------------------------------------------------------


def test_a_killed_worker_a_restarted_scheduler_and_a_late_worker_change_nothing(tmp_path: Path) -> None:
    said: list[str] = []
    with processes(workers=2, part_games=PART, delay=0.003) as dask:

        def kill_a_worker() -> None:
            dask.workers[0].kill()

        def restart_the_scheduler() -> None:
            dask.scheduler.kill()
            dask.scheduler.wait()
            dask.start_scheduler()
            dask.start_worker()

        counts = [at(300, kill_a_worker), at(700, restart_the_scheduler)]
        with opened(dask, said) as cluster:
            outcome = run(tmp_path / "there", 1600, cluster, block_games=100, on_games=lambda more: [count(more) for count in counts])
        assert dask.workers[0].wait() == -9
    assert outcome.complete
    run(tmp_path / "here", 1600)
    assert parts(tmp_path / "there") == parts(tmp_path / "here")


def test_a_piece_that_is_played_twice_is_the_same_part(tmp_path: Path) -> None:
    task = fakegame.task()
    with results.Store(task, tmp_path / "a", "rows", say=print, stop=threading.Event(), run={"versions": {}, "threads": 1}) as store:
        target = Target(str(store.folder), store.token, store.description)
        (job,) = pieces.jobs(task, range(PART), 10 * PART, 0, "rows", target, {})
        first, again = pieces.play(job), pieces.play(job)
    assert first.written is not None
    assert first.written == again.written
    assert first.block is None
    run(tmp_path / "b", PART)
    assert parts(tmp_path / "a") == parts(tmp_path / "b")


def test_a_worker_that_sees_another_folder_of_that_name_hands_rows_over(tmp_path: Path) -> None:
    task = fakegame.task()
    run(tmp_path, 10)
    target = Target(str(tmp_path / task.id), "another token", task.describe())
    (job,) = pieces.jobs(task, range(PART), PART, 0, "rows", target, {})
    before = parts(tmp_path)
    answer = pieces.play(job)
    assert answer.written is None
    assert answer.block is not None
    assert answer.block.count == PART
    assert parts(tmp_path) == before


@pytest.mark.parametrize("made_by", [("0.0.1", pieces.sources()), (pieces.__version__, "0123456789abcdef")])
def test_a_worker_of_another_version_refuses(made_by: tuple[str, str]) -> None:
    (job,) = pieces.jobs(fakegame.task(), range(10), 10, 0, "rows", None, {})
    answer = pieces.play(replace(job, made_by=made_by, task=b"never read"))
    assert answer.failed is not None
    assert answer.failed[1] == MISSING
    assert "install the same version on all workers" in answer.failed[0]
    assert made_by[0] in answer.failed[0]


def test_what_a_worker_refuses_ends_the_run_in_a_sentence(dask: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "sources", lambda: "0123456789abcdef")
    with opened(dask) as cluster, pytest.raises(SimsorryError, match="install the same version on all workers") as caught:
        run(tmp_path, 2300, cluster)
    assert caught.value.exit_code == MISSING


def test_a_piece_that_kills_every_worker_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dead:
        status = "error"

        def __init__(self, error: Exception) -> None:
            self.error = error

        def exception(self) -> Exception:
            return self.error

        def done(self) -> bool:
            return True

        def cancel(self) -> None:
            pass

    cluster = Cluster("tcp://127.0.0.1:1", say=print, stop=threading.Event())
    killed = cluster._dask.KilledWorker("piece", "worker", 3)

    class Client:
        status = "running"

        def nthreads(self) -> dict[str, int]:
            return {"a": 1}

        def cancel(self, *_: object, **__: object) -> None:
            pass

    cluster._client = Client()
    monkeypatch.setattr(Cluster, "_submit", lambda _, each: setattr(each, "future", Dead(killed)))
    cluster._news.wait = lambda *_: True  # type: ignore[method-assign]
    with pytest.raises(SimsorryError, match="games 0 to 9 were given to 6 workers"):
        list(cluster.play(iter([Job(("", ""), b"", None, 0, 10)])))


def test_a_run_that_is_stopped_keeps_whole_pieces(dask: Processes, tmp_path: Path) -> None:
    stop = threading.Event()
    with opened(dask, stop=stop) as cluster:
        outcome = run(tmp_path / "a", 3000, cluster, block_games=100, stop=stop, on_games=at(500, stop.set))
    assert not outcome.complete
    assert 500 <= outcome.played < 1500
    assert run(tmp_path / "a", 3000).complete
    run(tmp_path / "b", 3000)
    assert parts(tmp_path / "a") == parts(tmp_path / "b")


def test_a_cluster_without_workers_is_waited_for(tmp_path: Path) -> None:
    said: list[str] = []
    with processes(workers=0, part_games=PART) as dask:
        wait_for(lambda: _answers(dask))
        with opened(dask, said) as cluster:
            late = threading.Thread(target=lambda: (wait_for(lambda: said), dask.start_worker()))
            late.start()
            assert run(tmp_path, 100, cluster).complete
            late.join()
    assert said == [f"waiting: no worker is connected to {dask.address}"]


def _answers(dask: Processes) -> bool:
    import socket

    try:
        socket.create_connection(("127.0.0.1", dask.port), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    "address", ["", "local", "local:", "local:0", "local:1e3", "local:²", "tcp://", "http://host:80", "host:8786", "tcp://host"]
)
def test_what_names_no_cluster_is_said(address: str) -> None:
    with pytest.raises(SimsorryError, match="--cluster") as caught:
        check_address(address)
    assert caught.value.exit_code == USAGE


def test_a_schedulers_file_says_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text('{"address": "tcp://127.0.0.1:8786"}')
    check_address(str(file))
    file.write_text("{}")
    with pytest.raises(SimsorryError, match="names no scheduler"):
        check_address(str(file))


def test_nobody_at_an_address_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simsorry.results.cluster._CONNECT_SECONDS", 0.3)
    with (
        pytest.raises(SimsorryError, match="no Dask scheduler answers there") as caught,
        Cluster("tcp://127.0.0.1:1", say=print, stop=threading.Event()),
    ):
        pass
    assert caught.value.exit_code == MISSING


def test_functions_in_python_are_not_sent(dask: Processes) -> None:
    task = fakegame.task()
    asked = replace(task, policies=(fakegame.Policy(name="mine", weights={"asks": 1.0}), *task.policies[1:]))
    with pytest.raises(SimsorryError, match="the policy mine is a function in Python") as caught:
        results.run(asked, 100, cluster=Cluster(dask.address, say=print, stop=threading.Event()))
    assert caught.value.exit_code == USAGE
