"""The referee of the classic draw-one game against hand-worked cases and whole games worked out by hand."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from classic_vectors import ALONE, CASES, PASS, Case, check, named
from referee import classic as referee
from referee.classic import Decision, Game, Outcome, Record, Target
from referee.common import NOT_COUNTED
from referee_tools import Script, last

from simsorry.games.classic.columns import GAME_COLUMNS, SEAT_COLUMNS
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS

IN_HANDS = {"hand_size", "two_in_hand", "two_playable_idle", "two_followup_stuck", "hand_refill", "dead_hand"}
IN_HANDS |= {"optional_counts_as_playable", "first_turn_dead_hand"}
IN_MATCHES = {"bonus_bands", "band_measure", "match_end", "next_leader"}
TWO = ("red", "yellow")
THREE = ("red", "blue", "yellow")


# -- hand-worked decisions -----------------------------------------------------------------------------


def decide(case: Case) -> Decision:
    """The referee's decision for a case of the table."""
    position = referee.read_position(case.position)
    return referee.outcomes(Rules(**case.options), case.players, case.seat, position, case.card)


def decision_set(decision: Decision) -> set[str]:
    """The decision set as the table writes it."""
    return {PASS if choice.passed else choice.text for choice in decision.choices}


@pytest.mark.parametrize("case", CASES, ids=named)
def test_hand_worked(case: Case) -> None:
    check(case, decision_set(decide(case)))


def test_every_option_has_a_test() -> None:
    in_the_table = {option for case in CASES for option in case.options}
    in_whole_games = {"quick_start_pawns", "head_starts", "deck_counts", "draw", "two_draws_again", "turn_cap"}
    in_whole_games |= {"reshuffle_when", "card_in_play_in_reshuffle"}
    told_by_the_caller = {"first_player", "seat_colors"}
    not_here = {option for option in Rules.model_fields if option.startswith(("team_", "score_"))} | IN_HANDS | IN_MATCHES
    assert (in_the_table | in_whole_games | told_by_the_caller).isdisjoint(not_here)
    assert in_the_table | in_whole_games | told_by_the_caller | not_here == Rules.model_fields.keys()


def test_rulebook_1_3_counts_no_card_holds() -> None:
    assert referee.forward_targets(Rules(), "red", 59, 4) == [Target(("Z", 1))]
    assert referee.forward_targets(Rules(), "red", 59, 9) == [Target("H")]
    assert referee.forward_targets(Rules(), "red", 59, 10) == []


@pytest.mark.parametrize(
    ("place", "steps"), [("S", 65), (4, 64), (3, 65), (2, 6), (1, 7), (0, 8), (59, 9), (("Z", 1), 5), (("Z", 5), 1), ("H", 0)]
)
def test_rulebook_1_2_distances(place: referee.Place, steps: int) -> None:
    assert referee.squares_to_go("red", place) == steps


# -- which actions are compulsory, and what the plainest way does ------------------------------------------


def one(position: str, card: str, text: str, **options: Any) -> Outcome:
    """The outcome of red's decision that changes the groups named in ``text``."""
    case = Case("", position, card, has=(text,), options=options)
    decision = decide(case)
    check(case, {outcome.text for outcome in decision.outcomes})
    wanted = referee.write_position(referee.read_position(position) | (referee.read_position(text) if text else {}))
    return next(outcome for outcome in decision.outcomes if outcome.text == wanted)


def test_H21_the_swap_is_optional_and_the_forward_11_is_not() -> None:
    position = "red 20 58 H H / yellow S S S 40"
    assert one(position, "11", "red 34 58 H H").compulsory
    assert not one(position, "11", "red 40 58 H H / yellow S S S 20").compulsory


def test_H25_a_lap_is_optional_and_the_way_HOME_beside_it_is_not() -> None:
    options = {"forward_past_entry": "decline_ok", "pass_scope": "always"}
    assert one(f"red 2 Z5 H H / {ALONE}", "7", "red H H H H", **options).compulsory
    assert not one(f"red 2 Z5 H H / {ALONE}", "7", "red 8 H H H", **options).compulsory


def test_must_move_false_makes_everything_optional() -> None:
    assert not one(f"red 5 8 H H / {ALONE}", "3", "red 5 11 H H", must_move=False).compulsory


