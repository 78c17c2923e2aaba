"""The sentences that a person would say aloud: what a report opens with, and what is told of each variant by itself."""

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from simsorry import stats
from simsorry.games.points import MAX_MATCH_ROUNDS
from simsorry.metrics import Metric
from simsorry.report.study import Arm, Comparison, Sitting, Study, agreement
from simsorry.report.words import (
    between,
    both,
    capital,
    change,
    clock,
    count,
    fairness_sentence,
    game,
    line_up,
    listed,
    needed,
    number,
    places,
    play,
    points,
    questions,
    rough,
    seldom,
    short,
    small,
    span,
    under,
    value,
    whole,
    with_span,
)
from simsorry.stats import Verdict

OF_POLICIES = "policy_"
OF_ALL_SIDES = ("comeback_50", "lead_changes")  # among fewer sides everybody wins more often, and leads change less
OF_SIDES = ("seat_", "team_")  # metrics with sentences of their own
APART = 3  # variants of which each has a paragraph of its own; what more of them change is told together
CHANGES_TOLD = 3  # differences told of a variant, the largest for their margin first
LENGTHS_TOLD = 4  # variants told with numbers that make a game shorter, or longer
OTHERS_TOLD = 4  # measures told that variants change beside the length
TOLD_OF_ONE = 2  # of these, told of the same variant
UNCHANGED_TOLD = 0.01  # share of games that run the same course from which on it is told
NAMED = 3  # measures named in a row of those that are not told with numbers
SAME = (stats.SAME, stats.NEGLIGIBLE)
SHOWN = (stats.DIFFERENT, stats.UNSIZED)

# Measures of which one says what the others say, too: only the one that changes most is told.
KIN = (
    ("bumps", "bumps_per_turn"),
    ("choice_share", "board_choice_share"),
    ("runaway_50", "comeback_50", "last_lead_take"),
    ("covered_share", "pawns_covered", "pile_height"),
    ("match_rounds", "match_round_turns"),
)


def told_apart(sitting: Sitting) -> bool:
    """Whether each variant is told by itself in the opening, and not in a chapter of its own."""
    return len(sitting.variants) <= APART


def in_short(study: Study) -> list[list[str]]:
    """The opening paragraphs: on the variants, which are what was asked, on the base, and on the other line-ups."""
    paragraphs = []
    for sitting in [study.main] if study.repeated else study.sittings:
        if told_apart(sitting):
            paragraphs += [variant_sentences(sitting, arm, study.seconds_per_turn) for arm in sitting.variants]
        else:
            paragraphs += _together(sitting)
        paragraphs.append(_base_sentences(sitting, study.seconds_per_turn))
    if study.repeated and study.main.variants:
        paragraphs.append([_other_line_ups(study)])
    return [paragraph for paragraph in paragraphs if paragraph]


# -- the base --------------------------------------------------------------------------------------


def _base_sentences(sitting: Sitting, seconds_per_turn: float) -> list[str]:
    base = sitting.base
    sentences = _how_long(sitting, seconds_per_turn)
    if policy := _first_policy(sitting):
        wins = with_span(base.measured[policy.name])
        sentences.append(f"{_players_with(sitting, policy)} {wins} of the {game(base, many=True)}.")
    if base.even and not _mostly_cut(base):
        sentences.append(fairness_sentence(base))
    if not sitting.variants:
        sentences += _course_sentences(base)
    sentences += _own_sentences(base, base.measured)
    if base.no_winner and not _mostly_cut(base):
        sentences.append(_cut_off(base))
    return sentences


def _how_long(sitting: Sitting, seconds_per_turn: float) -> list[str]:
    base = sitting.base
    one, many = game(base), game(base, many=True)
    if _mostly_cut(base):
        cut = f"{count(base.no_winner)} of {count(base.games)} {many} of {line_up(sitting)} were cut off {_cap(base)} without a winner"
        return [f"Under “{base.ruleset.title}” ({base.ruleset.short}), {cut}, so how long a {one} takes cannot be said."]
    turns = base.measured["turns"]
    time = f"or about {clock(base.minutes.value)} at {seconds_per_turn:g} seconds a turn"
    who = f"Under “{base.ruleset.title}” ({base.ruleset.short}), a {one} of {line_up(sitting)} takes"
    half, most = base.quantiles[0.5], base.quantiles[0.95]
    late = f", 19 in 20 within {whole(most)}" if math.isfinite(most.value) else ""
    return [
        f"{who} {value(turns)} turns ({span(turns)}), {time}.",
        f"Half of the {many} are over within {whole(half)} turns{late}.",
    ]


