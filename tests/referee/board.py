"""The board of the classic game: squares, how they are written down, and pawns that walk, land, slide and send others back.

A place is ``"S"`` (START), a track square 0..59, ``("Z", 1)`` .. ``("Z", 5)`` (the safety zone counted from the
track) or ``"H"`` (HOME).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from simsorry.games.classic.rules import Rules
from simsorry.games.options import COLORS

Place = int | str | tuple[str, int]
Position = dict[str, list[Place]]

START: Place = "S"
HOME: Place = "H"
IN_HAND: Place = "in hand"  # lifted off the board while the pawns of a 7 move together
TRACK = 60
ZONE = 5
CORNER = {"red": 0, "blue": 15, "yellow": 30, "green": 45}
START_TO_HOME = 65


class Slide(NamedTuple):
    """A slide: its color, its name, the triangle and the squares ridden after it."""

    color: str
    name: str
    triangle: int
    ride: tuple[int, ...]


def _slides() -> list[Slide]:
    both = []
    for color, corner in CORNER.items():
        both.append(Slide(color, f"{color} A", corner + 1, tuple(range(corner + 2, corner + 5))))
        both.append(Slide(color, f"{color} B", corner + 9, tuple(range(corner + 10, corner + 14))))
    return both


SLIDES = _slides()


def partner_of(rules: Rules, color: str) -> str | None:
    """The color that plays with this one, if there are teams."""
    for pair in rules.team_pairs:
        if color in pair:
            return pair[1 - pair.index(color)]
    return None


# -- squares and steps ---------------------------------------------------------------------------------


def entry(color: str) -> int:
    """The last track square of a color, from which it turns into its safety zone."""
    return CORNER[color] + 2


def circle(color: str) -> int:
    """The square onto which a number card starts a pawn."""
    return CORNER[color] + 4


def on_track(place: Place) -> bool:
    """Whether the place is one of the 60 squares everybody uses."""
    return isinstance(place, int)


def step_forward(color: str, place: Place) -> Place:
    """One square on towards HOME."""
    if isinstance(place, int):
        return ("Z", 1) if place == entry(color) else (place + 1) % TRACK
    if isinstance(place, tuple) and place[1] < ZONE:
        return ("Z", place[1] + 1)
    return HOME


def step_back(color: str, place: Place) -> Place:
    """One square back: out of HOME (for a bounce), out of the zone, or along the track."""
    if isinstance(place, int):
        return (place - 1) % TRACK
    if isinstance(place, tuple):
        return ("Z", place[1] - 1) if place[1] > 1 else entry(color)
    return ("Z", ZONE)


def squares_to_go(color: str, place: Place) -> int:
    """Forward steps from a place to HOME; START counts 65."""
    if place == START:
        return START_TO_HOME
    steps = 0
    while place != HOME:
        place = step_forward(color, place)
        steps += 1
    return steps


def backward_target(rules: Rules, color: str, place: Place, count: int) -> Place | None:
    """Where a backward count leads, or None if it may not be walked."""
    if place in (START, HOME):
        return None
    began_in_zone = not on_track(place)
    for _ in range(count):
        place = step_back(color, place)
    if began_in_zone and on_track(place) and not rules.backward_out_of_zone:
        return None
    return place


class Target(NamedTuple):
    """A place a forward count may lead to, and whether the pawn walked past its own entry to get there."""

    place: Place
    past_entry: bool = False


def forward_targets(rules: Rules, color: str, place: Place, count: int) -> list[Target]:
    """Where a forward count may lead: into the zone or HOME, and around for another lap where the rules allow it."""
    if place in (START, HOME):
        return []
    found = []
    home_way = _homeward(rules, color, place, count)
    if home_way is not None:
        found.append(Target(home_way))
    if _may_pass_entry(rules, color, place, count):
        assert isinstance(place, int)
        found.append(Target((place + count) % TRACK, past_entry=True))
    return found


def _homeward(rules: Rules, color: str, place: Place, count: int) -> Place | None:
    """The end of the ordinary way: along the track, into the zone, HOME, and what an overshoot does."""
    left = count
    while left and place != HOME:
        place = step_forward(color, place)
        left -= 1
    if not left or rules.home_overshoot == "any":
        return place
    if rules.home_overshoot == "illegal":
        return None
    for _ in range(left):
        place = step_back(color, place)
    if on_track(place) and not rules.backward_out_of_zone:
        return None
    return place


def _may_pass_entry(rules: Rules, color: str, place: Place, count: int) -> bool:
    if rules.forward_past_entry == "forbidden" or not isinstance(place, int):
        return False
    left_behind = [(place + step) % TRACK for step in range(count)]
    if entry(color) not in left_behind:
        return False
    return rules.pass_scope == "always" or count > squares_to_go(color, place)


# -- writing positions down ----------------------------------------------------------------------------


def read_place(text: str | int) -> Place:
    """A place as the notation writes it: 12, "12", "S", "H" or "Z3"."""
    if isinstance(text, int):
        return text
    if text.startswith("Z"):
        return ("Z", int(text[1:]))
    return text if text in (START, HOME) else int(text)


def read_position(text: str) -> Position:
    """The position of a line such as ``red S S 12 H / yellow Z2 S S S``."""
    groups = [group.split() for group in text.split("/")]
    return {color: [read_place(place) for place in places] for color, *places in groups}


def order_of(place: Place) -> tuple[int, int]:
    if isinstance(place, int):
        return 1, place
    if isinstance(place, tuple):
        return 2, place[1]
    return (0, 0) if place == START else (3, 0)


def _write_place(place: Place) -> str:
    return f"Z{place[1]}" if isinstance(place, tuple) else str(place)


def write_position(position: Position) -> str:
    """The one canonical line of a position: groups clockwise from red; START, track, zone, HOME."""
    groups = []
    for color in COLORS:
        if color in position:
            groups.append(" ".join([color, *map(_write_place, sorted(position[color], key=order_of))]))
    return " / ".join(groups)


# -- the board -----------------------------------------------------------------------------------------


@dataclass
class Pawn:
    """One pawn."""

    color: str
    place: Place


class Bump(NamedTuple):
    """A pawn sent back to START: the color of the pawn that did it, the color sent back, how, and whether they are partners."""

    by: str
    victim: str
    cause: str  # "landing", "ride" or "sorry"
    partners: bool = False

    @property
    def own(self) -> bool:
        """Whether both pawns are of one color."""
        return self.by == self.victim

    @property
    def opponents(self) -> bool:
        """Whether the pawns play against each other."""
        return not self.own and not self.partners


@dataclass
class Events:
    """What happened while a card was played in one particular way."""

    parts: int = 1
    moved: list[str] = field(default_factory=list)  # color of each pawn that the player moved
    rides: list[str] = field(default_factory=list)  # color of each pawn that rode a slide
    bumps: list[Bump] = field(default_factory=list)
    start: bool = False
    sorry: bool = False
    swap: bool = False
    backward: bool = False
    homes: int = 0
    blocked: bool = False  # nothing moved: the move was chosen although an own pawn is in its way

    @property
    def slides(self) -> int:
        """Slides ridden."""
        return len(self.rides)

    @property
    def split(self) -> bool:
        """Whether a 7 was shared out."""
        return self.parts > 1

    def bumped(self, cause: str) -> int:
        """Opponents' pawns sent back in the way named."""
        return sum(bump.cause == cause and bump.opponents for bump in self.bumps)

    @property
    def own_bumps(self) -> int:
        """Pawns sent back by a pawn of their own color."""
        return sum(bump.own for bump in self.bumps)

    @property
    def partner_bumps(self) -> int:
        """Pawns sent back by a pawn of their partner's color."""
        return sum(bump.partners for bump in self.bumps)

    def copy(self) -> "Events":
        """The same events, free to go on differently."""
        return Events(**{**vars(self), "moved": list(self.moved), "rides": list(self.rides), "bumps": list(self.bumps)})

    def same_as(self, other: "Events") -> bool:
        """Whether the same happened, in whatever order."""
        return self._sorted() == other._sorted()

    def _sorted(self) -> "Events":
        return Events(**{**vars(self), "moved": sorted(self.moved), "rides": sorted(self.rides), "bumps": sorted(self.bumps)})

    def plainness(self) -> tuple[bool, int, int]:
        """Sorts the plainest way first: a real move, fewest slides, fewest parts."""
        return self.blocked, self.slides, self.parts

    def simplicity(self) -> tuple[bool, int, int, int]:
        """The same, and of equally plain ways the one on whose rides fewest opponents are met."""
        return *self.plainness(), self.bumped("ride")


