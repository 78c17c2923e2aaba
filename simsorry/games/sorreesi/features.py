"""What a policy can weigh: named features of a use and of the position after it, the pawns put down and no fight rolled for yet.

A score is the sum of weight times feature. What depends on a pawn's place alone is folded into one table of numbers when a policy is
compiled, so that many features take no longer than one. Scores are whole numbers. What other games have too has the same name here.

*In reach* is a chance: that of two dice and a card to make the distance, alone or added up, in whatever way (a further roll
aside), and of a 4 or a 10 to make it backward. The deck is the printed one, and full.

What a game does not have, such as partners, counts nothing there: a policy that weighs nothing else plays like ``random``.
"""

import itertools
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simsorry.games.options import DECKS
from simsorry.games.sorreesi import tables as t
from simsorry.games.weights import (
    EVENT,
    LAPSE_FIELDS,
    LOOK_FIELDS,
    SEATS,
    Feature,
    Share,
    at,
    fill_line_up,
    fill_named,
    fill_shares,
    names_of,
)

STRIDE = t.STRIDE
CHANCES = 1024  # units of a chance
BACK_REACH, REACH = 4, 24  # squares behind and ahead that are looked at
TOGO = 72  # squares from the base to HOME

# Each is a field of LINE_UP; what its shares are multiplied with.
PAWN_TABLES = {
    "own": "own pawns: 1",
    "threat": "own pawns on unsafe squares: the chance of each opponent's pawn to hit it",
    "target": "opponents' pawns on unsafe squares: the chance of each own pawn to hit it",
    "sorry": "own pawns on unsafe squares: the opponents with pawns in the base",
    "foe": "all opponents' pawns: 1",
    "leader": "the leader's pawns: 1",
    "partner": "in team play the partner's pawns: 1, beside what they count as own pawns",
}

_ACTION = "The use"
_FIGHT = "Fights that it begins"
_LEFT = "What is left to spend after it"
_OWN = "Own pawns after it (in team play those of both partners)"
_DANGER = "Danger and chances after it, on the track (in reach: by two dice and a card, a chance from 0 to 1)"
_PARTNER = "The partner's pawns after it, beside what they count as own pawns (without teams all 0)"
_FOES = "Opponents' pawns after it (the leader: who was ahead before it, the finished left out)"


def _progress(place: int) -> float:
    return 0.0 if place == t.BASE else float(TOGO - place)


def _lead(place: int) -> float:
    return _progress(place) * abs(_progress(place)) / TOGO


def _on_track(share: Share) -> Share:
    return lambda place: share(place) if _PATH < place <= _LAST else 0.0


_PATH, _ENTRY, _LAST = 7, 71, 75  # places, on a board with a private path of 7; another counts as if it had as many

FEATURES = (
    Feature("bumps", _ACTION, EVENT, "opponents' pawns sent back to the base, fights aside"),
    Feature("multi_captures", _ACTION, EVENT, "1 if these are several"),
    Feature("partner_bumps", _ACTION, EVENT, "the partner's pawns sent back by a Sorry! card"),
    Feature("partner_moves", _ACTION, EVENT, "1 if a pawn of the partner is moved"),
    Feature("starts", _ACTION, EVENT, "1 if dice or a number card bring a pawn out of the base"),
    Feature("takes", _ACTION, EVENT, "1 if a Sorry! card puts a pawn in an opponent's place"),
    Feature("swaps", _ACTION, EVENT, "1 if an 11 changes places"),
    Feature("splits", _ACTION, EVENT, "1 if a 7 is split"),
    Feature("backs", _ACTION, EVENT, "1 if a card moves a pawn backward"),
    Feature("hops", _ACTION, EVENT, "1 if several counts are added up"),
    Feature("passes", _ACTION, EVENT, "1 if the player stops"),
    Feature("pawns_behind", _ACTION, EVENT, "own pawns farther back than the one moved forward (split 7: the rearmost one)"),
    Feature("safe_left", _ACTION, EVENT, "1 if the pawn moved leaves a safe square of the track"),
    Feature("safe_reached", _ACTION, EVENT, "1 if the pawn moved comes to a safe square of the track"),
    Feature("bonus_earned", _ACTION, EVENT, "squares of bonus moves earned, fights aside"),
    Feature("fights", _FIGHT, EVENT, "fights to come"),
    Feature("fight_risk", _FIGHT, EVENT, "chance to lose each, times the progress of the own pawns on its square"),
    Feature("fight_gain", _FIGHT, EVENT, "chance to win each, times the progress of the opponents' pawns on its square"),
    Feature("dice_left", _LEFT, EVENT, "dice unspent"),
    Feature("card_left", _LEFT, EVENT, "1 if the card is unspent"),
    Feature("bonus_left", _LEFT, EVENT, "squares of bonus moves unspent, but for those lost"),
    Feature("bonus_lost", _LEFT, EVENT, "squares of bonus moves lost because the turn is ended"),
    Feature("progress", _OWN, "own", "squares come from the base: 1 on the entry square, 72 on HOME, fewer than 1 behind it", _progress),
    Feature("lead", _OWN, "own", "squared progress of each pawn over 72: large if one is far ahead of the others", _lead),
    Feature("in_start", _OWN, "own", "pawns in the base", at(t.BASE)),
    Feature("on_circle", _OWN, "own", "pawns on the own entry square", at(_ENTRY)),
    Feature(
        "short_cut", _OWN, "own", "pawns on the 4 squares behind the own entry square, whence a 4 back is a short cut",
        at(*range(_ENTRY + 1, _LAST + 1)),
    ),
    Feature("on_track", _OWN, "own", "pawns on the track", _on_track(lambda _: 1.0)),
    Feature("on_safe", _OWN, EVENT, "pawns on safe squares of the track"),
    Feature("in_zone", _OWN, "own", "pawns on the private path", at(*range(1, _PATH + 1))),
    Feature("home", _OWN, "own", "pawns on HOME", at(t.HOME)),
    Feature("threats", _DANGER, "threat", "own pawns on unsafe squares in reach, over all opponents' pawns", lambda _: 1.0),
    Feature("stake", _DANGER, "threat", "squares at risk: the progress of these own pawns", _progress),
    Feature("targets", _DANGER, "target", "opponents' pawns on unsafe squares in reach, over all own pawns", lambda _: 1.0),
    Feature("sorry_risk", _DANGER, "sorry", "own progress on unsafe squares, times the opponents with pawns in the base", _progress),
    Feature("foe_progress", _FOES, "foe", "squares come by all opponents' pawns", _progress),
    Feature("foe_lead", _FOES, "foe", "squared progress of each over 72", _lead),
    Feature("foe_in_start", _FOES, "foe", "opponents' pawns in the base", at(t.BASE)),
    Feature("leader_progress", _FOES, "leader", "squares come by the leader's pawns", _progress),
    Feature("leader_lead", _FOES, "leader", "squared progress of each of the leader's pawns over 72", _lead),
    Feature("leader_in_start", _FOES, "leader", "the leader's pawns in the base", at(t.BASE)),
    Feature("partner_progress", _PARTNER, "partner", "squares come from the base", _progress),
    Feature("partner_lead", _PARTNER, "partner", "squared progress of each over 72", _lead),
    Feature("partner_in_start", _PARTNER, "partner", "pawns in the base", at(t.BASE)),
    Feature("partner_home", _PARTNER, "partner", "pawns on HOME", at(t.HOME)),
)  # fmt: skip
EVENTS = names_of(FEATURES, EVENT)
EVENT_STRIDE = 32

