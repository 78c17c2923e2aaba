"""Tasks and blocks: identity, order, any block size, stopping, errors; with a game that needs no compiling."""

import threading

import fakegame
import numpy as np
import pytest

from simsorry import policies, rulesets, simulate
from simsorry.errors import SimsorryError
from simsorry.simulate import Block, Bonus, Task, Traits, map_blocks, play


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fakegame.patch(monkeypatch)


def joined(blocks: list[Block]) -> dict[str, np.ndarray]:
    tables = {f"games.{name}": [block.games[name] for block in blocks] for name in blocks[0].games}
    tables |= {f"seats.{name}": [block.seats[name] for block in blocks] for name in blocks[0].seats}
    return {name: np.concatenate(columns) for name, columns in tables.items()}


@pytest.mark.parametrize(("threads", "block_games"), [(1, None), (2, None), (3, 7), (2, 1), (1, 1000), (4, 64)])
def test_rows_do_not_depend_on_blocks_or_threads(threads: int, block_games: int | None) -> None:
    task = fakegame.task()
    whole = joined([play(task, 30, 321)])
    blocks = list(simulate.simulate(task, range(30, 351), threads=threads, block_games=block_games))
    assert [block.first_game for block in blocks] == list(np.cumsum([30] + [block.count for block in blocks])[:-1])
    for name, column in joined(blocks).items():
        assert column.dtype == whole[name].dtype
        np.testing.assert_array_equal(column, whole[name], err_msg=name)


def test_columns_have_their_stored_types() -> None:
    block = play(fakegame.task(), 0, 5)
    assert {column.name: column.dtype for column in fakegame.GAME_COLUMNS} == {
        name: str(column.dtype) for name, column in block.games.items()
    }
    assert {column.name: column.dtype for column in fakegame.SEAT_COLUMNS} == {
        name: str(column.dtype) for name, column in block.seats.items()
    }
    assert (block.count, block.players) == (5, 4)


def test_blocks_do_not_cross_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "PART_GAMES", 100)
    for block_games in (None, 30, 100):
        for block in simulate.simulate(fakegame.task(), range(50, 420), block_games=block_games):
            assert block.first_game // 100 == (block.first_game + block.count - 1) // 100


def test_on_block_sees_every_block_in_order() -> None:
    seen: list[int] = []
    blocks = list(simulate.simulate(fakegame.task(), range(1000), block_games=100, on_block=lambda block: seen.append(block.first_game)))
    assert seen == [block.first_game for block in blocks] == list(range(0, 1000, 100))


def test_look_ahead_is_bounded() -> None:
    worked: list[int] = []
    blocks = map_blocks(fakegame.task(), range(10_000), lambda block: worked.append(block.first_game) or block, threads=2, block_games=10)
    next(blocks)
    blocks.close()
    assert len(worked) <= 6


def test_blocks_are_sized_by_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fakegame, "DELAY", 0.002)
    sizes = [block.count for block in simulate.simulate(fakegame.task(), range(600), threads=1)]
    assert sum(sizes) == 600
    assert max(sizes) <= 150
    assert max(sizes) >= 60


def test_the_first_blocks_are_small_and_the_next_ones_no_leap() -> None:
    sizes = [block.count for block in simulate.simulate(fakegame.task(), range(100_000), threads=2)]
    assert sizes[0] == simulate._FIRST_BLOCK < 10
    assert max(later / max(sizes[:at]) for at, later in enumerate(sizes[1:], start=1)) <= simulate._GROWTH
    assert len(sizes) < 400


def test_games_that_take_long_are_blocks_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fakegame, "DELAY", 0.2)
    sizes = [block.count for block in simulate.simulate(fakegame.task(), range(12), threads=1)]
    assert sizes == [4, 4, 1, 1, 1, 1]


def test_a_block_can_be_fitted_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    assert simulate.fitting_block(fakegame.task(), 1000) == 1000
    monkeypatch.setattr(fakegame, "DELAY", 0.002)
    assert 40 <= simulate.fitting_block(fakegame.task(), 1000) <= 130
    monkeypatch.setattr(fakegame, "DELAY", 0.3)
    assert simulate.fitting_block(fakegame.task(), 1000) == 1


