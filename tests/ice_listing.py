"""Single decisions of Ice Soo Sorry!: the engine's list of outcomes, and random decisions in crowded positions to ask for."""

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from ice_tools import changed, kind_of, position, random_rules, set_hand, set_position
from numpy.typing import NDArray
from referee import ice as referee

from simsorry.games import ice
from simsorry.games.ice import queries
from simsorry.games.ice import tables as t
from simsorry.games.ice.rules import Rules
from simsorry.games.options import CARDS, COLORS
from simsorry.games.seating import DEFAULT_SEATS

U = np.uint64
SEATED = DEFAULT_SEATS
WAYS = ("start", "forward", "past", "back", "split", "switch", "sorry")  # what the referee calls the engine's actions that move pawns
ANY_CARD = referee.ANY_CARD
CARD_WEIGHTS = [3, 2, 2, 3, 1, 9, 1, 3, 5, 1, 4]  # the cards with more to them come more often


# -- what an action is -------------------------------------------------------------------------------------


def _part(action: int, number: int) -> tuple[int, int, int, int]:
    """Place, pawns, squares, and whether the entry is passed, of a part of an action."""
    part = action >> 8 + 18 * number
    return part & 127, part >> 7 & 63, part >> 13 & 15, part >> 17 & 1


def details_of(action: int) -> tuple[Any, ...]:
    """What an action does, as the referee's ways have it."""
    way = WAYS[action & 15]
    if way == "start":
        return (action >> 8 & 3,)
    if way == "sorry":
        return action >> 8 & 3, action >> 10 & 127
    if way == "switch":
        return action >> 8 & 127, action >> 15 & 63, action >> 21 & 127, action >> 28 & 63
    if way == "split":
        return tuple((*_part(action, number)[:3], bool(_part(action, number)[3])) for number in (0, 1))
    return _part(action, 0)[:3]


# -- the key of a placement ---------------------------------------------------------------------------------


def key_of(tables: NDArray[Any], x: Any) -> int:
    """The key of the whole placement in the engine's memory, worked out from the board."""
    r, total = tables[0], 0
    for place in np.flatnonzero(x["height"][: t.PLACES]).tolist():
        for level in range(int(x["height"][place])):
            code = int(x["piece"][t.LEVELS * place + level])
            total += int(r["place_key"][place]) * int(r["level_key"][level]) * int(r["code_key"][code])
    for at in range(16):
        total += int(x["start"][at]) * int(r["start_key"][at]) + int(x["home"][at]) * int(r["home_key"][at])
    return total % 2**64


# -- questions and answers ----------------------------------------------------------------------------------


class Question(NamedTuple):
    """Somebody's decision: about a card drawn, or about a hand, oldest card first."""

    rules: Rules
    seated: tuple[str, ...]
    position: referee.Position
    color: str
    card: str | None = None
    hand: tuple[str, ...] = ()
    followup: bool = False
    drawn: str | None = None
    first_turn: bool = False

    def __str__(self) -> str:
        about = self.card or f"hand {' '.join(self.hand)}, followup {self.followup}, drawn {self.drawn}, first turn {self.first_turn}"
        return f"{self.color} with {about} in {referee.write_position(self.position)!r}, {changed(self.rules)}"

    @property
    def decision(self) -> referee.Decision:
        """The referee's answer."""
        if self.card is not None:
            return referee.outcomes(self.rules, self.seated, self.color, self.position, self.card)
        more: dict[str, Any] = {"followup": self.followup, "drawn": self.drawn, "first_turn": self.first_turn}
        return referee.hand_outcomes(self.rules, self.seated, self.color, self.position, self.hand, **more)


class Listed(NamedTuple):
    """An outcome as the engine lists it."""

    action: int
    kind: str  # play, pass, throw or idle
    card: str  # of the hand, "" for a pass; or the card drawn
    position: referee.Position
    slides: int

    @property
    def text(self) -> str:
        """The placement afterwards."""
        return referee.write_position(self.position)

    @property
    def way(self) -> str:
        """How pawns are moved."""
        return WAYS[self.action & 15]

    @property
    def optional(self) -> bool:
        return bool(self.action & 16)


class Lister:
    """The engine at one table, asked for single decisions."""

    def __init__(self, rules: Rules, seated: Sequence[str]) -> None:
        if tuple(seated) != (rules.seat_colors or DEFAULT_SEATS[len(seated)]):
            rules = rules.model_copy(update={"seat_colors": tuple(seated)})
        self.rules, self.seated = rules, tuple(seated)
        self.tables = ice.compile_rules(rules, len(seated))
        self.scratch = ice.new_scratch()

    def fill(self, question: Question) -> int:
        """Lists a decision in the scratch record; returns the number of outcomes."""
        x, seat = self.scratch[0], self.seated.index(question.color)
        set_position(self.scratch, question.position)
        queries.take_position(self.tables, self.scratch)
        set_hand(self.scratch, seat, question.hand)
        x["now_card"] = CARDS.index(question.card) if question.card else 0
        x["again"] = question.followup
        x["drawn"] = CARDS.index(question.drawn) if question.drawn else 15
        x["turns_had"][seat] = not question.first_turn
        n = int(queries.plays_of(self.tables, self.scratch, U(seat)))
        assert not x["overflow"]
        return n

    def ask(self, question: Question) -> list[Listed]:
        """Every outcome of a decision. Each is carried out and taken back, and its key compared with what is on the board."""
        n = self.fill(question)
        before, key = self._board(), key_of(self.tables, self.scratch[0])
        found = [self._listed(number, question, key) for number in range(n)]
        assert all((now == then).all() for now, then in zip(self._board(), before, strict=True)), f"not taken back: {question}"
        return found

    def _listed(self, number: int, question: Question, key: int) -> Listed:
        x, seat = self.scratch[0], U(self.seated.index(question.color))
        change = int(queries.show_play(self.tables, self.scratch, seat, U(number)))
        assert (key + change) % 2**64 == key_of(self.tables, x), f"key of outcome {number}: {question}"
        after = position(self.scratch, self.seated)
        queries.take_back(self.scratch)
        action, card = int(x["action"][number]), int(x["card"][number])
        kind = kind_of(action)
        name = CARDS[card] if card < len(CARDS) else ANY_CARD if kind == "throw" else ""
        return Listed(action, kind, name, after, int(x["ridden"][number]) & 3)

    def _board(self) -> list[NDArray[Any]]:
        """All that says where pawns stand."""
        x = self.scratch[0]
        pieces = x["piece"].reshape(-1, t.LEVELS) * (np.arange(t.LEVELS) < x["height"][: t.PLACES, None])
        return [np.array(part) for part in (pieces, x["height"], x["start"], x["home"], x["occupied"])]


