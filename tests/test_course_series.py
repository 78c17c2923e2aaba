"""What is worked out of the course of a round, by hand-made rounds: known values, teams, worlds in which a lead is worth nothing."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import simsorry
from simsorry import audit_metrics
from simsorry.games import audited

WAY = 100
ROUNDS: dict[str, dict[str, Any]] = {
    "always ahead": {"togo": [[80, 90, 95], [60, 85, 90], [30, 70, 80]], "winner": 0},
    "at the last": {"togo": [[90, 80, 95], [80, 40, 85], [70, 10, 80]], "winner": 0},
    "tied all the way": {"togo": [[90, 90], [50, 50], [20, 20]], "winner": 1},
    "tied with another": {"togo": [[70, 70, 90], [60, 50, 90]], "winner": 1},
    "ahead, behind, ahead": {"togo": [[60, 70], [60, 50], [30, 40]], "winner": 0},
    "taken back": {"togo": [[50, 60], [90, 40], [80, 40]], "winner": 1},
    "one round end": {"togo": [[30, 60]], "winner": 0},
    "none": {"togo": [], "players": 3, "winner": 2},
    "nobody": {"togo": [[60, 70], [50, 40]], "winner": None},
    "the lead goes round": {"togo": [[10, 20, 30], [30, 10, 20], [20, 20, 30], [25, 20, 10], [5, 20, 10]], "winner": 0},
    "teams": {"togo": [[70, 80, 80, 60], [30, 60, 70, 55]], "winner": 2, "team": True},
    "a hair from a quarter": {"togo": [[76, 90], [75, 90], [50, 50], [51, 26], [50, 25]], "winner": 1},
    "everybody level": {"togo": [[75, 75, 75], [50, 40, 50]], "winner": 1},
    "a long one": {"togo": [[90 - (t > 2000) * 60, 80] for t in range(2500)], "winner": 0},
}


def followed(rounds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    paths = [str(Path(__file__).parent), str(Path(simsorry.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "course_series.py")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "NUMBA_DISABLE_JIT": "1"},
        input=json.dumps(rounds),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@cache
def of_rounds() -> dict[str, dict[str, Any]]:
    return dict(zip(ROUNDS, followed([{"way": WAY, **told} for told in ROUNDS.values()]), strict=True))


# By hand: parts of 10,000, the game being the rounds up to each round end and the one that is won.
BY_HAND: dict[str, dict[str, Any]] = {
    # Nobody comes nearer than 70 before the end; the winner is at 60 at the second of three round ends.
    "always ahead": {"mean": 0, "most": 0, "root": 0, "rank": 0, "behind": 0, "last_lead": 0, "decided": 5_000, "lead_changes": 0},
    # 10, 40 and 60 behind one of two others; sqrt(.1), sqrt(.4), sqrt(.6) are .31623, .63246, .77460.
    "at the last": {"mean": 3_666, "most": 6_000, "root": 5_744, "rank": 5_000, "behind": 10_000, "last_lead": 7_500, "decided": 0},
    "tied all the way": {"mean": 0, "root": 0, "rank": 0, "behind": 0, "last_lead": 7_500, "decided": 0, "lead_changes": 0},
    # Nobody alone leads before the second round end, at which the winner is nearer than anybody else ever is.
    "tied with another": {"mean": 0, "last_lead": 3_333, "decided": 3_333, "lead_changes": 0},
    "ahead, behind, ahead": {"mean": 333, "most": 1_000, "behind": 3_333, "last_lead": 5_000, "decided": 2_500, "lead_changes": 2},
    "taken back": {"mean": 333, "most": 1_000, "last_lead": 2_500, "decided": 5_000, "lead_changes": 1},
    "one round end": {"round_ends": 1, "mean": 0, "last_lead": 0, "decided": 5_000, "lead_changes": 0, "ranks": [[1, 2], [1, 2], [0, 0]]},
    "none": {"round_ends": 0, "mean": 0, "root": 0, "decided": 0, "last_lead": 0, "lead_changes": 0, "ranks": [[0, 0, 0]] * 3},
    "nobody": {"round_ends": 2, "mean": 0, "most": 0, "behind": 0, "last_lead": 0, "decided": 0, "lead_changes": 1},
    # Sole leaders 0, 1, nobody, 2, 0: a tie keeps the one before, the first is no change.
    "the lead goes round": {"lead_changes": 3, "last_lead": 6_666, "ranks": [[1, 2, 3]] * 3},
    # 150 against 140, then 100 against 115, of 200 squares; seat 2 wins for the team of seat 0.
    "teams": {"mean": 250, "most": 500, "rank": 5_000, "last_lead": 3_333, "decided": 3_333, "ranks": [[2, 1] * 2, [1, 2] * 2, [0] * 4]},
    "a hair from a quarter": {"ranks": [[1, 2], [1, 1], [2, 1]]},
    "everybody level": {"ranks": [[1, 1, 1], [2, 1, 2], [0, 0, 0]]},
}  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND)
def test_known_values(name: str) -> None:
    found = of_rounds()[name]
    assert {key: found[key] for key in BY_HAND[name]} == BY_HAND[name]


def test_a_winner_who_always_led_has_no_drama_and_was_sure_all_along() -> None:
    (found,) = followed([{"way": WAY, "togo": [[90 - 2 * t, 95, 99] for t in range(40)], "winner": 0}])
    assert (found["mean"], found["most"], found["last_lead"]) == (0, 0, 0)
    assert found["decided"] == 10_000 * 40 // 41  # nearer than anybody else ever was from the first of 40 round ends on


def test_an_overtaking_in_the_last_round_is_late_and_never_decided_before() -> None:
    (found,) = followed([{"way": WAY, "togo": [[99, 95 - 2 * t] for t in range(40)], "winner": 0}])
    assert found["last_lead"] == 10_000 * 40 // 41
    assert found["decided"] == 0
    assert found["behind"] == 10_000


def test_a_round_with_more_ends_than_there_is_room_for_is_followed_at_every_other() -> None:
    found = of_rounds()["a long one"]  # in place 0 of 2,500 round ends 10 behind, and 50 ahead after 2,001 of them
    assert found["round_ends"] == 2_500
    assert found["mean"] == pytest.approx(10_000 * 0.1 * 2001 / 2500, abs=2)
    assert found["behind"] == pytest.approx(10_000 * 2001 / 2500, abs=10)
    assert found["last_lead"] == pytest.approx(10_000 * 2001 / 2501, abs=10)
    assert found["decided"] == pytest.approx(10_000 * 499 / 2501, abs=10)
    assert found["lead_changes"] == 1


def test_shares_are_shares() -> None:
    for found in of_rounds().values():
        assert all(0 <= found[name] <= 10_000 for name in ("mean", "most", "root", "rank", "behind", "last_lead", "decided"))
        assert found["mean"] <= found["most"]


def test_ranks_are_those_of_a_competition() -> None:
    luck = np.random.default_rng(2)
    rounds = [{"way": 20, "togo": luck.integers(0, 21, (6, 4)).tolist(), "winner": 1} for _ in range(40)]
    for found in followed(rounds):
        for ranks in found["ranks"]:
            assert [1 + sum(other < rank for other in ranks) for rank in ranks] == ranks or not any(ranks)


# -- leads that mean nothing ---------------------------------------------------------------------------


def walks(seed: int, games: int, round_ends: int) -> NDArray[np.int64]:
    """Squares to go of four sides that walk by themselves, each round as fast as ever."""
    steps = np.random.default_rng(seed).integers(-8, 25, (games, round_ends, 4))
    return 20_000 - steps.cumsum(axis=1)


def slope_of(leads: NDArray[Any]) -> tuple[float, float]:
    """The metric, and its standard error from game to game."""
    blocks = np.zeros((len(leads), audited.SIZE))
    blocks[:, audited.OFFSETS["leads"] : audited.OFFSETS["leads"] + 5] = leads
    top, bottom = audit_metrics.feedback(blocks)
    slope = float(top.sum() / bottom.sum())
    return slope, float(np.sqrt(((top - slope * bottom) ** 2).sum()) / bottom.sum())


def over_the_best(togo: NDArray[np.int64]) -> NDArray[np.float64]:
    """The same sums of the lead over whoever is best, another one every time."""
    best = np.array([np.delete(togo, side, axis=2).min(axis=2) - togo[:, :, side] for side in range(4)])
    before, change = best[:, :, :-1], np.diff(best, axis=2)
    sums = [np.ones_like(before), before, change, before**2, before * change]
    return np.array([each.sum(axis=(0, 2)) for each in sums]).T.astype(float)


def test_feedback_is_nothing_where_everybody_walks_alone() -> None:
    togo = walks(5, games=150, round_ends=16)
    found = followed([{"way": 20_000, "togo": game.tolist(), "winner": None} for game in togo])
    slope, error = slope_of(np.array([game["leads"] for game in found]))
    assert abs(slope) < 3 * error < 0.02
    naive, naive_error = slope_of(over_the_best(walks(5, games=3_000, round_ends=16)))
    assert naive < -5 * naive_error  # who is best of several gains on everybody


def test_feedback_is_what_the_world_gives_back() -> None:
    """Where every round end takes a tenth of all distances back, and where it adds to them."""
    luck = np.random.default_rng(6)
    for rate in (-0.1, 0.1):
        games = []
        for _ in range(60):
            ahead, togo = np.zeros(2), []
            for _ in range(20):
                ahead = ahead * (1 + rate) + luck.integers(-30, 31, 2)
                togo.append([round(10_000 - squares) for squares in ahead])
            games.append({"way": 20_000, "togo": togo, "winner": None})
        slope, error = slope_of(np.array([game["leads"] for game in followed(games)]))
        assert slope == pytest.approx(rate, abs=max(4 * error, 0.01))
