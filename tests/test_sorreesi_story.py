"""What is said of a game of Sorreesi, line by line, and the board that is drawn."""

import itertools
import re
from collections.abc import Sequence
from typing import Any

import pytest

from simsorry.games.options import CARDS, COLORS
from simsorry.games.sorreesi import board, notation, story
from simsorry.games.sorreesi.decision import Table
from simsorry.games.sorreesi.replay import Step
from simsorry.games.sorreesi.retelling import NOTHING, Retelling
from simsorry.games.sorreesi.rules import Rules
from simsorry.games.sorreesi.spending import NO_CARD

TEAMS = {"team_pairs": "opposite"}

# -- fights ------------------------------------------------------------------------------------------


def fought(position: str, dice: Sequence[int], *, use: str = "die 1", **options: Any) -> str:
    """What is told of red's move with a die 1 into a fight in which these dice are rolled."""
    places = notation.parse(position)
    rules = Rules(**{"pawns": len(places["red"])} | options)
    table = Table(rules, tuple(places))
    words, pool, rolls = table.words(places), table.read_pool(dice=[1]), iter(dice)
    (action,) = (each for each in table.outcomes(words, 0, pool).actions if pool.use(each) == (use,))
    retelling = Retelling(rules, words.tolist(), 0, lambda: next(rolls))
    told = story.told(rules, retelling.carry_out(action), 0)
    assert list(rolls) == []
    return told.removeprefix("moves 1 forward from 23 to 24, ")


ONE, TWO = "red 23 H / yellow B 24", "red 23 H / yellow 24 24"
TEAM = "red 23 H / blue 24 24 / yellow B B / green 24 B"  # partners share squares,
ALL = "red 23 H / blue 24 24 / yellow B 24 / green 24 B"  # opponents only after fights that nobody has lost
STAY = {"fight_tie": "both_stay"}


@pytest.mark.parametrize(
    ("position", "dice", "options", "words"),
    [
        (ONE, (5, 3), {}, "fights yellow (red 5, yellow 3): yellow goes back"),
        (ONE, (3, 5), {}, "fights yellow (red 3, yellow 5): red goes back"),
        (TWO, (5, 3), {}, "fights yellow (red 5, yellow 3): 2 yellow go back"),
        (ONE, (4, 4, 1, 1, 2, 6), {}, "fights yellow (red 4, yellow 4; red 1, yellow 1; red 2, yellow 6): red goes back"),
        (ONE, (4, 4), {"fight_tie": "attacker"}, "fights yellow (red 4, yellow 4): yellow goes back"),
        (ONE, (4, 4), {"fight_tie": "defender"}, "fights yellow (red 4, yellow 4): red goes back"),
        (ONE, (4, 4), {"fight_tie": "both_back"}, "fights yellow (red 4, yellow 4): red and yellow go back"),
        (ONE, (4, 4), STAY, "fights yellow (red 4, yellow 4): both stay"),
        (TEAM, (1, 6, 6), TEAMS, "fights blue and green (red 1, blue 6, green 6): red goes back"),
        (
            TEAM,
            (6, 6, 2, 3, 3, 6, 1),
            TEAMS,
            "fights blue and green (red 6, blue 6, green 2; red 3, blue 3; red 6, blue 1): 2 blue and green go back",
        ),
        (ALL, (4, 4, 4, 4), STAY, "fights blue, yellow and green (red 4, blue 4, yellow 4, green 4): all stay"),
        (ALL, (1, 6, 2, 6), STAY, "fights blue, yellow and green (red 1, blue 6, yellow 2, green 6): red and yellow go back"),
        (ALL, (1, 2, 6, 6), STAY | TEAMS, "fights blue and green (red 1, blue 2, yellow 6, green 6): all stay"),
        (ALL, (1, 2, 6, 5), STAY | TEAMS, "fights blue and green (red 1, blue 2, yellow 6, green 5): 2 blue and green go back"),
    ],
)
def test_fights_in_words(position: str, dice: tuple[int, ...], options: dict[str, Any], words: str) -> None:
    assert fought(position, dice, **options) == words


