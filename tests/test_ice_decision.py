"""Single decisions of Ice Soo Sorry!: the outcomes against the referee's, and what is said to be done against what it leads to."""

import json
import random
import re
from typing import Any

import pytest
from ice_positions import filled, random_card, random_hand, random_position, random_state
from ice_tools import random_rules
from ice_words import bare, carried_out
from referee import ice as referee

from simsorry.errors import SimsorryError
from simsorry.games.asked import Decision
from simsorry.games.ice import notation
from simsorry.games.ice.decision import Table, decide, decide_hand
from simsorry.games.ice.retelling import Retelling
from simsorry.games.ice.rules import Rules
from simsorry.games.options import COLORS

RULESETS, DECISIONS = 60, 5  # random ones, and how many of each
HAND_RULESETS, HAND_DECISIONS = 40, 4
RETOLD_RULESETS = 30
OPTIONS = 16  # off their defaults, at most

# -- against the referee ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(RULESETS))
def test_decisions_agree_with_the_referee(seed: int) -> None:
    luck = random.Random(f"ice decisions {seed}")
    rules, players = random_rules(luck, OPTIONS, hand_size=0), tuple(luck.sample(COLORS, luck.randint(2, 4)))
    table = Table(rules, players)
    for _ in range(DECISIONS):
        position, color, card = random_position(luck, rules, players), luck.choice(players), random_card(luck)
        told = table.decide(position, color, card)
        where = f"{rules.model_dump(exclude_defaults=True)} {position} {color} {card}"
        compare(told, referee.outcomes(rules, players, color, position, card), where)
        check_words(rules, position, told, where)


@pytest.mark.parametrize("seed", range(HAND_RULESETS))
def test_hands_agree_with_the_referee(seed: int) -> None:
    luck = random.Random(f"ice hands {seed}")
    rules = random_rules(luck, OPTIONS, hand_size=luck.choice([1, 2, 5]))
    players = tuple(luck.sample(COLORS, luck.randint(2, 4)))
    table = Table(rules, players)
    for _ in range(HAND_DECISIONS):
        position, color, hand = random_position(luck, rules, players), luck.choice(players), random_hand(luck, rules)
        state = random_state(luck, rules, hand)
        told = table.decide_hand(position, color, hand, **state)
        where = f"{rules.model_dump(exclude_defaults=True)} {position} {color} {hand} {state}"
        compare(told, referee.hand_outcomes(rules, players, color, position, hand, **state), where)
        check_words(rules, position, told, where)


def compare(told: Decision, expected: referee.Decision, where: str) -> None:
    theirs = sorted((choice.card, choice.text, choice.kind) for choice in expected.choices)
    assert sorted((outcome.card, outcome.position, outcome.kind) for outcome in told.outcomes) == theirs, where
    assert sorted(map(changes, told.outcomes)) == sorted(map(changes, expected.choices)), where
    must_move = expected.board.rules.must_move
    assert (told.color, told.cards, told.compulsory) == (expected.color, expected.cards, expected.compulsory and must_move), where


def changes(outcome: Any) -> str:
    return json.dumps({place: sorted(pawns) if place in COLORS else pawns for place, pawns in outcome.changes.items()}, sort_keys=True)


def check_words(rules: Rules, position: dict[str, list[str]], told: Decision, where: str) -> None:
    """Fails unless what is said to be done leads to the outcomes."""
    for outcome in told.outcomes:
        assert carried_out(rules, position, told.color, outcome.did) == bare(outcome.position), f"{where}: {outcome.did}"


@pytest.mark.parametrize("seed", range(RETOLD_RULESETS))
def test_a_retelling_ends_where_the_kernel_ends(seed: int) -> None:
    luck = random.Random(f"ice retold {seed}")
    rules, players = random_rules(luck, 2 * OPTIONS, hand_size=0), COLORS[: luck.randint(2, 4)]
    table = Table(rules, players)
    for _ in range(DECISIONS):
        before, mover = table.placement(random_position(luck, rules, players)), luck.randrange(len(players))
        numbered = before.copy()
        numbered.give_numbers()
        for card in range(11):
            for action, _, after in table.outcomes(before, mover, card):
                retelling = Retelling(rules, table.compiled[0], numbered.copy())
                retelling.carry_out(action, mover)
                assert table.text(retelling.placement) == table.text(after)


