"""Metrics of the course of games, of luck and of audits: traps that published tools fell into, and sums worked out by hand."""

from dataclasses import replace
from typing import Any

import engine_tools
import numpy as np
import pytest

from simsorry import stats
from simsorry.at_table import all_metrics, named_metrics
from simsorry.course_metrics import watched
from simsorry.games import audited, classic
from simsorry.games.classic.rules import Rules
from simsorry.metrics import PLAIN, Metric, Rows
from simsorry.report.tallies import Tally
from simsorry.simulate import Traits
from simsorry.tally import Plan

BY_NAME = {metric.name: metric for metric in named_metrics()}
COLUMNS = {column.name for column in (*classic.GAME_COLUMNS, *classic.SEAT_COLUMNS)}
TEAMS = Traits(teams=((0, 2), (1, 3)))
TENSION = [metric.name for metric in named_metrics() if any(column.startswith(("walked_", "rank_")) for column in metric.columns)]


def rows_of(found: engine_tools.Rows, players: int, traits: Traits = PLAIN, first_game: int = 0) -> Rows:
    games = {column.name: found.games[k].astype(column.dtype) for k, column in enumerate(classic.GAME_COLUMNS)}
    seats = {column.name: found.seats[k].astype(column.dtype) for k, column in enumerate(classic.SEAT_COLUMNS)}
    return Rows(games, seats, players, first_game, traits, found.audits)


def played(rules: Rules, players: int, games: int, traits: Traits = PLAIN, seed: int = 4) -> Rows:
    return rows_of(engine_tools.play(rules, players, games, seed=seed), players, traits)


def made(games: list[dict[str, int]], seats: list[list[dict[str, int]]], traits: Traits = PLAIN) -> Rows:
    """Rows from dicts; what is not given is 0."""
    flat = [seat for game in seats for seat in game]
    return Rows(
        {column.name: np.array([game.get(column.name, 0) for game in games]).astype(column.dtype) for column in classic.GAME_COLUMNS},
        {column.name: np.array([seat.get(column.name, 0) for seat in flat]).astype(column.dtype) for column in classic.SEAT_COLUMNS},
        len(seats[0]),
        0,
        traits,
    )


def value(name: str, rows: Rows) -> float:
    top, bottom = BY_NAME[name].counts(rows)
    return float(np.sum(top, dtype=float) / np.sum(bottom, dtype=float))


def estimate(name: str, rows: Rows) -> stats.Estimate:
    plan = Plan(all_metrics(["random"] * rows.players, COLUMNS, [rows.traits]), rows.players, rows.first_game, len(rows))
    tally = Tally(plan, rows.traits)
    tally.add(plan.count(rows))
    return tally.estimate([metric.name for metric in plan.metrics].index(name))


# -- traps ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hasbro() -> Rows:
    return played(Rules(), 4, 2_000)


def test_a_fair_game_has_no_gap() -> None:
    """Ludii's Balance calls no game fair; here the interval of the largest gap contains 0 for table seats, which are alike."""
    luck = np.random.default_rng(1)
    found = [stats.gap(luck.multinomial(1_000, [0.25] * 4).tolist()) for _ in range(400)]
    assert np.mean([each.value for each in found]) == pytest.approx(1 - 0.967, abs=0.003)  # what metrics.md has for 1 - Balance
    assert np.mean([each.low > 0 for each in found]) < 0.05


def test_table_seats_are_fair(hasbro: Rows) -> None:
    won = (hasbro.seat("won") == 1) & hasbro.decided[:, None]
    counts = np.bincount(hasbro.seat("table_seat")[won], minlength=4)
    assert stats.gap(counts.tolist()).low == 0


def test_decided_is_a_share_of_each_game_and_not_a_yes_or_no(hasbro: Rows) -> None:
    top, bottom = BY_NAME["decided_share"].counts(hasbro)
    there = bottom > 0
    shares = top[there] / bottom[there]
    assert ((shares >= 0) & (shares < 1)).all()
    assert len(set(shares.tolist())) > 50
    assert np.mean((shares > 0) & (shares < 0.9)) > 0.1


def test_games_may_be_without_a_change_of_the_lead() -> None:
    rows = played(Rules(pawns=1), 2, 400)
    assert (rows.games["lead_changes"] == 0).sum() > 5
    assert value("lead_changes", rows) > 1


CAP = 320  # about half of the games take longer


@pytest.fixture(scope="module")
def cut() -> Rows:
    return played(Rules(turn_cap=CAP), 4, 2_000)


def test_games_cut_off_stay_in_the_length(hasbro: Rows, cut: Rows) -> None:
    assert 500 < cut.decided.sum() < 1_500
    assert value("turns", cut) == pytest.approx(np.minimum(hasbro.games["turns"], CAP).mean())


