"""One game, card by card: driven by the very functions that play whole blocks of games, and looked at after every card."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry import deck
from simsorry.errors import SimsorryError
from simsorry.games.classic import board, kernel, notation, story
from simsorry.games.classic import tables as t
from simsorry.games.classic.decision import Table
from simsorry.games.classic.rules import CARDS, COLORS, Rules
from simsorry.jit import entry

_TALLY: Any = kernel.TALLY
_PILE = ("deck", "left", "draws", "reshuffles")  # what drawing a card changes
_COUNTED = (
    "turns turns_all draws dead_turns forced_turns choice_turns choices outcomes starts bumps bumps_slide bumps_sorry own_bumps "
    "swaps slides splits backs passes homes reshuffles"
)


@entry
def begin(tables, scratch, seed, game):
    """Sets a game up in the scratch record."""
    kernel.set_up(tables[0], scratch[0], seed, game)


@entry
def put_pawns(tables, scratch, words):
    """Begins the game that is set up from another position: four words by color."""
    R = tables[0]
    X = scratch[0]
    for number in range(4):
        color = np.uint64(number)
        kernel.move_color(R, X, color, words[color])
    for number in range(R.players):
        seat = np.uint64(number)
        waiting = kernel.on_start(words[np.uint64(R.seat_color[seat])])
        X.tally[kernel.tally_at(seat, _TALLY.first_start)] = 0 if waiting < R.pawns else -1


@entry
def step(tables, line_up, scratch):
    """Draws and resolves one card; returns whether the game goes on."""
    return kernel.step(tables[0], line_up[0], scratch[0])


@entry
def draw(tables, scratch):
    """Draws a card without resolving it."""
    R = tables[0]
    X = scratch[0]
    return deck.draw(R, X, X.cards_key, X.again)


class Card(NamedTuple):
    """One card drawn and resolved."""

    turn: int  # of the game, counted from 1
    seat: int  # table seat
    color: int
    card: int
    again: bool  # a 2 gave this card
    choices: int  # distinct outcomes there were; 0: the card was forfeited
    kind: str  # "play", "pass", "blocked", or "nothing" where the card was forfeited
    action: int  # the kernel's action and what it brought about; 0 if there was none
    events: int
    did: str  # the same in plain words
    words: tuple[int, ...]  # the position afterwards, by color
    draws_again: bool
    reshuffled: bool
    place: int  # the finishing place that the card earned; 0: none

    @property
    def line(self) -> str:
        """The card and what came of it, on one line."""
        return story.line(self)

    def plain(self) -> dict[str, Any]:
        """The card as plain data."""
        return {
            "turn": self.turn,
            "color": COLORS[self.color],
            "card": CARDS[self.card],
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
        self._memory = kernel.new_scratch()
        self._state = self._memory[0]
        begin(self.table.compiled, self._memory, np.uint64(seed), np.uint64(game))
        if start is not None:
            self._begin_from(start)
        if first_seat is not None:
            self._state["seat"] = self._state["first_seat"] = first_seat
        self._acted = self._chose = False

    def _begin_from(self, start: str | Mapping[str, Sequence[Any]]) -> None:
        words = self.table.words(start)
        for color in self.table.players:
            if notation.lanes_of(int(words[COLORS.index(color)])).count(t.HOME) == self.table.rules.pawns:
                raise SimsorryError(f"position: {color} has all pawns HOME already")
        put_pawns(self.table.compiled, self._memory, words)

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
    def summary(self) -> str:
        """How the game ended, or how far it has come, on one line."""
        return story.summary(self)

    def cards(self) -> Iterator[Card]:
        """Plays on to the end, and yields every card once it is resolved."""
        while not self.over:
            card = self._next()
            self._count(card)
            yield card

    def _next(self) -> Card:
        state = self._state
        seat, again, before = int(state["seat"]), bool(state["again"]), state["word"].copy()
        turn, reshuffles = int(state["turns"]) + 1, int(state["reshuffles"])
        passes, place = self._passes(seat), int(state["place"][seat])
        color, number = COLORS.index(self.table.players[seat]), self._card_to_come()
        self.over = not step(self.table.compiled, self._line_up, self._memory)
        choices, kind, action, events = self._what(before, color, number, passed=self._passes(seat) > passes)
        return Card(
            turn=turn,
            seat=seat,
            color=color,
            card=number,
            again=again,
            choices=choices,
            kind=kind,
            action=action,
            events=events,
            did=story.did(self.table.compiled[0], action, before.tolist(), color) if choices else "",
            words=self.words,
            draws_again=bool(state["again"]),
            reshuffled=int(state["reshuffles"]) > reshuffles,
            place=int(state["place"][seat]) - place,
        )

    def _passes(self, seat: int) -> int:
        return int(self._state["tally"][seat * kernel.TALLY_STRIDE + int(_TALLY.passes)])

    def _card_to_come(self) -> int:
        """The card that the next step draws; leaves the pile as it was."""
        pile = {name: self._state[name].copy() for name in _PILE}
        card = int(draw(self.table.compiled, self._memory))
        for name, value in pile.items():
            self._state[name] = value
        return card

    def _what(self, before: NDArray[np.uint64], color: int, card: int, passed: bool) -> tuple[int, str, int, int]:
        """What the step did: number of outcomes there were, kind, action and events of the one that was taken."""
        listed = self.table.outcomes(before, color, card)
        if not listed.actions:
            return 0, "nothing", 0, 0
        after = [sorted(notation.lanes_of(word)) for word in self.words]
        for action, events, result in zip(*listed, strict=True):
            same = all(sorted(notation.lanes_of(word)) == lanes for word, lanes in zip(result, after, strict=True))
            if same and (action & 7 == story.PASS) == passed:
                return len(listed.actions), story.kind(action), action, events
        raise AssertionError("the step led to a position that is not among the outcomes")

    # -- counting ----------------------------------------------------------------------------------

    def _count(self, card: Card) -> None:
        """Adds a card to the counters."""
        counters = Counter(self.counters)
        counters["draws"] += 1
        counters["reshuffles"] += card.reshuffled
        counters["choices"] += card.choices > 1
        counters["outcomes"] += card.choices if card.choices > 1 else 0
        counters["passes"] += card.kind == "pass"
        if card.kind == "play":
            counters.update(_events(card))
        self._acted = self._acted or card.kind == "play"
        self._chose = self._chose or card.choices > 1
        if not card.draws_again:
            counters["turns_all"] += 1
            counters["turns"] += card.place == 1 or not self.places
            counters["dead_turns"] += not self._acted
            counters["forced_turns"] += self._acted and not self._chose
            counters["choice_turns"] += self._chose
            self._acted = self._chose = False
        self.counters = dict(counters)


def _events(card: Card) -> dict[str, int]:
    """What an action adds to the counters."""
    kind, parts, row = card.action & 7, card.action >> 3 & 7, card.action >> 16 & 63
    met, met_riding, own, slides, homes, their_slides, their_met, their_own = notation.lanes_of(card.events)
    single = kind == story.MOVE and parts == 1
    return {
        "starts": single and row == t.OUT,
        "backs": single and t.BACKWARD <= row < t.PAST,
        "splits": kind == story.MOVE and parts > 1,
        "swaps": kind == story.SWAP,
        "bumps": met + met_riding + their_met,
        "bumps_slide": met_riding + their_met,
        "bumps_sorry": met if kind == story.TAKE else 0,
        "own_bumps": own + their_own,
        "slides": slides + their_slides,
        "homes": homes,
    }
