"""Looking ahead: what games have in common where a policy chooses by playing on from each outcome, many times, and seeing what comes of it.

The outcomes that the policy's weights like best are each played on from with luck of their own: as many *play-outs* for each on average as
the policy says, all turns of which everybody takes by these weights. A play-out ends with the round, or so many turns after the player's
own, and counts the chance that the player's side has won it: 1 or 0 where there is a winner, else a softmax of how the weights score the
position for each side. What the player can't see, the order of the pile and the others' hands, is dealt anew in every play-out; the same
play-out of all outcomes has the same luck.

Play-outs are spent in phases of sequential halving: after each the better half of the outcomes is left, and always the one that the
weights alone would choose. Another is taken in its place only if it did better by more than the play-outs' own spread explains.
"""

import math

import numpy as np

from simsorry import rng
from simsorry.games import audit
from simsorry.games.choosing import VARIETY, is_careless, kept_value
from simsorry.games.columns import NOBODY
from simsorry.games.course import begin_course, softened
from simsorry.games.hands import MAX_HELD, NO_CARD, VALUES
from simsorry.games.options import CARDS
from simsorry.games.standings import side_of_seat
from simsorry.jit import inner, small, stay_apart

U = np.uint64

MOST_LOOKED = 64  # outcomes that are played on from at most
CERTAIN = np.int64(1 << 16)  # what a play-out counts that the player's side has won
DOUBT = 1.0  # standard errors by which another outcome has to do better than the one that the weights like best

SCRATCH_FIELDS = [
    ("looked", np.uint64, (MOST_LOOKED,)),  # outcomes that are still played on from, the best by score first
    ("worth", np.int64, (MOST_LOOKED,)),  # by outcome looked at: what its play-outs count together
    ("better", np.int64, (MOST_LOOKED,)),  # the same above what those of the first do, and the squares of that
    ("spread", np.float64, (MOST_LOOKED,)),
    ("side_score", np.int64, (4,)),
]

_0, _1, _2 = U(0), U(1), U(2)
_NOBODY = U(NOBODY)
_CARDS = len(CARDS)
_HELD, _VALUES = U(MAX_HELD), U(VALUES)
_PLAYOUTS = U(1 << 34)  # from which word on a decision's luck is that of its play-outs
# Steps of a sequence that fills the square evenly (the powers of the plastic number's inverse): the first card or dice of a play-out, and
# the first of the other kind, are spread over all there are rather than drawn.
_STEP_ONE, _STEP_OTHER = U(0xC13FA9A902A6328F), U(0x91E10DA5C79E7B1D)


@small
def luck_of(luck, number):
    """The random word that all luck of a play-out comes from; ``luck`` is that of the decision."""
    return rng.word(luck, _PLAYOUTS + number)


@small
def first_word(luck, number):
    """The word that is the first luck of a play-out, spread evenly over the play-outs of a decision."""
    return rng.word(luck, _PLAYOUTS - _1) + number * _STEP_ONE


@small
def other_word(luck, number):
    """Another such word."""
    return rng.word(luck, _PLAYOUTS - _2) + number * _STEP_OTHER


# -- which outcomes ------------------------------------------------------------------------------------


@inner
def begin_looking(Q, X, seat, n):
    """Settles on the outcomes to look at, the best of ``n`` by score, and how many; nothing is known of them yet."""
    stay_apart()
    most = min(U(n), U(MOST_LOOKED))
    if Q.breadth[seat] != _0 and Q.weighted[seat] != _0:
        most = min(most, Q.breadth[seat])
    found = _0
    for number in range(n):
        score = X.score_of[U(number)] if Q.weighted[seat] != _0 else np.int64(0)
        if found == most and score <= score_of_looked(Q, X, seat, most - _1):
            continue
        at = found if found < most else most - _1
        while at != _0 and score_of_looked(Q, X, seat, at - _1) < score:
            X.looked[at] = X.looked[at - _1]
            at -= _1
        X.looked[at] = U(number)
        found = min(found + _1, most)
    for k in range(found):
        X.worth[U(k)] = 0
        X.better[U(k)] = 0
        X.spread[U(k)] = 0.0
    return found


