"""What must hold after every card of any game (rulebook 11.3), said of whole recorded games at once."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from engine_tools import Recording, changed
from numpy.typing import NDArray

from simsorry.games import track
from simsorry.games.classic.rules import Rules
from simsorry.games.columns import NOBODY
from simsorry.games.options import CARDS, COLORS
from simsorry.games.points import MAX_MATCH_ROUNDS

NAMES = np.array([*CARDS, *[""] * (16 - len(CARDS))])  # of cards by number; "" where none was played


class Course:
    """A recorded game as arrays of places: pawns by card, color and number, before and after each card."""

    def __init__(self, rules: Rules, tables: NDArray[Any], recording: Recording) -> None:
        self.rules, self.recording = rules, recording
        self.tables = tables[0]
        self.colors: list[int] = self.tables["seat_color"][: int(self.tables["players"])].tolist()
        self.after = recording.words.astype("<u8").view(np.uint8).reshape(-1, 4, 8).astype(np.int64)
        self.rounds = [Round(begin, end) for begin, end in self._bounds()]
        self.before = np.concatenate([self.after[:1], self.after[:-1]])
        self.before[[match_round.begin for match_round in self.rounds]] = [self._set_up(seat) for seat in recording.first_seats]
        self.mover = np.array(self.colors)[recording.seats]
        self.cards = NAMES[recording.cards]
        self.kinds = np.array(recording.kinds)
        self.moved = self.before != self.after
        self.moved_on = self.moved & (self.after != track.START)
        self.swapped = recording.swapped > 0

    def _bounds(self) -> Iterator[tuple[int, int]]:
        """First and last row of every round of the match."""
        changes = np.flatnonzero(np.diff(self.recording.rounds)).tolist()
        return zip([0, *[row + 1 for row in changes]], [*changes, len(self.recording.rounds) - 1], strict=True)

    def _set_up(self, first_seat: int) -> NDArray[np.int64]:
        rules = self.rules
        places = np.full((4, 8), track.NOWHERE)
        places[self.colors, : rules.pawns] = [0] * rules.quick_start_pawns + [track.START] * (rules.pawns - rules.quick_start_pawns)
        for color, squares in zip([*self.colors[first_seat:], *self.colors[:first_seat]], rules.head_starts, strict=False):
            places[color, 0] = squares - 1 if squares else track.START
        return places

    # -- who plays with whom --

    def partner(self, color: int) -> int | None:
        """The color that plays with this one."""
        for pair in self.rules.team_pairs:
            if COLORS[color] in pair:
                return COLORS.index(pair[1 - pair.index(COLORS[color])])
        return None

    @cached_property
    def sides(self) -> list[tuple[int, ...]]:
        """The colors that win together."""
        return [tuple(map(COLORS.index, pair)) for pair in self.rules.team_pairs] or [(color,) for color in self.colors]

    def side(self, seat: int) -> int:
        """The side of a table seat, by number."""
        return next(number for number, side in enumerate(self.sides) if self.colors[seat] in side)

    @cached_property
    def movable(self) -> NDArray[np.bool_]:
        """Colors whose pawns the player moves, by card (H-32, HQ36)."""
        own = np.arange(4)[None, :] == self.mover[:, None]
        if not self.rules.team_pairs:
            return own
        partners = np.array([self.partner(color) for color in range(4)])
        theirs = np.arange(4)[None, :] == partners[self.mover][:, None]
        if self.rules.team_control == "both_colors":
            return own | theirs
        finished = self._home(self.before)[np.arange(len(self.mover)), self.mover] == self.rules.pawns
        return np.where(finished[:, None], theirs, own)

    # -- who is where --

    def _home(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        found: NDArray[np.int64] = (places == track.HOME).sum(axis=2)
        return found

    @cached_property
    def home(self) -> NDArray[np.int64]:
        """Pawns HOME after each card, by color."""
        return self._home(self.after)

    @cached_property
    def finished(self) -> NDArray[np.bool_]:
        """Which sides have finished after each card."""
        all_home = self.home == self.rules.pawns
        together = np.any if self.rules.team_win == "first_member" else np.all
        return np.array([together(all_home[:, list(side)], axis=1) for side in self.sides]).T

    @cached_property
    def out(self) -> NDArray[np.bool_]:
        """Which table seats take no more turns after each card."""
        out = np.array([self.finished[:, self.side(seat)] for seat in range(len(self.colors))]).T
        if self.rules.team_finished_player == "skips":
            out |= self.home[:, self.colors] == self.rules.pawns
        return out

    def winning_row(self, match_round: "Round") -> int | None:
        """The card with which a round was won."""
        rows = np.flatnonzero(self.finished[match_round.rows].any(axis=1))
        return match_round.begin + int(rows[0]) if len(rows) else None

    # -- squares --

    def squares(self) -> NDArray[np.int64]:
        """Board squares 0 to 59 of pawns on the track, below zero elsewhere."""
        numbers = (self.after + track.SIDE * np.arange(4)[None, :, None]) % track.TRACK
        return np.where(self.after < track.TRACK, numbers, -1)

    def on_ridden_triangles(self, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Pawns on a square whose slide their color rides."""
        ride = self.tables["ride"].reshape(4, track.STRIDE)
        return (ride[np.arange(4)[None, :, None], places] > 0) & (places < track.TRACK)


