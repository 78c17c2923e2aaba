"""The search for weights: it finds what is best in made-up games, goes on where it was stopped, and measures on games of its own."""

import json
import shutil
import sys
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import refused, said, simsorry_says

from simsorry import policies, rulesets, tune
from simsorry.errors import MISSING, SimsorryError
from simsorry.policies import Policy
from simsorry.report import tune as tune_report
from simsorry.simulate import Block, Task, play
from simsorry.stats import Estimate, Floats
from simsorry.tune import Asked, Budget, Plan, Search, Store

FREE = ("home", "in_start", "bumps", "stake")
BEST = {"home": 30.0, "in_start": -12.0, "bumps": 6.0, "stake": -0.3}


def asked(ruleset: str = "hasbro", start: str = "balanced", players: int = 4, **options: Any) -> Asked:
    loaded = rulesets.load(ruleset)
    policy = policies.load(start, loaded.game)
    options = {"panel": tune.panel_for(loaded.game, policy, ["homebody"]), "seed": 1, "deals": 60, **options}
    return Asked(loaded, players, policy, **options)


def distance(policy: Policy) -> float:
    return float(np.sqrt(sum(((policy.weights.get(name, 0.0) - best) / max(abs(best), 1)) ** 2 for name, best in BEST.items())))


def made_up(candidates: Sequence[Policy], plan: Plan, pool: dict[str, Policy], noise: float = 0.02) -> Floats:
    """Shares that fall with the distance from the best weights, with luck that depends on the game number and a little on who plays."""
    numbers = np.arange(plan.first_game, plan.first_game + plan.deals)
    common = np.sin(numbers * 12.9898) * 0.3
    rows = []
    for policy in candidates:
        own = np.random.default_rng([plan.first_game, int(policy.hash, 16)]).normal(0, noise, plan.deals)
        rows.append(0.5 + common - 0.1 * distance(policy) + own)
    return np.array(rows)


def searched(generations: int, **options: Any) -> Search:
    search = Search(asked(features=FREE, **options))
    assert tune.go_on(search, made_up, Budget(generations), lambda _: None)
    return search


# -- the search ------------------------------------------------------------------------------------


def test_it_finds_the_best_of_a_made_up_world() -> None:
    search = searched(35)
    last = search.asked.policy("last", search.finalists()["last"])
    assert distance(search.asked.start) > 1
    assert distance(last) < 0.15
    assert search.champion != tune.START
    assert distance(search.pool[search.champion]) < distance(search.asked.start)


def test_weights_that_are_not_searched_stay() -> None:
    search = searched(5)
    for weights in search.finalists().values():
        assert {name: weight for name, weight in weights.items() if name not in FREE} == {
            name: weight for name, weight in search.asked.start.features.items() if name not in FREE
        }


def test_the_same_seed_gives_the_same_search_and_another_one_another() -> None:
    one, same, other = searched(6), searched(6), searched(6, seed=2)
    assert one.history == same.history
    assert one.finalists() == same.finalists()
    assert one.history[0].points != other.history[0].points


def test_the_middle_becomes_champion_only_where_it_clearly_wins_more() -> None:
    search = Search(asked(features=FREE))

    def in_favor(ahead: float, candidates: Sequence[Policy], plan: Plan, pool: dict[str, Policy]) -> Floats:
        """The middle gets more than the champion by ``ahead`` in every second deal, and as much in the others."""
        shares = np.full((len(candidates), plan.deals), 0.25)
        shares[-2, ::2] += ahead
        shares[-2, 1::2] += ahead / 2 + 0.1
        shares[-1, 1::2] += 0.1
        return shares

    # 60 deals, the difference in turn 0.1 and 0.05: mean 0.075, error 0.0033.
    assert search.step(partial(in_favor, 0.1)).crowned  # type: ignore[union-attr]
    assert search.champion == "generation 0"
    assert search.pool["generation 0"].weights == search.asked.start.weights
    assert not search.step(partial(in_favor, 0)).crowned  # type: ignore[union-attr]
    assert not search.step(partial(in_favor, -0.1)).crowned  # type: ignore[union-attr]
    assert search.champion == "generation 0"


