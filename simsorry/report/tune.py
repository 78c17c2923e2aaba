"""What a search for better weights has found: in words, as a policy file, and as a JSON document."""

from collections.abc import Sequence
from typing import Any

from simsorry import __version__, stats
from simsorry.report import words
from simsorry.report.provenance import Played, played
from simsorry.report.provenance import document as document_of
from simsorry.stats import Estimate
from simsorry.toml import shorten, value_text
from simsorry.tune import FIXED, POINTS, START, Check, Tuned, duels

FORMAT = 1

# -- words -----------------------------------------------------------------------------------------


def in_short(found: Tuned, file: str) -> list[str]:
    """What was found, in paragraphs."""
    return [_strength(found, file), _panel(found), _search(found)]


def _side(found: Tuned) -> str:
    return "team" if found.asked.traits.teams else "player"


def _against(found: Tuned, name: str) -> str:
    others = len(found.asked.sides) - 1
    return f"{words.small(others)} of {name}" if others > 1 else f"one of {name}"


def _strength(found: Tuned, file: str) -> str:
    start, back = found.checks[:2]
    fair = words.percent(found.fair)
    if not start.share.known:
        return f"No game of {found.asked.ruleset.name} had a winner before the turn cap, so that nothing can be said; no file was written."
    lead = f"{words.number(100 * found.ahead.value, 1)} points ({words.between(100 * found.ahead.low, 100 * found.ahead.high)})"
    told = (
        f"one {_side(found)} of what was found wins {words.with_span(start.share)} against {_against(found, start.others)}, where {fair} "
        f"would be equal: {_verdict(start)}. One of {back.one} against {_against(found, 'it')} wins {words.with_span(back.share)}: {lead} "
        "less"
    )
    games = f"{words.count(start.share.n)} fresh games each"
    if not found.better:
        return (
            f"Nothing better than {found.asked.start.name} was found for {found.asked.ruleset.name}, so keep that; no file was written. In "
            f"{games}, {told}."
        )
    return f"{file} beats {found.asked.start.name} in {found.asked.ruleset.name}. In {games}, {told}."


def _panel(found: Tuned) -> str:
    rows = [f"{words.with_span(each.share)} against {each.others} ({_verdict(each)})" for each in found.checks[2:]]
    return f"Of the panel it wins {words.listed(rows)}." if rows else "There is no panel but the start."


def _verdict(each: Check) -> str:
    return each.verdict.text if each.verdict else words.NONE


def _search(found: Tuned) -> str:
    search, asked = found.search, found.asked
    crowned = [name for name in search.pool if name.startswith("generation ")]
    last = f", the last one in {search.champion}" if search.champion != START else ""
    times = "once" if len(crowned) == 1 else f"{words.count(len(crowned))} times"
    goal = "points" if asked.goal == POINTS else "games won"
    return (
        f"The search went by the share of {goal} through {words.count(len(search.history))} generations of {search.candidates} candidates, "
        f"{words.count(search.games)} games in all, over {len(asked.searched)} weights; {FIXED} stayed at {asked.unit:g}, for weights have "
        f"no scale of their own. The champion changed {times}{last}. {len(found.weights)} weights are left."
    )


# -- the file --------------------------------------------------------------------------------------


def policy_file(found: Tuned, file: str, command: str) -> str:
    """A policy file with what was found, and in its comments where that comes from and what it is worth."""
    asked = found.asked
    description = f"Found by a search for {asked.ruleset.name} that began with {asked.start.name}."
    lines = [
        *_comments(found, file, command),
        "",
        f"title = {value_text(f'Tuned for {asked.ruleset.name}')}",
        f"description = {value_text(description)}",
        f"game = {value_text(asked.ruleset.game)}",
        "",
        "[weights]",
        *weight_lines(found.weights),
    ]
    return "".join(f"{line}\n" for line in lines)


def weight_lines(weights: dict[str, float]) -> list[str]:
    """Weights as TOML has them."""
    return [f"{name} = {int(weight) if float(weight).is_integer() else repr(weight)}" for name, weight in weights.items()]


