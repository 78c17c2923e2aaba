"""The list of a decision's outcomes: results beside the actions that lead there, equal ones merged."""

import numpy as np

from simsorry.games.classic.actions import OPTIONAL, plainness
from simsorry.games.classic.landing import word_key
from simsorry.jit import inner, small, stay_apart

U = np.uint64

CAPACITY = 16_384  # outcomes of one decision: more than any number of pawns and parts that the rules allow can make
SLOTS = 32_768  # of the table in which outcomes are found again
_SLOT_BITS = U(64 - 15)

_0, _1, _2, _3 = U(0), U(1), U(2), U(3)
INDEX, STAMP = U(0xFFFF), U(16)

_APART = 24  # words between the lists, so that equal indices do not share the low bits of their addresses

SCRATCH_FIELDS = [
    ("action", np.uint64, (CAPACITY + _APART,)),
    ("key", np.uint64, (CAPACITY + _APART,)),
    ("events", np.uint64, (CAPACITY + _APART,)),
    ("result", np.uint64, (CAPACITY * 4 + _APART,)),  # the frame after the action
    ("card", np.uint8, (CAPACITY + _APART,)),  # the card it is played with
    ("slot", np.uint64, (SLOTS,)),  # by key: the outcome that has it, and the listing it belongs to
    ("listing", np.uint64),  # number of the listing: outcomes are compared with those of the same card only
    ("outcomes", np.uint64),
    ("compulsory", np.uint64),  # how many of them must be played if nothing else is chosen
    ("blocked", np.uint64),  # whether an own pawn stood in the way of some single move
    ("overflow", np.uint64),
    ("playing", np.uint64),  # the card whose outcomes are listed
    ("turned", np.uint64),  # how many colors clockwise of the player's the color is whose moves are listed
    ("unchanged", np.uint64),  # whether an outcome of the card leaves the placement as it was
]
# Behind all else, so that the lists that random players use too stay where they are.
SCORE_FIELDS = [("score_of", np.int64, (CAPACITY + _APART,))]  # as the policy scores each outcome, if it does


@small
def slot_of(X, key):
    """Where the table has the outcome with this key, or room for it; the outcome's number plus one, or 0."""
    slot = key >> _SLOT_BITS
    number = _0
    looking = True
    while looking:
        entry = X.slot[slot]
        number = entry & INDEX
        if entry >> STAMP != X.listing:
            number = _0
            looking = False
        elif X.key[number - _1] == key:
            looking = False
        else:
            slot = (slot + _1) & U(SLOTS - 1)
    return slot, number


@inner
def add(R, X, p0, p1, p2, p3, w0, w1, w2, w3, action, events):
    """Adds an outcome, or merges it with an equal one; both frames begin with the color that is listed."""
    stay_apart()
    turn = X.turned
    key = word_key(R, turn, w0) - word_key(R, turn, p0)
    if w1 != p1:
        key += word_key(R, (turn + _1) & _3, w1) - word_key(R, (turn + _1) & _3, p1)
    if w2 != p2:
        key += word_key(R, (turn + _2) & _3, w2) - word_key(R, (turn + _2) & _3, p2)
    if w3 != p3:
        key += word_key(R, (turn + _3) & _3, w3) - word_key(R, (turn + _3) & _3, p3)
    slot, number = slot_of(X, key)
    optional = action & OPTIONAL
    if number == _0:
        at = X.outcomes
        if at == U(CAPACITY - 1):
            X.overflow = _1
            return
        X.outcomes = at + _1
        X.slot[slot] = (X.listing << STAMP) | (at + _1)
        X.compulsory += U(optional == _0)
        X.unchanged |= U(key == _0)
    else:
        at = number - _1
        if optional == _0 and X.action[at] & OPTIONAL != _0:
            X.compulsory += _1
        optional &= X.action[at]
        if plainness(action, events) >= plainness(X.action[at], X.events[at]):
            X.action[at] = (X.action[at] & ~OPTIONAL) | optional
            return
    X.key[at] = key
    X.card[at] = X.playing
    X.action[at] = (action & ~OPTIONAL) | optional
    X.events[at] = events
    base = at << _2
    X.result[base + turn] = w0
    X.result[base + ((turn + _1) & _3)] = w1
    X.result[base + ((turn + _2) & _3)] = w2
    X.result[base + ((turn + _3) & _3)] = w3


@small
def add_idle(X, kind, card, p0, p1, p2, p3):
    """Adds an outcome in which no pawn moves: passing, a card thrown in or laid down idle."""
    at = X.outcomes
    base = at << _2
    X.action[at] = kind | OPTIONAL
    X.card[at] = card
    X.events[at] = _0
    X.result[base] = p0
    X.result[base + _1] = p1
    X.result[base + _2] = p2
    X.result[base + _3] = p3
    X.outcomes = at + _1
