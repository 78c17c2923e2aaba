"""Single decisions of the classic game: the outcomes against the referee's, and what is said to be done against what it leads to."""

import random
import re
from typing import Any

import pytest
from referee import classic as referee

from simsorry.errors import SimsorryError
from simsorry.games.classic import notation, story
from simsorry.games.classic.decision import Decision, Table
from simsorry.games.classic.rules import CARDS, COLORS, MAX_PAWNS, Rules

RULESETS, DECISIONS = 50, 25  # random ones, and how many of each
ALONE = "yellow S S S S"

VALUES: dict[str, list[Any]] = {
    "pawns": [1, 2, 3, 4, 4, 4, 5, MAX_PAWNS],
    "start_cards": [("1",), ("1", "2", "5", "sorry"), ("4", "10", "sorry"), ("1", "2")],
    "must_move": [False],
    "eleven_swap_forced": [True],
    "ten_back_forced": [False],
    "forward_past_entry": ["decline_ok", "forced"],
    "pass_scope": ["always"],
    "backward_out_of_zone": [False],
    "home_overshoot": ["bounce", "any"],
    "own_collision": ["ends_turn", "bump_self", "share"],
    "seven_parts": [1, 3, 4],
    "seven_resolution": ["simultaneous"],
    "swap_may_cross_entry": [False],
    "sorry_alt_forward": [4],
    "slides": ["off", "all"],
    "slide_riders": [{"red A": ("red",), "blue B": ()}],
    "slide_on_backward": [False],
    "slide_after_swap": ["both", "both", "none"],
    "slide_after_sorry": [False],
    "own_on_triangle": ["bump"],
    "absent_color_slides": ["inert"],
}


def random_rules(luck: random.Random) -> Rules:
    return Rules(**{option: luck.choice(values) for option, values in VALUES.items() if luck.random() < 0.25})


def random_position(luck: random.Random, rules: Rules, players: tuple[str, ...]) -> dict[str, list[int | str]]:
    """Any placement that the rules allow, crowded so that pawns meet."""
    region = luck.sample(range(60), 60) if luck.random() < 0.3 else [(luck.randrange(60) + step) % 60 for step in range(24)]
    free = [int(square) for square in dict.fromkeys(region)]
    luck.shuffle(free)
    position: dict[str, list[int | str]] = {}
    for color in players:
        zone = [f"Z{step}" for step in luck.sample(range(1, 6), 5)]
        places: list[int | str] = []
        for _ in range(rules.pawns):
            where = luck.choices(["S", "H", "zone", "track", "again"], [3, 1, 2, 6, 1])[0]
            stands = [place for place in places if place not in ("S", "H")]
            if where == "again" and rules.own_collision == "share" and stands:
                places.append(luck.choice(stands))
            elif where == "zone" and zone:
                places.append(zone.pop())
            elif where in ("track", "again") and free:
                places.append(free.pop())
            else:
                places.append("H" if where == "H" else "S")
        position[color] = places
    return position


# -- against the referee ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(RULESETS))
def test_decisions_agree_with_the_referee(seed: int) -> None:
    luck = random.Random(f"decisions {seed}")
    rules, players = random_rules(luck), tuple(luck.sample(COLORS, luck.randint(2, 4)))
    table = Table(rules, players)
    for _ in range(DECISIONS):
        position, color = random_position(luck, rules, players), luck.choice(players)
        card = luck.choice([*CARDS, "7", "11", "sorry"])
        told = table.decide(position, color, card)
        as_read = {each: [referee.read_place(place) for place in places] for each, places in position.items()}
        expected = referee.outcomes(rules, players, players.index(color), as_read, card)
        where = f"{rules.model_dump(exclude_defaults=True)} {position} {color} {card}"
        compare(told, expected, where)
        for outcome in told.outcomes:
            assert carried_out(position, color, outcome.did) == outcome.position, f"{where}: {outcome.did}"


