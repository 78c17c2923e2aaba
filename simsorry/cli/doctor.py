"""``simsorry doctor``: what this installation consists of, for bug reports and for finding out why something is slow."""

import json
import os
import platform
from importlib import metadata
from typing import Annotated, Any

import typer

from simsorry.errors import MISSING, SimsorryError

_PACKAGES = ("numba", "numpy", "pandas", "pyarrow", "scipy", "statsmodels", "matplotlib", "pydantic", "typer")


def doctor(as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False) -> None:
    """Shows versions, cores and the compile cache, and says what is missing."""
    facts = _facts()
    if as_json:
        typer.echo(json.dumps(facts, indent=2))
    else:
        width = max(map(len, facts))
        for name, fact in facts.items():
            typer.echo(f"{name:{width}}  {_in_words(fact)}")
    if missing := [name for name in _PACKAGES if facts[name] is None]:
        raise SimsorryError(f"not installed: {', '.join(missing)}; install simsorry again, for example with ./run simsorry doctor", MISSING)


def _facts() -> dict[str, Any]:
    from simsorry import __version__

    return {
        "simsorry": __version__,
        "python": platform.python_version(),
        **{package: _version(package) for package in _PACKAGES},
        "system": f"{platform.system()} {platform.machine()}",
        "cores": _cores(),
        **_cache(),
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _cores() -> int:
    """The cores that this process may use, which containers and batch systems make fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cache() -> dict[str, Any]:
    if _version("numba") is None:
        return {}
    from simsorry.jit import cache_folder

    folder = cache_folder()
    return {"cache folder": str(folder), "cache writable": os.access(folder, os.W_OK)}


def _in_words(fact: Any) -> str:
    if fact is None:
        return "not installed"
    if fact is False:
        return "no: everything is compiled anew in every process (SIMSORRY_CACHE names another folder)"
    return "yes" if fact is True else str(fact)
