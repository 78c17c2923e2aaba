"""Teams and matches: identities, turning the board, and that what must hold in them does come up."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from engine_invariants import Course, sound_course
from engine_tools import MIXED, ROTATIONS, Recorder, assert_alike, line_up, play, turned_games
from numpy.typing import NDArray

from simsorry import rulesets
from simsorry.games import classic, track
from simsorry.games.classic.rules import Rules

TEAMS = {"team_pairs": "opposite"}


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return Recorder()


# -- identities ------------------------------------------------------------------------------------------


def test_partners_are_of_one_team() -> None:
    rows = play(rulesets.load("hasbro-teams-points").rules, 4, 200, policies=line_up(4, *MIXED), seed=2)
    order = rows.seat("color", 4).argsort(axis=1)
    for column in ("won", "place", "points", "match_rounds_won"):
        by_color = np.take_along_axis(rows.seat(column, 4), order, axis=1)
        assert (by_color[:, :2] == by_color[:, 2:]).all(), column
    assert (rows.seat("partner_moves", 4) > 0).any(axis=0).all()


def test_HQ42_points_of_a_team() -> None:
    rules = Rules(**TEAMS, pawns=2, score_home_to="all_players", team_scoring="pooled", bonus_bands="cumulative")
    rows = play(rules, 4, 400, seed=3)
    points, home, won = rows.seat("points", 4), rows.seat("pawns_home", 4), rows.seat("won", 4) == 1
    others = home[~won].reshape(-1, 2)
    bonus = sum(points * (others.max(axis=1) <= limit) for limit, points in rules.score_bands)
    assert (points[won].reshape(-1, 2) == (5 * 4 + 5 * (4 - others.sum(axis=1)) + bonus)[:, None]).all()
    assert (points[~won].reshape(-1, 2) == 5 * others.sum(axis=1, keepdims=True)).all()


def test_the_winner_has_made_the_winning_move() -> None:
    rows = play(Rules(**TEAMS, team_win="first_member", team_control="own_only"), 4, 300, seed=4)
    home, winner = rows.seat("pawns_home", 4), rows.game("winner")
    assert (home[np.arange(300), winner] == 4).all()
    assert ((home == 4).sum(axis=1) == 1).all()
    assert (rows.seat("partner_moves", 4) == 0).all()
    # With both colors at hand the partner's last pawn wins as well.
    both = play(Rules(**TEAMS, team_win="first_member"), 4, 300, seed=4)
    assert 0.2 < (both.seat("pawns_home", 4)[np.arange(300), both.game("winner")] < 4).mean() < 0.8


# -- turning the board -----------------------------------------------------------------------------------

BOARDS: list[dict[str, Any]] = [
    {},
    {"team_collision": "coexist", "team_eleven_partner": True, "slide_after_swap": "both"},
    {"team_collision": "bump_mover", "team_control": "own_only", "seven_parts": 4},
    {"hand_size": 4, "team_collision": "illegal", "team_finished_player": "skips", "game_end": "all_home", "pawns": 2},
    {"score_home_to": "all_players", "team_scoring": "pooled", "match_end": "rounds:2", "pawns": 1, "seven_resolution": "simultaneous"},
]


@pytest.mark.parametrize("options", BOARDS, ids=lambda options: ",".join(options) or "printed")
@pytest.mark.parametrize("pairs", [((0, 2), (1, 3)), ((0, 1), (2, 3)), ((0, 3), (1, 2))], ids=["opposite", "adjacent", "adjacent too"])
def test_turning_the_board_changes_nothing_but_the_names(pairs: Any, options: dict[str, Any]) -> None:
    turned = [{"team_pairs": tuple((seats[one], seats[other]) for one, other in pairs)} | options for seats in ROTATIONS[4]]
    assert_alike(turned_games(ROTATIONS[4], turned))


def test_sitting_beside_the_partner_is_another_game() -> None:
    # Or the test above could not fail.
    one, other = (play(Rules(team_pairs=pairs), 4, 60, seed=3) for pairs in ("opposite", (("red", "blue"), ("yellow", "green"))))
    assert (one.game("turns") != other.game("turns")).any()


# -- what comes up ---------------------------------------------------------------------------------------


def of_the_player(course: Course) -> NDArray[np.bool_]:
    """Pawns of the color that is to play."""
    return (np.arange(4)[None, :] == course.mover[:, None])[:, :, None]


def of_the_partner(course: Course) -> NDArray[np.bool_]:
    partners = np.array([course.partner(color) for color in range(4)])
    return (np.arange(4)[None, :] == partners[course.mover][:, None])[:, :, None]


def shared(course: Course) -> Any:
    """Partners on one square."""
    squares = course.squares()
    red, blue, yellow, green = (squares[:, color] for color in range(4))
    return np.any(
        [(one[:, :, None] == other[:, None, :]) & (one >= 0)[:, :, None] for one, other in ((red, yellow), (blue, green))], (0, 2, 3)
    )


def moved_for_the_partner(course: Course) -> Any:
    """A pawn of the partner's that walked on."""
    return (course.moved_on & of_the_partner(course)).any(axis=(1, 2)) & ~course.swapped


