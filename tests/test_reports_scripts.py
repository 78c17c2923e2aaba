"""Every script in ``reports/`` runs on stored games, and uses only what the package makes public."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simsorry import results
from simsorry.cli import app

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "reports").glob("*.py"))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of a base and two variants, some of which are cut off, of two players, and of teams."""
    folder = tmp_path_factory.mktemp("reports") / "runs"
    for arguments in (
        ("hasbro",),
        ("hasbro+slides=off",),
        ("hasbro+turn_cap=300",),
        ("hasbro", "--players", "2", "--policy", "runner,random"),
        ("hasbro-teams",),
    ):
        done = CliRunner().invoke(app, ["run", *arguments, "--games", "80", "--out", str(folder), "--quiet"])
        assert done.exit_code == 0, done.output
    return folder


def report(script: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_prints_a_table_and_draws_a_picture(script: Path, runs: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    done = report(script, runs, "--picture", picture)
    assert (done.returncode, done.stderr) == (0, "")
    assert "hasbro+slides=off" in done.stdout
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
