"""What the tests of the words of Ice Soo Sorry! share: what is said to be done, read back and done to pawns."""

import re
from collections.abc import Mapping, Sequence

from referee import ice as referee

from simsorry.games.ice.rules import Rules
from simsorry.games.options import COLORS

Pawn = tuple[str, int]  # color and size as a pile has them, and a number
Pile = list[Pawn]

_COLOR = "red|blue|yellow|green"
_PAWNS = r"(?:[\w' ,]+ pawns?(?: \([\w =>]+\))?|the pile [\w =>]+?)"
_COUNTS = {"two": 2, "three": 3}
_ITEM = re.compile(rf"(?:(a|an own)|({_COLOR})'s|(two|three)(?: (own|{_COLOR}))?) (small|medium|large)")
_MOVE = re.compile(rf"moves ({_PAWNS}) \d+ (?:forward|back) from (\w+) (?:past its safety zone |to HOME and back )?to (\w+)")
_OUT = re.compile(r"(?:starts|moves) a (small|medium|large) pawn (?:on|from START to) (\d+)")
_AT = r"(?: \((top|lowest|\d+(?:st|nd|rd|th) from below)\))?"
_SWITCH = re.compile(rf"switches its (\w+) pawn on (\d+){_AT} with ({_COLOR})'s (\w+) pawn on (\d+){_AT}")
_WITHIN = re.compile(rf"switches its (\w+) pawn{_AT} with ({_COLOR})'s (\w+) pawn{_AT} on (\d+)")
_LEFT = re.compile(rf", (?:leaving ({_PAWNS}) on (\d+)|sending ({_PAWNS}) back to START)")
_RIDE = re.compile(r", slides to (\d+)(?: \(taking along (.*?) from (\d+)\))?(?=, where|$)")
_REST = re.compile(rf", where it (covers|stacks on) ({_PAWNS})$")
_NO_PAWN = re.compile(r"passes|throws in .*|lays the 2 down without a move")


def carried_out(rules: Rules, position: Mapping[str, Sequence[str]], color: str, did: str) -> str:
    """Does to the pawns what the words say, and nothing else; the position that this leads to, without flags."""
    board = Board(rules, position, color)
    if not _NO_PAWN.fullmatch(did):
        told, *consequences = re.split(r"; (?=covers|frees)", did)
        for clause in told.split("; then "):
            board.do(clause)
        if rules.ice_contact_piece == "bottom":
            board.check(consequences)
    return referee.write_position(board.position)


def bare(position: str) -> str:
    """A position without flags."""
    return re.sub("[=>]", "", position)


