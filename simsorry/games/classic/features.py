"""What a policy can weigh: named features of an action and of the position after it, and the kernel that scores them.

A score is the sum of weight times feature. Features that are sums over pawns are folded into one table per kind of
pawn (own, any opponent's, the leader's) when a policy is compiled; only the others are worked out for each outcome.
Scores are whole numbers: a weight counts in thousandths.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from simsorry import rng
from simsorry.games.classic import tables as t
from simsorry.games.classic.moves import BACKWARD, MOVE, STARTING, SWAP, TAKE
from simsorry.jit import inner, small
from simsorry.lanes import TOPS, below, count, equal, filled, get, spread

U = np.uint64
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

POLICY = np.dtype(
    [
        ("weighted", np.uint64),  # 0: choose at random
        ("uses_leader", np.uint64),
        ("uses_danger", np.uint64),
        ("own", np.int64, (t.ROW_STRIDE,)),
        ("foe", np.int64, (t.ROW_STRIDE,)),
        ("leader", np.int64, (t.ROW_STRIDE,)),
        ("event", np.int64, (16,)),
        ("danger", np.int64, (8,)),
    ],
    align=True,
)

_0, _1, _2, _3, _4, _5, _6, _7 = U(0), U(1), U(2), U(3), U(4), U(5), U(6), U(7)
_8, _12, _13, _15, _16, _24, _60, _61, _65, _73, _120 = U(8), U(12), U(13), U(15), U(16), U(24), U(60), U(61), U(65), U(73), U(120)
_BYTE, TRACK, START = U(255), U(t.TRACK), U(t.START)


def compile_policy(weights: Mapping[str, float]) -> np.ndarray:
    """A policy's weights as one record for the kernel; all zero means uniform over distinct outcomes."""
    policy = np.zeros(1, POLICY)
    record = policy[0]
    for feature in FEATURES:
        weight = weights.get(feature.name, 0.0) * SCALE
        if feature.group == "event":
            record["event"][_EVENTS.index(feature.name)] = round(weight)
        elif feature.group == "danger":
            record["danger"][_DANGERS.index(feature.name)] = round(weight)
        else:
            assert feature.value is not None
            for place in range(t.START + 1):
                record[feature.group][place] += round(weight * feature.value(place))
    record["uses_leader"] = bool(record["leader"].any())
    record["uses_danger"] = bool(record["danger"].any())
    record["weighted"] = any(record[part].any() for part in ("own", "foe", "leader", "event", "danger"))
    return policy


@small
def pawns_value(values, word, wide):
    """Sum of a table over the pawns of a word."""
    total = values[get(word, _0)] + values[get(word, _1)] + values[get(word, _2)] + values[get(word, _3)]
    if wide != _0:
        total += values[get(word, _4)] + values[get(word, _5)] + values[get(word, _6)] + values[get(word, _7)]
    return total


@small
def togo_of(R, word):
    """Squares the pawns of a color still have to go."""
    total = U(R.togo[get(word, _0)]) + U(R.togo[get(word, _1)]) + U(R.togo[get(word, _2)]) + U(R.togo[get(word, _3)])
    if R.wide != _0:
        total += U(R.togo[get(word, _4)]) + U(R.togo[get(word, _5)]) + U(R.togo[get(word, _6)]) + U(R.togo[get(word, _7)])
    return total


@small
def find_leader(R, p1, p2, p3):
    """Which opponent (1 to 3 colors clockwise) has the least to go; the next to play among equals; 0 if there is none."""
    best = U(1 << 40)
    leader = _0
    for d in range(1, 4):
        word = p1 if d == 1 else p2 if d == 2 else p3
        if get(word, _0) != U(t.NOWHERE):
            togo = togo_of(R, word)
            if togo < best:
                best = togo
                leader = U(d)
    return leader


@small
def in_frame(word, other):
    """Another color's pawns on the track as places of this color; the rest become 120, which no distance reaches."""
    on_track = spread(below(word, TRACK))
    moved = (word & on_track) + filled(_15 * other)
    over = spread(TOPS & ~below(moved, TRACK))
    moved -= over & filled(TRACK)
    return (moved & on_track) | (filled(_120) & ~on_track)


