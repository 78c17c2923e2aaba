"""``simsorry play``: the game that is told is the game that is played."""

import json
import random
import re
from collections import Counter
from typing import Any

import engine_tools
import pytest
from story_tools import carried_out
from typer.testing import CliRunner, Result

from simsorry import games, jit, simulate
from simsorry.cli import app
from simsorry.cli.moves import part_of
from simsorry.cli.play import replay_of
from simsorry.cli.run import make_task
from simsorry.errors import INVALID, USAGE, SimsorryError
from simsorry.games import telling
from simsorry.games.classic import board, notation, seat_colors, state
from simsorry.games.classic.decision import Table
from simsorry.games.classic.replay import Card, Replay
from simsorry.games.classic.rules import Rules
from simsorry.games.hands import NO_CARD
from simsorry.games.ice import board as ice_board
from simsorry.games.options import CARDS, COLORS, DeckCounts
from simsorry.games.replaying import Round, Score

GAMES = (
    ("hasbro", 2, ["random"]),
    ("hasbro", 3, ["balanced"]),
    ("hasbro", 4, ["random"]),
    ("hasbro", 4, ["runner", "hunter", "random", "careful"]),
    ("hasbro+reshuffle_when=when_last_taken+card_in_play_in_reshuffle=excluded", 2, ["random"]),
    ("hasbro+own_collision=bump_self+slide_after_swap=both+eleven_swap_forced=true", 3, ["hunter"]),
    ("hasbro+own_collision=ends_turn+must_move=false+home_overshoot=bounce", 2, ["random"]),
    ("hasbro+pawns=3+two_draws_again=if_played+turn_cap=60", 4, ["random"]),
    ("hasbro-quick", 4, ["herd"]),
    ("french", 3, ["random"]),
    ("hasbro+game_end=all_home", 4, ["random"]),
    ("house-share-squares", 2, ["random"]),
    ("house-spinner", 4, ["random"]),
    ("house-lap-again", 2, ["random"]),
    ("house-many-splits", 2, ["random"]),
    # hands
    ("hasbro-points", 4, ["random"]),
    ("hasbro-points", 2, ["balanced", "random"]),
    ("french-points", 3, ["runner", "hunter", "random"]),
    ("expert-seven-cards", 4, ["balanced"]),
    ("apologies-adult", 4, ["random"]),
    ("encyclopedia-whole-deck", 4, ["random"]),
    ("hasbro-points+two_in_hand=play_drawn+two_playable_idle=true+start_cards=1+dead_hand=random+hand_refill=end_of_turn", 4, ["random"]),
    ("hasbro-points+two_followup_stuck=discard_one+dead_hand=oldest+hand_refill=when_empty+must_move=false", 3, ["random"]),
    ("hasbro-points+first_turn_dead_hand=skip+quick_start_pawns=0+optional_counts_as_playable=true+two_in_hand=none", 4, ["hunter"]),
    ("hasbro-points+reshuffle_when=when_last_taken+card_in_play_in_reshuffle=excluded+game_end=all_home", 4, ["random"]),
    # teams
    ("hasbro-teams", 4, ["random"]),
    ("hasbro-teams", 4, ["balanced", "random", "hunter", "runner"]),
    ("french-teams", 4, ["random"]),
    ("house-partners-share+game_end=all_home", 4, ["random"]),
    ("house-partners-block", 4, ["hunter", "random", "hunter", "random"]),
    ("house-partners-own-pawns", 4, ["random"]),
    ("hasbro-teams+team_collision=bump_mover+team_eleven_partner=true+slide_after_swap=both+team_sorry_target=any", 4, ["random"]),
    ("french-teams+team_win=first_member+seven_resolution=simultaneous+team_own_collision=bump", 4, ["random"]),
    ("hasbro-teams-points", 4, ["random"]),
    ("hasbro-teams-points+team_finished_player=skips+team_control=own_only+game_end=all_home", 4, ["random"]),
    # matches
    ("hasbro-match+match_end=target:150", 4, ["random"]),
    ("hasbro-match-rounds", 2, ["balanced", "random"]),
    ("hasbro-match-rounds+next_leader=random+score_home_to=winner_only+bonus_bands=cumulative+band_measure=total", 3, ["random"]),
    ("hasbro+match_end=rounds:2+game_end=full_ranking+turn_cap=400", 3, ["random"]),
    ("hasbro-teams-points+match_end=target:100+game_end=all_home", 4, ["random"]),
)
RANDOM_RULESETS = 40

ONES = DeckCounts.model_validate({card: 4 if card == "1" else 0 for card in CARDS})  # a deck without surprises


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """So that no command says that it is compiling."""
    CliRunner().invoke(app, ["play", "hasbro", "--turns", "1"])
    CliRunner().invoke(app, ["play", "sorreesi", "--turns", "1"])
    CliRunner().invoke(app, ["play", "ice-three", "--turns", "1"])


def cli(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["play", *arguments])


