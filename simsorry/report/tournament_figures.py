"""The two figures of a tournament: the ladder of strengths, and who beats whom as a heat map."""

import math

from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from simsorry import stats
from simsorry.report import words
from simsorry.report.drawing import FAINT, Picture, clip, look, whiskers
from simsorry.tournament import Tournament

NAME_CHARS = 18
# From blue (loses) over pale to orange (wins): told apart by the color blind, and the same on light and dark screens.
_MAP = LinearSegmentedColormap.from_list("wins", ["#08519c", "#6baed6", "#f5f5f5", "#fdae6b", "#a63603"]).with_extremes(bad="#cccccc")
_DARK, _LIGHT = "#111111", "#ffffff"
_FARTHEST = math.log(9)  # logarithm of odds, against even ones, at which the color is full
_PALE = 0.5  # brightness from which on dark letters are read better


def above(found: Tournament) -> str:
    """Whom strengths are measured from."""
    names, zero = found.design.names, found.zero
    if len(zero) == 1:
        return names[zero[0]]
    others = [name for at, name in enumerate(names) if at not in zero]
    return "the mean of all" + (f" but {words.listed(others)}" if others else "")


def ladder(found: Tournament) -> Picture:
    """Strengths with intervals, the strongest on top."""
    design, order = found.design, found.order
    names = design.names

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(0, color=FAINT, lw=0.8, zorder=1)
        rows, strengths = range(len(order)), [found.elo[at] for at in order]
        spans = whiskers(*strengths)
        axes.errorbar([each.value for each in strengths], rows, xerr=spans, ls="none", ms=5, lw=1.4, capsize=2.5, zorder=3, **look(0))
        for row, each in zip(rows, strengths, strict=True):
            axes.annotate(words.number(each.value, 0), (each.value, row), (0, 5), textcoords="offset points", ha="center", fontsize=8)
        axes.set_yticks(rows, [clip(names[at], NAME_CHARS) for at in order])
        axes.set_ylim(len(order) - 0.5, -0.6)
        axes.margins(x=0.08)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(f"strength in Elo points above {clip(above(found))}")
        axes.grid(axis="x")

    best, second = order[:2]
    finding = (
        f"{names[best]} is the strongest of {len(order)} policies, {words.rough(found.lead)} Elo points above {names[second]}"
        if found.lead.low > 0
        else f"Of {len(order)} policies {names[best]} and {names[second]} come out first, too close to tell apart"
    )
    shows = (
        f"Strength by who beat whom in {words.count(found.ratings.contests)} games, with {stats.LEVEL:.0%} intervals; 400 points are odds "
        "of 10 to 1." + (" Of those who never won, or never lost, against the others it has no bound." if found.ratings.separated else "")
    )
    return Picture("ladder", finding, shows, draw, 0.8 + 0.3 * len(order))


def heat_map(found: Tournament) -> Picture:
    """The payoff matrix, the strongest first; colors say how far a share is from the fair one."""
    design, order = found.design, found.order
    names, fair, count = design.names, design.fair, len(order)

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        shades = [[_shade(found, one, other) for other in order] for one in order]
        axes.pcolormesh(shades, cmap=_MAP, vmin=-1, vmax=1, edgecolors=_LIGHT, linewidth=0.8)
        for row, one in enumerate(order):
            for column, other in enumerate(order):
                if one != other and found.duels[one, other].won.known:
                    share = words.number(100 * found.duels[one, other].won.value, 0)
                    color = _letters(shades[row][column])
                    axes.text(column + 0.5, row + 0.5, share, ha="center", va="center", color=color, fontsize=min(8.5, 85 / count))
        axes.set_aspect("equal")
        axes.set_ylim(count, 0)
        labels = [clip(names[at], NAME_CHARS) for at in order]
        axes.set_yticks([at + 0.5 for at in range(count)], labels)
        axes.set_xticks([at + 0.5 for at in range(count)], labels, rotation=45, ha="left", rotation_mode="anchor")
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_ylabel(f"percent won by one\n{'team' if design.traits.teams else 'player'} of")
        axes.set_xlabel(f"against {'one' if len(design.sides) == 2 else words.small(len(design.sides) - 1)} of")
        axes.xaxis.set_label_position("top")

    if found.champion is not None:
        finding = f"{names[found.champion]} beats every other policy"
    elif found.cycles:
        finding = "No policy beats all: " + " > ".join(names[at] for at in (*found.cycles[0], found.cycles[0][0]))
    else:
        finding = "No policy is shown to beat every other"
    shows = (
        f"Percent of the games won by one {'team' if design.traits.teams else 'player'} of the row's policy where all others play the "
        f"column's. Pale: the fair {words.percent(fair)}; the bluer, the fewer; the more orange, the more. "
        f"{words.count(design.numbers * len(design.sides))} games each."
    )
    return Picture("payoff", finding, shows, draw, 1.1 + 0.46 * min(count, 8))


def _shade(found: Tournament, one: int, other: int) -> float:
    """From -1 to 1 how far the odds of a duel are from the fair ones, by their logarithm; not a number where nobody meets."""
    if one == other or not found.duels[one, other].won.known:
        return math.nan
    share, fair = min(max(found.duels[one, other].won.value, 1e-9), 1 - 1e-9), found.design.fair
    far = math.log(share / (1 - share)) - math.log(fair / (1 - fair))
    return min(max(far / _FARTHEST, -1.0), 1.0)


def _letters(shade: float) -> str:
    """The color of letters on a shade."""
    red, green, blue, _ = _MAP((shade + 1) / 2)
    return _DARK if 0.299 * red + 0.587 * green + 0.114 * blue > _PALE else _LIGHT
