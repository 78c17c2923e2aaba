"""Rules compiled for the kernel: one record of small integers and look-up tables.

*Places* are counted from each color's own start circle, so that one table serves all four colors: 0 the circle,
58 the safety zone's entry, 59 the square between entry and circle, 60..64 the safety zone, 65 HOME, 66 START.
A *row* is a way of moving (forward n, backward n, forward n past the own entry); ``target[row, place]`` is where
it leads before any slide, ``NOWHERE`` if it is not possible. Most options only change table contents.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from simsorry.errors import SimsorryError
from simsorry.games import seating
from simsorry.games.classic.rules import MAX_BANDS, Rules
from simsorry.games.options import CARDS, COLORS

TRACK = 60  # squares of the track; places below are on it
ENTRY, BEHIND_CIRCLE, ZONE, HOME, START, NOWHERE = 58, 59, 60, 65, 66, 127
CIRCLE_SQUARE = 4  # board square of red's start circle (rulebook 1.1)
SIDE = 15
PATH_SPAN = 80  # more than any distance along a pawn's way
NO_SEAT = 4
TRIANGLES = {"A": (-3, 3), "B": (5, 4)}  # slide: place of its triangle for its own color, squares ridden

FORWARD, BACKWARD, PAST = 0, 16, 32  # first row of each way of moving; row = that + squares
ARRIVES = 67  # HOME as a target, where it must not look taken by the pawns that are there
OUT, NO_ROW = 48, 63  # from START onto the circle; nowhere
ZONE_BIT = 60  # in a word of squares: the safety zone
ROW_STRIDE, ROWS = 128, 64

STARTS, SWAPS, TAKES, AGAIN = 1, 2, 4, 8  # what a card can do besides moving along a row
OPS_STRIDE = 8
OP_FLAGS, OP_FORWARD, OP_BACK, OP_PAST, OP_SPLIT, OP_BACK_OPTIONAL, OP_SIMPLE, OP_REPEATS = range(8)

ILLEGAL, SHARE, BUMP_SELF, ENDS_TURN = 0, 1, 2, 3
FIRST_RANDOM, FIRST_FIXED, FIRST_ROTATE = 0, 1, 2
NEVER, IF_PLAYED, ALWAYS = 0, 1, 2
SWAP_NONE, SWAP_MOVER, SWAP_BOTH = 0, 1, 2
END_FIRST, END_RANKING, END_ALL = 0, 1, 2
BUMP_OCCUPANT, BUMP_MOVER, COEXIST, PARTNER_BLOCKS = 0, 1, 2, 3
OPPONENTS_FIRST, ANY_TARGET, OPPONENTS_ONLY = 0, 1, 2
NO_MORE, PLAY_ANOTHER, PLAY_DRAWN = 0, 1, 2
PER_CARD, END_OF_TURN, WHEN_EMPTY = 0, 1, 2
CHOOSE, RANDOM_CARD, OLDEST = 0, 1, 2
NO_POINTS, TO_ALL, TO_WINNER = 0, 1, 2
LEADER_WINNER, LEADER_NEXT, LEADER_RANDOM = 0, 1, 2
MAX_CHAIN = 10_000  # a turn that has not ended after so many cards never will: a game is cut off there
MAX_MATCH_ROUNDS = 1_000  # a match that has not ended by then is cut off

_SCALARS = [
    "players",
    "pawns",
    "wide",
    "plain",
    "first_player",
    "must_move",
    "swap_forced",
    "two_again",
    "past",
    "past_forced",
    "own_collision",
    "own_on_triangle_bump",
    "parts",
    "simultaneous",
    "swap_may_cross",
    "slide_on_backward",
    "slide_after_swap",
    "slide_after_sorry",
    "replacement",
    "reshuffle_at_last",
    "exclude_in_play",
    "game_end",
    "turn_cap",
    "deck_size",
    "single",
    "hand_size",
    "two_in_hand",
    "two_idle",
    "stuck_throws",
    "hand_refill",
    "dead_hand",
    "optional_playable",
    "first_turn_skips",
    "team",
    "own_only",
    "team_collision",
    "sorry_target",
    "sorry_either",
    "swap_partner",
    "finished_skip",
    "first_member_wins",
    "score_home_to",
    "score_home",
    "score_not_home",
    "bands",
    "band_total",
    "bands_add",
    "match",
    "match_rounds",
    "match_target",
    "next_leader",
    "start_word",
    "home_word",
]
TABLES = np.dtype(
    [(name, np.uint64) for name in _SCALARS]
    + [
        ("target", np.uint8, (ROWS * ROW_STRIDE,)),
        ("both", np.uint64, (16 * ROW_STRIDE,)),  # per card and place: forward target in byte 0, backward target in byte 4
        ("ahead", np.uint64, (ROW_STRIDE,)),  # per place: targets of 1 to 6 squares in bytes 0 to 5
        ("rest", np.uint64, (ROW_STRIDE,)),  # the same for 6 to 1 squares: what is left of a 7
        ("ahead_rides", np.uint64, (4 * ROW_STRIDE,)),  # per color: a mask of those targets that are ridden on
        ("rest_rides", np.uint64, (4 * ROW_STRIDE,)),
        ("path", np.uint64, (ROW_STRIDE,)),  # how far along its way a place is, for distances between own pawns
        ("same_end", np.uint64, (PATH_SPAN * 2,)),  # per distance of two pawns: a mask of share-outs of a 7 that end as an earlier way does
        ("seen_as", np.uint64, (4 * 64,)),  # per relative color and track place: that color's number of it, in all bytes
        ("ride", np.uint8, (4 * ROW_STRIDE,)),  # squares ridden by a color that lands on a place
        ("togo", np.uint8, (ROW_STRIDE,)),  # squares to HOME
        ("key", np.uint64, (4 * ROW_STRIDE,)),  # random number per relative color and place: an outcome's key is a sum of these
        ("ops", np.uint8, (16 * OPS_STRIDE,)),
        ("deck", np.uint8, (256,)),
        ("seat_color", np.uint8, (4,)),
        ("color_seat", np.uint8, (4,)),  # NO_SEAT for a color nobody plays
        ("partner", np.uint8, (4,)),  # by color: how many colors clockwise its partner is; 0 without teams
        ("reach", np.uint64, (4 * ROW_STRIDE,)),  # per color and place: the squares that a part of a 7 can touch, and ZONE_BIT
        ("band_limit", np.uint8, (MAX_BANDS,)),  # bonuses, the easiest first: pawns HOME allowed
        ("band_points", np.uint16, (MAX_BANDS,)),  # what they earn
    ],
    align=True,
)


def seat_colors(rules: Rules, players: int) -> tuple[str, ...]:
    """The color of each table seat; raises SimsorryError where the ruleset does not fit the number of players."""
    colors = seating.seated(rules, players)
    deck = sum(rules.deck_counts.counts.values())
    if rules.hand_size * players > deck and rules.draw == "without_replacement":
        raise SimsorryError(f"hand_size = {rules.hand_size} is too much for {players} players: the deck has {deck} cards")
    return colors


def squares_to_go(place: int) -> int:
    """Squares to HOME, counting the start move as one (rulebook 1.2)."""
    if place <= ENTRY:
        return ENTRY - place + 6
    return {BEHIND_CIRCLE: 65, HOME: 0, START: 65}.get(place, HOME - place)


def _back_from(place: int, squares: int, may_leave_zone: bool) -> int:
    """Where ``squares`` steps back lead from the track, the zone or (when bouncing) HOME."""
    if place < TRACK:
        return (place - squares) % TRACK
    if place - squares >= ZONE:
        return place - squares
    if not may_leave_zone:
        return NOWHERE
    return (ENTRY - (squares - (place - ZONE) - 1)) % TRACK


def forward_target(rules: Rules, place: int, squares: int) -> int:
    """Where a forward count leads, turning in at the own entry (H-25, H-27)."""
    if place >= HOME:
        return NOWHERE
    surplus = squares - squares_to_go(place)
    if surplus > 0:
        if rules.home_overshoot == "any":
            return HOME
        return _back_from(HOME, surplus, rules.backward_out_of_zone) if rules.home_overshoot == "bounce" else NOWHERE
    if place == BEHIND_CIRCLE:
        return squares - 1
    target = place + squares
    return target + 1 if place <= ENTRY < target else target  # no square 59 on the way in


def past_target(rules: Rules, place: int, squares: int) -> int:
    """Where the count leads if the pawn walks past its own entry, where the ruleset lets it (HQ26, IQ8)."""
    if rules.forward_past_entry == "forbidden" or place > ENTRY or place + squares <= ENTRY:
        return NOWHERE
    if rules.pass_scope == "overshoot_only" and squares <= squares_to_go(place):
        return NOWHERE
    return (place + squares) % TRACK


def _targets(rules: Rules) -> np.ndarray:
    target = np.full((ROWS, ROW_STRIDE), NOWHERE, np.uint8)
    for place in range(HOME):
        for squares in range(1, 13):
            target[FORWARD + squares, place] = forward_target(rules, place, squares)
            target[PAST + squares, place] = past_target(rules, place, squares)
        for squares in range(1, 5):
            target[BACKWARD + squares, place] = _back_from(place, squares, rules.backward_out_of_zone)
    target[OUT, START] = 0
    return target


def _both_targets(target: np.ndarray, ops: np.ndarray) -> np.ndarray:
    """A card's two ways of moving side by side, so that one look-up per pawn serves both; HOME is written ``ARRIVES``."""
    marked = np.where(target == HOME, ARRIVES, target)
    forward = marked[ops[:, OP_FORWARD]].astype(np.uint64)
    backward = marked[ops[:, OP_BACK]].astype(np.uint64)
    both: np.ndarray = forward | backward << np.uint64(32)
    return both


