"""The tables of a report, as captions, headings and cells of text; how they look is up to the templates."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from simsorry import stats
from simsorry.games.points import MAX_MATCH_ROUNDS
from simsorry.metrics import Metric
from simsorry.report import words
from simsorry.report.study import EVENING, Arm, Member, RulesetCard, Sitting, Study, Team, agreement


@dataclass(frozen=True)
class Table:
    """The first cell of each row is its heading; a cell may have a second line, which is then the verdict."""

    id: str
    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    wordy: bool = False  # sentences rather than numbers


def _header(sitting: Sitting, first: str) -> tuple[str, ...]:
    return (first, *(arm.ruleset.short for arm in sitting.arms))


# -- identity --------------------------------------------------------------------------------------


def rulesets(study: Study) -> Table:
    """Name, title, game and hash of every ruleset."""
    rows = [
        (
            card.short if card.named else card.name,
            card.title,
            f"{card.game} {card.game_version}",
            card.hash,
        )
        for card in cards(study)
    ]
    return Table("rulesets", "The rulesets", ("Ruleset", "Title", "Game and version", "Hash of the rules"), tuple(rows), wordy=True)


def cards(study: Study) -> list[RulesetCard]:
    """Every ruleset of the study once."""
    return list({arm.ruleset.name: arm.ruleset for sitting in study.sittings for arm in sitting.arms}.values())


def changes(study: Study) -> Table | None:
    """Every option in which a variant differs from its base."""
    rows = {
        (arm.ruleset.name, each.option): (arm.ruleset.short, each.option, each.base, each.here, each.description)
        for sitting in study.sittings
        for arm in sitting.variants
        for each in arm.ruleset.changes
    }
    if not rows:
        return None
    base = study.main.base.ruleset.short
    headings = ("Ruleset", "Option", f"In {base}", "Here", "What the option does")
    return Table("changes", f"Differences from {base}", headings, tuple(rows.values()), wordy=True)


def played(study: Study) -> Table:
    """Who played which games, a column for each line-up."""
    sittings = study.sittings
    rows = [
        ("Players", *(str(sitting.players) for sitting in sittings)),
        ("Policy at each table seat", *(", ".join(sitting.policies) for sitting in sittings)),
        ("Policy hashes", *(_policy_hashes(sitting) for sitting in sittings)),
        ("Seed", *(str(sitting.seed) for sitting in sittings)),
        (
            f"{words.capital(words.plays(arm for sitting in sittings for arm in sitting.arms))} of each ruleset",
            *(words.count(sitting.games) for sitting in sittings),
        ),
        *_stopping(sittings),
        ("Game numbers", *(f"{sitting.first_game:,} to {sitting.first_game + sitting.games - 1:,}" for sitting in sittings)),
        ("Blocks", *(f"{words.count(sitting.blocks)} of {words.count(sitting.block_games)} games" for sitting in sittings)),
    ]
    if any(sitting.variants for sitting in sittings):
        families = [
            f"{sitting.families['scorecard']} in the scorecard and {sitting.families['seats']} on equal seats or teams (each by Holm's "
            f"method), {sitting.families['details']} others (by that of Benjamini and Hochberg)"
            for sitting in sittings
        ]
        rows.append(("Verdicts corrected together", *families))
        rows.append(("Correlation of game lengths, and variance factor achieved", *(_pairings(sitting) for sitting in sittings)))
    names = [words.capital(words.line_up(sitting)) for sitting in sittings]
    note = "A variance factor of 3 means that unpaired games would have needed three times as many for the same precision."
    has_pairs = any(sitting.variants for sitting in sittings)
    return Table("played", "What was played", ("Item", *names), tuple(rows), note if has_pairs else "", wordy=True)


def _stopping(sittings: Sequence[Sitting]) -> list[tuple[str, ...]]:
    """A row on how the number of games came about, where it was not given."""
    if not any(sitting.stopping for sitting in sittings):
        return []
    return [("Played", *(words.capital(words.stopping(sitting)) for sitting in sittings))]


def _policy_hashes(sitting: Sitting) -> str:
    hashes = dict(zip(sitting.policies, sitting.policy_hashes, strict=True))
    return ", ".join(f"{policy} {digest}" for policy, digest in hashes.items())


def _pairings(sitting: Sitting) -> str:
    many = len(sitting.variants) > 1
    parts = []
    for arm in sitting.variants:
        found = arm.compared["turns"].pairing
        text = f"{words.number(found.correlation, 2)}, factor {words.number(found.factor, 2)}"
        parts.append(f"{arm.ruleset.short}: {text}" if many else text)
    return "; ".join(parts) or words.NONE


def judged(study: Study) -> Table:
    """The rules of the evaluation."""
    rounds = f", or {MAX_MATCH_ROUNDS:,} rounds of a match" if any(arm.traits.match for s in study.sittings for arm in s.arms) else ""
    caps = dict.fromkeys(arm.ruleset.turn_cap for sitting in study.sittings for arm in sitting.arms)
    rows = [
        ("Package", f"simsorry {study.version}"),
        ("Turn cap", f"{words.listed([words.count(cap) for cap in caps])} turns{rounds}; games cut off there are counted, never dropped"),
        (
            "Intervals",
            f"{stats.LEVEL:.0%}: t intervals over blocks for means and ratios, Wilson for shares of games, order statistics for quantiles",
        ),
        ("Minutes", f"turns at {study.seconds_per_turn:g} seconds each"),
    ]
    if any(sitting.variants for sitting in study.sittings):
        rows.append(("Differences", "paired: every ruleset plays the same game numbers, with the same luck as far as the rules allow"))
        if any(sitting.looked for sitting in study.sittings):
            rows.append(("Looking while playing", LOOKED))
        rows.append(("Margins of what matters", "; ".join(margins(study))))
    return Table("judged", "How it was judged", ("Item", "Value"), tuple(rows), wordy=True)


LOOKED = (
    f"the {stats.LEVEL:.0%} intervals of differences, and the verdicts, are those of a confidence sequence: they hold for all looks at "
    "once, and are wider for it. All other intervals, and the verdict on whether seats are equal, are ordinary ones"
)


def margins(study: Study) -> list[str]:
    """Each margin in words."""
    kinds = {
        "seat_share": "win share of a seat or team",
        "policy_share": "win share of a policy",
        "game_share": "share of games",
        "round_share": "share of rounds",
        "length": "length",
        "points": "points",
        "place": "mean place",
        "rate": "everything else",
    }
    used = {metric.margin for sitting in study.sittings for metric in sitting.metrics}
    return [
        f"{kinds.get(name, name)} ±{words.margin_rule(margin, 'share' if name.endswith('_share') else 'in its unit')}"
        for name, margin in study.margins.items()
        if name in used or name not in kinds
    ]


# -- scorecard -------------------------------------------------------------------------------------


def scorecard(study: Study, sitting: Sitting) -> Table:
    """The headline measures of the base, and for each variant the difference with its verdict."""
    rows = []
    for metric in sitting.shared(headline=True):
        rows.append((words.title(metric, sitting.arms), *_score_cells(sitting, metric)))
        if metric.name == "turns":
            minutes = f"Minutes per {words.play(sitting.arms)}, at {study.seconds_per_turn:g} s a turn"
            rows.append((minutes, *_minutes_cells(study, sitting)))
    base = sitting.base.ruleset.short
    headings = ("Measure", base, *(f"{arm.ruleset.short}: difference and verdict" for arm in sitting.variants))
    return Table(f"scorecard-{_key(study, sitting)}", _scorecard_caption(sitting), headings, tuple(rows), _scorecard_note(sitting))


def _score_cells(sitting: Sitting, metric: Metric) -> list[str]:
    cells = [words.cell(sitting.base, metric.name)]
    for arm in sitting.variants:
        compared = arm.compared.get(metric.name)
        cells.append(f"{words.change(compared)}\n{words.verdict(compared)}" if compared and compared.verdict else words.NONE)
    return cells


def _minutes_cells(study: Study, sitting: Sitting) -> list[str]:
    scale = study.seconds_per_turn / 60
    cells = [words.with_span(sitting.base.minutes)]
    for arm in sitting.variants:
        compared = arm.compared["turns"]
        half = (compared.high - compared.low) / 2 * scale
        text = words.signed(compared.difference.value * scale, words.places(half, compared.difference.value * scale))
        cells.append(f"{text} ({words.between(compared.low * scale, compared.high * scale, signed=True)})\nas for turns")
    return cells


def _scorecard_caption(sitting: Sitting) -> str:
    each = " of each ruleset" if sitting.variants else ""
    return f"Scorecard: {words.count(sitting.games)} {words.plays(sitting.arms)}{each}, {words.line_up(sitting)}"


def _scorecard_note(sitting: Sitting) -> str:
    if not sitting.variants:
        return f"Intervals: {stats.LEVEL:.0%} each.{_overlap(sitting.arms)}"
    looked = " Those of differences hold for all looks at once." if sitting.looked else ""
    return (
        f"Intervals: {stats.LEVEL:.0%} each.{looked} Verdicts are corrected by Holm's method for the {sitting.families['scorecard']} "
        "differences in this table, so a lone interval that barely excludes 0 need not make a difference. pp: percentage points."
        + _overlap(sitting.arms)
        + _dashes(sitting.arms, sitting.shared(headline=True))
    )


def _overlap(arms: Sequence[Arm]) -> str:
    """A sentence on turns that are counted twice, where some are; nothing else."""
    kinds = ("dead_share", "forced_share", "choice_share")
    if all(sum(arm.measured[name].value for name in kinds) <= 1 + 1e-9 for arm in arms if arm.measured["turns"].known):
        return ""
    thrown = ", or only throws a card in," if any(arm.traits.hand for arm in arms) else ""
    return (
        f" A turn that a player with a choice lets pass{thrown} counts as dead and as a choice turn, so dead, forced and choice turns can "
        "come to more than 100%."
    )


def _dashes(arms: Sequence[Arm], metrics: Sequence[Metric]) -> str:
    """A sentence on the rulesets that have nothing to measure by these metrics; nothing if all have."""
    found = words.lacking(arms, metrics)
    return f" A dash stands where {found}." if found else ""


def unshared(study: Study, sitting: Sitting, headline: bool) -> Table | None:
    """What only some of the rulesets have, of the scorecard's measures or of the others; None where all have all."""
    found = sitting.unshared(headline)
    if not found:
        return None
    rows = [(words.title(metric, sitting.arms), *(words.cell(arm, metric.name) for arm in sitting.arms)) for metric in found]
    note = f"These are not compared, because there is nothing to measure where {words.lacking(sitting.arms, found)}."
    name = "own-headlines" if headline else "own-details"
    return Table(f"{name}-{_key(study, sitting)}", "What only some of the rulesets have", _header(sitting, "Measure"), tuple(rows), note)


