"""``simsorry moves``: one decision in words and as JSON, files of decisions, and what is said to nonsense."""

import inspect
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from simsorry import games, jit
from simsorry.cli import app, moves
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
    CliRunner().invoke(app, ["moves", "hasbro-points", "--position", POSITION, "--seat", "red", "--hand", "1"])
    CliRunner().invoke(app, ["moves", "sorreesi-four-pawns", "--position", DICED, "--seat", "red", "--dice", "1"])
    CliRunner().invoke(app, ["moves", "ice-three", "--position", PILED, "--seat", "red", "--hand", "1"])


def cli(*arguments: str | Path, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["moves", *map(str, arguments)], input=given)


def one(position: str, seat: str, card: str, *more: str) -> Result:
    return cli("hasbro", "--position", position, "--seat", seat, "--card", card, *more)


def of_hand(hand: str, *more: str, ruleset: str = "hasbro-points", position: str = POSITION) -> Result:
    return cli(ruleset, "--position", position, "--seat", "red", "--hand", hand, *more)


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
            "card": "sorry",
        }
    ]


def test_house_rules_count() -> None:
    assert "slides to 19" in one("red 20 S S S / blue S S S S", "red", "4").stdout
    assert "slides to" not in one("red 20 S S S / blue S S S S", "red", "4", "--set", "slides=off").stdout


def test_the_colors_of_the_position_play() -> None:
    document = json.loads(one("green S S S 4 / yellow S S S S / blue S S S S", "1", "1", "--json").stdout)
    assert (document["players"], document["color"]) == (["blue", "yellow", "green"], "blue")


# -- a hand ----------------------------------------------------------------------------------------


def test_a_hand_in_words() -> None:
    result = of_hand("sorry 1, 11 1")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "hasbro-points, red holds sorry 1 11 1",
        "red S S 12 H / blue S S 16 Z2",
        "",
        "1      red S 4 12 H / blue S S 16 Z2   starts a pawn on 4",
        "1      red S S 13 H / blue S S 16 Z2   moves 1 forward from 12 to 13",
        "11     red S S 23 H / blue S S 16 Z2   moves 11 forward from 12 to 23",
        "11     red S S 19 H / blue S S 12 Z2   swaps its pawn on 12 with blue's on 16, slides to 19 (not compulsory)",
        "sorry  red S 12 19 H / blue S S S Z2   moves a pawn from START to 16, slides to 19, sends back blue from 16",
        "",
        "5 distinct outcomes: one of them must be taken",
    ]


ALL_HOME_BUT_ONE = "red 59 H H H / blue S S S 18"
NOBODY_OUT = "red S H H H / blue S S S S"


@pytest.mark.parametrize(
    ("hand", "position", "more", "first", "last"),
    [
        ("3 8 3", NOBODY_OUT, [], "3      red S H H H / blue S S S S   throws in a 3", "one of these 2 cards must be thrown in"),
        ("3", NOBODY_OUT, [], "3      red S H H H / blue S S S S   throws in a 3", "nothing can be played: the card must be thrown in"),
        (
            "3 8",
            NOBODY_OUT,
            ["--set", "dead_hand=random"],
            "random red S H H H / blue S S S S   throws in a card at random",
            "the card must be thrown in",
        ),
        ("3 8", NOBODY_OUT, ["--followup"], "nothing can be played: the turn ends", "nothing can be played: the turn ends"),
        ("", NOBODY_OUT, [], "nothing can be played: the turn ends", "nothing can be played: the turn ends"),
        (
            "11 12",
            ALL_HOME_BUT_ONE,
            [],
            "11     red 18 H H H / blue S S S 59   swaps its pawn on 59 with blue's on 18",
            "3 distinct outcomes, 2 of them to throw a card in: nothing is compulsory",
        ),
        (
            "11 12",
            ALL_HOME_BUT_ONE,
            ["--followup"],
            "11     red 18 H H H / blue S S S 59   swaps its pawn on 59 with blue's on 18",
            "2 distinct outcomes, passing among them: nothing is compulsory",
        ),
        (
            "2 3",
            NOBODY_OUT,
            ["--set", "two_playable_idle=true", "--set", "start_cards=1"],
            "2      red S H H H / blue S S S S   lays the 2 down without a move",
            "3 distinct outcomes, 2 of them to throw a card in: nothing is compulsory",
        ),
    ],
)
def test_hands_in_which_nothing_must_be_played(hand: str, position: str, more: list[str], first: str, last: str) -> None:
    result = of_hand(hand, *more, position=position)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[3] == first
    assert lines[-1].endswith(last)


