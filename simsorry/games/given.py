"""What people and recorded decision points give of a question to a game, read and checked the same way for every game."""

from collections.abc import Mapping, Sequence
from typing import Any

from simsorry.errors import SimsorryError
from simsorry.games.options import CARDS, COLORS
from simsorry.toml import brief, closest


def checked_players(players: Sequence[str]) -> tuple[str, ...]:
    """The players, if they are two to four different colors; raises SimsorryError."""
    for color in players:
        if color not in COLORS:
            raise SimsorryError(f"players: {brief(color)} is not a color{closest(str(color), COLORS)}; the colors are {', '.join(COLORS)}")
    if not 2 <= len(players) <= len(COLORS) or len(set(players)) < len(players):
        raise SimsorryError(f"players: {', '.join(players) or 'nobody'}: two to four different colors are needed")
    return tuple(players)


def groups(text: str, example: str) -> dict[str, list[int | str]]:
    """A position in the one-line notation as colors and places, not checked against any rules; raises SimsorryError."""
    position: dict[str, list[int | str]] = {}
    for group in text.split("/"):
        color, *places = group.split() or [""]
        if color.lower() not in COLORS:
            hint = closest(color, COLORS)
            raise SimsorryError(f"position: {brief(color)} is not a color{hint}; a group is a color and its pawns, such as {example}")
        if color.lower() in position:
            raise SimsorryError(f"position: {color.lower()} has two groups")
        position[color.lower()] = list(places)
    return position


def color_number(color: object, players: Sequence[str]) -> int:
    """The number of a player's color; raises SimsorryError."""
    if color not in players:
        raise SimsorryError(f"color {brief(color)} does not play here; the players are {', '.join(players)}")
    return COLORS.index(str(color))


def mover_of(point: Mapping[str, Any], players: Sequence[str]) -> object:
    """Whose decision a recorded point is: it names a color, a seat counted from 0, or both; raises SimsorryError."""
    seat, color = point.get("seat"), point.get("color")
    if seat is None:
        return color
    if type(seat) is not int or not 0 <= seat < len(players):
        raise SimsorryError(f"seat = {brief(seat)} is none of the seats 0 to {len(players) - 1}")
    if color not in (None, players[seat]):
        raise SimsorryError(f"seat {seat} is {players[seat]}, not {brief(color)}")
    return players[seat]


def card_number(card: object) -> int:
    """A card's number; raises SimsorryError."""
    name = str(card).strip().lower().rstrip("!") if type(card) in (int, str) else ""
    if name not in CARDS:
        raise SimsorryError(f"card {brief(card)} is not in the deck{closest(name, CARDS)}; the cards are {', '.join(CARDS)}")
    return CARDS.index(name)
