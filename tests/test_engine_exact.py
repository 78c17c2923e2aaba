"""Numbers that are known exactly, identities, and symmetries of the board.

Chance is tested at fixed seeds: a number may lie ``STANDARD_ERRORS`` from the exact one, which a correct engine passes
with all but a few in a hundred thousand seeds.
"""

from math import prod
from typing import Any

import numpy as np
import pytest
from engine_tools import MIXED, ROTATIONS, SEAT, SEATED, Rows, assert_alike, line_up, play, turned_games
from numpy.typing import NDArray
from scipy import stats

from simsorry import rulesets
from simsorry.games.classic.rules import Rules
from simsorry.games.columns import NOBODY

STANDARD_ERRORS = 4.0
CHANCE = 1e-5
PLAYERS = sorted(SEATED)
GAMES = 200_000


def assert_share(found: NDArray[np.bool_], exact: float) -> None:
    """A share over independent games."""
    assert abs(found.mean() - exact) < STANDARD_ERRORS * np.sqrt(exact * (1 - exact) / found.size)


# -- the first pawn out (45 cards, of which 9 start a pawn) ----------------------------------------------


def chance_of_first_start_at(draw: int) -> float:
    """That the first 1 or 2 is the draw-th card of the table, counted from 1."""
    return prod((36 - k) / (45 - k) for k in range(draw - 1)) * 9 / (45 - draw + 1)


AT = [chance_of_first_start_at(draw) for draw in range(1, 38)]


def first_start_draws(players: int, **options: Any) -> NDArray[np.int64]:
    """Table draws to the first pawn out, by game: until then every turn is one draw."""
    rows = play(Rules(**{"turn_cap": 40, **options}), players, GAMES, seed=5)
    own_turn = rows.seat("first_start", players).astype(np.int64)
    table_turn = (own_turn - 1) * players + np.arange(players) + 1
    return np.where(own_turn > 0, table_turn, 1000).min(axis=1)


def test_the_exact_answers_are_the_published_ones() -> None:
    assert sum(AT) == pytest.approx(1)
    assert sum(draw * chance for draw, chance in enumerate(AT, 1)) == pytest.approx(4.6)
    nobody = [1 - sum(AT[:players]) for players in PLAYERS]
    assert [round(chance, 4) for chance in nobody] == [0.6364, 0.5032, 0.3953]
    by_order = [[round(sum(AT[order::players]), 4) for order in range(players)] for players in PLAYERS]
    assert by_order == [[0.5549, 0.4451], [0.4088, 0.3286, 0.2627], [0.3373, 0.2717, 0.2176, 0.1734]]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_first_pawn_out(players: int) -> None:
    draws = first_start_draws(players)
    assert draws.max() <= 37
    assert abs(draws.mean() - 4.6) < STANDARD_ERRORS * draws.std() / np.sqrt(GAMES)
    assert_share(draws == 1, 0.2)
    assert_share(draws > players, 1 - sum(AT[:players]))
    for order in range(players):
        assert_share((draws - 1) % players == order, sum(AT[order::players]))
    counts = np.bincount(draws, minlength=38)[1:]
    few = sum(np.array(AT) * GAMES >= 20)
    pooled = [*counts[:few], counts[few:].sum()], [*AT[:few], sum(AT[few:])]
    assert stats.chisquare(pooled[0], np.array(pooled[1]) / sum(pooled[1]) * GAMES).pvalue > CHANCE


def test_with_replacement_the_first_pawn_comes_out_like_a_spinner_says() -> None:
    draws = first_start_draws(2, draw="with_replacement", turn_cap=60)
    for draw in range(1, 8):
        assert_share(draws == draw, 0.2 * 0.8 ** (draw - 1))


def test_quick_start_begins_outside() -> None:
    rows = play(Rules(quick_start_pawns=1, turn_cap=30), 3, 100)
    assert (rows.seat("first_start", 3) == 0).all()


# -- who begins ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("way", ["random", "high_card"])
def test_every_seat_begins_equally_often(players: int, way: str) -> None:
    first = play(Rules(first_player=way, turn_cap=1), players, 60_000, seed=8).game("first_seat")
    assert stats.chisquare(np.bincount(first, minlength=players)).pvalue > CHANCE


def test_who_begins_by_rule() -> None:
    assert (play(Rules(first_player="fixed", turn_cap=1), 3, 50, first_game=4).game("first_seat") == 0).all()
    rotated = play(Rules(first_player="rotate", turn_cap=1), 3, 50, first_game=4).game("first_seat")
    assert rotated.tolist() == [game % 3 for game in range(4, 54)]


# -- identities ------------------------------------------------------------------------------------------

