"""How often the intervals hold and the verdicts are wrong: measured in worlds whose truth is known, with a table and a picture.

The worlds are made of stored games: they are drawn from again and again, so that what holds for all of them is the truth.

./run simsorry run hasbro --games 100000 --out runs
./run simsorry run hasbro+slides=off --games 100000 --out runs
./run python reports/how_sure.py runs --repetitions 10000 --report reports/how_sure
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from simsorry import results, stats
from simsorry.errors import SimsorryError

Numbers = npt.NDArray[np.float64]
TABLE = ("game", "players", "seat_colors", "policies", "seed")  # of a task: what must agree for its games to be paired
COLUMNS = ["turns", "turns_all", "dead_turns", "winner"]
BLOCKS, SIZE = 200, 12  # of 2,400 games: what simsorry looks at first, and as many blocks as it mostly makes
FEW = 20  # blocks, of one game each: the fewest that simsorry takes
CHUNK = 250  # repetitions at a time
CLAIMED = (stats.DIFFERENT, stats.UNSIZED, stats.NEGLIGIBLE)  # words that say that there is some difference
HARMLESS = (stats.SAME, stats.NEGLIGIBLE)  # words that say that it lies within the margin
LOOKS, STEP = 200, 240  # times that somebody looks, and games from one look to the next
NO_WINNER = 255


@dataclass
class World:
    """Stored games of a base and a variant with the same game numbers, as columns."""

    name: str
    base: dict[str, Numbers]
    variant: dict[str, Numbers]

    @property
    def games(self) -> int:
        """How many there are to draw from."""
        return len(self.base["turns"])


@dataclass
class Kept:
    """What was counted: how often something held, or was wrong, in how many trials."""

    rng: np.random.Generator
    repetitions: int
    rows: dict[tuple[str, str, str, float], list[int]] = field(default_factory=dict)

    def note(self, kind: str, what: str, world: str, promised: float, held: bool) -> None:
        """Counts one trial; ``promised`` is how often it should hold at least, or be wrong at most."""
        found = self.rows.setdefault((kind, what, world, promised), [0, 0])
        found[0] += held
        found[1] += 1

    def holds(self, what: str, world: str, interval: tuple[float, float], truth: float, level: float = stats.LEVEL) -> None:
        """Whether an interval holds the truth; a speck of rounding is forgiven."""
        speck = 1e-9 * max(1.0, abs(truth))
        self.note("holds", what, world, level, interval[0] - speck <= truth <= interval[1] + speck)

    def wrong(self, what: str, world: str, alarm: bool, most: float = 1 - stats.LEVEL) -> None:
        """Whether something was said that is not true."""
        self.note("wrong", what, world, most, alarm)

    def table(self) -> pd.DataFrame:
        """A line for each thing, with the share and its 95 % interval, and whether it breaks its promise beyond all chance."""
        lines = []
        for (kind, what, world, promised), (held, trials) in self.rows.items():
            share, surely = stats.share(held, trials), stats.share(held, trials, 0.999)
            broken = surely.high < promised if kind == "holds" else surely.low > promised
            lines.append((kind, what, world, promised, share.value, share.low, share.high, trials, "" if not broken else "NOT KEPT"))
        return pd.DataFrame(lines, columns=["kind", "what", "world", "promised", "found", "low", "high", "trials", "kept"])


# -- worlds ----------------------------------------------------------------------------------------


def worlds(folder: Path) -> list[World]:
    """A world for each stored variant of the ruleset that has most of them; SimsorryError if there is no variant."""
    tasks = results.tasks(folder)
    groups = [[each for each in tasks if all(each.description[key] == task.description[key] for key in TABLE)] for task in tasks]
    base, *others = max(groups, key=len)
    if not others:
        raise SimsorryError(f"{folder} holds no two rulesets with the same players, policies and seed")
    if bases := [task for task in (base, *others) if all(_name(other).startswith(_name(task)) for other in (base, *others))]:
        base = bases[0]
    others = [task for task in max(groups, key=len) if task.id != base.id]
    games = {task.id: results.read_games(folder, COLUMNS, [task.id]).set_index("game") for task in (base, *others)}
    return [World(_name(other), *_columns(games[base.id], games[other.id])) for other in others]


def _name(task: results.Stored) -> str:
    return str(task.description["ruleset"]["name"])


def _columns(base: pd.DataFrame, variant: pd.DataFrame) -> tuple[dict[str, Numbers], dict[str, Numbers]]:
    common = base.index.intersection(variant.index)
    long = base["turns"].quantile(0.9)
    found = []
    for frame in (base.loc[common], variant.loc[common]):
        columns = {name: frame[name].to_numpy(dtype=float) for name in COLUMNS}
        found.append(columns | {"squares": columns["turns"] ** 2, "long": (columns["turns"] > long).astype(float)})
    return found[0], found[1]


def drawn(world: World, kept: Kept, repetitions: int, games: int, *, null: bool = False) -> Iterator[tuple[dict[str, Numbers], ...]]:
    """Games of the base and of the variant for each repetition; in the null world the variant is the base with every other game changed.

    Such a variant plays half of the games as the base does, and the others as the base would play other games, so that nothing differs
    in truth, although single games do.
    """
    left = repetitions
    while left > 0:
        many = min(left, CHUNK, max(1, 2_000_000 // games))
        left -= many
        at = kept.rng.integers(world.games, size=(many, games), dtype=np.int32)
        other = np.where(kept.rng.random(at.shape) < 0.5, at, kept.rng.integers(world.games, size=at.shape, dtype=np.int32)) if null else at
        source = world.base if null else world.variant
        base, variant = ({name: column[numbers] for name, column in side.items()} for side, numbers in ((world.base, at), (source, other)))
        for row in range(many):
            yield {name: column[row] for name, column in base.items()}, {name: column[row] for name, column in variant.items()}


def blocks(column: Numbers, size: int) -> Numbers:
    """Sums over blocks of so many games."""
    return column.reshape(-1, size).sum(axis=1)


def difference(base: dict[str, Numbers], variant: dict[str, Numbers], size: int, below: str = "") -> stats.Difference:
    """Of mean turns or, over another column, of the share of dead turns."""
    top, unit = ("dead_turns", "share") if below else ("turns", "turns")
    sides = [(blocks(side[top], size), blocks(side[below] if below else np.ones_like(side[top]), size)) for side in (base, variant)]
    return stats.paired_ratio(sides[0], sides[1], len(base["turns"]), unit)


# -- what is measured ------------------------------------------------------------------------------


def shares_of_games(kept: Kept) -> None:
    """Shares of games, of seats, gaps and differences of shares, in made-up worlds."""
    games = BLOCKS * SIZE
    for p in (0.5, 0.25, 0.01, 0.001):
        for count in kept.rng.binomial(games, p, kept.repetitions).tolist():
            kept.holds("share of games (Wilson)", f"share {p:g}", _span(stats.share(count, games)), p)
            if p <= 0.01:
                kept.holds("share of games (Jeffreys)", f"share {p:g}", _span(stats.share(count, games, method="jeffreys")), p)
                kept.holds("share of games (exact)", f"share {p:g}", _span(stats.share(count, games, method="exact")), p)
    for name, p_of_seats in (("equal seats", [0.25] * 4), ("unequal seats", [0.31, 0.25, 0.23, 0.21])):
        for counts in kept.rng.multinomial(games, p_of_seats, kept.repetitions // 2).tolist():
            found = stats.shares(counts)
            together = all(each.low <= p <= each.high for each, p in zip(found, p_of_seats, strict=True))
            kept.note("holds", "shares of all seats at once", name, stats.LEVEL, together)
            kept.holds("gap between seats", name, _span(stats.gap(counts)), max(p_of_seats) - min(p_of_seats))
    for one, other in ((0.25, 0.25), (0.02, 0.05)):
        pairs = zip(*(kept.rng.binomial(1000, p, kept.repetitions // 2).tolist() for p in (one, other)), strict=True)
        for left, right in pairs:
            found_difference = stats.share_difference((left, 1000), (right, 1000))
            kept.holds("difference of unpaired shares", f"{one:g} and {other:g}", _span(found_difference), other - one)


def seats_equal(kept: Kept) -> None:
    """The verdict on equal seats where they are equal, and where one of them is off by exactly the margin."""
    games, margin = BLOCKS * SIZE, 0.03
    for counts in kept.rng.multinomial(games, [0.25] * 4, kept.repetitions // 4).tolist():
        word = stats.fairness(counts, margin).verdict.word
        kept.wrong("seats are not equal", "equal seats", word in CLAIMED)
    for counts in kept.rng.multinomial(games, [0.28, 0.24, 0.24, 0.24], kept.repetitions // 4).tolist():
        word = stats.fairness(counts, margin).verdict.word
        kept.wrong("all seats are within the margin", "one seat off by the margin", word in HARMLESS)
        kept.wrong("a seat is off by more than the margin", "one seat off by the margin", word == stats.DIFFERENT)


def _span(estimate: stats.Estimate) -> tuple[float, float]:
    return estimate.low, estimate.high


def values(kept: Kept, world: World) -> None:
    """Means, ratios, spreads and differences over blocks."""
    truth = {name: float(column.mean()) for name, column in world.base.items()}
    other = {name: float(column.mean()) for name, column in world.variant.items()}
    dead = [float(side["dead_turns"].mean() / side["turns_all"].mean()) for side in (world.base, world.variant)]
    spreads = [float(side["turns"].std()) for side in (world.base, world.variant)]
    for number, size in ((FEW, 1), (BLOCKS, SIZE)):
        games, place = number * size, f"{world.name}, {number} blocks"
        ones = np.full(number, float(size))
        for base, variant in drawn(world, kept, kept.repetitions if size > 1 else kept.repetitions // 2, games):
            mine = {name: blocks(column, size) for name, column in base.items()}
            theirs = {name: blocks(column, size) for name, column in variant.items()}
            kept.holds("mean turns", place, _span(stats.ratio(mine["turns"], ones, games, "turns")), truth["turns"])
            rate = stats.ratio_share(mine["dead_turns"], mine["turns_all"], games)
            kept.holds("share of turns that are dead", place, _span(rate), dead[0])
            kept.holds("spread of turns", place, _span(stats.spread(mine["turns"], mine["squares"], ones, games, "turns")), spreads[0])
            kept.holds("paired difference of turns", place, difference(base, variant, size).interval(), other["turns"] - truth["turns"])
            kept.holds("paired difference of dead turns", place, difference(base, variant, size, "turns_all").interval(), dead[1] - dead[0])
            sides = ((mine["turns"], mine["squares"], ones), (theirs["turns"], theirs["squares"], ones))
            paired = stats.paired_spread(sides[0], sides[1], games, "turns")
            kept.holds("paired difference of spreads", place, paired.interval(), spreads[1] - spreads[0])
            together = base["long"] * variant["long"]
            only = [int((side["long"] - together).sum()) for side in (base, variant)]
            kept.holds(
                "paired difference of long games", place, stats.paired_events(*only, games).interval(), other["long"] - truth["long"]
            )


def lengths(kept: Kept, world: World) -> None:
    """Quantiles of the length, and the chance that a game is longer than one of the base."""
    sorted_turns, games = np.sort(world.base["turns"]), BLOCKS * SIZE
    truths = {p: float(sorted_turns[max(0, int(np.ceil(p * world.games)) - 1)]) for p in (0.05, 0.5, 0.95, 0.99)}
    every = [np.bincount(side["turns"].astype(int)) for side in (world.variant, world.base)]
    chance = stats.longer(*every).value
    for at, (base, variant) in enumerate(drawn(world, kept, kept.repetitions // 4, games)):
        histogram = np.bincount(base["turns"].astype(int))
        for p, truth in truths.items():
            kept.holds(f"quantile of turns, {p:.0%}", world.name, _span(stats.quantile(histogram, p)), truth)
        if at % 2 == 0:
            unrelated = kept.rng.choice(world.variant["turns"], games)
            found = stats.longer(np.bincount(unrelated.astype(int)), histogram)
            kept.holds("chance to be longer", f"{world.name}, unpaired", _span(found), chance)
        found = stats.longer(np.bincount(variant["turns"].astype(int)), histogram)
        kept.holds("chance to be longer", f"{world.name}, same game numbers", _span(found), chance)


def less_luck(kept: Kept, world: World) -> None:
    """A mean adjusted for a control variate that explains half of it, and for ten that explain nothing."""
    turns = world.base["turns"]
    luck = turns - turns.mean() + kept.rng.normal(0, turns.std(), world.games)
    luck -= luck.mean()
    for base in (kept.rng.integers(world.games, size=BLOCKS * SIZE) for _ in range(kept.repetitions // 4)):
        y, ones = blocks(turns[base], SIZE), np.full(BLOCKS, float(SIZE))
        useful = stats.adjusted(y, blocks(luck[base], SIZE)[:, None], ones, len(base), "turns")
        kept.holds("mean adjusted for luck", "one control", _span(useful.estimate), float(turns.mean()))
        noise = kept.rng.normal(size=(BLOCKS, 10))
        useless = stats.adjusted(y, noise, ones, len(base), "turns")
        kept.holds("mean adjusted for luck", "ten that explain nothing", _span(useless.estimate), float(turns.mean()))


def words(kept: Kept, world: World) -> None:
    """Verdict words where nothing differs, where the difference is exactly the margin, and where it is larger or smaller."""
    for base, variant in drawn(world, kept, kept.repetitions // 2, BLOCKS * SIZE, null=True):
        found = difference(base, variant, SIZE)
        kept.wrong("there is some difference", "no difference", _word(found, 0.025 * float(world.base["turns"].mean())) in CLAIMED)
    true = abs(float(world.variant["turns"].mean() - world.base["turns"].mean()))
    if not true:
        return
    for base, variant in drawn(world, kept, kept.repetitions // 2, BLOCKS * SIZE):
        found = difference(base, variant, SIZE)
        kept.wrong("it is more than the margin", f"{world.name}, margin = difference", _word(found, true) == stats.DIFFERENT)
        kept.wrong("it is within the margin", f"{world.name}, margin = difference", _word(found, true) in HARMLESS)
        kept.wrong("it is within the margin", f"{world.name}, margin = half of it", _word(found, true / 2) in HARMLESS)
        kept.wrong("it is more than the margin", f"{world.name}, margin = twice it", _word(found, 2 * true) == stats.DIFFERENT)


def _word(found: stats.Difference, margin: float) -> str:
    (verdict,) = stats.judge([found], [margin])
    assert verdict
    return verdict.word


def families(kept: Kept) -> None:
    """Many verdicts at once, half of each of them going with the others: any false alarm (Holm), and the share of them (BH)."""
    df = BLOCKS - 1
    false, told = 0.0, 0
    for _ in range(kept.repetitions // 4):
        noise = (kept.rng.normal() + kept.rng.normal(size=20)) / np.sqrt(2)
        errors = np.sqrt(kept.rng.chisquare(df, 20) / df)
        none = [stats.Difference(float(z), float(e), df, 2400, "turns") for z, e in zip(noise, errors, strict=True)]
        alarms = [verdict.word in CLAIMED for verdict in stats.judge(none, [0.01] * 20) if verdict]
        kept.wrong("any of 20 differences (Holm)", "no difference", any(alarms))
        some = [stats.Difference(d.value + (4 if at < 5 else 0), d.error, df, 2400, "turns") for at, d in enumerate(none)]
        claims = [verdict.word in CLAIMED for verdict in stats.judge(some, [0.01] * 20, "bh") if verdict]
        told += 1
        false += sum(claims[5:]) / max(1, sum(claims))
    kept.rows["wrong", "share of false ones among those told of 20 (BH)", "5 true, 15 false", 1 - stats.LEVEL] = [round(false), told]


def precise(kept: Kept, world: World) -> None:
    """Intervals at the moment when they are narrow enough, as with ``--precision``."""
    looks = list(stats.looks(200_000))
    steps = np.diff([0, *looks])
    for counts in np.cumsum(kept.rng.binomial(steps, 0.25, (kept.repetitions, len(looks))), axis=1):
        shares = (stats.share(int(count), games) for count, games in zip(counts, looks, strict=True))
        kept.holds("share, once within ±0.5pp", "share 0.25", _span(_first(shares, lambda _: 0.005)), 0.25)
    turns = world.base["turns"]
    truth, wanted = float(turns.mean()), 0.01
    for _ in range(kept.repetitions // 4):
        kept.holds("mean turns, once within ±1%", world.name, _span(_first(_means(kept, turns, looks), lambda each: wanted * each)), truth)


def _first(found: Iterator[stats.Estimate], wanted: Callable[[float], float]) -> stats.Estimate:
    """The first estimate that is precise enough, or the last of all."""
    each = None
    for each in found:
        if (each.high - each.low) / 2 <= wanted(each.value):
            break
    assert each
    return each


def _means(kept: Kept, turns: Numbers, looks: Sequence[int]) -> Iterator[stats.Estimate]:
    """The mean of more and more games."""
    totals, squares, before = 0.0, 0.0, 0
    for games in looks:
        more = kept.rng.choice(turns, games - before)
        totals, squares, before = totals + float(more.sum()), squares + float(more @ more), games
        products = np.array([[squares, totals, 0.0], [totals, games, 0.0], [0.0, 0.0, 0.0]])
        yield stats.ratio_over_games(np.array([totals, games, 0.0]), products, games, "turns")


def looking(kept: Kept, world: World) -> tuple[Numbers, Numbers]:
    """How often a difference that is none was seen so far, by looks: with ordinary intervals, and with confidence sequences."""
    games = np.arange(1, LOOKS + 1) * STEP + 10 * STEP
    wide = np.array([stats.widening(int(n)) for n in games])
    trials = max(kept.repetitions // 10, 40)
    alarms = np.zeros((2, LOOKS))
    for base, variant in drawn(world, kept, trials, int(games[-1]), null=True):
        change = variant["turns"] - base["turns"]
        sums, squares = (blocks(column, STEP).cumsum()[10:] for column in (change, change**2))
        errors = np.sqrt((squares / games - (sums / games) ** 2) / games)
        ratios = np.abs(sums / games) / errors
        for kind, bound in enumerate((1.959964, wide)):
            seen = np.maximum.accumulate(ratios > bound)
            alarms[kind] += seen
        kept.wrong("a difference at some of 200 looks, ordinary intervals", "no difference", bool((ratios > 1.959964).any()), 1.0)
        kept.wrong("a difference at some of 200 looks, confidence sequence", "no difference", bool((ratios > wide).any()))
    return alarms[0] / trials, alarms[1] / trials


def until_clear(kept: Kept, world: World) -> None:
    """What is said once the verdict is clear, as with ``--until-clear``."""
    looks = [games for games in stats.looks(60_000) if games % STEP == 0]
    true = abs(float(world.variant["turns"].mean() - world.base["turns"].mean()))
    cases = [("no difference", True, 0.025 * float(world.base["turns"].mean()))]
    cases += [(f"{world.name}, margin = difference", False, true)] if true else []
    for place, null, margin in cases:
        for base, variant in drawn(world, kept, max(kept.repetitions // 20, 40), looks[-1], null=null):
            word = _at_last(base, variant, looks, margin)
            if null:
                kept.wrong("once clear: there is some difference", place, word in (stats.DIFFERENT, stats.NEGLIGIBLE))
            else:
                kept.wrong("once clear: it is within the margin", place, word in HARMLESS)
                kept.wrong("once clear: it is more than the margin", place, word == stats.DIFFERENT)


def _at_last(base: dict[str, Numbers], variant: dict[str, Numbers], looks: Sequence[int], margin: float) -> str:
    """The first clear word, or the last unclear one."""
    sides = [{"turns": side["turns"].reshape(-1, SIZE).sum(axis=1)} for side in (base, variant)]
    word = stats.UNDECIDED
    for games in looks:
        number = games // SIZE
        ones = np.full(number, float(SIZE))
        found = stats.paired_ratio((sides[0]["turns"][:number], ones), (sides[1]["turns"][:number], ones), games, "turns")
        word = _word(stats.looked_at(found), margin)
        if word in stats.CLEAR:
            break
    return word


def played_twice(kept: Kept, world: World) -> None:
    """Real games in the order of their numbers: the first half against the second, which are the same ruleset with other luck."""
    turns, games = world.base["turns"], FEW * SIZE
    chunks = world.games // 2 // games
    halves = [turns[start : start + chunks * games].reshape(chunks, games) for start in (0, world.games // 2)]
    for one, other in zip(*halves, strict=True):
        found = difference({"turns": one}, {"turns": other}, SIZE)
        kept.holds("paired difference of turns", "the same ruleset played twice, 20 blocks", found.interval(), 0.0)


def measured(found: Sequence[World], repetitions: int, seed: int) -> tuple[Kept, tuple[Numbers, Numbers]]:
    """Everything, and the two curves of false alarms by looks; what does not depend on the variant only in the first world."""
    kept = Kept(np.random.default_rng(seed), repetitions)
    first = found[0]
    shares_of_games(kept)
    seats_equal(kept)
    for world in found:
        values(kept, world)
    lengths(kept, first)
    less_luck(kept, first)
    words(kept, first)
    families(kept)
    precise(kept, first)
    curves = looking(kept, first)
    until_clear(kept, first)
    played_twice(kept, first)
    return kept, curves


# -- shown -----------------------------------------------------------------------------------------


def draw(table: pd.DataFrame, curves: tuple[Numbers, Numbers], picture: Path) -> None:
    """How often intervals hold; how often something false is said; and what looking again and again does."""
    holds, wrong = (table[table["kind"] == kind] for kind in ("holds", "wrong"))
    heights = [len(holds), len(wrong) - 1]
    figure = plt.figure(figsize=(10, 3.5 + 0.22 * sum(heights)), layout="constrained")
    above, middle, below = figure.subplots(3, 1, height_ratios=[*heights, 14])
    _dots(above, holds, "the interval holds the truth, % (95% interval)", 95)
    _dots(middle, wrong[wrong["promised"] < 1], "said although it is not true, % (95% interval)", 5)
    for curve, name in zip(curves, ("ordinary 95% intervals", "confidence sequence"), strict=True):
        below.plot(np.arange(1, len(curve) + 1), 100 * curve, label=name)
    below.axhline(5, color="gray", linestyle="--")
    below.set(xlabel="looks", ylabel="false alarms so far, %", ylim=0)
    below.legend(loc="upper left")
    figure.savefig(picture)
    plt.close(figure)


def _dots(axes: Axes, table: pd.DataFrame, label: str, promised: float) -> None:
    names = table["what"] + " – " + table["world"]
    spans = [100 * (table["found"] - table["low"]), 100 * (table["high"] - table["found"])]
    axes.errorbar(100 * table["found"], range(len(table)), xerr=spans, fmt="o", markersize=4, capsize=2)
    axes.axvline(promised, color="gray", linestyle="--")
    axes.set(xlabel=label, yticks=range(len(table)), ylim=(len(table) - 0.5, -0.5))
    axes.set_yticklabels(names.tolist(), fontsize=7)


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The numbers as people read them."""
    found = [f"{100 * v:.1f}% ({100 * low:.1f} to {100 * high:.1f})" for v, low, high in table[["found", "low", "high"]].to_numpy()]
    promised = [
        "–" if p == 1 else f"{'at least' if kind == 'holds' else 'at most'} {p:.0%}"
        for kind, p in zip(table["kind"], table["promised"], strict=True)
    ]
    return pd.DataFrame(
        {**table[["what", "world"]], "promised": promised, "found": found, "trials": table["trials"], "kept": table["kept"]}
    )


