"""Sweeps: several options of a ruleset varied at once, and what each of them, and every two together, do.

A *factor* is an option with the levels that it is given, a *cell* one choice of a level for every factor, and so one ruleset.
All cells play the same game numbers. Effects are contrasts: weighted sums of the cells' values, worked out block by block, so that
their errors are those of paired games whatever the measure is. Nothing here plays or draws anything.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from simsorry import rulesets, stats
from simsorry.errors import MISSING, USAGE, SimsorryError
from simsorry.rulesets import Ruleset
from simsorry.stats import Difference, Estimate, Floats
from simsorry.toml import closest, dotted, parse_key, value_text

MAX_CELLS = 512
MAX_LEVELS = 64
MAX_FACTORS = 11  # of a fraction; with more, finding generators takes long
RESOLUTIONS = {"V": 5, "IV": 4}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MAIN, SLOPE, INTERACTION = "main", "slope", "interaction"

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(\d+))?")
_SWITCH = {"on": True, "off": False}
_CONDITION = re.compile(r"\s*([A-Za-z_][\w+\- ]*?)\s*(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)\s*(%?)\s*")
_QUANTILE = re.compile(r"(turns|minutes)_p(\d\d?)")


# -- factors ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Level:
    """One value of an option in a sweep."""

    shown: str  # as the user wrote it
    house_rule: str  # option=value; empty where that is what the base has anyway
    value: float | None = None  # of a number

    @property
    def is_base(self) -> bool:
        """Whether the base has this value."""
        return not self.house_rule


@dataclass(frozen=True)
class Factor:
    """An option that is varied; every effect is told against its level ``reference``."""

    option: str
    levels: tuple[Level, ...]
    reference: int = 0

    @property
    def others(self) -> list[int]:
        """The levels that are told against the reference."""
        return [at for at in range(len(self.levels)) if at != self.reference]

    @property
    def values(self) -> Floats | None:
        """The levels' numbers, in ascending order of the levels as given; None unless all are numbers."""
        found = [level.value for level in self.levels]
        return None if None in found else np.array(found, dtype=np.float64)

    @property
    def step(self) -> float:
        """The distance from one level to the next where it is always the same, else 1."""
        if self.values is None:
            return 1.0
        gaps = np.diff(np.sort(self.values))
        return float(gaps[0]) if np.allclose(gaps, gaps[0]) else 1.0

    def change(self, level: int) -> str:
        """From the reference to a level: ``off → on``."""
        return f"{self.levels[self.reference].shown} → {self.levels[level].shown}"

    @property
    def listed(self) -> str:
        """Its levels: ``0, 3 or 5``."""
        names = [level.shown for level in self.levels]
        return f"{', '.join(names[:-1])} or {names[-1]}"


def factors(vary: Sequence[tuple[str, Sequence[str]]], base: str, sets: Sequence[str] = (), source: str = "--vary ") -> tuple[Factor, ...]:
    """The factors that the user asks for: options with their levels, as ``split`` gives them.

    ``base`` and ``sets`` are what the options are laid upon; ``source`` stands before an option in messages. Raises SimsorryError for an
    option that does not exist, a level that it can't have, and what is named twice.
    """
    ruleset = rulesets.load(base, sets)
    fixed = {dotted(parse_key(text.partition("=")[0].strip())): text for text in sets}
    made = [_factor(option, levels, base, sets, ruleset, source) for option, levels in vary]
    for one, other in itertools.combinations(made, 2):
        if f"{one.option}.".startswith(f"{other.option}.") or f"{other.option}.".startswith(f"{one.option}."):
            again = "is varied twice" if one.option == other.option else f"and {other.option} set the same option"
            raise SimsorryError(f"{source}{one.option} {again}: vary each option once", USAGE)
    for factor, option in itertools.product(made, fixed):
        if f"{factor.option}.".startswith(f"{option}.") or f"{option}.".startswith(f"{factor.option}."):
            raise SimsorryError(f"--set {fixed[option][:60]} fixes what {source}{factor.option} varies: leave one of them out", USAGE)
    return tuple(made)


