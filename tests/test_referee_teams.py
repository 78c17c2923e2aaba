"""The referee in team play: hand-worked decisions, what is counted to whom, and games that stand shortly before their end."""

from collections.abc import Iterator
from typing import Any

import pytest
from classic_team_vectors import CASES
from classic_vectors import PASS, Case, check, named
from referee import classic as referee
from referee import cards as ways
from referee.classic import Board, Decision, Game, Outcome, Pawn, Record
from referee_tools import Script, plan

from simsorry.games.classic.rules import COLORS, Rules

# -- decisions -------------------------------------------------------------------------------------------


def decide(case: Case) -> Decision:
    """The referee's decision for a case of the table."""
    return referee.outcomes(Rules(**case.options), case.players, case.seat, referee.read_position(case.position), case.card)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_hand_worked(case: Case) -> None:
    check(case, {PASS if choice.passed else choice.text for choice in decide(case).choices})


def test_every_team_option_has_a_test() -> None:
    in_the_table = {option for case in CASES for option in case.options if option.startswith("team_")}
    in_whole_games = {"team_finished_player", "team_win", "team_scoring"}
    assert in_the_table | in_whole_games == {option for option in Rules.model_fields if option.startswith("team_")}


def one(position: str, card: str, text: str, **options: Any) -> Outcome:
    """The outcome of red's decision that leads to a position."""
    decision = referee.outcomes(Rules(team_pairs="opposite", **options), COLORS, 0, referee.read_position(position), card)
    (found,) = [outcome for outcome in decision.outcomes if outcome.text == text]
    return found


def test_events_of_landing_on_the_partner() -> None:
    events = one("red 20 / blue S / yellow 23 / green S", "3", "red 23 / blue S / yellow S / green S").events
    assert events.bumps == [referee.Bump("red", "yellow", "landing", partners=True)]
    assert (events.partner_bumps, events.own_bumps, events.bumped("landing"), events.moved) == (1, 0, 0, ["red"])


def test_the_pawn_that_arrives_is_sent_back_by_the_one_that_stands_there() -> None:
    position = "red S / blue S / yellow 4 / green S"
    events = one(position, "1", position, team_collision="bump_mover").events
    assert events.bumps == [referee.Bump("yellow", "red", "landing", partners=True)]
    assert (events.start, events.moved) == (True, ["red"])


def test_a_ride_meets_partners_and_opponents() -> None:
    events = one("red 21 / blue 25 / yellow 26 / green 28", "3", "red 28 / blue S / yellow S / green S").events
    assert (events.bumped("ride"), events.partner_bumps, events.slides) == (2, 1, 1)


def test_a_swap_between_partners_moves_both() -> None:
    text = "red 40 / blue S / yellow 20 / green S"
    assert sorted(one("red 20 / blue S / yellow 40 / green S", "11", text, team_eleven_partner=True).events.moved) == ["red", "yellow"]


def test_of_two_ways_that_meet_as_many_the_other_is_kept_too() -> None:
    # Back from the end of a slide: red's pawn or yellow's, and nothing has changed.
    text = "red 19 / blue S / yellow 28 / green S"
    outcome = one(text, "4", text)
    assert [events.moved for events in outcome.alike] == [["red"]]  # from 19 to 15; only yellow's rides back
    assert outcome is not None


# -- a 7 in many parts, against every order of its parts ------------------------------------------------------


def every_order(board: Board, numbers: list[int], left: int, moved: tuple[int, ...]) -> Iterator[Board]:
    """What every sequence of two or more parts leads to."""
    for number in set(numbers) - set(moved):
        for count in range(1, left + 1):
            parts = len(moved) + 1
            if (count == left and parts == 1) or (count < left and parts == board.rules.seven_parts):
                continue
            pawn = board.pawns[number]
            for target in referee.forward_targets(board.rules, pawn.color, pawn.place, count):
                after = board.copy()
                after.events.parts = parts
                try:
                    after.land(number, target.place)
                except ways.PawnInTheWay:
                    continue
                yield from [after] if count == left else every_order(after, numbers, left - count, (*moved, number))
'''
