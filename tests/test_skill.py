"""Skill against luck: duels are fair, shares and parts of the variance are what is put into made-up worlds, and the report says so."""

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import refused, said

from simsorry import policies, rulesets, skill, stats
from simsorry.report import skill as skill_report
from simsorry.simulate import Block
from simsorry.skill import Dealt, Design, Duel
from simsorry.stats import Difference, Floats


def design(ruleset: str = "hasbro", players: int = 4, policy: str = "balanced", deals: int = 60, **options: Any) -> Design:
    loaded = rulesets.load(ruleset)
    return Design(loaded, players, policies.load(policy, loaded.game), deals, 1, **options)


def duel(one: str, others: str, game: str = "classic") -> Duel:
    return Duel(one, one, policies.load(one, game), policies.load(others, game))


def dealt(asked: Design, one: str, others: str, *measures: str) -> Dealt:
    found = skill.deal(asked, duel(one, others, asked.ruleset.game), measures)
    assert found is not None
    return found


# -- duels -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "players", "sides"),
    [("hasbro", 4, 4), ("hasbro", 3, 3), ("hasbro", 2, 2), ("hasbro-teams", 4, 2), ("hasbro-points", 4, 4), ("sorreesi-four-pawns", 3, 3)],
)
@pytest.mark.parametrize("policy", ["random", "balanced"])
def test_where_all_play_alike_the_one_wins_its_fair_share_of_every_deal(ruleset: str, players: int, sides: int, policy: str) -> None:
    asked = design(ruleset, players, deals=20)
    assert len(asked.sides) == sides
    assert asked.fair == 1 / sides
    found = dealt(asked, policy, policy)
    assert (found.decided == sides).all()
    assert (found.wins == 1).all()
    gap = skill.gap_of(skill.share_of(found), asked.fair)
    assert gap.value == pytest.approx(0)
    assert gap.low <= gap.value <= gap.high


def test_random_against_another_random_is_fair_within_the_interval() -> None:
    # A card's worth of nothing: it plays like random, but draws for equals otherwise.
    asked = design(deals=400)
    found = skill.deal(asked, Duel("like random", "", policies.load("hoarder"), policies.load("racer")))
    assert found is not None
    change = skill.change_of(found, 0.25)
    assert change.interval()[0] <= 0 <= change.interval()[1]


@pytest.mark.parametrize(("ruleset", "sides"), [("hasbro", 4), ("hasbro-teams-points", 2)])
def test_every_player_sits_once_in_every_seat(ruleset: str, sides: int) -> None:
    asked = design(ruleset, deals=30)
    found = dealt(asked, "balanced", "random", "won", "place", "table_seat")
    won, place, seat = (found.cubes[name] for name in ("won", "place", "table_seat"))
    assert won.shape == (30, sides, sides)
    assert (won[:, :, 0].sum(axis=1) == found.wins).all()  # player 0 is the one
    numbers = np.arange(sides)
    for shift in numbers:  # the games: seats in play order, and who sits there
        assert (won[:, (numbers + shift) % sides, numbers].sum(axis=1) == 1).all()
        assert (place[:, (numbers + shift) % sides, numbers].min(axis=1) == 1).all()
    # A seat in play order is the same table seat in all games of a deal.
    assert (seat == seat[:, :, :1]).all()
    assert (np.sort(seat[:, :, 0], axis=1) == np.arange(sides)).all()


def test_partners_luck_is_added_up_and_their_win_is_not() -> None:
    rows = {"table_seat": [1, 2, 3, 0], "won": [0, 1, 0, 1], "luck": [10, 20, 30, 40]}
    block = Block(
        {"winner": np.array([1, 255]), "first_seat": np.array([1, 0])},
        {name: np.array([*values, *range(4)]) for name, values in rows.items()},
        0,
    )
    found = skill._rows(((0, 2), (1, 3)), ("won", "luck"), block)
    assert found.values["won"].tolist() == [[1, 0], [0, 1]]
    assert found.values["luck"].tolist() == [[60, 40], [2, 4]]
    assert found.first.tolist() == [1, 0]
    assert found.decided.tolist() == [1, 0]


def test_mistakes_cost_the_more_the_more_there_are() -> None:
    asked = design(deals=300)
    shares = [skill.share_of(dealt(asked, f"balanced~mistakes={share}", "balanced")) for share in (0.1, 0.4, 0.7, 1)]
    for fewer, more in zip([None, *shares], shares, strict=False):
        assert more.low < (fewer.high if fewer else 0.25)
    assert shares[0].value > shares[1].value > shares[2].value > shares[3].value
    at_random = skill.share_of(dealt(asked, "random", "balanced"))
    assert shares[3] == at_random
    assert at_random.value < 0.05


