"""The ruleset files: what the built-in ones say, how files, bases and house rules combine, and what a wrong one is told."""

import hashlib
import json
import os
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simsorry import games
from simsorry.errors import SimsorryError
from simsorry.rulesets import FOLDER, load, names, options, titles
from simsorry.rulesets.schema import file_schema

ASKED_FOR = {
    "hasbro", "hasbro-quick", "french", "parker-1939", "parker-1934", "waddingtons-1996", "hasbro-2013-base", "hasbro-2024",
    "house-no-slides", "house-any-card-starts", "house-bump-own", "house-bounce-home", "house-no-exact-home", "house-ride-all-slides",
    "house-sorry-forward", "house-spinner", "house-free-pass", "house-share-squares", "house-many-splits", "house-lap-again",
    "atari-st", "apologies", "hasbro-points", "hasbro-teams", "hasbro-teams-points", "hasbro-match", "hasbro-match-rounds", "french-points",
    "french-teams", "parker-1939-teams", "encyclopedia-five-cards", "encyclopedia-whole-deck", "expert-seven-cards", "apologies-adult",
    "house-five-cards", "house-points", "house-partners-share", "house-partners-block", "house-partners-own-pawns",
}  # fmt: skip

# The presets as the rule book's index of options has them: the basic Hasbro game, and in what each other one differs.
BASIC = {
    "pawns": 4, "quick_start_pawns": 0, "head_starts": [], "draw": "without_replacement", "start_cards": ["1", "2", "sorry"],
    "first_player": "random", "seat_colors": [],
    "must_move": True, "eleven_swap_forced": False, "ten_back_forced": True, "two_draws_again": "always",
    "forward_past_entry": "forbidden", "pass_scope": "overshoot_only", "backward_out_of_zone": True, "home_overshoot": "illegal",
    "own_collision": "illegal", "seven_parts": 2, "seven_resolution": "sequential", "swap_may_cross_entry": True, "sorry_alt_forward": 0,
    "slides": "all_but_own", "slide_riders": {}, "slide_on_backward": True, "slide_after_swap": "mover", "slide_after_sorry": True,
    "own_on_triangle": "illegal", "absent_color_slides": "active", "hand_size": 0, "two_in_hand": "play_another",
    "two_playable_idle": False, "two_followup_stuck": "end_turn", "hand_refill": "per_card", "dead_hand": "choose",
    "optional_counts_as_playable": False, "first_turn_dead_hand": "discard_and_draw", "team_pairs": [], "team_control": "both_colors",
    "team_collision": "bump_occupant", "team_own_collision": "illegal", "team_sorry_target": "opponents_first",
    "team_sorry_start": "either", "team_eleven_partner": False, "team_finished_player": "plays_for_partner", "team_win": "all_members",
    "score_home_to": "none", "score_home_value": 5, "score_not_home_value": 5, "score_bands": [[2, 25], [1, 50], [0, 100]],
    "bonus_bands": "highest_only", "band_measure": "max_per_opponent", "team_scoring": "none", "match_end": "single_round",
    "next_leader": "winner", "reshuffle_when": "on_draw_from_empty", "card_in_play_in_reshuffle": "included", "game_end": "first_home",
    "turn_cap": 20_000, "deck_counts": {"1": 5, "2": 4, "3": 4, "4": 4, "5": 4, "7": 4, "8": 4, "10": 4, "11": 4, "12": 4, "sorry": 4},
}  # fmt: skip
OPPOSITE = [["red", "yellow"], ["blue", "green"]]

# Likewise what the index says of Sorreesi.
SORREESI = {
    "pawns": 8, "quick_start_pawns": 0, "head_starts": [], "draw": "without_replacement", "first_player": "random", "seat_colors": [],
    "turn_vs_travel": "same", "home_path_length": 7, "safe_squares": [0, 7, 12], "turnoff_safe_for": "all",
    "resolution_order": "roll_draw_move", "combine_mode": "either", "dice_pass": "one", "card_compulsion": "at_end",
    "eleven_swap_forced": True, "ten_back_forced": True, "two_draws_again": "always", "doubles_redraw": "dice_only",
    "doubles_bottoms": False, "third_double": "lose_roll", "triple_penalty_piece": "last_moved", "triple_penalty_exempt": "home",
    "start_cards": ["1", "2", "sorry"], "enter_die_five": True, "enter_sum_five": True, "enter_forced": False, "entry_conflict": "fight",
    "home_overshoot": "illegal", "backward_out_of_zone": True, "seven_parts": 2, "swap_requires_single": True,
    "swap_may_cross_entry": True, "sorry_alt_forward": 0,
    "sorry_on_safe": "forbidden", "capture_bonus": 20, "home_bonus": 10, "sorry_bonus": True, "fight_bonus": 0,
    "fight_bonus_to": "mover", "bonus_timing": "any_time", "bonus_forced": False, "fight_tie": "reroll", "team_pairs": [],
    "team_control": "own_only", "team_sorry_target": "opponents_only", "team_eleven_partner": False, "team_finished_player": "skips",
    "team_win": "all_members", "reshuffle_when": "on_draw_from_empty", "card_in_play_in_reshuffle": "included", "game_end": "first_home",
    "turn_cap": 20_000, "deck_counts": BASIC["deck_counts"],
}  # fmt: skip
SORREESI_VARIANTS: dict[str, dict[str, object]] = {
    "sorreesi": {},
    "sorreesi-card-binds": {"card_compulsion": "global"},
    "sorreesi-card-each-roll": {"doubles_redraw": "dice_and_card"},
    "sorreesi-defender-wins-ties": {"fight_tie": "defender"},
    "sorreesi-dice-then-card": {"resolution_order": "dice_then_card"},
    "sorreesi-fights-pay": {"fight_bonus": 20},
    "sorreesi-four-pawns": {"pawns": 4},
    "sorreesi-no-bonus": {"capture_bonus": 0, "home_bonus": 0},
    "sorreesi-only-paths-safe": {"safe_squares": []},
    "sorreesi-parcheesi": {
        "pawns": 4, "first_player": "high_roll", "turn_vs_travel": "opposite", "combine_mode": "sequential", "dice_pass": "none",
        "doubles_bottoms": True, "triple_penalty_piece": "closest_to_home", "enter_forced": True, "entry_conflict": "capture",
        "bonus_timing": "end_of_turn", "bonus_forced": True,
    },
    "sorreesi-parcheesi-entry": {"entry_conflict": "capture"},
    "sorreesi-sequential": {"combine_mode": "sequential"},
    "sorreesi-single-hop": {"combine_mode": "single_hop"},
    "sorreesi-sorry-fights": {"sorry_on_safe": "fight"},
    "sorreesi-teams": {"team_pairs": [["red", "yellow"], ["blue", "green"]]},
    "sorreesi-teams-pool": {
        "team_pairs": [["red", "yellow"], ["blue", "green"]], "team_control": "both_colors", "team_finished_player": "plays_for_partner",
    },
}  # fmt: skip

