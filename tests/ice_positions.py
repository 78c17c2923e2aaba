"""Positions of Ice Soo Sorry! for tests: random ones, hands beside them, and some by hand."""

import random
from typing import Any

from simsorry.games.ice import notation
from simsorry.games.ice.rules import Rules
from simsorry.games.options import CARDS, COLORS


def random_position(luck: random.Random, rules: Rules, players: tuple[str, ...]) -> dict[str, list[str]]:
    """Any placement that the rules allow, crowded so that pawns meet."""
    squares = [(luck.randrange(60) + step) % 60 for step in range(luck.choice([8, 20]))]
    region = squares if luck.random() < 0.7 else luck.sample(range(60), 15)
    position: dict[str, list[str]] = {color: [] for color in players}
    order = [(color, size) for color in players for size, count in zip("sml", rules.pieces, strict=True) for _ in range(count)]
    luck.shuffle(order)
    for color, size in order:
        where = luck.choices(["S", "H", "zone", "track"], [2, 1, 2, 7])[0]
        if where in "SH":
            position[color].append(f"{where}:{size}")
            continue
        place = f"{color} Z{luck.randint(1, 5)}" if where == "zone" else str(luck.choice(region))
        position.setdefault(place, []).append(f"{color[0]}{size}")
    return {place: flagged(luck, rules, pawns) if place not in COLORS else pawns for place, pawns in position.items()}


def flagged(luck: random.Random, rules: Rules, pile: list[str]) -> list[str]:
    """A pile with some flags, where the rules make them."""
    if rules.ice_contact_piece == "bottom":
        return pile
    written = pile[:1]
    for pawn, beneath in zip(pile[1:], pile, strict=False):
        flag = "=" if "sml".index(pawn[1]) > "sml".index(beneath[1]) else ">"
        written.append(pawn + flag * (luck.random() < 0.3))
    return written


def random_hand(luck: random.Random, rules: Rules) -> list[str]:
    """A hand that can be held, often without a full choice."""
    deck = [card for card, copies in rules.deck_counts.counts.items() for _ in range(copies)]
    return luck.sample(deck, luck.choice([rules.hand_size, luck.randint(0, rules.hand_size)]))


def random_state(luck: random.Random, rules: Rules, hand: list[str]) -> dict[str, Any]:
    """Whether the hand is a follow-up, and of what; and whether it is in the first turn."""
    followup = bool(hand) and rules.two_in_hand != "none" and luck.random() < 0.4
    drawn = luck.choice(hand) if followup and rules.two_in_hand == "play_drawn" else None
    return {"followup": followup, "drawn": drawn, "first_turn": luck.random() < 0.3}


def random_card(luck: random.Random) -> str:
    """A card, those that can do most more often."""
    return luck.choice([*CARDS, "7", "11", "sorry"])


def filled(text: str) -> dict[str, list[str]]:
    """A position in which all who are named, or red and blue if nobody is, have all pawns HOME that are not in the text."""
    places = notation.parse(text if "/" in text else f"red / blue | {text}")
    for color in [color for color in COLORS if color in places]:
        there = [pawn[-1] for pawn in places[color]]
        there += [pawn[1] for place, pawns in places.items() if place not in COLORS for pawn in pawns if pawn[0] == color[0]]
        places[color] = [*places[color], *(f"H:{size}" for size in "sml" for _ in range(5 - there.count(size)))]
    return places
