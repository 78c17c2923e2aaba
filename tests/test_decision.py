"""Single decisions of the classic game: the outcomes against the referee's, and what is said to be done against what it leads to."""

import random
import re
from typing import Any

import pytest
from pydantic import ValidationError
from referee import classic as referee
from story_tools import carried_out

from simsorry.errors import SimsorryError
from simsorry.games.classic import notation, story
from simsorry.games.classic.decision import Decision, Table
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS, COLORS, MAX_PAWNS

RULESETS, DECISIONS = 50, 25  # random ones, and how many of each
TEAM_RULESETS, TEAM_DECISIONS = 60, 12
HAND_RULESETS, HAND_DECISIONS = 30, 12
RETOLD_RULESETS = 40
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


TEAM_PAIRS = ("opposite", (("red", "blue"), ("yellow", "green")))
COLLISIONS = ("bump_occupant", "bump_mover", "coexist", "illegal")
TEAM_VALUES: dict[str, list[Any]] = {
    "team_control": ["own_only"],
    "team_own_collision": ["bump"],
    "team_sorry_target": ["any", "opponents_only"],
    "team_sorry_start": ["own"],
    "team_eleven_partner": [True],
}

HAND_VALUES: dict[str, list[Any]] = {
    "two_in_hand": ["play_drawn", "none"],
    "two_playable_idle": [True],
    "two_followup_stuck": ["discard_one"],
    "dead_hand": ["random", "oldest"],
    "optional_counts_as_playable": [True],
    "first_turn_dead_hand": ["skip"],
    "deck_counts": ["deck_55"],
}


def random_rules(luck: random.Random, values: dict[str, list[Any]] = VALUES, **fixed: Any) -> Rules:
    """Rules with each of some options off its default by chance, as far as that makes sense together."""
    while True:
        options = {option: luck.choice(choices) for option, choices in values.items() if luck.random() < 0.25}
        try:
            return Rules(**options | fixed)
        except ValidationError:
            continue


def random_team_rules(luck: random.Random, values: dict[str, list[Any]] = VALUES, **fixed: Any) -> Rules:
    """Rules of a team game in which partners meet in every way."""
    teams = {"team_pairs": luck.choice(TEAM_PAIRS), "team_collision": luck.choice(COLLISIONS)}
    return random_rules(luck, values | TEAM_VALUES, **teams, **fixed)


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
            where = luck.choices(["S", "H", "zone", "track", "again", "partner"], [3, 1, 2, 6, 1, 1])[0]
            stands = [place for place in places if place not in ("S", "H")]
            shared = [place for place in partners_squares(rules, color, position) if place not in places]
            if where == "again" and rules.own_collision == "share" and stands:
                places.append(luck.choice(stands))
            elif where == "partner" and shared:
                places.append(luck.choice(shared))
            elif where == "zone" and zone:
                places.append(zone.pop())
            elif where in ("track", "again", "partner") and free:
                places.append(free.pop())
            else:
                places.append("H" if where == "H" else "S")
        position[color] = places
    return position


def partners_squares(rules: Rules, color: str, position: dict[str, list[int | str]]) -> list[int | str]:
    """The track squares of the partner that a color may share."""
    partners = [one for pair in rules.team_pairs for one in pair if color in pair and one != color and rules.team_collision == "coexist"]
    return [place for partner in partners for place in position.get(partner, []) if isinstance(place, int)]


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
        expected = referee.outcomes(rules, players, players.index(color), as_read(position), card)
        where = f"{rules.model_dump(exclude_defaults=True)} {position} {color} {card}"
        compare(told, expected, where)
        for outcome in told.outcomes:
            assert carried_out(position, color, outcome.did) == outcome.position, f"{where}: {outcome.did}"


@pytest.mark.parametrize("seed", range(TEAM_RULESETS))
def test_decisions_of_teams_agree_with_the_referee(seed: int) -> None:
    luck = random.Random(f"teams {seed}")
    rules = random_team_rules(luck)
    table = Table(rules, COLORS)
    for _ in range(TEAM_DECISIONS):
        position, color = random_position(luck, rules, COLORS), luck.choice(COLORS)
        card = luck.choice([*CARDS, "7", "11", "sorry"])
        told = table.decide(position, color, card)
        where = f"{rules.model_dump(exclude_defaults=True)} {position} {color} {card}"
        compare(told, referee.outcomes(rules, COLORS, COLORS.index(color), as_read(position), card), where)
        for outcome in told.outcomes:
            assert carried_out(position, color, outcome.did) == outcome.position, f"{where}: {outcome.did}"