def told(*arguments: str) -> str:
    result = cli(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


# -- the same game as is played ----------------------------------------------------------------------


def by_color(replay: Replay, cards: list[Card]) -> dict[str, Counter[int]]:
    """What the words on each card say of the colors, in terms of the seats table."""
    counts: dict[str, Counter[int]] = {name: Counter() for name in ("turns", "draws", "bumps_taken", "partner_moves", "throws")}
    side = {color: side for side in replay.sides for color in side}
    for card in cards:
        counts["draws"][card.color] += card.card != NO_CARD
        counts["turns"][card.color] += not card.draws_again
        counts["throws"][card.color] += card.did.startswith("throws in ")
        partners = "|".join(color for color in side[COLORS[card.color]] if color != COLORS[card.color])
        counts["partner_moves"][card.color] += bool(partners and re.search(MOVES.format(partners), card.did))
        for clause in re.split("; (?:then |at the same time )?", card.did):
            other = re.match(r"(\w+)'s pawn slides", clause)
            mover = other[1] if other else COLORS[card.color]
            for number, victim in re.findall(r"(?:(\d) )?(\w+) from \w+", clause.partition("sends back ")[2]):
                counts["bumps_taken"][COLORS.index(victim)] += int(number or 1) * (victim not in side[mover])
    return counts


MOVES = r"(?:^|; then |; at the same time )(?:moves|starts a|moves a|swaps|swaps its pawn on \w+ with) (?:{})\b"


def assert_told(replay: Replay, game: dict[str, int], seats: dict[str, dict[str, int]]) -> None:
    """Plays a game on to its end, and fails unless it is the one with these rows, those of the seats by color."""
    cards = list(replay.steps())
    assert replay.counters == {name: game[name] for name in replay.counters}
    assert (replay.first_seat, replay.capped, replay.over) == (game["first_seat"], bool(game["capped"]), True)
    assert [color for color, seat in seats.items() if seat["won"]] == sorted(replay.winners, key=list(seats).index)
    assert replay.points == {color: seats[color]["points"] for color in replay.points}
    assert replay.rounds_won == {color: seats[color]["match_rounds_won"] for color in replay.rounds_won}
    for name, counts in by_color(replay, cards).items():
        assert {color: counts[COLORS.index(color)] for color in seats} == {color: seat[name] for color, seat in seats.items()}, name
    assert_rounds_told(replay, game, seats)
    assert replay.places == {color: seats[color]["place"] for color in replay.places}


def assert_rounds_told(replay: Replay, game: dict[str, int], seats: dict[str, dict[str, int]]) -> None:
    """Fails unless the rounds add up to what a game's rows say."""
    assert [ended.number for ended in replay.rounds] == list(range(1, game["match_rounds"] + 1))
    assert sum(ended.turns for ended in replay.rounds) == game["turns"]
    bands, paid = replay.table.rules.score_bands, [bonus for ended in replay.rounds for score in ended.scores for bonus in score.bonuses]
    assert [paid.count(band) for band in bands] == [game[f"band_{number}"] for number in range(1, len(bands) + 1)]
    for ended in replay.rounds:
        for score in ended.scores:
            assert score.points == score.for_home + score.for_not_home + sum(points for _, points in score.bonuses)
    for score in replay.rounds[-1].scores:
        standing = "points" if replay.rounds[-1].keeps_points else "match_rounds_won"
        assert {seats[color][standing] for color in score.colors} == {score.standing}


@pytest.mark.parametrize(("ruleset", "players", "policies"), GAMES)
def test_the_told_game_is_the_one_that_is_played(ruleset: str, players: int, policies: list[str]) -> None:
    task = make_task(ruleset, players, policies, 11, [], None)
    first, count = 1000, 3
    block = simulate.play(task, first, count)
    for game in range(count):
        rows = range(players * game, players * (game + 1))
        seats = {COLORS[block.seats["color"][row]]: {name: int(column[row]) for name, column in block.seats.items()} for row in rows}
        assert_told(replay_of(task, first + game), {name: int(column[game]) for name, column in block.games.items()}, seats)


@pytest.mark.parametrize("seed", range(RANDOM_RULESETS))
def test_a_game_of_random_rules_is_told_as_it_is_played(seed: int) -> None:
    luck = random.Random(f"told {seed}")
    players = luck.choice([2, 3, 4, 4])
    rules = engine_tools.random_rules(luck, players, 6)
    policies = engine_tools.line_up(players, *[luck.choice(engine_tools.MIXED) for _ in range(players)])
    rows = engine_tools.play(rules, players, 1, policies=policies, seed=seed)
    by_seat = [{name: int(rows.seats[number, seat]) for name, number in engine_tools.SEAT.items()} for seat in range(players)]
    replay = Replay(rules, seat_colors(rules, players), policies, seed, 0)
    game = {name: int(rows.games[number, 0]) for name, number in engine_tools.GAME.items()}
    assert_told(replay, game, {COLORS[row["color"]]: row for row in by_seat})


@pytest.mark.parametrize(
    "ruleset",
    [
        "hasbro",
        "hasbro-points+two_playable_idle=true+must_move=false",
        "hasbro-points+two_in_hand=play_drawn+two_followup_stuck=discard_one+dead_hand=oldest+first_turn_dead_hand=skip",
        "hasbro-teams",
        "house-partners-share+hand_size=3+team_eleven_partner=true+slide_after_swap=both",
        "french-teams+team_collision=bump_mover+team_control=own_only+match_end=rounds:2",
    ],
)
def test_every_card_follows_from_the_one_before(ruleset: str) -> None:
    """Each position is one of those that the position before offers, and what the words say leads to it."""
    task = make_task(ruleset, 4, ["random"], 5, [], None)
    replay = replay_of(task, 0)
    table, start = Table(task.ruleset.rules, COLORS), replay.position
    before, had, drawn = start, set[int](), None
    for card in replay.steps():
        if card.begins_round:
            before, had = start, set()
        if task.ruleset.rules.hand_size:
            hand = [CARDS[held] for held in card.hand]
            state_of = {"followup": card.again, "drawn": drawn, "first_turn": card.color not in had}
            decision = table.decide_hand(before, COLORS[card.color], hand, **state_of)
        else:
            decision = table.decide(before, COLORS[card.color], card.plain()["card"])
        assert len(decision.outcomes) == card.choices
        played = (card.plain()["card"] or "", replay.position, card.kind)
        offered = [(outcome.card, outcome.position, outcome.kind) for outcome in decision.outcomes]
        assert offered.count(played) == bool(card.choices)
        told = carried_out(notation.parse(before), COLORS[card.color], card.did) if card.choices else before
        assert told == replay.position
        assert card.words == replay.words
        before, drawn = replay.position, card.plain()["drawn"]
        had |= set() if card.draws_again else {card.color}
    assert replay.over


# -- what is printed ---------------------------------------------------------------------------------


def test_a_game_in_words() -> None:
    lines = told("hasbro", "--seed", "7", "--game", "123", "--no-board").splitlines()
    assert lines[:5] == [
        "hasbro; red, blue, yellow, green; random; seed 7, game 123",
        "red S S S S / blue S S S S / yellow S S S S / green S S S S",
        "",
        "    1  green   sorry  nothing to play",
        "    2  red     7      nothing to play",
    ]
    turns = [int(line[:5]) for line in lines[3:-1] if line[:5].strip()]
    assert turns == list(range(1, len(turns) + 1))
    assert re.fullmatch(
        rf"\w+ wins in turn {turns[-1]}: {turns[-1]} turns, {len(lines) - 4} cards, \d+ bumps, \d+ slides, \d+ reshuffles", lines[-1]
    )
    assert lines[-2].endswith("all pawns HOME: first")


def test_the_board_is_drawn_every_round_or_as_asked() -> None:
    whole = told("hasbro", "--turns", "8")
    assert whole.count("\n 0  >  -  -  ") == 3  # before, and after each of two rounds
    assert told("hasbro", "--turns", "9").count("\n 0  >  -  -  ") == 4
    assert told("hasbro", "--turns", "8", "--every", "100").count("\n 0  >  -  -  ") == 2
    assert board.legend(Rules()) in whole
    assert whole.splitlines()[-1].startswith("not over yet: 8 turns, ")
    assert "\x1b" not in whole


def test_a_game_that_goes_on_for_places() -> None:
    last = told("french", "--players", "3", "--no-board").splitlines()[-1]
    assert re.match(r"(\w+) wins in turn \d+, (\w+) is second, (\w+) is third: \d+ turns", last)


def test_a_game_that_is_cut_off() -> None:
    assert told("hasbro", "--set", "turn_cap=7", "--no-board").splitlines()[-1].startswith("cut off at the turn cap: 7 turns")


def test_the_discards_become_the_pile() -> None:
    told_once = told("hasbro+deck_counts={1=1,2=1,3=0,4=0,5=0,7=0,8=0,10=0,11=0,12=1,sorry=0}", "--turns", "4", "--no-board")
    assert told_once.count("; the discards become the pile") == (len(told_once.splitlines()) - 5) // 3


def test_a_game_as_json() -> None:
    document = json.loads(told("hasbro", "--players", "2", "--policy", "runner,hunter", "--json"))
    task = make_task("hasbro", 2, ["runner", "hunter"], 1, [], None)
    assert (document["task"], document["seat_colors"], document["policies"]) == (task.id, ["red", "yellow"], ["runner", "hunter"])
    assert (document["over"], document["capped"]) == (True, False)
    assert document["counters"]["draws"] == len(document["cards"])
    assert document["cards"][-1]["place"] == 1
    (winner,) = document["places"]
    assert f"{winner} H H H H" in document["cards"][-1]["position"]


# -- hands, teams, points and matches ----------------------------------------------------------------


def test_a_game_with_hands_and_points_in_words() -> None:
    lines = told("hasbro-points", "--no-board").splitlines()
    assert lines[:5] == [
        "hasbro-points; red, blue, yellow, green; random; seed 1, game 0",
        "red S S S 4 / blue S S S 19 / yellow S S S 34 / green S S S 49",
        "",
        " turn  color   card   chosen from             what is done",
        "    1  red     4      4 7 1 2 11              moves 4 back from 4 to 0 (8 choices)",
    ]
    assert lines[6:8] == [
        "    3  yellow  sorry  sorry 8 1 5 2           moves a pawn from START to 49, sends back green from 49 (5 choices)",
        "    4  green   4      12 12 8 4 4             throws in a 4 (3 choices)",
    ]
    (again,) = (number for number, line in enumerate(lines) if line.startswith("   17  red "))
    assert lines[again : again + 2] == [
        "   17  red     2      2 11 7 8 1              moves 2 forward from Z4 to HOME (13 choices); plays another card",
        "               11     11 7 8 1 11             moves 11 forward from 12 to 23 (7 choices)",
    ]
    assert lines[-8:] == [
        "  109  red     8      7 8 7 7 8               moves 8 forward from 0 to HOME (2 choices); all pawns HOME: first",
        "",
        "red      90 points: 20 for 4 pawns HOME, 45 for 9 opposing pawns not HOME, 25 because no opponent has more than 2 pawns HOME",
        "blue      0 points",
        "yellow   10 points: 10 for 2 pawns HOME",
        "green     5 points: 5 for 1 pawn HOME",
        "",
        "red wins in turn 109 with 90 points: 109 turns, 123 cards, 7 thrown in, 20 bumps, 8 slides, 4 reshuffles",
    ]


def test_a_card_drawn_for_a_two_and_a_hand_in_which_nothing_can_be_played() -> None:
    drawn = told("hasbro-points+two_in_hand=play_drawn+turn_cap=300", "--no-board").splitlines()
    must = [number for number, line in enumerate(drawn) if re.search(r"; draws an? \S+, to be played now", line)]
    assert must
    for number in must:
        card = re.search(r"draws an? (\S+), to be", drawn[number])
        assert card
        following = re.fullmatch(r" {15}(\S+) +(.*?)  +(\S.*)", drawn[number + 1])
        assert following, drawn[number + 1]
        assert following[1] in (card[1].lower().rstrip("!"), "-")
        assert following[2].split()[-1] == card[1].lower().rstrip("!")
    deck = "deck_counts={1=1,2=0,3=30,4=0,5=0,7=0,8=0,10=0,11=0,12=0,sorry=0}"
    idle = told(f"hasbro+hand_size=3+first_turn_dead_hand=skip+{deck}", "--players", "2", "--no-board", "--turns", "3").splitlines()
    assert idle[3:7] == [
        " turn  color   card   chosen from     what is done",
        "    1  red     -      3 3 3           nothing to play",
        "    2  yellow  -      3 3 3           nothing to play",
        "    3  red     3      3 3 3           throws in a 3",
    ]


def test_what_teams_do_in_words() -> None:
    lines = told("hasbro-teams", "--no-board").splitlines()
    assert lines[0] == "hasbro-teams; red, blue, yellow, green (red and yellow against blue and green); random; seed 1, game 0"
    assert "   11  yellow  1      moves red 1 forward from 4 to 5 (2 choices)" in lines
    assert "               sorry  moves a yellow pawn from START to 7, sends back red from 7" in lines
    assert lines[-2].endswith("all green pawns HOME: blue and green are first")
    assert lines[-1].startswith("blue and green win in turn 346: 346 turns, 381 cards, 31 bumps, 4 partner bumps, 20 slides, ")


def test_partners_who_play_on() -> None:
    lines = told("house-partners-own-pawns", "--set", "game_end=all_home", "--no-board").splitlines()
    home = [line for line in lines if "HOME: " in line or line.endswith("pawns HOME")]
    assert [re.sub(".*; ", "", line) for line in home if " are " not in line]  # a player who goes on with the partner's
    assert [re.search(r"are (\w+)$", line)[1] for line in home if " are " in line] == ["first", "second"]  # type: ignore[index]
    assert re.match(r"(\w+ and \w+) win in turn \d+, (\w+ and \w+) are second: ", lines[-1])


def test_teams_score_together() -> None:
    lines = told("hasbro-teams-points", "--no-board").splitlines()
    earned = "40 for 8 pawns HOME, 20 for 4 opposing pawns not HOME, 25 because no opponent has more than 2 pawns HOME"
    assert lines[-5:-1] == [
        "",
        "red and yellow   20 points: 20 for 4 pawns HOME",
        f"blue and green   85 points: {earned}",
        "",
    ]
    assert lines[-1].startswith("blue and green win in turn 220 with 85 points: ")


def test_a_match_in_words() -> None:
    lines = told("hasbro-match-rounds", "--players", "2", "--no-board", "--set", "match_end=rounds:2").splitlines()
    text = "\n".join(lines)
    assert lines[3:6] == ["round 1 of the match: red begins", "", " turn  color   card   chosen from             what is done"]
    assert lines[6].startswith("    1  red ")
    second = lines.index("round 2 of the match: yellow begins")
    assert lines[second + 3].startswith("    1  yellow ")
    ends = re.findall(
        r"\n\nround (\d): (\w+) wins in turn \d+\n  red +(\d+) points?.*\n  yellow +(\d+) points?.*\npoints so far: (.*)\n\n", text
    )
    assert [number for number, *_ in ends] == ["1", "2"]
    sums = {"red": sum(int(red) for _, _, red, _, _ in ends), "yellow": sum(int(yellow) for _, _, _, yellow, _ in ends)}
    first, other = sorted(sums, key=lambda color: -sums[color])
    assert ends[-1][-1] == f"{first} {sums[first]}, {other} {sums[other]}"
    assert lines[-1].startswith(f"{first} wins the match with {sums[first]} points after 2 rounds: ")


def test_a_match_by_rounds_won_and_how_far_it_has_come() -> None:
    short = ("hasbro-quick+match_end=rounds:2+pawns=2", "--players", "2", "--no-board")
    whole = told(*short)
    assert whole.count("\nrounds won so far: ") == whole.count(" of the match: ")
    assert re.match(r"\w+ wins the match with 2 of \d rounds: ", whole.splitlines()[-1])
    turns = whole.splitlines()
    first = next(int(line.split()[-1]) for line in turns if line.startswith("round 1: "))
    stopped = told(*short, "--turns", str(first + 1)).splitlines()
    assert stopped[-1].startswith(f"not over yet, in round 2: {first + 1} turns, ")
    assert stopped[-2].startswith("    1  ")
    assert told(*short, "--set", "turn_cap=5").splitlines()[-4:] == [
        "",
        "round 1: cut off at the turn cap",
        "rounds won so far: red 0, yellow 0",
        "",
    ] or told(*short, "--set", "turn_cap=5").splitlines()[-1].startswith("cut off at the turn cap: 5 turns, ")


def test_only_how_it_ends() -> None:
    lines = told("hasbro-match-rounds", "--players", "2", "--no-board", "--no-moves").splitlines()
    assert not [line for line in lines if re.match(r" +\d", line)]
    assert [line for line in lines if " of the match: " in line]
    boards = told("hasbro-match-rounds", "--players", "2", "--no-moves")
    assert boards.count("\n 0  >  -  -  ") == 1 + boards.count(" of the match: ")
    assert "\n\n\n" not in boards


def test_a_match_as_json() -> None:
    document = json.loads(told("hasbro-match-rounds", "--players", "2", "--json"))
    rounds, cards = document["rounds"], document["cards"]
    assert [each["round"] for each in rounds] == list(range(1, len(rounds) + 1))
    assert {card["match_round"] for card in cards} == {each["round"] for each in rounds}
    assert [
        sum(score["points"] for each in rounds for score in each["scores"] if score["colors"] == [color]) for color in ("red", "yellow")
    ] == [document["points"][color] for color in ("red", "yellow")]
    assert document["winners"] == [max(document["points"], key=document["points"].get)]
    assert all(len(card["hand"]) == 5 and card["card"] in card["hand"] for card in cards if card["card"])
    last = [card for card in cards if card["match_round"] == 1][-1]
    assert f"{last['color']} H H H H" in last["position"]


# -- the end of a round ------------------------------------------------------------------------------


def ended(winner: str, points: dict[str, int], *, tied: bool = False, **options: Any) -> list[str]:
    """What is said at the end of a round in which red, if it won, earned the first bonus."""
    rules = Rules(**{"score_home_to": "all_players"} | options)
    scores = [
        Score((color,), points[color], 4, 20, 3, 15, rules.score_bands[:1] if color == winner else (), points[color]) for color in points
    ]
    return telling.round_end(Round(rules, 3, 57, (winner,) if winner else (), tuple(scores), tied))


def test_what_a_bonus_is_for() -> None:
    points = {"red": 60, "blue": 1}
    red, blue = ended("red", points)
    assert (
        red == "red    60 points: 20 for 4 pawns HOME, 15 for 3 opposing pawns not HOME, 25 because no opponent has more than 2 pawns HOME"
    )
    assert blue.startswith("blue    1 point: ")
    assert "because no opponent has more than 1 pawn HOME" in ended("red", points, score_bands=((1, 50),))[0]
    assert "because no opponent has a pawn HOME" in ended("red", points, score_bands=((0, 50),))[0]
    assert "because no opponent has a pawn HOME" in ended("red", points, score_bands=((0, 50),), band_measure="total")[0]
    assert (
        "because the opponents have no more than 3 pawns HOME together"
        in ended("red", points, score_bands=((3, 9),), band_measure="total")[0]
    )


def test_how_a_match_stands() -> None:
    points = {"red": 60, "blue": 60}
    assert ended("red", points, match_end="target:60", tied=True)[-1] == "points so far: red 60, blue 60; a tie, so there is one more round"
    assert ended("red", points | {"green": 70}, match_end="target:90")[-1] == "points so far: green 70, red 60, blue 60"
    assert ended("", points, match_end="target:90")[0] == "round 3: cut off at the turn cap"
    assert ended("blue", points, match_end="rounds:9", score_home_to="none") == [
        "round 3: blue wins in turn 57",
        "rounds won so far: red 60, blue 60",
    ]
    assert ended("red", points, score_home_to="none") == []


def test_a_tie_is_played_on() -> None:
    """Two pawns, one of them HOME: both score alike until somebody is alone ahead."""
    replay = Replay(Rules(pawns=1, quick_start_pawns=1, match_end="rounds:2"), ("red", "blue"), _random(2), 1, 1)
    assert sum(1 for _ in replay.steps())
    won = [each.winners[0] for each in replay.rounds]
    assert [each.tied for each in replay.rounds[1:]] == [won[: number + 2].count("red") * 2 == number + 2 for number in range(len(won) - 1)]
    assert replay.winners == (max(set(won), key=won.count),)


# -- dice ------------------------------------------------------------------------------------------


def test_a_game_with_dice_in_words() -> None:
    lines = told("sorreesi", "--seed", "3", "--no-board").splitlines()
    assert lines[0] == "sorreesi; red, blue, yellow, green; random; seed 3, game 0"
    base = " ".join("B" * 8)
    assert lines[1:3] == [f"red {base} / blue {base} / yellow {base} / green {base}", ""]
    rolls = [line for line in lines[3:-1] if re.match(r" +(?:\d+  \w+ +rolls|rolls again:) \d and \d", line)]
    uses = [line for line in lines[3:-1] if line.startswith(" " * 17)]
    assert len(rolls) + len(uses) == len(lines) - 4
    turns = [int(line[:5]) for line in rolls if line[:5].strip()]
    assert turns == list(range(1, len(turns) + 1))
    cards = sum(len(re.findall(r"draws an? ", line)) for line in lines[3:-1])
    ending = rf"\w+ wins in turn {turns[-1]}: {turns[-1]} turns, {len(rolls)} rolls, {cards} cards, \d+ bumps, \d+ fights, "
    assert re.fullmatch(ending + r"\d+ of \d+ bonus moves used, \d reshuffles?", lines[-1])
    assert lines[-2].endswith("all pawns HOME: first")


def test_teams_with_dice() -> None:
    lines = told("sorreesi-teams", "--no-board", "--no-moves").splitlines()
    assert lines[0] == "sorreesi-teams; red, blue, yellow, green (red and yellow against blue and green); random; seed 1, game 0"
    assert re.match(r"(?:red and yellow|blue and green) win in turn \d+: \d+ turns, ", lines[-1])
    assert len(lines) == 4


def test_the_board_of_a_game_with_dice() -> None:
    picture = told("sorreesi", "--turns", "8")
    assert picture.count("*@   0  (") == 3
    assert "R B Y G pawns (going clockwise), * safe square" in picture
    assert "\n\n\n" not in picture


def test_a_game_with_dice_from_a_position() -> None:
    lines = told("sorreesi-four-pawns", "--from", "green P7 H H H / red 4 B B B", "--seat", "green", "--no-board").splitlines()
    assert lines[0] == 'sorreesi-four-pawns+seat_colors=["red","green"]; red, green; random; seed 1, game 0'
    assert lines[1] == "red B B B 4 / green P7 H H H"
    assert lines[3].startswith("    1  green   rolls ")


def test_a_game_with_dice_as_json() -> None:
    document = json.loads(told("sorreesi-teams", "--json"))
    uses = document["uses"]
    assert document["counters"]["rolls"] == sum(use["rolled"] is not None for use in uses)
    assert document["counters"]["fights"] == sum(len(use["fights"]) for use in uses)
    assert document["counters"]["passes"] == sum(use["use"] == ["stop"] for use in uses)
    assert uses[-1]["place"] == 1
    assert uses[-1]["color"] in document["winners"]
    fight = next(fight for use in uses for fight in use["fights"])
    assert set(fight) == {"square", "rolls", "sent_back"}
    assert max(fight["rolls"][-1].values()) <= 6


# -- pawns of three sizes ----------------------------------------------------------------------------


def test_a_game_with_piles_in_words() -> None:
    lines = told("ice-three", "--seed", "3", "--no-board").splitlines()
    assert lines[0] == "ice-three; red, blue, yellow, green; random; seed 3, game 0"
    start = "S:s S:m S:l"
    assert lines[1:3] == [f"red {start} / blue {start} / yellow {start} / green {start}", ""]
    assert lines[3] == " turn  color   card   chosen from             what is done"
    turns = [int(line[:5]) for line in lines[4:-1] if line[:5].strip()]
    assert turns == list(range(1, len(turns) + 1))
    ending = (
        rf"\w+ wins in turn {turns[-1]}: {turns[-1]} turns, \d+ cards, \d+ thrown in, \d+ pawns? covered, \d+ switch(es)?, \d+ slides?, "
    )
    assert re.fullmatch(ending + r"\d+ reshuffles?", lines[-1])
    assert lines[-2].endswith("; all pawns HOME: first")


def test_the_board_of_a_game_with_piles() -> None:
    picture = told("ice-nine", "--turns", "60", "--every", "20")
    assert len(re.findall(r"\[\d\d\d\]", picture)) == 1 + 4 * 4  # in the legend, and HOME four times a board
    assert picture.splitlines()[1:3] == ice_board.LEGEND.splitlines()
    assert "\n\n\n" not in picture
    assert re.search(r"^\d+: .*\[\w\w.*\]", picture, re.MULTILINE)


def test_points_in_a_game_with_piles() -> None:
    lines = told("ice-scoring", "--set", "pieces=1,1,1", "--players", "2", "--no-board", "--no-moves").splitlines()
    assert any(re.match(r"(red|yellow) +\d+ points: 6 for 3 pawns HOME, ", line) for line in lines)
    assert re.match(r"\w+ wins in turn \d+ with \d+ points: ", lines[-1])


def test_a_game_with_piles_from_a_position() -> None:
    start = "blue S:s / red | red Z2: rl rm | 20: rs bm bl"
    lines = told("ice-three", "--from", start, "--seat", "blue", "--no-board").splitlines()
    assert lines[0] == 'ice-three+seat_colors=["red","blue"]; red, blue; random; seed 1, game 0'
    assert lines[1] == "red / blue S:s | 20: rs bm bl | red Z2: rl rm"
    assert lines[4].startswith("    1  blue    ")


def test_a_game_with_piles_as_json() -> None:
    document = json.loads(told("ice-three", "--players", "2", "--json"))
    cards = document["cards"]
    assert document["counters"]["draws"] == sum(card["card"] is not None for card in cards)
    assert document["counters"]["throws"] == sum(card["kind"] == "throw" for card in cards)
    assert cards[-1]["place"] == 1
    assert f"{cards[-1]['color']} H:s H:m H:l" in cards[-1]["position"]
    assert document["winners"] == [cards[-1]["color"]]


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        (["--from", "red S:s S:m S:l"], "a game needs two to four players", INVALID),
        (["--from", "red S:s S:m / blue S:s S:m S:l"], "position: red has 0 large pawns, but in this ruleset each color has 1", INVALID),
        (["--from", "red H:s H:m H:l / blue S:s S:m S:l"], "position: red has all pawns HOME already", INVALID),
        (["--from", "red S:s S:m / blue S:s S:m S:l | 61: rl"], '"61" is neither a color nor the place of a pile', INVALID),
        (
            ["--from", "red S:s S:m / blue S:s S:m S:l | 6: rl", "--players", "3"],
            "--players 3, but --from has the pawns of 2: red, blue",
            USAGE,
        ),
    ],
)
def test_piles_to_begin_from_that_can_not_be(arguments: list[str], sentence: str, code: int) -> None:
    result = cli("ice-three", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr
    assert re.fullmatch(r"simsorry: [^\n]+\n", result.stderr)


def test_who_waits_for_the_compiler_is_told_by_game(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {game: part_of(game, "replay").Replay.COMPILED for game in games.GAMES}
    assert len(set(kinds.values())) == len(kinds)
    for game, ruleset in (("classic", "hasbro"), ("sorreesi", "sorreesi"), ("ice", "ice-three")):
        monkeypatch.setattr(jit, "is_cold", lambda function, name=kinds[game]: function == name)
        assert cli(ruleset, "--turns", "1").stderr == "compiling (first run only) …\n"


# -- from a position ---------------------------------------------------------------------------------


def test_a_game_from_a_position() -> None:
    lines = told("hasbro", "--from", "green Z1 H H H / red 4 S S S", "--seat", "green", "--no-board").splitlines()
    assert lines[0] == 'hasbro+seat_colors=["red","green"]; red, green; random; seed 1, game 0'
    assert lines[1] == "red S S S 4 / green Z1 H H H"
    assert lines[3].startswith("    1  green ")
    assert cli("hasbro", "--from", "green Z1 H H H / red 4 S S S", "--seat", "2", "--no-board").stdout.splitlines() == lines


def test_the_seats_of_a_position_can_be_chosen() -> None:
    more = ("--seats", "green,red", "--seat", "1", "--turns", "1", "--no-board", "--players", "2")
    assert told("hasbro", "--from", "red 5 S S S / green 4 S S S", *more).splitlines()[3].startswith("    1  green ")


def test_a_position_counts_as_begun() -> None:
    """What the kernel keeps beside the pawns is right too: the winner of a game that is nearly over, and what is left to go."""
    replay = Replay(Rules(deck_counts=ONES), ("red", "blue"), _random(2), 1, 1, "red Z5 H H H / blue S S S 19", 0)
    (card,) = replay.steps()
    assert (card.seat, card.place, card.did) == (0, 1, "moves 1 forward from Z5 to HOME")
    assert replay.places == {"red": 1}
    memory = replay._state
    assert memory["togo"].tolist()[:2] == [0, 3 * 65 + 64]
    assert memory["pips_left"].tolist()[:2] == [0, 3 * 65 + 64]
    first_start = [int(memory["tally"][seat * state.TALLY_STRIDE + int(state.TALLY.first_start)]) for seat in (0, 1)]
    assert first_start == [0, 0]


TEAM = "yellow S S S S / green S S S S"


def test_a_game_of_teams_from_a_position() -> None:
    """A player may be HOME already, as long as the partner is not; who takes no more turns does not begin."""
    start = f"red H H H H / blue S S S S / {TEAM}"
    assert told("hasbro-teams", "--from", start, "--seat", "red", "--no-board", "--turns", "1").splitlines()[3].startswith("    1  red ")
    skips = ("hasbro-teams+team_finished_player=skips+hand_size=5", "--from", start, "--no-board", "--turns", "3")
    turns = [line.split()[1] for line in told(*skips).splitlines()[4:-1] if re.match(" +\\d", line)]
    assert "red" not in turns
    for game in "0123":
        assert "  red  " not in told(*skips, "--game", game)


def test_a_hand_is_dealt_from_whoever_begins() -> None:
    one, other = (Replay(Rules(hand_size=5), ("red", "blue"), _random(2), 1, 1, first_seat=seat) for seat in (0, 1))
    assert one.hands["red"] == other.hands["blue"]
    assert one.hands["blue"] == other.hands["red"]
    assert len({*map(tuple, one.hands.values())}) == 2


def _random(players: int) -> Any:
    from simsorry.games import classic

    return classic.compile_line_up([{}] * players)


# -- nonsense ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        (["hasbo"], "did you mean hasbro?", INVALID),
        (["hasbro", "--seed", "x"], "--seed x: a whole number from 0 to", USAGE),
        (["hasbro", "--game", "-1"], "--game -1: a whole number from 0 to", USAGE),
        (["hasbro", "--turns", "0"], "--turns 0: a whole number from 1 to", USAGE),
        (["hasbro", "--every", "1.5"], "--every 1.5: a whole number from 1 to", USAGE),
        (["hasbro", "--players", "5"], "players = 5", INVALID),
        (["hasbro", "--policy", "runer"], "did you mean runner?", INVALID),
        (["hasbro", "--seat", "5"], '--seat "5" does not play here; the players are red, blue, yellow, green (or 1 to 4)', INVALID),
        (["hasbro", "--players", "2", "--seat", "yelow"], "did you mean yellow?", INVALID),
        (["hasbro", "--from", "red S S S S"], "a game needs two to four players", INVALID),
        (["hasbro", "--from", "nobody"], 'position: "nobody" is not a color', INVALID),
        (["hasbro", "--from", "red H H H H / blue S S S S"], "position: red has all pawns HOME already", INVALID),
        (["hasbro", "--from", "red S S S / blue S S S S"], "red has 3 pawns", INVALID),
        (["hasbro-teams", "--players", "3"], "players = 3 is not possible: these rules have two teams", INVALID),
        (["hasbro-teams", "--from", "red S S S S / blue S S S S"], "seat_colors names 2 colors, but team play needs all four", INVALID),
        (
            ["hasbro-teams", "--from", "red H H H H / blue S S S S / yellow H H H H / green S S S S"],
            "position: red and yellow have all pawns HOME already",
            INVALID,
        ),
        (
            ["hasbro-teams+team_win=first_member", "--from", f"red H H H H / blue S S S S / {TEAM}"],
            "position: red has all pawns HOME already",
            INVALID,
        ),
        (
            ["hasbro-teams+team_finished_player=skips", "--from", f"red H H H H / blue S S S S / {TEAM}", "--seat", "red"],
            "position: red has all pawns HOME and takes no more turns, so it can't begin",
            INVALID,
        ),
        (
            ["hasbro", "--from", "red S S S S / blue S S S S", "--players", "3"],
            "--players 3, but --from has the pawns of 2: red, blue",
            USAGE,
        ),
        (["hasbro", "--from", "red S S S S / blue S S S S", "--seats", "red,green"], '"blue" does not play here', INVALID),
    ],
)
def test_nonsense_gives_one_sentence(arguments: list[str], sentence: str, code: int) -> None:
    result = cli(*arguments)
    assert result.exit_code == code, result.stderr
    assert sentence in result.stderr
    assert re.fullmatch(r"simsorry: [^\n]+\n", result.stderr)
    assert result.stdout == ""


