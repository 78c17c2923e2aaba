"""Metrics against tables small enough to check by hand, and tallies against whole columns."""

import math
from dataclasses import replace
from typing import Any

import made_up
import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from simsorry.at_table import all_metrics, named_metrics, policy_metrics, seat_metrics
from simsorry.checks import CHECKS, checks_of
from simsorry.games import audited
from simsorry.margin import Margin
from simsorry.metrics import MARGINS, METRICS, PLAIN, Metric, Rows, margin_of
from simsorry.report.tallies import PairTally, Tallies, Tally
from simsorry.simulate import Bonus, Traits
from simsorry.tally import Plan, chunk_games, statistical_block

BY_NAME = {metric.name: metric for metric in METRICS}
CLASSIC, SORREESI, ICE = map(made_up.counted, (made_up.CLASSIC, made_up.SORREESI, made_up.ICE))


def table(
    games: list[dict[str, int]],
    seats: list[list[dict[str, int]]],
    traits: Traits = PLAIN,
    columns: made_up.Columns = made_up.CLASSIC,
) -> Rows:
    """Rows from dicts; what is not given is 0."""
    players = len(seats[0])
    flat = [seat for game in seats for seat in game]
    return Rows(
        {c.name: np.array([game.get(c.name, 0) for game in games]).astype(c.dtype) for c in columns[0]},
        {c.name: np.array([seat.get(c.name, 0) for seat in flat]).astype(c.dtype) for c in columns[1]},
        players,
        0,
        traits,
    )


# Three games of two players: seat 0 wins, seat 1 wins, the third is cut off.
THREE = table(
    [
        {"winner": 0, "turns": 10, "turns_all": 10, "dead_turns": 2, "forced_turns": 5, "choice_turns": 3, "choices": 4, "outcomes": 10,
         "bumps": 4, "bumps_slide": 1, "bumps_sorry": 1, "lead_changes": 2, "starts": 3, "draws": 11},
        {"winner": 1, "turns": 20, "turns_all": 24, "dead_turns": 6, "forced_turns": 12, "choice_turns": 6, "choices": 6, "outcomes": 14,
         "bumps": 8, "bumps_slide": 3, "bumps_sorry": 0, "lead_changes": 3, "starts": 5, "draws": 26},
        {"winner": 255, "capped": 1, "turns": 30, "turns_all": 30, "dead_turns": 12, "forced_turns": 12, "choice_turns": 6, "choices": 6,
         "outcomes": 12, "bumps": 6, "bumps_slide": 2, "bumps_sorry": 2, "lead_changes": 4, "starts": 4, "draws": 31},
    ],
    [
        [{"won": 1, "table_seat": 1, "turns": 5, "first_start": 2, "pawns_home": 4, "bumps_given": 3, "bumps_taken": 1},
         {"table_seat": 0, "turns": 5, "first_start": 6, "pawns_home": 0, "bumps_given": 1, "bumps_taken": 3}],
        [{"table_seat": 0, "turns": 12, "first_start": 0, "pawns_home": 2, "bumps_given": 5, "bumps_taken": 3},
         {"won": 1, "table_seat": 1, "turns": 12, "first_start": 8, "pawns_home": 4, "bumps_given": 3, "bumps_taken": 5}],
        [{"table_seat": 1, "turns": 15, "first_start": -1, "bumps_given": 2, "bumps_taken": 4},
         {"table_seat": 0, "turns": 3, "first_start": -1, "bumps_given": 4, "bumps_taken": 2}],
    ],
)  # fmt: skip


def value(metric: Metric, rows: Rows = THREE) -> float:
    numerator, denominator = metric.counts(rows)
    return float(np.sum(numerator) / np.sum(denominator))


# -- definitions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("turns", (10 + 20 + 30) / 3),  # the game cut off stays in
        ("turns_all", (10 + 24 + 30) / 3),
        ("draws", (11 + 26 + 31) / 3),
        ("draws_per_turn", (11 + 26 + 31) / 64),
        ("dead_share", (2 + 6 + 12) / 64),  # over all turns, also those after the winner's last
        ("stuck_share", (2 + 6 + 12) / 64),  # nobody declined a card here, so stuck and dead are the same turns
        ("forced_share", (5 + 12 + 12) / 64),
        ("choice_share", (3 + 6 + 6) / 64),
        ("options", (10 + 14 + 12) / 16),
        ("bumps", (4 + 8 + 6) / 3),
        ("bumps_per_turn", 18 / 64),
        ("bumps_slide", 6 / 3),
        ("bumps_sorry", 3 / 3),
        ("bumps_landing", (2 + 5 + 2) / 3),
        ("lead_changes", 3.0),
        ("starts", 4.0),
        ("capped", 1 / 3),
        ("first_start", (2 + 6 + 0 + 8 + 15 + 3) / 6),  # those never out have waited all their turns
        ("start_lock", (0 + 1 + 0 + 1 + 1) / 5),  # of the last player, with three turns, it is not known
        ("shutouts", 1 / 2),  # the first game, of two with a winner
    ],
)
def test_metric_by_hand(name: str, expected: float) -> None:
    assert value(BY_NAME[name]) == pytest.approx(expected)


def test_seat_shares_are_of_decided_games() -> None:
    assert [value(metric) for metric in seat_metrics(2)[:2]] == [0.5, 0.5]


def test_policy_shares_follow_the_table_seat_not_the_play_order() -> None:
    random, balanced = policy_metrics(["random", "balanced"])
    assert (random.name, balanced.name) == ("policy_random", "policy_balanced")
    assert value(random) == 0
    assert value(balanced) == 1  # table seat 1 won both games, once from each place in play order


def test_equal_policies_have_no_policy_shares() -> None:
    assert policy_metrics(["random"] * 4) == []


# -- hands, teams, points, matches, places ---------------------------------------------------------

