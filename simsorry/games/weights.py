"""What the features of all games are made of, and how a policy's weights become a record for the kernel."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from simsorry.games import track
from simsorry.games.options import CARDS, COLORS
from simsorry.games.records import EXP_STEPS

SCALE = 1_000_000  # score units per unit of weight
MAX_WEIGHT = 10_000
SEATS = 4

EVENT, HELD = "event", "hand"  # tables of features that are not sums over pawns
EVENT_STRIDE, HAND_STRIDE = 16, 16

# What a policy's weights may hold beside those of features: how it is careless (``choosing``).
MISTAKES, RANDOM_FROM = "mistakes", "random_from"
LAPSES = (MISTAKES, RANDOM_FROM)
LAPSE_FIELDS = [(name, np.uint64, (SEATS,)) for name in LAPSES]  # shares of SHARE, by table seat
SHARE = 1 << 32
# How it looks ahead, if it does (``lookahead``), and whether a function of Python's chooses in its place.
PLAYOUTS, HORIZON, BREADTH, SPREAD = "playouts", "horizon", "breadth", "spread"
LOOKS = (PLAYOUTS, HORIZON, BREADTH, SPREAD)
HABITS = (*LAPSES, *LOOKS)  # what a policy does beside weighing features
ASKS = "asks"
TO_THE_END = (1 << 32) - 1  # turns that no game has
LOOK_FIELDS = [
    *((name, np.uint64, (SEATS,)) for name in (PLAYOUTS, HORIZON, BREADTH, ASKS)),
    ("step", np.int64, (SEATS,)),  # times the pawns of a color: score units that make the odds to win 1/EXP_STEPS of e times as high
]
DEFAULT_BREADTH, DEFAULT_SPREAD = 6, 0.4
FALLIBLE = 2  # in the field ``weighted``: not 0 nor 1, for it weighs something but is careless at times

Share = Callable[[int], float]  # what a pawn counts, by its place as its color counts it


class Feature(NamedTuple):
    """One thing a policy can weigh."""

    name: str
    group: str  # the heading under which it is listed
    table: str  # what it is folded into: a key of the game's PAWN_TABLES, or a table that is no sum over pawns
    meaning: str
    share: Share | None = None  # a pawn's, by its place; None where it is no sum over pawns


# -- shares of pawns -----------------------------------------------------------------------------------


def at(*places: int) -> Share:
    """1 for a pawn on one of these places."""
    return lambda place: float(place in places)


def progress(place: int) -> float:
    """Squares come from START on the board with 60 squares."""
    return 65 - track.squares_to_go(place)


def lead(place: int) -> float:
    """Its square over 65: large for a pawn that is far ahead."""
    return progress(place) ** 2 / 65


# -- what is in reach on the board with 60 squares -------------------------------------------------------


def bits(squares: Iterable[int]) -> int:
    """Squares as bits of a word."""
    return sum(1 << square for square in set(squares))


def squares_hit(rules: Any, place: int) -> set[int]:
    """The squares that a pawn on the track comes to or rides over with one card of the printed rules, as places of its own color."""
    forward = (track.forward_target(rules, place, squares) for squares in (1, 2, 3, 5, 7, 8, 10, 11, 12))
    ends = {end for end in forward if end < track.TRACK} | {(place - squares) % track.TRACK for squares in (1, 4)}
    circles = [track.SIDE * other for other in range(1, len(COLORS))]
    ridden = {(triangle + circle) % track.TRACK: squares for triangle, squares in track.TRIANGLES.values() for circle in circles}
    return {(end + step) % track.TRACK for end in ends for step in range(ridden.get(end, 0) + 1)}


# -- cards of a hand -------------------------------------------------------------------------------------

_HAND = "The hand after it, before a card is drawn (without hands all 0)"


def of_hands(starters: str) -> tuple[Feature, ...]:
    """The features of what is kept of a hand; ``starters`` names the number cards that start pawns."""
    return (
        *(Feature(f"holds_{card}", _HAND, HELD, f"{'Sorry! cards' if card == 'sorry' else f'{card}s'} left in the hand") for card in CARDS),
        Feature("holds_start", _HAND, HELD, f"1 if {starters} is left"),
        Feature("variety", _HAND, HELD, "different cards left"),
    )


# -- policies for the kernel -----------------------------------------------------------------------------


def names_of(features: Sequence[Feature], table: str) -> tuple[str, ...]:
    """The features of a table, in their order there."""
    return tuple(feature.name for feature in features if feature.table == table)


def fill_named(record: Any, table: str, begin: int, features: Sequence[Feature], weights: Mapping[str, float]) -> None:
    """Writes the weights of a table's features one after the other, from a place of it on."""
    scaled = [round(weights[name] * SCALE) for name in names_of(features, table)]
    record[table][begin : begin + len(scaled)] = scaled


