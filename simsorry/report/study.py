"""What a report is about: the estimates, differences and verdicts of every ruleset at every table, as plain records.

A *sitting* is one line-up of policies that played all the rulesets on the same game numbers; an *arm* is one
ruleset there. The first arm is the base that the others are compared with. Everything a report
shows is in a ``Study``, and ``as_json`` writes all of it down.
"""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simsorry import stats
from simsorry.gauge import Gauge
from simsorry.margin import Margin
from simsorry.metrics import MARGINS, PLAIN, QUANTILES, TEAM_NAMES, Metric, margin_of
from simsorry.report.audits import Audits, audits_of
from simsorry.report.board import Board
from simsorry.report.provenance import Played
from simsorry.report.tallies import Pair, Tallies, Tally
from simsorry.simulate import Traits
from simsorry.stats import Difference, Estimate, Fairness, Pairing, Verdict

FORMAT = "simsorry report 2"
SECONDS_PER_TURN = 15.0
MINUTES_SHOWN = (30, 60, 90, 120)
EVENING = (30, 60)  # minutes that a game for an evening should take
CURVE_POINTS = 120
FAMILIES: tuple[tuple[str, bool, stats.Correction], ...] = (("scorecard", True, "holm"), ("details", False, "bh"))  # name, headline, how


@dataclass(frozen=True)
class OptionChange:
    """One option in which a ruleset differs from the base."""

    option: str
    base: str
    here: str
    description: str


@dataclass(frozen=True)
class RulesetCard:
    """What identifies a ruleset in a report."""

    name: str
    short: str  # as it is called in tables and figures
    title: str
    source: str
    readings: tuple[str, ...]
    hash: str
    game: str
    game_version: int
    turn_cap: int
    task: str  # id of the task it was played as
    seat_colors: tuple[str, ...] = ()  # by table seat
    traits: Traits = PLAIN
    on_base: bool = False  # whether it is the base with house rules laid on top, which the short name then lists
    changes: tuple[OptionChange, ...] = ()
    gauge: Gauge | None = None  # of the chance to win, where it was followed
    board: Board | None = None  # None where its options are not known
    named: bool = False  # whether the short name is what somebody calls it in plain words


@dataclass(frozen=True)
class Comparison:
    """A metric's difference from the base and what it means."""

    difference: Difference
    low: float
    high: float
    verdict: Verdict | None  # None where one side had nothing to measure
    pairing: Pairing
    noticed: dict[int, Estimate] = field(default_factory=dict)  # games -> chance that who plays so many sees it
    of_base: float | None = None  # the difference over the base's value, where there is one


@dataclass(frozen=True)
class Member:
    """One of two partners, and how many games ended with their winning move; None of matches, which have no such move."""

    color: str
    policy: str
    ended: int | None


@dataclass(frozen=True)
class Team:
    """Two partners and their wins."""

    members: tuple[Member, Member]
    wins: int
    share: Estimate


@dataclass(frozen=True)
class Spread:
    """How a count differs from game to game."""

    quantiles: dict[float, Estimate]
    curve: tuple[tuple[int, float], ...]  # count -> share of games with no more than that


@dataclass(frozen=True)
class Arm:
    """One ruleset at one table. Sides are the play-order seats or, in team play, the team that moves first and the other."""

    ruleset: RulesetCard
    measured: dict[str, Estimate]  # what there is to measure under these rules
    minutes: Estimate
    sides: tuple[str, ...]
    side_wins: tuple[int, ...]
    no_winner: int
    side_shares: tuple[Estimate, ...]
    side_gap: Estimate
    fairness: Fairness
    even: bool  # whether all sides have the same policies
    teams: tuple[Team, ...]
    ended: tuple[Estimate, ...]  # share of the winning moves by play-order seat; only in team play, and not of matches
    quantiles: dict[float, Estimate]
    over_within: dict[int, Estimate]  # minutes -> share of games over by then
    evening: Estimate  # how well lengths fit EVENING, on average: 1 within, falling evenly to 0 at no time and at twice as long
    longer: Estimate | None  # chance that a game is longer than one of the base; None for the base
    curve: tuple[tuple[int, float], ...]  # turns -> share of games over by then
    spreads: dict[str, Spread]  # by column, of some that the game counts
    failed_checks: dict[str, int]
    unchanged: Estimate | None  # games that run the same course as under the base
    compared: dict[str, Comparison]  # what both can be measured by; empty for the base
    audits: Audits | None  # None where no game was audited, or it is not known of these games

    @property
    def games(self) -> int:
        """Games played."""
        return sum(self.side_wins) + self.no_winner

    @property
    def traits(self) -> Traits:
        """What its rules have beside the plain race."""
        return self.ruleset.traits


