"""Folders that appear whole or not at all, such as those of reports and exports; an earlier one is replaced in one step.

A folder is made beside its place, under a hidden name, and then changes places with the earlier one. Where the file system cannot do
that in one step, the earlier one is moved aside first; it is put back by whoever comes next if the process is killed in between.
"""

import ctypes
import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from simsorry.errors import USAGE, SimsorryError
from simsorry.results.claims import claimed, named, sweep
from simsorry.results.files import trouble

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2  # of Linux
_CANNOT = (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)


class Making:
    """A folder that is being made."""

    def __init__(self, path: Path, place: Path) -> None:
        self.path, self._place = path, place

    def put(self) -> None:
        """Puts it in its place, to which it must not be added any more; raises OSError if that is not possible."""
        _sync(self.path)
        self.path.chmod(0o777 & ~_umask())
        while not self._put():
            pass

    def _put(self) -> bool:
        """Whether it is there now: False if another came first, so that it has to be tried again."""
        if not self._place.exists():
            return _renamed(self.path, self._place)
        if not self._place.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(self._place))
        if exchange(self.path, self._place):
            return True
        aside = _hidden(self._place, "old", secrets.token_hex(4))
        self._place.rename(aside)
        try:
            there = _renamed(self.path, self._place)
        except OSError:
            aside.rename(self._place)
            raise
        if there:
            shutil.rmtree(aside, ignore_errors=True)
        return there


@contextmanager
def making(folder: Path, exit_code: int) -> Iterator[Making]:
    """An empty folder to fill and to put in the place of ``folder``; what is not put there is removed.

    Raises SimsorryError for whatever goes wrong with the disk meanwhile; what was there before stays then.
    """
    place = _place_of(folder)  # a link to a report stays a link
    tidy(place)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with claimed(lambda letters: _hidden(place, "new", letters), lambda path: path.mkdir(0o700)) as path:
            try:
                yield Making(path, place)
            finally:
                shutil.rmtree(path, ignore_errors=True)  # by now perhaps what was there before
    except OSError as error:
        raise _trouble(error, folder, exit_code) from error


def tidy(folder: Path) -> None:
    """Puts back what a killed process moved aside, if nothing has taken its place, and sweeps up what else it left."""
    place = _place_of(folder)
    for aside in named(place.parent, _hidden(place, "old", "").name):
        if not place.exists():
            with suppress(OSError):
                aside.rename(place)
    for what in ("old", "new"):
        sweep(place.parent, _hidden(place, what, "").name)


def _place_of(folder: Path) -> Path:
    """Where a folder lies or is to lie, all links followed; raises OSError for links in a circle, SimsorryError for the root folder."""
    try:
        place = folder.resolve()
    except RuntimeError as error:  # of Python 3.12 and before
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(folder)) from error
    if not place.name:
        raise SimsorryError(f"{folder} is the root of the file system, which is never replaced: name a folder in it", USAGE)
    return place


def _trouble(error: OSError, folder: Path, exit_code: int) -> SimsorryError:
    return trouble(error, folder, exit_code, "what was there before stays, and the same command makes it anew")


def _hidden(place: Path, what: str, letters: str) -> Path:
    return place.with_name(f".{place.name}.simsorry-{what}-{letters}")


def _renamed(folder: Path, place: Path) -> bool:
    """Whether it could be put where nothing was."""
    try:
        folder.rename(place)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        return False
    return True


def exchange(one: Path, other: Path) -> bool:
    """Lets two folders change places in one step; False where the system cannot do that. Raises OSError if it may not."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    if not rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE):
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(other))


def _sync(folder: Path) -> None:
    """Has everything in a folder on the disk before it is put in place, so that a power cut leaves it whole, too."""
    for path in (*folder.rglob("*"), folder):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno != errno.EINVAL:  # a file system that cannot
                raise
        finally:
            os.close(descriptor)


def _umask() -> int:
    """The permissions that new folders of this process lack."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
