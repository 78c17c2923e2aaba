"""Factors, designs, contrasts, verdicts, targets and shares of the variance, on worlds whose effects are known."""

import itertools
import math
import sys
from collections.abc import Callable

import numpy as np
import pytest

from simsorry import stats, sweep
from simsorry.errors import MISSING, SimsorryError
from simsorry.stats import Difference, Estimate
from simsorry.sweep import INTERACTION, MAIN, SLOPE, Design, Factor, Level, Measured

BLOCKS, SIZE = 40, 25  # of the made-up worlds, and games of a block


def factor(option: str, *levels: object) -> Factor:
    made = tuple(
        Level(str(level), "" if at == 0 else f"{option}={level}", float(level) if isinstance(level, int) else None)
        for at, level in enumerate(levels)
    )
    return Factor(option, made)


def world(plan: Design, value: Callable[..., float], noise: float = 0.0, seed: int = 1, common: float = 5.0) -> Measured:
    """Numbers of every game by a formula of its cell's levels, with luck that all cells share and luck of their own."""
    rng = np.random.default_rng(seed)
    shared = common * rng.normal(size=BLOCKS * SIZE)
    sums = []
    for cell in plan.cells:
        games = value(*cell) + shared + noise * rng.normal(size=BLOCKS * SIZE)
        blocks = games.reshape(BLOCKS, SIZE)
        sums.append((blocks.sum(axis=1), (blocks**2).sum(axis=1), np.full(BLOCKS, float(SIZE))))
    return sweep.measured(sums, [True] * len(sums), BLOCKS * SIZE, "turns")


def found(plan: Design, measured: Measured) -> dict[str, Difference]:
    effects, refused = sweep.effects(plan, plan.cells)
    assert refused == []
    return {effect.title: measured.difference(effect.weights) for effect in effects}


# -- factors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("slides=on,off", ["on", "off"]),
        ("hand_size = 0, 3,5", ["0", "3", "5"]),
        ("deck.sorry=2..6", ["2", "3", "4", "5", "6"]),
        ("turn_cap=100..400..100", ["100", "200", "300", "400"]),
        ("x=0,3..5", ["0", "3", "4", "5"]),
        ("start_cards=[1,2],[1,2,sorry]", ["[1,2]", "[1,2,sorry]"]),
    ],
)
def test_levels_are_listed_or_given_as_ranges(text: str, levels: list[str]) -> None:
    assert sweep.split(text)[1] == levels


@pytest.mark.parametrize("text", ["slides", "slides=", "=on,off", "a=5..2", "a=1..9..0", "a=0..100"])
def test_what_names_no_levels_is_refused(text: str) -> None:
    with pytest.raises(SimsorryError, match="--vary"):
        sweep.split(text)


def test_options_may_be_shortened_and_switched() -> None:
    slides, deck, move = sweep.factors([("slides", ["on", "off"]), ("deck.sorry", ["3", "4"]), ("must_move", ["off", "on"])], "hasbro")
    assert [level.house_rule for level in slides.levels] == ["", "slides=off"]
    assert (slides.reference, slides.others) == (1, [0])  # on is told against off
    assert [level.house_rule for level in deck.levels] == ["deck_counts.sorry=3", ""]
    assert (deck.option, deck.reference, deck.levels[1].value) == ("deck_counts.sorry", 0, 4.0)
    assert [level.house_rule for level in move.levels] == ["must_move=false", ""]


def test_a_list_may_be_a_level() -> None:
    (cards,) = sweep.factors([("start_cards", ["[1,2,sorry]", "[1,2,3,sorry]"])], "hasbro")
    assert [level.house_rule for level in cards.levels] == ["", "start_cards=1,2,3,sorry"]


