"""The outcomes of single decisions of Ice Soo Sorry!: hand-worked, against the referee in crowded positions, and on a turned board."""

import random
from typing import Any, get_args

import pytest
from ice_listing import ANY_CARD, Lister, Question, details_of, some_question, turned
from ice_tools import VALUES
from ice_vectors import ANY, CASES, Case, check, described, named, places_of
from referee import ice as referee

from simsorry.games.ice.rules import Rules
from simsorry.games.options import COLORS

# -- hand-worked -----------------------------------------------------------------------------------------


def question_of(case: Case, **without: Any) -> Question:
    """The decision of a case, with other options where they are said."""
    hand = () if case.hand is None else tuple(case.hand.split())
    what: dict[str, Any] = {"followup": case.followup, "drawn": case.drawn, "first_turn": case.first_turn}
    return Question(Rules(**case.rules | without), case.players, places_of(case.position), case.color, case.card, hand, **what)


def in_words(question: Question, kind: str, card: str, after: referee.Position) -> str:
    """A choice as the table has it."""
    name = "" if question.card is not None else card.replace(ANY_CARD, ANY)
    return described(kind, name, question.position, after)


def listed(question: Question) -> list[str]:
    """The engine's answer."""
    return [in_words(question, one.kind, one.card, one.position) for one in Lister(question.rules, question.seated).ask(question)]


@pytest.mark.parametrize("case", CASES, ids=named)
def test_hand_worked(case: Case) -> None:
    found = listed(question_of(case))
    assert len(set(found)) == len(found)
    check(case, set(found))


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_referee_finds_what_was_worked_out_by_hand(case: Case) -> None:
    question = question_of(case)
    found = [in_words(question, choice.kind, choice.card, choice.board.position) for choice in question.decision.choices]
    assert len(set(found)) == len(found)
    check(case, set(found))


# Options that no single decision tells of; they are tested with whole games.
SET_UP = {"pieces", "quick_start_pawns", "head_starts", "deck_counts", "draw", "first_player", "seat_colors", "hand_size"}
COURSE = {"two_draws_again", "hand_refill", "reshuffle_when", "card_in_play_in_reshuffle", "game_end", "turn_cap"}
POINTS = {"score_home_to", "score_home_value", "score_not_home_value", "score_bands", "bonus_bands", "band_measure"}
ELSEWHERE = SET_UP | COURSE | POINTS | {"match_end", "next_leader"}
AFTER_PLAYING = [("two_in_hand", "none")]  # nothing follows a 2 then


def off_default() -> list[tuple[str, Any]]:
    """Every value but the default of each option with a list of them, and one of each other option."""
    found: list[tuple[str, Any]] = []
    for name, field in Rules.model_fields.items():
        values = [not field.default] if isinstance(field.default, bool) else list(get_args(field.annotation)) or [None]
        values = [value for value in values if isinstance(value, str | bool | int)] or [None]
        found += [(name, value) for value in values if value != field.default]
    return [(name, value) for name, value in found if name not in ELSEWHERE and (name, value) not in AFTER_PLAYING]


@pytest.mark.parametrize(("name", "value"), off_default(), ids=str)
def test_every_value_makes_a_difference_to_a_case(name: str, value: Any) -> None:
    cases = [case for case in CASES if name in case.options and value in (None, case.options[name])]
    default = Rules.model_fields[name].get_default(call_default_factory=True)
    questions = [(question_of(case), question_of(case, **{name: default})) for case in cases]
    assert any(set(listed(one)) != set(listed(other)) for one, other in questions)


def test_every_option_has_its_place() -> None:
    assert ELSEWHERE | {name for name, _ in off_default()} == Rules.model_fields.keys()
    assert {name for name, _ in off_default()} <= VALUES.keys()


# -- the referee in crowded positions --------------------------------------------------------------------

# What the random rules have besides; the cards with the longest lists come often.
ABOUT: dict[str, dict[str, Any]] = {
    "any rules": {},
    "cards drawn": {"hand_size": 0},
    "the sheet": {"most": 0},
    "contact at the top": {"ice_contact_piece": "top", "hand_size": 0},
    "contact at the top, dropped": {"ice_contact_piece": "top", "ice_mixed_stack_zone": "drop_at_entry", "hand_size": 0},
    "contact at the top, first lowest": {"ice_contact_piece": "top", "ice_slide_order": "first_met_lowest", "hand_size": 0},
    "contact at the top, units": {"ice_contact_piece": "top", "ice_slide_mode": "carry_stacked", "hand_size": 0},
    "contact at the top, units pushed": {
        "ice_contact_piece": "top",
        "ice_slide_mode": "carry_stacked",
        "ice_slide_order": "first_met_lowest",
        "ice_slide_triangle": "take",
        "hand_size": 0,
    },
    "contact at the top, on top": {"ice_contact_piece": "top", "ice_swap_mode": "land_on_top", "hand_size": 0},
    "back to START": {"ice_mixed_stack_zone": "to_start", "hand_size": 0},
    "carried no farther": {"ice_carry_past_entry": "forbidden", "hand_size": 0},
    "carried no farther than dropped": {"ice_carry_past_entry": "forbidden", "ice_mixed_stack_zone": "drop_at_entry", "hand_size": 0},
    "covered pawns stay on slides": {"ice_slide_mode": "carry_stacked", "hand_size": 0},
    "they stay, first lowest": {"ice_slide_mode": "carry_stacked", "ice_slide_order": "first_met_lowest", "hand_size": 0},
    "they stay, with the triangle": {"ice_slide_mode": "carry_stacked", "ice_slide_triangle": "take", "hand_size": 0},
    "only the end, with the triangle": {"ice_slide_mode": "end_only", "ice_slide_triangle": "take", "hand_size": 0},
    "all slides": {"slides": "all", "ice_slide_triangle": "take", "pass_scope": "always", "hand_size": 0},
    "laps": {"pass_scope": "always", "forward_past_entry": "forced", "hand_size": 0},
    "bounces": {"home_overshoot": "bounce", "hand_size": 0},
    "any count": {"home_overshoot": "any", "ice_stack_home": "top_only", "hand_size": 0},
    "switches that slide": {"ice_slide_order": "first_met_lowest", "hand_size": 0},
    "onto anybody": {"ice_sorry_target": "any_in_pile", "sorry_alt_forward": 4, "hand_size": 0},
}


