"""``compare``, ``demo`` and ``report`` from the command line, on real games."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from simsorry import results
from simsorry.cli import app
from simsorry.simulate import FORMAT

pytestmark = pytest.mark.usefixtures("sketched")

FEW = ("--games", "60", "--quiet")


def simsorry(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def well(*arguments: str | Path) -> str:
    result = simsorry(*arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A report on two variants, and what the command said."""
    out = tmp_path_factory.mktemp("compare") / "report"
    return out, well("compare", "hasbro", "hasbro+slides=off", "french", *FEW, "--out", out)


def document(folder: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return loaded


# -- compare ---------------------------------------------------------------------------------------


def test_compare_says_what_it_found_and_where_the_report_is(made: tuple[Path, str]) -> None:
    out, said = made
    assert said.startswith("Without slides")
    assert "Under “Hasbro" in said
    assert "Under “French" in said
    assert "With four balanced players instead" in said
    assert said.endswith(f"report: {out / 'report.html'}\n")
    assert max(map(len, said.splitlines()[:-1])) <= 100


def test_compare_writes_the_whole_report(made: tuple[Path, str]) -> None:
    out, _ = made
    assert {path.name for path in out.iterdir()} == {"report.html", "report.md", "report.json", "figures"}
    assert len(list((out / "figures").glob("*.svg"))) == len(list((out / "figures").glob("*.png"))) == 8


def test_every_ruleset_is_identified(made: tuple[Path, str]) -> None:
    main = document(made[0])["sittings"][0]
    assert [arm["ruleset"]["short"] for arm in main["rulesets"]] == ["hasbro", "slides=off", "french"]
    assert all(re.fullmatch("[0-9a-f]{12}", arm["ruleset"]["hash"]) for arm in main["rulesets"])
    (change,) = main["rulesets"][1]["ruleset"]["changes"]
    assert (change["option"], change["base"], change["here"]) == ("slides", "all_but_own", "off")
    assert "slides a pawn rides" in change["description"]
    assert (main["players"], main["seed"], main["games"], main["blocks"]) == (4, 1, 60, 60)


def test_every_verdict_is_asked_of_two_line_ups(made: tuple[Path, str]) -> None:
    assert [sitting["policies"] for sitting in document(made[0])["sittings"]] == [["random"] * 4, ["balanced"] * 4]


def test_playing_on_for_places_changes_nothing_up_to_the_winner(made: tuple[Path, str]) -> None:
    for sitting in document(made[0])["sittings"]:
        french = sitting["rulesets"][2]["compared"]
        for name in ("turns", "seat_1", "seat_2", "seat_3", "seat_4"):
            assert french[name]["difference"]["value"] == 0
            assert french[name]["verdict"]["word"] == "no practical difference"
        assert french["turns_all"]["difference"]["value"] > 0


def test_the_checks_hold_in_every_game(made: tuple[Path, str]) -> None:
    for sitting in document(made[0])["sittings"]:
        for arm in sitting["rulesets"]:
            assert set(arm["failed_checks"].values()) == {0}


def test_without_slides_nobody_slides(made: tuple[Path, str]) -> None:
    measured = document(made[0])["sittings"][0]["rulesets"][1]["measured"]
    assert measured["slides"]["value"] == measured["bumps_slide"]["value"] == 0
    assert measured["bumps"]["value"] > 0


def test_the_same_command_gives_the_same_files(made: tuple[Path, str], tmp_path: Path) -> None:
    well("compare", "hasbro", "hasbro+slides=off", "french", *FEW, "--out", tmp_path / "again", "--threads", "1")
    for path in made[0].rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / "again" / path.relative_to(made[0])).read_bytes(), path.name


def test_json_is_the_reports_own(tmp_path: Path) -> None:
    said = well("compare", "hasbro", *FEW, "--also-policy", "none", "--out", tmp_path / "r", "--json")
    assert json.loads(said) == document(tmp_path / "r")


