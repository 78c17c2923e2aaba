"""The command line: ``simsorry VERB``.

Every file in this folder is a verb, unless its name begins with an underscore; to add one, write ``simsorry/cli/NAME.py``. It
holds a function called NAME, whose parameters are the verb's options and whose docstring is its help, or, for a verb with
verbs of its own, ``app``, a ``typer.Typer``. Every such file is imported before ``--help`` can answer, so at its top it
imports only the standard library, typer and ``simsorry.errors``; numba, pandas and the rest of the package are imported inside
the functions.

What a user can put right is raised as ``SimsorryError`` and shown as one line on standard error; data goes to standard output.
"""

import importlib
import os
import pkgutil
import sys
import traceback
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from simsorry import __version__
from simsorry.cli._command import Verb
from simsorry.errors import FAILURE, SimsorryError, sentence


class _Program(TyperGroup):
    """Turns a SimsorryError of any verb into its sentence and exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except SimsorryError as error:
            if ctx.params.get("debug"):
                traceback.print_exc()
            _complain(str(error))
            raise typer.Exit(error.exit_code) from error


app = typer.Typer(
    name="simsorry",
    cls=_Program,
    help="Monte Carlo variant analysis of Sorry! games: what does this rule do to this game? Begin with simsorry demo.",
    epilog="Exit codes: 0 done, 1 failure, 2 wrong usage, 3 not as precise as asked, 4 invalid ruleset, policy or input, "
    "5 some parts failed, 69 something is not installed, 130 interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"simsorry {__version__}")
        raise typer.Exit


@app.callback()
def _program(
    debug: Annotated[bool, typer.Option("--debug", envvar="SIMSORRY_DEBUG", help="Show tracebacks of errors.")] = False,
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")] = False,
) -> None:
    """Takes the options that stand before the verb."""


def _register(verb: str) -> None:
    module = importlib.import_module(f"{__name__}.{verb}")
    if hasattr(module, "app"):
        app.add_typer(module.app, name=verb)
    else:
        app.command(verb, cls=Verb)(getattr(module, verb))


for _module in pkgutil.iter_modules(__path__):
    if not _module.name.startswith("_"):
        _register(_module.name)


def main() -> None:
    """Runs the command line of this process, and ends the process."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # closed by the caller
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
        code: Any = 0
    except SystemExit as end:
        code = end.code
    except Exception as error:
        code = _unexpected(error)
    sys.exit(_close_output(code))


def _unexpected(error: Exception) -> int:
    """One line for what no verb foresaw: the system's own words for files and memory, else a fault of this program."""
    if "--debug" in sys.argv or os.environ.get("SIMSORRY_DEBUG"):
        traceback.print_exc()
    if isinstance(error, OSError) and error.strerror:
        _complain(f"{error.filename or 'input or output'}: {error.strerror}")
    elif isinstance(error, MemoryError):
        _complain("not enough memory")
    else:
        _complain(f"internal error: {type(error).__name__}: {error} (simsorry --debug VERB … shows where; please report it)")
    return FAILURE


def _close_output(code: Any) -> Any:
    """Writes out what is buffered; a reader that has gone away, such as ``head``, is no error."""
    if sys.stdout is None:
        return code
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that Python does not try again and complain
        if not isinstance(error, BrokenPipeError):
            _complain(f"standard output: {error.strerror}")
            return FAILURE
    return code


def _complain(message: str) -> None:
    typer.echo(f"simsorry: {sentence(message)}", err=True)
