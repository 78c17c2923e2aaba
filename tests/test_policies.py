"""Policies: each does what its title says, the files they are read from, chance among equals, and who beats whom."""

import math
import os
import random
from collections import Counter
from pathlib import Path

import ice_tools
import numpy as np
import pytest
from policy_tools import Chooser, Question
from referee import ice as referee
from scipy import stats as scipy_stats

from simsorry import games, policies, rulesets, simulate, stats
from simsorry.errors import SimsorryError
from simsorry.games import classic, ice
from simsorry.games.classic import queries, replay
from simsorry.games.classic.decision import Table
from simsorry.games.classic.rules import Rules
from simsorry.games.ice import queries as ice_queries
from simsorry.games.ice.rules import Rules as IceRules
from simsorry.games.options import CARDS

CHANCE = 1e-6  # of failing though all is well


def best(policy: str, position: str, cards: str, rules: Rules | None = None) -> set[tuple[str, str]]:
    """What a policy would take as red: the cards that it plays, and the positions, without those who have not moved."""
    before = position.split(" / ")
    players = tuple(group.split()[0] for group in before)
    found = Chooser(rules or Rules(), players).best(policies.load(policy).weights, Question(position, "red", cards))
    return {(card, " / ".join(group for group in after.split(" / ") if group not in before)) for card, after in found}


# -- what the built-in ones do ---------------------------------------------------------------------------

RESTING = "yellow S S S S"