def _mostly_cut(arm: Arm) -> bool:
    """Whether half of the games or more have no winner, so that not even the median of their length is known."""
    return not math.isfinite(arm.quantiles[0.5].value)


def _cap(arm: Arm) -> str:
    """Where games are cut off."""
    rounds = f" or {count(MAX_MATCH_ROUNDS)} rounds" if arm.traits.match else ""
    return f"after {count(arm.ruleset.turn_cap)} turns{rounds}"


def _cut_off(arm: Arm) -> str:
    cut = f"1 {game(arm)} was" if arm.no_winner == 1 else f"{count(arm.no_winner)} {game(arm, many=True)} were"
    they = "it counts" if arm.no_winner == 1 else "they count"
    return f"{cut} cut off {_cap(arm)} without a winner; {they} as longer than all others, so the true mean is above the one shown."


def _course_sentences(arm: Arm) -> list[str]:
    """What a game is like, where there is no other to compare it with."""
    found = {name: rough(estimate) for name, estimate in arm.measured.items() if estimate.known}
    sentences = [
        f"{found['dead_share']} of the turns are dead, with nothing happening in them, and {found['choice_share']} leave a choice."
    ]
    counts = [f"{found[name]} {noun}" for name, noun in (("bumps", "bumps"), ("lead_changes", "lead changes")) if name in found]
    if counts:
        sentences.append(f"A {game(arm)} has {listed(counts)}.")
    if {"lead_conv_50", "comeback_50"} <= found.keys():
        last = f"; who is last then still wins {found['comeback_50']}"
        sentences.append(f"Whoever leads half way wins {found['lead_conv_50']} of the {game(arm, many=True)}{last}.")
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
    if paid := [f"that of {bonus.points} in {seldom(arm.measured[bonus.key])}" for bonus in arm.traits.bonuses if bonus.key in said]:
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


# -- one variant -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """A measure of the scorecard that a variant shares with the base, and what was found."""

    metric: Metric
    compared: Comparison
    verdict: Verdict

    @property
    def strength(self) -> float:
        """Size of the difference in margins, for ordering."""
        return abs(self.compared.difference.value) / self.verdict.margin if self.verdict.margin else math.inf


def answers(sitting: Sitting, arm: Arm) -> list[Answer]:
    """Every verdict of the scorecard on a variant.

    What is only shown beside other rulesets is not among them where both lack what it is about, nor are the counts and points of a
    whole game where the one is a match and the other a single round, nor shares that are larger the fewer sides there are.
    """
    base = sitting.base
    found = []
    for metric in sitting.rows(headline=True):
        compared = arm.compared.get(metric.name)
        if compared is None or compared.verdict is None:
            continue
        if metric.beside and not (metric.beside.holds(arm.traits) or metric.beside.holds(base.traits)):
            continue
        if arm.traits.match != base.traits.match and _of_a_whole_game(metric):
            continue
        if len(arm.sides) != len(base.sides) and metric.name in OF_ALL_SIDES:
            continue
        found.append(Answer(metric, compared, compared.verdict))
    return found


def _of_a_whole_game(metric: Metric) -> bool:
    return "per game" in metric.title or metric.margin == "points" or metric.name == "longest_cover"


def _others(sitting: Sitting, arm: Arm) -> list[Answer]:
    """Those that have no sentence of their own."""
    policy = _first_policy(sitting)
    return [
        each
        for each in answers(sitting, arm)
        if each.metric.name != "turns" and not each.metric.name.startswith(OF_SIDES) and each.metric != policy
    ]


