"""What each of several variants changes, at a glance: a figure of variants by measures, and the table of the same numbers."""

import math
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from simsorry import stats
from simsorry.metrics import Metric
from simsorry.report import words
from simsorry.report.drawing import BAND, FAINT, INK, STACK, STACK_TEXT, Picture, clip
from simsorry.report.opening import OF_POLICIES, SAME, by_verdict, kind, of_all
from simsorry.report.study import Arm, Comparison, Sitting, Study
from simsorry.report.tables import Table

# What there is room for, and how it is called above its column; of several in one place the first that is there.
COLUMNS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("turns", "turns"),),
    (("dead_share", "dead\nturns"),),
    (("board_choice_share", "choice\nturns"), ("choice_share", "choice\nturns")),
    (("bumps", "bumps"), ("pawns_covered", "pawns\ncovered")),
    (("seat_1", "who moves\nfirst wins"), ("team_1", "team first\nto move wins")),
    (("lead_changes", "lead\nchanges"),),
)
ROW, HEAD, KEY = 0.43, 0.5, 0.56  # inches


@dataclass(frozen=True)
class Mark:
    """How a cell with a verdict looks: a sign, and a shade that says the same."""

    word: str
    sign: str
    fill: str
    text: str


MARKS = (
    Mark(stats.DIFFERENT, "▲", STACK[2], STACK_TEXT[2]),
    Mark(stats.UNSIZED, "~", STACK[1], STACK_TEXT[1]),
    Mark(stats.SAME, "=", BAND, INK),
    Mark(stats.UNDECIDED, "?", "none", INK),
)
_MARK = {mark.word: mark for mark in MARKS} | {stats.NEGLIGIBLE: MARKS[2]}
KEYS = ("▲ ▼ different", "~ different, size unclear", "= no practical difference", "? undecided")


def columns(sitting: Sitting) -> list[tuple[Metric, str]]:
    """The measures that some variant shares with the base, each with the name over its column."""
    there = {metric.name: metric for metric in sitting.shared(headline=True)}
    policy = next((name for name in there if name.startswith(OF_POLICIES)), None)
    found = []
    for choices in COLUMNS:
        if policy and choices[0][0] == "seat_1":  # who has which policy says more of such a table
            found.append((there[policy], f"{clip(policy.removeprefix(OF_POLICIES), 10)}\nwins"))
            continue
        found += [(there[name], label) for name, label in choices if name in there][:1]
    return found


def ordered(sitting: Sitting) -> list[Arm]:
    """The variants, the largest change of the length first."""
    return sorted(sitting.variants, key=lambda arm: -_size(arm.compared.get("turns")))


def _size(compared: Comparison | None) -> float:
    return abs(compared.of_base) if compared and compared.of_base is not None else -1.0


def relative(compared: Comparison) -> str:
    """A change in percent of the base's value or, of shares, in percentage points; without the unit."""
    share = compared.difference.unit.startswith("share")
    part = compared.difference.value if share else compared.of_base
    if part is None or not math.isfinite(part):
        return words.NONE
    size = 100 * part
    return words.signed(size, 0 if abs(size) >= 10 else 1)


def _unit(metric: Metric) -> str:
    return "pp" if metric.unit.startswith("share") else "%"


# -- the figure ------------------------------------------------------------------------------------


def picture(sitting: Sitting, prefix: str = "") -> Picture:
    """Variants by measures: how much each changes, and whether that matters."""
    shown, arms = columns(sitting), ordered(sitting)

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.set_xlim(0, len(shown))
        axes.set_ylim(len(arms) + 1 + KEY / ROW, -HEAD / ROW)
        axes.axis("off")
        for at, (metric, label) in enumerate(shown):
            axes.text(at + 0.5, -0.06, f"{label}\n{_unit(metric)}", ha="center", va="bottom", fontsize=8, color=FAINT, linespacing=1.1)
        _name(axes, 0, f"{sitting.base.ruleset.short}, as it is")
        for at, (metric, _) in enumerate(shown):
            axes.text(at + 0.5, 0.69, words.rough(sitting.base.measured[metric.name]), ha="center", va="center", fontsize=8.5)
        for row, arm in enumerate(arms, start=1):
            _name(axes, row, arm.ruleset.short)
            for at, (metric, _) in enumerate(shown):
                _cell(axes, at, row, arm.compared.get(metric.name))
        _key(axes, len(arms) + 1 + 0.2 / ROW, len(shown))

    shows = (
        f"Change from {clip(sitting.base.ruleset.short)} on the same games, in percent of its value or in percentage points (pp), the "
        f"largest change of the length first; the verdicts allow for the number of comparisons. Intervals are in the table. "
        f"{words.count(sitting.games)} {words.plays(sitting.arms)} of each ruleset, {words.line_up(sitting)}."
    )
    return Picture(f"{prefix}overview", finding(sitting), shows, draw, HEAD + KEY + ROW * (len(arms) + 1))


