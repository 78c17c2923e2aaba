"""The referee of Sorreesi in whole turns worked out by hand: rolls, cards, bonus moves, penalties, the end of a game, counters."""

from typing import Any

import pytest
from referee.common import NOT_COUNTED
from referee.sorreesi import NOBODY, Game
from referee_sorreesi_tools import Played
from sorreesi_vectors import CASES, TEAMS

from simsorry.games.options import CARDS, COLORS
from simsorry.games.sorreesi.columns import GAME_COLUMNS, SEAT_COLUMNS
from simsorry.games.sorreesi.rules import Rules

NONE_IN_PLAY = "red B B / yellow B B"
BOTH_COLORS = TEAMS | {"team_control": "both_colors"}


def deck(**counts: int) -> dict[str, int]:
    """A deck of these cards only: ``deck(n2=1)`` is one 2."""
    return dict.fromkeys(CARDS, 0) | {name.removeprefix("n"): count for name, count in counts.items()}


def test_every_option_has_a_test() -> None:
    in_the_table = {option for case in CASES for option in case.options}
    here = {"pawns", "quick_start_pawns", "deck_counts", "draw", "resolution_order", "doubles_redraw", "doubles_bottoms", "third_double"}
    here |= {"triple_penalty_piece", "triple_penalty_exempt", "fight_bonus", "fight_bonus_to", "reshuffle_when"}
    here |= {"card_in_play_in_reshuffle", "game_end", "turn_cap", "head_starts"}
    told_by_the_caller = {"first_player", "seat_colors"}
    assert in_the_table | here | told_by_the_caller == Rules.model_fields.keys()


def test_every_column_is_counted() -> None:
    record = Played(NONE_IN_PLAY, [(1, 2)], "3").record
    assert record.game.keys() == {column.name for column in GAME_COLUMNS} - NOT_COUNTED
    assert record.seats[0].keys() == {column.name for column in SEAT_COLUMNS} - NOT_COUNTED


# -- set-up ----------------------------------------------------------------------------------------------


def nothing(*_: object) -> Any:
    raise AssertionError("nobody asks")


def new_game(**options: Any) -> Game:
    return Game(Rules(**options), COLORS, 0, roll=nothing, draw=nothing, fight=nothing, choose=nothing)


def test_S1_eight_pawns_each_in_the_base() -> None:
    assert new_game().board.text == " / ".join(f"{color}{8 * ' B'}" for color in COLORS)


def test_quick_start() -> None:
    game = new_game(pawns=3, quick_start_pawns=2)
    assert game.board.text == "red B 0 0 / blue B 17 17 / yellow B 34 34 / green B 51 51"
    assert [seat["first_start"] for seat in game.counters.seats.values()] == [0, 0, 0, 0]


@pytest.mark.parametrize(("counts", "cards"), [("deck_45", 45), ("deck_44", 44), ("deck_55", 55), (deck(n3=2, sorry=1), 3)])
def test_rulebook_1_4_decks(counts: Any, cards: int) -> None:
    assert len(Played(NONE_IN_PLAY, [(1, 2)], "3", deck_counts=counts).piles[0]) == cards


# -- the order of a turn -----------------------------------------------------------------------------------


def test_S2_roll_draw_move_and_clockwise() -> None:
    played = Played("red 20 H / blue B H / yellow B H", [(1, 2), (3, 4), (6, 3)], "3 8 7", "card 3 + die 1 + die 2", turns=3)
    assert played.kinds() == ["roll", "card", "play", "turn"]
    assert played.kinds("blue") == ["roll", "card", "discard", "turn"]
    assert [step.color for step in played.steps if step.kind == "turn"] == ["red", "blue", "yellow"]
    assert played.text == "red 26 H / blue B H / yellow B H"


def test_S5_S12_what_is_spent_is_gone() -> None:
    played = Played("red 20 H / yellow B B", [(1, 2)], "3", "die 2: red 22", "card 3: red 25", "stop")
    assert [step.pool.dice for step in played.steps] == [(), (1, 2), (1,), (1,), (1,), ()]
    assert [step.pool.card for step in played.steps] == [None, "3", "3", None, None, None]
    # Seven sums; then die, card and both; then die and stop.
    assert played.counted("passes", "dice_used", "cards_used", "hops", "choices", "outcomes") == [1, 1, 1, 0, 3, 12]