@small
def score_of_looked(Q, X, seat, at):
    return X.score_of[X.looked[at]] if Q.weighted[seat] != _0 else np.int64(0)


@small
def phases_of(alive):
    """How often so many outcomes are halved until two are left, and once more."""
    phases = _1
    while alive > _2:
        alive = (alive + _1) >> _1
        phases += _1
    return phases


@small
def count_playout(X, k, value, first):
    """Notes what a play-out of outcome ``k`` of those looked at counts, and by how much that is more than the same of the first."""
    X.worth[k] += value
    X.better[k] += value - first
    X.spread[k] += np.float64(value - first) * np.float64(value - first)


@inner
def halve(X, alive):
    """Leaves the better half of the outcomes looked at, the first among them in any case; returns how many."""
    stay_apart()
    for number in range(2, alive):
        k = U(number)
        while k > _1 and X.worth[k] > X.worth[k - _1]:
            swap_looked(X, k)
            k -= _1
    return (alive + _1) >> _1 if alive > _2 else alive


@small
def swap_looked(X, k):
    """Exchanges outcome ``k`` of those looked at with the one before it."""
    before = k - _1
    X.looked[k], X.looked[before] = X.looked[before], X.looked[k]
    X.worth[k], X.worth[before] = X.worth[before], X.worth[k]
    X.better[k], X.better[before] = X.better[before], X.better[k]
    X.spread[k], X.spread[before] = X.spread[before], X.spread[k]


