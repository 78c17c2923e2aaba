"""The words that games have in common when they tell what happens."""

from collections.abc import Mapping, Sequence
from typing import Any

from simsorry.games.options import CARDS

ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth"}

Sides = Sequence[tuple[str, ...]]


def all_of(names: Sequence[str]) -> str:
    """A list in a sentence: "red", "red and yellow", "red, yellow and blue"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def number_of(count: int, thing: str) -> str:
    """So many of a thing: "1 turn", "2 turns"."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


def do(who: Sequence[str], one: str, several: str) -> str:
    """Who does it, with the verb that goes with one or several."""
    return f"{all_of(who)} {one if len(who) == 1 else several}"


def a_card(card: int) -> str:
    """A card by number: "a 7", "an 8", "a Sorry!"."""
    name = CARDS[card]
    return "a Sorry!" if name == "sorry" else f"{'an' if name in ('8', '11') else 'a'} {name}"


# -- who plays ---------------------------------------------------------------------------------------


def sides(rules: Any, players: Sequence[str]) -> list[tuple[str, ...]]:
    """The players' colors, those of a team together."""
    return list(rules.team_pairs) or [(color,) for color in players]


def seating(rules: Any, players: Sequence[str]) -> str:
    """The colors in seat order, and who plays with whom."""
    teams = f" ({' against '.join(map(all_of, rules.team_pairs))})" if rules.team_pairs else ""
    return ", ".join(players) + teams


# -- who has won -------------------------------------------------------------------------------------


def ranked(between: Sides, places: Mapping[str, int]) -> list[tuple[str, ...]]:
    """The sides that have finished, the first one first."""
    return sorted((side for side in between if side[0] in places), key=lambda side: places[side[0]])


def followers(first: Sides, between: Sides, over: bool) -> list[str]:
    """Who came in after the winner: "blue is second"; in a game that is over who is left is the last of all."""
    left = [side for side in between if side not in first]
    order = [*first, *(left if over and len(left) == 1 else [])]
    return [f"{do(side, 'is', 'are')} {ORDINALS[place]}" for place, side in enumerate(order[1:], start=2)]
