"""What a player of Ice Soo Sorry! may do with the card drawn, or with a hand: every action, each on a board of its own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from referee.board import Target, backward_target, circle, entry, forward_targets, squares_to_go
from referee.decisions import ANY_CARD
from referee.ice_board import (
    Board,
    Group,
    Pawn,
    Place,
    Position,
    Ride,
    carried_past_entry,
    changes_of,
    home,
    number_of,
    of_color,
    read_position,
    squares_to_entry,
    start,
    walked,
)
from simsorry.games.ice.rules import SIZES, Rules
from simsorry.games.options import CARDS

FORWARD = {"1": 1, "2": 2, "3": 3, "5": 5, "7": 7, "8": 8, "10": 10, "11": 11, "12": 12}
KINDS = ("start", "forward", "past", "back", "split", "switch", "sorry")  # plainest first
SEVEN = 7

Details = tuple[Any, ...]


class Part(NamedTuple):
    """What one part of a play did: of a 7 there may be two.

    ``kind`` is one of ``KINDS``, ``group`` the pawns that the player moved, lowest first (of a switch the own pawn alone), ``carried``
    how many of them are other colors'; ``at`` where they, or the own ones of them, came to rest, ``rests`` whether the lowest of them
    covers or is stacked on what is beneath it there (not after a switch), ``homes`` how many reached HOME.
    """

    kind: str
    group: Group
    at: Place
    ride: Ride = Ride()
    carried: int = 0
    rests: str = ""
    homes: int = 0


class Way(NamedTuple):
    """One action: the board it leads to, its parts in order, whether it could be refused, and what tells it from others of its kind."""

    kind: str
    board: Board
    parts: tuple[Part, ...]
    details: Details
    compulsory: bool = True

    @property
    def slides(self) -> int:
        """Slides ridden."""
        return sum(part.ride.squares > 0 for part in self.parts)

    @property
    def plainness(self) -> tuple[Any, ...]:
        """Sorts the plainest of the actions that lead to the same first."""
        pawns = 2 if self.kind == "switch" else sum(len(part.group) for part in self.parts)
        return self.slides, len(self.parts), pawns, KINDS.index(self.kind), self.details


# -- movers and moves ------------------------------------------------------------------------------------


class Walk(NamedTuple):
    """A count for the pawns on top of a place: how many of them, by how many squares, and to where; kind is forward, past or back."""

    kind: str
    place: Place
    pawns: int
    squares: int
    target: Place


def movers(board: Board, color: str) -> Iterator[tuple[Place, int]]:
    """The places from which a player can move, with the number of pawns: the top one, or all of the unit."""
    for place, pile in board.squares():
        if pile[-1].color != color:
            continue
        yield place, 1
        if len(board.unit(place)) > 1:
            yield place, len(board.unit(place))


def walks_forward(board: Board, color: str, count: int) -> Iterator[Walk]:
    """Every forward move by a count, around for another lap too where the rules allow it."""
    for place, pawns in movers(board, color):
        for target in forward_targets(board.rules, color, walked(place), count):
            yield _forward(color, place, pawns, count, target)


def _forward(color: str, place: Place, pawns: int, count: int, target: Target) -> Walk:
    return Walk("past" if target.past_entry else "forward", place, pawns, count, of_color(color, target.place))


def walks_back(board: Board, color: str, count: int) -> Iterator[Walk]:
    """Every backward move by a count."""
    for place, pawns in movers(board, color):
        target = backward_target(board.rules, color, walked(place), count)
        if target is not None:
            yield Walk("back", place, pawns, count, of_color(color, target))


def walk(board: Board, color: str, step: Walk) -> Part | None:
    """Makes a move on a board; None, and nothing is moved, where the rules bar it."""
    rules = board.rules
    group = board.pile(step.place)[-step.pawns :]
    carried = sum(pawn.color != color for pawn in group)
    dropping = carried > 0 and _turns_in(color, step)
    squares = () if step.kind == "back" and not rules.slide_on_backward else board.ride_from(color, step.target)
    if dropping and rules.ice_mixed_stack_zone == "top_only":
        return None
    if rules.ice_stack_home == "top_only" and len(group) > 1 and step.target == home(color):
        return None
    if (
        rules.ice_carry_past_entry == "forbidden"
        and step.kind != "back"
        and _carries_past(rules, color, group, step, dropping, len(squares))
    ):
        return None
    moved = board.lift(step.place, step.pawns)
    if dropping:
        moved = _drop_others(board, color, moved)
    return settle(board, step.kind, group, moved, step.target, squares)


def _turns_in(color: str, step: Walk) -> bool:
    """Whether a move leaves the track for the safety zone."""
    return isinstance(step.place, int) and step.kind == "forward" and step.squares > squares_to_entry(color, step.place)


def _carries_past(rules: Rules, color: str, group: Group, step: Walk, dropping: bool, ridden: int) -> bool:
    """Whether a move takes another color's pawn past that color's entry."""
    if not isinstance(step.place, int):
        return False
    walked_together = step.squares + ridden
    if dropping and rules.ice_mixed_stack_zone == "drop_at_entry":
        walked_together = squares_to_entry(color, step.place)
    others = {pawn.color for pawn in group} - {color}
    return any(carried_past_entry(other, step.place, walked_together) for other in others)


def _drop_others(board: Board, color: str, group: Group) -> Group:
    """Leaves the other colors' pawns behind at the entry, or sends them back to START; the own ones go on."""
    own, others = board.part(group, color)
    if board.rules.ice_mixed_stack_zone == "drop_at_entry":
        board.put_down(entry(color), others)
    else:
        for pawn in others:
            board.put_down(start(pawn.color), (pawn,))
    return own


