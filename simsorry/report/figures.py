"""The figures of a report, each with its finding in the title."""

import math
from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from matplotlib.transforms import blended_transform_factory

from simsorry import stats
from simsorry.report import words
from simsorry.report.drawing import (
    BAND,
    FAINT,
    INK,
    LINE,
    SERIES,
    STACK,
    STACK_TEXT,
    Picture,
    clip,
    dash,
    legend,
    legend_lines,
    look,
    percent,
    whiskers,
)
from simsorry.report.study import MINUTES_SHOWN, Arm, Sitting, Spread

DRAWN_APART = 6  # variants whose differences fit side by side into one row of a figure

HOUR = 60  # minutes: the bedtime that titles are about


def pictures(sitting: Sitting, seconds_per_turn: float, prefix: str = "") -> dict[str, Picture]:
    """Every figure of one table by its name, in the order of the report; ``prefix`` goes before the names of their files."""
    made = [_sides(sitting, teams) for teams in (False, True) if _side_arms(sitting, teams)]
    made += [_points(sitting, teams) for teams in (False, True) if _side_arms(sitting, teams, points=True)]
    if any(arm.traits.bonuses for arm in sitting.arms):
        made.append(_bonuses(sitting))
    if any("ended_by_earlier" in arm.measured for arm in sitting.arms):
        made.append(_ended(sitting))
    made += [_length(sitting, seconds_per_turn), _turns(sitting)]
    if "both_share" in sitting.base.measured:
        made.append(_dice(sitting))
    if any("bonuses_earned" in arm.measured for arm in sitting.arms):
        made.append(_bonus_moves(sitting))
    if "bumps" in sitting.base.measured:
        made.append(_bumps(sitting))
    if "covered_share" in sitting.base.measured:
        made += [_covered(sitting), _longest_cover(sitting), _sizes(sitting)]
    made.append(_lead_changes(sitting))
    if 0 < len(sitting.variants) <= DRAWN_APART:
        made.append(_differences(sitting))
    return {each.name: Picture(prefix + each.name, each.finding, each.shows, each.draw, each.height) for each in made}


# -- shared pieces ---------------------------------------------------------------------------------


def _labels(arms: Sequence[Arm]) -> list[str]:
    return [clip(arm.ruleset.short) for arm in arms]


def _n(sitting: Sitting) -> str:
    each = " of each ruleset" if sitting.variants else ""
    return f"{words.count(sitting.games)} {words.plays(sitting.arms)}{each}, {words.line_up(sitting)}"


def _bar_labels(axes: Axes, arms: Sequence[Arm], heights: Sequence[float]) -> None:
    """Each ruleset's name on a line of its own above its bar: names may be long."""
    for label, at in zip(_labels(arms), heights, strict=True):
        axes.annotate(label, (0, at), xytext=(0, 11), textcoords="offset points", fontsize=9, va="bottom", annotation_clip=False)


Parts = Sequence[tuple[str, str]]  # the name in the legend and the measure of each part of a bar


def _bars(axes: Axes, arms: Sequence[Arm], parts: Parts, text: Callable[[float], str], least: float) -> list[float]:
    """A bar for every ruleset, its parts one after the other, with their numbers in those of some length; returns the bars' heights."""
    heights = [-float(at) for at in range(len(arms))]
    left = [0.0] * len(heights)
    for (title, name), color, text_color in zip(parts, STACK[: len(parts)], STACK_TEXT[: len(parts)], strict=True):
        lengths = [arm.measured[name].value for arm in arms]
        axes.barh(heights, lengths, left=left, height=0.42, color=color, label=title)
        for at, (height, length) in enumerate(zip(heights, lengths, strict=True)):
            if length >= least:
                axes.text(left[at] + length / 2, height, text(length), ha="center", va="center", fontsize=9, color=text_color)
        left = [a + b for a, b in zip(left, lengths, strict=True)]
    _bar_labels(axes, arms, heights)
    axes.set_ylim(heights[-1] - 0.3, 0.62)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, borderaxespad=0.2, handlelength=1.2, columnspacing=1.0, fontsize=8)
    return heights


def _share_bars(figure: Figure, arms: Sequence[Arm], parts: Parts, whole: str) -> None:
    """Bars of shares of a whole."""
    axes = figure.add_subplot()
    _bars(axes, arms, parts, "{:.1%}".format, 0.07)
    axes.set_xlim(0, 1)
    axes.set_xlabel(f"share of {whole}")
    percent(axes.xaxis)