def test_a_careful_player_beats_random_ones() -> None:
    share = skill.share_of(dealt(design(deals=300), "balanced", "random"))
    assert share.low < 0.817 < share.high  # of 4,000 games
    assert share.n == 1200


def test_stopping_ends_it_without_a_result() -> None:
    stop = threading.Event()
    played = []

    def on_games(games: int) -> None:
        played.append(games)
        stop.set()

    asked = design(deals=2000)
    assert skill.measure(asked, stop=stop, on_games=on_games) is None
    assert 0 < sum(played) < asked.games / 10


# -- which duels -----------------------------------------------------------------------------------


def restricted(ruleset: str, policy: str = "balanced") -> list[str]:
    return [each.name for each in design(ruleset, policy=policy).duels["restricted"]]


def test_restrictions_that_mean_something() -> None:
    assert restricted("hasbro") == list(skill.RESTRICTIONS)
    assert "balanced-no-bumps" not in restricted("ice")
    assert skill.ONE_PAWN not in restricted("house-free-pass")  # who may pass would never start at all
    assert "balanced-blind" not in restricted("hasbro", "racer")  # it is blind as it is
    assert len(restricted("sorreesi")) == len(skill.RESTRICTIONS)


def test_a_weakened_player_meets_careful_ones() -> None:
    asked = design(policy="card-wise")
    for kind, duels in asked.duels.items():
        assert {each.others.name for each in duels} == {"card-wise"}
        assert len({each.one.hash for each in duels} | {asked.careful.hash}) == len(duels) + 1, kind
    assert asked.duels["mistakes"][1].one.lapses == {"mistakes": 0.1}
    assert asked.duels["mistakes"][1].told == "10% of its decisions at random"
    assert asked.duels["random_from"][2].told == "at random from 75% of its way on"
    assert asked.duels["restricted"][0].told == "never bumps"
    assert asked.games == 60 * (4 * 18 + 1)


# -- shares ----------------------------------------------------------------------------------------


def test_a_share_and_its_change_by_hand() -> None:
    # Four deals of four games: 3, 1, 2 and 2 wins, in the last only three games had a winner.
    found = Dealt(np.array([3.0, 1, 2, 2]), np.array([4.0, 4, 4, 3]), {})
    share = skill.share_of(found)
    assert share.value == pytest.approx(8 / 15)
    assert share.n == 15
    change = skill.change_of(found, 0.25)
    assert change.value == pytest.approx(8 / 15 - 0.25)
    influences = np.array([3 - 32 / 15, 1 - 32 / 15, 2 - 32 / 15, 2 - 24 / 15]) / 15
    assert change.error == pytest.approx(np.sqrt(4 / 3 * (influences**2).sum()))
    assert change.df == 3
    gap = skill.gap_of(share, 0.25)
    assert gap.value == pytest.approx((8 / 15 - 0.25) / 0.75)
    assert (gap.low, gap.high) == pytest.approx(((share.low - 0.25) / 0.75, (share.high - 0.25) / 0.75))


def test_never_winning_is_not_certain() -> None:
    change = skill.change_of(Dealt(np.zeros(25), np.full(25, 4.0), {}), 0.25)
    assert change.value == -0.25
    assert change.interval()[1] - change.interval()[0] == pytest.approx(stats.share(0, 100).high, rel=0.1)


def judged(differences: list[stats.Difference], margin: float) -> list[stats.Verdict | None]:
    return stats.judge(differences, [margin] * len(differences), "bh")


def test_without_a_winner_nothing_is_known() -> None:
    found = Dealt(np.zeros(25), np.zeros(25), {})
    assert not skill.share_of(found).known
    assert not skill.change_of(found, 0.25).known
    assert judged([skill.change_of(found, 0.25)], 0.02) == [None]


def test_verdicts_of_a_table_are_corrected_by_benjamini_and_hochberg() -> None:
    def shifted(z: float, size: float = 0.001) -> Difference:
        return Difference(z * size, size, np.inf, 1000, "share")

    # p = 0.036 by itself; of five with the others at 0.5 it is 0.18.
    alone, *_ = judged([shifted(2.1)], 0.02)
    among, *_ = judged([shifted(2.1), *[shifted(0.6745)] * 4], 0.02)
    assert alone is not None
    assert among is not None
    assert (alone.word, among.word) == (stats.NEGLIGIBLE, stats.SAME)
    assert among.p_value == pytest.approx(5 * alone.p_value, rel=1e-6)
    # Two that stand by themselves keep what they are: 0.036 * 2 / 2.
    both = judged([shifted(2.1), shifted(2.2)], 0.02)
    assert [each.word for each in both if each] == [stats.NEGLIGIBLE] * 2
    # What is only just beyond the margin, and only just from 0, among many that are not.
    edge = judged([shifted(-3.2, 0.01), *[shifted(0.1)] * 5], 0.01)[0]
    far = judged([shifted(-9, 0.01), *[shifted(0.1)] * 5], 0.01)[0]
    low = judged([shifted(-2.1, 0.01), *[shifted(0.1)] * 5], 0.01)[0]
    assert edge is not None
    assert far is not None
    assert low is not None
    assert (edge.word, far.word, low.word) == (stats.UNSIZED, stats.DIFFERENT, stats.UNDECIDED)


