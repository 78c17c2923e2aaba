"""What Python asks of the kernel besides blocks of games: single decisions, and games looked at card by card."""

import numpy as np

from simsorry.games import hands, points
from simsorry.games.classic import hand, match
from simsorry.games.classic.moves import list_card, list_outcomes
from simsorry.games.classic.state import TALLY, give_head_starts, move_color, on_start, put_on_board
from simsorry.games.frames import seen_by
from simsorry.games.options import CARDS
from simsorry.games.tallies import tally_at
from simsorry.jit import entry

U = np.uint64

_0, _1 = U(0), U(1)


@entry
def outcomes_of(tables, scratch, color, card, words):
    """Lists the outcomes of a drawn card in a position of four words by color; fills ``scratch``."""
    R = tables[0]
    X = scratch[0]
    X.overflow = _0
    p0, p1, p2, p3 = seen_by(words, color)
    list_outcomes(R, X, color, card, p0, p1, p2, p3)


@entry
def outcomes_of_hand(tables, scratch, color, cards, followup, drawn, first_turn, words):
    """The same for a hand, the card held longest first; ``followup`` and ``first_turn`` are 1 or 0, ``drawn`` a card or NO_CARD."""
    R = tables[0]
    X = scratch[0]
    seat = U(R.color_seat[color])
    X.overflow = _0
    X.outcomes = _0
    X.compulsory = _0
    X.again = followup
    X.drawn = drawn
    X.turns_had[seat] = _1 - first_turn
    hands.hold(X, seat, cards)
    p0, p1, p2, p3 = seen_by(words, color)
    for number in range(len(CARDS)):
        card = U(number)
        if hands.playable(R, X, seat) >> card & _1 != _0:
            before = X.outcomes
            list_card(R, X, color, card, p0, p1, p2, p3)
            hand.lay_idle(R, X, card, before, p0, p1, p2, p3)
    hand.decline(R, X, seat, p0, p1, p2, p3)


@entry
def begin(tables, scratch, seed, game):
    """Sets a match up in the scratch record, with its first round."""
    R = tables[0]
    X = scratch[0]
    X.overflow = _0
    match.begin_match(R, X, game)
    match.begin_round(R, X, seed, game)


@entry
def let_begin(tables, scratch, seat):
    """Has another player begin the match that is set up, with hands dealt from there on."""
    R = tables[0]
    X = scratch[0]
    X.seat = seat
    X.first_seat = seat
    X.opening_seat = seat
    put_on_board(R, X)
    give_head_starts(R, X)
    if R.hand_size != _0:
        X.draws = _0
        hands.deal(R, X)


@entry
def end_round(tables, scratch):
    """Counts the round that is over; returns whether the match goes on with another."""
    return points.end_round(tables[0], scratch[0])


@entry
def next_round(tables, scratch, seed, game):
    """Sets up the next round of a match."""
    match.next_round(tables[0], scratch[0], seed, game)


@entry
def put_pawns(tables, scratch, words):
    """Begins the game that is set up from another position, four words by color; who has finished there, holds no cards."""
    R = tables[0]
    X = scratch[0]
    for number in range(4):
        color = U(number)
        move_color(R, X, color, words[color])
    for number in range(R.players):
        seat = U(number)
        word = words[U(R.seat_color[seat])]
        X.tally[tally_at(seat, TALLY.first_start)] = 0 if on_start(word) < R.pawns else -1
        if word == R.home_word and R.finished_skip * R.hand_size != _0:
            hands.drop_hand(R, X, seat)


@entry
def step(tables, line_up, scratch):
    """Resolves one card; returns whether the round goes on."""
    return match.step(tables[0], line_up[0], scratch[0])
