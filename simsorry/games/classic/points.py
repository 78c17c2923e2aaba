"""The points of a round, who leads a match, and when it is over."""

import numpy as np

from simsorry.games.classic import tables as t
from simsorry.games.classic.columns import NOBODY
from simsorry.games.classic.counting import place_of, side_of_seat
from simsorry.jit import inner, small, stay_apart

U = np.uint64

_0, _1 = U(0), U(1)
_NOBODY = U(NOBODY)


@inner
def opponents_home(R, X, side):
    """Pawns HOME of all opponents of a side, of the one who has most, and their pawns not HOME, when the round was won."""
    stay_apart()
    total, most, missing = 0, 0, 0
    for s in range(R.players):
        if side_of_seat(R, U(s)) != side:
            home = X.pawns_home[U(s)]
            total += home
            most = max(most, home)
            missing += np.int64(R.pawns) - home
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
        bonus = bonus_of(R, X, total if R.band_total != _0 else most) + np.int64(R.score_not_home) * missing
    for s in range(R.players):
        mine = side_of_seat(R, U(s))
        X.rounds_won[U(s)] += np.int32(mine == side)
        if R.score_home_to == U(t.TO_ALL) or (R.score_home_to == U(t.TO_WINNER) and mine == side):
            X.points[U(s)] += np.int32(np.int64(R.score_home) * home_of_side(R, X, mine))
        if mine == side:
            X.points[U(s)] += np.int32(bonus)


@small
def home_of_side(R, X, side):
    """Pawns HOME of a player or a team when the round was won."""
    home = np.int64(0)
    for s in range(R.players):
        if side_of_seat(R, U(s)) == side:
            home += X.pawns_home[U(s)]
    return home


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
    if X.capped != 0 or X.match_round + _1 >= U(t.MAX_MATCH_ROUNDS):
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
    """A seat's place: in a match by how it stands, equals alike, else as ``place_of`` says."""
    stay_apart()
    if is_single_round(R):
        return place_of(R, X, seat)
    mine = standing_of(R, X, seat)
    ahead = 0
    for s in range(R.players):
        ahead += side_of_seat(R, U(s)) == U(s) and standing_of(R, X, U(s)) > mine
    return np.int32(ahead + 1)
