"""``simsorry run``: plays one task, stores it if asked to, and prints what came of it."""

import json
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsorry.cli import _cluster
from simsorry.errors import INTERRUPTED, USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.gauge import Gauge
    from simsorry.results import Outcome
    from simsorry.simulate import Task
    from simsorry.summary import Estimate, Moments, Share, Summary

QUANTILES = (1, 5, 25, 50, 75, 95, 99)  # percent
TURN_KINDS = ("dead_turns", "forced_turns", "choice_turns", "dice_turns", "card_turns", "both_turns", "start_turns")  # as far as counted
TURN_LABELS = {
    "board_choice_turns": "  but for throwing in",
    "dice_turns": "dice alone used",
    "card_turns": "a card alone used",
    "both_turns": "both used",
    "start_turns": "a pawn brought out",
}
GAMES, MOST_GAMES = "10000", "10M"  # the most where games are played until all is as precise as asked
FEWEST_GAMES = 20  # fewer give no interval worth the name
LABEL = 18  # columns, unless a label is longer
_Z = 1.959963984540054  # two-sided 95 % of the normal distribution
_NUMBER = re.compile(r"(\d[\d_]*)(?:\.(\d+))?(?:[eE]\+?(\d{1,3}))?([kKmMbBgG]?)", re.ASCII)
_MULTIPLES = {"": 0, "k": 3, "m": 6, "b": 9, "g": 9}  # powers of ten


class Keep(StrEnum):
    """What is stored of each game."""

    rows = "rows"
    summary = "summary"


class Format(StrEnum):
    """How rows are stored: CSV comes beside the parquet, not in its place."""

    parquet = "parquet"
    csv = "csv"


def run(
    ruleset: Annotated[
        str, typer.Argument(help="A built-in ruleset (hasbro), a file (./mine.toml), or one with house rules: hasbro+slides=off.")
    ],
    players: Annotated[int, typer.Option(help="Number of players.")] = 4,
    policy: Annotated[
        list[str] | None, typer.Option(help="Who plays: one for all, or one per table seat (repeat or separate by commas).")
    ] = None,
    games: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Number of games: 10000, 1e6, 2M; 10000 if not given. With --precision that many at most: 10M if not given.",
        ),
    ] = None,
    precision: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHAT=SIZE",
            help="Play until the 95% interval of a kind or a measure is no wider than this to either side, in percentage points, percent "
            "of the value or its unit: seat_share=0.2pp, turns=0.5%, bumps=0.1; may be repeated.",
        ),
    ] = None,
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of all chance: the same seed gives the same games.")] = "1",
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder for the results, or s3://bucket/folder; the same command again goes on from what is there.",
        ),
    ] = None,
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule on top; may be repeated.")] = None,
    seats: Annotated[
        str | None, typer.Option(metavar="COLORS", help="Colors in seat order (red,blue), or opposite or adjacent for two players.")
    ] = None,
    threads: Annotated[str | None, typer.Option(metavar="N", help="Threads; all cores if not given.")] = None,
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help=_cluster.HELP)] = None,
    block: Annotated[str | None, typer.Option(metavar="N", help="Games per block; changes nothing but the time taken.")] = None,
    chances: Annotated[
        bool, typer.Option("--chances", help="Follow everybody's chance to win, by a gauge that is fitted to other games first.")
    ] = False,
    keep: Annotated[Keep, typer.Option(help="Store every row, or exact sums only.")] = Keep.rows,
    format: Annotated[Format, typer.Option(help="csv writes CSV files beside the parquet ones.")] = Format.parquet,
    trace: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write where everybody stood at every round end to this parquet file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document with everything that was counted.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
    progress: Annotated[bool, typer.Option(help="Show progress on stderr.")] = True,
) -> None:
    """Play many games of one ruleset, and say how long they take, who wins and what happens in them."""
    from simsorry import results
    from simsorry.cli import _chances, _precision
    from simsorry.cli._progress import Watch
    from simsorry.simulate import MAX_GAMES, MAX_SEED, PART_GAMES

    targets = _precision.targets(precision or [])
    wanted = whole_number("--games", games or (MOST_GAMES if targets else GAMES), FEWEST_GAMES if targets else 1, MAX_GAMES)
    task = make_task(ruleset, players, policy or ["random"], whole_number("--seed", seed, 0, MAX_SEED), sets or [], seats)
    if chances:
        (task,) = _chances.to_gauge([task])
    _cluster.check(cluster, threads)
    folder = _folder(out, keep, format)
    traced = results.check_trace(trace, wanted) if trace is not None else None
    watch = Watch(wanted, [task.entry_point], quiet=quiet, show=progress)
    precise = _precision.Precise(task, targets, watch, wanted) if targets else None
    with watch.shown(), _cluster.opened(cluster, watch) as workers:
        (task,) = _chances.fitted([task], watch)
        play = partial(results.run_until, task, precise.looks, precise) if precise else partial(results.run, task, wanted)
        outcome = play(
            out=folder,
            keep=keep.value,
            threads=number_of_threads(threads),
            cluster=workers,
            block_games=None if block is None else whole_number("--block", block, 1, PART_GAMES),
            stop=watch.stop,
            on_games=watch.games,
            say=watch.say,
            command=["simsorry", *sys.argv[1:]],
        )
    if outcome.summary.games:
        document = describe(task, outcome)
        typer.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) if as_json else table(document))
    if not outcome.complete:
        raise _interrupted(outcome.summary.games, wanted, out)
    if format is Format.csv and outcome.folder and folder:
        results.export_csv(outcome.folder, folder)
    if traced:
        results.write_trace(task, outcome.summary.games, traced)
    if precise and not outcome.enough:
        raise _precision.missed(precise.reached, outcome.summary.games)


