"""The classic game on the 60-square board: one card drawn and played at a time, by two to four players.

VERSION is raised when behaviour changes, never for speed: 1, the first.
"""

from simsorry.games.classic.columns import GAME_COLUMNS, SEAT_COLUMNS
from simsorry.games.classic.features import FEATURES, MAX_WEIGHT, compile_line_up
from simsorry.games.classic.kernel import new_scratch, play_block
from simsorry.games.classic.rules import CARDS, COLORS, Rules
from simsorry.games.classic.tables import compile_rules, seat_colors

NAME = "classic"
VERSION = 1

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
    "new_scratch",
    "play_block",
    "seat_colors",
]
