"""A study as a report: sections of sentences, pictures and tables, rendered to one HTML page, to Markdown and to JSON."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from simsorry.report import (
    audit_figures,
    audit_tables,
    board_figures,
    course_figures,
    course_tables,
    drawing,
    figures,
    opening,
    overview,
    provenance,
    tables,
    words,
)
from simsorry.report.drawing import Picture, PictureFiles
from simsorry.report.study import RulesetCard, Sitting, Study, as_json
from simsorry.report.tables import Table
from simsorry.toml import shorten

FOOTER = (
    "Made with simsorry, an independent study tool, not affiliated with the publishers of Sorry! "
    "The games are simulated; players are policies that choose as described, not people."
)
_COMMAND = 1_000  # characters of a command, where it is told in a sentence
_INTERVAL = re.compile(r"\([^()]* to [^()]*\)")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~$])")


@dataclass(frozen=True)
class Part:
    """A piece of a section, with or without a heading of its own."""

    title: str = ""
    paragraphs: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    items: tuple[str, ...] = ()  # of a list


@dataclass(frozen=True)
class Section:
    """One heading of the report and what stands under it."""

    id: str
    title: str
    paragraphs: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    lead: bool = False


@dataclass(frozen=True)
class Report:
    """What a report says, in reading order, and all its numbers; its pictures are drawn once its files are asked for."""

    title: str
    version: str
    subtitle: str
    sections: tuple[Section, ...]
    document: Mapping[str, Any] = field(repr=False)
    seed: int
    games: int
    command: str = ""  # that makes it again
    played: tuple[provenance.Played, ...] = field(default=(), repr=False)  # the games that it stands on

    @property
    def footer(self) -> str:
        """What it was made with and from."""
        return f"{self.subtitle} {self.origin} {FOOTER}"

    @property
    def origin(self) -> str:
        """Where its numbers come from, in short."""
        again = f", by “{shorten(self.command, _COMMAND)}”" if self.command else ""
        return f"Played by simsorry {self.version} from seed {self.seed}{again}. {provenance.in_short(self.played)}".rstrip()

    @property
    def whole_document(self) -> dict[str, Any]:
        """All its numbers, and where they come from."""
        return {**self.document, "provenance": provenance.document(self.played, self.command)}

    @property
    def pictures(self) -> list[Picture]:
        """All figures, in reading order."""
        return [picture for section in self.sections for part in section.parts for picture in part.pictures]

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The content of each file by its path inside the folder."""
        drawn = {picture.name: picture.files() for picture in self.pictures}
        files = {
            "report.html": _html(self, drawn).encode(),
            "report.md": markdown(self).encode(),
            "report.json": (json.dumps(self.whole_document, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode(),
        }
        for name, picture in drawn.items():
            files[f"figures/{name}.svg"] = provenance.in_svg(picture.svg, self.origin).encode()
            files[f"figures/{name}.png"] = provenance.in_png(picture.png, self.origin)
        return files


# -- contents --------------------------------------------------------------------------------------


def sections(study: Study) -> list[Section]:
    """Everything the report says, in reading order."""
    told = tuple(" ".join(paragraph) for paragraph in opening.in_short(study))
    made = [Section("in-short", "In short", told, lead=True), _identity(study)]
    full = [study.main] if study.repeated else list(study.sittings)
    for sitting in full:
        made += _full(study, sitting, alone=len(full) == 1)
    if study.repeated and len(study.sittings) > 1:
        made.append(_line_ups(study))
    return [*made, _appendix(study), _sources(study)]


def _identity(study: Study) -> Section:
    changed = tables.changes(study)
    shown = [tables.rulesets(study), *([changed] if changed else []), tables.played(study), tables.judged(study)]
    return Section("identity", "What was compared" if study.main.variants else "What was played", parts=(Part(tables=tuple(shown)),))


def _full(study: Study, sitting: Sitting, alone: bool) -> list[Section]:
    """The chapters on one table, each only where there is something to say; where there are several tables, their titles say which."""
    key = "" if alone else f"-{study.sittings.index(sitting) + 1}"
    prefix = f"table{key}-" if key else ""
    few = _drawable(sitting)
    drawn = figures.pictures(few, study.seconds_per_turn, prefix) | course_figures.pictures(few, prefix)
    drawn = {name: _told_to_be_few(picture, sitting, few) for name, picture in drawn.items()} | audit_figures.pictures(sitting, prefix)
    drawn |= board_figures.pictures(sitting, prefix)
    parts = {
        ("overview", "What each variant changes"): _overview(study, sitting, prefix),
        ("scorecard", "Scorecard"): _scorecard(study, sitting),
        ("rule-by-rule", "Rule by rule"): _rule_by_rule(study, sitting),
        ("who-wins", "Who wins"): _who_wins(study, sitting, drawn),
        ("points", "Points"): _points(study, sitting, drawn),
        ("teams", "Teams"): _teams(study, sitting, drawn),
        ("how-long", "How long it takes"): [Part(pictures=(drawn["length"],), tables=(tables.lengths(study, sitting),))],
        ("matches", "Rounds of a match"): _any(sitting, "match_rounds", tables.matches(study, sitting)),
        ("places", "Places"): _places(study, sitting),
        ("what-a-turn-is", "What there is to do"): _what_to_do(study, sitting, drawn),
        ("dice-and-cards", "Dice and cards"): _drawn(drawn, "dice", tables.dice(study, sitting)),
        ("bonus-moves", "Bonus moves"): _drawn(drawn, "bonus-moves", tables.bonus_moves(study, sitting)),
        ("piles", "Covering and stacking"): _piles(study, sitting, drawn),
        ("interaction", "Bumps and lead changes" if "bumps" in drawn else "Lead changes"): _interaction(study, sitting, drawn),
        ("leads", "Leads and comebacks"): _leads(study, sitting, drawn),
        ("cards", "Cards"): _cards(study, sitting, drawn),
        ("hits", "Who covers whom" if audit_tables.covers(sitting) else "Who hits whom"): _hits(study, sitting, drawn),
        ("squares", "Squares"): _squares(study, sitting, drawn),
        ("chances", "Chances to win"): _chances(study, sitting, drawn),
        ("differences", "Every difference") if sitting.variants else ("details", "Every measure"): _details(study, sitting, drawn),
    }
    place = "" if alone else f": {words.line_up(sitting)}"
    told = {"who-wins": tuple(words.fairness_sentences(sitting))}
    return [Section(name + key, title + place, told.get(name, ()), tuple(found)) for (name, title), found in parts.items() if found]


Drawn = Mapping[str, Picture]
MOST_DRAWN = 4  # variants in one figure


def _drawable(sitting: Sitting) -> Sitting:
    """As many rulesets as can be told apart in a figure: the base, and the variants that change the length most."""
    kept = overview.ordered(sitting)[:MOST_DRAWN]
    return replace(sitting, arms=(sitting.base, *(arm for arm in sitting.variants if arm in kept)))


def _told_to_be_few(picture: Picture, sitting: Sitting, few: Sitting) -> Picture:
    """With a sentence that there are more rulesets than those drawn."""
    if len(few.arms) == len(sitting.arms):
        return picture
    those = f"{words.small(MOST_DRAWN)} of {len(sitting.variants)} variants that change the length most"
    return replace(picture, shows=f"{picture.shows} Drawn are {few.base.ruleset.short} and the {those}.")


def _overview(study: Study, sitting: Sitting, prefix: str) -> list[Part]:
    """What several variants change, at a glance."""
    if len(sitting.variants) < 2:
        return []
    return [Part(pictures=(overview.picture(sitting, prefix),), tables=(overview.table(study, sitting),))]


def _rule_by_rule(study: Study, sitting: Sitting) -> list[Part]:
    """Each variant by itself, where there are too many to open with."""
    if opening.told_apart(sitting):
        return []
    told = [(arm, opening.variant_sentences(sitting, arm, study.seconds_per_turn)) for arm in sitting.variants]
    return [Part(arm.ruleset.short, (" ".join(sentences),)) for arm, sentences in told]


def _scorecard(study: Study, sitting: Sitting) -> list[Part]:
    return [Part(tables=_those(tables.scorecard(study, sitting), tables.unshared(study, sitting, headline=True)))]


def _those(*found: Table | None) -> tuple[Table, ...]:
    return tuple(table for table in found if table)


def _any(sitting: Sitting, metric: str, table: Table, title: str = "") -> list[Part]:
    """A table by itself, if any ruleset has this measure."""
    return [Part(title, tables=(table,))] if any(metric in arm.measured for arm in sitting.arms) else []


def _drawn(drawn: Drawn, name: str, table: Table, title: str = "") -> list[Part]:
    """A table under its picture, if there is this picture."""
    return [Part(title, pictures=(drawn[name],), tables=(table,))] if name in drawn else []


def _what_to_do(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    whole = Part(pictures=(drawn["turns"],), tables=(tables.turns(study, sitting),))
    if "phases" not in drawn:
        return [whole]
    return [whole, *_drawn(drawn, "phases", audit_tables.phases(study, sitting), "From the first third of the way to the last")]


def _piles(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    if "covered" not in drawn:
        return []
    return [
        *_drawn(drawn, "covered", tables.piles(study, sitting), "Covered pawns"),
        *_drawn(drawn, "longest-cover", tables.longest_cover(study, sitting), "The longest cover"),
        *_drawn(drawn, "sizes", tables.moves(study, sitting), "Moves by size"),
    ]


def _interaction(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    return [
        *_drawn(drawn, "bumps", tables.bumps(study, sitting), "Bumps"),
        *_any(sitting, "fights", tables.fights(study, sitting), "Fights"),
        *_drawn(drawn, "lead-changes", tables.lead_changes(study, sitting), "Lead changes" if "bumps" in drawn else ""),
    ]


def _leads(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    if "ranks" not in drawn:
        return []
    shown = (course_tables.ranks(study, sitting), course_tables.leads(study, sitting))
    return [Part(paragraphs=course_tables.lead_sentences(sitting), pictures=(drawn["ranks"],), tables=shown)]


def _cards(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    """The tables of each ruleset, the picture of all above the first ones."""
    found = audit_tables.detailed_arms(sitting)
    parts = [Part(tables=audit_tables.card_tables(study, sitting, *each)) for each in found]
    told, shown = audit_tables.left_out(sitting), _there(drawn, "unused")
    return [replace(part, paragraphs=told, pictures=shown) if at == 0 else part for at, part in enumerate(parts)]


def _hits(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    found = [(arm, audits) for arm, audits in audit_tables.detailed_arms(sitting) if audits.any_hits]
    told = [audit_tables.next_sentence(sitting, arm, audits) for arm, audits in found]
    return [
        Part(
            paragraphs=(sentence,) if sentence else (),
            pictures=_there(drawn, f"hits-{sitting.arms.index(arm)}"),
            tables=(audit_tables.hits(study, sitting, arm, audits),),
        )
        for (arm, audits), sentence in zip(found, told, strict=True)
    ]


def _squares(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    return [
        Part(
            pictures=_there(drawn, *(f"{name}-{sitting.arms.index(arm)}" for name in ("traffic", "danger"))),
            tables=_those(audit_tables.places(study, sitting, arm, audits), audit_tables.squares(study, sitting, arm, audits)),
        )
        for arm, audits in audit_tables.detailed_arms(sitting)
    ]


def _there(drawn: Drawn, *names: str) -> tuple[Picture, ...]:
    return tuple(drawn[name] for name in names if name in drawn)


def _chances(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    if "reliability" not in drawn:
        return []
    return [
        Part(
            paragraphs=course_tables.chance_sentences(sitting),
            pictures=_there(drawn, "fans"),
            tables=(*course_tables.fans(study, sitting), course_tables.chances(study, sitting)),
        ),
        Part(
            "The gauge",
            pictures=(drawn["reliability"],),
            tables=(*course_tables.reliability(study, sitting), course_tables.weights(study, sitting)),
        ),
    ]


def _who_wins(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    kinds = [(name, teams) for name, teams in (("seats", False), ("teams", True)) if name in drawn]
    return [
        Part(words.capital(name) if len(kinds) > 1 else "", pictures=(drawn[name],), tables=(tables.sides(study, sitting, teams),))
        for name, teams in kinds
    ]


def _points(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    shown = tuple(drawn[name] for name in ("points", "points-of-teams") if name in drawn)
    if not shown:
        return []
    scores = Part("Who scores", pictures=shown, tables=(tables.points(study, sitting),))
    return (
        [scores, Part("Bonuses", pictures=(drawn["bonuses"],), tables=(tables.bonuses(study, sitting),))]
        if "bonuses" in drawn
        else [scores]
    )


def _places(study: Study, sitting: Sitting) -> list[Part]:
    found = _any(sitting, "place_seat_1", tables.ranked(study, sitting))
    return [replace(part, tables=_those(*part.tables, tables.place_shares(study, sitting))) for part in found]


def _teams(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    if not any(arm.teams for arm in sitting.arms):
        return []
    shown = (drawn["ended"],) if "ended" in drawn else ()
    return [Part(pictures=shown, tables=_those(tables.members(study, sitting), tables.partners(study, sitting)))]


def _details(study: Study, sitting: Sitting, drawn: Drawn) -> list[Part]:
    if not sitting.variants:
        return [Part(paragraphs=sitting.notes, tables=(tables.details(study, sitting),))]
    each = [Part(arm.ruleset.short, tables.unchanged(arm), tables=(tables.against_base(study, sitting, arm),)) for arm in sitting.variants]
    shown = (drawn["differences"],) if "differences" in drawn else ()
    first = [Part(paragraphs=sitting.notes, pictures=shown)] if shown or sitting.notes else []
    return [*first, *each, *_alone(study, sitting)]


def _alone(study: Study, sitting: Sitting) -> list[Part]:
    found = tables.unshared(study, sitting, headline=False)
    return [Part("Not to be compared", tables=(found,))] if found else []


def _line_ups(study: Study) -> Section:
    compared = tables.line_ups(study)
    parts = [Part(tables=(compared,))] if compared else []
    parts += [Part(words.capital(words.line_up(sitting)), tables=_other_line_up(study, sitting)) for sitting in study.sittings[1:]]
    return Section("other-players", "The same with other players", parts=tuple(parts))


def _other_line_up(study: Study, sitting: Sitting) -> tuple[Table, ...]:
    """The tables that are repeated for every other line-up."""
    kinds = dict.fromkeys(bool(arm.traits.teams) for arm in sitting.arms)
    return _those(
        tables.scorecard(study, sitting),
        tables.unshared(study, sitting, headline=True),
        *(tables.sides(study, sitting, teams) for teams in sorted(kinds)),
        tables.members(study, sitting) if True in kinds else None,
        tables.lengths(study, sitting),
    )


def _appendix(study: Study) -> Section:
    return Section("definitions", "Definitions and checks", parts=(Part(tables=(tables.definitions(study), tables.checks(study))),))


def _sources(study: Study) -> Section:
    """Where each ruleset is printed, and how the places where that text is silent are read."""
    parts: dict[tuple[object, ...], list[RulesetCard]] = {}
    for card in tables.cards(study):
        parts.setdefault((card.source, card.readings), []).append(card)
    made = []
    for cards in parts.values():
        first = cards[0]
        source = f"Source: {first.source}" if first.source else "No source is given."
        taken = "Readings taken where the source is silent or says two things, with the option that takes the other:"
        readings = (taken,) if first.readings else ()
        made.append(Part(words.listed([card.name for card in cards]), (source, *readings), items=first.readings))
    return Section("sources", "Sources and readings", parts=tuple(made))


def _games(study: Study) -> int:
    return sum(arm.games for sitting in study.sittings for arm in sitting.arms)


def subtitle(study: Study) -> str:
    """One line on the size of the study."""
    who = words.listed([words.line_up(sitting) for sitting in study.sittings])
    plays, each = words.plays(arm for sitting in study.sittings for arm in sitting.arms), ""
    many = {(len(sitting.arms), sitting.games) for sitting in study.sittings}
    if len(many) == 1 and study.main.variants:
        each = f" ({words.count(study.main.games)} of each of {words.small(len(study.main.arms))} rulesets with each line-up)"
    return f"{words.count(_games(study))} simulated {plays}{each if len(study.sittings) > 1 else ''}; {who}."


# -- rendering -------------------------------------------------------------------------------------


def escape_markdown(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()).replace("&", "&amp;"))


def render(study: Study) -> Report:
    """The report on a comparison, or on one ruleset."""
    played = tuple(each for sitting in study.sittings for each in sitting.played)
    return Report(
        study.title, study.version, subtitle(study), tuple(sections(study)), as_json(study), study.main.seed, _games(study), played=played
    )


def unbroken(cell: str) -> Markup:
    """A cell whose intervals are not broken across lines."""
    return Markup(_INTERVAL.sub(r'<span class="whole">\g<0></span>', str(escape(cell))))  # noqa: S704 - escaped before


def _html(report: Report, drawn: Mapping[str, PictureFiles]) -> str:
    templates = Environment(loader=PackageLoader("simsorry.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    templates.filters["unbroken"] = unbroken
    style = templates.get_template("style.css").render(scheme=drawing.SCHEME.values())
    return templates.get_template("report.html").render(
        title=report.title,
        version=report.version,
        subtitle=report.subtitle,
        sections=report.sections,
        drawn=drawn,
        style=style,
        footer=report.footer,
    )


def markdown(report: Report) -> str:
    """The report as Markdown, with its pictures as PNG files in the folder ``figures``."""
    pieces = [f"# {escape_markdown(report.title)}", escape_markdown(report.subtitle)]
    for section in report.sections:
        pieces += [f"## {escape_markdown(section.title)}", *map(escape_markdown, section.paragraphs)]
        for part in section.parts:
            pieces += [f"### {escape_markdown(part.title)}"] if part.title else []
            pieces += map(escape_markdown, part.paragraphs)
            pieces += ["\n".join(f"- {escape_markdown(item)}" for item in part.items)] if part.items else []
            for picture in part.pictures:
                pieces += [f"![{escape_markdown(picture.finding)}](figures/{picture.name}.png)", escape_markdown(picture.shows)]
            for table in part.tables:
                pieces += _markdown_table(table)
    pieces += ["---", escape_markdown(report.footer)]
    return "\n\n".join(pieces) + "\n"


def _markdown_table(table: Table) -> list[str]:
    cells = [[escape_markdown(cell.replace("\n", "; ")) for cell in row] for row in (table.headings, *table.rows)]
    cells.insert(1, ["---"] * len(table.headings))
    body = "\n".join(f"| {' | '.join(row)} |" for row in cells)
    return [f"**{escape_markdown(table.caption)}**", body, *([escape_markdown(table.note)] if table.note else [])]