def test_a_pass_is_played_with_no_card() -> None:
    lines = of_hand("11 12", "--followup", position=ALL_HOME_BUT_ONE).stdout.splitlines()
    assert lines[4] == "-      red 59 H H H / blue S S S 18   passes"


def test_when_a_hand_is_played_from() -> None:
    assert of_hand("7 8", "--followup").stdout.startswith("hasbro-points, red has played a 2 and holds 7 8\n")
    assert of_hand("7 8", "--first-turn").stdout.startswith("hasbro-points, red holds 7 8 in the first turn\n")
    assert of_hand("").stdout.startswith("hasbro-points, red holds no cards\n")
    drawn = of_hand("7 8", "--followup", "--drawn", "8", "--set", "two_in_hand=play_drawn").stdout
    assert "red has played a 2 and holds 7 8; the 8, drawn in place of the 2, must follow\n" in drawn
    assert "\n7 " not in drawn


def test_a_hand_as_json() -> None:
    document = json.loads(of_hand("8 2", "--followup", "--json").stdout)
    assert (document["hand"], document["followup"], document["drawn"], document["first_turn"]) == (["8", "2"], True, None, False)
    assert "card" not in document
    assert [(outcome["card"], outcome["kind"]) for outcome in document["outcomes"]] == [("2", "play"), ("2", "play"), ("8", "play")]


TEAMS = "red 12 H H H / blue S S S S / yellow S 20 H H / green S S S S"


def test_the_pawns_of_the_partner_are_named() -> None:
    result = cli("hasbro-teams", "--position", TEAMS, "--seat", "red", "--card", "1")
    assert result.stdout.splitlines()[3:] == [
        "red 13 H H H / blue S S S S / yellow S 20 H H / green S S S S    moves 1 forward from 12 to 13",
        "red 12 H H H / blue S S S S / yellow 20 34 H H / green S S S S   starts a yellow pawn on 34",
        "red 12 H H H / blue S S S S / yellow S 21 H H / green S S S S    moves yellow 1 forward from 20 to 21",
        "",
        "3 distinct outcomes: one of them must be taken",
    ]
    both = of_hand("1 sorry", ruleset="hasbro-teams-points", position=TEAMS).stdout
    assert "1      red 12 H H H / blue S S S S / yellow 20 34 H H / green S S S S   starts a yellow pawn on 34\n" in both
    took = "red S H H H / blue S S S S / yellow 12 20 H H / green S S S S    moves a yellow pawn from START to 12, sends back red from 12"
    assert f"sorry  {took}\n" in both


# -- dice ------------------------------------------------------------------------------------------

DICED = "red B 12 62 H / yellow B 24 31 H"


def of_dice(*more: str, ruleset: str = "sorreesi-four-pawns", position: str = DICED) -> Result:
    return cli(ruleset, "--position", position, "--seat", "red", *more)


def test_dice_card_and_bonus_in_words() -> None:
    result = of_dice("--dice", "5,2", "--bonus", "20", "--set", "combine_mode=sequential", position="red B 12 P7 H / yellow B 17 31 H")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "sorreesi-four-pawns+combine_mode=sequential, red has dice 2 and 5 and a bonus move of 20",
        "red B 12 P7 H / yellow B 17 31 H",
        "",
        "2          red B 14 P7 H / yellow B 17 31 H   moves 2 forward from 12 to 14",
        "5          red B 17 P7 H / yellow B 17 31 H   moves 5 forward from 12 to 17, has to fight yellow",
        "5          red 0 12 P7 H / yellow B 17 31 H   brings a pawn out to 0",
        "bonus 20   red B 32 P7 H / yellow B 17 31 H   moves 20 forward from 12 to 32",
        "",
        "4 distinct outcomes: no stopping before a die is used",
    ]


