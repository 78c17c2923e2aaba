"""Numbers as text, what things are called, and whether seats are equal, in a sentence; the opening sentences are in ``opening.py``."""

import math
from collections.abc import Iterable, Sequence

from simsorry import stats
from simsorry.margin import Margin
from simsorry.metrics import Metric
from simsorry.report.study import Arm, Comparison, RulesetCard, Sitting, Study
from simsorry.stats import Estimate

NONE = "–"
SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


# -- numbers ---------------------------------------------------------------------------------------


def count(value: int) -> str:
    """A whole number with thousands separated."""
    return f"{value:,}"


def small(value: int) -> str:
    """A number as a word, up to ten."""
    return SMALL[value] if 0 <= value < len(SMALL) else count(value)


def places(half: float, value: float) -> int:
    """Decimals worth printing for a number known to within ``half``: to its first digit, or its second if that begins with 1 or 2."""
    if math.isfinite(half) and half > 0:
        exponent = math.floor(math.log10(half))
        second = 1 if half < 3 * 10.0**exponent else 0
        return min(4, max(0, second - exponent))
    return 0 if float(value).is_integer() else 2


def number(value: float, decimals: int) -> str:
    """A number with a true minus sign; a dash if there is none."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if math.isnan(value):
        return NONE
    text = f"{value:,.{decimals}f}"
    if not float(text.replace(",", "")):
        text = text.removeprefix("-")
    return text.replace("-", "−")


def _scale(unit: str) -> tuple[float, str]:
    return (100.0, "%") if unit.startswith("share") else (1.0, "")


def value(estimate: Estimate) -> str:
    """The value alone, to the digits that its interval supports."""
    scale, sign = _scale(estimate.unit)
    if not estimate.known and not math.isinf(estimate.value):
        return NONE
    decimals = places((estimate.high - estimate.low) / 2 * scale, estimate.value * scale)
    return number(estimate.value * scale, decimals) + sign


def rough(estimate: Estimate) -> str:
    """The value to one decimal at most, for titles."""
    scale, sign = _scale(estimate.unit)
    decimals = min(1, places((estimate.high - estimate.low) / 2 * scale, estimate.value * scale))
    return number(estimate.value * scale, decimals) + sign


def seldom(estimate: Estimate) -> str:
    """The same for a share that may be next to nothing: ``none`` or ``less than 0.1%``."""
    if estimate.value == 0:
        return "none"
    return "less than 0.1%" if estimate.value < 0.0005 else rough(estimate)


def both(one: Estimate, other: Estimate) -> tuple[str, str]:
    """Two values of the same measure to the same number of decimals."""
    scale, sign = _scale(one.unit)
    uncertain = [each for each in (one, other) if each.high > each.low] or [one, other]  # what never varies sets no precision
    decimals = min(places((each.high - each.low) / 2 * scale, each.value * scale) for each in uncertain)
    return number(one.value * scale, decimals) + sign, number(other.value * scale, decimals) + sign


def span(estimate: Estimate) -> str:
    """The interval alone."""
    scale, sign = _scale(estimate.unit)
    if not estimate.known and not math.isinf(estimate.value):
        return NONE
    return between(estimate.low * scale, estimate.high * scale) + sign


def between(low: float, high: float, signed: bool = False) -> str:
    """Two bounds to the same, sensible number of decimals."""
    decimals = places((high - low) / 2, low)
    texts = [number(bound, decimals) for bound in (low, high)]
    if signed:
        texts = [_signed(text, bound) for text, bound in zip(texts, (low, high), strict=True)]
    return " to ".join(texts)


def signed(value: float, decimals: int) -> str:
    """A number with its sign, plus included."""
    return _signed(number(value, decimals), value)


def _signed(text: str, bound: float) -> str:
    return "+" + text if bound > 0 and any(digit in text for digit in "123456789∞") else text


def with_span(estimate: Estimate) -> str:
    """``474.3 (473.1 to 475.5)``."""
    return f"{value(estimate)} ({span(estimate)})" if value(estimate) != NONE else NONE


def cell(arm: Arm, name: str) -> str:
    """A measure with its interval; a dash where the ruleset has nothing to measure."""
    return with_span(arm.measured[name]) if name in arm.measured else NONE


def whole(estimate: Estimate) -> str:
    """A whole number of turns."""
    return number(estimate.value, 0)


def whole_with_span(estimate: Estimate) -> str:
    """A quantile of whole numbers with its interval, which is made of whole numbers too; it may reach beyond where games are cut off."""
    if math.isinf(estimate.high):
        return f"{whole(estimate)} ({number(estimate.low, 0)} or more)"
    return f"{whole(estimate)} ({number(estimate.low, 0)} to {number(estimate.high, 0)})"


def points(amount: float) -> str:
    """A share as percentage points in words: ``1 point``, ``2.5 points``."""
    text = number(amount * 100, 2).rstrip("0").rstrip(".")
    return f"{text} point{'' if text == '1' else 's'}"


def change(comparison: Comparison) -> str:
    """The difference from the base with its interval: ``+21.0 (+20.6 to +21.4)``."""
    difference = comparison.difference
    if not difference.known:
        return NONE
    scale, _ = _scale(difference.unit)
    sign = " pp" if scale == 100 else ""
    decimals = places((comparison.high - comparison.low) / 2 * scale, difference.value * scale)
    text = signed(difference.value * scale, decimals)
    return f"{text}{sign} ({between(comparison.low * scale, comparison.high * scale, signed=True)})"


def shift(each: Estimate) -> str:
    """A difference of shares with its interval: ``−12.8 pp (−13.7 to −11.8)``."""
    if not each.known:
        return NONE
    value, low, high = (bound * 100 for bound in (each.value, each.low, each.high))
    return f"{signed(value, places((high - low) / 2, value))} pp ({between(low, high, signed=True)})"


def verdict(comparison: Comparison) -> str:
    """The verdict word."""
    return comparison.verdict.text if comparison.verdict else NONE


def margin(amount: float, unit: str) -> str:
    """A margin in the metric's own unit, for the row of a table."""
    scale, _ = _scale(unit)
    size = amount * scale
    return "±" + (number(size, 0) if size >= 100 else f"{size:.3g}") + ("\u00a0pp" if scale == 100 else "")


