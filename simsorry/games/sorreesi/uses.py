"""What a player can do with what is left to spend: every distinct outcome of a decision, once.

Moves of one pawn that spend the same are a *group*: what they have in common, and a mask of the pawns that can move. Two of them never
end alike, as a pawn stands for all of its color on its square. Only splits of a 7 can, and those, swaps and Sorry! cards, are
listed one by one.
"""

import numpy as np

from simsorry.games.frames import frame_of
from simsorry.games.options import CARDS
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.actions import (
    BACK,
    BONUS,
    CARD,
    DIE1,
    DIE2,
    HOP,
    LANE,
    OTHER,
    OTHER_LANE,
    PARTNER,
    SPENDS,
    SQUARES,
    START,
    STOP,
    SWAP,
    TAKE,
    bonus_of,
    dice_of,
    kind_of,
    squares_of,
)
from simsorry.games.sorreesi.landing import fight_waits
from simsorry.games.sorreesi.moves import put_down
from simsorry.games.sorreesi.sevens import list_sevens
from simsorry.games.sorreesi.state import BONUS_ALONE, KINDS, partner_of, places, set_frame
from simsorry.jit import inner, small, stay_apart
from simsorry.lanes import below, count, drop_first, equal, first, get, lane_bit, nth, zeros

U = np.uint64

_0, _1, _2, _3, _5, _8, _9, _32, _33 = U(0), U(1), U(2), U(3), U(5), U(8), U(9), U(32), U(33)
BASE = U(t.BASE)
_SEVEN, _TEN, _ELEVEN, _SORRY = (U(CARDS.index(name)) for name in ("7", "10", "11", "sorry"))
_SINGLE = U(t.SINGLE_HOP)
_USES_DIE1, _USES_DIE2, _USES_CARD = U(t.USES_DIE1), U(t.USES_DIE2), U(t.USES_CARD)
_ANY_TIME = U(t.ANY_TIME)
_ROW1, _ROW2, _ROW3 = (U(t.STRIDE * other) for other in (1, 2, 3))


@small
def add_group(X, template, movers):
    """Adds the moves of these pawns that spend the same."""
    X.template[X.groups] = template
    X.movers[X.groups] = movers
    X.groups += _1
    X.total += count(movers)


@small
def add_single(X, action):
    """Adds an action that stands in no group."""
    X.action[X.listed] = action
    X.listed += _1


@small
def reaching(R, word, movers, squares):
    """The pawns among ``movers`` that a count does not take too far (S-9, SQ33)."""
    needed = squares - R.slack if squares > R.slack else _1
    return movers & ~below(word, needed)


@inner
def drop_unchanged(R, X, begin, partner, color):
    """Drops moves of the partner's pawns that bounce back to where they began, if the own pawns have such a move.

    These are the only moves of single pawns that end alike. ``begin`` is the first group of the partner's.
    """
    stay_apart()
    for g in range(begin, X.groups):
        template = X.template[U(g)]
        squares = squares_of(template)
        if kind_of(template) != HOP or squares & _1 != _0:
            continue
        place = squares >> _1
        same = X.movers[U(g)] & equal(X.word[partner], place)
        if same == _0 or equal(X.word[color], place) == _0 or fight_waits(R, X, partner, place) or fight_waits(R, X, color, place):
            continue
        X.movers[U(g)] ^= same
        X.total -= _1


# -- by kind of move ---------------------------------------------------------------------------------


@small
def list_hops(R, X, word, movers, whose):
    """Hops by dice and a card's forward count, alone or added up (S-4, SQ2)."""
    forward = R.forward[X.card]
    shape = X.dice[_0] + _3 * X.dice[_1] + _9 * U(forward != _0)
    v1, v2 = X.number[_0], X.number[_1]
    at = shape * U(t.WAYS)
    groups, total, uses = X.groups, X.total, _0
    for _ in range(R.ways[shape]):  # without a branch for whether anybody can go that far: who knows
        way = R.way[at]
        at += _1
        squares = ((way >> DIE1) & _3) * v1 + ((way >> DIE2) & _3) * v2 + ((way >> _8) & _1) * forward
        able = reaching(R, word, movers, squares)
        X.template[groups] = HOP | whose | (way & SPENDS) | (squares << SQUARES)
        X.movers[groups] = able
        some = U(able != _0)
        groups += some
        total += count(able)
        uses |= some * way
    X.groups = groups
    X.total = total
    X.uses |= uses


