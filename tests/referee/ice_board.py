"""The board of Ice Soo Sorry!: pawns in piles, which cover and stack, are moved as units, dropped, switched and swept along by slides.

A place is a track square 0..59, or a place of one color as the classic game writes it with that color before it: ``("red", ("Z", 1))`` ..
``("red", ("Z", 5))`` (its safety zone counted from the track), ``("red", "S")`` (its START) or ``("red", "H")`` (its HOME). A position is
what the shared notation calls its JSON form: color to START and HOME (``"S:s"``, ``"H:l"``), and every pile, bottom first, under its place
(``"12"``, ``"red Z3"``).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from referee.board import HOME, SLIDES, START, TRACK, ZONE, circle, entry, squares_to_go
from referee.board import Place as Walked
from referee.common import head_start
from simsorry.games.ice.rules import SIZES, Rules
from simsorry.games.options import COLORS

Place = int | tuple[str, Walked]
Position = dict[str, list[str]]
Group = tuple["Pawn", ...]  # pawns on top of each other, lowest first

COLOR_OF = {color[0]: color for color in COLORS}
SIZE_OF = {size[0]: number for number, size in enumerate(SIZES)}
TO_ENTRY = 58  # squares from a color's start circle to its entry


@dataclass(frozen=True, eq=False)
class Pawn:
    """One pawn: a thing that stays itself wherever it goes; ``size`` is 0 small, 1 medium, 2 large."""

    color: str
    size: int

    @cached_property
    def name(self) -> str:
        """Its color and size as piles are written."""
        return self.color[0] + SIZES[self.size][0]


# -- places ----------------------------------------------------------------------------------------------


def start(color: str) -> Place:
    """A color's START."""
    return (color, START)


def home(color: str) -> Place:
    """A color's HOME."""
    return (color, HOME)


def in_play(place: Place) -> bool:
    """Whether the place is neither a START nor a HOME."""
    return isinstance(place, int) or place[1] not in (START, HOME)


def walked(place: Place) -> Walked:
    """The place as the pawns see it that may walk there."""
    return place if isinstance(place, int) else place[1]


def of_color(color: str, place: Walked) -> Place:
    """The place that a color's pawn means by it."""
    return place if isinstance(place, int) else (color, place)


def number_of(place: Place) -> int:
    """The number of a square: 0..59 the track, then the safety zones from red's to green's, each counted from the track."""
    if isinstance(place, int):
        return place
    color, zone = place
    assert isinstance(zone, tuple)
    return TRACK + ZONE * COLORS.index(color) + zone[1] - 1


def _key_of(place: Place) -> str:
    """What a position has a place under; START and HOME both stand under their color."""
    if isinstance(place, int):
        return str(place)
    color, zone = place
    return f"{color} Z{zone[1]}" if isinstance(zone, tuple) else color


def _place_of(key: str) -> Place:
    color, _, zone = key.partition(" Z")
    return (color, ("Z", int(zone))) if zone else int(key)


# -- writing positions down ------------------------------------------------------------------------------


def read_position(text: str) -> Position:
    """The position of a line such as ``red S:s Z3:m H:l / yellow S:m | 12: rs ym | red Z5: rl rs``."""
    groups, *piles = text.split(" | ")
    position: Position = {}
    for group in groups.split("/"):
        color, *pawns = group.split()
        position[color] = [pawn for pawn in pawns if not pawn.startswith("Z")]
        for pawn in pawns:
            if pawn.startswith("Z"):
                zone, size = pawn.split(":")
                position[f"{color} {zone}"] = [color[0] + size]
    for pile in piles:
        place, _, pawns_there = pile.partition(":")
        position[place] = pawns_there.split()
    return position


def write_position(position: Mapping[str, Sequence[str]]) -> str:
    """The one canonical line of a position: groups clockwise from red, then the piles of the track, then those in zones."""
    groups, tracks, zones = [], [], []
    for color in COLORS:
        if color not in position:
            continue
        in_zone = [(key, position[key]) for key in (f"{color} Z{z}" for z in range(1, ZONE + 1)) if position.get(key)]
        single = [f"{key.split()[1]}:{pile[0][1]}" for key, pile in in_zone if len(pile) == 1]
        inside = sorted(position[color], key=_order)
        begin, end = [pawn for pawn in inside if pawn[0] == START], [pawn for pawn in inside if pawn[0] == HOME]
        groups.append(" ".join([color, *begin, *single, *end]))
        zones += [f"{key}: {' '.join(pile)}" for key, pile in in_zone if len(pile) > 1]
    for square in range(TRACK):
        if position.get(str(square)):
            tracks.append(f"{square}: {' '.join(position[str(square)])}")
    return " | ".join([" / ".join(groups), *tracks, *zones])