TEAMS = Traits(points=True, teams=((0, 2), (1, 3)), one_finishes=True, moves_partner=True, bumps_partner=True)
# Seats 0 and 2 have moved first and won; then those who moved second have, the later of them ending it; the third game is cut off.
TEAM_GAMES = table(
    [
        {"winner": 0, "draws": 20, "partner_bumps": 3, "match_rounds": 1},
        {"winner": 3, "draws": 30, "partner_bumps": 1, "match_rounds": 1},
        {"winner": 255, "capped": 1, "draws": 50, "partner_bumps": 8, "match_rounds": 1},
    ],
    [
        [{"table_seat": 0, "won": 1, "points": 60, "partner_moves": 4, "match_rounds_won": 1},
         {"table_seat": 1, "points": 10, "pips_left": 30, "partner_moves": 1},
         {"table_seat": 2, "won": 1, "points": 60, "pips_left": 7, "match_rounds_won": 1},
         {"table_seat": 3, "points": 10, "pips_left": 12}],
        [{"table_seat": 1, "points": 20, "pips_left": 5, "partner_moves": 6},
         {"table_seat": 2, "won": 1, "points": 80, "match_rounds_won": 1},
         {"table_seat": 3, "points": 20, "pips_left": 60},
         {"table_seat": 0, "won": 1, "points": 80, "pips_left": 9, "match_rounds_won": 1}],
        [{"table_seat": seat, "pips_left": 100} for seat in range(4)],
    ],
    TEAMS,
)  # fmt: skip


def by_name(policies: list[str], *arms: Traits) -> dict[str, Metric]:
    return {metric.name: metric for metric in all_metrics(policies, CLASSIC, arms)}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("team_1", 1 / 2),
        ("team_2", 1 / 2),
        ("points_team_1", (60 + 20 + 0) / 3),
        ("points_team_2", (10 + 80 + 0) / 3),
        ("points_winner", (60 + 80) / 2),
        ("ended_by_earlier", 1 / 2),
        ("partner_bumps", 12 / 3),
        ("partner_share", 11 / 100),
        ("losers_pips", (42 + 65) / 2),
        ("losers_far_pips", (30 + 60) / 2),
        ("winners_pips", (7 + 9) / 2),
    ],
)
def test_team_metric_by_hand(name: str, expected: float) -> None:
    assert value(by_name(["random"] * 4, TEAMS)[name], TEAM_GAMES) == pytest.approx(expected)


def test_partners_need_not_sit_opposite() -> None:
    rows = table([{}, {}], [[{"table_seat": (first + at) % 4} for at in range(4)] for first in (0, 1)], Traits(teams=((0, 1), (2, 3))))
    assert rows.first_team.tolist() == [[True, True, False, False], [True, False, False, True]]


def test_teams_have_the_policies_of_their_members() -> None:
    policies = ["random", "balanced", "balanced", "balanced"]
    found = by_name(policies, TEAMS)
    assert [name for name in found if name.startswith("policy_")] == ["policy_balanced+random", "policy_balanced+balanced"]
    assert found["policy_balanced+random"].title == "Wins of the team of balanced and random"
    assert value(found["policy_balanced+random"], TEAM_GAMES) == 1  # table seats 0 and 2 have won both games
    assert value(found["policy_balanced+balanced"], TEAM_GAMES) == 0
    assert value(found["points_policy_balanced+balanced"], TEAM_GAMES) == pytest.approx((10 + 20 + 0) / 3)


def test_equal_teams_have_no_shares_of_their_own() -> None:
    assert not [name for name in by_name(["random", "random", "balanced", "balanced"], TEAMS) if name.startswith("policy_")]
    neighbors = Traits(teams=((0, 1), (2, 3)))
    found = by_name(["random", "random", "balanced", "balanced"], TEAMS, neighbors)
    shares = [metric for name, metric in found.items() if name.startswith("policy_")]
    assert [metric.name for metric in shares] == ["policy_random+random", "policy_balanced+balanced"]
    assert [metric.measured(TEAMS) for metric in shares] == [False, False]
    assert [metric.measured(neighbors) for metric in shares] == [True, True]


def test_alone_and_in_teams_different_things_are_measured() -> None:
    found = by_name(["random", "balanced", "random", "random"], PLAIN, TEAMS)
    assert {name for name, metric in found.items() if not metric.measured(TEAMS)} == {
        "seat_1", "seat_2", "seat_3", "seat_4", "policy_random", "policy_balanced",
        *(f"win_at_{percent}_rank_{rank}" for percent in (25, 50, 75) for rank in (3, 4)),  # of two teams
    }  # fmt: skip
    assert {"team_1", "team_2", "policy_balanced+random", "policy_random+random", "partner_bumps"} <= {
        name for name, metric in found.items() if not metric.measured(PLAIN)
    }


BONUSES = (Bonus(2, 25, False), Bonus(1, 50, False), Bonus(0, 100, False))
POINTS = Traits(hand=5, points=True, bonuses=BONUSES)
POINT_GAMES = table(
    [
        {"winner": 0, "match_rounds": 1, "band_2": 1, "turns_all": 20, "draws": 24, "throws": 3, "throw_choice_turns": 2,
         "choice_turns": 12, "dead_turns": 3, "forced_turns": 7},
        {"winner": 1, "match_rounds": 1, "turns_all": 30, "draws": 36, "throws": 5, "throw_choice_turns": 5, "choice_turns": 20,
         "dead_turns": 6, "forced_turns": 9},
        {"winner": 255, "capped": 1, "match_rounds": 1, "turns_all": 50, "draws": 60, "throws": 10},
    ],
    [
        [{"won": 1, "points": 90, "table_seat": 1}, {"points": 5, "table_seat": 0}],
        [{"points": 15, "table_seat": 0}, {"won": 1, "points": 25, "table_seat": 1}],
        [{"table_seat": 0}, {"table_seat": 1}],
    ],
    POINTS,
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("points_seat_1", (90 + 15 + 0) / 3),
        ("points_seat_2", (5 + 25 + 0) / 3),
        ("points_policy_random", (5 + 15 + 0) / 3),
        ("points_policy_balanced", (90 + 25 + 0) / 3),
        ("points_winner", (90 + 25) / 2),
        ("bonus_2", 0),
        ("bonus_1", 1 / 3),
        ("throws", 18 / 3),
        ("throw_share", 18 / 120),
        ("choice_share", 32 / 100),
        ("board_choice_share", (10 + 15) / 100),
        ("stuck_share", (20 - 7 - 10 + 30 - 9 - 15 + 50) / 100),
    ],
)
def test_points_and_hand_metric_by_hand(name: str, expected: float) -> None:
    assert value(by_name(["random", "balanced"], POINTS)[name], POINT_GAMES) == pytest.approx(expected)


