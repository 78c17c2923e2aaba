"""``simsorry run`` as people meet it: arguments, output, exit codes, interrupting; with a game that needs no compiling."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import fakegame
import pytest
from typer.testing import CliRunner, Result

from simsorry import results
from simsorry.cli import app
from simsorry.cli.run import whole_number
from simsorry.errors import INTERRUPTED, INVALID, USAGE, SimsorryError

PROGRAM = """
import sys
import fakegame
fakegame.patch()
fakegame.patch_files()
from simsorry.cli import main
sys.argv = ["simsorry", *sys.argv[1:]]
main()
"""


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fakegame.patch(monkeypatch)
    fakegame.patch_files(monkeypatch)


def cli(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["run", *map(str, arguments)])


def document(*arguments: str | Path) -> dict[str, Any]:
    result = cli(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return dict(json.loads(result.stdout))


def start(playing: Path, *arguments: str | Path, delay: float) -> "subprocess.Popen[str]":
    """A run in a process of its own, once its first block is under way."""
    here = Path(__file__).parent
    environment = {**os.environ, "FAKE_DELAY": str(delay), "FAKE_PLAYING": str(playing), "PYTHONPATH": f"{here}{os.pathsep}{here.parent}"}
    command = [sys.executable, "-c", PROGRAM, "run", *map(str, arguments)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not playing.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return process


# -- output ----------------------------------------------------------------------------------------


def test_the_table_says_the_main_things() -> None:
    result = cli("fake", "--games", "2_000", "--seed", "7")
    assert result.exit_code == 0
    for words in (
        "fake, 4 players, random",
        fakegame.task(seed=7).id,
        "seed 7",
        "2,000 games",
        "turns per game",
        "dead turns",
        "choice turns",
    ):
        assert words in result.stdout
    assert result.stdout.count("95% interval") == 8
    assert "\x1b" not in result.stdout + result.stderr


def test_json_is_one_document_with_every_counter() -> None:
    about = document("fake", "--games", "3000")
    summary = results.run(fakegame.task(), 3000).summary
    assert (about["task"], about["games"], about["seed"], about["complete"]) == (fakegame.task().id, 3000, 1, True)
    labels = {"winner", "winner_color", "first_seat", "digest", "color", "table_seat"}
    assert about["counters"].keys() == {column.name for column in fakegame.GAME_COLUMNS} - labels | {"board_choice_turns", "partner_moves"}
    assert about["seats"][3]["counters"].keys() == {column.name for column in fakegame.SEAT_COLUMNS} - labels
    assert about["counters"]["turns"] == dict(zip(("mean", "sd", "se"), summary.mean("turns"), strict=True))
    assert about["length"]["quantiles"].keys() == {"1%", "5%", "25%", "50%", "75%", "95%", "99%"}
    assert about["length"]["low"] < about["length"]["mean"] < about["length"]["high"]
    assert about["capped"]["count"] == summary.histograms["capped"][1]
    for shares in about["wins"].values():
        assert sum(each["count"] for each in shares) == 3000 - about["capped"]["count"]
        assert all(each["low"] < each["share"] < each["high"] and each["of"] == 3000 for each in shares)
    assert about["turn_shares"]["dead_turns"]["share"] == pytest.approx(1 / 3, abs=0.01)


def test_a_game_is_told_by_what_it_counts() -> None:
    about = document("fake", "--games", "20")
    assert set(about["turn_shares"]) == {"dead_turns", "forced_turns", "choice_turns"}
    assert about["fights"] is about["bonus_moves"] is None


def test_a_plain_race_says_nothing_of_hands_points_teams_matches_and_places() -> None:
    about = document("fake", "--games", "100")
    assert [about[name] for name in ("points", "places", "teams", "hand", "match")] == [None] * 5
    assert about["turn_shares"].keys() == {"dead_turns", "forced_turns", "choice_turns"}


def test_wins_by_policy_take_all_its_seats_together() -> None:
    about = document("fake", "--games", "1000", "--policy", "runner,random", "--policy", "runner,hunter")
    assert [(each["policy"], each["table_seats"]) for each in about["wins"]["by_policy"]] == [
        ("runner", [0, 2]),
        ("random", [1]),
        ("hunter", [3]),
    ]
    by_color = [each["count"] for each in about["wins"]["by_color"]]
    assert [each["count"] for each in about["wins"]["by_policy"]] == [by_color[0] + by_color[2], by_color[1], by_color[3]]


def test_one_game_is_enough() -> None:
    assert document("fake", "--games", "1")["counters"]["turns"]["se"] is None
    assert "no interval from one game" in cli("fake", "--games", "1").stdout


@pytest.mark.parametrize("keep", ["rows", "summary"])
def test_the_output_does_not_depend_on_how_it_was_played(tmp_path: Path, keep: str) -> None:
    expected = document("fake", "--games", "1e4")
    for more in (["--threads", "1"], ["--block", "33"], ["--out", tmp_path, "--keep", keep], ["--out", tmp_path, "--keep", keep]):
        about = document("fake", "--games", "10k", *more)
        assert {**about, "folder": None} == expected
    assert results.read_summary(tmp_path).games == 10_000


def test_csv_is_written_beside_the_parquet(tmp_path: Path) -> None:
    assert cli("fake", "--games", "50", "--out", tmp_path, "--format", "csv").exit_code == 0
    assert len((tmp_path / f"{fakegame.task().id}-games.csv").read_text().splitlines()) == 51
    assert cli("fake", "--format", "csv").exit_code == USAGE


def test_quiet_means_quiet(tmp_path: Path) -> None:
    assert cli("fake", "--games", "100", "--quiet", "--out", tmp_path).stderr == ""


def test_compiling_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simsorry.jit.is_cold", lambda _function: True)
    assert "compiling (first run only)" in cli("fake", "--games", "10").stderr
    assert cli("fake", "--games", "10", "--quiet").stderr == ""


def test_without_a_terminal_there_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simsorry.cli._progress._LINE_SECONDS", 0.0)
    monkeypatch.setattr("simsorry.jit.is_cold", lambda _function: False)
    lines = cli("fake", "--games", "5000", "--block", "1000").stderr.splitlines()
    assert lines[-1].startswith("5,000 of 5,000 games, ")
    assert "games/s" in lines[-1]
    assert cli("fake", "--games", "5000", "--block", "1000", "--no-progress").stderr == ""


# -- arguments -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("10_000", 10_000),
        ("1e6", 10**6),
        ("1E3", 1000),
        ("2M", 2 * 10**6),
        ("2.5k", 2500),
        ("1.5e1", 15),
        ("1e12", 10**12),
        ("007", 7),
    ],
)
def test_numbers_as_people_write_them(text: str, value: int) -> None:
    assert whole_number("--games", text, 1, 10**12) == value


@pytest.mark.parametrize(
    "text",
    [
        *["0", "-1", "nan", "inf", "1e30", "1.5", "1e999", "ten", "1e-3", "0x10", "1,000", "1e6e6", "1.0001k", "k", "+", "½"],
        "",
        " ",
        "1 000",
        "9" * 5000,
    ],
)
def test_nonsense_is_no_number(text: str) -> None:
    with pytest.raises(SimsorryError, match=r"--games .*: a whole number from 1 to 1,000,000,000,000 is needed") as raised:
        whole_number("--games", text, 1, 10**12)
    assert raised.value.exit_code == USAGE
    assert len(str(raised.value)) < 200


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--games", "1e30"], "--games 1e30: a whole number"),
        (["--games", "-5"], "--games -5: a whole number"),
        (["--seed", "-1"], "--seed -1: a whole number from 0 to 18,446,744,073,709,551,615"),
        (["--seed", str(2**64)], "--seed 18446744073709551616: a whole number"),
        (["--threads", "0"], "--threads 0: a whole number from 1 to 1,024"),
        (["--block", "0"], "--block 0: a whole number"),
        (["--players", "5"], "players = 5"),
        (["--players", "-1"], "players = -1"),
        (["--policy", "random,random"], "--policy names 2 policies for 4 players"),
        (["--policy", "nobody"], "nobody"),
        (["--seats", "opposite"], "--seats opposite is for two players, not 4"),
        (["--seats", "red,blue"], "4 different colors are needed for 4 players"),
        (["--seats", "red,blue,yellow,red"], "4 different colors"),
        (["--seats", "red,blue,yellow,gren"], "no color 'gren'; did you mean green"),
        (["--out", ""], "--out is empty"),
        (["--out", "/dev/null"], "/dev/null/"),
        (["--keep", "everything"], "everything"),
    ],
)
def test_nonsense_is_one_clear_sentence(arguments: list[str], words: str) -> None:
    result = cli("fake", *arguments)
    assert result.exit_code in (USAGE, INVALID), result.stderr
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_two_players_may_sit_opposite_or_beside_each_other() -> None:
    plain = document("fake", "--players", "2", "--games", "10")
    assert document("fake", "--players", "2", "--games", "10", "--seats", "adjacent")["task"] == plain["task"]
    opposite = document("fake", "--players", "2", "--games", "10", "--seats", "opposite")
    assert opposite["seat_colors"] == ["red", "yellow"]
    assert opposite["task"] != plain["task"]
    assert document("fake", "--players", "2", "--games", "10", "--seats", "red,yellow")["task"] == opposite["task"]


# -- interrupting ----------------------------------------------------------------------------------


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(tmp_path: Path) -> None:
    process = start(tmp_path / "playing", "fake", "--games", "1e6", "--out", tmp_path / "runs", "--block", "100", "--json", delay=0.001)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED, err
    about = json.loads(out)
    assert about["complete"] is False
    assert about["games"] == results.tasks(tmp_path / "runs")[0].games > 0
    assert f"simsorry: stopped after {about['games']:,} of 1,000,000 games; the same command goes on from there" in err
    assert "Traceback" not in err
    manifest = json.loads(next(tmp_path.glob("runs/*/manifest.json")).read_text())
    assert manifest["status"] == "partial"
    more = document("fake", "--games", str(about["games"] + 500), "--out", tmp_path / "runs")
    assert more["complete"]
    assert more["counters"] == document("fake", "--games", str(about["games"] + 500))["counters"]


def test_a_second_ctrl_c_ends_at_once(tmp_path: Path) -> None:
    process = start(tmp_path / "playing", "fake", "--games", "1e6", "--out", tmp_path / "runs", "--block", "100000", delay=0.001)
    process.send_signal(signal.SIGINT)
    assert process.stderr
    assert any("Ctrl-C again ends at once" in line for line in iter(process.stderr.readline, ""))
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert process.returncode == INTERRUPTED
