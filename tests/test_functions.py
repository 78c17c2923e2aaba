"""Policies that are functions in Python: what they are told, what they may answer, and that nothing else changes."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import refused, said

from simsorry import asking, policies, rulesets, simulate
from simsorry.games import track
from simsorry.games.options import COLORS
from simsorry.games.weights import lead
from simsorry.policies import functions
from simsorry.simulate import Block, Task

Choose = Callable[[asking.Asked], Any]


def policy_of(choose: Choose) -> policies.Policy:
    """A policy that is a function of this file."""
    return policies.Policy("mine.py:choose", "choose", "", {"asks": 1.0}, function=functions.Function("mine.py:choose", choose, "0" * 12))


def task_of(ruleset: str, players: int, *players_of: policies.Policy | Choose | str, seed: int = 1) -> Task:
    """A table of functions, policies, or names of policies; of one for everybody."""
    rules = rulesets.load(ruleset)
    named = [policies.load(each, rules.game) if isinstance(each, str) else each for each in players_of * (players // len(players_of))]
    return Task(rules, players, tuple(each if isinstance(each, policies.Policy) else policy_of(each) for each in named), seed)


def rows_of(block: Block) -> dict[str, list[int]]:
    return {name: column.tolist() for name, column in [*block.games.items(), *block.seats.items()]}


def by_chance(asked: asking.Asked) -> Any:
    return asked.random.choice(asked.outcomes)


def the_last(asked: asking.Asked) -> int:
    return len(asked.outcomes) - 1


# -- what they are told ----------------------------------------------------------------------------------

RULESETS = [
    ("hasbro+turn_cap=150", 4),
    ("hasbro+own_collision=share", 2),
    ("hasbro-points", 3),
    ("hasbro-points+two_in_hand=play_drawn+dead_hand=random", 4),
    ("hasbro-teams+team_collision=coexist+turn_cap=120", 4),
    ("hasbro-teams-points+turn_cap=100", 4),
    ("hasbro-match+match_end=rounds:2", 2),
    ("sorreesi-four-pawns", 3),
    ("sorreesi-teams+turn_cap=40", 4),
    ("sorreesi-sequential+bonus_timing=end_of_turn+pawns=2", 2),
    ("ice-three", 2),
    ("ice-draw-one+pieces=[1, 1, 0]", 3),
]


@pytest.mark.parametrize(("ruleset", "players"), RULESETS)
def test_what_they_are_told_is_what_there_is_in_the_order_of_the_numbers(
    ruleset: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The actions that the game has listed are those that lead to the outcomes told."""
    decisions = []
    told = asking.Asker.answer

    def answer(self: asking.Asker, record: Any, game: int) -> int:
        number = told(self, record, game)
        count, listed = int(record["outcomes"]), self._table._scratch[0]
        assert listed["action"][:count].tolist() == record["action"][:count].tolist()
        decisions.append((int(record["decisions"]), number, count))
        return number

    monkeypatch.setattr(asking.Asker, "answer", answer)
    block = simulate.play(task_of(ruleset, players, by_chance), 0, 1)
    assert len(decisions) == len(set(decisions)) >= 40
    assert int(block.games["choices"].sum()) == len(decisions)
    assert int(block.games["outcomes"].sum()) == sum(count for _, _, count in decisions)
    assert len({number for _, number, _ in decisions}) >= 4


@pytest.mark.parametrize("ruleset", ["hasbro", "hasbro-points", "sorreesi-four-pawns", "ice-three"])
def test_the_outcome_taken_is_where_the_game_goes_on(ruleset: str) -> None:
    """Whoever was asked stands where the outcome said when asked again, but for pawns that others moved."""
    expected: dict[str, str] = {}
    met = 0

    def own(asked: asking.Asked, position: str) -> str:
        return next(group for group in position.partition(" | ")[0].split(" / ") if group.startswith(asked.color))

    def choose(asked: asking.Asked) -> Any:
        nonlocal met
        met += expected.get(asked.color) == own(asked, asked.position)
        outcome = asked.random.choice(asked.outcomes)
        expected[asked.color] = own(asked, outcome.position)
        return outcome

    simulate.play(task_of(ruleset, 2, choose), 0, 1)
    assert met >= 30


def test_what_a_decision_says() -> None:
    seen: list[asking.Asked] = []

    def choose(asked: asking.Asked) -> int:
        seen.append(asked)
        return 0

    simulate.play(task_of("hasbro-points", 2, choose, "random"), 0, 1)
    asked = seen[0]
    assert (asked.seat, asked.color, asked.players, asked.rules.hand_size) == (0, "red", ("red", "yellow"), 5)
    assert {each.seat for each in seen} == {0}
    assert len(asked.decision.cards) == 5
    assert {outcome.card for outcome in asked.outcomes} <= {*asked.decision.cards}
    assert all(outcome.did and outcome.position and outcome.kind in ("play", "throw", "pass") for outcome in asked.outcomes)
    assert min(len(each.outcomes) for each in seen) == 2  # where there is one, nobody is asked


