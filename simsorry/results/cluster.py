"""Playing pieces of tasks on the workers of a Dask cluster.

The games of a piece are a function of the task and their numbers, so nothing that happens to a cluster can change them: whatever is lost
with a worker, a connection or the scheduler is asked for again. Only a few pieces are under way at a time, their answers are fetched
and let go of as they come in, and what is finished is in the store, not in the cluster.
"""

import logging
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from simsorry.errors import INVALID, MISSING, PARTIAL, USAGE, SimsorryError
from simsorry.results.files import read_json
from simsorry.results.pieces import Answer, Job, play

PIECE_SECONDS = 5.0  # long beside what a piece costs the scheduler and this process
_SECONDS_PER_THREAD = 0.05  # so that not more than about twenty pieces come in a second, however many workers there are
_LOOK_AHEAD = 2  # pieces per thread that are under way or waiting
_MOST_TRIES = 6  # of a piece whose worker died while it, or something beside it, was played
_CONNECT_SECONDS = 15
_PATIENCE_SECONDS = 600.0  # for a scheduler that is gone
_TELL_SECONDS = 30.0
_LOCAL = "local:"
_SCHEDULER = re.compile(r"(tcp|tls|ucx|wss?)://[^\s/@]+:\d{1,5}")
_WORKER = "simsorry.results.local_worker"  # what workers of this machine load first


@dataclass
class _Asked:
    """A piece that was asked for."""

    job: Job
    future: Any = None  # None when its answer is here, or when it must be asked for again
    tries: int = 0
    answer: Answer | None = None


def piece_seconds(threads: int) -> float:
    """How long a piece should take where so many are played at a time."""
    return max(PIECE_SECONDS, _SECONDS_PER_THREAD * threads)


