"""A game of Sorreesi that is told is the one that is played, step by step, and each step follows from the one before."""

import itertools
import random
import re
from collections import Counter
from typing import Any

import pytest
import sorreesi_tools as tools
from sorreesi_words import carried_out

from simsorry import rulesets, simulate
from simsorry.cli.play import replay_of
from simsorry.cli.run import make_task
from simsorry.errors import SimsorryError
from simsorry.games.options import COLORS
from simsorry.games.sorreesi import notation, seat_colors
from simsorry.games.sorreesi.decision import Table
from simsorry.games.sorreesi.replay import Replay, Step
from simsorry.games.sorreesi.retelling import NOTHING, STOP
from simsorry.games.sorreesi.rules import Rules

RANDOM_RULESETS = 60
GAMES = (
    *((name, 4, ["random"]) for name in rulesets.names("sorreesi")),
    ("sorreesi", 2, ["random"]),
    ("sorreesi", 3, ["random"]),
    ("sorreesi+pawns=2+turn_cap=30", 4, ["random"]),
    ("sorreesi+pawns=3+game_end=all_home+third_double=play_then_penalty", 3, ["random"]),
    ("sorreesi+doubles_bottoms=true+pawns=2+quick_start_pawns=2+bonus_timing=end_of_roll", 2, ["random"]),
    ("sorreesi+reshuffle_when=when_last_taken+card_in_play_in_reshuffle=excluded+two_draws_again=if_played", 2, ["random"]),
    ("sorreesi-teams+team_win=first_member+team_sorry_target=any+team_eleven_partner=true+swap_requires_single=false", 4, ["random"]),
)
WILD: dict[str, Any] = {  # rules in which much of what is seldom happens often
    "pawns": 4,
    "safe_squares": tuple(range(17)),
    "turnoff_safe_for": "owner",
    "swap_requires_single": False,
    "seven_parts": 3,
    "third_double": "play_then_penalty",
    "fight_bonus": 20,
    "fight_bonus_to": "any_winner",
    "start_cards": ("1", "2", "4", "5", "7", "11", "sorry"),
}
TEAMS = {"team_pairs": "opposite"}


# -- the same game as is played ----------------------------------------------------------------------


def assert_told(replay: Replay, game: dict[str, int], seats: dict[str, dict[str, int]]) -> None:
    """Plays a game on to its end, and fails unless it is the one with these rows, those of the seats by color."""
    steps = list(replay.steps())
    assert replay.counters == {name: game[name] for name in replay.counters}
    assert (replay.first_seat, replay.capped, replay.over) == (game["first_seat"], bool(game["capped"]), True)
    assert [color for color, seat in seats.items() if seat["won"]] == sorted(replay.winners, key=list(seats).index)
    assert replay.places.items() <= {color: seats[color]["place"] for color in seats}.items()
    for name, counts in by_color(replay, steps).items():
        assert {color: counts[color] for color in seats} == {color: seat[name] for color, seat in seats.items()}, name


def by_color(replay: Replay, steps: list[Step]) -> dict[str, Counter[str]]:
    """What the steps say of the colors, in terms of the seats table."""
    names = "turns rolls draws starts bumps_taken partner_moves fights fights_lost bonuses_earned bonuses_used bonuses_lost penalties swaps"
    counts: dict[str, Counter[str]] = {name: Counter() for name in names.split()}
    for step in steps:
        color, plain = COLORS[step.color], step.plain()
        fights = [move.fight for move in step.moves if move.fight]
        counts["turns"][color] += step.ends_turn
        counts["rolls"][color] += plain["rolled"] is not None
        counts["draws"][color] += (step.drawn_first < 11) + (plain["drawn"] is not None)
        counts["starts"][color] += step.did.startswith("brings a ")
        counts["partner_moves"][color] += any(move.color != step.color and move.kind != 8 for move in step.moves)
        counts["fights"][color] += len(fights)
        counts["fights_lost"][color] += sum(fight.colors[0] in fight.lost for fight in fights)
        counts["bonuses_used"][color] += any(part.startswith("bonus") for part in plain["use"])
        counts["bonuses_lost"][color] += len(plain["lost"])
        counts["penalties"][color] += plain["penalty"] is not None
        counts["swaps"][color] += step.did.startswith("swaps")
        counts["bonuses_earned"].update(
            {color: len(step.earned), **{other: len(values) for other, values in step.earned_by_others.items()}}
        )
        counts["bumps_taken"].update(taken(replay, step))
    return counts