@pytest.mark.parametrize(
    ("vary", "base", "sets", "says"),
    [
        ([("slide", ["on", "off"])], "hasbro", [], "no option slide"),
        ([("hands", ["0", "3"])], "hasbro", [], "did you mean hand_size"),
        ([("slides", ["on"])], "hasbro", [], "1 levels are given"),
        ([("slides", ["on", "all_but_own"])], "hasbro", [], "there twice"),
        ([("slides", ["on", "off"])], "hasbro+slides=off", [], "must be named by its value"),
        ([("slides", ["on", "off"]), ("slides", ["on", "off"])], "hasbro", [], "varied twice"),
        ([("deck_counts", ["deck_44", "deck_55"]), ("deck.sorry", ["2", "3"])], "hasbro", [], "set the same option"),
        ([("deck.sorry", ["2", "3"])], "hasbro", ["deck_counts.sorry=3"], "--set deck_counts.sorry=3 fixes"),
    ],
)
def test_factors_that_make_no_sense_are_refused(vary: list[tuple[str, list[str]]], base: str, sets: list[str], says: str) -> None:
    with pytest.raises(SimsorryError) as refused:
        sweep.factors(vary, base, sets)
    assert says in str(refused.value)


# -- designs ---------------------------------------------------------------------------------------


def test_a_full_design_has_every_combination_and_names_them_as_house_rules() -> None:
    plan = sweep.design("hasbro", [factor("a", "off", "on"), factor("b", 0, 3, 5)])
    assert len(plan.cells) == plan.full == 6
    assert [plan.spec(cell) for cell in plan.cells[:3]] == ["hasbro", "hasbro+b=3", "hasbro+b=5"]
    assert plan.spec(plan.cells[-1]) == "hasbro+a=on+b=5"
    assert plan.short(plan.cells[-1]) == "a=on, b=5"


def test_too_many_cells_are_refused() -> None:
    with pytest.raises(SimsorryError, match="1,024 cells are more than 512"):
        sweep.design("hasbro", [factor(name, 0, 1) for name in "abcdefghij"])


def shortest_word(many: int, chosen: list[str]) -> int:
    """Found anew: the smallest number of columns whose product is the same in every run."""
    kept = many - len(chosen)
    runs = list(itertools.product([-1, 1], repeat=kept))
    columns = [[run[at] for run in runs] for at in range(kept)]
    columns += [[math.prod(run[ord(letter) - ord("a")] for letter in word) for run in runs] for word in chosen]
    for size in range(1, many + 1):
        for some in itertools.combinations(columns, size):
            if len({math.prod(signs) for signs in zip(*some, strict=True)}) == 1:
                return size
    return many + 1


@pytest.mark.parametrize(
    ("many", "resolution", "runs"),
    [(5, 5, 16), (6, 5, 32), (7, 5, 64), (8, 5, 64), (4, 4, 8), (6, 4, 16), (7, 4, 16), (8, 4, 16), (9, 4, 32)],  # Box, Hunter and Hunter
)
def test_fractions_are_as_small_as_the_textbook_has_them(many: int, resolution: int, runs: int) -> None:
    chosen = sweep.generators(many, resolution)
    assert chosen is not None
    assert 2 ** (many - len(chosen)) == runs
    assert shortest_word(many, chosen) >= resolution


def test_where_no_fraction_has_the_resolution_none_is_made() -> None:
    assert sweep.generators(4, 5) is None
    assert sweep.generators(3, 4) is None


def test_half_of_five_factors_has_the_aliases_of_the_textbook() -> None:
    """2^(5-1) with I = ABCDE: every pair is aliased with the other three, every factor with the other four."""
    pytest.importorskip("pyDOE3")
    plan = sweep.design("hasbro", [factor(name, "off", "on") for name in "VWXYZ"], "V")
    assert plan.fraction is not None
    assert (len(plan.cells), plan.fraction.resolution, plan.fraction.generators) == (16, 5, ("e = abcd",))
    by_word = {chain[0]: chain[1:] for chain in plan.fraction.aliases}
    for word in ["a", "b", "c", "d", "e", *("".join(pair) for pair in itertools.combinations("abcde", 2))]:
        assert by_word[word] == ("".join(letter for letter in "abcde" if letter not in word),)
    assert plan.fraction.shared("V", "W") == []
    signs = {math.prod(1 if level else -1 for level in cell) for cell in plan.cells}
    assert signs == {1}