def _key(study: Study, sitting: Sitting) -> str:
    return str(study.sittings.index(sitting) + 1)


# -- one table under each figure -------------------------------------------------------------------


def sides(study: Study, sitting: Sitting, teams: bool) -> Table:
    """Wins by play-order seat or by team, under the rulesets that have seats or teams, and the test of whether they are equal."""
    arms = [arm for arm in sitting.arms if bool(arm.traits.teams) == teams]
    rows = []
    for side, name in enumerate(arms[0].sides):
        title = words.capital(name) + (" (moves first)" if name == "seat 1" else "")
        rows.append((title, *(f"{words.with_span(arm.side_shares[side])}; {words.count(arm.side_wins[side])} wins" for arm in arms)))
    who = words.sides(arms[0])
    gap = "Gap between the teams" if teams else "Largest gap between seats"
    rows.append((gap, *(words.with_span(arm.side_gap) for arm in arms)))
    rows.append(
        ("No winner (cut off)", *(f"{words.count(arm.no_winner)} of {words.count(arm.games)} {words.plays([arm])}" for arm in arms))
    )
    if all(arm.even for arm in arms):
        tests = [arm.fairness for arm in arms]
        rows.append((f"Chi-square test of equal {who}", *(f"{each.chi_square:.2f}, p {words.p_value(each.p_value)}" for each in tests)))
        if not teams:
            rows.append(("Trend from seat to seat", *(f"{in_points(each.trend)}, p {words.p_value(each.trend_p)}" for each in tests)))
        rows.append((f"Verdict: are the {who} equal?", *(each.verdict.text for each in tests)))
    won = "A game is won by both partners. " if teams else ""
    corrected = (
        f" Verdicts allow for the {sitting.families['seats']} rulesets that are judged so (Holm's method), p is that of each alone."
        if sitting.families["seats"] > 1 and all(arm.even for arm in arms)
        else ""
    )
    note = (
        f"{won}Shares are of the {words.plays(arms)} that have a winner. The {stats.LEVEL:.0%} intervals hold for all {who} of a ruleset "
        f"at once (Goodman); the gap of equal {who} is never exactly 0, so look at its interval. The verdict's margin is "
        f"±{arms[0].fairness.verdict.margin * 100:g} pp from an even share.{corrected}"
    )
    name, order = ("teams", "of the team that moves first and of the other") if teams else ("seats", "by seat in play order")
    headings = ("Team" if teams else "Seat", *(arm.ruleset.short for arm in arms))
    return Table(f"{name}-{_key(study, sitting)}", f"Share of the wins {order}", headings, tuple(rows), note)