def split(text: str, source: str = "--vary ") -> tuple[str, list[str]]:
    """``hand_size=0,3,5`` or ``deck_counts.sorry=2..6`` as the option and its levels; SimsorryError if it is neither."""
    option, equals, levels = (part.strip() for part in text.partition("="))
    if not equals or not option or not levels:
        raise SimsorryError(f"{source}{text[:60]}: write OPTION=LEVEL,LEVEL, such as slides=on,off or hand_size=0..5", USAGE)
    return option, [level for part in _parts(levels) for level in spread_range(part, f"{source}{option}=")]


def _parts(text: str) -> list[str]:
    """Split at commas, but not inside brackets or quotes."""
    parts, depth, quote, begin = [], 0, "", 0
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    return [part.strip() for part in (*parts, text[begin:])]


def spread_range(text: str, source: str = "") -> list[str]:
    """``2..6`` or ``0..20..5`` as its numbers; anything else as it stands. Raises SimsorryError for a range without end."""
    found = _RANGE.fullmatch(text)
    if not found:
        return [text]
    first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if last <= first or step < 1 or (last - first) // step >= MAX_LEVELS:
        raise SimsorryError(f"{source}{text[:60]}: a range goes up, such as 2..6 or 0..20..5, with {MAX_LEVELS} numbers at most", USAGE)
    return [str(number) for number in range(first, last + 1, step)]


def _factor(written: str, levels: Sequence[str], base: str, sets: Sequence[str], ruleset: Ruleset, source: str) -> Factor:
    option = _option(written, ruleset, f"{source}{written[:60]}")
    made = [_level(option, text, base, sets, ruleset, source) for text in levels]
    if not 2 <= len(made) <= MAX_LEVELS:
        raise SimsorryError(f"{source}{written[:60]}: {len(made)} levels are given; 2 to {MAX_LEVELS} are needed", USAGE)
    for at, level in enumerate(made):
        if any((level.house_rule, level.value) == (other.house_rule, other.value) for other in made[:at]):
            raise SimsorryError(f"{source}{written[:60]}: the level {level.shown[:60]} is there twice", USAGE)
    return Factor(option, tuple(made), _reference(made))


def _reference(levels: Sequence[Level]) -> int:
    """The level that others are told against: the first, but what is off where there is on and off."""
    off = [at for at, level in enumerate(levels) if level.shown in ("off", "false")]
    return off[0] if len(levels) == 2 and off else 0


def _option(written: str, ruleset: Ruleset, where: str) -> str:
    """The full name of an option, of which the beginning is enough where only one begins so: ``deck.sorry`` is ``deck_counts.sorry``."""
    path = parse_key(written)
    path = path[1:] if path[0] == "rules" and len(path) > 1 else path
    known = [option.name for option in rulesets.options(ruleset.game)]
    if path[0] not in known:
        begun = [name for name in known if name.startswith(f"{path[0]}_")]
        if len(begun) != 1:
            which = f"; it may be {', '.join(begun)}" if begun else closest(path[0], known)
            raise SimsorryError(f"{where}: the {ruleset.game} game has no option {path[0][:60]}{which}", USAGE)
        path = [begun[0], *path[1:]]
    return dotted(path)


def _level(option: str, text: str, base: str, sets: Sequence[str], ruleset: Ruleset, source: str) -> Level:
    here = _value_of(ruleset, option)
    written = _meant(option, text, here, f"{source}{option}={text[:60]}")
    house_rule = f"{option}={written}"
    value = float(written) if re.fullmatch(r"-?\d+(\.\d+)?", written) else None
    return Level(text, "" if _same(house_rule, base, sets, ruleset) else house_rule, value)


def _value_of(ruleset: Ruleset, option: str) -> Any:
    """What a ruleset has for an option, or for an entry of a table; None if it says nothing of it."""
    value: Any = ruleset.resolved()
    for part in parse_key(option):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _meant(option: str, text: str, here: Any, where: str) -> str:
    """The value that is written for a level: on and off are true and false, and on is what the base has where it has something else."""
    if re.fullmatch(r"\[[^\[\]\"']*\]", text):  # a plain list, in which words and cards are written without quotes
        return text[1:-1].strip()
    if text not in _SWITCH or not isinstance(here, (bool, str)):
        return text
    if isinstance(here, bool):
        return value_text(_SWITCH[text])
    if text == "off" or here == "on":
        return text
    if here == "off":
        raise SimsorryError(f"{where}: {option} is off in the base, so what is on must be named by its value", USAGE)
    return here