# -- what is in reach --------------------------------------------------------------------------------


@cache
def _chances() -> NDArray[np.int64]:
    """By distance ahead, from 4 behind on: the chance that two dice and a card make it, in units of 1/1024."""
    deck = [card for card, copies in DECKS["deck_45"].items() for _ in range(copies)]
    hits = np.zeros(BACK_REACH + REACH + 1)
    for one, other, card in itertools.product(range(1, 7), range(1, 7), deck):
        counts = [one, other, *([int(card)] if card not in ("4", "sorry") else [])]
        made = {sum(some) for size in range(1, len(counts) + 1) for some in itertools.combinations(counts, size)}
        made |= {-4} if card == "4" else {-1} if card == "10" else set()
        hits[[BACK_REACH + distance for distance in made]] += 1
    return np.round(hits / (36 * len(deck)) * CHANCES).astype(np.int64)


# -- policies for the kernel ---------------------------------------------------------------------------

# The policies of a whole table in one record. Each seat has a row in every table; equal policies share one, for speed.
LINE_UP = np.dtype(
    [
        ("weighted", np.uint64, (SEATS,)),  # by seat; 0: choose at random; FALLIBLE: careless at times
        *LAPSE_FIELDS,
        *LOOK_FIELDS,
        ("row", np.uint64, (SEATS,)),  # where the seat's rows begin in the tables over pawns; a quarter of it in that of events
        *((f"uses_{what}", np.uint64, (SEATS,)) for what in ("events", "leader", "pairs", "sorry", "safe")),
        ("event", np.int64, (SEATS * EVENT_STRIDE,)),
        *((table, np.int64, (SEATS * STRIDE,)) for table in PAWN_TABLES),
        ("chance", np.int64, (2 * STRIDE,)),  # by distance ahead plus STRIDE, for every policy the same
    ],
    align=True,
)


def compile_line_up(policies: Sequence[Mapping[str, float]]) -> np.ndarray:
    """The weights of the policy on each table seat as one record for the kernel: a 1-element array of ``LINE_UP``.

    Weights are by feature name, missing ones count 0; all zero means uniform over distinct outcomes.
    """
    line_up = np.zeros(1, LINE_UP).view(np.recarray)
    record = line_up[0]
    chances = _chances()
    record["chance"][STRIDE - BACK_REACH : STRIDE + REACH + 1] = chances
    # Who stands behind the entry square goes back around the lap, onto a square that lies nearly a lap ahead.
    record["chance"][STRIDE + t.TRACK - BACK_REACH : STRIDE + t.TRACK] = chances[:BACK_REACH]
    fill_line_up(record, policies, FEATURES, _fill_row, _fill_seat, (t.BASE, t.HOME))
    return line_up


def _fill_row(record: Any, row: int, weights: Mapping[str, float]) -> None:
    """Writes a policy into the tables, features of one group on top of each other."""
    fill_named(record, EVENT, row * EVENT_STRIDE, FEATURES, weights)
    fill_shares(record, row * STRIDE, range(t.BASE + 1), FEATURES, weights)


def _fill_seat(record: Any, seat: int, row: int, _weights: Mapping[str, float]) -> None:
    """Gives a seat its policy, and says which tables of it hold anything at all."""
    uses = {table: bool(record[table][row * STRIDE : (row + 1) * STRIDE].any()) for table in PAWN_TABLES}
    events = record["event"][row * EVENT_STRIDE : (row + 1) * EVENT_STRIDE]
    record["weighted"][seat] = bool(events.any()) or any(uses.values())
    record["row"][seat] = row * STRIDE
    record["uses_events"][seat] = bool(events.any())
    record["uses_leader"][seat] = uses["leader"]
    record["uses_pairs"][seat] = uses["threat"] or uses["target"]
    record["uses_sorry"][seat] = uses["sorry"]
    record["uses_safe"][seat] = bool(events[EVENTS.index("on_safe")])
