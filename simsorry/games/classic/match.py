"""The turn loop of everything: hands of cards, teams, points, matches; and what Python calls to have blocks of games played.

``step`` resolves one card: it lists what the drawn card, or every card of the hand, can do with the pawns that the player moves,
lets the policy choose, and moves. A game is a match of one round or more; the rounds of a match have chance streams of their own.
"""

import numpy as np

from simsorry import deck, rng
from simsorry.games.classic import hand
from simsorry.games.classic import tables as t
from simsorry.games.classic.actions import (
    BLOCKED,
    MOVE,
    NOTHING,
    OPTIONAL,
    PARTNER,
    PASS,
    SWAP,
    TAKE,
    THROW,
    kind_of,
    part_of,
    parts_of,
    row_of,
    swapped_of,
)
from simsorry.games.classic.columns import NOBODY
from simsorry.games.classic.counting import (
    count_action,
    count_in_team,
    note_finish,
    note_lead,
    place_of,
    side_of_seat,
    write_game,
    write_seat,
)
from simsorry.games.classic.hand import NO_CARD
from simsorry.games.classic.kernel import OK, TOO_MANY_OUTCOMES, begin, first_seat, play_single
from simsorry.games.classic.landing import controls, from_frame, land_apart, land_for, of_frame, target_of, to_frame, turned, with_frame
from simsorry.games.classic.listing import add_idle
from simsorry.games.classic.moves import list_card
from simsorry.games.classic.plain import carry_out_apart, list_plain
from simsorry.games.classic.rules import CARDS
from simsorry.games.classic.scoring import best_in_match
from simsorry.games.classic.state import (
    CHOSE,
    CHOSE_THROW,
    MAX_HELD,
    TALLY,
    clear_counts,
    frame_of,
    move_all,
    put_on_board,
    tally,
    tally_at,
)
from simsorry.games.classic.team_sevens import list_team_sevens
from simsorry.jit import entry, inner, small, stay_apart
from simsorry.lanes import get, lowest, put

U = np.uint64

_0, _1, _2, _3, _4, _7, _8, _16, _32 = U(0), U(1), U(2), U(3), U(4), U(7), U(8), U(16), U(32)
_NOBODY = U(NOBODY)
_ALWAYS, _IF_PLAYED, _NO_MORE, _PLAY_DRAWN = U(t.ALWAYS), U(t.IF_PLAYED), U(t.NO_MORE), U(t.PLAY_DRAWN)
_TWO = U(CARDS.index("2"))
BACKWARD = U(t.BACKWARD)
_THROWN = U(1 << 32)  # which word of a decision's luck picks the card that is thrown in at random; ties use the lower ones


# -- carrying out ------------------------------------------------------------------------------------


@inner
def carry_out_one(R, color, p0, p1, p2, p3, action):
    """A listed action that moves one pawn of the frame's first color, in team play."""
    stay_apart()
    lane = part_of(action, _0) & _7
    kind = kind_of(action)
    if kind == MOVE:
        rides = R.slide_on_backward | U(row_of(action) < BACKWARD)
        return land_apart(R, color, p0, p1, p2, p3, lane, target_of(R, row_of(action), get(p0, lane)), rides)
    other = swapped_of(action)
    word = of_frame(p1, p2, p3, other)
    their_lane = (action >> _16) & _7
    place = to_frame(get(word, their_lane), other)
    rides = R.slide_after_sorry
    if kind == SWAP:
        p1, p2, p3 = with_frame(p1, p2, p3, other, put(word, their_lane, from_frame(get(p0, lane), other)))
        rides = U(R.slide_after_swap != U(t.SWAP_NONE))
    return land_apart(R, color, p0, p1, p2, p3, lane, place, rides)


