"""Single decisions of Sorreesi: the engine's list of outcomes, and random decisions in crowded positions to ask it, and others, for."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from referee import sorreesi as referee
from sorreesi_tools import changed, random_rules

from simsorry.games import sorreesi
from simsorry.games.options import CARDS, COLORS
from simsorry.games.seating import DEFAULT_SEATS
from simsorry.games.sorreesi import actions, notation, queries, state
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.rules import Rules
from simsorry.games.sorreesi.uses import pick
from simsorry.jit import entry

U = np.uint64
SEATED = DEFAULT_SEATS
KINDS = ("home", "capture", "fight")  # of bonus units, by the engine's numbers
CARD_WEIGHTS = [2, 2, 1, 2, 1, 5, 1, 3, 5, 1, 4]  # the cards with more to them come more often
NAMES = {
    int(actions.HOP): "hop",
    int(actions.START): "start",
    int(actions.SPLIT): "split",
    int(actions.BACK): "back",
    int(actions.SWAP): "swap",
    int(actions.TAKE): "sorry",
    int(actions.STOP): "stop",
}


@entry
def action_of(scratch, k):  # type: ignore[no-untyped-def]
    """The action of outcome ``k`` of the decision in the scratch record."""
    return pick(scratch[0], k)


class Part(NamedTuple):
    """A pawn that an action moves, and its share of a split 7."""

    pawn: referee.Pawn
    share: int


class Listed(NamedTuple):
    """An outcome as the engine lists it."""

    action: int
    use: tuple[str, ...]
    text: str  # with the pawns put down
    fights: tuple[int, ...]
    left: dict[str, Any] | None  # to spend; None for a stop
    over: bool

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells outcomes apart."""
        return self.use, self.text, self.fights

    @property
    def kind(self) -> str:
        """What is done, in the referee's words."""
        return NAMES[self.action & 15]


class Question(NamedTuple):
    """Somebody's decision."""

    rules: Rules
    seated: tuple[str, ...]
    board: referee.Board
    color: str
    pool: referee.Pool

    def __str__(self) -> str:
        return f"{self.color} with {self.pool} in {self.board.text!r}, {changed(self.rules)}"


class Lister:
    """The engine at one table, asked for single decisions."""

    def __init__(self, rules: Rules, seated: Sequence[str]) -> None:
        if tuple(seated) != DEFAULT_SEATS[len(seated)]:
            rules = rules.model_copy(update={"seat_colors": tuple(seated)})
        self.rules, self.seated = rules, tuple(seated)
        self.tables = sorreesi.compile_rules(rules, len(seated))
        self.scratch = sorreesi.new_scratch()

    def words(self, board: referee.Board) -> NDArray[np.uint64]:
        """The engine's four words of a board; lanes are the pawns' numbers."""
        places: dict[str, list[int]] = {color: [] for color in COLORS}
        for pawn, place in board.places.items():
            places[pawn.color].append(t.BASE if place == referee.BASE else board.to_go(pawn))
        return np.array([notation.word_of(places[color]) for color in COLORS], np.uint64)

    def fill(self, board: referee.Board, color: str, pool: referee.Pool) -> int:
        """Lists a decision in the scratch record; returns the number of outcomes."""
        alone = pool.units_open and self.rules.bonus_timing != "any_time"
        drawn_later = pool.card is not None and self.rules.resolution_order == "dice_then_card"
        shown = [*sorted(set(pool.dice)), 0, 0][:2]
        units = Counter(unit.source for unit in pool.units)
        return int(
            queries.uses_of(
                self.tables,
                self.scratch,
                U(COLORS.index(color)),
                state.BONUS_ALONE if alone else state.CARD_ALONE if drawn_later else state.POOL,
                np.array(shown, np.uint64),
                np.array([pool.dice.count(number) for number in shown], np.uint64),
                U(CARDS.index(pool.card)) if pool.card else state.NO_CARD,
                np.array([units[kind] for kind in KINDS], np.uint64),
                self.words(board),
            )
        )

    def outcomes(self, board: referee.Board, color: str, pool: referee.Pool) -> list[Listed]:
        """Every outcome of a decision."""
        n = self.fill(board, color, pool)
        assert not self.scratch[0]["overflow"]
        return [self._listed(number, color, pool) for number in range(n)]

    def ask(self, question: Question) -> list[Listed]:
        """The same of a question."""
        return self.outcomes(question.board, question.color, question.pool)

    def _listed(self, number: int, color: str, pool: referee.Pool) -> Listed:
        x = self.scratch[0]
        queries.look_at(self.tables, self.scratch, U(COLORS.index(color)), U(number))
        action, words = int(x["action"][number]), x["result"].tolist()
        text = notation.to_text(self.rules, words, self.seated)
        if action & 15 == int(actions.STOP):
            return Listed(action, ("stop",), text, (), None, False)
        dice = [value for k, value in enumerate(x["number"].tolist()) for _ in range(action >> 4 + 2 * k & 3)]
        card, unit = bool(action & int(actions.CARD)), action >> 9 & 3
        use = [f"die {value}" for value in dice] + [f"card {pool.card}"] * card
        use += [f"bonus {self._value(KINDS[unit - 1])}"] if unit else []
        won = self._has_won(words, color)
        bonus = Counter(kept.value for kept in pool.units) - Counter([self._value(KINDS[unit - 1])] if unit else [])
        bonus += self._earned(action, words, color, won)
        done = won or (self._skips() and self._is_home(words, color))
        left = {
            "dice": sorted((Counter(pool.dice) - Counter(dice)).elements()),
            "card": None if card else pool.card,
            "draw": card and pool.card == "2" and self.rules.two_draws_again != "never" and not done,
            "bonus": sorted(bonus.elements()),
        }
        fights = tuple(sorted(x["fight_square"][: int(x["fights"])].tolist()))
        return Listed(action, tuple(sorted(use)), text, fights, left, won)

    def _value(self, kind: str) -> int:
        return int(getattr(self.rules, f"{kind}_bonus"))

    def _earned(self, action: int, words: list[int], color: str, won: bool) -> Counter[int]:
        """Squares of the bonus moves that a use earns."""
        captured = int(self.scratch[0]["captured"])
        if action & 15 == int(actions.TAKE) and not self.rules.sorry_bonus:
            captured = 0
        before = self.scratch[0]["word"].tolist()
        homes = sum(_homes(words[COLORS.index(mine)]) - _homes(before[COLORS.index(mine)]) for mine in self._side(color))
        units = {self.rules.capture_bonus: captured} if self.rules.capture_bonus else {}
        return Counter(units) + Counter({self.rules.home_bonus: homes} if self.rules.home_bonus and not won else {})

    def _side(self, color: str) -> referee.Side:
        return referee.side_of(self.rules, color)

    def _is_home(self, words: Sequence[int], color: str) -> bool:
        return _homes(words[COLORS.index(color)]) == self.rules.pawns

    def _has_won(self, words: Sequence[int], color: str) -> bool:
        home = [self._is_home(words, mine) for mine in self._side(color)]
        return any(home) if self.rules.team_win == "first_member" else all(home)

    def _skips(self) -> bool:
        return bool(self.rules.team_pairs) and self.rules.team_finished_player == "skips"

    def parts(self, action: int, color: str) -> list[Part]:
        """The pawns that an action moves of the player's side, and their shares of a split 7."""
        partner = referee.partner_of(self.rules, color) or color
        if action & 15 != int(actions.SPLIT):
            mover = partner if action & int(actions.PARTNER) else color
            return [Part(referee.Pawn(mover, action >> int(actions.LANE) & 7), 0)]
        parts = [action >> int(actions.PARTS) + int(actions.PART_BITS) * number & 127 for number in range(actions.MAX_PARTS)]
        return [Part(referee.Pawn(partner if part >> 3 & 1 else color, part & 7), part >> 4) for part in parts if part >> 4]