def test_the_spread_of_points_is_their_standard_deviation() -> None:
    plan = Plan(all_metrics(["random"] * 2, CLASSIC, [POINTS]), 2, 0, 3)
    found = Tally(plan, POINTS)
    found.add(plan.count(POINT_GAMES))
    at = [metric.name for metric in plan.metrics].index("points_sd")
    assert found.estimate(at).value == pytest.approx(np.std([90, 5, 15, 25, 0, 0]))


def test_bonuses_are_named_by_their_meaning_whatever_their_number() -> None:
    other = Traits(points=True, bonuses=(Bonus(1, 60, False), Bonus(0, 100, False)))
    found = by_name(["random"] * 2, POINTS, other)
    assert [found[name].title for name in ("bonus_2", "bonus_1", "bonus_0")] == [
        "Bonus 25: no opponent has more than two pawns HOME",
        "Bonus 50 or 60: no opponent has more than one pawn HOME",
        "Bonus 100: no opponent has a pawn HOME",
    ]
    assert not found["bonus_2"].measured(other)
    assert found["bonus_2"].lacking(PLAIN) == "keeps no points"
    assert found["bonus_2"].lacking(other) == "pays no such bonus"
    rows = Rows({**POINT_GAMES.games, "band_1": np.array([0, 1, 0])}, POINT_GAMES.seats, 2, 0, other)
    assert value(found["bonus_1"], rows) == 1 / 3
    assert value(found["bonus_0"], rows) == 1 / 3  # band_2 there


def test_bonuses_for_all_opponents_together_are_others() -> None:
    together = Traits(points=True, bonuses=(Bonus(5, 10, True), Bonus(0, 20, True)))
    found = by_name(["random"] * 2, POINTS, together)
    assert found["bonus_5_together"].title == "Bonus 10: the opponents have no more than 5 pawns HOME in all"
    assert found["bonus_0"].title == "Bonus 100 or 20: no opponent has a pawn HOME"  # which is the same either way


MATCH = Traits(points=True, match=True)
MATCHES = table(
    [
        {"winner": 1, "match_rounds": 4, "match_upsets": 1, "turns_all": 400},
        {"winner": 0, "match_rounds": 2, "match_upsets": 0, "turns_all": 150},
        {"winner": 255, "capped": 1, "match_rounds": 3, "match_upsets": 2, "turns_all": 1250},
    ],
    [
        [{"points": 80, "match_rounds_won": 3, "place": 2}, {"won": 1, "points": 110, "match_rounds_won": 1, "place": 1}],
        [{"won": 1, "points": 100, "match_rounds_won": 2, "place": 1}, {"points": 10, "place": 2}],
        [{"points": 30, "match_rounds_won": 1, "place": 1}, {"points": 30, "match_rounds_won": 1, "place": 1}],
    ],
    MATCH,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("match_rounds", 9 / 3),
        ("match_upsets", 3 / 9),
        ("match_round_turns", 1800 / 9),
        ("winner_rounds", (1 + 2) / (4 + 2)),
        ("points_winner", (110 + 100) / 2),
        ("seat_1", 1 / 2),
        ("place_seat_1", 4 / 3),
        ("place_seat_2", 4 / 3),
    ],
)
def test_match_metric_by_hand(name: str, expected: float) -> None:
    assert value(by_name(["random"] * 2, MATCH)[name], MATCHES) == pytest.approx(expected)


AT_CHECKPOINTS = ("lead_conv_{}", "runaway_{}", "comeback_{}", "win_at_{}_rank_2", "win_at_{}_rank_3", "win_at_{}_rank_4")
OF_THE_COURSE = {
    "behind_share", "decided_share", "drama_avg", "drama_max", "drama_rank", "drama_root", "finish_spread", "last_lead_take", "luck_share",
    "winning_margin", *(name.format(percent) for name in AT_CHECKPOINTS for percent in (25, 50, 75)),
}  # fmt: skip
OF_AUDITED_GAMES = {
    "biggest_swing", "dead_blocked", "dead_cards", "dead_exact", "dead_lock", "dead_sorry", "feedback", "hits_next", "leader_bash",
    "relock_share", "rework", "squares_lost", "stall_dead", "stall_turns",
}  # fmt: skip


def test_what_stands_on_the_board_at_the_end_says_nothing_of_a_match() -> None:
    found = by_name(["random"] * 4, PLAIN, MATCH)
    of_the_end = {"first_start", "start_lock", "shutouts", "shutouts_1", "shutouts_2", "feedback", "stall_dead", "stall_turns"}
    assert {name for name, metric in found.items() if not metric.measured(MATCH)} == of_the_end | OF_THE_COURSE


