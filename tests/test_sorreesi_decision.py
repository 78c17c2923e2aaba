"""Single decisions of Sorreesi: the outcomes against the referee's and by hand, what is said to be done, and what is refused."""

import random
import re
from typing import Any

import pytest
import sorreesi_tools as tools
from referee import sorreesi as referee
from sorreesi_vectors import CASES, Case, check, described, named
from sorreesi_words import carried_out

from simsorry.errors import SimsorryError
from simsorry.games.options import CARDS, COLORS
from simsorry.games.sorreesi import notation
from simsorry.games.sorreesi.decision import Decision, Table, decide
from simsorry.games.sorreesi.retelling import Retelling
from simsorry.games.sorreesi.rules import Rules
from simsorry.games.sorreesi.spending import bonus_values

RULESETS, DECISIONS = 60, 12  # random ones, and how many of each
ALONE = "yellow B B"  # an opponent who is not in the way


def answered(position: str, mover: str = "red", *, options: dict[str, Any] | None = None, **spendable: Any) -> Decision:
    """A decision in a position whose colors play, with as many pawns as the first of them has."""
    places = notation.parse(position)
    rules = Rules(**{"pawns": len(next(iter(places.values())))} | (options or {}))
    return Table(rules, tuple(places)).decide(places, mover, **spendable)


# -- against the referee ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(RULESETS))
def test_decisions_agree_with_the_referee(seed: int) -> None:
    luck = random.Random(f"decisions {seed}")
    rules = tools.random_rules(luck)
    players = COLORS if rules.team_pairs else tuple(luck.sample(COLORS, luck.randint(2, 4)))
    table = Table(rules, players)
    for _ in range(DECISIONS):
        position, color = random_position(luck, rules, players), luck.choice(players)
        spendable = random_pool(luck, rules)
        where = f"{rules.model_dump(exclude_defaults=True)} {position} {color} {spendable}"
        told = table.decide(position, color, **spendable)
        read = {each: [referee.read_place(place) for place in places] for each, places in position.items()}
        compare(told, referee.outcomes(rules, players, read, color, **spendable), where)
        for outcome in told.outcomes:
            assert carried_out(position, color, outcome.did) == outcome.position, f"{where}: {outcome.did}"


def compare(told: Decision, expected: referee.Decision, where: str) -> None:
    ours = [(o.use, o.position, o.fights, str(o.left), o.kind, o.over) for o in told.outcomes]
    theirs = [(o.use, o.text, tuple(sorted(o.fights)), str(o.left), o.kind, o.over) for o in expected.outcomes]
    assert sorted(ours) == sorted(theirs), where
    assert told.may_stop == (expected.stop is not None), where
    assert told.compulsory == bool(told.outcomes and not told.may_stop), where
    with_card = [(o.position, o.compulsory) for o in told.outcomes if any(part.startswith("card") for part in o.use)]
    assert sorted(with_card) == sorted((o.text, o.compulsory) for o in expected.outcomes if o.action and o.action.use.card), where


def random_position(luck: random.Random, rules: Rules, players: tuple[str, ...]) -> dict[str, list[int | str]]:
    """Any placement that the rules allow in which nobody is done, crowded so that pawns meet."""
    region = [(luck.randrange(68) + step) % 68 for step in range(luck.choice([14, 30, 68]))]
    while True:
        position: dict[str, list[int | str]] = {}
        for color in players:
            stack = luck.choice(region)
            path = [f"P{step}" for step in range(1, rules.home_path_length + 1)]
            places = [
                luck.choices(["B", "H", luck.choice(path), luck.choice(region), stack], [3, 2, 2, 6, 2])[0] for _ in range(rules.pawns - 1)
            ]
            position[color] = [*places, luck.choice(["B", *region])]
        try:
            notation.to_words(position, rules, players)
        except SimsorryError:
            continue
        return position


def random_pool(luck: random.Random, rules: Rules) -> dict[str, Any]:
    """Anything that there can be to spend."""
    dice = [luck.randint(1, 6) for _ in range(luck.choice([0, 1, 1, 2, 2, 2]))]
    if rules.doubles_bottoms and luck.random() < 0.4:
        number = luck.randint(1, 3)
        dice = luck.sample([number, number, 7 - number, 7 - number], luck.choice([3, 4]))
    held = [card for card in [*CARDS, "7", "11", "sorry"] if rules.deck_counts.counts[card]]
    card = luck.choice([None, luck.choice(held), luck.choice(held)])
    if rules.resolution_order == "dice_then_card" and dice:
        card = None
    units = [value for value in bonus_values(rules) if value]
    bonus = luck.choices(units, k=luck.choice([0, 0, 1, 2])) if units else []
    return {"dice": dice, "card": card, "bonus": bonus, "bonus_open": rules.bonus_timing == "any_time" or not (dice or card)}