def settle(board: Board, kind: str, group: Group, moved: Group, place: Place, squares: tuple[int, ...]) -> Part:
    """Puts the pawns moved down on a place, from which they ride over the squares given; ``group`` is what the player moved."""
    board.put_down(place, moved)
    ride = Ride()
    if squares:
        assert isinstance(place, int)
        ride = board.ride(place, moved, squares)
        place = squares[-1]
    color = group[-1].color
    homes = len(moved) if place == home(color) else 0
    carried = sum(pawn.color != color for pawn in group)
    return Part(kind, group, place, ride, carried, board.relation(moved[0], place), homes)


# -- actions ---------------------------------------------------------------------------------------------


def ways_to_play(board: Board, color: str, card: str) -> list[Way]:
    """Every action that a card allows, equal ends included."""
    rules = board.rules
    ways = _starts(board, color, card)
    if card in FORWARD:
        ways += _moves(board, color, walks_forward(board, color, FORWARD[card]))
    if card == "4":
        ways += _moves(board, color, walks_back(board, color, 4))
    if card == "10":
        ways += _moves(board, color, walks_back(board, color, 1), forced=rules.ten_back_forced)
    if card == "7" and rules.seven_parts > 1:
        ways += _splits(board, color)
    if card == "11":
        forward = any(way.compulsory and way.kind == "forward" for way in ways)
        ways += _switches(board, color, forced=rules.eleven_swap_forced or forward)
    if card == "sorry":
        ways += _sorries(board, color)
        if rules.sorry_alt_forward:
            ways += _moves(board, color, walks_forward(board, color, rules.sorry_alt_forward))
    return [way._replace(compulsory=way.compulsory and rules.must_move) for way in ways]


def _waiting(board: Board, color: str, sizes: Iterable[str]) -> list[tuple[int, Pawn]]:
    """A pawn on START of each of these sizes, as far as there are any."""
    inside = board.pile(start(color))
    found = []
    for size in sorted(SIZES.index(size) for size in sizes):
        pawns = [level for level, pawn in enumerate(inside) if pawn.size == size]
        found += [(size, inside[pawns[0]])] if pawns else []
    return found


def _starts(board: Board, color: str, card: str) -> list[Way]:
    ways = []
    for size, pawn in _waiting(board, color, board.rules.start_cards.sizes.get(card, ())):
        after = board.copy()
        after.take_out(start(color), pawn)
        part = settle(after, "start", (pawn,), (pawn,), circle(color), ())
        ways.append(Way("start", after, (part,), (size,)))
    return ways


def _sorries(board: Board, color: str) -> list[Way]:
    rules = board.rules
    sizes = SIZES if rules.ice_sorry_size == "any" else (rules.ice_sorry_size.removesuffix("_only"),)
    ways = []
    for size, pawn in _waiting(board, color, sizes):
        for square in _sorry_targets(board, color):
            after = board.copy()
            after.take_out(start(color), pawn)
            squares = after.ride_from(color, square) if rules.slide_after_sorry else ()
            part = settle(after, "sorry", (pawn,), (pawn,), square, squares)
            ways.append(Way("sorry", after, (part,), (size, square)))
    return ways


def _sorry_targets(board: Board, color: str) -> list[int]:
    found = []
    for place, pile in board.squares():
        looked_at = pile if board.rules.ice_sorry_target == "any_in_pile" else pile[-1:]
        if isinstance(place, int) and any(pawn.color != color for pawn in looked_at):
            found.append(place)
    return found


