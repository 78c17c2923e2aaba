"""Careless policies: how they are written, when they leave a decision to chance, and that nothing else changes; and restricted ones."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import refused, said
from policy_tools import Chooser, Question
from scipy import stats as scipy_stats

from simsorry import policies, rulesets, simulate
from simsorry.errors import SimsorryError
from simsorry.games import classic
from simsorry.games.classic import queries, replay
from simsorry.games.classic.decision import Table
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS
from simsorry.skill import RESTRICTIONS

CHANCE = 1e-6  # of failing though all is well
U = np.uint64


def refusal(spec: str) -> str:
    with pytest.raises(SimsorryError) as caught:
        policies.load(spec)
    return str(caught.value)


# -- how they are written --------------------------------------------------------------------------------


def test_behind_a_name() -> None:
    plain, careless = policies.load("balanced"), policies.load("balanced~mistakes=0.1~random_from=0.5")
    assert careless.name == "balanced~mistakes=0.1~random_from=0.5"
    assert careless.title == "Balanced, mistakes = 0.1, random_from = 0.5"
    assert careless.lapses == {"mistakes": 0.1, "random_from": 0.5}
    assert careless.features == plain.features == plain.weights
    assert plain.lapses == {}


def test_in_a_file_and_behind_it(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('extends = "racer"\nmistakes = 0.2\nrandom_from = 0.5\n[weights]\nhome = 3\n')
    (tmp_path / "mine.toml").write_text('extends = "./base.toml"\nmistakes = 0.3\n[weights]\n')
    assert policies.load(str(tmp_path / "mine.toml")).lapses == {"mistakes": 0.3, "random_from": 0.5}
    assert policies.load(str(tmp_path / "mine.toml") + "~mistakes=0").lapses == {"random_from": 0.5}
    assert policies.load(str(tmp_path / "mine.toml") + "~mistakes=0").features == {"progress": 1.0, "home": 3.0}


def test_a_tilde_in_a_path_is_no_lapse(tmp_path: Path) -> None:
    folder = tmp_path / "a~mistakes=1"
    folder.mkdir()
    (folder / "b~c=d.toml").write_text("[weights]\nhome = 1\n")
    assert policies.load(str(folder / "b~c=d.toml")).weights == {"home": 1.0}


@pytest.mark.parametrize(
    ("spec", "like", "as_others"),
    [
        ("balanced~mistakes=0", "balanced", True),
        ("balanced~mistakes=1~random_from=0.5", "balanced~mistakes=1", True),  # nothing is left to care for
        ("balanced~random_from=0", "balanced~mistakes=1", True),
        ("random~mistakes=0.5", "random", True),  # it never cares
        ("balanced~random_from=0.5~mistakes=0.1", "balanced~mistakes=0.1~random_from=0.5", True),
        ("balanced~mistakes=0.1", "balanced", False),
        ("balanced~random_from=1", "balanced", False),
        ("balanced~mistakes=0.1", "balanced~mistakes=0.2", False),
    ],
)
def test_who_plays_alike_has_the_same_hash_and_the_same_games(spec: str, like: str, as_others: bool) -> None:
    one, other = policies.load(spec), policies.load(like)
    assert (one.hash == other.hash) is as_others
    tasks = [simulate.Task(rulesets.load("hasbro"), 2, (policy, policies.load("racer")), 1) for policy in (one, other)]
    assert (tasks[0].id == tasks[1].id) is as_others


def test_what_others_were_called_before_stays() -> None:
    assert policies.load("random").hash == "44136fa355b3"
    assert policies.load("balanced").hash == "307f80abff73"
    task = simulate.Task(rulesets.load("hasbro"), 4, policies.line_up(["balanced"], 4), 1)
    assert "mistakes" not in str(task.describe())


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("balanced~mistakes=2", "balanced~mistakes=2: mistakes = 2 is not allowed; allowed is a number from 0 to 1"),
        ("balanced~random_from=-0.1", "balanced~random_from=-0.1: random_from = -0.1 is not allowed; allowed is a number from 0 to 1"),
        ("balanced~mistakes=nan", "balanced~mistakes=nan: mistakes = nan is not allowed; allowed is a number from 0 to 1"),
        ("balanced~mistakes=true", "balanced~mistakes=true: mistakes = true is not allowed; allowed is a number from 0 to 1"),
        ("balanced~mistakes=", "balanced~mistakes=: mistakes =  is not allowed; allowed is a number from 0 to 1"),
        ("balanced~mistake=0.1", "balanced~mistake=0.1: mistake = 0.1: there is no such key; did you mean mistakes?"),
        (
            "balanced~x=1",
            "balanced~x=1: x = 1: there is no such key; behind ~ stands mistakes, random_from, playouts, horizon, breadth or spread",
        ),
        ("balanced~mistakes=0.1~mistakes=0.2", "balanced~mistakes=0.1: mistakes = 0.1: mistakes is given twice"),
        ("balanced~", 'no built-in policy is called "balanced~"; did you mean balanced?'),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(spec: str, told: str) -> None:
    assert refusal(spec) == told


@pytest.mark.parametrize("value", ["1.5", "-1", "true", '"0.1"', "[0.1]", "nan"])
def test_wrong_shares_in_a_file(tmp_path: Path, value: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(f"mistakes = {value}\n[weights]\nhome = 1\n")
    message = refusal(str(file))
    assert message.startswith(f"{file}: mistakes = ")
    assert message.endswith("is not allowed; allowed is a number from 0 to 1")


def test_the_command_line_takes_and_shows_them(tmp_path: Path) -> None:
    shown = re.sub(r"\s+", " ", said("policies", "show", "racer~mistakes=0.25~random_from=0.5"))
    assert "In 25% of its decisions it takes any outcome" in shown
    assert "Once its pawns have come 50% of their way" in shown
    file = tmp_path / "mine.toml"
    file.write_text(said("policies", "show", "racer~mistakes=0.25", "--resolved"))
    assert policies.load(str(file)).weights == policies.load("racer~mistakes=0.25").weights
    assert '"mistakes": 0.25' in said("policies", "show", "racer~mistakes=0.25", "--json")
    assert "~mistakes=0.1" in said("policies", "--help")
    assert said("run", "hasbro", "--games", "5", "--policy", "balanced~mistakes=0.1,random,random,random", "-q")
    assert "from 0 to 1" in refused("run", "hasbro", "--games", "5", "--policy", "balanced~mistakes=3")


# -- whole games ---------------------------------------------------------------------------------------


def rows(ruleset: str, spec: str, games: int = 20) -> simulate.Block:
    loaded = rulesets.load(ruleset)
    return simulate.play(simulate.Task(loaded, 4, policies.line_up([spec, "balanced", "random", spec], 4, loaded.game), 5), 0, games)


RULESETS = ["hasbro", "hasbro-points", "hasbro-teams", "sorreesi", "ice-three"]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(
    ("spec", "like"),
    [
        ("balanced~mistakes=1", "random"),  # not only as often: the very games
        ("balanced~random_from=0", "random"),
        ("balanced~mistakes=0", "balanced"),
        ("balanced~random_from=1", "balanced"),
        ("balanced~mistakes=0.0000000001", "balanced"),  # less than chance is drawn in
    ],
)
def test_the_ends_are_the_games_of_others(ruleset: str, spec: str, like: str) -> None:
    one, other = rows(ruleset, spec), rows(ruleset, like)
    for name in other.seats:
        assert (one.seats[name] == other.seats[name]).all(), name
    assert (one.games["digest"] == other.games["digest"]).all()


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("spec", ["balanced~mistakes=0.1", "balanced~random_from=0.5"])
def test_what_lies_between_is_neither(ruleset: str, spec: str) -> None:
    digests = [rows(ruleset, each).games["digest"] for each in (spec, "balanced", "random")]
    assert (digests[0] != digests[1]).mean() > 0.5
    assert (digests[0] != digests[2]).all()


# -- single decisions ------------------------------------------------------------------------------------

# Red has come 65 + 17 + 27 = 109 of 260 squares, and may do with a 1: start, or move the pawns on 20 and 30. Balanced starts.
POSITION, STARTED = "red H S 20 30 / yellow S S S S", "red H 4 20 30 / yellow S S S S"
DECK = dict.fromkeys(CARDS, 0) | {"1": 40}


class Asked:
    """Games that begin in a position of red's, whose next card is a 1."""

    def __init__(self, *specs: str, **options: Any) -> None:
        self.table = Table(Rules(deck_counts=DECK, **options), ("red", "yellow"))
        self.scratch = classic.new_scratch()
        self.line_up = classic.compile_line_up([policies.load(spec).weights for spec in (*specs, "random")[:2]])

    def begin(self, game: int, position: str = POSITION) -> None:
        queries.begin(self.table.compiled, self.scratch, U(3), U(game))
        queries.let_begin(self.table.compiled, self.scratch, U(0))
        self.put(position)

    def put(self, position: str) -> None:
        queries.put_pawns(self.table.compiled, self.scratch, self.table.words(position))
        self.scratch[0]["seat"] = 0

    def step(self) -> str:
        """The position after the next card."""
        queries.step(self.table.compiled, self.line_up, self.scratch)
        return self.table.text(self.scratch[0]["word"])

    def outcomes(self, games: int, position: str = POSITION) -> Counter[str]:
        found: Counter[str] = Counter()
        for game in range(games):
            self.begin(game, position)
            found[self.step()] += 1
        return found


