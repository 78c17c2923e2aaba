"""The report on a tournament: who is strongest, who beats whom, and who makes games long, as sentences, tables, figures and JSON."""

from typing import Any

from simsorry import __version__, stats
from simsorry.report import words
from simsorry.report.provenance import played
from simsorry.report.render import Part, Report, Section
from simsorry.report.tables import Table
from simsorry.report.tournament_figures import above, heat_map, ladder
from simsorry.stats import Estimate
from simsorry.tournament import MARGIN, Duel, Tournament
from simsorry.tournament import Table as Sitting

FORMAT = "simsorry report tournament 1"
MISFITS_TOLD, MISFITS_SHOWN = 2, 10
CYCLES_TOLD = 3
RARELY = 0.01  # a share of time that is not worth telling
ORDINALS = ("first", "second", "third", "fourth")


# -- words -----------------------------------------------------------------------------------------


def _elo(each: Estimate) -> str:
    """A strength with its interval, or 0 for whom the others are measured by."""
    return words.with_span(each) if each.high > each.low else "0"


def _wins(found: Tournament, one: int, other: int, share: str) -> str:
    """Who wins how much: ``one balanced player wins 40.6% against three of homebody``."""
    names, sides = found.design.names, len(found.design.sides)
    if found.design.traits.teams:
        return f"a team of {names[one]} wins {share} against one of {names[other]}"
    if sides == 2:
        return f"head to head {names[one]} wins {share} against {names[other]}"
    return f"one {names[one]} player wins {share} against {words.small(sides - 1)} of {names[other]}"


def in_short(found: Tournament) -> list[str]:
    """What was found, in paragraphs."""
    return [_strongest(found), _spread(found), _dominance(found), _fit(found), _length(found), _seats(found)]


def _strongest(found: Tournament) -> str:
    design, (best, second, *_) = found.design, found.order
    names = design.names
    gap = found.lead
    fair = words.percent(design.fair)
    if gap.low > 0:
        lead = (
            f"{names[best]} is the strongest of {words.small(len(names))} policies, {words.with_span(gap)} Elo points above {names[second]}"
        )
    else:
        lead = (
            f"{names[best]} comes out first of {words.small(len(names))} policies, but is not shown to be stronger than {names[second]} "
            f"({words.signed(gap.value, 0)} Elo points, {words.between(gap.low, gap.high, signed=True)})"
        )
    beats = _wins(found, best, second, words.with_span(found.duels[best, second].won))
    told = f"Under “{design.ruleset.title}” {lead}. {words.capital(beats)}, where {fair} would be even"
    weakest = found.order[-1]
    if weakest != second:
        told += f"; {_wins(found, best, weakest, words.with_span(found.duels[best, weakest].won))}"
    return f"{told}. {words.count(design.games)} games."


def _spread(found: Tournament) -> str:
    best, weakest = found.order[0], found.order[-1]
    names = found.design.names
    chance = 1 / (1 + 10 ** (-found.span.value / 400))
    wins = words.percent(round(chance, 3)) if chance < 0.9995 else "more than 99.9%"
    told = (
        f"From {names[weakest]} to {names[best]} it is {words.with_span(found.span)} Elo points: of the games that one of two such "
        f"{'teams' if found.design.traits.teams else 'players'} wins, the stronger wins {wins}. "
        f"Over these {words.small(len(names))} policies strengths have a standard deviation of {words.with_span(found.deviation)}."
    )
    if found.ratings.separated:
        told += " Some never lost to some others, or never won: how much stronger those are has no upper bound in these games."
    return told


def _dominance(found: Tournament) -> str:
    names = found.design.names
    if found.champion is not None:
        told = f"There is a policy that beats every other: {names[found.champion]}."
    elif found.cycles:
        ways = [" beats ".join(names[at] for at in (*way, way[0])) for way in found.cycles[:CYCLES_TOLD]]
        told = f"No policy beats all others, for some go round in a circle: {words.listed(ways)}."
    else:
        told = f"No policy is shown to beat every other ({_undecided(found)}), and none go round in a circle."
    if found.champion is not None and found.cycles:
        way = found.cycles[0]
        told += f" Among the others there is a circle: {' beats '.join(names[at] for at in (*way, way[0]))}."
    return f"{told} {_lasting(found)}"


def _lasting(found: Tournament) -> str:
    """What a population comes to that copies what wins."""
    names, alpha = found.design.names, found.alpha
    by_share = sorted(range(len(names)), key=lambda at: -alpha[at].value)
    start = "Where whatever wins is copied, a population"
    if alpha[by_share[0]].low >= 1 - RARELY:
        return f"{start} comes to play {names[by_share[0]]} alone (alpha-Rank above {words.percent(1 - RARELY)})."
    kept = [f"{names[at]} {_time(alpha[at])}" for at in by_share if alpha[at].value >= RARELY]
    return f"{start} plays {words.listed(kept)} of the time (alpha-Rank)."


