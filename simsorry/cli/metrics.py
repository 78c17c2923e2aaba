"""``simsorry metrics``: what is measured, of which games, where the idea is from and what it costs."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsorry.errors import USAGE, SimsorryError

if TYPE_CHECKING:
    from simsorry.metrics import Metric

WIDTH = 100


def metrics(
    names: Annotated[list[str] | None, typer.Argument(help="Only these, by name; all if none is given.")] = None,
    game: Annotated[str | None, typer.Option(help="Only those of this game.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what is measured: each metric with its unit, definition, the games it applies to, its source and what it costs."""
    found = [(metric, _games_of(metric)) for metric in _chosen(names or [])]
    found = [(metric, games) for metric, games in found if game is None or _known(game) in games]
    if as_json:
        typer.echo(json.dumps([_as_json(metric, games) for metric, games in found], indent=1, ensure_ascii=False))
        return
    typer.echo("\n\n".join(_text(metric, games) for metric, games in found))


def _known(game: str) -> str:
    from simsorry.games import GAMES
    from simsorry.toml import closest

    if game not in GAMES:
        raise SimsorryError(f"--game {game[:40]}: there is no such game{closest(game, GAMES)}; the games are {', '.join(GAMES)}", USAGE)
    return game


def _chosen(names: list[str]) -> "list[Metric]":
    from simsorry.at_table import named_metrics
    from simsorry.toml import closest

    listed = {metric.name: metric for metric in named_metrics()}
    if unknown := [name for name in names if name not in listed]:
        raise SimsorryError(f"there is no metric {unknown[0][:60]!r}{closest(unknown[0], listed)}; simsorry metrics lists them all", USAGE)
    return [listed[name] for name in names] if names else list(listed.values())


def _games_of(metric: "Metric") -> list[str]:
    from simsorry.games import GAMES
    from simsorry.tally import columns_of

    return [game for game in GAMES if metric.in_game(columns_of(game))]


def _as_json(metric: "Metric", games: list[str]) -> dict[str, Any]:
    return {
        "name": metric.name,
        "title": metric.title,
        "unit": metric.unit,
        "definition": metric.definition,
        "games": games,
        "not_if_a_ruleset": [need.lacking for need in metric.needs],
        "margin": metric.margin,
        "table": "scorecard" if metric.headline else "details",
        "source": metric.source,
        "cost": metric.cost,
    }


def _text(metric: "Metric", games: list[str]) -> str:
    import textwrap

    from simsorry.metrics import MARGINS

    lines = [
        f"{metric.name}: {metric.title}" + (" (scorecard)" if metric.headline else ""),
        *textwrap.wrap(metric.definition, WIDTH, initial_indent="    ", subsequent_indent="    "),
        f"    unit: {metric.unit}; margin: {MARGINS[metric.margin]} ({metric.margin})",
        f"    games: {', '.join(games)}" + "".join(f"; not if a ruleset {need.lacking}" for need in metric.needs),
        f"    cost: {metric.cost}",
        *([f"    source: {metric.source}"] if metric.source else []),
    ]
    return "\n".join(lines)
