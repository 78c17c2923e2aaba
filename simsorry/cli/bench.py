"""``simsorry bench``: how fast games are played here, and how that compares with a program of known speed.

Machines are shared and change their clock, so speed is CPU time of the playing thread over many short batches, taken in
turns with everything that it is compared with: the fastest tenth says what the program can do, the median what the machine
let it do. A batch's cost is counted per card, so that a batch of short games is no better than another.
"""

import itertools
import json
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from simsorry.cli import _cluster, _cluster_bench
from simsorry.errors import INVALID, MISSING, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.simulate import Block, Task

TURNS = 20  # times that each thing measured gets its turn
BATCH_SECONDS = 0.02  # of CPU time
FASTEST = 0.95  # quantile of the speeds: the middle of the fastest tenth
CLOCK_TURNS, CLOCK_SECONDS = 4, 2.0  # by the clock in every fourth turn, for so long with one thread and with several

ANCHOR_GAMES = 2_000  # of the anchor's own batches: one batch each time it is run
_ANCHOR_LINE = re.compile(r"^V3 splitmix\s+p5\s+[\d.]+\s+med\s+[\d.]+ ns/draw\s+p5\s+([\d.]+) games/s", re.MULTILINE)
_ANCHOR_SECONDS = 120  # one run of the anchor takes half of one
_SOURCES = (".cpp", ".cc", ".cxx")
_COMPILER = ("g++", "-O3", "-march=native", "-std=c++20")


@dataclass
class _Line:
    """One ruleset with one policy at all seats, and what was measured of it."""

    task: "Task"
    batch_games: int = 1
    played: int = 0
    costs: list[float] = field(default_factory=list)  # CPU seconds per card of each batch
    cards: int = 0
    choices: int = 0
    wall_one: list[float] = field(default_factory=list)  # games per second of wall-clock time with one thread
    wall_many: list[float] = field(default_factory=list)


def bench(
    ruleset: Annotated[
        list[str] | None, typer.Option(help="What to play: hasbro if not given, ./mine.toml, hasbro+slides=off; may be repeated.")
    ] = None,
    policy: Annotated[
        list[str] | None, typer.Option(help="Who plays at all seats, random and balanced if not given (repeat or separate by commas).")
    ] = None,
    players: Annotated[int, typer.Option(help="Number of players.")] = 4,
    seconds: Annotated[float, typer.Option(help="CPU seconds for each ruleset with each policy.")] = 3.0,
    threads: Annotated[
        str | None, typer.Option(metavar="N", help="Also play in one and in N threads, and say how many times faster that is.")
    ] = None,
    anchor: Annotated[
        str | None, typer.Option(metavar="PATH", help="Run classic_anchor in turn with these: the program, or the .cpp to compile.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Also measure what a cluster costs, and how long 10^12 games would take."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
) -> None:
    """Measure games, choices (decisions with two or more outcomes) and cards per CPU second of one thread."""
    from simsorry.cli.run import make_task, whole_number

    if not 0.1 <= seconds <= 3600:
        raise SimsorryError(f"--seconds {seconds:g}: a number of seconds from 0.1 to 3,600 is needed", USAGE)
    many = None if threads is None else whole_number("--threads", threads, 2, 1024)
    _cluster.check(cluster, threads)
    policies = [name.strip() for given in policy or ["random", "balanced"] for name in given.split(",")]
    lines = [_Line(make_task(rules, players, [name], 1, [], None)) for rules in ruleset or ["hasbro"] for name in policies]
    with _program(anchor) as program:
        anchored = _measure(lines, seconds, many, program)
    document = _document(lines, many, anchored)
    if cluster is not None:
        document["cluster"] = _cluster_bench.measure(lines[0].task, cluster, document["lines"][0]["per_cpu_second"]["games"]["median"])
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False) if as_json else _text(document))


# -- measuring -------------------------------------------------------------------------------------


def _measure(lines: list[_Line], seconds: float, many: int | None, program: Path | None) -> list[float]:
    """Gives every line its turns, and the anchor one before each round; returns the anchor's games per CPU second."""
    from simsorry import jit

    if any(jit.is_cold(line.task.entry_point) for line in lines):
        typer.echo("compiling (first run only) …", err=True)
    for line in lines:
        _warm_up(line)
    anchored = []
    for turn in range(TURNS):
        if program:
            anchored.append(_anchor_speed(program, seed=turn + 1))
        for line in lines:
            _play_batches(line, seconds / TURNS)
            if many and turn % CLOCK_TURNS == 0:
                _play_by_the_clock(line, many)
    return anchored