def test_a_part_of_a_seven_whose_pawn_has_gone_back() -> None:
    """The fight of the first part is lost for the partner's pawn on that square too, which should have moved on."""
    rules = Rules(pawns=2, fight_tie="both_stay", team_pairs=(("red", "yellow"), ("blue", "green")), team_control="both_colors")
    table = Table(rules, COLORS)
    words = table.words("red 20 B / blue 24 B / yellow 24 B / green B B")
    told = []
    for action in table.outcomes(words, 0, table.read_pool(card=7)).actions:
        rolls = iter([1, 6, 2, 1])
        retelling = Retelling(rules, words.tolist(), 0, rolls.__next__)
        told.append(story.told(rules, retelling.carry_out(action), 0))
    lost = "moves 4 forward from 20 to 24, fights blue (red 1, blue 6, yellow 2): red and yellow go back"
    assert f"{lost}; then can't move yellow 3 forward, for that pawn has gone back" in told


# -- steps -------------------------------------------------------------------------------------------

START = "red B 20 / yellow B 30"


def told(position: str = START, **fields: Any) -> list[str]:
    """The lines of a step of red's; ``use`` picks the first action that spends that."""
    places = notation.parse(position)
    rules = fields.pop("rules", None) or Rules(pawns=len(places["red"]))
    table = Table(rules, tuple(places))
    words, use = table.words(places), fields.pop("use", None)
    card = fields.pop("card", None)
    number = NO_CARD if card is None else CARDS.index(card)
    action = NOTHING
    if use:
        pool = table.read_pool(dice=fields.get("dice", ()), card=card, bonus=fields.get("bonus", ()), roll=fields.get("roll", 1))
        action = next(each for each in table.outcomes(words, 0, pool).actions if pool.use(each) == use)
    step = Step(
        **{
            "rules": rules, "turn": 7, "seat": 0, "color": 0, "roll": 1, "rolled": None, "lost": False, "drawn_first": NO_CARD, "dice": (),
            "card": number, "bonus": (), "choices": 2 if use else 0, "action": action, "use": use or (),
            "moves": Retelling(rules, words.tolist(), 0).carry_out(action), "earned": (), "earned_home": 0, "earned_by_others": {},
            "drawn": NO_CARD, "reshuffled": False, "penalty": None, "lapsed": (), "home": (), "place": 0, "words": tuple(words.tolist()),
            "ends_turn": False, "ends_round": False,
        }
        | fields
    )  # fmt: skip
    return step.line.split("\n")


