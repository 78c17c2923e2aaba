"""Galleries: many questions answered on one page."""

import json
import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest
from cli_tools import refused, said, simsorry_says

from simsorry import question
from simsorry.cli.run import make_task
from simsorry.report.gallery import Exhibit, files
from simsorry.report.render import Report, Section

SLIDES = """
title = "Do <slides> matter?"
question = "Would anybody miss them?"
answer = "A game that is 10 % longer."
base = "hasbro"
arms = ["hasbro+slides=off"]
players = 2
line_ups = ["random"]
games = 40
[report]
topic = "Rules"
place = 2
chapters = ["how-long"]
picture = "length"
"""
TASK = make_task("hasbro", 2, ["random"], 1, [], None).id
FIRST = """
title = "First?"
question = "Does it help?"
answer = "A point."
line_ups = ["random"]
games = 40
[survey]
rulesets = ["hasbro"]
players = [2]
show = "first_player"
[report]
topic = "Seats"
place = 1
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two questions, and the gallery of them in ``gallery``."""
    folder = tmp_path_factory.mktemp("asked")
    (folder / "slides.toml").write_text(SLIDES, encoding="utf-8")
    (folder / "first.toml").write_text(FIRST, encoding="utf-8")
    text = said("gallery", str(folder), "--out", str(folder / "gallery"), "--quiet")
    assert text == f"gallery: {folder / 'gallery' / 'README.md'}, 2 of 2 questions answered\n"
    return folder


def test_the_page_tells_the_findings_by_topic(made: Path) -> None:
    page = (made / "gallery" / "README.md").read_text(encoding="utf-8")
    assert "2 questions about Sorry!, Sorreesi and Ice Soo Sorry!, answered by 120 simulated games" in page
    headings = [line for line in page.splitlines() if line.startswith("#")]
    assert headings == ["# What simsorry has found", "## Seats", "### First?", "## Rules", r"### Do \<slides\> matter?"]
    assert "- [First?](#first)" in page
    assert "](slides/figures/length.png)](slides/README.md)" in page
    assert f"with `simsorry gallery {made}`" in page


def test_every_link_and_picture_is_there(made: Path) -> None:
    gallery = made / "gallery"
    for page in gallery.rglob("README.md"):
        links = [link.split(")")[0] for link in page.read_text(encoding="utf-8").split("](")[1:]]
        assert links
        for link in links:
            if link.startswith("#"):
                assert f'<a id="{link[1:]}"></a>' in page.read_text(encoding="utf-8")
            else:
                assert (page.parent / link).is_file(), link


def test_the_evidence_says_how_it_was_made(made: Path) -> None:
    text = (made / "gallery" / "slides" / "README.md").read_text(encoding="utf-8")
    assert "from seed 1, by “simsorry study slides.toml”" in text
    assert "80 simulated games" in text
    assert not (made / "gallery" / "slides" / "figures" / "seats.png").exists()  # of a chapter that was not asked for


def test_the_same_bytes_again(made: Path, tmp_path: Path) -> None:
    said("gallery", str(made), "--out", str(tmp_path / "again"), "--quiet")
    before = {path.relative_to(made / "gallery"): path.read_bytes() for path in (made / "gallery").rglob("*") if path.is_file()}
    after = {path.relative_to(tmp_path / "again"): path.read_bytes() for path in (tmp_path / "again").rglob("*") if path.is_file()}
    assert after == before


def test_an_earlier_gallery_is_replaced_and_nothing_else(made: Path, tmp_path: Path) -> None:
    gallery = tmp_path / "gallery"
    shutil.copytree(made / "gallery", gallery)
    said("gallery", str(made / "first.toml"), "--out", str(gallery), "--quiet")
    assert not (gallery / "slides").exists()
    (gallery / "first" / "notes.txt").write_text("mine", encoding="utf-8")
    line = refused("gallery", str(made / "first.toml"), "--out", str(gallery), "--quiet")
    assert "holds first/notes.txt, which is no part of the gallery there" in line
    (gallery / "first" / "notes.txt").unlink()
    (gallery / "README.md").write_text("edited by hand", encoding="utf-8")
    assert "holds README.md" in refused("gallery", str(made / "first.toml"), "--out", str(gallery), "--quiet")
    assert (gallery / "README.md").read_text(encoding="utf-8") == "edited by hand"