def in_points(estimate: stats.Estimate) -> str:
    """A small signed share in percentage points."""
    low, high = estimate.low * 100, estimate.high * 100
    text = words.signed(estimate.value * 100, words.places((high - low) / 2, estimate.value * 100))
    return f"{text} pp ({words.between(low, high, signed=True)})"


def lengths(study: Study, sitting: Sitting) -> Table:
    """Mean and quantiles of the game length, in turns and minutes."""
    scale = study.seconds_per_turn / 60
    games, one = words.plays(sitting.arms), words.play(sitting.arms)
    rows = [("Mean", *(f"{words.with_span(arm.measured['turns'])} turns" for arm in sitting.arms))]
    rows.append(("Mean in minutes", *(words.with_span(arm.minutes) for arm in sitting.arms)))
    for p in sitting.base.quantiles:
        name = f"Half of the {games} end within (median)" if p == 0.5 else f"{p:.0%} of the {games} end within"
        rows.append((name, *(_quantile(arm, p, scale) for arm in sitting.arms)))
    for minutes in sitting.base.over_within:
        rows.append((f"Over within {words.clock(minutes)}", *(words.with_span(arm.over_within[minutes]) for arm in sitting.arms)))
    evening = f"Fit to an evening's {EVENING[0]} to {EVENING[1]} minutes"
    rows.append((evening, *(words.with_span(arm.evening) for arm in sitting.arms)))
    rows.append(("Cut off without a winner", *(f"{words.count(arm.no_winner)} of {words.count(arm.games)}" for arm in sitting.arms)))
    if sitting.variants:
        title = f"Chance that a {one} is longer than one of {sitting.base.ruleset.short}"
        rows.append((title, *(words.with_span(arm.longer) if arm.longer else words.NONE for arm in sitting.arms)))
    note = (
        "Quantiles carry exact order-statistic intervals; lengths are whole numbers, so an interval may be a single value. "
        "Games that were cut off count as longer than all others, and make the mean a lower bound. "
        f"A {one} fits an evening wholly if it is neither shorter nor longer, less the nearer it is to no time at all or twice as long."
    )
    return Table(f"length-{_key(study, sitting)}", f"Length of a {one}", _header(sitting, "Length"), tuple(rows), note)


