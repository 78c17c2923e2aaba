"""What a report says of leads, cards, hits, squares and chances to win, from rows and counts made up for it; and --chances."""

import json
import math
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from cli_tools import refused, simsorry_says
from made_up import HASBRO, NO_SLIDES, TEAMS, rows, sitting

from simsorry import gauging, question
from simsorry.course_metrics import COURSE, rank_conversion
from simsorry.errors import SimsorryError
from simsorry.games import audited
from simsorry.games.columns import CHECKPOINTS
from simsorry.games.options import CARDS
from simsorry.gauge import Bin, Check, Gauge, Mean, Moment
from simsorry.metrics import MARGINS, PLAIN, Rows
from simsorry.report import audit_figures, audit_tables, course_figures, course_tables, drawing, render
from simsorry.report.audits import Audits, audits_of, opponents_after
from simsorry.report.study import RulesetCard, Sitting, Study
from simsorry.simulate import Traits

GAMES = 1_000
SORRY = CARDS.index("sorry")


def counts(blocks: int = 10, **sections: dict[int, list[int]]) -> np.ndarray:
    """Counts of audited games by block: ``section={place: number in each block}``."""
    found = np.zeros((blocks, audited.SIZE), dtype=np.int64)
    for section, numbers in ({"games": {0: [5] * blocks}} | sections).items():
        for at, values in numbers.items():
            audited.section(found, section)[:, at] = values
    return found


def kind(name: str, phase: int) -> int:
    return phase * len(audited.KINDS) + audited.KINDS.index(name)


def use(name: str, card: int) -> int:
    return audited.USES.index(name) * audited.CARDS + card


@cache
def cards_and_hits() -> np.ndarray:
    """Two cards, hits among four seats, and three squares, the same in each of ten blocks but for a little."""
    odd = [0, 1] * 5
    return counts(
        drawn={0: [20] * 10, audited.CARDS: [10] * 10, SORRY: [10] * 10},
        unused={0: [4 + each for each in odd], SORRY: [5] * 10},
        gain={0: [26] * 10, SORRY: [200] * 10},
        harm={SORRY: [150] * 10},
        strikes={SORRY: [5] * 10},
        uses={use("start", 0): [13] * 10, use("forward", 0): [13 - each for each in odd], use("sorry", SORRY): [5] * 10},
        hits={4 * one + other: [3 if (other - one) % 4 == 1 else 1] * 10 for one in range(4) for other in range(4) if one != other},
        visits={0: [30] * 10, 1: [60] * 10, 59: [10] * 10},
        landings={0: [5] * 10, 1: [10] * 10},
        danger={0: [15 + each for each in odd], 1: [6 + each for each in odd]},
        early_players={0: [20] * 10, 1: [5] * 10},
        kinds={
            kind("dead", 0): [40 + each for each in odd], kind("choice", 0): [60 - each for each in odd],
            kind("forced", 1): [50] * 10, kind("choice", 1): [150] * 10,
            kind("declined", 2): [10] * 10, kind("choice", 2): [15] * 10,
        },
    )  # fmt: skip


def facts() -> Audits:
    found = audits_of(cards_and_hits(), "classic", 4)
    assert found
    return found


# -- rank at a checkpoint --------------------------------------------------------------------------


def ranked(made: Rows, percent: int, ranks: list[list[int]], winner: list[int]) -> Rows:
    """Games with these ranks at a checkpoint, and these winners, by play-order seat; 255 if there is none."""
    won = np.array([[seat == who for seat in range(len(each))] for each, who in zip(ranks, winner, strict=True)])
    seats = {**made.seats, f"rank_{percent}": np.array(ranks).reshape(-1), "won": won.reshape(-1).astype(np.uint8)}
    return replace(made, seats=seats, games={**made.games, "winner": np.array(winner)})


def test_a_rank_counts_where_one_alone_has_it_and_somebody_wins() -> None:
    made = ranked(
        rows(5), 50, [[1, 2, 3, 4], [2, 1, 3, 4], [2, 2, 4, 1], [1, 2, 3, 4], [0, 0, 0, 0]], [1, 1, 0, 255, 2]
    )  # fmt: skip
    won, there = rank_conversion(50, 2)(made)
    assert won.tolist() == [True, False, False, False, False]
    assert there.tolist() == [True, True, False, False, False]
    won, there = rank_conversion(50, 4)(made)
    assert won.tolist() == [False] * 5
    assert there.tolist() == [True, True, True, False, False]


