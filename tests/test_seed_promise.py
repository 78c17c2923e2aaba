"""The promise about seeds: the same task gives the same games whatever the threads, blocks, interruptions, processor or Python.

The games are those of ``simsorry.seeds``, whose fingerprints are in ``simsorry/seeds.json``. Where one differs, games have changed: find
the mistake, or raise the game's VERSION and write the table anew with ``pytest tests/test_seed_promise.py --update``.
"""

import json
import os
import subprocess
import sys
import threading
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
from cli_tools import said, simsorry_says

from simsorry import games, results, rng, seeds, simulate
from simsorry.games import course
from simsorry.games.columns import UNIT
from simsorry.games.records import EXP_STEPS
from simsorry.seeds import GAMES, Case, Played
from simsorry.simulate import Block

HERE = Path(__file__).parent


@pytest.fixture(scope="module", autouse=True)
def _table(request: pytest.FixtureRequest) -> None:
    """Writes the table anew if that is asked for."""
    if request.config.getoption("--update"):
        found = {case.name: seeds.play(case) for case in GAMES}
        lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(played)}" for name, played in found.items())
        seeds.PUBLISHED.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def in_process(code: str, environment: dict[str, str], timeout: int = 120) -> str:
    """What Python prints in another process, with the package and these tests to import from."""
    paths = os.pathsep.join([str(HERE), str(HERE.parent)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": paths} | environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# -- the table -------------------------------------------------------------------------------------


def test_the_table_has_every_game_and_kind() -> None:
    assert list(seeds.published()) == [case.name for case in GAMES], "pytest tests/test_seed_promise.py --update writes it anew"
    assert {case.game for case in GAMES} == set(games.GAMES)
    assert len({fingerprint for played in seeds.published().values() for fingerprint in played}) == 2 * len(GAMES)
    for game in games.GAMES:
        tasks = [case.task for case in GAMES if case.game == game]
        assert any(task.is_deep for task in tasks)
        assert {policy.name for task in tasks for policy in task.policies} >= {"random", "balanced"}
    traits = [case.task.traits for case in GAMES]
    assert all(any(getattr(each, name) for each in traits) for name in ("hand", "points", "teams", "match", "places", "moves_partner"))


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case.name)
def test_games_are_those_that_were_published(case: Case) -> None:
    assert seeds.play(case) == seeds.published()[case.name]


SOME = [case for case in GAMES if case.ruleset in ("hasbro-match", "parker-1934", "sorreesi-teams-pool", "ice-scoring")]


@pytest.mark.parametrize(("threads", "block"), [(1, 1), (2, 7), (3, None), (8, 1000)])
@pytest.mark.parametrize("case", SOME, ids=lambda case: case.ruleset)
def test_threads_and_blocks_change_nothing(case: Case, threads: int, block: int | None) -> None:
    assert seeds.play(case, threads=threads, block_games=block) == seeds.published()[case.name]


@pytest.mark.parametrize("case", SOME[:2], ids=lambda case: case.ruleset)
def test_a_run_that_was_interrupted_goes_on_with_the_same_games(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "PART_GAMES", 70)
    stop = threading.Event()

    def interrupt(more: int) -> None:
        if more:
            stop.set()

    first = results.run(case.task, case.games, out=tmp_path, threads=2, block_games=9, stop=stop, on_games=interrupt)
    assert not first.complete
    assert 0 < first.summary.games < case.games
    assert results.run(case.task, case.games, out=tmp_path, threads=1).complete
    blocks = [block for _, block in results.iter_blocks(tmp_path)]
    assert seeds.rows_of(blocks, seeds.FIRST) == seeds.published()[case.name].first
    assert seeds.rows_of(blocks, case.games) == seeds.rows_of([simulate.play(case.task, 0, case.games)], case.games)


def test_a_game_can_be_played_alone() -> None:
    case = SOME[0]
    whole, alone = simulate.play(case.task, 0, 50), simulate.play(case.task, 41, 1)
    assert all(alone.games[name][0] == column[41] for name, column in whole.games.items())


# -- compiled and not, here and elsewhere ----------------------------------------------------------

PLAIN = """
import json
from simsorry import seeds, simulate
cases = [case for case in seeds.GAMES if case.name in {names}]
print(json.dumps({{case.name: seeds.rows_of([simulate.play(case.task, 0, seeds.FIRST)], seeds.FIRST) for case in cases}}))
"""


@pytest.mark.parametrize(
    "rulesets",
    [("hasbro",), pytest.param(("ice", "sorreesi", "hasbro-teams-points", "french"), marks=pytest.mark.slow)],
    ids=", ".join,
)
def test_plain_python_plays_the_same_games(rulesets: tuple[str, ...]) -> None:
    names = [case.name for case in GAMES if case.ruleset in rulesets and not case.task.is_deep]
    found = json.loads(in_process(PLAIN.format(names=names), {"NUMBA_DISABLE_JIT": "1"}, timeout=300))
    assert found == {name: seeds.published()[name].first for name in names}


ANY_PROCESSOR = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}