class Cluster:
    """Workers that play pieces: some of this machine's own (``local:4``), or those of a scheduler (``tcp://host:8786``).

    Raises SimsorryError if Dask is not installed, the address is none, or nobody answers there.
    """

    def __init__(self, address: str, *, say: Callable[[str], None], stop: threading.Event) -> None:
        self.address = address
        self._workers = _local_workers(address)
        self._say, self._stop = say, stop
        self._dask = _dask()
        self._own: Any = None  # the cluster that was started here
        self._client: Any = None
        self._number = 0  # of the last piece that was asked for
        self._told = 0.0
        self._threads, self._counted = 0, 0.0  # of all workers, and when they were counted
        self._news = threading.Event()  # set when an answer is there

    def __enter__(self) -> Self:
        for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]:
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what is lost is asked for again, and told here
        if self._workers:
            self._own = self._dask.LocalCluster(
                n_workers=self._workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
                preload=[_WORKER],
            )
        try:
            self._connect()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        for each in (self._client, self._own):
            with suppress(Exception):  # a cluster that is gone cannot be closed
                if each is not None:
                    each.close(timeout=5)

    def _connect(self) -> None:
        try:
            self._client = self._dask.Client(self._own or _scheduler(self.address), timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise SimsorryError(
                f"--cluster {self.address}: no Dask scheduler answers there ({str(error).splitlines()[0] if str(error) else 'no answer'}); "
                "start one with dask scheduler, and name the address that it prints",
                MISSING,
            ) from error
        self._count_threads()

    @property
    def threads(self) -> int:
        """How many pieces all workers together play at a time; 1 while there are none."""
        return max(1, self._threads)

    def _count_threads(self) -> None:
        """Asks the scheduler, not more than once a second; tells if there are no workers."""
        now = time.monotonic()
        if self._threads and now - self._counted < 1:
            return
        self._threads, self._counted = sum(self._client.nthreads().values()), now
        if not self._threads and now - self._told > _TELL_SECONDS:
            self._told = now
            self._say(f"waiting: no worker is connected to {self.address}")

    @property
    def piece_seconds(self) -> float:
        """How long a piece should take."""
        return piece_seconds(self.threads)

    def play(self, jobs: Iterator[Job]) -> Iterator[Answer]:
        """The answers to jobs, in their order; once ``stop`` is set no job is begun any more, and the iteration ends early.

        Raises SimsorryError for what a worker refuses, and for a piece that kills its workers.
        """
        asked: deque[_Asked] = deque()
        try:
            while True:
                while not self._stop.is_set() and len(asked) < _LOOK_AHEAD * self.threads and (job := next(jobs, None)):
                    asked.append(_Asked(job))
                if self._stop.is_set():
                    self._leave(asked)
                if not asked:
                    return
                self._fetch(asked)
                while asked and asked[0].answer:
                    yield _sound(asked.popleft().answer)
        finally:
            with suppress(Exception):
                self._client.cancel([each.future for each in asked if each.future is not None], force=True)

    def _leave(self, asked: deque[_Asked]) -> None:
        """Forgets the pieces that are hardly begun: workers play them in the order that they were asked for."""
        while len(asked) > self.threads and asked[-1].answer is None:
            if (future := asked.pop().future) is not None:
                future.cancel()

    def _fetch(self, asked: deque[_Asked]) -> None:
        """Asks for what has to be asked for, waits a moment, and takes in what is there."""
        try:
            for each in asked:
                if each.answer is None and each.future is None:
                    self._submit(each)
            self._news.wait(1)
            self._news.clear()
            self._count_threads()
            self._take([each for each in asked if each.future is not None and each.future.done()])
        except _lost(self._dask) as error:
            self._begin_again(asked, error)

    def _submit(self, each: _Asked) -> None:
        self._number += 1
        name = f"simsorry-{each.job.first_game}-{each.job.games}-{id(self):x}-{self._number}"
        each.future = self._client.submit(play, each.job, key=name, pure=False)
        each.future.add_done_callback(lambda _: self._news.set())

    def _take(self, done: list[_Asked]) -> None:
        """Takes in answers, all at once; of what was lost with a worker nothing comes."""
        finished = [each for each in done if each.future.status == "finished"]
        answers = self._client.gather([each.future for each in finished], errors="skip") if finished else []
        if len(answers) == len(finished):
            for each, answer in zip(finished, answers, strict=True):
                each.answer = answer
        for each in done:
            if each.future.status == "error":
                self._examine(each)
            each.future = None  # let go of, so that it is not played again when the worker that holds it dies

    def _examine(self, each: _Asked) -> None:
        """Says what went wrong with a piece, unless it may be tried again."""
        error = each.future.exception()
        each.tries += 1
        if isinstance(error, ImportError | AttributeError):
            raise SimsorryError(
                f"a worker at {self.address} has no simsorry of this version ({error}): install it on all workers", MISSING
            ) from error
        if not isinstance(error, self._dask.KilledWorker | OSError | self._dask.CancelledError):
            raise error
        if each.tries >= _MOST_TRIES:
            job = each.job
            raise SimsorryError(
                f"games {job.first_game} to {job.first_game + job.games - 1} were given to {each.tries} workers at {self.address}, and all "
                "died: see whether they have enough memory; what was whole stays, and the same command goes on from there",
                PARTIAL,
            )

    def _begin_again(self, asked: deque[_Asked], error: Exception) -> None:
        """Connects anew, and forgets what was asked for: no answer to it will come."""
        for each in asked:
            each.future = None
        self._say(f"the connection to {self.address} is lost ({type(error).__name__}): trying again")
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            with suppress(Exception):
                self._client.close(timeout=1)
            try:
                return self._connect()
            except SimsorryError as lost:
                if self._stop.is_set() or time.monotonic() > deadline:
                    raise SimsorryError(
                        f"the connection to {self.address} is lost; what was whole stays, and the same command goes on from there", PARTIAL
                    ) from lost
            self._stop.wait(1)


def _lost(dask: Any) -> tuple[type[Exception], ...]:
    """What is raised where a connection is gone."""
    return OSError, TimeoutError, RuntimeError, dask.CancelledError, getattr(dask.client, "ClosedClientError", dask.CancelledError)


def _sound(answer: Answer | None) -> Answer:
    assert answer is not None
    if answer.failed:
        raise SimsorryError(*answer.failed)
    return answer


def check_address(address: str) -> None:
    """Raises SimsorryError for what names no cluster."""
    if not _local_workers(address) and not _SCHEDULER.fullmatch(_scheduler(address)):
        raise SimsorryError(
            f"--cluster {address[:60]!r}: local:N for N workers on this machine, a scheduler's address like tcp://host:8786, "
            "or the .json file that it wrote is needed",
            USAGE,
        )
    _dask()


def _scheduler(address: str) -> str:
    """The address of a scheduler, which it may have written to a file."""
    if not address.endswith(".json") or "://" in address:
        return address
    if not Path(address).is_file():
        raise SimsorryError(f"--cluster {address}: there is no such file; dask scheduler --scheduler-file writes one", USAGE)
    found = read_json(Path(address)).get("address")
    if not isinstance(found, str):
        raise SimsorryError(f"--cluster {address}: it names no scheduler; dask scheduler --scheduler-file writes one", INVALID)
    return found


def _local_workers(address: str) -> int:
    """How many workers ``local:N`` asks for; 0 for any other address."""
    if not address.startswith(_LOCAL):
        return 0
    number = address.removeprefix(_LOCAL)
    if not (number.isascii() and number.isdecimal() and len(number) <= 4 and 1 <= int(number) <= 1024):
        raise SimsorryError(f"--cluster {address[:60]!r}: local:N needs a number of workers from 1 to 1,024", USAGE)
    return int(number)


def _dask() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise SimsorryError("--cluster needs Dask, which is not installed: pip install 'simsorry[dask]'", MISSING) from error
    return distributed