def _order(pawn: str) -> tuple[bool, int]:
    """Sorts pawns on START and HOME."""
    return pawn[0] == HOME, SIZE_OF[pawn[2]]


def changes_of(before: Position, after: Position) -> dict[str, list[str]]:
    """The places whose content differs, with all that is there afterwards."""
    keys = before.keys() | after.keys()
    contents = {key: (_alike(key, before.get(key, [])), _alike(key, after.get(key, []))) for key in keys}
    return {key: now for key, (then, now) in contents.items() if then != now}


def _alike(key: str, pawns: Sequence[str]) -> list[str]:
    """Pawns on START and HOME in one order; those of a pile as they lie."""
    return sorted(pawns, key=_order) if key in COLORS else list(pawns)


# -- the board -------------------------------------------------------------------------------------------


class Ride(NamedTuple):
    """What a slide did: squares ridden (0: there was none), and pawns taken along that were not the rider's own group."""

    squares: int = 0
    swept: int = 0


class Board:
    """Pawns on a board.

    ``piles`` has, for every place with pawns on it, these from the lowest to the highest; on START and HOME their order means nothing.
    ``flagged`` are pawns that do to the one beneath the reverse of what their sizes say. ``touched`` are the places that have changed since
    the board was copied from one that is at rest.
    """

    def __init__(
        self,
        rules: Rules,
        players: Sequence[str],
        piles: dict[Place, Group],
        flagged: frozenset[Pawn] = frozenset(),
        touched: frozenset[Place] = frozenset(),
    ) -> None:
        self.rules = rules
        self.players = tuple(players)
        self.piles = piles
        self.flagged = flagged
        self.touched = touched

    @classmethod
    def of(cls, rules: Rules, players: Sequence[str], position: Mapping[str, Sequence[str]]) -> "Board":
        """The board of a position."""
        board = cls(rules, players, {})
        flagged: set[Pawn] = set()
        for key, names in position.items():
            if key in COLORS:
                for inside in (START, HOME):
                    board.piles[key, inside] = tuple(Pawn(key, SIZE_OF[name[2]]) for name in names if name[0] == inside)
            elif names:
                pile = tuple(Pawn(COLOR_OF[name[0]], SIZE_OF[name[1]]) for name in names)
                flagged |= {pawn for pawn, name in zip(pile, names, strict=True) if name[2:]}
                board.piles[_place_of(key)] = pile
        board.flagged = frozenset(flagged)
        return board

    @classmethod
    def set_up(cls, rules: Rules, players: Sequence[str], first_seat: int = 0) -> "Board":
        """The board at the beginning of a game, or of a round."""
        board = cls(rules, players, {})
        order = [*players[first_seat:], *players[:first_seat]]
        for color in players:
            ahead = head_start(rules, order, color)
            outside = 1 if ahead else rules.quick_start_pawns
            pawns = tuple(Pawn(color, size) for size in (2, 1, 0) for _ in range(rules.pieces[size]))
            board.piles |= {start(color): pawns[outside:], home(color): ()}
            if outside:
                board.piles[(circle(color) + max(0, ahead - 1)) % TRACK] = pawns[:outside]
        return board

    def copy(self) -> "Board":
        """A second board with the same pawns."""
        return Board(self.rules, self.players, dict(self.piles), self.flagged, self.touched)

    def at_rest(self) -> "Board":
        """A second board with the same pawns, on which nothing has changed yet."""
        return Board(self.rules, self.players, dict(self.piles), self.flagged)

    def pile(self, place: Place) -> Group:
        """The pawns on a place, lowest first."""
        return self.piles.get(place, ())

    def squares(self) -> Iterable[tuple[Place, Group]]:
        """Every square of track and zones with pawns on it."""
        return [(place, pile) for place, pile in self.piles.items() if pile and in_play(place)]

    def count_home(self, color: str) -> tuple[int, ...]:
        """Pawns of a color on HOME, by size."""
        sizes = Counter(pawn.size for pawn in self.pile(home(color)))
        return tuple(sizes[size] for size in range(len(SIZES)))

    def to_go(self, color: str) -> int:
        """Squares that all pawns of a color still have to go."""
        return sum(squares_to_go(color, walked(place)) for place, pile in self.piles.items() for pawn in pile if pawn.color == color)

    # -- writing it down --

    def _written(self, place: Place) -> list[str]:
        """What the position has under a place's key."""
        if in_play(place):
            return self._names(self.pile(place))
        color, _ = place
        return [f"{inside}:{letter}" for inside in (START, HOME) for letter in self._letters((color, inside))]

    def _letters(self, place: Place) -> list[str]:
        return [SIZES[size][0] for size in sorted([pawn.size for pawn in self.pile(place)])]

    def _names(self, pile: Group) -> list[str]:
        """The pawns of a pile; one that does the reverse of what its size says has the sign of it: = stacks, > covers."""
        names = [pawn.name for pawn in pile]
        if self.flagged.isdisjoint(pile):
            return names
        for level, pawn in enumerate(pile):
            if pawn in self.flagged:
                names[level] += "=" if pawn.size > pile[level - 1].size else ">"
        return names

    @property
    def position(self) -> Position:
        """All of it."""
        inside = {color: self._written(start(color)) for color in self.players}
        return inside | {_key_of(place): self._names(pile) for place, pile in self.squares()}

    @property
    def text(self) -> str:
        """All of it in the canonical line."""
        return write_position(self.position)

    def changes_from(self, before: Position) -> dict[str, list[str]]:
        """The places whose content differs from that of the position which this board comes from, with all that is there now."""
        contents = {key: self._written(place) for key, place in sorted((_key_of(place), place) for place in self.touched)}
        return {key: now for key, now in contents.items() if now != before.get(key, [])}

    # -- covering and stacking --

    def covers(self, upper: Pawn, lower: Pawn) -> bool:
        """Whether a pawn covers the one right beneath it; if not, it is stacked on it."""
        return (upper.size > lower.size) != (upper in self.flagged)

    def unit(self, place: Place) -> Group:
        """What moves together on a place: from the top down to the first pawn that covers something."""
        pile = self.pile(place)
        return pile[self._unit_begins(pile) :]

    def _unit_begins(self, pile: Group) -> int:
        level = len(pile) - 1
        while level > 0 and not self.covers(pile[level], pile[level - 1]):
            level -= 1
        return max(level, 0)

    def covered(self) -> set[Pawn]:
        """All pawns in play that nobody can move: those beneath the unit of their pile."""
        return {pawn for _, pile in self.squares() for pawn in pile[: self._unit_begins(pile)]}

    def relation(self, pawn: Pawn, place: Place) -> str:
        """What a pawn does to the one beneath it: "cover", "stack", or "" where there is none or the place is HOME."""
        pile = self.pile(place)
        level = pile.index(pawn)
        if level == 0 or not in_play(place):
            return ""
        return "cover" if self.covers(pawn, pile[level - 1]) else "stack"

    # -- lifting and putting down --

    def _set(self, place: Place, pile: Group) -> None:
        self.piles[place] = pile
        self.touched |= {place}

    def _clear_flags(self, pawns: Iterable[Pawn]) -> None:
        self.flagged -= frozenset(pawns)

    def lift(self, place: Place, pawns: int) -> Group:
        """Takes that many pawns off the top of a place."""
        pile = self.pile(place)
        self._set(place, pile[: len(pile) - pawns])
        return pile[len(pile) - pawns :]

    def take_out(self, place: Place, pawn: Pawn) -> None:
        """Takes a single pawn out of a place; those above it close up."""
        pile = self.pile(place)
        level = pile.index(pawn)
        self._clear_flags(pile[level : level + 2])
        self._set(place, pile[:level] + pile[level + 1 :])

    def put_down(self, place: Place, group: Group) -> None:
        """Puts a group on top of what is on a place, by the rule of landing."""
        pile = self.pile(place)
        self._clear_flags(group[:1] if in_play(place) else group)
        if pile and in_play(place) and self._would_cover(group, pile) != (group[0].size > pile[-1].size):
            self.flagged |= {group[0]}
        self._set(place, pile + group)

    def _would_cover(self, group: Group, pile: Group) -> bool:
        """Whether a group that lands on a pile covers it."""
        contact = group[0] if self.rules.ice_contact_piece == "bottom" else group[-1]
        return contact.size > pile[-1].size

    def part(self, group: Group, color: str) -> tuple[Group, Group]:
        """Parts a lifted group into the pawns of a color and the others; who has another pawn beneath than before begins anew."""
        own, others = (tuple(pawn for pawn in group if (pawn.color == color) == wanted) for wanted in (True, False))
        beneath = {upper: lower for lower, upper in pairwise(group)}
        for parted in (own, others):
            self._clear_flags(upper for lower, upper in pairwise(parted) if beneath[upper] is not lower)
        return own, others

    def exchange_slots(self, place: Place, pawn: Pawn, other_place: Place, other: Pawn) -> None:
        """Lets two pawns change places within their piles; both, and those right above them, begin anew."""
        slots = [(place, self.pile(place).index(pawn)), (other_place, self.pile(other_place).index(other))]
        for (where, level), comes in zip(slots, (other, pawn), strict=True):
            pile = self.pile(where)
            self._set(where, (*pile[:level], comes, *pile[level + 1 :]))
        for where, level in slots:
            self._clear_flags(self.pile(where)[level : level + 2])

    # -- slides --

    def ride_from(self, color: str, place: Place) -> tuple[int, ...]:
        """The squares that a group led by this color rides over after landing on a place; empty if it stays."""
        for slide in SLIDES:
            if slide.triangle == place and self._rides(color, slide.color, slide.name):
                return slide.ride
        return ()

    def _rides(self, color: str, owner: str, name: str) -> bool:
        if self.rules.absent_color_slides == "inert" and owner not in self.players:
            return False
        if name in self.rules.slide_riders:
            return color in self.rules.slide_riders[name]
        return self.rules.slides == "all" or (self.rules.slides == "all_but_own" and color != owner)

    def ride(self, triangle: int, group: Group, squares: tuple[int, ...]) -> Ride:
        """Takes a group that stands on top of a triangle's pile down the slide."""
        rules = self.rules
        stops = squares if rules.ice_slide_mode != "end_only" else squares[-1:]
        if rules.ice_slide_triangle == "take":
            stops = (triangle, *stops)
        stood = {pawn: square for square in (triangle, *squares) for pawn in self.pile(square)}
        self.lift(triangle, len(group))
        if rules.ice_slide_order == "last_met_lowest":
            self._ride_on_top(group, stops)
        else:
            self._ride_behind(group, stops)
        stands = {pawn: square for square in (triangle, *squares) for pawn in self.pile(square)}
        moved = sum(stands[pawn] != square for pawn, square in stood.items() if pawn not in group)
        return Ride(len(squares), moved)

    def _ride_on_top(self, group: Group, stops: tuple[int, ...]) -> None:
        """The last pile met becomes the lowest: the riders land on each, and what it has become rides on."""
        for square in stops[:-1]:
            met = self.pile(square)
            self.put_down(square, group)
            stacked = met and self.rules.ice_slide_mode == "carry_stacked"
            group = self.lift(square, len(self.unit(square) if stacked else self.pile(square)))
        self.put_down(stops[-1], group)

    def _ride_behind(self, group: Group, stops: tuple[int, ...]) -> None:
        """The first pile met becomes the lowest: what is met is pushed ahead in the order met, the riders remain above it."""
        taken: Group = ()
        for square in stops:
            met = self.pile(square)
            if self.rules.ice_slide_mode == "carry_stacked" and square != stops[-1]:
                met = () if not met or self._would_cover(group, met) else self.unit(square)
            self.lift(square, len(met))
            self._clear_flags(met[:1])
            taken += met
        self._set(stops[-1], taken)
        self.put_down(stops[-1], group)


def carried_past_entry(color: str, place: int, squares: int) -> bool:
    """Whether a color's pawn is taken past its own entry by so many squares forward from a place."""
    gone = (place - circle(color)) % TRACK
    return gone <= TO_ENTRY < gone + squares


def squares_to_entry(color: str, place: int) -> int:
    """Squares forward from a track square to a color's entry."""
    return (entry(color) - place) % TRACK
