"""The shared decision points of Ice Soo Sorry!, answered by the referee: what other engines found must come out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from referee import ice as referee
from referee.ice import Decision, Outcome

from simsorry.games.ice.rules import Rules
from simsorry.games.options import COLORS

FOLDER = Path(__file__).parents[2] / "shared" / "cases"
POINTS = {"default-p2": 84, "default-p3": 83, "default-p4": 83, "edge": 116, "other-options": 144}
POINTS |= dict.fromkeys(["past_forbidden", "slide_carry_stacked", "slide_end_only", "swap_land_on_top"], 50)
WHAT = {"play": "play", "idle": "play", "throw": "discard", "pass": "pass"}


def value_of(text: str) -> Any:
    """An option's value as the shared files spell it."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdigit() else text


def points_of(name: str) -> Iterator[dict[str, Any]]:
    """The decision points of a shared file."""
    path = FOLDER / f"ice-{name}.jsonl"
    if not path.exists():
        pytest.skip(f"the shared decision points are not here: {path}")
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def answer(point: dict[str, Any]) -> Decision:
    """The referee's decision."""
    rules = Rules(**{option: value_of(text) for option, text in point["options"].items()})
    players, color = tuple(point["players"]), point["to_move"]
    assert players[point["seat"]] == color
    more = {"followup": point["follow_up"], "first_turn": point["first_turn"]}
    return referee.hand_outcomes(rules, players, color, point["json"], point["hand"], **more)


def kind_of(decision: Decision) -> str:
    """What the shared files call a decision."""
    if decision.compulsory:
        return "play"
    return "dead_hand" if decision.nothing_legal else "optional_only"


def canonical(card: str, what: str, changes: dict[str, list[str]]) -> str:
    """One text for all ways to write the same choice."""
    alike = {key: sorted(pawns) if key in COLORS else pawns for key, pawns in changes.items()}
    return json.dumps([card, what, alike], sort_keys=True)


def as_shared(outcome: Outcome) -> str:
    """A choice as the shared files write it."""
    return canonical(outcome.card, WHAT[outcome.kind], outcome.changes)


@pytest.mark.parametrize("name", POINTS)
def test_agrees_with_the_shared_decision_points(name: str) -> None:
    count = 0
    for point in points_of(name):
        count += 1
        decision = answer(point)
        assert decision.board.text == point["position"] == referee.write_position(point["json"]), point["id"]
        assert referee.read_position(point["position"]) == point["json"], point["id"]
        assert sorted(map(as_shared, decision.choices)) == sorted(canonical(*choice) for choice in point["outcomes"]), point["id"]
        assert (decision.compulsory, kind_of(decision)) == (point["compulsory"], point["kind"]), point["id"]
        assert len(decision.choices) == point["n"], point["id"]
    assert count >= POINTS[name]