# And of Ice Soo Sorry!.
ICE = {
    "pieces": [5, 5, 5], "quick_start_pawns": 0, "head_starts": [], "draw": "without_replacement",
    "first_player": "random", "seat_colors": [],
    "start_cards": {
        "1": ["small"], "2": ["medium"], "3": ["small", "medium", "large"],
        "4": [], "5": [], "7": [], "8": [], "10": [], "11": [], "12": [],
    },
    "must_move": True, "eleven_swap_forced": False, "ten_back_forced": True, "two_draws_again": "always",
    "forward_past_entry": "decline_ok", "pass_scope": "overshoot_only", "backward_out_of_zone": True, "home_overshoot": "illegal",
    "seven_parts": 2, "ice_seven_same_pile": "allowed", "ice_contact_piece": "bottom", "ice_mixed_stack_zone": "top_only",
    "ice_stack_home": "together", "ice_carry_past_entry": "allowed", "sorry_alt_forward": 0, "slides": "all_but_own", "slide_riders": {},
    "slide_on_backward": True, "slide_after_sorry": True, "absent_color_slides": "active", "ice_slide_mode": "sweep",
    "ice_slide_order": "last_met_lowest", "ice_slide_triangle": "leave", "ice_swap_mode": "slot_exchange", "ice_swap_same_space": True,
    "ice_swap_slide": "if_top", "swap_may_cross_entry": True, "ice_sorry_target": "top_opponent", "ice_sorry_size": "any",
    "hand_size": 5, "two_in_hand": "play_another", "two_playable_idle": False, "two_followup_stuck": "end_turn",
    "hand_refill": "per_card", "dead_hand": "choose", "optional_counts_as_playable": False, "first_turn_dead_hand": "discard_and_draw",
    "score_home_to": "none", "score_home_value": [1, 2, 3], "score_not_home_value": [1, 2, 3], "score_bands": [[8, 5], [5, 10], [0, 40]],
    "bonus_bands": "highest_only", "band_measure": "max_per_opponent", "match_end": "single_round", "next_leader": "winner",
    "reshuffle_when": "on_draw_from_empty", "card_in_play_in_reshuffle": "included", "game_end": "first_home", "turn_cap": 20_000,
    "deck_counts": BASIC["deck_counts"],
}  # fmt: skip
ICE_VARIANTS: dict[str, dict[str, object]] = {
    "ice": {},
    "ice-carry-stacked": {"ice_slide_mode": "carry_stacked"},
    "ice-draw-one": {"hand_size": 0},
    "ice-drop-at-entry": {"ice_mixed_stack_zone": "drop_at_entry"},
    "ice-end-only": {"ice_slide_mode": "end_only"},
    "ice-first-met-lowest": {"ice_slide_order": "first_met_lowest"},
    "ice-idle-two": {"two_playable_idle": True},
    "ice-land-on-top": {"ice_swap_mode": "land_on_top"},
    "ice-nine": {"pieces": [3, 3, 3]},
    "ice-no-carry-past-entry": {"ice_carry_past_entry": "forbidden"},
    "ice-no-lap-again": {"forward_past_entry": "forbidden"},
    "ice-others-to-start": {"ice_mixed_stack_zone": "to_start"},
    "ice-same-size-switch": {"ice_swap_mode": "same_size"},
    "ice-scoring": {"score_home_to": "all_players"},
    "ice-skip-first-turn": {"first_turn_dead_hand": "skip"},
    "ice-sorry-anywhere-in-pile": {"ice_sorry_target": "any_in_pile"},
    "ice-stack-top-home": {"ice_stack_home": "top_only"},
    "ice-take-triangle": {"ice_slide_triangle": "take"},
    "ice-three": {"pieces": [1, 1, 1]},
    "ice-top-contact": {"ice_contact_piece": "top"},
}
SCHEMAS = {"classic": "ruleset.schema.json", "sorreesi": "sorreesi.schema.json", "ice": "ice.schema.json"}
PRESETS: dict[str, dict[str, object]] = {
    "hasbro": {},
    "hasbro-points": {"hand_size": 5, "quick_start_pawns": 1, "score_home_to": "all_players"},
    "hasbro-teams": {"team_pairs": OPPOSITE, "seven_parts": 8},
    "french": {"game_end": "full_ranking"},
    "french-points": {"hand_size": 5, "quick_start_pawns": 1, "score_home_to": "winner_only"},
    "french-teams": {"team_pairs": OPPOSITE},
}

