"""One game, card by card: driven by the very functions that play whole blocks of games, and looked at after every card."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.games.classic import actions, board, notation, queries, state, story
from simsorry.games.classic import tables as t
from simsorry.games.classic.columns import NOBODY
from simsorry.games.classic.decision import Table
from simsorry.games.classic.hand import NO_CARD
from simsorry.games.classic.rules import CARDS, COLORS, Rules

_COUNTED = (
    "turns turns_all draws dead_turns forced_turns choice_turns throw_choice_turns choices outcomes starts bumps bumps_slide bumps_sorry "
    "own_bumps partner_bumps swaps slides splits backs passes homes throws reshuffles match_rounds"
)


class Card(NamedTuple):
    """One card drawn, or chosen from a hand, and resolved."""

    match_round: int  # counted from 1
    turn: int  # of the round, counted from 1
    seat: int  # table seat
    color: int
    card: int  # NO_CARD where a player with a hand did nothing
    hand: tuple[int, ...]  # what it was chosen from, the card held longest first; empty for a drawn card
    again: bool  # a 2 gave this card
    choices: int  # distinct outcomes there were; 0: nothing was possible
    kind: str  # as story.kind says
    action: int  # the kernel's action and what it brought about; 0 if there was none
    events: int
    did: str  # the same in plain words
    words: tuple[int, ...]  # the position afterwards, by color
    draws_again: bool  # another card follows
    reshuffled: bool
    place: int  # the finishing place that the card earned; 0: none

    @property
    def line(self) -> str:
        """The card and what came of it, on one line."""
        return story.line(self)

    def plain(self) -> dict[str, Any]:
        """The card as plain data."""
        return {
            "match_round": self.match_round,
            "turn": self.turn,
            "color": COLORS[self.color],
            "card": CARDS[self.card] if self.card < len(CARDS) else None,
            "hand": [CARDS[card] for card in self.hand],
            "choices": self.choices,
            "kind": self.kind,
            "did": self.did,
            "draws_again": self.draws_again,
            "reshuffled": self.reshuffled,
            "place": self.place or None,
        }


class Replay:
    """A game that can be looked at: iterate over ``cards``.

    ``rules``, ``players`` (colors by table seat), ``line_up`` (compiled policies), ``seed`` and ``game`` say which game. It
    begins as the ruleset says, or from a position ``start``; ``first_seat`` replaces who would have begun. Raises SimsorryError if
    nobody can have got there, or the game would be over.
    """

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
        self.table = Table(rules, players)
        self.over = False
        self.counters: dict[str, int] = dict.fromkeys(_COUNTED.split(), 0)  # as the columns of the same names
        self._line_up = line_up
        self._seed, self._game = np.uint64(seed), np.uint64(game)
        self._memory = state.new_scratch()
        self._state = self._memory[0]
        queries.begin(self.table.compiled, self._memory, self._seed, self._game)
        if start is not None:
            self._begin_from(start)
        if first_seat is not None:
            self._state["seat"] = self._state["first_seat"] = self._state["opening_seat"] = first_seat
        self._kind = 0  # of this turn: the sum of ACTED, CHOSE and CHOSE_THROW
        self._reshuffles = 0

    def _begin_from(self, start: str | Mapping[str, Sequence[Any]]) -> None:
        words = self.table.words(start)
        for color in self.table.players:
            if notation.lanes_of(int(words[COLORS.index(color)])).count(t.HOME) == self.table.rules.pawns:
                raise SimsorryError(f"position: {color} has all pawns HOME already")
        queries.put_pawns(self.table.compiled, self._memory, words)

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
        return board.LEGEND

    def board(self, colored: bool = False) -> str:
        """The position as a picture."""
        return board.draw(self.words, self.table.players, self.table.compiled[0], colored)

    @property
    def first_seat(self) -> int:
        """The table seat that moves first."""
        return int(self._state["first_seat"])

    @property
    def turns(self) -> int:
        """Turns over."""
        return int(self._state["turns"])

    @property
    def capped(self) -> bool:
        """Whether the game was cut off."""
        return bool(self._state["capped"])

    @property
    def places(self) -> dict[str, int]:
        """The finishing places reached so far, by color."""
        reached = self._state["place"].tolist()
        return {color: reached[seat] for seat, color in enumerate(self.table.players) if reached[seat]}

    @property
    def points(self) -> dict[str, int]:
        """What everybody has scored, by color."""
        return dict(zip(self.table.players, self._state["points"].tolist(), strict=False))

    @property
    def rounds_won(self) -> dict[str, int]:
        """How many rounds of the match everybody has won, by color; in team play the team."""
        return dict(zip(self.table.players, self._state["rounds_won"].tolist(), strict=False))

    @property
    def winner(self) -> str | None:
        """The color of the winner, once there is one; in team play of who made the last move."""
        seat = int(self._state["winner"])
        return None if seat == NOBODY else self.table.players[seat]

    @property
    def hands(self) -> dict[str, list[str]]:
        """The cards that everybody holds, by color, the card held longest first."""
        return {color: [CARDS[card] for card in self._hand(seat)] for seat, color in enumerate(self.table.players)}

    @property
    def summary(self) -> str:
        """How the game ended, or how far it has come, on one line."""
        return story.summary(self)

    def cards(self) -> Iterator[Card]:
        """Plays on to the end, and yields every card once it is resolved."""
        while not self.over:
            yield self._next()

    def _next(self) -> Card:
        now = self._state
        seat, again, before, hand = int(now["seat"]), bool(now["again"]), now["word"].tolist(), self._hand(int(now["seat"]))
        turn, match_round, place = int(now["turns"]) + 1, int(now["match_round"]) + 1, int(now["place"][seat])
        color = COLORS.index(self.table.players[seat])
        going = queries.step(self.table.compiled, self._line_up, self._memory)
        choices, action, number = int(now["outcomes"]), int(now["did_action"]), int(now["did_card"])
        card = Card(
            match_round=match_round,
            turn=turn,
            seat=seat,
            color=color,
            card=number,
            hand=hand,
            again=again,
            choices=choices,
            kind=story.kind(action),
            action=action if choices else 0,
            events=int(now["did_events"]) if choices else 0,
            did=story.did(self.table.compiled[0], action, before, color, number) if choices else "",
            words=self.words,
            draws_again=bool(now["again"]),
            reshuffled=int(now["reshuffles"]) > self._reshuffles,
            place=int(now["place"][seat]) - place,
        )
        self._reshuffles = int(now["reshuffles"])
        self._count(card)
        if not going:
            self.over = not queries.next_round(self.table.compiled, self._memory, self._seed, self._game)
        return card

    def _hand(self, seat: int) -> tuple[int, ...]:
        """A player's hand, the card held longest first."""
        begin = seat * state.MAX_HELD
        return tuple(self._state["hand"][begin : begin + int(self._state["held"][seat])].tolist())

    # -- counting ----------------------------------------------------------------------------------

    def _count(self, card: Card) -> None:
        """Adds a card to the counters."""
        counters = Counter(self.counters)
        counters["draws"] += not self.table.rules.hand_size or (card.card != int(NO_CARD) and card.kind != "pass")
        counters["reshuffles"] += card.reshuffled
        counters["choices"] += card.choices > 1
        counters["outcomes"] += card.choices if card.choices > 1 else 0
        counters["passes"] += card.kind == "pass"
        counters["throws"] += card.kind == "throw"
        if card.kind == "play":
            counters.update(_events(card))
            self._kind |= int(state.ACTED)
        if card.choices > 1:
            self._kind |= int(state.CHOSE_THROW if self._only_throws() else state.CHOSE)
        if not card.draws_again:
            counters["turns_all"] += 1
            counters["turns"] += card.place == 1 or not self._state["finished"]
            counters["dead_turns"] += not self._kind & int(state.ACTED)
            counters["forced_turns"] += self._kind == int(state.ACTED)
            counters["choice_turns"] += self._kind not in (0, int(state.ACTED))
            counters["throw_choice_turns"] += self._kind & ~int(state.ACTED) == int(state.CHOSE_THROW)
            self._kind = 0
        counters["match_rounds"] = card.match_round
        self.counters = dict(counters)

    def _only_throws(self) -> bool:
        """Whether all that there was to choose from were cards to throw in."""
        return bool(self._state["action"][0] & 7 == story.THROW)


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