def sorted_text(position: str) -> str:
    return " / ".join(" ".join(sorted(group.split())) for group in position.split(" / "))


def started(found: Counter[str]) -> int:
    return sum(count for position, count in found.items() if sorted_text(position) == sorted_text(STARTED))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_mistakes_are_as_many_as_was_said_and_take_any_outcome(share: float) -> None:
    games = 4000
    found = Asked(f"balanced~mistakes={share}").outcomes(games)
    assert len(found) == 3
    expected = [share / 3] * 2 + [1 - share * 2 / 3]
    counted = [*(count for position, count in found.items() if sorted_text(position) != sorted_text(STARTED)), started(found)]
    assert scipy_stats.chisquare(counted, np.array(expected) * games).pvalue > CHANCE


@pytest.mark.parametrize(("share", "careful"), [(0.42, True), (0.419, False)])
def test_from_when_on_it_no_longer_cares(share: float, careful: bool) -> None:
    found = Asked(f"balanced~random_from={share}").outcomes(60)
    assert (started(found) == 60) is careful
    assert len(found) == (1 if careful else 3)


def test_it_no_longer_cares_for_the_rest_of_the_round_and_then_again() -> None:
    asked = Asked("balanced~random_from=0.419")
    behind = "red S S 20 30 / yellow S S S S"  # as far as 44 of 260
    later: Counter[str] = Counter()
    for game in range(60):
        asked.begin(game)
        asked.step()
        asked.put(behind)
        later[sorted_text(asked.step())] += 1
    assert len(later) == 3
    assert len(asked.outcomes(60, behind)) == 1  # another game


