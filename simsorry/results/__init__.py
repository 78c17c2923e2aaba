"""Stored results: the parquet format, its version, writing, resuming and reading.

The folder of a run holds one folder per task, named by the task id:

    task.json        the full description of the task
    manifest.json    status, parts with sizes and hashes, and the runs that made them (time, host, versions, command)
    games/part-<first game>-<games>.parquet     one row per game
    seats/part-<first game>-<games>.parquet     one row per game and play-order seat
    tallies/part-<first game>-<games>.parquet   exact sums of what reports measure, by chunks of these games (see ``tally.py``)
    summary/part-<first game>-<games>.json      exact sums of these games

Under ``keep = "summary"`` there are only the two tables of sums.

Parts begin at multiples of ``PART_GAMES``, and all but the last are full; where there are sums alone the parts of later games
are larger, so that a billion games are some two hundred parts. A task's last part may be short, and one that takes long is
written short now and then. When the task is extended a longer part replaces it (a full part is never written again), so
what a folder holds depends on the task and the number of games alone: not on blocks, threads, interruptions or earlier,
smaller runs. For a moment both the short and the longer part are there; of parts with the same first game only the longest
counts.
A part counts once all its tables are there; ``summary`` is written last. Each file is made in memory, written under a
dotted name, flushed to disk and renamed, so that it is whole or absent, whatever is killed when. The manifest may lag
behind the parts: those it does not know are taken over after a look at their footer.

Games a run still needs are those of the parts that are not there. A deleted part is thus played again.
Only one run at a time writes to a task's folder; a second one waits for it, then goes on from where that stopped. Where fsspec reaches
there are no locks: two runs there may play the same games, and write the same bytes under the same names.
"""

from simsorry.results.read import (
    Stored,
    export_csv,
    holds_tasks,
    iter_blocks,
    iter_parts,
    iter_tallies,
    one_by_one,
    read_games,
    read_seats,
    read_summary,
    take_tally,
    task,
    tasks,
)
from simsorry.results.rebuild import rebuild
from simsorry.results.running import Outcome, Watcher, run, run_until
from simsorry.results.store import Keep, Store, versions
from simsorry.results.traces import check_trace, write_trace

__all__ = [
    "Keep",
    "Outcome",
    "Store",
    "Stored",
    "Watcher",
    "check_trace",
    "export_csv",
    "holds_tasks",
    "iter_blocks",
    "iter_parts",
    "iter_tallies",
    "one_by_one",
    "read_games",
    "read_seats",
    "read_summary",
    "rebuild",
    "run",
    "run_until",
    "take_tally",
    "task",
    "tasks",
    "versions",
    "write_trace",
]