def _name(axes: Axes, row: int, name: str) -> None:
    axes.text(0.02, row + 0.24, clip(name, 48), ha="left", va="center", fontsize=8.5, fontweight="bold")


def _cell(axes: Axes, at: int, row: int, compared: Comparison | None) -> None:
    if compared is None or compared.verdict is None:
        axes.text(at + 0.5, row + 0.69, words.NONE, ha="center", va="center", fontsize=8.5, color=FAINT)
        return
    mark = _MARK[compared.verdict.word]
    _box(axes, at + 0.02, row + 0.44, 0.96, mark)
    sign = "▼" if mark.sign == "▲" and compared.difference.value < 0 else mark.sign
    axes.text(at + 0.5, row + 0.69, f"{sign} {relative(compared)}", ha="center", va="center", fontsize=8.5, color=mark.text)


def _box(axes: Axes, left: float, top: float, width: float, mark: Mark) -> None:
    dashed = mark.fill == "none"
    edge = FAINT if dashed else mark.fill
    axes.add_patch(Rectangle((left, top), width, 0.5, facecolor=mark.fill, edgecolor=edge, lw=0.6, ls=(0, (2, 2)) if dashed else "-"))


def _key(axes: Axes, top: float, width: int) -> None:
    """What the signs and shades mean, in two lines of two."""
    for at, (mark, text) in enumerate(zip(MARKS, KEYS, strict=True)):
        left, line = (at % 2) * width / 2, top + (at // 2) * 0.4
        axes.add_patch(Rectangle((left + 0.02, line), width / 2 - 0.04, 0.36, facecolor=mark.fill, edgecolor=FAINT, lw=0.4))
        axes.text(left + width / 4, line + 0.18, text, ha="center", va="center", fontsize=8, color=mark.text)


def finding(sitting: Sitting) -> str:
    """How many variants change the length, and which does most; if none does, whether that is open."""
    found, one = by_verdict(sitting, "turns"), words.play(sitting.arms)
    changed = found.get(stats.DIFFERENT, [])
    if changed:
        arm, compared = changed[0]
        name = clip(arm.ruleset.short)
        if len(changed) == 1:
            return f"Only {name} is shown to change the length of a {one}, by {relative(compared)}%"
        return f"{words.capital(of_all(len(changed), sitting))} change the length of a {one}; {name} most, by {relative(compared)}%"
    quiet = sum(len(found.get(word, [])) for word in SAME)
    variants = f"the {words.small(len(sitting.variants))} {kind(sitting)}"
    if quiet == len(sitting.variants):
        return f"None of {variants} changes the length of a {one} by more than the margin"
    if not quiet:
        return f"Whether any of {variants} changes the length of a {one} is open"
    return f"None of {variants} is shown to change the length of a {one}; for {words.small(len(sitting.variants) - quiet)} that is open"


# -- the table -------------------------------------------------------------------------------------


def table(study: Study, sitting: Sitting) -> Table:
    """The same numbers with their intervals and verdicts."""
    shown = columns(sitting)
    base = sitting.base.ruleset.short
    rows = [(f"{base}, as it is", *(words.cell(sitting.base, metric.name) for metric, _ in shown))]
    rows += [(arm.ruleset.short, *(_told(arm.compared.get(metric.name), metric) for metric, _ in shown)) for arm in ordered(sitting)]
    headings = ("Ruleset", *(words.title(metric, sitting.arms) for metric, _ in shown))
    note = (
        f"Below the first row: difference from {base} with its {stats.LEVEL:.0%} interval, in square brackets the same in percent of "
        f"{base}'s value, and the verdict. pp: percentage points."
    )
    number = study.sittings.index(sitting) + 1
    return Table(f"overview-{number}", f"What the {kind(sitting)} change: {words.line_up(sitting)}", headings, tuple(rows), note)


def _told(compared: Comparison | None, metric: Metric) -> str:
    if compared is None or compared.verdict is None:
        return words.NONE
    percent = "" if _unit(metric) == "pp" or relative(compared) == words.NONE else f" [{relative(compared)}%]"
    return f"{words.change(compared)}{percent}\n{words.verdict(compared)}"
