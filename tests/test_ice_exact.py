"""Numbers of Ice Soo Sorry! that are known exactly, identities, and symmetries of the board.

Chance is tested at fixed seeds: a number may lie ``STANDARD_ERRORS`` from the exact one, which a correct engine passes
with all but a few in a hundred thousand seeds.
"""

from math import comb
from typing import Any

import numpy as np
import pytest
from ice_listing import SEATED
from ice_tools import MIXED, SEAT, U, line_up, play
from numpy.typing import NDArray
from scipy import stats

from simsorry import rulesets
from simsorry.games import hands, ice
from simsorry.games.columns import NOBODY
from simsorry.games.ice import queries
from simsorry.games.ice import tables as t
from simsorry.games.ice.rules import Rules
from simsorry.games.options import CARDS, DECKS

STANDARD_ERRORS = 4.0
CHANCE = 1e-5
PLAYERS = sorted(SEATED)


def assert_share(found: NDArray[np.bool_], exact: float) -> None:
    """A share over independent games."""
    assert abs(found.mean() - exact) < STANDARD_ERRORS * np.sqrt(exact * (1 - exact) / found.size)


# -- the board -------------------------------------------------------------------------------------------


def test_distances() -> None:
    # Rulebook 1.2, by square relative to a color's corner.
    to_go = ice.compile_rules(Rules(), 4)[0]["togo"].reshape(4, t.STRIDE)
    for number in range(4):
        by_square = {relative: int(to_go[number, (15 * number + relative) % 60]) for relative in range(60)}
        assert [by_square[relative] for relative in (4, 3, 2, 1, 0, 59)] == [64, 65, 6, 7, 8, 9]
        assert sorted(by_square.values()) == list(range(6, 66))
        assert to_go[number, 60 + 5 * number : 65 + 5 * number].tolist() == [5, 4, 3, 2, 1]


def test_squares_to_go_from_START() -> None:
    rows = play(Rules(turn_cap=1), 4, 40)
    idle = rows.game("dead_turns") == 1
    assert idle.any()
    assert (rows.seat("pips_left", 4)[idle] == 15 * 65).all()
    out = play(Rules(quick_start_pawns=15, turn_cap=1), 2, 1)
    assert out.seat("pips_left", 2)[0, 1] == 15 * 64
    small = play(Rules(pieces=(1, 2, 0), turn_cap=1, hand_size=0, deck_counts=only("3")), 2, 20)
    assert (np.sort(small.seat("pips_left", 2), axis=1) == [64 + 2 * 65, 3 * 65]).all()


def test_quick_start_begins_outside() -> None:
    rows = play(Rules(quick_start_pawns=1, turn_cap=30), 3, 100)
    assert (rows.seat("first_start", 3) == 0).all()


# -- the first pawns out ---------------------------------------------------------------------------------

NO_STARTER = comb(32, 5) / comb(45, 5)  # five 1s, four 2s and four 3s start pawns


def test_the_exact_answer_is_the_published_one() -> None:
    assert round(NO_STARTER, 4) == 0.1648


@pytest.mark.parametrize("players", PLAYERS)
def test_a_first_hand_without_a_starter(players: int) -> None:
    rows = play(Rules(turn_cap=1), players, 40_000, seed=5)
    dead = rows.game("throws") == 1
    assert_share(dead, NO_STARTER)
    assert (rows.game("dead_turns") == dead).all()
    assert (rows.seat("first_start", players)[:, 0] == np.where(dead, -1, 1)).all()


def test_a_first_hand_without_a_starter_of_anybody() -> None:
    # Without Sorry! cards nobody's first turn has anything to do with the others'.
    deck = DECKS["deck_45"] | {"sorry": 0}
    rows = play(Rules(turn_cap=4, deck_counts=deck), 4, 30_000, seed=6)
    for order in range(4):
        assert_share(rows.seat("first_start", 4)[:, order] < 0, comb(28, 5) / comb(41, 5))


def test_a_first_card_starts_a_pawn() -> None:
    rows = play(Rules(hand_size=0, two_draws_again="never", turn_cap=1), 4, 40_000, seed=7)
    assert_share(rows.game("starts") == 1, 13 / 45)