def test_what_must_be_done_with_dice() -> None:
    assert of_dice("--dice", "2").stdout.endswith("\n3 distinct outcomes, stopping among them: nothing is compulsory\n")
    assert of_dice("--dice", "2", "--card", "3").stdout.endswith(": no stopping before the card is used\n")
    assert of_dice("--dice", "2,3", "--card", "3").stdout.endswith(": no stopping before the card and a die are used\n")
    forced = of_dice("--bonus", "20,10", "--set", "bonus_forced=true").stdout
    assert forced.endswith(": no stopping before a bonus move is used\n")
    assert of_dice("--card", "1", position="red B H H H / yellow B B B B").stdout.endswith("\n1 outcome: it must be taken\n")
    assert of_dice("--dice", "6,1", position="red B H H H / yellow B B B B").stdout.endswith("\n\nnothing is possible\n")


def test_what_there_is_to_spend_in_words() -> None:
    def head(*more: str) -> str:
        return of_dice(*more).stdout.splitlines()[0].removeprefix("sorreesi-four-pawns, red has ")

    assert head("--dice", "5") == "a die 5"
    assert head("--dice", "5 5", "--card", "Sorry!") == "dice 5 and 5 and a Sorry! card"
    assert head("--bonus", "20", "--bonus", "10, 20") == "a bonus move of 10 and 2 of 20"
    assert head("--card", "11", "--bonus", "10", "--roll", "1") == "card 11 and a bonus move of 10"