def variant_sentences(sitting: Sitting, arm: Arm, seconds_per_turn: float) -> list[str]:
    """What a variant changes: the length, who wins, and the three or four numbers that matter most."""
    start = under(arm.ruleset, sitting.base.ruleset)
    if arm.unchanged and arm.unchanged.value == 1 and not any(each.compared.difference.value for each in answers(sitting, arm)):
        return [f"{start} nothing changes: all {count(arm.games)} {game(arm, many=True)} run exactly the same course as before."]
    sentences = [_length_sentence(start, sitting, arm, seconds_per_turn)]
    rest = [each for each in answers(sitting, arm) if each.metric.name != "turns"]
    if rest and all(each.verdict.word in SAME for each in rest) and not _mostly_cut(arm):
        sentences = [_nothing_else(start, sitting, arm, seconds_per_turn)]
    else:
        sentences += [*_policy_sentences(sitting, arm), *_seat_sentences(sitting, arm), *_change_sentences(sitting, arm)]
    sentences += _own_sentences(arm, arm.measured.keys() - arm.compared.keys())
    if arm.unchanged and arm.unchanged.value >= UNCHANGED_TOLD:
        share = f"All {count(arm.games)}" if arm.unchanged.value == 1 else f"{value(arm.unchanged)} of the"
        sentences.append(f"{share} {game(arm, many=True)} run exactly the same course as before.")
    if arm.no_winner and not _mostly_cut(arm):
        sentences.append(_cut_off(arm))
    return sentences


def _nothing_else(start: str, sitting: Sitting, arm: Arm, seconds_per_turn: float) -> str:
    """The sentence on a variant that changes the length or not even that."""
    length = _length_sentence(start, sitting, arm, seconds_per_turn).removesuffix(".")
    compared = arm.compared["turns"]
    if compared.verdict and compared.verdict.word in SAME:
        limit = number(compared.verdict.margin, 1)
        seen = f"even the difference in turns is only {change(compared)}, within the margin of {limit}"
        return f"{start} nothing changes that you would notice: {seen}."
    but = ", and" if compared.verdict and compared.verdict.word == stats.DIFFERENT else "; but"
    return f"{length}{but} nothing else changes that you would notice."


def _length_sentence(start: str, sitting: Sitting, arm: Arm, seconds_per_turn: float) -> str:
    compared, base = arm.compared["turns"], sitting.base
    found, one = compared.verdict, game(arm)
    if _mostly_cut(arm) or _mostly_cut(base):
        cut = f"{count(arm.no_winner)} of {count(arm.games)} {game(arm, many=True)} are cut off without a winner"
        return f"{start} {cut}, where it was {count(base.no_winner)} before; lengths cannot be compared."
    if found is None:
        return f"{start} the length of a {one} could not be measured."
    if arm.traits.match != base.traits.match:
        fewer = f"{with_span(base.measured['turns'])} under {base.ruleset.short}"
        return f"{start} a {one} takes {with_span(arm.measured['turns'])} turns, where a {game(base)} takes {fewer}."
    changed = f"{start} a {one} takes {_turns_more(compared)}: {' instead of '.join(_now_before(sitting, arm))}"
    limit = number(found.margin, 1)
    if found.word == stats.DIFFERENT:
        minutes = clock(abs(compared.difference.value) * seconds_per_turn / 60)
        longer = "longer" if compared.difference.value > 0 else "shorter"
        return f"{changed}, about {minutes} {longer} at {seconds_per_turn:g} seconds a turn."
    if found.word == stats.UNSIZED:
        return f"{changed}, but whether that exceeds {limit} turns is unclear."
    seen = f"the difference in turns is {change(compared)}"
    if found.word == stats.SAME:
        return f"{start} a {one} is practically as long as before: {seen}, within the margin of {limit}."
    if found.word == stats.NEGLIGIBLE:
        return f"{start} the length of a {one} changes measurably, but too little to matter: {seen}, within the margin of {limit}."
    undecided = f"it is undecided after {count(sitting.games)} {game(arm, many=True)} whether a {one} gets longer or shorter"
    return f"{start} {undecided}{needed(found.more_games, arm)} ({seen})."


def _turns_more(compared: Comparison) -> str:
    """``23.9 turns more (23.6 to 24.2)``."""
    more = "more" if compared.difference.value > 0 else "fewer"
    return f"{_size(compared)} turns {more} ({_size_span(compared)})"


def _size(compared: Comparison) -> str:
    return number(abs(compared.difference.value), places((compared.high - compared.low) / 2, compared.difference.value))


