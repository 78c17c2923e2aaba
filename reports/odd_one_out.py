"""How often the odd one out wins: one player of a policy among others who all play another one, a table and a picture of all that met.

./run simsorry run hasbro --policy balanced,random,random,random --games 5000 --out runs
./run simsorry run hasbro --policy runner,random,random,random --games 5000 --out runs
./run python reports/odd_one_out.py runs --picture odd_one_out.svg
"""

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import pandas as pd
from matplotlib import pyplot as plt

from simsorry import results, stats
from simsorry.errors import SimsorryError
from simsorry.simulate import Traits

MARKS = ("o", "^", "s", "D", "v", "P")


class Odd(NamedTuple):
    """One player of a policy among others of another."""

    ruleset: str
    players: int
    policy: str
    others: str
    won: stats.Estimate


def odd_seat(names: list[str]) -> int | None:
    """The table seat of the one who plays unlike all others, who are two at least; None if there is no such player."""
    kinds = sorted(set(names), key=names.count)
    return names.index(kinds[0]) if len(kinds) == 2 and len(names) > 2 and names.count(kinds[0]) == 1 else None


def measured(folder: Path) -> list[Odd]:
    """All that are stored, the strongest first; SimsorryError if there are none."""
    found = []
    for task in results.tasks(folder):
        about = task.description
        names = [policy["name"] for policy in about["policies"]]
        seat = odd_seat(names)
        if seat is None or Traits.of(about).teams:
            continue
        seats = results.read_seats(folder, ["table_seat", "won"], [task.id])
        won = seats.loc[seats["table_seat"] == seat, "won"]
        others = next(name for name in names if name != names[seat])
        found.append(Odd(about["ruleset"]["name"], about["players"], names[seat], others, stats.share(int(won.sum()), len(won))))
    if not found:
        raise SimsorryError(f"{folder} holds no games of one player against others who all play another policy")
    return sorted(found, key=lambda odd: (odd.players, odd.others, -odd.won.value))


def draw(found: list[Odd], picture: Path) -> None:
    """A line for each, with a stroke at the share that all would win if it made no difference."""
    figure, axes = plt.subplots(figsize=(9, 1.8 + 0.45 * len(found)), layout="constrained")
    rulesets = list(dict.fromkeys(odd.ruleset for odd in found))
    for row, odd in enumerate(found):
        at, won = rulesets.index(odd.ruleset), odd.won
        span = [[100 * (won.value - won.low)], [100 * (won.high - won.value)]]
        name = odd.ruleset if rulesets.index(odd.ruleset) not in [rulesets.index(each.ruleset) for each in found[:row]] else None
        axes.errorbar(100 * won.value, row, xerr=span, fmt=MARKS[at % len(MARKS)], color=f"C{at}", capsize=4, label=name)
        axes.plot([100 / odd.players] * 2, [row - 0.35, row + 0.35], color="gray", linestyle="--", label="even share" if row == 0 else None)
    axes.set_yticks(range(len(found)), [f"1 {odd.policy} among {odd.players - 1} {odd.others}" for odd in found])
    axes.invert_yaxis()
    axes.set(xlabel="games won by the one, % (95% interval)", xlim=(0, 100))
    figure.legend(loc="outside lower center", ncols=3)
    best = max(found, key=lambda odd: odd.won.value * odd.players)
    figure.suptitle(
        f"One {best.policy} player among {best.players - 1} {best.others} ones wins {best.won.value:.0%} of the games of {best.ruleset}\n"
        f"{sum(odd.won.n for odd in found):,} games in all"
    )
    figure.savefig(picture)


def report(folder: Path, picture: Path) -> pd.DataFrame:
    """Draws the picture; returns a row for each."""
    found = measured(folder)
    draw(found, picture)
    rows = {
        (odd.ruleset, odd.players, odd.policy, odd.others): {
            "won": f"{odd.won.value:.1%} ({odd.won.low:.1%} to {odd.won.high:.1%})",
            "even share": f"{1 / odd.players:.1%}",
            "games": f"{odd.won.n:,}",
        }
        for odd in found
    }
    table = pd.DataFrame.from_dict(rows, orient="index")
    table.index.names = ["ruleset", "players", "the one", "the others"]
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what simsorry run --out wrote")
    parser.add_argument("--picture", type=Path, default=Path("odd_one_out.png"), help="file to draw into (.png, .svg, .pdf)")
    given = parser.parse_args()
    mpl.use("Agg")  # no window
    try:
        print(report(given.folder, given.picture).to_string())
    except SimsorryError as error:
        sys.exit(f"odd_one_out: {error}")
