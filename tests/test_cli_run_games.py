"""``simsorry run`` with the compiled games: what it prints, and what it stores, go together."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from cli_tools import simsorry_says
from typer.testing import Result

from simsorry import results
from simsorry.errors import INVALID


def real(*arguments: str | Path) -> Result:
    """``simsorry run`` with the compiled engine."""
    return simsorry_says("run", *map(str, arguments))


def test_the_classic_game_from_the_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "simsorry", "run", "hasbro", "--games", "2000", "--json", "--out", str(tmp_path), "--block", "77"]
    first = subprocess.run([*command, "--threads", "2"], capture_output=True, text=True, check=False, cwd=Path(__file__).parent.parent)
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
    assert (text.exit_code, text.stderr, document.exit_code) == (0, "", 0)
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
        assert done.exit_code == 0, done.stderr
        every.append({**json.loads(done.stdout), "folder": None})
    assert every[0] == every[1] == every[2]


def test_policies_and_seats_from_the_command_line() -> None:
    played = real("hasbro+slides=off", "--players", "2", "--seats", "adjacent", "--policy", "random,runner", "--games", "300", "--json")
    assert played.exit_code == 0, played.stderr
    about = json.loads(played.stdout)
    assert about["seat_colors"] == ["red", "blue"]
    assert [each["policy"] for each in about["wins"]["by_policy"]] == ["random", "runner"]
    assert about["wins"]["by_policy"][1]["count"] == about["wins"]["by_color"][1]["count"]


def test_a_wrong_name_is_one_line() -> None:
    wrong = real("hasbro", "--policy", "rnadom")
    assert wrong.exit_code == INVALID
    assert wrong.stdout == ""
    assert len(wrong.stderr.splitlines()) == 1
    assert "did you mean random" in wrong.stderr