@pytest.mark.parametrize(
    ("policy", "position", "card", "after"),
    [
        # Red's circle is 4, its entry 2; triangles of others are 16, 24, 31, 39, 46 and 54.
        ("runner", f"red 10 20 30 H / {RESTING}", "3", "red 10 20 33 H"),
        ("runner", f"red S 10 20 29 / {RESTING}", "1", "red S 10 20 30"),  # it does not start another
        ("runner", f"red S 10 20 Z5 / {RESTING}", "3", "red S 10 23 Z5"),  # the foremost can't
        ("runner", f"red 10 20 30 H / {RESTING}", "7", "red 10 20 37 H"),  # in one piece
        ("runner", f"red 10 20 30 H / {RESTING}", "10", "red 10 20 40 H"),
        ("runner", f"red 10 22 30 H / {RESTING}", "4", "red 6 22 30 H"),  # back with the rearmost
        ("herd", f"red 10 20 30 H / {RESTING}", "3", "red 13 20 30 H"),
        ("herd", f"red S 10 20 30 / {RESTING}", "1", "red 4 10 20 30"),
        ("herd", f"red 10 20 30 H / {RESTING}", "10", "red 10 20 40 H"),  # the others' squares are taken
        ("herd", f"red 10 22 30 H / {RESTING}", "4", "red 10 22 26 H"),  # back with the foremost
        ("one-by-one", f"red S S S 20 / {RESTING}", "1", "red S S S 21"),
        ("one-by-one", f"red S S H Z5 / {RESTING}", "2", "red S 4 Z5 H"),  # nothing else is possible
        ("racer", "red S S 11 20 / yellow S S S 25", "5", "red S S 19 20"),  # slides past what it could bump
        ("greedy-pips", "red S S 11 20 / yellow S S S 25", "5", "red S S 11 25 / yellow S S S S"),  # 5 and yellow's 52
        ("greedy-pips", "red S S 11 30 / yellow S S S 35", "5", "red S S 19 30"),  # 8, which is more than 5 and yellow's 2
        ("reward-v1", "red S S 11 36 / yellow S S S 41", "5", "red S S 19 36"),  # 3 x 8, which is more than 3 x 5 and yellow's 8
        ("greedy-pips", "red S S 11 36 / yellow S S S 41", "5", "red S S 11 41 / yellow S S S S"),
        ("hunter", "red S S 11 30 / yellow S S S 35", "5", "red S S 11 35 / yellow S S S S"),
        ("hunter", "red S S 13 30 / yellow S 17 19 33", "3", "red S S 19 30 / yellow S S S 33"),  # two rather than one
        # Blue has come 57 squares with the pawn that can be bumped, yellow only 12, but yellow is ahead.
        ("leader-hunter", "red S S 10 40 / blue S S S 15 / yellow 45 H H H", "5", "red S S 10 45 / yellow S H H H"),
        ("greedy-pips", "red S S 10 40 / blue S S S 15 / yellow 45 H H H", "5", "red S S 15 40 / blue S S S S"),
        ("leader-hunter", "red S S S 36 / blue S S S 17 / yellow 30 H H H", "11", "red S S S 30 / yellow 36 H H H"),  # a swap
        ("pacifist", "red S S 20 30 / yellow S S S 25", "5", "red S S 20 35"),
        ("pacifist", "red S S S 20 / yellow S S S 25", "5", "red S S S 25 / yellow S S S S"),  # it has to
        ("careful", "red S S 20 40 / yellow S S S 18", "12", "red S S 32 40"),  # leaves the one that stands 2 ahead of yellow
        ("careful", f"red S S 29 40 / {RESTING}", "5", "red S S 29 45"),  # not onto yellow's start circle
        # By a swap; not with the other pawn, for a 4 back would take yellow from 20 onto the slide from 16 to 19.
        ("careful", "red S S 20 40 / yellow S S S 18", "11", "red S S 18 20 / yellow S S S 40"),
        ("defender", "red S S 20 50 / yellow S S 18 47", "12", "red S S 2 20"),  # saves 47 squares rather than 17
        ("homebody", f"red S S 21 Z3 / {RESTING}", "3", "red S S 21 H"),  # not the slide from 24 to 28
        ("homebody", f"red S S 11 58 / {RESTING}", "5", "red S S 11 Z1"),
        ("homebody", f"red S S 58 Z1 / {RESTING}", "5", "red S S 58 H"),
        ("starter", f"red S S S 15 / {RESTING}", "1", "red S S 4 15"),  # not the slide from 16 to 19
        ("slider", "red S S 11 20 / yellow S S S 25", "5", "red S S 19 20"),
        ("slider", f"red S 13 21 H / {RESTING}", "7", "red S 17 28 H"),  # splits for it
        ("swapper", "red S S S 20 / yellow S S S 10", "11", "red S S S 10 / yellow S S S 20"),
        ("stalker", "red S S 20 30 / yellow S S S 37", "5", "red S S 25 30"),  # 12 and 7 behind, not 17 and 2
        ("backward", f"red S S S 10 / {RESTING}", "10", "red S S S 9"),
        ("backward", "red S S 20 30 / yellow S S S 25", "5", "red S S 20 35"),
        ("balanced", f"red S S 4 20 / {RESTING}", "4", "red S S 0 20"),  # the short cut
        ("balanced", f"red S S 21 Z3 / {RESTING}", "3", "red S S 21 H"),
        ("balanced", "red S S 20 40 / blue S S S 25 / yellow 45 H H H", "5", "red S S 20 45 / yellow S H H H"),
        # What the restricted ones do otherwise than balanced, and what they have to do like it.
        ("balanced", "red S S 11 30 / yellow S S S 35", "5", "red S S 11 35 / yellow S S S S"),
        ("balanced-blind", "red S S 11 30 / yellow S S S 35", "5", "red S S 19 30"),
        ("balanced-no-bumps", "red S S 11 30 / yellow S S S 35", "5", "red S S 19 30"),
        ("balanced-no-bumps", "red S S S 20 / yellow S S S 25", "5", "red S S S 25 / yellow S S S S"),
        ("balanced", f"red S S S 20 / {RESTING}", "1", "red S S 4 20"),
        ("balanced-one-pawn", f"red S S S 20 / {RESTING}", "1", "red S S S 21"),
        ("balanced-one-pawn", f"red S S S H / {RESTING}", "1", "red S S 4 H"),
        ("balanced", "red S S 4 20 / yellow 1 H H H", "11", "red S S 1 20 / yellow 4 H H H"),
        ("balanced-no-swaps", "red S S 4 20 / yellow 1 H H H", "11", "red S S 4 34"),
        ("balanced", f"red S S 53 Z3 / {RESTING}", "7", "red S S 57 H"),
        ("balanced-no-splits", f"red S S 53 Z3 / {RESTING}", "7", "red S S 0 Z3"),
        ("balanced-foremost", f"red S 10 20 30 / {RESTING}", "1", "red S 10 20 34"),
        ("balanced-rearmost", f"red H 10 20 30 / {RESTING}", "3", "red 13 20 30 H"),
        ("balanced-no-backward", f"red S S 4 20 / {RESTING}", "4", "red S S 0 20"),  # it has to
    ],
)
def test_does_what_its_title_says(policy: str, position: str, card: str, after: str) -> None:
    assert best(policy, position, card) == {(card, after)}


