"""Choosing: every feature against its meaning worked out on the referee's board, and chance among equals."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from engine_tools import MIXED, SEATED, Recorder, line_up
from referee import classic as referee
from scipy import stats

from simsorry.games import classic, track
from simsorry.games.classic import notation, queries, story
from simsorry.games.classic.decision import Table
from simsorry.games.classic.features import HELD
from simsorry.games.classic.rules import Rules
from simsorry.games.hands import MAX_HELD, VALUES
from simsorry.games.options import CARDS, COLORS

CHANCE = 1e-6
SEATS = SEATED[3]
U = np.uint64


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return Recorder()


# -- what the features mean ------------------------------------------------------------------------------


class Seen(NamedTuple):
    """An outcome as its player sees it."""

    color: str
    partner: str | None
    outcome: referee.Outcome
    events: referee.Events  # of one of the equally plain ways to it
    before: referee.Position
    hand: tuple[str, ...]  # before; empty where a card was drawn

    @property
    def after(self) -> referee.Position:
        return self.outcome.position

    @property
    def team(self) -> list[str]:
        """The colors whose pawns count as own ones."""
        return [self.color, self.partner] if self.partner else [self.color]

    @property
    def opponents(self) -> list[str]:
        """The others, clockwise from the player."""
        clockwise = [COLORS[(COLORS.index(self.color) + step) % 4] for step in (1, 2, 3)]
        return [color for color in clockwise if color in self.before and color not in self.team]

    def pawns(self, colors: list[str]) -> list[tuple[str, referee.Place]]:
        return [(color, place) for color in colors for place in self.after[color]]

    @property
    def leader(self) -> list[str]:
        """The opponent on the way with least to go, the next clockwise among equals."""
        on_the_way = [other for other in self.opponents if to_go(other, self.before)]
        return [min(on_the_way, key=lambda other: to_go(other, self.before))] if on_the_way else []

    @property
    def starters(self) -> list[str]:
        """The opponents with pawns on START."""
        return [other for other in self.opponents if referee.START in self.after[other]]

    @property
    def kept(self) -> list[str]:
        """The hand without the card that is spent, if it is known which."""
        kept = list(self.hand)
        if self.outcome.card in kept:
            kept.remove(self.outcome.card)
        return kept


Value = Callable[[Seen], float]


def come(color: str, place: referee.Place) -> int:
    """Squares come from START."""
    return 65 - referee.squares_to_go(color, place)


def lead(color: str, place: referee.Place) -> float:
    return come(color, place) ** 2 / 65


def to_go(color: str, position: referee.Position) -> int:
    return sum(referee.squares_to_go(color, place) for place in position[color])


def own(value: Callable[[str, referee.Place], float]) -> Value:
    return lambda seen: sum(value(*pawn) for pawn in seen.pawns(seen.team))


def foes(value: Callable[[str, referee.Place], float]) -> Value:
    return lambda seen: sum(value(*pawn) for pawn in seen.pawns(seen.opponents))


def of_leader(value: Callable[[str, referee.Place], float]) -> Value:
    return lambda seen: sum(value(*pawn) for pawn in seen.pawns(seen.leader))


def partners(value: Callable[[str, referee.Place], float]) -> Value:
    return lambda seen: sum(value(*pawn) for pawn in seen.pawns([seen.partner] if seen.partner else []))


def danger(value: Callable[[Seen, str, referee.Place], float]) -> Value:
    return lambda seen: sum(value(seen, *pawn) for pawn in seen.pawns(seen.team))


@cache
def in_reach(color: str, square: int) -> frozenset[int]:
    """The squares that a pawn on the track hits with one card of the printed rules."""
    rules = Rules()
    forward = (target.place for card in (1, 2, 3, 5, 7, 8, 10, 11, 12) for target in referee.forward_targets(rules, color, square, card))
    ends = {place for place in forward if isinstance(place, int)} | {(square - 1) % 60, (square - 4) % 60}
    ridden = {step for slide in referee.SLIDES if slide.triangle in ends and slide.color != color for step in slide.ride}
    return frozenset(ends | ridden)


def chasers(seen: Seen, _: str, square: referee.Place) -> int:
    """Opponents' pawns that have a square in reach."""
    return sum(isinstance(place, int) and square in in_reach(other, place) for other, place in seen.pawns(seen.opponents))


def prey(seen: Seen, color: str, square: referee.Place) -> int:
    """Opponents' pawns in reach of a square."""
    return sum(isinstance(square, int) and place in in_reach(color, square) for _, place in seen.pawns(seen.opponents))