def test_the_first_rank_is_that_of_leads_won() -> None:
    lead = next(metric for metric in COURSE if metric.name == "lead_conv_50")
    made = ranked(rows(3), 50, [[1, 2, 3, 4], [1, 1, 3, 4], [3, 2, 1, 4]], [0, 0, 0])
    for one, other in zip(lead.counts(made), rank_conversion(50, 1)(made), strict=True):
        assert one.tolist() == other.tolist()


def test_a_team_is_ranked_once_and_never_third() -> None:
    made = ranked(rows(2, traits=TEAMS), 50, [[2, 1, 2, 1], [1, 2, 1, 2]], [0, 0])
    won = np.array([1, 0, 1, 0] * 2, dtype=np.uint8)
    made = replace(made, seats={**made.seats, "won": won, "table_seat": np.array([0, 1, 2, 3] * 2)})
    won, there = rank_conversion(50, 2)(made)
    assert won.tolist() == [True, False]
    assert there.tolist() == [True, True]
    third = next(metric for metric in COURSE if metric.name == "win_at_50_rank_3")
    assert not third.measured(TEAMS)
    assert third.measured(PLAIN)


# -- what counts say -------------------------------------------------------------------------------


def test_nothing_is_said_where_no_game_was_audited() -> None:
    assert audits_of(counts(games={0: [0] * 10}), "classic", 4) is None


def test_cards_have_their_shares_by_phase_and_use() -> None:
    one, sorry = facts().cards
    assert (one.card, sorry.card) == ("1", "sorry")
    assert one.drawn.value == 30 / 5
    assert one.unused.value == 45 / 300
    assert [each.value for each in one.unused_by_phase[:2]] == [45 / 200, 0]
    assert not one.unused_by_phase[2].known
    assert one.uses["start"].value == 130 / 255
    assert set(one.uses) == {"start", "forward"}
    assert sorry.unused.value == 0.5
    assert (sorry.gained.value, sorry.lost.value, sorry.hits.value) == (20, 15, 0.5)
    assert one.unused.low < one.unused.value < one.unused.high
    assert one.unused.n == 50


def test_what_was_not_seen_is_not_surely_none() -> None:
    one = facts().cards[0]
    assert one.hits.value == one.hits.low == 0
    assert 0 < one.hits.high < 0.02
    assert (one.hits.unit, one.hits.n) == ("pawns", 50)


def test_the_worth_of_an_early_card_is_the_slope_of_winning_on_its_number() -> None:
    """Players by hand: how many of the card each had, and who won."""
    rng = np.random.default_rng(7)
    had, luck = rng.integers(0, 4, (40, 8)), rng.random((40, 8))
    won = (luck < 0.1 + 0.2 * had).astype(np.int64)
    found = audits_of(
        counts(
            40,
            drawn={3: [10] * 40},
            early_players={0: [8] * 40, 1: won.sum(axis=1).tolist()},
            early={3: had.sum(axis=1).tolist()},
            early_squares={3: (had**2).sum(axis=1).tolist()},
            early_wins={3: (had * won).sum(axis=1).tolist()},
        ),
        "classic",
        4,
    )
    assert found
    worth = found.cards[0].worth
    assert worth.value == pytest.approx(np.polyfit(had.reshape(-1), won.reshape(-1), 1)[0])
    assert worth.low < 0.2 < worth.high
    error = math.sqrt(np.var(won - np.polyval(np.polyfit(had.ravel(), won.ravel(), 1), had)) / had.size) / had.std()
    assert worth.high - worth.low == pytest.approx(2 * 2.02 * error, rel=0.25)


def test_turns_have_their_shares_by_third_and_kind() -> None:
    first, second, last = facts().phases
    assert first.turns.value == 100 / 5
    assert first.kinds["dead"].value == 0.405
    assert first.kinds["dead"].low < 0.405 < first.kinds["dead"].high
    assert (second.kinds["forced"].value, second.kinds["choice"].value) == (0.25, 0.75)
    assert (last.kinds["declined"].value, last.kinds["dead"].value) == (0.4, 0)
    assert last.kinds["dead"].high > 0  # not surely none
    without = audits_of(counts(), "classic", 4)
    assert without
    assert without.phases == ()


