"""Making the parts of a task: gathering the games of one, and writing it where results lie."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.results.files import remove, write_whole
from simsorry.results.parts import TABLES, encode, encode_vectors, header, listed, part_name
from simsorry.simulate import Block, Task
from simsorry.summary import Summary
from simsorry.tally import Kept, Summing

ENTRY_KEYS = ("file", "first_game", "games", "rows", "bytes", "sha256")  # of a part in the manifest

Entries = dict[str, dict[str, Any]]  # the manifest's parts, by name


class BlockSums(NamedTuple):
    """What is summed up of some games: for one summary of them all, and by chunks of games for reports."""

    summary: Summary
    tally: Kept


def sums_of(block: Block, summing: Summing) -> BlockSums:
    """What a block adds up to."""
    return BlockSums(Summary.of(block), summing.of(block).kept())


class Gathered:
    """Consecutive games that blocks are being gathered for, such as those of a part."""

    def __init__(self, first_game: int, wanted: int, summing: Summing) -> None:
        self.first_game, self.wanted = first_game, wanted
        self.games = 0
        self.blocks: list[Block] = []
        self.summary = Summary(summing.players)
        self.tally = summing.empty(first_game, first_game)
        self._summing = summing

    def add(self, block: Block | None, sums: BlockSums) -> None:
        """Adds the next games; None where rows are not kept."""
        if block:
            self.blocks.append(block)
        self.summary.add(sums.summary)
        end = self.first_game + self.games + sums.summary.games
        longer = self._summing.empty(self.first_game, end)  # in larger chunks, once there are many games
        if self.games:
            longer.take(self.tally.kept())
        longer.take(sums.tally)
        self.games += sums.summary.games
        self.tally = longer

    def so_far(self) -> "Gathered":
        """The same games, to which none are added when more are gathered here."""
        copy = Gathered(self.first_game, self.wanted, self._summing)
        copy.games, copy.blocks, copy.tally = self.games, list(self.blocks), self.tally
        copy.summary.add(self.summary)
        return copy

    def sums(self) -> BlockSums:
        """What all of them add up to."""
        return BlockSums(self.summary, self.tally.kept())

    def block(self) -> Block | None:
        """All of them as one block; None where rows are not kept."""
        return joined(self.blocks) if self.blocks else None


def joined(blocks: Sequence[Block]) -> Block:
    """Consecutive blocks as one, without what was counted of audited games."""
    return Block(_columns(blocks, "games"), _columns(blocks, "seats"), blocks[0].first_game)


def _columns(blocks: Sequence[Block], table: str) -> dict[str, NDArray[Any]]:
    names = getattr(blocks[0], table)
    return {name: np.concatenate([getattr(block, table)[name] for block in blocks]) for name in names}


class PartWriter:
    """Writes the parts of one task; the same games give the same bytes, whoever writes them."""

    def __init__(self, task: Task, description: dict[str, Any], folder: Path, keep: str) -> None:
        self._task, self._description, self._folder, self._keep = task, description, folder, keep

    def write(self, part: Gathered) -> Entries:
        """Writes the tables of a part, then removes a shorter part that it replaces; returns their entries in the manifest."""
        entries = {}
        for table in TABLES[self._keep]:
            name = part_name(table, part.first_game, part.games)
            data = self._bytes(table, part)
            write_whole(self._folder / name, data)
            entries[name] = self.entry(table, part.first_game, part.games, (len(data), hashlib.sha256(data).hexdigest()))
        for table in TABLES[self._keep]:
            with suppress(SimsorryError):  # a shorter part left behind is ignored
                self.remove_shorter(table, {part.first_game: part.games})
        return entries

    def remove_shorter(self, table: str, parts: Mapping[int, int]) -> None:
        """Removes the parts of a table that longer ones with the same first game, of so many games, have replaced."""
        for name, (first_game, games) in listed(self._folder / table, self._keep).items():
            if games < parts.get(first_game, 0):
                remove(self._folder / table / name)

    def entry(self, table: str, first_game: int, games: int, size_and_hash: tuple[int, str]) -> dict[str, Any]:
        """What the manifest says of a part."""
        rows = {"games": games, "seats": games * self._task.players, "tallies": 1, "summary": 1}[table]
        size, sha256 = size_and_hash
        return dict(zip(ENTRY_KEYS, (part_name(table, first_game, games), first_game, games, rows, size, sha256), strict=True))

    def _bytes(self, table: str, part: Gathered) -> bytes | memoryview:
        about = header(self._description, table, part.first_game, part.games)
        if table == "summary":
            return json.dumps({**about, "summary": part.summary.to_json()}, ensure_ascii=False).encode()
        if table == "tallies":
            return encode_vectors(part.tally.kept().vectors, about)
        numbers = np.arange(part.first_game, part.first_game + part.games, dtype=np.int64)
        columns = self._task.game.GAME_COLUMNS if table == "games" else self._task.game.SEAT_COLUMNS
        meanings = {column.name: column.meaning for column in columns} | {"game": "game number"}
        if table == "games":
            return encode({"game": numbers} | _columns(part.blocks, "games"), meanings, about)
        players = self._task.players
        keys: dict[str, NDArray[Any]] = {
            "game": np.repeat(numbers, players),
            "seat": np.tile(np.arange(players, dtype=np.uint8), part.games),
        }
        return encode(keys | _columns(part.blocks, "seats"), meanings | {"seat": "play-order seat: 0 moved first"}, about)
