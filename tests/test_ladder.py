"""The skill ladder: which duels it plays, what made-up ones come to, what is said of them, and a small one that is played."""

import json
import math
import threading
from pathlib import Path

import numpy as np
import pytest
from cli_tools import refused, said

from simsorry import ladder, policies, rulesets, skill, stats
from simsorry.ladder import Chain, Ladder
from simsorry.report import ladder as report
from simsorry.skill import Dealt, Design

LOOKS = "balanced~playouts=8~horizon=2"


def chain(*names: str, ruleset: str = "hasbro", players: int = 4, deals: int = 400, deep: int = 20) -> Chain:
    loaded = rulesets.load(ruleset)
    design = Design(loaded, players, policies.load("balanced", loaded.game), deals, 1)
    return Chain(design, tuple(policies.load(name, loaded.game) for name in names), deep)


def dealt(share: float, deals: int = 400, sides: int = 4) -> Dealt:
    """Deals in which the one side wins this share of the games on average, one game more or less in each."""
    wins = np.full(deals, share * sides)
    wins[::2] += 1
    wins[1::2] -= 1
    return Dealt(wins, np.full(deals, float(sides)), {})


def measured(asked: Chain, steps: dict[str, float], gaps: dict[str, float]) -> Ladder:
    """A ladder on which rungs win these shares against the rung below, and these against random players."""
    found = {(duel.one.hash, duel.others.hash): dealt(gaps[duel.name]) for duel in asked.at_random if duel and duel.name in gaps}
    found |= {(duel.one.hash, duel.others.hash): dealt(steps[duel.name]) for duel in asked.steps}
    return ladder.measure(asked, found)


# -- what is played --------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["hasbro", "hasbro-points", "sorreesi", "ice"])
def test_the_default_ladder_begins_at_random_and_ends_with_looking_ahead(ruleset: str) -> None:
    asked = chain("random", ruleset=ruleset)
    rungs = ladder.default_rungs(asked.design.ruleset.game)
    assert rungs[0].name == "random"
    assert len({rung.hash for rung in rungs}) == len(rungs)
    assert asked.design.task([rungs[-1]] * 4).is_deep
    assert not asked.design.task([rungs[2]] * 4).is_deep
    assert {"balanced", "tuned", "expect"} < {rung.name for rung in rungs}


def test_each_rung_meets_the_one_below_and_random_players() -> None:
    asked = chain("random", "racer", "balanced")
    assert [(duel.one.name, duel.others.name) for duel in asked.steps] == [("racer", "random"), ("balanced", "racer")]
    assert [duel and (duel.one.name, duel.others.name) for duel in asked.at_random] == [None, ("racer", "random"), ("balanced", "random")]
    assert asked.games == 4 * 400 * 3  # the first step is played once
    assert chain("racer", "balanced").games == 4 * 400 * 3
    assert chain("random", "racer", ruleset="hasbro-teams").games == 2 * 400


def test_who_looks_ahead_plays_fewer_games() -> None:
    asked = chain("balanced", LOOKS)
    assert [asked.deals(duel) for duel in asked.steps] == [20]
    assert [asked.deals(duel) for duel in asked.at_random if duel] == [400, 20]
    assert asked.games == 4 * (20 + 400 + 20)
    assert asked.deep_games == 4 * (20 + 20)
    assert len(asked.entry_points) == 2


def test_a_played_ladder_is_the_duels_of_skill() -> None:
    asked = chain("random", "racer", "balanced", deals=30)
    played: list[int] = []
    found = ladder.climb(asked, threads=1, on_games=played.append)
    assert found is not None
    assert sum(played) == asked.games
    (_, _, first), (_, _, second) = found.steps
    racer, balanced, random = (policies.load(name) for name in ("racer", "balanced", "random"))
    for step, others in ((first, random), (second, racer)):
        one = racer if others is random else balanced
        same = skill.deal(asked.design, skill.Duel("", "", one, others))
        assert same is not None
        assert step.share == skill.share_of(same)
    assert found.rungs[1].share == first.share
    assert found.rungs[0].gap is None


