"""Boards drawn as boards, with a shade on every square for how many pawns stand there and for how many are hit there."""

import math
import textwrap
from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from simsorry import stats
from simsorry.report import words
from simsorry.report.audit_tables import Spot, basis, board_under, covers, daring, median_risk, shown_arms, spots, stands_out
from simsorry.report.audits import Audits
from simsorry.report.board import Board, Layout, Point, layout
from simsorry.report.drawing import COLORS, FAINT, INK, PAPER, SHADES, SHADES_TEXT, WIDTH, Picture, clip
from simsorry.report.study import Arm, Sitting
from simsorry.stats import Estimate

NICE = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # steps of a scale, times a power of ten
CLEARLY = 1.15  # times the median: more than that is worth a title
TRAFFIC = "The share of the pawns on the track that stand on each square at the end of a round."
RIM_ROOM, CROSS_ROOM = 1.05, 0.6  # squares from the middles of the outer squares to the edge of the drawing
INSIDE, CORNER = (3.4, 5.7, 1.35, 42), (-0.1, -0.2, 1.15, 28)  # where a legend stands, how wide a shade is, and characters of a line
ANGLES = {(0, -1): -90, (1, 0): 180, (0, 1): 90, (-1, 0): 0}  # of the triangle of a slide, by the way off the board


def pictures(sitting: Sitting, prefix: str = "") -> dict[str, Picture]:
    """A picture for the base and for one variant by their names, if there are audited games."""
    return {f"board-{sitting.arms.index(arm)}": _boards(sitting, arm, found, prefix) for arm, found in shown_arms(sitting)}


def _boards(sitting: Sitting, arm: Arm, found: Audits, prefix: str) -> Picture:
    board, told = board_under(arm), spots(sitting, arm, found)
    placed = layout(board)
    maps = [_traffic(told), _danger(sitting, told)] if _any_hits(told) else [_traffic(told)]

    def draw(figure: Figure) -> None:
        for at, each in enumerate(maps):
            _draw(figure.add_subplot(len(maps), 1, at + 1), board, placed, each)

    name = f"{prefix}board-{sitting.arms.index(arm)}"
    return Picture(name, _finding(sitting, arm, told), _shows(sitting, found, told, board), draw, len(maps) * (WIDTH - 0.02))


# -- what is shown ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Map:
    """One board: a number for each square, and what is said of it."""

    heading: str
    text: str
    numbers: dict[int, float]  # squares without one are left blank
    named: Spot
    bounds: tuple[float, ...]  # of the shades
    written: Callable[[float], str]  # a bound in words


def _traffic(told: Sequence[Spot]) -> Map:
    most = max(told, key=lambda each: each.visits.value)
    each = " each" if len(most.squares) > 1 else ""
    text = f"share of the pawns on the track, at the end of a round; most: {words.value(most.visits)}{each}"
    bounds, written = _scale([spot.visits.value for spot in told])
    return Map(
        "Where pawns stand", text, _by_square(told, lambda spot: spot.visits), most, bounds, lambda bound: f"{written(100 * bound)}%"
    )


def _danger(sitting: Sitting, told: Sequence[Spot]) -> Map:
    known = daring(told)
    which, spot = _notable(known)
    verb = _verb(sitting)
    text = f"pawns {verb} for each that stands there at the end of a round; {which}: {words.value(spot.risk)}"
    bounds, written = _scale([each.risk.value for each in known])
    return Map(f"Where they are {verb}", text, _by_square(known, lambda each: each.risk), spot, bounds, written)


def _notable(known: Sequence[Spot]) -> tuple[str, Spot]:
    """The most dangerous squares, or the least dangerous ones where only these are shown to be far from the median."""
    most, least = (pick(known, key=lambda each: each.risk.value) for pick in (max, min))
    clear = stands_out(most, known) and most.risk.value >= CLEARLY * median_risk(known)
    return ("least", least) if not clear and stands_out(least, known) else ("most", most)


def _verb(sitting: Sitting) -> str:
    return "covered" if covers(sitting) else "sent back"