@pytest.mark.parametrize("seed", range(HAND_RULESETS))
def test_hands_agree_with_the_referee(seed: int) -> None:
    luck = random.Random(f"hands {seed}")
    make, players = luck.choice([(random_rules, luck.randint(2, 4)), (random_team_rules, 4)])
    rules = make(luck, VALUES | HAND_VALUES, hand_size=luck.choice([1, 2, 5]))
    seated = tuple(luck.sample(COLORS, players))
    table = Table(rules, seated)
    for _ in range(HAND_DECISIONS):
        position, color = random_position(luck, rules, seated), luck.choice(seated)
        hand = random_hand(luck, rules)
        state = random_state(luck, rules, hand)
        told = table.decide_hand(position, color, hand, **state)
        expected = referee.hand_outcomes(rules, seated, seated.index(color), as_read(position), hand, **state)
        where = f"{rules.model_dump(exclude_defaults=True)} {position} {color} {hand} {state}"
        compare(told, expected, where)
        for outcome in told.outcomes:
            assert carried_out(position, color, outcome.did) == outcome.position, f"{where}: {outcome.did}"


def random_hand(luck: random.Random, rules: Rules) -> list[str]:
    """A hand that can be held, often without a full choice."""
    deck = [card for card, copies in rules.deck_counts.counts.items() for _ in range(copies)]
    return luck.sample(deck, luck.choice([rules.hand_size, rules.hand_size, luck.randint(0, rules.hand_size)]))


def random_state(luck: random.Random, rules: Rules, hand: list[str]) -> dict[str, Any]:
    """Whether the hand is a follow-up, and of what; and whether it is in the first turn."""
    followup = bool(hand) and rules.two_in_hand != "none" and luck.random() < 0.4
    drawn = luck.choice(hand) if followup and rules.two_in_hand == "play_drawn" else None
    return {"followup": followup, "drawn": drawn, "first_turn": luck.random() < 0.3}


def as_read(position: dict[str, list[int | str]]) -> referee.Position:
    return {color: [referee.read_place(place) for place in places] for color, places in position.items()}


def compare(told: Decision, expected: referee.Decision, where: str) -> None:
    theirs = {(outcome.card, outcome.text, outcome.kind, outcome.compulsory) for outcome in expected.choices}
    ours = {(outcome.card, outcome.position, outcome.kind, outcome.compulsory) for outcome in told.outcomes}
    assert ours == theirs, where
    assert len(told.outcomes) == len(expected.choices), where
    assert told.may_pass == expected.pass_offered, where
    assert told.compulsory == expected.compulsory, where
    assert (told.color, told.cards) == (expected.color, expected.cards), where


# -- in words --------------------------------------------------------------------------------------


def did(position: str, card: object, ends: str, *, mover: str = "red", **options: Any) -> str:
    """What is said to be done to reach the outcome whose groups include ``ends``."""
    places = notation.parse(position)
    decision = Table(Rules(**options), tuple(places)).decide(places, mover, card)
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


TEAM = "yellow S S S S / green S S S S"


@pytest.mark.parametrize(
    ("position", "card", "ends", "options", "words"),
    [
        (f"red S S S S / blue S S S S / {TEAM}", 1, "yellow S S S 34", {}, "starts a yellow pawn on 34"),
        (
            "red 8 S S S / blue S S S S / yellow 5 S S S / green S S S S",
            3,
            "yellow S S S 8",
            {},
            "moves yellow 3 forward from 5 to 8, sends back red from 8",
        ),
        (
            "red 5 S S S / blue S S S S / yellow 8 S S S / green S S S S",
            3,
            "red S S S S / yellow S S S 8",
            {"team_collision": "bump_mover"},
            "moves 3 forward from 5 to 8, goes back to START, for yellow stands there",
        ),
        (
            "red 5 S S S / blue S S S S / yellow 8 S S S / green S S S S",
            3,
            "red S S S 8 / yellow S S S 8",
            {"team_collision": "coexist"},
            "moves 3 forward from 5 to 8",
        ),
        (
            "red 8 S S S / blue 5 S S S / yellow 8 S S S / green S S S S",
            3,
            "red S S S S / yellow S S S S",
            {"team_collision": "coexist", "mover": "blue"},
            "moves 3 forward from 5 to 8, sends back red from 8 and yellow from 8",
        ),
        (
            "red 55 H H H / blue S S S S / yellow 25 30 S S / green S S S S",
            7,
            "red 57 H H H / yellow S S 28 32",
            {"seven_parts": 3},
            "moves 2 forward from 55 to 57; then moves yellow 3 forward from 25 to 28; then moves yellow 2 forward from 30 to 32",
        ),
        (
            "red S H H H / blue S S S S / yellow 20 S S S / green S S S S",
            "sorry",
            "red 20 H H H",
            {},
            "moves a pawn from START to 20, sends back yellow from 20",
        ),
        (
            "red 20 H H H / blue S S S 40 / yellow 50 S S S / green S S S S",
            11,
            "yellow S S S 40",
            {},
            "swaps yellow's pawn on 50 with blue's on 40",
        ),
        (
            "red 20 H H H / blue S S S S / yellow 50 S S S / green S S S S",
            11,
            "yellow S S S 20 / red 50 H H H",
            {"team_eleven_partner": True},
            "swaps its pawn on 20 with yellow's on 50",
        ),
    ],
)
def test_what_is_done_in_words_in_teams(position: str, card: object, ends: str, options: dict[str, Any], words: str) -> None:
    assert did(position, card, ends, **{"team_pairs": "opposite"} | options) == words


