"""Panels: what is played, what made-up games come to, what the report says of it, and a small one played."""

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import refused, said
from matplotlib.figure import Figure

from simsorry import panel, policies, question, stats
from simsorry.cli import _answering
from simsorry.errors import SimsorryError
from simsorry.margin import Margin
from simsorry.panel import Answer, Measured, Plan, Tried, Way
from simsorry.report import panel as report
from simsorry.skill import Dealt
from simsorry.stats import Difference, Estimate, Floats

HEAD = {"title": "Slide or not?", "question": "Is it worth it?", "answer": "2 points.", "base": "hasbro", "games": 40}
SLIDES = {"name": "a slide counts", "told": "squares more", "per": {"slides": 1}, "levels": [10, -5, 5]}
NEVER = {"name": "never splits", "weights": {"splits": -5000}}


def asked(*, doses: tuple[Any, ...] = (SLIDES,), ways: tuple[Any, ...] = (NEVER,), **keys: Any) -> question.Question:
    both = {key: keys.pop(key) for key in ("policies",) if key in keys}
    return question.Question.model_validate({**HEAD, **keys, "panel": {"doses": list(doses), "ways": list(ways), **both}})


def planned(deals: int = 40, margins: dict[str, Margin] | None = None, **keys: Any) -> Plan:
    return panel.plan(asked(**keys), deals, margins or {})


# -- what is played --------------------------------------------------------------------------------


def test_levels_are_added_and_weights_replaced() -> None:
    threat = {"name": "a threat costs", "told": "squares", "per": {"threats": -1, "lead": 0.5}, "levels": [2]}
    both = {"name": "both", "weights": {"home": 7}, "added": {"in_start": -2}}
    (setting,) = planned(doses=(SLIDES, threat), ways=(both,)).settings
    own = policies.load("balanced").weights
    names = ["a slide counts −5", "a slide counts +5", "a slide counts +10", "a threat costs +2", "both"]
    assert [way.name for way in setting.ways] == names
    assert [(way.dose, way.level) for way in setting.ways] == [(0, -5), (0, 5), (0, 10), (1, 2), (None, 0)]
    assert setting.ways[2].policy.weights == {**own, "slides": 10}
    assert setting.ways[3].policy.weights == {**own, "threats": -2, "lead": own["lead"] + 1}
    assert setting.ways[4].policy.weights == {**own, "home": 7, "in_start": own["in_start"] - 2}
    assert setting.design.careful.weights == own


def test_a_weight_that_comes_to_nothing_is_gone() -> None:
    level = {"name": "fear", "told": "squares", "per": {"stake": 0.1}, "levels": [1]}  # balanced has -0.1
    (setting,) = planned(doses=(level,), ways=()).settings
    assert "stake" not in setting.ways[0].policy.weights


def test_ways_that_mean_nothing_here_are_left_out() -> None:
    as_it_is = {"name": "as it is", "added": {"progress": 0}}
    holds = {"name": "holds", "weights": {"holds_4": 9}}
    drawn, held = planned(ways=(as_it_is, holds), arms=["hasbro-points"]).settings
    assert [way.name for way in drawn.ways] == ["a slide counts −5", "a slide counts +5", "a slide counts +10"]
    assert [way.name for way in held.ways][3:] == ["holds"]


def test_every_ruleset_is_played_with_every_policy() -> None:
    made = planned(policies=["racer", "balanced"], arms=["hasbro-teams"], deals=100)
    found = [(each.design.ruleset.name, each.design.careful.name, each.games_each) for each in made.settings]
    assert found == [
        ("hasbro", "racer", 400),
        ("hasbro", "balanced", 400),
        ("hasbro-teams", "racer", 200),
        ("hasbro-teams", "balanced", 200),
    ]
    assert made.games == 2 * 100 * (4 * (4 + 1) + 1) + 2 * 100 * (4 * (2 + 1) + 1)


def test_another_policy_may_be_a_way() -> None:
    (setting,) = planned(doses=(), ways=({"name": "runs", "policy": "runner"},)).settings
    assert setting.ways[0].policy == policies.load("runner")


