"""The referee of Sorreesi against hand-worked decisions and fights."""

from collections.abc import Sequence
from typing import Any

import pytest
from referee import sorreesi as referee
from referee.sorreesi import Board, Decision, Fight, Pawn
from referee_sorreesi_tools import in_words
from sorreesi_vectors import CASES, TEAMS, Case, check, groups_of, named

from simsorry.games.options import COLORS
from simsorry.games.sorreesi.rules import Rules

# -- hand-worked decisions -----------------------------------------------------------------------------


def decide(case: Case) -> Decision:
    """The referee's decision for a case of the table."""
    position = referee.read_position(case.position)
    spendable: dict[str, Any] = {"dice": case.dice, "card": case.card, "bonus": case.bonus, "bonus_open": case.bonus_open}
    return referee.outcomes(Rules(**case.rules), case.players, position, case.mover, **spendable)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_hand_worked(case: Case) -> None:
    decision = decide(case)
    found = [in_words(decision, outcome) for outcome in decision.outcomes]
    assert len(set(found)) == len(found)
    check(case, set(found))


def test_every_option_has_a_test() -> None:
    in_the_table = {option for case in CASES for option in case.options}
    in_fights = {"fight_tie"}
    in_turns = {"quick_start_pawns", "deck_counts", "draw", "resolution_order", "doubles_redraw", "doubles_bottoms", "third_double"}
    in_turns |= {"head_starts", "triple_penalty_piece", "triple_penalty_exempt", "fight_bonus", "fight_bonus_to", "reshuffle_when"}
    in_turns |= {"card_in_play_in_reshuffle", "game_end", "turn_cap", "pawns"}
    told_by_the_caller = {"first_player", "seat_colors"}
    assert in_the_table | in_fights | in_turns | told_by_the_caller == Rules.model_fields.keys()


# -- squares -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "steps"),
    [("B", 72), (0, 71), (64, 75), (67, 72), (62, 9), (63, 8), (("P", 1), 7), (("P", 7), 1), ("H", 0)],
)
def test_rulebook_2_1_distances(place: referee.Place, steps: int) -> None:
    assert referee.squares_to_go(referee.road_of(Rules(), "red"), place) == steps


def test_rulebook_2_2_a_longer_path() -> None:
    road = referee.road_of(Rules(home_path_length=8), "red")
    assert [referee.squares_to_go(road, place) for place in ("B", 63, ("P", 1), ("P", 8))] == [73, 9, 8, 1]


@pytest.mark.parametrize(("travel", "entries"), [("same", [0, 17, 34, 51]), ("opposite", [0, 51, 34, 17])])
def test_SQ46_entry_squares(travel: Any, entries: list[int]) -> None:
    roads = [referee.road_of(Rules(turn_vs_travel=travel), color) for color in COLORS]
    assert [road.entry for road in roads] == entries
    assert [road.turn_off for road in roads] == [(entry + 63) % 68 for entry in entries]


def test_rulebook_2_1_safe_squares() -> None:
    safe = [0, 7, 12, 17, 24, 29, 34, 41, 46, 51, 58, 63]
    assert [square for square in range(68) if referee.safe_for(Rules(), square, "red")] == safe
    mine = [square for square in range(68) if referee.safe_for(Rules(turnoff_safe_for="owner"), square, "blue")]
    assert mine == [0, 7, 12, 17, 24, 34, 41, 51, 58]


def test_positions_are_read_and_written() -> None:
    line = "red B 4 P7 H / green B 0 67 P1"
    assert referee.write_position(referee.read_position("green P1 67 B 0 / red H P7 B 4")) == line
    assert referee.read_position("red P2 B 12 H") == {"red": [("P", 2), "B", 12, "H"]}


# -- what is done to get there ---------------------------------------------------------------------------


def parts_of(position: str, card: str, text: str, **options: Any) -> list[tuple[str, int, int]]:
    """Color, hidden number and share of each part of the action that leads to what ``text`` says."""
    case = Case("", position, card=card, options=options)
    decision = decide(case)
    (outcome,) = [outcome for outcome in decision.outcomes if text in in_words(decision, outcome)]
    assert outcome.action is not None
    return [(part.pawn.color, part.pawn.number, part.share) for part in outcome.action.parts]


def test_the_plainest_of_equal_actions_has_the_fewest_parts() -> None:
    # 20 goes 7 to 27; or 20 goes 3 to 23 and 23 goes 4 to 27.
    assert parts_of("red 20 23 / yellow B B", "7", "red 23 27") == [("red", 0, 0)]


