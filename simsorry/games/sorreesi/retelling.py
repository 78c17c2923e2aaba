"""A use carried out once more, pawn by pawn on a board of its own, so that what is told of it is what truly happens.

Who is met on which square, who rolls what in a fight, whose pawns go back: the kernel keeps none of that. A fight is rolled with the
game's own dice, or, in a decision that is still to be made, only announced.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from simsorry.games.options import COLORS
from simsorry.games.sorreesi import actions
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.notation import LANES, lanes_of, word_of
from simsorry.games.sorreesi.rules import Rules

HOP, START, SPLIT, BACK, SWAP, TAKE, STOP, NOTHING = map(
    int, (actions.HOP, actions.START, actions.SPLIT, actions.BACK, actions.SWAP, actions.TAKE, actions.STOP, actions.NOTHING)
)
SWAPPED, LAPSED = 8, 9  # of a move: the other pawn of a swap; a part of a 7 whose pawn has been sent back meanwhile


class Fight(NamedTuple):
    """A fight, colors by number."""

    square: int
    colors: tuple[int, ...]  # who is there, clockwise from the pawn that came
    rolls: tuple[dict[int, int], ...]  # dice by color: of all, then of those who roll again; empty if it is still to come
    ties: int  # rolls in which the highest dice of two sides were equal
    lost: dict[int, int]  # pawns sent back by color


class Move(NamedTuple):
    """A pawn put down, and whom it meets; colors and places by number."""

    kind: int  # HOP (of a split too), START, BACK, SWAP, TAKE, SWAPPED or LAPSED
    color: int
    place: int
    target: int
    squares: int  # moved, forward or backward
    captured: dict[int, int]  # pawns sent back by landing, by color
    fight: Fight | None
    other: int = -1  # of a swap: the color of the other pawn


class Retelling:
    """A board on which one use is carried out.

    ``before`` is the position in words by color, ``mover`` the color to move; ``die`` gives the next die of a fight; without it
    fights stay open and everybody stays, as where an outcome is looked at.
    """

    def __init__(self, rules: Rules, before: Sequence[int], mover: int, die: Callable[[], int] | None = None) -> None:
        self._rules = rules
        self._mover = mover
        self._die = die
        self._pawns = [lanes_of(int(word)) for word in before]
        pairs = [(COLORS.index(one), COLORS.index(other)) for one, other in rules.team_pairs]
        self._sides = {color: frozenset({color}) for color in range(len(COLORS))} | {c: frozenset(pair) for pair in pairs for c in pair}

    @property
    def words(self) -> list[int]:
        """The position, by color."""
        return [word_of(lanes) for lanes in self._pawns]

    def carry_out(self, action: int) -> tuple[Move, ...]:
        """Plays an action of the kernel; returns the pawns put down, in order."""
        kind = action & 15
        if kind in (STOP, NOTHING):
            return ()
        if kind == SPLIT:
            return tuple(self._part(action >> int(actions.PARTS) + int(actions.PART_BITS) * part & 127) for part in range(_parts(action)))
        color = self._partner() if action & int(actions.PARTNER) else self._mover
        lane = action >> int(actions.LANE) & 7
        if kind == SWAP:
            return self._swap(color, lane, (color + (action >> int(actions.OTHER) & 3)) % 4, action >> int(actions.OTHER_LANE) & 7)
        return (self._single(kind, color, lane, action >> int(actions.SQUARES) & 127),)

    def _single(self, kind: int, color: int, lane: int, squares: int) -> Move:
        place = self._pawns[color][lane]
        if kind == START:
            return self._put_down(kind, color, lane, t.entry_place(self._rules))
        if kind == TAKE:
            return self._put_down(kind, color, lane, squares)
        if kind == HOP:
            return self._put_down(kind, color, lane, self._ahead(place, squares), squares)
        behind = place + squares
        return self._put_down(kind, color, lane, behind - t.TRACK if behind > t.last_place(self._rules) else behind, squares)

    def _part(self, part: int) -> Move:
        """A part of a 7, as the kernel writes it."""
        color, lane, share = self._partner() if part >> 3 & 1 else self._mover, part & 7, part >> 4
        place = self._pawns[color][lane]
        if place == t.BASE:
            return Move(LAPSED, color, place, place, share, {}, None)
        return self._put_down(HOP, color, lane, self._ahead(place, share), share)

    def _swap(self, color: int, lane: int, other: int, their_lane: int) -> tuple[Move, ...]:
        rules, mine, theirs = self._rules, self._pawns[color][lane], self._pawns[other][their_lane]
        here, there = t.square_of(rules, color, mine), t.square_of(rules, other, theirs)
        mine_there, theirs_here = t.place_of(rules, color, there), t.place_of(rules, other, here)
        self._pawns[other][their_lane] = theirs_here
        if rules.swap_requires_single:
            self._pawns[color][lane] = mine_there
            return (Move(SWAP, color, mine, mine_there, 0, {}, None, other),)
        own = self._put_down(SWAP, color, lane, mine_there)._replace(other=other)
        return own, self._put_down(SWAPPED, other, their_lane, theirs_here)

    def _ahead(self, place: int, squares: int) -> int:
        """Where a count leads."""
        if place >= squares:
            return place - squares
        return t.HOME if self._rules.home_overshoot == "any" else squares - place

    def _partner(self) -> int:
        return next(color for color in self._sides[self._mover] if color != self._mover)

    # -- landing -----------------------------------------------------------------------------------

    def _put_down(self, kind: int, color: int, lane: int, target: int, squares: int = 0) -> Move:
        """Puts a pawn down; sends back whom it captures, and fights who is safe there."""
        place = self._pawns[color][lane]
        self._pawns[color][lane] = target
        square = t.square_of(self._rules, color, target)
        met = [] if square == t.NOWHERE else [other for other in self._standing(color, square) if other != color]
        foes = [other for other in met if other not in self._sides[color]]
        safe = [other for other in foes if t.is_safe(self._rules, other, square)]
        if kind == START and self._rules.entry_conflict == "capture":
            safe = []
        hit = met if kind == TAKE and not foes else [other for other in foes if other not in safe]
        captured = {other: self._send_back(other, square) for other in hit}
        return Move(kind, color, place, target, squares, captured, self._fight(color, square) if safe else None)

    def _standing(self, color: int, square: int) -> list[int]:
        """The colors with a pawn on a square, clockwise from one of them."""
        colors = [(color + k) % 4 for k in range(4)]
        return [each for each in colors if any(t.square_of(self._rules, each, place) == square for place in self._pawns[each])]

    def _send_back(self, color: int, square: int) -> int:
        """Sends the pawns of a color on a square back to the base; returns how many there were."""
        sent = [lane for lane in range(LANES) if t.square_of(self._rules, color, self._pawns[color][lane]) == square]
        for lane in sent:
            self._pawns[color][lane] = t.BASE
        return len(sent)

    # -- fights ------------------------------------------------------------------------------------

    def _fight(self, color: int, square: int) -> Fight:
        """The fight that a pawn of a color begins on a square."""
        there = self._standing(color, square)
        if self._die is None:
            return Fight(square, tuple(there), (), 0, {})
        rolls, ties, stays = self._rolled_out(there, self._die)
        lost = {other: self._send_back(other, square) for other in there if other not in stays}
        return Fight(square, tuple(there), tuple(rolls), ties, lost)

    def _rolled_out(self, there: list[int], die: Callable[[], int]) -> tuple[list[dict[int, int]], int, frozenset[int]]:
        """Rolls until it is decided who stays; returns the dice by color, how many rolls were ties of two sides, and who stays."""
        tie, attackers = self._rules.fight_tie, self._sides[there[0]]
        rolls, rolling = list[dict[int, int]](), there
        while True:
            rolls.append({color: die() for color in rolling})
            highest = [color for color in rolling if rolls[-1][color] == max(rolls[-1].values())]
            sides = {self._sides[color] for color in highest}
            if len(sides) == 1:
                return rolls, len(rolls) - 1, self._sides[highest[0]]
            if tie == "both_stay":
                return rolls, len(rolls), frozenset().union(*sides)
            if tie == "both_back":
                return rolls, len(rolls), frozenset()
            if tie == "attacker" and attackers in sides:
                return rolls, len(rolls), attackers
            rolling = highest
            if tie == "defender":
                rolling = [color for color in highest if color not in attackers]
                if len({self._sides[color] for color in rolling}) == 1:
                    return rolls, len(rolls), self._sides[rolling[0]]


def _parts(action: int) -> int:
    """How many parts a split 7 has."""
    parts = 0
    while parts < actions.MAX_PARTS and action >> int(actions.PARTS) + int(actions.PART_BITS) * parts + int(actions.SHARE) & 7:
        parts += 1
    return parts
