"""What Python asks of the kernel besides blocks of games: single decisions, and games looked at use by use."""

import numpy as np

from simsorry import rng
from simsorry.games.frames import frame_of
from simsorry.games.sorreesi import kernel
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.moves import put_down
from simsorry.games.sorreesi.state import KINDS, ROLL, TALLY, give_head_starts, put_on_board, set_frame
from simsorry.games.sorreesi.uses import clear_list, expand, list_everything, list_uses, must_use_card
from simsorry.games.tallies import tally_at
from simsorry.jit import entry
from simsorry.lanes import count, equal

U = np.uint64

_0, _1, _2, _3 = U(0), U(1), U(2), U(3)


@entry
def uses_of(tables, scratch, color, phase, numbers, dice, card, units, words):
    """Lists the outcomes of a decision in a position of four words by color; fills ``scratch`` and returns how many there are.

    ``phase`` as in ``state``; ``numbers`` are what the unspent dice show and ``dice`` how many do, two each; ``units`` are the open
    bonus units by kind.
    """
    R = tables[0]
    X = scratch[0]
    X.overflow = _0
    for c in range(4):
        X.word[U(c)] = words[U(c)]
    X.phase = phase
    for k in range(2):
        X.number[U(k)] = numbers[U(k)]
        X.dice[U(k)] = dice[U(k)]
    X.card = card
    for kind in range(KINDS):
        X.units[U(kind)] = units[U(kind)]
    clear_list(X)
    list_everything(R, X, color)
    must = must_use_card(R, X)  # before the list is looked through for what would leave the card without a use
    n = list_uses(R, X, U(R.color_seat[color]))
    expand(X)
    X.card_must = U(must)
    return n


@entry
def look_at(tables, scratch, color, i):
    """Puts the pawns down as outcome ``i`` of the list has them: the position in ``result``, with captures and fights to come."""
    R = tables[0]
    X = scratch[0]
    p0, p1, p2, p3 = frame_of(X, color)
    w0, w1, w2, w3 = put_down(R, X, color, p0, p1, p2, p3, X.action[i])
    X.result[color] = w0
    X.result[(color + _1) & _3] = w1
    X.result[(color + _2) & _3] = w2
    X.result[(color + _3) & _3] = w3


@entry
def begin(tables, scratch, seed, game):
    """Sets up a game as ``play_block`` would."""
    scratch[0].overflow = _0
    kernel.set_up(tables[0], scratch[0], seed, game)


@entry
def let_begin(tables, scratch, seat):
    """Lets another table seat begin."""
    R = tables[0]
    X = scratch[0]
    kernel.let_begin(X, seat)
    put_on_board(R, X)
    give_head_starts(R, X)


@entry
def put_pawns(tables, scratch, words):
    """Replaces the position by four words by color, before a game has begun."""
    R = tables[0]
    X = scratch[0]
    set_frame(X, _0, words[_0], words[_1], words[_2], words[_3])
    for s in range(R.players):
        away = R.pawns - count(equal(words[U(R.seat_color[U(s)])], U(t.BASE)))
        X.tally[tally_at(U(s), TALLY.first_start)] = -1 if away == _0 else 0


@entry
def roll(tables, scratch):
    """Rolls the dice where that is due; returns whether the roll is lost, and with it the turn (``lose_turn``)."""
    R = tables[0]
    X = scratch[0]
    return X.phase == ROLL and kernel.roll_dice(R, X, X.seat)


@entry
def lose_turn(tables, scratch):
    """Ends a turn whose last roll is lost; returns whether the game goes on."""
    R = tables[0]
    X = scratch[0]
    kernel.penalize(R, X, X.seat)
    return kernel.end_turn(R, X, X.seat, True)


@entry
def next_use(tables, line_up, scratch):
    """Comes to one decision, rolling the dice before it where that is due; returns whether the game goes on."""
    return kernel.step(tables[0], line_up[0], scratch[0])


@entry
def fight_die(scratch, k):
    """The k-th die rolled in fights of the game that is set up, counted from 0."""
    return rng.below(rng.word(scratch[0].fights_key, k), U(6)) + _1
