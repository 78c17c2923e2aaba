"""Sorreesi, which is Sorry! crossed with Parcheesi: two dice and a card a turn, bonus moves, fights; for two to four players or two teams.

VERSION is raised when behavior changes, never for speed: 1, the first. The names below are what every game module
offers; the compiled ones are loaded when they are first asked for, so that reading a ruleset does not load numba.
"""

from typing import Any

from simsorry.games import compiled_part
from simsorry.games.options import CARDS, COLORS
from simsorry.games.sorreesi.columns import GAME_COLUMNS, SEAT_COLUMNS
from simsorry.games.sorreesi.features import FEATURES, compile_line_up
from simsorry.games.sorreesi.rules import Rules
from simsorry.games.sorreesi.tables import compile_rules, entry_point, seat_colors
from simsorry.games.weights import MAX_WEIGHT

NAME = "sorreesi"
VERSION = 1

_COMPILED = {
    "new_scratch": "state.new_scratch",
    "play_block": "playing.play_block",
    "play_deep": "playing.play_sorreesi",
    "step_deep": "playing.step_deep",
}

__all__ = [
    "CARDS",
    "COLORS",
    "FEATURES",
    "GAME_COLUMNS",
    "MAX_WEIGHT",
    "NAME",
    "SEAT_COLUMNS",
    "VERSION",
    "Rules",
    "compile_line_up",
    "compile_rules",
    "entry_point",
    "new_scratch",
    "play_block",
    "play_deep",
    "seat_colors",
    "step_deep",
]


def __getattr__(name: str) -> Any:
    """Loads the compiled part."""
    return compiled_part(__name__, name, _COMPILED)
