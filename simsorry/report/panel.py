"""The report on a panel: which ways to play pay, which cost, and which make no difference, as sentences, tables, figures and JSON."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simsorry import __version__, stats
from simsorry.panel import Answer, Measured, Setting, Tried
from simsorry.policies import Policy
from simsorry.report import words
from simsorry.report.drawing import BAND, FAINT, LINE, Picture, dash, legend, legend_lines, look, percent, whiskers
from simsorry.report.provenance import Played, played
from simsorry.report.render import Part, Report, Section
from simsorry.report.tables import Table
from simsorry.skill import Duel
from simsorry.stats import Difference, Estimate, Verdict

FORMAT = "simsorry report panel 1"
PAYS, COSTS, EVEN = "pays", "costs", "makes no practical difference"  # clear answers
BETTER, WORSE, OPEN = "is better, by how much is open", "is worse, by how much is open", "is open"
CLEAR = (PAYS, COSTS, EVEN)
MAY_BE = {PAYS: "+", BETTER: "+0", EVEN: "0", WORSE: "-0", COSTS: "-", OPEN: "+0-"}  # above, within or below the margin
TOLD = 2  # ways that a sentence names before it counts the others
AXIS_CHARS, ROW_CHARS = 52, 22  # in a line of a label
CLASHES = 4  # ways on which players disagree that the opening names


# -- words -----------------------------------------------------------------------------------------


def others(setting: Setting) -> str:
    """Those whom the one meets: ``three balanced players``."""
    design = setting.design
    if design.traits.teams:
        return f"a {design.careful.name} team"
    many = design.players - 1
    return f"{words.small(many)} {design.careful.name} player{'s' if many > 1 else ''}"


def effect(tried: Tried) -> str:
    """What the verdict on a way comes to in a word."""
    word = tried.verdict.word if tried.verdict else stats.UNDECIDED
    more = tried.change.value > 0
    effects = {stats.DIFFERENT: (COSTS, PAYS)[more], stats.UNSIZED: (WORSE, BETTER)[more], stats.UNDECIDED: OPEN}
    return effects.get(word, EVEN)


def ways(answer: Answer, rows: Sequence[Tried]) -> str:
    """Some ways of an answer in words, levels that follow one another as a range: ``“a start counts” −10 to +5``."""
    named = []
    for at, dose in enumerate(answer.setting.doses):
        levels = [each.way.level for each in answer.tried if each.way.dose == at]
        shown = {each.way.level for each in rows if each.way.dose == at}
        runs = [_range(run) for run in _runs(levels, shown)]
        if runs:
            named.append(f"“{dose.name}” {words.listed(runs)}")
    named += [f"“{each.way.name}”" for each in rows if each.way.dose is None]
    return words.listed(named)


def _runs(levels: Sequence[float], shown: set[float]) -> Iterator[list[float]]:
    """Levels that are shown and follow one another among all; 0, the policy as it is, parts them if those about it are not alike."""
    run: list[float] = []
    for level in sorted(levels):
        if level in shown:
            run.append(level)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _range(run: Sequence[float]) -> str:
    ends = [f"{level:+g}".replace("-", "−") for level in (run[0], run[-1])]
    return ends[0] if len(run) == 1 else f"{ends[0]} {'and' if len(run) == 2 else 'to'} {ends[1]}"


def _points(change: Difference) -> str:
    """A change of the share: ``+2.1 points (+1.5 to +2.7)``."""
    low, high = (bound * 100 for bound in change.interval())
    value = change.value * 100
    return f"{words.signed(value, words.places((high - low) / 2, value))} points ({words.between(low, high, signed=True)})"


def _turns(longer: Difference) -> str:
    """A difference of mean lengths: ``−12.1 turns (−12.9 to −11.3)``."""
    low, high = longer.interval()
    return f"{words.signed(longer.value, words.places((high - low) / 2, longer.value))} turns ({words.between(low, high, signed=True)})"


def in_short(found: Measured) -> list[str]:
    """What was found, in paragraphs: for each ruleset one on each policy, and one on where the policies disagree."""
    told = [[*map(_paragraph, group), _clash_paragraph(group)] for group in by_ruleset(found)]
    return [paragraph for paragraphs in told for paragraph in paragraphs if paragraph]


def _paragraph(answer: Answer) -> str:
    rows = [each for each in answer.tried if each.share.known]
    setting = answer.setting
    start = f"Under “{setting.design.ruleset.title}”, against {others(setting)},"
    if not rows:
        return f"{start} no game had a winner before the turn cap, so that there is nothing to say."
    sentences = [f"{start} {_best_clause(answer, rows)}", *_rest_sentences(answer, rows)]
    lengths = f"{words.count(setting.design.deals)} for lengths"
    return f"{' '.join(sentences)} {words.count(setting.games_each)} games each for wins, {lengths}."


def _best_clause(answer: Answer, rows: Sequence[Tried]) -> str:
    """The way that wins most, and whether it pays."""
    best = max(rows, key=lambda each: each.change.value)
    fair = words.percent(answer.setting.design.fair)
    won = f"{words.with_span(best.share)} of the games"
    name, paying = f"“{best.way.name}”", sum(effect(each) == PAYS for each in rows)
    if paying:
        more = f", and {words.small(paying - 1)} more of {len(rows)} ways pay{'' if paying > 2 else 's'}" if paying > 1 else ""
        return f"{name} pays most: it wins {won} instead of {fair}{more}.{_length_clause(answer, best)}"
    margin = words.points(answer.setting.design.margin.of(answer.setting.design.fair))
    if effect(best) == BETTER:
        return f"{name} is better than to play as usual: it wins {won} instead of {fair}; whether that is more than {margin} is open."
    many = (
        "the one way tried does not pay" if len(rows) == 1 else f"none of {words.small(len(rows))} ways to play otherwise is shown to pay"
    )
    return f"{many}: {name} wins most, {won} where {fair} is fair, which {effect(best)}."


def _length_clause(answer: Answer, best: Tried) -> str:
    if not best.length or best.length.word != stats.DIFFERENT:
        return ""
    return f" Where all play so, a game takes {words.value(best.turns)} turns instead of {words.value(answer.turns)}."


def _rest_sentences(answer: Answer, rows: Sequence[Tried]) -> list[str]:
    """What costs, what makes no difference and what is not known."""
    best = max(rows, key=lambda each: each.change.value)  # told already if it is better
    costs = sorted((each for each in rows if effect(each) == COSTS), key=lambda each: each.change.value)
    margin = words.points(answer.setting.design.margin.of(answer.setting.design.fair))
    sentences = []
    if costs:
        named = [f"“{each.way.name}” ({_points(each.change)})" for each in costs[:TOLD]]
        more = [f"{words.small(len(costs) - TOLD)} more"] if len(costs) > TOLD else []
        sentences.append(f"What costs most: {words.listed(named + more)}.")
    heads = {EVEN: f"No practical difference ({margin} either way)", BETTER: "Better, by how much is open"}
    heads |= {WORSE: "Worse, by how much is open", OPEN: "Open at this number of games"}
    for kind, head in heads.items():
        if some := [each for each in rows if effect(each) == kind and not (kind == BETTER and each is best)]:
            sentences.append(f"{head}: {ways(answer, some)}.")
    return sentences


def by_ruleset(found: Measured) -> list[list[Answer]]:
    """The answers of each ruleset, one for each policy."""
    groups: dict[str, list[Answer]] = {}
    for answer in found.answers:
        groups.setdefault(answer.setting.design.ruleset.name, []).append(answer)
    return list(groups.values())


def _names(group: Sequence[Answer]) -> list[str]:
    """The ways of one ruleset, whoever they mean something to, in the order of the question."""
    levels: dict[str, None] = {}
    for answer in group:
        levels |= dict.fromkeys(each.way.name for each in answer.tried)
    return list(levels)


def _of(answer: Answer, name: str) -> Tried | None:
    return next((each for each in answer.tried if each.way.name == name), None)


def _effects(group: Sequence[Answer], name: str) -> dict[str, str]:
    """What a way comes to by policy."""
    found = {answer.setting.design.careful.name: _of(answer, name) for answer in group}
    return {policy: effect(each) for policy, each in found.items() if each is not None}


def agreement(group: Sequence[Answer], name: str) -> str:
    """Whether a way comes to the same with every policy: "agree", "DISAGREE", or a dash where that is open."""
    effects = list(_effects(group, name).values())
    if not set.intersection(*(set(MAY_BE[each]) for each in effects)):
        return "DISAGREE"
    return "agree" if len(effects) == len(group) and set(effects) <= set(CLEAR) else words.NONE


def _apart(group: Sequence[Answer], name: str) -> float:
    """How far the changes of the win share are apart that a way brings with different policies."""
    changes = [each.change.value for each in (_of(answer, name) for answer in group) if each is not None]
    return max(changes) - min(changes)


def _clash_paragraph(group: Sequence[Answer]) -> str:
    if len(group) < 2:
        return ""
    title = group[0].setting.design.ruleset.title
    said = {name: agreement(group, name) for name in _names(group)}
    names = sorted((name for name in said if said[name] == "DISAGREE"), key=lambda name: -_apart(group, name))
    if not names:
        agreed = sum(each == "agree" for each in said.values())
        if agreed == len(said):
            return f"Under “{title}” it does not depend on who plays: every way comes to the same with all of them."
        same = f"{words.small(agreed)} of {words.small(len(said))} ways clearly come to the same" if agreed else "for no way is that clear"
        return f"Under “{title}” no way is shown to depend on who plays; {same}."
    told = [
        f"“{name}” " + words.listed([f"{found} with {policy}" for policy, found in _effects(group, name).items()])
        for name in names[:CLASHES]
    ]
    more = f"; and {words.small(len(names) - CLASHES)} more" if len(names) > CLASHES else ""
    return f"Under “{title}” it depends on who plays: {'; '.join(told)}{more}."


# -- tables ----------------------------------------------------------------------------------------


def _verdict(verdict: Verdict | None) -> str:
    return verdict.text if verdict else words.NONE


def _answer_table(answer: Answer, at: int) -> Table:
    setting = answer.setting
    rows = tuple(
        (
            words.capital(each.way.name),
            words.with_span(each.share),
            f"{_points(each.change).replace(' points', ' pp')}\n{_verdict(each.verdict)}" if each.change.known else words.NONE,
            f"{_turns(each.longer).replace(' turns', '')}\n{_verdict(each.length)}",
        )
        for each in answer.tried
    )
    fair, cut = setting.design.fair, sum(each.no_winner for each in answer.tried)
    note = (
        f"{words.capital(setting.design.careful.name)} as it is wins {words.percent(fair)}, without error, for every game number is played "
        f"with every side as the one; margin of what matters {words.margin(setting.design.margin.of(fair), 'share')}. Turns are those of a "
        f"game in which all play so, less the {words.with_span(answer.turns)} of one in which all are {setting.design.careful.name}. "
        f"{words.count(setting.games_each)} games each, {words.count(setting.design.deals)} for the turns. Games cut off at the turn cap "
        f"are left out of the wins: {cut:,}."
    )
    headings = ("How the one plays", "Wins", "Change of the win share", "Turns, if all play so")
    return Table(f"panel-{at}", f"Against {others(setting)}", headings, rows, note)


def _agreement_table(group: Sequence[Answer], at: int) -> Table:
    """What every way comes to with every policy, and whether that is the same."""
    rows = []
    for name in _names(group):
        found = [_of(answer, name) for answer in group]
        cells = [f"{effect(each)}\n{_points(each.change)}" if each else "as it is anyway" for each in found]
        rows.append((words.capital(name), *cells, agreement(group, name)))
    headings = ("How the one plays", *(f"With {answer.setting.design.careful.name}" for answer in group), "Do they agree?")
    note = f"“{words.capital(PAYS)}” and “{COSTS}” are said of what is surely beyond the margin; a dash: not all are clear."
    return Table(f"panel-agreement-{at}", "Does it depend on who plays?", headings, tuple(rows), note)


def _identity_table(found: Measured) -> Table:
    first = found.answers[0].setting.design
    rulesets = {each.design.ruleset.name: each.design.ruleset for each in found.plan.settings}
    policies = {each.design.careful.name: each.design.careful for each in found.plan.settings}
    rows = (
        *((f"Ruleset {name}", f"{ruleset.title} (hash {ruleset.hash})") for name, ruleset in rulesets.items()),
        *((f"Policy {name}", f"{policy.title} (hash {policy.hash})") for name, policy in policies.items()),
        ("Players", str(first.players) + (" in two teams" if first.traits.teams else "")),
        ("Seed", str(first.seed)),
        ("Game numbers", f"{words.count(first.deals)}, each played once with every side as the one, and once with all alike"),
        ("Games", words.count(found.plan.games)),
        ("Package", f"simsorry {__version__}"),
    )
    return Table("panel-identity", "What was played", ("Item", "Value"), rows, wordy=True)


def _weights_table(found: Measured) -> Table:
    """How every way differs in weights from the policy that it starts from."""
    rows = []
    for answer in found.answers:
        own = answer.setting.design.careful
        rows += [(words.capital(each.way.name), own.name, _weights_that_differ(own, each.way.policy)) for each in answer.tried]
    unique = tuple(dict.fromkeys(rows))
    return Table("panel-weights", "The weights", ("How the one plays", "Starting from", "Weights that differ"), unique, wordy=True)


def _weights_that_differ(own: Policy, other: Policy) -> str:
    """``starts 0 → 10, home 20 → 40``."""
    if other.function:
        return f"the function {other.name}"
    before, after = own.weights, other.weights
    changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return ", ".join(f"{name} {before.get(name, 0):g} → {after.get(name, 0):g}" for name in changed).replace("-", "−")


def _definitions() -> Table:
    rows = (
        ("wins", "Games that the one side wins, of those with a winner; a 95% t interval over game numbers."),
        ("change of the win share", "Wins minus the fair share, which is what the same games give where all play alike."),
        ("verdicts", "Those on all changes of this report are corrected together (Benjamini and Hochberg), as are those on all lengths."),
        ("a level", "What is added to the policy's weights, times the level; 0 is the policy as it is."),
        ("turns, if all play so", "Mean length over the same game numbers, minus that where all play by the policy as it is."),
    )
    return Table("panel-definitions", "What the words mean", ("Word", "Meaning"), rows, wordy=True)


# -- figures ---------------------------------------------------------------------------------------


def _labels(group: Sequence[Answer]) -> list[str]:
    return [f"against {others(answer.setting)}" for answer in group]


def _dose_picture(group: Sequence[Answer], dose: int, name: str) -> Picture:
    """Wins along the levels of a dose, a line for each policy."""
    told = group[0].setting.doses[dose]
    levels = sorted([0.0, *told.levels])
    labels, fair = _labels(group), group[0].setting.design.fair

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        _fair_band(axes, group, axes.axhspan, axes.axhline)
        for at, (answer, label) in enumerate(zip(group, labels, strict=True)):
            shift = (at - (len(group) - 1) / 2) * 0.08
            shares = {each.way.level: each.share for each in answer.tried if each.way.dose == dose} | {0.0: _certain(fair)}
            places = [levels.index(level) + shift for level in sorted(shares)]
            drawn = [shares[level] for level in sorted(shares)]
            values = [each.value for each in drawn]
            axes.errorbar(places, values, yerr=whiskers(*drawn), ls=dash(at), lw=1.4, ms=4.5, capsize=2.5, label=label, **look(at))
        axes.set_xticks(range(len(levels)), ["0\nas it is" if not level else f"{level:+g}".replace("-", "−") for level in levels])
        axes.set_xlabel(textwrap.fill(told.told, AXIS_CHARS))
        axes.set_ylabel("share of the games won by the one")
        axes.tick_params(length=0)
        percent(axes.yaxis)
        axes.grid(axis="y")
        legend(axes, labels)

    shows = f"{_shows(group)} Levels stand evenly, whatever lies between them."
    return Picture(name, _dose_finding(group, dose), shows, draw, 2.9 + LINE * legend_lines(labels))


def _ways_picture(group: Sequence[Answer], name: str) -> Picture:
    """Wins of the ways that are no level of a dose, as dots with a row for each way."""
    rows = [
        name for name in _names(group) if all(each is None or each.way.dose is None for each in (_of(answer, name) for answer in group))
    ]
    labels = _labels(group)

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        _fair_band(axes, group, axes.axvspan, axes.axvline)
        for at, (answer, label) in enumerate(zip(group, labels, strict=True)):
            found = [(place, each) for place, row in enumerate(rows) if (each := _of(answer, row)) is not None and each.share.known]
            places = [place + (at - (len(group) - 1) / 2) * 0.22 for place, _ in found]
            shares = [each.share for _, each in found]
            values = [share.value for share in shares]
            axes.errorbar(values, places, xerr=whiskers(*shares), ls="none", ms=5, lw=1.4, capsize=2.5, label=label, **look(at))
        axes.set_yticks(range(len(rows)), [textwrap.fill(row, ROW_CHARS) for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("share of the games won by the one")
        percent(axes.xaxis)
        axes.grid(axis="x")
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1.0), borderaxespad=0.2)  # the axes are too narrow to begin at their left

    return Picture(name, _ways_finding(group, rows), _shows(group), draw, 0.9 + 0.42 * len(rows) + LINE * len(labels))


def _fair_band(axes: Axes, group: Sequence[Answer], span: Any, line: Any) -> None:
    design = group[0].setting.design
    margin = design.margin.of(design.fair)
    span(design.fair - margin, design.fair + margin, color=BAND, lw=0, zorder=0)
    line(design.fair, color=FAINT, lw=0.8, zorder=1)
    axes.set_axisbelow(True)


def _certain(fair: float) -> Estimate:
    return Estimate(fair, fair, fair, 0, "share")


def _shows(group: Sequence[Answer]) -> str:
    setting = group[0].setting
    margin = words.points(setting.design.margin.of(setting.design.fair))
    return (
        f"Share of the games won by one side that plays otherwise, under “{setting.design.ruleset.title}”, with {stats.LEVEL:.0%} "
        f"intervals; the line is the fair share, {words.percent(setting.design.fair)}, and what lies within the shade ({margin} either "
        f"way) is too small to matter. {words.count(setting.games_each)} games each."
    )


def _dose_finding(group: Sequence[Answer], dose: int) -> str:
    name = words.capital(group[0].setting.doses[dose].name)
    found = [(answer.setting.design.careful.name, _best_level(answer, dose)) for answer in group]
    if len({each for _, each in found}) == 1:
        return f"“{name}”: {found[0][1]}"
    return f"“{name}”: " + ", ".join(f"{each} with {policy}" for policy, each in found)


def _best_level(answer: Answer, dose: int) -> str:
    """Which level is best, if any is better than none."""
    rows = [each for each in answer.tried if each.way.dose == dose and each.share.known]
    best = max((each for each in rows if effect(each) in (PAYS, BETTER)), key=lambda each: each.change.value, default=None)
    if best is None:
        return "no level matters" if all(effect(each) == EVEN for each in rows) else "no level pays"
    return f"{_range([best.way.level])} {'pays' if effect(best) == PAYS else 'helps'} most ({words.rough(best.share)})"


def _ways_finding(group: Sequence[Answer], rows: Sequence[str]) -> str:
    found = [(name, set(_effects(group, name).values())) for name in rows]
    paying = [f"“{name}”" for name, effects in found if effects & {PAYS, BETTER}]
    if paying:
        return f"Better than as usual: {words.listed(paying)}"
    costing = sum(bool(effects & {COSTS, WORSE}) for _, effects in found)
    return (
        f"None of these pays, and {words.small(costing)} cost{'s' if costing == 1 else ''}" if costing else "None of these is shown to pay"
    )


# -- the report ------------------------------------------------------------------------------------


def _sections(found: Measured) -> list[Section]:
    groups = by_ruleset(found)
    return [
        Section("in-short", "In short", tuple(in_short(found)), lead=True),
        *(_ruleset_section(group, at, alone=len(groups) == 1) for at, group in enumerate(groups, start=1)),
        Section("identity", "What was played", parts=(Part(tables=(_identity_table(found), _weights_table(found))),)),
        Section("definitions", "Definitions", parts=(Part(tables=(_definitions(),)),)),
    ]


def _ruleset_section(group: Sequence[Answer], at: int, *, alone: bool) -> Section:
    prefix = "" if alone else f"ruleset-{at}-"
    parts = []
    for dose, told in enumerate(group[0].setting.doses):
        if any(each.way.dose == dose for answer in group for each in answer.tried):
            parts.append(Part(words.capital(told.name), pictures=(_dose_picture(group, dose, f"{prefix}dose-{dose + 1}"),)))
    if any(each.way.dose is None for answer in group for each in answer.tried):
        parts.append(Part("Other ways", pictures=(_ways_picture(group, f"{prefix}ways"),)))
    shown = [_answer_table(answer, at * 100 + place) for place, answer in enumerate(group, start=1)]
    agreement = [_agreement_table(group, at)] if len(group) > 1 else []
    parts.append(Part("All numbers", tables=(*shown, *agreement)))
    title = "What it comes to" if alone else f"Under “{group[0].setting.design.ruleset.title}”"
    return Section(f"found-{at}", title, parts=tuple(parts))


def render(found: Measured) -> Report:
    """The report."""
    subtitle = f"{words.count(found.plan.games)} simulated games; {found.answers[0].setting.design.players} players."
    asked = found.plan.asked
    tasks = tuple(each for answer in found.answers for each in _tasks(answer.setting))
    return Report(asked.title, __version__, subtitle, tuple(_sections(found)), as_json(found), asked.seed, found.plan.games, played=tasks)


def _tasks(setting: Setting) -> tuple[Played, ...]:
    """All games of a setting: each way with every side as the one, and where all play so."""
    design = setting.design
    tasks = [setting.alike(design.careful)]
    for way in setting.ways:
        duel = Duel(way.name, way.name, way.policy, design.careful)
        tasks += [*(design.arrangement(duel, at) for at in range(len(design.sides))), setting.alike(way.policy)]
    return played(tasks, design.deals)


def as_json(found: Measured) -> dict[str, Any]:
    """Every number of the report, ready for ``json.dumps``; infinite and missing numbers are null."""
    asked = found.plan.asked
    document: dict[str, Any] = {
        "format": FORMAT,
        "simsorry": __version__,
        "title": asked.title,
        "question": asked.question,
        "held": asked.held,
        "answer": asked.answer,
        "seed": asked.seed,
        "players": asked.players,
        "game_numbers": found.answers[0].setting.design.deals,
        "games": found.plan.games,
        "level": stats.LEVEL,
        "length_margin": {"amount": found.plan.length.amount, "relative_to_base": found.plan.length.relative},
        "settings": [_answer_document(answer) for answer in found.answers],
    }
    plain: dict[str, Any] = stats.plain(document)
    return plain


def _answer_document(answer: Answer) -> dict[str, Any]:
    design = answer.setting.design
    return {
        "ruleset": {"name": design.ruleset.name, "title": design.ruleset.title, "hash": design.ruleset.hash},
        "policy": {"name": design.careful.name, "hash": design.careful.hash, "weights": design.careful.weights},
        "sides": design.sides,
        "fair_share": design.fair,
        "margin": design.margin.of(design.fair),
        "turns": _estimate(answer.turns),
        "ways": [_tried_document(answer, each) for each in answer.tried],
    }


def _tried_document(answer: Answer, each: Tried) -> dict[str, Any]:
    doses = answer.setting.doses
    return {
        "name": each.way.name,
        "dose": None if each.way.dose is None else doses[each.way.dose].name,
        "level": None if each.way.dose is None else each.way.level,
        "policy": {"hash": each.way.policy.hash, "weights": each.way.policy.weights},
        "share": _estimate(each.share),
        "change": _difference(each.change, each.verdict),
        "effect": effect(each),
        "turns": _estimate(each.turns),
        "longer": _difference(each.longer, each.length),
        "games_without_winner": each.no_winner,
    }


def _estimate(each: Estimate) -> dict[str, Any]:
    return {"value": each.value, "low": each.low, "high": each.high, "games": each.n, "unit": each.unit}


def _difference(each: Difference, verdict: Verdict | None) -> dict[str, Any]:
    low, high = each.interval()
    judged = {"verdict": verdict.text if verdict else None, "p_value": verdict.p_value if verdict else None}
    return {"value": each.value, "low": low, "high": high, "games": each.n, "unit": each.unit, **judged}
