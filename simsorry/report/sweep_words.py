"""What a sweep found, in sentences and tables."""

from collections.abc import Sequence

from simsorry import stats, sweep
from simsorry.metrics import Metric
from simsorry.report import words
from simsorry.report.opening import akin
from simsorry.report.sweeping import Row, Sweep, Swept, base_cell, idle, strongest
from simsorry.report.tables import DERIVED, Table
from simsorry.stats import Estimate
from simsorry.sweep import INTERACTION, MAIN, SLOPE, Condition, Effect, Factor, Share

CHANGED = (stats.DIFFERENT, stats.UNSIZED)
EFFECTS_TOLD = 3  # measures told of each option
PAIRS_TOLD = 2
AS_SMALL = 3  # changes as small as the smallest that are told
REACHING_SHOWN = 12
LARGEST_SHOWN = 15


def who(sitting: Swept) -> str:
    """``four random players``."""
    names = list(dict.fromkeys(sitting.policies))
    return f"{words.listed([f'{words.small(sitting.policies.count(name))} {name}' for name in names])} players"


def short_who(sitting: Swept) -> str:
    """``random`` or ``balanced, random, random, random``."""
    return sitting.policies[0] if len(set(sitting.policies)) == 1 else ", ".join(sitting.policies)


def in_margins(swept: Swept, metric: Metric, effect: Effect) -> str:
    """How large an effect is, in margins."""
    return f"{words.number(swept.strength(metric.name, effect.key), 1)} ×"


# -- sentences -------------------------------------------------------------------------------------


def in_short(made: Sweep) -> list[list[str]]:
    """The opening paragraphs: the target, what was played, the largest effects, what changes nothing, what fights, other players."""
    told = made.effects and [_largest(made), [_idle(made)], _fights(made)]
    paragraphs = [_reached(made), _played(made), *(told or []), _shares(made), [_other_line_ups(made) if told else ""]]
    return [paragraph for paragraph in paragraphs if any(paragraph)]


def _played(made: Sweep) -> list[str]:
    swept = made.main
    varied = words.listed([f"{factor.option} ({factor.listed})" for factor in made.design.factors])
    cells = f"{words.small(len(swept.cells))} rulesets were played {words.count(swept.games)} times each by {who(swept)}"
    sentences = [f"On {made.design.base}, {varied} were varied: {cells}, all on the same game numbers."]
    if made.design.fraction:
        part = made.design.fraction
        sentences.append(
            f"That is a part of the {words.count(made.design.full)} combinations, of resolution {part.name}: "
            f"{_kept_apart(part.resolution)}."
        )
    if made.missing:
        lost = f"{words.count(len(made.refused))} effects" if made.effects else "no effect"
        verb = "can't be told" if made.effects else "can be told"
        sentences.append(
            f"The rules refuse {words.small(len(made.missing))} of the combinations ({_some(made.missing)}), so {lost} {verb}."
        )
    return sentences


def _kept_apart(resolution: int) -> str:
    if resolution >= 5:
        return "single options and pairs are told apart from one another, if three or more options at once do nothing of their own"
    return "single options are told apart from pairs, but some pairs can't be told from one another"


def _some(texts: Sequence[str], most: int = 3) -> str:
    more = len(texts) - most
    return "; ".join(texts[:most]) + (f"; and {words.small(more)} more" if more > 0 else "")