SOME = ["hasbro", "french", "apologies", "house-bump-own", "house-share-squares", "house-many-splits", "house-ride-all-slides"]
SOME += ["hasbro-points", "expert-seven-cards", "encyclopedia-five-cards", "parker-1934"]
SIDED = [(name, players, 1) for name in SOME for players in PLAYERS]
SIDED += [(name, 4, 2) for name in ("hasbro-teams", "french-teams", "hasbro-teams-points", "house-partners-share", "house-partners-block")]
SIDED += [("house-partners-own-pawns", 4, 2), ("parker-1939-teams", 4, 2)]
SUMMED = ["draws", "dead_turns", "choice_turns", "starts", "own_bumps", "partner_bumps", "swaps", "slides", "throws"]


@pytest.mark.parametrize(("name", "players", "members"), SIDED)
def test_identities(name: str, players: int, members: int) -> None:
    rows = play(rulesets.load(name).rules, players, 300, policies=line_up(players, *MIXED), seed=2)
    by_seat = {column: rows.seat(column, players) for column in SEAT}
    summed = {column: by_seat[column].sum(axis=1) for column in SEAT}
    won = rows.game("winner") != NOBODY
    assert won.all()
    assert (summed["won"] == members).all()
    assert (by_seat["won"][np.arange(300), rows.game("winner")] == 1).all()
    assert (by_seat["color"][np.arange(300), rows.game("winner")] == rows.game("winner_color")).all()
    assert (by_seat["match_rounds_won"] == by_seat["won"]).all()
    assert (summed["bumps_given"] == summed["bumps_taken"]).all()
    for column, total in {"bumps_given": "bumps", "turns": "turns_all"}.items():
        assert (summed[column] == rows.game(total)).all()
    for column in SUMMED:
        assert (summed[column] == rows.game(column)).all(), column
    kinds = rows.game("dead_turns") + rows.game("forced_turns") + rows.game("choice_turns")
    both = kinds - rows.game("turns_all")  # turns with a choice in which nothing was done
    assert (both >= 0).all()
    assert (both <= rows.game("passes") + rows.game("throws")).all()
    assert (rows.game("throw_choice_turns") <= both).all()
    assert (rows.game("throws") <= rows.game("draws")).all()
    assert_places_fit(rows, players, members)


