"""How the average game changes along an option that is a number, such as how many pawns each player has: a table, and a picture.

Rulesets that differ in that option alone make a line, one for each line-up that has played them. Of an option with several numbers, such
as the pawns of each size, the sum is taken; deck_counts.sorry names one entry of a table. Where games were cut off the mark is hollow, for
the true mean of their turns is higher.

./run simsorry run hasbro --games 20000 --out runs
./run simsorry run hasbro+pawns=2 --games 20000 --out runs
./run python reports/along_an_option.py runs --option pawns --picture along_an_option.svg

What simsorry study has played lies in the folder games beside its report.
"""

import argparse
import copy
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from simsorry import results, stats
from simsorry.errors import SimsorryError

TABLE = ("game", "players", "seat_colors", "policies", "seed")  # of a task: what must agree, beside the other options
TURNS, DEAD, LEAD = "turns per game", "dead turns, %", "lead changes per game"
MARKS = ("o", "^", "s", "D", "v", "P")


class Point(NamedTuple):
    """What one ruleset came to."""

    number: int  # of the option
    ruleset: str
    games: int
    cut_off: int
    measured: dict[str, stats.Estimate]


def value(rules: dict[str, Any], option: str) -> Any:
    """What a ruleset has there; None if it has no such option."""
    name, _, entry = option.partition(".")
    found = rules.get(name)
    return found.get(entry) if entry and isinstance(found, dict) else None if entry else found


def as_number(found: Any, option: str, ruleset: str) -> int:
    """A number, or the sum of several; SimsorryError for anything else."""
    numbers = found if isinstance(found, list) else [found]
    if not numbers or not all(type(each) is int for each in numbers):
        raise SimsorryError(f"{option} is no number in {ruleset}, where it is {json.dumps(found)}")
    return sum(numbers)


def others(task: results.Stored, option: str) -> str:
    """All that two tasks must have alike to stand on one line."""
    about = copy.deepcopy(task.description)
    rules = about["ruleset"]["rules"]
    name, _, entry = option.partition(".")
    (rules[name] if entry else rules).pop(entry or name)
    return json.dumps([rules, *(about[key] for key in TABLE)], sort_keys=True)


def lines(folder: Path, option: str) -> dict[str, list[results.Stored]]:
    """The tasks of each line by the name of the line-up; SimsorryError if there is nothing to compare."""
    tasks = [task for task in results.tasks(folder) if value(task.description["ruleset"]["rules"], option) is not None]
    if not tasks:
        raise SimsorryError(f"{folder} holds no ruleset with an option {option}")
    groups: dict[str, list[results.Stored]] = {}
    for task in tasks:
        groups.setdefault(others(task, option), []).append(task)
    found: dict[str, list[results.Stored]] = {}
    for group in sorted(groups.values(), key=lambda group: [policy["name"] != "random" for policy in group[0].description["policies"]]):
        if len(group) > 1:
            found[label(group[0], option, groups.values())] = group
    if not found:
        raise SimsorryError(f"{folder} holds no two rulesets that differ in {option} alone and have been played by the same players")
    return found


def label(task: results.Stored, option: str, groups: Iterable[list[results.Stored]]) -> str:
    """``4 random``; with the name of the ruleset, but for the option, where several lines have the same players."""
    name = players(task)
    several = sum(len(group) > 1 and players(group[0]) == name for group in groups) > 1
    rules = "+".join(part for part in task.description["ruleset"]["name"].split("+") if not part.startswith(f"{option}="))
    return f"{name}, {rules}" if several else name


def players(task: results.Stored) -> str:
    """How many there are and what they play."""
    names = list(dict.fromkeys(policy["name"] for policy in task.description["policies"]))
    return f"{task.description['players']} {', '.join(names)}"


def named(option: str, tasks: list[results.Stored]) -> str:
    """What the numbers are called."""
    several = any(isinstance(value(task.description["ruleset"]["rules"], option), list) for task in tasks)
    return f"{option} (sum, for each player)" if several else option


