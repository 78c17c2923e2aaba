"""The Parcheesi board drawn in text: a cross of four arms, three squares wide and eight long, with bases in its corners.

Clockwise from the top the arms are those of red, blue, yellow and green; pawns travel clockwise too, or the other way around where
turns and pawns do not go the same way.
"""

from collections.abc import Sequence

from simsorry.games.options import COLORS
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.notation import lanes_of
from simsorry.games.sorreesi.rules import QUARTER, Rules

_WIDTH = 4  # columns of a square
ARM = 8  # squares
MIDDLE = ARM + 1  # row and column of the middle squares
_LAST = 2 * MIDDLE  # the last row and column
_INK = {"red": 31, "blue": 34, "yellow": 33, "green": 32}  # codes of the terminal

_Cell = tuple[float, float]  # row and column


def legend(rules: Rules) -> str:
    """What the signs of the picture mean."""
    way = "clockwise" if _clockwise(rules) else "counter-clockwise"
    signs = f"R B Y G pawns (going {way}), * safe square, @ entry square, r b y g private paths"
    shared = [f"{one[0]}{other[0]}".upper() for one, other in rules.team_pairs]
    partners = [f"{' '.join(shared)} partners on one square"] if shared else []
    return ", ".join([signs, "(n) pawns in the base, [n] pawns HOME", *partners])


def draw(rules: Rules, words: Sequence[int], players: Sequence[str], colored: bool = False) -> str:
    """The position of four words by color."""
    cells = _track(rules, players, colored)
    for color in players:
        cells |= _own(rules, color, lanes_of(int(words[COLORS.index(color)])), colored)
    for cell, (safe, counts) in _pawns(rules, words, players).items():
        cells[cell] = f"{'*' if safe else ' '}{_crowd(counts, colored)}"
    rows = ("".join(cells.get((row, column), " " * _WIDTH) for column in range(_LAST + 1)).rstrip() for row in range(_LAST + 1))
    return "\n".join(rows)


# -- where things are ------------------------------------------------------------------------------


def cell(clockwise: bool, quarter: int, row: float, column: float) -> tuple[float, float]:
    """A point of the top arm, as row and column, turned to the arm whose entry square is that many quarters ahead of red's."""
    for _ in range(quarter % 4):
        row, column = column, _LAST - row
    return (row, column) if clockwise else (row, _LAST - column)


def square_cell(clockwise: bool, square: int) -> tuple[float, float]:
    """The row and column of a track square."""
    quarter, ahead = divmod(square, QUARTER)
    if ahead < ARM // 2:
        return cell(clockwise, quarter, ahead + ARM // 2, MIDDLE + 1)  # from the entry square down its arm
    if ahead < t.TURN_OFF:
        return cell(clockwise, quarter + 1, t.TURN_OFF - 1 - ahead, MIDDLE - 1)  # up the next one
    return cell(clockwise, quarter + 1, max(ahead - t.TURN_OFF - 1, 0), MIDDLE + (ahead > t.TURN_OFF))


def _clockwise(rules: Rules) -> bool:
    return rules.turn_vs_travel == "same"


def _quarter(rules: Rules, color: str) -> int:
    return t.entry_square(rules, COLORS.index(color)) // QUARTER


def _path_cell(rules: Rules, color: str, place: int) -> _Cell:
    """The cell of a place on the private path; 0 is HOME."""
    if place == t.HOME and rules.home_path_length == ARM:  # the path reaches into the middle of the board: HOME lies beside its end
        return cell(_clockwise(rules), _quarter(rules, color), ARM, MIDDLE + 1)
    return cell(_clockwise(rules), _quarter(rules, color), rules.home_path_length + 1 - place, MIDDLE)


# -- what is drawn ---------------------------------------------------------------------------------


def _track(rules: Rules, players: Sequence[str], colored: bool) -> dict[_Cell, str]:
    """The squares of the track, without pawns."""
    cells = {square_cell(_clockwise(rules), square): "*.  " if _is_safe(rules, square) else " .  " for square in range(t.TRACK)}
    for color in players:
        entry = t.entry_square(rules, COLORS.index(color))
        cells[square_cell(_clockwise(rules), entry)] = f"{'*' if _is_safe(rules, entry) else ' '}{_painted('@  ', color, colored)}"
    return cells


def _is_safe(rules: Rules, square: int) -> bool:
    """Whether a square is safe for some color."""
    return any(t.is_safe(rules, color, square) for color in range(len(COLORS)))


def _own(rules: Rules, color: str, places: list[int], colored: bool) -> dict[_Cell, str]:
    """A color's private path, HOME and base, with how many pawns are on the last two, and the number of its entry square."""
    path = range(1, rules.home_path_length + 1)
    cells = {_path_cell(rules, color, place): _painted(f" {color[0]}  ", color, colored) for place in path}
    cells[_path_cell(rules, color, t.HOME)] = _painted(f"[{places.count(t.HOME)}] ", color, colored)
    quarter, entry = _quarter(rules, color), t.entry_square(rules, COLORS.index(color))
    cells[cell(_clockwise(rules), quarter, ARM // 2, MIDDLE + 2)] = f" {entry:<3}"
    cells[cell(_clockwise(rules), quarter, ARM // 2, MIDDLE + 3)] = _painted(f"({places.count(t.BASE)}) ", color, colored)
    return cells


def _pawns(rules: Rules, words: Sequence[int], players: Sequence[str]) -> dict[_Cell, tuple[bool, dict[str, int]]]:
    """How many pawns of which colors stand on each square of the track and the private paths, and whether it is marked as safe."""
    found: dict[_Cell, tuple[bool, dict[str, int]]] = {}
    for color in sorted(players, key=COLORS.index):
        number = COLORS.index(color)
        for place in lanes_of(int(words[number])):
            if not t.HOME < place < t.BASE:
                continue
            square = t.square_of(rules, number, place)
            on_track = square != t.NOWHERE
            cell = square_cell(_clockwise(rules), square) if on_track else _path_cell(rules, color, place)
            _, counts = found.setdefault(cell, (on_track and _is_safe(rules, square), {}))
            counts[color] = counts.get(color, 0) + 1
    return found


def _crowd(counts: dict[str, int], colored: bool) -> str:
    """The pawns on one square: a letter for each color, and how many there are if that is more."""
    total = sum(counts.values())
    room = _WIDTH - 1
    letters = [_painted(color[0].upper(), color, colored, strong=True) for color in counts]
    if (len(counts) == room and total > room) or len(counts) > room:
        return "".join([*letters[: room - 1], "+"])
    many = "" if total == len(counts) else str(total) if total < 10 else "+"
    return "".join([*letters, many, " " * (room - len(letters) - len(many))])


def _painted(text: str, color: str, colored: bool, strong: bool = False) -> str:
    if not colored:
        return text
    return f"\x1b[{'1;7;' if strong else ''}{_INK[color]}m{text}\x1b[0m"
