"""Compiles what the tests call of some games: ``python tests/compile_games.py classic``.

All of a game in one process, for what its compiled functions have in common is compiled once in a process, but anew in every other.
Says if the game has an entry point that none of this calls.
"""

import importlib
import sys
from collections.abc import Callable

from cli_tools import simsorry_says

ONE_GAME = ("--games", "1", "--quiet")
ONE_TURN = ("--turns", "1", "--no-board")
WHOLE = ("--players", "2", "--no-board")
COMMANDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "classic": (
        ("run", "hasbro", *ONE_GAME),
        ("run", "hasbro-points", *ONE_GAME),
        ("play", "hasbro-match-rounds", *WHOLE),
        ("play", "hasbro", "--from", "red 5 S S S / blue 19 S S S", "--seat", "blue", *ONE_TURN),
        ("moves", "hasbro", "--position", "red S 8 50 H / blue 25 S S S", "--seat", "red", "--card", "11"),
        ("moves", "hasbro-points", "--position", "red S 8 50 H / blue 25 S S S", "--seat", "red", "--hand", "5 3"),
    ),
    "sorreesi": (
        ("run", "sorreesi", *ONE_GAME),
        *(("play", "sorreesi", "--game", str(game), *WHOLE) for game in range(3)),  # with fights, and a third double
        ("play", "sorreesi-four-pawns", "--from", "green P7 H H H / red 4 B B B", "--seat", "green", *ONE_TURN),
        ("moves", "sorreesi-four-pawns", "--position", "red B B 20 P3 / yellow B B 23 25", "--seat", "red", "--dice", "5,3", "--card", "4"),
    ),
    "ice": (
        ("run", "ice", *ONE_GAME),
        ("play", "ice-three+match_end=rounds:2", *WHOLE),
        ("play", "ice-three", "--from", "red S:s S:m / blue S:s S:m S:l | 6: rl", "--seat", "blue", *ONE_TURN),
        ("moves", "ice-three", "--position", "red S:s S:m S:l / blue S:s S:m S:l", "--seat", "red", "--hand", "5 3 11 sorry 2"),
    ),
}
ENTRIES = {"classic": ("kernel", "playing", "queries"), "sorreesi": ("playing", "queries"), "ice": ("playing", "queries")}
NOT_CALLED = {"step_deep"}  # the tests watch games in which somebody looks ahead in plain Python


def scores_and_lists() -> None:
    """What the tests of the classic game compile of their own."""
    from engine_tools import plain_actions
    from policy_tools import Chooser, Question

    from simsorry.games.classic.rules import Rules

    chooser, question = Chooser(Rules(), ("red", "blue")), Question("red S S S 4 / blue S S S 19", "red", "1")
    for alone in (False, True):
        chooser.scores({"home": 1.0}, question, alone=alone)
        chooser.choices({"home": 1.0}, question, [1], alone=alone)
    plain_actions(chooser.table.compiled, chooser.scratch, 0, 0, chooser.table.words(question.position))


def actions() -> None:
    """What the tests of Sorreesi compile of their own."""
    import numpy as np
    from sorreesi_listing import action_of

    from simsorry.games import sorreesi

    action_of(sorreesi.new_scratch(), np.uint64(0))


OWN: dict[str, Callable[[], None]] = {"classic": scores_and_lists, "sorreesi": actions}


def never_called(game: str) -> list[str]:
    """The entry points of a game that have not been called in this process."""
    modules = [importlib.import_module(f"simsorry.games.{game}.{name}") for name in ENTRIES[game]]
    entries = {name: each for module in modules for name, each in vars(module).items() if hasattr(each, "signatures")}
    entries = {name: each for name, each in entries.items() if not each.targetoptions.get("no_cpython_wrapper")}
    return sorted(name for name, each in entries.items() if not each.signatures and name not in NOT_CALLED)


if __name__ == "__main__":
    for game in sys.argv[1:]:
        for command in COMMANDS[game]:
            result = simsorry_says(*command)
            if result.exit_code:
                sys.exit(f"simsorry {' '.join(command)}: {result.output}")
        OWN.get(game, lambda: None)()
        if missing := never_called(game):
            print(f"left for the tests to compile: {', '.join(missing)} of {game}")  # which games come to it, chance decides
