"""Positions as they are written: read, written, and refused."""

import json
import random
import re
from typing import Any

import numpy as np
import pytest
from referee import classic as referee

from simsorry.errors import SimsorryError
from simsorry.games import track
from simsorry.games.classic import notation
from simsorry.games.classic.rules import Rules
from simsorry.games.options import COLORS

TWO = ("red", "blue")
RULES = Rules()


def test_a_line_and_its_json_are_the_same_position() -> None:
    text = "red S S 12 H / blue S 47 Z2 Z5"
    places = json.loads('{"red": ["S", "S", 12, "H"], "blue": ["Z2", "S", 47, "Z5"]}')
    words = notation.to_words(notation.parse(text), RULES, TWO)
    assert notation.to_position(words.tolist(), TWO) == {"red": ["S", "S", 12, "H"], "blue": ["S", 47, "Z2", "Z5"]}
    assert notation.to_text(words.tolist(), TWO) == text
    assert notation.to_text(notation.to_words(places, RULES, TWO).tolist(), TWO) == text


def test_a_line_may_be_written_carelessly() -> None:
    words = notation.to_words(notation.parse("  BLUE z2 s  47 Z5 /red h S 12 S "), RULES, TWO)
    assert notation.to_text(words.tolist(), TWO) == "red S S 12 H / blue S 47 Z2 Z5"


@pytest.mark.parametrize("color", COLORS)
def test_every_place_has_one_name(color: str) -> None:
    number = COLORS.index(color)
    names = [notation.place_name(place, number) for place in range(track.START + 1)]
    assert sorted(map(str, names)) == sorted(map(str, [*range(60), *(f"Z{step}" for step in range(1, 6)), "S", "H"]))
    assert [notation.place_number(name, color) for name in names] == list(range(track.START + 1))
    assert names[0] == referee.circle(color)
    assert names[track.ENTRY] == referee.entry(color)


def test_words_and_lanes() -> None:
    assert notation.lanes_of(notation.word_of([3, 66, 65])) == [3, 66, 65] + [track.NOWHERE] * 5
    assert notation.to_words(notation.parse("red S S S S / blue S S S S"), RULES, TWO)[2] == np.uint64(notation.word_of([]))


def test_random_positions_survive_being_written_and_read() -> None:
    luck = random.Random("notation")
    for _ in range(200):
        places = {
            color: luck.sample([*range(15 * number, 15 * number + 15), "S", "H", "Z1", "Z5"], 4) for number, color in enumerate(COLORS)
        }
        words = notation.to_words(places, RULES, COLORS).tolist()
        text = notation.to_text(words, COLORS)
        assert text == referee.write_position({color: [referee.read_place(place) for place in each] for color, each in places.items()})
        assert notation.to_text(notation.to_words(notation.parse(text), RULES, COLORS).tolist(), COLORS) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", 'position: "" is not a color; a group is a color and its pawns, such as red S S 12 H'),
        ("purple S S S S", 'position: "purple" is not a color'),
        ("gren S S S S / red S S S S", 'position: "gren" is not a color; did you mean green?'),
        ("red S S S S / red S S S S", "position: red has two groups"),
        ("red S S S S / blue S S S", "position: blue has 3 pawns, but in this ruleset each color has 4"),
        ("red S S S S / green S S S S", 'position: "green" does not play here; the players are red, blue'),
        ("red S S S S", "position: blue has no group; the players are red, blue"),
        ("red S S S 60 / blue S S S S", 'position: red has a pawn on "60"; a place is S, H, Z1 to Z5, or a track square 0 to 59'),
        ("red S S S -1 / blue S S S S", 'position: red has a pawn on "-1"'),
        ("red S S S Z6 / blue S S S S", 'position: red has a pawn on "Z6"'),
        ("red S S S Z0 / blue S S S S", 'position: red has a pawn on "Z0"'),
        ("red S S S ² / blue S S S S", 'position: red has a pawn on "²"'),
        ("red 9 9 S S / blue S S S S", "position: red has two pawns on 9, which this ruleset never allows"),
        ("red Z1 Z1 S S / blue S S S S", "position: red has two pawns on Z1, which this ruleset never allows"),
        ("red 9 S S S / blue S S S 9", "position: red and blue both stand on 9, which can't be"),
    ],
)
def test_impossible_lines_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(SimsorryError, match=re.escape(sentence)) as caught:
        notation.to_words(notation.parse(text), RULES, TWO)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("place", [True, 12.0, None, 60, -1, [], {}, 10**400, "12 ", "Z" * 1000])