# -- parts of the variance -------------------------------------------------------------------------


def centered(values: Floats, *axes: int) -> Floats:
    for axis in axes:
        values = values - values.mean(axis=axis, keepdims=True)
    return values


def world(parts: dict[str, float], deals: int, sides: int, seed: int = 1) -> Floats:
    """Made-up numbers of deals x seats x players whose parts have known variances."""
    draw = np.random.default_rng(seed)
    fixed = np.linspace(-1, 1, sides)
    fixed /= fixed.std()
    made = {
        "policy": np.broadcast_to(fixed, (deals, sides, sides)),
        "seat": np.broadcast_to(fixed[:, None], (deals, sides, sides)),
        "luck": centered(draw.normal(size=(deals, sides, 1)), 1) * np.sqrt(sides / (sides - 1)),
        "policy_luck": centered(draw.normal(size=(deals, 1, sides)), 2) * np.sqrt(sides / (sides - 1)),
        "rest": draw.normal(size=(deals, sides, sides)),
    }
    return np.asarray(sum(np.sqrt(variance) * made[name] for name, variance in parts.items()))


WORLDS = [
    {"policy": 0.4, "seat": 0.05, "luck": 0.25, "policy_luck": 0.1, "rest": 0.2},
    {"policy": 0.0, "seat": 0.0, "luck": 0.0, "policy_luck": 0.0, "rest": 1.0},
    {"policy": 0.1, "seat": 0.0, "luck": 0.8, "policy_luck": 0.0, "rest": 0.1},
]


@pytest.mark.parametrize("parts", WORLDS)
@pytest.mark.parametrize("sides", [3, 4])
def test_parts_of_a_known_world(parts: dict[str, float], sides: int) -> None:
    found = skill.variance_parts(world(parts, 4000, sides))
    assert sum(each.value for each in found.values()) == pytest.approx(1)
    for name, variance in parts.items():
        assert found[name].value == pytest.approx(variance, abs=0.02), name
        assert found[name].high - found[name].low < 0.06


def test_with_two_sides_how_a_deal_suits_a_player_is_part_of_the_rest() -> None:
    found = skill.variance_parts(world({"policy": 0.4, "seat": 0.1, "luck": 0.3, "policy_luck": 0.0, "rest": 0.2}, 4000, 2))
    assert found["policy_luck"].value == 0
    for name, variance in {"policy": 0.4, "seat": 0.1, "luck": 0.3, "rest": 0.2}.items():
        assert found[name].value == pytest.approx(variance, abs=0.02), name


def test_the_intervals_of_parts_hold_the_truth_about_as_often_as_they_say() -> None:
    parts = WORLDS[0]
    inside = dict.fromkeys(parts, 0)
    for seed in range(100):
        for name, each in skill.variance_parts(world(parts, 200, 4, seed)).items():
            inside[name] += each.low <= parts[name] <= each.high
    assert all(count >= 85 for count in inside.values()), inside


def test_zero_sum_places_are_taken_apart_too() -> None:
    # Ranks of the sum of a policy's strength, a seat's cards and noise: nothing is left for all players of a game together.
    noisy = world({"policy": 0.5, "luck": 0.3, "rest": 0.2}, 3000, 4)
    numbers = np.arange(4)
    place = np.zeros_like(noisy)
    for shift in numbers:
        at = (slice(None), (numbers + shift) % 4, numbers)
        place[at] = (-noisy[at]).argsort(axis=1).argsort(axis=1)
    found = skill.variance_parts(place)
    assert sum(each.value for each in found.values()) == pytest.approx(1)
    assert found["policy"].value == pytest.approx(0.5, abs=0.02)
    assert 0.15 < found["luck"].value < 0.3 < found["luck"].value + found["rest"].value
    assert abs(found["seat"].value) < 0.01
    assert abs(found["policy_luck"].value) < 0.03


def test_the_same_games_whoever_sits_there_are_all_luck() -> None:
    found = dealt(design(deals=200), "random", "random", "won", "place")
    for cube in found.cubes.values():
        parts = skill.variance_parts(cube)
        assert parts["luck"].value + parts["seat"].value > 0.98
        assert abs(parts["policy"].value) < 1e-9


def test_nothing_varies() -> None:
    assert all(np.isnan(each.value) for each in skill.variance_parts(np.ones((30, 4, 4))).values())


# -- the luck of draws -----------------------------------------------------------------------------


