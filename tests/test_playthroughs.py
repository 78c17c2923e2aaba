"""One recorded game per ruleset, told as ``simsorry play`` tells it: a changed line is a changed game.

``pytest --update`` writes the recordings anew; read the difference before you keep it.
"""

from pathlib import Path

import pytest

from simsorry import rulesets
from simsorry.cli.play import heading, replay_of
from simsorry.cli.run import make_task

FOLDER = Path(__file__).parent / "playthroughs"
FIRST, LAST = 40, 5  # turns
SEED, GAME = 2024, 1
ALL_NUMBERS = ("hasbro", "french")  # recorded with two, three and four players


def recordings() -> list[tuple[str, int]]:
    """Ruleset and number of players, in turn from two to four."""
    names = rulesets.names()
    spread = {(name, 2 + number % 3) for number, name in enumerate(names)}
    return sorted(spread | {(name, players) for name in ALL_NUMBERS for players in (2, 3, 4)})


def playthrough(ruleset: str, players: int) -> str:
    """A game from its set-up to its summary, its middle left out."""
    task = make_task(ruleset, players, ["random"], SEED, [], None)
    replay = replay_of(task, GAME)
    lines = [heading(task, GAME), "", replay.position, ""]
    cards = list(replay.cards())
    begin = [card.line for card in cards if card.turn <= FIRST]
    end = [card.line for card in cards if card.turn > max(FIRST, replay.turns - LAST)]
    gap = ["  ..."] if len(begin) + len(end) < len(cards) else []
    return "\n".join([*lines, *begin, *gap, *end, "", replay.board(), replay.position, "", replay.summary, ""])


@pytest.mark.parametrize(("ruleset", "players"), recordings())
def test_playthrough(ruleset: str, players: int, update: bool) -> None:
    file = FOLDER / f"{ruleset}-{players}p.txt"
    now = playthrough(ruleset, players)
    if update:
        file.parent.mkdir(exist_ok=True)
        file.write_text(now, encoding="utf-8")
    assert file.is_file(), "not recorded yet: pytest --update does that"
    assert now == file.read_text(encoding="utf-8")


def test_no_recording_is_left_over() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {f"{ruleset}-{players}p.txt" for ruleset, players in recordings()}
