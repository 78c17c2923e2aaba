"""Tasks, and the blocks of games they are played in: all cores, any block size, the same rows.

A block is a run of consecutive games that one thread plays without holding Python's lock. As every game is a
function of its task and its number alone, how the games are cut into blocks changes nothing but the time taken.
Blocks are handed out in order and only a few at a time, so memory does not grow with the number of games.
"""

import hashlib
import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from simsorry import games as game_modules
from simsorry.asking import Asker
from simsorry.errors import FAILURE, SimsorryError
from simsorry.games import audited
from simsorry.games.records import words_of
from simsorry.games.weights import ASKS, HABITS, HORIZON, PLAYOUTS, compile_line_ups

if TYPE_CHECKING:
    from simsorry.gauge import Gauge
    from simsorry.policies import Policy
    from simsorry.rulesets import Ruleset

FORMAT = 4  # version of the stored results, raised whenever they hold other columns or sums; a part of every task id
PART_GAMES = 100_000  # stored parts and the blocks they are made of never cross a multiple of this
PART_GROWTH = 100  # after so many parts of a size, parts that hold sums alone are so many times larger
MAX_SEED = 2**64 - 1
MAX_GAMES = 10**12

_BLOCK_SECONDS = 0.25  # aim: long enough to hide Python's part, short enough for progress and Ctrl-C
_FIRST_BLOCK, _LARGEST_BLOCK = 4, 10_000  # games: the first blocks are small, because a game may take seconds
_GROWTH = 25  # times that a block may be larger than the one by which its time is foreseen
_LOOK_AHEAD = 2  # blocks per thread that are under way or waiting to be taken
_MOST_COMPILED = 16
_COMPILED_RULES: dict[tuple[str, str, int], NDArray[Any]] = {}  # the last ones

T = TypeVar("T")


class Bonus(NamedTuple):
    """What the winner of a round is paid for if the opponents have few pawns HOME."""

    at_most: int  # pawns HOME
    points: int
    together: bool  # whether the pawns of all opponents are counted together, not those of each

    @property
    def key(self) -> str:
        """The same for all bonuses that are earned alike, whatever they pay."""
        return f"bonus_{self.at_most}_together" if self.together and self.at_most else f"bonus_{self.at_most}"

    @property
    def meaning(self) -> str:
        """When it is earned, in words."""
        if not self.at_most:
            return "no opponent has a pawn HOME"
        pawns = {1: "one pawn", 2: "two pawns", 3: "three pawns"}.get(self.at_most, f"{self.at_most} pawns")
        return f"the opponents have no more than {pawns} HOME in all" if self.together else f"no opponent has more than {pawns} HOME"


@dataclass(frozen=True)
class Traits:
    """What a game has beside the plain race for oneself, read off its options: what is counted and shown depends on it."""

    hand: int = 0  # cards in each player's hand; 0 if one card is drawn and played at a time
    points: bool = False
    bonuses: tuple[Bonus, ...] = ()  # in the order of the columns band_1, band_2 …
    teams: tuple[tuple[int, int], ...] = ()  # table seats of the partners
    one_finishes: bool = False  # whether a team has won with the pawns of one partner HOME
    moves_partner: bool = False  # whether anybody ever moves a partner's pawn
    bumps_partner: bool = False  # whether anybody can send a partner's pawn back
    match: bool = False  # whether a game is a match of several rounds
    places: bool = False  # whether play goes on after the winner
    home_moves: bool = False  # whether a pawn brought HOME earns bonus moves
    bump_moves: bool = False  # whether a pawn sent back earns bonus moves
    gauge: bool = False  # whether the chance to win was gauged
    idle: bool = False  # whether an outcome may be that nothing is done, though it is not counted as passing

    @classmethod
    def of(cls, description: Mapping[str, Any]) -> "Traits":
        """Those of a task, from its description; what the options of its game do not speak of, it does not have."""
        rules, colors = description["ruleset"]["rules"], description["seat_colors"]
        points = rules.get("score_home_to", "none") != "none"
        together = rules.get("band_measure") == "total"
        teams = tuple((colors.index(one), colors.index(other)) for one, other in rules.get("team_pairs", ()))
        moves_partner = rules.get("team_control") == "both_colors" or rules.get("team_finished_player") == "plays_for_partner"
        collide = "team_collision" in rules  # even partners who share squares meet on slides
        hit = rules.get("team_sorry_target", "opponents_only") != "opponents_only"
        return cls(
            hand=rules.get("hand_size", 0),
            points=points,
            bonuses=tuple(Bonus(at_most, paid, together) for at_most, paid in rules.get("score_bands", ())) if points else (),
            teams=teams,
            one_finishes=rules.get("team_win") == "first_member",
            moves_partner=bool(teams) and moves_partner,
            bumps_partner=bool(teams) and (collide or hit),
            match=rules.get("match_end", "single_round") != "single_round",
            places=rules.get("game_end", "first_home") != "first_home",
            home_moves=rules.get("home_bonus", 0) > 0,
            bump_moves=rules.get("capture_bonus", 0) > 0 or rules.get("fight_bonus", 0) > 0,
            gauge=description.get("gauge") is not None,
            idle=rules.get("own_collision") == "ends_turn" or rules.get("two_playable_idle", False),
        )


