"""Random games of the referee, of every kind: pawns and cards are neither made nor lost, and the counters go together."""

import random
from collections import Counter
from typing import Any

import pytest
from referee import classic as referee
from referee.classic import Decision, Game, Outcome, Record

from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS, COLORS

TWO = ("red", "yellow")
THREE = ("red", "blue", "yellow")
TEAMS = {"team_pairs": "opposite"}
POINTS = {"hand_size": 5, "quick_start_pawns": 1, "score_home_to": "all_players"}

DRAWN: list[dict[str, Any]] = [
    {},
    {"game_end": "full_ranking"},
    {"game_end": "all_home", "own_collision": "share", "quick_start_pawns": 2, "reshuffle_when": "when_last_taken"},
    {"own_collision": "bump_self", "slide_after_swap": "both", "home_overshoot": "bounce", "card_in_play_in_reshuffle": "excluded"},
    {"own_collision": "ends_turn", "slides": "all", "must_move": False, "two_draws_again": "if_played"},
    {"seven_resolution": "simultaneous", "seven_parts": 3, "forward_past_entry": "decline_ok", "pass_scope": "always"},
    {"pawns": 6, "seven_parts": 4, "start_cards": ("1", "3", "7", "sorry"), "swap_may_cross_entry": False, "draw": "with_replacement"},
    {"deck_counts": "deck_44", "own_on_triangle": "bump", "absent_color_slides": "inert", "sorry_alt_forward": 4, "ten_back_forced": False},
    {"pawns": 2, "match_end": "rounds:2", "next_leader": "next_seat"},
]
FROM_HANDS: list[dict[str, Any]] = [
    POINTS,
    POINTS | {"two_in_hand": "play_drawn", "hand_refill": "end_of_turn", "card_in_play_in_reshuffle": "excluded"},
    {"hand_size": 3, "two_playable_idle": True, "two_followup_stuck": "discard_one", "dead_hand": "random", "game_end": "all_home"},
    {"hand_size": 11, "hand_refill": "when_empty", "own_collision": "ends_turn", "must_move": False, "first_turn_dead_hand": "skip"},
    {"hand_size": 1, "dead_hand": "oldest", "reshuffle_when": "when_last_taken", "two_in_hand": "none", "game_end": "full_ranking"},
    {"hand_size": 7, "optional_counts_as_playable": True, "draw": "with_replacement", "slides": "all", "own_collision": "share"},
    {"hand_size": 4, "deck_counts": dict.fromkeys(CARDS, 2), "reshuffle_when": "when_last_taken", "card_in_play_in_reshuffle": "excluded"},
    POINTS | {"pawns": 2, "match_end": "target:150", "next_leader": "random", "bonus_bands": "cumulative"},
]
IN_TEAMS: list[dict[str, Any]] = [
    TEAMS | {"pawns": 3, "seven_parts": 8, "game_end": "all_home"},
    TEAMS | {"team_collision": "bump_mover", "team_sorry_target": "any", "team_eleven_partner": True, "slide_after_swap": "both"},
    TEAMS | {"team_collision": "coexist", "team_own_collision": "bump", "team_finished_player": "skips", "team_sorry_start": "own"},
    TEAMS | {"team_collision": "illegal", "own_collision": "ends_turn", "must_move": False, "game_end": "full_ranking"},
    TEAMS | {"team_control": "own_only", "team_win": "first_member", "game_end": "all_home", "team_sorry_target": "opponents_only"},
    TEAMS | {"seven_resolution": "simultaneous", "team_collision": "coexist", "own_collision": "share", "slides": "all", "pawns": 3},
    TEAMS | POINTS | {"team_scoring": "pooled", "team_finished_player": "skips", "game_end": "all_home"},
    TEAMS | {"pawns": 2, "match_end": "rounds:2", "hand_size": 2, "team_control": "own_only", "dead_hand": "random"},
]


def place_of(color: str, place: referee.Place) -> tuple[str | None, referee.Place]:
    """A square nobody shares with others who stand elsewhere: zones are a color's own."""
    return (None if isinstance(place, int) else color), place