# What earlier results were stored under: a changed hash would part them from the rules they were played by.
HASHES = {
    "hasbro": "744369448ec8", "hasbro-quick": "390395efc697", "hasbro-2013-base": "4cef427342d5", "french": "e70161e1855f",
    "apologies": "e44e878afdb8", "parker-1934": "7e045c17700b", "parker-1939": "e90e5e10e872", "house-any-card-starts": "d35b6dd154db",
    "house-free-pass": "08203e22ace9", "house-sorry-forward": "a8472a29ed45",
    "sorreesi": "72cd531ca61e", "sorreesi-parcheesi": "13cae22ce2ec", "sorreesi-teams-pool": "37dc6f8cde31",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def complaint(spec: str, *sets: str) -> str:
    with pytest.raises(SimsorryError) as raised:
        load(spec, sets)
    message = str(raised.value)
    assert raised.value.exit_code == 4
    assert message.isprintable(), repr(message)
    assert len(message) < 900
    return message


# -- built-in ---------------------------------------------------------------------------------------


def test_the_built_in_rulesets_are_there() -> None:
    assert set(names("classic")) >= ASKED_FOR
    assert names("sorreesi") == list(SORREESI_VARIANTS)
    assert names("ice") == list(ICE_VARIANTS)
    assert names() == [*names("classic"), *names("sorreesi"), *names("ice")]
    assert names("classic")[0] != "house-bump-own"
    assert list(titles()) == names()
    assert list(titles("sorreesi")) == names("sorreesi")


@pytest.mark.parametrize("game", games.GAMES)
def test_every_game_has_its_rulesets(game: str) -> None:
    assert names(game)
    assert {load(name).game for name in names(game)} == {game}
    assert any(not load(name).changes() for name in names(game))


@pytest.mark.parametrize("name", names())
def test_a_built_in_ruleset_is_whole(name: str) -> None:
    ruleset = load(name)
    assert ruleset.name == name
    assert ruleset.title == titles()[name]
    assert ruleset.source.endswith(".")
    assert ruleset.readings
    assert not re.search(r"\b[HFIS]Q?-?\d", " ".join([ruleset.title, ruleset.source, *ruleset.readings])), "clause numbers are for comments"


@pytest.mark.parametrize("name", names())
def test_a_reading_names_an_option_that_flips_it(name: str) -> None:
    ruleset = load(name)
    for reading in ruleset.readings:
        if flips := re.findall(r"`([^`]*)`", reading):
            flipped = load(name, flips)
            assert flipped.hash != ruleset.hash, f"{flips} change nothing in {name}"
            assert reading not in flipped.readings


@pytest.mark.parametrize("name", [name for name in names() if name.startswith("house-")])
def test_a_house_rule_changes_one_option_of_its_base(name: str) -> None:
    base = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["extends"]
    assert len(load(name).differences(load(base))) == 1


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_what_the_rule_book_says(name: str) -> None:
    assert load(name).resolved() == BASIC | PRESETS[name]


@pytest.mark.parametrize("name", SORREESI_VARIANTS)
def test_a_variant_of_sorreesi_is_what_it_is_called(name: str) -> None:
    assert load(name).resolved() == SORREESI | SORREESI_VARIANTS[name]


def test_every_option_of_sorreesi_that_a_reading_could_flip_is_named_by_one() -> None:
    named = set(re.findall(r"`(\w+)=", " ".join([*load("sorreesi").readings, *load("sorreesi-teams").readings])))
    of_the_sheet = {
        "pawns", "quick_start_pawns", "head_starts", "draw", "enter_die_five", "capture_bonus", "home_bonus", "fight_bonus_to", "turn_cap",
    }  # fmt: skip  # said by it, or no question
    assert set(SORREESI) - named == of_the_sheet


@pytest.mark.parametrize("name", ICE_VARIANTS)
def test_a_variant_of_ice_is_what_it_is_called(name: str) -> None:
    assert load(name).resolved() == ICE | ICE_VARIANTS[name]


def test_every_option_of_ice_that_a_reading_could_flip_is_named_by_one() -> None:
    readings = [reading for name in ("ice", "ice-scoring", "ice-draw-one") for reading in load(name).readings]
    of_the_sheet = {
        "pieces", "quick_start_pawns", "head_starts", "deck_counts", "draw", "start_cards", "must_move", "eleven_swap_forced",
        "backward_out_of_zone", "home_overshoot", "seven_parts", "slides", "slide_riders", "hand_size", "dead_hand", "score_home_value",
        "score_not_home_value", "score_bands", "next_leader", "turn_cap",
    }  # fmt: skip  # said by it, or no question
    assert set(ICE) - set(re.findall(r"`(\w+)=", " ".join(readings))) == of_the_sheet


@pytest.mark.parametrize("name", HASHES)
def test_the_hash_of_what_was_there_before_is_the_same(name: str) -> None:
    assert load(name).hash == HASHES[name]


def test_what_the_combinations_and_variants_change() -> None:
    points = PRESETS["hasbro-points"]
    assert load("hasbro-teams-points").changes() == points | PRESETS["hasbro-teams"] | {"team_scoring": "pooled"}
    assert load("hasbro-match").changes() == points | {"match_end": "target:500"}
    assert load("hasbro-match-rounds").changes() == points | {"match_end": "rounds:4", "next_leader": "next_seat"}
    assert load("encyclopedia-whole-deck").changes() == {"hand_size": 11, "hand_refill": "when_empty"}
    expert = {"hand_size": 7, "score_not_home_value": 2, "score_bands": [[2, 10], [1, 20], [0, 30]]}
    assert load("expert-seven-cards").changes() == points | expert
    adult = {
        "eleven_swap_forced": True,
        "slide_after_swap": "both",
        "seven_resolution": "simultaneous",
        "two_followup_stuck": "discard_one",
    }
    assert load("apologies-adult").changes() == adult | {"hand_size": 5, "quick_start_pawns": 1}
    assert load("parker-1939-teams").differences(load("parker-1939")) == [("team_pairs", OPPOSITE, [])]


def test_readings_of_a_base_that_mean_nothing_here_are_left_out() -> None:
    named = {name: " ".join(load(name).readings) for name in names()}
    assert "two_draws_again" in named["french"]
    assert "two_draws_again" not in named["french-points"] + named["apologies-adult"]
    for name in ("hasbro-teams", "hasbro-teams-points", "french-teams", "parker-1939-teams", "house-partners-share"):
        assert "seats of two or three" not in named[name]
    assert "two_in_hand" not in named["hasbro"]
    assert "team_" not in named["hasbro-points"]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_a_built_in_file_points_editors_to_the_schema(path: Path) -> None:
    game = load(path.stem).game
    assert path.read_text(encoding="utf-8").startswith(f"#:schema ./{SCHEMAS[game]}\n")
    known = file_schema(game)["properties"]
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    assert tables.keys() <= known.keys()
    assert tables.get("rules", {}).keys() <= known["rules"]["properties"].keys()


@pytest.mark.parametrize(
    ("name", "ones", "cards"), [("hasbro", 5, 45), ("parker-1939", 4, 44), ("parker-1934", 5, 45), ("waddingtons-1996", 5, 55)]
)
def test_decks_of_the_editions(name: str, ones: int, cards: int) -> None:
    counts = load(name).resolved()["deck_counts"]
    assert counts["1"] == ones
    assert sum(counts.values()) == cards


def test_what_the_editions_change() -> None:
    assert load("hasbro").changes() == {}
    assert load("hasbro-quick").changes() == {"quick_start_pawns": 1}
    assert load("french").changes() == {"game_end": "full_ranking"}
    assert load("parker-1939").changes() == {"deck_counts.1": 4, "first_player": "high_card"}
    assert load("hasbro-2013-base").changes() == {
        "pawns": 3,
        "start_cards": ["1", "2", "3", "5", "7", "8", "10", "11", "12", "sorry"],
        "two_draws_again": "never",
    }
    assert load("atari-st").hash == load("house-bump-own").hash == load("hasbro+own_collision=bump_self").hash


@pytest.mark.parametrize("game", games.GAMES)
def test_the_stored_schema_is_current(game: str) -> None:
    stored = (FOLDER / SCHEMAS[game]).read_text(encoding="utf-8")
    assert json.loads(stored) == file_schema(game), f"simsorry rulesets schema --game {game} > simsorry/rulesets/{SCHEMAS[game]}"


@pytest.mark.parametrize("game", games.GAMES)
def test_every_option_is_described_in_words(game: str) -> None:
    schema = file_schema(game)
    assert schema["properties"]["game"]["enum"] == [game]
    for option in options(game):
        assert option.description.endswith(".")
        assert option.allowed
        assert option.name in schema["properties"]["rules"]["properties"]


def test_the_schema_has_the_limits_of_listed_numbers() -> None:
    squares = file_schema("sorreesi")["properties"]["rules"]["properties"]["safe_squares"]["items"]
    assert (squares["minimum"], squares["exclusiveMaximum"]) == (0, 17)
    assert {option.name: option.allowed for option in options("sorreesi")}["safe_squares"] == "a list of whole numbers from 0 to 16"


def test_numbers_by_size_and_sizes_by_card_are_said_in_words() -> None:
    allowed = {option.name: option.allowed for option in options("ice")}
    assert allowed["pieces"] == "a list of 3 whole numbers from 0 to 5"
    assert allowed["score_home_value"] == "a list of 3 whole numbers from 0 to 1000"
    cards = "1, 2, 3, 4, 5, 7, 8, 10, 11, 12"
    assert allowed["start_cards"] == f'a table with a list of "small", "medium" or "large" for each of {cards}'


# -- combining --------------------------------------------------------------------------------------


def test_tables_merge_and_lists_replace(folder: Path) -> None:
    write(folder / "base.toml", '[rules]\ndeck_counts = "deck_44"\nstart_cards = ["1", "2"]\nslide_riders = {"red A" = ["red"]}\n')
    write(folder / "mine.toml", 'extends = "./base.toml"\n[rules]\nstart_cards = ["5"]\ndeck_counts.sorry = 6\nslide_riders."red B" = []\n')
    rules = load("mine.toml").resolved()
    assert rules["start_cards"] == ["5"]
    assert rules["slide_riders"] == {"red A": ["red"], "red B": []}
    assert rules["deck_counts"] == {**dict.fromkeys(["1", "2", "3", "4", "5", "7", "8", "10", "11", "12"], 4), "sorry": 6}


def test_a_partial_deck_over_the_default_deck() -> None:
    assert load("hasbro+deck_counts.sorry=6").resolved()["deck_counts"] == {**load("hasbro").resolved()["deck_counts"], "sorry": 6}


def test_a_path_in_extends_is_seen_from_the_file_that_says_it(folder: Path) -> None:
    write(folder / "a" / "base.toml", 'title = "Base"\nextends = "hasbro"\n[rules]\npawns = 3\n')
    write(folder / "b" / "mine.toml", 'extends = "../a/base.toml"\n')
    mine = load("b/mine.toml")
    assert mine.rules.pawns == 3
    assert mine.title == "mine"
    assert mine.origin == {"pawns": "a/base.toml"}
    assert mine.source == load("hasbro").source


@pytest.mark.parametrize("chain", [["a"], ["a", "b"], ["a", "b", "c"]])
def test_a_circle_of_bases_is_refused_with_the_chain(folder: Path, chain: list[str]) -> None:
    for name, base in zip(chain, chain[1:] + chain[:1], strict=True):
        write(folder / f"{name}.toml", f'extends = "./{base}.toml"\n')
    message = complaint("a.toml")
    assert " -> ".join(f"{name}.toml" for name in [*chain, "a"]) in message


def test_a_long_chain_of_bases_is_no_trouble(folder: Path) -> None:
    write(folder / "f0.toml", 'extends = "hasbro"\n[rules]\npawns = 2\n')
    for number in range(1, 300):
        write(folder / f"f{number}.toml", f'extends = "./f{number - 1}.toml"\n')
    assert load("f299.toml").rules.pawns == 2


def test_readings_that_are_settled_further_up_are_left_out(folder: Path) -> None:
    write(
        folder / "base.toml", 'readings = ["Swaps slide (`slide_after_swap=none`).", "All start (`start_cards=1`).", "Plain."]\n[rules]\n'
    )
    write(folder / "mine.toml", 'extends = "./base.toml"\nreadings = ["Mine (`pawns=2`)."]\n[rules]\nstart_cards = ["1", "2"]\n')
    assert load("mine.toml").readings == ("Mine (`pawns=2`).", "Swaps slide (`slide_after_swap=none`).", "Plain.")
    assert load("mine.toml+slide_after_swap=both").readings == ("Mine (`pawns=2`).", "Plain.")


def test_the_name_title_and_origin_tell_of_house_rules() -> None:
    ruleset = load("hasbro-quick+slides=off", ["deck_counts.1=4"])
    assert ruleset.name == "hasbro-quick+slides=off+deck_counts.1=4"
    assert ruleset.title == "Hasbro 1998-2005, faster game, with slides=off and deck_counts.1=4"
    assert ruleset.origin == {"quick_start_pawns": "hasbro-quick.toml", "slides": "--set", "deck_counts.1": "--set"}
    assert load(ruleset.name) == load("hasbro-quick", ["slides=off", "deck_counts.1=4"])


@pytest.mark.parametrize(
    ("text", "option", "value"),
    [
        ("slides=off", "slides", "off"),
        (' slides = "off" ', "slides", "off"),
        ("rules.slides=off", "slides", "off"),
        ("pawns=3", "pawns", 3),
        ("must_move=false", "must_move", False),
        ("deck_counts=deck_44", "deck_counts.1", 4),
        ("deck_counts.sorry=6", "deck_counts.sorry", 6),
        ("deck_counts={sorry=6}", "deck_counts.sorry", 6),
        ("start_cards=1,2,sorry,3", "start_cards", ["1", "2", "3", "sorry"]),
        ('start_cards=["1", "5"]', "start_cards", ["1", "5"]),
        ('start_cards="1","5"', "start_cards", ["1", "5"]),
        ("start_cards=5", "start_cards", ["5"]),
        ("start_cards='5'", "start_cards", ["5"]),
        ("seat_colors=red,blue", "seat_colors", ["red", "blue"]),
        ("slide_riders.red A=blue,red", 'slide_riders."red A"', ["red", "blue"]),
        ('slide_riders."red A"=[]', 'slide_riders."red A"', []),
        ("slide_riders.red A=[red, blue]", 'slide_riders."red A"', ["red", "blue"]),
        ("start_cards=['1',sorry]", "start_cards", ["1", "sorry"]),
        ("team_pairs=opposite", "team_pairs", OPPOSITE),
        ("team_pairs='opposite'", "team_pairs", OPPOSITE),
        ('team_pairs=[["red","blue"],["yellow","green"]]', "team_pairs", [["red", "blue"], ["yellow", "green"]]),
        ("team_pairs=[[green, red], [blue, yellow]]", "team_pairs", [["red", "green"], ["blue", "yellow"]]),
        ('team_pairs=[["green",yellow],[blue,"red"]]', "team_pairs", [["red", "blue"], ["yellow", "green"]]),
        ("match_end=target:20", "match_end", "target:20"),
        ('match_end = "rounds:999"', "match_end", "rounds:999"),
        ("hand_size=7", "hand_size", 7),
    ],
)
def test_ways_to_write_a_house_rule(text: str, option: str, value: object) -> None:
    assert load("hasbro", [text]).changes() == {option: value}
    assert load(f"hasbro+{text}").changes() == {option: value}


@pytest.mark.parametrize(
    ("text", "option", "value"),
    [
        ("fight_tie=defender", "fight_tie", "defender"),
        ("safe_squares=0,12", "safe_squares", [0, 12]),
        ("safe_squares=12", "safe_squares", [12]),
        ("safe_squares = [7, 0]", "safe_squares", [0, 7]),
        ("safe_squares=[]", "safe_squares", []),
        ("capture_bonus=15", "capture_bonus", 15),
        ("start_cards=1,2,5,sorry", "start_cards", ["1", "2", "5", "sorry"]),
        ("team_pairs=opposite", "team_pairs", OPPOSITE),
        ("deck_counts.2=0", "deck_counts.2", 0),
    ],
)
def test_ways_to_write_a_house_rule_of_sorreesi(text: str, option: str, value: object) -> None:
    assert load("sorreesi", [text]).changes() == {option: value}
    assert load(f"sorreesi+{text}").changes() == {option: value}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("slides=off", ["there is no such key", "`simsorry rulesets show sorreesi --resolved`"]),
        ("safe_square=0", ["did you mean safe_squares?"]),
        ("safe_squares=0,17", ["safe_squares (item 2) = 17", "a whole number from 0 to 16"]),
        ("safe_squares=red", ['safe_squares (item 1) = "red"', "a whole number from 0 to 16"]),
        ("safe_squares=0,0", ["a square stands in the list twice", "a list of whole numbers from 0 to 16"]),
        ("safe_squares=[true]", ["safe_squares (item 1) = true"]),
        ("safe_squares=[1.0]", ["safe_squares (item 1) = 1.0"]),
        ("safe_squares=1.5,2", ["safe_squares (item 1) = 1.5"]),
        ("fight_tie=atacker", ["did you mean attacker?", '"both_stay"']),
        ("home_path_length=9", ["home_path_length = 9", "7 or 8"]),
        ("fight_bonus_to=any_winner", ["means nothing where fights earn nothing (fight_bonus = 0)"]),
        ("team_control=both_colors", ["means nothing without teams"]),
        ("safe_squares=0,7+turnoff_safe_for=owner", []),
    ],
)
def test_a_wrong_house_rule_of_sorreesi_is_told_what_is_allowed(text: str, words: list[str]) -> None:
    message = complaint("sorreesi", *text.split("+"))
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("text", "option", "value"),
    [
        ("pieces=2,2,2", "pieces", [2, 2, 2]),
        ("pieces=[2,2,2]", "pieces", [2, 2, 2]),
        ("pieces = 5 , 4, 0", "pieces", [5, 4, 0]),
        ("pieces='1,0,1'", "pieces", [1, 0, 1]),
        ("start_cards.4=small", "start_cards.4", ["small"]),
        ("start_cards.12=large,small", "start_cards.12", ["small", "large"]),
        ("start_cards.1=[]", "start_cards.1", []),
        ("start_cards={10 = ['medium']}", "start_cards.10", ["medium"]),
        ("quick_start_pawns=3", "quick_start_pawns", 3),
    ],
)
def test_ways_to_write_a_house_rule_of_ice(text: str, option: str, value: object) -> None:
    assert load("ice", [text]).changes() == {option: value}
    assert load(f"ice+{text}").changes() == {option: value}