def assert_places_fit(rows: Rows, players: int, members: int) -> None:
    """The winner is first, and the others come after, ties sharing a place; partners have the place of their team."""
    places = rows.seat("place", players)
    assert ((places == 1) == rows.seat("won", players)).all()
    ranks = np.array([stats.rankdata(row, method="min") for row in places])
    assert ((ranks - 1) // members + 1 == places).all()


def test_every_turn_is_of_one_kind_where_passing_is_impossible() -> None:
    rows = play(Rules(eleven_swap_forced=True), 4, 200)
    assert (rows.game("passes") == 0).all()
    assert (rows.game("dead_turns") + rows.game("forced_turns") + rows.game("choice_turns") == rows.game("turns_all")).all()


def test_pips_left_and_pawns_home_at_the_end() -> None:
    rows = play(Rules(), 4, 300)
    left, home, won = (rows.seat(column, 4) for column in ("pips_left", "pawns_home", "won"))
    assert ((left == 0) == (home == 4)).all()
    assert ((home == 4) == won).all()
    assert (left <= 65 * (4 - home)).all()


# -- points ----------------------------------------------------------------------------------------------

ONE_STRONG = ({"progress": 1.0, "home": 20.0, "bumps": 5.0}, {"progress": -1.0}, {"progress": -1.0}, {"progress": -1.0})


def points_of_the_winner(rules: Rules, opponents: NDArray[np.int64]) -> NDArray[np.int64]:
    """What a winner gets who has all pawns HOME; ``opponents``: pawns HOME, a row per game and a column per opponent."""
    measure = opponents.max(axis=1) if rules.band_measure == "max_per_opponent" else opponents.sum(axis=1)
    earned = np.array([points * (measure <= limit) for limit, points in rules.score_bands])
    bonus = earned.max(axis=0) if rules.bonus_bands == "highest_only" else earned.sum(axis=0)
    return rules.score_home_value * rules.pawns + rules.score_not_home_value * (rules.pawns - opponents).sum(axis=1) + bonus


@pytest.mark.parametrize("measure", ["max_per_opponent", "total"])
@pytest.mark.parametrize(("bands", "most"), [("highest_only", 180), ("cumulative", 255)])
def test_points_of_a_round(bands: str, most: int, measure: str) -> None:
    rules = Rules(hand_size=5, quick_start_pawns=1, score_home_to="all_players", bonus_bands=bands, band_measure=measure)
    for policies in (line_up(4), line_up(4, *ONE_STRONG)):
        rows = play(rules, 4, 600, policies=policies, seed=12)
        points, home, won = rows.seat("points", 4), rows.seat("pawns_home", 4), rows.seat("won", 4) == 1
        assert (points[won] == points_of_the_winner(rules, home[~won].reshape(-1, 3))).all()
        assert (points[~won] == 5 * home[~won]).all()
        assert points.max() <= most
    assert points.max() == most  # nobody else has brought a pawn HOME


@pytest.mark.parametrize("bands", ["highest_only", "cumulative"])
def test_bonuses_are_counted(bands: str) -> None:
    rules = Rules(hand_size=5, score_home_to="winner_only", score_home_value=0, score_not_home_value=0, bonus_bands=bands)
    rows = play(rules, 3, 600, seed=13)
    paid = np.array([rows.game(f"band_{number}") for number in (1, 2, 3, 4)])
    assert (paid[:3].sum(axis=1) > 10).all()
    assert (paid[3] == 0).all()
    assert (rows.seat("points", 3).sum(axis=1) == np.array([25, 50, 100, 0]) @ paid).all()
    if bands == "highest_only":
        assert (paid.sum(axis=0) <= 1).all()
    else:
        assert (paid[:-1] >= paid[1:]).all()


# -- matches ---------------------------------------------------------------------------------------------


def test_a_match_is_its_rounds() -> None:
    rules = Rules(pawns=2, score_home_to="all_players", match_end="rounds:3", next_leader="next_seat")
    rows, first = (
        play(rules, 3, 200, seed=14),
        play(rules.model_copy(update={"match_end": "single_round", "next_leader": "winner"}), 3, 200, seed=14),
    )
    points, rounds = rows.seat("points", 3), rows.game("match_rounds")
    assert (rounds >= 3).all()
    assert (rounds > 3).any()  # ties are played on
    assert (rows.seat("match_rounds_won", 3).sum(axis=1) == rounds).all()
    assert (points.argmax(axis=1) == rows.game("winner")).all()
    assert ((points == points.max(axis=1, keepdims=True)).sum(axis=1) == 1).all()
    assert (rows.seat("place", 3) == np.array([stats.rankdata(-row, method="min") for row in points])).all()
    assert (rows.game("match_upsets") < rounds).all()
    assert (rows.game("first_seat") == first.game("first_seat")).all()
    assert (rows.seat("first_start", 3) == first.seat("first_start", 3)).all()
    for column in ("turns", "draws", "points", "bumps_given", "slides"):
        assert (rows.seat(column, 3) >= first.seat(column, 3)).all(), column


def test_a_match_to_a_target_ends_once_it_is_reached() -> None:
    rows = play(Rules(pawns=2, score_home_to="winner_only", match_end="target:400"), 2, 200, seed=15)
    points = rows.seat("points", 2)
    assert (points.max(axis=1) >= 400).all()
    assert (points.max(axis=1) < 400 + 2 * 5 + 2 * 5 + 100).all()


def test_rounds_of_a_match_have_luck_of_their_own() -> None:
    # With the same cards and choices every round would be won by the same seat, as each has the same first player.
    rows = play(Rules(pawns=1, match_end="rounds:2", first_player="fixed", next_leader="next_seat"), 2, 2000, seed=16)
    undecided = rows.game("match_rounds") > 2
    assert 0.4 < undecided.mean() < 0.6


# -- symmetries ------------------------------------------------------------------------------------------

ADJACENT = [("red", "blue"), ("blue", "yellow"), ("green", "red")]
BOARDS: list[dict[str, Any]] = [
    {},
    {"absent_color_slides": "inert"},
    {"own_collision": "share", "slides": "all", "slide_after_swap": "both"},
    {"hand_size": 5, "score_home_to": "all_players"},
    {"hand_size": 3, "pawns": 2, "match_end": "rounds:2", "two_in_hand": "play_drawn", "own_collision": "bump_self"},
]


@pytest.mark.parametrize("options", BOARDS, ids=lambda options: ",".join(options) or "printed")
@pytest.mark.parametrize("seatings", [*ROTATIONS.values(), ADJACENT], ids=["2", "3", "4", "2 adjacent"])
def test_turning_the_board_changes_nothing_but_the_names(seatings: list[tuple[str, ...]], options: dict[str, Any]) -> None:
    assert_alike(turned_games(seatings, [options] * len(seatings)))


def test_sitting_beside_each_other_is_another_game() -> None:
    # Or the test above could not fail.
    opposite, adjacent = (play(Rules(seat_colors=seats), 2, 60, seed=3) for seats in (("red", "yellow"), ("red", "blue")))
    assert (opposite.game("turns") != adjacent.game("turns")).any()


@pytest.mark.parametrize(
    ("options", "players"), [({}, 2), ({}, 4), ({"hand_size": 5}, 4), ({"team_pairs": "opposite", "pawns": 2}, 4)], ids=str
)
def test_no_color_is_better_than_another(options: dict[str, Any], players: int) -> None:
    winners = play(Rules(**options), players, 10_000 if options else 20_000, seed=4).game("winner_color")
    counts = np.bincount(winners, minlength=4)
    assert stats.chisquare(counts[counts > 0]).pvalue > CHANCE
    assert (counts > 0).sum() == players
