"""How well the lengths of games fit an evening."""

import numpy as np
import pytest

from simsorry.metrics import METRICS
from simsorry.report.study import _evening
from simsorry.report.tallies import Tally
from simsorry.tally import Plan


def tally(lengths: dict[int, int], cut_off: int = 0) -> Tally:
    made = Tally(Plan(METRICS[:1], 4, 0, sum(lengths.values()) + cut_off))
    made.lengths = np.zeros(max(lengths, default=0) + 1, dtype=np.int64)
    for turns, games in lengths.items():
        made.lengths[turns] = games
    made.games, made.no_winner = sum(lengths.values()) + cut_off, cut_off
    return made


@pytest.mark.parametrize(
    ("minutes", "fit"), [(0, 0.0), (15, 0.5), (30, 1.0), (45, 1.0), (60, 1.0), (90, 0.5), (119, 1 / 60), (120, 0.0), (500, 0.0)]
)
def test_a_game_fits_by_its_minutes(minutes: int, fit: float) -> None:
    found = _evening(tally({minutes: 10}), 1.0)
    assert found.value == pytest.approx(fit)
    assert (found.low, found.high) == pytest.approx((fit, fit))


def test_games_are_averaged_with_an_interval() -> None:
    found = _evening(tally({45: 50, 120: 50}), 1.0)
    assert found.value == 0.5
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.5 / 10, rel=1e-4)
    assert found.n == 100


def test_a_game_that_was_cut_off_does_not_fit() -> None:
    assert _evening(tally({45: 1}, cut_off=1), 1.0).value == 0.5