def test_dice_as_json() -> None:
    document = json.loads(of_dice("--dice", "2,5", "--card", "sorry", "--bonus", "10", "--json").stdout)
    assert document["position"] == DICED
    asked = {key: document[key] for key in ("color", "dice", "card", "bonus", "roll", "compulsory", "may_stop")}
    assert asked == {
        "color": "red", "dice": [2, 5], "card": "sorry", "bonus": [10], "roll": 1, "compulsory": True, "may_stop": False,
    }  # fmt: skip
    (sorry,) = (outcome for outcome in document["outcomes"] if outcome["use"] == ["card sorry"])
    assert sorry == {
        "use": ["card sorry"],
        "position": "red 12 31 62 H / yellow B B 24 H",
        "fights": [],
        "left": {"dice": [2, 5], "card": None, "draw": False, "bonus": [10, 20]},
        "did": "moves a pawn from the base to 31, sends back yellow; earns a bonus move of 20",
        "kind": "play",
        "compulsory": True,
        "over": False,
    }


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        ([], "missing: --dice, --card or --bonus; or give a file of decision points with --points", USAGE),
        (["--hand", "7 8"], "--hand does not go with sorreesi-four-pawns, whose decisions take --dice, --card, --bonus and --roll", USAGE),
        (["--dice", "5,2", "--followup"], "--followup does not go with sorreesi-four-pawns", USAGE),
        (["--card", "7", "--first-turn"], "--first-turn does not go with sorreesi-four-pawns", USAGE),
        (["--dice", "5,x"], '--dice "x" is not a whole number, such as 5,2', USAGE),
        (["--dice", "-1"], '--dice "-1" is not a whole number', USAGE),
        (["--bonus", "20+10"], '--bonus "20+10" is not a whole number, such as 20 or 20,10', USAGE),
        (["--dice", ""], "there is nothing to spend: give --dice, --card or --bonus", USAGE),
        (["--bonus", " , "], "there is nothing to spend", USAGE),
        (["--dice", "5," * 5000], "dice: 5000 are too many", INVALID),
        (["--bonus", "9" * 5000], "is not a whole number", USAGE),
        (["--dice", "5", "--roll", "1 2"], '--roll "1 2" is not one number', USAGE),
        (["--dice", "5", "--roll", ""], '--roll "" is not one number', USAGE),
        (["--dice", "5", "--roll", "4"], "roll = 4: a turn has no more than 3 rolls", INVALID),
        (["--dice", "7"], "dice: 7 is not on a die; its numbers are 1 to 6", INVALID),
        (["--dice", "1,2,3"], "dice: 3 are too many; two are rolled", INVALID),
        (["--card", "6"], 'card "6" is not in the deck', INVALID),
        (["--bonus", "30"], "bonus: there is no bonus move of 30; those of these rules are of 10 or 20 squares", INVALID),
        (["--card", "7", "--roll", "2"], "card 7: in these rules only the first roll of a turn has a card", INVALID),
        (["--dice", "5", "--set", "pawns=3"], "position: red has 4 pawns, but in this ruleset each color has 3", INVALID),
    ],
)
def test_dice_that_can_not_be(arguments: list[str], sentence: str, code: int) -> None:
    result = of_dice(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr
    assert re.fullmatch(r"simsorry: [^\n]+\n", result.stderr)


@pytest.mark.parametrize("option", ["--dice", "--bonus", "--roll"])
def test_nobody_rolls_dice_in_the_classic_game(option: str) -> None:
    result = one(POSITION, "red", "7", option, "1")
    assert (result.exit_code, result.stdout) == (USAGE, "")
    told = "does not go with hasbro, whose decisions take --card, --hand, --followup, --drawn and --first-turn"
    assert result.stderr == f"simsorry: {option} {told}\n"


# -- pawns of three sizes ----------------------------------------------------------------------------

PILED = "red S:m Z2:l / yellow S:s S:l | 20: rs ym"


def of_piles(hand: str, *more: str, ruleset: str = "ice-three", position: str = PILED, seat: str = "yellow") -> Result:
    return cli(ruleset, "--position", position, "--seat", seat, "--hand", hand, *more)


def test_piles_in_words() -> None:
    result = of_piles("sorry, 5 11 7", position="yellow S:l S:s / red Z2:l S:m | 20 :RS ym")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "ice-three, yellow holds sorry 5 11 7",
        "red S:m Z2:l / yellow S:s S:l | 20: rs ym",
        "",
        "5      20: rs | 25: ym   moves a medium pawn 5 forward from 20 to 25; frees red's small pawn on 20",
        "7      20: rs | 27: ym   moves a medium pawn 7 forward from 20 to 27; frees red's small pawn on 20",
        "11     20: rs | 31: ym   moves a medium pawn 11 forward from 20 to 31; frees red's small pawn on 20",
        "11     20: ym rs         switches its medium pawn (top) with red's small pawn (lowest) on 20; frees red's small pawn on 20",
        "",
        "4 distinct outcomes: one of them must be taken",
    ]


def test_piles_that_nobody_must_move() -> None:
    lines = of_piles("11 12", seat="red", position="red S:m Z5:l / yellow S:s S:l | 20: rs ym").stdout.splitlines()
    assert lines[3:6] == [
        "11     20: ym rs   switches its small pawn (lowest) with yellow's medium pawn (top) on 20; frees an own small pawn on 20",
        "11                 throws in an 11",
        "12                 throws in a 12",
    ]
    assert lines[-1] == "3 distinct outcomes, 2 of them to throw a card in: nothing is compulsory"
    assert of_piles("11", "--followup", seat="1").stdout.splitlines()[4] == "-                  passes"
    assert of_piles("12", "--followup", seat="1").stdout.endswith("\n\nnothing can be played: the turn ends\n")
    drawn = cli("ice-three+hand_size=0", "--position", PILED, "--seat", "red", "--card", "12").stdout
    assert drawn.startswith("ice-three+hand_size=0, red has drawn 12\n")
    assert drawn.endswith("\n\nnothing is possible: the card is forfeited\n")


def test_piles_as_json() -> None:
    document = json.loads(of_piles("5 1", "--first-turn", "--json").stdout)
    assert (document["position"], document["players"], document["color"]) == (PILED, ["red", "yellow"], "yellow")
    assert (document["hand"], document["first_turn"], document["compulsory"], document["may_pass"]) == (["5", "1"], True, True, False)
    assert document["outcomes"][0] == {
        "card": "1",
        "position": "red S:m Z2:l / yellow S:l | 20: rs ym | 34: ys",
        "changes": {"yellow": ["S:l"], "34": ["ys"]},
        "did": "starts a small pawn on 34",
        "kind": "play",
        "compulsory": True,
    }


