"""How a match goes: how many rounds it takes, how soon it is decided, and the points of winner and losers round by round.

Rows of games hold what a whole match came to. What stood after fewer rounds is what the same game numbers came to where the match was
ended there: so run it with match_end=rounds:1, rounds:5 and so on, too. Matches with a tie after that many rounds are left out there.

./run simsorry run hasbro-match --games 2000 --out runs
./run simsorry run hasbro-match+match_end=rounds:1 --games 2000 --out runs
./run simsorry run hasbro-match+match_end=rounds:5 --games 2000 --out runs
./run simsorry run hasbro-match+match_end=rounds:10 --games 2000 --out runs
./run python reports/rounds_of_a_match.py runs --match hasbro-match --picture rounds_of_a_match.svg
"""

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from simsorry import results, stats
from simsorry.errors import SimsorryError
from simsorry.simulate import Traits

TABLE = ("game", "players", "seat_colors", "policies", "seed")  # of a task: what must agree for its games to be the same
ENDS = ("match_end", "next_leader")  # options that may differ


class After(NamedTuple):
    """How matches stood after some rounds."""

    rounds: int
    leader_won: stats.Estimate  # the whole match
    winner: stats.Estimate  # points of who won the match
    others: stats.Estimate  # points of the others, on average


def rules(task: results.Stored) -> dict[str, object]:
    """The options, but for the end of the match."""
    return {name: value for name, value in task.description["ruleset"]["rules"].items() if name not in ENDS}


def tasks(folder: Path, match: str) -> tuple[results.Stored, list[results.Stored]]:
    """The match, and the same ended after some rounds; SimsorryError if there is no match."""
    found = results.tasks(folder)
    whole = [task for task in found if task.description["ruleset"]["name"] == match]
    if not whole:
        names = ", ".join(dict.fromkeys(task.description["ruleset"]["name"] for task in found))
        raise SimsorryError(f"{folder} holds no games of {match}; it holds {names}")
    played = max(whole, key=lambda task: task.games)
    if "points" not in played.columns["seats"] or played.description["ruleset"]["rules"].get("match_end") in (None, "single_round"):
        raise SimsorryError(f"{match} is no match of several rounds with points")
    if Traits.of(played.description).teams:
        raise SimsorryError(f"{match} is played in teams, and here everybody plays for themselves")
    same = [task for task in found if rules(task) == rules(played) and all(task.description[k] == played.description[k] for k in TABLE)]
    return played, [task for task in same if str(task.description["ruleset"]["rules"]["match_end"]).startswith("rounds:")]


def table(folder: Path, task: results.Stored) -> pd.DataFrame:
    """A row per game: the points of each color's seat, the winner's color and the rounds."""
    seats = results.read_seats(folder, ["table_seat", "points"], [task.id])
    points = seats.pivot_table(index="game", columns="table_seat", values="points")
    games = results.read_games(folder, ["winner_color", "match_rounds"], [task.id]).set_index("game")
    colors = {number: seat for seat, number in seats_by_color(folder, task).items()}
    return points.assign(winner=games["winner_color"].map(colors), rounds=games["match_rounds"])


def seats_by_color(folder: Path, task: results.Stored) -> dict[int, int]:
    """The number of the color at each table seat."""
    seats = results.read_seats(folder, ["table_seat", "color"], [task.id]).drop_duplicates("table_seat")
    return dict(zip(seats["table_seat"], seats["color"], strict=True))


def mean(numbers: np.ndarray) -> stats.Estimate:
    """The average with its 95 % interval."""
    return stats.ratio(numbers.astype(float), np.ones(len(numbers)), len(numbers), "points")


def stood(whole: pd.DataFrame, ended: pd.DataFrame, players: int) -> After | None:
    """How matches that went on stood when others were ended; None if there is none of them."""
    rounds = int(ended["rounds"].min())
    both = whole.join(ended.add_suffix(" then"), how="inner")
    both = both[(both["rounds then"] == rounds) & (both["rounds"] > rounds) & both["winner"].notna()]
    if both.empty:
        return None
    points = both[[f"{seat} then" for seat in range(players)]].to_numpy(dtype=float)
    winners = points[np.arange(len(both)), both["winner"].astype(int)]
    led = int((both["winner then"] == both["winner"]).sum())
    return After(rounds, stats.share(led, len(both)), mean(winners), mean((points.sum(axis=1) - winners) / (players - 1)))


