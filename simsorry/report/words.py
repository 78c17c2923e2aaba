"""Numbers as text, and the sentences that a person would say aloud, made from the verdicts."""

import math
from collections.abc import Container, Iterable, Mapping, Sequence

from simsorry import stats
from simsorry.margin import Margin
from simsorry.metrics import Metric
from simsorry.report.study import Arm, Comparison, RulesetCard, Sitting, Study, agreement
from simsorry.stats import Estimate, Verdict

NONE = "–"
SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
OF_POLICIES = "policy_"
OF_SIDES = ("seat_", "team_", "points_seat_", "points_team_")  # metrics with sentences of their own
CHANGES_TOLD = 4  # differences told in the opening sentences, the largest for their margin first


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
    """A quantile of whole numbers with its interval, which is made of whole numbers too."""
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


# -- opening sentences -----------------------------------------------------------------------------


def in_short(study: Study) -> list[list[str]]:
    """The opening paragraphs: one on the base, one for each variant, one on the other line-ups."""
    paragraphs = []
    for sitting in [study.main] if study.repeated else study.sittings:
        paragraphs.append(_base_sentences(sitting, study.seconds_per_turn))
        paragraphs += [_variant_sentences(sitting, arm, study.seconds_per_turn) for arm in sitting.variants]
    if study.repeated and study.main.variants:
        paragraphs.append([_other_line_ups(study)])
    return [paragraph for paragraph in paragraphs if paragraph]


def _base_sentences(sitting: Sitting, seconds_per_turn: float) -> list[str]:
    base = sitting.base
    median = base.quantiles[0.5]
    turns = f"take {with_span(base.measured['turns'])} turns a {game(base)}"
    time = f"about {clock(base.minutes.value)} at {seconds_per_turn:g} seconds a turn"
    sentences = [
        f"Under “{base.ruleset.title}” ({base.ruleset.short}), {line_up(sitting)} {turns}, or {time}.",
        f"Half of the {game(base, many=True)} end within {whole(median)} turns.",
    ]
    if policy := _first_policy(sitting):
        wins = with_span(base.measured[policy.name])
        sentences.append(f"{_players_with(sitting, policy)} {wins} of the {game(base, many=True)}.")
    if base.even:
        sentences.append(fairness_sentence(base))
    sentences += _own_sentences(base, base.measured)
    if base.no_winner:
        sentences.append(_cut_off(base))
    return sentences


def _own_sentences(arm: Arm, told: Container[str]) -> list[str]:
    """What a ruleset has beside the plain race, for the measures that are to be told."""
    found = {name: rough(estimate) for name, estimate in arm.measured.items() if estimate.known}
    said = {name for name in found if name in told}
    sentences = []
    if "match_rounds" in said:
        sentences.append(
            f"A match takes {found['match_rounds']} rounds; after {found['match_upsets']} of them their winner does not lead it alone."
        )
    if "points_winner" in said:
        winner = "winning team" if arm.traits.teams else "winner"
        sentences.append(f"The {winner} scores {found['points_winner']} points a {game(arm)}.")
    if paid := [f"that of {bonus.points} in {found[bonus.key]}" for bonus in arm.traits.bonuses if bonus.key in said]:
        sentences.append(f"Bonuses are paid to the winner: {listed(paid)} of the rounds.")
    if "throw_share" in said:
        sentences.append(f"{found['throw_share']} of the cards are thrown in.")
    if "bonuses_lost_share" in said:
        sentences.append(f"A {game(arm)} brings {found['bonuses_earned']} bonus moves, of which {found['bonuses_lost_share']} are lost.")
    if "covered_share" in said:
        sentences.append(
            f"{found['covered_share']} of the pawns in play are covered at the end of a turn; the longest cover of a {game(arm)} lasts "
            f"{found['longest_cover']} turns."
        )
    if "stack_share" in said:
        sentences.append(f"{found['stack_share']} of the moves take a stack along.")
    if "fights_lost" in said:
        sentences.append(f"A {game(arm)} has {found['fights']} fights, of which the newcomer loses {found['fights_lost']}.")
    return sentences + _partner_sentences(arm, found, said)