def _folder(out: str | None, keep: Keep, format: Format) -> Path | None:
    if out is not None and (not out.strip() or "\0" in out):
        raise SimsorryError("--out is empty or no possible name: name a folder, or leave it out to store nothing", USAGE)
    if format is Format.csv and (out is None or keep is Keep.summary):
        raise SimsorryError("--format csv needs --out, and --keep rows: there are no rows to write otherwise", USAGE)
    if out is None:
        return None
    from simsorry.results import places

    return places.only_here(out, "CSV") if format is Format.csv else places.lasting(out)


def _interrupted(done: int, wanted: int, out: str | None) -> SimsorryError:
    goes_on = "the same command goes on from there" if out is not None else "without --out nothing of it is kept"
    return SimsorryError(f"stopped after {done:,} of {wanted:,} games; {goes_on}", INTERRUPTED)


# -- arguments -------------------------------------------------------------------------------------


def whole_number(option: str, text: str, low: int, high: int) -> int:
    """A count as people write it: 10000, 10_000, 1e6, 2.5M; SimsorryError if it is not a whole number in range."""
    match = _NUMBER.fullmatch(text.strip()) if len(text) <= 60 else None
    if match:
        digits, fraction, exponent, suffix = match.groups(default="")
        shift = int(exponent or 0) + _MULTIPLES[suffix.lower()] - len(fraction)
        mantissa = int(digits.replace("_", "") + fraction)
        power = int(10 ** abs(shift))
        value, rest = (mantissa * power, 0) if shift >= 0 else divmod(mantissa, power)
        if not rest and low <= value <= high:
            return value
    raise SimsorryError(
        f"{option} {text[:60]}: a whole number from {low:,} to {high:,} is needed, such as {max(low, 1)}, 10_000 or 1e6", USAGE
    )


def number_of_threads(text: str | None) -> int | None:
    """What ``--threads`` says; None, for all cores, if it is not given."""
    return None if text is None else whole_number("--threads", text, 1, 1024)


def make_task(ruleset: str, players: int, policies: list[str], seed: int, sets: list[str], seats: str | None) -> "Task":
    """The task that the arguments of a command name; SimsorryError if they do not fit together."""
    from simsorry import games, rulesets
    from simsorry import policies as policy_files
    from simsorry.simulate import Task

    rules = rulesets.load(ruleset, sets)
    if seats is not None:
        rules = _seated(ruleset, rules, players, sets, seats)
    names = [name.strip() for given in policies for name in given.split(",")]
    games.load(rules.game).seat_colors(rules.rules, players)  # refuses a number of players that the game is not for
    if len(names) not in (1, players):
        raise SimsorryError(f"--policy names {len(names)} policies for {players} players: give one for all, or one per table seat", USAGE)
    return Task(rules, players, policy_files.line_up(names, players, rules.game), seed)


