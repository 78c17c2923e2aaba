"""Statistics against numbers worked out by hand, against scipy and statsmodels, and by small simulations of coverage."""

import math
from collections.abc import Iterable

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestIndPower
from statsmodels.stats.proportion import multinomial_proportions_confint, proportion_confint
from statsmodels.stats.weightstats import ttost_paired

from simsorry import stats
from simsorry.margin import Margin, parse_margin
from simsorry.stats import Difference

# -- shares ----------------------------------------------------------------------------------------


def test_wilson_share_is_that_of_statsmodels_and_of_the_textbook() -> None:
    found = stats.share(30, 100)
    assert (found.value, found.n, found.level) == (0.3, 100, 0.95)
    assert (found.low, found.high) == pytest.approx(proportion_confint(30, 100, method="wilson"))
    assert (found.low, found.high) == pytest.approx((0.2189489, 0.3958485), abs=1e-6)  # by hand, z = 1.959964


def test_a_share_never_seen_still_has_an_upper_bound() -> None:
    found = stats.share(0, 1000)
    assert found.low == pytest.approx(0, abs=1e-12)
    assert found.high == pytest.approx(1.959964**2 / (1000 + 1.959964**2))  # Wilson at 0: z^2 / (n + z^2)


def test_a_share_of_nothing_is_unknown() -> None:
    assert not stats.share(0, 0).known


def test_simultaneous_shares_are_goodmans() -> None:
    counts = [260, 250, 255, 235]
    found = stats.shares(counts)
    expected = multinomial_proportions_confint(np.array(counts), method="goodman")
    assert [(each.low, each.high) for each in found] == [pytest.approx(tuple(row)) for row in expected]
    assert sum(each.value for each in found) == pytest.approx(1)


def test_simultaneous_shares_are_wider_than_single_ones() -> None:
    single, together = stats.share(250, 1000), stats.shares([250] * 4)[0]
    assert together.low < single.low < single.high < together.high


def test_gap_of_two_seats_is_the_interval_of_their_difference() -> None:
    found = stats.gap([540, 460])
    half = 1.959964 * math.sqrt((1 - 0.08**2) / 1000)  # one pair: chi-square quantile of one degree is z^2
    assert found.value == pytest.approx(0.08)
    assert (found.low, found.high) == pytest.approx((0.08 - half, 0.08 + half), abs=1e-6)


def test_gap_of_equal_seats_reaches_down_to_zero() -> None:
    found = stats.gap([251, 249, 250, 250])
    assert found.low == 0
    assert found.value == pytest.approx(0.002)


def test_gap_interval_covers_equal_seats() -> None:
    rng = np.random.default_rng(1)
    missed = sum(stats.gap(list(rng.multinomial(2000, [0.25] * 4))).low > 0 for _ in range(300))
    assert missed <= 0.05 * 300 + 3 * math.sqrt(300 * 0.05 * 0.95)


# -- fairness --------------------------------------------------------------------------------------


def test_fairness_uses_the_chi_square_of_equal_shares() -> None:
    found = stats.fairness([300, 250, 240, 210], margin=0.01)
    by_hand = (50**2 + 0 + 10**2 + 40**2) / 250
    assert found.chi_square == pytest.approx(by_hand)
    assert found.p_value == pytest.approx(scipy_stats.chi2.sf(by_hand, 3))


def test_fairness_trend_is_the_slope_of_the_share_on_the_seat() -> None:
    counts = np.array([300, 250, 240, 210])
    found = stats.fairness(list(counts), margin=0.01)
    assert found.trend.value == pytest.approx(np.polyfit(range(4), counts / counts.sum(), 1)[0])
    assert found.trend.high < 0
    assert found.trend_p < 0.001


def test_trend_interval_covers() -> None:
    rng = np.random.default_rng(2)
    shares = np.array([0.28, 0.26, 0.24, 0.22])
    found = [stats.fairness(list(rng.multinomial(3000, shares)), 0.01).trend for _ in range(400)]
    covered = sum(each.low <= -0.02 <= each.high for each in found)
    assert abs(covered / 400 - 0.95) < 4 * math.sqrt(0.05 * 0.95 / 400)


