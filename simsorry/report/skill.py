"""The report on skill and luck: what was found, as sentences, tables, figures and JSON."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from simsorry import __version__, stats
from simsorry.ladder import Chain, Ladder
from simsorry.report import ladder, words
from simsorry.report.drawing import BAND, FAINT, Picture, clip, look, percent, whiskers
from simsorry.report.provenance import Played, played
from simsorry.report.render import Part, Report, Section
from simsorry.report.tables import Table
from simsorry.skill import MISTAKEN, PARTS, RANDOM_AFTER, Design, Skill, Weakened

FORMAT = "simsorry report skill 1"
MEASURES = {"won": "Winning", "place": "Places", "points": "Points"}
PART_NAMES = {
    "policy": "who plays",
    "seat": "the seat",
    "luck": "the luck of a seat in a deal",
    "policy_luck": "how a deal suits a player",
    "rest": "everything else",
}
COSTLIEST = 2  # restrictions that the opening sentences name


# -- words -----------------------------------------------------------------------------------------


def _sides(found: Skill) -> tuple[str, str]:
    """One side, and what all the others do: stay careful."""
    if found.design.traits.teams:
        return "team", "the other team stays careful"
    others = len(found.design.sides) - 1
    return "player", "the other stays careful" if others == 1 else f"the {words.small(others)} others stay careful"


def _against(found: Skill) -> str:
    if found.design.traits.teams:
        return "a team that moves at random"
    others = len(found.design.sides) - 1
    return "one who moves at random" if others == 1 else f"{words.small(others)} who move at random"


def _loss(each: Weakened) -> str:
    """What a weakened side's wins are the less by: ``12.8 points (11.8 to 13.7)``."""
    low, high = -each.change.high * 100, -each.change.low * 100
    return f"{words.number(-each.change.value * 100, words.places((high - low) / 2, 0))} points ({words.between(low, high)})"


def in_short(found: Skill, climbed: Ladder | None = None) -> list[str]:
    """What was found, in paragraphs."""
    told = [ladder.in_short(climbed)] if climbed else []
    if not found.share.known:
        name = found.design.ruleset.name
        return [f"No game of {name} had a winner before the turn cap, so that there is nothing to say about skill.", *told]
    return [
        _gap_paragraph(found),
        *told,
        _mistakes_paragraph(found),
        _panel_paragraph(found),
        _late_paragraph(found),
        _parts_paragraph(found),
    ]


def _gap_paragraph(found: Skill) -> str:
    side, _ = _sides(found)
    fair = words.percent(found.design.fair)
    return (
        f"Under “{found.design.ruleset.title}” a careful {side} ({found.design.careful.name}) wins {words.with_span(found.share)} of the "
        f"games against {_against(found)}: {words.with_span(found.gap)} of the way from a lottery, in which it would win {fair}, to a "
        f"certain win. {words.count(found.share.n)} games."
    )


def _mistakes_paragraph(found: Skill) -> str:
    side, others = _sides(found)
    rows = found.weakened["mistakes"]
    tenth, half, all_ = (rows[MISTAKEN.index(share)] for share in (0.1, 0.4, 1.0))
    return (
        f"Where {others}, a {side} that leaves a tenth of its decisions to chance wins {words.with_span(tenth.share)}, "
        f"one that leaves two fifths {words.with_span(half.share)}, and one that moves at random {words.with_span(all_.share)} "
        f"({words.count(tenth.share.n)} games each)."
    )


def _panel_paragraph(found: Skill) -> str:
    rows = [each for each in found.weakened["restricted"] if each.verdict]
    worse = sorted((each for each in rows if _word(each) == stats.DIFFERENT and each.change.value < 0), key=lambda each: each.change.value)
    better = [each for each in rows if _word(each) == stats.DIFFERENT and each.change.value > 0]
    same = [each for each in rows if _word(each) in (stats.SAME, stats.NEGLIGIBLE)]
    open_ = [each for each in rows if _word(each) in (stats.UNSIZED, stats.UNDECIDED)]
    margin = words.points(found.design.margin.of(found.design.fair))
    sentences = []
    if worse:
        named = [f"“{each.told}” costs {_loss(each)} of the win share" for each in worse[:COSTLIEST]]
        left = len(worse) - COSTLIEST
        more = f", and {words.small(left)} more cost{'s' if left == 1 else ''} more than {margin}" if left > 0 else ""
        sentences.append(f"Restricted play: {words.listed(named)}{more}.")
    if better:
        sentences.append(f"To be restricted helps here: {_quoted(better)}.")
    if same:
        sentences.append(f"No practical difference ({margin} either way): {_quoted(same)}.")
    if open_:
        sentences.append(f"Of no clear size at this number of games: {_quoted(open_)}.")
    return " ".join(sentences) or "No restriction of how pawns are moved means anything under these rules."