def test_SQ1_the_card_after_the_dice() -> None:
    played = Played("red 20 H / yellow B B", [(1, 2)], "3", "die 2: red 22", "stop", resolution_order="dice_then_card")
    assert played.kinds() == ["roll", "play", "stop", "card", "play", "turn"]
    assert played.text == "red 25 H / yellow B B"
    assert played.counted("choices", "both_turns", "hops") == [2, 1, 0]


def test_SQ1_a_second_roll_without_a_card_and_with_one() -> None:
    rolls, choices = [(1, 1), (1, 2)], ("die 1 + die 1: red 22", "die 1 + die 2: red 28")
    order = {"resolution_order": "dice_then_card"}
    played = Played("red 20 H / yellow B B", rolls, "3", *choices, **order)
    assert played.kinds() == ["roll", "play", "card", "play", "roll", "play", "turn"]
    played = Played("red 20 H / yellow B B", rolls, "3 8", *choices, doubles_redraw="dice_and_card", **order)
    assert played.kinds()[-5:] == ["roll", "play", "card", "play", "turn"]
    assert played.text == "red 36 H / yellow B B"


def test_SQ5_an_unplayable_card_is_discarded() -> None:
    played = Played("red P4 H / yellow B B", [(2, 6)], "3", "die 2: red P6")
    assert played.kinds() == ["roll", "card", "play", "discard", "turn"]
    assert played.game.deck.discards == ["3"]


# -- doubles -------------------------------------------------------------------------------------------------


def test_S7_doubles_roll_again_without_a_card() -> None:
    choices = ("die 5: red B 0", "die 5: red 0 0", "die 1 + die 2: red 3 8")
    played = Played(NONE_IN_PLAY, [(5, 5), (1, 2)], "8", *choices)
    assert played.kinds() == ["roll", "card", "play", "play", "play", "roll", "play", "turn"]
    assert played.text == "red 3 8 / yellow B B"
    assert played.counted("rolls", "doubles", "draws", "starts", "starts_dice", "start_turns", "hops") == [2, 1, 1, 2, 2, 1, 1]
    assert played.seat("red")["first_start"] == 1


def test_SQ7_doubles_with_another_card() -> None:
    choices = ("card 8 + die 1 + die 1: red 30", "card 3 + die 1 + die 2: red 36")
    played = Played("red 20 H / yellow B B", [(1, 1), (1, 2)], "8 3", *choices, doubles_redraw="dice_and_card")
    assert played.kinds() == ["roll", "card", "play", "roll", "card", "play", "turn"]


def test_SQ8_SQ29_a_bonus_lives_on_into_the_next_roll() -> None:
    choices = ("die 2: red 22 30", "card 8 + die 2: red 22 40", "stop", "bonus 20: red 40 42", "die 1 + die 2: red 40 45")
    played = Played("red 20 30 / yellow B 22", [(2, 2), (1, 2)], "8", *choices)
    assert played.text == "red 40 45 / yellow B B"
    assert played.counted("bonuses_earned", "bonuses_used", "bonuses_lost", "bumps", "passes") == [1, 1, 0, 1, 1]


def test_SQ9_bottoms() -> None:
    choices = ("card 12 + die 2 + die 2 + die 5 + die 5: red 46", "die 1 + die 2: red 49")
    played = Played("red 20 H / yellow B B", [(2, 2), (1, 2)], "12", *choices, doubles_bottoms=True)
    assert played.decisions[0].pool.dice == (2, 2, 5, 5)
    assert played.counted("dice_used", "hops") == [6, 2]


def test_SQ9_no_bottoms_with_a_pawn_in_the_base() -> None:
    choices = ("card 12 + die 2 + die 2: red B 36", "die 1 + die 3: red B 40")
    played = Played("red 20 B / yellow B B", [(2, 2), (1, 3)], "12", *choices, doubles_bottoms=True)
    assert played.decisions[0].pool.dice == (2, 2)


# -- the third double ------------------------------------------------------------------------------------------

THREE_DOUBLES = [(1, 1), (2, 2), (3, 3)]
TWO_MOVE = ("card 8 + die 1 + die 1: red 20 40", "die 2 + die 2: red 24 40")


def test_S8_the_pawn_moved_last_goes_back() -> None:
    played = Played("red 20 30 / yellow B B", THREE_DOUBLES, "8", *TWO_MOVE)
    assert played.kinds()[-3:] == ["roll", "penalty", "turn"]
    assert played.text == "red B 40 / yellow B B"
    assert played.counted("rolls", "doubles", "draws", "third_doubles", "penalties", "bumps") == [3, 3, 1, 1, 1, 0]
    assert (played.seat("red")["penalties"], played.seat("red")["bumps_taken"]) == (1, 0)


