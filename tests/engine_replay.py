"""The referee in the engine's games: fed with the same luck and choices, it must see the same and count the same."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, NamedTuple

from engine_invariants import Course, sound_course
from engine_tools import GAME, MIXED, SEAT, Recorder, Recording, Rows, changed, line_up, play
from numpy.typing import NDArray
from referee import classic as referee
from referee.common import NOT_COUNTED

from simsorry.games import classic
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS


@cache
def _line_up(players: int, mixed: bool) -> NDArray[Any]:
    return line_up(players, *MIXED) if mixed else line_up(players)


def policies(players: int, number: int) -> NDArray[Any]:
    """Random players for even numbers, mixed ones for odd."""
    return _line_up(players, number % 2 == 1)


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


class Followed(NamedTuple):
    """A game that engine and referee agree on."""

    rows: Rows
    course: Course
    record: referee.Record

    @property
    def game(self) -> dict[str, int]:
        """The game's counters."""
        return {name: int(self.rows.game(name)[0]) for name in GAME if name not in NOT_COUNTED}


def follow(recorder: Recorder, rules: Rules, players: int, number: int, *, seed: int = 7) -> Followed:
    """Plays one game, checks what must hold after every card, has the referee follow it, and compares every counter."""
    tables, seated = classic.compile_rules(rules, players), classic.seat_colors(rules, players)
    rows = play(tables, players, 1, policies=policies(players, number), seed=seed, first_game=number)
    recording = recorder.record(tables, policies(players, number), seed, number)
    where = f"game {number} of seed {seed}"
    course = sound_course(rules, tables, recording, where)
    where = f"{where}, {players} players, {changed(rules)}"
    replay = Replay(rules, seated, int(rows.game("first_seat")[0]), recording)
    try:
        record = replay.game.play()
    except (AssertionError, StopIteration) as error:
        raise AssertionError(f"{where}: {error!r}") from error
    assert [step.text for step in record.steps] == replay.texts, where
    hands = [tuple(CARDS.index(card) for card in step.hand) for step in record.steps]
    assert not rules.hand_size or hands == [recording.hands[row] for row in replay.rows], where
    followed = Followed(rows, course, record)
    assert_counted_the_same(followed, players, where)
    return followed


def assert_counted_the_same(followed: Followed, players: int, where: str) -> None:
    here, record = followed.game, followed.record
    counted = [(name, row) for name, row in SEAT.items() if name not in NOT_COUNTED]
    seats = [{name: int(followed.rows.seats[row][order]) for name, row in counted} for order in range(players)]
    # Of several equally plain ways to one outcome the engine may count another than the referee.
    unsure = record.in_doubt
    assert _without(here, unsure) == _without(record.game, unsure), where
    assert [_without(seat, unsure) for seat in seats] == [_without(seat, unsure) for seat in record.seats], where
    assert 0 <= here["bumps_slide"] - record.game["bumps_slide"] <= record.more_on_rides, where


def _without(counters: dict[str, int], names: Collection[str]) -> dict[str, int]:
    return {name: count for name, count in counters.items() if name not in names}