def _moves(board: Board, color: str, walks: Iterable[Walk], *, forced: bool = True) -> list[Way]:
    ways = []
    for step in walks:
        after = board.copy()
        part = walk(after, color, step)
        if part is not None:
            details = (number_of(step.place), step.pawns, step.squares)
            ways.append(Way(step.kind, after, (part,), details, forced and not _declinable(board.rules, step)))
    return ways


def _declinable(rules: Rules, step: Walk) -> bool:
    return step.kind == "past" and rules.forward_past_entry == "decline_ok"


def _splits(board: Board, color: str) -> list[Way]:
    """A 7 in two parts: the second is judged on the board that the first leaves, and may not move the same pawns once more."""
    ways = []
    for count in range(1, SEVEN):
        for first in walks_forward(board, color, count):
            between = board.copy()
            part = walk(between, color, first)
            if part is None:
                continue
            barred = {part.at} | ({first.place} if board.rules.ice_seven_same_pile == "forbidden" else set())
            for second in walks_forward(between, color, SEVEN - count):
                if second.place not in barred:
                    ways += _second_part(between, color, first, part, second)
    return ways


def _second_part(between: Board, color: str, first: Walk, part: Part, second: Walk) -> list[Way]:
    after = between.copy()
    other = walk(after, color, second)
    if other is None:
        return []
    details = tuple((number_of(step.place), step.pawns, step.squares, step.kind == "past") for step in (first, second))
    refusable = any(_declinable(after.rules, step) for step in (first, second))
    return [Way("split", after, (part, other), details, not refusable)]


# -- switches --------------------------------------------------------------------------------------------


class Slot(NamedTuple):
    """A pawn on the track, and its level in the pile, from 0 at the bottom."""

    square: int
    level: int
    pawn: Pawn


def _switches(board: Board, color: str, *, forced: bool) -> list[Way]:
    slots = [Slot(place, level, pawn) for place, pile in board.squares() if isinstance(place, int) for level, pawn in enumerate(pile)]
    mine, theirs = ([slot for slot in slots if (slot.pawn.color == color) == own] for own in (True, False))
    ways = []
    for own in mine:
        for other in theirs:
            way = _switch(board, own, other, forced) if _may_switch(board.rules, own, other) else None
            ways += [way] if way else []
    return ways


def _may_switch(rules: Rules, own: Slot, other: Slot) -> bool:
    if not rules.ice_swap_same_space and own.square == other.square:
        return False
    return rules.ice_swap_mode != "same_size" or own.pawn.size == other.pawn.size


def _switch(board: Board, own: Slot, other: Slot, forced: bool) -> Way | None:
    after, rules, color = board.copy(), board.rules, own.pawn.color
    if rules.ice_swap_mode == "land_on_top":
        after.take_out(own.square, own.pawn)
        after.take_out(other.square, other.pawn)
        after.put_down(other.square, (own.pawn,))
        after.put_down(own.square, (other.pawn,))
    else:
        after.exchange_slots(own.square, own.pawn, other.square, other.pawn)
    at, ride = other.square, Ride()
    on_top = after.pile(at)[-1] is own.pawn
    squares = after.ride_from(color, at) if on_top and rules.ice_swap_slide == "if_top" else ()
    if squares:
        at, ride = squares[-1], after.ride(at, (own.pawn,), squares)
    if not rules.swap_may_cross_entry and squares_to_go(color, at) > squares_to_go(color, own.square):
        return None
    part = Part("switch", (own.pawn,), at, ride)
    return Way("switch", after, (part,), (own.square, own.level, other.square, other.level), forced)


# -- outcomes and decisions ------------------------------------------------------------------------------


@dataclass
class Outcome:
    """One distinct placement that a card can lead to, with the plainest way to reach it; or what is done instead of playing.

    ``changes`` are the places whose content differs from before, with all that is there afterwards.
    """

    card: str  # that was drawn or leaves the hand
    changes: dict[str, list[str]]
    board: Board
    way: Way | None = None
    compulsory: bool = False
    instead: str = ""  # "pass", "throw" or "idle"; empty where pawns are moved

    @property
    def kind(self) -> str:
        """Play, pass, throw or idle."""
        return self.instead or "play"

    @cached_property
    def text(self) -> str:
        """The placement afterwards."""
        return self.board.text

    def note(self, way: Way) -> None:
        """Takes another way to the same placement into account."""
        self.compulsory = self.compulsory or way.compulsory
        assert self.way is not None
        if way.plainness < self.way.plainness:
            self.way, self.board = way, way.board