@pytest.mark.parametrize("there", ["file", "folder"])
def test_what_is_no_gallery_stays(made: Path, tmp_path: Path, there: str) -> None:
    target = tmp_path / "here"
    if there == "file":
        target.write_text("mine", encoding="utf-8")
    else:
        target.mkdir()
        (target / "mine.txt").write_text("mine", encoding="utf-8")
    line = refused("gallery", str(made), "--out", str(target), "--quiet")
    assert ("is a file" if there == "file" else "exists and is not a gallery") in line
    assert (target if there == "file" else target / "mine.txt").read_text(encoding="utf-8") == "mine"


def test_what_is_wrong_with_any_of_them_is_said_before_anything_is_played(made: Path, tmp_path: Path) -> None:
    shutil.copy(made / "first.toml", tmp_path)
    (tmp_path / "slides.toml").write_text(SLIDES.replace('"length"', '"lenght"'), encoding="utf-8")
    line = refused("gallery", str(tmp_path), "--out", str(tmp_path / "gallery"), "--quiet")
    assert "slides.toml: report.picture: lenght: the report has no such figure; did you mean length?" in line
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.toml", "slides.toml"]


@pytest.mark.parametrize("name", ["with space", "q(1)]", "hash#x", "per%20cent", "<b>&", "a_b", "a-b"])
def test_any_name_can_be_linked_to(made: Path, tmp_path: Path, name: str) -> None:
    opening = Section("in-short", "In short", ("It is so.",))
    exhibit = Exhibit(name, question.load(str(made / "first.toml")), Report("Title", "0", "Sub.", (opening,), {}, 1, 2))
    page = files([exhibit], "simsorry gallery")["README.md"].decode()
    (link,) = re.findall(r"\[The evidence\]\(([^)\s]+)\)", page)
    assert unquote(link) == f"{name}/README.md"
    (anchor,) = re.findall(r'<a id="([\w.-]+)"></a>', page)
    assert f"](#{anchor})" in page


def test_names_of_its_own_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "README.md.toml").write_text(FIRST, encoding="utf-8")
    line = refused("gallery", str(tmp_path), "--out", str(tmp_path / "g"), "-q")
    assert "a gallery has a file of its own that is called README.md" in line


def test_a_question_that_is_not_answered_is_told_and_left_out(made: Path, tmp_path: Path) -> None:
    shutil.copy(made / "first.toml", tmp_path)
    (tmp_path / "slides.toml").write_text(SLIDES, encoding="utf-8")
    (tmp_path / "results" / "slides" / "games").mkdir(parents=True)
    (tmp_path / "results" / "slides" / "games" / TASK).write_text("a file in the way", encoding="utf-8")
    result = simsorry_says("gallery", str(tmp_path), "--out", str(tmp_path / "gallery"), "--quiet")
    assert result.exit_code == 5
    assert f"slides/games/{TASK}" in result.stderr
    assert result.stdout.endswith("1 of 2 questions answered\n")
    listed = json.loads((tmp_path / "gallery" / "gallery.json").read_text(encoding="utf-8"))["files"]
    assert set(listed) == {"README.md", "first/README.md", "first/figures/first-2.png"}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ((), "holds no question"),
        (("first.toml", "first.toml"), "another file is called first"),
        (("nothing.toml",), "there is no such file"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(made: Path, tmp_path: Path, files: tuple[str, ...], expected: str) -> None:
    named = [str(made / file) for file in files] or [str(tmp_path)]
    assert expected in refused("gallery", *named, "--out", str(tmp_path / "gallery"), "--quiet")
    assert not list(tmp_path.iterdir())