def test_a_function_may_be_a_way_but_has_no_weights_to_change(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def first(asked):\n    return 0\n", encoding="utf-8")
    mine = f"{file}:first"
    (setting,) = planned(doses=(), ways=({"name": "the first", "policy": mine},)).settings
    assert setting.ways[0].policy.function
    with pytest.raises(SimsorryError, match=r"item 1\): per: .*mine.py:first is a function, which has no weights to change"):
        planned(policies=[mine])


# -- what made-up games come to --------------------------------------------------------------------


def played(shift: float, turns: float, seed: int = 1, deals: int = 400) -> Any:
    """Deals of four games in which the one wins 1 + ``shift`` on average, and games with all alike of about ``turns``."""
    draw = np.random.default_rng(seed)
    wins = draw.binomial(4, (1 + shift) / 4, deals).astype(float)
    return panel._Played(Dealt(wins, np.full(deals, 4.0), {}), turns + draw.normal(size=deals))


def judged(shifts: list[float], lengths: list[float], **keys: Any) -> tuple[Measured, Floats]:
    made = planned(400, ways=(), **keys)
    count = len(made.settings[0].ways)
    own = np.full(400, 200.0)
    pairs = zip(shifts, lengths, strict=True)
    answers = panel.judged(made, [own] * len(made.settings), [played(*pair, seed) for seed, pair in enumerate(pairs)])
    assert all(len(answer.tried) == count for answer in answers)
    return Measured(made, answers), own


def test_shares_changes_and_lengths() -> None:
    found, _ = judged([0.0, 0.4, -0.4], [200, 230, 199])
    low, high, less = found.answers[0].tried
    for each, shift in ((low, 0.0), (high, 0.1), (less, -0.1)):
        assert each.share.value == pytest.approx(0.25 + shift, abs=0.03)
        assert each.share.high - each.share.low == pytest.approx(4 * 0.43 / np.sqrt(1600), rel=0.2)
        assert each.change.value == pytest.approx(each.share.value - 0.25)
        assert each.share.n == 1600
        assert each.no_winner == 0
    assert [each.verdict.word for each in (high, less) if each.verdict] == [stats.DIFFERENT] * 2
    assert high.longer.value == pytest.approx(30, abs=0.2)
    assert high.turns.value == pytest.approx(230, abs=0.2)
    assert [each.length.word for each in (low, high, less) if each.length] == [stats.SAME, stats.DIFFERENT, stats.NEGLIGIBLE]
    assert found.answers[0].turns.value == 200


def test_a_longer_game_by_hand() -> None:
    made = planned(20, doses=(), ways=(NEVER,))
    own, turns = np.array([100.0, 110, 90, 100]), np.array([104.0, 112, 98, 106])
    dealt = Dealt(np.array([1.0, 1, 0, 2]), np.array([4.0, 4, 4, 3]), {})
    ((each,),) = [answer.tried for answer in panel.judged(made, [own], [panel._Played(dealt, turns)])]
    assert each.longer.value == 5  # 4, 2, 8 and 6 more
    assert each.longer.error == pytest.approx(np.std([4, 2, 8, 6], ddof=1) / 2)
    assert each.share.value == pytest.approx(4 / 15)
    assert each.no_winner == 20 * 4 - 15


def test_all_ways_of_all_settings_are_corrected_together() -> None:
    alone, _ = judged([0.17, 0, 0], [200, 200, 200], doses=({**SLIDES, "levels": [1, 2, 3]},))
    among, _ = judged([0.17] + [0] * 5, [200] * 6, doses=({**SLIDES, "levels": [1, 2, 3]},), policies=["racer", "balanced"])
    first, same = alone.answers[0].tried[0], among.answers[0].tried[0]
    assert first.change == same.change
    assert first.verdict
    assert same.verdict
    assert same.verdict.p_value == pytest.approx(2 * first.verdict.p_value)


# -- words -----------------------------------------------------------------------------------------


def tried(name: str, change: float, error: float = 0.002, level: float | None = None) -> Tried:
    """A way with a made-up change; the margin is 2 points."""
    difference = Difference(change, error, 399, 1600, "share")
    (verdict,) = stats.judge([difference], [0.02])
    share = Estimate(0.25 + change, 0.25 + change - 2 * error, 0.25 + change + 2 * error, 1600, "share")
    turns = Estimate(210.0, 209.0, 211.0, 400, "turns")
    (length,) = stats.judge([Difference(10.0, 0.5, 399, 400, "turns")], [5.0])
    way = Way(name, policies.load("racer"), None if level is None else 0, level or 0.0)
    return Tried(way, share, difference, verdict, turns, Difference(10.0, 0.5, 399, 400, "turns"), length, 0)


def measured(*rows: list[Tried], names: tuple[str, ...] = ("balanced", "racer")) -> Measured:
    """The rows of one ruleset, with a policy for each."""
    made = planned(400, policies=list(names[: len(rows)]))
    own = Estimate(200.0, 199.0, 201.0, 400, "turns")
    return Measured(made, tuple(Answer(setting, own, tuple(each)) for setting, each in zip(made.settings, rows, strict=True)))


def test_effects() -> None:
    found = {change: report.effect(tried("x", change, error)) for change, error in [(0.05, 0.002), (-0.05, 0.002), (0.001, 0.002)]}
    assert list(found.values()) == [report.PAYS, report.COSTS, report.EVEN]
    assert report.effect(tried("x", 0.02)) == report.BETTER
    assert report.effect(tried("x", -0.02)) == report.WORSE
    assert report.effect(tried("x", 0.01, 0.02)) == report.OPEN


def test_what_pays_is_told_first() -> None:
    rows = [
        tried("a slide counts −5", -0.08, level=-5),
        tried("a slide counts +5", 0.03, level=5),
        tried("a slide counts +10", 0.05, level=10),
    ]
    first, *rest = report.in_short(measured([*rows, tried("never splits", 0.001)]))
    assert first == (
        "Under “Hasbro 1998-2005”, against three balanced players, “a slide counts +10” pays most: it wins 30.0% (29.6 to 30.4%) of the "
        "games instead of 25%, and one more of 4 ways pays. Where all play so, a game takes 210.0 turns instead of 200.0. What costs most: "
        "“a slide counts −5” (−8.0 points (−8.4 to −7.6)). No practical difference (2 points either way): “never splits”. "
        "1,600 games each for wins, 400 for lengths."
    )
    assert rest == []


def test_what_does_not_pay_is_told_as_ranges() -> None:
    rows = [tried(f"a slide counts {level:+}", 0.001, level=level) for level in (-5, 5, 10)]
    first, *_ = report.in_short(measured([*rows, tried("never splits", -0.02)]))
    assert "none of four ways to play otherwise is shown to pay: “a slide counts -5” wins most" in first
    assert "No practical difference (2 points either way): “a slide counts” −5 to +10." in first
    assert "Worse, by how much is open: “never splits”." in first


def test_only_levels_that_follow_one_another_are_a_range() -> None:
    changes = {-5: 0.0, 5: 0.05, 10: 0.0}
    rows = [tried(f"a slide counts {level:+}", change, level=level) for level, change in changes.items()]
    answer = measured(rows).answers[0]
    assert report.ways(answer, [rows[0], rows[2]]) == "“a slide counts” −5 and +10"
    assert report.ways(answer, rows[:2]) == "“a slide counts” −5 and +5"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (0.05, 0.05, "agree"),
        (0.05, -0.05, "DISAGREE"),
        (0.05, 0.001, "DISAGREE"),
        (0.05, -0.02, "DISAGREE"),
        (0.05, 0.02, "–"),  # the other may be beyond the margin, too
        (0.001, 0.02, "–"),
        (0.001, 0.0, "agree"),
    ],
)
def test_whether_policies_agree(one: float, other: float, expected: str) -> None:
    found = measured([tried("never splits", one)], [tried("never splits", other)])
    assert report.agreement(found.answers, "never splits") == expected
    last = report.in_short(found)[-1]
    assert ("it depends on who plays" in last) == (expected == "DISAGREE")
    assert ("no way is shown to depend" in last) == (expected == "–")


