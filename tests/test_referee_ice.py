"""The referee of Ice Soo Sorry! at positions worked out by hand: piles, landings, zones, slides, switches, Sorry!, sevens and hands.

What a play leads to is written as the places that change, with all that is there afterwards: ``20: rs; 25: bm``, ``-`` for nobody.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest
from referee import ice as referee
from referee.ice import Board, Decision, Pawn, Way

from simsorry.games.ice.rules import Rules

# -- piles -----------------------------------------------------------------------------------------------

PILES = [  # rulebook 6.2: a pile, and which of its pawns are its unit
    ("rs bm", "bm"),
    ("rm bm", "rm bm"),
    ("rm bs", "rm bs"),
    ("rs bm yl", "yl"),
    ("rs gs yl", "yl"),
    ("rm bs gl", "gl"),
    ("rl bs ym", "ym"),
    ("rs bl ym", "bl ym"),
    ("rl bl ym gs", "rl bl ym gs"),
    ("rs bm ym gl rs", "gl rs"),
    ("rl", "rl"),
    ("bs rm= ys", "bs rm= ys"),  # stacked although larger
    ("bl rs>", "rs>"),  # covers although not larger
    ("bl rs> ys ym=", "rs> ys ym="),
]


def board_of(position: str, **options: Any) -> Board:
    """The board of a line."""
    places = referee.read_position(position)
    return Board.of(Rules(**options), [key for key in places if " " not in key and not key.isdigit()], places)


@pytest.mark.parametrize(("pile", "unit"), PILES)
@pytest.mark.parametrize("place", ["40", "yellow Z2"])
def test_what_moves_together(pile: str, unit: str, place: str) -> None:
    board = board_of(f"red / blue / yellow / green | {place}: {pile}")
    ((where, pawns),) = board.squares()
    level = len(pawns) - len(board.unit(where))
    assert (pile.split()[:level], pile.split()[level:]) == (pile.split()[: -len(unit.split())], unit.split())
    assert board.covered() == set(pawns[:level])
    assert board.text == f"red / blue / yellow / green | {place}: {pile}" or len(pawns) == 1


def test_a_pawn_keeps_its_identity() -> None:
    board = board_of("red S:s S:s / blue | 4: bs bs")
    pawns = board.pile(4)
    assert len({*pawns, *board.pile(referee.start("red")), Pawn("blue", 0)}) == 5
    after = referee.ways_to_play(board, "blue", "1")[0].board
    assert after.pile(5) == pawns[1:]


LINES = [
    "red S:s S:m Z3:m H:l / blue | 12: rs bm | 40: bl",
    "red / yellow Z1:s Z5:l H:s H:s | 0: ym | 59: yl= rs> | red Z1: rl rs | yellow Z4: ys ym",
]


@pytest.mark.parametrize("line", LINES)
def test_lines_are_read_and_written(line: str) -> None:
    assert referee.write_position(referee.read_position(line)) == line == board_of(line).text
    assert board_of(line).position == referee.read_position(line)


# -- what a card leads to --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A card in a position, and all that it leads to; ``color`` plays it."""

    what: str
    position: str
    card: str
    found: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)
    color: str = "red"
    compulsory: bool = True


TOP: dict[str, Any] = {"ice_contact_piece": "top"}
DROP: dict[str, Any] = {"ice_mixed_stack_zone": "drop_at_entry"}
TO_START: dict[str, Any] = {"ice_mixed_stack_zone": "to_start"}
NO_CARRY: dict[str, Any] = {"ice_carry_past_entry": "forbidden"}
CARRY: dict[str, Any] = {"ice_slide_mode": "carry_stacked"}
END: dict[str, Any] = {"ice_slide_mode": "end_only"}
TAKE: dict[str, Any] = {"ice_slide_triangle": "take"}
FIRST: dict[str, Any] = {"ice_slide_order": "first_met_lowest"}
ON_TOP: dict[str, Any] = {"ice_swap_mode": "land_on_top"}
FIXED = {"slides": "off"}