def compare(told: Decision, expected: referee.Decision, where: str) -> None:
    kinds = {True: "blocked", False: "play"}
    theirs = {(outcome.text, kinds[outcome.ends_turn], outcome.compulsory) for outcome in expected.outcomes}
    ours = {(outcome.position, outcome.kind, outcome.compulsory) for outcome in told.outcomes if outcome.kind != "pass"}
    assert ours == theirs, where
    assert len(told.outcomes) == len(expected.choices), where
    assert told.may_pass == expected.pass_offered, where
    assert told.compulsory == expected.compulsory, where


# -- what is done, read back -----------------------------------------------------------------------

SENT = re.compile(r"(?:(\d) )?(red|blue|yellow|green) from (\w+)")
WALK = re.compile(r"moves \d+ (?:forward|back) from (\w+) (?:past its safety zone |to HOME and back )?to (\w+)")
SWAP = re.compile(r"swaps its pawn on (\d+) with (\w+)'s on (\d+)")


def carried_out(position: dict[str, list[int | str]], color: str, did: str) -> str:
    """Does to the pawns what the words say, and nothing else; the position that this leads to."""
    board = {each: [str(place) for place in places] for each, places in position.items()}
    if did == "passes" or did.startswith("ends the turn"):
        return written(board)
    swapped = ("", "")
    for clause in re.split("; then |; at the same time |; ", did):
        action, *_, sent = [*clause.partition(", sends back ")]
        action, _, slid = action.partition(", slides to ")
        if found := SWAP.fullmatch(action):
            mine, other, theirs = found.groups()
            take(board, color, mine)
            take(board, other, theirs)
            board[other].append(mine)
            swapped, mover, end = (other, mine), color, theirs
        elif found := re.fullmatch(r"(\w+)'s pawn slides to (\d+)", action):
            mover, end = swapped[0], found[2]
            assert found[1] == mover
            take(board, *swapped)
        elif found := re.fullmatch(r"starts a pawn on (\d+)|moves a pawn from START to (\d+)", action):
            mover, end = color, found[1] or found[2]
            take(board, color, "S")
        else:
            found = WALK.fullmatch(action)
            assert found, action
            mover, end = color, found[2]
            take(board, color, found[1])
        for count, victim, square in SENT.findall(sent):
            for _ in range(int(count or 1)):
                take(board, victim, square)
                board[victim].append("S")
        board[mover].append(slid or {"HOME": "H"}.get(end, end))
    return written(board)


def take(board: dict[str, list[str]], color: str, place: str) -> None:
    assert place in board[color], f"no {color} pawn on {place}"
    board[color].remove(place)


def written(board: dict[str, list[str]]) -> str:
    return referee.write_position({color: [referee.read_place(place) for place in places] for color, places in board.items()})


# -- in words --------------------------------------------------------------------------------------


def did(position: str, card: object, ends: str, **options: Any) -> str:
    """What is said to be done to reach the outcome whose groups include ``ends``; red moves."""
    places = notation.parse(position)
    decision = Table(Rules(**options), tuple(places)).decide(places, "red", card)
    (outcome,) = (outcome for outcome in decision.outcomes if set(ends.split(" / ")) <= set(outcome.position.split(" / ")))
    return outcome.did


