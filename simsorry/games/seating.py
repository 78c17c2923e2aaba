"""Who sits where: what every game's options say of seats and teams, worked out the same way."""

from collections.abc import Sequence
from typing import Any

from simsorry.errors import SimsorryError
from simsorry.games.options import COLORS

DEFAULT_SEATS = {2: ("red", "yellow"), 3: ("red", "blue", "yellow"), 4: COLORS}  # HQ2, rulebook 13.5


def seated(rules: Any, players: int) -> tuple[str, ...]:
    """The color of each table seat; raises SimsorryError where the ruleset does not fit the number of players."""
    if players not in DEFAULT_SEATS:
        raise SimsorryError(f"players = {players} is not possible: the game is for 2, 3 or 4")
    if rules.team_pairs and players != len(COLORS):
        raise SimsorryError(f"players = {players} is not possible: these rules have two teams (team_pairs), and so four players")
    chosen: tuple[str, ...] = rules.seat_colors
    if chosen and len(chosen) != players:
        raise SimsorryError(f"seat_colors names {len(chosen)} colors ({', '.join(chosen)}) but players = {players}")
    if len(rules.head_starts) > players:
        raise SimsorryError(f"head_starts = {list(rules.head_starts)} names a seat {len(rules.head_starts)}, but players = {players}")
    return chosen or DEFAULT_SEATS[players]


def seated_with_hands(rules: Any, players: int) -> tuple[str, ...]:
    """The same for a game with hands; refuses those that the deck has too few cards for."""
    colors = seated(rules, players)
    deck = sum(rules.deck_counts.counts.values())
    if rules.hand_size * players > deck and rules.draw == "without_replacement":
        raise SimsorryError(f"hand_size = {rules.hand_size} is too much for {players} players: the deck has {deck} cards")
    return colors


def partners(pairs: Sequence[tuple[str, str]]) -> list[int]:
    """By color: how many colors clockwise the partner's is; 0 without teams."""
    partner = [0] * len(COLORS)
    for one, other in pairs:
        here, there = COLORS.index(one), COLORS.index(other)
        partner[here], partner[there] = (there - here) % len(COLORS), (here - there) % len(COLORS)
    return partner
