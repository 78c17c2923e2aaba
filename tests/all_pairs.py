"""Rulesets in which every two values of different options come together: a small covering set, found greedily.

What may be combined is asked of the rules themselves: of the checks by which ``Rules`` refuses a combination, and of the number of
players. A check reads some options and decides by them alone. So where it refuses, no rules with these values of these options are
possible; a search that changes one of them at a time, and finds no values that please all checks, has proved that there are none.
"""

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from engine_tools import values_off_default, with_needs
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.games.classic import rules as options
from simsorry.games.classic.rules import Rules
from simsorry.games.classic.tables import seat_colors

PLAYERS = "players"
CHOSEN: dict[int, tuple[str, ...]] = {2: ("blue", "red"), 3: ("green", "red", "yellow"), 4: ("yellow", "red", "green", "blue")}
CHECKS: dict[str, Callable[[Any], None]] = {name: check for name, check in vars(options).items() if name.lstrip("_").startswith("check_")}

Values = Mapping[str, int]  # of options, by their numbers


class Conflict(NamedTuple):
    """Why a combination is refused: which check does it, and what it has read, in that order."""

    check: str
    read: tuple[str, ...]


class Watched:
    """Rules that note which of their options are read."""

    model_fields = Rules.model_fields

    def __init__(self, value: Callable[[str], Any]) -> None:
        self._value = value
        self.read: dict[str, None] = {}

    def __getattr__(self, name: str) -> Any:
        self.read[name] = None
        return self._value(name)


class Options:
    """All options of the rules and the number of players, each with the values to be tried; the first is the default."""

    def __init__(self) -> None:
        self.values: dict[str, list[Any]] = {PLAYERS: [4, 3, 2]}
        for name, off_default in values_off_default().items():
            written = [getattr(Rules(**with_needs({name: value})), name) for value in off_default]
            self.values[name] = [getattr(Rules(), name), *(written if name != "seat_colors" else ["chosen"])]
        self.defaults = dict.fromkeys(self.values, 0)

    def players(self, row: Values) -> int:
        return int(self.values[PLAYERS][row[PLAYERS]])

    def value(self, row: Values, name: str) -> Any:
        """The value of an option in a row."""
        found = self.values[name][row[name]]
        return CHOSEN[self.players(row)] if name == "seat_colors" and found == "chosen" else found

    def arguments(self, row: Values) -> dict[str, Any]:
        """The keyword arguments for ``Rules``."""
        return {name: self.value(row, name) for name in row if name != PLAYERS}

    def conflict(self, row: Values) -> Conflict | None:
        """What refuses a row of all options, if anything does."""
        for name, check in CHECKS.items():
            watched = Watched(partial(self.value, row))
            try:
                check(watched)
            except ValueError:
                return Conflict(name, self._read(watched))
        watched = Watched(partial(self.value, row))
        try:
            seat_colors(watched, self.players(row))  # type: ignore[arg-type]
        except SimsorryError:
            return Conflict("seat_colors", (PLAYERS, *self._read(watched)))
        return None

    def _read(self, watched: Watched) -> tuple[str, ...]:
        """The options read; whose colors they are depends on how many play."""
        return (*watched.read, PLAYERS) if "seat_colors" in watched.read else tuple(watched.read)

    def complete(self, fixed: Values, rest: Values | None = None, proof: list[Conflict] | None = None) -> dict[str, int] | None:
        """A legal row with these values, if there is one; the others are those of ``rest`` where they can be.

        ``proof`` collects what stands in the way.
        """
        rest = rest or self.defaults
        row = {**rest, **fixed}
        found = self.conflict(row)
        if found is None:
            return row
        if proof is not None:
            proof.append(found)
        free = [name for name in found.read if name not in fixed]
        if not free:
            return None
        name = free[-1] if free[-1] == found.read[-1] else free[0]
        for number in sorted(range(len(self.values[name])), key=lambda number: number == row[name]):
            completed = self.complete({**fixed, name: number}, rest, proof)
            if completed:
                return completed
        return None


def any_row(luck: random.Random, options: Options, fixed: Values) -> dict[str, int]:
    """A row of random values, about a third of them the default, as far as they are possible together."""
    row = options.complete(fixed)
    assert row
    chosen = dict(fixed)
    for name in luck.sample(list(options.values), len(options.values)):
        number = luck.choice((0, *luck.choices(range(len(options.values[name])), k=2)))
        completed = options.complete({**chosen, name: number}, row) if name not in fixed else None
        if completed:
            row, chosen[name] = completed, number
    return row


class Pairs:
    """Which pairs of values are possible, and rows of values of all options in which they all come together; always the same."""

    def __init__(self) -> None:
        self.options = Options()
        self.ids = [(name, number) for name, values in self.options.values.items() for number in range(len(values))]
        self.number = {value: number for number, value in enumerate(self.ids)}
        names = np.array([name for name, _ in self.ids])
        self.possible: NDArray[np.bool_] = names[:, None] != names[None, :]
        self.refused: dict[tuple[int, int], list[Conflict]] = {}
        self.rows = self._cover()

    def pair(self, pair: tuple[int, int]) -> dict[str, int]:
        """A pair of values as part of a row."""
        return dict(self.ids[number] for number in pair)

    def covered(self, row: Values) -> Any:
        """Where a table of pairs has those of a row."""
        here = [self.number[value] for value in row.items()]
        return np.ix_(here, here)

    def _cover(self) -> list[dict[str, int]]:
        luck, open_pairs, rows = random.Random(1), self.possible.copy(), []
        while (first := self._first_pair(luck, open_pairs)) is not None:
            rows.append(self._row(luck, open_pairs, first))
            open_pairs[self.covered(rows[-1])] = False
        return rows

    def _first_pair(self, luck: random.Random, open_pairs: NDArray[np.bool_]) -> tuple[int, int] | None:
        """A pair that no row has yet, of values with many such pairs; those that turn out to be impossible are put aside."""
        while open_pairs.any():
            wanted = open_pairs.sum(axis=1) + np.array([luck.random() for _ in self.ids])
            one = int(wanted.argmax())
            pair = one, int((open_pairs[one] * wanted).argmax())
            proof: list[Conflict] = []
            if self.options.complete(self.pair(pair), proof=proof):
                return pair
            self.refused[pair] = proof
            for table in (open_pairs, self.possible):
                table[pair] = table[pair[::-1]] = False
        return None

    def _row(self, luck: random.Random, open_pairs: NDArray[np.bool_], first: tuple[int, int]) -> dict[str, int]:
        """A row that begins with a pair: option by option that of the possible values which covers most, beside those before."""
        fixed = self.pair(first)
        row = self.options.complete(fixed)
        assert row
        gain = open_pairs[list(first)].sum(axis=0)
        for name in luck.sample(list(self.options.values), len(self.options.values)):
            if name in fixed:
                continue
            for number in self._by_gain(luck, name, gain, fixed):
                completed = row if row[name] == number else self.options.complete({**fixed, name: number}, row)
                if completed:
                    row, fixed[name] = completed, number
                    gain += open_pairs[self.number[name, number]]
                    break
        return fixed

    def _by_gain(self, luck: random.Random, name: str, gain: NDArray[np.int64], fixed: Values) -> list[int]:
        """The numbers of an option's values that are not known to be impossible, those first that would cover most."""
        here = [self.number[value] for value in fixed.items()]
        numbers = [number for number in range(len(self.options.values[name])) if self.possible[self.number[name, number], here].all()]
        return sorted(numbers, key=lambda number: (-gain[self.number[name, number]], luck.random()))