USED = " " * 17


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        (
            {"rolled": (5, 2), "dice": (2, 5), "card": "11", "drawn_first": 8, "use": ("die 5",)},
            ["    7  red     rolls 5 and 2, draws an 11", f"{USED}5               moves 5 forward from 20 to 25 (2 choices)"],
        ),
        (
            {"dice": (2, 5), "card": "11", "use": ("card 11", "die 2", "die 5"), "choices": 1},
            [f"{USED}2 + 5 + card 11 moves 18 forward from 20 to 38"],
        ),
        (
            {"card": "sorry", "use": ("card sorry",)},
            [f"{USED}Sorry!          moves a pawn from the base to 30, sends back yellow (2 choices)"],
        ),
        ({"bonus": (20, 20), "use": ("bonus 20",)}, [f"{USED}bonus 20        moves 20 forward from 20 to 40 (2 choices)"]),
        ({"dice": (2, 6), "choices": 0, "card": "sorry"}, [f"{USED}-               no use for 2, 6 and Sorry!"]),
        ({"bonus": (10, 20), "lapsed": (10, 20)}, [f"{USED}-               no use for bonus 10 and bonus 20"]),
        ({"dice": (2,), "use": ("stop",)}, [f"{USED}-               stops, 2 unused (2 choices)"]),
        (
            {"bonus": (20, 20), "use": ("stop",), "lapsed": (20, 20)},
            [f"{USED}-               stops (2 choices); loses 2 bonus moves of 20"],
        ),
        (
            {"rolled": (6, 6), "dice": (6, 6), "card": "8", "drawn_first": CARDS.index("8"), "reshuffled": True},
            ["    7  red     rolls 6 and 6, shuffles the discards and draws an 8; nothing can be used"],
        ),
        (
            {"rolled": (3, 3), "dice": (3, 3), "roll": 2, "card": "2", "drawn_first": 1, "drawn": 7},
            ["               rolls again: 3 and 3, draws a 2; nothing can be used; draws a 10"],
        ),
        (
            {"rolled": (2, 2), "dice": (2, 2, 5, 5), "bonus": (20,)},
            ["    7  red     rolls 2 and 2 and plays the undersides 5 and 5 too; has a bonus move of 20 from a fight; nothing can be used"],
        ),
        (
            {"rolled": (4, 4), "roll": 3, "lost": True, "penalty": (0, 40), "lapsed": (20,)},
            ["               rolls again: 4 and 4, the third double: the roll is lost; its pawn on 31 goes back; loses a bonus move of 20"],
        ),
        (
            {"dice": (2,), "roll": 3, "use": ("die 2",), "penalty": (2, 3)},
            [f"{USED}2               moves 2 forward from 20 to 22 (2 choices); for the third double yellow's pawn on P5 goes back"],
        ),
        (
            {"card": "2", "use": ("card 2",), "earned": (10, 20, 20), "drawn": 10},
            [f"{USED}card 2          moves 2 forward from 20 to 22 (2 choices); earns a bonus move of 10 and 2 of 20; draws a Sorry!"],
        ),
        (
            {"dice": (2,), "use": ("die 2",), "earned_by_others": {"yellow": (6,)}},
            [f"{USED}2               moves 2 forward from 20 to 22 (2 choices); yellow earns a bonus move of 6 for its next turn"],
        ),
        (
            {"position": "red P6 H / yellow B 30", "dice": (2,), "use": ("die 2",), "choices": 1, "home": ("red",), "place": 1},
            [f"{USED}2               moves 2 forward from P6 to HOME; all pawns HOME: first"],
        ),
    ],
)
def test_a_step_in_lines(fields: dict[str, Any], lines: list[str]) -> None:
    assert told(**fields) == lines


def test_teams_come_in_together() -> None:
    position = "red P6 H / blue B B / yellow B B / green B B"
    fields: dict[str, Any] = {"rules": Rules(pawns=2, **TEAMS), "dice": (2,), "use": ("die 2",), "choices": 1, "home": ("red",)}
    assert told(position, **fields)[0].endswith("from P6 to HOME; all red pawns HOME")
    assert told(position, **fields, place=2)[0].endswith("from P6 to HOME; all red pawns HOME: red and yellow are second")


# -- the board ---------------------------------------------------------------------------------------

FULL = "red B B 12 20 62 P3 H H / blue B B B B 17 17 P7 P1 / yellow B B 24 24 31 33 34 H / green B B B B 50 51 P3 P3"
PICTURE = """\
                                 R  *.   .
                                 .   r   .
                                 .   r   .
                                 .   R   .
                                *.   r  *@   0  (2)
                                 .   r   .
                (4)              .   r   .
                 51              .   r   .
 .   .   .   G  *G   .   .   .      [2]      .   .   .  *.   .   .   .   .
*.   g   g   G2  g   g   g   g  [0]     [0]  B   b   b   b   b   b   B  *R
 .   .   .   .  *.   .   .   .      [1]      R   .   .  *B2  .   .   .   .
                                 .   y   .               17
                                 .   y   .              (4)
                                 .   y   .
                        (2)  34 *Y   y  *Y2
                                 Y   y   .
                                 .   y   .
                                 Y   y   .
                                 .  *.   ."""