def test_hits_are_by_seat_and_by_who_moves_how_much_later() -> None:
    found = facts()
    assert found.hits[0][1].value == 3 / 5
    assert found.hits[1][0].value == 1 / 5
    assert found.hits[2][2].value == 0
    assert [each.value for each in found.hits_after] == [0.6, 0.2, 0.2]
    assert found.any_hits


def test_squares_bear_the_numbers_of_their_rulebook() -> None:
    found = {each.square: each for each in facts().squares}
    assert sorted(found) == list(range(60))
    assert found[0].visits.value == 0.3
    assert found[1].landings.value == 2
    assert found[59].visits.value == 0.1
    assert found[0].hits.value == 155 / 50
    assert found[0].risk.value == 155 / 300
    in_sorreesi = audits_of(cards_and_hits(), "sorreesi", 4)
    assert in_sorreesi
    assert [each.square for each in in_sorreesi.squares] == list(range(68))
    assert in_sorreesi.squares[0].visits.value == 0.3


def test_who_could_be_hit_alike() -> None:
    assert opponents_after(PLAIN, 4) == 3
    assert opponents_after(PLAIN, 2) is None
    assert opponents_after(TEAMS, 4) == 2
    assert opponents_after(Traits(teams=((0, 1), (2, 3))), 4) is None


# -- the report ------------------------------------------------------------------------------------


def gauge(brier: float = 0.6) -> Gauge:
    bins = (Bin(0.1, 0.12, 0.1, 0.14, 3_000), Bin(0.5, 0.48, 0.45, 0.51, 1_000))
    return Gauge((640, 64, 0, -64), 0, Check(2_000, 1_000, 50_000, brier, 0.75, bins))


def course(games: int = GAMES, *, audits: np.ndarray | None = None, traits: Traits = PLAIN, edge: int = 2) -> Rows:
    """Games in which the best of ``edge`` ranks drawn wins; the ranks are the same at every checkpoint."""
    made = rows(games, traits=traits)
    rng = np.random.default_rng(3)
    ranks = rng.permuted(np.tile(np.arange(1, 5), (games, 1)), axis=1)
    wins = rng.integers(1, 5, (games, edge)).min(axis=1)
    winner = (ranks == wins[:, None]).argmax(axis=1)
    for percent in CHECKPOINTS:
        made = ranked(made, percent, ranks.tolist(), winner.tolist())
    watched = {"round_ends": np.full(games, 50), "chance_sure": np.full(games, 9_000)}
    return replace(made, audits=audits, games={**made.games, **watched})


@cache
def one_ruleset() -> Sitting:
    return sitting([(replace(HASBRO, gauge=gauge()), course(audits=cards_and_hits(), traits=Traits(gauge=True)))])


@cache
def two_rulesets() -> Sitting:
    arms: list[tuple[RulesetCard, Rows]] = [
        (replace(HASBRO, gauge=gauge()), course(audits=cards_and_hits(), traits=Traits(gauge=True))),
        (replace(NO_SLIDES, gauge=gauge(0.8)), course(audits=cards_and_hits(), traits=Traits(hand=5, gauge=True), edge=3)),
    ]
    return sitting(arms)


def of(made: Sitting) -> Study:
    return Study("Title", "0.1.0", 15.0, dict(MARGINS), (made,))


def titles(made: Sitting) -> list[str]:
    return [section.title for section in render.sections(of(made))]


def test_sections_stand_after_lead_changes_and_only_where_there_is_something_to_say() -> None:
    new = ["Leads and comebacks", "Cards", "Who hits whom", "Squares", "Chances to win"]
    shown = titles(one_ruleset())
    at = shown.index("Leads and comebacks")
    assert shown[at - 1] == "Bumps and lead changes"
    assert shown[at : at + 5] == new
    assert shown[at + 5] == "Every measure"
    assert set(new) & set(titles(sitting([(HASBRO, rows(400))]))) == {"Leads and comebacks"}  # nothing was audited, and no chance gauged
    few = course(audits=counts(games={0: [1] * 10}), traits=PLAIN)
    assert set(new) & set(titles(sitting([(HASBRO, few)]))) == {"Leads and comebacks"}


