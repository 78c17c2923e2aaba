"""Decisions are those of the games that are played; chances, choices, victims and kings are what a few positions worked by hand have."""

import json
import math
from typing import Any

import numpy as np
import pytest
from cli_tools import refused, said

from simsorry import decisions, gauging, offers, policies, rulesets, simulate, trace
from simsorry.decisions import Weigher
from simsorry.games.classic.replay import Replay
from simsorry.games.options import CARDS
from simsorry.gauge import Gauge
from simsorry.offers import Ints, Offer
from simsorry.simulate import Task

WAY_ONLY = Gauge((64, 0, 0, 0), 0)  # a chance in proportion to e to the share of the way walked
LIKE_HASBRO = Gauge((148, 46, 8, 27), -1)
SORRY = CARDS.index("sorry")


def task_of(spec: str, players: int = 4, policy: str = "random", seed: int = 3) -> Task:
    loaded = rulesets.load(spec)
    return Task(loaded, players, policies.line_up([policy], players, loaded.game), seed)


# -- what is on offer ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "players", "policy", "games"),
    [
        ("hasbro", 4, "random", 3),
        ("hasbro+game_end=full_ranking", 3, "balanced", 2),
        ("hasbro-teams", 4, "random", 2),
        ("hasbro-points+match_end=single_round", 3, "balanced", 2),
        ("expert-seven-cards+match_end=single_round", 2, "random", 1),
        ("ice-three", 3, "random", 2),
    ],
)
def test_choices_and_outcomes_are_those_of_the_games_table(spec: str, players: int, policy: str, games: int) -> None:
    task = task_of(spec, players, policy)
    found = decisions.look(task, range(games), gauge=LIKE_HASBRO)
    assert found is not None
    rows = simulate.play(task, 0, games).games
    assert [each.choices for each in found.by_game] == rows["choices"].tolist()
    assert [each.outcomes for each in found.by_game] == rows["outcomes"].tolist()
    assert [each.turns for each in found.by_game] == rows["turns"].tolist()
    assert found.total("choices") > 0


@pytest.mark.parametrize("spec", ["hasbro", "ice-three"])
def test_standings_at_round_ends_are_those_that_the_kernel_notes(spec: str) -> None:
    task = task_of(spec)
    (course,) = trace.follow(task, [5])
    (offered,) = offers.followed(task, [5])
    first = offered[0].seat
    at_end = {offer.turn: offer.after[offer.taken] for offer in offered}
    for note, rounds in enumerate(course.rounds.tolist()):
        stood = at_end[4 * rounds][[(first + seat) % 4 for seat in course.seats.tolist()]]  # in both games seats are colors in order
        expected = np.stack([getattr(course, name)[note] for name in ("squares", "home", "start", "safe")], axis=1)
        assert stood.tolist() == expected.tolist()


def first_offer_with(card: str, position: str) -> Offer:
    """What a card offers red at the beginning of a game of two from a position."""
    task = task_of("hasbro", 2)
    line_up = task.game.compile_line_up([policy.weights for policy in task.policies])
    for game in range(300):
        replay, told = (Replay(task.ruleset.rules, ("red", "blue"), line_up, 1, game, position, 0) for _ in range(2))
        if CARDS[next(told.steps()).card] == card:
            return offers.follow("classic", replay)[0]
    raise AssertionError