def _seated(spec: str, rules: Any, players: int, sets: list[str], seats: str) -> Any:
    """The ruleset with its ``seat_colors`` as asked for; unchanged if that is how it seats them anyway."""
    from simsorry import games, rulesets

    game = games.load(rules.game)
    colors = _seat_colors(game.COLORS, players, seats)
    with suppress(SimsorryError):  # its own colors may not fit this many players
        if tuple(game.seat_colors(rules.rules, players)) == tuple(colors):
            return rules
    return rulesets.load(spec, [*sets, f"seat_colors={json.dumps(colors, separators=(',', ':'))}"])


def _seat_colors(known: tuple[str, ...], players: int, seats: str) -> list[str]:
    from simsorry.toml import closest

    pairs = {"opposite": [known[0], known[2]], "adjacent": [known[0], known[1]]}
    if seats in pairs:
        if players != 2:
            raise SimsorryError(f"--seats {seats} is for two players, not {players}: name their colors instead", USAGE)
        return pairs[seats]
    colors = [color.strip() for color in seats.split(",")]
    for color in colors:
        if color not in known:
            allowed = ", ".join([*known, *pairs])
            raise SimsorryError(
                f"--seats {seats[:60]}: there is no color {color[:30]!r}{closest(color, [*known, *pairs])}; allowed are {allowed}", USAGE
            )
    if len(colors) != players or len(set(colors)) != players:
        raise SimsorryError(f"--seats {seats[:60]}: {players} different colors are needed for {players} players", USAGE)
    return colors


# -- what came of it -------------------------------------------------------------------------------


def describe(task: "Task", outcome: "Outcome") -> dict[str, Any]:
    """Everything that was counted, as plain data; shares are of all games, capped ones included."""
    from simsorry import results
    from simsorry.cli import _command
    from simsorry.report import provenance

    summary, ruleset = outcome.summary, task.ruleset
    return {
        "task": task.id,
        "ruleset": {"name": ruleset.name, "title": ruleset.title, "hash": ruleset.hash},
        "game": ruleset.game,
        "game_version": task.game.VERSION,
        "players": task.players,
        "seat_colors": list(task.seat_colors),
        "policies": [policy.name for policy in task.policies],
        "seed": task.seed,
        "games": summary.games,
        "complete": outcome.complete,
        "capped": _share(summary.capped()),
        "length": _length(summary),
        "turn_shares": {kind: _bounded(summary.per_turn(kind)) for kind in _turn_kinds(task, summary)},
        "wins": _wins(task, summary),
        "points": _points(task, summary) if task.traits.points else None,
        "places": _by_player(task, summary, "place") if _ranked(task) else None,
        "teams": _teams(task, summary) if task.traits.teams else None,
        "bonus_moves": _bonus_moves(summary) if task.traits.home_moves or task.traits.bump_moves else None,
        "fights": _fights(summary) if "fights" in summary.game_moments else None,
        "piles": _piles(summary) if "covered_turns" in summary.game_moments else None,
        "hand": _hand(summary) if task.traits.hand else None,
        "match": _match(summary) if task.traits.match else None,
        "chances": _gauged(summary, task.gauge) if task.gauge else None,
        "counters": {name: _estimate(summary.mean(name)) for name in summary.game_moments},
        "seats": [
            {"seat": seat, "counters": {name: _estimate(summary.seat_mean(name, seat)) for name in summary.seat_moments}}
            for seat in range(task.players)
        ],
        "fingerprint": f"{summary.digest:016x}",
        "folder": str(outcome.folder) if outcome.folder else None,
        "versions": results.versions(),
        "provenance": provenance.document([provenance.Played(task.describe(), summary.games)], _command.told()),
    }


def _estimate(estimate: "Estimate") -> dict[str, Any]:
    return {"mean": estimate.value, "sd": estimate.sd, "se": estimate.se}


def _interval(estimate: "Estimate") -> dict[str, Any]:
    half = None if estimate.se is None else _Z * estimate.se
    return {"low": None if half is None else estimate.value - half, "high": None if half is None else estimate.value + half}


def _bounded(estimate: "Estimate") -> dict[str, Any]:
    """A share with an interval that stays between 0 and 1."""
    bounds = {side: None if end is None else min(max(end, 0.0), 1.0) for side, end in _interval(estimate).items()}
    return {"share": estimate.value, "se": estimate.se, **bounds}


