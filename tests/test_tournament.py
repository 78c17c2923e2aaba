"""Tournaments: line-ups are balanced, games are read as they were played, and what made-up games hold is found."""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from simsorry import policies, rulesets, skill, stats, tournament
from simsorry.report import tournament as report
from simsorry.report import tournament_figures as figures
from simsorry.simulate import Block
from simsorry.stats import ELO, Floats
from simsorry.tournament import Design, Played, Tournament


def design(*names: str, ruleset: str = "hasbro", players: int = 4, numbers: int = 20) -> Design:
    loaded = rulesets.load(ruleset)
    return Design(loaded, players, tuple(policies.load(name, loaded.game) for name in names), numbers, 1)


# -- line-ups --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "sides"), [(2, 4), (3, 4), (4, 3), (2, 2), (7, 2), (10, 2)])
def test_of_few_policies_every_seating_is_played_once(count: int, sides: int) -> None:
    found = tournament.seatings(count, sides)
    assert len(found) == len(set(found)) == count**sides


@pytest.mark.parametrize(("count", "sides", "games"), [(4, 4, 56), (7, 4, 315), (8, 4, 344), (8, 3, 8 + 168 + 168), (12, 2, 144)])
def test_of_more_policies_a_balanced_part_is(count: int, sides: int, games: int) -> None:
    found = tournament.seatings(count, sides)
    assert len(found) == len(set(found)) == games
    for seat in range(sides):
        assert len(set(Counter(seating[seat] for seating in found).values())) == 1  # all sit everywhere equally often
    assert {(one,) * sides for one in range(count)} < set(found)
    for one in range(count):
        for other in range(count):
            assert {(one, *(other,) * (sides - 1)), (*(other,) * (sides - 1), one)} <= set(found)


@pytest.mark.parametrize("count", [4, 5, 7, 8, 9, 10, 11])
def test_every_two_policies_meet_at_equally_many_tables(count: int) -> None:
    found = tournament.tables(count, 4)
    assert len(set(found)) == len(found) >= count * (count > 4)
    assert all(len(set(table)) == 4 for table in found)
    met = Counter(pair for table in found for pair in combinations(table, 2))
    assert len(met) == count * (count - 1) // 2
    assert len(set(met.values())) == 1


def test_what_is_played() -> None:
    asked = design("random", "balanced", "racer", players=2, numbers=50)
    assert asked.games == 50 * 9
    assert asked.at_random == 0
    assert asked.line_ups[0, 2] == [asked.seatings.index((0, 2)), asked.seatings.index((2, 0))]
    assert asked.meetings == (1, 1)
    assert [policy.name for policy in asked.task((1, 2)).policies] == ["balanced", "racer"]
    teams = design("random", "balanced", ruleset="hasbro-teams")
    assert len(teams.seatings) == 4
    assert [policy.name for policy in teams.task((0, 1)).policies] == ["random", "balanced"] * 2
    assert design("balanced", "racer").at_random is None


@pytest.mark.parametrize(("ruleset", "count"), [("hasbro", 8), ("hasbro-points", 8), ("sorreesi", 8), ("ice", 8)])
def test_the_panel_of_each_game(ruleset: str, count: int) -> None:
    asked = design("random", ruleset=ruleset)
    panel = tournament.default_panel(asked.ruleset.game)
    assert len({policy.hash for policy in panel}) == len(panel) == count
    assert panel[0].name == "random"
    assert {"balanced", "reward-v1", "homebody"} < {policy.name for policy in panel}


# -- reading games ---------------------------------------------------------------------------------


def test_an_order_ends_at_the_first_tie() -> None:
    won = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    place = np.array([[4, 1, 2, 3], [2, 2, 1, 4], [3, 2, 3, 1]])
    assert tournament._order(won, place).tolist() == [[1, 2, 3, 0], [2, -1, -1, -1], [3, 1, -1, -1]]


def block(games: dict[str, list[int]], seats: dict[str, list[list[int]]]) -> Block:
    return Block({name: np.array(column) for name, column in games.items()}, {name: np.ravel(rows) for name, rows in seats.items()}, 0)