def _largest(made: Sweep) -> list[str]:
    """The main effects that matter, option by option, the strongest option first."""
    if not any(effect.kind == MAIN for effect in made.effects):
        return []
    by_option: dict[str, list[Row]] = {}
    for row in strongest(made.main, made.effects, MAIN, words=(stats.DIFFERENT,)):
        by_option.setdefault(row[1].options[0], []).append(row)
    if not by_option:
        return ["No option is shown to change any headline measure by more than its margin."]
    sentences: list[str] = []
    for option, rows in by_option.items():
        distinct = {row[0].name: row for row in reversed(rows)}  # the strongest level for each measure
        names = akin([row[0].name for row in sorted(distinct.values(), key=lambda row: (row[0].name != "turns", rows.index(row)))])
        chosen = [distinct[name] for name in names[:EFFECTS_TOLD]]  # the length first, if it changes
        ways = {_at(made, effect) for _, effect, _ in chosen}
        told = [f"{metric.short} {words.change(each)}{_at(made, effect) if len(ways) > 1 else ''}" for metric, effect, each in chosen]
        if more := len(distinct) - len(told):
            told.append(f"{words.small(more)} more measure{'s' if more > 1 else ''}")
        way = f",{ways.pop()}," if len(ways) == 1 else ""
        sentences.append(f"{option}{way} changes {'' if sentences else 'most: '}{words.listed(told)}.")
    return sentences


def _at(made: Sweep, effect: Effect) -> str:
    factor = factor_of(made, effect.options[0])
    return f" from {factor.change(effect.levels[0]).replace(' → ', ' to ')}"


def factor_of(made: Sweep, option: str) -> Factor:
    """The factor of an option."""
    return next(factor for factor in made.design.factors if factor.option == option)


def _idle(made: Sweep) -> str:
    options, measures = idle(made), len(made.main.rows(headline=True))
    if options:
        verb = "changes" if len(options) == 1 else "change"
        return (
            f"{words.listed(options)} {verb} nothing that matters in any of the {measures} headline measures, neither alone nor together "
            "with another option."
        )
    quiet = [factor.option for factor in made.design.factors if not _shown(made, factor.option)]
    if quiet:
        return f"Nothing is shown to change with {words.listed(quiet, 'or')} beyond the margins, but some of it is still undecided."
    same = [metric for metric in made.main.rows(headline=True) if _never(made, metric)]
    return f"Practically the same, whatever is chosen: {words.listed([metric.short for metric in same])}." if same else ""


def _shown(made: Sweep, option: str) -> bool:
    rows = strongest(made.main, made.effects, words=CHANGED)
    return any(option in effect.options for _, effect, _ in rows)


def _never(made: Sweep, metric: Metric) -> bool:
    """Whether every effect on a measure is within its margin."""
    found = [each.verdict for each in made.main.compared[metric.name].values()]
    return all(verdict and verdict.word in (stats.SAME, stats.NEGLIGIBLE) for verdict in found)


def _fights(made: Sweep) -> list[str]:
    """The options whose effects do not add up, the strongest first."""
    if not any(effect.kind == INTERACTION for effect in made.effects):
        return []
    rows = strongest(made.main, made.effects, INTERACTION, words=(stats.DIFFERENT,))
    told: dict[tuple[str, ...], Row] = {}
    for row in rows:
        told.setdefault(row[1].options, row)
    if told:
        return [_fight(made, row) for row in list(told.values())[:PAIRS_TOLD]]
    undecided = len(strongest(made.main, made.effects, INTERACTION, words=(stats.UNDECIDED, stats.UNSIZED)))
    still = f" ({undecided} are still open)" if undecided else ""
    return [f"No two options are shown to fight each other: no effect of one depends on another by more than its margin{still}."]


def _fight(made: Sweep, row: Row) -> str:
    metric, effect, found = row
    pair = made.main.together[metric.name, effect.key]
    names = [f"{option} ({factor_of(made, option).change(level)})" for option, level in zip(effect.options, effect.levels, strict=True)]
    aliased = ""
    if made.design.fraction and (shared := made.design.fraction.shared(*effect.options)):
        aliased = f" In this part of the design that may as well be {words.listed([' and '.join(other) for other in shared], 'or')}."
    return (
        f"{words.listed(names)} {pair.relation}: together they change {metric.short} by {words.change(pair.both)}, where the "
        f"two alone would add up to {words.change(pair.summed)}; the difference is {words.change(found)}.{aliased}"
    )


