"""A game of Ice Soo Sorry! that is told is the one that is played, card by card, and each card follows from the one before."""

import random
from collections import Counter
from typing import Any

import pytest
from ice_positions import filled
from ice_tools import GAME, MIXED, SEAT, line_up, play, random_rules
from ice_words import bare, carried_out

from simsorry import rulesets, simulate
from simsorry.cli.play import replay_of
from simsorry.cli.run import make_task
from simsorry.errors import SimsorryError
from simsorry.games.ice import notation, retelling, seat_colors
from simsorry.games.ice.decision import Table
from simsorry.games.ice.placement import color_of
from simsorry.games.ice.replay import Card, Replay
from simsorry.games.ice.rules import Rules
from simsorry.games.options import CARDS, COLORS

RANDOM_RULESETS = 40
OPTIONS = 16  # off their defaults, at most
GAMES = (
    ("ice-three", 2, ["random"]),
    ("ice-three", 3, ["balanced"]),
    ("ice-three", 4, ["runner", "hunter", "random", "careful"]),
    ("ice-nine", 4, ["random"]),
    ("ice", 4, ["random"]),
    ("ice-scoring+pieces=2,2,2", 4, ["random"]),
    ("ice-scoring+pieces=1,1,1+match_end=target:30+next_leader=next_seat", 3, ["random"]),
    ("ice-draw-one+pieces=2,2,2", 4, ["random"]),
    ("ice-three+turn_cap=60", 4, ["random"]),
    ("ice-three+game_end=full_ranking+hand_refill=when_empty", 4, ["random"]),
    ("ice-three+game_end=all_home+match_end=rounds:2+reshuffle_when=when_last_taken", 2, ["random"]),
    *((f"{name}+pieces=2,2,2", 3, ["random"]) for name in rulesets.names("ice") if name not in ("ice", "ice-nine", "ice-three")),
)


# -- the same game as is played ----------------------------------------------------------------------


def assert_told(replay: Replay, game: dict[str, int], seats: dict[str, dict[str, int]]) -> None:
    """Plays a game on to its end, and fails unless it is the one with these rows, those of the seats by color."""
    cards = list(replay.steps())
    assert replay.counters == {name: game[name] for name in replay.counters}
    assert (replay.first_seat, replay.capped, replay.over) == (game["first_seat"], bool(game["capped"]), True)
    assert [color for color, seat in seats.items() if seat["won"]] == list(replay.winners)
    assert replay.points == {color: seats[color]["points"] for color in replay.points}
    assert replay.rounds_won == {color: seats[color]["match_rounds_won"] for color in replay.rounds_won}
    assert replay.places == {color: seats[color]["place"] for color in replay.places}
    for name, counts in by_color(cards).items():
        assert {color: counts[color] for color in seats} == {color: seat[name] for color, seat in seats.items()}, name
    assert_rounds_told(replay, game)


def by_color(cards: list[Card]) -> dict[str, Counter[str]]:
    """What the cards say of the colors, in terms of the seats table."""
    names = "turns draws throws starts sorry_starts swaps slides covers_given covers_taken own_covers carried"
    counts: dict[str, Counter[str]] = {name: Counter() for name in names.split()}
    for card in cards:
        color, play = COLORS[card.color], card.play
        counts["turns"][color] += not card.draws_again
        counts["draws"][color] += card.card < len(CARDS) and (card.kind != "pass" or not card.rules.hand_size)
        counts["throws"][color] += card.kind == "throw"
        counts["starts"][color] += play.kind == retelling.START
        counts["sorry_starts"][color] += play.kind == retelling.SORRY
        counts["swaps"][color] += play.kind == retelling.SWAP
        counts["slides"][color] += sum(move.slides for move in play.moves)
        counts["carried"][color] += sum(
            color_of(pawn) != card.color for move in play.moves if move.kind != retelling.SWAP for pawn in move.pawns
        )
        for pawn, _ in play.covered:
            own = color_of(pawn) == card.color
            counts["own_covers" if own else "covers_given"][color] += 1
            counts["covers_taken"][COLORS[color_of(pawn)]] += not own
    return counts


def assert_rounds_told(replay: Replay, game: dict[str, int]) -> None:
    """Fails unless the rounds add up to what a game's row says."""
    assert [ended.number for ended in replay.rounds] == list(range(1, game["match_rounds"] + 1))
    assert sum(ended.turns for ended in replay.rounds) == game["turns"]
    bands, paid = replay.rules.score_bands, [bonus for ended in replay.rounds for score in ended.scores for bonus in score.bonuses]
    assert [paid.count(band) for band in bands] == [game[f"band_{number}"] for number in range(1, len(bands) + 1)]
    for ended in replay.rounds:
        for score in ended.scores:
            assert score.points == score.for_home + score.for_not_home + sum(points for _, points in score.bonuses)


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
    luck = random.Random(f"ice told {seed}")
    players = luck.randint(2, 4)
    rules = random_rules(luck, OPTIONS, turn_cap=400)
    policies = line_up(players, *[luck.choice(MIXED) for _ in range(players)])
    rows = play(rules, players, 1, policies=policies, seed=seed)
    game = {name: int(rows.game(name)[0]) for name in GAME}
    by_order = [{name: int(rows.seat(name, players)[0, order]) for name in SEAT} for order in range(players)]
    assert_told(Replay(rules, seat_colors(rules, players), policies, seed, 0), game, {COLORS[row["color"]]: row for row in by_order})


