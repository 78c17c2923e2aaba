"""The one exception for what a user can put right: it is shown as a single sentence, never as a traceback."""

FAILURE, USAGE, IMPRECISE, INVALID, PARTIAL, MISSING, INTERRUPTED = 1, 2, 3, 4, 5, 69, 130


class SimsorryError(Exception):
    """A clear sentence for the user, and the exit code that the command line ends with."""

    def __init__(self, message: str, exit_code: int = INVALID) -> None:
        super().__init__(message)
        self.exit_code = exit_code