# -- random decisions ----------------------------------------------------------------------------------------

PIECES = [(1, 1, 1), (2, 1, 1), (0, 2, 2), (2, 2, 2), (3, 2, 1), (3, 3, 3), (5, 5, 5)]
PIECES_WEIGHTS = [3, 3, 2, 4, 3, 2, 1]
TRIANGLES = [triangle + 15 * side for side in range(4) for triangle in (1, 9)]
ENTRIES = {color: 2 + 15 * number for number, color in enumerate(COLORS)}


def dense_position(luck: random.Random, rules: Rules, seated: Sequence[str]) -> referee.Position:
    """Piles near each other, on and about slides and before the entries, of any pawns in any order."""
    begin, width = luck.randrange(60), luck.choice((4, 8, 16, 60))
    order = [(color, size) for color in seated for size, count in zip("sml", rules.pieces, strict=True) for _ in range(count)]
    luck.shuffle(order)
    found: referee.Position = {color: [] for color in seated}
    for color, size in order:
        where = _some_place(luck, color, begin, width)
        if where in "SH":
            found[color].append(f"{where}:{size}")
        else:
            found.setdefault(where, []).append(color[0] + size)
    return {where: pawns if where in COLORS else _flagged(luck, rules, pawns) for where, pawns in found.items()}


def _some_place(luck: random.Random, color: str, begin: int, width: int) -> str:
    kind = luck.random()
    if kind < 0.16:
        return "S" if kind < 0.11 else "H"
    if kind < 0.26:
        return f"{color} Z{luck.randint(1, 5)}"
    if kind < 0.36:  # about the entry and the start circle
        return str((ENTRIES[color] + luck.randint(-9, 4)) % 60)
    if kind < 0.42:  # where others turn in
        return str(luck.choice(list(ENTRIES.values())))
    if kind < 0.54:  # on a slide, or just before one
        return str((luck.choice(TRIANGLES) + luck.randint(-3, 4)) % 60)
    return str((begin + luck.randrange(width)) % 60)


def _flagged(luck: random.Random, rules: Rules, pile: list[str]) -> list[str]:
    """A pile in which some pawns do the reverse of what their sizes say, where rules bring that about."""
    if rules.ice_contact_piece == "bottom":
        return pile
    signs = [">="["sml".index(upper[1]) > "sml".index(lower[1])] for lower, upper in pairwise(pile)]
    return pile[:1] + [pawn + sign * (luck.random() < 0.3) for pawn, sign in zip(pile[1:], signs, strict=True)]


def some_card(luck: random.Random) -> str:
    """A card, those with more to them more often."""
    return luck.choices(CARDS, CARD_WEIGHTS)[0]


def some_question(luck: random.Random, most: int = 8, **fixed: Any) -> Question:
    """A decision under any rules."""
    fixed = {"pieces": luck.choices(PIECES, PIECES_WEIGHTS)[0]} | fixed
    rules = random_rules(luck, most, **{"match_end": "single_round"} | fixed)
    seated = rules.seat_colors or SEATED[luck.choice((2, 3, 4))]
    question = Question(rules, seated, dense_position(luck, rules, seated), luck.choice(seated))
    if not rules.hand_size:
        return question._replace(card=some_card(luck))
    hand = tuple(luck.choice((some_card(luck), luck.choice(CARDS))) for _ in range(luck.randint(1, min(3, rules.hand_size))))
    followup = rules.two_in_hand != "none" and luck.random() < 0.4
    drawn = luck.choice(hand) if followup and rules.two_in_hand == "play_drawn" else None
    return question._replace(hand=hand, followup=followup, drawn=drawn, first_turn=luck.random() < 0.3)


# -- the board turned -------------------------------------------------------------------------------------------


def turned(places: Mapping[str, Sequence[str]], steps: int) -> referee.Position:
    """A position with the board turned by so many sides, and the colors with it."""
    names = {color: COLORS[(number + steps) % 4] for number, color in enumerate(COLORS)}
    initials = {color[0]: other[0] for color, other in names.items()}
    found: referee.Position = {}
    for place, pawns in places.items():
        color, _, zone = place.partition(" ")
        if place in COLORS:
            found[names[place]] = list(pawns)
            continue
        where = f"{names[color]} {zone}" if zone else str((int(place) + 15 * steps) % 60)
        found[where] = [initials[pawn[0]] + pawn[1:] for pawn in pawns]
    return found