@pytest.mark.parametrize("text", ["score_home_value=2,2,2", "score_home_value=[2, 2, 2]"])
def test_points_by_size_are_written_like_pawns_by_size(folder: Path, text: str) -> None:
    option, _, value = text.partition("=")
    written = f'"{value}"' if value[0] != "[" else value
    write(folder / "mine.toml", f'extends = "ice-scoring"\n[rules]\n{option} = {written}\n')
    for ruleset in (load("ice-scoring", [text]), load("mine.toml")):
        assert ruleset.differences(load("ice-scoring")) == [("score_home_value", [2, 2, 2], [1, 2, 3])]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pawns=4", ["there is no such key", "`simsorry rulesets show ice --resolved`"]),
        ("pieces=2", ["pieces = 2 is not allowed", "a list of 3 whole numbers from 0 to 5"]),
        ("pieces=2,2", ["pieces = [2, 2] is not allowed", "a list of 3 whole numbers"]),
        ("pieces=2,2,2,2", ["pieces = [2, 2, 2, 2] is not allowed"]),
        ("pieces=2,2,6", ["pieces (item 3) = 6", "a whole number from 0 to 5"]),
        ("pieces=2,2,-1", ['pieces = "2,2,-1"', "a list of 3 whole numbers"]),
        ("pieces=[1,1,true]", ["pieces (item 3) = true"]),
        ("pieces=[1,1,1.0]", ["pieces (item 3) = 1.0"]),
        ("pieces=small", ['pieces = "small"', "a list of 3 whole numbers"]),
        ("pieces={small=2}", ["pieces = a table"]),
        ("pieces=0,0,0", ["pieces = [0, 0, 0] leaves nobody a pawn"]),
        ("pieces=1,1,1+quick_start_pawns=4", ["quick_start_pawns = 4 is more than the 3 pawns of pieces = [1, 1, 1]"]),
        ("start_cards.6=small", ["there is no such key in start_cards; known are 1, 2, 3, "]),
        ("start_cards.sorry=small", ["there is no such key in start_cards"]),
        ("start_cards=1,2", ['start_cards = "1,2"', 'a table with a list of "small", "medium" or "large" for each of 1, 2']),
        ("start_cards.3=larg", ['start_cards.3 (item 1) = "larg"', "did you mean large?"]),
        ("start_cards.3=large,large", ["start_cards.3", "a name stands in the list twice"]),
        ("start_cards.3=small+ice_sorry_size=small_only", ["no card of the deck brings a large pawn out of START"]),
        ("start_cards.1=[]+start_cards.2=[]+start_cards.3=[]", ["no pawn could ever leave START"]),
        ("ice_swap_mode=same", ["did you mean same_size?"]),
        ("ice_slide_mode=end_only+ice_slide_order=first_met_lowest", ['ice_slide_order = "first_met_lowest" means nothing']),
        ("forward_past_entry=forbidden+pass_scope=always", ['pass_scope = "always" means nothing']),
        ("slides=off+ice_swap_slide=never", ['ice_swap_slide = "never" means nothing without slides']),
        ("seven_parts=1+ice_seven_same_pile=forbidden", ["ice_seven_same_pile", "where a 7 is not split"]),
        ("two_draws_again=never", ['two_draws_again = "never" means nothing with a hand']),
        ("score_home_value=1,1,1", ["score_home_value = [1, 1, 1] means nothing where no points are kept"]),
        ("score_home_to=all_players+score_bands=[[46,5]]", ["score_bands (item 1, part 1) = 46"]),
        ("team_pairs=opposite", ["there is no such key"]),
    ],
)
def test_a_wrong_house_rule_of_ice_is_told_what_is_allowed(text: str, words: list[str]) -> None:
    message = complaint("ice", *text.split("+"))
    for word in words:
        assert word in message