# -- in words --------------------------------------------------------------------------------------


def answered(text: str, card: object, mover: str = "red", **options: Any) -> Decision:
    """The decision about a card drawn in a filled position."""
    places = filled(text)
    return decide(Rules(**{"hand_size": 0} | options), tuple(color for color in COLORS if color in places), places, mover, card)


def did(text: str, card: object, changed: str, **options: Any) -> str:
    """What red is said to do to bring certain piles about."""
    outcomes = [outcome for outcome in answered(text, card, **options).outcomes if outcome.kind == "play"]
    (outcome,) = (outcome for outcome in outcomes if notation.changes_text(outcome.changes) == changed)
    return str(outcome.did)


@pytest.mark.parametrize(
    ("position", "card", "changed", "options", "words"),
    [
        ("red S:l / blue", 3, "4: rl", {}, "starts a large pawn on 4"),
        ("red S:s / blue | 4: bm", 1, "4: bm rs", {}, "starts a small pawn on 4, where it stacks on blue's medium pawn"),
        ("red S:m / blue | 4: bs", 2, "4: bs rm", {}, "starts a medium pawn on 4, where it covers blue's small pawn"),
        ("red S:m / blue | 4: rs", 2, "4: rs rm", {}, "starts a medium pawn on 4, where it covers an own small pawn"),
        ("20: rm", 5, "20: - | 25: rm", {}, "moves a medium pawn 5 forward from 20 to 25"),
        (
            "20: rs rl | 25: bs",
            5,
            "20: rs | 25: bs rl",
            {},
            "moves a large pawn 5 forward from 20 to 25, where it covers blue's small pawn; frees an own small pawn on 20",
        ),
        (
            "20: rl rs | 25: bm bm",
            5,
            "20: - | 25: bm bm rl rs",
            {},
            "moves the stack of a large and a small pawn 5 forward from 20 to 25, where it covers the stack of two blue medium pawns",
        ),
        (
            "20: rs bm bm rl",
            4,
            "19: rl | 20: rs bm bm",
            {},
            "moves a large pawn 4 back from 20 to 16, slides to 19; frees two blue medium pawns on 20",
        ),
        (
            "20: rs bl rm rm bm rs",
            5,
            "20: rs | 25: bl rm rm bm rs",
            {},
            "moves the stack of 5 pawns (bl rm rm bm rs) 5 forward from 20 to 25; frees an own small pawn on 20",
        ),
        ("red Z5:l / blue", 1, "red Z5: -", {}, "moves a large pawn 1 forward from Z5 to HOME"),
        ("red / blue | red Z3: rm rs", 3, "red Z3: -", {}, "moves the stack of a medium and a small pawn 3 forward from Z3 to HOME"),
        ("red Z1:l / blue", 4, "59: rl | red Z1: -", {}, "moves a large pawn 4 back from Z1 to 59"),
        (
            "red Z4:l / blue",
            5,
            "red Z3: rl | red Z4: -",
            {"home_overshoot": "bounce"},
            "moves a large pawn 5 forward from Z4 to HOME and back to Z3",
        ),
        ("0: rl", 10, "0: - | 10: rl", {}, "moves a large pawn 10 forward from 0 past its safety zone to 10"),
        (
            "59: bm rs",
            5,
            "2: bm | 59: - | red Z2: rs",
            {"ice_mixed_stack_zone": "drop_at_entry"},
            "moves the stack of blue's medium and a small pawn 5 forward from 59 to Z2, leaving blue's medium pawn on 2",
        ),
        (
            "59: bm rs",
            5,
            "59: - | red Z2: rs",
            {"ice_mixed_stack_zone": "to_start"},
            "moves the stack of blue's medium and a small pawn 5 forward from 59 to Z2, sending blue's medium pawn back to START",
        ),
        (
            "20: rl | 40: rs",
            7,
            "20: - | 26: rl | 40: - | 41: rs",
            {},
            "moves a large pawn 6 forward from 20 to 26; then moves a small pawn 1 forward from 40 to 41",
        ),
        (
            "20: rl rs | 22: bs",
            7,
            "20: - | 22: bs rl | 25: rs",
            {},
            (
                "moves a small pawn 5 forward from 20 to 25; "
                "then moves a large pawn 2 forward from 20 to 22, where it covers blue's small pawn"
            ),
        ),
        ("20: rs | 31: bl", 11, "20: bl | 31: - | 34: rs", {}, "switches its small pawn on 20 with blue's large pawn on 31, slides to 34"),
        (
            "20: bs rm bs rl | 40: bm bm bm bl",
            11,
            "20: bs bl bs rl | 40: bm bm bm rm",
            {},
            (
                "switches its medium pawn on 20 (2nd from below) with blue's large pawn on 40 (top); covers blue's large pawn on 20; "
                "frees 4 pawns (bm bm bm rm) on 40"
            ),
        ),
    ],
)
def test_what_is_done_in_words(position: str, card: object, changed: str, options: dict[str, Any], words: str) -> None:
    assert did(position, card, changed, **options) == words