def _quantile(arm: Arm, p: float, scale: float) -> str:
    found = arm.quantiles[p]
    if found.value == float("inf"):
        return f"more than {words.count(arm.ruleset.turn_cap)} turns"
    return f"{words.whole_with_span(found)} turns, {words.number(found.value * scale, 0)} min"


def measures(study: Study, sitting: Sitting, name: str, caption: str, chosen: Sequence[str]) -> Table:
    """Some measures of every ruleset that has any of them, with the differences from the base."""
    by_name = {metric.name: metric for metric in sitting.metrics}
    metrics = [by_name[each] for each in chosen if each in by_name]
    arms = [arm for arm in sitting.arms if any(metric.name in arm.measured for metric in metrics)]
    rows = []
    for metric in metrics:
        cells = [words.cell(arm, metric.name) for arm in arms]
        if set(cells) == {words.NONE}:  # such as who is third of two
            continue
        title = words.title(metric, arms)
        rows.append((title, *cells))
        if any(metric.name in arm.compared for arm in arms):
            changes = [words.change(arm.compared[metric.name]) if metric.name in arm.compared else words.NONE for arm in arms]
            rows.append((f"{title}: difference", *changes))
    headings = ("Measure", *(arm.ruleset.short for arm in arms))
    return Table(f"{name}-{_key(study, sitting)}", caption, headings, tuple(rows), _dashes(arms, metrics).strip())


