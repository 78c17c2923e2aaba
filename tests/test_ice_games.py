"""Whole games of Ice Soo Sorry!: the referee in the engine's games under any options, and what must hold after every card."""

import random
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pytest
from ice_listing import SEATED, key_of
from ice_tools import MIXED, VALUES, Follower, Recorder, U, changed, line_up, play, random_rules, with_needs
from numpy.typing import NDArray
from sorreesi_tools import Stream

from simsorry import rng
from simsorry.games import hands, ice
from simsorry.games.ice import queries
from simsorry.games.ice import tables as t
from simsorry.games.ice.rules import Rules
from simsorry.games.options import CARDS, COLORS

PLAYERS = sorted(SEATED)
SMALL = (1, 1, 1)
RECORDER = Recorder()


def policies(players: int, number: int) -> NDArray[Any]:
    """Random players for even numbers, mixed ones for odd."""
    return line_up(players, *MIXED) if number % 2 else line_up(players)


def follow(rules: Rules, players: int, number: int, look_at: int = 2) -> dict[str, int]:
    """Has the referee follow a game; returns what it counts."""
    try:
        return Follower(RECORDER, rules, players, number, policies=policies(players, number), look_at=look_at).record.game
    except AssertionError as error:
        raise AssertionError(f"game {number} of seed 7, {players} players, {changed(rules)}: {error}") from error


# -- the referee in the same games -----------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"hand_size": 0}], ids=str)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_referee_counts_the_same_by_the_sheet(players: int, options: dict[str, Any]) -> None:
    for number in range(2):
        game = follow(Rules(pieces=SMALL, **options), players, number)
        assert not game["capped"]
        assert game["winner"] < players


@pytest.mark.parametrize(("players", "options"), [(2, {}), (4, {"hand_size": 0}), (4, {"ice_contact_piece": "top"})], ids=str)
def test_the_referee_counts_the_same_with_all_the_pawns(players: int, options: dict[str, Any]) -> None:
    for number in range(2):
        assert follow(Rules(turn_cap=40, **options), players, number, look_at=4)["capped"]


def test_the_referee_counts_the_same_to_the_end_of_a_long_game() -> None:
    game = follow(Rules(pieces=(2, 2, 2)), 3, 1, look_at=8)
    assert not game["capped"]
    assert game["highest_pile"] > 3


# Many pawns outside from the beginning, and slides for everybody, so that piles meet.
CROWDED: dict[str, Any] = {"pieces": (3, 3, 3), "quick_start_pawns": 7, "slides": "all", "turn_cap": 40}
PILED: list[dict[str, Any]] = [
    {"ice_slide_mode": "carry_stacked"},
    {"ice_slide_mode": "carry_stacked", "ice_slide_order": "first_met_lowest", "ice_contact_piece": "top"},
    {"ice_slide_mode": "end_only", "ice_slide_triangle": "take", "ice_swap_mode": "land_on_top"},
    {"ice_slide_order": "first_met_lowest", "ice_slide_triangle": "take", "ice_contact_piece": "top"},
    {"ice_mixed_stack_zone": "drop_at_entry", "ice_contact_piece": "top", "hand_size": 0},
    {"ice_mixed_stack_zone": "to_start", "pass_scope": "always", "hand_size": 0},
]


@pytest.mark.parametrize("options", PILED, ids=str)
def test_the_referee_counts_the_same_where_piles_are_high(options: dict[str, Any]) -> None:
    games = [follow(Rules(**CROWDED | options), players, players, look_at=4) for players in PLAYERS]
    assert all(sum(game[column] for game in games) for column in ("carried", "pawns_covered", "stack_moves"))
    assert options.get("ice_slide_mode") == "end_only" or sum(game["swept"] for game in games)


MATCHES: list[dict[str, Any]] = [
    {"match_end": "rounds:2", "score_home_to": "all_players", "next_leader": "next_seat"},
    {"match_end": "target:100", "score_home_to": "winner_only", "bonus_bands": "cumulative", "next_leader": "random"},
    {"match_end": "rounds:2", "hand_size": 0, "game_end": "all_home"},
    {"match_end": "rounds:2", "head_starts": (0, 15), "next_leader": "next_seat"},
]


@pytest.mark.parametrize("options", MATCHES, ids=str)
def test_the_referee_counts_the_same_over_a_match(options: dict[str, Any]) -> None:
    for number, players in enumerate((2, 3)):
        assert follow(Rules(pieces=(1, 1, 0), turn_cap=200, **options), players, number, look_at=4)["match_rounds"] > 1


