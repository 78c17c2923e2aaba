"""What the user sees while games are played, on stderr: a bar on a terminal, a line now and then elsewhere; and Ctrl-C.

The first Ctrl-C sets ``stop``: blocks under way are finished and what is whole is kept. The second ends the process at
once, which stored results survive as they survive any other sudden end.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import typer

from simsorry.errors import INTERRUPTED

_LINE_SECONDS = 30.0
_REFRESH_PER_SECOND = 4.0


class Watch:
    """Counts games done towards a total and tells the user; ``stop`` is set once the user wants to end."""

    def __init__(self, total: int, entry_points: Collection[str] = (), *, quiet: bool, show: bool) -> None:
        self.stop = threading.Event()
        self.total, self.done = total, 0
        self._entry_points = entry_points  # compiled functions that will be called
        self._quiet, self._show = quiet, show and not quiet
        self._bar: Any = None
        self._origin: tuple[float, int] | None = None  # when the first block was done, and how many games were done then
        self._told = time.monotonic()
        self._begun = False
        self._aim = ""

    def say(self, text: str) -> None:
        """One line for the user, unless they asked for quiet."""
        if self._quiet:
            return
        if self._bar:
            self._bar.console.print(text, highlight=False, markup=False, soft_wrap=True)
        else:
            typer.echo(text, err=True)

    def games(self, more: int) -> None:
        """Notes that more games are done; the first call is for those that were done before."""
        self.done += more
        if not self._begun and self.done < self.total:
            self._begun = True
            self._tell_of_compiling()
        now = time.monotonic()
        if self._bar:
            self._bar.update(self._bar.task_ids[0], completed=self.done, total=self.total, pace=self._shown_pace(now))
        elif self._show and now - self._told >= _LINE_SECONDS:
            self._told = now
            self.say(", ".join(filter(None, (f"{self.done:,} of {self.total:,} games", self._shown_pace(now)))))
        if self._origin is None and more:
            self._origin = now, self.done

    def aim(self, text: str, total: int) -> None:
        """Notes how far it is to what the games are played for, in words and as the number of games that it will take as it looks now."""
        self._aim, self.total = text, total

    def _shown_pace(self, now: float) -> str:
        return ", ".join(filter(None, (self._aim, self._pace(now))))

    def _tell_of_compiling(self) -> None:
        from simsorry import jit

        if any(map(jit.is_cold, self._entry_points)):
            self.say("compiling (first run only) …")

    def _pace(self, now: float) -> str:
        """Games per second since the first block, and the time that is left at that speed."""
        if self._origin is None or now <= self._origin[0] or self.done <= self._origin[1]:
            return ""
        speed = (self.done - self._origin[1]) / (now - self._origin[0])
        return f"{speed:,.0f} games/s, {_clock(max(self.total - self.done, 0) / speed)} left"

    @contextmanager
    def shown(self) -> Iterator["Watch"]:
        """Shows progress and catches Ctrl-C while the body runs."""
        with _interrupts(self._interrupted):
            if not (self._show and sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"):
                yield self
                return
            with _bar(self.total) as self._bar:
                try:
                    yield self
                finally:
                    self._bar.stop()
                    self._bar = None

    def _interrupted(self) -> None:
        if self.stop.is_set():
            if self._bar:
                self._bar.console.show_cursor()
            os._exit(INTERRUPTED)  # parts appear whole or not at all, so nothing is lost but what was under way
        self.stop.set()
        # Not through the bar: its lock may be held by the code that the signal came in between.
        with suppress(OSError):
            os.write(2, b"\nstopping once the blocks under way are done; Ctrl-C again ends at once\n")


def on_terminal(total: int, entry_points: Collection[str] = (), *, quiet: bool) -> Watch:
    """A watch that shows progress on a terminal only, not as lines in a log."""
    return Watch(total, entry_points, quiet=quiet, show=sys.stderr is not None and sys.stderr.isatty())


def _bar(total: int) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    bar = Progress(
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games  {task.fields[pace]}"),
        console=Console(stderr=True),
        refresh_per_second=_REFRESH_PER_SECOND,
        transient=True,
    )
    bar.add_task("", total=total, pace="")
    return bar


@contextmanager
def _interrupts(action: Any) -> Iterator[None]:
    """Calls ``action`` instead of raising KeyboardInterrupt; only the main thread can ask for that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(_signal: int, _frame: FrameType | None) -> None:
        action()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
