"""The cards: a draw pile and a discard pile."""

from collections.abc import Callable

from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS

Draw = Callable[[list[str]], str]  # picks the card that comes, from the cards of the draw pile


class Deck:
    """A draw pile and a discard pile, as lists of card names."""

    def __init__(self, rules: Rules, draw: Draw) -> None:
        self.rules = rules
        self._pick = draw
        counts = rules.deck_counts.counts
        self.pile = [card for card in CARDS for _ in range(counts[card])]
        self.discards: list[str] = []
        self.reshuffles = 0
        self._already_back = False  # the card in play went into the new pile when it was taken

    def take(self) -> str | None:
        """The next card, if one is to be had."""
        if not self.pile:
            self._reshuffle()
        if not self.pile:
            return None
        card = self._pick(list(self.pile))
        if self.rules.draw == "with_replacement":
            return card
        self.pile.remove(card)
        self._already_back = False
        if not self.pile and self.rules.reshuffle_when == "when_last_taken":
            self._reshuffle_at_once(card)
        return card

    def _reshuffle(self) -> None:
        if self.discards:
            self.pile, self.discards = self.discards, []
            self.reshuffles += 1

    def _reshuffle_at_once(self, card: str) -> None:
        if not self.rules.hand_size and self.rules.card_in_play_in_reshuffle == "included":
            self.discards.append(card)
            self._already_back = True
        self._reshuffle()

    def lay_down(self, card: str) -> None:
        """Puts a card that has been used on the discard pile."""
        if self.rules.draw == "without_replacement" and not self._already_back:
            self.discards.append(card)