def _time(each: Estimate) -> str:
    """A share of time, without decimals where it is nearly none or nearly all."""
    if each.high < RARELY:
        return f"under {words.percent(RARELY)}"
    return words.with_span(each) if each.low < 1 - RARELY else f"over {words.percent(1 - RARELY)}"


def _undecided(found: Tournament) -> str:
    """The pairs of the strongest that are open."""
    best, names = found.order[0], found.design.names
    rest = [names[at] for at in found.order if at != best and not found.beats[best, at]]
    return f"{names[best]} does not surely beat {words.listed(rest, 'or')}"


def _fit(found: Tournament) -> str:
    told = _by_misfit(found)
    off = [each for each in told if each.verdict and each.verdict.word == stats.DIFFERENT]
    unclear = [each for each in told if each.verdict and each.verdict.word not in stats.CLEAR]
    limit, all_ = words.points(MARGIN), len(told)
    if not off and not unclear:
        return f"Strengths alone foretell all {all_} duels to within {limit}."
    if not off:
        return (
            f"No duel of {all_} is shown to differ by more than {limit} from what strengths foretell; whether {words.small(len(unclear))} "
            "of them do is open at this number of games."
        )
    named = [f"{_wins(found, each.one, each.others, words.value(each.won))}, not {_rated(each)}" for each in off]
    many = "one differs" if len(off) == 1 else f"{words.small(len(off))} differ"
    return (
        f"Who meets whom matters beyond strength: of {all_} duels {many} by more than {limit} from what the strengths foretell. "
        f"{words.capital('; '.join(named[:MISFITS_TOLD]))}."
    )


def _rated(duel: Duel) -> str:
    return words.number(100 * duel.rated, words.places((duel.won.high - duel.won.low) * 50, 0)) + "%"


def _told(found: Tournament) -> list[Duel]:
    """The duels, each once: with two sides those of the one and of the other are the same games."""
    return [each for each in found.duels.values() if len(found.design.sides) > 2 or each.one < each.others]


def _by_misfit(found: Tournament) -> list[Duel]:
    known = [each for each in _told(found) if each.misfit.known]
    return sorted(known, key=lambda each: -abs(each.misfit.value))


def _length(found: Tournament) -> str:
    names, best = found.design.names, found.order[0]
    by_length = sorted(range(len(names)), key=lambda at: -found.alike[at].turns.value)
    longest, shortest = by_length[0], by_length[-1]
    told = (
        f"Games are longest where all play {names[longest]}, {words.with_span(found.alike[longest].turns)} turns, and shortest where all "
        f"play {names[shortest]}, {words.with_span(found.alike[shortest].turns)}"
    )
    if best not in (longest, shortest):
        told += f"; where all play {names[best]}, the strongest, they take {words.with_span(found.alike[best].turns)}"
    cut = f" {words.count(found.no_winner)} games were cut off without a winner." if found.no_winner else ""
    return f"{told}.{cut}"


def _seats(found: Tournament) -> str:
    count = len(found.seats)
    level = 1 - (1 - stats.LEVEL) / count  # of all seats at once
    all_ = [found.ratings.place(at, level) for at in range(count)]
    apart = [at for at, each in enumerate(all_) if not each.low <= 0 <= each.high]
    if not apart:
        return (
            f"No seat is shown to be worth anything: to move first is worth {_signed(found.seats[0])} Elo points against the mean of all."
        )
    at = max(apart, key=lambda at: abs(all_[at].value))
    side = "team" if found.design.traits.teams else "player"
    return (
        f"Seats are not equal: the {side} that moves {ORDINALS[at]} is worth {_signed(found.seats[at])} Elo points against the mean of all."
    )


def _signed(each: Estimate) -> str:
    return f"{words.signed(each.value, words.places((each.high - each.low) / 2, each.value))} ({words.between(each.low, each.high, True)})"


# -- tables ----------------------------------------------------------------------------------------


def _ratings_table(found: Tournament) -> Table:
    names = found.design.names
    rows = tuple((names[at], _elo(found.elo[at]), _time(found.alpha[at]), str(int(found.beats[at].sum()))) for at in found.order)
    fitted = "the whole order of finish" if found.design.traits.places else "who won"
    note = (
        f"Elo points above {above(found)}, by the model of Plackett and Luce with a term for each seat in play order, from {fitted} in "
        f"{words.count(found.ratings.contests)} games; 400 points are odds of 10 to 1. elo_span {words.with_span(found.span)}, elo_sd "
        f"{words.with_span(found.deviation)}. Beats: others that lose both ways of a duel, by intervals."
    )
    if found.ratings.separated:
        note += (
            " As some never lost to others, only a slight ridge keeps what sets them apart finite, and its interval is that of the model."
        )
    return Table("ratings", "Strengths", ("Policy", "Elo", "alpha-Rank", "Beats"), rows, note)