# -- card by card ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_every_card_follows_from_the_one_before(seed: int) -> None:
    """What is chosen is one of the outcomes that the position before offers, and what the words say leads to the position after."""
    luck = random.Random(f"ice cards {seed}")
    rules = random_rules(luck, OPTIONS, pieces=(2, 2, 2), turn_cap=120, match_end="single_round")
    players = COLORS[: luck.randint(2, 4)]
    replay = Replay(rules, players, line_up(len(players)), seed, 0)
    table, before, had, drawn = Table(rules, players), replay.position, set[int](), None
    for card in replay.steps():
        color = COLORS[card.color]
        if rules.hand_size:
            hand = [CARDS[held] for held in card.hand]
            decision = table.decide_hand(before, color, hand, followup=card.again, drawn=drawn, first_turn=card.color not in had)
        else:
            decision = table.decide(before, color, card.plain()["card"])
        assert len(decision.outcomes) == card.choices
        played = (card.plain()["card"] or "", replay.position, card.kind, card.did)
        offered = [(outcome.card, outcome.position, outcome.kind, outcome.did) for outcome in decision.outcomes]
        assert offered.count(played) == bool(card.choices) or rules.dead_hand == "random"
        if card.choices:
            position = notation.to_position(table.placement(before), players)
            assert carried_out(rules, position, color, card.did) == bare(replay.position)
        before, drawn = replay.position, card.plain()["drawn"]
        had |= set() if card.draws_again else {card.color}
    assert replay.over


def test_what_a_card_says() -> None:
    replay = Replay(Rules(pieces=(1, 1, 1)), ("red", "yellow"), line_up(2), 1, 0)
    cards = list(replay.steps())
    assert [card.begins_round for card in cards].count(True) == 1
    assert [card.ends_round for card in cards].index(True) == len(cards) - 1
    assert cards[-1].line.endswith("; all pawns HOME: first")
    assert cards[-1].plain()["home"] == list(replay.winners)
    assert len([card for card in cards if card.ends_turn]) == replay.turns
    assert replay.closing == []
    assert {len(held) for held in replay.hands.values()} == {0, 5}
    plain = replay.plain()
    assert (plain["over"], plain["capped"], plain["counters"]) == (True, False, replay.counters)
    assert [plain["places"]] == [{color: 1} for color in plain["winners"]]


def test_points_of_pawns_by_size_are_told() -> None:
    rules = Rules(pieces=(1, 1, 1), score_home_to="all_players", match_end="rounds:2")
    replay = Replay(rules, ("red", "yellow"), line_up(2), 3, 0)
    cards = list(replay.steps())
    assert cards[0].opening.startswith("round 1 of the match: ")
    (first, second, *_) = replay.rounds
    winner = next(score for score in first.scores if score.colors == first.winners)
    assert winner.for_home == 6
    loser = next(score for score in first.scores if score.colors != first.winners)
    assert winner.for_not_home == 6 - loser.for_home
    assert first.told[0].startswith(f"round 1: {first.winners[0]} wins in turn ")
    assert any("6 for 3 pawns HOME" in line for line in first.told)
    assert second.number == 2


# -- from a position ---------------------------------------------------------------------------------


def replay_from(text: str, first_seat: int | None = None, **options: Any) -> Replay:
    places = filled(text)
    players = tuple(color for color in COLORS if color in places)
    return Replay(Rules(**{"turn_cap": 40} | options), players, line_up(len(players)), 1, 0, places, first_seat)


def test_a_game_from_a_position() -> None:
    replay = replay_from("red S:s Z5:l / yellow S:s S:m | 20: ys rl", 1)
    assert replay.position.startswith("red S:s Z5:l ")
    assert replay.position.endswith("| 20: ys rl")
    assert replay.first_seat == 1
    first = next(replay.steps())
    assert (COLORS[first.color], first.turn, first.begins_round) == ("yellow", 1, True)
    assert len(first.hand) == 5


def test_a_position_counts_as_begun() -> None:
    """What the kernel keeps beside the pawns is right too: who is covered, and what is left to go when somebody has won."""
    ones = {card: 40 if card == "1" else 0 for card in CARDS}
    replay = replay_from("red Z5:l / yellow | 20: ys ym", 0, deck_counts=ones, start_cards={"1": ["small", "medium", "large"]})
    (card,) = replay.steps()
    assert (card.seat, card.place, card.did) == (0, 1, "moves a large pawn 1 forward from Z5 to HOME")
    assert replay.places == {"red": 1}
    assert (replay.counters["pawn_turns"], replay.counters["covered_turns"], replay.counters["pile_turns"]) == (2, 1, 1)
    assert replay._state["pips_left"].tolist()[:2] == [0, 2 * (32 - 20 + 6)]
    assert replay._state["pawns_home"].tolist()[:2] == [15, 13]


def test_a_hand_is_dealt_from_whoever_begins() -> None:
    one, other = (Replay(Rules(), ("red", "blue"), line_up(2), 1, 1, first_seat=seat) for seat in (0, 1))
    assert one.hands["red"] == other.hands["blue"]
    assert one.hands["blue"] == other.hands["red"]


def test_nobody_plays_from_a_position_that_can_not_be() -> None:
    with pytest.raises(SimsorryError, match="position: red has all pawns HOME already"):
        replay_from("red / yellow S:s")
    with pytest.raises(SimsorryError, match="position: red has 4 small pawns"):
        Replay(Rules(), ("red", "blue"), line_up(2), 1, 1, "red S:s S:s S:s S:s / blue")