def test_noise_is_answered_with_more_games_and_agreement_with_fewer() -> None:
    search = Search(asked(features=FREE))
    for _ in range(40):
        search.step(partial(made_up, noise=10.0))
    noisy = [made.plan.deals for made in search.history]
    assert noisy[-1] > 1.5 * noisy[0]
    assert all(deals % tune.TABLES == 0 for deals in noisy)
    for _ in range(30):
        search.step(partial(made_up, noise=0.0))
    assert search.plan().deals < max(made.plan.deals for made in search.history)


def test_every_generation_plays_fresh_games_against_the_champion_and_the_pool() -> None:
    search = searched(12)
    end = 0
    for made in search.history:
        assert made.plan.first_game == end
        end += made.plan.deals
    assert end < tune.CHOOSING
    assert search.games == (search.candidates + 2) * end * 4
    plan = search.plan()
    assert plan.tables[0] == (search.champion,) * 3
    assert len(set(plan.tables[1])) == 1
    assert any(len(set(made.plan.tables[1])) > 1 for made in search.history)
    met = {name for made in search.history for table in made.plan.tables for name in table}
    assert {tune.START, "homebody", search.champion} <= met
    assert met <= search.pool.keys()
    assert all(len(table) == 3 for table in plan.tables)


def test_the_budget_ends_a_search() -> None:
    search = Search(asked(features=FREE))
    games = search.games_next
    assert tune.go_on(search, made_up, Budget(100, games=2 * games), lambda _: None)
    assert len(search.history) == 2
    assert tune.go_on(search, made_up, Budget(100, seconds=1e-9), lambda _: None)
    assert len(search.history) == 2
    assert tune.go_on(search, made_up, Budget(3), lambda _: None)
    assert len(search.history) == 3


# -- going on --------------------------------------------------------------------------------------


def test_a_search_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    through = searched(14)
    store = Store(tmp_path / "state")
    search = store.open(asked(features=FREE))
    left = [5]

    def interrupted(*given: Any) -> Floats | None:
        left[0] -= 1
        return made_up(*given) if left[0] >= 0 else None

    assert not tune.go_on(search, interrupted, Budget(14), store.add)
    assert len(search.history) == 5
    store = Store(tmp_path / "state")
    again = store.open(asked(features=FREE))
    assert again.history == search.history
    assert tune.go_on(again, made_up, Budget(14), store.add)
    assert again.history == through.history
    assert again.finalists() == through.finalists()
    assert again.pool == through.pool


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    store = Store(folder)
    search = store.open(asked(features=FREE))
    tune.go_on(search, made_up, Budget(3), store.add)
    return folder


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"seed": 2}, r"another setting of 'seed' \(1 there, 2 here\)"),
        ({"deals": 90}, r"another setting of 'deals' \(60 there, 90 here\)"),
        ({"ruleset": "hasbro+slides=off"}, "another setting of 'ruleset'"),
        ({"start": "homebody"}, "another setting of 'from'"),
        ({"panel": ()}, "another setting of 'against'"),
        ({"features": FREE[:3]}, "another setting of 'weights'"),
        ({"players": 3}, "another setting of 'seat_colors'"),
    ],
)
def test_the_folder_of_another_search_is_refused(stored: Path, options: dict[str, Any], told: str) -> None:
    with pytest.raises(SimsorryError, match=told):
        Store(stored).open(asked(**{"features": FREE, **options}))


