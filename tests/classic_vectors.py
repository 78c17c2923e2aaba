"""Hand-worked decisions of the classic game: a position, a card, and what it may lead to.

The table knows no implementation. Whoever answers a case returns the decision set as a set of texts: the
canonical line of each outcome, and ``"pass"`` where declining is on offer. The players of a case are the
groups of its position in the order written; an expected outcome names only the groups that change.
``options`` are the keyword arguments for ``Rules``; ``check`` compares.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

UNCHANGED = ""  # the outcome that leaves every pawn where it stood
PASS = "pass"
ORDER = ("red", "blue", "yellow", "green")


class Case(NamedTuple):
    """One decision; ``exactly`` is the whole decision set, ``has`` and ``lacks`` are parts of it."""

    name: str
    position: str
    card: str
    exactly: tuple[str, ...] | None = None
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    mover: str = "red"

    @property
    def players(self) -> tuple[str, ...]:
        """Colors by seat."""
        return tuple(group.split()[0] for group in self.position.split("/"))

    @property
    def seat(self) -> int:
        """The seat of the player to move."""
        return self.players.index(self.mover)


def groups_of(text: str) -> dict[str, list[str]]:
    """Color to places, as written."""
    return {color: places for color, *places in (group.split() for group in text.split("/") if group.strip())}


def canonical(groups: Mapping[str, list[str]]) -> str:
    """The one line for a position: clockwise from red, and in a group START, track, zone, HOME."""
    lines = [" ".join([color, *sorted(groups[color], key=_order)]) for color in ORDER if color in groups]
    return " / ".join(lines)


def _order(place: str) -> tuple[int, int]:
    if place in "SH":
        return (0, 0) if place == "S" else (3, 0)
    return (2, int(place[1:])) if place.startswith("Z") else (1, int(place))


def expected(case: Case, outcome: str) -> str:
    """The canonical text of an outcome written as the groups that change."""
    if outcome == PASS:
        return PASS
    changed = groups_of(outcome)
    assert changed.keys() <= set(case.players), f"{case.name}: {outcome} names a color that does not play"
    return canonical(groups_of(case.position) | changed)


def check(case: Case, found: set[str]) -> None:
    """Fails unless the decision set found is what the case says."""
    if case.exactly is not None:
        assert found == {expected(case, outcome) for outcome in case.exactly}
    for outcome in case.has:
        assert expected(case, outcome) in found
    for outcome in case.lacks:
        assert expected(case, outcome) not in found


def named(case: Case) -> str:
    """A readable test name."""
    return f"{case.name}: {case.card}"


ALONE = "yellow S S S S"  # an opponent who is not in the way


def _lone(name: str, place: str, card: str, *ends: str, **options: Any) -> Case:
    """A single red pawn on the way, three at HOME, and the places it may end."""
    exactly = tuple(end if end in (PASS, UNCHANGED) else f"red {end} H H H" for end in ends)
    return Case(name, f"red {place} H H H / {ALONE}", card, exactly, options=options)


# -- rulebook 1.3 --------------------------------------------------------------------------------------

GEOMETRY = [
    _lone("1.3 START", "S", "1", "4"),
    _lone("1.3 START", "S", "2", "4"),
    _lone("1.3 T4 reaches Blue's triangle", "4", "12", "19"),
    _lone("1.3 T5 reaches Blue's triangle", "5", "11", "19"),
    _lone("1.3 T20 back to Blue's triangle", "20", "4", "19"),
    _lone("1.3 T50 back to Green's triangle", "50", "4", "49"),
    Case(
        "1.3 T20 goes 4 as part of a 7",
        f"red 20 Z1 H H / {ALONE}",
        "7",
        ("red 27 Z1 H H", "red 26 Z2 H H", "red 25 Z3 H H", "red 28 Z4 H H", "red 23 Z5 H H", "red 22 H H H"),
    ),
    _lone("1.3 T58 stays on its own triangle", "58", "3", "1"),
    _lone("1.3 T59 reaches the entry", "59", "3", "2"),
    Case("1.3 T59 goes 4 as part of a 7", f"red 59 Z1 H H / {ALONE}", "7", has=("red Z1 Z4 H H",)),
    _lone("1.3 T59 goes into the zone", "59", "8", "Z5"),
    _lone("1.3 T59 cannot overshoot", "59", "10", "58"),
    _lone("1.3 T2 turns into the zone", "2", "1", "Z1"),
    _lone("1.3 T2 turns into the zone", "2", "5", "Z5"),
    _lone("1.3 T2 needs 6", "2", "7"),
    _lone("1.3 T0 reaches HOME", "0", "8", "H"),
    _lone("1.3 z1 backs out of the zone", "Z2", "4", "0"),
    _lone("1.3 z0 backs onto the entry", "Z1", "10", "2"),
    _lone("1.3 T4 one back", "4", "10", "14", "3"),
    _lone("1.3 T3 is behind the circle", "3", "1", "4"),
    _lone("1.3 T6 backs onto the entry", "6", "4", "2"),
    _lone("1.3 T7 backs short of the entry", "7", "4", "3"),
    _lone("1.3 T1 back", "1", "4", "57"),
    Case("1.3 Blue T19", "red S S S S / blue 19 H H H", "12", ("blue 34 H H H",), mover="blue"),
    Case("1.3 Blue T5", "red S S S S / blue 5 H H H", "11", ("blue 16 H H H",), mover="blue"),
    Case("1.3 Green T44", "red S S S S / green 44 H H H", "3", ("green 47 H H H",), mover="green"),
    Case("1.3 Green T44 goes 4 as part of a 7", "red S S S S / green 44 Z1 H H", "7", has=("green Z1 Z4 H H",), mover="green"),
    Case(
        "1.3 T10 and T13",
        f"red 10 13 H H / {ALONE}",
        "7",
        ("red 13 17 H H", "red 10 20 H H", "red 11 19 H H", "red 12 18 H H", "red 14 19 H H"),
    ),
    Case(
        "1.3 T13 and T18",
        f"red 13 18 H H / {ALONE}",
        "7",
        ("red 18 20 H H", "red 13 25 H H", "red 14 28 H H", "red 15 23 H H", "red 19 22 H H", "red 17 21 H H"),
    ),
    Case(
        "1.3 z2 and T20",
        f"red 20 Z3 H H / {ALONE}",
        "7",
        ("red 27 Z3 H H", "red 26 Z4 H H", "red 25 Z5 H H", "red 28 H H H"),
    ),
    Case("1.3 z2 with nobody to use the balance", f"red S S S Z3 / {ALONE}", "7", ()),
    Case(
        "1.3 Sorry! onto Blue's triangle",
        "red S H H H / blue S 16 17 19",
        "sorry",
        ("red 19 H H H / blue S S S S", "red 17 H H H / blue S S 16 19", "red 19 H H H / blue S S 16 17"),
    ),
    Case("1.3 swap of T1 and T30", "red 1 H H H / blue S S S 30", "11", ("red 30 H H H / blue S S S 1", PASS)),
]

# -- the Hasbro sheet, H-6 to H-29 -----------------------------------------------------------------------

HASBRO = [
    Case("H-6 nothing in play and no starting card", f"red S S S S / {ALONE}", "5", ()),
    Case("H-7 no move is possible", f"red S S S Z5 / {ALONE}", "8", ()),
    _lone("H-8 a harmful move must be made", "7", "4", "3"),
    Case("H-8 H-28 bumping an own pawn must be done", f"red 15 17 H H / {ALONE}", "1", ("red S 19 H H", "red 15 18 H H")),
    Case("H-10 pawns are jumped", "red 5 7 H H / yellow S S S 6", "3", ("red 7 8 H H", "red 5 10 H H")),
    Case("H-11 an opponent is bumped", "red 5 H H H / yellow S S S 8", "3", ("red 8 H H H / yellow S S S S",)),
    Case("H-12 an own pawn blocks its square", f"red 5 8 H H / {ALONE}", "3", ("red 5 11 H H",)),
    Case("H-12 an own pawn blocks in the zone", f"red Z2 Z5 H H / {ALONE}", "3", ()),
    Case("H-13 1 starts or moves", f"red S 5 H H / {ALONE}", "1", ("red 4 5 H H", "red S 6 H H")),
    Case("H-14 2 starts or moves", f"red S 5 H H / {ALONE}", "2", ("red 4 5 H H", "red S 7 H H")),
    _lone("H-15 forward 3", "20", "3", "23"),
    _lone("H-15 forward 5", "20", "5", "25"),
    _lone("H-15 forward 8", "20", "8", "28"),
    _lone("H-15 forward 12", "20", "12", "32"),
    _lone("H-16 back 4", "30", "4", "26"),
    Case(
        "H-17 7 whole or between two pawns",
        f"red 20 30 H H / {ALONE}",
        "7",
        (
            *("red 27 30 H H", "red 20 37 H H", "red 21 36 H H", "red 22 35 H H"),
            *("red 23 34 H H", "red 28 33 H H", "red 25 32 H H", "red 26 34 H H"),
        ),
    ),
    Case("H-17 never between three", f"red 20 Z4 Z5 H / {ALONE}", "7", ("red 27 Z4 Z5 H", "red 25 Z5 H H", "red 26 Z4 H H")),
    Case("H-18 7 never starts a pawn", f"red S S S S / {ALONE}", "7", ()),
    Case("H-18 7 never starts a pawn for a part", f"red S 20 S S / {ALONE}", "7", ("red S S S 27",)),
    Case("H-19 both parts go HOME", f"red Z1 Z4 H H / {ALONE}", "7", ("red H H H H",)),
    Case("H-19 the rest cannot be used", f"red Z3 Z5 H H / {ALONE}", "7", ()),
    _lone("H-20 10 forward or 1 back", "20", "10", "30", "19"),
    Case(
        "H-21 a swap alone may be declined",
        "red 58 H H H / yellow S S S 20",
        "11",
        ("red 20 H H H / yellow S S S 58", PASS),
    ),
    Case(
        "H-21 with a forward 11 one of the two is due",
        "red 20 58 H H / yellow S S S 40",
        "11",
        ("red 34 58 H H", "red 40 58 H H / yellow S S S 20", "red 20 40 H H / yellow S S S 58"),
    ),
    Case(
        "H-22 a swap is between pawns on the open track",
        "red S 58 Z1 H / yellow S 20 Z3 H",
        "11",
        ("red S 20 Z1 H / yellow S 58 Z3 H", PASS),
    ),
    Case("H-22 nobody to change places with", "red S 58 Z1 H / yellow S S Z3 H", "11", ()),
    Case("H-23 Sorry!", "red S 20 H H / yellow S 25 Z3 H", "sorry", ("red 20 25 H H / yellow S S Z3 H",)),
    Case("H-23 no pawn on START", "red 20 H H H / yellow S S S 25", "sorry", ()),
    Case("H-23 no opponent on the track", "red S 20 H H / yellow S S Z3 H", "sorry", ()),
    Case(
        "H-23 Sorry! with three opponents",
        "red S 20 H H / blue S S S 5 / yellow S 34 Z1 H / green 47 S S S",
        "sorry",
        ("red 5 20 H H / blue S S S S", "red 20 34 H H / yellow S S Z1 H", "red 20 47 H H / green S S S S"),
    ),
    Case("H-24 two own pawns on the circle", f"red S 4 H H / {ALONE}", "1", ("red S 5 H H",)),
    Case("H-24 an opponent on the circle", "red S H H H / yellow S S S 4", "1", ("red 4 H H H / yellow S S S S",)),
    _lone("H-25 no second lap", "1", "8"),
    _lone("H-25 backward past the entry", "5", "4", "1"),
    Case("H-25 HQ8 past the entry by a swap", "red 50 H H H / yellow S S S 5", "11", ("red 1 H H H", "red 5 H H H / yellow S S S 50")),
    _lone("H-26 a foreign entry is passed by", "30", "5", "35"),
    _lone("H-26 never backward into the zone", "4", "4", "0"),
    _lone("H-26 backing out", "Z2", "4", "0"),
    _lone("H-26 and in again", "0", "3", "Z1"),
    _lone("H-27 too much for HOME", "Z4", "3"),
    _lone("H-27 the exact count", "Z4", "2", "H"),
    _lone("H-27 a pawn on HOME never moves", "Z1", "4", "59"),
    Case(
        "H-28 everybody on the slide goes back",
        "red 13 18 H H / yellow S S 17 19",
        "3",
        ("red S 19 H H / yellow S S S S", "red 13 21 H H"),
    ),
    _lone("H-28 no slide on an own triangle", "6", "3", "9"),
    _lone("H-28 no slide from its middle", "14", "3", "17"),
    _lone("H-28 the longer slide", "19", "5", "28"),
    Case(
        "H-29 a swap onto a foreign triangle",
        "red 20 H H H / yellow S S S 46",
        "11",
        ("red 34 H H H", "red 49 H H H / yellow S S S 20"),
    ),
    Case("HQ9 the own pawn of a swap is on the track", "red Z5 H H H / yellow S S S 20", "11", ()),
    _lone("HQ15 a harmful 4 out of the zone", "Z5", "4", "Z1"),
    Case("HQ17 an own pawn on the triangle", f"red 13 16 H H / {ALONE}", "3", ("red 13 19 H H",)),
    Case("HQ17 an opponent on the triangle", "red 13 H H H / yellow S S S 16", "3", ("red 19 H H H / yellow S S S S",)),
    Case("HQ18 an own pawn at the end of the slide", f"red 13 19 H H / {ALONE}", "3", ("red S 19 H H", "red 13 22 H H")),
    Case("HQ20 Sorry! onto a start circle", "red S H H H / yellow S S S 34", "sorry", ("red 34 H H H / yellow S S S S",)),
    _lone("13.1 a move may leave everything as it was", "28", "4", UNCHANGED),
    Case("13.1 pawns on START are one way to start", f"red S S S S / {ALONE}", "1", ("red S S S 4",)),
    Case("11.1 zones are private", "red Z1 H H H / yellow S S S Z3", "2", ("red Z3 H H H",)),
]

# -- the French sheet, F-3 to F-14 -----------------------------------------------------------------------

PLAYS_ON = {"game_end": "full_ranking"}

FRENCH = [
    Case("F-3 start with a 1", f"red S S S S / {ALONE}", "1", ("red S S S 4",), options=PLAYS_ON),
    Case("F-3 start with a 2", f"red S S S S / {ALONE}", "2", ("red S S S 4",), options=PLAYS_ON),
    Case("F-3 not with a 3", f"red S S S S / {ALONE}", "3", (), options=PLAYS_ON),
    Case("F-4 not two own pawns on the circle", f"red S S S 4 / {ALONE}", "2", ("red S S S 6",), options=PLAYS_ON),
    Case("F-4 an opponent there", "red S S S S / yellow S S S 4", "2", ("red S S S 4 / yellow S S S S",), options=PLAYS_ON),
    Case("F-5 over opponents", "red 5 H H H / yellow S S 6 8", "3", ("red 8 H H H / yellow S S S 6",), options=PLAYS_ON),
    Case("F-6 onto an own pawn", f"red 5 8 H H / {ALONE}", "3", ("red 5 11 H H",), options=PLAYS_ON),
    _lone("F-7 10 forward or 1 back", "21", "10", "34", "20", **PLAYS_ON),
    Case(
        "F-8 swap",
        "red 58 H H H / yellow S 20 Z3 H",
        "11",
        ("red 20 H H H / yellow S 58 Z3 H", PASS),
        options=PLAYS_ON,
    ),
    Case("F-9 Sorry!", "red S H H H / yellow S S 20 Z3", "sorry", ("red 20 H H H / yellow S S S Z3",), options=PLAYS_ON),
    Case("F-10 slide", "red 23 26 H H / yellow S S S 28", "1", ("red S 28 H H / yellow S S S S", "red 23 27 H H"), options=PLAYS_ON),
    _lone("F-10 nothing on an own slide", "8", "1", "9", **PLAYS_ON),
    _lone("F-11 once round only", "0", "12", **PLAYS_ON),
    Case("F-12 the zone is safe from Sorry!", "red S H H H / yellow S S S Z1", "sorry", (), options=PLAYS_ON),
    Case("F-12 the zone is safe from the 11", "red 58 H H H / yellow S S S Z1", "11", (), options=PLAYS_ON),
    _lone("F-13 not backward into the zone", "5", "4", "1", **PLAYS_ON),
    _lone("F-13 from behind START into the zone", "1", "2", "Z1", **PLAYS_ON),
    _lone("F-14 HOME by exact count", "Z4", "5", **PLAYS_ON),
]

# -- the options -----------------------------------------------------------------------------------------


def _with(**options: Any) -> dict[str, Any]:
    return options


STARTS = [
    Case("pawns", "red S 20 H / yellow S S S", "1", ("red 4 20 H", "red S 21 H"), options=_with(pawns=3)),
    Case("start_cards without 1", f"red S 20 H H / {ALONE}", "1", ("red S 21 H H",), options=_with(start_cards=("2", "sorry"))),
    Case("start_cards with 3", f"red S 20 H H / {ALONE}", "3", ("red 4 20 H H", "red S 23 H H"), options=_with(start_cards=("1", "3"))),
    Case("start_cards with 4", f"red S 20 H H / {ALONE}", "4", ("red 4 20 H H", "red S 19 H H"), options=_with(start_cards=("1", "4"))),
    Case(
        "start_cards with 7, as a whole card only",
        f"red S 20 Z5 H / {ALONE}",
        "7",
        ("red 4 20 Z5 H", "red S 27 Z5 H", "red S 26 H H"),
        options=_with(start_cards=("1", "7")),
    ),
    Case(
        "start_cards with 10",
        f"red S 20 H H / {ALONE}",
        "10",
        ("red 4 20 H H", "red S 30 H H", "red S 19 H H"),
        options=_with(start_cards=("1", "10")),
    ),
    Case(
        "start_cards with 11: a start is due, so a lone swap may not be declined",
        "red S 58 H H / yellow S S S 20",
        "11",
        ("red 4 58 H H", "red S 20 H H / yellow S S S 58"),
        options=_with(start_cards=("1", "11")),
    ),
    Case("start_cards without sorry", "red S 20 H H / yellow S S S 50", "sorry", (), options=_with(start_cards=("1", "2"))),
    Case(
        "start_cards without sorry leave its move forward",
        "red S 20 H H / yellow S S S 50",
        "sorry",
        ("red S 28 H H",),
        options=_with(start_cards=("1", "2"), sorry_alt_forward=4),
    ),
    Case(
        "sorry_alt_forward",
        "red S 20 H H / yellow S S S 50",
        "sorry",
        ("red 20 50 H H / yellow S S S S", "red S 28 H H"),
        options=_with(sorry_alt_forward=4),
    ),
    _lone("sorry_alt_forward with nobody to hit", "21", "sorry", "25", sorry_alt_forward=4),
]

DUTIES = [
    _lone("must_move false", "20", "3", "23", PASS, must_move=False),
    _lone("must_move false has nothing to decline", "Z5", "3", must_move=False),
    Case(
        "must_move false at Sorry!",
        "red S H H H / yellow S S S 20",
        "sorry",
        ("red 20 H H H / yellow S S S S", PASS),
        options=_with(must_move=False),
    ),
    Case(
        "eleven_swap_forced",
        "red 58 H H H / yellow S S S 20",
        "11",
        ("red 20 H H H / yellow S S S 58",),
        options=_with(eleven_swap_forced=True),
    ),
    _lone("ten_back_forced false", "59", "10", "58", PASS, ten_back_forced=False),
    _lone("ten_back_forced false with a forward 10", "20", "10", "30", "19", ten_back_forced=False),
    Case(
        "ten_back_forced false with another pawn's forward 10",
        f"red 20 59 H H / {ALONE}",
        "10",
        ("red 30 59 H H", "red 19 59 H H", "red 20 58 H H"),
        options=_with(ten_back_forced=False),
    ),
]

ENTRY = [
    _lone("forward_past_entry forced", "1", "8", "9", forward_past_entry="forced"),
    _lone("forward_past_entry decline_ok", "1", "8", "9", PASS, forward_past_entry="decline_ok"),
    _lone("pass_scope overshoot_only: the count fits", "0", "5", "Z3", forward_past_entry="forced"),
    _lone("pass_scope always: the count fits", "0", "5", "Z3", "5", forward_past_entry="forced", pass_scope="always"),
    _lone("pass_scope always, decline_ok", "0", "5", "Z3", "5", forward_past_entry="decline_ok", pass_scope="always"),
    _lone("pass_scope always: onto the entry is not past it", "59", "3", "2", forward_past_entry="forced", pass_scope="always"),
    _lone("pass_scope always: behind the circle", "3", "12", "15", forward_past_entry="forced", pass_scope="always"),
    _lone("forward_past_entry from the zone", "Z4", "12", forward_past_entry="forced"),
    _lone("forward_past_entry beside home_overshoot bounce", "1", "8", "9", "Z5", forward_past_entry="forced", home_overshoot="bounce"),
    _lone("forward_past_entry beside home_overshoot any", "1", "8", "9", "H", forward_past_entry="decline_ok", home_overshoot="any"),
    _lone("forward_past_entry rides no own slide", "2", "7", "9", forward_past_entry="forced"),
    _lone("forward_past_entry with all slides", "2", "7", "13", forward_past_entry="forced", slides="all"),
    Case(
        "forward_past_entry decline_ok: with it only swaps, all may be declined",
        "red 58 H H H / yellow S S S 20",
        "11",
        ("red 9 H H H", "red 20 H H H / yellow S S S 58", PASS),
        options=_with(forward_past_entry="decline_ok"),
    ),
    Case(
        "forward_past_entry forced: beside it a swap may not be declined",
        "red 58 H H H / yellow S S S 20",
        "11",
        ("red 9 H H H", "red 20 H H H / yellow S S S 58"),
        options=_with(forward_past_entry="forced"),
    ),
    Case(
        "forward_past_entry in parts of a 7",
        f"red 2 Z3 H H / {ALONE}",
        "7",
        ("red 9 Z3 H H", "red Z4 H H H", "red 8 Z4 H H", "red 7 Z5 H H", "red 6 H H H"),
        options=_with(forward_past_entry="decline_ok", pass_scope="always"),
    ),
    Case(
        "forward_past_entry in a part makes the 7 declinable",
        "red 2 Z5 H H / yellow S S S 20",
        "7",
        ("red 9 Z5 H H", "red 8 H H H", "red H H H H"),
        options=_with(forward_past_entry="decline_ok", pass_scope="always"),
    ),
    Case(
        "forward_past_entry in parts of a 7, pawns lifted together",
        f"red 2 Z3 H H / {ALONE}",
        "7",
        ("red 9 Z3 H H", "red Z4 H H H", "red 8 Z4 H H", "red 7 Z5 H H", "red 6 H H H"),
        options=_with(forward_past_entry="decline_ok", pass_scope="always", seven_resolution="simultaneous"),
    ),
    _lone("backward_out_of_zone false", "Z2", "4", backward_out_of_zone=False),
    _lone("backward_out_of_zone false inside the zone", "Z5", "4", "Z1", backward_out_of_zone=False),
    _lone("backward_out_of_zone false and a 10", "Z1", "10", backward_out_of_zone=False),
    _lone("backward_out_of_zone false on the track", "4", "4", "0", backward_out_of_zone=False),
    _lone("home_overshoot bounce", "Z4", "5", "Z3", home_overshoot="bounce"),
    _lone("home_overshoot bounce from the track", "0", "12", "Z2", home_overshoot="bounce"),
    _lone("home_overshoot bounce to where it stood", "Z1", "10", UNCHANGED, "2", home_overshoot="bounce"),
    _lone("home_overshoot bounce to where it stood on the entry", "2", "12", UNCHANGED, home_overshoot="bounce"),
    _lone("home_overshoot bounce out of the zone", "Z5", "12", "57", home_overshoot="bounce"),
    _lone("home_overshoot bounce onto an own triangle", "Z5", "8", "1", home_overshoot="bounce"),
    _lone("home_overshoot bounce onto an own triangle, all slides", "Z5", "8", "4", home_overshoot="bounce", slides="all"),
    _lone("home_overshoot bounce may not leave the zone", "Z5", "12", home_overshoot="bounce", backward_out_of_zone=False),
    _lone("home_overshoot bounce may not end on the entry", "2", "12", home_overshoot="bounce", backward_out_of_zone=False),
    Case(
        "home_overshoot bounce onto an opponent",
        "red Z5 H H H / yellow S S S 57",
        "12",
        ("red 57 H H H / yellow S S S S",),
        options=_with(home_overshoot="bounce"),
    ),
    Case("home_overshoot bounce onto an own pawn", f"red Z3 Z4 H H / {ALONE}", "5", (), options=_with(home_overshoot="bounce")),
    _lone("home_overshoot any", "Z5", "12", "H", home_overshoot="any"),
    _lone("home_overshoot any from the track", "2", "7", "H", home_overshoot="any"),
    Case(
        "home_overshoot any in parts of a 7",
        f"red Z4 Z5 H H / {ALONE}",
        "7",
        ("red Z5 H H H", "red Z4 H H H", "red H H H H"),
        options=_with(home_overshoot="any"),
    ),
]

OWN = [
    Case("own_collision ends_turn", f"red 5 8 H H / {ALONE}", "3", ("red 5 11 H H", UNCHANGED), options=_with(own_collision="ends_turn")),
    Case(
        "own_collision ends_turn and nothing else", f"red Z2 Z5 H H / {ALONE}", "3", (UNCHANGED,), options=_with(own_collision="ends_turn")
    ),
    Case(
        "own_collision ends_turn at a start",
        f"red S 4 H H / {ALONE}",
        "1",
        ("red S 5 H H", UNCHANGED),
        options=_with(own_collision="ends_turn"),
    ),
    Case(
        "own_collision ends_turn backward",
        f"red 5 9 H H / {ALONE}",
        "4",
        ("red 1 9 H H", UNCHANGED),
        options=_with(own_collision="ends_turn"),
    ),
    Case(
        "own_collision ends_turn on a triangle",
        f"red 13 16 H H / {ALONE}",
        "3",
        ("red 13 19 H H", UNCHANGED),
        options=_with(own_collision="ends_turn"),
    ),
    Case(
        "own_collision ends_turn makes a lone swap due",
        "red 2 51 H H / yellow S S S 20",
        "11",
        (UNCHANGED, "red 2 20 H H / yellow S S S 51", "red 20 51 H H / yellow S S S 2"),
        options=_with(own_collision="ends_turn"),
    ),
    Case(
        "own_collision ends_turn, must_move false",
        f"red Z2 Z5 H H / {ALONE}",
        "3",
        (UNCHANGED, PASS),
        options=_with(own_collision="ends_turn", must_move=False),
    ),
    Case(
        "own_collision ends_turn and parts of a 7",
        f"red 20 23 H H / {ALONE}",
        "7",
        ("red 23 27 H H", "red 20 30 H H", "red 21 29 H H", "red 22 28 H H", "red 26 28 H H", "red S 28 H H"),
        options=_with(own_collision="ends_turn"),
    ),
    Case(
        "own_collision bump_self", f"red 5 8 H H / {ALONE}", "3", ("red S 8 H H", "red 5 11 H H"), options=_with(own_collision="bump_self")
    ),
    Case(
        "own_collision bump_self in the zone", f"red Z2 Z5 H H / {ALONE}", "3", ("red S Z5 H H",), options=_with(own_collision="bump_self")
    ),
    Case("own_collision bump_self at HOME", f"red Z3 H H H / {ALONE}", "3", ("red H H H H",), options=_with(own_collision="bump_self")),
    Case(
        "own_collision bump_self at a start",
        f"red S 4 H H / {ALONE}",
        "1",
        (UNCHANGED, "red S 5 H H"),
        options=_with(own_collision="bump_self"),
    ),
    Case(
        "own_collision bump_self on a triangle",
        f"red 13 16 H H / {ALONE}",
        "3",
        ("red S 19 H H", "red 13 19 H H"),
        options=_with(own_collision="bump_self"),
    ),
    Case(
        "own_collision bump_self in a 7",
        f"red 20 23 H H / {ALONE}",
        "7",
        ("red 23 27 H H", "red 20 30 H H", "red 21 29 H H", "red 22 28 H H", "red 26 28 H H", "red S 28 H H", "red S 25 H H"),
        options=_with(own_collision="bump_self"),
    ),
    _lone(
        "own_collision bump_self: a pawn does not bump itself",
        "Z1",
        "10",
        UNCHANGED,
        "2",
        own_collision="bump_self",
        home_overshoot="bounce",
    ),
    Case("own_collision share", f"red 5 8 H H / {ALONE}", "3", ("red 8 8 H H", "red 5 11 H H"), options=_with(own_collision="share")),
    Case("own_collision share in the zone", f"red Z2 Z5 H H / {ALONE}", "3", ("red Z5 Z5 H H",), options=_with(own_collision="share")),
    Case(
        "own_collision share at a start",
        f"red S 4 H H / {ALONE}",
        "1",
        ("red 4 4 H H", "red S 5 H H"),
        options=_with(own_collision="share"),
    ),
    Case(
        "own_collision share on a triangle",
        f"red 13 16 H H / {ALONE}",
        "3",
        ("red 16 19 H H", "red 13 19 H H"),
        options=_with(own_collision="share"),
    ),
    Case(
        "own_collision share on a triangle, own_on_triangle bump",
        f"red 13 16 H H / {ALONE}",
        "3",
        ("red S 19 H H", "red 13 19 H H"),
        options=_with(own_collision="share", own_on_triangle="bump"),
    ),
    Case(
        "own_collision share: a ride still bumps",
        f"red 13 18 18 H / {ALONE}",
        "3",
        ("red S S 19 H", "red 13 18 21 H"),
        options=_with(own_collision="share"),
    ),
    Case(
        "own_collision share: an opponent bumps all",
        "red 5 H H H / yellow S S 8 8",
        "3",
        ("red 8 H H H / yellow S S S S",),
        options=_with(own_collision="share"),
    ),
    Case(
        "own_collision share: Sorry! bumps all",
        "red S H H H / yellow S S 50 50",
        "sorry",
        ("red 50 H H H / yellow S S S S",),
        options=_with(own_collision="share"),
    ),
    Case(
        "own_collision share: a swap needs a single opponent",
        "red 20 H H H / yellow S 40 50 50",
        "11",
        ("red 34 H H H", "red 40 H H H / yellow S 20 50 50"),
        options=_with(own_collision="share"),
    ),
    Case(
        "own_collision share: a swap needs a single own pawn",
        "red 20 20 H H / yellow S S S 40",
        "11",
        ("red 20 34 H H",),
        options=_with(own_collision="share"),
    ),
    Case("own_on_triangle bump", f"red 13 16 H H / {ALONE}", "3", ("red S 19 H H", "red 13 19 H H"), options=_with(own_on_triangle="bump")),
    Case(
        "own_on_triangle bump only where it is ridden",
        f"red 6 9 H H / {ALONE}",
        "3",
        ("red 6 12 H H",),
        options=_with(own_on_triangle="bump"),
    ),
]

SEVEN = [
    Case("seven_parts 1", f"red 20 30 H H / {ALONE}", "7", ("red 27 30 H H", "red 20 37 H H"), options=_with(seven_parts=1)),
    Case(
        "seven_parts 3",
        f"red 20 Z4 Z5 H / {ALONE}",
        "7",
        ("red 27 Z4 Z5 H", "red 25 Z5 H H", "red 26 Z4 H H", "red 28 H H H"),
        options=_with(seven_parts=3),
    ),
    Case("seven_parts 3 is not 4", f"red 20 Z3 Z4 Z5 / {ALONE}", "7", lacks=("red 21 H H H",), options=_with(seven_parts=3)),
    Case("seven_parts 4", f"red 20 Z3 Z4 Z5 / {ALONE}", "7", has=("red 21 H H H",), options=_with(seven_parts=4)),
    Case(
        "seven_parts 4, lifted together",
        f"red 20 Z3 Z4 Z5 / {ALONE}",
        "7",
        has=("red 21 H H H",),
        options=_with(seven_parts=4, seven_resolution="simultaneous"),
    ),
    Case(
        "seven_resolution simultaneous: moved pawns are not bumped by each other's rides",
        f"red 20 23 H H / {ALONE}",
        "7",
        ("red 23 27 H H", "red 20 30 H H", "red 21 29 H H", "red 22 28 H H", "red 26 28 H H"),
        options=_with(seven_resolution="simultaneous"),
    ),
    Case("seven_resolution sequential: one may bump the other", f"red 20 25 H H / {ALONE}", "7", has=("red S 28 H H",)),
    Case(
        "seven_resolution simultaneous: two may not end on one square",
        f"red 20 25 H H / {ALONE}",
        "7",
        lacks=("red S 28 H H", "red 28 28 H H"),
        options=_with(seven_resolution="simultaneous"),
    ),
    Case(
        "seven_resolution simultaneous: a pawn left standing blocks",
        f"red 20 23 30 H / {ALONE}",
        "7",
        lacks=("red 23 23 34 H", "red S 23 34 H"),
        options=_with(seven_resolution="simultaneous"),
    ),
    Case(
        "seven_resolution simultaneous, bump_self: a pawn left standing is bumped",
        f"red 20 23 30 H / {ALONE}",
        "7",
        has=("red S 23 34 H",),
        options=_with(seven_resolution="simultaneous", own_collision="bump_self"),
    ),
    Case(
        "seven_resolution simultaneous, bump_self: two moved pawns on one square",
        f"red 20 23 H H / {ALONE}",
        "7",
        lacks=("red S 25 H H", "red 25 25 H H"),
        options=_with(seven_resolution="simultaneous", own_collision="bump_self"),
    ),
    Case(
        "seven_resolution simultaneous: a ride bumps whom it meets",
        "red 20 26 30 H / yellow S S 27 33",
        "7",
        has=("red S 28 33 H / yellow S S S S",),
        options=_with(seven_resolution="simultaneous"),
    ),
    Case(
        "seven_resolution simultaneous, share",
        f"red 20 23 H H / {ALONE}",
        "7",
        has=("red 25 25 H H",),
        options=_with(seven_resolution="simultaneous", own_collision="share"),
    ),
    Case(
        "seven_resolution simultaneous: both go HOME",
        f"red Z1 Z4 H H / {ALONE}",
        "7",
        ("red H H H H",),
        options=_with(seven_resolution="simultaneous"),
    ),
    Case(
        "seven_resolution simultaneous: an own pawn on the triangle",
        f"red 21 24 30 H / {ALONE}",
        "7",
        lacks=("red S 28 34 H",),
        options=_with(seven_resolution="simultaneous"),
    ),
    Case(
        "seven_resolution simultaneous, own_on_triangle bump",
        f"red 21 24 30 H / {ALONE}",
        "7",
        has=("red S 28 34 H",),
        options=_with(seven_resolution="simultaneous", own_on_triangle="bump"),
    ),
]

SWAP = [
    Case(
        "slide_after_swap mover: the other stays",
        "red 9 H H H / yellow S S S 22",
        "11",
        ("red 20 H H H", "red 22 H H H / yellow S S S 9"),
    ),
    Case(
        "slide_after_swap both",
        "red 9 H H H / yellow S S S 22",
        "11",
        ("red 20 H H H", "red 22 H H H / yellow S S S 13"),
        options=_with(slide_after_swap="both"),
    ),
    Case(
        "slide_after_swap none",
        "red 20 H H H / yellow S S S 46",
        "11",
        ("red 34 H H H", "red 46 H H H / yellow S S S 20"),
        options=_with(slide_after_swap="none"),
    ),
    Case(
        "slide_after_swap both: the mover's ride bumps the other",
        "red 17 H H H / yellow S S S 16",
        "11",
        ("red 28 H H H", "red 19 H H H / yellow S S S S"),
        options=_with(slide_after_swap="both"),
    ),
    Case(
        "slide_after_swap both: the other's ride bumps the mover",
        "red 9 H H H / yellow S S S 11",
        "11",
        ("red 20 H H H", "red S H H H / yellow S S S 13"),
        options=_with(slide_after_swap="both"),
    ),
    Case(
        "slide_after_swap both: the other's ride bumps its own",
        "red 9 H H H / yellow S S 12 22",
        "11",
        ("red 20 H H H", "red 22 H H H / yellow S S S 13", "red S H H H / yellow S S 13 22"),
        options=_with(slide_after_swap="both"),
    ),
    Case("swap_may_cross_entry false", "red 50 H H H / yellow S S S 5", "11", ("red 1 H H H",), options=_with(swap_may_cross_entry=False)),
    Case(
        "swap_may_cross_entry false: nearer HOME is fine",
        "red 20 H H H / yellow S S S 40",
        "11",
        ("red 34 H H H", "red 40 H H H / yellow S S S 20"),
        options=_with(swap_may_cross_entry=False),
    ),
    Case(
        "swap_may_cross_entry false looks at the end of the slide",
        "red 51 H H H / yellow S S S 1",
        "11",
        ("red 2 H H H",),
        options=_with(swap_may_cross_entry=False, slides="all"),
    ),
]

SLIDES = [
    _lone("slides off", "13", "3", "16", slides="off"),
    _lone("slides all: the own longer slide", "6", "3", "13", slides="all"),
    _lone("slides all: the own slide A leads past the entry", "58", "3", "4", slides="all"),
    Case(
        "slides all: own pawns on the own slide",
        f"red 58 2 H H / {ALONE}",
        "3",
        ("red S 4 H H", "red 58 Z3 H H"),
        options=_with(slides="all"),
    ),
    _lone("slide_riders add a color", "6", "3", "13", slide_riders={"red B": ("red", "yellow")}),
    _lone("slide_riders take a color away", "13", "3", "16", slide_riders={"blue A": ("blue",)}),
    _lone("slide_riders of nobody", "13", "3", "16", slide_riders={"blue A": ()}),
    _lone("slide_riders concern the named slide only", "21", "3", "28", slide_riders={"blue A": ()}),
    _lone("slide_riders with slides off", "13", "3", "19", slide_riders={"blue A": ("red",)}, slides="off"),
    _lone("absent_color_slides inert", "13", "3", "16", absent_color_slides="inert"),
    _lone("absent_color_slides inert: present colors", "29", "2", "34", absent_color_slides="inert"),
    _lone("absent_color_slides inert over slide_riders", "13", "3", "16", absent_color_slides="inert", slide_riders={"blue A": ("red",)}),
    Case(
        "absent_color_slides inert: an own pawn on a triangle nobody rides",
        f"red 13 16 H H / {ALONE}",
        "3",
        ("red 13 19 H H",),
        options=_with(absent_color_slides="inert", own_on_triangle="bump"),
    ),
    _lone("slide_on_backward false", "20", "4", "16", slide_on_backward=False),
    _lone("slide_on_backward true at a 10", "17", "10", "27", "19"),
    _lone("slide_on_backward false at a 10", "17", "10", "27", "16", slide_on_backward=False),
    Case("slide_after_sorry true", "red S H H H / yellow S S S 46", "sorry", ("red 49 H H H / yellow S S S S",)),
    Case(
        "slide_after_sorry false",
        "red S H H H / yellow S S S 46",
        "sorry",
        ("red 46 H H H / yellow S S S S",),
        options=_with(slide_after_sorry=False),
    ),
]

CASES = GEOMETRY + HASBRO + FRENCH + STARTS + DUTIES + ENTRY + OWN + SEVEN + SWAP + SLIDES