def _partner_sentences(arm: Arm, found: Mapping[str, str], said: Container[str]) -> list[str]:
    """What partners do for and to each other, for the measures that are to be told."""
    clauses = []
    if "partner_share" in said:
        clauses.append(f"{found['partner_share']} of the cards move a pawn of the partner")
    if "partner_moves" in said:
        clauses.append(f"partners move each other's pawns {found['partner_moves']} times a {game(arm)}")
    if "partner_bumps" in said:
        clauses.append(f"partners bump each other {found['partner_bumps']} times a {game(arm)}")
    return [capital(", and ".join(clauses)) + "."] if clauses else []


def _cut_off(arm: Arm) -> str:
    cut = f"1 {game(arm)} was" if arm.no_winner == 1 else f"{count(arm.no_winner)} {game(arm, many=True)} were"
    return (
        f"{cut} cut off at {count(arm.ruleset.turn_cap)} turns without a winner; they count as longer than all others, "
        "so the true mean is above the one shown."
    )


def fairness_sentences(sitting: Sitting) -> list[str]:
    """Whether the seats or teams are equal, for every ruleset under which they have the same players."""
    same: dict[str, list[str]] = {}
    for arm in sitting.arms:
        if arm.even:
            same.setdefault(fairness_sentence(arm), []).append(arm.ruleset.short)
    if len(same) == 1 and all(arm.even for arm in sitting.arms):
        return list(same)
    return [f"{listed(names)}: {sentence}" for sentence, names in same.items()]


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
    return f"Whether the {who} win equally often is undecided{_needed(found.more_games, arm)}."


def percent(share: float) -> str:
    """An exact share: ``25%``, ``33.3%``."""
    return number(100 * share, 1).removesuffix(".0") + "%"


def _needed(more_games: int | None, arm: Arm) -> str:
    return f"; about {count(more_games)} more {game(arm, many=True)} are needed" if more_games else ""


def _variant_sentences(sitting: Sitting, arm: Arm, seconds_per_turn: float) -> list[str]:
    start = under(arm.ruleset, sitting.base.ruleset)
    sentences = [_length_sentence(start, sitting, arm, seconds_per_turn), *_policy_sentences(sitting, arm)]
    sentences += _seat_sentences(sitting, arm) + _points_sentences(sitting, arm)
    sentences += _change_sentences(sitting, arm)
    sentences += _own_sentences(arm, arm.measured.keys() - arm.compared.keys())
    if arm.unchanged and arm.unchanged.known:
        sentences.append(_unchanged_sentence(arm, arm.unchanged))
    if arm.no_winner:
        sentences.append(_cut_off(arm))
    return sentences


def _length_sentence(start: str, sitting: Sitting, arm: Arm, seconds_per_turn: float) -> str:
    compared = arm.compared["turns"]
    difference, found = compared.difference, compared.verdict
    one = game(arm)
    if found is None:
        return f"{start} the length of a {one} could not be measured."
    low, high = sorted((abs(compared.low), abs(compared.high)))
    decimals = places((high - low) / 2, difference.value)
    size = number(abs(difference.value), decimals)
    more = "more" if difference.value > 0 else "fewer"
    now, before = both(arm.measured["turns"], sitting.base.measured["turns"])
    limit = number(found.margin, 1)
    changed = f"{start} a {one} takes {size} turns {more} ({between(low, high)}): {now} instead of {before}"
    if found.word == stats.DIFFERENT:
        minutes = clock(abs(difference.value) * seconds_per_turn / 60)
        longer = "longer" if difference.value > 0 else "shorter"
        return f"{changed}, about {minutes} {longer} at {seconds_per_turn:g} seconds a turn."
    if found.word == stats.UNSIZED:
        return f"{changed}. Whether that exceeds {limit} turns is unclear."
    seen = f"the difference in turns is {change(compared)}"
    if found.word == stats.SAME:
        return f"{start} a {one} is practically as long as before: {seen}, within the margin of {limit}."
    if found.word == stats.NEGLIGIBLE:
        return f"{start} the length of a {one} changes detectably but negligibly: {seen}, within the margin of {limit}."
    undecided = f"it is undecided after {count(sitting.games)} {game(arm, many=True)} whether a {one} gets longer or shorter"
    return f"{start} {undecided}{_needed(found.more_games, arm)} ({seen})."


