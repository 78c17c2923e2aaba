"""``simsorry moves``: one decision in words and as JSON, files of decisions, and what is said to nonsense."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from simsorry import jit
from simsorry.cli import app
from simsorry.errors import INVALID, PARTIAL, USAGE

POSITION = "red S S 12 H / blue Z2 S S 16"
POINT: dict[str, Any] = {
    "id": "a",
    "preset": "hasbro",
    "options": {},
    "players": ["red", "yellow"],
    "seat": 1,
    "color": "yellow",
    "position": {"red": ["S", "S", "S", "S"], "yellow": ["S", "S", 14, 53]},
    "card": "12",
}
ANSWER = {"id": "a", "outcomes": [["12", "red S S S S / yellow S S 26 53"], ["12", "red S S S S / yellow S S 5 14"]]}


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """So that no command says that it is compiling."""
    CliRunner().invoke(app, ["moves", "hasbro", "--position", POSITION, "--seat", "red", "--card", "1"])


def cli(*arguments: str | Path, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["moves", *map(str, arguments)], input=given)


def one(position: str, seat: str, card: str, *more: str) -> Result:
    return cli("hasbro", "--position", position, "--seat", seat, "--card", card, *more)


def answers(*lines: str | dict[str, Any]) -> tuple[list[dict[str, Any]], Result]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    result = cli("--points", "-", given=text)
    return [json.loads(line) for line in result.stdout.splitlines()], result


# -- one decision ----------------------------------------------------------------------------------


def test_a_decision_in_words() -> None:
    result = one(POSITION, "red", "11")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "hasbro, red has drawn 11",
        "red S S 12 H / blue S S 16 Z2",
        "",
        "red S S 23 H / blue S S 16 Z2   moves 11 forward from 12 to 23",
        "red S S 19 H / blue S S 12 Z2   swaps its pawn on 12 with blue's on 16, slides to 19 (not compulsory)",
        "",
        "2 distinct outcomes: one of them must be taken",
    ]
    assert result.stderr == ""


def test_a_decision_that_may_be_declined() -> None:
    lines = one("red 59 Z5 H H / yellow S S S 40", "1", "11").stdout.splitlines()
    assert lines[-1] == "2 distinct outcomes, passing among them: nothing is compulsory"
    assert lines[4].endswith("   passes")


def test_a_single_outcome_and_none() -> None:
    assert one("red S S S S / blue S S S S", "red", "1").stdout.endswith("1 outcome: it must be taken\n")
    assert one("red S S S S / blue S S S S", "red", "12").stdout.endswith("nothing is possible: the card is forfeited\n")


def test_a_decision_as_json() -> None:
    result = one(POSITION, "2", "sorry", "--json", "--set", "slides=off")
    document = json.loads(result.stdout)
    assert document["ruleset"]["name"] == "hasbro+slides=off"
    assert (document["players"], document["color"], document["card"]) == (["red", "blue"], "blue", "sorry")
    assert document["position"] == "red S S 12 H / blue S S 16 Z2"
    assert (document["compulsory"], document["may_pass"]) == (True, False)
    assert document["outcomes"] == [
        {
            "position": "red S S S H / blue S 12 16 Z2",
            "did": "moves a pawn from START to 12, sends back red from 12",
            "kind": "play",
            "compulsory": True,
        }
    ]


def test_house_rules_count() -> None:
    assert "slides to 19" in one("red 20 S S S / blue S S S S", "red", "4").stdout
    assert "slides to" not in one("red 20 S S S / blue S S S S", "red", "4", "--set", "slides=off").stdout


def test_the_colors_of_the_position_play() -> None:
    document = json.loads(one("green S S S 4 / yellow S S S S / blue S S S S", "1", "1", "--json").stdout)
    assert (document["players"], document["color"]) == (["blue", "yellow", "green"], "blue")


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        ([], "missing: RULESET, --position, --seat, --card", USAGE),
        (["hasbro"], "missing: --position, --seat, --card", USAGE),
        (["hasbro", "--position", POSITION, "--seat", "red"], "missing: --card", USAGE),
        (["hasbro", "--points", "x"], "--points takes everything from the file", USAGE),
        (["--points", "x", "--json"], "--points takes everything from the file", USAGE),
        (["--points", "no-such-file"], '--points "no-such-file" can\'t be read: No such file or directory', INVALID),
        (["--points", "/"], "can't be read: Is a directory", INVALID),
        (["--points", "a\0b"], "its name is not a possible file name", INVALID),
        (["--points", ""], "can't be read: ", INVALID),
        (["hasbo", "--position", POSITION, "--seat", "red", "--card", "1"], "did you mean hasbro?", INVALID),
        (["hasbro", "--position", POSITION, "--seat", "red", "--card", "1", "--set", "slide=off"], "did you mean slides?", INVALID),
        (["hasbro", "--position", POSITION, "--seat", "green", "--card", "1"], "the players are red, blue", INVALID),
        (["hasbro", "--position", POSITION, "--seat", "0", "--card", "1"], '--seat "0" does not play here', INVALID),
        (["hasbro", "--position", POSITION, "--seat", "rd", "--card", "1"], "did you mean red?", INVALID),
        (["hasbro", "--position", POSITION, "--seat", "red", "--card", "6"], 'card "6" is not in the deck', INVALID),
        (["hasbro", "--position", "red S S S S", "--seat", "red", "--card", "1"], "two to four different colors are needed", INVALID),
        (["hasbro", "--position", "red S S S / blue S S S S", "--seat", "red", "--card", "1"], "red has 3 pawns", INVALID),
        (["hasbro", "--position", "\x1b[31m\n", "--seat", "red", "--card", "1"], "is not a color", INVALID),
        (["hasbro", "--position", "red " * 5000, "--seat", "red", "--card", "1"], "two to four different colors are needed", INVALID),
    ],
)
def test_nonsense_gives_one_sentence(arguments: list[str], sentence: str, code: int) -> None:
    result = cli(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr
    assert re.fullmatch(r"simsorry: [^\n]+\n", result.stderr)
    assert "\x1b" not in result.stderr
    assert len(result.stderr) < 500


def test_who_waits_for_the_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "is_cold", lambda function: function == "outcomes_of")
    result = one(POSITION, "red", "1")
    assert (result.exit_code, result.stderr) == (0, "compiling (first run only) …\n")
    assert "compiling" not in result.stdout


# -- files of points -------------------------------------------------------------------------------


def test_points_are_answered_line_by_line() -> None:
    passing = {**POINT, "id": 7, "card": "11", "position": {"red": ["S", "S", "S", 40], "yellow": [29, "Z5", "H", "H"]}}
    found, result = answers(POINT, "", passing, {**POINT, "id": "none", "card": 5, "position": {"red": ["S"] * 4, "yellow": ["S"] * 4}})
    assert result.exit_code == 0
    assert found == [
        ANSWER,
        {"id": 7, "outcomes": [["11", "red S S S 29 / yellow 40 Z5 H H"], ["11", "red S S S 40 / yellow 29 Z5 H H", "pass"]]},
        {"id": "none", "outcomes": []},
    ]


def test_options_of_a_point_may_be_texts_or_values() -> None:
    position = {"red": ["S", "S", "S"], "yellow": ["S", "S", 14]}
    for pawns in ("3", 3):
        found, _ = answers({**POINT, "options": {"pawns": pawns, "slides": "off"}, "position": position})
        assert found == [{"id": "a", "outcomes": [["12", "red S S S / yellow S S 26"]]}]


def test_a_point_names_its_mover_by_seat_or_color() -> None:
    for left_out in ("seat", "color"):
        assert answers({key: value for key, value in POINT.items() if key != left_out})[0] == [ANSWER]


def test_what_can_not_be_answered_says_why_and_the_rest_goes_on() -> None:
    found, result = answers({**POINT, "preset": "hasbro-poinst"}, "{broken", POINT, "[]", {**POINT, "id": None, "card": "6"})
    assert result.exit_code == PARTIAL
    assert [list(answer) for answer in found] == [["id", "error"]] * 2 + [["id", "outcomes"]] + [["id", "error"]] * 2
    assert [answer["id"] for answer in found] == ["a", None, "a", None, None]
    assert found[0]["error"].startswith('no built-in ruleset is called "hasbro-poinst"')
    assert found[1]["error"].startswith("line 2: not valid JSON: ")
    assert found[3]["error"] == "line 4: not a JSON object"
    assert found[4]["error"].startswith("line 5: card ")
    assert result.stderr.startswith(
        'simsorry: 4 of 5 points could not be answered; the first because: no built-in ruleset is called "hasbro-poinst"'
    )
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"preset": None}, "preset = "),
        ({"preset": "\0"}, "no built-in ruleset is called"),
        ({"preset": "./nowhere.toml"}, "nowhere.toml: there is no such file"),
        ({"options": []}, "options = []"),
        ({"options": {"slides": "of"}}, "options: slides = "),
        ({"options": {"hand": {"a": [1]}}}, "options: hand = "),
        ({"players": ["red"]}, "players: red: two to four different colors are needed"),
        ({"players": "red"}, "players is not a list of colors in seat order"),
        ({"players": [["red"], "blue"]}, "players is not a list of colors in seat order"),
        ({"seat": 2}, "seat = 2 is none of the seats 0 to 1"),
        ({"seat": True}, "seat = true is none of the seats 0 to 1"),
        ({"seat": 0}, 'seat 0 is red, not "yellow"'),
        ({"seat": None, "color": ["red"]}, "does not play here"),
        ({"hand": ["1", "2"]}, "the point has a hand of cards"),
        ({"card": None}, "is not in the deck"),
        ({"card": ["7"]}, "is not in the deck"),
        ({"position": []}, "position = [] is no table of colors"),
        ({"position": {"red": 1, "yellow": 2}}, "position: red = 1 is no list of places"),
        ({"position": {"red": ["S"] * 4, "yellow": ["S", "S", 14, 14]}}, "yellow has two pawns on 14"),
    ],
)
def test_a_point_that_makes_no_sense(change: dict[str, Any], sentence: str) -> None:
    found, result = answers({**POINT, **change})
    assert result.exit_code == PARTIAL
    assert list(found[0]) == ["id", "error"]
    assert sentence in found[0]["error"]


def test_missing_keys_of_a_point() -> None:
    for key in ("preset", "players", "position", "card"):
        found, _ = answers({name: value for name, value in POINT.items() if name != key})
        assert key in found[0]["error"]


def test_bytes_that_are_no_text() -> None:
    for line in (b"\xff\xfe", b"[" * 100_000, b'{"id": ' + b"9" * 5000 + b"}"):
        result = cli("--points", "-", given=line)
        assert result.exit_code == PARTIAL
        assert json.loads(result.stdout)["error"].startswith("line 1: ")


def test_a_file_with_a_byte_order_mark_and_dos_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "points.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(POINT).encode() + b"\r\n")
    assert json.loads(cli("--points", file).stdout) == ANSWER


def test_an_empty_file_is_no_mistake(tmp_path: Path) -> None:
    file = tmp_path / "points.jsonl"
    file.touch()
    result = cli("--points", file)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_a_thousand_points_a_second() -> None:
    text = "\n".join(json.dumps({**POINT, "id": number, "card": ("7", "11", "12")[number % 3]}) for number in range(2000))
    cli("--points", "-", given=text)
    begun = time.process_time()
    result = cli("--points", "-", given=text)
    assert time.process_time() - begun < 2
    assert result.stdout.count("\n") == 2000


def test_a_closed_standard_input() -> None:
    script = "import sys; from simsorry.cli import main; sys.argv = ['simsorry', 'moves', '--points', '-']; main()"
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.stdin = None; {script}"], capture_output=True, text=True, check=False)
    assert done.returncode == INVALID
    assert done.stderr == "simsorry: --points -: standard input is closed\n"