def test_what_was_meddled_with_is_refused(stored: Path) -> None:
    lines = (stored / "generations.jsonl").read_text().splitlines()
    row = json.loads(lines[1])
    row["points"][0][0] += 1e-9
    (stored / "generations.jsonl").write_text("\n".join([lines[0], json.dumps(row)]))
    with pytest.raises(SimsorryError, match="generation 2 of the stored search is not what its settings lead to"):
        Store(stored).open(asked(features=FREE))
    (stored / "generations.jsonl").write_text(lines[0][:100])
    with pytest.raises(SimsorryError, match="can't be read as a search"):
        Store(stored).open(asked(features=FREE))


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("dear diary")
    with pytest.raises(SimsorryError, match="holds something else than a search"):
        Store(tmp_path).open(asked(features=FREE))
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


def test_without_cma_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(SimsorryError, match=r"pip install 'simsorry\[tune\]'") as error:
        Search(asked(features=FREE))
    assert error.value.exit_code == MISSING


# -- what is searched ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "there", "missing"),
    [
        ("hasbro", {"home", "swaps", "own_bumps"}, {"holds_4", "variety", "throws", "partner_home", "partner_bumps", "on_track", "idles"}),
        ("house-no-splits", {"home"}, {"splits"}),
        ("hasbro-points", {"holds_4", "variety", "throws"}, {"partner_home", "partner_moves"}),
        ("hasbro-teams", {"partner_home", "partner_progress", "partner_bumps", "partner_moves"}, {"holds_4"}),
    ],
)
def test_what_means_nothing_is_not_searched(ruleset: str, there: set[str], missing: set[str]) -> None:
    found = set(asked(ruleset).searched)
    assert there <= found
    assert not missing & found
    assert tune.FIXED not in found


def test_scales_are_those_of_the_start_or_of_what_a_feature_counts() -> None:
    scales = asked(features=("home", "in_zone", "lead", "bumps", "foe_progress")).scales
    assert scales["home"] == 10  # half of 20
    assert scales["in_zone"] == 10  # a pawn may be worth ten squares
    assert scales["lead"] == 0.5
    assert scales["bumps"] == 10
    assert scales["foe_progress"] == 0.25
    assert asked(features=("stake", "home")).scales["stake"] == pytest.approx(10 / 65)
    threefold = asked(start="reward-v1", features=("bumps", "home"))  # its squares weigh 3
    assert threefold.scales == {"bumps": 30, "home": 30}


def test_a_start_without_squares_gets_them() -> None:
    search = Search(asked(start="random", features=("home", "bumps")))
    assert search.asked.base == {"progress": 1}
    assert search.asked.searched == ("bumps", "home")
    assert search.weights([0, 1]) == {"progress": 1, "bumps": 0, "home": 10}


def test_a_weight_of_nothing_is_none() -> None:
    search = Search(asked(features=("home", "in_zone")))
    made = search.asked.policy("made", search.weights([0, 1e-9]))
    assert made.weights == {name: weight for name, weight in search.asked.start.weights.items() if name not in ("home", "in_zone")}


# -- playing ---------------------------------------------------------------------------------------


def shares(question: Asked, one: str, rest: str, deals: int = 12) -> Floats:
    pool = {"rest": policies.load(rest, question.ruleset.game)}
    plan = Plan(100, deals, (("rest",) * (len(question.sides) - 1),) * 2)
    candidates = [policies.load(one, question.ruleset.game), pool["rest"]]
    found = tune.play_tables(question, candidates, plan, pool, threads=1, stop=threading.Event(), on_games=lambda _: None)
    assert found is not None
    return found


@pytest.mark.parametrize(("ruleset", "players", "goal"), [("hasbro", 3, "won"), ("hasbro-teams", 4, "won"), ("hasbro-points", 4, "points")])
def test_who_plays_like_the_others_gets_the_fair_share_of_every_deal(ruleset: str, players: int, goal: str) -> None:
    question = asked(ruleset, players=players, goal=goal)
    found = shares(question, "random", "balanced")
    assert found.shape == (2, 12)
    assert found[1] == pytest.approx(np.full(12, 1 / len(question.sides)))
    assert found[0].mean() < found[1].mean()


