"""The words for what happens in Ice Soo Sorry!, where a play alone does not show them all, and the board that is drawn."""

import itertools
import re
from typing import Any

import pytest
from ice_positions import filled

from simsorry.games.ice import board, story
from simsorry.games.ice.decision import Table
from simsorry.games.ice.retelling import NOTHING, SWAP, Move, Play, Slot
from simsorry.games.ice.rules import Rules
from simsorry.games.options import CARDS, COLORS

RED, BLUE = 0, 1


def pawns(text: str) -> tuple[int, ...]:
    """Pawns by their codes, each with a number."""
    names = enumerate(text.split(), start=1)
    return tuple("sml".index(name[1]) | "rbyg".index(name[0]) << 2 | number << 5 for number, name in names)


def moved(codes: str, mover: int = RED, **more: Any) -> str:
    """What is said of pawns that move from 20 to 25."""
    return story.did(Play(1, (Move(1, pawns(codes), 20, 5, 25, 25, **more),)), mover, 4)


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ("rs", "a small pawn"),
        ("rl rl", "the stack of two large pawns"),
        ("rl rm", "the stack of a large and a medium pawn"),
        ("bl rm", "the stack of blue's large and a medium pawn"),
        ("bl bl rm", "the stack of two blue large and a medium pawn"),
        ("rl gm gm", "the stack of a large and two green medium pawns"),
        ("rs rs rs", "the stack of three small pawns"),
        ("yl bl rm", "the stack of yellow's large, blue's large and a medium pawn"),
        ("yl bl rm rs", "the stack of 4 pawns (yl bl rm rs)"),
    ],
)
def test_who_moves(codes: str, words: str) -> None:
    assert moved(codes) == f"moves {words} 5 forward from 20 to 25"


@pytest.mark.parametrize(
    ("codes", "covers", "words"),
    [
        ("bs", True, "covers blue's small pawn"),
        ("rs", True, "covers an own small pawn"),
        ("rs rs", True, "covers the stack of two own small pawns"),
        ("bs rs", True, "covers the stack of blue's small and an own small pawn"),
        ("bs bs bs bs", True, "covers the stack of 4 pawns (bs bs bs bs)"),
        ("rm", False, "stacks on an own medium pawn"),
        ("gl", False, "stacks on green's large pawn"),
    ],
)
def test_what_they_come_to_rest_on(codes: str, covers: bool, words: str) -> None:
    assert moved("rm", beneath=pawns(codes), covers=covers) == f"moves a medium pawn 5 forward from 20 to 25, where it {words}"


def test_own_pawns_are_those_of_the_mover() -> None:
    assert moved("rs bs", BLUE, beneath=pawns("bl")) == (
        "moves the stack of red's small and a small pawn 5 forward from 20 to 25, where it stacks on an own large pawn"
    )


def test_what_else_becomes_of_pawns() -> None:
    covered = tuple(zip(pawns("rs bm gl"), (20, 20, 61), strict=True))
    freed = tuple(zip(pawns("ys ys ys ys rs"), (3, 3, 3, 3, 7), strict=True))
    play = Play(1, (Move(1, pawns("rl"), 20, 5, 25, 25),), covered, freed)
    assert story.did(play, RED, 4) == (
        "moves a large pawn 5 forward from 20 to 25; covers an own small and blue's medium pawn on 20 and green's large pawn on Z2; "
        "frees 4 pawns (ys ys ys ys) on 3 and an own small pawn on 7"
    )


@pytest.mark.parametrize(
    ("level", "height", "words"),
    [
        (0, 1, ""),
        (0, 2, " (lowest)"),
        (1, 2, " (top)"),
        (1, 3, " (2nd from below)"),
        (2, 30, " (3rd from below)"),
        (3, 30, " (4th from below)"),
        (10, 30, " (11th from below)"),
        (11, 30, " (12th from below)"),
        (20, 30, " (21st from below)"),
        (21, 30, " (22nd from below)"),
    ],
)
def test_levels_of_a_switch(level: int, height: int, words: str) -> None:
    own, other = pawns("rs gl")
    move = Move(SWAP, (own,), 20, 0, 31, 31, others=(Slot(own, 20, 0, 1), Slot(other, 31, level, height)))
    assert story.did(Play(SWAP, (move,)), RED, 8) == f"switches its small pawn on 20 with green's large pawn on 31{words}"