def _size_span(compared: Comparison) -> str:
    """The interval of the size of a difference; of one that may have either sign, with signs."""
    if compared.low < 0 < compared.high:
        return between(compared.low, compared.high, signed=True)
    low, high = sorted((abs(compared.low), abs(compared.high)))
    return between(low, high)


def _now_before(sitting: Sitting, arm: Arm, name: str = "turns") -> tuple[str, str]:
    return both(arm.measured[name], sitting.base.measured[name])


# -- who wins --------------------------------------------------------------------------------------


Judged = tuple[str, str, Comparison, Verdict]


def _of_sides(arm: Arm) -> list[Judged]:
    """Metric, name, comparison and verdict of every side that is comparable with the base's."""
    kind = "team" if arm.traits.teams else "seat"
    names = [(f"{kind}_{number}", name) for number, name in enumerate(arm.sides, start=1)]
    found = [(metric, name, arm.compared[metric]) for metric, name in names if metric in arm.compared]
    return [(metric, name, each, each.verdict) for metric, name, each in found if each.verdict]


def _strongest(known: Sequence[Judged]) -> Judged | None:
    """The largest difference among those with the clearest verdict of one."""
    for wanted in SHOWN:
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
    now, before = _now_before(sitting, arm, metric.name)
    if compared.verdict.word in SHOWN:
        unclear = "" if compared.verdict.word == stats.DIFFERENT else f", but whether that exceeds {limit} is unclear"
        wins = f"{_players_with(sitting, metric)} {now} of the {game(arm, many=True)} instead of {before}"
        return [f"{wins} ({change(compared)}){unclear}."]
    if compared.verdict.word != stats.UNDECIDED:
        return [f"{_players_with(sitting, metric)} as often as before, give or take {limit}: {now} of the {game(arm, many=True)}."]
    who = _players_with(sitting, metric)
    return [f"Whether {who[:1].lower()}{who[1:]} more or less often is undecided{needed(compared.verdict.more_games, arm)}."]


def _players_with(sitting: Sitting, metric: Metric) -> str:
    """Who has the policy of a metric, and that they win."""
    who = metric.name.removeprefix(OF_POLICIES)
    many = sitting.policies.count(who)
    if not many:
        return f"The team of {listed(who.split('+'))} wins"
    return f"The {who} player wins" if many == 1 else f"The {small(many)} {who} players together win"


def _seat_sentences(sitting: Sitting, arm: Arm) -> list[str]:
    known = _of_sides(arm)
    if not known:
        return [fairness_sentence(arm)] if arm.even and any(arm.side_wins) else []
    if changed := _strongest(known):
        return [f"{capital(_side_change(sitting, arm, changed))}."]
    if _first_policy(sitting):
        return []  # who has which policy says more of such a table
    limit, any_side = points(max(found.margin for _, _, _, found in known)), "team" if arm.traits.teams else "seat"
    if all(found.word != stats.UNDECIDED for _, _, _, found in known):
        return [f"No {any_side}'s share of the wins moves by more than {limit}."]
    more = max(found.more_games or 0 for _, _, _, found in known)
    return [f"Whether that favors any {any_side} is undecided{needed(more, arm)}."]


def _side_change(sitting: Sitting, arm: Arm, changed: Judged) -> str:
    metric, name, each, found = changed
    unclear = "" if found.word == stats.DIFFERENT else f", but whether that exceeds {points(found.margin)} is unclear"
    who = {"seat_1": "the player who moves first"}.get(metric, name if arm.traits.teams else f"{name} in play order")
    now, before = _now_before(sitting, arm, metric)
    return f"{who} wins {now} of the {game(arm, many=True)} instead of {before} ({change(each)}){unclear}"


# -- what else changes -----------------------------------------------------------------------------


def _change_sentences(sitting: Sitting, arm: Arm) -> list[str]:
    """The changes that matter most, how many more there are, and what became of the other numbers of the scorecard."""
    found = _others(sitting, arm)
    changed = sorted((each for each in found if each.verdict.word == stats.DIFFERENT), key=lambda each: -each.strength)
    names = akin([each.metric.name for each in changed])[:CHANGES_TOLD]
    chosen = [each for each in changed if each.metric.name in names]
    sentences = []
    if chosen:
        told = "; ".join(_change_clause(each, sitting, arm) for each in chosen)
        more = _more_change(len(changed) - len(chosen))
        sentences.append(f"{capital(told)}{more}.")
    rest = [each for each in found if each.verdict.word != stats.DIFFERENT]
    if rest:
        sentences.append(_rest_sentence(rest, sitting, arm, bool(chosen)))
    return sentences