def test_rulesets_of_two_games_are_not_compared() -> None:
    with pytest.raises(SimsorryError, match="hasbro is a ruleset of the classic game and sorreesi one of the sorreesi game: only"):
        load("hasbro").differences(load("sorreesi"))


def test_a_file_is_of_the_game_of_its_base(folder: Path) -> None:
    write(folder / "mine.toml", 'extends = "sorreesi-no-bonus"\n[rules]\nfight_tie = "attacker"\n')
    mine = load("mine.toml")
    assert mine.game == "sorreesi"
    assert mine.changes() == {"capture_bonus": 0, "home_bonus": 0, "fight_tie": "attacker"}
    write(folder / "own.toml", 'game = "sorreesi"\n[rules]\npawns = 5\n')
    assert load("own.toml").changes() == {"pawns": 5}
    crossed = write(folder / "crossed.toml", 'game = "classic"\nextends = "sorreesi"\n')
    assert "extends sorreesi.toml, a ruleset of the sorreesi game" in complaint(crossed)
    assert "did you mean sorreesi?" in complaint(write(folder / "odd.toml", 'game = "soreesi"\n'))
    assert "options stand below the line [rules]" in complaint(write(folder / "bare.toml", 'fight_tie = "attacker"\n'))
    alien = write(folder / "alien.toml", 'extends = "hasbro"\n[rules]\nfight_tie = "attacker"\n')
    assert "rules.fight_tie" in complaint(alien)
    assert "there is no such key" in complaint(alien)


@pytest.mark.parametrize(
    ("base", "text", "option", "value"),
    [
        ("hasbro", "team_pairs = 'opposite'", "team_pairs", OPPOSITE),
        ("hasbro-teams", "team_pairs = []", "team_pairs", []),
        ("hasbro-teams", "team_pairs = [['yellow', 'blue'], ['red', 'green']]", "team_pairs", [["red", "green"], ["blue", "yellow"]]),
        ("hasbro-teams", "team_eleven_partner = true", "team_eleven_partner", True),
        ("hasbro-points", "score_bands = [[2, 30], [0, 100]]", "score_bands", [[2, 30], [0, 100]]),
        ("hasbro-points", "score_bands = [[0, 7], [3, 1], [1, 3]]", "score_bands", [[3, 1], [1, 3], [0, 7]]),
        ("hasbro-points", "score_bands = []", "score_bands", []),
        ("hasbro-points", "two_playable_idle = true", "two_playable_idle", True),
        ("hasbro-points", "hand_refill = 'when_empty'", "hand_refill", "when_empty"),
        ("hasbro-match", "match_end = 'rounds:12'", "match_end", "rounds:12"),
        ("hasbro-match", "next_leader = 'random'", "next_leader", "random"),
    ],
)
def test_a_file_and_a_house_rule_say_the_same(folder: Path, base: str, text: str, option: str, value: object) -> None:
    write(folder / "mine.toml", f"extends = '{base}'\n[rules]\n{text}\n")
    for ruleset in (load("mine.toml"), load(base, [text]), load(f"{base}+{text}")):
        assert ruleset.differences(load(base)) == [(option, value, load(base).resolved()[option])]


def test_the_later_house_rule_wins() -> None:
    assert load("hasbro+pawns=2", ["pawns=3"]).rules.pawns == 3
    assert load("hasbro+deck_counts.1=9+deck_counts=deck_55").resolved()["deck_counts"]["1"] == 5


def test_a_file_may_have_a_plus_in_its_name(folder: Path) -> None:
    write(folder / "a+b's.toml", "[rules]\npawns = 2\n")
    assert load("./a+b's.toml+slides=off").changes() == {"pawns": 2, "slides": "off"}


# -- hash and differences ---------------------------------------------------------------------------


def test_the_hash_is_of_what_differs_from_the_printed_rules() -> None:
    canonical = '{"game":"classic","rules":{"deck_counts.1":4,"slides":"off"}}'
    assert load("hasbro+slides=off+deck_counts=deck_44").hash == hashlib.sha256(canonical.encode()).hexdigest()[:12]


def test_the_hash_knows_no_titles_comments_order_or_spelling(folder: Path) -> None:
    write(folder / "one.toml", 'title = "One"\n[rules]\nslides = "off"\nstart_cards = ["2", "sorry", "1", "5"]\ndeck_counts = "deck_44"\n')
    write(
        folder / "two.toml",
        "extends = 'hasbro' # base\n[rules.deck_counts]\n1 = 0x4\n[rules]\nstart_cards = ['1','2','5','sorry']\nslides = 'off'\n",
    )
    assert load("one.toml").hash == load("./two.toml").hash
    assert load("one.toml").hash != load("one.toml+pawns=3").hash


def test_the_hash_knows_no_order_of_pairs_and_bands() -> None:
    teams = [
        load("hasbro", [f"team_pairs={pairs}"]).hash
        for pairs in ("opposite", "[[green,blue],[yellow,red]]", '[["red","yellow"],["blue","green"]]')
    ]
    bands = [load("hasbro-points", [f"score_bands={bands}"]).hash for bands in ("[[2,25],[1,50],[0,100]]", "[[0,100],[2,25],[1,50]]")]
    assert len(set(teams)) == 1
    assert set(bands) == {load("hasbro-points").hash}
    assert load("hasbro+team_pairs=[[red,blue],[yellow,green]]").hash != teams[0]


