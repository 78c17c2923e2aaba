"""What the tests of the command line share: a command run in this process, and what it said."""

from typer.testing import CliRunner, Result

from simsorry import cli


def simsorry_says(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "100", "NO_COLOR": "1"}).invoke(cli.app, arguments)


def said(*arguments: str) -> str:
    result = simsorry_says(*arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def refused(*arguments: str, code: int = 4) -> str:
    """The one line on standard error."""
    result = simsorry_says(*arguments)
    assert result.exit_code == code, result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith("simsorry: ")
    return line
