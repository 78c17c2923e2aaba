"""What a sweep found: every cell's estimates, every effect with its verdict, and the report on them.

The records are made here, from the tallies of the cells; what is said of them, and how they are drawn, is in ``sweep_words`` and
``sweep_figures``.
"""

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simsorry import stats, sweep
from simsorry.margin import Margin
from simsorry.metrics import Metric, margin_of
from simsorry.report.provenance import Played
from simsorry.report.study import Comparison, RulesetCard, agreement
from simsorry.report.tallies import Tally
from simsorry.stats import Estimate, Floats, Pairing
from simsorry.sweep import INTERACTION, MAIN, Condition, Design, Effect, Levels, Measured, Variance

FORMAT = "simsorry report of a sweep 1"
NO_PAIRING = Pairing(math.nan, math.nan)  # an effect has more than two sides


@dataclass(frozen=True)
class Cell:
    """One ruleset of a sweep at one table."""

    card: RulesetCard
    short: str
    levels: Levels
    games: int
    measured: dict[str, Estimate]
    aimed: dict[str, Estimate]  # what the target asks for, by condition
    reached: str  # whether the target is: surely, perhaps or no; empty if there is none
    no_winner: int
    failed_checks: dict[str, int]


@dataclass(frozen=True)
class Crossing:
    """Means of a measure over all cells with the same two levels, by the levels of the one option and then of the other."""

    options: tuple[str, str]
    means: tuple[tuple[Estimate, ...], ...]


@dataclass(frozen=True)
class Together:
    """What two changes do to a measure, all other options being what they may be."""

    first: Comparison  # alone
    second: Comparison  # alone
    summed: Comparison  # the two alone added up
    both: Comparison  # at once

    @property
    def relation(self) -> str:
        """Whether they hinder or help each other: of changes in opposite directions neither can be said."""
        one, other = (each.difference.value for each in (self.first, self.second))
        if one * other <= 0:
            return "depend on each other"
        weaker = abs(self.both.difference.value) < abs(self.summed.difference.value)
        return "work against each other" if weaker else "strengthen each other"


@dataclass(frozen=True)
class Swept:
    """One table: who plays, which games, and what came of every cell and every effect."""

    policies: tuple[str, ...]
    policy_hashes: tuple[str, ...]
    seed: int
    games: int  # of each cell
    blocks: int
    block_games: int
    metrics: tuple[Metric, ...]
    sizes: dict[str, float]  # margins in the metric's unit
    families: dict[str, int]  # verdicts corrected together
    cells: tuple[Cell, ...]
    compared: dict[str, dict[str, Comparison]]  # by metric, then by key of the effect
    crossings: dict[tuple[str, str, str], Crossing]  # by metric and the two options
    together: dict[tuple[str, str], "Together"]  # by metric and interaction
    variances: dict[str, Variance]
    played: tuple[Played, ...] = ()  # where its numbers come from

    @property
    def players(self) -> int:
        """Seats at the table."""
        return len(self.policies)

    def rows(self, headline: bool) -> tuple[Metric, ...]:
        """The headline metrics of which some effect is known, or the others."""
        return tuple(
            metric
            for metric in self.metrics
            if metric.headline == headline and any(each.verdict for each in self.compared[metric.name].values())
        )

    def strength(self, metric: str, effect: str) -> float:
        """An effect in margins; 0 where it is not known."""
        found, size = self.compared[metric][effect], self.sizes[metric]
        return abs(found.difference.value) / size if found.difference.known and size else 0.0


@dataclass(frozen=True)
class Sweep:
    """Everything that the report on a sweep shows; the first table is the main one."""

    title: str
    version: str
    seconds_per_turn: float
    margins: dict[str, Margin]
    design: Design
    described: dict[str, str]  # what each option does
    effects: tuple[Effect, ...]
    refused: tuple[str, ...]  # effects that need a cell which the rules refuse
    missing: tuple[str, ...]  # those cells, with the reason
    target: tuple[Condition, ...]
    base_played: bool  # whether the base is one of the cells, so that margins are relative to it
    sittings: tuple[Swept, ...]

    @property
    def main(self) -> Swept:
        """The table that the opening sentences and the figures are about."""
        return self.sittings[0]

    @property
    def played(self) -> tuple[Levels, ...]:
        """The cells that are played."""
        return tuple(cell.levels for cell in self.main.cells)

    def across(self, metric: str, effect: str) -> list[Comparison]:
        """The same effect at every table that has the measure."""
        found = [sitting.compared.get(metric, {}).get(effect) for sitting in self.sittings]
        return [each for each in found if each is not None and each.verdict]

    def agreement(self, metric: str, effect: str) -> str:
        """Whether all tables say the same of an effect: agree, disagree or open."""
        return agreement(self.across(metric, effect))