def test_SQ10_no_card_for_a_third_double() -> None:
    choices = ("card 8 + die 1 + die 1: red 30", "card 4: red 26", "die 2 + die 2: red 30")
    played = Played("red 20 H / yellow B B", THREE_DOUBLES, "8 4", *choices, doubles_redraw="dice_and_card")
    assert played.counted("rolls", "draws", "penalties", "backs") == [3, 2, 1, 1]
    assert played.text == "red B H / yellow B B"


def test_SQ10_a_third_double_is_played_first() -> None:
    played = Played("red 20 30 / yellow B B", THREE_DOUBLES, "8", *TWO_MOVE, "die 3 + die 3: red 24 46", third_double="play_then_penalty")
    assert played.kinds()[-4:] == ["roll", "play", "penalty", "turn"]
    assert played.text == "red B 24 / yellow B B"


def test_SQ10_open_bonuses_lapse() -> None:
    choices = ("card 8: red 28 H", "die 1 + die 1: red 30", "stop", "die 2 + die 2: red 34", "stop")
    played = Played("red 20 H / yellow B 28", THREE_DOUBLES, "8", *choices)
    assert played.text == "red B H / yellow B B"
    assert played.counted("bonuses_earned", "bonuses_lost") == [1, 1]


@pytest.mark.parametrize(("third", "asked"), [("lose_roll", 0), ("play_then_penalty", 1)])
def test_SQ10_SQ29_bonus_moves_at_the_end_of_a_turn_with_three_doubles(third: str, asked: int) -> None:
    choices = ["card 8: red 28 H", "die 1 + die 1: red 30", "die 2 + die 2: red 34"]
    choices += ["die 3 + die 3: red 40", "bonus 20: red 60"] * asked
    played = Played("red 20 H / yellow B 28", THREE_DOUBLES, "8", *choices, bonus_timing="end_of_turn", third_double=third)
    assert played.counted("bonuses_used", "bonuses_lost", "penalties") == [asked, 1 - asked, 1]
    assert played.text == "red B H / yellow B B"


def test_SQ11_a_pawn_HOME_is_exempt_and_the_next_most_recent_goes_back() -> None:
    choices = ("card 8 + die 1 + die 1: red B 30 P4", "die 2 + die 2: red B 30 H", "stop")
    played = Played("red B 20 P4 / yellow B B B", THREE_DOUBLES, "8", *choices)
    assert played.text == "red B B H / yellow B B B"


def test_SQ11_a_pawn_that_went_back_already() -> None:
    choices = ("card 8 + die 1 + die 1: red 20 50", "die 2 + die 2: red 24 50")
    played = Played("red 20 40 / yellow B 24", THREE_DOUBLES, "8", *choices, fights=[1, 6])
    assert played.text == "red B 50 / yellow B 24"
    assert played.counted("penalties", "fights", "fights_lost", "bumps_fight", "bumps") == [0, 1, 1, 1, 1]


def test_SQ11_nothing_has_moved() -> None:
    played = Played(NONE_IN_PLAY, THREE_DOUBLES, "8")
    assert played.counted("third_doubles", "penalties", "dead_turns", "forced_turns", "choice_turns") == [1, 0, 1, 0, 0]


def test_SQ11_the_own_half_of_a_swap_has_moved_and_the_other_has_not() -> None:
    choices = ("card 8 + die 1 + die 1: red 20 45", "die 2 + die 2: red 20 49", "card 11: red 30 49")
    played = Played("red 20 35 / yellow B 30", THREE_DOUBLES, "8 11", *choices, doubles_redraw="dice_and_card")
    assert played.text == "red B 49 / yellow B 20"


@pytest.mark.parametrize(("exempt", "text"), [("home", "red B 38"), ("home_and_path", "red B P6")])
def test_SQ11_the_private_path(exempt: str, text: str) -> None:
    choices = ("card 8: red 38 63", "die 1 + die 1: red 38 P2", "die 2 + die 2: red 38 P6")
    played = Played("red 30 63 / yellow B B", THREE_DOUBLES, "8", *choices, triple_penalty_exempt=exempt)
    assert played.text == f"{text} / yellow B B"


