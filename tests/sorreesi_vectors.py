"""Hand-worked decisions of Sorreesi: a position, what is left to spend, and what it may lead to.

The table knows no implementation. Whoever answers a case returns the decision set as a set of texts, each made by ``described``:
``"stop"``, or what is spent, the placement with the pawns put down, and what follows, such as
``"die 4: red B 7 / yellow B 7, fight 7"`` or ``"card 5: red B 8 / yellow B B, earns 20 20"``. The players of a case are the groups of
its position in the order written, each with all its pawns; an expected outcome names only the groups that change. ``options`` are
the keyword arguments for ``Rules``; ``check`` compares.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

STOP = "stop"
ORDER = ("red", "blue", "yellow", "green")
TEAMS = {"team_pairs": "opposite"}


class Case(NamedTuple):
    """One decision; ``exactly`` is the whole decision set, ``has`` and ``lacks`` are parts of it."""

    name: str
    position: str
    dice: tuple[int, ...] = ()
    card: str | None = None
    bonus: tuple[int, ...] = ()
    exactly: tuple[str, ...] | None = None
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    mover: str = "red"
    bonus_open: bool = True

    @property
    def players(self) -> tuple[str, ...]:
        """Colors by seat."""
        return tuple(group.split()[0] for group in self.position.split("/"))

    @property
    def rules(self) -> dict[str, Any]:
        """The keyword arguments for ``Rules``, with as many pawns as the position has."""
        return {"pawns": len(groups_of(self.position)[self.mover])} | dict(self.options)


def groups_of(text: str) -> dict[str, list[str]]:
    """Color to places, as written."""
    return {color: places for color, *places in (group.split() for group in text.split("/") if group.strip())}


def canonical(groups: Mapping[str, list[str]]) -> str:
    """The one line for a position: clockwise from red, and in a group base, track, private path, HOME."""
    return " / ".join(" ".join([color, *sorted(groups[color], key=_order)]) for color in ORDER if color in groups)


def _order(place: str) -> tuple[int, int]:
    if place in "BH":
        return (0, 0) if place == "B" else (3, 0)
    return (2, int(place[1:])) if place.startswith("P") else (1, int(place))


def described(
    bonus: Sequence[int], use: Sequence[str], position: str, fights: Sequence[int], left: Mapping[str, Any] | None, over: bool
) -> str:
    """An outcome in words; ``bonus`` is what there was to spend before."""
    if left is None:
        return STOP
    spent = [int(word.removeprefix("bonus ")) for word in use if word.startswith("bonus ")]
    earned = Counter(left["bonus"]) - (Counter(bonus) - Counter(spent))
    words = [f"{' + '.join(sorted(use))}: {position}"]
    words += [f"fight {' '.join(map(str, sorted(fights)))}"] if fights else []
    words += [f"earns {' '.join(map(str, sorted(earned.elements())))}"] if earned else []
    words += ["draws"] if left["draw"] else []
    words += ["wins"] if over else []
    return ", ".join(words)


def expected(case: Case, outcome: str) -> str:
    """The full text of an outcome written with the groups that change."""
    if outcome == STOP:
        return STOP
    spent, what = outcome.split(": ")
    changed, *more = what.split(", ")
    groups = groups_of(changed)
    assert groups.keys() <= set(case.players), f"{case.name}: {outcome} names a color that does not play"
    return ", ".join([f"{spent}: {canonical(groups_of(case.position) | groups)}", *more])


def check(case: Case, found: set[str]) -> None:
    """Fails unless the decision set found is what the case says."""
    if case.exactly is not None:
        assert found == {expected(case, outcome) for outcome in case.exactly}
    for outcome in case.has:
        assert expected(case, outcome) in found, sorted(found)
    for outcome in case.lacks:
        assert expected(case, outcome) not in found


def named(case: Case) -> str:
    """A readable test name."""
    options = ", ".join(f"{name}={value}" for name, value in case.options.items() if name != "team_pairs")
    return f"{case.name}{f' ({options})' if options else ''}"


ALONE = "yellow B B"  # an opponent who is not in the way


def _lone(name: str, place: str, card: str | None, *exactly: str, dice: tuple[int, ...] = (), **options: Any) -> Case:
    """A red pawn on the way, another one HOME."""
    return Case(name, f"red {place} H / {ALONE}", dice, card, exactly=exactly, options=options)


def _bonus(name: str, position: str, bonus: tuple[int, ...], *exactly: str, **options: Any) -> Case:
    """Nothing but bonus moves to spend."""
    return Case(name, position, bonus=bonus, exactly=exactly, options=options)


# -- the table of rulebook 7 -----------------------------------------------------------------------------

VECTORS = [
    Case("base, dice 5 and 2", f"red B B / {ALONE}", (5, 2), exactly=("die 5: red B 0", STOP)),
    Case("base, the 2 after the 5", f"red B 0 / {ALONE}", (2,), exactly=("die 2: red B 2", STOP)),
    Case("base, the 2 after the 5 and another pawn", f"red 0 30 / {ALONE}", (2,), exactly=("die 2: red 2 30", "die 2: red 0 32", STOP)),
    Case("base, dice 1 and 4", f"red B B / {ALONE}", (1, 4), exactly=("die 1 + die 4: red B 0", STOP)),
    Case(
        "dice 1 and 4 and a pawn in play",
        f"red B 20 / {ALONE}",
        (1, 4),
        exactly=("die 1 + die 4: red 0 20", "die 1: red B 21", "die 4: red B 24", "die 1 + die 4: red B 25"),
    ),
    Case("base, dice 5 and 5", f"red B B / {ALONE}", (5, 5), exactly=("die 5: red B 0", STOP)),
    Case(
        "base, the second 5",
        f"red B 0 / {ALONE}",
        (5,),
        exactly=("die 5: red 0 0", "die 5: red B 5", STOP),
    ),
    Case("rel 63, 8", f"red B 63 / {ALONE}", card="8", exactly=("card 8: red B H, earns 10",)),
    _bonus("rel 60, bonus 10", f"red B 60 / {ALONE}", (10,), "bonus 10: red B P7", STOP),
    _bonus("rel 60, bonus 20", f"red B 60 / {ALONE}", (20,)),
    _bonus("rel 61, bonus 10", f"red B 61 / {ALONE}", (10,), "bonus 10: red B H, earns 10", STOP),
    _bonus("rel 51, bonus 20", f"red B 51 / {ALONE}", (20,), "bonus 20: red B H, earns 10", STOP),
    Case("rel 3, opponent alone at rel 7", "red B 3 / yellow B 7", (4,), exactly=("die 4: red B 7, fight 7", STOP)),
    Case(
        "rel 3, two opposing pawns at rel 8",
        "red B 3 / yellow 8 8",
        card="5",
        exactly=("card 5: red B 8 / yellow B B, earns 20 20",),
    ),
    Case("rel 0, card 4", f"red B 0 / {ALONE}", card="4", exactly=("card 4: red B 64",)),
    Case("rel 64, card 4", f"red B P1 / {ALONE}", card="4", exactly=("card 4: red B 60",)),
]

# -- the sheet, S-3 to S-19 ------------------------------------------------------------------------------

SHEET = [
    Case("S-3 a 5 on a die", f"red B B / {ALONE}", (5,), exactly=("die 5: red B 0", STOP)),
    Case("S-3 1", f"red B B / {ALONE}", card="1", exactly=("card 1: red B 0",)),
    Case("S-3 2", f"red B B / {ALONE}", card="2", exactly=("card 2: red B 0, draws",)),
    Case("S-3 Sorry!", "red B B / yellow B 30", card="sorry", exactly=("card sorry: red B 30 / yellow B B, earns 20",)),
    Case("S-3 no other card", f"red B B / {ALONE}", card="5", exactly=()),
    _lone(
        "S-4 the total, or each by itself",
        "20",
        "12",
        *("die 2: red 22 H", "die 3: red 23 H", "card 12: red 32 H", "die 2 + die 3: red 25 H"),
        *("card 12 + die 2: red 34 H", "card 12 + die 3: red 35 H", "card 12 + die 2 + die 3: red 37 H"),
        dice=(2, 3),
    ),
    _lone("S-5 one die may be passed", "20", None, "die 2: red 22 H", STOP, dice=(2,)),
    _lone("S-5 two may not", "20", None, "die 2: red 22 H", "die 3: red 23 H", "die 2 + die 3: red 25 H", dice=(2, 3)),
    _lone("S-6 the card may not be passed", "20", "3", "card 3: red 23 H"),
    _lone("S-6 nor while a die is left", "20", "3", "card 3: red 23 H", "die 2: red 22 H", "card 3 + die 2: red 25 H", dice=(2,)),
    Case("S-9 exactly HOME by a die", f"red B P5 / {ALONE}", (3,), exactly=("die 3: red B H, earns 10", STOP)),
    Case(
        "S-9 exactly HOME by die and card",
        f"red B P2 / {ALONE}",
        (1,),
        "5",
        exactly=("die 1: red B P3", "card 5: red B P7", "card 5 + die 1: red B H, earns 10"),
    ),
    Case("S-9 more is too much", f"red B P5 / {ALONE}", (4,), exactly=()),
    Case("S-10 the private path is private", "red 63 B / yellow B P1", (1,), exactly=("die 1: red P1 B", STOP)),
    Case("S-10 no swap into it", "red 62 H / yellow B P1", card="11", exactly=()),
    Case("S-11 10 for a pawn HOME", f"red P6 20 / {ALONE}", (2,), exactly=("die 2: red H 20, earns 10", "die 2: red P6 22", STOP)),
    Case("S-11 10 for each of two", f"red B P3 P6 / {ALONE} B", card="7", exactly=("card 7: red B H H, earns 10 10",)),
    _lone("S-13 the last pawn HOME wins", "P5", None, "die 3: red H H, wins", STOP, dice=(3,)),
    Case("S-13 S-11 both last pawns at once", f"red P3 P6 / {ALONE}", card="7", exactly=("card 7: red H H, wins",)),
    Case("S-14 own pawns share", f"red 18 20 20 / {ALONE} B", (2,), has=("die 2: red 20 20 20",)),
    Case("S-14 nobody blocks", "red 20 H / yellow 21 21", card="3", exactly=("card 3: red 23 H",)),
    Case("S-14 two own pawns do not block", f"red 20 22 22 / {ALONE} B", card="3", has=("card 3: red 23 22 22",)),
    Case("S-15 S-16 an opponent is sent back", "red 20 H / yellow B 23", card="3", exactly=("card 3: red 23 H / yellow B B, earns 20",)),
    Case("S-15 by a backward move", "red 24 H / yellow B 20", card="4", exactly=("card 4: red 20 H / yellow B B, earns 20",)),
    Case("S-15 by a part of a 7", "red 20 P5 / yellow B 24", card="7", has=("card 7: red 24 H, fight 24, earns 10",)),
    _bonus("S-16 a 20 is one pawn's", f"red 20 30 / {ALONE}", (20,), "bonus 20: red 40 30", "bonus 20: red 20 50", STOP),
    Case("S-17 a fight on a safe square", "red 20 H / yellow 24 24", (4,), exactly=("die 4: red 24 H, fight 24", STOP)),
    Case("S-17 on an entry square", "red 33 H / yellow B 34", (1,), exactly=("die 1: red 34 H, fight 34", STOP)),
    Case("S-18 no swap with an opponent on a safe square", "red 62 H / yellow B 24", card="11", exactly=()),
    Case("S-18 an own pawn may be on one", "red 63 H / yellow B 25", card="11", exactly=("card 11: red 25 H / yellow B 63",)),
    Case(
        "S-19 partners share",
        "red 20 H / blue B B / yellow 22 24 / green B B",
        (2,),
        exactly=("die 2: red 22 H", STOP),
        options=TEAMS,
    ),
    Case(
        "S-19 partners share safe squares without a fight",
        "red 20 H / blue B B / yellow 22 24 / green B B",
        (4,),
        exactly=("die 4: red 24 H", STOP),
        options=TEAMS,
    ),
]

# -- readings of single decisions ------------------------------------------------------------------------

SPLIT = (
    *("card 7: red 27 30", "card 7: red 20 37", "card 7: red 21 36", "card 7: red 22 35"),
    *("card 7: red 23 34", "card 7: red 24 33", "card 7: red 25 32", "card 7: red 26 31"),
)
SAFE_IN_TURN = "red B 62 / yellow B 63"
ONTO_PAIRS = "red 20 20 / yellow 30 30"

MOVING = [
    _lone("SQ2 SQ3 one by one", "20", "3", "die 2: red 22 H", "card 3: red 23 H", dice=(2,), combine_mode="sequential"),
    _lone("SQ2 only all together", "20", "3", "card 3 + die 2 + die 4: red 29 H", dice=(2, 4), combine_mode="single_hop"),
    _lone(
        "SQ2 all dice where the card has no count",
        "20",
        "4",
        "die 2 + die 3: red 25 H",
        "card 4: red 16 H",
        dice=(2, 3),
        combine_mode="single_hop",
    ),
    _lone("SQ2 SQ4 the total uses all dice", "20", None, "die 2 + die 3: red 25 H", dice=(2, 3), combine_mode="single_hop"),
    _lone("SQ2 SQ4 the total does not fit", "P5", None, dice=(2, 3), combine_mode="single_hop"),
    Case(
        "SQ2 SQ35 a split stands beside the total",
        f"red 20 P6 / {ALONE}",
        (2,),
        "7",
        exactly=("card 7 + die 2: red 29 P6", "card 7: red 26 P7", "card 7: red 25 H, earns 10"),
        options={"combine_mode": "single_hop"},
    ),
    Case(
        "SQ2 a 5 brings a pawn out all the same",
        f"red B 20 / {ALONE}",
        (5, 2),
        exactly=("die 5: red 0 20", "die 2 + die 5: red B 27"),
        options={"combine_mode": "single_hop"},
    ),
    Case("SQ2 a sum of 5 too", f"red B 20 / {ALONE}", (3, 2), has=("die 2 + die 3: red 0 20",), options={"combine_mode": "sequential"}),
    _bonus("SQ2 SQ30 two 20s are two hops", f"red B 20 / {ALONE}", (20, 20), "bonus 20: red B 40", STOP),
    Case(
        "SQ2 a bonus never joins a total",
        f"red B 20 / {ALONE}",
        (2,),
        bonus=(10,),
        exactly=("die 2: red B 22", "bonus 10: red B 30", STOP),
    ),
    _lone("SQ3 4 joins nothing", "20", "4", "die 2: red 22 H", "card 4: red 16 H", dice=(2,)),
    _lone(
        "SQ3 10 joins forward only",
        "20",
        "10",
        "die 2: red 22 H",
        "card 10: red 30 H",
        "card 10: red 19 H",
        "card 10 + die 2: red 32 H",
        dice=(2,),
    ),
    Case(
        "SQ3 7 joins in one piece only",
        f"red P7 20 / {ALONE}",
        (2,),
        "7",
        exactly=("die 2: red P7 22", "card 7: red P7 27", "card 7 + die 2: red P7 29", "card 7: red H 26, earns 10"),
    ),
    Case(
        "SQ3 11 joins forward only",
        "red 20 H / yellow B 30",
        (2,),
        "11",
        exactly=("die 2: red 22 H", "card 11: red 31 H", "card 11 + die 2: red 33 H", "card 11: red 30 H / yellow B 20"),
    ),
    _lone("SQ4 no die may be passed", "20", None, "die 2: red 22 H", dice=(2,), dice_pass="none"),
    _lone("SQ4 any may", "20", None, "die 2: red 22 H", "die 3: red 23 H", "die 2 + die 3: red 25 H", STOP, dice=(2, 3), dice_pass="any"),
    _lone("SQ4 a die without a use counts for nothing", "P6", None, "die 1: red P7 H", STOP, dice=(1, 4)),
    _lone("SQ4 equal dice count twice", "P7", None, "die 1: red H H, wins", dice=(1, 1)),
    _lone("SQ5 dice may make the card unplayable", "P4", "3", "die 2: red P6 H", "card 3: red P7 H", dice=(2,)),
    _lone("SQ5 they may not", "P4", "3", "card 3: red P7 H", dice=(2,), card_compulsion="global"),
    _lone(
        "SQ5 a die after which the card can be played",
        "P4",
        "3",
        *("die 1: red P5 H", "card 3: red P7 H", "card 3 + die 1: red H H, wins"),
        dice=(1, 2),
        card_compulsion="global",
    ),
    Case(
        "SQ5 a bonus move that leaves the card without a use",
        f"red B 61 / {ALONE}",
        card="7",
        bonus=(10,),
        exactly=("card 7: red B P5",),
        options={"card_compulsion": "global"},
    ),
    Case(
        "SQ5 the last pawn in the base",
        "red B 20 / yellow B 30",
        (5,),
        "sorry",
        exactly=("card sorry: red 20 30 / yellow B B, earns 20", "die 5: red B 25"),
        options={"card_compulsion": "global"},
    ),
    _lone("SQ5 a card without a use binds nothing", "P4", "8", "die 2: red P6 H", STOP, dice=(2,), card_compulsion="global"),
    Case("SQ6 a swap alone must be played", "red 62 H / yellow B 30", card="11", exactly=("card 11: red 30 H / yellow B 62",)),
    Case(
        "SQ6 a swap alone need not",
        "red 62 H / yellow B 30",
        card="11",
        exactly=("card 11: red 30 H / yellow B 62", STOP),
        options={"eleven_swap_forced": False},
    ),
    Case(
        "SQ6 a swap counts where 11 forward is possible",
        "red 20 62 / yellow B 30",
        card="11",
        exactly=("card 11: red 31 62", "card 11: red 30 62 / yellow B 20", "card 11: red 20 30 / yellow B 62"),
        options={"eleven_swap_forced": False},
    ),
    _lone("HQ14 one back must be played", "63", "10", "card 10: red 62 H"),
    _lone("HQ14 one back alone need not", "63", "10", "card 10: red 62 H", STOP, ten_back_forced=False),
    _lone("HQ14 with 10 forward one is due", "20", "10", "card 10: red 19 H", "card 10: red 30 H", ten_back_forced=False),
    _lone("SQ12 a 2 brings no other card", "20", "2", "card 2: red 22 H", two_draws_again="never"),
    _lone("SQ12 a 2 that is played brings another card", "20", "2", "card 2: red 22 H, draws", two_draws_again="if_played"),
    _lone("SQ12 in a total too", "20", "2", "card 2: red 22 H, draws", "die 3: red 23 H", "card 2 + die 3: red 25 H, draws", dice=(3,)),
    _lone("13.6 a 2 that wins draws nothing", "P6", "2", "card 2: red H H, wins"),
    _lone("SQ33 too much is illegal", "P6", None, dice=(6,)),
    _lone("SQ33 the surplus bounces", "P6", None, "die 6: red P4 H", STOP, dice=(6,), home_overshoot="bounce"),
    _lone("SQ33 the surplus bounces to where it was", "P6", None, "die 4: red P6 H", STOP, dice=(4,), home_overshoot="bounce"),
    _lone("SQ33 out of the path", "P6", "12", "card 12: red 61 H", home_overshoot="bounce"),
    _lone("SQ33 not out of the path", "P6", "12", home_overshoot="bounce", backward_out_of_zone=False),
    _lone("SQ33 anything will do", "P6", "12", "card 12: red H H, wins", home_overshoot="any"),
    Case(
        "SQ33 a bounce meets who stands there",
        "red P6 B / yellow B 61",
        card="12",
        exactly=("card 12: red 61 B / yellow B B, earns 20",),
        options={"home_overshoot": "bounce"},
    ),
    _lone("SQ34 4 back from behind the entry square", "64", "4", "card 4: red 60 H"),
    _lone("SQ34 one back makes the short way available", "64", "10", "card 10: red 63 H", "card 10: red 6 H"),
    _lone("SQ34 back within the path", "P5", "4", "card 4: red P1 H"),
    _lone("SQ34 back out of the path onto the turn-off square", "P4", "4", "card 4: red 63 H"),
    _lone("SQ34 not out of the path", "P4", "4", backward_out_of_zone=False),
    _lone("SQ34 but within", "P5", "4", "card 4: red P1 H", backward_out_of_zone=False),
    _lone("SQ34 never into the path", "1", "4", "card 4: red 65 H"),
    Case("SQ35 7 whole or between two pawns", f"red 20 30 / {ALONE}", card="7", exactly=SPLIT),
    Case("SQ35 no split", f"red 20 30 / {ALONE}", card="7", exactly=SPLIT[:2], options={"seven_parts": 1}),
    Case("SQ35 never out of the base", f"red B P7 / {ALONE}", card="7", exactly=()),
    Case("SQ35 the rest cannot be used", f"red P3 P7 / {ALONE}", card="7", exactly=()),
    Case("SQ35 never between three", f"red P3 P7 P7 / {ALONE} B", card="7", exactly=()),
    Case("SQ35 between three", f"red P3 P7 P7 / {ALONE} B", card="7", exactly=("card 7: red H H H, wins",), options={"seven_parts": 3}),
    Case("SQ35 both parts capture", "red 18 20 / yellow 21 22", card="7", has=("card 7: red 21 24 / yellow B 22, earns 20",)),
    Case("SQ35 both parts fight", "red 22 27 / yellow 24 32", card="7", has=("card 7: red 24 32 / yellow 24 B, fight 24, earns 20",)),
    Case(
        "SQ36 pawns that stand alone",
        "red 20 21 21 / yellow 30 30 33",
        card="11",
        exactly=("card 11: red 31 21 21", "card 11: red 20 32 21", "card 11: red 33 21 21 / yellow 30 30 20"),
    ),
    Case(
        "SQ36 one of several, each meeting who is left",
        ONTO_PAIRS,
        card="11",
        exactly=("card 11: red 20 31", "card 11: red B 30 / yellow B 20, earns 20"),
        options={"swap_requires_single": False},
    ),
    Case(
        "SQ36 the other pawn fights on the square left",
        "red 24 24 / yellow B 30",
        card="11",
        has=("card 11: red 24 30 / yellow B 24, fight 24",),
        options={"swap_requires_single": False},
    ),
    Case(
        "HQ8 a swap may be barred from leaving the own pawn farther from HOME",
        "red 20 50 / yellow 30 40",
        card="11",
        exactly=("card 11: red 31 50", "card 11: red 20 61", "card 11: red 30 50 / yellow 20 40", "card 11: red 40 50 / yellow 20 30"),
        options={"swap_may_cross_entry": False},
    ),
    Case(
        "HQ22 a Sorry! card may count 4 forward, alone or with dice",
        "red B 20 / yellow B 30",
        (3,),
        "sorry",
        exactly=(
            "card sorry: red 20 30 / yellow B B, earns 20",
            "card sorry: red B 24",
            "card sorry + die 3: red B 27",
            "die 3: red B 23",
        ),
        options={"sorry_alt_forward": 4},
    ),
    Case("SQ46 blue enters 17 squares ahead", "red B H / blue B B", (5,), exactly=("die 5: blue B 17", STOP), mover="blue"),
    Case(
        "SQ46 or 17 behind",
        "red B H / blue B B",
        (5,),
        exactly=("die 5: blue B 51", STOP),
        options={"turn_vs_travel": "opposite"},
        mover="blue",
    ),
    Case(
        "SQ46 and turns off there",
        "red B H / blue 46 B",
        (1,),
        exactly=("die 1: blue P1 B", STOP),
        options={"turn_vs_travel": "opposite"},
        mover="blue",
    ),
    _lone("2.2 a private path of 8 squares", "63", "8", "card 8: red P8 H", home_path_length=8),
    Case(
        "2.2 HOME is one square farther",
        f"red P8 B / {ALONE}",
        (1,),
        exactly=("die 1: red H B, earns 10", STOP),
        options={"home_path_length": 8},
    ),
]

ENTERING = [
    Case("SQ15 a 5 on a die is none", f"red B B / {ALONE}", (5, 2), exactly=(), options={"enter_die_five": False}),
    Case("SQ15 but a sum is", f"red B B / {ALONE}", (3, 2), exactly=("die 2 + die 3: red B 0", STOP), options={"enter_die_five": False}),
    Case("SQ15 a sum of 5 is none", f"red B B / {ALONE}", (1, 4), exactly=(), options={"enter_sum_five": False}),
    Case("SQ16 die and card make no 5", f"red B B / {ALONE}", (2,), "3", exactly=()),
    _bonus("SQ16 a bonus is no 5", f"red B B / {ALONE}", (5,), capture_bonus=5),
    Case("SQ17 leaving may be passed", f"red B P6 / {ALONE}", (5, 2), exactly=("die 5: red 0 P6", "die 2: red B H, earns 10", STOP)),
    Case("SQ17 leaving may not", f"red B B / {ALONE}", (5,), exactly=("die 5: red B 0",), options={"enter_forced": True}),
    Case("SQ17 nor by a sum", f"red B B / {ALONE}", (1, 4), exactly=("die 1 + die 4: red B 0",), options={"enter_forced": True}),
    Case(
        "SQ17 the 5 may go elsewhere",
        f"red B 20 / {ALONE}",
        (5,),
        exactly=("die 5: red 0 20", "die 5: red B 25"),
        options={"enter_forced": True},
    ),
    Case("SQ17 without a pawn in the base", f"red 20 H / {ALONE}", (5,), exactly=("die 5: red 25 H", STOP), options={"enter_forced": True}),
    Case("SQ17 a card must be played, if only to leave", f"red B B / {ALONE}", (2,), "1", exactly=("card 1: red B 0",)),
    Case(
        "SQ18 other cards",
        f"red B 20 / {ALONE}",
        card="4",
        exactly=("card 4: red 0 20", "card 4: red B 16"),
        options={"start_cards": ("4", "10")},
    ),
    Case("SQ18 and no others", f"red B 20 / {ALONE}", card="1", exactly=("card 1: red B 21",), options={"start_cards": ("4", "10")}),
    Case("SQ18 Sorry! is of no use", "red B 20 / yellow B 30", card="sorry", exactly=(), options={"start_cards": ("1",)}),
    Case("SQ19 on the entry square", "red B H / yellow B B", card="1", exactly=("card 1: yellow B 34",), mover="yellow"),
    Case("SQ20 a fight on the entry square", "red B H / yellow 0 0", card="1", exactly=("card 1: red 0 H, fight 0",)),
    Case(
        "SQ20 or all are sent back",
        "red B H / yellow 0 0",
        card="1",
        exactly=("card 1: red 0 H / yellow B B, earns 20 20",),
        options={"entry_conflict": "capture"},
    ),
    Case(
        "SQ20 by a pawn that walks there a fight all the same",
        "red 67 H / yellow B 0",
        (1,),
        exactly=("die 1: red 0 H, fight 0", STOP),
        options={"entry_conflict": "capture"},
    ),
    Case(
        "SQ21 SQ20 an entry square that is not safe",
        "red B H / yellow B 0",
        (5,),
        exactly=("die 5: red 0 H / yellow B B, earns 20", STOP),
        options={"safe_squares": (7, 12)},
    ),
]

MEETING = [
    Case(
        "SQ21 another square is safe",
        "red 20 H / yellow B 23",
        (3,),
        exactly=("die 3: red 23 H, fight 23", STOP),
        options={"safe_squares": (0, 6, 12)},
    ),
    Case(
        "SQ21 none is",
        "red 20 H / yellow B 24",
        (4,),
        exactly=("die 4: red 24 H / yellow B B, earns 20", STOP),
        options={"safe_squares": ()},
    ),
    Case("SQ26 passing is no landing", "red 20 H / yellow 22 24", (6,), exactly=("die 6: red 26 H", STOP)),
    Case("SQ27 a turn-off square is safe for all", SAFE_IN_TURN, (1,), exactly=("die 1: red B 63, fight 63", STOP)),
    Case(
        "SQ27 or only for its owner",
        SAFE_IN_TURN,
        (1,),
        exactly=("die 1: red B 63 / yellow B B, earns 20", STOP),
        options={"turnoff_safe_for": "owner"},
    ),
    Case(
        "SQ27 who is",
        "red B 63 / yellow B 62",
        (1,),
        exactly=("die 1: yellow B 63, fight 63", STOP),
        options={"turnoff_safe_for": "owner"},
        mover="yellow",
    ),
    Case(
        "SQ27 an absent color's too",
        "red B 45 / yellow B 46",
        (1,),
        exactly=("die 1: red B 46 / yellow B B, earns 20", STOP),
        options={"turnoff_safe_for": "owner"},
    ),
    Case(
        "SQ27 entry squares are not concerned",
        "red B 33 / yellow B 34",
        (1,),
        exactly=("die 1: red B 34, fight 34", STOP),
        options={"turnoff_safe_for": "owner"},
    ),
    Case(
        "SQ27 a swap there",
        "red 62 H / yellow B 46",
        card="11",
        exactly=("card 11: red 46 H / yellow B 62",),
        options={"turnoff_safe_for": "owner"},
    ),
    Case(
        "SQ23 who stayed on a safe square with others",
        "red 20 H / yellow B 24 / green B 24",
        (4,),
        exactly=("die 4: red 24 H, fight 24", STOP),
        options={"fight_tie": "both_stay"},
    ),
    Case("SQ28 pawns of one color", "red 20 H / yellow 23 23", (3,), exactly=("die 3: red 23 H / yellow B B, earns 20 20", STOP)),
    Case(
        "SQ29 not yet time for bonus moves",
        f"red 20 H / {ALONE}",
        (2,),
        bonus=(10,),
        exactly=("die 2: red 22 H", STOP),
        options={"bonus_timing": "end_of_turn"},
        bonus_open=False,
    ),
    _bonus("SQ30 bonus moves are free", f"red 20 H / {ALONE}", (10, 20), "bonus 10: red 30 H", "bonus 20: red 40 H", STOP),
    _bonus("SQ30 or must be made", f"red 20 H / {ALONE}", (10, 20), "bonus 10: red 30 H", "bonus 20: red 40 H", bonus_forced=True),
    _bonus("SQ30 if they can", f"red P6 H / {ALONE}", (10, 20), bonus_forced=True),
    Case(
        "SQ30 SQ29 later",
        f"red 20 H / {ALONE}",
        (2,),
        bonus=(10,),
        exactly=("die 2: red 22 H", STOP),
        options={"bonus_forced": True, "bonus_timing": "end_of_roll"},
        bonus_open=False,
    ),
    _bonus("SQ31 a bonus move captures", "red 20 H / yellow B 40", (20,), "bonus 20: red 40 H / yellow B B, earns 20", STOP),
    _bonus("SQ31 and fights", "red 21 H / yellow B 41", (20,), "bonus 20: red 41 H, fight 41", STOP),
    Case(
        "SQ24 SQ31 S-16 no 20", "red 20 H / yellow B 23", (3,), exactly=("die 3: red 23 H / yellow B B", STOP), options={"capture_bonus": 0}
    ),
    Case("S-11 no 10", f"red B P5 / {ALONE}", (3,), exactly=("die 3: red B H", STOP), options={"home_bonus": 0}),
    Case(
        "S-11 S-16 other squares",
        "red 20 P7 / yellow B 21",
        (1,),
        exactly=("die 1: red 21 P7 / yellow B B, earns 15", "die 1: red 20 H, earns 5", STOP),
        options={"home_bonus": 5, "capture_bonus": 15},
    ),
    Case(
        "SQ32 Sorry! earns nothing",
        "red B H / yellow 30 30",
        card="sorry",
        exactly=("card sorry: red 30 H / yellow B B",),
        options={"sorry_bonus": False},
    ),
    Case("SQ37 no Sorry! onto a safe square", "red B H / yellow 7 B", card="sorry", exactly=()),
    Case(
        "SQ37 Sorry! and a fight",
        "red B H / yellow 7 30",
        card="sorry",
        exactly=("card sorry: red 7 H, fight 7", "card sorry: red 30 H / yellow 7 B, earns 20"),
        options={"sorry_on_safe": "fight"},
    ),
    Case(
        "SQ38 Sorry! sends all of them back",
        "red B H / yellow 30 30",
        card="sorry",
        exactly=("card sorry: red 30 H / yellow B B, earns 20 20",),
    ),
    Case("SQ38 Sorry! needs a pawn in the base", "red 20 H / yellow 30 30", card="sorry", exactly=()),
]

FOUR = "red 20 B / blue B B / yellow 40 B / green B B"
HOME_ALONE = "red H H / blue B B / yellow 40 B / green B B"
PARTNERS_OPEN = "red B H / blue B B / yellow 30 30 / green B 35"
IN_TEAMS = [
    Case("SQ40 own pawns only", FOUR, (2,), exactly=("die 2: red B 22", STOP), options=TEAMS),
    Case(
        "SQ40 both colors",
        FOUR,
        (2,),
        exactly=("die 2: red B 22", "die 2: yellow B 42", STOP),
        options=TEAMS | {"team_control": "both_colors"},
    ),
    Case(
        "SQ40 both colors leave",
        FOUR,
        card="1",
        has=("card 1: red 0 20", "card 1: yellow 34 40"),
        options=TEAMS | {"team_control": "both_colors"},
    ),
    Case(
        "SQ40 SQ35 a split between partners",
        "red P7 H / blue B B / yellow 40 H / green B B",
        card="7",
        exactly=("card 7: yellow 47 H", "card 7: red H H / yellow 46 H, earns 10"),
        options=TEAMS | {"team_control": "both_colors"},
    ),
    Case(
        "SQ41 all of both must be HOME",
        "red P7 H / blue B B / yellow 40 B / green B B",
        (1,),
        exactly=("die 1: red H H, earns 10", STOP),
        options=TEAMS,
    ),
    Case(
        "SQ41 or all of one",
        "red P7 H / blue B B / yellow 40 B / green B B",
        (1,),
        exactly=("die 1: red H H, wins", STOP),
        options=TEAMS | {"team_win": "first_member"},
    ),
    Case(
        "SQ41 the last of both",
        "red P7 H / blue B B / yellow H H / green B B",
        (1,),
        exactly=("die 1: red H H, wins", STOP),
        options=TEAMS,
    ),
    Case("SQ42 who is HOME leaves it at that", HOME_ALONE, (2,), exactly=(), options=TEAMS),
    Case(
        "SQ42 or goes on with the partner's pawns",
        HOME_ALONE,
        (5,),
        exactly=("die 5: yellow 40 34", "die 5: yellow B 45", STOP),
        options=TEAMS | {"team_finished_player": "plays_for_partner"},
    ),
    Case(
        "SQ42 not before",
        FOUR,
        (2,),
        exactly=("die 2: red B 22", STOP),
        options=TEAMS | {"team_finished_player": "plays_for_partner"},
    ),
    Case(
        "13.6 two partners' pawns go back together",
        "red 20 H / blue B 23 / yellow B B / green B 23",
        (3,),
        exactly=("die 3: red 23 H / blue B B / green B B, earns 20 20", STOP),
        options=TEAMS,
    ),
    Case(
        "SQ44 no Sorry! onto partners", PARTNERS_OPEN, card="sorry", exactly=("card sorry: red 35 H / green B B, earns 20",), options=TEAMS
    ),
    Case(
        "SQ44 or onto anybody",
        PARTNERS_OPEN,
        card="sorry",
        exactly=("card sorry: red 35 H / green B B, earns 20", "card sorry: red 30 H / yellow B B"),
        options=TEAMS | {"team_sorry_target": "any"},
    ),
    Case(
        "SQ44 but not on a safe square",
        "red B H / blue B B / yellow B 24 / green B B",
        card="sorry",
        exactly=(),
        options=TEAMS | {"team_sorry_target": "any", "sorry_on_safe": "fight"},
    ),
    Case(
        "SQ44 no swap with partners",
        "red 62 H / blue B B / yellow B 30 / green B 35",
        card="11",
        exactly=("card 11: red 35 H / green B 62",),
        options=TEAMS,
    ),
    Case(
        "SQ44 or with partners too",
        "red 62 H / blue B B / yellow B 30 / green B 35",
        card="11",
        exactly=("card 11: red 35 H / green B 62", "card 11: red 30 H / yellow B 62"),
        options=TEAMS | {"team_eleven_partner": True},
    ),
    Case(
        "SQ44 SQ40 whichever of both moves",
        "red 62 H / blue B B / yellow B 24 / green B B",
        card="11",
        exactly=("card 11: red 24 H / yellow B 62", "card 11: yellow B P6"),
        options=TEAMS | {"team_eleven_partner": True, "team_control": "both_colors"},
    ),
]

CASES = [*VECTORS, *SHEET, *MOVING, *ENTERING, *MEETING, *IN_TEAMS]