def margin_rule(each: Margin, unit: str) -> str:
    """A margin as it was set: ``2.5% of the base`` or ``1 pp``."""
    if each.relative:
        return str(each)
    scale, _ = _scale(unit)
    return f"{each.amount * scale:.10g}" + (" pp" if scale == 100 else f" {unit}")


def p_value(p: float) -> str:
    """A p value that does not pretend to be exact."""
    if math.isnan(p):
        return NONE
    return "<\u00a00.0001" if p < 0.0001 else f"{p:.4f}"


def chance(p: float) -> str:
    """A chance to the percent: ``7%``, ``>99%``."""
    if math.isnan(p):
        return NONE
    return ">99%" if 0.99 < p < 1 else f"{100 * p:.0f}%"


def stopping(sitting: Sitting) -> str:
    """How many games were played, and why: ``until every verdict of the scorecard is clear; there were enough at look 5``."""
    found = sitting.stopping
    if not found:
        return f"{count(sitting.games)} games, as asked"
    ended = "reached" if found.reached else f"not reached within {count(found.most)} games"
    return f"{found.rule}: {ended}, at look {found.looks}"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """``a, b and c``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}" if parts else ""


def capital(text: str) -> str:
    """With a capital letter first."""
    return text[:1].upper() + text[1:]


def clock(minutes: float) -> str:
    """Minutes for saying aloud: ``35 minutes``, ``1 hour 55 minutes``."""
    if not math.isfinite(minutes):
        return "an unknown time"
    if minutes < 1:
        return f"{minutes * 60:.0f} seconds"
    if minutes < 10:
        text = f"{minutes:.1f}".removesuffix(".0")
        return f"{text} minute{'' if text == '1' else 's'}"
    whole = round(minutes)
    hours, rest = divmod(whole, 60)
    if not hours:
        return f"{whole} minutes"
    parts = [f"{hours} hour{'s' if hours > 1 else ''}"] + ([f"{rest} minute{'s' if rest > 1 else ''}"] if rest else [])
    return " ".join(parts)


# -- who and what ----------------------------------------------------------------------------------


def line_up(sitting: Sitting) -> str:
    """``four random players`` or ``two balanced and two random players``."""
    names = list(dict.fromkeys(sitting.policies))
    parts = [f"{small(sitting.policies.count(name))} {name}" for name in names]
    return f"{listed(parts)} player{'s' if sitting.players > 1 else ''}"


def short_line_up(sitting: Sitting) -> str:
    """``random`` or ``balanced, random, random, random``."""
    names = set(sitting.policies)
    return sitting.policies[0] if len(names) == 1 else ", ".join(sitting.policies)


def under(ruleset: RulesetCard, base: RulesetCard) -> str:
    """How a sentence about a variant begins: ``Without slides``, ``With hand_size = 5``, ``Under "French rules"``."""
    if ruleset.named:
        return f"With {ruleset.short}"
    if not ruleset.on_base or not 1 <= len(ruleset.changes) <= 3:
        return f"Under “{ruleset.title}” ({ruleset.short})" if ruleset.title != base.title else f"Under {ruleset.short}"
    if len(ruleset.changes) == 1 and ruleset.changes[0].here == "off":
        return f"Without {ruleset.changes[0].option.replace('_', ' ')}"
    return "With " + listed([f"{each.option} = {each.here}" for each in ruleset.changes])


def game(arm: Arm, many: bool = False) -> str:
    """What a game is under a ruleset: a match where it has several rounds."""
    if arm.traits.match:
        return "matches" if many else "match"
    return "games" if many else "game"


def play(arms: Iterable[Arm]) -> str:
    """What is played under these rulesets: ``game``, ``match`` or ``game or match``."""
    return " or ".join(sorted({game(arm) for arm in arms}))


def plays(arms: Iterable[Arm]) -> str:
    """What was played under these rulesets, counted: ``matches`` if all were, else ``games``."""
    return "matches" if all(arm.traits.match for arm in arms) else "games"


def title(metric: Metric, arms: Iterable[Arm]) -> str:
    """The row heading of a metric: where matches are played, its counts are those of a match."""
    return metric.title.replace("per game", f"per {play(arms)}")


def short(metric: Metric, arms: Iterable[Arm]) -> str:
    """The same inside a sentence."""
    return metric.short.replace("per game", f"per {play(arms)}")


def sides(arm: Arm) -> str:
    """Who wins: seats or teams."""
    return "teams" if arm.traits.teams else "seats"


def lacking(arms: Iterable[Arm], metrics: Iterable[Metric]) -> str:
    """Where there is nothing to measure by some of these metrics: ``a ruleset keeps no points (hasbro)``; empty if all have all."""
    chosen = list(metrics)
    found: dict[str, list[str]] = {}
    for arm in arms:
        for reason in dict.fromkeys(filter(None, (metric.lacking(arm.traits) for metric in chosen))):
            found.setdefault(reason, []).append(arm.ruleset.short)
    return "a ruleset " + listed([f"{reason} ({listed(names)})" for reason, names in found.items()], "or") if found else ""


# -- whether seats are equal ------------------------------------------------------------------------


def fairness_sentences(sitting: Sitting) -> list[str]:
    """Whether the seats or teams are equal, for every ruleset under which they have the same players."""
    judged = [arm for arm in sitting.arms if arm.even and any(arm.side_wins)]
    same: dict[str, list[Arm]] = {}
    for arm in judged:
        word = arm.fairness.verdict.word
        same.setdefault(sides(arm) if word == stats.UNDECIDED else fairness_sentence(arm), []).append(arm)
    if len(same) == 1 and len(judged) == len(sitting.arms):
        return [_fairness_of(judged)]
    return [f"{listed([arm.ruleset.short for arm in arms])}: {_fairness_of(arms)}" for arms in same.values()]


def _fairness_of(arms: Sequence[Arm]) -> str:
    """One sentence on rulesets with the same verdict; where that is undecided, the games that are enough for all."""
    first = max(arms, key=lambda arm: arm.fairness.verdict.more_games or 0)
    return fairness_sentence(first)


def fairness_sentence(arm: Arm) -> str:
    """Whether the seats or teams are equal under one ruleset."""
    found, who = arm.fairness.verdict, sides(arm)
    even = 1 / len(arm.sides)
    far = max(range(len(arm.sides)), key=lambda side: abs(arm.side_shares[side].value - even))
    wins = f"{arm.sides[far]} wins {value(arm.side_shares[far])} of the {game(arm, many=True)}"
    fair = percent(even)
    limit = points(found.margin)
    every = "each team's" if arm.traits.teams else "every seat's"
    if found.word == stats.SAME:
        return f"Who moves first makes no practical difference: {every} share of the wins is within {limit} of {fair}."
    if found.word == stats.NEGLIGIBLE:
        return f"The {who} differ detectably but negligibly: every share of the wins is within {limit} of {fair}."
    if found.word == stats.DIFFERENT:
        return f"The {who} are not equal: {wins}, where {fair} would be even."
    if found.word == stats.UNSIZED:
        return f"The {who} are not equal ({wins}), but whether by more than {limit} is unclear at this number of games."
    return f"Whether the {who} win equally often is undecided{needed(found.more_games, arm)}."


def percent(share: float) -> str:
    """An exact share: ``25%``, ``33.3%``."""
    return number(100 * share, 1).removesuffix(".0") + "%"


def needed(more_games: int | None, arm: Arm) -> str:
    """How many more games it takes, where that can be said."""
    return f"; about {count(more_games)} more {game(arm, many=True)} are needed" if more_games else ""


# -- other players ---------------------------------------------------------------------------------


def questions(study: Study) -> list[tuple[Arm, Metric, list[Comparison]]]:
    """Each headline verdict of the main table: the variant, the metric, and its comparisons at every table."""
    return [
        (arm, metric, across(study, at, metric.name))
        for at, arm in enumerate(study.main.variants)
        for metric in study.main.rows(headline=True)
        if metric.name in arm.compared
    ]


def across(study: Study, variant: int, metric: str) -> list[Comparison]:
    """One comparison at every table that has it; ``variant`` counts the variants from 0."""
    found = [sitting.variants[variant].compared.get(metric) for sitting in study.sittings if len(sitting.variants) > variant]
    return [each for each in found if each is not None]