# One value of one option each, with what it needs; what cannot make a difference to any game is followed too.
CHANGES = [(name, value) for name, values in VALUES.items() for value in values]
NO_DIFFERENCE = [("first_player", "high_card")]  # every seat is equally likely to draw the highest card
FINISHED: dict[str, Any] = {"pieces": (1, 1, 0), "turn_cap": 250}  # small enough to see the end
OF_THE_END = [
    "score_home_to",
    "score_home_value",
    "score_not_home_value",
    "score_bands",
    "bonus_bands",
    "match_end",
    "next_leader",
    "game_end",
]
GAMES_OF: dict[str, dict[str, Any]] = {
    **dict.fromkeys(OF_THE_END, FINISHED),
    "band_measure": FINISHED | {"score_bands": ((1, 7), (0, 20))},
    "pieces": {"pieces": (2, 0, 1)},
}
PLAYERS_OF = {"absent_color_slides": 2, "band_measure": 3, "game_end": 3}  # who is last of two is known


def short(value: Any) -> str:
    return "..." if isinstance(value, (dict, tuple)) and len(value) > 4 else str(value)


def first_difference(one: Rules, other: Rules, players: int, number: int) -> int:
    """The first game that an option makes another game of; of games by random players for an even number, by mixed ones for an odd."""
    line = policies(players, number)
    for first in range(0, 2000, 40):
        rows = [play(rules, players, 40, policies=line, seed=7, first_game=first) for rules in (one, other)]
        of_seats = (rows[0].seats != rows[1].seats).reshape(-1, 40, players).any(axis=(0, 2))
        differ = ((rows[0].games != rows[1].games).any(axis=0) | of_seats) & (np.arange(40) % 2 == number % 2)
        if differ.any():
            return first + int(differ.argmax())
    raise AssertionError(f"{changed(other)} makes no difference")


@pytest.mark.parametrize(("name", "value"), CHANGES, ids=[f"{name}={short(value)}" for name, value in CHANGES])
def test_the_referee_counts_the_same_where_an_option_matters(name: str, value: Any) -> None:
    number = CHANGES.index((name, value))
    others = {"pieces": SMALL, "turn_cap": 60} | GAMES_OF.get(name, {})
    others |= {other: chosen for other, chosen in with_needs({name: value}).items() if other != name}
    players, rules = PLAYERS_OF.get(name, PLAYERS[number % 3]), Rules(**others | {name: value})
    if (name, value) not in NO_DIFFERENCE:
        number = first_difference(Rules(**others), rules, players, number)
    follow(rules, players, number, look_at=4)


@pytest.mark.parametrize("seed", range(6))
def test_the_referee_counts_the_same_under_any_rules(seed: int) -> None:
    luck = random.Random(seed)
    for number in range(8):
        rules = random_rules(luck, 12, turn_cap=60, pieces=luck.choice(((1, 1, 1), (2, 1, 0), (2, 2, 2), (5, 5, 5))))
        follow(rules, luck.choice(PLAYERS), luck.randrange(10**6) * 2 + number % 2, look_at=4)


# -- after every card ------------------------------------------------------------------------------------


class Moment(NamedTuple):
    """What the engine's memory holds between two cards."""

    start: list[int]  # pawns on START, and HOME, at 4 * color + size
    home: list[int]
    piles: dict[int, list[int]]  # by place, the codes of the pawns from the lowest up
    covered_since: dict[int, list[int]]
    placement: int  # the key as the engine keeps it: of what has changed since the round began
    key: int  # of the whole placement
    kept: dict[str, list[int]]  # what is counted as pawns move
    occupied: int
    cards: list[int]  # in pile, discards and hands
    left: int
    seat: int
    turns: int
    highest: int


class Step(NamedTuple):
    """A card and what followed."""

    before: Moment
    after: Moment
    outcomes: int
    action: int
    card: int
    going: bool

    @property
    def plays(self) -> bool:
        """Whether pawns were moved."""
        return self.action & 15 < 7