def test_the_plainest_way_is_the_one_with_the_fewest_parts() -> None:
    events = one(f"red 10 13 H H / {ALONE}", "7", "red 13 17 H H").events  # 7 in one piece, or 3 and 4
    assert not events.split
    assert one(f"red 10 13 H H / {ALONE}", "7", "red 12 18 H H").events.split


def test_the_plainest_way_is_the_one_with_the_fewest_slides() -> None:
    # 2 + 5 rides from 24 to 28 and bounces to Z4; 6 + 1 walks to the same squares.
    events = one(f"red 22 Z3 H H / {ALONE}", "7", "red 28 Z4 H H", home_overshoot="bounce").events
    assert (events.slides, events.parts) == (0, 2)
    assert one(f"red 20 30 H H / {ALONE}", "7", "red 26 34 H H").events.slides == 1


def test_events_of_a_landing_and_a_ride() -> None:
    events = one("red 13 18 H H / yellow S 16 17 19", "3", "red S 19 H H / yellow S S S S").events
    assert (events.bumped("landing"), events.bumped("ride"), events.bumped("sorry")) == (1, 2, 0)
    assert (events.own_bumps, events.slides, events.backward) == (1, 1, False)


def test_events_of_a_sorry() -> None:
    events = one("red S 20 H H / yellow S S 46 48", "sorry", "red 20 49 H H / yellow S S S S").events
    assert (events.bumped("landing"), events.bumped("ride"), events.bumped("sorry")) == (0, 1, 1)
    assert (events.sorry, events.start, events.slides) == (True, False, 1)


def test_events_of_the_other_cards() -> None:
    assert one(f"red S H H H / {ALONE}", "1", "red 4 H H H").events.start
    assert one(f"red Z2 H H H / {ALONE}", "4", "red 0 H H H").events.backward
    assert one(f"red Z1 Z4 H H / {ALONE}", "7", "red H H H H").events.homes == 2
    assert one(f"red Z1 Z4 H H / {ALONE}", "7", "red H H H H", seven_resolution="simultaneous").events.homes == 2
    assert one("red 58 H H H / yellow S S S 20", "11", "red 20 H H H / yellow S S S 58").events.swap


def test_a_move_that_changes_nothing_is_a_move() -> None:
    outcome = one(f"red 28 H H H / {ALONE}", "4", "")
    assert (outcome.compulsory, outcome.passed, outcome.ends_turn, outcome.events.slides) == (True, False, False, 1)


def test_bumps_of_a_swapped_opponent_are_its_own() -> None:
    events = one("red 9 H H H / yellow S S 12 22", "11", "red 22 H H H / yellow S S S 13", slide_after_swap="both").events
    assert events.bumps == [referee.Bump("yellow", "yellow", "ride")]
    assert events.rides == ["yellow"]


def test_FQ3_a_blocked_move_ends_the_turn() -> None:
    assert one(f"red 5 8 H H / {ALONE}", "3", "", own_collision="ends_turn").ends_turn
    assert one(f"red 5 8 H H / {ALONE}", "3", "", own_collision="ends_turn").compulsory


def test_FQ3_an_ordinary_move_is_plainer_than_a_blocked_one() -> None:
    # With a 2, the pawn on Z5 bounces to where it stands, and the pawn on Z3 is kept from there.
    outcome = one(f"red Z3 Z5 H H / {ALONE}", "2", "", own_collision="ends_turn", home_overshoot="bounce")
    assert not outcome.ends_turn


# -- whole games -----------------------------------------------------------------------------------------


def game(cards: str, position: str, choose: Callable[[Decision], Outcome] = last, **options: Any) -> Game:
    """A game that stands at a position with the first group to move."""
    places = referee.read_position(position)
    rules = Rules(**{"pawns": len(next(iter(places.values()))), "draw": "with_replacement", **options})
    return Game(rules, tuple(places), 0, Script(cards), choose, position=places)


def cards_by_color(record: Record) -> list[tuple[str, str]]:
    return [(step.color, step.card) for step in record.steps]


