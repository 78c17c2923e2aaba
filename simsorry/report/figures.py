"""The figures, each with the finding in its title, as SVG and PNG that are the same bytes for the same numbers.

Figures are drawn narrow (about 350 points), so that they can be read on a phone. Colors are placeholders of a light
scheme; inside the HTML page they become CSS variables with a second value for dark screens. Rulesets
differ by marker and dash as well as by color.
"""

import io
import math
import re
import textwrap
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from matplotlib.transforms import blended_transform_factory

from simsorry import stats
from simsorry.report import words
from simsorry.report.study import Arm, Sitting

WIDTH = 4.8  # inches; 346 points
DPI = 200
TITLE_CHARS, LABEL_CHARS = 49, 40

INK, FAINT, GRID, PAPER = "#1b1f24", "#59636e", "#d5dae0", "#fffffe"
SERIES = ("#0072b2", "#c44e00", "#00795c", "#a3407f", "#7f6000", "#4d4d4d")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)), (0, (8, 3)))
STACK = ("#5b6570", "#c3ccd5", "#0072b3")  # dark, pale, strong: parts of a bar
STACK_TEXT = ("#fffffd", "#1b1f25", "#fffffc")
BAND = "#e8eef4"
NO_CHANGE = "no variant is shown, beyond the margin, to change"

# Placeholder -> (CSS variable, its value on a light screen, its value on a dark one).
SCHEME = {
    INK: ("ink", INK, "#e6e9ec"),
    FAINT: ("faint", FAINT, "#a3adb8"),
    GRID: ("grid", GRID, "#3a424b"),
    PAPER: ("paper", "#ffffff", "#14181d"),
    BAND: ("band", BAND, "#25303b"),
    **{
        color: (f"series-{at}", color, dark)
        for at, (color, dark) in enumerate(zip(SERIES, ("#5ab4f0", "#ff9447", "#2cc79a", "#e593c2", "#e0c04c", "#c8c8c8"), strict=True))
    },
    **{color: (f"stack-{at}", color, dark) for at, (color, dark) in enumerate(zip(STACK, ("#8d98a3", "#46505a", "#5ab4f0"), strict=True))},
    **{
        color: (f"on-stack-{at}", color, dark)
        for at, (color, dark) in enumerate(zip(STACK_TEXT, ("#14181d", "#f0f2f4", "#14181d"), strict=True))
    },
}

STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "simsorry",
    "axes.unicode_minus": True,
}


@dataclass(frozen=True)
class Picture:
    """One figure of a report: what it found, what it shows, and its drawing."""

    name: str  # file name without ending, and prefix of the ids in its SVG
    finding: str  # the title: a sentence
    shows: str  # what is drawn, in which unit, over how many games
    draw: Callable[[Figure], None]
    height: float  # inches, without the title

    def files(self) -> "PictureFiles":
        """Draws it: laid out once, with the finding on top for the files and without it for the page."""
        lines = textwrap.wrap(self.finding, TITLE_CHARS)
        top = 0.18 * len(lines) + 0.08  # inches
        total = self.height + top
        with mpl.rc_context(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing")
            mpl.rcdefaults()  # a matplotlibrc of the user's must not change the report
            mpl.rcParams.update(STYLE)
            figure = Figure(figsize=(WIDTH, total), dpi=DPI)
            figure.set_layout_engine("constrained", rect=(0, 0, 1, self.height / total))
            self.draw(figure)
            FigureCanvasAgg(figure)
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
            figure.patch.set_facecolor("none")
            inline = self._inline(_svg(figure), total * 72, top * 72)
            figure.patch.set_facecolor(PAPER)
            title = {"fontsize": 10.5, "fontweight": "bold", "va": "top", "linespacing": 1.2}
            figure.text(0.012, 1 - 0.06 / total, "\n".join(lines), title)
            return PictureFiles(_clean(_svg(figure)), _png(figure), inline)

    def _inline(self, svg: str, height: float, cut: float) -> str:
        """For the page: colors as CSS variables, ids of its own, no fixed size, without the room for the title."""
        text = _clean(svg)
        text = text[text.index("<svg") :]
        text = (
            f'<svg viewBox="0 {cut:g} {WIDTH * 72:g} {height - cut:g}" aria-hidden="true" focusable="false">' + text[text.index(">") + 1 :]
        )
        text = re.sub(r'\bid="', f'id="{self.name}-', text)
        text = text.replace('xlink:href="#', f'href="#{self.name}-').replace("url(#", f"url(#{self.name}-")
        for color, (name, _, _) in SCHEME.items():
            text = text.replace(color, f"var(--{name})")
        return text.replace("'DejaVu Sans'", "var(--figure-font)")


@dataclass(frozen=True)
class PictureFiles:
    """A picture as a file of its own, as pixels, and as a piece of the HTML page."""

    svg: str
    png: bytes
    inline: str


def _svg(figure: Figure) -> str:
    figure.set_dpi(72)
    target = io.StringIO()
    FigureCanvasSVG(figure).print_svg(target, metadata={"Date": None, "Creator": None})  # type: ignore[no-untyped-call]
    return target.getvalue()


def _png(figure: Figure) -> bytes:
    figure.set_dpi(DPI)
    target = io.BytesIO()
    FigureCanvasAgg(figure).print_png(target, metadata={"Software": None})  # type: ignore[no-untyped-call]
    return target.getvalue()


def _clean(svg: str) -> str:
    """Without the metadata block: it says nothing about the picture and names remote addresses."""
    return re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)