def test_differences_name_the_option_and_both_values() -> None:
    base, other = load("hasbro"), load("parker-1939+slide_riders.red A=red")
    expected = [("deck_counts.1", 5, 4), ("first_player", "random", "high_card"), ('slide_riders."red A"', None, ["red"])]
    assert base.differences(other) == expected
    assert other.differences(base) == [(option, there, here) for option, here, there in expected]
    assert base.differences(load("hasbro-2024")) == []


# -- what is wrong is said --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        ("slides=of", ["slides", '"of"', '"off", "all_but_own" or "all"', "did you mean off?"]),
        ("slidez=off", ["slidez", '"off"', "did you mean slides?"]),
        ("deck_counts.sory=1", ["deck_counts.sory = 1", "did you mean sorry?"]),
        ("deck_counts=deck_4", ['deck_counts = "deck_4"', '"deck_44"']),
        ("deck_counts=5", ["deck_counts = 5", '"deck_44"', "a table with a whole number from 0 to 40"]),
        ("deck_counts.sorry=41", ["deck_counts.sorry = 41", "a whole number from 0 to 40"]),
        ("deck_counts.one=5", ["deck_counts.one"]),
        ("pawns=9", ["pawns = 9", "a whole number from 1 to 8"]),
        ("pawns=true", ["pawns = true", "a whole number from 1 to 8"]),
        ("pawns=nan", ["pawns = nan", "a whole number from 1 to 8"]),
        ("pawns=2.0", ["pawns = 2.0", "a whole number from 1 to 8"]),
        ("pawns=1979-05-27", ["pawns = 1979-05-27"]),
        (f"pawns={'9' * 900}", ["pawns = ", "a whole number from 1 to 8"]),
        (f"pawns=0x{'f' * 900}", ["more than 77 digits", "a whole number from 1 to 8"]),
        (f"pawns={'9' * 5000}", ["too long"]),
        ("sorry_alt_forward=false", ["sorry_alt_forward = false", "0 or 4"]),
        ("sorry_alt_forward=4.0", ["sorry_alt_forward = 4.0", "0 or 4"]),
        ("must_move=no", ['must_move = "no"', "true or false"]),
        ("must_move=1", ["must_move = 1", "true or false"]),
        ("start_cards=[1]", ["start_cards (item 1) = 1 ", "write it in quotes"]),
        ("start_cards=1,6", ["start_cards (item 2)", '"6"']),
        ("start_cards=1,1", ["start_cards", "twice"]),
        ("start_cards=[]", ["no pawn could ever leave START"]),
        ("start_cards=[[[1]]]", ["start_cards"]),
        ("slide_riders.redA=red", ["slide_riders.redA", "did you mean red A?"]),
        ("slide_riders.red A.x=red", ["slide_riders", "a table"]),
        ("seat_colors=red", ["seat_colors"]),
        ("quick_start_pawns=5", ["hasbro", "quick_start_pawns = 5", "pawns = 4"]),
        ("extends=french", ["extends"]),
        ("slides=off\npawns=3", ["slides"]),
        ("slides", ["option=value"]),
        ("slides=", ["option=value"]),
        ("=off", ["option=value"]),
        (".=1", ["no such key"]),
        ("a" * 900 + "=1", ["no such key"]),
        ("a" * 100_000 + "=1", ["too long"]),
        (".".join("a" * 450) + "=1", ["no such key"]),
        ("slide_riders.red A=" + "[" * 900, ["slide_riders"]),
        ("pawns=\x1b[31m\ud800", ["pawns"]),
        ("start_cards=6,1", ["start_cards (item 1)", '"6"']),
        ("start_cards=[1,sorry]", ["start_cards (item 1) = 1", '"12" or "sorry"']),
        (f"start_cards=[0x{'f' * 900}]", ["more than 77 digits"]),
        ("team_pairs=oposite", ['team_pairs = "oposite"', 'such as [["red", "yellow"], ["blue", "green"]]', "did you mean opposite?"]),
        ("team_pairs=none", ['team_pairs = "none"', '"opposite" or a list of pairs of "red", "blue", "yellow" or "green"']),
        ("team_pairs=true", ["team_pairs = true", '"opposite"']),
        ("team_pairs=red,yellow", ['team_pairs = "red,yellow"', '"opposite"']),
        ("team_pairs={red=1}", ["team_pairs = a table", '"opposite"']),
        ("team_pairs=[[red,yellow]]", ['--set: team_pairs = [["red", "yellow"]]', "two pairs in which every color stands once"]),
        ("team_pairs=[[red,red],[blue,green]]", ["two pairs in which every color stands once"]),
        ("team_pairs=[[red,yellow],[blue,green],[red,blue]]", ["two pairs in which every color stands once"]),
        ("team_pairs=[[red],[blue,green]]", ['team_pairs (item 1) = ["red"]', "a pair of"]),
        ("team_pairs=[[blue,green],[red,yellow,red]]", ['team_pairs (item 2) = ["red", "yellow", "red"]', "a pair of"]),
        ("team_pairs=[[red,yelow],[blue,green]]", ['team_pairs (item 1, part 2) = "yelow"', "did you mean yellow?"]),
        ("team_pairs=[[{a=1},red],[blue,green]]", ["team_pairs (item 1, part 1) = a table"]),
        ("team_pairs=[[[red],yellow]]", ['team_pairs (item 1, part 1) = ["red"]']),
        ("score_bands=2,25", ["score_bands = ", "pairs of a whole number from 0 to 24 and a whole number from 0 to 1000 (at most 4)"]),
        ("score_bands=2:25", ['score_bands = "2:25"', "such as [[2, 25], [0, 100]]"]),
        ("score_bands=5", ["score_bands = 5", "a list of pairs"]),
        ("score_bands=[2,25]", ["score_bands (item 1) = 2", "a pair of a whole number"]),
        ("score_bands=[[2]]", ["score_bands (item 1) = [2]", "a pair of a whole number"]),
        ("score_bands=[[0,100],[2,1001]]", ["score_bands (item 2, part 2) = 1001", "a whole number from 0 to 1000"]),
        ("score_bands=[[25,1]]", ["score_bands (item 1, part 1) = 25", "a whole number from 0 to 24"]),
        ("score_bands=[[-1,1]]", ["score_bands (item 1, part 1) = -1"]),
        ("score_bands=[[1,true]]", ["score_bands (item 1, part 2) = true"]),
        ("score_bands=[[1.0,2]]", ["score_bands (item 1, part 1) = 1.0"]),
        ("score_bands=[[two,25]]", ['score_bands (item 1, part 1) = "two"']),
        ("score_bands=[[2,25],[2,30]]", ["--set: score_bands = [[2, 25], [2, 30]]", "same number of pawns", "twice"]),
        ("score_bands=[[1,1],[2,2],[3,3],[4,4],[5,5]]", ["score_bands = [[1, 1], ", "at most 4"]),
        ("match_end=rounds:0", ['match_end = "rounds:0"', '"single_round", rounds:N (1 to 999) or target:T (1 to 9999)']),
        ("match_end=rounds:1000", ['match_end = "rounds:1000"', "rounds:N (1 to 999)"]),
        ("match_end=rounds:03", ['match_end = "rounds:03"']),
        ("match_end=target:10000", ["target:T (1 to 9999)"]),
        ("match_end=round:3", ["did you mean rounds:N?"]),
        ("match_end=targt:500", ["did you mean target:T?"]),
        ("match_end=single round", ["did you mean single_round?"]),
        ("match_end=500", ["match_end = 500", "target:T"]),
        ("match_end=true", ["match_end = true"]),
        ("match_end=[]", ["match_end = []"]),
        ('match_end="rounds:3\\n"', ["match_end = "]),
        ("hand_size=61", ["hand_size = 61", "a whole number from 0 to 60"]),
        ("hand_size=five", ['hand_size = "five"']),
        ("hand_refil=per_card", ["hand_refil", "did you mean hand_refill?"]),
        ("score_home_to=winner", ["did you mean winner_only?"]),
        ("team_eleven_partner=yes", ['team_eleven_partner = "yes"', "true or false"]),
        ("teams=opposite", ["teams", "no such key"]),
    ],
)  # fmt: skip
def test_a_wrong_house_rule_is_told_what_is_allowed(sets: str, words: list[str]) -> None:
    message = complaint("hasbro", sets)
    assert "--set" in message or "hasbro" in message
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("hasbro+quick_start_pawns=2", ["quick_start_pawns above 1", "own_collision"]),
        ("hasbro+quick_start_pawns=4+pawns=3", ["quick_start_pawns = 4 is more than pawns = 3"]),
        ("hasbro+seat_colors=red,red", ["seat_colors names a color twice"]),
        ("hasbro+seat_colors=red", ["seat_colors names one color"]),
        ("hasbro+start_cards=sorry", ["no pawn could ever leave START"]),
        ("hasbro+deck_counts={1=0,2=0,3=0,4=0,5=0,7=0,8=0,10=0,11=0,12=0,sorry=0}", ["deck_counts holds 0 cards"]),
        ("hasbro+deck_counts={1=40,2=40,3=40,4=40,5=40,7=40,8=40}", ["deck_counts holds 296 cards; 1 to 250"]),
        ("hasbro+deck_counts={1=0,3=0,4=0,5=0,7=0,8=0,10=0,11=0,12=0,sorry=0}", ["nothing but 2s"]),
        ("house-five-cards+hand_size=2+deck_counts={1=0,3=0,4=0,5=0,7=0,8=0,10=0,11=0,12=0,sorry=0}", ["nothing but 2s"]),
        ("hasbro+two_in_hand=none", ['two_in_hand = "none" means nothing without a hand (hand_size = 0)']),
        ("hasbro+two_playable_idle=true", ["two_playable_idle = true means nothing without a hand"]),
        ("hasbro+two_followup_stuck=discard_one", ["two_followup_stuck", "without a hand"]),
        ("hasbro+hand_refill=when_empty", ["hand_refill", "without a hand"]),
        ("hasbro+dead_hand=oldest", ["dead_hand", "without a hand"]),
        ("hasbro+optional_counts_as_playable=true", ["optional_counts_as_playable", "without a hand"]),
        ("hasbro+first_turn_dead_hand=skip", ["first_turn_dead_hand", "without a hand"]),
        ("encyclopedia-whole-deck+hand_size=0", ['hand_refill = "when_empty" means nothing without a hand']),
        ("hasbro-points+two_draws_again=never", ['two_draws_again = "never" means nothing with a hand (hand_size = 5)', "two_in_hand"]),
        ("hasbro-points+two_in_hand=none+two_playable_idle=true", ["two_playable_idle = true", 'two_in_hand = "none"']),
        ("hasbro-points+two_in_hand=none+two_followup_stuck=discard_one", ["two_followup_stuck", 'two_in_hand = "none"']),
        ("hasbro-points+hand_size=23", ["hand_size = 23 is too much for a deck of 45 cards: two players need 46"]),
        ("hasbro+team_control=own_only", ['team_control = "own_only" means nothing without teams (team_pairs is empty)']),
        ("hasbro+team_collision=coexist", ["team_collision", "without teams"]),
        ("hasbro+team_own_collision=bump", ["team_own_collision", "without teams"]),
        ("hasbro+team_sorry_target=any", ["team_sorry_target", "without teams"]),
        ("hasbro+team_sorry_start=own", ["team_sorry_start", "without teams"]),
        ("hasbro+team_eleven_partner=true", ["team_eleven_partner = true", "without teams"]),
        ("hasbro+team_finished_player=skips", ["team_finished_player", "without teams"]),
        ("hasbro+team_win=first_member", ["team_win", "without teams"]),
        ("hasbro-points+team_scoring=pooled", ["team_scoring", "without teams"]),
        ("house-partners-share+team_pairs=[]", ['team_collision = "coexist" means nothing without teams']),
        ("hasbro-teams+seat_colors=red,blue", ["seat_colors names 2 colors, but team play needs all four"]),
        ("hasbro-teams+pawns=5", ["seven_parts = 8 is too much for two teams with pawns = 5"]),
        ("hasbro-teams+team_own_collision=bump+own_collision=share", ['team_own_collision = "bump" contradicts own_collision = "share"']),
        ("french-teams+team_own_collision=bump+own_collision=ends_turn", ['contradicts own_collision = "ends_turn"']),
        ("hasbro-teams+team_scoring=pooled", ['score_home_to = "none" and team_scoring = "pooled" contradict each other']),
        ("hasbro-teams+score_home_to=all_players", ["score_home_to", 'points of a team need team_scoring = "pooled"']),
        ("hasbro+score_home_value=3", ['score_home_value = 3 means nothing where no points are kept (score_home_to = "none")']),
        ("hasbro+score_not_home_value=3", ["score_not_home_value", "no points are kept"]),
        ("hasbro+score_bands=[[2,25],[0,100]]", ["score_bands = [[2, 25], [0, 100]]", "no points are kept"]),
        ("hasbro+score_bands=[]", ["score_bands = []", "no points are kept"]),
        ("hasbro+bonus_bands=cumulative", ["bonus_bands", "no points are kept"]),
        ("hasbro+band_measure=total", ["band_measure", "no points are kept"]),
        ("hasbro-points+score_bands=[]+bonus_bands=cumulative", ["bonus_bands", "means nothing without bonuses (score_bands is empty)"]),
        ("hasbro-points+next_leader=next_seat", ['next_leader = "next_seat" means nothing in a single round (match_end = "single_round")']),
        ("hasbro-match+score_home_value=0+score_not_home_value=0", ['match_end = "target:500" needs points']),
    ],
)  # fmt: skip
def test_what_makes_no_sense_together_is_refused(folder: Path, spec: str, words: list[str]) -> None:
    message = complaint(spec)
    assert message.startswith(f"{spec[:90]}"), "a combination is everybody's"
    for word in words:
        assert word in message
    base, *texts = spec.split("+")
    assert complaint(base, *texts) == message


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("hasbo", ["hasbo", "did you mean hasbro?"]),
        ("", ["rulesets list"]),
        ("hasbro+slides", ["option=value"]),
        ("hasbro+slides=of", ["hasbro+slides=of", "did you mean off?"]),
        ("HASBRO", ["did you mean hasbro?"]),
        ("no/such.toml", ["no/such.toml", "no such file"]),
        ("./", ["folder"]),
        ("a\0b.toml", []),
        ("x" * 5000 + ".toml", []),
        ("x" * 5000, []),
        ("/dev/zero", ["not an ordinary file"]),
        ("\ud800/x", []),
    ],
)
def test_a_wrong_name_is_told_what_was_meant(folder: Path, spec: str, words: list[str]) -> None:
    message = complaint(spec)
    for word in words:
        assert word in message


