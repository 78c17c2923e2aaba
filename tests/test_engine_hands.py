"""Hands of cards: numbers that are known exactly, chance, and what does not depend on what is played."""

from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest
from engine_replay import follow
from engine_tools import MIXED, Recorder, line_up, play
from numpy.typing import NDArray
from scipy import stats

from simsorry import rulesets
from simsorry.games import classic
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS

CHANCE = 1e-5
GAMES = 100_000
STARTERS = 9  # 1s and 2s among 45 cards
NUMBERS = ("1", "2")


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return Recorder()


def none_among(cards: int) -> float:
    """The chance of no 1 and no 2 among so many cards of the full deck."""
    return comb(45 - STARTERS, cards) / comb(45, cards)


def assert_share(found: NDArray[np.bool_], exact: float) -> None:
    assert stats.binomtest(int(found.sum()), found.size, exact).pvalue > CHANCE


# -- the first turn (all pawns on START) -----------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 3, 5, 7])
@pytest.mark.parametrize("players", [2, 4])
def test_a_first_hand_that_is_stuck(players: int, size: int) -> None:
    rows = play(Rules(hand_size=size, turn_cap=1), players, GAMES, seed=6)
    stuck = rows.game("dead_turns") == 1
    assert_share(stuck, none_among(size))
    assert (rows.game("throws") == stuck).all()
    # One card, or two of a value, leave nothing to choose; five others are never of one value.
    assert (rows.game("throw_choice_turns") == stuck)[stuck].all() == (size > 4)


def test_the_published_number() -> None:
    assert round(none_among(5), 4) == 0.3086


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_hand_of_every_seat(players: int) -> None:
    # Without Sorry! cards that start a pawn what others have done does not matter.
    rows = play(Rules(hand_size=5, start_cards=NUMBERS, turn_cap=players), players, GAMES, seed=7)
    first_start = rows.seat("first_start", players)
    for order in range(players):
        assert_share(first_start[:, order] == 1, 1 - none_among(5))
    assert_share((first_start < 0).all(axis=1), none_among(5 * players))


def test_hands_of_a_deck_that_is_never_used_up() -> None:
    rows = play(Rules(hand_size=5, draw="with_replacement", turn_cap=1), 2, GAMES, seed=8)
    assert_share(rows.game("dead_turns") == 1, 0.8**5)


def test_a_hand_skips_its_first_turn() -> None:
    options: dict[str, Any] = {"hand_size": 5, "start_cards": NUMBERS, "first_turn_dead_hand": "skip"}
    rows = play(Rules(**options, turn_cap=4), 4, 2000, seed=9)
    dead = rows.seat("dead_turns", 4) == 1
    assert dead.any(axis=0).all()
    assert (rows.game("throws") == 0).all()
    assert (rows.seat("draws", 4)[dead] == 0).all()


# -- chance ----------------------------------------------------------------------------------------------


def test_every_card_is_equally_likely_at_every_place_of_a_deal(recorder: Recorder) -> None:
    tables, policies = classic.compile_rules(Rules(hand_size=4, turn_cap=1), 3), line_up(3)
    dealt = np.array([recorder.record(tables, policies, 10, game).drawn[0][:12] for game in range(3000)])
    expected = np.array(list(Rules().deck_counts.counts.values())) * len(dealt) / 45
    assert min(stats.chisquare(np.bincount(cards, minlength=len(CARDS)), expected).pvalue for cards in dealt.T) > CHANCE


def thrown(recorder: Recorder, dead_hand: str) -> list[tuple[tuple[str, ...], str]]:
    """Hands of 3s and 5s of which nothing can be played, and what random players throw in."""
    counts = dict.fromkeys(CARDS, 0) | {"3": 20, "5": 10, "2": 1}
    rules = Rules(hand_size=4, dead_hand=dead_hand, deck_counts=counts, two_in_hand="none", turn_cap=1)
    tables, policies = classic.compile_rules(rules, 2), line_up(2)
    recordings = [recorder.record(tables, policies, 11, game) for game in range(2000)]
    found = [(recording.hands[0], int(recording.cards[0])) for recording in recordings if recording.kinds == ["throw"]]
    return [(tuple(CARDS[card] for card in hand), CARDS[card]) for hand, card in found if len(set(hand)) > 1]


@pytest.mark.parametrize("dead_hand", ["random", "choose"])
def test_FQ23_chance_throws_in_any_card_and_a_random_player_any_value(recorder: Recorder, dead_hand: str) -> None:
    hands = thrown(recorder, dead_hand)
    chances = np.array([hand.count("5") / 4 if dead_hand == "random" else 0.5 for hand, _ in hands])
    surplus = sum(card == "5" for _, card in hands) - chances.sum()
    assert len(hands) > 1000
    assert abs(surplus) < 4 * np.sqrt((chances * (1 - chances)).sum())


def test_FQ23_the_oldest_card_is_thrown_in(recorder: Recorder) -> None:
    hands = thrown(recorder, "oldest")
    assert len(hands) > 1000
    assert all(card == hand[0] for hand, card in hands)


@pytest.mark.parametrize("name", ["hasbro-points", "encyclopedia-five-cards"])
def test_the_cards_do_not_depend_on_what_is_done_with_them(recorder: Recorder, name: str) -> None:
    # Until the discards come back, which are what was played.
    rules = rulesets.load(name).rules
    tables = classic.compile_rules(rules, 3)
    for game in range(5):
        one, other = (recorder.record(tables, line_up(3, *weights), 3, game) for weights in ([{}], MIXED))
        assert one.drawn[0][:45] == other.drawn[0][:45]
        assert Counter(one.drawn[0][:45]) == Counter(dict(enumerate(rules.deck_counts.counts.values())))
        assert one.drawn[0][45:90] != other.drawn[0][45:90]


# -- the discards ----------------------------------------------------------------------------------------

TIGHT = {"deck_counts": dict.fromkeys(CARDS, 1) | {"1": 2, "2": 5, "12": 4}, "hand_size": 3, "pawns": 2, "turn_cap": 150}
FEW_LEFT = {"deck_counts": dict.fromkeys(CARDS, 1) | {"1": 2, "2": 9, "12": 4}, "hand_size": 4, "pawns": 2, "turn_cap": 150}
SKIPS = {"team_pairs": "opposite", "team_finished_player": "skips", "team_control": "own_only", "quick_start_pawns": 1}


@pytest.mark.parametrize("options", [TIGHT | {"two_followup_stuck": "discard_one"}, FEW_LEFT | SKIPS], ids=["thrown in", "teams"])
@pytest.mark.parametrize("refill", ["per_card", "end_of_turn", "when_empty"])
@pytest.mark.parametrize("excluded", ["included", "excluded"])
@pytest.mark.parametrize("when", ["on_draw_from_empty", "when_last_taken"])
def test_HQ23_the_referee_reshuffles_the_same(recorder: Recorder, when: str, excluded: str, refill: str, options: dict[str, Any]) -> None:
    reshuffles = 0
    for number in range(6):
        rules = Rules(reshuffle_when=when, card_in_play_in_reshuffle=excluded, hand_refill=refill, **options)
        reshuffles += follow(recorder, rules, 4, number).game["reshuffles"]
    assert reshuffles >= 12
