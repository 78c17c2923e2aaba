"""``simsorry doctor``: what this installation consists of, for bug reports and for finding out why something is slow."""

import json
import os
import platform
from importlib import metadata
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsorry.errors import FAILURE, INTERRUPTED, MISSING, SimsorryError

if TYPE_CHECKING:
    from simsorry.seeds import Checked

_PACKAGES = ("numba", "numpy", "pandas", "pyarrow", "scipy", "statsmodels", "matplotlib", "pydantic", "typer")


def doctor(
    seeds: Annotated[bool, typer.Option("--seeds", help="Also play games whose fingerprints are published, and compare.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Shows versions, cores and the compile cache, and says what is missing.

    With --seeds it says whether a seed gives the same games here as everywhere: every number of some thousand games is compared. That takes
    seconds, or minutes where games have not been compiled yet.
    """
    facts = _facts()
    if seeds and all(facts[name] for name in _PACKAGES):
        _check_seeds(facts, as_json=as_json, quiet=quiet)
        return
    if as_json:
        typer.echo(json.dumps(facts, indent=2))
    else:
        _tell(facts)
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


def _check_seeds(facts: dict[str, Any], *, as_json: bool, quiet: bool) -> None:
    """Plays the published games; raises SimsorryError if they are others here."""
    from simsorry import seeds
    from simsorry.cli._progress import on_terminal

    total = sum(case.games for case in seeds.GAMES)
    watch = on_terminal(total, {case.task.entry_point for case in seeds.GAMES}, quiet=quiet)
    with watch.shown():
        watch.games(0)
        found = list(seeds.check(seeds.GAMES, on_games=watch.games, stop=watch.stop))
    if as_json:
        typer.echo(json.dumps({**facts, "seeds": [_case(each) for each in found]}, indent=2))
    else:
        _tell(
            {**facts, "seeds": f"{sum(each.same for each in found)} of {len(found)} tasks are played as everywhere ({watch.done:,} games)"}
        )
    if len(found) < len(seeds.GAMES):
        raise SimsorryError(f"stopped after {watch.done:,} of {total:,} games", INTERRUPTED)
    if other := [each.case.name for each in found if not each.same]:
        raise SimsorryError(
            f"this machine plays other games than others do from the same seeds ({'; '.join(other)}): please report it with what "
            "simsorry doctor --seeds --json prints",
            FAILURE,
        )


def _case(each: "Checked") -> dict[str, Any]:
    return {
        "task": each.case.name,
        "games": each.case.games,
        "same": each.same,
        "published": each.published._asdict(),
        "found": each.found._asdict(),
    }


def _tell(facts: dict[str, Any]) -> None:
    width = max(map(len, facts))
    for name, fact in facts.items():
        typer.echo(f"{name:{width}}  {_in_words(fact)}")


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
    from llvmlite import binding

    from simsorry.jit import cache_folder

    folder = cache_folder()
    named = os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name()
    return {"compiled for": named, "cache folder": str(folder), "cache writable": os.access(folder, os.W_OK)}


def _in_words(fact: Any) -> str:
    if fact is None:
        return "not installed"
    if fact is False:
        return "no: everything is compiled anew in every process (SIMSORRY_CACHE names another folder)"
    return "yes" if fact is True else str(fact)
