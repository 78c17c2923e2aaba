"""What happens in a game, in plain words.

``Retelling`` carries an action out once more, on a board of its own and pawn by pawn, so that the words tell what truly
happens: who is met on which square, where a slide ends, which of two parts of a 7 sends the other's pawn back.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simsorry.games import telling, track
from simsorry.games.classic import actions
from simsorry.games.classic import tables as t
from simsorry.games.classic.notation import LANES, lanes_of, place_name, word_of
from simsorry.games.options import COLORS
from simsorry.games.words import all_of, number_of

if TYPE_CHECKING:
    from simsorry.games.classic.replay import Replay

MOVE, SWAP, TAKE, PASS, BLOCKED, THROW, IDLE = range(7)
_NO_PAWN = {PASS: "pass", BLOCKED: "blocked", THROW: "throw", IDLE: "idle"}


def kind(action: int) -> str:
    """Which kind of outcome an action makes.

    That is "play"; "pass"; "blocked" where an own pawn ends the turn; "throw" of a card thrown in, "idle" of a 2 laid down without
    a move; or "nothing".
    """
    return "nothing" if action & 7 == actions.NOTHING else _NO_PAWN.get(action & 7, "play")


def did(tables: Any, action: int, before: Sequence[int], mover: int, card: int) -> str:
    """What an action does: "moves 3 forward from 13 to 16, slides to 19, sends back blue from 17".

    ``tables`` is the compiled record of the rules, ``before`` the words by color, ``mover`` the color's number, ``card`` the card's.
    """
    told = {
        PASS: "passes",
        BLOCKED: "ends the turn by choosing a square on which an own pawn stands",
        THROW: f"throws in {telling.thrown(card)}",
        IDLE: "lays the 2 down without a move",
    }
    return told.get(action & 7) or Retelling(tables, before, mover).carry_out(action)


class Retelling:
    """A board on which one action is carried out and told."""

    def __init__(self, tables: Any, before: Sequence[int], mover: int) -> None:
        self._tables = tables
        self._mover = mover
        self._pawns = [lanes_of(int(word)) for word in before]

    @property
    def words(self) -> list[int]:
        """The position, by color."""
        return [word_of(lanes) for lanes in self._pawns]

    def carry_out(self, action: int) -> str:
        """Plays an action of the kernel that moves pawns; returns it in words."""
        way, parts = action & 7, action >> 3 & 7
        if way == MOVE and parts > 1:
            return self._split([(action >> 8 * (part + 1)) & 255 for part in range(parts)])
        color = self._partner(self._mover) if action & actions.PARTNER else self._mover
        lane, second = action >> 8 & 7, action >> 16 & 63
        other, their_lane = (color + (second >> 3)) % 4, second & 7
        if way == SWAP:
            return self._swap(color, lane, other, their_lane)
        if way == TAKE:
            return self._take(color, lane, other, their_lane)
        return self._walk(color, lane, second)

    def _split(self, parts: list[int]) -> str:
        """A 7 in parts: a byte each, of pawn, squares, whether past the own entry, whether the partner's."""
        ways = []
        for part in parts:
            color = self._partner(self._mover) if part >> 7 else self._mover
            ways.append((color, part & 7, (part >> 3 & 7) + (t.PAST if part >> 6 & 1 else t.FORWARD)))
        if self._tables["simultaneous"]:
            return self._walk_together(ways)
        return "; then ".join([self._walk(*way) for way in ways])

    def _partner(self, color: int) -> int:
        return (color + int(self._tables["partner"][color])) % 4

    def _whose(self, color: int) -> str:
        """How a pawn of the partner is named, before what it does; nothing for an own one."""
        return "" if color == self._mover else f"{COLORS[color]} "

    # -- ways to move ------------------------------------------------------------------------------

    def _walk(self, color: int, lane: int, row: int) -> str:
        """A start, or a count forward or back, with all that follows."""
        place, target, rides = self._target(color, lane, row)
        return ", ".join([self._way(color, row, place, target), *self._land(color, lane, target, rides)])

    def _walk_together(self, parts: list[tuple[int, int, int]]) -> str:
        """Parts of a 7 whose pawns are lifted first and put down together: none of them meets another."""
        ways = [(color, lane, row, *self._target(color, lane, row)) for color, lane, row in parts]
        for color, lane, *_ in ways:
            self._pawns[color][lane] = track.NOWHERE
        lifted = [list(lanes) for lanes in self._pawns]  # who stands in a pawn's way stood there before
        told, ends = [], []
        for color, lane, row, place, target, rides in ways:
            told.append(", ".join([self._way(color, row, place, target), *self._land(color, lane, target, rides, lifted)]))
            ends.append((color, lane, self._pawns[color][lane]))
            self._pawns[color][lane] = track.NOWHERE
        for color, lane, end in ends:
            self._pawns[color][lane] = end
        return "; at the same time ".join(told)

    def _swap(self, color: int, lane: int, other: int, their_lane: int) -> str:
        here, there = self._square(color, lane), self._square(other, their_lane)
        given = self._place(here, other)
        self._pawns[other][their_lane] = given
        after = int(self._tables["slide_after_swap"])
        whose = "its" if color == self._mover else f"{COLORS[color]}'s"
        told = [f"swaps {whose} pawn on {here} with {COLORS[other]}'s on {there}"]
        told += self._land(color, lane, self._place(there, color), after != t.SWAP_NONE)
        text = ", ".join(told)
        if after != t.SWAP_BOTH or self._pawns[other][their_lane] != given or not self._ride(other, given):
            return text
        slides, *sends_back = self._land(other, their_lane, given, rides=True)
        return "; ".join([text, ", ".join([f"{COLORS[other]}'s pawn {slides}", *sends_back])])

    def _take(self, color: int, lane: int, other: int, their_lane: int) -> str:
        square = self._square(other, their_lane)
        place = self._place(square, color)
        aimed = self._send_back(place, color, {other}) if other == self._partner(color) else []
        slides, met = self._put_down(color, lane, place, bool(self._tables["slide_after_sorry"]), self._pawns)
        return ", ".join([f"moves a {self._whose(color)}pawn from START to {square}", *slides, *_sent_back(aimed + met)])

    # -- what a move consists of -------------------------------------------------------------------

    def _target(self, color: int, lane: int, row: int) -> tuple[int, int, bool]:
        """Where a pawn stands, where a row leads it, and whether a triangle there is ridden."""
        place = self._pawns[color][lane]
        target = int(self._tables["target"][row * track.STRIDE + place])
        rides = row != t.OUT and (not t.BACKWARD <= row < t.PAST or bool(self._tables["slide_on_backward"]))
        return place, target, rides

    def _way(self, color: int, row: int, place: int, target: int) -> str:
        here, there, whose = _name(place, color), _name(target, color), self._whose(color)
        if row == t.OUT:
            return f"starts a {whose}pawn on {there}"
        squares = row % (t.BACKWARD - t.FORWARD)
        if t.BACKWARD <= row < t.PAST:
            return f"moves {whose}{squares} back from {here} to {there}"
        if row >= t.PAST:
            return f"moves {whose}{squares} forward from {here} past its safety zone to {there}"
        if target != track.HOME and squares > track.squares_to_go(place):
            return f"moves {whose}{squares} forward from {here} to HOME and back to {there}"
        return f"moves {whose}{squares} forward from {here} to {there}"

    def _land(self, color: int, lane: int, place: int, rides: bool, standing: list[list[int]] | None = None) -> list[str]:
        """Puts a pawn down, lets it slide, and sends back whom it meets; returns what followed.

        ``standing`` are the places of the pawns that may be in its way, if not those of now.
        """
        slides, met = self._put_down(color, lane, place, rides, standing or self._pawns)
        return [*slides, *_sent_back(met)]

    def _put_down(self, color: int, lane: int, place: int, rides: bool, standing: list[list[int]]) -> tuple[list[str], list[str]]:
        """Puts a pawn down, and returns how it slides and whom it sends back."""
        self._pawns[color][lane] = track.NOWHERE
        partner, collision = self._partner(color), int(self._tables["team_collision"])
        if collision == t.BUMP_MOVER and partner != color and _stands(standing, partner, place_name(place, color)):
            self._pawns[color][lane] = track.START
            return [f"goes back to START, for {COLORS[partner]} stands there"], []
        ridden = self._ride(color, place) if rides else 0
        met_own = self._tables["own_collision"] == t.BUMP_SELF or (ridden and self._tables["own_on_triangle_bump"])
        spared = {color} if not met_own else set()
        if collision == t.COEXIST and partner != color:
            spared.add(partner)
        met = self._send_back(place, color, set(range(4)) - spared)
        for squares in range(1, ridden + 1):
            met += self._send_back((place + squares) % track.TRACK, color, set(range(4)))
        end = (place + ridden) % track.TRACK if ridden else place
        self._pawns[color][lane] = end
        return [f"slides to {_name(end, color)}"] if ridden else [], met

    def _send_back(self, place: int, color: int, colors: set[int]) -> list[str]:
        """Sends the pawns of some colors on a place of ``color`` back to START; names them."""
        if place >= track.HOME:
            return []
        square, met = place_name(place, color), []
        for other in colors if place < track.TRACK else colors & {color}:
            for lane in range(LANES):
                if self._pawns[other][lane] < track.HOME and self._square(other, lane) == square:
                    self._pawns[other][lane] = track.START
                    met.append(f"{COLORS[other]} from {square}")
        return met

    def _ride(self, color: int, place: int) -> int:
        """Squares that a color rides from a place."""
        return int(self._tables["ride"][color * track.STRIDE + place]) if place < track.TRACK else 0

    def _square(self, color: int, lane: int) -> int | str:
        return place_name(self._pawns[color][lane], color)

    @staticmethod
    def _place(square: int | str, color: int) -> int:
        """A track square as a place of a color."""
        return (int(square) - track.CIRCLE_SQUARE - track.SIDE * color) % track.TRACK


def _stands(pawns: list[list[int]], color: int, square: int | str) -> bool:
    """Whether a pawn of a color stands on a track square."""
    return isinstance(square, int) and any(place < track.TRACK and place_name(place, color) == square for place in pawns[color])


def _name(place: int, color: int) -> str:
    return {track.START: "START", track.HOME: "HOME"}.get(place) or str(place_name(place, color))


def _sent_back(met: list[str]) -> list[str]:
    return [f"sends back {_listed(met)}"] if met else []


def _listed(met: list[str]) -> str:
    """Several pawns of one color on one square are counted."""
    return all_of([f"{count} {name}" if count > 1 else name for name, count in Counter(met).items()])


# -- the end of a game -----------------------------------------------------------------------------


def summary(replay: "Replay") -> str:
    """How a game ended, or how far it has come, on one line."""
    counters = replay.counters
    counted = [
        number_of(counters["bumps"], "bump"),
        *([number_of(counters["partner_bumps"], "partner bump")] if replay.rules.team_pairs else []),
        number_of(counters["slides"], "slide"),
    ]
    return telling.summary(replay, counted)