def _seats_table(found: Tournament) -> Table:
    side = "team" if found.design.traits.teams else "seat"
    rows = tuple((f"{words.capital(side)} {at} in play order", _signed(each)) for at, each in enumerate(found.seats, 1))
    note = f"Elo points against the mean of all, whoever sits there. {words.count(found.ratings.contests)} games."
    return Table("seats", "What the seats are worth", ("Seat", "Elo"), rows, note)


def _payoff_table(found: Tournament) -> Table:
    names = found.design.names
    rows = tuple(
        (names[one], *(words.NONE if one == other else words.with_span(found.duels[one, other].won) for other in found.order))
        for one in found.order
    )
    note = (
        f"Share of the games won by {_one_of_row(found)}; {words.percent(found.design.fair)} would be even. "
        f"{words.count(_games_each(found))} games each."
    )
    return Table("payoff", "Who beats whom", ("Wins of", *(names[at] for at in found.order)), rows, note)


def _one_of_row(found: Tournament) -> str:
    if found.design.traits.teams:
        return "a team of the row against a team of the column"
    if len(found.design.sides) == 2:
        return "the policy of the row against that of the column"
    return f"one player of the row against {words.small(len(found.design.sides) - 1)} of the column"


def _games_each(found: Tournament) -> int:
    return found.design.numbers * len(found.design.sides)


def _fit_table(found: Tournament) -> Table:
    names, shown = found.design.names, _by_misfit(found)[:MISFITS_SHOWN]
    rows = tuple(
        (
            f"{names[each.one]} against {names[each.others]}",
            words.with_span(each.won),
            _rated(each),
            f"{_points(each)}\n{each.verdict.text if each.verdict else words.NONE}",
        )
        for each in shown
    )
    note = (
        f"The {len(shown)} largest misfits of {len(_told(found))} duels; margin of what matters {words.margin(MARGIN, 'share')}, verdicts "
        f"corrected together (Benjamini and Hochberg). Deviance of all duels {found.deviance:,.0f} at {found.df} degrees of freedom; were "
        "strengths and seats all there is, it would be no larger than about these."
    )
    return Table("fit", "Where strengths do not tell it all", ("Duel", "Won", "By the strengths", "Difference"), rows, note)


def _points(duel: Duel) -> str:
    low, high = (100 * bound for bound in duel.misfit.interval())
    value = 100 * duel.misfit.value
    return f"{words.signed(value, words.places((high - low) / 2, value))} pp ({words.between(low, high, signed=True)})"


def _length_table(found: Tournament) -> Table:
    rows = tuple(
        (found.design.names[at], words.with_span(found.alike[at].turns), _elo(found.elo[at]))
        for at in sorted(found.order, key=lambda at: found.alike[at].turns.value)
    )
    cut = f" Games cut off at the turn cap are counted with the turns they had: {found.no_winner:,} of all." if found.no_winner else ""
    note = f"Turns of a game in which all play alike, the shortest first. {words.count(found.design.numbers)} games each.{cut}"
    return Table("length", "Who makes games long", ("All play", "Turns", "Elo"), rows, note)


def _identity_table(found: Tournament) -> Table:
    design = found.design
    least, most = design.meetings
    often = f"{least}" if least == most else f"{least} to {most}"
    met = f"; every two policies meet at {often} tables where all differ" if most else ""
    rows = (
        ("Ruleset", f"{design.ruleset.name}: {design.ruleset.title} (hash {design.ruleset.hash})"),
        ("Players", str(design.players) + (" in two teams" if design.traits.teams else "")),
        ("Policies", ", ".join(f"{policy.name} (hash {policy.hash})" for policy in design.panel)),
        ("Line-ups", f"{len(design.line_ups)}, in {len(design.seatings)} seatings{met}"),
        ("Seed", str(design.seed)),
        ("Game numbers", f"{words.count(design.numbers)}, the same for every seating: games of a number share their luck"),
        ("Games", words.count(design.games)),
        ("Intervals", f"{stats.LEVEL:.0%}: from what game numbers differ by; of alpha-Rank, resampled game numbers"),
        ("Package", f"simsorry {__version__}"),
    )
    return Table("identity-table", "What was played", ("Item", "Value"), rows, wordy=True)


