"""What a run comes to, as exact integers: counts, sums, sums of squares and histograms.

Integers merge exactly, so a summary is the same however the games were cut into blocks and parts, and in
whatever order those are merged. Means, deviations, shares and quantiles are worked out from it at the end.
What is summed up goes by the columns that a game counts: of what is named here, it need not count everything.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil, isqrt, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.simulate import Block

LENGTH, ALL_TURNS, OWN_TURNS = "turns", "turns_all", "turns"  # of a game; of a game with places; of a seat
LABELS = frozenset({"winner", "winner_color", "first_seat", "digest", "color", "table_seat"})  # numbers that name something
SEAT_HISTOGRAMS = ("place", "pips_left", "pawns_home", "first_start")
TABLE_COLUMNS = ("points", "place", "match_rounds_won", "partner_moves", "partner_bumps")  # summed up by table seat, too
RATIOS = (  # what is divided by something else than turns
    *((column, "match_rounds") for column in ("band_1", "band_2", "band_3", "band_4", "match_upsets", "turns_all")),
    ("throws", "draws"),
    ("partner_moves", "draws"),
    ("covered_turns", "pawn_turns"),
    ("pawn_turns", "pile_turns"),
    *((column, "moves") for column in ("moves_small", "moves_medium", "moves_large", "stack_moves")),
    ("fights_lost", "fights"),
    ("bonuses_lost", "bonuses_earned"),
)
NO_WINNER = 255
_DENSE = 1 << 16  # widest range of values that is counted with an array
_INT64 = 1 << 63

Histogram = dict[int, int]


class Estimate(NamedTuple):
    """A mean, a share or a ratio, with standard deviation over games (None for ratios) and standard error (None from one game)."""

    value: float
    sd: float | None
    se: float | None


@dataclass(frozen=True)
class Share:
    """A count out of a number of trials, with the ends of its Wilson interval."""

    count: int
    of: int
    share: float
    low: float
    high: float


@dataclass
class Moments:
    """Sum of a column, of its squares, and of its products with the turns of the same game (or of the same seat in it)."""

    total: int = 0
    squares: int = 0
    with_turns: int = 0

    def add(self, other: "Moments") -> None:
        """Adds another's sums to this one's."""
        self.total += other.total
        self.squares += other.squares
        self.with_turns += other.with_turns


@dataclass
class TableSums:
    """Sums of a column by table seat, and of the products of any two table seats in the same game."""

    totals: list[int]
    products: list[list[int]]

    def add(self, other: "TableSums") -> None:
        """Adds another's sums to this one's."""
        self.totals = _sum_of(self.totals, other.totals)
        self.products = [_sum_of(*rows) for rows in zip(self.products, other.products, strict=True)]


@dataclass
class Summary:
    """Exact sums over some games of one task."""

    players: int
    games: int = 0
    digest: int = 0  # sum of the games' digests modulo 2^64
    game_moments: dict[str, Moments] = field(default_factory=dict)
    seat_moments: dict[str, list[Moments]] = field(default_factory=dict)  # by play-order seat
    histograms: dict[str, Histogram] = field(default_factory=dict)
    seat_histograms: dict[str, list[Histogram]] = field(default_factory=dict)  # by play-order seat
    wins: list[list[int]] = field(default_factory=list)  # games won by play-order seat and table seat
    table_sums: dict[str, TableSums] = field(default_factory=dict)
    products: dict[str, int] = field(default_factory=dict)  # sums of the products of the two columns of a ratio
    decided_sums: dict[str, list[int]] = field(default_factory=dict)  # over games with a winner: sum, sum of squares

    @classmethod
    def of(cls, block: Block) -> "Summary":
        """Sums up one block."""
        games, players = block.games, block.players
        seats = {name: _by_seat(column, players) for name, column in block.seats.items()}
        games = games | _derived(games, seats)
        counted = {name: column[np.newaxis] for name, column in games.items() if name not in LABELS}
        by_seat = {name: rows for name, rows in seats.items() if name not in LABELS}
        return cls(
            players=players,
            games=block.count,
            digest=int(games["digest"].sum(dtype=np.uint64)) if "digest" in games else 0,
            game_moments={name: rows[0] for name, rows in _moments(counted, ALL_TURNS).items()},
            seat_moments=_moments(by_seat, OWN_TURNS),
            histograms={name: _histogram(column) for name, column in block.games.items() if name != "digest"},
            seat_histograms={name: [_histogram(row) for row in seats[name]] for name in SEAT_HISTOGRAMS if name in seats},
            wins=_wins(seats["table_seat"], seats["won"]),
            table_sums={name: _table_sums(seats["table_seat"], seats[name]) for name in TABLE_COLUMNS if name in seats},
            products={f"{top}*{bottom}": _product(games[top], games[bottom]) for top, bottom in RATIOS if {top, bottom} <= games.keys()},
            decided_sums=_decided_sums(games["winner"], seats),
        )

    def add(self, other: "Summary") -> None:
        """Adds the games of another summary of the same task; raises SimsorryError if it counts other columns."""
        if not self.games:
            self._begin_like(other)
        if _counted(self) != _counted(other):
            raise SimsorryError("summaries of different games or versions cannot be merged")
        self.games += other.games
        self.digest = (self.digest + other.digest) % 2**64
        for name, moments in other.game_moments.items():
            self.game_moments[name].add(moments)
        for name, by_seat in other.seat_moments.items():
            for mine, theirs in zip(self.seat_moments[name], by_seat, strict=True):
                mine.add(theirs)
        for name, histogram in other.histograms.items():
            _add_counts(self.histograms[name], histogram)
        for name, histograms in other.seat_histograms.items():
            for mine_counts, counts in zip(self.seat_histograms[name], histograms, strict=True):
                _add_counts(mine_counts, counts)
        self.wins = [_sum_of(*rows) for rows in zip(self.wins, other.wins, strict=True)]
        for name, sums in other.table_sums.items():
            self.table_sums[name].add(sums)
        for name, product in other.products.items():
            self.products[name] += product
        for name, pair in other.decided_sums.items():
            self.decided_sums[name] = _sum_of(self.decided_sums[name], pair)

    def _begin_like(self, other: "Summary") -> None:
        seats = range(other.players)
        self.game_moments = {name: Moments() for name in other.game_moments}
        self.seat_moments = {name: [Moments() for _ in seats] for name in other.seat_moments}
        self.histograms = {name: {} for name in other.histograms}
        self.seat_histograms = {name: [{} for _ in seats] for name in other.seat_histograms}
        self.wins = [[0] * other.players for _ in seats]
        self.table_sums = {name: TableSums([0] * other.players, [[0] * other.players for _ in seats]) for name in other.table_sums}
        self.products = dict.fromkeys(other.products, 0)
        self.decided_sums = {name: [0, 0] for name in other.decided_sums}

    # -- what is asked of it -------------------------------------------------------------------

    def mean(self, column: str) -> Estimate:
        """Mean of a column of ``games`` over games."""
        return _mean(self.game_moments[column], self.games)

    def seat_mean(self, column: str, seat: int) -> Estimate:
        """Mean of a column of ``seats`` over games, at one play-order seat."""
        return _mean(self.seat_moments[column][seat], self.games)

    def per_turn(self, column: str) -> Estimate:
        """Sum of a column of ``games`` over the sum of all turns; the error is that of a ratio of means (delta method)."""
        moments = self.game_moments[column]
        return _ratio(moments, self.game_moments[ALL_TURNS], self.games, moments.with_turns)

    def ratio(self, top: str, bottom: str) -> Estimate:
        """One of ``RATIOS``: the sum of a column over that of another, with the error of a ratio of means."""
        return _ratio(self.game_moments[top], self.game_moments[bottom], self.games, self.products[f"{top}*{bottom}"])

    def table_mean(self, column: str, table_seats: Sequence[int]) -> Estimate:
        """Mean of one of ``TABLE_COLUMNS`` over the players at these table seats; the deviation is that of a player's number."""
        sums, many = self.table_sums[column], len(table_seats)
        total = sum(sums.totals[seat] for seat in table_seats)
        squares = sum(sums.products[seat][seat] for seat in table_seats)
        together = sum(sums.products[one][other] for one in table_seats for other in table_seats)
        each, group = _mean(Moments(total, squares), self.games * many), _mean(Moments(total, together), self.games)
        return Estimate(each.value, each.sd, None if group.se is None else group.se / many)

    def decided_mean(self, name: str) -> Estimate | None:
        """Mean over the games with a winner of one of ``decided_sums``; None if there is no such game."""
        total, squares = self.decided_sums[name]
        return _mean(Moments(total, squares), self.decided) if self.decided else None

    @property
    def decided(self) -> int:
        """Number of games with a winner."""
        return self.games - self.histograms["winner"].get(NO_WINNER, 0)

    def quantile(self, p: float, column: str = LENGTH) -> int:
        """The smallest value that at least a share ``p`` of the games does not exceed."""
        histogram = self.histograms[column]
        rank, seen = max(1, ceil(p * self.games - 1e-9)), 0
        for value in sorted(histogram):
            seen += histogram[value]
            if seen >= rank:
                return value
        raise ValueError("no games")

    def capped(self) -> Share:
        """Games that were cut off at the turn cap."""
        return share(self.game_moments["capped"].total, self.games)

    def wins_by_seat(self) -> list[Share]:
        """Games won by play-order seat."""
        return [share(sum(row), self.games) for row in self.wins]

    def wins_by_table_seat(self) -> list[Share]:
        """Games won by table seat, and so by color and by who sits there."""
        return self.wins_by_group(range(self.players))

    def wins_by_group(self, seats: Iterable[Iterable[int] | int]) -> list[Share]:
        """Games won by groups of table seats, out of all games."""
        columns = [sum(row[seat] for row in self.wins) for seat in range(self.players)]
        groups = [(group,) if isinstance(group, int) else tuple(group) for group in seats]
        return [share(sum(columns[seat] for seat in group), self.games) for group in groups]

    # -- as plain data -------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Plain data from which ``from_json`` makes an equal summary."""
        return {
            "players": self.players,
            "games": self.games,
            "digest": self.digest,
            "game_moments": {name: _triple(moments) for name, moments in self.game_moments.items()},
            "seat_moments": {name: [_triple(moments) for moments in row] for name, row in self.seat_moments.items()},
            "histograms": {name: _pairs(histogram) for name, histogram in self.histograms.items()},
            "seat_histograms": {name: [_pairs(histogram) for histogram in row] for name, row in self.seat_histograms.items()},
            "wins": self.wins,
            "table_sums": {name: [sums.totals, sums.products] for name, sums in self.table_sums.items()},
            "products": self.products,
            "decided_sums": self.decided_sums,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Summary":
        """The summary that ``to_json`` wrote; KeyError, TypeError or ValueError if it is none."""
        return cls(
            players=data["players"],
            games=data["games"],
            digest=data["digest"],
            game_moments={name: Moments(*triple) for name, triple in data["game_moments"].items()},
            seat_moments={name: [Moments(*triple) for triple in row] for name, row in data["seat_moments"].items()},
            histograms={name: _counts(pairs) for name, pairs in data["histograms"].items()},
            seat_histograms={name: [_counts(pairs) for pairs in row] for name, row in data["seat_histograms"].items()},
            wins=data["wins"],
            table_sums={name: TableSums(*sums) for name, sums in data["table_sums"].items()},
            products=data["products"],
            decided_sums=data["decided_sums"],
        )


def _counted(summary: Summary) -> tuple[Any, ...]:
    """What must agree for two summaries to be of the same kind."""
    tables: tuple[dict[str, Any], ...] = (
        summary.game_moments, summary.seat_moments, summary.histograms, summary.seat_histograms,
        summary.table_sums, summary.products, summary.decided_sums,
    )  # fmt: skip
    return (summary.players, *(set(table) for table in tables))


def share(count: int, of: int, level: float = 0.95) -> Share:
    """A share with its Wilson interval; all zero to one if there were no trials.

    Worked out here because the statistics libraries take longer to load than ten thousand games to play.
    """
    if not of:
        return Share(count, of, 0.0, 0.0, 1.0)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    p = count / of
    center = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return Share(count, of, p, 0.0 if not count else max(0.0, center - half), 1.0 if count >= of else min(1.0, center + half))


def _mean(moments: Moments, games: int) -> Estimate:
    value = moments.total / games
    if games < 2:
        return Estimate(value, None, None)
    # In integers up to the last division: no digits are lost, however many games there are.
    variance = (games * moments.squares - moments.total**2) / (games * (games - 1))
    return Estimate(value, sqrt(variance), sqrt(variance / games))


def _ratio(top: Moments, bottom: Moments, games: int, product: int) -> Estimate:
    """Ratio of two sums; ``product`` is the sum of the products of the two numbers of each game."""
    x, y = top.total, bottom.total
    if not y:
        return Estimate(0.0, None, None)
    if games < 2:
        return Estimate(x / y, None, None)
    residual = (top.squares * y * y - 2 * x * y * product + x * x * bottom.squares) / (y * y)
    return Estimate(x / y, None, sqrt(residual * games / (games - 1)) / y)


def _by_seat(column: NDArray[Any], players: int) -> NDArray[Any]:
    """One row per play-order seat."""
    return column.reshape(-1, players).T


def _moments(columns: dict[str, NDArray[Any]], turns: str) -> dict[str, list[Moments]]:
    """Moments of each row of each column; the column called ``turns`` holds the turns of the same games."""
    y = columns[turns].astype(np.int64, order="C")
    safe = _safe(y)
    found = {}
    for name, column in columns.items():
        x = column.astype(np.int64, order="C")  # one column at a time stays in the cache
        if _largest(x) >= safe:
            x = x.astype(object)  # slow but exact, and only where turn caps are out of all proportion
        sums = (x.sum(axis=1), np.einsum("ij,ij->i", x, x), np.einsum("ij,ij->i", x, y))
        found[name] = [Moments(*map(int, triple)) for triple in zip(*sums, strict=True)]
    return found


def _safe(y: NDArray[Any]) -> int:
    """The sums of the squares of numbers below this, and of their products with these, fit into 64 bits."""
    games = int(y.shape[-1])
    return min(_INT64 // (max(_largest(y), 1) * games), isqrt(_INT64 // games))


def _largest(x: NDArray[Any]) -> int:
    return max(int(x.max()), -int(x.min()))


def _exact(x: NDArray[Any]) -> NDArray[Any]:
    """As 64-bit integers, or as unbounded ones where sums of products might not fit."""
    wide = x.astype(np.int64, order="C")
    return wide if _largest(wide) < _safe(wide) else wide.astype(object)


def _product(x: NDArray[Any], y: NDArray[Any]) -> int:
    return int((_exact(x) * _exact(y)).sum())


def _derived(games: dict[str, NDArray[Any]], seats: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Sums and differences of columns, per game."""
    found = {}
    if "throw_choice_turns" in games:
        found["board_choice_turns"] = games["choice_turns"] - games["throw_choice_turns"]
    if "moves_small" in games:
        found["moves"] = games["moves_small"] + games["moves_medium"] + games["moves_large"]
    if "partner_moves" in seats:
        found["partner_moves"] = seats["partner_moves"].sum(axis=0)
    return found


def _table_sums(table_seat: NDArray[Any], column: NDArray[Any]) -> TableSums:
    """The sums of a column of ``seats``, given by play-order seat, by table seat."""
    x = np.empty_like(column)
    np.put_along_axis(x, table_seat.astype(np.int64), column, axis=0)
    by_seat = _exact(x)
    products = [[int((one * other).sum()) for other in by_seat] for one in by_seat]
    return TableSums([int(row.sum()) for row in by_seat], products)


def _decided_sums(winner: NDArray[Any], seats: dict[str, NDArray[Any]]) -> dict[str, list[int]]:
    """What there is to say of games with a winner.

    That is the points of the winner if they are counted, the squares that the others still have to go, and whether the winner is
    the first in play order of those who have won, which in team play are two.
    """
    decided, won = winner != NO_WINNER, seats["won"] != 0
    found = {"winner_points": np.where(won, seats["points"], 0).max(axis=0)} if "points" in seats else {}
    found |= {
        "losers_pips": np.where(won, 0, seats["pips_left"]).sum(axis=0),
        "ended_by_earlier": won.argmax(axis=0) == winner,
    }
    sums = {name: _exact(np.where(decided, x, 0)) for name, x in found.items()}
    return {name: [int(x.sum()), int((x * x).sum())] for name, x in sums.items()}


def _sum_of(mine: list[int], other: list[int]) -> list[int]:
    return [a + b for a, b in zip(mine, other, strict=True)]


def _wins(table_seat: NDArray[Any], won: NDArray[Any]) -> list[list[int]]:
    players = len(table_seat)
    return [np.bincount(row[victories != 0], minlength=players).tolist() for row, victories in zip(table_seat, won, strict=True)]


def _histogram(column: NDArray[Any]) -> Histogram:
    lowest = min(int(column.min()), 0)
    if int(column.max()) - lowest < _DENSE:
        counts = np.bincount(column - lowest if lowest else column)
        values = np.flatnonzero(counts)
        return dict(zip((values + lowest).tolist(), counts[values].tolist(), strict=True))
    values, counts = np.unique(column, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _add_counts(mine: Histogram, other: Histogram) -> None:
    for value, count in other.items():
        mine[value] = mine.get(value, 0) + count


def _triple(moments: Moments) -> list[int]:
    return [moments.total, moments.squares, moments.with_turns]


def _pairs(histogram: Histogram) -> list[list[int]]:
    values = sorted(histogram)
    return [values, [histogram[value] for value in values]]


def _counts(pairs: list[list[int]]) -> Histogram:
    values, counts = pairs
    return dict(zip(values, counts, strict=True))