def hand_of(hand: str, position: str = f"red S S S H / {ALONE}", **state: Any) -> list[tuple[str, str, str]]:
    """What a hand offers: card, kind, and what is done."""
    options = {option: state.pop(option) for option in list(state) if option in Rules.model_fields}
    places = notation.parse(position)
    found = Table(Rules(**{"hand_size": 5} | options), tuple(places)).decide_hand(places, "red", hand, **state)
    return [(outcome.card, outcome.kind, outcome.did) for outcome in found.outcomes]


def test_what_is_done_with_a_hand_in_words() -> None:
    throws = [("3", "throw", "throws in a 3"), ("8", "throw", "throws in an 8"), ("11", "throw", "throws in an 11")]
    assert hand_of("8 3 11 3") == throws
    assert hand_of("8 sorry", dead_hand="oldest") == [("8", "throw", "throws in an 8")]
    assert hand_of("sorry 8", dead_hand="oldest") == [("sorry", "throw", "throws in a Sorry!")]
    assert hand_of("8 3", dead_hand="random") == [("random", "throw", "throws in a card at random")]
    assert hand_of("8, 3", followup=True) == []
    assert hand_of("8 3", first_turn=True, first_turn_dead_hand="skip") == []
    assert hand_of("", dead_hand="random") == []
    idle = hand_of("2 3", two_playable_idle=True, start_cards=("1",))
    assert idle[0] == ("2", "idle", "lays the 2 down without a move")
    assert [kind for _, kind, _ in idle] == ["idle", "throw", "throw"]
    followup = hand_of("7 1", two_in_hand="play_drawn", followup=True, drawn="1")
    assert followup == [("1", "play", "starts a pawn on 4")]
    swap = hand_of("11", "red S S 59 H / yellow 16 S S S", followup=True)
    assert swap[-1] == ("", "pass", "passes")


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
    assert decision == Decision("red", ("12",), ())
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


@pytest.mark.parametrize("teams", [False, True])
def test_a_retelling_ends_where_the_kernel_ends(teams: bool) -> None:
    """Word for word, so that the retelling's own board never drifts from the game's."""
    luck = random.Random(f"retelling {teams}")
    for _ in range(RETOLD_RULESETS):
        rules = random_team_rules(luck, seven_parts=luck.choice([2, 3, 4, 8])) if teams else random_rules(luck)
        table = Table(rules, COLORS)
        for card in range(len(CARDS)):
            mover, words = luck.randrange(4), table.words(random_position(luck, rules, COLORS))
            listed = table.outcomes(words, mover, card)
            for action, after in zip(listed.actions, listed.results, strict=True):
                retelling = story.Retelling(table.compiled[0], words.tolist(), mover)
                if story.kind(action) == "play":
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


@pytest.mark.parametrize(
    ("options", "hand", "state", "sentence"),
    [
        ({"hand_size": 0}, "7 8", {}, "hand: these rules draw a card and play it (hand_size = 0), nobody holds a hand"),
        ({}, "1 2 3 4 5 7", {}, "hand: 6 cards are more than hand_size = 5"),
        ({}, ["7", "6"], {}, 'card "6" is not in the deck'),
        ({}, "7 7 7 7 7", {}, "hand: 5 times 7, but the deck holds 4"),
        ({"deck_counts": {"7": 0}}, "7", {}, "hand: 1 times 7, but the deck holds 0"),
        ({"two_in_hand": "none"}, "7", {"followup": True}, "followup: in these rules no card follows a 2"),
        ({"two_in_hand": "play_drawn"}, "7", {"followup": True}, "drawn: the card drawn in place of the 2 is missing"),
        ({"two_in_hand": "play_drawn"}, "7", {"drawn": 7}, "drawn = 7: the card drawn in place of a 2 follows that 2"),
        ({"two_in_hand": "play_drawn"}, "7", {"followup": True, "drawn": 8}, "drawn = 8: it is not in the hand"),
        ({}, "7", {"followup": True, "drawn": 7}, "drawn = 7: in these rules no drawn card must follow a 2"),
        ({}, "7", {"followup": True, "drawn": "x"}, 'card "x" is not in the deck'),
    ],
)
def test_an_impossible_hand_gives_a_sentence(options: dict[str, Any], hand: Any, state: dict[str, Any], sentence: str) -> None:
    table = Table(Rules(**{"hand_size": 5} | options), ("red", "yellow"))
    with pytest.raises(SimsorryError, match=re.escape(sentence)):
        table.decide_hand(f"red S S S S / {ALONE}", "red", hand, **state)


def test_a_card_is_no_hand() -> None:
    with pytest.raises(SimsorryError, match=re.escape("card: in these rules a card is chosen from a hand (hand_size = 5)")):
        Table(Rules(hand_size=5), ("red", "yellow")).decide(f"red S S S S / {ALONE}", "red", 7)


def test_teams_need_four_players() -> None:
    with pytest.raises(SimsorryError, match="players = 2 is not possible: these rules have two teams"):
        Table(Rules(team_pairs=(("red", "yellow"), ("blue", "green"))), ("red", "yellow"))
