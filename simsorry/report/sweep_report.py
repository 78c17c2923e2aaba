"""The report on a sweep: its sections in reading order."""

from simsorry.report import sweep_figures, sweep_words, words
from simsorry.report.render import Part, Report, Section
from simsorry.report.sweeping import Sweep, Swept, as_json


def sections(made: Sweep) -> list[Section]:
    """Everything the report says."""
    opening = tuple(" ".join(paragraph) for paragraph in sweep_words.in_short(made))
    full = (
        (Section("effects-of-all", "Every effect", parts=_each_metric(made, made.main)), _cells(made)) if made.effects else (_cells(made),)
    )
    return [
        Section("in-short", "In short", opening, lead=True),
        _effects(made),
        *_optional(made),
        *full,
        *_others(made),
        _identity(made),
        Section("definitions", "Definitions and checks", parts=(Part(tables=(sweep_words.definitions(made), sweep_words.checks(made))),)),
    ]


def _effects(made: Sweep) -> Section:
    shown: list[Part] = []
    if made.effects:
        shown.append(Part(pictures=(sweep_figures.pareto(made),), tables=(sweep_words.largest(made, made.main),)))
    if pairs := tuple(sweep_figures.interactions(made)):
        shown.append(Part("Options that do not simply add up", pictures=pairs))
    return Section("effects", "What matters most", parts=tuple(shown))


def _optional(made: Sweep) -> list[Section]:
    """What was asked for by options of the command."""
    target, shares = sweep_words.reached(made), sweep_words.variances(made, made.main)
    asked = (("target", "Changes that reach the target", target), ("variance", "Where the variance comes from", shares))
    return [Section(name, title, parts=(Part(tables=(table,)),)) for name, title, table in asked if table]


def _each_metric(made: Sweep, swept: Swept) -> tuple[Part, ...]:
    return tuple(Part(tables=(sweep_words.effects_on(made, swept, metric),)) for metric in swept.rows(headline=True))


def _cells(made: Sweep) -> Section:
    return Section("cells", "Every ruleset", parts=(Part(tables=(sweep_words.means(made, made.main),)),))


def _others(made: Sweep) -> list[Section]:
    if len(made.sittings) < 2:
        return []
    compared = sweep_words.line_ups(made)
    parts = [Part(tables=(compared,))] if compared and compared.rows else []
    for swept in made.sittings[1:]:
        shown = [sweep_words.largest(made, swept), sweep_words.means(made, swept)]
        shares = sweep_words.variances(made, swept)
        parts.append(Part(words.capital(sweep_words.who(swept)), tables=(*shown, *([shares] if shares else []))))
    return [Section("other-players", "The same with other players", parts=tuple(parts))]


def _identity(made: Sweep) -> Section:
    special = [table for table in (sweep_words.aliases(made), sweep_words.missing(made)) if table]
    shown = (sweep_words.design_table(made), *special, sweep_words.played(made), sweep_words.cells(made))
    return Section("identity", "What was played", parts=(Part(tables=shown),))


def render(made: Sweep) -> Report:
    """The report."""
    games = sum(cell.games for sitting in made.sittings for cell in sitting.cells)
    line_ups = words.listed([sweep_words.who(sitting) for sitting in made.sittings])
    rulesets = f"{words.count(len(made.main.cells))} rulesets"
    subtitle = f"{words.count(games)} simulated games of {rulesets}; {line_ups}."
    played = tuple(each for sitting in made.sittings for each in sitting.played)
    return Report(made.title, made.version, subtitle, tuple(sections(made)), as_json(made), made.main.seed, games, played=played)
