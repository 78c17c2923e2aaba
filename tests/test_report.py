"""The report as a reader, a screen reader and a program see it."""

import dataclasses
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import made_up
import pytest
from made_up import BONUS_MOVES, HAND, HASBRO, MATCH, NO_SLIDES, PLACES, POINTS, TEAMS, Columns, card, rows, sitting
from matplotlib.figure import Figure
from sketches import sketch

from simsorry import stats
from simsorry.errors import SimsorryError
from simsorry.margin import Margin
from simsorry.metrics import MARGINS, PLAIN
from simsorry.report import drawing, figures, folder, opening, overview, render, study, tables, words
from simsorry.report.study import Sitting, Study
from simsorry.report.tables import Table
from simsorry.results import folders
from simsorry.simulate import Traits

VOID = {"meta", "link", "br", "hr", "img", "input", "path", "use", "rect", "circle", "line"}


@cache
def standard() -> Study:
    return made_up.study()


@cache
def files() -> dict[str, bytes]:
    return render.render(standard()).files


def of(*sittings: Sitting, title: str = "Title", repeated: bool = True) -> Study:
    return Study(title, "0.1.0", 15.0, dict(MARGINS), sittings, repeated)


@pytest.fixture
def _sketched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing.Picture, "files", sketch)


class Page(HTMLParser):
    """What the tests ask of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None], tuple[str, ...]]] = []
        self.texts: list[tuple[tuple[str, ...], str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs), tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs), tuple(self.open)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((tuple(self.open), data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs, _ in self.tags if name == tag]

    def text(self, tag: str) -> list[str]:
        return [text.strip() for path, text in self.texts if path and path[-1] == tag and text.strip()]


@cache
def page() -> Page:
    return Page(files()["report.html"].decode())


# -- the page --------------------------------------------------------------------------------------


def test_the_page_stands_alone() -> None:
    text = files()["report.html"].decode()
    assert "<script" not in text
    assert "http:" not in text
    assert "https:" not in text
    assert "@import" not in text
    assert "url(#" in text or "url(" not in text
    assert not re.search(r"url\((?!#)", text)
    assert not page().all("link")
    assert not page().all("img")
    for _, attrs, _ in page().tags:
        assert not any(name.startswith("on") for name in attrs)
        assert not attrs.get("src")
        assert (attrs.get("href") or "#").startswith("#")


def test_every_tag_is_closed() -> None:
    assert page().open == []


def test_the_page_says_its_language_and_fits_small_screens() -> None:
    assert page().all("html") == [{"lang": "en"}]
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in page().all("meta")
    style = files()["report.html"].decode()
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style


def test_headings_go_down_one_at_a_time_from_a_single_h1() -> None:
    levels = [int(tag[1]) for tag, _, _ in page().tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_the_skip_link_and_every_other_link_lead_somewhere() -> None:
    ids = [attrs["id"] for _, attrs, _ in page().tags if attrs.get("id")]
    assert len(ids) == len(set(ids))
    links = [attrs["href"] for attrs in page().all("a")]
    assert links[0] == "#content"
    assert {(link or "")[1:] for link in links} <= set(ids)
    labels = [attrs["aria-labelledby"] for _, attrs, _ in page().tags if attrs.get("aria-labelledby")]
    assert set(labels) <= set(ids)


def test_every_table_has_a_caption_and_scoped_headings() -> None:
    assert len(page().all("table")) == len(page().all("caption")) >= 12
    assert all(attrs.get("scope") in ("col", "row") for attrs in page().all("th"))
    assert all("table" in path for tag, _, path in page().tags if tag == "caption")


def test_wide_tables_scroll_by_keyboard_too() -> None:
    regions = [attrs for attrs in page().all("div") if attrs.get("class") == "scroll"]
    assert len(regions) == len(page().all("table"))
    assert all(attrs["tabindex"] == "0" and attrs["role"] == "region" and attrs["aria-labelledby"] for attrs in regions)


def test_every_figure_is_named_by_its_finding_and_followed_by_its_numbers() -> None:
    found = [(tag, attrs) for tag, attrs, _ in page().tags if tag in ("figure", "table")]
    assert [attrs["role"] for tag, attrs in found if tag == "figure"] == ["img"] * 8
    for (tag, _), (following, _) in pairwise(found):
        assert tag == "table" or following == "table"
    captions = page().text("figcaption") + page().text("strong")
    assert any("turns under" in text for text in captions)
    shows = [text for path, text in page().texts if path[-2:] == ("figcaption", "span")]
    assert len(shows) == 8
    assert all("games of each ruleset" in text for text in shows)


def test_colors_have_contrast_on_light_and_dark() -> None:
    def luminance(color: str) -> float:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(one: str, other: str) -> float:
        high, low = sorted((luminance(one), luminance(other)), reverse=True)
        return (high + 0.05) / (low + 0.05)

    scheme = {name: (light, dark) for name, light, dark in drawing.SCHEME.values()}
    for at in range(2):
        paper = scheme["paper"][at]
        assert contrast(scheme["ink"][at], paper) >= 7
        assert contrast(scheme["faint"][at], paper) >= 4.5
        for name in scheme:
            if name.startswith("series"):
                assert contrast(scheme[name][at], paper) >= 3
            if name.startswith("stack"):
                assert contrast(scheme[f"on-{name}"][at], scheme[name][at]) >= 4.5
    style = files()["report.html"].decode()
    light, dark = (
        re.search(rf"--{name}: (#\w+)", style[style.index(start) :]) for name, start in (("link", ":root"), ("link", "@media screen"))
    )
    assert light
    assert dark
    assert contrast(light[1], "#ffffff") >= 4.5
    assert contrast(dark[1], scheme["paper"][1]) >= 4.5


def test_footer_says_what_this_is_not() -> None:
    assert any("not affiliated with the publishers of Sorry!" in text for text in page().text("p"))


# -- pictures --------------------------------------------------------------------------------------


def test_pictures_are_well_formed_and_state_their_finding() -> None:
    for picture in figures.pictures(standard().main, 15.0).values():
        drawn = files()[f"figures/{picture.name}.svg"].decode()
        root = ET.fromstring(drawn)
        text = " ".join("".join(root.itertext()).split())
        assert picture.finding.split()[0] in text
        assert "metadata" not in drawn
        assert files()[f"figures/{picture.name}.png"].startswith(b"\x89PNG")
        ET.fromstring(picture.files().inline)


def test_pictures_in_the_page_follow_the_color_scheme() -> None:
    text = files()["report.html"].decode()
    drawings = re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)
    assert len(drawings) == 8
    for each in drawings:
        assert not re.search(r"#[0-9a-f]{6}\b", each)
        assert 'aria-hidden="true"' in each


def test_rulesets_differ_by_more_than_color() -> None:
    assert len(drawing.MARKERS) >= 6
    assert len({str(dash) for dash in drawing.DASHES}) == len(drawing.DASHES) >= 6


# -- the same data, the same bytes -----------------------------------------------------------------


def test_the_same_data_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 30\nlines.linewidth: 9\n")
    monkeypatch.chdir(tmp_path)
    again = render.render(made_up.study()).files
    assert again == files()


def test_nothing_tells_of_time_or_place() -> None:
    for name, content in files().items():
        if not name.endswith(".png"):
            assert not re.search(rb"20[23]\d-\d\d|/work/|/home/|/tmp/", content), name


# -- JSON and Markdown -----------------------------------------------------------------------------


def test_json_holds_every_number_of_the_scorecard() -> None:
    document = json.loads(files()["report.json"])
    assert document["format"] == study.FORMAT
    main = document["sittings"][0]
    sides = {arm["ruleset"]["short"]: arm for arm in main["rulesets"]}
    found = standard().main
    assert main["families"] == found.families
    for metric in found.metrics:
        known = found.base.measured[metric.name].known  # but for audited games, of which made-up rows know nothing
        assert sides["hasbro"]["measured"][metric.name]["value"] == (found.base.measured[metric.name].value if known else None)
        if not known:
            continue
        compared = sides["slides=off"]["compared"][metric.name]
        assert compared["low"] == found.arms[1].compared[metric.name].low
        verdict = found.arms[1].compared[metric.name].verdict
        assert verdict
        assert compared["verdict"]["word"] == verdict.word
        assert compared["pairing"]["correlation"] is None or -1 <= compared["pairing"]["correlation"] <= 1
    assert set(document["metrics"]) == {metric.name for metric in found.metrics}


def test_json_has_no_infinities_with_games_cut_off() -> None:
    found = of(sitting([(HASBRO, rows(100, capped=60))]))
    text = json.dumps(study.as_json(found), allow_nan=False)
    assert json.loads(text)["sittings"][0]["rulesets"][0]["quantiles"]["0.5"]["value"] is None


def test_markdown_has_the_same_sentences_tables_and_pictures() -> None:
    text = files()["report.md"].decode()
    assert text.startswith("# What do the slides do?\n")
    assert text.count("](figures/") == 8
    for name in re.findall(r"\]\(figures/([\w.-]+)\)", text):
        assert f"figures/{name}" in files()
    assert text.count("\n| --- |") == len(page().all("table"))
    for line in text.splitlines():
        if line.startswith("|"):
            assert line.endswith(" |")


def test_markdown_tables_are_rectangular() -> None:
    for block in files()["report.md"].decode().split("\n\n"):
        if block.startswith("|"):
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


# -- names that try to be something else -----------------------------------------------------------

EVIL = '<script>alert("1")</script> | **bold** [x](http://evil) `code` $x^2$ & \\ {{ 7*7 }}\n# heading'


@cache
def evil() -> dict[str, bytes]:
    base = dataclasses.replace(card(EVIL, EVIL), source=EVIL, readings=(EVIL,), short=EVIL)
    variant = dataclasses.replace(base, name=EVIL + "2", short=EVIL + "2", changes=card("x", changes=[(EVIL, EVIL, EVIL)]).changes)
    table = sitting([(base, rows(60)), (variant, rows(60, seed=2))], ["<b>p</b>"] * 4)
    return render.render(of(table, title=EVIL)).files


def test_names_are_not_markup_in_html() -> None:
    text = evil()["report.html"].decode()
    found = Page(text)
    assert found.open == []
    assert not found.all("script")
    assert not found.all("b")
    assert any(EVIL.split("\n", maxsplit=1)[0][:30] in text for text in found.text("h1"))
    assert "49" not in "".join(found.text("h1"))


def test_names_are_not_markup_in_markdown() -> None:
    text = evil()["report.md"].decode()
    assert "<script" not in text.replace("\\<script", "")
    assert not re.search(r"(?<!\\)\*\*bold", text)
    assert "](http" not in text.replace("\\](http", "")
    assert not re.search(r"^# heading", text, flags=re.MULTILINE)
    for block in text.split("\n\n"):
        if block.startswith("|"):
            assert len({len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in block.splitlines()}) == 1


def test_names_are_not_markup_in_pictures() -> None:
    for name, content in evil().items():
        if name.endswith(".svg"):
            root = ET.fromstring(content)
            assert not root.findall(".//{*}script")


# -- sentences -------------------------------------------------------------------------------------


def sentences(base: Sitting, at: int = 0) -> str:
    return " ".join(opening.in_short(of(base))[at])


def test_a_longer_game_is_said_aloud() -> None:
    text = sentences(sitting([(HASBRO, rows(2400)), (NO_SLIDES, rows(2400, length=424))]))
    assert text.startswith(
        "Without slides a game takes 23.9 turns more (23.6 to 24.2): 422 instead of 398, about 6 minutes longer at 15 seconds a turn."
    )


def test_a_shorter_game_has_its_interval_the_right_way_round() -> None:
    text = sentences(sitting([(HASBRO, rows(2400, length=424)), (NO_SLIDES, rows(2400))]))
    assert re.match(r"Without slides a game takes 23\.9 turns fewer \(23\.6 to 24\.2\)", text)


def test_no_difference_is_said_with_its_margin() -> None:
    text = sentences(sitting([(HASBRO, rows(2400)), (NO_SLIDES, rows(2400))]))
    assert text == "Without slides nothing changes: all 2,400 games run exactly the same course as before."


def test_what_is_not_known_is_said() -> None:
    text = sentences(sitting([(HASBRO, rows(60)), (NO_SLIDES, rows(60, seed=9))]))
    assert re.search(r"it is undecided after 60 games whether a game gets longer or shorter; about [\d,]+ more games are needed", text)
    assert "Whether that favors any seat is undecided" in text


def test_an_unfair_seat_is_named() -> None:
    found = sitting([(HASBRO, rows(20_000, tilt=0.05))])
    assert "The seats are not equal: seat 1 wins 28" in " ".join(opening.in_short(of(found))[0])


def test_games_cut_off_are_said() -> None:
    found = sitting([(HASBRO, rows(1000, capped=3))])
    assert (
        "3 games were cut off after 20,000 turns without a winner; they count as longer than all others"
        in opening.in_short(of(found))[0][-1]
    )


def test_nothing_else_is_said_where_only_the_length_changes() -> None:
    found = sitting([(HASBRO, rows(2400)), (NO_SLIDES, rows(2400))])
    other = found.variants[0]
    clear = stats.Verdict(stats.DIFFERENT, 20.6, 21.4, 20.7, 21.3, 0.0, 10.0, None)
    turns = dataclasses.replace(
        other.compared["turns"], difference=stats.Difference(21.0, 0.2, 100, 2400, "turns"), low=20.6, high=21.4, verdict=clear
    )
    longer = dataclasses.replace(other, compared=other.compared | {"turns": turns}, unchanged=None)
    text = sentences(dataclasses.replace(found, arms=(found.base, longer)))
    assert text.startswith("Without slides a game takes 21.0 turns more (20.6 to 21.4): ")
    assert text.endswith("about 5.2 minutes longer at 15 seconds a turn, and nothing else changes that you would notice.")


def test_games_that_are_mostly_cut_off_are_not_given_a_length() -> None:
    found = of(sitting([(HASBRO, rows(100, capped=60)), (NO_SLIDES, rows(100, seed=2, capped=70))]))
    about_variant, about_base = (" ".join(told) for told in opening.in_short(found)[:2])
    assert "60 of 100 games of four random players were cut off after 20,000 turns without a winner" in about_base
    assert "how long a game takes cannot be said" in about_base
    assert about_variant.startswith(
        "Without slides 70 of 100 games are cut off without a winner, where it was 60 before; lengths cannot be"
    )
    text = render.render(found).files["report.md"].decode()
    assert not re.search(r"∞ turns|to ∞|within ∞", text)
    assert "nan" not in re.findall(r"\w+", text)


def many() -> Sitting:
    """Four variants: a much shorter game, a longer one, one that is the same, and one of which too little is known."""
    lengths = {"pawns=3": 300, "slides=off": 424, "pass=never": 400}
    arms = [(card(f"hasbro+{name}", changes=[(name, "a", "b")]), rows(2400, length=length)) for name, length in lengths.items()]
    return sitting([(HASBRO, rows(2400)), *arms, (card("hasbro+deck=two", changes=[("deck", "a", "b")]), rows(2400, seed=8, length=407))])


def test_many_variants_are_told_together_and_each_in_a_chapter() -> None:
    told = [" ".join(paragraph) for paragraph in opening.in_short(of(many()))]
    assert told[0].startswith("Two of the four house rules change how long a game takes. It gets shorter with pawns=3 (by ")
    assert re.search(r"pawns=3 \(by [\d.]+ turns, [\d.]+ to [\d.]+, or 25%\)\. It gets longer with slides=off \(by 23\.9 turns", told[0])
    assert "deck=two" in told[0]  # whose length is not settled
    assert any("Nothing changes that you would notice with pass=never." in paragraph for paragraph in told)
    assert not any("pass=never a game" in paragraph for paragraph in told)
    (chapter,) = (section for section in render.sections(of(many())) if section.title == "Rule by rule")
    assert [part.title for part in chapter.parts] == ["pawns=3", "slides=off", "pass=never", "deck=two"]
    assert chapter.parts[2].paragraphs == ("With pass=never = b nothing changes: all 2,400 games run exactly the same course as before.",)


def test_what_many_variants_change_stands_in_one_figure_and_its_table() -> None:
    found = many()
    picture, table = overview.picture(found), overview.table(of(found), found)
    assert picture.finding == "Two of the four house rules change the length of a game; pawns=3 most, by −25%"
    assert [row[0] for row in table.rows][:3] == ["hasbro, as it is", "pawns=3", "slides=off"]
    assert table.headings[:4] == ("Ruleset", "Turns per game", "Dead turns", "Choice turns")
    assert re.match(r"−[\d.]+ \(.*\) \[−25%\]\ndifferent$", table.rows[1][1])
    drawn = Figure()
    picture.draw(drawn)
    signs = {text.get_text() for text in drawn.axes[0].texts}
    assert {"▼ −25", "▲ +6.0", "= 0.0", "pawns=3", "? undecided"} <= signs
    quiet = overview.finding(sitting([(HASBRO, rows(2400)), (NO_SLIDES, rows(2400)), (card("hasbro+x=1"), rows(2400))]))
    assert quiet == "None of the two house rules changes the length of a game by more than the margin"


def test_verdicts_on_equal_seats_allow_for_the_number_of_rulesets() -> None:
    counts = [2600, 2320, 2540, 2540]  # alone just outside the margin, for ten such tables not
    alone = stats.fairness(counts, 0.005)
    together = stats.fairness_of([counts, *[[2500] * 4] * 9], [0.005] * 10)
    assert alone.verdict.word == stats.DIFFERENT
    assert together[0].verdict.word == stats.UNSIZED
    assert together[0].p_value == alone.p_value
    assert together[0].verdict.p_value == pytest.approx(10 * alone.p_value)
    several = sitting([(HASBRO, rows(600)), (NO_SLIDES, rows(600, seed=4))])
    assert several.families["seats"] == 2
    assert "Verdicts allow for the 2 rulesets that are judged so (Holm's method)" in tables.sides(of(several), several, teams=False).note


def test_measures_that_say_the_same_are_told_once() -> None:
    assert opening.akin(["bumps_per_turn", "options", "bumps", "choice_share"]) == ["bumps_per_turn", "options", "choice_share"]


@pytest.mark.parametrize(
    ("changes", "start"),
    [
        ([("slides", "all_but_own", "off")], "Without slides"),
        ([("pawns", "4", "3")], "With pawns = 3"),
        ([("pawns", "4", "3"), ("slides", "all", "off")], "With pawns = 3 and slides = off"),
    ],
)
def test_how_a_variant_is_named(changes: list[tuple[str, str, str]], start: str) -> None:
    assert words.under(card("hasbro+x", changes=changes), HASBRO) == start


def test_a_ruleset_of_its_own_is_named_by_its_title() -> None:
    other = dataclasses.replace(card("french", "The French rules", [("slides", "a", "off")]), on_base=False)
    assert words.under(other, HASBRO) == "Under “The French rules” (french)"


# -- other players ---------------------------------------------------------------------------------


def contrary() -> Study:
    """Longer among the ones, shorter among the others."""
    one = sitting([(HASBRO, rows(2400)), (NO_SLIDES, rows(2400, length=424))])
    other = sitting([(HASBRO, rows(2400)), (NO_SLIDES, rows(2400, length=380))], ["balanced"] * 4)
    return of(one, other)


@pytest.mark.usefixtures("_sketched")
def test_line_ups_that_contradict_each_other_are_flagged() -> None:
    found = contrary()
    table = tables.line_ups(found)
    assert table
    answers = {row[0]: row[-1] for row in table.rows}
    assert answers["Turns per game"] == "DISAGREE"
    assert answers["Games cut off"] == "agree"
    assert "verdicts of the scorecard come out otherwise: turns per game" in opening.in_short(found)[-1][0]
    html = render.render(found).files["report.html"].decode()
    assert '<td class="flag">DISAGREE</td>' in html


def test_an_undecided_line_up_is_open_not_contrary() -> None:
    one = sitting([(HASBRO, rows(2400)), (NO_SLIDES, rows(2400, length=424))])
    other = sitting([(HASBRO, rows(60)), (NO_SLIDES, rows(60, seed=9))], ["balanced"] * 4)
    table = tables.line_ups(of(one, other))
    assert table
    assert {row[0]: row[-1] for row in table.rows}["Turns per game"] == "open"


def test_one_line_up_alone_is_said() -> None:
    one = sitting([(HASBRO, rows(240)), (NO_SLIDES, rows(240, length=424))])
    assert "it was not repeated with other policies" in opening.in_short(of(one))[-1][0]


def test_unequal_players_have_policy_shares_but_no_fairness_verdict() -> None:
    mixed = sitting([(HASBRO, rows(600)), (NO_SLIDES, rows(600, seed=4))], ["balanced", "random", "random", "random"])
    assert mixed.base.measured["policy_balanced"].value == pytest.approx(0.25, abs=0.1)
    table = tables.sides(of(mixed), mixed, teams=False)
    assert not any("Verdict" in row[0] for row in table.rows)
    assert "one balanced and three random players" in opening.in_short(of(mixed))[1][0]


def test_how_the_first_of_unequal_policies_fares_is_said() -> None:
    arms = [(HASBRO, rows(600)), (NO_SLIDES, rows(600, seed=4))]
    about_variant, about_base = opening.in_short(of(sitting(arms, ["balanced", "random", "random", "random"])))[:2]
    assert any(sentence.startswith("The balanced player wins 2") for sentence in about_base)
    assert about_variant[1].startswith("Whether the balanced player wins more or less often is undecided; about ")
    two = opening.in_short(of(sitting(arms, ["balanced", "balanced", "random", "random"])))[1]
    assert any(sentence.startswith("The two balanced players together win ") for sentence in two)
    alike = [(HASBRO, rows(2400, tilt=0.05)), (NO_SLIDES, rows(2400, tilt=0.05, length=424))]
    told = opening.in_short(of(sitting(alike, ["balanced", "random", "random", "random"])))[0]
    assert re.match(r"The balanced player wins as often as before, give or take 2 points: [\d.]+% of the games\.", told[1])
    assert not any("balanced" in sentence for sentence in opening.in_short(of(sitting(arms)))[1])


# -- other shapes ----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.usefixtures("_sketched")
def test_fewer_players(players: int) -> None:
    found = of(sitting([(HASBRO, rows(120, players)), (NO_SLIDES, rows(120, players, seed=3))], ["random"] * players))
    assert "seats.png" in str(list(render.render(found).files))


@pytest.mark.usefixtures("_sketched")
def test_a_single_ruleset_has_no_differences() -> None:
    made = render.render(of(sitting([(HASBRO, rows(240))]))).files
    assert "figures/differences.svg" not in made
    assert "Every measure" in made["report.html"].decode()


@pytest.mark.usefixtures("_sketched")
def test_many_variants_with_long_names() -> None:
    others = [
        (card(f"hasbro+option_number_{at}=a_rather_long_value_for_a_name", changes=[("o", "a", "b")]), rows(60, seed=at)) for at in range(9)
    ]
    made = render.render(of(sitting([(HASBRO, rows(60, seed=99)), *others]))).files
    assert Page(made["report.html"].decode()).open == []


def test_several_tables_without_a_common_question() -> None:
    found = of(sitting([(HASBRO, rows(60))]), sitting([(HASBRO, rows(60, 2))], ["random"] * 2), repeated=False)
    made = render.render(found).files
    assert "figures/table-1-seats.png" in made
    assert "figures/table-2-seats.png" in made
    ids = [attrs["id"] for _, attrs, _ in Page(made["report.html"].decode()).tags if attrs.get("id")]
    assert len(ids) == len(set(ids))


@pytest.mark.usefixtures("_sketched")
def test_every_game_cut_off() -> None:
    made = render.render(of(sitting([(HASBRO, rows(60, capped=60)), (NO_SLIDES, rows(60, seed=2, capped=60))]))).files
    assert "more than 20,000 turns" in made["report.md"].decode()


@pytest.mark.usefixtures("_sketched")
def test_a_check_that_failed_is_loud() -> None:
    broken = rows(60)
    broken.games["bumps"][:5] += 1
    made = render.render(of(sitting([(HASBRO, broken)]))).files
    assert "FAILED in 5" in made["report.html"].decode()


# -- hands, points, teams, matches, places ---------------------------------------------------------

HASBRO_POINTS, HASBRO_TEAMS, HASBRO_MATCH = card("hasbro-points"), card("hasbro-teams"), card("hasbro-match")


@cache
def mixed() -> Sitting:
    """A plain race against one with a hand and points, and one in teams."""
    return sitting(
        [
            (HASBRO, rows(2400)),
            (HASBRO_POINTS, rows(2400, seed=2, length=200, traits=POINTS)),
            (HASBRO_TEAMS, rows(2400, seed=3, length=500, traits=TEAMS)),
        ]
    )


@cache
def mixed_files() -> dict[str, bytes]:
    return render.render(of(mixed())).files


def headings(found: Study) -> list[str]:
    return [section.title for section in render.sections(found)]


def cells(table: Table, title: str) -> tuple[str, ...]:
    (row,) = (row for row in table.rows if row[0] == title)
    return row[1:]


def test_sections_appear_only_where_they_belong() -> None:
    plain = {"Points", "Teams", "Rounds of a match", "Places"}
    assert not plain & set(headings(of(sitting([(HASBRO, rows(60))]))))
    for traits, wanted in (
        (HAND, set()),
        (POINTS, {"Points"}),
        (MATCH, {"Points", "Rounds of a match", "Places"}),
        (TEAMS, {"Teams"}),
        (PLACES, {"Places"}),
    ):
        assert plain & set(headings(of(sitting([(HASBRO, rows(60, traits=traits))])))) == wanted
    assert plain & set(headings(of(mixed()))) == {"Points", "Teams"}


def test_pictures_appear_only_where_they_belong() -> None:
    drawn = [name.removeprefix("figures/").removesuffix(".svg") for name in mixed_files() if name.endswith(".svg")]
    plain = {"length", "turns", "bumps", "lead-changes", "ranks", "differences"}
    assert set(drawn) == plain | {"overview", "seats", "teams", "points", "bonuses", "ended"}
    both = replace(POINTS, teams=TEAMS.teams)
    drawn = list(figures.pictures(sitting([(HASBRO_TEAMS, rows(60, traits=both))]), 15.0))
    assert drawn == ["teams", "points-of-teams", "bonuses", "ended", "length", "turns", "bumps", "lead-changes"]
    assert "ended" not in figures.pictures(sitting([(HASBRO_TEAMS, rows(60, traits=replace(TEAMS, match=True)))]), 15.0)


def test_what_one_side_lacks_is_left_out_of_the_comparison_and_said() -> None:
    found = mixed()
    of_points, of_teams = found.variants
    assert "points_winner" not in found.base.measured
    assert "points_winner" in of_points.measured
    assert "points_winner" not in of_points.compared
    assert "seat_1" in of_points.compared
    assert "seat_1" not in of_teams.compared
    assert not {"team_1", "partner_bumps"} & of_teams.compared.keys()
    scorecard = tables.scorecard(of(found), found)
    assert cells(scorecard, "Wins of seat 2")[2] == words.NONE
    assert "A dash stands where a ruleset is played in teams (hasbro-teams)." in scorecard.note
    assert "Points of the winner" not in [row[0] for row in scorecard.rows]
    own = tables.unshared(of(found), found, headline=True)
    assert own
    assert cells(own, "Points of the winner")[::2] == (words.NONE, words.NONE)
    assert re.match(r"8\d\.\d \(", cells(own, "Points of the winner")[1])
    assert "a ruleset is played without teams (hasbro and hasbro-points), keeps no points (hasbro and hasbro-teams)" in own.note
    assert "There is nothing" not in own.note


def test_no_zero_stands_for_what_is_not_there() -> None:
    document = study.as_json(of(mixed()))["sittings"][0]
    plain, points, teams = document["rulesets"]
    assert not {name for name in plain["measured"] if name.startswith(("points", "bonus", "team", "throw", "partner"))}
    assert {"points_seat_1", "bonus_2", "throw_share"} <= points["measured"].keys()
    assert {"team_1", "team_2", "partner_bumps"} <= teams["measured"].keys()
    headlines = {metric.name for metric in mixed().rows(headline=True)}
    assert document["families"]["scorecard"] == sum(len(headlines & arm["compared"].keys()) for arm in document["rulesets"])
    assert points["ruleset"]["traits"]["points"] is True
    assert teams["ruleset"]["traits"]["teams"] == [[0, 2], [1, 3]]


def test_all_rulesets_with_the_same_have_no_table_of_what_only_some_have() -> None:
    same = sitting([(HASBRO_POINTS, rows(120, traits=POINTS)), (card("hasbro-points+x=1"), rows(120, seed=2, traits=POINTS))])
    assert tables.unshared(of(same), same, headline=True) is None
    assert tables.unshared(of(same), same, headline=False) is None
    scorecard = tables.scorecard(of(same), same)
    assert "dash" not in scorecard.note
    assert {"Points of the winner", "Bonus 50: no opponent has more than one pawn HOME"} <= {row[0] for row in scorecard.rows}


def test_teams_are_held_against_an_even_half() -> None:
    found = sitting([(HASBRO_TEAMS, rows(40_000, traits=TEAMS))])
    arm = found.base
    assert arm.sides == ("the team that moves first", "the other team")
    assert arm.side_shares[0].value == pytest.approx(0.5, abs=0.01)
    assert arm.fairness.verdict.word == stats.SAME
    assert words.fairness_sentence(arm).endswith("each team's share of the wins is within 1 point of 50%.")
    assert figures.pictures(found, 15.0)["teams"].finding == "Each team wins 50% of the games, give or take 1 point, under this ruleset"
    table = tables.sides(of(found), found, teams=True)
    assert [row[0] for row in table.rows] == [
        "The team that moves first",
        "The other team",
        "Gap between the teams",
        "No winner (cut off)",
        "Chi-square test of equal teams",
        "Verdict: are the teams equal?",
    ]


def test_an_unfair_team_is_named() -> None:
    found = sitting([(HASBRO_TEAMS, rows(20_000, traits=TEAMS, tilt=0.1))])
    assert "The teams are not equal: the team that moves first wins 5" in opening.in_short(of(found))[0][2]
    assert figures.pictures(found, 15.0)["teams"].finding.startswith("The team that moves first has an edge: it wins 5")


def test_a_team_report_shows_teams_and_members() -> None:
    found = sitting([(HASBRO_TEAMS, rows(600, traits=TEAMS))])
    table = tables.members(of(found), found)
    assert [row[0] for row in table.rows[:6]] == [
        "Wins of red and yellow",
        "Of these, winning move by red",
        "Of these, winning move by yellow",
        "Wins of blue and green",
        "Of these, winning move by blue",
        "Of these, winning move by green",
    ]
    assert [row[0] for row in table.rows[6:]] == ["Winning move by seat 1 (moves first)", *(f"Winning move by seat {n}" for n in (2, 3, 4))]
    red, blue = found.base.teams
    assert red.wins + blue.wins == 600
    assert sum(member.ended or 0 for team in (red, blue) for member in team.members) == 600
    partners = tables.partners(of(found), found)
    assert partners
    assert [row[0] for row in partners.rows] == [
        "Wins ended by the earlier partner",
        "Cards for the partner",
        "Partners bumped",
        "Squares left to the losers",
        "Squares left to the farther loser",
    ]
    assert "of the cards move a pawn of the partner" in opening.in_short(of(found))[0][-1]


def test_members_of_different_policies_are_told_apart() -> None:
    found = sitting([(HASBRO_TEAMS, rows(600, traits=TEAMS))], ["balanced", "random", "random", "random"])
    assert not found.base.even
    assert tables.members(of(found), found).rows[1][0] == "Of these, winning move by red (balanced)"
    assert {"policy_balanced+random", "policy_random+random"} <= found.base.measured.keys()
    assert "Verdict" not in str(tables.sides(of(found), found, teams=True).rows)
    fair = sitting([(HASBRO_TEAMS, rows(600, traits=TEAMS))], ["balanced", "balanced", "random", "random"])
    assert fair.base.even  # a balanced and a random player on either side


@pytest.mark.usefixtures("_sketched")
def test_a_match_of_teams_has_no_winning_move() -> None:
    found = sitting([(HASBRO_TEAMS, rows(300, traits=replace(TEAMS, match=True)))])
    assert [row[0] for row in tables.members(of(found), found).rows] == ["Wins of red and yellow", "Wins of blue and green"]
    assert "ended_by_earlier" not in found.base.measured
    assert Page(render.render(of(found)).files["report.html"].decode()).open == []


def test_tables_of_points_leave_out_rulesets_without() -> None:
    table = tables.points(of(mixed()), mixed())
    assert table.headings == ("Measure", "hasbro-points")
    assert [row[0] for row in table.rows] == [
        "Points of seat 1 (moves first)",
        "Points of seat 2",
        "Points of seat 3",
        "Points of seat 4",
        "Points of the winner",
        "Spread of a player's points",
    ]
    assert table.note == ""
    paid = tables.bonuses(of(mixed()), mixed())
    assert [row[0].partition(":")[0] for row in paid.rows] == ["Bonus 25", "Bonus 50", "Bonus 100"]


def test_points_are_said_aloud() -> None:
    text = opening.in_short(of(sitting([(HASBRO_POINTS, rows(2400, traits=POINTS))])))[0]
    assert re.match(r"The winner scores 8\d\.\d points a game\.", text[-3])
    paid = r"Bonuses are paid to the winner: that of 25 in [\d.]+%, that of 50 in [\d.]+% and that of 100 in [\d.]+% of the rounds\."
    assert re.match(paid, text[-2])
    assert re.match(r"[\d.]+% of the cards are thrown in\.", text[-1])


def test_points_that_differ_are_said_of_the_winner_though_games_run_the_same_course() -> None:
    richer = rows(2400, traits=POINTS)
    richer.seats["points"][:] += 40
    text = sentences(sitting([(HASBRO_POINTS, rows(2400, traits=POINTS)), (card("hasbro-points+x=1"), richer)]))
    assert re.search(r"Points of the winner go up from 8\d\.\d to 12\d\.\d\. Nothing else changes that you would notice\.", text)
    assert text.endswith("All 2,400 games run exactly the same course as before.")
    assert "eat" not in text.replace("seat's share of the wins", "")


def test_a_match_is_called_a_match() -> None:
    found = sitting([(HASBRO_POINTS, rows(2400, traits=POINTS)), (HASBRO_MATCH, rows(2400, seed=2, length=900, traits=MATCH))])
    text = sentences(found)
    assert re.match(r"Under “.*” \(hasbro-match\) a match takes [\d.]+ \(.*\) turns, where a game takes \d.* under hasbro-points\.", text)
    assert "per game" not in text
    assert figures.pictures(found, 15.0)["bumps"].finding.startswith("A game has")
    assert re.search(r"[\d.]+ a match under hasbro-match$", figures.pictures(found, 15.0)["bumps"].finding)
    assert re.search(r"A match takes [\d.]+ rounds; after [\d.]+% of them their winner does not lead it alone\.", text)
    assert cells(tables.matches(of(found), found), "Turns per round of a match")[0] != words.NONE  # comparable: a game is one round
    assert cells(tables.matches(of(found), found), "Rounds of a match")[0] == words.NONE
    definitions = tables.definitions(of(found))
    assert "Where a game is a match of several rounds, it counts all of them" in definitions.note
    alone = opening.in_short(of(sitting([(HASBRO_MATCH, rows(240, traits=MATCH))])))[0]
    assert "a match of four random players takes" in alone[0]
    assert cells(tables.scorecard(of(matches := sitting([(HASBRO_MATCH, rows(240, traits=MATCH))])), matches), "Bumps per match")
    assert alone[1].startswith("Half of the matches are over within ")


def test_places_are_shown_by_seat_and_policy() -> None:
    found = sitting([(HASBRO, rows(600, traits=PLACES))], ["balanced", "random", "random", "random"])
    table = tables.ranked(of(found), found)
    assert [row[0] for row in table.rows][-2:] == ["Place of balanced", "Place of random"]
    shares = tables.place_shares(of(found), found)
    assert shares
    assert shares.headings == ("Who", "Place 1", "Place 2", "Place 3", "Place 4")
    assert [row[0] for row in shares.rows] == ["Seat 1 (moves first)", "Seat 2", "Seat 3", "Seat 4", "Balanced", "Random"]
    measured = found.base.measured
    for who in ("seat_1", "policy_random"):
        assert sum(measured[f"placed_{place}_{who}"].value for place in (1, 2, 3, 4)) == pytest.approx(1)
    assert measured["placed_1_policy_balanced"].value == measured["policy_balanced"].value  # who is first has won
    assert found.base.measured["place_seat_1"].value == pytest.approx(2.5, abs=0.2)


def test_what_is_only_thrown_in_is_no_choice_of_the_board() -> None:
    found = sitting([(HASBRO, rows(600)), (card("hasbro-five"), rows(600, traits=HAND))])
    base, hand = found.arms
    assert base.measured["board_choice_share"].value == base.measured["choice_share"].value
    assert hand.measured["board_choice_share"].value < hand.measured["choice_share"].value
    kinds = ("stuck_share", "forced_share", "board_choice_share")
    assert sum(hand.measured[name].value for name in kinds) == pytest.approx(1)
    assert "the only choice is which card to throw in counts as stuck" in figures.pictures(found, 15.0)["turns"].shows


def test_margins_that_nothing_is_judged_by_are_not_printed() -> None:
    plain, points = (" ".join(tables.margins(of(each))) for each in (sitting([(HASBRO, rows(60))]), mixed()))
    assert "points" not in plain.replace("percentage points", "")
    assert "share of rounds" not in plain
    assert "points ±5% of the base" in points
    assert "share of rounds ±1 pp" in points
    named = dataclasses.replace(of(mixed()), margins={**MARGINS, "turns": Margin(5)})
    assert "turns ±5 in its unit" in tables.margins(named)


@pytest.mark.parametrize(
    ("traits", "columns"),
    [
        *((traits, made_up.CLASSIC) for traits in (HAND, MATCH, TEAMS, PLACES, replace(MATCH, teams=TEAMS.teams))),
        *(
            (traits, made_up.SORREESI)
            for traits in (BONUS_MOVES, PLAIN, replace(TEAMS, home_moves=True), Traits(teams=TEAMS.teams), PLACES)
        ),
        *((traits, made_up.ICE) for traits in (PLAIN, HAND, POINTS, MATCH, PLACES)),
    ],
)
def test_every_table_of_every_kind_is_rectangular_and_every_check_holds(traits: Traits, columns: Columns) -> None:
    arms = [
        (HASBRO, rows(60, capped=3, traits=traits, columns=columns)),
        (card("hasbro+x=1"), rows(60, seed=2, traits=traits, columns=columns)),
        (HASBRO_TEAMS, rows(60, columns=columns)),
    ]
    found = of(sitting(arms), sitting(arms[:2], ["balanced", "random"] * 2))
    for section in render.sections(found):
        for table in (table for part in section.parts for table in part.tables):
            assert table.rows
            assert {len(row) for row in table.rows} == {len(table.headings)}
            assert "FAILED" not in str(table)


def test_partners_who_leave_each_other_alone_in_a_match_have_no_table() -> None:
    found = sitting([(HASBRO_TEAMS, rows(60, traits=Traits(teams=TEAMS.teams, match=True)))])
    assert tables.partners(of(found), found) is None


# -- a game with dice ------------------------------------------------------------------------------

SORREESI, NO_BONUS = card("sorreesi"), card("sorreesi-no-bonus")


@cache
def with_dice() -> Sitting:
    """With bonus moves, and without."""
    return sitting(
        [
            (SORREESI, rows(600, traits=BONUS_MOVES, columns=made_up.SORREESI)),
            (NO_BONUS, rows(600, seed=2, length=450, columns=made_up.SORREESI)),
        ]
    )


@pytest.mark.usefixtures("_sketched")
def test_a_game_with_dice_has_its_own_sections_tables_and_pictures() -> None:
    found = of(with_dice())
    assert {"Dice and cards", "Bonus moves"} <= set(headings(found))
    assert not {"Dice and cards", "Bonus moves"} & set(headings(of(mixed())))
    drawn = list(figures.pictures(with_dice(), 15.0))
    assert drawn == ["seats", "length", "turns", "dice", "bonus-moves", "bumps", "lead-changes", "differences"]
    assert re.match(
        r"A game brings 9\d\.\d bonus moves, [\d.]+ of them lost, under sorreesi$",
        figures.pictures(with_dice(), 15.0)["bonus-moves"].finding,
    )
    assert [row[0] for row in tables.fights(found, with_dice()).rows][::2] == [
        "Fights per game",
        "Fights lost by the newcomer",
        "Ties per fight",
        "Bumps by fights",
    ]
    assert tables.bonus_moves(found, with_dice()).headings == ("Measure", "sorreesi")
    bumps = [row[0] for row in tables.bumps(found, with_dice()).rows]
    assert "Bumps by fights" in bumps
    assert "Bumps by sliding" not in bumps
    text = render.render(found).files["report.md"].decode()
    assert "START" not in text
    assert "slide" not in text
    assert not re.search(r"\b(hand|hands|thrown|match|matches)\b", text)


def test_a_game_with_dice_is_told_by_fights_and_bonus_moves() -> None:
    about_variant, about_base = opening.in_short(of(with_dice()))[:2]
    assert re.match(r"A game brings 9\d\.\d bonus moves, of which [\d.]+% are lost\.", about_base[-2])
    assert re.match(r"A game has 1\d\.\d fights, of which the newcomer loses [\d.]+%\.", about_base[-1])
    assert not any("brings" in sentence for sentence in about_variant)
    own = tables.unshared(of(with_dice()), with_dice(), headline=True)
    assert own
    assert "where a ruleset gives no bonus moves (sorreesi-no-bonus)." in own.note


@pytest.mark.usefixtures("_sketched")
def test_two_games_stand_in_one_report_with_their_own_checks() -> None:
    found = of(sitting([(HASBRO, rows(60))]), sitting([(SORREESI, rows(80, traits=BONUS_MOVES, columns=made_up.SORREESI))]), repeated=False)
    held = {row[0]: row[2] for row in tables.checks(found).rows}
    assert held["The players' turns add up to all turns"] == "140"
    assert held["Own pawns bumped by the players add up to those of the game"] == "60"
    assert held["The players' rolls, fights, bonus moves and penalties add up to those of the game"] == "80"
    used = {row[0]: row[-1] for row in tables.definitions(found).rows}
    assert used["Bumps by landing"] == "bumps, bumps_slide, bumps_sorry, bumps_fight"
    made = render.render(found).files
    assert Page(made["report.html"].decode()).open == []
    assert "figures/table-2-dice.png" in made


# -- a game with piles -----------------------------------------------------------------------------

ICE, ICE_THREE = card("ice"), card("ice-three")


@cache
def with_piles() -> Sitting:
    """Fifteen pawns, and three with which games are shorter."""
    return sitting(
        [
            (ICE, rows(600, length=1500, traits=HAND, columns=made_up.ICE)),
            (ICE_THREE, rows(600, seed=2, length=150, traits=HAND, columns=made_up.ICE)),
        ]
    )


@pytest.mark.usefixtures("_sketched")
def test_a_game_with_piles_has_its_own_section_tables_and_pictures() -> None:
    found = of(with_piles())
    assert {"Covering and stacking", "Lead changes"} <= set(headings(found))
    assert not {"Covering and stacking", "Lead changes"} & {*headings(of(mixed())), *headings(of(with_dice()))}
    drawn = figures.pictures(with_piles(), 15.0)
    assert list(drawn) == ["seats", "length", "turns", "covered", "longest-cover", "sizes", "lead-changes", "differences"]
    assert re.match(r"[\d.]+% of the pawns in play are covered at the end of a turn", drawn["covered"].finding)
    assert re.match(
        r"In half of the games some pawn is covered for 4\d\d turns or more under ice, 4\d under ice-th", drawn["longest-cover"].finding
    )
    assert re.match(r"[\d.]+%, [\d.]+% and [\d.]+% of the moves are of small, medium and large pawns", drawn["sizes"].finding)
    assert [row[0] for row in tables.piles(found, with_piles()).rows][::2][:3] == [
        "Pawns that are covered",
        "Pawns covered per game",
        "Pawns covered by their own player",
    ]
    assert [row[0] for row in tables.moves(found, with_piles()).rows][2:8:2] == [
        "Moves of small pawns",
        "Moves of medium pawns",
        "Moves of large pawns",
    ]
    files = render.render(found).files
    assert Page(files["report.html"].decode()).open == []
    assert not re.search(r"\bbump", files["report.md"].decode(), re.IGNORECASE)


def test_one_game_with_piles_alone_is_told_whole() -> None:
    alone = sitting([(ICE, rows(600, length=1500, traits=HAND, columns=made_up.ICE))])
    drawn = figures.pictures(alone, 15.0)
    assert re.match(
        r"In half of the games some pawn is covered for 4\d\d turns or more, in one of 20 for \d+ or more$", drawn["longest-cover"].finding
    )
    assert drawn["covered"].finding.endswith("are covered at the end of a turn")
    assert drawn["sizes"].finding.endswith("of the moves are of small, medium and large pawns")
    told = opening.in_short(of(alone))[0]
    assert re.match(
        r"[\d.]+% of the pawns in play are covered at the end of a turn; the longest cover of a game lasts 4\d\d turns\.", told[-2]
    )
    assert re.match(r"[\d.]+% of the moves take a stack along\.", told[-1])


@pytest.mark.usefixtures("_sketched")
def test_the_longest_cover_is_told_by_mean_and_quantiles() -> None:
    table = tables.longest_cover(of(with_piles()), with_piles())
    assert [row[0] for row in table.rows][:3] == ["Mean", "At most, in 5% of the games", "At most, in 25% of the games"]
    half = cells(table, "At most, in half of the games (median)")[0]
    longest = rows(600, length=1500, traits=HAND, columns=made_up.ICE).games["longest_cover"]
    assert half.startswith(f"{sorted(longest)[299]} (")
    assert json.loads(render.render(of(with_piles())).files["report.json"])["sittings"][0]["rulesets"][0]["spreads"]["longest_cover"]


def test_games_with_piles_that_differ_in_nothing_are_said_to() -> None:
    same = [(card(name), rows(2400, traits=HAND, columns=made_up.ICE)) for name in ("ice", "ice+x=1")]
    drawn = figures.pictures(sitting(same), 15.0)
    for name in ("covered", "longest-cover", "sizes"):
        assert drawn[name].finding.endswith("; ice+x=1 does not change that beyond the margin")


@pytest.mark.usefixtures("_sketched")
def test_every_game_cut_off_leaves_points_and_teams_unknown() -> None:
    arms = [(HASBRO_TEAMS, rows(60, capped=60, traits=TEAMS)), (HASBRO_POINTS, rows(60, capped=60, traits=POINTS))]
    assert Page(render.render(of(sitting(arms))).files["report.html"].decode()).open == []


# -- numbers as text -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (stats.Estimate(474.312, 473.1, 475.5, 1, "turns"), "474.3 (473.1 to 475.5)"),
        (stats.Estimate(474.312, 470.1, 478.6, 1, "turns"), "474 (470 to 479)"),
        (stats.Estimate(0.2512, 0.2452, 0.2572, 1, "share"), "25.1% (24.5 to 25.7%)"),
        (stats.Estimate(float("nan"), 0, 1, 0, "share"), "–"),
        (stats.Estimate(12_345.6, 12_300, 12_391, 1, "turns"), "12,346 (12,300 to 12,391)"),
    ],
)
def test_numbers_have_the_digits_that_their_interval_supports(estimate: stats.Estimate, text: str) -> None:
    assert words.with_span(estimate) == text


@pytest.mark.parametrize(
    ("minutes", "text"),
    [
        (0.5, "30 seconds"),
        (1, "1 minute"),
        (5.25, "5.2 minutes"),
        (35, "35 minutes"),
        (60, "1 hour"),
        (119.7, "2 hours"),
        (61, "1 hour 1 minute"),
    ],
)
def test_minutes_said_aloud(minutes: float, text: str) -> None:
    assert words.clock(minutes) == text


def test_negative_numbers_have_a_true_minus_and_no_negative_zero() -> None:
    assert words.number(-1.25, 1) == "−1.2"
    assert words.number(-0.001, 1) == "0.0"
    assert words.signed(0.001, 1) == "0.0"
    assert words.signed(2.0, 1) == "+2.0"


def test_margins_in_words() -> None:
    assert words.margin_rule(Margin(0.01), "share") == "1 pp"
    assert words.margin_rule(Margin(0.025, relative=True), "turns") == "2.5% of the base"
    assert words.margin_rule(Margin(5), "turns") == "5 turns"


# -- the folder ------------------------------------------------------------------------------------

SMALL = {"report.json": b'{"format": "simsorry report 1"}', "figures/a.svg": b"<svg/>"}


def test_a_report_is_written_whole(tmp_path: Path) -> None:
    folder.write(SMALL, tmp_path / "deep" / "report")
    assert (tmp_path / "deep" / "report" / "figures" / "a.svg").read_bytes() == b"<svg/>"
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["report"]


def test_an_earlier_report_is_replaced_entirely(tmp_path: Path) -> None:
    folder.write(SMALL, tmp_path / "report")
    (tmp_path / "report" / "report.md").write_text("of an earlier report")
    (tmp_path / "link").symlink_to("report")
    folder.write(SMALL, tmp_path / "link")
    assert sorted(path.name for path in (tmp_path / "report").iterdir()) == ["figures", "report.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "report"]
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("name", ["notes.md", "games/part.parquet", "figures/mine.txt"])
def test_what_a_person_put_beside_a_report_is_never_lost(tmp_path: Path, name: str) -> None:
    folder.write(SMALL, tmp_path / "report")
    kept = tmp_path / "report" / name
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("mine")
    with pytest.raises(SimsorryError, match="no part of the report"):
        folder.write(SMALL, tmp_path / "report")
    assert kept.read_text() == "mine"


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    folder.write(SMALL, tmp_path / "report")
    assert (tmp_path / "report" / "report.json").exists()


@pytest.mark.parametrize("content", [None, "{}", "not json", '{"format": "other"}', "[]"])
def test_what_is_not_a_report_is_left_alone(tmp_path: Path, content: str | None) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    if content is not None:
        (tmp_path / "mine" / "report.json").write_text(content)
    with pytest.raises(SimsorryError, match="is not a report"):
        folder.check(tmp_path / "mine")
    with pytest.raises(SimsorryError, match="is not a report"):
        folder.write(SMALL, tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SimsorryError, match="is a file"):
        folder.check(tmp_path / "file")
    with pytest.raises(SimsorryError, match="cannot be made: nothing can be written"):
        folder.check(tmp_path / "file" / "below")


def test_a_disk_that_refuses_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write(SMALL, tmp_path / "report")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(SimsorryError, match=r"the disk is full: .*what was there before stays, and the same command makes it anew"):
        folder.write(SMALL, tmp_path / "report")
    assert [path.name for path in tmp_path.iterdir()] == ["report"]
    assert (tmp_path / "report" / "report.json").exists()


@pytest.mark.parametrize("in_one_step", [True, False])
def test_a_folder_that_cannot_be_moved_into_place_leaves_the_old_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_one_step: bool
) -> None:
    folder.write(SMALL, tmp_path / "report")
    real = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if ".simsorry-new-" in self.name:
            raise OSError(5, "Input/output error")
        return real(self, target)

    def exchange(one: Path, other: Path) -> bool:
        return in_one_step and bool(refuse(one, other))

    monkeypatch.setattr(folders, "exchange", exchange)
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(SimsorryError, match="input/output"):
        folder.write({"report.json": b"new"}, tmp_path / "report")
    monkeypatch.undo()
    assert (tmp_path / "report" / "report.json").read_bytes() == SMALL["report.json"]
    assert [path.name for path in tmp_path.iterdir()] == ["report"]