def _by_square(told: Sequence[Spot], of: Callable[[Spot], Estimate]) -> dict[int, float]:
    return {square: of(spot).value for spot in told for square in spot.squares}


def _scale(numbers: Sequence[float]) -> tuple[tuple[float, ...], Callable[[float], str]]:
    """Bounds in equal steps around some numbers, with no more steps than there are shades, and how bounds are written."""
    low, high = min(numbers), max(numbers)
    raw = max(high - low, 1e-3 * high, 1e-9) / len(SHADES)
    power = 10.0 ** math.floor(math.log10(raw))
    for step in (nice * ten for ten in (power, 10 * power) for nice in NICE):
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if max(last - first, 1) <= len(SHADES) and step >= raw * (1 - 1e-9):
            break
    return tuple(step * each for each in range(first, max(last, first + 1) + 1)), lambda bound: f"{bound:.3g}"


def _finding(sitting: Sitting, arm: Arm, told: Sequence[Spot]) -> str:
    under = f"Under {clip(arm.ruleset.short)} " if sitting.variants else ""
    return words.capital(under + (_danger_finding(_verb(sitting), daring(told)) if _any_hits(told) else _traffic_finding(told)))


def _any_hits(told: Sequence[Spot]) -> bool:
    return any(each.hits.value for each in told)


def _traffic_finding(told: Sequence[Spot]) -> str:
    most = max(told, key=lambda each: each.visits.value)
    return f"pawns stand most often on {most.name}: {words.value(most.visits)}{' each' if len(most.squares) > 1 else ''}"


def _danger_finding(verb: str, known: Sequence[Spot]) -> str:
    middle, (which, spot) = median_risk(known), _notable(known)
    if not stands_out(spot, known):
        return f"no square is shown to be more dangerous than others: {words.number(middle, 2)} {verb} for each on the median one"
    told = f"pawns are {verb} {which} on {spot.name}: {words.value(spot.risk)} for each that stands there"
    if which == "most":
        return f"{told}, {words.number(spot.risk.value / middle, 1)} times the median square"
    return f"{told}, where the median square has {words.number(middle, 2)}"


def _shows(sitting: Sitting, found: Audits, told: Sequence[Spot], board: Board) -> str:
    what = ["Above: the share of the pawns on the track that stand on each square at the end of a round." if _any_hits(told) else TRAFFIC]
    if _any_hits(told):
        what.append(f"Below: pawns {_verb(sitting)} on it for each that stands there then; squares that are visited least are left blank.")
    what.append("The scale says which shade is more; framed squares are those with the most or the least, as it says beside the scale.")
    if board.safe:
        what.append("Rings mark safe squares.")
    if len(told[0].squares) > 1:
        what.append("Squares in the same place on different sides, which are alike by the rules and the players, are counted together.")
    what.append(f"The table has the {stats.LEVEL:.0%} intervals. {words.capital(basis(sitting, found))}, {words.line_up(sitting)}.")
    return " ".join(what)


# -- the drawing -----------------------------------------------------------------------------------


def _draw(axes: Axes, board: Board, placed: Layout, told: Map) -> None:
    room = CROSS_ROOM if board.cross else RIM_ROOM
    axes.set_xlim(-room, placed.size - 1 + room)
    axes.set_ylim(placed.size - 1 + room, -room)
    axes.set_aspect("equal")
    axes.axis("off")
    _furniture(axes, board, placed)
    for square, point in enumerate(placed.squares):
        _square(axes, board, told, square, point)
    for slide in board.slides:
        _slide(axes, placed, slide.owner, slide.first, slide.last)
    _legend(axes, told, *CORNER if board.cross else INSIDE)


def _square(axes: Axes, board: Board, told: Map, square: int, point: Point) -> None:
    """A square of the track with its shade, its number where that is told, and a ring if it is safe."""
    number = told.numbers.get(square)
    shade, ink = _shade(told, number) if number is not None else (PAPER, FAINT)
    named = square in told.named.squares
    frame: dict[str, Any] = {"ec": INK, "lw": 2.0, "zorder": 4} if named else {"ec": FAINT, "lw": 0.5, "zorder": 3}
    axes.add_patch(_box(point, 0.5, fc=shade, **frame))
    if square in board.safe:
        axes.add_patch(Circle(point, 0.36, fc="none", ec=ink, lw=0.8, zorder=5))
    if named or square % board.quarter == 0:
        axes.text(
            *point, str(square), color=ink, fontsize=7.2, fontweight="bold" if named else "normal", ha="center", va="center", zorder=6
        )
    elif number is None:
        axes.text(*point, "–", color=ink, fontsize=7, ha="center", va="center", zorder=6)