def _count_bars(figure: Figure, arms: Sequence[Arm], parts: Parts, total: str, label: str) -> None:
    """Bars of counts, with the total that they make and its interval at their ends."""
    axes = figure.add_subplot()
    longest = max(arm.measured[total].value for arm in arms) or 1.0
    heights = _bars(axes, arms, parts, lambda length: words.number(length, 1), 0.08 * longest)
    for arm, height in zip(arms, heights, strict=True):
        all_ = arm.measured[total]
        axes.errorbar([all_.value], [height], xerr=whiskers(all_), color=INK, lw=1.2, capsize=3)
        axes.annotate(words.value(all_), (all_.high, height), xytext=(5, 0), textcoords="offset points", va="center", fontweight="bold")
    axes.set_xlim(0, longest * 1.14)
    axes.set_xlabel(label)


def _value_bars(axes: Axes, arms: Sequence[Arm], name: str) -> None:
    """A pale bar for every ruleset, with a measure, its interval and its number at the end."""
    heights = [-float(at) for at in range(len(arms))]
    for at, (arm, height) in enumerate(zip(arms, heights, strict=True)):
        found = arm.measured[name]
        axes.barh([height], [found.value], height=0.32, color=BAND, lw=0)
        axes.errorbar([found.value], [height], xerr=whiskers(found), ms=5, lw=1.4, capsize=3, **look(at))
        axes.annotate(words.value(found), (found.high, height), xytext=(6, 0), textcoords="offset points", va="center", fontweight="bold")
    _bar_labels(axes, arms, heights)
    axes.set_xlim(0, (max(arm.measured[name].high for arm in arms) or 1) * 1.16)
    axes.set_ylim(heights[-1] - 0.35, 0.62)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)


def _value_bars_height(arms: Sequence[Arm]) -> float:
    return 0.7 + 0.48 * len(arms)


Curve = Sequence[tuple[int, float]]


def _curves(axes: Axes, arms: Sequence[Arm], curve: Callable[[Arm], Curve], median: Callable[[Arm], float]) -> None:
    """A line for every ruleset that says which share of the games has no more than so many of something; the marker is the median."""
    for at, (arm, label) in enumerate(zip(arms, _labels(arms), strict=True)):
        counts, shares = zip(*curve(arm), strict=True)
        axes.plot(counts, shares, color=SERIES[at % len(SERIES)], ls=dash(at), lw=1.8, label=label)
        if math.isfinite(median(arm)):
            axes.plot([median(arm)], [0.5], ms=6, zorder=4, ls="none", **look(at))
    axes.axhline(0.5, color=FAINT, lw=0.6, zorder=1)
    axes.set_xlim(left=0)
    axes.set_ylim(0, 1.02)
    percent(axes.yaxis)
    axes.grid()
    if len(arms) > 1:
        legend(axes, _labels(arms))


def _curves_height(arms: Sequence[Arm]) -> float:
    return 2.9 + LINE * legend_lines(_labels(arms))


def _bars_height(arms: Sequence[Arm]) -> float:
    return 0.95 + 0.5 * len(arms)


def _other_than(sitting: Sitting, name: str) -> Arm | None:
    """The variant with the strongest verdict "different" on a metric."""
    changed = [
        arm for arm in sitting.variants if name in arm.compared and (found := arm.compared[name].verdict) and found.word == stats.DIFFERENT
    ]
    return max(changed, key=lambda arm: abs(arm.compared[name].difference.value), default=None)


def _beside(sitting: Sitting, start: str, told: Callable[[Arm], str], *names: str, mark: str = ",") -> str:
    """A finding about the base, and beside it what it is for the variant in which one of these measures, the first to do so, differs."""
    if not sitting.variants:
        return start
    start = f"{start} under {clip(sitting.base.ruleset.short)}"
    arm = next(filter(None, (_other_than(sitting, name) for name in names)), None)
    if arm is None:
        return f"{start}; {unchanged(sitting, *names)}"
    return f"{start}{mark} {told(arm)} under {clip(arm.ruleset.short)}"


def unchanged(sitting: Sitting, *names: str) -> str:
    """The end of a finding about measures that no variant is shown to change: that it does not, or that this is open."""
    found = [
        compared.verdict.word if (compared := arm.compared.get(name)) and compared.verdict else stats.UNDECIDED
        for arm in sitting.variants
        for name in names
    ]
    who = clip(sitting.variants[0].ruleset.short) if len(sitting.variants) == 1 else ""
    if set(found) <= {stats.SAME, stats.NEGLIGIBLE}:
        return f"{who} does not change that beyond the margin" if who else "no variant changes that beyond the margin"
    if stats.UNSIZED in found:
        return f"{who or 'a variant'} changes that, but by how much is open"
    return f"whether {who or 'a variant'} changes that is open"


