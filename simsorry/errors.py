"""The one exception for what a user can put right: it is shown as a single sentence, never as a traceback."""

FAILURE, USAGE, IMPRECISE, INVALID, PARTIAL, MISSING, INTERRUPTED = 1, 2, 3, 4, 5, 69, 130


LONGEST = 2_000  # characters of a sentence


def printable(text: str) -> str:
    """Text that others wrote, without line breaks, bytes that are no text, and whatever else would upset a terminal."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode("ascii") for char in text)


def sentence(text: str) -> str:
    """One line that can be read, whatever is quoted in it: a name with line breaks, or a number of thousands of digits."""
    return printable(f"{text[: LONGEST // 2]}…{text[1 - LONGEST // 2 :]}" if len(text) > LONGEST else text)


class SimsorryError(Exception):
    """A clear sentence for the user, and the exit code that the command line ends with."""

    def __init__(self, message: str, exit_code: int = INVALID) -> None:
        super().__init__(sentence(message))
        self.exit_code = exit_code
