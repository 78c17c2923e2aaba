"""What a policy can weigh: named features of an action and of the position after it.

A score is the sum of weight times feature. Features that are sums over pawns are folded into one table per kind of
pawn (own, any opponent's, the leader's) when a policy is compiled; only the others are worked out for each outcome,
in ``scoring``. Scores are whole numbers: a weight counts in thousandths.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from simsorry.games.classic import tables as t

SCALE = 1000  # score units per unit of weight
MAX_WEIGHT = 10_000


class Feature(NamedTuple):
    """One thing a policy can weigh."""

    name: str
    group: str  # "own", "foe", "leader": summed over those pawns; "event": of the action; "danger": of the position after it
    meaning: str
    value: Callable[[int], float] | None = None  # for sums over pawns: a pawn's share by its place


def _progress(place: int) -> float:
    return 65 - t.squares_to_go(place)


FEATURES = (
    # -- the action --------------------------------------------------------------------------------
    Feature("bumps", "event", "opponents' pawns sent back to START by the action"),
    Feature("own_bumps", "event", "own pawns sent back to START by the action"),
    Feature("slides", "event", "slides ridden"),
    Feature("starts", "event", "1 if a number card brings a pawn out of START"),
    Feature("swaps", "event", "1 if an 11 changes places"),
    Feature("takes", "event", "1 if a Sorry! card puts a pawn onto an opponent"),
    Feature("splits", "event", "1 if a 7 is split"),
    Feature("backs", "event", "1 for a backward move"),
    Feature("passes", "event", "1 for declining to play the card"),
    # -- own pawns after it ------------------------------------------------------------------------
    Feature("progress", "own", "squares all own pawns have come from START (65 for a pawn on HOME)", _progress),
    Feature("lead_progress", "own", "sum of squared progress over 65: large when one pawn is far ahead of the others", lambda p: _progress(p) ** 2 / 65),
    Feature("in_start", "own", "own pawns on START", lambda p: float(p == t.START)),
    Feature("on_circle", "own", "own pawn on its own start circle, where it keeps others from starting", lambda p: float(p == 0)),
    Feature("on_track", "own", "own pawns on the track", lambda p: float(p < t.TRACK)),
    Feature("in_zone", "own", "own pawns in the safety zone", lambda p: float(t.ZONE <= p < t.HOME)),
    Feature("home", "own", "own pawns on HOME", lambda p: float(p == t.HOME)),
    Feature("short_cut", "own", "own pawns from which a 4 leads back past the entry (0 to 2 squares after the circle)", lambda p: float(p <= 2)),
    Feature("near_entry", "own", "own pawns on the 12 squares up to and including the safety zone's entry", lambda p: float(47 <= p <= t.ENTRY)),
    Feature("foreign_circle", "own", "own pawns on another color's start circle, where a 1 or a 2 hits them", lambda p: float(p in (15, 30, 45))),
    # -- opponents' pawns after it -----------------------------------------------------------------
    Feature("foe_progress", "foe", "squares all opponents' pawns have come", _progress),
    Feature("foe_lead_progress", "foe", "sum of the opponents' squared progress over 65", lambda p: _progress(p) ** 2 / 65),
    Feature("foe_in_start", "foe", "opponents' pawns on START", lambda p: float(p == t.START)),
    Feature("foe_home", "foe", "opponents' pawns on HOME", lambda p: float(p == t.HOME)),
    Feature("leader_progress", "leader", "squares come by the pawns of the opponent who was ahead before the action", _progress),
    Feature("leader_in_start", "leader", "pawns on START of the opponent who was ahead before the action", lambda p: float(p == t.START)),
    # -- danger and chances after it ---------------------------------------------------------------
    Feature("exposed", "danger", "own pawns on the track with an opponent's pawn 1 to 12 squares behind"),
    Feature("exposure", "danger", "pairs of an own pawn and an opponent's pawn 1 to 12 squares behind it"),
    Feature("stake", "danger", "squares come by the own pawns that have an opponent's pawn 1 to 12 squares behind"),
    Feature("targets", "danger", "pairs of an own pawn and an opponent's pawn 1 to 12 squares ahead of it"),
    Feature("ahead_of_starter", "danger", "own pawns on, or up to 12 squares past, the start circle of an opponent with pawns on START"),
)
NAMES = tuple(feature.name for feature in FEATURES)
_EVENTS = tuple(feature.name for feature in FEATURES if feature.group == "event")
_DANGERS = tuple(feature.name for feature in FEATURES if feature.group == "danger")

SEATS = 4
_EVENT_STRIDE, _DANGER_STRIDE = 16, 8

# The policies of a whole table in one record, a stretch of each field per table seat.
LINE_UP = np.dtype(
    [
        ("weighted", np.uint64, (SEATS,)),  # 0: choose at random
        ("uses_leader", np.uint64, (SEATS,)),
        ("uses_danger", np.uint64, (SEATS,)),
        ("own", np.int64, (SEATS * t.ROW_STRIDE,)),
        ("foe", np.int64, (SEATS * t.ROW_STRIDE,)),
        ("leader", np.int64, (SEATS * t.ROW_STRIDE,)),
        ("event", np.int64, (SEATS * _EVENT_STRIDE,)),
        ("danger", np.int64, (SEATS * _DANGER_STRIDE,)),
    ],
    align=True,
)


def compile_line_up(policies: Sequence[Mapping[str, float]]) -> np.ndarray:
    """The weights of the policy on each table seat as one record for the kernel: a 1-element array of ``LINE_UP``.

    Weights are by feature name, missing ones count 0; all zero means uniform over distinct outcomes.
    """
    line_up = np.zeros(1, LINE_UP).view(np.recarray)
    for seat, weights in enumerate(policies):
        _fill_seat(line_up[0], seat, weights)
    return line_up


def _fill_seat(record: Any, seat: int, weights: Mapping[str, float]) -> None:
    tables = {group: np.zeros(t.ROW_STRIDE, np.int64) for group in ("own", "foe", "leader")}
    for feature in FEATURES:
        weight = weights.get(feature.name, 0.0) * SCALE
        if feature.group == "event":
            record["event"][seat * _EVENT_STRIDE + _EVENTS.index(feature.name)] = round(weight)
        elif feature.group == "danger":
            record["danger"][seat * _DANGER_STRIDE + _DANGERS.index(feature.name)] = round(weight)
        else:
            assert feature.value is not None
            tables[feature.group][: t.START + 1] += [round(weight * feature.value(place)) for place in range(t.START + 1)]
    for group, table in tables.items():
        record[group][seat * t.ROW_STRIDE : (seat + 1) * t.ROW_STRIDE] = table
    dangers = record["danger"][seat * _DANGER_STRIDE : (seat + 1) * _DANGER_STRIDE]
    events = record["event"][seat * _EVENT_STRIDE : (seat + 1) * _EVENT_STRIDE]
    record["uses_leader"][seat] = tables["leader"].any()
    record["uses_danger"][seat] = dangers.any()
    record["weighted"][seat] = dangers.any() or events.any() or any(table.any() for table in tables.values())