def sent_back(seen: Seen, *, own_pawns: bool) -> int:
    return sum((bump.victim in seen.team) == own_pawns for bump in seen.events.bumps)


def pawns_behind(seen: Seen) -> int:
    """Own pawns farther back than the rearmost pawn that a number card moves forward."""
    events = seen.events
    if seen.outcome.kind != "play" or events.backward or events.swap or events.sorry or events.start:
        return 0  # who starts is the rearmost
    moved = []
    for color in set(events.moved):
        after = list(seen.after[color])
        for place in seen.before[color]:
            if place in after:
                after.remove(place)
            else:
                moved.append((color, place))
    rearmost = max(referee.squares_to_go(*pawn) for pawn in moved if pawn[0] in events.moved)
    return sum(referee.squares_to_go(color, place) > rearmost for color in seen.team for place in seen.before[color])


def past_circle(color: str, place: referee.Place) -> int:
    """Squares past the own start circle, 60 and more off the track."""
    return (place - referee.circle(color)) % 60 if isinstance(place, int) else 60


def is_start(_: str, place: referee.Place) -> bool:
    return place == referee.START


def is_home(_: str, place: referee.Place) -> bool:
    return place == referee.HOME


FEATURES: dict[str, Value] = {
    "bumps": lambda seen: sent_back(seen, own_pawns=False),
    "own_bumps": lambda seen: sent_back(seen, own_pawns=True),
    "partner_bumps": lambda seen: sum(bump.partners and bump.victim in seen.team for bump in seen.events.bumps),
    "partner_moves": lambda seen: seen.partner in seen.events.moved,
    "slides": lambda seen: sum(color in seen.team for color in seen.events.rides),
    "starts": lambda seen: seen.events.start,
    "takes": lambda seen: seen.events.sorry,
    "swaps": lambda seen: seen.events.swap,
    "splits": lambda seen: seen.events.split,
    "backs": lambda seen: seen.events.backward,
    "passes": lambda seen: seen.outcome.kind in ("pass", "blocked"),
    "throws": lambda seen: seen.outcome.kind == "throw",
    "idles": lambda seen: seen.outcome.kind == "idle",
    "pawns_behind": pawns_behind,
    "progress": own(come),
    "lead": own(lead),
    "in_start": own(is_start),
    "on_circle": own(lambda color, place: place == referee.circle(color)),
    "short_cut": own(lambda color, place: past_circle(color, place) in (59, 0, 1, 2)),
    "on_track": own(lambda _, place: isinstance(place, int)),
    "in_zone": own(lambda _, place: isinstance(place, tuple)),
    "home": own(is_home),
    "threats": danger(chasers),
    "stake": danger(lambda seen, color, place: come(color, place) * chasers(seen, color, place)),
    "targets": danger(prey),
    "sorry_risk": danger(lambda seen, color, place: come(color, place) * len(seen.starters) * isinstance(place, int)),
    "start_risk": danger(lambda seen, _, place: sum(place == referee.circle(other) for other in seen.starters)),
    "foe_progress": foes(come),
    "foe_lead": foes(lead),
    "foe_in_start": foes(is_start),
    "leader_progress": of_leader(come),
    "leader_lead": of_leader(lead),
    "leader_in_start": of_leader(is_start),
    "partner_progress": partners(come),
    "partner_lead": partners(lead),
    "partner_in_start": partners(is_start),
    "partner_home": partners(is_home),
    **{f"holds_{card}": lambda seen, card=card: seen.kept.count(card) for card in CARDS},  # type: ignore[misc]
    "holds_start": lambda seen: "1" in seen.kept or "2" in seen.kept,
    "variety": lambda seen: len(set(seen.kept)),
}


def test_every_feature_has_its_meaning_here() -> None:
    assert list(FEATURES) == [feature.name for feature in classic.FEATURES]


class Made(NamedTuple):
    """A decision of a game with a choice, and what was chosen."""

    decision: referee.Decision
    partner: str | None
    before: referee.Position
    hand: tuple[str, ...]
    chosen: tuple[str, str, str]  # text, kind and card

    def scores(self, weights: dict[str, float]) -> dict[tuple[str, str, str], list[float]]:
        """The sums of weight times feature for everything on offer, one for each of the equally plain ways to it."""
        found = {}
        for choice in self.decision.choices:
            ways = [Seen(self.decision.color, self.partner, choice, way, self.before, self.hand) for way in choice.alike or [choice.events]]
            scores = [sum(weight * FEATURES[name](seen) for name, weight in weights.items()) for seen in ways]
            found[choice.text, choice.kind, choice.card] = scores
        return found

    def __str__(self) -> str:
        return f"{self.decision.color} {self.decision.cards} in {referee.write_position(self.before)!r}: {self.chosen}"