def test_identical_rules_play_identical_games(tmp_path: Path) -> None:
    (tmp_path / "same.toml").write_text('extends = "hasbro"\ntitle = "The same"\n')
    said = well("compare", "hasbro", tmp_path / "same.toml", *FEW, "--also-policy", "none", "--out", tmp_path / "r")
    assert "all 60 games run exactly the same course as before." in " ".join(said.split())
    arm = document(tmp_path / "r")["sittings"][0]["rulesets"][1]
    assert arm["compared"]["turns"]["pairing"] == {"correlation": pytest.approx(1), "factor": None}


def test_set_lies_on_top_of_every_ruleset_and_out_of_the_names(tmp_path: Path) -> None:
    well("compare", "hasbro", "hasbro+slides=off", *FEW, "--set", "pawns=1", "--also-policy", "none", "--out", tmp_path / "r")
    arms = document(tmp_path / "r")["sittings"][0]["rulesets"]
    assert [arm["ruleset"]["short"] for arm in arms] == ["hasbro", "slides=off"]
    assert [change["option"] for change in arms[1]["ruleset"]["changes"]] == ["slides"]
    assert arms[0]["measured"]["turns"]["value"] < 200


def test_players_of_different_policies_are_compared(tmp_path: Path) -> None:
    well("compare", "hasbro", *FEW, "--policy", "balanced,random,random,random", "--also-policy", "none", "--out", tmp_path / "r")
    measured = document(tmp_path / "r")["sittings"][0]["rulesets"][0]["measured"]
    assert measured["policy_balanced"]["value"] + measured["policy_random"]["value"] == pytest.approx(1)
    assert measured["policy_balanced"]["value"] > 0.25


def test_when_the_balanced_play_the_random_are_asked_too(tmp_path: Path) -> None:
    well("compare", "hasbro", *FEW, "--players", "2", "--policy", "balanced", "--out", tmp_path / "r")
    assert [sitting["policies"] for sitting in document(tmp_path / "r")["sittings"]] == [["balanced"] * 2, ["random"] * 2]


def test_margins_and_time_are_as_asked(tmp_path: Path) -> None:
    options = ("--margin", "seat_share=3pp", "--margin", "turns=50", "--seconds-per-turn", "20", "--title", "My question")
    well("compare", "hasbro", "hasbro+slides=off", *FEW, *options, "--also-policy", "none", "--out", tmp_path / "r")
    found = document(tmp_path / "r")
    assert found["title"] == "My question"
    assert found["margins"]["seat_share"] == {"amount": pytest.approx(0.03), "relative_to_base": False}
    arm = found["sittings"][0]["rulesets"][1]
    assert arm["compared"]["turns"]["verdict"]["margin"] == 50
    assert arm["compared"]["seat_1"]["verdict"]["margin"] == pytest.approx(0.03)
    assert arm["minutes"]["value"] == pytest.approx(arm["measured"]["turns"]["value"] / 3)


