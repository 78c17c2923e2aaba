"""The figures on audited games: how often cards go unused, what turns are like from third to third of the way, and who hits whom."""

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from simsorry import stats
from simsorry.report import words
from simsorry.report.audit_tables import (
    KINDS,
    PHASES,
    audited_arms,
    basis,
    card_name,
    covers,
    detailed_arms,
    opponents_hit,
    phased_arms,
    shown_arms,
)
from simsorry.report.audits import Audits, CardFacts
from simsorry.report.drawing import (
    FAINT,
    LINE,
    SHADES,
    SHADES_TEXT,
    STACK,
    STACK_TEXT,
    Picture,
    clip,
    legend,
    legend_lines,
    look,
    percent,
    whiskers,
)
from simsorry.report.study import Arm, Sitting

ROW = 0.235  # inches


def pictures(sitting: Sitting, prefix: str = "") -> dict[str, Picture]:
    """Those that there is something for, by name; ``prefix`` goes before the names of their files."""
    made = {"unused": _unused(sitting, prefix)} if audited_arms(sitting) else {}
    if phased_arms(sitting):
        made["phases"] = _phases(sitting, prefix)
    hits = ((f"hits-{sitting.arms.index(arm)}", arm, found) for arm, found in shown_arms(sitting) if found.any_hits)
    return made | {name: _hits(sitting, arm, found, prefix + name) for name, arm, found in hits}


# -- turns -----------------------------------------------------------------------------------------

BAR, GAP = 0.27, 0.34  # inches from bar to bar, and for the name of a ruleset


def _phases(sitting: Sitting, prefix: str) -> Picture:
    arms = phased_arms(sitting)
    kinds = [kind for kind in KINDS if any(part.kinds[kind].value > 0 for _, found in arms for part in found.phases)]
    step = BAR * len(PHASES) + GAP

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        heights = []
        for at, (arm, found) in enumerate(arms):
            rows = [-step * at - BAR * row for row in range(len(PHASES))]
            heights += rows
            _bars(axes, rows, kinds, found)
            if len(arms) > 1:
                axes.annotate(clip(arm.ruleset.short), (0, rows[0]), xytext=(0, 11), textcoords="offset points", fontsize=9, va="bottom")
        for kind in kinds:
            axes.bar([0], [0], color=_look_of(kind)[0], label=KINDS[kind])
        axes.set_xlim(0, 1)
        axes.set_ylim(heights[-1] - 0.62 * BAR, 0.62 * BAR if len(arms) == 1 else GAP + 0.02)
        axes.set_yticks(heights, list(PHASES) * len(arms))
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("share of the turns")
        percent(axes.xaxis)
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(-0.2, 1.0),
            ncols=len(kinds),
            borderaxespad=0.2,
            handlelength=1.2,
            columnspacing=1.0,
            fontsize=8,
        )

    each = " games of each ruleset" if sitting.variants else ""
    shows = (
        "Turns by what the mover could do and did, and by the third of the way, all pawns together, that the mover was in when they began: "
        f"{words.listed([f'{KINDS[kind]} ({MEANT[kind]})' for kind in kinds])}. The intervals are in the table. "
        f"{words.capital(basis(sitting, arms[0][1]))}{each}, {words.line_up(sitting)}."
    )
    height = 0.8 + step * len(arms) - (GAP if len(arms) == 1 else 0)
    return Picture(f"{prefix}phases", _phases_finding(sitting, arms), shows, draw, height)


MEANT = {
    "dead": "nothing was possible",
    "forced": "one thing was",
    "declined": "there was a choice, and nothing was done",
    "choice": "there was a choice, and something was done",
}


def _look_of(kind: str) -> tuple[str, str]:
    """Colors of a kind of turn and of the text on it."""
    at = {"dead": 0, "forced": 1, "declined": 3, "choice": 2}[kind]
    return STACK[at], STACK_TEXT[at]


def _bars(axes: Axes, rows: Sequence[float], kinds: Sequence[str], found: Audits) -> None:
    """One bar for each third, its kinds one after the other, with the numbers of those of some length."""
    for row, part in zip(rows, found.phases, strict=True):
        left = 0.0
        for kind in kinds:
            share, (color, ink) = part.kinds[kind].value, _look_of(kind)
            if not part.kinds[kind].known:
                continue
            axes.barh([row], [share], left=left, height=0.8 * BAR, color=color)
            if share >= 0.07:
                axes.text(left + share / 2, row, f"{share:.0%}", ha="center", va="center", fontsize=8.5, color=ink)
            left += share


def _phases_finding(sitting: Sitting, arms: Sequence[tuple[Arm, Audits]]) -> str:
    """How the share of the turns with a choice changes in the course of the way."""
    arm, found = arms[0]
    first, second, last = (f"{part.kinds['choice'].value:.0%}" for part in found.phases)
    under = f" under {clip(arm.ruleset.short)}" if sitting.variants else ""
    return f"Turns with a choice are {first} of all in the first third of the way, {second} in the second and {last} in the last{under}"


# -- cards -----------------------------------------------------------------------------------------