@pytest.mark.parametrize(("exempt", "text"), [("home", "red B B 38 H"), ("home_and_path", "red B B P5 H")])
def test_SQ11_the_pawn_closest_to_HOME(exempt: str, text: str) -> None:
    choices = ("card 8 + die 1 + die 1: red B 34 P5 H", "die 2 + die 2: red B 38 P5 H")
    options = {"triple_penalty_piece": "closest_to_home", "triple_penalty_exempt": exempt}
    played = Played("red B 24 P5 H / yellow B B B B", THREE_DOUBLES, "8", *choices, **options)
    assert played.text == f"{text} / yellow B B B B"


def test_SQ11_closest_to_HOME_without_having_moved() -> None:
    played = Played("red P5 H / yellow B B", [(4, 4), (6, 6), (4, 4)], "12", triple_penalty_piece="closest_to_home")
    assert played.text == "red B H / yellow B B"
    assert played.counted("dead_turns", "forced_turns", "penalties") == [0, 1, 1]


def test_SQ11_a_partners_pawn_that_the_player_has_moved() -> None:
    choices = ("card 8 + die 1 + die 1: red 30", "die 2 + die 2: red 30 H / blue B B / yellow 44")
    played = Played("red 20 H / blue B B / yellow 40 H / green B B", THREE_DOUBLES, "8", *choices, **BOTH_COLORS)
    assert played.text == "red 30 H / blue B B / yellow B H / green B B"
    assert (played.seat("red")["penalties"], played.seat("red")["partner_moves"], played.seat("yellow")["bumps_taken"]) == (1, 1, 0)


# -- a 2, and the piles ----------------------------------------------------------------------------------------


def test_SQ12_a_2_that_is_played_brings_another_card() -> None:
    played = Played("red 20 H / yellow B B", [(4, 6)], "2 8", "card 2 + die 4 + die 6: red 32")
    assert played.kinds() == ["roll", "card", "play", "card", "play", "turn"]
    assert played.counted("draws", "cards_used") == [2, 2]


def test_SQ12_a_2_that_nobody_can_play_brings_another_card() -> None:
    played = Played("red P7 H / yellow B B", [(4, 6)], "2 3")
    assert played.kinds() == ["roll", "card", "discard", "card", "discard", "turn"]


@pytest.mark.parametrize("when", ["if_played", "never"])
def test_SQ12_or_brings_none(when: str) -> None:
    played = Played("red P7 H / yellow B B", [(4, 6)], "2", two_draws_again=when)
    assert played.kinds() == ["roll", "card", "discard", "turn"]


def test_SQ12_after_stopping_the_roll_goes_on_with_the_dice_unspent() -> None:
    played = Played("red P7 B / yellow B B", [(1, 3)], "2 12", "stop", "die 1: red B H", start_cards=("1",))
    assert played.kinds() == ["roll", "card", "stop", "discard", "card", "play", "discard", "turn"]
    assert played.counted("passes", "bonuses_earned", "bonuses_lost") == [1, 1, 1]


def test_SQ12_before_the_time_for_bonus_moves() -> None:
    played = Played("red P7 B / yellow B B", [(1, 3)], "2 12", "die 1: red B H", start_cards=("1",), bonus_timing="end_of_roll")
    assert played.kinds() == ["roll", "card", "play", "discard", "card", "discard", "phase", "turn"]


def test_SQ12_in_a_phase_of_the_card_alone() -> None:
    played = Played("red P7 H / yellow B B", [(4, 6)], "2 3", resolution_order="dice_then_card")
    assert played.kinds() == ["roll", "card", "discard", "card", "discard", "turn"]


def test_SQ14_the_discards_become_the_new_pile() -> None:
    rolls = [(1, 2)] * 3
    played = Played(NONE_IN_PLAY, rolls, "3 3 3", turns=3, deck_counts=deck(n3=2))
    assert played.piles == [["3", "3"], ["3"], ["3", "3"]]
    assert played.counted("reshuffles") == [1]


@pytest.mark.parametrize(("when", "reshuffles"), [("on_draw_from_empty", 0), ("when_last_taken", 1)])
def test_SQ14_when_they_do(when: str, reshuffles: int) -> None:
    played = Played(NONE_IN_PLAY, [(1, 2)] * 2, "3 3", turns=2, deck_counts=deck(n3=2), reshuffle_when=when)
    assert played.counted("reshuffles") == [reshuffles]