def taken(replay: Replay, step: Step) -> Counter[str]:
    """Pawns sent back by opponents, by color."""
    lost: Counter[str] = Counter()
    for move in step.moves:
        mates = next(side for side in replay.sides if COLORS[move.color] in side)
        lost.update({COLORS[color]: n for color, n in move.captured.items() if COLORS[color] not in mates})
        if move.fight:
            lost.update({COLORS[color]: n for color, n in move.fight.lost.items()})
    return lost


@pytest.mark.parametrize(("ruleset", "players", "policies"), GAMES)
def test_the_told_game_is_the_one_that_is_played(ruleset: str, players: int, policies: list[str]) -> None:
    task = make_task(ruleset, players, policies, 11, [], None)
    block = simulate.play(task, 1000, 2)
    for game in range(2):
        rows = range(players * game, players * (game + 1))
        seats = {COLORS[block.seats["color"][row]]: {name: int(column[row]) for name, column in block.seats.items()} for row in rows}
        assert_told(replay_of(task, 1000 + game), {name: int(column[game]) for name, column in block.games.items()}, seats)


@pytest.mark.parametrize("seed", range(RANDOM_RULESETS))
def test_a_game_of_random_rules_is_told_as_it_is_played(seed: int) -> None:
    luck = random.Random(f"told {seed}")
    wild: dict[str, Any] = WILD | {"fight_tie": luck.choice(["reroll", "attacker", "defender", "both_stay", "both_back"])}
    rules = tools.random_rules(luck, 8) if seed % 3 else tools.random_rules(luck, 3, **wild, **luck.choice([{}, TEAMS]))
    players = 4 if rules.team_pairs else luck.randint(2, 4)
    policies = tools.line_up(players, *[luck.choice(tools.MIXED) for _ in range(players)])
    rows = tools.play(rules, players, 1, policies=policies, seed=seed)
    game = {name: int(rows.game(name)[0]) for name in tools.GAME}
    by_order = [{name: int(rows.seat(name, players)[0, order]) for name in tools.SEAT} for order in range(players)]
    replay = Replay(rules, seat_colors(rules, players), policies, seed, 0)
    assert_told(replay, game, {COLORS[row["color"]]: row for row in by_order})


# -- step by step ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_every_step_follows_from_the_one_before(seed: int) -> None:
    """What is chosen is one of the outcomes that the position before offers, and what the words say leads to the position after."""
    luck = random.Random(f"steps {seed}")
    tie = luck.choice(["reroll", "attacker", "defender", "both_stay", "both_back"])
    rules = tools.random_rules(luck, 3, **WILD, fight_tie=tie, **luck.choice([{}, TEAMS]), turn_cap=120)
    players = 4 if rules.team_pairs else luck.randint(2, 4)
    replay = Replay(rules, seat_colors(rules, players), tools.line_up(players), seed, 0)
    before = replay.position
    for step in replay.steps():
        after = carried_out(notation.parse(before), COLORS[step.color], step.did or "stops")
        if step.penalty:
            after = sent_back(rules, after, *step.penalty)
        assert after == replay.position, step
        assert step.words == replay.words
        if step.lost:
            assert step.choices == 0
        else:
            assert_offered(replay.table, before, step)
        before = replay.position
    assert replay.over