def _definitions(found: Tournament) -> Table:
    rows = (
        (
            "Elo",
            "400 log10 of the odds: the strength s and the term of the seat make the chance to win proportional to 10^((s + seat) / 400).",
        ),
        ("elo_span", "The strongest less the weakest of the panel; its interval holds for all pairs at once."),
        ("elo_sd", "Standard deviation of the strengths of the panel, taken as all there are."),
        ("payoff", f"Share of the games won by {_one_of_row(found)}."),
        ("beats", "Both ways of the duel are on its side of the fair share, by their intervals."),
        (
            "alpha_rank",
            "Share of time that a population plays each policy, where mutants take over or die out by what they win (Moran process).",
        ),
        ("deviance", "Twice the log likelihood ratio of the duels' own shares against those foretold by strengths and seats."),
    )
    return Table("definitions-table", "What the words mean", ("Word", "Meaning"), rows, wordy=True)


# -- the report ------------------------------------------------------------------------------------


def _sections(found: Tournament) -> list[Section]:
    return [
        Section("in-short", "In short", tuple(in_short(found)), lead=True),
        Section("identity", "What was played", parts=(Part(tables=(_identity_table(found),)),)),
        Section("strengths", "The ladder", parts=(Part(pictures=(ladder(found),), tables=(_ratings_table(found), _seats_table(found))),)),
        Section("duels", "Who beats whom", parts=(Part(pictures=(heat_map(found),), tables=(_payoff_table(found), _fit_table(found))),)),
        Section("lengths", "How long games take", parts=(Part(tables=(_length_table(found),)),)),
        Section("definitions", "Definitions", parts=(Part(tables=(_definitions(found),)),)),
    ]


def title(found: Tournament) -> str:
    """What the report is called."""
    return f"A tournament in {found.design.ruleset.name}"


def render(found: Tournament) -> Report:
    """The report."""
    subtitle = f"{words.count(found.design.games)} simulated games; {len(found.design.panel)} policies, {found.design.players} players."
    design = found.design
    tasks = played(map(design.task, design.seatings), design.numbers)
    return Report(title(found), __version__, subtitle, tuple(_sections(found)), as_json(found), design.seed, design.games, played=tasks)


def as_json(found: Tournament) -> dict[str, Any]:
    """Every number of the report, ready for ``json.dumps``; infinite and missing numbers are null."""
    design, names = found.design, found.design.names
    document: dict[str, Any] = {
        "format": FORMAT,
        "simsorry": __version__,
        "title": title(found),
        "ruleset": {"name": design.ruleset.name, "title": design.ruleset.title, "hash": design.ruleset.hash},
        "game": design.ruleset.game,
        "players": design.players,
        "sides": design.sides,
        "policies": [{"name": policy.name, "title": policy.title, "hash": policy.hash} for policy in design.panel],
        "seed": design.seed,
        "game_numbers": design.numbers,
        "games": design.games,
        "games_without_winner": found.no_winner,
        "level": stats.LEVEL,
        "fair_share": design.fair,
        "margin": MARGIN,
        "zero": [names[at] for at in found.zero],
        "elo": {names[at]: _estimate(found.elo[at]) for at in found.order},
        "elo_span": _estimate(found.span),
        "elo_sd": _estimate(found.deviation),
        "seats": [_estimate(each) for each in found.seats],
        "separated": found.ratings.separated,
        "payoff": [_duel(found, each) for each in found.duels.values()],
        "deviance": {"value": found.deviance, "df": found.df},
        "beats": [[names[one], names[other]] for one, other in found.duels if found.beats[one, other]],
        "champion": None if found.champion is None else names[found.champion],
        "cycles": [[names[at] for at in way] for way in found.cycles],
        "alpha_rank": {names[at]: _estimate(found.alpha[at]) for at in found.order},
        "line_ups": [_line_up(found, each) for each in found.tables],
    }
    plain: dict[str, Any] = stats.plain(document)
    return plain


def _estimate(each: Estimate) -> dict[str, Any]:
    return {"value": each.value, "low": each.low, "high": each.high, "games": each.n, "unit": each.unit}


def _duel(found: Tournament, each: Duel) -> dict[str, Any]:
    low, high = each.misfit.interval()
    return {
        "one": found.design.names[each.one],
        "others": found.design.names[each.others],
        "won": _estimate(each.won),
        "by_strengths": each.rated,
        "difference": {"value": each.misfit.value, "low": low, "high": high},
        "verdict": each.verdict.text if each.verdict else None,
        "p_value": each.verdict.p_value if each.verdict else None,
    }


def _line_up(found: Tournament, each: Sitting) -> dict[str, Any]:
    names = found.design.names
    return {
        "policies": [names[at] for at in each.line_up],
        "turns": _estimate(each.turns),
        "won": {names[at]: _estimate(share) for at, share in each.won.items()},
    }
