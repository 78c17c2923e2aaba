"""Policies that look ahead: which outcomes they play on from, what they find, that they see nothing hidden and leave the game as it is.

How a single decision comes about is looked at in plain Python, in a process of its own: its parts can be called there one by one.
"""

import importlib
import json
import os
import re
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import refused, said
from scipy import stats as scipy_stats

import simsorry
from simsorry import policies, replays, rng, rulesets, simulate
from simsorry.errors import SimsorryError
from simsorry.games import audited, classic, hands, lookahead
from simsorry.games.classic import playing, queries, scoring
from simsorry.games.classic.rules import Rules
from simsorry.games.ice.rules import Rules as IceRules
from simsorry.games.options import CARDS
from simsorry.games.weights import SCALE, compile_line_ups
from simsorry.simulate import Block, Task

U = np.uint64
CHANCE = 1e-6  # of failing though all is well
FIRST_GAME = 2**40 - 2**40 % audited.EVERY  # the first is audited


def task_of(ruleset: str, players: int, *specs: str | policies.Policy, sets: Sequence[str] = ()) -> Task:
    """A table of policies; one of two sits at every second seat."""
    rules = rulesets.load(ruleset, sets)
    named = [policies.load(spec, rules.game) if isinstance(spec, str) else spec for spec in specs]
    return Task(rules, players, tuple(named[seat % len(named)] for seat in range(players)), 2**63 + 5)


def columns_of(block: Block) -> dict[str, list[int]]:
    """All that a block holds."""
    named = [*block.games.items(), *((f"{name} by seat", column) for name, column in block.seats.items()), ("audits", block.audits)]
    return {name: column.tolist() for name, column in named}


def different(one: dict[str, list[int]], other: dict[str, list[int]]) -> list[str]:
    assert one.keys() == other.keys()
    return [name for name in one if one[name] != other[name]]


# -- how it is written -----------------------------------------------------------------------------------


def refusal(spec: str) -> str:
    with pytest.raises(SimsorryError) as caught:
        policies.load(spec)
    return str(caught.value)


def test_behind_a_name() -> None:
    policy = policies.load("balanced~playouts=100~horizon=4~breadth=3~spread=0.5~mistakes=0.1")
    assert policy.title == "Balanced, playouts = 100, horizon = 4, breadth = 3, spread = 0.5, mistakes = 0.1"
    assert policy.habits == {"mistakes": 0.1, "playouts": 100, "horizon": 4, "breadth": 3, "spread": 0.5}
    assert policy.features == policies.load("balanced").weights
    assert policy.lapses == {"mistakes": 0.1}