def test_of_equal_parts_the_pawn_nearest_to_HOME_comes_first_with_the_least_share() -> None:
    # 21 and 22 end on 25 and 25; or on 24 and 26: of the latter 22 goes 2 and 21 goes 5, or 22 goes 4 and 21 goes 3.
    assert parts_of("red 21 22 / yellow B B", "7", "red 24 26") == [("red", 1, 2), ("red", 0, 5)]
    assert parts_of("red 22 21 / yellow B B", "7", "red 25 25") == [("red", 0, 3), ("red", 1, 4)]


def test_of_pawns_on_one_place_the_lowest_number_moves() -> None:
    assert parts_of("red 20 20 / yellow B B", "3", "red 20 23") == [("red", 0, 0)]
    assert parts_of("red 20 20 / yellow B B", "7", "red 23 24") == [("red", 0, 3), ("red", 1, 4)]
    assert parts_of("red H B B / yellow B B B", "1", "red B 0 H") == [("red", 1, 0)]


def test_of_two_partners_the_own_pawn_is_the_mover() -> None:
    options = TEAMS | {"team_control": "both_colors", "team_eleven_partner": True}
    text = "red 30 H / blue B B / yellow B 62"
    assert parts_of("red 62 H / blue B B / yellow 30 B / green B B", "11", text, **options) == [("red", 0, 0)]


@pytest.mark.parametrize(
    ("position", "card", "options", "compulsory"),
    [
        ("red 62 H / yellow B 30", "11", {}, True),
        ("red 62 H / yellow B 30", "11", {"eleven_swap_forced": False}, False),
        ("red 63 H / yellow B B", "10", {"ten_back_forced": False}, False),
        ("red B H / yellow B B", "1", {}, True),
    ],
)
def test_compulsory_uses(position: str, card: str, options: dict[str, Any], compulsory: bool) -> None:
    decision = decide(Case("", position, card=card, options=options))
    assert [outcome.compulsory for outcome in decision.outcomes if outcome.kind == "play"] == [compulsory]


# -- fights ----------------------------------------------------------------------------------------------

THREE_ON_24 = "red 24 / blue 24 / yellow 24 / green B"
ALL_ON_24 = "red 24 / blue 24 / yellow 24 / green 24"


def fight(position: str, dice: Sequence[int], *, mover: str = "red", came: str = "", **options: Any) -> tuple[str, Fight]:
    """Where everybody stands after a fight about the square of the mover's first pawn, and the fight."""
    players = tuple(groups_of(position))
    board = Board.of(Rules(**options), players, referee.read_position(position))
    to_come = iter(dice)
    fought = referee.fight(board, mover, Pawn(came or mover, 0), lambda: next(to_come))
    assert not list(to_come)
    return board.text, fought


def credited_by(fought: Fight) -> list[tuple[str, str]]:
    return [(back.pawn.color, back.credited) for back in fought.sent_back]


def test_S17_the_highest_die_wins() -> None:
    text, fought = fight("red 24 / yellow 24", [5, 3])
    assert (text, fought.lost, fought.ties) == ("red 24 / yellow B", False, 0)
    assert credited_by(fought) == [("yellow", "red")]


def test_SQ25_the_one_who_came_loses() -> None:
    text, fought = fight("red 24 24 / yellow 24 30", [3, 5])
    assert (text, fought.lost) == ("red B B / yellow 24 30", True)
    assert credited_by(fought) == [("red", "yellow"), ("red", "yellow")]


def test_S17_all_pawns_of_the_loser_on_the_square_go_back() -> None:
    text, _ = fight("red 24 30 / yellow 24 24", [5, 3])
    assert text == "red 24 30 / yellow B B"


def test_SQ22_all_present_roll_from_the_one_who_came_clockwise() -> None:
    text, fought = fight(THREE_ON_24, [2, 6, 5], mover="yellow")
    assert fought.rolls == [{"yellow": 2, "red": 6, "blue": 5}]
    assert list(fought.rolls[0]) == ["yellow", "red", "blue"]
    assert text == "red 24 / blue B / yellow B / green B"
    assert credited_by(fought) == [("blue", "red"), ("yellow", "red")]


def test_SQ23_the_tied_roll_again_and_the_others_have_lost() -> None:
    text, fought = fight(THREE_ON_24, [5, 5, 4, 2, 2, 1, 3])
    assert fought.rolls == [{"red": 5, "blue": 5, "yellow": 4}, {"red": 2, "blue": 2}, {"red": 1, "blue": 3}]
    assert (text, fought.ties) == ("red B / blue 24 / yellow B / green B", 2)
    assert credited_by(fought) == [("red", "blue"), ("yellow", "blue")]


def test_SQ23_who_came_is_out() -> None:
    text, fought = fight(THREE_ON_24, [1, 5, 5, 2, 4])
    assert fought.rolls[1] == {"blue": 2, "yellow": 4}
    assert text == "red B / blue B / yellow 24 / green B"
    assert credited_by(fought) == [("red", "yellow"), ("blue", "yellow")]