def _more_change(many: int) -> str:
    if not many:
        return ""
    return f"; and {small(many)} other number{'' if many == 1 else 's'} change{'s' if many == 1 else ''}, too"


def akin(names: Sequence[str]) -> list[str]:
    """Of measures that say the same thing in other ways only the first one, in their order."""
    told: set[str] = set()
    chosen = []
    for name in names:
        if name not in told:
            chosen.append(name)
            told.update(*(kin for kin in KIN if name in kin))
    return chosen


def _rest_sentence(rest: Sequence[Answer], sitting: Sitting, arm: Arm, any_told: bool) -> str:
    same = [each for each in rest if each.verdict.word in SAME]
    unsized = [each for each in rest if each.verdict.word == stats.UNSIZED]
    still_open = [each for each in rest if each.verdict.word == stats.UNDECIDED]
    if not unsized and not still_open:
        return f"Nothing {'else ' if any_told else ''}changes that you would notice."
    parts = []
    if same:
        parts.append(f"{small(len(same))} {_do(same, 'stay', 'stays')} practically the same")
    if unsized:
        parts.append(
            f"{small(len(unsized))} {_do(unsized, 'change', 'changes')} by an amount that is unclear{_names(unsized, sitting, arm)}"
        )
    if still_open:
        parts.append(f"{small(len(still_open))} {_do(still_open, 'are', 'is')} undecided{_names(still_open, sitting, arm)}")
    return f"Of the other numbers of the scorecard, {listed(parts)}."


def _do(found: Sequence[Answer], many: str, one: str) -> str:
    return one if len(found) == 1 else many


def _names(found: Sequence[Answer], sitting: Sitting, arm: Arm) -> str:
    """The measures in brackets, if they are few."""
    return f" ({listed([short(each.metric, (sitting.base, arm)) for each in found])})" if len(found) <= NAMED else ""


def _change_clause(answer: Answer, sitting: Sitting, arm: Arm) -> str:
    metric = answer.metric
    verb = ("go" if metric.plural else "goes") + (" up" if answer.compared.difference.value > 0 else " down")
    now, was = _now_before(sitting, arm, metric.name)
    return f"{metric.noun.replace('per game', f'per {play((sitting.base, arm))}')} {verb} from {was} to {now}"


# -- many variants together ------------------------------------------------------------------------


def kind(sitting: Sitting) -> str:
    """What the variants are: as somebody calls them, else ``house rules`` where each is one on top of the base, else ``variants``."""
    if sitting.called:
        return sitting.called
    ruled = all(arm.ruleset.on_base or arm.ruleset.name.startswith("house-") for arm in sitting.variants)
    return "house rules" if ruled else "variants"


def of_all(many: int, sitting: Sitting, none: str = "none") -> str:
    """``none of the eight variants``, ``one of the …``, ``all eight variants``."""
    total = small(len(sitting.variants))
    if many == len(sitting.variants):
        return f"{'both' if many == 2 else f'all {total}'} {kind(sitting)}"
    return f"{small(many) if many else none} of the {total} {kind(sitting)}"


def _together(sitting: Sitting) -> list[list[str]]:
    """What the variants change, the largest changes first: the length, who wins, anything else, and nothing."""
    return [_lengths(sitting), _winners(sitting), _largest_others(sitting), _quiet(sitting)]


def by_verdict(sitting: Sitting, name: str) -> dict[str, list[tuple[Arm, Comparison]]]:
    """The variants by their verdict on a measure, each with its comparison, the largest difference first."""
    found: dict[str, list[tuple[Arm, Comparison]]] = {}
    for arm in sitting.variants:
        compared = next((each.compared for each in answers(sitting, arm) if each.metric.name == name), None)
        if compared and compared.verdict:
            found.setdefault(compared.verdict.word, []).append((arm, compared))
    return {word: sorted(rows, key=lambda row: -abs(row[1].difference.value)) for word, rows in found.items()}


