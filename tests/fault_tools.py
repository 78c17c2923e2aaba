"""What the tests of faults share: children of this process that are killed, starved of disk or robbed of their rights, and what they left.

A child is forked, so that nothing has to be imported again; it must not wait for threads that its parent has started. All that
is done to it is real: signals, limits, mounts, users.
"""

import ctypes
import hashlib
import os
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from simsorry.errors import SimsorryError

NOBODY = 65534
TRACEBACK = 99  # how a child ends that was not told in a sentence
UNABLE = 98  # how a child ends where this machine cannot do what is tried
MOST_CHANGES = 500
SECONDS = 60  # that a child has
_CHANGES = frozenset("os.rename os.remove os.rmdir os.mkdir os.link os.symlink os.truncate os.chmod os.utime".split())  # noqa: SIM905
_NEWNS, _PRIVATE, _RDONLY, _REMOUNT, _BIND, _RECURSIVE = 0x20000, 1 << 18, 1, 32, 4096, 1 << 14

QUESTION = """
title = "Do slides matter?"
question = "Would anybody miss them?"
answer = "A game that is 10 % longer."
base = "hasbro"
arms = ["hasbro+slides=off"]
players = 2
line_ups = ["random"]
games = 40
"""


class Ended:
    """How a child ended: its exit status, negative for a signal, and what it said."""

    def __init__(self, status: int, text: str) -> None:
        self.status, self.text = status, text

    @property
    def sentence(self) -> str:
        """The one sentence of an error."""
        assert self.status not in (0, TRACEBACK), self
        (line,) = self.text.splitlines()
        return line

    def __repr__(self) -> str:
        return f"{self.status}: {self.text}"


def child(work: Callable[[], object], *before: Callable[[], object]) -> Ended:
    """Does some work in a child of this process, after what is done to it; skips the test where the machine cannot do that."""
    return _end(*_begin(work, before))


def children(*works: Callable[[], object]) -> list[Ended]:
    """Several at once."""
    begun = [_begin(work, ()) for work in works]
    return [_end(*each) for each in begun]


def _begin(work: Callable[[], object], before: tuple[Callable[[], object], ...]) -> tuple[int, int]:
    """The process and where it says something."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that the test runner has threads is of no matter to the child
        pid = os.fork()
    if not pid:
        os.close(reading)
        _be_child(work, before, writing)
    os.close(writing)
    return pid, reading


def _end(pid: int, reading: int) -> Ended:
    with os.fdopen(reading, encoding="utf-8", errors="replace") as said:
        text = said.read()
    ended = Ended(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text)
    if ended.status == UNABLE:
        pytest.skip(f"this machine does not allow it: {text}")
    return ended


def _be_child(work: Callable[[], object], before: tuple[Callable[[], object], ...], writing: int) -> None:
    """Never returns."""
    status, said = 0, ""
    signal.alarm(SECONDS)  # nothing hangs for ever
    try:
        try:
            for prepare in before:
                prepare()
        except OSError as error:
            status, said = UNABLE, str(error)
        else:
            said = str(work())
    except SimsorryError as error:
        status, said = error.exit_code, str(error)
    except BaseException:
        status, said = TRACEBACK, traceback.format_exc()
    finally:
        os.write(writing, said.encode()[:60_000])
        os._exit(status)


# -- what is done to a child -----------------------------------------------------------------------


def killed_at(step: int) -> Callable[[], None]:
    """The child is killed as it is about to change the disk for the n-th time: to open a file for writing, to rename or remove."""

    def prepare() -> None:
        left = [step]

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            if _changes_disk(event, arguments):
                left[0] -= 1
                if not left[0]:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)  # for as long as the child lives

    return prepare


def _changes_disk(event: str, arguments: tuple[Any, ...]) -> bool:
    if event == "open":
        return bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    return event in _CHANGES or (event == "ctypes.dlsym" and arguments[1] == "renameat2")


def killed_everywhere(
    work: Callable[[Path], object], root: Path, begun: Callable[[Path], object] = Path.mkdir, every: int = 1
) -> Iterator[Path]:
    """A folder for each change of the disk that ``work`` makes there, before which it was killed, all ``begun`` alike.

    Ends with the first that was not killed. ``every`` takes only every so many-th change.
    """
    for step in range(1, MOST_CHANGES, every):
        folder = root / str(step)
        begun(folder)
        ended = child(partial(work, folder), killed_at(step))
        if ended.status == 0:
            return
        assert ended.status == -signal.SIGKILL, ended
        yield folder
    raise AssertionError(f"more than {MOST_CHANGES} changes of the disk")


def largest_file(size: int) -> Callable[[], None]:
    """No file may be larger."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def nobody() -> None:
    """A user without any rights, where the tests run as root."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def small_disk(folder: Path, size: int) -> Callable[[], None]:
    """A disk of its own for this child in place of a folder, with room for so many bytes."""

    def prepare() -> None:
        _own_mounts()
        _mount("tmpfs", folder, "tmpfs", 0, f"size={size}")

    return prepare


def read_only(folder: Path) -> Callable[[], None]:
    """A folder that this child sees as one on a disk that cannot be written."""

    def prepare() -> None:
        _own_mounts()
        _mount(str(folder), folder, "", _BIND, "")
        _mount("", folder, "", _BIND | _REMOUNT | _RDONLY, "")

    return prepare


def _own_mounts() -> None:
    _checked(_libc().unshare(_NEWNS))
    _checked(_libc().mount(b"none", b"/", None, _PRIVATE | _RECURSIVE, None))


def _mount(source: str, target: Path, kind: str, flags: int, data: str) -> None:
    _checked(_libc().mount(source.encode(), os.fsencode(target), kind.encode(), flags, data.encode()))


def _checked(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


# -- what it left ----------------------------------------------------------------------------------


def content(folder: Path) -> dict[str, str]:
    """Every file below a folder, hidden ones as well, and what it holds; empty folders by their names."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        elif not any(path.iterdir()):
            found[f"{name}/"] = ""
    return found


def hidden(folder: Path) -> list[str]:
    """The names of what is left over in a folder and below: hidden, but for the lock of a task."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob(".*") if path.name != ".lock")
