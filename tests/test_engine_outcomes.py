"""The outcomes of single decisions: hand-worked, against the referee on made-up positions, and listed the fast way."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from math import comb, perm
from typing import Any

import numpy as np
import pytest
from classic_vectors import CASES, PASS, Case, check, groups_of, named
from engine_tools import (
    SEATED,
    changed,
    dense_position,
    full_actions,
    plain_actions,
    random_rules,
    single_changes,
    words_of,
    written,
)
from numpy.typing import NDArray
from referee import classic as referee

from simsorry.games import classic
from simsorry.games.classic import moves, notation
from simsorry.games.classic import tables as t
from simsorry.games.classic.decision import Decision, Table
from simsorry.games.classic.rules import CARDS, COLORS, Rules

CARD_WEIGHTS = [2, 2, 1, 2, 1, 4, 1, 3, 4, 1, 3]  # the cards with more to them come more often
U = np.uint64
MOST_WAYS = 1500  # of playing a 7 that the referee is asked to go through, but for the few cases made for it

# -- hand-worked -----------------------------------------------------------------------------------------


def decision_set(decision: Decision) -> set[str]:
    """The decision set as the hand-worked table writes it."""
    return {PASS if outcome.kind == "pass" else outcome.position for outcome in decision.outcomes}


@pytest.mark.parametrize("case", CASES, ids=named)
def test_hand_worked(case: Case) -> None:
    position = groups_of(case.position)
    table = table_of(json.dumps({"pawns": len(position[case.mover]), **case.options}), case.players)
    check(case, decision_set(table.decide(position, case.mover, case.card)))


@lru_cache
def table_of(options: str, players: tuple[str, ...]) -> Table:
    return Table(Rules(**json.loads(options)), players)


# -- against the referee -----------------------------------------------------------------------------------


def assert_agreed(table: Table, position: referee.Position, color: str, card: str) -> referee.Decision:
    """Fails unless engine and referee offer the same; returns what that is."""
    here = table.decide(written(position), color, card)
    there = referee.outcomes(table.rules, table.players, table.players.index(color), position, card)
    where = f"{color} {card} in {referee.write_position(position)!r} with {changed(table.rules)}"
    assert _as_rows(here) == _rows_of(there), where
    assert here.compulsory == there.compulsory, where
    assert here.may_pass == there.pass_offered, where
    return there


def _as_rows(decision: Decision) -> list[tuple[str, str, bool]]:
    return sorted((outcome.position, outcome.kind, outcome.compulsory) for outcome in decision.outcomes)


def _rows_of(decision: referee.Decision) -> list[tuple[str, str, bool]]:
    kinds = (("pass" if choice.passed else "blocked" if choice.ends_turn else "play") for choice in decision.choices)
    return sorted((choice.text, kind, choice.compulsory) for choice, kind in zip(decision.choices, kinds, strict=True))


def ways_of_a_seven(rules: Rules, position: referee.Position, color: str) -> int:
    """Roughly how many ways of playing a 7 the referee would have to go through."""
    movable = sum(place not in ("S", "H") for place in position[color])
    return sum(perm(movable, parts) * comb(6, parts - 1) for parts in range(1, min(movable, rules.seven_parts, 7) + 1))


def some_card(luck: random.Random, rules: Rules, position: referee.Position, color: str) -> str:
    while True:
        card = luck.choices(CARDS, CARD_WEIGHTS)[0]
        if card != "7" or ways_of_a_seven(rules, position, color) <= MOST_WAYS:
            return card


def random_points(luck: random.Random, rules: Rules, seated: Sequence[str], count: int) -> Iterator[tuple[referee.Position, str, str]]:
    """Positions with the color to move and a card."""
    for _ in range(count):
        position = dense_position(luck, rules, seated)
        color = luck.choice(seated)
        yield position, color, some_card(luck, rules, position, color)


# Options that say nothing about the outcomes of a card, and those that need another one to say anything.
SILENT = set("quick_start_pawns deck_counts draw first_player seat_colors two_draws_again reshuffle_when turn_cap".split())  # noqa: SIM905
SILENT |= {"card_in_play_in_reshuffle", "game_end", "pawns"}
TOGETHER = {"pass_scope": {"forward_past_entry": "decline_ok"}}
CHANGES = {players: list(single_changes(players)) for players in SEATED}


@pytest.mark.parametrize("number", range(len(CHANGES[2])), ids=[label for label, _ in CHANGES[2]])
def test_every_option_agrees_with_the_referee(number: int) -> None:
    luck = random.Random(number)
    for players in SEATED:
        options = CHANGES[players][number][1]
        rules = Rules(**TOGETHER.get(next(iter(options)), {}) | options)
        table = Table(rules, classic.seat_colors(rules, players))
        for position, color, card in random_points(luck, rules, table.players, 40):
            assert_agreed(table, position, color, card)


@pytest.mark.parametrize("options", [options for _, options in CHANGES[3] if next(iter(options)) not in SILENT], ids=",".join)
def test_every_option_makes_a_difference(options: dict[str, Any]) -> None:
    luck = random.Random(3)
    base = TOGETHER.get(next(iter(options)), {})
    printed, table = Table(Rules(**base), SEATED[3]), Table(Rules(**base | options), SEATED[3])
    for position, color, card in random_points(luck, printed.rules, SEATED[3], 3000):
        if _as_rows(printed.decide(written(position), color, card)) != _as_rows(table.decide(written(position), color, card)):
            return
    pytest.fail(f"{options} changed nothing in 3000 decisions")


@pytest.mark.parametrize("pawns", range(1, 9))
def test_any_rules_agree_with_the_referee(pawns: int) -> None:
    luck = random.Random(pawns)
    seen: Counter[str] = Counter()
    for number in range(42 if pawns <= 4 else 18):
        players = 2 + number % 3
        rules = random_rules(luck, players, most=6, pawns=pawns)
        table = Table(rules, classic.seat_colors(rules, players))
        for position, color, card in random_points(luck, rules, table.players, 18):
            decision = assert_agreed(table, position, color, card)
            seen.update(_features(decision))
    assert all(seen[feature] >= 5 for feature in ("choice", "slide", "bump", "swap")), seen
    assert seen["split"] or pawns == 1
    assert seen["pass"] or pawns > 4


def _features(decision: referee.Decision) -> set[str]:
    events = [outcome.events for outcome in decision.outcomes]
    found = {
        "choice": len(decision.choices) > 1,
        "pass": decision.pass_offered,
        "slide": any(event.rides for event in events),
        "bump": any(event.bumps for event in events),
        "swap": any(event.swap for event in events),
        "split": any(event.split for event in events),
    }
    return {name for name, there in found.items() if there}


@pytest.mark.parametrize(
    ("pawns", "parts", "options"),
    [
        (5, 5, {}),
        (6, 4, {"own_collision": "share"}),
        (8, 3, {"own_collision": "bump_self"}),
        (4, 4, {"seven_resolution": "simultaneous", "slides": "all"}),
        (7, 4, {"seven_resolution": "simultaneous", "own_collision": "share"}),
        (5, 4, {"forward_past_entry": "decline_ok", "pass_scope": "always"}),
        (6, 3, {"home_overshoot": "bounce", "own_on_triangle": "bump"}),
        (8, 8, {}),
    ],
)
def test_a_7_in_many_parts_agrees_with_the_referee(pawns: int, parts: int, options: dict[str, Any]) -> None:
    rules = Rules(pawns=pawns, seven_parts=parts, **options)
    table = Table(rules, SEATED[3])
    luck = random.Random(pawns + 10 * parts)
    most_parts = compared = 0
    while compared < 4:
        position = dense_position(luck, rules, SEATED[3])
        if not 300 < ways_of_a_seven(rules, position, "blue") < 6000:
            continue
        decision = assert_agreed(table, position, "blue", "7")
        most_parts = max([most_parts, *(outcome.events.parts for outcome in decision.outcomes)])
        compared += 1
    assert most_parts >= min(parts, 3)


def test_the_most_pawns_and_parts_fit() -> None:
    # Eight pawns that all can move anyhow: far more ways than the referee can go through, and none may be lost.
    rules = Rules(pawns=8, seven_parts=8, own_collision="share")
    position = {"red": [20, 25, 30, 35, 40, 45, 50, 55], "yellow": ["S"] * 8}
    decision = Table(rules, ("red", "yellow")).decide(position, "red", "7")
    # Sharing 7 out over 8 pawns with nothing in the way gives each share-out once, but for rides that end where others can walk.
    assert comb(14, 7) * 0.8 < len(decision.outcomes) <= comb(14, 7)
    assert len({outcome.position for outcome in decision.outcomes}) == len(decision.outcomes)


# -- the fast enumeration against the full one -------------------------------------------------------------


def plain_rules(luck: random.Random, players: int) -> Rules:
    """Rules that the fast enumeration serves."""
    while True:
        rules = random_rules(luck, players, most=5)
        if classic.compile_rules(rules, players)[0]["plain"]:
            return rules


@pytest.mark.parametrize("players", SEATED)
def test_the_fast_enumeration_lists_the_same_actions(players: int) -> None:
    luck = random.Random(players)
    scratch, other = classic.new_scratch(), classic.new_scratch()
    kinds: Counter[str] = Counter()
    for rules in [Rules(), *(plain_rules(luck, players) for _ in range(25))]:
        tables = classic.compile_rules(rules, players)
        seated = classic.seat_colors(rules, players)
        for _ in range(60):
            position = dense_position(luck, rules, seated)
            words = words_of(position, rules, seated)
            color = luck.choice(seated)
            for card, name in enumerate(CARDS):
                full = full_actions(tables, scratch, COLORS.index(color), card, words)
                fast = plain_actions(tables, other, COLORS.index(color), card, words)
                assert fast == full, f"{color} {name} in {referee.write_position(position)!r} with {changed(rules)}"
                kinds.update(_kind(action) for action in full)
    assert all(kinds[kind] > 30 for kind in ("move", "split", "swap", "take", "pass")), kinds


@pytest.mark.parametrize("options", [{}, {"slides": "off"}, {"pawns": 3, "absent_color_slides": "inert"}], ids=str)
def test_the_fast_enumeration_of_sevens_between_any_two_pawns(options: dict[str, Any]) -> None:
    rules = Rules(**options)
    luck = random.Random(1)
    scratch, other = classic.new_scratch(), classic.new_scratch()
    tables = classic.compile_rules(rules, 3)
    seven = CARDS.index("7")
    for color, (one, two) in product(range(3), permutations(range(t.HOME), 2)):
        words = crowd(luck, rules, color, [one, two])
        full = full_actions(tables, scratch, color, seven, words)
        fast = plain_actions(tables, other, color, seven, words)
        assert fast == full, f"{COLORS[color]} 7 in {notation.to_text(words.tolist(), SEATED[3])!r} with {options}"


def crowd(luck: random.Random, rules: Rules, color: int, places: list[int]) -> NDArray[np.uint64]:
    """A color's pawns on these places, its others at rest, and two opponents with all theirs in front of them."""
    words = np.full(4, U(0x7F7F7F7F7F7F7F7F))
    words[color] = word_of(places + [luck.choice((t.START, t.HOME)) for _ in range(rules.pawns - len(places))])
    front = {(place + ahead) % t.TRACK for place in places if place < t.TRACK for ahead in range(1, 12)} - set(places)
    free = luck.sample(sorted(front), len(front))
    for opponent in {0, 1, 2} - {color}:
        there = [free.pop() if free else t.START for _ in range(rules.pawns)]
        words[opponent] = word_of([place if place == t.START else (place + t.SIDE * (color - opponent)) % t.TRACK for place in there])
    return words


def word_of(places: list[int]) -> int:
    return sum(place << 8 * lane for lane, place in enumerate(places + [t.NOWHERE] * (8 - len(places))))


def _kind(action: int) -> str:
    names = {int(moves.SWAP): "swap", int(moves.TAKE): "take", int(moves.PASS): "pass"}
    return names.get(action & 7, "split" if action >> 3 & 7 > 1 else "move")