@pytest.mark.parametrize(
    ("counts", "margin", "word"),
    [
        ([250_000, 250_100, 249_900, 250_000], 0.01, stats.SAME),
        ([253_000, 249_000, 249_000, 249_000], 0.01, stats.NEGLIGIBLE),
        ([280_000, 240_000, 240_000, 240_000], 0.01, stats.DIFFERENT),
        ([2_650, 2_450, 2_450, 2_450], 0.01, stats.UNSIZED),
        ([255, 245, 250, 250], 0.01, stats.UNDECIDED),
    ],
)
def test_fairness_verdict(counts: list[int], margin: float, word: str) -> None:
    assert stats.fairness(counts, margin).verdict.word == word


def test_fairness_says_how_many_games_are_missing() -> None:
    verdict = stats.fairness([250, 250, 250, 250], 0.01).verdict
    # Equal shares of 1/4, margin 1 pp, 90 % power: (1.645 + 1.645)^2 x 3/16 / 0.01^2 games, of which 1,000 are there.
    assert verdict.more_games == pytest.approx(20_292 - 1_000, rel=0.06)
    assert verdict.text == f"undecided - about {verdict.more_games:,} more games needed"


def test_fairness_without_a_decided_game_is_undecided() -> None:
    assert stats.fairness([0, 0, 0, 0], 0.01).verdict.text == "undecided - more games needed"


# -- means and ratios over blocks ------------------------------------------------------------------


def test_mean_over_equal_blocks_is_the_t_interval_of_the_block_means() -> None:
    sums = np.array([40.0, 44.0, 39.0, 47.0, 41.0])
    found = stats.ratio(sums, np.full(5, 10.0), 50, "turns")
    expected = scipy_stats.ttest_1samp(sums / 10, 0).confidence_interval(0.95)
    assert found.value == pytest.approx(4.22)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_ratio_by_the_delta_method_by_hand() -> None:
    numerator, denominator = np.array([2.0, 3.0, 5.0]), np.array([10.0, 10.0, 20.0])
    found = stats.ratio(numerator, denominator, 3, "share")
    residuals = numerator - 0.25 * denominator  # -0.5, 0.5, 0
    error = math.sqrt(3 / 2 * (residuals @ residuals)) / 40
    assert found.value == 0.25
    assert found.high - found.value == pytest.approx(4.302653 * error, rel=1e-6)  # t with two degrees of freedom


def test_ratio_interval_covers_the_ratio_of_means() -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        turns = rng.poisson(100, size=(50, 20)) + 1
        events = rng.binomial(turns, 0.2)
        found = stats.ratio(events.sum(axis=1).astype(float), turns.sum(axis=1).astype(float), 1000, "share")
        covered += found.low <= 0.2 <= found.high
    assert abs(covered / 400 - 0.95) < 4 * math.sqrt(0.05 * 0.95 / 400)


def test_blocks_that_are_alike_inside_give_an_honest_interval() -> None:
    """Games of one block that go together must not count as independent ones."""
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(300):
        games = rng.normal(size=(40, 1)) + rng.normal(scale=0.1, size=(40, 25))
        found = stats.ratio(games.sum(axis=1), np.full(40, 25.0), 1000, "turns")
        covered += found.low <= 0 <= found.high
    assert abs(covered / 300 - 0.95) < 4 * math.sqrt(0.05 * 0.95 / 300)


def test_one_block_gives_no_bound_and_nothing_measured_no_value() -> None:
    alone = stats.ratio(np.array([5.0]), np.array([10.0]), 10, "turns")
    assert (alone.low, alone.high) == (-math.inf, math.inf)
    assert not stats.ratio(np.zeros(4), np.zeros(4), 4, "share").known


def test_spread_is_the_standard_deviation_and_covers_it() -> None:
    rng = np.random.default_rng(3)
    misses = 0
    for _ in range(400):
        values = rng.gamma(2.0, 10.0, size=(50, 20))  # true deviation 14.14
        found = stats.spread(values.sum(axis=1), (values**2).sum(axis=1), np.full(50, 20.0), 1000, "points")
        assert found.value == pytest.approx(values.std())
        misses += not found.low <= math.sqrt(200) <= found.high
    assert misses / 400 == pytest.approx(0.05, abs=0.035)


def test_spread_counts_several_values_a_game() -> None:
    values = np.array([[90.0, 5.0], [15.0, 25.0], [0.0, 0.0]])
    found = stats.spread(values.sum(axis=1), (values**2).sum(axis=1), np.full(3, 2.0), 3, "points")
    assert found.value == pytest.approx(values.std())


