"""One part of a task: its name, its bytes, what it says about itself, and reading it back."""

import json
import re
from collections.abc import Mapping, Sequence, Sized
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simsorry import __version__, simulate
from simsorry.errors import INVALID, SimsorryError
from simsorry.results.described import check_summary
from simsorry.results.files import check_ordinary, damaged, read_bytes, read_json, sizes_in
from simsorry.results.places import is_elsewhere
from simsorry.simulate import FORMAT, Block, part_of
from simsorry.summary import Summary
from simsorry.tally import Kept, stored_chunk
from simsorry.toml import shorten

TABLES: dict[str, tuple[str, ...]] = {"rows": ("games", "seats", "tallies", "summary"), "summary": ("tallies", "summary")}  # as written
MOST_NUMBERS = 1 << 27  # in a parquet file: a gigabyte of memory
_TALLIES_SINCE = 3  # the format that first had them
_PART_NAME = re.compile(r"part-(\d+)-(\d+)\.(?:parquet|json)")
_METADATA = b"simsorry"


def part_name(table: str, first_game: int, games: int) -> str:
    """Path of a part inside its task's folder."""
    return f"{table}/part-{first_game:012d}-{games}.{'json' if table == 'summary' else 'parquet'}"


def whole_parts(folder: Path, keep: str, stored_as: int = FORMAT) -> dict[int, int]:
    """First game to number of games of the parts of a task that are there with all their tables, in order."""
    tables = [table for table in TABLES[keep] if table != "tallies" or stored_as >= _TALLIES_SINCE]
    named = [set(listed(folder / table, keep).values()) for table in tables]
    longest: dict[int, int] = {}
    for first_game, games in sorted(set.intersection(*named)):
        longest[first_game] = games  # sorted: of the same first game, the longest comes last
    return longest


def listed(folder: Path, keep: str) -> dict[str, tuple[int, int]]:
    """First game and number of games of each part in a table's folder by its name; whatever else is there is not ours."""
    parts = {}
    for name in sizes_in(folder):
        if match := _PART_NAME.fullmatch(name):
            first_game, games = map(int, match.groups())
            part = part_of(first_game, sums_only=keep == "summary")
            if first_game == part.start and 0 < games <= len(part) and name == Path(part_name(folder.name, first_game, games)).name:
                parts[name] = first_game, games
    return parts