@pytest.mark.parametrize(
    ("hand", "more", "position", "sentence", "code"),
    [
        ("7 6", [], PILED, 'card "6" is not in the deck', INVALID),
        (
            "7 8",
            ["--dice", "5"],
            PILED,
            "--dice does not go with ice-three, whose decisions take --card, --hand, --followup, --drawn",
            USAGE,
        ),
        ("7", ["--card", "7"], PILED, "--card and --hand exclude each other", USAGE),
        ("7", ["--drawn", "7"], PILED, "--drawn goes with --followup only", USAGE),
        ("7", [], "red S:m Z2:l / yellow S:s S:l", "position: red has 0 small pawns, but in this ruleset each color has 1", INVALID),
        ("7", [], f"{PILED} | 60: ys", '"60" is neither a color nor the place of a pile', INVALID),
        ("7", [], "red S S S S / yellow S S S S", 'position: red has "S" in its group, but there can be S:s', INVALID),
        ("7", ["--set", "hand_size=0"], PILED, "hand: these rules draw a card and play it (hand_size = 0)", INVALID),
    ],
)
def test_piles_that_can_not_be(hand: str, more: list[str], position: str, sentence: str, code: int) -> None:
    result = of_piles(hand, *more, position=position)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr
    assert re.fullmatch(r"simsorry: [^\n]+\n", result.stderr)


def test_every_game_says_what_its_decisions_take() -> None:
    parameters = inspect.signature(moves.moves).parameters
    for game in games.GAMES:
        asking = moves.part_of(game, "asking")
        assert set(asking.OPTIONS) <= set(parameters)
        assert asking.missing({})
        assert asking.missing({"card": "7"}) == ""


# -- nonsense ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        ([], "missing: RULESET, --position, --seat, --card", USAGE),
        (["hasbro"], "missing: --position, --seat, --card", USAGE),
        (["hasbro", "--position", POSITION, "--seat", "red"], "missing: --card or --hand", USAGE),
        (["hasbro-points", "--position", POSITION, "--seat", "red"], "missing: --card or --hand", USAGE),
        (["hasbro", "--points", "x"], "--points takes everything from the file", USAGE),
        (["--points", "x", "--json"], "--points takes everything from the file", USAGE),
        (["--points", "x", "--hand", "7"], "--points takes everything from the file", USAGE),
        (["--points", "x", "--first-turn"], "--points takes everything from the file", USAGE),
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


