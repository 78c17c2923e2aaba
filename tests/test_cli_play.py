"""``simsorry play``: the game that is told is the game that is played."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from simsorry import simulate
from simsorry.cli import app
from simsorry.cli.play import replay_of
from simsorry.cli.run import make_task
from simsorry.errors import INVALID, USAGE, SimsorryError
from simsorry.games.classic import board, kernel, notation
from simsorry.games.classic.decision import Table
from simsorry.games.classic.replay import Card, Replay
from simsorry.games.classic.rules import CARDS, COLORS, DeckCounts, Rules

GAMES = (
    ("hasbro", 2, ["random"]),
    ("hasbro", 3, ["balanced"]),
    ("hasbro", 4, ["random"]),
    ("hasbro", 4, ["runner", "hunter", "random", "careful"]),
    ("hasbro+reshuffle_when=when_last_taken+card_in_play_in_reshuffle=excluded", 2, ["random"]),
    ("hasbro+own_collision=bump_self+slide_after_swap=both+eleven_swap_forced=true", 3, ["hunter"]),
    ("hasbro+own_collision=ends_turn+must_move=false+home_overshoot=bounce", 2, ["random"]),
    ("hasbro+pawns=3+two_draws_again=if_played+turn_cap=60", 4, ["random"]),
    ("hasbro-quick", 4, ["herd"]),
    ("french", 3, ["random"]),
    ("hasbro+game_end=all_home", 4, ["random"]),
    ("house-share-squares", 2, ["random"]),
    ("house-spinner", 4, ["random"]),
    ("house-lap-again", 2, ["random"]),
    ("house-many-splits", 2, ["random"]),
)

ONES = DeckCounts.model_validate({card: 4 if card == "1" else 0 for card in CARDS})  # a deck without surprises


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """So that no command says that it is compiling."""
    CliRunner().invoke(app, ["play", "hasbro", "--turns", "1"])


def cli(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["play", *arguments])


def told(*arguments: str) -> str:
    result = cli(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


# -- the same game as is played ----------------------------------------------------------------------


def by_color(cards: list[Card]) -> dict[str, Counter[int]]:
    """What the words on each card say of the colors, in terms of the seats table."""
    counts: dict[str, Counter[int]] = {name: Counter() for name in ("turns", "draws", "bumps_taken")}
    for card in cards:
        counts["draws"][card.color] += 1
        counts["turns"][card.color] += not card.draws_again
        for clause in re.split("; (?:then )?", card.did):
            other = re.match(r"(\w+)'s pawn slides", clause)
            mover = other[1] if other else COLORS[card.color]
            for number, victim in re.findall(r"(?:(\d) )?(\w+) from \w+", clause.partition("sends back ")[2]):
                counts["bumps_taken"][COLORS.index(victim)] += int(number or 1) * (victim != mover)
    return counts


@pytest.mark.parametrize(("ruleset", "players", "policies"), GAMES)
def test_the_told_game_is_the_one_that_is_played(ruleset: str, players: int, policies: list[str]) -> None:
    task = make_task(ruleset, players, policies, 11, [], None)
    first, count = 1000, 3
    block = simulate.play(task, first, count)
    for game in range(count):
        replay = replay_of(task, first + game)
        cards = list(replay.cards())
        row = {name: int(column[game]) for name, column in block.games.items()}
        assert replay.counters == {name: row[name] for name in replay.counters}
        assert (replay.first_seat, replay.capped) == (row["first_seat"], bool(row["capped"]))
        winner = [COLORS.index(color) for color, place in replay.places.items() if place == 1]
        assert winner == [row["winner_color"]] * (row["winner_color"] < len(COLORS))
        for name, counts in by_color(cards).items():
            rows = block.seats[name][players * game : players * (game + 1)]
            colors = block.seats["color"][players * game : players * (game + 1)]
            assert dict(zip(colors.tolist(), rows.tolist(), strict=True)) == {color: counts[color] for color in colors.tolist()}, name


def parts(did: str) -> set[str]:
    """The parts of a 7, in whichever order they were told."""
    return set(did.split("; then "))


def test_every_card_follows_from_the_one_before() -> None:
    """Each told position is the outcome that its words name, in the position before."""
    task = make_task("hasbro", 4, ["random"], 5, [], None)
    replay = replay_of(task, 0)
    table, before = Table(Rules(), COLORS), replay.position
    for card in replay.cards():
        decision = table.decide(before, COLORS[card.color], card.plain()["card"])
        assert len(decision.outcomes) == card.choices
        chosen = [parts(outcome.did) for outcome in decision.outcomes if outcome.position == replay.position]
        assert chosen == [parts(card.did)] * bool(card.choices)
        assert card.choices or before == replay.position
        before = replay.position
        assert card.words == replay.words
    assert replay.over


# -- what is printed ---------------------------------------------------------------------------------


def test_a_game_in_words() -> None:
    lines = told("hasbro", "--seed", "7", "--game", "123", "--no-board").splitlines()
    assert lines[:5] == [
        "hasbro; red, blue, yellow, green; random; seed 7, game 123",
        "red S S S S / blue S S S S / yellow S S S S / green S S S S",
        "",
        "    1  green   sorry  nothing to play",
        "    2  red     7      nothing to play",
    ]
    turns = [int(line[:5]) for line in lines[3:-1] if line[:5].strip()]
    assert turns == list(range(1, len(turns) + 1))
    assert re.fullmatch(
        rf"\w+ wins in turn {turns[-1]}: {turns[-1]} turns, {len(lines) - 4} cards, \d+ bumps, \d+ slides, \d+ reshuffles", lines[-1]
    )
    assert lines[-2].endswith("all pawns HOME: first")


def test_the_board_is_drawn_every_round_or_as_asked() -> None:
    whole = told("hasbro", "--turns", "8")
    assert whole.count("\n 0  >  -  -  ") == 3  # before, and after each of two rounds
    assert told("hasbro", "--turns", "9").count("\n 0  >  -  -  ") == 4
    assert told("hasbro", "--turns", "8", "--every", "100").count("\n 0  >  -  -  ") == 2
    assert board.LEGEND in whole
    assert whole.splitlines()[-1].startswith("not over yet: 8 turns, ")
    assert "\x1b" not in whole


def test_a_game_that_goes_on_for_places() -> None:
    last = told("french", "--players", "3", "--no-board").splitlines()[-1]
    assert re.match(r"(\w+) wins in turn \d+, (\w+) is second, (\w+) is third: \d+ turns", last)


def test_a_game_that_is_cut_off() -> None:
    assert told("hasbro", "--set", "turn_cap=7", "--no-board").splitlines()[-1].startswith("cut off at the turn cap: 7 turns")


def test_the_discards_become_the_pile() -> None:
    told_once = told("hasbro+deck_counts={1=1,2=1,3=0,4=0,5=0,7=0,8=0,10=0,11=0,12=1,sorry=0}", "--turns", "4", "--no-board")
    assert told_once.count("; the discards become the pile") == (len(told_once.splitlines()) - 5) // 3


def test_a_game_as_json() -> None:
    document = json.loads(told("hasbro", "--players", "2", "--policy", "runner,hunter", "--json"))
    task = make_task("hasbro", 2, ["runner", "hunter"], 1, [], None)
    assert (document["task"], document["seat_colors"], document["policies"]) == (task.id, ["red", "yellow"], ["runner", "hunter"])
    assert (document["over"], document["capped"]) == (True, False)
    assert document["counters"]["draws"] == len(document["cards"])
    assert document["cards"][-1]["place"] == 1
    (winner,) = document["places"]
    assert f"{winner} H H H H" in document["cards"][-1]["position"]


# -- from a position ---------------------------------------------------------------------------------


def test_a_game_from_a_position() -> None:
    lines = told("hasbro", "--from", "green Z1 H H H / red 4 S S S", "--seat", "green", "--no-board").splitlines()
    assert lines[0] == 'hasbro+seat_colors=["red","green"]; red, green; random; seed 1, game 0'
    assert lines[1] == "red S S S 4 / green Z1 H H H"
    assert lines[3].startswith("    1  green ")
    assert cli("hasbro", "--from", "green Z1 H H H / red 4 S S S", "--seat", "2", "--no-board").stdout.splitlines() == lines


def test_the_seats_of_a_position_can_be_chosen() -> None:
    more = ("--seats", "green,red", "--seat", "1", "--turns", "1", "--no-board", "--players", "2")
    assert told("hasbro", "--from", "red 5 S S S / green 4 S S S", *more).splitlines()[3].startswith("    1  green ")


def test_a_position_counts_as_begun() -> None:
    """What the kernel keeps beside the pawns is right too: the winner of a game that is nearly over, and what is left to go."""
    replay = Replay(Rules(deck_counts=ONES), ("red", "blue"), _random(2), 1, 1, "red Z5 H H H / blue S S S 19", 0)
    (card,) = replay.cards()
    assert (card.seat, card.place, card.did) == (0, 1, "moves 1 forward from Z5 to HOME")
    assert replay.places == {"red": 1}
    state = replay._state
    assert state["togo"].tolist()[:2] == [0, 3 * 65 + 64]
    assert state["pips_left"].tolist()[:2] == [0, 3 * 65 + 64]
    first_start = [int(state["tally"][seat * kernel.TALLY_STRIDE + int(kernel.TALLY.first_start)]) for seat in (0, 1)]
    assert first_start == [0, 0]


def _random(players: int) -> Any:
    from simsorry.games import classic

    return classic.compile_line_up([{}] * players)


# -- nonsense ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        (["hasbo"], "did you mean hasbro?", INVALID),
        (["hasbro", "--seed", "x"], "--seed x: a whole number from 0 to", USAGE),
        (["hasbro", "--game", "-1"], "--game -1: a whole number from 0 to", USAGE),
        (["hasbro", "--turns", "0"], "--turns 0: a whole number from 1 to", USAGE),
        (["hasbro", "--every", "1.5"], "--every 1.5: a whole number from 1 to", USAGE),
        (["hasbro", "--players", "5"], "players = 5", INVALID),
        (["hasbro", "--policy", "runer"], "did you mean runner?", INVALID),
        (["hasbro", "--seat", "5"], '--seat "5" does not play here; the players are red, blue, yellow, green (or 1 to 4)', INVALID),
        (["hasbro", "--players", "2", "--seat", "yelow"], "did you mean yellow?", INVALID),
        (["hasbro", "--from", "red S S S S"], "a game needs two to four players", INVALID),
        (["hasbro", "--from", "nobody"], 'position: "nobody" is not a color', INVALID),
        (["hasbro", "--from", "red H H H H / blue S S S S"], "position: red has all pawns HOME already", INVALID),
        (["hasbro", "--from", "red S S S / blue S S S S"], "red has 3 pawns", INVALID),
        (
            ["hasbro", "--from", "red S S S S / blue S S S S", "--players", "3"],
            "--players 3, but --from has the pawns of 2: red, blue",
            USAGE,
        ),
        (["hasbro", "--from", "red S S S S / blue S S S S", "--seats", "red,green"], '"blue" does not play here', INVALID),
    ],
)
def test_nonsense_gives_one_sentence(arguments: list[str], sentence: str, code: int) -> None:
    result = cli(*arguments)
    assert result.exit_code == code, result.stderr
    assert sentence in result.stderr
    assert re.fullmatch(r"simsorry: [^\n]+\n", result.stderr)
    assert result.stdout == ""


def test_nobody_plays_from_a_position_that_can_not_be() -> None:
    with pytest.raises(SimsorryError, match="both stand on 9"):
        Replay(Rules(), ("red", "blue"), _random(2), 1, 1, {"red": [9, "S", "S", "S"], "blue": [9, "S", "S", "S"]})


# -- the board ---------------------------------------------------------------------------------------

FULL = "red S 4 Z1 H / blue S S 8 Z5 / yellow 30 54 H H / green 33 49 58 Z2"
PICTURE = """\
 0  >  -  -  R  .  .  .  B  >  -  -  -  o  . 15
 .     R    (1)                               v
 G     r                   [0] B  b  b  b  b  |
 |     r                                      |
 |     r                                  (2) @
 |     r                                      .
 Y    [1]                                     .
 .                                            .
 .                                            .
 .                                     [2]    v
 .                                      y     |
 G (0)                                  y     |
 |                                      y     |
 |  g  G  g  g  g [0]                   y     o
 ^                               (0)    y     .