@dataclass(frozen=True)
class Task:
    """What is played: a ruleset, the players with their policies by table seat, and the seed.

    Raises SimsorryError if the ruleset cannot seat that many players, or the policies or the seed do not fit.
    """

    ruleset: "Ruleset"
    players: int
    policies: tuple["Policy", ...]
    seed: int
    gauge: "Gauge | None" = None  # by which the chances to win are followed, if they are

    def __post_init__(self) -> None:
        _ = self.seat_colors  # the game says whether this many can play
        if len(self.policies) != self.players:
            raise SimsorryError(f"{len(self.policies)} policies were given for {self.players} players: one for each table seat is needed")
        if not 0 <= self.seed <= MAX_SEED:
            raise SimsorryError(f"seed = {self.seed} is out of range: a seed is a whole number from 0 to {MAX_SEED}")

    @property
    def game(self) -> Any:
        """The module of the game that is played."""
        return game_modules.load(self.ruleset.game)

    @property
    def is_deep(self) -> bool:
        """Whether somebody looks ahead, or is asked in Python."""
        return any(policy.weights.keys() & {PLAYOUTS, ASKS} for policy in self.policies)

    @property
    def entry_point(self) -> str:
        """The name of the compiled function that plays it."""
        return str(self.game.entry_point(self.ruleset.rules, self.is_deep))

    @cached_property
    def seat_colors(self) -> tuple[str, ...]:
        """The color at each table seat."""
        return tuple(self.game.seat_colors(self.ruleset.rules, self.players))

    @cached_property
    def traits(self) -> Traits:
        """What the game has beside the plain race."""
        return Traits.of(self.describe())

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The table seats of each side: a player or, in team play, a team."""
        return self.traits.teams or tuple((seat,) for seat in range(self.players))

    @cached_property
    def id(self) -> str:
        """16 hex digits that differ whenever a game could; names, titles and comments have no part in them."""
        return self.id_as_of(FORMAT, self.game.VERSION)

    def id_as_of(self, stored_as: int, version: int) -> str:
        """The id that it had when results were stored in a format and the game was of a version."""
        identity = {
            "format": stored_as,
            "game": self.ruleset.game,
            "version": version,
            "rules": self.ruleset.hash,
            "seat_colors": self.seat_colors,
            "policies": [_effective(policy.weights) for policy in self.policies],
            "players": self.players,
            "seed": self.seed,
            **({"gauge": self.gauge.identity} if self.gauge else {}),
        }
        return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]

    def describe(self) -> dict[str, Any]:
        """Everything about the task as plain data for JSON, without anything of the machine it runs on."""
        ruleset = self.ruleset
        return {
            "id": self.id,
            "format": FORMAT,
            "game": ruleset.game,
            "version": self.game.VERSION,
            "ruleset": {
                "name": ruleset.name,
                "title": ruleset.title,
                "source": ruleset.source,
                "readings": list(ruleset.readings),
                "hash": ruleset.hash,
                "rules": ruleset.resolved(),
            },
            "players": self.players,
            "seat_colors": list(self.seat_colors),
            "policies": [{"name": policy.name, "title": policy.title, "weights": _effective(policy.weights)} for policy in self.policies],
            "seed": self.seed,
            **({"gauge": self.gauge.describe()} if self.gauge else {}),
        }


def _effective(weights: dict[str, float]) -> dict[str, float]:
    """What decides how a policy plays; of its habits 0 says something, too."""
    return {name: float(weight) for name, weight in sorted(weights.items()) if weight or name in HABITS}


@dataclass(frozen=True)
class Block:
    """The rows of consecutive games: columns by name, in their stored types.

    Rows of ``seats`` run game by game, and within a game by play-order seat. ``audits`` are what was counted of audited games, summed up
    over those of ``audited.CHUNK`` game numbers.
    """

    games: dict[str, NDArray[Any]]
    seats: dict[str, NDArray[Any]]
    first_game: int
    audits: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, audited.SIZE), dtype=np.int64))  # by CHUNK; none of read rows

    @property
    def count(self) -> int:
        """Number of games."""
        return len(next(iter(self.games.values())))

    @property
    def players(self) -> int:
        """Rows of ``seats`` per game."""
        return len(next(iter(self.seats.values()))) // self.count


class Engine:
    """A task made ready to be played: its tables, its line-up, and a scratch record for each thread."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.game = task.game
        self.tables = _compiled_rules(task)
        self.line_up = compiled_policies(task)
        self._thread = threading.local()
        self.play(0, 0)  # compiles, or fetches the compiled code, before any clock runs

    def play(self, first_game: int, count: int) -> Block:
        """Plays a block; raises SimsorryError if the engine stops with an error code."""
        games = np.zeros((len(self.game.GAME_COLUMNS), count), dtype=np.int32)
        seats = np.zeros((len(self.game.SEAT_COLUMNS), count * self.task.players), dtype=np.int32)
        audits = np.zeros((audited.chunks(first_game, count), audited.SIZE), dtype=np.int64)
        if not hasattr(self._thread, "player"):
            self._thread.player = Player(self.task, self.tables, self.line_up)
        code = self._thread.player.play(first_game, games, seats, audits)
        if code:
            raise SimsorryError(
                f"the engine of {self.task.ruleset.game} gave up with code {code} between games {first_game} and {first_game + count - 1} "
                f"of {self.task.ruleset.name} (task {self.task.id}): this is a fault in simsorry, please report it with this line",
                FAILURE,
            )
        return Block(_columns(self.game.GAME_COLUMNS, games), _columns(self.game.SEAT_COLUMNS, seats), first_game, audits)