def test_what_the_first_hand_offers() -> None:
    # A small one by a 1, a medium one by a 2, any by a 3; or else every different card to throw in.
    tables, scratch = ice.compile_rules(Rules(), 4), ice.new_scratch()
    dead = 0
    for game in range(400):
        queries.begin_ice(tables, scratch, U(8), U(game))
        x = scratch[0]
        begin = hands.MAX_HELD * int(x["seat"])
        hand = {CARDS[number] for number in x["hand"][begin : begin + 5]}
        starts = ("1" in hand) + ("2" in hand) + 3 * ("3" in hand)
        dead += not starts
        assert int(queries.plays_of(tables, scratch, x["seat"])) == (starts or len(hand))
    assert dead > 30


def test_which_size_the_first_card_brings_out() -> None:
    tables, scratch, line = ice.compile_rules(Rules(hand_size=0, two_draws_again="never"), 2), ice.new_scratch(), line_up(2)
    out = np.zeros((20_000, 3), bool)
    for game in range(len(out)):
        queries.begin_ice(tables, scratch, U(9), U(game))
        color = int(tables[0]["seat_color"][int(scratch[0]["seat"])])
        queries.next_card(tables, line, scratch)
        out[game] = scratch[0]["start"][4 * color : 4 * color + 3] < 5
    for size, cards in enumerate((5 + 4 / 3, 4 + 4 / 3, 4 / 3)):
        assert_share(out[:, size], cards / 45)


# -- cards -----------------------------------------------------------------------------------------------


def test_every_turn_takes_one_card_of_a_hand_where_a_2_brings_no_other() -> None:
    rows = play(Rules(two_in_hand="none", turn_cap=60), 3, 100)
    assert (rows.game("draws") == rows.game("turns_all")).all()


def test_a_2_brings_another_card() -> None:
    # Without hands every turn draws until no 2 comes; of 45 cards with replacement 4 are 2s.
    rows = play(Rules(hand_size=0, draw="with_replacement", turn_cap=30), 4, 4000, seed=4)
    more = rows.game("draws") - rows.game("turns_all")
    mean = 4 / 41
    assert abs(more.mean() / 30 - mean) < STANDARD_ERRORS * np.sqrt(mean * (1 + mean) / (30 * 4000))


def test_a_pile_is_gone_through_before_it_is_shuffled_anew() -> None:
    rows = play(Rules(hand_size=0, two_draws_again="never", turn_cap=46, deck_counts="deck_44"), 2, 100)
    assert (rows.game("reshuffles") == 1).all()
    rows = play(Rules(hand_size=0, two_draws_again="never", turn_cap=44, deck_counts="deck_44"), 2, 100)
    assert (rows.game("reshuffles") == 0).all()
    rows = play(Rules(hand_size=0, two_draws_again="never", turn_cap=44, deck_counts="deck_44", reshuffle_when="when_last_taken"), 2, 100)
    assert (rows.game("reshuffles") == 1).all()


# -- who begins ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("way", ["random", "high_card"])
def test_every_seat_begins_equally_often(players: int, way: str) -> None:
    first = play(Rules(first_player=way, turn_cap=1), players, 20_000, seed=8).game("first_seat")
    assert stats.chisquare(np.bincount(first, minlength=players)).pvalue > CHANCE


def test_who_begins_by_rule() -> None:
    assert (play(Rules(first_player="fixed", turn_cap=1), 3, 50, first_game=4).game("first_seat") == 0).all()
    rotated = play(Rules(first_player="rotate", turn_cap=1), 3, 50, first_game=4).game("first_seat")
    assert rotated.tolist() == [game % 3 for game in range(4, 54)]


# -- games without luck ----------------------------------------------------------------------------------


def only(*cards: str) -> dict[str, int]:
    """A deck of nothing but these."""
    return {card: 40 * (card in cards) for card in CARDS}


SCORED: dict[str, Any] = {"score_home_to": "all_players"}