def _reached(made: Sweep) -> list[str]:
    if not made.target:
        return []
    cells = made.main.cells
    order = sweep.ranked(made.design, made.played, [cell.reached for cell in cells])
    target = words.listed([_wanted(condition) for condition in made.target])
    if not order:
        return [f"No ruleset of the sweep reaches the target, {target}."]
    sure = next((at for at in order if cells[at].reached == sweep.SURELY), None)
    first = order[0]
    sentences = []
    if sure is None:
        sentences.append(f"No ruleset surely reaches the target, {target}.")
    else:
        sentences.append(f"The smallest change that surely reaches the target, {target}, is {_change_to(made, sure)}.")
        fewest = len(made.design.house_rules(cells[sure].levels))
        as_small = [at for at in order if cells[at].reached == sweep.SURELY and len(made.design.house_rules(cells[at].levels)) == fewest]
        others = [_change_to(made, at) for at in as_small if at != sure]
        if others:
            sentences.append(f"So {'does' if len(others) == 1 else 'do'}, with as many options changed, {'; '.join(others[:AS_SMALL])}.")
    if first != sure:
        sentences.append(f"Perhaps {_change_to(made, first)} is enough.")
    return sentences + [_reached_by_others(swept) for swept in made.sittings[1:]]


def _reached_by_others(swept: Swept) -> str:
    """Whether anything reaches the target for other players."""
    surely = sum(cell.reached == sweep.SURELY for cell in swept.cells)
    if not surely:
        return f"With {who(swept)} nothing surely reaches it."
    return f"With {who(swept)} {words.small(surely)} of {len(swept.cells)} rulesets surely do."


def _part(p: float) -> str:
    return "half of the games" if p == 0.5 else f"{p:.0%} of the games"


def _wanted(condition: Condition) -> str:
    """A part of a target in words: ``half of the games over within 120 turns (turns_p50 < 120)``."""
    if not condition.quantile or not condition.sign.startswith("<"):
        return condition.text
    unit, p = condition.quantile
    return f"{_part(p)} over within {condition.bound:g} {unit} ({condition.text})"


def _aimed(condition: Condition, found: Estimate) -> str:
    """What a part of a target comes to."""
    if not condition.quantile:
        return f"{condition.measure} {words.with_span(found)}"
    unit, p = condition.quantile
    return f"{_part(p)} within {words.whole_with_span(found)} {unit}"


def _change_to(made: Sweep, at: int) -> str:
    cell = made.main.cells[at]
    rules = made.design.house_rules(cell.levels)
    found = words.listed([_aimed(condition, cell.aimed[condition.text]) for condition in made.target])
    return f"{words.listed(rules) or 'none: the base as it is'} ({found})"


def _shares(made: Sweep) -> list[str]:
    found = made.main.variances.get("turns")
    if not found:
        return []
    order = sorted(found.shapley.items(), key=lambda item: -item[1].value)
    told = words.listed([f"{option} {share_text(share)}" for option, share in order])
    return [f"Of the variance of the mean length between the rulesets, these shares (± standard error) go to each option: {told}."]


def share_text(share: Share) -> str:
    """A share of the variance with its standard error."""
    decimals = words.places(share.error * 100, share.value * 100)
    return f"{words.number(share.value * 100, decimals)}% ± {words.number(share.error * 100, max(decimals, 1))}"


def _other_line_ups(made: Sweep) -> str:
    others = made.sittings[1:]
    if not others:
        return f"All this is for {who(made.main)}; it was not repeated with other policies."
    rows = strongest(made.main, made.effects)
    found = [(metric, effect) for metric, effect, _ in rows if made.agreement(metric.name, effect.key) == "disagree"]
    still_open = sum(made.agreement(metric.name, effect.key) == "open" for metric, effect, _ in rows)
    names = words.listed([who(sitting) for sitting in others], "or")
    decided = f", {still_open} of them still undecided with one or the other" if still_open else ""
    if not found:
        return f"With {names} instead, no verdict is contradicted ({len(rows)} compared{decided})."
    told = [f"{metric.short} ({effect.title})" for metric, effect in found]
    return f"With {names} instead, {len(found)} of {len(rows)} verdicts come out otherwise: {_some(told, 4)}."


