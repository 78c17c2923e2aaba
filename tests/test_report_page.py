"""The page of a report in a real browser: on a phone, on a wide screen, in the dark and on paper."""

import html
import json
import os
import re
import shutil
import subprocess
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import made_up
import pytest

from simsorry.report import drawing, figures, tables
from simsorry.report.render import Part, Report, Section
from simsorry.report.tables import Table

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))), None)
WIDTHS = (320, 400, 1200)
PAPER = 688  # what A4 leaves between the margins, in CSS pixels
EVIL = '<img src=x onerror="document.title=1"> & "quotes"'
LONG = "hasbro+deck_counts.sorry=6+slides=off+hand_size=5+first_player=fixed"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here to look at pages with")

MEASURE = """
function luminance(text) {
  const parts = text.match(/[\\d.]+/g).slice(0, 3).map(each => each / 255);
  const linear = parts.map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}
function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
function measure(frame) {
  const view = frame.contentWindow, page = frame.contentDocument, style = each => view.getComputedStyle(each);
  const all = selector => [...page.querySelectorAll(selector)];
  const box = each => each.getBoundingClientRect();
  const paper = style(page.body).backgroundColor;
  const regions = all('.scroll').map(region => {
    const wide = region.scrollWidth > region.clientWidth + 1;
    region.scrollLeft = 60;
    const stays = Math.abs(box(region.querySelector('tbody th')).left - box(region).left) < 1;
    const caption = box(region.querySelector('caption span'));
    const told = {id: region.querySelector('table').id, wide, moved: region.scrollLeft > 0, stays,
                  caption: caption.left >= -1 && caption.right <= view.innerWidth + 1};
    region.scrollLeft = 0;
    return told;
  });
  return {
    width: view.innerWidth, document: page.documentElement.scrollWidth, title: page.title, images: all('img').length, paper, regions,
    beyond: all('body *').filter(each => !each.closest('.scroll, nav, svg') && box(each).right > view.innerWidth + 1)
      .map(each => each.outerHTML.slice(0, 80)),
    nav: all('nav').map(each => box(each).height)[0],
    contrast: Math.min(...all('h1, h2, p, a, th, td, caption, figcaption span, strong').map(each => contrast(style(each).color, paper))),
    drawn: all('figure svg text').map(each =>
      ({contrast: contrast(style(each).fill, paper), size: box(each).height, text: each.textContent})),
  };
}
onload = () => setTimeout(() => {
  const told = [...document.querySelectorAll('iframe')].map(measure);
  document.body.textContent = '';
  document.body.dataset.told = JSON.stringify(told);
}, 50);
"""


@cache
def page() -> str:
    """Some of a comparison of made-up games, a table of twelve columns and another of a hundred rows, and many sections."""
    study = made_up.study()
    sitting = study.main
    pictures = figures.pictures(sitting, study.seconds_per_turn)
    cell = "123.4 (120.1 to 126.7)\nundecided - about 12,000 more games needed"
    headings = ("Measure", *(f"column {at}" for at in range(1, 12)))
    wide = Table("wide", "Everything beside everything else", headings, tuple((f"measure {row}", *[cell] * 11) for row in range(6)))
    rows = tuple((LONG, "word " * 40, f"{row}") for row in range(100))
    long = Table("long", "A hundred rows", ("Ruleset", "Words", "Number"), rows, "A note.", True)
    scored = (tables.scorecard(study, sitting),)
    shown = [
        Section("in-short", "In short", (f"{EVIL} {LONG}",), lead=True),
        Section("some", "Some", parts=(Part("Parts", pictures=(pictures["length"], pictures["turns"]), tables=scored),)),
        Section("tables", "Tables", parts=(Part(tables=(wide, long)),)),
        *(Section(f"more-{at}", f"More of the same: {at}", ("Words.",)) for at in range(15)),
    ]
    return Report(EVIL, "0.1.0", "Subtitle.", tuple(shown), {}, 1, 40).files["report.html"].decode()


def browse(folder: Path, file: Path, *arguments: str) -> str:
    """What chromium prints of a page."""
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder / 'profile'}"]
    home = {**os.environ, "HOME": str(folder)}
    return subprocess.run([*command, *arguments, file.as_uri()], capture_output=True, text=True, timeout=60, check=True, env=home).stdout


def measured(folder: Path, text: str, widths: tuple[int, ...], *arguments: str) -> list[dict[str, Any]]:
    """What the page measures in frames of these widths."""
    frames = "".join(f'<iframe style="border:0;width:{width}px;height:800px" srcdoc="{html.escape(text)}"></iframe>' for width in widths)
    (folder / "frames.html").write_text(f"<!DOCTYPE html><body>{frames}<script>{MEASURE}</script></body>", encoding="utf-8")
    printed = browse(folder, folder / "frames.html", "--window-size=2000,1000", "--virtual-time-budget=5000", "--dump-dom", *arguments)
    found = re.search('data-told="([^"]*)"', printed)
    assert found, printed[-300:]
    told: list[dict[str, Any]] = json.loads(html.unescape(found[1]))
    assert [each["width"] for each in told] == list(widths)
    return told


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """By color scheme: the page at every width, in the dark on a phone."""
    folder = tmp_path_factory.mktemp("screens")
    dark = measured(folder, page(), (400,), "--blink-settings=preferredColorScheme=0")
    return {"dark": dark, "light": measured(folder, page(), WIDTHS)}