def test_places_are_ranked_where_play_goes_on_or_a_match_is_played() -> None:
    ranked = {name for name in by_name(["random", "balanced"], Traits(places=True)) if name.startswith("place_")}
    assert ranked == {"place_seat_1", "place_seat_2", "place_policy_random", "place_policy_balanced"}
    assert not [name for name in by_name(["random"] * 4, PLAIN) if name.startswith("place_")]
    assert not [name for name in by_name(["random"] * 4, Traits(places=True, teams=TEAMS.teams)) if name.startswith("place_")]


def test_a_plain_race_is_measured_by_what_it_has() -> None:
    assert {metric.name for metric in all_metrics(["random"] * 4, CLASSIC)} == {
        "turns", "seat_1", "seat_2", "seat_3", "seat_4", "dead_share", "choice_share", "options", "bumps", "bumps_per_turn",
        "lead_changes", "first_start", "capped", "rounds", "turns_all", "draws", "draws_per_turn", "stuck_share", "forced_share",
        "bumps_landing", "bumps_slide", "bumps_sorry", "own_bumps", "swaps", "slides", "splits", "backs", "starts", "start_lock",
        "shutouts", "shutouts_1", "shutouts_2", "turns_sd", "no_choice_games",
    } | OF_THE_COURSE | OF_AUDITED_GAMES  # fmt: skip


def test_some_measures_are_compared_with_a_ruleset_that_lacks_their_reason() -> None:
    found = by_name(["random"] * 4, PLAIN, POINTS, MATCH)
    assert found["board_choice_share"].measured(PLAIN)  # every choice is one of the board there
    assert found["match_round_turns"].measured(PLAIN)  # a game is one round
    assert not found["throw_share"].measured(PLAIN)  # no cards thrown in is no share of 0
    assert found["throw_share"].lacking(PLAIN) == "is played without a hand"


# -- a game with dice ------------------------------------------------------------------------------

MOVES = made_up.BONUS_MOVES
DICE_GAMES = table(
    [
        {"winner": 0, "turns": 30, "turns_all": 30, "rolls": 36, "draws": 33, "dead_turns": 5, "forced_turns": 2, "choice_turns": 24,
         "passes": 9, "both_turns": 20, "dice_turns": 3, "card_turns": 2, "dice_used": 50, "cards_used": 22, "hops": 8, "starts": 10,
         "starts_dice": 6, "start_turns": 9, "bumps": 12, "bumps_sorry": 4, "bumps_fight": 3, "multi_captures": 1, "fights": 4,
         "fights_lost": 1, "fight_ties": 2, "homes": 9, "bonuses_earned": 16, "bonuses_used": 9, "bonuses_lost": 6,
         "home_bonuses_earned": 7, "home_bonuses_used": 3, "third_doubles": 2, "penalties": 1},
        {"winner": 255, "capped": 1, "turns": 50, "turns_all": 50, "rolls": 60, "draws": 55, "dead_turns": 8, "forced_turns": 4,
         "choice_turns": 40, "passes": 12, "both_turns": 30, "dice_turns": 8, "card_turns": 4, "dice_used": 88, "cards_used": 40,
         "hops": 12, "starts": 18, "starts_dice": 10, "start_turns": 15, "bumps": 20, "bumps_sorry": 7, "bumps_fight": 4,
         "multi_captures": 2, "fights": 6, "fights_lost": 4, "fight_ties": 1, "homes": 5, "bonuses_earned": 20, "bonuses_used": 12,
         "bonuses_lost": 8, "home_bonuses_earned": 5, "home_bonuses_used": 2, "third_doubles": 1, "penalties": 1},
    ],
    [
        [{"won": 1, "table_seat": 0, "partner_moves": 3}, {"table_seat": 1, "partner_moves": 1}, {"table_seat": 2}, {"table_seat": 3}],
        [{"table_seat": 0, "partner_moves": 2}, {"table_seat": 1}, {"table_seat": 2}, {"table_seat": 3}],
    ],
    MOVES,
    made_up.SORREESI,
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fights", 10 / 2),
        ("fights_lost", 5 / 10),
        ("fight_ties", 3 / 10),
        ("bonuses_earned", 36 / 2),
        ("bonuses_used", 21 / 2),
        ("bonuses_lost", 14 / 2),
        ("bonuses_lost_share", 14 / 36),
        ("home_moves_used", 5 / 12),
        ("bump_moves_used", (6 + 10) / (9 + 15)),
        ("start_share", 24 / 80),
        ("starts_dice_share", 16 / 28),
        ("both_share", 50 / 80),
        ("dice_share", 11 / 80),
        ("card_share", 6 / 80),
        ("rolls_per_turn", 96 / 80),
        ("draws_per_turn", 88 / 80),
        ("dice_per_roll", 138 / 96),
        ("cards_used_share", 62 / 88),
        ("hops", 20 / 2),
        ("stops", 21 / 96),
        ("third_doubles", 3 / 2),
        ("penalties", 2 / 2),
        ("multi_captures", 3 / 2),
        ("bumps_landing", (5 + 9) / 2),
        ("bumps_fight", 7 / 2),
        ("stuck_share", (30 - 2 - 24 + 50 - 4 - 40) / 80),  # nothing is thrown in here
        ("choice_share", 64 / 80),
    ],
)
def test_dice_metric_by_hand(name: str, expected: float) -> None:
    found = {metric.name: metric for metric in all_metrics(["random"] * 4, SORREESI, [MOVES])}
    assert value(found[name], DICE_GAMES) == pytest.approx(expected)


def test_a_game_is_measured_by_the_columns_that_it_counts() -> None:
    classic, dice = ({metric.name: metric for metric in all_metrics(["random"] * 4, each, [MOVES])} for each in (CLASSIC, SORREESI))
    assert {"fights", "bonuses_earned", "rolls_per_turn", "penalties"} <= dice.keys() - classic.keys()
    assert classic.keys() - dice.keys() == {"bumps_slide", "own_bumps", "slides"}
    assert classic["stuck_share"].columns == ("turns_all", "forced_turns", "choice_turns", "throw_choice_turns")
    assert dice["stuck_share"].columns == ("turns_all", "forced_turns", "choice_turns")
    assert dice["bumps_landing"].columns == ("bumps", "bumps_fight", "bumps_sorry")