def test_a_share_is_that_of_the_games_with_the_candidate_on_each_side() -> None:
    question = asked()
    one, rest = policies.load("balanced"), policies.load("random")
    won = np.zeros(12)
    for seat in range(4):
        line_up = [one if at == seat else rest for at in range(4)]
        rows: Block = play(Task(question.ruleset, 4, tuple(line_up), 1), 100, 12)
        won += ((rows.seats["table_seat"] == seat) & (rows.seats["won"] == 1)).reshape(-1, 4).sum(axis=1)
    assert (shares(question, "balanced", "random")[0] == won / 4).all()


def test_stopping_leaves_nothing_half_played() -> None:
    question, stop = asked(features=FREE), threading.Event()
    search = Search(question)
    playing = partial(tune.play_tables, question, threads=1, stop=stop, on_games=lambda _: stop.set())
    assert search.step(playing) is None
    assert search.history == []


# -- the outcome -----------------------------------------------------------------------------------


def test_what_is_small_is_dropped_and_the_rest_rounded() -> None:
    question = asked(features=FREE)
    weights = {"progress": 1.0, "lead": 1.234, "home": 21.47, "in_start": 0.19, "bumps": -0.0301, "stake": 0.00012}
    rounded = {"progress": 1.0, "lead": 1.2, "home": 21.0, "in_start": 0.19, "bumps": -0.03, "stake": 0.00012}
    assert tune.thinned(weights, question, 0) == rounded
    # Below 0.2 of what a pawn may count, and 0.2 / 65 of what a square may; lead is not searched.
    assert tune.thinned(weights, question, 0.02) == {"progress": 1.0, "lead": 1.2, "home": 21.0}


def test_the_fewest_weights_that_do_as_well_are_chosen() -> None:
    search = searched(40)
    chosen = tune.choose(search, made_up, 300)
    assert chosen is not None
    assert distance(search.asked.policy("chosen", chosen)) < 0.2
    useless = [name for name in FREE if name not in chosen]
    assert not useless  # each of the four is worth a lot

    def careless(candidates: Sequence[Policy], plan: Plan, pool: dict[str, Policy]) -> Floats:
        return np.random.default_rng(plan.first_game).random((len(candidates), 1)) * 0 + np.full((len(candidates), plan.deals), 0.25)

    fewest = tune.choose(search, careless, 300)
    assert fewest == tune.thinned(next(iter(search.finalists().values())), search.asked, tune.THINNING[-1])


def test_strength_is_measured_on_games_that_the_search_does_not_play() -> None:
    question = asked(features=FREE, seed=7)
    assert question.design.seed == 8
    assert question.task([question.start] * 4).seed == 7
    assert asked(seed=2**64 - 1).design.seed == 0


@pytest.mark.parametrize(("low", "better"), [(0.001, True), (-0.001, False)])
def test_better_is_only_what_beats_the_start_with_its_whole_interval(low: float, better: bool) -> None:
    search = searched(2)
    share = Estimate(0.26, 0.24, 0.28, 8000, "share")
    rows = tuple(tune.Check("new.toml", name, share, None) for name in ("balanced", "new.toml"))
    ahead = Estimate(0.02, low, 0.04, 8000, "share")
    found = tune.Tuned(search.asked, search, {"progress": 1.0, "home": 21.0}, rows, ahead, 2000)
    assert found.better is better
    text = " ".join(tune_report.in_short(found, "new.toml"))
    assert text.startswith(
        "new.toml beats balanced in hasbro." if better else "Nothing better than balanced was found for hasbro, so keep that"
    )


# -- the command -----------------------------------------------------------------------------------