@inner
def carry_out_in_team(R, color, p0, p1, p2, p3, action):
    """The position after a listed action where colors have partners, and its events; both frames begin with the player's color."""
    stay_apart()
    other = U(R.partner[color])
    events = _0
    if kind_of(action) > TAKE:
        return p0, p1, p2, p3, events
    if parts_of(action) == _1:
        turn = other if action & PARTNER != _0 else _0
        w0, w1, w2, w3 = turned(p0, p1, p2, p3, turn)
        w0, w1, w2, w3, events = carry_out_one(R, (color + turn) & _3, w0, w1, w2, w3, action)
        w0, w1, w2, w3 = turned(w0, w1, w2, w3, (_4 - turn) & _3)
        return w0, w1, w2, w3, events
    for i in range(parts_of(action)):
        part = part_of(action, U(i))
        turn = other if part >> _7 != _0 else _0
        place = target_of(R, (part >> _3) & _7, get(p0 if turn == _0 else of_frame(p1, p2, p3, other), part & _7))
        p0, p1, p2, p3, did = land_for(R, color, turn, p0, p1, p2, p3, part & _7, place, _1)
        events += did
    return p0, p1, p2, p3, events


@inner
def carry_out(R, X, at, color, p0, p1, p2, p3):
    """The position after outcome ``at``, and its events."""
    stay_apart()
    if R.plain == _0:
        base = at << _2
        return X.result[base], X.result[base + _1], X.result[base + _2], X.result[base + _3], X.events[at]
    if R.team != _0:
        return carry_out_in_team(R, color, p0, p1, p2, p3, X.action[at])
    return carry_out_apart(R, color, p0, p1, p2, p3, X.action[at] if kind_of(X.action[at]) <= TAKE else PASS)


@inner
def carry_out_all(R, X, color, p0, p1, p2, p3):
    """Fills in the results and events of all outcomes, where they were only listed."""
    stay_apart()
    for number in range(X.outcomes):
        at = U(number)
        base = at << _2
        w0, w1, w2, w3, events = carry_out(R, X, at, color, p0, p1, p2, p3)
        X.result[base] = w0
        X.result[base + _1] = w1
        X.result[base + _2] = w2
        X.result[base + _3] = w3
        X.events[at] = events


# -- what there is to choose from --------------------------------------------------------------------


@small
def list_plainly(R, X, color, card, p0, p1, p2, p3, mark):
    """Lists a card's actions with the pawns of the frame's first color, without carrying them out."""
    begin_at = X.outcomes
    n = list_plain(R, X, begin_at, color, card, p0, p1, p2, p3)
    for i in range(begin_at, n):
        X.action[U(i)] |= mark
        X.card[U(i)] = card
    # Swaps alone may be declined there, and they come last.
    X.compulsory += U(n != begin_at and X.action[begin_at] & OPTIONAL == _0)
    X.outcomes = n


@inner
def list_for(R, X, color, card, p0, p1, p2, p3):
    """Lists the distinct outcomes of a card with all pawns that the player moves."""
    stay_apart()
    if R.plain == _0:
        list_card(R, X, color, card, p0, p1, p2, p3)
        return
    if R.team == _0:
        list_plainly(R, X, color, card, p0, p1, p2, p3, _0)
        return
    ops = card << _3
    own, partner = controls(R, p0)
    if R.ops[ops + U(t.OP_SPLIT)] != 0:
        list_team_sevens(R, X, color, card, own, partner, p0, p1, p2, p3)
        return
    own_takes_only = U(R.ops[ops + U(t.OP_FLAGS)]) & U(t.TAKES) * (_1 - R.sorry_either)
    if U(R.ops[ops + U(t.OP_REPEATS)]) | own_takes_only != _0:
        list_card(R, X, color, card, p0, p1, p2, p3)  # backward moves of both colors can leave all as it was
        return
    if own != _0:
        list_plainly(R, X, color, card, p0, p1, p2, p3, _0)
    if partner != _0:
        other = U(R.partner[color])
        w0, w1, w2, w3 = turned(p0, p1, p2, p3, other)
        list_plainly(R, X, (color + other) & _3, card, w0, w1, w2, w3, PARTNER)


