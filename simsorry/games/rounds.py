"""How a round begins and ends, and what the deck does: options and chance that all games have."""

from typing import Any

import numpy as np

from simsorry import rng
from simsorry.jit import small

U = np.uint64

FIRST_RANDOM, FIRST_FIXED, FIRST_ROTATE = 0, 1, 2
LEADER_WINNER, LEADER_NEXT, LEADER_RANDOM = 0, 1, 2
END_FIRST, END_RANKING, END_ALL = 0, 1, 2
NEVER, IF_PLAYED, ALWAYS = 0, 1, 2  # when a 2 gives another card
MAX_CHAIN = 10_000  # a turn that has not ended after so many cards never will: a game is cut off there

SCALARS = "first_player game_end turn_cap two_again replacement reshuffle_at_last exclude_in_play".split()  # noqa: SIM905

_0, _1 = U(0), U(1)


def scalars(rules: Any) -> dict[str, int]:
    """The options of the beginning, the end and the deck, as the numbers that the kernel knows them by."""
    return {
        # Every seat is equally likely to draw the highest card, or to roll highest, so those ways of choosing are random ones.
        "first_player": {"fixed": FIRST_FIXED, "rotate": FIRST_ROTATE}.get(rules.first_player, FIRST_RANDOM),
        "game_end": {"first_home": END_FIRST, "full_ranking": END_RANKING, "all_home": END_ALL}[rules.game_end],
        "turn_cap": rules.turn_cap,
        "two_again": {"never": NEVER, "if_played": IF_PLAYED, "always": ALWAYS}[rules.two_draws_again],
        "replacement": rules.draw == "with_replacement",
        "reshuffle_at_last": rules.reshuffle_when == "when_last_taken",
        "exclude_in_play": rules.card_in_play_in_reshuffle == "excluded",
    }


@small
def first_seat(R, key, game):
    """The table seat that begins (HQ1, SQ13); ``key`` is that of the stream for it."""
    if R.first_player == U(FIRST_FIXED):
        return _0
    if R.first_player == U(FIRST_ROTATE):
        return game % R.players
    return rng.below(rng.word(key, _0), R.players)


@small
def next_first_seat(R, X, key):
    """Who begins the next round of a match."""
    if R.next_leader == U(LEADER_WINNER):
        return X.winner
    if R.next_leader == U(LEADER_NEXT):
        return (X.first_seat + _1) % R.players
    return rng.below(rng.word(key, _0), R.players)


@small
def goes_on(R, finished, sides):
    """Whether a round goes on for places when so many of its sides, players or teams, have finished (H-30, H-37, F-15, HQ25)."""
    if R.game_end == U(END_FIRST):
        return False
    return finished + _1 < sides or (R.game_end == U(END_ALL) and finished < sides)
