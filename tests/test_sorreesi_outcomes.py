"""The outcomes of single decisions of Sorreesi: hand-worked, against the referee in crowded positions, and named by their numbers."""

import random
from typing import Any

import pytest
from referee import sorreesi as referee
from sorreesi_listing import SEATED, Lister, Question, action_of, some_question
from sorreesi_tools import U
from sorreesi_vectors import CASES, Case, check, described, named

from simsorry.games.sorreesi.rules import Rules

# -- hand-worked -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=named)
def test_hand_worked(case: Case) -> None:
    rules = Rules(**case.rules)
    board = referee.Board.of(rules, case.players, referee.read_position(case.position))
    sources = {rules.fight_bonus: "fight", rules.capture_bonus: "capture", rules.home_bonus: "home"}
    units = tuple(referee.Unit(value, sources[value]) for value in case.bonus)
    pool = referee.Pool(tuple(sorted(case.dice)), case.card, units, case.bonus_open)
    listed = Lister(rules, case.players).outcomes(board, case.mover, pool)
    found = [described(case.bonus, one.use, one.text, one.fights, one.left, one.over) for one in listed]
    assert len(set(found)) == len(found)
    check(case, set(found))


# -- the referee in crowded positions --------------------------------------------------------------------

# What the random rules have besides; the cards with the longest lists come often.
ABOUT: dict[str, dict[str, Any]] = {
    "any rules": {},
    "the sheet": {"most": 0},
    "teams": {"team_pairs": "opposite"},
    "both colors": {"team_pairs": "opposite", "team_control": "both_colors", "pawns": 4},
    "partners' swaps": {"team_pairs": "opposite", "team_control": "both_colors", "team_eleven_partner": True, "pawns": 5},
    "finished players": {"team_pairs": "opposite", "team_finished_player": "plays_for_partner", "pawns": 1},
    "the card comes first": {"card_compulsion": "global"},
    "the total": {"combine_mode": "single_hop"},
    "bounces": {"home_overshoot": "bounce"},
    "bounces of both colors": {"home_overshoot": "bounce", "team_pairs": "opposite", "team_control": "both_colors", "pawns": 3},
    "any swap": {"swap_requires_single": False},
    "shared squares": {"fight_tie": "both_stay", "seven_parts": 3},
    "many parts": {"seven_parts": 7, "pawns": 5},
    "bottoms": {"doubles_bottoms": True},
}


def assert_agree(question: Question) -> int:
    """Fails unless engine and referee list the same; returns how much that is."""
    lister = Lister(question.rules, question.seated)
    listed = {one.key: one for one in lister.ask(question)}
    decision = referee.decide(question.board.copy(), question.color, question.pool)
    wanted = {(one.use, one.text, one.fights): one for one in decision.outcomes}
    assert len(wanted) == len(decision.outcomes)
    assert listed.keys() == wanted.keys(), question
    assert bool(lister.scratch[0]["card_must"]) == any(one.compulsory for one in decision.outcomes), question
    for key, one in wanted.items():
        mine = listed[key]
        assert (mine.left, mine.over) == (one.left, one.over), (str(question), key)
        if one.action:  # the plainest of those that lead there
            parts = [(part.pawn, part.share) for part in one.action.parts]
            assert (mine.kind, lister.parts(mine.action, question.color)) == (one.action.kind, parts), (str(question), key)
    return len(listed)


@pytest.mark.parametrize("about", ABOUT)
def test_the_referee_finds_the_same(about: str) -> None:
    luck = random.Random(about)
    sizes = [assert_agree(some_question(luck, **{"most": 4} | ABOUT[about])) for _ in range(30)]
    assert sum(sizes) > 60


def test_no_list_is_too_long() -> None:
    # A 7 between eight pawns of one color, and between four of either partner.
    for options, seated in (({"seven_parts": 7}, SEATED[2]), ({"seven_parts": 7, "pawns": 4, "team_control": "both_colors"}, SEATED[4])):
        rules = Rules(**options, **({"team_pairs": "opposite"} if len(seated) == 4 else {}))
        places = {color: [3 * number + offset for number in range(rules.pawns)] for offset, color in enumerate(seated)}
        board = referee.Board.of(rules, seated, {color: list(squares) for color, squares in places.items()})
        lister = Lister(rules, seated)
        n = lister.fill(board, "red", referee.Pool((1, 2), "7", (referee.Unit(10, "home"), referee.Unit(20, "capture"))))
        assert not lister.scratch[0]["overflow"]
        actions = lister.scratch[0]["action"][:n].tolist()
        assert len(set(actions)) == n > 1000


# -- the two ways to name an outcome ---------------------------------------------------------------------


def test_an_outcome_by_its_number_is_that_of_the_list() -> None:
    luck = random.Random(11)
    for _ in range(60):
        question = some_question(luck)
        lister = Lister(question.rules, question.seated)
        n = lister.fill(question.board, question.color, question.pool)
        listed = lister.scratch[0]["action"][:n].copy()
        lister.scratch[0]["action"][int(lister.scratch[0]["listed"]) : n] = 0  # what is not listed one by one
        assert [action_of(lister.scratch, U(number)) for number in range(n)] == listed.tolist()
