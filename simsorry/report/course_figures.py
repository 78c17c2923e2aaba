"""The figures on leads and comebacks, and on how far the gauge of the chance to win can be trusted."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simsorry import stats
from simsorry.games.columns import CHECKPOINTS
from simsorry.gauge import Check, Mean
from simsorry.report import words
from simsorry.report.course_tables import HALF, fanned, gauged, miss, watched, won_at
from simsorry.report.drawing import FAINT, LINE, SHADES, Picture, clip, dash, legend, legend_lines, look, percent, whiskers
from simsorry.report.figures import unchanged
from simsorry.report.study import Arm, Sitting
from simsorry.stats import Estimate

ORDINALS = ("1st", "2nd", "3rd", "4th")
LEAD = f"lead_conv_{HALF}"


def pictures(sitting: Sitting, prefix: str = "") -> dict[str, Picture]:
    """Those that there is something for, by name; ``prefix`` goes before the names of their files."""
    made = [draw(sitting, prefix) for draw, there in ((_ranks, watched), (_fans, fanned), (_reliability, gauged)) if there(sitting)]
    return {each.name.removeprefix(prefix): each for each in made}


def _who(sitting: Sitting) -> str:
    each = " of each ruleset" if sitting.variants else ""
    return f"{words.count(sitting.games)} games{each}, {words.line_up(sitting)}"


# -- leads -----------------------------------------------------------------------------------------


def _ranks(sitting: Sitting, prefix: str) -> Picture:
    arms = watched(sitting)
    labels = [clip(arm.ruleset.short) for arm in arms] if len(arms) > 1 else []

    def draw(figure: Figure) -> None:
        panels = _panels(figure, labels)
        for axes, checkpoint in zip(panels, CHECKPOINTS, strict=True):
            lowest = 1
            for at, arm in enumerate(arms):
                found = won_at(arm, checkpoint)
                lowest = max(lowest, *found) if found else lowest
                shift = (at - (len(arms) - 1) / 2) * 0.7 / max(len(arms), 4)
                axes.errorbar(
                    [rank + shift for rank in found], [each.value for each in found.values()], whiskers(*found.values()),
                    ls="none", ms=4.5, lw=1.3, capsize=2, zorder=3, label=labels[at] if labels else None, **look(at),
                )  # fmt: skip
            for even in sorted({1 / len(arm.sides) for arm in arms}):
                axes.axhline(even, color=FAINT, lw=0.8, zorder=1)
            axes.set_xticks(range(1, lowest + 1), ORDINALS[:lowest])
            axes.set_xlim(0.5, lowest + 0.5)
            axes.set_xlabel(f"at {checkpoint} % of the way", fontsize=8.5)
            axes.tick_params(axis="y", labelleft=axes is panels[0])
            axes.grid(axis="y")
        panels[0].set_ylim(bottom=0)
        panels[0].set_ylabel("share of the games won")
        panels[0].yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
        percent(panels[0].yaxis)
        if labels:
            _name(figure, panels[0], labels)

    shows = (
        "Share of the games won by who alone has each rank, by squares to go, when first somebody has so much of the way behind them, with "
        f"{stats.LEVEL:.0%} intervals; the line is an even share. {_who(sitting)}."
    )
    height = 2.5 + (LINE * legend_lines(labels) if labels else 0)
    return Picture(f"{prefix}ranks", _ranks_finding(sitting, arms), shows, draw, height)


def _panels(figure: Figure, labels: Sequence[str]) -> list[Axes]:
    """A panel for each checkpoint, below a row for the legend of all of them: names may be longer than a panel is wide."""
    rows = [LINE * legend_lines(labels), 2.4] if labels else [2.4]
    grid = figure.add_gridspec(len(rows), len(CHECKPOINTS), height_ratios=rows)
    first = figure.add_subplot(grid[-1, 0])
    return [first, *(figure.add_subplot(grid[-1, at], sharey=first) for at in range(1, len(CHECKPOINTS)))]


def _name(figure: Figure, first: Axes, labels: Sequence[str]) -> None:
    """Names the rulesets in the row above the panels."""
    grid = first.get_gridspec()
    assert grid
    above = figure.add_subplot(grid[0, :])
    above.axis("off")
    columns = 2 if legend_lines(labels) < len(labels) else 1
    found = above.legend(
        *first.get_legend_handles_labels(), loc="center left", ncols=columns, borderaxespad=0, handlelength=2.6, columnspacing=1.2
    )
    found.set_in_layout(False)


def _ranks_finding(sitting: Sitting, arms: Sequence[Arm]) -> str:
    base = arms[0]
    first, last = _first_and_last(base)
    start = f"Who leads half way wins {first}, who is last then wins {last}"
    if not sitting.variants:
        return start
    if changed := max(filter(_changed, arms), key=lambda arm: abs(arm.compared[LEAD].difference.value), default=None):
        first, last = _first_and_last(changed)
        return f"{start} under {clip(base.ruleset.short)}; {first} and {last} under {clip(changed.ruleset.short)}"
    return f"{start} under {clip(base.ruleset.short)}; {unchanged(sitting, LEAD)}"


def _first_and_last(arm: Arm) -> tuple[str, str]:
    found = won_at(arm, HALF)
    return words.rough(found[1]), words.rough(found[max(found)])


def _changed(arm: Arm) -> bool:
    """Whether a variant is different from the base in what a lead half way is worth."""
    found = arm.compared[LEAD].verdict if LEAD in arm.compared else None
    return found is not None and found.word == stats.DIFFERENT


# -- chances in the course of a game ---------------------------------------------------------------

BANDS = ((0, 4, SHADES[1], "eight in ten winners"), (1, 3, SHADES[2], "half of the winners"))  # from one quantile to another


def _fans(sitting: Sitting, prefix: str) -> Picture:
    """The fan of the base and that of the variant whose winners are surer, or less sure, of it half way through."""
    first, *others = fanned(sitting)
    shown = [first, *([max(others, key=lambda each: abs(_half(each[1]) - _half(first[1])))] if others else [])]

    def draw(figure: Figure) -> None:
        rows = figure.add_gridspec(2, len(shown), height_ratios=[3 * LINE, 2.4])
        panels = [figure.add_subplot(rows[1, 0])]
        panels += [figure.add_subplot(rows[1, at], sharey=panels[0]) for at in range(1, len(shown))]
        for axes, (arm, check) in zip(panels, shown, strict=True):
            _fan(axes, arm, check)
            axes.tick_params(axis="y", labelleft=axes is panels[0])
            if len(shown) > 1:
                axes.set_title(clip(arm.ruleset.short, 24), fontsize=9, loc="left")
        panels[0].set_ylim(0, None)
        panels[0].set_ylabel("chance to win")
        percent(panels[0].yaxis)
        above = figure.add_subplot(rows[0, :])
        above.axis("off")
        handles, names = panels[0].get_legend_handles_labels()
        named = above.legend(handles, names, loc="center left", ncols=2, borderaxespad=0, handlelength=2.6, columnspacing=1.2)
        named.set_in_layout(False)

    games = words.listed(sorted({words.count(check.games) for _, check in shown}))
    shows = (
        "The gauged chance to win of the side that wins in the end, tenth by tenth of the round ends of each game: its mean with "
        f"{stats.LEVEL:.0%} intervals, and what half and eight in ten of the winners have; beside it that of the loser who is best placed "
        f"just then, and the mean of the other losers. The thin line is an even share. {games} games to which the gauge was not fitted, "
        f"{words.line_up(sitting)}."
    )
    return Picture(f"{prefix}fans", _fans_finding(shown), shows, draw, 3.1 + (0.2 if len(shown) > 1 else 0))


def _half(check: Check) -> float:
    """The winner's mean chance half way through."""
    return min(check.fan, key=lambda moment: abs(moment.passed - 0.5)).winner.value


