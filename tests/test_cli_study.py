"""Questions from files: ``simsorry study``."""

import json
from pathlib import Path

import pytest
from cli_tools import refused, said

QUESTION = """
title = "Do slides matter?"
question = "Would anybody miss them?"
answer = "A game that is 10 % longer."
base = "hasbro"
arms = ["hasbro+slides=off"]
players = 2
line_ups = ["random"]
games = 40
[margins]
length = "10%"
"""
EXPERIMENTS = Path(__file__).parent.parent / "experiments"


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    file = tmp_path / "slides.toml"
    file.write_text(QUESTION, encoding="utf-8")
    return file


def test_a_question_is_answered_beside_its_file(asked: Path) -> None:
    text = said("study", str(asked), "--quiet")
    folder = asked.parent / "results" / "slides"
    assert text.endswith(f"report: {folder / 'report' / 'report.html'}\n")
    found = json.loads((folder / "report" / "report.json").read_text(encoding="utf-8"))
    assert found["title"] == "Do slides matter?"
    (sitting,) = found["sittings"]
    assert [arm["games"] for arm in sitting["rulesets"]] == [40, 40]
    assert found["margins"]["length"] == {"amount": 0.1, "relative_to_base": True}
    before = sorted(path.name for path in (folder / "games").rglob("*.parquet"))
    assert said("study", str(asked), "--quiet") == text  # from the games that are there
    assert sorted(path.name for path in (folder / "games").rglob("*.parquet")) == before


def test_a_plan_plays_nothing(asked: Path) -> None:
    text = said("study", str(asked), "--plan", "--games", "1e6")
    assert "1,000,000 games of each of 2 rulesets with 2 players: random" in text
    assert text.endswith("2,000,000 games in all\n")
    assert [path.name for path in asked.parent.iterdir()] == ["slides.toml"]


@pytest.mark.parametrize("file", sorted(EXPERIMENTS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_questions_that_are_here_can_be_asked(file: Path) -> None:
    assert "games in all" in said("study", str(file), "--plan")


@pytest.mark.parametrize(
    ("changed", "to", "expected"),
    [
        ("players = 2", "players = 7", "players = 7 is not allowed"),
        ("games = 40", 'games = "many"', 'games = "many" is not allowed'),
        ('base = "hasbro"', "", "base is missing"),
        ("title =", "titel =", "did you mean title?"),
        ('"hasbro+slides=off"', '"hasbro+slides=of"', "slides"),
        ('["random"]', "[]", "line_ups = [] is not allowed"),
        ('["random"]', '["random,random,random"]', "names 3 policies; one or 2 are needed for players = 2"),
        ('["random"]', '["random", "random"]', 'line_ups: "random" is named twice'),
        ('"hasbro+slides=off"', '"hasbro"', 'arms: "hasbro" is named twice'),
        ('["random"]', '["rndom"]', "did you mean random?"),
        ('length = "10%"', 'lenght = "10%"', "margins: lenght: there is no such kind or measure"),
        ('["hasbro+slides=off"]', '["sorreesi"]', "only rulesets of the same game are compared"),
        ('answer = "A game that is 10 % longer."', 'answer = "', "slides.toml:4"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(asked: Path, changed: str, to: str, expected: str) -> None:
    assert changed in QUESTION
    asked.write_text(QUESTION.replace(changed, to), encoding="utf-8")
    line = refused("study", str(asked), "--quiet", code=2 if "same game" in expected or "lenght" in to else 4)
    assert "slides.toml" in line
    assert expected in line
    assert [path.name for path in asked.parent.iterdir()] == ["slides.toml"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "there is no such file" in refused("study", str(tmp_path / "nothing.toml"))
