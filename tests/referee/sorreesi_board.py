"""The board of Sorreesi: squares, how they are written down, and pawns that walk, land and send others back.

A place is ``"B"`` (the base), a track square 0..67 (in travel direction from red's entry square), ``("P", 1)`` .. ``("P", 7)`` (the
private path counted from the track, of 7 or 8 squares) or ``"H"`` (HOME).
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from simsorry.games.options import COLORS
from simsorry.games.sorreesi.rules import Rules

Place = int | str | tuple[str, int]
Position = dict[str, list[Place]]
Side = tuple[str, ...]  # the colors that win together: one, or those of a team

BASE: Place = "B"
HOME: Place = "H"
IN_HAND: Place = "in hand"  # lifted off the board while two pawns change places
TRACK = 68
QUARTER = 17
ENTRY_TO_TURN_OFF = 63
TURN_OFF_IN_QUARTER = 12


# -- sides ---------------------------------------------------------------------------------------------


def side_of(rules: Rules, color: str) -> Side:
    """The team of a color, or the color alone."""
    return next((pair for pair in rules.team_pairs if color in pair), (color,))


def partner_of(rules: Rules, color: str) -> str | None:
    """The color that plays with this one, if there are teams."""
    return next((other for other in side_of(rules, color) if other != color), None)


def clockwise_from(color: str) -> list[str]:
    """All colors in the order of turns, the one given first."""
    start = COLORS.index(color)
    return [*COLORS[start:], *COLORS[:start]]


# -- squares and steps ---------------------------------------------------------------------------------


class Road(NamedTuple):
    """The way of one color: its entry square, and how many squares its private path has."""

    entry: int
    path: int

    @property
    def turn_off(self) -> int:
        """The last track square, from which the color turns into its private path."""
        return (self.entry + ENTRY_TO_TURN_OFF) % TRACK


def road_of(rules: Rules, color: str) -> Road:
    """The way of a color; the pawns meet the entry squares in the order of turns, or against it."""
    quarters = COLORS.index(color)
    if rules.turn_vs_travel == "opposite":
        quarters = -quarters
    return Road(quarters * QUARTER % TRACK, rules.home_path_length)


def on_track(place: Place) -> bool:
    """Whether the place is one of the 68 squares everybody uses."""
    return isinstance(place, int)


def in_play(place: Place) -> bool:
    """Whether a pawn there is on its way."""
    return place not in (BASE, HOME)


@cache
def step_forward(road: Road, place: Place) -> Place:
    """One square on towards HOME."""
    if isinstance(place, int):
        return ("P", 1) if place == road.turn_off else (place + 1) % TRACK
    if isinstance(place, tuple) and place[1] < road.path:
        return ("P", place[1] + 1)
    return HOME


@cache
def step_back(road: Road, place: Place) -> Place:
    """One square back: out of HOME (for a bounce), out of the private path, or along the track."""
    if isinstance(place, int):
        return (place - 1) % TRACK
    if isinstance(place, tuple):
        return ("P", place[1] - 1) if place[1] > 1 else road.turn_off
    return ("P", road.path)


@cache
def squares_to_go(road: Road, place: Place) -> int:
    """Forward steps from a place to HOME; the base counts one more than the entry square."""
    steps = 0
    if place == BASE:
        place, steps = road.entry, 1
    while place != HOME:
        place = step_forward(road, place)
        steps += 1
    return steps


def forward_target(rules: Rules, color: str, place: Place, count: int) -> Place | None:
    """Where a forward count leads, or None if it may not be walked."""
    if not in_play(place):
        return None
    road, left = road_of(rules, color), count
    while left and place != HOME:
        place = step_forward(road, place)
        left -= 1
    if not left or rules.home_overshoot == "any":
        return place
    if rules.home_overshoot == "illegal":
        return None
    for _ in range(left):
        place = step_back(road, place)
    return None if on_track(place) and not rules.backward_out_of_zone else place


def backward_target(rules: Rules, color: str, place: Place, count: int) -> Place | None:
    """Where a backward count leads, or None if it may not be walked."""
    if not in_play(place):
        return None
    road, began_on_path = road_of(rules, color), not on_track(place)
    for _ in range(count):
        place = step_back(road, place)
    return None if began_on_path and on_track(place) and not rules.backward_out_of_zone else place


def safe_for(rules: Rules, square: int, color: str) -> bool:
    """Whether a pawn of this color cannot be sent back from a track square by one that lands there."""
    if square % QUARTER not in rules.safe_squares:
        return False
    if square % QUARTER != TURN_OFF_IN_QUARTER or rules.turnoff_safe_for == "all":
        return True
    return road_of(rules, color).turn_off == square


# -- writing positions down ----------------------------------------------------------------------------


def read_place(text: str | int) -> Place:
    """A place as the notation writes it: 12, "12", "B", "H" or "P3"."""
    if isinstance(text, int):
        return text
    if text.startswith("P"):
        return ("P", int(text[1:]))
    return text if text in (BASE, HOME) else int(text)


def read_position(text: str) -> Position:
    """The position of a line such as ``red B B 12 H / yellow P2 B B B``."""
    groups = [group.split() for group in text.split("/")]
    return {color: [read_place(place) for place in places] for color, *places in groups}


def order_of(place: Place) -> tuple[int, int]:
    """Sorts places as a group is written: base, track squares, private path, HOME."""
    if isinstance(place, int):
        return 1, place
    if isinstance(place, tuple):
        return 2, place[1]
    return (0, 0) if place == BASE else (3, 0)


def write_place(place: Place) -> str:
    """A place as the notation writes it."""
    return f"P{place[1]}" if isinstance(place, tuple) else str(place)


def write_position(position: Position) -> str:
    """The one canonical line of a position: groups clockwise from red; base, track, private path, HOME."""
    groups = []
    for color in COLORS:
        if color in position:
            groups.append(" ".join([color, *map(write_place, sorted(position[color], key=order_of))]))
    return " / ".join(groups)


# -- the board -----------------------------------------------------------------------------------------


class Pawn(NamedTuple):
    """One pawn, by its color and its hidden number."""

    color: str
    number: int


class Landing(NamedTuple):
    """A pawn that has been put down: what it sent back, and whether a fight is now due there."""

    pawn: Pawn
    place: Place
    captured: tuple[Pawn, ...] = ()
    partners: tuple[Pawn, ...] = ()  # partner's pawns sent back by a Sorry!
    fight: bool = False


class Board:
    """Where every pawn stands."""

    def __init__(self, rules: Rules, seated: Sequence[str], places: dict[Pawn, Place]) -> None:
        self.rules = rules
        self.seated = tuple(seated)
        self.places = places

    @classmethod
    def of(cls, rules: Rules, seated: Sequence[str], position: Position) -> "Board":
        """The board of a position; the pawns of a color are numbered in the order in which it names them."""
        places = {Pawn(color, number): place for color in seated for number, place in enumerate(position[color])}
        return cls(rules, seated, places)

    def copy(self) -> "Board":
        """A second board with every pawn on the same place."""
        return Board(self.rules, self.seated, dict(self.places))

    @property
    def position(self) -> Position:
        """Color to places, in the order of the hidden numbers."""
        position: Position = {color: [] for color in self.seated}
        for pawn, place in self.places.items():
            position[pawn.color].append(place)
        return position

    @property
    def text(self) -> str:
        """The position in one line."""
        return write_position(self.position)

    def on(self, place: Place) -> list[Pawn]:
        """The pawns on a track square."""
        return [pawn for pawn, here in self.places.items() if here == place]

    def pawns_of(self, colors: Sequence[str]) -> list[Pawn]:
        """One pawn for each place where these colors have any: there the one with the lowest number, which is the one to move."""
        found: dict[tuple[str, Place], Pawn] = {}
        for pawn, place in self.places.items():
            if pawn.color in colors:
                found.setdefault((pawn.color, place), pawn)
        return list(found.values())

    def all_home(self, color: str) -> bool:
        """Whether a color has no pawn that is not HOME."""
        return all(place == HOME for pawn, place in self.places.items() if pawn.color == color)

    def has_won(self, color: str) -> bool:
        """Whether the side of a color has brought HOME what it must."""
        enough = any if self.rules.team_win == "first_member" else all
        return enough(map(self.all_home, side_of(self.rules, color)))

    def to_go(self, pawn: Pawn) -> int:
        """Squares from a pawn to HOME."""
        return squares_to_go(road_of(self.rules, pawn.color), self.places[pawn])

    def to_go_from(self, pawn: Pawn, place: Place) -> int:
        """Squares that a pawn would have to HOME from another place."""
        return squares_to_go(road_of(self.rules, pawn.color), place)

    def opponents_on(self, square: Place, color: str) -> list[Pawn]:
        """The pawns on a track square that do not play with this color."""
        side = side_of(self.rules, color)
        return [pawn for pawn in self.on(square) if pawn.color not in side]

    def may_be_sent_back(self, pawn: Pawn) -> bool:
        """Whether a pawn stands on a track square that is not safe for it."""
        place = self.places[pawn]
        return isinstance(place, int) and not safe_for(self.rules, place, pawn.color)

    def land(self, pawn: Pawn, place: Place, how: str = "walk") -> Landing:
        """Puts a pawn down and sends back whoever that hits; ``how`` is walk, enter (out of the base) or sorry."""
        self.places[pawn] = place
        if not on_track(place):
            return Landing(pawn, place)
        opponents = self.opponents_on(place, pawn.color)
        clears_all = how == "enter" and self.rules.entry_conflict == "capture"
        captured = [other for other in opponents if clears_all or self.may_be_sent_back(other)]
        partners: list[Pawn] = []
        if how == "sorry" and self.rules.team_sorry_target == "any":
            partner = partner_of(self.rules, pawn.color)
            partners = [other for other in self.on(place) if other.color == partner and self.may_be_sent_back(other)]
        for other in captured + partners:
            self.places[other] = BASE
        return Landing(pawn, place, tuple(captured), tuple(partners), fight=len(captured) < len(opponents))