@pytest.mark.parametrize(
    ("slide", "changed", "options", "words"),
    [
        ("40: bs", "", {}, ""),
        ("16: rs", "", {}, ""),
        ("19: bm", "19: bm rm", {}, ", where it stacks on blue's medium pawn"),
        (
            "16: rs | 17: bs | 18: bl",
            "17: - | 18: - | 19: bl bs rm",
            {},
            (
                " (taking along blue's small pawn from 17 and blue's large pawn from 18), "
                "where it covers the stack of blue's large and blue's small pawn"
            ),
        ),
        (
            "17: bs | 18: bm bl | 19: rs",
            "17: - | 18: - | 19: rs bm bl bs rm",
            {},
            (
                " (taking along blue's small pawn from 17 and the pile bm bl from 18), "
                "where it covers the stack of blue's large and blue's small pawn; covers an own small pawn on 19"
            ),
        ),
        (
            "17: bs | 18: bm | 19: bl",
            "17: - | 18: - | 19: bs bm bl rm",
            {"ice_slide_order": "first_met_lowest"},
            (
                " (taking along blue's small pawn from 17 and blue's medium pawn from 18), where it stacks on blue's large pawn; "
                "covers blue's small and blue's medium pawn on 19"
            ),
        ),
        (
            "17: bs | 18: bl bm | 19: rs",
            "18: - | 19: rs bl bm rm",
            {"ice_slide_mode": "carry_stacked"},
            " (taking along the pile bl bm from 18), where it stacks on blue's medium pawn; covers an own small pawn on 19",
        ),
        (
            "16: bs | 18: bm",
            "16: - | 19: bs rm",
            {"ice_slide_mode": "end_only", "ice_slide_triangle": "take"},
            " (taking along blue's small pawn from 16), where it covers blue's small pawn",
        ),
    ],
)
def test_slides_in_words(slide: str, changed: str, options: dict[str, Any], words: str) -> None:
    at_once = f"11: - | {changed or '19: rm'}"
    assert did(f"11: rm | {slide}", 5, at_once, **options) == f"moves a medium pawn 5 forward from 11 to 16, slides to 19{words}"


def test_a_sorry_in_words() -> None:
    told = [outcome.did for outcome in answered("red S:s S:l / blue | 20: bm", "Sorry!").outcomes]
    assert told == [
        "moves a small pawn from START to 20, where it stacks on blue's medium pawn",
        "moves a large pawn from START to 20, where it covers blue's medium pawn",
    ]
    slid = did("red S:s / blue | 31: bl | 33: bm", "sorry", "33: - | 34: bm rs")
    along = "slides to 34 (taking along blue's medium pawn from 33), where it stacks on blue's medium pawn"
    assert slid == f"moves a small pawn from START to 31, {along}"


def test_a_switch_within_a_pile_in_words() -> None:
    told = [outcome.did for outcome in answered("20: rs bl rm", "11").outcomes if outcome.did.startswith("switches")]
    assert told == [
        "switches its small pawn (lowest) with blue's large pawn (2nd from below) on 20; covers blue's large pawn on 20",
        "switches its medium pawn (top) with blue's large pawn (2nd from below) on 20; covers an own medium pawn on 20",
    ]


def test_what_may_be_declined() -> None:
    swap = answered("red Z5:l / blue | 59: rm | 40: bm", 11).outcomes
    assert [(outcome.kind, outcome.compulsory, outcome.card) for outcome in swap] == [
        ("play", False, "11"),
        ("play", False, "11"),
        ("pass", False, "11"),
    ]
    assert answered("red Z5:l / blue | 20: rm | 40: bm", 11).compulsory
    assert not answered("red Z5:l / blue | 20: rm | 40: bm", 11, must_move=False).compulsory
    assert answered("red Z5:l / blue | 20: rm | 40: bm", 11, must_move=False).may_pass
    assert answered("red Z5:l / blue | 58: rm", 12, forward_past_entry="forbidden").outcomes == ()


