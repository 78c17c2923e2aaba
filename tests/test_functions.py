"""Policies that are functions in Python: what they are told, what they may answer, and that nothing else changes."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import refused, said, simsorry_says

from simsorry import asking, policies, rulesets, simulate
from simsorry.errors import SimsorryError
from simsorry.games import track
from simsorry.games.options import COLORS
from simsorry.games.weights import progress
from simsorry.policies import functions
from simsorry.simulate import Block, Task

Choose = Callable[[asking.Asked], Any]


def policy_of(choose: Choose) -> policies.Policy:
    """A policy that is a function of this file."""
    return policies.Policy("mine.py:choose", "choose", "", {"asks": 1.0}, function=functions.Function("mine.py:choose", choose, "0" * 12))


def task_of(ruleset: str, players: int, *players_of: policies.Policy | Choose | str, seed: int = 1) -> Task:
    """A table of functions, policies, or names of policies; of one for everybody."""
    rules = rulesets.load(ruleset)
    named = [policies.load(each, rules.game) if isinstance(each, str) else each for each in players_of * (players // len(players_of))]
    return Task(rules, players, tuple(each if isinstance(each, policies.Policy) else policy_of(each) for each in named), seed)


def rows_of(block: Block) -> dict[str, list[int]]:
    return {name: column.tolist() for name, column in [*block.games.items(), *block.seats.items()]}


def by_chance(asked: asking.Asked) -> Any:
    return asked.random.choice(asked.outcomes)


def the_last(asked: asking.Asked) -> int:
    return len(asked.outcomes) - 1
