"""The draw pile: every card of a pass once, what is shuffled in when, and drawing like a spinner."""

import json
from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from simsorry import deck
from simsorry.games import classic
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS
from simsorry.jit import entry

U = np.uint64
TWO = CARDS.index("2")
FULL = Counter(dict(enumerate(Rules().deck_counts.counts.values())))


@entry
def draw_cards(tables, scratch, key, redraws, cards, left):  # type: ignore[no-untyped-def]
    """Draws cards from a full pile; ``redraws`` says of which cards another is drawn while they are in play."""
    r = tables[0]
    x = scratch[0]
    deck.fill(r, x)
    x.draws = U(0)
    x.reshuffles = 0
    in_play = U(0)
    for i in range(cards.size):
        card = deck.draw(r, x, key, in_play)
        in_play = redraws[card]
        cards[i] = card
        left[i] = x.left


@lru_cache
def compiled(options: str) -> NDArray[Any]:
    return classic.compile_rules(Rules(**json.loads(options)), 2)


class Drawn:
    """Cards drawn under some rules, and how many were left after each."""

    def __init__(self, count: int, *, key: int = 1, redraw: tuple[int, ...] = (), **options: Any) -> None:
        self.tables = compiled(json.dumps(options))
        self.scratch = classic.new_scratch()
        self.cards, self.left = np.zeros(count, np.int64), np.zeros(count, np.int64)
        redraws = np.zeros(16, np.uint64)
        redraws[list(redraw)] = 1
        draw_cards(self.tables, self.scratch, U(key), redraws, self.cards, self.left)

    @property
    def reshuffles(self) -> int:
        return int(self.scratch[0]["reshuffles"])

    def passes(self, size: int) -> list[Counter[int]]:
        return [Counter(self.cards[begin : begin + size].tolist()) for begin in range(0, len(self.cards), size)]


def test_H9_every_card_of_a_pass_comes_once() -> None:
    drawn = Drawn(45 * 6)
    assert drawn.passes(45) == [FULL] * 6
    assert drawn.left.tolist() == [*range(44, -1, -1)] * 6
    assert drawn.reshuffles == 5  # the last pile has just run out


def test_a_deck_of_other_counts() -> None:
    counts = {"1": 3, "7": 2, "sorry": 1}
    drawn = Drawn(60, deck_counts=dict.fromkeys(CARDS, 0) | counts)
    assert drawn.passes(6) == [Counter({CARDS.index(card): count for card, count in counts.items()})] * 10


def test_the_k_th_word_decides_the_k_th_card() -> None:
    # Cards do not depend on what else is drawn for: more cards of a stream begin with the same ones.
    assert Drawn(200).cards[:50].tolist() == Drawn(50).cards.tolist()
    assert Drawn(50).cards.tolist() != Drawn(50, key=2).cards.tolist()


def test_passes_are_in_different_orders() -> None:
    drawn = Drawn(45 * 4).cards.reshape(4, 45)
    assert len({tuple(order) for order in drawn.tolist()}) == 4


def test_every_card_is_equally_likely_at_every_place() -> None:
    by_place = Drawn(45 * 4000).cards.reshape(-1, 45).T
    expected = np.array([FULL[card] for card in range(len(CARDS))]) * 4000 / 45
    assert min(stats.chisquare(np.bincount(cards, minlength=len(CARDS)), expected).pvalue for cards in by_place) > 1e-6


def test_a_card_says_nothing_about_the_same_place_of_the_next_pass() -> None:
    drawn = Drawn(45 * 4000).cards.reshape(-1, 45)
    table = np.zeros((len(CARDS), len(CARDS)))
    np.add.at(table, (drawn[:-1].ravel(), drawn[1:].ravel()), 1)
    assert stats.chi2_contingency(table).pvalue > 1e-6