def _lanes(values: Iterable[int]) -> int:
    """Small numbers as the bytes of one word, the lowest first."""
    return sum(int(value) << (8 * lane) for lane, value in enumerate(values))


def _seven_tables(target: np.ndarray, ride: np.ndarray) -> dict[str, np.ndarray]:
    """The targets of every part of a 7 side by side, so that all its splits between two pawns are judged at once."""
    nowhere = [NOWHERE, NOWHERE]
    parts = [[target[squares, place] for squares in range(1, 7)] for place in range(ROW_STRIDE)]
    rides = [[[0x80 * (at < TRACK and bool(ride[color, at])) for at in row] for row in parts] for color in range(4)]
    found = {
        "ahead": [_lanes([*row, *nowhere]) for row in parts],
        "rest": [_lanes([*reversed(row), *nowhere]) for row in parts],
        "ahead_rides": [_lanes(row) for color in rides for row in color],
        "rest_rides": [_lanes(reversed(row)) for color in rides for row in color],
    }
    return {name: np.array(words, np.uint64) for name, words in found.items()}


def _same_end(distance: int) -> int:
    """Of a 7 shared out over two pawns, the second ``distance`` ahead: which shares for the first end as an earlier way does.

    The ways are, in this order, the whole 7 for either pawn and 1 to 6 squares for the first. Two pawns of a color can
    change roles, so the 7 as ``a`` and ``7 - a`` ends like ``distance + 7 - a`` and the rest; and it ends like the whole
    7 of one pawn where that share brings it just to where the other stood. Slides apart.
    """
    alike = [share in (distance, distance + 7) or 1 <= distance + 7 - share < share for share in range(1, 7)]
    return _lanes([0x80 * found for found in alike])