def test_spread_of_what_never_varies_is_nought_and_of_nothing_unknown() -> None:
    found = stats.spread(np.full(5, 30.0), np.full(5, 90.0), np.full(5, 10.0), 50, "points")
    assert (found.value, found.low, found.high) == (0, 0, 0)
    assert not stats.spread(np.zeros(5), np.zeros(5), np.zeros(5), 50, "points").known


def test_a_paired_spread_covers_the_difference() -> None:
    rng = np.random.default_rng(4)
    misses = 0
    for _ in range(400):
        one = rng.normal(size=(50, 20))
        other = 1.5 * one + rng.normal(size=(50, 20))  # deviation 1.803
        sides = [(side.sum(axis=1), (side**2).sum(axis=1), np.full(50, 20.0)) for side in (one, other)]
        found = stats.paired_spread(sides[0], sides[1], 1000, "points")
        assert found.value == pytest.approx(other.std() - one.std())
        low, high = found.interval()
        misses += not low <= math.sqrt(3.25) - 1 <= high
    assert misses / 400 == pytest.approx(0.05, abs=0.035)


def test_a_spread_that_one_side_lacks_has_no_difference() -> None:
    side = (np.full(5, 30.0), np.full(5, 99.0), np.full(5, 10.0))
    assert not stats.paired_spread(side, (np.zeros(5), np.zeros(5), np.zeros(5)), 50, "points").known
    assert stats.paired_spread(side, side, 50, "points").interval() == (0, 0)


@pytest.mark.parametrize(("method", "theirs"), [("wilson", "wilson"), ("jeffreys", "jeffreys"), ("exact", "beta")])
def test_intervals_of_a_share_are_those_of_statsmodels(method: stats.Method, theirs: str) -> None:
    for count, n in ((3, 1000), (250, 1000), (997, 1000)):
        found = stats.share(count, n, method=method)
        assert (found.low, found.high) == pytest.approx(proportion_confint(count, n, method=theirs))
    for count, n in ((0, 500), (500, 500)):
        found = stats.share(count, n, method=method)
        assert found.low <= count / n <= found.high
        assert found.high - found.low < 0.01


def test_newcombes_difference_is_that_of_his_paper() -> None:
    """Newcombe 1998, example (a): 56 of 70 against 48 of 80."""
    found = stats.share_difference((48, 80), (56, 70))
    assert found.value == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert found.n == 150
    assert not stats.share_difference((0, 0), (1, 2)).known


def test_a_ratio_over_games_is_one_over_blocks_of_one_game() -> None:
    rng = np.random.default_rng(20)
    turns = rng.gamma(10, 35, 5000)
    dead = rng.binomial(turns.astype(int), 0.2).astype(float)
    for top, bottom in ((turns, np.ones(5000)), (dead, turns)):
        parts = np.array([top, bottom, np.zeros(5000)])
        found = stats.ratio_over_games(parts.sum(axis=1), parts @ parts.T, 5000, "turns")
        expected = stats.ratio(top, bottom, 5000, "turns")
        assert found.value == pytest.approx(expected.value)
        assert found.high == pytest.approx(expected.high, rel=1e-5)


def test_a_spread_over_games_has_the_width_of_one_over_blocks() -> None:
    turns = np.random.default_rng(21).gamma(10, 35, 20_000)
    parts = np.array([turns, np.ones(20_000), turns**2])
    found = stats.ratio_over_games(parts.sum(axis=1), parts @ parts.T, 20_000, "turns")
    expected = stats.spread(turns, turns**2, np.ones(20_000), 20_000, "turns")
    assert found.value == pytest.approx(turns.std())
    assert found.high - found.low == pytest.approx(expected.high - expected.low, rel=0.001)


def test_a_ratio_over_games_of_nothing_is_unknown_and_one_game_has_no_bound() -> None:
    assert not stats.ratio_over_games(np.zeros(3), np.zeros((3, 3)), 5, "turns").known
    parts = np.array([[7.0], [1.0], [0.0]])
    assert stats.ratio_over_games(parts.sum(axis=1), parts @ parts.T, 1, "turns").high == math.inf


# -- tests of yes and no ---------------------------------------------------------------------------


def test_mcnemar_by_hand() -> None:
    many = stats.mcnemar(40, 20)  # (40 - 20)^2 / 60
    assert many.statistic == pytest.approx(400 / 60)
    assert many.p_value == pytest.approx(scipy_stats.chi2.sf(400 / 60, 1))
    few = stats.mcnemar(1, 9)  # 2 (1 + 10) / 2^10
    assert few.p_value == pytest.approx(22 / 1024)
    assert stats.mcnemar(3, 3).p_value == 1