def swapped_partners(course: Course) -> Any:
    """An 11 between partners."""
    team = of_the_player(course) | of_the_partner(course)
    return course.swapped & ((course.moved_on & team).sum(axis=(1, 2)) == 2)


def sent_back_itself(course: Course) -> Any:
    """A move forward after which nobody stands elsewhere than before but who went back."""
    forward = ~np.isin(course.cards, ["4", "10"])  # a move back can ride back to where it began, over others
    return forward & course.moved.any(axis=(1, 2)) & ~course.moved_on.any(axis=(1, 2))


def sorry_on_the_partner(course: Course) -> Any:
    """A Sorry! that sends nobody back but a pawn of the team."""
    back = (course.before < track.TRACK) & (course.after == track.START)
    team = of_the_player(course) | of_the_partner(course)
    return (course.cards == "sorry") & (back & team).any(axis=(1, 2)) & ~(back & ~team).any(axis=(1, 2))


def passed_over(course: Course) -> Any:
    """A player who is out before the team has finished."""
    teams = np.array([course.side(seat) for seat in range(4)])
    return (course.out & ~course.finished[:, teams]).any(axis=1)


def after_the_winners(course: Course) -> Any:
    """The other team plays on."""
    return course.finished.any(axis=1) & ~course.finished.all(axis=1)


OCCURRENCES: list[tuple[Callable[[Course], Any], dict[str, Any]]] = [
    (shared, {"team_collision": "coexist"}),
    (moved_for_the_partner, {}),
    (moved_for_the_partner, {"team_control": "own_only"}),
    (swapped_partners, {"team_eleven_partner": True}),
    (swapped_partners, {"team_eleven_partner": True, "team_control": "own_only"}),
    (sent_back_itself, {"team_collision": "bump_mover"}),
    (sorry_on_the_partner, {"team_sorry_target": "any"}),
    (passed_over, {"team_finished_player": "skips"}),
    (passed_over, {"team_finished_player": "skips", "hand_size": 3}),
    (after_the_winners, {"game_end": "all_home"}),
    (after_the_winners, {"game_end": "all_home", "team_win": "first_member", "match_end": "rounds:2"}),
]


@pytest.mark.parametrize(("occurrence", "options"), OCCURRENCES, ids=lambda value: getattr(value, "__name__", str(value)))
def test_what_must_hold_has_been_put_to_the_test(recorder: Recorder, occurrence: Callable[[Course], Any], options: dict[str, Any]) -> None:
    rules = Rules(**TEAMS, pawns=3, **options)
    tables, policies = classic.compile_rules(rules, 4), line_up(4)
    courses = [sound_course(rules, tables, recorder.record(tables, policies, 6, game), f"game {game} of seed 6") for game in range(8)]
    assert sum(int(occurrence(course).sum()) for course in courses) >= 5


def test_and_never_where_the_rules_forbid_it(recorder: Recorder) -> None:
    rules = Rules(**TEAMS, pawns=2, team_control="own_only", team_sorry_target="opponents_only", team_collision="illegal")
    tables, policies = classic.compile_rules(rules, 4), line_up(4)
    for game in range(4):
        course = sound_course(rules, tables, recorder.record(tables, policies, 7, game), f"game {game} of seed 7")
        for occurrence in (shared, swapped_partners, sent_back_itself, sorry_on_the_partner, passed_over, after_the_winners):
            assert not occurrence(course)[:-1].any(), occurrence.__name__
