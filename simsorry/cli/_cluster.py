"""``--cluster``: playing on the workers of a Dask cluster instead of in threads of this process."""

from contextlib import contextmanager
from typing import TYPE_CHECKING

from simsorry.errors import USAGE, SimsorryError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simsorry.cli._progress import Watch
    from simsorry.results.cluster import Cluster

HELP = "Play on a Dask cluster: local:4 for four workers on this machine, a scheduler's address (tcp://host:8786) or its file (.json)."


def check(address: str | None, threads: str | None, *, kept: str | None = "") -> None:
    """Raises SimsorryError for what names no cluster, for threads beside it, and if games are not ``kept`` where they have to be."""
    if address is None:
        return
    if kept is None:
        raise SimsorryError("--cluster plays games that are stored: add --keep-games FOLDER", USAGE)
    if threads is not None:
        raise SimsorryError(
            "--threads says how many threads of this process play, and with --cluster none does: leave one of them out", USAGE
        )
    from simsorry.results.cluster import check_address

    check_address(address)


@contextmanager
def opened(address: str | None, watch: "Watch") -> "Iterator[Cluster | None]":
    """The cluster, as long as the body runs; None if there is none."""
    if address is None:
        yield None
        return
    from simsorry.results.cluster import Cluster

    with Cluster(address, say=watch.say, stop=watch.stop) as cluster:
        yield cluster
