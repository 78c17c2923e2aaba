"""The gauge of the chance to win: what the kernel makes of it, how it is fitted and checked, and what it leaves alone."""

import json
from dataclasses import replace
from typing import Any

import course_referee as referee
import numpy as np
import pytest
from engine_tools import GAME, MIXED, SEAT, Rows, line_up
from numpy.typing import NDArray

from simsorry import gauging, policies, rulesets, simulate
from simsorry.errors import SimsorryError
from simsorry.games import audited, classic
from simsorry.games.classic.rules import Rules
from simsorry.gauge import NOTHING, Gauge, Moment

U = np.uint64
GAUGE = Gauge((310, 22, -19, 8), -3)
WORLDS: dict[str, tuple[Rules, int]] = {
    "hasbro": (Rules(), 4),
    "two players": (Rules(pawns=3), 2),
    "teams": (Rules(team_pairs="opposite", pawns=3), 4),
    "hands": (Rules(hand_size=5), 3),
    "head starts": (Rules(head_starts=(0, 5, 9)), 3),
}


def play(rules: Rules, players: int, games: int, gauge: Gauge | None, first_game: int = 0) -> Rows:
    tables = classic.compile_rules(rules, players)
    if gauge is not None:
        gauge.fill(tables[0])
    rows = Rows(
        np.zeros((len(GAME), games), np.int32),
        np.zeros((len(SEAT), games * players), np.int32),
        np.zeros((audited.chunks(first_game, games), audited.SIZE), np.int64),
    )
    assert classic.play_block(tables, line_up(players, *MIXED), classic.new_scratch(), U(11), U(first_game), *rows) == 0
    return rows


SMOOTH = ("chance_mean", "chance_most", "chance_open", "chance_open_late")  # the others are shares of round ends


# -- in the kernel -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WORLDS)
def test_chances_are_what_the_gauge_makes_of_the_standings(name: str) -> None:
    """Chances are rounded to ten-thousandths, so that those that are nearly equal may be taken for equal."""
    rules, players = WORLDS[name]
    rows = play(rules, players, 12, GAUGE)
    apart = []
    for game in range(12):
        if rows.game("winner")[game] == 255 or not rows.game("round_ends")[game]:
            continue
        story = referee.tell(classic, rules, line_up(players, *MIXED), players, 11, game)
        told = referee.chance_columns(story, GAUGE.weights, GAUGE.order)
        found = {column: abs(rows.game(column)[game] / 10_000 - share) for column, share in told.items()}
        apart.append(
            {column: difference < (0.001 if column in SMOOTH else 2 / len(story.round_ends_to_win)) for column, difference in found.items()}
        )
    assert len(apart) >= 8
    for column in apart[0]:
        assert sum(game[column] for game in apart) >= len(apart) - (column not in SMOOTH), column


def test_chances_add_up_to_one() -> None:
    rules, players = WORLDS["hasbro"]
    tables, scratch = classic.compile_rules(rules, players), classic.new_scratch()
    GAUGE.fill(tables[0])
    rows = np.zeros((len(GAME), 1), np.int32), np.zeros((len(SEAT), players), np.int32), np.zeros((1, audited.SIZE), np.int64)
    assert classic.play_block(tables, line_up(players), scratch, U(3), U(1), *rows) == 0
    notes = int(scratch[0]["notes"])
    by_note = scratch[0]["chance"][: 4 * notes].reshape(notes, 4)
    assert notes > 5
    assert (np.abs(by_note.sum(axis=1, dtype=int) - 10_000) <= 2).all()
    story = referee.tell(classic, rules, line_up(players), players, 3, 1)
    assert np.abs(by_note / 10_000 - referee.chances(story, GAUGE.weights, GAUGE.order)).max() < 2e-4


def test_a_gauge_changes_its_own_columns_alone() -> None:
    for name, (rules, players) in WORLDS.items():
        plain, gauged = play(rules, players, 60, None), play(rules, players, 60, GAUGE)
        different = {column for column in GAME if not np.array_equal(plain.game(column), gauged.game(column))}
        assert different == {column for column in GAME if column.startswith("chance_")}, name
        assert np.array_equal(plain.seats, gauged.seats)
        assert np.array_equal(plain.audits, gauged.audits)
        assert not any(plain.game(column).any() for column in different)


