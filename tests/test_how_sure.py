"""How often intervals hold and verdicts are wrong, measured as ``reports/how_sure.py`` does, in a world of made-up lengths."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

KNOWN = {"spread of turns", "paired difference of spreads"}  # of 20 games: they hold in 92 % of the cases


@pytest.fixture(scope="module")
def how_sure() -> ModuleType:
    """The script as a module."""
    path = Path(__file__).parent.parent / "reports" / "how_sure.py"
    spec = importlib.util.spec_from_file_location("how_sure", path)
    assert spec
    assert spec.loader
    module = sys.modules["how_sure"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def made_up(how_sure: ModuleType, games: int = 20_000) -> object:
    """Lengths as skewed as real ones; the variant is somewhat longer, and goes with the base."""
    rng = np.random.default_rng(1)
    base = np.rint(rng.gamma(11, 33, games)) + 1
    variant = np.rint(0.5 * base + 0.5 * rng.gamma(11, 33, games) + 12)
    columns = []
    for turns in (base, variant):
        dead = rng.binomial(turns.astype(int), 0.2)
        frame = {"turns": turns, "turns_all": turns, "dead_turns": dead.astype(float), "winner": np.zeros(games)}
        columns.append(frame | {"squares": turns**2, "long": (turns > 500).astype(float)})
    return how_sure.World("variant", *columns)


def test_a_promise_is_broken_only_beyond_all_chance(how_sure: ModuleType) -> None:
    kept = how_sure.Kept(np.random.default_rng(1), 100)
    for at in range(1_000):
        kept.holds("little less", "w", (0.0, 1.0), 2.0 if at < 60 else 0.5)
        kept.holds("far less", "w", (0.0, 1.0), 2.0 if at < 100 else 0.5)
        kept.wrong("far more", "w", at < 100)
    table = kept.table().set_index("what")
    assert table["kept"].to_dict() == {"little less": "", "far less": "NOT KEPT", "far more": "NOT KEPT"}
    assert table["found"].to_dict() == {"little less": 0.94, "far less": 0.9, "far more": 0.1}


def test_in_the_world_without_a_difference_half_of_the_games_are_others(how_sure: ModuleType) -> None:
    world = made_up(how_sure)
    kept = how_sure.Kept(np.random.default_rng(2), 10)
    found = list(how_sure.drawn(world, kept, 10, 2_400, null=True))
    assert len(found) == 10
    same = np.mean([(base["turns"] == variant["turns"]).mean() for base, variant in found])
    assert same == pytest.approx(0.5, abs=0.02)
    change = np.mean([variant["turns"].mean() - base["turns"].mean() for base, variant in found])
    assert abs(change) < 4 * 110 / np.sqrt(24_000)


@pytest.mark.slow
def test_intervals_and_verdicts_keep_what_they_promise(how_sure: ModuleType) -> None:
    kept, (ordinary, sequence) = how_sure.measured([made_up(how_sure)], 4_000, 3)
    table = kept.table()
    assert set(table.loc[table["kept"] != "", "what"]) <= KNOWN
    holds = table[(table["kind"] == "holds") & (table["trials"] >= 1_000)]
    assert (holds.loc[~holds["world"].str.contains("20 blocks"), "found"] > 0.937).all()
    assert (holds["found"] > 0.9).all()
    assert ordinary[-1] > 0.25
    assert sequence[-1] <= 0.06
