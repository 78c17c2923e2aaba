"""The one way this package compiles: what is compiled, with which options, and where the result is kept.

numba notices an edit only in the file of the function that is called, not in the files of the functions that it
calls in turn, and would silently go on with the old code. So the cache folder is named by a hash of every source
that can end up in compiled code (and of the versions of numba and Python): an edit gives a new, empty folder.
Pointing numba at that folder, and telling LLVM not to look for loops to vectorize, are this module's side effects on import.
"""

import hashlib
import os
import platform
import shutil
import time
import warnings
from pathlib import Path
from typing import Any

import numba
from numba.extending import intrinsic

_CONFIG: Any = numba.config  # its settings are not declared as attributes
_PACKAGE = Path(__file__).parent
_COMPILED = ("jit.py", "rng.py", "deck.py", "lanes.py", "games/**/*.py")
_KEEP_DAYS = 30


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
    return not CACHED or not any(_FOLDER.rglob(f"*.{function}-*.nbi"))


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


def entry(function: Any) -> Any:
    """Compiles a function that Python calls; kept in the cache."""
    return numba.njit(**_COMMON, cache=CACHED)(function)


def inner(function: Any) -> Any:
    """Compiles a function that only compiled code calls."""
    # Said outright: a function compiled on behalf of a small one would otherwise be copied into its callers too.
    return numba.njit(**_CALLED, forceinline=False)(function)


def small(function: Any) -> Any:
    """Compiles a small helper into each of its callers."""
    return numba.njit(**_CALLED, forceinline=True)(function)
