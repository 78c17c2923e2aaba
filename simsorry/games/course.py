"""The course of a round: where everybody stood at each round end, and what the winner's way there was like once there is one.

Standings are noted at round ends only, because players who have moved already look ahead of those who have not. Nothing but what was
worked out from the notes leaves the scratch record. A side's *level* is how near it is to having won, on one of two scales: squares
walked, or its chance to win, where the record holds a *gauge* for that (``simsorry.gauge`` fits one).
"""

import math

import numpy as np

from simsorry.games.columns import CHECKPOINTS, COURSE_GAME, MEASURED, NOBODY, UNIT, numbered
from simsorry.games.records import EXP_STEPS
from simsorry.games.standings import mate_of, of_side, side_of_seat
from simsorry.jit import inner, small, stay_apart

U = np.uint64

MAX_NOTES = 2048  # a round that lasts longer has every second note dropped, then every fourth …

OF = numbered(MEASURED)  # what is measured of the winner's way, on either scale
_KINDS = len(MEASURED)

SCRATCH_FIELDS = [
    ("notes", np.uint64),
    ("note_every", np.uint64),  # round ends from one note to the next
    ("round_ends", np.uint64),
    ("round_ends_to_win", np.int32),
    ("won_turn", np.int64),  # turns over when there was a winner, that of the win included
    ("noted", np.uint16, (4 * MAX_NOTES,)),  # squares to go, by note and side
    ("noted_pawns", np.uint32, (4 * MAX_NOTES,)),  # pawns HOME, on START and safe, a byte each; only with a gauge
    ("chance", np.uint16, (4 * MAX_NOTES,)),  # in 1/UNIT; only with a gauge
    ("score", np.int64, (4,)),
    ("rank", np.uint8, (4 * len(CHECKPOINTS),)),  # by checkpoint and side
    ("walked", np.int32, (2 * _KINDS,)),  # what is measured, by scale
    ("sure", np.int32),  # where the winner was sure to win, and how open the round was
    ("openness", np.int32),
    ("openness_late", np.int32),
    ("written_off", np.int32),
]

_OF_GAME = numbered(column.name for column in COURSE_GAME)

_EXP = np.array([round(65_536 * math.exp(-step / EXP_STEPS)) for step in range(11 * EXP_STEPS)], np.int64)
_EXPS = np.int64(len(_EXP))
_ENTROPY = np.array([0] + [round(-UNIT * (w / UNIT) * math.log(w / UNIT)) for w in range(1, UNIT + 1)], np.int64)
_LOG = np.array([1.0, 1.0, math.log(2), math.log(3), math.log(4)])