def assert_agree(question: Question) -> int:
    """Fails unless engine and referee list the same, and mean the same by it; returns how much that is."""
    found = Lister(question.rules, question.seated).ask(question)
    mine = {(one.kind, one.card, one.text): one for one in found}
    choices = question.decision.choices
    card = question.card or ""
    wanted = {(one.kind, one.card if one.kind != "pass" else "", one.text): one for one in choices}
    if question.card is not None:
        mine = {(one.kind, "" if one.kind == "pass" else card, one.text): one for one in found}
    assert (len(mine), len(wanted)) == (len(found), len(choices)), question
    assert mine.keys() == wanted.keys(), f"{question}: {set(mine) ^ set(wanted)}"
    for key, one in wanted.items():
        if one.way is None:
            continue
        assert (mine[key].way, mine[key].slides) == (one.way.kind, one.way.slides), (str(question), key)
        assert details_of(mine[key].action) == one.way.details, (str(question), key)
    plays = [one for one in found if one.kind in ("play", "idle")]
    assert any(not one.optional for one in plays) == any(one.compulsory for one in choices) or not question.rules.must_move, question
    return len(found)


@pytest.mark.parametrize("about", ABOUT)
def test_the_referee_finds_the_same(about: str) -> None:
    luck = random.Random(about)
    sizes = [assert_agree(some_question(luck, **{"most": 4} | ABOUT[about])) for _ in range(12)]
    assert sum(sizes) > 60


# -- the board turned ------------------------------------------------------------------------------------


def turned_question(question: Question, steps: int) -> Question:
    """The same decision on a board that is turned."""
    names = {color: COLORS[(number + steps) % 4] for number, color in enumerate(COLORS)}
    riders = {}
    for slide, colors in question.rules.slide_riders.items():
        owner, letter = slide.split()
        riders[f"{names[owner]} {letter}"] = tuple(names[color] for color in colors)
    seated = tuple(names[color] for color in question.seated)
    rules = question.rules.model_copy(update={"seat_colors": seated, "slide_riders": riders})
    return question._replace(rules=rules, seated=seated, position=turned(question.position, steps), color=names[question.color])


def test_turning_the_board_turns_the_outcomes() -> None:
    luck = random.Random(5)
    for _ in range(40):
        question, steps = some_question(luck, 5), luck.randint(1, 3)
        other = turned_question(question, steps)
        one = {(listed.kind, listed.card, referee.write_position(turned(listed.position, steps))) for listed in _ask(question)}
        assert one == {(listed.kind, listed.card, listed.text) for listed in _ask(other)}, question


def _ask(question: Question) -> list[Any]:
    return Lister(question.rules, question.seated).ask(question)


# -- long lists ------------------------------------------------------------------------------------------


def test_no_list_is_too_long() -> None:
    # All sixty pawns, one player's each on top of others, and the cards that do most.
    luck, longest = random.Random(6), 0
    for options in ({}, {"pass_scope": "always"}, {"ice_swap_mode": "land_on_top"}, {"ice_slide_mode": "carry_stacked"}):
        rules = Rules(**options)
        for width in (15, 60):
            squares = [str(square) for square in luck.sample(range(60), width)]
            position: referee.Position = {color: [] for color in COLORS}
            for color in ("blue", "yellow", "green", "red"):
                for number, size in enumerate("sml" * 5):
                    position.setdefault(squares[number] if color == "red" else luck.choice(squares), []).append(color[0] + size)
            lister = Lister(rules, COLORS)
            n = lister.fill(Question(rules, COLORS, position, "red", hand=("7", "11", "4", "10", "3")))
            choices = list(zip(lister.scratch[0]["card"][:n].tolist(), lister.scratch[0]["action"][:n].tolist(), strict=True))
            assert len(set(choices)) == n
            longest = max(longest, n)
    assert longest > 1500
