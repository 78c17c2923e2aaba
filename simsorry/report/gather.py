"""Gathers the games of a study: plays several tasks in step, or reads them where they are stored, and tallies them block by block.

All tasks of a sitting have the same players, policies and seed, and contribute the same game numbers. At no time
are there more than a few blocks of each in memory.
"""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from simsorry import games as game_modules
from simsorry import results, rulesets
from simsorry.errors import SimsorryError
from simsorry.metrics import Metric, Rows
from simsorry.policies import Policy
from simsorry.report.at_table import all_metrics
from simsorry.report.study import SECONDS_PER_TURN, OptionChange, RulesetCard, Sitting, build_sitting
from simsorry.report.tallies import Counted, Plan, Tallies, Tally
from simsorry.results import Stored
from simsorry.simulate import PART_GAMES, Block, Task, Traits, fitting_block, map_blocks
from simsorry.stats import Margin
from simsorry.toml import dotted, value_text

BLOCK_GAMES = 1_000  # played or read at a time, per task, at most
Description = Mapping[str, Any]  # of a task, as Task.describe() gives it


@dataclass(frozen=True)
class Name:
    """What a ruleset is called in a report."""

    short: str
    on_base: bool = False  # the base with house rules on top; the short name then lists those


@dataclass(frozen=True)
class Judging:
    """How differences are judged."""

    margins: Mapping[str, Margin]
    seconds_per_turn: float = SECONDS_PER_TURN


def short_names(names: Sequence[str]) -> list[Name]:
    """Each ruleset's name, shortened to its house rules where it is the first one with house rules on top."""
    base = names[0]
    return [Name(name.removeprefix(base + "+"), True) if name.startswith(base + "+") else Name(name) for name in names]


# -- identity --------------------------------------------------------------------------------------


def card(description: Description, base: Description, name: Name) -> RulesetCard:
    """A ruleset as a report shows it, with the options in which it differs from the base."""
    ruleset = description["ruleset"]
    return RulesetCard(
        name=ruleset["name"],
        short=name.short,
        title=ruleset["title"],
        source=ruleset["source"].replace("`", ""),
        readings=tuple(reading.replace("`", "") for reading in ruleset["readings"]),
        hash=ruleset["hash"],
        game=description["game"],
        game_version=description["version"],
        turn_cap=ruleset["rules"].get("turn_cap", 0),
        task=description["id"],
        seat_colors=tuple(description["seat_colors"]),
        traits=Traits.of(description),
        on_base=name.on_base,
        changes=_changes(description, base),
    )


def _changes(description: Description, base: Description) -> tuple[OptionChange, ...]:
    here, there = _flat(description["ruleset"]["rules"]), _flat(base["ruleset"]["rules"])
    changed = [option for option in dict.fromkeys([*there, *here]) if here.get(option) != there.get(option)]
    if not changed:
        return ()
    described = {option.name: option.description for option in rulesets.options(description["game"])}
    return tuple(
        OptionChange(option, _shown(there.get(option)), _shown(here.get(option)), described.get(option.partition(".")[0], ""))
        for option in changed
    )


def _shown(value: Any) -> str:
    return "not set" if value is None else value_text(value).strip('"')