def assert_offered(table: Table, before: str, step: Step) -> None:
    spendable = {key: step.plain()[key] for key in ("dice", "card", "bonus", "roll")}
    told = table.decide(before, COLORS[step.color], **spendable)
    assert len(told.outcomes) == step.choices
    chosen = [outcome for outcome in told.outcomes if outcome.use == step.use and step.did.startswith(begun(outcome.did))]
    assert bool(chosen) == (step.kind != NOTHING)


def begun(did: str) -> str:
    """What is done up to the first fight, without what it brings."""
    return re.split(",? has to fight |; (?:earns|draws|all pawns) ", did)[0]


def sent_back(rules: Rules, position: str, color: int, place: int) -> str:
    """A position after a pawn has gone back."""
    places = notation.parse(position)
    own = places[COLORS[color]]
    own[own.index(str(notation.place_name(rules, place, color)))] = "B"
    players = tuple(places)
    return notation.to_text(rules, notation.to_words(places, rules, players).tolist(), players)


def test_what_a_step_is_made_of() -> None:
    replay = Replay(Rules(), ("red", "yellow"), tools.line_up(2), 1, 0)
    steps = list(replay.steps())
    turns = [step.turn for step in steps]
    assert turns == sorted(turns)
    assert turns[-1] == replay.turns == len([step for step in steps if step.ends_turn])
    assert [step.begins_round for step in steps].count(True) == 1
    assert [step.ends_round for step in steps].index(True) == len(steps) - 1
    for step, following in itertools.pairwise(steps):
        assert (step.seat == following.seat) != step.ends_turn
        assert bool(following.rolled and following.roll == 1) == step.ends_turn
        assert step.opening == ""
    stops = [step for step in steps if step.kind == STOP]
    assert stops
    assert {step.use for step in stops} == {("stop",)}
    assert (replay.columns, replay.closing) == ("", [])
    plain = replay.plain()
    assert (plain["over"], plain["capped"], plain["counters"]) == (True, False, replay.counters)
    assert [plain["places"]] == [{color: 1} for color in plain["winners"]]


# -- from a position ---------------------------------------------------------------------------------


def replay_from(position: str, first_seat: int | None = None, **options: Any) -> Replay:
    places = notation.parse(position)
    rules = Rules(**{"pawns": len(next(iter(places.values()))), "turn_cap": 40} | options)
    return Replay(rules, tuple(places), tools.line_up(len(places)), 1, 0, places, first_seat)


def test_a_game_from_a_position() -> None:
    replay = replay_from("red P7 H / yellow B 20", 1)
    assert replay.position == "red P7 H / yellow B 20"
    assert replay.first_seat == 1
    first = next(replay.steps())
    assert (COLORS[first.color], first.turn, first.begins_round) == ("yellow", 1, True)


def test_who_is_done_does_not_begin() -> None:
    teams = "red H H / blue B 20 / yellow B 30 / green B B"
    assert replay_from(teams, **TEAMS, first_player="fixed").first_seat == 1
    helping = replay_from(teams, **TEAMS, first_player="fixed", team_finished_player="plays_for_partner")
    assert helping.first_seat == 0


ONE_DONE = "red H H / blue B B / yellow B H / green B B"


@pytest.mark.parametrize(
    ("position", "first_seat", "options", "sentence"),
    [
        ("red H H / yellow B 20", None, {}, "red has all pawns HOME already"),
        ("red H H / blue B B / yellow H H / green B B", None, TEAMS, "red and yellow have all pawns HOME already"),
        (ONE_DONE, None, TEAMS | {"team_win": "first_member"}, "red has all pawns HOME already"),
        (ONE_DONE, 0, TEAMS, "red has all pawns HOME and takes no more turns, so it can't begin"),
        ("red 5 B / yellow B 5", None, {}, "red and yellow both stand on 5, which can't be"),
    ],
)
def test_nobody_plays_from_a_position_that_can_not_be(
    position: str, first_seat: int | None, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(SimsorryError, match=f"position: {sentence}"):
        replay_from(position, first_seat, **options)