@pytest.mark.parametrize("players", PLAYERS)
def test_one_pawn_by_ones(players: int) -> None:
    # One turn out of START, and 64 squares but for the 3 or 4 that each of six slides saves: 1 + 64 - 3 * (3 + 4).
    rows = play(Rules(pieces=(1, 0, 0), deck_counts=only("1"), **SCORED), players, 20)
    own = 1 + 64 - 3 * (3 + 4)
    assert (rows.game("winner") == 0).all()
    assert (rows.game("turns") == (own - 1) * players + 1).all()
    assert (rows.game("rounds") == own).all()
    assert (rows.game("choices") + rows.game("dead_turns") == 0).all()
    assert (rows.game("slides") == 6 * players).all()
    assert (rows.game("moves_small") == (own - 2) * players + 1).all()
    for column in ("moves_medium", "covers", "stacks", "pawns_covered", "swept", "carried", "stack_moves", "lead_changes"):
        assert (rows.game(column) == 0).all(), column
    assert (rows.game("highest_pile") == 1).all()
    assert (rows.game("pile_turns") == rows.game("pawn_turns")).all()
    assert (rows.seat("pips_left", players) == [0] + [1] * (players - 1)).all()
    assert (rows.seat("place", players) == [1] + [2] * (players - 1)).all()
    # One small pawn HOME, the others' not, and nobody else with any HOME.
    assert (rows.seat("points", players) == [1 + (players - 1) + 40] + [0] * (players - 1)).all()
    assert (rows.game("band_3") == 1).all()
    assert (rows.game("band_1") == 0).all()


def test_all_bonuses_at_once() -> None:
    rows = play(Rules(pieces=(0, 0, 1), quick_start_pawns=1, deck_counts=only("1"), bonus_bands="cumulative", **SCORED), 2, 5)
    assert (rows.seat("points", 2)[:, 0] == 3 + 3 + 5 + 10 + 40).all()
    assert (rows.game("band_1") == 1).all()
    assert (rows.game("band_2") == 1).all()


# From the start circle by fives: 9, 14, 19, and 24, a triangle: 28; 33, 38, 43, 48, 53, 58, into the zone on Z1, HOME.
BY_FIVES = 12


@pytest.mark.parametrize("sizes", [(1, 0, 0), (0, 1, 0), (0, 0, 1)], ids=["small", "medium", "large"])
def test_one_pawn_by_fives(sizes: tuple[int, int, int]) -> None:
    rows = play(Rules(pieces=sizes, quick_start_pawns=1, deck_counts=only("5")), 2, 5)
    assert (rows.game("turns") == 2 * (BY_FIVES - 1) + 1).all()
    assert (rows.game("slides") == 2).all()
    assert [int(rows.game(f"moves_{size}")[0]) for size in ("small", "medium", "large")] == [23 * count for count in sizes]


def test_a_stack_of_two_goes_HOME_together() -> None:
    rules = Rules(pieces=(1, 1, 0), quick_start_pawns=2, deck_counts=only("5"))
    rows = play(rules, 2, 5, policies=line_up(2, {"stack_moves": 1.0}))
    assert (rows.game("turns") == 2 * (BY_FIVES - 1) + 1).all()
    assert (rows.game("stack_moves") == 2 * (BY_FIVES - 1) + 1).all()
    assert (rows.game("moves_small") == rows.game("stack_moves")).all()  # the small one lies on the medium one
    assert (rows.game("homes") == 2).all()
    assert (rows.game("highest_pile") == 2).all()
    assert (rows.game("pawn_turns") == 2 * rows.game("pile_turns")).all()
    alone = play(rules.model_copy(update={"ice_stack_home": "top_only"}), 2, 5, policies=line_up(2, {"stack_moves": 1.0}))
    assert (alone.game("turns") == 2 * BY_FIVES + 1).all()
    assert (alone.game("stack_moves") == 2 * (BY_FIVES - 1)).all()


# By twelves from the start circle: onto three triangles, to the ends of their slides, and to the square before the entry, from which
# HOME is 7 away. Round from there: 13, 25, 37, 49, and that square again.
TWELVES: dict[str, Any] = {"pieces": (1, 0, 0), "quick_start_pawns": 1, "deck_counts": only("12"), "turn_cap": 101, "hand_size": 0}


def test_a_count_too_large_never_comes_HOME() -> None:
    rows = play(Rules(forward_past_entry="forbidden", **TWELVES), 2, 5)
    assert (rows.game("capped") == 1).all()
    assert (rows.game("winner") == NOBODY).all()
    assert (rows.game("turns") == 101).all()
    assert (rows.game("slides") == 6).all()
    assert (rows.game("dead_turns") == 101 - 8).all()
    assert (rows.seat("pips_left", 2) == 7).all()
    assert (rows.seat("won", 2) == 0).all()