def _quoted(rows: Sequence[Weakened]) -> str:
    return words.listed([f"“{each.told}”" for each in rows])


def _word(each: Weakened) -> str:
    return each.verdict.word if each.verdict else ""


def _late_paragraph(found: Skill) -> str:
    """Whether and from when on it no longer matters how one plays."""
    rows = dict(zip(RANDOM_AFTER, found.weakened["random_from"], strict=True))
    idle = [share for share, each in rows.items() if _word(each) in (stats.SAME, stats.NEGLIGIBLE)]
    if idle:
        return (
            f"From {words.percent(idle[0])} of the way on skill hardly matters: to move at random from there makes no practical difference."
        )
    last = rows[RANDOM_AFTER[-1]]
    if _word(last) == stats.DIFFERENT:
        return f"Skill matters to the end: to move at random for the last quarter of the way alone costs {_loss(last)} of the win share."
    change = words.shift(last.change)
    return f"Whether skill matters in the last quarter of the way is open: moving at random there changes the wins by {change}."


def _parts_paragraph(found: Skill) -> str:
    measure = "points" if "points" in found.parts else "place"
    parts = found.parts[measure]
    told = (
        f"Of what sets {'points' if measure == 'points' else 'places'} apart in these games, {words.with_span(parts['policy'])} is who "
        f"plays, {words.with_span(parts['luck'])} the luck of a seat in a deal, and {words.with_span(parts['rest'])} neither."
    )
    if found.luck is None:
        return told
    return (
        f"{told} Among careful players the luck of their draws explains {words.with_span(found.luck)} of who wins "
        f"({words.count(found.luck.n)} games)."
    )


# -- tables ----------------------------------------------------------------------------------------


def _each(found: Skill) -> str:
    return f"{words.count(found.games_each)} games each"


def _gap_table(found: Skill) -> Table:
    side, _ = _sides(found)
    rows = (
        (f"Wins of the careful {side}", words.with_span(found.share), words.count(found.share.n)),
        ("Part of the way from a lottery to a certain win (skill_gap)", words.with_span(found.gap), words.count(found.gap.n)),
    )
    note = (
        f"A lottery gives each {side} {words.percent(found.design.fair)}. Games cut off at the turn cap are left out: {found.no_winner:,}."
    )
    return Table("skill-gap", f"A careful {side} against {_against(found)}", ("Measure", "Value", "Games"), rows, note)


def _weakened_table(found: Skill, kind: str, caption: str, first: str) -> Table:
    rows = tuple(
        (
            words.capital(each.told),
            words.with_span(each.share),
            f"{words.shift(each.change)}\n{each.verdict.text if each.verdict else words.NONE}",
        )
        for each in found.weakened[kind]
    )
    margin = found.design.margin.of(found.design.fair)
    note = (
        f"Careful players all around win {words.percent(found.design.fair)} each, without error, for every deal is played from every seat. "
        f"Margin of what matters {words.margin(margin, 'share')}; the verdicts of these {len(rows)} are corrected together (Benjamini and "
        f"Hochberg). {words.capital(_each(found))}."
    )
    return Table(f"skill-{kind.replace('_', '-')}", caption, (first, "Wins", "Change of the win share"), rows, note)


def _parts_table(found: Skill) -> Table:
    rows = tuple(
        (words.capital(PART_NAMES[part]), *(words.with_span(found.parts[measure][part]) for measure in found.parts)) for part in PARTS
    )
    note = (
        "Every deal, the same cards in the same order as far as the rules let it, is played once with the careful side in each seat; "
        "shares of the variance by an analysis of variance (omega squared), with jackknife intervals over deals. They add up to 100%; what "
        f"is not there may come out a little below 0. {words.capital(_each(found))}."
    )
    if len(found.design.sides) == 2:
        note += " With two sides, how a deal suits a player can't be told from everything else, and is part of it."
    headings = ("Part", *(MEASURES[measure] for measure in found.parts))
    return Table("skill-parts", "Where the differences between players come from", headings, rows, note)


def _identity_table(found: Skill, climbed: Ladder | None) -> Table:
    design = found.design
    rows = (
        ("Ruleset", f"{design.ruleset.name}: {design.ruleset.title} (hash {design.ruleset.hash})"),
        ("Players", str(design.players) + (" in two teams" if design.traits.teams else "")),
        ("Careful policy", f"{design.careful.name} (hash {design.careful.hash})"),
        ("Seed", str(design.seed)),
        ("Deals", f"{words.count(design.deals)}, each played once with every side in each role"),
        ("Games", words.count(design.games) + (f", and {words.count(climbed.chain.games)} of the ladder" if climbed else "")),
        *((f"Rung {at}", f"{rung.policy.name} (hash {rung.policy.hash})") for at, rung in enumerate(climbed.rungs if climbed else (), 1)),
        ("Intervals", f"{stats.LEVEL:.0%}: t intervals over deals"),
        ("Package", f"simsorry {__version__}"),
    )
    return Table("skill-identity", "What was played", ("Item", "Value"), rows, wordy=True)


