"""The balance of one ruleset on a page: who wins, how long a game takes in turns and minutes, what a turn is, who sends whom back.

./run simsorry run hasbro --games 20000 --out runs
./run python reports/one_ruleset.py runs --ruleset hasbro --picture one_ruleset.svg
"""

import argparse
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from simsorry import results, stats
from simsorry.errors import SimsorryError

TURNS = {"dead": "nothing to do", "forced": "no choice", "choice": "a choice"}
COLUMNS = ["winner", "capped", "turns", "turns_all", *(f"{kind}_turns" for kind in TURNS)]
BEDTIME = 45  # minutes


def chosen(folder: Path, ruleset: str) -> results.Stored:
    """The task of that ruleset with most games; SimsorryError if there is none."""
    tasks = [task for task in results.tasks(folder) if task.keep == "rows"]
    found = [task for task in tasks if task.description["ruleset"]["name"] == ruleset]
    if not found:
        names = ", ".join(dict.fromkeys(task.description["ruleset"]["name"] for task in tasks))
        raise SimsorryError(f"{folder} holds no games of {ruleset}; it holds {names}")
    return max(found, key=lambda task: task.games)


def told(estimate: stats.Estimate, scale: float = 1, digits: int = 1, unit: str = "") -> str:
    """``24.3% (22.5 to 26.2)``."""
    value, low, high = (f"{scale * each:.{digits}f}" for each in (estimate.value, estimate.low, estimate.high))
    return f"{value}{unit} ({low} to {high})"


def measured(games: pd.DataFrame, seats: pd.DataFrame, players: int, seconds: float) -> dict[str, tuple[stats.Estimate, str]]:
    """Every number of the page with its 95 % interval, and as text."""
    ones, all_turns = np.ones(len(games)), games["turns_all"].to_numpy(dtype=float)
    won = seats.pivot_table(index="game", columns="seat", values="won")
    bumped = "bumps_given" in seats
    given = seats.pivot_table(index="game", columns="seat", values="bumps_given") if bumped else None
    found = {f"won by seat {seat + 1}": (stats.share(int(won[seat].sum()), len(won)), "%") for seat in range(players)}
    whole = games.loc[games["capped"] == 0, "turns"]
    lengths, cut = np.bincount(whole), len(games) - len(whole)
    found |= {f"turns, {p:.0%} are over": (stats.quantile(lengths, p, censored=cut), "turns") for p in (0.1, 0.5, 0.9)}
    found["turns on average"] = (stats.ratio(games["turns"].to_numpy(dtype=float), ones, len(games), "turns"), "turns")
    found[f"over within {BEDTIME} minutes"] = (stats.share(int((whole * seconds / 60 <= BEDTIME).sum()), len(games)), "%")
    for kind, name in TURNS.items():
        found[f"turns with {name}"] = (stats.ratio(games[f"{kind}_turns"].to_numpy(dtype=float), all_turns, len(games), "share"), "%")
    if given is not None:
        found |= {
            f"pawns sent back by seat {seat + 1}": (stats.ratio(given[seat].to_numpy(dtype=float), ones, len(games), "pawns"), "pawns")
            for seat in range(players)
        }
    return found


def points(axes: Axes, found: dict[str, stats.Estimate], scale: float, even: float | None, unit: str) -> None:
    """A point with its interval for each seat."""
    values = [scale * each.value for each in found.values()]
    spans = [[scale * (each.value - each.low) for each in found.values()], [scale * (each.high - each.value) for each in found.values()]]
    if even is not None:
        axes.axhline(even, color="gray", linestyle="--", label="even share")
        axes.legend(frameon=False)
    axes.errorbar(list(found), values, spans, fmt="o", capsize=4)
    axes.set(xlabel="seat in play order", ylabel=f"{unit} (95% interval)", xlim=(-0.5, len(found) - 0.5))