def test_the_other_seats_are_as_careful_as_ever() -> None:
    assert started(Asked("balanced", "balanced~mistakes=1").outcomes(60)) == 60


def test_partners_come_their_way_together() -> None:
    rules = Rules(deck_counts=DECK, team_pairs="opposite")  # type: ignore[arg-type]
    players = ("red", "blue", "yellow", "green")
    blue, green = "blue S S S S", "green S S S S"
    for yellow, careful in (("S S S S", True), ("H H H 5", False)):  # 109 of 520 squares, and 305
        line = classic.compile_line_up([policies.load("balanced~random_from=0.5").weights] * 4)
        position = f"red H S 20 30 / {blue} / yellow {yellow} / {green}"
        after = {next(iter(replay.Replay(rules, players, line, 3, game, start=position, first_seat=0).steps())).words for game in range(40)}
        assert (len(after) <= 2) is careful  # to start a pawn of one's own, or the partner's, is as good


# -- restricted play -------------------------------------------------------------------------------------

FORBIDDEN = {
    "balanced-no-bumps": "bumps",
    "balanced-one-pawn": "starts",
    "balanced-no-backward": "backs",
    "balanced-no-swaps": "swaps",
    "balanced-no-splits": "splits",
}


def test_there_is_a_file_for_every_restriction() -> None:
    assert sorted(RESTRICTIONS) == [name for name in policies.names() if name.startswith("balanced-")]
    for name in RESTRICTIONS:
        assert policies.load(name).title.startswith("Balanced, but ")
        assert policies.restricted(name, policies.load("balanced")).weights == policies.load(name).weights


