"""What the tests of features and policies share: scores and choices of single decisions, straight from the kernel's scoring."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simsorry.games import classic
from simsorry.games.classic import kernel, scoring
from simsorry.games.classic.decision import Outcome, Table, card_number
from simsorry.games.classic.features import SCALE
from simsorry.games.classic.rules import COLORS, Rules
from simsorry.jit import entry

U = np.uint64
_0, _1, _2, _3 = U(0), U(1), U(2), U(3)


@entry
def _scores(tables, line_up, scratch, seat, n, scores):  # type: ignore[no-untyped-def]
    """The score of every listed outcome, for the position in the scratch record."""
    r = tables[0]
    q = line_up[0]
    x = scratch[0]
    color = U(r.seat_color[seat])
    p0, p1, p2, p3 = x.word[color], x.word[(color + _1) & _3], x.word[(color + _2) & _3], x.word[(color + _3) & _3]
    leader = scoring.find_leader(r, p1, p2, p3) if q.uses_leader[seat] != _0 else _0
    foes, f1, f2, f3 = scoring.look_at_foes(r, q, q.row[seat], p1, p2, p3)
    for i in range(n):
        scores[i] = scoring.score_of(r, q, x, seat, leader, U(i), p0, p1, p2, p3, foes, f1, f2, f3)


@entry
def _choose(tables, line_up, scratch, seat, n, luck):  # type: ignore[no-untyped-def]
    """The number of the outcome that is chosen, for the position in the scratch record."""
    r = tables[0]
    x = scratch[0]
    color = U(r.seat_color[seat])
    p1, p2, p3 = x.word[(color + _1) & _3], x.word[(color + _2) & _3], x.word[(color + _3) & _3]
    return scoring.best_outcome(r, line_up[0], x, n, seat, p1, p2, p3, luck)


class Chooser:
    """A table of players at which single decisions are scored."""

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.table = Table(rules, players)
        self.scratch = kernel.new_scratch()

    def _listed(self, position: str, color: str, card: str) -> tuple[U, U]:
        """Lists the outcomes of a decision in the scratch record; returns the seat and their number."""
        words = self.table.words(position)
        mover = COLORS.index(color)
        self.scratch[0]["word"] = words
        n = kernel.outcomes_of(self.table.compiled, self.scratch, U(mover), U(card_number(card)), words)
        return U(self.table.players.index(color)), U(n)

    def _line_up(self, weights: Mapping[str, float]) -> np.ndarray:
        return classic.compile_line_up([weights] * len(self.table.players))

    def scores(self, weights: Mapping[str, float], position: str, color: str, card: str) -> list[tuple[Outcome, float]]:
        """Every outcome with its score."""
        seat, n = self._listed(position, color, card)
        scores = np.zeros(n, np.int64)
        _scores(self.table.compiled, self._line_up(weights), self.scratch, seat, n, scores)
        return list(zip(self.table.decide(position, color, card).outcomes, (scores / SCALE).tolist(), strict=True))

    def best(self, weights: Mapping[str, float], position: str, color: str, card: str) -> set[str]:
        """The positions after the outcomes with the highest score."""
        scored = self.scores(weights, position, color, card)
        best = max(score for _, score in scored)
        return {outcome.position for outcome, score in scored if score == best}

    def choices(self, weights: Mapping[str, float], position: str, color: str, card: str, luck: Sequence[int]) -> list[int]:
        """The numbers of the outcomes chosen, one for each random word."""
        seat, n = self._listed(position, color, card)
        arguments: tuple[Any, ...] = (self.table.compiled, self._line_up(weights), self.scratch, seat, n)
        return [int(_choose(*arguments, U(word))) for word in luck]
