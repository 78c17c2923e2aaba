"""The shared decision points, answered by ``simsorry moves --points``; what other engines found must come out."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from simsorry import rulesets
from simsorry.cli import app, moves
from simsorry.errors import PARTIAL
from simsorry.games.classic.rules import Rules

FOLDER = Path(__file__).parents[2] / "shared" / "cases"
FILES = ("hasbro", "french", "options", "synthetic", "hasbro-points", "hasbro-teams", "french-points", "french-teams")
PLAYABLE_AT_LEAST = {"hasbro": 500, "french": 500, "options": 180, "synthetic": 88}

needs_cases = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the shared decision points are not there: {FOLDER}")


def is_playable(point: dict[str, Any]) -> bool:
    """Whether the point's ruleset exists by now and its options are all among those that are played."""
    return point["preset"] in rulesets.names() and set(point["options"]) <= set(Rules.model_fields) and "hand" not in point


def as_set(outcomes: list[list[str]]) -> set[tuple[str, ...]]:
    found = {tuple(outcome) for outcome in outcomes}
    assert len(found) == len(outcomes), "an outcome is listed twice"
    return found


@needs_cases
@pytest.mark.parametrize("name", FILES)
def test_shared_points(name: str) -> None:
    file = FOLDER / f"classic-{name}.jsonl"
    result = CliRunner().invoke(app, ["moves", "--points", str(file)])
    points = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [point["id"] for point in points]
    playable = 0
    for point, answer in zip(points, answers, strict=True):
        if not is_playable(point):
            assert set(answer) == {"id", "error"}
            continue
        playable += 1
        assert as_set(answer["outcomes"]) == as_set(point["outcomes"]), point
        decision = moves.table_for(point).decide(point["position"], point["color"], point["card"])
        assert decision.compulsory == point["compulsory"], point
        assert decision.may_pass == any(outcome[2:] == ["pass"] for outcome in point["outcomes"]), point
    assert playable >= PLAYABLE_AT_LEAST.get(name, 0)
    assert result.exit_code == (0 if playable == len(points) else PARTIAL)
    if not playable:
        pytest.skip("not playable yet")
