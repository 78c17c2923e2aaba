"""What the skill report says of a ladder: sentences, a table, a figure and JSON."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simsorry import stats
from simsorry.ladder import Ladder, Rung, Step
from simsorry.report import words
from simsorry.report.drawing import BAND, FAINT, Picture, clip, look, percent, whiskers
from simsorry.report.render import Part, Section
from simsorry.report.tables import Table
from simsorry.stats import Estimate

LABEL_CHARS = 24  # of a name in the figure, on each of its lines
HOWS = {
    stats.SAME: "makes no practical difference",
    stats.NEGLIGIBLE: "makes a difference too small to matter",
    stats.UNDECIDED: "is not shown to win more",
}


# -- words -----------------------------------------------------------------------------------------


def _side(ladder: Ladder) -> str:
    return "team" if ladder.chain.design.traits.teams else "player"


def _others(ladder: Ladder) -> str:
    """All sides but one, in words."""
    others = len(ladder.chain.design.sides) - 1
    return "one" if others == 1 else words.small(others)


def in_short(ladder: Ladder) -> str:
    """What was found, in a paragraph."""
    names = words.listed([rung.policy.name for rung in ladder.rungs])
    if not ladder.steps:
        return f"No game of the skill ladder ({names}) had a winner before the turn cap, so that there is nothing to say about it."
    return " ".join([f"The skill ladder is {names}.", _largest(ladder), _ceiling(ladder), *_way(ladder)])


def _largest(ladder: Ladder) -> str:
    """Which rung adds most."""
    if not ladder.largest:
        return "No rung is shown to win more than the one below it."
    below, above, step = ladder.largest
    fair = words.percent(ladder.chain.design.fair)
    return (
        f"Most is added by {above.policy.name}: one {_side(ladder)} of it against {_others(ladder)} of {below.policy.name} wins "
        f"{_wins(step)}, where {fair} would be even."
    )


def _wins(step: Step) -> str:
    """The share with its interval and the number of games that it stands on."""
    return f"{words.with_span(step.share)} of {words.count(step.share.n)} games"


def _worse(ladder: Ladder) -> list[str]:
    """Rungs that win less than the one below, though one above adds something."""
    above = ladder.rungs[: ladder.flat_from]
    return [rung.policy.name for rung in above if rung.step and rung.step.shown < 0]


def _ceiling(ladder: Ladder) -> str:
    """Where the ladder flattens, if it does."""
    last = ladder.rungs[ladder.flat_from]
    flat = [(rung, rung.step) for rung in ladder.rungs[ladder.flat_from + 1 :] if rung.step and rung.step.share.known]
    told = words.listed([f"{rung.policy.name} {_how(step)} ({_wins(step)})" for rung, step in flat])
    if flat and not ladder.largest:
        return f"Against the rung below, {told}."
    if flat:
        return f"No rung above {last.policy.name} is shown to win more than the one below it: {told}. {_end(ladder)}."
    step = f" ({_wins(last.step)})" if last.step and ladder.largest and ladder.largest[1] is not last else ""
    return f"The top rung, {last.policy.name}, still wins more than the one below{step}: {_beyond(ladder)}."


def _open(ladder: Ladder) -> bool:
    """Whether more games could yet show that a rung above the highest that adds something adds something too."""
    above = [rung.step.verdict for rung in ladder.rungs[ladder.flat_from + 1 :] if rung.step]
    return any(verdict is None or verdict.word == stats.UNDECIDED for verdict in above)


def _end(ladder: Ladder) -> str:
    """What it means that no rung above another adds anything."""
    if _open(ladder):
        return "Whether the ceiling of skill is reached is open at this number of games"
    return "As far as these policies tell, that is the ceiling of skill"


def _beyond(ladder: Ladder) -> str:
    """What it means that the top rung wins more than the one below."""
    worse = _worse(ladder)
    if not worse:
        return "the ceiling of skill is not reached"
    return f"but {words.listed(worse)} less than the one below it, so that the ladder does not say whether its top is its best"


def _how(step: Step) -> str:
    """What a step that adds nothing comes to."""
    if step.shown < 0:
        return "wins less"
    return HOWS[step.verdict.word] if step.verdict else HOWS[stats.UNDECIDED]


def _way(ladder: Ladder) -> list[str]:
    """How far the rungs are on the way to a certain win."""
    known = [(rung.gap, rung.policy.name) for rung in ladder.rungs if rung.gap and rung.gap.known]
    if not known:
        return []
    (best, name), (top, highest) = max(known, key=lambda each: each[0].value), known[-1]
    told = f"Against {_others(ladder)} at random {name} comes farthest, {words.with_span(best)} of the way from a lottery to a certain win"
    return [f"{told}." if name == highest else f"{told}; the top rung, {highest}, {words.with_span(top)}."]


# -- table -----------------------------------------------------------------------------------------


def _table(ladder: Ladder) -> Table:
    design, chain = ladder.chain.design, ladder.chain
    rows = tuple(
        (rung.policy.name, *_cells(below, rung.step), _gap(rung)) for below, rung in zip((None, *ladder.rungs), ladder.rungs, strict=False)
    )
    each = sorted({chain.deals(duel) * len(design.sides) for duel in chain.distinct.values()}, reverse=True)
    note = (
        f"One {_side(ladder)} plays a rung, {_others(ladder)} the rung below, and every game number is played with each side as the one: "
        f"who plays alike wins {words.percent(design.fair)}, without error. Elo points: the odds of the one against each of the others; "
        f"400 are ten to one. Way: how far one {_side(ladder)} comes from a lottery to a certain win against {_others(ladder)} at random. "
        f"Margin of what matters {words.margin(design.margin.of(design.fair), 'share')}; the verdicts of these {len(chain.steps)} steps "
        f"are corrected together (Benjamini and Hochberg). {' or '.join(map(words.count, each))} games for each number"
        f"{', the fewer where somebody looks ahead or is a function' if len(each) > 1 else ''}. Games cut off at the turn cap are left "
        f"out: {ladder.no_winner:,}."
    )
    headings = ("Rung", "Against", "Games", "Wins", "Change of the win share", "Elo points", "Way, against random")
    return Table("skill-ladder", "Each rung against the one below", headings, rows, note)


def _cells(below: Rung | None, step: Step | None) -> tuple[str, ...]:
    if below is None or step is None:
        return (words.NONE,) * 5
    verdict = step.verdict.text if step.verdict else words.NONE
    return (
        below.policy.name,
        words.count(step.share.n),
        words.with_span(step.share),
        f"{words.shift(step.change)}\n{verdict}",
        _elo(step.elo),
    )


def _elo(elo: Estimate) -> str:
    if words.value(elo) == words.NONE:
        return words.NONE
    return f"{words.signed(elo.value, 0)} ({words.signed(elo.low, 0)} to {words.signed(elo.high, 0)})"


def _gap(rung: Rung) -> str:
    return words.with_span(rung.gap) if rung.gap else "0, by definition"


# -- figure ----------------------------------------------------------------------------------------


def _picture(ladder: Ladder) -> Picture | None:
    """Two panels with a row for each rung, the highest on top: its wins against the rung below, and its way against random players."""
    if not ladder.steps:
        return None
    rungs, design = ladder.rungs, ladder.chain.design
    margin = design.margin.of(design.fair)

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2, sharey=True, gridspec_kw={"width_ratios": (1, 1)})
        left.axvspan(design.fair - margin, design.fair + margin, color=BAND, lw=0, zorder=0)
        left.axvline(design.fair, color=FAINT, lw=0.8, zorder=1)
        _row_points(left, [(at, rung.step.share) for at, rung in enumerate(rungs) if rung.step], 0, 100, 0)
        _row_points(right, [(at, rung.gap) for at, rung in enumerate(rungs) if rung.gap], 1, 1, 2)
        right.plot([0 for rung in rungs if not rung.gap], [at for at, rung in enumerate(rungs) if not rung.gap], ls="none", ms=5, **look(1))
        left.set_yticks(range(len(rungs)), [_label(rung.policy.name) for rung in rungs], fontsize=8)
        left.set_ylim(-0.5, len(rungs) - 0.4)
        left.set_xlim(0, min(1.0, 0.1 + max(step.share.high for _, _, step in ladder.steps)))
        right.set_xlim(-0.05, 1.05)
        percent(left.xaxis)
        left.set_xlabel("games won against\nthe rung below\n(line: even)")
        right.set_xlabel("way from a lottery (0) to\na certain win (1),\nagainst random players")
        for axes in (left, right):
            axes.tick_params(axis="y", length=0)
            axes.grid(axis="x")

    shows = (
        f"Left: win share of one {_side(ladder)} of each rung against {_others(ladder)} of the rung below; the line is the even "
        f"{words.percent(design.fair)}, shaded what is too small to matter. Right: how far one {_side(ladder)} of each rung comes from a "
        f"lottery to a certain win against {_others(ladder)} at random. {stats.LEVEL:.0%} intervals; {_games(ladder)} games for each point."
    )
    return Picture("ladder", _finding(ladder), shows, draw, 1.1 + 0.42 * len(rungs))


def _row_points(axes: Axes, rows: Sequence[tuple[int, Estimate]], series: int, scale: float, decimals: int) -> None:
    """A point with its interval in each row, and its value above it."""
    known = [(at, each) for at, each in rows if each.known]
    places, estimates = [at for at, _ in known], [each for _, each in known]
    spans = whiskers(*estimates)
    axes.errorbar([each.value for each in estimates], places, xerr=spans, ls="none", ms=5, lw=1.4, capsize=2.5, zorder=3, **look(series))
    for at, each in known:
        text = words.number(each.value * scale, decimals) + ("%" if scale == 100 else "")
        axes.annotate(text, (each.value, at), (0, 5), textcoords="offset points", ha="center", fontsize=8)


def _label(name: str) -> str:
    """A name on at most two lines: habits stand below what they are those of."""
    own, tilde, habits = name.partition("~")
    lines = [own, *([tilde + habits] if tilde else [])]
    return "\n".join(clip(line, LABEL_CHARS) for line in lines)


def _games(ladder: Ladder) -> str:
    counts = sorted({step.share.n for _, _, step in ladder.steps} | {rung.gap.n for rung in ladder.rungs if rung.gap})
    return words.count(counts[0]) if len(counts) == 1 else f"{words.count(counts[0])} to {words.count(counts[-1])}"


def _finding(ladder: Ladder) -> str:
    at = ladder.flat_from
    name = clip(ladder.rungs[at].policy.name)
    if at == len(ladder.rungs) - 1:
        return f"The skill ladder still rises at its top: {name} beats the rung below"
    if at and _open(ladder):
        return f"Skill ladder: no rung above {name} is shown to win more than the one below it"
    if at:
        return f"The skill ladder ends at {name}: no rung above wins more than the one below it"
    return "Skill ladder: no rung is shown to win more than the one below it"


# -- what goes into the report ---------------------------------------------------------------------


def section(ladder: Ladder) -> Section:
    """The section of the report."""
    drawn = _picture(ladder)
    return Section("ladder", "The skill ladder", parts=(Part(pictures=(drawn,) if drawn else (), tables=(_table(ladder),)),))


def definitions() -> tuple[tuple[str, str], ...]:
    """What the words mean."""
    return (
        ("skill ladder", "Policies by the effort that they take; each is measured against the one below it, in all other seats."),
        ("Elo points", "400 log10 of the odds w (1 − f) / ((1 − w) f), w the win share of the one side and f the fair one."),
    )


def as_json(ladder: Ladder) -> dict[str, Any]:
    """Every number of the ladder, the lowest rung first."""
    below = (None, *(rung.policy.name for rung in ladder.rungs))
    return {
        "games": ladder.chain.games,
        "games_without_winner": ladder.no_winner,
        "flat_from": ladder.rungs[ladder.flat_from].policy.name,
        "rungs": [
            {
                "policy": {"name": rung.policy.name, "hash": rung.policy.hash},
                "step": _step_json(against, rung.step) if rung.step else None,
                "share_against_random": estimate(rung.share) if rung.share else None,
                "skill_gap": estimate(rung.gap) if rung.gap else None,
            }
            for against, rung in zip(below, ladder.rungs, strict=False)
        ],
    }


def _step_json(against: str | None, step: Step) -> dict[str, Any]:
    return {
        "against": against,
        "share": estimate(step.share),
        "change": estimate(step.change),
        "elo": estimate(step.elo),
        "verdict": step.verdict.text if step.verdict else None,
        "p_value": step.verdict.p_value if step.verdict else None,
    }


def estimate(each: Estimate) -> dict[str, Any]:
    """An estimate for ``json.dumps``."""
    return {"value": each.value, "low": each.low, "high": each.high, "games": each.n, "unit": each.unit}
