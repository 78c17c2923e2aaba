"""What a question's file adds to the report on its answer: the question itself, which chapters are shown, and the command for it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from simsorry.errors import SimsorryError
from simsorry.question import Question
from simsorry.report.render import Part, Report, Section
from simsorry.toml import closest

# The chapters that a report may have after its opening, and its figures; N is a number.
CHAPTERS = {
    "comparison": "identity overview scorecard rule-by-rule who-wins points teams how-long matches places what-a-turn-is dice-and-cards "
    "bonus-moves piles interaction leads cards hits squares chances differences details other-players definitions sources",
    "sweep": "effects target variance effects-of-all cells other-players identity definitions",
    "panel": "found-N identity definitions",
    "survey": "players-N identity",
}
PICTURES = {
    "comparison": "overview seats teams points points-of-teams bonuses ended length turns dice bonus-moves bumps covered longest-cover "
    "sizes lead-changes differences ranks fans reliability unused phases hits-N traffic-N danger-N",
    "sweep": "pareto interaction-N",
    "panel": "dose-N ways ruleset-N-dose-N ruleset-N-ways",
    "survey": "first-N evening-N",
}


def check_shown(asked: Question) -> None:
    """Raises SimsorryError if a report of this kind has no such chapter or figure as the file names."""
    _check("report.chapters", "chapter", asked.report.chapters, CHAPTERS[asked.kind].split())
    _check("report.picture", "figure", [asked.report.picture] if asked.report.picture else [], PICTURES[asked.kind].split())


def _check(key: str, what: str, named: Sequence[str], known: Sequence[str]) -> None:
    for name in named:
        if re.sub(r"\d+", "N", name) not in known:
            raise SimsorryError(f"{key}: {name[:60]}: the report has no such {what}{closest(name, known)}; it may have {', '.join(known)}")


def with_question(report: Report, asked: Question, name: str) -> Report:
    """The report with the question after its opening, and only the chapters that were asked for, in that order.

    A chapter for which there is nothing to say, as too few games were played for it, is left out.
    """
    opening, *others = report.sections
    if asked.report.chapters:
        others = [section for name in asked.report.chapters for section in others if section.id == name]
    told = {"question": asked.question.split(), "held": asked.held.split(), "answer": asked.answer.split()}
    texts = {key: " ".join(words) for key, words in told.items()}
    return replace(
        report,
        sections=(opening, _section(texts), *others),
        document={**report.document, "asked": texts},
        command=f"simsorry study {name}",
    )


def _section(texts: dict[str, str]) -> Section:
    parts = [Part("What is held fixed", (texts["held"],))] if texts["held"] else []
    return Section("question", "The question", (texts["question"],), (*parts, Part("What would count as an answer", (texts["answer"],))))