def test_cochrans_q_by_hand_and_of_two_it_is_mcnemars() -> None:
    outcomes = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 1, 1], [0, 0, 0]])
    # Totals of columns 4, 4, 1, of rows 2, 1, 2, 1, 3, 0: Q = 2 (3 (16 + 16 + 1) - 81) / (3 * 9 - 19)
    found = stats.cochran(outcomes)
    assert found.statistic == pytest.approx(2 * (3 * 33 - 81) / (27 - 19))
    assert found.p_value == pytest.approx(scipy_stats.chi2.sf(4.5, 2))
    pairs = np.array([[1, 0]] * 40 + [[0, 1]] * 20 + [[1, 1]] * 7 + [[0, 0]] * 9)
    assert stats.cochran(pairs).statistic == pytest.approx(stats.mcnemar(40, 20).statistic)
    assert stats.cochran(np.array([[1, 1], [0, 0]])) == stats.Tested(0.0, 1.0)


# -- at the table ----------------------------------------------------------------------------------


def test_the_chance_to_be_longer_is_counted_pair_by_pair() -> None:
    one, other = np.array([1, 3, 3, 5]), np.array([1, 2, 3])
    wins = sum((a > b) + (a == b) / 2 for a in one for b in other)
    found = stats.longer(np.bincount(one), np.bincount(other))
    assert found.value == pytest.approx(wins / 12)
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(scipy_stats.mannwhitneyu(one, other).statistic / 12)


def test_games_cut_off_are_longer_than_others_and_tie_among_themselves() -> None:
    found = stats.longer(np.bincount([1]), np.bincount([1]), cut=(1, 0))
    assert found.value == pytest.approx((0.5 + 1) / 2)
    assert stats.longer(np.bincount([1]), np.bincount([1]), cut=(5, 5)).value == pytest.approx(0.5)
    assert stats.longer(np.bincount([9]), np.bincount([2])).value == 1
    assert not stats.longer(np.zeros(1, dtype=np.int64), np.bincount([2])).known


def test_the_chance_to_be_longer_covers() -> None:
    rng = np.random.default_rng(22)
    true = scipy_stats.norm.cdf(10 / math.sqrt(2 * 50**2))
    covered = 0
    for _ in range(400):
        one, other = (np.bincount(np.rint(rng.normal(mean, 50, 300)).astype(int)) for mean in (410, 400))
        found = stats.longer(one, other)
        covered += found.low <= true <= found.high
    assert abs(covered / 400 - 0.95) < 4 * math.sqrt(0.05 * 0.95 / 400)


@pytest.mark.parametrize("games", stats.NOTICED_IN)
def test_noticing_is_the_power_of_a_t_test(games: int) -> None:
    deviation = math.hypot(100, 100)
    for size in (0.0, 20.0, 100.0):
        found = stats.noticing(_difference(size, 0.0), deviation, games)
        assert found.value == pytest.approx(TTestIndPower().power(size / 100, games, 0.05) if size else 0.05)
        assert (found.low, found.high) == (found.value, found.value)


def test_noticing_goes_with_the_interval_of_the_difference() -> None:
    found = stats.noticing(_difference(20.0, 15.0), 141.0, 20)
    assert found.low == pytest.approx(0.05)  # there may be no difference
    assert found.low < found.value < found.high
    assert stats.noticing(_difference(1e9, 1.0), 141.0, 100).value == 1.0
    assert stats.noticing(_difference(0.0, 0.0), 0.0, 5).value == 0.0
    assert not stats.noticing(stats.unknown(5, "turns"), 1.0, 5).known


# -- less luck -------------------------------------------------------------------------------------


def test_an_adjusted_mean_is_the_constant_of_a_regression() -> None:
    rng = np.random.default_rng(23)
    luck = rng.normal(size=(200, 2))
    mean = 400 + 30 * luck[:, 0] - 10 * luck[:, 1] + rng.normal(0, 10, 200)
    found = stats.adjusted(12 * mean, 12 * luck, np.full(200, 12.0), 2400, "turns")
    expected, *_ = np.linalg.lstsq(np.column_stack([np.ones(200), luck]), mean, rcond=None)
    assert found.estimate.value == pytest.approx(expected[0])
    assert found.factor == pytest.approx((900 + 100 + 100) / 100, rel=0.25)
    plain = stats.ratio(12 * mean, np.full(200, 12.0), 2400, "turns")
    shorter = (plain.high - plain.low) / (found.estimate.high - found.estimate.low)
    assert shorter == pytest.approx(math.sqrt(found.factor), rel=0.02)


