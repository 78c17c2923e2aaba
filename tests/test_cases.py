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

SORREESI_AT_LEAST = dict.fromkeys(["default-2p", "default-3p", "default-4p", "default-teams"], 94)
SORREESI_AT_LEAST |= dict.fromkeys(["capture_bonus-0", "combine_mode-sequential", "doubles_redraw-dice_and_card"], 50)
SORREESI_AT_LEAST |= dict.fromkeys(["entry_conflict-capture", "fight_tie-defender"], 50)

ICE_AT_LEAST = {"default-p2": 84, "default-p3": 83, "default-p4": 83, "edge": 116, "other-options": 144}
ICE_AT_LEAST |= dict.fromkeys(["past_forbidden", "slide_carry_stacked", "slide_end_only", "swap_land_on_top"], 50)

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


def answers_of(file: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The points of a file, and what the command line answers, a line each."""
    result = CliRunner().invoke(app, ["moves", "--points", str(file)])
    assert result.exit_code == 0, result.stderr
    points = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [point["id"] for point in points]
    return points, answers


@needs_cases
@pytest.mark.parametrize("name", PLAYABLE_AT_LEAST)
def test_shared_points(name: str) -> None:
    points, answers = answers_of(FOLDER / f"classic-{name}.jsonl")
    assert len(points) >= PLAYABLE_AT_LEAST[name]
    for point, answer in zip(points, answers, strict=True):
        assert as_set(answer["outcomes"]) == as_set(point["outcomes"]), point
        decision = decision_at(point)
        assert decision.compulsory == point["compulsory"], point
        assert decision.may_pass == any(outcome[2:] == ["pass"] for outcome in point["outcomes"]), point
        cards = point["hand"] if "hand" in point else [point["card"]]
        assert list(decision.cards) == cards, point


@needs_cases
@pytest.mark.parametrize("name", SORREESI_AT_LEAST)
def test_shared_points_of_sorreesi(name: str) -> None:
    points, answers = answers_of(FOLDER / f"sorreesi-{name}.jsonl")
    assert len(points) >= SORREESI_AT_LEAST[name]
    for point, answer in zip(points, answers, strict=True):
        found = [json.dumps(outcome, sort_keys=True) for outcome in answer["outcomes"]]
        assert sorted(found) == sorted(json.dumps(outcome, sort_keys=True) for outcome in point["set"]), point
        spendable = {key: point[key] for key in ("dice", "card", "bonus", "bonus_open", "roll") if key in point}
        decision = moves.table_for(point).decide(point["pos"], point["color"], **spendable)
        assert decision.may_stop == point["stop"], point
        assert len(decision.outcomes) == point["n"], point


@needs_cases
@pytest.mark.parametrize("name", ICE_AT_LEAST)
def test_shared_points_of_ice(name: str) -> None:
    points, answers = answers_of(FOLDER / f"ice-{name}.jsonl")
    assert len(points) >= ICE_AT_LEAST[name]
    for point, answer in zip(points, answers, strict=True):
        found = [json.dumps(outcome, sort_keys=True) for outcome in answer["outcomes"]]
        assert sorted(found) == sorted(json.dumps(outcome, sort_keys=True) for outcome in point["outcomes"]), point["id"]
        assert len(set(found)) == len(found) == point["n"], point["id"]
        table, state = moves.table_for(point), {"followup": point["follow_up"], "first_turn": point["first_turn"]}
        decision = table.decide_hand(point["position"], point["to_move"], point["hand"], **state)
        assert decision.compulsory == point["compulsory"], point["id"]
        assert kind_of(decision) == point["kind"], point["id"]
        assert list(decision.cards) == point["hand"], point["id"]
        assert table.text(table.placement(point["json"])) == point["position"], point["id"]


def kind_of(decision: Any) -> str:
    """What the shared points call a decision."""
    if decision.compulsory:
        return "play"
    return "optional_only" if any(outcome.kind in ("play", "idle") for outcome in decision.outcomes) else "dead_hand"