def _fan(axes: Axes, arm: Arm, check: Check) -> None:
    passed = [moment.passed for moment in check.fan]
    for low, high, color, label in BANDS:
        lower, upper = ([moment.quantiles[at] for moment in check.fan] for at in (low, high))
        axes.fill_between(passed, lower, upper, color=color, lw=0, label=label, zorder=1)
    lines = {
        "the winner, on average": [moment.winner for moment in check.fan],
        "best-placed loser": [moment.best_loser for moment in check.fan],
        "other losers": [moment.other_losers for moment in check.fan if moment.other_losers],
    }
    for at, (label, means) in enumerate(lines.items()):
        if means:
            estimates = [_as_estimate(mean, check) for mean in means]
            axes.errorbar(
                passed, [mean.value for mean in means], whiskers(*estimates), label=label, ls=dash(at), lw=1.5, ms=4, capsize=2, zorder=3,
                **look(at),
            )  # fmt: skip
    axes.axhline(1 / len(arm.sides), color=FAINT, lw=0.8, zorder=2)
    axes.set_xlim(0.05, 1.04)
    axes.set_xticks([0.1, 0.5, 1])
    percent(axes.xaxis)
    axes.grid(axis="y")
    axes.set_xlabel("round ends that are over")


def _as_estimate(mean: Mean, check: Check) -> Estimate:
    return Estimate(mean.value, mean.low, mean.high, check.games, "share")