def _definitions(climbed: Ladder | None) -> Table:
    rows = (
        ("skill_gap", "(w − 1/P) / (1 − 1/P), w the win share of one careful side of P against random ones."),
        *(ladder.definitions() if climbed else ()),
        ("mistakes", "In this share of its decisions a policy picks any distinct outcome, each as likely as any other."),
        ("random_from", "It does so in all decisions once its side has come this share of its squares at the beginning of a turn."),
        ("restricted play", "The careful policy under one restriction, which it breaks only where it can do nothing else."),
        ("who plays", "Variance of a player's means over all seats and deals: one careful player, the others random."),
        ("the seat", "Variance of the means of the seats in play order, whoever sits there."),
        ("the luck of a seat in a deal", "Variance of what a seat in a deal comes to, whoever sits there: the cards it is dealt."),
        ("how a deal suits a player", "Variance of what a player comes to in a deal, in whatever seat."),
        (
            "luck of draws (luck_share)",
            "R² of winning on what one's draws were worth beyond what the pile had led to expect, less the others'.",
        ),
    )
    return Table("skill-definitions", "What the words mean", ("Word", "Meaning"), rows, wordy=True)


# -- figures ---------------------------------------------------------------------------------------


def _curve(found: Skill) -> Picture:
    side, others = _sides(found)
    rows = found.weakened["mistakes"]
    fair = found.design.fair

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axhline(fair, color=FAINT, lw=0.8, zorder=1)
        shares = [each.share for each in rows]
        axes.plot([0, *MISTAKEN], [fair, *(each.value for each in shares)], lw=1.4, color=look(0)["color"], zorder=2)
        axes.errorbar(
            MISTAKEN, [each.value for each in shares], whiskers(*shares), ls="none", ms=5, lw=1.4, capsize=2.5, zorder=3, **look(0)
        )
        axes.plot([0], [fair], ms=5, ls="none", zorder=3, **look(0))
        axes.set_xlim(-0.03, 1.03)
        axes.set_ylim(0, None)
        axes.set_xlabel("share of the decisions left to chance")
        axes.set_ylabel("share of the games won")
        percent(axes.xaxis)
        percent(axes.yaxis)
        axes.grid()

    tenth = rows[MISTAKEN.index(0.1)]
    finding = (
        f"A {side} with a mistake in every tenth decision wins {words.rough(tenth.share)} of the games instead of {words.percent(fair)}"
    )
    shows = (
        f"Win share of one {side} that leaves a share of its decisions to chance, where {others}, with {stats.LEVEL:.0%} "
        f"intervals; the line is the fair share. {words.capital(_each(found))}."
    )
    return Picture("mistakes", finding, shows, draw, 2.9)


def _panel(found: Skill) -> Picture | None:
    rows = [each for each in found.weakened["restricted"] if each.change.known]
    if not rows:
        return None
    margin = found.design.margin.of(found.design.fair)

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvspan(-margin, margin, color=BAND, lw=0, zorder=0)
        axes.axvline(0, color=FAINT, lw=0.8, zorder=1)
        places = range(len(rows))
        spans = whiskers(*(each.change for each in rows))
        axes.errorbar([each.change.value for each in rows], places, xerr=spans, ls="none", ms=5, lw=1.4, capsize=2.5, zorder=3, **look(0))
        axes.set_yticks(places, [clip(each.told) for each in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("change of the win share in percentage points\n(shaded: too small to matter)")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: words.number(100 * value, 0 if abs(value * 1000 % 10) < 1e-6 else 1)))
        axes.grid(axis="x")

    worst = min(rows, key=lambda each: each.change.value)
    finding = (
        f"Of {len(rows)} restrictions “{worst.told}” costs the most"
        if worst.change.value < 0 and _word(worst) in (stats.DIFFERENT, stats.UNSIZED)
        else f"None of {len(rows)} restrictions is shown to cost anything"
    )
    shows = (
        f"Change of a restricted side's win share from the fair {words.percent(found.design.fair)}, all others playing on as before, with "
        f"{stats.LEVEL:.0%} intervals. {words.capital(_each(found))}."
    )
    return Picture("restricted", finding, shows, draw, 0.9 + 0.26 * len(rows))


# -- the report ------------------------------------------------------------------------------------


