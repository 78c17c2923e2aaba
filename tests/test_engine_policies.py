"""Choosing: every feature against its meaning worked out on the referee's board, and chance among equals."""

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from engine_tools import MIXED, SEATED, Recorder, line_up
from referee import classic as referee
from scipy import stats

from simsorry.games import classic
from simsorry.games.classic import tables as t
from simsorry.games.classic.decision import Table
from simsorry.games.classic.rules import CARDS, COLORS, Rules

CHANCE = 1e-6
SEATS = SEATED[3]
Value = Callable[[str, referee.Outcome, referee.Position], float]  # of the mover, an outcome, and the position before it


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return Recorder()


# -- what the features mean ------------------------------------------------------------------------------


def come(color: str, place: referee.Place) -> int:
    """Squares come from START."""
    return 65 - referee.squares_to_go(color, place)


def others(color: str, position: referee.Position) -> list[tuple[str, referee.Place]]:
    return [(other, place) for other in position if other != color for place in position[other]]


def own(value: Callable[[str, referee.Place], float]) -> Value:
    return lambda color, outcome, _: sum(value(color, place) for place in outcome.position[color])


def foes(value: Callable[[str, referee.Place], float]) -> Value:
    return lambda color, outcome, _: sum(value(other, place) for other, place in others(color, outcome.position))


def to_go(color: str, position: referee.Position) -> int:
    return sum(referee.squares_to_go(color, place) for place in position[color])


def of_leader(value: Callable[[str, referee.Place], float]) -> Value:
    """Of the opponent on the way with least to go, the next clockwise among equals."""

    def total(color: str, outcome: referee.Outcome, before: referee.Position) -> float:
        turns = [COLORS[(COLORS.index(color) + step) % 4] for step in (1, 2, 3)]
        on_the_way = [other for other in turns if other in before and to_go(other, before)]
        first = min(on_the_way, key=lambda other: to_go(other, before))
        return sum(value(first, place) for place in outcome.position[first])

    return total


@cache
def in_reach(color: str, square: int) -> frozenset[int]:
    """The squares that a pawn on the track hits with one card of the printed rules."""
    rules = Rules()
    forward = (target.place for card in (1, 2, 3, 5, 7, 8, 10, 11, 12) for target in referee.forward_targets(rules, color, square, card))
    ends = {place for place in forward if isinstance(place, int)} | {(square - 1) % 60, (square - 4) % 60}
    ridden = {step for slide in referee.SLIDES if slide.triangle in ends and slide.color != color for step in slide.ride}
    return frozenset(ends | ridden)


def chasers(color: str, position: referee.Position, square: referee.Place) -> int:
    """Opponents' pawns that have a square in reach."""
    return sum(isinstance(place, int) and square in in_reach(other, place) for other, place in others(color, position))


def prey(color: str, position: referee.Position, square: referee.Place) -> int:
    """Opponents' pawns in reach of a square."""
    return sum(isinstance(square, int) and place in in_reach(color, square) for _, place in others(color, position))


def starters(color: str, position: referee.Position) -> list[str]:
    """The opponents with pawns on START."""
    return [other for other in position if other != color and referee.START in position[other]]


def danger(value: Callable[[str, referee.Position, referee.Place], float]) -> Value:
    return lambda color, outcome, _: sum(value(color, outcome.position, place) for place in outcome.position[color])


def sent_back(color: str, outcome: referee.Outcome, *, own_pawns: bool) -> int:
    return sum((bump.victim == color) == own_pawns for bump in outcome.events.bumps)


def pawns_behind(color: str, outcome: referee.Outcome, before: referee.Position) -> int:
    """Own pawns farther back than the rearmost pawn that a number card moves forward."""
    events = outcome.events
    if outcome.passed or events.backward or events.swap or events.sorry or events.start:
        return 0  # who starts is the rearmost
    after = list(outcome.position[color])
    moved = []
    for place in before[color]:
        if place in after:
            after.remove(place)
        else:
            moved.append(place)
    rearmost = max(referee.squares_to_go(color, place) for place in moved)
    return sum(referee.squares_to_go(color, place) > rearmost for place in before[color])