@small
def can_start(X):
    """Whether some of the unspent dice may show a 5, alone or together; nearly always right, and never wrongly no."""
    n1, n2 = X.dice[_0], X.dice[_1]
    v1, v2 = n1 * X.number[_0], n2 * X.number[_1]
    return (n1 | n2) > _1 or v1 == _5 or v2 == _5 or v1 + v2 == _5


@small
def list_starts(R, X, waiting, whose):
    """Bringing a pawn out of the base by dice or by a number card (S-3, SQ15, SQ18); ``waiting`` is the mask of those there."""
    pawn = lane_bit(first(waiting))
    if R.starts[X.card] != _0:
        add_group(X, START | whose | CARD, pawn)
        X.card_must = _1
    if can_start(X):
        list_starts_by_dice(R, X, pawn, whose)


@inner
def list_starts_by_dice(R, X, pawn, whose):
    """Those by dice."""
    stay_apart()
    v1, v2 = X.number[_0], X.number[_1]
    for k1 in range(X.dice[_0] + _1):
        for k2 in range(X.dice[_1] + _1):
            together = U(k1) + U(k2)
            if U(k1) * v1 + U(k2) * v2 == _5 and (R.enter_five if together == _1 else R.enter_sum) != _0:
                add_group(X, START | whose | (U(k1) << DIE1) | (U(k2) << DIE2), pawn)
                X.dice_start = _1


@small
def list_backs(R, X, word, movers, whose):
    """Backward moves by a 4 or a 10 (SQ34)."""
    squares = R.backward[X.card]
    if R.back_out == _0:  # nobody on the path whom the count would take out of it
        movers &= ~(below(word, R.path + _1) & ~below(word, R.path + _1 - squares))
    if movers != _0:
        add_group(X, BACK | whose | CARD | (squares << SQUARES), movers)
        X.card_optional |= _2


@small
def list_bonus_moves(R, X, word, movers, whose):
    """Hops by bonus units (S-11, S-16, SQ30); units of the same value are one choice."""
    for kind in range(KINDS):
        k = U(kind)
        if X.units[k] == _0:
            continue
        known = False
        for earlier in range(kind):
            known = known or (X.units[U(earlier)] != _0 and R.bonus[U(earlier)] == R.bonus[k])
        able = reaching(R, word, movers, R.bonus[k])
        if not known and able != _0:
            add_group(X, HOP | whose | ((k + _1) << BONUS) | (R.bonus[k] << SQUARES), able)
            X.bonus_able = _1


@inner
def list_swaps(R, X, color, whose, again):
    """Swaps of the pawns of a color by an 11 (SQ36).

    ``again`` says that the partner's swaps are listed already: then those with the partner's pawns are only missing where the partner's
    pawn, if it counts as the mover, may not be.
    """
    stay_apart()
    p0, p1, p2, p3 = frame_of(X, color)
    mine = places(p0)
    while mine != _0:
        pawn = first(mine)
        mine = drop_first(mine)
        place = get(p0, pawn)
        if place <= R.path or not stands_alone(R, place, p0, p1, p2, p3):
            continue
        for k in range(1, 4):
            if R.foe[(color << _2) + U(k)] != _0 or (U(k) == R.partner[color] and R.swap_partner != _0):
                list_swaps_with(R, X, color, whose, again, pawn, place, U(k))


@small
def list_swaps_with(R, X, color, whose, again, pawn, place, other):
    """Those of a pawn with the pawns of another color."""
    p0, p1, p2, p3 = frame_of(X, color)
    theirs = X.word[(color + other) & _3]
    again = again and other == R.partner[color]
    left = places(theirs)
    while left != _0:
        lane = first(left)
        left = drop_first(left)
        there = get(theirs, lane)
        if again and may_be_swapped(R, (color + other) & _3, (_0 - other) & _3, there, place):
            continue
        if may_be_swapped(R, color, other, place, there) and stands_alone(R, place_on(R, other, there), p0, p1, p2, p3):
            add_single(X, SWAP | whose | CARD | (pawn << LANE) | (other << OTHER) | (lane << OTHER_LANE))
            X.card_optional |= _1