# -- hands -----------------------------------------------------------------------------------------

NOBODY_OUT = filled("red S:l / blue S:s")


def hand_of_red(hand: str, position: dict[str, list[str]] = NOBODY_OUT, **state: Any) -> list[tuple[str, str, str]]:
    """What a hand offers: card, kind, and what is done."""
    options = {option: state.pop(option) for option in list(state) if option in Rules.model_fields}
    found = decide_hand(Rules(**options), ("red", "blue"), position, "red", hand, **state)
    return [(outcome.card, outcome.kind, outcome.did) for outcome in found.outcomes]


def test_what_is_done_with_a_hand_in_words() -> None:
    throws = [("1", "throw", "throws in a 1"), ("8", "throw", "throws in an 8"), ("11", "throw", "throws in an 11")]
    assert hand_of_red("8 1 11 1") == throws
    assert hand_of_red("8 sorry", dead_hand="oldest") == [("8", "throw", "throws in an 8")]
    assert hand_of_red("8 1", dead_hand="random") == [("random", "throw", "throws in a card at random")]
    assert hand_of_red("8, 1", followup=True) == []
    assert hand_of_red("8 1", first_turn=True, first_turn_dead_hand="skip") == []
    assert hand_of_red("", dead_hand="random") == []
    assert hand_of_red("3 1") == [("3", "play", "starts a large pawn on 4")]
    idle = hand_of_red("2 8", two_playable_idle=True)
    assert idle[0] == ("2", "idle", "lays the 2 down without a move")
    assert [kind for _, kind, _ in idle] == ["idle", "throw", "throw"]
    followup = hand_of_red("7 3", two_in_hand="play_drawn", followup=True, drawn="3")
    assert followup == [("3", "play", "starts a large pawn on 4")]
    assert hand_of_red("11", filled("59: rs | 16: bs"), followup=True)[-1] == ("", "pass", "passes")


# -- recorded points -------------------------------------------------------------------------------

POINT: dict[str, Any] = {
    "players": ["red", "yellow"],
    "seat": 1,
    "to_move": "yellow",
    "follow_up": False,
    "first_turn": False,
    "hand": ["5", "11"],
    "position": "red S:s / yellow H:l Z1:m | 20: ys | 31: rm rl",
}
ANSWERS = [
    ["5", "play", {"20": [], "25": ["ys"]}],
    ["5", "play", {"yellow": ["H:m", "H:l"], "yellow Z1": []}],
    ["11", "play", {"20": [], "31": ["rm", "rl", "ys"]}],
    ["11", "play", {"20": ["rm"], "31": ["ys", "rl"]}],
    ["11", "play", {"20": ["rl"], "31": ["rm", "ys"]}],
]


def test_a_recorded_point() -> None:
    table = Table(Rules(pieces=(1, 1, 1)), POINT["players"])
    assert table.answer(POINT) == ANSWERS
    as_json = notation.parse("red S:s / yellow H:l | 20: ys | 31: rm rl | yellow Z1: ym")
    assert table.answer({key: value for key, value in POINT.items() if key not in ("seat", "position")} | {"json": as_json}) == ANSWERS
    assert table.answer(POINT | {"position": as_json}) == ANSWERS
    named_otherwise = {key: value for key, value in POINT.items() if key not in ("seat", "to_move", "follow_up")}
    assert table.answer(named_otherwise | {"color": "yellow", "followup": False}) == ANSWERS
    assert table.compiled_for(POINT) == "plays_of"