def finished(table: pd.DataFrame, found: Sequence[World], given: argparse.Namespace, seconds: float) -> str:
    """The report as Markdown."""
    holds, wrong = (_markdown(shown(table[table["kind"] == kind])) for kind in ("holds", "wrong"))
    broken = table[table["kept"] != ""]
    verdict = f"{len(table) - len(broken)} of {len(table)} promises are kept."
    if not broken.empty:
        missed = [f"{what} ({world}): {share:.1%}" for what, world, share in broken[["what", "world", "found"]].itertuples(index=False)]
        why = WHY if broken["what"].str.contains("spread").all() else "It is not known why."
        verdict += f" Not kept: {'; '.join(missed)}. {why}"
    peeking, sequence = (table.loc[table["what"].str.contains(kind), "found"].iloc[0] for kind in ("ordinary", "sequence"))
    games = " and ".join(f"{world.games:,} games of {world.name} with the base" for world in found)
    return TEXT.format(
        verdict=verdict, holds=holds, wrong=wrong, peeking=peeking, sequence=sequence, games=games, given=given, seconds=seconds,
        version=results.versions()["simsorry"],
    )  # fmt: skip


def _markdown(table: pd.DataFrame) -> str:
    lines = [table.columns.tolist(), ["---"] * len(table.columns), *table.astype(str).to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


WHY = "So few games seldom hold one of the very long ones, which make up much of a spread."
TEXT = """# How sure are the intervals and the verdicts?

{verdict}

Measured in worlds whose truth is known: games are drawn again and again from stored ones, or by made-up shares, and each time it is
noted whether the interval holds the truth, or whether something is said that is not true. Where no number of blocks stands, there are 2,400
games in 200 blocks of 12; 20 blocks are of one game each, but for the last line. A promise is kept unless chance cannot explain how far off
the share is: the 99.9% interval of the share lies beyond it.

- **Looking again and again**: who looks 200 times at ordinary intervals sees a difference where there is none in {peeking:.0%} of the
  runs; with the confidence sequence of `--until-clear`, in {sequence:.1%}.
- **Stopping once the interval is narrow enough**, as with `--precision`, does no harm.

![How often intervals hold, how often something false is said, and false alarms by looks](how_sure.png)

## How often the 95% intervals hold

{holds}

## How often something false is said

{wrong}

---

`./run python reports/how_sure.py {given.folder} --repetitions {given.repetitions} --seed {given.seed} --report {given.report}`,
over {games}; simsorry {version}, {seconds:.0f} seconds.
"""


def report(given: argparse.Namespace) -> pd.DataFrame:
    """Measures everything, draws the picture and writes the report if one is asked for; returns the table."""
    began = time.monotonic()
    found = worlds(given.folder)
    kept, curves = measured(found, given.repetitions, given.seed)
    table = kept.table()
    if given.report:
        given.report.mkdir(exist_ok=True)
        (given.report / "README.md").write_text(finished(table, found, given, time.monotonic() - began), encoding="utf-8")
    draw(table, curves, given.report / "how_sure.png" if given.report else given.picture)
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what simsorry run --out wrote")
    parser.add_argument("--repetitions", type=int, default=200, help="trials of what is quickest; of the rest a half to a twentieth")
    parser.add_argument("--seed", type=int, default=1, help="of the drawing")
    parser.add_argument("--picture", type=Path, default=Path("how_sure.png"), help="file to draw into (.png, .svg, .pdf)")
    parser.add_argument("--report", type=Path, help="folder for a finished report, which then holds the picture")
    given = parser.parse_args()
    mpl.use("Agg")  # no window
    try:
        print(shown(report(given)).to_string(index=False))
    except SimsorryError as error:
        sys.exit(f"how_sure: {error}")
