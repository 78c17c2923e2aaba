"""What happens in a game, in plain words."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from simsorry.games import telling
from simsorry.games.ice import retelling as r
from simsorry.games.ice import tables as t
from simsorry.games.ice.notation import pile_names, place_name
from simsorry.games.ice.placement import NUMBER, color_of, size_of
from simsorry.games.ice.retelling import Move, Play, Slot
from simsorry.games.ice.rules import SIZES
from simsorry.games.options import COLORS
from simsorry.games.words import all_of, number_of

if TYPE_CHECKING:
    from simsorry.games.ice.replay import Replay

_KINDS = {r.PASS: "pass", r.THROW: "throw", r.IDLE: "idle", r.NOTHING: "nothing"}
_NUMBERS = {2: "two", 3: "three"}
_SPELLED_OUT = 3  # pawns of a group that are named one by one

Pawns = Sequence[int]


def kind(action: int) -> str:
    """Which kind of outcome an action makes.

    That is "play"; "pass"; "throw" of a card thrown in, "idle" of a 2 laid down without a move; or "nothing".
    """
    return _KINDS.get(action & 15, "play")


def did(play: Play, mover: int, card: int) -> str:
    """What a play does: "moves a large pawn 5 forward from 20 to 25, where it covers blue's small pawn".

    ``mover`` is the number of a color, ``card`` that of the card.
    """
    if not play.moves:
        return {r.PASS: "passes", r.IDLE: "lays the 2 down without a move"}.get(play.kind) or f"throws in {telling.thrown(card)}"
    told = "; then ".join([_move(move, mover) for move in play.moves])
    named = {pawn >> NUMBER for move in play.moves if move.covers for pawn in move.beneath}
    covered = [(pawn, place) for pawn, place in play.covered if pawn >> NUMBER not in named]
    return "; ".join([told, *_consequence("covers", covered, mover), *_consequence("frees", play.freed, mover)])


def _consequence(verb: str, pawns: Sequence[tuple[int, int]], mover: int) -> list[str]:
    """What else becomes of pawns, square by square."""
    squares = [(place, [pawn for pawn, _ in found]) for place, found in groupby(pawns, key=lambda found: found[1])]
    if not squares:
        return []
    return [f"{verb} {all_of([f'{_some(found, mover)} on {_name(place)}' for place, found in squares])}"]


# -- moves -------------------------------------------------------------------------------------------


def _move(move: Move, mover: int) -> str:
    """One move, with all that follows on its way."""
    if move.kind == r.SWAP:
        return f"{_switch(move)}{_slide(move, mover)}"
    if move.kind == r.START:
        return f"starts {_group(move.pawns, mover)} on {_name(move.target)}{_rest(move, mover)}"
    if move.kind == r.SORRY:
        return f"moves {_group(move.pawns, mover)} from START to {_name(move.target)}{_slide(move, mover)}"
    way = "back" if move.kind == r.BACK else "forward"
    past = " past its safety zone" if move.kind == r.PAST else " to HOME and back" if move.bounces else ""
    counted = f"moves {_group(move.pawns, mover)} {move.squares} {way} from {_name(move.origin)}{past} to {_name(move.target)}"
    return f"{counted}{_others_left(move, mover)}{_slide(move, mover)}"


def _switch(move: Move) -> str:
    """Which two pawns change places, and where in their piles they stand."""
    mine, theirs = move.others
    own, other = f"its {_size(mine.pawn)} pawn", f"{COLORS[color_of(theirs.pawn)]}'s {_size(theirs.pawn)} pawn"
    if mine.place == theirs.place:
        return f"switches {own}{_level(mine)} with {other}{_level(theirs)} on {_name(mine.place)}"
    return f"switches {own} on {_name(mine.place)}{_level(mine)} with {other} on {_name(theirs.place)}{_level(theirs)}"


def _level(slot: Slot) -> str:
    """Where in its pile a pawn stands."""
    if slot.height == 1:
        return ""
    if slot.level in (0, slot.height - 1):
        return " (top)" if slot.level else " (lowest)"
    number = slot.level + 1
    ending = "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f" ({number}{ending} from below)"


def _others_left(move: Move, mover: int) -> str:
    """What becomes of pawns that may not come into the safety zone."""
    if not move.left:
        return ""
    others = _some(move.left, mover)
    return f", leaving {others} on {_name(move.left_on)}" if move.left_on != t.NOWHERE else f", sending {others} back to START"


def _slide(move: Move, mover: int) -> str:
    """A slide, and how the group comes to rest."""
    if not move.slides:
        return _rest(move, mover)
    taken = [f"{_pile(pawns, mover)} from {_name(place)}" for place, pawns in move.taken]
    along = f" (taking along {all_of(taken)})" if taken else ""
    return f", slides to {_name(move.end)}{along}{_rest(move, mover)}"


def _rest(move: Move, mover: int) -> str:
    """What the group comes to rest on."""
    if not move.beneath:
        return ""
    if move.covers:
        return f", where it covers {_group(move.beneath, mover, own='an own')}"
    return f", where it stacks on {_group(move.beneath, mover, own='an own')}"


# -- pawns -------------------------------------------------------------------------------------------


def _name(place: int) -> str:
    """A place in a sentence, whose subject needs no color in its own safety zone."""
    return "HOME" if place == t.HOME else place_name(place).split()[-1]


def _size(pawn: int) -> str:
    return SIZES[size_of(pawn)]


def _group(pawns: Pawns, mover: int, own: str = "a") -> str:
    """Pawns that move together, lowest first: "a small pawn", "the stack of blue's small and a large pawn"."""
    if len(pawns) == 1:
        return f"{_listed(pawns, mover, own)}"
    if len(pawns) <= _SPELLED_OUT:
        return f"the stack of {_listed(pawns, mover, own)}"
    return f"the stack of {len(pawns)} pawns ({' '.join(pile_names(pawns))})"


def _pile(pawns: Pawns, mover: int) -> str:
    """All pawns of a pile: "blue's small pawn", "the pile bs rm"."""
    return _listed(pawns, mover, "an own") if len(pawns) == 1 else f"the pile {' '.join(pile_names(pawns))}"


def _some(pawns: Pawns, mover: int) -> str:
    """Some pawns of one square, lowest first."""
    if len(pawns) <= _SPELLED_OUT:
        return _listed(pawns, mover, "an own")
    return f"{len(pawns)} pawns ({' '.join(pile_names(pawns))})"


def _listed(pawns: Pawns, mover: int, own: str) -> str:
    """Pawns by color and size; equal ones in a row are counted: "two small and a large pawn"."""
    kinds = [(each, len(list(same))) for each, same in groupby(pawns, key=lambda pawn: pawn & 15)]
    named = []
    for pawn, count in kinds:
        is_own = color_of(pawn) == mover
        if count == 1:
            named.append(f"{own if is_own else _whose(pawn)} {_size(pawn)}")
        else:
            whose = own.partition(" ")[2] if is_own else COLORS[color_of(pawn)]
            named.append(" ".join(filter(None, [_NUMBERS[count], whose, _size(pawn)])))
    return f"{all_of(named)} pawn{'s' if kinds[-1][1] > 1 else ''}"


def _whose(pawn: int) -> str:
    return f"{COLORS[color_of(pawn)]}'s"


# -- the end of a game -------------------------------------------------------------------------------


def summary(replay: "Replay") -> str:
    """How a game ended, or how far it has come, on one line."""
    counters = replay.counters
    counted = [
        f"{number_of(counters['pawns_covered'], 'pawn')} covered",
        number_of(counters["swaps"], "switch").replace("switchs", "switches"),
        number_of(counters["slides"], "slide"),
    ]
    return telling.summary(replay, counted)