_SURE, _WRITTEN_OFF = np.int64(UNIT * 9 // 10), np.int64(UNIT // 100)
_0, _1, _2, _3, _8, _16 = U(0), U(1), U(2), U(3), U(8), U(16)
_NOBODY = U(NOBODY)
_NOTES, _WALKED = U(MAX_NOTES), U(0)
_CHANCE = U(_KINDS)


@small
def begin_course(X):
    """Nothing noted yet."""
    X.notes = _0
    X.note_every = _1
    X.round_ends = _0


@small
def clear_course(X):
    """Nothing worked out yet."""
    for k in range(2 * _KINDS):
        X.walked[U(k)] = 0
    for k in range(4 * len(CHECKPOINTS)):
        X.rank[U(k)] = 0
    X.sure = 0
    X.openness = 0
    X.openness_late = 0
    X.written_off = 0
    X.round_ends_to_win = 0
    begin_course(X)


# -- at round ends -------------------------------------------------------------------------------------


@inner
def note_round(R, X):
    """At a round end, stock taken: who alone has the least to go, whether that has changed, and how far everybody has to go.

    In team play sides are teams, and their notes stand with their first seats.
    """
    stay_apart()
    X.round_ends += _1
    if X.notes == _NOTES:
        drop_every_second(X)
    base = X.notes << _2
    best = np.int64(1 << 40)
    leader = _NOBODY
    for s in range(R.players):
        side = U(s)
        if R.team != _0 and side_of_seat(R, side) != side:
            continue
        togo = of_side(R, X.stock_togo, side)
        X.noted[base + side] = np.uint16(togo)
        if R.gauge != _0:
            home, start, safe = of_side(R, X.stock_home, side), of_side(R, X.stock_start, side), of_side(R, X.stock_safe, side)
            X.noted_pawns[base + side] = np.uint32(home | start << 8 | safe << 16)
        if togo < best:
            best = togo
            leader = side
        elif togo == best:
            leader = _NOBODY
    if X.round_ends % X.note_every == _0:
        X.notes += _1
    if leader != _NOBODY:
        if X.leader != _NOBODY and X.leader != leader:
            X.lead_changes += 1
        X.leader = leader


@inner
def drop_every_second(X):
    """Makes room for more notes."""
    stay_apart()
    for note in range(MAX_NOTES // 2):
        for s in range(4):
            at, later = (U(note) << _2) + U(s), (((U(note) << _1) + _1) << _2) + U(s)
            X.noted[at] = X.noted[later]
            X.noted_pawns[at] = X.noted_pawns[later]
    X.notes = _NOTES >> _1
    X.note_every <<= _1


# -- when there is a winner ----------------------------------------------------------------------------


@small
def note_finish(R, X):
    """Where every player stood when the winner finished, stock taken, and how it came about; in a match of its last round."""
    for s in range(R.players):
        X.pips_left[U(s)] = X.stock_togo[U(s)]
        X.pawns_home[U(s)] = X.stock_home[U(s)]
    X.round_ends_to_win = np.int32(X.round_ends)
    X.won_turn = np.int64(X.turns) + 1
    if X.winner != _NOBODY and X.notes != _0:
        watch(R, X)


@inner
def watch(R, X):
    """Works out what the winner's way was like."""
    stay_apart()
    winner = side_of_seat(R, X.winner)
    note_ranks(R, X)
    follow(R, X, winner, _WALKED, way_of_side(R))
    if R.gauge != _0:
        fill_chances(R, X)
        follow(R, X, winner, _CHANCE, np.int64(UNIT))
        watch_chances(R, X, winner)


@small
def way_of_side(R):
    """Squares that all pawns of a side have to go from START."""
    return np.int64(R.full_way) << np.int64(R.team != _0)


@small
def level(X, note, side, scale):
    """How near a side was to having won."""
    at = (U(note) << _2) + side
    return -np.int64(X.noted[at]) if scale == _WALKED else np.int64(X.chance[at])


@small
def others_best(R, X, winner, scale):
    """The highest level that anybody else ever had."""
    best = np.int64(-(1 << 40))
    for note in range(X.notes):
        for s in range(R.players):
            if U(s) != winner and (R.team == _0 or side_of_seat(R, U(s)) == U(s)):
                best = max(best, level(X, note, U(s), scale))
    return best


@inner
def follow(R, X, winner, scale, unit):
    """Follows the winner from note to note; ``unit`` is the level of the whole way."""
    stay_apart()
    total, most, ahead, behind, last_lead = np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    decided = np.int64(X.notes)
    best = others_best(R, X, winner, scale)
    root = 0.0
    for note in range(X.notes):
        mine = level(X, note, winner, scale)
        top, even = mine, False
        for s in range(R.players):
            if U(s) == winner or (R.team != _0 and side_of_seat(R, U(s)) != U(s)):
                continue
            theirs = level(X, note, U(s), scale)
            top = max(top, theirs)
            ahead += theirs > mine
            even |= theirs == mine
        missing = top - mine
        if missing > 0:
            total += missing
            most = max(most, missing)
            behind += 1
            root += math.sqrt(np.float64(missing))
        if missing > 0 or even:
            last_lead = np.int64(note) + 1
        if mine > best:
            decided = min(decided, np.int64(note))
    notes = np.int64(X.notes)
    others = np.int64(R.players >> U(R.team != _0)) - 1
    X.walked[scale + OF.mean] = np.int32(total * UNIT // (notes * unit))
    X.walked[scale + OF.most] = np.int32(most * UNIT // unit)
    X.walked[scale + OF.root] = np.int32(UNIT * root / (math.sqrt(np.float64(unit)) * np.float64(behind + (behind == 0))))
    X.walked[scale + OF.rank] = np.int32(ahead * UNIT // (notes * others))
    X.walked[scale + OF.behind] = np.int32(behind * UNIT // notes)
    X.walked[scale + OF.last_lead] = np.int32(last_lead * UNIT // (notes + 1))
    X.walked[scale + OF.decided] = np.int32((notes - decided) * UNIT // (notes + 1))


@inner
def note_ranks(R, X):
    """Everybody's rank when first somebody had so much of the way behind them."""
    stay_apart()
    way = way_of_side(R)
    note, notes = _0, X.notes
    for k in range(len(CHECKPOINTS)):
        reached = way * (100 - CHECKPOINTS[k]) // 100  # squares to go
        while note < notes and not anybody_within(R, X, note, reached):
            note += _1
        if note == notes:
            return
        for s in range(R.players):
            side = side_of_seat(R, U(s))
            rank = 1
            for other in range(R.players):
                if R.team == _0 or side_of_seat(R, U(other)) == U(other):
                    rank += level(X, note, U(other), _WALKED) > level(X, note, side, _WALKED)
            X.rank[(U(k) << _2) + U(s)] = np.uint8(rank)


@small
def anybody_within(R, X, note, reached):
    """Whether somebody has no more than so many squares to go."""
    found = False
    for s in range(R.players):
        found |= (R.team == _0 or side_of_seat(R, U(s)) == U(s)) and -level(X, note, U(s), _WALKED) <= reached
    return found


# -- chances to win ------------------------------------------------------------------------------------


@inner
def fill_chances(R, X):
    """Everybody's chance at every note: a softmax of what the gauge weighs."""
    stay_apart()
    way = way_of_side(R)
    for note in range(X.notes):
        base = U(note) << _2
        top = np.int64(-(1 << 40))
        for s in range(R.players):
            if R.team != _0 and side_of_seat(R, U(s)) != U(s):
                continue
            X.score[U(s)] = gauged(R, X, base + U(s), U(s), way)
            top = max(top, X.score[U(s)])
        total = np.int64(0)
        for s in range(R.players):
            if R.team == _0 or side_of_seat(R, U(s)) == U(s):
                X.score[U(s)] = softened(top - X.score[U(s)])
                total += X.score[U(s)]
        for s in range(R.players):
            if R.team == _0 or side_of_seat(R, U(s)) == U(s):
                X.chance[base + U(s)] = np.uint16((X.score[U(s)] * UNIT + total // 2) // total)


@small
def softened(steps):
    """e to the minus so many 1/EXP_STEPS, as a whole number of 1/65536."""
    return _EXP[min(steps, _EXPS - 1)]


@small
def gauged(R, X, at, side, way):
    """What the gauge makes of a side at a note, in 1/EXP_STEPS."""
    pawns = np.int64(X.noted_pawns[at])
    walked = (way - np.int64(X.noted[at])) * R.gauge_weight[0] // way
    order = (side + R.players - X.first_seat) % R.players
    if R.team != _0:
        order = min(order, (mate_of(R, side) + R.players - X.first_seat) % R.players)
    return (
        walked
        + (pawns & 255) * R.gauge_weight[1]
        + (pawns >> 8 & 255) * R.gauge_weight[2]
        + (pawns >> 16) * R.gauge_weight[3]
        + R.gauge_order[order]
    )


@inner
def watch_chances(R, X, winner):
    """How open the round was, and from when on its winner was sure."""
    stay_apart()
    notes = np.int64(X.notes)
    sides = np.int64(R.players >> U(R.team != _0))
    late = notes - notes // 4 - np.int64(notes < 4)
    sure, lost = np.int64(0), np.int64(0)
    entropy, entropy_late = np.int64(0), np.int64(0)
    for note in range(X.notes):
        here = np.int64(0)
        for s in range(R.players):
            if R.team == _0 or side_of_seat(R, U(s)) == U(s):
                chance = level(X, note, U(s), _CHANCE)
                here += _ENTROPY[chance]
                lost += chance < _WRITTEN_OFF
        entropy += here
        if np.int64(note) >= late:
            entropy_late += here
        if level(X, note, winner, _CHANCE) < _SURE:
            sure = np.int64(note) + 1
    X.sure = np.int32(sure * UNIT // (notes + 1))
    X.openness = np.int32(entropy / (notes * _LOG[sides]))
    X.openness_late = np.int32(entropy_late / ((notes - late) * _LOG[sides]))
    X.written_off = np.int32(lost * UNIT // (notes * sides))


# -- rows ----------------------------------------------------------------------------------------------


@small
def write_watched(first, X, i, games):
    """The columns of the games table about the course of a game, from column ``first`` on."""
    games[first, i] = np.int32(X.round_ends_to_win)
    for k in range(2 * _KINDS):
        games[first + _1 + U(k), i] = X.walked[U(k)]
    games[first + _OF_GAME.chance_sure, i] = X.sure
    games[first + _OF_GAME.chance_open, i] = X.openness
    games[first + _OF_GAME.chance_open_late, i] = X.openness_late
    games[first + _OF_GAME.chance_written_off, i] = X.written_off


@small
def write_ranks(first, X, seat, row, seats):
    """The columns of the seats table about the course of a game."""
    for k in range(len(CHECKPOINTS)):
        seats[first + U(k), row] = X.rank[(U(k) << _2) + seat]
