"""One decision for people: the distinct outcomes of a card in a position, and what was done to get there."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from simsorry.errors import SimsorryError
from simsorry.games.classic import kernel, moves, notation
from simsorry.games.classic import tables as t
from simsorry.games.classic.rules import CARDS, COLORS, Rules


class Outcome(NamedTuple):
    """One distinct outcome."""

    position: str  # the placement, in the one-line notation
    did: str  # what was done to get there, in plain words
    kind: str  # "play", "pass", or "blocked" where an own pawn ends the turn
    compulsory: bool  # False if it may be declined


class Decision(NamedTuple):
    """What one card offers."""

    color: str
    card: str
    outcomes: tuple[Outcome, ...]  # empty: nothing is possible and the card is forfeited
    compulsory: bool  # whether some outcome must be taken
    may_pass: bool


@lru_cache(maxsize=256)
def _compiled(rules: "HashableRules", players: int) -> np.ndarray:
    return t.compile_rules(rules.rules, players)


class HashableRules:
    """Rules as a key of a cache: equal when they are the same object."""

    __slots__ = ("rules",)

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HashableRules) and other.rules is self.rules


_SCRATCH: list[np.ndarray] = []


def _scratch() -> np.ndarray:
    if not _SCRATCH:
        _SCRATCH.append(kernel.new_scratch())
    return _SCRATCH[0]


def card_number(card: object) -> int:
    """A card's number; raises SimsorryError."""
    name = str(card).strip().lower().rstrip("!")
    if name not in CARDS:
        raise SimsorryError(f"card {str(card)[:40]!r} is not in the deck; the cards are {', '.join(CARDS)}")
    return CARDS.index(name)


def decide(rules: Rules, seated: Sequence[str], position: Mapping[str, Sequence[Any]], color: str, card: object) -> Decision:
    """The full set of distinct outcomes of ``card`` for ``color``.

    ``position`` maps each color to its pawns' written places; raises SimsorryError for anything impossible.
    """
    if color not in seated:
        raise SimsorryError(f"seat {color!r} does not play here; the players are {', '.join(seated)}")
    number = card_number(card)
    rules = rules if not rules.seat_colors or rules.seat_colors == tuple(seated) else rules.model_copy(update={"seat_colors": tuple(seated)})
    tables = _compiled(HashableRules(_seated_rules(rules, tuple(seated))), len(seated))
    words = notation.to_words(position, rules, seated)
    scratch = _scratch()
    scratch[0]["overflow"] = 0
    n = int(kernel.outcomes_of(tables, scratch, np.uint64(COLORS.index(color)), np.uint64(number), words))
    if scratch[0]["overflow"]:
        raise SimsorryError(f"this decision has more than {moves.CAPACITY} outcomes")
    return _told(tables, scratch, n, words, color, CARDS[number], tuple(seated))


@lru_cache(maxsize=256)
def _seated(key: HashableRules, seated: tuple[str, ...]) -> Rules:
    if seated == t.DEFAULT_SEATS.get(len(seated)) and not key.rules.seat_colors:
        return key.rules
    return key.rules.model_copy(update={"seat_colors": seated})


def _seated_rules(rules: Rules, seated: tuple[str, ...]) -> Rules:
    return _seated(HashableRules(rules), seated)


def _told(
    tables: np.ndarray, scratch: np.ndarray, n: int, words: np.ndarray, color: str, card: str, seated: tuple[str, ...]
) -> Decision:
    record = scratch[0]
    mover = COLORS.index(color)
    actions, results = record["action"][:n].tolist(), record["result"][: 4 * n].tolist()
    before = [int(word) for word in words]
    must = tables[0]["must_move"] and record["compulsory"] > 0
    outcomes = []
    for i, action in enumerate(actions):
        after = [results[4 * i + (c - mover) % 4] for c in range(4)]
        kind = {int(moves.PASS): "pass", int(moves.BLOCKED): "blocked"}.get(action & 7, "play")
        compulsory = kind != "pass" and bool(must) and not action & int(moves.OPTIONAL)
        did = describe(tables, action, before, after, mover)
        outcomes.append(Outcome(notation.to_text(after, seated), did, kind, compulsory))
    may_pass = bool(outcomes) and outcomes[-1].kind == "pass"
    return Decision(color, card, tuple(outcomes), bool(must), may_pass)