@dataclass(frozen=True)
class Stopping:
    """How the number of games came about, where it was not given."""

    rule: str  # "until every verdict of the scorecard is clear"
    looks: int  # times that was looked whether there are enough games
    most: int  # games that might have been played
    reached: bool  # whether it stopped because there are enough
    expected: int | None = None  # games to which the confidence sequences are tuned; None where intervals are ordinary ones


@dataclass(frozen=True)
class Sitting:
    """One table: who plays, which games, and what every ruleset gave."""

    policies: tuple[str, ...]  # by table seat
    policy_hashes: tuple[str, ...]
    seed: int
    first_game: int
    games: int
    blocks: int
    block_games: int
    metrics: tuple[Metric, ...]
    margins: dict[str, Margin]  # by metric
    families: dict[str, int]  # verdicts corrected together: "scorecard" and "details" of differences, "seats" of equal seats or teams
    arms: tuple[Arm, ...]
    stopping: Stopping | None = None
    notes: tuple[str, ...] = ()  # what cannot be said because of how the games were kept
    called: str = ""  # what the variants are together, where somebody has said so: editions
    played: tuple[Played, ...] = ()  # where its numbers come from

    @property
    def looked(self) -> bool:
        """Whether the intervals of differences hold for all looks at once, as those of a confidence sequence."""
        return self.stopping is not None and self.stopping.expected is not None

    @property
    def players(self) -> int:
        """Seats at the table."""
        return len(self.policies)

    @property
    def base(self) -> Arm:
        """The arm that the others are compared with."""
        return self.arms[0]

    @property
    def variants(self) -> tuple[Arm, ...]:
        """The other arms."""
        return self.arms[1:]

    def rows(self, headline: bool) -> tuple[Metric, ...]:
        """The metrics of the scorecard, or those of the longer table."""
        return tuple(metric for metric in self.metrics if metric.headline == headline)

    def shared(self, headline: bool) -> tuple[Metric, ...]:
        """Those of them that the base and at least one variant have; without a variant, all."""
        return tuple(
            metric for metric in self.rows(headline) if not self.variants or any(metric.name in arm.compared for arm in self.variants)
        )

    def unshared(self, headline: bool) -> tuple[Metric, ...]:
        """Those of them that some ruleset has, but not the base and a variant both."""
        shared = self.shared(headline)
        return tuple(metric for metric in self.rows(headline) if metric not in shared)


@dataclass(frozen=True)
class Study:
    """Everything a report shows; the first sitting is the main one."""

    title: str
    version: str
    seconds_per_turn: float
    margins: dict[str, Margin]  # as they stood: by kind of metric, and by metric where the user named one
    sittings: tuple[Sitting, ...]
    repeated: bool = True  # whether the other sittings repeat the first one's question with other policies

    @property
    def main(self) -> Sitting:
        """The sitting that the opening sentences and the figures are about."""
        return self.sittings[0]


# -- building --------------------------------------------------------------------------------------


