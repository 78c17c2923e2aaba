"""Surveys: many rulesets looked at one by one, at tables of several sizes, without a base to compare them with.

Two questions need that: whether it helps to move first, and how long a game lasts by the clock. The games are those of any other run with
the same players and seed.
"""

import fnmatch
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simsorry import policies, rulesets
from simsorry.errors import SimsorryError
from simsorry.simulate import Task
from simsorry.toml import shorten

if TYPE_CHECKING:
    from simsorry.question import Question

PATTERN = "*?["


@dataclass(frozen=True)
class Entry:
    """One ruleset with one number of players and one line-up."""

    spec: str  # the ruleset as it was named
    policy: str  # of all players
    task: Task


@dataclass(frozen=True)
class Plan:
    """A survey made ready to be played."""

    asked: "Question"
    entries: tuple[Entry, ...]  # by players, then line-up, then ruleset
    left_out: tuple[tuple[str, int], ...]  # rulesets and numbers of players that they are not for

    @property
    def tasks(self) -> tuple[Task, ...]:
        """What is played."""
        return tuple(entry.task for entry in self.entries)


def plan(asked: "Question") -> Plan:
    """What a survey plays. Raises SimsorryError with one sentence for what can't be had."""
    survey = asked.survey
    if not survey:
        raise ValueError("the question has no survey")
    entries, left_out = [], []
    for spec in specs(survey.rulesets):
        ruleset = rulesets.load(spec)
        line_ups = [(name, policies.line_up([name], 1, ruleset.game)[0]) for name in asked.line_ups]
        refusals: list[SimsorryError] = []
        for players in survey.players:
            try:
                tasks = [Task(ruleset, players, (policy,) * players, asked.seed) for _, policy in line_ups]
                _ = [task.seat_colors for task in tasks]  # refuses a number of players that the ruleset is not for
            except SimsorryError as error:
                refusals.append(error)
                left_out.append((spec, players))
                continue
            entries += [Entry(spec, name, task) for (name, _), task in zip(line_ups, tasks, strict=True)]
        if len(refusals) == len(survey.players):
            raise SimsorryError(f"survey.rulesets: {shorten(spec)}: {refusals[0]}", refusals[0].exit_code)
    order = list(survey.players)
    entries.sort(key=lambda entry: (order.index(entry.task.players), asked.line_ups.index(entry.policy)))
    return Plan(asked, tuple(entries), tuple(left_out))


def specs(named: Sequence[str]) -> list[str]:
    """The rulesets that are named, patterns spelled out, each once; SimsorryError for a pattern that no built-in ruleset has."""
    return list(dict.fromkeys(spec for each in named for spec in _spelled_out(each)))


def _spelled_out(named: str) -> Iterator[str]:
    if not set(PATTERN) & set(named) or "+" in named or "/" in named:
        yield named
        return
    found = fnmatch.filter(rulesets.names(), named)
    if not found:
        raise SimsorryError(f"survey.rulesets: {shorten(named)}: no built-in ruleset is called so; `simsorry rulesets list` shows them all")
    yield from found
