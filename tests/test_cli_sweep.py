"""``simsorry sweep`` and questions that vary options, on real games."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import refused, said

from simsorry import sweep
from simsorry.cli.run import make_task
from simsorry.report import gather, sweeping

TWO_BY_TWO = ("sweep", "hasbro", "--vary", "slides=on,off", "--vary", "pawns=2,3", "--games", "60", "--quiet")
ASKED = ("--target", "turns_p50<300, dead_share<60%", "--sensitivity")
Made = tuple[Path, str, dict[str, Any]]


def document(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A sweep of two options with a target and shares of the variance, what it said, and its JSON."""
    out = tmp_path_factory.mktemp("sweep") / "report"
    text = said(*TWO_BY_TWO, *ASKED, "--out", str(out), "--keep-games", str(out.parent / "games"))
    return out, text, document(out)


def test_it_says_what_was_varied_what_matters_most_and_where_the_report_is(made: Made) -> None:
    out, text, _ = made
    assert text.startswith("The smallest change that surely reaches the target")
    assert "On hasbro, slides (on or off) and pawns (2 or 3) were varied: four rulesets were" in " ".join(text.split())
    assert "changes most: " in text
    assert (
        "The smallest change that surely reaches the target, half of the games over within 300 turns (turns_p50 < 300) and dead_share < 60%"
        in " ".join(text.split())
    )
    assert "With four balanced players instead" in " ".join(text.split())
    assert "The largest effects, four random players\nEffect" in text
    assert text.endswith(f"report: {out / 'report.html'}\n")


def test_it_writes_the_whole_report(made: Made) -> None:
    out, _, _ = made
    assert {path.name for path in out.iterdir()} == {"report.html", "report.md", "report.json", "figures"}
    assert {path.name for path in (out / "figures").iterdir()} == {
        f"{name}.{end}" for name in ("pareto", "interaction-1") for end in ("svg", "png")
    }
    page = (out / "report.html").read_text(encoding="utf-8")
    for heading in ("In short", "What matters most", "Changes that reach the target", "Where the variance comes from", "Every effect",
                    "Every ruleset", "The same with other players", "What was played", "Definitions and checks"):  # fmt: skip
        assert f">{heading}</h2>" in page
    assert "FAILED" not in page
    assert "nan" not in (out / "report.md").read_text(encoding="utf-8")


def test_the_json_identifies_what_was_played(made: Made) -> None:
    found = made[2]
    assert found["format"].startswith("simsorry report of a sweep")
    assert [each["option"] for each in found["design"]["factors"]] == ["slides", "pawns"]
    assert "slides a pawn rides" in found["design"]["factors"][0]["description"]
    main, other = found["sittings"]
    assert (main["policies"], other["policies"]) == (["random"] * 4, ["balanced"] * 4)
    assert [cell["card"]["name"] for cell in main["cells"]] == [
        "hasbro+pawns=2", "hasbro+pawns=3", "hasbro+slides=off+pawns=2", "hasbro+slides=off+pawns=3",
    ]  # fmt: skip
    assert len({cell["card"]["hash"] for cell in main["cells"]}) == 4
    assert main["families"]["scorecard"] == 3 * sum(main["metrics"][name]["margin"] is not None for name in _headline(main))


def _headline(sitting: dict[str, Any]) -> list[str]:
    every = gather.metrics_of([make_task("hasbro", 4, ["random"], 1, [], None)])
    return [metric.name for metric in every if metric.headline and metric.name in sitting["metrics"] and _told(sitting, metric.name)]


def _told(sitting: dict[str, Any], metric: str) -> bool:
    return all(effect["verdict"] for effect in sitting["effects"][metric].values())