@pytest.mark.parametrize(
    ("ruleset", "arguments", "sentence", "code"),
    [
        ("hasbro", ["--hand", "7 8"], "hand: these rules draw a card and play it (hand_size = 0), nobody holds a hand", INVALID),
        ("hasbro-points", ["--card", "7"], '--card 7: in these rules a card is chosen from a hand; give the hand: --hand "7 ..."', INVALID),
        ("hasbro-points", ["--hand", "1 2 3 4 5 7"], "hand: 6 cards are more than hand_size = 5", INVALID),
        ("hasbro-points", ["--hand", "7 6"], 'card "6" is not in the deck', INVALID),
        ("hasbro-points", ["--hand", "7 sory"], 'card "sory" is not in the deck; did you mean sorry?', INVALID),
        ("hasbro-points", ["--hand", "8 8 8 8 8"], "hand: 5 times 8, but the deck holds 4", INVALID),
        ("hasbro-points", ["--hand", "8", "--card", "8"], "--card and --hand exclude each other", USAGE),
        ("hasbro", ["--card", "8", "--followup"], "--followup goes with --hand only", USAGE),
        ("hasbro", ["--card", "8", "--drawn", "8"], "--drawn goes with --hand only", USAGE),
        ("hasbro", ["--card", "8", "--first-turn"], "--first-turn goes with --hand only", USAGE),
        ("hasbro-points", ["--hand", "8", "--drawn", "8"], "--drawn goes with --followup only", USAGE),
        (
            "hasbro-points",
            ["--hand", "8", "--followup", "--drawn", "8"],
            'no drawn card must follow a 2 (two_in_hand = "play_another")',
            INVALID,
        ),
        (
            "hasbro-points+two_in_hand=play_drawn",
            ["--hand", "8", "--followup"],
            "drawn: the card drawn in place of the 2 is missing",
            INVALID,
        ),
        (
            "hasbro-points+two_in_hand=play_drawn",
            ["--hand", "8", "--followup", "--drawn", "7"],
            "drawn = 7: it is not in the hand",
            INVALID,
        ),
        ("hasbro-points+two_in_hand=none", ["--hand", "8", "--followup"], "followup: in these rules no card follows a 2", INVALID),
        (
            "hasbro-teams",
            ["--card", "8"],
            "players = 2 is not possible: these rules have two teams (team_pairs), and so four players",
            INVALID,
        ),
    ],
)
def test_cards_that_do_not_fit_the_rules(ruleset: str, arguments: list[str], sentence: str, code: int) -> None:
    result = cli(ruleset, "--position", POSITION, "--seat", "red", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr
    assert re.fullmatch(r"simsorry: [^\n]+\n", result.stderr)


def test_who_waits_for_the_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "is_cold", lambda function: function == "outcomes_of")
    result = one(POSITION, "red", "1")
    assert (result.exit_code, result.stderr) == (0, "compiling (first run only) …\n")
    assert "compiling" not in result.stdout


def test_what_is_compiled_for_hands_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "is_cold", lambda function: function == "outcomes_of_hand")
    assert of_hand("7").stderr == "compiling (first run only) …\n"
    hand = {**POINT, "preset": "hasbro-points", "hand": ["7"], "position": {"red": ["S"] * 4, "yellow": ["S"] * 4}}
    found, result = answers(POINT, hand, hand)
    assert result.stderr == "compiling (first run only) …\n"
    assert found[1] == {"id": "a", "outcomes": [["7", "red S S S S / yellow S S S S", "throw"]]}


def test_what_is_compiled_for_dice_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "is_cold", lambda function: function == "uses_of")
    assert of_dice("--dice", "5").stderr == "compiling (first run only) …\n"
    assert of_dice("--dice", "7").stderr.startswith("simsorry: dice: 7 ")
    _, result = answers(DICE_POINT, POINT, DICE_POINT)
    assert result.stderr == "compiling (first run only) …\n"


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
        ({"hand": ["1", "2"]}, "hand: these rules draw a card and play it (hand_size = 0)"),
        ({"preset": "hasbro-points"}, "card: in these rules a card is chosen from a hand (hand_size = 5)"),
        ({"preset": "hasbro-points", "hand": "7 8"}, 'hand = "7 8" is no list of cards'),
        ({"preset": "hasbro-points", "hand": ["7", "6"]}, 'card "6" is not in the deck'),
        ({"preset": "hasbro-points", "hand": ["7"], "followup": 1}, "followup = 1 is neither true nor false"),
        ({"preset": "hasbro-points", "hand": ["7"], "drawn": "7"}, "drawn = 7: in these rules no drawn card must follow a 2"),
        ({"preset": "hasbro-teams"}, "players = 2 is not possible: these rules have two teams"),
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


DICE_POINT: dict[str, Any] = {
    "id": "d",
    "ruleset": "sorreesi",
    "options": {"pawns": "2"},
    "players": 2,
    "teams": False,
    "seat": 1,
    "pos": "red B H / yellow 20 B",
    "dice": [3],
    "card": None,
    "bonus": [],
}
DICE_ANSWER = [
    {
        "use": ["die 3"],
        "pos": "red B H / yellow B 23",
        "fights": [],
        "left": {"dice": [], "card": None, "draw": False, "bonus": []},
    },
    {"use": ["stop"], "pos": "red B H / yellow B 20", "fights": [], "left": None},
]


