"""Whole games: the engine against the referee fed with the same luck, and what must hold after every card."""

import random
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pytest
from engine_tools import (
    GAME,
    MIXED,
    SEAT,
    SEATED,
    Recorder,
    Recording,
    changed,
    line_up,
    play,
    random_rules,
    single_changes,
)
from numpy.typing import NDArray
from referee import classic as referee

from simsorry import rulesets
from simsorry.games import classic
from simsorry.games.classic import tables as t
from simsorry.games.classic.rules import CARDS, COLORS, Rules

RULESETS = {name: rulesets.load(name).rules for name in rulesets.names()}
PLAYERS = sorted(SEATED)
CHANGES = {players: list(single_changes(players)) for players in PLAYERS}


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return Recorder()


def policies(players: int, number: int) -> NDArray[Any]:
    """Random players for even numbers, mixed ones for odd."""
    return line_up(players, *MIXED) if number % 2 else line_up(players)


# -- the referee in the same games -----------------------------------------------------------------------


class Replay:
    """Feeds a recorded game's cards and choices to the referee."""

    def __init__(self, rules: Rules, seated: Sequence[str], first_seat: int, recording: Recording) -> None:
        self.recording = recording
        # The referee notes no step where a player with a hand does nothing.
        self.rows = [row for row, kind in enumerate(recording.kinds) if kind != "nothing" or not rules.hand_size]
        texts = recording.texts(seated)
        self.texts = [texts[row] for row in self.rows]
        self.game = referee.Game(rules, seated, first_seat, self._draw, self._choose, throw=self._throw, lead=self._lead)
        self._to_come = [iter(cards) for cards in recording.drawn]

    @property
    def _at(self) -> int:
        return self.rows[len(self.game.steps)]

    def _draw(self, pile: list[str]) -> str:
        card = CARDS[next(self._to_come[len(self.game.rounds) - 1])]
        assert card in pile, f"card {len(self.game.steps)}, a {card}, is not in the referee's pile {pile}"
        return card

    def _choose(self, decision: referee.Decision) -> referee.Outcome:
        text, kind, card = self.texts[len(self.game.steps)], self.recording.kinds[self._at], self.recording.cards[self._at]
        name = CARDS[card] if card < len(CARDS) else ""
        cards = (name, referee.ANY_CARD) if kind == "throw" else (name,)
        found = [choice for choice in decision.choices if (choice.text, choice.kind) == (text, kind) and self._is(choice, cards)]
        assert len(found) == 1, f"card {self._at}, {decision.color} {decision.cards}: the referee does not offer {kind} {name} to {text!r}"
        return found[0]

    def _is(self, choice: referee.Outcome, cards: tuple[str, ...]) -> bool:
        return choice.card in cards or choice.kind == "pass"

    def _throw(self, hand: list[str]) -> str:
        assert [CARDS[card] for card in self.recording.hands[self._at]] == hand
        return CARDS[self.recording.cards[self._at]]

    def _lead(self, number: int) -> int:
        return self.recording.first_seats[number - 1]


def assert_the_referee_counts_the_same(recorder: Recorder, rules: Rules, players: int, number: int, *, seed: int = 7) -> dict[str, int]:
    """Plays one game, has the referee follow it, and compares every counter; returns the game's."""
    tables, seated = classic.compile_rules(rules, players), classic.seat_colors(rules, players)
    rows = play(tables, players, 1, policies=policies(players, number), seed=seed, first_game=number)
    recording = recorder.record(tables, policies(players, number), seed, number)
    replay = Replay(rules, seated, int(rows.game("first_seat")[0]), recording)
    where = f"game {number} of seed {seed}, {players} players, {changed(rules)}"
    try:
        record = replay.game.play()
    except (AssertionError, StopIteration) as error:
        raise AssertionError(f"{where}: {error!r}") from error
    assert [step.text for step in record.steps] == replay.texts, where
    hands = [tuple(CARDS.index(card) for card in step.hand) for step in record.steps]
    assert not rules.hand_size or hands == [recording.hands[row] for row in replay.rows], where
    here = {name: int(rows.game(name)[0]) for name in GAME if name != "digest"}
    seats = [{name: int(rows.seats[row][order]) for name, row in SEAT.items()} for order in range(players)]
    # Of several equally plain ways to one outcome the engine may count another than the referee.
    unsure = record.in_doubt
    assert without(here, unsure) == without(record.game, unsure), where
    assert [without(seat, unsure) for seat in seats] == [without(seat, unsure) for seat in record.seats], where
    assert 0 <= here["bumps_slide"] - record.game["bumps_slide"] <= record.more_on_rides, where
    return here