def test_in_a_file_and_behind_it(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('extends = "racer"\nplayouts = 20\nhorizon = 3\n[weights]\nhome = 3\n')
    (tmp_path / "mine.toml").write_text('extends = "./base.toml"\nplayouts = 30\nspread = 2\n[weights]\n')
    mine = str(tmp_path / "mine.toml")
    assert policies.load(mine).habits == {"playouts": 30, "horizon": 3, "spread": 2}
    assert policies.load(f"{mine}~horizon=1~breadth=0").habits == {"playouts": 30, "horizon": 1, "breadth": 0, "spread": 2}
    file = tmp_path / "resolved.toml"
    file.write_text(said("policies", "show", f"{mine}~mistakes=0.2~breadth=0", "--resolved"))
    assert policies.load(str(file)).weights == policies.load(f"{mine}~mistakes=0.2~breadth=0").weights
    assert said("policies", "check", str(file)).endswith(": ok (mine, mistakes = 0.2, breadth = 0)\n")


def test_without_play_outs_there_is_no_looking_ahead() -> None:
    assert policies.load("balanced~horizon=4~breadth=3~spread=2").weights == policies.load("balanced").weights


@pytest.mark.parametrize(
    ("spec", "like", "as_others"),
    [
        ("balanced~playouts=20~breadth=6~spread=0.4", "balanced~playouts=20", True),  # what it does anyhow
        ("balanced~playouts=20~breadth=64", "balanced~playouts=20~breadth=0", True),  # no more are looked at
        ("balanced~horizon=4~playouts=20", "balanced~playouts=20~horizon=4", True),
        ("random~playouts=20~breadth=2~spread=3~mistakes=0.5", "random~playouts=20", True),  # it likes no outcome and no position best
        ("balanced~playouts=20~mistakes=1", "balanced~mistakes=1", True),
        ("balanced~playouts=20~mistakes=0", "balanced~playouts=20", True),
        ("balanced~playouts=20", "balanced", False),
        ("balanced~playouts=20", "balanced~playouts=21", False),
        ("balanced~playouts=20~horizon=0", "balanced~playouts=20", False),
        ("balanced~playouts=20~breadth=0", "balanced~playouts=20", False),
        ("balanced~playouts=20~spread=0.5", "balanced~playouts=20", False),
        ("random~playouts=20~horizon=2", "random~playouts=20", False),
        ("random~playouts=20", "random", False),
    ],
)
def test_who_plays_alike_has_the_same_hash_and_the_same_games(spec: str, like: str, as_others: bool) -> None:
    tasks = [task_of("hasbro", 2, name, "racer") for name in (spec, like)]
    assert (tasks[0].policies[0].hash == tasks[1].policies[0].hash) is as_others
    assert (tasks[0].id == tasks[1].id) is as_others


@pytest.mark.parametrize(
    ("written", "allowed"),
    [
        *((f"playouts={value}", "a whole number from 1 to 10000") for value in ("0", "1.5", "-1", "10001", "true", "ten", "nan", "")),
        *((f"horizon={value}", "a whole number from 0 to 1000") for value in ("-1", "0.5", "1001", "[1]")),
        *((f"breadth={value}", "a whole number from 0 to 64") for value in ("65", "-1", "2.5")),
        *((f"spread={value}", "a number from 0.001 to 1000") for value in ("0", "-1", "1001", "nan", "false")),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(written: str, allowed: str, tmp_path: Path) -> None:
    key, _, value = written.partition("=")
    assert refusal(f"balanced~{written}") == f"balanced~{written}: {key} = {value} is not allowed; allowed is {allowed}"
    if value not in ("", "ten"):  # which no file can say
        file = tmp_path / "wrong.toml"
        file.write_text(f"{key} = {value}\n[weights]\nhome = 1\n")
        assert refusal(str(file)).startswith(f"{file}: {key} = ")
        assert refusal(str(file)).endswith(f" is not allowed; allowed is {allowed}")


def test_given_twice_or_unknown() -> None:
    assert refusal("balanced~playouts=2~playouts=3") == "balanced~playouts=2: playouts = 2: playouts is given twice"
    assert refusal("balanced~playout=3") == "balanced~playout=3: playout = 3: there is no such key; did you mean playouts?"


def test_the_command_line_says_it_in_words() -> None:
    shown = re.sub(r"\s+", " ", said("policies", "show", "racer~playouts=20~horizon=1~breadth=3~spread=2"))
    assert "It looks ahead: it plays on from the 3 outcomes that its weights like best, 20 times each on average" in shown
    assert "A play-out stops 1 round after its own turn, where the weights judge the chances: a score that is higher by 2 of" in shown
    shown = re.sub(r"\s+", " ", said("policies", "show", "random~playouts=20"))
    assert "plays on from every outcome, 20 times each on average, everybody playing at random" in shown
    assert "A play-out ends with the round." in shown
    assert "as likely as any other" not in shown
    document = json.loads(said("policies", "show", "racer~playouts=20~mistakes=0.1", "--json"))
    assert (document["weights"], document["playouts"], document["mistakes"]) == ({"progress": 1}, 20, 0.1)
    assert "~playouts=100" in said("policies", "--help")


def test_restricted_ones_look_ahead_the_same_way() -> None:
    policy = policies.restricted("balanced-no-bumps", policies.load("racer~playouts=20~horizon=4~mistakes=0.1"))
    assert policy.habits == {"playouts": 20, "horizon": 4, "mistakes": 0.1}
    assert {"progress", "bumps"} <= policy.features.keys()


def test_tuning_refuses_who_looks_ahead(tmp_path: Path) -> None:
    line = refused("tune", "hasbro", "--from", "balanced~playouts=3", "--out", str(tmp_path / "x.toml"), code=2)
    assert line.endswith("a policy is asked for that goes by weights alone, and this one looks ahead")


def test_the_command_line_plays_with_them() -> None:
    few = ("--players", "2", "--quiet", "--threads", "2", "--policy", "balanced~playouts=1~horizon=0~breadth=2,random")
    assert said("run", "hasbro", *few, "--games", "60").startswith("hasbro, 2 players, balanced~playouts=1~horizon=0~breadth=2, random")


# -- all games -------------------------------------------------------------------------------------------

# Ruleset, players, house rules, policies: with and without hands, teams, a match; who weighs nothing; play-outs to the end.
SHORT = "balanced~playouts=1~horizon=1~breadth=2"
TASKS: dict[str, tuple[str, int, tuple[str, ...], tuple[str, ...]]] = {
    "one card": ("hasbro", 2, ("turn_cap=20", "pawns=2", "quick_start_pawns=1"), ("balanced~playouts=2~horizon=2~breadth=3", "racer")),
    "hands": ("hasbro-points", 3, ("turn_cap=6", "quick_start_pawns=1"), ("card-wise~playouts=1~horizon=1~breadth=2", "random")),
    "teams": ("hasbro-teams", 4, ("turn_cap=10", "quick_start_pawns=1"), (SHORT, "random~playouts=1~horizon=0")),
    "full list": (
        "hasbro",
        2,
        ("own_collision=share", "turn_cap=12", "quick_start_pawns=2", "pawns=3"),
        (f"{SHORT}~mistakes=0.5", "balanced"),
    ),
    "match": (
        "hasbro",
        2,
        ("match_end=rounds:2", "pawns=1", "quick_start_pawns=1", "turn_cap=30"),
        ("racer~playouts=1~breadth=2", "random"),
    ),
    "dice": ("sorreesi", 2, ("turn_cap=5", "pawns=2"), ("balanced~playouts=1~horizon=0~breadth=2", "random")),
    "dice, teams": ("sorreesi-teams", 4, ("turn_cap=4", "pawns=1"), ("racer~playouts=1~horizon=1~breadth=2", "random")),
    "piles": ("ice-three", 2, ("turn_cap=3", "quick_start_pawns=1"), ("balanced~playouts=1~horizon=1~breadth=2", "random")),
    "piles, one card": ("ice-draw-one", 2, ("turn_cap=8", "quick_start_pawns=3"), ("racer~playouts=1~horizon=1~breadth=2", "random")),
}


def played(name: str, games: int = 1) -> dict[str, list[int]]:
    ruleset, players, sets, specs = TASKS[name]
    return columns_of(simulate.play(task_of(ruleset, players, *specs, sets=sets), FIRST_GAME, games))


# -- single decisions, in plain Python -------------------------------------------------------------------


def line_ups(*weights: dict[str, float]) -> Any:
    """The policies of a table, and how each imagines everybody to play."""
    return compile_line_ups(classic.compile_line_up, weights)


def looked_at(weights: dict[str, float], scores: Sequence[int]) -> list[int]:
    """The outcomes that are looked at, by number."""
    x, q = classic.new_scratch()[0], line_ups(weights, {})[1]
    x.score_of[: len(scores)] = scores
    return [int(x.looked[k]) for k in range(int(lookahead.begin_looking(q, x, U(0), U(len(scores)))))]


def check_the_best_by_score_are_looked_at_in_their_order() -> None:
    scores = [5, 9, -3, 9, 7, 5]
    assert looked_at({"home": 1, "breadth": 3}, scores) == [1, 3, 4]
    assert looked_at({"home": 1, "breadth": 5}, scores) == [1, 3, 4, 0, 5]
    assert looked_at({"home": 1, "breadth": 1}, scores) == [1]
    assert looked_at({"home": 1, "breadth": 0}, scores) == [1, 3, 4, 0, 5, 2]
    assert looked_at({"home": 1}, [*range(10)]) == [9, 8, 7, 6, 5, 4]
    assert looked_at({"home": 1, "breadth": 0}, [*range(70)]) == [*range(69, 5, -1)]
    assert looked_at({"breadth": 3}, [0] * 70) == [*range(64)]  # who weighs nothing likes none best


def check_how_often_outcomes_are_halved() -> None:
    assert [int(lookahead.phases_of(U(n))) for n in (1, 2, 3, 4, 5, 6, 8, 9, 64)] == [1, 1, 2, 2, 3, 3, 3, 4, 6]


def check_the_first_and_the_better_half_are_left() -> None:
    x = classic.new_scratch()[0]
    for name, values in (("looked", range(10, 16)), ("worth", (0, 5, 9, 1, 7, 9)), ("better", (0, 1, 2, 3, 4, 5))):
        x[name][:6] = list(values)
    assert lookahead.halve(x, U(6)) == 3
    assert x.looked[:6].tolist() == [10, 12, 15, 14, 11, 13]
    assert x.worth[:6].tolist() == [0, 9, 9, 7, 5, 1]
    assert x.better[:6].tolist() == [0, 2, 5, 4, 1, 3]
    assert [int(lookahead.halve(x, U(n))) for n in (5, 4, 3, 2, 1)] == [3, 2, 2, 2, 1]


def taken(*noted: tuple[int, list[int]]) -> int:
    """Which outcome is taken: by outcome what the play-outs count, and by how much each is better than that of the first."""
    x = classic.new_scratch()[0]
    for k, (worth, better) in enumerate(noted):
        x.looked[k], x.worth[k], x.better[k], x.spread[k] = k, worth, sum(better), sum(each * each for each in better)
    return int(lookahead.best_looked(x, U(len(noted))))


def check_another_is_taken_only_if_it_is_clearly_better() -> None:
    assert taken((100, [0, 0]), (100, [0, 0])) == 0
    assert taken((100, [0, 0]), (130, [30, 0])) == 0  # one better, one equal: 30 is not more than the root of 900
    assert taken((100, [0, 0]), (130, [15, 15])) == 1
    assert taken((100, [0] * 3), (130, [40, 10, -20]), (110, [4, 3, 3])) == 2  # less, but surer
    assert taken((100, [0, 0]), (120, [10, 10]), (130, [15, 15])) == 2
    assert taken((100, [0, 0]), (70, [-15, -15])) == 0


def check_play_outs_are_counted() -> None:
    x = classic.new_scratch()[0]
    for value, first in ((7, 5), (1, 4)):
        lookahead.count_playout(x, U(2), np.int64(value), np.int64(first))
    assert (int(x.worth[2]), int(x.better[2]), float(x.spread[2])) == (8, -1, 13.0)


def standing(rules: Rules, position: str, weights: dict[str, float]) -> tuple[Any, Any, Any]:
    """The rules, the way everybody plays, and a scratch record with a position."""
    replay = replays.kind_of(task_of("hasbro", 2, "random"))(
        rules, rules.seat_colors or ("red", "yellow"), line_ups({}, {}), 1, 0, position
    )
    return replay.table.compiled[0], line_ups(weights, weights)[1], replay.memory[0]


def check_a_position_is_scored_and_judged() -> None:
    r, q, x = standing(Rules(), "red S S 10 20 / yellow S S S 40", {"progress": 1.0, "start_risk": -1.0})
    assert [int(scoring.position_score(r, q, x, U(seat))) for seat in (0, 1)] == [24 * SCALE, 7 * SCALE]
    # 0.4 times 4 pawns' way of 65 squares make the odds e times as high.
    odds = np.exp((24 - 7) / (0.4 * 4 * 65))
    chances = [int(playing.judge(r, q, x, U(seat))) / int(lookahead.CERTAIN) for seat in (0, 1)]
    assert chances[0] == pytest.approx(odds / (1 + odds), abs=0.005)
    assert sum(chances) == pytest.approx(1, abs=1e-4)
    x.winner = U(1)
    assert [int(playing.judge(r, q, x, U(seat))) for seat in (0, 1)] == [0, int(lookahead.CERTAIN)]


def check_who_weighs_nothing_judges_all_alike() -> None:
    r, q, x = standing(Rules(), "red S S 10 20 / yellow S S S 40", {})
    assert [int(playing.judge(r, q, x, U(seat))) for seat in (0, 1)] == [1 << 15, 1 << 15]


def check_a_whole_hand_is_weighed() -> None:
    q, x = line_ups({"holds_3": 2.0, "variety": 1.0, "holds_start": 5.0}, {})[1], classic.new_scratch()[0]
    value = []
    for held in ("1 3 3 sorry", "3 5"):
        hands.hold(x, U(1), np.array([CARDS.index(card) for card in held.split()], np.uint8))
        value.append(int(lookahead.held_value(q, x, q.row[0] >> U(3), U(1), U(CARDS.index("2")))))
    assert value == [(4 + 3 + 5) * SCALE, (2 + 2) * SCALE]


def check_what_is_not_seen_is_dealt_anew() -> None:
    task = task_of("hasbro-points", 4, "random")
    tables, scratch = classic.compile_rules(task.ruleset.rules, 4), classic.new_scratch()
    queries.begin(tables, scratch, U(1), U(0))
    x, seat, cards = scratch[0], 1, slice(64, 69)
    own, begun = x.hand[cards].tolist(), scratch.copy()

    def held(s: int) -> list[int]:
        return [int(card) for card in x.hand[64 * s : 64 * s + int(x.held[s])]]

    def unseen() -> Counter[int]:
        return Counter([*map(int, x.deck[: int(x.left)]), *(card for s in range(4) if s != seat for card in held(s))])

    pool, first, last = unseen(), [0] * len(CARDS), [0] * len(CARDS)
    for key in range(150):
        scratch[...] = begun
        lookahead.deal_unseen(tables[0], x, U(seat), U(key))
        assert unseen() == pool
        assert x.hand[cards].tolist() == own
        for s in range(4):
            count = Counter(held(s))
            assert x.have[16 * s : 16 * s + len(CARDS)].tolist() == [count[card] for card in range(len(CARDS))]
            assert int(x.values[s]) == sum(1 << card for card in count)
        first[held(0)[0]] += 1
        last[held(3)[4]] += 1
    expected = [150 * pool[card] / pool.total() for card in range(len(CARDS))]
    assert min(scipy_stats.chisquare(found, expected).pvalue for found in (first, last)) > CHANCE


# -- what it must find, and must not know ----------------------------------------------------------------


def nearly_all(card: str) -> dict[str, int]:
    """A deck of one card, but for those without which pawns could never start."""
    return dict.fromkeys(CARDS, 0) | dict.fromkeys(("1", "2", "3"), 1) | {card: 40}


def decided(task: Task, position: str, game: int = 0) -> str:
    """The position once red, who begins, has decided."""
    notation = importlib.import_module(f"simsorry.games.{task.ruleset.game}.notation")
    replay = replays.replay_of(task, game, notation.parse(position), 0)
    next(iter(replay.steps()))
    return str(replay.position)


def seated(ruleset: str, rules: Any, spec: str | policies.Policy) -> Task:
    """A table of two with the same policy, and with rules that are written out."""
    task = task_of(ruleset, 2, spec)
    return replace(task, ruleset=replace(task.ruleset, rules=rules))


def check_it_stops_who_would_win() -> None:
    rules = Rules(deck_counts=nearly_all("8"))  # type: ignore[arg-type]  # yellow, 8 squares from HOME, wins with the next card
    position = "red S S 22 38 / yellow 30 H H H"
    assert decided(seated("hasbro", rules, "racer"), position) == "red S S 22 49 / yellow 30 H H H"  # slides from 46
    for spec in ("racer~playouts=2~horizon=1", "racer~playouts=2~horizon=1~breadth=2", "racer~playouts=9~horizon=4~spread=5"):
        assert decided(seated("hasbro", rules, spec), position) == "red S S 30 38 / yellow S H H H"
    assert decided(seated("hasbro", rules, "racer~playouts=9~breadth=1"), position) == "red S S 22 49 / yellow 30 H H H"


def check_it_moves_on_what_would_be_bumped() -> None:
    rules = Rules(deck_counts=nearly_all("3"))  # type: ignore[arg-type]
    position = "red S S 20 51 / yellow 17 H H H"
    assert decided(seated("hasbro", rules, "racer"), position) == "red S S 20 58 / yellow 17 H H H"  # slides from 54
    assert decided(seated("hasbro", rules, "racer~playouts=2~horizon=0"), position) == "red S S 20 58 / yellow 17 H H H"
    assert decided(seated("hasbro", rules, "racer~playouts=2~horizon=1"), position) == "red S S 23 51 / yellow 17 H H H"


def check_it_covers_who_would_win() -> None:
    rules = IceRules(hand_size=0, deck_counts=nearly_all("8"), pieces=(1, 0, 2))  # type: ignore[arg-type]
    position = "red H:s / yellow H:l H:l | 22: rl | 38: rl | 30: ys"
    assert decided(seated("ice", rules, "racer"), position) == "red H:s / yellow H:l H:l | 22: rl | 30: ys | 49: rl"
    assert decided(seated("ice", rules, "racer~playouts=2~horizon=1"), position) == "red H:s / yellow H:l H:l | 30: ys rl | 38: rl"


def check_it_wins_though_its_weights_are_against_it() -> None:
    position, weights = "red P5 H H H / yellow B B B 4", {"home": -100.0, "progress": 1.0}
    # It rolls 3 and 1, then 6 and 3; what is left of its turn it imagines to play by its weights, which stay out of HOME.
    for game, avoided in ((2, "P6"), (5, "P5")):
        for habits, after in (({}, avoided), ({"playouts": 2.0, "horizon": 0.0}, "H")):
            policy = policies.Policy("away", "", "", weights | habits)
            task = task_of("sorreesi-four-pawns", 2, policy, sets=("two_draws_again=never",))
            assert Counter(decided(task, position, game).split(" / ")[0].split()) == Counter(f"red {after} H H H".split())


def unseen_changed(record: Any) -> None:
    """Changes what is to come of the game but for the card that is drawn next; dice that are due are left."""
    keys = [name for name in ("cards_key", "fights_key", "dice_key") if name in record.dtype.names]
    hand, due = "held" in record.dtype.names and bool(record.held.any()), "phase" in record.dtype.names and not record.phase
    for name in keys:
        if name == "dice_key" and due:
            continue
        for number in range(10_000):
            key = rng.word(U(7), U(number))
            drawn = [int(rng.below(rng.word(each, record.draws), record.left)) for each in (record[name], key)] if record.left else [0, 0]
            if name != "cards_key" or hand or drawn[0] == drawn[1]:
                record[name] = key
                break


def what_comes_of(replay: Any, change: Callable[[Any], None]) -> tuple[Any, tuple[int, list[int]]]:
    """The scratch record after the next step, and what was chosen in it and what the play-outs counted; the game stays where it is."""
    begun = replay.memory.copy()
    change(replay.memory[0])
    replay._step()
    after = replay.memory.copy()
    replay.memory[...] = begun
    return after, (int(after[0].did_action), after[0].worth.tolist())


def other_luck(record: Any) -> None:
    """Gives the choices, and with them the play-outs, other luck."""
    record.choices_key = U(9)


def check_it_does_not_see_what_is_to_come() -> None:
    habits = "playouts=1~horizon=1~breadth=3~spread=0.05"
    for ruleset, most in (("hasbro", 4), ("hasbro-points", 3), ("sorreesi-four-pawns", 3), ("ice-three", 2)):
        replay = replays.replay_of(task_of(ruleset, 2, f"racer~{habits}", "random", sets=("quick_start_pawns=1",)), 0)
        other = 0
        while other < most:
            after, plain = what_comes_of(replay, lambda _: None)
            if int(after[0].outcomes) > 1 and int(replay.memory[0].seat) == 0:
                assert plain == what_comes_of(replay, unseen_changed)[1]
                other += plain != what_comes_of(replay, other_luck)[1]
            replay.memory[...] = after


# -- as plain Python -------------------------------------------------------------------------------------

CHECKS = {name.removeprefix("check_"): check for name, check in list(globals().items()) if name.startswith("check_")}
IN_PLAIN_PYTHON = "import sys, test_lookahead; test_lookahead.try_all(sys.argv[1])"


def try_all(file: str) -> None:
    """Plays all tasks and makes all checks in this process, and writes down what came of it."""
    failures = {}
    for name, check in CHECKS.items():
        try:
            check()
            failures[name] = ""
        except Exception:
            failures[name] = traceback.format_exc(limit=-4)
    Path(file).write_text(json.dumps({"failures": failures, "rows": {name: played(name) for name in TASKS}}), encoding="utf-8")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of it in plain Python."""
    file = tmp_path_factory.mktemp("plain") / "found.json"
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(simsorry.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", IN_PLAIN_PYTHON, str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", CHECKS)
def test_in_plain_python(plain: dict[str, Any], name: str) -> None:
    assert plain["failures"][name] == ""


@pytest.mark.parametrize("name", TASKS)
def test_plain_python_plays_the_same_games(plain: dict[str, Any], name: str) -> None:
    found = played(name)
    assert not different(plain["rows"][name], found)
    assert sum(found["choices"]) >= 3


# -- compiled --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TASKS)
def test_rows_depend_on_neither_blocks_nor_threads(name: str) -> None:
    ruleset, players, sets, specs = TASKS[name]
    task = task_of(ruleset, players, *specs, sets=sets)
    whole = columns_of(simulate.play(task, FIRST_GAME, 6))
    games = range(FIRST_GAME, FIRST_GAME + 6)
    for threads, block_games in ((1, 1), (3, 2)):
        blocks = [columns_of(block) for block in simulate.simulate(task, games, threads=threads, block_games=block_games)]
        parts = {key: [number for block in blocks for number in block[key]] for key in whole if key != "audits"}
        assert not different(parts, {key: column for key, column in whole.items() if key != "audits"})
        assert np.array_equal(sum(np.array(block["audits"]).sum(axis=0) for block in blocks), np.array(whole["audits"]).sum(axis=0))


# No two outcomes of a decision count the same: chance has nothing to choose from, whether one looks ahead or not.
APART = {"progress": 1.0, "lead": 1.2345678, "foe_progress": -0.777, "home": 3.21}
HELD = {f"holds_{card}": 0.1 + 0.01237 * number**1.5 for number, card in enumerate(CARDS)}


@pytest.mark.parametrize(
    ("ruleset", "weights", "games"),
    [("hasbro", APART, 20), ("hasbro-points", APART | HELD, 20), ("ice+pieces=[2, 0, 0]", APART | HELD, 20)],
)
def test_who_looks_at_the_best_alone_plays_by_weights(ruleset: str, weights: dict[str, float], games: int) -> None:
    looking = {"playouts": 1.0, "breadth": 1.0, "horizon": 1.0}
    mine = [policies.Policy("mine", "", "", weights | habits) for habits in ({}, looking)]
    one, other = (columns_of(simulate.play(task_of(ruleset, 2, policy, "random"), FIRST_GAME, games)) for policy in mine)
    assert not different(one, other)
    assert sum(one["choices"]) > 100


@pytest.mark.parametrize(
    "ruleset", ["hasbro", "hasbro-points", "hasbro-teams", "hasbro-match+match_end=rounds:2", "sorreesi", "sorreesi-teams", "ice-three"]
)
def test_what_is_imagined_does_not_touch_the_game(ruleset: str) -> None:
    one, other = (
        columns_of(simulate.play(task_of(f"{ruleset}+turn_cap=60", 4, f"balanced~breadth=1~{habits}", "random"), FIRST_GAME, 2))
        for habits in ("playouts=1~horizon=0", "playouts=4~horizon=9")
    )
    assert not different(one, other)
    assert sum(one["choices"]) >= 20


def test_who_has_nothing_to_choose_does_not_look_ahead() -> None:
    rules = Rules(deck_counts=dict.fromkeys(CARDS, 0) | {"1": 20, "3": 20}, pawns=1)  # type: ignore[arg-type]
    one, other = (columns_of(simulate.play(seated("hasbro", rules, spec), FIRST_GAME, 20)) for spec in ("racer", "racer~playouts=50"))
    assert not different(one, other)
    assert sum(one["choices"]) == 0


def test_who_weighs_nothing_and_looks_ahead_by_a_turn_takes_the_first_outcome_unless_another_wins() -> None:
    def choose(asked: Any) -> int:
        home = f"{asked.color} {' '.join('H' * asked.rules.pawns)}"
        wins = [number for number, outcome in enumerate(asked.outcomes) if home in outcome.position]
        return wins[0] if wins and len(asked.outcomes) > 2 else 0  # of two each is played on from once, which settles nothing

    function = policies.Policy(
        "mine.py:choose", "", "", {"asks": 1.0}, function=policies.functions.Function("mine.py:choose", choose, "0" * 12)
    )
    for ruleset in ("hasbro+two_draws_again=never", "hasbro-points+two_in_hand=none", "french"):
        one, other = (
            columns_of(simulate.play(task_of(f"{ruleset}+pawns=2", 3, policy, "random"), FIRST_GAME, 12))
            for policy in ("random~playouts=1~horizon=0", function)
        )
        assert not different(one, other)
        assert sum(one["choices"]) > 100