def _share(share: "Share") -> dict[str, Any]:
    return asdict(share)


def _length(summary: "Summary") -> dict[str, Any]:
    turns = summary.histograms["turns"]
    mean = summary.mean("turns")
    return {
        "column": "turns",
        **_estimate(mean),
        **_interval(mean),
        "min": min(turns),
        "max": max(turns),
        "quantiles": {f"{percent}%": summary.quantile(percent / 100) for percent in QUANTILES},
    }


def _turn_kinds(task: "Task", summary: "Summary") -> list[str]:
    """Kinds of turns; where there are hands, also choice turns without those whose only choice is a card to throw in."""
    counted = [kind for kind in TURN_KINDS if kind in summary.game_moments]
    return [*counted, "board_choice_turns"] if task.traits.hand else counted


def _policies(task: "Task") -> list[tuple[str, list[int]]]:
    """Each policy and its table seats."""
    names = list(dict.fromkeys(policy.name for policy in task.policies))
    return [(name, [seat for seat, policy in enumerate(task.policies) if policy.name == name]) for name in names]


def _ranked(task: "Task") -> bool:
    """Whether there are places beyond having won or not."""
    return (task.traits.places or task.traits.match) and not task.traits.teams


def _wins(task: "Task", summary: "Summary") -> dict[str, Any]:
    """Win shares with Wilson intervals, by play-order seat, by color and by policy.

    In team play a win is that of both partners, and there are none by policy: those of the teams say whose they are.
    """
    held = [] if task.traits.teams else _policies(task)
    by_policy = zip(held, summary.wins_by_group([seats for _, seats in held]), strict=True)
    return {
        "by_seat": [{"seat": seat, **_share(each)} for seat, each in enumerate(summary.wins_by_seat())],
        "by_color": [
            {"color": color, "table_seat": seat, **_share(each)}
            for seat, (color, each) in enumerate(zip(task.seat_colors, summary.wins_by_table_seat(), strict=True))
        ],
        "by_policy": [{"policy": name, "table_seats": seats, **_share(each)} for (name, seats), each in by_policy],
    }


def _meant(estimate: "Estimate") -> dict[str, Any]:
    """A mean with its interval."""
    return {**_estimate(estimate), **_interval(estimate)}


def _of_decided(summary: "Summary", name: str) -> dict[str, Any] | None:
    """A mean over the games with a winner; None if there is none."""
    mean = summary.decided_mean(name)
    return None if mean is None else _meant(mean)


def _by_player(task: "Task", summary: "Summary", column: str) -> dict[str, Any]:
    """Means by play-order seat, by color and by policy; the deviation of a policy is that of one player's number."""
    return {
        "by_seat": [{"seat": seat, **_meant(summary.seat_mean(column, seat))} for seat in range(task.players)],
        "by_color": [
            {"color": color, "table_seat": seat, **_meant(summary.table_mean(column, [seat]))}
            for seat, color in enumerate(task.seat_colors)
        ],
        "by_policy": [
            {"policy": name, "table_seats": seats, **_meant(summary.table_mean(column, seats))} for name, seats in _policies(task)
        ],
    }


def _by_team(task: "Task", summary: "Summary", column: str) -> dict[str, Any]:
    """Means of what partners have alike, for the team that moves first and the other, and by colors."""
    one, partner = task.traits.teams[0]
    other = 1 if abs(partner - one) == 2 else 2  # in play order: opposite partners take turns with the others, neighbors sit opposite them
    teams = [{"colors": _colors(task, seats), **_meant(summary.table_mean(column, seats[:1]))} for seats in task.traits.teams]
    return {"by_order": [_meant(summary.seat_mean(column, seat)) for seat in (0, other)], "by_team": teams}


def _colors(task: "Task", seats: Sequence[int]) -> list[str]:
    return [task.seat_colors[seat] for seat in seats]


def _of_rounds(task: "Task", summary: "Summary", column: str) -> dict[str, Any]:
    """Rounds with something, and their share of all rounds; where a game is one round, with Wilson's interval."""
    from simsorry.summary import share

    count = summary.game_moments[column].total
    shared = _bounded(summary.ratio(column, "match_rounds")) if task.traits.match else _share(share(count, summary.games))
    return {**shared, "count": count, "of": summary.game_moments["match_rounds"].total}


