"""The report on a survey: many rulesets one by one, as sentences, tables, figures and JSON."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from simsorry import __version__, stats
from simsorry.margin import Margin
from simsorry.report import words
from simsorry.report.drawing import BAND, FAINT, INK, LINE, Picture, clip, legend, legend_lines, look, whiskers
from simsorry.report.provenance import Played
from simsorry.report.render import Part, Report, Section
from simsorry.report.study import MINUTES_SHOWN, Arm
from simsorry.report.tables import Table
from simsorry.stats import Difference, Estimate, Verdict
from simsorry.survey import Entry, Plan

FORMAT = "simsorry report survey 1"
FIRST_PLAYER, EVENING = "first_player", "evening"  # what may be looked at
BEDTIME = 60  # minutes: the length that sentences are about
ROW = 0.2  # inches, of one ruleset in a figure
NAMED = 3  # rulesets that a sentence names before it counts the others
HELPS, HURTS, EVEN, UNSIZED, OPEN = "helps", "hurts", "no practical difference", "size open", "open"
TOLD = {
    HELPS: "it helps in {many}",
    HURTS: "it hurts in {many}",
    EVEN: "it makes no practical difference in {many}",
    UNSIZED: "it helps or hurts, but by how much is open, in {many}",
    OPEN: "whether it helps is open in {many}",
}


@dataclass(frozen=True)
class Row:
    """What the games of one entry came to."""

    entry: Entry
    arm: Arm
    advantage: Difference  # of the side that moves first: its share of the wins minus the even one
    verdict: Verdict | None

    @property
    def players(self) -> int:
        """Seats at the table."""
        return self.entry.task.players

    @property
    def effect(self) -> str:
        """What moving first does, in words."""
        word = self.verdict.word if self.verdict else stats.UNDECIDED
        clear = {stats.DIFFERENT: HELPS if self.advantage.value > 0 else HURTS, stats.UNSIZED: UNSIZED, stats.UNDECIDED: OPEN}
        return clear.get(word, EVEN)


@dataclass(frozen=True)
class Surveyed:
    """Everything that was found."""

    plan: Plan
    rows: tuple[Row, ...]
    margin: Margin  # of a share of the wins
    seconds_per_turn: float

    @property
    def games(self) -> int:
        """All games played."""
        return sum(row.arm.games for row in self.rows)

    @property
    def policies(self) -> tuple[str, ...]:
        """Those who play, each by itself."""
        return self.plan.asked.line_ups

    def at(self, players: int, policy: str | None = None) -> list[Row]:
        """The rows of tables of one size."""
        return [row for row in self.rows if row.players == players and policy in (None, row.entry.policy)]

    @property
    def sizes(self) -> list[int]:
        """Numbers of players, as they were asked for."""
        assert self.plan.asked.survey
        return [players for players in self.plan.asked.survey.players if self.at(players)]

    @property
    def show(self) -> str:
        """What is looked at."""
        assert self.plan.asked.survey
        return self.plan.asked.survey.show


def build(plan: Plan, arms: Sequence[Arm], margin: Margin, seconds_per_turn: float) -> Surveyed:
    """Judges all entries together (Benjamini and Hochberg); ``arms`` are what their games came to, in the same order."""
    advantages = [_advantage(arm) for arm in arms]
    verdicts = stats.judge(advantages, [margin.of(1 / len(arm.sides)) for arm in arms], "bh")
    rows = [Row(*each) for each in zip(plan.entries, arms, advantages, verdicts, strict=True)]
    return Surveyed(plan, tuple(rows), margin, seconds_per_turn)


def _advantage(arm: Arm) -> Difference:
    """Share of the wins of the side that moves first, minus an even share; games that nobody won are left out."""
    won, even = sum(arm.side_wins), 1 / len(arm.sides)
    if not won:
        return stats.unknown(0, "share")
    share = arm.side_wins[0] / won
    spread = (arm.side_wins[0] + 1) / (won + 2)  # so that never or always winning is not known for sure
    return Difference(share - even, math.sqrt(spread * (1 - spread) / won), math.inf, won, "share")


# -- words -----------------------------------------------------------------------------------------


def in_short(found: Surveyed) -> list[str]:
    """The opening: a paragraph on each number of players."""
    told = {FIRST_PLAYER: _first_sentences, EVENING: _evening_sentences}[found.show]
    return [" ".join(told(found, players)) for players in found.sizes]


def _table_of(players: int) -> str:
    return f"At a table of {words.small(players)}"


def _who(policy: str) -> str:
    return f"{policy} players"


def _count(rows: Sequence[Row], total: int) -> str:
    return "all" if len(rows) == total else f"{words.small(len(rows))} of {words.small(total)}"


def _first_sentences(found: Surveyed, players: int) -> list[str]:
    many = len({row.entry.spec for row in found.at(players)})
    rulesets = f"{words.small(many)} rulesets were" if many > 1 else "one ruleset was"
    sentences = [
        f"{_table_of(players)}, where an even share is {words.percent(1 / players)} of the wins for one player, {rulesets} played."
    ]
    for policy in found.policies:
        rows = found.at(players, policy)
        clauses = [clause for effect in TOLD if (clause := _first_clause(rows, effect))]
        least, most = (pick(row.advantage.value for row in rows) for pick in (min, max))
        from_to = _from_even(least) if len(rows) == 1 else f"between {_from_even(least)} and {_from_even(most)}"
        sentences.append(f"With {_who(policy)} who moves first wins {from_to} than an even share: {'; '.join(clauses)}.")
    return [*sentences, *_clash_sentence(found, players)]


def _from_even(advantage: float) -> str:
    """``1.2 points more``: of a share of the wins."""
    return f"{words.number(abs(advantage) * 100, 1)} points {'fewer' if advantage < 0 else 'more'}"


def _first_clause(rows: Sequence[Row], effect: str) -> str:
    those = sorted((row for row in rows if row.effect == effect), key=lambda row: -abs(row.advantage.value))
    if not those:
        return ""
    all_of_them = "this one" if len(rows) == 1 else "all of them"
    said = TOLD[effect].format(many=all_of_them if len(those) == len(rows) else words.small(len(those)))
    if effect not in (HELPS, HURTS):
        return said
    named = [
        f"{row.entry.spec} ({words.value(row.arm.side_shares[0])} of the wins, {words.span(row.arm.side_shares[0])})"
        for row in those[:NAMED]
    ]
    more = "" if len(those) <= NAMED else ", and less in the others"
    return f"{said}, {'most ' if len(those) > 1 else ''}under {words.listed(named)}{more}"


def _clash_sentence(found: Surveyed, players: int) -> list[str]:
    """Rulesets in which moving first does one thing for some players and another for others."""
    by_spec: dict[str, set[str]] = {}
    for row in found.at(players):
        if row.effect in (HELPS, HURTS, EVEN):
            by_spec.setdefault(row.entry.spec, set()).add(row.effect)
    clashing = [spec for spec, effects in by_spec.items() if len(effects) > 1]
    if not clashing or len(found.policies) < 2:
        return []
    named = words.listed(clashing) if len(clashing) <= NAMED else f"{words.listed(clashing[:NAMED])}, and {len(clashing) - NAMED} more"
    return [f"The answer depends on who plays in {named}."]


def _evening_sentences(found: Surveyed, players: int) -> list[str]:
    first = found.at(players)[0].entry.spec
    halves = [
        f"{_half(found, row)} with {_who(policy)}"
        for policy in found.policies
        for row in found.at(players, policy)
        if row.entry.spec == first
    ]
    clock = f"at {found.seconds_per_turn:g} seconds a turn"
    sentences = [f"{_table_of(players)}, half of the games of {first} end {words.listed(halves)}, {clock}."]
    for policy in found.policies:
        rows = sorted(found.at(players, policy), key=lambda row: row.arm.quantiles[0.5].value)
        if len(rows) < 2:
            continue
        within = [row for row in rows if row.arm.over_within[BEDTIME].value >= 0.5]
        shortest, longest = (f"{row.entry.spec} ({_half(found, row)})" for row in (rows[0], rows[-1]))
        done = f"in {_count(within, len(rows))} rulesets half of the games or more are over within an hour"
        sentences.append(f"With {_who(policy)} the shortest game is {shortest}, the longest {longest}; {done}.")
    return sentences


def _half(found: Surveyed, row: Row) -> str:
    """Within which time half of the games of a row end."""
    minutes = _minutes(found, row)
    return f"within {words.clock(minutes)}" if math.isfinite(minutes) else "never, being cut off"


def _minutes(found: Surveyed, row: Row, p: float = 0.5) -> float:
    return row.arm.quantiles[p].value * found.seconds_per_turn / 60


# -- tables ----------------------------------------------------------------------------------------


def _first_table(found: Surveyed, players: int) -> Table:
    rows = [
        (
            row.entry.spec,
            row.entry.policy,
            words.with_span(row.arm.side_shares[0]),
            ", ".join(words.value(share) for share in row.arm.side_shares[1:]),
            words.shift(_as_estimate(row.advantage)),
            row.verdict.text if row.verdict else words.NONE,
            words.count(sum(row.arm.side_wins)),
        )
        for row in found.at(players)
    ]
    headings = ("Ruleset", "Who plays", "First to move wins", "Later ones, in order", "Advantage of the first", "Verdict", "Games won")
    note = (
        "Shares of the games that somebody won; in teams those of the team that moves first and of the other. Intervals of the shares "
        f"hold for all seats at once (Goodman). The margin is {words.margin_rule(found.margin, 'share')}; {len(found.rows)} verdicts were "
        "corrected together (Benjamini and Hochberg)."
    )
    return Table(f"first-{players}", f"Who wins at a table of {words.small(players)}", headings, tuple(rows), note)


def _as_estimate(each: Difference) -> Estimate:
    return Estimate(each.value, *each.interval(), each.n, each.unit)


def _evening_table(found: Surveyed, players: int) -> Table:
    rows = [
        (
            row.entry.spec,
            row.entry.policy,
            words.whole_with_span(row.arm.quantiles[0.5]),
            words.clock(_minutes(found, row)),
            words.clock(_minutes(found, row, 0.95)),
            *(words.with_span(row.arm.over_within[minutes]) for minutes in MINUTES_SHOWN),
            words.count(row.arm.games),
        )
        for row in found.at(players)
    ]
    headings = (
        "Ruleset", "Who plays", "Turns (median)", "Half end within", "19 in 20 end within",
        *(f"Over within {minutes} minutes" for minutes in MINUTES_SHOWN), "Games",
    )  # fmt: skip
    note = (
        f"Time at {found.seconds_per_turn:g} seconds a turn. A match counts as one game. Games that were cut off count as longer than all."
    )
    return Table(f"evening-{players}", f"How long it takes {words.small(players)} players", headings, tuple(rows), note)


def _identity(found: Surveyed) -> Table:
    cards = {row.entry.spec: row for row in found.rows}
    rows = [
        (
            spec,
            row.arm.ruleset.title,
            row.arm.ruleset.game,
            row.arm.ruleset.hash,
            words.listed([str(players) for players in found.sizes if any(each.entry.spec == spec for each in found.at(players))]),
        )
        for spec, row in cards.items()
    ]
    return Table("rulesets", "The rulesets", ("Ruleset", "Title", "Game", "Hash of the rules", "Players"), tuple(rows), wordy=True)


# -- figures ---------------------------------------------------------------------------------------


def _order(found: Surveyed, players: int, value: Callable[[Row], float]) -> list[str]:
    """The rulesets at tables of a size, that with the largest value for the first who play on top."""
    rows = found.at(players, found.policies[0])
    return [row.entry.spec for row in sorted(rows, key=value, reverse=True)]


def _rows_on_axis(axes: Axes, order: Sequence[str]) -> None:
    axes.set_yticks(range(len(order)), [clip(spec, 30) for spec in order], fontsize=7.5)
    axes.set_ylim(len(order) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")


def _shifted(order: Sequence[str], row: Row, at: int, many: int) -> float:
    return order.index(row.entry.spec) + (at - (many - 1) / 2) * 0.62 / max(many, 2)


def _height(found: Surveyed, order: Sequence[str]) -> float:
    lines = LINE * legend_lines(found.policies) if len(found.policies) > 1 else 0
    return 0.75 + len(order) * max(ROW, 0.12 * len(found.policies)) + lines


def _first_picture(found: Surveyed, players: int) -> Picture:
    order = _order(found, players, lambda row: row.advantage.value)
    margin = found.margin.of(1 / players) * 100

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvspan(-margin, margin, color=BAND, lw=0, zorder=0)
        axes.axvline(0, color=FAINT, lw=0.8, zorder=1)
        for at, policy in enumerate(found.policies):
            rows = found.at(players, policy)
            shares = [_as_estimate(row.advantage) for row in rows]
            bounds = [[bound * 100 for bound in side] for side in whiskers(*shares)]
            axes.errorbar(
                [each.value * 100 for each in shares], [_shifted(order, row, at, len(found.policies)) for row in rows], xerr=bounds,
                ls="none", ms=3.6, lw=1.1, capsize=1.5, zorder=3, label=policy, **look(at),
            )  # fmt: skip
        _rows_on_axis(axes, order)
        axes.set_xlabel("points of the wins above an even share")
        if len(found.policies) > 1:
            legend(axes, found.policies)

    shows = (
        f"What who moves first wins above an even share, in percentage points, with {stats.LEVEL:.0%} intervals; in the band it is "
        f"less than {_limit(found, players)}. {_games(found, players)}."
    )
    return Picture(f"first-{players}", _first_finding(found, players), shows, draw, _height(found, order))


def _games(found: Surveyed, players: int) -> str:
    many = sorted(row.arm.games for row in found.at(players))
    each = words.count(many[0]) if many[0] == many[-1] else f"{words.count(many[0])} to {words.count(many[-1])}"
    return f"{each} games of each ruleset with each kind of players, {players} players"


def _limit(found: Surveyed, players: int) -> str:
    return words.points(found.margin.of(1 / players))


def _first_finding(found: Surveyed, players: int) -> str:
    rows = found.at(players)
    specs = list(dict.fromkeys(row.entry.spec for row in rows))
    helped = [spec for spec in specs if any(row.effect == HELPS for row in rows if row.entry.spec == spec)]
    if not helped:
        return (
            f"{_table_of(players)} moving first is not shown to help by more than {_limit(found, players)} in any of {len(specs)} rulesets"
        )
    most = max(rows, key=lambda row: row.advantage.value)
    return (
        f"{_table_of(players)} moving first helps by more than {_limit(found, players)} in {len(helped)} of {len(specs)} rulesets, most in "
        f"{clip(most.entry.spec, 30)}: {words.rough(most.arm.side_shares[0])} of the wins"
    )


def _evening_picture(found: Surveyed, players: int) -> Picture:
    order = _order(found, players, lambda row: row.arm.quantiles[0.5].value)

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(BEDTIME, color=FAINT, lw=0.8, zorder=1)
        for at, policy in enumerate(found.policies):
            for row in found.at(players, policy):
                height = _shifted(order, row, at, len(found.policies))
                _range(axes, height, [_minutes(found, row, p) for p in (0.05, 0.25, 0.5, 0.75, 0.95)], at)
            axes.plot([], [], ls="none", ms=4, label=policy, **look(at))
        _rows_on_axis(axes, order)
        axes.set_xscale("log")
        shown = [2, 4, 8, 15, 30, 60, 120, 240, 480, 960, 1920]
        low, high = axes.get_xlim()
        axes.set_xticks([tick for tick in shown if low <= tick <= high], [_hours(tick) for tick in shown if low <= tick <= high])
        axes.tick_params(axis="x", labelsize=7.5)
        axes.minorticks_off()
        axes.set_xlabel(f"time at {found.seconds_per_turn:g} seconds a turn; each step doubles it")
        if len(found.policies) > 1:
            legend(axes, found.policies)

    shows = (
        f"How long games last: the marker is the median, half of them lie on the thick line, nine in ten on the thin one. The upright line "
        f"is at an hour. {_games(found, players)}."
    )
    return Picture(f"evening-{players}", _evening_finding(found, players), shows, draw, _height(found, order))


def _hours(minutes: int) -> str:
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h"


def _range(axes: Axes, height: float, minutes: Sequence[float], at: int) -> None:
    """One distribution: nine in ten, half, the median; what is not known for games that were cut off is not drawn."""
    color = look(at)["color"]
    known = [value if math.isfinite(value) else math.nan for value in minutes]
    axes.plot([known[0], known[4]], [height] * 2, color=color, lw=0.9, zorder=2)
    axes.plot([known[1], known[3]], [height] * 2, color=color, lw=2.6, zorder=2, solid_capstyle="butt")
    axes.plot([known[2]], [height], ls="none", ms=4, zorder=3, markeredgecolor=INK, markeredgewidth=0.4, **look(at))


def _evening_finding(found: Surveyed, players: int) -> str:
    parts = []
    for policy in found.policies:
        rows = found.at(players, policy)
        within = [row for row in rows if row.arm.over_within[BEDTIME].value >= 0.5]
        parts.append(f"{len(within)} of {len(rows)} with {_who(policy)}")
    return f"Rulesets for {words.small(players)} that are over within an hour at least every second time: {words.listed(parts)}"


# -- the report ------------------------------------------------------------------------------------

_SHOWN: dict[str, tuple[Callable[[Surveyed, int], Picture], Callable[[Surveyed, int], Table]]] = {
    FIRST_PLAYER: (_first_picture, _first_table),
    EVENING: (_evening_picture, _evening_table),
}


def render(found: Surveyed) -> Report:
    """The report."""
    picture, table = _SHOWN[found.show]
    chapters = [
        Section(
            f"players-{players}",
            f"{words.capital(words.small(players))} players",
            parts=(Part(pictures=(picture(found, players),), tables=(table(found, players),)),),
        )
        for players in found.sizes
    ]
    sections = [
        Section("in-short", "In short", tuple(in_short(found)), lead=True),
        *chapters,
        Section("identity", "What was played", _left_out(found), (Part(tables=(_identity(found),)),)),
    ]
    many = len({row.entry.spec for row in found.rows})
    rulesets = f"{words.count(many)} ruleset{'s' if many > 1 else ''}"
    subtitle = f"{words.count(found.games)} simulated games of {rulesets}; {words.listed([_who(each) for each in found.policies])}."
    asked, tasks = found.plan.asked, tuple(Played(row.entry.task.describe(), row.arm.games) for row in found.rows)
    return Report(asked.title, __version__, subtitle, tuple(sections), as_json(found), asked.seed, found.games, played=tasks)


def _left_out(found: Surveyed) -> tuple[str, ...]:
    """A sentence on the rulesets that are not for all numbers of players."""
    specs = dict.fromkeys(spec for spec, _ in found.plan.left_out)
    sizes = {spec: words.listed([str(players) for other, players in found.plan.left_out if other == spec], "or") for spec in specs}
    told = [
        f"{words.listed([spec for spec in specs if sizes[spec] == size])} not for {size} players" for size in dict.fromkeys(sizes.values())
    ]
    return (f"Left out, as the rules do not allow it: {'; '.join(told)}.",) if told else ()


def as_json(found: Surveyed) -> dict[str, Any]:
    """Every number of the report, ready for ``json.dumps``; infinite and missing numbers are null."""
    asked = found.plan.asked
    document: dict[str, Any] = {
        "format": FORMAT,
        "simsorry": __version__,
        "title": asked.title,
        "seed": asked.seed,
        "games": found.games,
        "level": stats.LEVEL,
        "seconds_per_turn": found.seconds_per_turn,
        "margin": {"amount": found.margin.amount, "relative_to_even_share": found.margin.relative},
        "verdicts_corrected_together": len(found.rows),
        "correction": "bh",
        "left_out": [{"ruleset": spec, "players": players} for spec, players in found.plan.left_out],
        "entries": [_row_json(row) for row in found.rows],
    }
    plain: dict[str, Any] = stats.plain(document)
    return plain


def _row_json(row: Row) -> dict[str, Any]:
    low, high = row.advantage.interval() if row.advantage.known else (math.nan, math.nan)
    return {
        "ruleset": {
            "name": row.arm.ruleset.name,
            "title": row.arm.ruleset.title,
            "hash": row.arm.ruleset.hash,
            "game": row.arm.ruleset.game,
        },
        "players": row.players,
        "policy": row.entry.policy,
        "task": row.entry.task.id,
        "games": row.arm.games,
        "games_without_winner": row.arm.no_winner,
        "sides": row.arm.sides,
        "shares": [dataclasses.asdict(each) for each in row.arm.side_shares],
        "advantage_of_first": {"value": row.advantage.value, "low": low, "high": high},
        "verdict": row.verdict.text if row.verdict else None,
        "p_value": row.verdict.p_value if row.verdict else None,
        "turns": dataclasses.asdict(row.arm.measured["turns"]),
        "quantiles": {f"{p:g}": dataclasses.asdict(each) for p, each in row.arm.quantiles.items()},
        "over_within_minutes": {str(minutes): dataclasses.asdict(each) for minutes, each in row.arm.over_within.items()},
    }