def _box(point: Point, half: float, **look: Any) -> Rectangle:
    return Rectangle((point[0] - half, point[1] - half), 2 * half, 2 * half, **look)


def _shade(told: Map, number: float) -> tuple[str, str]:
    """A shade, and the color of text on it."""
    classes = len(told.bounds) - 1
    at = min(max(bisect(told.bounds, number * (1 + 1e-9)) - 1, 0), classes - 1)
    chosen = len(SHADES) - 1 if classes == 1 else round(at * (len(SHADES) - 1) / (classes - 1))
    return SHADES[chosen], SHADES_TEXT[chosen]


def _furniture(axes: Axes, board: Board, placed: Layout) -> None:
    """What every player has: private squares, HOME, and START or the base."""
    base, radius = ("base", 1.2) if board.cross else ("START", 0.88)
    if board.cross:
        axes.add_patch(_box(next(iter(placed.homes.values())), 1.5, fc="none", ec=FAINT, lw=0.8, zorder=2))
    for color in board.colors:
        ink, home, start = COLORS[color], placed.homes[color], placed.bases[color]
        for point in placed.paths[color]:
            axes.add_patch(_box(point, 0.44, fc="none", ec=ink, lw=1.1, zorder=3))
        if not board.cross:
            axes.add_patch(Circle(home, 0.93, fc=PAPER, ec=ink, lw=1.1, zorder=3))
        axes.text(*home, "HOME", fontsize=6.6 if board.path < 8 else 5, ha="center", va="center", zorder=6)
        first = placed.squares[board.starts[color]]
        axes.plot([start[0], first[0]], [start[1], first[1]], color=ink, lw=2, zorder=2)
        axes.add_patch(Circle(start, radius, fc=PAPER, ec=ink, lw=1.6, zorder=3))
        axes.text(*start, f"{color}\n{base}", fontsize=6.6, ha="center", va="center", linespacing=1.05, zorder=6)


def _slide(axes: Axes, placed: Layout, owner: str, first: int, last: int) -> None:
    """A slide along the outer edge of its squares, from its triangle to its round end, in its color."""
    ends = [(placed.squares[square], placed.outside[square]) for square in (first, last)]
    (x0, y0), (x1, y1) = ((point[0] + 0.72 * out[0], point[1] + 0.72 * out[1]) for point, out in ends)
    color, out = COLORS[owner], (int(placed.outside[first][0]), int(placed.outside[first][1]))
    axes.plot([x0, x1], [y0, y1], color=color, lw=2.4, zorder=3, solid_capstyle="butt")
    axes.plot([x0], [y0], marker=(3, 0, ANGLES[out]), ms=7, color=color, ls="none", zorder=4)
    axes.plot([x1], [y1], marker="o", ms=5, color=color, ls="none", zorder=4)


def _legend(axes: Axes, told: Map, x: float, y: float, width: float, chars: int) -> None:
    """What the board shows, and its scale with the numbers where shades meet."""
    axes.text(x, y, told.heading, fontsize=9, fontweight="bold", va="center")
    lines = textwrap.wrap(told.text, chars)
    for line, text in enumerate(lines):
        axes.text(x, y + 0.95 + 0.72 * line, text, fontsize=7, va="center")
    top = y + 0.85 + 0.72 * len(lines)
    for at, bound in enumerate(told.bounds[:-1]):
        axes.add_patch(Rectangle((x + width * at, top), width, 0.7, fc=_shade(told, bound)[0], ec=FAINT, lw=0.5, zorder=3))
    for at, bound in enumerate(told.bounds):
        axes.text(x + width * at, top + 1.15, told.written(bound), fontsize=7, ha="center", va="center")