Judged = tuple[str, str, Comparison, Verdict]


def _of_sides(arm: Arm, prefix: str) -> list[Judged]:
    """Metric, name, comparison and verdict of every side that is comparable with the base's."""
    kind = "team" if arm.traits.teams else "seat"
    names = [(f"{prefix}{kind}_{number}", name) for number, name in enumerate(arm.sides, start=1)]
    found = [(metric, name, arm.compared[metric]) for metric, name in names if metric in arm.compared]
    return [(metric, name, each, each.verdict) for metric, name, each in found if each.verdict]


def _strongest(known: Sequence[Judged]) -> Judged | None:
    """The largest difference among those with the clearest verdict of one."""
    for wanted in (stats.DIFFERENT, stats.UNSIZED):
        if changed := [row for row in known if row[3].word == wanted]:
            return max(changed, key=lambda row: abs(row[2].difference.value))
    return None


def _first_policy(sitting: Sitting) -> Metric | None:
    """The wins of the policy on the first seat, where the players do not all have the same one."""
    return next((metric for metric in sitting.rows(headline=True) if metric.name.startswith(OF_POLICIES)), None)


def _policy_sentences(sitting: Sitting, arm: Arm) -> list[str]:
    """Whether the first policy does better or worse than under the base; the others have what it leaves."""
    metric = _first_policy(sitting)
    compared = arm.compared.get(metric.name) if metric else None
    if metric is None or compared is None or compared.verdict is None:
        return []
    limit = points(compared.verdict.margin)
    now, before = both(arm.measured[metric.name], sitting.base.measured[metric.name])
    if compared.verdict.word in (stats.DIFFERENT, stats.UNSIZED):
        unclear = "" if compared.verdict.word == stats.DIFFERENT else f", but whether that exceeds {limit} is unclear"
        wins = f"{_players_with(sitting, metric)} {now} of the {game(arm, many=True)} instead of {before}"
        return [f"{wins} ({change(compared)}){unclear}."]
    if compared.verdict.word != stats.UNDECIDED:
        return [f"{capital(metric.noun)} move by no more than {limit}."]
    return [f"Whether {metric.noun} become more or fewer is undecided{_needed(compared.verdict.more_games, arm)}."]


def _players_with(sitting: Sitting, metric: Metric) -> str:
    """Who has the policy of a metric, and that they win."""
    who = metric.name.removeprefix(OF_POLICIES)
    many = sitting.policies.count(who)
    return f"The {who} player wins" if many == 1 else f"The {small(many)} {who} players together win"


def _seat_sentences(sitting: Sitting, arm: Arm) -> list[str]:
    known = _of_sides(arm, "")
    if not known:
        return [fairness_sentence(arm)] if arm.even else []
    limit = points(max(found.margin for _, _, _, found in known))
    if changed := _strongest(known):
        metric, name, each, found = changed
        unclear = "" if found.word == stats.DIFFERENT else f", but whether that exceeds {limit} is unclear"
        who = {"seat_1": "the player who moves first"}.get(metric, name if arm.traits.teams else f"{name} in play order")
        now, before = both(arm.measured[metric], sitting.base.measured[metric])
        return [f"{capital(who)} wins {now} of the {game(arm, many=True)} instead of {before} ({change(each)}){unclear}."]
    any_side = "team" if arm.traits.teams else "seat"
    if all(found.word != stats.UNDECIDED for _, _, _, found in known):
        return [f"No {any_side}'s share of the wins moves by more than {limit}."]
    more = max(found.more_games or 0 for _, _, _, found in known)
    return [f"Whether that favors any {any_side} is undecided{_needed(more, arm)}."]


