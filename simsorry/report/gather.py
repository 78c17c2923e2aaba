"""Gathers the games of a study: plays several tasks in step, or reads them where they are stored, and tallies them block by block.

All tasks of a sitting have the same players, policies and seed, and contribute the same game numbers. At no time
are there more than a few blocks of each in memory.
"""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from simsorry import results, rulesets, stats
from simsorry.at_table import all_metrics
from simsorry.errors import SimsorryError
from simsorry.gauge import Gauge
from simsorry.margin import Margin
from simsorry.metrics import Metric, Rows
from simsorry.policies import Policy
from simsorry.report.board import board_of
from simsorry.report.provenance import Played
from simsorry.report.study import SECONDS_PER_TURN, OptionChange, RulesetCard, Sitting, Stopping, build_sitting
from simsorry.report.tallies import Tallies, Tally, regrouped
from simsorry.report.words import listed
from simsorry.results import Stored
from simsorry.results.parts import read_block
from simsorry.simulate import FORMAT, Block, Task, Traits, fitting_block, map_blocks
from simsorry.tally import Counted, Plan, columns_of, lasting_block, policy_names, statistical_block
from simsorry.toml import dotted, value_text

BLOCK_GAMES = 1_000  # played at a time, per task and for each thread, at most
NO_AUDITS = "What is counted of audited games, one in 23, is left out: it is known of all stored games together, not of the first ones."
READ_GAMES = 10_000  # read at a time, per task
Description = Mapping[str, Any]  # of a task, as Task.describe() gives it


@dataclass(frozen=True)
class Name:
    """What a ruleset is called in a report."""

    short: str
    on_base: bool = False  # the base with house rules on top; the short name then lists those
    named: bool = False  # the short name is in somebody's plain words


@dataclass(frozen=True)
class Judging:
    """How differences are judged."""

    margins: Mapping[str, Margin]
    seconds_per_turn: float = SECONDS_PER_TURN


def short_names(names: Sequence[str], called: Mapping[str, str] = MappingProxyType({})) -> list[Name]:
    """Each ruleset's name, shortened to its house rules where it is the first one with house rules on top.

    ``called`` has those that somebody gives names of their own.
    """
    base = names[0]
    ruled = [Name(name.removeprefix(base + "+"), True) if name.startswith(base + "+") else Name(name) for name in names]
    return [replace(found, short=called[name], named=True) if name in called else found for name, found in zip(names, ruled, strict=True)]


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
        named=name.named,
        changes=_changes(description, base),
        gauge=Gauge.of(gauge) if (gauge := description.get("gauge")) else None,
        board=board_of(description),
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
    policies = policy_names(descriptions[0])
    metrics = all_metrics(policies, columns_of(descriptions[0]["game"]), [Traits.of(each) for each in descriptions])
    return Plan(metrics, len(policies), games.start, len(games))


def _counted(plan: Plan, traits: Traits, block: Block) -> Counted:
    return plan.count(Rows(block.games, block.seats, block.players, block.first_game, traits, block.audits))


def _tally(
    plan: Plan, descriptions: Sequence[Description], names: Sequence[Name], streams: Sequence[Iterator[Counted]],
    judging: Judging, on_games: Callable[[int], None], stored: Sequence[Stored] = (),
) -> Sitting | None:  # fmt: skip
    """Takes in all streams in step; None if they end before all games are there. Rows that were ``stored`` say nothing of audits."""
    tallies = Tallies(plan, [Traits.of(each) for each in descriptions])
    if not _take_in(tallies, streams, on_games):
        return None
    known = [_add_audits(plan, *each) for each in zip(stored, tallies.tallies, strict=False)]
    return _sitting(tallies, descriptions, names, judging, notes=() if all(known) else (NO_AUDITS,))


def _take_in(tallies: Tallies, streams: Sequence[Iterator[Counted]], on_games: Callable[[int], None]) -> bool:
    """Takes in all streams in step; whether all games of the plan are there then."""
    with ExitStack() as stack:
        for stream in streams:
            if isinstance(stream, Generator):
                stack.callback(stream.close)
        for counted in zip(*streams, strict=False):
            tallies.add(counted)
            on_games(sum(len(each.rows) for each in counted))
    return tallies.tallies[0].games == tallies.plan.games


def _add_audits(plan: Plan, stored: Stored, tally: Tally) -> bool:
    """Takes in what was counted of a task's audited games, stored beside the rows; False if it is not there for just these games."""
    if plan.first_game or plan.games not in ends(stored) or stored.description["format"] < FORMAT:
        return False
    for part in results.iter_tallies(stored, plan.games):
        results.take_tally(stored, part, tally, only_audits=True)
    return True


