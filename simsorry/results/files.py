"""Files that appear whole or not at all, and one sentence for whatever can go wrong with them."""

import errno
import hashlib
import json
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from simsorry.errors import INVALID, PARTIAL, SimsorryError


def write_whole(path: Path, data: bytes | memoryview) -> None:
    """Puts a file in place whole or not at all; raises SimsorryError with the reason if it cannot be written."""
    temporary = path.with_name(f".{path.name}.tmp-{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()  # makes room for others on a full disk
        raise trouble(error, path, PARTIAL) from error


def replace_folder(made: Path, folder: Path) -> None:
    """Renames a finished folder into place beside which it was made; what was there before is moved aside first and then removed."""
    made.chmod(0o777 & ~_umask())
    if not folder.exists():
        made.rename(folder)
        return
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        folder.rename(aside / "old")
        made.rename(folder)
    except OSError:
        if not folder.exists() and (aside / "old").exists():
            (aside / "old").rename(folder)
        raise
    finally:
        if folder.exists():  # otherwise what was there before is all there is
            shutil.rmtree(aside, ignore_errors=True)


def _umask() -> int:
    """The permissions that new folders of this process lack."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    """Makes a rename last through a power cut, where the file system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def trouble(error: OSError, path: Path, exit_code: int) -> SimsorryError:
    """One sentence on why a file could not be read or written, and what stays."""
    goes_on = "what was whole stays, and the same command goes on from there"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return SimsorryError(f"the disk is full: {path} could not be written; {goes_on} once there is room", exit_code)
    if error.errno == errno.EFBIG:
        return SimsorryError(f"{path} could not be written: it is larger than files may be here (ulimit -f); {goes_on}", exit_code)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return SimsorryError(
            f"{path} may not be written or read: {_reason(error)}; choose another folder or change its permissions", exit_code
        )
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        return SimsorryError(f"{path} cannot be used as a folder, because it or a part of its path is a file", exit_code)
    if error.errno == errno.ENOENT:
        return SimsorryError(f"{path} cannot be reached: its folder vanished or cannot be made there", exit_code)
    return SimsorryError(f"{path} could not be written or read: {_reason(error)}; {goes_on}", exit_code)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def damaged(path: Path, what: str) -> SimsorryError:
    """One sentence on a file that is not as it was written, and what to do."""
    return SimsorryError(f"{path} {what}: delete it and run the same command again, which plays its games again", INVALID)


def read_json(path: Path) -> dict[str, Any]:
    """A file's JSON object; raises SimsorryError if it holds none."""
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise trouble(error, path, INVALID) from error
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise SimsorryError(f"{path} is cut short or not JSON: delete it and run the same command again", INVALID)
    return data


def to_json(data: Any) -> bytes:
    """The bytes of a JSON file."""
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def fingerprint(path: Path) -> tuple[int, str]:
    """Size and sha256 of a file."""
    try:
        with open(path, "rb") as file:
            return os.fstat(file.fileno()).st_size, hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise trouble(error, path, INVALID) from error