def test_an_adjusted_mean_covers_with_blocks_of_unequal_size() -> None:
    rng = np.random.default_rng(24)
    sizes, covered = np.append(np.full(59, 12), 5), 0
    for _ in range(400):
        luck = rng.normal(size=sizes.sum())
        games = 400 + 50 * luck + rng.normal(0, 50, sizes.sum())
        ends = np.cumsum(sizes) - sizes
        sums = [np.add.reduceat(column, ends) for column in (games, luck)]
        found = stats.adjusted(sums[0], sums[1][:, None], sizes.astype(float), int(sizes.sum()), "turns").estimate
        covered += found.low <= 400 <= found.high
    assert abs(covered / 400 - 0.95) < 4 * math.sqrt(0.05 * 0.95 / 400)


def test_a_mean_of_too_few_blocks_is_not_adjusted() -> None:
    found = stats.adjusted(np.array([10.0, 20.0]), np.ones((2, 1)), np.array([1.0, 1.0]), 2, "turns")
    assert (found.estimate.value, found.estimate.high) == (15.0, math.inf)
    assert math.isnan(found.factor)


# -- quantiles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [0.05, 0.25, 0.5, 0.75, 0.95, 0.99])
@pytest.mark.parametrize("n", [50, 1000, 20_001])
def test_quantile_interval_is_scipys_on_the_same_games(p: float, n: int) -> None:
    values = np.random.default_rng(n).poisson(300, n)
    found = stats.quantile(np.bincount(values), p)
    expected = scipy_stats.quantile_test(values, q=0, p=p).confidence_interval(0.95)
    low = -math.inf if math.isnan(expected.low) else expected.low
    high = math.inf if math.isnan(expected.high) else expected.high
    assert (found.low, found.high) == (low, high)
    assert found.value == np.quantile(values, p, method="inverted_cdf")


def test_quantile_by_hand() -> None:
    found = stats.quantile(np.array([0, 3, 0, 1]), 0.5)  # 1, 1, 1, 3
    assert found.value == 1
    assert found.n == 4


def test_games_cut_off_are_longer_than_all_others() -> None:
    values = np.arange(1, 101)
    histogram = np.bincount(values)
    with_cut = stats.quantile(histogram, 0.5, censored=20)
    assert with_cut.value == 60  # the 60th of 120 games
    assert stats.quantile(histogram, 0.99, censored=20).value == math.inf
    assert stats.quantile(histogram, 0.5).value == 50


def test_quantile_interval_covers() -> None:
    rng = np.random.default_rng(5)
    true = scipy_stats.poisson(50).ppf(0.9)
    found = [stats.quantile(np.bincount(rng.poisson(50, 300)), 0.9) for _ in range(300)]
    assert sum(each.low <= true <= each.high for each in found) / 300 > 0.93


# -- paired differences ----------------------------------------------------------------------------


def test_paired_mean_is_the_paired_t_test_on_block_means() -> None:
    rng = np.random.default_rng(6)
    base = rng.normal(100, 10, 40)
    variant = base + rng.normal(2, 3, 40)
    size = np.full(40, 25.0)
    found = stats.paired_ratio((base * 25, size), (variant * 25, size), 1000, "turns")
    expected = scipy_stats.ttest_rel(variant, base)
    interval = expected.confidence_interval(0.95)
    assert found.value == pytest.approx((variant - base).mean())
    assert found.interval() == pytest.approx((interval.low, interval.high))
    assert found.p_beyond() == pytest.approx(expected.pvalue)


def test_equivalence_is_the_paired_tost_of_statsmodels() -> None:
    rng = np.random.default_rng(7)
    for shift in (0.0, 0.5, 1.0, 1.5):
        base = rng.normal(100, 10, 60)
        variant = base + rng.normal(shift, 3, 60)
        size = np.ones(60)
        found = stats.paired_ratio((base, size), (variant, size), 60, "turns")
        p_value = ttost_paired(variant, base, -1.2, 1.2)[0]
        assert stats.equivalent(found, 1.2) == (p_value < 0.05)