# -- what they choose ------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [lambda asked: asked.outcomes[1], lambda _: np.int64(1), lambda _: np.uint8(1)])
def test_an_outcome_or_its_number_is_answered(answer: Choose) -> None:
    assert rows_of(simulate.play(task_of("hasbro", 2, answer, "racer"), 0, 1)) == rows_of(
        simulate.play(task_of("hasbro", 2, lambda _: 1, "racer"), 0, 1)
    )


def lead_of(position: str, color: str) -> float:
    """What the feature "lead" counts: squares come from START, times themselves, over 65."""
    group = next(group.split()[1:] for group in position.split(" / ") if group.startswith(color))
    circle = 4 + 15 * COLORS.index(color)
    places = {"S": track.START, "H": track.HOME, **{f"Z{number}": track.ZONE + number - 1 for number in range(1, 6)}}
    return sum(lead(places[place] if place in places else (int(place) - circle) % track.TRACK) for place in group)


def test_who_does_the_same_as_weights_plays_the_same_games() -> None:
    weights, drawn_for = policies.Policy("lead", "", "", {"lead": 1.0}), set()

    def choose(asked: asking.Asked) -> int:
        come = [lead_of(outcome.position, asked.color) for outcome in asked.outcomes]
        if come.count(max(come)) > 1:
            drawn_for.add(asked.random)
        return come.index(max(come))

    same = 0
    for game in range(20):
        drawn_for.clear()
        mine, theirs = (simulate.play(task_of("hasbro+pawns=2", 2, policy, "random"), game, 1) for policy in (choose, weights))
        if not drawn_for:
            assert rows_of(mine) == rows_of(theirs)
            same += int(mine.games["choices"].sum())
    assert same >= 100


@pytest.mark.parametrize(("threads", "block_games"), [(1, 1), (3, 2), (2, None)])
def test_rows_depend_on_neither_blocks_nor_threads(threads: int, block_games: int | None) -> None:
    at_once, most, lock = 0, 0, threading.Lock()

    def choose(asked: asking.Asked) -> Any:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        answer = by_chance(asked)
        with lock:
            at_once -= 1
        return answer

    task = task_of("hasbro+pawns=1", 2, choose, by_chance)
    whole = rows_of(simulate.play(task, 5, 9))
    blocks = [rows_of(block) for block in simulate.simulate(task, range(5, 14), threads=threads, block_games=block_games)]
    assert {name: [each for block in blocks for each in block[name]] for name in whole} == whole
    assert most == 1


def test_chance_is_each_decisions_own_and_depends_on_the_seed() -> None:
    drawn: list[float] = []

    def choose(asked: asking.Asked) -> int:
        drawn.append(asked.random.random())
        return 0

    for seed in (1, 1, 2):
        simulate.play(task_of("hasbro-points+match_end=rounds:2+pawns=1", 2, choose, seed=seed), 3, 1)
    third = len(drawn) - len(set(drawn))
    assert third >= 40
    assert drawn[:third] == drawn[third : 2 * third]
    assert len(set(drawn[:third])) == third  # in the second round of a match, too
    assert not set(drawn[:third]) & set(drawn[2 * third :])


def test_games_are_audited_and_followed_like_others() -> None:
    from simsorry import trace

    task = task_of("hasbro+pawns=2", 2, the_last, "racer")
    (course,) = trace.follow(task, [7])
    block = simulate.play(task, 7, 1)
    assert course.winner is not None
    assert int(course.rounds[-1]) <= int(block.games["rounds"][0])
    assert block.audits.sum() == 0
    assert simulate.play(task, 0, 1).audits.sum() > 0


# -- what goes wrong -------------------------------------------------------------------------------------