@pytest.mark.parametrize(
    ("policy", "position", "hand", "plays"),
    [
        ("hoarder", "red S S S 30 / yellow S S S 40", "sorry 3 sorry", {("3", "red S S S 33")}),  # not 37 squares at once
        ("hoarder", "red S S S H / yellow S S S 40", "sorry 3 sorry", {("sorry", "red S S 40 H / yellow S S S S")}),  # it has to
        ("hoarder", "red S S S S / yellow S S S S", "sorry 3 12", {("3", ""), ("12", "")}),  # one is thrown in
        ("high-card", "red S S S 30 / yellow S S S 35", "3 5 12", {("12", "red S S S 42")}),  # hits nobody
        ("high-card", "red S S S Z3 / yellow S S S 40", "3 5 12", {("3", "red S S S H")}),  # nothing else fits
        ("high-card", "red S S S 10 / yellow S S S 16", "12 3 sorry", {("sorry", "red S S 10 19 / yellow S S S S")}),
        ("high-card", "red S S S S / yellow S S S S", "3 10 5", {("10", "")}),
        ("card-wise", f"red S S S 20 / {RESTING}", "4 12", {("12", "red S S S 32")}),
        ("balanced", f"red S S 4 20 / {RESTING}", "4 3", {("4", "red S S 0 20")}),
        ("balanced-no-backward", f"red S S 4 20 / {RESTING}", "4 3", {("3", "red S S 4 23")}),
        ("reservist", f"red S S S 20 / {RESTING}", "1 5 8", {("8", "red S S S 28")}),
        ("reservist", f"red S S S 20 / {RESTING}", "1 3 2", {("3", "red S S S 23")}),
        ("reservist", f"red S S S Z5 / {RESTING}", "1 5 2", {("2", "red S S 4 Z5"), ("1", "red S S 4 Z5"), ("1", "red S S S H")}),
        ("reservist", f"red S S S S / {RESTING}", "1 5 8", {("1", "red S S S 4")}),  # it has to
    ],
)
def test_plays_its_hand_as_its_title_says(policy: str, position: str, hand: str, plays: set[tuple[str, str]]) -> None:
    assert best(policy, position, hand, Rules(hand_size=3)) == plays


OPPONENTS = "blue S S S S", "green S S S S"


@pytest.mark.parametrize(
    ("policy", "red", "yellow", "card", "after"),
    [
        ("selfish", "S S S 5", "S S 40 H", "3", "red S S S 8"),
        ("selfish", "S S S 5", "S S 8 H", "3", "red S S S 8 / yellow S S S H"),  # whoever stands there
        ("selfish", "S S S 25", "S S 40 H", "4", "yellow S S 36 H"),  # lets its partner go back
        ("selfish", "S S S 25", "S S 36 H", "10", "red S S S 35"),
        ("racer", "S S S 25", "S S 36 H", "10", "yellow S S 49 H"),  # rides from 46: farther than red comes
        ("racer", "S S S 5", "S S 8 H", "3", "yellow S S 11 H"),
    ],
)
def test_plays_in_a_team_as_its_title_says(policy: str, red: str, yellow: str, card: str, after: str) -> None:
    blue, green = OPPONENTS
    rules = Rules(team_pairs="opposite")  # type: ignore[arg-type]
    assert best(policy, f"red {red} / {blue} / yellow {yellow} / {green}", card, rules) == {(card, after)}


