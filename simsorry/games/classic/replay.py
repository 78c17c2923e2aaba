"""One game, card by card: driven by the very functions that play whole blocks of games, and looked at after every card."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.games import replaying, track
from simsorry.games.classic import actions, board, notation, queries, state, story
from simsorry.games.classic import tables as t
from simsorry.games.classic.decision import Table
from simsorry.games.classic.rules import Rules
from simsorry.games.options import COLORS

_COUNTED = (
    "turns turns_all draws dead_turns forced_turns choice_turns throw_choice_turns choices outcomes starts bumps bumps_slide bumps_sorry "
    "own_bumps partner_bumps swaps slides splits backs passes homes throws reshuffles match_rounds match_upsets"
)


@dataclass(frozen=True, kw_only=True)
class Card(replaying.Card):
    """One card drawn, or chosen from a hand, and resolved."""

    action: int  # the kernel's action and what it brought about; 0 if there was none
    events: int
    words: tuple[int, ...]  # the position afterwards, by color


class Replay(replaying.Replay):
    """A game that can be looked at: iterate over ``steps``.

    ``rules``, ``players`` (colors by table seat), ``line_up`` (compiled policies), ``seed`` and ``game`` say which game. It
    begins as the ruleset says, or from a position ``start``; ``first_seat`` replaces who would have begun (of a match both are for
    the first round). Raises SimsorryError if nobody can have got there, or the game would be over.
    """

    COMPILED = "step"  # the compiled function that takes the steps

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
        self._step: Callable[[], bool] = lambda: bool(queries.step(self.table.compiled, line_up, self.memory))
        self._seed, self._game = np.uint64(seed), np.uint64(game)
        queries.begin(self.table.compiled, self.memory, self._seed, self._game)
        if first_seat is not None:
            queries.let_begin(self.table.compiled, self.memory, np.uint64(first_seat))
        if start is not None:
            self._begin_from(self.table.words(start), first_seat)

    def _begin_from(self, words: NDArray[np.uint64], first_seat: int | None) -> None:
        """Puts the pawns elsewhere than where a game begins."""
        rules, players = self.table.rules, self.table.players
        home = [color for color in players if self._is_home(words.tolist(), color)]
        for side in self.sides:
            arrived = [color for color in side if color in home]
            if arrived and (len(arrived) == len(side) or rules.team_win == "first_member"):
                raise SimsorryError(f"position: {' and '.join(arrived)} {'has' if len(arrived) == 1 else 'have'} all pawns HOME already")
        if rules.team_finished_player == "skips" and players[self.first_seat] in home:
            if first_seat is not None:
                raise SimsorryError(f"position: {players[first_seat]} has all pawns HOME and takes no more turns, so it can't begin")
            waiting = [*players[self.first_seat :], *players[: self.first_seat]]
            following = next(color for color in waiting if color not in home)
            queries.let_begin(self.table.compiled, self.memory, np.uint64(players.index(following)))
        queries.put_pawns(self.table.compiled, self.memory, words)

    def _is_home(self, words: Sequence[int], color: str) -> bool:
        """Whether all pawns of a color are HOME."""
        return bool(notation.lanes_of(int(words[COLORS.index(color)])).count(track.HOME) == self.rules.pawns)

    @property
    def words(self) -> tuple[int, ...]:
        """The position, by color."""
        return tuple(self._state["word"].tolist())

    @property
    def position(self) -> str:
        """The position, in the one-line notation."""
        return notation.to_text(self.words, self.table.players)

    @property
    def legend(self) -> str:
        """What the signs of the picture mean."""
        return board.legend(self.table.rules)

    def board(self, colored: bool = False) -> str:
        """The position as a picture."""
        return board.draw(self.words, self.table.players, self.table.compiled[0], colored)

    @property
    def summary(self) -> str:
        """How the game ended, or how far it has come, on one line."""
        return story.summary(self)

    # -- card by card ------------------------------------------------------------------------------

    def _resolve(self) -> bool:
        self._before: list[int] = self._state["word"].tolist()
        return self._step()

    def _card(self, action: int, **common: Any) -> Card:
        words, before, chosen = self.words, self._before, bool(common["choices"])
        return Card(
            kind=story.kind(action),
            action=action if chosen else 0,
            events=int(self._state["did_events"]) if chosen else 0,
            did=story.did(self.table.compiled[0], action, before, common["color"], common["card"]) if chosen else "",
            words=words,
            home=tuple(color for color in self.table.players if self._is_home(words, color) and not self._is_home(before, color)),
            **common,
        )

    def _kind_of(self, action: int) -> str:
        return story.kind(action)

    def _close_round(self) -> bool:
        return bool(queries.end_round(self.table.compiled, self.memory))

    def _open_round(self) -> None:
        queries.next_round(self.table.compiled, self.memory, self._seed, self._game)

    # -- counting ----------------------------------------------------------------------------------

    def _counts(self, card: Card) -> Counter[str]:
        return Counter(_events(card))


def _events(card: Card) -> dict[str, int]:
    """What an action adds to the counters."""
    kind, parts, row = card.action & 7, card.action >> 3 & 7, card.action >> 16 & 63
    met = {name: card.events // int(count) & 255 for name, count in _COUNTS.items()}
    swapped = {name: card.events >> shift & 31 for name, shift in _AFTER_SWAP.items()}
    single = kind == story.MOVE and parts == 1
    return {
        "starts": single and row == t.OUT,
        "backs": single and t.BACKWARD <= row < t.PAST,
        "splits": kind == story.MOVE and parts > 1,
        "swaps": kind == story.SWAP,
        "bumps": met["landed"] + met["ridden"] + swapped["met"],
        "bumps_slide": met["ridden"] + swapped["met"],
        "bumps_sorry": met["landed"] if kind == story.TAKE else 0,
        "own_bumps": met["own"] + swapped["own"],
        "partner_bumps": met["partner"] + swapped["partner"],
        "slides": met["slides"] + (card.events >> 48 & 1),
        "homes": met["homes"],
    }


_COUNTS = {
    "landed": actions.BUMP,
    "ridden": actions.RIDE_BUMP,
    "own": actions.OWN_BUMP,
    "slides": actions.SLIDE,
    "homes": actions.ARRIVAL,
    "partner": actions.PARTNER_BUMP,
}
_AFTER_SWAP = {"met": 49, "own": 54, "partner": 59}  # where the counts of a swapped opponent's ride begin