45  .  o  -  -  -  <  .  .  .  .  @  G  -  <  Y"""


def drawn(text: str, rules: Rules, colored: bool = False) -> str:
    places = notation.parse(text)
    table = Table(rules, [color for color in COLORS if color in places])
    return board.draw(table.words(places).tolist(), table.players, table.compiled[0], colored)


def test_the_board_in_plain_text() -> None:
    assert drawn(FULL, Rules()) == PICTURE


def test_colors_are_added_and_nothing_else() -> None:
    colored = drawn(FULL, Rules(), colored=True)
    bare = re.sub(r"\x1b\[[\d;]*m", "", colored)
    assert [line.rstrip() for line in bare.splitlines()] == PICTURE.splitlines()
    assert "\x1b[1;7;33m Y \x1b[0m" in colored


def test_only_slides_that_somebody_rides_are_drawn() -> None:
    assert not set("><^v") & set(drawn(FULL, Rules(slides="off")))
    two = drawn("red S S S S / yellow S S S S", Rules(absent_color_slides="inert"))
    assert set("><^v") & set(two) == set("><")
    assert "b" not in two


def test_pawns_on_one_square_are_counted() -> None:
    picture = drawn("red 7 7 Z5 Z5 / blue S S S S", Rules(own_collision="share"))
    assert " R2" in picture.splitlines()[0]
    assert picture.splitlines()[5][6:9] == " R2"
