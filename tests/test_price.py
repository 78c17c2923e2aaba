"""The price of a seat: found in made-up worlds where it is known, head starts in all games, and the command on real games."""

import json
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import refused, said

from simsorry import policies, rulesets, seat_price, stats
from simsorry.errors import SimsorryError
from simsorry.margin import Margin
from simsorry.report import price as price_report
from simsorry.seat_price import BEYOND, EVEN, OPEN, PRICED, Design, Search, Shape, Table, Trial
from simsorry.simulate import Task, play
from simsorry.stats import Floats

MARGIN = 0.01
LATER = Shape("later", (0.0, 1.0))
# With one pawn, most cards to start it and no way back, whoever moves first wins 54% of the games of two.
STEEP = (
    "house-no-exact-home+pawns=1+start_cards=1,2,3,5,8,12+slides=off+deck_counts.4=0+deck_counts.10=0+deck_counts.11=0+quick_start_pawns=1"
)

World = Callable[[tuple[int, ...]], Floats]


def world(base: tuple[float, ...], worth: Callable[[int], float], games: int = 40_000, blocks: int = 200, seed: int | None = None) -> World:
    """Games in which each side's head start adds to its share what it is worth, less what the others' are worth to them."""

    def play_it(given: tuple[int, ...]) -> Floats:
        added = np.array([worth(squares) for squares in given])
        shares = np.array(base) + added - added.mean()
        if seed is None:  # exactly so many in every block
            return np.tile(shares * games / blocks, (blocks, 1))
        return np.random.default_rng([seed, *given]).multinomial(games // blocks, shares, size=blocks).astype(float)

    return play_it


def searched(played: World, sides: int = 2, margin: float = MARGIN, **options: Any) -> Search:
    found = seat_price.search(played, sides, margin, **options)
    assert found is not None
    return found


def task(spec: str, players: int, policy: str = "random", **options: Any) -> Task:
    ruleset = rulesets.load(spec)
    return Task(ruleset, players, policies.line_up([policy], players, ruleset.game), 1, **options)


# -- made-up worlds --------------------------------------------------------------------------------


def test_the_price_is_where_the_straight_line_crosses() -> None:
    """Two points lacking to either side, and 0.8 a square: 2.5 squares, and 2 or 3 come to 0.4 points."""
    found = searched(world((0.52, 0.48), lambda squares: 0.016 * squares))
    assert found.outcome == PRICED
    assert found.shape == LATER
    assert found.price is not None
    assert found.price.value == pytest.approx(2.5)
    # No spread from block to block: the interval is the point, to the steps in which its ends are looked for.
    assert found.price.low == found.price.high == pytest.approx(2.5)
    assert found.equal is not None
    assert found.equal.given == (0, 2)
    assert found.chosen is found.equal
    assert [trial.given[1] for trial in found.trials] == [0, 1, 2, 3]


def test_the_smallest_equal_head_start_is_looked_for_in_the_gaps() -> None:
    """Six points, one a square each way: tried are 1, 2, 3, 5, 8, then 6, and 5 of 6 is too little by exactly the margin."""
    found = searched(world((0.56, 0.44), lambda squares: 0.02 * squares), margin=0.0101)
    assert [trial.given[1] for trial in found.trials] == [0, 1, 2, 3, 5, 6, 8]
    assert found.equal is not None
    assert found.equal.given == (0, 6)


def test_a_square_that_is_too_much_is_said_to_be() -> None:
    found = searched(world((0.515, 0.485), lambda squares: 0.05 * (squares > 0) + 0.005 * squares, seed=3))
    assert found.overshoots
    assert found.equal is None
    assert found.price is not None
    assert 0 < found.price.low < 0.3 / 0.55 < found.price.high < 1
    assert found.single is not None
    gain = found.single.gain(found.base, 1)
    assert gain.interval()[0] < 0.0275 < gain.interval()[1]


def test_even_and_open_seats_are_left_as_they_are() -> None:
    even = searched(world((0.502, 0.498), lambda _: 0.0))
    assert (even.outcome, even.price, even.chosen, len(even.trials)) == (EVEN, None, None, 1)
    open_ = searched(world((0.51, 0.49), lambda _: 0.0, games=1_000))
    assert (open_.outcome, open_.price, open_.chosen, len(open_.trials)) == (OPEN, None, None, 1)
    assert open_.base.fairness.verdict.more_games


def test_no_head_start_may_be_enough() -> None:
    found = searched(world((0.6, 0.4), lambda squares: 0.002 * squares))
    assert found.outcome == BEYOND
    assert found.price is not None
    assert found.price.high == np.inf
    assert max(trial.given[1] for trial in found.trials) == 15
    assert max(trial.given[1] for trial in searched(world((0.6, 0.4), lambda _: 0.0), most=14).trials) == 14


def test_intervals_of_the_price_hold_as_often_as_they_say() -> None:
    """Three points lacking, and one a square: 3 squares. Of 120 worlds 108 or fewer would be one in 600 where 95% hold."""
    found = [searched(world((0.515, 0.485), lambda squares: 0.01 * squares, seed=seed)) for seed in range(120)]
    prices = [each.price for each in found if each.price]
    assert len(prices) > 115  # the others were even or open as they were
    assert sum(each.low <= 3 <= each.high for each in prices) * 120 / len(prices) > 108


@pytest.mark.parametrize(
    ("shares", "name"),
    [
        ((0.27, 0.255, 0.245, 0.23), "later"),
        ((0.23, 0.245, 0.255, 0.27), "earlier"),
        ((0.28, 0.24, 0.24, 0.24), "all but 1"),
        ((0.26, 0.26, 0.22, 0.26), "only 3"),
        ((0.48, 0.52), "earlier"),
        ((0.35, 0.335, 0.315), "later"),
    ],
)
def test_who_lacks_how_much_is_read_off_the_games(shares: tuple[float, ...], name: str) -> None:
    assert seat_price.shape_of([round(40_000 * share) for share in shares]).name == name


def test_squares_are_rounded_by_what_each_side_lacks() -> None:
    later = Shape("later", (0.0, 1 / 3, 2 / 3, 1.0))
    assert [later.given(squares) for squares in (1, 2, 3, 8)] == [(0, 0, 1, 1), (0, 1, 1, 2), (0, 1, 2, 3), (0, 3, 5, 8)]
    assert Shape("only 2", (0.0, 1.0, 0.0)).given(5) == (0, 5, 0)


def test_what_is_lacking_is_the_fall_along_the_line() -> None:
    """By hand: 28, 26, 24 and 22 in 100 fall by 6 from the first to the last."""
    trial = Trial((0,) * 4, np.tile([28.0, 26.0, 24.0, 22.0], (50, 1)), MARGIN)
    lack = trial.lack(Shape("later", (0.0, 1 / 3, 2 / 3, 1.0)))
    assert lack.value == pytest.approx(0.06)
    assert lack.n == 5_000


def test_sides_beside_the_line_are_nudged() -> None:
    """A square brings 1 point to the third player only, so that the line through all can't be right for the second."""
    found = searched(world((0.27, 0.25, 0.25, 0.23), lambda squares: 0.01 * squares), sides=4)
    assert found.equal is not None
    assert all(abs(share.value - 0.25) <= MARGIN for share in found.equal.shares)


# -- what line-ups agree on ------------------------------------------------------------------------


def table(*found: Search) -> Table:
    return Table((task("hasbro", 2),) * len(found), found, {})


def test_line_ups_agree_where_their_prices_do() -> None:
    two = searched(world((0.52, 0.48), lambda squares: 0.02 * squares, seed=1))
    also = searched(world((0.52, 0.48), lambda squares: 0.021 * squares, seed=2))
    eight = searched(world((0.56, 0.44), lambda squares: 0.015 * squares, seed=1))
    even = searched(world((0.5, 0.5), lambda _: 0.0))
    assert table(two, also).agreed is True
    assert table(two, eight).agreed is False
    assert table(two, even).agreed is False
    assert table(two).agreed is None
    assert "The line-ups disagree: the price is" in price_report._paragraph(table(two, eight))


# -- head starts in the games ----------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["hasbro", "sorreesi-four-pawns", "ice-three"])
def test_no_squares_for_anybody_is_the_game_as_it_is(spec: str) -> None:
    assert task(f"{spec}+head_starts=[0,0]", 2).id == task(spec, 2).id
    assert task(f"{spec}+head_starts=[0,1]", 2).id == task(f"{spec}+head_starts=[0,1,0]", 2).id != task(spec, 2).id
    with pytest.raises(SimsorryError, match="names a seat 3, but players = 2"):
        task(f"{spec}+head_starts=[0,0,1]", 2)
    with pytest.raises(SimsorryError, match="quick_start_pawns = 0"):
        task(f"{spec}+head_starts=[0,1]+quick_start_pawns=1", 2)


@pytest.mark.parametrize(
    ("spec", "circles"), [("hasbro", (4, 19, 34, 49)), ("sorreesi-four-pawns", (0, 17, 34, 51)), ("ice-three", (4, 19, 34, 49))]
)
def test_each_seat_has_its_head_start_whoever_begins(spec: str, circles: tuple[int, ...]) -> None:
    """Squares by hand: the second player's pawn stands on its circle, the third's four squares farther."""
    asked = task(f"{spec}+head_starts=[0,1,5]", 4)
    replay = import_module(f"simsorry.games.{asked.ruleset.game}.replay").Replay
    line_up = asked.game.compile_line_up([policy.weights for policy in asked.policies])
    for first in range(4):
        found = replay(asked.ruleset.rules, asked.seat_colors, line_up, 1, 0, first_seat=first)
        assert found.first_seat == first
        second, third = circles[(first + 1) % 4], circles[(first + 2) % 4] + 4
        for square in (second, third):
            assert f" {square}" in found.position
        out = [square for square in range(max(circles) + 6) if f" {square} " in f"{found.position} ".replace(":", " ")]
        assert sorted(out) == sorted((second, third))


@pytest.mark.parametrize("spec", ["hasbro", "sorreesi-four-pawns", "ice-three"])
def test_rows_know_who_was_out_from_the_start(spec: str) -> None:
    asked = task(f"{spec}+head_starts=[0,1,5]", 4)
    block = play(asked, 0, 12)
    started = block.seats["first_start"].reshape(-1, 4)
    assert (started[:, 1:3] == 0).all()
    assert (started[:, [0, 3]] != 0).all()
    assert len(set(block.games["first_seat"].tolist())) > 1


@pytest.mark.parametrize("spec", ["hasbro", "hasbro-teams"])
def test_a_pawn_out_is_a_head_start_of_one_square(spec: str) -> None:
    quick, given = (play(task(f"{spec}+{option}", 4), 0, 200) for option in ("quick_start_pawns=1", "head_starts=[1,1,1,1]"))
    for name, column in quick.games.items():
        assert (column == given.games[name]).all(), name
    for name, column in quick.seats.items():
        assert (column == given.seats[name]).all(), name


def test_head_starts_are_on_top_of_how_all_begin() -> None:
    assert seat_price.with_head_starts(task("hasbro", 2), (0, 0)) == task("hasbro", 2)
    rules = seat_price.with_head_starts(task("hasbro", 4), (0, 1, 3, 4)).ruleset.rules
    assert rules.head_starts == (0, 1, 3, 4)
    quick = seat_price.with_head_starts(task("hasbro-quick", 2), (0, 3))
    assert (quick.ruleset.rules.head_starts, quick.ruleset.rules.quick_start_pawns) == ((1, 4), 0)
    assert quick.id == task("hasbro+head_starts=[1,4]", 2).id
    assert seat_price.longest(quick.ruleset) == 15
    assert seat_price.longest(task("hasbro-quick", 2).ruleset) == 14


def test_a_team_has_its_head_start_on_seats_that_are_its_own_whoever_begins() -> None:
    opposite, beside = task("hasbro-teams", 4), task('hasbro-teams+team_pairs=[["red","blue"],["yellow","green"]]', 4)
    assert seat_price.sides_of(opposite) == 2
    assert seat_price.head_starts(opposite, (0, 3)) == [0, 3, 0, 3]
    assert seat_price.head_starts(beside, (0, 3)) == [0, 0, 3, 0]
    assert seat_price.head_starts(beside, (2, 0)) == [2, 0, 0, 0]
    for asked in (opposite, beside):  # seat by seat: does its win go with that of the first seat?
        won = play(asked, 0, 100).seats["won"].reshape(-1, 4)
        for seat, squares in enumerate(seat_price.head_starts(asked, (0, 1))):
            assert not squares or (won[:, seat] != won[:, 0]).all()


def test_wins_are_counted_by_side_in_the_order_of_play() -> None:
    for spec in ("hasbro", "hasbro-teams"):
        asked = task(spec, 4)
        design = Design(((asked,),), 400, Margin(MARGIN))
        wins = seat_price._Player(design, 1, threading.Event(), lambda _: None, lambda *_: None, 0).wins(asked, range(400), (0, 0, 0, 0))
        won = play(asked, 0, 400).seats["won"].reshape(-1, 4).sum(axis=0)
        assert wins is not None
        assert wins.sum(axis=0).tolist() == won[: wins.shape[1]].tolist()
        assert wins.sum() == 400


def test_stopping_ends_it_without_a_result() -> None:
    stop = threading.Event()
    asked = Design(((task(STEEP, 2),),), 2_000, Margin(MARGIN))
    assert seat_price.measure(asked, stop=stop, on_games=lambda _: stop.set()) is None


# -- the command -----------------------------------------------------------------------------------

Made = tuple[Path, str, dict[str, Any]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A price with a strong advantage of the first seat, what was said, and the JSON."""
    out = tmp_path_factory.mktemp("price") / "report"
    text = said("price", STEEP, "--players", "2", "--games", "20000", "--margin", "seat_share=2pp", "--out", str(out), "--quiet")
    return out, text, json.loads((out / "report.json").read_text(encoding="utf-8"))


def test_it_finds_a_real_price(made: Made) -> None:
    """The first of two wins about 54.8% with random players, and about 2.7 squares make up for it, by 40,000 games of other numbers."""
    out, text, found = made
    search = found["tables"][0]["searches"][0]
    assert search["outcome"] == PRICED
    assert search["lacking"] == "later"
    assert search["price"]["low"] < 2.73 < search["price"]["high"]
    assert search["smallest_equal"] in ([0, 2], [0, 3])
    assert search["trials"][0]["shares"][0]["low"] > 0.53
    flat = " ".join(text.split())
    assert "Two players. With random players the seats are not equal: the first player wins 5" in flat
    assert "begins with a pawn" in flat
    assert "Played again on 20,000 other games, quick_start_pawns=0, head_starts=[1," in flat
    assert text.endswith(f"report: {out / 'report.html'}\n")


def test_it_writes_the_whole_report(made: Made) -> None:
    out, _, found = made
    assert {path.name for path in out.iterdir()} == {"report.html", "report.md", "report.json", "figures"}
    assert {path.name for path in (out / "figures").iterdir()} == {f"shares-2-{at}.{end}" for at in (1, 2) for end in ("svg", "png")}
    page = (out / "report.html").read_text(encoding="utf-8")
    for heading in ("In short", "Two players", "What was played", "Definitions"):
        assert f">{heading}</h2>" in page
    assert "nan" not in (out / "report.md").read_text(encoding="utf-8")
    assert found["format"] == "simsorry report price 1"
    trials = found["tables"][0]["searches"][0]["trials"]
    assert all(sum(trial["wins"]) == trial["games"] for trial in trials)
    assert trials[1]["task"] == seat_price.with_head_starts(task(STEEP, 2), trials[1]["squares"]).id


def test_equal_seats_have_no_price(tmp_path: Path) -> None:
    text = said("price", "hasbro", "--players", "4", "--also-policy", "none", "--games", "4000", "--margin", "seat_share=3pp", "--json",
                "--out", str(tmp_path / "report"), "--quiet")  # fmt: skip
    search = json.loads(text)["tables"][0]["searches"][0]
    assert (search["outcome"], search["price"]["value"], len(search["trials"])) == (EVEN, 0.0, 1)
    assert json.loads(text)["games"] == 4000


def test_too_few_games_leave_it_open(tmp_path: Path) -> None:
    text = " ".join(said("price", "hasbro", "--games", "200", "--also-policy", "none", "--out", str(tmp_path / "r"), "--quiet").split())
    assert text.count("it is undecided whether the seats win equally often; about ") >= 2
    assert "more games are needed (200 games), so that no price can be named" in text
    assert "Two players." in text
    assert "Four players." in text


def test_teams_are_sides(tmp_path: Path) -> None:
    text = said("price", "hasbro-teams", "--games", "400", "--margin", "seat_share=12pp", "--also-policy", "none", "--json",
                "--out", str(tmp_path / "r"), "--quiet")  # fmt: skip
    (found,) = json.loads(text)["tables"]  # of two or three players the rules know no teams
    assert (found["players"], found["teams"]) == (4, True)
    assert len(found["searches"][0]["trials"][0]["shares"]) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("hasbro+head_starts=[0,1]",), 2, "hasbro+head_starts=[0,1] gives head starts already (head_starts = [0, 1])"),
        (("hasbro+own_collision=share+quick_start_pawns=2",), 2, "price it with --set quick_start_pawns=1 or --set quick_start_pawns=0"),
        (("hasbro", "--policy", "random,balanced"), 2, "one policy is asked for, that of all players"),
        (("hasbro", "--also-policy", "random,balanced"), 2, "one policy is asked for, that of all players"),
        (("hasbro", "--margin", "length=1%"), 2, "seat_share=1pp"),
        (("hasbro", "--margin", "1pp"), 2, "write WHAT=SIZE"),
        (("hasbro", "--players", "5"), 2, "numbers of players from 2 to 4"),
        (("hasbro", "--players", "2,2"), 2, "each once"),
        (("hasbro-teams", "--players", "2"), 4, "2"),
        (("hasbro", "--games", "20"), 2, "a whole number from 100"),
        (("nobody",), 4, "nobody"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(arguments: tuple[str, ...], code: int, message: str, tmp_path: Path) -> None:
    assert message in refused("price", *arguments, "--out", str(tmp_path / "r"), code=code)
    assert not (tmp_path / "r").exists()


def test_verdicts_of_other_games_are_told(made: Made) -> None:
    _, _, found = made
    checks = found["tables"][0]["checks"]
    assert checks
    assert all({trial["policy"] for trial in check} == {"random", "balanced"} for check in checks)
    words = (stats.SAME, stats.NEGLIGIBLE, stats.UNSIZED, stats.UNDECIDED, stats.DIFFERENT)
    assert all(trial["verdict"].startswith(words) for check in checks for trial in check)
