"""What is counted of audited games, every 23rd (``audit``): the sections of the counts, and where they stand."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

EVERY = 23  # games
CHUNK = 100  # consecutive games, whose audited ones are summed up together

SQUARES = 72  # room for those of the track, as the rulebook numbers them
AT_START, AT_SAFE, AT_HOME = 72, 73, 74  # cells of a color's pawns that are not on the track
CELLS = 80
CARDS = 16  # room for the numbers of cards; the last means none
EARLY = 10  # a player's first cards, of which there are as many whatever becomes of the game
PHASES = 3  # thirds of the mover's own way
USES = "forward start split swap back sorry passed thrown".split()  # noqa: SIM905
DEAD = "lock sorry blocked exact".split()  # noqa: SIM905
KINDS = "dead forced declined choice".split()  # of turns: nothing done, one thing to do, nothing done though there was a choice, a choice  # noqa: SIM905

# Every section of the counts and how many there are in it.
SECTIONS: Mapping[str, int] = {
    "games": 1,  # audited
    "won": 1,  # with a winner
    "turns": 1,
    "relocked": 1,  # turns begun with no pawn on the way, some on START, although one had been out
    "leads": 5,  # of every side and round end but the first: number, lead, its change over the same rival, square of the lead, product
    "stall": 2,  # turns, own dead turns from when the winner's side needed one pawn until it won
    "led": 2,  # hits once somebody has led alone at a round end; of those, hits on who last did
    "squares": 4,  # squares gained by the mover, lost by the mover, gained and lost by others
    "standing": 2,  # squares to go in all when a round began, and when it ended
    "dead": len(DEAD),  # cards with which nothing could be done, by reason
    "hits": 16,  # by the mover's and the hit player's play-order seat
    "visits": SQUARES,  # pawns standing on a square at a round end
    "landings": SQUARES,  # pawns that came to stand on a square with a step
    "danger": SQUARES,  # pawns hit on a square
    "drawn": PHASES * CARDS,  # cards resolved, by phase and card
    "unused": PHASES * CARDS,  # of those, cards that moved nothing, thrown in or passed over included
    "gain": CARDS,  # squares gained by the mover
    "harm": CARDS,  # squares lost by others
    "strikes": CARDS,  # pawns hit
    "uses": len(USES) * CARDS,
    "early_players": 2,  # players with EARLY cards of their own in a round that was won; of those, such as won it
    "early": CARDS,  # of their first EARLY cards, how many of each kind
    "early_squares": CARDS,  # and the squares of these numbers
    "early_wins": CARDS,  # and how many of them were the winners'
    "held": CARDS,  # cards in the hand of who is to move, at the beginning of every turn
    "swing": CARDS,  # by card: games in which the largest gain of any one step was made with it
    "swing_squares": 1,  # sum of those gains
    "kinds": PHASES * len(KINDS),  # turns, by phase when they began and kind
}
SIZE = sum(SECTIONS.values())
OFFSETS = dict(zip(SECTIONS, np.cumsum([0, *SECTIONS.values()]).tolist(), strict=False))


def section(counts: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """One section of counts of shape (..., SIZE)."""
    return counts[..., OFFSETS[name] : OFFSETS[name] + SECTIONS[name]]


def chunks(first_game: int, games: int) -> int:
    """Over how many chunks so many games from number ``first_game`` on are spread."""
    return (first_game + games - 1) // CHUNK - first_game // CHUNK + 1 if games else 0