def test_stopping_ends_it_without_a_ladder() -> None:
    stop = threading.Event()
    assert ladder.climb(chain("random", "racer", deals=2000), stop=stop, on_games=lambda _: stop.set()) is None


# -- what it comes to ------------------------------------------------------------------------------


def test_elo_points_by_hand() -> None:
    # One of four that is three times as strong as each of the others wins 3 of 6: log10(3) = 0.477.
    half = ladder.elo_of(stats.Estimate(0.5, 0.25, 1.0, 80, "share"), 0.25)
    assert half.value == pytest.approx(400 * math.log10(3))
    assert half.low == pytest.approx(0)
    assert half.high == math.inf
    assert half.n == 80
    # One of two that wins 10 of 11.
    assert ladder.elo_of(stats.Estimate(10 / 11, 0.0, 1.0, 11, "share"), 0.5).value == pytest.approx(400)


def test_a_made_up_ladder() -> None:
    asked = chain("random", "racer", "starter", "balanced")
    found = measured(
        asked,
        {"racer": 0.4, "starter": 0.55, "balanced": 0.3},
        {"balanced": 0.7, "starter": 0.625},
    )
    assert [step.share.value for _, _, step in found.steps] == pytest.approx([0.4, 0.55, 0.3])
    assert [step.change.value for _, _, step in found.steps] == pytest.approx([0.15, 0.3, 0.05])
    assert [rung.gap and round(rung.gap.value, 6) for rung in found.rungs] == [None, 0.2, 0.5, 0.6]
    assert [step.verdict.word for _, _, step in found.steps if step.verdict] == [stats.DIFFERENT] * 3
    assert found.largest
    assert found.largest[1].policy.name == "starter"
    assert found.flat_from == 3
    # The wins of four games are one above or below their mean in every deal.
    assert found.steps[0][2].share.high - 0.4 == pytest.approx(1.966 * 0.25 / math.sqrt(400), rel=0.01)


def test_verdicts_on_steps_are_corrected_together() -> None:
    one = measured(chain("random", "racer"), {"racer": 0.28}, {})
    more = measured(chain("random", "racer", "starter"), {"racer": 0.28, "starter": 0.25}, {"starter": 0.5})
    (alone,), (among, _) = ([step.verdict for _, _, step in found.steps] for found in (one, more))
    assert alone
    assert among
    assert among.p_value == pytest.approx(2 * alone.p_value)