def test_partners_move_pawns_by_cards_alone_or_by_dice_too() -> None:
    classic, dice = ({metric.name: metric for metric in all_metrics(["random"] * 4, each, [made_up.TEAMS])} for each in (CLASSIC, SORREESI))
    assert "partner_share" in classic.keys() - dice.keys()
    assert "partner_moves" in dice.keys() - classic.keys()
    assert value(dice["partner_moves"], DICE_GAMES) == 6 / 2


def test_partners_who_leave_each_other_alone_are_not_measured() -> None:
    apart = Traits(teams=((0, 2), (1, 3)))
    found = by_name(["random"] * 4, apart)
    assert not {"partner_share", "partner_bumps"} & found.keys()
    together = by_name(["random"] * 4, apart, made_up.TEAMS)
    assert together["partner_share"].lacking(apart) == "lets nobody move a partner's pawns"
    assert together["partner_bumps"].lacking(apart) == "spares partners"
    assert together["partner_bumps"].lacking(PLAIN) == "is played without teams"


def test_bonus_moves_are_measured_only_where_there_are_some() -> None:
    names = {"bonuses_earned", "bonuses_lost_share", "bonuses_used", "bonuses_lost", "home_moves_used", "bump_moves_used"}
    assert not names & {metric.name for metric in all_metrics(["random"] * 4, SORREESI, [PLAIN])}
    home_alone = Traits(home_moves=True)
    found = {metric.name: metric for metric in all_metrics(["random"] * 4, SORREESI, [PLAIN, home_alone])}
    assert names - found.keys() == {"bump_moves_used"}
    assert found["bonuses_earned"].lacking(PLAIN) == "gives no bonus moves"
    assert found["home_moves_used"].measured(home_alone)


# -- a game with piles -----------------------------------------------------------------------------

PILES = table(
    [
        {"winner": 0, "turns": 90, "turns_all": 90, "pawn_turns": 400, "covered_turns": 60, "pile_turns": 250, "pawns_covered": 10,
         "pawns_freed": 7, "longest_cover": 33, "highest_pile": 4, "moves_small": 20, "moves_medium": 25, "moves_large": 5,
         "stack_moves": 8, "carried": 3, "swept": 6, "covers": 9, "stacks": 14, "sorry_starts": 2, "starts": 11},
        {"winner": 255, "capped": 1, "turns": 150, "turns_all": 150, "pawn_turns": 700, "covered_turns": 40, "pile_turns": 300,
         "pawns_covered": 6, "pawns_freed": 6, "longest_cover": 12, "highest_pile": 3, "moves_small": 40, "moves_medium": 35,
         "moves_large": 75, "stack_moves": 22, "carried": 0, "swept": 2, "covers": 5, "stacks": 16, "sorry_starts": 0, "starts": 15},
    ],
    [
        [{"table_seat": 0, "won": 1, "own_covers": 2, "covers_given": 5}, {"table_seat": 1, "own_covers": 1, "covers_given": 2}],
        [{"table_seat": 0, "own_covers": 1, "covers_given": 2}, {"table_seat": 1, "covers_given": 3}],
    ],
    made_up.HAND,
    made_up.ICE,
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("covered_share", 100 / 1100),
        ("pile_height", 1100 / 550),
        ("longest_cover", (33 + 12) / 2),
        ("highest_pile", (4 + 3) / 2),
        ("pawns_covered", 16 / 2),
        ("pawns_freed", 13 / 2),
        ("own_covers_share", 4 / 16),
        ("covers", 14 / 2),
        ("stacks", 30 / 2),
        ("moves", 200 / 2),
        ("small_share", 60 / 200),
        ("medium_share", 60 / 200),
        ("large_share", 80 / 200),
        ("stack_share", 30 / 200),
        ("carried", 3 / 2),
        ("swept", 8 / 2),
        ("starts", 26 / 2),
        ("sorry_starts", 2 / 2),
    ],
)
def test_pile_metric_by_hand(name: str, expected: float) -> None:
    found = {metric.name: metric for metric in all_metrics(["random"] * 2, ICE, [made_up.HAND])}
    assert value(found[name], PILES) == pytest.approx(expected)


def test_nobody_is_bumped_where_pawns_pile_up() -> None:
    classic, ice = ({metric.name for metric in all_metrics(["random"] * 4, each, [made_up.POINTS])} for each in (CLASSIC, ICE))
    assert {name for name in classic - ice if "bump" not in name} == set()
    assert {name for name in ice if "bump" in name} == set()
    assert {"covered_share", "stack_share", "bonus_2", "bonus_0", "throw_share", "slides"} <= ice
    assert not {"covered_share", "moves", "sorry_starts"} & classic


def test_every_value_of_the_longest_cover_is_counted() -> None:
    rows = made_up.rows(300, columns=made_up.ICE)
    plan = Plan(all_metrics(["random"] * 4, ICE), 4, 0, 300)
    found = Tally(plan)
    for piece in cut(rows, 70):
        found.add(plan.count(piece))
    assert list(found.values) == ["longest_cover"]
    assert found.values["longest_cover"].tolist() == np.bincount(rows.games["longest_cover"]).tolist()
    assert tally(made_up.rows(50)).tallies[0].values == {}


# -- every metric ----------------------------------------------------------------------------------

