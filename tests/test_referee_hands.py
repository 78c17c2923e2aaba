"""The referee with hands of cards: hand-worked decisions, and turns, discards and draws worked out by hand."""

from typing import Any

import pytest
from classic_hand_vectors import CASES, HandCase, check_hand, named, written
from referee import classic as referee
from referee.classic import Decision, Game, Record
from referee_tools import Script, plan

from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS

FAR = "red 20 / yellow 40"  # both can play any forward card
STUCK = "red Z5 / yellow Z5"  # nobody can play anything but a 1, a 4 or a 10

# -- decisions -------------------------------------------------------------------------------------------


def decide(case: HandCase) -> Decision:
    """The referee's decision for a case of the table."""
    position, hand = referee.read_position(case.position), case.hand.split()
    more: dict[str, Any] = {"followup": case.followup, "drawn": case.drawn, "first_turn": case.first_turn}
    return referee.hand_outcomes(Rules(**case.options), case.players, 0, position, hand, **more)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_hand_worked(case: HandCase) -> None:
    decision = decide(case)
    found = [written(case, choice.card, choice.kind, choice.text) for choice in decision.choices]
    check_hand(case, found, decision.compulsory)
    assert decision.cards == tuple(case.hand.split())


# -- games that stand somewhere --------------------------------------------------------------------------


def begun(cards: str, position: str, *choices: str, **options: Any) -> Game:
    """A game with hands of two that stands at a position; the first cards are dealt, and the first group moves, once."""
    places = referee.read_position(position)
    settings = {"pawns": len(next(iter(places.values()))), "draw": "with_replacement", "turn_cap": 1, "hand_size": 2}
    return Game(Rules(**settings | options), tuple(places), 0, Script(cards), plan(*choices), throw=second, position=places)


def second(hand: list[str]) -> str:
    """What chance throws in here."""
    return hand[1]


def played(cards: str, position: str, *choices: str, **options: Any) -> Record:
    """The same, played; fails unless all of the cards have come."""
    game = begun(cards, position, *choices, **options)
    record = game.play()
    assert script_of(game).left == []
    return record


def script_of(game: Game) -> Script:
    assert isinstance(game.caller.draw, Script)
    return game.caller.draw


def course(record: Record) -> list[str]:
    """Who did what with which hand before."""
    return [" ".join([step.color, step.kind, step.card or "nothing", "of", *step.hand]) for step in record.steps]


def counted(record: Record, names: str) -> list[int]:
    """The counters of the game that are named."""
    return [record.game[name] for name in names.split()]


# -- cards dealt, played and replaced --------------------------------------------------------------------


def test_F40_the_deal_goes_round_from_the_first_player() -> None:
    rules = Rules(pawns=1, hand_size=2, two_in_hand="none", turn_cap=3)
    script = Script("1 2 3 4 5 7 8 10 11")
    record = referee.play(rules, ("red", "blue", "yellow"), 1, script, plan("throw 3"))
    assert course(record) == ["blue play 1 of 1 4", "yellow play 2 of 2 5", "red throw 3 of 3 7"]
    assert script.left == []
    assert script.piles[0] == sorted(card for card in CARDS for _ in range(5 if card == "1" else 4))
    assert [len(pile) for pile in script.piles] == [45, 44, 43, 42, 41, 40, 39, 38, 37]


def test_F41_a_card_that_was_played_is_replaced() -> None:
    record = played("3 5 5 5 8 1 2", FAR, "3", "5", turn_cap=3)
    assert course(record) == ["red play 3 of 3 5", "yellow play 5 of 5 5", "red play 5 of 5 8"]
    assert record.steps[-1].text == "red 28 / yellow 45"


def test_F42_a_card_that_was_thrown_in_is_replaced_and_the_turn_ends() -> None:
    record = played("3 5 8 5 3 5 12 12 12", STUCK, "throw 3", "throw 8", hand_size=3, turn_cap=3)
    assert course(record) == ["red throw 3 of 3 8 3", "yellow throw 5 of 5 5 5", "red throw 8 of 8 3 12"]  # the oldest 3 has gone
    assert record.steps[-1].text == STUCK


