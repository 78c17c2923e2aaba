"""What a worker here does first: it leaves Ctrl-C, which a terminal sends to all its processes, to the one that asks for games."""

import signal


def dask_setup(_worker: object) -> None:
    """Called by Dask in the worker's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