ARMS = [PLAIN, made_up.HAND, made_up.POINTS, made_up.MATCH, made_up.TEAMS, made_up.PLACES, TEAMS, MATCH]
DICE_ARMS = [PLAIN, MOVES, replace(made_up.TEAMS, home_moves=True, bump_moves=True), made_up.PLACES]
PILE_ARMS = [PLAIN, made_up.HAND, made_up.POINTS, made_up.MATCH, made_up.PLACES]
TABLES = ((made_up.CLASSIC, ARMS), (made_up.SORREESI, DICE_ARMS), (made_up.ICE, PILE_ARMS))
EVERY = [
    (metric, traits, columns)
    for columns, arms in TABLES
    for traits in arms
    for metric in all_metrics(["random", "random", "balanced", "runner"], made_up.counted(columns), [traits])
    if metric.measured(traits)
]


@pytest.mark.parametrize("metric", {metric.name: metric for metric, _, _ in EVERY}.values(), ids=lambda metric: metric.name)
def test_every_metric_is_described_and_names_columns_that_exist(metric: Metric) -> None:
    assert metric.title
    assert metric.unit
    assert metric.definition.endswith(".")
    assert any(set(metric.columns) <= counted for counted in (CLASSIC, SORREESI, ICE))
    assert metric.margin in MARGINS


def test_every_metric_is_one_of_some_game() -> None:
    assert {metric.name for metric in METRICS} == {metric.name for metric, _, _ in EVERY} & {metric.name for metric in METRICS}