def _compiled_rules(task: Task) -> NDArray[Any]:
    """The rules of a task as the kernel takes them; made only once of those that are played by many line-ups, as that takes a while."""
    key = (task.ruleset.game, task.ruleset.hash, task.players)
    made = _COMPILED_RULES.get(key)  # other threads may let go of it at any time
    if made is None:
        made = task.game.compile_rules(task.ruleset.rules, task.players)
        while len(_COMPILED_RULES) >= _MOST_COMPILED:
            _COMPILED_RULES.pop(next(iter(_COMPILED_RULES)), None)
        _COMPILED_RULES[key] = made
    tables: NDArray[Any] = made.copy()
    if task.gauge:
        task.gauge.fill(tables[0])
    return tables


class Player:
    """Plays games of a task in one thread, in scratch records of its own."""

    def __init__(self, task: Task, tables: NDArray[Any], line_up: NDArray[Any]) -> None:
        self._task, self._tables, self._line_up = task, tables, line_up
        self._seed = np.uint64(task.seed)
        self.scratch = task.game.new_scratch()
        ghost = task.game.new_scratch() if task.is_deep else self.scratch
        self._records = (self.scratch, ghost, words_of(self.scratch), words_of(ghost))
        self._asker = Asker(task) if any(ASKS in policy.weights for policy in task.policies) else None

    def play(self, first_game: int, *rows: NDArray[Any]) -> int:
        """Fills rows of games; returns the engine's code. Raises SimsorryError if a function in Python fails."""
        game, first = self._task.game, np.uint64(first_game)
        if not self._task.is_deep:
            return int(game.play_block(self._tables, self._line_up, self.scratch, self._seed, first, *rows))
        at, answer, count = 0, -1, rows[0].shape[1]
        while True:
            at = int(game.play_deep(self._tables, self._line_up, *self._records, self._seed, first, at, answer, *rows))
            if not 0 <= at < count:
                return min(at, 0)
            assert self._asker is not None
            answer = self._asker.answer(self.scratch[0], first_game + at)


def _in_turns(weights: Mapping[str, float], players: int) -> dict[str, float]:
    """A policy's weights, its horizon in turns rather than in rounds."""
    return {name: value * players if name == HORIZON else value for name, value in weights.items()}


def compiled_policies(task: Task) -> NDArray[Any]:
    """The policies of a table as the kernel takes them."""
    weights = [_in_turns(policy.weights, task.players) for policy in task.policies]
    line_up: NDArray[Any] = compile_line_ups(task.game.compile_line_up, weights) if task.is_deep else task.game.compile_line_up(weights)
    return line_up


def _columns(columns: tuple[Any, ...], rows: NDArray[np.int32]) -> dict[str, NDArray[Any]]:
    """The kernel's rows by name, in their stored types (32-bit ones without copying)."""
    types = [np.dtype(column.dtype) for column in columns]
    return {
        column.name: row.view(dtype) if dtype.itemsize == row.itemsize else row.astype(dtype)
        for column, dtype, row in zip(columns, types, rows, strict=True)
    }


def part_of(game: int, *, sums_only: bool = False) -> range:
    """The games of the stored part that a game belongs to.

    Where rows are kept all parts are of one size. Sums take as much room however many games they are of, so that of sums alone there
    are larger parts the further a task goes: a few hundred parts for any number of games.
    """
    size = PART_GAMES
    while sums_only and game >= PART_GROWTH * size:
        size *= PART_GROWTH
    first = game - game % size
    return range(first, first + size)