def point(task: results.Stored, option: str, games: pd.DataFrame) -> Point:
    """The measures of one ruleset with their 95 % intervals."""
    ones, turns = np.ones(len(games)), games["turns_all"].to_numpy(dtype=float)
    ratios = {TURNS: (games["turns"], ones), DEAD: (100.0 * games["dead_turns"], turns), LEAD: (games["lead_changes"], ones)}
    name = task.description["ruleset"]["name"]
    return Point(
        as_number(value(task.description["ruleset"]["rules"], option), option, name),
        name,
        len(games),
        int(games["capped"].sum()),
        {measure: stats.ratio(top.to_numpy(dtype=float), bottom, len(games), measure) for measure, (top, bottom) in ratios.items()},
    )


def measured(folder: Path, option: str) -> tuple[str, dict[str, list[Point]]]:
    """What the numbers are called, and the points of every line in their order."""
    columns = ["turns", "turns_all", "dead_turns", "lead_changes", "capped"]
    found = {}
    every = lines(folder, option)
    for name, tasks in every.items():
        played = results.read_games(folder, columns, [task.id for task in tasks])
        frames = dict(iter(played.groupby("task", observed=True)))
        found[name] = sorted(point(task, option, frames[task.id]) for task in tasks)
    return named(option, [task for tasks in every.values() for task in tasks]), found


def as_table(found: dict[str, list[Point]], option: str) -> pd.DataFrame:
    """A row for each point; ``option`` is what the numbers are called."""
    rows = {
        (name, each.number, each.ruleset): {
            "games": f"{each.games:,}",
            **{measure: f"{at.value:.2f} ({at.low:.2f} to {at.high:.2f})" for measure, at in each.measured.items()},
            "cut off": f"{each.cut_off:,}",
        }
        for name, points in found.items()
        for each in points
    }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.names = ["players", option, "ruleset"]
    return table


def draw(found: dict[str, list[Point]], option: str, picture: Path) -> None:
    """A panel for each measure, a line for each line-up."""
    figure, axes = plt.subplots(1, 3, figsize=(12, 4.4), layout="constrained")
    for panel, measure in zip(axes, (TURNS, DEAD, LEAD), strict=True):
        for at, (name, points) in enumerate(found.items()):
            numbers, values = [each.number for each in points], [each.measured[measure].value for each in points]
            spans = [[each.measured[measure].value - each.measured[measure].low for each in points],
                     [each.measured[measure].high - each.measured[measure].value for each in points]]  # fmt: skip
            mark = MARKS[at % len(MARKS)]
            panel.errorbar(numbers, values, spans, fmt=f"-{mark}", capsize=3, color=f"C{at}", label=name)
            hollow = [(number, height) for number, height, each in zip(numbers, values, points, strict=True) if each.cut_off]
            if hollow:
                panel.plot(*zip(*hollow, strict=True), mark, color=f"C{at}", markerfacecolor="white", zorder=3)
        panel.set(title=measure, xlabel=option, xticks=sorted({each.number for points in found.values() for each in points}))
        panel.set_ylim(0, 1.08 * panel.get_ylim()[1])
    figure.suptitle(finding(found, option))
    notes = "95% intervals" + (
        "; hollow: some games were cut off" if any(each.cut_off for points in found.values() for each in points) else ""
    )
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=min(len(found), 4), title=f"players; {notes}")
    figure.savefig(picture)


def finding(found: dict[str, list[Point]], option: str) -> str:
    """How much longer a game is at one end than at the other."""
    told = []
    for name, points in found.items():
        first, last = points[0], points[-1]
        times = last.measured[TURNS].value / first.measured[TURNS].value
        told.append(f"{times:.2g} times as long at {last.number:,} as at {first.number:,} {option} ({name})")
    return "A game is " + ",\n".join(told)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what simsorry study or simsorry run --out wrote")
    parser.add_argument("--option", default="pawns", help="the option along which to look, such as pawns, pieces or deck_counts.sorry")
    parser.add_argument("--picture", type=Path, default=Path("along_an_option.svg"), help="file to draw into (.png, .svg, .pdf)")
    given = parser.parse_args()
    mpl.use("Agg")  # no window
    try:
        name, points = measured(given.folder, given.option)
    except SimsorryError as error:
        sys.exit(f"along_an_option: {error}")
    draw(points, name, given.picture)
    print(as_table(points, name).to_string())