def _roughly(name: str) -> Callable[[Arm], str]:
    """A measure of an arm in round numbers."""
    return lambda arm: words.rough(arm.measured[name])


Series = tuple[int, Arm, Sequence[stats.Estimate]]  # number of the ruleset, the ruleset, an estimate for each place on the axis


def _dots(axes: Axes, sitting: Sitting, places: Sequence[str], series: Sequence[Series]) -> None:
    """A dot with its interval for every place and ruleset, the rulesets beside each other."""
    for row, (at, arm, estimates) in enumerate(series):
        shift = 1 + (row - (len(series) - 1) / 2) * 0.8 / max(len(series), 4)
        axes.errorbar(
            [place + shift for place in range(len(places))], [each.value for each in estimates], whiskers(*estimates),
            ls="none", ms=5, lw=1.4, capsize=2.5, label=clip(arm.ruleset.short) if sitting.variants else None, zorder=3, **look(at),
        )  # fmt: skip
    axes.set_xticks(range(1, len(places) + 1), places)
    axes.set_xlim(0.5, len(places) + 0.5)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axes.grid(axis="y")


def _fit(axes: Axes, series: Sequence[Series], *more: float) -> None:
    """Makes the height of the axes that of all intervals and of some more numbers."""
    bounds = [bound for _, _, estimates in series for each in estimates for bound in (each.low, each.high) if each.known]
    low, high = min([*bounds, *more], default=0), max([*bounds, *more], default=1)
    room = 0.06 * (high - low) or 1
    axes.set_ylim(low - room, high + room)


def _side_arms(sitting: Sitting, teams: bool, points: bool = False) -> list[tuple[int, Arm]]:
    """The rulesets played by teams or by single players, numbered; perhaps only those that keep points."""
    return [(at, arm) for at, arm in enumerate(sitting.arms) if bool(arm.traits.teams) == teams and (arm.traits.points or not points)]


def _side_places(arm: Arm) -> list[str]:
    if arm.traits.teams:
        return ["the team that\nmoves first", "the other\nteam"]
    return [name + ("\n(moves first)" if at == 0 else "") for at, name in enumerate(arm.sides)]


def _which(arms: int) -> str:
    return "every ruleset" if arms > 2 else "both rulesets" if arms == 2 else "this ruleset"


# -- who wins --------------------------------------------------------------------------------------


def _sides(sitting: Sitting, teams: bool) -> Picture:
    arms = _side_arms(sitting, teams)
    first = arms[0][1]
    margin, even = first.fairness.verdict.margin, 1 / len(first.sides)
    band = f"an even share, ±{margin * 100:g} pp"
    series = [(at, arm, arm.side_shares) for at, arm in arms]

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axhspan(even - margin, even + margin, color=BAND, lw=0, zorder=0, label=band)
        axes.axhline(even, color=FAINT, lw=0.8, zorder=1)
        _dots(axes, sitting, _side_places(first), series)
        _fit(axes, series, even - 1.4 * margin, even + 1.4 * margin)
        axes.set_ylabel("share of the wins")
        percent(axes.yaxis)
        _legend(axes, sitting, arms, band)

    who, order = ("teams", "by team") if teams else ("seats", "by seat in play order")
    shows = (
        f"Share of the wins {order}, with {stats.LEVEL:.0%} intervals that hold for all {who} of a ruleset at once "
        f"(Goodman). The axis does not begin at 0. {_n(sitting)}."
    )
    return Picture(who, _side_finding(sitting, [arm for _, arm in arms]), shows, draw, _dots_height(sitting, len(arms) + 1))


def _legend(axes: Axes, sitting: Sitting, arms: Sequence[tuple[int, Arm]], band: str = "") -> None:
    """Names the band, if there is one, and the rulesets, if there are several."""
    names = [clip(arm.ruleset.short) for _, arm in arms] if sitting.variants else []
    if band or names:
        legend(axes, [band, *names] if band else names)


def _dots_height(sitting: Sitting, lines: int) -> float:
    return 2.4 + LINE * (lines if sitting.variants else 1)