def _seen_as() -> np.ndarray:
    """Each track place as the other colors number it."""
    numbers = [(place - SIDE * other) % TRACK if place < TRACK else NOWHERE for other in range(4) for place in range(64)]
    return np.array([_lanes([number] * 8) for number in numbers], np.uint64)


def _riders(rules: Rules, owner: str, letter: str, seated: tuple[str, ...]) -> tuple[str, ...]:
    """The colors that ride one slide (H-28, HQ3)."""
    if rules.absent_color_slides == "inert" and owner not in seated:
        return ()
    chosen = rules.slide_riders.get(f"{owner} {letter}")
    if chosen is not None:
        return chosen
    if rules.slides == "off":
        return ()
    return tuple(color for color in COLORS if rules.slides == "all" or color != owner)


def _rides(rules: Rules, seated: tuple[str, ...]) -> np.ndarray:
    ride = np.zeros((4, ROW_STRIDE), np.uint8)
    for owner_number, owner in enumerate(COLORS):
        for letter, (triangle, squares) in TRIANGLES.items():
            for color in _riders(rules, owner, letter, seated):
                number = COLORS.index(color)
                ride[number, (triangle + SIDE * (owner_number - number)) % TRACK] = squares
    return ride


def _mix(z: int) -> int:
    """SplitMix64's finishing mix in plain Python, to fill the table of keys."""
    mask = (1 << 64) - 1
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def _operations(rules: Rules) -> np.ndarray:
    """What each card can do."""
    ops = np.zeros((16, OPS_STRIDE), np.uint8)
    ops[:, OP_FORWARD : OP_PAST + 1] = NO_ROW
    for number, card in enumerate(CARDS):
        squares = 0 if card == "sorry" else int(card)
        if card == "sorry":
            squares = rules.sorry_alt_forward
        if card == "4":
            ops[number, OP_BACK] = BACKWARD + 4
        elif squares:
            ops[number, OP_FORWARD] = FORWARD + squares
            if rules.forward_past_entry != "forbidden":
                ops[number, OP_PAST] = PAST + squares
        if card in rules.start_cards:
            ops[number, OP_FLAGS] |= TAKES if card == "sorry" else STARTS
    ten, seven, eleven, two = (CARDS.index(card) for card in ("10", "7", "11", "2"))
    ops[ten, OP_BACK] = BACKWARD + 1
    ops[ten, OP_BACK_OPTIONAL] = not rules.ten_back_forced
    ops[seven, OP_SPLIT] = 7 if rules.seven_parts > 1 else 0
    ops[eleven, OP_FLAGS] |= SWAPS
    ops[two, OP_FLAGS] |= AGAIN
    ops[:, OP_SIMPLE] = (ops[:, OP_FLAGS] & (SWAPS | TAKES) == 0) & (ops[:, OP_SPLIT] == 0)
    ops[:, OP_REPEATS] = (ops[:, OP_BACK] == BACKWARD + 4) & rules.slide_on_backward  # only a ride of 4 undoes a move
    return ops