SURE = 0.9


def _fans_finding(shown: Sequence[tuple[Arm, Check]]) -> str:
    (arm, check), *others = shown
    under = f" under {clip(arm.ruleset.short)}" if others else ""
    start = f"Half way through, the winner's chance is {_half(check):.0%} on average{under}"
    sure = next((moment.passed for moment in check.fan if moment.winner.value >= SURE), 1.0)
    end = f"it passes {SURE:.0%} when {sure:.0%} of the game is over" if sure < 1 else f"at the last round end it is {_last(check)}"
    beside = [f" ({_half(other):.0%} and {_last(other)} under {clip(variant.ruleset.short)})" for variant, other in others]
    return f"{start}; {end}{''.join(beside)}"


def _last(check: Check) -> str:
    return f"{check.fan[-1].winner.value:.0%}"


# -- the gauge -------------------------------------------------------------------------------------


def _reliability(sitting: Sitting, prefix: str) -> Picture:
    found = gauged(sitting)
    labels = [clip(arm.ruleset.short) for arm, _, _ in found] if len(found) > 1 else []

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], color=FAINT, lw=0.8, zorder=1)
        for at, (_, _, check) in enumerate(found):
            won = [Estimate(each.won, each.low, each.high, check.games, "share") for each in check.reliability]
            axes.errorbar(
                [each.gauged for each in check.reliability], [each.value for each in won], whiskers(*won),
                ls="none", ms=5, lw=1.4, capsize=2.5, zorder=3, label=labels[at] if labels else None, **look(at),
            )  # fmt: skip
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        percent(axes.xaxis)
        percent(axes.yaxis)
        axes.grid()
        axes.set_xlabel("gauged chance to win")
        axes.set_ylabel("share that won")
        if labels:
            legend(axes, labels)

    arm, _, check = max(found, key=lambda each: miss(each[2]))
    where = f" under {clip(arm.ruleset.short)}, by no more elsewhere" if labels else ""
    finding = f"Gauged chances are off by {words.points(round(miss(check), 3))} on average{where}"
    games = words.listed(sorted({words.count(check.games) for _, _, check in found}))
    shows = (
        "Chances to win as gauged at round ends, in ten groups by size, and the share that came true, with "
        f"{stats.LEVEL:.0%} intervals; on the line both are the same. {games} games to which the gauge was not fitted, "
        f"{words.line_up(sitting)}."
    )
    return Picture(f"{prefix}reliability", finding, shows, draw, 2.9 + (LINE * legend_lines(labels) if labels else 0))