def same_task(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two descriptions agree in all that decides how games go, as far as both know of it: later versions may know more options.

    They may differ in names, titles and other words.
    """
    try:
        rules, others = (each["ruleset"]["rules"] for each in (one, other))
        return (
            all(one[key] == other[key] for key in ("id", "format", "game", "version", "players", "seat_colors", "seed"))
            and one["ruleset"]["hash"] == other["ruleset"]["hash"]
            and all(rules[option] == others[option] for option in rules.keys() & others.keys())
            and [policy["weights"] for policy in one["policies"]] == [policy["weights"] for policy in other["policies"]]
        )
    except (KeyError, TypeError, AttributeError):
        return False


def part_sizes(keep: str) -> int | list[int]:
    """What is said of the games of parts: their number, or the number of the first ones and how many times larger later ones are."""
    return simulate.PART_GAMES if keep == "rows" else [simulate.PART_GAMES, simulate.PART_GROWTH]


def are_first(parts: Mapping[int, int]) -> bool:
    """Whether all parts, by first game, are as large as parts of rows, whatever is kept."""
    return max(parts, default=0) < simulate.PART_GAMES * simulate.PART_GROWTH


def header(description: dict[str, Any], table: str, first_game: int, games: int) -> dict[str, Any]:
    """What a part says about itself: nothing of time or machine, so that the same task gives the same bytes."""
    return {
        "format": FORMAT,
        "package": __version__,
        "table": table,
        "first_game": first_game,
        "games": games,
        "task": description,
    }


def encode(columns: dict[str, NDArray[Any]], meanings: dict[str, str], about: dict[str, Any]) -> memoryview:
    """A table as the bytes of a parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [
        pa.field(name, pa.from_numpy_dtype(column.dtype), nullable=False, metadata={"meaning": meanings[name]})
        for name, column in columns.items()
    ]
    schema = pa.schema(fields, metadata={_METADATA: json.dumps(about, ensure_ascii=False)})
    wide = {name: "BYTE_STREAM_SPLIT" for name, column in columns.items() if column.dtype.itemsize > 1}
    out = pa.BufferOutputStream()
    # Measured on these columns: smaller and faster than dictionaries; statistics on the game number let readers skip parts.
    pq.write_table(
        pa.Table.from_arrays([_array(column) for column in columns.values()], schema=schema),
        out,
        compression="zstd",
        compression_level=1,
        use_dictionary=False,
        column_encoding=wide,
        write_statistics=["game"],
        write_page_checksum=True,
    )
    return memoryview(out.getvalue())


def encode_vectors(vectors: Mapping[str, NDArray[np.int64]], about: dict[str, Any]) -> memoryview:
    """Vectors of whole numbers as the bytes of a parquet file with a row for each."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = [name.encode() for name in vectors]
    text = pa.Array.from_buffers(pa.string(), len(names), [None, pa.py_buffer(_ends(names)), pa.py_buffer(b"".join(names))])
    values = pa.ListArray.from_arrays(_array(_ends(list(vectors.values()))), _array(np.concatenate(list(vectors.values()))))
    schema = pa.schema([("name", text.type), ("values", values.type)], metadata={_METADATA: json.dumps(about, ensure_ascii=False)})
    out = pa.BufferOutputStream()
    table = pa.Table.from_arrays([text, values], schema=schema)
    pq.write_table(table, out, compression="zstd", use_dictionary=False, write_statistics=False, write_page_checksum=True)
    return memoryview(out.getvalue())


def _ends(pieces: Sequence[Sized]) -> NDArray[np.int32]:
    """Where pieces begin that are laid end to end, and where the last one ends."""
    return np.cumsum([0, *map(len, pieces)], dtype=np.int32)


def _array(column: NDArray[Any]) -> Any:
    """The column as an arrow array over the same memory; ``pyarrow.array`` would do, but loads pandas, which takes half a second."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.from_numpy_dtype(column.dtype), len(column), [None, pa.py_buffer(column)])


def decode(path: Path, columns: Sequence[str] | None = None) -> Any:
    """Reads a parquet part as a pyarrow table of the columns that it has; raises SimsorryError naming it if it is damaged."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(source(path), page_checksum_verification=True) as file:
            _check_size(path, file.metadata)
            there = [name for name in columns if name in file.schema_arrow.names] if columns is not None else None
            return _checked(path, file.read(there))
    except FileNotFoundError as error:
        raise SimsorryError(f"{path} vanished while it was about to be read: a run may be extending it, so try again", INVALID) from error
    except (pa.ArrowException, OSError, ValueError) as error:
        raise damaged(path, "is damaged or cut short") from error


def _checked(path: Path, table: Any) -> Any:
    """A part's table, if it holds whole numbers: one a row, or a named vector of them a row."""
    from pyarrow import types

    if len(set(table.column_names)) < table.num_columns:
        raise damaged(path, "has two columns of the same name")
    for field, column in zip(table.schema, table.columns, strict=True):
        whole = types.is_integer(field.type)
        vectors = types.is_list(field.type) and types.is_int64(field.type.value_type)
        named = field.name == "name" and types.is_string(field.type)
        if not (whole or vectors or named) or column.null_count:
            raise damaged(path, f"does not hold whole numbers in its column {shorten(field.name)}")
    return table


def _check_size(path: Path, about: Any) -> None:
    """Refuses a small file that unpacks to more numbers than any part has."""
    groups = (about.row_group(at) for at in range(about.num_row_groups))
    if sum(group.column(at).num_values for group in groups for at in range(group.num_columns)) > MOST_NUMBERS:
        raise damaged(path, f"holds more than {MOST_NUMBERS:,} numbers, and no part does")


def header_of(path: Path) -> dict[str, Any]:
    """What a part says about itself; raises SimsorryError if it cannot be read or is not one of ours."""
    if path.suffix == ".json":
        return read_json(path)
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(source(path))
        header = json.loads(schema.metadata[_METADATA])
    except (pa.ArrowException, OSError) as error:
        raise damaged(path, "is damaged or cut short") from error
    except (KeyError, TypeError, ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or not isinstance(header.get("task"), dict):
        raise SimsorryError(f"{path} was not written by simsorry: move it elsewhere")
    return header


def source(path: Path) -> Any:
    """What pyarrow reads a file from."""
    if not is_elsewhere(path):
        check_ordinary(path)
        return path
    import pyarrow as pa

    return pa.BufferReader(read_bytes(path))


def read_block(folder: Path, first_game: int, games: int) -> Block:
    """The rows of a stored part."""
    tables = [decode(folder / part_name(table, first_game, games)) for table in ("games", "seats")]
    columns = [{name: table[name].to_numpy() for name in table.column_names if name not in ("game", "seat")} for table in tables]
    return Block(columns[0], columns[1], first_game)


def read_summary(folder: Path, first_game: int, games: int) -> Summary:
    """The sums of a stored part."""
    path = folder / part_name("summary", first_game, games)
    try:
        said = read_json(path)["summary"]
        check_summary(said, games)
        summary = Summary.from_json(said)
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(path, "is not a summary that this version reads") from error
    return summary


def read_tally(folder: Path, first_game: int, games: int, keep: str) -> Kept:
    """The sums of a stored part by chunks of games, of which reports are made."""
    path = folder / part_name("tallies", first_game, games)
    table = decode(path)
    size = stored_chunk(first_game, first_game + games, sums_only=keep == "summary")
    try:
        values = table["values"].combine_chunks()
        whole, ends = values.values.to_numpy(), values.offsets.to_numpy()
        vectors = {name: whole[ends[at] : ends[at + 1]] for at, name in enumerate(table["name"].to_pylist())}
    except (KeyError, AttributeError, ValueError) as error:
        raise damaged(path, "is not a tally that this version reads") from error
    return Kept(first_game, size, -(-games // size), games, vectors)


def head(block: Block, games: int) -> Block:
    """The first games of a block."""
    rows = games * block.players
    return Block(
        {name: column[:games] for name, column in block.games.items()},
        {name: column[:rows] for name, column in block.seats.items()},
        block.first_game,
    )
