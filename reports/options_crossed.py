"""What options do alone and together, where every combination of them has been played: a table, and a picture of all effects.

An effect is how much a measure changes from the base's value of an option to another one, on average over the values of the others. An
interaction is how much that change itself differs with another option. All is taken game by game, over the game numbers all have played.

./run simsorry run hasbro --games 20000 --out runs
./run simsorry run hasbro+slides=off --games 20000 --out runs
./run simsorry run hasbro+pawns=2 --games 20000 --out runs
./run simsorry run hasbro+slides=off+pawns=2 --games 20000 --out runs
./run python reports/options_crossed.py runs --base hasbro --measure turns --picture options_crossed.svg

What simsorry sweep --keep-games has played can be read as well.
"""

import argparse
import itertools
import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from simsorry import results, stats
from simsorry.errors import SimsorryError

TABLE = ("game", "players", "seat_colors", "policies", "seed")  # of a task: what must agree for its games to be paired
TOGETHER = ": more than added up"
Cell = tuple[str, ...]  # a value for each option
Crossed = dict[Cell, results.Stored]


def options(task: results.Stored) -> dict[str, str]:
    """The options of a ruleset, those in tables too, each with its value as text."""
    found: dict[str, Any] = {}
    for name, value in task.description["ruleset"]["rules"].items():
        found |= {f"{name}.{entry}": each for entry, each in value.items()} if isinstance(value, dict) else {name: value}
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in found.items()}


def crossed(folder: Path, base: str) -> tuple[list[str], Cell, Crossed]:
    """Options, their values in the base, and a task for each combination: the most options that are fully crossed at one table."""
    tasks, best = results.tasks(folder), ([], (), {})
    for standard in (task for task in tasks if task.description["ruleset"]["name"] == base):
        here = options(standard)
        others = [task for task in tasks if all(task.description[key] == standard.description[key] for key in TABLE)]
        changed = {task.id: {name for name, value in options(task).items() if here.get(name) != value} for task in others}
        varied = sorted(set().union(*changed.values()))
        for many in range(len(varied), max(1, len(best[0])), -1):
            for names in itertools.combinations(varied, many):
                cells = {tuple(options(task)[name] for name in names): task for task in others if changed[task.id] <= set(names)}
                if len(cells) > many and len(cells) == np.prod([len({cell[at] for cell in cells}) for at in range(many)]):
                    best = max(best, (list(names), tuple(here[name] for name in names), cells), key=lambda found: len(found[2]))
    if not best[0]:
        raise SimsorryError(f"{folder} holds no two options that have been crossed on {base}: every combination of their values is needed")
    return best


def values(folder: Path, cells: Crossed, measure: str) -> dict[Cell, np.ndarray]:
    """What is measured in the games that all have played, by combination."""
    played = results.read_games(folder, [measure], [task.id for task in cells.values()])
    by_game = played.pivot_table(index="game", columns="task", values=measure, observed=True).dropna()
    return {cell: by_game[task.id].to_numpy(dtype=float) for cell, task in cells.items()}


def effect(found: dict[Cell, np.ndarray], at: int, base: str, other: str) -> np.ndarray:
    """The change of each game from one value of an option to another, on average over the rest."""
    befores, afters = ([found[cell] for cell in sorted(found) if cell[at] == value] for value in (base, other))
    return np.mean(afters, axis=0) - np.mean(befores, axis=0)


def changes(found: dict[Cell, np.ndarray], names: list[str], base: Cell) -> dict[str, stats.Estimate]:
    """All effects, and the interactions of all pairs, with their 95 % intervals."""
    steps = [(at, other) for at, value in enumerate(base) for other in sorted({cell[at] for cell in found} - {value})]
    games = {f"{names[at]} {base[at]} → {other}": effect(found, at, base[at], other) for at, other in steps}
    for (one, value), (two, also) in itertools.combinations(steps, 2):
        if one != two:
            with_it, without = ({cell: each for cell, each in found.items() if cell[two] == here} for here in (also, base[two]))
            name = f"{names[one]} {base[one]} → {value} and {names[two]} {base[two]} → {also}{TOGETHER}"
            games[name] = effect(with_it, one, base[one], value) - effect(without, one, base[one], value)
    return {name: stats.ratio(each, np.ones(len(each)), len(each), "") for name, each in games.items()}


def draw(found: dict[str, stats.Estimate], measure: str, base: str, picture: Path) -> None:
    """A line for each effect and interaction, the largest on top."""
    order = sorted(found, key=lambda name: (name.endswith(TOGETHER), -abs(found[name].value)))
    figure, axes = plt.subplots(figsize=(10, 1.8 + 0.4 * len(order)), layout="constrained")
    for row, name in enumerate(order):
        each, together = found[name], name.endswith(TOGETHER)
        span = [[each.value - each.low], [each.high - each.value]]
        mark, color = ("s", "C1") if together else ("o", "C0")
        axes.errorbar(each.value, row, xerr=span, fmt=mark, color=color, markerfacecolor="white" if together else color, capsize=4)
    axes.axvline(0, color="gray", linestyle="--")
    axes.set_yticks(range(len(order)), order)
    axes.invert_yaxis()
    axes.set_xlabel(f"change of {measure} a game (95% interval); \nhollow squares: what two options do more together than added up")
    largest = found[order[0]]
    span_told = f"{largest.value:+.1f} ({largest.low:+.1f} to {largest.high:+.1f})"
    figure.suptitle(f"{order[0]} changes {measure} most: by {span_told}\non {base}, {largest.n:,} games each")
    figure.savefig(picture)


def report(folder: Path, base: str, measure: str, picture: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Draws the picture; returns the means of all combinations, and the effects."""
    names, standard, cells = crossed(folder, base)
    found = values(folder, cells, measure)
    effects = changes(found, names, standard)
    draw(effects, measure, base, picture)
    means = {
        cells[cell].description["ruleset"]["name"]: stats.ratio(each, np.ones(len(each)), len(each), "") for cell, each in found.items()
    }
    return as_table(means, measure, ""), as_table(effects, "change", "+")


def as_table(found: dict[str, stats.Estimate], heading: str, sign: str) -> pd.DataFrame:
    """A row for each number with its interval."""
    rows = {name: [f"{each.value:{sign}.2f}", f"{each.low:.2f} to {each.high:.2f}", f"{each.n:,}"] for name, each in found.items()}
    return pd.DataFrame.from_dict(rows, orient="index", columns=[heading, "95% interval", "games"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what simsorry run --out or simsorry sweep --keep-games wrote")
    parser.add_argument("--base", default="hasbro", help="name of the ruleset that the options change")
    parser.add_argument("--measure", default="turns", help="a column of the games, such as turns, bumps or lead_changes")
    parser.add_argument("--picture", type=Path, default=Path("options_crossed.png"), help="file to draw into (.png, .svg, .pdf)")
    given = parser.parse_args()
    mpl.use("Agg")  # no window
    try:
        for table in report(given.folder, given.base, given.measure, given.picture):
            print(f"{table.to_string()}\n")
    except SimsorryError as error:
        sys.exit(f"options_crossed: {error}")