def _lengths(sitting: Sitting) -> list[str]:
    found = by_verdict(sitting, "turns")
    changed, one = found.get(stats.DIFFERENT, []), play(sitting.arms)
    verb = "changes" if len(changed) == 1 else "change"
    sentences = [f"{capital(of_all(len(changed), sitting))} {verb} how long a {one} takes."]
    if not changed:
        shown = "changes" if sum(len(found.get(word, [])) for word in SAME) == len(sitting.variants) else "is shown to change"
        sentences = [f"None of the {small(len(sitting.variants))} {kind(sitting)} {shown} how long a {one} takes."]
    for sign, word in ((-1, "shorter"), (1, "longer")):
        if rows := [row for row in changed if sign * row[1].difference.value > 0]:
            sentences.append(f"It gets {word} with {_by_how_much(rows)}.")
    if unsized := found.get(stats.UNSIZED):
        sentences.append(f"It changes, but by how much is unclear, with {_names_of(unsized)}.")
    if undecided := found.get(stats.UNDECIDED):
        more = max(row[1].verdict.more_games or 0 for row in undecided if row[1].verdict)
        sentences.append(f"Whether it changes with {listed(_arm_names(undecided), 'or')} is undecided{needed(more, undecided[0][0])}.")
    return sentences


def _by_how_much(rows: Sequence[tuple[Arm, Comparison]]) -> str:
    """``hand_size=5 (by 90.8 turns, 89.1 to 92.6, or 44%), …``; the largest with numbers, the rest by name."""
    told: list[str] = []
    for arm, each in rows[:LENGTHS_TOLD]:
        unit = "" if told else " turns"
        told.append(f"{arm.ruleset.short} (by {_size(each)}{unit}, {_size_span(each)}, or {number(abs(each.of_base or 0.0) * 100, 0)}%)")
    if less := rows[LENGTHS_TOLD:]:
        return f"{', '.join(told)}, and by less with {_names_of(less)}"
    return listed(told)


def _arm_names(rows: Sequence[tuple[Arm, Comparison]]) -> list[str]:
    return [arm.ruleset.short for arm, _ in rows]


def _names_of(rows: Sequence[tuple[Arm, Comparison]]) -> str:
    return listed(_arm_names(rows))


def _winners(sitting: Sitting) -> list[str]:
    """The variants that favor somebody, by name and number; the others together."""
    policy = _first_policy(sitting)
    if policy:
        return _policy_winners(sitting, policy)
    known = [(arm, found) for arm in sitting.variants if (found := _of_sides(arm))]
    if not known:
        return []
    told = sorted(
        ((arm, changed) for arm, found in known if (changed := _strongest(found))), key=lambda row: -abs(row[1][2].difference.value)
    )
    sentences = [f"With {arm.ruleset.short}, {_side_change(sitting, arm, changed)}." for arm, changed in told[:LENGTHS_TOLD]]
    if more := told[LENGTHS_TOLD:]:
        sentences.append(f"Who wins changes by less with {listed([arm.ruleset.short for arm, _ in more])}.")
    quiet = [(arm, found) for arm, found in known if not _strongest(found)]
    return sentences + _no_favor(quiet, bool(told))


def _no_favor(quiet: Sequence[tuple[Arm, list[Judged]]], told: bool) -> list[str]:
    """Of variants that are not shown to favor anybody: whether they do not, or that is open."""
    if not quiet:
        return []
    judged = [verdict for _, found in quiet for _, _, _, verdict in found]
    side = "team" if quiet[0][0].traits.teams else "seat"
    open_ = [arm for arm, found in quiet if any(verdict.word == stats.UNDECIDED for _, _, _, verdict in found)]
    more = needed(max(verdict.more_games or 0 for verdict in judged), quiet[0][0])
    them = "the others" if told else "them"
    if not open_:
        return [f"No {side}'s share of the wins moves by more than {points(judged[0].margin)} with any of {them}."]
    if len(open_) == len(quiet):
        return [f"Whether any of {them} favors a {side} is undecided{more}."]
    which = f"{small(len(open_))} of {them} {'favors' if len(open_) == 1 else 'favor'}"
    rest = f"with the rest no {side}'s share moves by more than {points(judged[0].margin)}"
    return [f"Whether {which} a {side} is undecided{more}; {rest}."]