class Course:
    """A game of the engine's, card by card; a match's rounds one after the other."""

    def __init__(self, rules: Rules, players: int, number: int) -> None:
        self.rules, self.seated = rules, t.seat_colors(rules, players)
        self.tables, self.scratch = ice.compile_rules(rules, players), ice.new_scratch()
        line, seed = policies(players, number), U(11)
        queries.begin_ice(self.tables, self.scratch, seed, U(number))
        self.begun = key_of(self.tables, self.scratch[0])
        self.steps: list[Step] = []
        more = True
        while more:
            now, going = self._moment(), True
            assert now.placement == 0
            while going:
                going = bool(queries.next_card(self.tables, line, self.scratch))
                before, now, x = now, self._moment(), self.scratch[0]
                self.steps.append(Step(before, now, int(x["outcomes"]), int(x["did_action"]), int(x["did_card"]), going))
            more = bool(queries.next_round(self.tables, self.scratch, seed, U(number)))

    def _moment(self) -> Moment:
        x = self.scratch[0]
        heights = {place: int(x["height"][place]) for place in np.flatnonzero(x["height"][: t.PLACES]).tolist()}
        if self.rules.hand_size:
            cards = x["deck"][: int(x["left"])].tolist() + x["discard"][: int(x["discarded"])].tolist()
            for seat in range(len(self.seated)):
                begin = hands.MAX_HELD * seat
                cards += x["hand"][begin : begin + int(x["held"][seat])].tolist()
        else:
            cards = x["deck"][: int(self.tables[0]["deck_size"])].tolist()
        return Moment(
            start=x["start"].tolist(),
            home=x["home"].tolist(),
            piles={place: x["piece"][64 * place : 64 * place + height].tolist() for place, height in heights.items()},
            covered_since={place: x["since"][64 * place : 64 * place + height].tolist() for place, height in heights.items()},
            placement=int(x["placement"]),
            key=key_of(self.tables, x),
            kept={name: np.ravel(x[name]).tolist() for name in ("in_play", "covered", "piles", "on_home")},
            occupied=int(x["occupied"]),
            cards=sorted(cards),
            left=int(x["left"]),
            seat=int(x["seat"]),
            turns=int(x["turns"]),
            highest=int(x["highest_pile"]),
        )