def _side_finding(sitting: Sitting, arms: Sequence[Arm]) -> str:
    who, one = words.sides(arms[0]), "team" if arms[0].traits.teams else "seat"
    if not all(arm.even for arm in arms):
        order = "by team" if arms[0].traits.teams else "by seat in play order"
        return f"Wins {order}; the players differ in policy, so this is not the fairness of the {who} alone"
    margin, even, games = arms[0].fairness.verdict.margin, words.percent(1 / len(arms[0].sides)), words.plays(arms)
    found = {arm.fairness.verdict.word for arm in arms}
    under = (
        f"under {_which(len(arms))}" if len(arms) == len(sitting.arms) else f"under {words.listed([clip(a.ruleset.short) for a in arms])}"
    )
    if found <= {stats.SAME, stats.NEGLIGIBLE}:
        return f"{'Each' if one == 'team' else 'Every'} {one} wins {even} of the {games}, give or take {words.points(margin)}, {under}"
    if unequal := [arm for arm in arms if arm.fairness.verdict.word == stats.DIFFERENT]:
        arm = max(unequal, key=lambda each: each.side_gap.value)
        off = max(range(len(arm.sides)), key=lambda side: abs(arm.side_shares[side].value - 1 / len(arm.sides)))
        better = arm.side_shares[off].value > 1 / len(arm.sides)
        has = f" {'has an edge' if better else 'is worse off'}" + (f" under {clip(arm.ruleset.short)}" if sitting.variants else "")
        wins = f"it wins {words.rough(arm.side_shares[off])} of the {words.plays([arm])}"
        return f"{words.capital(arm.sides[off])}{has}: {wins}, where {even} would be even"
    if stats.UNSIZED in found:
        return f"{words.capital(who)} do not win equally often, but by how much is not settled at this number of {games}"
    if not any(any(arm.side_wins) for arm in arms):
        return f"None of the {games} has a winner"
    return f"Whether one {one} wins more often than another is still open at this number of {games}"


# -- points ----------------------------------------------------------------------------------------


def _points(sitting: Sitting, teams: bool) -> Picture:
    arms = _side_arms(sitting, teams, points=True)
    kind = "team" if teams else "seat"
    series = [(at, arm, [arm.measured[f"points_{kind}_{side + 1}"] for side in range(len(arm.sides))]) for at, arm in arms]

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        _dots(axes, sitting, _side_places(arms[0][1]), series)
        _fit(axes, series)
        axes.set_ylabel(f"points in a {words.play(arm for _, arm in arms)}")
        _legend(axes, sitting, arms)

    order = "of the team that moves first and of the other" if teams else "by seat in play order"
    shows = f"Mean points {order}, with {stats.LEVEL:.0%} intervals. The axis does not begin at 0. {_n(sitting)}."
    name = "points-of-teams" if teams else "points"
    return Picture(name, _points_finding(sitting, [arm for _, arm in arms], kind), shows, draw, _dots_height(sitting, len(arms)))


def _points_finding(sitting: Sitting, arms: Sequence[Arm], kind: str) -> str:
    def told(arm: Arm) -> str:
        shown = sorted((arm.measured[f"points_{kind}_{side + 1}"] for side in range(len(arm.sides))), key=lambda each: each.value)
        lowest, highest = words.rough(shown[0]), words.rough(shown[-1])
        return lowest if lowest == highest else f"{lowest} to {highest}"

    first = arms[0]
    start = f"A {kind} scores {told(first)} points a {words.game(first)} on average"
    if not sitting.variants:
        return start
    start = f"{start} under {clip(first.ruleset.short)}"
    if len(arms) == 1:
        return start
    other = max(arms[1:], key=lambda arm: abs(arm.measured["points_winner"].value - first.measured["points_winner"].value))
    per = f" a {words.game(other)}" if other.traits.match != first.traits.match else ""
    return f"{start}, {told(other)}{per} under {clip(other.ruleset.short)}"


def _bonuses(sitting: Sitting) -> Picture:
    metrics = [metric for metric in sitting.metrics if metric.name.startswith("bonus_")]
    arms = [(at, arm) for at, arm in enumerate(sitting.arms) if arm.traits.bonuses]
    step = 0.36 * len(arms) + 0.5  # from one bonus to the next, in inches

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for row, metric in enumerate(metrics):
            axes.annotate(
                metric.title, (0, -row * step), xytext=(0, 9), textcoords="offset points", fontsize=9, va="bottom", annotation_clip=False
            )
            for line, (at, arm) in enumerate(arms):
                if metric.name not in arm.measured:
                    continue
                paid, height = arm.measured[metric.name], -row * step - 0.36 * line
                axes.barh([height], [paid.value], height=0.22, color=BAND, lw=0)
                axes.errorbar([paid.value], [height], xerr=whiskers(paid), ms=5, lw=1.4, capsize=3, **look(at))
                axes.annotate(
                    words.value(paid), (paid.high, height), xytext=(6, 0), textcoords="offset points", va="center", fontweight="bold"
                )
        for at, arm in arms if sitting.variants else ():
            axes.plot([], [], ls="none", ms=5, label=clip(arm.ruleset.short), **look(at))
        axes.set_xlim(0, max(arm.measured[m.name].high for _, arm in arms for m in metrics if m.name in arm.measured) * 1.15 or 1)
        axes.set_ylim(-(len(metrics) - 1) * step - 0.36 * (len(arms) - 1) - 0.25, 0.45)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("share of the rounds")
        percent(axes.xaxis)
        _legend(axes, sitting, arms)

    shows = f"Share of the rounds in which the winner is paid each bonus, with {stats.LEVEL:.0%} intervals. {_n(sitting)}."
    height = 0.7 + len(metrics) * step + LINE * (len(arms) if sitting.variants else 0)
    return Picture("bonuses", _bonus_finding(sitting, [arm for _, arm in arms]), shows, draw, height)