def test_the_largest_disagreement_is_told_first() -> None:
    found = measured([tried("a", 0.03), tried("b", 0.05)], [tried("a", 0.001), tried("b", -0.05)])
    assert report.in_short(found)[-1] == (
        "Under “Hasbro 1998-2005” it depends on who plays: “b” pays with balanced and costs with racer; "
        "“a” pays with balanced and makes no practical difference with racer."
    )


def test_what_one_policy_does_anyway_is_no_agreement() -> None:
    found = measured([tried("never splits", 0.05), tried("runs", 0.05)], [tried("runs", 0.05)])
    assert report.agreement(found.answers, "never splits") == "–"
    assert report.agreement(found.answers, "runs") == "agree"


def test_a_dose_is_drawn_with_the_policy_as_it_is() -> None:
    changes = {-5: -0.02, 5: 0.03, 10: 0.05}
    found = measured([tried(f"a slide counts {level:+}", change, level=level) for level, change in changes.items()])
    figure = Figure()
    picture = report._dose_picture(found.answers, 0, "dose-1")
    picture.draw(figure)
    (axes,) = figure.axes
    (line,) = [each for each in axes.lines if each.get_linestyle() != "None" and len(each.get_xdata()) == 4]  # type: ignore[arg-type]
    assert list(line.get_ydata()) == pytest.approx([0.23, 0.25, 0.28, 0.3])  # type: ignore[arg-type]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["−5", "0\nas it is", "+5", "+10"]
    assert picture.finding == "“A slide counts”: +10 pays most (30.0%)"
    assert axes.yaxis.get_major_formatter()(0.23, 0) == "23%"  # 22.999… as a number