def test_half_of_four_factors_confounds_pairs_and_says_so() -> None:
    """2^(4-1) with I = ABCD: AB = CD, AC = BD, AD = BC."""
    pytest.importorskip("pyDOE3")
    plan = sweep.design("hasbro", [factor(name, "off", "on") for name in "WXYZ"], "IV")
    assert plan.fraction is not None
    assert plan.fraction.shared("W", "X") == [("Y", "Z")]
    assert plan.fraction.shared("W", "Z") == [("X", "Y")]
    titles = [effect.title for effect in sweep.effects(plan, plan.cells)[0]]
    assert "W × X or Y × Z" in titles


def test_a_fraction_of_resolution_five_finds_single_effects_and_pairs_exactly() -> None:
    pytest.importorskip("pyDOE3")
    factors = [factor(name, "off", "on") for name in "VWXYZ"]

    def value(v: int, w: int, x: int, y: int, z: int) -> float:
        return 100 + 3 * v - 2 * w + x + 7 * v * w - 4 * y * z

    for plan in (sweep.design("hasbro", factors), sweep.design("hasbro", factors, "V")):
        effects = found(plan, world(plan, value))
        expected = {
            "V: off → on": 3 + 3.5,
            "W: off → on": -2 + 3.5,
            "X: off → on": 1,
            "Y: off → on": -2,
            "V × W": 7,
            "Y × Z": -4,
            "V × Z": 0,
        }
        assert {name: effects[name].value for name in expected} == pytest.approx(expected, abs=1e-9)


def test_a_fraction_is_crossed_with_options_of_more_levels() -> None:
    pytest.importorskip("pyDOE3")
    plan = sweep.design("hasbro", [factor("n", 0, 1, 2), *(factor(name, "off", "on") for name in "WXYZ")], "IV")
    assert (len(plan.cells), plan.full) == (24, 48)
    effects = found(plan, world(plan, lambda n, w, _x, _y, z: 10 * n + w + 2 * n * z))
    assert effects["n: 0 → 2"].value == pytest.approx(20 + 2)
    assert effects["n 0 → 2 × Z off → on"].value == pytest.approx(4)


@pytest.mark.parametrize("fraction", ["III", "V"])
def test_a_fraction_that_there_is_not_is_refused(fraction: str) -> None:
    with pytest.raises(SimsorryError, match=f"--fraction {fraction}"):
        sweep.design("hasbro", [factor("a", "off", "on"), factor("b", 0, 1)], fraction)


def test_without_pydoe3_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyDOE3", None)
    with pytest.raises(SimsorryError, match=r"pip install 'simsorry\[sweep\]'") as refused:
        sweep.design("hasbro", [factor(name, "off", "on") for name in "VWXYZ"], "V")
    assert refused.value.exit_code == MISSING


# -- effects ---------------------------------------------------------------------------------------

TWO_BY_THREE = sweep.design("hasbro", [factor("a", "off", "on"), factor("b", 0, 3, 5)])


def by_hand(a: int, b: int) -> float:
    return [[10.0, 14.0, 15.0], [13.0, 16.0, 28.0]][a][b]


def test_effects_by_hand() -> None:
    effects = found(TWO_BY_THREE, world(TWO_BY_THREE, by_hand))
    expected = {
        "a: off → on": (13 + 16 + 28) / 3 - (10 + 14 + 15) / 3,
        "b: 0 → 3": 15 - 11.5,
        "b: 0 → 5": 21.5 - 11.5,
        # Means 11.5, 15 and 21.5 at 0, 3 and 5, whose mean is 8/3: least squares.
        "b: per +1": sum(mean * (x - 8 / 3) for mean, x in ((11.5, 0), (15, 3), (21.5, 5))) / sum((x - 8 / 3) ** 2 for x in (0, 3, 5)),
        "a off → on × b 0 → 3": (16 - 14) - (13 - 10),
        "a off → on × b 0 → 5": (28 - 15) - (13 - 10),
    }
    assert {name: each.value for name, each in effects.items()} == pytest.approx(expected)


