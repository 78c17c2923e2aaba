"""Numbers that are known exactly, identities, and symmetries of the board.

Chance is tested at fixed seeds: a number may lie ``STANDARD_ERRORS`` from the exact one, which a correct engine passes
with all but a few in a hundred thousand seeds.
"""

from math import prod
from typing import Any

import numpy as np
import pytest
from engine_tools import MIXED, SEAT, SEATED, Rows, line_up, play
from numpy.typing import NDArray
from scipy import stats

from simsorry import rulesets
from simsorry.games.classic.columns import NOBODY
from simsorry.games.classic.rules import COLORS, Rules

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


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", SOME)
def test_identities(name: str, players: int) -> None:
    rows = play(rulesets.load(name).rules, players, 300, policies=line_up(players, *MIXED), seed=2)
    by_seat = {column: rows.seat(column, players) for column in SEAT}
    summed = {column: by_seat[column].sum(axis=1) for column in SEAT}
    won = rows.game("winner") != NOBODY
    assert won.all()
    assert (summed["won"] == 1).all()
    assert (by_seat["won"].argmax(axis=1) == rows.game("winner")).all()
    assert (by_seat["color"][np.arange(300), rows.game("winner")] == rows.game("winner_color")).all()
    assert (summed["bumps_given"] == summed["bumps_taken"]).all()
    for column, total in {"bumps_given": "bumps", "turns": "turns_all"}.items():
        assert (summed[column] == rows.game(total)).all()
    for column in ("draws", "dead_turns", "choice_turns", "starts", "own_bumps", "swaps", "slides"):
        assert (summed[column] == rows.game(column)).all()
    kinds = rows.game("dead_turns") + rows.game("forced_turns") + rows.game("choice_turns")
    both = kinds - rows.game("turns_all")  # turns with a choice in which nothing was done
    assert (both >= 0).all()
    assert (both <= rows.game("passes")).all()
    assert_places_fit(rows, players)


def assert_places_fit(rows: Rows, players: int) -> None:
    """The winner is first, and the others come after, ties sharing a place."""
    places = rows.seat("place", players)
    assert ((places == 1) == rows.seat("won", players)).all()
    assert (places.max(axis=1) <= players).all()
    ranks = np.array([stats.rankdata(row, method="min") for row in places])
    assert (ranks == places).all()


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


# -- symmetries ------------------------------------------------------------------------------------------

ROTATIONS = {
    2: [("red", "yellow"), ("blue", "green"), ("yellow", "red"), ("green", "blue")],
    3: [("red", "blue", "yellow"), ("blue", "yellow", "green"), ("green", "red", "blue")],
    4: [COLORS, ("blue", "yellow", "green", "red"), ("yellow", "green", "red", "blue"), ("green", "red", "blue", "yellow")],
}
ADJACENT = [("red", "blue"), ("blue", "yellow"), ("green", "red")]
BOARDS: list[dict[str, Any]] = [
    {},
    {"absent_color_slides": "inert"},
    {"own_collision": "share", "slides": "all", "slide_after_swap": "both"},
]


@pytest.mark.parametrize("options", BOARDS, ids=lambda options: ",".join(options) or "printed")
@pytest.mark.parametrize("seatings", [*ROTATIONS.values(), ADJACENT], ids=["2", "3", "4", "2 adjacent"])
def test_turning_the_board_changes_nothing_but_the_names(seatings: list[tuple[str, ...]], options: dict[str, Any]) -> None:
    blocks = []
    for seats in seatings:
        players = len(seats)
        policies = line_up(players, *MIXED)
        rows = play(Rules(seat_colors=seats, **options), players, 60, policies=policies, seed=3)
        assert (rows.seat("color", players) == np.array([COLORS.index(color) for color in seats])[rows.seat("table_seat", players)]).all()
        blocks.append(without_colors(rows))
    for block in blocks[1:]:
        assert block[0].tolist() == blocks[0][0].tolist()
        assert block[1].tolist() == blocks[0][1].tolist()


def without_colors(rows: Rows) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    games, seats = rows.games.copy(), rows.seats.copy()
    rows._replace(games=games).game("winner_color")[:] = 0
    seats[SEAT["color"]] = 0
    return games, seats


def test_sitting_beside_each_other_is_another_game() -> None:
    # Or the test above could not fail.
    opposite, adjacent = (play(Rules(seat_colors=seats), 2, 60, seed=3) for seats in (("red", "yellow"), ("red", "blue")))
    assert (opposite.game("turns") != adjacent.game("turns")).any()


@pytest.mark.parametrize("players", [2, 4])
def test_no_color_is_better_than_another(players: int) -> None:
    winners = play(Rules(), players, 20_000, seed=4).game("winner_color")
    counts = np.bincount(winners, minlength=4)
    assert stats.chisquare(counts[counts > 0]).pvalue > CHANCE
    assert (counts > 0).sum() == players
