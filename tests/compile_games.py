"""Compiles what the tests call of some games: ``python tests/compile_games.py classic``.

All of a game in one process, for what its compiled functions have in common is compiled once in a process, but anew in every other.
"""

import sys

from cli_tools import simsorry_says

ONE_GAME = ("--games", "1", "--quiet")
ONE_TURN = ("--turns", "1", "--no-board")
COMMANDS = {
    "classic": (
        ("run", "hasbro", *ONE_GAME),
        ("run", "hasbro-points", *ONE_GAME),
        ("play", "hasbro-points", *ONE_TURN),
        ("moves", "hasbro", "--position", "red S 8 50 H / blue 25 S S S", "--seat", "red", "--card", "11"),
        ("moves", "hasbro-points", "--position", "red S 8 50 H / blue 25 S S S", "--seat", "red", "--hand", "5 3"),
    ),
    "sorreesi": (
        ("run", "sorreesi", *ONE_GAME),
        ("play", "sorreesi", *ONE_TURN),
        ("moves", "sorreesi-four-pawns", "--position", "red B B 20 P3 / yellow B B 23 25", "--seat", "red", "--dice", "5,3", "--card", "4"),
    ),
    "ice": (
        ("run", "ice", *ONE_GAME),
        ("play", "ice", *ONE_TURN),
        ("moves", "ice-three", "--position", "red S:s S:m S:l / blue S:s S:m S:l", "--seat", "red", "--hand", "5 3 11 sorry 2"),
    ),
}

if __name__ == "__main__":
    for game in sys.argv[1:]:
        for command in COMMANDS[game]:
            result = simsorry_says(*command)
            if result.exit_code:
                sys.exit(f"simsorry {' '.join(command)}: {result.output}")