class Board:
    """Pawns in piles, and where they were before."""

    def __init__(self, rules: Rules, position: Mapping[str, Sequence[str]], color: str) -> None:
        self.rules, self.color = rules, color
        self.inside = {each: list(position[each]) for each in COLORS if each in position}
        self.piles: dict[str, Pile] = {}
        self.count = 0
        for place, pawns in position.items():
            if place not in COLORS:
                self.piles[place] = [self.new(bare(pawn)) for pawn in pawns]
        self.before = self.covered()
        self.told: set[tuple[str, str]] = set()  # who is said to be covered now, and where

    @property
    def position(self) -> dict[str, list[str]]:
        return self.inside | {place: [code for code, _ in pile] for place, pile in self.piles.items() if pile}

    def new(self, code: str) -> Pawn:
        self.count += 1
        return code, self.count

    # -- what is said ------------------------------------------------------------------------------

    def do(self, clause: str) -> None:
        """One move of a group, or a switch."""
        rest = _REST.search(clause)
        clause = clause[: rest.start()] if rest else clause
        ride = _RIDE.search(clause)
        clause = clause[: ride.start()] if ride else clause
        left = _LEFT.search(clause)
        clause = clause[: left.start()] if left else clause
        switch = _SWITCH.fullmatch(clause) or _WITHIN.fullmatch(clause)
        if switch:
            end = self.switch(switch)
            if not ride:
                assert not rest, clause
                return
            group = [self.piles[end].pop()]
        else:
            group, end = self.lift(clause)
        group = self.leave(left, group) if left else group
        if end == "HOME":
            self.inside[self.color] += [f"H:{code[1]}" for code, _ in group]
            return
        if ride:
            self.slide(group, end, ride)
            end = ride[1]
        else:
            self.piles.setdefault(end, []).extend(group)
        self.rests(self.piles[end][: -len(group)], group, end, rest)

    def lift(self, clause: str) -> tuple[Pile, str]:
        """The pawns that are moved, and where to."""
        if found := _OUT.fullmatch(clause):
            self.inside[self.color].remove(f"S:{found[1][0]}")
            return [self.new(self.color[0] + found[1][0])], found[2]
        found = _MOVE.fullmatch(clause)
        assert found, clause
        codes = self.pawns(found[1])
        return self.take(codes, self.place(found[2])), self.place(found[3])

    def place(self, name: str) -> str:
        return f"{self.color} {name}" if name.startswith("Z") else name

    def take(self, codes: list[str], place: str) -> Pile:
        """Takes the upper pawns of a pile, which are these."""
        group = self.piles[place][-len(codes) :]
        assert [code for code, _ in group] == codes
        del self.piles[place][-len(codes) :]
        return group

    def pawns(self, text: str) -> list[str]:
        """Pawns as they are named, lowest first."""
        if found := re.search(r"\(([\w =>]+)\)|the pile ([\w =>]+)", text):
            codes = bare(found[1] or found[2]).split()
            assert found[2] or f"{len(codes)} pawns" in text
            return codes
        codes = []
        for own, other, many, whose, size in _ITEM.findall(text):
            color = self.color if own or whose == "own" or (many and not whose) else other or whose
            codes += [color[0] + size[0]] * _COUNTS.get(many, 1)
        assert text.endswith(" pawns" if _COUNTS.get(_ITEM.findall(text)[-1][2]) else " pawn")
        return codes

    def leave(self, left: re.Match[str], group: Pile) -> Pile:
        """Other colors' pawns do not go on."""
        others = [pawn for pawn in group if pawn[0][0] != self.color[0]]
        assert [code for code, _ in others] == self.pawns(left[1] or left[3])
        if left[2]:
            self.piles.setdefault(left[2], []).extend(others)
        else:
            for code, _ in others:
                self.inside[referee_color(code)].append(f"S:{code[1]}")
        return [pawn for pawn in group if pawn not in others]

    def slide(self, group: Pile, triangle: str, ride: re.Match[str]) -> None:
        """Puts a group down at the end of a slide, with what it took along."""
        taken = []
        if ride[2]:
            for codes, place in re.findall(r"(.+?) from (\d+)(?:, | and |$)", f"{ride[2]} from {ride[3]}"):
                taken.append(self.take(self.pawns(codes), place))
                assert (int(place) - int(triangle)) % 60 < 4
        end = self.piles.get(ride[1], [])
        if self.rules.ice_slide_order == "last_met_lowest":
            self.piles[ride[1]] = [*end, *(pawn for pile in reversed(taken) for pawn in pile), *group]
        else:
            self.piles[ride[1]] = [*(pawn for pile in taken for pawn in pile), *end, *group]

    def rests(self, lower: Pile, group: Pile, place: str, rest: re.Match[str] | None) -> None:
        """Checks what is said of the pawns beneath a group."""
        assert bool(lower) == bool(rest), (lower, group)
        if not rest:
            return
        codes = self.pawns(rest[2])
        assert [code for code, _ in lower[-len(codes) :]] == codes
        if self.rules.ice_contact_piece == "bottom":
            assert (rest[1] == "covers") == covers(group[0], lower[-1])
        assert rest[1] == "covers" or len(codes) == 1
        if rest[1] == "covers":
            self.told |= {(f"{code} {number}", place) for code, number in lower[-len(codes) :]}

    def switch(self, found: re.Match[str]) -> str:
        """A switch; returns where the own pawn is now."""
        if found.re is _WITHIN:
            mine, at, other, theirs, other_at, place = found.groups()
            there = place
        else:
            mine, place, at, other, theirs, there, other_at = found.groups()
        here, level = self.piles[place], self.level(place, at)
        pile, other_level = self.piles[there], self.level(there, other_at)
        own, others = here[level], pile[other_level]
        assert (own[0], others[0]) == (self.color[0] + mine[0], other[0] + theirs[0])
        if self.rules.ice_swap_mode != "land_on_top":
            here[level], pile[other_level] = others, own
            return there
        here.remove(own)
        pile.remove(others)
        pile.append(own)
        here.append(others)
        return there

    def level(self, place: str, at: str | None) -> int:
        pile = self.piles[place]
        assert bool(at) == (len(pile) > 1)
        if at in (None, "lowest"):
            return 0
        assert at
        return len(pile) - 1 if at == "top" else int(at.split()[0][:-2]) - 1

    # -- who is covered ----------------------------------------------------------------------------

    def covered(self) -> dict[int, tuple[str, str]]:
        """By number: the covered pawns and where they are."""
        found = {}
        for place, pile in self.piles.items():
            top = len(pile) - 1
            while top > 0 and not covers(pile[top], pile[top - 1]):
                top -= 1
            found |= {number: (code, place) for code, number in pile[: max(top, 0)]}
        return found

    def check(self, consequences: Sequence[str]) -> None:
        """Checks that those are said to be covered or freed who are so."""
        after = self.covered()
        standing = {number: (code, place) for place, pile in self.piles.items() for code, number in pile}
        told = {int(pawn.split()[1]) for pawn, _ in self.told}
        found = {
            "covers": sorted(after[number] for number in after if number not in self.before and number not in told),
            "frees": sorted(standing[number] for number in self.before if number in standing and number not in after),
        }
        said: dict[str, list[tuple[str, str]]] = {"covers": [], "frees": []}
        for consequence in consequences:
            verb, _, rest = consequence.partition(" ")
            for codes, place in re.findall(r"(.+?) on (\w+)(?:, | and |$)", rest):
                said[verb] += [(code, self.place(place)) for code in self.pawns(codes)]
        assert {verb: sorted(pawns) for verb, pawns in said.items()} == found


def covers(upper: Pawn, lower: Pawn) -> bool:
    """Whether a pawn covers the one beneath by its size."""
    return "sml".index(upper[0][1]) > "sml".index(lower[0][1])


def referee_color(code: str) -> str:
    """The color of a pawn in a pile."""
    return next(color for color in COLORS if color[0] == code[0])
