"""Whole games: the engine against the referee fed with the same luck, and what must hold after every card."""

import random
from typing import Any

import numpy as np
import pytest
from engine_invariants import Course, sound_course
from engine_replay import follow, policies
from engine_tools import MIXED, SEATED, Recorder, line_up, play, random_rules, single_changes

from simsorry import rulesets
from simsorry.games import classic, track
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS

RULESETS = {name: rulesets.load(name).rules for name in rulesets.names("classic")}
PLAYERS = sorted(SEATED)
TABLES = [(name, players) for name, rules in RULESETS.items() for players in PLAYERS if players == 4 or not rules.team_pairs]
CHANGES = [(players, label, change) for players in PLAYERS for label, change in single_changes(players)]


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return Recorder()


# -- the referee in the same games -----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_referee_counts_the_same(recorder: Recorder, name: str, players: int) -> None:
    number = list(RULESETS).index(name) + players  # random and mixed players in turn
    followed = follow(recorder, RULESETS[name], players, number)
    assert not followed.game["capped"]


@pytest.mark.parametrize(("players", "label", "change"), CHANGES, ids=[f"{label}-{players}" for players, label, _ in CHANGES])
def test_every_option_plays_to_an_end(recorder: Recorder, players: int, label: str, change: dict[str, Any]) -> None:
    rules = Rules(**{"pawns": max(2, change.get("quick_start_pawns", 0))} | change)
    game = follow(recorder, rules, players, len(label)).game
    assert game["capped"] == ("turn_cap" in change and game["turns_all"] == rules.turn_cap)
    assert game["capped"] or game["winner"] < players


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("pawns", [1, 2, 3, 4, 6])
def test_the_referee_counts_the_same_under_any_rules(recorder: Recorder, pawns: int, players: int) -> None:
    luck = random.Random(10 * pawns + players)
    for number in range(24 // pawns):
        fixed = {"pawns": pawns, "turn_cap": 800 // pawns**2, "seven_parts": luck.choice((1, 2, 2, 3))}
        follow(recorder, random_rules(luck, players, most=6, **fixed), players, number)


def test_the_referee_counts_the_same_in_matches_with_head_starts(recorder: Recorder) -> None:
    rules = Rules(pawns=2, head_starts=(0, 15), match_end="rounds:2", next_leader="next_seat")
    for number, players in enumerate((2, 3, 4)):
        assert follow(recorder, rules, players, number).game["match_rounds"] > 1


TIGHT_DECK = dict.fromkeys(CARDS, 1) | {"1": 2, "2": 5}


@pytest.mark.parametrize("counts", ["deck_45", TIGHT_DECK], ids=["deck_45", "many 2s"])
@pytest.mark.parametrize("excluded", ["included", "excluded"])
@pytest.mark.parametrize("when", ["on_draw_from_empty", "when_last_taken"])
def test_the_referee_reshuffles_the_same(recorder: Recorder, when: str, excluded: str, counts: Any) -> None:
    reshuffles = 0
    for number in range(8):
        rules = Rules(pawns=2, deck_counts=counts, reshuffle_when=when, card_in_play_in_reshuffle=excluded, turn_cap=150)
        reshuffles += follow(recorder, rules, 2 + number % 3, number).game["reshuffles"]
    assert reshuffles >= 8


# -- after every card ------------------------------------------------------------------------------------


def assert_sound(recorder: Recorder, rules: Rules, players: int, number: int) -> Course:
    tables = classic.compile_rules(rules, players)
    recording = recorder.record(tables, policies(players, number), 11, number)
    return sound_course(rules, tables, recording, f"game {number} of seed 11")


@pytest.mark.parametrize("name", RULESETS)
def test_invariants_of_the_rulesets(recorder: Recorder, name: str) -> None:
    players = [players for ruleset, players in TABLES if ruleset == name]
    for number in range(3):
        assert_sound(recorder, RULESETS[name], players[number % len(players)], number)


@pytest.mark.parametrize("pawns", range(1, 9))
def test_invariants_of_any_rules(recorder: Recorder, pawns: int) -> None:
    luck = random.Random(pawns)
    for number in range(12):
        rules = random_rules(luck, 2 + number % 3, most=6, pawns=pawns, turn_cap=luck.choice((50, 400)))
        assert_sound(recorder, rules, 2 + number % 3, number)


def assert_forward_cards_gain_what_they_say(course: Course) -> None:
    """Printed rules: a 3, 5, 8 or 12 brings its player that much nearer, and a slide 3 or 4 more; but for own pawns bumped."""
    togo = course.tables["togo"][course.before].astype(int) - course.tables["togo"][course.after]
    mine = course.movable[:, :, None]
    bumped = (course.moved & mine & (course.after == track.START)).any(axis=(1, 2))
    gained = (togo * mine * (course.before <= track.START)).sum(axis=(1, 2))
    for card in ("3", "5", "8", "12"):
        gains = set(gained[(course.cards == card) & ~bumped].tolist())
        assert gains <= {0, int(card), int(card) + 3, int(card) + 4}


def test_forward_cards_under_the_printed_rules(recorder: Recorder) -> None:
    for number in range(9):
        assert_forward_cards_gain_what_they_say(assert_sound(recorder, Rules(), 2 + number % 3, number))


def test_rests_on_triangles_do_occur(recorder: Recorder) -> None:
    courses = [assert_sound(recorder, Rules(), 4, number) for number in range(6)]
    assert any(course.on_ridden_triangles(course.after).any() for course in courses)


# -- the two ways of the engine --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hasbro", "hasbro-points", "french-teams"])
def test_the_step_by_step_games_are_those_of_the_blocks(recorder: Recorder, name: str) -> None:
    tables = classic.compile_rules(RULESETS[name], 4)
    for number in range(5):
        rows = play(tables, 4, 1, seed=3, first_game=number)
        recording = recorder.record(tables, line_up(4), 3, number)
        assert (recording.cards < len(CARDS)).sum() == rows.game("draws")[0]
        assert rows.game("digest").astype(np.uint32)[0] == int(recorder.scratch[0]["digest"]) >> 32


@pytest.mark.parametrize("name", ["hasbro", "house-share-squares"])
def test_the_cards_do_not_depend_on_what_is_done_with_them(recorder: Recorder, name: str) -> None:
    tables = classic.compile_rules(RULESETS[name], 3)
    for number in range(5):
        one, other = (recorder.record(tables, line_up(3, *weights), 3, number) for weights in ([{}], MIXED))
        both = min(len(one.cards), len(other.cards))
        assert (one.cards[:both] == other.cards[:both]).all()
        assert (one.words[:both] != other.words[:both]).any()