def _sections(found: Skill, climbed: Ladder | None) -> list[Section]:
    side, others = _sides(found)
    mistakes = _weakened_table(found, "mistakes", f"A {side} that makes mistakes, where {others}", "How it plays")
    panel = _weakened_table(found, "restricted", f"A {side} under a restriction, where {others}", "Careful, but")
    late = _weakened_table(found, "random_from", f"A {side} that no longer cares, where {others}", "How it plays")
    drawn = _panel(found)
    return [
        Section("in-short", "In short", tuple(in_short(found, climbed)), lead=True),
        Section("identity", "What was played", parts=(Part(tables=(_identity_table(found, climbed),)),)),
        Section("skill-gap", "Careful against random", parts=(Part(tables=(_gap_table(found),)),)),
        *([ladder.section(climbed)] if climbed else []),
        Section("mistakes", "What mistakes cost", parts=(Part(pictures=(_curve(found),), tables=(mistakes,)),)),
        Section("restricted", "What restrictions cost", parts=(Part(pictures=(drawn,) if drawn else (), tables=(panel,)),)),
        Section("random-from", "When skill stops mattering", parts=(Part(tables=(late,)),)),
        Section("parts", "Skill, seat and luck", parts=(Part(tables=(_parts_table(found),)),)),
        Section("definitions", "Definitions", parts=(Part(tables=(_definitions(climbed),)),)),
    ]


def title(found: Skill) -> str:
    """What the report is called."""
    return f"Skill and luck in {found.design.ruleset.name}"


def render(found: Skill, climbed: Ladder | None = None) -> Report:
    """The report, with a ladder if one was played."""
    games = found.design.games + (climbed.chain.games if climbed else 0)
    subtitle = f"{words.count(games)} simulated games; {found.design.players} players, {found.design.careful.name} the careful one."
    tasks = _tasks(found.design, climbed.chain if climbed else None)
    return Report(
        title(found),
        __version__,
        subtitle,
        tuple(_sections(found, climbed)),
        as_json(found, climbed),
        found.design.seed,
        games,
        played=tasks,
    )


def _tasks(design: Design, chain: Chain | None) -> tuple[Played, ...]:
    """All games: each duel with every side as the one, those of players who are all careful, and those of the ladder."""
    sides = range(len(design.sides))
    duels = [design.skilled, *(duel for each in design.duels.values() for duel in each)]
    tasks = [*(design.arrangement(duel, at) for duel in duels for at in sides), *([design.alike] if design.measures_luck else [])]
    climbed = [(duel, chain.deals(duel)) for duel in chain.distinct.values()] if chain else []
    of_ladder = [Played(design.arrangement(duel, at).describe(), deals) for duel, deals in climbed for at in sides]
    return (*played(tasks, design.deals), *of_ladder)


def as_json(found: Skill, climbed: Ladder | None = None) -> dict[str, Any]:
    """Every number of the report, ready for ``json.dumps``; infinite and missing numbers are null."""
    design = found.design
    document: dict[str, Any] = {
        "format": FORMAT,
        "simsorry": __version__,
        "title": title(found),
        "ruleset": {"name": design.ruleset.name, "title": design.ruleset.title, "hash": design.ruleset.hash},
        "game": design.ruleset.game,
        "players": design.players,
        "sides": design.sides,
        "policy": {"name": design.careful.name, "hash": design.careful.hash},
        "seed": design.seed,
        "deals": design.deals,
        "games": design.games,
        "games_without_winner": found.no_winner,
        "level": stats.LEVEL,
        "fair_share": design.fair,
        "margin": design.margin.of(design.fair),
        "share": ladder.estimate(found.share),
        "skill_gap": ladder.estimate(found.gap),
        "eps_curve": _rows(found.weakened["mistakes"], "mistakes", MISTAKEN),
        "restricted": _rows(found.weakened["restricted"]),
        "random_from": _rows(found.weakened["random_from"], "random_from", RANDOM_AFTER),
        "var_parts": {measure: {part: ladder.estimate(each) for part, each in parts.items()} for measure, parts in found.parts.items()},
        "luck_share": None if found.luck is None else ladder.estimate(found.luck),
        **({"ladder": ladder.as_json(climbed)} if climbed else {}),
    }
    plain: dict[str, Any] = stats.plain(document)
    return plain


def _rows(rows: Sequence[Weakened], key: str = "", shares: Sequence[float] = ()) -> list[dict[str, Any]]:
    """The rows of a table, each with the share that its weakness is of, if it is of one."""
    return [
        {
            "policy": each.name,
            "told": each.told,
            **({key: shares[at]} if key else {}),
            "share": ladder.estimate(each.share),
            "change": ladder.estimate(each.change),
            "verdict": each.verdict.text if each.verdict else None,
            "p_value": each.verdict.p_value if each.verdict else None,
        }
        for at, each in enumerate(rows)
    ]