@pytest.mark.parametrize(
    ("position", "card", "ends", "options", "words"),
    [
        (f"red S S S S / {ALONE}", 1, "red S S S 4", {}, "starts a pawn on 4"),
        ("red S S S S / yellow 4 S S S", 1, "red S S S 4", {}, "starts a pawn on 4, sends back yellow from 4"),
        (f"red 4 S S S / {ALONE}", 10, "red S S S 3", {}, "moves 1 back from 4 to 3"),
        (f"red Z2 H H H / {ALONE}", 4, "red 0 H H H", {}, "moves 4 back from Z2 to 0"),
        (f"red 4 S S S / {ALONE}", 12, "red S S S 19", {}, "moves 12 forward from 4 to 16, slides to 19"),
        (f"red Z4 H H H / {ALONE}", 2, "red H H H H", {}, "moves 2 forward from Z4 to HOME"),
        (f"red Z4 H H H / {ALONE}", 5, "red Z3 H H H", {"home_overshoot": "bounce"}, "moves 5 forward from Z4 to HOME and back to Z3"),
        (
            f"red 1 S S S / {ALONE}",
            8,
            "red S S S 13",
            {"forward_past_entry": "forced", "slides": "all"},
            "moves 8 forward from 1 past its safety zone to 9, slides to 13",
        ),
        (
            "red 13 18 H H / yellow S 16 17 19",
            3,
            "red S 19 H H",
            {},
            "moves 3 forward from 13 to 16, slides to 19, sends back yellow from 16, yellow from 17, red from 18 and yellow from 19",
        ),
        (f"red 10 13 H H / {ALONE}", 7, "red 13 17 H H", {}, "moves 7 forward from 10 to 17"),
        (f"red 13 Z3 H H / {ALONE}", 7, "red 17 H H H", {}, "moves 4 forward from 13 to 17; then moves 3 forward from Z3 to HOME"),
        (
            f"red 10 13 H H / {ALONE}",
            7,
            "red 13 17 H H",
            {"seven_resolution": "simultaneous"},
            "moves 7 forward from 10 to 17",
        ),
        (
            f"red 20 30 H H / {ALONE}",
            7,
            "red 23 34 H H",
            {"seven_resolution": "simultaneous"},
            "moves 3 forward from 20 to 23; at the same time moves 4 forward from 30 to 34",
        ),
        ("red 20 H H H / yellow 40 S S S", 11, "red 40 H H H / yellow S S S 20", {}, "swaps its pawn on 20 with yellow's on 40"),
        (
            "red 20 H H H / yellow 16 17 S S",
            11,
            "red 19 H H H / yellow S S S 20",
            {},
            "swaps its pawn on 20 with yellow's on 16, slides to 19, sends back yellow from 17",
        ),
        (
            "red 24 27 H H / yellow 16 18 S S",
            11,
            "red S 19 H H / yellow S S S 28",
            {"slide_after_swap": "both"},
            (
                "swaps its pawn on 24 with yellow's on 16, slides to 19, sends back yellow from 18; "
                "yellow's pawn slides to 28, sends back red from 27"
            ),
        ),
        ("red S H H H / yellow 20 S S S", "sorry", "red 20 H H H", {}, "moves a pawn from START to 20, sends back yellow from 20"),
        (
            "red S H H H / yellow 46 48 S S",
            "Sorry!",
            "red 49 H H H",
            {},
            "moves a pawn from START to 46, slides to 49, sends back yellow from 46 and yellow from 48",
        ),
        (f"red S 20 H H / {ALONE}", "sorry", "red S 24 H H", {"sorry_alt_forward": 4, "slides": "off"}, "moves 4 forward from 20 to 24"),
        (f"red 5 8 H H / {ALONE}", 3, "red S 8 H H", {"own_collision": "bump_self"}, "moves 3 forward from 5 to 8, sends back red from 8"),
        (
            "red 5 H H H / yellow 8 8 S S",
            3,
            "red 8 H H H",
            {"own_collision": "share"},
            "moves 3 forward from 5 to 8, sends back 2 yellow from 8",
        ),
        (
            f"red 5 8 H H / {ALONE}",
            3,
            "red 5 8 H H",
            {"own_collision": "ends_turn"},
            "ends the turn by choosing a square on which an own pawn stands",
        ),
    ],
)
def test_what_is_done_in_words(position: str, card: object, ends: str, options: dict[str, Any], words: str) -> None:
    assert did(position, card, ends, **options) == words


def test_a_part_of_a_seven_that_hits_the_other_part() -> None:
    """The pawn is sent back from where it has come to, not from where it stood before."""
    words = did(f"red 10 13 H H / {ALONE}", 7, "red S 15 H H", own_collision="bump_self", slides="off")
    assert words == "moves 5 forward from 10 to 15; then moves 2 forward from 13 to 15, sends back red from 15"


