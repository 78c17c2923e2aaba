"""What house rules change in the average game, in percent of the base: a table, and a picture with one panel for each of them.

The rulesets have played the same game numbers, so the differences are taken game by game.

./run simsorry run hasbro --games 20000 --out runs
./run simsorry run hasbro+slides=off --games 20000 --out runs
./run python reports/what_a_rule_changes.py runs --base hasbro --picture what_a_rule_changes.svg
"""

import argparse
import sys
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from matplotlib import pyplot as plt

from simsorry import results, stats
from simsorry.errors import SimsorryError

COLUMNS = [  # as far as counted
    "turns", "dead_turns", "choice_turns", "draws", "bumps", "fights", "pawns_covered", "stack_moves", "slides", "swaps", "lead_changes",
]  # fmt: skip
TABLE = ("game", "players", "seat_colors", "policies", "seed")  # of a task: what must agree for its games to be paired


def tables(folder: Path, base: str) -> tuple[results.Stored, list[results.Stored]]:
    """The task of the base with most others at the same table, and these; SimsorryError if there is nothing to compare."""
    tasks = results.tasks(folder)
    others = {
        task.id: [each for each in tasks if each.id != task.id and all(each.description[key] == task.description[key] for key in TABLE)]
        for task in tasks
    }
    found = [task for task in tasks if task.description["ruleset"]["name"] == base]
    if not found:
        names = ", ".join(dict.fromkeys(task.description["ruleset"]["name"] for task in tasks))
        raise SimsorryError(f"{folder} holds no games of {base}; it holds {names}")
    standard = max(found, key=lambda task: len(others[task.id]))
    if not others[standard.id]:
        raise SimsorryError(f"{folder} holds no other ruleset with the players, policies and seed of {base} (task {standard.id})")
    return standard, others[standard.id]


def changes(base: pd.DataFrame, variant: pd.DataFrame) -> pd.DataFrame:
    """For each column the mean of both, and the change in percent of the base with its 95 % interval."""
    common = base.index.intersection(variant.index)
    rows = {}
    for column in (name for name in COLUMNS if name in base):
        before, after = (frame.loc[common, column].to_numpy(dtype=float) for frame in (base, variant))
        ratio = stats.ratio(after, before, len(common), column)  # game by game, so what the games have in common cancels
        rows[column] = (before.mean(), after.mean(), *(100 * (each - 1) for each in (ratio.value, ratio.low, ratio.high)))
    return pd.DataFrame.from_dict(rows, orient="index", columns=["base", "variant", "change %", "low %", "high %"])


def report(folder: Path, base: str, picture: Path) -> dict[str, pd.DataFrame]:
    """Draws the picture; returns the changes that each variant makes."""
    standard, others = tables(folder, base)
    columns = [name for name in COLUMNS if name in standard.columns["games"]]
    played = results.read_games(folder, columns, [task.id for task in (standard, *others)])
    by_task = {task: frame.set_index("game") for task, frame in played.groupby("task", observed=True)}
    found = {other.description["ruleset"]["name"]: changes(by_task[standard.id], by_task[other.id]) for other in others}
    figure, axes = plt.subplots(1, len(found), figsize=(1 + 4 * len(found), 4), sharey=True, squeeze=False, layout="constrained")
    for panel, (name, table) in zip(axes[0], found.items(), strict=True):
        spans = [table["change %"] - table["low %"], table["high %"] - table["change %"]]
        panel.axvline(0, color="gray", linestyle="--")
        panel.errorbar(table["change %"], table.index, xerr=spans, fmt="o", capsize=4)
        panel.set(title=name, xlabel=f"change, % of {base} (95% interval)")
    axes[0][0].invert_yaxis()
    figure.savefig(picture)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what simsorry run --out wrote")
    parser.add_argument("--base", default="hasbro", help="name of the ruleset that the others are compared with")
    parser.add_argument("--picture", type=Path, default=Path("what_a_rule_changes.png"), help="file to draw into (.png, .svg, .pdf)")
    given = parser.parse_args()
    mpl.use("Agg")  # no window
    try:
        for name, table in report(given.folder, given.base, given.picture).items():
            print(f"{name}\n{table.round(2).to_string()}\n")
    except SimsorryError as error:
        sys.exit(f"what_a_rule_changes: {error}")