def test_effects_are_contrasts_of_the_means_of_the_cells(made: Made) -> None:
    main = made[2]["sittings"][0]
    on2, on3, off2, off3 = (cell["measured"]["turns"]["value"] for cell in main["cells"])
    effects = main["effects"]["turns"]
    assert effects["main|slides|0"]["value"] == pytest.approx((on2 + on3 - off2 - off3) / 2)  # on - off
    assert effects["main|pawns|1"]["value"] == pytest.approx((on3 + off3 - on2 - off2) / 2)
    assert effects["interaction|slides|pawns|0|1"]["value"] == pytest.approx((on3 - on2) - (off3 - off2))


def test_shares_of_the_variance_add_up(made: Made) -> None:
    shares = made[2]["sittings"][0]["variance"]["turns"]
    assert sum(each["value"] for each in shares["shapley"].values()) == pytest.approx(1)
    assert shares["alone"]["pawns"]["value"] > 0.8
    assert shares["error"] > 0


def test_one_option_with_the_other_fixed_is_what_compare_says() -> None:
    """Values and errors of both comparisons that a 2 x 2 holds, and their mean and difference, on the same games."""
    games, judging = range(120), gather.Judging({})
    plan = sweep.design("hasbro", sweep.factors([("slides", ["off", "on"]), ("pawns", ["2", "3"])], "hasbro"))
    tasks = [make_task(plan.spec(cell), 4, ["random"], 1, [], None) for cell in plan.cells]
    tallies = gather.play_each(tasks, games)
    assert tallies is not None
    compared = []
    for pawns in (2, 3):
        pair = [make_task(f"hasbro+pawns={pawns}{rest}", 4, ["random"], 1, [], None) for rest in ("+slides=off", "")]
        sitting = gather.play(pair, games, gather.short_names(["off", "on"]), judging)
        assert sitting is not None
        compared.append(sitting.variants[0].compared)
    at = {cell: number for number, cell in enumerate(plan.cells)}
    told = 0
    for index, metric in enumerate(tallies[0].plan.metrics):
        found = sweeping._measured(tallies, index, metric)
        contrasts = []
        for level in (0, 1):
            weights = np.zeros(4)
            weights[at[0, level]], weights[at[1, level]] = -1, 1
            here, there = found.difference(weights), compared[level][metric.name].difference
            assert here.known == there.known
            if here.known:
                assert here.value == pytest.approx(there.value, abs=1e-12), metric.name
                contrasts.append(here.value)
                if not metric.of_every_game(tallies[0].traits):  # yes or no of a game: compare counts the games that differ
                    assert here.error == pytest.approx(there.error, rel=1e-9, abs=1e-12)
                    told += 1
        if len(contrasts) == 2:
            effects = {effect.key: found.difference(effect.weights).value for effect in sweep.effects(plan, plan.cells)[0]}
            assert effects["main|slides|1"] == pytest.approx(sum(contrasts) / 2, abs=1e-12)
            assert effects["interaction|slides|pawns|1|1"] == pytest.approx(contrasts[1] - contrasts[0], abs=1e-12)
    assert told > 20


def test_games_that_are_kept_are_not_played_again_and_give_the_report_of_those_that_are_not(made: Made, tmp_path: Path) -> None:
    games = made[0].parent / "games"
    parts = {path: path.stat().st_mtime_ns for path in games.rglob("*.parquet")}
    assert len([path for path in parts if path.parent.name == "seats"]) == 2 * 4  # line-ups, rulesets
    for more in (("--keep-games", str(games)), ()):
        said(*TWO_BY_TWO, *ASKED, "--out", str(tmp_path / "report"), *more)
        assert document(tmp_path / "report") == made[2]
    assert {path: path.stat().st_mtime_ns for path in games.rglob("*.parquet")} == parts


def test_json_is_the_document_of_the_report(tmp_path: Path) -> None:
    text = said(
        "sweep", "hasbro", "--vary", "pawns=1..3", "--games", "30", "-q", "--also-policy", "none", "--json", "--out", str(tmp_path / "r")
    )
    assert json.loads(text) == document(tmp_path / "r")
    kinds = [effect["title"] for effect in json.loads(text)["effects"]]
    assert kinds == ["pawns: 1 → 2", "pawns: 1 → 3", "pawns: per +1"]