def test_luck_that_all_cells_share_does_not_blur_an_effect() -> None:
    effects = found(TWO_BY_THREE, world(TWO_BY_THREE, by_hand, common=50.0))
    assert max(each.error for each in effects.values()) < 1e-9


def test_the_error_of_an_effect_is_that_of_its_block_contrasts() -> None:
    measured = world(TWO_BY_THREE, by_hand, noise=4.0)
    effects, _ = sweep.effects(TWO_BY_THREE, TWO_BY_THREE.cells)
    rng = np.random.default_rng(1)
    shared = 5.0 * rng.normal(size=BLOCKS * SIZE)
    games = np.array([by_hand(*cell) + shared + 4.0 * rng.normal(size=BLOCKS * SIZE) for cell in TWO_BY_THREE.cells])
    for effect in effects:
        blocks = (effect.weights @ games).reshape(BLOCKS, SIZE).mean(axis=1)
        difference = measured.difference(effect.weights)
        assert difference.value == pytest.approx(blocks.mean())
        assert difference.error == pytest.approx(blocks.std(ddof=1) / math.sqrt(BLOCKS))
        assert difference.df == BLOCKS - 1


def test_the_slope_of_a_range_is_for_its_step() -> None:
    plan = sweep.design("hasbro", [factor("cap", 100, 200, 300)])
    effects = found(plan, world(plan, lambda at: 7.0 * at))
    assert effects["cap: per +100"].value == pytest.approx(7)


def test_two_cells_give_the_differences_of_a_comparison() -> None:
    """Means, ratios and standard deviations of two cells are judged exactly as ``compare`` does."""
    rng = np.random.default_rng(3)
    sides = [
        (rng.poisson(40, BLOCKS).astype(float), rng.poisson(900, BLOCKS).astype(float), rng.poisson(100, BLOCKS).astype(float))
        for _ in "ab"
    ]
    minus_plus = np.array([-1.0, 1.0])
    ratio = sweep.measured(sides, [True, True], 500, "share").difference(minus_plus)
    base, variant = ((total, count) for total, _, count in sides)
    assert ratio == stats.paired_ratio(base, variant, 500, "share")
    spread = sweep.measured(sides, [True, True], 500, "points", squares=True).difference(minus_plus)
    expected = stats.paired_spread(sides[0], sides[1], 500, "points")
    assert (spread.value, spread.error) == pytest.approx((expected.value, expected.error))


def test_what_one_cell_lacks_is_not_told_where_that_cell_is_needed() -> None:
    sums = [(np.ones(BLOCKS), np.ones(BLOCKS), np.ones(BLOCKS))] * 3
    measured = sweep.measured(sums, [True, True, False], 100, "turns")
    assert measured.difference(np.array([-1.0, 1.0, 0.0])).known
    assert not measured.difference(np.array([-1.0, 0.0, 1.0])).known


def test_one_block_alone_tells_nothing() -> None:
    sums = [(np.array([total]), np.zeros(1), np.array([10.0])) for total in (3.0, 5.0)]
    assert not sweep.measured(sums, [True, True], 10, "turns").difference(np.array([-1.0, 1.0])).known


def test_an_event_that_is_never_seen_still_has_an_interval() -> None:
    never = (np.zeros(BLOCKS), np.zeros(BLOCKS), np.full(BLOCKS, 25.0))
    difference = sweep.measured([never, never], [True, True], 1000, "share", event=True).difference(np.array([-1.0, 1.0]))
    assert difference.value == 0
    assert difference.error == stats.paired_events(0, 0, 1000).error


