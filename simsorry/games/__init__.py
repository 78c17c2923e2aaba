"""The games that can be played. Each is a package of the same shape; this one only knows their names, and how their parts are loaded."""

import importlib
from collections.abc import Mapping
from typing import Any

from simsorry.errors import SimsorryError

# name -> module, imported when first asked for
GAMES = {
    "classic": "simsorry.games.classic",
    "sorreesi": "simsorry.games.sorreesi",
    "ice": "simsorry.games.ice",
}


def load(name: str) -> Any:
    """The module of a game. Raises SimsorryError for an unknown name."""
    if name not in GAMES:
        raise SimsorryError(f"no game is called {name[:80]!r}; the games are {', '.join(GAMES)}")
    return importlib.import_module(GAMES[name])


def compiled_part(package: str, name: str, parts: Mapping[str, str]) -> Any:
    """What a game's package offers under a name without having loaded it: ``parts`` says in which module it is, as ``module.name`` there.

    Raises AttributeError for any other name.
    """
    if name not in parts:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    module, _, attribute = parts[name].partition(".")
    return getattr(importlib.import_module(f"{package}.{module}"), attribute)
