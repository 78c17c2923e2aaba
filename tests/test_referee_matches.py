"""The referee's points, by hand, and its matches: rounds in which only twelves and ones come, so that it is known who wins."""

from typing import Any

import pytest
from referee import classic as referee
from referee import match
from referee.classic import Game, Record
from referee_tools import Script, plan

from simsorry.games.classic.rules import Rules
from simsorry.games.options import COLORS, TEAMS

# -- points of a round -----------------------------------------------------------------------------------

ALONE = [(color,) for color in COLORS]


def points(home: str, winner: str = "red", **options: Any) -> list[int]:
    """The points of a round by color, given the pawns HOME by color."""
    rules = Rules(**{"score_home_to": "all_players"} | options)
    at_home = dict(zip(COLORS, map(int, home.split()), strict=True))
    sides = list(rules.team_pairs) or ALONE
    won = next(side for side in sides if winner in side)
    by_side = referee.round_points(rules, sides, won, at_home)
    return [next(number for side, number in by_side.items() if color in side) for color in COLORS]


def test_H38_H39_points_for_pawns() -> None:
    assert points("4 3 3 3") == [4 * 5 + 3 * 5, 15, 15, 15]
    assert points("3 4 0 3", "blue") == [15, 4 * 5 + 6 * 5, 0, 15]


@pytest.mark.parametrize(("most", "bonus"), [(0, 100), (1, 50), (2, 25), (3, 0)])
def test_H39_bonus_by_what_the_best_opponent_has(most: int, bonus: int) -> None:
    assert points(f"4 {most} 0 0")[0] == 20 + 5 * (12 - most) + bonus


def test_HQ39_a_ladder_or_a_sum() -> None:
    assert points("4 0 0 0") == [180, 0, 0, 0]
    assert points("4 0 0 0", bonus_bands="cumulative") == [255, 0, 0, 0]
    assert points("4 1 0 0", bonus_bands="cumulative") == [20 + 55 + 75, 5, 0, 0]


def test_HQ39_the_highest_bonus_is_that_of_most_points() -> None:
    assert points("4 0 0 0", score_bands=((2, 60), (0, 10))) == [20 + 60 + 60, 0, 0, 0]


def test_HQ40_each_opponent_or_all_together() -> None:
    assert points("4 1 1 0") == [20 + 50 + 50, 5, 5, 0]
    assert points("4 1 1 0", band_measure="total") == [20 + 50 + 25, 5, 5, 0]
    assert points("4 1 1 1", band_measure="total") == [20 + 45, 5, 5, 5]


def test_FQ24_the_winner_alone_scores() -> None:
    assert points("4 3 2 0", score_home_to="winner_only") == [20 + 35, 0, 0, 0]


def test_values_are_options() -> None:
    assert points("4 1 0 0", score_home_value=1, score_not_home_value=2, score_bands=((1, 7),)) == [4 + 22 + 7, 1, 0, 0]


def test_no_points_are_kept() -> None:
    assert points("4 0 0 0", score_home_to="none") == [0, 0, 0, 0]
    assert referee.bonuses_paid(Rules(), ("red",), dict(zip(COLORS, (4, 0, 0, 0), strict=True))) == []


def test_which_bonuses_are_paid() -> None:
    home = dict(zip(COLORS, (4, 1, 0, 0), strict=True))
    assert referee.bonuses_paid(Rules(score_home_to="all_players"), ("red",), home) == [2]
    assert referee.bonuses_paid(Rules(score_home_to="all_players", bonus_bands="cumulative"), ("red",), home) == [1, 2]


def test_HQ42_teams_together() -> None:
    options = {"team_pairs": TEAMS, "team_scoring": "pooled"}
    assert points("4 1 4 3", **options) == [40 + 20, 20, 40 + 20, 20]
    assert points("4 1 4 2", **options) == [40 + 25 + 25, 15, 40 + 25 + 25, 15]
    assert points("4 1 1 0", **options, team_win="first_member") == [25 + 35 + 50, 5, 25 + 35 + 50, 5]


# -- matches ---------------------------------------------------------------------------------------------