def _same(house_rule: str, base: str, sets: Sequence[str], ruleset: Ruleset) -> bool:
    """Whether a house rule leaves the base as it is; one that can't stand alone does not."""
    try:
        return not rulesets.load(base, [*sets, house_rule]).differences(ruleset)
    except SimsorryError:
        return False


# -- designs ---------------------------------------------------------------------------------------

Levels = tuple[int, ...]  # a cell: the number of a level for each factor


@dataclass(frozen=True)
class Fraction:
    """Which part of the full design is played, and what can't be told apart then."""

    resolution: int
    generators: tuple[str, ...]  # such as "e = abcd", in the letters of the factors
    letters: dict[str, str]  # letter -> option
    aliases: tuple[tuple[str, ...], ...]  # words that are one and the same contrast, with a word of two letters at most

    @property
    def name(self) -> str:
        """The resolution in Roman numbers, as designs are named."""
        return {5: "V", 4: "IV"}.get(self.resolution, "higher than V")

    def shared(self, *options: str) -> list[tuple[str, ...]]:
        """The pairs of options whose interaction can't be told from that of these two."""
        word = "".join(sorted(letter for letter, option in self.letters.items() if option in options))
        chain = next((chain for chain in self.aliases if word in chain), ())
        return [tuple(self.letters[letter] for letter in other) for other in chain if other != word and len(other) == 2]


@dataclass(frozen=True)
class Design:
    """The factors and the cells that are asked for."""

    base: str
    factors: tuple[Factor, ...]
    cells: tuple[Levels, ...]
    fraction: Fraction | None = None

    @property
    def full(self) -> int:
        """Cells of the full design."""
        return math.prod(len(factor.levels) for factor in self.factors)

    def spec(self, cell: Levels) -> str:
        """The ruleset of a cell, as it is named elsewhere: the base with the house rules that it lacks."""
        return "+".join([self.base, *self.house_rules(cell)])

    def house_rules(self, cell: Levels) -> list[str]:
        """The house rules that a cell lays on the base."""
        chosen = [factor.levels[level] for factor, level in zip(self.factors, cell, strict=True)]
        return [level.house_rule for level in chosen if not level.is_base]

    def short(self, cell: Levels) -> str:
        """The level of every factor: ``slides=off, hand_size=3``."""
        return ", ".join(f"{factor.option}={factor.levels[level].shown}" for factor, level in zip(self.factors, cell, strict=True))

    def distance(self, cell: Levels) -> float:
        """How far a cell is from the base: for numbers the steps away from its value, for everything else 1 each."""
        return sum(_steps(factor, level) for factor, level in zip(self.factors, cell, strict=True))


def _steps(factor: Factor, level: int) -> float:
    chosen, own = factor.levels[level], next((each for each in factor.levels if each.is_base), None)
    if chosen.is_base:
        return 0.0
    if chosen.value is None or own is None or own.value is None:
        return 1.0
    return abs(chosen.value - own.value) / factor.step


def design(base: str, varied: Sequence[Factor], fraction: str | None = None) -> Design:
    """Every combination of levels or, with ``fraction`` ("V" or "IV"), a part of those of the factors with two levels.

    Raises SimsorryError if these are too many, or if there is no such fraction.
    """
    if not varied:
        raise SimsorryError("nothing is varied: name options and their levels, such as --vary slides=on,off --vary hand_size=0,3,5", USAGE)
    counts = [len(factor.levels) for factor in varied]
    if fraction is None:
        _not_too_many(math.prod(counts))
        return Design(base, tuple(varied), tuple(itertools.product(*map(range, counts))))
    two = [at for at, count in enumerate(counts) if count == 2]
    part, rows = _fraction([varied[at].option for at in two], fraction)
    rest = [range(count) for count in counts if count != 2]
    _not_too_many(len(rows) * math.prod(map(len, rest)))
    cells = []
    for row, others in itertools.product(rows, itertools.product(*rest)):
        # The low level of a contrast is what effects are told against.
        low_high = iter([(varied[at].others[0] if high else varied[at].reference) for at, high in zip(two, row, strict=True)])
        chosen = iter(others)
        cells.append(tuple(next(low_high) if count == 2 else next(chosen) for count in counts))
    return Design(base, tuple(varied), tuple(cells), part)