def test_ranks_are_told_by_checkpoint_or_by_ruleset() -> None:
    study = of(one_ruleset())
    single = course_tables.ranks(study, study.main)
    assert single.headings == ("Rank", "at 25 %", "at 50 %", "at 75 %")
    assert [row[0] for row in single.rows] == ["First", "Second", "Third", "Fourth"]
    shares = [one_ruleset().base.measured[f"win_at_50_rank_{rank}"].value for rank in (2, 3, 4)]
    assert one_ruleset().base.measured["lead_conv_50"].value + sum(shares) == pytest.approx(1)
    study = of(two_rulesets())
    several = course_tables.ranks(study, study.main)
    assert several.headings == ("Rank", "hasbro", "slides=off")
    assert [row[0] for row in several.rows[:2]] == ["First at 25 %", "Second at 25 %"]
    assert len(several.rows) == 12
    (told,) = course_tables.lead_sentences(one_ruleset())
    assert "wins 45% (42 to 48%)" in told
    assert "25% would be even" in told


def test_two_players_have_no_third_rank() -> None:
    made = rows(400, 2)
    ranks = np.tile([1, 2], (400, 1)).tolist()
    for percent in CHECKPOINTS:
        made = ranked(made, percent, ranks, (np.arange(400) % 2).tolist())
    found = sitting([(HASBRO, made)], ["random"] * 2)
    study = of(found)
    assert [row[0] for row in course_tables.ranks(study, found).rows] == ["First", "Second"]
    shown = next(section for section in render.sections(study) if section.title == "Every measure").parts[0].tables[0]
    named = [row[0] for row in shown.rows]
    assert "Won from rank 2 at 50%" in named
    assert "Won from rank 3 at 50%" not in named


def test_the_title_of_the_ranks_is_their_finding() -> None:
    assert course_figures.pictures(one_ruleset())["ranks"].finding.startswith("Who leads half way wins 45%, who is last then wins 5.4%")
    finding = course_figures.pictures(two_rulesets(), "table-2-")["ranks"].finding
    assert "under hasbro; " in finding
    assert finding.endswith("under slides=off")


def test_cards_say_what_they_are_used_for_and_what_they_bring() -> None:
    study = of(two_rulesets())
    (base, found), (hand, _) = audit_tables.audited_arms(study.main)
    used, brought = audit_tables.card_tables(study, study.main, base, found)
    assert used.caption == "What cards are used for under hasbro: 50 audited games, one in 23 of 1,000"
    assert used.headings[2] == "Does nothing"
    assert used.rows[0][0] == "1"
    assert used.rows[0][-1] == "start 51%, move 49%"
    assert used.rows[1][0] == "Sorry!"
    assert used.rows[1][-1] == "hit from START 100%"
    assert brought.rows[0][2] == "none"
    assert brought.rows[1][1].startswith("20")
    assert "luck of the draw" not in brought.note
    used, brought = audit_tables.card_tables(study, study.main, hand, found)
    assert used.headings[2] == "Thrown in"
    assert "not the luck of the draw" in brought.note
    finding = audit_figures.pictures(study.main)["unused"].finding
    assert finding == "The Sorry! goes unused in 50% of the cases under hasbro, the 1 in 15.0%"


def test_a_sentence_says_whether_the_next_player_is_hit_more() -> None:
    found, arm = facts(), one_ruleset().base
    told = audit_tables.next_sentence(one_ruleset(), arm, found)
    assert told.startswith("60%")
    assert told.endswith("where 33.3% would be even, so the next player is hit more than others.")
    even = replace(found, hits_after=(replace(found.hits_after[0], value=0.33, low=0.3, high=0.36),))
    assert "not shown to be more or less" in audit_tables.next_sentence(one_ruleset(), arm, even)


def test_dangerous_squares_are_those_with_most_hits_for_each_that_stands_there() -> None:
    study = of(one_ruleset())
    table = audit_tables.squares(study, study.main, study.main.base, facts())
    assert [row[1] for row in table.rows[:3]] == ["1", "0", "59"]  # most visited
    assert [row[4] for row in table.rows[:3]] == ["0", "1", "–"]  # most dangerous; there are no hits elsewhere
    assert len(table.rows) == 10


def test_turns_are_told_from_third_to_third() -> None:
    study = of(two_rulesets())
    table = audit_tables.phases(study, study.main)
    assert table.headings == ("Turns", "hasbro", "slides=off")
    assert len(table.rows) == 15
    assert table.rows[4][0] == "Second third: dead"
    assert table.rows[5] == ("Second third: forced", "25% (25 to 25%)", "25% (25 to 25%)")
    picture = audit_figures.pictures(one_ruleset())["phases"]
    assert picture.finding == "Turns with a choice are 60% of all in the first third of the way, 75% in the second and 60% in the last"
    drawn = picture.files().svg
    for text in ("second third", "declined", "forced", ">75%<", ">40%<"):
        assert text in drawn
    chapter = next(section for section in render.sections(study) if section.title == "What there is to do")
    assert [picture.name for part in chapter.parts for picture in part.pictures] == ["turns", "phases"]
    assert "phases" not in audit_figures.pictures(sitting([(HASBRO, course(audits=counts(drawn={0: [1] * 10})))]))