def _is_plain(rules: Rules) -> bool:
    """Whether two different actions can end alike only in ways that the fast enumeration knows.

    Those are: backward moves that ride back to where they began, and the parts of a 7 in another order.
    Everything else that can make actions end alike goes through the full list of outcomes; in team play so do 4s and 7s.
    """
    backward_starts = "4" in rules.start_cards or "10" in rules.start_cards
    partners = rules.team_collision == "bump_occupant" and rules.team_own_collision == "illegal" and not rules.team_eleven_partner
    return (
        (partners if rules.team_pairs else rules.seven_parts <= 2)
        and rules.seven_resolution == "sequential"
        and rules.pawns <= 4
        and rules.own_collision == "illegal"
        and rules.own_on_triangle == "illegal"
        and rules.home_overshoot == "illegal"
        and rules.forward_past_entry == "forbidden"
        and rules.slides != "all"
        and not rules.slide_riders
        and rules.slide_after_swap != "both"
        and rules.swap_may_cross_entry
        and rules.must_move
        and rules.ten_back_forced
        and not backward_starts
    )


def _word(places: list[int]) -> int:
    """Pawns' places as the kernel holds them: a byte each, the missing ones nowhere."""
    return sum(place << (8 * lane) for lane, place in enumerate(places + [NOWHERE] * (8 - len(places))))


