"""What a cluster's pieces cost the process that asks for them, and what that makes of a very long run: part of ``simsorry bench``."""

import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from simsorry.simulate import Task

PIECES = 100
PIECE_GAMES = 500  # played in no time beside what a piece costs; the sums of many more games are hardly larger
LONG_RUN = 10**12  # games
CORES = (100, 1000)


def measure(task: "Task", address: str, games_per_cpu_second: float) -> dict[str, Any]:
    """CPU seconds of this process for a piece, and how long a run of ``LONG_RUN`` games takes on so many cores, on paper.

    With ``local:N`` the scheduler is a part of this process, so that its work is counted, too.
    """
    from simsorry import results
    from simsorry.results.cluster import Cluster

    def say(text: str) -> None:
        typer.echo(text, err=True)

    stop = threading.Event()
    with Cluster(address, say=say, stop=stop) as cluster, tempfile.TemporaryDirectory(prefix="simsorry-bench-") as folder:
        first = PIECE_GAMES * 4 * cluster.threads
        results.run(task, first, out=folder, keep="summary", cluster=cluster, block_games=PIECE_GAMES)  # workers load, and compile
        clock, cpu = time.perf_counter(), time.process_time()
        results.run(task, first + PIECES * PIECE_GAMES, out=folder, keep="summary", cluster=cluster, block_games=PIECE_GAMES)
        seconds, cost = (time.perf_counter() - clock) / PIECES, (time.process_time() - cpu) / PIECES
        return {
            "cluster": address,
            "threads": cluster.threads,
            "pieces": PIECES,
            "games_per_piece": PIECE_GAMES,
            "seconds_per_piece": seconds,
            "cpu_seconds_per_piece": cost,
            "games_per_cpu_second": games_per_cpu_second,
            "long_run": [_long_run(cores, cost, games_per_cpu_second) for cores in CORES],
        }


def _long_run(cores: int, cost: float, games_per_cpu_second: float) -> dict[str, float]:
    from simsorry.results.cluster import piece_seconds

    piece = piece_seconds(cores)
    pieces = LONG_RUN / games_per_cpu_second / piece
    return {
        "games": LONG_RUN,
        "cores": cores,
        "hours": LONG_RUN / games_per_cpu_second / cores / 3600,
        "seconds_per_piece": piece,
        "pieces": pieces,
        "hours_for_pieces": pieces * cost / 3600,
        "busy": cost * cores / piece,
    }


def text(found: dict[str, Any]) -> list[str]:
    """The same in lines."""
    cost = f"{1000 * found['cpu_seconds_per_piece']:.1f} ms of CPU time ({found['pieces']:,} pieces, sums kept)"
    lines = [
        f"A piece played on {found['cluster']} costs this process {cost}.",
        f"On paper, {LONG_RUN:,} games at {found['games_per_cpu_second']:,.0f} games per CPU second:",
    ]
    for run in found["long_run"]:
        lines.append(
            f"{run['cores']:>6,} cores: {run['hours']:,.1f} hours in {run['pieces']:,.0f} pieces of {run['seconds_per_piece']:.0f} s, "
            f"for which this process works {100 * run['busy']:.0f}% of the time"
        )
    return lines
