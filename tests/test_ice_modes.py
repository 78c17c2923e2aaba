"""The source of Ice Soo Sorry! in other clothes: as plain Python, and compiled with checks of every index."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ice_tools import BACKWARD, FORWARD, MIXED, Rows, assert_same, line_up, play

import simsorry
from simsorry.games import audited
from simsorry.games.ice.rules import Rules

GAMES = 1  # in plain Python
MORE_GAMES = 40  # compiled
CHECKED_GAMES = 12  # compiled without optimizing, with checks
FIRST_GAME = 2**40 - 2**40 % audited.EVERY  # the first is audited

# Rules by name, players and policies. All lists, all ways of scoring, few and many pawns.
DANGER = {"threats": -3.0, "stake": -0.1, "targets": 2.0, "sorry_risk": -0.2, "cover_risk": -1.0, "leader_progress": -0.5, "lead": 0.5}
PILES = {
    "burden": -0.2,
    "led": 1.0,
    "carried": -1.0,
    "stacked": 0.3,
    "foe_covered_progress": 0.1,
    "leader_covered": 2.0,
    "pawns_behind": 0.5,
}
HAND = {
    "progress": 0.1,
    "pawns_behind": 0.5,
    "holds_start": 3.0,
    "variety": 1.0,
    "holds_7": 2.0,
    "home_size": 4.0,
    "large_in_start": -3.0,
    "slides": 1.0,
}
WEIGHED = (DANGER, PILES, HAND, FORWARD)
TOP = {"ice_contact_piece": "top", "ice_mixed_stack_zone": "drop_at_entry", "ice_slide_order": "first_met_lowest"}
CARRY = {"ice_slide_mode": "carry_stacked", "ice_slide_triangle": "take", "slides": "all", "pass_scope": "always"}
ON_TOP = {"ice_swap_mode": "land_on_top", "ice_mixed_stack_zone": "to_start", "ice_sorry_target": "any_in_pile", "sorry_alt_forward": 4}
BOUNCE = {"home_overshoot": "bounce", "ice_carry_past_entry": "forbidden", "ice_seven_same_pile": "forbidden"}
DRAWN = {"hand_size": 4, "two_in_hand": "play_drawn", "hand_refill": "end_of_turn", "dead_hand": "random", "two_playable_idle": True}
SPINNER = {"hand_size": 0, "draw": "with_replacement", "ice_slide_mode": "end_only", "ice_swap_mode": "same_size", "first_player": "rotate"}
PILE = {"hand_size": 0, "reshuffle_when": "when_last_taken", "card_in_play_in_reshuffle": "excluded", "game_end": "all_home"}
MATCH = {"score_home_to": "all_players", "match_end": "rounds:2", "next_leader": "random", "bonus_bands": "cumulative"}
SEVENS = {"deck_counts": dict.fromkeys(("1", "2", "3", "7", "11", "sorry"), 9), "quick_start_pawns": 6}
TASKS: dict[str, tuple[Rules, int, tuple[dict[str, float], ...]]] = {
    "the sheet": (Rules(turn_cap=60), 4, ()),
    "weighed": (Rules(pieces=(2, 2, 2), turn_cap=60), 4, WEIGHED),
    "few pawns": (Rules(pieces=(1, 0, 1)), 2, MIXED),
    "contact at the top": (Rules(**TOP, **SEVENS, turn_cap=40), 3, ()),
    "units ride": (Rules(**CARRY, **SEVENS, turn_cap=30), 2, WEIGHED),
    "on top": (Rules(**ON_TOP, **SEVENS, turn_cap=24), 4, ()),
    "bounces": (Rules(**BOUNCE, swap_may_cross_entry=False, pieces=(2, 1, 0), turn_cap=100), 3, (*WEIGHED[:2], BACKWARD)),
    "drawn": (Rules(**DRAWN, pieces=(1, 1, 1), first_turn_dead_hand="skip", turn_cap=100), 4, MIXED),
    "spinner": (Rules(**SPINNER, pieces=(2, 2, 0), turn_cap=100), 4, ()),
    "pile": (Rules(**PILE, pieces=(1, 1, 0)), 3, MIXED),
    "match": (Rules(**MATCH, pieces=(1, 0, 0), must_move=False), 3, (HAND, {}, FORWARD)),
}


def rows_of(name: str, games: int) -> Rows:
    rules, players, weights = TASKS[name]
    return play(rules, players, games, policies=line_up(players, *weights), seed=2**63 + 5, first_game=FIRST_GAME)


def play_all(file: str) -> None:
    """Plays all tasks in this process and writes their rows to a file; what the tests below run elsewhere."""
    import numba

    compiled = not numba.config.DISABLE_JIT
    games = CHECKED_GAMES if compiled else GAMES
    with np.errstate(over="raise" if compiled else "ignore"):  # numbers are meant to run over, and numpy scalars would say so
        rows = {name: rows_of(name, games) for name in TASKS}
    np.savez(file, **{f"{name} {part}": table for name in TASKS for part, table in rows[name]._asdict().items()})


def run(code: str, file: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(simsorry.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", code, str(file)],
        env={**os.environ, "PYTHONPATH": paths, **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def rows_from(file: Path) -> dict[str, Rows]:
    with np.load(file) as found:
        return {name: Rows(*(found[f"{name} {part}"] for part in Rows._fields)) for name in TASKS}


def assert_all_same(one: Rows, other: Rows) -> None:
    """Fails unless rows and audits are equal."""
    assert_same(one, other)
    assert np.array_equal(one.audits, other.audits)
    assert audited.section(one.audits, "games").sum() == -(-one.games.shape[1] // audited.EVERY)


PLAY_ALL = "import sys, test_ice_modes; test_ice_modes.play_all(sys.argv[1])"


def test_plain_python_plays_the_same_games(tmp_path: Path) -> None:
    file = tmp_path / "rows.npz"
    done = run(PLAY_ALL, file, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    for name, rows in rows_from(file).items():
        assert_all_same(rows_of(name, GAMES), rows)


CHECKED = f"import numba\nassert numba.config.BOUNDSCHECK\n{PLAY_ALL}"


@pytest.mark.slow  # compiles everything once more; in plain Python, where no array lets itself be read beyond its end, the same is played
def test_no_index_is_out_of_bounds(tmp_path: Path) -> None:
    file = tmp_path / "rows.npz"
    done = run(CHECKED, file, NUMBA_BOUNDSCHECK="1", NUMBA_OPT="0", SIMSORRY_CACHE=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    for name, rows in rows_from(file).items():
        assert_all_same(rows, rows_of(name, CHECKED_GAMES))


# What tasks count, so that it is compared: each at least so often.
COUNTED = ["starts", "sorry_starts", "swaps", "slides", "splits", "backs", "passes", "homes", "throws", "stack_moves", "carried", "swept"]
COUNTED += ["covers", "stacks", "pawns_covered", "pawns_freed", "reshuffles", "capped", "lead_changes", "band_3"]


def test_the_tasks_do_what_they_are_for() -> None:
    total: dict[str, Any] = {}
    for name in TASKS:
        rows = rows_of(name, MORE_GAMES)
        for column in COUNTED:
            total[column] = total.get(column, 0) + int(rows.game(column).sum())
    assert min(total.values()) >= 10, total
