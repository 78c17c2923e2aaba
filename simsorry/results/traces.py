"""A trace: where everybody stood at the round ends of some games, in a parquet file of its own."""

from pathlib import Path

import numpy as np

from simsorry.errors import USAGE, SimsorryError
from simsorry.results.files import sweep_up, write_whole
from simsorry.results.parts import encode, header
from simsorry.results.places import only_here
from simsorry.simulate import Task
from simsorry.trace import COLUMNS, table

MOST_GAMES = 10_000  # all of a trace is in memory at once
_TYPES = {"game": np.int64, "round": np.int32, "squares": np.int32}


def check_trace(path: str, games: int) -> Path:
    """Where a trace is to be written; raises SimsorryError for too many games, and for what cannot be a file's name."""
    if games > MOST_GAMES:
        raise SimsorryError(f"--trace {path[:60]}: {games:,} games are too many, a trace is of {MOST_GAMES:,} at most", USAGE)
    if not path.strip() or "\0" in path or Path(path).is_dir():
        raise SimsorryError(f"--trace {path[:60]!r}: the name of a file is needed", USAGE)
    return only_here(path, "a trace")


def write_trace(task: Task, games: int, path: Path) -> None:
    """Plays the first games of a task one by one, and writes where everybody stood; raises SimsorryError if the file cannot be written."""
    columns = {name: values.astype(_TYPES.get(name, np.uint8)) for name, values in table(task, range(games)).items()}
    sweep_up(path)
    write_whole(path, encode(columns, COLUMNS, header(task.describe(), "trace", 0, games)))