def test_a_position_worked_by_hand() -> None:
    # Red's pawn on 12 has walked 8 from the circle on 4 and has 56 to go, one on START 65; blue's three on START and one in Z2 198.
    offer = first_offer_with("1", "red S S 12 H / blue Z2 S S S")
    assert offer.before.tolist() == [[186, 1, 2, 0], [199, 0, 3, 1], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert offer.choices == 2
    assert sorted(offer.after[:, 0].tolist()) == [[185, 1, 1, 0], [185, 1, 2, 0]]  # a start, or one square
    assert (offer.after[:, 1] == offer.before[1]).all()
    assert not offer.again.any()


def test_a_2_that_is_played_brings_the_same_player_another_card() -> None:
    offer = first_offer_with("2", "red S S 12 H / blue Z2 S S S")
    assert offer.choices == 2
    assert offer.again.all()


def test_nothing_possible_leaves_all_as_it_was() -> None:
    offer = first_offer_with("8", "red S S S H / blue Z2 S S S")
    assert (offer.choices, offer.taken, offer.again.tolist()) == (0, 0, [False])
    assert (offer.after == offer.before[None]).all()


# -- chances ---------------------------------------------------------------------------------------


def standing(*squares: int, home: tuple[int, ...] = (0, 0, 0, 0)) -> Ints:
    """A standing of four colors by squares to go and pawns HOME alone."""
    return np.array([[togo, done, 0, 0] for togo, done in zip(squares, home, strict=True)])


def even_to(*walked: float) -> list[float]:
    """Chances by the share of the way walked."""
    powers = [math.exp(each) for each in walked]
    return [each / sum(powers) for each in powers]


def test_chances_by_hand() -> None:
    weigher = Weigher(task_of("hasbro", 4), WAY_ONLY)
    found = weigher.chances(np.stack([standing(260, 130, 260, 0), standing(260, 260, 260, 260)]), np.array([0, 2]))
    assert found[0].tolist() == pytest.approx(even_to(0, 0.5, 0, 1))
    assert found[1].tolist() == pytest.approx([0.25] * 4)


def test_who_moves_next_counts_from_the_next_seat_on() -> None:
    weigher = Weigher(task_of("hasbro", 4), Gauge((0, 0, 0, 0), -64))
    (found,) = weigher.chances(standing(260, 260, 260, 260)[None], np.array([3]))
    assert found.tolist() == pytest.approx(even_to(-1, -2, -3, 0))


def test_who_has_all_pawns_home_has_won() -> None:
    weigher = Weigher(task_of("hasbro", 4), WAY_ONLY)
    (found,) = weigher.chances(standing(10, 0, 260, 10, home=(3, 4, 0, 3))[None], np.array([0]))
    assert found.tolist() == [0, 1, 0, 0]


def test_partners_have_one_chance_and_win_together() -> None:
    weigher = Weigher(task_of("hasbro-teams", 4), WAY_ONLY)
    assert weigher.sides == ((0, 2), (1, 3))
    one_home, both = standing(0, 260, 260, 260, home=(4, 0, 0, 0)), standing(0, 260, 0, 260, home=(4, 0, 4, 0))
    found = weigher.chances(np.stack([one_home, both]), np.array([1, 1]))
    assert found[0].tolist() == pytest.approx(even_to(0.5, 0))
    assert found[1].tolist() == [1, 0]


# -- what is counted -------------------------------------------------------------------------------

BEFORE = standing(260, 130, 195, 260)


def offer_of(*after: Ints, turn: int = 1, taken: int = 0, card: str = "sorry", before: Ints = BEFORE, **changes: Any) -> Offer:
    """Red's decision between outcomes, none of which gives another card."""
    said_of = {"turn": turn, "seat": 0, "card": CARDS.index(card), "kind": "play", "did": "", "decided": False} | changes
    again = np.zeros(len(after), dtype=bool)
    return Offer(before=before, choices=len(after), after=np.stack(after), again=again, taken=taken, **said_of)


def count(*offered: Offer) -> decisions.Counts:
    return Weigher(task_of("hasbro", 4), WAY_ONLY).count(0, list(offered))[0]


def test_choices_by_hand() -> None:
    # Forward by half the way, by a tenth, or not at all: the best against the mean of the three, and what is taken against it.
    outcomes = [standing(togo, 130, 195, 260) for togo in (130, 234, 260)]
    chance = [even_to(1 - togo / 260, 0.5, 0.25, 0)[0] for togo in (130, 234, 260)]
    counts = count(offer_of(*outcomes, taken=1), offer_of(outcomes[0], turn=2))
    mean = sum(chance) / 3
    assert (counts.turns, counts.choices, counts.outcomes, counts.decisions) == (2, 1, 3, 1)
    assert (counts.real, counts.real_squares) == (1, 1)
    assert counts.offered == pytest.approx(chance[0] - mean)
    assert counts.used == pytest.approx(chance[1] - mean)
    assert counts.cards[SORRY] == 2
    start = even_to(0, 0.5, 0.25, 0)[0]
    assert counts.swings[SORRY] == pytest.approx(chance[1] + chance[0] - 2 * start)
    assert counts.largest[SORRY] == 1


def test_a_turn_of_two_cards_counts_once_and_little_is_no_choice() -> None:
    far, little = standing(130, 130, 195, 260), standing(257, 130, 195, 260)
    assert count(offer_of(BEFORE, far), offer_of(BEFORE, far)).real == 1
    assert (count(offer_of(BEFORE, little)).real, count(offer_of(BEFORE, little)).real_squares) == (0, 0)


def test_choices_after_a_winner_are_choices_and_no_more() -> None:
    counts = count(offer_of(BEFORE, standing(130, 130, 195, 260), decided=True))
    assert (counts.choices, counts.outcomes, counts.turns, counts.decisions, counts.real) == (1, 2, 0, 0, 0)


def test_victims_by_hand() -> None:
    blue, yellow = standing(259, 195, 195, 260), standing(259, 130, 260, 260)
    both, none = standing(259, 195, 260, 260), standing(250, 130, 195, 260)
    leader = count(offer_of(blue, yellow, none))
    assert (leader.victims, leader.struck, leader.struck_leader, leader.leader_even) == (1, 1, 1, 0.5)
    other = count(offer_of(blue, yellow, none, taken=1))
    assert (other.victims, other.struck, other.struck_leader) == (1, 1, 0)
    assert (count(offer_of(blue, yellow, none, taken=2)).victims, count(offer_of(blue, yellow, none, taken=2)).struck) == (1, 0)
    assert (leader.leader_blind, leader.leader_beyond, other.leader_beyond) == (0.5, 0.5, -0.5)
    assert count(offer_of(both, yellow)).leader_even == 1  # both are hit
    twice = count(offer_of(blue, standing(258, 200, 195, 260), yellow))
    assert twice.leader_blind == pytest.approx(2 / 3)
    assert (count(offer_of(blue, none)).victims, count(offer_of(both, none)).victims) == (0, 0)


def test_partners_and_oneself_are_no_victims() -> None:
    weigher = Weigher(task_of("hasbro-teams", 4), WAY_ONLY)
    own, partner = standing(270, 130, 195, 260), standing(260, 130, 250, 260)
    assert weigher.count(0, [offer_of(own, partner)])[0].victims == 0


def test_kings_by_hand() -> None:
    # By the pawns HOME alone, e to the eighth power each three: red has no hope, and takes a pawn of blue's, of yellow's, or of nobody's.
    weigher = Weigher(task_of("hasbro", 4), Gauge((0, 128, 0, 0), 0))
    before = standing(260, 60, 60, 260, home=(0, 3, 3, 0))
    hopeless = 1 / (2 + 2 * math.exp(6))
    blue, yellow = standing(259, 125, 60, 260, home=(0, 2, 3, 0)), standing(259, 60, 125, 260, home=(0, 3, 2, 0))
    counts, _ = weigher.count(0, [offer_of(blue, yellow, before=before), offer_of(blue, turn=2, before=before)])
    assert hopeless < decisions.HOPELESS
    total = 2 + math.exp(6) + math.exp(4)
    assert (counts.hopeless, counts.kingmaking, counts.kingmaker) == (1, 1, 1)
    assert counts.kingmaker_change == pytest.approx((math.exp(6) - math.exp(4)) / total)
    in_play = standing(60, 60, 60, 260, home=(3, 3, 3, 0))
    assert weigher.count(0, [offer_of(blue, yellow, before=in_play)])[0].hopeless == 0


def test_random_players_gain_nothing_and_careful_ones_do() -> None:
    used = {}
    for policy in ("random", "balanced"):
        found = decisions.look(task_of("hasbro", 3, policy), range(8), gauge=LIKE_HASBRO)
        assert found is not None
        used[policy] = found.points("used", "turns")
        assert used[policy].value < found.points("offered", "turns").value
    assert abs(used["random"].value) < 0.2
    assert used["balanced"].low > 0.2


# -- the verb --------------------------------------------------------------------------------------


@pytest.fixture
def quick_gauge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gauging, "FIT_GAMES", 60)
    monkeypatch.setattr(gauging, "CHECK_GAMES", 40)