@pytest.mark.parametrize("case", CASES, ids=named)
def test_hand_worked_decisions(case: Case) -> None:
    rules = Rules(**case.rules)
    spendable = {"dice": case.dice, "card": case.card, "bonus": case.bonus, "bonus_open": case.bonus_open}
    told = Table(rules, case.players).decide(case.position, case.mover, **spendable)
    found = [described(case.bonus, o.use, o.position, o.fights, o.left, o.over) for o in told.outcomes]
    assert len(set(found)) == len(found)
    check(case, set(found))


def test_a_retelling_without_fights_ends_where_the_kernel_ends() -> None:
    luck = random.Random("retelling")
    for _ in range(40):
        rules = tools.random_rules(luck, team_pairs="opposite", seven_parts=luck.choice([2, 3]))
        table = Table(rules, COLORS)
        for _ in range(8):
            words, mover, pool = table.words(random_position(luck, rules, COLORS)), luck.randrange(4), random_pool(luck, rules)
            listed = table.outcomes(words, mover, table.read_pool(**pool))
            for action, after in zip(listed.actions, listed.results, strict=True):
                retelling = Retelling(rules, words.tolist(), mover)
                retelling.carry_out(action)
                assert retelling.words == after


# -- in words --------------------------------------------------------------------------------------


def did(position: str, use: str, ends: str, **asked: Any) -> str:
    """What is said to be done to reach the outcome whose groups include ``ends``."""
    outcomes = [o for o in answered(position, **asked).outcomes if " + ".join(o.use) == use]
    (outcome,) = (o for o in outcomes if set(ends.split(" / ")) <= set(o.position.split(" / ")))
    return outcome.did


SINGLES = {"swap_requires_single": False}
TEAMS = {"team_pairs": "opposite"}
TWO_TEAMS = "blue B B / yellow 20 B / green B 40"