def past_circle(color: str, place: referee.Place) -> int:
    """Squares past the own start circle, 60 and more off the track."""
    return (place - referee.circle(color)) % 60 if isinstance(place, int) else 60


FEATURES: dict[str, Value] = {
    "bumps": lambda color, outcome, _: sent_back(color, outcome, own_pawns=False),
    "own_bumps": lambda color, outcome, _: sent_back(color, outcome, own_pawns=True),
    "slides": lambda color, outcome, _: outcome.events.rides.count(color),
    "starts": lambda _, outcome, __: outcome.events.start,
    "takes": lambda _, outcome, __: outcome.events.sorry,
    "swaps": lambda _, outcome, __: outcome.events.swap and not outcome.passed,
    "splits": lambda _, outcome, __: outcome.events.split,
    "backs": lambda _, outcome, __: outcome.events.backward,
    "passes": lambda _, outcome, __: outcome.passed,
    "pawns_behind": pawns_behind,
    "progress": own(come),
    "lead": own(lambda color, place: come(color, place) ** 2 / 65),
    "in_start": own(lambda _, place: place == referee.START),
    "on_circle": own(lambda color, place: place == referee.circle(color)),
    "short_cut": own(lambda color, place: past_circle(color, place) in (59, 0, 1, 2)),
    "on_track": own(lambda _, place: isinstance(place, int)),
    "in_zone": own(lambda _, place: isinstance(place, tuple)),
    "home": own(lambda _, place: place == referee.HOME),
    "threats": danger(chasers),
    "stake": danger(lambda color, position, place: come(color, place) * chasers(color, position, place)),
    "targets": danger(prey),
    "sorry_risk": danger(lambda color, position, place: come(color, place) * len(starters(color, position)) * isinstance(place, int)),
    "start_risk": danger(lambda color, position, place: sum(place == referee.circle(other) for other in starters(color, position))),
    "foe_progress": foes(come),
    "foe_lead": foes(lambda color, place: come(color, place) ** 2 / 65),
    "foe_in_start": foes(lambda _, place: place == referee.START),
    "leader_progress": of_leader(come),
    "leader_lead": of_leader(lambda color, place: come(color, place) ** 2 / 65),
    "leader_in_start": of_leader(lambda _, place: place == referee.START),
}


def test_every_feature_has_its_meaning_here() -> None:
    assert list(FEATURES) == [feature.name for feature in classic.FEATURES]


class Made(NamedTuple):
    """A decision of a game with a choice, and what was chosen."""

    decision: referee.Decision
    before: referee.Position
    chosen: tuple[str, bool]  # text, and whether the card was declined

    def scores(self, weights: dict[str, float]) -> dict[tuple[str, bool], float]:
        """The sum of weight times feature for everything on offer."""
        color, before = self.decision.color, self.before
        return {
            (choice.text, choice.passed): sum(weight * FEATURES[name](color, choice, before) for name, weight in weights.items())
            for choice in self.decision.choices
        }

    def __str__(self) -> str:
        return f"{self.decision.color} {self.decision.card} in {referee.write_position(self.before)!r}: {self.chosen}"


def decisions(recorder: Recorder, rules: Rules, weights: dict[str, float], number: int) -> list[Made]:
    """The decisions of a game with a choice."""
    recording = recorder.record(classic.compile_rules(rules, 3), line_up(3, weights), 21, number)
    texts = recording.texts(SEATS)
    before = referee.read_position(" / ".join(f"{color}{' S' * rules.pawns}" for color in SEATS))
    found = []
    for seat, card, passed, text in zip(recording.seats, recording.cards, recording.passed, texts, strict=True):
        decision = referee.outcomes(rules, SEATS, int(seat), before, CARDS[card])
        if len(decision.choices) > 1:
            found.append(Made(decision, before, (text, bool(passed))))
        before = referee.read_position(text)
    return found


