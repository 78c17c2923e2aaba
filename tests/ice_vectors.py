"""Hand-worked decisions of Ice Soo Sorry!: a position, a card or a hand, and what it may lead to.

The table knows no implementation. Whoever answers a case returns the decision set as a set of texts, each made by ``described``: the
places that a play changes with all that is there afterwards, such as ``"20: rs | 25: bm"`` (``-`` for nobody), with a hand after the card
(``"5, 20: rs | 25: bm"``); or ``"pass"``, ``"throw 5"``, ``"idle 2"``. The players of a case are the groups of its position in the
order written; piles are written lowest pawn first, ``=`` after a pawn that stacks though larger, ``>`` after one that covers though not
larger. ``options`` are the keyword arguments for ``Rules``; ``check`` compares.

Entries of the safety zones: red 2, blue 17, yellow 32, green 47. Start circles: red 4, blue 19, yellow 34, green 49. Triangles and the
ends of their slides: red 1-4 and 9-13, blue 16-19 and 24-28, yellow 31-34 and 39-43, green 46-49 and 54-58.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

ORDER = ("red", "blue", "yellow", "green")
PASS = "pass"
UNCHANGED = ""
ANY = "any"  # a card that chance throws in

Places = Mapping[str, list[str]]


class Case(NamedTuple):
    """One decision; ``exactly`` is the whole decision set, ``has`` and ``lacks`` are parts of it."""

    name: str
    position: str
    card: str | None = None
    exactly: tuple[str, ...] | None = None
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    mover: str = ""  # the first of the players unless said
    hand: str | None = None  # instead of a card; oldest first
    followup: bool = False  # after a 2
    drawn: str | None = None  # the only card that may be played
    first_turn: bool = False

    @property
    def players(self) -> tuple[str, ...]:
        """Colors by seat."""
        return tuple(group.split()[0] for group in self.position.split(" | ")[0].split("/"))

    @property
    def color(self) -> str:
        """Whose decision it is."""
        return self.mover or self.players[0]

    @property
    def rules(self) -> dict[str, Any]:
        """The keyword arguments for ``Rules``."""
        return {"hand_size": 5 if self.card is None else 0, "seat_colors": self.players} | dict(self.options)


def places_of(text: str) -> dict[str, list[str]]:
    """Place to pawns, as written: a color to those on its START and HOME, and every square with pawns on it."""
    groups, *piles = text.split(" | ")
    found = {pile.partition(": ")[0]: pile.partition(": ")[2].split() for pile in piles}
    for color, *pawns in (group.split() for group in groups.split("/")):
        found[color] = [pawn for pawn in pawns if not pawn.startswith("Z")]
        for zone, size in (pawn.split(":") for pawn in pawns if pawn.startswith("Z")):
            found[f"{color} {zone}"] = [color[0] + size]
    return found


def described(kind: str, card: str, before: Places, after: Places) -> str:
    """A choice in words; ``card`` is the one of a hand, "" for a card drawn or a pass, ``kind`` one of play, pass, throw and idle."""
    if kind != "play":
        return f"{kind} {card}".strip()
    changes = {place: _written(place, after) for place in before.keys() | after.keys() if _written(place, before) != _written(place, after)}
    return _line(card, changes)


def _written(place: str, places: Places) -> str:
    pawns = places.get(place, [])
    return " ".join(sorted(pawns, key=_of_group) if place in ORDER else pawns) or "-"


def _of_group(pawn: str) -> tuple[bool, int]:
    return pawn[0] == "H", "sml".index(pawn[2])


def _line(card: str, changes: Mapping[str, str]) -> str:
    changed = " | ".join(f"{place}: {changes[place]}" for place in sorted(changes, key=_order))
    return f"{card}, {changed}" if card else changed


def _order(place: str) -> tuple[int, str]:
    return (int(place), "") if place.isdigit() else (60, place)


def _expected(outcome: str) -> str:
    """The same text with its places in order."""
    if not outcome or outcome.startswith(("pass", "throw", "idle")):
        return outcome
    card, _, changed = outcome.rpartition(", ")
    return _line(card, dict(part.split(": ", 1) for part in changed.split(" | ")))


def check(case: Case, found: set[str]) -> None:
    """Fails unless the decision set found is what the case says."""
    if case.exactly is not None:
        assert found == {_expected(outcome) for outcome in case.exactly}
    for outcome in case.has:
        assert _expected(outcome) in found, sorted(found)
    for outcome in case.lacks:
        assert _expected(outcome) not in found


def named(case: Case) -> str:
    """A readable test name."""
    options = ", ".join(f"{name}={value}" for name, value in case.options.items())
    return f"{case.name}{f' ({options})' if options else ''}"


# -- piles: the table of rulebook 6.2, and flags -------------------------------------------------------------

ALL_FOUR = "red / blue / yellow / green"


def _pile(pile: str, mover: str, unit: int, alone: str = "", moved: str = "") -> Case:
    """A pile on 20 that somebody moves by 5: its top alone, and its unit of so many pawns, as they are written on an empty square."""
    pawns = pile.split()
    ends = [
        f"20: {' '.join(pawns[:-count]) or '-'} | 25: {text or ' '.join(pawns[-count:])}" for count, text in ((1, alone), (unit, moved))
    ]
    return Case(f"6.2 {pile}", f"{ALL_FOUR} | 20: {pile}", "5", tuple(ends if unit > 1 else ends[:1]), mover=mover)


PILES = [
    _pile("rs bm", "blue", 1),
    _pile("rm bm", "blue", 2),
    _pile("rm bs", "blue", 2),
    _pile("rs bm yl", "yellow", 1),
    _pile("rs gs yl", "yellow", 1),
    _pile("rm bs gl", "green", 1),
    _pile("rl bs ym", "yellow", 1),
    _pile("rs bl ym", "yellow", 2),
    _pile("rl bl ym gs", "green", 4),
    _pile("rs bm ym gl rs", "red", 2),
    _pile("bs rm= ys", "yellow", 3),
    _pile("bl rs>", "red", 1, alone="rs"),
    _pile("bl rs> ys ym=", "yellow", 3, alone="ym", moved="rs ys ym="),
    Case("I-12 I-14 a pile that another leads", f"{ALL_FOUR} | 20: rm bs", "5", (), mover="red"),
]

# -- out of START, and counts ----------------------------------------------------------------------------------

TOP = {"ice_contact_piece": "top"}
Y_SIZES = "yellow S:s S:m S:l / green"
MOVES = [
    Case("I-8 a 1 starts a small one", Y_SIZES, "1", ("yellow: S:m S:l | 34: ys",)),
    Case("I-8 a 2 a medium one", Y_SIZES, "2", ("yellow: S:s S:l | 34: ym",)),
    Case("I-8 a 3 any", Y_SIZES, "3", ("yellow: S:m S:l | 34: ys", "yellow: S:s S:l | 34: ym", "yellow: S:s S:m | 34: yl")),
    Case("I-8 no other card", Y_SIZES, "7", ()),
    Case("I-8 a 2 no small one", "yellow S:s S:l / green", "2", ()),
    Case("I-8 other cards", Y_SIZES, "4", ("yellow: S:s S:m | 34: yl",), options={"start_cards": {"1": (), "4": ("large",)}}),
    Case("I-8 other cards: no 1", Y_SIZES, "1", (), options={"start_cards": {"1": (), "4": ("large",)}}),
    Case("13.1 equal ones are one choice", "blue S:m S:m S:m / green", "2", ("blue: S:m S:m | 19: bm",)),
    Case(
        "IQ26 the circle never blocks",
        "green S:s S:l / red | 49: gm",
        "3",
        ("green: S:l | 49: gm gs", "green: S:s | 49: gm gl", "49: - | 52: gm"),
    ),
    Case("I-9 jumping", "green / red | 20: gs | 21: rl | 22: rl rl", "3", ("20: - | 23: gs",)),
    Case(
        "I-17 IQ28 units go back, and forward",
        "blue / green | 35: gl bm bs",
        "10",
        ("35: gl bm | 45: bs", "35: - | 45: gl bm bs", "34: bs | 35: gl bm", "34: gl bm bs | 35: -"),
    ),
    Case("I-17 two back past the circle", "blue / yellow | 19: bm", "4", ("15: bm | 19: -",)),
    Case("I-17 from there into the zone", "blue / yellow | 15: bm", "3", ("15: - | blue Z1: bm",)),
    Case("1.2 one back is no short cut", "blue / yellow | 18: bm", "1", ("18: - | 19: bm",)),
    Case("I-17 10 back only", "blue Z4:s / green", "10", ("blue Z3: bs | blue Z4: -",)),
    Case("HQ14 may be declined", "blue Z4:s / green", "10", ("blue Z3: bs | blue Z4: -", PASS), options={"ten_back_forced": False}),
    Case(
        "HQ14 but not beside 10 forward",
        "blue / green | 30: bs",
        "10",
        ("30: - | 40: bs", "29: bs | 30: -"),
        options={"ten_back_forced": False},
    ),
    Case("I-7 must move", "blue / green | 20: bs", "5", ("20: - | 25: bs",)),
    Case("I-7 or not", "blue / green | 20: bs", "5", ("20: - | 25: bs", PASS), options={"must_move": False}),
    Case("IQ1 the lowest touches", "green / red | 20: rm gs | 25: rs", "5", ("20: rm | 25: rs gs", "20: - | 25: rs rm gs")),
    Case("IQ1 the top decides", "green / red | 20: rm gs | 25: rs", "5", ("20: rm | 25: rs gs", "20: - | 25: rs rm= gs"), options=TOP),
    Case("IQ1 the top covers", "green / red | 20: rs gm= | 25: rs", "5", ("20: rs | 25: rs gm", "20: - | 25: rs rs> gm="), options=TOP),
    Case(
        "IQ1 it covers what the lowest would cover too",
        "green / red | 20: rl gm | 25: rs",
        "5",
        ("20: rl | 25: rs gm", "20: - | 25: rs rl gm"),
        options=TOP,
    ),
    Case(
        "IQ1 a flag goes with what was beneath",
        "green / red | 20: rl rm> gs | 25: rs",
        "5",
        ("20: rl rm> | 25: rs gs", "20: rl | 25: rs rm= gs"),
        options=TOP,
    ),
]

# -- zones, HOME, the entry --------------------------------------------------------------------------------------

DROP = {"ice_mixed_stack_zone": "drop_at_entry"}
TO_START = {"ice_mixed_stack_zone": "to_start"}
HOME_ALONE = {"ice_stack_home": "top_only"}
NO_CARRY = {"ice_carry_past_entry": "forbidden"}
MANY = "green / red / blue | 44: rl bm gm rs gs | 47: gs"
ZONES = [
    Case("I-28 HOME by exact count", "green / red | 45: gs", "8", ("45: - | green: H:s",)),
    Case("I-26 into the zone", "green / red | 45: gs", "5", ("45: - | green Z3: gs",)),
    Case("I-28 too many", "green Z4:s / red", "3", ()),
    Case("I-28 bounced back", "green Z4:s / red", "3", ("green Z4: - | green Z5: gs",), options={"home_overshoot": "bounce"}),
    Case("I-28 bounced out", "green Z4:s / red", "8", ("47: gs | green Z4: -",), options={"home_overshoot": "bounce"}),
    Case(
        "I-28 not out where nobody goes back out",
        "green Z4:s / red",
        "8",
        (),
        options={"home_overshoot": "bounce", "backward_out_of_zone": False},
    ),
    Case("I-28 any count is enough", "green Z4:s / red", "8", ("green: H:s | green Z4: -",), options={"home_overshoot": "any"}),
    Case("I-25 bounced onto the own triangle", "green Z5:s / red", "8", ("46: gs | green Z5: -",), options={"home_overshoot": "bounce"}),
    Case(
        "I-25 from which it rides",
        "green Z5:s / red",
        "8",
        ("49: gs | green Z5: -",),
        options={"home_overshoot": "bounce", "slides": "all"},
    ),
    Case("I-26 backing out", "green Z2:m / red", "4", ("45: gm | green Z2: -",)),
    Case("I-26 not out", "green Z2:m / red", "4", (), options={"backward_out_of_zone": False}),
    Case("I-26 back inside", "green Z5:m / red", "4", ("green Z1: gm | green Z5: -",), options={"backward_out_of_zone": False}),
    Case("IQ27 covered in the zone", "green / red | green Z2: gm gl", "3", ("green Z2: gm | green Z5: gl",)),
    Case("IQ27 covering there", "green Z2:m Z3:s / red", "1", ("green Z2: - | green Z3: gs gm", "green Z3: - | green Z4: gs")),
    Case(
        "IQ6 HOME together", "green H:l / red | green Z3: gl gs", "3", ("green: H:s H:l | green Z3: gl", "green: H:s H:l H:l | green Z3: -")
    ),
    Case("IQ6 HOME alone", "green H:l / red | green Z3: gl gs", "3", ("green: H:s H:l | green Z3: gl",), options=HOME_ALONE),
    Case(
        "IQ6 within the zone together",
        "green / red | green Z3: gl gs",
        "1",
        ("green Z3: gl | green Z4: gs", "green Z3: - | green Z4: gl gs"),
        options=HOME_ALONE,
    ),
    Case(
        "IQ6 a stack that bounces is not HOME",
        "green / red | green Z3: gl gs",
        "5",
        ("green Z3: gl | green Z4: gs", "green Z3: - | green Z4: gl gs"),
        options=HOME_ALONE | {"home_overshoot": "bounce"},
    ),
    Case("13.1 a bounce back to where it began", "green / red | green Z2: gl gs", "8", (UNCHANGED,), options={"home_overshoot": "bounce"}),
    Case("IQ5 only the top goes in", "green / red | 44: rl gm", "5", ("44: rl | green Z2: gm",)),
    Case("IQ5 all come to the entry", "green / red | 44: rl gm", "3", ("44: rl | 47: gm", "44: - | 47: rl gm")),
    Case(
        "IQ5 dropped on a pile in their order",
        MANY,
        "5",
        ("44: rl bm gm rs | green Z2: gs", "44: - | 47: gs rl bm rs | green Z2: gm gs", "47: - | green Z5: gs"),
        options=DROP,
    ),
    Case(
        "IQ5 back to START",
        MANY,
        "5",
        ("44: rl bm gm rs | green Z2: gs", "44: - | red: S:s S:l | blue: S:m | green Z2: gm gs", "47: - | green Z5: gs"),
        options=TO_START,
    ),
    Case(
        "IQ5 dropped on the way HOME",
        "green / red | 45: rl gm gs",
        "8",
        ("45: rl gm | green: H:s", "45: - | 47: rl | green: H:s H:m"),
        options=DROP,
    ),
    Case("IQ5 IQ6 no stack HOME", "green / red | 45: rl gm gs", "8", ("45: rl gm | green: H:s",), options=DROP | HOME_ALONE),
    Case("IQ5 dropped where they stand", "green / red | 47: rl gm", "2", ("47: rl | green Z2: gm",), options=DROP),
    Case(
        "IQ5 flags of neighbors that part",
        "green / red | 44: rs gm= rm gl=",
        "5",
        ("44: rs gm= rm | green Z2: gl", "44: - | 47: rs rm | green Z2: gm gl"),
        options=DROP | TOP,
    ),
    Case("13.6 a barred stack does not go round", "green / red | 44: rl gm", "5", ("44: rl | green Z2: gm",), lacks=("44: - | 49: rl gm",)),
    Case("IQ8 past the entry", "green / red | 46: gs", "12", ("46: - | 58: gs", PASS)),
    Case("IQ8 forbidden", "green / red | 46: gs", "12", (), options={"forward_past_entry": "forbidden"}),
    Case("IQ8 forced", "green / red | 46: gs", "12", ("46: - | 58: gs",), options={"forward_past_entry": "forced"}),
    Case("IQ8 mixed stacks too", "green / red | 44: rl gm", "12", ("44: rl | 56: gm", "44: - | 56: rl gm", PASS)),
    Case("IQ8 not where the count fits", "green / red | 46: gs", "5", ("46: - | green Z4: gs",)),
    Case("IQ8 there too", "green / red | 46: gs", "5", ("46: - | green Z4: gs", "46: - | 51: gs"), options={"pass_scope": "always"}),
    Case("IQ8 never from the zone", "green Z1:s / red", "12", ()),
    Case(
        "IQ8 beside a bounce", "green / red | 46: gs", "8", ("46: - | green Z5: gs", "46: - | 54: gs"), options={"home_overshoot": "bounce"}
    ),
    Case("I-25 past onto the own triangle", "green / red | 44: gs", "10", ("44: - | 58: gs", "43: gs | 44: -"), options={"slides": "all"}),
    Case("IQ7 carried past its entry", "blue / yellow | 30: yl bm", "5", ("30: yl | 35: bm", "30: - | 35: yl bm")),
    Case("IQ7 forbidden", "blue / yellow | 30: yl bm", "5", ("30: yl | 35: bm",), options=NO_CARRY),
    Case("IQ7 up to it", "blue / yellow | 30: yl bm", "2", ("30: yl | 32: bm", "30: - | 32: yl bm"), options=NO_CARRY),
    Case("IQ7 not by a slide", "blue / yellow | 26: yl bm", "5", ("26: yl | 34: bm",), options=NO_CARRY),
    Case("IQ7 once past it", "blue / yellow | 33: yl bm", "5", ("33: yl | 38: bm", "33: - | 38: yl bm"), options=NO_CARRY),
    Case("IQ7 back", "blue / yellow | 35: yl bm", "4", ("34: bm | 35: yl", "34: yl bm | 35: -"), options=NO_CARRY),
]

# -- slides --------------------------------------------------------------------------------------------------------

FIRST = {"ice_slide_order": "first_met_lowest"}
CARRY = {"ice_slide_mode": "carry_stacked"}
END = {"ice_slide_mode": "end_only"}
TAKE = {"ice_slide_triangle": "take"}
CROWD = "yellow / red / blue / green | 51: ym | 55: rs bl | 57: gs | 58: rl"
ON_IT = "yellow / red / blue / green | 51: ym | 54: rl | 56: bs"
SMALL_ON_IT = "yellow / red | 51: ym | 54: rs"
SLIDES = [
    Case("IQ9 IQ10 the last met is the lowest", CROWD, "3", ("51: - | 55: - | 57: - | 58: rl gs rs bl ym",)),
    Case("IQ10 the first met is", CROWD, "3", ("51: - | 55: - | 57: - | 58: rs bl gs rl ym",), options=FIRST),
    Case("IQ9 what is covered stays", CROWD, "3", ("51: - | 55: rs | 58: rl bl ym",), options=CARRY),
    Case("IQ9 IQ10 what is covered stays, the first lowest", CROWD, "3", ("51: - | 55: rs | 58: bl rl ym",), options=CARRY | FIRST),
    Case("IQ9 only the end", CROWD, "3", ("51: - | 58: rl ym",), options=END),
    Case("IQ11 the triangle's pile stays", ON_IT, "3", ("51: - | 56: - | 58: bs ym",)),
    Case("IQ11 or is met", ON_IT, "3", ("51: - | 54: - | 56: - | 58: bs rl ym",), options=TAKE),
    Case("IQ11 as the first", ON_IT, "3", ("51: - | 54: - | 56: - | 58: rl bs ym",), options=TAKE | FIRST),
    Case("IQ11 stacked on", ON_IT, "3", ("51: - | 54: - | 58: rl ym",), options=TAKE | CARRY),
    Case("IQ11 with the end", ON_IT, "3", ("51: - | 54: - | 58: rl ym",), options=TAKE | END),
    Case("IQ11 IQ9 covered", SMALL_ON_IT, "3", ("51: - | 58: ym",), options=TAKE | CARRY),
    Case("IQ11 swept", SMALL_ON_IT, "3", ("51: - | 54: - | 58: rs ym",), options=TAKE),
    Case("IQ12 who leads decides", "yellow / green | 51: gl ym", "3", ("51: gl | 58: ym", "51: - | 58: gl ym")),
    Case("IQ12 the own triangle", "yellow / green | 51: yl gm", "3", ("51: yl | 54: gm", "51: - | 54: yl gm"), mover="green"),
    Case("I-25 all slides", "yellow / green | 51: gs", "3", ("51: - | 58: gs",), options={"slides": "all"}, mover="green"),
    Case("I-25 no slides", "yellow / green | 51: ym", "3", ("51: - | 54: ym",), options={"slides": "off"}),
    Case("HQ3 absent colors' slides", "yellow / red | 51: ym", "3", ("51: - | 58: ym",)),
    Case("HQ3 inert", "yellow / red | 51: ym", "3", ("51: - | 54: ym",), options={"absent_color_slides": "inert"}),
    Case(
        "10 slides for some",
        "yellow / green | 51: ym | 45: ys",
        "1",
        ("51: - | 52: ym", "45: - | 46: ys"),
        options={"slide_riders": {"green A": ("red", "blue")}},
    ),
    Case("HQ16 back onto a triangle", "yellow / green | 50: gm ym", "4", ("49: ym | 50: gm", "49: gm ym | 50: -")),
    Case(
        "HQ16 without a slide",
        "yellow / green | 50: gm ym",
        "4",
        ("46: ym | 50: gm", "46: gm ym | 50: -"),
        options={"slide_on_backward": False},
    ),
    Case("13.1 back to where it was", "yellow / green | 58: gl ym", "4", (UNCHANGED,)),
    Case(
        "IQ10 back with a pawn from the way",
        "yellow / red | 56: ys | 58: rl ym",
        "4",
        ("56: - | 58: rl ys ym", "56: - | 58: ys rl ym", "52: ys | 56: -"),
    ),
    Case("I-25 one back onto a triangle", "green / red | 25: gs", "10", ("25: - | 35: gs", "25: - | 28: gs")),
    Case(
        "IQ1 landing after landing",
        "yellow / red / blue | 51: yl ys | 55: rm | 57: bs",
        "3",
        ("51: yl | 55: - | 57: - | 58: bs rm= ys", "51: - | 55: - | 57: - | 58: bs rm= yl= ys"),
        options=TOP,
    ),
    Case(
        "IQ1 13.6 flags of what is pushed ahead",
        "yellow / red | 51: ys | 55: rm | 57: rl rs>",
        "3",
        ("51: - | 55: - | 57: rl | 58: rm rs ys",),
        options=TOP | CARRY | FIRST,
    ),
    Case(
        "IQ1 pushed ahead",
        "yellow / red / blue | 51: yl ys | 55: rm | 57: bs",
        "3",
        ("51: yl | 55: - | 57: - | 58: rm bs ys", "51: - | 55: - | 57: - | 58: rm bs yl= ys"),
        options=TOP | FIRST,
    ),
]

# -- switches ------------------------------------------------------------------------------------------------------

ON_TOP = {"ice_swap_mode": "land_on_top"}
NOT_FARTHER = {"swap_may_cross_entry": False}
BURIED = "green / red | 20: gs rl | 50: rm"
RULEBOOK = "red / blue / yellow | 10: rl | 40: bs ym"
ON_16 = "green / red | 16: rm | 20: gs rl"
SWITCHES = [
    Case("I-20 I-22 IQ34 a buried pawn", BURIED, "11", ("20: rl gs", "20: rm rl | 50: gs", PASS)),
    Case("I-27 compulsory", BURIED, "11", ("20: rl gs", "20: rm rl | 50: gs"), options={"eleven_swap_forced": True}),
    Case("IQ17 not in one pile", BURIED, "11", ("20: rm rl | 50: gs", PASS), options={"ice_swap_same_space": False}),
    Case("IQ16 slots", RULEBOOK, "11", ("10: - | 21: rl", "10: bs | 40: rl ym", "10: ym | 40: bs rl")),
    Case("IQ16 on top", RULEBOOK, "11", ("10: - | 21: rl", "10: bs | 40: ym rl", "10: ym | 40: bs rl"), options=ON_TOP),
    Case("IQ16 equal sizes", RULEBOOK, "11", ("10: - | 21: rl",), options={"ice_swap_mode": "same_size"}),
    Case(
        "IQ16 equal sizes in piles",
        "green / red | 20: gs rl | 50: rm rs",
        "11",
        ("20: rs rl | 50: rm gs", PASS),
        options={"ice_swap_mode": "same_size"},
    ),
    Case("IQ16 on top in one pile", "green / red / blue | 20: rl gs bm", "11", (UNCHANGED, "20: bm gs rl", PASS), options=ON_TOP),
    Case("IQ18 slides", ON_16, "11", ("16: - | 19: gs | 20: rm rl", "20: rl gs", PASS)),
    Case("IQ18 never", ON_16, "11", ("16: gs | 20: rm rl", "20: rl gs", PASS), options={"ice_swap_slide": "never"}),
    Case(
        "IQ18 only from the top",
        "green / red | 16: rm rs | 20: gs rl",
        "11",
        ("16: gs rs | 20: rm rl", "16: rm | 19: gs | 20: rs rl", "20: rl gs", PASS),
    ),
    Case(
        "IQ18 13.6 on top the own one rides",
        "green / red | 16: rm rs | 20: gs rl",
        "11",
        ("16: rs | 19: gs | 20: rl rm", "16: rm | 19: gs | 20: rl rs", UNCHANGED, PASS),
        options=ON_TOP,
    ),
    Case("IQ18 within a pile on a triangle", "green / red | 16: gs rl", "11", ("16: rl | 19: gs", PASS)),
    Case("IQ19 the other one stays on a triangle", "green / red | 24: gs | 41: rm", "11", ("24: - | 35: gs", "24: rm | 41: gs")),
    Case("IQ18 sweeps the one just switched", "green / red | 24: rm | 27: gs", "11", ("27: - | 38: gs", "24: - | 27: - | 28: rm gs")),
    Case(
        "HQ8 the end of the slide counts",
        "green / red | 24: rm | 27: gs",
        "11",
        ("27: - | 38: gs", "24: - | 27: - | 28: rm gs"),
        options=NOT_FARTHER,
    ),
    Case("HQ8 farther", "green / red | 29: gs | 24: rm", "11", ("29: - | 40: gs", "24: - | 28: gs | 29: rm")),
    Case("HQ8 not farther", "green / red | 29: gs | 24: rm", "11", ("29: - | 40: gs",), options=NOT_FARTHER),
    Case(
        "HQ8 across the entry",
        "green / red | 45: gs | 46: rm | 50: rl",
        "11",
        ("45: - | 56: gs", "45: rm | 46: gs", PASS),
        options=NOT_FARTHER,
    ),
    Case("I-21 not in zones", "green Z1:s / red Z2:m", "11", ()),
    Case("I-21 nor with those in zones", "green / red Z2:m | 20: gs", "11", ("20: - | 34: gs",)),
    Case(
        "IQ1 flags of those switched and above",
        "green / red | 20: rm gs> rl= | 50: rs",
        "11",
        ("20: gs rm rl", "20: rm rl gs", "20: rm rs rl | 50: gs", PASS),
        options=TOP,
    ),
    Case(
        "IQ1 on top with a flag above",
        "green / red | 20: rm gs> rl= | 50: rs",
        "11",
        ("20: rl gs rm", "20: rm gs rl", "20: rm rl rs | 50: gs", PASS),
        options=TOP | ON_TOP,
    ),
]

# -- Sorry! --------------------------------------------------------------------------------------------------------

WAITING = "blue S:s S:l / green | 50: gm | 51: bm gl"
BEHIND = "blue S:s / green | 52: gm bs"
ANYWHERE = {"ice_sorry_target": "any_in_pile"}
ON_46 = "blue S:s / green | 46: gm"
SORRIES = [
    Case(
        "I-24 IQ14 any size on any opponent",
        WAITING,
        "sorry",
        ("blue: S:l | 50: gm bs", "blue: S:s | 50: gm bl", "blue: S:l | 51: bm gl bs", "blue: S:s | 51: bm gl bl"),
    ),
    Case("IQ14 small", WAITING, "sorry", ("blue: S:l | 50: gm bs", "blue: S:l | 51: bm gl bs"), options={"ice_sorry_size": "small_only"}),
    Case("IQ14 medium", WAITING, "sorry", (), options={"ice_sorry_size": "medium_only"}),
    Case("IQ14 large", WAITING, "sorry", ("blue: S:s | 50: gm bl", "blue: S:s | 51: bm gl bl"), options={"ice_sorry_size": "large_only"}),
    Case("IQ13 not under an own pawn", BEHIND, "sorry", ()),
    Case("IQ13 or there", BEHIND, "sorry", ("blue: - | 52: gm bs bs",), options=ANYWHERE),
    Case("IQ13 never where only own pawns are", "blue S:s / green | 52: bm bs", "sorry", (), options=ANYWHERE),
    Case("IQ13 nor in zones", "blue S:s / green Z1:m", "sorry", ()),
    Case("IQ15 slides off", ON_46, "sorry", ("blue: - | 49: bs",)),
    Case("IQ15 with the pile", ON_46, "sorry", ("blue: - | 46: - | 49: gm bs",), options=TAKE),
    Case("IQ15 stays", ON_46, "sorry", ("blue: - | 46: gm bs",), options={"slide_after_sorry": False}),
    Case("IQ15 the own triangle", "blue S:s / green | 16: gm", "sorry", ("blue: - | 16: gm bs",)),
    Case("IQ15 two ways to one end", "blue S:s / green | 46: gm | 49: gl", "sorry", ("blue: - | 49: gl bs",)),
    Case("HQ22 no move instead", "blue / green | 40: bs", "sorry", ()),
    Case(
        "HQ22 4 forward", "blue / green | 40: bs | 42: bm", "sorry", ("40: - | 44: bs", "42: - | 49: bm"), options={"sorry_alt_forward": 4}
    ),
]

# -- sevens --------------------------------------------------------------------------------------------------------

TWO = "yellow / red | 36: yl ys"
WHOLE = ("36: yl | 43: ys", "36: - | 43: yl ys")
NEAR = "yellow Z5:m / red | 31: ys"
NEAR_HOME = ("31: - | yellow: H:s", "31: - | yellow: H:m | yellow Z5: ys")
PARTED = tuple(f"36: - | {36 + part}: {one} | {43 - part}: {other}" for part in (1, 2, 3) for one, other in (("ys", "yl"), ("yl", "ys")))
SEVENS = [
    Case(
        "I-18 between two",
        "yellow / red | 40: ym | 50: ys",
        "7",
        (
            *("40: - | 47: ym", "50: - | 57: ys", "40: - | 41: ym | 50: - | 56: ys", "40: - | 42: ym | 50: - | 55: ys"),
            *("40: - | 43: ym | 50: - | 58: ys", "40: - | 44: ym | 50: - | 53: ys", "40: - | 45: ym | 50: - | 52: ys"),
            "40: - | 49: ym | 50: - | 51: ys",
        ),
    ),
    Case(
        "13.1 equal ends are one choice",
        "yellow / red | 40: ys | 41: ys",
        "7",
        (
            *("40: - | 47: ys", "41: - | 48: ys", "40: - | 41: - | 42: ys | 49: ys", "40: - | 41: - | 43: ys | 45: ys"),
            "40: - | 41: - | 44: ys ys",
        ),
    ),
    Case(
        "I-18 either order, if they meet",
        "yellow / red | 36: ym | 37: ys",
        "7",
        (
            *("36: - | 43: ym", "37: - | 44: ys", "36: - | 37: ym | 43: ys", "36: - | 37: - | 38: ym | 42: ys"),
            *("36: - | 37: - | 39: ym | 41: ys", "36: - | 37: - | 40: ym ys", "36: - | 37: - | 40: ys ym"),
            *("36: - | 37: - | 39: ys | 41: ym", "36: - | 37: - | 38: ys | 42: ym"),
        ),
    ),
    Case("IQ4 from one pile", TWO, "7", (*WHOLE, *PARTED)),
    Case("IQ4 not from one pile", TWO, "7", WHOLE, options={"ice_seven_same_pile": "forbidden"}),
    Case("I-18 no split", TWO, "7", WHOLE, options={"seven_parts": 1}),
    Case("13.6 not the larger unit", "yellow / red | 36: ys | 37: yl", "7", has=("37: - | 44: yl",), lacks=("36: - | 37: - | 43: yl ys",)),
    Case(
        "13.6 nor what a slide has brought along",
        "yellow / red | 23: ys | 26: yl",
        "7",
        has=("23: - | 26: - | 28: ys | 32: yl", "26: - | yellow Z1: yl"),
        lacks=("23: - | 26: - | 28: yl | 34: ys", "23: - | 26: - | 34: yl ys", "23: - | 26: - | 28: ys | 34: yl"),
    ),
    Case("I-18 the balance must be usable", "yellow Z3:m / red", "7", ()),
    Case("I-18 and is", "yellow Z3:m / red | 5: ys", "7", has=("5: - | 13: ys | yellow: H:m | yellow Z3: -", "5: - | 12: ys")),
    Case(
        "IQ9 what a slide leaves behind may go on",
        "red / blue | 15: rm | 17: rs bl",
        "7",
        ("15: - | 22: rm", "15: - | 17: - | 19: bl rm | 23: rs"),
        options=CARRY,
    ),
    Case("I-18 a part HOME", "yellow Z5:m / red | 31: ys", "7", NEAR_HOME),
    Case(
        "IQ8 a part past the entry",
        NEAR,
        "7",
        (*NEAR_HOME, "31: - | 38: ys", "31: - | 37: ys | yellow: H:m | yellow Z5: -"),
        options={"pass_scope": "always"},
    ),
    Case(
        "IQ7 a part at a time",
        "blue / yellow | 30: yl bm | 40: bs",
        "7",
        has=("30: - | 32: yl bm | 40: - | 45: bs",),
        lacks=("30: - | 33: yl bm | 40: - | 44: bs",),
        options=NO_CARRY,
    ),
    Case(
        "IQ5 a part leaves the others at the entry",
        "green / red | 44: rl gm | 20: gs",
        "7",
        has=("20: - | 23: gs | 44: - | 47: rl | green Z1: gm",),
        options=DROP,
    ),
]

# -- hands ---------------------------------------------------------------------------------------------------------

STUCK = "blue Z5:m / green"
ROUND = "green / red | 46: gs"  # whom a 12 takes past the entry
STEP, LAP = "1, 46: - | 47: gs", "12, 46: - | 58: gs"
IDLE = {"two_playable_idle": True}
MUST_PLAY = {"optional_counts_as_playable": True}
SKIP = {"first_turn_dead_hand": "skip"}


def _hand(name: str, position: str, hand: str, *exactly: str, **more: Any) -> Case:
    return Case(name, position, exactly=exactly, hand=hand, **more)


HANDS = [
    _hand(
        "I-4 any card of the hand",
        "blue S:s S:m / green | 20: bl",
        "1 8 8",
        *("1, blue: S:m | 19: bs", "1, 20: - | 21: bl", "8, 20: - | 28: bl"),
    ),
    _hand("IQ24 what can be played must be", STUCK, "5 1", "1, blue: H:m | blue Z5: -"),
    _hand("I-6 any card is thrown in", STUCK, "8 5 8", "throw 5", "throw 8"),
    _hand("I-6 the oldest", STUCK, "8 5 8", "throw 8", options={"dead_hand": "oldest"}),
    _hand("I-6 one at random", STUCK, "8 5 8", f"throw {ANY}", options={"dead_hand": "random"}),
    _hand("13.1 optional beside compulsory", ROUND, "12 1", STEP, LAP),
    _hand("FQ22 only optional", ROUND, "12 12", LAP, "throw 12"),
    _hand("FQ22 counts as playable", ROUND, "12 12", LAP, options=MUST_PLAY),
    _hand("13.1 a compulsory play after a 2", ROUND, "12 5 12", LAP, "5, 46: - | green Z4: gs", followup=True),
    _hand("IQ22 it may be declined", ROUND, "12 12", LAP, PASS, followup=True),
    _hand("IQ22 or for a card thrown in", ROUND, "12 12", LAP, "throw 12", followup=True, options={"two_followup_stuck": "discard_one"}),
    _hand("IQ21 a 2 that moves nobody", STUCK, "2 5", "throw 2", "throw 5"),
    _hand("IQ21 is laid down", STUCK, "2 5", "idle 2", "throw 2", "throw 5", options=IDLE),
    _hand("IQ21 or not even then", "blue / green | 20: bl", "2 5", "2, 20: - | 22: bl", "5, 20: - | 25: bl", options=IDLE),
    _hand("IQ21 FQ22 it must be", STUCK, "2 5", "idle 2", options=IDLE | MUST_PLAY),
    _hand("IQ21 IQ22 after another 2", STUCK, "2 5", "idle 2", PASS, followup=True, options=IDLE),
    _hand("IQ22 stuck after a 2", STUCK, "5 8", followup=True),
    _hand("IQ22 a card is thrown in", STUCK, "5 8", "throw 5", "throw 8", followup=True, options={"two_followup_stuck": "discard_one"}),
    _hand("IQ21 the card drawn", ROUND, "1 12 5", LAP, PASS, followup=True, drawn="12", options={"two_in_hand": "play_drawn"}),
    _hand("IQ20 a dead first turn", STUCK, "5 8", "throw 5", "throw 8", first_turn=True),
    _hand("IQ20 skipped", STUCK, "5 8", first_turn=True, options=SKIP),
    _hand("IQ20 no later one", STUCK, "5 8", "throw 5", "throw 8", options=SKIP),
    _hand("IQ20 optional plays in it", ROUND, "12", LAP, PASS, first_turn=True, options=SKIP),
    _hand("I-7 nothing must be played", ROUND, "1 12", STEP, LAP, "throw 1", "throw 12", options={"must_move": False}),
    _hand("I-6 an 11 that only switches", BURIED, "11 4", "11, 20: rl gs", "11, 20: rm rl | 50: gs", "throw 4", "throw 11"),
]

CASES = [*PILES, *MOVES, *ZONES, *SLIDES, *SWITCHES, *SORRIES, *SEVENS, *HANDS]