class Asked(NamedTuple):
    """What a player knows before a decision."""

    seat: int
    before: referee.Position
    hand: tuple[str, ...]  # the card held longest first; empty where a card is drawn
    state: dict[str, Any]  # what else there is to know of a hand

    def decide(self, rules: Rules, seats: tuple[str, ...], card: str) -> referee.Decision:
        """What the referee offers, with the card drawn or with the hand."""
        if self.hand:
            return referee.hand_outcomes(rules, seats, self.seat, self.before, self.hand, **self.state)
        return referee.outcomes(rules, seats, self.seat, self.before, card)


def asked(rules: Rules, seats: tuple[str, ...], x: Any) -> Asked:
    """The decision that comes next, with ``x`` the engine's memory."""
    seat = int(x["seat"])
    begin = seat * MAX_HELD
    hand = tuple(CARDS[card] for card in x["hand"][begin : begin + int(x["held"][seat])]) if rules.hand_size else ()
    followup = bool(x["again"])
    drawn = CARDS[x["drawn"]] if followup and rules.hand_size and rules.two_in_hand == "play_drawn" else None
    state = {"followup": followup, "drawn": drawn, "first_turn": not x["turns_had"][seat]}
    return Asked(seat, referee.read_position(notation.to_text(x["word"].tolist(), seats)), hand, state)


def decisions(recorder: Recorder, rules: Rules, weights: dict[str, float], number: int) -> Iterator[Made]:
    """The decisions of a game with a choice."""
    seats = SEATED[4] if rules.team_pairs else SEATS
    tables, policies, x = classic.compile_rules(rules, len(seats)), line_up(len(seats), weights), recorder.scratch[0]
    queries.begin(tables, recorder.scratch, U(21), U(number))
    going = True
    while going:
        known = asked(rules, seats, x)
        going = queries.step(tables, policies, recorder.scratch)
        card, kind = CARDS[int(x["did_card"])] if x["did_card"] < len(CARDS) else "", story.kind(int(x["did_action"]))
        decision = known.decide(rules, seats, card)
        if len(decision.choices) > 1:
            thrown = referee.ANY_CARD if kind == "throw" and rules.dead_hand == "random" else card
            chosen = (notation.to_text(x["word"].tolist(), seats), kind, thrown)
            yield Made(decision, referee.partner_of(rules, decision.color), known.before, known.hand, chosen)


def is_best(made: Made, weights: dict[str, float]) -> bool:
    """Fails unless what was chosen has the highest score; returns whether anything has a lower one."""
    scores = made.scores(weights)
    best = max(min(ways) for ways in scores.values())  # of several equally plain ways to one outcome the engine may tell another
    assert max(scores[made.chosen]) >= best - 1e-3, f"{weights}: {made}: {scores}"
    return any(max(ways) < best - 1e-3 for ways in scores.values())


# Under the printed rules there is hardly ever a choice between more and less of these.
WHERE_IT_MATTERS: dict[str, dict[str, Any]] = {
    "own_bumps": {"own_collision": "bump_self"},
    "takes": {"sorry_alt_forward": 4},
    "passes": {"must_move": False},
    "throws": {"hand_size": 3, "must_move": False},
    "idles": {"hand_size": 5, "two_playable_idle": True, "start_cards": ("1", "sorry")},
}


def rules_for(feature: str, **options: Any) -> Rules:
    """Rules under which there are choices between more and less of a feature."""
    known = next(known for known in classic.FEATURES if known.name == feature)
    if "partner" in feature:
        options |= {"team_pairs": "opposite"}
    if known.table == HELD:
        options |= {"hand_size": 5}
    return Rules(**options | WHERE_IT_MATTERS.get(feature, {}))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_is_what_it_says(recorder: Recorder, feature: str, sign: int) -> None:
    # A policy that weighs one feature takes an outcome with the most of it, or the least.
    rules = rules_for(feature, pawns=3, turn_cap=70)
    mattered = 0
    for number in range(12):
        mattered += sum(is_best(made, {feature: float(sign)}) for made in decisions(recorder, rules, {feature: float(sign)}, number))
        if mattered >= 12 and number:
            break
    assert mattered >= 5


