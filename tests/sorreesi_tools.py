"""What the tests of Sorreesi's engine share: random rules, its games step by step, and the referee in the same games."""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError
from referee import sorreesi as referee
from referee.common import NOT_COUNTED

from simsorry.games import audited, sorreesi
from simsorry.games.options import CARDS, COLORS
from simsorry.games.sorreesi import actions, notation, queries
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.rules import Rules

U = np.uint64
GAME = {column.name: number for number, column in enumerate(sorreesi.GAME_COLUMNS)}
SEAT = {column.name: number for number, column in enumerate(sorreesi.SEAT_COLUMNS)}
FORWARD = {"progress": 1.0, "bumps": 4.0, "home": 10.0, "starts": 3.0}
BACKWARD = {"progress": -1.0, "passes": 3.0, "splits": 9.0, "swaps": 2.0, "fights": 5.0, "partner_moves": 1.0}
MIXED: tuple[dict[str, float], ...] = ({}, FORWARD | {"mistakes": 0.2}, {}, BACKWARD | {"random_from": 0.3})
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
    return sorreesi.compile_line_up((weights or ({},)) * players if len(weights) < 2 else weights[:players])


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
    tables = sorreesi.compile_rules(rules, players) if isinstance(rules, Rules) else rules
    rows = Rows(
        np.zeros((len(GAME), games), np.int32),
        np.zeros((len(SEAT), games * players), np.int32),
        np.zeros((audited.chunks(first_game, games), audited.SIZE), np.int64),
    )
    policies = line_up(players) if policies is None else policies
    scratch = sorreesi.new_scratch() if scratch is None else scratch
    assert sorreesi.play_block(tables, policies, scratch, U(seed), U(first_game), *rows) == OK
    return rows


def assert_same(one: Rows, other: Rows) -> None:
    """Fails unless two blocks of rows are equal, naming what differs."""
    for columns, here, there in ((GAME, one.games, other.games), (SEAT, one.seats, other.seats)):
        different = [name for name, number in columns.items() if not np.array_equal(here[number], there[number])]
        assert not different


# -- rules -----------------------------------------------------------------------------------------------

_FEW = dict.fromkeys(CARDS, 1)
VALUES: dict[str, list[Any]] = {
    "pawns": [1, 2, 3, 4, 6],
    "quick_start_pawns": [1, 2],
    "head_starts": [(0, 1), (15, 6)],
    "deck_counts": ["deck_44", _FEW, _FEW | {"2": 6}, _FEW | {"7": 8, "11": 5}, _FEW | {"4": 5, "10": 5, "sorry": 5}],
    "draw": ["with_replacement"],
    "first_player": ["fixed", "rotate", "high_roll"],
    "turn_vs_travel": ["opposite"],
    "home_path_length": [8],
    "safe_squares": [(), (0, 7), (0, 1, 2, 3, 4, 5, 12), tuple(range(17)), (12,)],
    "turnoff_safe_for": ["owner"],
    "resolution_order": ["dice_then_card"],
    "combine_mode": ["sequential", "single_hop"],
    "dice_pass": ["none", "any"],
    "card_compulsion": ["global"],
    "eleven_swap_forced": [False],
    "ten_back_forced": [False],
    "two_draws_again": ["if_played", "never"],
    "doubles_redraw": ["dice_and_card"],
    "doubles_bottoms": [True],
    "third_double": ["play_then_penalty"],
    "triple_penalty_piece": ["closest_to_home"],
    "triple_penalty_exempt": ["home_and_path"],
    "start_cards": [("1", "2"), ("sorry",), ("4", "7", "sorry"), CARDS],
    "enter_die_five": [False],
    "enter_sum_five": [False],
    "enter_forced": [True],
    "entry_conflict": ["capture"],
    "home_overshoot": ["bounce", "any"],
    "backward_out_of_zone": [False],
    "seven_parts": [1, 3, 4],
    "swap_requires_single": [False],
    "swap_may_cross_entry": [False],
    "sorry_alt_forward": [4],
    "sorry_on_safe": ["fight"],
    "capture_bonus": [0, 5, 10],
    "home_bonus": [0, 7, 20],
    "sorry_bonus": [False],
    "fight_bonus": [6, 20],
    "fight_bonus_to": ["any_winner"],
    "bonus_timing": ["end_of_roll", "end_of_turn"],
    "bonus_forced": [True],
    "fight_tie": ["attacker", "defender", "both_stay", "both_back"],
    "team_pairs": ["opposite", (("red", "blue"), ("yellow", "green"))],
    "team_control": ["both_colors"],
    "team_sorry_target": ["any"],
    "team_eleven_partner": [True],
    "team_finished_player": ["plays_for_partner"],
    "team_win": ["first_member"],
    "reshuffle_when": ["when_last_taken"],
    "card_in_play_in_reshuffle": ["excluded"],
    "game_end": ["full_ranking", "all_home"],
}


