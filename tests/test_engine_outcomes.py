"""The outcomes of single decisions: hand-worked, against the referee on made-up positions, and listed the fast way."""

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from math import comb, perm
from typing import Any, NamedTuple

import classic_hand_vectors as hands
import classic_team_vectors as teams
import numpy as np
import pytest
from classic_vectors import CASES, PASS, Case, check, groups_of, named
from engine_tools import (
    SEATED,
    changed,
    dense_position,
    full_actions,
    hand_actions,
    plain_actions,
    random_rules,
    single_changes,
    words_of,
    written,
)
from numpy.typing import NDArray
from referee import classic as referee

from simsorry.games import classic, track
from simsorry.games.classic import actions, notation
from simsorry.games.classic import tables as t
from simsorry.games.classic.decision import Decision, Table
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS, COLORS

CARD_WEIGHTS = [2, 2, 1, 2, 1, 4, 1, 3, 4, 1, 3]  # the cards with more to them come more often
U = np.uint64
MOST_WAYS = 1500  # of playing a 7 that the referee is asked to go through, but for the few cases made for it

# -- hand-worked -----------------------------------------------------------------------------------------


def decision_set(decision: Decision) -> set[str]:
    """The decision set as the hand-worked table writes it."""
    return {PASS if outcome.kind == "pass" else outcome.position for outcome in decision.outcomes}


@pytest.mark.parametrize("case", CASES + teams.CASES, ids=named)
def test_hand_worked(case: Case) -> None:
    position = groups_of(case.position)
    table = table_of(json.dumps({"pawns": len(position[case.mover]), **case.options}), case.players)
    check(case, decision_set(table.decide(position, case.mover, case.card)))


@pytest.mark.parametrize("case", hands.CASES, ids=hands.named)
def test_hand_worked_with_a_hand(case: hands.HandCase) -> None:
    position = groups_of(case.position)
    table = table_of(json.dumps({"pawns": len(position["red"]), **case.options}), case.players)
    decision = table.decide_hand(position, "red", case.hand, followup=case.followup, drawn=case.drawn, first_turn=case.first_turn)
    hands.check_hand(case, [hands.written(case, one.card, one.kind, one.position) for one in decision.outcomes], decision.compulsory)
    assert decision.cards == tuple(case.hand.split())


@lru_cache
def table_of(options: str, players: tuple[str, ...]) -> Table:
    return Table(Rules.model_validate_json(options), players)


# -- against the referee -----------------------------------------------------------------------------------


class Point(NamedTuple):
    """A decision: a position, the color to move, and the card drawn or the hand, the card held longest first."""

    position: referee.Position
    color: str
    cards: tuple[str, ...]
    followup: bool = False
    first_turn: bool = False

    def state(self, rules: Rules) -> dict[str, Any]:
        """What is to be known besides the hand; of a further card that must be the one drawn, it is the last."""
        drawn = self.cards[-1] if self.followup and rules.two_in_hand == "play_drawn" else None
        return {"followup": self.followup, "drawn": drawn, "first_turn": self.first_turn}


def engine_decides(table: Table, point: Point) -> Decision:
    position = written(point.position)
    if not table.rules.hand_size:
        return table.decide(position, point.color, *point.cards)
    return table.decide_hand(position, point.color, point.cards, **point.state(table.rules))


def referee_decides(table: Table, point: Point) -> referee.Decision:
    where = table.rules, table.players, table.players.index(point.color), point.position
    if not table.rules.hand_size:
        return referee.outcomes(*where, *point.cards)
    return referee.hand_outcomes(*where, point.cards, **point.state(table.rules))


def assert_agreed(table: Table, point: Point) -> referee.Decision:
    """Fails unless engine and referee offer the same; returns what that is."""
    here, there = engine_decides(table, point), referee_decides(table, point)
    state = point.state(table.rules)
    where = f"{point.color} {point.cards} {state} in {referee.write_position(point.position)!r} with {changed(table.rules)}"
    assert _as_rows(here) == _rows_of(there), where
    assert here.compulsory == there.compulsory, where
    assert here.may_pass == there.pass_offered, where
    return there