def _not_too_many(cells: int) -> None:
    if cells > MAX_CELLS:
        raise SimsorryError(
            f"{cells:,} cells are more than {MAX_CELLS}: vary fewer options, give them fewer levels, or use --fraction", USAGE
        )


def _fraction(options: Sequence[str], wanted: str) -> tuple[Fraction, list[tuple[bool, ...]]]:
    """The smallest regular fraction of this resolution, and for each of its cells which factors are at their high level."""
    if wanted not in RESOLUTIONS:
        raise SimsorryError(
            f"--fraction {wanted[:30]}: allowed are V, which tells every pair of options from every other, and IV, which tells only single "
            "options from pairs",
            USAGE,
        )
    resolution, many = RESOLUTIONS[wanted], len(options)
    found = generators(many, resolution) if many <= MAX_FACTORS else None
    if not found:
        raise SimsorryError(
            f"--fraction {wanted}: there is no such part of a design with {many} options of two levels each "
            f"({resolution} to {MAX_FACTORS} such options have one); leave --fraction out",
            USAGE,
        )
    doe = _pydoe()
    base = LETTERS[: many - len(found)]
    matrix = np.asarray(doe.fracfact(" ".join([*base, *found])))
    chains = [tuple(chain.split(" = ")) for chain in doe.fracfact_aliasing(matrix)[0]]
    letters = dict(zip(LETTERS[:many], options, strict=True))
    made = tuple(f"{letter} = {word}" for letter, word in zip(LETTERS[len(base) : many], found, strict=True))
    told = tuple(chain for chain in chains if len(chain) > 1 and len(chain[0]) <= 2)
    return Fraction(_resolution(found, many), made, letters, told), [tuple(bool(sign > 0) for sign in row) for row in matrix]


def _pydoe() -> Any:
    """pyDOE3; SimsorryError if it is not installed."""
    try:
        return import_module("pyDOE3")
    except ImportError as error:
        raise SimsorryError("--fraction needs pyDOE3, which is not installed: pip install 'simsorry[sweep]'", MISSING) from error


def generators(many: int, resolution: int) -> list[str] | None:
    """Generators, in letters of the base factors, of the smallest two-level fraction with this resolution; None if there is none.

    pyDOE3's own search looks at generators one by one, and so misses short words in the products of several, and the half of five factors.
    """
    for kept in range(resolution - 1, many):
        if found := next(_choices(many, kept, resolution), None):
            return ["".join(LETTERS[at] for at in range(kept) if mask >> at & 1) for mask in found]
    return None


def _choices(many: int, kept: int, resolution: int) -> Iterator[list[int]]:
    """Every choice of products of the base factors for the others, as bit masks, in whose defining relation no word is too short."""
    masks = sorted((mask for mask in range(1 << kept) if mask.bit_count() >= resolution - 1), key=lambda mask: (-mask.bit_count(), mask))

    def extend(chosen: list[int], words: list[int], start: int) -> Iterator[list[int]]:
        if len(chosen) == many - kept:
            yield chosen
            return
        for at in range(start, len(masks)):
            word = masks[at] | 1 << (kept + len(chosen))
            more = [word, *(word ^ other for other in words)]
            if all(each.bit_count() >= resolution for each in more):
                yield from extend([*chosen, masks[at]], [*words, *more], at + 1)

    yield from extend([], [], 0)


def _resolution(chosen: Sequence[str], many: int) -> int:
    """Length of the shortest word in the defining relation."""
    extra = LETTERS[many - len(chosen) : many]
    words = [frozenset(word) | {letter} for word, letter in zip(chosen, extra, strict=True)]
    products = []
    for size in range(1, len(words) + 1):
        for some in itertools.combinations(words, size):
            product: frozenset[str] = frozenset()
            for word in some:
                product ^= word
            products.append(len(product))
    return min(products)


# -- effects ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Effect:
    """A contrast between cells: ``weights`` has one number for each cell that is played, and they add up to 0."""

    key: str
    kind: str
    title: str
    options: tuple[str, ...]
    weights: Floats = field(repr=False, compare=False)
    levels: tuple[int, ...] = ()  # told against the reference, of each option; of a slope none


