"""Questions from files: ``simsorry study``."""

import json
import re
from pathlib import Path

import pytest
from cli_tools import refused, said

from simsorry.cli import _answering
from simsorry.cli.run import make_task

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


def test_the_question_stands_in_its_report(asked: Path) -> None:
    said("study", str(asked), "--quiet")
    report = asked.parent / "results" / "slides" / "report"
    text = (report / "report.md").read_text(encoding="utf-8")
    assert text.index("## In short") < text.index("## The question\n\nWould anybody miss them?") < text.index("## Scorecard")
    assert "### What would count as an answer\n\nA game that is 10 % longer." in text
    assert "from seed 1, by “simsorry study slides.toml”" in text
    found = json.loads((report / "report.json").read_text(encoding="utf-8"))
    assert found["asked"] == {"question": "Would anybody miss them?", "held": "", "answer": "A game that is 10 % longer."}


def test_rulesets_are_called_in_plain_words(asked: Path) -> None:
    more = QUESTION.replace('["hasbro+slides=off"]', '["hasbro+slides=off", "hasbro+pawns=3"]').replace(
        "players = 2", 'players = 2\ncalled = "ways out"'
    )
    asked.write_text(more + '[names]\n"hasbro+slides=off" = "no slides"\n', encoding="utf-8")
    text = said("study", str(asked), "--quiet")
    assert "With no slides" in text
    assert "With pawns = 3" in text
    report = asked.parent / "results" / "slides" / "report"
    page = (report / "report.md").read_text(encoding="utf-8")
    assert "| no slides | Hasbro 1998-2005, with slides=off |" in page
    assert "What the ways out change" in page
    rulesets = json.loads((report / "report.json").read_text(encoding="utf-8"))["sittings"][0]["rulesets"]
    assert [(arm["ruleset"]["name"], arm["ruleset"]["short"]) for arm in rulesets][1] == ("hasbro+slides=off", "no slides")


def test_only_the_chapters_that_are_wanted(asked: Path) -> None:
    asked.write_text(QUESTION + '[report]\nchapters = ["how-long", "scorecard"]\nseconds_per_turn = 30\n', encoding="utf-8")
    said("study", str(asked), "--quiet")
    text = (asked.parent / "results" / "slides" / "report" / "report.md").read_text(encoding="utf-8")
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == ["## In short", "## The question", "## How long it takes", "## Scorecard"]
    assert "at 30 seconds a turn" in text


def test_a_plan_plays_nothing(asked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_answering, "SAMPLE_SECONDS", 0.01)
    text = said("study", str(asked), "--plan", "--games", "1e9", "--threads", "2")
    assert "1,000,000,000 games of each of 2 rulesets with 2 players: random" in text
    assert "\n2,000,000,000 games in all\nabout " in text
    assert re.search(r"about \d+ hours?.* on 2 cores", text)
    assert [path.name for path in asked.parent.iterdir()] == ["slides.toml"]


def test_a_plan_says_what_is_there(asked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_answering, "SAMPLE_SECONDS", 0.01)
    said("study", str(asked), "--quiet")
    text = said("study", str(asked), "--plan", "--games", "100")
    assert "  hasbro (40 are there)" in text
    assert "200 games in all\n80 of them are there already\nabout a few seconds on" in text
    assert said("study", str(asked), "--plan").endswith("80 games in all\n80 of them are there already\n")


def test_how_long_it_takes_goes_by_what_is_missing() -> None:
    task = make_task("hasbro", 2, ["random"], 1, [], None)
    pieces = [_answering.Piece("", name, task, 1_000) for name in ("one", "other")]
    pace = {"one": 0.5, "other": 1.5}

    def measured(_task: object) -> float:
        return pace[next(tried)]

    tried = iter(["one", "other"])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_answering, "_seconds_a_game", measured)
        assert _answering.seconds(pieces, [10, 30], threads=2) == pytest.approx((10 + 30) * 1.0 / 2)  # both are of a kind
        tried = iter(["other"])
        assert _answering.seconds(pieces, [0, 30], threads=1) == pytest.approx(45)
        assert _answering.seconds(pieces, [0, 0], threads=1) == 0


