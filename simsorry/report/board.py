"""The board of a ruleset: what is on it beside pawns, where its squares lie on paper, and what a player calls them.

Squares of the track are numbered as the rulebook numbers them. A *place* is a square counted within its side of the board, a quarter of
the track. Points are (x, y) in squares, y downward from the top.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError

from simsorry import games
from simsorry.games import track
from simsorry.games.options import COLORS, TEAMS
from simsorry.games.sorreesi import board as crossed
from simsorry.games.sorreesi import tables as cross
from simsorry.games.sorreesi.board import ARM, MIDDLE
from simsorry.games.sorreesi.rules import QUARTER

Point = tuple[float, float]

RIM = 16  # squares along a side of the rim, corners shared
PATH = ARM - 1  # private squares of the cross as it is printed
BASE_OFF = 2.95  # from the middle of the cross to that of a base, across and down
ENTRY = track.CIRCLE_SQUARE + track.ENTRY - track.TRACK  # place of the square before the safety zone
SLIDES = {"A": "short", "B": "long"}


@dataclass(frozen=True)
class Slide:
    """A slide that somebody here rides."""

    owner: str
    kind: Literal["short", "long"]
    first: int  # the triangle
    last: int


@dataclass(frozen=True)
class Board:
    """What is on a board beside its squares."""

    colors: tuple[str, ...]  # that play, by table seat
    starts: dict[str, int]  # by color that plays, the square on which its pawns begin
    ways_in: dict[str, int]  # and the last one before its private squares
    path: int  # private squares of a color
    slides: tuple[Slide, ...] = ()
    safe: tuple[int, ...] = ()  # squares on which somebody is safe
    cross: bool = False  # whether it is the Parcheesi cross, and not the rim of a square
    clockwise: bool = True
    alike: int = 1  # after how many turns of the board, 4 quarters or 2 halves, rules and seats are still the same; 1 if after none

    @property
    def quarter(self) -> int:
        """Squares of the track on each of the four sides."""
        return QUARTER if self.cross else track.SIDE

    @property
    def squares(self) -> range:
        """All squares of the track."""
        return range(4 * self.quarter)


def board_of(description: Mapping[str, Any]) -> Board:
    """That of a task, from its description; if its options are not those of today's game, what every board of the game has."""
    game, colors = description["game"], tuple(description["seat_colors"])
    try:
        rules = games.load(game).Rules.model_validate_json(json.dumps(description["ruleset"]["rules"]))
    except ValidationError:
        return plain(game, colors)
    return _cross(colors, rules) if game == "sorreesi" else _rim(colors, rules)


def plain(game: str, colors: tuple[str, ...]) -> Board:
    """A game's board with nothing on it that options may take away."""
    if game == "sorreesi":
        entries = {color: QUARTER * COLORS.index(color) for color in colors}
        return Board(colors, entries, _turn_offs(entries), PATH, cross=True)
    return _plain_rim(colors)


# -- the rim of 60 squares -------------------------------------------------------------------------


def _plain_rim(colors: tuple[str, ...], slides: tuple[Slide, ...] = (), alike: int = 1) -> Board:
    corners = {color: track.SIDE * COLORS.index(color) for color in colors}
    return Board(
        colors,
        {color: corner + track.CIRCLE_SQUARE for color, corner in corners.items()},
        {color: corner + ENTRY for color, corner in corners.items()},
        track.HOME - track.ZONE,
        slides,
        alike=alike,
    )


def _rim(colors: tuple[str, ...], rules: Any) -> Board:
    riders = [COLORS.index(color) for color in colors]
    rides = track.rides(rules, colors)
    found = []
    for owner, color in enumerate(COLORS):
        for letter, (triangle, squares) in track.TRIANGLES.items():
            if any(rides[rider, (triangle + track.SIDE * (owner - rider)) % track.TRACK] for rider in riders):
                first = (track.SIDE * owner + track.CIRCLE_SQUARE + triangle) % track.TRACK
                found.append(Slide(color, SLIDES[letter], first, first + squares))  # type: ignore[arg-type]
    return _plain_rim(colors, tuple(found), 1 if rules.slide_riders else _alike(colors, rules))


def _alike(colors: tuple[str, ...], rules: Any) -> int:
    """After how many turns of the board nothing is changed: colors that move in its order, and nobody always first."""
    around = [(COLORS.index(color) - COLORS.index(colors[0])) % 4 for color in colors]
    teams = getattr(rules, "team_pairs", ())
    if rules.first_player == "fixed" or (teams and tuple(teams) != TEAMS):
        return 1
    return 4 if around == [0, 1, 2, 3] else 2 if around == [0, 2] else 1


# -- the cross of 68 squares -----------------------------------------------------------------------


def _cross(colors: tuple[str, ...], rules: Any) -> Board:
    entries = {color: cross.entry_square(rules, COLORS.index(color)) for color in colors}
    seated = [COLORS.index(color) for color in colors]
    safe = tuple(square for square in range(cross.TRACK) if any(cross.is_safe(rules, color, square) for color in seated))
    clockwise = rules.turn_vs_travel == "same"
    return Board(colors, entries, _turn_offs(entries), rules.home_path_length, (), safe, True, clockwise, _alike(colors, rules))


def _turn_offs(entries: Mapping[str, int]) -> dict[str, int]:
    return {color: (entry + cross.ENTRY_TO_TURN_OFF) % cross.TRACK for color, entry in entries.items()}


