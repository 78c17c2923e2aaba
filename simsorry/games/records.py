"""Rules as a record for the kernel: what the records of all games have in common is filled in the same way."""

from collections.abc import Iterable
from typing import Any

from simsorry.games.options import CARDS, COLORS

NO_SEAT = 4  # in place of the table seat of a color that nobody plays

_MASK = (1 << 64) - 1


def _mix(z: int) -> int:
    """SplitMix64's finishing mix in plain Python."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def random_words(n: int) -> list[int]:
    """As many random 64-bit words, always the same, for a table of keys."""
    return [_mix((0x9E3779B97F4A7C15 * (number + 1)) & _MASK) for number in range(n)]


def packed(numbers: Iterable[int], rest: int = 0) -> int:
    """Up to eight small numbers as the bytes of one word, the lowest first; the bytes left over hold ``rest``."""
    given = [int(number) for number in numbers]
    return sum(number << (8 * lane) for lane, number in enumerate(given + [rest] * (8 - len(given))))


def fill_scalars(record: Any, scalars: dict[str, Any]) -> None:
    """Writes numbers and yes-or-no options down by name."""
    for name, value in scalars.items():
        record[name] = int(value)


def fill_deck_and_seats(record: Any, rules: Any, seated: tuple[str, ...]) -> None:
    """Writes down the deck (``deck``, ``deck_size``), and which color sits where (``seat_color``, ``color_seat``)."""
    counts = rules.deck_counts.counts
    deck = [number for number, card in enumerate(CARDS) for _ in range(counts[card])]
    record["deck_size"] = len(deck)
    record["deck"][: len(deck)] = deck
    record["seat_color"][: len(seated)] = [COLORS.index(color) for color in seated]
    record["color_seat"] = [seated.index(color) if color in seated else NO_SEAT for color in COLORS]