@pytest.mark.parametrize(
    ("policy", "piles", "after"),
    [
        ("digger", "20: rs rm | 30: rl", "20: rs | 25: rm | 30: rl"),
        ("stacker", "20: rs | 25: rm | 40: rl", "25: rm rs | 40: rl"),
        ("hunter", "20: rm | 25: ys | 40: rl", "25: ys rm | 40: rl"),
        ("pacifist", "20: rm | 25: ys | 40: rl", "20: rm | 25: ys | 45: rl"),
        ("balanced", "20: rs | 25: rm | 40: rl", "25: rm rs | 40: rl"),
        ("tuned", "20: rs | 25: rm | 40: rl", "25: rm rs | 40: rl"),
    ],
)
def test_plays_ice_as_its_title_says(policy: str, piles: str, after: str) -> None:
    tables, scratch = ice.compile_rules(IceRules(), 2), ice.new_scratch()
    ice_queries.begin_ice(tables, scratch, np.uint64(1), np.uint64(0))
    ice_queries.let_begin(tables, scratch, np.uint64(0))
    ice_tools.set_position(scratch, referee.read_position(f"red / yellow | {piles}"))
    ice_tools.set_hand(scratch, 0, ["5"])
    ice_queries.take_position(tables, scratch)
    ice_queries.next_card(tables, ice.compile_line_up([policies.load(policy, "ice").weights] * 2), scratch)
    assert referee.write_position(ice_tools.position(scratch, ("red", "yellow"))) == f"red / yellow | {after}"


TRIED = (
    test_does_what_its_title_says,
    test_plays_its_hand_as_its_title_says,
    test_plays_in_a_team_as_its_title_says,
    test_plays_ice_as_its_title_says,
)


@pytest.mark.parametrize("policy", [name for name in policies.names() if name not in ("random", "expect", "rollout")])
def test_is_tried_on_a_position(policy: str) -> None:
    assert policy in {case[0] for test in TRIED for mark in test.pytestmark for case in mark.args[1]}


def test_random_does_not_care() -> None:
    assert len(best("random", f"red S 10 20 30 / {RESTING}", "1")) == 4


@pytest.mark.parametrize(("alone", "like"), [("hoarder", "racer"), ("high-card", "racer"), ("reservist", "racer"), ("selfish", "racer")])
def test_what_a_game_does_not_have_counts_nothing(alone: str, like: str) -> None:
    one, other = ([card.did for card in replay.Replay(Rules(), ("red", "yellow"), line_up(name), 5, 8).steps()] for name in (alone, like))
    assert one == other


def test_cards_to_keep_count_nothing_where_there_is_no_hand() -> None:
    weights, question = {"holds_7": 5.0, "variety": 3.0, "holds_start": 1.0}, Question(f"red S 10 20 30 / {RESTING}", "red", "7")
    assert set(Chooser(Rules(), ("red", "yellow")).scores(weights, question)) == {0.0}


def test_every_built_in_one_is_different_and_says_what_it_does() -> None:
    found = [policies.load(name) for name in policies.names()]
    assert len(found) >= 12
    assert found[0].name == "random"
    hashes = {tuple(policies.load(name, game).hash for game in games.GAMES) for name in policies.names()}
    assert len(found) == len(hashes) == len({policy.title for policy in found}) == len({policy.description for policy in found})
    for policy in found:
        assert 20 < len(policy.description) < 160
        assert policy.description.endswith(".")


# -- chance ----------------------------------------------------------------------------------------------


def first_choices(rules: Rules, weights: dict[str, float], position: str, card: str, games: int) -> Counter[tuple[int, ...]]:
    """The positions to which red's first card leads, over many games that begin there, where it is the given card."""
    players = ("red", "yellow")
    table = Table(rules, players)
    tables, words = table.compiled, table.words(position)
    scratch, line_up = classic.new_scratch(), classic.compile_line_up([weights] * 2)
    found: Counter[tuple[int, ...]] = Counter()
    for game in range(games):
        queries.begin(tables, scratch, np.uint64(3), np.uint64(game))
        queries.let_begin(tables, scratch, np.uint64(0))
        queries.put_pawns(tables, scratch, words)
        queries.step(tables, line_up, scratch)
        if scratch[0]["did_card"] == CARDS.index(card):
            found[tuple(scratch[0]["word"].tolist())] += 1
    return found


