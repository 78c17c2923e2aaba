"""Where everybody stands, and the places at the end.

A game takes stock before it asks: ``stock_togo``, ``stock_home`` … are by table seat. In team play
a side is a team, named by its first seat; a game without teams has no ``team``, and everybody is a side.
"""

import numpy as np

from simsorry.jit import inner, small, stay_apart

U = np.uint64

SCRATCH_FIELDS = [
    ("stock_togo", np.int32, (4,)),  # by table seat: squares to go
    ("stock_home", np.int32, (4,)),  # pawns HOME
    ("stock_start", np.int32, (4,)),  # pawns on START, or in the base
    ("stock_safe", np.int32, (4,)),  # pawns in the safety zone, or on the private path
    ("pips_left", np.int32, (4,)),  # the same when the winner finished
    ("pawns_home", np.int32, (4,)),
]

_0, _3 = U(0), U(3)


@small
def mate_of(R, seat):
    """The partner's seat, in team play."""
    color = U(R.seat_color[seat])
    return U(R.color_seat[(color + U(R.partner[color])) & _3])


@small
def side_of_seat(R, seat):
    """The player, or the first seat of the team, that a seat plays for."""
    return seat if R.team == _0 else min(seat, mate_of(R, seat))


@small
def of_side(R, by_seat, seat):
    """The sum of what the side that a seat plays for has."""
    total = np.int64(by_seat[seat])
    if R.team != _0:
        total += by_seat[mate_of(R, seat)]
    return total


@inner
def place_of(R, X, seat):
    """A seat's place, stock taken; who is still on the way ranks by pawns HOME, then by what is left to go, equals alike."""
    stay_apart()
    if X.place[seat] != 0:
        return X.place[seat]
    home, togo = of_side(R, X.stock_home, seat), of_side(R, X.stock_togo, seat)
    ahead = 0
    for s in range(R.players):
        side = U(s)
        if side_of_seat(R, side) != side:
            continue  # a team counts once
        their_home, their_togo = of_side(R, X.stock_home, side), of_side(R, X.stock_togo, side)
        if X.place[side] != 0 or their_home > home or (their_home == home and their_togo < togo):
            ahead += 1
    return np.int32(ahead + 1)
