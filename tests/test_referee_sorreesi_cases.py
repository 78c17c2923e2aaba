"""The shared decision points of Sorreesi, answered by the referee: what other engines found must come out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from referee import sorreesi as referee
from referee.sorreesi import Decision, Outcome

from simsorry.games.sorreesi.rules import Rules

FOLDER = Path(__file__).parents[2] / "shared" / "cases"
POINTS = dict.fromkeys(["default-2p", "default-3p", "default-4p", "default-teams"], 94)
POINTS |= dict.fromkeys(["capture_bonus-0", "combine_mode-sequential", "doubles_redraw-dice_and_card"], 50)
POINTS |= dict.fromkeys(["entry_conflict-capture", "fight_tie-defender"], 50)


def value_of(text: str) -> Any:
    """An option's value as the shared files spell it."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdigit() else text


def points_of(name: str) -> Iterator[dict[str, Any]]:
    """The decision points of a shared file."""
    path = FOLDER / f"sorreesi-{name}.jsonl"
    if not path.exists():
        pytest.skip(f"the shared decision points are not here: {path}")
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def answer(point: dict[str, Any]) -> Decision:
    """The referee's decision."""
    teams = {"team_pairs": "opposite"} if point["teams"] else {}
    rules = Rules(**teams | {option: value_of(text) for option, text in point["options"].items()})
    position = referee.read_position(point["pos"])
    assert tuple(position)[point["seat"]] == point["color"]
    spendable = {name: point[name] for name in ("dice", "card", "bonus", "bonus_open") if name in point}
    return referee.outcomes(rules, tuple(position), position, point["color"], **spendable)


def as_shared(outcome: Outcome) -> dict[str, Any]:
    """A use as the shared files write it."""
    over = {"over": True} if outcome.over else {}
    return {"use": list(outcome.use), "pos": outcome.text, "fights": list(outcome.fights), "left": outcome.left} | over


def canonical(choice: dict[str, Any]) -> str:
    """One text for all ways to write the same choice."""
    left = choice["left"] and choice["left"] | {name: sorted(choice["left"][name]) for name in ("dice", "bonus")}
    pos = referee.write_position(referee.read_position(choice["pos"])) if choice["left"] else ""
    return json.dumps(choice | {"use": sorted(choice["use"]), "pos": pos, "fights": sorted(choice["fights"]), "left": left}, sort_keys=True)


@pytest.mark.parametrize("name", POINTS)
def test_agrees_with_the_shared_decision_points(name: str) -> None:
    count = 0
    for point in points_of(name):
        count += 1
        decision = answer(point)
        expected = [canonical(choice) for choice in point["set"]]
        assert sorted(map(canonical, map(as_shared, decision.outcomes))) == sorted(expected), point["id"]
        assert (decision.stop is not None) == point["stop"], point["id"]
        assert len(decision.outcomes) == point["n"], point["id"]
    assert count >= POINTS[name]