def test_H1_H3_H5_F1_the_game_begins_on_START_with_a_full_deck() -> None:
    script = Script("12")
    record = referee.play(Rules(turn_cap=1), TWO, 0, script, last)
    assert Counter(script.piles[0]) == {card: 5 if card == "1" else 4 for card in CARDS}
    assert record.steps[0].text == "red S S S S / yellow S S S S"
    assert (record.game["capped"], record.game["winner"], record.game["dead_turns"]) == (1, 255, 1)


def test_H2_quick_start() -> None:
    record = referee.play(Rules(turn_cap=1, quick_start_pawns=1), TWO, 0, Script("12"), last)
    assert record.steps[0].text == "red S S S 19 / yellow S S S 34"
    assert [seat["first_start"] for seat in record.seats] == [0, 0]


def test_H4_F1_F2_play_passes_to_the_left() -> None:
    record = referee.play(Rules(turn_cap=4), THREE, 1, Script("12 12 12 12"), last)
    assert [step.color for step in record.steps] == ["blue", "yellow", "red", "blue"]
    assert [seat["table_seat"] for seat in record.seats] == [1, 2, 0]
    assert (record.game["first_seat"], record.game["rounds"], record.game["turns_all"]) == (1, 2, 4)


def test_a_whole_game_by_hand() -> None:
    cards = "12 3 12 3 12 3 12 3 5 3 2"
    rules = Rules(pawns=1, quick_start_pawns=1, draw="with_replacement")
    record = referee.play(rules, TWO, 0, Script(cards), last)
    assert [step.text for step in record.steps] == [
        "red 19 / yellow 34",  # blue's slide
        "red 19 / yellow 37",
        "red 34 / yellow 37",  # yellow's
        "red 34 / yellow 40",
        "red 49 / yellow 40",  # green's
        "red 49 / yellow 43",
        "red 1 / yellow 43",
        "red 1 / yellow 49",  # green's
        "red Z4 / yellow 49",
        "red Z4 / yellow 52",
        "red H / yellow 52",
    ]
    common = {"turns": 11, "turns_all": 11, "draws": 11, "rounds": 6, "forced_turns": 11, "slides": 4, "homes": 1, "match_rounds": 1}
    assert record.game == dict.fromkeys(record.game, 0) | common | {"winner": 0, "winner_color": 0}
    red, yellow = record.seats
    assert red == dict.fromkeys(red, 0) | {
        "won": 1,
        "place": 1,
        "turns": 6,
        "draws": 6,
        "slides": 3,
        "pawns_home": 1,
        "match_rounds_won": 1,
    }
    moved = {"turns": 5, "draws": 5, "slides": 1, "pips_left": 46}
    assert yellow == dict.fromkeys(yellow, 0) | moved | {"color": 2, "table_seat": 1, "place": 2}


def test_the_record_has_every_column() -> None:
    record = referee.play(Rules(turn_cap=1), TWO, 0, Script("12"), last)
    assert record.game.keys() == {column.name for column in GAME_COLUMNS} - NOT_COUNTED
    assert all(seat.keys() == {column.name for column in SEAT_COLUMNS} - NOT_COUNTED for seat in record.seats)


def test_H7_H6_forfeited_turns_are_dead() -> None:
    record = game("5 8", "red S S / yellow S Z5", turn_cap=2).play()
    assert (record.game["dead_turns"], record.game["forced_turns"], record.game["choice_turns"]) == (2, 0, 0)


def test_H14_a_2_draws_again_also_when_it_could_not_be_used() -> None:
    record = game("2 2 3 3", "red 20 / yellow Z5", turn_cap=2).play()
    assert cards_by_color(record) == [("red", "2"), ("red", "2"), ("red", "3"), ("yellow", "3")]
    record = game("2 3 3", "red Z5 / yellow 40", turn_cap=2).play()
    assert cards_by_color(record) == [("red", "2"), ("red", "3"), ("yellow", "3")]
    assert (record.game["draws"], record.game["turns_all"], record.game["dead_turns"]) == (3, 2, 1)


def test_two_draws_again_if_played() -> None:
    record = game("2 3 2", "red 20 / yellow Z5", turn_cap=2, two_draws_again="if_played").play()
    assert cards_by_color(record) == [("red", "2"), ("red", "3"), ("yellow", "2")]