def test_the_map_of_hits_names_the_pairs_that_stand_out() -> None:
    picture = audit_figures.pictures(one_ruleset(), "table-2-")["hits-0"]
    assert picture.name == "table-2-hits-0"
    assert picture.finding == "Seat 1 hits seat 2 most, 0.60 pawns a game, and seat 1 seat 3 least, 0.20"
    svg = picture.files().svg
    assert len(re.findall(rf"fill: ({'|'.join(drawing.SHADES)})", svg)) == 12  # no seat hits itself
    odd = {(one, other): [3, 5] * 5 if (one + other) % 2 else [5, 3] * 5 for one in range(4) for other in range(4) if one != other}
    luck = counts(drawn={0: [1] * 10}, hits={4 * one + other: numbers for (one, other), numbers in odd.items()})
    even = audit_figures.pictures(sitting([(HASBRO, course(audits=luck))]))["hits-0"]
    assert even.finding.startswith("No seat is shown to hit another more than others do: each 0.8")


def fan() -> tuple[Moment, ...]:
    """The winner's chance rises from 30 % to 75 %, in steps of five points."""
    made = []
    for tenth in range(1, 11):
        chance = 0.25 + tenth / 20
        means = [Mean(value, value - 0.01, value + 0.01) for value in (chance, 0.3, (0.7 - chance) / 2 + 0.1)]
        spread = (chance - 0.2, chance - 0.1, chance, chance + 0.1, chance + 0.2)
        made.append(Moment(tenth / 10, means[0], spread, means[1], means[2]))
    return tuple(made)


def fanned(*fans: tuple[Moment, ...]) -> Sitting:
    made = []
    for card, each in zip((HASBRO, NO_SLIDES), fans, strict=False):
        check = gauge().check
        assert check
        made.append((replace(card, gauge=replace(gauge(), check=replace(check, fan=each))), course(traits=Traits(gauge=True))))
    return sitting(made)


def test_the_fan_says_what_the_winner_had_half_way_and_at_the_end() -> None:
    alone = course_figures.pictures(fanned(fan()), "table-2-")["fans"]
    assert alone.name == "table-2-fans"
    assert alone.finding == "Half way through, the winner's chance is 50% on average; at the last round end it is 75%"
    surer = tuple(replace(moment, winner=Mean(min(moment.winner.value + 0.25, 0.97), 0.5, 1)) for moment in fan())
    beside = course_figures.pictures(fanned(fan(), surer))["fans"]
    assert beside.finding.endswith("it is 75% (75% and 97% under slides=off)")
    sure = course_figures.pictures(fanned(surer))["fans"].finding
    assert sure.endswith("is 75% on average; it passes 90% when 80% of the game is over")
    svg = alone.files().svg
    for text in ("eight in ten winners", "best-placed loser", "other losers"):
        assert text in svg
    assert "fans" not in course_figures.pictures(one_ruleset())  # a gauge of an earlier version


def test_the_table_of_the_fan_has_all_its_numbers() -> None:
    study = of(fanned(fan()))
    (table,) = course_tables.fans(study, study.main)
    assert len(table.rows) == 10
    assert table.rows[4] == (
        "50%", "50.0% (49.0 to 51.0%)", "30%", "40%", "50%", "60%", "70%", "30.0% (29.0 to 31.0%)", "20.0% (19.0 to 21.0%)",
    )  # fmt: skip
    assert table.headings[2] == "10% have less than"
    chapter = next(section for section in render.sections(study) if section.title == "Chances to win")
    assert [picture.name for part in chapter.parts for picture in part.pictures] == ["fans", "reliability"]
    two = replace(fan()[0], other_losers=None)
    study = of(fanned((two,)))
    assert course_tables.fans(study, study.main)[0].rows[0][-1] == "–"
    course_figures.pictures(study.main)["fans"].files()