@pytest.mark.usefixtures("quick_gauge")
def test_the_verb_says_it_in_sentences_and_as_json() -> None:
    text = said("decisions", "hasbro", "--players", "3", "--games", "3", "--quiet")
    assert text.startswith("hasbro, 3 players: in ")
    assert "3 games" in text
    assert "largest gains of all games" in text
    document = json.loads(said("decisions", "hasbro", "--players", "3", "--games", "3", "--json", "--quiet"))
    rows = simulate.play(task_of("hasbro", 3, seed=1), 0, 3).games
    assert (document["games"], document["choices"], document["outcomes"]) == (3, rows["choices"].sum(), rows["outcomes"].sum())
    real = document["measures"]["real_choice"]
    assert 0 < real["low"] < real["value"] < real["high"] < 1
    assert real["stands_on"] == document["turns"] == rows["turns"].sum()
    assert sum(each["cards"] for each in document["swing"].values()) == rows["draws"].sum()


@pytest.mark.usefixtures("quick_gauge")
def test_of_two_players_nobody_is_said_to_choose_victims_or_to_make_kings() -> None:
    document = json.loads(said("decisions", "hasbro", "--players", "2", "--games", "2", "--json", "--quiet"))
    assert {"real_choice", "choice_value"} <= document["measures"].keys()
    assert not {"victim_choice", "kingmaking"} & document["measures"].keys()


def test_what_can_not_be_looked_at_is_refused() -> None:
    assert "one of several dice" in refused("decisions", "sorreesi")
    assert "--set match_end=single_round" in refused("decisions", "hasbro-match")
    assert "--games 1" in refused("decisions", "hasbro", "--games", "1", code=2)