# -- the command -----------------------------------------------------------------------------------

FILE = """
title = "Slide or not?"
question = "Is it worth it?"
held = "All else."
answer = "2 points."
base = "hasbro"
players = 2
games = 30
[panel]
policies = ["racer", "balanced"]
[[panel.doses]]
name = "a slide counts"
told = "squares that a slide counts more"
per = { slides = 1 }
levels = [-5, 5]
[[panel.ways]]
name = "twice the same"
weights = { progress = 2 }
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The file of a question that was answered beside it, and what the command said."""
    file = tmp_path_factory.mktemp("panel") / "slides.toml"
    file.write_text(FILE, encoding="utf-8")
    return file, said("study", str(file), "--quiet")


def test_a_panel_is_answered_beside_its_file(made: tuple[Path, str]) -> None:
    file, text = made
    out = file.parent / "results" / "slides" / "report"
    assert text.startswith("Under “Hasbro 1998-2005”, against one racer player, ")
    assert text.endswith(f"report: {out / 'report.html'}\n")
    assert sorted(path.name for path in (out / "figures").iterdir()) == ["dose-1.png", "dose-1.svg", "ways.png", "ways.svg"]
    markdown = (out / "report.md").read_text(encoding="utf-8")
    assert "### What is held fixed\n\nAll else." in markdown
    for told in ("# Slide or not?", "Does it depend on who plays?", "Policy racer", "Seed", "Ruleset hasbro"):
        assert told in markdown


def test_the_document_has_every_number(made: tuple[Path, str]) -> None:
    file, _ = made
    document = json.loads((file.parent / "results" / "slides" / "report" / "report.json").read_text(encoding="utf-8"))
    assert document["games"] == 2 * 30 * (3 * 3 + 1)
    assert [setting["policy"]["name"] for setting in document["settings"]] == ["racer", "balanced"]
    for setting in document["settings"]:
        assert setting["fair_share"] == 0.5
        assert [way["level"] for way in setting["ways"]] == [-5, 5, None]
        for way in setting["ways"]:
            assert way["change"]["value"] == pytest.approx(way["share"]["value"] - 0.5)
            assert way["share"]["games"] == 60
            assert way["longer"]["value"] == pytest.approx(way["turns"]["value"] - setting["turns"]["value"])
    racer = document["settings"][0]
    assert racer["ways"][0]["policy"]["weights"] == {"slides": -5, "progress": 1}
    same = racer["ways"][2]  # twice the weights of one that has no other: it plays the same games
    assert (same["share"]["value"], same["longer"]["value"], same["effect"]) == (0.5, 0, report.EVEN)


def test_the_same_games_whatever_the_threads(made: tuple[Path, str]) -> None:
    file, _ = made
    before = json.loads((file.parent / "results" / "slides" / "report" / "report.json").read_text(encoding="utf-8"))
    assert json.loads(said("study", str(file), "--quiet", "--json", "--threads", "1")) == before


def test_a_plan_plays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_answering, "SAMPLE_SECONDS", 0.01)
    file = tmp_path / "slides.toml"
    file.write_text(FILE, encoding="utf-8")
    text = said("study", str(file), "--plan", "--games", "1000")
    assert "1,000 games of hasbro against racer, with each side in turn\n  racer as it is\n" in text
    assert "3,000 games of hasbro against racer, with each side in turn\n  a slide counts −5\n" in text
    assert "\n20,000 games in all\nabout " in text
    assert [path.name for path in tmp_path.iterdir()] == ["slides.toml"]