def effects(plan: Design, played: Sequence[Levels]) -> tuple[list[Effect], list[str]]:
    """Every main effect, slope and two-way interaction, and the titles of those that need a cell that is not played."""
    found, refused = [], []
    for kind, title, options, levels, cells in _wanted(plan):
        if missing := [cell for cell in cells if cell not in played]:
            refused.append(f"{title} (needs {plan.short(missing[0])})")
            continue
        weights = np.array([cells.get(cell, 0.0) for cell in played])
        key = "|".join([kind, *options, *map(str, levels)])
        found.append(Effect(key, kind, title, options, weights, levels))
    return found, refused


_Wanted = tuple[str, str, tuple[str, ...], tuple[int, ...], dict[Levels, float]]


def _wanted(plan: Design) -> Iterator[_Wanted]:
    for at, factor in enumerate(plan.factors):
        for level in factor.others:
            weights = _sum(_mean(plan, {at: level}), _mean(plan, {at: factor.reference}), -1)
            yield MAIN, f"{factor.option}: {factor.change(level)}", (factor.option,), (level,), weights
        if factor.values is not None and len(factor.levels) > 2:
            yield SLOPE, f"{factor.option}: per +{factor.step:g}", (factor.option,), (), _slope(plan, at)
    for one, other in itertools.combinations(range(len(plan.factors)), 2):
        yield from _crossed(plan, one, other)


def _crossed(plan: Design, one: int, other: int) -> Iterator[_Wanted]:
    """Differences of differences of two factors."""
    first, second = plan.factors[one], plan.factors[other]
    names = (first.option, second.option)
    order = [factor.option for factor in plan.factors]
    shared = plan.fraction.shared(*names) if plan.fraction else []
    if any([order.index(option) for option in pair] < [one, other] for pair in shared):
        return  # told already, under the name of that pair
    for a, b in itertools.product(first.others, second.others):
        title = f"{names[0]} × {names[1]}"
        if len(first.levels) > 2 or len(second.levels) > 2:
            title = f"{names[0]} {first.change(a)} × {names[1]} {second.change(b)}"
        title += "".join(f" or {' × '.join(pair)}" for pair in shared)
        with_b = _sum(_mean(plan, {one: a, other: b}), _mean(plan, {one: first.reference, other: b}), -1)
        without = _sum(_mean(plan, {one: a, other: second.reference}), _mean(plan, {one: first.reference, other: second.reference}), -1)
        yield INTERACTION, title, names, (a, b), _sum(with_b, without, -1)


def _mean(plan: Design, chosen: Mapping[int, int]) -> dict[Levels, float]:
    """Equal weights for all cells with these levels."""
    cells = [cell for cell in plan.cells if all(cell[at] == level for at, level in chosen.items())]
    return dict.fromkeys(cells, 1 / len(cells))


def _sum(one: Mapping[Levels, float], other: Mapping[Levels, float], scale: float) -> dict[Levels, float]:
    return {cell: one.get(cell, 0.0) + scale * other.get(cell, 0.0) for cell in {**one, **other}}


def _slope(plan: Design, at: int) -> dict[Levels, float]:
    """Least squares through the means of a factor's levels, for one step of its value."""
    factor = plan.factors[at]
    assert factor.values is not None
    centered = factor.values - factor.values.mean()
    weights: dict[Levels, float] = {}
    for level, share in enumerate(centered / float(centered @ centered) * factor.step):
        weights = _sum(weights, _mean(plan, {at: level}), float(share))
    return weights


def mean_weights(plan: Design, played: Sequence[Levels], chosen: Mapping[str, int]) -> Floats | None:
    """Weights of the mean of all cells with these levels, by option; None if one of them is not played."""
    order = [factor.option for factor in plan.factors]
    cells = _mean(plan, {order.index(option): level for option, level in chosen.items()})
    return np.array([cells.get(cell, 0.0) for cell in played]) if set(cells) <= set(played) else None