def test_an_earlier_report_is_replaced_but_nothing_else(tmp_path: Path) -> None:
    for seed in ("1", "2"):
        well("compare", "hasbro", *FEW, "--seed", seed, "--also-policy", "none", "--out", tmp_path / "r")
    assert document(tmp_path / "r")["sittings"][0]["seed"] == 2
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("notes")
    result = simsorry("compare", "hasbro", *FEW, "--out", tmp_path / "mine")
    assert result.exit_code == 4
    assert "is not a report of simsorry" in result.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["hasbro", "hasbro"], 2, "is named twice"),
        (["hasbr"], 4, "did you mean hasbro"),
        (["hasbro", "sorreesi"], 2, "hasbro is a ruleset of the classic game and sorreesi one of the sorreesi game"),
        (["sorreesi", "french"], 2, "only rulesets of the same game are compared"),
        (["hasbro", "--games", "19"], 2, "a whole number from 20"),
        (["hasbro", "--games", "many"], 2, "--games many"),
        (["hasbro", "--margin", "foo=1pp"], 2, "kinds are seat_share"),
        (["hasbro", "--margin", "seat_shar=1pp"], 2, "did you mean seat_share"),
        (["hasbro", "--margin", "length=1pp"], 2, "percentage points are for shares"),
        (["hasbro-points", "--margin", "points=1pp"], 2, "percentage points are for shares"),
        (["hasbro-points", "--margin", "points_seat_1=1pp"], 2, "percentage points are for shares"),
        (["hasbro-match", "--margin", "round_share=5"], 2, "one percentage point is written 1pp"),
        (["hasbro-teams", "--players", "3"], 4, "players"),
        (["hasbro", "--margin", "seat_share=2"], 2, "one percentage point is written 1pp"),
        (["hasbro", "--margin", "seat_share=-1pp"], 2, "a size above 0"),
        (["hasbro", "--margin", "turns"], 2, "write WHAT=SIZE"),
        (["hasbro", "--seconds-per-turn", "0"], 2, "--seconds-per-turn 0"),
        (["hasbro", "--seconds-per-turn", "nan"], 2, "--seconds-per-turn nan"),
        (["hasbro", "--also-policy", "none", "--also-policy", "random"], 2, "stands alone"),
        (["hasbro", "--also-policy", "nobody"], 4, "no built-in policy is called"),
        (["hasbro", "--policy", "random,random"], 2, "2 policies for 4 players"),
        (["hasbro", "--players", "9"], 4, "players = 9"),
        (["hasbro", "--set", "slides=maybe"], 4, "maybe"),
        (["hasbro", "--threads", "0"], 2, "--threads 0"),
        (["hasbro", "--out", ""], 2, "--out is empty"),
        (["hasbro", "--out", "/dev/null/x"], 4, "cannot be made"),
    ],
)
def test_nonsense_gives_one_line(arguments: list[str], code: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = simsorry("compare", *arguments)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("simsorry: ")
    assert result.stderr.count("\n") == 1
    assert sentence in result.stderr
    assert not list(tmp_path.iterdir())


def test_interrupted_it_leaves_no_report(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "simsorry", "compare", "hasbro", "--games", "1e9", "--also-policy", "none", "--out", "r"]
    command += ["--keep-games", "games"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(600):  # until it has begun to play
        if (tmp_path / "games").exists() or process.poll() is not None:
            break
        time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    said, complained = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "the same command goes on from the games in games" in complained
    assert said == ""
    assert [path.name for path in tmp_path.iterdir()] == ["games"]


# -- a game with dice ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A report on Sorreesi with and without its bonus moves, and what the command said."""
    folder = tmp_path_factory.mktemp("dice")
    options = ("--keep-games", folder / "games", "--also-policy", "none")
    return folder, well(
        "compare", "sorreesi", "sorreesi-no-bonus", "sorreesi+fight_tie=defender", *FEW, *options, "--out", folder / "report"
    )


def test_sorreesi_is_compared_by_what_it_counts(dice: tuple[Path, str]) -> None:
    folder, said = dice
    base, no_bonus, defender = document(folder / "report")["sittings"][0]["rulesets"]
    assert {"fights", "fights_lost", "bonuses_earned", "bonuses_lost_share", "start_share", "both_share"} <= base["measured"].keys()
    assert not {"slides", "own_bumps", "throws"} & base["measured"].keys()
    assert "bonuses_earned" not in no_bonus["measured"]
    assert "fights" in no_bonus["compared"]
    assert defender["compared"]["fights_lost"]["difference"]["value"] > 0
    assert all(set(each["failed_checks"].values()) == {0} for each in (base, no_bonus, defender))
    assert "bonus moves, of which" in " ".join(said.split())
    text = (folder / "report" / "report.md").read_text()
    assert "## Dice and cards" in text
    assert "## Bonus moves" in text
    assert (folder / "report" / "figures" / "bonus-moves.svg").exists()


def test_games_of_two_kinds_stand_side_by_side_in_a_report(dice: tuple[Path, str], tmp_path: Path) -> None:
    folder, _ = dice
    well("run", "hasbro", *FEW, "--out", tmp_path / "classic")
    well("report", folder / "games", tmp_path / "classic", "--out", tmp_path / "report")
    one, other = document(tmp_path / "report")["sittings"]
    assert [each["ruleset"]["game"] for each in one["rulesets"]] == ["sorreesi"] * 3
    assert [each["ruleset"]["game"] for each in other["rulesets"]] == ["classic"]
    assert "fights" not in other["rulesets"][0]["measured"]


def test_ice_is_compared_by_what_it_counts(tmp_path: Path) -> None:
    said = well("compare", "ice-three", "ice-three+slides=off", *FEW, "--also-policy", "none", "--out", tmp_path / "report")
    base, no_slides = document(tmp_path / "report")["sittings"][0]["rulesets"]
    assert {"covered_share", "longest_cover", "pile_height", "stack_share", "throw_share", "sorry_starts", "swept"} <= base[
        "measured"
    ].keys()
    assert not {"bumps", "fights", "own_bumps"} & base["measured"].keys()
    assert (base["measured"]["swept"]["value"] > 0, no_slides["measured"]["swept"]["value"]) == (True, 0)
    assert base["spreads"]["longest_cover"]["quantiles"]["0.5"]["value"] > 0
    assert set(base["failed_checks"].values()) == set(no_slides["failed_checks"].values()) == {0}
    assert "of the pawns in play are covered at the end of a turn" in " ".join(said.split())
    text = (tmp_path / "report" / "report.md").read_text()
    assert "## Covering and stacking" in text
    assert "## Lead changes" in text
    assert {"covered.svg", "longest-cover.svg", "sizes.svg"} <= {path.name for path in (tmp_path / "report" / "figures").iterdir()}


# -- hands, points, teams, matches -----------------------------------------------------------------


@pytest.fixture(scope="module")
def varied(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A report on a plain race, one with a hand and points, one in teams and a match, and what the command said."""
    folder = tmp_path_factory.mktemp("varied")
    rulesets = ("hasbro", "hasbro-points", "hasbro-teams-points", "hasbro-match-rounds")
    options = ("--margin", "points=2", "--margin", "round_share=3pp", "--keep-games", folder / "games", "--also-policy", "none")
    return folder, well("compare", *rulesets, *FEW, *options, "--out", folder / "report")


def test_rulesets_of_all_kinds_are_compared_by_what_they_share(varied: tuple[Path, str]) -> None:
    plain, points, teams, match = document(varied[0] / "report")["sittings"][0]["rulesets"]
    for arm in (plain, points, teams, match):
        assert set(arm["failed_checks"].values()) == {0}
        assert arm["measured"]["turns"]["n"] == 60
    assert plain["sides"] == points["sides"] == match["sides"] == ["seat 1", "seat 2", "seat 3", "seat 4"]
    assert teams["sides"] == ["the team that moves first", "the other team"]
    assert "seat_1" in points["compared"]
    assert "seat_1" not in teams["compared"]
    assert not {name for name in plain["measured"] if name.startswith(("points_", "bonus_", "team_", "match_rounds"))}
    assert {"points_winner", "bonus_1"} <= points["measured"].keys() & teams["measured"].keys() & match["measured"].keys()
    assert "points_winner" not in points["compared"]  # the base keeps none
    assert match["measured"]["match_rounds"]["value"] >= 4
    assert points["measured"]["match_round_turns"]["value"] == points["measured"]["turns_all"]["value"]
    assert [team["members"][1]["color"] for team in teams["teams"]] == ["yellow", "green"]


def test_a_report_on_all_kinds_has_their_sections_and_sentences(varied: tuple[Path, str]) -> None:
    folder, said = varied
    text = " ".join(said.split())
    for words in (
        "The winner scores",
        "The winning team scores",
        "of the cards move a pawn of the partner",
        "A match takes",
        "are thrown in",
    ):
        assert words in text
    report = (folder / "report" / "report.md").read_text(encoding="utf-8")
    titles = [line.removeprefix("## ") for line in report.splitlines() if line.startswith("## ")]
    assert titles == [
        "In short", "What was compared", "What each variant changes", "Scorecard", "Who wins", "Points", "Teams", "How long it takes",
        "Rounds of a match", "Places", "What there is to do", "Bumps and lead changes", "Leads and comebacks", "Every difference",
        "Definitions and checks", "Sources and readings",
    ]  # fmt: skip
    assert "What only some of the rulesets have" in report
    assert "a ruleset is played without teams (hasbro, hasbro-points and hasbro-match-rounds)" in report
    assert len(list((folder / "report" / "figures").glob("*.png"))) == 13


def test_margins_of_points_and_rounds_are_as_asked(varied: tuple[Path, str], tmp_path: Path) -> None:
    games = varied[0] / "games"
    well(
        "report",
        games,
        "--base",
        "hasbro-points",
        "--margin",
        "points=2",
        "--margin",
        "round_share=3pp",
        "--out",
        tmp_path / "r",
        "--quiet",
    )
    arms = {arm["ruleset"]["name"]: arm for arm in document(tmp_path / "r")["sittings"][0]["rulesets"]}
    match = arms["hasbro-match-rounds"]["compared"]
    assert match["points_seat_1"]["verdict"]["margin"] == match["points_winner"]["verdict"]["margin"] == 2
    assert match["bonus_2"]["verdict"]["margin"] == pytest.approx(0.03)
    assert {"points_winner", "bonus_0", "throw_share"} <= arms["hasbro-teams-points"]["compared"].keys()
    assert "points_seat_1" not in arms["hasbro-teams-points"]["compared"]  # a team's points are no player's


def test_measures_are_those_of_the_stored_rows(varied: tuple[Path, str]) -> None:
    arms = {arm["ruleset"]["name"]: arm for arm in document(varied[0] / "report")["sittings"][0]["rulesets"]}
    for name in ("hasbro-points", "hasbro-match-rounds"):
        games, seats = (
            read(varied[0] / "games", tasks=[arms[name]["ruleset"]["task"]]) for read in (results.read_games, results.read_seats)
        )
        measured = {key: found["value"] for key, found in arms[name]["measured"].items()}
        assert measured["points_seat_3"] == pytest.approx(seats.loc[seats["seat"] == 2, "points"].mean())
        assert measured["points_winner"] == pytest.approx(seats.loc[seats["won"] == 1, "points"].mean())
        assert measured["points_sd"] == pytest.approx(seats["points"].std(ddof=0))
        assert measured["bonus_2"] == pytest.approx(games["band_1"].sum() / games["match_rounds"].sum())
        assert measured["throw_share"] == pytest.approx(games["throws"].sum() / games["draws"].sum())
        assert measured["board_choice_share"] == pytest.approx(
            (games["choice_turns"] - games["throw_choice_turns"]).sum() / games["turns_all"].sum()
        )


def test_games_of_an_earlier_format_are_refused_in_a_sentence(varied: tuple[Path, str], tmp_path: Path) -> None:
    shutil.copytree(varied[0] / "games", tmp_path / "games")
    about = next((tmp_path / "games").glob("*/task.json"))
    about.write_text(about.read_text(encoding="utf-8").replace(f'"format": {FORMAT}', '"format": 1', 1), encoding="utf-8")
    result = simsorry("report", tmp_path / "games", "--out", tmp_path / "r", "--quiet")
    assert result.exit_code == 4
    assert result.stderr.count("\n") == 1
    assert f"{about.parent} was stored in format 1 by an earlier version of simsorry" in result.stderr
    assert not (tmp_path / "r").exists()


# -- kept games and stored results -----------------------------------------------------------------


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a report, and the games behind it."""
    folder = tmp_path_factory.mktemp("kept")
    well("compare", "hasbro", "hasbro+slides=off", *FEW, "--keep-games", folder / "games", "--out", folder / "report")
    return folder


def test_keeping_the_games_does_not_change_the_report(kept: Path, tmp_path: Path) -> None:
    well("compare", "hasbro", "hasbro+slides=off", *FEW, "--out", tmp_path / "report")
    assert document(tmp_path / "report") == document(kept / "report")


def test_kept_games_are_used_again(kept: Path, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (kept / "games").rglob("*.parquet")}
    assert len(before) == 12  # three tables of two rulesets with two line-ups
    well("compare", "hasbro", "hasbro+slides=off", *FEW, "--keep-games", kept / "games", "--out", tmp_path / "again")
    assert {path: path.stat().st_mtime_ns for path in (kept / "games").rglob("*.parquet")} == before


def test_report_on_stored_games_has_the_same_numbers(kept: Path, tmp_path: Path) -> None:
    said = well("report", kept / "games", "--out", tmp_path / "r", "--quiet")
    assert "Without slides" in said
    found, played = document(tmp_path / "r"), document(kept / "report")
    assert found["provenance"].pop("command") != played["provenance"].pop("command")
    assert found == played


def test_report_on_fewer_games_and_another_base(kept: Path, tmp_path: Path) -> None:
    well("report", kept / "games", "--out", tmp_path / "r", "--quiet", "--games", "30", "--base", "hasbro+slides=off")
    main = document(tmp_path / "r")["sittings"][0]
    assert [arm["ruleset"]["name"] for arm in main["rulesets"]] == ["hasbro+slides=off", "hasbro"]
    assert main["games"] == 30


def test_report_keeps_tables_of_different_players_apart(kept: Path, tmp_path: Path) -> None:
    well("run", "hasbro", *FEW, "--players", "2", "--out", tmp_path / "two")
    well("report", kept / "games", tmp_path / "two", "--out", tmp_path / "r", "--quiet")
    sittings = document(tmp_path / "r")["sittings"]
    assert [(sitting["players"], len(sitting["rulesets"])) for sitting in sittings] == [(4, 2), (4, 2), (2, 1)]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["nowhere"], 4, "nowhere does not exist"),
        (["{games}", "--base", "french"], 2, "no task of that name"),
        (["{games}", "--games", "61"], 4, "has only 60"),
        (["{games}", "--games", "3"], 2, "a whole number from 20"),
    ],
)
def test_report_nonsense_gives_one_line(kept: Path, tmp_path: Path, arguments: list[str], code: int, sentence: str) -> None:
    result = simsorry("report", *(each.format(games=kept / "games") for each in arguments), "--out", tmp_path / "r")
    assert result.exit_code == code, result.output
    assert result.stderr.count("\n") == 1
    assert sentence in result.stderr
    assert not (tmp_path / "r").exists()