class Round(NamedTuple):
    """A round of a match: its first and its last row."""

    begin: int
    end: int

    @property
    def rows(self) -> slice:
        return slice(self.begin, self.end + 1)


# -- pawns -----------------------------------------------------------------------------------------------


def assert_pawns_are_kept(course: Course) -> None:
    """Every color keeps its pawns, and they stand on places that exist for it."""
    lanes = np.arange(8) < course.rules.pawns
    playing = np.isin(np.arange(4), course.colors)
    there = playing[:, None] & lanes
    assert ((course.after <= track.START) == there).all()
    assert ((course.after == track.NOWHERE) != there).all()


def assert_squares_are_not_shared(course: Course) -> None:
    """At most one pawn on a square of the track or a zone, but for own pawns and partners where the rules let them."""
    if course.rules.own_collision != "share":
        same = (course.after[..., :, None] == course.after[..., None, :]) & (course.after < track.HOME)[..., None]
        assert not (same & ~np.eye(8, dtype=bool)).any()
    squares = course.squares()
    for number, color in enumerate(course.colors):
        for other in course.colors[:number]:
            if course.partner(color) == other and course.rules.team_collision == "coexist":
                continue
            here, there = squares[:, color, :, None], squares[:, other, None, :]
            assert not ((here == there) & (here >= 0)).any()


def assert_only_the_own_team_moves_on(course: Course) -> None:
    """Pawns that the player does not move go back to START or where a swap puts them, and never onto or out of a safe place."""
    others = course.moved & ~course.movable[:, :, None]
    elsewhere = others & course.moved_on
    assert (elsewhere.sum(axis=(1, 2)) <= course.swapped).all()
    assert (course.after[elsewhere] < track.TRACK).all()
    assert (course.before[others] < track.TRACK).all()
    assert (course.cards[course.swapped] == "11").all()


def assert_a_card_moves_few_pawns_on(course: Course) -> None:
    """One pawn, but for the two of a swap and the parts of a 7; none where no card is played."""
    rules = course.rules
    most = np.where(course.swapped, 2, np.where(course.cards == "7", min(rules.seven_parts, 7), 1)) * (course.kinds == "play")
    assert (course.moved_on.sum(axis=(1, 2)) <= most).all()
    assert not course.moved[course.kinds != "play"].any()


def assert_pawns_leave_START_as_the_rules_say(course: Course) -> None:
    """One at a time, with a card that may; onto the circle, but for a Sorry!."""
    left = (course.before == track.START) & course.moved
    rows, colors, _ = np.nonzero(left)
    assert len(set(rows.tolist())) == len(rows)
    assert np.isin(course.cards[rows], course.rules.start_cards).all()
    assert course.movable[rows, colors].all()
    onto = course.after[left]
    assert ((onto == 0) | (course.cards[rows] == "sorry")).all()


def assert_pawns_HOME_stay_there(course: Course) -> None:
    assert not (course.moved & (course.before == track.HOME)).any()


def assert_triangles_are_left(course: Course) -> None:
    """A pawn comes to rest on a triangle that its color rides only by a swap, or where the rules say that it does not slide."""
    rests = course.on_ridden_triangles(course.after) & course.moved
    rules, movable = course.rules, course.movable[:, :, None]
    swapped = course.swapped[:, None, None]
    allowed = np.zeros_like(rests)
    if rules.slide_after_swap != "both":
        allowed |= swapped & ~movable
        # Of two partners' pawns that changed places either may be the one that was moved.
        of_partners = course.swapped & ((course.moved_on & movable).sum(axis=(1, 2)) == 2)
        allowed |= of_partners[:, None, None]
        assert rules.slide_after_swap == "none" or (rests[of_partners].sum(axis=(1, 2)) <= 1).all()
    if rules.slide_after_swap == "none":
        allowed |= swapped
    if not rules.slide_on_backward:
        allowed |= np.isin(course.cards, ["4", "10"])[:, None, None] & movable
    if not rules.slide_after_sorry:
        allowed |= (course.cards == "sorry")[:, None, None] & movable
    # The start circle is no triangle, whatever slide_riders say, so starting needs no exception.
    assert not (rests & ~allowed).any()


