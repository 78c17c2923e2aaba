"""What happens in a game, in plain words.

``Retelling`` carries an action out once more, on a board of its own and pawn by pawn, so that the words tell what truly
happens: who is met on which square, where a slide ends, which of two parts of a 7 sends the other's pawn back.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simsorry.games.classic import moves
from simsorry.games.classic import tables as t
from simsorry.games.classic.notation import LANES, lanes_of, place_name, word_of
from simsorry.games.classic.rules import CARDS, COLORS

if TYPE_CHECKING:
    from simsorry.games.classic.replay import Card, Replay

MOVE, SWAP, TAKE, PASS, BLOCKED = (int(kind) for kind in (moves.MOVE, moves.SWAP, moves.TAKE, moves.PASS, moves.BLOCKED))


def kind(action: int) -> str:
    """Which kind of outcome an action makes: "play", "pass", or "blocked" where an own pawn ends the turn."""
    return {PASS: "pass", BLOCKED: "blocked"}.get(action & 7, "play")


def did(tables: Any, action: int, before: Sequence[int], mover: int) -> str:
    """What an action does: "moves 3 forward from 13 to 16, slides to 19, sends back blue from 17".

    ``tables`` is the compiled record of the rules, ``before`` the words by color, ``mover`` the color's number.
    """
    return Retelling(tables, before, mover).carry_out(action)


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
        """Plays an action of the kernel; returns it in words."""
        way = action & 7
        if way == PASS:
            return "passes"
        if way == BLOCKED:
            return "ends the turn by choosing a square on which an own pawn stands"
        lane, second = action >> 8 & 7, action >> 16 & 63
        if way == SWAP:
            return self._swap(lane, (self._mover + (second >> 3)) % 4, second & 7)
        if way == TAKE:
            return self._take(lane, (self._mover + (second >> 3)) % 4, second & 7)
        if action >> 3 & 7 == 1:
            return self._walk(lane, second)
        parts = [(action >> 8 * (part + 1)) & 255 for part in range(action >> 3 & 7)]
        lanes_and_rows = [(part & 7, (part >> 3 & 7) + (t.PAST if part >> 6 & 1 else t.FORWARD)) for part in parts]
        if self._tables["simultaneous"]:
            return self._walk_together(lanes_and_rows)
        return "; then ".join([self._walk(*part) for part in lanes_and_rows])

    # -- ways to move ------------------------------------------------------------------------------

    def _walk(self, lane: int, row: int) -> str:
        """A start, or a count forward or back, with all that follows."""
        place, target, rides = self._target(lane, row)
        return ", ".join([self._way(row, place, target), *self._land(self._mover, lane, target, rides)])

    def _walk_together(self, lanes_and_rows: list[tuple[int, int]]) -> str:
        """Parts of a 7 whose pawns are lifted first and put down together: none of them meets another."""
        ways = [(lane, row, *self._target(lane, row)) for lane, row in lanes_and_rows]
        own = self._pawns[self._mover]
        for lane, *_ in ways:
            own[lane] = t.NOWHERE
        told, ends = [], []
        for lane, row, place, target, rides in ways:
            told.append(", ".join([self._way(row, place, target), *self._land(self._mover, lane, target, rides)]))
            ends.append((lane, own[lane]))
            own[lane] = t.NOWHERE
        for lane, end in ends:
            own[lane] = end
        return "; at the same time ".join(told)

    def _swap(self, lane: int, other: int, their_lane: int) -> str:
        here, there = self._square(self._mover, lane), self._square(other, their_lane)
        given = self._place(here, other)
        self._pawns[other][their_lane] = given
        after = int(self._tables["slide_after_swap"])
        told = [f"swaps its pawn on {here} with {COLORS[other]}'s on {there}"]
        told += self._land(self._mover, lane, self._place(there, self._mover), after != t.SWAP_NONE)
        text = ", ".join(told)
        if after != t.SWAP_BOTH or self._pawns[other][their_lane] != given or not self._ride(other, given):
            return text
        slides, *sends_back = self._land(other, their_lane, given, rides=True)
        return "; ".join([text, ", ".join([f"{COLORS[other]}'s pawn {slides}", *sends_back])])

    def _take(self, lane: int, other: int, their_lane: int) -> str:
        square = self._square(other, their_lane)
        landed = self._land(self._mover, lane, self._place(square, self._mover), bool(self._tables["slide_after_sorry"]))
        return ", ".join([f"moves a pawn from START to {square}", *landed])

    # -- what a move consists of -------------------------------------------------------------------

    def _target(self, lane: int, row: int) -> tuple[int, int, bool]:
        """Where a pawn stands, where a row leads it, and whether a triangle there is ridden."""
        place = self._pawns[self._mover][lane]
        target = int(self._tables["target"][row * t.ROW_STRIDE + place])
        rides = row != t.OUT and (not t.BACKWARD <= row < t.PAST or bool(self._tables["slide_on_backward"]))
        return place, target, rides

    def _way(self, row: int, place: int, target: int) -> str:
        here, there = (_name(each, self._mover) for each in (place, target))
        if row == t.OUT:
            return f"starts a pawn on {there}"
        squares = row % (t.BACKWARD - t.FORWARD)
        if t.BACKWARD <= row < t.PAST:
            return f"moves {squares} back from {here} to {there}"
        if row >= t.PAST:
            return f"moves {squares} forward from {here} past its safety zone to {there}"
        if target != t.HOME and squares > t.squares_to_go(place):
            return f"moves {squares} forward from {here} to HOME and back to {there}"
        return f"moves {squares} forward from {here} to {there}"

    def _land(self, color: int, lane: int, place: int, rides: bool) -> list[str]:
        """Puts a pawn down, lets it slide, and sends back whom it meets; returns what followed."""
        self._pawns[color][lane] = t.NOWHERE
        ridden = self._ride(color, place) if rides else 0
        met_own = self._tables["own_collision"] == t.BUMP_SELF or (ridden and self._tables["own_on_triangle_bump"])
        met = self._send_back(place, color, own=bool(met_own))
        for squares in range(1, ridden + 1):
            met += self._send_back((place + squares) % t.TRACK, color, own=True)
        end = (place + ridden) % t.TRACK if ridden else place
        self._pawns[color][lane] = end
        slides = [f"slides to {_name(end, color)}"] if ridden else []
        return slides + ([f"sends back {_listed(met)}"] if met else [])

    def _send_back(self, place: int, color: int, own: bool) -> list[str]:
        """Sends the pawns on a place of ``color`` back to START, own ones only if asked to; names them."""
        if place >= t.HOME:
            return []
        square, met = place_name(place, color), []
        for other in range(4):
            if (other == color and not own) or (other != color and place >= t.TRACK):
                continue
            for lane in range(LANES):
                if self._pawns[other][lane] < t.HOME and self._square(other, lane) == square:
                    self._pawns[other][lane] = t.START
                    met.append(f"{COLORS[other]} from {square}")
        return met

    def _ride(self, color: int, place: int) -> int:
        """Squares that a color rides from a place."""
        return int(self._tables["ride"][color * t.ROW_STRIDE + place]) if place < t.TRACK else 0

    def _square(self, color: int, lane: int) -> int | str:
        return place_name(self._pawns[color][lane], color)

    @staticmethod
    def _place(square: int | str, color: int) -> int:
        """A track square as a place of a color."""
        return (int(square) - t.CIRCLE_SQUARE - t.SIDE * color) % t.TRACK


def _name(place: int, color: int) -> str:
    return {t.START: "START", t.HOME: "HOME"}.get(place) or str(place_name(place, color))


def _listed(met: list[str]) -> str:
    """Several pawns of one color on one square are counted."""
    names = [f"{count} {name}" if count > 1 else name for name, count in Counter(met).items()]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# -- a whole game ----------------------------------------------------------------------------------


def line(card: "Card") -> str:
    """One card of a game: turn, color, card and what came of it."""
    turn, color = ("", "") if card.again else (str(card.turn), COLORS[card.color])
    told = card.did or "nothing to play"
    told += f" ({card.choices} choices)" if card.choices > 1 else ""
    told += "; draws again" if card.draws_again else ""
    told += "; the discards become the pile" if card.reshuffled else ""
    told += f"; all pawns HOME: {_ORDINALS[card.place]}" if card.place else ""
    return f"{turn:>5}  {color:<6}  {CARDS[card.card]:<5}  {told}"


_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth"}


def summary(replay: "Replay") -> str:
    """How a game ended, or how far it has come, on one line."""
    counted = {"turns_all": "turn", "draws": "card", "bumps": "bump", "slides": "slide", "reshuffles": "reshuffle"}
    numbers = [f"{replay.counters[name]} {thing}{'' if replay.counters[name] == 1 else 's'}" for name, thing in counted.items()]
    return f"{_ending(replay)}: {', '.join(numbers)}"


def _ending(replay: "Replay") -> str:
    """Who won when, who came in after that, and whether the game is over."""
    told = []
    ranked = sorted(replay.places, key=lambda color: replay.places[color])
    if ranked:
        told.append(f"{ranked[0]} wins in turn {replay.counters['turns']}")
    if replay.table.rules.game_end != "first_home":
        left = [color for color in replay.table.players if color not in ranked]
        ranked += left if replay.over and len(left) == 1 else []
        told += [f"{color} is {_ORDINALS[place]}" for place, color in enumerate(ranked[1:], start=2)]
    if replay.capped:
        told.append("cut off at the turn cap")
    elif not replay.over:
        told.append("not over yet")
    return ", ".join(told)