# Under the printed rules there is hardly ever a choice between more and less of these.
WHERE_IT_MATTERS: dict[str, dict[str, Any]] = {
    "own_bumps": {"own_collision": "bump_self"},
    "takes": {"sorry_alt_forward": 4},
    "passes": {"must_move": False},
}


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_is_what_it_says(recorder: Recorder, feature: str, sign: int) -> None:
    # A policy that weighs one feature takes an outcome with the most of it, or the least.
    rules = Rules(pawns=3, turn_cap=70, **WHERE_IT_MATTERS.get(feature, {}))
    mattered = 0
    for number in range(12):
        for made in decisions(recorder, rules, {feature: float(sign)}, number):
            values = made.scores({feature: float(sign)})
            best = max(values.values())
            assert values[made.chosen] == pytest.approx(best, abs=1e-4), f"{made}: {values}"
            mattered += min(values.values()) < best - 1e-4
        if mattered >= 12 and number:
            break
    assert mattered >= 5


def test_a_score_is_the_sum_of_weight_times_feature(recorder: Recorder) -> None:
    luck = random.Random(5)
    rules = Rules(pawns=3, turn_cap=60)
    for number in range(8):
        weights = {feature: luck.choice((-3.0, -0.5, 0.25, 1.0, 2.0, 7.0)) for feature in luck.sample(list(FEATURES), 8)}
        for made in decisions(recorder, rules, weights, number):
            scores = made.scores(weights)
            assert scores[made.chosen] == pytest.approx(max(scores.values()), abs=1e-3), f"{weights}: {made}: {scores}"


# -- chance among equals ---------------------------------------------------------------------------------


def ranks_of_choices(recorder: Recorder, rules: Rules, weights: dict[str, float], best: Callable[[bytes], int]) -> Counter[tuple[int, int]]:
    """How often, of how many equally good outcomes, which one was chosen, by number; ``best`` scores the mover's places."""
    table, tables = Table(rules, SEATS), classic.compile_rules(rules, 3)
    set_up = table.words({color: ["S"] * rules.pawns for color in SEATS})
    found: Counter[tuple[int, int]] = Counter()
    for number in range(40):
        recording = recorder.record(tables, line_up(3, weights), 31, number)
        befores = [set_up, *recording.words[:-1]]
        for seat, card, before, after in zip(recording.seats, recording.cards, befores, recording.words.tolist(), strict=True):
            mover = COLORS.index(SEATS[seat])
            results = table.outcomes(before, mover, int(card)).results
            scores = [best(result[mover].to_bytes(8, "little")) for result in results]
            equals = [result for result, score in zip(results, scores, strict=True) if score == max(scores)]
            if len(equals) > 1 and equals.count(after) == 1:  # passing may leave the same position as a move
                found[len(equals), equals.index(after)] += 1
    return found


def assert_uniform(found: Counter[tuple[int, int]]) -> None:
    checked = 0
    for size in {size for size, _ in found}:
        counts = [found[size, rank] for rank in range(size)]
        if sum(counts) >= 20 * size:
            assert stats.chisquare(counts).pvalue > CHANCE, (size, counts)
            checked += 1
    assert checked >= 4


@pytest.mark.parametrize("options", [{}, {"own_collision": "share"}], ids=["fast list", "full list"])
def test_random_is_uniform_over_distinct_outcomes(recorder: Recorder, options: dict[str, str]) -> None:
    assert_uniform(ranks_of_choices(recorder, Rules(**options), {}, lambda _: 0))


@pytest.mark.parametrize("options", [{}, {"own_collision": "share"}], ids=["fast list", "full list"])
def test_equal_scores_are_drawn_for(recorder: Recorder, options: dict[str, str]) -> None:
    assert_uniform(ranks_of_choices(recorder, Rules(**options), {"home": 1.0}, lambda places: places.count(t.HOME)))


def test_a_policy_chooses_for_its_own_seat_only(recorder: Recorder) -> None:
    recording = recorder.record(classic.compile_rules(Rules(), 4), line_up(4, *MIXED), 1, 1)
    again = recorder.record(classic.compile_rules(Rules(), 4), line_up(4, *MIXED[:3], {"progress": 1.0}), 1, 1)
    differ = np.flatnonzero((recording.words[: len(again.words)] != again.words[: len(recording.words)]).any(axis=1))
    assert recording.seats[differ[0]] == 3
