"""Where everybody stands: who leads, what is noted when the winner finishes, and the places at the end.

A game takes stock before it asks: ``stock_togo`` and ``stock_home`` are the squares to go and the pawns HOME by table seat. In team play
a side is a team, named by its first seat; a game without teams has no ``team``, and everybody is a side.
"""

import numpy as np

from simsorry.games.columns import NOBODY
from simsorry.jit import inner, small, stay_apart

U = np.uint64

SCRATCH_FIELDS = [
    ("stock_togo", np.int32, (4,)),  # by table seat: squares to go
    ("stock_home", np.int32, (4,)),  # pawns HOME
    ("pips_left", np.int32, (4,)),  # the same when the winner finished
    ("pawns_home", np.int32, (4,)),
]

_0, _3 = U(0), U(3)
_NOBODY = U(NOBODY)


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
def note_lead(R, X):
    """At a round end, stock taken: who alone has the least to go, and whether that has changed; in team play, which team."""
    stay_apart()
    best = np.int64(1 << 40)
    leader = _NOBODY
    for s in range(R.players):
        side = U(s)
        if side_of_seat(R, side) != side:
            continue
        togo = of_side(R, X.stock_togo, side)
        if togo < best:
            best = togo
            leader = side
        elif togo == best:
            leader = _NOBODY
    if leader != _NOBODY:
        if X.leader != _NOBODY and X.leader != leader:
            X.lead_changes += 1
        X.leader = leader


@inner
def note_finish(R, X):
    """Where every player stood when the winner finished, stock taken."""
    stay_apart()
    for s in range(R.players):
        X.pips_left[U(s)] = X.stock_togo[U(s)]
        X.pawns_home[U(s)] = X.stock_home[U(s)]


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