HOLED = ("sweep", "hasbro", "--vary", "quick_start_pawns=0,1,2", "--vary", "own_collision=illegal,share", "--games", "40", "--quiet")


def test_combinations_that_the_rules_refuse_are_named_before_anything_is_played(tmp_path: Path) -> None:
    text = refused(*HOLED, "--out", str(tmp_path / "report"))
    assert "the rules refuse 1 of the 6 combinations: hasbro+quick_start_pawns=2: " in text
    assert "--skip-invalid" in text
    assert not list(tmp_path.iterdir())


def test_refused_combinations_may_be_skipped_with_the_effects_that_need_them(tmp_path: Path) -> None:
    text = " ".join(said(*HOLED, "--out", str(tmp_path / "report"), "--skip-invalid", "--also-policy", "none").split())
    assert "five rulesets were played" in text
    assert "The rules refuse one of the combinations (hasbro+quick_start_pawns=2: " in text
    found = document(tmp_path / "report")
    assert [each["title"] for each in found["effects"]] == [
        "quick_start_pawns: 0 → 1", "quick_start_pawns 0 → 1 × own_collision illegal → share",
    ]  # fmt: skip
    assert len(found["refused"]) == 4
    assert all("quick_start_pawns=2, own_collision=illegal" in each for each in found["refused"])


