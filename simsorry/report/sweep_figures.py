"""The figures of a report on a sweep: the effects in order of size, and the pairs of options that do not add up."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simsorry import stats
from simsorry.metrics import Metric
from simsorry.report import sweep_words, words
from simsorry.report.drawing import BAND, FAINT, INK, LINE, STACK, Picture, clip, dash, legend, legend_lines, look, percent, whiskers
from simsorry.report.sweeping import Crossing, Row, Sweep, Swept, strongest
from simsorry.stats import Estimate
from simsorry.sweep import INTERACTION, MAIN, SLOPE, Effect

BARS = 14
PAIRS = 3
LINEAR = 3.0  # margins; beyond that the axis is logarithmic
ROW = 0.36  # inches, of a bar with its name above it


def pareto(made: Sweep) -> Picture:
    """The effects in order of their size, each by the measure on which it is largest for its margin."""
    rows = _best(made)
    shown = rows[:BARS]

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvspan(0, 1, color=BAND, lw=0, zorder=0)
        heights = [-float(at) for at in range(len(shown))]
        widest = LINEAR
        for (metric, effect, found), height in zip(shown, heights, strict=True):
            bar = _in_margins(made.main, metric, effect)
            widest = max(widest, bar.high)
            color = STACK[0] if effect.kind == MAIN else STACK[2]
            axes.barh([height], [bar.value], height=0.3, color=color, zorder=2)
            axes.errorbar([bar.value], [height], xerr=whiskers(bar), color=INK, lw=1.1, capsize=2, zorder=3)
            label = f"{clip(effect.title, 38)}: {clip(metric.short, 28)} {'+' if found.difference.value > 0 else '−'}"
            axes.annotate(label, (0, height), xytext=(2, 6.5), textcoords="offset points", fontsize=8, va="bottom", annotation_clip=False)
        axes.barh([0], [0], color=STACK[0], label="one option")
        axes.barh([0], [0], color=STACK[2], label="two together")
        _margin_axis(axes, widest)
        axes.set_ylim(heights[-1] - 0.3, 0.65)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        legend(axes, ["one option", "two together"])

    shows = (
        f"The {len(shown)} largest of {len(rows)} effects, each by the headline measure on which it is largest, divided by the margin of "
        f"that measure, with {stats.LEVEL:.0%} intervals; the sign says whether the measure goes up or down. {_n(made)}."
    )
    return Picture("pareto", _pareto_finding(made, rows), shows, draw, 0.75 + ROW * len(shown))


def _best(made: Sweep) -> list[Row]:
    """Every effect once, by the measure on which it is largest; slopes are told by their levels."""
    best: dict[str, Row] = {}
    for row in strongest(made.main, made.effects):
        if row[1].kind != SLOPE:
            best.setdefault(row[1].key, row)
    return list(best.values())


def _in_margins(swept: Swept, metric: Metric, effect: Effect) -> Estimate:
    """The size of an effect in margins, with its interval."""
    found, size = swept.compared[metric.name][effect.key], swept.sizes[metric.name]
    sign = 1 if found.difference.value >= 0 else -1
    ends = sorted((sign * found.low / size, sign * found.high / size))
    return Estimate(sign * found.difference.value / size, max(ends[0], 0.0), ends[1], swept.games, "margins")


def _margin_axis(axes: Axes, widest: float) -> None:
    axes.set_xscale("symlog", linthresh=LINEAR, linscale=1.6)
    axes.set_xlim(0, 1.25 * widest)
    marks = [mark for mark in (0, 1, 3, 10, 30, 100, 300, 1000) if mark <= 1.25 * widest]
    axes.set_xticks(marks, [f"{mark:g}" for mark in marks])
    axes.minorticks_off()
    axes.grid(axis="x")
    axes.set_xlabel("size of the effect, in margins (shaded: too small to matter)")


def _n(made: Sweep) -> str:
    swept = made.main
    return f"{words.count(swept.games)} games of each of {len(swept.cells)} rulesets, {sweep_words.who(swept)}"


def _pareto_finding(made: Sweep, rows: list[Row]) -> str:
    matter = {effect.key for _, effect, _ in strongest(made.main, made.effects, words=(stats.DIFFERENT,))}
    alone = sum(effect.kind == MAIN and effect.key in matter for _, effect, _ in rows)
    pairs = sum(effect.kind == INTERACTION and effect.key in matter for _, effect, _ in rows)
    of = (sum(effect.kind == MAIN for _, effect, _ in rows), sum(effect.kind == INTERACTION for _, effect, _ in rows))
    if not alone and not pairs:
        return "No effect is shown to exceed the margin of any headline measure"
    together = f", and {pairs} of {of[1]} of two options together" if of[1] else ""
    return f"{alone} of {of[0]} changes of a single option matter{together}; {rows[0][1].title} matters most"


def interactions(made: Sweep) -> list[Picture]:
    """The pairs of options that fall short of adding up most, each by the measure on which they do."""
    chosen: dict[tuple[str, ...], Row] = {}
    for row in strongest(made.main, made.effects, INTERACTION):
        if (row[0].name, *row[1].options) in made.main.crossings:
            chosen.setdefault(row[1].options, row)
    return [_interaction(made, row, at) for at, row in enumerate(list(chosen.values())[:PAIRS], start=1)]


def _interaction(made: Sweep, row: Row, number: int) -> Picture:
    metric, effect, _ = row
    crossing = made.main.crossings[metric.name, effect.options[0], effect.options[1]]
    across, lines = (sweep_words.factor_of(made, option) for option in crossing.options)
    names = [clip(f"{lines.option} = {level.shown}") for level in lines.levels]

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for at, name in enumerate(names):
            _line(axes, crossing, at, name)
        axes.set_xticks(range(len(across.levels)), [clip(level.shown, 12) for level in across.levels])
        axes.set_xlim(-0.35, len(across.levels) - 0.65)
        axes.set_xlabel(across.option)
        axes.set_ylabel(metric.title.partition(":")[0].lower())
        if metric.unit == "share":
            percent(axes.yaxis)
        axes.grid(axis="y")
        axes.tick_params(length=0, color=FAINT)
        legend(axes, names)

    shows = (
        f"{metric.title} by {crossing.options[0]} and {crossing.options[1]}, the mean over all other options, with {stats.LEVEL:.0%} "
        f"intervals; lines that run side by side would mean that the two add up. {_n(made)}."
    )
    return Picture(f"interaction-{number}", _interaction_finding(made, row), shows, draw, 2.7 + LINE * legend_lines(names))


def _line(axes: Axes, crossing: Crossing, at: int, name: str) -> None:
    means = [row[at] for row in crossing.means]
    places = [place + (at - (len(crossing.means[0]) - 1) / 2) * 0.04 for place in range(len(means))]
    axes.errorbar(
        places, [mean.value for mean in means], yerr=whiskers(*means), ls=dash(at), lw=1.4, ms=4.5, capsize=2.5, label=name, **look(at)
    )


def _interaction_finding(made: Sweep, row: Row) -> str:
    metric, effect, found = row
    pair = words.listed(effect.options)
    word = found.verdict.word if found.verdict else stats.UNDECIDED
    size = words.change(found)
    if word == stats.DIFFERENT:
        return f"{pair} {made.main.together[metric.name, effect.key].relation} in {metric.short}: difference of differences {size}"
    if word in (stats.SAME, stats.NEGLIGIBLE):
        return f"{pair} add up in {metric.short}: what is left over, {size}, is too small to matter"
    return f"Whether {pair} add up in {metric.short} is not settled: difference of differences {size}"
