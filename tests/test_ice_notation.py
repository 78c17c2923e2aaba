"""Positions of Ice Soo Sorry! as they are written: read, written, and refused."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from ice_positions import random_position
from ice_tools import random_rules
from referee import ice as referee

from simsorry.errors import SimsorryError
from simsorry.games.ice import notation, placement, state
from simsorry.games.ice import tables as t
from simsorry.games.ice.rules import Rules
from simsorry.games.options import COLORS

FOLDER = Path(__file__).parents[2] / "shared" / "cases"
TWO = ("red", "blue")
RULES = Rules(pieces=(2, 1, 1))
TOP = Rules(pieces=(2, 1, 1), ice_contact_piece="top")


def written(text: str, rules: Rules = RULES, players: tuple[str, ...] = TWO) -> str:
    """A line read and written again."""
    return notation.to_text(notation.to_placement(notation.parse(text), rules, players), players)


def test_a_line_and_its_json_are_the_same_position() -> None:
    text = "red S:s Z2:m H:l / blue S:s S:s | 12: rs bm bl"
    places = {"12": ["rs", "bm", "bl"], "blue": ["S:s", "S:s"], "red": ["H:l", "S:s"], "red Z2": ["rm"]}
    assert written(text) == text
    found = notation.to_placement(places, RULES, TWO)
    assert notation.to_text(found, TWO) == text
    assert notation.to_position(found, TWO) == {"red": ["S:s", "H:l"], "blue": ["S:s", "S:s"], "12": ["rs", "bm", "bl"], "red Z2": ["rm"]}


def test_a_line_may_be_written_carelessly() -> None:
    assert written("RED h:L z2:M s:S/blue S:S  S:s |12:RS bM  bl") == "red S:s Z2:m H:l / blue S:s S:s | 12: rs bm bl"


def test_order_and_single_pawns_mean_nothing() -> None:
    text = "red S:s / blue S:s S:s | 5: bm | 20: rm bl | red Z2: rl rs"
    assert written("blue S:s S:s / red S:s | red z2: rl RS | 20: rm bl | 5: bm") == text
    assert written("red S:s S:s / blue S:s S:s | red Z1: rm | 5: bm bl | Red  Z3 : rl") == "red S:s S:s Z1:m Z3:l / blue S:s S:s | 5: bm bl"
    assert written("red S:s S:s H:m H:l / blue S:s S:s H:m H:l | 5: | red Z1:") == "red S:s S:s H:m H:l / blue S:s S:s H:m H:l"
    assert written("red / blue | 3: rs rs rm rl bs bs bm bl") == "red / blue | 3: rs rs rm rl bs bs bm bl"


def test_flags_are_read_and_written_where_they_are_made() -> None:
    text = "red / blue S:s S:s | 5: rs rm= bm> | 9: rl rs bl="
    assert written(text, TOP) == text
    found = notation.to_placement(notation.parse(text), TOP, TWO)
    assert [pawn >> 4 for pawn in found.piles[5]] == [0, 1, 1]
    assert [placement.covers(upper, lower) for lower, upper in zip(found.piles[5], found.piles[5][1:], strict=False)] == [False, True]


def test_every_place_has_one_name() -> None:
    names = [notation.place_name(place) for place in range(t.PLACES)]
    assert names[:60] == [str(square) for square in range(60)]
    assert names[60:] == [f"{color} Z{step}" for color in COLORS for step in range(1, 6)]


@pytest.mark.parametrize("file", sorted(FOLDER.glob("ice-*.jsonl")), ids=lambda file: file.stem)
def test_the_shared_positions_survive_being_read_and_written(file: Path) -> None:
    for line in file.read_text(encoding="utf-8").splitlines():
        point = json.loads(line)
        options = {name: point["options"][name] for name in ("pieces", "ice_contact_piece") if name in point["options"]}
        rules, players = Rules(**options), point["players"]
        found = notation.to_placement(notation.parse(point["position"]), rules, players)
        assert notation.to_text(found, players) == point["position"]
        assert notation.to_position(found, players) == point["json"]
        assert found == notation.to_placement(point["json"], rules, players)
        for _, _, changes in point["outcomes"]:
            after = notation.to_placement(point["json"] | changes, rules, players)
            assert notation.changes(found, after) == changes


def test_random_positions_survive_everything() -> None:
    luck, record = random.Random("ice notation"), state.new_scratch()[0]
    for _ in range(100):
        chosen = luck.sample(COLORS, luck.randint(2, 4))
        rules, players = random_rules(luck), tuple(color for color in COLORS if color in chosen)
        position = random_position(luck, rules, players)
        found = notation.to_placement(position, rules, players)
        text = notation.to_text(found, players)
        assert text == referee.write_position(position) == written(text, rules, players)
        placement.write(record, found)
        assert placement.read(record) == found
        numbered = found.copy()
        numbered.give_numbers()
        assert notation.to_text(numbered, players) == text
        placement.write(record, numbered)
        assert placement.read(record) == found


def test_changes_in_words() -> None:
    before = notation.to_placement(notation.parse("red S:s Z5:l / blue S:s S:s | 5: rs rm | 9: bm bl"), RULES, TWO)
    after = notation.to_placement(notation.parse("red S:s H:l / blue S:s S:s | 5: rs | 9: bm bl rm"), RULES, TWO)
    changed = notation.changes(before, after)
    assert changed == {"red": ["S:s", "H:l"], "5": ["rs"], "9": ["bm", "bl", "rm"], "red Z5": []}
    assert notation.changes_text(changed) == "5: rs | 9: bm bl rm | red Z5: -"
    assert notation.changes(before, before) == {}


GROUP = "red S:s S:s S:m S:l"
OTHER = "blue S:s S:s S:m S:l"
NO_BLUE_SMALL = "blue S:s S:m S:l"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", 'position: "" is not a color; a group is a color and its pawns, such as red S:s S:m H:l'),
        (f"{GROUP} / purple S:s", 'position: "purple" is not a color'),
        (f"gren S:s / {GROUP}", 'position: "gren" is not a color; did you mean green?'),
        (f"{GROUP} / {GROUP}", "position: red has two groups"),
        (GROUP, "position: blue has no group; the players are red, blue"),
        (f"{GROUP} / {OTHER} / green S:s", 'position: "green" does not play here; the players are red, blue'),
        (f"{GROUP} / blue S:s S:m S:l", "position: blue has 1 small pawn, but in this ruleset each color has 2"),
        (f"{GROUP} / {OTHER} | 7: bl", "position: blue has 2 large pawns, but in this ruleset each color has 1"),
        (f"{GROUP} / blue S:s S:s S:m", "position: blue has 0 large pawns, but in this ruleset each color has 1"),
        (f"{GROUP} / blue S:s S:s S:m S", 'position: blue has "S" in its group, but there can be S:s (a small pawn on START), Z3:m'),
        (f"{GROUP} / blue S:s S:s S:m S:x", 'position: blue has "S:x" in its group'),
        (f"{GROUP} / blue S:s S:s S:m 12:l", 'position: blue has "12:l" in its group'),
        (f"{GROUP} / blue S:s S:s S:m Z6:l", 'position: blue has "Z6:l" in its group'),
        (f"{GROUP} / blue Z3:s Z3:s S:m S:l", "position: blue has two pawns on Z3; a pile is written lowest pawn first, blue Z3: "),
        (f"{GROUP} / blue Z3:s S:m S:l | blue Z3: bs", "position: blue Z3 is written twice"),
        (f"{GROUP} / blue S:s S:m S:l | 7: bs | 7: bs", "position: 7 is written twice"),
        (
            f"{GROUP} / {OTHER} | 60: bs",
            'position: "60" is neither a color nor the place of a pile, a track square 0 to 59 or one of',
        ),
        (f"{GROUP} / {OTHER} | 07: bs", 'position: "07" is neither a color nor the place of a pile'),
        (f"{GROUP} / {OTHER} | Z3: bs", 'position: "z3" is neither a color nor the place of a pile'),
        (
            f"{GROUP} / {OTHER} | blue Z6: bs",
            'position: "blue z6" is neither a color nor the place of a pile, a track square 0 to 59 or one of red Z1 to green Z5; did',
        ),
        (f"{GROUP} / {OTHER} | 7 bs", 'position: "7 bs" is no pile; one is written like 12: rs bm, or red Z3: rl rs'),
        (f"{GROUP} / {OTHER} |", 'position: "" is no pile'),
        (f"{GROUP} / {NO_BLUE_SMALL} | 7: bx", 'position: "bx" on 7 is no pawn; a pawn in a pile is the initial of its color (r, b, y, g)'),
        (f"{GROUP} / {NO_BLUE_SMALL} | 7: s", 'position: "s" on 7 is no pawn'),
        (f"{GROUP} / {NO_BLUE_SMALL} | 7: gs", 'position: "gs" on 7: green does not play here; the players are red, blue'),
        (f"{GROUP} / {NO_BLUE_SMALL} | red Z2: bs", 'position: "bs" on red Z2: only the color\'s own pawns can be in a safety zone'),
        (f"{GROUP} / {OTHER} | green Z2: bs", 'position: "bs" on green Z2: only the color\'s own pawns'),
        (f"{GROUP} / {NO_BLUE_SMALL} | 7: bs=", 'position: "bs=" on 7 is the lowest of its pile'),
        ("red S:s S:s S:m / blue S:s S:s S:m | 7: rl bl=", 'position: "bl=" on 7: in these rules a pawn covers the one beneath if it is'),
    ],
)
def test_impossible_lines_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(SimsorryError, match=re.escape(sentence)) as caught:
        written(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("pile", "sentence"),
    [
        ("bl= rl", 'position: "bl=" on 7 is the lowest of its pile: it neither covers a pawn nor is stacked on one, so there is no ='),
        ("rl bl=", 'position: "bl=" on 7 is not larger than the one beneath, and so is stacked on it anyway, without ='),
        ("rl>", 'position: "rl>" on 7 is the lowest of its pile'),
    ],
)
def test_flags_that_no_rules_make(pile: str, sentence: str) -> None:
    in_play = {color: f"{color[0]}l" in pile for color in TWO}
    groups = " / ".join(f"{color} S:s S:s S:m{'' if in_play[color] else ' S:l'}" for color in TWO)
    with pytest.raises(SimsorryError, match=re.escape(sentence)):
        written(f"{groups} | 7: {pile}", TOP)
    with pytest.raises(SimsorryError, match=re.escape('"bl>" on 7 is larger than the one beneath, and so covers it anyway, without >')):
        written("red S:s S:s S:l / blue S:s S:s S:m | 7: rm bl>", TOP)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"red": "S:s"}, 'position: "red" = "S:s" is no list of pawns'),
        ({"7": "rs"}, 'position: "7" = "rs" is no list of pawns'),
        ({"7": None}, 'position: "7" = None is no list of pawns'),
        ({"red": [1]}, "position: red has 1 in its group"),
        ({"red": [None, True]}, "position: red has None in its group"),
        ({"7": [1]}, "position: 1 on 7 is no pawn"),
        ({"7": [[]]}, "position: [] on 7 is no pawn"),
        ({None: []}, "position: None is neither a color nor the place of a pile"),
        ({True: []}, "position: true is neither a color nor the place of a pile"),
        ({"7" * 1000: []}, "is neither a color nor the place of a pile"),
        ({"Red": []}, "red Z1 to green Z5; did you mean red?"),
        ({"²": []}, 'position: "²" is neither a color nor the place of a pile'),
        ({"red Z²": []}, "is neither a color nor the place of a pile"),
        ({"red": ["S:s"] * 100_000}, "position: red has 100000 small pawns"),
        ({"7": ["rs"] * 100_000}, "position: red has 100002 small pawns"),
    ],
)
def test_json_that_makes_no_sense(change: dict[Any, Any], sentence: str) -> None:
    position: dict[Any, Any] = notation.parse(f"{GROUP} / {OTHER}")
    with pytest.raises(SimsorryError, match=re.escape(sentence)) as caught:
        notation.to_placement(position | change, RULES, TWO)
    assert len(str(caught.value)) < 400


def test_numbers_may_name_places() -> None:
    position: dict[Any, Any] = notation.parse("red S:s S:m S:l / blue S:s S:s S:m S:l")
    assert notation.to_text(notation.to_placement(position | {7: ["rs"]}, RULES, TWO), TWO).endswith(" | 7: rs")


def test_pawns_on_start_and_home_may_be_counted() -> None:
    short = "red S:2s1m H:2m1l / yellow S:3sml"
    rules = Rules(pieces=(2, 3, 1), seat_colors=("red", "yellow"))
    with pytest.raises(SimsorryError, match="yellow has 3 small pawns"):
        notation.to_placement(notation.parse(short), rules, ("red", "yellow"))
    placement = notation.to_placement(notation.parse(short.replace("3sml", "2s3ml")), rules, ("red", "yellow"))
    assert notation.to_text(placement, ("red", "yellow")) == "red S:s S:s S:m H:m H:m H:l / yellow S:s S:s S:m S:m S:m S:l"
    with pytest.raises(SimsorryError, match="in its group"):
        notation.to_placement(notation.parse("red Z2:2s / yellow"), rules, ("red", "yellow"))
