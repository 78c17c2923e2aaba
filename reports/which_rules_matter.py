"""Which of many variants matter, for each of the line-ups that have played them: a table, and a picture of all changes.

A variant matters for a measure if the change is beyond the margin, and does not if it is within it; else that is open. The intervals
are corrected for how many are looked at (by Bonferroni's method), so that one in twenty tables holds a wrong one.

./run simsorry run hasbro --games 20000 --out runs
./run simsorry run hasbro+slides=off --games 20000 --out runs
./run python reports/which_rules_matter.py runs --base hasbro --picture which_rules_matter.svg

What simsorry study has played lies in the folder games beside its report.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from scipy import stats as distributions

from simsorry import results, stats
from simsorry.errors import SimsorryError

TABLE = ("game", "players", "seat_colors", "seed")  # of a task: what must agree for its games to be paired
WRONG = 0.05  # chance that a table holds a wrong verdict
LENGTH, DEAD, CHOICE, BUMPS, COVERED = "turns per game", "dead turns", "choice turns", "bumps per turn", "covered pawns"
FIRST = "wins of who moves first"
MARGINS = {LENGTH: 0.025, DEAD: 0.05, CHOICE: 0.05, BUMPS: 0.05, COVERED: 0.05, FIRST: 0.01}  # parts of the base; of the wins, of all games
COLUMNS = {  # what each is made of; nothing is said of what a game does not count
    LENGTH: ("turns",),
    DEAD: ("dead_turns", "turns_all"),
    CHOICE: ("choice_turns", "turns_all"),
    BUMPS: ("bumps", "turns_all"),
    COVERED: ("covered_turns", "pawn_turns"),
    FIRST: ("winner",),
}
MATTERS, OPEN, NOT = "yes", "open", "no"
MARKS = ("o", "^", "s", "D")


class Change(NamedTuple):
    """What a variant changes, in percent of the base; of the wins in percentage points."""

    line_up: str
    variant: str
    measure: str
    change: float
    low: float
    high: float

    @property
    def matters(self) -> str:
        """Whether it is beyond the margin."""
        margin = 100 * MARGINS[self.measure]
        if self.low > margin or self.high < -margin:
            return MATTERS
        return NOT if -margin < self.low and self.high < margin else OPEN


def option(task: results.Stored, name: str | None) -> Any:
    """The value that an option has in a task."""
    return task.description["ruleset"]["rules"].get(name)


def line_ups(folder: Path, base: str, without: str | None) -> dict[str, list[results.Stored]]:
    """The tasks by who plays, the base first; SimsorryError if there is nothing to compare."""
    tasks = results.tasks(folder)
    found: dict[str, list[results.Stored]] = {}
    for standard in (task for task in tasks if task.description["ruleset"]["name"] == base):
        others = [
            task
            for task in tasks
            if task.id != standard.id
            and task.description["policies"] == standard.description["policies"]
            and option(task, without) == option(standard, without)
            and all(task.description[key] == standard.description[key] for key in TABLE)
        ]
        names = [policy["name"] for policy in standard.description["policies"]]
        if others:
            found[names[0] if len(set(names)) == 1 else ", ".join(names)] = [standard, *others]
    if not found:
        raise SimsorryError(f"{folder} holds no games of {base} with those of another ruleset at the same table")
    return found


def measures(task: results.Stored) -> list[str]:
    """What can be said of a task, by what its game counts."""
    return [measure for measure, columns in COLUMNS.items() if set(columns) <= set(task.columns["games"])]


def by_game(frame: pd.DataFrame, measure: str) -> tuple[np.ndarray, np.ndarray]:
    """Numerator and denominator of a measure."""
    top, *bottom = COLUMNS[measure]
    over = frame[bottom[0]] if bottom else pd.Series(1.0, frame.index)
    return (frame[top] == 0 if measure == FIRST else frame[top]).to_numpy(dtype=float), over.to_numpy(dtype=float)


def changes(line_up: str, variant: str, base: pd.DataFrame, other: pd.DataFrame, measured: list[str], level: float) -> Iterator[Change]:
    """What a variant changes, game by game, so that what both games have in common cancels."""
    common = base.index.intersection(other.index)
    for measure in measured:
        (top, bottom), (new_top, new_bottom) = (by_game(frame.loc[common], measure) for frame in (base, other))
        if measure == FIRST:
            found = stats.ratio(new_top - top, np.ones(len(common)), len(common), "share", level)
            yield Change(line_up, variant, measure, *(100 * each for each in (found.value, found.low, found.high)))
            continue
        rate, new_rate = top.sum() / bottom.sum(), new_top.sum() / new_bottom.sum()
        # The relative change and its error: both rates by the delta method, in the same games.
        error = stats.standard_error(stats.influence(new_top, new_bottom) / rate - stats.influence(top, bottom) * new_rate / rate**2)
        half = _t(level, len(common)) * error
        change = new_rate / rate - 1
        yield Change(line_up, variant, measure, *(100 * each for each in (change, change - half, change + half)))


def _t(level: float, games: int) -> float:
    """How many standard errors an interval reaches to either side."""
    return float(distributions.t.ppf((1 + level) / 2, games - 1))


def all_changes(folder: Path, base: str, without: str | None = None) -> list[Change]:
    """Every change that is stored, variants that change the length most first; not of variants that change the option ``without``."""
    tables = line_ups(folder, base, without)
    measured = measures(next(iter(tables.values()))[0])
    level = 1 - WRONG / (len(measured) * sum(len(tasks) - 1 for tasks in tables.values()))
    columns = list(dict.fromkeys(column for measure in measured for column in COLUMNS[measure]))
    found = []
    for line_up, tasks in tables.items():
        played = results.read_games(folder, columns, [task.id for task in tasks])
        frames = {task: frame.set_index("game") for task, frame in played.groupby("task", observed=True)}
        for task in tasks[1:]:
            found += changes(line_up, task.description["ruleset"]["name"], frames[tasks[0].id], frames[task.id], measured, level)
    lengths: dict[str, float] = {}
    for each in found:
        if each.measure == LENGTH:
            lengths[each.variant] = max(lengths.get(each.variant, 0.0), abs(each.change))
    return sorted(found, key=lambda each: (-lengths[each.variant], each.variant))


def verdicts(found: list[Change]) -> pd.DataFrame:
    """By variant and line-up: each change, and what matters."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for each in found:
        unit = " pp" if each.measure == FIRST else " %"
        mark = {MATTERS: " !", OPEN: " ?", NOT: ""}[each.matters]
        rows.setdefault((each.variant, each.line_up), {})[each.measure] = f"{each.change:+.1f}{unit}{mark}"
    for (variant, line_up), row in rows.items():
        told = [each.matters for each in found if (each.variant, each.line_up) == (variant, line_up)]
        row["matters"] = MATTERS if MATTERS in told else OPEN if OPEN in told else NOT
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.names = ["variant", "players"]
    return table