def is_single(rules: Rules) -> bool:
    """Whether the fast loop of ``kernel`` plays these rules."""
    alone = not rules.hand_size and not rules.team_pairs and rules.score_home_to == "none" and rules.match_end == "single_round"
    return alone and _is_plain(rules)


def entry_point(rules: Rules) -> str:
    """The name of the compiled function that ``play_block`` calls for these rules."""
    return "play_single" if is_single(rules) else "play_matches"


def _move_scalars(rules: Rules) -> dict[str, Any]:
    """The options of moving, as the numbers that the kernel knows them by."""
    bumps_own = rules.own_collision == "bump_self" or rules.team_own_collision == "bump"
    return {
        "pawns": rules.pawns,
        "wide": rules.pawns > 4,
        "plain": _is_plain(rules),
        "must_move": rules.must_move,
        "swap_forced": rules.eleven_swap_forced,
        "two_again": {"never": NEVER, "if_played": IF_PLAYED, "always": ALWAYS}[rules.two_draws_again],
        "past": rules.forward_past_entry != "forbidden",
        "past_forced": rules.forward_past_entry == "forced",
        "own_collision": BUMP_SELF if bumps_own else {"illegal": ILLEGAL, "share": SHARE, "ends_turn": ENDS_TURN}[rules.own_collision],
        "own_on_triangle_bump": rules.own_on_triangle == "bump",
        "parts": min(rules.seven_parts, rules.pawns * (2 if rules.team_pairs else 1), 7),
        "simultaneous": rules.seven_resolution == "simultaneous",
        "swap_may_cross": rules.swap_may_cross_entry,
        "slide_on_backward": rules.slide_on_backward,
        "slide_after_swap": {"none": SWAP_NONE, "mover": SWAP_MOVER, "both": SWAP_BOTH}[rules.slide_after_swap],
        "slide_after_sorry": rules.slide_after_sorry,
        "start_word": _word([0] * rules.quick_start_pawns + [START] * (rules.pawns - rules.quick_start_pawns)),
        "home_word": _word([HOME] * rules.pawns),
    }


def _game_scalars(rules: Rules) -> dict[str, Any]:
    """The options of the deck, of hands, and of how a game begins and ends."""
    return {
        "single": is_single(rules),
        # Every seat is equally likely to draw the highest card, so that way of choosing is a random one.
        "first_player": {"fixed": FIRST_FIXED, "rotate": FIRST_ROTATE}.get(rules.first_player, FIRST_RANDOM),
        "replacement": rules.draw == "with_replacement",
        "reshuffle_at_last": rules.reshuffle_when == "when_last_taken",
        "exclude_in_play": rules.card_in_play_in_reshuffle == "excluded",
        "game_end": {"first_home": END_FIRST, "full_ranking": END_RANKING, "all_home": END_ALL}[rules.game_end],
        "turn_cap": rules.turn_cap,
        "hand_size": rules.hand_size,
        "two_in_hand": {"none": NO_MORE, "play_another": PLAY_ANOTHER, "play_drawn": PLAY_DRAWN}[rules.two_in_hand],
        "two_idle": rules.two_playable_idle,
        "stuck_throws": rules.two_followup_stuck == "discard_one",
        "hand_refill": {"per_card": PER_CARD, "end_of_turn": END_OF_TURN, "when_empty": WHEN_EMPTY}[rules.hand_refill],
        "dead_hand": {"choose": CHOOSE, "random": RANDOM_CARD, "oldest": OLDEST}[rules.dead_hand],
        "optional_playable": rules.optional_counts_as_playable,
        "first_turn_skips": rules.first_turn_dead_hand == "skip",
    }