# -- tables ----------------------------------------------------------------------------------------


def design_table(made: Sweep) -> Table:
    """Every option with its levels."""
    rows = [
        (factor.option, ", ".join(_level(factor, at) for at in range(len(factor.levels))), made.described.get(factor.option, ""))
        for factor in made.design.factors
    ]
    note = "Effects are told against the level in brackets; * is what the base has."
    return Table("design", "What was varied", ("Option", "Levels", "What the option does"), tuple(rows), note, wordy=True)


def _level(factor: Factor, at: int) -> str:
    shown = factor.levels[at].shown + ("*" if factor.levels[at].is_base else "")
    return f"({shown})" if at == factor.reference else shown


def aliases(made: Sweep) -> Table | None:
    """What a fractional design can't tell apart; None for a full one."""
    part = made.design.fraction
    if not part:
        return None
    rows = [
        (_word(part.letters, chain[0]), "; ".join(_word(part.letters, word) for word in chain[1:]), " = ".join(chain))
        for chain in part.aliases
    ]
    letters = ", ".join(f"{letter} is {option}" for letter, option in part.letters.items())
    note = f"Made with {', '.join(part.generators)}; {letters}."
    caption = f"What can't be told apart (aliases), resolution {part.name}"
    return Table("aliases", caption, ("Effect", "Aliased with", "In letters"), tuple(rows), note, wordy=True)


def _word(letters: dict[str, str], word: str) -> str:
    return " × ".join(letters[letter] for letter in word)


def missing(made: Sweep) -> Table | None:
    """Combinations that the rules refuse, and what can't be told without them."""
    if not made.missing:
        return None
    rows = [(text, "not played") for text in made.missing] + [(title, "not told") for title in made.refused]
    return Table("missing", "Combinations that the rules refuse, and effects that need them", ("What", "Is"), tuple(rows), wordy=True)


def cells(made: Sweep) -> Table:
    """Every ruleset with its hash."""
    rows = [(cell.short, cell.card.name, cell.card.hash) for cell in made.main.cells]
    return Table("cells", "The rulesets", ("Levels", "Ruleset", "Hash of the rules"), tuple(rows), wordy=True)


def played(made: Sweep) -> Table:
    """Who played which games, a column for each line-up."""
    sittings = made.sittings
    rows = [
        ("Package", *(f"simsorry {made.version}" for _ in sittings)),
        ("Policy at each table seat", *(", ".join(sitting.policies) for sitting in sittings)),
        ("Policy hashes", *(_hashes(sitting) for sitting in sittings)),
        ("Seed", *(str(sitting.seed) for sitting in sittings)),
        ("Rulesets", *(words.count(len(sitting.cells)) for sitting in sittings)),
        ("Games of each ruleset", *(words.count(sitting.games) for sitting in sittings)),
        ("Games in all", *(words.count(sitting.games * len(sitting.cells)) for sitting in sittings)),
        ("Blocks", *(f"{words.count(sitting.blocks)} of {words.count(sitting.block_games)} games" for sitting in sittings)),
        ("Cut off without a winner", *(f"{words.count(sum(cell.no_winner for cell in sitting.cells))} games" for sitting in sittings)),
        ("Verdicts corrected together", *(_families(sitting) for sitting in sittings)),
    ]
    relative = f"the value of {made.design.base}" if made.base_played else "the mean of all rulesets, as the base is none of them"
    note = (
        "Every ruleset plays the same game numbers. An effect is a contrast of the rulesets' values, worked out block by block, with a t "
        f"interval ({stats.LEVEL:.0%}) over the blocks; ratios enter by their linear part. Margins in percent are of {relative}."
    )
    return Table(
        "played", "What was played", ("Item", *(words.capital(who(sitting)) for sitting in sittings)), tuple(rows), note, wordy=True
    )