def each_of(screens: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return [told for found in screens.values() for told in found]


def test_nothing_reaches_beyond_the_screen(screens: dict[str, list[dict[str, Any]]]) -> None:
    for told in each_of(screens):
        assert told["document"] <= told["width"]
        assert told["beyond"] == []


def test_wide_tables_move_by_themselves_and_their_first_column_stays(screens: dict[str, list[dict[str, Any]]]) -> None:
    for told in each_of(screens):
        wide = {region["id"] for region in told["regions"] if region["wide"]}
        assert "table-wide" in wide
        assert {region["id"] for region in told["regions"] if region["moved"]} == wide
        assert all(region["stays"] and region["caption"] for region in told["regions"])
    assert wide == {"table-wide"}  # on a wide screen all others fit


def test_the_sections_leave_room_on_a_phone(screens: dict[str, list[dict[str, Any]]]) -> None:
    assert max(told["nav"] for told in each_of(screens) if told["width"] < 500) < 60
    assert screens["light"][2]["nav"] > 60  # of so many, in lines


def test_text_can_be_read_in_light_and_dark(screens: dict[str, list[dict[str, Any]]]) -> None:
    assert [told["paper"] for told in screens["light"]] == ["rgb(255, 255, 255)"] * 3
    assert [told["paper"] for told in screens["dark"]] == ["rgb(20, 24, 29)"]
    for told in each_of(screens):
        assert told["contrast"] >= 4.5


def test_figures_are_text_large_enough_and_follow_the_scheme(screens: dict[str, list[dict[str, Any]]]) -> None:
    for told in each_of(screens):
        axes = [each for each in told["drawn"] if re.search("turns|games that|%", each["text"])]
        assert len(axes) > 5
        assert min(each["size"] for each in axes) >= (8 if told["width"] == 320 else 10)
        on_paper = [each for each in axes if "share of" in each["text"] or "minutes" in each["text"]]
        assert on_paper
        assert all(each["contrast"] >= 4.5 for each in on_paper)


def test_a_title_stays_text(screens: dict[str, list[dict[str, Any]]]) -> None:
    for told in each_of(screens):
        assert told["title"] == f"{EVIL} – simsorry"
        assert told["images"] == 0


def test_nothing_is_cut_off_on_paper(tmp_path: Path) -> None:
    """The rules for paper, applied to a frame as wide as paper."""
    printed = page().replace("@media print", "@media all").replace("@media screen", "@media speech")
    assert printed != page()
    (told,) = measured(tmp_path, printed.replace("@media (max-width", "@media speech and (max-width"), (PAPER,))
    assert told["document"] <= PAPER
    assert [region["id"] for region in told["regions"] if region["wide"]] == []
    assert told["nav"] == 0


MARK = "#123457"  # a color that nothing else has


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[set[tuple[float, ...]]]:
    """The colors on each page of paper, printed from a dark screen; the headings of the long table have one of their own."""
    folder = tmp_path_factory.mktemp("paper")
    marked = page().replace("</style>", f"#table-long thead th {{ color: {MARK}; }}</style>")
    (folder / "page.html").write_text(marked, encoding="utf-8")
    paper = ("--no-pdf-header-footer", f"--print-to-pdf={folder / 'page.pdf'}", "--blink-settings=preferredColorScheme=0")
    browse(folder, folder / "page.html", *paper)
    data = (folder / "page.pdf").read_bytes()
    found = [fills(stream) for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, flags=re.DOTALL)]
    assert len(re.findall(rb"/Type\s*/Page\b", data)) >= 4
    return [colors for colors in found if colors]


def test_paper_is_light_even_if_the_screen_is_dark(pages: list[set[tuple[float, ...]]]) -> None:
    light, dark = ({rounded(color[at]) for color in drawing.SCHEME.values() if color[0] in ("ink", "series-0", "grid")} for at in (1, 2))
    colors = set().union(*pages)
    assert light <= colors
    assert not dark & colors


def test_headings_come_again_on_every_page_of_a_table(pages: list[set[tuple[float, ...]]]) -> None:
    assert sum(rounded(MARK) in colors for colors in pages) >= 3


def rounded(color: str) -> tuple[float, ...]:
    return tuple(round(int(color[at : at + 2], 16) / 255, 2) for at in (1, 3, 5))


def fills(stream: bytes) -> set[tuple[float, ...]]:
    """The colors of text, areas and lines in a piece of a PDF; none if it is no drawing."""
    try:
        text = zlib.decompress(stream)
    except zlib.error:
        return set()
    numbers = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b", text)
    return {tuple(round(float(each), 2) for each in color) for color in numbers}