def draw(found: list[Change], base: str, picture: Path) -> None:
    """A panel for each measure, a row for each variant, a mark for each line-up."""
    variants = list(dict.fromkeys(each.variant for each in found))
    measured = list(dict.fromkeys(each.measure for each in found))
    players = list(dict.fromkeys(each.line_up for each in found))
    size = (4 + 2.2 * len(measured), 1.6 + 0.32 * len(variants))
    figure, axes = plt.subplots(1, len(measured), figsize=size, sharey=True, layout="constrained")
    for panel, measure in zip(axes, measured, strict=True):
        panel.axvspan(-100 * MARGINS[measure], 100 * MARGINS[measure], color="0.9")
        panel.axvline(0, color="gray", linestyle="--", linewidth=1)
        for number, line_up in enumerate(players):
            shown = [each for each in found if each.measure == measure and each.line_up == line_up]
            rows = [variants.index(each.variant) + 0.2 * (number - (len(players) - 1) / 2) for each in shown]
            spans = [[each.change - each.low for each in shown], [each.high - each.change for each in shown]]
            panel.errorbar([each.change for each in shown], rows, xerr=spans, fmt=MARKS[number % len(MARKS)], capsize=2, label=line_up)
        panel.set(title=measure, xlabel="change, percentage points" if measure == FIRST else "change, %")
    axes[0].set_yticks(range(len(variants)), [name.removeprefix(f"{base}+") for name in variants])
    axes[0].invert_yaxis()
    mattering = {each.variant for each in found if each.matters == MATTERS}
    figure.suptitle(f"{len(mattering)} of {len(variants)} variants of {base} change something beyond the margin (gray)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(players), title="players")
    figure.savefig(picture)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what simsorry study or simsorry run --out wrote")
    parser.add_argument("--base", default="hasbro", help="name of the ruleset that the others are compared with")
    parser.add_argument("--without", metavar="OPTION", help="leave out variants that change this option")
    parser.add_argument("--picture", type=Path, default=Path("which_rules_matter.svg"), help="file to draw into (.png, .svg, .pdf)")
    given = parser.parse_args()
    mpl.use("Agg")  # no window
    try:
        every = all_changes(given.folder, given.base, given.without)
    except SimsorryError as error:
        sys.exit(f"which_rules_matter: {error}")
    draw(every, given.base, given.picture)
    print(verdicts(every).to_string())
    print("\n! beyond the margin, ? open, else within it")