FAST = {"pawns": 1, "quick_start_pawns": 1, "slides": "off", "home_overshoot": "any", "draw": "with_replacement"}
FIRST = "12 1 " * 5 + "12 "  # who moves first needs six twelves; the other gets on by ones
SECOND = "1 12 " * 6
SCORED = {"score_home_to": "all_players"}  # 110 for every round: own pawn 5, the other's 5, and 100 because it is not HOME


def match_of(rounds: str, **options: Any) -> Record:
    """A match of red, who begins, and yellow; fails unless all of the cards have come."""
    script = Script(rounds)
    record = referee.play(Rules(**FAST | options), ("red", "yellow"), 0, script, plan(), lead=lambda number: number % 2)
    assert script.left == []
    return record


def counted(record: Record, names: str) -> list[int]:
    """The counters of the game that are named."""
    return [record.game[name] for name in names.split()]


def by_seat(record: Record, name: str) -> list[int]:
    """A column of the seats: red, yellow."""
    return [seat[name] for seat in record.seats]


def leaders(record: Record) -> list[str]:
    """Who moved first in each round."""
    return [step.color for step in record.steps if step.turn == 1]


def test_a_single_round() -> None:
    record = match_of(FIRST, **SCORED)
    assert counted(record, "winner match_rounds match_upsets band_1 band_2 band_3 band_4") == [0, 1, 0, 0, 0, 1, 0]
    assert by_seat(record, "points") == [110, 0]


def test_a_match_of_two_rounds() -> None:
    record = match_of(FIRST + FIRST, match_end="rounds:2")
    assert counted(record, "winner winner_color match_rounds match_upsets capped") == [0, 0, 2, 0, 0]
    assert counted(record, "turns turns_all draws homes rounds forced_turns") == [22, 22, 22, 2, 12, 22]
    assert by_seat(record, "turns") == [12, 10]
    assert by_seat(record, "match_rounds_won") == [2, 0]
    assert by_seat(record, "points") == [0, 0]
    assert by_seat(record, "place") == [1, 2]
    assert by_seat(record, "won") == [1, 0]
    assert [step.round for step in record.steps] == [1] * 11 + [2] * 11
    assert record.steps[11].text == "red 16 / yellow 34"


def test_H30_the_winner_leads_the_next_round() -> None:
    record = match_of(SECOND + FIRST, match_end="rounds:2")
    assert leaders(record) == ["red", "yellow"]
    assert counted(record, "winner winner_color first_seat") == [1, 2, 0]


def test_the_next_seat_leads_the_next_round() -> None:
    record = match_of(FIRST + SECOND + FIRST, match_end="rounds:3", next_leader="next_seat")
    assert leaders(record) == ["red", "yellow", "red"]
    assert by_seat(record, "match_rounds_won") == [3, 0]


def test_anybody_leads_the_next_round() -> None:
    record = match_of(FIRST + SECOND + SECOND, match_end="rounds:3", next_leader="random")
    assert leaders(record) == ["red", "red", "yellow"]  # the rounds with the numbers 2 and 3
    assert by_seat(record, "match_rounds_won") == [2, 1]


def test_a_match_that_stands_even_goes_on() -> None:
    record = match_of(FIRST + SECOND + FIRST, match_end="rounds:2")
    assert counted(record, "winner match_rounds match_upsets") == [1, 3, 1]  # after the second round it stood 1:1
    assert by_seat(record, "match_rounds_won") == [1, 2]
    assert by_seat(record, "place") == [2, 1]


def test_a_match_to_a_number_of_points() -> None:
    record = match_of(FIRST + SECOND + FIRST, match_end="target:111", **SCORED)
    assert counted(record, "winner match_rounds match_upsets band_3") == [1, 3, 1, 3]
    assert by_seat(record, "points") == [110, 220]
    assert counted(match_of(FIRST, match_end="target:110", **SCORED), "winner match_rounds") == [0, 1]


def test_a_match_to_a_number_of_rounds_won() -> None:
    record = match_of(FIRST + SECOND + SECOND, match_end="target:2")
    assert counted(record, "winner match_rounds match_upsets") == [0, 3, 1]


