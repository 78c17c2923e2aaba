"""Strengths: the fit against hand-worked numbers, finite differences and three other programs; cycles and alpha-Rank by hand."""

import itertools
import math
from typing import Any

import choix
import numpy as np
import openskill.models
import pytest
from numpy.typing import NDArray
from statsmodels.discrete.conditional_models import ConditionalLogit

from simsorry import stats
from simsorry.stats import ELO, Contests, Floats, alpha_rank, cycles, rate
from simsorry.stats.ratings import likelihood

STRENGTHS = np.array([0.0, 0.4, 1.1, -0.6, 0.2])
SEATS = np.array([0.3, 0.1, -0.1, -0.3])


def made(contests: int, seats: Floats = SEATS, seed: int = 1, known: int = 4, strengths: Floats = STRENGTHS) -> Contests:
    """Contests of different competitors as the model says; ``known`` places of the finish are told."""
    draw, size = np.random.default_rng(seed), len(seats)
    entrants = np.array([draw.permutation(len(strengths))[:size] for _ in range(contests)])
    finish = np.argsort(-(strengths[entrants] + seats + draw.gumbel(size=entrants.shape)), axis=1)
    finish[:, known:] = -1
    return Contests(entrants, finish, np.arange(contests))


def in_all_rotations(contests: Contests) -> Contests:
    """With the same finish of competitors from every rotation of the seats, so that no seat is worth anything."""
    size, every = contests.entrants.shape[1], np.argsort(np.arange(contests.entrants.shape[1]))
    entrants, finish = [], []
    for by in range(size):
        entrants.append(contests.entrants[:, (every + by) % size])
        finish.append(np.where(contests.finish < 0, -1, (contests.finish - by) % size))
    return Contests(np.concatenate(entrants), np.concatenate(finish), np.tile(contests.cluster, size))


