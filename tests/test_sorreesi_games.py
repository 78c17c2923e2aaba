"""Whole games of Sorreesi: the referee in the engine's games under any options, and what must hold after every step."""

import itertools
import random
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError
from referee import sorreesi as referee
from sorreesi_listing import SEATED, action_of
from sorreesi_tools import MIXED, VALUES, Follower, Stream, U, changed, line_up, play, random_rules, with_needs

from simsorry.games import rounds, sorreesi
from simsorry.games.options import CARDS, COLORS
from simsorry.games.sorreesi import actions, notation, queries, state
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.rules import Rules

PLAYERS = sorted(SEATED)
TALLY = state.TALLY


def policies(players: int, number: int) -> NDArray[Any]:
    """Random players for even numbers, mixed ones for odd."""
    return line_up(players, *MIXED) if number % 2 else line_up(players)


def follow(rules: Rules, players: int, number: int) -> dict[str, int]:
    """Has the referee follow a game; returns what it counts."""
    try:
        return Follower(rules, players, number, policies=policies(players, number)).record.game
    except AssertionError as error:
        raise AssertionError(f"game {number} of seed 7, {players} players, {changed(rules)}: {error}") from error


# -- the referee in the same games -----------------------------------------------------------------------


@pytest.mark.parametrize(("players", "options"), [(2, {}), (3, {}), (4, {}), (4, {"team_pairs": "opposite"})], ids=str)
def test_the_referee_counts_the_same_by_the_sheet(players: int, options: dict[str, Any]) -> None:
    for number in range(2):
        game = follow(Rules(**options), players, number)
        assert not game["capped"]
        assert game["winner"] < players


# One value of one option each, with what it needs; what cannot make a difference to any game is followed too.
CHANGES = [(name, value) for name, values in VALUES.items() for value in values]
NO_DIFFERENCE = [("first_player", "high_roll")]  # every seat is equally likely to roll highest


def short(value: Any) -> str:
    return "..." if isinstance(value, (dict, tuple)) and len(value) > 4 else str(value)


def first_difference(one: Rules, other: Rules, players: int, number: int) -> int:
    """The first game that an option makes another game of; of games by random players for an even number, by mixed ones for an odd."""
    line = policies(players, number)
    for first in range(0, 3000, 40):
        rows = [play(rules, players, 40, policies=line, seed=7, first_game=first) for rules in (one, other)]
        differ = (rows[0].games != rows[1].games).any(axis=0) & (np.arange(40) % 2 == number % 2)
        if differ.any():
            return first + int(differ.argmax())
    raise AssertionError(f"{changed(other)} makes no difference")


@pytest.mark.parametrize(("name", "value"), CHANGES, ids=[f"{name}={short(value)}" for name, value in CHANGES])
def test_the_referee_counts_the_same_where_an_option_matters(name: str, value: Any) -> None:
    number = CHANGES.index((name, value))
    pawns = {"pawns": {}, "seven_parts": {"pawns": 4}}.get(name, {"pawns": 2})
    options = {"turn_cap": 120} | pawns | with_needs({name: value})
    without = {other: chosen for other, chosen in options.items() if other != name}
    # The other way round two players sit opposite each other as before.
    players = 4 if "team_pairs" in options else 3 if name == "turn_vs_travel" else PLAYERS[number % 3]
    rules = Rules(**options)
    if (name, value) not in NO_DIFFERENCE:
        number = first_difference(Rules(**without), rules, players, number)
    follow(rules, players, number)


@pytest.mark.parametrize("seed", range(6))
def test_the_referee_counts_the_same_under_any_rules(seed: int) -> None:
    luck = random.Random(seed)
    for number in range(10):
        rules = random_rules(luck, 8, turn_cap=100, pawns=luck.choice((1, 2, 3, 4, 8)))
        follow(rules, 4 if rules.team_pairs else luck.choice(PLAYERS), luck.randrange(10**6) * 2 + number % 2)


# -- every two values together ---------------------------------------------------------------------------