@pytest.mark.parametrize("name", TENSION)
def test_games_cut_off_leave_metrics_of_tension(hasbro: Rows, cut: Rows, name: str) -> None:
    ended = cut.decided
    top, bottom = BY_NAME[name].counts(cut)
    assert not np.asarray(bottom)[~ended].any()
    assert not np.asarray(top)[~ended].any()
    # Games that end before the cap are the same games.
    whole_top, whole_bottom = BY_NAME[name].counts(hasbro)
    assert np.array_equal(np.asarray(top)[ended], np.asarray(whole_top)[ended])
    assert np.array_equal(np.asarray(bottom)[ended], np.asarray(whole_bottom)[ended])


def test_a_game_that_is_won_before_the_first_round_end_has_no_course() -> None:
    rows = made([{"winner": 0, "round_ends": 0, "walked_mean": 0}, {"winner": 1, "round_ends": 4, "walked_mean": 1_000}], [[{}, {}]] * 2)
    assert watched(rows).tolist() == [False, True]
    assert value("drama_avg", rows) == 0.1


def test_metrics_of_tension_are_shares(hasbro: Rows) -> None:
    for name in TENSION:
        if BY_NAME[name].unit == "share":
            found = estimate(name, hasbro)
            assert 0 <= found.low <= found.value <= found.high <= 1, name
            assert found.low < found.high


# -- checkpoints ---------------------------------------------------------------------------------------


def ranked(*games: tuple[int | None, tuple[int, ...]], teams: bool = False) -> Rows:
    """Games of so many seats by winner (a play-order seat) and everybody's rank at half way."""
    sides = {0: (0, 2), 1: (1, 3), 2: (0, 2), 3: (1, 3)}
    seats = []
    for winner, ranks in games:
        winners = () if winner is None else sides[winner] if teams else (winner,)
        seats.append([{"rank_50": rank, "won": seat in winners, "table_seat": seat} for seat, rank in enumerate(ranks)])
    return made(
        [{"winner": 255 if winner is None else winner, "round_ends": 3} for winner, _ in games], seats, TEAMS if teams else PLAIN
    )  # fmt: skip


def test_leads_and_comebacks_by_hand() -> None:
    rows = ranked(
        (0, (1, 2, 3)), (1, (1, 2, 3)), (2, (1, 2, 3)), (0, (1, 1, 3)), (2, (1, 1, 3)), (1, (2, 2, 1)), (None, (1, 2, 3)), (0, (0, 0, 0))
    )
    assert value("lead_conv_50", rows) == 1 / 4  # there is a sole leader in the first three and the sixth
    assert value("runaway_50", rows) == pytest.approx((1 / 4 - 1 / 3) / (2 / 3))
    assert value("comeback_50", rows) == 2 / 6  # seat 2 won from behind twice; nobody alone was last in the sixth


def test_a_lead_is_worth_everything_or_nothing() -> None:
    assert value("runaway_50", ranked((0, (1, 2, 2, 2)), (2, (4, 2, 1, 3)))) == 1
    assert value("runaway_50", ranked(*((seat, (1, 2, 3, 4)) for seat in range(4)))) == 0
    assert value("runaway_50", ranked((3, (1, 2, 3, 4)))) == pytest.approx(-1 / 3)


def test_teams_lead_and_come_back_together() -> None:
    rows = ranked((2, (1, 2, 1, 2)), (1, (1, 2, 1, 2)), (3, (1, 1, 1, 1)), (0, (2, 1, 2, 1)), teams=True)
    assert value("lead_conv_50", rows) == 1 / 3
    assert value("runaway_50", rows) == pytest.approx((1 / 3 - 1 / 2) / (1 / 2))
    assert value("comeback_50", rows) == 2 / 4


def test_the_margin_of_a_win() -> None:
    seats = [[{"won": 1, "pips_left": 0}, {"pips_left": 30}, {"pips_left": 12}], [{"pips_left": 50}, {"won": 1}, {"pips_left": 70}]]
    assert value("winning_margin", made([{"winner": 0}, {"winner": 1}], seats)) == (12 + 50) / 2
    team = [[{"won": 1, "table_seat": 0}, {"pips_left": 30, "table_seat": 1}, {"won": 1, "pips_left": 5, "table_seat": 2},
             {"pips_left": 12, "table_seat": 3}]]  # fmt: skip
    assert value("winning_margin", made([{"winner": 0}], team, TEAMS)) == 42


def test_wins_with_few_pawns_against() -> None:
    seats = [[{"won": 1, "pawns_home": 4}, {"pawns_home": home}] for home in (0, 1, 2, 3)]
    rows = made([{"winner": 0}] * 4, seats)
    assert (value("shutouts_1", rows), value("shutouts_2", rows)) == (2 / 4, 3 / 4)


# -- luck ----------------------------------------------------------------------------------------------


