"""What the engine's tests share: games told card by card, dense random positions, random rules, and rows by name."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, get_args, get_origin

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError
from referee import classic as referee

from simsorry import deck
from simsorry.games import classic
from simsorry.games.classic import kernel, notation, plain
from simsorry.games.classic import tables as t
from simsorry.games.classic.rules import CARDS, COLORS, Rules
from simsorry.jit import entry

U = np.uint64
_0, _1, _2, _3 = U(0), U(1), U(2), U(3)
SEATED = {players: t.DEFAULT_SEATS[players] for players in (2, 3, 4)}
MIXED = ({}, {"progress": 1.0, "bumps": 4.0, "home": 10.0}, {}, {"progress": -1.0, "passes": 3.0, "splits": 1.0, "swaps": 2.0})

# -- rows ------------------------------------------------------------------------------------------------


class Rows(NamedTuple):
    """What ``play_block`` writes."""

    games: NDArray[np.int32]
    seats: NDArray[np.int32]

    def game(self, name: str) -> NDArray[np.int32]:
        return self.games[GAME[name]]

    def seat(self, name: str, players: int) -> NDArray[np.int32]:
        """A column of the seats table, a row per game and a column per play-order seat."""
        return self.seats[SEAT[name]].reshape(-1, players)


GAME = {column.name: number for number, column in enumerate(classic.GAME_COLUMNS)}
SEAT = {column.name: number for number, column in enumerate(classic.SEAT_COLUMNS)}


def line_up(players: int, *weights: dict[str, float]) -> NDArray[Any]:
    """The same policy on every seat, one for each, or random players."""
    return classic.compile_line_up((weights or ({},)) * players if len(weights) < 2 else weights[:players])


def play(
    rules: Rules | NDArray[Any],
    players: int,
    games: int,
    *,
    policies: NDArray[Any] | None = None,
    seed: int = 1,
    first_game: int = 0,
    scratch: NDArray[Any] | None = None,
) -> Rows:
    """Plays games in one block; fails if the engine reports an error."""
    tables = classic.compile_rules(rules, players) if isinstance(rules, Rules) else rules
    rows = Rows(np.zeros((len(GAME), games), np.int32), np.zeros((len(SEAT), games * players), np.int32))
    policies = line_up(players) if policies is None else policies
    scratch = classic.new_scratch() if scratch is None else scratch
    assert classic.play_block(tables, policies, scratch, U(seed), U(first_game), *rows) == kernel.OK
    return rows


def assert_same(one: Rows, other: Rows) -> None:
    """Fails unless two blocks of rows are equal, naming what differs."""
    for columns, here, there in ((GAME, one.games, other.games), (SEAT, one.seats, other.seats)):
        different = [name for name, number in columns.items() if not np.array_equal(here[number], there[number])]
        assert not different


# -- games told card by card -----------------------------------------------------------------------------


@entry
def _play_step_by_step(tables, policies, scratch, seed, game, saved, steps, words, piles):  # type: ignore[no-untyped-def]
    """Plays one game and notes every card; returns how many there were, one more if there is no room for all."""
    r = tables[0]
    q = policies[0]
    x = scratch[0]
    kernel.set_up(r, x, seed, game)
    going = True
    k = 0
    while going and k < steps.shape[0]:
        # What the next draw will bring: drawn once to look, then put back as it was.
        left, draws, reshuffles = x.left, x.draws, x.reshuffles
        for i in range(r.deck_size):
            saved[i] = x.deck[U(i)]
        card = deck.draw(r, x, x.cards_key, x.again)
        for i in range(r.deck_size):
            x.deck[U(i)] = saved[i]
        x.left, x.draws, x.reshuffles = left, draws, reshuffles

        seat = x.seat
        passes = x.tally[kernel.tally_at(seat, kernel.TALLY.passes)]
        swaps = x.tally[kernel.tally_at(seat, kernel.TALLY.swaps)]
        going = kernel.step(r, q, x)
        steps[k, 0] = seat
        steps[k, 1] = card
        steps[k, 2] = x.tally[kernel.tally_at(seat, kernel.TALLY.passes)] - passes
        steps[k, 3] = x.tally[kernel.tally_at(seat, kernel.TALLY.swaps)] - swaps
        steps[k, 4] = x.capped
        for color in range(4):
            words[k, color] = x.word[U(color)]
        for i in range(piles.shape[1]):
            piles[k, i] = 0
        for i in range(r.deck_size):
            piles[k, x.deck[U(i)]] += 1
        piles[k, len(CARDS)] = x.left
        k += 1
    return k + 1 if going else k


class Recording(NamedTuple):
    """A game as the engine played it, a row per card."""

    seats: NDArray[np.int64]
    cards: NDArray[np.int64]
    passed: NDArray[np.int64]  # 1 where the card was declined
    swapped: NDArray[np.int64]  # 1 where an 11 changed places
    capped: NDArray[np.int64]
    words: NDArray[np.uint64]  # after the card, by color
    piles: NDArray[np.int64]  # after the card: the deck by card number, and last how many cards can still be drawn

    def texts(self, seated: Sequence[str]) -> list[str]:
        """The position after every card."""
        return [notation.to_text(row, seated) for row in self.words.tolist()]


class Recorder:
    """Plays games step by step, over and over in the same memory."""

    def __init__(self, most_cards: int = 20_000) -> None:
        self.scratch = classic.new_scratch()
        self._saved = np.zeros(256, np.uint8)
        self._steps = np.zeros((most_cards, 5), np.int64)
        self._words = np.zeros((most_cards, 4), np.uint64)
        self._piles = np.zeros((most_cards, len(CARDS) + 1), np.int64)

    def record(self, tables: NDArray[Any], policies: NDArray[Any], seed: int, game: int) -> Recording:
        """One game, which is left in ``scratch``; fails if it has more cards than there is room for."""
        room = self._saved, self._steps, self._words, self._piles
        count = _play_step_by_step(tables, policies, self.scratch, U(seed), U(game), *room)
        assert count <= len(self._steps)
        return Recording(*self._steps[:count].T.copy(), self._words[:count].copy(), self._piles[:count].copy())


# -- decisions -------------------------------------------------------------------------------------------


@entry
def _list_plain(tables, scratch, color, card, words):  # type: ignore[no-untyped-def]
    """``kernel.outcomes_of`` the fast way, which is for the position in the scratch record."""
    for number in range(4):
        scratch[0].word[U(number)] = words[number]
    second, third, fourth = words[(color + _1) & _3], words[(color + _2) & _3], words[(color + _3) & _3]
    return plain.list_plain(tables[0], scratch[0], color, card, words[color], second, third, fourth)


def plain_actions(tables: NDArray[Any], scratch: NDArray[Any], color: int, card: int, words: NDArray[np.uint64]) -> list[int]:
    """The actions that the fast enumeration lists."""
    n = int(_list_plain(tables, scratch, U(color), U(card), words))
    return scratch[0]["action"][:n].tolist()


def full_actions(tables: NDArray[Any], scratch: NDArray[Any], color: int, card: int, words: NDArray[np.uint64]) -> list[int]:
    """The actions of the full list of distinct outcomes."""
    n = int(kernel.outcomes_of(tables, scratch, U(color), U(card), words))
    assert not scratch[0]["overflow"]
    return scratch[0]["action"][:n].tolist()


# -- positions -------------------------------------------------------------------------------------------


def dense_position(luck: random.Random, rules: Rules, seated: Sequence[str]) -> referee.Position:
    """A legal placement with many pawns near each other, in zones, and near triangles, entries and circles."""
    base, width = luck.randrange(60), luck.choice((8, 15, 30, 60))
    taken: set[int] = set()
    position: referee.Position = {}
    for color in seated:
        places: list[referee.Place] = []
        while len(places) < rules.pawns:
            place = _some_place(luck, color, base, width)
            free = place in ("S", "H") or (place not in taken and (place not in places or rules.own_collision == "share"))
            if free:
                places.append(place)
        taken |= {place for place in places if isinstance(place, int)}
        position[color] = places
    return position


def _some_place(luck: random.Random, color: str, base: int, width: int) -> referee.Place:
    kind = luck.random()
    if kind < 0.15:
        return referee.START
    if kind < 0.25:
        return referee.HOME
    if kind < 0.4:
        return "Z", luck.randint(1, referee.ZONE)
    if kind < 0.55:  # before the entry, and the squares behind it
        return (referee.entry(color) + luck.randint(-12, 3)) % referee.TRACK
    if kind < 0.6:
        return luck.choice(referee.SLIDES).triangle
    if kind < 0.7:  # a few squares before a triangle, or on a slide
        return (luck.choice(referee.SLIDES).triangle + luck.randint(-7, 4)) % referee.TRACK
    return (base + luck.randrange(width)) % referee.TRACK


def words_of(position: referee.Position, rules: Rules, seated: Sequence[str]) -> NDArray[np.uint64]:
    """The engine's four words of a position."""
    return notation.to_words(written(position), rules, seated)