def test_a_name_without_a_slash_is_pointed_to_the_file_of_that_name(folder: Path) -> None:
    write(folder / "mine.toml", "[rules]\n")
    assert "./mine.toml" in complaint("mine")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["empty"]),
        ("# only a comment\n", ["empty"]),
        ("[rules]\nslides = off\n", ["mine.toml:2:10", "not valid TOML"]),
        ("[rules]\npawns = 3\npawns = 4\n", ["mine.toml:3:", "overwrite"]),
        ("[rules", ["mine.toml:1:7"]),
        ('title = "x\n', ["mine.toml:1:"]),
        ('slides = "off"\n', ["slides", "[rules]"]),
        ("titel = 'x'\n", ["titel", "did you mean title?"]),
        ("title = 3\n", ["title = 3", "text"]),
        ("title = ''\n", ["title"]),
        (f"title = '{'x' * 121}'\n", ["title", "120 characters"]),
        ('title = "a\\u001b[31mb"\n', ["title", "can't be printed"]),
        ("readings = 'one'\n", ["readings", "a list of text"]),
        ("readings = [1]\n", ["readings (item 1) = 1"]),
        ("rules = 3\n", ["rules = 3", "a table"]),
        ("[[rules]]\npawns = 3\n", ["rules"]),
        ("game = 'clasic'\n", ["game", '"clasic"', "did you mean classic?"]),
        ("extends = 'hasbo'\n", ["mine.toml: extends", "did you mean hasbro?"]),
        ("extends = './gone.toml'\n", ["gone.toml", "no such file"]),
        ("extends = 'hasbro'\nextends = 'french'\n", ["mine.toml:2:"]),
        ("[rules]\nslidez = 'off'\n", ["mine.toml: rules.slidez", "did you mean slides?"]),
        ("[rules]\nslides = 'of'\n", ["mine.toml: rules.slides", "did you mean off?"]),
        ("[rules]\npawns = nan\n", ["mine.toml: rules.pawns = nan"]),
        ("[rules]\npawns = true\n", ["mine.toml: rules.pawns = true"]),
        ("[rules.deck_counts]\nsorry = true\n", ["mine.toml: rules.deck_counts.sorry = true"]),
        ("[rules.slides]\nx = 1\n", ["mine.toml: rules.slides", "a table"]),
        ("[rules.team_pairs]\nred = 'yellow'\n", ["mine.toml: rules.team_pairs = a table", '"opposite" or a list of pairs']),
        ("[rules]\nteam_pairs = [['red', 'blue'], ['yellow']]\n", ["mine.toml: rules.team_pairs (item 2) = ", "a pair of"]),
        ("[rules]\nteam_pairs = [['red', 'blue']]\n", ["mine.toml: rules.team_pairs = ", "every color stands once"]),
        ("[rules]\nscore_bands = [[1, 'x']]\n", ["mine.toml: rules.score_bands (item 1, part 2) = ", "from 0 to 1000"]),
        ("[rules]\nscore_bands = {2 = 25}\n", ["mine.toml: rules.score_bands = a table", "a list of pairs"]),
        ("[rules]\nmatch_end = 'target'\n", ["mine.toml: rules.match_end", "did you mean target:T?"]),
        (f"[rules]\nstart_cards = [0x{'f' * 50_000}]\n", ["mine.toml: rules.start_cards (item 1) = a number"]),
        ("[rules]\ndead_hand = 'random'\n", ["mine.toml", "means nothing without a hand"]),
        ("[rules]\nquick_start_pawns = 2\n", ["mine.toml", "quick_start_pawns", "share"]),
        ("[rules.deck_counts]\n1 = 0\n2 = 0\n", ["mine.toml", "no pawn could ever leave START"]),
        (f"[rules]\npawns = {'9' * 5000}\n", ["mine.toml", "too long"]),
        ("[rules]\nx = " + "[" * 20_000, ["mine.toml", "nested too deeply"]),
        ("[rules]\n" + ".".join("a" * 30_000) + " = 1\n", ["mine.toml", "nested too deeply"]),
        ("[rules]\n" + ".".join("a" * 190) + " = 1\n", ["mine.toml: rules.a", "no such key"]),
        ("[rules]\nslide_riders." + ".".join("a" * 190) + " = 1\n", ["mine.toml: rules.slide_riders"]),
        (f"[rules]\n{'k' * 60_000} = 1\n", ["mine.toml", "no such key"]),
        ("x = 1\n" * 20_000, ["mine.toml", "larger than"]),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_where_and_what(folder: Path, text: str, words: list[str]) -> None:
    message = complaint(write(folder / "mine.toml", text))
    for word in words:
        assert word in message