def test_stop_ends_after_the_blocks_under_way() -> None:
    stop = threading.Event()
    done = []
    for block in simulate.simulate(fakegame.task(), range(100_000), threads=2, block_games=10, stop=stop):
        done.append(block)
        if len(done) == 5:
            stop.set()
    assert 5 <= len(done) <= 9
    assert [block.first_game for block in done] == [10 * number for number in range(len(done))]


def test_one_scratch_record_per_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    real = fakegame.new_scratch
    monkeypatch.setattr(fakegame, "new_scratch", lambda: made.append(threading.get_ident()) or real())
    list(simulate.simulate(fakegame.task(), range(2000), threads=3, block_games=10))
    assert len(made) == len(set(made)) <= 4


def test_an_engine_error_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fakegame, "BROKEN", 1234)
    with pytest.raises(SimsorryError, match="code 3 between games 1200 and 1299") as raised:
        list(simulate.simulate(fakegame.task(), range(5000), threads=2, block_games=100))
    assert raised.value.exit_code == 1


def test_no_games_are_no_blocks() -> None:
    assert list(simulate.simulate(fakegame.task(), range(5, 5))) == []


def test_the_highest_seed_and_game_numbers_fit() -> None:
    block = play(fakegame.task(seed=2**64 - 1), 10**12 - 3, 3)
    assert len(set(block.games["digest"].tolist())) == 3


def test_task_ids_differ_when_a_game_could_and_only_then() -> None:
    base = fakegame.task()
    renamed = Task(fakegame.Ruleset(name="other", title="Other"), 4, (fakegame.Policy("r", "R", {"bump": 0.0}),) * 4, 1)
    assert base.id == renamed.id
    assert len(base.id) == 16
    policy = fakegame.Policy("random", "Random", {"bump": 1.0})
    others = [
        fakegame.task(seed=2),
        fakegame.task(players=3),
        fakegame.task(hash="ba9876543210"),
        Task(fakegame.Ruleset(), 4, (policy, *[fakegame.Policy()] * 3), 1),
        Task(fakegame.Ruleset(), 4, (*[fakegame.Policy()] * 3, policy), 1),
    ]
    assert len({task.id for task in [base, *others]}) == 1 + len(others)