# -- building --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What is to be worked out of a sweep."""

    design: Design
    played: tuple[Levels, ...]
    effects: tuple[Effect, ...]
    target: tuple[Condition, ...]
    sensitivity: bool
    margins: Mapping[str, Margin]
    seconds_per_turn: float


def build(asked: Asked, tallies: Sequence[Tally], cards: Sequence[RulesetCard], policies: Sequence[tuple[str, str]], seed: int) -> Swept:
    """Works out every estimate, effect and verdict of one table; ``policies`` are (name, hash) by table seat."""
    plan = tallies[0].plan
    found = {metric.name: _measured(tallies, index, metric) for index, metric in enumerate(plan.metrics)}
    sizes = {metric.name: _size(asked, cards, metric, found[metric.name]) for metric in plan.metrics}
    compared, families = _compare(asked.effects, plan.metrics, found, sizes)
    headline = [metric.name for metric in plan.metrics if metric.headline]
    return Swept(
        policies=tuple(name for name, _ in policies),
        policy_hashes=tuple(digest for _, digest in policies),
        seed=seed,
        games=tallies[0].games,
        blocks=plan.blocks,
        block_games=plan.block_games,
        metrics=plan.metrics,
        sizes=sizes,
        families=families,
        cells=tuple(_cell(asked, *each) for each in zip(asked.played, tallies, cards, strict=True)),
        compared=compared,
        crossings=_crossings(asked, {name: found[name] for name in headline}),
        together=_together(asked, {name: found[name] for name in headline}),
        variances=_variances(asked, {name: found[name] for name in headline}),
    )


def _measured(tallies: Sequence[Tally], index: int, metric: Metric) -> Measured:
    sums = [_sums(tally, index, metric) for tally in tallies]
    there = [metric.measured(tally.traits) for tally in tallies]
    event = all(metric.of_every_game(tally.traits) for tally in tallies)
    return sweep.measured(sums, there, tallies[0].behind(index), metric.unit, metric.is_spread, event)


def _sums(tally: Tally, index: int, metric: Metric) -> tuple[Floats, Floats, Floats]:
    """Numerators, squares and denominators by block; there are squares only of what is a standard deviation."""
    if metric.is_spread:
        return tally.moments(index)
    numerators, denominators = tally.part(index)
    return numerators, np.zeros(len(numerators)), denominators


def _size(asked: Asked, cards: Sequence[RulesetCard], metric: Metric, found: Measured) -> float:
    """The margin in the metric's unit: relative to the base, or to the mean of all cells where the base is none of them."""
    at = base_cell(cards)
    known = found.values[np.isfinite(found.values)]
    base = float(found.values[at]) if at is not None and math.isfinite(found.values[at]) else float(known.mean()) if len(known) else 0.0
    return margin_of(metric, asked.margins).of(base)


def base_cell(cards: Sequence[RulesetCard]) -> int | None:
    """The cell that is the base itself; None if it is not among them."""
    return next((at for at, card in enumerate(cards) if not card.changes), None)


def _compare(
    effects: Sequence[Effect], metrics: Sequence[Metric], found: Mapping[str, Measured], sizes: Mapping[str, float]
) -> tuple[dict[str, dict[str, Comparison]], dict[str, int]]:
    """Every effect on every metric; those on headline metrics are one family, the others another."""
    compared: dict[str, dict[str, Comparison]] = {metric.name: {} for metric in metrics}
    families = {}
    for family, headline in (("scorecard", True), ("details", False)):
        rows = [(metric.name, effect) for metric in metrics if metric.headline == headline for effect in effects]
        differences = [found[name].difference(effect.weights) for name, effect in rows]
        verdicts = stats.judge(differences, [sizes[name] for name, _ in rows], "bh")
        families[family] = sum(verdict is not None for verdict in verdicts)
        for (name, effect), difference, verdict in zip(rows, differences, verdicts, strict=True):
            low, high = difference.interval() if difference.known else (-math.inf, math.inf)
            compared[name][effect.key] = Comparison(difference, low, high, verdict, NO_PAIRING, {})
    return compared, families


