"""``simsorry policies``: who can play, what one weighs, what there is to weigh, and whether a file is right."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsorry.cli._files import check_files, print_json, wrap
from simsorry.errors import USAGE, SimsorryError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from simsorry.policies import Policy

app = typer.Typer(
    no_args_is_help=True,
    help="List, show and check policies, and say what they can weigh.",
    epilog="Wherever a policy is named, ~mistakes=0.1 behind it leaves that share of its decisions to chance, and ~random_from=0.5 all of "
    "them once its pawns have come half their way: balanced~mistakes=0.1. With ~playouts=100 it looks ahead: it plays on from the six "
    "outcomes that its weights like best (~breadth=6, 0 for all), 100 times each on average, and takes what is best in the end. "
    "~horizon=1 stops a round later, and judges the position there by the weights (~spread=0.4: how sharply). In a file these are keys "
    "above its table of weights. A policy may also be a function of one's own in Python, FILE.py:NAME, such as ./mine.py:choose.",
)


def complete_policy(incomplete: str) -> list[str]:
    """The built-in names that begin as typed, for the shell."""
    from simsorry.policies import names

    return [name for name in names() if name.startswith(incomplete)]


_CARELESS = {
    "mistakes": "In {} of its decisions it takes any outcome, each as likely as any other.",
    "random_from": "Once its pawns have come {} of their way it takes any outcome until the round ends, each as likely as any other.",
}
_AHEAD = "It looks ahead: it plays on from {}, {:g} times each on average, everybody playing {}, and takes {}."
_BEST = "the one with the best chance to win, or where that is not clear the one that its weights like best"
_STOPS = "A play-out stops {} round{} after its own turn, where "
_JUDGED = (
    "the weights judge the chances: a score that is higher by {:g} of what it counts that all pawns come from START HOME multiplies the "
    "odds to win by e."
)
_Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]
_Game = Annotated[str, typer.Option(metavar="GAME", help="The game that is played.")]
_OwnGame = Annotated[
    str | None, typer.Option(metavar="GAME", help="The game that is played; if not given, the one that the policy is for, or classic.")
]


@app.command("list")
def list_policies(
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Also say which ones play this game like others.")] = None,
    as_json: _Json = False,
) -> None:
    """Names the built-in policies, and says what each does."""
    from simsorry.policies import load, names

    found = [load(name, game or "classic") for name in names()]
    if as_json:
        print_json([{"name": policy.name, "title": policy.title, "description": policy.description} for policy in found])
        return
    width = max(len(policy.name) for policy in found)
    for policy in found:
        like = _like(policy, found) if game else None
        same = f" In {game} it plays like {like}." if like else ""
        typer.echo(wrap(policy.description + same, f"{policy.name:{width}}  ", " " * (width + 2)))


def _like(policy: "Policy", found: "Sequence[Policy]") -> str | None:
    """Another policy that weighs the same in a game, where some of what this one weighs is not there to be weighed."""
    return next((other.name for other in found if policy.idle and not other.idle and other.weights == policy.weights), None)


@app.command("show")
def show(
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY",
            help="A built-in name, a file (a slash or .toml in it), or FILE.py:NAME.",
            autocompletion=complete_policy,
        ),
    ],
    resolved: Annotated[bool, typer.Option("--resolved", help="As a TOML file to start one's own from.")] = False,
    game: _OwnGame = None,
    as_json: _Json = False,
) -> None:
    """Shows what a policy does: in words, and the features it weighs in a game."""
    from simsorry.games.words import all_of
    from simsorry.policies import game_of, load
    from simsorry.toml import shorten

    game = game or game_of(policy) or "classic"
    chosen = load(policy, game)
    if resolved and chosen.function:
        raise SimsorryError(f"--resolved: {shorten(policy)} is a function in Python, there are no weights to write down", USAGE)
    if as_json:
        print_json(_as_json(chosen, game))
        return
    for line in _as_toml(chosen, game) if resolved else _as_text(chosen, game):
        typer.echo(line)
    if not resolved and (others := _other_games(policy, chosen, game)):
        typer.echo("")
        typer.echo(wrap(f"In {all_of(others)} it has other weights: see --game {others[0]}."))


@app.command("features")
def features(game: _Game = "classic", as_json: _Json = False) -> None:
    """Lists what a policy can weigh in a game."""
    from simsorry import games

    known = games.load(game).FEATURES
    if as_json:
        print_json([{"name": feature.name, "of": feature.group, "meaning": feature.meaning} for feature in known])
        return
    width = max(len(feature.name) for feature in known)
    group = ""
    for feature in known:
        if feature.group != group:
            typer.echo(wrap(f"{feature.group}:", "\n" if group else "", ""))
            group = feature.group
        typer.echo(wrap(feature.meaning, f"  {feature.name:{width}}  ", " " * (width + 4)))


@app.command("check")
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Policy files, or names of built-in policies.")],
    game: _OwnGame = None,
) -> None:
    """Checks policy files: says ok, or what is wrong with the first wrong thing in each."""
    from simsorry.policies import game_of, load

    check_files(files, lambda file: load(file, game or game_of(file) or "classic").title)


def _other_games(policy: str, chosen: "Policy", game: str) -> list[str]:
    """The games in which a policy plays by other weights than those shown; not those that it can't play."""
    from simsorry.games import GAMES
    from simsorry.policies import load

    others = []
    for name in GAMES:
        with suppress(SimsorryError):
            if name != game and load(policy, name).weights != chosen.weights:
                others.append(name)
    return others


