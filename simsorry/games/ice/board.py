"""The board of Ice Soo Sorry!, drawn in text: the rim of a 16 x 16 grid, with safety zones, START and HOME inside, and the piles below."""

from collections.abc import Sequence
from typing import Any

from simsorry.games import track
from simsorry.games.ice import tables as t
from simsorry.games.ice.notation import pile_names, place_name
from simsorry.games.ice.placement import Placement, color_of, covers, size_of, unit_of
from simsorry.games.ice.rules import SIZES
from simsorry.games.options import COLORS

_SIDE = 16  # squares a side, corners shared
_WIDTH = 4  # columns of a square
_LINE = 100  # columns that the piles below the board may take
_INK = {"red": 31, "blue": 34, "yellow": 33, "green": 32}  # codes of the terminal
_DIRECTIONS = ("> -", "v |", "< -", "^ |")  # per side: how a triangle and the slide behind it are drawn

LEGEND = (
    "Rs Bm Yl Gl small, medium and large pawns, Rs3 a pile of 3 with that pawn on top, r b y g safety zones, @ start circle, > - o slide,\n"
    "(120) 1 small and 2 medium pawns on START, [004] 4 large ones HOME; below: piles, lowest pawn first, < covered by, [ ] moves together"
)

_Cell = tuple[int, int]  # row and column of a square
_Picture = dict[_Cell, list[tuple[str, str]]]  # by square: pieces of text with the colors that they are painted in, "" for none


def draw(placement: Placement, players: Sequence[str], tables: Any, colored: bool = False) -> str:
    """A placement; ``tables`` is the compiled record of the rules, whose slides are drawn."""
    picture = _track(tables, players)
    for number, color in enumerate(COLORS):
        if color in players:
            picture |= _inside(number, placement)
    for place, pile in placement.piles.items():
        picture[_cell_of(place)] = [(_top(pile), COLORS[color_of(pile[-1])].upper())]
    rows = [_row(picture, row, colored) for row in range(_SIDE)]
    return "\n".join([*rows, *_piles(placement, colored)])


# -- where things are ------------------------------------------------------------------------------


def _cell(side: int, along: int, inward: int) -> _Cell:
    """The grid's cell that lies some squares along a side and some inward from it; sides clockwise from the top."""
    end = _SIDE - 1
    return [(inward, along), (along, end - inward), (end - inward, end - along), (end - along, inward)][side]


def _cell_of(place: int) -> _Cell:
    """The cell of a track or zone square."""
    if place < t.TRACK:
        side, along = divmod(place, track.SIDE)
        return _cell(side, along, 0)
    color, step = divmod(place - t.ZONE, t.ZONE_SQUARES)
    return _cell(color, _ENTRY, step + 1)


_ENTRY = (track.CIRCLE_SQUARE + track.ENTRY) % track.TRACK  # how far along its side a zone begins


# -- the board -------------------------------------------------------------------------------------


def _row(picture: _Picture, row: int, colored: bool) -> str:
    """One row of squares; what is wider than its square runs on into the next."""
    line, width = "", 0
    for column in range(_SIDE):
        for text, color in picture.get((row, column), []):
            line += " " * (_WIDTH * column + 1 - width) + _painted(text, color, colored)
            width = max(width, _WIDTH * column + 1) + len(text)
    return line


def _track(tables: Any, players: Sequence[str]) -> _Picture:
    """The 60 squares of the rim: numbers, those slides that somebody here rides, and start circles."""
    picture: _Picture = {_cell_of(square): [(str(square), "")] for square in range(t.TRACK)}
    for side, color in enumerate(COLORS):
        triangle, body = _DIRECTIONS[side].split()
        for offset, length in track.TRIANGLES.values():
            first = (t.circle_of(side) + offset) % t.TRACK
            if not any(tables["ride"][COLORS.index(rider) * t.STRIDE + first] for rider in players):
                continue
            for step in range(length + 1):
                mark = triangle if step == 0 else "o" if step == length else body
                picture[_cell_of((first + step) % t.TRACK)] = [(mark, color)]
        if color in players:
            picture[_cell_of(t.circle_of(side))] = [("@", color)]
    return picture


def _inside(number: int, placement: Placement) -> _Picture:
    """A color's safety zone, HOME and START, with how many pawns of each size are on the last two."""
    color = COLORS[number]
    picture: _Picture = {_cell(number, _ENTRY, depth): [(color[0], color)] for depth in range(1, t.ZONE_SQUARES + 1)}
    home, start = _by_size(placement.home, number), _by_size(placement.start, number)
    picture[_before(_cell(number, _ENTRY, t.ZONE_SQUARES + 1), number)] = [(f"[{home}]", color)]
    picture[_before(_cell(number, track.CIRCLE_SQUARE, 1), number)] = [(f"({start})", color)]
    return picture


def _before(cell: _Cell, side: int) -> _Cell:
    """The cell at which a text of two cells begins, so that on the right of the board it ends where the cell is."""
    return (cell[0], cell[1] - 1) if side == COLORS.index("blue") else cell


def _by_size(counts: Sequence[int], number: int) -> str:
    return "".join(map(str, counts[4 * number : 4 * number + len(SIZES)]))


def _top(pile: Sequence[int]) -> str:
    """A pile as the board shows it: its top pawn, and how many there are if that is more."""
    name = f"{COLORS[color_of(pile[-1])][0].upper()}{SIZES[size_of(pile[-1])][0]}"
    return name if len(pile) == 1 else f"{name}{len(pile) if len(pile) < 10 else '+'}"


# -- the piles -------------------------------------------------------------------------------------


def _piles(placement: Placement, colored: bool) -> list[str]:
    """All piles of two pawns or more, as many a line as there is room for."""
    piles = [(place_name(place), pile) for place, pile in sorted(placement.piles.items()) if len(pile) > 1]
    if not piles:
        return []
    texts = [_pile(name, pile) for name, pile in piles]
    width = max(len("".join(text for text, _ in parts)) for parts in texts) + 3
    each_line = max(1, _LINE // width)
    lines = []
    for begin in range(0, len(texts), each_line):
        line = ""
        for parts in texts[begin : begin + each_line]:
            plain = "".join(text for text, _ in parts)
            line += "".join(_painted(text, color, colored) for text, color in parts) + " " * (width - len(plain))
        lines.append(line.rstrip())
    return ["", *lines]


def _pile(name: str, pile: list[int]) -> list[tuple[str, str]]:
    """A pile with what covers what and what moves together: "20: rs < [bm yl]"."""
    parts: list[tuple[str, str]] = [(f"{name}:", "")]
    unit = len(pile) - unit_of(pile)
    for level, (pawn, written) in enumerate(zip(pile, pile_names(pile), strict=True)):
        sign = " <" if level and covers(pawn, pile[level - 1]) else ""
        parts += [(f"{sign} {'[' if level == unit else ''}", ""), (written, COLORS[color_of(pawn)])]
    return [*parts, ("]", "")]


def _painted(text: str, color: str, colored: bool) -> str:
    """Text in a color; one that is named in capitals is for pawns on the board, which stand out."""
    if not colored or not color:
        return text
    return f"\x1b[{'1;7;' if color.isupper() else ''}{_INK[color.lower()]}m{text}\x1b[0m"