def duels(wins: dict[tuple[int, int], int]) -> Contests:
    """Contests of two, half of them with either in the first seat; ``wins[i, j]`` of i over j."""
    rows = [
        (pair if seat == 0 else pair[::-1], (seat, 1 - seat)) for pair, count in wins.items() for _ in range(count // 2) for seat in (0, 1)
    ]
    return Contests(np.array([row[0] for row in rows]), np.array([row[1] for row in rows]), np.arange(len(rows)))


# -- the fit ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [1, 2, 4])
def test_the_slope_is_that_of_finite_differences(known: int) -> None:
    contests = made(60, known=known)
    often = np.random.default_rng(2).integers(1, 5, 60).astype(float)
    at = np.random.default_rng(3).normal(size=9)

    def value(parameters: Floats) -> float:
        return likelihood(contests.entrants, contests.finish, often, parameters)[0]

    _, slope = likelihood(contests.entrants, contests.finish, often, at)
    step = 1e-6 * np.eye(9)
    assert slope == pytest.approx([(value(at + each) - value(at - each)) / 2e-6 for each in step], rel=1e-6, abs=1e-6)


def test_a_likelihood_by_hand() -> None:
    entrants, finish = np.array([[0, 1, 2, 0]]), np.array([[2, 0, -1, -1]])
    parameters = np.log([1, 2, 3, 1, 1, 2, 1.0])  # 1, 2, 3 * 2 and 1 in the seats
    value, _ = likelihood(entrants, finish, np.ones(1), parameters)
    assert value == pytest.approx(math.log(6 / 10 * 1 / 4))


def test_two_competitors_by_hand() -> None:
    found = rate(duels({(0, 1): 10, (1, 0): 30}), 2, ridge=1e-9)
    assert found.strengths[1] - found.strengths[0] == pytest.approx(math.log(3))
    assert found.places == pytest.approx([0, 0], abs=1e-6)
    above = found.strength(1, [0])
    assert above.value == pytest.approx(ELO * math.log(3))
    # Of independent games the sandwich is the error of log odds, but for the correction by the number of clusters.
    error = ELO * math.sqrt((1 / 10 + 1 / 30) * 40 / 39)
    assert above.high - above.value == pytest.approx(stats.t_quantile(0.95, 39) * error, rel=1e-4)
    assert found.strength(0, [0]) == stats.Estimate(0, 0, 0, 40, "Elo")
    assert found.deviation().value == pytest.approx(above.value / 2)
    assert found.span().value == pytest.approx(above.value)
    assert (found.span().low, found.span().high) == pytest.approx((above.low, above.high))


def test_contests_of_a_cluster_count_as_one() -> None:
    once = made(300)
    often = Contests(np.repeat(once.entrants, 4, axis=0), np.repeat(once.finish, 4, axis=0), np.repeat(once.cluster, 4))
    one, four = rate(once, 5, ridge=1e-6), rate(often, 5, ridge=1e-6)
    assert four.strengths == pytest.approx(one.strengths, abs=1e-4)
    assert np.diag(four.sandwich) == pytest.approx(np.diag(one.sandwich), rel=1e-3)
    assert np.diag(four.model)[0] < np.diag(one.model)[0]
    assert four.contests == 4 * one.contests
    assert four.df == 299


def test_known_strengths_lie_within_the_intervals_as_often_as_they_should() -> None:
    inside, all_ = 0, 0
    for seed in range(40):
        found = rate(made(250, seed=seed, known=1), 5)
        for at in range(1, 5):
            each = found.strength(at, [0])
            inside += each.low <= ELO * STRENGTHS[at] <= each.high
        for at, seat in enumerate(SEATS):
            each = found.place(at)
            inside += each.low <= ELO * seat <= each.high
        all_ += 8
    assert 0.9 * all_ <= inside < all_


def test_who_always_wins_is_finite_and_uncertain() -> None:
    found = rate(duels({(1, 0): 200, (2, 1): 60, (1, 2): 40}), 3)
    assert found.separated
    assert found.groups[1] == found.groups[2] != found.groups[0]
    above = found.strength(1, [0])
    assert 600 < above.value < 3000
    assert above.high - above.low > 500
    between, alone = found.strength(2, [1]), rate(duels({(1, 0): 60, (0, 1): 40}), 2).strength(1, [0])
    assert (between.low, between.high) == pytest.approx((alone.low, alone.high), abs=3)
    assert found.place(0).high - found.place(0).low < 100
    assert not rate(duels({(1, 0): 200, (0, 1): 2, (2, 1): 60, (1, 2): 40}), 3).separated


def test_contests_without_known_finish_say_nothing() -> None:
    found = rate(Contests(np.zeros((0, 4), dtype=int), np.zeros((0, 4), dtype=int), np.zeros(0, dtype=int)), 3)
    assert found.strengths == pytest.approx([0, 0, 0])
    assert found.separated


def test_the_span_of_equals_begins_at_0() -> None:
    found = rate(made(500, strengths=np.zeros(5)), 5)
    assert found.span().low == 0 < found.span().value < found.span().high
    assert rate(made(500), 5).span().low > 0


def test_a_chance_and_its_slope() -> None:
    found = rate(made(400), 5)
    entrants = np.array([[0, 1, 2, 3], [4, 0, 0, 0]])
    chance, slope = found.chance(entrants, 1)
    parameters = np.concatenate([found.strengths, found.places])

    def by_hand(at: Floats) -> float:
        odds = np.exp(at[entrants] + at[5:])
        return float((odds[:, 1] / odds.sum(axis=1)).mean())

    assert chance == pytest.approx(by_hand(parameters))
    steps = 1e-6 * np.eye(9)
    assert slope == pytest.approx([(by_hand(parameters + each) - by_hand(parameters - each)) / 2e-6 for each in steps], abs=1e-8)


# -- other programs --------------------------------------------------------------------------------


def centered(values: Any) -> Floats:
    return np.asarray(values - np.mean(values))


def test_choix_finds_the_same_strengths_in_duels() -> None:
    contests = in_all_rotations(made(400, np.zeros(2)))
    found = rate(contests, 5, ridge=1e-6)
    pairs = [(int(row[order[0]]), int(row[order[1]])) for row, order in zip(contests.entrants, contests.finish, strict=True)]
    assert found.places == pytest.approx([0, 0], abs=1e-6)
    assert found.strengths == pytest.approx(centered(choix.ilsr_pairwise(5, pairs)), abs=1e-3)


def test_choix_finds_the_same_strengths_in_rankings_and_in_winners() -> None:
    once = made(60)
    rankings = [tuple(map(int, row[order])) for row, order in zip(once.entrants, once.finish, strict=True)]
    contests = in_all_rotations(once)
    assert rate(contests, 5, ridge=1e-7).strengths == pytest.approx(centered(choix.opt_rankings(5, rankings)), abs=1e-3)
    contests.finish[:, 1:] = -1
    winners = [(ranking[0], ranking[1:]) for ranking in rankings]
    assert rate(contests, 5, ridge=1e-7).strengths == pytest.approx(centered(choix.opt_top1(5, winners)), abs=1e-3)


def test_openskill_puts_them_in_the_same_order() -> None:
    contests = made(1500)
    model = openskill.models.PlackettLuce()
    players = [model.rating() for _ in range(5)]
    for row, order in zip(contests.entrants, contests.finish, strict=True):
        teams = [[players[at]] for at in row[order]]
        for at, (rated,) in zip(row[order], model.rate(teams, ranks=list(range(4))), strict=True):
            players[at] = rated
    order = np.argsort([player.mu for player in players])
    assert order.tolist() == np.argsort(rate(contests, 5).strengths).tolist() == np.argsort(STRENGTHS).tolist()


def test_a_conditional_logit_finds_the_same_strengths_and_seats() -> None:
    contests = made(250, known=1)
    found = rate(contests, 5, ridge=1e-8)
    at_table, seat = contests.entrants.ravel(), np.tile(np.arange(4), 250)
    columns = [at_table == competitor for competitor in range(1, 5)] + [seat == each for each in range(1, 4)]
    won = (seat == np.repeat(contests.finish[:, 0], 4)).astype(int)
    fitted = ConditionalLogit(won, np.column_stack(columns).astype(float), groups=np.repeat(np.arange(250), 4)).fit(disp=False)
    assert found.strengths[1:] - found.strengths[0] == pytest.approx(fitted.params[:4], abs=1e-3)
    assert found.places[1:] - found.places[0] == pytest.approx(fitted.params[4:], abs=1e-3)


# -- cycles ----------------------------------------------------------------------------------------


def beaten(count: int, *pairs: tuple[int, int]) -> NDArray[np.bool_]:
    found = np.zeros((count, count), dtype=bool)
    for one, other in pairs:
        found[one, other] = True
    return found


def test_cycles_are_found_once_and_the_shortest_alone() -> None:
    assert cycles(beaten(3, (0, 1), (1, 2), (0, 2))) == []
    assert cycles(beaten(3, (1, 0), (0, 2), (2, 1))) == [(0, 2, 1)]
    assert cycles(beaten(5, (3, 1), (1, 4), (4, 0), (0, 3), (2, 0))) == [(0, 3, 1, 4)]
    both = beaten(5, (0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 0))
    assert cycles(both) == [(0, 1, 2), (2, 3, 4)]
    assert cycles(np.triu(np.ones((40, 40), dtype=bool), 1)) == []  # 2^39 ways lead from the first to the last


# -- alpha-Rank ------------------------------------------------------------------------------------

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.2, 0.8], [0.8, 0.5, 0.2], [0.2, 0.8, 0.5]])