SHORT = ("--generations", "2", "--deals", "30", "--check", "100", "--candidates", "4", "--against", "homebody", "--threads", "1")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A policy that anything beats, tuned, and what the command said."""
    out = tmp_path_factory.mktemp("tune") / "mine.toml"
    return out, said("tune", "hasbro", "--from", "random", "--out", str(out), "-q", *SHORT)


def test_the_command_says_what_it_found(made: tuple[Path, str]) -> None:
    out, text = made
    words = " ".join(text.split())
    assert f"{out.name} beats random in hasbro. In 400 fresh games each, one player of what was found wins" in words
    assert "against three of random, where 25% would be equal: different." in words
    assert "through 2 generations of 4 candidates," in words
    assert text.endswith(f"policy: {out}\n")


def test_the_file_is_a_policy(made: tuple[Path, str]) -> None:
    out, _ = made
    assert said("policies", "check", str(out)) == f"{out}: ok (Tuned for hasbro)\n"
    comments = [line for line in out.read_text().splitlines() if line.startswith("#")]
    command = next(line for line in comments if "To measure again" in line)
    assert command.endswith(f"simsorry run hasbro --policy {out},random,random,random --games 400 --seed 2")
    found = policies.load(str(out))
    assert found.weights["progress"] == 1
    assert all(tune.round_to(weight, 2) == weight for weight in found.weights.values())
    assert said("run", "hasbro", "--policy", f"{out},random,random,random", "--games", "20", "-q")


def test_a_file_is_replaced_only_if_asked_for(made: tuple[Path, str], tmp_path: Path) -> None:
    out, _ = made
    assert "this file exists" in refused("tune", "hasbro", "--from", "random", "--out", str(out), *SHORT, code=2)
    before = out.read_bytes()
    document = json.loads(said("tune", "hasbro", "--from", "random", "--out", str(out), "-q", "--force", "--json", *SHORT))
    # The same again, but for the command that is named in it.
    assert out.read_text().split("title")[1] == before.decode().split("title")[1]
    assert document["file"] == str(out)
    assert document["better"] is True
    one, back = (row["share"]["value"] for row in document["checks"]["rows"][:2])
    assert document["ahead"]["value"] == pytest.approx(one - back)
    assert document["weights"] == policies.load(str(out)).weights
    assert [row["others"] for row in document["checks"]["rows"]] == ["random", str(out), "homebody"]
    assert document["checks"]["seed"] == 2
    assert [row["deals"] for row in document["search"]["history"]] == [30, 30]


def test_going_on_is_told(made: tuple[Path, str], tmp_path: Path) -> None:
    out, _ = made
    shutil.copytree(out.with_suffix(".search"), tmp_path / "mine.search")
    arguments = ("tune", "hasbro", "--from", "random", "--out", str(tmp_path / "mine.toml"), *SHORT)
    result = simsorry_says(*arguments, "--generations", "3")
    assert f"goes on after generation 2, stored in {tmp_path / 'mine.search'}" in result.stderr
    assert len((tmp_path / "mine.search" / "generations.jsonl").read_text().splitlines()) == 3
    assert "another setting of 'seed' (1 there, 5 here)" in refused(*arguments, "-q", "--force", "--seed", "5")


@pytest.mark.parametrize(
    ("arguments", "told", "code"),
    [
        (("--from", "balanced,random"), "one policy is asked for", 2),
        (("--from", "balanced~mistakes=0.1"), "leaves decisions to chance", 2),
        (("--weights", "progress,home"), "--weights progress: it stays as it is", 2),
        (("--weights", "holds_4,home"), "--weights holds_4: under hasbro it changes nothing", 2),
        (("--weights", "homes"), "--weights homes: classic has no such feature", 2),
        (("--weights", "home"), "at least two weights", 2),
        (("--goal", "glory"), "--goal glory: it is won or points", 2),
        (("--goal", "points"), "hasbro is not played for points", 2),
        (("--minutes", "soon"), "--minutes soon: a number of minutes is needed", 2),
        (("--games", "100"), "--games 100: the first generation plays", 2),
        (("--deals", "5"), "--deals 5: a whole number from 20", 2),
        (("--out", "here"), "name a file that ends in .toml", 2),
        (("--against", "nobody"), "nobody", 4),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str, code: int
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told in refused("tune", "hasbro", *arguments, code=code)
    assert not list(tmp_path.glob("*.toml"))