def _flat(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Tables entry by entry under dotted names; empty tables vanish."""
    flat: dict[str, Any] = {}
    for key, value in rules.items():
        if isinstance(value, dict):
            flat |= {dotted([key, inner]): item for inner, item in value.items()}
        else:
            flat[key] = value
    return flat


def policies_of(description: Description) -> list[tuple[str, str]]:
    """Name and hash of the policy at each table seat."""
    return [(policy["name"], Policy(policy["name"], policy["title"], "", policy["weights"]).hash) for policy in description["policies"]]


# -- tallying --------------------------------------------------------------------------------------


def _plan(descriptions: Sequence[Description], games: range) -> Plan:
    policies = [name for name, _ in policies_of(descriptions[0])]
    metrics = all_metrics(policies, _columns(descriptions[0]["game"]), [Traits.of(each) for each in descriptions])
    return Plan(metrics, len(policies), games.start, len(games))


def _columns(game: str) -> set[str]:
    """The names of everything that a game counts."""
    module = game_modules.load(game)
    return {column.name for column in (*module.GAME_COLUMNS, *module.SEAT_COLUMNS)}


def _counted(plan: Plan, traits: Traits, block: Block) -> Counted:
    return plan.count(Rows(block.games, block.seats, block.players, block.first_game, traits))


def _tally(
    plan: Plan, descriptions: Sequence[Description], names: Sequence[Name], streams: Sequence[Iterator[Counted]],
    judging: Judging, on_games: Callable[[int], None],
) -> Sitting | None:  # fmt: skip
    """Takes in all streams in step; None if they end before all games are there."""
    tallies = Tallies(plan, [Traits.of(each) for each in descriptions])
    with ExitStack() as stack:
        for stream in streams:
            if isinstance(stream, Generator):
                stack.callback(stream.close)
        for counted in zip(*streams, strict=False):
            tallies.add(counted)
            on_games(sum(len(each.rows) for each in counted))
    if tallies.tallies[0].games < plan.games:
        return None
    cards = [card(each, descriptions[0], name) for each, name in zip(descriptions, names, strict=True)]
    policies = policies_of(descriptions[0])
    return build_sitting(tallies, cards, policies, descriptions[0]["seed"], judging.margins, judging.seconds_per_turn)


def play(
    tasks: Sequence[Task],
    games: range,
    names: Sequence[Name],
    judging: Judging,
    *,
    threads: int | None = None,
    stop: threading.Event | None = None,
    on_games: Callable[[int], None] = lambda _: None,
) -> Sitting | None:
    """Plays the same game numbers of every task, keeping no rows; None if ``stop`` was set before all were played.

    ``on_games`` is told how many more games are done, counting those of every task.
    """
    descriptions = [task.describe() for task in tasks]
    plan = _plan(descriptions, games)
    size = min(fitting_block(task, BLOCK_GAMES) for task in tasks)  # the same for all, which are tallied in step
    streams = [
        map_blocks(task, games, partial(_counted, plan, task.traits), threads=threads, block_games=size, stop=stop) for task in tasks
    ]
    return _tally(plan, descriptions, names, streams, judging, on_games)


def read(
    stored: Sequence[Stored],
    games: range,
    names: Sequence[Name],
    judging: Judging,
    *,
    stop: threading.Event | None = None,
    on_games: Callable[[int], None] = lambda _: None,
) -> Sitting | None:
    """The same from stored results; raises SimsorryError if a task lacks some of the games or was kept as sums."""
    descriptions = [each.description for each in stored]
    plan = _plan(descriptions, games)
    streams = [_counted_blocks(plan, each, games, stop) for each in stored]
    return _tally(plan, descriptions, names, streams, judging, on_games)


# -- each task by itself ---------------------------------------------------------------------------


def metrics_of(tasks: Sequence[Task]) -> tuple[Metric, ...]:
    """Everything that is measured of these tasks at one table."""
    return _plan([task.describe() for task in tasks], range(1)).metrics


def play_each(
    tasks: Sequence[Task],
    games: range,
    *,
    threads: int | None = None,
    stop: threading.Event | None = None,
    on_games: Callable[[int], None] = lambda _: None,
) -> list[Tally] | None:
    """Plays the same game numbers of every task, one task after the other, for what is told of blocks alone; None if it was stopped."""
    descriptions = [task.describe() for task in tasks]
    plan = _plan(descriptions, games)

    def counted(task: Task) -> Iterator[Counted]:
        size = fitting_block(task, BLOCK_GAMES)
        yield from map_blocks(task, games, partial(_counted, plan, task.traits), threads=threads, block_games=size, stop=stop)

    return _tally_each(plan, descriptions, map(counted, tasks), on_games)


def read_each(
    stored: Sequence[Stored],
    games: range,
    *,
    stop: threading.Event | None = None,
    on_games: Callable[[int], None] = lambda _: None,
) -> list[Tally] | None:
    """The same from stored results; raises SimsorryError if a task lacks some of the games or was kept as sums."""
    descriptions = [each.description for each in stored]
    plan = _plan(descriptions, games)
    return _tally_each(plan, descriptions, (_counted_blocks(plan, each, games, stop) for each in stored), on_games)


def _tally_each(
    plan: Plan, descriptions: Sequence[Description], streams: Iterable[Iterator[Counted]], on_games: Callable[[int], None]
) -> list[Tally] | None:
    tallies = []
    for description, stream in zip(descriptions, streams, strict=True):
        tally = Tally(plan, Traits.of(description))
        with closing(stream) if isinstance(stream, Generator) else nullcontext():
            for counted in stream:
                tally.add(counted)
                on_games(len(counted.rows))
        if tally.games < plan.games:
            return None
        tallies.append(tally)
    return tallies


def _counted_blocks(plan: Plan, stored: Stored, games: range, stop: threading.Event | None) -> Iterator[Counted]:
    traits = Traits.of(stored.description)
    for block in _stored_blocks(stored, games, stop):
        yield _counted(plan, traits, block)


def _stored_blocks(stored: Stored, games: range, stop: threading.Event | None) -> Iterator[Block]:
    """The blocks of one task, cut at the same game numbers for every task."""
    blocks = (block for _, block in results.iter_blocks(stored.folder, [stored.id]))
    for block in _cut(blocks, games, stored.folder):
        if stop is not None and stop.is_set():
            return
        yield block


def _cut(blocks: Iterable[Block], games: range, folder: Path) -> Iterator[Block]:
    """Pieces of at most ``BLOCK_GAMES`` games, none across a multiple of it; raises SimsorryError at a gap."""
    position = games.start
    for block in blocks:
        end = min(block.first_game + block.count, games.stop)
        if block.first_game > position:
            break
        while position < end:
            piece = min(end, position - position % BLOCK_GAMES + BLOCK_GAMES)
            yield _slice(block, position - block.first_game, piece - block.first_game)
            position = piece
    if position < games.stop:
        raise SimsorryError(f"{folder} lacks game {position:,}: run the task again to fill the gap, or ask for fewer games")


def _slice(block: Block, start: int, stop: int) -> Block:
    players = block.players
    return Block(
        {name: column[start:stop] for name, column in block.games.items()},
        {name: column[start * players : stop * players] for name, column in block.seats.items()},
        block.first_game + start,
    )


def whole_games(stored: Stored) -> int:
    """How many games from number 0 on are there without a gap."""
    there = 0
    while there in stored.parts:
        there += stored.parts[there]
        if there % PART_GAMES:
            break
    return there