def test_points_of_several_games_in_one_file() -> None:
    found, result = answers(DICE_POINT, POINT, {**DICE_POINT, "players": ["red", "yellow"], "color": "yellow"})
    assert result.exit_code == 0
    assert found == [{"id": "d", "outcomes": DICE_ANSWER}, ANSWER, {"id": "d", "outcomes": DICE_ANSWER}]


ICE_POINT: dict[str, Any] = {
    "id": "i",
    "options": {"pieces": "1,1,1"},
    "players": ["red", "yellow"],
    "seat": 1,
    "to_move": "yellow",
    "follow_up": False,
    "first_turn": False,
    "hand": ["5", "12"],
    "position": "red S:m Z2:l / yellow S:s H:l | 20: rs ym",
}
ICE_ANSWER = [["5", "play", {"20": ["rs"], "25": ["ym"]}]]


def test_points_that_name_no_ruleset_are_known_by_how_they_are_written() -> None:
    found, result = answers(ICE_POINT, DICE_POINT, ICE_POINT | {"id": "j", "preset": "ice-three"}, ICE_POINT | {"options": {}})
    assert result.exit_code == PARTIAL
    assert found[0]["outcomes"][:1] == ICE_ANSWER
    assert [answer["id"] for answer in found] == ["i", "d", "j", "i"]
    assert found[2]["outcomes"] == found[0]["outcomes"]
    assert found[3] == {"id": "i", "error": "position: red has 1 small pawn, but in this ruleset each color has 5"}
    assert answers({key: value for key, value in ICE_POINT.items() if key != "to_move"})[0][0]["error"] == "the point names no preset"


def test_options_of_a_point_as_texts() -> None:
    texts = {"pieces": "1,1,1", "two_playable_idle": "true", "turn_cap": "2000", "hand_size": "2"}
    found, _ = answers(ICE_POINT | {"options": texts, "hand": ["2", "12"], "position": "red S:s S:m S:l / yellow S:s H:m S:l"})
    assert found[0]["outcomes"] == [["2", "play", {}], ["2", "discard", {}], ["12", "discard", {}]]


def test_teams_of_a_point() -> None:
    position = "red B H / blue B B / yellow 20 B / green B B"
    point = {**DICE_POINT, "players": 4, "teams": True, "pos": position, "seat": 2, "dice": [], "card": "sorry"}
    found, _ = answers(point, {**point, "teams": False}, {**point, "options": {"pawns": 2, "team_pairs": []}})
    assert [answer["outcomes"] for answer in found] == [[], [], []]
    swap = {**point, "card": "11", "pos": position.replace("red B", "red 30")}
    found, _ = answers(swap, {**swap, "teams": False})
    assert [len(answer["outcomes"]) for answer in found] == [1, 2]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"ruleset": 7}, "ruleset = 7 is not the name of a ruleset"),
        ({"teams": "yes"}, 'teams = "yes" is neither true nor false'),
        ({"players": 5}, "players = 5 is not possible: the game is for 2, 3 or 4"),
        ({"players": True}, "players is not a list of colors in seat order, nor their number"),
        ({"teams": True}, "players = 2 is not possible: these rules have two teams"),
        ({"dice": [9]}, "dice: 9 is not on a die"),
        ({"dice": {"a": 1}}, "dice = a table is no list of numbers"),
        ({"bonus": None}, "bonus = None is no list of numbers"),
        ({"roll": None}, "roll = None"),
        ({"bonus_open": False}, "bonus_open = false: in these rules bonus moves are made at any time"),
        ({"pos": "red B H"}, "position: yellow has no group"),
        ({"pos": 7}, "position = 7 is no table of colors"),
        ({"pos": "red H H / yellow B B"}, "position: red has all pawns HOME already"),
        ({"seat": 2}, "seat = 2 is none of the seats 0 to 1"),
    ],
)
def test_a_point_with_dice_that_makes_no_sense(change: dict[str, Any], sentence: str) -> None:
    found, result = answers({**DICE_POINT, **change})
    assert result.exit_code == PARTIAL
    assert list(found[0]) == ["id", "error"]
    assert sentence in found[0]["error"]


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