def _as_rows(decision: Decision) -> list[tuple[str, str, bool, str]]:
    return sorted((outcome.position, outcome.kind, outcome.compulsory, outcome.card) for outcome in decision.outcomes)


def _rows_of(decision: referee.Decision) -> list[tuple[str, str, bool, str]]:
    return sorted((choice.text, choice.kind, choice.compulsory, choice.card) for choice in decision.choices)


def ways_of_a_seven(rules: Rules, position: referee.Position, color: str) -> int:
    """Roughly how many ways of playing a 7 the referee would have to go through."""
    partner = referee.partner_of(rules, color)
    movable = sum(place not in ("S", "H") for mover in filter(None, (color, partner)) for place in position[mover])
    return sum(perm(movable, parts) * comb(6, parts - 1) for parts in range(1, min(movable, rules.seven_parts, 7) + 1))


def some_cards(luck: random.Random, rules: Rules, position: referee.Position, color: str) -> tuple[str, ...]:
    """A card drawn, or a hand that the deck allows."""
    weights = dict(zip(CARDS, CARD_WEIGHTS, strict=True))
    if ways_of_a_seven(rules, position, color) > MOST_WAYS:
        weights["7"] = 0
    if not rules.hand_size:
        return tuple(luck.choices(list(weights), list(weights.values())))
    deck = [card for card, copies in rules.deck_counts.counts.items() for _ in range(copies) if weights[card]]
    size = luck.choice((rules.hand_size, luck.randint(1, rules.hand_size)))
    return tuple(luck.sample(deck, size) if size <= len(deck) else deck)


def random_points(luck: random.Random, rules: Rules, seated: Sequence[str], count: int) -> Iterator[Point]:
    """Positions with the color to move and what there is to play."""
    for _ in range(count):
        position = dense_position(luck, rules, seated)
        color = luck.choice(seated)
        cards = some_cards(luck, rules, position, color)
        yield Point(position, color, cards, rules.two_in_hand != "none" and luck.random() < 0.3, luck.random() < 0.2)


# Options that say nothing about the outcomes of a card or a hand; hand_size says what there is to decide at all.
SILENT = set("quick_start_pawns deck_counts draw first_player seat_colors two_draws_again reshuffle_when turn_cap".split())  # noqa: SIM905
SILENT |= {"card_in_play_in_reshuffle", "game_end", "pawns", "hand_size", "hand_refill", "team_finished_player", "team_win"}
SILENT |= {"team_scoring", "score_home_to", "score_home_value", "score_not_home_value", "score_bands", "bonus_bands", "band_measure"}
SILENT |= {"match_end", "next_leader", "head_starts"}
CHANGES = {players: dict(single_changes(players)) for players in SEATED}


@pytest.mark.parametrize("label", CHANGES[4])
def test_every_option_agrees_with_the_referee(label: str) -> None:
    luck = random.Random(label)
    for players in SEATED:
        if label not in CHANGES[players]:
            continue  # teams are four
        rules = Rules(**CHANGES[players][label])
        table = Table(rules, classic.seat_colors(rules, players))
        for point in random_points(luck, rules, table.players, 15 if rules.hand_size else 40):
            assert_agreed(table, point)


LOUD = [(label.partition("=")[0], label, options) for label, options in CHANGES[4].items() if label.partition("=")[0] not in SILENT]


@pytest.mark.parametrize(("name", "label", "options"), LOUD, ids=[label for _, label, _ in LOUD])
def test_every_option_makes_a_difference(name: str, label: str, options: dict[str, Any]) -> None:
    if label == "two_in_hand=none":
        return  # no decision follows a 2 at all
    luck = random.Random(3)
    seated = SEATED[4 if "team" in name else 3]
    small = {"hand_size": 2} if options.get("hand_size") else {}  # larger hands can nearly always be played
    tables = []
    for pawns in (4, 1):
        changed_rules = Rules(**options | small | {"pawns": pawns})
        printed = changed_rules.model_copy(update={name: Rules.model_fields[name].default})
        tables.append((Table(printed, seated), Table(changed_rules, seated)))
    for one, other in tables * 60:
        for point in random_points(luck, one.rules, seated, 50):
            if _as_rows(engine_decides(one, point)) != _as_rows(engine_decides(other, point)):
                return
    pytest.fail(f"{label} changed nothing in 6000 decisions")