class PawnInTheWay(Exception):
    """A landing that the rules forbid because of a pawn that stands there."""


class OwnPawnInTheWay(PawnInTheWay):
    """The same because of a pawn of the color that lands."""


class Board:
    """Pawns on a board, and what has happened there since the card was drawn."""

    def __init__(self, rules: Rules, players: Sequence[str], pawns: list[Pawn], events: Events | None = None) -> None:
        self.rules = rules
        self.players = tuple(players)
        self.pawns = pawns
        self.events = events or Events()

    def copy(self) -> "Board":
        """A second board with the same pawns in the same order."""
        return Board(self.rules, self.players, [Pawn(pawn.color, pawn.place) for pawn in self.pawns], self.events.copy())

    def fresh(self) -> "Board":
        """A second board with the same pawns, on which nothing has happened yet."""
        return Board(self.rules, self.players, [Pawn(pawn.color, pawn.place) for pawn in self.pawns])

    @property
    def position(self) -> Position:
        """Color to places."""
        return {color: [pawn.place for pawn in self.pawns if pawn.color == color] for color in self.players}

    def numbers(self, color: str) -> list[int]:
        """The pawns of a color, by their number on this board."""
        return [number for number, pawn in enumerate(self.pawns) if pawn.color == color]

    def others_on(self, place: Place, pawn: Pawn) -> list[Pawn]:
        """The pawns, other than the one given, that stand on a square it can reach; its zone is its own."""
        return [
            other
            for other in self.pawns
            if other is not pawn and other.place == place and (on_track(place) or other.color == pawn.color) and place != HOME
        ]

    def ride_from(self, color: str, place: Place) -> tuple[int, ...]:
        """The squares a pawn of this color rides over after landing on a place; empty if it stays."""
        for slide in SLIDES:
            if slide.triangle == place and self._rides(color, slide):
                return slide.ride
        return ()

    def _rides(self, color: str, slide: Slide) -> bool:
        if self.rules.absent_color_slides == "inert" and slide.color not in self.players:
            return False
        if slide.name in self.rules.slide_riders:
            return color in self.rules.slide_riders[slide.name]
        if self.rules.slides == "off":
            return False
        return self.rules.slides == "all" or color != slide.color

    def bump(self, by: Pawn, victim: Pawn, cause: str) -> None:
        """Sends a pawn back to START."""
        victim.place = START
        self.events.bumps.append(Bump(by.color, victim.color, cause, self.partners(by, victim)))

    def partners(self, one: Pawn, other: Pawn) -> bool:
        """Whether two pawns are of partners' colors."""
        return partner_of(self.rules, one.color) == other.color

    def clear(self, place: Place, pawn: Pawn, ridden: bool, cause: str = "landing") -> bool:
        """Does to the pawns on a square what the arrival of another does, before any ride.

        False if it is the arriving pawn that was sent back. Raises PawnInTheWay if the landing is forbidden.
        """
        stays = True
        for other in self.others_on(place, pawn):
            if other.color == pawn.color:
                self._meet_own(pawn, other, ridden, cause)
            elif self.partners(pawn, other) and cause != "sorry":
                stays = stays and self._meet_partner(pawn, other)
            else:
                self.bump(pawn, other, cause)
        return stays

    def _meet_own(self, pawn: Pawn, other: Pawn, ridden: bool, cause: str) -> None:
        rules = self.rules
        sent_back = rules.own_collision == "bump_self" or rules.team_own_collision == "bump" or (ridden and rules.own_on_triangle == "bump")
        if sent_back:
            self.bump(pawn, other, cause)
        elif rules.own_collision != "share":
            raise OwnPawnInTheWay

    def _meet_partner(self, pawn: Pawn, other: Pawn) -> bool:
        if self.rules.team_collision == "illegal":
            raise PawnInTheWay
        if self.rules.team_collision == "bump_occupant":
            self.bump(pawn, other, "landing")
        elif self.rules.team_collision == "bump_mover":
            self.bump(other, pawn, "landing")
            return False
        return True

    def ride(self, pawn: Pawn, squares: tuple[int, ...]) -> None:
        """Takes a pawn down a slide; every pawn it meets goes back, own ones too."""
        if not squares:
            return
        for square in squares:
            for other in self.others_on(square, pawn):
                self.bump(pawn, other, "ride")
        pawn.place = squares[-1]
        self.events.rides.append(pawn.color)

    def land(self, number: int, place: Place, *, slides: bool = True, cause: str = "landing") -> None:
        """Moves a pawn to a place with all that follows. Raises PawnInTheWay if it may not."""
        pawn = self.pawns[number]
        squares = self.ride_from(pawn.color, place) if slides else ()
        self.events.moved.append(pawn.color)
        if not self.clear(place, pawn, bool(squares), cause):
            return
        pawn.place = place
        self.ride(pawn, squares)
        if place == HOME:
            self.events.homes += 1