def _as_json(policy: "Policy", game: str) -> dict[str, Any]:
    return {
        "name": policy.name,
        "title": policy.title,
        "description": policy.description,
        "game": game,
        "hash": policy.hash,
        "weights": policy.features,
        **policy.habits,
        "left_out": list(policy.idle),
    }


def _as_text(policy: "Policy", game: str) -> "Iterator[str]":
    from simsorry.games.weights import PLAYOUTS
    from simsorry.toml import shorten

    yield f"{shorten(policy.name)}: {shorten(policy.title)} (hash {policy.hash})"
    if policy.description:
        yield wrap(policy.description)
    yield ""
    if policy.idle:
        yield wrap(f"Left out, because {game} has no such features: {', '.join(policy.idle)}.")
    if policy.function:
        yield wrap("A function in Python chooses: it is handed every decision with two outcomes or more, and returns the outcome it takes.")
        return
    if policy.features:
        yield from _weighed(policy, game)
    elif not policy.habits:
        yield "It weighs nothing: every outcome is as likely as any other."
    for name, share in policy.lapses.items():
        yield wrap(_CARELESS[name].format(f"{100 * share:.6g}%"))
    if PLAYOUTS in policy.habits:
        yield wrap(_looking_ahead(policy))


def _weighed(policy: "Policy", game: str) -> "Iterator[str]":
    """The features that a policy weighs, by heading."""
    from simsorry import games

    yield "The outcome with the highest sum of weight times feature is taken; the best are drawn for if there are several."
    name_width = max(map(len, policy.features))
    weights = {name: _number(weight) for name, weight in policy.features.items()}
    width = max(map(len, weights.values()))
    group = ""
    for feature in games.load(game).FEATURES:
        if feature.name not in weights:
            continue
        if feature.group != group:
            group = feature.group
            yield wrap(f"{group}:")
        head = f"  {weights[feature.name]:>{width}}  {feature.name:{name_width}}  "
        yield wrap(feature.meaning, head, " " * len(head))


def _looking_ahead(policy: "Policy") -> str:
    """How a policy looks ahead, in words."""
    from simsorry.games.weights import BREADTH, DEFAULT_BREADTH, DEFAULT_SPREAD, HORIZON, PLAYOUTS, SPREAD

    habits, weighs = policy.habits, bool(policy.features)
    breadth, horizon = habits.get(BREADTH, DEFAULT_BREADTH), habits.get(HORIZON)
    best = "the outcome that its weights like best" if breadth == 1 else f"the {breadth:g} outcomes that its weights like best"
    begin = best if weighs and breadth else "every outcome"
    text = _AHEAD.format(
        begin, habits[PLAYOUTS], *(("by these weights", _BEST) if weighs else ("at random", "the one with the best chance to win"))
    )
    if horizon is None:
        return f"{text} A play-out ends with the round."
    judged = _JUDGED.format(habits.get(SPREAD, DEFAULT_SPREAD)) if weighs else "all are as likely to win."
    return f"{text} {_STOPS.format(f'{horizon:g}', '' if horizon == 1 else 's')}{judged}"


def _as_toml(policy: "Policy", game: str) -> "Iterator[str]":
    """A whole policy file: loading it gives the same weights."""
    from simsorry.toml import value_text

    yield f"title = {value_text(policy.title)}"
    yield f"description = {value_text(policy.description)}"
    yield f"game = {value_text(game)}"
    for name, number in policy.habits.items():
        yield f"{name} = {_number(number)}"
    yield ""
    yield "[weights]"
    for name, weight in policy.features.items():
        yield f"{name} = {_number(weight)}"


def _number(weight: float) -> str:
    """A weight as TOML and people write it."""
    return str(int(weight)) if weight.is_integer() else repr(weight)
