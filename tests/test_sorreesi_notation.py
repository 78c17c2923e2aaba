"""Positions of Sorreesi as they are written: read, written, and refused."""

import random
import re
from typing import Any

import pytest
from referee import sorreesi as referee
from sorreesi_vectors import canonical, groups_of

from simsorry.errors import SimsorryError
from simsorry.games.options import COLORS
from simsorry.games.sorreesi import notation
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.rules import Rules

TWO = ("red", "blue")
RULES = Rules(pawns=4)
TEAMS: dict[str, Any] = {"pawns": 2, "team_pairs": "opposite"}


def written(text: str, rules: Rules = RULES) -> str:
    """A line read and written again."""
    places = notation.parse(text)
    players = tuple(color for color in COLORS if color in places)
    return notation.to_text(rules, notation.to_words(places, rules, players).tolist(), players)


def test_a_line_and_its_json_are_the_same_position() -> None:
    text = "red B B 12 H / blue B 47 P2 P7"
    assert written(text) == text
    places = {"blue": ["P2", "B", 47, "P7"], "red": ["H", 12, "B", "B"]}
    words = notation.to_words(places, RULES, TWO).tolist()
    assert notation.to_text(RULES, words, TWO) == text
    assert notation.to_position(RULES, words, TWO) == {"red": ["B", "B", 12, "H"], "blue": ["B", 47, "P2", "P7"]}
    assert written("  BLUE p2 b  47 P7 /red h B 12 B ") == text


@pytest.mark.parametrize("way", ["same", "opposite"])
@pytest.mark.parametrize("length", [7, 8])
@pytest.mark.parametrize("color", COLORS)
def test_every_place_has_one_name(color: str, length: int, way: Any) -> None:
    rules = Rules(home_path_length=length, turn_vs_travel=way)
    number, places = COLORS.index(color), [*range(t.last_place(rules) + 1), t.BASE]
    names = [notation.place_name(rules, place, number) for place in places]
    assert sorted(map(str, names)) == sorted(map(str, [*range(68), *(f"P{step}" for step in range(1, length + 1)), "B", "H"]))
    assert [notation.place_number(rules, name, color) for name in names] == places
    assert names[t.entry_place(rules)] == 17 * (number if way == "same" else -number) % 68
    assert names[length] == "P1"


def test_random_positions_survive_being_written_and_read() -> None:
    luck = random.Random("notation")
    for _ in range(100):
        squares = luck.sample(range(68), 12)
        places = {
            color: [luck.choice([*squares[3 * number : 3 * number + 3], "B", "H", "P1", "P7"]) for _ in range(4)]
            for number, color in enumerate(COLORS)
        }
        text = notation.to_text(RULES, notation.to_words(places, RULES, COLORS).tolist(), COLORS)
        assert text == referee.write_position({color: [referee.read_place(place) for place in each] for color, each in places.items()})
        assert text == canonical(groups_of(text)) == written(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", 'position: "" is not a color; a group is a color and its pawns, such as red B B 12 H'),
        ("gren B B B B / red B B B B", 'position: "gren" is not a color; did you mean green?'),
        ("red B B B B / red B B B B", "position: red has two groups"),
        ("red B B B B / blue B B B", "position: blue has 3 pawns, but in this ruleset each color has 4"),
        ("red B B B 68 / blue B B B B", 'position: red has a pawn on "68"; a place is B, H, P1 to P7, or a track square 0 to 67'),
        ("red B B B -1 / blue B B B B", 'position: red has a pawn on "-1"'),
        ("red B B B P8 / blue B B B B", 'position: red has a pawn on "P8"'),
        ("red B B B P0 / blue B B B B", 'position: red has a pawn on "P0"'),
        ("red B B B S / blue B B B B", 'position: red has a pawn on "S"'),
        ("red B B B ² / blue B B B B", 'position: red has a pawn on "²"'),
        ("red 9 B B B / blue B B B 9", "position: red and blue both stand on 9, which can't be"),
        ("red 12 B B B / blue B B B 12", "position: red and blue both stand on 12, which can't be"),
    ],
)
def test_impossible_lines_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(SimsorryError, match=re.escape(sentence)):
        written(text)


@pytest.mark.parametrize("place", [True, 12.0, None, 68, [], {}, 10**400, "P" * 1000])
def test_places_of_other_kinds_are_refused(place: Any) -> None:
    with pytest.raises(SimsorryError, match="position: red has a pawn on") as caught:
        notation.to_words({"red": ["B", "B", "B", place], "blue": ["B"] * 4}, RULES, TWO)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("red 9 9 / blue B B", {"pawns": 2}),
        ("red 9 12 / blue B B / yellow 9 12 / green B B", TEAMS),
        ("red B 12 / blue B 12", {"pawns": 2, "fight_tie": "both_stay"}),
        ("red B 12 / blue B 12 / yellow 12 H / green B 12", TEAMS | {"fight_tie": "both_stay"}),
        # a turn-off square that is safe for its owner, blue, alone, and who came there last
        ("red B 12 / blue B 12", {"pawns": 2, "fight_tie": "both_stay", "turnoff_safe_for": "owner"}),
        ("red B 12 / blue B 12 / yellow 12 H / green B B", TEAMS | {"fight_tie": "both_stay", "turnoff_safe_for": "owner"}),
    ],
)
def test_pawns_may_share_a_square_where_the_rules_let_them(text: str, options: dict[str, Any]) -> None:
    assert written(text, Rules(**options)) == text


@pytest.mark.parametrize(
    ("text", "options", "colors"),
    [
        ("red 9 B / blue 9 B / yellow 9 B / green B B", {}, "red and blue and yellow"),
        ("red 9 B / blue B 9 / yellow B B / green B B", {"fight_tie": "both_stay"}, "red and blue"),
    ],
)
def test_others_may_not_share(text: str, options: dict[str, Any], colors: str) -> None:
    with pytest.raises(SimsorryError, match=f"position: {colors} both stand on"):
        written(text, Rules(**TEAMS | options))
