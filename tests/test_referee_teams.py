"""The referee in team play: hand-worked decisions, what is counted to whom, and games that stand shortly before their end."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from classic_team_vectors import CASES, COLLISIONS
from classic_vectors import PASS, Case, check, named
from referee import classic as referee
from referee.board import PawnInTheWay
from referee.classic import Board, Decision, Game, Outcome, Pawn, Record
from referee_tools import Script, plan

from simsorry.games.classic.rules import Rules
from simsorry.games.options import COLORS

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


def test_ways_that_are_equally_plain_are_all_kept() -> None:
    # Four back from the end of a slide: red's pawn or yellow's, and nothing has changed.
    text = "red 28 / blue S / yellow 13 / green S"
    assert [events.moved for events in one(text, "4", text).alike] == [["red"], ["yellow"]]
    assert played("4", text, turn_cap=1).in_doubt == {"partner_moves"}


# -- a 7 in many parts, against every order of its parts ------------------------------------------------------


def every_order(board: Board, numbers: list[int], left: int, moved: tuple[int, ...]) -> Iterator[Board]:
    """What every sequence of two or more parts leads to."""
    parts = len(moved) + 1
    for number, count in product(set(numbers) - set(moved), range(1, left + 1)):
        if (count == left and parts == 1) or (count < left and parts == board.rules.seven_parts):
            continue
        pawn = board.pawns[number]
        for target in referee.forward_targets(board.rules, pawn.color, pawn.place, count):
            after = board.copy()
            after.events.parts = parts
            try:
                after.land(number, target.place)
            except PawnInTheWay:
                continue
            yield from [after] if count == left else every_order(after, numbers, left - count, (*moved, number))


@pytest.mark.parametrize("collision", COLLISIONS)
def test_no_share_out_of_a_7_is_lost(collision: str) -> None:
    rules = Rules(team_pairs="opposite", seven_parts=4, team_collision=collision)
    position = referee.read_position("red 13 18 20 Z3 / blue 28 S S S / yellow 14 22 S H / green 26 S S S")
    board = Board(rules, COLORS, [Pawn(color, place) for color in COLORS for place in position[color]])
    plainest: dict[str, tuple[bool, int, int]] = {}
    for after in every_order(board, [*board.numbers("red"), *board.numbers("yellow")], 7, ()):
        text = referee.write_position(after.position)
        plainest[text] = min(plainest.get(text, (True, 9, 9)), after.events.plainness())
    decision = referee.outcomes(rules, COLORS, 0, position, "7")
    split = {outcome.text: outcome.events.plainness() for outcome in decision.outcomes if outcome.events.split}
    whole = {outcome.text for outcome in decision.outcomes if not outcome.events.split}
    assert split == {text: how for text, how in plainest.items() if text not in whole}
    assert len(split) > 50


# -- games that stand somewhere --------------------------------------------------------------------------


def game(cards: str, position: str, *choices: str, **options: Any) -> Game:
    """A game of two teams that stands at a position, red to move."""
    places = referee.read_position(position)
    settings = {"pawns": len(places["red"]), "draw": "with_replacement", "team_pairs": "opposite"}
    return Game(Rules(**settings | options), COLORS, 0, Script(cards), plan(*choices), position=places)


def played(cards: str, position: str, *choices: str, **options: Any) -> Record:
    """The same, played; fails unless all of the cards have come."""
    begun = game(cards, position, *choices, **options)
    record = begun.play()
    assert isinstance(begun.caller.draw, Script)
    assert begun.caller.draw.left == []
    return record


def movers(record: Record) -> str:
    """Whose the cards were, in order."""
    return " ".join(step.color for step in record.steps)


def by_seat(record: Record, name: str) -> list[int]:
    """A column of the seats: red, blue, yellow, green."""
    return [seat[name] for seat in record.seats]


NEARLY = "red Z5 / blue 20 / yellow Z5 / green 50"


def test_H37_F25_a_team_wins_with_all_of_its_pawns_home() -> None:
    record = played("1 3 1", NEARLY, "1 red H", "3 blue 23")
    assert movers(record) == "red blue yellow"
    assert [record.game[name] for name in ("winner", "winner_color", "turns", "turns_all", "capped")] == [2, 2, 3, 3, 0]
    assert by_seat(record, "won") == [1, 0, 1, 0]
    assert by_seat(record, "place") == [1, 2, 1, 2]
    assert by_seat(record, "pawns_home") == [1, 0, 1, 0]
    assert by_seat(record, "match_rounds_won") == [1, 0, 1, 0]
    assert by_seat(record, "partner_moves") == [0, 0, 0, 0]


def test_a_player_may_win_with_the_partners_pawn() -> None:
    record = played("1 3 1", NEARLY, "1 yellow H", "3 blue 23")
    assert record.game["winner"] == 2
    assert by_seat(record, "partner_moves") == [1, 0, 1, 0]


def test_a_team_that_wins_with_its_first_member() -> None:
    record = played("1", NEARLY, "1 red H", team_win="first_member")
    assert (record.game["winner"], by_seat(record, "won"), by_seat(record, "pawns_home")) == (0, [1, 0, 1, 0], [1, 0, 0, 0])
    by_the_partner = played("1", NEARLY, "1 yellow H", team_win="first_member")
    assert (by_the_partner.game["winner"], by_seat(by_the_partner, "pawns_home")) == (0, [0, 0, 1, 0])


ON_THE_WAY = "red Z5 / blue 20 / yellow 40 / green 50"


def test_F24_who_has_finished_plays_for_the_partner() -> None:
    record = played("1 3 3 3 3", ON_THE_WAY, team_control="own_only", turn_cap=5)
    assert movers(record) == "red blue yellow green red"
    assert record.steps[-1].text == "red H / blue 23 / yellow 49 / green 53"  # by way of green's triangle
    assert by_seat(record, "partner_moves") == [1, 0, 0, 0]


def test_HQ36_who_has_finished_takes_no_more_turns() -> None:
    record = played("1 3 3 3 3", ON_THE_WAY, team_control="own_only", team_finished_player="skips", turn_cap=5)
    assert movers(record) == "red blue yellow green blue"
    assert record.game["rounds"] == 2


def test_HQ36_a_2_that_finishes_a_player() -> None:
    position = "red Z4 / blue 20 / yellow 40 / green 50"
    assert movers(played("2 3", position, team_control="own_only", turn_cap=1)) == "red red"
    assert movers(played("2", position, team_control="own_only", turn_cap=1, team_finished_player="skips")) == "red"


def test_HQ36_whom_the_partner_has_finished_takes_no_more_turns() -> None:
    position = "red 20 / blue 30 / yellow Z5 / green 50"
    record = played("1 3 3 3", position, "1 yellow H", "3 blue 33", "3 green 53", team_finished_player="skips", turn_cap=4)
    assert movers(record) == "red blue green red"


def test_the_hand_of_whom_the_partner_has_finished_goes_to_the_discards() -> None:
    options = {"hand_size": 1, "draw": "without_replacement", "turn_cap": 1}
    skipped = game("1 3 5 3 8", "red 20 / blue 30 / yellow Z5 / green 50", "1 yellow H", team_finished_player="skips", **options)
    skipped.play()
    assert skipped.rounds[0].hands == {"red": ["8"], "blue": ["3"], "yellow": [], "green": ["3"]}
    assert skipped.rounds[0].deck.discards == ["1", "5"]
    goes_on = game("1 3 5 3 8", "red 20 / blue 30 / yellow Z5 / green 50", "1 yellow H", **options)
    goes_on.play()
    assert goes_on.rounds[0].hands["yellow"] == ["5"]


def test_the_other_team_plays_on_where_all_must_be_home() -> None:
    position = "red H / blue Z5 / yellow Z5 / green Z5"
    record = played("1 1 1", position, "1 blue H", game_end="all_home")
    assert movers(record) == "red blue green"
    assert [record.game[name] for name in ("winner", "turns", "turns_all", "capped", "homes")] == [0, 1, 3, 0, 3]
    assert by_seat(record, "place") == [1, 2, 1, 2]
    assert by_seat(record, "pips_left") == [0, 1, 0, 1]
    assert movers(played("1", position, game_end="full_ranking")) == "red"


def test_teams_on_the_way_rank_together() -> None:
    # One pawn HOME each; to go 16 + 2 * 65 = 146 against 33 + 2 * 65 = 163.
    record = played("12", "red 40 H / blue 50 S / yellow S S / green S H", team_control="own_only", turn_cap=1)
    assert (record.game["winner"], record.game["capped"]) == (255, 1)
    assert by_seat(record, "place") == [1, 2, 1, 2]
    even = played("12", "red S H / blue S H / yellow S S / green S S", team_control="own_only", turn_cap=1)
    assert by_seat(even, "place") == [1, 1, 1, 1]


def test_the_lead_is_that_of_a_team() -> None:
    # 48 to go for everybody. After the rounds, teams together: 86:90, 84:66, 60:64, 58:58, 56:52.
    cards = "5 3 5 3  1 12 1 12  12 1 12 1  1 3 1 3  1 3 1 3  1"
    position = "red 20 / blue 35 / yellow 50 / green 5"
    record = played(cards, position, team_control="own_only", slides="off", turn_cap=21)
    assert record.game["lead_changes"] == 3


# -- what is counted to whom -----------------------------------------------------------------------------


def test_a_bump_with_the_partners_pawn_is_the_players() -> None:
    record = played("3", "red S / blue 43 / yellow 40 / green S", turn_cap=1)
    assert by_seat(record, "bumps_given") == [1, 0, 0, 0]
    assert by_seat(record, "bumps_taken") == [0, 1, 0, 0]
    assert by_seat(record, "partner_moves") == [1, 0, 0, 0]


def test_a_partner_sent_back_is_no_bump() -> None:
    record = played("3", "red 20 / blue S / yellow 23 / green S", "3 red 23", turn_cap=1)
    assert [record.game[name] for name in ("bumps", "own_bumps", "partner_bumps")] == [0, 0, 1]
    assert by_seat(record, "partner_bumps") == [1, 0, 0, 0]
    assert by_seat(record, "bumps_taken") == [0, 0, 0, 0]
    mover = played("3", "red 20 / blue S / yellow 23 / green S", "3 red S", turn_cap=1, team_collision="bump_mover")
    assert (mover.game["partner_bumps"], by_seat(mover, "partner_bumps")) == (1, [1, 0, 0, 0])


def test_a_sorry_on_the_partner_is_no_bump() -> None:
    record = played("sorry", "red S / blue S / yellow 23 / green S", turn_cap=1)
    assert [record.game[name] for name in ("bumps", "bumps_sorry", "partner_bumps")] == [0, 0, 1]
    assert by_seat(record, "partner_moves") == [0, 0, 0, 0]


def test_a_ride_of_the_partners_pawn_is_the_players() -> None:
    record = played("3", "red S H / blue S S / yellow 21 26 / green S S", "3 yellow S 28", turn_cap=1)
    assert [record.game[name] for name in ("slides", "own_bumps", "bumps", "partner_bumps")] == [1, 1, 0, 0]
    assert by_seat(record, "own_bumps") == by_seat(record, "slides") == [1, 0, 0, 0]


def test_a_ride_of_a_swapped_opponent_is_its_own() -> None:
    position = "red 9 / blue 22 / yellow S / green 12"
    record = played("11", position, "11 red 22", turn_cap=1, slide_after_swap="both")
    assert record.steps[0].text == "red 22 / blue 13 / yellow S / green S"
    assert by_seat(record, "partner_bumps") == by_seat(record, "slides") == [0, 1, 0, 0]
    assert by_seat(record, "swaps") == [1, 0, 0, 0]


def test_a_pawn_that_the_partner_starts() -> None:
    record = played("12 12 12 12 1", "red S / blue S / yellow S / green S", "1 yellow 34", turn_cap=5)
    assert (record.game["starts"], by_seat(record, "starts")) == (1, [0, 0, 1, 0])
    assert by_seat(record, "first_start") == [-1, -1, 2, -1]
    assert by_seat(record, "partner_moves") == [1, 0, 0, 0]
    by_sorry = played("sorry", "red H / blue 20 / yellow S / green S", turn_cap=1)
    assert by_seat(by_sorry, "first_start") == [-1, -1, 1, -1]


# -- points and matches ----------------------------------------------------------------------------------


def test_HQ42_points_of_a_team() -> None:
    options = {"score_home_to": "all_players", "team_scoring": "pooled"}
    record = played("1", "red Z5 / blue H / yellow H / green 50", **options)
    # 2 pawns HOME at 5, one opposing pawn not HOME at 5, and no opponent has more than one HOME: 50.
    assert by_seat(record, "points") == [65, 5, 65, 5]
    assert [record.game[f"band_{number}"] for number in (1, 2, 3, 4)] == [0, 1, 0, 0]


FAST = {"pawns": 1, "quick_start_pawns": 1, "slides": "off", "home_overshoot": "any", "draw": "with_replacement"}
FAST |= {"team_pairs": "opposite", "team_control": "own_only", "team_win": "first_member"}


def test_the_winner_of_a_match_is_who_made_the_teams_last_winning_move() -> None:
    cards = "12 1 1 1 " * 5 + "12 " + "1 1 12 1 " * 5 + "1 1 12"  # red is HOME first, then yellow
    record = referee.play(Rules(match_end="rounds:2", **FAST), COLORS, 0, Script(cards), plan())
    assert [record.game[name] for name in ("winner", "winner_color", "match_rounds", "match_upsets")] == [2, 2, 2, 0]
    assert by_seat(record, "match_rounds_won") == [2, 0, 2, 0]
    assert by_seat(record, "place") == [1, 2, 1, 2]
    assert by_seat(record, "won") == [1, 0, 1, 0]
