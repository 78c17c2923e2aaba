"""Reports from stored sums: the same as from rows, to the byte, and what is said where sums cannot say it."""

import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import fakegame
import made_up
import numpy as np
import pytest
from test_results import stop_after

from simsorry import policies, results, rulesets, simulate, stats, tally
from simsorry.at_table import measured_metrics
from simsorry.cli.compare import make_study
from simsorry.errors import SimsorryError
from simsorry.metrics import Rows
from simsorry.report import gather, render
from simsorry.report.gather import Judging, Name, short_names
from simsorry.report.study import Sitting, as_json
from simsorry.report.tallies import Tally
from simsorry.simulate import Task
from simsorry.tally import Kept, Plan, Summing, Sums

JUDGING = Judging({})


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fakegame.patch(monkeypatch)


def ours(folder: Path, tasks: Sequence[Task]) -> list[results.Stored]:
    stored = {each.id: each for each in results.tasks(folder)}
    return [stored[task.id] for task in tasks]


def read(folder: Path, tasks: Sequence[Task], games: int, **options: Any) -> Sitting:
    names = short_names([task.ruleset.name for task in tasks])
    sitting = gather.read(ours(folder, tasks), range(games), names, JUDGING, **options)
    assert sitting
    return sitting


def from_rows(folder: Path, tasks: Sequence[Task], games: int) -> Sitting:
    """The same without a look at the sums that are stored beside the rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gather, "_summed", lambda *_: False)
        return read(folder, tasks, games)


def document(sitting: Sitting) -> str:
    """Everything that a report on it shows."""
    return json.dumps(as_json(make_study("Title", [sitting], JUDGING)))


def digests(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*/*/part-*")}


# -- the same from rows and from sums --------------------------------------------------------------


def test_sums_give_the_same_report_to_the_byte(fake: None, tmp_path: Path) -> None:
    """Over the end of a stored part, so that chunks of several sizes come together in one block."""
    task, games = fakegame.task(), 101_500
    results.run(task, games, out=tmp_path / "rows")
    results.run(task, games, out=tmp_path / "sums", keep="summary", block_games=777)
    rows, sums = from_rows(tmp_path / "rows", [task], games), read(tmp_path / "sums", [task], games)
    assert sums.block_games == 1_000
    assert sums.notes == ()
    one, other = (render.render(make_study("Title", [each], JUDGING)).files for each in (rows, sums))
    assert one == other
    assert document(rows) == document(read(tmp_path / "rows", [task], games))
    assert max(path.stat().st_size for path in tmp_path.glob("*/*/tallies/part-*")) < 50_000


@pytest.mark.parametrize("games", [1, 399, 1_999, 2_000, 2_345, 19_999, 20_100, 61_234])
def test_any_number_of_games_gives_the_same_from_rows_and_sums(fake: None, tmp_path: Path, games: int) -> None:
    task = fakegame.task()
    results.run(task, games, out=tmp_path / "rows")
    results.run(task, games, out=tmp_path / "sums", keep="summary")
    assert document(from_rows(tmp_path / "rows", [task], games)) == document(read(tmp_path / "sums", [task], games))


@pytest.mark.parametrize(
    ("spec", "policy"),
    [
        ("hasbro", "balanced,random,random,random"),
        ("hasbro-points", "random"),
        ("hasbro-teams", "balanced,random,random,random"),
        ("sorreesi", "random"),
        ("ice", "random"),
    ],
)
def test_every_kind_of_ruleset_gives_the_same_from_rows_and_sums(tmp_path: Path, spec: str, policy: str) -> None:
    ruleset = rulesets.load(spec)
    names = policy.split(",") * (4 if "," not in policy else 1)
    task = Task(ruleset, 4, tuple(policies.load(name, ruleset.game) for name in names), 1)
    results.run(task, 40, out=tmp_path / "rows")
    results.run(task, 40, out=tmp_path / "sums", keep="summary", block_games=7)
    expected = from_rows(tmp_path / "rows", [task], 40)
    assert document(expected) == document(read(tmp_path / "sums", [task], 40)) == document(read(tmp_path / "rows", [task], 40))
    assert len(expected.base.measured) > 25
    assert not any(expected.base.failed_checks.values())


@pytest.mark.parametrize(("keep", "games"), [("rows", 20_300), ("summary", 100_300)])
def test_sums_do_not_depend_on_how_the_games_came_together(fake: None, tmp_path: Path, keep: results.Keep, games: int) -> None:
    """Stopped, gone on with and extended, while what is summed up together grows from single games to a thousand."""
    task = fakegame.task()
    results.run(task, games, out=tmp_path / "whole", keep=keep, block_games=10_000)
    for fewer in (1_234, 2_010, 19_990):
        results.run(task, fewer, out=tmp_path / "steps", keep=keep, threads=2, block_games=499)
    assert not results.run(task, games, out=tmp_path / "stopped", keep=keep, **stop_after(3_000)).complete
    for folder in ("steps", "stopped"):
        results.run(task, games, out=tmp_path / folder, keep=keep, block_games=3_333)
        assert digests(tmp_path / folder) == digests(tmp_path / "whole")


def test_sums_merge_exactly_in_any_order(fake: None) -> None:
    summing = Summing(fakegame.task().describe())
    plan = Plan(summing.metrics, 4, 0, 23_000)
    pieces = [summing.of(simulate.play(fakegame.task(), at, 500)).kept() for at in range(0, 23_000, 500)]
    forward, backward = Tally(plan), Tally(plan)
    for piece in pieces:
        forward.take(piece)
    for piece in reversed(pieces):
        backward.take(piece)
    block = simulate.play(fakegame.task(), 0, 23_000)
    whole = Tally(plan)
    whole.add(plan.count(Rows(block.games, block.seats, 4, 0)))
    for each in (forward, backward):
        assert np.array_equal(each.sums, whole.sums)
        assert np.array_equal(each.lengths, whole.lengths)
        assert (each.games, each.no_winner, each.failed_checks) == (whole.games, whole.no_winner, whole.failed_checks)
    turns = plan.metrics[0]
    assert turns.name == "turns"
    assert whole.sums[0, 0].tolist() == block.games["turns"].reshape(-1, plan.block_games).sum(axis=1).tolist()


def test_sums_of_larger_blocks_do_not_go_into_smaller_ones() -> None:
    metrics = measured_metrics(["random"] * 4, made_up.counted(made_up.CLASSIC), made_up.PLAIN)
    kept = Sums(Plan(metrics, 4, 0, 300, 100)).kept()
    with pytest.raises(ValueError, match="blocks of 100 games from game 0 on do not fit into blocks of 20"):
        Sums(Plan(metrics, 4, 0, 300, 20)).take(kept)
    with pytest.raises(ValueError, match="sums of 3 blocks, not of 2"):
        Sums(Plan(metrics, 4, 0, 300, 100)).take(Kept(0, 100, 2, 200, kept.vectors))


@pytest.mark.parametrize("columns", [made_up.CLASSIC, made_up.SORREESI, made_up.ICE])
@pytest.mark.parametrize("traits", [made_up.PLAIN, made_up.POINTS, made_up.MATCH, made_up.TEAMS, made_up.PLACES, made_up.BONUS_MOVES])
def test_whatever_is_summed_up_are_whole_numbers(traits: simulate.Traits, columns: made_up.Columns) -> None:
    rows = made_up.rows(50, traits=traits, columns=columns)
    plan = Plan(measured_metrics(["a", "b", "b", "b"], made_up.counted(columns), traits), 4, 0, 50)
    counted = plan.count(rows)
    for metric, parts in zip(plan.metrics, counted.parts, strict=True):
        assert {column.dtype.kind for column in parts} <= {"b", "i", "u"}, metric.name
    sums = Sums(plan, traits)
    sums.add(counted)
    for name, vector in sums.kept().vectors.items():
        assert vector.dtype == np.int64, name


def test_what_is_measured_beside_another_ruleset_is_kept_too(fake: None) -> None:
    """Choice turns but for throwing in are shown only where some ruleset has a hand; this one has none."""
    kept = Summing(fakegame.task().describe()).of(simulate.play(fakegame.task(), 0, 10)).kept()
    assert "board_choice_share counted" in kept.vectors
    assert "throw_share counted" not in kept.vectors


# -- several tasks ---------------------------------------------------------------------------------


def two(tmp_path: Path, games: int) -> list[Task]:
    """Two tasks whose rows and sums are stored; the second is the first with other games."""
    tasks = [fakegame.task(), fakegame.task(hash="ba9876543210", name="fake+more")]
    for task in tasks:
        results.run(task, games, out=tmp_path / "rows")
        results.run(task, games, out=tmp_path / "sums", keep="summary")
    return tasks


def test_differences_of_sums_are_those_of_blocks(fake: None, tmp_path: Path) -> None:
    tasks = two(tmp_path, 2_400)
    rows, sums = (read(tmp_path / keep, tasks, 2_400) for keep in ("rows", "sums"))
    by_game, by_block = rows.arms[1], sums.arms[1]
    assert by_block.measured == by_game.measured
    assert by_block.compared.keys() == by_game.compared.keys()
    of_every_game = {metric.name for metric in rows.metrics if metric.event}  # what is a yes or no is compared game by game
    assert "capped" in of_every_game
    for name, compared in by_game.compared.items():
        if name not in of_every_game:
            assert by_block.compared[name].difference == compared.difference
    assert by_game.unchanged
    assert by_game.unchanged.value == 1  # both play the same games
    assert by_block.unchanged
    assert not by_block.unchanged.known
    assert by_block.compared["turns"].pairing.correlation == pytest.approx(1)
    assert by_block.compared["turns"].pairing.factor == np.inf
    assert by_game.compared["capped"].difference.error < by_block.compared["capped"].difference.error  # too few for blocks to say


def test_what_sums_do_not_say_is_said_once(fake: None, tmp_path: Path) -> None:
    tasks = two(tmp_path, 60)
    sentence = (
        "As only sums were kept of fake and +more, it is not known how many games run the same course as before, and correlation and "
        "variance factor are those of blocks of games, which are known less well than those of games."
    )
    names = [Name("fake"), Name("+more")]
    sitting = gather.read(ours(tmp_path / "sums", tasks), range(60), names, JUDGING)
    assert sitting
    assert sitting.notes == (sentence,)
    sections = render.sections(make_study("Title", [sitting], JUDGING))
    told = [text for section in sections for part in section.parts for text in part.paragraphs]
    assert told.count(sentence) == 1
    assert not any("exactly the same course" in text for text in told)
    mixed = gather.read([ours(tmp_path / "rows", tasks)[0], ours(tmp_path / "sums", tasks)[1]], range(60), names, JUDGING)
    assert mixed
    assert [stats.plain(asdict(arm)) for arm in mixed.arms] == [stats.plain(asdict(arm)) for arm in sitting.arms]  # no number is not itself
    assert mixed.notes[0].startswith("As only sums were kept of +more, it")


def test_rows_stand_beside_sums_of_fewer_games(fake: None, tmp_path: Path) -> None:
    tasks = two(tmp_path, 50)
    results.run(tasks[0], 80, out=tmp_path / "rows")
    mixed = [ours(tmp_path / "rows", tasks)[0], ours(tmp_path / "sums", tasks)[1]]
    found = gather.read(mixed, range(50), short_names([task.ruleset.name for task in tasks]), JUDGING)
    assert found
    assert document(found).replace("of more,", "of fake and more,") == document(read(tmp_path / "sums", tasks, 50))


# -- what cannot be told ---------------------------------------------------------------------------


def test_sums_tell_of_whole_parts_alone(fake: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "PART_GAMES", 1_000)
    task = fakegame.task()
    results.run(task, 3_300, out=tmp_path, keep="summary")
    assert read(tmp_path, [task], 2_000).games == 2_000
    with pytest.raises(SimsorryError, match="do not tell the first 2,500 games from those after them") as raised:
        read(tmp_path, [task], 2_500)
    assert "ask for 1,000, 2,000, … or 3,300 games, or run it with --keep rows" in str(raised.value)


def test_what_a_version_did_not_sum_up_is_left_out_and_said(fake: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fewer(*asked: Any) -> tuple[Any, ...]:
        return tuple(metric for metric in measured_metrics(*asked) if metric.name != "lead_changes")

    task = fakegame.task()
    with monkeypatch.context() as patch:
        patch.setattr(tally, "measured_metrics", fewer)
        results.run(task, 60, out=tmp_path / "sums", keep="summary")
        results.run(task, 60, out=tmp_path / "rows")
    found = read(tmp_path / "sums", [task], 60)
    assert "lead_changes" not in found.base.measured
    assert found.notes == ("Left out, for it is not among the sums that were kept: Lead changes per game.",)
    assert "lead_changes" in read(tmp_path / "rows", [task], 60).base.measured  # which has rows to count anew
    with pytest.raises(SimsorryError, match="does not hold the sums that this version keeps: delete it and repeat the run that wrote it"):
        results.run(task, 90, out=tmp_path / "sums", keep="summary")


@pytest.mark.parametrize("keep", ["rows", "summary"])
def test_a_damaged_tally_is_said_in_a_sentence(fake: None, tmp_path: Path, keep: results.Keep) -> None:
    task = fakegame.task()
    results.run(task, 300, out=tmp_path, keep=keep)
    next(tmp_path.glob("*/manifest.json")).unlink()  # which would tell, too
    path = next(tmp_path.glob("*/tallies/part-*"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-50])
    with pytest.raises(SimsorryError, match=r"tallies/part-000000000000-300\.parquet is damaged or cut short: delete it and repeat"):
        read(tmp_path, [task], 300)
    data = bytearray(whole)
    data[len(data) // 4] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(SimsorryError, match=r"tallies/part-000000000000-300\.parquet is damaged or cut short"):
        read(tmp_path, [task], 300)


def test_sums_of_another_range_are_not_taken_for_these(fake: None, tmp_path: Path) -> None:
    task = fakegame.task()
    results.run(task, 300, out=tmp_path / "a", keep="summary")
    results.run(task, 200, out=tmp_path / "b", keep="summary")
    path, other = (next((tmp_path / folder).glob("*/tallies/part-*")) for folder in ("a", "b"))
    path.write_bytes(other.read_bytes())
    with pytest.raises(SimsorryError, match=r"part-000000000000-300\.parquet is not as it was written"):
        read(tmp_path / "a", [task], 300)
    next((tmp_path / "a").glob("*/manifest.json")).unlink()
    with pytest.raises(SimsorryError, match=r"part-000000000000-300\.parquet does not hold the sums that its name says: delete it"):
        read(tmp_path / "a", [task], 300)


def test_reading_sums_can_be_stopped(fake: None, tmp_path: Path) -> None:
    task, stop, done = fakegame.task(), threading.Event(), []
    results.run(task, 300, out=tmp_path, keep="summary")
    read(tmp_path, [task], 300, on_games=done.append)
    assert done == [300]
    stop.set()
    assert gather.read(ours(tmp_path, [task]), range(300), [Name("fake")], JUDGING, stop=stop) is None
