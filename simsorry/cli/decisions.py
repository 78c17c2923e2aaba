"""``simsorry decisions``: what there is to decide in a game, and what deciding well is worth."""

import json
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from simsorry.errors import INTERRUPTED

if TYPE_CHECKING:
    from simsorry.decisions import Decisions, Swing
    from simsorry.simulate import Task
    from simsorry.stats import Estimate

MOST_GAMES = 100_000
_CARD, _WIDTH = 6, 46  # columns


def decisions(
    ruleset: Annotated[str, typer.Argument(help="A built-in ruleset (hasbro), a file (./mine.toml), or one with house rules.")],
    players: Annotated[int, typer.Option(help="Number of players.")] = 4,
    policy: Annotated[
        list[str] | None, typer.Option(help="Who plays: one for all, or one per table seat (repeat or separate by commas).")
    ] = None,
    games: Annotated[
        str, typer.Option(metavar="N", help="Number of games that are looked at, besides those that the gauge is from.")
    ] = "100",
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of all chance: the same seed gives the same games.")] = "1",
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top; may be repeated.")] = None,
    seats: Annotated[
        str | None, typer.Option(metavar="COLORS", help="Colors in seat order (red,blue), or opposite or adjacent for two players.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of sentences and tables.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
) -> None:
    """Say what there is to decide: how much choices matter, whom hits can strike, who decides about others, and what cards do.

    Every outcome of every decision is weighed by the chance to win that it leaves the mover. Chances are gauged from the squares gone,
    the pawns HOME, on START and safe, and who moves next, in 2,000 other games; cards in hands are not seen.
    """
    from simsorry import offers
    from simsorry.cli.run import make_task, whole_number
    from simsorry.simulate import MAX_SEED

    number = whole_number("--games", games, 2, MOST_GAMES)
    task = make_task(ruleset, players, policy or ["random"], whole_number("--seed", seed, 0, MAX_SEED), sets or [], seats)
    offers.refuse(task)
    found = _looked_at(task, number, quiet)
    typer.echo(json.dumps(describe(found), ensure_ascii=False, indent=2, allow_nan=False) if as_json else told(found))


def _looked_at(task: "Task", number: int, quiet: bool) -> "Decisions":
    """Follows the games; SimsorryError if the user stops it."""
    from simsorry import offers
    from simsorry.cli._progress import on_terminal
    from simsorry.decisions import look
    from simsorry.errors import SimsorryError

    watch = on_terminal(number, [task.entry_point, *offers.compiled_for(task)], quiet=quiet)

    def on_game() -> bool:
        watch.games(1)
        return not watch.stop.is_set()

    with watch.shown():
        watch.games(0)
        found = look(task, range(number), on_game=on_game)
    if found is None:
        raise SimsorryError(f"stopped after {watch.done:,} of {watch.total:,} games; nothing is said of so few", INTERRUPTED)
    return found


# -- what was found --------------------------------------------------------------------------------


class Row(NamedTuple):
    """One number: its key, its words in the table, itself, and on how many of what it stands besides the games."""

    key: str
    label: str
    estimate: "Estimate"
    stands_on: int
    of: str


def rows(found: "Decisions") -> list[Row]:
    """All numbers but those of cards and single moves."""
    return [*_choice_rows(found), *_victim_rows(found), *_king_rows(found)]


def _choice_rows(found: "Decisions") -> list[Row]:
    from simsorry.decisions import REAL_CHANCE, REAL_SQUARES

    turns, decided = int(found.total("turns")), int(found.total("decisions"))
    at_stake = f"turns with {100 * REAL_CHANCE:.0f} point of the chance at stake"
    return [
        Row("decisions_per_turn", "decisions a turn", found.mean("decisions", "turns", "decisions"), turns, "turns"),
        Row("real_choice", at_stake, found.part("real", "turns"), turns, "turns"),
        Row("real_choice_squares", f"turns with {REAL_SQUARES} own squares at stake", found.part("real_squares", "turns"), turns, "turns"),
        Row("choice_value", "best outcome over a random one, points a turn", found.points("offered", "turns"), turns, "turns"),
        Row("choice_used", "outcome taken over a random one, points a turn", found.points("used", "turns"), turns, "turns"),
        Row("choice_value_game", "best outcomes over random ones, points a game", found.points("offered", "games"), decided, "decisions"),
    ]


def _victim_rows(found: "Decisions") -> list[Row]:
    """Whom hits strike, where there is more than one opponent."""
    if found.task.players == 2:
        return []
    turns, struck = int(found.total("turns")), int(found.total("struck"))
    even, blind = (found.mean(f"leader_{how}", "struck", "share") for how in ("even", "blind"))
    return [
        Row("victim_choice", "turns with a choice of whom to hit", found.part("victims", "turns"), turns, "turns"),
        Row("leader_hit", "hits on who is ahead where victims can be chosen", found.part("struck_leader", "struck"), struck, "such hits"),
        Row("leader_hit_blind", "the same if all outcomes that hit were as likely", blind, struck, "such hits"),
        Row("leader_hit_even", "the same if all victims were as likely", even, struck, "such hits"),
    ]


def _king_rows(found: "Decisions") -> list[Row]:
    """Who decides about others, where somebody can: among three sides or more."""
    from simsorry.decisions import HOPELESS, KINGMAKING

    if found.sides == 2:
        return []
    decided, kings, effect = int(found.total("decisions")), int(found.total("kingmaker")), found.points("kingmaker_change", "kingmaker")
    below, moved = f"decisions of players below {HOPELESS:.0%}", f"games with one that moves another by {100 * KINGMAKING:.0f} points"
    return [
        Row("hopeless_decisions", below, found.part("hopeless", "decisions"), decided, "decisions"),
        Row("kingmaking", moved, found.part("kingmaker", "games"), found.games, "games"),
        Row("kingmaker_effect", "points of the largest such change of a game", effect, kings, "games with one"),
    ]


def _card_rows(found: "Decisions") -> list[tuple[str, int, "Estimate", "Estimate"]]:
    """Card, how many, the mean change that it makes, and its part of the largest gains; those that help most first."""
    from simsorry.games.options import CARDS

    seen = [(name, found.cards(card), found.swing(card), found.largest_by(card)) for card, name in enumerate(CARDS) if found.cards(card)]
    return sorted(seen, key=lambda row: -row[2].value)


def describe(found: "Decisions") -> dict[str, Any]:
    """All of it as plain data."""
    from simsorry.cli import _command
    from simsorry.report import provenance

    return {
        "task": found.task.describe(),
        "gauge": found.gauge.describe(),
        "games": found.games,
        "turns": int(found.total("turns")),
        "choices": int(found.total("choices")),
        "outcomes": int(found.total("outcomes")),
        "measures": {row.key: {**_estimate(row.estimate), "stands_on": row.stands_on, "of": row.of} for row in rows(found)},
        "swing": {
            card: {**_estimate(change), "cards": cards, "largest_gain": _estimate(largest)}
            for card, cards, change, largest in _card_rows(found)
        },
        "largest_gains": [{"points": 100 * swing.change, **_where(swing)} for swing in found.largest],
        "provenance": provenance.document([provenance.Played(found.task.describe(), found.games)], _command.told()),
    }


def _where(swing: "Swing") -> dict[str, Any]:
    return {"game": swing.game, "turn": swing.turn, "color": swing.color, "card": swing.card, "did": swing.did}


def _estimate(each: "Estimate") -> dict[str, Any]:
    from simsorry.stats import plain

    return {"value": plain(each.value), "low": plain(each.low), "high": plain(each.high), "games": each.n, "unit": each.unit}


# -- for people to read ----------------------------------------------------------------------------


def told(found: "Decisions") -> str:
    """The findings in sentences, and then in tables."""
    from simsorry.cli._files import wrap

    return "\n\n".join([*(wrap(paragraph) for paragraph in _paragraphs(found)), _table(found), _cards(found), _swings(found)])


def _paragraphs(found: "Decisions") -> list[str]:
    by_key = {row.key: row for row in rows(found)}
    return [part for part in (_worth(found, by_key), _struck(found, by_key), _kings(found, by_key), _gauge(found)) if part]


def _worth(found: "Decisions", by_key: dict[str, Row]) -> str:
    from simsorry.report.words import count, value, with_span

    real, best, used = (by_key[key].estimate for key in ("real_choice", "choice_value", "choice_used"))
    names = list(dict.fromkeys(policy.name for policy in found.task.policies))
    made = f"{', '.join(names)} play{'s' if len(names) == 1 else ''} {value(used)} points above blindly"
    if used.low <= 0 <= used.high:
        made = f"{', '.join(names)} play{'s' if len(names) == 1 else ''} no better or worse than blindly as far as can be told"
    return (
        f"{found.task.ruleset.name}, {found.task.players} players: in {with_span(real)} of turns something is at stake: the best outcome "
        "leaves a chance to win at least one percentage point above that of the worst. Choosing the best instead of blindly raises the "
        f"chance by {with_span(best)} percentage points a turn; {made}. ({count(found.games)} games, "
        f"{count(by_key['real_choice'].stands_on)} turns.)"
    )


def _struck(found: "Decisions", by_key: dict[str, Row]) -> str:
    from simsorry.report.words import count, value, with_span

    if "victim_choice" not in by_key:
        return ""
    choice, hit, blind = (by_key[key] for key in ("victim_choice", "leader_hit", "leader_hit_blind"))
    text = f"In {with_span(choice.estimate)} of turns there is a choice of whom to hit."
    if not hit.stands_on:
        return text
    beyond = found.mean("leader_beyond", "struck", "share")
    word = "more often than" if beyond.low > 0 else "less often than" if beyond.high < 0 else "as far as can be told as often as"
    return (
        f"{text} The victim who is ahead of the others is hit in {with_span(hit.estimate)} of {count(hit.stands_on)} such hits, {word} "
        f"with a blind choice of one of the outcomes that hit somebody ({value(blind.estimate)})."
    )


def _kings(found: "Decisions", by_key: dict[str, Row]) -> str:
    from simsorry.report.words import count, with_span

    if "kingmaking" not in by_key:
        return ""
    return (
        f"In {with_span(by_key['kingmaking'].estimate)} of {count(found.games)} games somebody with a chance below 5% has a decision that "
        "moves another player's chance by ten points or more."
    )


def _gauge(found: "Decisions") -> str:
    from simsorry.report.words import count, percent

    check = found.gauge.check
    unseen = " It does not see the cards in hands." if found.task.traits.hand else ""
    if check is None:
        return f"Chances are those of a gauge that was given.{unseen}"
    return (
        f"Chances are gauged from {count(check.fit_games)} other games; in {count(check.games)} more that takes {percent(check.skill)} of "
        f"the error of equal chances away.{unseen}"
    )


def _table(found: "Decisions") -> str:
    from simsorry.report.words import count, with_span

    lines = [f"{row.label:<{_WIDTH + 3}} {with_span(row.estimate):<24} {count(row.stands_on)} {row.of}" for row in rows(found)]
    return "\n".join([f"{'per turn, decision or game':<{_WIDTH + 3}} {'value (95% interval)':<24} stands on", *lines])


def _cards(found: "Decisions") -> str:
    from simsorry.report.words import count, with_span

    lines = [
        f"{card:<{_CARD}} {with_span(change):<24} {with_span(largest):<20} {count(cards):>8}"
        for card, cards, change, largest in _card_rows(found)
    ]
    return "\n".join([f"{'card':<{_CARD}} {'points of the chance':<24} {'largest gain of game':<20} {'cards':>8}", *lines])


def _swings(found: "Decisions") -> str:
    lines = [
        f"{100 * swing.change:+.0f}  {swing.card:<{_CARD}} game {swing.game}, turn {swing.turn}: {swing.color} {swing.did}"
        for swing in found.largest
    ]
    return "\n".join(["largest gains of all games, in points of the chance", *lines])
