"""``--precision`` and ``--until-clear``: games are played until there are enough, and the same number of them in every way."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import refused, simsorry_says
from made_up import study as made_up_study
from scipy.stats import norm as normal
from scipy.stats import t as student

from simsorry import results, stats
from simsorry.cli._precision import Target, farthest, make_needs, needed, of_sitting, targets, unclear
from simsorry.errors import IMPRECISE, SimsorryError
from simsorry.margin import Margin
from simsorry.report import study
from simsorry.tally import statistical_block

pytestmark = pytest.mark.usefixtures("sketched")

PRECISE = ("--precision", "turns=1.2%", "--precision", "bumps=5%")  # likewise of hasbro with and without slides
ENOUGH = ("--precision", "turns=0.9%")  # 4,800 games of hasbro, at the second look


def ran(*arguments: str) -> dict[str, Any]:
    result = simsorry_says("run", "hasbro", *arguments, "--json", "--quiet")
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def compared(folder: Path, *arguments: str, code: int = 0) -> tuple[dict[str, Any], str]:
    """The report as JSON, and what was said on standard error."""
    options = ("--also-policy", "none", "--out", str(folder), "--quiet")
    result = simsorry_says("compare", "hasbro", "hasbro+slides=off", *options, *arguments)
    assert result.exit_code == code, result.output
    loaded: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return loaded, result.stderr


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    """A run that stores nothing."""
    return ran(*ENOUGH)


# -- run -------------------------------------------------------------------------------------------


def test_a_run_stops_at_the_first_look_at_which_all_is_precise_enough(plain: dict[str, Any]) -> None:
    length = plain["length"]
    assert plain["games"] == 4_800
    assert (length["high"] - length["low"]) / 2 <= 0.009 * length["mean"]
    before = ran("--games", "2400")["length"]
    assert (before["high"] - before["low"]) / 2 > 0.009 * before["mean"]
    fixed = ran("--games", "4800")
    assert {**plain, "provenance": 0} == {**fixed, "provenance": 0}  # but for the command
    assert plain["provenance"]["tasks"] == fixed["provenance"]["tasks"]


@pytest.mark.parametrize("how", [("--threads", "1"), ("--threads", "3", "--block", "77")])
def test_threads_and_blocks_change_nothing(plain: dict[str, Any], how: tuple[str, ...]) -> None:
    found = ran(*ENOUGH, *how)
    assert (found["games"], found["fingerprint"]) == (plain["games"], plain["fingerprint"])


@pytest.mark.parametrize(("keep", "before"), [("rows", "0"), ("rows", "3000"), ("rows", "6000"), ("summary", "3000")])
def test_what_was_stored_before_changes_nothing(plain: dict[str, Any], tmp_path: Path, keep: str, before: str) -> None:
    store = ("--out", str(tmp_path), "--keep", keep)
    if before != "0":
        ran("--games", before, *store)
    found = ran(*ENOUGH, *store)
    assert (found["games"], found["fingerprint"]) == (plain["games"], plain["fingerprint"])
    (task,) = results.tasks(tmp_path)
    assert task.games == max(4_800, int(before))
    manifest = json.loads((task.folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["status"], manifest["requested"]) == ("complete", max(4_800, int(before)))
    assert ran("--games", "4800", *store)["fingerprint"] == plain["fingerprint"]


def test_a_hole_among_stored_games_is_filled(plain: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simsorry.simulate.PART_GAMES", 1_000)
    ran("--games", "4000", "--out", str(tmp_path))
    for part in tmp_path.glob("*/*/part-000000001000-*"):
        part.unlink()
    found = ran(*ENOUGH, "--out", str(tmp_path))
    assert (found["games"], found["fingerprint"]) == (plain["games"], plain["fingerprint"])
    assert results.tasks(tmp_path)[0].games == 4_800


def test_seats_are_known_as_well_as_asked_all_of_them() -> None:
    found = ran("--precision", "seat_share=1.8pp", "--precision", "turns=5%")
    halves = [(seat["high"] - seat["low"]) / 2 for seat in found["wins"]["by_seat"]]
    assert max(halves) <= 0.018
    assert found["games"] == 2_400


def test_a_cap_that_comes_first_is_told_after_the_results() -> None:
    result = simsorry_says("run", "hasbro", "--precision", "seat_share=0.1pp", "--games", "100", "--quiet")
    assert result.exit_code == 3
    assert "100 games" in result.stdout
    (line,) = result.stderr.splitlines()
    assert line.startswith("simsorry: not as precise as asked after 100 games: seat_share ±")
    assert "of ±0.1pp; about " in line


def test_progress_tells_how_far_it_is() -> None:
    from simsorry.cli._progress import Watch

    watch = Watch(1_000_000, quiet=False, show=True)
    watch.aim("turns ±1.2% of ±0.5%", 40_000)
    assert watch.total == 40_000
    assert watch._shown_pace(0.0) == "turns ±1.2% of ±0.5%"


@pytest.mark.parametrize(
    ("size", "words"),
    [
        ("seat_share", "write WHAT=SIZE"),
        ("seat_shares=1pp", "there is no such kind or measure; did you mean seat_share?"),
        ("seat_share=0", "a size above 0 is needed"),
        ("seat_share=1", "one percentage point is written 1pp"),
        ("turns=1pp", "takes a part of its value such as 5%"),
        ("points_winner=5%", "there is nothing of that to measure in hasbro"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(size: str, words: str) -> None:
    assert words in refused("run", "hasbro", "--precision", size, code=2)


def test_the_same_thing_twice_and_too_few_games_are_refused() -> None:
    assert "is given twice" in refused("run", "hasbro", "--precision", "turns=1%", "--precision", "turns=2%", code=2)
    assert "from 20 to" in refused("run", "hasbro", "--precision", "turns=1%", "--games", "5", code=2)


# -- compare ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def precise(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """A comparison that stops at its second look, and its folder."""
    folder = tmp_path_factory.mktemp("precise") / "report"
    return compared(folder, *PRECISE)[0], folder


def test_a_comparison_stops_once_every_value_and_every_difference_is_precise_enough(precise: tuple[dict[str, Any], Path]) -> None:
    found, folder = precise
    (sitting,) = found["sittings"]
    assert sitting["games"] == 4_800
    assert sitting["stopping"]["rule"] == "until turns is known to ±1.2% and bumps is known to ±5%"
    assert (sitting["stopping"]["looks"], sitting["stopping"]["reached"], sitting["stopping"]["expected"]) == (2, True, None)
    base, variant = sitting["rulesets"]
    limit = 0.012 * base["measured"]["turns"]["value"]
    assert base["measured"]["turns"]["high"] - base["measured"]["turns"]["low"] <= 2 * limit
    assert variant["compared"]["turns"]["high"] - variant["compared"]["turns"]["low"] <= 2 * limit
    assert "| Played | Until turns is known" in (folder / "report.md").read_text(encoding="utf-8")


def test_a_comparison_is_the_same_as_of_so_many_games_from_the_start(precise: tuple[dict[str, Any], Path], tmp_path: Path) -> None:
    fixed, _ = compared(tmp_path / "fixed", "--games", "4800")
    assert fixed["sittings"][0]["stopping"] is None
    assert _but_for_stopping(fixed) == _but_for_stopping(precise[0])


def _but_for_stopping(document: dict[str, Any]) -> dict[str, Any]:
    provenance = {**document["provenance"], "command": None}
    return {**document, "provenance": provenance, "sittings": [{**sitting, "stopping": None} for sitting in document["sittings"]]}


def test_kept_games_are_gone_on_from_and_change_nothing(precise: tuple[dict[str, Any], Path], tmp_path: Path) -> None:
    simsorry_says("run", "hasbro", "--games", "3000", "--out", str(tmp_path / "games"), "--quiet")
    kept, _ = compared(tmp_path / "kept", *PRECISE, "--keep-games", str(tmp_path / "games"), "--threads", "1")
    assert kept == precise[0]
    assert [task.games for task in results.tasks(tmp_path / "games")] == [4_800, 4_800]


def test_until_clear_uses_intervals_that_hold_at_every_look(tmp_path: Path) -> None:
    margins = ("--margin", "seat_share=5pp", "--margin", "lead_changes=20%", "--margin", "length=10%")
    margins += ("--margin", "drama=10pp", "--margin", "game_share=5pp")
    found, _ = compared(tmp_path, "--until-clear", *margins, "--games", "30000")
    (sitting,) = found["sittings"]
    assert sitting["stopping"]["reached"]
    assert sitting["stopping"]["expected"] == stats.EXPECTED
    _, variant = sitting["rulesets"]
    headlines = [name for name, metric in found["metrics"].items() if metric["table"] == "scorecard"]
    words = {variant["compared"][name]["verdict"]["word"] for name in headlines if name in variant["compared"]}
    assert words <= set(stats.CLEAR)
    turns = variant["compared"]["turns"]
    half = (turns["high"] - turns["low"]) / 2 / turns["difference"]["error"]
    few_blocks = student.ppf(0.975, sitting["games"] // statistical_block(sitting["games"]) - 1) / normal.ppf(0.975)
    assert half == pytest.approx(stats.widening(sitting["games"]) * few_blocks, rel=0.002)
    written = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "those of a confidence sequence" in written
    assert "hold for all looks at once" in written


def test_until_clear_says_what_is_unclear_where_the_cap_comes_first(tmp_path: Path) -> None:
    found, complaint = compared(tmp_path, "--until-clear", "--games", "300", code=3)
    assert found["sittings"][0]["games"] == 300
    assert complaint.startswith("simsorry: not clear after 300 games: ")
    assert "verdicts unclear" in complaint
    assert "not reached within 300 games" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_a_comparison_that_is_not_precise_enough_ends_with_its_own_code() -> None:
    found = made_up_study(variants=1).main
    needs = make_needs(["turns=0.1%"], False)
    assert needs
    needs.check([found])  # whose number of games was given
    stopped = replace(found, stopping=study.Stopping(needs.rule, 1, found.games, False))
    with pytest.raises(SimsorryError, match=r"not as precise as asked after 2,400 games: turns ±.* about [\d,]+ games would do") as raised:
        needs.check([stopped])
    assert raised.value.exit_code == IMPRECISE


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("hasbro", "french", "--precision", "turns=1%", "--until-clear"), "two ways to say when to stop"),
        (("hasbro", "--until-clear"), "needs a variant"),
        (("hasbro", "french", "--precision", "throws=1%"), "nothing of that to measure in any of these rulesets"),
    ],
)
def test_what_a_comparison_is_not_played_for(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    assert words in refused("compare", *arguments, "--out", str(tmp_path / "report"), code=2)
    assert not (tmp_path / "report").exists()


# -- the parts -------------------------------------------------------------------------------------


def test_a_target_names_a_kind_or_a_measure() -> None:
    (seats, turns) = targets(["seat_share=0.2pp", "turns=0.5%"])
    assert (seats, turns) == (Target("seat_share", Margin(0.002)), Target("turns", Margin(0.005, relative=True)))
    assert (str(seats), str(turns)) == ("seat_share to ±0.2pp", "turns to ±0.5%")
    found = made_up_study(variants=1).main
    assert [metric.name for metric in seats.meant(found.metrics)] == ["seat_1", "seat_2", "seat_3", "seat_4"]


def test_what_is_farthest_off_decides() -> None:
    found = made_up_study(variants=1).main
    reached = of_sitting(targets(["seat_share=0.2pp", "turns=50%"]), found)
    far = farthest(reached)
    assert far.target.what == "seat_share"
    assert needed(far, found.games, 10**9) == pytest.approx(found.games * far.times**2, abs=1)
    assert needed(far, found.games, 5_000) == 5_000
    assert max(each.times for each in reached if each.target.what == "turns") < 1


def test_unclear_verdicts_are_those_of_the_scorecard() -> None:
    found = made_up_study(variants=1).main
    headlines = {metric.name for metric in found.rows(headline=True)}
    left = unclear(found)
    assert set(left) <= headlines
    verdicts = [each.verdict for arm in found.variants for name, each in arm.compared.items() if name in headlines]
    assert len(left) == sum(verdict.word in (stats.UNSIZED, stats.UNDECIDED) for verdict in verdicts if verdict)
    assert make_needs([], False) is None
    with pytest.raises(SimsorryError, match="two ways"):
        make_needs(["turns=1%"], True)


def test_the_longer_table_is_corrected_for_discoveries() -> None:
    found = made_up_study(variants=1).main
    assert {name: how for name, _, how in study.FAMILIES} == {"scorecard": "holm", "details": "bh"}
    names = [metric.name for metric in found.rows(headline=False)]
    (arm,) = found.variants
    measured = [each for name, each in arm.compared.items() if name in names and each.verdict]
    expected = stats.benjamini_hochberg([each.difference.p_beyond() for each in measured])
    assert np.allclose([each.verdict.p_value for each in measured if each.verdict], expected)