# What an option needs before it means anything.
_TEAMS = {"team_pairs": "opposite"}
NEEDS: dict[str, dict[str, Any]] = {
    "fight_bonus_to": {"fight_bonus": 20},
    **dict.fromkeys(("team_control", "team_sorry_target", "team_eleven_partner", "team_finished_player", "team_win"), _TEAMS),
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
        tried = {**chosen, name: luck.choice(VALUES[name])} if name not in fixed else chosen
        try:
            Rules(**tried)
        except ValidationError:
            continue
        chosen = tried
    return Rules(**chosen)


# -- the same luck for the referee -----------------------------------------------------------------------

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def _mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31


class Stream:
    """One of a game's random streams."""

    def __init__(self, seed: int, game: int, purpose: int) -> None:
        key = _mix(_mix(seed + _GOLDEN & _MASK) + game * 0xD1342543DE82EF95 & _MASK)
        self.key = _mix(key + purpose * 0xDA942042E4DD58B5 & _MASK)
        self.used = 0

    def below(self, n: int) -> int:
        """The next word as a number below n."""
        self.used += 1
        return (_mix(self.key + self.used * _GOLDEN & _MASK) >> 32) * n >> 32


class Cards:
    """The engine's way of drawing: the card behind a random place of the pile, which is then filled with the last one."""

    def __init__(self, rules: Rules, stream: Stream) -> None:
        self.order = [number for number, card in enumerate(CARDS) for _ in range(rules.deck_counts.counts[card])]
        self.cards, self.left, self.rules, self.stream = list(self.order), len(self.order), rules, stream

    def draw(self, pile: list[str]) -> str:
        """The next card; the pile is the referee's, whose size says whether there was a shuffle."""
        if self.rules.draw == "with_replacement":
            return CARDS[self.cards[self.stream.below(len(self.cards))]]
        if len(pile) != self.left:
            self._reshuffle(len(pile))
        at = self.stream.below(self.left)
        self.left -= 1
        self.cards[at], self.cards[self.left] = self.cards[self.left], self.cards[at]
        return CARDS[self.cards[self.left]]

    def _reshuffle(self, size: int) -> None:
        out = len(self.cards) - size  # how many of the last drawn stay out
        for i in range(out):
            last = len(self.cards) - 1 - i
            self.cards[i], self.cards[last] = self.cards[last], self.cards[i]
        self.left = size


class Seen(NamedTuple):
    """A decision of the engine's."""

    n: int
    dice: tuple[str, ...]
    bonus: tuple[str, ...]
    card: bool
    stop: bool
    text: str  # with the pawns put down
    fights: tuple[int, ...]


def decisions(rules: Rules, seated: Sequence[str], policies: NDArray[Any], seed: int, game: int) -> tuple[list[Seen], int]:
    """The decisions with two or more outcomes of a game, and the seat that begins."""
    tables = sorreesi.compile_rules(rules, len(seated))
    scratch, aside = sorreesi.new_scratch(), sorreesi.new_scratch()
    queries.begin(tables, scratch, U(seed), U(game))
    first_seat = int(scratch[0]["opening_seat"])
    found, going = [], True
    while going:
        record = scratch[0]
        seat, words = int(record["seat"]), record["word"].copy()
        going = queries.next_use(tables, policies, scratch)
        n, action = int(record["outcomes"]), int(record["did_action"])
        if n > 1:
            color = COLORS.index(seated[seat])
            aside[0]["word"], aside[0]["action"][0] = words, action
            queries.look_at(tables, aside, U(color), U(0))
            numbers = record["number"].tolist()
            stop = action & 15 == int(actions.STOP)
            spent = [number for k, number in enumerate(numbers) for _ in range(action >> (4 + 2 * k) & 3)]
            unit = action >> 9 & 3
            found.append(
                Seen(
                    n,
                    () if stop else tuple(f"die {number}" for number in sorted(spent)),
                    (f"bonus {tables[0]['bonus'][unit - 1]}",) if unit and not stop else (),
                    bool(action & int(actions.CARD)) and not stop,
                    stop,
                    notation.to_text(rules, aside[0]["result"].tolist(), seated),
                    tuple(sorted(aside[0]["fight_square"][: int(aside[0]["fights"])].tolist())),
                )
            )
    return found, first_seat


class Follower:
    """The referee in one of the engine's games, with the same luck, choosing the same."""

    def __init__(self, rules: Rules, players: int, game: int, *, seed: int = 7, policies: NDArray[Any] | None = None) -> None:
        seated = t.seat_colors(rules, players)
        self.policies = line_up(players, *MIXED) if policies is None else policies
        self.seen, first_seat = decisions(rules, seated, self.policies, seed, game)
        self.at = 0
        dice, fights, cards = Stream(seed, game, 3), Stream(seed, game, 4), Stream(seed, game, 0)

        def roll() -> tuple[int, int]:
            both = dice.below(36)
            return both // 6 + 1, both % 6 + 1

        self.game = referee.Game(
            rules,
            seated,
            first_seat,
            roll=roll,
            draw=Cards(rules, cards).draw,
            fight=lambda: fights.below(6) + 1,
            choose=self._choose,
        )
        self.record = self.game.play()
        assert self.at == len(self.seen)
        self._compare(play(rules, players, 1, policies=self.policies, seed=seed, first_game=game), players)

    def _choose(self, decision: referee.Decision) -> referee.Outcome:
        seen = self.seen[self.at]
        self.at += 1
        where = f"decision {self.at}: {decision.pool} {self.game.board.text}"
        use = ("stop",) if seen.stop else tuple(sorted([*seen.dice, *seen.bonus, *([f"card {decision.pool.card}"] if seen.card else [])]))
        options = [(outcome.use, outcome.text, tuple(sorted(outcome.fights))) for outcome in decision.outcomes]
        assert seen.n == len(options), f"{where}: {seen.n} outcomes, not {len(options)}: {options}"
        wanted = (use, seen.text, seen.fights)
        assert options.count(wanted) == 1, f"{where}: {wanted} is not among {options}"
        return decision.outcomes[options.index(wanted)]

    def _compare(self, rows: Rows, players: int) -> None:
        game = {name: int(rows.game(name)[0]) for name in GAME if name not in NOT_COUNTED}
        assert game == self.record.game, {
            name: (value, self.record.game.get(name)) for name, value in game.items() if value != self.record.game.get(name)
        }
        for order in range(players):
            seat = {name: int(rows.seat(name, players)[0, order]) for name in SEAT if name not in NOT_COUNTED}
            theirs = self.record.seats[order]
            assert seat == theirs, (order, {name: (value, theirs.get(name)) for name, value in seat.items() if value != theirs.get(name)})