@pytest.mark.parametrize(
    ("card", "position", "own_collision"),
    [
        ("7", "red S 10 20 30 / yellow S S S 50", "illegal"),
        ("7", "red S 10 20 30 / yellow S S S 50", "ends_turn"),
        ("11", "red S 10 20 30 / yellow S S 40 50", "illegal"),
        ("1", "red S 10 20 40 / yellow S S S 50", "illegal"),
        ("sorry", "red S S 10 20 / yellow S 40 41 50", "illegal"),
        ("10", "red S 10 25 40 / yellow S S S 50", "illegal"),
    ],
)
@pytest.mark.parametrize("policy", ["random", "indifferent"])
def test_equals_are_drawn_for_evenly(card: str, position: str, own_collision: str, policy: str) -> None:
    weights = {} if policy == "random" else {"home": 1.0}  # no outcome brings a pawn HOME
    counts = dict.fromkeys(classic.CARDS, 0) | {"1": 1, card: 40}
    rules = Rules(deck_counts=counts, own_collision=own_collision)
    found = first_choices(rules, weights, position, card, 2000)
    assert len(found) == len(Chooser(rules, ("red", "yellow")).scores(weights, Question(position, "red", card))) > 2
    assert scipy_stats.chisquare(list(found.values())).pvalue > CHANCE, found


def test_the_best_are_drawn_for_and_no_others() -> None:
    luck = random.Random(1)
    chooser = Chooser(Rules(), ("red", "yellow"))
    position = f"red S 10 20 40 / {RESTING}"
    chosen = Counter(chooser.choices({"in_start": 1.0}, Question(position, "red", "1"), [luck.getrandbits(64) for _ in range(6000)]))
    assert sorted(chosen) == [1, 2, 3]  # number 0 is the start
    assert scipy_stats.chisquare(list(chosen.values())).pvalue > CHANCE


def test_cards_do_not_depend_on_who_plays() -> None:
    games = [
        [card.card for card in replay.Replay(Rules(), ("red", "yellow"), line_up(name), 5, 8).steps()] for name in ("random", "hunter")
    ]
    shorter = min(map(len, games))
    assert games[0] != games[1]
    assert games[0][:shorter] == games[1][:shorter]


def line_up(name: str) -> np.ndarray:
    return classic.compile_line_up([policies.load(name).weights] * 2)


def test_sees_the_table_only() -> None:
    # The pile, the cards drawn, the game's number: nothing of it enters a score or a choice.
    luck = random.Random(2)
    chooser = Chooser(Rules(), ("red", "yellow"))
    question = policies.load("balanced").weights, Question("red S 10 20 30 / yellow S 18 25 40", "red", "7")
    words = [luck.getrandbits(64) for _ in range(20)]
    scores, choices = chooser.scores(*question), chooser.choices(*question, words)
    for field in chooser.scratch.dtype.names:
        if field != "word":
            chooser.scratch[field].view(np.uint8)[...] = luck.randrange(256)
    assert chooser.scores(*question) == scores
    assert chooser.choices(*question, words) == choices


# -- who beats whom --------------------------------------------------------------------------------------

GAMES = 600
STRONG = ("balanced", "card-wise", "tuned")
LOOKING = ("expect", "rollout")
# Of those that play under a restriction some are as good.
OTHERS = [name for name in policies.names() if name not in (*STRONG, *LOOKING) and not name.startswith("balanced-")]


def won_against(policy: str, other: str, ruleset: str, players: int, games: int) -> float:
    """The lower bound of the share of games that one seat of a policy wins against another policy on all other seats."""
    line_up = policies.line_up([policy] + [other] * (players - 1), players)
    block = simulate.play(simulate.Task(rulesets.load(ruleset), players, line_up, 77), 0, games)
    won = int(block.seats["won"][block.seats["table_seat"] == 0].sum())
    return stats.share(won, games, 1 - CHANCE).low


@pytest.mark.parametrize(("ruleset", "players"), [("hasbro", 4), ("hasbro", 2), ("parker-1939", 2), ("house-no-slides", 4)])
def test_balanced_beats_every_other(ruleset: str, players: int) -> None:
    for other in OTHERS:
        assert won_against("balanced", other, ruleset, players, GAMES) > 1 / players, other