@pytest.mark.parametrize(
    ("position", "use", "ends", "asked", "words"),
    [
        (f"red B B / {ALONE}", "die 5", "red B 0", {"dice": (5, 2)}, "brings a pawn out to 0"),
        (f"red B B / {ALONE}", "card 1", "red B 0", {"card": "1"}, "brings a pawn out to 0"),
        ("red B B / yellow B 0", "die 5", "red B 0", {"dice": (5,)}, "brings a pawn out to 0, has to fight yellow"),
        (
            "red 20 H / yellow B 23",
            "die 3",
            "red 23 H",
            {"dice": (3,)},
            "moves 3 forward from 20 to 23, sends back yellow; earns a bonus move of 20",
        ),
        (
            "red 20 H / blue 33 33 / yellow B B / green 33 B",
            "card 11 + die 2",
            "red 33 H",
            {"card": 11, "dice": (2,), "options": TEAMS},
            "moves 13 forward from 20 to 33, sends back 2 blue and green; earns 3 bonus moves of 20",
        ),
        (f"red 20 P6 / {ALONE}", "die 2", "red 20 H", {"dice": (2,)}, "moves 2 forward from P6 to HOME; earns a bonus move of 10"),
        (f"red H P6 / {ALONE}", "card 2", "red H H", {"card": 2}, "moves 2 forward from P6 to HOME; all pawns HOME"),
        (f"red 20 H / {ALONE}", "card 2", "red 22 H", {"card": 2}, "moves 2 forward from 20 to 22; draws another card"),
        (f"red 20 H / {ALONE}", "card 4", "red 16 H", {"card": 4}, "moves 4 back from 20 to 16"),
        (
            f"red P6 B / {ALONE}",
            "card 5",
            "red B P5",
            {"card": 5, "options": {"home_overshoot": "bounce"}},
            "moves 5 forward from P6 to HOME and back to P5",
        ),
        ("red 20 H / yellow B 30", "card 11", "red 30 H", {"card": 11}, "swaps its pawn on 20 with yellow's on 30"),
        (
            "red 20 P6 / yellow B 22",
            "card 7",
            "red 25 H",
            {"card": 7},
            "moves 2 forward from P6 to HOME; then moves 5 forward from 20 to 25; earns a bonus move of 10",
        ),
        (
            "red 1 P6 / yellow B 6",
            "card 7",
            "red 6 H",
            {"card": 7},
            "moves 2 forward from P6 to HOME; then moves 5 forward from 1 to 6, sends back yellow; earns a bonus move of 10 and one of 20",
        ),
        (
            "red B H / yellow B 30",
            "card sorry",
            "red 30 H",
            {"card": "Sorry!"},
            "moves a pawn from the base to 30, sends back yellow; earns a bonus move of 20",
        ),
        (
            "red 24 24 / yellow 30 30",
            "card 11",
            "red 24 30",
            {"card": 11, "options": SINGLES},
            "swaps its pawn on 24 with yellow's on 30, sends back yellow; yellow's pawn on 24 has to fight red; earns a bonus move of 20",
        ),
        (
            f"red 20 B / {TWO_TEAMS}",
            "die 2",
            "yellow B 22",
            {"dice": (2,), "options": TEAMS | {"team_control": "both_colors"}},
            "moves yellow 2 forward from 20 to 22",
        ),
        (
            f"red 20 B / {TWO_TEAMS}",
            "card 1",
            "yellow 20 34",
            {"card": 1, "options": TEAMS | {"team_control": "both_colors"}},
            "brings a yellow pawn out to 34",
        ),
        (
            f"red 20 B / {TWO_TEAMS}",
            "card sorry",
            "red 20 20 / yellow B B",
            {"card": "sorry", "options": TEAMS | {"team_sorry_target": "any"}},
            "moves a pawn from the base to 20, sends back yellow",
        ),
        (
            "red H B / blue B B / yellow 20 B / green B 40",
            "card 11",
            "green B 20",
            {"card": 11, "options": TEAMS | {"team_control": "both_colors"}},
            "swaps yellow's pawn on 20 with green's on 40",
        ),
    ],
)
def test_what_is_done_in_words(position: str, use: str, ends: str, asked: dict[str, Any], words: str) -> None:
    assert did(position, use, ends, **asked) == words


def test_stopping() -> None:
    told = answered(f"red 20 H / {ALONE}", dice=(2,))
    assert [(o.use, o.did, o.kind, o.compulsory, o.left) for o in told.outcomes if o.kind == "stop"] == [
        (("stop",), "stops", "stop", False, None)
    ]
    assert told.may_stop
    assert not told.compulsory


def test_what_is_compulsory() -> None:
    told = answered(f"red 20 B / {ALONE}", dice=(5, 2), card=3)
    due = {" + ".join(o.use): o.compulsory for o in told.outcomes if o.position != f"red 0 20 / {ALONE}"}
    assert due == {
        "die 2": True,
        "die 5": True,
        "die 2 + die 5": True,
        "card 3": True,
        "card 3 + die 2": True,
        "card 3 + die 5": True,
        "card 3 + die 2 + die 5": True,
    }
    assert [o.compulsory for o in told.outcomes if o.position == f"red 0 20 / {ALONE}"] == [False]
    bonus = {"options": {"bonus_forced": True}, "bonus": (20,)}
    assert [o.compulsory for o in answered(f"red 20 B / {ALONE}", **bonus).outcomes] == [True]
    start = {"options": {"enter_forced": True}, "dice": (5,)}
    assert [o.compulsory for o in answered(f"red B B / {ALONE}", **start).outcomes] == [True]


def test_what_there_was_to_spend_is_told_in_order() -> None:
    told = answered(f"red 20 H / {ALONE}", dice=[5, 2], card="Sorry!", bonus=[20, 10])
    assert (told.color, told.dice, told.card, told.bonus) == ("red", (2, 5), "sorry", (10, 20))
    assert told.outcomes[0].left == {"dice": [2], "card": "sorry", "draw": False, "bonus": [10, 20]}


def test_rules_and_players_are_compiled_once() -> None:
    rules = Rules(pawns=2)
    one = decide(rules, ("red", "yellow"), f"red 20 H / {ALONE}", "red", dice=(2,))
    assert one == Table(rules, ("red", "yellow")).decide(f"red 20 H / {ALONE}", "red", dice=(2,))
    assert one == decide(rules, ("red", "yellow"), {"red": [20, "H"], "yellow": ["B", "B"]}, "red", dice=(2,))


