"""What the tests of the Ice engine share: random rules, its games card by card, and the referee in the same games."""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError
from referee import ice as referee
from referee.common import NOT_COUNTED

from simsorry.games import audited, hands, ice
from simsorry.games.ice import queries
from simsorry.games.ice import tables as t
from simsorry.games.ice.rules import Rules
from simsorry.games.options import CARDS, COLORS

U = np.uint64
GAME = {column.name: number for number, column in enumerate(ice.GAME_COLUMNS)}
SEAT = {column.name: number for number, column in enumerate(ice.SEAT_COLUMNS)}
FORWARD = {"progress": 1.0, "home": 10.0, "in_start": -3.0, "covered": -2.0}
BACKWARD = {"progress": -1.0, "splits": 9.0, "swaps": 2.0, "takes": 5.0, "foe_covered": 3.0, "stack_moves": 4.0, "holds_7": 1.0}
MIXED: tuple[dict[str, float], ...] = ({}, FORWARD | {"mistakes": 0.2}, {}, BACKWARD | {"random_from": 0.3})
KINDS = {7: "pass", 8: "throw", 9: "idle", 15: "nothing"}  # all others are plays
OK = 0

# -- rows ------------------------------------------------------------------------------------------------


class Rows(NamedTuple):
    """What ``play_block`` writes."""

    games: NDArray[np.int32]
    seats: NDArray[np.int32]
    audits: NDArray[np.int64] = np.zeros((0, audited.SIZE), np.int64)

    def game(self, name: str) -> NDArray[np.int32]:
        return self.games[GAME[name]]

    def seat(self, name: str, players: int) -> NDArray[np.int32]:
        """A column of the seats table, a row per game and a column per play-order seat."""
        return self.seats[SEAT[name]].reshape(-1, players)


def line_up(players: int, *weights: dict[str, float]) -> NDArray[Any]:
    """The same policy on every seat, one for each, or random players."""
    return ice.compile_line_up((weights or ({},)) * players if len(weights) < 2 else weights[:players])


def play(
    rules: Rules | NDArray[Any],
    players: int,
    games: int,
    *,
    policies: NDArray[Any] | None = None,
    seed: int = 1,
    first_game: int = 0,
    scratch: NDArray[Any] | None = None,
) -> Rows:
    """Plays games in one block; fails if the engine reports an error."""
    tables = ice.compile_rules(rules, players) if isinstance(rules, Rules) else rules
    rows = Rows(
        np.zeros((len(GAME), games), np.int32),
        np.zeros((len(SEAT), games * players), np.int32),
        np.zeros((audited.chunks(first_game, games), audited.SIZE), np.int64),
    )
    policies = line_up(players) if policies is None else policies
    scratch = ice.new_scratch() if scratch is None else scratch
    assert ice.play_block(tables, policies, scratch, U(seed), U(first_game), *rows) == OK
    return rows


def assert_same(one: Rows, other: Rows) -> None:
    """Fails unless two blocks of rows are equal, naming what differs."""
    for columns, here, there in ((GAME, one.games, other.games), (SEAT, one.seats, other.seats)):
        different = [name for name, number in columns.items() if not np.array_equal(here[number], there[number])]
        assert not different


# -- rules -----------------------------------------------------------------------------------------------