@pytest.mark.parametrize(("traits", "columns"), [(traits, columns) for columns, arms in TABLES for traits in arms])
def test_every_metric_reads_no_other_columns_than_it_names(traits: Traits, columns: made_up.Columns) -> None:
    class Spy(dict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            read.add(key)
            return super().__getitem__(key)

    rows = made_up.rows(10, traits=traits, columns=columns)
    for metric in (metric for metric, *of in EVERY if of == [traits, columns]):
        read: set[str] = set()
        if metric.audit:
            metric.audit(np.zeros((2, audited.SIZE)))
            assert metric.columns == ()
        else:
            metric.counts(Rows(Spy(rows.games), Spy(rows.seats), 4, 0, traits))
        assert read - {"winner"} <= set(metric.columns), metric.name


def test_names_are_unique() -> None:
    for columns, arms in TABLES:
        names = [metric.name for metric in all_metrics(["a", "b", "a", "b"], made_up.counted(columns), arms)]
        assert len(set(names)) == len(names)


def test_a_margin_can_be_set_for_everything_but_what_a_table_brings_along() -> None:
    named = {metric.name for metric in named_metrics()}
    every = {metric.name for columns, arms in TABLES for metric in all_metrics(["a", "b", "a", "b"], made_up.counted(columns), arms)}
    assert {name for name in every - named if "policy_" not in name and not name.startswith("bonus_")} == set()


def test_a_margin_of_the_metric_itself_comes_before_that_of_its_kind() -> None:
    margins = {"turns": Margin(5), "length": Margin(0.1, relative=True)}
    assert margin_of(BY_NAME["turns"], margins) == Margin(5)
    assert margin_of(BY_NAME["draws"], margins) == Margin(0.1, relative=True)
    assert margin_of(BY_NAME["bumps"], margins) == MARGINS["rate"]


# -- checks ----------------------------------------------------------------------------------------


def broken_by(rows: Rows) -> dict[str, int]:
    """How many games break each check of their game."""
    return {name: int(broken(rows).sum()) for name, broken in checks_of(rows.games.keys() | rows.seats.keys()).items()}


@pytest.mark.parametrize(("traits", "columns"), [(traits, columns) for columns, arms in TABLES for traits in arms])
def test_checks_hold_on_sound_games(traits: Traits, columns: made_up.Columns) -> None:
    found = broken_by(made_up.rows(200, capped=3, traits=traits, columns=columns))
    assert set(found.values()) == {0}
    assert len(found) >= 8


def test_every_check_is_one_of_some_game() -> None:
    assert set().union(*map(checks_of, (CLASSIC, SORREESI, ICE))) == CHECKS.keys()


@pytest.mark.parametrize(
    ("part", "column"), [("seats", "won"), ("games", "dead_turns"), ("seats", "turns"), ("games", "bumps"), ("seats", "bumps_taken")]
)
def test_checks_notice_a_game_that_does_not_add_up(part: str, column: str) -> None:
    rows = made_up.rows(50)
    getattr(rows, part)[column][0] += 1
    assert sum(broken_by(rows).values()) >= 1


@pytest.mark.parametrize(
    ("traits", "part", "column", "wrong"),
    [
        (made_up.TEAMS, "seats", "won", 1),  # a third winner, or a loser's partner
        (made_up.TEAMS, "seats", "partner_bumps", 77),
        (PLAIN, "games", "partner_bumps", 1),
        (PLAIN, "games", "throws", 1),
        (made_up.HAND, "seats", "throws", 99),
        (made_up.HAND, "games", "throw_choice_turns", 9999),
        (made_up.POINTS, "games", "band_1", 2),
        (made_up.POINTS, "games", "band_4", 1),  # there are three
        (PLAIN, "games", "band_1", 1),
        (PLAIN, "seats", "points", 5),
        (TEAMS, "seats", "points", 999),  # of one partner alone
        (made_up.MATCH, "games", "match_rounds", 99),
        (made_up.MATCH, "seats", "match_rounds_won", 99),
    ],
)
def test_checks_notice_what_cannot_be(traits: Traits, part: str, column: str, wrong: int) -> None:
    rows = made_up.rows(50, traits=traits)
    getattr(rows, part)[column][:3] = wrong
    assert sum(broken_by(rows).values()) >= 1


@pytest.mark.parametrize(
    ("part", "column", "wrong"),
    [
        ("games", "bonuses_used", 999),
        ("games", "home_bonuses_used", 999),
        ("games", "penalties", 999),
        ("games", "rolls", 1),
        ("games", "dice_turns", 9999),
        ("games", "cards_used", 9999),
        ("games", "dice_used", 99_999),
        ("games", "fights_lost", 999),
        ("games", "bumps_fight", 9999),
        ("seats", "fights", 99),
        ("seats", "bonuses_lost", 99),
        ("seats", "won", 1),
        ("seats", "partner_bumps", 1),
    ],
)
def test_checks_notice_what_cannot_be_with_dice(part: str, column: str, wrong: int) -> None:
    rows = made_up.rows(50, traits=MOVES, columns=made_up.SORREESI)
    getattr(rows, part)[column][:3] = wrong
    assert sum(broken_by(rows).values()) >= 1


@pytest.mark.parametrize(
    ("part", "column", "wrong"),
    [
        ("games", "pawns_covered", 9999),
        ("games", "pawns_freed", 9999),
        ("games", "longest_cover", 9999),
        ("games", "covered_turns", 1),
        ("games", "pile_turns", 99_999),
        ("games", "stack_moves", 9999),
        ("games", "carried", 9999),
        ("games", "sorry_starts", 9999),
        ("seats", "covers_taken", 999),
        ("seats", "own_covers", 999),
        ("seats", "pawn_turns", 99_999),
    ],
)
def test_checks_notice_what_cannot_be_with_piles(part: str, column: str, wrong: int) -> None:
    rows = made_up.rows(50, traits=made_up.HAND, columns=made_up.ICE)
    getattr(rows, part)[column][:3] = wrong
    assert sum(broken_by(rows).values()) >= 1


def test_a_match_is_not_won_by_somebody_who_does_not_lead_alone() -> None:
    broken = CHECKS[
        "the rounds won add up to those of the match, whose winner alone has most points (rounds won, where no points are kept)"
    ].broken
    assert broken(MATCHES).tolist() == [False, False, False]
    tied = Rows(MATCHES.games, {**MATCHES.seats, "points": np.array([110, 110, 100, 10, 30, 30])}, 2, 0, MATCH)
    assert broken(tied).tolist() == [True, False, False]
    without_points = Rows(MATCHES.games, MATCHES.seats, 2, 0, Traits(match=True))  # then the rounds decide
    assert broken(without_points).tolist() == [True, False, False]


def test_a_declined_card_makes_a_turn_both_dead_and_a_choice() -> None:
    rows = made_up.rows(1)
    rows.games["dead_turns"][:] += 1  # one of the choice turns, in which the player passed
    broken = CHECKS["dead, forced and choice turns cover all turns, and overlap only where it was chosen to do nothing"].broken
    assert broken(rows).all()
    idle = Rows(rows.games, rows.seats, 4, 0, Traits(idle=True))  # it may have ended the turn, or laid a 2 down
    assert not broken(idle).any()
    rows.games["passes"][:] = 1
    assert not broken(rows).any()
    stuck, dead = value(BY_NAME["stuck_share"], rows), value(BY_NAME["dead_share"], rows)
    assert dead - stuck == pytest.approx(1 / rows.games["turns_all"][0])


# -- tallies ---------------------------------------------------------------------------------------


def cut(rows: Rows, size: int) -> list[Rows]:
    """The same games in pieces."""
    return [
        Rows(
            {name: column[at : at + size] for name, column in rows.games.items()},
            {name: column[at * rows.players : (at + size) * rows.players] for name, column in rows.seats.items()},
            rows.players,
            rows.first_game + at,
            rows.traits,
        )
        for at in range(0, len(rows), size)
    ]


def tally(*arms: Rows, pieces: int | None = None) -> Tallies:
    traits = [arm.traits for arm in arms]
    plan = Plan(all_metrics(["random"] * arms[0].players, CLASSIC, traits), arms[0].players, arms[0].first_game, len(arms[0]))
    tallies = Tallies(plan, traits)
    for counted in zip(*(cut(arm, pieces or len(arm)) for arm in arms), strict=True):
        tallies.add([plan.count(each) for each in counted])
    return tallies


def index(tallies: Tallies, name: str) -> int:
    return [metric.name for metric in tallies.plan.metrics].index(name)


def test_how_the_games_are_cut_changes_nothing() -> None:
    base, variant = made_up.rows(1000, first_game=300), made_up.rows(1000, first_game=300, length=420)
    whole = tally(base, variant)
    for pieces in (7, 64, 999):
        other = tally(base, variant, pieces=pieces)
        assert np.array_equal(whole.tallies[1].sums, other.tallies[1].sums)
        assert np.array_equal(whole.tallies[1].lengths, other.tallies[1].lengths)
        assert np.array_equal(whole.pairs[0].products, other.pairs[0].products)
        assert whole.pairs[0].identical == other.pairs[0].identical


def test_the_mean_is_that_of_the_column_and_its_interval_that_of_block_means() -> None:
    rows = made_up.rows(2400)
    found = tally(rows).tallies[0]
    estimate = found.estimate(0)
    assert estimate.value == pytest.approx(rows.games["turns"].mean())
    assert found.plan.block_games == 20
    means = rows.games["turns"].reshape(120, 20).mean(axis=1)
    assert estimate.high - estimate.value == pytest.approx(1.980100 * means.std(ddof=1) / math.sqrt(120), rel=1e-5)


def test_paired_difference_and_correlation_are_those_of_the_columns() -> None:
    base, variant = made_up.rows(2400), made_up.rows(2400, length=424)
    tallies = tally(base, variant, pieces=100)
    pair: PairTally = tallies.pairs[0]
    at = index(tallies, "turns")
    gained = variant.games["turns"].astype(float) - base.games["turns"]
    assert pair.difference(at).value == pytest.approx(gained.mean())
    assert pair.pairing(at).correlation == pytest.approx(np.corrcoef(base.games["turns"], variant.games["turns"])[0, 1])
    assert pair.pairing(at).factor > 50
    assert pair.difference(at).error < tallies.tallies[0].estimate(at).high - tallies.tallies[0].estimate(at).value


def test_share_of_unchanged_games_counts_equal_digests_at_equal_numbers() -> None:
    base = made_up.rows(100)
    variant = made_up.rows(100)
    variant.games["digest"][:25] += 1
    found = tally(base, variant, pieces=9).pairs[0].unchanged
    assert (found.value, found.n) == (0.75, 100)


def test_what_one_side_lacks_is_unknown_not_zero() -> None:
    plain, points = made_up.rows(300), made_up.rows(300, traits=made_up.POINTS)
    tallies = tally(plain, points)
    for name in ("points_winner", "points_sd", "points_seat_1", "bonus_1", "throw_share"):
        at = index(tallies, name)
        assert not tallies.tallies[0].estimate(at).known
        assert tallies.tallies[1].estimate(at).known
        assert not tallies.pairs[0].difference(at).known
    at = index(tallies, "board_choice_share")
    assert tallies.pairs[0].difference(at).known


def test_a_bonus_of_single_rounds_is_a_share_of_games_and_of_matches_a_ratio() -> None:
    single, match = made_up.rows(400, traits=made_up.POINTS), made_up.rows(400, traits=made_up.MATCH, seed=2)
    tallies = tally(single, single, match)
    at = index(tallies, "bonus_2")
    paid = int(single.games["band_1"].sum())
    assert tallies.tallies[0].estimate(at).low == pytest.approx(proportion_confint(paid, 400, method="wilson")[0])
    assert tallies.pairs[0].difference(at).df == math.inf  # game by game
    assert tallies.tallies[2].estimate(at).value == pytest.approx(match.games["band_1"].sum() / match.games["match_rounds"].sum())
    assert tallies.pairs[1].difference(at).df == 199


def test_teams_win_as_sides() -> None:
    rows = made_up.rows(500, capped=20, traits=made_up.TEAMS)
    found: Tally = tally(rows).tallies[0]
    won = rows.seat("won")[:480]
    assert found.side_wins.tolist() == [int((won[:, 0] == 1).sum()), int((won[:, 0] == 0).sum())]
    winners = rows.games["winner"][:480]
    assert found.ended.sum(axis=1).tolist() == [int((winners == seat).sum()) for seat in range(4)]
    assert found.ended.sum() == 480


def test_a_paired_spread_is_the_difference_of_standard_deviations() -> None:
    base, variant = made_up.rows(600, traits=made_up.POINTS), made_up.rows(600, traits=made_up.POINTS, seed=2)
    tallies = tally(base, variant)
    found = tallies.pairs[0].difference(index(tallies, "points_sd"))
    assert found.value == pytest.approx(variant.seats["points"].std() - base.seats["points"].std())
    assert math.isnan(tallies.pairs[0].pairing(index(tallies, "points_sd")).factor)


def test_pairs_need_the_same_games() -> None:
    plan = Plan(all_metrics(["random"] * 4, CLASSIC), 4, 0, 100)
    tallies = Tallies(plan, [PLAIN, PLAIN])
    with pytest.raises(ValueError, match="same games"):
        tallies.add([plan.count(made_up.rows(50)), plan.count(made_up.rows(50, first_game=50))])


def test_games_cut_off_are_counted_and_longest() -> None:
    rows = made_up.rows(1000, capped=40)
    found: Tally = tally(rows).tallies[0]
    assert found.no_winner == 40
    assert found.games == 1000
    assert found.side_wins.sum() == 960
    assert found.quantile(0.99).value == math.inf
    assert found.quantile(0.5).value == np.sort(np.where(rows.decided, rows.games["turns"], 10**6))[499]
    assert found.estimate([m.name for m in found.plan.metrics].index("capped")).value == 0.04


def test_capped_games_are_compared_game_by_game() -> None:
    base, variant = made_up.rows(500), made_up.rows(500, capped=20)
    tallies = tally(base, variant)
    found = tallies.pairs[0].difference(index(tallies, "capped"))
    assert found.value == pytest.approx(0.04)
    assert found.df == math.inf


BLOCK_SIZES = [
    *((1, 1), (20, 1), (399, 1), (400, 2), (1_999, 9), (2_000, 20), (2_400, 20), (4_001, 40), (10_000, 60), (20_000, 100), (50_000, 300)),
    *((99_999, 500), (100_000, 1_000), (400_000, 1_000), (400_001, 2_000), (1_000_000, 5_000), (10_000_000, 50_000), (10**12, 5 * 10**9)),
]


@pytest.mark.parametrize(("games", "size"), BLOCK_SIZES)
def test_blocks_are_a_hundred_to_four_hundred(games: int, size: int) -> None:
    assert statistical_block(games) == size
    assert min(games, 100) <= -(-games // size) <= 400


def test_stored_chunks_fit_into_the_blocks_of_any_larger_number_of_games() -> None:
    numbers = [*range(1, 2_100), *range(2_100, 21_000, 7), 99_999, 100_000, 100_001, *(10**6 + 13, 123_456_789, 10**9, 10**12)]
    for games in numbers:
        block = statistical_block(games)
        for fewer in (1, 1_999, 2_000, 19_999, 20_000, 99_999, 100_000, games):
            assert fewer > games or block % chunk_games(fewer) == 0
        if games >= 100_000:  # in stored parts, which have 100,000 games
            assert block % 100_000 == 0 or 100_000 % block == 0
        if block >= 20:
            assert block % 4 == 0  # whole turns of four seats where the first player rotates


def test_sums_stay_small_however_many_games() -> None:
    plan = Plan(all_metrics(["random"] * 4, CLASSIC), 4, 0, 10_000_000)
    assert plan.blocks == 200
    assert Tally(plan).sums.nbytes < 5_000 * len(plan.metrics)