def test_effects_that_need_a_refused_cell_are_named_and_left_out() -> None:
    played = [cell for cell in TWO_BY_THREE.cells if cell != (1, 2)]
    effects, refused = sweep.effects(TWO_BY_THREE, played)
    assert [effect.title for effect in effects] == ["b: 0 → 3", "a off → on × b 0 → 3"]
    assert len(refused) == 4
    assert all("needs a=on, b=5" in text for text in refused)
    assert all(len(effect.weights) == 5 for effect in effects)


def test_kinds_of_effects() -> None:
    kinds = [effect.kind for effect in sweep.effects(TWO_BY_THREE, TWO_BY_THREE.cells)[0]]
    assert kinds == [MAIN, MAIN, MAIN, SLOPE, INTERACTION, INTERACTION]


# -- verdicts --------------------------------------------------------------------------------------


def test_verdicts_are_corrected_by_benjamini_and_hochberg() -> None:
    """p values 0.01, 0.02, 0.03 and 0.04: Holm keeps the first alone, Benjamini and Hochberg all four."""
    differences = [Difference(stats.z_quantile(p / 2), 1.0, math.inf, 100, "turns") for p in (0.01, 0.02, 0.03, 0.04)]
    margins = [0.5] * 4
    verdicts = stats.judge(differences, margins, "bh")
    assert [each.p_value for each in verdicts if each] == pytest.approx([0.04] * 4)
    assert {each.word for each in verdicts if each} == {stats.UNSIZED}
    assert [each.word for each in stats.judge(differences, margins) if each] == [stats.UNSIZED, *[stats.UNDECIDED] * 3]


def test_verdict_words() -> None:
    sure = Difference(5.0, 0.1, 100, 1000, "turns")
    small = Difference(0.4, 0.05, 100, 1000, "turns")
    same = Difference(0.0, 0.1, 100, 1000, "turns")
    open_ = Difference(0.5, 2.0, 100, 1000, "turns")
    nothing = stats.unknown(1000, "turns")
    verdicts = stats.judge([sure, small, same, open_, nothing], [1.0] * 5, "bh")
    words = [each.word if each else None for each in verdicts]
    assert words == [stats.DIFFERENT, stats.NEGLIGIBLE, stats.SAME, stats.UNDECIDED, None]
    assert verdicts[3] is not None
    assert (verdicts[3].more_games or 0) > 1000


def test_a_world_without_effects_raises_few_false_alarms() -> None:
    """With no effect at all, at most about one family in twenty has any discovery (here of 200; 5 % and three standard errors)."""
    plan = sweep.design("hasbro", [factor(name, "off", "on") for name in "abc"])
    alarms = 0
    effects, _ = sweep.effects(plan, plan.cells)
    for seed in range(200):
        measured = world(plan, lambda *_: 0.0, noise=1.0, seed=seed)
        differences = [measured.difference(effect.weights) for effect in effects]
        alarms += min(stats.benjamini_hochberg([each.p_beyond() for each in differences])) < 0.05
    assert alarms <= 19


# -- targets ---------------------------------------------------------------------------------------

UNITS = {"turns": "turns", "dead_share": "share"}


def test_a_target_is_read_as_people_write_it() -> None:
    one, two, three = sweep.conditions("turns_p50<120, dead_share <= 15%,minutes_p95>30", UNITS)
    assert (one.measure, one.sign, one.bound, one.quantile) == ("turns_p50", "<", 120, ("turns", 0.5))
    assert (two.measure, two.sign, two.bound, two.quantile) == ("dead_share", "<=", 0.15, None)
    assert three.quantile == ("minutes", 0.95)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("turns", "write MEASURE<NUMBER"),
        ("turns<120,", "write MEASURE<NUMBER"),
        ("dead_shares<15%", "did you mean dead_share"),
        ("dead_share<15", "fifteen percent are written 15%"),
        ("turns<15%", "no percent sign"),
    ],
)
def test_a_target_that_makes_no_sense_is_refused(text: str, says: str) -> None:
    with pytest.raises(SimsorryError) as refused:
        sweep.conditions(text, UNITS)
    assert says in str(refused.value)