Row = dict[str, int]  # the numbers of options' values
CHOICES = {name: [Rules.model_fields[name].default, *values] for name, values in VALUES.items()}


def rules_of(row: Row) -> Rules | None:
    """The rules of a row, if they make sense together."""
    try:
        return Rules(**{name: CHOICES[name][number] for name, number in row.items() if number}, turn_cap=40)
    except ValidationError:
        return None


def completed(pair: Row) -> Row | None:
    """Two values with what they need, if they are possible together at all."""
    needed = with_needs({name: CHOICES[name][number] for name, number in pair.items() if number})
    row = {name: CHOICES[name].index(value) for name, value in needed.items()} | pair
    rows = [row, {"pawns": CHOICES["pawns"].index(4)} | row]
    return next((some for some in rows if rules_of(some)), None)


def pairs_of(row: Row) -> set[tuple[Any, ...]]:
    return set(itertools.combinations(sorted(row.items()), 2))


@cache
def cover() -> list[Rules]:
    """Few rules in which every two values of different options come together, of those that may."""
    luck = random.Random(1)
    values = [(name, number) for name in sorted(CHOICES) for number in range(len(CHOICES[name]))]
    left = {pair: row for pair in itertools.combinations(values, 2) if pair[0][0] != pair[1][0] and (row := completed(dict(pair)))}
    rows = []
    while left:
        row = left[luck.choice(sorted(left))]
        for name in luck.sample(list(CHOICES), len(CHOICES)):
            row = row if name in row else row | {name: best_value(name, row, left)}
        for pair in pairs_of(row):
            left.pop(pair, None)
        rows.append(rules_of(row))
    return [rules for rules in rows if rules]


def best_value(name: str, row: Row, left: dict[tuple[Any, ...], Row]) -> int:
    """The value that brings most new pairs, of those possible beside the row; the default where it is not settled."""
    numbers = range(len(CHOICES[name]))
    gain = [sum(tuple(sorted([other, (name, number)])) in left for other in row.items()) for number in numbers]
    possible = [number for number in numbers if gain[number] and rules_of(row | {name: number})]
    return max(possible, key=lambda number: gain[number], default=0)