_FEW = dict.fromkeys(CARDS, 2)
_NO_START: dict[str, list[str]] = {"1": [], "2": [], "3": []}
VALUES: dict[str, list[Any]] = {
    "pieces": [(1, 1, 1), (2, 1, 0), (0, 2, 2), (5, 0, 0), (3, 3, 3), (2, 2, 2)],
    "quick_start_pawns": [1, 2, 3],
    "head_starts": [(0, 1), (15, 6)],
    "deck_counts": ["deck_44", _FEW, _FEW | {"2": 6}, _FEW | {"7": 9}, _FEW | {"11": 9}, _FEW | {"4": 5, "10": 5, "sorry": 7}],
    "draw": ["with_replacement"],
    "start_cards": [{"1": ["small", "large"]}, {"4": ["large"], "12": ["medium"]}, {**_NO_START, "5": ["small", "medium", "large"]}],
    "first_player": ["fixed", "rotate", "high_card"],
    "must_move": [False],
    "eleven_swap_forced": [True],
    "ten_back_forced": [False],
    "two_draws_again": ["if_played", "never"],
    "forward_past_entry": ["forbidden", "forced"],
    "pass_scope": ["always"],
    "backward_out_of_zone": [False],
    "home_overshoot": ["bounce", "any"],
    "seven_parts": [1],
    "ice_seven_same_pile": ["forbidden"],
    "ice_contact_piece": ["top"],
    "ice_mixed_stack_zone": ["drop_at_entry", "to_start"],
    "ice_stack_home": ["top_only"],
    "ice_carry_past_entry": ["forbidden"],
    "sorry_alt_forward": [4],
    "slides": ["off", "all"],
    "slide_riders": [{"red A": ["red"], "blue B": []}, {"yellow B": ["red", "blue", "yellow", "green"]}],
    "slide_on_backward": [False],
    "slide_after_sorry": [False],
    "absent_color_slides": ["inert"],
    "ice_slide_mode": ["carry_stacked", "end_only"],
    "ice_slide_order": ["first_met_lowest"],
    "ice_slide_triangle": ["take"],
    "ice_swap_mode": ["land_on_top", "same_size"],
    "ice_swap_same_space": [False],
    "ice_swap_slide": ["never"],
    "swap_may_cross_entry": [False],
    "ice_sorry_target": ["any_in_pile"],
    "ice_sorry_size": ["small_only", "large_only"],
    "hand_size": [0, 1, 3, 7],
    "two_in_hand": ["play_drawn", "none"],
    "two_playable_idle": [True],
    "two_followup_stuck": ["discard_one"],
    "hand_refill": ["end_of_turn", "when_empty"],
    "dead_hand": ["random", "oldest"],
    "optional_counts_as_playable": [True],
    "first_turn_dead_hand": ["skip"],
    "score_home_to": ["all_players", "winner_only"],
    "score_home_value": [(2, 0, 1)],
    "score_not_home_value": [(0, 3, 1)],
    "score_bands": [((2, 7), (1, 3), (0, 20)), ()],
    "bonus_bands": ["cumulative"],
    "band_measure": ["total"],
    "match_end": ["rounds:2", "target:15"],
    "next_leader": ["next_seat", "random"],
    "reshuffle_when": ["when_last_taken"],
    "card_in_play_in_reshuffle": ["excluded"],
    "game_end": ["full_ranking", "all_home"],
}


# What an option needs before it means anything.
_POINTS = {"score_home_to": "all_players"}
NEEDS: dict[str, dict[str, Any]] = {
    "two_draws_again": {"hand_size": 0},
    "next_leader": {"match_end": "rounds:2"},
    **dict.fromkeys(("score_home_value", "score_not_home_value", "score_bands", "bonus_bands", "band_measure"), _POINTS),
}


def with_needs(options: dict[str, Any]) -> dict[str, Any]:
    """The options with what they need to mean anything."""
    needed: dict[str, Any] = {}
    for name in options:
        needed |= NEEDS.get(name, {})
    return needed | options


def changed(rules: Rules) -> dict[str, Any]:
    """The options off their default, for a message."""
    return {name: value for name, value in rules if value != Rules.model_fields[name].default}


def random_rules(luck: random.Random, most: int = 6, **fixed: Any) -> Rules:
    """Rules with up to ``most`` options off their defaults, besides those given."""
    chosen = dict(fixed)
    for name in luck.sample(list(VALUES), luck.randint(0, most)):
        if name in fixed:
            continue
        tried = {**with_needs({name: luck.choice(VALUES[name])}), **fixed}
        tried = {**chosen, **tried}
        try:
            Rules(**tried)
        except ValidationError:
            continue
        chosen = tried
    return Rules(**chosen)


# -- positions -------------------------------------------------------------------------------------------

_SIZES, _INITIALS = "sml", "rbyg"


def _pawn(code: int, beneath: int | None) -> str:
    name = _INITIALS[code >> 2 & 3] + _SIZES[code & 3]
    if not code >> 4:
        return name
    assert beneath is not None, "the lowest pawn of a pile has a flag"
    return name + ("=" if code & 3 > beneath & 3 else ">")


def place_name(place: int) -> str:
    """A place by number as the notation has it."""
    return str(place) if place < t.TRACK else f"{COLORS[(place - t.ZONE) // 5]} Z{(place - t.ZONE) % 5 + 1}"


def position(scratch: NDArray[Any], seated: Sequence[str]) -> dict[str, list[str]]:
    """The placement in the engine's memory as the shared cases write it as JSON."""
    x = scratch[0]
    found: dict[str, list[str]] = {}
    for number, color in enumerate(COLORS):
        counts = [
            (letter, size, int(x[where][4 * number + size])) for letter, where in (("S", "start"), ("H", "home")) for size in range(3)
        ]
        if color in seated:
            found[color] = [f"{letter}:{_SIZES[size]}" for letter, size, count in counts for _ in range(count)]
    for place, height in enumerate(x["height"][: t.PLACES].tolist()):
        if height:
            codes = x["piece"][64 * place : 64 * place + height].tolist()
            found[place_name(place)] = [_pawn(code, codes[level - 1] if level else None) for level, code in enumerate(codes)]
    return found