def test_nobody_plays_from_a_position_that_can_not_be() -> None:
    with pytest.raises(SimsorryError, match="both stand on 9"):
        Replay(Rules(), ("red", "blue"), _random(2), 1, 1, {"red": [9, "S", "S", "S"], "blue": [9, "S", "S", "S"]})


# -- the board ---------------------------------------------------------------------------------------

FULL = "red S 4 Z1 H / blue S S 8 Z5 / yellow 30 54 H H / green 33 49 58 Z2"
PICTURE = """\
 0  >  -  -  R  .  .  .  B  >  -  -  -  o  . 15
 .     R    (1)                               v
 G     r                   [0] B  b  b  b  b  |
 |     r                                      |
 |     r                                  (2) @
 |     r                                      .
 Y    [1]                                     .
 .                                            .
 .                                            .
 .                                     [2]    v
 .                                      y     |
 G (0)                                  y     |
 |                                      y     |
 |  g  G  g  g  g [0]                   y     o
 ^                               (0)    y     .
45  .  o  -  -  -  <  .  .  .  .  @  G  -  <  Y"""


def drawn(text: str, rules: Rules, colored: bool = False) -> str:
    places = notation.parse(text)
    table = Table(rules, [color for color in COLORS if color in places])
    return board.draw(table.words(places).tolist(), table.players, table.compiled[0], colored)