def test_paired_difference_of_ratios_covers() -> None:
    rng = np.random.default_rng(8)
    covered = 0
    for _ in range(300):
        turns = rng.poisson(100, size=(50, 20)) + 1
        shared = rng.binomial(turns, 0.15)
        more = turns + rng.poisson(10, size=turns.shape)
        base, variant = shared + rng.binomial(turns, 0.05), shared + rng.binomial(more, 0.05)
        found = stats.paired_ratio(
            (base.sum(axis=1).astype(float), turns.sum(axis=1).astype(float)),
            (variant.sum(axis=1).astype(float), more.sum(axis=1).astype(float)),
            1000,
            "share",
        )
        true = (0.15 * 101 + 0.05 * 111) / 111 - 0.2
        low, high = found.interval()
        covered += low <= true <= high
    assert abs(covered / 300 - 0.95) < 4 * math.sqrt(0.05 * 0.95 / 300)


def test_paired_events_by_hand() -> None:
    found = stats.paired_events(only_base=8, only_variant=20, n=100)
    lean = 12 / 102
    error = math.sqrt(20 + 8 + 1 - 12 * lean) / 102
    assert found.value == 0.12
    assert found.error == pytest.approx(error)


def test_an_event_never_seen_is_not_taken_for_impossible() -> None:
    low, high = stats.paired_events(0, 0, 500).interval()
    assert high == pytest.approx(1.959964 / 502, rel=1e-6)
    assert low == -high


def test_identical_games_differ_by_exactly_nothing() -> None:
    side = np.arange(10.0), np.full(10, 5.0)
    found = stats.paired_ratio(side, side, 50, "turns")
    assert (found.value, found.error) == (0, 0)
    assert found.interval() == (0, 0)
    assert found.p_beyond() == 1


def test_a_difference_with_one_block_alone_is_no_evidence_of_anything() -> None:
    one = np.array([3.0]), np.array([10.0])
    found = stats.paired_ratio(one, (np.array([7.0]), np.array([10.0])), 10, "turns")
    assert (found.error, found.p_beyond(), found.p_beyond(0.1)) == (math.inf, 1.0, 1.0)
    assert [each.word if each else None for each in stats.judge([found], [0.1], "bh")] == [stats.UNDECIDED]


def test_rates_of_other_games_by_hand() -> None:
    """3 of 98 against 8 of 98: with one game more of each kind 0.04 and 0.09 of 100."""
    found = stats.unpaired_events(3, 8, 98)
    assert found.value == pytest.approx(5 / 98)
    assert found.error == pytest.approx(math.sqrt((0.04 * 0.96 + 0.09 * 0.91) / 100))
    assert stats.unpaired_events(0, 0, 98).error > 0
    assert not stats.unpaired_events(0, 0, 0).known


# -- correlation -----------------------------------------------------------------------------------


def _products(*columns: np.ndarray) -> np.ndarray:
    stacked = np.array(columns, dtype=float)
    return stacked @ stacked.T


def test_pairing_of_blocks_is_the_correlation_of_their_influences() -> None:
    rng = np.random.default_rng(6)
    base = rng.normal(size=200)
    base -= base.mean()
    variant = base + rng.normal(size=200)
    variant -= variant.mean()
    found = stats.block_pairing(base, variant)
    assert found.correlation == pytest.approx(np.corrcoef(base, variant)[0, 1])
    assert found.factor == pytest.approx((base.var() + variant.var()) / (variant - base).var())
    assert math.isnan(stats.block_pairing(base, np.zeros(200)).factor)
    assert math.isnan(stats.block_pairing(base, np.full(200, math.nan)).factor)


def test_pairing_of_means_is_the_correlation_over_games() -> None:
    rng = np.random.default_rng(9)
    base = rng.integers(100, 500, 1000)
    variant = base + rng.integers(-80, 80, 1000)
    ones = np.ones(1000)
    found = stats.pairing(_products(base, ones, variant, ones), (base.sum(), 1000), (variant.sum(), 1000))
    assert found.correlation == pytest.approx(np.corrcoef(base, variant)[0, 1])
    assert found.factor == pytest.approx((base.var() + variant.var()) / (variant - base).var())


def test_pairing_of_unrelated_games_is_worth_nothing() -> None:
    rng = np.random.default_rng(10)
    base, variant, ones = rng.integers(0, 100, 20_000), rng.integers(0, 100, 20_000), np.ones(20_000)
    found = stats.pairing(_products(base, ones, variant, ones), (base.sum(), 20_000), (variant.sum(), 20_000))
    assert abs(found.correlation) < 0.03
    assert found.factor == pytest.approx(1, abs=0.03)


