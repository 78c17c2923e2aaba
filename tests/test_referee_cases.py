"""The shared decision points, answered by the referee: what other engines found must come out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from referee import classic as referee
from referee.classic import Decision

from simsorry.games.classic.rules import Rules

FOLDER = Path(__file__).parents[2] / "shared" / "cases"
HANDS = {"hand_size": 5, "quick_start_pawns": 1}
PRESETS: dict[str, dict[str, Any]] = {
    "hasbro": {},
    "hasbro-points": HANDS | {"score_home_to": "all_players"},
    "hasbro-teams": {"team_pairs": "opposite", "seven_parts": 8},
    "french": {"game_end": "full_ranking"},
    "french-points": HANDS | {"score_home_to": "winner_only"},
    "french-teams": {"team_pairs": "opposite"},
}
POINTS = dict.fromkeys(PRESETS, 500) | {"options": 332, "synthetic": 325}


def value_of(text: str) -> Any:
    """An option's value as the shared files spell it."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdigit() else text


def points_of(name: str) -> Iterator[dict[str, Any]]:
    """The decision points of a shared file."""
    path = FOLDER / f"classic-{name}.jsonl"
    if not path.exists():
        pytest.skip(f"the shared decision points are not here: {path}")
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def answer(point: dict[str, Any]) -> Decision:
    """The referee's decision."""
    rules = Rules(**PRESETS[point["preset"]] | {option: value_of(text) for option, text in point["options"].items()})
    position = {color: [referee.read_place(place) for place in places] for color, places in point["position"].items()}
    players, seat = tuple(point["players"]), point["seat"]
    assert players[seat] == point["color"]
    if "card" in point:
        return referee.outcomes(rules, players, seat, position, point["card"])
    more = {name: point[name] for name in ("drawn", "followup", "first_turn") if name in point}
    return referee.hand_outcomes(rules, players, seat, position, point["hand"], **more)


@pytest.mark.parametrize("name", POINTS)
def test_agrees_with_the_shared_decision_points(name: str) -> None:
    count = 0
    for point in points_of(name):
        count += 1
        decision = answer(point)
        kinds = {"play": [], "blocked": []}
        found = sorted([choice.card, choice.text, *kinds.get(choice.kind, [choice.kind])] for choice in decision.choices)
        assert found == sorted(point["outcomes"]), point["id"]
        assert decision.compulsory == point["compulsory"], point["id"]
    assert count >= POINTS[name]
