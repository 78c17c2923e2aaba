"""A study as a report: sections of sentences, pictures and tables, rendered to one HTML page, to Markdown and to JSON."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jinja2 import Environment, PackageLoader, StrictUndefined

from simsorry.report import figures, tables, words
from simsorry.report.figures import Picture, PictureFiles
from simsorry.report.study import RulesetCard, Sitting, Study, as_json
from simsorry.report.tables import Table

FOOTER = (
    "Made with simsorry, an independent study tool, not affiliated with the publishers of Sorry! "
    "The games are simulated; players are policies that choose as described, not people."
)
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
    """A report ready to be written: the content of each file by its path inside the folder."""

    files: dict[str, bytes] = field(repr=False)


# -- contents --------------------------------------------------------------------------------------


def sections(study: Study) -> list[Section]:
    """Everything the report says, in reading order."""
    opening = tuple(" ".join(paragraph) for paragraph in words.in_short(study))
    made = [Section("in-short", "In short", opening, lead=True), _identity(study)]
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
    """The chapters on one table; where there are several tables, their titles say which."""
    key = "" if alone else f"-{study.sittings.index(sitting) + 1}"
    place = "" if alone else f": {words.line_up(sitting)}"
    seats, length, turns, bumps, leads, *differences = figures.pictures(sitting, study.seconds_per_turn, f"table{key}-" if key else "")
    fair = words.fairness_sentences(sitting)
    made = [
        Section(f"scorecard{key}", f"Scorecard{place}", parts=(Part(tables=(tables.scorecard(study, sitting),)),)),
        Section(f"who-wins{key}", f"Who wins{place}", tuple(fair), (Part(pictures=(seats,), tables=(tables.seats(study, sitting),)),)),
        Section(f"how-long{key}", f"How long it takes{place}", parts=(Part(pictures=(length,), tables=(tables.lengths(study, sitting),)),)),
        Section(
            f"what-a-turn-is{key}",
            f"What there is to do{place}",
            parts=(Part(pictures=(turns,), tables=(tables.turns(study, sitting),)),),
        ),
        Section(
            f"interaction{key}",
            f"Bumps and lead changes{place}",
            parts=(
                Part("Bumps", pictures=(bumps,), tables=(tables.bumps(study, sitting),)),
                Part("Lead changes", pictures=(leads,), tables=(tables.lead_changes(study, sitting),)),
            ),
        ),
    ]
    if sitting.variants:
        parts = [Part(pictures=tuple(differences))]
        parts += [
            Part(arm.ruleset.short, (tables.unchanged(arm),), tables=(tables.against_base(study, sitting, arm),))
            for arm in sitting.variants
        ]
        made.append(Section(f"differences{key}", f"Every difference{place}", parts=tuple(parts)))
    else:
        details = (tables.details(study, sitting),)
        made.append(Section(f"details{key}", f"Every measure{place}", parts=(Part(tables=details),)))
    return made


def _line_ups(study: Study) -> Section:
    compared = tables.line_ups(study)
    parts = [Part(tables=(compared,))] if compared else []
    parts += [
        Part(
            words.capital(words.line_up(sitting)),
            tables=(tables.scorecard(study, sitting), tables.seats(study, sitting), tables.lengths(study, sitting)),
        )
        for sitting in study.sittings[1:]
    ]
    return Section("other-players", "The same with other players", parts=tuple(parts))


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


def subtitle(study: Study) -> str:
    """One line on the size of the study."""
    games = sum(arm.games for sitting in study.sittings for arm in sitting.arms)
    who = words.listed([words.line_up(sitting) for sitting in study.sittings])
    return f"{words.count(games)} simulated games; {who}."


# -- rendering -------------------------------------------------------------------------------------


def escape_markdown(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()).replace("&", "&amp;"))


def render(study: Study) -> Report:
    """All files of the report."""
    shown = sections(study)
    drawn = {picture.name: picture.files() for section in shown for part in section.parts for picture in part.pictures}
    files = {
        "report.html": _html(study, shown, drawn).encode(),
        "report.md": _markdown(study, shown).encode(),
        "report.json": (json.dumps(as_json(study), indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode(),
    }
    for name, picture in drawn.items():
        files[f"figures/{name}.svg"] = picture.svg.encode()
        files[f"figures/{name}.png"] = picture.png
    return Report(files)


def unbroken(cell: str) -> str:
    """A cell whose intervals are not broken across lines."""
    return _INTERVAL.sub(lambda found: found[0].replace(" ", "\u00a0"), cell)


def _html(study: Study, shown: Sequence[Section], drawn: Mapping[str, PictureFiles]) -> str:
    templates = Environment(loader=PackageLoader("simsorry.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    templates.filters["unbroken"] = unbroken
    style = templates.get_template("style.css").render(scheme=figures.SCHEME.values())
    return templates.get_template("report.html").render(
        study=study,
        subtitle=subtitle(study),
        sections=shown,
        drawn=drawn,
        style=style,
        footer=FOOTER,
    )


def _markdown(study: Study, shown: Sequence[Section]) -> str:
    pieces = [f"# {escape_markdown(study.title)}", escape_markdown(subtitle(study))]
    for section in shown:
        pieces += [f"## {escape_markdown(section.title)}", *map(escape_markdown, section.paragraphs)]
        for part in section.parts:
            pieces += [f"### {escape_markdown(part.title)}"] if part.title else []
            pieces += map(escape_markdown, part.paragraphs)
            pieces += ["\n".join(f"- {escape_markdown(item)}" for item in part.items)] if part.items else []
            for picture in part.pictures:
                pieces += [f"![{escape_markdown(picture.finding)}](figures/{picture.name}.png)", escape_markdown(picture.shows)]
            for table in part.tables:
                pieces += _markdown_table(table)
    pieces += ["---", escape_markdown(FOOTER)]
    return "\n\n".join(pieces) + "\n"


def _markdown_table(table: Table) -> list[str]:
    cells = [[escape_markdown(cell.replace("\n", "; ")) for cell in row] for row in (table.headings, *table.rows)]
    cells.insert(1, ["---"] * len(table.headings))
    body = "\n".join(f"| {' | '.join(row)} |" for row in cells)
    return [f"**{escape_markdown(table.caption)}**", body, *([escape_markdown(table.note)] if table.note else [])]