def test_two_draws_again_after_a_pass() -> None:
    again = game("2 3 2 3", "red 20 / yellow 40", turn_cap=2, must_move=False).play()
    assert cards_by_color(again) == [("red", "2"), ("red", "3"), ("yellow", "2"), ("yellow", "3")]
    ended = game("2 2", "red 20 / yellow 40", turn_cap=2, must_move=False, two_draws_again="if_played").play()
    assert cards_by_color(ended) == [("red", "2"), ("yellow", "2")]


def test_two_draws_again_never() -> None:
    record = game("2 2", "red 20 / yellow 40", turn_cap=2, two_draws_again="never").play()
    assert cards_by_color(record) == [("red", "2"), ("yellow", "2")]


def test_FQ3_a_2_that_is_blocked_gives_no_further_card() -> None:
    record = game("2 2 3", "red Z3 Z5 / yellow 40 50", turn_cap=2, own_collision="ends_turn").play()
    assert cards_by_color(record) == [("red", "2"), ("yellow", "2"), ("yellow", "3")]
    assert (record.game["dead_turns"], record.game["forced_turns"]) == (1, 0)


def test_HQ5_the_game_ends_before_the_redraw() -> None:
    record = game("2", "red Z4 / yellow 40").play()
    assert (record.game["winner"], record.game["draws"], record.game["turns"]) == (0, 1, 1)


def test_H21_passing_is_a_choice_in_a_dead_turn() -> None:
    record = game("11", "red 58 / yellow 20", turn_cap=1).play()
    counted = {name: record.game[name] for name in ("passes", "choices", "outcomes", "dead_turns", "choice_turns", "forced_turns", "swaps")}
    assert counted == {"passes": 1, "choices": 1, "outcomes": 2, "dead_turns": 1, "choice_turns": 1, "forced_turns": 0, "swaps": 0}


def test_a_turn_with_a_choice() -> None:
    record = game("10 4", "red 20 / yellow 40", turn_cap=2).play()
    assert record.steps[0].text == "red 30 / yellow 40"
    assert (record.game["choices"], record.game["outcomes"], record.game["choice_turns"], record.game["backs"]) == (1, 2, 1, 1)


def test_bumps_by_seat() -> None:
    record = game("3 sorry", "red 13 18 / yellow S 17", turn_cap=2).play()
    assert [step.text for step in record.steps] == ["red S 19 / yellow S S", "red S S / yellow S 19"]
    assert [record.game[name] for name in ("bumps", "bumps_slide", "bumps_sorry", "own_bumps")] == [2, 1, 1, 1]
    by_seat = [[seat[name] for name in ("bumps_given", "bumps_taken", "own_bumps", "first_start")] for seat in record.seats]
    assert by_seat == [[1, 1, 1, -1], [1, 1, 0, 1]]


def test_H30_first_home_wins() -> None:
    record = game("1 1", "red Z5 H / blue Z5 H / yellow Z5 Z4").play()
    assert (record.game["winner"], record.game["turns_all"], record.game["capped"]) == (0, 1, 0)
    assert [seat["place"] for seat in record.seats] == [1, 2, 3]
    assert [seat["pips_left"] for seat in record.seats] == [0, 1, 3]
    assert [seat["pawns_home"] for seat in record.seats] == [2, 1, 0]


def test_places_on_the_way_may_be_shared() -> None:
    record = game("1", "red Z5 H / blue Z5 Z4 / yellow Z4 Z5 / green S H").play()
    assert [seat["place"] for seat in record.seats] == [1, 3, 3, 2]


def test_F15_full_ranking_plays_on_for_places() -> None:
    record = game("1 3 1 1", "red Z5 / blue 20 / yellow Z5", game_end="full_ranking").play()
    assert cards_by_color(record) == [("red", "1"), ("blue", "3"), ("yellow", "1")]
    assert [seat["place"] for seat in record.seats] == [1, 3, 2]
    assert (record.game["turns"], record.game["turns_all"], record.game["homes"]) == (1, 3, 2)