def test_luck_explains_what_it_was_made_to_explain() -> None:
    draw = np.random.default_rng(2)
    luck = draw.normal(size=(5000, 4))
    score = luck - luck.mean(axis=1, keepdims=True)
    noise = centered(draw.normal(size=(5000, 4)), 1)
    found = skill.luck_share(np.sqrt(0.3) * score + np.sqrt(0.7) * noise, luck)
    assert found.value == pytest.approx(0.3, abs=0.02)
    assert found.low < 0.3 < found.high < found.low + 0.05
    assert found.n == 5000
    assert skill.luck_share(score, luck).value == pytest.approx(1)
    none = skill.luck_share(noise, luck)
    assert none.low == 0
    assert none.value < 0.001


def test_luck_by_hand() -> None:
    # Leads over the others' mean: 3, -3 and -1, 1; wins 1, 0 and 1, 0: r = 2 / sqrt(20 * 1).
    found = skill.luck_share(np.array([[1.0, 0], [1, 0]]), np.array([[5.0, 2], [1, 2]]))
    assert found.value == pytest.approx(4 / 20)


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A report, and what the command said."""
    out = tmp_path_factory.mktemp("skill") / "report"
    return out, said("skill", "hasbro", "--players", "2", "--games", "40", "--out", str(out), "-q")


def test_the_command_says_what_it_found(made: tuple[Path, str]) -> None:
    out, text = made
    words = " ".join(text.split())
    assert words.startswith("Under “Hasbro 1998-2005” a careful player (balanced) wins ")
    assert "of the games against one who moves at random:" in words
    assert "of the way from a lottery, in which it would win 50%, to a certain win. 80 games." in words
    assert "Where the other stays careful, a player that leaves a tenth of its decisions to chance wins" in words
    assert "Of what sets places apart in these games" in words
    assert text.endswith(f"report: {out / 'report.html'}\n")


def test_the_report_is_whole(made: tuple[Path, str]) -> None:
    out, _ = made
    assert sorted(path.name for path in (out / "figures").iterdir()) == ["mistakes.png", "mistakes.svg", "restricted.png", "restricted.svg"]
    html, markdown = ((out / name).read_text(encoding="utf-8") for name in ("report.html", "report.md"))
    for text in ("What restrictions cost", "One pawn at a time", "When skill stops mattering", "Who plays", "skill_gap"):
        assert text in html
        assert text.replace("_", "\\_") in markdown


def test_the_document_has_every_number(made: tuple[Path, str]) -> None:
    out, _ = made
    document = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert document["format"] == skill_report.FORMAT
    assert document["games"] == 40 * (2 * 18 + 1)  # and once with careful players alone, for the luck of their draws
    assert document["fair_share"] == 0.5
    assert [row["mistakes"] for row in document["eps_curve"]] == list(skill.MISTAKEN)
    assert [row["random_from"] for row in document["random_from"]] == list(skill.RANDOM_AFTER)
    assert [row["policy"] for row in document["restricted"]] == list(skill.RESTRICTIONS)
    for row in (*document["eps_curve"], *document["random_from"], *document["restricted"]):
        assert row["change"]["value"] == pytest.approx(row["share"]["value"] - 0.5)
        assert row["share"]["games"] == 80
        assert row["verdict"]
    share, gap = document["share"], document["skill_gap"]
    assert gap["value"] == pytest.approx(2 * share["value"] - 1)
    for parts in document["var_parts"].values():
        assert sum(part["value"] for part in parts.values()) == pytest.approx(1)
    assert set(document["var_parts"]) == {"won", "place"}
    assert 0 <= document["luck_share"]["value"] < 0.5
    assert document["luck_share"]["games"] == 40


def test_a_report_can_be_replaced_and_printed(made: tuple[Path, str]) -> None:
    out, _ = made
    before = json.loads((out / "report.json").read_text(encoding="utf-8"))
    printed = json.loads(said("skill", "hasbro", "--players", "2", "--games", "40", "--out", str(out), "-q", "--json", "--threads", "1"))
    assert printed == before


@pytest.mark.parametrize(
    ("arguments", "told", "code"),
    [
        (("--policy", "balanced,random"), "one policy is asked for", 2),
        (("--policy", "balanced~mistakes=0.1"), "leaves decisions to chance", 2),
        (("--margin", "2%"), "--margin 2%: a change of the win share is needed, such as 2pp", 2),
        (("--margin", "much"), "--margin much: a change of the win share is needed", 2),
        (("--games", "5"), "--games 5: a whole number from 20", 2),
        (("--players", "7"), "7", 4),
        (("--out", ""), "--out is empty", 2),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(tmp_path: Path, arguments: tuple[str, ...], told: str, code: int) -> None:
    assert told in refused("skill", "hasbro", "--out", str(tmp_path / "report"), *arguments, code=code)
    assert not (tmp_path / "report").exists()