def pictures(sitting: Sitting, seconds_per_turn: float, prefix: str = "") -> list[Picture]:
    """Every figure of one table, in the order of the report."""
    made = [
        _seats(sitting),
        _length(sitting, seconds_per_turn),
        _turns(sitting),
        _bumps(sitting),
        _lead_changes(sitting),
    ]
    if sitting.variants:
        made.append(_differences(sitting))
    return [Picture(prefix + each.name, each.finding, each.shows, each.draw, each.height) for each in made]


# -- shared pieces ---------------------------------------------------------------------------------


def clip(label: str, chars: int = LABEL_CHARS) -> str:
    """A label short enough to stand in a figure, on one line."""
    label = " ".join(label.split())
    if len(label) <= chars:
        return label
    end = chars // 3  # where names of house rules differ
    return f"{label[: chars - end - 1]}…{label[-end:]}"


def _labels(sitting: Sitting) -> list[str]:
    return [clip(arm.ruleset.short) for arm in sitting.arms]


def _dash(at: int) -> Any:
    """A dash for the at-th line: where colors come round again, another dash goes with each."""
    return DASHES[(at + at // len(SERIES)) % len(DASHES)]


def _style(at: int) -> dict[str, Any]:
    return {"color": SERIES[at % len(SERIES)], "marker": MARKERS[at % len(MARKERS)]}


LINE = 0.18  # inches, of a legend


def _legend_lines(labels: Sequence[str]) -> int:
    """One line for two short names, else a line each."""
    return 1 if len(labels) == 2 and sum(map(len, labels)) <= LABEL_CHARS - 4 else len(labels)


def _legend(axes: Axes, labels: Sequence[str]) -> None:
    """Above the axes, so that it never lies on the data."""
    columns = 2 if _legend_lines(labels) < len(labels) else 1
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, borderaxespad=0.2, handlelength=2.6, columnspacing=1.2)


def _percent(axis: Any) -> None:
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{words.number(value * 100, 0 if abs(value * 1000 % 10) < 1e-6 else 1)}%"))


def _n(sitting: Sitting) -> str:
    each = " of each ruleset" if sitting.variants else ""
    return f"{words.count(sitting.games)} games{each}, {words.line_up(sitting)}"


def _whiskers(estimate: stats.Estimate) -> list[list[float]]:
    return [[estimate.value - estimate.low], [estimate.high - estimate.value]]


def _bar_labels(axes: Axes, sitting: Sitting, heights: Sequence[float]) -> None:
    """Each ruleset's name on a line of its own above its bar: names may be long."""
    for label, at in zip(_labels(sitting), heights, strict=True):
        axes.annotate(label, (0, at), xytext=(0, 11), textcoords="offset points", fontsize=9, va="bottom", annotation_clip=False)


def _other_than(sitting: Sitting, name: str) -> Arm | None:
    """The variant with the strongest verdict "different" on a metric."""
    changed = [arm for arm in sitting.variants if (found := arm.compared[name].verdict) and found.word == stats.DIFFERENT]
    return max(changed, key=lambda arm: abs(arm.compared[name].difference.value), default=None)


# -- who wins --------------------------------------------------------------------------------------


def _seats(sitting: Sitting) -> Picture:
    even = 1 / sitting.players
    margin = sitting.base.fairness.verdict.margin
    band = f"an even share, ±{margin * 100:g} pp"

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        arms = len(sitting.arms)
        axes.axhspan(even - margin, even + margin, color=BAND, lw=0, zorder=0, label=band)
        axes.axhline(even, color=FAINT, lw=0.8, zorder=1)
        for at, (arm, label) in enumerate(zip(sitting.arms, _labels(sitting), strict=True)):
            shift = (at - (arms - 1) / 2) * 0.8 / max(arms, 4)
            places = [seat + 1 + shift for seat in range(sitting.players)]
            shares = arm.seat_shares
            errors = [[s.value - s.low for s in shares], [s.high - s.value for s in shares]]
            axes.errorbar(
                places, [s.value for s in shares], errors, ls="none", ms=5, lw=1.4, capsize=2.5, label=label, zorder=3, **_style(at)
            )
        axes.set_xticks(
            range(1, sitting.players + 1), [f"seat {s + 1}" + ("\n(moves first)" if s == 0 else "") for s in range(sitting.players)]
        )
        axes.set_xlim(0.5, sitting.players + 0.5)
        bounds = [bound for arm in sitting.arms for s in arm.seat_shares for bound in (s.low, s.high) if s.known]
        low, high = min([*bounds, even - 1.4 * margin]), max([*bounds, even + 1.4 * margin])
        axes.set_ylim(low - 0.06 * (high - low), high + 0.06 * (high - low))
        axes.set_ylabel("share of the wins")
        axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
        _percent(axes.yaxis)
        axes.grid(axis="y")
        _legend(axes, [band, *(_labels(sitting) if arms > 1 else [])])

    shows = (
        f"Share of the wins by seat in play order, with {stats.LEVEL:.0%} intervals that hold for all seats of a ruleset at once "
        f"(Goodman). The axis does not begin at 0. {_n(sitting)}."
    )
    return Picture("seats", _seat_finding(sitting), shows, draw, 2.4 + LINE * (1 + (len(sitting.arms) if sitting.variants else 0)))


def _seat_finding(sitting: Sitting) -> str:
    if len(set(sitting.policies)) > 1:
        return "Wins by seat in play order; the players differ in policy, so this is not the fairness of the seats alone"
    players, margin = sitting.players, sitting.base.fairness.verdict.margin
    found = {arm.fairness.verdict.word for arm in sitting.arms}
    which = "every ruleset" if len(sitting.arms) > 2 else "both rulesets" if sitting.variants else "this ruleset"
    even = words.number(100 / players, 1).removesuffix(".0")
    if found <= {stats.SAME, stats.NEGLIGIBLE}:
        return f"Every seat wins {even}% of the games, give or take {words.points(margin)}, under {which}"
    unequal = [arm for arm in sitting.arms if arm.fairness.verdict.word == stats.DIFFERENT]
    if unequal:
        arm = max(unequal, key=lambda each: each.seat_gap.value)
        shares = arm.seat_shares
        best = max(range(players), key=lambda seat: shares[seat].value)
        name = f" under {clip(arm.ruleset.short)}" if sitting.variants else ""
        return f"Seat {best + 1} has an edge{name}: it wins {words.rough(shares[best])} of the games, where {even}% would be even"
    if stats.UNSIZED in found:
        return "Seats do not win equally often, but by how much is not settled at this number of games"
    return "No seat's edge is established, nor ruled out, at this number of games"


# -- how long --------------------------------------------------------------------------------------


def _length(sitting: Sitting, seconds_per_turn: float) -> Picture:
    def tick(turns: float, _: int) -> str:
        return f"{turns:,.0f}\n{turns * seconds_per_turn / 60:,.3g}"

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for at, (arm, label) in enumerate(zip(sitting.arms, _labels(sitting), strict=True)):
            turns, shares = zip(*arm.curve, strict=True)
            color = SERIES[at % len(SERIES)]
            axes.plot(turns, shares, color=color, ls=_dash(at), lw=1.8, label=label)
            median = arm.quantiles[0.5].value
            if math.isfinite(median):
                axes.plot([median], [0.5], ms=6, zorder=4, ls="none", **_style(at))
        axes.axhline(0.5, color=FAINT, lw=0.6, zorder=1)
        axes.set_xlim(left=0)
        axes.set_ylim(0, 1.02)
        axes.set_xlabel(f"turns; below, minutes at {seconds_per_turn:g} seconds a turn")
        axes.xaxis.set_major_formatter(FuncFormatter(tick))
        axes.set_ylabel("games that are over")
        _percent(axes.yaxis)
        axes.grid()
        if len(sitting.arms) > 1:
            _legend(axes, _labels(sitting))

    shows = (
        f"Share of the games that are over within so many turns; the marker is the median. {_n(sitting)}. "
        "Games that were cut off count as longer than all others."
    )
    return Picture("length", _length_finding(sitting), shows, draw, 2.9 + LINE * _legend_lines(_labels(sitting)))


def _length_finding(sitting: Sitting) -> str:
    base = sitting.base
    if not sitting.variants:
        return f"Half of the games end within {words.whole(base.quantiles[0.5])} turns, 19 in 20 within {words.whole(base.quantiles[0.95])}"
    arm = _other_than(sitting, "turns")
    if arm is None:
        start = f"Half of the games end within {words.whole(base.quantiles[0.5])} turns"
        return f"{start}; {NO_CHANGE} the length"
    return (
        f"Half of the games end within {words.whole(base.quantiles[0.5])} turns under {clip(base.ruleset.short)}, "
        f"{words.whole(arm.quantiles[0.5])} under {clip(arm.ruleset.short)}"
    )


# -- what a turn is --------------------------------------------------------------------------------


def _turns(sitting: Sitting) -> Picture:
    parts = (("stuck", "stuck_share"), ("forced", "forced_share"), ("choice", "choice_share"))

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        heights = [-float(at) for at in range(len(sitting.arms))]
        left = [0.0] * len(heights)
        for (title, name), color, text_color in zip(parts, STACK, STACK_TEXT, strict=True):
            shares = [arm.measured[name].value for arm in sitting.arms]
            axes.barh(heights, shares, left=left, height=0.42, color=color, label=title)
            for at, (height, share) in enumerate(zip(heights, shares, strict=True)):
                if share >= 0.07:
                    axes.text(left[at] + share / 2, height, f"{share:.1%}", ha="center", va="center", fontsize=9, color=text_color)
            left = [a + b for a, b in zip(left, shares, strict=True)]
        _bar_labels(axes, sitting, heights)
        axes.set_xlim(0, 1)
        axes.set_ylim(heights[-1] - 0.3, 0.62)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("share of all turns")
        _percent(axes.xaxis)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, borderaxespad=0.2, handlelength=1.2, columnspacing=1.0, fontsize=8)

    kinds = "stuck (nothing possible), forced (a single outcome) or with a choice (two or more, passing included)"
    shows = f"Turns by what the player could do: {kinds}. The intervals are in the table. {_n(sitting)}."
    return Picture("turns", _turns_finding(sitting), shows, draw, 0.95 + 0.5 * len(sitting.arms))