@pytest.mark.parametrize("file", sorted(EXPERIMENTS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_questions_that_are_here_can_be_asked(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_answering, "seconds", lambda *_: 60.0)
    assert "games in all" in said("study", str(file), "--plan")


def test_games_are_played_until_something_is_known(asked: Path) -> None:
    precise = QUESTION.replace("games = 40", "games = 60_000").replace("[margins]", 'precision = { turns = "50%" }\n[margins]')
    asked.write_text(precise, encoding="utf-8")
    said("study", str(asked), "--quiet")
    found = json.loads((asked.parent / "results" / "slides" / "report" / "report.json").read_text(encoding="utf-8"))
    assert [arm["games"] for arm in found["sittings"][0]["rulesets"]] == [2_400, 2_400]  # the first look
    assert "120,000 games in all at most" in said("study", str(asked), "--plan")


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
        ("[margins]", "precision = { trns = '1%' }\n[margins]", "precision: trns: there is no such kind or measure; did you mean turns?"),
        ("[margins]", "until_clear = true\nprecision = { turns = '1%' }\n[margins]", "precision is another way to say"),
        ("[margins]", "precision = { turns = '1%' }\n[vary]\nslides = ['on', 'off']\n[margins]", "arms and vary are two questions"),
        ("[margins]", "[survey]\nrulesets = ['ice']\nshow = 'evening'\n[margins]", "that does not go with a table survey"),
        (
            "[margins]",
            "[names]\n'hasbro+slides=of' = 'none'\n[margins]",
            "names: hasbro+slides=of is neither the base nor one of the arms; did",
        ),
        ('"Do slides matter?"', '"  "', "title = "),
        ('"Do slides matter?"', '"Do \\u0007 matter?"', "it has a control character"),
        ('["random"]', '["random", " random"]', 'line_ups: "random" is named twice'),
        ('base = "hasbro"', 'base = "hasbr"', "base: no built-in ruleset is called"),
        ('["random"]', '["balancd"]', "line_ups: no built-in policy is called"),
        ("[margins]", "[names]\n'hasbro+slides=off' = 'hasbro'\n[margins]", 'names: two rulesets are called "hasbro"'),
        ("[margins]", "[report]\nchapter = []\n[margins]", "did you mean chapters?"),
        ("[margins]", "[report]\nseconds_per_turn = 0.0\n[margins]", "report.seconds_per_turn = 0.0 is not allowed"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(asked: Path, changed: str, to: str, expected: str) -> None:
    assert changed in QUESTION
    asked.write_text(QUESTION.replace(changed, to), encoding="utf-8")
    line = refused("study", str(asked), "--quiet", code=4)
    assert "slides.toml" in line
    assert expected in line
    assert [path.name for path in asked.parent.iterdir()] == ["slides.toml"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('chapters = ["how-lon"]', "the report has no such chapter; did you mean how-long?"),
        ('picture = "seat"', "no such figure; did you mean seats?"),
    ],
)
def test_a_chapter_or_picture_that_is_not_there_is_said_before_anything_is_played(asked: Path, line: str, expected: str) -> None:
    asked.write_text(QUESTION + f"[report]\n{line}\n", encoding="utf-8")
    assert expected in refused("study", str(asked), "--quiet")
    assert expected in refused("study", str(asked), "--plan")
    assert [path.name for path in asked.parent.iterdir()] == ["slides.toml"]


def test_a_chapter_for_which_there_are_too_few_games_is_left_out(asked: Path) -> None:
    asked.write_text(QUESTION + '[report]\nchapters = ["cards", "scorecard"]\npicture = "unused"\n', encoding="utf-8")
    said("study", str(asked), "--quiet")
    text = (asked.parent / "results" / "slides" / "report" / "report.md").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## In short", "## The question", "## Scorecard"]


def test_files_that_a_question_names_lie_beside_it(asked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (asked.parent / "mine.toml").write_text('extends = "hasbro"\ntitle = "Mine"\n[rules]\npawns = 3\n', encoding="utf-8")
    (asked.parent / "me.toml").write_text('extends = "random"\n', encoding="utf-8")
    changed = QUESTION.replace('"hasbro+slides=off"', '"./mine.toml+slides=off"').replace('["random"]', '["./me.toml"]')
    asked.write_text(changed + '[names]\n"./mine.toml+slides=off" = "mine"\n', encoding="utf-8")
    monkeypatch.setattr(_answering, "seconds", lambda *_: 60.0)
    for folder, file in ((asked.parent, "slides.toml"), (asked.parent.parent, f"{asked.parent.name}/slides.toml")):
        monkeypatch.chdir(folder)
        assert "mine.toml+slides=off" in said("study", file, "--plan")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "there is no such file" in refused("study", str(tmp_path / "nothing.toml"))
