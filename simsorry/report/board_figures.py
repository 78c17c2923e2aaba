"""Boards drawn as boards, with a shade on every square for how many pawns stand there and for how many are hit there."""

import math
import textwrap
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from simsorry.report import words
from simsorry.report.audit_tables import Spot, basis, board_under, covers, daring, median_risk, shown_arms, spots, stands_out
from simsorry.report.audits import Audits
from simsorry.report.board import Board, Layout, Point, layout
from simsorry.report.drawing import COLORS, FAINT, INK, PAPER, SHADES, SHADES_TEXT, WIDTH, Picture, clip
from simsorry.report.study import Arm, Sitting

NICE = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # steps of a scale, times a power of ten
Scale = tuple[float, ...]  # where one shade ends and the next begins, from the lowest number on

CLEARLY = 1.15  # times the median: more than that is worth a title
RIM_ROOM, CROSS_ROOM = 1.05, 0.6  # squares from the middles of the outer squares to the edge of the drawing
INSIDE, CORNER = (3.4, 5.7, 1.35, 42), (-0.1, -0.2, 1.15, 28)  # where a legend stands, how wide a shade is, and characters of a line
ANGLES = {(0, -1): -90, (1, 0): 180, (0, 1): 90, (-1, 0): 0}  # of the triangle of a slide, by the way off the board


@dataclass(frozen=True)
class Map:
    """One board: a number for each square, and what is said of it."""

    heading: str
    unit: str  # what the numbers are
    finding: str
    note: str
    numbers: dict[int, float]  # squares without one are left blank
    named: Spot
    extreme: str  # what the named squares have
    bounds: Scale
    percent: bool = False  # whether numbers are shares


def pictures(sitting: Sitting, prefix: str = "") -> dict[str, Picture]:
    """Two pictures of the base and two of one variant by their names, if there are audited games; both with the same shades."""
    shown = [(arm, found, spots(sitting, arm, found)) for arm, found in shown_arms(sitting) if found.squares[0].visits.known]
    stand = _scale([each.visits.value for _, _, told in shown for each in told])
    hit = _scale([each.risk.value for _, _, told in shown for each in daring(told)])
    made: dict[str, Picture] = {}
    for arm, found, told in shown:
        at, games = sitting.arms.index(arm), _games(sitting, arm, found, told)
        made[f"traffic-{at}"] = _picture(f"{prefix}traffic-{at}", sitting, arm, _traffic(told, stand), games)
        if any(each.hits.value for each in told):
            made[f"danger-{at}"] = _picture(f"{prefix}danger-{at}", sitting, arm, _danger(sitting, told, hit), games)
    return made


def _picture(name: str, sitting: Sitting, arm: Arm, told: Map, games: str) -> Picture:
    board = board_under(arm)
    placed = layout(board)
    under = f"Under {clip(arm.ruleset.short)} " if sitting.variants else ""

    def draw(figure: Figure) -> None:
        _draw(figure.add_subplot(), board, placed, told)

    return Picture(name, words.capital(under + told.finding), f"{words.capital(told.unit)}{told.note}. {games}", draw, WIDTH - 0.02)


# -- what is shown ---------------------------------------------------------------------------------


def _games(sitting: Sitting, arm: Arm, found: Audits, told: Sequence[Spot]) -> str:
    """What holds of both boards of a ruleset."""
    rings = "Rings mark safe squares. " if board_under(arm).safe else ""
    together = "Squares in the same place on different sides are counted together. " if len(told[0].squares) > 1 else ""
    basis_ = f"{words.capital(basis(sitting, found))}, {words.line_up(sitting)}."
    return f"{rings}{together}The intervals are in the table. {basis_}"


def _traffic(told: Sequence[Spot], bounds: Scale) -> Map:
    most = max(told, key=lambda each: each.visits.value)
    each = " each" if len(most.squares) > 1 else ""
    times = words.number(most.visits.value * sum(len(spot.squares) for spot in told), 1)
    return Map(
        "Where pawns stand",
        "share of the pawns on the track, at the end of a round",
        f"pawns stand most on {most.name}: {words.value(most.visits)}{each}, {times} times an even share",
        "",
        {square: spot.visits.value for spot in told for square in spot.squares},
        most,
        f"most:\u00a0{words.value(most.visits)}{each}",
        bounds,
        percent=True,
    )


def _danger(sitting: Sitting, told: Sequence[Spot], bounds: Scale) -> Map:
    known, verb = daring(told), "covered" if covers(sitting) else "sent back"
    which, spot = _notable(known)
    return Map(
        f"Where they are {verb}",
        f"pawns {verb} for each that stands there at the end of a round",
        _danger_finding(verb, known),
        "; blank squares are visited too seldom to say" if len(known) < len(told) else "",
        {square: each.risk.value for each in known for square in each.squares},
        spot,
        f"{which}:\u00a0{words.value(spot.risk)}",
        bounds,
    )


def _danger_finding(verb: str, known: Sequence[Spot]) -> str:
    middle, (which, spot) = median_risk(known), _notable(known)
    if not stands_out(spot, known):
        return f"no square is shown to be more dangerous than others: {words.number(middle, 2)} {verb} for each on the median one"
    told = f"pawns are {verb} {which} on {spot.name}: {words.value(spot.risk)} for each that stands there"
    if which == "most":
        return f"{told}, {words.number(spot.risk.value / middle, 1)} times the median square"
    return f"{told}, where the median square has {words.number(middle, 2)}"


def _notable(known: Sequence[Spot]) -> tuple[str, Spot]:
    """The most dangerous squares, or the least dangerous ones where only these are shown to be far from the median."""
    most, least = (pick(known, key=lambda each: each.risk.value) for pick in (max, min))
    clear = stands_out(most, known) and most.risk.value >= CLEARLY * median_risk(known)
    return ("least", least) if not clear and stands_out(least, known) else ("most", most)


def _scale(numbers: Sequence[float]) -> Scale:
    """Bounds in equal steps around some numbers, with no more steps than there are shades."""
    if not numbers:
        return (0.0, 1.0)
    low, high = min(numbers), max(numbers)
    raw = max(high - low, 1e-3 * high, 1e-9) / len(SHADES)
    power = 10.0 ** math.floor(math.log10(raw))
    for step in (nice * ten for ten in (power, 10 * power) for nice in NICE):
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if max(last - first, 1) <= len(SHADES) and step >= raw * (1 - 1e-9):
            break
    return tuple(step * each for each in range(first, max(last, first + 1) + 1))


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
    lines = textwrap.wrap(f"{told.unit}; {told.extreme}", chars)
    for line, text in enumerate(lines):
        axes.text(x, y + 0.95 + 0.72 * line, text, fontsize=7, va="center")
    top = y + 0.85 + 0.72 * len(lines)
    for at, bound in enumerate(told.bounds[:-1]):
        axes.add_patch(Rectangle((x + width * at, top), width, 0.7, fc=_shade(told, bound)[0], ec=FAINT, lw=0.5, zorder=3))
    for at, bound in enumerate(told.bounds):
        axes.text(x + width * at, top + 1.15, _written(told, bound), fontsize=7, ha="center", va="center")


def _written(told: Map, bound: float) -> str:
    return f"{100 * bound:.3g}%" if told.percent else f"{bound:.3g}"
