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
import pandas as pd
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


# -- the real thing --------------------------------------------------------------------------------


def real(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """``simsorry run`` in a process of its own, with the compiled engine."""
    command = [sys.executable, "-m", "simsorry", "run", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parent.parent)


def test_the_classic_game_from_the_command_line(tmp_path: Path) -> None:
    first = real("hasbro", "--games", "2000", "--json", "--out", tmp_path, "--threads", "2", "--block", "77")
    assert first.returncode == 0, first.stderr
    about = json.loads(first.stdout)
    assert 350 < about["counters"]["turns"]["mean"] < 370
    assert about["counters"]["homes"]["mean"] > 4
    again = json.loads(real("hasbro", "--games", "2000", "--json", "--threads", "1").stdout)
    assert {**about, "folder": None} == again
    games, seats = results.read_games(tmp_path), results.read_seats(tmp_path)
    assert seats["won"].sum() == (games["winner"] != 255).sum() == 2000
    assert (seats.groupby("game")["turns"].sum().to_numpy() == games["turns_all"].to_numpy()).all()
    rows = seats.merge(games[["game", "winner", "winner_color", "first_seat"]], on="game")
    won = rows[rows["won"] == 1]
    assert (won["seat"] == won["winner"]).all()
    assert (won["color"] == won["winner_color"]).all()
    assert (rows["table_seat"] == (rows["first_seat"] + rows["seat"]) % 4).all()


def said(*arguments: str | Path) -> tuple[list[str], dict[str, Any]]:
    """What a run prints for people, line by line with single spaces, and as JSON."""
    text, document = real(*arguments, "--quiet"), real(*arguments, "--quiet", "--json")
    assert (text.returncode, text.stderr, document.returncode) == (0, "", 0)
    return [" ".join(line.split()) for line in text.stdout.splitlines()], json.loads(document.stdout)


def stored(folder: Path) -> pd.DataFrame:
    """The seats of all games with the columns of the games."""
    games = results.read_games(folder).drop(columns="task").add_prefix("game_").rename(columns={"game_game": "game"})
    return results.read_seats(folder).merge(games, on="game")


def test_points_hands_and_bonuses_from_the_command_line(tmp_path: Path) -> None:
    lines, about = said("hasbro-points", "--games", "400", "--policy", "random,balanced,random,random", "--out", tmp_path)
    rows = stored(tmp_path)
    points, games = about["points"], rows[rows["seat"] == 0]
    for seat, each in enumerate(points["by_seat"]):
        held = rows.loc[rows["seat"] == seat, "points"]
        assert (each["mean"], each["sd"]) == (pytest.approx(held.mean()), pytest.approx(held.std()))
    by_policy = {each["policy"]: each["mean"] for each in points["by_policy"]}
    assert by_policy == {
        "random": pytest.approx(rows.loc[rows["table_seat"] != 1, "points"].mean()),
        "balanced": pytest.approx(rows.loc[rows["table_seat"] == 1, "points"].mean()),
    }
    assert points["winner"]["mean"] == pytest.approx(rows.loc[rows["won"] == 1, "points"].mean())
    assert [bonus["count"] for bonus in points["bonuses"]] == [games[f"game_band_{number}"].sum() for number in (1, 2, 3)]
    assert [(bonus["points"], bonus["of"]) for bonus in points["bonuses"]] == [(25, 400), (50, 400), (100, 400)]
    assert about["hand"]["throw_share"]["share"] == pytest.approx(games["game_throws"].sum() / games["game_draws"].sum())
    assert about["turn_shares"]["board_choice_turns"]["share"] < about["turn_shares"]["choice_turns"]["share"]
    assert "points per game, by seat in play order" in lines
    assert f"balanced {by_policy['balanced']:.2f} 95% interval" in " ".join(lines)
    assert any(line.startswith("100 points") and line.endswith("no opponent has a pawn HOME") for line in lines)
    assert any(line.startswith("but for throwing in") for line in lines)
    assert about["teams"] is about["match"] is about["places"] is None


def test_teams_and_members_from_the_command_line(tmp_path: Path) -> None:
    lines, about = said("hasbro-teams", "--games", "400", "--policy", "balanced,random,random,random", "--out", tmp_path)
    rows, teams = stored(tmp_path), about["teams"]
    first = rows[rows["seat"] == 0]
    assert [each["count"] for each in teams["by_order"]] == [first["won"].sum(), 400 - first["won"].sum()]
    assert [each["count"] for each in about["wins"]["by_seat"]] == [rows.loc[rows["seat"] == seat, "won"].sum() for seat in range(4)]
    red, blue = teams["by_team"]
    assert (red["colors"], blue["colors"]) == (["red", "yellow"], ["blue", "green"])
    assert red["count"] + blue["count"] == 400
    assert [member["policy"] for member in red["members"]] == ["balanced", "random"]
    ended = first["game_winner_color"].value_counts()
    for color, member in enumerate([red["members"][0], blue["members"][0], red["members"][1], blue["members"][1]]):
        assert member["ended"]["count"] == ended.get(color, 0)
        assert member["partner_moves"]["mean"] == pytest.approx(rows.loc[rows["color"] == color, "partner_moves"].mean())
    assert sum(member["ended"]["count"] for member in red["members"]) == red["count"]
    assert teams["losers_pips"]["mean"] == pytest.approx(rows[rows["won"] == 0].groupby("game")["pips_left"].sum().mean())
    assert teams["partner_share"]["share"] == pytest.approx(rows["partner_moves"].sum() / first["game_draws"].sum())
    assert about["wins"]["by_policy"] == []
    assert "that moves first" in " ".join(lines)
    assert any(line.startswith("red and yellow ") for line in lines)
    assert any(line.startswith("wins ended by red (balanced) ") for line in lines)
    assert "won, by seat in play order" not in lines


def test_matches_places_and_team_points_from_the_command_line(tmp_path: Path) -> None:
    lines, about = said("hasbro-match-rounds", "--games", "60", "--out", tmp_path / "alone")
    rows = stored(tmp_path / "alone")
    games = rows[rows["seat"] == 0]
    assert about["match"]["rounds"]["mean"] == games["game_match_rounds"].mean() >= 4
    assert about["match"]["upsets"]["share"] == pytest.approx(games["game_match_upsets"].sum() / games["game_match_rounds"].sum())
    assert about["match"]["turns_per_round"]["mean"] == pytest.approx(games["game_turns_all"].sum() / games["game_match_rounds"].sum())
    assert about["places"]["by_seat"][2]["mean"] == pytest.approx(rows.loc[rows["seat"] == 2, "place"].mean())
    assert about["points"]["bonuses"][0]["of"] == games["game_match_rounds"].sum()
    assert any(line.startswith("rounds per match 4.") for line in lines)
    assert any(line.startswith("turns per match ") for line in lines)
    assert "mean place, by seat in play order" in lines


@pytest.mark.parametrize(
    ("arguments", "colors"),
    [
        (["--set", 'team_pairs=[["red","blue"],["yellow","green"]]'], [["red", "blue"], ["yellow", "green"]]),
        (["--seats", "yellow,blue,red,green"], [["red", "yellow"], ["blue", "green"]]),
        (["--seats", "yellow,red,blue,green"], [["red", "yellow"], ["blue", "green"]]),
    ],
)
def test_team_points_of_matches_wherever_partners_sit(tmp_path: Path, arguments: list[str], colors: list[list[str]]) -> None:
    lines, about = said("hasbro-teams-points", *arguments, "--set", "match_end=rounds:2", "--games", "60", "--out", tmp_path)
    points = stored(tmp_path).pivot_table(index="game", columns="seat", values="points", observed=True)
    first, other = (each["mean"] for each in about["points"]["by_order"])
    assert first == pytest.approx(points[0].mean())
    assert first + other == pytest.approx(points.sum(axis=1).mean() / 2)  # each team's points stand with both partners
    assert [team["colors"] for team in about["points"]["by_team"]] == colors
    assert about["teams"]["ended_by_earlier"] is about["teams"]["losers_pips"] is None  # a match has no winning move
    assert not any("ended by" in line for line in lines)


def test_sorreesi_from_the_command_line(tmp_path: Path) -> None:
    lines, about = said("sorreesi", "--games", "200", "--out", tmp_path)
    rows = stored(tmp_path)
    games = rows[rows["seat"] == 0]
    assert about["game"] == "sorreesi"
    assert about["bonus_moves"]["earned"]["mean"] == pytest.approx(games["game_bonuses_earned"].mean())
    assert about["bonus_moves"]["lost"]["share"] == pytest.approx(games["game_bonuses_lost"].sum() / games["game_bonuses_earned"].sum())
    assert about["fights"]["per_game"]["mean"] == pytest.approx(games["game_fights"].mean())
    assert about["fights"]["lost"]["share"] == pytest.approx(games["game_fights_lost"].sum() / games["game_fights"].sum())
    for kind in ("dice_turns", "card_turns", "both_turns", "start_turns"):
        assert about["turn_shares"][kind]["share"] == pytest.approx(games[f"game_{kind}"].sum() / games["game_turns_all"].sum())
    assert about["points"] is about["hand"] is about["match"] is about["teams"] is about["places"] is None
    for start in ("dice alone used", "a card alone used", "both used", "a pawn brought out", "bonus moves per game", "fights per game"):
        assert any(line.startswith(start) for line in lines), start


def test_sorreesi_in_teams_from_the_command_line(tmp_path: Path) -> None:
    lines, about = said("sorreesi-teams-pool+team_sorry_target=any", "--games", "60", "--out", tmp_path)
    rows, teams = stored(tmp_path), about["teams"]
    assert teams["partner_share"] is None  # not only cards move pawns
    assert teams["partner_moves"]["mean"] == pytest.approx(rows["partner_moves"].sum() / 60)
    assert teams["partner_bumps"]["mean"] == pytest.approx(rows["partner_bumps"].sum() / 60)
    assert any(line.startswith("moves for partner per game") for line in lines)
    lines, about = said("sorreesi-teams+capture_bonus=0+home_bonus=0", "--games", "60")
    assert about["teams"]["partner_moves"] is about["teams"]["partner_bumps"] is about["bonus_moves"] is None
    assert not any("partner" in line and "earlier" not in line for line in lines)
    assert not any("bonus" in line for line in lines[1:])


def test_ice_from_the_command_line(tmp_path: Path) -> None:
    lines, about = said("ice-nine", "--games", "60", "--out", tmp_path)
    rows = stored(tmp_path)
    games = rows[rows["seat"] == 0]
    moves = sum(games[f"game_moves_{size}"].sum() for size in ("small", "medium", "large"))
    piles = about["piles"]
    assert about["game"] == "ice"
    assert piles["covered"]["share"] == pytest.approx(games["game_covered_turns"].sum() / games["game_pawn_turns"].sum())
    assert piles["height"]["mean"] == pytest.approx(games["game_pawn_turns"].sum() / games["game_pile_turns"].sum())
    assert piles["highest"]["mean"] == pytest.approx(games["game_highest_pile"].mean())
    assert piles["longest_cover"]["mean"] == pytest.approx(games["game_longest_cover"].mean())
    assert piles["longest_cover"]["quantiles"]["50%"] == sorted(games["game_longest_cover"])[29]
    assert piles["moves"]["large"]["share"] == pytest.approx(games["game_moves_large"].sum() / moves)
    assert sum(each["share"] for each in piles["moves"].values()) == pytest.approx(1)
    assert piles["stack_moves"]["share"] == pytest.approx(games["game_stack_moves"].sum() / moves)
    assert about["fights"] is about["bonus_moves"] is about["teams"] is None
    for start in ("cards thrown in", "pawns covered", "pawns in a pile", "moves of a small pawn", "of a medium one", "of a stack"):
        assert any(line.startswith(start) for line in lines), start
    assert not any("bump" in line for line in lines)


def test_only_games_with_piles_have_them() -> None:
    lines, about = said("hasbro", "--games", "30")
    assert about["piles"] is None
    assert not any("pile" in line or "covered" in line for line in lines)


@pytest.mark.parametrize("ruleset", ["hasbro-teams-points", "hasbro-match-rounds", "sorreesi-teams", "ice-three"])
def test_sums_alone_say_the_same_as_rows(tmp_path: Path, ruleset: str) -> None:
    every = []
    for number, keep in enumerate((["--keep", "summary"], ["--keep", "rows"], ["--keep", "summary", "--block", "7"])):
        done = real(ruleset, "--games", "50", "--out", tmp_path / str(number), *keep, "--json", "--quiet")
        assert done.returncode == 0, done.stderr
        every.append({**json.loads(done.stdout), "folder": None})
    assert every[0] == every[1] == every[2]


def test_policies_and_seats_from_the_command_line() -> None:
    played = real("hasbro+slides=off", "--players", "2", "--seats", "adjacent", "--policy", "random,runner", "--games", "300", "--json")
    assert played.returncode == 0, played.stderr
    about = json.loads(played.stdout)
    assert about["seat_colors"] == ["red", "blue"]
    assert [each["policy"] for each in about["wins"]["by_policy"]] == ["random", "runner"]
    assert about["wins"]["by_policy"][1]["count"] == about["wins"]["by_color"][1]["count"]


def test_a_wrong_name_is_one_line() -> None:
    wrong = real("hasbro", "--policy", "rnadom")
    assert wrong.returncode == INVALID
    assert wrong.stdout == ""
    assert len(wrong.stderr.splitlines()) == 1
    assert "did you mean random" in wrong.stderr