@pytest.mark.parametrize("pawns", range(1, 9))
def test_any_rules_agree_with_the_referee(pawns: int) -> None:
    luck = random.Random(pawns)
    seen: Counter[str] = Counter()
    for number in range(30 if pawns <= 4 else 12):
        players = 2 + number % 3
        rules = random_rules(luck, players, most=6, pawns=pawns)
        table = Table(rules, classic.seat_colors(rules, players))
        for point in random_points(luck, rules, table.players, 18):
            seen.update(_features(assert_agreed(table, point)))
    assert all(seen[feature] >= 5 for feature in ("choice", "slide", "bump", "swap", "hand", "partner bump")), seen
    assert seen["split"] or pawns == 1
    assert seen["pass"] or pawns > 4


def _features(decision: referee.Decision) -> set[str]:
    events = [outcome.events for outcome in decision.outcomes]
    found = {
        "choice": len(decision.choices) > 1,
        "hand": len(decision.cards) > 1,
        "partner bump": any(event.partner_bumps for event in events),
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
        (4, 3, {"team_pairs": "opposite"}),
        (3, 6, {"team_pairs": "opposite", "team_collision": "coexist"}),
        (3, 4, {"team_pairs": "opposite", "team_collision": "bump_mover", "seven_resolution": "simultaneous"}),
    ],
)
def test_a_7_in_many_parts_agrees_with_the_referee(pawns: int, parts: int, options: dict[str, Any]) -> None:
    rules = Rules(pawns=pawns, seven_parts=parts, **options)
    seated = SEATED[4 if rules.team_pairs else 3]
    table = Table(rules, seated)
    luck = random.Random(pawns + 10 * parts)
    most_parts = compared = 0
    while compared < 4:
        position = dense_position(luck, rules, seated)
        if not 300 < ways_of_a_seven(rules, position, "blue") < 6000:
            continue
        decision = assert_agreed(table, Point(position, "blue", ("7",)))
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


def plain_rules(luck: random.Random, players: int, *, teams: bool) -> Rules:
    """Rules that the fast enumeration serves."""
    while True:
        rules = random_rules(luck, players, most=5)
        if t._is_plain(rules) and bool(rules.team_pairs) == teams:
            return rules


@pytest.mark.parametrize(("players", "teams"), [(2, False), (3, False), (4, False), (4, True)])
def test_the_fast_enumeration_lists_the_same_actions(players: int, teams: bool) -> None:
    luck = random.Random(players + teams)
    scratch, other = classic.new_scratch(), classic.new_scratch()
    kinds: Counter[str] = Counter()
    printed = Rules(team_pairs="opposite") if teams else Rules()
    for rules in [printed, *(plain_rules(luck, players, teams=teams) for _ in range(15))]:
        tables = classic.compile_rules(rules, players)
        assert tables[0]["plain"] == 1
        seated = classic.seat_colors(rules, players)
        for _ in range(60):
            position = dense_position(luck, rules, seated)
            words = words_of(position, rules, seated)
            color = luck.choice(seated)
            for cards in cards_to_list(luck, rules):
                full = listed(tables, scratch, COLORS.index(color), cards, words, fast=False)
                fast = listed(tables, other, COLORS.index(color), cards, words, fast=True)
                where = f"{color} {[CARDS[card] for card in cards]} in {referee.write_position(position)!r} with {changed(rules)}"
                assert fast == full, where
                kinds.update(_kind(action) for action, _ in full)
    assert all(kinds[kind] > 30 for kind in ("move", "split", "swap", "take", "throw")), kinds
    assert kinds["move for the partner" if teams else "pass"] > 10, kinds  # in a team there is nearly always something to move


def cards_to_list(luck: random.Random, rules: Rules) -> Iterable[list[int]]:
    """Every card by itself; or some hands, and some single cards that are left of one."""
    if not rules.hand_size:
        return [[card] for card in range(len(CARDS))]
    deck = [CARDS.index(card) for card, copies in rules.deck_counts.counts.items() for _ in range(copies)]
    return [luck.sample(deck, size) for size in (1, rules.hand_size) * 4]