def test_a_fraction_is_played_with_its_aliases(tmp_path: Path) -> None:
    pytest.importorskip("pyDOE3")
    options = ("slides=on,off", "pawns=2,3", "must_move=on,off", "home_overshoot=illegal,any")
    vary = [part for option in options for part in ("--vary", option)]
    text = said("sweep", "hasbro", *vary, "--fraction", "IV", "--games", "24", "-q", "--also-policy", "none", "--out", str(tmp_path / "r"))
    assert "eight rulesets were played" in text
    assert "a part of the 16 combinations" in " ".join(text.split())
    assert "What can't be told apart (aliases), resolution IV" in text
    titles = [each["title"] for each in document(tmp_path / "r")["effects"]]
    assert titles[-3:] == [
        "slides × pawns or must_move × home_overshoot", "slides × must_move or pawns × home_overshoot",
        "slides × home_overshoot or pawns × must_move",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--vary", "slides"], 2, "write OPTION=LEVEL"),
        (["--vary", "slides=on,offf"], 4, "slides=offf can't be played with any other level"),
        (["--vary", "slides=on,off", "--target", "fights<3"], 2, "--target fights: there is nothing of that name"),
        (["--vary", "slides=on,off", "--games", "5"], 2, "--games 5"),
        (["--vary", "slides=on,off", "--margin", "turns"], 2, "write WHAT=SIZE"),
        (["--vary", "slides=on,off", "--fraction", "V"], 2, "--fraction V"),
        (["--vary", "slides=on,off", "--set", "slides=off"], 2, "must be named by its value"),
        (["--vary", "slides=on,off", "--policy", "nobody"], 4, "nobody"),
        (["--vary", "slides=on,off", "--players", "7"], 4, "7"),
        (["--vary", "slides=on,off", "--keep-games", "r/games", "--out", "r"], 2, "--keep-games"),
    ],
)
def test_nonsense_gives_one_line(arguments: list[str], code: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = refused("sweep", "hasbro", *arguments, code=code)
    assert says in text
    assert not list(tmp_path.iterdir())


def test_variance_is_shared_out_of_full_grids_only(tmp_path: Path) -> None:
    text = refused(*HOLED, "--skip-invalid", "--sensitivity", "--out", str(tmp_path / "r"), code=2)
    assert "--sensitivity shares out the variance of a full grid" in text


def test_once_stopped_no_more_is_played() -> None:
    stop = threading.Event()
    tasks = [make_task(spec, 4, ["random"], 1, [], None) for spec in ("hasbro", "hasbro+slides=off")]
    told: list[int] = []

    def count(games: int) -> None:
        told.append(games)
        stop.set()

    assert gather.play_each(tasks, range(100_000), threads=1, stop=stop, on_games=count) is None
    assert 0 < sum(told) < 100_000


def test_interrupted_it_leaves_no_report(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "simsorry", "sweep", "hasbro", "--vary", "slides=on,off", "--games", "1e9", "--out", "r"]
    command += ["--also-policy", "none", "--keep-games", "games"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(600):  # until it has begun to play
        if (tmp_path / "games").exists() or process.poll() is not None:
            break
        time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)
    text, complained = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "the same command goes on from the games in games" in complained
    assert text == ""
    assert [path.name for path in tmp_path.iterdir()] == ["games"]


# -- questions from files --------------------------------------------------------------------------

QUESTION = """
title = "Do they add up?"
question = "Do slides matter more with fewer pawns?"
answer = "An interaction of 10 % of the length."
base = "hasbro"
players = 2
line_ups = ["random"]
games = 40
target = "turns<100"
[margins]
length = "10%"
"""
VARY = """
[vary]
slides = ["on", "off"]
deck_counts.sorry = "3..4"
"""
QUESTION += VARY


def test_a_question_may_vary_options(tmp_path: Path) -> None:
    file = tmp_path / "together.toml"
    file.write_text(QUESTION, encoding="utf-8")
    plan = said("study", str(file), "--plan")
    assert "40 games of each of 4 rulesets with 2 players: random\n  hasbro+deck_counts.sorry=3\n  hasbro\n" in plan
    assert "\n160 games in all\nabout " in plan
    text = said("study", str(file), "--quiet")
    folder = tmp_path / "results" / "together"
    assert text.endswith(f"report: {folder / 'report' / 'report.html'}\n")
    found = document(folder / "report")
    assert (found["title"], len(found["sittings"][0]["cells"])) == ("Do they add up?", 4)
    assert found["margins"]["length"] == {"amount": 0.1, "relative_to_base": True}
    assert found["target"] == ["turns < 100"]


@pytest.mark.parametrize(
    ("changed", "to", "code", "says"),
    [
        ('slides = ["on", "off"]', "slides = []", 4, "vary: slides: its levels are a list"),
        ('slides = ["on", "off"]', "slides = true", 4, "vary: slides: its levels are a list"),
        ('slides = ["on", "off"]', 'slide = ["on", "off"]', 4, "vary: slide: the classic game has no option slide"),
        ('base = "hasbro"', 'base = "hasbro"\narms = ["french"]', 4, "arms and vary are two questions"),
        (VARY, "", 4, "target: that goes with a table vary"),
        ('target = "turns<100"', 'target = "turn<100"', 4, "did you mean turns"),
    ],
)
def test_a_question_that_varies_nonsense_is_refused(changed: str, to: str, code: int, says: str, tmp_path: Path) -> None:
    file = tmp_path / "together.toml"
    file.write_text(QUESTION.replace(changed, to), encoding="utf-8")
    assert says in refused("study", str(file), "--quiet", code=code)
    assert [path.name for path in tmp_path.iterdir()] == ["together.toml"]


def test_levels_of_lists_and_switches_come_from_files_as_from_the_command_line(tmp_path: Path) -> None:
    from simsorry import question

    file = tmp_path / "lists.toml"
    vary = 'vary = { start_cards = [["1", "2"], ["1", "2", "3"]], must_move = [true, false], hand_size = [0, 3], pieces = ["4,4,4"] }'
    file.write_text(QUESTION.replace(VARY, "").replace("games = 40", f"games = 40\n{vary}"), encoding="utf-8")
    assert question.load(str(file)).varied == [
        'start_cards=["1", "2"],["1", "2", "3"]', "must_move=true,false", "hand_size=0,3", "pieces=[4,4,4]",
    ]  # fmt: skip