@pytest.mark.parametrize("part", range(8))
def test_the_referee_counts_the_same_whatever_two_values_come_together(part: int) -> None:
    for number in range(part, len(cover()), 8):
        rules = cover()[number]
        follow(rules, 4 if rules.team_pairs else PLAYERS[number % 3], number // 8)


def test_the_covering_is_small() -> None:
    assert 30 < len(cover()) < 110


# -- after every step ------------------------------------------------------------------------------------


class Moment(NamedTuple):
    """What the engine's memory holds between two steps."""

    words: list[int]
    seat: int
    turns: int
    phase: int
    dice: int  # unspent
    card: str | None
    units: int  # open bonus moves, those kept for later turns too
    deck: list[int]
    left: int  # cards in the pile
    counts: dict[str, int]  # over all seats

    @property
    def lanes(self) -> list[list[int]]:
        """The place in each lane, by color."""
        return [notation.lanes_of(word) for word in self.words]


class Step(NamedTuple):
    """A decision and what followed."""

    before: Moment
    after: Moment
    outcomes: int
    action: int
    going: bool

    @property
    def kind(self) -> int:
        return self.action & 15


class Course:
    """A game of the engine's, step by step."""

    def __init__(self, rules: Rules, players: int, number: int) -> None:
        self.rules, self.seated = rules, t.seat_colors(rules, players)
        self.tables = sorreesi.compile_rules(rules, players)
        self.scratch = sorreesi.new_scratch()
        line = policies(players, number)
        queries.begin(self.tables, self.scratch, U(11), U(number))
        self.steps: list[Step] = []
        now, going = self._moment(), True
        while going:
            going = queries.next_use(self.tables, line, self.scratch)
            before, now = now, self._moment()
            x = self.scratch[0]
            self.steps.append(Step(before, now, int(x["outcomes"]), int(x["did_action"]), going))

    def _moment(self) -> Moment:
        x = self.scratch[0]
        tallies = x["tally"][: 4 * state.TALLY_STRIDE].reshape(4, -1)[: len(self.seated)].sum(axis=0).tolist()
        return Moment(
            words=x["word"].tolist(),
            seat=int(x["seat"]),
            turns=int(x["turns"]),
            phase=int(x["phase"]),
            dice=int(x["dice"].sum()),
            card=CARDS[int(x["card"])] if x["card"] < len(CARDS) else None,
            units=int(x["units"].sum() + x["carried"].sum()),
            deck=sorted(x["deck"][: int(self.tables[0]["deck_size"])].tolist()),
            left=int(x["left"]),
            counts={name: tallies[int(getattr(TALLY, name))] for name in TALLY._fields},
        )

    def color(self, step: Step) -> int:
        """The number of the color whose turn it is."""
        return COLORS.index(self.seated[step.before.seat])


def assert_pawns_are_kept(course: Course, moment: Moment) -> None:
    """Every color that plays has its pawns, on places that exist for it, and no other color has any; no square is shared wrongly."""
    rules = course.rules
    standing: dict[int, set[referee.Side]] = {}
    for number, lanes in enumerate(moment.lanes):
        pawns = rules.pawns if COLORS[number] in course.seated else 0
        assert all(lane == t.UNUSED for lane in lanes[pawns:])
        assert all(lane <= t.last_place(rules) or lane == t.BASE for lane in lanes[:pawns])
        for place in lanes[:pawns]:
            if (square := t.square_of(rules, number, place)) != t.NOWHERE:
                standing.setdefault(square, set()).add(referee.side_of(rules, COLORS[number]))
    assert rules.fight_tie == "both_stay" or all(len(sides) == 1 for sides in standing.values())


def moved_by(step: Step, color: int, partner: int) -> set[tuple[int, int]]:
    """The pawns, as color and lane, that an action may bring elsewhere than to the base."""
    action = step.action
    if step.kind in (int(actions.STOP), int(actions.NOTHING)):
        return set()
    if step.kind == int(actions.SPLIT):
        parts = [action >> int(actions.PARTS) + 7 * number & 127 for number in range(7)]
        return {(partner if part >> 3 & 1 else color, part & 7) for part in parts if part >> 4}
    mover = partner if action & int(actions.PARTNER) else color
    moved = {(mover, action >> int(actions.LANE) & 7)}
    if step.kind == int(actions.SWAP):
        moved.add(((mover + (action >> int(actions.OTHER) & 3)) % 4, action >> int(actions.OTHER_LANE) & 7))
    return moved


def assert_lanes_keep_their_owners(course: Course, step: Step) -> None:
    """A pawn that is not moved stays, or goes back to the base from the track; nobody comes out of HOME."""
    color = course.color(step)
    partner = (color + int(course.tables[0]["partner"][color])) % 4
    moved = moved_by(step, color, partner)
    for number, (was, now) in enumerate(zip(step.before.lanes, step.after.lanes, strict=True)):
        for lane in range(8):
            if was[lane] == now[lane]:
                continue
            assert was[lane] != t.HOME
            if (number, lane) in moved:
                continue
            assert now[lane] == t.BASE
            penalized = step.after.counts["penalties"] > step.before.counts["penalties"]
            assert was[lane] > course.rules.home_path_length or (penalized and number in (color, partner))


def assert_nothing_is_made_or_lost(course: Course, step: Step) -> None:
    """Bonus moves, dice and cards are spent, lost or still there."""
    before, after, action = step.before, step.after, step.action
    spent = {name: after.counts[name] - before.counts[name] for name in after.counts}
    counts = after.counts
    over_by_a_win = not step.going and not course.scratch[0]["capped"]
    unspent = counts["earned"] - counts["used"] - counts["lost"] - (after.units if step.going else 0)
    assert unspent == 0 or (unspent > 0 and not step.going and (over_by_a_win or course.scratch[0]["chain"] > rounds.MAX_CHAIN))
    played = step.kind not in (int(actions.STOP), int(actions.NOTHING))
    dice = sum(action >> shift & 3 for shift in (4, 6)) if played else 0
    card = played and bool(action & int(actions.CARD))
    assert (spent["dice_used"], spent["cards_used"]) == (dice, card)
    assert spent["used"] == (played and bool(action >> 9 & 3))
    assert spent["rolls"] == (before.phase == int(state.ROLL))
    if before.phase != int(state.ROLL):
        assert dice <= before.dice
        assert not card or before.card is not None
        assert spent["draws"] <= 1
    assert step.outcomes or not played
    assert sum(lanes.count(t.HOME) for lanes in after.lanes) == counts["homes"]
    assert counts["given"] == counts["taken"]
    size = int(course.tables[0]["deck_size"])
    assert after.deck == sorted(course.tables[0]["deck"][:size].tolist())
    assert 0 <= after.left <= size
    if course.rules.draw == "with_replacement":
        assert after.left == size


def assert_turns_go_round(course: Course, step: Step) -> None:
    """A turn ends once for each time that play passes on; what is unspent is gone then."""
    if not step.going:
        return
    passed = step.after.turns - step.before.turns
    assert passed in (0, 1)
    if passed:
        assert (step.after.phase, step.after.dice, step.after.card) == (int(state.ROLL), 0, None)
    else:
        assert step.after.seat == step.before.seat


@pytest.mark.parametrize("seed", range(6))
def test_invariants(seed: int) -> None:
    luck = random.Random(100 + seed)
    for number in range(6):
        rules = random_rules(luck, 6, turn_cap=80)
        players = 4 if rules.team_pairs else luck.choice(PLAYERS)
        course = Course(rules, players, 6 * seed + number)
        for step in course.steps:
            try:
                assert_pawns_are_kept(course, step.after)
                assert_lanes_keep_their_owners(course, step)
                assert_nothing_is_made_or_lost(course, step)
                assert_turns_go_round(course, step)
                position = notation.to_position(rules, step.after.words, course.seated)
                read = notation.to_words(position, rules, course.seated)
                assert notation.to_position(rules, read.tolist(), course.seated) == position
            except AssertionError as error:
                raise AssertionError(f"game {6 * seed + number}, {players} players, {changed(rules)}, {step}") from error


# -- the two ways of the engine, and luck ----------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"team_pairs": "opposite", "doubles_bottoms": True}], ids=str)
def test_the_step_by_step_games_are_those_of_the_blocks(options: dict[str, Any]) -> None:
    rules = Rules(pawns=3, **options)
    for number in range(6):
        course = Course(rules, 4, number)
        rows = play(rules, 4, 1, policies=policies(4, number), seed=11, first_game=number)
        assert rows.game("digest").astype(np.uint32)[0] == int(course.scratch[0]["digest"]) >> 32
        assert rows.game("draws")[0] == course.steps[-1].after.counts["draws"]


def test_dice_and_cards_do_not_depend_on_what_is_done_with_them() -> None:
    rules = Rules(turn_cap=30, two_draws_again="never", third_double="play_then_penalty")
    for number in range(20):
        one, other = (play(rules, 4, 1, policies=line_up(4, *line), first_game=number) for line in ([{}], MIXED))
        assert one.game("digest")[0] != other.game("digest")[0]
        for column in ("rolls", "doubles", "draws", "third_doubles"):
            assert one.game(column)[0] == other.game(column)[0]


def test_random_players_take_the_outcome_that_the_choice_word_names() -> None:
    for number in range(0, 12, 2):
        rules = Rules(pawns=4)
        tables, scratch, line = sorreesi.compile_rules(rules, 3), sorreesi.new_scratch(), line_up(3)
        choices, ranks = Stream(11, number, 1), []
        queries.begin(tables, scratch, U(11), U(number))
        going = True
        while going:
            going = queries.next_use(tables, line, scratch)
            n = int(scratch[0]["outcomes"])
            if n > 1:
                ranks.append(choices.below(n))
                assert action_of(scratch, U(ranks[-1])) == scratch[0]["did_action"]
        assert len(ranks) > 50