def _hashes(sitting: Swept) -> str:
    hashes = dict(zip(sitting.policies, sitting.policy_hashes, strict=True))
    return ", ".join(f"{policy} {digest}" for policy, digest in hashes.items())


def _families(sitting: Swept) -> str:
    return f"{sitting.families['scorecard']} of headline measures, {sitting.families['details']} others (Benjamini and Hochberg)"


def largest(made: Sweep, swept: Swept, most: int = LARGEST_SHOWN) -> Table:
    """The largest effects on headline measures, for their margins."""
    chosen = [row for row in strongest(swept, made.effects) if row[1].kind != SLOPE][:most]
    rows = [
        (effect.title, metric.title, f"{words.change(found)}\n{words.verdict(found)}", in_margins(swept, metric, effect))
        for metric, effect, found in chosen
    ]
    family = swept.families["scorecard"]
    note = (
        f"{words.count(swept.games)} games of each ruleset, {who(swept)}. Verdicts are corrected for the {family} effects on headline "
        "measures (Benjamini and Hochberg, 5%). pp: percentage points. An interaction is a difference of differences: what the second "
        "change adds to the effect of the first."
    )
    headings = ("Effect", "Measure", "Difference and verdict", "In margins")
    return Table(f"largest-{key(made, swept)}", f"The largest effects, {who(swept)}", headings, tuple(rows), note)


def key(made: Sweep, swept: Swept) -> str:
    """The number of a table, for ids."""
    return str(made.sittings.index(swept) + 1)


def effects_on(made: Sweep, swept: Swept, metric: Metric) -> Table:
    """Every effect on one measure."""
    rows = []
    for effect in made.effects:
        found = swept.compared[metric.name][effect.key]
        if found.verdict:
            p = words.p_value(found.verdict.p_value)
            rows.append((effect.title, f"{words.change(found)}\n{words.verdict(found)}", in_margins(swept, metric, effect), p))
    margin = words.margin(swept.sizes[metric.name], metric.unit)
    caption = f"{metric.title}: every effect, {who(swept)} (margin {margin})"
    headings = ("Effect", "Difference and verdict", "In margins", "p (BH)")
    return Table(f"effects-{key(made, swept)}-{metric.name}", caption, headings, tuple(rows))


def means(made: Sweep, swept: Swept) -> Table:
    """Every headline measure of every ruleset."""
    metrics = [metric for metric in swept.metrics if metric.headline]
    rows = [
        (cell.short, *(words.with_span(cell.measured[metric.name]) if metric.name in cell.measured else words.NONE for metric in metrics))
        for cell in swept.cells
    ]
    base = base_cell([cell.card for cell in swept.cells])
    note = f"{words.count(swept.games)} games of each. " + (f"The base is {swept.cells[base].short}." if base is not None else "")
    headings = ("Ruleset", *(metric.title for metric in metrics))
    return Table(f"means-{key(made, swept)}", f"Every ruleset, {who(swept)}", headings, tuple(rows), note)


def line_ups(made: Sweep) -> Table | None:
    """The effects on headline measures under every line-up: those that matter somewhere, and those that are contradicted."""
    if len(made.sittings) < 2:
        return None
    rows = []
    for metric, effect, _ in strongest(made.main, made.effects):
        found, verdict = made.across(metric.name, effect.key), made.agreement(metric.name, effect.key)
        if verdict != "disagree" and not any(each.verdict and each.verdict.word in CHANGED for each in found):
            continue
        cells = [f"{words.change(each)}\n{words.verdict(each)}" for each in found]
        cells += [words.NONE] * (len(made.sittings) - len(cells))
        rows.append((f"{effect.title}: {metric.title}", *cells, {"agree": "agree", "disagree": "DISAGREE", "open": "open"}[verdict]))
    headings = ("Effect", *(short_who(sitting) for sitting in made.sittings), "Do they agree?")
    note = (
        "Effects that are shown with some players, the largest for their margin first. Agree: all decided verdicts point the same way. "
        "Open: none is contradicted, but at least one is undecided."
    )
    return Table("line-ups", "The same effects with other players", headings, tuple(rows), note)


