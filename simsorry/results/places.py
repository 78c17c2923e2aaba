"""Where results lie: in a folder of this machine, or wherever fsspec reaches, such as ``s3://bucket/folder``.

A place on this machine is a ``Path``. One elsewhere is a ``UPath``, which answers to the same names.
"""

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from simsorry.errors import INVALID, MISSING, USAGE, SimsorryError

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_WITHOUT_FOLDERS = ("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "memory")  # a file's name there is all that its path is
_NO_STORES = ("http", "https", "github", "git", "zip", "tar", "data", "reference", "filecache", "simplecache", "blockcache", "cached")
_PACKAGES = {"s3": "simsorry[s3]", "s3a": "simsorry[s3]", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs", "abfss": "adlfs"}


def place(name: str | Path) -> Path:
    """The place of that name; raises SimsorryError for a URL of a kind that nothing installed here reaches."""
    if isinstance(name, Path) or "://" not in name:
        return Path(name)
    if not (match := _URL.match(name)):
        raise SimsorryError(f"{name} is no place: a folder, or one URL such as s3://bucket/folder, is needed", USAGE)
    protocol = match[1].lower()
    if protocol in ("file", "local"):
        return _of_file_url(name)
    if protocol in _NO_STORES:
        raise SimsorryError(
            f"{name}: no results are kept in {protocol}://; a folder, file://, s3://, gs:// and the like are allowed", USAGE
        )
    return _elsewhere(f"{protocol}{name[match.end(1) :]}", protocol)


def _of_file_url(name: str) -> Path:
    try:
        parts = urlsplit(name)
    except ValueError:
        parts = None
    if parts is None or parts.hostname not in (None, "localhost") or not parts.path.startswith("/"):
        raise SimsorryError(f"{name} names no path of this machine: three slashes begin one, such as file:///home/me/results", USAGE)
    return Path(unquote(parts.path))


def _elsewhere(name: str, protocol: str) -> Path:
    install = f"pip install '{_PACKAGES.get(protocol, 'simsorry[s3]')}'"
    try:
        from upath import UPath

        there: Any = UPath(name, use_listings_cache=False)  # others write there, too
        _ = there.fs  # finds out whether the package that reaches it is installed
    except ImportError as error:
        raise SimsorryError(f"{name} is reached with a package that is not installed: {install}", MISSING) from error
    except OSError as error:
        raise SimsorryError(f"{name} cannot be reached: {str(error).partition(chr(10))[0][:200]}") from error
    except ValueError as error:
        raise SimsorryError(
            f"{name}: fsspec knows no place of the kind {protocol}://; a folder, file://, s3://, gs:// and the like are allowed", USAGE
        ) from error
    if not there.path.strip("/"):
        raise SimsorryError(f"{name} names no place: a bucket and a folder in it are needed, such as {protocol}://bucket/folder", USAGE)
    return there  # type: ignore[no-any-return]


def is_elsewhere(path: Path) -> bool:
    """Whether it is not a path of this machine's file system."""
    return not isinstance(path, Path)


def file_system(path: Path) -> tuple[Any, str]:
    """The fsspec file system of a place elsewhere, and the path there."""
    there: Any = path
    return there.fs, there.path


def has_folders(path: Path) -> bool:
    """Whether at a place elsewhere folders are made before files can be put into them."""
    there: Any = path
    return there.protocol not in _WITHOUT_FOLDERS


def lasting(name: str) -> Path:
    """The place of that name; raises SimsorryError for one that is gone when the process ends."""
    found = place(name)
    if is_elsewhere(found) and file_system(found)[0].protocol == "memory":
        raise SimsorryError(f"{name}: what is kept in memory is gone when this command ends; name a folder, or s3://bucket/folder", USAGE)
    return found


def only_here(name: str | Path, what: str) -> Path:
    """A path of this machine; raises SimsorryError for a URL where ``what`` cannot be written to one."""
    found = place(name)
    if is_elsewhere(found):
        raise SimsorryError(f"{name}: {what} is written to a folder of this machine only", INVALID)
    return found
