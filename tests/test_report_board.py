"""Boards drawn in reports: where squares lie, what is on them and what they are called, and the shades they get."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from made_up import HASBRO, NO_SLIDES, rows, sitting

from simsorry import policies, rulesets, simulate
from simsorry.games import audited
from simsorry.metrics import MARGINS, Rows
from simsorry.report import audit_tables, board_figures, drawing, render
from simsorry.report.audits import Audits, audits_of
from simsorry.report.board import Board, Slide, board_of, layout, name_of, numbers_of, place_name, plain
from simsorry.report.study import RulesetCard, Sitting, Study, as_json

CIRCLES = (4, 19, 34, 49)


def board(ruleset: str, players: int = 4, *changes: str) -> Board:
    """That of a ruleset, from the description of a task."""
    loaded = rulesets.load(ruleset, changes)
    policy = policies.load("random", loaded.game)
    return board_of(simulate.Task(loaded, players, (policy,) * players, 1).describe())


# -- what is on a board ----------------------------------------------------------------------------


def test_the_rim_has_its_slides_circles_and_zones() -> None:
    found = board("hasbro")
    assert found.starts == dict(zip(("red", "blue", "yellow", "green"), CIRCLES, strict=True))
    assert list(found.ways_in.values()) == [2, 17, 32, 47]
    assert [(slide.first, slide.last) for slide in found.slides] == [
        (1, 4), (9, 13), (16, 19), (24, 28), (31, 34), (39, 43), (46, 49), (54, 58),
    ]  # fmt: skip
    assert found.slides[3] == Slide("blue", "long", 24, 28)
    assert (found.path, found.safe, found.cross, found.alike) == (5, (), False, 4)


def test_only_slides_that_somebody_rides_are_there() -> None:
    assert board("hasbro", 4, "slides=off").slides == ()
    two = board("hasbro", 2, "absent_color_slides=inert")
    assert {slide.owner for slide in two.slides} == {"red", "yellow"}
    one = board("hasbro", 4, "slides=off", 'slide_riders={"blue B" = ["red"]}')
    assert one.slides == (Slide("blue", "long", 24, 28),)


def test_the_cross_has_its_safe_squares_and_ways_in() -> None:
    found = board("sorreesi")
    assert found.safe == (0, 7, 12, 17, 24, 29, 34, 41, 46, 51, 58, 63)
    assert list(found.starts.values()) == [0, 17, 34, 51]
    assert list(found.ways_in.values()) == [63, 12, 29, 46]
    assert (found.path, found.cross, found.clockwise, found.quarter) == (7, True, True, 17)
    other = board("sorreesi", 4, "turn_vs_travel=opposite", "home_path_length=8", "safe_squares=[0]")
    assert (other.path, other.clockwise, other.safe) == (8, False, (0, 17, 34, 51))
    assert list(other.starts.values()) == [0, 51, 34, 17]
    owners = board("sorreesi", 2, "turnoff_safe_for=owner")
    assert set(owners.safe) & {12, 29, 46, 63} == {63, 29}  # red's and yellow's own ones


def test_sides_are_alike_only_where_a_turn_of_the_board_changes_nothing() -> None:
    assert board("hasbro-teams").alike == 4
    assert board("hasbro", 2).alike == 2
    assert board("hasbro", 2, "seat_colors=red,blue").alike == 1
    assert board("hasbro", 3).alike == 1
    assert board("hasbro", 4, "seat_colors=red,yellow,blue,green").alike == 1
    assert board("hasbro", 4, "first_player=fixed").alike == 1
    assert board("hasbro-teams", 4, 'team_pairs=[["red","blue"],["yellow","green"]]').alike == 1


def test_options_of_another_version_leave_a_plain_board() -> None:
    description = {"game": "classic", "seat_colors": ["red", "blue"], "ruleset": {"rules": {"slides": "some"}}}
    found = board_of(description)
    assert found == plain("classic", ("red", "blue"))
    assert (found.slides, found.alike, found.starts) == ((), 1, {"red": 4, "blue": 19})
    cross = plain("sorreesi", ("red", "green"))
    assert (cross.safe, cross.starts, cross.path) == ((), {"red": 0, "green": 51}, 7)


# -- where things lie ------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["hasbro", "ice-three", "sorreesi", "sorreesi+turn_vs_travel=opposite"])
def test_every_square_touches_the_next_and_nothing_lies_on_another(ruleset: str) -> None:
    found = board(ruleset)
    placed = layout(found)
    for square, (x, y) in enumerate(placed.squares):
        next_x, next_y = placed.squares[(square + 1) % len(placed.squares)]
        corner = found.cross and abs(x - next_x) == abs(y - next_y) == 1  # where one arm meets another
        assert corner or abs(x - next_x) + abs(y - next_y) == 1
        assert 0 <= min(x, y) <= max(x, y) < placed.size
    everything = [*placed.squares, *(point for path in placed.paths.values() for point in path)]
    assert max(Counter(everything).values()) == 1
    for color, path in placed.paths.items():
        for (x, y), (other_x, other_y) in zip((placed.squares[found.ways_in[color]], *path), path, strict=False):
            assert abs(x - other_x) + abs(y - other_y) == 1, color


def test_the_corners_lie_as_they_are_printed() -> None:
    rim = layout(board("hasbro"))
    assert [rim.squares[square] for square in (0, 15, 30, 45)] == [(0, 0), (15, 0), (15, 15), (0, 15)]
    assert rim.paths["red"][0] == (2, 1)
    assert [rim.outside[square] for square in (1, 16, 31, 46)] == [(0, -1), (1, 0), (0, 1), (-1, 0)]
    cross = layout(board("sorreesi"))
    assert cross.squares[0] == (10, 4)  # red enters on the right of the top arm
    assert cross.squares[63] == (9, 0)  # and turns off in the middle of its end


# -- what squares are called -----------------------------------------------------------------------


def test_squares_are_called_what_a_player_calls_them() -> None:
    found = board("hasbro")
    told = {square: name_of(found, square) for square in found.squares}
    assert told[4] == "red's start circle (square 4)"
    assert told[17] == "the square before blue's safety zone (square 17)"
    assert told[28] == "the end of blue's long slide (square 28)"
    assert told[46] == "the triangle of green's short slide (square 46)"
    assert told[11] == "on red's long slide (square 11)"
    assert told[20] == "square 20"
    two = board("hasbro", 2)
    assert name_of(two, 19) == "the end of blue's short slide (square 19)"  # nobody starts there
    cross = board("sorreesi")
    assert name_of(cross, 17) == "blue's entry square (square 17)"
    assert name_of(cross, 63) == "red's turn-off square (square 63)"
    assert name_of(cross, 7) == "a safe square (square 7)"


def test_places_on_all_sides_have_one_name() -> None:
    found = board("hasbro")
    assert numbers_of(found, 4, 4) == CIRCLES
    assert place_name(found, 4, 4) == "the start circles (squares 4, 19, 34 and 49)"
    assert place_name(found, 13, 4).startswith("the ends of the long slides (squares 13, 28")
    assert place_name(found, 0, 4).startswith("the corners (")
    assert place_name(found, 6, 4).startswith("the squares 2 after the start circles (")
    assert place_name(board("hasbro", 4, "slides=off"), 3, 4).startswith("the squares 1 before the start circles")
    assert place_name(board("hasbro", 2), 4, 2) == "red's start circle (square 4) and yellow's start circle (square 34)"
    cross = board("sorreesi")
    assert place_name(cross, 12, 4) == "the turn-off squares (squares 12, 29, 46 and 63)"
    assert place_name(cross, 7, 4).startswith("the safe squares 7 after the entry squares")


# -- the pictures ----------------------------------------------------------------------------------


def counts(danger: dict[int, int]) -> np.ndarray:
    """Counts of twenty blocks: as many pawns on each square, twice as many on square 10, hits where they are given and a few anywhere."""
    found = np.zeros((20, audited.SIZE), dtype=np.int64)
    audited.section(found, "games")[:] = 5
    audited.section(found, "visits")[:, :60] = 100
    audited.section(found, "visits")[:, 10] = 200
    audited.section(found, "danger")[:, :60] = np.array([9, 11] * 10)[:, None]
    audited.section(found, "danger")[:, 10] *= 2
    audited.section(found, "drawn")[:, 0] = 10
    for square, hits in danger.items():
        audited.section(found, "danger")[:, square] += hits
    return found


def made(danger: dict[int, int], boards: tuple[Board, ...]) -> Sitting:
    played: list[tuple[RulesetCard, Rows]] = []
    for card, drawn in zip((HASBRO, NO_SLIDES), boards, strict=False):
        played.append((replace(card, board=drawn), replace(rows(2_000), audits=counts(danger))))
    return sitting(played)


@cache
def alike() -> Sitting:
    return made({4: 20, 19: 20, 34: 20, 49: 20}, (board("hasbro"), board("hasbro", 4, "slides=off")))


@cache
def single() -> Sitting:
    return made({41: 30}, (plain("classic", ("red", "blue", "yellow", "green")),))


def base(found: Sitting) -> Audits:
    assert found.base.audits
    return found.base.audits


def test_squares_that_are_alike_are_counted_together() -> None:
    told = audit_tables.spots(alike(), alike().base, base(alike()))
    assert len(told) == 15
    circle = told[4]
    assert circle.squares == CIRCLES
    assert circle.risk.value == pytest.approx(0.3)  # 30 of 100
    assert circle.hits.value == pytest.approx(30 / 5)  # of one of the four, per game
    assert told[10].visits.value == pytest.approx(125 / 6_100)  # one of them has twice as many as the others
    assert told[10].visits.low <= told[10].visits.value <= told[10].visits.high
    assert len(audit_tables.spots(single(), single().base, base(single()))) == 60


def test_titles_name_the_most_dangerous_squares_and_say_by_how_much() -> None:
    drawn = board_figures.pictures(alike(), "table-2-")
    assert list(drawn) == ["traffic-0", "danger-0", "traffic-1", "danger-1"]
    assert drawn["danger-0"].name == "table-2-danger-0"
    assert drawn["danger-0"].finding == (
        "Under hasbro pawns are sent back most on the start circles (squares 4, 19, 34 and 49): 0.300 for each that stands there, "
        "3.0 times the median square"
    )
    assert drawn["danger-1"].finding.startswith("Under slides=off pawns")
    one = board_figures.pictures(single())
    assert one["danger-0"].finding.startswith("Pawns are sent back most on square 41: 0.400 for each that stands there, 4.0 times")
    assert one["traffic-0"].finding.startswith("Pawns stand most on square 10: 3.28%, 2.0 times an even share")
    assert "counted together" not in one["danger-0"].shows
    assert "100 audited games" in one["danger-0"].shows


def test_nothing_is_named_where_nothing_is_shown_to_differ() -> None:
    found = made({}, (board("hasbro"),))
    assert board_figures.pictures(found)["danger-0"].finding == (
        "No square is shown to be more dangerous than others: 0.10 sent back for each on the median one"
    )


def test_without_hits_there_is_only_the_board_of_where_pawns_stand() -> None:
    numbers = counts({})
    audited.section(numbers, "danger")[:] = 0
    found = sitting([(replace(HASBRO, board=board("hasbro")), replace(rows(2_000), audits=numbers))])
    assert list(board_figures.pictures(found)) == ["traffic-0"]


def test_of_several_variants_the_one_that_differs_most_is_drawn() -> None:
    arms = [
        (replace(HASBRO, board=board("hasbro")), replace(rows(2_000), audits=counts({}))),
        (replace(NO_SLIDES, board=board("hasbro")), replace(rows(2_000), audits=counts({4: 1}))),
        (replace(NO_SLIDES, name="hasbro+pawns=3", short="pawns=3", board=board("hasbro")), replace(rows(2_000), audits=counts({4: 50}))),
    ]
    assert list(board_figures.pictures(sitting(arms))) == ["traffic-0", "danger-0", "traffic-2", "danger-2"]


def shades(svg: str) -> Counter[str]:
    return Counter(color for color in re.findall(r"fill: (#\w+)", svg) if color in drawing.SHADES)


def test_a_picture_has_a_shade_for_every_square_and_text_on_those_named() -> None:
    drawn = board_figures.pictures(alike())["danger-0"].files()
    root = ET.fromstring(drawn.svg)
    text = ["".join(each.itertext()).strip() for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"4", "19", "34", "49", "0", "15", "30", "45", "HOME"} <= set(text)
    found = shades(drawn.svg)
    assert found[drawing.SHADES[-1]] == 4 + 1  # the circles, and the scale
    scale = sum(each.endswith("0.3") or each.startswith("0.") for each in text)
    assert sum(found.values()) == 60 + scale - 1  # as many swatches as there are bounds, less one
    for color in (*drawing.SHADES, *drawing.COLORS.values()):
        assert color not in drawn.inline
    assert "var(--shade-5)" in drawn.inline
    assert drawn == board_figures.pictures(alike())["danger-0"].files()


def test_shades_go_in_equal_steps_around_the_numbers() -> None:
    assert board_figures._scale([0.004, 0.047]) == pytest.approx((0, 0.008, 0.016, 0.024, 0.032, 0.04, 0.048))
    assert board_figures._scale([0.07, 0.186]) == pytest.approx((0.05, 0.075, 0.1, 0.125, 0.15, 0.175, 0.2))
    for low, high in np.random.default_rng(2).random((200, 2)).cumsum(axis=1):
        bounds = board_figures._scale([low, high])
        assert bounds[0] <= low + 1e-9
        assert bounds[-1] >= high - 1e-9
        assert len(bounds) <= len(drawing.SHADES) + 1
    assert len(board_figures._scale([0.2, 0.2])) == 2


def test_shades_have_contrast_with_their_text_and_rise_in_lightness() -> None:
    def luminance(color: str) -> float:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        return float(
            np.dot([((part + 0.055) / 1.055) ** 2.4 if part > 0.04045 else part / 12.92 for part in parts], [0.2126, 0.7152, 0.0722])
        )

    def contrast(one: str, other: str) -> float:
        low, high = sorted((luminance(one), luminance(other)))
        return (high + 0.05) / (low + 0.05)

    scheme: dict[str, tuple[str, str]] = {name: (light, dark) for name, light, dark in drawing.SCHEME.values()}
    for at, rising in ((0, -1), (1, 1)):
        lights = [luminance(scheme[f"shade-{shade}"][at]) * rising for shade in range(6)]
        assert lights == sorted(lights)
        for shade in range(6):
            assert contrast(scheme[f"shade-{shade}"][at], scheme[f"on-shade-{shade}"][at]) >= 4.5
        for color in range(4):
            assert contrast(scheme[f"of-{color}"][at], scheme["paper"][at]) >= 3


def test_the_chapter_has_the_boards_above_tables_of_the_same_numbers() -> None:
    study = Study("Title", "0.1.0", 15.0, dict(MARGINS), (alike(),))
    chapter = next(section for section in render.sections(study) if section.title == "Squares")
    first, second = chapter.parts
    assert [picture.name for picture in first.pictures] == ["traffic-0", "danger-0"]
    every, most = first.tables
    assert len(every.rows) == 15
    assert every.rows[4][0] == "Start circles (squares 4, 19, 34 and 49)"
    assert every.rows[4][4].startswith("0.300 (")
    assert most.rows[0][4] in map(str, CIRCLES)
    assert [picture.name for picture in second.pictures] == ["traffic-1", "danger-1"]
    arm: dict[str, Any] = as_json(study)["sittings"][0]["rulesets"][0]
    assert arm["ruleset"]["board"]["starts"]["blue"] == 19
    assert len(arm["audits"]["places"]["2"]) == 30


def test_places_of_halves_and_quarters_add_up_their_squares() -> None:
    found = audits_of(counts({3: 5, 33: 7}), "classic", 4)
    assert found
    assert found.places[2][3].hits.value == pytest.approx((10 + 5 + 10 + 7) / 5)
    assert found.places[4][3].hits.value == pytest.approx((10 * 4 + 12) / 5)
    assert sum(each.visits.value for each in found.places[4]) == pytest.approx(1)
