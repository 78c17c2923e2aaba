"""Files that were cut short, emptied, altered or swapped, and those of other versions: advice that helps, and no wrong number."""

import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fakegame
import pytest
from cli_tools import said, simsorry_says
from fault_tools import content, hidden

from simsorry import results, simulate
from simsorry.errors import INVALID, SimsorryError
from simsorry.results import export
from simsorry.simulate import FORMAT

PART = 100
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda _: b"",
    "cut short": lambda data: data[: len(data) // 2],
    "bit flipped": lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :],
    "foreign": lambda _: b"notes of mine\n" * 20,
    "other JSON": lambda _: b'{"a": [1, 2]}',
}
RARER = ("emptied", "foreign", "other JSON")
FILES = ["games", "seats", "tallies", "summary", "task.json"]


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fakegame.patch(monkeypatch)
    monkeypatch.setattr(simulate, "PART_GAMES", PART)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with 150 games."""
    out = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        fakegame.patch(patch)
        patch.setattr(simulate, "PART_GAMES", PART)
        run(out)
    return out


@pytest.fixture
def out(whole: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(whole, tmp_path / "out")
    return tmp_path / "out"


def run(out: Path, **options: Any) -> results.Outcome:
    return results.run(fakegame.task(), 150, out=out, threads=1, block_games=50, **options)


def file_of(out: Path, name: str) -> Path:
    return next(out.glob(f"*/{name}")) if name.endswith(".json") else next(out.glob(f"*/{name}/part-000000000000-*"))


def exported(out: Path) -> None:
    export.write(export.Wanted(results.tasks(out)), out.parent / "export", stop=threading.Event(), on_games=lambda _: None)


def reported(out: Path) -> None:
    """All that a report reads."""
    from simsorry.cli.compare import make_judging
    from simsorry.report.gather import read, short_names

    (task,) = results.tasks(out)
    watch = SimpleNamespace(stop=threading.Event(), games=lambda _: None)
    assert read([task], range(150), short_names(["fake"]), make_judging([], 15.0), stop=watch.stop, on_games=watch.games)


READERS: dict[str, tuple[Callable[[Path], object], set[str]]] = {  # and what they read
    "run": (run, set(FILES)),
    "report": (reported, {"tallies", "task.json"}),
    "export": (exported, {"games", "seats", "summary", "task.json"}),
    "read_games": (results.read_games, {"games", "task.json"}),
    "read_seats": (results.read_seats, {"seats", "task.json"}),
    "read_summary": (results.read_summary, {"summary", "task.json"}),
}


@pytest.mark.parametrize("damage", ["cut short", "bit flipped", *(pytest.param(each, marks=pytest.mark.slow) for each in RARER)])
@pytest.mark.parametrize("name", FILES)
def test_no_reader_takes_a_damaged_file_for_whole_and_the_advice_helps(whole: Path, out: Path, name: str, damage: str) -> None:
    path = file_of(out, name)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    for reader, (read, needed) in READERS.items():
        if name in needed:
            with pytest.raises(SimsorryError) as raised:
                read(out)
            assert raised.value.exit_code == INVALID, reader
            assert str(path) in str(raised.value)
            assert "delete it" in str(raised.value)
        else:
            read(out)  # what it does not read is none of its business
    assert not (out.parent / "export").exists() or name == "tallies"
    path.unlink()
    assert run(out).played == (0 if name == "task.json" else PART)
    assert parts(out) == parts(whole)


def parts(out: Path) -> dict[str, str]:
    return {name: digest for name, digest in content(out).items() if not name.endswith(("manifest.json", ".lock"))}


@pytest.mark.parametrize("name", ["summary", "task.json"])
def test_a_number_that_was_changed_is_noticed(out: Path, name: str) -> None:
    path = file_of(out, name)
    text = path.read_text(encoding="utf-8")
    was, is_now = ('"turns": [', '"turns": [1') if name == "summary" else ('"turn_cap": 900', '"turn_cap": 901')
    assert was in text
    path.write_text(text.replace(was, is_now, 1), encoding="utf-8")
    for read in (exported, results.read_summary):
        with pytest.raises(SimsorryError, match=f"{path.name}.*delete it"):
            read(out)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_manifest_is_made_anew(out: Path, damage: str) -> None:
    path = file_of(out, "manifest.json")
    before = json.loads(path.read_bytes())["parts"]
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    for read, _ in READERS.values():
        read(out)
    assert run(out).played == 0
    assert json.loads(path.read_bytes())["parts"] == before


def altered(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    document = json.loads(path.read_bytes())
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [
        lambda manifest: manifest.pop("format"),
        lambda manifest: manifest.pop("runs"),
        lambda manifest: manifest.pop("task"),
        lambda manifest: manifest.update(task="0123456789abcdef"),
        lambda manifest: manifest.update(parts={"games": []}),
        lambda manifest: manifest.update(runs=[{"versions": 3}]),
        lambda manifest: manifest["parts"][0].pop("sha256"),
        lambda manifest: manifest["parts"][0].update(file=["games"]),
        lambda manifest: manifest.update(format="4"),
    ],
)
def test_a_manifest_that_lacks_something_is_made_anew(out: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path, told = file_of(out, "manifest.json"), []  # type: ignore[var-annotated]
    before = json.loads(path.read_bytes())["parts"]
    altered(path, change)
    assert run(out, say=told.append).played == 0
    assert told == [f"{path} cannot be read and is made anew from the parts that are whole"]
    assert json.loads(path.read_bytes())["parts"] == before


def test_a_manifest_that_says_more_is_no_hindrance(out: Path) -> None:
    altered(file_of(out, "manifest.json"), lambda manifest: manifest.update(more={"a": 1}))
    assert run(out).played == 0


def test_a_newer_manifest_is_left_alone(out: Path) -> None:
    path = file_of(out, "manifest.json")
    altered(path, lambda manifest: manifest.update(format=FORMAT + 1))
    before = path.read_bytes()
    with pytest.raises(SimsorryError, match="was written by a newer version of simsorry: upgrade to add to it"):
        run(out)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        lambda about: about.pop("seed"),
        lambda about: about.update(policies=3),
        lambda about: about.update(ruleset=[]),
        lambda about: about.pop("results"),
        lambda about: about.update(results=[1]),
        lambda about: about.update(players=3),
        lambda about: about.update(id="0123456789abcdef"),
    ],
)
def test_a_description_of_something_else_is_refused_with_advice_that_helps(out: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = file_of(out, "task.json")
    altered(path, change)
    for read in (run, reported, exported, results.read_games):
        with pytest.raises(SimsorryError, match="delete it"):
            read(out)
    path.unlink()
    assert run(out).played == 0


def test_a_description_that_says_more_or_calls_things_otherwise_is_read(out: Path) -> None:
    path = file_of(out, "task.json")
    altered(path, lambda about: about.update(more=[1]))
    altered(path, lambda about: about["ruleset"].update(title="As it is called now"))
    assert run(out).played == 0
    assert len(results.read_games(out)) == 150


def test_a_newer_description_is_not_read(out: Path) -> None:
    altered(file_of(out, "task.json"), lambda about: about.update(format=FORMAT + 1))
    for read in (reported, exported, results.read_games):
        with pytest.raises(SimsorryError, match="was written by a newer version of simsorry: upgrade to read it"):
            read(out)


def test_strangers_spoil_nothing(out: Path) -> None:
    (task,) = (path for path in out.iterdir() if path.is_dir())
    for name in ("part-000000000007-10.parquet", "part-000000000000-0.parquet", "part-0-100.parquet", "notes.txt", ".part-x"):
        (task / "games" / name).write_bytes(b"mine")
    (task / "games" / "folder").mkdir()
    (out / "mine").mkdir()
    (out / "mine" / "task.json").write_text("not of simsorry", encoding="utf-8")
    (out / "list.txt").write_text("mine", encoding="utf-8")
    before = parts(out)
    for read, _ in READERS.values():
        read(out)
    assert parts(out) == before


# -- files that are edited -------------------------------------------------------------------------

RULES = 'title = "Mine"\nextends = "hasbro"\n[rules]\nslides = "{slides}"\n'


@pytest.mark.parametrize("what", ["ruleset", "policy"])
def test_who_adds_games_of_an_edited_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.undo()  # a real game
    rules, policy, out = tmp_path / "mine.toml", tmp_path / "mild.toml", tmp_path / "out"
    rules.write_text(RULES.format(slides="all"), encoding="utf-8")
    policy.write_text('title = "Mild"\n[weights]\nbumps = 1.0\n', encoding="utf-8")
    play = ["run", str(rules), "--policy", str(policy), "--games", "30", "--out", str(out), "--no-progress"]
    said(*play)
    (first,) = out.iterdir()
    said(*play)  # nothing to tell
    before = content(first)
    if what == "ruleset":
        rules.write_text(RULES.format(slides="off"), encoding="utf-8")
    else:
        policy.write_text('title = "Mild"\n[weights]\nbumps = 2.0\n', encoding="utf-8")
    again = simsorry_says(*play)
    assert again.exit_code == 0
    (second,) = set(out.iterdir()) - {first}
    edited = rules if what == "ruleset" else policy
    assert again.stderr == f"note: {first} holds games of {edited} before it was edited; new ones go to {second}\n"
    assert content(first) == before
    assert not hidden(out)


def test_a_file_that_is_edited_or_removed_during_a_run_counts_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    rules = tmp_path / "mine.toml"
    rules.write_text(RULES.format(slides="off"), encoding="utf-8")
    play = ["run", str(rules), "--games", "60", "--quiet", "--block", "20", "--threads", "1", "--out"]
    said(*play, str(tmp_path / "quiet"))
    real = results.Store.add

    def add(store: results.Store, *block: Any) -> None:
        rules.unlink(missing_ok=True)
        real(store, *block)

    monkeypatch.setattr(results.Store, "add", add)
    said(*play, str(tmp_path / "edited"))
    assert not rules.exists()
    assert parts(tmp_path / "edited") == parts(tmp_path / "quiet")