def test_FQ17_all_home_plays_to_the_end() -> None:
    record = game("1 3 1 3 3", "red Z5 / blue 11 / yellow Z5", game_end="all_home", turn_cap=5).play()
    assert cards_by_color(record) == [("red", "1"), ("blue", "3"), ("yellow", "1"), ("blue", "3"), ("blue", "3")]
    assert (record.game["winner"], record.game["capped"], record.game["rounds"]) == (0, 1, 3)
    record = game("1 1 2", "red Z5 / blue Z5 / yellow Z4", game_end="all_home").play()
    assert (record.game["capped"], record.game["turns"], record.game["turns_all"]) == (0, 1, 3)
    assert [seat["place"] for seat in record.seats] == [1, 2, 3]


def test_FQ18_slides_of_a_finished_player_stay() -> None:
    record = game("1 8 1", "red Z5 / blue 1 / yellow Z5", game_end="full_ranking").play()
    assert record.steps[1].text == "red H / blue 13 / yellow Z5"


def test_a_finishing_2_gives_no_card_where_play_goes_on() -> None:
    record = game("2 3 1", "red Z4 / blue 20 / yellow Z5", game_end="full_ranking").play()
    assert cards_by_color(record) == [("red", "2"), ("blue", "3"), ("yellow", "1")]


def test_lead_changes_at_round_ends() -> None:
    # To go at the round ends, red:yellow 45:47, 44:42, 43:46, 47:47, 46:44. The first leader is no change, a tie changes nothing.
    record = game("3 1 1 5 1 4 4 10 1 3 3", "red 20 / yellow 50", turn_cap=11, slides="off").play()
    ends = ["red 23 / yellow 51", "red 24 / yellow 56", "red 25 / yellow 52", "red 21 / yellow 51", "red 22 / yellow 54"]
    assert [step.text for step in record.steps][1::2] == ends
    assert record.game["lead_changes"] == 3


# -- the deck ------------------------------------------------------------------------------------------


def piles(cards: str, counts: dict[str, int], turns: int, **options: Any) -> tuple[list[str], int]:
    """The draw pile before each card of a game, and the number of reshuffles."""
    script = Script(cards)
    options |= {"deck_counts": {card: counts.get(card, 0) for card in CARDS}, "start_cards": ("8",), "turn_cap": turns}
    record = referee.play(Rules(**options), TWO, 0, script, last)
    return [" ".join(pile) for pile in script.piles], record.game["reshuffles"]


def test_H9_the_discards_become_the_pile_when_a_card_is_needed() -> None:
    assert piles("1 3 8 3", {"1": 1, "3": 1, "8": 1}, 4) == (["1 3 8", "3 8", "8", "1 3 8"], 1)
    assert piles("1 3 8", {"1": 1, "3": 1, "8": 1}, 3) == (["1 3 8", "3 8", "8"], 0)


def test_HQ23_the_2_in_the_reshuffle_it_causes() -> None:
    deck = {"2": 1, "3": 1, "8": 1}
    assert piles("3 8 2 8 3", deck, 4) == (["2 3 8", "2 8", "2", "2 3 8", "2 3"], 1)
    excluded = piles("3 8 2 3 8 3", deck, 5, card_in_play_in_reshuffle="excluded")
    assert excluded == (["2 3 8", "2 8", "2", "3 8", "8", "2 3 8"], 2)


def test_HQ23_reshuffle_when_the_last_card_is_taken() -> None:
    deck = {"1": 1, "8": 1}
    options = {"reshuffle_when": "when_last_taken"}
    assert piles("1 8 1", deck, 3, **options) == (["1 8", "8", "1 8"], 1)
    assert piles("1 8 8", deck, 2, **options) == (["1 8", "8"], 1)
    options["card_in_play_in_reshuffle"] = "excluded"
    assert piles("1 8 1 8", deck, 4, **options) == (["1 8", "8", "1", "8"], 3)
    assert piles("8 8", {"8": 1}, 2, **options) == (["8", "8"], 1)
    assert piles("3 8 2 3 8 3", {"2": 1, "3": 1, "8": 1}, 5, **options) == (["2 3 8", "2 8", "2", "3 8", "8", "2 3"], 2)


def test_drawing_with_replacement() -> None:
    assert piles("1 1 8 1", {"1": 1, "8": 1}, 4, draw="with_replacement") == (["1 8"] * 4, 0)
