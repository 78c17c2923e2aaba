"""Titles, names and file names that try to be something else in what is written: reports, galleries, exports."""

import csv
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hostile_tools import EVIL_TEXTS, demand

from simsorry.toml import value_text

EVIL = tuple(text for text in EVIL_TEXTS if text.strip() and text.isprintable() and len(text) <= 100 and text == " ".join(text.split()))
ATTACK = " ".join(text for text in EVIL if len(text) < 40 and "/" not in text)[:110]
FORMULA = re.compile(r"[=+\-@\t\r]")


class Tags(HTMLParser):
    """The tags of a page with the names of their attributes, and where its links go."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, ...]] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, *(name for name, _ in attrs if name != "class")))  # long cells look otherwise
        self.links += [str(value) for name, value in attrs if name in ("href", "src", "xlink:href")]


def ask(folder: Path, name: str, text: str) -> dict[str, bytes]:
    """A comparison of rulesets and policies of which everything has this name or title, in all that is written."""
    folder.mkdir()
    ruleset, policy, asked = folder / f"{name}.toml", folder / f"{name}-p.toml", folder / f"{name}-q.toml"
    ruleset.write_text(
        f'title = {value_text(text)}\nsource = {value_text(text)}\nreadings = [{value_text(text)}]\n[rules]\nslides = "off"\n'
    )
    policy.write_text(f"title = {value_text(text)}\ndescription = {value_text(text)}\n[weights]\nprogress = 1\n")
    asked.write_text(
        f"title = {value_text(text)}\nquestion = {value_text(text)}\nanswer = {value_text(text)}\nbase = 'hasbro'\n"
        f"arms = [{value_text(f'./{ruleset.name}')}]\nplayers = 2\ngames = 20\nline_ups = ['random']\n"
    )
    who = f"random,{policy}"
    compared = ("compare", "--quiet", "--players=2", "--games=20", f"--policy={who}", "--also-policy=none", f"--title={text}")
    made = {
        "report": (*compared, "hasbro", str(ruleset)),
        "run": ("run", "--quiet", "--players=2", "--games=20", f"--policy={who}", str(ruleset)),
    }
    made |= {
        "export": ("export", "--quiet", str(folder / "run")),
        "study": ("study", "--quiet", str(asked)),
        "gallery": ("gallery", "--quiet", str(asked)),
    }
    for out, words in made.items():
        assert not demand(*words, f"--out={folder / out}").code
    return {
        str(path.relative_to(folder)): path.read_bytes() for out in made for path in sorted((folder / out).rglob("*")) if path.is_file()
    }


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, sketched: None) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """What is written with names of good faith, and of bad."""
    return ask(tmp_path_factory.mktemp("good") / "x", "mine", "Mine"), ask(
        tmp_path_factory.mktemp("evil") / "x", "=<img src=x onerror=1>`|", ATTACK
    )


def of_kind(files: dict[str, bytes], ending: str) -> list[tuple[str, str]]:
    found = [(name, data.decode()) for name, data in files.items() if name.endswith(ending)]
    assert found
    return found


def test_no_name_adds_a_tag_or_a_link_to_a_page(both: tuple[dict[str, bytes], dict[str, bytes]]) -> None:
    good, evil = (of_kind(files, ".html") for files in both)
    assert len(good) == len(evil) == 2
    for (_, mine), (_, theirs) in zip(good, evil, strict=True):
        assert Tags(theirs).found == Tags(mine).found
        assert not [link for link in Tags(theirs).links if "javascript" in link or "evil" in link]
        assert "alert(1)" in theirs


def test_no_name_is_markup_in_markdown(both: tuple[dict[str, bytes], dict[str, bytes]]) -> None:
    for name, text in of_kind(both[1], ".md"):
        text = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", text)  # what stands as code is shown as it is
        assert not re.search(r"(?<!\\)<(script|img|svg)", text), name
        assert not re.search(r"(?<!\\)\]\((javascript|http://evil)", text), name


def test_no_name_is_a_formula_in_a_spreadsheet(both: tuple[dict[str, bytes], dict[str, bytes]]) -> None:
    for name, text in of_kind(both[1], ".csv"):
        for row in csv.reader(text.splitlines()):
            assert not [cell for cell in row if FORMULA.match(cell) and not re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", cell)], name


def test_no_name_leaves_the_folder_or_spoils_a_document(both: tuple[dict[str, bytes], dict[str, bytes]]) -> None:
    good, evil = both
    assert len(good) == len(evil)
    for _, text in of_kind(evil, ".json"):
        json.loads(text)
    for _, text in of_kind(evil, ".svg"):
        ET.fromstring(text)


@pytest.mark.parametrize("title", ["a\x00b", "\x1b[31m", "a\nb", "\udcff", "x" * 201, "\u202e"])
def test_a_title_that_is_no_title_is_refused(title: str) -> None:
    assert "--title" in demand("compare", "hasbro", f"--title={title}", codes=(2,)).err