def test_points_at_which_no_pawn_is_moved() -> None:
    table = Table(Rules(pieces=(1, 1, 1)), ("red", "yellow"))
    nobody_out = POINT | {"position": "red S:s S:m S:l / yellow S:s S:m S:l", "hand": ["7", "12", "7"]}
    assert table.answer(nobody_out) == [["7", "discard", {}], ["12", "discard", {}]]
    assert table.answer(nobody_out | {"follow_up": True}) == []
    only_a_switch = {"position": "red S:s S:l / yellow S:m S:l | 20: rm | 29: ys", "hand": ["11"], "follow_up": True}
    forbidden = Table(Rules(pieces=(1, 1, 1), forward_past_entry="forbidden"), ("red", "yellow"))
    assert forbidden.answer(POINT | only_a_switch) == [["11", "play", {"20": ["ys"], "29": ["rm"]}], ["", "pass", {}]]
    drawn = Table(Rules(pieces=(1, 1, 1), hand_size=0), ("red", "yellow"))
    point = {key: value for key, value in POINT.items() if key != "hand"}
    assert drawn.answer(point | {"card": 5}) == ANSWERS[:2]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"to_move": "blue", "seat": None}, '"blue" does not play here; the players are red, yellow'),
        ({"to_move": "red"}, 'seat 1 is yellow, not "red"'),
        ({"seat": 2}, "seat = 2 is none of the seats 0 to 1"),
        ({"hand": "5 11"}, 'hand = "5 11" is no list of cards'),
        ({"hand": ["6"]}, 'card "6" is not in the deck'),
        ({"hand": ["8"] * 5}, "hand: 5 times 8, but the deck holds 4"),
        ({"hand": ["8"] * 6}, "hand: 6 cards are more than hand_size = 5"),
        ({"follow_up": "no"}, 'follow_up = "no" is neither true nor false'),
        ({"first_turn": 1}, "first_turn = 1 is neither true nor false"),
        ({"drawn": "5"}, "in these rules no drawn card must follow a 2"),
        ({"position": 7}, "position = 7 is no table of colors, piles and their pawns"),
        ({"position": "red S:s / yellow S:s"}, "position: red has 0 medium pawns, but in this ruleset each color has 1"),
    ],
)
def test_a_point_that_makes_no_sense(change: dict[str, Any], sentence: str) -> None:
    table = Table(Rules(pieces=(1, 1, 1)), ("red", "yellow"))
    with pytest.raises(SimsorryError, match=re.escape(sentence)) as caught:
        table.answer(POINT | change)
    assert "\n" not in str(caught.value)


def test_a_point_that_names_no_card() -> None:
    point = {key: value for key, value in POINT.items() if key != "hand"}
    with pytest.raises(SimsorryError, match="a card is chosen from a hand"):
        Table(Rules(pieces=(1, 1, 1)), ("red", "yellow")).answer(point)
    with pytest.raises(SimsorryError, match="is not in the deck"):
        Table(Rules(pieces=(1, 1, 1), hand_size=0), ("red", "yellow")).answer(point)
    with pytest.raises(SimsorryError, match="nobody holds a hand"):
        Table(Rules(pieces=(1, 1, 1), hand_size=0), ("red", "yellow")).answer(POINT)


def test_a_table_needs_players() -> None:
    with pytest.raises(SimsorryError, match="players: red: two to four different colors are needed"):
        Table(Rules(), ("red",))
    with pytest.raises(SimsorryError, match="hand_size = 15 is too much for 4 players: the deck has 45 cards"):
        Table(Rules(hand_size=15), COLORS)


def test_the_seats_of_the_players_overrule_those_of_the_ruleset() -> None:
    rules = Rules(pieces=(1, 0, 0), seat_colors=("red", "blue"), absent_color_slides="inert", hand_size=0)
    table = Table(rules, ("green", "yellow"))
    decision = table.decide("green / yellow S:s | 0: gs", "green", 1)
    assert [outcome.position for outcome in decision.outcomes] == ["yellow S:s / green | 1: gs"]


def test_a_decision_of_very_many_switches_that_slide_is_answered() -> None:
    start = "red / blue / yellow / green S:4m5l"
    own = "5: rs | 6: rs | 7: rs | 8: rs | 11: rs | 12: rm | 13: rm | 14: rm | 17: rm | 18: rm | 19: rl | 20: rl | 21: rl | 22: rl | 23: rl"
    others = "16: bs bm bl ys ym gs | 24: bs bm bl ys yl gs | 31: bs bm bl ym yl gs | 39: bs bm ys ym yl gs | 46: bs bl ys ym yl gs"
    position = f"{start} | {own} | {others} | 54: bm bl ys ym yl gm"
    decision = decide_hand(Rules(), ("red", "blue", "yellow", "green"), position, "red", ["11"])
    assert len(decision.outcomes) == 15 * 36 + 15  # every own pawn with every other, and 11 forward
