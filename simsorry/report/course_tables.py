"""What a report says of leads and comebacks, and of the gauge of the chance to win: sentences and tables."""

import math

from simsorry.course_metrics import LOWER_RANKS
from simsorry.games.columns import CHECKPOINTS
from simsorry.games.records import EXP_STEPS
from simsorry.gauge import FAN, Check, Gauge, Mean
from simsorry.report import tables, words
from simsorry.report.study import Arm, Sitting, Study
from simsorry.report.tables import Table
from simsorry.stats import Estimate

RANKS = {1: "first", **LOWER_RANKS}
HALF = 50  # percent: the checkpoint that sentences are about
WEIGHED = (
    "A tenth of the way more",
    "A pawn more HOME",
    "A pawn more on START",
    "A pawn more that is safe",
    "A seat later in the order of play",
)
CHANCES = (
    "t90", "chance_last_lead", "uncertainty", "uncertainty_late", "dead_man_turns", "chance_drama", "chance_drama_max", "chance_decided",
)  # fmt: skip


# -- leads and comebacks ---------------------------------------------------------------------------


def won_at(arm: Arm, percent: int) -> dict[int, Estimate]:
    """The share of the games won by who alone had each rank at a checkpoint; only ranks that somebody had."""
    names = {1: f"lead_conv_{percent}", **{rank: f"win_at_{percent}_rank_{rank}" for rank in LOWER_RANKS}}
    return {rank: arm.measured[name] for rank, name in names.items() if name in arm.measured and arm.measured[name].known}


def watched(sitting: Sitting) -> list[Arm]:
    """The rulesets of which it is known who led half way."""
    return [arm for arm in sitting.arms if 1 in won_at(arm, HALF)]


def lead_sentences(sitting: Sitting) -> tuple[str, ...]:
    """What it is worth to lead half way, and to be last, under each ruleset."""
    return tuple(_lead_sentence(sitting, arm) for arm in watched(sitting))


def _lead_sentence(sitting: Sitting, arm: Arm) -> str:
    start = f"{arm.ruleset.short}: who" if sitting.variants else "Who"
    ranks = won_at(arm, HALF)
    first, last = ranks[1], ranks[max(ranks)]
    who = "team" if arm.traits.teams else "player"
    even = words.percent(1 / len(arm.sides))
    return (
        f"{start} alone leads when the first {who} has half of the way behind them wins {words.with_span(first)} of these games, where "
        f"{even} would be even; who alone is last then wins {words.with_span(last)}."
    )


def leads(study: Study, sitting: Sitting) -> Table:
    """What a lead is worth and how often it is lost, at every checkpoint."""
    chosen = [f"{name}_{percent}" for name in ("lead_conv", "runaway", "comeback") for percent in CHECKPOINTS]
    return tables.measures(study, sitting, "leads", f"Leads kept and lost, {_games(sitting)}", chosen)


def ranks(study: Study, sitting: Sitting) -> Table:
    """The share of the games won from every rank at every checkpoint, in a column for each checkpoint or, of several, each ruleset."""
    arms = watched(sitting)
    lowest = max(max(won_at(arm, HALF)) for arm in arms)
    found = {rank: RANKS[rank] for rank in range(1, lowest + 1)}
    if sitting.variants:
        headings: tuple[str, ...] = ("Rank", *(arm.ruleset.short for arm in arms))
        rows = [
            (f"{words.capital(name)} at {percent} %", *(_won(arm, percent, rank) for arm in arms))
            for percent in CHECKPOINTS
            for rank, name in found.items()
        ]
    else:
        headings = ("Rank", *(f"at {percent} %" for percent in CHECKPOINTS))
        rows = [(words.capital(name), *(_won(arms[0], percent, rank) for percent in CHECKPOINTS)) for rank, name in found.items()]
    note = (
        "The rank is by squares to go at the first round end at which somebody has so much of the way behind them. Shares are of the games "
        "in which one side alone has that rank then, so they need not add up to 100%."
    )
    number = study.sittings.index(sitting) + 1
    return Table(f"ranks-{number}", f"Share of the games won from each rank, {_games(sitting)}", headings, tuple(rows), note)


def _won(arm: Arm, percent: int, rank: int) -> str:
    found = won_at(arm, percent)
    return words.with_span(found[rank]) if rank in found else words.NONE


def _games(sitting: Sitting) -> str:
    return f"{words.count(sitting.games)} games{' of each ruleset' if sitting.variants else ''}"


# -- chances to win --------------------------------------------------------------------------------


def gauged(sitting: Sitting) -> list[tuple[Arm, Gauge, Check]]:
    """The rulesets whose chances to win were gauged, each with its gauge and how that was checked."""
    found = ((arm, arm.ruleset.gauge) for arm in sitting.arms)
    return [(arm, gauge, gauge.check) for arm, gauge in found if gauge and gauge.check]


def chance_sentences(sitting: Sitting) -> tuple[str, ...]:
    """What the gauge is, and how far it can be trusted, under each ruleset."""
    what = (
        "The chance to win at the end of a round is gauged from the squares walked, the pawns HOME, on START and safe, and the order of "
        "play, by weights that were fitted to other games of the same ruleset and players. It was then checked on games that are neither."
    )
    return (what, *(_trust_sentence(sitting, *each) for each in gauged(sitting)))


