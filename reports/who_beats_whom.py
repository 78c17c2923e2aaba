"""Who beats whom: how often one policy wins against another, and how strong all of them are, from games of mixed players.

The heat map is of games that two policies have played at the same number of seats each. The ladder is of all games of mixed players: Elo
points above the mean of these policies by the model of Plackett and Luce, in which 400 points are odds of 10 to 1.

./run simsorry run hasbro --policy balanced,random,balanced,random --games 5000 --out runs
./run simsorry run hasbro --policy runner,random,runner,random --games 5000 --out runs
./run simsorry run hasbro --policy balanced,runner,balanced,runner --games 5000 --out runs
./run python reports/who_beats_whom.py runs --ruleset hasbro --picture who_beats_whom.svg
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


class Met(NamedTuple):
    """The decided games of a task: its players by table seat, the number of each game, and the table seat of its winner."""

    names: list[str]
    games: np.ndarray
    winners: np.ndarray


def mixed(folder: Path, ruleset: str, players: int) -> list[Met]:
    """The games in which not all play alike; SimsorryError if there are none."""
    found = []
    for task in results.tasks(folder):
        about = task.description
        names = [policy["name"] for policy in about["policies"]]
        if about["ruleset"]["name"] != ruleset or about["players"] != players or len(set(names)) == 1 or Traits.of(about).teams:
            continue
        seats = results.read_seats(folder, ["table_seat", "won"], [task.id])
        won = seats[seats["won"] == 1]
        found.append(Met(names, won["game"].to_numpy(), won["table_seat"].to_numpy(dtype=int)))
    if not found:
        raise SimsorryError(f"{folder} holds no games of {ruleset} of {players} players who play differently and for themselves")
    return found


def duels(tables: list[Met]) -> dict[tuple[str, str], stats.Estimate]:
    """The share of the games that one policy wins against another with as many seats, in both directions."""
    wins: dict[tuple[str, str], int] = {}
    for met in tables:
        kinds = sorted(set(met.names))
        if len(kinds) == 2 and met.names.count(kinds[0]) == met.names.count(kinds[1]):
            by_first = sum(met.names[seat] == kinds[0] for seat in met.winners)
            for pair, won in (((kinds[0], kinds[1]), by_first), ((kinds[1], kinds[0]), len(met.winners) - by_first)):
                wins[pair] = wins.get(pair, 0) + won
    return {pair: stats.share(won, won + wins[pair[::-1]]) for pair, won in wins.items()}


def ladder(tables: list[Met]) -> dict[str, stats.Estimate]:
    """Elo points of each policy above the mean of all, the strongest first; games with the same number share their luck."""
    names = sorted({name for met in tables for name in met.names})
    numbers = np.unique(np.concatenate([met.games for met in tables]), return_inverse=True)[1]
    entrants = np.concatenate([np.tile([names.index(name) for name in met.names], (len(met.games), 1)) for met in tables])
    finish = np.full(entrants.shape, -1)
    finish[:, 0] = np.concatenate([met.winners for met in tables])
    rated = stats.rate(stats.Contests(entrants, finish, numbers), len(names))
    found = {name: rated.strength(at, range(len(names))) for at, name in enumerate(names)}
    return dict(sorted(found.items(), key=lambda item: -item[1].value))


def draw_duels(axes: Axes, found: dict[tuple[str, str], stats.Estimate], order: list[str]) -> None:
    """A square for each pair: the share that the policy of the row wins."""
    shares = np.array([[found[one, other].value if (one, other) in found else np.nan for other in order] for one in order])
    axes.imshow(np.ma.masked_invalid(100 * shares), cmap="PuOr_r", vmin=0, vmax=100)
    for (row, column), share in np.ndenumerate(shares):
        said = "–" if np.isnan(share) else f"{share:.0%}"
        axes.text(column, row, said, ha="center", va="center", color="white" if abs(share - 0.5) > 0.3 else "black")
    axes.set_xticks(range(len(order)), order, rotation=30, ha="right")
    axes.set_yticks(range(len(order)), order)
    axes.set(title="games that the row wins against the column", xlabel="against", ylabel="wins")


def report(folder: Path, ruleset: str, players: int, picture: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Draws the picture; returns a row for each pair, and one for each policy."""
    tables = mixed(folder, ruleset, players)
    pairs, strengths = duels(tables), ladder(tables)
    order, games = list(strengths), sum(len(met.games) for met in tables)
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 2.2 + 0.6 * len(order)), layout="constrained")
    draw_duels(left, pairs, order)
    spans = [[each.value - each.low for each in strengths.values()], [each.high - each.value for each in strengths.values()]]
    right.axvline(0, color="gray", linestyle="--")
    right.errorbar([each.value for each in strengths.values()], order, xerr=spans, fmt="o", capsize=4)
    right.invert_yaxis()
    right.set(title="strength", xlabel="Elo points above the mean of these (95% interval)")
    figure.suptitle(f"{order[0]} comes out as the strongest of {len(order)} policies at {ruleset}, {players} players, {games:,} games")
    figure.savefig(picture)
    won = {
        f"{one} against {other}": [f"{each.value:.1%} ({each.low:.1%} to {each.high:.1%})", each.n] for (one, other), each in pairs.items()
    }
    rated = {name: [f"{each.value:+.0f} ({each.low:+.0f} to {each.high:+.0f})", each.n] for name, each in strengths.items()}
    return tuple(pd.DataFrame.from_dict(rows, orient="index", columns=[of, "games"]) for rows, of in ((won, "won"), (rated, "Elo points")))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what simsorry run --out wrote")
    parser.add_argument("--ruleset", default="hasbro", help="name of the ruleset")
    parser.add_argument("--players", type=int, default=4, help="number of players")
    parser.add_argument("--picture", type=Path, default=Path("who_beats_whom.png"), help="file to draw into (.png, .svg, .pdf)")
    given = parser.parse_args()
    mpl.use("Agg")  # no window
    try:
        for table in report(given.folder, given.ruleset, given.players, given.picture):
            print(f"{table.to_string()}\n")
    except SimsorryError as error:
        sys.exit(f"who_beats_whom: {error}")