ELSEWHERE = """
import json
from numba.core.registry import cpu_target
from simsorry import rng, jit
import numpy as np

@jit.entry
def mixed(n):
    return rng.mix(rng.mix(n) + n)

codegen = cpu_target.target_context.codegen()
print(json.dumps([codegen.magic_tuple()[1], [str(mixed(np.uint64(n))) for n in range(20)], list(mixed.stats.cache_hits.values())]))
"""


def test_code_of_another_processor_is_neither_mixed_up_nor_different(tmp_path: Path) -> None:
    """In one cache folder: each processor finds its own code there, and none that was compiled for the other."""
    (tmp_path / "elsewhere.py").write_text(ELSEWHERE, encoding="utf-8")
    cache = {"SIMSORRY_CACHE": str(tmp_path / "cache")}
    run = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import elsewhere"
    told = [json.loads(in_process(run, cache | more)) for more in (ANY_PROCESSOR, {}, ANY_PROCESSOR)]
    assert [name == "generic" for name, _, _ in told] == [True, False, True]
    assert [bool(hits) for _, _, hits in told] == [False, False, True]  # who came first compiles
    assert all(numbers == told[0][1] for _, numbers, _ in told)
    mix = rng.mix.py_func
    with np.errstate(over="ignore"):
        assert told[0][1] == [str(mix(mix(np.uint64(n)) + np.uint64(n))) for n in range(20)]


PLAY = """
import json
from simsorry import seeds
print(json.dumps({name: seeds.play(case) for case in seeds.GAMES for name in [case.name]}))
"""


@pytest.mark.slow
def test_code_for_any_processor_plays_the_same_games(tmp_path: Path) -> None:
    """Compiles all games anew, for a processor without anything special: that takes minutes."""
    found = json.loads(in_process(PLAY, ANY_PROCESSOR | {"SIMSORRY_CACHE": str(tmp_path / "cache")}, timeout=1500))
    assert {name: Played(*played) for name, played in found.items()} == seeds.published()


# -- what could differ between machines ------------------------------------------------------------


def test_tables_made_with_logarithms_are_the_same_with_any_library_of_them() -> None:
    """Each entry is rounded from a number that is farther from a half than any library for mathematics is from the truth."""
    with localcontext() as context:
        context.prec = 40
        exact = [65_536 * (-Decimal(step) / EXP_STEPS).exp() for step in range(len(course._EXP))]
        unit = Decimal(UNIT)
        exact += [-unit * (Decimal(w) / unit) * (Decimal(w) / unit).ln() for w in range(1, UNIT + 1)]
    made = [*course._EXP.tolist(), *course._ENTROPY[1:].tolist()]
    assert made == [round(number) for number in exact]
    nearest = min(abs(number % 1 - Decimal("0.5")) for number in exact)
    assert nearest > Decimal("1e-8")  # a unit in the last place of 65,536 is 1.5e-11


def test_fingerprints_do_not_depend_on_the_order_of_bytes() -> None:
    block = simulate.play(GAMES[0].task, 0, 5)
    turned = Block(
        {name: column.astype(column.dtype.newbyteorder(">")) for name, column in block.games.items()},
        {name: column.astype(column.dtype.newbyteorder(">")) for name, column in reversed(block.seats.items())},
        0,
    )
    assert seeds.rows_of([block], 5) == seeds.rows_of([turned], 5)


def test_fingerprints_see_every_number() -> None:
    block = simulate.play(GAMES[0].task, 0, 50)
    before = seeds.fingerprint([block])
    assert before == seeds.fingerprint([simulate.play(GAMES[0].task, 0, 20), simulate.play(GAMES[0].task, 20, 30)])
    for column in (*block.games.values(), *block.seats.values(), block.audits.reshape(-1)):
        kept = column[-1]
        column[-1] = 1 if kept != 1 else 0
        assert seeds.fingerprint([block]) != before
        column[-1] = kept
    assert seeds.fingerprint([block]) == before


# -- the check that anybody can run ----------------------------------------------------------------


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> tuple[Case, ...]:
    chosen = (GAMES[0], GAMES[4])
    monkeypatch.setattr(seeds, "GAMES", chosen)
    return chosen


def test_doctor_says_that_seeds_are_kept(few: tuple[Case, ...]) -> None:
    assert f"2 of 2 tasks are played as everywhere ({sum(case.games for case in few):,} games)" in said("doctor", "--seeds", "--quiet")
    found = json.loads(said("doctor", "--seeds", "--json", "--quiet"))["seeds"]
    assert [(each["task"], each["same"]) for each in found] == [(case.name, True) for case in few]


def test_doctor_says_that_seeds_are_not_kept(few: tuple[Case, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    kept = seeds.published()
    monkeypatch.setattr(seeds, "published", lambda: {**kept, few[1].name: kept[few[0].name]})
    done = simsorry_says("doctor", "--seeds", "--quiet")
    assert done.exit_code == 1
    assert "1 of 2 tasks are played as everywhere" in done.stdout
    assert done.stderr.startswith("simsorry: this machine plays other games than others do from the same seeds (hasbro-teams, 4 players")