def test_sides_are_read_in_play_order() -> None:
    games = {"first_seat": [2, 0, 1], "capped": [0, 0, 1], "winner": [1, 0, 255], "turns": [90, 80, 70]}
    seats = {
        "table_seat": [[2, 0, 1], [0, 1, 2], [1, 2, 0]],
        "won": [[0, 1, 0], [1, 0, 0], [0, 0, 0]],
        "place": [[3, 1, 2], [1, 3, 2], [1, 2, 3]],
    }
    ranked = tournament._rows(((0,), (1,), (2,)), True, block(games, seats))
    assert ranked.first.tolist() == [2, 0, 1]
    assert ranked.finish.tolist() == [[1, 2, 0], [0, 2, 1], [-1, -1, -1]]
    assert ranked.turns.tolist() == [90, 80, 70]
    assert ranked.decided.tolist() == [True, True, False]
    winners = tournament._rows(((0,), (1,), (2,)), False, block(games, seats))
    assert winners.finish.tolist() == [[1, -1, -1], [0, -1, -1], [-1, -1, -1]]


def test_a_team_is_one_competitor() -> None:
    games = {"first_seat": [3, 2], "capped": [0, 0], "winner": [1, 0], "turns": [90, 80]}
    seats = {"table_seat": [[3, 0, 1, 2], [2, 3, 0, 1]], "won": [[0, 1, 0, 1], [1, 0, 1, 0]], "place": [[2, 1, 2, 1], [1, 2, 1, 2]]}
    found = tournament._rows(((0, 2), (1, 3)), True, block(games, seats))
    assert found.first.tolist() == [1, 0]
    assert found.finish.tolist() == [[1, 0], [0, 1]]


def test_a_duel_is_the_one_that_skill_plays() -> None:
    asked = design("random", "balanced", numbers=30)
    played = tournament.play(asked)
    assert played is not None
    found = tournament.measure(asked, played)
    assert found is not None
    one, others = asked.panel[1], asked.panel[0]
    same = skill.deal(skill.Design(asked.ruleset, 4, one, 30, 1), skill.Duel("", "", one, others))
    assert same is not None
    assert found.duels[1, 0].won == skill.share_of(same)
    alike = found.alike[0]
    assert alike.line_up == (0, 0, 0, 0)
    assert alike.won[0].value == 1
    assert alike.turns.value == pytest.approx(played.turns[0].mean())
    assert alike.turns.n == 30


def test_a_policy_is_as_strong_as_its_copy_without_any_error() -> None:
    asked = design("racer", "balanced", players=2)
    copy = replace(asked.panel[0], name="copy")
    asked = replace(asked, panel=(asked.panel[0], copy, asked.panel[1]))
    played = tournament.play(asked)
    assert played is not None
    found = tournament.measure(asked, played)
    assert found is not None
    above = found.ratings.strength(0, [1])
    assert (above.value, above.low, above.high) == pytest.approx((0, 0, 0), abs=1e-4)
    assert found.ratings.strength(2, [1]).low > 0


def test_stopping_ends_it_without_a_result() -> None:
    stop, played = threading.Event(), list[int]()

    def on_games(games: int) -> None:
        played.append(games)
        stop.set()

    asked = design("random", "balanced", numbers=2000)
    assert tournament.play(asked, stop=stop, on_games=on_games) is None
    assert 0 < sum(played) < asked.games / 10


# -- made-up games ---------------------------------------------------------------------------------


def made(asked: Design, odds: Callable[[Any], Floats], seed: int = 1) -> Played:
    """Games in which the chance to win goes by what ``odds`` gives for policies in play order; some are cut off."""
    draw, sides = np.random.default_rng(seed), len(asked.sides)
    shape = (len(asked.seatings), asked.numbers)
    first = np.broadcast_to(draw.integers(0, sides, asked.numbers), shape)
    entrants = np.take_along_axis(
        np.broadcast_to(np.array(asked.seatings)[:, None], (*shape, sides)), (first[..., None] + np.arange(sides)) % sides, axis=2
    )
    finish = np.full((*shape, sides), -1)
    finish[..., 0] = np.argmax(np.log(odds(entrants)) + draw.gumbel(size=entrants.shape), axis=-1)
    finish[:, ::10] = -1
    return Played(first, finish, 100 + 10 * entrants[..., 0])


def measured(asked: Design, odds: Callable[[Any], Floats]) -> Tournament:
    found = tournament.measure(asked, made(asked, odds))
    assert found is not None
    return found


SEATS = np.array([1.5, 1, 1, 0.5])