def _sitting(
    tallies: Tallies,
    descriptions: Sequence[Description],
    names: Sequence[Name],
    judging: Judging,
    stopping: Stopping | None = None,
    notes: tuple[str, ...] = (),
) -> Sitting:
    cards = [card(each, descriptions[0], name) for each, name in zip(descriptions, names, strict=True)]
    policies = policies_of(descriptions[0])
    made = build_sitting(tallies, cards, policies, descriptions[0]["seed"], judging.margins, judging.seconds_per_turn, stopping, notes)
    return replace(made, played=tuple(Played(each, made.games) for each in descriptions))


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
    """The same from stored results; raises SimsorryError if a task lacks some of the games, or has only sums of others together with them.

    Sums say the same of one task as its rows do. What ties the games of several tasks together is in the rows alone.
    """
    descriptions = [each.description for each in stored]
    plan = _plan(descriptions, games)
    if any(each.keep == "summary" for each in stored) or (len(stored) == 1 and _summed(stored[0], plan)):
        return _read_sums(stored, plan, names, judging, stop, on_games)
    streams = [_counted_blocks(plan, each, games, stop) for each in stored]
    return _tally(plan, descriptions, names, streams, judging, on_games, stored)


def _read_sums(
    stored: Sequence[Stored], plan: Plan, names: Sequence[Name], judging: Judging,
    stop: threading.Event | None, on_games: Callable[[int], None],
) -> Sitting | None:  # fmt: skip
    """Takes in stored sums, and rows where those do not fit; None if it was stopped."""
    kept = [each for each in stored if each.keep == "summary"]
    for each in kept:
        _needs_whole_parts(each, plan)
    missing = {metric for each in kept for metric in _not_summed(each, plan)}
    used = replace(plan, metrics=tuple(metric for metric in plan.metrics if metric not in missing))
    tallies = Tallies(used, [Traits.of(each.description) for each in stored], by_game=False)
    for each, tally in zip(stored, tallies.tallies, strict=True):
        if not _fill(tally, each, stop, on_games):
            return None
    notes = [f"Left out, for it is not among the sums that were kept: {metric.title}." for metric in plan.metrics if metric in missing]
    if len(stored) > 1:
        alone = listed([name.short for name, each in zip(names, stored, strict=True) if each in kept])
        notes.append(
            f"As only sums were kept of {alone}, it is not known how many games run the same course as before, and correlation and "
            "variance factor are those of blocks of games, which are known less well than those of games."
        )
    return _sitting(tallies, [each.description for each in stored], names, judging, notes=tuple(notes))


def _fill(tally: Tally, stored: Stored, stop: threading.Event | None, on_games: Callable[[int], None]) -> bool:
    """Takes in one task by itself, from its sums where those say all; False if it was stopped."""
    plan = tally.plan
    if stored.keep == "summary" or _summed(stored, plan):
        for part in results.iter_tallies(stored, plan.games):
            if stop is not None and stop.is_set():
                return False
            results.take_tally(stored, part, tally)
            on_games(part.games)
    else:
        for counted in _counted_blocks(plan, stored, range(plan.first_game, plan.first_game + plan.games), stop):
            tally.add(counted)
            on_games(len(counted.rows))
    return tally.games == plan.games


def ends(stored: Stored) -> list[int]:
    """How many games from number 0 on whole parts hold, the smallest number first: what sums can be told of."""
    whole = whole_games(stored)
    return [first_game + games for first_game, games in stored.parts.items() if first_game + games <= whole]


def _summed(stored: Stored, plan: Plan) -> bool:
    """Whether the stored sums say all that is asked of the rows."""
    if stored.description["format"] < FORMAT or plan.first_game or plan.games not in ends(stored):
        return False
    return not _not_summed(stored, plan)


def _not_summed(stored: Stored, plan: Plan) -> list[Metric]:
    """What there is to measure under a task's rules and is not among its sums, having come in later or with another ruleset."""
    kept, traits = next(results.iter_tallies(stored, plan.games)), Traits.of(stored.description)
    return [metric for metric in plan.metrics if metric.measured(traits) and not kept.measures(metric)]


def _needs_whole_parts(stored: Stored, plan: Plan) -> None:
    if plan.first_game or plan.games not in ends(stored):
        raise SimsorryError(
            f"{stored.folder} keeps sums only (--keep summary), which do not tell the first {plan.games:,} games from those after them: "
            f"ask for {_choice(ends(stored))} games, or run it with --keep rows into another folder",
        )


def _choice(numbers: Sequence[int]) -> str:
    """As ``100,000, 200,000, … or 1,234,567``."""
    shown = [f"{number:,}" for number in numbers]
    return listed(shown if len(shown) <= 3 else [*shown[:2], "…", shown[-1]], "or") or "no"


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
    plan = _plan([task.describe() for task in tasks], games)
    tallies = []
    for task in tasks:
        tally, size = Tally(plan, task.traits), fitting_block(task, BLOCK_GAMES)
        stream = map_blocks(task, games, partial(_counted, plan, task.traits), threads=threads, block_games=size, stop=stop)
        with closing(stream) if isinstance(stream, Generator) else nullcontext():
            for counted in stream:
                tally.add(counted)
                on_games(len(counted.rows))
        if tally.games < plan.games:
            return None
        tallies.append(tally)
    return tallies