def test_when_bonus_moves_may_be_made() -> None:
    later = {"options": {"bonus_timing": "end_of_turn"}, "bonus": (20,)}
    assert {o.use for o in answered(f"red 20 H / {ALONE}", dice=(2,), **later).outcomes} == {("die 2",), ("stop",)}
    assert {o.use for o in answered(f"red 20 H / {ALONE}", **later).outcomes} == {("bonus 20",), ("stop",)}
    assert answered(f"red 20 H / {ALONE}", bonus_open=False, **later).outcomes == ()


def test_who_takes_no_more_turns_has_nothing_to_decide() -> None:
    position = "red H H / blue B 20 / yellow B 30 / green B B"
    assert answered(position, dice=(2, 5), card=3, bonus=(10,), options=TEAMS).outcomes == ()
    helped = answered(position, dice=(2,), options=TEAMS | {"team_finished_player": "plays_for_partner"})
    assert [o.did for o in helped.outcomes] == ["moves yellow 2 forward from 30 to 32", "stops"]


# -- recorded points ---------------------------------------------------------------------------------

POINT = {"color": "red", "pos": f"red P6 H / {ALONE}", "dice": [1, 2], "card": None, "bonus": []}


def test_a_recorded_point() -> None:
    table = Table(Rules(pawns=2), ("red", "yellow"))
    assert sorted(table.answer(POINT), key=lambda answer: str(answer["use"])) == [
        {
            "use": ["die 1"],
            "pos": f"red P7 H / {ALONE}",
            "fights": [],
            "left": {"dice": [2], "card": None, "draw": False, "bonus": []},
        },
        {
            "use": ["die 2"],
            "pos": f"red H H / {ALONE}",
            "fights": [],
            "left": {"dice": [1], "card": None, "draw": False, "bonus": []},
            "over": True,
        },
    ]
    for same in ({"seat": 0}, {"pos": {"red": ["P6", "H"], "yellow": ["B", "B"]}}, {"roll": 2}, {"bonus_open": True}):
        assert table.answer(POINT | same) == table.answer(POINT)
    assert table.compiled_for(POINT) == "uses_of"