def reached(made: Sweep) -> Table | None:
    """The rulesets that reach the target, the smallest change first; None without a target."""
    if not made.target:
        return None
    order = sweep.ranked(made.design, made.played, [cell.reached for cell in made.main.cells])
    rows = []
    for at in order[:REACHING_SHOWN]:
        cell = made.main.cells[at]
        rules = made.design.house_rules(cell.levels)
        numbers = [words.with_span(cell.aimed[condition.text]) for condition in made.target]
        others = [sitting.cells[at].reached for sitting in made.sittings[1:]]
        rows.append((words.listed(rules) or "none (the base)", str(len(rules)), *numbers, cell.reached, *others))
    conditions = [condition.text for condition in made.target]
    headings = ("Change", "Options changed", *conditions, *(f"Reached? {short_who(sitting)}" for sitting in made.sittings))
    note = (
        f"{len(order)} of {len(made.main.cells)} rulesets reach the target surely (the whole {stats.LEVEL:.0%} interval of each number "
        f"does) or perhaps (a part of it); the fewest options changed first, then the nearest to the base. Each interval stands alone, so "
        "among many rulesets one in twenty may be off."
    )
    return Table("target", f"The smallest changes that reach {words.listed(conditions)}", headings, tuple(rows), note)


def variances(made: Sweep, swept: Swept) -> Table | None:
    """Where the variance between the rulesets comes from; None if that was not asked."""
    if not swept.variances:
        return None
    options = [factor.option for factor in made.design.factors]
    rows = []
    for metric in swept.metrics:
        found = swept.variances.get(metric.name)
        if not found:
            continue
        noise = f"{words.number(found.noise * 100, 1)}%"
        unit = 100 if metric.unit == "share" else 1
        error = f"{found.sd * unit:.3g}; {found.error * unit:.2g}"
        shares = [
            f"{share_text(found.alone[each])}; {share_text(found.total[each])}; {share_text(found.shapley[each])}" for each in options
        ]
        rows.append((metric.title, *shares, error, noise))
    headings = ("Measure", *(f"{option}: alone; in all; Shapley" for option in options), "SD between rulesets; SE of a mean", "Noise")
    note = (
        "Exact decomposition of the variance of the rulesets' means on the full grid, every level weighing the same (functional ANOVA), "
        "with standard errors over blocks. Alone: the option's main effect. In all: with everything it does together with others. Shapley: "
        "with an equal part of that, so that these add up to 100%. Noise: what chance added to the variance seen, already taken off."
    )
    return Table(f"variance-{key(made, swept)}", f"Where the variance comes from, {who(swept)}", headings, tuple(rows), note)


def definitions(made: Sweep) -> Table:
    """What each measure counts."""
    rows = [
        (
            metric.title,
            metric.definition,
            "percent" if metric.unit == "share" else metric.unit,
            words.margin(made.main.sizes[metric.name], metric.unit),
        )
        for metric in made.main.metrics
        if metric.headline
    ]
    rows += [(title, definition, unit, margin) for title, definition, unit, margin, _ in DERIVED[1:2]]
    return Table("definitions", "Definitions", ("Measure", "Definition", "Unit", "Margin"), tuple(rows), wordy=True)


def checks(made: Sweep) -> Table:
    """The identities that every game must fulfill."""
    found = [cell for sitting in made.sittings for cell in sitting.cells]
    rows = []
    for name in dict.fromkeys(name for cell in found for name in cell.failed_checks):
        failed = sum(cell.failed_checks.get(name, 0) for cell in found)
        games = sum(cell.games for cell in found if name in cell.failed_checks)
        rows.append((words.capital(name), f"FAILED in {words.count(failed)}" if failed else "holds", words.count(games)))
    return Table("checks", "Checks on every game", ("Check", "Result", "Games"), tuple(rows))
