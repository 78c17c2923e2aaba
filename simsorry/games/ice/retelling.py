"""Actions carried out once more, on a board of Python's own and pawn by pawn, so that words and counts tell what truly happens."""

from typing import Any, NamedTuple

from simsorry.games.ice import tables as t
from simsorry.games.ice.placement import FLAG, NUMBER, Placement, color_of, covers, size_of, unit_of
from simsorry.games.ice.rules import Rules

START, FORWARD, PAST, BACK, SPLIT, SWAP, SORRY, PASS, THROW, IDLE = range(10)  # the kinds of the kernel's actions
NOTHING = 15

_PART = 18  # bits of a part of a move


class Slot(NamedTuple):
    """Where a pawn stood before it was switched."""

    pawn: int
    place: int
    level: int
    height: int  # of the pile


class Move(NamedTuple):
    """What was done with one group of pawns."""

    kind: int  # START, FORWARD, PAST, BACK, SWAP or SORRY
    pawns: tuple[int, ...]  # the group, lowest first; of a switch the own pawn
    origin: int  # place; nothing in a start or a Sorry!
    squares: int
    target: int  # the place that is reached before a slide, or HOME
    end: int  # the place where the group came to rest, or HOME
    bounces: bool = False  # the count led to HOME and back
    left: tuple[int, ...] = ()  # other colors' pawns that did not enter the safety zone: on its entry square, or on START
    left_on: int = t.NOWHERE  # that square
    taken: tuple[tuple[int, tuple[int, ...]], ...] = ()  # pawns that the slide took along, by the place that they stood on
    beneath: tuple[int, ...] = ()  # what the group came to cover, lowest first, or the one pawn that it was stacked on
    covers: bool = False
    others: tuple[Slot, ...] = ()  # the slots of a switch: the own pawn's and the other's

    @property
    def slides(self) -> bool:
        """Whether a slide was ridden."""
        return self.end != self.target


class Play(NamedTuple):
    """What an action came to."""

    kind: int
    moves: tuple[Move, ...]
    covered: tuple[tuple[int, int], ...] = ()  # pawns that are covered now and were not before, with their places
    freed: tuple[tuple[int, int], ...] = ()  # covered pawns in play that are so no longer