def test_or_goes_round_for_ever() -> None:
    rows = play(Rules(forward_past_entry="forced", **TWELVES), 2, 5)
    assert (rows.game("capped") == 1).all()
    assert (rows.game("dead_turns") == 0).all()
    assert (rows.game("slides") == 6).all()  # four squares on is no triangle
    # 51 own turns: 4 to the square before the entry, and 47 round: 9 times, and to 25, 47 squares before HOME with the 2 to the entry.
    assert (rows.seat("pips_left", 2)[:, 0] == (60 + 2 - 25) + 6).all()


def test_or_is_enough_where_any_is() -> None:
    rows = play(Rules(home_overshoot="any", forward_past_entry="forbidden", **TWELVES), 2, 5)
    assert (rows.game("turns") == 2 * 4 + 1).all()
    assert (rows.game("winner") == 0).all()


def test_a_turn_that_would_never_end_is_cut_off() -> None:
    tables = ice.compile_rules(Rules(hand_size=0), 2)
    tables[0]["deck"][:] = CARDS.index("2")  # which the rules would refuse
    tables[0]["forward"][CARDS.index("2")] = 0  # or all would be HOME first
    rows = play(tables, 2, 5)
    assert (rows.game("capped") == 1).all()
    assert (rows.game("winner") == NOBODY).all()
    assert (rows.game("turns_all") == 1).all()
    assert (rows.game("draws") > 9_999).all()


# -- points ----------------------------------------------------------------------------------------------

STRONG = {"progress": 1.0, "home": 20.0}
# One player against three of a kind: who bring nobody HOME, who play at random, who wait, and who play as well.
OPPONENTS = ({"in_zone": 2.0, "home": -2.0}, {}, {"in_start": 3.0, "home": 5.0}, STRONG)


def sheet_points(home: list[list[int]], winner: int, *, cumulative: bool) -> list[int]:
    """The points of a round by the text of the sheet (I-31): everybody's pawns HOME by size, by seat."""
    points = [sum(size * count for size, count in enumerate(pawns, 1)) for pawns in home]
    most = max(sum(pawns) for seat, pawns in enumerate(home) if seat != winner)
    earned = [bonus for limit, bonus in ((8, 5), (5, 10), (0, 40)) if most <= limit]
    missing = sum(size * (5 - count) for seat, pawns in enumerate(home) for size, count in enumerate(pawns, 1) if seat != winner)
    points[winner] += missing + (sum(earned) if cumulative else max(earned, default=0))
    return points


@pytest.mark.parametrize(("bands", "most"), [("highest_only", 160), ("cumulative", 175)])
def test_points_of_a_round(bands: str, most: int) -> None:
    tables, scratch = ice.compile_rules(Rules(bonus_bands=bands, **SCORED), 4), ice.new_scratch()
    paid, opponents = set(), set()
    for game in range(32):
        line = line_up(4, STRONG, *[OPPONENTS[game % 4]] * 3)
        queries.begin_ice(tables, scratch, U(12), U(game))
        while queries.next_card(tables, line, scratch):
            pass
        x = scratch[0]
        home = [x["home"][4 * color : 4 * color + 3].tolist() for color in tables[0]["seat_color"].tolist()]
        queries.next_round(tables, scratch, U(12), U(game))
        assert home[int(x["winner"])] == [5, 5, 5]
        assert x["points"].tolist() == sheet_points(home, int(x["winner"]), cumulative=bands == "cumulative")
        paid.add(int(x["points"].max()))
        opponents.add(max(sum(pawns) for seat, pawns in enumerate(home) if seat != x["winner"]))
    assert max(paid) == most  # nobody else has brought a pawn HOME
    assert opponents & {0}
    assert opponents & {1, 2, 3, 4, 5}
    assert opponents & {6, 7, 8}
    assert opponents & {9, 10, 11, 12, 13, 14}