def _turns_finding(sitting: Sitting) -> str:
    base = sitting.base
    stuck, choice = base.measured["stuck_share"], base.measured["choice_share"]
    start = f"{words.rough(stuck)} of the turns are stuck and {words.rough(choice)} leave a choice"
    arm = _other_than(sitting, "choice_share") or _other_than(sitting, "stuck_share")
    if not sitting.variants:
        return start
    if arm is None:
        return f"{start}; {NO_CHANGE} that"
    return (
        f"{start} under {clip(base.ruleset.short)}; {words.rough(arm.measured['stuck_share'])} "
        f"and {words.rough(arm.measured['choice_share'])} under {clip(arm.ruleset.short)}"
    )


# -- bumps and lead changes ------------------------------------------------------------------------


def _bumps(sitting: Sitting) -> Picture:
    parts = (("by landing", "bumps_landing"), ("on slides", "bumps_slide"), ("by Sorry! cards", "bumps_sorry"))

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        heights = [-float(at) for at in range(len(sitting.arms))]
        left = [0.0] * len(heights)
        longest = max(arm.measured["bumps"].value for arm in sitting.arms) or 1.0
        for (title, name), color, text_color in zip(parts, STACK, STACK_TEXT, strict=True):
            counts = [arm.measured[name].value for arm in sitting.arms]
            axes.barh(heights, counts, left=left, height=0.42, color=color, label=title)
            for at, (height, bumps) in enumerate(zip(heights, counts, strict=True)):
                if bumps >= 0.08 * longest:
                    axes.text(left[at] + bumps / 2, height, words.number(bumps, 1), ha="center", va="center", fontsize=9, color=text_color)
            left = [a + b for a, b in zip(left, counts, strict=True)]
        for arm, height in zip(sitting.arms, heights, strict=True):
            total = arm.measured["bumps"]
            axes.errorbar([total.value], [height], xerr=_whiskers(total), color=INK, lw=1.2, capsize=3)
            axes.annotate(
                words.value(total), (total.high, height), xytext=(5, 0), textcoords="offset points", va="center", fontweight="bold"
            )
        _bar_labels(axes, sitting, heights)
        axes.set_xlim(0, longest * 1.14)
        axes.set_ylim(heights[-1] - 0.3, 0.62)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("bumps per game")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, borderaxespad=0.2, handlelength=1.2, columnspacing=1.0, fontsize=8)

    whisker = f"the line at the end is the {stats.LEVEL:.0%} interval of the total"
    shows = f"Opponents' pawns sent back to START per game, by cause; {whisker}. {_n(sitting)}."
    return Picture("bumps", _metric_finding(sitting, "bumps", "bumps"), shows, draw, 0.95 + 0.5 * len(sitting.arms))