STARTS = [
    Case("1 starts a small", "red S:s S:m S:l / blue", "1", ("red: S:m S:l; 4: rs",)),
    Case("2 a medium", "red S:s S:m S:l / blue", "2", ("red: S:s S:l; 4: rm",)),
    Case("3 any", "red S:s S:m S:l / blue", "3", ("red: S:m S:l; 4: rs", "red: S:s S:l; 4: rm", "red: S:s S:m; 4: rl")),
    Case("no other card", "red S:s S:m S:l / blue", "7", ()),
    Case("equal ones are one choice", "red S:l S:l H:s / blue", "3", ("red: S:l H:s; 4: rl",)),
    Case("covers", "red S:m / blue | 4: bs", "2", ("red: -; 4: bs rm",)),
    Case("stacks on its own", "red S:m / blue | 4: rm", "2", ("red: -; 4: rm rm", "4: -; 6: rm")),
    Case("or walks", "red S:s / blue | 4: rl | 20: rm", "1", ("red: -; 4: rl rs", "4: -; 5: rl", "20: -; 21: rm")),
    Case("others start", "red S:s S:m / blue", "7", ("red: S:s; 4: rm",), {"start_cards": {"7": ("medium", "large")}}),
]
MOVES = [
    Case("top or all", "red / blue | 20: bm rm", "1", ("20: bm; 21: rm", "20: -; 21: bm rm")),
    Case("never two of three", "red / blue | 20: bm rm rm", "1", ("20: bm rm; 21: rm", "20: -; 21: bm rm rm")),
    Case("what is covered stays", "red / blue | 20: bs bl rm", "1", ("20: bs bl; 21: rm", "20: bs; 21: bl rm")),
    Case("only the top's owner", "red / blue | 20: rm bm", "1", ()),
    Case("covered pawns are free when the top has left", "red / blue | 20: rm bl", "1", ("20: rm; 21: bl",), {}, "blue"),
    Case("IQ1: the lowest touches", "red / blue | 20: bm rs | 21: ys", "1", ("20: bm; 21: ys rs", "20: -; 21: ys bm rs")),
    Case("IQ1: the top counts", "red / blue | 20: bm rs | 21: ys", "1", ("20: bm; 21: ys rs", "20: -; 21: ys bm= rs"), TOP),
    Case("IQ1: the top may cover", "red / blue | 20: bs rm= | 21: ym", "1", ("20: bs; 21: ym rm", "20: -; 21: ym bs rm="), TOP),
    Case("IQ1: the top covers", "red / blue | 20: bs rm= | 21: ys", "1", ("20: bs; 21: ys rm", "20: -; 21: ys bs> rm="), TOP),
    Case("IQ1: signs go on an empty square", "red / blue | 20: ys bm= rs", "1", ("20: ys bm=; 21: rs", "20: -; 21: ys bm= rs"), TOP),
    Case("IQ1: and where the unit begins", "red / blue | 20: yl bs> rs", "1", ("20: yl bs>; 21: rs", "20: yl; 21: bs rs"), TOP),
    Case("IQ28: units go back", "red / blue | 20: bm rs", "4", ("20: bm; 19: rs", "20: -; 19: bm rs")),
    Case("10 goes back 1 too", "red / blue | 22: rm", "10", ("22: -; 32: rm", "22: -; 21: rm")),
    Case("which may be declined", "red Z5:m / blue", "10", ("red Z5: -; red Z4: rm",), {"ten_back_forced": False}, compulsory=False),
    Case("nothing must be moved", "red / blue | 20: rm", "5", ("20: -; 25: rm",), {"must_move": False}, compulsory=False),
]
ZONES = [
    Case("exact count", "red Z3:m / blue", "3", ("red: H:m; red Z3: -",)),
    Case("overshoot", "red Z3:m / blue", "5", ()),
    Case("bounce", "red Z3:m / blue", "5", ("red Z3: -; red Z4: rm",), {"home_overshoot": "bounce"}),
    Case("any count", "red Z3:m / blue", "5", ("red: H:m; red Z3: -",), {"home_overshoot": "any"}),
    Case("back out", "red Z2:m / blue", "4", ("red Z2: -; 0: rm",)),
    Case("not out", "red Z2:m / blue", "4", (), {"backward_out_of_zone": False}),
    Case("IQ27: covers in the zone", "red Z3:s Z2:m / blue", "1", ("red Z3: rs rm; red Z2: -", "red Z3: -; red Z4: rs")),
    Case("IQ6: together", "red / blue | red Z3: rl rm", "3", ("red: H:m; red Z3: rl", "red: H:m H:l; red Z3: -")),
    Case("IQ6: one by one", "red / blue | red Z3: rl rm", "3", ("red: H:m; red Z3: rl",), {"ice_stack_home": "top_only"}),
    Case(
        "IQ6: by overshoot too",
        "red / blue | 0: rl rm",
        "12",
        ("red: H:m; 0: rl", "0: -; 12: rl rm", "0: rl; 12: rm"),
        {"ice_stack_home": "top_only", "home_overshoot": "any"},
    ),
    Case("IQ6: into the zone", "red / blue | 0: rl rm", "5", ("0: rl; red Z3: rm", "0: -; red Z3: rl rm"), {"ice_stack_home": "top_only"}),
    Case("IQ5: top only", "red / blue | 0: bm rm", "5", ("0: bm; red Z3: rm",)),
    Case("IQ5: up to the entry", "red / blue | 0: bm rm", "2", ("0: bm; 2: rm", "0: -; 2: bm rm")),
    Case("IQ5: the others are dropped", "red / blue | 0: bm rm", "5", ("0: bm; red Z3: rm", "0: -; 2: bm; red Z3: rm"), DROP),
    Case(
        "IQ5: in their order",
        "red / blue / yellow | 0: rl bl rm ys rs | 2: ys",
        "5",
        ("0: rl bl rm ys; red Z3: rs", "0: -; 2: ys bl ys; red Z3: rl rm rs"),
        DROP,
    ),
    Case(
        "IQ5: home",
        "red / blue / yellow | 0: rl bl rm ys rs",
        "8",
        ("red: H:s; 0: rl bl rm ys", "red: H:s H:m H:l; 0: -; 2: bl ys"),
        DROP,
    ),
    Case("IQ5: from the entry itself", "red / blue | 2: bs bl rm", "3", ("2: bs bl; red Z3: rm",), DROP),
    Case("IQ5: signs go", "red / blue | 0: rs bs rm=", "5", ("0: rs bs; red Z3: rm", "0: -; 2: bs; red Z3: rs rm"), DROP | TOP),
    Case("IQ5: of both", "red / blue | 0: bm rs bl= rm", "5", ("0: bm rs bl=; red Z3: rm", "0: -; 2: bm bl; red Z3: rs rm"), DROP | TOP),
    Case("IQ5: to START", "red / blue S:l | 0: bm rm", "5", ("0: bm; red Z3: rm", "0: -; blue: S:m S:l; red Z3: rm"), TO_START),
    Case("IQ8: past the entry", "red / blue | 59: rm", "12", ("59: -; 11: rm",), compulsory=False),
    Case("IQ8: forbidden", "red / blue | 59: rm", "12", (), {"forward_past_entry": "forbidden"}),
    Case("IQ8: forced", "red / blue | 59: rm", "12", ("59: -; 11: rm",), {"forward_past_entry": "forced"}),
    Case("IQ8: not where the count fits", "red / blue | 0: rm", "5", ("0: -; red Z3: rm",)),
    Case("IQ8: or there too", "red / blue | 0: rm", "5", ("0: -; red Z3: rm", "0: -; 5: rm"), {"pass_scope": "always"}),
    Case("IQ8: mixed stacks too", "red / blue | 0: bm rm", "12", ("0: bm; 12: rm", "0: -; 12: bm rm"), compulsory=False),
    Case("IQ8: never from the zone", "red Z4:m / blue", "12", ()),
    Case("IQ7: allowed", "red / blue | 15: bl rm", "5", ("15: bl; 20: rm", "15: -; 20: bl rm")),
    Case("IQ7: forbidden", "red / blue | 15: bl rm", "5", ("15: bl; 20: rm",), NO_CARRY),
    Case("IQ7: up to the entry", "red / blue | 15: bl rm", "2", ("15: bl; 17: rm", "15: -; 17: bl rm"), NO_CARRY),
    Case("IQ7: by a slide", "red / blue | 11: bl rm", "5", ("11: bl; 19: rm",), NO_CARRY),
    Case("IQ7: back", "red / blue | 18: bl rm", "4", ("18: bl; 14: rm", "18: -; 14: bl rm"), NO_CARRY),
    Case("IQ7: who is past it already", "red / blue | 18: bl rm", "5", ("18: bl; 23: rm", "18: -; 23: bl rm"), NO_CARRY),
    Case(
        "IQ7: to where they are dropped",
        "red / green | 43: gm rm",
        "12",
        ("43: gm; 55: rm",),
        NO_CARRY | DROP,
    ),
    Case(
        "IQ7: dropped before their entry",
        "red / blue | 0: bm rm",
        "8",
        ("0: bm; red: H:m", "0: -; 2: bm; red: H:m"),
        NO_CARRY | DROP,
    ),
]
SLIDES = [
    Case("rides", "red / blue | 15: rm", "1", ("15: -; 19: rm",)),
    Case("not the own one", "red / blue | 14: bm", "2", ("14: -; 16: bm",), {}, "blue"),
    Case("IQ12: who is on top decides", "red / blue | 15: rl bm", "1", ("15: rl; 16: bm", "15: -; 16: rl bm"), {}, "blue"),
    Case("IQ12: the stack rides", "red / blue | 15: bl rm", "1", ("15: bl; 19: rm", "15: -; 19: bl rm")),
    Case("leaves a triangle", "red / blue | 16: rm", "1", ("16: -; 17: rm",)),
    Case("back", "red / blue | 20: rm", "4", ("20: -; 19: rm",)),
    Case("back to where it was", "red / blue | 28: rm", "4", ("",)),
    Case("not back", "red / blue | 20: rm", "4", ("20: -; 16: rm",), {"slide_on_backward": False}),
    Case("off", "red / blue | 15: rm", "1", ("15: -; 16: rm",), FIXED),
    Case("all", "red / blue | 58: rm", "3", ("58: -; 4: rm",), {"slides": "all"}),
    Case("of absent colors", "red / blue | 45: rm", "1", ("45: -; 46: rm",), {"absent_color_slides": "inert"}),
    Case(
        "riders", "red / blue | 15: rm | 8: rs", "1", ("15: -; 16: rm", "8: -; 13: rs"), {"slide_riders": {"blue A": (), "red B": ("red",)}}
    ),
    Case("IQ10: M over S, L", "red / blue / green | 15: rm | 17: bs | 18: gl", "1", ("15: -; 17: -; 18: -; 19: gl bs rm",)),
    Case("IQ10: S over M, L", "red / blue / yellow | 15: rs | 17: bm | 18: yl", "1", ("15: -; 17: -; 18: -; 19: yl bm rs",)),
    Case("IQ10: L over M, S", "red / blue / yellow | 15: rl | 17: bm | 18: ys", "1", ("15: -; 17: -; 18: -; 19: ys bm rl",)),
    Case("IQ10: whole piles", "red / blue / green | 15: rm | 17: gs bl | 19: rs bs", "1", ("15: -; 17: -; 19: rs bs gs bl rm",)),
    Case("IQ10: first lowest", "red / blue / green | 15: rm | 17: bs | 18: gl", "1", ("15: -; 17: -; 18: -; 19: bs gl rm",), FIRST),
    Case("IQ10: the last square's next", "red / blue | 15: rm | 17: bs bl | 19: bm bs", "1", ("15: -; 17: -; 19: bs bl bm bs rm",), FIRST),
    Case("IQ10: of one color's B", "red / blue | 23: rm | 25: bs | 28: bm", "1", ("23: -; 25: -; 28: bm bs rm",)),
    Case("IQ11: stays", "red / blue | 15: rm | 16: bs", "1", ("15: -; 19: rm",)),
    Case("IQ11: taken", "red / blue / green | 15: rm | 16: bs | 18: gl", "1", ("15: -; 16: -; 18: -; 19: gl bs rm",), TAKE),
    Case("IQ11: taken, lowest", "red / blue / green | 15: rm | 16: bs | 18: gl", "1", ("15: -; 16: -; 18: -; 19: bs gl rm",), TAKE | FIRST),
    Case("IQ9: only the end", "red / blue | 15: rm | 16: bs | 17: bm | 19: bl", "1", ("15: -; 19: bl rm",), END),
    Case("IQ9: and the triangle", "red / blue | 15: rm | 16: bs | 17: bm | 19: bl", "1", ("15: -; 16: -; 19: bl bs rm",), END | TAKE),
    Case(
        "IQ9: the triangle lowest",
        "red / blue | 15: rm | 16: bs | 17: bm | 19: bl",
        "1",
        ("15: -; 16: -; 19: bs bl rm",),
        END | TAKE | FIRST,
    ),
    Case("IQ9: units", "red / blue / green | 15: rm | 17: bs gl | 18: bm", "1", ("15: -; 17: bs; 19: gl rm",), CARRY),
    Case("IQ9: covered ones stay", "red / blue | 15: rm | 17: bs | 18: bm | 19: bs", "1", ("15: -; 18: -; 19: bs bm rm",), CARRY),
    Case("IQ9: the triangle's too", "red / blue | 15: rm | 16: bs bm | 18: bl", "1", ("15: -; 16: bs; 18: -; 19: bl bm rm",), CARRY | TAKE),
    Case(
        "IQ9: units, first lowest",
        "red / blue / green | 15: rm | 17: bs gl | 18: bs | 19: bl",
        "1",
        ("15: -; 17: bs; 19: gl bl rm",),
        CARRY | FIRST,
    ),
    Case(
        "IQ1 on a slide",
        "red / blue | 15: rl rs | 17: bm | 18: bs",
        "1",
        ("15: rl; 17: -; 18: -; 19: bs bm= rs", "15: -; 17: -; 18: -; 19: bs bm= rl= rs"),
        TOP,
    ),
    Case(
        "IQ1 on a slide, first lowest",
        "red / blue | 15: rl rs | 17: bm | 18: bs",
        "1",
        ("15: rl; 17: -; 18: -; 19: bm bs rs", "15: -; 17: -; 18: -; 19: bm bs rl= rs"),
        TOP | FIRST,
    ),
    Case("signs of what is taken begin anew", "red / blue | 15: rs | 17: bl bs>", "1", ("15: -; 17: bl; 19: bs rs",), TOP | CARRY | FIRST),
    Case(
        "and stay within it",
        "red / blue | 15: rs | 17: bl bs> bm= | 19: bl",
        "1",
        ("15: -; 17: bl; 19: bs bm= bl rs",),
        TOP | CARRY | FIRST,
    ),
]
SWITCHES = [
    Case("IQ16: slots", "red / blue / yellow | 20: rs bl | 40: ym", "11", ("20: ym bl; 40: rs", "20: bl rs"), {}, compulsory=False),
    Case("IQ16: on top", "red / blue / yellow | 20: rs bl | 40: ym", "11", ("20: bl ym; 40: rs", ""), ON_TOP, compulsory=False),
    Case(
        "IQ16: on top of piles",
        "red / blue | 20: rs bl | 40: bm bs",
        "11",
        ("20: bl bm; 40: bs rs", "20: bl bs; 40: bm rs", ""),
        ON_TOP,
        compulsory=False,
    ),
    Case("IQ16: own first", "red / blue | 20: bl rs bm", "11", ("20: bm rs bl", ""), ON_TOP, compulsory=False),
    Case(
        "IQ16: equal sizes",
        "red / blue | 20: rs bl | 40: bs",
        "11",
        ("20: bs bl; 40: rs",),
        {"ice_swap_mode": "same_size"},
        compulsory=False,
    ),
    Case(
        "IQ17: not in one pile",
        "red / blue | 20: rs bl | 40: bs",
        "11",
        ("20: bs bl; 40: rs",),
        {"ice_swap_same_space": False},
        compulsory=False,
    ),
    Case("I-27: beside a forward 11", "red / blue | 5: rl | 40: bs", "11", ("5: -; 19: rl", "5: bs; 40: rl")),
    Case("forced", "red / blue | 20: rs bl", "11", ("20: bl rs",), {"eleven_swap_forced": True}),
    Case("not in zones", "red Z1:s / blue Z2:m", "11", ()),
    Case("IQ18: slides", "red / blue | 20: rs bl | 31: bm", "11", ("20: bm bl; 34: rs; 31: -", "20: bl rs"), {}, compulsory=False),
    Case(
        "IQ18: sweeps",
        "red / blue | 20: rs bl | 31: bm | 33: rl",
        "11",
        ("20: bm bl; 31: -; 33: -; 34: rl rs", "31: -; 33: -; 34: bm rl", "20: bl rs", "20: rs rl; 33: bl", "33: -; 44: rl"),
    ),
    Case(
        "IQ18: alone",
        "red / blue | 20: rs bl | 31: bl bm",
        "11",
        ("20: bm bl; 31: bl; 34: rs", "20: bl bl; 31: rs bm", "20: bl rs"),
        {},
        compulsory=False,
    ),
    Case(
        "IQ18: alone, or with the pile",
        "red / blue | 20: rs bl | 31: bl bm",
        "11",
        ("20: bm bl; 31: -; 34: bl rs", "20: bl bl; 31: rs bm", "20: bl rs"),
        TAKE,
        compulsory=False,
    ),
    Case(
        "IQ18: never",
        "red / blue | 20: rs bl | 31: bm",
        "11",
        ("20: bm bl; 31: rs", "20: bl rs"),
        {"ice_swap_slide": "never"},
        compulsory=False,
    ),
    Case("IQ18: in one pile", "red / blue | 16: rs bl", "11", ("16: bl; 19: rs",), {}, compulsory=False),
    Case("IQ18: below, no slide", "red / blue | 16: bl rs", "11", ("16: rs bl", "16: bl; 27: rs", "16: -; 27: bl rs")),
    Case("HQ8: farther", "red / blue | 59: rs | 20: bl", "11", ("59: bl; 20: rs", "59: -; 10: rs"), {}, compulsory=False),
    Case("HQ8: not farther", "red / blue | 59: rs | 20: bl", "11", ("59: -; 10: rs",), {"swap_may_cross_entry": False}, compulsory=False),
    Case(
        "HQ8: nearer",
        "red / blue | 20: rs bs | 58: bl",
        "11",
        ("20: bl bs; 58: rs", "20: bs rs"),
        {"swap_may_cross_entry": False},
        compulsory=False,
    ),
    Case(
        "signs begin anew",
        "red / blue / yellow | 20: bs rm= ys | 40: bl",
        "11",
        ("20: bs bl ys; 40: rm", "20: rm bs ys", "20: bs ys rm"),
        TOP,
        compulsory=False,
    ),
    Case(
        "above too",
        "red / blue / yellow | 20: bs rm ys> yl= | 40: bl",
        "11",
        ("20: bs bl ys yl=; 40: rm", "20: rm bs ys yl=", "20: bs ys rm yl", "20: bs yl ys rm"),
        TOP,
        compulsory=False,
    ),
]
SORRIES = [
    Case("IQ13: on an opponent's top", "red S:s / blue | 20: bm rl | 40: rl bs", "sorry", ("red: -; 40: rl bs rs",)),
    Case(
        "IQ13: anywhere",
        "red S:s / blue | 20: bm rl | 40: rl bs | 50: rl",
        "sorry",
        ("red: -; 40: rl bs rs", "red: -; 20: bm rl rs"),
        {"ice_sorry_target": "any_in_pile"},
    ),
    Case("IQ14: any size", "red S:s S:l / blue | 20: bm", "sorry", ("red: S:l; 20: bm rs", "red: S:s; 20: bm rl")),
    Case("IQ14: one size", "red S:s S:l / blue | 20: bm", "sorry", ("red: S:s; 20: bm rl",), {"ice_sorry_size": "large_only"}),
    Case("not in zones", "red S:s / blue Z1:s", "sorry", ()),
    Case("IQ15: slides off", "red S:s / blue | 16: bm | 18: rm", "sorry", ("red: -; 18: -; 19: rm rs",)),
    Case("IQ15: takes along", "red S:s / blue | 16: bm | 18: rm", "sorry", ("red: -; 16: -; 18: -; 19: rm bm rs",), TAKE),
    Case("IQ15: stays", "red S:s / blue | 16: bm | 18: rm", "sorry", ("red: -; 16: bm rs",), {"slide_after_sorry": False}),
    Case("HQ22: forward 4", "red S:s / blue | 20: bm rl", "sorry", ("20: bm; 28: rl",), {"sorry_alt_forward": 4}),
    Case("HQ22: past the entry", "red / blue | red Z4: rs | 59: rl", "sorry", ("59: -; red Z1: rl",), {"sorry_alt_forward": 4}),
]
SPLITS = ("21: rm; 26: rl; 20: -", "22: rm; 25: rl; 20: -", "23: rm; 28: rl; 20: -", "28: rm; 23: rl; 20: -", "25: rm; 22: rl; 20: -")
SEVENS = [
    Case("IQ4: one pile", "red / blue | 20: rl rm", "7", ("20: rl; 27: rm", "20: -; 27: rl rm", *SPLITS, "26: rm; 21: rl; 20: -")),
    Case("IQ4: not both", "red / blue | 20: rl rm", "7", ("20: rl; 27: rm", "20: -; 27: rl rm"), {"ice_seven_same_pile": "forbidden"}),
    Case("no split", "red / blue | 20: rl rm", "7", ("20: rl; 27: rm", "20: -; 27: rl rm"), {"seven_parts": 1}),
    Case("HOME needs the balance", "red Z3:s / blue", "7", ()),
    Case(
        "HOME with a balance",
        "red Z3:s / blue | 20: rm",
        "7",
        (
            "red: H:s; red Z3: -; 28: rm; 20: -",
            "27: rm; 20: -",
            "red Z3: -; red Z4: rs; 20: -; 26: rm",
            "red Z3: -; red Z5: rs; 20: -; 25: rm",
        ),
    ),
    Case("two HOME", "red Z3:s Z2:m / blue", "7", ("red: H:s H:m; red Z3: -; red Z2: -",)),
    Case("two from one zone square", "red / blue | red Z3: rs rs", "7", ()),
    Case("not the pawns that have moved", "red / blue | 20: rm | red Z5: rl", "7", ("27: rm; 20: -", "26: rm; 20: -; red: H:l; red Z5: -")),
    Case(
        "nor the larger unit",
        "red Z1:s / blue | 20: rm | 22: rl",
        "7",
        (
            "27: rm; 20: -",
            "22: -; 29: rl",
            "red Z1: -; red Z2: rs; 26: rm; 20: -",
            "red Z1: -; red Z3: rs; 25: rm; 20: -",
            "red Z1: -; red Z4: rs; 28: rm; 20: -",
            "red Z1: -; red Z5: rs; 23: rm; 20: -",
            "red: H:s; red Z1: -; 20: -; 22: rl rm",
            "red Z1: -; red Z2: rs; 22: -; 28: rl",
            "red Z1: -; red Z3: rs; 22: -; 27: rl",
            "red Z1: -; red Z4: rs; 22: -; 26: rl",
            "red Z1: -; red Z5: rs; 22: -; 25: rl",
            "red: H:s; red Z1: -; 22: -; 28: rl",
            "20: -; 21: rm; 22: -; 28: rl",
            "20: -; 22: rm; 27: rl",
            "20: -; 23: rm; 22: -; 26: rl",
            "20: -; 28: rm; 22: -; 25: rl",
            "20: -; 22: -; 28: rl rm",
            "20: -; 22: -; 28: rm rl",
            "20: -; 25: rm; 22: -; 28: rl",
            "20: -; 26: rm; 22: -; 23: rl",
        ),
    ),
    Case("I-11: a part past the entry", "red Z5:s / blue | 57: rl", "7", ("57: -; red Z2: rl", "red: H:s; red Z5: -; 57: -; red Z1: rl")),
    Case("I-11: may be refused", "red / blue | 59: rl | red Z5: rm", "7", ("59: -; red Z4: rl", "59: -; red Z3: rl; red: H:m; red Z5: -")),
    Case("IQ5 in parts", "red Z5:s / blue | 0: bm rm", "7", ("0: bm; red Z5: rs rm", "red: H:s; red Z5: -; 0: bm; red Z4: rm")),
]
ALL = [*STARTS, *MOVES, *ZONES, *SLIDES, *SWITCHES, *SORRIES, *SEVENS]


