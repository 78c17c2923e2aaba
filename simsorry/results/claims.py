"""Hidden files and folders that something is made in, and how those that a killed process left are told from those still in use.

Who makes something holds a lock on it, which the system frees when the process ends, however it ends. Where a file system has no
locks, what was left stays: nothing is removed that might be in use.
"""

import fcntl
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def claimed(name: Callable[[str], Path], make: Callable[[Path], object]) -> Iterator[Path]:
    """A file or folder that ``make`` makes under a ``name`` with some random letters in it, held until the block ends.

    Raises OSError if it cannot be made.
    """
    while True:
        path = name(secrets.token_hex(4))
        make(path)
        descriptor = _held(path)
        if descriptor is not None:
            break
    try:
        yield path
    finally:
        os.close(descriptor)


def _held(path: Path) -> int | None:
    """An open descriptor that holds it; None if somebody swept it up before it could be held."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    with suppress(OSError):  # without locks nothing is swept up
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    if path.exists():
        return descriptor
    os.close(descriptor)
    return None


def sweep(folder: Path, beginning: str) -> None:
    """Removes everything in a folder whose name begins so and that no process holds."""
    for path in named(folder, beginning):
        with suppress(OSError), _unheld(path):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def named(folder: Path, beginning: str) -> list[Path]:
    """Everything in a folder whose name begins so; nothing if the folder cannot be read."""
    with suppress(OSError):
        return sorted(path for path in folder.iterdir() if path.name.startswith(beginning) and not path.is_symlink())
    return []


@contextmanager
def _unheld(path: Path) -> Iterator[None]:
    """Holds what nobody else does; raises OSError if somebody does, or that cannot be found out."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe of that name would wait for a writer
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