def test_report_on_sums_is_that_on_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for keep in ("rows", "summary"):
        (tmp_path / keep).mkdir()
        monkeypatch.chdir(tmp_path / keep)  # the report names the folder
        well("run", "hasbro", *FEW, "--keep", keep, "--out", "games")
        well("report", "games", "--out", tmp_path / "report" / keep, "--quiet")
    one, other = (tmp_path / "report" / keep for keep in ("rows", "summary"))
    assert {path.relative_to(one): path.read_bytes() for path in one.rglob("*.*")} == {
        path.relative_to(other): path.read_bytes() for path in other.rglob("*.*")
    }


def test_report_on_sums_takes_games_that_all_have_and_no_others(kept: Path, tmp_path: Path) -> None:
    well("run", "hasbro+two_draws_again=never", "--games", "40", "--quiet", "--keep", "summary", "--out", tmp_path / "sums")
    well("report", kept / "games", tmp_path / "sums", "--out", tmp_path / "r", "--quiet", "--base", "hasbro")
    assert [(table["games"], len(table["rulesets"])) for table in document(tmp_path / "r")["sittings"]] == [(40, 3), (60, 2)]
    result = simsorry("report", tmp_path / "sums", "--games", "30", "--out", tmp_path / "r", "--quiet")
    assert result.exit_code == 4
    assert "keeps sums only (--keep summary), which do not tell the first 30 games from those after them: ask for 40" in result.stderr


def test_report_on_damaged_games_is_an_error(kept: Path, tmp_path: Path) -> None:
    shutil.copytree(kept / "games", tmp_path / "games")
    next((tmp_path / "games").rglob("games/part*.parquet")).write_bytes(b"PAR1 but not really")
    result = simsorry("report", tmp_path / "games", "--out", tmp_path / "r", "--quiet")
    assert result.exit_code != 0
    assert result.stderr.startswith("simsorry: ")
    assert "internal error" not in result.stderr


# -- demo ------------------------------------------------------------------------------------------


def test_demo_answers_one_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = well("demo", *FEW)
    assert "Without slides" in said
    assert said.endswith("report: simsorry-demo/report.html\n")
    assert document(tmp_path / "simsorry-demo")["title"] == "What do the slides do?"


def test_help_needs_nothing_heavy() -> None:
    heavy = ("numba", "pandas", "matplotlib", "scipy", "numpy")
    code = f"import sys; from simsorry.cli import app; print([m for m in {heavy} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