def test_a_new_version_of_the_game_is_another_task(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fakegame.task().id
    monkeypatch.setattr(fakegame, "VERSION", 2)
    assert fakegame.task().id != before


@pytest.mark.parametrize("seed", [-1, 2**64, 10**40])
def test_seeds_out_of_range_are_refused(seed: int) -> None:
    with pytest.raises(SimsorryError, match="out of range"):
        fakegame.task(seed=seed)


def test_players_and_policies_must_fit() -> None:
    with pytest.raises(SimsorryError, match="players = 5"):
        fakegame.task(players=5)
    with pytest.raises(SimsorryError, match="3 policies were given for 4 players"):
        Task(fakegame.Ruleset(), 4, (fakegame.Policy(),) * 3, 1)


def test_the_description_is_plain_and_of_no_machine() -> None:
    import json
    import socket

    text = json.dumps(fakegame.task().describe())
    assert json.loads(text)["ruleset"]["rules"] == {"turn_cap": 900}
    assert socket.gethostname() not in text or len(socket.gethostname()) < 4


# -- what a game has beside the plain race ---------------------------------------------------------


def described(**rules: object) -> dict[str, object]:
    return {"ruleset": {"rules": rules}, "seat_colors": ["red", "blue", "yellow", "green"]}


def test_a_plain_race_has_no_traits() -> None:
    assert fakegame.task().traits == Traits() == Traits.of(described(score_bands=[[2, 25]], score_home_to="none", band_measure="total"))


def test_traits_are_read_off_the_options() -> None:
    found = Traits.of(
        described(hand_size=5, score_home_to="winner_only", score_bands=[[2, 25], [0, 100]], match_end="target:500", game_end="all_home")
    )
    assert found == Traits(hand=5, points=True, bonuses=(Bonus(2, 25, False), Bonus(0, 100, False)), match=True, places=True)


@pytest.mark.parametrize(("seats", "pairs"), [("red blue yellow green", ((0, 2), (1, 3))), ("blue red green yellow", ((1, 3), (0, 2)))])
def test_teams_are_pairs_of_table_seats(seats: str, pairs: tuple[tuple[int, int], ...]) -> None:
    rules = {"team_pairs": [["red", "yellow"], ["blue", "green"]], "team_win": "first_member"}
    found = Traits.of({"ruleset": {"rules": rules}, "seat_colors": seats.split()})
    assert (found.teams, found.one_finishes) == (pairs, True)


TEAM_PAIRS = [["red", "yellow"], ["blue", "green"]]


@pytest.mark.parametrize(
    ("options", "moves", "bumps"),
    [
        ({"team_control": "both_colors", "team_finished_player": "plays_for_partner", "team_collision": "bump_occupant"}, True, True),
        ({"team_control": "own_only", "team_finished_player": "plays_for_partner", "team_collision": "illegal"}, True, True),
        ({"team_control": "own_only", "team_finished_player": "skips", "team_collision": "coexist"}, False, True),  # on slides
        ({"team_control": "own_only", "team_collision": "coexist", "team_sorry_target": "opponents_first"}, False, True),
        (
            {"team_control": "own_only", "team_finished_player": "skips", "team_sorry_target": "opponents_only"},
            False,
            False,
        ),  # no collision
        ({"team_control": "both_colors", "team_sorry_target": "any"}, True, True),
    ],
)
def test_what_partners_can_do_to_each_other(options: dict[str, object], moves: bool, bumps: bool) -> None:
    found = Traits.of(described(team_pairs=TEAM_PAIRS, **options))
    assert (found.moves_partner, found.bumps_partner) == (moves, bumps)
    alone = Traits.of(described(**options))
    assert (alone.moves_partner, alone.bumps_partner) == (False, False)


def test_bonus_moves_and_idle_turns_are_read_off_the_options() -> None:
    assert Traits.of(described(capture_bonus=20, home_bonus=0, fight_bonus=0)) == Traits(bump_moves=True)
    assert Traits.of(described(capture_bonus=0, home_bonus=10, fight_bonus=20)) == Traits(home_moves=True, bump_moves=True)
    assert Traits.of(described(capture_bonus=0, home_bonus=0, fight_bonus=0)) == Traits()
    assert Traits.of(described(own_collision="ends_turn")) == Traits.of(described(two_playable_idle=True)) == Traits(idle=True)
    assert Traits.of(described(own_collision="illegal", two_playable_idle=False)) == Traits()


@pytest.mark.parametrize(
    ("name", "traits"),
    [
        ("sorreesi", Traits(home_moves=True, bump_moves=True)),
        ("sorreesi-no-bonus", Traits()),
        ("sorreesi-teams", Traits(teams=((0, 2), (1, 3)), home_moves=True, bump_moves=True)),
        ("sorreesi-teams-pool", Traits(teams=((0, 2), (1, 3)), moves_partner=True, home_moves=True, bump_moves=True)),
        ("sorreesi+game_end=full_ranking", Traits(places=True, home_moves=True, bump_moves=True)),
    ],
)
def test_a_game_without_hands_points_and_matches_has_the_traits_of_its_options(name: str, traits: Traits) -> None:
    assert Task(rulesets.load(name), 4, tuple(policies.line_up(["random"], 4, "sorreesi")), 1).traits == traits


def test_bonuses_say_what_they_are_for() -> None:
    assert Bonus(0, 100, False).meaning == Bonus(0, 100, True).meaning == "no opponent has a pawn HOME"
    assert Bonus(1, 50, False).meaning == "no opponent has more than one pawn HOME"
    assert Bonus(2, 25, True).meaning == "the opponents have no more than two pawns HOME in all"
    assert Bonus(7, 25, False).meaning == "no opponent has more than 7 pawns HOME"
    assert Bonus(1, 50, False).key == Bonus(1, 60, False).key != Bonus(1, 50, True).key


@pytest.mark.parametrize("name", ["hasbro-points", "hasbro-teams-points", "hasbro-match", "french"])
def test_the_built_in_rulesets_have_the_traits_of_their_names(name: str) -> None:
    task = Task(rulesets.load(name), 4, tuple(policies.line_up(["random"], 4, "classic")), 1)
    found = task.traits
    assert found.points == ("points" in name or "match" in name)
    assert bool(found.teams) == ("teams" in name)
    assert found.match == ("match" in name)
    assert found.places == (name == "french")
    assert len(found.bonuses) == (3 if found.points else 0)