def draw_length(axes: Axes, games: pd.DataFrame, median: float, seconds: float) -> None:
    """Histogram of the turns, with minutes along the top."""
    axes.hist(games["turns"], bins=60, range=(0, float(games["turns"].quantile(0.999))), color="C0", alpha=0.8)
    axes.axvline(median, color="black", linestyle="--", label=f"half are over by turn {median:.0f}")
    axes.set(xlabel="turns", ylabel="games")
    axes.secondary_xaxis("top", functions=(lambda turns: turns * seconds / 60, lambda minutes: minutes * 60 / seconds)).set_xlabel(
        f"minutes, at {seconds:g} s a turn"
    )
    axes.legend(frameon=False)


def draw(task: results.Stored, games: pd.DataFrame, found: dict[str, tuple[stats.Estimate, str]], seconds: float, picture: Path) -> None:
    """Four panels under a title that says what they come to."""
    only = {name: estimate for name, (estimate, _) in found.items()}
    figure, ((wins, length), (turns, bumps)) = plt.subplots(2, 2, figsize=(10, 7.5), layout="constrained")
    by_seat = {name.removeprefix("won by seat "): each for name, each in only.items() if name.startswith("won by seat")}
    points(wins, by_seat, 100, 100 / len(by_seat), "games won, %")
    draw_length(length, games, only["turns, 50% are over"].value, seconds)
    kinds = {name: only[f"turns with {name}"] for name in TURNS.values()}
    shares = [100 * each.value for each in kinds.values()]
    spans = [[100 * (each.value - each.low) for each in kinds.values()], [100 * (each.high - each.value) for each in kinds.values()]]
    turns.bar(list(kinds), shares, yerr=spans, capsize=4, color=["C7", "C0", "C2"])
    turns.set(ylabel="turns, % (95% interval)", xlabel="turns with")
    back = {name.removeprefix("pawns sent back by seat "): each for name, each in only.items() if name.startswith("pawns sent back")}
    if back:
        points(bumps, back, 1, None, "pawns sent back a game")
        bumps.set_ylim(bottom=0)
    bumps.set_visible(bool(back))
    about, first, median = task.description, by_seat["1"], only["turns, 50% are over"].value
    policies = ", ".join(dict.fromkeys(policy["name"] for policy in about["policies"]))
    title = f"{about['ruleset']['name']}: who moves first wins {first.value:.1%}, and half of the games are over in"
    figure.suptitle(f"{title} {median * seconds / 60:.0f} minutes\n{len(games):,} games of {about['players']} players ({policies})")
    figure.savefig(picture)


def report(folder: Path, ruleset: str, seconds: float, picture: Path) -> pd.DataFrame:
    """Draws the picture; returns a row for each number."""
    task = chosen(folder, ruleset)
    wanted = ["won", *(["bumps_given"] if "bumps_given" in task.columns["seats"] else [])]
    games, seats = results.read_games(folder, COLUMNS, [task.id]), results.read_seats(folder, wanted, [task.id])
    found = measured(games, seats, task.description["players"], seconds)
    draw(task, games, found, seconds, picture)
    rows = {name: told(each, 100 if unit == "%" else 1, 1, unit if unit == "%" else "") for name, (each, unit) in found.items()}
    return pd.DataFrame({f"{ruleset}, {len(games):,} games": rows})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what simsorry run --out wrote")
    parser.add_argument("--ruleset", default="hasbro", help="name of the ruleset; of several tasks the one with most games")
    parser.add_argument("--seconds", type=float, default=15, help="what a turn takes")
    parser.add_argument("--picture", type=Path, default=Path("one_ruleset.png"), help="file to draw into (.png, .svg, .pdf)")
    given = parser.parse_args()
    mpl.use("Agg")  # no window
    try:
        print(report(given.folder, given.ruleset, given.seconds, given.picture).to_string())
    except SimsorryError as error:
        sys.exit(f"one_ruleset: {error}")