def fill_shares(record: Any, begin: int, places: range, features: Sequence[Feature], weights: Mapping[str, float]) -> None:
    """Adds up what pawns count by place, the features of a table on top of each other, from a place of each table on."""
    for feature in features:
        if feature.share is not None and weights[feature.name]:
            shares = np.rint(weights[feature.name] * SCALE * _by_place(feature.share, places)).astype(np.int64)
            record[feature.table][begin : begin + len(shares)] += shares


@cache
def _by_place(share: Share, places: range) -> np.ndarray:
    """What a pawn counts on each of these places."""
    return np.array([share(place) for place in places])


FillRow = Callable[[Any, int, Mapping[str, float]], None]
FillSeat = Callable[[Any, int, int, Mapping[str, float]], None]


def fill_line_up(
    record: Any,
    policies: Sequence[Mapping[str, float]],
    features: Sequence[Feature],
    fill_row: FillRow,
    fill_seat: FillSeat,
    way: tuple[int, int],
) -> None:
    """Writes the policy on each table seat into a record, equal policies into one row.

    Weights are by feature name, missing ones count 0; LAPSES may stand beside them. ``fill_row(record, row, weights)`` writes a policy
    down, ``fill_seat(record, seat, row, weights)`` gives it to a seat. ``way`` is the places where a pawn begins and ends.
    """
    rows: list[dict[str, float]] = []
    for seat, weights in enumerate(policies):
        complete = {feature.name: weights.get(feature.name, 0.0) for feature in features}
        if complete not in rows:
            fill_row(record, len(rows), complete)
            rows.append(complete)
        fill_seat(record, seat, rows.index(complete), complete)
        _fill_lapses(record, seat, weights)
        _fill_looks(record, seat, weights, worth_of(features, complete, way))


def _fill_lapses(record: Any, seat: int, weights: Mapping[str, float]) -> None:
    """Writes down when the policy of a seat is careless; a random player always is."""
    record[MISTAKES][seat] = round(weights.get(MISTAKES, 0) * SHARE)
    record[RANDOM_FROM][seat] = round(weights.get(RANDOM_FROM, 2) * SHARE)  # never: nobody comes twice as far as there is to go
    if record["weighted"][seat] and any(name in weights for name in LAPSES):
        record["weighted"][seat] = FALLIBLE


def worth_of(features: Sequence[Feature], weights: Mapping[str, float], way: tuple[int, int]) -> float:
    """By how much the score rises while a pawn comes from where it begins to where it ends, whatever else happens."""
    begin, end = way
    own = ((weights[each.name], each.share) for each in features if each.table == "own" and each.share is not None)
    return sum(weight * (share(end) - share(begin)) for weight, share in own)


def _fill_looks(record: Any, seat: int, weights: Mapping[str, float], worth: float) -> None:
    """Writes down how the policy of a seat would look ahead; ``worth`` is that of a pawn's way."""
    record[HORIZON][seat] = int(weights.get(HORIZON, TO_THE_END))
    record[BREADTH][seat] = int(weights.get(BREADTH, DEFAULT_BREADTH))
    record["step"][seat] = max(round(weights.get(SPREAD, DEFAULT_SPREAD) * abs(worth) * SCALE / EXP_STEPS), 1)


def alone(weights: Mapping[str, float]) -> dict[str, float]:
    """A policy's weights without how it is careless and looks ahead: how everybody plays in its play-outs."""
    return {name: weight for name, weight in weights.items() if name not in (*HABITS, ASKS)}


def compile_line_ups(compile_line_up: Callable[..., Any], policies: Sequence[Mapping[str, float]]) -> np.ndarray:
    """The line-up of a table, and behind it how each of its seats imagines everybody to play: as it would itself, without looking ahead.

    Nobody looks ahead, or is asked in Python, in a line-up that stands alone.
    """
    played = compile_line_up(policies)
    played[0][PLAYOUTS][: len(policies)] = [int(weights.get(PLAYOUTS, 0)) for weights in policies]
    played[0][ASKS][: len(policies)] = [ASKS in weights for weights in policies]
    imagined = [compile_line_up([alone(weights)] * len(policies)) for weights in policies]
    for line_up in imagined:
        for name, *_ in LOOK_FIELDS:
            line_up[0][name] = played[0][name]
    return np.concatenate([played, *imagined]).view(np.recarray)
