"""What a policy can weigh: named features of an action and of the position after it.

A score is the sum of weight times feature. Every feature but those of the action itself is a sum over pawns, of a *share* that
depends on the pawn's place alone, times something that features of the same *table* have in common. So their shares are folded
into one table of numbers when a policy is compiled, and many features take no longer than one. Scores are whole numbers.

*In reach* means by one whole card of the printed rules, with the slide that may follow: forward 1, 2, 3, 5, 7, 8, 10, 11 or 12, back
1 or 4. Whether a pawn of the same color is in the way is not asked, and opponents of one color on the same square count once.

What a game does not have, hands or partners, counts nothing there: a policy that weighs nothing else plays like ``random``. Of a
hand a player sees the own one, and which card a throw at random will take is not known: it counts as kept.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simsorry.games import track
from simsorry.games.classic.rules import Rules
from simsorry.games.weights import (
    EVENT,
    EVENT_STRIDE,
    HAND_STRIDE,
    HELD,
    LAPSE_FIELDS,
    LOOK_FIELDS,
    SEATS,
    Feature,
    Share,
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

# Each is a field of LINE_UP; what its shares are multiplied with.
PAWN_TABLES = {
    "own": "own pawns: 1",
    "threat": "own pawns: the opponents' pawns that have it in reach",
    "target": "own pawns: the opponents' pawns that it has in reach",
    "sorry": "own pawns: the opponents with pawns on START",
    "circle": "own pawns: 1 on the start circle of an opponent with pawns on START",
    "foe": "all opponents' pawns: 1",
    "leader": "the leader's pawns: 1",
    "partner": "in team play the partner's pawns: 1, beside what they count as own pawns",
}

_ACTION = "The action"
_OWN = "Own pawns after it (in team play those of both partners)"
_DANGER = "Danger and chances after it, on the track (in reach: by one whole card, which may end in a slide)"
_PARTNER = "The partner's pawns after it, beside what they count as own pawns (without teams all 0)"
_FOES = "Opponents' pawns after it (the leader: who was ahead before it, the finished left out)"


def _on_track(share: Share) -> Share:
    return lambda place: share(place) if place < track.TRACK else 0.0


_CIRCLES = tuple(track.SIDE * other for other in range(1, SEATS))  # of the other colors, as own places

FEATURES = (
    Feature("bumps", _ACTION, EVENT, "opponents' pawns sent back to START"),
    Feature("own_bumps", _ACTION, EVENT, "own pawns sent back to START, in team play those of both partners"),
    Feature("partner_bumps", _ACTION, EVENT, "of those, pawns sent back by a pawn of their partner's color"),
    Feature("partner_moves", _ACTION, EVENT, "1 if a pawn of the partner is moved"),
    Feature("slides", _ACTION, EVENT, "slides ridden by own pawns"),
    Feature("starts", _ACTION, EVENT, "1 if a number card brings a pawn out of START"),
    Feature("takes", _ACTION, EVENT, "1 if a Sorry! card puts a pawn in an opponent's place"),
    Feature("swaps", _ACTION, EVENT, "1 if an 11 changes places"),
    Feature("splits", _ACTION, EVENT, "1 if a 7 is split"),
    Feature("backs", _ACTION, EVENT, "1 if a card moves a pawn backward"),
    Feature("passes", _ACTION, EVENT, "1 if the card is declined, or the turn ended by choosing a square where an own pawn stands"),
    Feature("throws", _ACTION, EVENT, "1 if a card is thrown in"),
    Feature("idles", _ACTION, EVENT, "1 if a 2 is laid down without moving a pawn"),
    Feature("pawns_behind", _ACTION, EVENT, "own pawns farther back than the one moved forward by its number (split 7: the rearmost one)"),
    Feature("progress", _OWN, "own", "squares come from START: 1 on the start circle, 59 on the safety zone's entry, 65 on HOME", progress),
    Feature("lead", _OWN, "own", "squared progress of each pawn over 65: large if one is far ahead of the others", lead),
    Feature("in_start", _OWN, "own", "pawns on START", at(track.START)),
    Feature("on_circle", _OWN, "own", "pawns on the own start circle, where they keep others from starting", at(0)),
    Feature(
        "short_cut",
        _OWN,
        "own",
        "pawns for which a 4 back is a short cut: from 1 behind the own start circle to 2 past it",
        at(59, 0, 1, 2),
    ),
    Feature("on_track", _OWN, "own", "pawns on the track", _on_track(lambda _: 1.0)),
    Feature("in_zone", _OWN, "own", "pawns in the safety zone", at(*range(track.ZONE, track.HOME))),
    Feature("home", _OWN, "own", "pawns on HOME", at(track.HOME)),
    Feature("threats", _DANGER, "threat", "pairs of an own pawn and an opponent's pawn that has it in reach", _on_track(lambda _: 1.0)),
    Feature("stake", _DANGER, "threat", "squares at risk: the own pawn's progress, over these pairs", _on_track(progress)),
    Feature("targets", _DANGER, "target", "pairs of an own pawn and an opponent's pawn that it has in reach", _on_track(lambda _: 1.0)),
    Feature("sorry_risk", _DANGER, "sorry", "own progress on the track, times the opponents with pawns on START", _on_track(progress)),
    Feature("start_risk", _DANGER, "circle", "own pawns on the start circle of an opponent with pawns on START", at(*_CIRCLES)),
    Feature("foe_progress", _FOES, "foe", "squares come by all opponents' pawns", progress),
    Feature("foe_lead", _FOES, "foe", "squared progress of each over 65", lead),
    Feature("foe_in_start", _FOES, "foe", "opponents' pawns on START", at(track.START)),
    Feature("leader_progress", _FOES, "leader", "squares come by the leader's pawns", progress),
    Feature("leader_lead", _FOES, "leader", "squared progress of each of the leader's pawns over 65", lead),
    Feature("leader_in_start", _FOES, "leader", "the leader's pawns on START", at(track.START)),
    Feature("partner_progress", _PARTNER, "partner", "squares come from START", progress),
    Feature("partner_lead", _PARTNER, "partner", "squared progress of each over 65", lead),
    Feature("partner_in_start", _PARTNER, "partner", "pawns on START", at(track.START)),
    Feature("partner_home", _PARTNER, "partner", "pawns on HOME", at(track.HOME)),
    *of_hands("a 1 or a 2"),
)
EVENTS = names_of(FEATURES, EVENT)

# -- what is in reach --------------------------------------------------------------------------------


@cache
def _aim() -> NDArray[np.uint64]:
    """By place: the squares that an own pawn there has in reach."""
    aim = np.zeros(track.STRIDE, np.uint64)
    aim[: track.TRACK] = [bits(squares_hit(Rules(), place)) for place in range(track.TRACK)]
    return aim


@cache
def _feared() -> NDArray[np.uint64]:
    """By other color (colors clockwise) and place: the squares from which it has an own pawn there in reach."""
    feared = np.zeros((SEATS, track.STRIDE), np.uint64)
    hit = [squares_hit(Rules(), place) for place in range(track.TRACK)]
    for other in range(1, SEATS):
        for place in range(track.TRACK):
            as_theirs = (place - track.SIDE * other) % track.TRACK
            feared[other, place] = bits(
                (theirs + track.SIDE * other) % track.TRACK for theirs in range(track.TRACK) if as_theirs in hit[theirs]
            )
    return feared.ravel()


@cache
def _square() -> NDArray[np.uint64]:
    """By other color and its place: the bit of that square, numbered as a place of the own color; none off the track."""
    square = np.zeros((SEATS, track.STRIDE), np.uint64)
    for other in range(1, SEATS):
        square[other, : track.TRACK] = [1 << (theirs + track.SIDE * other) % track.TRACK for theirs in range(track.TRACK)]
    return square.ravel()


# -- policies for the kernel ---------------------------------------------------------------------------

# The policies of a whole table in one record. Each seat has a row in every table; equal policies share one, for speed.
LINE_UP = np.dtype(
    [
        ("weighted", np.uint64, (SEATS,)),  # by seat; 0: choose at random; FALLIBLE: careless at times
        *LAPSE_FIELDS,
        *LOOK_FIELDS,
        ("row", np.uint64, (SEATS,)),  # where the seat's rows begin in the tables over pawns; an eighth of it in that of events
        *((f"uses_{what}", np.uint64, (SEATS,)) for what in ("events", "leader", "threats", "targets", "waiting", "hand")),
        ("event", np.int64, (SEATS * EVENT_STRIDE,)),
        ("hand", np.int64, (SEATS * HAND_STRIDE,)),  # per value of card, then holds_start and variety
        *((table, np.int64, (SEATS * track.STRIDE,)) for table in PAWN_TABLES),
        # For every policy the same: bits of squares, numbered by places of the mover's color.
        ("square", np.uint64, (SEATS * track.STRIDE,)),
        ("feared", np.uint64, (SEATS * track.STRIDE,)),
        ("aim", np.uint64, (track.STRIDE,)),
    ],
    align=True,
)


def compile_line_up(policies: Sequence[Mapping[str, float]]) -> np.ndarray:
    """The weights of the policy on each table seat as one record for the kernel: a 1-element array of ``LINE_UP``.

    Weights are by feature name, missing ones count 0; all zero means uniform over distinct outcomes.
    """
    line_up = np.zeros(1, LINE_UP).view(np.recarray)
    record = line_up[0]
    record["square"], record["feared"], record["aim"] = _square(), _feared(), _aim()
    fill_line_up(record, policies, FEATURES, _fill_row, _fill_seat, (track.START, track.HOME))
    return line_up


def _fill_row(record: Any, row: int, weights: Mapping[str, float]) -> None:
    """Writes a policy into the tables, features of one group on top of each other."""
    fill_named(record, EVENT, row * EVENT_STRIDE, FEATURES, weights)
    fill_named(record, HELD, row * HAND_STRIDE, FEATURES, weights)
    fill_shares(record, row * track.STRIDE, range(track.START + 1), FEATURES, weights)


def _fill_seat(record: Any, seat: int, row: int, _weights: Mapping[str, float]) -> None:
    """Gives a seat its policy, and says which tables of it hold anything at all."""
    uses = {table: bool(record[table][row * track.STRIDE : (row + 1) * track.STRIDE].any()) for table in PAWN_TABLES}
    events = bool(record["event"][row * EVENT_STRIDE : (row + 1) * EVENT_STRIDE].any())
    hand = bool(record["hand"][row * HAND_STRIDE : (row + 1) * HAND_STRIDE].any())
    record["weighted"][seat] = events or hand or any(uses.values())
    record["uses_hand"][seat] = hand
    record["row"][seat] = row * track.STRIDE
    record["uses_events"][seat] = events
    record["uses_leader"][seat] = uses["leader"]
    record["uses_threats"][seat] = uses["threat"]
    record["uses_targets"][seat] = uses["target"]
    record["uses_waiting"][seat] = uses["sorry"] or uses["circle"]
