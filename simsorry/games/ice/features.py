"""What a policy can weigh: named features of a play and of the position after it.

A score is the sum of weight times feature. Every feature but those of the play itself and of the hand is a sum over pawns, of a *share*
that depends on the pawn's place alone, for those pawns that features of the same *table* look at. So their shares are folded into one
table of numbers when a policy is compiled, and many features take no longer than one. Scores are whole numbers. What other games have too
has the same name here.

A pawn is *covered* if it lies below the unit of its pile, so that nobody can move it; *carried* if it lies in a unit under another
color's top pawn, so that only that color can move it. *In reach* means by one whole card of the printed rules, with the slide that may
follow: forward 1, 2, 3, 5, 7, 8, 10, 11 or 12, back 1 or 4. Opponents are looked at as they stood before the play.

What the game does not have, such as partners, counts nothing there: a policy that weighs nothing else plays like ``random``. Of the hands a
player sees the own one, and which card a throw at random will take is not known: it counts as kept.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simsorry.games import track
from simsorry.games.ice import tables as t
from simsorry.games.ice.rules import SIZES, Rules
from simsorry.games.options import COLORS
from simsorry.games.weights import (
    EVENT,
    EVENT_STRIDE,
    HAND_STRIDE,
    HELD,
    LAPSE_FIELDS,
    LOOK_FIELDS,
    SCALE,
    SEATS,
    Feature,
    at,
    bits,
    fill_line_up,
    fill_named,
    fill_shares,
    lead,
    names_of,
    of_hands,
    progress,
    squares_hit,
)

STRIDE = t.STRIDE

# Each is a field of LINE_UP; the pawns that it looks at, and what their shares are multiplied with.
PAWN_TABLES = {
    "own": "own pawns: 1",
    "buried": "own covered pawns: 1",
    "carried": "own pawns in others' stacks: 1",
    "stacked": "own pawns beneath the top of own stacks: 1",
    "burden": "own pawns: the pawns on top of them",
    "threat": "own top pawns on the track: the opponents' top pawns that have them in reach",
    "overcast": "the same: of those, the larger ones",
    "target": "own top pawns on the track: piles with opponents' pawns on top that they have in reach",
    "sorry": "own top pawns on the track: the opponents with pawns on START",
    "foe": "all opponents' pawns: 1",
    "foe_buried": "opponents' covered pawns: 1",
    "led": "other colors' pawns in own stacks: 1",
    "leader": "the leader's pawns: 1",
    "leader_buried": "the leader's covered pawns: 1",
}
SIZED = "sized"

_ACTION = "The play"
_OWN = "Own pawns after it"
_PILES = "Own pawns in piles after it"
_DANGER = "Danger and chances after it, of own top pawns on the track (in reach: by one whole card, which may end in a slide)"
_FOES = "Opponents' pawns after it (the leader: who was ahead before it, the finished left out)"


def _one(_place: int) -> float:
    return 1.0


FEATURES = (
    Feature("slides", _ACTION, EVENT, "slides ridden by own pawns"),
    Feature("starts", _ACTION, EVENT, "1 if a number card brings a pawn out of START"),
    Feature("takes", _ACTION, EVENT, "1 if a Sorry! card brings a pawn out of START"),
    Feature("swaps", _ACTION, EVENT, "1 if an 11 switches pawns"),
    Feature("splits", _ACTION, EVENT, "1 if a 7 is split"),
    Feature("backs", _ACTION, EVENT, "1 if a card moves backward"),
    Feature("passes", _ACTION, EVENT, "1 if the card is declined"),
    Feature("throws", _ACTION, EVENT, "1 if a card is thrown in"),
    Feature("idles", _ACTION, EVENT, "1 if a 2 is laid down without moving a pawn"),
    Feature("stack_moves", _ACTION, EVENT, "stacks of two or more pawns moved as a whole"),
    Feature("pawns_behind", _ACTION, EVENT, "own pawns farther back than the one moved forward by its number (split 7: the rearmost one)"),
    Feature("progress", _OWN, "own", "squares come from START: 1 on the start circle, 59 on the safety zone's entry, 65 on HOME", progress),
    Feature("lead", _OWN, "own", "squared progress of each pawn over 65: large if one is far ahead of the others", lead),
    Feature("in_start", _OWN, "own", "pawns on START", at(track.START)),
    Feature("large_in_start", _OWN, SIZED, "of those, large ones, which few cards start"),
    Feature("on_circle", _OWN, "own", "pawns on the own start circle", at(0)),
    Feature(
        "short_cut",
        _OWN,
        "own",
        "pawns for which a 4 back is a short cut: from 1 behind the own start circle to 2 past it",
        at(59, 0, 1, 2),
    ),
    Feature("on_track", _OWN, "own", "pawns on the track", lambda place: float(place < track.TRACK)),
    Feature("in_zone", _OWN, "own", "pawns in the safety zone", at(*range(track.ZONE, track.HOME))),
    Feature("home", _OWN, "own", "pawns on HOME", at(track.HOME)),
    Feature("home_size", _OWN, SIZED, "sizes on HOME: 1, 2 or 3 for each small, medium or large pawn"),
    Feature("covered", _PILES, "buried", "own covered pawns", _one),
    Feature("covered_progress", _PILES, "buried", "squares come by them", progress),
    Feature("carried", _PILES, "carried", "own pawns in stacks that another color leads", _one),
    Feature("stacked", _PILES, "stacked", "own pawns beneath the top of stacks that the player leads", _one),
    Feature("burden", _PILES, "burden", "pawns that lie on own pawns, summed over these", _one),
    Feature("led", _PILES, "led", "other colors' pawns in stacks that the player leads", _one),
    Feature("threats", _DANGER, "threat", "pairs of an own top pawn and an opponent's top pawn that has it in reach", _one),
    Feature("stake", _DANGER, "threat", "squares at risk: the own pawn's progress, over these pairs", progress),
    Feature("cover_risk", _DANGER, "overcast", "of these pairs, those in which the opponent's pawn is larger", _one),
    Feature("targets", _DANGER, "target", "pairs of an own top pawn and a pile led by an opponent that it has in reach", _one),
    Feature("sorry_risk", _DANGER, "sorry", "progress of own top pawns, times the opponents with pawns on START", progress),
    Feature("foe_progress", _FOES, "foe", "squares come by all opponents' pawns", progress),
    Feature("foe_lead", _FOES, "foe", "squared progress of each over 65", lead),
    Feature("foe_in_start", _FOES, "foe", "opponents' pawns on START", at(track.START)),
    Feature("foe_covered", _FOES, "foe_buried", "opponents' covered pawns", _one),
    Feature("foe_covered_progress", _FOES, "foe_buried", "squares come by them", progress),
    Feature("leader_progress", _FOES, "leader", "squares come by the leader's pawns", progress),
    Feature("leader_lead", _FOES, "leader", "squared progress of each of the leader's pawns over 65", lead),
    Feature("leader_in_start", _FOES, "leader", "the leader's pawns on START", at(track.START)),
    Feature("leader_covered", _FOES, "leader_buried", "the leader's covered pawns", _one),
    *of_hands("a 1, a 2 or a 3"),
)
EVENTS = names_of(FEATURES, EVENT)
SIZE_STRIDE = 4

# -- what is in reach ------------------------------------------------------------------------------------


@cache
def _reach() -> NDArray[np.uint64]:
    """By color and track square: the squares that a pawn there has in reach, as bits."""
    reach = np.zeros((len(COLORS), 64), np.uint64)
    for color in range(len(COLORS)):
        for square in range(t.TRACK):
            hit = squares_hit(Rules(), t.relative(color, square))
            reach[color, square] = bits(t.absolute(color, place) for place in hit)
    return reach.ravel()


# -- policies for the kernel -------------------------------------------------------------------------------

# The policies of a whole table in one record. Each seat has a row in every table; equal policies share one, for speed.
LINE_UP = np.dtype(
    [
        ("weighted", np.uint64, (SEATS,)),  # by seat; 0: choose at random; FALLIBLE: careless at times
        *LAPSE_FIELDS,
        *LOOK_FIELDS,
        ("row", np.uint64, (SEATS,)),  # the number of the seat's policy
        *((f"uses_{what}", np.uint64, (SEATS,)) for what in ("leader", "danger", "hand")),
        ("event", np.int64, (SEATS * EVENT_STRIDE,)),
        ("hand", np.int64, (SEATS * HAND_STRIDE,)),  # per value of card, then holds_start and variety
        ("start_size", np.int64, (SEATS * SIZE_STRIDE,)),  # of an own pawn on START, beside its share
        ("home_size", np.int64, (SEATS * SIZE_STRIDE,)),
        *((table, np.int64, (SEATS * STRIDE,)) for table in PAWN_TABLES),
        ("reach", np.uint64, (len(COLORS) * 64,)),  # for every policy the same
    ],
    align=True,
)


def compile_line_up(policies: Sequence[Mapping[str, float]]) -> np.ndarray:
    """The weights of the policy on each table seat as one record for the kernel: a 1-element array of ``LINE_UP``.

    Weights are by feature name, missing ones count 0; all zero means uniform over distinct outcomes.
    """
    line_up = np.zeros(1, LINE_UP).view(np.recarray)
    record = line_up[0]
    record["reach"] = _reach()
    fill_line_up(record, policies, FEATURES, _fill_row, _fill_seat, (track.START, track.HOME))
    return line_up


def _fill_row(record: Any, row: int, weights: Mapping[str, float]) -> None:
    """Writes a policy into the tables, features of one group on top of each other."""
    fill_named(record, EVENT, row * EVENT_STRIDE, FEATURES, weights)
    fill_named(record, HELD, row * HAND_STRIDE, FEATURES, weights)
    fill_shares(record, row * STRIDE, range(track.START + 1), FEATURES, weights)
    begin = row * SIZE_STRIDE
    record["start_size"][begin + SIZES.index("large")] = round(weights["large_in_start"] * SCALE)
    record["home_size"][begin : begin + len(SIZES)] = [round(weights["home_size"] * size * SCALE) for size in (1, 2, 3)]


def _fill_seat(record: Any, seat: int, row: int, weights: Mapping[str, float]) -> None:
    """Gives a seat its policy, and says which tables of it hold anything at all."""

    def uses(*tables: str) -> bool:
        return any(weights[feature.name] for feature in FEATURES if feature.table in tables)

    record["weighted"][seat] = any(weights.values())
    record["row"][seat] = row
    record["uses_leader"][seat] = uses("leader", "leader_buried")
    record["uses_danger"][seat] = uses("threat", "overcast", "target", "sorry")
    record["uses_hand"][seat] = uses(HELD)