@small
def behind(place, theirs):
    """How many of their pawns stand 1 to 12 squares behind a track place."""
    on_track = spread(below(theirs, TRACK))
    distance = filled(place + _60) - (theirs & on_track)  # 1..12 or 61..72 is behind; never negative
    near = below(distance, _13) & ~below(distance, _1)
    wrapped = below(distance, _73) & ~below(distance, _61)
    return count((near | wrapped) & on_track)


@small
def ahead(place, theirs):
    """How many of their pawns stand 1 to 12 squares ahead of a track place."""
    on_track = spread(below(theirs, TRACK))
    distance = ((theirs & on_track) + filled(_60)) - filled(place)
    near = below(distance, _13) & ~below(distance, _1)
    wrapped = below(distance, _73) & ~below(distance, _61)
    return count((near | wrapped) & on_track)


@inner
def danger_value(R, P, w0, w1, w2, w3):
    """The weighed features that look at pairs of pawns."""
    f1, f2, f3 = in_frame(w1, _1), in_frame(w2, _2), in_frame(w3, _3)
    waiting1, waiting2, waiting3 = equal(w1, START) != _0, equal(w2, START) != _0, equal(w3, START) != _0
    exposed, exposure, stake, targets, starters = _0, _0, _0, _0, _0
    for k in range(R.pawns):
        place = get(w0, U(k))
        if place >= TRACK:
            continue
        chasers = behind(place, f1) + behind(place, f2) + behind(place, f3)
        if chasers != _0:
            exposed += _1
            exposure += chasers
            stake += _65 - U(R.togo[place])
        targets += ahead(place, f1) + ahead(place, f2) + ahead(place, f3)
        starters += U(waiting1 and place - _15 <= _12) + U(waiting2 and place - U(30) <= _12) + U(waiting3 and place - U(45) <= _12)
    return (
        P.danger[_0] * np.int64(exposed)
        + P.danger[_1] * np.int64(exposure)
        + P.danger[_2] * np.int64(stake)
        + P.danger[_3] * np.int64(targets)
        + P.danger[_4] * np.int64(starters)
    )


@small
def event_value(P, action, events):
    """The weighed features of the action itself."""
    kind = action & _7
    value = (
        P.event[_0] * np.int64((events & _BYTE) + ((events >> _8) & _BYTE))
        + P.event[_1] * np.int64((events >> _16) & _BYTE)
        + P.event[_2] * np.int64((events >> _24) & _BYTE)
    )
    if kind == MOVE:
        if (action >> _3) & _7 > _1:
            value += P.event[_6]
        else:
            row = (action >> _16) & U(63)
            if row >= BACKWARD and row < U(t.PAST):
                value += P.event[_7]
    elif kind == STARTING:
        value += P.event[_3]
    elif kind == SWAP:
        value += P.event[_4]
    elif kind == TAKE:
        value += P.event[_5]
    else:
        value += P.event[_8]
    return value


@inner
def best_outcome(R, P, X, n, p1, p2, p3, luck):
    """The outcome with the highest score among the first n; equals are drawn for with the random word."""
    base1, base2, base3 = pawns_value(P.foe, p1, R.wide), pawns_value(P.foe, p2, R.wide), pawns_value(P.foe, p3, R.wide)
    leader = find_leader(R, p1, p2, p3) if P.uses_leader != _0 else _0
    best = np.int64(-(1 << 62))
    chosen = _0
    ties = _1
    for i in range(n):
        at = U(i) << _2
        w0, w1, w2, w3 = X.result[at], X.result[at + _1], X.result[at + _2], X.result[at + _3]
        score = pawns_value(P.own, w0, R.wide) + event_value(P, X.action[U(i)], X.events[U(i)])
        score += base1 if w1 == p1 else pawns_value(P.foe, w1, R.wide)
        score += base2 if w2 == p2 else pawns_value(P.foe, w2, R.wide)
        score += base3 if w3 == p3 else pawns_value(P.foe, w3, R.wide)
        if leader != _0:
            score += pawns_value(P.leader, w1 if leader == _1 else w2 if leader == _2 else w3, R.wide)
        if P.uses_danger != _0:
            score += danger_value(R, P, w0, w1, w2, w3)
        if score > best:
            best = score
            chosen = U(i)
            ties = _1
        elif score == best:
            ties += _1
            if rng.below(rng.word(luck, U(i)), ties) == _0:
                chosen = U(i)
    return chosen