@inner
def list_drawn(R, X, color, card, p0, p1, p2, p3):
    """What a drawn card offers; passing, where it is on offer, is the last."""
    stay_apart()
    list_for(R, X, color, card, p0, p1, p2, p3)
    if X.outcomes != _0 and (X.compulsory == _0 or R.must_move == _0):
        add_idle(X, PASS, card, p0, p1, p2, p3)


@inner
def list_hand(R, X, seat, color, p0, p1, p2, p3):
    """What a hand offers: the plays of every card in it, and declining them where that is possible."""
    stay_apart()
    values = hand.playable(R, X, seat)
    while values != _0:
        card = lowest(values)
        values &= values - _1
        before = X.outcomes
        list_for(R, X, color, card, p0, p1, p2, p3)
        hand.lay_idle(R, X, card, before, p0, p1, p2, p3)
    hand.decline(R, X, seat, p0, p1, p2, p3)


@small
def note_choice(X, n):
    """Counts a decision if there is one; cards to throw in stand last, so the first outcome tells whether there is anything else."""
    several = U(n > _1)
    only_throws = U(kind_of(X.action[_0]) == THROW)
    X.turn_kind |= several * (CHOSE_THROW if only_throws != _0 else CHOSE)
    X.decisions += several * ((n << _32) | _1)


# -- one card ----------------------------------------------------------------------------------------


@inner
def list_choices(R, X, seat, color, p0, p1, p2, p3):
    """Lists what the player can choose from; returns the drawn card, or NO_CARD with a hand."""
    stay_apart()
    X.outcomes = _0
    X.compulsory = _0
    if R.hand_size != _0:
        list_hand(R, X, seat, color, p0, p1, p2, p3)
        return NO_CARD
    card = deck.draw(R, X, X.cards_key, X.again)
    list_drawn(R, X, color, card, p0, p1, p2, p3)
    return card


@inner
def choose(R, Q, X, seat, color, p0, p1, p2, p3):
    """The outcome that the player takes, of at least one, and the random word of the decision."""
    stay_apart()
    n = X.outcomes
    note_choice(X, n)
    luck = rng.word(X.choices_key, X.resolved)
    if n == _1 or Q.weighted[seat] == _0:
        return rng.below(luck, n), luck
    if R.plain != _0:
        carry_out_all(R, X, color, p0, p1, p2, p3)
    return best_in_match(R, Q, X, n, seat, p0, p1, p2, p3, luck), luck


@inner
def take_outcome(R, X, seat, color, at, p0, p1, p2, p3):
    """Moves as an outcome says, and notes what was done."""
    stay_apart()
    w0, w1, w2, w3, events = carry_out(R, X, at, color, p0, p1, p2, p3)
    move_all(R, X, color, w0, w1, w2, w3)
    action = X.action[at]
    X.did_action = action
    X.did_events = events
    if R.team != _0:
        count_in_team(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3)
    else:
        count_action(R, X, seat, action, events, p0, p1, p2, p3, w0, w1, w2, w3)
    return kind_of(action)


@inner
def step(R, Q, X):
    """Resolves one card; returns whether the round goes on. ``X.did_...`` tell what was done, ``X.outcomes`` of how many choices."""
    stay_apart()
    seat = X.seat
    color = U(R.seat_color[seat])
    p0, p1, p2, p3 = frame_of(X, color)
    card = list_choices(R, X, seat, color, p0, p1, p2, p3)
    X.resolved += _1
    kind = NOTHING
    X.did_action = NOTHING
    if X.outcomes != _0:
        at, luck = choose(R, Q, X, seat, color, p0, p1, p2, p3)
        card = U(X.card[at])
        kind = take_outcome(R, X, seat, color, at, p0, p1, p2, p3)
        if kind == THROW and card == NO_CARD:
            card = U(X.hand[seat * U(MAX_HELD) + rng.below(rng.word(luck, _THROWN), X.held[seat])])
    X.did_card = card
    mixed = (X.digest ^ X.word[color] ^ (card << U(56))) * rng.GOLDEN
    X.digest = mixed ^ (mixed >> _32)
    going = True
    if p0 != X.word[color] or R.team != _0:
        going = who_is_home(R, X, color)
    out = is_out(R, X, seat)
    if R.hand_size == _0:
        again = plays_again(R, card, kind) * U(not out)
    elif out:
        again = _0  # whoever is out has laid the hand down
    else:
        again = spend(R, X, seat, card, kind)
        if again == _0:
            hand.fill_for_next_turn(R, X, seat)
    return end_card(R, X, seat, again, going)


