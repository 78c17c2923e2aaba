"""The figures on leads and comebacks, and on how far the gauge of the chance to win can be trusted."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from simsorry import stats
from simsorry.games.columns import CHECKPOINTS
from simsorry.report import words
from simsorry.report.course_tables import HALF, gauged, miss, watched, won_at
from simsorry.report.drawing import FAINT, LINE, Picture, clip, legend, legend_lines, look, percent, whiskers
from simsorry.report.study import Arm, Sitting
from simsorry.stats import Estimate

ORDINALS = ("1st", "2nd", "3rd", "4th")
LEAD = f"lead_conv_{HALF}"


def pictures(sitting: Sitting, prefix: str = "") -> dict[str, Picture]:
    """Those that there is something for, by name; ``prefix`` goes before the names of their files."""
    made = [draw(sitting, prefix) for draw, there in ((_ranks, watched), (_reliability, gauged)) if there(sitting)]
    return {each.name.removeprefix(prefix): each for each in made}


def _who(sitting: Sitting) -> str:
    each = " of each ruleset" if sitting.variants else ""
    return f"{words.count(sitting.games)} games{each}, {words.line_up(sitting)}"


# -- leads -----------------------------------------------------------------------------------------


def _ranks(sitting: Sitting, prefix: str) -> Picture:
    arms = watched(sitting)
    labels = [clip(arm.ruleset.short) for arm in arms] if len(arms) > 1 else []

    def draw(figure: Figure) -> None:
        panels = figure.subplots(1, len(CHECKPOINTS), sharey=True)
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
            axes.grid(axis="y")
        panels[0].set_ylim(bottom=0)
        panels[0].set_ylabel("share of the games won")
        panels[0].yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
        percent(panels[0].yaxis)
        if labels:
            legend(panels[0], labels)

    shows = (
        "Share of the games won by who alone has each rank, by squares to go, when first somebody has so much of the way behind them, with "
        f"{stats.LEVEL:.0%} intervals; the line is an even share. {_who(sitting)}."
    )
    height = 2.5 + (LINE * legend_lines(labels) if labels else 0)
    return Picture(f"{prefix}ranks", _ranks_finding(sitting, arms), shows, draw, height)


def _ranks_finding(sitting: Sitting, arms: Sequence[Arm]) -> str:
    base = arms[0]
    first, last = _first_and_last(base)
    start = f"Who leads half way wins {first}, who is last then wins {last}"
    if not sitting.variants:
        return start
    if changed := max(filter(_changed, arms), key=lambda arm: abs(arm.compared[LEAD].difference.value), default=None):
        first, last = _first_and_last(changed)
        return f"{start} under {clip(base.ruleset.short)}; {first} and {last} under {clip(changed.ruleset.short)}"
    return f"{start} under {clip(base.ruleset.short)}; no variant is shown, beyond the margin, to change the first"


def _first_and_last(arm: Arm) -> tuple[str, str]:
    found = won_at(arm, HALF)
    return words.rough(found[1]), words.rough(found[max(found)])


def _changed(arm: Arm) -> bool:
    """Whether a variant is different from the base in what a lead half way is worth."""
    found = arm.compared[LEAD].verdict if LEAD in arm.compared else None
    return found is not None and found.word == stats.DIFFERENT


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

    worst = max(miss(check) for _, _, check in found)
    finding = f"Gauged chances are off by {words.points(round(worst, 3))} on average" + (" at most" if labels else "")
    games = words.listed(sorted({words.count(check.games) for _, _, check in found}))
    shows = (
        "Chances to win as gauged at round ends, in ten groups by size, and the share that came true, with "
        f"{stats.LEVEL:.0%} intervals; on the line both are the same. {games} games that the gauge was not fitted to, "
        f"{words.line_up(sitting)}."
    )
    return Picture(f"{prefix}reliability", finding, shows, draw, 2.9 + (LINE * legend_lines(labels) if labels else 0))
