"""Who wins, by seat in play order or by team, and how long the games last: a table, and a picture with one row for each stored task.

./run simsorry run hasbro --games 20000 --out runs
./run python reports/seats_and_length.py runs --picture seats_and_length.svg
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
from simsorry.simulate import Traits


def label(task: results.Stored) -> str:
    """``hasbro, 4 players, random``; where they do not all have the same policy, all of them in the order of the table."""
    about = task.description
    policies = [policy["name"] for policy in about["policies"]]
    who = policies[0] if len(set(policies)) == 1 else ", ".join(policies)
    return f"{about['ruleset']['name']}, {about['players']} players, {who}"


def wins(task: results.Stored, games: pd.DataFrame) -> dict[str, stats.Estimate]:
    """Win share of each seat over the games that have a winner, or of each team; the 95 % intervals hold for all of them at once."""
    decided = games[games["winner"] != 255]
    if Traits.of(task.description).teams:
        first = int(decided["first_won"].sum())
        return dict(zip(("first team", "other team"), stats.shares([first, len(decided) - first]), strict=True))
    players = task.description["players"]
    counts = np.bincount(decided["winner"], minlength=players).tolist()
    return {f"seat {seat}": share for seat, share in enumerate(stats.shares(counts), start=1)}


def length(games: pd.DataFrame, p: float) -> stats.Estimate:
    """A quantile of the turns; games that were cut off count as longer than all others."""
    whole = games.loc[games["capped"] == 0, "turns"]
    return stats.quantile(np.bincount(whole), p, censored=len(games) - len(whole))


def draw_wins(axes: Axes, shares: dict[str, stats.Estimate]) -> None:
    """A point with its interval for each seat or team, and the even share."""
    found = shares.values()
    spans = [[100 * (each.value - each.low) for each in found], [100 * (each.high - each.value) for each in found]]
    axes.axhline(100 / len(shares), color="gray", linestyle="--")
    axes.errorbar(range(len(shares)), [100 * each.value for each in found], spans, fmt="o", capsize=4)
    axes.set(xticks=range(len(shares)), xlim=(-0.5, len(shares) - 0.5), xlabel="in play order", ylabel="games won, % (95% interval)")
    axes.set_xticklabels(list(shares))


def draw_length(axes: Axes, games: pd.DataFrame, end: float) -> None:
    """Histogram of the turns up to ``end``, with the median."""
    axes.hist(games["turns"], bins=60, range=(0, end))
    axes.axvline(length(games, 0.5).value, color="black", linestyle="--")
    axes.set(xlabel="turns (dashed: median)", ylabel="games")


def report(folder: Path, picture: Path) -> pd.DataFrame:
    """Draws the picture; returns a row of numbers for each task."""
    tasks = results.tasks(folder)
    seats = results.read_seats(folder, ["won"])
    first = seats[seats["seat"] == 0].rename(columns={"won": "first_won"})
    played = results.read_games(folder, ["winner", "turns", "capped"]).merge(first, on=["task", "game"])
    figure, axes = plt.subplots(len(tasks), 2, figsize=(10, 3.2 * len(tasks)), squeeze=False, layout="constrained")
    rows = {}
    for task, (left, right) in zip(tasks, axes, strict=True):
        games = played[played["task"] == task.id]
        shares = wins(task, games)
        draw_wins(left, shares)
        draw_length(right, games, float(games["turns"].quantile(0.999)))
        left.set_title(f"{label(task)}: {len(games):,} games", loc="left")
        rows[task.id] = {
            "task": label(task),
            "games": len(games),
            **{who: f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})" for who, share in shares.items()},
            **{f"{p:.0%} within": f"{(at := length(games, p)).value:.0f} turns ({at.low:.0f} to {at.high:.0f})" for p in (0.5, 0.95)},
        }
    figure.savefig(picture)
    return pd.DataFrame.from_dict(rows, orient="index").fillna("–")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what simsorry run --out wrote")
    parser.add_argument("--picture", type=Path, default=Path("seats_and_length.png"), help="file to draw into (.png, .svg, .pdf)")
    given = parser.parse_args()
    mpl.use("Agg")  # no window
    try:
        print(report(given.folder, given.picture).to_string())
    except SimsorryError as error:
        sys.exit(f"seats_and_length: {error}")