def _points_sentences(sitting: Sitting, arm: Arm) -> list[str]:
    known = _of_sides(arm, "points_")
    if not known:
        return []
    if changed := _strongest(known):
        metric, name, each, found = changed
        unclear = "" if found.word == stats.DIFFERENT else f", but whether that exceeds {number(found.margin, 1)} points is unclear"
        now, before = both(arm.measured[metric], sitting.base.measured[metric])
        return [f"{capital(name)} scores {now} points a {game(arm)} instead of {before} ({change(each)}){unclear}."]
    any_side = "team" if arm.traits.teams else "seat"
    if all(found.word != stats.UNDECIDED for _, _, _, found in known):
        return [f"No {any_side}'s points move by more than {number(max(found.margin for _, _, _, found in known), 1)}."]
    more = max(found.more_games or 0 for _, _, _, found in known)
    return [f"Whether any {any_side} scores more or less is undecided{_needed(more, arm)}."]


def _strength(compared: Comparison) -> float:
    """Size of a difference in margins, for ordering."""
    limit = compared.verdict.margin if compared.verdict else 0
    return abs(compared.difference.value) / limit if limit else math.inf


def other_headlines(sitting: Sitting, arm: Arm) -> list[Metric]:
    """The headline metrics that a variant shares with the base and that have no sentence of their own.

    What is only shown beside other rulesets is not told of two that both lack what it is about.
    """
    told = [metric for metric in sitting.rows(headline=True) if metric.name in arm.compared and metric.name != "turns"]
    return [
        metric
        for metric in told
        if not metric.name.startswith(OF_SIDES)
        and metric != _first_policy(sitting)
        and (not metric.beside or metric.beside.holds(arm.traits) or metric.beside.holds(sitting.base.traits))
    ]


def _change_sentences(sitting: Sitting, arm: Arm) -> list[str]:
    found = [(metric, arm.compared[metric.name]) for metric in other_headlines(sitting, arm)]
    changed = [(m, c) for m, c in found if c.verdict and c.verdict.word == stats.DIFFERENT]
    changed.sort(key=lambda pair: -_strength(pair[1]))
    sentences = []
    if changed:
        told = [_change_clause(metric, sitting.base.measured[metric.name], arm, each) for metric, each in changed[:CHANGES_TOLD]]
        sentences.append(capital("; ".join(told)) + ".")
    if rest := [metric.short for metric, _ in changed[CHANGES_TOLD:]]:
        sentences.append(f"Different, too: {listed(rest)}.")
    for words, ending in (
        ((stats.SAME, stats.NEGLIGIBLE), "No practical difference in"),
        ((stats.UNSIZED,), "Different, but by an unclear amount:"),
        ((stats.UNDECIDED,), "Still undecided:"),
    ):
        titles = [metric.short for metric, each in found if each.verdict and each.verdict.word in words]
        if titles:
            sentences.append(f"{ending} {listed(titles)}.")
    return sentences


def _change_clause(metric: Metric, before: Estimate, arm: Arm, compared: Comparison) -> str:
    verb = ("go" if metric.plural else "goes") + (" up" if compared.difference.value > 0 else " down")
    was, now = both(before, arm.measured[metric.name])
    return f"{metric.noun} {verb} from {was} to {now}"


def _unchanged_sentence(arm: Arm, unchanged: Estimate) -> str:
    games = game(arm, many=True)
    if unchanged.value == 0:
        return f"Not one of the {count(unchanged.n)} {games} runs the same course as before."
    if unchanged.value == 1:
        return f"All {count(unchanged.n)} {games} run exactly the same course as before."
    return f"{value(unchanged)} of the {games} run exactly the same course as before."


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


def _other_line_ups(study: Study) -> str:
    others = study.sittings[1:]
    if not others:
        return f"All this is for {line_up(study.main)}; it was not repeated with other policies."
    asked = questions(study)
    found = [(arm, metric) for arm, metric, answers in asked if agreement(answers) == "disagree"]
    who = listed([line_up(sitting) for sitting in others], "or")
    still_open = sum(agreement(answers) == "open" for _, _, answers in asked)
    if not found:
        decided = f", {still_open} of them still undecided with one or the other" if still_open else ""
        return f"With {who} instead, no verdict of the scorecard is contradicted ({len(asked)} compared{decided})."
    many = len(study.main.variants) > 1
    names = [metric.short + (f" ({arm.ruleset.short})" if many else "") for arm, metric in found]
    return f"With {who} instead, {len(found)} of {len(asked)} verdicts of the scorecard come out otherwise: {listed(names)}."