def _points(task: "Task", summary: "Summary") -> dict[str, Any]:
    """Points by player or by team and of the winner, and how often each bonus was paid."""
    return {
        **(_by_team(task, summary, "points") if task.traits.teams else _by_player(task, summary, "points")),
        "winner": _of_decided(summary, "winner_points"),
        "bonuses": [
            {"points": bonus.points, "meaning": bonus.meaning, **_of_rounds(task, summary, f"band_{number}")}
            for number, bonus in enumerate(task.traits.bonuses, start=1)
        ],
    }


def _teams(task: "Task", summary: "Summary") -> dict[str, Any]:
    """The teams with their members, who of them makes the winning move, and what they do for and to each other.

    A match has no winning move, and what is left at its end is left of one round.
    """
    from simsorry.summary import share

    dice = "rolls" in summary.game_moments  # then not only cards move pawns
    return {
        "by_order": [_share(share(count, summary.games)) for count in _wins_by_order(summary)],
        "by_team": [_team(task, summary, seats) for seats in task.traits.teams],
        "ended_by_earlier": None if task.traits.match else _share(share(summary.decided_sums["ended_by_earlier"][0], summary.decided)),
        "losers_pips": None if task.traits.match else _of_decided(summary, "losers_pips"),
        "partner_share": _bounded(summary.ratio("partner_moves", "draws")) if task.traits.moves_partner and not dice else None,
        "partner_moves": _meant(summary.mean("partner_moves")) if task.traits.moves_partner else None,
        "partner_bumps": _meant(summary.mean("partner_bumps")) if task.traits.bumps_partner else None,
    }


def _wins_by_order(summary: "Summary") -> tuple[int, int]:
    """Games won by the team that moves first, and by the other."""
    first = summary.wins_by_seat()[0].count
    return first, summary.decided - first


def _team(task: "Task", summary: "Summary", seats: tuple[int, int]) -> dict[str, Any]:
    won = summary.wins_by_table_seat()[seats[0]]
    members = [_member(task, summary, seat, won.count) for seat in seats]
    return {"colors": _colors(task, seats), **_share(won), "members": members}


def _member(task: "Task", summary: "Summary", seat: int, wins: int) -> dict[str, Any]:
    from simsorry.summary import share

    color = task.seat_colors[seat]
    ended = share(summary.histograms["winner_color"].get(task.game.COLORS.index(color), 0), wins)
    counted = {column: _meant(summary.table_mean(column, [seat])) for column in ("partner_moves", "partner_bumps")}
    played = {"color": color, "table_seat": seat, "policy": task.policies[seat].name}
    return {**played, "ended": None if task.traits.match else _share(ended), **counted}


def _hand(summary: "Summary") -> dict[str, Any]:
    """Cards thrown in, per game and as a share of all cards."""
    return {"throws": _meant(summary.mean("throws")), "throw_share": _bounded(summary.ratio("throws", "draws"))}


def _bonus_moves(summary: "Summary") -> dict[str, Any]:
    """Bonus moves earned per game, and the share of them that is lost."""
    return {"earned": _meant(summary.mean("bonuses_earned")), "lost": _bounded(summary.ratio("bonuses_lost", "bonuses_earned"))}


def _fights(summary: "Summary") -> dict[str, Any]:
    """Fights per game, and the share of them that is lost by the pawn that began them."""
    return {"per_game": _meant(summary.mean("fights")), "lost": _bounded(summary.ratio("fights_lost", "fights"))}


def _piles(summary: "Summary") -> dict[str, Any]:
    """How many pawns are covered and how high they pile up, and what is moved."""
    return {
        "covered": _bounded(summary.ratio("covered_turns", "pawn_turns")),
        "height": _meant(summary.ratio("pawn_turns", "pile_turns")),
        "highest": _meant(summary.mean("highest_pile")),
        "longest_cover": {
            **_meant(summary.mean("longest_cover")),
            "quantiles": {f"{percent}%": summary.quantile(percent / 100, "longest_cover") for percent in QUANTILES},
        },
        "moves": {size: _bounded(summary.ratio(f"moves_{size}", "moves")) for size in ("small", "medium", "large")},
        "stack_moves": _bounded(summary.ratio("stack_moves", "moves")),
    }