def test_the_luck_share_is_a_squared_correlation(hasbro: Rows) -> None:
    luck, won = hasbro.seat("luck").astype(float), hasbro.seat("won").astype(float)
    there = hasbro.decided
    apart = [(part - part.mean(axis=1, keepdims=True))[there].ravel() for part in (luck, won)]
    expected = np.corrcoef(*apart)[0, 1] ** 2
    found = estimate("luck_share", hasbro)
    assert found.value == pytest.approx(expected, rel=1e-6)
    assert 0 <= found.low < found.value < found.high < 1


def test_who_is_lucky_wins_or_does_not() -> None:
    games = [{"winner": game % 2} for game in range(200)]
    luck = np.random.default_rng(2).integers(-5_000, 5_000, 200)
    lucky = [[{"won": seat == game % 2, "luck": 900 if seat == game % 2 else 100} for seat in range(2)] for game in range(200)]
    alike = [[{"won": seat == game % 2, "luck": int(luck[game])} for seat in range(2)] for game in range(200)]
    assert estimate("luck_share", made(games, lucky)).value == pytest.approx(1)
    assert not estimate("luck_share", made(games, alike)).value > 0  # what all have alike says nothing


def test_without_luck_there_is_no_share_of_it(hasbro: Rows) -> None:
    shuffled = dict(hasbro.seats)
    shuffled["luck"] = np.random.default_rng(3).permutation(hasbro.seats["luck"])
    found = estimate("luck_share", replace(hasbro, seats=shuffled))
    assert found.value < 0.005


# -- audits --------------------------------------------------------------------------------------------


def audits(**sections: dict[int, int]) -> Any:
    counts = np.zeros((1, audited.SIZE))
    for name, numbers in sections.items():
        for at, n in numbers.items():
            counts[0, audited.OFFSETS[name] + at] = n
    return counts


def audit_value(name: str, **sections: dict[int, int]) -> float:
    metric: Metric = BY_NAME[name]
    assert metric.audit is not None
    top, bottom = metric.audit(audits(**sections))
    return float(np.sum(top) / np.sum(bottom))


def test_audits_by_hand() -> None:
    assert audit_value("leader_bash", led={0: 40, 1: 10}) == 0.25
    assert audit_value("relock_share", relocked={0: 3}, turns={0: 60}) == 0.05
    assert audit_value("stall_turns", stall={0: 30, 1: 6}, won={0: 2}) == 15
    assert audit_value("stall_dead", stall={0: 30, 1: 6}, won={0: 2}) == 3
    # 1,040 squares to go at the beginning, 340 in the end; 900 gained by movers and 20 by others, 220 lost.
    assert audit_value("rework", standing={0: 1_040, 1: 340}, squares={0: 900, 1: 30, 2: 20, 3: 190}) == pytest.approx(920 / 700)
    assert audit_value("squares_lost", squares={3: 190}, games={0: 2}) == 95
    assert audit_value("biggest_swing", swing_squares={0: 120}, games={0: 2}) == 60
    assert audit_value("dead_cards", unused={0: 3, 16: 1}, drawn={0: 6, 16: 6, 40: 8}) == 0.2
    assert audit_value("dead_exact", dead={3: 4}, drawn={0: 40}) == 0.1


def test_hits_on_the_next_player_by_hand() -> None:
    # Three players: 0 hits 1 twice, 1 hits 2 once, 2 hits 0 three times; 0 hits 2 four times.
    assert audit_value("hits_next", hits={1: 2, 6: 1, 8: 3, 2: 4}) == 6 / 10


def test_feedback_by_hand() -> None:
    """Four leads and their changes: the slope of a least-squares line."""
    lead, change = np.array([-10, 0, 4, 20]), np.array([3, 1, -2, -8])
    sums = (4, lead.sum(), change.sum(), (lead**2).sum(), (lead * change).sum())
    assert audit_value("feedback", leads=dict(enumerate(map(int, sums)))) == pytest.approx(np.polyfit(lead, change, 1)[0])


def test_blocks_of_audits_say_the_same_together_as_apart(hasbro: Rows) -> None:
    """The value is that of all sums, however many blocks they stand in."""
    assert hasbro.audits is not None
    for metric in named_metrics():
        if metric.audit and metric.measured(PLAIN):
            top, bottom = metric.audit(hasbro.audits.astype(float))
            one, other = metric.audit(hasbro.audits.sum(axis=0, keepdims=True).astype(float))
            assert np.sum(top) / np.sum(bottom) == pytest.approx(np.sum(one) / np.sum(other)), metric.name


def test_every_audited_metric_has_something_to_say(hasbro: Rows) -> None:
    for metric in named_metrics():
        if metric.audit and metric.measured(PLAIN):
            found = estimate(metric.name, hasbro)
            assert np.isfinite([found.value, found.low, found.high]).all(), metric.name
            assert found.low < found.value < found.high