# -- turns, rounds, matches ------------------------------------------------------------------------------


def assert_a_turn_goes_on_with_a_2_alone(course: Course) -> None:
    again = course.recording.again > 0
    assert (course.cards[again] == "2").all()
    assert not np.isin(course.kinds[again], ["blocked", "throw"]).any()
    assert not course.out[again, course.recording.seats[again]].any()


def assert_turns_pass_round_the_table(course: Course) -> None:
    """To the next seat that still plays; whoever has finished, or whose team has, is passed over (FQ18, H-37, HQ36)."""
    recording, players = course.recording, len(course.colors)
    assert recording.seats[[match_round.begin for match_round in course.rounds]].tolist() == recording.first_seats
    for match_round in course.rounds:
        for row in range(match_round.begin, match_round.end):
            seat = following = int(recording.seats[row])
            if not recording.again[row]:
                following = (seat + 1) % players
                while course.out[row, following]:
                    following = (following + 1) % players
            assert recording.seats[row + 1] == following


def assert_rounds_end_with_a_pawn_on_HOME(course: Course) -> None:
    """A round ends with the card that brings a side's last pawn HOME or at the cap, and goes on before."""
    needed = {"first_home": 1, "full_ranking": len(course.sides) - 1, "all_home": len(course.sides)}[course.rules.game_end]
    over = course.finished.sum(axis=1) >= needed
    came_home = (course.moved & (course.after == track.HOME) & course.movable[:, :, None]).any(axis=(1, 2))
    ends = np.zeros_like(over)
    ends[[match_round.end for match_round in course.rounds]] = True
    assert not over[~ends].any()
    assert (came_home | ~over)[ends].all()
    assert ((course.recording.capped > 0) == (ends & ~over)).all()


def round_points(course: Course, row: int) -> list[int]:
    """The points of a round by side, from what the card left that won it (H-38, H-39, F-44)."""
    rules = course.rules
    home = [[int(course.home[row, color]) for color in side] for side in course.sides]
    winner = int(np.flatnonzero(course.finished[row])[0])
    opponents = [pawns for number, side in enumerate(home) if number != winner for pawns in side]
    measure = max(opponents) if rules.band_measure == "max_per_opponent" else sum(opponents)
    bonuses = [points for most, points in rules.score_bands if measure <= most] or [0]
    everybody = rules.score_home_to == "all_players"
    points = [rules.score_home_value * sum(side) * (everybody or number == winner) for number, side in enumerate(home)]
    points[winner] += rules.score_not_home_value * (rules.pawns * len(opponents) - sum(opponents))
    points[winner] += sum(bonuses) if rules.bonus_bands == "cumulative" else max(bonuses)
    return points


def standings(course: Course) -> Iterator[tuple[int | None, list[int], list[int]]]:
    """By round: the side that won it, and everybody's points and rounds won so far."""
    points, won = [0] * len(course.sides), [0] * len(course.sides)
    for match_round in course.rounds:
        row, winner = course.winning_row(match_round), None
        if row is not None:
            winner = course.side(int(course.recording.seats[row]))
            won[winner] += 1
            if course.rules.score_home_to != "none":
                points = [sum(pair) for pair in zip(points, round_points(course, row), strict=True)]
        yield winner, points, list(won)


def assert_points_are_what_the_pawns_say(course: Course) -> None:
    *_, (_, points, won) = standings(course)
    sides = [course.side(seat) for seat in range(len(course.colors))]
    assert course.recording.points == [points[side] for side in sides]
    assert course.recording.rounds_won == [won[side] for side in sides]