def assert_pawns_are_sound(decision: Decision, rules: Rules) -> None:
    """Rulebook 11.3: pawns are neither made nor lost, and share squares only where they may."""
    for outcome in decision.outcomes:
        assert all(len(places) == rules.pawns for places in outcome.position.values())
        standing = [(place_of(color, place), color) for color, places in outcome.position.items() for place in places]
        crowded = {
            square for square, pawns in Counter(square for square, _ in standing).items() if pawns > 1 and square[1] not in ("S", "H")
        }
        for square in crowded:
            colors = [color for other, color in standing if other == square]
            assert len(colors) == len(set(colors)) or rules.own_collision == "share"
            assert len(set(colors)) == 1 or (rules.team_collision == "coexist" and len(set(colors)) == 2)
            assert all(color == colors[0] or color == referee.partner_of(rules, colors[0]) for color in colors)


def assert_cards_are_sound(game: Game) -> None:
    """Rulebook 11.3: cards are neither made nor lost; with a hand none is on its way when a player decides."""
    now = game.rounds[-1]
    cards = Counter([*now.deck.pile, *now.deck.discards, *now.in_play])
    for hand in now.hands.values():
        cards += Counter(hand)
        assert len(hand) <= game.rules.hand_size
    assert cards == Counter({card: count for card, count in game.rules.deck_counts.counts.items() if count})


def random_game(rules: Rules, players: tuple[str, ...], seed: int) -> Record:
    """A game of random players; fails if anything is unsound at a decision."""
    luck = random.Random(seed)

    def choose(decision: Decision) -> Outcome:
        assert_pawns_are_sound(decision, rules)
        if rules.hand_size and rules.draw == "without_replacement":
            assert_cards_are_sound(game)
        return luck.choice(decision.choices)

    game = Game(rules, players, 1, luck.choice, choose, throw=luck.choice, lead=lambda _: luck.randrange(len(players)))
    return game.play()


def assert_counters_go_together(record: Record, rules: Rules) -> None:
    """What is counted for the game is what is counted for the seats."""
    totals = record.game
    assert totals["dead_turns"] + totals["forced_turns"] <= totals["turns_all"]
    assert totals["throw_choice_turns"] <= totals["choice_turns"]
    for of_game, of_seat in [("turns_all", "turns"), ("bumps", "bumps_given"), ("bumps", "bumps_taken")]:
        assert totals[of_game] == sum(seat[of_seat] for seat in record.seats)
    for name in ("starts", "draws", "dead_turns", "choice_turns", "own_bumps", "partner_bumps", "swaps", "slides", "throws"):
        assert totals[name] == sum(seat[name] for seat in record.seats)
    assert totals["draws"] == sum(step.card != "" for step in record.steps)
    at_ends = [this.text for this, following in zip(record.steps, record.steps[1:], strict=False) if this.round != following.round]
    assert totals["homes"] == sum(text.count("H") for text in [*at_ends, record.steps[-1].text])
    assert sum(seat["won"] for seat in record.seats) == (totals["winner"] != referee.NOBODY) * (2 if rules.team_pairs else 1)
    assert totals["match_rounds"] == record.steps[-1].round


@pytest.mark.parametrize("players", [TWO, THREE, COLORS], ids=len)
@pytest.mark.parametrize("options", [*DRAWN, *FROM_HANDS], ids=lambda options: ",".join(options) or "printed rules")
def test_random_games_are_sound(options: dict[str, Any], players: tuple[str, ...]) -> None:
    rules = Rules(**{"turn_cap": 300} | options)
    if rules.hand_size * len(players) <= sum(rules.deck_counts.counts.values()):
        assert_counters_go_together(random_game(rules, players, seed=7), rules)


@pytest.mark.parametrize("options", IN_TEAMS, ids=",".join)
def test_random_games_of_teams_are_sound(options: dict[str, Any]) -> None:
    rules = Rules(**{"turn_cap": 300} | options)
    assert_counters_go_together(random_game(rules, COLORS, seed=8), rules)