# -- where things lie ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layout:
    """The middles of everything that is drawn, in squares from the top left one."""

    size: int  # rows and columns
    squares: tuple[Point, ...]
    outside: tuple[Point, ...]  # for each square the step that leads off the board; none on the cross
    paths: dict[str, tuple[Point, ...]]  # private squares by color, from the track on
    homes: dict[str, Point]  # of the cross there is one for all, in the middle
    bases: dict[str, Point]  # START, or the base


def layout(board: Board) -> Layout:
    """Where everything lies."""
    return _lay_cross(board) if board.cross else _lay_rim(board)


def _lay_rim(board: Board) -> Layout:
    sides = {color: COLORS.index(color) for color in board.colors}
    return Layout(
        RIM,
        tuple(_on_rim(*divmod(square, track.SIDE), 0) for square in board.squares),
        tuple(_step_out(square // track.SIDE) for square in board.squares),
        {color: tuple(_on_rim(side, ENTRY, depth + 1) for depth in range(board.path)) for color, side in sides.items()},
        {color: _on_rim(side, ENTRY, board.path + 1.45) for color, side in sides.items()},
        {color: _on_rim(side, track.CIRCLE_SQUARE + 0.3, 1.5) for color, side in sides.items()},
    )


def _on_rim(side: int, along: float, inward: float) -> Point:
    """The point so far along a side and inward from it; sides clockwise from the top."""
    end = RIM - 1
    return ((along, inward), (end - inward, along), (end - along, end - inward), (inward, end - along))[side]


def _step_out(side: int) -> Point:
    return ((0, -1), (1, 0), (0, 1), (-1, 0))[side]


def _lay_cross(board: Board) -> Layout:
    arms = {color: entry // QUARTER for color, entry in board.starts.items()}
    return Layout(
        2 * MIDDLE + 1,
        tuple(crossed.square_cell(board.clockwise, square)[::-1] for square in board.squares),
        (),
        {color: tuple(_on_cross(board, arm, step + 1, MIDDLE) for step in range(board.path)) for color, arm in arms.items()},
        dict.fromkeys(board.colors, (MIDDLE, MIDDLE)),
        {color: _on_cross(board, arm, MIDDLE - BASE_OFF, MIDDLE + BASE_OFF) for color, arm in arms.items()},
    )


def _on_cross(board: Board, arm: int, row: float, column: float) -> Point:
    """A point of the top arm, turned to the arm whose entry square is so many quarters ahead."""
    row, column = crossed.cell(board.clockwise, arm, row, column)
    return column, row


# -- what squares are called -----------------------------------------------------------------------


def name_of(board: Board, square: int) -> str:
    """``red's start circle (square 4)``; ``square 20`` where there is nothing to know it by."""
    called = _own_name(board, square) or _slide_name(board, square) or ("a safe square" if square in board.safe else "")
    return f"{called} (square {square})" if called else f"square {square}"


def _own_name(board: Board, square: int) -> str:
    """What a square is to the color whose pawns begin there, or turn in there."""
    start, way_in = ("entry square", "turn-off square") if board.cross else ("start circle", "the square before {}'s safety zone")
    for color in board.colors:
        if square == board.starts[color]:
            return f"{color}'s {start}"
        if square == board.ways_in[color]:
            return f"{color}'s {way_in}" if board.cross else way_in.format(color)
    return ""


def _slide_name(board: Board, square: int) -> str:
    for slide in board.slides:
        if slide.first <= square <= slide.last:
            where = {slide.first: "the triangle of", slide.last: "the end of"}.get(square, "on")
            return f"{where} {slide.owner}'s {slide.kind} slide"
    return ""


def place_name(board: Board, place: int, sides: int) -> str:
    """What squares in the same place on so many sides are called, with their numbers: ``the start circles (squares 4, 19, 34 and 49)``."""
    squares = numbers_of(board, place, sides)
    if sides < 4:
        return " and ".join(name_of(board, square) for square in squares)
    called = _cross_place(board, place) if board.cross else _rim_place(board, place)
    *others, last = map(str, squares)
    return f"{called} (squares {', '.join(others)} and {last})"


def _rim_place(board: Board, place: int) -> str:
    """A place on every side of the rim."""
    known = {0: "the corners", ENTRY: "the squares before the safety zones", track.CIRCLE_SQUARE: "the start circles"}
    if place in known:
        return known[place]
    for slide in board.slides[:2]:  # those of one side
        first, last = (square % track.SIDE for square in (slide.first, slide.last))
        if first <= place <= last:
            where = {first: "the triangles of", last: "the ends of"}.get(place, "squares on")
            return f"{where} the {slide.kind} slides"
    past = place - track.CIRCLE_SQUARE
    return f"the squares {abs(past)} {'after' if past > 0 else 'before'} the start circles"


def _cross_place(board: Board, place: int) -> str:
    """A place on every side of the cross."""
    known = {0: "the entry squares", cross.TURN_OFF: "the turn-off squares"}
    kind = "safe squares" if place in board.safe else "squares"
    return known.get(place, f"the {kind} {place} after the entry squares")


def numbers_of(board: Board, place: int, sides: int) -> tuple[int, ...]:
    """The squares in the same place on so many sides."""
    return tuple(range(place, len(board.squares), len(board.squares) // sides))