def _metric_finding(sitting: Sitting, name: str, noun: str) -> str:
    base = sitting.base.measured[name]
    if not sitting.variants:
        return f"A game has {words.rough(base)} {noun}"
    arm = _other_than(sitting, name)
    if arm is None:
        return f"A game has {words.rough(base)} {noun}; {NO_CHANGE} that"
    there = f"{words.rough(arm.measured[name])} under {clip(arm.ruleset.short)}"
    return f"A game has {words.rough(base)} {noun} under {clip(sitting.base.ruleset.short)}, {there}"


def _lead_changes(sitting: Sitting) -> Picture:
    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        heights = [-float(at) for at in range(len(sitting.arms))]
        for at, (arm, height) in enumerate(zip(sitting.arms, heights, strict=True)):
            changes = arm.measured["lead_changes"]
            axes.barh([height], [changes.value], height=0.32, color=BAND, lw=0)
            axes.errorbar([changes.value], [height], xerr=_whiskers(changes), ms=5, lw=1.4, capsize=3, **_style(at))
            axes.annotate(
                words.value(changes), (changes.high, height), xytext=(6, 0), textcoords="offset points", va="center", fontweight="bold"
            )
        _bar_labels(axes, sitting, heights)
        axes.set_xlim(0, (max(arm.measured["lead_changes"].high for arm in sitting.arms) or 1) * 1.12)
        axes.set_ylim(heights[-1] - 0.35, 0.62)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("lead changes per game")

    shows = f"Ends of rounds at which another player leads alone, per game, with {stats.LEVEL:.0%} intervals. {_n(sitting)}."
    return Picture("lead-changes", _metric_finding(sitting, "lead_changes", "lead changes"), shows, draw, 0.7 + 0.48 * len(sitting.arms))