class _Batch(NamedTuple):
    """What one batch came to, and the CPU time of its thread when it was done."""

    clock: float
    games: int
    cards: int
    choices: int


def _batch(block: "Block") -> _Batch:
    return _Batch(time.thread_time(), block.count, int(block.games["draws"].sum()), int(block.games["choices"].sum()))


def _batches(line: _Line, batch_games: int) -> Generator[_Batch, None, None]:
    """Batches of the games that follow those played before, all in one new thread."""
    from simsorry.simulate import MAX_GAMES, map_blocks

    yield from map_blocks(line.task, range(line.played, MAX_GAMES), _batch, threads=1, block_games=batch_games)


def _warm_up(line: _Line) -> None:
    """Compiles, and finds how many games a batch has."""
    few = 20
    with closing(_batches(line, few)) as batches:
        clocks = [batch.clock for batch in itertools.islice(batches, 6)]
    cheapest = min(later - earlier for earlier, later in itertools.pairwise(clocks))
    line.batch_games = max(1, round(few * BATCH_SECONDS / max(cheapest, 1e-6)))


def _play_batches(line: _Line, seconds: float) -> None:
    """Plays batches for so many seconds of CPU time, and at least one."""
    before = 0.0
    with closing(_batches(line, line.batch_games)) as batches:
        for batch in batches:
            line.costs.append((batch.clock - before) / batch.cards)
            line.played += batch.games
            line.cards += batch.cards
            line.choices += batch.choices
            before = batch.clock
            if before >= seconds:
                return


def _play_by_the_clock(line: _Line, threads: int) -> None:
    """Plays for some time in one thread, then in several."""
    cost = line.cards / line.played * statistics.median(line.costs)
    games = round(CLOCK_SECONDS / cost) + 1
    line.wall_one.append(_wall_speed(line.task, games, 1))
    line.wall_many.append(_wall_speed(line.task, games * threads, threads))


def _wall_speed(task: "Task", games: int, threads: int) -> float:
    from simsorry.simulate import simulate

    begun = time.perf_counter()
    played = sum(block.count for block in simulate(task, range(games), threads=threads))
    return played / (time.perf_counter() - begun)


# -- the anchor ------------------------------------------------------------------------------------


@contextmanager
def _program(anchor: str | None) -> Iterator[Path | None]:
    """The anchor as a program that can be run; a source file is compiled into a folder that is removed afterwards."""
    if anchor is None:
        yield None
        return
    path = Path(anchor).absolute()
    if not path.is_file():
        what = "this is a folder" if path.is_dir() else "there is no such file"
        raise SimsorryError(f"--anchor {anchor[:200]}: {what}; classic_anchor.cpp, or the program made of it, is needed")
    if path.suffix not in _SOURCES:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="simsorry-anchor-") as folder:
        yield _compiled(path, Path(folder) / "anchor")