@small
def on_square(R, place, p0, p1, p2, p3):
    """How many pawns of all colors stand on the square of an own place."""
    found = count(equal(p0, place)) + count(zeros(p1 ^ R.seen[_ROW1 + place]))
    return found + count(zeros(p2 ^ R.seen[_ROW2 + place])) + count(zeros(p3 ^ R.seen[_ROW3 + place]))


@small
def stands_alone(R, place, p0, p1, p2, p3):
    """Whether a pawn of this color may be swapped as far as others on its square go."""
    return R.swap_single == _0 or on_square(R, place, p0, p1, p2, p3) == _1


@small
def place_on(R, other, theirs):
    """The own place on the square where a pawn of the color ``other`` clockwise has the place ``theirs``."""
    return get(R.seen[((_0 - other) & _3) * U(t.STRIDE) + theirs], _0)


@small
def may_be_swapped(R, color, other, place, theirs):
    """Whether a pawn may be swapped with that of another color on its own place ``theirs``, as far as the squares go (S-18, SQ36)."""
    if theirs <= R.path:
        return False
    here = place_on(R, other, theirs)
    if here == place or (R.swap_may_cross == _0 and here > place):
        return False
    return R.protected[((color << _2) + other) * U(t.STRIDE) + here] == 0


@inner
def list_takes(R, X, color, pawn, whose):
    """Sorry! cards that put a pawn in the place of an opponent's (SQ37, SQ38), once for each square."""
    stay_apart()
    begin = X.listed
    for k in range(1, 4):
        other = U(k)
        foe = R.foe[(color << _2) + other] != _0
        if not foe and (other != R.partner[color] or R.sorry_any == _0):
            continue
        theirs = X.word[(color + other) & _3]
        left = places(theirs)
        while left != _0:
            lane = first(left)
            left = drop_first(left)
            if get(theirs, lane) <= R.path:
                continue
            here = place_on(R, other, get(theirs, lane))
            safe = R.protected[((color << _2) + other) * U(t.STRIDE) + here] != 0
            if (safe and (R.sorry_on_safe == _0 or not foe)) or is_listed(X, begin, here):
                continue
            add_single(X, TAKE | whose | CARD | (pawn << LANE) | (other << OTHER) | (lane << OTHER_LANE) | (here << SQUARES))
            X.card_must = _1


@small
def is_listed(X, begin, place):
    """Whether a Sorry! card onto that square is listed already, for the pawn of another color there."""
    found = False
    for i in range(begin, X.listed):
        found = found or (X.action[U(i)] >> SQUARES) & U(127) == place
    return found


# -- the decision ------------------------------------------------------------------------------------


@small
def list_color(R, X, color, whose):
    """Everything that pawns of one color can be moved for, but swaps and split 7s."""
    word = X.word[color]
    movers = places(word)
    bonus = X.phase == BONUS_ALONE or R.timing == _ANY_TIME
    if movers != _0:
        list_hops(R, X, word, movers, whose)
        if bonus and (X.units[_0] | X.units[_1] | X.units[_2]) != _0:
            list_bonus_moves(R, X, word, movers, whose)
        if R.backward[X.card] != _0:
            list_backs(R, X, word, movers, whose)
    waiting = equal(word, BASE)
    if waiting != _0:
        list_starts(R, X, waiting, whose)
        if X.card == _SORRY and R.takes != _0:
            list_takes(R, X, color, first(waiting), whose)


@small
def controls(R, X, color):
    """Whether a player moves the own pawns, and whether the partner's (SQ40, SQ42)."""
    if R.team == _0:
        return True, False
    if R.own_only == _0:
        return True, True
    helping = X.word[color] == R.home_word and R.finished_skip == _0
    return not helping, helping


@inner
def list_everything(R, X, color):
    """Lists every use but *stop*."""
    stay_apart()
    own, partner = controls(R, X, color)
    if own:
        list_color(R, X, color, _0)
    if partner:
        begin = X.groups
        list_color(R, X, partner_of(R, color), PARTNER)
        if own and R.slack != _0 and R.any_home == _0:
            drop_unchanged(R, X, begin, partner_of(R, color), color)
    if X.card == _SEVEN and R.parts > _1:
        list_sevens(R, X, color, own, partner)
    elif X.card == _ELEVEN:
        if own:
            list_swaps(R, X, color, _0, False)
        if partner:
            list_swaps(R, X, partner_of(R, color), PARTNER, own)