def without(counters: dict[str, int], names: Collection[str]) -> dict[str, int]:
    return {name: count for name, count in counters.items() if name not in names}


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", RULESETS)
def test_the_referee_counts_the_same(recorder: Recorder, name: str, players: int) -> None:
    number = list(RULESETS).index(name) + players  # random and mixed players in turn
    game = assert_the_referee_counts_the_same(recorder, RULESETS[name], players, number)
    assert not game["capped"]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("number", range(len(CHANGES[2])), ids=[label for label, _ in CHANGES[2]])
def test_every_option_plays_to_an_end(recorder: Recorder, number: int, players: int) -> None:
    change = CHANGES[players][number][1]
    rules = Rules(**{"pawns": max(2, change.get("quick_start_pawns", 0))} | change)
    game = assert_the_referee_counts_the_same(recorder, rules, players, number)
    assert game["capped"] == ("turn_cap" in change and game["turns_all"] == rules.turn_cap)
    assert game["capped"] or game["winner"] < players


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("pawns", [1, 2, 3, 4, 6])
def test_the_referee_counts_the_same_under_any_rules(recorder: Recorder, pawns: int, players: int) -> None:
    luck = random.Random(10 * pawns + players)
    for number in range(40 // pawns):
        fixed = {"pawns": pawns, "turn_cap": 800 // pawns**2, "seven_parts": luck.choice((1, 2, 2, 3))}
        rules = random_rules(luck, players, most=6, **fixed)
        assert_the_referee_counts_the_same(recorder, rules, players, number)


TIGHT_DECK = dict.fromkeys(CARDS, 1) | {"1": 2, "2": 5}


@pytest.mark.parametrize("counts", ["deck_45", TIGHT_DECK], ids=["deck_45", "many 2s"])
@pytest.mark.parametrize("excluded", ["included", "excluded"])
@pytest.mark.parametrize("when", ["on_draw_from_empty", "when_last_taken"])
def test_the_referee_reshuffles_the_same(recorder: Recorder, when: str, excluded: str, counts: Any) -> None:
    reshuffles = 0
    for number in range(8):
        rules = Rules(pawns=2, deck_counts=counts, reshuffle_when=when, card_in_play_in_reshuffle=excluded, turn_cap=150)
        reshuffles += assert_the_referee_counts_the_same(recorder, rules, 2 + number % 3, number)["reshuffles"]
    assert reshuffles >= 8


# -- after every card ------------------------------------------------------------------------------------


class Course:
    """A recorded game as arrays of places: pawns by card, color and number, before and after each card."""

    def __init__(self, rules: Rules, players: int, recording: Recording) -> None:
        self.rules, self.recording = rules, recording
        self.tables = classic.compile_rules(rules, players)[0]
        self.colors = [COLORS.index(color) for color in classic.seat_colors(rules, players)]
        self.after = recording.words.astype("<u8").view(np.uint8).reshape(-1, 4, 8).astype(np.int64)
        set_up = np.full((1, 4, 8), t.NOWHERE)
        set_up[:, self.colors, : rules.pawns] = [0] * rules.quick_start_pawns + [t.START] * (rules.pawns - rules.quick_start_pawns)
        self.before = np.concatenate([set_up, self.after[:-1]])
        self.mover = np.array(self.colors)[recording.seats]
        self.cards = np.array(CARDS)[recording.cards]
        self.moved = self.before != self.after
        self.is_mover = np.arange(4)[None, :, None] == self.mover[:, None, None]

    def squares(self) -> NDArray[np.int64]:
        """Board squares 0 to 59 of pawns on the track, below zero elsewhere."""
        numbers = (self.after + 15 * np.arange(4)[None, :, None]) % t.TRACK
        return np.where(self.after < t.TRACK, numbers, -1)

    def on_ridden_triangles(self, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Pawns on a square whose slide their color rides."""
        ride = self.tables["ride"].reshape(4, t.ROW_STRIDE)
        return (ride[np.arange(4)[None, :, None], places] > 0) & (places < t.TRACK)


def assert_pawns_are_kept(course: Course) -> None:
    """Rulebook 11.3: every color keeps its pawns, and they stand on places that exist for it."""
    lanes = np.arange(8) < course.rules.pawns
    playing = np.isin(np.arange(4), course.colors)
    there = playing[:, None] & lanes
    assert ((course.after <= t.START) == there).all()
    assert ((course.after == t.NOWHERE) != there).all()
    assert (course.after[:, :, : course.rules.pawns] != t.NOWHERE)[:, course.colors].all()


def assert_squares_are_not_shared(course: Course) -> None:
    """At most one pawn on a square of the track or a zone, but for own pawns where the rules let them."""
    squares = course.squares()
    share = course.rules.own_collision == "share"
    for row, places in zip(squares, course.after, strict=True):
        owners: dict[int, int] = {}
        for color in course.colors:
            on_track = row[color][row[color] >= 0].tolist()
            in_zone = places[color][(places[color] >= t.ZONE) & (places[color] < t.HOME)].tolist()
            assert share or len(set(on_track)) == len(on_track)
            assert share or len(set(in_zone)) == len(in_zone)
            for square in set(on_track):
                assert owners.setdefault(square, color) == color


def assert_cards_are_kept(course: Course) -> None:
    """Every card of the deck is in the pile, among the discards or in play, and in the right number."""
    counts = list(course.rules.deck_counts.counts.values())
    assert (course.recording.piles[:, : len(CARDS)] == counts).all()
    left = course.recording.piles[:, len(CARDS)]
    assert (left <= sum(counts)).all()
    if course.rules.draw == "with_replacement":
        assert (left == sum(counts)).all()


def assert_others_are_only_bumped_or_swapped(course: Course) -> None:
    """A pawn of another color is moved back to START or by a swap, and never onto or out of a safe place."""
    others = course.moved & ~course.is_mover
    elsewhere = others & (course.after != t.START)
    assert (elsewhere.sum(axis=(1, 2)) <= course.recording.swapped).all()
    assert (course.after[elsewhere] < t.TRACK).all()
    assert (course.before[others] < t.TRACK).all()
    assert (course.cards[course.recording.swapped > 0] == "11").all()


def assert_declined_cards_change_nothing(course: Course) -> None:
    assert not course.moved[course.recording.passed > 0].any()


def assert_triangles_are_left(course: Course) -> None:
    """A pawn comes to rest on a triangle that its color rides only by a swap, or where the rules say that it does not slide."""
    rests = course.on_ridden_triangles(course.after) & course.moved
    rules = course.rules
    swapped = course.recording.swapped > 0
    allowed = np.zeros_like(rests)
    if rules.slide_after_swap != "both":
        allowed |= swapped[:, None, None] & ~course.is_mover
    if rules.slide_after_swap == "none":
        allowed |= swapped[:, None, None] & course.is_mover
    if not rules.slide_on_backward:
        allowed |= np.isin(course.cards, ["4", "10"])[:, None, None] & course.is_mover
    if not rules.slide_after_sorry:
        allowed |= (course.cards == "sorry")[:, None, None] & course.is_mover
    # The start circle is no triangle, whatever slide_riders say, so starting needs no exception.
    assert not (rests & ~allowed).any()


def assert_it_ends_with_a_pawn_on_HOME(course: Course) -> None:
    """The game ends with the card that brings the last pawn HOME or at the cap, and goes on before."""
    at_home = (course.after[:, course.colors, : course.rules.pawns] == t.HOME).all(axis=2).sum(axis=1)
    needed = {"first_home": 1, "full_ranking": len(course.colors) - 1, "all_home": len(course.colors)}[course.rules.game_end]
    assert (at_home[:-1] < needed).all()
    came_home = (course.moved & (course.after == t.HOME))[-1, course.mover[-1]].any()
    capped = bool(course.recording.capped[-1])
    assert capped == (at_home[-1] < needed)
    assert capped or came_home
    assert not (course.moved & (course.before == t.HOME)).any()


def assert_forward_cards_gain_what_they_say(course: Course) -> None:
    """Printed rules: a 3, 5, 8 or 12 brings its player that much nearer, and a slide 3 or 4 more; but for own pawns bumped."""
    togo = course.tables["togo"][course.before].astype(int) - course.tables["togo"][course.after]
    bumped = (course.moved & course.is_mover & (course.after == t.START)).any(axis=(1, 2))
    gained = (togo * course.is_mover * (course.before <= t.START)).sum(axis=(1, 2))
    for card in ("3", "5", "8", "12"):
        gains = set(gained[(course.cards == card) & ~bumped].tolist())
        assert gains <= {0, int(card), int(card) + 3, int(card) + 4}


INVARIANTS = [
    assert_pawns_are_kept,
    assert_squares_are_not_shared,
    assert_cards_are_kept,
    assert_others_are_only_bumped_or_swapped,
    assert_declined_cards_change_nothing,
    assert_triangles_are_left,
    assert_it_ends_with_a_pawn_on_HOME,
]


def assert_sound(recorder: Recorder, rules: Rules, players: int, number: int) -> Course:
    recording = recorder.record(classic.compile_rules(rules, players), policies(players, number), 11, number)
    course = Course(rules, players, recording)
    for invariant in INVARIANTS:
        try:
            invariant(course)
        except AssertionError as error:
            raise AssertionError(f"game {number} of seed 11, {players} players, {changed(rules)}: {invariant.__name__}") from error
    return course


@pytest.mark.parametrize("name", RULESETS)
def test_invariants_of_the_rulesets(recorder: Recorder, name: str) -> None:
    for number in range(6):
        assert_sound(recorder, RULESETS[name], 2 + number % 3, number)


@pytest.mark.parametrize("pawns", range(1, 9))
def test_invariants_of_any_rules(recorder: Recorder, pawns: int) -> None:
    luck = random.Random(pawns)
    for number in range(24):
        rules = random_rules(luck, 2 + number % 3, most=6, pawns=pawns, turn_cap=luck.choice((50, 400)))
        assert_sound(recorder, rules, 2 + number % 3, number)


def test_forward_cards_under_the_printed_rules(recorder: Recorder) -> None:
    for number in range(9):
        assert_forward_cards_gain_what_they_say(assert_sound(recorder, Rules(), 2 + number % 3, number))


def test_rests_on_triangles_do_occur(recorder: Recorder) -> None:
    courses = [assert_sound(recorder, Rules(), 4, number) for number in range(6)]
    assert any(course.on_ridden_triangles(course.after).any() for course in courses)


# -- the two ways of the engine --------------------------------------------------------------------------


def test_the_step_by_step_games_are_those_of_the_blocks(recorder: Recorder) -> None:
    for number in range(5):
        rows = play(Rules(), 4, 1, seed=3, first_game=number)
        recording = recorder.record(classic.compile_rules(Rules(), 4), line_up(4), 3, number)
        assert len(recording.cards) == rows.game("draws")[0]
        assert rows.game("digest").astype(np.uint32)[0] == int(recorder.scratch[0]["digest"]) >> 32


@pytest.mark.parametrize("name", ["hasbro", "house-share-squares"])
def test_the_cards_do_not_depend_on_what_is_done_with_them(recorder: Recorder, name: str) -> None:
    tables = classic.compile_rules(RULESETS[name], 3)
    for number in range(5):
        one, other = (recorder.record(tables, line_up(3, *weights), 3, number) for weights in ([{}], MIXED))
        both = min(len(one.cards), len(other.cards))
        assert (one.cards[:both] == other.cards[:both]).all()
        assert (one.words[:both] != other.words[:both]).any()