def test_FQ23_chance_or_age_says_what_is_thrown_in() -> None:
    assert course(played("3 5 8 5 1", STUCK, dead_hand="random")) == ["red throw 8 of 3 8"]
    assert course(played("8 5 3 5 1", STUCK, dead_hand="oldest")) == ["red throw 8 of 8 3"]


def test_FQ19_a_2_brings_another_card() -> None:
    record = played("2 5 3 5 8 1", FAR, "2", "3")
    assert course(record) == ["red play 2 of 2 3", "red play 3 of 3 8"]
    assert counted(record, "turns_all draws forced_turns choice_turns choices") == [1, 2, 0, 1, 2]


def test_FQ19_a_2_brings_the_card_that_is_drawn() -> None:
    record = played("2 5 3 5 8 1", FAR, "2", two_in_hand="play_drawn")
    assert course(record) == ["red play 2 of 2 3", "red play 8 of 3 8"]
    assert record.steps[-1].text == "red 30 / yellow 40"
    again = played("2 5 3 5 2 8 1", FAR, "2", two_in_hand="play_drawn")
    assert course(again) == ["red play 2 of 2 3", "red play 2 of 3 2", "red play 8 of 3 8"]


def test_FQ19_a_2_brings_nothing() -> None:
    assert course(played("2 5 3 5 8", FAR, "2", two_in_hand="none")) == ["red play 2 of 2 3"]


def test_a_2_that_is_thrown_in_brings_nothing() -> None:
    assert course(played("2 5 3 5 1", STUCK, "throw 2")) == ["red throw 2 of 2 3"]


def test_a_2_laid_down_idle_brings_a_card() -> None:
    record = played("2 5 3 5 1", STUCK, "idle 2", two_playable_idle=True)
    assert course(record) == ["red idle 2 of 2 3", "red play 1 of 3 1"]
    assert counted(record, "draws dead_turns choice_turns throws passes winner") == [2, 0, 1, 0, 0, 0]
    stuck = played("2 5 3 5 12", STUCK, "idle 2", two_playable_idle=True)
    assert course(stuck) == ["red idle 2 of 2 3"]
    assert counted(stuck, "draws dead_turns choice_turns throw_choice_turns throws") == [1, 1, 1, 0, 0]


def test_FQ20_the_hand_is_filled_up_at_the_end_of_the_turn() -> None:
    record = played("2 5 3 5 8 1", FAR, "2", hand_refill="end_of_turn")
    assert course(record) == ["red play 2 of 2 3", "red play 3 of 3"]
    drawn = played("2 5 3 5 8 1", FAR, "2", hand_refill="end_of_turn", two_in_hand="play_drawn")
    assert course(drawn) == ["red play 2 of 2 3", "red play 8 of 3 8"]
    thrown = played("2 5 8 5 1 3", "red Z3 / yellow Z5", hand_refill="end_of_turn", two_followup_stuck="discard_one")
    assert course(thrown) == ["red play 2 of 2 8", "red throw 8 of 8"]


def test_FQ20_the_hand_is_filled_up_when_it_is_empty() -> None:
    record = played("2 5 3 5 8 1", FAR, "2", hand_refill="when_empty")
    assert course(record) == ["red play 2 of 2 3", "red play 3 of 3"]
    two_turns = played("1 5 3 5 8 12", FAR, "1", turn_cap=3, hand_refill="when_empty")
    assert course(two_turns) == ["red play 1 of 1 3", "yellow play 5 of 5 5", "red play 3 of 3"]
    thrown = played("8 5 3 5 1 2", STUCK, "throw 8", turn_cap=3, hand_refill="when_empty")
    assert course(thrown) == ["red throw 8 of 8 3", "yellow throw 5 of 5 5", "red throw 3 of 3"]
    drawn = played("2 5 3 5 8", FAR, "2", hand_refill="when_empty", two_in_hand="play_drawn")
    assert course(drawn) == ["red play 2 of 2 3", "red play 8 of 3 8"]