def _bonus_finding(sitting: Sitting, arms: Sequence[Arm]) -> str:
    def told(arm: Arm) -> str:
        return words.listed([f"{bonus.points} in {words.seldom(arm.measured[bonus.key])}" for bonus in arm.traits.bonuses])

    start = f"The winner is paid a bonus of {told(arms[0])} of the rounds"
    if len(arms) < len(sitting.arms) or len(arms) == 1:
        return f"{start} under {clip(arms[0].ruleset.short)}" if sitting.variants else start
    return _beside(sitting, start, told, *(bonus.key for bonus in arms[0].traits.bonuses), mark=";")


# -- teams -----------------------------------------------------------------------------------------


def _ended(sitting: Sitting) -> Picture:
    arms = [(at, arm) for at, arm in enumerate(sitting.arms) if "ended_by_earlier" in arm.measured]
    series = [(at, arm, arm.ended) for at, arm in arms]
    even = 1 / sitting.players

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axhline(even, color=FAINT, lw=0.8, zorder=1)
        _dots(axes, sitting, [f"seat {seat + 1}" + ("\n(moves first)" if seat == 0 else "") for seat in range(sitting.players)], series)
        _fit(axes, series, even)
        axes.set_ylabel("share of the winning moves")
        percent(axes.yaxis)
        _legend(axes, sitting, arms)

    finding = _ended_finding(sitting, [arm for _, arm in arms])
    shows = (
        f"Who of the winning team makes the winning move, by seat in play order, with {stats.LEVEL:.0%} intervals that hold for all seats "
        f"of a ruleset at once (Goodman). The axis does not begin at 0. {_n(sitting)}."
    )
    return Picture("ended", finding, shows, draw, _dots_height(sitting, len(arms)))


def _ended_finding(sitting: Sitting, arms: Sequence[Arm]) -> str:
    """The seat that makes the winning move clearly more or less often than an even share, the farthest from it; or that none does."""
    even = 1 / sitting.players
    off = [(arm, seat, each) for arm in arms for seat, each in enumerate(arm.ended) if not each.low <= even <= each.high]
    if not off:
        return "No seat is shown to make the winning move more often than another"
    arm, seat, each = max(off, key=lambda row: abs(row[2].value - even))
    under = f" under {clip(arm.ruleset.short)}" if sitting.variants else ""
    return f"Seat {seat + 1} makes the winning move in {words.rough(each)} of the games{under}, where {words.percent(even)} would be even"


# -- how long --------------------------------------------------------------------------------------


def _length(sitting: Sitting, seconds_per_turn: float) -> Picture:
    def tick(turns: float, _: int) -> str:
        minutes = turns * seconds_per_turn / 60
        return f"{turns:,.0f}\n" + (f"{minutes:,.0f}" if minutes >= 100 else f"{minutes:.3g}")

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        _curves(axes, sitting.arms, lambda arm: arm.curve, lambda arm: arm.quantiles[0.5].value)
        axes.set_xlabel(f"turns; below, minutes at {seconds_per_turn:g} seconds a turn")
        axes.xaxis.set_major_formatter(FuncFormatter(tick))
        axes.set_ylabel("games that are over")
        _bedtimes(axes, seconds_per_turn, sitting.base.quantiles[0.5].value)

    shows = (
        f"Share of the games that are over within so many turns; the marker is the median. The upright lines are bedtimes after half an "
        f"hour, an hour and so on: where a curve meets one, it says how many games are done by then. {_n(sitting)}. Games that were cut "
        "off count as longer than all others."
    )
    return Picture("length", _length_finding(sitting), shows, draw, _curves_height(sitting.arms))