def _match(summary: "Summary") -> dict[str, Any]:
    """Rounds of a match, turns of a round, and the share of rounds whose winner does not alone lead the match after them."""
    return {
        "rounds": _meant(summary.mean("match_rounds")),
        "turns_per_round": _meant(summary.ratio("turns_all", "match_rounds")),
        "upsets": _bounded(summary.ratio("match_upsets", "match_rounds")),
    }


def _gauged(summary: "Summary", gauge: "Gauge") -> dict[str, Any]:
    """The gauge of the chance to win with how it was checked, and means of what it says of games with a winner and a round end before."""
    from simsorry.games.columns import UNIT

    games = summary.decided - summary.histograms["round_ends"].get(0, 0)
    found = {name: moments for name, moments in summary.game_moments.items() if name.startswith("chance_")}
    return {
        **gauge.describe(),
        "skill": gauge.check.skill if gauge.check else None,
        "games": games,
        "course": {name: _bounded(_mean_part(each, games, UNIT)) for name, each in found.items()} if games else None,
    }


def _mean_part(moments: "Moments", games: int, unit: int) -> "Estimate":
    """Mean of a share that is counted in parts of a unit, 0 in all other games."""
    from simsorry.summary import Estimate

    mean = moments.total / games
    if games < 2:
        return Estimate(mean / unit, None, None)
    sd = ((moments.squares - moments.total * mean) / (games - 1)) ** 0.5 / unit
    return Estimate(mean / unit, sd, sd / games**0.5)


# -- for people to read ----------------------------------------------------------------------------

Line = tuple[str, str]  # a label and what stands behind it, which begins in the same column in every line


def table(document: dict[str, Any]) -> str:
    """The main results for people to read."""
    length, capped = document["length"], document["capped"]
    quantiles = "   ".join(f"{name} {value}" for name, value in length["quantiles"].items())
    policies = list(dict.fromkeys(document["policies"]))
    line_up = document["policies"] if len(policies) > 1 else policies
    game = "match" if document["match"] else "game"
    lines = [
        ("", f"{document['ruleset']['name']}, {document['players']} players, {', '.join(line_up)}"),
        ("", f"task {document['task']}, seed {document['seed']}, {document['games']:,} games, {capped['count']:,} cut off at the turn cap"),
        ("", ""),
        _mean(f"turns per {game}", length),
        ("  quantiles", f"  {quantiles}"),
        *_match_lines(document["match"]),
        *(_part(TURN_LABELS.get(kind, kind.replace("_", " ")), each) for kind, each in document["turn_shares"].items()),
        *_hand_lines(document["hand"], game),
        *_dice_lines(document["bonus_moves"], document["fights"], game),
        *_pile_lines(document["piles"]),
        *_chance_lines(document["chances"]),
        *(_team_lines(document["teams"], game, len(policies) > 1) if document["teams"] else _of_players("won", document["wins"], _part)),
        *_points_lines(document["points"], game),
        *(_of_players("mean place", document["places"], _mean) if document["places"] else []),
    ]
    if document["folder"]:
        lines += [("", ""), ("", f"stored in {document['folder']}")]
    width = max(LABEL, *(len(label) + 1 for label, text in lines if text))
    return "\n".join(f"{label:<{width}}{text}" if label and text else label or text for label, text in lines)


def _of_players(what: str, found: dict[str, Any], line: Callable[[str, dict[str, Any]], Line]) -> list[Line]:
    """Something by play-order seat, and by policy if there are several."""
    lines = [("", ""), (f"{what}, by seat in play order", ""), *(line(f"  {each['seat'] + 1}", each) for each in found["by_seat"])]
    if len(found["by_policy"]) > 1:
        lines += [(f"{what}, by policy", ""), *(line(f"  {each['policy']}", each) for each in found["by_policy"])]
    return lines