def test_strengths_that_made_the_games_are_found() -> None:
    asked = design("random", "racer", "starter", "balanced", "homebody", numbers=400)
    odds = np.array([1, 2, 3, 6, 2.0])
    found = measured(asked, lambda entrants: odds[entrants] * SEATS)
    for each, true in zip(found.elo, ELO * np.log(odds), strict=True):
        assert each.value == pytest.approx(true, abs=25)
        assert each.high - each.low < 40
    assert found.elo[0] == stats.Estimate(0, 0, 0, found.ratings.contests, "Elo")
    assert found.seats[0].low > 0 > found.seats[3].high
    assert found.order[0] == found.champion == 3
    assert found.lead.low > 0
    assert found.span.low < ELO * np.log(6) < found.span.high
    assert found.deviation.value == pytest.approx(ELO * np.log(odds).std(), abs=10)
    assert not found.cycles
    assert [each.value for each in found.alpha] == pytest.approx([0, 0, 0, 1, 0], abs=1e-6)
    assert found.no_winner == asked.games // 10
    assert found.ratings.contests == asked.games - found.no_winner
    # Nothing but strengths made them: the deviance is about its degrees of freedom, and no duel stands out.
    assert found.df == 20 - 4
    assert found.deviance < 2 * found.df
    assert all(each.verdict and each.verdict.word != stats.DIFFERENT for each in found.duels.values())
    assert found.duels[3, 0].rated == pytest.approx(np.mean([6 * seat / (6 * seat + SEATS.sum() - seat) for seat in SEATS]), abs=0.02)
    assert "o duel of 20 is shown to differ by more than 2 points" in report.in_short(found)[3]


def rock_paper_scissors(entrants: Any) -> Floats:
    """Each wins three times as often as who it beats, by the others at the table."""
    ahead = (entrants[..., :, None] - entrants[..., None, :]) % 3 == 1
    return np.asarray(3.0 ** ahead.sum(axis=-1))


@pytest.mark.parametrize("players", [2, 4])
def test_a_circle_is_found(players: int) -> None:
    asked = design("random", "racer", "balanced", players=players, numbers=300)
    found = measured(asked, rock_paper_scissors)
    assert found.cycles == ((0, 2, 1),)
    assert found.champion is None
    assert found.beats.tolist() == [[False, False, True], [True, False, False], [False, True, False]]
    for each in found.alpha:
        assert each.low <= 1 / 3 <= each.high
    assert sum(each.value for each in found.alpha) == pytest.approx(1)
    assert found.deviance > 20 * found.df
    assert all(each.verdict and each.verdict.word == stats.DIFFERENT for each in found.duels.values())
    told = report.in_short(found)
    assert "No policy beats all others, for some go round in a circle: random beats balanced beats racer beats random." in told[2]
    assert "Who meets whom matters beyond strength" in told[3]
    assert "not shown to be stronger" in told[0]


def test_where_nobody_is_better_nothing_is_claimed() -> None:
    found = measured(design("random", "racer", players=2, numbers=60), lambda entrants: np.ones(entrants.shape))
    assert found.champion is None
    assert found.span.low == 0
    assert "No policy is shown to beat every other (" in report.in_short(found)[2]


def test_who_always_wins_is_said_to_have_no_upper_bound() -> None:
    found = measured(design("random", "racer", players=2, numbers=60), lambda entrants: 1e-30 ** entrants.astype(float))
    assert found.ratings.separated
    assert found.duels[0, 1].won.value == 1 > found.duels[0, 1].won.low
    assert found.champion == 0
    assert found.lead.value > 400
    assert "no upper bound" in report.in_short(found)[1]


def test_who_never_wins_is_not_what_others_are_measured_from() -> None:
    odds = np.array([1e-30, 1, 2])
    found = measured(design("random", "racer", "balanced", players=2, numbers=100), lambda entrants: odds[entrants])
    assert found.zero == (1, 2)
    assert found.elo[2].value == pytest.approx(-found.elo[1].value)
    assert found.elo[2].high - found.elo[2].low < 100 < found.elo[0].high - found.elo[0].low
    assert figures.above(found) == "the mean of all but random"
    assert measured(found.design, lambda entrants: np.sqrt(odds + 0.3)[entrants]).zero == (0,)


def test_without_a_winner_there_is_nothing_to_say() -> None:
    asked = design("random", "racer", players=2)
    played = made(asked, lambda entrants: np.ones(entrants.shape))
    assert tournament.measure(asked, played._replace(finish=np.full_like(played.finish, -1))) is None


def test_lengths_are_told_by_line_up() -> None:
    found = measured(design("random", "racer", players=2, numbers=60), lambda entrants: np.ones(entrants.shape))
    assert [(each.line_up, each.turns.value) for each in found.tables] == [((0, 0), 100), ((0, 1), 105), ((1, 1), 110)]
    assert sum(share.value for share in found.tables[1].won.values()) == pytest.approx(1)
    assert "Games are longest where all play racer, 110" in report.in_short(found)[4]