def _bedtimes(axes: Axes, seconds_per_turn: float, median: float) -> None:
    """An upright line at each length that a family may have time for, its name where the curve is not: above before the median."""
    last = axes.get_xlim()[1]
    for minutes in MINUTES_SHOWN:
        turns = minutes * 60 / seconds_per_turn
        if turns < last:
            height = 0.93 if turns < median else 0.02
            axes.axvline(turns, color=FAINT, lw=0.8, ls=(0, (1, 2)), zorder=1)
            name = f"{minutes} min" if minutes % 60 else f"{minutes // 60} h"
            axes.annotate(name, (turns, height), xytext=(2, 0), textcoords="offset points", fontsize=7.5, color=FAINT)


def _within_an_hour(arms: Sequence[Arm]) -> str:
    """How many games are done by bedtime, if that is neither all nor none."""
    found = [arm.over_within[HOUR] for arm in arms]
    if not any(0.005 <= each.value <= 0.995 for each in found):
        return ""
    return f"; within an hour {words.listed([words.rough(each) for each in found])} are over"


def _length_finding(sitting: Sitting) -> str:
    base = sitting.base
    games = words.plays(sitting.arms)
    if not sitting.variants:
        late = f", 19 in 20 within {words.whole(most)}" if math.isfinite((most := base.quantiles[0.95]).value) else ""
        return f"{_half(base)}{late}{_within_an_hour([base])}"
    arm = _other_than(sitting, "turns")
    if not math.isfinite(base.quantiles[0.5].value + (arm or base).quantiles[0.5].value):
        return f"{_half(base)} under {clip(base.ruleset.short)}"
    if arm is None:
        return f"{_half(base)} under {clip(base.ruleset.short)}; {unchanged(sitting, 'turns')}"
    return (
        f"Half of the {games} end within {words.whole(base.quantiles[0.5])} turns under {clip(base.ruleset.short)}, "
        f"{words.whole(arm.quantiles[0.5])} under {clip(arm.ruleset.short)}{_within_an_hour([base, arm])}"
    )


def _half(arm: Arm) -> str:
    """Within how many turns half of the games end, or that they do not."""
    games = words.game(arm, many=True)
    if math.isfinite(arm.quantiles[0.5].value):
        return f"Half of the {games} end within {words.whole(arm.quantiles[0.5])} turns"
    return f"{words.percent(arm.no_winner / arm.games)} of the {games} have no winner within {words.count(arm.ruleset.turn_cap)} turns"


# -- what a turn is --------------------------------------------------------------------------------


def _turns(sitting: Sitting) -> Picture:
    parts = (("stuck", "stuck_share"), ("forced", "forced_share"), ("choice", _choice(sitting)))

    def draw(figure: Figure) -> None:
        _share_bars(figure, sitting.arms, parts, "all turns")

    kinds = "stuck (nothing possible), forced (a single outcome) or with a choice (two or more, passing included)"
    if any(arm.traits.hand for arm in sitting.arms):
        kinds += "; a turn in which the only choice is which card to throw in counts as stuck"
    shows = f"Turns by what the player could do: {kinds}. The intervals are in the table. {_n(sitting)}."
    return Picture("turns", _turns_finding(sitting), shows, draw, _bars_height(sitting.arms))


def _choice(sitting: Sitting) -> str:
    """The share of turns with a choice of what to do on the board; without hands there is no other choice."""
    return "board_choice_share" if "board_choice_share" in sitting.base.measured else "choice_share"


def _turns_finding(sitting: Sitting) -> str:
    name = _choice(sitting)
    stuck, choice = (words.rough(sitting.base.measured[each]) for each in ("stuck_share", name))
    start = f"{stuck} of the turns are stuck and {choice} leave a choice"

    def told(arm: Arm) -> str:
        return f"{words.rough(arm.measured['stuck_share'])} and {words.rough(arm.measured[name])}"

    return _beside(sitting, start, told, name, "stuck_share", mark=";")


# -- dice, cards and bonus moves -------------------------------------------------------------------


def _dice(sitting: Sitting) -> Picture:
    parts = (("dice and card", "both_share"), ("dice alone", "dice_share"), ("a card alone", "card_share"))

    def draw(figure: Figure) -> None:
        _share_bars(figure, sitting.arms, parts, "all turns")

    shows = (
        "Turns by what is used in them: dice and card, only dice, or only a card; in what is left of the bar, neither is. "
        f"The intervals are in the table. {_n(sitting)}."
    )
    return Picture("dice", _dice_finding(sitting), shows, draw, _bars_height(sitting.arms))


def _dice_finding(sitting: Sitting) -> str:
    both = words.rough(sitting.base.measured["both_share"])
    return _beside(sitting, f"Dice and a card are both used in {both} of the turns", _roughly("both_share"), "both_share")