class Retelling:
    """A board on which actions are carried out.

    ``tables`` is the compiled record of the rules; ``placement``, whose pawns must have numbers, is changed.
    """

    def __init__(self, rules: Rules, tables: Any, placement: Placement) -> None:
        self._rules = rules
        self._tables = tables
        self.placement = placement
        self._piles = placement.piles

    def carry_out(self, action: int, mover: int) -> Play:
        """Plays an action of the kernel for a color by number."""
        kind = action & 15
        if kind >= PASS:
            return Play(kind, ())
        before = self.placement.covered()
        moves = tuple(self._moves(kind, action, mover))
        after = self.placement.covered()
        standing = sorted(self.placement.in_play(), key=lambda found: found[1])
        covered = tuple((pawn, place) for pawn, place in standing if pawn >> NUMBER in after and pawn >> NUMBER not in before)
        freed = tuple((pawn, place) for pawn, place in standing if pawn >> NUMBER in before and pawn >> NUMBER not in after)
        return Play(kind, moves, covered, freed)

    def _moves(self, kind: int, action: int, mover: int) -> list[Move]:
        if kind == START:
            return [self._bring_out(START, mover, action >> 8 & 3, int(self._tables["circle"][mover]))]
        if kind == SORRY:
            return [self._bring_out(SORRY, mover, action >> 8 & 3, action >> 10 & 127)]
        if kind == SWAP:
            slots = [action >> 8 & 127, action >> 15 & 63, action >> 21 & 127, action >> 28 & 63]
            return [self._swap(*slots)]
        parts = [action >> 8] if kind != SPLIT else [action >> 8, action >> 8 + _PART]
        return [self._move(kind, part, mover) for part in parts]

    # -- ways to move ------------------------------------------------------------------------------

    def _bring_out(self, kind: int, mover: int, size: int, place: int) -> Move:
        """A start, or a Sorry!."""
        pawn = self.placement.new_pawn(mover, size)
        rides = kind == SORRY and self._rules.slide_after_sorry
        return self._put(Move(kind, (pawn,), t.NOWHERE, 0, place, place), [pawn], rides)

    def _move(self, kind: int, part: int, mover: int) -> Move:
        """A count forward or back, also as a part of a 7."""
        place, pawns, squares = part & 127, part >> 7 & 63, part >> 13 & 15
        if kind == SPLIT:
            kind = PAST if part >> 17 & 1 else FORWARD
        row = {FORWARD: t.FORWARD, PAST: t.PAST, BACK: t.BACKWARD}[kind] + squares
        found = int(self._tables["target"][(mover * t.ROWS + row) * t.STRIDE + place])
        target, turns_in = found & ~t.TURNS_IN, bool(found & t.TURNS_IN)
        togo = int(self._tables["togo"][mover * t.STRIDE + place])
        group = self._lift(place, pawns)
        told = Move(kind, tuple(group), place, squares, target, target, bounces=kind == FORWARD and target != t.HOME and squares > togo)
        if turns_in and any(color_of(pawn) != mover for pawn in group):
            group, told = self._leave_others(group, mover, told)
        return self._put(told, group, kind != BACK or self._rules.slide_on_backward)

    def _leave_others(self, group: list[int], mover: int, told: Move) -> tuple[list[int], Move]:
        """Other colors' pawns do not enter the safety zone: puts them down, and returns the own ones."""
        own, others = _only(group, mover, True), _only(group, mover, False)
        entry = int(self._tables["entry"][mover])
        if self._rules.ice_mixed_stack_zone == "to_start":
            for pawn in others:
                self.placement.start[4 * color_of(pawn) + size_of(pawn)] += 1
            return own, told._replace(left=tuple(others))
        self._land(others, entry)
        return own, told._replace(left=tuple(others), left_on=entry)

    def _swap(self, place: int, level: int, other: int, other_level: int) -> Move:
        """A switch of an own pawn with another."""
        mine = Slot(self._piles[place][level], place, level, len(self._piles[place]))
        theirs = Slot(self._piles[other][other_level], other, other_level, len(self._piles[other]))
        if self._rules.ice_swap_mode == "land_on_top":
            self._take_out(mine, theirs)
            self._land([mine.pawn], other)
            self._land([theirs.pawn], place)
        else:
            self._piles[place][level], self._piles[other][other_level] = theirs.pawn, mine.pawn
            for slot in (mine, theirs):
                self._clear_flags(slot.place, slot.level, slot.level + 1)
        told = Move(SWAP, (mine.pawn,), place, 0, other, other, others=(mine, theirs))
        on_top = self._piles[other][-1] >> NUMBER == mine.pawn >> NUMBER
        if not on_top or self._rules.ice_swap_slide != "if_top" or not self._ridden(mine.pawn, other):
            return told
        return self._put(told, self._lift(other, 1), rides=True)

    def _take_out(self, mine: Slot, theirs: Slot) -> None:
        """Takes two pawns out of their piles, which close up."""
        for slot in sorted((mine, theirs), key=lambda slot: -slot.level):  # the upper one first, so that levels hold
            self._piles[slot.place].pop(slot.level)
            self._clear_flags(slot.place, slot.level)
        for slot in (mine, theirs):
            if not self._piles.get(slot.place, [0]):
                del self._piles[slot.place]

    def _clear_flags(self, place: int, *levels: int) -> None:
        pile = self._piles[place]
        for level in levels:
            if level < len(pile):
                pile[level] &= ~FLAG

    # -- what a move consists of -------------------------------------------------------------------

    def _lift(self, place: int, pawns: int) -> list[int]:
        """Takes the upper pawns off a pile."""
        pile = self._piles[place]
        group = pile[-pawns:]
        del pile[-pawns:]
        if not pile:
            del self._piles[place]
        return group

    def _join(self, group: list[int], pile: list[int]) -> list[int]:
        """A pile with a group put onto it."""
        return [*pile, self._meeting(group, pile[-1] if pile else None), *group[1:]]

    def _meeting(self, group: list[int], beneath: int | None) -> int:
        """The lowest pawn of a group, flagged for the pawn that it comes down on."""
        lowest = group[0] & ~FLAG
        if beneath is None or self._rules.ice_contact_piece == "bottom":
            return lowest
        return lowest if covers(lowest, beneath) == (size_of(group[-1]) > size_of(beneath)) else lowest | FLAG

    def _land(self, group: list[int], place: int) -> None:
        """Puts a group onto what stands on a place."""
        self._piles[place] = self._join(group, self._piles.get(place, []))

    def _ridden(self, pawn: int, place: int) -> int:
        """Squares that a group with this pawn on top rides from a place."""
        return int(self._tables["ride"][color_of(pawn) * t.STRIDE + place]) if place < t.TRACK else 0

    def _put(self, told: Move, group: list[int], rides: bool) -> Move:
        """Puts a group down where it has come to, lets it slide, and adds to the move how it comes to rest."""
        if told.target == t.HOME:
            for pawn in group:
                self.placement.home[4 * color_of(pawn) + size_of(pawn)] += 1
            return told
        ridden = self._ridden(group[-1], told.target) if rides else 0
        if not ridden:
            self._land(group, told.target)
            return self._resting(told, group, told.target)
        end = (told.target + ridden) % t.TRACK
        taken = self._slide(group, told.target, ridden)
        return self._resting(told._replace(end=end, taken=taken), group, end)

    def _resting(self, told: Move, group: list[int], place: int) -> Move:
        """Adds to a move what its group rests on."""
        pile = self._piles[place]
        lower = pile[: -len(group)]
        if not lower:
            return told
        if not covers(pile[len(lower)], lower[-1]):
            return told._replace(beneath=(lower[-1],))
        return told._replace(beneath=tuple(lower[-unit_of(lower) :]), covers=True)

    # -- slides ------------------------------------------------------------------------------------

    def _slide(self, group: list[int], triangle: int, ridden: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Lets a group ride a slide (IQ9 to IQ11); returns what it took along, by place."""
        end = (triangle + ridden) % t.TRACK
        first = 0 if self._rules.ice_slide_triangle == "take" else 1
        places = [(triangle + step) % t.TRACK for step in range(first, ridden)]
        if self._rules.ice_slide_mode == "end_only":
            places = [place for place in places if place == triangle]
        places = [place for place in places if place in self._piles]
        if self._rules.ice_slide_order == "last_met_lowest":
            return self._slide_on(group, places, end)
        return self._slide_under(group, places, end)

    def _slide_on(self, group: list[int], places: list[int], end: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """What is met later comes to lie lower."""
        taken = []
        for place in places:
            merged = self._join(group, self._piles.pop(place))
            going = len(merged)
            if self._rules.ice_slide_mode == "carry_stacked":
                going = unit_of(merged)
                if going < len(merged):
                    self._piles[place] = merged[:-going]
            if going > len(group):
                taken.append((place, tuple(merged[-going : -len(group)])))
            group = merged[-going:]
        self._land(group, end)
        return tuple(taken)

    def _slide_under(self, group: list[int], places: list[int], end: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """What is met later comes to lie higher, though below the slider."""
        taken = []
        for place in places:
            pile = self._piles[place]
            going = len(pile)
            if self._rules.ice_slide_mode == "carry_stacked":
                going = 0 if covers(self._meeting(group, pile[-1]), pile[-1]) else unit_of(pile)
            if going:
                taken.append((place, tuple(self._lift(place, going))))
        piles = [*(pawns for _, pawns in taken), self._piles.get(end, [])]
        below = [pawn for pile in piles for pawn in (*(lowest & ~FLAG for lowest in pile[:1]), *pile[1:])]
        self._piles[end] = self._join(group, below)
        return tuple(taken)


def _only(group: list[int], mover: int, own: bool) -> list[int]:
    """The own or the other pawns of a group; who stands on another pawn than before has no flag."""
    return [
        pawn if level and (color_of(group[level - 1]) == mover) == own else pawn & ~FLAG
        for level, pawn in enumerate(group)
        if (color_of(pawn) == mover) == own
    ]