def test_the_file_that_set_the_wrong_value_is_named(folder: Path) -> None:
    write(folder / "base.toml", "[rules]\npawns = 99\n")
    write(folder / "mine.toml", "extends = './base.toml'\n[rules]\nslides = 'off'\n")
    assert complaint("./mine.toml+must_move=false").startswith("base.toml: rules.pawns = 99 ")


@pytest.mark.parametrize("data", ["title = 'é'".encode("latin-1"), "title = 'x'".encode("utf-16"), b"\xff\xfe\x00", b"\x00" * 100])
def test_a_file_of_other_bytes_is_refused(folder: Path, data: bytes) -> None:
    (folder / "mine.toml").write_bytes(data)
    assert "mine.toml" in complaint("mine.toml")


def test_a_byte_order_mark_and_windows_line_ends_are_fine(folder: Path) -> None:
    (folder / "mine.toml").write_bytes(b"\xef\xbb\xbf[rules]\r\npawns = 2\r\n")
    assert load("mine.toml").rules.pawns == 2


def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.toml")
    assert "not an ordinary file" in complaint("pipe.toml")


def check_hostile(path: Path) -> None:
    """A file is either a ruleset or told in one line what is wrong; nothing else comes out."""
    try:
        ruleset = load(str(path))
    except SimsorryError as error:
        assert str(error).isprintable()
        assert len(str(error)) < 2000
    else:
        assert len(ruleset.hash) == 12


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile") / "hostile.toml"


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_taken_or_refused_in_a_sentence(hostile: Path, data: bytes) -> None:
    hostile.write_bytes(data)
    check_hostile(hostile)


def toml_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(toml_text, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)} = {toml_text(item)}' for key, item in value.items())}}}"
    return json.dumps(value) if isinstance(value, str) else str(value)


keys = st.sampled_from([option.name for game in games.GAMES for option in options(game)]) | st.text(
    st.characters(exclude_categories=["Cs", "Cc"]), max_size=12
)
plain = st.integers() | st.booleans() | st.floats() | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
words = st.sampled_from(
    ["off", "all", "deck_44", "red", "blue", "1", "sorry", "red A", "never", "share", "bounce", "opposite", "rounds:2", "2,2,2", "large"]
)
values = st.recursive(
    plain | words, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words | st.text("abc", max_size=3), inner, max_size=4)
)


@settings(max_examples=200, deadline=None)
@given(game=st.sampled_from([*games.GAMES]), rules=st.dictionaries(keys, values, max_size=4))
def test_any_rules_are_taken_or_refused_in_a_sentence(hostile: Path, game: str, rules: dict[str, object]) -> None:
    hostile.write_text(
        f'game = "{game}"\n[rules]\n' + "".join(f"{json.dumps(key)} = {toml_text(value)}\n" for key, value in rules.items()),
        encoding="utf-8",
    )
    check_hostile(hostile)


@settings(max_examples=200, deadline=None)
@given(
    spec=st.text(max_size=30)
    | st.builds(lambda *parts: "+".join(["hasbro", *parts]), st.text(max_size=20))
    | st.builds("hasbro+{}={}".format, keys, st.text(max_size=20) | words)
    | st.builds("sorreesi+{}={}".format, keys, st.text(max_size=20) | words)
    | st.builds("ice+{}={}".format, keys, st.text(max_size=20) | words)
)
def test_any_name_is_taken_or_refused_in_a_sentence(spec: str) -> None:
    try:
        load(spec)
    except SimsorryError as error:
        assert str(error).isprintable()


@pytest.mark.parametrize(
    ("spec", "gone"),
    [("ice+slides=off", "ice_slide_order"), ("ice+hand_size=0", "hand_refill"), ("ice+ice_slide_mode=end_only", "ice_slide_order")],
)
def test_readings_that_a_house_rule_leaves_without_a_meaning_are_left_out(spec: str, gone: str) -> None:
    base = [reading for reading in load("ice").readings if gone in reading]
    assert base
    assert not set(base) & set(load(spec).readings)