def _named(sitting: Sitting, *prefixes: str) -> list[str]:
    return [metric.name for metric in sitting.metrics if metric.name.startswith(prefixes)]


def turns(study: Study, sitting: Sitting) -> Table:
    """Dead, stuck, forced and choice turns, what there was to choose from, and the cards of a hand thrown in."""
    kinds = ("stuck_share", "forced_share", "choice_share", "board_choice_share", "dead_share", "options", "throw_share", "throws")
    made = measures(study, sitting, "turns", "What a turn is", kinds)
    sums = (
        "Stuck, forced and choice turns (on the board, where cards are held) make up all turns. Dead turns are counted by themselves: the "
        "stuck ones, and those that the player lets pass although something can be done, which may be forced or choice turns, too."
    )
    return replace(made, note=f"{sums} {made.note}".strip())


def bumps(study: Study, sitting: Sitting) -> Table:
    """Bumps by cause."""
    chosen = (
        "bumps", "bumps_landing", "bumps_slide", "bumps_sorry", "bumps_fight", "bumps_per_turn", "multi_captures", "own_bumps",
        "partner_bumps",
    )  # fmt: skip
    return measures(study, sitting, "bumps", "Pawns sent back to their start", chosen)


def fights(study: Study, sitting: Sitting) -> Table:
    """How many fights there are, how often the newcomer loses, and how often the dice are equal."""
    return measures(study, sitting, "fights", "Fights for safe squares", ("fights", "fights_lost", "fight_ties", "bumps_fight"))


def dice(study: Study, sitting: Sitting) -> Table:
    """What dice and cards bring, and what is used of them."""
    chosen = (
        "both_share", "dice_share", "card_share", "start_share", "starts", "starts_dice_share", "rolls_per_turn", "draws_per_turn",
        "dice_per_roll", "cards_used_share", "hops", "stops", "third_doubles", "penalties",
    )  # fmt: skip
    return measures(study, sitting, "dice", "What dice and cards bring", chosen)


def bonus_moves(study: Study, sitting: Sitting) -> Table:
    """Bonus moves earned, made and lost."""
    chosen = ("bonuses_earned", "bonuses_used", "bonuses_lost", "bonuses_lost_share", "home_moves_used", "bump_moves_used")
    return measures(study, sitting, "bonus-moves", "Bonus moves", chosen)


def piles(study: Study, sitting: Sitting) -> Table:
    """How many pawns are covered, by whom, and how high they pile up."""
    chosen = (
        "covered_share", "pawns_covered", "own_covers_share", "pawns_freed", "covers", "stacks", "pile_height", "highest_pile",
    )  # fmt: skip
    return measures(study, sitting, "piles", "Covered pawns and piles", chosen)


