"""When to look at games while they are played, and intervals that hold at all looks."""

import itertools
import math

import numpy as np
import pytest

from simsorry import stats
from simsorry.stats import Difference
from simsorry.tally import lasting_block, statistical_block

MANY = 1_000_000


def _difference(value: float, error: float, n: int = 20_000, df: float = math.inf) -> Difference:
    return Difference(value, error, df, n, "turns")


# -- when to look ----------------------------------------------------------------------------------


def test_looks_begin_with_200_blocks_and_are_four_to_each_doubling() -> None:
    found = list(stats.looks(MANY))
    assert found[:9] == [2_400, 4_800, 7_200, 9_600, 12_000, 14_400, 16_800, 19_200, 24_000]
    assert found[-2:] == [921_600, MANY]
    assert all(after / before <= 1.25 for before, after in itertools.pairwise(found[3:]))


@pytest.mark.parametrize("most", [20, 2_399, 2_400, 2_401, 10**12])
def test_the_last_look_is_at_the_most_games(most: int) -> None:
    found = list(stats.looks(most))
    assert found[-1] == most
    assert found == sorted(set(found))
    assert len(found) < 150


def test_fewer_games_at_most_change_no_look_before_that() -> None:
    every = list(stats.looks(MANY))
    assert list(stats.looks(50_000)) == [games for games in every if games < 50_000] + [50_000]


def test_blocks_between_looks_make_up_the_blocks_of_every_later_look() -> None:
    every = list(stats.looks(MANY))[:-1]
    for at, games in enumerate(every):
        block = lasting_block(games)
        assert games / block <= 1_600
        assert all(statistical_block(later) % block == 0 for later in every[at:])
        assert games % statistical_block(games) == 0 or games > 100_000


# -- confidence sequences --------------------------------------------------------------------------


def test_a_sequence_is_as_wide_as_was_measured_by_others() -> None:
    """1.55 times an ordinary interval at the expected number of games, and 1.78 times at fifty times that."""
    ordinary = 1.959964
    assert stats.widening(stats.EXPECTED) / ordinary == pytest.approx(1.55, abs=0.005)
    assert stats.widening(50 * stats.EXPECTED) / ordinary == pytest.approx(1.78, abs=0.005)


def test_a_sequence_by_hand() -> None:
    """r^2 = (-2 ln 0.05 + ln(-2 ln 0.05) + 1) / expected = 8.781 / expected."""
    spread = 2 * 8.7813
    half = math.sqrt(2 * (spread + 1) / spread * math.log(math.sqrt(spread + 1) / 0.05))
    low, high = stats.looked_at(_difference(3.0, 0.5, 2_000), expected=1_000).interval()
    assert (low, high) == pytest.approx((3.0 - half * 0.5, 3.0 + half * 0.5), rel=1e-4)


@pytest.mark.parametrize("margin", [0.0, 1.0])
def test_the_p_value_is_the_level_at_which_the_interval_ends_at_the_margin(margin: float) -> None:
    found = stats.looked_at(_difference(5.0, 1.2))
    p = found.p_beyond(margin)
    assert 0 < p < 0.05
    assert found.interval(1 - p)[0] == pytest.approx(margin, abs=1e-9)


def test_few_blocks_make_it_wider() -> None:
    many, few = (stats.looked_at(_difference(1.0, 1.0, df=df)).interval() for df in (math.inf, 19))
    assert (few[1] - few[0]) / (many[1] - many[0]) == pytest.approx(2.093 / 1.96, rel=1e-3)
    one = stats.looked_at(_difference(1.0, 1.0, df=0))
    assert one.interval()[1] == math.inf
    assert one.p_beyond() == 1.0


def test_identical_games_differ_by_nothing_however_often_one_looks() -> None:
    found = stats.looked_at(_difference(0.0, 0.0))
    assert found.interval() == (0, 0)
    assert (found.p_beyond(), stats.looked_at(_difference(1.0, 0.0)).p_beyond()) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("value", "ordinary", "looked"),
    [
        (8.0, stats.DIFFERENT, stats.DIFFERENT),
        (4.5, stats.DIFFERENT, stats.UNSIZED),  # 2.0 and 3.1 errors to either side, of 0.5; margin 3
        (1.2, stats.NEGLIGIBLE, stats.SAME),
        (2.0, stats.NEGLIGIBLE, stats.UNSIZED),
        (0.2, stats.SAME, stats.SAME),
    ],
)
def test_the_words_stay_the_same(value: float, ordinary: str, looked: str) -> None:
    difference = _difference(value, 0.5)
    words = [stats.judge([each], [3.0]) for each in (difference, stats.looked_at(difference))]
    assert [verdict.word for (verdict,) in words if verdict] == [ordinary, looked]


def test_more_games_are_needed_where_one_looks_again_and_again() -> None:
    difference = _difference(0.0, 3.0)
    once, often = (stats.judge([each], [3.0])[0] for each in (difference, stats.looked_at(difference)))
    assert once
    assert often
    assert once.word == often.word == stats.UNDECIDED
    assert once.more_games
    assert often.more_games
    assert often.more_games > 1.5 * once.more_games


# -- how often they hold ---------------------------------------------------------------------------


def _alarms(trials: int, looks: int, step: int, seed: int) -> tuple[float, float]:
    """How often an ordinary interval of a skewed mean, and how often a confidence sequence, excludes the truth at some look."""
    rng = np.random.default_rng(seed)
    games = np.arange(10, looks + 10) * step
    wide = np.array([stats.widening(int(n)) for n in games])
    alarms = np.zeros(2)
    for _ in range(trials):
        values = rng.gamma(2.0, 50.0, games[-1]) - 100
        sums, squares = (column.reshape(-1, step).sum(axis=1).cumsum()[9:] for column in (values, values**2))
        ratios = np.abs(sums) / np.sqrt(squares - sums**2 / games)
        alarms += (ratios > 1.959964).any(), (ratios > wide).any()
    return float(alarms[0] / trials), float(alarms[1] / trials)


def test_looking_again_and_again_is_safe_with_a_sequence_alone() -> None:
    ordinary, sequence = _alarms(trials=300, looks=100, step=120, seed=1)
    assert ordinary > 0.2
    assert sequence <= 0.05


@pytest.mark.slow
def test_a_sequence_holds_at_200_looks() -> None:
    ordinary, sequence = _alarms(trials=4_000, looks=200, step=240, seed=2)
    assert ordinary == pytest.approx(0.37, abs=0.04)
    assert sequence <= 0.05


@pytest.mark.slow
def test_stopping_at_a_width_keeps_the_coverage() -> None:
    rng, looks, covered, trials = np.random.default_rng(3), list(stats.looks(200_000)), 0, 10_000
    for counts in np.cumsum(rng.binomial(np.diff([0, *looks]), 0.25, (trials, len(looks))), axis=1):
        for count, games in zip(counts, looks, strict=True):
            found = stats.share(int(count), games)
            if (found.high - found.low) / 2 <= 0.005:
                break
        covered += found.low <= 0.25 <= found.high
    assert covered / trials > 0.95 - 4 * math.sqrt(0.05 * 0.95 / trials)