# -- differences -----------------------------------------------------------------------------------

LINEAR = 3.0  # margins drawn to scale; beyond that the axis is logarithmic


def _differences(sitting: Sitting) -> Picture:
    metrics = sitting.rows(headline=True)
    drawn = [m for m in metrics if any(_in_margins(arm, m.name) for arm in sitting.variants)]

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        variants = len(sitting.variants)
        axes.axvspan(-1, 1, color=BAND, lw=0, zorder=0)
        axes.axvline(0, color=FAINT, lw=0.8, zorder=1)
        widest = LINEAR
        for at, arm in enumerate(sitting.variants):
            shift = (at - (variants - 1) / 2) * 0.74 / max(variants, 2)
            for row, metric in enumerate(drawn):
                scaled = _in_margins(arm, metric.name)
                if scaled is None:
                    continue
                value, low, high = scaled
                widest = max(widest, abs(low), abs(high))
                axes.errorbar(
                    [value], [row + shift], xerr=[[value - low], [high - value]], ms=4.5, lw=1.4, capsize=2, zorder=3, **_style(at + 1)
                )
        for at, label in enumerate(_labels(sitting)[1:]):
            axes.plot([], [], ls="none", ms=4.5, label=label, **_style(at + 1))
        axes.set_yticks(range(len(drawn)), [metric.title for metric in drawn])
        axes.set_ylim(len(drawn) - 0.4, -0.6)
        axes.set_xscale("symlog", linthresh=LINEAR, linscale=1.6)
        axes.set_xlim(-1.25 * widest, 1.25 * widest)
        marks = [mark for mark in (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000) if mark <= 1.25 * widest]
        axes.set_xticks(
            [*(-mark for mark in reversed(marks)), 0, *marks], [*(f"−{m:g}" for m in reversed(marks)), "0", *(f"{m:g}" for m in marks)]
        )
        axes.minorticks_off()
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("difference from the base, in margins\n(shaded: too small to matter)")
        # Beside the row names, not beside the axes: names of rulesets may be long.
        place = blended_transform_factory(figure.transFigure, axes.transAxes)
        axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), bbox_transform=place, borderaxespad=0.2, handlelength=2)

    cells = [found for arm in sitting.variants for metric in metrics if (found := arm.compared[metric.name].verdict)]
    matter = sum(found.word == stats.DIFFERENT for found in cells)
    none = sum(found.word in (stats.SAME, stats.NEGLIGIBLE) for found in cells)
    finding = f"{matter} of {len(cells)} headline numbers differ from the base by more than the margin, {none} by less"
    if len(cells) - matter - none:
        finding += f", {len(cells) - matter - none} are not settled"
    shows = (
        f"Difference from {clip(sitting.base.ruleset.short)} on the same game numbers, divided by the margin of each measure, "
        f"with {stats.LEVEL:.0%} intervals; beyond ±{LINEAR:g} the axis is logarithmic. {_n(sitting)}."
    )
    height = 1.0 + len(drawn) * max(0.23, 0.085 * len(sitting.variants)) + LINE * len(sitting.variants)
    return Picture("differences", finding, shows, draw, height)


def _in_margins(arm: Arm, name: str) -> tuple[float, float, float] | None:
    """Difference and interval in units of the margin; None where there is no margin or nothing was measured."""
    compared = arm.compared[name]
    if compared.verdict is None or compared.verdict.margin == 0 or not all(map(math.isfinite, (compared.low, compared.high))):
        return None
    margin = compared.verdict.margin
    return compared.difference.value / margin, compared.low / margin, compared.high / margin