def _team_lines(teams: dict[str, Any], game: str, by_policy: bool) -> list[Line]:
    lines = _of_teams("won", teams, _part)
    for team in teams["by_team"]:
        names = [f"{each['color']} ({each['policy']})" if by_policy else each["color"] for each in team["members"]]
        ended = [(name, each["ended"]) for name, each in zip(names, team["members"], strict=True) if each["ended"]]
        lines += [_part(f"  wins ended by {name}", share) for name, share in ended]
    lines += [_part("  ended by the earlier partner", teams["ended_by_earlier"])] if teams["ended_by_earlier"] else []
    if teams["partner_share"]:
        lines.append(_part("cards for the partner", teams["partner_share"]))
    elif teams["partner_moves"]:
        lines.append(_mean(f"moves for partner per {game}", teams["partner_moves"]))
    lines += [_mean(f"partners bumped per {game}", teams["partner_bumps"])] if teams["partner_bumps"] else []
    return lines + ([_mean("squares left to losers", teams["losers_pips"])] if teams["losers_pips"] else [])


def _of_teams(what: str, found: dict[str, Any], line: Callable[[str, dict[str, Any]], Line]) -> list[Line]:
    """Something by team, in play order and by colors."""
    first, second = found["by_order"]
    by_colors = [line(f"  {' and '.join(team['colors'])}", team) for team in found["by_team"]]
    return [("", ""), (f"{what}, by team", ""), line("  that moves first", first), line("  the other", second), *by_colors]


def _points_lines(points: dict[str, Any] | None, game: str) -> list[Line]:
    if not points:
        return []
    lines = (_of_teams if "by_team" in points else _of_players)(f"points per {game}", points, _mean)
    lines += [_mean(f"  the {game}'s winner", points["winner"])] if points["winner"] else []
    lines += [("bonuses paid, in rounds", "")] if points["bonuses"] else []
    for bonus in points["bonuses"]:
        label, text = _part(f"  {bonus['points']} points", bonus)
        lines.append((label, f"{text}   {bonus['meaning']}"))
    return lines


def _hand_lines(hand: dict[str, Any] | None, game: str) -> list[Line]:
    return [_part("cards thrown in", hand["throw_share"]), _mean(f"  per {game}", hand["throws"])] if hand else []


def _dice_lines(moves: dict[str, Any] | None, fights: dict[str, Any] | None, game: str) -> list[Line]:
    lines = [_mean(f"bonus moves per {game}", moves["earned"]), _part("  lost", moves["lost"])] if moves else []
    return lines + ([_mean(f"fights per {game}", fights["per_game"]), _part("  lost by newcomer", fights["lost"])] if fights else [])


def _pile_lines(piles: dict[str, Any] | None) -> list[Line]:
    if not piles:
        return []
    return [
        _part("pawns covered", piles["covered"]),
        _mean("  longest, in turns", piles["longest_cover"]),
        _mean("pawns in a pile", piles["height"]),
        _mean("  in the highest", piles["highest"]),
        _part("moves of a small pawn", piles["moves"]["small"]),
        _part("  of a medium one", piles["moves"]["medium"]),
        _part("  of a large one", piles["moves"]["large"]),
        _part("  of a stack", piles["stack_moves"]),
    ]


def _chance_lines(chances: dict[str, Any] | None) -> list[Line]:
    """How good the gauge is, when games are as good as won, and how open they are."""
    if not chances or not chances["check"] or not chances["course"]:
        return []
    check, less = chances["check"], 100 * chances["skill"]
    told = f"{abs(less):.0f}% {'less' if less >= 0 else 'more'} than that of"
    return [
        (
            "error of the chances",
            f"{check['brier']:>9.3f}   {told} equal ones ({check['brier_even']:.3f}), on {check['games']:,} other games",
        ),
        _part("  as good as won at", chances["course"]["chance_sure"]),
        _part("  uncertainty", chances["course"]["chance_open"]),
    ]


def _match_lines(match: dict[str, Any] | None) -> list[Line]:
    if not match:
        return []
    return [
        _mean("rounds per match", match["rounds"]),
        _mean("turns per round", match["turns_per_round"]),
        _part("round winner not leading", match["upsets"]),
    ]


def _part(label: str, share: dict[str, Any]) -> Line:
    return label, f"{100 * share['share']:>8.2f}%   {_range(share, '.2f', 100)}"


def _mean(label: str, mean: dict[str, Any]) -> Line:
    return label, f"{mean['mean']:>9.2f}   {_range(mean, '.2f', 1)}"


def _range(interval: dict[str, Any], form: str, scale: float) -> str:
    if interval["low"] is None:
        return "no interval from one game"
    percent = "%" if scale == 100 else ""
    return f"95% interval {scale * interval['low']:{form}}{percent} to {scale * interval['high']:{form}}{percent}"