def _cell(asked: Asked, levels: Levels, tally: Tally, card: RulesetCard) -> Cell:
    metrics = tally.plan.metrics
    found = {metric.name: tally.estimate(index) for index, metric in enumerate(metrics) if metric.measured(tally.traits)}
    aimed = {each.text: _aimed(each, tally, found, asked.seconds_per_turn) for each in asked.target}
    words = [each.met(aimed[each.text]) for each in asked.target]
    return Cell(
        card=card,
        short=asked.design.short(levels),
        levels=levels,
        games=tally.games,
        measured=found,
        aimed=aimed,
        reached=sweep.verdict_of(words) if words else "",
        no_winner=tally.no_winner,
        failed_checks=dict(tally.failed_checks),
    )


def _aimed(condition: Condition, tally: Tally, found: Mapping[str, Estimate], seconds_per_turn: float) -> Estimate:
    """The number that a condition is about."""
    nothing = Estimate(math.nan, -math.inf, math.inf, tally.games, "")
    if condition.quantile:
        unit, p = condition.quantile
        return in_minutes(tally.quantile(p), seconds_per_turn) if unit == "minutes" else tally.quantile(p)
    if condition.measure == "minutes":
        return in_minutes(found["turns"], seconds_per_turn)
    return found.get(condition.measure, nothing)


def in_minutes(turns: Estimate, seconds_per_turn: float) -> Estimate:
    """A number of turns as minutes."""
    scale = seconds_per_turn / 60
    return dataclasses.replace(turns, value=turns.value * scale, low=turns.low * scale, high=turns.high * scale, unit="minutes")


def _crossings(asked: Asked, found: Mapping[str, Measured]) -> dict[tuple[str, str, str], Crossing]:
    """The means of every measure by the levels of every two options, as far as all their cells are played."""
    made = {}
    for one, other in itertools.combinations(asked.design.factors, 2):
        weights = [
            [sweep.mean_weights(asked.design, asked.played, {one.option: a, other.option: b}) for b in range(len(other.levels))]
            for a in range(len(one.levels))
        ]
        if any(each is None for row in weights for each in row):
            continue
        for name, measured in found.items():
            means = tuple(tuple(measured.mean(each) for each in row if each is not None) for row in weights)
            made[name, one.option, other.option] = Crossing((one.option, other.option), means)
    return made


def _together(asked: Asked, found: Mapping[str, Measured]) -> dict[tuple[str, str], Together]:
    """For every interaction what the two changes do to every measure alone and at once."""
    made = {}
    for effect in asked.effects:
        if effect.kind != INTERACTION:
            continue
        corners = _corners(asked, effect)
        first, second, both = (corner - corners[0] for corner in corners[1:])
        for name, measured in found.items():
            made[name, effect.key] = Together(*(_plain(measured, each) for each in (first, second, first + second, both)))
    return made


def _corners(asked: Asked, effect: Effect) -> list[Floats]:
    """Weights of the means without both changes, with the first, with the second and with both; an effect that is told has them all."""
    one, other = (next(factor for factor in asked.design.factors if factor.option == option) for option in effect.options)
    a, b = effect.levels
    pairs = [(one.reference, other.reference), (a, other.reference), (one.reference, b), (a, b)]
    found = [sweep.mean_weights(asked.design, asked.played, {one.option: x, other.option: y}) for x, y in pairs]
    return [each for each in found if each is not None]


def _plain(found: Measured, weights: Floats) -> Comparison:
    """A contrast with its interval, without a verdict."""
    difference = found.difference(weights)
    low, high = difference.interval() if difference.known else (-math.inf, math.inf)
    return Comparison(difference, low, high, None, NO_PAIRING, {})


def _variances(asked: Asked, found: Mapping[str, Measured]) -> dict[str, Variance]:
    if not asked.sensitivity:
        return {}
    shares = {name: sweep.variance(asked.design, each) for name, each in found.items()}
    return {name: each for name, each in shares.items() if each}


# -- what matters most -----------------------------------------------------------------------------


Row = tuple[Metric, Effect, Comparison]