def test_a_restriction_can_be_laid_on_another_policy() -> None:
    racer = policies.load("racer~mistakes=0.5")
    assert policies.restricted("balanced-no-swaps", racer).weights == {"swaps": -5000.0, "progress": 1.0, "mistakes": 0.5}
    hunter = policies.load("hunter")
    assert policies.restricted("balanced-blind", hunter).weights == {"progress": 1.0}


def decisions(policy: str, ruleset: str, games: int) -> Iterator[tuple[Any, bool]]:
    """What red does with each card of some games that leaves it a choice, and whether there was an outcome of another kind."""
    rules = rulesets.load(ruleset).rules
    players = ("red", "blue", "yellow", "green")
    line = classic.compile_line_up([policies.load(name).weights for name in (policy, "balanced", "balanced", "balanced")])
    chooser = Chooser(rules, players)
    feature = FORBIDDEN[policy]
    for game in range(games):
        told = replay.Replay(rules, players, line, 11, game)
        before = told.position
        for card in told.steps():
            if card.color == 0 and card.choices:
                question = Question(before, "red", CARDS[card.card])
                kinds = chooser.scores({feature: 1.0}, question)
                yield card, min(kinds) == 0 or (feature == "starts" and 0.0 in chooser.scores({"starts": 1.0, "takes": 1.0}, question))
            before = told.position


@pytest.mark.parametrize("policy", FORBIDDEN)
def test_it_breaks_its_restriction_only_where_it_must(policy: str) -> None:
    counter = FORBIDDEN[policy]
    broken = kept = 0
    for card, free in decisions(policy, "hasbro", 8):
        did = replay._events(card)[counter] > 0
        assert not (did and free), card.did
        broken, kept = broken + did, kept + free
    assert kept > 20


@pytest.mark.parametrize(
    ("policy", "ruleset", "column"),
    [
        ("balanced-no-swaps", "hasbro", "swaps"),
        ("balanced-no-swaps", "sorreesi", "swaps"),
        ("balanced-no-swaps", "ice-three", "swaps"),
        ("balanced-no-bumps", "hasbro", "bumps_given"),
        ("balanced-no-bumps", "sorreesi", "bumps_given"),
        ("balanced-one-pawn", "hasbro", "starts"),
        ("balanced-one-pawn", "sorreesi", "starts"),
        ("balanced-one-pawn", "ice-three", "starts"),
    ],
)
def test_it_does_less_of_it_than_others(policy: str, ruleset: str, column: str) -> None:
    loaded = rulesets.load(ruleset)
    line = policies.line_up([policy, "balanced", "balanced", "balanced"], 4, loaded.game)
    seats = simulate.play(simulate.Task(loaded, 4, line, 11), 0, 200).seats
    own = seats["table_seat"] == 0
    # A player of balanced bumps, swaps and starts several times a game.
    assert seats[column][own].mean() < 0.8 * seats[column][~own].mean()
    if column == "swaps":  # nobody ever has to
        assert seats[column][own].sum() <= 4