def decide(case: Case) -> Decision:
    return referee.decide(board_of(case.position, **case.options), case.color, case.card)


def changes(text: str) -> dict[str, list[str]]:
    """The changes that a line of the tables means."""
    places = [part.partition(":") for part in text.split("; ")] if text else []
    return {place: [] if pawns == " -" else pawns.split() for place, _, pawns in places}


def written(decision: Decision) -> list[str]:
    return sorted(str(sorted(outcome.changes.items())) for outcome in decision.outcomes)


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.card} {case.what}")
def test_hand_worked(case: Case) -> None:
    decision = decide(case)
    assert written(decision) == sorted(str(sorted(changes(text).items())) for text in case.found)
    if case.found:
        assert decision.compulsory == case.compulsory
        assert [other.kind for other in decision.others] == ([] if case.compulsory else ["pass"])


# -- the plainest of several ways ------------------------------------------------------------------------


def plainest(position: str, card: str, wanted: str, **options: Any) -> Way:
    """The plainest way to the outcome with the changes given."""
    decision = referee.decide(board_of(position, **options), "red", card)
    way = decision.find({**referee.read_position(position), **changes(wanted)}, "play", card).way
    assert way is not None
    return way


def test_a_single_pawn_is_plainer_than_the_stack_that_leaves_all_others_behind() -> None:
    way = plainest("red / blue | 2: bs bl rm", "3", "2: bs bl; red Z3: rm", **DROP)
    assert (way.kind, way.details) == ("forward", (2, 1, 3))