def _comments(found: Tuned, file: str, command: str) -> list[str]:
    search, asked = found.search, found.asked
    start, back, *panel = found.checks
    games, fair = words.count(start.share.n), words.percent(found.fair)
    width = max(len(shorten(each.others)) for each in (start, *panel))
    rows = [f"#   {shorten(each.others):{width}}   {_row(each)}" for each in (start, *panel)]
    return [
        f"# Found by {shorten(command, 1000)}",
        f"# in {len(search.history)} generations of {search.candidates} candidates, {words.count(search.games)} games in all.",
        "#",
        f"# What it wins, on game numbers that took no part in that ({games} games each, seed {asked.design.seed}, every side in turn):",
        f"# one {_side(found)} of it against the same other policy on all other sides, where {fair} would be equal, with 95 % intervals.",
        "#",
        *rows,
        "#",
        f"# One {_side(found)} of {shorten(back.one)} against it on all other sides wins {words.with_span(back.share)}.",
        "#",
        f"# To measure again: {measure_again(found, file)}",
    ]


def _row(each: Check) -> str:
    return f"{words.with_span(each.share)}, {_verdict(each)}"


def measure_again(found: Tuned, file: str) -> str:
    """A command that plays the games of the first check in which the first side is the one."""
    asked, start = found.asked, found.checks[0]
    names = [file if seat in asked.sides[0] else asked.start.name for seat in range(asked.players)]
    players = f" --players {asked.players}" if asked.players != 4 else ""  # the number that commands take if none is named
    return (
        f"simsorry run {shorten(asked.ruleset.name)}{players} --policy {','.join(map(shorten, names))} --games {start.share.n} "
        f"--seed {asked.design.seed}"
    )


# -- the document ----------------------------------------------------------------------------------


def as_json(found: Tuned, file: str | None, command: str) -> dict[str, Any]:
    """Everything that was found, ready for ``json.dumps``; infinite and missing numbers are null. ``file`` is that written, if one was.

    Of the games that were played ``provenance`` has those of the checks; those of the search follow from ``settings``.
    """
    search, asked = found.search, found.asked
    document: dict[str, Any] = {
        "format": FORMAT,
        "simsorry": __version__,
        "file": file,
        "settings": asked.describe(),
        "better": found.better,
        "weights": found.weights,
        "fixed": FIXED,
        "fair_share": found.fair,
        "ahead": _estimate(found.ahead),
        "margin": asked.margin.of(found.fair),
        "checks": {"seed": asked.design.seed, "deals": found.deals, "level": stats.LEVEL, "rows": [_check(each) for each in found.checks]},
        "search": {
            "generations": len(search.history),
            "candidates": search.candidates,
            "games": search.games,
            "champion": search.champion,
            "history": _history(found),
        },
        "provenance": document_of(_checked(found), command),
    }
    plain: dict[str, Any] = stats.plain(document)
    return plain


def _checked(found: Tuned) -> tuple[Played, ...]:
    """The games of the checks."""
    design, tuned = found.asked.design, found.asked.policy(found.checks[0].one, found.weights)
    pairs = duels(found.asked, tuned)
    return played([design.arrangement(duel, at) for duel in pairs for at in range(len(design.sides))], found.deals)


def _check(each: Check) -> dict[str, Any]:
    return {"one": each.one, "others": each.others, "share": _estimate(each.share), "verdict": each.verdict.word if each.verdict else None}


def _estimate(each: Estimate) -> dict[str, Any]:
    return {"value": each.value, "low": each.low, "high": each.high, "games": each.n, "unit": each.unit}


def _history(found: Tuned) -> Sequence[dict[str, Any]]:
    return [
        {
            "deals": each.plan.deals,
            "tables": each.plan.tables,
            "best": max(each.shares),
            "middle": each.middle,
            "champion": each.champion,
            "crowned": each.crowned,
            "agreement": each.agreement,
            "step": each.step,
        }
        for each in found.search.history
    ]