@pytest.mark.parametrize("measure", ["max_per_opponent", "total"])
def test_points_by_size_and_bonuses_of_other_values(measure: str) -> None:
    options: dict[str, Any] = {"score_home_value": (7, 9, 7), "score_not_home_value": (9, 4, 9), "score_bands": ((2, 100), (0, 1000))}
    rows = play(Rules(pieces=(0, 3, 0), score_home_to="winner_only", band_measure=measure, **options), 3, 300, seed=13)
    points, home, won = rows.seat("points", 3), rows.seat("pawns_home", 3), rows.seat("won", 3) == 1
    others = home[~won].reshape(-1, 2)
    measured = others.max(axis=1) if measure == "max_per_opponent" else others.sum(axis=1)
    bonus = np.where(measured == 0, 1000, np.where(measured <= 2, 100, 0))
    assert (points[won] == 3 * 9 + 4 * (6 - others.sum(axis=1)) + bonus).all()
    assert (points[~won] == 0).all()
    assert set(measured) >= {0, 1, 2}
    assert (rows.game("band_1") == (bonus == 100)).all()
    assert (rows.game("band_2") == (bonus == 1000)).all()


# -- matches ---------------------------------------------------------------------------------------------


def test_a_match_is_its_rounds() -> None:
    rules = Rules(pieces=(1, 1, 0), match_end="rounds:3", next_leader="next_seat", **SCORED)
    rows = play(rules, 3, 100, seed=14)
    first = play(rules.model_copy(update={"match_end": "single_round", "next_leader": "winner"}), 3, 100, seed=14)
    points, rounds = rows.seat("points", 3), rows.game("match_rounds")
    assert (rounds >= 3).all()
    assert (rows.seat("match_rounds_won", 3).sum(axis=1) == rounds).all()
    assert (points.argmax(axis=1) == rows.game("winner")).all()
    assert ((points == points.max(axis=1, keepdims=True)).sum(axis=1) == 1).all()
    assert (rows.seat("place", 3) == np.array([stats.rankdata(-row, method="min") for row in points])).all()
    assert (rows.game("first_seat") == first.game("first_seat")).all()
    assert (rows.seat("first_start", 3) == first.seat("first_start", 3)).all()
    for column in ("turns", "draws", "points", "starts", "pawn_turns"):
        assert (rows.seat(column, 3) >= first.seat(column, 3)).all(), column
    for column in ("highest_pile", "longest_cover"):
        assert (rows.game(column) >= first.game(column)).all(), column


def test_a_match_to_a_target_ends_once_it_is_reached() -> None:
    rows = play(Rules(pieces=(1, 1, 0), score_home_to="winner_only", match_end="target:100"), 2, 100, seed=15)
    points = rows.seat("points", 2)
    assert (points.max(axis=1) >= 100).all()
    assert (points.max(axis=1) < 100 + 3 + 3 + 40).all()


# -- identities ------------------------------------------------------------------------------------------

SMALL: dict[str, Any] = {"pieces": (2, 2, 2)}
TABLES: dict[str, tuple[dict[str, Any], int]] = {
    "two": ({}, 2),
    "three": (SMALL, 3),
    "four": (SMALL, 4),
    "contact at the top": (SMALL | {"ice_contact_piece": "top", "ice_mixed_stack_zone": "drop_at_entry"}, 3),
    "units ride": (SMALL | {"ice_slide_mode": "carry_stacked", "ice_slide_triangle": "take", "slides": "all"}, 4),
    "back to START": (SMALL | {"ice_mixed_stack_zone": "to_start", "ice_swap_mode": "land_on_top"}, 2),
    "cards drawn": (SMALL | {"hand_size": 0, "two_draws_again": "if_played"}, 3),
    "to the last": (SMALL | {"game_end": "all_home"}, 3),
    "a match": ({"pieces": (1, 1, 1), "match_end": "rounds:2"}, 2),
}
SUMMED = [
    "draws",
    "dead_turns",
    "choice_turns",
    "starts",
    "sorry_starts",
    "throws",
    "swaps",
    "slides",
    "carried",
    "pawn_turns",
    "covered_turns",
]
PARTS = [("covered_turns", "pawn_turns"), ("pile_turns", "pawn_turns"), ("stack_moves", "moves"), ("throws", "draws"), ("backs", "moves")]
PARTS += [("pawns_freed", "pawns_covered"), ("throw_choice_turns", "choice_turns"), ("splits", "moves")]