def assert_pawns_are_kept(course: Course, moment: Moment) -> None:
    """Every color that plays has its pawns, none of them in another color's safety zone; flags stand only where they may."""
    found = Counter(code & 15 for pile in moment.piles.values() for code in pile)
    for number, color in enumerate(COLORS):
        pawns = [moment.start[4 * number + size] + moment.home[4 * number + size] + found[4 * number + size] for size in range(3)]
        assert pawns == list(course.rules.pieces if color in course.seated else (0, 0, 0))
    for place, pile in moment.piles.items():
        assert place < t.TRACK or all(code >> 2 & 3 == (place - t.ZONE) // t.ZONE_SQUARES for code in pile)
        assert pile[0] < 16
        assert course.rules.ice_contact_piece == "top" or all(code < 16 for code in pile)


def unit_of(pile: list[int]) -> int:
    """How many pawns of a pile move together."""
    unit = 1
    while unit < len(pile) and (pile[-unit] & 3 > pile[-unit - 1] & 3) == (pile[-unit] >> 4):
        unit += 1
    return unit


def assert_counts_fit(course: Course, moment: Moment) -> None:
    """What is counted as pawns move is what stands on the board."""
    pawns = [(code >> 2 & 3, level < len(pile) - unit_of(pile)) for pile in moment.piles.values() for level, code in enumerate(pile)]
    assert moment.kept["in_play"] == [sum(color == number for color, _ in pawns) for number in range(4)]
    assert moment.kept["covered"] == [sum(color == number and covered for color, covered in pawns) for number in range(4)]
    assert moment.kept["piles"] == [len(moment.piles)]
    assert moment.kept["on_home"] == [sum(moment.home[4 * number : 4 * number + 4]) for number in range(4)]
    assert moment.occupied == sum(1 << place for place in moment.piles if place < t.TRACK)
    since = [turn for place in moment.piles for turn in moment.covered_since[place]]
    assert [turn >= 0 for turn in since] == [covered for _, covered in pawns]
    assert max(since, default=0) <= moment.turns
    assert moment.placement == (moment.key - course.begun) % 2**64
    assert moment.highest >= max(map(len, moment.piles.values()), default=0)


def assert_START_and_HOME_are_left_and_reached_as_they_may(course: Course, step: Step) -> None:
    """One pawn at a time leaves START, of who plays; others get back there only out of a stack that enters a zone; nobody leaves HOME."""
    player, kind = COLORS.index(course.seated[step.before.seat]), step.action & 15
    back = [now - then for then, now in zip(step.before.start, step.after.start, strict=True)]
    home = [now - then for then, now in zip(step.before.home, step.after.home, strict=True)]
    mine = slice(4 * player, 4 * player + 4)
    assert sum(back[mine]) == -(kind in (0, 6))
    assert max(back[mine]) <= 0 <= min(back[: 4 * player] + back[4 * player + 4 :], default=0)
    if sum(map(abs, back)) > sum(map(abs, back[mine])):
        assert course.rules.ice_mixed_stack_zone == "to_start"
        assert kind in (1, 4)
    assert min(home) == 0
    assert sum(home) == sum(home[mine])


def assert_cards_are_kept(course: Course, step: Step) -> None:
    """All cards are in the pile, on the discards, or in hands; turns go round."""
    deck = sorted(course.tables[0]["deck"][: int(course.tables[0]["deck_size"])].tolist())
    if course.rules.draw == "with_replacement":
        assert step.after.left == len(deck)
    else:
        assert step.after.cards == deck
    passed = step.after.turns - step.before.turns
    assert passed in (0, 1)
    if step.going and not passed:
        assert step.after.seat == step.before.seat
        assert CARDS[step.card] == "2"
    if not step.plays:
        assert (step.after.piles, step.after.start, step.after.home) == (step.before.piles, step.before.start, step.before.home)
    assert step.outcomes or not step.plays


@pytest.mark.parametrize("seed", range(5))
def test_invariants(seed: int) -> None:
    luck = random.Random(100 + seed)
    for number in range(5):
        rules = random_rules(luck, 10, turn_cap=luck.choice((60, 60, 160)), pieces=luck.choice(((5, 5, 5), (2, 1, 1), (3, 3, 3))))
        course = Course(rules, luck.choice(PLAYERS), 5 * seed + number)
        for at, step in enumerate(course.steps):
            try:
                assert_pawns_are_kept(course, step.after)
                assert_counts_fit(course, step.after)
                assert_START_and_HOME_are_left_and_reached_as_they_may(course, step)
                assert_cards_are_kept(course, step)
            except AssertionError as error:
                where = f"card {at} of game {5 * seed + number}, {len(course.seated)} players, {changed(rules)}"
                raise AssertionError(f"{where}: {step.before.piles} to {step.after.piles}") from error


# -- the two ways of the engine, and luck ----------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"hand_size": 0, "ice_contact_piece": "top"}, {"match_end": "rounds:2"}], ids=str)
def test_the_card_by_card_games_are_those_of_the_blocks(options: dict[str, Any]) -> None:
    rules = Rules(pieces=(2, 1, 1), **options)
    for number in range(4):
        course = Course(rules, 3, number)
        rows = play(rules, 3, 1, policies=policies(3, number), seed=11, first_game=number)
        assert rows.game("digest").astype(np.uint32)[0] == int(course.scratch[0]["digest"]) >> 32
        assert rows.game("highest_pile")[0] == course.steps[-1].after.highest


def test_cards_do_not_depend_on_what_is_done_with_them() -> None:
    # Without hands; a 2 always brings another card.
    rules = Rules(hand_size=0, turn_cap=40)
    for number in range(20):
        one, other = (play(rules, 4, 1, policies=line_up(4, *line), first_game=number) for line in ([{}], MIXED))
        assert one.game("digest")[0] != other.game("digest")[0]
        assert one.game("draws")[0] == other.game("draws")[0]
        assert one.game("reshuffles")[0] == other.game("reshuffles")[0]


@pytest.mark.parametrize("options", [{}, {"hand_size": 0}], ids=str)
def test_random_players_take_the_outcome_that_the_choice_word_names(options: dict[str, Any]) -> None:
    rules = Rules(pieces=(2, 2, 2), turn_cap=150, **options)
    tables, scratch, line, chosen = ice.compile_rules(rules, 3), ice.new_scratch(), line_up(3), 0
    for number in range(4):
        choices = Stream(11, number, int(rng.CHOICES))
        choices.below(1)  # cards are numbered from 1, words from 0
        queries.begin_ice(tables, scratch, U(11), U(number))
        going = True
        while going:
            going = queries.next_card(tables, line, scratch)
            n = int(scratch[0]["outcomes"])
            rank = choices.below(max(n, 1))
            if n:
                assert scratch[0]["action"][rank] == scratch[0]["did_action"]
                chosen += n > 1
    assert chosen > 100