def test_a_gauge_that_weighs_nothing_finds_everybody_equal() -> None:
    rows = play(Rules(), 4, 40, NOTHING)
    there = (rows.game("winner") != 255) & (rows.game("round_ends") > 0)
    for column in ("chance_mean", "chance_most", "chance_behind", "chance_rank", "chance_decided", "chance_written_off"):
        assert not rows.game(column).any()
    assert (rows.game("chance_open")[there] >= 9_998).all()
    ends = rows.game("round_ends")[there].astype(int)
    assert (rows.game("chance_last_lead")[there] == 10_000 * ends // (ends + 1)).all()  # never the favorite alone


def test_very_large_weights_do_no_harm() -> None:
    """Weights at the limit make chances of 0 and 1 out of any lead."""
    rows = play(Rules(), 4, 40, Gauge((gauging.LARGEST_WEIGHT,) * 4, gauging.LARGEST_WEIGHT))
    for column in (name for name in GAME if name.startswith("chance_")):
        assert (rows.game(column) >= 0).all()
        assert (rows.game(column) <= 10_000).all()
    assert rows.game("chance_open").mean() < 100


# -- fitting and checking ------------------------------------------------------------------------------

TRUE = np.array([6.0, 0.5, -0.4, 0.2, -0.1])


def world(seed: int, games: int, notes_each: int, weights: NDArray[Any] = TRUE) -> gauging.Notes:
    """Standings at random, every one won as its chances are; of a game by the same draw."""
    luck = np.random.default_rng(seed)
    count = games * notes_each
    features = np.empty((count, 4, 5))
    features[:, :, 0] = luck.random((count, 4))
    features[:, :, 1:4] = luck.integers(0, 4, (count, 4, 3))
    features[:, :, 4] = np.arange(4)
    chances = gauging.softmax(features @ weights)
    winner = (chances.cumsum(axis=1) < luck.random(count)[:, None]).sum(axis=1)
    return gauging.Notes(features, winner.clip(max=3), np.repeat(np.arange(games), notes_each))


def test_fitting_finds_the_weights_of_a_made_up_world() -> None:
    found = gauging._fitted(world(3, 30_000, 1))
    assert found == pytest.approx(TRUE, abs=0.12)
    assert gauging._fitted(world(4, 30_000, 1, np.zeros(5))) == pytest.approx(np.zeros(5), abs=0.12)


def test_a_feature_that_never_differs_weighs_nothing() -> None:
    notes = world(3, 3_000, 1)
    notes.features[:, :, 3] = 0
    assert gauging._fitted(notes)[3] == 0


def test_the_check_of_a_true_gauge() -> None:
    """Its chances come true as often as they say, and its Brier score is that of the numbers."""
    gauge = Gauge((384, 32, -26, 13), -6)
    weights = np.array([384, 32, -26, 13, -6]) / 64
    notes = world(7, 4_000, 1, weights)
    checked = gauging.check(gauge, notes)
    chances = gauging.softmax(notes.features @ weights)
    brier = ((chances - np.eye(4)[notes.winner]) ** 2).sum() / len(notes)
    assert checked.brier == pytest.approx(brier, rel=1e-12)
    assert checked.brier_even == pytest.approx(0.75)
    assert checked.skill == pytest.approx(1 - brier / 0.75)
    assert (checked.games, checked.notes) == (4_000, 4_000)
    assert sum(each.notes for each in checked.reliability) == 4 * 4_000
    assert sum(each.low <= each.gauged <= each.high for each in checked.reliability) >= len(checked.reliability) - 1
    for each in checked.reliability:
        there = (chances * 10 >= np.floor(each.gauged * 10)) & (chances * 10 < np.floor(each.gauged * 10) + 1)
        assert each.won == pytest.approx(np.eye(4)[notes.winner][there].mean())
        assert 0 <= each.low <= each.won <= each.high <= 1


def test_an_overconfident_gauge_is_found_out() -> None:
    notes = world(8, 4_000, 1)
    checked = gauging.check(Gauge((1_200, 96, -77, 38), -19), notes)
    assert sum(not each.low <= each.gauged <= each.high for each in checked.reliability) >= 6
    assert checked.brier > gauging.check(Gauge((384, 32, -26, 13), -6), notes).brier


def test_round_ends_of_one_game_are_no_more_than_one_game() -> None:
    """Notes that are all the same say no more for being many."""
    once = world(9, 400, 1)
    often = gauging.Notes(*(np.repeat(part, 25, axis=0) for part in (once.features, once.winner, once.game)))
    gauge = Gauge((384, 32, -26, 13), -6)
    for one, many in zip(gauging.check(gauge, once).reliability, gauging.check(gauge, often).reliability, strict=True):
        assert (many.won, many.low, many.high) == pytest.approx((one.won, one.low, one.high))
        assert many.notes == 25 * one.notes


def certain(chances: list[list[list[float]]], winners: list[int]) -> tuple[Moment, ...]:
    """The fan of games with these chances by round end and side, from a gauge that takes logarithms for shares of the way."""
    notes = [np.log(np.array(game)) for game in chances]
    features = np.zeros((sum(map(len, notes)), len(chances[0][0]), 5))
    features[:, :, 0] = np.concatenate(notes)
    games = np.repeat(np.arange(len(notes)) + 7, [len(game) for game in notes])
    return gauging.check(Gauge((64, 0, 0, 0), 0), gauging.Notes(features, np.array(winners)[games - 7], games)).fan


def test_the_fan_has_the_chances_of_winners_and_losers_tenth_by_tenth() -> None:
    """A game of two round ends, and one of five; the first wins by side 0, the other by side 2."""
    short = [[0.4, 0.3, 0.3], [0.8, 0.15, 0.05]]
    long = [[0.5, 0.3, 0.2], [0.4, 0.35, 0.25], [0.3, 0.4, 0.3], [0.3, 0.3, 0.4], [0.1, 0.3, 0.6]]
    fan = certain([short, long], [0, 2])
    assert [moment.passed for moment in fan] == pytest.approx([tenth / 10 for tenth in range(1, 11)])
    ends = [(1, 1), (1, 1), (1, 2), (1, 2), (1, 3), (2, 3), (2, 4), (2, 4), (2, 5), (2, 5)]  # which round end of either is looked at
    for moment, (one, other) in zip(fan, ends, strict=True):
        of_winners = short[one - 1][0], long[other - 1][2]
        assert moment.winner.value == pytest.approx(sum(of_winners) / 2)
        assert moment.quantiles == pytest.approx(np.quantile(of_winners, [0.1, 0.25, 0.5, 0.75, 0.9]))
        assert moment.best_loser.value == pytest.approx((max(short[one - 1][1:]) + max(long[other - 1][:2])) / 2)
        assert moment.other_losers is not None
        assert moment.other_losers.value == pytest.approx((min(short[one - 1][1:]) + min(long[other - 1][:2])) / 2)
        assert 0 <= moment.winner.low <= moment.winner.value <= moment.winner.high <= 1


def test_of_two_sides_there_is_one_loser() -> None:
    fan = certain([[[0.5, 0.5], [0.7, 0.3]]] * 3, [0, 0, 1])
    assert all(moment.other_losers is None for moment in fan)
    assert fan[-1].winner.value == pytest.approx((0.7 + 0.7 + 0.3) / 3)
    assert fan[-1].winner.value + fan[-1].best_loser.value == pytest.approx(1)


def test_a_check_of_an_earlier_version_has_no_fan() -> None:
    checked = replace(GAUGE, check=gauging.check(GAUGE, world(1, 50, 3)))
    plain = json.loads(json.dumps(checked.describe()))
    assert Gauge.of(plain) == checked
    assert checked.check is not None
    assert len(checked.check.fan) == 10
    del plain["check"]["fan"]
    assert Gauge.of(plain) == replace(checked, check=replace(checked.check, fan=()))


# -- tasks ---------------------------------------------------------------------------------------------


def task(**changes: Any) -> simulate.Task:
    ruleset = rulesets.load("hasbro", [f"{name}={value}" for name, value in changes.items()])
    return simulate.Task(ruleset, 2, (policies.load("random", "classic"),) * 2, 1)


def test_a_task_with_a_gauge_is_another_one() -> None:
    plain = task()
    gauged, other = replace(plain, gauge=GAUGE), replace(plain, gauge=Gauge((310, 22, -19, 8), -4))
    assert len({plain.id, gauged.id, other.id}) == 3
    checked = replace(GAUGE, check=gauging.check(GAUGE, world(1, 50, 1)))
    assert replace(plain, gauge=checked).id == gauged.id  # how it was checked makes no other games
    assert Gauge.of(checked.describe()) == checked
    assert Gauge.of(GAUGE.describe()) == GAUGE
    assert gauged.traits.gauge
    assert not plain.traits.gauge


def test_what_is_gathered_is_what_the_second_bookkeeper_sees() -> None:
    """Standings as shares of the way, pawns HOME, on START and safe, and who moves before; of games with a winner."""
    found = gauging.gather(replace(task(), gauge=NOTHING), 3)
    policy = classic.compile_line_up(({}, {}))
    at = 0
    for game in range(3):
        story = referee.tell(classic, task().ruleset.rules, policy, 2, 1, game)
        for number in story.round_ends_to_win:
            for order in range(2):
                pawns = story.steps[number].board[(story.first + order) % 2]
                count = [referee.many(pawns, place) for place in (referee.HOME, referee.START, referee.SAFE)]
                assert found.features[at, order] == pytest.approx([1 - referee.togo(pawns) / story.way, *count, order])
            assert story.winner is not None
            assert (found.winner[at], found.game[at]) == ((story.winner - story.first) % 2, game)
            at += 1
    assert at == len(found)


def test_a_fitted_gauge_knows_more_than_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gauging, "FIT_GAMES", 150)
    monkeypatch.setattr(gauging, "CHECK_GAMES", 100)
    gauge = gauging.fit(task())
    assert gauge == gauging.fit(task())
    assert gauge != gauging.fit(replace(task(), seed=2))
    assert gauge.check is not None
    assert 0.05 < gauge.check.skill < 0.9
    assert gauge.weights[0] > 0


def test_where_nobody_wins_nothing_can_be_gauged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gauging, "FIT_GAMES", 20)
    with pytest.raises(SimsorryError, match="no game has a winner"):
        gauging.fit(task(turn_cap=4))