def test_an_empty_hand_brings_no_further_card() -> None:
    record = played("2 5 8", FAR, hand_size=1, hand_refill="end_of_turn")
    assert course(record) == ["red play 2 of 2"]


def test_IQ22_a_hand_that_is_stuck_after_a_2() -> None:
    record = played("2 5 8 5 3", "red Z3 / yellow Z5")
    assert course(record) == ["red play 2 of 2 8"]
    assert counted(record, "draws dead_turns forced_turns throws") == [1, 0, 1, 0]
    record = played("2 5 8 5 3 1", "red Z3 / yellow Z5", "throw 3", two_followup_stuck="discard_one")
    assert course(record) == ["red play 2 of 2 8", "red throw 3 of 8 3"]
    assert counted(record, "draws dead_turns forced_turns choice_turns throw_choice_turns throws") == [2, 0, 0, 1, 1, 1]


def test_declining_what_could_follow_a_2() -> None:
    record = played("2 5 11 5 12", "red 56 / yellow 20", "2", "pass")
    assert course(record) == ["red play 2 of 2 11", "red pass nothing of 11 12"]
    assert counted(record, "draws passes choices dead_turns choice_turns throw_choice_turns throws") == [1, 1, 2, 0, 1, 0, 0]


def test_FQ3_a_blocked_card_is_replaced_and_the_turn_ends() -> None:
    record = played("3 5 3 5 1", "red 20 23 / yellow 40 50", "blocked 3", own_collision="ends_turn")
    assert course(record) == ["red blocked 3 of 3 3"]
    assert counted(record, "draws dead_turns choice_turns forced_turns") == [1, 1, 1, 0]
    record = played("2 5 2 5 1", "red 20 22 / yellow 40 50", "blocked 2", own_collision="ends_turn")
    assert course(record) == ["red blocked 2 of 2 2"]


def test_nothing_is_thrown_in_in_the_first_turn() -> None:
    record = played("8 5 3 5 1", STUCK, "throw 8", turn_cap=3, first_turn_dead_hand="skip")
    assert course(record) == ["red throw 8 of 8 3"]
    assert counted(record, "turns_all draws dead_turns choice_turns") == [3, 1, 3, 1]


def test_HQ5_who_finishes_with_a_2_plays_no_other_card() -> None:
    record = played("2 5 8 5", "red Z4 / yellow 40")
    assert course(record) == ["red play 2 of 2 8"]
    assert counted(record, "winner draws capped") == [0, 1, 0]


def test_FQ18_the_hand_of_who_finishes_goes_to_the_discards() -> None:
    game = begun("1 3 3 8 5 5", "red Z5 / blue 20 / yellow 40", game_end="full_ranking", draw="without_replacement")
    record = game.play()
    assert course(record) == ["red play 1 of 1 8"]
    assert game.rounds[0].hands == {"red": [], "blue": ["3", "5"], "yellow": ["3", "5"]}
    assert game.rounds[0].deck.discards == ["1", "8"]


# -- what is counted -------------------------------------------------------------------------------------


def test_thrown_cards_are_counted() -> None:
    names = "draws throws dead_turns choice_turns throw_choice_turns choices outcomes passes"
    assert counted(played("3 5 8 5 1", STUCK, "throw 3"), names) == [1, 1, 1, 1, 1, 1, 2, 0]
    assert counted(played("3 5 3 5 1", STUCK), names) == [1, 1, 1, 0, 0, 0, 0, 0]
    assert counted(played("11 5 12 5 1", "red 58 / yellow 20", "throw 12"), names) == [1, 1, 1, 1, 0, 1, 3, 0]
    assert counted(played("11 5 12 5 1", "red 58 / yellow 20", "11"), names) == [1, 0, 0, 1, 0, 1, 3, 0]