@pytest.mark.parametrize(("two", "pile"), [("included", ["2", "3"]), ("excluded", ["3"])])
def test_SQ14_a_2_whose_further_card_is_drawn(two: str, pile: list[str]) -> None:
    choices = ("card 3 + die 1 + die 3: red 27", "card 2 + die 1 + die 3: red 27 H / yellow 46")
    options = {"deck_counts": deck(n2=1, n3=1), "card_in_play_in_reshuffle": two}
    played = Played("red 20 H / yellow 40 H", [(1, 3)] * 2, "3 2 3", *choices, turns=2, **options)
    assert sorted(played.piles[-1]) == pile
    assert sorted(played.game.deck.pile + played.game.deck.discards) == ["2", "3"]


def test_a_card_goes_back_at_once() -> None:
    played = Played(NONE_IN_PLAY, [(1, 2)] * 2, "3 3", turns=2, deck_counts=deck(n3=1, n8=1), draw="with_replacement")
    assert played.piles == [["3", "8"], ["3", "8"]]
    assert played.counted("reshuffles", "draws") == [0, 2]


def test_a_turn_without_end_is_cut_off() -> None:
    options = {"deck_counts": deck(n2=1, n3=1), "draw": "with_replacement", "start_cards": ("1",)}
    played = Played(NONE_IN_PLAY, [(1, 2)], "2 " * 10_000, turns=5, **options)
    assert played.counted("draws", "capped", "turns_all") == [10_000, 1, 1]


# -- bonus moves -------------------------------------------------------------------------------------------------

CAPTURE = ("die 2: red 22 30", "card 8 + die 2: red 22 40")


def test_SQ29_after_each_roll() -> None:
    choices = (*CAPTURE, "bonus 20: red 40 42", "die 1 + die 2: red 40 45")
    played = Played("red 20 30 / yellow B 22", [(2, 2), (1, 2)], "8", *choices, bonus_timing="end_of_roll")
    assert played.kinds() == ["roll", "card", "play", "play", "phase", "play", "roll", "play", "turn"]


def test_SQ29_after_each_roll_unused_ones_live_on() -> None:
    choices = (*CAPTURE, "stop", "die 1 + die 2: red 25 40", "bonus 20: red 40 45")
    played = Played("red 20 30 / yellow B 22", [(2, 2), (1, 2)], "8", *choices, bonus_timing="end_of_roll")
    assert played.kinds() == ["roll", "card", "play", "play", "phase", "stop", "roll", "play", "phase", "play", "turn"]


def test_SQ29_after_the_last_roll() -> None:
    choices = (*CAPTURE, "die 1 + die 2: red 25 40", "bonus 20: red 40 45")
    played = Played("red 20 30 / yellow B 22", [(2, 2), (1, 2)], "8", *choices, bonus_timing="end_of_turn")
    assert played.kinds() == ["roll", "card", "play", "play", "roll", "play", "phase", "play", "turn"]


def test_SQ29_dice_left_over_are_gone_by_then() -> None:
    choices = ("die 2: red 22", "card 3: red 25", "stop", "bonus 20: red 45")
    played = Played("red 20 H / yellow B 22", [(2, 4)], "3", *choices, bonus_timing="end_of_roll")
    assert played.decisions[-1].pool.dice == ()


def test_SQ31_a_bonus_move_earns_another() -> None:
    choices = ("card 3 + die 1 + die 2: red 26", "bonus 20: red 46 H H / yellow B B B", "stop")
    played = Played("red 20 H H / yellow B 26 46", [(1, 2)], "3", *choices, safe_squares=())
    assert played.counted("bonuses_earned", "bonuses_used", "bonuses_lost") == [2, 1, 1]


def test_S11_home_bonuses_are_counted_apart_and_spent_first() -> None:
    choices = ("card 3: red B 20 H", "bonus 20: red B 40", "die 1 + die 2: red B 43", "stop")
    played = Played("red P5 20 B / yellow B B 43", [(1, 2)], "3", *choices, home_bonus=20)
    assert played.counted("bonuses_earned", "home_bonuses_earned", "home_bonuses_used", "bonuses_lost") == [2, 1, 1, 1]


FOUGHT = "red 20 B / yellow B 24"