@pytest.mark.parametrize(
    ("shares", "flat_from", "told", "title"),
    [
        ((0.5, 0.6), 2, ["Most is added by starter: one player of it against three of racer", "ceiling of skill is not"], "still rises"),
        ((0.6, 0.5), 2, ["Most is added by racer", "The top rung, starter, still wins more than the one below (50.0% ("], "still rises"),
        ((0.6, 0.25), 1, ["No rung above racer is shown", "starter is not shown to win more (25.0% (", "is open"], "no rung above racer"),
        ((0.6, 0.1), 1, ["starter wins less (10.0% (", "that is the ceiling of skill"], "ends at racer"),
        ((0.1, 0.6), 2, ["but racer less than the one below it, so that the ladder does not say"], "still rises"),
        ((0.1, 0.25), 0, ["No rung is shown to win more than the one below it. Against the rung below, racer wins"], "no rung is"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_ladder(shares: tuple[float, float], flat_from: int, told: list[str], title: str) -> None:
    found = measured(chain("random", "racer", "starter"), dict(zip(("racer", "starter"), shares, strict=True)), {"starter": 0.7})
    assert found.flat_from == flat_from
    text = report.in_short(found)
    for each in told:
        assert each in text
    assert text.startswith("The skill ladder is random, racer and starter. ")
    assert text.endswith("Against three at random starter comes farthest, 0.60 (0.57 to 0.63) of the way from a lottery to a certain win.")
    assert title in report._finding(found)


def test_without_a_winner_there_is_nothing_to_say() -> None:
    asked = chain("random", "racer", "balanced")
    nothing = Dealt(np.zeros(20), np.zeros(20), {})
    found = ladder.measure(asked, dict.fromkeys(asked.distinct, nothing))
    assert found.steps == []
    assert found.largest is None
    assert found.no_winner == 3 * 80
    assert "had a winner before the turn cap" in report.in_short(found)
    (part,) = report.section(found).parts
    assert part.pictures == ()
    assert part.tables[0].rows[1][1:] == ("random", "0", "–", "–\n–", "–", "–")
    json.dumps(stats.plain(report.as_json(found)), allow_nan=False)


def test_who_always_wins_has_no_bound() -> None:
    asked = chain("racer", "balanced")
    always = Dealt(np.full(400, 4.0), np.full(400, 4.0), {})
    found = ladder.measure(asked, dict.fromkeys(asked.distinct, always))
    (table,) = report.section(found).parts[0].tables
    assert table.rows[1][4] == "+75.00 pp (+74.76 to +75.00)\ndifferent"
    # Wilson's bound is 1600 / (1600 + 1.96²): odds of 416.5, against even ones of 1 to 3.
    assert table.rows[1][5] == "+∞ (+1,239 to +∞)"
    assert stats.plain(report.as_json(found))["rungs"][1]["step"]["elo"]["value"] is None


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A report with a ladder, and what the command said."""
    out = tmp_path_factory.mktemp("ladder") / "report"
    return out, said("skill", "hasbro", "--players", "2", "--games", "40", "--rungs", "random, racer,balanced", "--out", str(out), "-q")


def test_the_command_says_where_skill_ends(made: tuple[Path, str]) -> None:
    out, text = made
    words = " ".join(text.split())
    assert "certain win. 80 games. The skill ladder is random, racer and balanced. " in words
    assert "of 80 games, where 50% would be even." in words
    html = (out / "report.html").read_text(encoding="utf-8")
    for each in ("The skill ladder", "Each rung against the one below", "0, by definition", "Elo points", "80 games for each number."):
        assert each in html
    assert (out / "figures" / "ladder.png").exists()


def test_the_document_has_the_ladder(made: tuple[Path, str]) -> None:
    document = json.loads((made[0] / "report.json").read_text(encoding="utf-8"))
    found = document["ladder"]
    assert [rung["policy"]["name"] for rung in found["rungs"]] == ["random", "racer", "balanced"]
    assert found["games"] == 3 * 80
    lowest, racer, balanced = found["rungs"]
    assert lowest["step"] is lowest["skill_gap"] is None
    assert balanced["step"]["against"] == "racer"
    assert racer["step"]["share"] == racer["share_against_random"]
    assert racer["skill_gap"]["value"] == pytest.approx(2 * racer["step"]["share"]["value"] - 1)
    # The careful player is the top rung, and its duel with random players the same games.
    assert balanced["share_against_random"] == document["share"]
    assert balanced["skill_gap"] == document["skill_gap"]


@pytest.mark.parametrize(
    ("arguments", "told", "code"),
    [
        (("--rungs", "balanced"), "--rungs balanced: two policies at least are needed, the lowest first", 2),
        (("--rungs", "random,racer,random"), "--rungs: random plays classic just like random", 2),
        (("--rungs", "random,balanced~mistakes=0,balanced"), "balanced plays classic just like balanced~mistakes=0", 2),
        (("--rungs", "random,nobody"), "nobody", 4),
        (("--ladder-games", "50"), "--ladder-games 50: no ladder is played; ask for it by --ladder or --rungs", 2),
        (("--ladder", "--ladder-games", "few"), "--ladder-games few: a whole number from 20", 2),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(tmp_path: Path, arguments: tuple[str, ...], told: str, code: int) -> None:
    assert told in refused("skill", "hasbro", "--out", str(tmp_path / "report"), *arguments, code=code)
    assert not (tmp_path / "report").exists()
