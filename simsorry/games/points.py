"""The points of a round, who leads a match, and when it is over.

What pawns are worth is the game's own: when the winner finishes it writes down the points for every seat's pawns HOME, and for those
that are not.
"""

import numpy as np

from simsorry.games.columns import NOBODY
from simsorry.games.options import MAX_BANDS
from simsorry.games.records import TO_ALL, TO_WINNER
from simsorry.games.standings import of_side, place_of, side_of_seat
from simsorry.jit import inner, small, stay_apart

U = np.uint64

MAX_MATCH_ROUNDS = 1_000  # a match that has not ended by then is cut off

SCRATCH_FIELDS = [
    ("match_round", np.uint64),  # counted from 0
    ("turns_all", np.int32),  # of all rounds over
    ("upsets", np.int32),
    ("points", np.int32, (4,)),  # by table seat
    ("rounds_won", np.int32, (4,)),
    ("won_by", np.uint64, (4,)),  # by side: who made its last winning move
    ("bonuses", np.int32, (MAX_BANDS,)),  # how often each was paid
    # when the winner finished, by table seat: points for the pawns HOME, and for those that are not
    ("home_worth", np.int32, (4,)),
    ("missing_worth", np.int32, (4,)),
]

_0, _1 = U(0), U(1)
_NOBODY = U(NOBODY)


@inner
def begin_match(X):
    """A new match: no rounds, no points."""
    stay_apart()
    X.match_round = _0
    X.turns_all = 0
    X.upsets = 0
    for seat in range(4):
        X.points[U(seat)] = 0
        X.rounds_won[U(seat)] = 0
        X.won_by[U(seat)] = _NOBODY
    for k in range(MAX_BANDS):
        X.bonuses[U(k)] = 0


@inner
def opponents_home(R, X, side):
    """Pawns HOME of all opponents of a side, of the one who has most, and what those not HOME are worth, when the round was won."""
    stay_apart()
    total, most, missing = 0, 0, 0
    for s in range(R.players):
        if side_of_seat(R, U(s)) != side:
            home = X.pawns_home[U(s)]
            total += home
            most = max(most, home)
            missing += X.missing_worth[U(s)]
    return total, most, missing


@inner
def bonus_of(R, X, home):
    """What the winner is paid for how few pawns opponents have HOME, and counts it (H-39, HQ39)."""
    stay_apart()
    paid = 0
    highest = -1
    for k in range(R.bands):
        if home <= R.band_limit[U(k)]:
            if R.bands_add != _0:
                paid += R.band_points[U(k)]
                X.bonuses[U(k)] += 1
            elif highest < 0 or R.band_points[U(k)] > R.band_points[U(highest)]:
                highest = k
    if highest >= 0:
        paid += R.band_points[U(highest)]
        X.bonuses[U(highest)] += 1
    return paid


@inner
def score_round(R, X):
    """Gives the points of a round that was won (H-38, H-39, F-44), and says in ``X.rounds_won`` who has won it."""
    stay_apart()
    side = side_of_seat(R, X.winner)
    X.won_by[side] = X.winner
    total, most, missing = opponents_home(R, X, side)
    bonus = 0
    if R.score_home_to != _0:
        bonus = bonus_of(R, X, total if R.band_total != _0 else most) + missing
    for s in range(R.players):
        mine = side_of_seat(R, U(s))
        X.rounds_won[U(s)] += np.int32(mine == side)
        if R.score_home_to == U(TO_ALL) or (R.score_home_to == U(TO_WINNER) and mine == side):
            X.points[U(s)] += np.int32(of_side(R, X.home_worth, mine))
        if mine == side:
            X.points[U(s)] += np.int32(bonus)


@small
def standing_of(R, X, seat):
    """What decides a match: points, or rounds won where none are kept."""
    return X.points[seat] if R.score_home_to != _0 else X.rounds_won[seat]


@inner
def match_leader(R, X):
    """The seat, of a team its first, that alone stands best, or NOBODY; and how it stands."""
    stay_apart()
    best, leader = -1, _NOBODY
    for s in range(R.players):
        if side_of_seat(R, U(s)) == U(s):
            standing = standing_of(R, X, U(s))
            if standing > best:
                best, leader = standing, U(s)
            elif standing == best:
                leader = _NOBODY
    return leader, best


@inner
def end_round(R, X):
    """Counts a round; returns whether the match goes on with another (HQ41)."""
    stay_apart()
    X.turns_all += np.int32(X.turns)
    won = X.winner != _NOBODY
    if won:
        score_round(R, X)
    leader, best = match_leader(R, X)
    if won and leader != side_of_seat(R, X.winner):
        X.upsets += 1
    if is_single_round(R):
        return False
    reached = np.int64(best) >= np.int64(R.match_target) if R.match_target != _0 else X.match_round + _1 >= R.match_rounds
    if won and reached and leader != _NOBODY:
        X.winner = winner_of(R, X, leader)
        return False
    if X.capped != 0 or X.match_round + _1 >= U(MAX_MATCH_ROUNDS):
        X.capped = 1
        X.winner = _NOBODY
        return False
    return True


@small
def winner_of(R, X, side):
    """Who of a side wins its match: who made its last winning move, else its first to have played."""
    if X.won_by[side] != _NOBODY:
        return X.won_by[side]
    seat = X.opening_seat
    while side_of_seat(R, seat) != side:
        seat = (seat + _1) % R.players
    return seat


@small
def is_single_round(R):
    return R.match == _0


@inner
def final_place(R, X, seat):
    """A seat's place, stock taken: in a match by how it stands, equals alike, else as ``place_of`` says."""
    stay_apart()
    if is_single_round(R):
        return place_of(R, X, seat)
    mine = standing_of(R, X, seat)
    ahead = 0
    for s in range(R.players):
        ahead += side_of_seat(R, U(s)) == U(s) and standing_of(R, X, U(s)) > mine
    return np.int32(ahead + 1)
