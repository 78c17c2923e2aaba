"""The one way this package compiles: what is compiled, with which options, and where the result is kept.

numba notices an edit only in the file of the function that is called, not in the files of the functions that it
calls in turn, and would silently go on with the old code. So the cache folder is named by a hash of every source
that can end up in compiled code (and of the versions of numba and Python): an edit gives a new, empty folder.
Pointing numba at that folder, and telling LLVM not to look for loops to vectorize, are this module's side effects on import.
"""

import hashlib
import logging
import os
import pickle
import platform
import shutil
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.serialize import dumps
from numba.extending import intrinsic

_CONFIG: Any = numba.config  # its settings are not declared as attributes
_PACKAGE = Path(__file__).parent
_COMPILED = ("jit.py", "rng.py", "deck.py", "lanes.py", "games/**/*.py")
_KEEP_DAYS = 30
_LOG = logging.getLogger(__name__)


def _fingerprint() -> str:
    settings = f"{numba.__version__} {platform.python_version()} {_CONFIG.BOUNDSCHECK} {_CONFIG.OPT}"
    digest = hashlib.sha256(settings.encode())
    for pattern in _COMPILED:
        for path in sorted(_PACKAGE.glob(pattern)):
            digest.update(path.relative_to(_PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The folder that holds one cache folder per version of the sources (``SIMSORRY_CACHE`` moves it)."""
    if chosen := os.environ.get("SIMSORRY_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "simsorry"


def cache_folder() -> Path:
    """Where the compiled code of exactly these sources is kept."""
    return _FOLDER


def is_cold(function: str) -> bool:
    """Whether the first call of an entry point, given by name, will have to compile it."""
    return not CACHED or not any(_FOLDER.rglob(f"*.{function}-*.nbc"))


def _usable(folder: Path) -> bool:
    """Makes the folder; False where that is not possible, so that a read-only home means slower, not broken."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return os.access(folder, os.W_OK)
    except OSError:
        return False


def _drop_old_folders(root: Path, keep: Path) -> None:
    """Removes caches of other versions that nobody has used for a month."""
    horizon = time.time() - _KEEP_DAYS * 86_400
    for folder in root.iterdir():
        if folder != keep and folder.is_dir() and len(folder.name) == len(keep.name) and folder.stat().st_mtime < horizon:
            shutil.rmtree(folder, ignore_errors=True)


_FOLDER = cache_root() / _fingerprint()
CACHED = _usable(_FOLDER)
_CONFIG.LOOP_VECTORIZE = 0  # a word's lanes are all the parallelism there is; looking for more makes compiling a tenth longer
if CACHED:
    _CONFIG.CACHE_DIR = str(_FOLDER)
    try:
        os.utime(_FOLDER)
        _drop_old_folders(_FOLDER.parent, _FOLDER)
    except OSError:
        pass  # housekeeping only; another process may be at it

_COMMON: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_CALLED: dict[str, Any] = {**_COMMON, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


if _CONFIG.DISABLE_JIT:
    # The kernels mean their integers to wrap around, which numpy's scalars do with a warning each.
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)

    def stay_apart() -> None:
        """Nothing, in plain Python."""

else:

    @intrinsic
    def stay_apart(_context: Any) -> Any:
        """Called first in a function, keeps its code out of its callers.

        Left to itself LLVM copies everything into the entry point; what runs for nearly every card is then strewn over
        far more code than the processor's first caches hold, and compiling takes longer.
        """

        def mark(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
            builder.function.attributes.add("noinline")
            return context.get_dummy_value()

        return numba.types.void(), mark


class _Files(IndexDataCacheFile):
    """Compiled code in a file for each signature and kind of processor, found by its name.

    numba's own files are numbered and listed in an index, so that two machines that share a disk and compile at once can each write the
    other's number. Here what is read is only taken if it is whole and that which was looked for.
    """

    def save(self, key: Any, data: Any) -> None:
        """Raises OSError if it cannot be kept."""
        content = dumps((self._source_stamp, key, data))  # type: ignore[no-untyped-call]
        with self._open_for_write(self._path(key)) as file:
            file.write(hashlib.sha256(content).digest() + content)

    def load(self, key: Any) -> Any:
        """None if there is none that can be used."""
        try:
            content = Path(self._path(key)).read_bytes()
        except OSError:
            return None
        if content[:32] != hashlib.sha256(content[32:]).digest():
            return None
        stamp, kept_key, data = pickle.loads(content[32:])  # noqa: S301 - as numba does with its own
        return data if (stamp, kept_key) == (self._source_stamp, key) else None

    def _path(self, key: Any) -> str:
        name = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return str(self._data_path(self._index_name.removesuffix("nbi") + f"{name}.nbc"))  # type: ignore[no-untyped-call]


class _Cache(FunctionCache):
    """A function's compiled code on disk: where it cannot be read or kept it is compiled anew, which means slower, not broken."""

    _told = False

    def __init__(self, function: Any) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())  # type: ignore[no-untyped-call]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """None if there is none that can be used."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception as error:
            self._tell("read", error)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps it, or says why it cannot be kept."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except Exception as error:
            self._tell("kept", error)

    def _tell(self, what: str, error: Exception) -> None:
        reason = str(getattr(error, "strerror", None) or error or type(error).__name__).lower()
        if not _Cache._told:
            _Cache._told = True
            _LOG.warning("note: compiled code cannot be %s in %s: %s; it is compiled again each time", what, self._cache_path, reason)


def entry(function: Any) -> Any:
    """Compiles a function that Python calls; kept in the cache."""
    compiled = numba.njit(**_COMMON)(function)
    if CACHED and not _CONFIG.DISABLE_JIT:
        with suppress(RuntimeError, OSError):  # the folder vanished, or may not be written after all
            compiled._cache = _Cache(function)  # noqa: SLF001 - where numba keeps its own
    return compiled


def inner(function: Any) -> Any:
    """Compiles a function that only compiled code calls."""
    # Said outright: a function compiled on behalf of a small one would otherwise be copied into its callers too.
    return numba.njit(**_CALLED, forceinline=False)(function)


def small(function: Any) -> Any:
    """Compiles a small helper into each of its callers."""
    return numba.njit(**_CALLED, forceinline=True)(function)
