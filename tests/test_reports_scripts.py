"""Every script in ``reports/`` runs on stored games, and uses only what the package makes public."""

import ast
import contextlib
import io
import os
import runpy
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from matplotlib import pyplot as plt
from typer.testing import CliRunner

from simsorry import results
from simsorry.cli import app

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "reports").glob("*.py"))
VARIANTS = {"along_an_option": "hasbro+pawns=2"}  # what is told of the runs, where it is not that of the slides


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of a base and three variants, some of which are cut off, of two players, and of teams."""
    folder = tmp_path_factory.mktemp("reports") / "runs"
    for arguments in (
        ("hasbro",),
        ("hasbro+slides=off",),
        ("hasbro+turn_cap=300",),
        ("hasbro+pawns=2",),
        ("hasbro", "--players", "2", "--policy", "runner,random"),
        ("hasbro-teams",),
    ):
        done = CliRunner().invoke(app, ["run", *arguments, "--games", "80", "--out", str(folder), "--quiet"])
        assert done.exit_code == 0, done.output
    return folder


class Told(NamedTuple):
    """What a script has printed, and how it ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture(autouse=True)
def _pictures_are_put_away() -> Iterator[None]:
    yield
    plt.close("all")


def report(script: Path, *arguments: str | Path) -> Told:
    """Runs a script in this process, as if called by itself; a warning fails."""
    out, err, code, called = io.StringIO(), io.StringIO(), 0, sys.argv
    sys.argv = [str(script), *map(str, arguments)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            warnings.simplefilter("error", RuntimeWarning)
            runpy.run_path(str(script), run_name="__main__")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        err.write(f"{end.code}\n" if isinstance(end.code, str) else "")
    finally:
        sys.argv = called
    return Told(code, out.getvalue(), err.getvalue())


def test_a_script_is_a_program(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPTS[0]), str(tmp_path / "nothing")]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stderr == f"{SCRIPTS[0].stem}: {tmp_path / 'nothing'} does not exist\n"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_prints_a_table_and_draws_a_picture(script: Path, runs: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    done = report(script, runs, "--picture", picture)
    assert (done.returncode, done.stderr) == (0, "")
    assert VARIANTS.get(script.stem, "hasbro+slides=off") in done.stdout
    assert "nan" not in done.stdout
    assert picture.read_text(encoding="utf-8").rstrip().endswith("</svg>")


def test_what_a_rule_changes_is_told_by_what_the_game_counts(tmp_path: Path) -> None:
    for ruleset in ("sorreesi", "sorreesi+fight_tie=defender"):
        done = CliRunner().invoke(app, ["run", ruleset, "--games", "40", "--out", str(tmp_path / "runs"), "--quiet"])
        assert done.exit_code == 0, done.output
    told = report(ROOT / "reports" / "what_a_rule_changes.py", tmp_path / "runs", "--base", "sorreesi", "--picture", tmp_path / "x.svg")
    assert (told.returncode, told.stderr) == (0, "")
    assert "fights" in told.stdout
    assert "slides" not in told.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_says_in_one_line_what_is_wrong(script: Path, tmp_path: Path) -> None:
    done = report(script, tmp_path / "nothing")
    assert done.returncode == 1
    assert done.stderr == f"{script.stem}: {tmp_path / 'nothing'} does not exist\n"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_says_how_it_is_called(script: Path) -> None:
    done = report(script, "--help")
    assert done.returncode == 0
    assert f"./run python reports/{script.name} runs" in done.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_uses_public_names_only(script: Path) -> None:
    tree = ast.parse(script.read_text(encoding="utf-8"))
    used = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    used += [alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert [name for name in used if name.startswith("_")] == []


def test_the_list_of_scripts_is_whole() -> None:
    listed = (ROOT / "reports" / "README.md").read_text(encoding="utf-8")
    assert SCRIPTS
    for script in SCRIPTS:
        assert f"[{script.name}]({script.name})" in listed


def test_teams_win_together(runs: Path, tmp_path: Path) -> None:
    done = report(ROOT / "reports" / "seats_and_length.py", runs, "--picture", tmp_path / "picture.png")
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("first team"))
    seats = results.read_seats(runs)
    (task,) = (task for task in results.tasks(runs) if task.description["ruleset"]["name"] == "hasbro-teams")
    won = seats[(seats["task"] == task.id) & (seats["seat"] == 0)]["won"].mean()
    assert f"{won:.1%}" in line
    assert "–" in line  # the others play alone


def test_a_base_that_is_not_stored_is_named(runs: Path) -> None:
    done = report(ROOT / "reports" / "what_a_rule_changes.py", runs, "--base", "french")
    assert done.returncode == 1
    assert "no games of french" in done.stderr
    assert "hasbro+slides=off" in done.stderr


def test_what_matters_is_told_by_what_the_game_counts_without_what_is_known_to(runs: Path, tmp_path: Path) -> None:
    script, picture = ROOT / "reports" / "which_rules_matter.py", tmp_path / "matters.svg"
    every, fewer = (report(script, runs, "--picture", picture, *more) for more in ((), ("--without", "pawns")))
    assert (every.returncode, fewer.returncode) == (0, 0)
    assert "hasbro+pawns=2" in every.stdout
    assert "hasbro+pawns=2" not in fewer.stdout
    assert "hasbro+slides=off" in fewer.stdout
    assert "bumps per turn" in fewer.stdout
    assert "covered pawns" not in fewer.stdout


def test_an_option_is_followed_by_its_numbers(runs: Path, tmp_path: Path) -> None:
    script, picture = ROOT / "reports" / "along_an_option.py", tmp_path / "along.svg"
    done = report(script, runs, "--option", "turn_cap", "--picture", picture)
    assert (done.returncode, done.stderr) == (0, "")
    low, high = (line.split() for line in done.stdout.splitlines()[-2:])
    assert (low[0:4], high[0:2]) == (["4", "random", "300", "hasbro+turn_cap=300"], ["20000", "hasbro"])
    games = results.read_games(runs, ["capped", "turns"])
    assert int(low[-1]) == games["capped"].sum() > 0
    assert high[-1] == "0"
    assert "hollow: some games were cut off" in picture.read_text(encoding="utf-8")
    plain = report(script, runs, "--option", "pawns", "--picture", picture)
    assert [line.split()[-1] for line in plain.stdout.splitlines()[-2:]] == ["0", "0"]
    assert "hollow" not in picture.read_text(encoding="utf-8")


def test_numbers_by_size_are_added_up(tmp_path: Path) -> None:
    for ruleset in ("ice+pieces=1,1,0", "ice+pieces=1,0,0", "ice+pieces=1,0,0+ice_sorry_size=small_only"):
        done = CliRunner().invoke(app, ["run", ruleset, "--games", "20", "--out", str(tmp_path / "runs"), "--quiet"])
        assert done.exit_code == 0, done.output
    told = report(ROOT / "reports" / "along_an_option.py", tmp_path / "runs", "--option", "pieces", "--picture", tmp_path / "along.svg")
    assert (told.returncode, told.stderr) == (0, "")
    assert "pieces (sum, for each player)" in told.stdout
    few, more = (line.split() for line in told.stdout.splitlines()[-2:])
    assert few[2:4] == ["1", "ice+pieces=1,0,0"]
    assert more[:2] == ["2", "ice+pieces=1,1,0"]


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("slides", 'slides is no number in hasbro+slides=off, where it is "off"'),
        ("hand_size", "no two rulesets that differ in hand_size alone and have been played by the same players"),
        ("pieces", "no ruleset with an option pieces"),
        ("deck_counts.joker", "no ruleset with an option deck_counts.joker"),
    ],
)
def test_an_option_without_numbers_is_refused(runs: Path, option: str, words: str) -> None:
    done = report(ROOT / "reports" / "along_an_option.py", runs, "--option", option)
    assert done.returncode == 1
    assert words in done.stderr