def test_SQ24_no_bonus_for_a_fight() -> None:
    choices = ("die 4: red B 24", "card 12 + die 6: red B 42")
    played = Played(FOUGHT, [(4, 6)], "12", *choices, fights=[6, 1])
    assert played.counted("bonuses_earned", "bumps_fight", "fights", "fights_lost", "multi_captures") == [0, 1, 1, 0, 0]
    assert (played.seat("red")["bumps_given"], played.seat("yellow")["bumps_taken"], played.seat("red")["fights"]) == (1, 1, 1)


def test_SQ24_a_bonus_for_the_player_who_wins() -> None:
    choices = ("die 4: red B 24", "card 12 + die 6: red B 42", "bonus 15: red B 57")
    played = Played(FOUGHT, [(4, 6)], "12", *choices, fights=[6, 1], fight_bonus=15)
    assert played.counted("bonuses_earned", "bonuses_used") == [1, 1]


def test_SQ24_not_for_another_winner() -> None:
    played = Played(FOUGHT, [(4, 6)], "12", "die 4: red B 24", fights=[1, 6], fight_bonus=15)
    assert played.text == "red B B / yellow B 24"
    assert played.counted("bonuses_earned", "fights_lost") == [0, 1]
    assert (played.seat("yellow")["bumps_given"], played.seat("red")["bumps_taken"], played.seat("yellow")["fights"]) == (1, 1, 0)


def test_SQ24_or_for_any_winner_to_be_used_in_the_next_turn() -> None:
    choices = ("die 4: red B 41", "bonus 15: red B B / yellow B 56", "card 3 + die 1 + die 2: red B B / yellow B 62")
    options = {"fight_bonus": 15, "fight_bonus_to": "any_winner"}
    played = Played("red 37 B / yellow B 41", [(4, 6), (1, 2)], "12 3", *choices, fights=[1, 6], turns=2, **options)
    assert [played.seat("yellow")[name] for name in ("bonuses_earned", "bonuses_used", "bonuses_lost")] == [1, 1, 0]
    choices = ("die 4: red B 41", "card 3 + die 1 + die 2: red B B / yellow B 47", "stop")
    played = Played("red 37 B / yellow B 41", [(4, 6), (1, 2)], "12 3", *choices, fights=[1, 6], turns=2, **options)
    assert [played.seat("yellow")[name] for name in ("bonuses_earned", "bonuses_used", "bonuses_lost")] == [1, 0, 1]


# -- fights within a move ------------------------------------------------------------------------------------------


def test_SQ35_the_fight_of_the_first_part_comes_before_the_second_part() -> None:
    choices = ("card 7: red 24 34", "die 3 + die 6: red B 33")
    played = Played("red 20 31 / yellow 24 34", [(6, 3)], "7", *choices, fights=[1, 6, 6, 1])
    assert [[fight.square for fight in step.fights] for step in played.steps if step.kind == "play"] == [[34, 24], []]
    assert played.text == "red B 33 / yellow B 34"
    assert played.counted("splits", "fights", "fights_lost") == [1, 2, 1]


def test_SQ35_a_second_part_lapses_if_the_fight_sends_its_pawn_back() -> None:
    options = BOTH_COLORS | {"fight_tie": "both_stay"}
    position = "red 20 H / blue B 24 / yellow 24 H / green B B"
    played = Played(position, [(6, 4)], "7", "card 7: red 24 H / blue B 24 / yellow 27 H", fights=[1, 6, 2], **options)
    assert played.text == "red B H / blue B 24 / yellow B H / green B B"
    assert played.counted("splits", "fights", "bumps_fight") == [1, 1, 2]
    assert [played.seat(color)["bumps_taken"] for color in COLORS] == [1, 0, 1, 0]
    assert (played.seat("blue")["bumps_given"], played.seat("red")["partner_moves"]) == (2, 1)


def test_SQ36_a_swapped_pawn_captures_for_its_own_seat() -> None:
    choices = ("card 11: red B 30 / yellow B 20", "die 3 + die 6: red B 39", "stop")
    played = Played("red 20 20 / yellow 30 30", [(3, 6)], "11", *choices, swap_requires_single=False)
    assert played.counted("bumps", "bonuses_earned", "swaps", "multi_captures") == [2, 1, 1, 0]
    assert [(seat["bumps_given"], seat["bumps_taken"]) for seat in played.record.seats] == [(1, 1), (1, 1)]