def _bonus_moves(sitting: Sitting) -> Picture:
    arms = [arm for arm in sitting.arms if "bonuses_earned" in arm.measured]

    def draw(figure: Figure) -> None:
        _count_bars(
            figure, arms, (("made", "bonuses_used"), ("lost", "bonuses_lost")), "bonuses_earned", f"bonus moves per {words.play(arms)}"
        )

    shows = (
        f"Bonus moves earned per {words.play(arms)}, and what became of them; the few in what is left of the bar were open when the game "
        f"ended. The line at the end is the {stats.LEVEL:.0%} interval of all that were earned. {_n(sitting)}."
    )

    def told(arm: Arm) -> str:
        return f"{words.rough(arm.measured['bonuses_earned'])}, {words.rough(arm.measured['bonuses_lost'])} of them lost,"

    first = arms[0]
    start = f"A {words.game(first)} brings {words.rough(first.measured['bonuses_earned'])} bonus moves"
    start += f", {words.rough(first.measured['bonuses_lost'])} of them lost,"
    if len(arms) == len(sitting.arms):
        finding = _beside(sitting, start if sitting.variants else start.removesuffix(","), told, "bonuses_earned", "bonuses_lost", mark=";")
    else:
        finding = f"{start} under {clip(first.ruleset.short)}"
    return Picture("bonus-moves", finding, shows, draw, _bars_height(arms))


# -- piles -----------------------------------------------------------------------------------------


def _covered(sitting: Sitting) -> Picture:
    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        _value_bars(axes, sitting.arms, "covered_share")
        axes.set_xlabel("share of the pawns in play")
        percent(axes.xaxis)

    shows = (
        "Pawns that are covered, so that nobody can move them, of all pawns on the track and in safety zones at the end of a turn, with "
        f"{stats.LEVEL:.0%} intervals. {_n(sitting)}."
    )
    return Picture("covered", _covered_finding(sitting), shows, draw, _value_bars_height(sitting.arms))


def _covered_finding(sitting: Sitting) -> str:
    start = f"{words.rough(sitting.base.measured['covered_share'])} of the pawns in play are covered at the end of a turn"
    return _beside(sitting, start, _roughly("covered_share"), "covered_share")


def _longest_cover(sitting: Sitting) -> Picture:
    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        _curves(axes, sitting.arms, lambda arm: _longest(arm).curve, lambda arm: _longest(arm).quantiles[0.5].value)
        axes.set_xlabel("turns for which one pawn was covered at most")
        axes.set_ylabel("share of the games")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda turns, _: f"{turns:,.0f}"))

    shows = (
        f"Share of the games in which no pawn was covered for longer than so many turns; the marker is the median. {_n(sitting)}. "
        "The turns are those of all players."
    )
    return Picture("longest-cover", _longest_cover_finding(sitting), shows, draw, _curves_height(sitting.arms))


def _longest(arm: Arm) -> Spread:
    return arm.spreads["longest_cover"]


def _longest_cover_finding(sitting: Sitting) -> str:
    half, most = (words.whole(_longest(sitting.base).quantiles[p]) for p in (0.5, 0.95))
    start = f"In half of the games some pawn is covered for {half} turns or more"
    if not sitting.variants:
        return f"{start}, in one of 20 for {most} or more"
    return _beside(sitting, start, lambda arm: words.whole(_longest(arm).quantiles[0.5]), "longest_cover")


SIZES = ("small", "medium", "large")


def _sizes(sitting: Sitting) -> Picture:
    def draw(figure: Figure) -> None:
        _share_bars(figure, sitting.arms, [(size, f"{size}_share") for size in SIZES], "all moves")

    shows = (
        "Moves by the size of the pawn that is moved, alone or with the stack under it; starts and swaps are none. The intervals are in "
        f"the table. {_n(sitting)}."
    )
    return Picture("sizes", _sizes_finding(sitting), shows, draw, _bars_height(sitting.arms))


def _sizes_finding(sitting: Sitting) -> str:
    def told(arm: Arm) -> str:
        return words.listed([words.rough(arm.measured[f"{size}_share"]) for size in SIZES])

    start = f"{told(sitting.base)} of the moves are of small, medium and large pawns"
    return _beside(sitting, start, told, *(f"{size}_share" for size in reversed(SIZES)), mark=";")


# -- bumps and lead changes ------------------------------------------------------------------------

CAUSES = (("by landing", "bumps_landing"), ("on slides", "bumps_slide"), ("by fights", "bumps_fight"), ("by Sorry! cards", "bumps_sorry"))


