"""The seed promise: games that every machine, number of threads and version of Python must play alike, and how that is checked.

``seeds.json`` holds a fingerprint of each of ``GAMES``: of all that is counted of a few hundred games of a task. They change only where the
VERSION of a game or the FORMAT of results is raised. ``simsorry doctor --seeds`` plays them on the machine it runs on.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry import policies, rulesets
from simsorry.simulate import Block, Task, simulate

PUBLISHED = Path(__file__).with_suffix(".json")
FIRST = 2  # games, of which there is a fingerprint, too: as many as plain Python plays in a second


class Case(NamedTuple):
    """Games whose fingerprint is published."""

    ruleset: str
    players: int
    policies: str  # one for all, or one for each table seat
    games: int
    seed: int = 1

    @property
    def name(self) -> str:
        """What it is called in the table."""
        return f"{self.ruleset}, {self.players} players, {self.policies}, seed {self.seed}"

    @property
    def task(self) -> Task:
        """What is played."""
        ruleset = rulesets.load(self.ruleset)
        return Task(ruleset, self.players, policies.line_up(self.policies.split(","), self.players, ruleset.game), self.seed)

    @property
    def game(self) -> str:
        """The game that its ruleset is one of."""
        return rulesets.load(self.ruleset).game


MIXED = "balanced,runner,random,careful"
GAMES = (
    Case("hasbro", 4, "random", 400),
    Case("hasbro", 2, "balanced,random", 400, 2**64 - 1),
    Case("hasbro", 3, "balanced~mistakes=0.1", 300, 7),
    Case("parker-1934", 4, MIXED, 300),
    Case("hasbro-teams", 4, "balanced", 300),
    Case("hasbro-points", 4, MIXED, 300),
    Case("hasbro-teams-points", 4, MIXED, 200, 7),
    Case("hasbro-match", 3, "balanced", 100),
    Case("french", 4, "random", 300),
    Case("house-spinner", 4, "random", 300),
    Case("hasbro+head_starts=0,1,2,3+start_cards=1,2,3", 4, "runner", 300),
    Case("sorreesi", 4, "random", 200),
    Case("sorreesi-teams-pool", 4, MIXED, 200),
    Case("sorreesi-dice-then-card", 2, "balanced", 200, 7),
    Case("ice", 4, "random", 200),
    Case("ice-scoring", 3, "balanced", 200),
    Case("ice-three+match_end=rounds:2", 2, "random", 200, 7),
    Case("hasbro", 2, "balanced~playouts=10~horizon=2,random", 20),  # who looks ahead weighs a doubt in floating point
    Case("sorreesi", 2, "balanced~playouts=10~horizon=1,random", 10),
    Case("ice-three", 2, "balanced~playouts=10~horizon=1,random", 10),
)


class Played(NamedTuple):
    """What a case came to: fingerprints of its first games and of all of them."""

    first: str
    all: str


class Checked(NamedTuple):
    """A case, the fingerprints that are published, and those that were found; neither where the other is missing."""

    case: Case
    published: Played
    found: Played

    @property
    def same(self) -> bool:
        """Whether they are the same."""
        return self.published == self.found


def published() -> dict[str, Played]:
    """The fingerprints of the table, by the names of their cases."""
    return {name: Played(*each) for name, each in json.loads(PUBLISHED.read_text(encoding="utf-8")).items()}


def check(
    cases: Iterable[Case],
    *,
    threads: int | None = None,
    on_games: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> Iterator[Checked]:
    """Plays each case and yields what it came to; ends early once ``stop`` is set."""
    known = published()
    for case in cases:
        found = play(case, threads=threads, on_games=on_games, stop=stop)
        if found is None:
            return
        yield Checked(case, known[case.name], found)


def play(
    case: Case,
    *,
    threads: int | None = None,
    block_games: int | None = None,
    on_games: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> Played | None:
    """The fingerprints of a case as this machine plays it; None if it was stopped."""
    blocks: list[Block] = []
    for block in simulate(case.task, range(case.games), threads=threads, block_games=block_games, stop=stop):
        blocks.append(block)
        if on_games:
            on_games(block.count)
    if sum(block.count for block in blocks) < case.games:
        return None
    return Played(rows_of(blocks, FIRST), fingerprint(blocks))


def fingerprint(blocks: Iterable[Block]) -> str:
    """16 hex digits of every number that was counted of the games of consecutive blocks, audited games included."""
    blocks = list(blocks)
    audits = np.concatenate([block.audits for block in blocks]).sum(axis=0)
    return hashlib.sha256((rows_of(blocks, sum(block.count for block in blocks)) + _text(audits)).encode()).hexdigest()[:16]


def rows_of(blocks: Iterable[Block], games: int) -> str:
    """16 hex digits of the rows of the first games of consecutive blocks, the same whatever the order of a machine's bytes."""
    blocks = list(blocks)
    digest = hashlib.sha256()
    for table, each in (("games", 1), ("seats", blocks[0].players)):
        for name in sorted(getattr(blocks[0], table)):
            column = np.concatenate([getattr(block, table)[name] for block in blocks])[: games * each]
            digest.update(f"{table}.{name} {_text(column)}\n".encode())
    return digest.hexdigest()[:16]


def _text(column: NDArray[np.integer]) -> str:
    """A column's type, and its numbers as the bytes that they are with the lowest one first."""
    typed = column.astype(column.dtype.newbyteorder("<"))
    return f"{typed.dtype.kind}{typed.dtype.itemsize} {hashlib.sha256(typed.tobytes()).hexdigest()}"