def test_pairing_of_identical_games_is_worth_everything() -> None:
    turns = np.random.default_rng(11).integers(100, 900, 5000)
    ones = np.ones(5000)
    found = stats.pairing(_products(turns, ones, turns, ones), (turns.sum(), 5000), (turns.sum(), 5000))
    assert found.correlation == pytest.approx(1)
    assert found.factor == math.inf


def test_pairing_of_a_constant_is_unknown() -> None:
    ones = np.ones(10)
    found = stats.pairing(_products(ones, ones, ones, ones), (10, 10), (10, 10))
    assert math.isnan(found.correlation)


# -- verdicts --------------------------------------------------------------------------------------


def _difference(value: float, error: float, n: int = 10_000) -> Difference:
    return Difference(value, error, math.inf, n, "turns")


@pytest.mark.parametrize(
    ("value", "error", "word"),
    [
        (5.0, 0.5, "different"),  # 4.0 to 6.0, margin 2
        (-5.0, 0.5, "different"),
        (0.1, 0.5, "no practical difference"),  # -0.9 to 1.1
        (1.0, 0.2, "detectable but negligible"),  # 0.6 to 1.4
        (2.5, 1.0, "different, size unclear"),  # 0.5 to 4.5
        (1.0, 2.0, "undecided"),  # -2.9 to 4.9
    ],
)
def test_verdict_words(value: float, error: float, word: str) -> None:
    (found,) = stats.judge([_difference(value, error)], [2.0])
    assert found is not None
    assert found.word == word


def test_equivalence_looks_at_the_90_percent_interval() -> None:
    (found,) = stats.judge([_difference(0.3, 1.0)], [2.0])  # 90 %: -1.34 to 1.94; 95 %: -1.66 to 2.26
    assert found is not None
    assert found.word == stats.SAME
    assert (found.low_equivalence, found.high_equivalence) == pytest.approx((0.3 - 1.644854, 0.3 + 1.644854), abs=1e-5)
    assert found.high > 2


def test_games_needed_is_the_sample_size_of_an_equivalence_test() -> None:
    """Rates of 1/4 compared without pairing, margin 1 pp, 90 % power, no true difference: 40,584 games an arm."""
    n = 1000
    error = math.sqrt(2 * 0.25 * 0.75 / n)
    (found,) = stats.judge([_difference(0.0, error, n)], [0.01])
    assert found is not None
    assert found.more_games is not None
    assert found.more_games == pytest.approx(40_584 - n, rel=0.03)


def test_games_needed_do_not_lean_on_the_difference_seen() -> None:
    verdicts = stats.judge([_difference(1.9, 1.0)], [2.0]) + stats.judge([_difference(-1.2, 1.0)], [2.0])
    for found in verdicts:
        assert found is not None
        assert found.word == stats.UNDECIDED
        assert found.more_games == pytest.approx((2 * 1.644854 * 100 / 2) ** 2 - 10_000, rel=0.06)


def test_near_the_margin_as_many_games_again_are_needed() -> None:
    (found,) = stats.judge([_difference(0.99, 0.52)], [1.8])
    assert found is not None
    assert found.word == stats.UNDECIDED
    assert found.more_games == 10_000


def test_holm_by_hand() -> None:
    assert stats.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_holm_is_that_of_statsmodels() -> None:
    for size in (0, 1, 2, 7, 40):
        p_values = np.random.default_rng(size).random(size) ** 3
        expected = multipletests(p_values, method="holm")[1] if size else []
        assert stats.holm(p_values.tolist()) == pytest.approx(list(expected))