def _homes(word: int) -> int:
    return notation.lanes_of(word).count(t.HOME)


# -- random decisions ------------------------------------------------------------------------------------


def dense_board(luck: random.Random, rules: Rules, seated: Sequence[str]) -> referee.Board:
    """Pawns near each other, on safe squares and about the turn-offs, as a game could leave them."""
    begin, width = luck.randrange(referee.TRACK), luck.choice((6, 15, 34, 68))
    owners: dict[int, set[referee.Side]] = {}
    position: referee.Position = {}
    for color in seated:
        side = referee.side_of(rules, color)
        places: list[referee.Place] = []
        while len(places) < rules.pawns:
            place = _some_place(luck, rules, color, begin, width)
            if isinstance(place, int):
                shared = rules.fight_tie == "both_stay" and all(referee.safe_for(rules, place, other) for other in seated)
                if not shared and owners.get(place, {side}) != {side}:
                    continue
                owners.setdefault(place, set()).add(side)
            places.append(place)
        position[color] = places
    return referee.Board.of(rules, seated, position)


def _some_place(luck: random.Random, rules: Rules, color: str, begin: int, width: int) -> referee.Place:
    kind = luck.random()
    if kind < 0.2:
        return referee.BASE
    if kind < 0.32:
        return referee.HOME
    if kind < 0.44:
        return "P", luck.randint(1, rules.home_path_length)
    if kind < 0.56:  # about the turn-off and the squares behind the entry square
        return (referee.road_of(rules, color).turn_off + luck.randint(-8, 6)) % referee.TRACK
    if kind < 0.68:
        return 17 * luck.randrange(4) + luck.choice((0, 7, 12))
    return (begin + luck.randrange(width)) % referee.TRACK


def some_pool(luck: random.Random, rules: Rules) -> referee.Pool:
    """What may be left to spend somewhere in a roll."""
    kinds = [kind for kind in KINDS if getattr(rules, f"{kind}_bonus")]
    earned = [luck.choice(kinds) for _ in range(luck.choice((0, 0, 1, 2, 3)))] if kinds else []
    units = tuple(referee.Unit(getattr(rules, f"{kind}_bonus"), kind) for kind in earned)
    any_time = rules.bonus_timing == "any_time"
    if units and luck.random() < 0.1:
        return referee.Pool(units=units)
    thrown = [luck.randint(1, 6), luck.randint(1, 6)]
    if luck.random() < 0.15:
        thrown = [thrown[0]] * 2
    if rules.doubles_bottoms and thrown[0] == thrown[1]:
        thrown += [7 - thrown[0]] * 2
    dice = luck.sample(thrown, luck.choice((0, 1, 2, len(thrown), len(thrown))))
    card = luck.choices(CARDS, CARD_WEIGHTS)[0] if luck.random() < 0.75 else None
    if card and rules.resolution_order == "dice_then_card":
        dice = []
    return referee.Pool(tuple(sorted(dice)), card, units, any_time)


def some_question(luck: random.Random, most: int = 6, **fixed: Any) -> Question:
    """A decision under any rules."""
    rules = random_rules(luck, most, **fixed)
    seated = SEATED[4 if rules.team_pairs else luck.choice((2, 3, 4))]
    board = dense_board(luck, rules, seated)
    return Question(rules, seated, board, luck.choice(seated), some_pool(luck, rules))