def strongest(swept: Swept, effects: Sequence[Effect], *kinds: str, words: Sequence[str] = ()) -> list[Row]:
    """The effects of these kinds on the headline metrics that have one of these verdicts.

    Those that are shown to matter come first, then those of unclear size, then the others; each the largest for its margin first.
    """
    rows = [
        (metric, effect, found.verdict, found)
        for metric in swept.rows(headline=True)
        for effect in effects
        if (not kinds or effect.kind in kinds) and (found := swept.compared[metric.name][effect.key])
    ]
    told = [
        (metric, effect, verdict.word, found) for metric, effect, verdict, found in rows if verdict and (not words or verdict.word in words)
    ]
    order = (stats.DIFFERENT, stats.UNSIZED)
    told.sort(key=lambda row: (order.index(row[2]) if row[2] in order else len(order), -swept.strength(row[0].name, row[1].key)))
    return [(metric, effect, found) for metric, effect, _, found in told]


def idle(made: Sweep) -> list[str]:
    """The options that change nothing that matters in any headline metric, neither alone nor with another option."""
    changed: set[str] = set()
    for factor in made.design.factors:
        own = [effect for effect in made.effects if factor.option in effect.options]
        verdicts = [made.main.compared[metric.name][effect.key].verdict for metric in made.main.rows(headline=True) for effect in own]
        if not any(effect.kind == MAIN for effect in own) or any(
            verdict and verdict.word not in (stats.SAME, stats.NEGLIGIBLE) for verdict in verdicts
        ):
            changed.add(factor.option)
    return [factor.option for factor in made.design.factors if factor.option not in changed]


# -- JSON ------------------------------------------------------------------------------------------


def as_json(made: Sweep) -> dict[str, Any]:
    """Every number of the report, ready for ``json.dumps``; infinite and missing numbers are null."""
    design = made.design
    document = {
        "format": FORMAT,
        "simsorry": made.version,
        "title": made.title,
        "seconds_per_turn": made.seconds_per_turn,
        "level": stats.LEVEL,
        "margins": {name: {"amount": margin.amount, "relative_to_base": margin.relative} for name, margin in made.margins.items()},
        "design": {
            "base": design.base,
            "base_played": made.base_played,
            "factors": [
                {
                    "option": factor.option,
                    "description": made.described.get(factor.option, ""),
                    "levels": [level.shown for level in factor.levels],
                    "house_rules": [level.house_rule for level in factor.levels],
                    "reference": factor.levels[factor.reference].shown,
                }
                for factor in design.factors
            ],
            "cells_of_the_full_design": design.full,
            "fraction": dataclasses.asdict(design.fraction) if design.fraction else None,
            "missing": list(made.missing),
        },
        "effects": [
            {"key": effect.key, "kind": effect.kind, "title": effect.title, "options": effect.options, "weights": list(effect.weights)}
            for effect in made.effects
        ],
        "refused": list(made.refused),
        "target": [condition.text for condition in made.target],
        "sittings": [_sitting_json(made, sitting) for sitting in made.sittings],
    }
    plain: dict[str, Any] = stats.plain(document)
    return plain


def _numbers(found: Comparison) -> dict[str, float]:
    return {"value": found.difference.value, "error": found.difference.error, "low": found.low, "high": found.high}


def _sitting_json(made: Sweep, sitting: Swept) -> dict[str, Any]:
    names = ("policies", "policy_hashes", "seed", "games", "blocks", "block_games", "families")
    ranked = sweep.ranked(made.design, made.played, [cell.reached for cell in sitting.cells]) if made.target else []
    return {
        "players": sitting.players,
        **{name: getattr(sitting, name) for name in names},
        "metrics": {
            metric.name: {"title": metric.title, "unit": metric.unit, "definition": metric.definition, "margin": sitting.sizes[metric.name]}
            for metric in sitting.metrics
        },
        "cells": [dataclasses.asdict(cell) for cell in sitting.cells],
        "effects": {
            metric: {
                key: {**_numbers(found), "verdict": dataclasses.asdict(found.verdict) if found.verdict else None}
                for key, found in rows.items()
            }
            for metric, rows in sitting.compared.items()
        },
        "together": {
            metric: {
                key: {name: _numbers(getattr(pair, name)) for name in ("first", "second", "summed", "both")}
                for (measure, key), pair in sitting.together.items()
                if measure == metric
            }
            for metric in dict.fromkeys(measure for measure, _ in sitting.together)
        },
        "target": [sitting.cells[at].short for at in ranked],
        "variance": {
            name: {**dataclasses.asdict(each), "pairs": {" × ".join(pair): dataclasses.asdict(share) for pair, share in each.pairs.items()}}
            for name, each in sitting.variances.items()
        },
    }  # fmt: skip