def written(position: referee.Position) -> dict[str, list[Any]]:
    """A referee's position in the notation of the engine."""
    return {color: [f"Z{place[1]}" if isinstance(place, tuple) else place for place in places] for color, places in position.items()}


# -- rules -----------------------------------------------------------------------------------------------

# Values off the default of the options that are neither true or false nor one of a few words.
_VALUES: dict[str, list[Any]] = {
    "pawns": [1, 2, 3, 5, 6, 7, 8],
    "quick_start_pawns": [1],
    "deck_counts": ["deck_44", "deck_55", {"1": 2, "2": 3, "7": 9, "sorry": 6, "10": 0}],
    "start_cards": [
        ("1",),
        ("1", "2", "3", "5", "7", "8", "10", "11", "12", "sorry"),
        ("4", "10", "sorry"),
        ("2", "7"),
        ("8", "11", "12", "sorry"),
    ],
    "seat_colors": [()],  # of as many colors as there are players: see with_seats
    "seven_parts": [1, 3, 4, 5, 8],
    "slide_riders": [
        {"red B": ("red", "yellow"), "blue A": ("blue",)},
        {"red A": COLORS, "blue A": COLORS, "yellow A": COLORS, "green A": COLORS},
        {"red B": (), "green B": (), "yellow A": ("red",)},
        {"green A": ("green", "red"), "red A": ("red",), "yellow B": ("yellow",)},
    ],
    "turn_cap": [7, 60],
}


