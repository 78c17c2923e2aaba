"""``simsorry verify``: stored games are replayed, and whatever is not what was stored is found, whoever changed it."""

import json
import random
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cli_tools import said, simsorry_says

from simsorry import games, panel, policies, results, rulesets, simulate
from simsorry.errors import SimsorryError
from simsorry.gauge import Gauge
from simsorry.results import Stored, verifying
from simsorry.results.rebuild import rebuild
from simsorry.simulate import Task

PART = 100  # games per part in these tests
MATCH = "hasbro-teams-points"


@pytest.fixture(autouse=True)
def _short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "PART_GAMES", PART)


def task(spec: str = "hasbro", line_up: str = "balanced,random,random,random", seed: int = 1) -> Task:
    ruleset = rulesets.load(spec)
    return Task(ruleset, 4, policies.line_up(line_up.split(","), 4, ruleset.game), seed)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders of which each test has copies of its own."""
    folder = tmp_path_factory.mktemp("stored")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulate, "PART_GAMES", PART)
        results.run(task(), 250, out=folder / "runs")
        results.run(task(MATCH, "random"), 130, out=folder / "runs")
        results.run(task(), 230, out=folder / "sums", keep="summary")
    return folder


@pytest.fixture
def played(stored: Path, tmp_path: Path) -> Path:
    """A folder with rows of two tasks."""
    return Path(shutil.copytree(stored / "runs", tmp_path / "runs"))


@pytest.fixture
def summed(stored: Path, tmp_path: Path) -> Path:
    """A folder with the sums of one task."""
    return Path(shutil.copytree(stored / "sums", tmp_path / "sums"))


def verdicts(folder: Path, *options: str, code: int) -> dict[str, Any]:
    done = simsorry_says("verify", str(folder), "--json", *options)
    assert done.exit_code == code, done.output
    return dict(json.loads(done.stdout))


def of(document: dict[str, Any], task_id: str) -> dict[str, Any]:
    return next(dict(each) for each in document["tasks"] if each["id"] == task_id)


def rewrite(path: Path, change: Callable[[dict[str, np.ndarray]], None]) -> None:
    """Changes columns of a part, as somebody would who knows how it is made."""
    table = pq.read_table(path)
    columns = {name: table[name].to_numpy().copy() for name in table.column_names}
    change(columns)
    pq.write_table(pa.Table.from_arrays([pa.array(column) for column in columns.values()], schema=table.schema), path)


def part(folder: Path, table: str, first_game: int = 0, spec: str = "hasbro") -> Path:
    home = folder / (task().id if spec == "hasbro" else task(MATCH, "random").id)
    return next(home.glob(f"{table}/part-{first_game:012d}-*"))


# -- what is the same ------------------------------------------------------------------------------


def test_stored_games_are_what_is_played(played: Path) -> None:
    text = said("verify", str(played), "--quiet")
    assert "All 380 games replayed: none differs." in text
    assert text.count(": same (") == 2
    document = verdicts(played, "--all", code=0)
    assert document["games"] == {"stored": 380, "replayed": 380}
    assert document["most_unseen"]["share_of_runs"] == 0
    assert of(document, task().id)["parts"] == {"stored": 3, "replayed_whole": 3}
    assert of(document, task().id)["files_compared"] == 12
    assert not any(each["problems"] or each["notes"] for each in document["tasks"])


def test_nothing_in_the_folder_is_changed(played: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in played.rglob("*")}
    said("verify", str(played), "--quiet")
    assert before == {path: path.stat().st_mtime_ns for path in played.rglob("*")}


def test_a_sample_says_what_it_does_not_know(played: Path) -> None:
    text = " ".join(said("verify", str(played), "--games", "60", "--quiet").split())
    assert "60 of 380 games replayed: none differs. They lie in 6 of 38 runs of 10 consecutive games, drawn by seed 1" in text
    assert "fewer than 39% of the runs hold a game that differs (fewer than 4.9% of the games" in text
    one, again, other = (verdicts(played, "--games", "60", "--seed", seed, code=0) for seed in "113")
    assert one == again
    assert one["tasks"] != other["tasks"] or one["seed"] != other["seed"]


def test_the_bound_is_that_of_the_rule_of_three() -> None:
    assert verifying.most_unseen(1000) == pytest.approx(3 / 1000, rel=0.005)
    assert 1 - (1 - verifying.most_unseen(40)) ** 40 == pytest.approx(0.95)  # so rare, 40 would have shown one 19 times in 20
    assert verifying.most_unseen(0) == 1


def test_sums_are_replayed_by_whole_parts_the_shortest_first(summed: Path) -> None:
    document = verdicts(summed, "--games", "20", code=0)
    assert document["games"] == {"stored": 230, "replayed": 30}
    text = " ".join(said("verify", str(summed), "--games", "20", "--quiet").split())
    assert "replayed 30 in 1 of 3 parts of sums, of 230 games" in text
    assert "Where only sums are kept, whole parts are replayed, the shortest first" in text
    assert verdicts(summed, "--all", code=0)["games"]["replayed"] == 230


def test_files_that_games_were_asked_with_are_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text('extends = "hasbro"\ntitle = "Mine"\n[rules]\npawns = 3\nslides = "off"\n')
    (tmp_path / "me.toml").write_text('title = "Me"\nmistakes = 0.25\n[weights]\nhome = 2.5\n')
    said("run", "./mine.toml", "--policy", "./me.toml", "--games", "40", "--out", "runs", "--quiet")
    for name in ("mine.toml", "me.toml"):
        (tmp_path / name).unlink()
    assert "All 40 games replayed: none differs." in said("verify", "runs", "--quiet")


# -- what is not -----------------------------------------------------------------------------------


def test_a_number_that_was_changed_is_named(played: Path) -> None:
    def change(columns: dict[str, np.ndarray]) -> None:
        columns["bumps_given"][4 * 37 + 2] += 1
        columns["bumps_given"][4 * 91 + 1] += 1

    path = part(played, "seats", 100)
    rewrite(path, change)
    found = of(verdicts(played, code=1), task().id)
    assert found["verdict"] == "differs"
    assert found["games"]["differing"] == 2
    first = found["first"]
    assert (first["game"], first["table"], first["column"], first["seat"]) == (137, "seats", "bumps_given", 2)
    assert first["stored"] == first["replayed"] + 1
    assert any("sha256 is not that of manifest.json" in problem for problem in found["problems"])
    assert any("are not those of its rows" in problem for problem in found["problems"])
    text = " ".join(simsorry_says("verify", str(played), "--quiet").output.split())
    assert "2 of these games differ, the first is game 137: bumps_given of seat 2 (seats) is" in text
    assert "1 of 2 tasks differ from what was written or from what this version plays" in text


def test_a_row_that_belongs_to_another_game_is_found(played: Path) -> None:
    def swap(columns: dict[str, np.ndarray]) -> None:
        columns["game"][[3, 4]] = columns["game"][[4, 3]]

    rewrite(part(played, "games"), swap)
    found = of(verdicts(played, code=1), task().id)
    assert any("does not hold the games that its name says" in problem for problem in found["problems"])


def test_a_part_of_another_seed_is_found(played: Path, tmp_path: Path) -> None:
    other = task(seed=2)
    results.run(other, 250, out=tmp_path / "other")
    for table in ("games", "seats", "tallies", "summary"):
        path = part(played, table)
        shutil.copy(tmp_path / "other" / other.id / table / path.name, path)
    found = of(verdicts(played, code=1), task().id)
    assert found["games"]["differing"] == 100
    assert any("describes another task than task.json does" in problem for problem in found["problems"])


def test_a_part_that_is_cut_short_does_not_hide_the_others(played: Path) -> None:
    path = part(played, "games", 100)
    path.write_bytes(path.read_bytes()[:-100])
    found = verdicts(played, code=1)
    one, other = of(found, task().id), of(found, task(MATCH, "random").id)
    assert any("bytes, not the" in problem for problem in one["problems"])
    assert any("is damaged or cut short" in problem for problem in one["problems"])
    assert one["games"]["replayed"] == 150
    assert (other["verdict"], other["games"]["replayed"]) == ("same", 130)


@pytest.mark.parametrize("key", ["digest", "wins", "table_sums"])
def test_a_sum_that_was_changed_is_found(summed: Path, key: str) -> None:
    path = part(summed, "summary", 200)
    about = json.loads(path.read_text())
    about["summary"][key] = {"digest": 5, "wins": [[9] * 4] * 4, "table_sums": {}}[key]
    path.write_text(json.dumps(about))
    found = of(verdicts(summed, "--games", "10", code=1), task().id)
    assert any(f"are not what its games come to: {key}" in problem for problem in found["problems"])


def test_a_tally_that_was_changed_is_found(summed: Path) -> None:
    path = part(summed, "tallies", 200)
    table = pq.read_table(path)
    values = table["values"].to_pylist()
    values[3][-1] += 1
    pq.write_table(pa.table([table["name"], pa.array(values, table.schema.field("values").type)], schema=table.schema), path)
    name = table["name"][3].as_py()
    found = of(verdicts(summed, "--games", "10", code=1), task().id)
    assert any(f"are not what its games come to: {name!r} differs" in problem for problem in found["problems"])


def test_sums_may_be_older_than_a_measure_but_not_without_what_all_have(summed: Path) -> None:
    path = part(summed, "tallies", 200)
    whole = path.read_bytes()
    for name, problems, notes in (("bumps counted", 0, 1), ("winning moves", 1, 0)):
        path.write_bytes(whole)
        table = pq.read_table(path)
        pq.write_table(table.filter(pa.array([each != name for each in table["name"].to_pylist()])), path)
        (summed / task().id / "manifest.json").unlink(missing_ok=True)
        found = of(verdicts(summed, "--games", "10", code=problems), task().id)
        assert len([each for each in found["problems"] if f"lacks {name!r}" in each]) == problems
        assert len([each for each in found["notes"] if "was written before there was 'bumps' to be summed up" in each]) == notes


def test_a_manifest_that_is_gone_is_noted_and_one_of_another_task_found(played: Path) -> None:
    home = played / task().id
    (home / "manifest.json").rename(played / "kept.json")
    assert of(verdicts(played, code=0), task().id)["notes"] == ["there is no manifest.json to compare files with"]
    shutil.copy(played / task(MATCH, "random").id / "manifest.json", home / "manifest.json")
    assert "manifest.json is that of another task" in of(verdicts(played, code=1), task().id)["problems"]


def test_another_version_is_told_whether_its_games_differ_or_not(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games.load("classic"), "VERSION", games.load("classic").VERSION + 1)
    found = verdicts(played, code=0)
    assert all(each["verdict"] == "same" for each in found["tasks"])
    assert "of the game classic; it is" in found["tasks"][0]["notes"][0]


def test_packages_of_other_versions_are_told(played: Path) -> None:
    path = played / task().id / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["runs"][-1]["versions"]["numpy"] = "1.0"
    path.write_text(json.dumps(manifest))
    assert "last written with numpy 1.0 (now " in of(verdicts(played, code=0), task().id)["notes"][0]


# -- what cannot be replayed -----------------------------------------------------------------------


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "seed": (lambda about: about.update(seed=2), "describes a task with the id"),
    "weight": (lambda about: about["policies"][0]["weights"].update(home=1e9), "home = 1000000000.0 is not allowed"),
    "feature": (lambda about: about["policies"][0]["weights"].update(hoem=1.0), "there is no such feature"),
    "habit": (lambda about: about["policies"][0]["weights"].update(playouts=1e30), "playouts = "),
    "function": (lambda about: about["policies"][0]["weights"].update(asks=5.0), "is a function in Python"),
    "option": (lambda about: about["ruleset"]["rules"].update(pwans=3), "pwans"),
    "value": (lambda about: about["ruleset"]["rules"].update(pawns=10**30), "pawns"),
    "game": (lambda about: about.update(game="chess"), "this version has no game 'chess'"),
    "players": (lambda about: about.update(players=4.0), "does not describe a task as simsorry does"),
    "gauge": (lambda about: about.update(gauge={"weights": ["a"], "order": 1, "check": None}), "does not describe a task"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_task_that_is_not_what_it_says_is_not_replayed(name: str) -> None:
    change, why = CHANGES[name]
    about = json.loads(json.dumps(task().describe()))
    change(about)
    (found,) = verifying.plan([Stored(task().id, Path("nowhere"), about, "rows", {}, {0: PART})], None, 1).tasks
    assert (found.word, why in found.because) == ("cannot be replayed", True), found.because


def test_a_newer_format_is_left_to_newer_versions(played: Path) -> None:
    path = played / task().id / "task.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 999}))
    found = verdicts(played, code=5)
    assert "newer version" in of(found, task().id)["because"]
    assert of(found, task(MATCH, "random").id)["verdict"] == "same"
    assert "1 of 2 tasks could not be replayed" in simsorry_says("verify", str(played), "--quiet").stderr


def test_files_of_a_task_that_cannot_be_replayed_are_still_compared(played: Path) -> None:
    path = played / task().id / "task.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "seed": 2}))
    found = of(verdicts(played, code=1), task().id)
    assert "describes a task with the id" in found["because"]
    assert found["games"]["replayed"] == 0
    assert any("describes another task than task.json does" in problem for problem in found["problems"])


def test_functions_in_python_are_not_run_for_strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of results could name any file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def choose(asked):\n    return asked.outcomes[0]\n")
    asked = Task(rulesets.load("hasbro"), 2, policies.line_up(["./mine.py:choose", "random"], 2), 1)
    path = tmp_path / "runs" / asked.id
    path.mkdir(parents=True)
    about = {**asked.describe(), "results": {"keep": "rows", "part_games": PART, "columns": {"games": [], "seats": []}}}
    (path / "task.json").write_text(json.dumps(about))
    (tmp_path / "mine.py").write_text("raise RuntimeError('run')\n")
    assert "is a function in Python" in verdicts(tmp_path / "runs", code=5)["tasks"][0]["because"]


# -- the sample ------------------------------------------------------------------------------------


def many_parts(parts: int, keep: str = "rows") -> Stored:
    about = json.loads(json.dumps(task().describe()))
    return Stored(task().id, Path("nowhere"), about, keep, {}, {PART * at: PART for at in range(parts)})


def test_games_are_drawn_from_ten_thousand_parts_as_from_one() -> None:
    drawn = verifying.plan([many_parts(10_000)], 2_000, 5)
    assert (drawn.games, drawn.drawn, drawn.runs) == (2_000, 200, 100_000)
    (pieces,) = drawn.pieces
    assert len(pieces) > 190
    assert all(piece.first_game <= run.start < run.stop <= piece.first_game + PART for piece in pieces for run in piece.runs)
    middle = np.median([piece.first_game for piece in pieces])
    assert 0.35 < middle / (10_000 * PART) < 0.65


def test_every_task_is_looked_at() -> None:
    small = many_parts(1)._replace(id="small")
    found = verifying.plan([many_parts(1_000), small], 100, 1)
    assert [sum(piece.wanted for piece in pieces) >= verifying.RUN for pieces in found.pieces] == [True, False]  # the id is not its own
    same = task(seed=2)
    small = Stored(same.id, Path("nowhere"), json.loads(json.dumps(same.describe())), "rows", {}, {0: 25})
    found = verifying.plan([many_parts(1_000), small], 100, 1)
    assert [sum(piece.wanted for piece in pieces) for pieces in found.pieces] == [100, 10]
    assert (found.drawn, found.runs) == (10, 10_003)  # what was added says nothing of the others


def test_runs_at_the_end_of_a_part_are_short() -> None:
    stored = many_parts(1)._replace(parts={0: PART, PART: 25})
    everything = verifying.plan([stored], 10**6, 1)
    assert everything.games == 125
    assert all(piece.whole for piece in everything.pieces[0])
    numbers = {number for piece in verifying.plan([stored], 120, 1).pieces[0] for run in piece.runs for number in run}
    assert numbers <= set(range(125))
    assert 110 < len(numbers) <= 120


def test_stopping_leaves_the_rest_unsaid(played: Path) -> None:
    stop = threading.Event()
    plan = verifying.plan(results.tasks(played), None, 1)
    assert not plan.replay(threads=1, stop=stop, on_games=lambda _: stop.set())
    assert 0 < sum(each.games for each in plan.tasks) < 380
    assert sorted(each.word for each in plan.tasks) == ["not replayed", "same"]


def test_a_task_without_games_is_not_called_the_same(played: Path) -> None:
    for path in (played / task().id).glob("*/part-*"):
        path.unlink()
    found = of(verdicts(played, code=5), task().id)
    assert (found["verdict"], found["games"]["stored"]) == ("not replayed", 0)
    assert "the next run plays its games again" in found["notes"][0]


# -- tasks made again ------------------------------------------------------------------------------

LINE_UPS = ["random", "tuned~random_from=0.5", "balanced~mistakes=0.1", "balanced~playouts=10~horizon=0~breadth=0~spread=0.5"]


def test_every_ruleset_is_made_again_from_its_description() -> None:
    chance = random.Random(1)
    for name in rulesets.names():
        ruleset = rulesets.load(name)
        line_up = policies.line_up([chance.choice(LINE_UPS)], 4, ruleset.game)
        gauge = Gauge((1, -2, 3, 4), 2) if chance.random() < 0.5 else None
        made = Task(ruleset, 4, line_up, 2**64 - 1, gauge)
        about = json.loads(json.dumps(made.describe()))
        again = rebuild(Stored(made.id, Path("nowhere"), about, "rows", {}, {}))
        assert (again.id, again.describe()) == (made.id, made.describe())


def test_an_earlier_format_has_its_own_id() -> None:
    about = json.loads(json.dumps(task().describe()))
    then = task().id_as_of(2, about["version"])
    assert then != task().id
    assert rebuild(Stored(then, Path("nowhere"), {**about, "format": 2, "id": then}, "rows", {}, {})).id == task().id
    with pytest.raises(SimsorryError, match="it was edited"):
        rebuild(Stored(task().id, Path("nowhere"), {**about, "format": 2}, "rows", {}, {}))


# -- the command -----------------------------------------------------------------------------------


def test_a_study_is_looked_at_as_far_as_it_holds_games(tmp_path: Path) -> None:
    home = tmp_path / "study"
    results.run(task(), 30, out=home / "games")
    (home / "report").mkdir()
    kept = home / "panel" / "0123456789abcdef-balanced-2.kept"
    panel._write(kept, {"wins": np.arange(3.0)})
    text = said("verify", str(home), "--quiet")
    assert "1 file of a panel: as written; the games are not replayed." in " ".join(text.split())
    assert "Not looked at: report." in text
    kept.write_bytes(kept.read_bytes()[:-1])
    document = verdicts(home, code=1)
    assert document["panel"] == {"files": 1, "not_as_written": [f"panel/{kept.name}"]}
    shutil.rmtree(home / "games")
    assert verdicts(home, code=1)["tasks"] == []


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (("nowhere",), 4, "does not exist"),
        ((".",), 4, "holds no results of simsorry"),
        ((".", "--games", "0"), 2, "--games 0"),
        ((".", "--games", "5", "--all"), 2, "can't be given together"),
        ((".", "--seed", "x"), 2, "--seed x"),
    ],
)
def test_what_makes_no_sense_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = simsorry_says("verify", *arguments)
    assert done.exit_code == code
    assert why in done.stderr
    assert len(done.stderr.splitlines()) == 1