@small
def clear_list(X):
    X.groups = _0
    X.listed = _0
    X.total = _0
    X.stop = _0
    X.card_must = _0
    X.uses = _0
    X.card_optional = _0
    X.dice_start = _0
    X.bonus_able = _0


@small
def must_use_card(R, X):
    """Whether the card has a use that can't be declined (SQ5, SQ6)."""
    optional = _0
    if X.card_optional != _0:
        forced = R.swap_forced if X.card == _ELEVEN else R.ten_back_forced if X.card == _TEN else _1
        optional = forced
    return (X.card_must | (X.uses & _USES_CARD) | optional) != _0


@small
def pick(X, k):
    """The action of outcome ``k``."""
    if k < X.listed:
        return X.action[k]
    k -= X.listed
    action = STOP
    for g in range(X.groups):
        movers = X.movers[U(g)]
        size = count(movers)
        if k < size:
            action = X.template[U(g)] | (nth(movers, k) << LANE)
            break
        k -= size
    return action


@inner
def expand(X):
    """Writes every outcome as an action of its own, in the order of ``pick``."""
    stay_apart()
    n = X.listed
    for g in range(X.groups):
        movers = X.movers[U(g)]
        while movers != _0:
            X.action[n] = X.template[U(g)] | (first(movers) << LANE)
            n += _1
            movers = drop_first(movers)
    if X.stop != _0:
        X.action[n] = STOP


# -- card_compulsion = global ------------------------------------------------------------------------


@inner
def keep_card_usable(R, X, seat):
    """Drops the uses of dice and bonus units that would leave the card without a use (SQ5); the list is then one of single actions."""
    stay_apart()
    expand(X)
    n = X.total
    color = U(R.seat_color[seat])
    kept = _0
    uses, dice_start, bonus_able = _0, _0, _0
    for i in range(n):
        action = X.action[U(i)]
        if action & CARD == _0 and not card_usable_after(R, X, color, action, n):
            continue
        X.action[kept] = action
        kept += _1
        k1, k2 = dice_of(action)
        if kind_of(action) == START:
            dice_start |= U(k1 + k2 != _0)
        elif bonus_of(action) != _0:
            bonus_able = _1
        elif R.combine == _SINGLE or (k1 + k2 == _1 and action & CARD == _0):
            uses |= U(k1 != _0) * _USES_DIE1 | U(k2 != _0) * _USES_DIE2
    X.groups = _0
    X.listed = kept
    X.total = kept
    X.uses, X.dice_start, X.bonus_able = uses, dice_start, bonus_able


@inner
def card_usable_after(R, X, color, action, n):
    """Whether the card would have to be used after a use of something else, its fights not rolled for; uses the list behind ``n``."""
    stay_apart()
    p0, p1, p2, p3 = frame_of(X, color)
    w0, w1, w2, w3 = put_down(R, X, color, p0, p1, p2, p3, action)
    k1, k2 = dice_of(action)
    set_frame(X, color, w0, w1, w2, w3)
    X.dice[_0] -= k1
    X.dice[_1] -= k2
    clear_list(X)
    X.listed = n
    list_everything(R, X, color)
    usable = must_use_card(R, X)
    X.dice[_0] += k1
    X.dice[_1] += k2
    set_frame(X, color, p0, p1, p2, p3)
    return usable


# -- the list as a whole ------------------------------------------------------------------------------


@small
def finish_list(R, X, seat):
    """Adds *stop* where it is on offer (rulebook 13.1); returns the number of outcomes."""
    must = must_use_card(R, X)
    X.total += X.listed
    if must and R.card_global != _0:
        keep_card_usable(R, X, seat)
    if X.total == _0:
        return _0
    able = ((X.uses >> _32) & _1) * X.dice[_0] + ((X.uses >> _33) & _1) * X.dice[_1]
    barred = must or able > R.dice_pass
    barred = barred or (R.enter_forced & X.dice_start) != _0 or (R.bonus_forced & X.bonus_able) != _0
    X.stop = U(not barred)
    return X.total + X.stop


@inner
def list_uses(R, X, seat):
    """Fills in the list for the player to move; returns the number of outcomes, *stop* included."""
    stay_apart()
    clear_list(X)
    list_everything(R, X, U(R.seat_color[seat]))
    return finish_list(R, X, seat)