def _trust_sentence(sitting: Sitting, arm: Arm, _: Gauge, check: Check) -> str:
    start = f"{arm.ruleset.short}: it" if sitting.variants else "It"
    if check.skill <= 0:
        return f"{start} does no better there than equal chances, so what follows says little."
    return (
        f"{start} takes away {words.number(100 * check.skill, 0)}% of the error of equal chances, and is off by "
        f"{words.points(round(miss(check), 3))} on average."
    )


def miss(check: Check) -> float:
    """How far gauged chances are from the share that came true, on average over all of them."""
    notes = sum(each.notes for each in check.reliability)
    return sum(each.notes * abs(each.won - each.gauged) for each in check.reliability) / notes


def weights(study: Study, sitting: Sitting) -> Table:
    """What the gauge weighs, as what it does to the odds against any one opponent, and how well it did when it was checked."""
    found = gauged(sitting)
    odds = [_odds(gauge) for _, gauge, _ in found]
    checks = [check for _, _, check in found]
    rows = [(f"{title}: odds times", *(f"{each[at]:.3g}" for each in odds)) for at, title in enumerate(WEIGHED)]
    rows += [
        ("Error (Brier score)", *(words.number(check.brier, 3) for check in checks)),
        ("Error of equal chances", *(words.number(check.brier_even, 3) for check in checks)),
        ("Games it was fitted to", *(words.count(check.fit_games) for check in checks)),
        ("Games it was checked on", *(f"{words.count(check.games)}, {words.count(check.notes)} round ends" for check in checks)),
    ]
    note = (
        "The odds are those of being the winner rather than any one opponent who has all else alike. The error is the sum of the squares "
        "of chance minus outcome over all sides, on average over round ends."
    )
    headings = ("The gauge", *(arm.ruleset.short for arm, _, _ in found))
    return Table(f"gauge-{study.sittings.index(sitting) + 1}", "What the gauge weighs, and how well it does", headings, tuple(rows), note)


def _odds(gauge: Gauge) -> list[float]:
    """Factors of the odds, in the order of WEIGHED."""
    way, *pawns = gauge.weights
    return [math.exp(weight / EXP_STEPS) for weight in (way / 10, *pawns, gauge.order)]


def reliability(study: Study, sitting: Sitting) -> tuple[Table, ...]:
    """How often chances came true, a table for each ruleset."""
    return tuple(_reliability(study, sitting, at, *each) for at, each in enumerate(gauged(sitting)))


def _reliability(study: Study, sitting: Sitting, at: int, arm: Arm, _: Gauge, check: Check) -> Table:
    rows = [
        (
            f"{100 * each.gauged:.1f}%",
            words.with_span(Estimate(each.won, each.low, each.high, check.games, "share")),
            words.count(each.notes),
        )
        for each in check.reliability
    ]
    under = f" under {arm.ruleset.short}" if sitting.variants else ""
    caption = f"How often gauged chances come true{under}, {words.count(check.games)} games"
    note = "A side at a round end counts once; the intervals take a game as one, for all its round ends have the same winner."
    headings = ("Chance, on average", "Won", "Sides at round ends")
    return Table(f"reliability-{study.sittings.index(sitting) + 1}-{at}", caption, headings, tuple(rows), note)


def fanned(sitting: Sitting) -> list[tuple[Arm, Check]]:
    """The rulesets of which it is known how chances go through a game, each with the check that says so."""
    return [(arm, check) for arm, _, check in gauged(sitting) if check.fan]


def fans(study: Study, sitting: Sitting) -> tuple[Table, ...]:
    """The chances of winners and losers tenth by tenth of the games, a table for each ruleset."""
    return tuple(_fan(study, sitting, at, *each) for at, each in enumerate(fanned(sitting)))


def _fan(study: Study, sitting: Sitting, at: int, arm: Arm, check: Check) -> Table:
    def told(mean: Mean | None) -> str:
        return words.with_span(Estimate(mean.value, mean.low, mean.high, check.games, "share")) if mean else words.NONE

    rows = [
        (
            f"{moment.passed:.0%}", told(moment.winner), *(f"{100 * each:.0f}%" for each in moment.quantiles), told(moment.best_loser),
            told(moment.other_losers),
        )
        for moment in check.fan
    ]  # fmt: skip
    under = f" under {arm.ruleset.short}" if sitting.variants else ""
    caption = f"Chances of the winner and of the losers in the course of a game{under}, {words.count(check.games)} games"
    quantiles = (f"{share:.0%} have less than" for share in FAN)
    headings = ("Of the game", "Winner, mean", *quantiles, "Best-placed loser", "Other losers, mean")
    note = (
        "Of the game: of its round ends, of which the last one is before the winning move. Which loser is best placed is seen at every "
        "point anew. Intervals are those of means over games."
    )
    return Table(f"fan-{study.sittings.index(sitting) + 1}-{at}", caption, headings, tuple(rows), note)


def chances(study: Study, sitting: Sitting) -> Table:
    """How the chances to win go through a game."""
    return tables.measures(study, sitting, "chances", f"Chances to win in the course of a game, {_games(sitting)}", CHANCES)