def _team_scalars(rules: Rules) -> dict[str, Any]:
    """The options of teams, points and matches."""
    collisions = {"bump_occupant": BUMP_OCCUPANT, "bump_mover": BUMP_MOVER, "coexist": COEXIST, "illegal": PARTNER_BLOCKS}
    targets = {"opponents_first": OPPONENTS_FIRST, "any": ANY_TARGET, "opponents_only": OPPONENTS_ONLY}
    kind, _, number = rules.match_end.partition(":")
    return {
        "team": bool(rules.team_pairs),
        "own_only": rules.team_control == "own_only",
        "team_collision": collisions[rules.team_collision],
        "sorry_target": targets[rules.team_sorry_target],
        "sorry_either": rules.team_sorry_start == "either",
        "swap_partner": rules.team_eleven_partner,
        "finished_skip": bool(rules.team_pairs) and rules.team_finished_player == "skips",
        "first_member_wins": rules.team_win == "first_member",
        "score_home_to": {"none": NO_POINTS, "all_players": TO_ALL, "winner_only": TO_WINNER}[rules.score_home_to],
        "score_home": rules.score_home_value,
        "score_not_home": rules.score_not_home_value,
        "bands": len(rules.score_bands),
        "band_total": rules.band_measure == "total",
        "bands_add": rules.bonus_bands == "cumulative",
        "match": kind != "single_round",
        "match_rounds": int(number) if kind == "rounds" else 1,
        "match_target": int(number) if kind == "target" else 0,
        "next_leader": {"winner": LEADER_WINNER, "next_seat": LEADER_NEXT, "random": LEADER_RANDOM}[rules.next_leader],
    }


def _reach(target: np.ndarray, ride: np.ndarray) -> np.ndarray:
    """By color and place: what a part of a 7 may touch from there, on the way of no more than it, slides with it."""
    reach = np.zeros((4, ROW_STRIDE), np.uint64)
    for color in range(4):
        for place in range(HOME):
            ends = {int(target[way + squares, place]) for way in (FORWARD, PAST) for squares in range(1, 8)} | {place}
            track = {(end + step) % TRACK for end in ends if end < TRACK for step in range(int(ride[color, end]) + 1)}
            zone = any(ZONE <= end < HOME for end in ends)
            reach[color, place] = sum(1 << square for square in track) | zone << ZONE_BIT
    return reach


def compile_rules(rules: Rules, players: int) -> np.ndarray:
    """The rules as one record for the kernel.

    Returns a 1-element array of dtype ``TABLES``; raises SimsorryError where seats and players do not fit.
    """
    seated = seat_colors(rules, players)
    counts = rules.deck_counts.counts
    deck = [number for number, card in enumerate(CARDS) for _ in range(counts[card])]
    tables = np.zeros(1, TABLES).view(np.recarray)
    record = tables[0]
    scalars = {"players": players, "deck_size": len(deck)} | _move_scalars(rules) | _game_scalars(rules) | _team_scalars(rules)
    for name, value in scalars.items():
        record[name] = int(value)
    target, ops = _targets(rules), _operations(rules)
    record["target"] = target.ravel()
    record["both"] = _both_targets(target, ops).ravel()
    ride = _rides(rules, seated)
    record["ride"] = ride.ravel()
    record["reach"] = _reach(target, ride).ravel()
    for name, table in _seven_tables(target, ride).items():
        record[name] = table
    record["path"] = [squares_to_go(START) - squares_to_go(place) if place <= START else 0 for place in range(ROW_STRIDE)]
    record["same_end"] = [_same_end(distance) for distance in range(-PATH_SPAN, PATH_SPAN)]
    record["seen_as"] = _seen_as()
    record["togo"] = [squares_to_go(place) if place <= START else 0 for place in range(ROW_STRIDE)]
    record["key"] = [_mix((0x9E3779B97F4A7C15 * (number + 1)) & ((1 << 64) - 1)) for number in range(4 * ROW_STRIDE)]
    record["ops"] = ops.ravel()
    record["deck"][: len(deck)] = deck
    record["seat_color"][:players] = [COLORS.index(color) for color in seated]
    record["color_seat"] = [seated.index(color) if color in seated else NO_SEAT for color in COLORS]
    record["partner"] = seating.partners(rules.team_pairs)
    for number, (limit, points) in enumerate(rules.score_bands):
        record["band_limit"][number], record["band_points"][number] = limit, points
    return tables