def set_position(scratch: NDArray[Any], placement: Mapping[str, Sequence[str]]) -> None:
    """Writes a placement, as the shared cases have it as JSON, into the engine's memory."""
    x = scratch[0]
    for field in ("height", "start", "home", "piece"):
        x[field] = 0
    for where, pawns in placement.items():
        if where in COLORS:
            for pawn in pawns:
                x["start" if pawn[0] == "S" else "home"][4 * COLORS.index(where) + _SIZES.index(pawn[2])] += 1
            continue
        color, _, zone = where.partition(" Z")
        place = t.ZONE + 5 * COLORS.index(color) + int(zone) - 1 if zone else int(where)
        x["height"][place] = len(pawns)
        for level, pawn in enumerate(pawns):
            code = _SIZES.index(pawn[1]) | _INITIALS.index(pawn[0]) << 2 | 16 * (len(pawn) > 2)
            x["piece"][64 * place + level] = code


def set_hand(scratch: NDArray[Any], seat: int, cards: Sequence[str]) -> None:
    """Gives a table seat a hand, the card held longest first."""
    x = scratch[0]
    numbers = [CARDS.index(card) for card in cards]
    x["hand"][hands.MAX_HELD * seat : hands.MAX_HELD * seat + len(numbers)] = numbers
    x["held"][seat] = len(numbers)
    x["values"][seat] = sum(1 << number for number in set(numbers))
    for number in range(hands.VALUES):
        x["have"][hands.VALUES * seat + number] = numbers.count(number)


def kind_of(action: int) -> str:
    """What the referee calls an action."""
    return KINDS.get(action & 15, "play")


class Listed(NamedTuple):
    """An outcome of the engine's."""

    kind: str
    card: str
    text: str


def listed(tables: NDArray[Any], scratch: NDArray[Any], seat: int, seated: Sequence[str]) -> list[Listed]:
    """The outcomes of the decision that a seat has in the engine's memory; each is carried out and taken back."""
    n = int(queries.plays_of(tables, scratch, U(seat)))
    x, before, found = scratch[0], position(scratch, seated), []
    for i in range(n):
        queries.show_play(tables, scratch, U(seat), U(i))
        text = referee.write_position(position(scratch, seated))
        queries.take_back(scratch)
        card = int(x["card"][i])
        found.append(Listed(kind_of(int(x["action"][i])), CARDS[card] if card < len(CARDS) else "", text))
    assert position(scratch, seated) == before
    return found


# -- the referee in the engine's games -------------------------------------------------------------------


class Row(NamedTuple):
    """One card of a recorded game."""

    seat: int
    card: int
    kind: str
    hand: tuple[str, ...]
    n: int
    offered: list[Listed] | None
    text: str


class Recording(NamedTuple):
    """One of the engine's games."""

    rows: list[Row]
    drawn: list[list[int]]  # by round of the match
    first_seats: list[int]


class Recorder:
    """Plays games card by card, over and over in the same memory."""

    def __init__(self) -> None:
        self.scratch = ice.new_scratch()

    def record(self, tables: NDArray[Any], policies: NDArray[Any], seed: int, game: int, *, look_at: int = 1) -> Recording:
        """One game; of every ``look_at``-th card all outcomes are noted."""
        x, rows = self.scratch[0], list[Row]()
        x["held"] = 0  # nobody, where these rules know no hands
        seated = [COLORS[number] for number in tables[0]["seat_color"][: int(tables[0]["players"])]]
        queries.begin_ice(tables, self.scratch, U(seed), U(game))
        drawn, first_seats, more = [self._deal(tables)], [int(x["first_seat"])], True
        while more:
            seat = int(x["seat"])
            hand = self._hand(seat)
            looked = len(rows) % look_at == 0 and tables[0]["hand_size"]
            offered = listed(tables, self.scratch, seat, seated) if looked else None
            going = queries.next_card(tables, policies, self.scratch)
            kind, card = kind_of(int(x["did_action"])), int(x["did_card"])
            drawn[-1] += self._new(seat, hand, kind) if tables[0]["hand_size"] else [card]
            names = tuple(CARDS[number] for number in hand)
            text = referee.write_position(position(self.scratch, seated))
            rows.append(Row(seat, card, kind, names, int(x["outcomes"]), offered, text))
            if not going:
                more = bool(queries.next_round(tables, self.scratch, U(seed), U(game)))
                if more:
                    drawn.append(self._deal(tables))
                    first_seats.append(int(x["first_seat"]))
        return Recording(rows, drawn, first_seats)

    def _hand(self, seat: int) -> tuple[int, ...]:
        begin = seat * hands.MAX_HELD
        return tuple(self.scratch[0]["hand"][begin : begin + int(self.scratch[0]["held"][seat])].tolist())

    def _deal(self, tables: NDArray[Any]) -> list[int]:
        """The cards of a deal in the order in which they were drawn."""
        first, players = int(self.scratch[0]["first_seat"]), int(tables[0]["players"])
        places = itertools.product(range(int(tables[0]["hand_size"])), range(players))
        return [self._hand((first + order) % players)[number] for number, order in places]

    def _new(self, seat: int, before: tuple[int, ...], kind: str) -> list[int]:
        """The cards that a player has drawn after one."""
        kept = len(before) - (kind not in ("nothing", "pass"))
        return list(self._hand(seat)[kept:])


