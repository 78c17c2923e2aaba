"""``simsorry metrics``: everything that is measured, by name, by game, as JSON; and that nothing is counted for nobody."""

import json
from typing import Any

import pytest
from cli_tools import refused, said

from simsorry.at_table import all_metrics, named_metrics
from simsorry.errors import USAGE
from simsorry.games import GAMES
from simsorry.metrics import MARGINS, PLAIN
from simsorry.simulate import Bonus, Traits
from simsorry.tally import columns_of

NAMES = [metric.name for metric in named_metrics()]


def listed(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(said("metrics", *arguments, "--json"))
    return found


def test_all_are_listed_once() -> None:
    assert [entry["name"] for entry in listed()] == NAMES
    assert len(set(NAMES)) == len(NAMES) > 100
    text = said("metrics")
    heads = [line for line in text.splitlines() if not line.startswith(" ") and line]
    assert [line.partition(":")[0] for line in heads] == NAMES


def test_each_says_what_it_is() -> None:
    for entry in listed():
        name = entry["name"]
        assert entry["title"], name
        assert entry["unit"], name
        assert entry["definition"].endswith((".", ")")), name
        assert entry["cost"], name
        assert entry["margin"] in MARGINS, name
        assert entry["table"] in ("scorecard", "details"), name
        assert entry["games"], name
        assert set(entry["games"]) <= set(GAMES), name
        assert not entry["definition"][0].islower(), name


def test_one_by_name() -> None:
    text = said("metrics", "drama_avg")
    assert text.startswith("drama_avg: Drama (scorecard)\n")
    for wanted in ("unit: share", "games: classic", "cost: standings at round ends", "source: after Browne"):
        assert wanted in text
    (entry,) = listed("drama_avg")
    assert entry["definition"].split() == " ".join(text.split()).partition("(scorecard) ")[2].partition(" unit:")[0].split()


def test_several_in_the_order_asked_for() -> None:
    assert [entry["name"] for entry in listed("t90", "turns", "feedback")] == ["t90", "turns", "feedback"]


def test_costs_say_where_numbers_are_from() -> None:
    costs = {entry["name"]: entry["cost"] for entry in listed("turns", "drama_avg", "feedback", "t90")}
    assert costs["turns"] == "counted in every game"
    assert "round ends" in costs["drama_avg"]
    assert "23" in costs["feedback"]
    assert "--chances" in costs["t90"]


@pytest.mark.parametrize("game", GAMES)
def test_those_of_a_game(game: str) -> None:
    found = listed("--game", game)
    assert 0 < len(found) < len(NAMES)
    assert {entry["name"] for entry in found} == {entry["name"] for entry in listed() if game in entry["games"]}
    assert all(game in entry["games"] for entry in found)


def test_needs_are_told() -> None:
    (entry,) = listed("t90")
    assert any("gauge" in need for need in entry["not_if_a_ruleset"])
    assert "not if a ruleset" in said("metrics", "feedback")


def test_wrong_names_are_refused_with_a_proposal() -> None:
    assert "drama_avg" in refused("metrics", "drama_avgg", code=USAGE)
    line = refused("metrics", "turns", "nothing_like_it", code=USAGE)
    assert "nothing_like_it" in line
    assert "simsorry metrics" in line
    line = refused("metrics", "--game", "clasic", code=USAGE)
    assert "classic" in line
    assert "clasic" in line


def test_long_wrong_names_are_cut_short() -> None:
    assert len(refused("metrics", "x" * 500, code=USAGE)) < 250
    assert len(refused("metrics", "--game", "x" * 500, code=USAGE)) < 250


# Columns of which no metric is made.
WHO = {"winner_color", "color", "first_seat", "digest"}
CHECKED = {"bumps_given", "bumps_taken", "covers_given", "covers_taken"}  # sums that must agree: ``simsorry.checks``
OF_THE_GAME = {"passes", "homes", "reshuffles", "doubles"}  # counted along, told of by ``simsorry play``
BY_CHANCES_ALONE = {"chance_behind", "chance_rank", "chance_root"}  # say what those by squares say
TRAITS = (
    PLAIN,
    Traits(
        teams=((0, 2), (1, 3)), hand=5, points=True, match=True, bonuses=tuple(Bonus(k, 1, False) for k in range(4)), places=True,
        moves_partner=True, bumps_partner=True,
    ),
    Traits(teams=((0, 2), (1, 3)), moves_partner=True, bumps_partner=True, home_moves=True, bump_moves=True),
    Traits(home_moves=True, bump_moves=True, gauge=True, places=True),
)  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_counted_is_measured_or_known_not_to_be(game: str) -> None:
    counted = columns_of(game)
    measured = {column for metric in all_metrics(["a", "b", "a", "b"], counted, TRAITS) for column in metric.columns}
    assert counted - measured - WHO - CHECKED - OF_THE_GAME - BY_CHANCES_ALONE == set()