def _lane(word: int, lane: int) -> int:
    return word >> (8 * lane) & 255


def describe(tables: np.ndarray, action: int, before: Sequence[int], after: Sequence[int], mover: int) -> str:
    """What an action did, in plain words; ``before`` and ``after`` are words by color."""
    kind = action & 7
    if kind == int(moves.PASS):
        return "passes"
    if kind == int(moves.BLOCKED):
        return "ends the turn on a square where an own pawn stands"
    told = "; ".join(_told_parts(tables, action, before, after, mover))
    back = _sent_back(before, after, action, mover)
    return f"{told}; sends back {' and '.join(back)}" if back else told


def _told_parts(tables: np.ndarray, action: int, before: Sequence[int], after: Sequence[int], mover: int) -> list[str]:
    if action & 7 in (int(moves.SWAP), int(moves.TAKE)):
        return [_told_exchange(action, before, after, mover)]
    parts = action >> 3 & 7
    rows = []
    for i in range(parts):
        part = action >> (8 + 8 * i) & 255
        row = action >> 16 & 63 if parts == 1 else (part >> 3 & 7) + (t.PAST if part >> 6 & 1 else 0)
        rows.append((part & 7, row))
    return [_told_row(tables, before[mover], lane, row, mover) for lane, row in rows]


def _told_row(tables: np.ndarray, word: int, lane: int, row: int, mover: int) -> str:
    record = tables[0]
    start = _lane(word, lane)
    if row == t.OUT:
        return f"{COLORS[mover]} starts a pawn on {notation.place_name(0, mover)}"
    target = int(record["target"][row * t.ROW_STRIDE + start])
    rides = t.BACKWARD > row or row >= t.PAST or record["slide_on_backward"]
    squares = int(record["ride"][mover * t.ROW_STRIDE + target]) if target < t.TRACK and rides else 0
    way = "back" if t.BACKWARD < row < t.PAST else "forward"
    text = f"{COLORS[mover]} {way} {row % 16} from {notation.place_name(start, mover)} to {notation.place_name(target, mover)}"
    if row > t.PAST:
        text += " past its own safety zone"
    if squares:
        text += f" and slides to {notation.place_name((target + squares) % t.TRACK, mover)}"
    return text


def _told_exchange(action: int, before: Sequence[int], after: Sequence[int], mover: int) -> str:
    lane, second = action >> 8 & 7, action >> 16 & 63
    other = (mover + (second >> 3)) % 4
    square = notation.place_name(_lane(before[other], second & 7), other)
    end = notation.place_name(_lane(after[mover], lane), mover)
    if action & 7 == int(moves.SWAP):
        here = notation.place_name(_lane(before[mover], lane), mover)
        text = f"{COLORS[mover]} on {here} changes places with {COLORS[other]} on {square}"
    else:
        text = f"{COLORS[mover]} takes {COLORS[other]}'s place on {square}"
    return text if end == square else f"{text} and slides to {end}"


def _sent_back(before: Sequence[int], after: Sequence[int], action: int, mover: int) -> list[str]:
    """The pawns that are on START now and were not."""
    swapped = (mover + (action >> 19 & 7)) % 4, action >> 16 & 7
    names = []
    for color in range(4):
        for lane in range(8):
            was, now = _lane(before[color], lane), _lane(after[color], lane)
            if now == t.START and was != t.START:
                where = notation.place_name(was, color)
                if action & 7 == int(moves.SWAP) and (color, lane) == swapped:
                    where = notation.place_name(_lane(before[mover], action >> 8 & 7), mover)
                names.append(f"{COLORS[color]} from {where}")
    return names