def test_no_slide_is_plainer_than_a_slide_and_one_part_than_two() -> None:
    way = plainest("red / blue | 21: rm | 28: rm", "7", "21: -; 28: rm rm")
    assert (way.kind, way.slides, way.details) == ("forward", 0, (21, 1, 7))
    way = plainest("red / blue | 20: rm | 21: rm", "7", "20: -; 21: -; 24: rm rm", slides="off")
    assert way.details == ((20, 1, 4, False), (21, 1, 3, False))


def test_of_two_orders_the_lower_place_comes_first() -> None:
    way = plainest("red / blue | 20: rm | 40: rl | red Z1: rs rs", "7", "20: -; 22: rm; 40: -; 45: rl")
    assert way.details == ((20, 1, 2, False), (40, 1, 5, False))


def test_an_outcome_is_compulsory_if_any_way_to_it_is() -> None:
    decision = referee.decide(board_of("red / blue | 57: rm rm", pass_scope="always"), "red", "7")
    ends = {str(sorted(outcome.changes.items())): outcome.compulsory for outcome in decision.outcomes}
    assert not ends[str(sorted(changes("57: -; 4: rm rm").items()))]
    assert ends[str(sorted(changes("57: -; red Z2: rm rm").items()))]


# -- hands -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hand:
    """A hand and what it offers: kinds and cards; a play stands once for each of its outcomes."""

    position: str
    hand: str
    offered: str
    options: dict[str, Any] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)