@pytest.mark.parametrize("name", TABLES)
def test_identities(name: str) -> None:
    options, players = TABLES[name]
    rows = play(Rules(**options), players, 100, policies=line_up(players, *MIXED), seed=2)
    seats = {column: rows.seat(column, players) for column in SEAT}
    summed = {column: seats[column].sum(axis=1) for column in SEAT}
    game = {column: rows.game(column) for column in GAME_NAMES}
    game["moves"] = game["moves_small"] + game["moves_medium"] + game["moves_large"]
    assert (game["winner"] != NOBODY).all()
    assert (summed["won"] == 1).all()
    first = np.arange(100), game["winner"]
    assert (seats["won"][first] == 1).all()
    assert (seats["color"][first] == game["winner_color"]).all()
    assert (summed["turns"] == game["turns_all"]).all()
    for column in SUMMED:
        assert (summed[column] == game[column]).all(), column
    assert (summed["covers_given"] == summed["covers_taken"]).all()
    assert (summed["covers_given"] + summed["own_covers"] == game["pawns_covered"]).all()
    for part, whole in PARTS:
        assert (game[part] <= game[whole]).all(), part
    kinds = game["dead_turns"] + game["forced_turns"] + game["choice_turns"]
    both = kinds - game["turns_all"]  # turns with a choice in which nothing was done
    assert (both >= 0).all()
    assert (both <= game["passes"] + game["throws"]).all()
    assert (game["throw_choice_turns"] <= both).all()
    assert (game["longest_cover"] <= game["turns_all"]).all()
    places = seats["place"]
    assert ((places == 1) == seats["won"]).all()
    assert (np.array([stats.rankdata(row, method="min") for row in places]) == places).all()


GAME_NAMES = [column.name for column in ice.GAME_COLUMNS]


def test_every_pawn_that_started_is_somewhere() -> None:
    # START never gains a pawn: what has left it is in play or HOME.
    rows = play(Rules(pieces=(2, 2, 2)), 4, 100, seed=3)
    started = rows.game("starts") + rows.game("sorry_starts")
    assert (rows.game("homes") == rows.seat("pawns_home", 4).sum(axis=1)).all()
    assert (rows.game("homes") <= started).all()
    assert (started <= 4 * 6).all()


def test_pips_left_and_pawns_home_at_the_end() -> None:
    rows = play(Rules(pieces=(2, 2, 1)), 4, 200)
    left, home, won = (rows.seat(column, 4) for column in ("pips_left", "pawns_home", "won"))
    assert ((left == 0) == (home == 5)).all()
    assert ((home == 5) == won).all()
    assert (left <= 65 * (5 - home)).all()
    assert (left >= 5 - home).all()


@pytest.mark.parametrize("name", rulesets.names("ice"))
def test_every_ruleset_ends_most_of_its_games(name: str) -> None:
    rows = play(rulesets.load(name).rules, 2, 12, policies=line_up(2, {"progress": 1.0, "home": 5.0}), seed=6)
    assert (rows.game("capped") == 0).all()
    assert (rows.game("winner") < 2).all()


# -- symmetries ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "players"), [({}, 2), ({}, 4), ({"hand_size": 0}, 4)], ids=str)
def test_no_color_is_better_than_another(options: dict[str, Any], players: int) -> None:
    winners = play(Rules(pieces=(1, 1, 0), **options), players, 4000, seed=4).game("winner_color")
    counts = np.bincount(winners, minlength=4)
    assert stats.chisquare(counts[counts > 0]).pvalue > CHANCE
    assert (counts > 0).sum() == players


def test_turning_the_seats_changes_no_average() -> None:
    # Nor who wins by order of play; game by game the lists of choices differ, as they follow the squares of the board.
    found = [play(Rules(pieces=(1, 1, 1), seat_colors=seats), 2, 1500, seed=3) for seats in (("red", "yellow"), ("green", "blue"))]
    for column in ("turns", "slides", "starts", "pawns_covered", "outcomes", "winner"):
        one, other = (rows.game(column).astype(float) for rows in found)
        assert abs(one.mean() - other.mean()) < STANDARD_ERRORS * np.sqrt((one.var() + other.var()) / 1500), column


def test_sitting_beside_each_other_is_another_game() -> None:
    # Or the test above could not fail.
    opposite, adjacent = (play(Rules(pieces=(1, 1, 1), seat_colors=seats), 2, 60, seed=3) for seats in (("red", "yellow"), ("red", "blue")))
    assert (opposite.game("turns") != adjacent.game("turns")).any()