def draw_points(axes: Axes, found: list[After], end: tuple[float, stats.Estimate, stats.Estimate]) -> None:
    """A line for the winner of the match and one for the others, up to the average end of a match."""
    rounds = [0.0, *(each.rounds for each in found), end[0]]
    for which, mark, name in (("winner", "o", "who wins the match"), ("others", "s", "the others")):
        told = [*(getattr(each, which) for each in found), end[1] if which == "winner" else end[2]]
        spans = [[0, *(each.value - each.low for each in told)], [0, *(each.high - each.value for each in told)]]
        axes.errorbar(rounds, [0, *(each.value for each in told)], spans, fmt=f"-{mark}", capsize=4, label=name)
    axes.set(xlabel="round (last: average end)", ylabel="points (95% interval)", title="points of a player")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend(frameon=False)


def draw_leaders(axes: Axes, found: list[After], players: int) -> None:
    """The share of matches that go to who led after so many rounds."""
    spans = [[100 * (each.leader_won.value - each.leader_won.low) for each in found],
             [100 * (each.leader_won.high - each.leader_won.value) for each in found]]  # fmt: skip
    axes.axhline(100 / players, color="gray", linestyle="--", label="even share")
    axes.errorbar([each.rounds for each in found], [100 * each.leader_won.value for each in found], spans, fmt="-o", capsize=4)
    axes.set(xlabel="after round", ylabel="% (95% interval)", ylim=(0, 100), title="matches that who leads then wins")
    axes.set_xticks([each.rounds for each in found])
    axes.legend(frameon=False)


def report(folder: Path, match: str, picture: Path) -> pd.DataFrame:
    """Draws the picture; returns a row for each number."""
    task, ended = tasks(folder, match)
    players, whole = task.description["players"], table(folder, task)
    found = sorted(each for other in ended if (each := stood(whole, table(folder, other), players)))
    decided = whole[whole["winner"].notna()]
    points = decided[list(range(players))].to_numpy(dtype=float)
    winners = points[np.arange(len(decided)), decided["winner"].astype(int)]
    end = (float(whole["rounds"].mean()), mean(winners), mean((points.sum(axis=1) - winners) / (players - 1)))
    rounds, median = mean(whole["rounds"].to_numpy()), stats.quantile(np.bincount(whole["rounds"]), 0.5)
    figure, axes = plt.subplots(1, 3 if found else 1, figsize=(13 if found else 6, 4.2), squeeze=False, layout="constrained")
    axes[0][0].hist(whole["rounds"], bins=np.arange(0.5, int(whole["rounds"].quantile(0.999)) + 1.5), color="C0", alpha=0.8)
    axes[0][0].set(xlabel="rounds", ylabel="matches", title="rounds of a match")
    if found:
        draw_leaders(axes[0][1], found, players)
        draw_points(axes[0][2], found, end)
    first = f", and who leads after round {found[0].rounds} wins {found[0].leader_won.value:.0%} of them" if found else ""
    figure.suptitle(f"Half of the matches of {match} take {median.value:.0f} rounds at most{first}\n{len(whole):,} matches")
    figure.savefig(picture)
    rows = {"rounds of a match": (rounds, 1, ""), "half are over after": (median, 1, ""), "points of the winner": (end[1], 1, ""),
            "points of the others": (end[2], 1, "")}  # fmt: skip
    for each in found:
        rows |= {f"who leads after round {each.rounds} wins": (each.leader_won, 100, "%"),
                 f"points of the winner after round {each.rounds}": (each.winner, 1, ""),
                 f"points of the others after round {each.rounds}": (each.others, 1, "")}  # fmt: skip
    told = {
        name: [f"{scale * each.value:.1f}{unit} ({scale * each.low:.1f} to {scale * each.high:.1f})", f"{each.n:,}"]
        for name, (each, scale, unit) in rows.items()
    }
    return pd.DataFrame.from_dict(told, orient="index", columns=[match, "matches"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what simsorry run --out wrote")
    parser.add_argument("--match", default="hasbro-match", help="name of the ruleset of the match")
    parser.add_argument("--picture", type=Path, default=Path("rounds_of_a_match.png"), help="file to draw into (.png, .svg, .pdf)")
    given = parser.parse_args()
    mpl.use("Agg")  # no window
    try:
        print(report(given.folder, given.match, given.picture).to_string())
    except SimsorryError as error:
        sys.exit(f"rounds_of_a_match: {error}")