def looking_ahead(play_out):
    """The compiled function by which a game's policies look ahead.

    ``play_out(R, Q, X, Y, words, copy, at, seat, luck, number)`` plays on from outcome ``at`` in the scratch record ``Y`` and returns
    what that counts; ``words`` and ``copy`` are both records as words.
    """

    @inner
    def look_ahead(R, Q, X, Y, words, copy, seat, luck):
        stay_apart()
        alive = begin_looking(Q, X, seat, X.outcomes)
        phases = phases_of(alive)
        number = _0
        budget = Q.playouts[seat] * alive // phases
        for _ in range(phases):
            for _ in range(max(budget // alive, _1)):
                first = play_out(R, Q, X, Y, words, copy, X.looked[_0], seat, luck, number)
                count_playout(X, _0, first, first)
                for k in range(1, alive):
                    value = play_out(R, Q, X, Y, words, copy, X.looked[U(k)], seat, luck, number)
                    count_playout(X, U(k), value, first)
                number += _1
            alive = halve(X, alive)
        return best_looked(X, alive)

    return look_ahead


@small
def luck_of_card(X):
    """The random word of the decision about a card that is open."""
    return rng.word(X.choices_key, X.resolved)


@small
def itself(_X, at):
    """An outcome by number, where that is what is taken."""
    return at


@small
def best_looked(X, alive):
    """The outcome taken: the one that the weights like best, unless another did clearly better."""
    chosen = _0
    for number in range(1, alive):
        k = U(number)
        clearly = np.float64(X.better[k]) > DOUBT * math.sqrt(X.spread[k])
        if clearly and X.worth[k] > X.worth[chosen]:
            chosen = k
    return X.looked[chosen]


# -- what the player can't see ---------------------------------------------------------------------------


@inner
def deal_unseen(R, Y, seat, key):
    """Deals the others' hands anew, from their cards and those of the pile."""
    stay_apart()
    for s in range(R.players):
        if U(s) != seat and R.replacement == _0:
            for i in range(Y.held[U(s)]):
                Y.deck[Y.left] = Y.hand[U(s) * _HELD + U(i)]
                Y.left += _1
    drawn = _0
    for s in range(R.players):
        other = U(s)
        if other == seat:
            continue
        Y.values[other] = _0
        for value in range(VALUES):
            Y.have[other * _VALUES + U(value)] = 0
        for i in range(Y.held[other]):
            at = rng.below(rng.word(key, drawn), Y.left)
            drawn += _1
            card = U(Y.deck[at])
            if R.replacement == _0:
                Y.left -= _1
                Y.deck[at] = Y.deck[Y.left]
            Y.hand[other * _HELD + U(i)] = card
            Y.have[other * _VALUES + card] += 1
            Y.values[other] |= _1 << card


@small
def deal_cards(R, Y, seat, luck, number, key):
    """Deals the cards of a play-out that nobody has seen: the others' hands, and the pile from its next card on."""
    if R.hand_size != _0:
        deal_unseen(R, Y, seat, key)
    Y.cards_key = rng.key_for(first_word(luck, number), Y.draws)


@inner
def held_value(Q, Y, base, seat, last_starter):
    """The weighed features of a whole hand, of which ``kept_value`` leaves out what does not depend on the card that is played."""
    stay_apart()
    value = kept_value(Q, Y, base, seat, NO_CARD, last_starter)
    for number in range(_CARDS):
        have = np.int64(Y.have[seat * _VALUES + U(number)])
        value += Q.hand[base + U(number)] * have + Q.hand[base + VARIETY] * np.int64(have > 0)
    return value


# -- what a play-out counts ------------------------------------------------------------------------------


@small
def won_by(R, Y, seat):
    """What a play-out counts that has a winner."""
    return CERTAIN if side_of_seat(R, Y.winner) == side_of_seat(R, seat) else np.int64(0)


def judging(position_score):
    """The compiled function that says what a play-out counts, from how a game's policies score positions."""

    @inner
    def judge(R, Q, Y, seat):
        stay_apart()
        if Y.winner != _NOBODY:
            return won_by(R, Y, seat)
        for s in range(R.players):
            if side_of_seat(R, U(s)) == U(s):
                Y.side_score[U(s)] = position_score(R, Q, Y, U(s))
        return chance_of(R, Q, Y, seat)

    return judge


@small
def chance_of(R, Q, Y, seat):
    """What a play-out counts that has none: the chance of a seat's side, by ``Y.side_score`` of every side's first seat."""
    mine = side_of_seat(R, seat)
    top = Y.side_score[mine]
    for s in range(R.players):
        if side_of_seat(R, U(s)) == U(s):
            top = max(top, Y.side_score[U(s)])
    total, own = np.int64(0), np.int64(0)
    for s in range(R.players):
        side = U(s)
        if side_of_seat(R, side) == side:
            share = softened((top - Y.side_score[side]) // (Q.step[seat] * np.int64(R.pawns)))
            total += share
            if side == mine:
                own = share
    return own * CERTAIN // total


def playing_out(lasting, prepare, close_first, step, judge):
    """The compiled function that plays on from an outcome, and returns what that counts for the player's side.

    A game's own are: how many words of its scratch record are the game (``lasting``); what else a copy takes, and its luck (``prepare``);
    how the outcome is taken there (``close_first``), and every card after it (``step``); and what the end counts (``judge``).
    """

    @inner
    def play_out(R, Q, X, Y, words, copy, at, seat, luck, number):
        stay_apart()
        for i in range(lasting):
            copy[i] = words[i]
        unseen = luck_of(luck, number)
        begin_course(Y)
        Y.choices_key = rng.word(unseen, _0)
        prepare(R, X, Y, at, seat, luck, number, rng.word(unseen, _1))
        last = X.turns + _1 + Q.horizon[seat]
        going = close_first(R, X, Y, at)
        while going and Y.winner == _NOBODY and Y.turns < last:
            going = step(R, Q, Y)
        return judge(R, Q, Y, seat)

    return play_out


# -- the game --------------------------------------------------------------------------------------------


def playing(
    play_out, step_by_weights, open_card, choose, close_card, luck_now, note_choice, complete, taken, before_audited, after_audited,
    begin_match, begin_round, take_stock, end_round, next_round, write_game, write_seat,
):  # fmt: skip
    """The compiled functions that resolve a card, and that play games and write their rows, in whatever way everybody chooses.

    All that they are made of is a game's own: how a card, or another decision, is resolved by weights; how it is begun, chosen about and
    finished; its random word; how it is counted, what it takes for its outcomes to be at hand (``complete``), and what is taken of them by
    number (``taken``); what is looked at in audited games before and after it; and how matches and their rounds begin and end.
    """
    look_ahead = looking_ahead(play_out)

    @small
    def step_watched(R, Q, X):
        if X.audited != _0:
            before_audited(R, X)
        going = step_by_weights(R, Q, X)
        if X.audited != _0:
            after_audited(R, X)
        return going

    @inner
    def close_watched(R, X, what):
        stay_apart()
        going = close_card(R, X, what)
        if X.audited != _0:
            after_audited(R, X)
        return np.int64(going)

    @inner
    def choose_deeply(R, line_ups, X, Y, words, copy):
        stay_apart()
        Q, seat = line_ups[0], X.seat
        what = choose(R, Q, X)
        if X.outcomes == _1 or Q.playouts[seat] == _0:
            return what
        luck = luck_now(X)
        if is_careless(Q, X, seat, luck):
            return what
        if Q.weighted[seat] == _0:  # or the weights have had them all at hand
            complete(R, X)
        return taken(X, look_ahead(R, line_ups[_1 + seat], X, Y, words, copy, seat, luck))

    @inner
    def step(R, line_ups, X, Y, words, copy, answer):
        """Resolves a card: 1 if the round goes on, 0 if not, -1 if the player is asked; ``answer`` is what one who was asked takes."""
        stay_apart()
        if answer >= 0:
            return close_watched(R, X, taken(X, U(answer)))
        Q = line_ups[0]
        if X.audited != _0:
            before_audited(R, X)
        open_card(R, Q, X)
        if Q.asks[X.seat] != _0 and X.outcomes > _1:
            note_choice(X, X.outcomes)
            complete(R, X)
            return np.int64(-1)
        return close_watched(R, X, choose_deeply(R, line_ups, X, Y, words, copy) if X.outcomes != _0 else _0)

    @inner
    def close_round(R, X):
        """Counts a round that is over; returns whether the match goes on with another."""
        stay_apart()
        if X.audited != _0:
            take_stock(R, X)
            audit.end_round(R, X)
        return end_round(R, X)

    @inner
    def play_on(R, line_ups, X, Y, words, copy, seed, game, answer):
        """Plays a match on to its end, or to a decision in which a player is asked; returns whether that is so."""
        stay_apart()
        more = True
        while more:
            going = np.int64(1)
            while going > 0:
                going = step(R, line_ups, X, Y, words, copy, answer)
                answer = -1
            if going < 0:
                return True
            more = close_round(R, X)
            if more:
                next_round(R, X, seed, game)
        return False

    @inner
    def play_by_weights(R, Q, X, seed, game):
        """Plays a match in which everybody goes by weights."""
        stay_apart()
        more = True
        while more:
            going = True
            while going:
                going = step_watched(R, Q, X)
            more = close_round(R, X)
            if more:
                next_round(R, X, seed, game)

    @inner
    def write_rows(R, X, first_game, i, games, seats, audits):
        """The rows of a game that is over."""
        stay_apart()
        if X.audited != _0:
            audit.write_chunk(X, first_game, first_game + U(i), audits)
        take_stock(R, X)
        write_game(R, X, i, games)
        for order in range(R.players):
            write_seat(R, X, i, order, games, seats)

    @inner
    def play_games(R, line_ups, X, Y, words, copy, seed, first_game, at, answer, games, seats, audits):
        stay_apart()
        if answer < 0:
            X.overflow = _0
            Y.overflow = _0
        for i in range(at, games.shape[1]):
            game = first_game + U(i)
            if answer < 0:
                begin_match(R, X, game)
                begin_round(R, X, seed, game)
            if line_ups.shape[0] == 1:
                play_by_weights(R, line_ups[0], X, seed, game)
            elif play_on(R, line_ups, X, Y, words, copy, seed, game, answer):
                return i
            answer = -1
            write_rows(R, X, first_game, i, games, seats, audits)
        return -1 if X.overflow | Y.overflow != _0 else games.shape[1]

    return step, play_games
