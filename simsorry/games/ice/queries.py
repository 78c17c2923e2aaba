"""What Python asks of the kernel besides blocks of games: single decisions, and games looked at card by card."""

import numpy as np

from simsorry.games import hands, rounds
from simsorry.games.ice import kernel, piles
from simsorry.games.ice import tables as t
from simsorry.games.ice.actions import SORRY, kind_of
from simsorry.games.ice.listing import list_plays
from simsorry.games.ice.moves import carry_out
from simsorry.games.ice.state import TALLY, TRY, give_head_starts, put_on_board
from simsorry.games.tallies import tally_at
from simsorry.jit import entry

U = np.uint64

_0, _2, _6 = U(0), U(2), U(6)


@entry
def plays_of(tables, scratch, seat):
    """Lists the outcomes of the decision that a seat has with the position and the hand, or ``now_card``, in ``scratch``; their number."""
    R = tables[0]
    X = scratch[0]
    X.overflow = _0
    piles.find_occupied(X)
    list_plays(R, X, seat)
    return X.outcomes


@entry
def show_play(tables, scratch, seat, i):
    """Carries outcome ``i`` of the list out on the position in ``scratch``, until ``take_back``; returns the change of its key."""
    R = tables[0]
    X = scratch[0]
    piles.begin_change(X, TRY)
    if kind_of(X.action[i]) > SORRY:
        return _0
    return carry_out(R, X, U(R.seat_color[seat]), X.action[i], TRY)


@entry
def take_back(scratch):
    """Puts the position back as it was before ``show_play``."""
    piles.take_back(scratch[0])


@entry
def begin_ice(tables, scratch, seed, game):
    """Sets up a game as ``play_block`` would, with its first round."""
    R = tables[0]
    X = scratch[0]
    X.overflow = _0
    kernel.begin_match(R, X, game)
    kernel.begin_round(R, X, seed, game)


@entry
def let_begin(tables, scratch, seat):
    """Lets another table seat begin the game that is set up, to whom the first card is dealt then."""
    R = tables[0]
    X = scratch[0]
    X.opening_seat = seat
    rounds.begin(X, seat)
    put_on_board(R, X)
    give_head_starts(R, X)
    X.draws = _0
    if R.hand_size != _0:
        hands.deal(R, X)


@entry
def next_round(tables, scratch, seed, game):
    """Ends the round that is over; sets up the next one if the match goes on, and returns whether it does."""
    R = tables[0]
    X = scratch[0]
    more = kernel.end_round(R, X)
    if more:
        kernel.next_round(R, X, seed, game)
    return more


@entry
def next_card(tables, line_up, scratch):
    """Resolves one card; returns whether the round goes on."""
    return kernel.step(tables[0], line_up[0], scratch[0])


@entry
def take_position(tables, scratch):
    """Takes over a position written into ``scratch`` before a game has begun: counts it, and takes nobody for covered since long."""
    R = tables[0]
    X = scratch[0]
    piles.find_occupied(X)
    X.piles = 0
    for c in range(4):
        color = U(c)
        X.in_play[color] = 0
        X.covered[color] = 0
        at = color << _2
        X.on_home[color] = U(X.home[at]) + U(X.home[at + U(1)]) + U(X.home[at + _2])
    for p in range(t.PLACES):
        place = U(p)
        height = U(X.height[place])
        if height == _0:
            continue
        free_from = height - piles.unit_of(X, place)
        for level in range(height):
            at = (place << _6) + U(level)
            X.since[at] = 0 if U(level) < free_from else -1
        piles.count_pile(X, place, 1)
    for s in range(R.players):
        color = U(R.seat_color[U(s)])
        X.tally[tally_at(U(s), TALLY.first_start)] = 0 if X.in_play[color] != 0 or X.on_home[color] != _0 else -1