MINE = '''"""A file of functions."""
import sys

HOME = "H"


def choose(asked):
    """Takes whatever brings most pawns HOME.

    And more.
    """
    return max(asked.outcomes, key=lambda outcome: outcome.position.count(HOME))


def far(asked):
    return len(asked.outcomes)


def below(asked):
    return -1


def truth(asked):
    return True


def text(asked):
    return "the first"


def nothing(asked):
    pass


def fails(asked):
    return asked.outcomes[0].no_such


def deep(asked):
    return max(asked.outcomes, key=helper)


def helper(outcome):
    raise ValueError("no\\nidea")


def leaves(asked):
    sys.exit(3)


def endless(asked):
    return endless(asked)


def two(asked, more):
    return 0
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    return "./mine.py"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("far", "it returned 2; allowed is one of asked.outcomes or its number, 0 to 1"),
        ("below", "it returned -1; allowed is one of asked.outcomes or its number, 0 to 1"),
        ("truth", "it returned true; allowed is one of asked.outcomes or its number, 0 to 1"),
        ("text", 'it returned "the first"; allowed is one of asked.outcomes or its number, 0 to 1'),
        ("nothing", "it returned None; allowed is one of asked.outcomes or its number, 0 to 1"),
        ("fails", "it fails with AttributeError: 'Outcome' object has no attribute 'no_such' (line 36)"),
        ("deep", "it fails with ValueError: no idea (line 44)"),
        ("leaves", "it fails with SystemExit: 3 (line 48)"),
        ("endless", "it fails with RecursionError: maximum recursion depth exceeded (line 52)"),
        ("two", "it fails with TypeError: two() missing 1 required positional argument: 'more'"),
    ],
)
def test_a_wrong_answer_is_told_in_a_sentence(mine: str, name: str, told: str) -> None:
    line = refused("run", "hasbro", "--players", "2", "--games", "40", "--policy", f"{mine}:{name},random", "--threads", "3", "--quiet")
    where, _, rest = line.partition(": in game ")
    assert where == f"simsorry: ./mine.py:{name}"
    assert rest.split(" ", 1)[1] == told


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [
        (None, "choose", "other.py:choose: other.py can't be read (No such file or directory)"),
        ("x = 1", "choose", "other.py:choose: there is no function choose in other.py"),
        ("choose = 1", "choose", "other.py:choose: there is no function choose in other.py"),
        ("def choose(asked):\n  return (", "choose", "other.py: running it fails with SyntaxError: '(' was never closed (line 2)"),
        ("\n1 / 0", "choose", "other.py: running it fails with ZeroDivisionError: division by zero (line 2)"),
        (
            "import no_such_module",
            "choose",
            "other.py: running it fails with ModuleNotFoundError: No module named 'no_such_module' (line 1)",
        ),
        ("raise SystemExit", "choose", "other.py: running it fails with SystemExit (line 1)"),
        ("x = '\udcff'", "choose", "other.py: running it fails with SyntaxError: "),
        ("x = 1", "", "other.py:: a function is named as FILE.py:NAME, such as ./mine.py:choose"),
        ("x = 1", "choose~mistakes=0.1", "other.py:choose~mistakes=0.1: a function is named as FILE.py:NAME, such as ./mine.py:choose"),
    ],
)
def test_a_wrong_file_is_told_in_a_sentence(mine: str, text: str | None, name: str, told: str) -> None:
    if text is not None:
        Path("other.py").write_bytes(text.encode(errors="surrogateescape"))
    for command in (("run", "hasbro"), ("play", "hasbro")):
        assert told in refused(*command, "--policy", f"other.py:{name}", code=4)


def test_a_changed_file_is_another_policy(mine: str) -> None:
    before = policies.load(f"{mine}:choose")
    assert (before.title, before.description) == ("choose", "Takes whatever brings most pawns HOME.")
    assert policies.load(f"{mine}:choose").hash == before.hash != policies.load(f"{mine}:far").hash
    Path("mine.py").write_text(MINE.replace('HOME = "H"', 'HOME = "S"'))  # as long as before, and at once
    after = policies.load(f"{mine}:choose")
    assert after.hash != before.hash
    tasks = [Task(rulesets.load("hasbro+pawns=2"), 2, (policy, policies.load("random")), 1) for policy in (before, after)]
    assert tasks[0].id != tasks[1].id
    one, other = (rows_of(simulate.play(task, 0, 3)) for task in tasks)
    assert one != other


# -- the command line ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("sketched")
def test_it_is_named_wherever_a_policy_is(mine: str) -> None:
    few = ("--players", "2", "--games", "60", "--policy", f"{mine}:choose,random", "--quiet")
    lines = said("run", "hasbro+pawns=2", *few, "--out", "stored").splitlines()
    assert lines[0] == "hasbro+pawns=2, 2 players, ./mine.py:choose, random"
    assert "./mine.py:choose" in said("report", "stored", "--out", "report")
    assert "./mine.py:choose" in Path("report/report.md").read_text(encoding="utf-8")
    again = ("--players", "2", "--policy", f"{mine}:choose,random", "--quiet", "--out", "stored")
    assert "70 games" in said("run", "hasbro+pawns=2", *again, "--games", "70")  # goes on
    Path("mine.py").write_text(MINE.replace("HOME))", "HOME) % 2)"))
    assert "80 games" in said("run", "hasbro+pawns=2", *again, "--games", "80")  # begins anew
    assert len([*Path("stored").iterdir()]) == 2


def test_policies_show_and_check_them(mine: str) -> None:
    shown = said("policies", "show", f"{mine}:choose")
    assert "Takes whatever brings most pawns HOME." in shown
    assert "A function in Python chooses" in shown
    assert said("policies", "check", f"{mine}:choose") == "./mine.py:choose: ok (choose)\n"
    assert '"weights": {}' in said("policies", "show", f"{mine}:choose", "--json")
    assert refused("policies", "show", f"{mine}:choose", "--resolved", code=2).startswith(
        "simsorry: --resolved: ./mine.py:choose is a function"
    )


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("skill", "hasbro", "--policy"), "a function in Python can't be measured here"),
        (
            ("tune", "hasbro", "--out", "x.toml", "--from"),
            "a policy is asked for that goes by weights alone, and this one is a function in Python",
        ),
    ],
)
def test_what_needs_weights_refuses_them(mine: str, command: tuple[str, ...], told: str) -> None:
    assert told in refused(*command, f"{mine}:choose", code=2)