@pytest.mark.parametrize(("ruleset", "players"), [("hasbro-points", 4), ("expert-seven-cards", 2)])
def test_card_wise_beats_every_other_with_a_hand(ruleset: str, players: int) -> None:
    for other in OTHERS:
        assert won_against("card-wise", other, ruleset, players, GAMES) > 1 / players, other
    assert won_against("card-wise", "balanced", ruleset, players, 4 * GAMES) > 1 / players


# -- files -----------------------------------------------------------------------------------------------


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def refusal(spec: str, game: str = "classic") -> str:
    with pytest.raises(SimsorryError) as caught:
        policies.load(spec, game)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 700
    return message


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    policy = policies.load(
        write(tmp_path, "mine.toml", 'title = "Mine"\ndescription = "Mine."\n[weights]\nhome = 3\nbumps = -0.5\nslides = 0\n')
    )
    assert (policy.title, policy.description) == ("Mine", "Mine.")
    assert policy.weights == {"bumps": -0.5, "home": 3.0}
    assert list(policy.weights) == ["bumps", "home"]  # in the order of the features


def test_a_file_need_not_say_much(tmp_path: Path) -> None:
    policy = policies.load(write(tmp_path, "terse.toml", "[weights]\n"))
    assert (policy.title, policy.description, policy.weights) == ("terse", "", {})
    assert policy.hash == policies.load("random").hash


def test_extends(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    base = write(tmp_path, "base.toml", 'extends = "balanced"\n[weights]\nhome = 0\nbumps = 2\n')
    mine = write(tmp_path, "deep/mine.toml", 'extends = "../base.toml"\n[weights]\nbumps = 3\n')
    balanced = policies.load("balanced").weights
    assert policies.load(base).weights == {"bumps": 2.0} | {name: weight for name, weight in balanced.items() if name != "home"}
    assert policies.load(mine).weights == policies.load(base).weights | {"bumps": 3.0}
    assert policies.load(mine).title == "mine"


def test_weights_hold_in_every_game_that_has_the_feature(tmp_path: Path) -> None:
    mine = write(tmp_path, "mine.toml", "[weights]\nhome = 3\nslides = 2\nfights = -1\n")
    classic_one, other = policies.load(mine), policies.load(mine, "sorreesi")
    assert (classic_one.weights, classic_one.idle) == ({"slides": 2.0, "home": 3.0}, ("fights",))
    assert (other.weights, other.idle) == ({"fights": -1.0, "home": 3.0}, ("slides",))
    assert policies.load(mine, "classic").hash != other.hash


def test_a_table_of_a_game_stands_instead_of_the_weights_there(tmp_path: Path) -> None:
    mine = write(tmp_path, "mine.toml", "[weights]\nhome = 3\nbumps = 1\n[sorreesi]\nhome = 5\nfights = -1\n")
    assert policies.load(mine).weights == {"bumps": 1.0, "home": 3.0}
    assert policies.load(mine, "sorreesi").weights == {"fights": -1.0, "home": 5.0}
    alone = write(tmp_path, "alone.toml", "[sorreesi]\nhome = 5\n")
    assert refusal(alone).endswith("it has weights for sorreesi only; to play classic it needs a table [weights] or [classic]")
    assert policies.load(alone, "sorreesi").weights == {"home": 5.0}
    assert policies.game_of(alone) == "sorreesi"


def test_extends_goes_game_by_game(tmp_path: Path) -> None:
    write(tmp_path, "base.toml", "[weights]\nhome = 3\nbumps = 1\n[sorreesi]\nhome = 5\n")
    one = write(tmp_path, "one.toml", 'extends = "./base.toml"\n[weights]\nstarts = 2\n')
    assert policies.load(one).weights == {"bumps": 1.0, "starts": 2.0, "home": 3.0}
    assert policies.load(one, "sorreesi").weights == {"starts": 2.0, "home": 5.0}
    two = write(tmp_path, "two.toml", 'extends = "./one.toml"\n[weights]\nhome = 9\n[sorreesi]\n')
    assert policies.load(two).weights == {"bumps": 1.0, "starts": 2.0, "home": 9.0}
    assert policies.load(two, "sorreesi").weights == policies.load(one, "sorreesi").weights  # an empty table adds nothing there


def test_a_file_may_be_for_one_game_alone(tmp_path: Path) -> None:
    mine = write(tmp_path, "mine.toml", 'game = "sorreesi"\n[weights]\nfights = 1\n')
    on_top = write(tmp_path, "top.toml", 'extends = "./mine.toml"\n')
    assert policies.load(on_top, "sorreesi").weights == {"fights": 1.0}
    assert policies.game_of(on_top) == "sorreesi"
    assert policies.game_of("balanced") is None
    assert "here a policy for the game classic is needed" in refusal(mine)
    with pytest.raises(SimsorryError, match="the games are classic, sorreesi"):
        policies.game_of(write(tmp_path, "ludo.toml", 'game = "ludo"\n'))


@pytest.mark.parametrize("name", policies.names())
@pytest.mark.parametrize("game", games.GAMES)
def test_a_built_in_one_plays_every_game(name: str, game: str) -> None:
    policy = policies.load(name, game)
    assert set(policy.features) <= {feature.name for feature in games.load(game).FEATURES}
    assert name == "random" or policy.weights


def test_the_hash_is_of_the_weights_alone(tmp_path: Path) -> None:
    one = policies.load(write(tmp_path, "one.toml", 'title = "One"\n[weights]\nhome = 3\nbumps = 1\n'))
    same = policies.load(write(tmp_path, "same.toml", 'title = "Other"\n[weights]\nbumps = 1.0 # a comment\nhome = 3.0\nslides = 0\n'))
    other = policies.load(write(tmp_path, "other.toml", "[weights]\nbumps = 1\nhome = 3.5\n"))
    assert one.hash == same.hash != other.hash


def test_line_up() -> None:
    assert [policy.name for policy in policies.line_up(["hunter"], 3)] == ["hunter"] * 3
    assert [policy.name for policy in policies.line_up(["hunter", "herd"], 2)] == ["hunter", "herd"]
    with pytest.raises(SimsorryError, match=r"2 policies .* 3 players"):
        policies.line_up(["hunter", "herd"], 3)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("balancd", "did you mean balanced?"),
        ("", "simsorry policies list"),
        ("nobody-knows-this-one", "simsorry policies list"),
        ("./not there.toml", "no such file"),
        ("x" * 10_000, "no built-in policy"),
        ("bad\0name.toml", "bad\\x00name.toml"),
        ("/", "folder"),
    ],
)
def test_names_that_are_none(spec: str, says: str) -> None:
    assert says in refusal(spec)