def longest_cover(study: Study, sitting: Sitting) -> Table:
    """How long a pawn is covered at most: mean and quantiles over games."""
    rows = [("Mean", *(f"{words.with_span(arm.measured['longest_cover'])} turns" for arm in sitting.arms))]
    for p in sitting.base.spreads["longest_cover"].quantiles:
        name = "At most, in half of the games (median)" if p == 0.5 else f"At most, in {p:.0%} of the games"
        found = [arm.spreads["longest_cover"].quantiles[p] for arm in sitting.arms]
        rows.append((name, *(f"{words.whole_with_span(each)} turns" for each in found)))
    note = "Turns are those of all players. A pawn that is still covered at the end counts with the turns it has been so."
    headings = _header(sitting, "Longest cover of a game")
    return Table(f"longest-cover-{_key(study, sitting)}", "How long a pawn is covered at most", headings, tuple(rows), note)


def moves(study: Study, sitting: Sitting) -> Table:
    """What is moved, by size and as a stack, and what else comes along."""
    chosen = ("moves", "small_share", "medium_share", "large_share", "stack_share", "carried", "swept", "starts", "sorry_starts")
    return measures(study, sitting, "moves", "What is moved", chosen)


def lead_changes(study: Study, sitting: Sitting) -> Table:
    """Lead changes."""
    return measures(study, sitting, "lead-changes", "Changes of the lead", ("lead_changes",))


def points(study: Study, sitting: Sitting) -> Table:
    """Points by seat or team, by policy and of the winner, and how far they spread."""
    return measures(study, sitting, "points", f"Points in a {words.play(sitting.arms)}", _named(sitting, "points_"))


def bonuses(study: Study, sitting: Sitting) -> Table:
    """How often each bonus is paid."""
    return measures(study, sitting, "bonuses", "Share of the rounds in which a bonus is paid", _named(sitting, "bonus_"))


def matches(study: Study, sitting: Sitting) -> Table:
    """How many rounds a match has, how long they take, and whether their winners lead it."""
    chosen = ("match_rounds", "match_round_turns", "match_upsets", "winner_rounds")
    return measures(study, sitting, "matches", "Rounds of a match", chosen)


def ranked(study: Study, sitting: Sitting) -> Table:
    """Mean place by seat and by policy."""
    return measures(study, sitting, "places", "Mean finishing place", _named(sitting, "place_"))


def place_shares(study: Study, sitting: Sitting) -> Table | None:
    """How often each seat and each policy finishes in each place, the places side by side; None where nobody is ranked."""
    arms = [arm for arm in sitting.arms if "placed_1_seat_1" in arm.measured]
    if not arms:
        return None
    whose = [name.removeprefix("placed_1_") for name in _named(sitting, "placed_1_")]
    titles = {metric.name: metric.title.partition(" of ")[2] for metric in sitting.metrics}
    places = range(1, sitting.players + 1)
    rows = []
    for arm in arms:
        for key in whose:
            name = words.capital(titles[f"placed_1_{key}"])
            cells = [words.cell(arm, f"placed_{place}_{key}") for place in places]
            rows.append((f"{name}, {arm.ruleset.short}" if len(arms) > 1 else name, *cells))
    headings = ("Who", *(f"Place {place}" for place in places))
    note = (
        "Share of the games in which each finishes there. Who is still on the way when a game is cut off ranks by pawns HOME, then by "
        "squares to go."
    )
    return Table(f"place-shares-{_key(study, sitting)}", "Who finishes where", headings, tuple(rows), note)


def partners(study: Study, sitting: Sitting) -> Table | None:
    """What partners do for and to each other; None where nothing can be said of that."""
    chosen = ("ended_by_earlier", "partner_share", "partner_moves", "partner_bumps", "losers_pips", "losers_far_pips", "winners_pips")
    found = measures(study, sitting, "partners", "What partners do", chosen)
    return found if found.rows else None