def play(task: Task, first_game: int, games: int) -> Block:
    """Plays ``games`` games from number ``first_game`` on, in this thread."""
    return Engine(task).play(first_game, games)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def simulate(
    task: Task,
    games: range,
    *,
    threads: int | None = None,
    block_games: int | None = None,
    on_block: Callable[[Block], None] | None = None,
    stop: threading.Event | None = None,
) -> Iterator[Block]:
    """Plays the games of a range and yields their blocks in order; see ``map_blocks``.

    ``on_block`` is called in the caller's thread for each block before it is yielded.
    """
    for block in map_blocks(task, games, _unchanged, threads=threads, block_games=block_games, stop=stop):
        if on_block:
            on_block(block)
        yield block


def _unchanged(block: Block) -> Block:
    return block


def map_blocks(
    task: Task,
    games: range,
    work: Callable[[Block], T],
    *,
    threads: int | None = None,
    block_games: int | None = None,
    stop: threading.Event | None = None,
) -> Iterator[T]:
    """Yields ``work(block)`` for the blocks of a range of games, in order; ``work`` runs in the thread that played the block.

    ``threads`` defaults to all cores this process may use; without ``block_games`` blocks take about a quarter of a second.
    No block crosses a multiple of ``PART_GAMES``. Once ``stop`` is set no block is begun any more: those under way are
    finished and yielded, and the iteration ends early.
    """
    if games.step != 1:
        raise ValueError("games must be consecutive")
    engine = Engine(task)
    threads = threads or cores()
    first = 1 if task.is_deep else _FIRST_BLOCK  # to look ahead may take half a minute a game
    cuts = _Cuts(games, threads, block_games, first)
    stop = stop or threading.Event()

    def job(first_game: int, count: int) -> T | None:
        if stop.is_set():
            return None
        begun = time.perf_counter()
        block = engine.play(first_game, count)
        cuts.took(count, time.perf_counter() - begun)
        return work(block)

    pool = ThreadPoolExecutor(threads, thread_name_prefix="simsorry")
    waiting: deque[Future[T | None]] = deque()
    try:
        while True:
            while not stop.is_set() and len(waiting) < _LOOK_AHEAD * threads and (cut := cuts.next()):
                waiting.append(pool.submit(job, *cut))
            if not waiting or (done := waiting.popleft().result()) is None:
                return
            yield done
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def map_line_ups(
    jobs: Sequence[tuple[Task, range]], work: Callable[[Block], T], *, threads: int | None = None, stop: threading.Event | None = None
) -> Iterator[T]:
    """Yields ``work(block)`` of each task and its consecutive games, in order, a block each: for a few games of each of many line-ups.

    Once ``stop`` is set no block is begun any more, and the iteration ends early.
    """
    if not jobs:
        return
    stop = stop or threading.Event()

    def job(task: Task, games: range) -> T | None:
        return None if stop.is_set() else work(Engine(task).play(games.start, len(games)))

    pool = ThreadPoolExecutor(threads or cores(), thread_name_prefix="simsorry")
    try:
        for done in pool.map(lambda each: job(*each), jobs):
            if done is None:
                return
            yield done
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def fitting_block(task: Task, most: int, seconds: float = _BLOCK_SECONDS) -> int:
    """How many games of a task take about as long as a block should, ``most`` at most; a few are played to find out."""
    engine, games = Engine(task), 1
    while True:
        begun = time.perf_counter()
        engine.play(0, games)
        took = max(time.perf_counter() - begun, 1e-6)
        fitting = max(int(games / took * seconds), 1)
        if games * _GROWTH >= min(fitting, most):
            return min(fitting, most)
        games *= _GROWTH


class _Cuts:
    """Cuts a range of games into blocks, sized by the time that earlier ones took unless the size is given."""

    def __init__(self, games: range, threads: int, block_games: int | None, first: int) -> None:
        self._next, self._end = games.start, games.stop
        self._threads = threads
        self._fixed = block_games
        self._size = block_games or first

    def took(self, games: int, seconds: float) -> None:
        """Notes the time of a block. Called from any thread: a lost update only means another size."""
        if not self._fixed:
            self._size = min(max(int(games / max(seconds, 1e-6) * _BLOCK_SECONDS), 1), _LARGEST_BLOCK, _GROWTH * games)

    def next(self) -> tuple[int, int] | None:
        """First game and number of games of the next block; None at the end."""
        left = self._end - self._next
        if left <= 0:
            return None
        size = self._size
        if not self._fixed:  # towards the end smaller blocks, so that all threads finish together
            size = min(size, max(size // 8, -(-left // (2 * self._threads))))
        first = self._next
        count = min(size, left, PART_GAMES - first % PART_GAMES)
        self._next += count
        return first, count
