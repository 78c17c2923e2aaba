"""One game, card by card: driven by the very functions that play whole blocks of games, and looked at after every card."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.games import replaying
from simsorry.games.ice import board, notation, placement, queries, retelling, state, story
from simsorry.games.ice import tables as t
from simsorry.games.ice.decision import Table
from simsorry.games.ice.placement import Placement, color_of, size_of
from simsorry.games.ice.retelling import Move, Play, Retelling
from simsorry.games.ice.rules import SIZES, Rules
from simsorry.games.options import COLORS

_COUNTED = (
    "turns turns_all draws dead_turns forced_turns choice_turns throw_choice_turns choices outcomes starts sorry_starts swaps slides "
    "splits backs passes homes throws moves_small moves_medium moves_large stack_moves carried swept covers stacks pawns_covered "
    "pawns_freed pawn_turns covered_turns pile_turns highest_pile longest_cover reshuffles match_rounds match_upsets"
)


@dataclass(frozen=True, kw_only=True)
class Card(replaying.Card):
    """One card drawn, or chosen from a hand, and resolved."""

    play: Play  # what was done


class Replay(replaying.Replay):
    """A game that can be looked at: iterate over ``steps``.

    ``rules``, ``players`` (colors by table seat), ``line_up`` (compiled policies), ``seed`` and ``game`` say which game. It
    begins as the ruleset says, or from a position ``start``; ``first_seat`` replaces who would have begun (of a match both are for
    the first round). Raises SimsorryError if nobody can have got there, or the game would be over.
    """

    COMPILED = "next_card"  # the compiled function that takes the steps

    def __init__(
        self,
        rules: Rules,
        players: Sequence[str],
        line_up: NDArray[Any],
        seed: int,
        game: int,
        start: str | Mapping[str, Sequence[Any]] | None = None,
        first_seat: int | None = None,
    ) -> None:
        self.memory = state.new_scratch()
        super().__init__(Table(rules, players), self.memory[0], _COUNTED)
        self._step: Callable[[], bool] = lambda: bool(queries.next_card(self.table.compiled, line_up, self.memory))
        self._seed, self._game = np.uint64(seed), np.uint64(game)
        queries.begin_ice(self.table.compiled, self.memory, self._seed, self._game)
        if first_seat is not None:
            queries.let_begin(self.table.compiled, self.memory, np.uint64(first_seat))
        if start is not None:
            self._begin_from(self.table.placement(start))
        self._take_board()

    def _begin_from(self, start: Placement) -> None:
        """Puts the pawns elsewhere than where a game begins."""
        for color in self.table.players:
            if start.home_of(color) == self.rules.pawns:
                raise SimsorryError(f"position: {color} has all pawns HOME already")
        placement.write(self._state, start)
        queries.take_position(self.table.compiled, self.memory)

    def _take_board(self) -> None:
        """Looks at the board as a round begins."""
        self.placement = placement.read(self._state)  # with numbers by which pawns can be followed
        self.placement.give_numbers()
        self._retelling = Retelling(self.rules, self.table.compiled[0], self.placement)
        self._since = dict.fromkeys(self.placement.covered(), 0)  # by number of a covered pawn: the turn in which it became so

    # -- how it stands -----------------------------------------------------------------------------

    @property
    def position(self) -> str:
        """The position, in the one-line notation."""
        return notation.to_text(self.placement, self.table.players)

    @property
    def legend(self) -> str:
        """What the signs of the picture mean."""
        return board.LEGEND

    def board(self, colored: bool = False) -> str:
        """The position as a picture."""
        return board.draw(self.placement, self.table.players, self.table.compiled[0], colored)

    @property
    def summary(self) -> str:
        """How the game ended, or how far it has come, on one line."""
        return story.summary(self)

    # -- card by card ------------------------------------------------------------------------------

    def _resolve(self) -> bool:
        return self._step()

    def _card(self, action: int, **common: Any) -> Card:
        play = self._retelling.carry_out(action, common["color"])
        did = story.did(play, common["color"], common["card"]) if common["choices"] else ""
        home = (COLORS[common["color"]],) if common["place"] else ()
        return Card(kind=story.kind(action), did=did, home=home, play=play, **common)

    def _kind_of(self, action: int) -> str:
        return story.kind(action)

    def _close_round(self) -> bool:
        return bool(queries.next_round(self.table.compiled, self.memory, self._seed, self._game))

    def _open_round(self) -> None:
        self._take_board()

    # -- counting ----------------------------------------------------------------------------------

    def _counts(self, card: Card) -> Counter[str]:
        moves, kind = card.play.moves, card.play.kind
        counts = Counter[str]()
        counts["starts"] = kind == retelling.START
        counts["sorry_starts"] = kind == retelling.SORRY
        counts["swaps"] = kind == retelling.SWAP
        counts["splits"] = kind == retelling.SPLIT
        counts["backs"] = kind == retelling.BACK
        counts["pawns_covered"], counts["pawns_freed"] = len(card.play.covered), len(card.play.freed)
        for move in moves:
            counts.update(_counts_of(move, card.color))
        return counts

    def _count(self, card: replaying.Card) -> None:
        """Adds a card to the counters."""
        super()._count(card)
        if isinstance(card, Card) and card.play.moves:
            highest = max(map(len, self.placement.piles.values()), default=0)
            self.counters["highest_pile"] = max(self.counters["highest_pile"], highest)
        self._note_covers(card)
        if not card.draws_again:
            covered, in_play = self.placement.covered(), sum(1 for _ in self.placement.in_play())
            self.counters["pawn_turns"] += in_play
            self.counters["covered_turns"] += len(covered)
            self.counters["pile_turns"] += len(self.placement.piles)

    def _note_covers(self, card: replaying.Card) -> None:
        """Notes since when pawns are covered, and how long others were."""
        now, covered = card.turn - 1, self.placement.covered()
        ended = [number for number in self._since if card.ends_round or number not in covered]
        for number in ended:
            self.counters["longest_cover"] = max(self.counters["longest_cover"], now - self._since.pop(number))
        if not card.ends_round:
            for number in covered:
                self._since.setdefault(number, now)


def _counts_of(move: Move, mover: int) -> Counter[str]:
    """What one group's move adds to the counters."""
    counts = Counter[str]()
    counts["slides"] = move.slides
    counts["swept"] = sum(len(pawns) for _, pawns in move.taken)
    counts["homes"] = (len(move.pawns) - len(move.left)) * (move.end == t.HOME)
    if move.kind != retelling.SWAP:
        counts["covers"], counts["stacks"] = move.covers, bool(move.beneath) and not move.covers
    if move.kind in (retelling.FORWARD, retelling.PAST, retelling.BACK):
        counts[f"moves_{SIZES[size_of(move.pawns[-1])]}"] = 1
        counts["stack_moves"] = len(move.pawns) > 1
        counts["carried"] = sum(color_of(pawn) != mover for pawn in move.pawns)
    return counts
