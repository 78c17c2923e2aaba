"""Every two values of different options together in some ruleset that is played, checked and followed by the referee."""

import random
from typing import Any, NamedTuple

import numpy as np
import pytest
from all_pairs import CHECKS, PLAYERS, Pairs, any_row
from engine_invariants import sound_course
from engine_replay import follow, policies
from engine_tools import Recorder, play
from pydantic import ValidationError

from simsorry.errors import SimsorryError
from simsorry.games import classic
from simsorry.games.classic.rules import Rules
from simsorry.games.classic.tables import seat_colors

PAIRS = Pairs()
HANDS = {"hand_refill", "dead_hand", "two_in_hand", "two_playable_idle", "two_followup_stuck", "optional_counts_as_playable"}
HANDS |= {"first_turn_dead_hand"}
TEAMS = {"team_control", "team_collision", "team_own_collision", "team_sorry_target", "team_sorry_start", "team_eleven_partner"}
TEAMS |= {"team_finished_player", "team_win", "team_scoring"}
POINTS = {"score_home_value", "score_not_home_value", "score_bands", "bonus_bands", "band_measure"}
MOST_WORK = 4_000  # of a game that the referee is to follow: outcomes that it has to find, and cards
MOST_CARDS = 2_500  # of a game that is looked at card by card


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return Recorder()


# -- the games -------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """A game, and how much there is to it."""

    rules: Rules
    players: int
    number: int
    work: int
    cards: int
    turns: int

    def cut_off(self) -> Rules:
        """The rules with a turn cap that the game's first part is within the referee's reach."""
        cap = max(1, min(self.rules.turn_cap, self.turns * MOST_WORK // self.work))
        return self.rules.model_copy(update={"turn_cap": cap})


def played(rules: Rules, players: int, number: int) -> Played:
    """A game, and how long it is."""
    rows = play(rules, players, 1, policies=policies(players, number), seed=7, first_game=number)
    cards, outcomes, turns = (int(rows.game(name)[0]) for name in ("draws", "outcomes", "turns_all"))
    return Played(rules, players, number, outcomes + cards, cards, turns)


def played_row(number: int, game: int) -> Played:
    """A game of a row."""
    row = PAIRS.rows[number]
    return played(Rules(**PAIRS.options.arguments(row)), PAIRS.options.players(row), game)


@pytest.mark.parametrize("number", range(len(PAIRS.rows)))
def test_a_row_is_played(recorder: Recorder, number: int) -> None:
    one = played_row(number, number)  # at random, and by mixed policies, in turn
    if one.work <= MOST_WORK:
        follow(recorder, one.rules, one.players, number)
        return
    follow(recorder, one.cut_off(), one.players, number)
    if one.cards <= MOST_CARDS:
        tables = classic.compile_rules(one.rules, one.players)
        recording = recorder.record(tables, policies(one.players, number), 7, number)
        sound_course(one.rules, tables, recording, f"game {number} of seed 7")


@pytest.mark.parametrize("pawns", [1, 2, 3, 4])
def test_any_values_together(recorder: Recorder, pawns: int) -> None:
    luck = random.Random(pawns)
    followed = 0
    while followed < 25:
        row = any_row(luck, PAIRS.options, {"pawns": PAIRS.options.values["pawns"].index(pawns)})
        rules, players = Rules(**PAIRS.options.arguments(row)), PAIRS.options.players(row)
        one = played(rules.model_copy(update={"turn_cap": luck.choice((30, 90, 200))}), players, followed)
        if one.work <= MOST_WORK // 3:
            follow(recorder, one.rules, players, followed)
            followed += 1


def test_most_rows_are_followed_to_the_end() -> None:
    works = [played_row(number, number).work for number in range(len(PAIRS.rows))]
    assert np.mean(np.array(works) <= MOST_WORK) > 0.7


# -- the covering ----------------------------------------------------------------------------------------


def test_every_pair_that_is_possible_is_in_a_row() -> None:
    open_pairs = PAIRS.possible.copy()
    for row in PAIRS.rows:
        assert row.keys() == {PLAYERS, *Rules.model_fields}
        open_pairs[PAIRS.covered(row)] = False
    assert not open_pairs.any()


def test_the_rows_are_few() -> None:
    assert len(PAIRS.rows) <= 100


def test_every_value_is_possible() -> None:
    assert PAIRS.possible.any(axis=1).all()
    for value in PAIRS.ids:
        assert PAIRS.options.complete(dict([value]))


def why_not(names: set[str]) -> bool:
    """Whether the rules have a reason to refuse some values of these two options together."""
    one_of_each = [
        ({"hand_size"}, HANDS | {"two_draws_again"}),  # no hand, or a hand where two_in_hand says what a 2 brings
        ({"two_draws_again"}, HANDS),
        ({"two_in_hand"}, {"two_playable_idle", "two_followup_stuck"}),  # no card after a 2
        ({"team_pairs"}, TEAMS),  # no teams
        ({PLAYERS}, TEAMS | {"team_pairs"}),  # too few for teams
        ({"team_own_collision"}, {"own_collision"}),
        ({"score_home_to"}, POINTS | {"team_scoring"}),  # no points
        ({"score_bands"}, {"bonus_bands", "band_measure"}),  # no bonuses
        ({"match_end"}, {"next_leader"}),  # no later round
        ({"head_starts"}, {"quick_start_pawns", PLAYERS}),  # all begin outside, or nobody sits there
    ]
    return any(names & some and names - some and names - some <= others for some, others in one_of_each)


def test_what_is_impossible_is_explained() -> None:
    assert len(PAIRS.refused) < 120
    for pair in PAIRS.refused:
        assert why_not(set(PAIRS.pair(pair))), PAIRS.pair(pair)


def test_what_is_impossible_is_refused_by_the_rules() -> None:
    # The proof is a search through the values of what the checks have read; here the rules themselves, beside anything.
    luck = random.Random(1)
    for pair, proof in PAIRS.refused.items():
        fixed = PAIRS.pair(pair)
        assert {conflict.check for conflict in proof} <= CHECKS.keys() | {"seat_colors"}
        assert any(set(conflict.read) & fixed.keys() for conflict in proof)
        for row in [fixed, *luck.sample(PAIRS.rows, 10)]:
            assert_refused({**PAIRS.options.defaults, **row, **fixed})


def assert_refused(row: dict[str, int]) -> None:
    arguments: dict[str, Any] = PAIRS.options.arguments(row)
    with pytest.raises((ValidationError, SimsorryError)):
        seat_colors(Rules(**arguments), PAIRS.options.players(row))


def test_the_checks_are_those_of_the_rules() -> None:
    # What the search takes for possible, Rules takes, and the other way round, also far from any row.
    luck = random.Random(2)
    verdicts = set()
    for _ in range(2000):
        row = dict(luck.choice(PAIRS.rows))
        for name in luck.sample(list(row), luck.randint(0, 3)):
            row[name] = luck.randrange(len(PAIRS.options.values[name]))
        refused = PAIRS.options.conflict(row) is not None
        verdicts.add(refused)
        if refused:
            assert_refused(row)
        else:
            assert seat_colors(Rules(**PAIRS.options.arguments(row)), PAIRS.options.players(row))
    assert verdicts == {True, False}