def test_drawing_with_replacement() -> None:
    drawn = Drawn(90_000, draw="with_replacement")
    assert (drawn.left == 45).all()
    assert drawn.reshuffles == 0
    expected = np.array([FULL[card] for card in range(len(CARDS))]) * len(drawn.cards) / 45
    assert stats.chisquare(np.bincount(drawn.cards, minlength=len(CARDS)), expected).pvalue > 1e-6
    repeats = (drawn.cards[1:] == drawn.cards[:-1]).mean()
    assert abs(repeats - sum(count**2 for count in FULL.values()) / 45**2) < 0.005


def test_HQ23_the_2_that_empties_the_pile_is_shuffled_in() -> None:
    drawn = Drawn(45 * 8, redraw=(TWO,))
    assert drawn.passes(45) == [FULL] * 8


def emptied_by_a_2(**options: Any) -> Drawn:
    """Draws in which a 2, which draws again, is the last card of the first pile."""
    for key in range(1000):
        drawn = Drawn(45 * 3, key=key, redraw=(TWO,), **options)
        if drawn.cards[44] == TWO:
            return drawn
    raise AssertionError("no 2 was ever the last card")


def test_HQ23_excluded_keeps_the_2_in_play_out_of_the_pile_it_draws_from() -> None:
    drawn = emptied_by_a_2(card_in_play_in_reshuffle="excluded")
    assert drawn.left[45] == 43
    assert Counter(drawn.cards[45:89].tolist()) == FULL - Counter([TWO])


def test_HQ23_excluded_keeps_no_card_out_that_is_done_with() -> None:
    drawn = next(found for key in range(100) if (found := Drawn(90, key=key, card_in_play_in_reshuffle="excluded")).cards[44] != TWO)
    assert drawn.passes(45) == [FULL] * 2


def test_HQ23_when_the_last_card_is_taken() -> None:
    drawn = Drawn(45 * 3, reshuffle_when="when_last_taken")
    assert drawn.passes(45) == [FULL] * 3
    assert drawn.left[[43, 44, 45]].tolist() == [1, 45, 44]
    assert drawn.reshuffles == 3


def test_HQ23_when_the_last_card_is_taken_it_stays_out() -> None:
    drawn = Drawn(45 + 44 * 3, reshuffle_when="when_last_taken", card_in_play_in_reshuffle="excluded")
    assert Counter(drawn.cards[:45].tolist()) == FULL
    held = drawn.cards[44]
    for begin in (45, 89, 133):
        one_pass = drawn.cards[begin : begin + 44]
        assert Counter(one_pass.tolist()) == FULL - Counter([int(held)])
        held = one_pass[-1]
    assert drawn.left[[44, 45, 88, 89]].tolist() == [44, 43, 44, 43]


def test_HQ23_a_2_stays_out_too_while_its_card_is_the_last_one_taken() -> None:
    # Rulebook 13.6: it joins the discards only after its redraw, and that redraw is what empties the pile.
    options = {"reshuffle_when": "when_last_taken", "card_in_play_in_reshuffle": "excluded"}
    for key in range(1000):
        drawn = Drawn(45 + 43, key=key, redraw=(TWO,), **options)
        if drawn.cards[43] == TWO and drawn.cards[44] != TWO:
            break
    assert drawn.left[44] == 43
    assert Counter(drawn.cards[45:].tolist()) == FULL - Counter(drawn.cards[43:45].tolist())


def test_a_single_card() -> None:
    counts = dict.fromkeys(CARDS, 0) | {"1": 1}
    for when, in_play in [("on_draw_from_empty", "included"), ("when_last_taken", "included"), ("when_last_taken", "excluded")]:
        drawn = Drawn(5, deck_counts=counts, reshuffle_when=when, card_in_play_in_reshuffle=in_play)
        assert drawn.cards.tolist() == [0] * 5


def whole_deck(drawn: Drawn) -> NDArray[np.uint8]:
    return drawn.scratch[0]["deck"][:45]


@pytest.mark.parametrize("count", [0, 1, 44, 45, 46, 77])
def test_the_record_always_holds_the_whole_deck(count: int) -> None:
    assert Counter(whole_deck(Drawn(count)).tolist()) == FULL
