"""What the tests of features and policies share: scores and choices of single decisions, straight from the kernel's scoring."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry.games import classic
from simsorry.games.asked import read_hand
from simsorry.games.classic import queries, scoring
from simsorry.games.classic.decision import Decision, Table
from simsorry.games.classic.rules import Rules
from simsorry.games.frames import frame_of
from simsorry.games.hands import NO_CARD
from simsorry.games.options import CARDS, COLORS
from simsorry.games.weights import SCALE
from simsorry.jit import entry

U = np.uint64
_0 = U(0)


@entry
def _scores(tables, line_up, scratch, seat, scores):  # type: ignore[no-untyped-def]
    """The score of every listed outcome, for the position in the scratch record."""
    r = tables[0]
    q = line_up[0]
    x = scratch[0]
    color = U(r.seat_color[seat])
    p0, p1, p2, p3 = frame_of(x, color)
    o1, o2, o3 = scoring.opponents_of(r, color, p1, p2, p3)
    leader = scoring.find_leader(r, o1, o2, o3) if q.uses_leader[seat] != _0 else _0
    for i in range(x.outcomes):
        scores[i] = scoring.score_in_match(r, q, x, seat, color, leader, U(i), p0, p1, p2, p3)


@entry
def _scores_alone(tables, line_up, scratch, seat, scores):  # type: ignore[no-untyped-def]
    """The same as the loop scores that knows neither hands nor teams."""
    r = tables[0]
    q = line_up[0]
    x = scratch[0]
    p0, p1, p2, p3 = frame_of(x, U(r.seat_color[seat]))
    leader = scoring.find_leader(r, p1, p2, p3) if q.uses_leader[seat] != _0 else _0
    foes, f1, f2, f3 = scoring.look_at_foes(r, q, q.row[seat], p1, p2, p3)
    for i in range(x.outcomes):
        scores[i] = scoring.score_of(r, q, x, seat, leader, U(i), p0, p1, p2, p3, foes, f1, f2, f3)


@entry
def _choose(tables, line_up, scratch, seat, luck):  # type: ignore[no-untyped-def]
    """The number of the outcome that is chosen, for the position in the scratch record."""
    r = tables[0]
    x = scratch[0]
    p0, p1, p2, p3 = frame_of(x, U(r.seat_color[seat]))
    return scoring.best_in_match(r, line_up[0], x, x.outcomes, seat, p0, p1, p2, p3, luck)


@entry
def _choose_alone(tables, line_up, scratch, seat, luck):  # type: ignore[no-untyped-def]
    """The same as the loop chooses that knows neither hands nor teams."""
    r = tables[0]
    x = scratch[0]
    _, p1, p2, p3 = frame_of(x, U(r.seat_color[seat]))
    return scoring.best_outcome(r, line_up[0], x, x.outcomes, seat, p1, p2, p3, luck)


class Question(NamedTuple):
    """A decision to make: with a card drawn, or with a hand and what ``Table.decide_hand`` has to know besides."""

    position: str
    color: str
    cards: str  # the card, or the hand, the card held longest first
    state: Mapping[str, Any] = {}


class Chooser:
    """A table of players at which single decisions are scored."""

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.table = Table(rules, players)
        self.scratch = classic.new_scratch()
        self._listing = self.table.compiled.copy()
        self._listing["plain"] = 0  # outcomes are to be carried out as they are listed

    def decide(self, question: Question) -> Decision:
        """What there is to choose from."""
        position, color, cards, state = question
        if self.table.rules.hand_size:
            return self.table.decide_hand(position, color, cards, **state)
        return self.table.decide(position, color, cards)

    def scores(self, weights: Mapping[str, float], question: Question, *, alone: bool = False) -> list[float]:
        """The score of every outcome, in the order of ``decide``; of a hand up to what does not depend on the card.

        ``alone`` has them scored as where there are neither hands nor teams.
        """
        seat = self._list(question)
        scores = np.zeros(int(self.scratch[0]["outcomes"]), np.int64)
        (_scores_alone if alone else _scores)(self._listing, self._line_up(weights), self.scratch, seat, scores)
        found: list[float] = (scores / SCALE).tolist()
        return found

    def best(self, weights: Mapping[str, float], question: Question) -> set[tuple[str, str]]:
        """The cards with which, and the positions to which, the outcomes with the highest score lead."""
        scores = self.scores(weights, question)
        outcomes = self.decide(question).outcomes
        return {(outcome.card, outcome.position) for outcome, score in zip(outcomes, scores, strict=True) if score == max(scores)}

    def choices(self, weights: Mapping[str, float], question: Question, luck: Sequence[int], *, alone: bool = False) -> list[int]:
        """The numbers of the outcomes chosen, one for each random word."""
        seat, line_up = self._list(question), self._line_up(weights)
        choose = _choose_alone if alone else _choose
        return [int(choose(self._listing, line_up, self.scratch, seat, U(word))) for word in luck]

    def _line_up(self, weights: Mapping[str, float]) -> NDArray[Any]:
        return classic.compile_line_up([weights] * len(self.table.players))

    def _list(self, question: Question) -> np.uint64:
        """Lists the outcomes of a decision in the scratch record; returns the seat."""
        words, mover = self.table.words(question.position), U(COLORS.index(question.color))
        self.scratch[0]["word"] = words
        if self.table.rules.hand_size:
            hand = read_hand(self.table.rules, question.cards, **question.state)
            drawn = NO_CARD if hand.drawn is None else U(hand.drawn)
            held = np.array(hand.held, np.uint8)
            arguments = (mover, held, U(hand.followup), drawn, U(hand.first_turn), words)
            queries.outcomes_of_hand(self._listing, self.scratch, *arguments)
        else:
            queries.outcomes_of(self._listing, self.scratch, mover, U(CARDS.index(question.cards)), words)
        return U(self.table.players.index(question.color))
