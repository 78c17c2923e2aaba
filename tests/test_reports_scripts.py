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
VARIANTS = {  # what is told of the runs, where it is not that of the slides
    "along_an_option": "hasbro+pawns=2",
    "odd_one_out": "hasbro  4       balanced random",
    "one_ruleset": "hasbro, 80 games",
    "rounds_of_a_match": "who leads after round 1 wins",
    "who_beats_whom": "balanced against random",
}


MORE = {"options_crossed", *VARIANTS} - {"along_an_option"}  # the scripts that need other runs
BASE = [
    ("hasbro",),
    ("hasbro+slides=off",),
    ("hasbro+turn_cap=300",),
    ("hasbro+pawns=2",),
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of a base and three variants, some of which are cut off, of two players, and of teams."""
    others = [("hasbro", "--players", "2", "--policy", "runner,random"), ("hasbro-teams",)]
    return stored(tmp_path_factory.mktemp("reports") / "runs", [*BASE, *others])


@pytest.fixture(scope="module")
def more_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of crossed variants, of mixed players, of teams, and a match cut short."""
    others = [
        ("hasbro+slides=off+pawns=2",),
        ("hasbro", "--policy", "balanced,random,balanced,random"),
        ("hasbro", "--policy", "balanced,random,random,random"),
        ("hasbro-teams", "--policy", "balanced,random,balanced,random"),
        ("hasbro-match",),
        ("hasbro-match+match_end=rounds:1",),
    ]
    return stored(tmp_path_factory.mktemp("reports") / "more", [*BASE, *others])


def stored(folder: Path, runs: list[tuple[str, ...]]) -> Path:
    for arguments in runs:
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
def test_a_script_prints_a_table_and_draws_a_picture(script: Path, runs: Path, more_runs: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    done = report(script, more_runs if script.stem in MORE else runs, "--picture", picture)
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
    (line,) = (line for line in done.stdout.splitlines() if "hasbro-teams" in line)
    assert len(done.stdout.splitlines()) == 1 + len(results.tasks(runs))  # a row for each
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
        ("slides", "slides is no number in hasbro"),
        ("hand_size", "no two rulesets that differ in hand_size alone and have been played by the same players"),
        ("pieces", "no ruleset with an option pieces"),
        ("deck_counts.joker", "no ruleset with an option deck_counts.joker"),
    ],
)
def test_an_option_without_numbers_is_refused(runs: Path, option: str, words: str) -> None:
    done = report(ROOT / "reports" / "along_an_option.py", runs, "--option", option)
    assert done.returncode == 1
    assert words in done.stderr


def test_the_page_of_one_ruleset_counts_all_games(more_runs: Path, tmp_path: Path) -> None:
    done = report(ROOT / "reports" / "one_ruleset.py", more_runs, "--ruleset", "hasbro+turn_cap=300", "--picture", tmp_path / "page.svg")
    (task,) = (task for task in results.tasks(more_runs) if task.description["ruleset"]["name"] == "hasbro+turn_cap=300")
    games = results.read_games(more_runs, tasks=[task.id])
    assert 0 < games["capped"].sum() < 80
    said = {line[:26].strip(): line.split("  ")[-1].strip() for line in done.stdout.splitlines()[1:]}
    assert said["won by seat 2"].startswith(f"{(games['winner'] == 1).mean():.1%} (")  # those cut off are nobody's, but are games
    assert said["over within 45 minutes"].startswith(f"{((games['turns'] <= 180) & (games['capped'] == 0)).mean():.1%} (")
    assert said["turns with nothing to do"].startswith(f"{games['dead_turns'].sum() / games['turns_all'].sum():.1%} (")
    refused = report(ROOT / "reports" / "one_ruleset.py", more_runs, "--ruleset", "french")
    assert "holds no games of french; it holds hasbro" in refused.stderr


def test_effects_of_crossed_options_are_means_of_differences(more_runs: Path, tmp_path: Path) -> None:
    done = report(ROOT / "reports" / "options_crossed.py", more_runs, "--picture", tmp_path / "crossed.svg")
    four = [task for task in results.tasks(more_runs) if task.description["players"] == 4]
    alike = [task for task in four if {policy["name"] for policy in task.description["policies"]} == {"random"}]
    games = results.read_games(more_runs, ["turns"], [task.id for task in alike])
    mean = {task.description["ruleset"]["name"]: games[games["task"] == task.id]["turns"].mean() for task in alike}
    fewer, off, both = (mean[f"hasbro+{name}"] - mean["hasbro"] for name in ("pawns=2", "slides=off", "slides=off+pawns=2"))
    said = {line.rpartition("  ")[0][:46].strip(): line for line in done.stdout.splitlines()}
    assert f" {(fewer + both - off) / 2:+.2f} " in said["pawns 4 → 2"]
    assert f" {both - off - fewer:+.2f} " in done.stdout.splitlines()[-2]
    assert "and slides all_but_own → off: more than added up" in done.stdout.splitlines()[-2]
    assert "turn_cap" not in done.stdout  # not crossed with anything
    refused = report(ROOT / "reports" / "options_crossed.py", more_runs, "--base", "hasbro-teams")
    assert "holds no two options that have been crossed on hasbro-teams" in refused.stderr


def test_a_round_is_the_first_of_the_match(more_runs: Path, tmp_path: Path) -> None:
    done = report(ROOT / "reports" / "rounds_of_a_match.py", more_runs, "--picture", tmp_path / "match.svg")
    by_name = {task.description["ruleset"]["name"]: results.read_games(more_runs, tasks=[task.id]) for task in results.tasks(more_runs)}
    match, first = by_name["hasbro-match"], by_name["hasbro-match+match_end=rounds:1"]
    assert (match["first_seat"] == first["first_seat"]).all()
    assert (match["turns"] > first["turns"]).all()
    share = (match["winner_color"] == first["winner_color"])[first["match_rounds"] == 1].mean()
    assert f"{share:.1%} (" in done.stdout
    for ruleset, words in (("hasbro", "hasbro is no match of several rounds"), ("french", "no games of french")):
        assert words in report(ROOT / "reports" / "rounds_of_a_match.py", more_runs, "--match", ruleset).stderr


def test_winning_against_and_among_others(more_runs: Path, tmp_path: Path) -> None:
    told = report(ROOT / "reports" / "who_beats_whom.py", more_runs, "--picture", tmp_path / "duels.svg").stdout
    odd = report(ROOT / "reports" / "odd_one_out.py", more_runs, "--picture", tmp_path / "odd.svg").stdout
    for stdout, line_up in ((told, ["balanced", "random"] * 2), (odd, ["balanced", *["random"] * 3])):
        alone = (task for task in results.tasks(more_runs) if task.description["ruleset"]["name"] == "hasbro")
        (task,) = (task for task in alone if [policy["name"] for policy in task.description["policies"]] == line_up)
        seats = results.read_seats(more_runs, ["table_seat", "won"], [task.id])
        own = seats["table_seat"].isin([seat for seat, name in enumerate(line_up) if name == "balanced"])
        assert f"{seats[own]['won'].sum() / 80:.1%} (" in stdout
    assert told.splitlines()[-3].startswith("balanced  +")  # of both kinds of games
    assert told.splitlines()[-3].endswith(" 160")
    assert "who play differently" in report(ROOT / "reports" / "who_beats_whom.py", more_runs, "--players", "3").stderr