@dataclass(frozen=True)
class Measured:
    """A measure in every cell: values, and what each block adds to their errors (cells x blocks)."""

    values: Floats
    influences: Floats
    games: int  # of each cell
    unit: str
    event: bool = False  # a yes or no of every game

    def difference(self, weights: Floats) -> Difference:
        """A contrast with its error; unknown where a cell that it needs has nothing to measure, or one block alone."""
        used = weights != 0
        if not np.isfinite(self.values[used]).all():
            return stats.unknown(self.games, self.unit)
        error = stats.standard_error(weights[used] @ self.influences[used])
        if not math.isfinite(error):
            return stats.unknown(self.games, self.unit)  # a single block says nothing of its own error
        if self.event:
            error = max(error, 1 / (self.games + 2))  # what was never seen has an interval, too, as when two rulesets are compared
        return Difference(float(weights[used] @ self.values[used]), error, self.influences.shape[1] - 1, self.games, self.unit)

    def mean(self, weights: Floats) -> Estimate:
        """A mean of cells with its interval."""
        found = self.difference(weights)
        low, high = found.interval() if found.known else (-math.inf, math.inf)
        if self.unit == "share" and found.known:
            low, high = max(low, 0.0), min(high, 1.0)
        return Estimate(found.value, low, high, self.games * int((weights != 0).sum()), self.unit)


def measured(
    sums: Sequence[tuple[Floats, Floats, Floats]], there: Sequence[bool], games: int, unit: str, squares: bool = False, event: bool = False
) -> Measured:
    """A measure from the cells' sums by block: numerators, squares and denominators; ``there`` says which cells have anything to measure.

    With ``squares`` it is the standard deviation of the values, else the numerators over the denominators.
    """
    blocks = len(sums[0][0])
    values, influences = np.full(len(sums), math.nan), np.full((len(sums), blocks), math.nan)
    for at, ((total, square, count), has) in enumerate(zip(sums, there, strict=True)):
        if not has or not float(count.sum()):
            continue
        if squares:
            values[at] = stats.spread(total, square, count, games, unit).value
            influences[at] = stats.spread_influence(total, square, count)
        else:
            values[at] = float(total.sum()) / float(count.sum())
            influences[at] = stats.influence(total, count)
    return Measured(values, influences, games, unit, event)


# -- targets ---------------------------------------------------------------------------------------

SURELY, PERHAPS, NO = "surely", "perhaps", "no"


@dataclass(frozen=True)
class Condition:
    """One part of a target: ``dead_share<15%``."""

    text: str
    measure: str
    sign: str
    bound: float

    @property
    def quantile(self) -> tuple[str, float] | None:
        """Turns or minutes, and which quantile of them; None for a metric."""
        found = _QUANTILE.fullmatch(self.measure)
        return (found[1], int(found[2]) / 100) if found else None

    def met(self, estimate: Estimate) -> str:
        """Whether the whole interval, a part of it, or nothing of it is as wanted."""
        if math.isnan(estimate.value):
            return NO
        wanted: Callable[[float], bool] = {
            "<": lambda value: value < self.bound,
            "<=": lambda value: value <= self.bound,
            ">": lambda value: value > self.bound,
            ">=": lambda value: value >= self.bound,
        }[self.sign]
        ends = [wanted(estimate.low), wanted(estimate.high)]
        return SURELY if all(ends) else PERHAPS if any(ends) else NO


def conditions(text: str, units: Mapping[str, str], source: str = "--target ") -> tuple[Condition, ...]:
    """``turns_p50<120, dead_share<15%`` as its parts; ``units`` are those of the metrics. Raises SimsorryError for what is not measured."""
    return tuple(_condition(part, units, source) for part in text.split(","))


def _condition(text: str, units: Mapping[str, str], source: str) -> Condition:
    found = _CONDITION.fullmatch(text)
    if not found:
        raise SimsorryError(f"{source}{text.strip()[:60]}: write MEASURE<NUMBER, such as turns_p50<120 or dead_share<15%", USAGE)
    name, sign, number, percent = found.groups()
    made = Condition(f"{name} {sign} {number}{percent}", name, sign, float(number) / (100 if percent else 1))
    if not made.quantile and name not in units and name != "minutes":
        known = [*units, "minutes", "turns_p50", "minutes_p50"]
        raise SimsorryError(
            f"{source}{name[:60]}: there is nothing of that name to measure here{closest(name, known)}; "
            f"it may be a measure ({', '.join(list(units)[:4])} …) or a quantile such as turns_p50 or minutes_p95",
            USAGE,
        )
    share = units.get(name) == "share"
    if percent and not share:
        raise SimsorryError(f"{source}{made.text}: {name} is not a share, so its bound has no percent sign", USAGE)
    if share and not 0 <= made.bound <= 1:
        raise SimsorryError(f"{source}{made.text}: {name} is a share from 0 to 1; fifteen percent are written 15%", USAGE)
    return made