@dataclass
class Decision:
    """What a player may do with a card, or with a hand."""

    board: Board
    color: str
    cards: tuple[str, ...]  # the card drawn, or the hand, oldest first
    outcomes: list[Outcome]  # of playing, each placement once a card, and of laying down a 2 idle
    others: list[Outcome]  # what is on offer beside them: a pass, or cards thrown in

    @property
    def nothing_legal(self) -> bool:
        """Whether there is nothing to play."""
        return not self.outcomes

    @property
    def compulsory(self) -> bool:
        """Whether some action must be taken."""
        return any(outcome.compulsory for outcome in self.outcomes)

    @property
    def choices(self) -> list[Outcome]:
        """The decision set: the outcomes of playing, and what is on offer beside them."""
        return self.outcomes + self.others

    @cached_property
    def position(self) -> Position:
        """The placement before."""
        return self.board.position

    def find(self, position: Position | str, kind: str, card: str) -> Outcome:
        """The choice of a kind and a card ("" for a pass of a hand, ``ANY_CARD`` for a random throw) that leads to a position."""
        after = read_position(position) if isinstance(position, str) else position
        wanted = (changes_of(self.position, after), kind, card)
        found = [choice for choice in self.choices if (choice.changes, choice.kind, choice.card) == wanted]
        assert len(found) == 1, f"{self.color} {self.cards} at {self.board.text}: {kind} {card} to {wanted[0]} is not on offer"
        return found[0]


def outcomes(rules: Rules, players: Sequence[str], color: str, position: Mapping[str, Sequence[str]], card: str) -> Decision:
    """The decision of a player who has drawn ``card``; ``players`` are the colors by seat."""
    return decide(Board.of(rules, players, position), color, card)


def hand_outcomes(
    rules: Rules,
    players: Sequence[str],
    color: str,
    position: Mapping[str, Sequence[str]],
    hand: Sequence[str],
    *,
    followup: bool = False,
    drawn: str | None = None,
    first_turn: bool = False,
) -> Decision:
    """The decision of a player with a hand, oldest card first.

    ``followup``: a 2 has brought this further card; ``drawn``: only this card of the hand may be played (``play_drawn``);
    ``first_turn``: it is the player's first.
    """
    board = Board.of(rules, players, position)
    return decide_hand(board, color, hand, followup=followup, drawn=drawn, first_turn=first_turn)


def decide(board: Board, color: str, card: str) -> Decision:
    """The decision about a card drawn."""
    found = _plays(board, color, card)
    declined = [_instead(board, card, "pass")] if found and not any(outcome.compulsory for outcome in found) else []
    return Decision(board, color, (card,), found, declined)


def decide_hand(
    board: Board, color: str, hand: Sequence[str], *, followup: bool = False, drawn: str | None = None, first_turn: bool = False
) -> Decision:
    """The decision about a hand."""
    found: list[Outcome] = []
    for card in _distinct(hand) if drawn is None else [drawn]:
        plays = _plays(board, color, card)
        if card == "2" and board.rules.two_playable_idle and not plays:
            plays = [_instead(board, card, "idle")]
        found += plays
    decision = Decision(board, color, tuple(hand), found, [])
    if not decision.compulsory and not (found and board.rules.optional_counts_as_playable):
        decision.others = _beside_playing(decision, followup, first_turn)
    return decision


def _beside_playing(decision: Decision, followup: bool, first_turn: bool) -> list[Outcome]:
    """What can be done where no card must be played."""
    board, rules = decision.board, decision.board.rules
    if (followup and rules.two_followup_stuck == "end_turn") or (first_turn and rules.first_turn_dead_hand == "skip"):
        return [] if decision.nothing_legal else [_instead(board, "", "pass")]
    if not decision.cards:
        return []
    thrown = {"choose": _distinct(decision.cards), "random": [ANY_CARD], "oldest": [decision.cards[0]]}
    return [_instead(board, card, "throw") for card in thrown[rules.dead_hand]]


def _distinct(hand: Sequence[str]) -> list[str]:
    return sorted(set(hand), key=CARDS.index)


def _instead(board: Board, card: str, what: str) -> Outcome:
    """An outcome that leaves the placement as it is."""
    return Outcome(card, {}, board, instead=what)


def _plays(board: Board, color: str, card: str) -> list[Outcome]:
    """The distinct outcomes of playing a card, in an order that depends on nothing but what they are."""
    found: dict[str, Outcome] = {}
    before = board.position
    for way in ways_to_play(board, color, card):
        changes = way.board.changes_from(before)
        outcome = found.setdefault(str(changes), Outcome(card, changes, way.board, way))
        outcome.note(way)
    return [found[key] for key in sorted(found)]