def _unused(sitting: Sitting, prefix: str) -> Picture:
    arms = detailed_arms(sitting)
    labels = [clip(arm.ruleset.short) for arm, _ in arms] if len(arms) > 1 else []
    names = list(dict.fromkeys(card.card for _, found in arms for card in found.cards))
    hands = [bool(arm.traits.hand) for arm, _ in arms]

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for at, (_, found) in enumerate(arms):
            shift = (at - (len(arms) - 1) / 2) * 0.74 / max(len(arms), 3)
            heights = [names.index(card.card) + shift for card in found.cards]
            shares = [card.unused for card in found.cards]
            axes.errorbar(
                [each.value for each in shares], heights, xerr=whiskers(*shares),
                ls="none", ms=4.5, lw=1.3, capsize=2, zorder=3, label=labels[at] if labels else None, **look(at),
            )  # fmt: skip
        axes.set_yticks(range(len(names)), [card_name(name) for name in names])
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlim(left=0)
        axes.tick_params(axis="y", length=0)
        axes.grid()
        axes.set_xlabel(f"share of the cards drawn that {_idle(hands)}")
        percent(axes.xaxis)
        if labels:
            legend(axes, labels)

    each = " games of each ruleset" if sitting.variants else ""
    shows = (
        f"Cards that {_idle(hands)}, of all of the same number, with {stats.LEVEL:.0%} intervals. "
        f"{words.capital(basis(sitting, arms[0][1]))}{each}, {words.line_up(sitting)}."
    )
    height = 0.75 + len(names) * max(ROW, 0.1 * len(arms)) + (LINE * legend_lines(labels) if labels else 0)
    return Picture(f"{prefix}unused", _unused_finding(sitting, arms), shows, draw, height)


def _idle(hands: list[bool]) -> str:
    return "are thrown in" if all(hands) else "do nothing or are thrown in" if any(hands) else "do nothing"


def _unused_finding(sitting: Sitting, arms: list[tuple[Arm, Audits]]) -> str:
    base, found = arms[0]
    most, least = (pick(found.cards, key=lambda card: card.unused.value) for pick in (max, min))
    under = f" under {clip(base.ruleset.short)}" if sitting.variants else ""
    few = f"in {words.rough(least.unused)}" if least.unused.value else "never"
    return f"{words.capital(_the(most))} goes unused in {words.rough(most.unused)} of the cases{under}, {_the(least)} {few}"


def _the(card: CardFacts) -> str:
    return f"the {card_name(card.card)}"


# -- hits ------------------------------------------------------------------------------------------

CELL = 0.42  # inches, of a row of the matrix
STEP = 0.4  # of the mean: as much does a shade take in, the third one of STEPS what is nearest to the mean
STEPS = (0, 1, 2, 4, 5)  # numbers of the shades


def _hits(sitting: Sitting, arm: Arm, found: Audits, name: str) -> Picture:
    """Who hits whom, a number and a shade for each pair of seats."""
    seats = range(sitting.players)
    pairs = {(one, other): found.hits[one][other] for one in seats for other in seats if opponents_hit(arm, found, one, other)}
    mean = sum(each.value for each in pairs.values()) / len(pairs)
    decimals = min(words.places((each.high - each.low) / 2, each.value) for each in pairs.values())
    verb = "covers" if covers(sitting) else "hits"

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for one, other in ((one, other) for one in seats for other in seats):
            if (one, other) not in pairs:
                axes.text(other, one, "–" if one == other else "partner", color=FAINT, ha="center", va="center", fontsize=8.5)
                continue
            value = pairs[one, other].value
            at = STEPS[min(int(value / mean / STEP), len(STEPS) - 1)]
            axes.add_patch(Rectangle((other - 0.5, one - 0.5), 1, 1, fc=SHADES[at], ec=FAINT, lw=0.5))
            axes.text(other, one, words.number(value, decimals), color=SHADES_TEXT[at], ha="center", va="center", fontsize=9.5)
        axes.set_xlim(-0.5, sitting.players - 0.5)
        axes.set_ylim(sitting.players - 0.5, -0.5)
        axes.set_xticks(seats, [f"seat {seat + 1}" for seat in seats])
        axes.set_yticks(seats, [f"seat {seat + 1} {verb}" for seat in seats])
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)

    done = "covered" if covers(sitting) else "sent back"
    shows = (
        f"Pawns {done} per game, by the seat of who does it (rows) and of whose pawn it is (columns), seats in play order: seat 1 moves "
        "first. The middle shade is that of the mean of all, give or take a fifth; each shade more or less is two fifths of the mean. "
        "The intervals are in the table. "
        f"{words.capital(basis(sitting, found))}, {words.line_up(sitting)}."
    )
    return Picture(name, _hits_finding(sitting, arm, pairs, verb), shows, draw, 0.4 + CELL * sitting.players)


def _hits_finding(sitting: Sitting, arm: Arm, pairs: dict[tuple[int, int], stats.Estimate], verb: str) -> str:
    under = f" under {clip(arm.ruleset.short)}" if sitting.variants else ""
    most, least = (pick(pairs, key=lambda pair: pairs[pair].value) for pick in (max, min))
    high, low = (words.value(pairs[pair]) for pair in (most, least))
    if not _apart(pairs[most], pairs[least], len(pairs)):
        between = low if low == high else f"{low} to {high}"
        return f"No seat is shown to {verb[:-1]} another more than others do{under}: each {between} pawns a game"
    return (
        f"Seat {most[0] + 1} {verb} seat {most[1] + 1} most{under}, {high} pawns a game, and seat {least[0] + 1} seat {least[1] + 1} "
        f"least, {low}"
    )


def _apart(high: stats.Estimate, low: stats.Estimate, of: int) -> bool:
    """Whether the highest of some numbers is shown to be above the lowest, chance having had as many tries as there are pairs of them."""
    tail = (1 - stats.LEVEL) / 2
    halves = [(each.high - each.low) / 2 for each in (high, low)]
    wider = stats.z_quantile(tail / math.comb(of, 2)) / stats.z_quantile(tail) if of > 1 else math.inf
    return high.value - low.value > wider * math.hypot(*halves)
