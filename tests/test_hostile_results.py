"""Result folders in which somebody has changed what the files say: other types, other numbers, other columns, names of other places."""

import copy
import itertools
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hostile_tools import CAMPAIGN, FEW, demand, nested, snapshot, values
from hypothesis import given, settings
from hypothesis import strategies as st

from simsorry.results import parts

RUN = ("run", "hasbro", "--players=2", "--games=40", "--quiet")
RARE = settings(FEW, max_examples=CAMPAIGN or 2)  # each is answered by four verbs
pytestmark = pytest.mark.usefixtures("sketched")


class Results:
    """A folder of results, which can be had again as it was."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        assert not demand(*RUN, f"--out={folder / 'in'}").code
        (self.task,) = (path.parent for path in folder.rglob("task.json"))
        self.whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def restore(self) -> None:
        shutil.rmtree(self.root)
        for path, data in self.whole.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def find(self, pattern: str) -> Path:
        return next(path for path in sorted(self.whole) if path.match(pattern))

    def demand(self) -> None:
        """Of all that reads results: an answer or a sentence, and nothing written elsewhere."""
        around = self.root.parent / "around"
        around.mkdir(exist_ok=True)
        (around / "mine").write_text("mine")
        out = self.root / "out"
        demand("verify", "--quiet", "--games=1", str(self.root / "in"))
        demand("export", "--quiet", str(self.root / "in"), f"--out={out / 'export'}")
        demand("report", "--quiet", str(self.root / "in"), f"--out={out / 'report'}")
        demand(*RUN, f"--out={self.root / 'in'}")
        assert {each.name for each in self.root.iterdir()} <= {"in", "out"}
        assert {each.name for each in out.iterdir()} <= {"export", "report"} if out.exists() else True
        assert {path.name for path in self.root.parent.iterdir()} == {self.root.name, "around"}
        assert snapshot(around) == {"mine": b"mine"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return Results(tmp_path_factory.mktemp("results") / "here")


@pytest.fixture
def results(made: Results) -> Iterator[Results]:
    made.restore()
    yield made
    made.restore()


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of everything in a JSON document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
    for key, item in items:
        yield from places_in(item, (*path, key))


def with_value(document: Any, path: tuple[Any, ...], value: Any, gone: bool = False) -> Any:
    """The document with something else in one place, or nothing."""
    if not path:
        return value
    document = copy.deepcopy(document)
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    if gone:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return document


odd = values | st.sampled_from(
    [None, "../../../etc/passwd", "/etc/passwd", "../around/mine", [], {}, [None], {"": None}, -(2**63), 2**63, 1e308, nested(200)]
)
SAID = ("task.json", "manifest.json", "summary/*.json")


@pytest.mark.parametrize("pattern", SAID)
@RARE
@given(data=st.data())
def test_json_that_says_anything_is_read_or_refused(made: Results, pattern: str, data: st.DataObject) -> None:
    made.restore()
    file = made.find(pattern)
    document = json.loads(made.whole[file])
    path = data.draw(st.sampled_from(list(places_in(document))))
    changed = with_value(document, path, data.draw(odd), gone=bool(path) and data.draw(st.booleans()))
    file.write_text(json.dumps(changed))
    made.demand()


def other_type(column: Any, data: st.DataObject) -> Any:
    """A column as another type, with other values, or with none."""
    rows = len(column)
    kind = data.draw(st.sampled_from(["text", "float", "nan", "big", "negative", "null", "list", "bool", "time", "bytes", "cut"]))
    kinds: dict[str, Callable[[], Any]] = {
        "text": lambda: pa.array(["../../x"] * rows),
        "float": lambda: pa.array([0.5] * rows),
        "nan": lambda: pa.array([float("nan")] * rows),
        "big": lambda: pa.array([2**63 - 1] * rows),
        "negative": lambda: pa.array([-1] * rows),
        "null": lambda: pa.nulls(rows),
        "list": lambda: pa.array([[[1]]] * rows),
        "bool": lambda: pa.array([True] * rows),
        "time": lambda: pa.array([2**62] * rows, pa.timestamp("ns")),
        "bytes": lambda: pa.array([b"\xff"] * rows),
        "cut": lambda: column,
    }
    return kinds[kind]()


@pytest.mark.parametrize("pattern", ["games/*.parquet", "seats/*.parquet", "tallies/*.parquet"])
@RARE
@given(data=st.data())
def test_tables_of_anything_are_read_or_refused(made: Results, pattern: str, data: st.DataObject) -> None:
    made.restore()
    file = made.find(pattern)
    table = pq.read_table(file)
    metadata = table.schema.metadata
    at = data.draw(st.integers(0, table.num_columns - 1))
    name = data.draw(st.sampled_from([table.column_names[at]] * 4 + ["other", "", "../x", "game"]))
    table = table.set_column(at, name, other_type(table[at], data))
    rows = data.draw(st.sampled_from([None, None, 0, 1, table.num_rows - 1]))
    table = table if rows is None else table.slice(0, rows)
    if data.draw(st.integers(0, 4)) == 0:
        about = json.loads(metadata[b"simsorry"])
        path = data.draw(st.sampled_from(list(places_in(about))))
        metadata = {b"simsorry": json.dumps(with_value(about, path, data.draw(odd))).encode()}
    pq.write_table(table.replace_schema_metadata(metadata), file)
    made.demand()


@RARE
@given(data=st.data())
def test_tallies_of_anything_are_read_or_refused(made: Results, data: st.DataObject) -> None:
    made.restore()
    file = made.find("tallies/*.parquet")
    table = pq.read_table(file)
    names, vectors = table["name"].to_pylist(), table["values"].to_pylist()
    at = data.draw(st.integers(0, len(names) - 1))
    change = data.draw(st.sampled_from(["name", "double", "empty", "long", "huge", "negative", "none"]))
    if change == "name":
        names[at] = data.draw(st.sampled_from(["", "../x", "games", names[0], "x" * 1000]))
    elif change == "double":
        names, vectors = [*names, names[at]], [*vectors, vectors[at]]
    else:
        long = vectors[at] * 3 + [1]
        vectors[at] = {
            "empty": [],
            "long": long,
            "huge": [2**63 - 1] * len(vectors[at]),
            "negative": [-(2**63)] * len(vectors[at]),
            "none": None,
        }[change]
    made_of = pa.table({"name": names, "values": pa.array(vectors, table.schema.field("values").type)})
    pq.write_table(made_of.replace_schema_metadata(table.schema.metadata), file)
    made.demand()


@pytest.mark.parametrize("many", [100_000, pytest.param(150_000_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("table", ["games", "seats", "tallies"])
def test_a_small_file_that_unpacks_to_very_many_numbers_is_refused(
    results: Results, table: str, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "MOST_NUMBERS", min(parts.MOST_NUMBERS, many - 1))
    file = results.find(f"{table}/*.parquet")
    zeros = pa.array(np.zeros(many, np.int8))
    column = pa.ListArray.from_arrays(pa.array([0, many], pa.int32()), zeros)
    bomb = pa.table({"name": ["x"], "values": column} if table == "tallies" else {"game": zeros})
    pq.write_table(bomb.replace_schema_metadata(pq.read_schema(file).metadata), file, compression="zstd")
    assert file.stat().st_size < 1_000_000
    said = demand("verify", "--quiet", str(results.root / "in"), codes=(1,))
    assert f"{file.name} holds more than {parts.MOST_NUMBERS:,} numbers" in " ".join(said.out.split())  # which may be broken into lines


def strange() -> Iterator[Any]:
    """What stands in the place of which file; all that is tried now and then, and a pipe every time."""
    for kind, pattern in itertools.product(("pipe", "zero", "folder", "circle", "sparse"), (*SAID, "games/*.parquet", "tallies/*.parquet")):
        often = kind == "pipe" and pattern in ("task.json", "games/*.parquet")
        yield pytest.param(kind, pattern, marks=[] if often else pytest.mark.slow)


@pytest.mark.parametrize(("kind", "pattern"), list(strange()))
def test_what_is_no_ordinary_file_is_refused_at_once(results: Results, kind: str, pattern: str) -> None:
    file = results.find(pattern)
    file.unlink()
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    elif kind == "sparse":
        with open(file, "wb") as sparse:
            sparse.truncate(1 << 30)
    else:
        file.symlink_to(file.name if kind == "circle" else "/dev/zero")
    results.demand()


def test_a_manifest_that_lists_a_file_of_another_place_touches_nothing_there(results: Results) -> None:
    file = results.find("manifest.json")
    manifest = json.loads(file.read_bytes())
    for entry in manifest["parts"]:
        entry["file"] = "../../../around/mine"
    file.write_text(json.dumps(manifest))
    results.demand()


def test_a_part_that_says_it_is_of_another_task_is_refused(results: Results) -> None:
    file = results.find("games/*.parquet")
    table = pq.read_table(file)
    about = json.loads(table.schema.metadata[b"simsorry"])
    about["task"]["seed"] = 2
    pq.write_table(table.replace_schema_metadata({b"simsorry": json.dumps(about).encode()}), file)
    assert file.name in demand("verify", "--quiet", str(results.root / "in"), codes=(1,)).out
