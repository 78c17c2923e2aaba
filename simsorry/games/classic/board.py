"""The board of the classic game, drawn in text: the rim of a 16 x 16 grid, with safety zones, START and HOME inside."""

from collections.abc import Sequence
from typing import Any

from simsorry.games import track
from simsorry.games.classic.notation import lanes_of, place_name
from simsorry.games.classic.rules import Rules
from simsorry.games.options import COLORS

_SIDE = 16  # squares a side, corners shared
_INK = {"red": 31, "blue": 34, "yellow": 33, "green": 32}  # codes of the terminal
_DIRECTIONS = ("> -", "v |", "< -", "^ |")  # per side: how a triangle and the slide behind it are drawn

_SIGNS = "R B Y G pawns, r b y g safety zones, (n) pawns on START, [n] pawns HOME, @ start circle, > - o slide"

_Cell = tuple[int, int]  # row and column


def legend(rules: Rules) -> str:
    """What the signs of the picture mean."""
    shared = [f"{one[0]}{other[0]}".upper() for one, other in rules.team_pairs if rules.team_collision == "coexist"]
    return ", ".join([_SIGNS, *([f"{' '.join(shared)} partners on one square"] if shared else [])])


def draw(words: Sequence[int], players: Sequence[str], tables: Any, colored: bool = False) -> str:
    """The position of four words by color; ``tables`` is the compiled record of the rules, whose slides are drawn."""
    cells = _track(tables, players, colored)
    for number, color in enumerate(COLORS):
        if color in players:
            cells |= _inside(number, lanes_of(int(words[number])), colored)
    for cell, counts in _pawns(words, players).items():
        cells[cell] = _crowd(counts, colored)
    rows = ("".join(cells.get((row, column), "   ") for column in range(_SIDE)).rstrip() for row in range(_SIDE))
    return "\n".join(rows)


def _cell(side: int, along: int, inward: int) -> _Cell:
    """The grid's cell that lies some squares along a side and some inward from it; sides clockwise from the top."""
    end = _SIDE - 1
    return [(inward, along), (along, end - inward), (end - inward, end - along), (end - along, inward)][side]


def _track(tables: Any, players: Sequence[str], colored: bool) -> dict[_Cell, str]:
    """The 60 squares of the rim, with those slides that somebody here rides."""
    cells = {}
    for square in range(track.TRACK):
        side, along = divmod(square, track.SIDE)
        cells[_cell(side, along, 0)] = f"{square:^3}" if along == 0 else " . "
    for side, color in enumerate(COLORS):
        triangle, body = _DIRECTIONS[side].split()
        for offset, length in track.TRIANGLES.values():
            if not any(_rides(tables, COLORS.index(rider), side, offset) for rider in players):
                continue
            for step in range(length + 1):
                mark = triangle if step == 0 else "o" if step == length else body
                cells[_cell(side, track.CIRCLE_SQUARE + offset + step, 0)] = _painted(f" {mark} ", color, colored)
        if color in players:
            cells[_cell(side, track.CIRCLE_SQUARE, 0)] = _painted(" @ ", color, colored)
    return cells


def _rides(tables: Any, rider: int, owner: int, offset: int) -> bool:
    return bool(tables["ride"][rider * track.STRIDE + (offset + track.SIDE * (owner - rider)) % track.TRACK])


def _inside(number: int, places: list[int], colored: bool) -> dict[_Cell, str]:
    """A color's safety zone, HOME and START, with how many pawns are on the last two."""
    color, entry = COLORS[number], track.CIRCLE_SQUARE + track.ENTRY - track.TRACK
    cells = {_cell(number, entry, depth): _painted(f" {color[0]} ", color, colored) for depth in range(1, track.HOME - track.ZONE + 1)}
    cells[_cell(number, entry, track.HOME - track.ZONE + 1)] = _painted(f"[{places.count(track.HOME)}]", color, colored)
    cells[_cell(number, track.CIRCLE_SQUARE, 1)] = _painted(f"({places.count(track.START)})", color, colored)
    return cells


def _pawns(words: Sequence[int], players: Sequence[str]) -> dict[_Cell, dict[str, int]]:
    """How many pawns of which colors stand on each square of the track and the safety zones."""
    found: dict[_Cell, dict[str, int]] = {}
    for number, color in enumerate(COLORS):
        for place in lanes_of(int(words[number])) if color in players else []:
            if place < track.HOME:
                counts = found.setdefault(_cell_of(place, number), {})
                counts[color] = counts.get(color, 0) + 1
    return found


def _cell_of(place: int, number: int) -> _Cell:
    """The cell of a color's place on the track or in its zone."""
    if place >= track.TRACK:
        return _cell(number, track.CIRCLE_SQUARE + track.ENTRY - track.TRACK, place - track.ZONE + 1)
    side, along = divmod(int(place_name(place, number)), track.SIDE)
    return _cell(side, along, 0)


def _crowd(counts: dict[str, int], colored: bool) -> str:
    """The pawns on one square: a letter for each color, and how many there are if that is more."""
    total = sum(counts.values())
    many = "" if total == len(counts) else str(total) if total < 10 else "+"
    letters = "".join(color[0].upper() for color in counts)
    text = f" {letters}{many}".ljust(3)[-3:]
    begins = [0, *(text.index(letter) for letter in letters[1:])]
    parts = [text[begin:end] for begin, end in zip(begins, [*begins[1:], None], strict=True)]
    return "".join(_painted(part, color, colored, strong=True) for part, color in zip(parts, counts, strict=True))


def _painted(text: str, color: str, colored: bool, strong: bool = False) -> str:
    if not colored:
        return text
    return f"\x1b[{'1;7;' if strong else ''}{_INK[color]}m{text}\x1b[0m"
