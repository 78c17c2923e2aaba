"""Sorreesi's source in other clothes: as plain Python, and compiled with checks of every index."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sorreesi_tools import BACKWARD, FORWARD, MIXED, Rows, assert_same, line_up, play

import simsorry
from simsorry.games import audited
from simsorry.games.sorreesi.rules import Rules

GAMES = 1  # in plain Python
MORE_GAMES = 40  # compiled
CHECKED_GAMES = 12  # compiled without optimizing, with checks
FIRST_GAME = 2**40 - 2**40 % audited.EVERY  # the first is audited

# Rules by name, players and policies. All lists, all ways of scoring, few and many pawns.
DANGER = {"threats": -3.0, "stake": -0.1, "targets": 2.0, "sorry_risk": -0.2, "leader_progress": -0.5, "on_safe": 4.0, "lead": 0.5}
EVENTS = {"fight_risk": -1.0, "fight_gain": 1.0, "bonus_lost": -1.0, "pawns_behind": 0.5, "safe_left": -2.0, "hops": 0.2, "fights": 0.1}
WEIGHED = (DANGER, EVENTS, {}, FORWARD)
TEAMS = {"team_pairs": "opposite", "team_sorry_target": "any", "team_eleven_partner": True, "fight_bonus": 20}
POOL = {"team_pairs": (("red", "blue"), ("yellow", "green")), "team_control": "both_colors", "seven_parts": 4, "home_overshoot": "bounce"}
STRICT = {"card_compulsion": "global", "dice_pass": "none", "bonus_forced": True, "enter_forced": True, "bonus_timing": "end_of_roll"}
LATER = {"resolution_order": "dice_then_card", "doubles_redraw": "dice_and_card", "bonus_timing": "end_of_turn", "game_end": "all_home"}
DOUBLES = {"doubles_bottoms": True, "third_double": "play_then_penalty", "triple_penalty_piece": "closest_to_home"}
SHARED = {"fight_tie": "both_stay", "swap_requires_single": False, "sorry_on_safe": "fight", "turnoff_safe_for": "owner"}
PILE = {"reshuffle_when": "when_last_taken", "card_in_play_in_reshuffle": "excluded", "first_player": "rotate"}
SPINNER = {"draw": "with_replacement", "combine_mode": "single_hop", "team_pairs": "opposite", "team_win": "first_member"}
SPLITS = {"seven_parts": 7, "quick_start_pawns": 7, "turn_cap": 8, "deck_counts": dict.fromkeys(("7", "11", "sorry"), 9)}
TASKS: dict[str, tuple[Rules, int, tuple[dict[str, float], ...]]] = {
    "the sheet": (Rules(turn_cap=60), 4, ()),
    "weighed": (Rules(turn_cap=60), 3, WEIGHED),
    "few pawns": (Rules(pawns=2), 2, MIXED),
    "teams": (Rules(**TEAMS, pawns=2), 4, (*WEIGHED[:3], BACKWARD)),
    "a pool": (Rules(**POOL, pawns=2), 4, ()),
    "a pool weighed": (Rules(**POOL, pawns=3, turn_cap=40, home_path_length=8), 4, WEIGHED),
    "strict": (Rules(**STRICT, pawns=3), 3, ()),
    "later": (Rules(**LATER, pawns=2), 2, WEIGHED),
    "doubles": (Rules(**DOUBLES, pawns=2), 3, MIXED),
    "shared squares": (Rules(**SHARED, safe_squares=tuple(range(17)), pawns=4, turn_cap=60), 4, ()),
    "pile": (Rules(**PILE, pawns=3, fight_tie="defender", combine_mode="sequential"), 2, ()),
    "spinner": (Rules(**SPINNER, pawns=1), 4, MIXED),
    "splits": (Rules(**SPLITS, pawns=7), 2, ()),
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


PLAY_ALL = "import sys, test_sorreesi_modes; test_sorreesi_modes.play_all(sys.argv[1])"


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
COUNTED = ["bumps", "bumps_sorry", "bumps_fight", "partner_bumps", "multi_captures", "fights", "fights_lost", "fight_ties", "swaps"]
COUNTED += ["splits", "backs", "passes", "hops", "starts_dice", "bonuses_used", "bonuses_lost", "home_bonuses_used", "third_doubles"]
COUNTED += ["penalties", "reshuffles", "capped", "homes", "lead_changes"]


def test_the_tasks_do_what_they_are_for() -> None:
    total: dict[str, Any] = {}
    for name in TASKS:
        rows = rows_of(name, MORE_GAMES)
        for column in COUNTED:
            total[column] = total.get(column, 0) + int(rows.game(column).sum())
    assert min(total.values()) >= 10, total
