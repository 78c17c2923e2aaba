"""A gallery: the answers to many questions as Markdown with small pictures, and a page that tells all findings in plain words."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from simsorry import __version__
from simsorry.question import Question
from simsorry.report.drawing import Picture
from simsorry.report.folder import Kind
from simsorry.report.render import FOOTER, Report, escape_markdown, markdown

FORMAT = "simsorry gallery 1"
LIST = "gallery.json"  # what a gallery is made of
PAGE = "README.md"


@dataclass(frozen=True)
class Exhibit:
    """One question and the report on it."""

    name: str  # of its file, without the ending
    asked: Question
    report: Report

    @property
    def picture(self) -> Picture | None:
        """That which stands for the answer."""
        pictures = self.report.pictures
        wanted = self.asked.report.picture
        return next((each for each in pictures if each.name == wanted), pictures[0] if pictures else None)

    @property
    def finding(self) -> tuple[str, ...]:
        """The answer in plain words: how the report opens."""
        return self.report.sections[0].paragraphs[: self.asked.report.paragraphs]


def files(exhibits: Sequence[Exhibit], command: str) -> dict[str, bytes]:
    """All files by their paths inside the gallery; ``command`` makes it again."""
    ordered = sorted(exhibits, key=lambda each: (each.asked.report.place, each.name))
    topics = list(dict.fromkeys(each.asked.report.topic for each in ordered))
    ordered.sort(key=lambda each: topics.index(each.asked.report.topic))
    made = {PAGE: _page(ordered, command).encode()}
    for exhibit in ordered:
        made |= _files(exhibit)
    listed = {"format": FORMAT, "simsorry": __version__, "files": {name: _digest(content) for name, content in sorted(made.items())}}
    return {**made, LIST: (json.dumps(listed, indent=1) + "\n").encode()}


def _files(exhibit: Exhibit) -> dict[str, bytes]:
    """The report on a question and its pictures."""
    back = f"[All findings](../{PAGE})\n\n"
    made = {f"{exhibit.name}/{PAGE}": (back + markdown(exhibit.report)).encode()}
    return made | {f"{exhibit.name}/figures/{each.name}.png": each.files().png for each in exhibit.report.pictures}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _page(exhibits: Sequence[Exhibit], command: str) -> str:
    games = sum(exhibit.report.games for exhibit in exhibits)
    pieces = [
        "# What simsorry has found",
        _introduction(len(exhibits), games),
        _contents(exhibits),
    ]
    for topic in dict.fromkeys(exhibit.asked.report.topic for exhibit in exhibits):
        pieces.append(f"## {escape_markdown(topic)}")
        for exhibit in exhibits:
            pieces += _entry(exhibit) if exhibit.asked.report.topic == topic else []
    pieces += ["---", f"Made by simsorry {__version__} with {_as_code(command)}. {FOOTER}"]
    return "\n\n".join(pieces) + "\n"


def _as_code(text: str) -> str:
    """Text in Markdown as it stands, backticks and all: between more of them than stand together in it."""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if "`" in text else f"{fence}{text}{fence}"


def _introduction(questions: int, games: int) -> str:
    return (
        f"{questions} questions about Sorry!, Sorreesi and Ice Soo Sorry!, answered by {games:,} simulated games, with the evidence "
        "behind each answer. Players are policies that choose as described, not people; ranges in brackets are 95% intervals."
    )


def _contents(exhibits: Sequence[Exhibit]) -> str:
    return "\n".join(f"- [{escape_markdown(exhibit.asked.title)}](#{_anchor(exhibit)})" for exhibit in exhibits)


def _anchor(exhibit: Exhibit) -> str:
    """An id that no two have and that needs no escaping."""
    return re.sub(r"[^A-Za-z0-9_.-]", lambda found: f"-{ord(found[0]):x}-", exhibit.name)


def _entry(exhibit: Exhibit) -> list[str]:
    """A question, the answer in words, the picture that stands for it, and where the evidence is."""
    picture, folder = exhibit.picture, quote(exhibit.name)
    link, shown = f"{folder}/{PAGE}", []
    if picture:
        shown.append(f"[![{escape_markdown(picture.finding)}]({folder}/figures/{picture.name}.png)]({link})")
    return [
        f'<a id="{_anchor(exhibit)}"></a>',
        f"### {escape_markdown(exhibit.asked.title)}",
        *map(escape_markdown, exhibit.finding),
        *shown,
        f"[The evidence]({link})",
    ]


# -- the folder ------------------------------------------------------------------------------------


def _listed(folder: Path) -> dict[str, str]:
    """The files of a gallery that is there already; none if there is none."""
    try:
        found = json.loads((folder / LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    files = found.get("files") if isinstance(found, dict) and found.get("format") == FORMAT else None
    return files if isinstance(files, dict) else {}


def _foreign(folder: Path) -> str | None:
    """Something in a gallery's folder that no gallery has written, or that was changed since."""
    listed = _listed(folder)
    for path in sorted(folder.rglob("*")):
        name = str(PurePosixPath(path.relative_to(folder)))
        if path.is_dir() and not path.is_symlink():
            continue
        if name != LIST and (path.is_symlink() or not path.is_file() or listed.get(name) != _digest(path.read_bytes())):
            return name
    return None


GALLERY = Kind("gallery", lambda folder: bool(_listed(folder)), _foreign)