@small
def plays_again(R, card, kind):
    """1 if a drawn card gives another (H-14, HQ4)."""
    played = U(kind != NOTHING) & U(kind != PASS)
    wanted = U(R.two_again == _ALWAYS) | (U(R.two_again == _IF_PLAYED) & played)
    return (U(R.ops[card << _3]) >> _3) & wanted & U(kind != BLOCKED)


@inner
def spend(R, X, seat, card, kind):
    """Lays down the card that was played or thrown in, and draws; 1 if the turn goes on with another card (F-41, F-42)."""
    stay_apart()
    again = _0
    if kind == PASS or kind == NOTHING:  # noqa: SIM109 - numba knows no membership of a tuple built anew
        tally(X, seat, TALLY.cardless, 1)
    elif kind == THROW:
        hand.lay_down(R, X, seat, card, _0)
        if R.hand_refill != U(t.WHEN_EMPTY):
            hand.draw_to_hand(R, X, seat)
    else:
        hand.lay_down(R, X, seat, card, _1)
        again = hand.refill(R, X, seat, U(card == _TWO and kind != BLOCKED and R.two_in_hand != _NO_MORE))
    return again


# -- the end of a card, a turn, a round ---------------------------------------------------------------


@small
def is_out(R, X, seat):
    """Whether a player takes no more turns in a game that goes on (FQ18, HQ36)."""
    skips = R.finished_skip != _0 and X.word[U(R.seat_color[seat])] == R.home_word
    return X.place[seat] != 0 or skips


@inner
def who_is_home(R, X, color):
    """Notes who has finished with a card; returns whether the round goes on."""
    stay_apart()
    own = X.word[color] == R.home_word
    if R.team == _0:
        return finish(R, X, color, color) if own else True
    other = (color + U(R.partner[color])) & _3
    theirs = X.word[other] == R.home_word
    if (own and theirs) or (R.first_member_wins != _0 and (own or theirs)):
        return finish(R, X, color, other)
    if R.finished_skip * R.hand_size != _0:
        if own:
            hand.drop_hand(R, X, U(R.color_seat[color]))
        if theirs:
            hand.drop_hand(R, X, U(R.color_seat[other]))
    return True


@inner
def finish(R, X, color, other):
    """Notes that a player, or a team of two colors, has finished; returns whether the round goes on (H-30, H-37, F-15, HQ25)."""
    stay_apart()
    X.finished += _1
    sides = _2 if R.team != _0 else R.players
    X.place[U(R.color_seat[color])] = np.int32(X.finished)
    X.place[U(R.color_seat[other])] = np.int32(X.finished)
    if R.hand_size != _0:
        hand.drop_hand(R, X, U(R.color_seat[color]))
        hand.drop_hand(R, X, U(R.color_seat[other]))
    if X.finished == _1:
        X.winner = X.seat
        X.turns_to_win += np.int32(X.turns) + 1
        note_finish(R, X)
    if R.game_end == U(t.END_FIRST):
        return False
    return X.finished + _1 < sides or (R.game_end == U(t.END_ALL) and X.finished < sides)