def test_thrown_cards_are_counted_by_seat() -> None:
    record = played("3 5 8 5 1 1", STUCK, "throw 3", turn_cap=2)
    by_seat = [[seat[name] for name in ("throws", "draws", "dead_turns", "choice_turns", "turns")] for seat in record.seats]
    assert by_seat == [[1, 1, 1, 1, 1], [1, 1, 1, 0, 1]]


# -- the deck --------------------------------------------------------------------------------------------


def deck_of(counts: dict[str, int]) -> dict[str, int]:
    """A deck of few cards."""
    return {card: counts.get(card, 0) for card in CARDS}


def piles(cards: str, counts: dict[str, int], position: str, *choices: str, **options: Any) -> tuple[list[str], int]:
    """The draw pile before each card, the deal included, and the number of reshuffles, in a game with hands of one card."""
    options = {"deck_counts": deck_of(counts), "start_cards": ("2", "8"), "hand_size": 1, "draw": "without_replacement"} | options
    game = begun(cards, position, *choices, **options)
    record = game.play()
    assert script_of(game).left == []
    return [" ".join(pile) for pile in script_of(game).piles], record.game["reshuffles"]


def test_HQ23_the_played_card_in_the_reshuffle_it_causes() -> None:
    deck, two_turns = {"3": 2, "8": 1}, {"turn_cap": 2}
    assert piles("3 3 8 3", deck, FAR, **two_turns) == (["3 3 8", "3 8", "8", "3 3"], 1)
    assert piles("3 3 8 3", deck, FAR, **two_turns, card_in_play_in_reshuffle="excluded") == (["3 3 8", "3 8", "8", "3"], 1)


def test_HQ23_a_card_thrown_in_takes_part_in_any_case() -> None:
    deck, two_turns = {"3": 2, "8": 1}, {"turn_cap": 2}
    assert piles("3 3 8 3", deck, STUCK, **two_turns, card_in_play_in_reshuffle="excluded") == (["3 3 8", "3 8", "8", "3 3"], 1)


def test_HQ23_reshuffle_when_the_last_card_is_taken() -> None:
    deck, options = {"3": 2, "8": 1}, {"turn_cap": 2, "reshuffle_when": "when_last_taken"}
    assert piles("3 3 8 3", deck, FAR, **options) == (["3 3 8", "3 8", "8", "3"], 2)
    assert piles("3 3 8 3", deck, FAR, **options, card_in_play_in_reshuffle="excluded") == (["3 3 8", "3 8", "8", "3"], 1)


def test_HQ23_cards_of_a_turn_in_the_refill_at_its_end() -> None:
    deck, options = {"2": 1, "3": 2, "8": 1}, {"hand_size": 2, "hand_refill": "end_of_turn"}
    dealt = ["2 3 3 8", "3 3 8", "3 8", "8"]
    assert piles("2 3 3 8 2 3", deck, FAR, "2", **options) == ([*dealt, "2 3", "3"], 1)
    assert piles("2 3 3 8", deck, FAR, "2", **options, card_in_play_in_reshuffle="excluded") == (dealt, 0)


@pytest.mark.parametrize("two_in_hand", ["play_another", "play_drawn"])
def test_where_no_card_is_to_be_had(two_in_hand: str) -> None:
    options = {"two_in_hand": two_in_hand, "card_in_play_in_reshuffle": "excluded", "turn_cap": 4}
    # Nothing can be drawn in place of the card that is kept out; an empty hand is filled up at the end of the turn, with that card.
    game = begun("2 3 2 3 2 3", FAR, deck_counts=deck_of({"2": 1, "3": 1}), draw="without_replacement", hand_size=1, **options)
    record = game.play()
    assert course(record) == ["red play 2 of 2", "yellow play 3 of 3"] * 2
    assert counted(record, "turns_all draws dead_turns reshuffles") == [4, 4, 0, 4]
    assert script_of(game).left == []


def test_drawing_with_replacement() -> None:
    record = played("3 3 3 3 3 3", FAR, turn_cap=2, deck_counts=deck_of({"2": 1, "3": 1}))
    assert counted(record, "draws reshuffles") == [2, 0]