def build_sitting(
    tallies: Tallies,
    rulesets: Sequence[RulesetCard],
    policies: Sequence[tuple[str, str]],
    seed: int,
    margins: Mapping[str, Margin],
    seconds_per_turn: float = SECONDS_PER_TURN,
    stopping: Stopping | None = None,
    notes: tuple[str, ...] = (),
) -> Sitting:
    """Works out every estimate and verdict of one table; ``policies`` are (name, hash) by table seat."""
    plan = tallies.plan
    base = tallies.tallies[0]
    values = {metric.name: base.estimate(index).value for index, metric in enumerate(plan.metrics)}
    sizes = {metric.name: margin_of(metric, margins).of(values[metric.name]) for metric in plan.metrics}
    compared, families = _compare(plan.metrics, tallies.pairs, values, sizes, stopping.expected if stopping else None)
    names = [name for name, _ in policies]
    fair = _fairness(tallies.tallies, names, margins.get("seat_share", MARGINS["seat_share"]))
    families["seats"] = sum(_even(tally, names) for tally in tallies.tallies)
    arms = [
        _arm(tally, ruleset, names, found, pair, equal, seconds_per_turn)
        for tally, ruleset, found, pair, equal in zip(tallies.tallies, rulesets, [{}, *compared], [None, *tallies.pairs], fair, strict=True)
    ]
    return Sitting(
        policies=tuple(names),
        policy_hashes=tuple(digest for _, digest in policies),
        seed=seed,
        first_game=plan.first_game,
        games=base.games,
        blocks=plan.blocks,
        block_games=plan.block_games,
        metrics=plan.metrics,
        margins={metric.name: margin_of(metric, margins) for metric in plan.metrics},
        families=families,
        arms=tuple(arms),
        stopping=stopping,
        notes=notes,
    )


def _compare(
    metrics: Sequence[Metric], pairs: Sequence[Pair], values: Mapping[str, float], margins: Mapping[str, float], expected: int | None
) -> tuple[list[dict[str, Comparison]], dict[str, int]]:
    """The comparisons of every pair; all verdicts of one table of the report are one family.

    Those of the scorecard are corrected so that hardly ever any of them is a false alarm, the others so that few are. ``expected``
    is for differences that are looked at again and again: the games that their confidence sequences are tuned to. ``values`` and
    ``margins`` are those of the base, by metric.
    """
    compared: list[dict[str, Comparison]] = [{} for _ in pairs]
    families = {}
    for family, headline, correction in FAMILIES:
        cells = [
            (at, index)
            for at, pair in enumerate(pairs)
            for index, metric in enumerate(metrics)
            if metric.headline == headline and metric.measured(pair.base.traits) and metric.measured(pair.variant.traits)
        ]
        differences = [pairs[at].difference(index) for at, index in cells]
        if expected:
            differences = [stats.looked_at(difference, expected) for difference in differences]
        verdicts = stats.judge(differences, [margins[metrics[index].name] for _, index in cells], correction)
        families[family] = sum(verdict is not None for verdict in verdicts)
        for (at, index), difference, verdict in zip(cells, differences, verdicts, strict=True):
            low, high = difference.interval() if difference.known else (-math.inf, math.inf)
            noticed = _noticed(pairs[at], index, difference)
            name = metrics[index].name
            of_base = difference.value / values[name] if difference.known and values[name] else None
            compared[at][name] = Comparison(difference, low, high, verdict, pairs[at].pairing(index), noticed, of_base)
    return compared, families


def _even(tally: Tally, policies: Sequence[str]) -> bool:
    """Whether all sides have the same policies."""
    sides = tally.traits.teams or [(seat,) for seat in range(len(policies))]
    return len({tuple(sorted(policies[seat] for seat in side)) for side in sides}) == 1


def _fairness(tallies: Sequence[Tally], policies: Sequence[str], margin: Margin) -> list[Fairness]:
    """Whether seats are equal under every ruleset; the verdicts on those under which they have the same players are one family."""
    wins = [[int(count) for count in tally.side_wins] for tally in tallies]
    sizes = [margin.of(1 / len(each)) for each in wins]
    judged = [at for at, tally in enumerate(tallies) if _even(tally, policies)]
    found = dict(zip(judged, stats.fairness_of([wins[at] for at in judged], [sizes[at] for at in judged]), strict=True))
    return [found[at] if at in found else stats.fairness(wins[at], sizes[at]) for at in range(len(tallies))]


