"""The games that can be played. Each is a package of the same shape; this one only knows their names."""

import importlib
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