def test_the_gauge_is_told_in_odds_and_by_how_often_it_comes_true() -> None:
    study = of(two_rulesets())
    table = course_tables.weights(study, study.main)
    assert [row[1] for row in table.rows[:5]] == ["2.72", "2.72", "1", "0.368", "1"]
    assert ("Error (Brier score)", "0.600", "0.800") in table.rows
    assert course_tables.miss(gauge().check) == pytest.approx(0.02)  # type: ignore[arg-type]
    first, good, bad = course_tables.chance_sentences(study.main)
    assert "fitted to other games" in first
    assert good == "hasbro: it takes away 20% of the error of equal chances, and is off by 2 points on average."
    assert bad == "slides=off: it does no better there than equal chances, so what follows says little."
    one, _ = course_tables.reliability(study, study.main)
    assert one.rows[0] == ("10.0%", "12.0% (10.0 to 14.0%)", "3,000")
    assert course_tables.chances(study, study.main).rows[0] == ("As good as won", "90% (90 to 90%)", "90% (90 to 90%)")


def test_pictures_and_json_have_all_of_it() -> None:
    files = render.render(of(one_ruleset())).files
    for name in ("ranks", "unused", "phases", "hits-0", "traffic-0", "danger-0", "reliability"):
        assert files[f"figures/{name}.png"].startswith(b"\x89PNG")
    arm = json.loads(files["report.json"])["sittings"][0]["rulesets"][0]
    assert arm["audits"]["games"] == 50
    assert len(arm["audits"]["squares"]) == 60
    assert arm["audits"]["cards"][0]["uses"]["start"]["n"] == 50
    assert arm["ruleset"]["gauge"]["check"]["brier"] == 0.6
    assert arm["measured"]["win_at_25_rank_4"]["value"] > 0


# -- --chances -------------------------------------------------------------------------------------


def test_matches_are_refused() -> None:
    for command in (("run", "hasbro-match"), ("compare", "hasbro-points", "hasbro-match", "--out", "nowhere")):
        line = refused(*command, "--chances", code=2)
        assert line.startswith("simsorry: --chances: hasbro-match is played in matches of several rounds")


def test_a_run_says_how_good_the_gauge_is_and_a_report_of_its_games_has_it_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gauging, "FIT_GAMES", 300)
    monkeypatch.setattr(gauging, "CHECK_GAMES", 200)
    games = str(tmp_path / "games")
    result = simsorry_says("run", "hasbro", "--players", "2", "--games", "500", "--chances", "--out", games, "--no-progress")
    assert result.exit_code == 0, result.output
    assert "fitting a gauge of the chance to win to other games of hasbro …" in result.stderr
    assert "% less than that of equal ones (0.500), on 200 other games" in result.stdout
    assert "  as good as won at" in result.stdout
    again = simsorry_says("run", "hasbro", "--players", "2", "--games", "500", "--chances", "--out", games, "--json", "-q")
    found = json.loads(again.stdout)["chances"]
    assert json.loads(again.stdout)["task"] in result.stdout
    assert found["games"] == 500
    assert found["skill"] == pytest.approx(1 - found["check"]["brier"] / 0.5)
    assert 0.5 < found["course"]["chance_sure"]["low"] < found["course"]["chance_sure"]["share"] < 1
    plain = simsorry_says("run", "hasbro", "--players", "2", "--games", "500", "--out", games, "-q")
    assert "chances" not in plain.stdout
    out = tmp_path / "report"
    result = simsorry_says("report", games, "--out", str(out), "-q")
    assert result.exit_code == 0, result.output
    document = json.loads((out / "report.json").read_text(encoding="utf-8"))
    (one,) = document["sittings"]
    (arm,) = one["rulesets"]  # the same games without a gauge say nothing more
    assert arm["measured"]["t90"]["value"] == pytest.approx(found["course"]["chance_sure"]["share"])
    assert arm["audits"]["games"] == 22


def test_a_question_may_ask_for_chances_but_not_while_it_varies_options(tmp_path: Path) -> None:
    lines = ['title = "T"', 'question = "Q"', 'answer = "A"', 'base = "hasbro"', "chances = true"]
    file = tmp_path / "asked.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert question.load(str(file)).chances
    file.write_text("\n".join([*lines, '[vary]\nslides = ["all_but_own", "off"]']), encoding="utf-8")
    with pytest.raises(SimsorryError, match="chances: that goes with arms, not with vary"):
        question.load(str(file))