def _noticed(pair: Pair, index: int, difference: Difference) -> dict[int, Estimate]:
    """How likely somebody is to see a difference who plays a few games of each ruleset, which then have nothing in common."""
    errors = [stats.standard_error(side.influence(index)) for side in (pair.base, pair.variant)]
    deviation = math.hypot(*errors) * math.sqrt(pair.base.games)
    return {games: stats.noticing(difference, deviation, games) for games in stats.NOTICED_IN}


def _arm(
    tally: Tally,
    ruleset: RulesetCard,
    policies: Sequence[str],
    compared: dict[str, Comparison],
    pair: Pair | None,
    fair: Fairness,
    seconds_per_turn: float,
) -> Arm:
    wins = [int(count) for count in tally.side_wins]
    metrics, teams = tally.plan.metrics, tally.traits.teams
    measured = {metric.name: tally.estimate(index) for index, metric in enumerate(metrics) if metric.measured(tally.traits)}
    return Arm(
        ruleset=ruleset,
        measured=measured,
        minutes=_minutes(measured["turns"], seconds_per_turn),
        sides=TEAM_NAMES if teams else tuple(f"seat {seat + 1}" for seat in range(len(wins))),
        side_wins=tuple(wins),
        no_winner=tally.no_winner,
        side_shares=tuple(stats.shares(wins)),
        side_gap=stats.gap(wins),
        fairness=fair,
        even=_even(tally, policies),
        teams=_teams(tally, ruleset, policies),
        ended=tuple(stats.shares(tally.ended.sum(axis=1).tolist())) if teams and not tally.traits.match else (),
        quantiles={p: tally.quantile(p) for p in QUANTILES},
        over_within={minutes: _over_within(tally, minutes * 60 / seconds_per_turn) for minutes in MINUTES_SHOWN},
        evening=_evening(tally, seconds_per_turn / 60),
        longer=_longer(pair) if pair else None,
        curve=_curve(tally.lengths, tally.games),
        spreads={name: _spread(values, tally.games) for name, values in tally.values.items()},
        failed_checks=dict(tally.failed_checks),
        unchanged=pair.unchanged if pair else None,
        compared=compared,
        audits=audits_of(tally.audits, ruleset.game, tally.plan.players),
    )


def _teams(tally: Tally, ruleset: RulesetCard, policies: Sequence[str]) -> tuple[Team, ...]:
    ended = [int(count) for count in tally.ended.sum(axis=0)]
    wins = [ended[one] + ended[other] for one, other in tally.traits.teams]
    shares = stats.shares(wins) if wins else []
    told = [None if tally.traits.match else moves for moves in ended]
    members = [[Member(ruleset.seat_colors[seat], policies[seat], told[seat]) for seat in pair] for pair in tally.traits.teams]
    return tuple(Team((one, other), won, share) for (one, other), won, share in zip(members, wins, shares, strict=True))


def _minutes(turns: Estimate, seconds_per_turn: float) -> Estimate:
    scale = seconds_per_turn / 60
    return dataclasses.replace(turns, value=turns.value * scale, low=turns.low * scale, high=turns.high * scale, unit="minutes")


def _over_within(tally: Tally, turns: float) -> Estimate:
    """Share of games that are over within so many turns."""
    return stats.share(int(tally.lengths[: math.floor(turns) + 1].sum()), tally.games)