class Follower:
    """The referee in one of the engine's games, with the same luck, choosing the same."""

    def __init__(
        self,
        recorder: Recorder,
        rules: Rules,
        players: int,
        game: int,
        *,
        seed: int = 7,
        policies: NDArray[Any] | None = None,
        look_at: int = 1,
    ) -> None:
        seated, tables = t.seat_colors(rules, players), t.compile_rules(rules, players)
        policies = line_up(players, *MIXED) if policies is None else policies
        recording = recorder.record(tables, policies, seed, game, look_at=look_at)
        # The referee notes no step where a player with a hand does nothing.
        self.rows = [row for row in recording.rows if row.kind != "nothing" or not rules.hand_size]
        self.recording = recording
        self.to_come: list[Iterator[int]] = [iter(cards) for cards in recording.drawn]
        first_seat = recording.first_seats[0]
        self.game = referee.Game(rules, seated, first_seat, self._draw, self._choose, throw=self._throw, lead=self._lead)
        self.record = self.game.play()
        assert [step.text for step in self.record.steps] == [row.text for row in self.rows]
        self._compare(play(tables, players, 1, policies=policies, seed=seed, first_game=game), players)

    @property
    def _row(self) -> Row:
        return self.rows[len(self.game.steps)]

    def _draw(self, pile: list[str]) -> str:
        card = CARDS[next(self.to_come[len(self.game.rounds) - 1])]
        assert card in pile, f"card {len(self.game.steps)}, a {card}, is not in the referee's pile {pile}"
        return card

    def _lead(self, number: int) -> int:
        return self.recording.first_seats[number - 1]

    def _throw(self, hand: list[str]) -> str:
        assert list(self._row.hand) == hand
        return CARDS[self._row.card]

    def _choose(self, decision: referee.Decision) -> referee.Outcome:
        row = self._row
        where = f"card {len(self.game.steps)}, {decision.color} {decision.cards}, {referee.write_position(decision.position)}"
        if row.offered is not None:
            theirs = sorted((choice.kind, choice.card.replace(referee.ANY_CARD, ""), choice.text) for choice in decision.choices)
            assert sorted(row.offered) == theirs, f"{where}: {set(row.offered) ^ set(theirs)}"
        assert row.n == len(decision.choices), f"{where}: {row.n} outcomes, not {len(decision.choices)}"
        card = CARDS[row.card] if row.card < len(CARDS) else ""
        cards = (card, referee.ANY_CARD) if row.kind == "throw" else (card,)
        found = [
            one for one in decision.choices if (one.text, one.kind) == (row.text, row.kind) and (one.card in cards or one.kind == "pass")
        ]
        assert len(found) == 1, f"{where}: {row.kind} {card} to {row.text} is not on offer"
        return found[0]

    def _compare(self, rows: Rows, players: int) -> None:
        game = {name: int(rows.game(name)[0]) for name in GAME if name not in NOT_COUNTED}
        theirs = self.record.game
        assert game == theirs, {name: (value, theirs.get(name)) for name, value in game.items() if value != theirs.get(name)}
        for order in range(players):
            seat = {name: int(rows.seat(name, players)[0, order]) for name in SEAT if name not in NOT_COUNTED}
            other = self.record.seats[order]
            assert seat == other, (order, {name: (value, other.get(name)) for name, value in seat.items() if value != other.get(name)})