def test_a_target_is_reached_surely_perhaps_or_not() -> None:
    (condition,) = sweep.conditions("turns_p50<120", UNITS)
    spans = [(110.0, 119.0), (110.0, 120.0), (120.0, 130.0)]
    words = [condition.met(Estimate((low + high) / 2, low, high, 100, "turns")) for low, high in spans]
    assert words == [sweep.SURELY, sweep.PERHAPS, sweep.NO]
    assert condition.met(Estimate(math.nan, -math.inf, math.inf, 0, "turns")) == sweep.NO
    assert sweep.verdict_of([sweep.SURELY, sweep.PERHAPS]) == sweep.PERHAPS
    assert sweep.verdict_of([sweep.PERHAPS, sweep.NO]) == sweep.NO


def test_the_smallest_change_comes_first() -> None:
    """Fewest options, then fewest steps from the base, then those that reach it surely."""
    plan = sweep.design("hasbro", [factor("a", "off", "on"), factor("b", 0, 1, 2)])
    words = {(0, 0): sweep.NO, (0, 1): sweep.PERHAPS, (0, 2): sweep.SURELY, (1, 0): sweep.SURELY, (1, 1): sweep.NO, (1, 2): sweep.SURELY}
    order = sweep.ranked(plan, plan.cells, [words[cell] for cell in plan.cells])
    assert [plan.cells[at] for at in order] == [(1, 0), (0, 1), (0, 2), (1, 2)]


# -- shares of the variance ------------------------------------------------------------------------


def test_shares_of_the_variance_by_hand() -> None:
    """Values 0, 0, 0 and 4: a grand mean of 1, components of ±1 for a, b and both together, a third of the variance of 3 each."""
    plan = sweep.design("hasbro", [factor("a", "off", "on"), factor("b", "off", "on")])
    shares = sweep.variance(plan, world(plan, lambda a, b: 4.0 * a * b))
    assert shares is not None
    assert shares.sd == pytest.approx(math.sqrt(3))
    assert shares.alone["a"].value == pytest.approx(1 / 3)
    assert shares.total["a"].value == pytest.approx(2 / 3)
    assert shares.shapley["a"].value == pytest.approx(1 / 2)
    assert shares.pairs["a", "b"].value == pytest.approx(1 / 3)
    assert shares.noise == pytest.approx(0, abs=1e-9)
    assert shares.error == pytest.approx(5 / math.sqrt(BLOCKS * SIZE), rel=0.3)


def test_shares_add_up_and_their_errors_are_those_of_repetition() -> None:
    plan = sweep.design("hasbro", [factor("a", "off", "on"), factor("b", 0, 1, 2)])
    values, errors = [], []
    for seed in range(300):
        shares = sweep.variance(plan, world(plan, lambda a, b: 2.0 * a + b + 0.5 * a * b, noise=6.0, seed=seed))
        assert shares is not None
        assert sum(each.value for each in shares.shapley.values()) == pytest.approx(1)
        values.append(shares.alone["a"].value)
        errors.append(shares.alone["a"].error)
    truth = sweep.variance(plan, world(plan, lambda a, b: 2.0 * a + b + 0.5 * a * b))
    assert truth is not None
    assert np.mean(values) == pytest.approx(truth.alone["a"].value, abs=4 * np.std(values) / math.sqrt(300) + 0.01)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.2)


def test_noise_alone_has_no_shares_or_is_called_noise() -> None:
    plan = sweep.design("hasbro", [factor("a", "off", "on"), factor("b", "off", "on")])
    found = [sweep.variance(plan, world(plan, lambda *_: 0.0, noise=5.0, seed=seed)) for seed in range(20)]
    assert None in found
    assert all(each is None or each.noise > 0.2 for each in found)


def test_a_grid_with_holes_has_no_shares() -> None:
    sums = [(np.ones(BLOCKS), np.ones(BLOCKS), np.ones(BLOCKS))] * 6
    assert sweep.variance(TWO_BY_THREE, sweep.measured(sums, [True] * 5 + [False], 100, "turns")) is None