def test_benjamini_and_hochberg_by_hand() -> None:
    assert stats.benjamini_hochberg([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
    assert stats.benjamini_hochberg([]) == []


def test_a_large_family_asks_for_more() -> None:
    """2.2 standard errors are a difference alone, but not among twenty."""
    alone = stats.judge([_difference(2.2, 1.0)], [1.0])[0]
    among = stats.judge([_difference(2.2, 1.0), *[_difference(0.0, 1.0)] * 19], [1.0] * 20)[0]
    assert alone is not None
    assert among is not None
    assert (alone.word, among.word) == (stats.UNSIZED, stats.UNDECIDED)
    assert among.p_value == pytest.approx(20 * alone.p_value)


def test_false_alarms_of_a_family_stay_below_five_percent() -> None:
    rng = np.random.default_rng(12)
    alarms = 0
    for _ in range(400):
        verdicts = stats.judge([_difference(value, 1.0) for value in rng.normal(size=10)], [0.01] * 10)
        alarms += any(each is not None and each.word in (stats.DIFFERENT, stats.UNSIZED) for each in verdicts)
    assert alarms / 400 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)


def test_false_discoveries_are_few_among_those_that_are_told() -> None:
    rng = np.random.default_rng(13)
    false = 0.0
    for _ in range(400):
        values = rng.normal(size=20) + np.where(np.arange(20) < 5, 4, 0)
        judged = stats.judge(_with_error_1(values), [0.01] * 20, "bh")
        told = [each is not None and each.word in (stats.DIFFERENT, stats.UNSIZED) for each in judged]
        false += sum(told[5:]) / max(1, sum(told))
    assert false / 400 <= 0.05


def test_benjamini_and_hochberg_tell_more_than_holm() -> None:
    differences = _with_error_1([3.0, 2.4, 2.3, 2.2, 0.1])
    words = {how: [each.word for each in stats.judge(differences, [2.0] * 5, how) if each] for how in ("holm", "bh")}
    assert words["holm"].count(stats.UNSIZED) == 1  # 2.4 errors are 0.066 after Holm, 0.034 after Benjamini and Hochberg
    assert words["bh"].count(stats.UNSIZED) == 4


def _with_error_1(values: Iterable[float]) -> list[Difference]:
    return [_difference(float(value), 1.0) for value in values]


def test_what_could_not_be_measured_has_no_verdict_and_is_not_in_the_family() -> None:
    unknown = Difference(math.nan, math.nan, 0, 100, "turns")
    found = stats.judge([unknown, _difference(2.2, 1.0)], [1.0, 1.0])
    assert found[0] is None
    assert found[1] is not None
    assert found[1].word == stats.UNSIZED


def test_nothing_in_either_game_is_no_difference_even_with_a_margin_of_nothing() -> None:
    (found,) = stats.judge([Difference(0.0, 0.0, 99, 1000, "bumps")], [0.0])
    assert found is not None
    assert found.word == stats.SAME


def test_something_instead_of_nothing_is_a_difference() -> None:
    (found,) = stats.judge([Difference(3.0, 0.1, 99, 1000, "bumps")], [0.0])
    assert found is not None
    assert found.word == stats.DIFFERENT


# -- margins ---------------------------------------------------------------------------------------


def test_margins_as_people_write_them() -> None:
    assert parse_margin("1pp") == Margin(0.01)
    assert parse_margin(" 2.5% ") == Margin(0.025, relative=True)
    assert parse_margin("0.5") == Margin(0.5)
    assert Margin(0.025, relative=True).of(-400) == pytest.approx(10)
    assert str(Margin(0.025, relative=True)) == "2.5% of the base"


@pytest.mark.parametrize("text", ["", "0", "-1pp", "pp", "nan", "inf%", "one", "1 pp pp"])
def test_margins_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_margin(text)


def test_plain_has_no_infinities() -> None:
    assert stats.plain({0.5: (math.inf, np.int64(3), [math.nan])}) == {"0.5": [None, 3, [None]]}


def test_a_share_of_nothing_or_all_is_not_certain() -> None:
    blocks = np.full(20, 10.0)
    none, every = stats.ratio_share(np.zeros(20), blocks, 200), stats.ratio_share(blocks, blocks, 200)
    assert (none.value, none.low) == (0.0, 0.0)
    assert 0.0 < none.high < 0.03
    assert (every.value, every.high) == (1.0, 1.0)
    assert 0.97 < every.low < 1.0


def test_the_interval_of_a_share_stays_between_0_and_1() -> None:
    few = np.zeros(20)
    few[3] = 1.0
    found = stats.ratio_share(few, np.full(20, 10.0), 200)
    assert found.low == 0.0 < found.value < found.high < 0.1
    assert stats.ratio_share(few, np.zeros(20), 0).known is False


@pytest.mark.parametrize("n", [99, 100, 300, 1_000, 12_345])
def test_an_interval_holds_its_value_to_the_last_digit(n: int) -> None:
    for count in (0, n):
        found = stats.share(count, n)
        assert found.low <= found.value <= found.high