@pytest.mark.parametrize(
    ("tie", "dice", "text", "ties"),
    [
        ("reroll", [5, 5, 6, 1], "red 24 / yellow B", 1),
        ("attacker", [5, 5], "red 24 / yellow B", 1),
        ("defender", [5, 5], "red B / yellow 24", 1),
        ("both_stay", [5, 5], "red 24 / yellow 24", 1),
        ("both_back", [5, 5], "red B / yellow B", 1),
        ("both_back", [5, 4], "red 24 / yellow B", 0),
    ],
)
def test_SQ23_ties_of_two(tie: str, dice: list[int], text: str, ties: int) -> None:
    found, fought = fight("red 24 / yellow 24", dice, fight_tie=tie)
    assert (found, fought.ties) == (text, ties)


@pytest.mark.parametrize(
    ("tie", "dice", "text", "credited"),
    [
        # All tied.
        ("attacker", [5, 5, 5], "red 24 / blue B / yellow B / green B", [("blue", "red"), ("yellow", "red")]),
        ("defender", [5, 5, 5, 1, 2], "red B / blue B / yellow 24 / green B", [("red", "yellow"), ("blue", "yellow")]),
        ("both_back", [5, 5, 5], "red B / blue B / yellow B / green B", [("red", "blue"), ("blue", "red"), ("yellow", "red")]),
        # Who came and one other.
        ("attacker", [5, 4, 5], "red 24 / blue B / yellow B / green B", [("blue", "red"), ("yellow", "red")]),
        ("defender", [5, 4, 5], "red B / blue B / yellow 24 / green B", [("red", "yellow"), ("blue", "yellow")]),
        ("both_stay", [5, 4, 5], "red 24 / blue B / yellow 24 / green B", [("blue", "red")]),
        ("both_back", [5, 4, 5], "red B / blue B / yellow B / green B", [("red", "yellow"), ("blue", "red"), ("yellow", "red")]),
        # The others only.
        ("attacker", [4, 5, 5, 2, 1], "red B / blue 24 / yellow B / green B", [("red", "blue"), ("yellow", "blue")]),
        ("defender", [4, 5, 5, 2, 1], "red B / blue 24 / yellow B / green B", [("red", "blue"), ("yellow", "blue")]),
        ("both_stay", [4, 5, 5], "red B / blue 24 / yellow 24 / green B", [("red", "blue")]),
        ("both_back", [4, 5, 5], "red B / blue B / yellow B / green B", [("red", "blue"), ("blue", "red"), ("yellow", "red")]),
    ],
)
def test_SQ23_ties_of_three(tie: str, dice: list[int], text: str, credited: list[tuple[str, str]]) -> None:
    found, fought = fight(THREE_ON_24, dice, fight_tie=tie)
    assert found == text
    assert credited_by(fought) == credited
    assert fought.ties == 1


@pytest.mark.parametrize(
    ("dice", "text", "credited", "ties"),
    [
        ([1, 5, 6, 5], "red 24 / blue B / yellow 24 / green B", [("blue", "red"), ("green", "red")], 0),
        ([6, 5, 6, 1], "red 24 / blue B / yellow 24 / green B", [("blue", "red"), ("green", "red")], 0),
        ([1, 2, 3, 6], "red B / blue 24 / yellow B / green 24", [("red", "green"), ("yellow", "green")], 0),
        ([6, 6, 5, 1, 2, 3], "red B / blue 24 / yellow B / green 24", [("red", "blue"), ("yellow", "blue")], 1),
        ([5, 6, 4, 6], "red B / blue 24 / yellow B / green 24", [("red", "blue"), ("yellow", "blue")], 0),
    ],
)
def test_SQ43_partners_win_together(dice: list[int], text: str, credited: list[tuple[str, str]], ties: int) -> None:
    found, fought = fight(ALL_ON_24, dice, **TEAMS)
    assert (found, credited_by(fought), fought.ties) == (text, credited, ties)


def test_SQ36_a_swapped_pawn_fights_for_its_own_seat() -> None:
    text, fought = fight("red 24 / yellow 24", [1, 6], mover="red", came="yellow")
    assert (text, fought.lost, credited_by(fought)) == ("red 24 / yellow B", True, [("yellow", "red")])
    text, fought = fight("red 24 / yellow 24", [6, 1], mover="red", came="yellow")
    assert (text, fought.lost, credited_by(fought)) == ("red B / yellow 24", False, [("red", "yellow")])


def test_a_partners_pawn_fights_for_the_player_who_moves_it() -> None:
    _, fought = fight("red B / blue 24 / yellow 24 / green B", [6, 1], mover="red", came="yellow", **TEAMS)
    assert credited_by(fought) == [("blue", "red")]