def values_off_default() -> dict[str, list[Any]]:
    """Every option with the values to try; a new option of another kind fails here until it has some."""
    values: dict[str, list[Any]] = {}
    for name, field in Rules.model_fields.items():
        if field.annotation is bool:
            values[name] = [not field.default]
        elif get_origin(field.annotation) is Literal:
            values[name] = [value for value in get_args(field.annotation) if value != field.default]
        else:
            values[name] = _VALUES[name]
    return values


def with_seats(luck: random.Random, options: dict[str, Any], players: int) -> dict[str, Any]:
    """The options with colors for their seats, if they speak of those at all."""
    return options | {"seat_colors": tuple(luck.sample(COLORS, players))} if "seat_colors" in options else options


def random_rules(luck: random.Random, players: int, most: int = 4, **fixed: Any) -> Rules:
    """Rules with some options off their default, of different kinds and at random."""
    values = values_off_default()
    while True:
        chosen = luck.sample([name for name in values if name not in fixed], luck.randint(1, most))
        options = with_seats(luck, {name: luck.choice(values[name]) for name in chosen}, players) | fixed
        try:
            return Rules(**options)
        except ValidationError:
            continue  # what makes no sense together


def single_changes(players: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every value of every option by itself: a label, and the keyword arguments for ``Rules``."""
    luck = random.Random(players)
    for name, values in values_off_default().items():
        for value in values:
            options = with_seats(luck, {name: value}, players)
            label = f"{name}={'...' if isinstance(value, (dict, tuple)) else value}"
            yield label, options
    yield "quick_start_pawns=3", {"quick_start_pawns": 3, "own_collision": "share"}


def changed(rules: Rules) -> dict[str, Any]:
    """The options off their default, for a message."""
    return {name: getattr(rules, name) for name, field in Rules.model_fields.items() if getattr(rules, name) != field.default}
