"""Files that appear whole or not at all, and one sentence for whatever can go wrong with them."""

import errno
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from simsorry.errors import INVALID, PARTIAL, SimsorryError
from simsorry.results.claims import claimed, sweep
from simsorry.results.places import file_system, has_folders, is_elsewhere

MOST_JSON = 1 << 28  # bytes: the manifest of ten million parts has not so many
_GOES_ON = "what was whole stays, and the same command goes on from there"


@contextmanager
def _reached(path: Path, exit_code: int) -> Iterator[None]:
    """Turns whatever goes wrong with a place into one sentence; what reaches those elsewhere raises all kinds of errors."""
    try:
        yield
    except SimsorryError:
        raise
    except OSError as error:
        raise trouble(error, path, exit_code) from error
    except Exception as error:
        if not is_elsewhere(path):
            raise
        raise SimsorryError(f"{path} could not be written or read: {_first_line(error)}; {_GOES_ON}", exit_code) from error


def write_whole(path: Path, data: bytes | memoryview) -> None:
    """Puts a file in place whole or not at all; raises SimsorryError with the reason if it cannot be written."""
    if is_elsewhere(path):
        with _reached(path, PARTIAL):
            store, name = file_system(path)
            store.pipe_file(name, bytes(data))  # in one request, of which nothing is seen before it has ended
        return
    try:
        with replaced(path) as file:
            file.write(data)
    except OSError as error:
        raise trouble(error, path, PARTIAL) from error


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of ``path`` once it is on the disk; raises OSError, and leaves nothing, if it can't."""
    with claimed(partial(_temporary, path), Path.touch) as temporary:
        try:
            with open(temporary, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()  # makes room for others on a full disk
            raise
        _sync_folder(path.parent)


def _temporary(path: Path, letters: str) -> Path:
    """The name under which a file is made; others may be at the same file."""
    return path.with_name(f".{path.name}.tmp-{letters}")


def sweep_up(path: Path) -> None:
    """Removes what processes that were killed have left of writing a file."""
    if not is_elsewhere(path):
        sweep(path.parent, _temporary(path, "").name)


def _sync_folder(folder: Path) -> None:
    """Makes a rename last through a power cut, where the file system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def trouble(error: OSError, path: Path, exit_code: int, stays: str = _GOES_ON) -> SimsorryError:
    """One sentence on why a file could not be read or written, and what stays."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return SimsorryError(f"the disk is full: {path} could not be written; {stays} once there is room", exit_code)
    if error.errno == errno.EFBIG:
        return SimsorryError(f"{path} could not be written: it is larger than files may be here (ulimit -f); {stays}", exit_code)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return SimsorryError(
            f"{path} may not be written or read: {_reason(error)}; choose another folder or change its permissions", exit_code
        )
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        return SimsorryError(f"{path} cannot be used as a folder, because it or a part of its path is a file", exit_code)
    if error.errno == errno.ENOENT:
        return SimsorryError(f"{path} cannot be reached: its folder vanished or cannot be made there", exit_code)
    return SimsorryError(f"{path} could not be written or read: {_reason(error)}; {stays}", exit_code)


def _reason(error: OSError) -> str:
    return (error.strerror or _first_line(error)).lower()


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


def check_ordinary(path: Path) -> None:
    """Raises SimsorryError for a pipe or a device of this machine, from which reading may never end."""
    if path.exists() and not path.is_file():
        raise SimsorryError(f"{path} is not an ordinary file: move it elsewhere", INVALID)


def read_bytes(path: Path) -> bytes:
    """All of a file; raises SimsorryError if it cannot be read."""
    with _reached(path, INVALID):
        if not is_elsewhere(path):
            check_ordinary(path)
        return path.read_bytes()


def exists(path: Path) -> bool:
    """Whether there is a file or folder; raises SimsorryError where that cannot be found out."""
    with _reached(path, INVALID):
        return path.exists()


def sizes_in(folder: Path) -> dict[str, int]:
    """The size of everything in a folder by name; nothing if there is no such folder."""
    with _reached(folder, INVALID), suppress(FileNotFoundError):
        if not is_elsewhere(folder):
            return dict(_sizes_here(folder))
        store, name = file_system(folder)
        return {each["name"].rstrip("/").rpartition("/")[2]: each["size"] or 0 for each in store.ls(name, detail=True)}
    return {}


def _sizes_here(folder: Path) -> Iterator[tuple[str, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            # A file that is being written may have got its name meanwhile; a link may lead nowhere, or in circles.
            with suppress(OSError):
                yield entry.name, entry.stat().st_size


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it where there are such things; raises SimsorryError if it cannot be made."""
    with _reached(folder, INVALID):
        if not is_elsewhere(folder):
            folder.mkdir(parents=True, exist_ok=True)
        elif has_folders(folder):
            store, name = file_system(folder)
            store.makedirs(name, exist_ok=True)


def remove(path: Path) -> None:
    """Removes a file if it is there, and leaves it where that is not possible."""
    with suppress(SimsorryError), _reached(path, INVALID):
        path.unlink(missing_ok=True)


def damaged(path: Path, what: str) -> SimsorryError:
    """One sentence on a file that is not as it was written, and what to do."""
    return SimsorryError(f"{path} {what}: delete it and repeat the run that wrote it, which plays its games again", INVALID)


def read_json(path: Path) -> dict[str, Any]:
    """A file's JSON object; raises SimsorryError if it holds none."""
    with _reached(path, INVALID):
        size = 0 if is_elsewhere(path) else path.stat().st_size
    if size > MOST_JSON:
        raise SimsorryError(f"{path} has {size:,} bytes, more than any file of its kind: delete it and run the same command again", INVALID)
    try:
        data = json.loads(read_bytes(path))
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise SimsorryError(f"{path} is cut short or not JSON: delete it and repeat the run that wrote it", INVALID)
    return data


def to_json(data: Any) -> bytes:
    """The bytes of a JSON file."""
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode(errors="backslashreplace")  # a folder's name may be no text


def fingerprint(path: Path) -> tuple[int, str]:
    """Size and sha256 of a file."""
    with _reached(path, INVALID):
        if is_elsewhere(path):
            data = path.read_bytes()
            return len(data), hashlib.sha256(data).hexdigest()
        check_ordinary(path)
        with open(path, "rb") as file:
            return os.fstat(file.fileno()).st_size, hashlib.file_digest(file, "sha256").hexdigest()