TEAMS = {"team_pairs": "opposite", "team_eleven_partner": True}
MIXTURES: dict[str, dict[str, Any]] = {
    "alone": {},
    "hands": {"hand_size": 5},
    "hands with everything": {
        "hand_size": 4,
        "must_move": False,
        "two_in_hand": "play_drawn",
        "two_playable_idle": True,
        "two_followup_stuck": "discard_one",
        "dead_hand": "random",
        "own_collision": "ends_turn",
    },
    "teams": TEAMS,
    "teams that share": TEAMS | {"team_collision": "coexist", "slide_after_swap": "both", "seven_parts": 3},
    "teams that give way": TEAMS | {"team_collision": "bump_mover", "team_sorry_target": "any", "own_collision": "bump_self"},
    "teams of neighbors with hands": TEAMS | {"team_pairs": (("red", "green"), ("blue", "yellow")), "hand_size": 3},
    "teams with own pawns first": TEAMS | {"team_control": "own_only", "team_sorry_target": "any", "quick_start_pawns": 1},
}


@pytest.mark.parametrize("mixture", MIXTURES)
def test_a_score_is_the_sum_of_weight_times_feature(recorder: Recorder, mixture: str) -> None:
    luck = random.Random(mixture)
    rules = Rules(**{"pawns": 3, "turn_cap": 60} | MIXTURES[mixture])
    for number in range(8):
        weights = {feature: luck.choice((-3.0, -0.5, 0.25, 1.0, 2.0, 7.0)) for feature in luck.sample(list(FEATURES), 12)}
        assert sum(is_best(made, weights) for made in decisions(recorder, rules, weights, number))


# -- what a policy sees ----------------------------------------------------------------------------------


def with_other_cards(luck: random.Random, x: Any, players: int) -> None:
    """Puts other cards than there are into the pile, among the discards and into the hands of all but the player whose turn it is."""
    for name in ("deck", "discard"):
        x[name] = [luck.randrange(len(CARDS)) for _ in range(len(x[name]))]
    x["cards_key"] = luck.getrandbits(64)
    for seat in set(range(players)) - {int(x["seat"])}:
        hand = [luck.randrange(len(CARDS)) for _ in range(int(x["held"][seat]))]
        x["hand"][seat * MAX_HELD : seat * MAX_HELD + len(hand)] = hand
        x["have"][seat * VALUES : (seat + 1) * VALUES] = [hand.count(value) for value in range(VALUES)]
        x["values"][seat] = sum(1 << card for card in set(hand))


@pytest.mark.parametrize("options", [{"hand_size": 5}, {"hand_size": 3, "team_pairs": "opposite"}], ids=["alone", "teams"])
def test_nobody_sees_the_others_hands_nor_the_cards_to_come(recorder: Recorder, options: dict[str, Any]) -> None:
    luck = random.Random(6)
    rules = Rules(**{"pawns": 3, "turn_cap": 60} | options)
    tables, other = classic.compile_rules(rules, 4), classic.new_scratch()
    choices = 0
    for number in range(20):
        weights = [{feature: luck.uniform(-5, 5) for feature in luck.sample(list(FEATURES), 20)} for _ in range(4)]
        policies = line_up(4, *weights)
        queries.begin(tables, recorder.scratch, U(22), U(number))
        going = True
        while going:
            other[:] = recorder.scratch
            with_other_cards(luck, other[0], 4)
            queries.step(tables, policies, other)
            going = queries.step(tables, policies, recorder.scratch)
            here, there = ({name: scratch[0][name].tolist() for name in TOLD} for scratch in (recorder.scratch, other))
            assert here == there
            choices += here["outcomes"] > 1
    assert choices > 1000


TOLD = ("did_action", "did_card", "did_events", "outcomes", "word")  # what was done


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
def test_random_is_uniform_over_distinct_outcomes(recorder: Recorder, options: dict[str, Any]) -> None:
    assert_uniform(ranks_of_choices(recorder, Rules(**options), {}, lambda _: 0))


@pytest.mark.parametrize("options", [{}, {"own_collision": "share"}], ids=["fast list", "full list"])
def test_equal_scores_are_drawn_for(recorder: Recorder, options: dict[str, Any]) -> None:
    assert_uniform(ranks_of_choices(recorder, Rules(**options), {"home": 1.0}, lambda places: places.count(track.HOME)))


def test_a_policy_chooses_for_its_own_seat_only(recorder: Recorder) -> None:
    recording = recorder.record(classic.compile_rules(Rules(), 4), line_up(4, *MIXED), 1, 1)
    again = recorder.record(classic.compile_rules(Rules(), 4), line_up(4, *MIXED[:3], {"progress": 1.0}), 1, 1)
    differ = np.flatnonzero((recording.words[: len(again.words)] != again.words[: len(recording.words)]).any(axis=1))
    assert recording.seats[differ[0]] == 3