def verdict_of(words: Sequence[str]) -> str:
    """Whether a target is reached whose conditions are met so."""
    return NO if NO in words else PERHAPS if PERHAPS in words else SURELY


def ranked(plan: Design, played: Sequence[Levels], reached: Sequence[str]) -> list[int]:
    """The cells that reach a target surely or perhaps, the smallest change first: fewest options, then closest to the base."""
    chosen = [at for at, word in enumerate(reached) if word != NO]
    return sorted(chosen, key=lambda at: (len(plan.house_rules(played[at])), plan.distance(played[at]), reached[at] != SURELY, at))


# -- shares of the variance ------------------------------------------------------------------------


@dataclass(frozen=True)
class Share:
    """A share of the variance between the cells, with its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class Variance:
    """The exact decomposition of the variance of the cell means on a full grid, every level weighing the same (functional ANOVA).

    What the noise of the cell means adds is taken off; ``noise`` is its share of the variance as it was seen.
    """

    alone: dict[str, Share]  # by option: its main effect
    total: dict[str, Share]  # with all that it does together with others
    shapley: dict[str, Share]  # with an equal part of what it does together with others: these add up to 1
    pairs: dict[tuple[str, str], Share]
    sd: float  # between the cells, in the measure's unit
    error: float  # typical standard error of a cell's mean
    noise: float


def variance(plan: Design, found: Measured) -> Variance | None:
    """Shares of the variance of a measure on the full grid; None where a cell lacks it or nothing but noise varies."""
    shape = [len(factor.levels) for factor in plan.factors]
    if not np.isfinite(found.values).all() or len(found.values) != plan.full:
        return None
    blocks = found.influences.shape[1]
    values, influences = found.values.reshape(shape), found.influences.reshape([*shape, blocks])
    everything = range(len(shape))
    subsets = [some for size in range(1, len(shape) + 1) for some in itertools.combinations(everything, size)]
    parts, slopes, noises = {}, {}, {}
    for some in subsets:
        component, noise = (_component(each, some, len(shape)) for each in (values, influences))
        noises[some] = float((noise**2).sum(axis=-1).mean()) * blocks / (blocks - 1)
        parts[some] = float((component**2).mean()) - noises[some]
        slopes[some] = 2 * (component[..., None] * noise).mean(axis=tuple(everything))
    whole, slope = sum(parts.values()), np.sum(list(slopes.values()), axis=0)
    if whole <= 0:
        return None

    def share(weights: Mapping[tuple[int, ...], float]) -> Share:
        value = sum(parts[some] * weight for some, weight in weights.items()) / whole
        change = np.sum([slopes[some] * weight for some, weight in weights.items()], axis=0)
        return Share(value, stats.standard_error((change - value * slope) / whole))

    options = [factor.option for factor in plan.factors]
    of = {at: [some for some in subsets if at in some] for at in everything}
    errors = np.array([stats.standard_error(each) for each in found.influences])
    return Variance(
        alone={options[at]: share({(at,): 1.0}) for at in everything},
        total={options[at]: share(dict.fromkeys(of[at], 1.0)) for at in everything},
        shapley={options[at]: share({some: 1 / len(some) for some in of[at]}) for at in everything},
        pairs={(options[a], options[b]): share({(a, b): 1.0}) for a, b in itertools.combinations(everything, 2)},
        sd=math.sqrt(whole),
        error=float(np.sqrt((errors**2).mean())),
        noise=sum(noises.values()) / (whole + sum(noises.values())),
    )


def _component(values: Floats, some: Sequence[int], axes: int) -> Floats:
    """What these factors do together beyond what fewer of them do: centered along their axes, averaged along those of all others."""
    result = values
    for axis in range(axes):
        mean = result.mean(axis=axis, keepdims=True)
        result = result - mean if axis in some else mean
    return result
