"""The same source in other clothes: as plain Python, and compiled with checks of every index."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_tools import MIXED, Rows, assert_same, line_up, play

import simsorry
from simsorry import rulesets
from simsorry.games import audited, classic
from simsorry.games.classic.rules import Rules

GAMES = 2  # in plain Python
MORE_GAMES = 40  # compiled
CHECKED_GAMES = 12  # compiled without optimizing, with checks
FIRST_GAME = 2**40 - 2**40 % audited.EVERY  # the first is audited

# Rules by name, players and whether all play at random. Fast and full lists, all policies, few and many pawns.
LAPS = {"forward_past_entry": "decline_ok", "pass_scope": "always", "own_collision": "ends_turn", "must_move": False}
PILE = {"reshuffle_when": "when_last_taken", "card_in_play_in_reshuffle": "excluded", "first_player": "rotate"}
TOGETHER = {"seven_resolution": "simultaneous", "seven_parts": 4, "home_overshoot": "bounce"}
SHARED = {"team_pairs": "opposite", "team_collision": "coexist", "team_eleven_partner": True, "seven_parts": 4, "slide_after_swap": "both"}
AWAY = {"team_pairs": (("red", "blue"), ("yellow", "green")), "team_collision": "bump_mover", "seven_resolution": "simultaneous"}
DRAWN = {"hand_size": 4, "two_in_hand": "play_drawn", "hand_refill": "end_of_turn", "dead_hand": "random", "two_playable_idle": True}
POINTS = {"score_home_to": "all_players", "bonus_bands": "cumulative", "band_measure": "total"}
TASKS: dict[str, tuple[Rules, int, bool]] = {
    "hasbro": (rulesets.load("hasbro").rules, 4, True),
    "hasbro weighed": (rulesets.load("hasbro").rules, 3, False),
    "french": (rulesets.load("french").rules, 3, True),
    "2013": (rulesets.load("hasbro-2013-base").rules, 2, False),
    "apologies": (rulesets.load("apologies").rules, 4, False),
    "own pawns": (Rules(own_collision="bump_self", own_on_triangle="bump", slides="all", pawns=3), 4, True),
    "shared squares": (Rules(own_collision="share", pawns=6, seven_parts=3, quick_start_pawns=2, turn_cap=120), 3, False),
    "together": (Rules(**TOGETHER, pawns=5, turn_cap=120), 2, True),
    "laps": (Rules(**LAPS, turn_cap=200), 4, False),
    "pile": (Rules(**PILE, pawns=8, turn_cap=150), 2, True),
    "spinner": (Rules(draw="with_replacement", swap_may_cross_entry=False, game_end="all_home", pawns=1), 4, False),
    "hands": (rulesets.load("hasbro-points").rules, 3, False),
    "hands at random": (Rules(hand_size=7, hand_refill="when_empty", dead_hand="oldest", pawns=2), 4, True),
    "hands, full list": (Rules(**DRAWN, own_collision="bump_self", card_in_play_in_reshuffle="excluded", pawns=2, turn_cap=120), 2, False),
    "teams": (Rules(team_pairs="opposite", pawns=2), 4, True),
    "teams weighed": (Rules(team_pairs="opposite", team_control="own_only", team_win="first_member", pawns=2), 4, False),
    "teams, full list": (Rules(**SHARED, pawns=2, turn_cap=60), 4, True),
    "teams, hands, full list": (Rules(**AWAY, **DRAWN, team_finished_player="skips", pawns=2, turn_cap=60), 4, False),
    "teams, hands": (Rules(team_pairs="opposite", hand_size=5, game_end="all_home", pawns=1), 4, False),
    "match": (Rules(**POINTS, hand_size=5, pawns=1, quick_start_pawns=1, match_end="rounds:2", next_leader="random"), 3, False),
    "match of teams": (Rules(team_pairs="opposite", pawns=1, match_end="target:2", next_leader="next_seat"), 4, True),
}


def rows_of(name: str, games: int) -> Rows:
    rules, players, at_random = TASKS[name]
    policies = line_up(players, *([] if at_random else MIXED))
    return play(rules, players, games, policies=policies, seed=2**63 + 5, first_game=FIRST_GAME)


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


PLAY_ALL = "import sys, test_engine_modes; test_engine_modes.play_all(sys.argv[1])"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rows]:
    """The rows of every task as plain Python plays it."""
    file = tmp_path_factory.mktemp("plain") / "rows.npz"
    done = run(PLAY_ALL, file, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    return rows_from(file)


@pytest.mark.parametrize("name", TASKS)
def test_plain_python_plays_the_same_games(plain: dict[str, Rows], name: str) -> None:
    assert_all_same(plain[name], rows_of(name, GAMES))


# The program that plays all tasks also reads beyond the end of a record's array, to show that this would be noticed.
CHECKED = """
import os, sys, numpy as np, numba, test_engine_modes
from simsorry import jit
assert numba.config.BOUNDSCHECK
assert str(jit.cache_folder()).startswith(os.environ["SIMSORRY_CACHE"])

@jit.small
def read(record, at):
    return record.word[at]

@numba.njit
def probe(scratch, at):
    return read(scratch[0], at)

scratch = test_engine_modes.classic.new_scratch()
assert probe(scratch, np.uint64(3)) == 0
try:
    probe(scratch, np.uint64(4))
except IndexError:
    pass
else:
    raise SystemExit("reading beyond the end of an array goes unnoticed")
test_engine_modes.play_all(sys.argv[1])
"""


@pytest.mark.slow  # compiles everything once more; in plain Python, where no array lets itself be read beyond its end, the same is played
def test_no_index_is_out_of_bounds(tmp_path: Path) -> None:
    file = tmp_path / "rows.npz"
    done = run(CHECKED, file, NUMBA_BOUNDSCHECK="1", NUMBA_OPT="0", SIMSORRY_CACHE=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    for name, rows in rows_from(file).items():
        assert_all_same(rows, rows_of(name, rows.games.shape[1]))


def test_the_tasks_use_both_loops_and_lists_with_hands_and_teams_or_without() -> None:
    records = [classic.compile_rules(rules, players)[0] for rules, players, _ in TASKS.values()]
    ways = {tuple(bool(record[name]) for name in ("single", "plain", "hand_size", "team")) for record in records}
    plain_and_alone = (False, True, False, False)  # which the fast loop plays, but for points and matches
    assert ways - {plain_and_alone} == {(True, True, False, False), *((False, *way) for way in product((True, False), repeat=3))} - {
        plain_and_alone
    }


# What tasks count, so that it is compared: each at least so often.
COUNTED = ["bumps", "own_bumps", "swaps", "slides", "splits", "backs", "passes", "reshuffles", "capped", "bumps_sorry", "partner_bumps"]
COUNTED += ["throws", "throw_choice_turns", "match_upsets", "band_1", "band_2", "band_3"]


def test_the_tasks_do_what_they_are_for() -> None:
    total: dict[str, Any] = {}
    for name in TASKS:
        rows = rows_of(name, MORE_GAMES)
        for column in COUNTED:
            total[column] = total.get(column, 0) + int(rows.game(column).sum())
    assert min(total.values()) >= 20, total