STUCK = "red Z5:s / blue"
OPTIONAL = "red / blue | 59: rm"  # whom a 12 takes past the entry
HANDS = [
    Hand(STUCK, "5 8 5", "throw 5, throw 8"),
    Hand(STUCK, "5 8 5", "throw 8", {"dead_hand": "oldest"}, {"hand": ("8", "5", "5")}),
    Hand(STUCK, "5 8 5", "throw random", {"dead_hand": "random"}),
    Hand(STUCK, "5 1", "play 1"),
    Hand(STUCK, "5 2", "throw 2, throw 5"),
    Hand(STUCK, "5 2", "idle 2, throw 2, throw 5", {"two_playable_idle": True}),
    Hand(STUCK, "5 2", "idle 2", {"two_playable_idle": True, "optional_counts_as_playable": True}),
    Hand(STUCK, "5 2", "idle 2, pass ", {"two_playable_idle": True}, {"followup": True}),
    Hand(STUCK, "5 8", "", {}, {"followup": True}),
    Hand(STUCK, "5 8", "throw 5, throw 8", {"two_followup_stuck": "discard_one"}, {"followup": True}),
    Hand(STUCK, "5 8", "", {"first_turn_dead_hand": "skip"}, {"first_turn": True}),
    Hand(STUCK, "5 8", "throw 5, throw 8", {"first_turn_dead_hand": "skip"}),
    Hand(OPTIONAL, "12 12", "play 12, throw 12"),
    Hand(OPTIONAL, "12 12", "play 12", {"optional_counts_as_playable": True}),
    Hand(OPTIONAL, "12 1", "play 1, play 12"),
    Hand(OPTIONAL, "12", "play 12, pass ", {}, {"followup": True}),
    Hand(OPTIONAL, "12", "play 12, pass ", {"first_turn_dead_hand": "skip"}, {"first_turn": True}),
    Hand(OPTIONAL, "12 1", "play 1, throw 1, throw 12", {"must_move": False, "forward_past_entry": "forbidden"}),
    Hand(OPTIONAL, "12 1", "play 12, pass ", {"two_in_hand": "play_drawn"}, {"followup": True, "drawn": "12"}),
    Hand("red S:m / blue | 20: rl", "2", "play 2, play 2", {"two_playable_idle": True}),
]


@pytest.mark.parametrize("case", HANDS, ids=lambda case: f"{case.hand}: {case.offered}")
def test_hands(case: Hand) -> None:
    more = {"hand": case.hand.split(), **case.more}
    rules = Rules(**case.options)
    decision = referee.hand_outcomes(rules, ("red", "blue"), "red", referee.read_position(case.position), more.pop("hand"), **more)
    assert ", ".join(f"{choice.kind} {choice.card}" for choice in decision.choices) == case.offered