def _evening(tally: Tally, minutes_per_turn: float) -> Estimate:
    """Mean of a trapezoid over the lengths of all games, with a normal interval; a game that was cut off does not fit at all."""
    minutes = np.arange(len(tally.lengths)) * minutes_per_turn
    shortest, longest = EVENING
    fit = np.clip(np.minimum(minutes / shortest, 2 - minutes / longest), 0.0, 1.0)
    games = max(tally.games, 1)
    mean = float(fit @ tally.lengths) / games
    error = math.sqrt(max(float(fit**2 @ tally.lengths) / games - mean**2, 0.0) / games)
    half = 1.959964 * error
    return Estimate(mean, max(0.0, mean - half), min(1.0, mean + half), tally.games, "share")


def _longer(pair: Pair) -> Estimate:
    """Chance that a game of the variant is longer than one of the base, games that were cut off being longer than all others."""
    return stats.longer(pair.variant.lengths, pair.base.lengths, (pair.variant.no_winner, pair.base.no_winner))


def _spread(values: stats.Counts, games: int) -> Spread:
    return Spread({p: stats.quantile(values, p) for p in QUANTILES}, _curve(values, games))


def _curve(values: stats.Counts, games: int) -> tuple[tuple[int, float], ...]:
    """A distribution, such as that of the length, as points to draw, up to where all but one game in 500 have their place."""
    if not games:
        return ()
    cumulative = np.cumsum(values) / games
    last = int(np.searchsorted(cumulative, 0.998))
    found = np.unique(np.linspace(0, min(last, len(cumulative) - 1), CURVE_POINTS).astype(int))
    return tuple((int(value), float(cumulative[value])) for value in found)


# -- agreement between line-ups --------------------------------------------------------------------


def side(comparison: Comparison) -> int | None:
    """+1 or -1 for a difference, 0 for none that matters, None if that is undecided."""
    verdict = comparison.verdict
    if verdict is None or verdict.word == stats.UNDECIDED:
        return None
    if verdict.word in (stats.SAME, stats.NEGLIGIBLE):
        return 0
    return 1 if comparison.difference.value > 0 else -1


def agreement(comparisons: Sequence[Comparison]) -> str:
    """Whether the same question got the same answer at every table: "agree", "disagree" or "open"."""
    sides = [side(comparison) for comparison in comparisons]
    decided = {each for each in sides if each is not None}
    if len(decided) > 1:
        return "disagree"
    return "open" if None in sides else "agree"


# -- JSON ------------------------------------------------------------------------------------------


def as_json(study: Study) -> dict[str, Any]:
    """Every number of the report, ready for ``json.dumps``; infinite and missing numbers are null."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "simsorry": study.version,
        "title": study.title,
        "seconds_per_turn": study.seconds_per_turn,
        "level": stats.LEVEL,
        "equivalence_level": stats.EQUIVALENCE_LEVEL,
        "margins": {name: _margin(margin) for name, margin in study.margins.items()},
        "metrics": {
            metric.name: {
                "title": metric.title,
                "unit": metric.unit,
                "definition": metric.definition,
                "columns": metric.columns,
                "margin": metric.margin,
                "table": "scorecard" if metric.headline else "details",
            }
            for sitting in study.sittings
            for metric in sitting.metrics
        },
        "sittings": [_sitting_json(sitting) for sitting in study.sittings],
    }
    plain: dict[str, Any] = stats.plain(document)
    return plain


def _margin(margin: Margin) -> dict[str, Any]:
    return {"amount": margin.amount, "relative_to_base": margin.relative}


def _sitting_json(sitting: Sitting) -> dict[str, Any]:
    names = ("policies", "policy_hashes", "seed", "first_game", "games", "blocks", "block_games", "families", "notes")
    return {
        "players": sitting.players,
        **{name: getattr(sitting, name) for name in names},
        "margins": {name: _margin(margin) for name, margin in sitting.margins.items()},
        "corrections": {**{family: correction for family, _, correction in FAMILIES}, "seats": "holm"},
        "stopping": dataclasses.asdict(sitting.stopping) if sitting.stopping else None,
        "rulesets": [{**dataclasses.asdict(arm), "games": arm.games} for arm in sitting.arms],
    }
