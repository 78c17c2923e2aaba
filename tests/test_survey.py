"""Surveys: which tables are played, what made-up games come to, what the report says of it, and a small one played."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli_tools import refused, said, simsorry_says
from made_up import card, rows, sitting

from simsorry import question, survey
from simsorry.errors import SimsorryError
from simsorry.margin import Margin
from simsorry.metrics import Rows
from simsorry.report import survey as report
from simsorry.report.study import Arm
from simsorry.report.survey import EVEN, HELPS, HURTS, OPEN, Row, Surveyed

HEAD = {"title": "First?", "question": "Does it help?", "answer": "A point.", "line_ups": ["random"], "games": 40}
POINT = Margin(0.01, False)


def planned(rulesets: list[str], players: list[int], show: str = "first_player", **keys: Any) -> survey.Plan:
    asked = {"rulesets": rulesets, "players": players, "show": show}
    return survey.plan(question.Question.model_validate({**HEAD, **keys, "survey": asked}))


# -- what is played --------------------------------------------------------------------------------


def test_every_ruleset_meets_every_number_of_players_that_it_is_for() -> None:
    plan = planned(["hasbro-teams", "hasbro"], [2, 4], line_ups=["random", "balanced"])
    tables = [(entry.spec, entry.task.players, entry.policy) for entry in plan.entries]
    assert tables == [
        ("hasbro", 2, "random"),
        ("hasbro", 2, "balanced"),
        ("hasbro-teams", 4, "random"),
        ("hasbro", 4, "random"),
        ("hasbro-teams", 4, "balanced"),
        ("hasbro", 4, "balanced"),
    ]
    assert plan.left_out == (("hasbro-teams", 2),)


def test_patterns_name_built_in_rulesets_each_once() -> None:
    found = survey.specs(["ice-t*", "ice-three", "hasbro+slides=off", "*-nine"])
    assert found == ["ice-take-triangle", "ice-three", "ice-top-contact", "hasbro+slides=off", "ice-nine"]


@pytest.mark.parametrize(
    ("rulesets", "players", "expected"),
    [
        (["iec*"], [2], "survey.rulesets: iec*: no built-in ruleset is called so"),
        (["hasbro-teams"], [2, 3], "survey.rulesets: hasbro-teams: players = 2 is not possible"),
        (["hasbro+slides=of"], [2], "slides"),
    ],
)
def test_what_can_not_be_played_is_said(rulesets: list[str], players: list[int], expected: str) -> None:
    with pytest.raises(SimsorryError) as caught:
        planned(rulesets, players)
    assert expected in str(caught.value)


# -- what it comes to ------------------------------------------------------------------------------


def arm_of(made: Rows, name: str) -> Arm:
    return sitting([(card(name), made)], ("random",) * made.players).base


def found_of(plan: survey.Plan, tilts: list[float], games: int = 40_000) -> Surveyed:
    """Made-up games of each entry, in which the first player wins so much more than evenly."""
    arms = [
        arm_of(rows(games, entry.task.players, tilt=tilt, seed=at), entry.spec)
        for at, (entry, tilt) in enumerate(zip(plan.entries, tilts, strict=True))
    ]
    return report.build(plan, arms, POINT, 15)


@pytest.fixture(scope="module")
def found() -> Surveyed:
    return found_of(planned(["hasbro", "french", "ice"], [2]), [0.1, 0.0, -0.1])


def test_the_advantage_is_the_share_above_an_even_one(found: Surveyed) -> None:
    first = found.rows[0]
    share = first.arm.side_wins[0] / sum(first.arm.side_wins)
    assert first.advantage.value == pytest.approx(share - 1 / 2)
    assert first.advantage.error == pytest.approx((share * (1 - share) / sum(first.arm.side_wins)) ** 0.5, rel=1e-3)
    assert [row.effect for row in found.rows] == [HELPS, EVEN, HURTS]


def test_few_games_leave_it_open() -> None:
    few = found_of(planned(["hasbro"], [4]), [0.0], games=60)
    assert few.rows[0].effect == OPEN
    assert "whether it helps is open in this one" in report.in_short(few)[0]


def test_the_opening_says_where_it_helps(found: Surveyed) -> None:
    (paragraph,) = report.in_short(found)
    assert paragraph.startswith(
        "At a table of two, where an even share is 50% of the wins for one player, three rulesets were played. With random"
    )
    assert "it helps in one, under hasbro (" in paragraph
    assert "it hurts in one, under ice (" in paragraph
    assert "it makes no practical difference in one" in paragraph


def test_who_plays_may_decide_it() -> None:
    both = found_of(planned(["hasbro"], [2], line_ups=["random", "balanced"]), [0.1, 0.0])
    assert "The answer depends on who plays in hasbro." in report.in_short(both)[0]


def test_the_figure_says_how_many_and_which_most(found: Surveyed) -> None:
    (picture,) = report.render(found).pictures
    assert picture.finding.startswith("At a table of two moving first helps by more than 1 point in 1 of 3 rulesets, most in hasbro: ")
    drawn = picture.files()
    assert drawn == picture.files()
    assert all(name in drawn.svg for name in ("hasbro", "french", "ice"))


def test_every_number_is_in_the_document(found: Surveyed) -> None:
    document = json.loads(json.dumps(report.as_json(found), allow_nan=False))
    assert [entry["ruleset"]["name"] for entry in document["entries"]] == ["hasbro", "french", "ice"]
    assert document["verdicts_corrected_together"] == 3
    assert document["entries"][0]["advantage_of_first"]["value"] == pytest.approx(found.rows[0].advantage.value)


def test_an_evening_by_the_clock() -> None:
    evening = found_of(planned(["hasbro", "ice"], [2], "evening"), [0.0, 0.0], games=400)
    (picture,) = report.render(evening).pictures
    (section,) = [each for each in report.render(evening).sections if each.id == "players-2"]
    (table,) = section.parts[0].tables
    median = evening.rows[0].arm.quantiles[0.5].value
    assert table.rows[0][:4] == ("hasbro", "random", table.rows[0][2], f"1 hour {round(median * 15 / 60) - 60} minutes")
    assert picture.finding == "Rulesets for two that are over within an hour at least every second time: 0 of 2 with random players"


def test_games_that_nobody_won_tell_nothing_of_the_first() -> None:
    nothing = report.build(planned(["hasbro"], [2]), [arm_of(rows(40, 2, capped=40), "hasbro")], POINT, 15)
    (row,) = nothing.rows
    assert isinstance(row, Row)
    assert row.verdict is None
    assert row.effect == OPEN
    json.dumps(report.as_json(nothing), allow_nan=False)
    assert report.render(nothing).files


# -- played ------------------------------------------------------------------------------------------

FILE = """
title = "First?"
question = "Does it help?"
answer = "A point."
line_ups = ["random"]
games = 40
[survey]
rulesets = ["hasbro-q*", "ice-three"]
players = [2]
show = "first_player"
"""


def test_a_survey_is_answered_beside_its_file(tmp_path: Path) -> None:
    file = tmp_path / "first.toml"
    file.write_text(FILE, encoding="utf-8")
    text = said("study", str(file), "--quiet")
    folder = tmp_path / "results" / "first"
    found = json.loads((folder / "report" / "report.json").read_text(encoding="utf-8"))
    assert [(entry["ruleset"]["name"], entry["games"]) for entry in found["entries"]] == [("hasbro-quick", 40), ("ice-three", 40)]
    assert said("study", str(file), "--quiet") == text  # from the sums that are there
    said("study", str(file), "--quiet", "--games", "20")
    fewer = json.loads((folder / "report" / "report.json").read_text(encoding="utf-8"))
    assert [entry["games"] for entry in fewer["entries"]] == [20, 20]  # though more are there
    assert fewer["entries"] == played_anew(tmp_path, 20)["entries"]
    said("study", str(file), "--quiet", "--games", "60")
    found = json.loads((folder / "report" / "report.json").read_text(encoding="utf-8"))
    assert [entry["games"] for entry in found["entries"]] == [60, 60]


def played_anew(tmp_path: Path, games: int) -> dict[str, Any]:
    file = tmp_path / "anew" / "first.toml"
    file.parent.mkdir()
    file.write_text(FILE, encoding="utf-8")
    said("study", str(file), "--quiet", "--games", str(games))
    found: dict[str, Any] = json.loads((file.parent / "results" / "first" / "report" / "report.json").read_text(encoding="utf-8"))
    return found


def test_a_survey_that_is_not_precise_enough_says_so(tmp_path: Path) -> None:
    file = tmp_path / "first.toml"
    file.write_text(FILE.replace("games = 40", 'games = 40\nprecision = { seat_share = "1pp" }'), encoding="utf-8")
    result = simsorry_says("study", str(file), "--quiet")
    assert result.exit_code == 3
    assert "first.toml: 2 of 2 tables are not as precise as asked after 40 games, farthest from it " in result.stderr
    assert (tmp_path / "results" / "first" / "report" / "report.html").exists()


def test_a_survey_stops_once_it_is_precise(tmp_path: Path) -> None:
    file = tmp_path / "first.toml"
    precise = FILE.replace('"hasbro-q*", "ice-three"', '"hasbro"').replace(
        "games = 40", 'games = 50_000\nprecision = { seat_share = "2pp" }'
    )
    file.write_text(precise, encoding="utf-8")
    said("study", str(file), "--quiet")
    report_file = tmp_path / "results" / "first" / "report" / "report.json"
    before = report_file.read_bytes()
    (entry,) = json.loads(before)["entries"]
    assert entry["games"] == 2_400  # the first look: 2 points are about 1.96 * sqrt(0.25 / 2400)
    said("study", str(file), "--quiet")
    assert report_file.read_bytes() == before


@pytest.mark.parametrize(
    ("changed", "to", "expected"),
    [
        ("players = [2]", "players = [5]", "survey.players (item 1) = 5 is not allowed"),
        ("players = [2]", "players = [2, 2]", "players: 2 is named twice"),
        ('show = "first_player"', 'show = "last"', "survey.show = "),
        ('show = "first_player"', "", "survey: show is missing: What is looked at"),
        ('["random"]', '["random,balanced"]', "in a survey all players of a table have the same policy"),
        ("games = 40", 'games = 40\nbase = "ice"', "base: that does not go with a table survey"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path: Path, changed: str, to: str, expected: str) -> None:
    assert changed in FILE
    file = tmp_path / "first.toml"
    file.write_text(FILE.replace(changed, to), encoding="utf-8")
    assert expected in refused("study", str(file), "--quiet")
    assert [path.name for path in tmp_path.iterdir()] == ["first.toml"]