def _policy_winners(sitting: Sitting, policy: Metric) -> list[str]:
    found = by_verdict(sitting, policy.name)
    sentences = []
    for arm, each in found.get(stats.DIFFERENT, [])[:LENGTHS_TOLD]:
        now, before = _now_before(sitting, arm, policy.name)
        wins = f"{_players_with(sitting, policy)} {now} of the {game(arm, many=True)} instead of {before}"
        sentences.append(f"With {arm.ruleset.short}, {wins[:1].lower()}{wins[1:]} ({change(each)}).")
    if less := found.get(stats.DIFFERENT, [])[LENGTHS_TOLD:]:
        sentences.append(f"That changes by less with {_names_of(less)}.")
    if open_ := found.get(stats.UNDECIDED, []) + found.get(stats.UNSIZED, []):
        sentences.append(f"Whether that changes enough to matter with {listed(_arm_names(open_), 'or')} is open.")
    return sentences


def _largest_others(sitting: Sitting) -> list[str]:
    """What changes beside the length and who wins: each measure with the variant that changes it most."""
    rows = [(each, arm) for arm in sitting.variants for each in _others(sitting, arm) if each.verdict.word == stats.DIFFERENT]
    if not rows:
        return []
    rows.sort(key=lambda row: -row[0].strength)
    first = {each.metric.name: (each, arm) for each, arm in reversed(rows)}  # the strongest of each measure
    order = sorted(first.values(), key=lambda row: -row[0].strength)
    names = akin([each.metric.name for each, _ in order])
    known = [(each, arm) for each, arm in order if each.metric.name in names]
    chosen = [row for at, row in enumerate(known) if sum(arm is row[1] for _, arm in known[:at]) < TOLD_OF_ONE][:OTHERS_TOLD]
    told = [f"{_change_clause(each, sitting, arm)} with {arm.ruleset.short}" for each, arm in chosen]
    sentences = [f"Of all else that changes, this changes most: {'; '.join(told)}."]
    lengths = by_verdict(sitting, "turns")
    length_too = {arm.ruleset.short for word in SHOWN for arm, _ in lengths.get(word, [])}
    if beside := list(dict.fromkeys(arm.ruleset.short for _, arm in rows if arm.ruleset.short not in length_too)):
        sentences.append(f"Such numbers change, but the length is not shown to, with {listed(beside)}.")
    return sentences


def _quiet(sitting: Sitting) -> list[str]:
    """The variants that change nothing that one would notice, and those of which that is not known."""
    words = {arm.ruleset.short: [each.verdict.word for each in answers(sitting, arm)] for arm in sitting.variants}
    nothing = [name for name, found in words.items() if set(found) <= set(SAME)]
    open_ = [name for name, found in words.items() if name not in nothing and not set(found) & set(SHOWN)]
    sentences = []
    if nothing:
        sentences.append(f"Nothing changes that you would notice with {listed(nothing, 'or')}.")
    if open_:
        sentences.append(f"Nothing is shown to change with {listed(open_, 'or')}, but some of that is still undecided.")
    return [*sentences, "Each of them is told by itself under “Rule by rule”."]


# -- other players ---------------------------------------------------------------------------------


def _other_line_ups(study: Study) -> str:
    others = study.sittings[1:]
    if not others:
        return f"All this is for {line_up(study.main)}; it was not repeated with other policies."
    asked = questions(study)
    found = [(arm, metric) for arm, metric, given in asked if agreement(given) == "disagree"]
    who = listed([line_up(sitting) for sitting in others], "or")
    still_open = sum(agreement(given) == "open" for _, _, given in asked)
    if not found:
        decided = f", {small(still_open)} of them still undecided with one or the other" if still_open else ""
        return f"With {who} instead, no verdict of the scorecard is contradicted ({len(asked)} compared{decided})."
    many = len(study.main.variants) > 1
    names = [short(metric, study.main.arms) + (f" ({arm.ruleset.short})" if many else "") for arm, metric in found]
    more = len(names) - NAMED
    told = [*names[:NAMED], f"{small(more)} more"] if more > 1 else names
    come = "verdict of the scorecard comes" if len(asked) == 1 else "verdicts of the scorecard " + ("comes" if len(found) == 1 else "come")
    return f"With {who} instead, {small(len(found))} of {len(asked)} {come} out otherwise: {listed(told)}."