def test_a_file_beside_is_pointed_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "mine.toml", "[weights]\n")
    assert "write ./mine.toml" in refusal("mine")
    assert policies.load("./mine.toml").weights == {}


NUMBERS = "allowed is a number from -10000 to 10000"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("[weights]\nhome = nan\n", f"weights.home = nan is not allowed; {NUMBERS}"),
        ("[weights]\nhome = inf\n", NUMBERS),
        ("[weights]\nhome = -inf\n", NUMBERS),
        ("[weights]\nhome = 10001\n", NUMBERS),
        ("[weights]\nhome = 1e-7\n", "no nearer to 0 than 0.000001"),
        (f"[weights]\nhome = {10**400}\n", "a number of more than 77 digits"),
        (f"[weights]\nhome = {'9' * 5000}\n", "a number is too long"),
        ('[weights]\nhome = "much"\n', f'weights.home = "much" is not allowed; {NUMBERS}'),
        ("[weights]\nhome = true\n", NUMBERS),
        ("[weights]\nhome = [1, 2]\n", NUMBERS),
        ("[weights]\nhome = 2020-01-01\n", NUMBERS),
        ("[weights.home]\nred = 1\n", "weights.home = a table is not allowed"),
        ("[weights]\nhom = 1\n", "weights.hom = 1: there is no such feature; did you mean home?"),
        ("[weights]\nfight = 1\n", "weights.fight = 1: there is no such feature; did you mean fights?"),
        ("[sorreesi]\nhom = 1\n", "sorreesi.hom = 1: there is no such feature; did you mean home?"),
        ("[sorreesi]\nslides = 1\n", "sorreesi.slides = 1: there is no such feature in sorreesi, only in classic"),
        ("[classic]\nfights = 1\n", "classic.fights = 1: there is no such feature in classic, only in sorreesi"),
        ("[sorreesi]\nqqqqqqqq = 1\n", "simsorry policies features` lists them (with --game sorreesi)"),
        ("[sorreesi]\nhome = 10001\n", f"sorreesi.home = 10001 is not allowed; {NUMBERS}"),
        ("sorreesi = 3\n", "sorreesi = 3 is not allowed; allowed is a table, [sorreesi], of features and numbers"),
        ("[soreesi]\nhome = 3\n", "there is no such key; did you mean sorreesi?"),
        ("[weights]\nqqqqqqqq = 1\n", "simsorry policies features"),
        ('[weights]\n"hidden\\u001b[31m" = 1\n', "\\u001b[31m"),
        (f"[weights]\n{'x' * 3000} = 1\n", "there is no such feature"),
        ("weights = 3\n", "weights = 3 is not allowed"),
        ("[[weights]]\nhome = 3\n", "is not allowed"),
        ("home = 3\n", "weights stand below the line [weights]"),
        ("weight = 3\n", "did you mean weights?"),
        ("fights = 3\n", "weights stand below the line [weights]"),
        ("qqqq = 3\n", "the keys are title, description, extends, game, mistakes, random_from, playouts, horizon, breadth"),
        ("title = 3\n[weights]\n", "title = 3 is not allowed; allowed is a text in quotes"),
        ('game = "ludo"\n[weights]\n', 'game = "ludo" is not allowed'),
        ('extends = "balancd"\n', 'extends = "balancd": no built-in policy is called "balancd"; did you mean balanced?'),
        ('extends = "./nowhere.toml"\n', "nowhere.toml: there is no such file"),
        ("extends = 7\n", "extends = 7 is not allowed"),
        ("[weights\nhome = 3\n", ":1:9: not valid TOML"),
        ("[weights]\nhome = 3\nhome = 4\n", "not valid TOML"),
        (f"a = {'[' * 5000}{']' * 5000}\n", "nested too deeply"),
        (f"{'a.' * 5000}b = 1\n", "nested too deeply"),
        (f"# {'x' * 100_000}\n", "larger than"),
    ],
)
def test_hostile_files(tmp_path: Path, text: str, says: str) -> None:
    spec = write(tmp_path, "bad.toml", text)
    message = refusal(spec)
    assert "bad.toml" in message or "nowhere.toml" in message
    assert says in message


