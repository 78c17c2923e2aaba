"""The shared decision points, answered by ``simsorry moves --points``; what other engines found must come out."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from simsorry.cli import app, moves

FOLDER = Path(__file__).parents[2] / "shared" / "cases"
PLAYABLE_AT_LEAST = {
    "hasbro": 500,
    "french": 500,
    "options": 332,
    "synthetic": 325,
    "hasbro-points": 500,
    "hasbro-teams": 500,
    "french-points": 500,
    "french-teams": 500,
}

needs_cases = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the shared decision points are not there: {FOLDER}")


def as_set(outcomes: list[list[str]]) -> set[tuple[str, ...]]:
    found = {tuple(outcome) for outcome in outcomes}
    assert len(found) == len(outcomes), "an outcome is listed twice"
    return found


def decision_at(point: dict[str, Any]) -> Any:
    table = moves.table_for(point)
    if "hand" not in point:
        return table.decide(point["position"], point["color"], point["card"])
    state = {key: point[key] for key in ("followup", "drawn", "first_turn") if key in point}
    return table.decide_hand(point["position"], point["color"], point["hand"], **state)


@needs_cases
@pytest.mark.parametrize("name", PLAYABLE_AT_LEAST)
def test_shared_points(name: str) -> None:
    file = FOLDER / f"classic-{name}.jsonl"
    result = CliRunner().invoke(app, ["moves", "--points", str(file)])
    points = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0, result.stderr
    assert len(points) >= PLAYABLE_AT_LEAST[name]
    assert [answer["id"] for answer in answers] == [point["id"] for point in points]
    for point, answer in zip(points, answers, strict=True):
        assert as_set(answer["outcomes"]) == as_set(point["outcomes"]), point
        decision = decision_at(point)
        assert decision.compulsory == point["compulsory"], point
        assert decision.may_pass == any(outcome[2:] == ["pass"] for outcome in point["outcomes"]), point
        cards = point["hand"] if "hand" in point else [point["card"]]
        assert list(decision.cards) == cards, point
