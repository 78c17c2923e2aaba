"""The splits of a 7 (SQ35): every distinct one once, whatever the number of parts and pawns.

A split is looked at as a list of parts, pawns nearest to HOME first. Of those that end alike the first is kept that has fewest
parts, so the list is gone through by number of parts, and then in the order of pawns and shares.
"""

import numpy as np

from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.actions import CARD, PART_BITS, PARTS, SHARE, SPLIT
from simsorry.games.sorreesi.landing import count_from, fight_waits
from simsorry.games.sorreesi.state import CAPACITY, in_play, partner_of
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import drop_first, first, get

U = np.uint64

_0, _1, _3, _7, _8 = U(0), U(1), U(3), U(7), U(8)
_SEVEN = U(7)
_SINGLE, _BOTH_STAY = U(t.SINGLE_HOP), U(t.BOTH_STAY)
_FEW, _MANY = U(64 - 10), U(64 - 15)  # what is left of a key to find its slot: enough for two parts, or for any number


@small
def place_at(R, X, color, candidate):
    """Where a candidate stands, by its own color's numbers."""
    whose = partner_of(R, color) if candidate & _8 != _0 else color
    return get(X.word[whose], candidate & _7)


@small
def gather(R, X, color, whose, n):
    """Adds the pawns in play of one color to the candidates, nearest to HOME first; returns their number."""
    word = X.word[partner_of(R, color) if whose != _0 else color]
    left = in_play(word)
    begin = n
    while left != _0:
        lane = first(left)
        left = drop_first(left)
        at = n
        while at > begin and get(word, X.candidate[at - _1] & _7) > get(word, lane):
            X.candidate[at] = X.candidate[at - _1]
            at -= _1
        X.candidate[at] = lane | whose
        n += _1
    return n


@small
def is_new(R, X, key):
    """Whether no listed outcome has this key; notes it."""
    bits = _FEW if R.parts == U(2) else _MANY
    mask = (_1 << (U(64) - bits)) - _1
    slot = key >> bits
    while X.key_stamp[slot] == X.listing:
        if X.key[slot] == key:
            return False
        slot = (slot + _1) & mask
    X.key_stamp[slot] = X.listing
    X.key[slot] = key
    return True


@small
def part_key(R, X, color, candidate, share):
    """What moving a pawn changes, as a number that tells placements apart when summed up."""
    place = place_at(R, X, color, candidate)
    table = (candidate >> _3) * U(t.STRIDE)
    return R.key[table + count_from(R, place, share)] - R.key[table + place]


@inner
def fights_key(R, X, color, parts):
    """The same for the squares on which fights are to come, where pawns of several colors may stand together."""
    stay_apart()
    key = _0
    for i in range(parts):
        candidate = X.chosen[U(i)]
        mover = partner_of(R, color) if candidate & _8 != _0 else color
        place = count_from(R, place_at(R, X, color, candidate), X.share[U(i)])
        if not fight_waits(R, X, mover, place):
            continue
        square = R.square[mover * U(t.STRIDE) + place]
        again = False
        for j in range(i):
            other = partner_of(R, color) if X.chosen[U(j)] & _8 != _0 else color
            there = count_from(R, place_at(R, X, color, X.chosen[U(j)]), X.share[U(j)])
            again = again or R.square[other * U(t.STRIDE) + there] == square
        if not again:
            key += R.key[U(2 * t.STRIDE) + U(square)]
    return key


@small
def note_whole(R, X, color, n):
    """Notes the outcomes of the 7 in one piece, which splits can equal."""
    if R.combine == _SINGLE and (X.dice[_0] | X.dice[_1]) != _0:
        return
    for i in range(n):
        candidate = X.candidate[U(i)]
        if place_at(R, X, color, candidate) + R.slack >= _SEVEN:
            X.chosen[_0] = candidate
            X.share[_0] = _SEVEN
            key = part_key(R, X, color, candidate, _SEVEN)
            if R.tie == _BOTH_STAY:
                key += fights_key(R, X, color, 1)
            is_new(R, X, key)


@small
def add_split(R, X, color, parts):
    """Adds the split that is laid out, if it is a new one."""
    key = _0
    action = SPLIT | CARD
    for i in range(parts):
        candidate, share = X.chosen[U(i)], X.share[U(i)]
        key += part_key(R, X, color, candidate, share)
        action |= (candidate | (share << SHARE)) << (PARTS + PART_BITS * U(i))
    if R.tie == _BOTH_STAY:
        key += fights_key(R, X, color, parts)
    if is_new(R, X, key):
        if X.listed >= U(CAPACITY - 1):
            X.overflow = _1
            return
        X.action[X.listed] = action
        X.listed += _1
        X.card_must = _1


@inner
def list_in_parts(R, X, color, n, parts):
    """Every way of giving ``parts`` of the candidates a share, in order."""
    stay_apart()
    last = parts - 1
    level = 0
    left = _SEVEN
    number = X.position
    number[_0] = _0
    X.share[_0] = _0
    while level >= 0:
        at = U(level)
        X.chosen[at] = X.candidate[number[at]]
        X.share[at] = left if level == last else X.share[at] + _1
        share = X.share[at]
        able = share + U(last - level) <= left and place_at(R, X, color, X.chosen[at]) + R.slack >= share
        if able and level == last:
            add_split(R, X, color, parts)
        if able and level < last:
            left -= share
            level += 1
            number[U(level)] = number[at] + _1
            X.share[U(level)] = _0
        elif number[at] + _1 + U(last - level) < n:  # the next pawn, if enough are left for the other parts
            number[at] += _1
            X.share[at] = _0
        else:
            level -= 1
            if level >= 0:
                left += X.share[U(level)]


@inner
def list_sevens(R, X, color, own, partner):
    """Adds the splits of a 7."""
    stay_apart()
    n = _0
    if own:
        n = gather(R, X, color, _0, n)
    if partner:
        n = gather(R, X, color, _8, n)
    if n < U(2):
        return
    X.listing += _1
    note_whole(R, X, color, n)
    for parts in range(2, min(R.parts, n, _SEVEN) + _1):
        list_in_parts(R, X, color, n, parts)