def test_SQ24_a_bonus_in_a_fight_of_three() -> None:
    options = {"fight_bonus": 15, "fight_bonus_to": "any_winner", "fight_tie": "both_stay"}
    played = Played("red 20 B / blue 24 B / yellow 24 B", [(4, 6)], "12", "die 4: red B 24", fights=[1, 6, 2], **options)
    assert played.text == "red B B / blue B 24 / yellow B B"
    assert [len(units) for units in played.game.kept.values()] == [0, 2, 0]
    assert played.seat("blue")["bonuses_earned"] == 2


# -- the end of a game ---------------------------------------------------------------------------------------------


def test_S13_the_winner_ends_the_game() -> None:
    played = Played("red P5 H / yellow 20 B", [(3, 4)], "8", "die 3: red H H", turns=5)
    assert played.counted("winner", "winner_color", "capped", "turns", "turns_all", "rounds", "homes") == [0, 0, 0, 1, 1, 1, 1]
    assert [seat["place"] for seat in played.record.seats] == [1, 2]
    assert [seat["won"] for seat in played.record.seats] == [1, 0]
    assert [seat["pips_left"] for seat in played.record.seats] == [0, 17 + 72]
    assert [seat["pawns_home"] for seat in played.record.seats] == [2, 0]


def test_SQ45_bonuses_open_at_the_end_are_neither_used_nor_lost() -> None:
    played = Played("red P4 P5 / yellow B B", [(3, 4)], "8", "die 3: red P4 H", "die 4: red H H", turns=5)
    assert played.counted("bonuses_earned", "bonuses_used", "bonuses_lost", "homes") == [1, 0, 0, 2]


def test_turn_cap() -> None:
    played = Played(NONE_IN_PLAY, [(1, 2), (1, 2)], "3 3", turns=2)
    assert played.counted("winner", "winner_color", "capped", "turns", "dead_turns") == [NOBODY, NOBODY, 1, 2, 2]
    assert [seat["place"] for seat in played.record.seats] == [1, 1]
    assert [seat["first_start"] for seat in played.record.seats] == [-1, -1]


ALL_NEAR = "red P7 H / blue P7 H / yellow B P7"


@pytest.mark.parametrize(("end", "players"), [("first_home", 1), ("full_ranking", 2), ("all_home", 3)])
def test_when_a_game_ends(end: str, players: int) -> None:
    rolls = [(1, 3)] * players
    choices = ["die 1: red H H", "die 1: red H H / blue H H", "die 1: red H H / blue H H / yellow B H"][:players]
    cap = {"first_home": 9, "full_ranking": 9, "all_home": 3}[end]
    played = Played(ALL_NEAR, rolls, "12 " * players, *choices, turns=cap, game_end=end)
    assert played.counted("winner", "turns", "turns_all", "capped") == [0, 1, players, int(end == "all_home")]
    assert [seat["place"] for seat in played.record.seats] == [1, 2, 3]


def test_unused_bonuses_are_lost_where_the_game_goes_on() -> None:
    choices = ("die 3: red P4 H", "die 4: red H H", "die 1: red H H / blue H H")
    played = Played("red P4 P5 / blue P7 H / yellow B B", [(3, 4), (1, 3)], "8 12", *choices, turns=5, game_end="full_ranking")
    assert played.counted("bonuses_earned", "bonuses_lost", "turns", "turns_all") == [1, 1, 1, 2]


def test_the_lead_changes_at_the_end_of_a_round() -> None:
    choices = ["card 3 + die 1 + die 2", "card 1 + die 1 + die 2", "card 1 + die 1 + die 2", "card 12 + die 3 + die 6"]
    choices += ["card 1 + die 1 + die 2"]
    rolls = [(1, 2), (1, 2), (1, 2), (6, 3), (1, 2)]
    played = Played("red 20 H / yellow 54 H", rolls, "3 1 1 12 1", *choices, turns=5)
    assert played.counted("rounds", "lead_changes") == [3, 1]


# -- teams ---------------------------------------------------------------------------------------------------------


def test_SQ42_a_finished_player_stops_at_once_and_takes_no_more_turns() -> None:
    position = "red P7 H / blue B B / yellow B B / green B B"
    played = Played(position, [(1, 1), *[(3, 6)] * 4], "12 12 12 12 8", turns=5, **TEAMS)
    assert [step.color for step in played.steps if step.kind == "turn"] == ["red", "blue", "yellow", "green", "blue"]
    assert played.kinds() == ["roll", "card", "play", "discard", "turn"]
    assert played.counted("bonuses_earned", "bonuses_lost", "rolls", "rounds", "winner") == [1, 1, 5, 2, NOBODY]