def _bumps(sitting: Sitting) -> Picture:
    parts = [(cause, name) for cause, name in CAUSES if name in sitting.base.measured]

    def draw(figure: Figure) -> None:
        _count_bars(figure, sitting.arms, parts, "bumps", f"bumps per {words.play(sitting.arms)}")

    whisker = f"the line at the end is the {stats.LEVEL:.0%} interval of the total"
    one = words.play(sitting.arms)
    shows = f"Opponents' pawns sent back to their start per {one}, by cause; {whisker}. {_n(sitting)}."
    return Picture("bumps", _metric_finding(sitting, "bumps", "bumps"), shows, draw, _bars_height(sitting.arms))


def _metric_finding(sitting: Sitting, name: str, noun: str) -> str:
    """A count of a game or, where that is what is played, of a match."""

    def told(arm: Arm) -> str:
        per = f" a {words.game(arm)}" if arm.traits.match != sitting.base.traits.match else ""
        return words.rough(arm.measured[name]) + per

    return _beside(sitting, f"A {words.game(sitting.base)} has {words.rough(sitting.base.measured[name])} {noun}", told, name)


def _lead_changes(sitting: Sitting) -> Picture:
    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        _value_bars(axes, sitting.arms, "lead_changes")
        axes.set_xlabel(f"lead changes per {words.play(sitting.arms)}")

    who = "player or team" if any(arm.traits.teams for arm in sitting.arms) else "player"
    one = words.play(sitting.arms)
    shows = f"Ends of rounds at which another {who} leads alone, per {one}, with {stats.LEVEL:.0%} intervals. {_n(sitting)}."
    return Picture("lead-changes", _metric_finding(sitting, "lead_changes", "lead changes"), shows, draw, _value_bars_height(sitting.arms))


# -- differences -----------------------------------------------------------------------------------

LINEAR = 3.0  # margins drawn to scale; beyond that the axis is logarithmic


def _differences(sitting: Sitting) -> Picture:
    metrics = sitting.shared(headline=True)
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
                    [value], [row + shift], xerr=[[value - low], [high - value]], ms=4.5, lw=1.4, capsize=2, zorder=3, **look(at + 1)
                )
        for at, label in enumerate(_labels(sitting.variants)):
            axes.plot([], [], ls="none", ms=4.5, label=label, **look(at + 1))
        axes.set_yticks(range(len(drawn)), [words.title(metric, sitting.arms).partition(":")[0] for metric in drawn])
        axes.set_ylim(len(drawn) - 0.4, -0.6)
        axes.set_xscale("symlog", linthresh=LINEAR, linscale=1.6)
        axes.set_xlim(-1.25 * widest, 1.25 * widest)
        every = (1, 3, 10) if widest <= 25 else (1, 3, 30, 300, 3000, 30_000)  # farther apart, so that their labels do not touch
        marks = [mark for mark in every if mark <= 1.25 * widest]
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

    cells = [found for arm in sitting.variants for m in metrics if m.name in arm.compared and (found := arm.compared[m.name].verdict)]
    matter = sum(found.word == stats.DIFFERENT for found in cells)
    none = sum(found.word in (stats.SAME, stats.NEGLIGIBLE) for found in cells)
    numbers = "numbers of the scorecard" if len(sitting.variants) == 1 else "comparisons"
    still_open = len(cells) - matter - none
    change, do = "changes" if matter == 1 else "change", "does" if none == 1 else "do"
    finding = f"{matter} of {len(cells)} {numbers} {change} by more than the margin, {none} {do} not"
    if still_open:
        finding += f", and {still_open} {'is' if still_open == 1 else 'are'} open"
    shows = (
        f"Difference from {clip(sitting.base.ruleset.short)} on the same game numbers, divided by the margin of each measure, "
        f"with {stats.LEVEL:.0%} intervals; beyond ±{LINEAR:g} the axis is logarithmic. {_n(sitting)}."
    )
    height = 1.0 + len(drawn) * max(0.23, 0.085 * len(sitting.variants)) + LINE * len(sitting.variants)
    return Picture("differences", finding, shows, draw, height)


def _in_margins(arm: Arm, name: str) -> tuple[float, float, float] | None:
    """Difference and interval in units of the margin; None where there is no margin or nothing was measured."""
    compared = arm.compared.get(name)
    if (
        compared is None
        or compared.verdict is None
        or compared.verdict.margin == 0
        or not all(map(math.isfinite, (compared.low, compared.high)))
    ):
        return None
    margin = compared.verdict.margin
    return compared.difference.value / margin, compared.low / margin, compared.high / margin
