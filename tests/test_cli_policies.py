"""The ``policies`` verb, and policies of one's own on the command line."""

import json
from pathlib import Path

import pytest
from cli_tools import refused, said, simsorry_says

from simsorry import games
from simsorry.games import classic
from simsorry.policies import load, names


def test_list() -> None:
    text = said("policies", "list")
    assert [line.split()[0] for line in text.splitlines() if not line.startswith(" ")] == names()
    assert "Sends back as many" in text
    listed = json.loads(said("policies", "list", "--json"))
    assert [entry["name"] for entry in listed] == names()
    assert all(entry["title"] and entry["description"] for entry in listed)


def test_show() -> None:
    text = said("policies", "show", "hunter")
    policy = load("hunter")
    assert text.startswith(f"hunter: Hunter (hash {policy.hash})\n")
    assert policy.description in " ".join(text.split())
    assert text.endswith("\nIn ice it has other weights: see --game ice.\n")
    assert " 1000  bumps     opponents' pawns sent back to START" in text
    assert "  home" not in text
    assert "every outcome is as likely" in said("policies", "show", "random")
    assert "  -1  partner_progress  squares come from START" in said("policies", "show", "selfish")
    assert " 1000  holds_sorry  Sorry! cards left in the hand" in said("policies", "show", "hoarder")


def test_list_for_a_game() -> None:
    text = " ".join(said("policies", "list", "--game", "sorreesi").split())
    assert "slider Rides a slide whenever it can, otherwise goes forward. In sorreesi it plays like racer." in text
    assert "plays like" not in said("policies", "list")
    text = " ".join(said("policies", "list", "--game", "classic").split())
    assert "otherwise goes forward. In classic it plays like racer." in text  # digger; nobody is covered there
    assert "no game is called 'ludo'" in refused("policies", "list", "--game", "ludo")


def test_show_in_a_game() -> None:
    text = said("policies", "show", "slider", "--game", "sorreesi")
    assert "Left out, because sorreesi has no such features: slides." in text
    assert " 1000  slides" not in text
    assert "Left out" not in said("policies", "show", "slider")
    shown = json.loads(said("policies", "show", "slider", "--game", "sorreesi", "--json"))
    assert (shown["game"], shown["left_out"], shown["weights"]) == ("sorreesi", ["slides"], {"progress": 1.0})
    assert shown["hash"] == load("racer", "sorreesi").hash


def test_a_policy_says_which_game_it_is_for(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('title = "Mine"\ngame = "sorreesi"\n[weights]\nfights = 2\n', encoding="utf-8")
    assert said("policies", "check", str(mine)) == f"{mine}: ok (Mine)\n"
    assert " 2  fights" in said("policies", "show", str(mine))
    assert "here a policy for the game classic is needed" in refused("policies", "show", str(mine), "--game", "classic")
    assert "here a policy for the game classic is needed" in refused("run", "hasbro", "--policy", str(mine), "--games", "10")


def test_show_as_json() -> None:
    shown = json.loads(said("policies", "show", "balanced", "--json"))
    policy = load("balanced")
    assert (shown["name"], shown["title"], shown["hash"], shown["game"]) == ("balanced", policy.title, policy.hash, "classic")
    assert shown["weights"] == policy.weights


@pytest.mark.parametrize("game", games.GAMES)
@pytest.mark.parametrize("name", names())
def test_the_resolved_file_is_the_same_policy(tmp_path: Path, name: str, game: str) -> None:
    again = tmp_path / "again.toml"
    again.write_text(said("policies", "show", name, "--resolved", "--game", game), encoding="utf-8")
    one, other = load(name, game), load(str(again), game)
    assert (one.title, one.description, one.weights) == (other.title, other.description, other.weights)


def test_features() -> None:
    text = said("policies", "features")
    for feature in classic.FEATURES:
        assert f"  {feature.name} " in text
    headings = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert "The hand after it, before a card is drawn (without hands all 0):" in headings
    assert len(headings) == len({feature.group for feature in classic.FEATURES})
    listed = json.loads(said("policies", "features", "--json"))
    assert [entry["name"] for entry in listed] == [feature.name for feature in classic.FEATURES]
    others = {entry["name"] for entry in json.loads(said("policies", "features", "--game", "sorreesi", "--json"))}
    assert {"home", "fights", "bonus_earned"} <= others
    assert "slides" not in others
    assert all(entry["of"] and entry["meaning"] for entry in listed)


def test_check(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text('title = "Good"\n[weights]\nhome = 1\n', encoding="utf-8")
    bad.write_text("[weights]\nhom = 1\n", encoding="utf-8")
    assert said("policies", "check", str(good), "balanced") == f"{good}: ok (Good)\nbalanced: ok (Balanced)\n"
    result = simsorry_says("policies", "check", str(bad), str(good))
    assert result.exit_code == 4
    assert "did you mean home?" in result.stderr
    assert result.stdout == f"{good}: ok (Good)\n"


def test_refusals() -> None:
    assert "did you mean hunter?" in refused("policies", "show", "huntr")
    assert "no game is called 'ludo'" in refused("policies", "features", "--game", "ludo")
    assert "did you mean hunter?" in refused("run", "hasbro", "--policy", "huntr", "--games", "10")


def test_a_policy_of_ones_own_plays_like_a_built_in_one(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('extends = "homebody"\n', encoding="utf-8")
    built_in, own = (
        json.loads(said("run", "hasbro", "--players", "2", "--policy", f"{name},random", "--games", "50", "--json", "--quiet"))
        for name in ("homebody", str(mine))
    )
    assert own["fingerprint"] == built_in["fingerprint"]
    assert own["task"] == built_in["task"]
