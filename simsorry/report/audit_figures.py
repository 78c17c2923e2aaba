"""The figure on cards: how often each does nothing."""

from matplotlib.figure import Figure

from simsorry import stats
from simsorry.report import words
from simsorry.report.audit_tables import audited_arms, basis, card_name
from simsorry.report.audits import Audits, CardFacts
from simsorry.report.drawing import LINE, Picture, clip, legend, legend_lines, look, percent, whiskers
from simsorry.report.study import Arm, Sitting

ROW = 0.235  # inches


def pictures(sitting: Sitting, prefix: str = "") -> dict[str, Picture]:
    """The picture by its name, if there are audited games; ``prefix`` goes before the name of its file."""
    return {"unused": _unused(sitting, prefix)} if audited_arms(sitting) else {}


def _unused(sitting: Sitting, prefix: str) -> Picture:
    arms = audited_arms(sitting)
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

    each = " of each ruleset" if sitting.variants else ""
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
    verb = "is thrown in" if base.traits.hand else "does nothing"
    few = f"in {words.rough(least.unused)}" if least.unused.value else "never"
    return f"{words.capital(_the(most))} {verb} in {words.rough(most.unused)} of the cases{under}, {_the(least)} {few}"


def _the(card: CardFacts) -> str:
    return f"the {card_name(card.card)}"