@inner
def end_card(R, X, seat, again, going):
    """Counts the card or the turn it ends, and passes play on; returns whether the round goes on."""
    stay_apart()
    X.chain = (X.chain + _1) * again
    endless = X.chain >= U(t.MAX_CHAIN)
    if endless:
        again = _0
    X.again = again
    X.tally[tally_at(seat, TALLY.again if again != _0 else X.turn_kind)] += 1
    X.turn_kind *= again
    X.turns += _1 - again
    X.turns_had[seat] += _1 - again
    if not going:
        return False
    if X.turns >= R.turn_cap or endless:
        cut_off(R, X)
        return False
    following = seat + _1 if seat + _1 < R.players else _0
    round_over = U(following == X.first_seat)
    while is_out(R, X, following):  # finished players are passed over
        following = following + _1 if following + _1 < R.players else _0
        round_over |= U(following == X.first_seat)
    X.seat = seat if again != _0 else following
    if round_over > again:
        X.rounds += 1
        note_lead(R, X)
    return True


@inner
def cut_off(R, X):
    """Ends a round that has reached the turn cap, and its match."""
    stay_apart()
    X.capped = 1
    if X.winner == _NOBODY:
        X.turns_to_win += np.int32(X.turns)
        note_finish(R, X)


# -- points and matches ------------------------------------------------------------------------------


@inner
def begin_match(R, X):
    """A new match: nothing counted, no points."""
    stay_apart()
    clear_counts(R, X)
    X.match_round = _0
    X.rounds = 0
    X.turns_all = 0
    for s in range(4):
        X.won_by[U(s)] = _NOBODY


@inner
def begin_round(R, X, seed, game):
    """A new round: pawns in place, a full pile or hands dealt, and the player who begins (HQ1, H-30)."""
    stay_apart()
    purpose = X.match_round << _8
    X.cards_key = rng.stream(seed, game, rng.CARDS + purpose)
    X.choices_key = rng.stream(seed, game, rng.CHOICES + purpose)
    X.draws = _0
    X.resolved = _0
    X.chain = _0
    if X.match_round == _0:
        X.opening_seat = first_seat(R, rng.stream(seed, game, rng.FIRST_PLAYER), game)
        begin(X, X.opening_seat)
    else:
        begin(X, next_first_seat(R, X, rng.stream(seed, game, rng.FIRST_PLAYER + purpose)))
    X.rounds += 1
    put_on_board(R, X)
    for s in range(R.players):
        X.turns_had[U(s)] = _0
    if R.hand_size != _0:
        hand.deal(R, X)
    else:
        deck.fill(R, X)


@small
def next_first_seat(R, X, key):
    """Who begins the next round of a match."""
    if R.next_leader == U(t.LEADER_WINNER):
        return X.winner
    if R.next_leader == U(t.LEADER_NEXT):
        return (X.first_seat + _1) % R.players
    return rng.below(rng.word(key, _0), R.players)


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
    return R.match_target == _0 and R.match_rounds == _1


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


@entry
def play_matches(tables, line_up, scratch, seed, first_game, games, seats):
    """``play_block`` for any rules."""
    R = tables[0]
    Q = line_up[0]
    X = scratch[0]
    X.overflow = _0
    for i in range(games.shape[1]):
        begin_match(R, X)
        more = True
        while more:
            begin_round(R, X, seed, first_game + U(i))
            going = True
            while going:
                going = step(R, Q, X)
            more = end_round(R, X)
            X.match_round += U(more)
        write_game(R, X, i, games)
        for order in range(R.players):
            seat = (X.opening_seat + U(order)) % R.players
            write_seat(R, X, i, order, final_place(R, X, seat), games, seats)
    return TOO_MANY_OUTCOMES if X.overflow != _0 else OK


def play_block(tables, line_up, scratch, seed, first_game, games, seats):
    """Plays as many games as ``games`` has columns, numbered from ``first_game``.

    ``tables``, ``line_up``, ``scratch``: 1-element records; ``games``:
    int32[len(GAME_COLUMNS), n]; ``seats``: int32[len(SEAT_COLUMNS), n * players]. Fills both; returns OK or an
    error code.
    """
    play = play_single if tables[0]["single"] else play_matches
    return play(tables, line_up, scratch, seed, first_game, games, seats)