# -- what can't be -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spendable", "options", "sentence"),
    [
        ({"dice": (7,)}, {}, "dice: 7 is not on a die; its numbers are 1 to 6"),
        ({"dice": (0, 1)}, {}, "dice: 0 is not on a die"),
        ({"dice": (True,)}, {}, "dice: true is not a whole number"),
        ({"dice": ("5",)}, {}, 'dice: "5" is not a whole number'),
        ({"dice": 5}, {}, "dice = 5 is no list of numbers"),
        ({"dice": (1, 2, 3)}, {}, "dice: 3 are too many; two are rolled (doubles_bottoms = false)"),
        ({"dice": (1, 2, 3)}, {"doubles_bottoms": True}, "dice: more than two come of equal dice and their undersides alone"),
        ({"dice": (1, 1, 5)}, {"doubles_bottoms": True}, "dice: more than two come of equal dice and their undersides alone"),
        ({"dice": (1, 1, 1)}, {"doubles_bottoms": True}, "dice: more than two come of equal dice and their undersides alone"),
        ({"dice": (1, 1, 6, 6, 6)}, {"doubles_bottoms": True}, "dice: more than two come of equal dice and their undersides alone"),
        ({"dice": (4, 4), "roll": 3}, {}, "dice: equal dice in the third roll of a turn are not played in these rules"),
        ({"dice": (4,), "roll": 4}, {}, "roll = 4: a turn has no more than 3 rolls"),
        ({"dice": (4,), "roll": 0}, {}, "roll = 0: a turn has no more than 3 rolls"),
        ({"dice": (4,), "roll": True}, {}, "roll = true"),
        ({"card": "6"}, {}, 'card "6" is not in the deck'),
        ({"card": "sory"}, {}, "did you mean sorry?"),
        ({"card": "7"}, {"deck_counts": {"7": 0}}, "card 7: the deck of these rules holds none"),
        ({"card": "7", "roll": 2}, {}, "card 7: in these rules only the first roll of a turn has a card"),
        ({"card": "7", "dice": (1,)}, {"resolution_order": "dice_then_card"}, "card 7: in these rules the dice are used or gone"),
        ({"bonus": (30,)}, {}, "bonus: there is no bonus move of 30; those of these rules are of 10 or 20 squares"),
        ({"bonus": (20,)}, {"capture_bonus": 0}, "bonus: there is no bonus move of 20; those of these rules are of 10 squares"),
        ({"bonus": (0,)}, {"capture_bonus": 0}, "bonus: there is no bonus move of 0"),
        ({"bonus": (20,)}, {"capture_bonus": 0, "home_bonus": 0}, "bonus: there is no bonus move of 20; these rules have none"),
        ({"bonus": (20,) * 100}, {}, "bonus: 100 bonus moves are more than anybody can have"),
        ({"bonus": "20"}, {}, 'bonus = "20" is no list of numbers'),
        ({"bonus_open": 1}, {}, "bonus_open = 1 is neither true nor false"),
        ({"bonus_open": False}, {}, "bonus_open = false: in these rules bonus moves are made at any time"),
        ({"dice": (1,), "bonus_open": True}, {"bonus_timing": "end_of_roll"}, "bonus_open = true: in these rules dice and card come first"),
        ({"card": "1", "bonus_open": True}, {"bonus_timing": "end_of_turn"}, "bonus_open = true: in these rules dice and card come first"),
    ],
)
def test_what_nobody_can_have_to_spend(spendable: dict[str, Any], options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SimsorryError, match=re.escape(sentence)) as caught:
        answered(f"red 20 H / {ALONE}", options=options, **spendable)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_dice_with_their_undersides() -> None:
    options = {"doubles_bottoms": True}
    assert answered(f"red 20 H / {ALONE}", dice=(6, 1, 6, 1), options=options).dice == (1, 1, 6, 6)
    assert answered(f"red 20 H / {ALONE}", dice=(6, 1, 6), options=options).dice == (1, 6, 6)
    assert answered(f"red 20 H / {ALONE}", dice=(6, 2), options=options).dice == (2, 6)
    assert answered(f"red 20 H / {ALONE}", dice=(4, 4), roll=3, options={"third_double": "play_then_penalty"}).dice == (4, 4)


@pytest.mark.parametrize(
    ("position", "mover", "options", "sentence"),
    [
        (f"red 20 H / {ALONE}", "green", {}, 'color "green" does not play here; the players are red, yellow'),
        (f"red H H / {ALONE}", "red", {}, "position: red has all pawns HOME already"),
        (f"red H H / {ALONE}", "yellow", {}, "position: red has all pawns HOME already"),
        (f"red H H / {ALONE}", "red", {"game_end": "all_home"}, "position: red has all pawns HOME already"),
        ("red H H / blue B B / yellow H H / green B B", "blue", TEAMS, "position: red and yellow have all pawns HOME already"),
        ("red H H / blue B B / yellow B H / green B B", "blue", TEAMS | {"team_win": "first_member"}, "position: red has all pawns HOME"),
        ("red 20 H / yellow 20 B", "red", {}, "position: red and yellow both stand on 20, which can't be"),
        ("red 20 H / yellow B", "red", {}, "position: yellow has 1 pawns, but in this ruleset each color has 2"),
        ("red 20 P8 / yellow B B", "red", {}, 'position: red has a pawn on "P8"; a place is B, H, P1 to P7, or a track square 0 to 67'),
    ],
)
def test_positions_that_can_not_be(position: str, mover: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SimsorryError, match=re.escape(sentence)):
        answered(position, mover, options=options, dice=(2,))


def test_others_may_be_done_where_play_goes_on() -> None:
    assert answered(f"red H H / {ALONE} / green 20 B", "green", dice=(2,), options={"game_end": "full_ranking"}).outcomes


def test_a_table_needs_a_position() -> None:
    with pytest.raises(SimsorryError, match="position = 7 is no table of colors"):
        Table(Rules(pawns=2), ("red", "yellow")).decide(7, "red", dice=(2,))  # type: ignore[arg-type]
    with pytest.raises(SimsorryError, match="players: red: two to four different colors are needed"):
        Table(Rules(), ("red",))
    with pytest.raises(SimsorryError, match="players = 2 is not possible: these rules have two teams"):
        Table(Rules(team_pairs=(("red", "yellow"), ("blue", "green"))), ("red", "yellow"))