def test_an_upset_is_a_round_whose_winner_is_not_ahead_alone() -> None:
    record = match_of(FIRST + FIRST + SECOND + SECOND + FIRST, match_end="rounds:5", **SCORED)
    # Red 1:0, red 2:0, yellow 2:1 (upset), red 3:1, red 4:1.
    assert counted(record, "winner match_rounds match_upsets") == [0, 5, 1]
    assert by_seat(record, "match_rounds_won") == [4, 1]


def test_points_decide_and_not_rounds_won() -> None:
    # With two pawns each. Red wins while yellow has none HOME, 10 + 10 + 200; then yellow twice while red has one, 10 + 5.
    none_home = "12 4 " * 6 + "1 4 " + "12 4 " * 5 + "12 "
    one_home = "12 12 " * 6 + "4 1 " + "4 12 " * 6
    one_home_again = "12 12 " * 6 + "1 4 " + "12 4 " * 5 + "12 "
    options = {"pawns": 2, "score_home_to": "winner_only", "score_bands": ((0, 200),), "match_end": "rounds:3"}
    record = match_of(none_home + one_home + one_home_again, **options)
    assert by_seat(record, "points") == [220, 30]
    assert by_seat(record, "match_rounds_won") == [1, 2]
    assert by_seat(record, "place") == [1, 2]
    assert counted(record, "winner match_upsets band_1") == [0, 2, 1]


def test_first_start_is_that_of_the_first_round() -> None:
    options = FAST | {"quick_start_pawns": 0, "match_end": "rounds:3"}
    red_wins, yellow_wins = "1 8 " + "12 8 " * 5 + "12 ", "8 1 " + "8 12 " * 6
    record = match_of(red_wins + yellow_wins + "1 1 " + FIRST, **options)
    assert by_seat(record, "first_start") == [1, -1]
    assert by_seat(record, "starts") == [2, 2]
    assert by_seat(record, "pips_left") == [59, 0]


def test_the_lead_is_that_of_a_round() -> None:
    # In the first round red is ahead all the time, in the second yellow: no lead changes hands within a round.
    assert match_of(FIRST + SECOND + FIRST, match_end="rounds:3").game["lead_changes"] == 0


def test_a_round_that_is_cut_off_ends_the_match() -> None:
    record = match_of(FIRST + "1 " * 11, match_end="rounds:3", turn_cap=11)
    assert counted(record, "winner winner_color capped match_rounds match_upsets turns") == [255, 255, 1, 2, 0, 22]
    assert by_seat(record, "place") == [1, 2]
    assert by_seat(record, "won") == [0, 0]
    assert by_seat(record, "match_rounds_won") == [1, 0]


def test_the_last_round_that_is_cut_off_after_its_winner_decides() -> None:
    record = match_of(FIRST + "1 ", match_end="rounds:1", turn_cap=12, game_end="all_home")
    assert counted(record, "winner capped turns turns_all") == [0, 1, 11, 12]
    undecided = match_of(FIRST + "1 ", match_end="rounds:2", turn_cap=12, game_end="all_home")
    assert counted(undecided, "winner capped match_rounds") == [255, 1, 1]


def test_a_match_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "MOST_ROUNDS", 2)
    record = match_of(FIRST + SECOND, match_end="rounds:2")
    assert counted(record, "winner capped match_rounds") == [255, 1, 2]
    assert by_seat(record, "place") == [1, 1]


def test_every_round_is_dealt_anew() -> None:
    rules = Rules(**FAST | {"draw": "without_replacement", "match_end": "rounds:2", "turn_cap": 1, "hand_size": 1})
    script = Script("12 1 3 1 5")
    record = Game(rules, ("red", "yellow"), 0, script, plan(), position={"red": [("Z", 5)], "yellow": [20]}).play()
    assert [step.text for step in record.steps] == ["red H / yellow 20", "red 7 / yellow 34"]
    assert [len(pile) for pile in script.piles] == [45, 44, 45, 44, 43]