def members(study: Study, sitting: Sitting) -> Table:
    """The teams with their members, by color: who wins, and who of them makes the winning move, which is told by seat, too."""
    arms = [arm for arm in sitting.arms if arm.teams]
    found = [{_team_name(team, sitting): team for team in arm.teams} for arm in arms]
    rows = []
    for name, team in {name: team for teams in found for name, team in teams.items()}.items():
        rows.append((f"Wins of {name}", *(words.with_span(teams[name].share) if name in teams else words.NONE for teams in found)))
        for at, member in enumerate(team.members):
            cells = [_ended(teams[name], at) if name in teams else words.NONE for teams in found]
            rows.append((f"Of these, winning move by {_member_name(member, sitting)}", *cells))
    for seat in range(sitting.players):
        title = f"Winning move by seat {seat + 1}" + (" (moves first)" if seat == 0 else "")
        rows.append((title, *(words.with_span(arm.ended[seat]) if arm.ended else words.NONE for arm in arms)))
    rows = [row for row in rows if set(row[1:]) != {words.NONE}]  # matches have no winning move
    note = (
        f"Shares are of the games that have a winner. The {stats.LEVEL:.0%} intervals of teams and of seats hold for all of a ruleset "
        "at once (Goodman), those of a team's members for each (Wilson). Seats are in play order."
    )
    headings = ("Team", *(arm.ruleset.short for arm in arms))
    return Table(f"members-{_key(study, sitting)}", "Teams and their members", headings, tuple(rows), note)


def _ended(team: Team, at: int) -> str:
    """How many of a team's wins a member has ended."""
    moves = team.members[at].ended
    return words.NONE if moves is None else words.with_span(stats.share(moves, team.wins))


def _team_name(team: Team, sitting: Sitting) -> str:
    return words.listed([_member_name(member, sitting) for member in team.members])


def _member_name(member: Member, sitting: Sitting) -> str:
    """The color, with the policy where there are several."""
    return member.color if len(set(sitting.policies)) == 1 else f"{member.color} ({member.policy})"


def details(study: Study, sitting: Sitting) -> Table:
    """Every measure that is not in the scorecard, for reports without a comparison."""
    return measures(study, sitting, "details", "The other measures", [metric.name for metric in sitting.rows(headline=False)])


def unchanged(arm: Arm) -> tuple[str, ...]:
    """The share of games that the variant leaves as they were, where that is known."""
    if arm.unchanged is None or not arm.unchanged.known:
        return ()
    return (f"Games that run exactly the same course as under the base: {words.with_span(arm.unchanged)}.",)


# -- each variant in full --------------------------------------------------------------------------


def against_base(study: Study, sitting: Sitting, arm: Arm) -> Table:
    """Every measure of one variant beside the base: difference, margin, verdict, correlation and what pairing was worth."""
    rows = []
    at = sitting.arms.index(arm)
    for metric in (*sitting.rows(headline=True), *sitting.rows(headline=False)):
        if metric.name not in arm.compared:
            continue
        compared = arm.compared[metric.name]
        found = compared.verdict
        values = [words.with_span(each.measured[metric.name]) for each in (sitting.base, arm)]
        if set(values) == {words.NONE}:
            continue
        rows.append(
            (
                words.title(metric, (sitting.base, arm)),
                *values,
                words.change(compared) + (f"\n{found.text}" if found else ""),
                words.margin(found.margin, metric.unit) if found else words.NONE,
                words.p_value(found.p_value) if found else words.NONE,
                words.number(compared.pairing.correlation, 2),
                words.number(compared.pairing.factor, 2),
                " / ".join(words.chance(each.value) for each in compared.noticed.values()),
            )
        )
    base, here = sitting.base.ruleset.short, arm.ruleset.short
    headings = ("Measure", base, here, "Difference and verdict", "Margin", "p (corrected)", "Correlation", "Variance factor", "Seen")
    evenings = " / ".join(str(games) for games in stats.NOTICED_IN)
    note = (
        f"p: of no difference at all, corrected by Holm's method within the {sitting.families['scorecard']} headline differences of this "
        f"line-up, and by that of Benjamini and Hochberg within the {sitting.families['details']} others, of which those with a "
        f"difference may hold {1 - stats.LEVEL:.0%} false alarms. Seen: chance that somebody who plays {evenings} games of each ruleset "
        f"sees the difference in a test at {1 - stats.LEVEL:.0%}, which is also the chance where there is none. Correlation: of the two "
        "rulesets over games with the same number; "
        "variance factor: how many times more games an unpaired comparison would need."
    )
    return Table(
        f"against-base-{_key(study, sitting)}-{at}", f"{here} against {base}, {words.line_up(sitting)}", headings, tuple(rows), note
    )