def read_each(stored: Sequence[Stored], games: range, *, stop: threading.Event | None = None) -> list[Tally] | None:
    """The same from stored results; raises SimsorryError if a task lacks some of the games."""
    descriptions = [each.description for each in stored]
    plan = _plan(descriptions, games)
    tallies = [Tally(plan, Traits.of(description)) for description in descriptions]
    for tally, each in zip(tallies, stored, strict=True):
        if not _fill(tally, each, stop, lambda _: None):
            return None
        if not tally.audits.any():  # taken in from rows, which do not say what was audited
            _add_audits(plan, each, tally)
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
    """Pieces of at most ``READ_GAMES`` games, none across a multiple of it; raises SimsorryError at a gap."""
    position = games.start
    for block in blocks:
        end = min(block.first_game + block.count, games.stop)
        if block.first_game > position:
            break
        while position < end:
            piece = min(end, position - position % READ_GAMES + READ_GAMES)
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
    return there


# -- until there are enough ------------------------------------------------------------------------


@dataclass(frozen=True)
class Until:
    """When there are enough games: what is looked at after numbers of games that are fixed beforehand."""

    rule: str  # as the report says it
    most: int
    enough: Callable[[Sitting], bool]
    expected: int | None = None  # games to which confidence sequences are tuned; None for ordinary intervals


def play_until(
    tasks: Sequence[Task],
    until: Until,
    names: Sequence[Name],
    judging: Judging,
    *,
    threads: int | None = None,
    stop: threading.Event | None = None,
    on_games: Callable[[int], None] = lambda _: None,
) -> Sitting | None:
    """As ``play``, from game 0 on until there are enough games or as many as may be played."""
    descriptions = [task.describe() for task in tasks]
    size = min(fitting_block(task, BLOCK_GAMES) for task in tasks)

    def streams(plan: Plan, games: range) -> list[Iterator[Counted]]:
        return [
            map_blocks(task, games, partial(_counted, plan, task.traits), threads=threads, block_games=size, stop=stop) for task in tasks
        ]

    return _in_steps(descriptions, until, streams, names, judging, on_games)


def read_until(
    tasks: Sequence[Task],
    until: Until,
    names: Sequence[Name],
    judging: Judging,
    stored: Callable[[range], Sequence[Stored] | None],
    *,
    stop: threading.Event | None = None,
) -> Sitting | None:
    """The same from stored games: ``stored`` is asked for the games of each step, and answers None if there will be no more."""
    descriptions = [task.describe() for task in tasks]
    there: list[Stored] = []  # as of the last step

    def streams(plan: Plan, games: range) -> list[Iterator[Counted]]:
        there[:] = stored(games) or ()
        return [_counted_step(plan, each, games, stop) for each in there]

    return _in_steps(descriptions, until, streams, names, judging, lambda _: None, there)


def _counted_step(plan: Plan, stored: Stored, games: range, stop: threading.Event | None) -> Iterator[Counted]:
    """Games of one task, without a look at the parts before them."""
    parts = ((first, many) for first, many in stored.parts.items() if first + many > games.start)
    for block in _cut((read_block(stored.folder, *part) for part in parts), games, stored.folder):
        if stop is not None and stop.is_set():
            return
        yield _counted(plan, Traits.of(stored.description), block)


def _in_steps(
    descriptions: Sequence[Description], until: Until, streams: Callable[[Plan, range], Sequence[Iterator[Counted]]],
    names: Sequence[Name], judging: Judging, on_games: Callable[[int], None], stored: Sequence[Stored] = (),
) -> Sitting | None:  # fmt: skip
    """Takes in games step by step until there are enough; None if they end before that. Rows that were ``stored`` say nothing of audits.

    Sums are kept in blocks of which those of every later step are made, so that the report is the same as if as many games had been
    asked for from the start.
    """
    tallies, sitting, done = None, None, 0
    for look, games in enumerate(stats.looks(until.most), start=1):
        fine = replace(_plan(descriptions, range(games)), block=lasting_block(games))
        tallies = regrouped(tallies, fine) if tallies else Tallies(fine, [Traits.of(each) for each in descriptions])
        if not _take_in(tallies, streams(fine, range(done, games)), on_games):
            return None
        done = games
        whole = replace(fine, block=statistical_block(games))
        stopping = Stopping(until.rule, look, until.most, False, until.expected)
        told = regrouped(tallies, whole)
        known = [_add_audits(whole, *each) for each in zip(stored, told.tallies, strict=False)]
        sitting = _sitting(told, descriptions, names, judging, stopping, () if all(known) else (NO_AUDITS,))
        if until.enough(sitting):
            return replace(sitting, stopping=replace(stopping, reached=True))
    return sitting
