"""What a hand offers besides moving pawns, as outcomes of the list."""

import numpy as np

from simsorry.games import hands
from simsorry.games.classic.actions import BLOCKED, IDLE, PASS, THROW, kind_of
from simsorry.games.classic.listing import add_idle
from simsorry.games.hands import NO_CARD
from simsorry.games.options import CARDS
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import lowest

U = np.uint64

_0, _1 = U(0), U(1)
_TWO = U(CARDS.index("2"))


@small
def lay_idle(R, X, card, before, p0, p1, p2, p3):
    """Adds laying a 2 down without a move, where it can't be moved with: since ``before`` no move was added."""
    only_blocked = X.outcomes == before + _1 and kind_of(X.action[before]) == BLOCKED
    if card == _TWO and R.two_idle != _0 and (X.outcomes == before or only_blocked):
        add_idle(X, IDLE, card, p0, p1, p2, p3)


@inner
def decline(R, X, seat, p0, p1, p2, p3):
    """Adds what a player may do instead of a play, where none is compulsory: throw a card in, or pass (rulebook 13.1, 13.6)."""
    stay_apart()
    how = hands.declining(R, X, seat)
    if how == hands.THROWING:
        list_throws(R, X, seat, p0, p1, p2, p3)
    elif how == hands.PASSING:
        add_idle(X, PASS, NO_CARD, p0, p1, p2, p3)


@small
def list_throws(R, X, seat, p0, p1, p2, p3):
    """Adds the cards that may be thrown in."""
    cards = hands.throwable(R, X, seat)
    while cards != _0:
        add_idle(X, THROW, lowest(cards), p0, p1, p2, p3)
        cards &= cards - _1