def line_ups(study: Study) -> Table | None:
    """The scorecard's verdicts under every line-up, and whether they agree."""
    if len(study.sittings) < 2 or not study.repeated:
        return None
    rows = []
    many = len(study.main.variants) > 1
    for arm, metric, compared in words.questions(study):
        measure = words.title(metric, study.main.arms)
        title = f"{arm.ruleset.short}: {measure}" if many else measure
        cells = [f"{words.change(each)}\n{words.verdict(each)}" for each in compared]
        cells += [words.NONE] * (len(study.sittings) - len(cells))
        rows.append((title, *cells, {"agree": "agree", "disagree": "DISAGREE", "open": "open"}[agreement(compared)]))
    headings = ("Measure", *(words.short_line_up(sitting) for sitting in study.sittings), "Do they agree?")
    note = (
        "Agree: all decided verdicts point the same way (more, fewer, or no practical difference). Open: none is contradicted, "
        "but at least one is undecided."
    )
    return Table("line-ups", "The same question put to other players", headings, tuple(rows), note)


# What a report shows besides the metrics; none of it is compared with a verdict of its own.
DERIVED = [
    (
        "Largest gap between seats or teams",
        "Largest minus smallest win share of a seat, or of a team.",
        "percent",
        words.NONE,
        "winner",
    ),
    ("Minutes per game", "Turns per game times the seconds that a turn is taken to last.", "minutes", "that of turns", "turns"),
    ("Games over within …", "Games with a winner within so many minutes, over all games.", "percent", words.NONE, "turns, winner"),
    (
        "Games that run the same course",
        "Games with the same fingerprint as that number under the base.",
        "percent",
        words.NONE,
        "digest",
    ),
]


# -- appendix --------------------------------------------------------------------------------------


def definitions(study: Study) -> Table:
    """What each measure counts."""
    found = {metric.name: metric for sitting in study.sittings for metric in sitting.metrics}
    used: dict[str, dict[str, None]] = {name: {} for name in found}  # columns, which depend on the game
    for metric in (metric for sitting in study.sittings for metric in sitting.metrics):
        used[metric.name] |= dict.fromkeys(metric.columns)
    played_under = [arm for sitting in study.sittings for arm in sitting.arms]
    rows = []
    for metric in found.values():
        margin = next(sitting.margins[metric.name] for sitting in study.sittings if metric.name in sitting.margins)
        unit = "percent" if metric.unit == "share" else metric.unit
        rows.append(
            (
                words.title(metric, played_under),
                metric.definition,
                unit,
                words.margin_rule(margin, metric.unit),
                ", ".join(used[metric.name]),
            )
        )
    rows += DERIVED
    headings = ("Measure", "Definition", "Unit", "Margin", "Columns used")
    note = (
        "Where a ruleset plays on after the winner for the places, all counters but the turns per game run to the end of that, "
        "so a difference from a ruleset that stops at the winner includes the longer play."
    )
    if any(arm.traits.match for sitting in study.sittings for arm in sitting.arms):
        note += (
            " Where a game is a match of several rounds, it counts all of them: turns and all other counters are their sums, the winner is "
            "that of the match, and seats are in the play order of its first round."
        )
    return Table("definitions", "Definitions", headings, tuple(rows), note, wordy=True)


def checks(study: Study) -> Table:
    """The identities that every game must fulfill."""
    arms = [arm for sitting in study.sittings for arm in sitting.arms]
    rows = []
    for name in dict.fromkeys(name for arm in arms for name in arm.failed_checks):
        checked = [arm for arm in arms if name in arm.failed_checks]
        failed, games = sum(arm.failed_checks[name] for arm in checked), sum(arm.games for arm in checked)
        rows.append((words.capital(name), f"FAILED in {words.count(failed)}" if failed else "holds", words.count(games)))
    return Table("checks", "Checks on every game", ("Check", "Result", "Games"), tuple(rows))
