"""What a question's file adds to the report on its answer: the question itself, which chapters are shown, and the command for it."""

from collections.abc import Sequence
from dataclasses import replace

from simsorry.errors import SimsorryError
from simsorry.question import Question
from simsorry.report.render import Part, Report, Section
from simsorry.toml import closest

OPENING = ("in-short", "question")  # always there


def with_question(report: Report, asked: Question, name: str) -> Report:
    """The report with the question after its opening, and only the chapters that were asked for, in that order.

    Raises SimsorryError if a chapter or the picture that the file names is not there.
    """
    if asked.report.picture:
        _check("report.picture", "figure", [asked.report.picture], [picture.name for picture in report.pictures])
    opening, *others = report.sections
    if asked.report.chapters:
        _check("report.chapters", "chapter", asked.report.chapters, [section.id for section in others])
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


def _check(key: str, what: str, named: Sequence[str], there: Sequence[str]) -> None:
    for name in named:
        if name not in there:
            raise SimsorryError(f"{key}: {name[:60]}: the report has no such {what}{closest(name, there)}; it has {', '.join(there)}")
