"""A real Dask cluster on this machine, whose processes can be killed one by one."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Processes:
    """A scheduler and its workers, which play the fake game."""

    def __init__(self, part_games: int, delay: float) -> None:
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        path = f"{HERE}{os.pathsep}{HERE.parent}"
        self._environment = {**os.environ, "PYTHONPATH": path, "FAKE_PART": str(part_games), "FAKE_DELAY": str(delay)}
        self.started: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.start_scheduler()
        self.workers: list[subprocess.Popen[bytes]] = []

    def start_scheduler(self) -> "subprocess.Popen[bytes]":
        self.scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--dashboard-address", "127.0.0.1:0"
        )
        return self.scheduler

    def start_worker(self, *more: str) -> "subprocess.Popen[bytes]":
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--preload", "fake_worker", "--memory-limit", "0", *more]
        self.workers.append(self._start("dask_worker", self.address, *options))
        return self.workers[-1]

    def _start(self, what: str, *options: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.{what}", *options]
        process = subprocess.Popen(command, env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=HERE)
        self.started.append(process)
        return process

    def end(self) -> None:
        for process in self.started:
            process.kill()
            process.wait()


@contextmanager
def processes(*, workers: int, part_games: int, delay: float = 0.0) -> Iterator[Processes]:
    made = Processes(part_games, delay)
    try:
        for _ in range(workers):
            made.start_worker()
        yield made
    finally:
        made.end()


def wait_for(condition, seconds: float = 60) -> None:  # type: ignore[no-untyped-def]
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.02)