def test_ways_that_were_played_are_not_played_again(tmp_path: Path) -> None:
    plan = planned(doses=(), ways=(NEVER,))
    done: list[int] = []
    first = panel.measure(plan, kept=tmp_path, on_games=done.append)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert len(files) == 2
    assert sum(done) == plan.games
    (tmp_path / files[0]).unlink()
    played = ways_played(plan, tmp_path)
    assert played == 1
    again = panel.measure(plan, kept=tmp_path)
    assert first
    assert again
    assert report.as_json(again) == report.as_json(first)


def ways_played(plan: Plan, kept: Path) -> int:
    """How many ways of a plan are played."""
    calls, play = [], panel._play

    def counted(*arguments: Any) -> Any:
        calls.append(arguments)
        return play(*arguments)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(panel, "_play", counted)
        assert panel.measure(plan, kept=kept)
    return len(calls)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut short", b"not at all"])
def test_what_was_kept_and_is_damaged_is_said(tmp_path: Path, content: bytes) -> None:
    plan = planned(doses=(), ways=(NEVER,))
    (setting,) = plan.settings
    path = tmp_path / panel.kept_as(setting, None)
    path.write_bytes(content)
    with pytest.raises(SimsorryError, match="is not as it was written: delete it"):
        panel.measure(plan, kept=tmp_path)
    assert path.read_bytes() == content


def test_what_was_kept_under_another_name_or_was_changed_is_said(tmp_path: Path) -> None:
    plan = planned(doses=(), ways=(NEVER,))
    (setting,) = plan.settings
    assert panel.measure(plan, kept=tmp_path)
    base, way = (tmp_path / panel.kept_as(setting, each) for each in (None, setting.ways[0]))
    whole = base.read_bytes()
    base.write_bytes(way.read_bytes())
    with pytest.raises(SimsorryError, match="is not as it was written"):
        panel.measure(plan, kept=tmp_path)
    base.write_bytes(whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:])
    with pytest.raises(SimsorryError, match="is not as it was written"):
        panel.measure(plan, kept=tmp_path)


def test_stopping_ends_it_without_a_result() -> None:
    stop = threading.Event()
    assert panel.measure(planned(2000), stop=stop, on_games=lambda _: stop.set()) is None


@pytest.mark.parametrize(
    ("changed", "to", "expected"),
    [
        ("slides = 1", "slide = 1", "panel.doses (item 1): per: slide = -5.0: there is no such feature in classic; did you mean slides?"),
        ("slides = 1", 'slides = "1"', 'panel.doses.per.slides (item 1) = "1" is not allowed; allowed is a number from -10000 to 10000'),
        ("slides = 1", "slides = 9000", "with racer slides comes to -45000, which is not allowed; a weight is a number from -10000"),
        ("{ slides = 1 }", "{}", "panel.doses.per (item 1) = a table is not allowed; allowed is a table with a number"),
        ("[-5, 5]", "[-5, 0]", "panel.doses (item 1): levels: 0 is the policy as it is"),
        ("[-5, 5]", "[5, 5]", "panel.doses (item 1): levels: a level is given twice"),
        ("levels", "level", "panel.doses (item 1): level = [-5, 5]: there is no such key; did you mean levels?"),
        ("weights = { progress = 2 }", "", "panel.ways (item 1): either weights or added, or a policy is needed"),
        ("weights = { progress = 2 }", 'policy = "raser"', "panel.ways (item 1): policy: no built-in policy is called"),
        ("weights = {", "added = { progress = 1 }\nweights = {", "panel.ways (item 1): progress stands in weights and in added"),
        ('name = "twice the same"\n', "", "panel.ways (item 1): name is missing: How one plays"),
        ('"twice the same"', '"a slide counts"', 'panel: doses and ways: "a slide counts" is named twice'),
        ('["racer", "balanced"]', '["racer", "raser"]', "panel.policies: no built-in policy is called"),
        ("games = 30", 'line_ups = ["random"]', "line_ups: that does not go with a table panel"),
        ("games = 30", 'margins = { seat_share = "1pp" }', "margins: seat_share: a panel is judged by policy_share and length alone"),
        ("games = 30", "games = 3", "games = 3 is not allowed"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path: Path, changed: str, to: str, expected: str) -> None:
    assert changed in FILE
    file = tmp_path / "slides.toml"
    file.write_text(FILE.replace(changed, to, 1), encoding="utf-8")
    line = refused("study", str(file), "--quiet", code=4)
    assert line.startswith(f"simsorry: {file}: ")
    assert expected in line
    assert [path.name for path in tmp_path.iterdir()] == ["slides.toml"]