def test_SQ42_a_finished_player_draws_nothing_for_a_2() -> None:
    position = "red P6 H / blue B B / yellow B B / green B B"
    played = Played(position, [(3, 4)], "2", turns=1, **TEAMS)
    assert played.kinds() == ["roll", "card", "play", "turn"]


def test_SQ42_or_goes_on_with_the_partners_pawns() -> None:
    position = "red P7 H / blue B B / yellow 40 H / green B B"
    choices = ("die 1: red H H", "bonus 10: red H H / blue B B / yellow 50", "card 3 + die 2: red H H / blue B B / yellow 55")
    played = Played(position, [(1, 2)], "3", *choices, team_finished_player="plays_for_partner", **TEAMS)
    assert played.text == "red H H / blue B B / yellow 55 H / green B B"
    assert (played.seat("red")["partner_moves"], played.seat("red")["bonuses_used"]) == (2, 1)


def test_SQ41_the_team_wins_with_both() -> None:
    played = Played("red P7 H / blue B B / yellow H H / green B B", [(1, 3)], "12", "die 1", turns=9, **TEAMS)
    assert played.counted("winner", "capped") == [0, 0]
    assert [(seat["won"], seat["place"]) for seat in played.record.seats] == [(1, 1), (0, 2), (1, 1), (0, 2)]


def test_SQ41_or_with_the_first_of_them() -> None:
    position, choice = "red 20 H / blue B B / yellow P7 H / green B B", "die 1: red 20 H / blue B B / yellow H H"
    played = Played(position, [(1, 3)], "12", choice, team_win="first_member", **BOTH_COLORS)
    assert played.counted("winner", "winner_color", "capped", "home_bonuses_earned") == [0, 0, 0, 0]
    assert [seat["won"] for seat in played.record.seats] == [1, 0, 1, 0]


def test_SQ40_a_start_of_the_partners_pawn() -> None:
    position = "red H B / blue B B / yellow B B / green B B"
    played = Played(position, [(3, 4)], "1", "card 1: red B H / blue B B / yellow B 34", "die 3 + die 4", **BOTH_COLORS)
    red, yellow = played.seat("red"), played.seat("yellow")
    assert (red["starts"], red["first_start"], yellow["starts"], yellow["first_start"]) == (1, -1, 0, 1)
    assert played.counted("starts", "starts_dice", "start_turns") == [1, 0, 1]


def test_SQ44_a_partner_hit_by_a_Sorry() -> None:
    position = "red B H / blue B B / yellow 30 30 / green B B"
    played = Played(position, [(3, 4)], "sorry", "die 3 + die 4: red 37", team_sorry_target="any", **TEAMS)
    assert played.counted("partner_bumps", "bumps", "bumps_sorry", "bonuses_earned", "starts") == [2, 0, 0, 0, 0]
    assert (played.seat("red")["partner_bumps"], played.seat("yellow")["bumps_taken"]) == (2, 0)
    assert played.seat("red")["first_start"] == 1


# -- counters ------------------------------------------------------------------------------------------------------


def test_captures_by_a_Sorry() -> None:
    played = Played("red B H / yellow 30 30", [(3, 4)], "sorry", "die 3 + die 4: red 37", "stop")
    assert played.counted("bumps", "bumps_sorry", "bumps_fight", "multi_captures", "bonuses_earned", "bonuses_lost") == [2, 2, 0, 1, 2, 2]
    assert played.counted("starts", "start_turns") == [0, 0]


@pytest.mark.parametrize(
    ("position", "card", "choices", "kinds"),
    [
        ("red P7 20 / yellow B B", "12", ["die 1 + die 2: red 23 P7"], [0, 0, 1]),
        ("red P7 20 / yellow B B", "12", ["card 12 + die 1 + die 2: red 35 P7"], [0, 0, 1]),
        ("red P6 H / yellow B B", "12", ["die 1"], [1, 0, 0]),
        ("red B B / yellow B B", "1", ["die 1 + die 2"], [0, 0, 1]),
        ("red B B / yellow B B", "12", [], [0, 0, 0]),
    ],
)
def test_turns_by_what_is_used(position: str, card: str, choices: list[str], kinds: list[int]) -> None:
    """One turn with dice 1 and 2."""
    played = Played(position, [(1, 2)], card, *choices)
    assert played.counted("dice_turns", "card_turns", "both_turns") == kinds