def drawn(text: str, colored: bool = False, **options: Any) -> str:
    places = notation.parse(text)
    table = Table(Rules(**options), [color for color in COLORS if color in places])
    return board.draw(table.rules, table.words(places).tolist(), table.players, colored)


def test_the_board_in_plain_text() -> None:
    assert drawn(FULL) == PICTURE


def test_colors_are_added_and_nothing_else() -> None:
    colored = drawn(FULL, colored=True)
    bare = re.sub(r"\x1b\[[\d;]*m", "", colored)
    assert [line.rstrip() for line in bare.splitlines()] == PICTURE.splitlines()
    assert "\x1b[1;7;33mY\x1b[0m2" in colored


def cells(picture: str) -> list[list[str]]:
    """The squares of a picture, row by row."""
    lines = [line.ljust(76) for line in picture.splitlines()]
    return [[line[at : at + 4].strip() for at in range(0, 76, 4)] for line in lines]


@pytest.mark.parametrize("way", ["same", "opposite"])
@pytest.mark.parametrize("length", [7, 8])
def test_every_square_is_drawn_beside_the_one_before(way: str, length: int) -> None:
    """A lone pawn that goes around the track, into its path and HOME takes one step at a time."""
    seen = []
    for color in COLORS:
        rules = Rules(pawns=1, home_path_length=length, turn_vs_travel=way, seat_colors=COLORS)
        letter, number, at = color[0].upper(), COLORS.index(color), []
        for place in range(72 + length - 7, 0, -1):
            words = [notation.word_of([place if each == number else 100]) for each in range(4)]
            found = [
                (row, column)
                for row, line in enumerate(cells(board.draw(rules, words, COLORS)))
                for column, cell in enumerate(line)
                if cell.strip("*") == letter
            ]
            assert len(found) == 1, (color, place)
            at += found
        steps = [abs(row - to_row) + abs(column - to_column) for (row, column), (to_row, to_column) in itertools.pairwise(at)]
        assert sorted(steps)[:-8] == [1] * (len(steps) - 8)  # but for the inner corners, where two arms meet
        assert len(set(at)) == len(at)
        seen.append(at)
    assert len({cell for at in seen for cell in at}) == 68 + 4 * length
    clockwise = seen[0][4][1] < seen[0][15][1]  # from the entry square to the next arm
    assert clockwise == (way == "same")


def test_safe_squares_and_those_who_play_are_marked() -> None:
    assert drawn(FULL).count("*") == 12
    assert drawn(FULL, safe_squares=()).count("*") == 0
    two = drawn("red B B / yellow B B", pawns=2)
    assert not {"b", "g"} & set(two)
    assert two.count("@") == 2
    assert "34" in two
    assert drawn("red B H / yellow H H", pawns=2, game_end="all_home").count("[2]") == 1


def test_pawns_on_one_square_are_counted() -> None:
    partners = drawn("red 5 5 5 24 / blue B B B B / yellow 5 24 P1 P1 / green B B B B", pawns=4, **TEAMS)
    assert {"RY4", "*RY", "Y2"} <= {cell for row in cells(partners) for cell in row}
    crowd = drawn("red 0 1 / blue 0 1 / yellow 0 B / green 0 B", pawns=2, fight_tie="both_stay", safe_squares=(0, 1))
    assert {"*RB+", "*RB"} <= {cell for row in cells(crowd) for cell in row}


def test_the_legend() -> None:
    assert board.legend(Rules()) == (
        "R B Y G pawns (going clockwise), * safe square, @ entry square, r b y g private paths, (n) pawns in the base, [n] pawns HOME"
    )
    legend = board.legend(Rules(turn_vs_travel="opposite", team_pairs=(("red", "blue"), ("yellow", "green"))))
    assert "(going counter-clockwise)" in legend
    assert legend.endswith(", RB YG partners on one square")
