"""Metrics against tables small enough to check by hand, and tallies against whole columns."""

import math
from typing import Any

import made_up
import numpy as np
import pytest

from simsorry.games.classic.columns import GAME_COLUMNS, SEAT_COLUMNS
from simsorry.metrics import (
    CHECKS,
    MARGINS,
    METRICS,
    Metric,
    PairTally,
    Plan,
    Rows,
    Tallies,
    Tally,
    all_metrics,
    margin_of,
    policy_metrics,
    seat_metrics,
    statistical_block,
)
from simsorry.stats import Margin

BY_NAME = {metric.name: metric for metric in METRICS}


def table(games: list[dict[str, int]], seats: list[list[dict[str, int]]], first_game: int = 0) -> Rows:
    """Rows from dicts; what is not given is 0."""
    players = len(seats[0])
    flat = [seat for game in seats for seat in game]
    return Rows(
        {c.name: np.array([game.get(c.name, 0) for game in games]).astype(c.dtype) for c in GAME_COLUMNS},
        {c.name: np.array([seat.get(c.name, 0) for seat in flat]).astype(c.dtype) for c in SEAT_COLUMNS},
        players,
        first_game,
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
    assert [value(metric) for metric in seat_metrics(2)] == [0.5, 0.5]


def test_policy_shares_follow_the_table_seat_not_the_play_order() -> None:
    random, balanced = policy_metrics(["random", "balanced"])
    assert (random.name, balanced.name) == ("policy_random", "policy_balanced")
    assert value(random) == 0
    assert value(balanced) == 1  # table seat 1 won both games, once from each place in play order


def test_equal_policies_have_no_policy_shares() -> None:
    assert policy_metrics(["random"] * 4) == ()


@pytest.mark.parametrize("metric", all_metrics(4, ["random", "random", "balanced", "runner"]), ids=lambda metric: metric.name)
def test_every_metric_is_described_and_names_columns_that_exist(metric: Metric) -> None:
    columns = {column.name for column in (*GAME_COLUMNS, *SEAT_COLUMNS)}
    assert metric.title
    assert metric.unit
    assert metric.definition.endswith(".")
    assert set(metric.columns) <= columns
    assert metric.margin in MARGINS


@pytest.mark.parametrize("metric", all_metrics(4, ["random", "random", "balanced", "runner"]), ids=lambda metric: metric.name)
def test_every_metric_reads_no_other_columns_than_it_names(metric: Metric) -> None:
    class Spy(dict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            read.add(key)
            return super().__getitem__(key)

    read: set[str] = set()
    rows = made_up.rows(10)
    metric.counts(Rows(Spy(rows.games), Spy(rows.seats), 4, 0))
    assert read - {"winner"} <= set(metric.columns)


def test_names_are_unique() -> None:
    names = [metric.name for metric in all_metrics(4, ["a", "b", "a", "b"])]
    assert len(set(names)) == len(names)


def test_a_margin_of_the_metric_itself_comes_before_that_of_its_kind() -> None:
    margins = {"turns": Margin(5), "length": Margin(0.1, relative=True)}
    assert margin_of(BY_NAME["turns"], margins) == Margin(5)
    assert margin_of(BY_NAME["draws"], margins) == Margin(0.1, relative=True)
    assert margin_of(BY_NAME["bumps"], margins) == MARGINS["rate"]


# -- checks ----------------------------------------------------------------------------------------


def test_checks_hold_on_sound_games() -> None:
    rows = made_up.rows(200, capped=3)
    assert {name: int(broken(rows).sum()) for name, broken in CHECKS.items()} == dict.fromkeys(CHECKS, 0)


@pytest.mark.parametrize(
    ("part", "column"), [("seats", "won"), ("games", "dead_turns"), ("seats", "turns"), ("games", "bumps"), ("seats", "bumps_taken")]
)
def test_checks_notice_a_game_that_does_not_add_up(part: str, column: str) -> None:
    rows = made_up.rows(50)
    getattr(rows, part)[column][0] += 1
    assert sum(int(broken(rows).sum()) for broken in CHECKS.values()) >= 1


def test_a_declined_card_makes_a_turn_both_dead_and_a_choice() -> None:
    rows = made_up.rows(1)
    rows.games["dead_turns"][:] += 1  # one of the choice turns, in which the player passed
    broken = CHECKS["dead, forced and choice turns cover all turns, and overlap only where a card was declined"]
    assert broken(rows).all()
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
        )
        for at in range(0, len(rows), size)
    ]


def tally(*arms: Rows, pieces: int | None = None) -> Tallies:
    plan = Plan(all_metrics(arms[0].players, ["random"] * arms[0].players), arms[0].players, arms[0].first_game, len(arms[0]))
    tallies = Tallies(plan, len(arms))
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
    assert found.plan.block_games == 12
    means = rows.games["turns"].reshape(200, 12).mean(axis=1)
    assert estimate.high - estimate.value == pytest.approx(1.971957 * means.std(ddof=1) / math.sqrt(200), rel=1e-5)


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


def test_pairs_need_the_same_games() -> None:
    plan = Plan(all_metrics(4, ["random"] * 4), 4, 0, 100)
    tallies = Tallies(plan, 2)
    with pytest.raises(ValueError, match="same games"):
        tallies.add([plan.count(made_up.rows(50)), plan.count(made_up.rows(50, first_game=50))])


def test_games_cut_off_are_counted_and_longest() -> None:
    rows = made_up.rows(1000, capped=40)
    found: Tally = tally(rows).tallies[0]
    assert found.no_winner == 40
    assert found.games == 1000
    assert found.seat_wins.sum() == 960
    assert found.quantile(0.99).value == math.inf
    assert found.quantile(0.5).value == np.sort(np.where(rows.decided, rows.games["turns"], 10**6))[499]
    assert found.estimate([m.name for m in found.plan.metrics].index("capped")).value == 0.04


def test_capped_games_are_compared_game_by_game() -> None:
    base, variant = made_up.rows(500), made_up.rows(500, capped=20)
    tallies = tally(base, variant)
    found = tallies.pairs[0].difference(index(tallies, "capped"))
    assert found.value == pytest.approx(0.04)
    assert found.df == math.inf


@pytest.mark.parametrize(("games", "size"), [(1, 1), (20, 1), (399, 1), (2_400, 12), (20_000, 108), (1_000_000, 5_004)])
def test_blocks_are_about_two_hundred_and_hold_whole_rotations(games: int, size: int) -> None:
    assert statistical_block(games) == size
    assert size < 12 or size % 12 == 0


def test_sums_stay_small_however_many_games() -> None:
    plan = Plan(all_metrics(4, ["random"] * 4), 4, 0, 10_000_000)
    assert plan.blocks <= 200
    assert Tally(plan).sums.nbytes < 200_000