def test_passing_and_being_forced() -> None:
    table = Table(Rules(), ("red", "yellow"))
    may = table.decide("red 20 Z5 H H / yellow S S S 40", "red", 11)
    assert (may.compulsory, may.may_pass) == (True, False)
    assert [(outcome.kind, outcome.compulsory) for outcome in may.outcomes] == [("play", True), ("play", False)]
    may = table.decide("red 59 Z5 H H / yellow S S S 40", "red", 11)
    assert (may.compulsory, may.may_pass) == (False, True)
    assert [(outcome.kind, outcome.did) for outcome in may.outcomes][-1] == ("pass", "passes")


def test_nothing_to_do() -> None:
    decision = Table(Rules(), ("red", "yellow")).decide(f"red S S S S / {ALONE}", "red", 12)
    assert decision == Decision("red", "12", ())
    assert not decision.compulsory
    assert not decision.may_pass


def test_the_seats_of_the_players_overrule_those_of_the_ruleset() -> None:
    rules = Rules(seat_colors=("red", "blue"), absent_color_slides="inert")
    table = Table(rules, ("green", "yellow"))
    decision = table.decide("green 0 S S S / yellow S S S S", "green", 1)
    assert [outcome.position for outcome in decision.outcomes] == [
        "yellow S S S S / green S S 0 49",
        "yellow S S S S / green S S S 1",  # red does not play here, so its slides are still
    ]


def test_a_retelling_ends_where_the_kernel_ends() -> None:
    """Word for word, so that the retelling's own board never drifts from the game's."""
    luck = random.Random("retelling")
    for _ in range(20):
        rules = random_rules(luck)
        table = Table(rules, COLORS)
        for card in range(len(CARDS)):
            mover, words = luck.randrange(4), table.words(random_position(luck, rules, COLORS))
            listed = table.outcomes(words, mover, card)
            for action, after in zip(listed.actions, listed.results, strict=True):
                retelling = story.Retelling(table.compiled[0], words.tolist(), mover)
                retelling.carry_out(action)
                assert retelling.words == after


# -- what can't be -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "color", "card", "sentence"),
    [
        ("red S S S S / blue S S S S", "green", 1, 'color "green" does not play here; the players are red, blue'),
        ("red S S S S / blue S S S S", None, 1, "does not play here; the players are red, blue"),
        ("red S S S S / blue S S S S", "red", 6, "card 6 is not in the deck; the cards are 1, 2, 3, 4, 5, 7, 8, 10, 11, 12, sorry"),
        ("red S S S S / blue S S S S", "red", "sory", 'card "sory" is not in the deck; did you mean sorry?'),
        ("red S S S S / blue S S S S", "red", True, "card true is not in the deck"),
        ("red S S S S", "red", 1, "position: blue has no group; the players are red, blue"),
        ({"red": ["S"] * 4, "blue": "S"}, "red", 1, 'position: blue = "S" is no list of places'),
        (7, "red", 1, "position = 7 is no table of colors"),
    ],
)
def test_nonsense_gives_a_sentence(position: Any, color: Any, card: object, sentence: str) -> None:
    with pytest.raises(SimsorryError, match=re.escape(sentence)):
        Table(Rules(), ("red", "blue")).decide(position, color, card)


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (["red"], "players: red: two to four different colors are needed"),
        (["red", "red"], "two to four different colors are needed"),
        ([], "players: nobody: two to four different colors are needed"),
        (["red", "pink"], 'players: "pink" is not a color; the colors are red, blue, yellow, green'),
        (["red", "bleu"], "did you mean blue?"),
    ],
)
def test_players_that_can_not_be(players: list[str], sentence: str) -> None:
    with pytest.raises(SimsorryError, match=re.escape(sentence)):
        Table(Rules(), players)