def test_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes("[weights]\n# café\nhome = 1\n".encode("latin-1"))
    assert "latin.toml:2: the file is not UTF-8 text" in refusal(str(tmp_path / "latin.toml"))


def test_not_a_file(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    assert "folder" in refusal(str(tmp_path / "folder.toml"))
    os.mkfifo(tmp_path / "pipe.toml")
    assert "not an ordinary file" in refusal(str(tmp_path / "pipe.toml"))
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    assert "loop.toml" in refusal(str(tmp_path / "loop.toml"))


def test_extends_in_a_circle(tmp_path: Path) -> None:
    itself = write(tmp_path, "itself.toml", 'extends = "./itself.toml"\n')
    assert "extends goes round in a circle" in refusal(itself)
    for name, base in (("a", "b"), ("b", "c"), ("c", "a")):
        write(tmp_path, f"{name}.toml", f'extends = "../{tmp_path.name}/{base}.toml"\n')
    assert "extends goes round in a circle" in refusal(str(tmp_path / "a.toml"))


def test_a_long_chain_is_no_circle(tmp_path: Path) -> None:
    write(tmp_path, "0.toml", "[weights]\nhome = 1\n")
    for number in range(1, 1200):
        write(tmp_path, f"{number}.toml", f'extends = "./{number - 1}.toml"\n')
    assert policies.load(str(tmp_path / "1199.toml")).weights == {"home": 1.0}


def test_a_weight_may_be_as_large_and_as_small_as_said(tmp_path: Path) -> None:
    policy = policies.load(write(tmp_path, "ends.toml", "[weights]\nhome = 10000\nbumps = -1e-6\nslides = -0.0\n"))
    assert policy.weights == {"bumps": -1e-6, "home": 10_000.0}
    assert all(math.isfinite(weight) for weight in policy.weights.values())