def test_kinds_of_actions() -> None:
    kinds = [story.kind(action) for action in range(10)]
    assert kinds == ["play"] * 7 + ["pass", "throw", "idle"]
    assert story.kind(NOTHING) == "nothing"
    assert story.kind(16 | 5) == "play"


def test_what_moves_no_pawn() -> None:
    eight = CARDS.index("8")
    assert [story.did(Play(kind, ()), RED, eight) for kind in (7, 8, 9)] == ["passes", "throws in an 8", "lays the 2 down without a move"]
    assert story.did(Play(8, ()), RED, 15) == "throws in a card at random"


# -- the board ---------------------------------------------------------------------------------------

FULL = filled(
    "red S:s S:m Z1:s / blue S:s S:m S:l Z5:l / yellow / green S:s S:s S:l | 4: rm bm | 8: gm | 24: bs rl yl bm gs ys ys ym yl yl rl"
    " | 30: rs | 44: gl gs | 51: rm rm bs bl | red Z4: rl rs rs"
)
PICTURE = """\
 0   >   -   -   Bm2 5   6   7   Gm  >   -   -   -   o   14  15
 59      Rs      (110)                                       v
 o       r                       [222]   Bl  b   b   b   b   |
 |       r                                                   |
 |       Rs3                                         (111)   @
 |       r                                                   20
 ^       [012]                                               21
 53                                                          22
 52                                                          23
 Bl4                                                 [342]   Rl+
 50                                                  y       |
 @   (201)                                           y       |
 |                                                   y       |
 |   g   g   g   g   g   [143]                       y       o
 ^                                           (000)   y       29
 45  Gs2 o   -   -   -   <   38  37  36  35  @   -   -   <   Rs

4: [rm bm]                                     24: bs < rl yl bm gs ys ys < ym < [yl yl rl]
44: [gl gs]                                    51: rm rm bs < [bl]
red Z4: [rl rs rs]"""


def drawn(position: dict[str, list[str]], colored: bool = False, **options: Any) -> str:
    table = Table(Rules(**options), [color for color in COLORS if color in position])
    return board.draw(table.placement(position), table.players, table.compiled[0], colored)


def test_the_board_in_plain_text() -> None:
    assert drawn(FULL) == PICTURE
    assert max(map(len, board.LEGEND.splitlines())) <= 140


def test_colors_are_added_and_nothing_else() -> None:
    colored = drawn(FULL, colored=True)
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == PICTURE
    assert "\x1b[1;7;31mRs3\x1b[0m" in colored
    assert "[\x1b[32mgl\x1b[0m \x1b[32mgs\x1b[0m]" in colored


def test_only_slides_that_somebody_rides_are_drawn() -> None:
    assert not set("><^v|-o") & set(drawn(filled("red S:s / blue S:s"), slides="off"))
    two = drawn(filled("red S:s / yellow S:s"), absent_color_slides="inert")
    assert set("><^v") & set(two) == set("><")
    assert not set("bg") & set(two)
    assert two.count("@") == 2


def test_without_piles_there_is_nothing_below_the_board() -> None:
    assert len(drawn(filled("red S:s / blue S:s | 7: bm")).splitlines()) == 16


def test_every_square_is_drawn_beside_the_one_before() -> None:
    """A pawn that goes around the track and into its zone takes one step at a time."""
    for color in COLORS:
        number, seen = COLORS.index(color), []
        squares = [str((4 + 15 * number + step) % 60) for step in range(59)] + [f"{color} Z{step}" for step in range(1, 6)]
        for place in squares:
            others = " / ".join(f"{each} S:s" for each in COLORS if each != color)
            picture = drawn(filled(f"{others} / {color} | {place}: {color[0]}s"))
            ((row, column),) = (
                (row, line.index(f"{color[0].upper()}s")) for row, line in enumerate(picture.splitlines()) if f"{color[0].upper()}s" in line
            )
            seen.append((row, column // 4))
        steps = [abs(row - to_row) + abs(column - to_column) for (row, column), (to_row, to_column) in itertools.pairwise(seen)]
        assert steps == [1] * 63


def test_flags_show_who_covers() -> None:
    picture = drawn(filled("red / blue | 5: rs bm= rs | 9: rl bs> rl="), ice_contact_piece="top")
    assert picture.splitlines()[-1] == "5: [rs bm= rs]      9: rl < [bs> rl=]"