def test_the_board_in_plain_text() -> None:
    assert drawn(FULL, Rules()) == PICTURE


def test_colors_are_added_and_nothing_else() -> None:
    colored = drawn(FULL, Rules(), colored=True)
    bare = re.sub(r"\x1b\[[\d;]*m", "", colored)
    assert [line.rstrip() for line in bare.splitlines()] == PICTURE.splitlines()
    assert "\x1b[1;7;33m Y \x1b[0m" in colored


def test_only_slides_that_somebody_rides_are_drawn() -> None:
    assert not set("><^v") & set(drawn(FULL, Rules(slides="off")))
    two = drawn("red S S S S / yellow S S S S", Rules(absent_color_slides="inert"))
    assert set("><^v") & set(two) == set("><")
    assert "b" not in two


def test_pawns_on_one_square_are_counted() -> None:
    picture = drawn("red 7 7 Z5 Z5 / blue S S S S", Rules(own_collision="share"))
    assert " R2" in picture.splitlines()[0]
    assert picture.splitlines()[5][6:9] == " R2"


def test_partners_on_one_square_are_both_drawn() -> None:
    rules = Rules(team_pairs="opposite", team_collision="coexist", own_collision="share")  # type: ignore[arg-type]
    text = "red 5 7 7 9 / blue 33 47 S S / yellow 5 7 S H / green 33 33 S Z1"
    lines = drawn(text, rules).splitlines()
    assert lines[0] == " 0  >  -  -  @  RY . RY3 .  R  -  -  -  o  . 15"
    assert lines[-1][3 * 12 : 3 * 13] == "BG3"
    colored = drawn(text, rules, colored=True)
    assert "\x1b[1;7;31m R\x1b[0m\x1b[1;7;33mY\x1b[0m" in colored
    assert [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", colored).splitlines()] == lines
    assert board.legend(rules) == f"{board.legend(Rules())}, RY BG partners on one square"