def listed(
    tables: NDArray[Any], scratch: NDArray[Any], color: int, cards: list[int], words: NDArray[np.uint64], *, fast: bool
) -> list[tuple[int, int]]:
    """The actions of a decision and the cards they are played with, by either enumeration."""
    if tables[0]["hand_size"]:
        return hand_actions(tables, scratch, color, cards, words, fast=fast)
    found = (plain_actions if fast else full_actions)(tables, scratch, color, cards[0], words)
    return [(action, cards[0]) for action in found]


@pytest.mark.parametrize("options", [{}, {"slides": "off"}, {"pawns": 3, "absent_color_slides": "inert"}], ids=str)
def test_the_fast_enumeration_of_sevens_between_any_two_pawns(options: dict[str, Any]) -> None:
    rules = Rules(**options)
    luck = random.Random(1)
    for color, (one, two) in product(range(3), permutations(range(track.HOME), 2)):
        assert_sevens_alike(rules, 3, color, crowd(luck, rules, {color: [one, two]}, set(range(3)) - {color}))


@pytest.mark.parametrize("options", [{}, {"slides": "off"}, {"pawns": 2, "team_control": "own_only", "seven_parts": 3}], ids=str)
def test_the_fast_enumeration_of_sevens_between_any_two_partners(options: dict[str, Any]) -> None:
    rules = Rules(team_pairs=(("red", "blue"), ("yellow", "green")), **options)
    luck = random.Random(2)
    for color, one, two in product((0, 1), range(track.HOME), range(track.HOME)):
        if two != (one + track.SIDE * (1 if color else -1)) % track.TRACK or max(one, two) >= track.TRACK:
            assert_sevens_alike(rules, 4, color, crowd(luck, rules, {color: [one], 1 - color: [two]}, {2, 3}))


def assert_sevens_alike(rules: Rules, players: int, color: int, words: NDArray[np.uint64]) -> None:
    """Fails unless both enumerations list the same ways of playing a 7."""
    tables, scratch, other = tables_of(rules.model_dump_json(by_alias=True), players)
    seven = CARDS.index("7")
    full = full_actions(tables, scratch, color, seven, words)
    fast = plain_actions(tables, other, color, seven, words)
    where = f"{COLORS[color]} 7 in {notation.to_text(words.tolist(), SEATED[players])!r} with {changed(rules)}"
    assert tables[0]["plain"]
    assert fast == full, where


@lru_cache
def tables_of(rules: str, players: int) -> tuple[NDArray[Any], ...]:
    """The compiled rules, and a record for either enumeration."""
    return classic.compile_rules(Rules.model_validate_json(rules), players), classic.new_scratch(), classic.new_scratch()


def crowd(luck: random.Random, rules: Rules, movers: dict[int, list[int]], opponents: set[int]) -> NDArray[np.uint64]:
    """Pawns of some colors on these places, their others at rest, and the opponents with all theirs in front of them."""
    words = np.full(4, U(0x7F7F7F7F7F7F7F7F))
    front: set[int] = set()
    taken: set[int] = set()
    for color, places in movers.items():
        words[color] = word_of(places + [luck.choice((track.START, track.HOME)) for _ in range(rules.pawns - len(places))])
        squares = {(place + track.SIDE * color) % track.TRACK for place in places if place < track.TRACK}
        front |= {(square + ahead) % track.TRACK for square in squares for ahead in range(1, 12)}
        taken |= squares
    free = luck.sample(sorted(front - taken), len(front - taken))
    for opponent in opponents:
        there = [free.pop() if free else None for _ in range(rules.pawns)]
        words[opponent] = word_of([track.START if square is None else (square - track.SIDE * opponent) % track.TRACK for square in there])
    return words


def word_of(places: list[int]) -> int:
    return sum(place << 8 * lane for lane, place in enumerate(places + [track.NOWHERE] * (8 - len(places))))


def _kind(action: int) -> str:
    if action & 7 == actions.MOVE:
        return "split" if action >> 3 & 7 > 1 else "move for the partner" if action & actions.PARTNER else "move"
    others = {actions.SWAP: "swap", actions.TAKE: "take", actions.PASS: "pass", actions.THROW: "throw", actions.IDLE: "idle"}
    return {int(kind): name for kind, name in others.items()}[action & 7]