def test_places_of_other_kinds_are_refused(place: Any) -> None:
    if place == "12 ":
        assert notation.place_number(place, "red") == 8
        return
    with pytest.raises(SimsorryError, match="position: red has a pawn on") as caught:
        notation.to_words({"red": ["S", "S", "S", place], "blue": ["S"] * 4}, RULES, TWO)
    assert len(str(caught.value)) < 200


def test_pawns_may_share_a_square_where_the_rules_let_them() -> None:
    share = Rules(own_collision="share")
    words = notation.to_words(notation.parse("red 9 9 Z1 Z1 / blue S S S S"), share, TWO)
    assert notation.to_text(words.tolist(), TWO) == "red 9 9 Z1 Z1 / blue S S S S"
    with pytest.raises(SimsorryError, match="both stand on 9"):
        notation.to_words(notation.parse("red 9 9 S S / blue 9 S S S"), share, TWO)


COEXIST = Rules(team_pairs=(("red", "yellow"), ("blue", "green")), team_collision="coexist")


def test_partners_may_share_a_square_where_the_rules_let_them() -> None:
    text = "red S S 9 12 / blue S S S S / yellow 9 12 40 H / green S S S S"
    words = notation.to_words(notation.parse(text), COEXIST, COLORS)
    assert notation.to_text(words.tolist(), COLORS) == text
    for collision in ("bump_occupant", "bump_mover", "illegal"):
        with pytest.raises(SimsorryError, match="red and yellow both stand on 9, which can't be"):
            notation.to_words(notation.parse(text), COEXIST.model_copy(update={"team_collision": collision}), COLORS)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("red 9 S S S / blue 9 S S S / yellow S S S S / green S S S S", "red and blue both stand on 9"),
        ("red 9 S S S / blue S S S S / yellow 9 S S S / green 9 S S S", "red and green both stand on 9"),
        ("red 9 9 S S / blue S S S S / yellow S S S S / green S S S S", "red has two pawns on 9"),
        ("red S S S S / blue S S S S / yellow 9 9 S S / green S S S S", "yellow has two pawns on 9"),
    ],
)
def test_others_may_not_share_with_partners(text: str, sentence: str) -> None:
    with pytest.raises(SimsorryError, match=sentence):
        notation.to_words(notation.parse(text), COEXIST, COLORS)


def test_partners_who_share_among_each_other_too() -> None:
    both = COEXIST.model_copy(update={"own_collision": "share"})
    text = "red S S 9 9 / blue S S S S / yellow 9 9 9 Z1 / green S S S S"
    assert notation.to_text(notation.to_words(notation.parse(text), both, COLORS).tolist(), COLORS) == text


def test_random_positions_of_partners_survive_being_written_and_read() -> None:
    luck = random.Random("partners")
    for _ in range(100):
        squares = luck.sample(range(60), 8)
        ours, theirs = squares[:4], squares[4:]
        places = {"red": ours, "yellow": luck.sample(ours, 4), "blue": theirs, "green": luck.sample(theirs, 4)}
        words = notation.to_words(places, COEXIST, COLORS).tolist()
        text = notation.to_text(words, COLORS)
        assert text == referee.write_position({color: [referee.read_place(place) for place in places[color]] for color in COLORS})
        assert notation.to_text(notation.to_words(notation.parse(text), COEXIST, COLORS).tolist(), COLORS) == text