def _compiled(source: Path, program: Path) -> Path:
    compiler = shutil.which(_COMPILER[0])
    if compiler is None:
        raise SimsorryError(f"{_COMPILER[0]}, which compiles {source.name}, is not installed; on Debian, its package is g++", MISSING)
    typer.echo(f"compiling {source.name} …", err=True)
    done = subprocess.run([compiler, *_COMPILER[1:], "-o", program, source], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = next((line for line in done.stderr.splitlines() if "error" in line), "it says no more")
        raise SimsorryError(f"--anchor {source}: g++ cannot compile it: {said.strip()[:200]}", INVALID)
    return program


def _anchor_speed(program: Path, seed: int) -> float:
    """Games per CPU second of one batch, as the anchor itself measures it."""
    try:
        done = subprocess.run(  # noqa: S603
            [program, str(ANCHOR_GAMES), str(seed)],
            capture_output=True, text=True, errors="replace", timeout=_ANCHOR_SECONDS, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise SimsorryError(f"--anchor {program} is no classic_anchor: it was still running after {_ANCHOR_SECONDS} seconds") from error
    except OSError as error:
        raise SimsorryError(f"--anchor {program}: it cannot be run as a program: {error.strerror}") from error
    found = _ANCHOR_LINE.search(done.stdout)
    if not found or not float(found[1]):
        raise SimsorryError(f"--anchor {program} is no classic_anchor: it prints no line that begins with V3 splitmix and its speed")
    return float(found[1])


# -- what came of it -------------------------------------------------------------------------------


def _document(lines: list[_Line], many: int | None, anchored: list[float]) -> dict[str, Any]:
    from simsorry import results
    from simsorry.simulate import cores

    anchor = _both(anchored) if anchored else None
    return {
        "versions": results.versions(),
        "cpu": _cpu(),
        "cores": cores(),
        "games": {line.task.game.NAME: line.task.game.VERSION for line in lines},
        "players": lines[0].task.players,
        "anchor": anchor and {"batches": len(anchored), "games_per_cpu_second": anchor},
        "lines": [_line_document(line, many, anchor) for line in lines],
    }


def _line_document(line: _Line, many: int | None, anchor: dict[str, float] | None) -> dict[str, Any]:
    cards = _both([1 / cost for cost in line.costs])
    games = {which: speed * line.played / line.cards for which, speed in cards.items()}
    about: dict[str, Any] = {
        "ruleset": line.task.ruleset.name,
        "policy": line.task.policies[0].name,
        "batches": len(line.costs),
        "games": line.played,
        "per_cpu_second": {
            "games": games,
            "choices": {which: speed * line.choices / line.cards for which, speed in cards.items()},
            "cards": cards,
        },
        "choices_per_game": line.choices / line.played,
        "cards_per_game": line.cards / line.played,
    }
    if anchor:
        about["times_the_anchor"] = {which: games[which] / anchor[which] for which in anchor}
    if many:
        about["by_the_clock"] = {
            "threads": many,
            "games_per_second": {"one": _both(line.wall_one), "all": _both(line.wall_many)},
            "factor": statistics.median(several / one for one, several in zip(line.wall_one, line.wall_many, strict=True)),
        }
    return about


def _both(speeds: list[float]) -> dict[str, float]:
    """The middle of the fastest tenth, and the median."""
    import numpy as np

    return {"fastest": float(np.quantile(speeds, FASTEST)), "median": float(np.median(speeds))}


def _cpu() -> str:
    """The processor's name as Linux has it, else as Python knows it."""
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _text(document: dict[str, Any]) -> str:
    names = [f"{line['ruleset']} {line['policy']}" for line in document["lines"]]
    width = max(map(len, [*names, "V3 splitmix"])) + 2
    rows = list(zip(names, document["lines"], strict=True))
    text = [
        ", ".join(f"{name} {version}" for name, version in document["versions"].items()),
        f"{document['cpu']}, {document['cores']} cores",
        ", ".join([*(f"{game} game version {version}" for game, version in document["games"].items()), f"{document['players']} players"]),
        "",
        "Done in a CPU second of one thread: the fastest tenth of the batches, and the median.",
        f"{'':{width}}{'games':>10}{'median':>10}{'choices':>14}{'median':>12}{'cards':>14}{'median':>12}",
    ]
    for name, line in rows:
        speeds = line["per_cpu_second"]
        text.append(f"{name:{width}}{_pair(speeds['games'], 10, 10)}{_pair(speeds['choices'], 14, 12)}{_pair(speeds['cards'], 14, 12)}")
    if anchor := document["anchor"]:
        text += ["", f"Games beside those of the anchor in the same CPU seconds, {anchor['batches']} batches in turn."]
        text.append(f"{'V3 splitmix':{width}}{_pair(anchor['games_per_cpu_second'], 10, 10)}")
        text += [f"{name:{width}}{_pair(line['times_the_anchor'], 10, 10, 4)} times the anchor" for name, line in rows]
    if many := document["lines"][0].get("by_the_clock", {}).get("threads"):
        text += ["", "Games in a second by the clock: the fastest measurement, and the median."]
        for name, line in rows:
            clock = line["by_the_clock"]
            text.append(f"{name:{width}}{_pair(clock['games_per_second']['one'], 10, 10)} in one thread")
            text.append(f"{'':{width}}{_pair(clock['games_per_second']['all'], 10, 10)} in {many} threads")
            text.append(f"{'':{width}}{clock['factor']:>20.2f} times one thread, the median of the turns")
    if "cluster" in document:
        text += ["", *_cluster_bench.text(document["cluster"])]
    return "\n".join(text)


def _pair(pair: dict[str, float], first: int, second: int, decimals: int = 0) -> str:
    return f"{pair['fastest']:>{first},.{decimals}f}{pair['median']:>{second},.{decimals}f}"