def assert_a_match_ends_when_it_must(course: Course) -> None:
    """After its rounds or at its target, once one side alone is ahead (HQ41); the last round's winner is that of a single round."""
    way, _, number = course.rules.match_end.partition(":")
    winner = None
    for played, (round_winner, points, won) in enumerate(standings(course), 1):
        standing = won if course.rules.score_home_to == "none" else points
        leaders = [side for side, score in enumerate(standing) if score == max(standing)]
        goal = {"single_round": True, "rounds": played >= int(number or 1), "target": max(standing) >= int(number or 1)}[way]
        decided = round_winner is not None and goal and (way == "single_round" or len(leaders) == 1)
        if decided:
            winner = round_winner if way == "single_round" else leaders[0]
        over = decided or bool(course.recording.capped[course.rounds[played - 1].end]) or played == MAX_MATCH_ROUNDS
        assert over == (played == len(course.rounds))
    assert (course.recording.winner == NOBODY) == (winner is None)
    assert winner is None or course.side(course.recording.winner) == winner


# -- cards -----------------------------------------------------------------------------------------------


def assert_cards_are_kept(course: Course) -> None:
    """Every card of the deck is in the pile, in a hand, among the discards or in play, and in the right number."""
    counts = list(course.rules.deck_counts.counts.values())
    assert (course.recording.piles[:, : len(CARDS)] == counts).all()
    left = course.recording.piles[:, len(CARDS)]
    assert (left <= sum(counts)).all()
    if course.rules.draw == "with_replacement":
        assert (left == sum(counts)).all()


def assert_hands_are_filled_up(course: Course) -> None:
    """Only the player's hand changes, and is filled up when the rules say so as far as there are cards (F-41, F-42, FQ20)."""
    recording, rules = course.recording, course.rules
    if not rules.hand_size:
        assert not recording.held.any()
        return
    assert (recording.held <= rules.hand_size).all()
    assert not recording.held[course.out].any()
    for match_round in course.rounds:
        held = [rules.hand_size] * len(course.colors)
        in_play = 0
        for row in range(match_round.begin, match_round.end + 1):
            seat = int(recording.seats[row])
            assert len(recording.hands[row]) == held[seat]
            assert course.cards[row] in ("", *NAMES[list(recording.hands[row])])
            in_play += 1
            wanted = 0 if course.out[row, seat] else _held_after(course, row)
            found = recording.held[row].tolist()
            assert found[seat] == wanted or (found[seat] < wanted and not _is_to_be_had(course, row, in_play))
            held[seat] = found[seat]
            assert found == [0 if course.out[row, other] else cards for other, cards in enumerate(held)]
            held = found
            in_play *= int(recording.again[row])


def _held_after(course: Course, row: int) -> int:
    """How many cards the player should hold after a row, where there are enough."""
    rules, kind = course.rules, course.kinds[row]
    size, again = len(course.recording.hands[row]), course.recording.again[row]
    if kind == "throw":
        size -= rules.hand_refill == "when_empty"
    elif kind not in ("pass", "nothing"):
        brings_a_card = rules.two_in_hand == "play_drawn" and course.cards[row] == "2" and kind != "blocked"
        size = rules.hand_size if rules.hand_refill == "per_card" else size - 1 + brings_a_card
    if not again and (rules.hand_refill == "end_of_turn" or not size):
        return rules.hand_size
    return size


def _is_to_be_had(course: Course, row: int, in_play: int) -> bool:
    """Whether a card could have been drawn: from the pile, or of the discards but for those in play."""
    left = int(course.recording.piles[row, len(CARDS)])
    discards = int(course.tables["deck_size"]) - left - int(course.recording.held[row].sum())
    kept_out = in_play if course.rules.card_in_play_in_reshuffle == "excluded" else 0
    return course.rules.draw == "with_replacement" or left > 0 or discards > kept_out


INVARIANTS: Sequence[Callable[[Course], None]] = (
    assert_pawns_are_kept,
    assert_squares_are_not_shared,
    assert_only_the_own_team_moves_on,
    assert_a_card_moves_few_pawns_on,
    assert_pawns_leave_START_as_the_rules_say,
    assert_pawns_HOME_stay_there,
    assert_triangles_are_left,
    assert_a_turn_goes_on_with_a_2_alone,
    assert_turns_pass_round_the_table,
    assert_rounds_end_with_a_pawn_on_HOME,
    assert_points_are_what_the_pawns_say,
    assert_a_match_ends_when_it_must,
    assert_cards_are_kept,
    assert_hands_are_filled_up,
)


def sound_course(rules: Rules, tables: NDArray[Any], recording: Recording, where: str) -> Course:
    """The recorded game; fails, saying ``where``, unless everything holds that must."""
    course = Course(rules, tables, recording)
    for invariant in INVARIANTS:
        try:
            invariant(course)
        except AssertionError as error:
            raise AssertionError(f"{where}, {len(course.colors)} players, {changed(rules)}: {invariant.__name__}") from error
    return course