def test_rock_paper_scissors_are_a_third_each() -> None:
    assert alpha_rank(ROCK_PAPER_SCISSORS, 2) == pytest.approx([1 / 3] * 3)
    # One of rock among scissors wins more than its share of four, and one of scissors among rock less.
    of_four = np.array([[0.25, 0.1, 0.6], [0.6, 0.25, 0.1], [0.1, 0.6, 0.25]])
    assert alpha_rank(of_four, 4) == pytest.approx([1 / 3] * 3)


def test_who_beats_all_has_all() -> None:
    payoff = np.array([[0.5, 0.4, 0.3], [0.6, 0.5, 0.4], [0.7, 0.6, 0.5]])
    assert alpha_rank(payoff, 2) == pytest.approx([0, 0, 1])


def test_equals_have_equal_shares() -> None:
    assert alpha_rank(np.full((4, 4), 0.25), 4) == pytest.approx([1 / 4] * 4)


def test_two_by_hand() -> None:
    # A Moran process of 10 at selection 3: an advantage of 0.52 - 0.48 takes over with this chance, and a drawback of as much with that.
    def takes_over(advantage: float) -> float:
        return (1 - math.exp(-3 * advantage)) / (1 - math.exp(-10 * 3 * advantage))

    up, down = takes_over(0.04), takes_over(-0.04)
    assert alpha_rank(np.array([[0.5, 0.52], [0.48, 0.5]]), 2, population=10, selection=3) == pytest.approx(
        [up / (up + down), down / (up + down)]
    )


def test_where_the_rare_win_both_take_turns() -> None:
    # Among four, one of either beats three of the other: each takes over from the other equally often.
    assert alpha_rank(np.array([[0.25, 0.4], [0.4, 0.25]]), 4) == pytest.approx([0.5, 0.5])
    # With unequal advantages the one that resists the other's last better has more.
    first, second = alpha_rank(np.array([[0.25, 0.3], [0.2, 0.25]]), 4)
    assert first > 0.99 > 0.01 > second


def test_the_chain_is_solved_as_linear_equations_are() -> None:
    payoff = 0.5 + np.random.default_rng(4).uniform(-0.01, 0.01, (5, 5))
    shares = alpha_rank(payoff, 2, population=5, selection=10)
    moves = np.zeros((5, 5))
    for resident, mutant in itertools.permutations(range(5), 2):
        steps = np.linspace(2 * payoff[mutant, resident] - 1, 1 - 2 * payoff[resident, mutant], 4)
        moves[resident, mutant] = 1 / 4 / (1 + np.exp(np.cumsum(-10 * steps)).sum())
    np.fill_diagonal(moves, 1 - moves.sum(axis=1))
    assert shares @ moves == pytest.approx(shares)
    assert shares.sum() == pytest.approx(1)
