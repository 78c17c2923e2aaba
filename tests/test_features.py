"""What policies can weigh: each feature worked out once more from the text of a decision, and by hand."""

import random
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from policy_tools import Chooser

from simsorry.games import classic
from simsorry.games.classic.decision import Outcome
from simsorry.games.classic.rules import CARDS, Rules

SEATED = {2: ("red", "yellow"), 3: ("red", "blue", "yellow"), 4: ("red", "blue", "yellow", "green")}
CLOCKWISE = ["red", "blue", "yellow", "green"]
CORNER = {"red": 0, "blue": 15, "yellow": 30, "green": 45}
Pawns = dict[str, list[str]]  # by color, in the one-line notation


# -- the board, from the rulebook ------------------------------------------------------------------------


def entry(color: str) -> int:
    return CORNER[color] + 2


def circle(color: str) -> int:
    return CORNER[color] + 4


def read(text: str) -> Pawns:
    return {group.split()[0]: group.split()[1:] for group in text.split(" / ")}


def to_go(color: str, place: str) -> int:
    if place == "S":
        return 65
    if place in ("H", "HOME"):
        return 0
    return 6 - int(place[1]) if place[0] == "Z" else (entry(color) - int(place)) % 60 + 6


def come(color: str, place: str) -> int:
    return 65 - to_go(color, place)


def squares(pawns: list[str]) -> list[int]:
    return [int(place) for place in pawns if place.isdigit()]


def slide_from(color: str, square: int) -> list[int]:
    """The squares a color rides over if it comes to rest on a square."""
    for owner, corner in CORNER.items():
        for triangle, length in ((corner + 1, 3), (corner + 9, 4)):
            if square == triangle and owner != color:
                return [(square + step) % 60 for step in range(1, length + 1)]
    return []


def in_reach(color: str, square: int) -> set[int]:
    """The squares on which one card hits others."""
    hit: set[int] = set()
    for card in (1, 2, 3, 5, 7, 8, 10, 11, 12, -1, -4):
        end = square
        for _ in range(abs(card)):
            if card > 0 and end == entry(color):
                break  # turns into the safety zone
            end = (end + (1 if card > 0 else -1)) % 60
        else:
            hit |= {end, *slide_from(color, end)}
    return hit


# -- the features, from the text of a decision -----------------------------------------------------------


class Seen(NamedTuple):
    """One outcome of a decision, as its text tells it."""

    color: str
    before: Pawns
    after: Pawns
    outcome: Outcome

    @property
    def own(self) -> list[str]:
        return self.after[self.color]

    @property
    def foes(self) -> list[tuple[str, str]]:
        return [(color, place) for color, places in self.after.items() if color != self.color for place in places]

    @property
    def leader(self) -> list[tuple[str, str]]:
        turn = CLOCKWISE.index(self.color)
        others = [color for color in CLOCKWISE[turn + 1 :] + CLOCKWISE[:turn] if color in self.before]
        left = {color: sum(to_go(color, place) for place in self.before[color]) for color in others}
        on_the_way = [color for color in others if left[color]]
        if not on_the_way:
            return []
        first = min(on_the_way, key=lambda color: left[color])
        return [(first, place) for place in self.after[first]]

    def back(self, color: str) -> int:
        """Pawns more on START."""
        return self.after[color].count("S") - self.before[color].count("S")

    def did(self, pattern: str) -> bool:
        return bool(re.search(pattern, self.outcome.did)) and self.outcome.kind == "play"

    def moved_forward(self) -> list[str]:
        """Where the pawns stood that a number card has moved forward."""
        if self.did("^starts"):
            return ["S"]
        return re.findall(r"moves \d+ forward from (\w+)", self.outcome.did)

    def threats(self) -> Iterator[int]:
        """The own square of every pair of an own and an opponent's pawn that has it in reach."""
        for other, places in self.after.items():
            if other != self.color:
                for square in set(squares(places)):
                    yield from (own for own in squares(self.own) if own in in_reach(other, square))

    def targets(self) -> int:
        foes = {int(place) for _, place in self.foes if place.isdigit()}
        return sum(len(in_reach(self.color, own) & foes) for own in squares(self.own))

    def waiting(self) -> list[str]:
        return [color for color, places in self.after.items() if color != self.color and "S" in places]


def pawns_behind(seen: Seen) -> int:
    moved = [to_go(seen.color, place) for place in seen.moved_forward()]
    return sum(to_go(seen.color, place) > max(moved) for place in seen.before[seen.color]) if moved else 0


def short_cut(seen: Seen) -> int:
    return sum((square - circle(seen.color)) % 60 in (59, 0, 1, 2) for square in squares(seen.own))


FEATURES: dict[str, Callable[[Seen], float]] = {
    "bumps": lambda seen: sum(seen.back(color) for color in seen.after if color != seen.color),
    "own_bumps": lambda seen: seen.back(seen.color) + seen.did("^starts|from START"),
    "slides": lambda seen: len(re.findall(r"(?<!pawn )slides to", seen.outcome.did)),
    "starts": lambda seen: seen.did("^starts"),
    "takes": lambda seen: seen.did("from START"),
    "swaps": lambda seen: seen.did("^swaps"),
    "splits": lambda seen: seen.did("; then|; at the same time"),
    "backs": lambda seen: seen.did(r"^moves \d+ back "),
    "passes": lambda seen: seen.outcome.kind != "play",
    "pawns_behind": pawns_behind,
    "progress": lambda seen: sum(come(seen.color, place) for place in seen.own),
    "lead": lambda seen: sum(come(seen.color, place) ** 2 / 65 for place in seen.own),
    "in_start": lambda seen: seen.own.count("S"),
    "on_circle": lambda seen: seen.own.count(str(circle(seen.color))),
    "short_cut": short_cut,
    "on_track": lambda seen: len(squares(seen.own)),
    "in_zone": lambda seen: sum(place[0] == "Z" for place in seen.own),
    "home": lambda seen: seen.own.count("H"),
    "threats": lambda seen: len(list(seen.threats())),
    "stake": lambda seen: sum(come(seen.color, str(square)) for square in seen.threats()),
    "targets": lambda seen: seen.targets(),
    "sorry_risk": lambda seen: len(seen.waiting()) * sum(come(seen.color, str(square)) for square in squares(seen.own)),
    "start_risk": lambda seen: sum(squares(seen.own).count(circle(color)) for color in seen.waiting()),
    "foe_progress": lambda seen: sum(come(*pawn) for pawn in seen.foes),
    "foe_lead": lambda seen: sum(come(*pawn) ** 2 / 65 for pawn in seen.foes),
    "foe_in_start": lambda seen: sum(place == "S" for _, place in seen.foes),
    "leader_progress": lambda seen: sum(come(*pawn) for pawn in seen.leader),
    "leader_lead": lambda seen: sum(come(*pawn) ** 2 / 65 for pawn in seen.leader),
    "leader_in_start": lambda seen: sum(place == "S" for _, place in seen.leader),
}


def test_every_feature_is_worked_out_here() -> None:
    assert list(FEATURES) == [feature.name for feature in classic.FEATURES]


def random_position(luck: random.Random, rules: Rules, players: tuple[str, ...]) -> str:
    """Pawns all over the board, often near each other."""
    begin, width = luck.randrange(60), luck.choice((10, 25, 60))
    taken: set[str] = set()
    groups = []
    for color in players:
        own: list[str] = []
        while len(own) < rules.pawns:
            track = (begin + luck.randrange(width)) % 60
            near = (circle(color) + luck.randrange(-6, 4)) % 60
            place = luck.choices(["S", "H", f"Z{luck.randint(1, 5)}", str(near), str(track)], [3, 1, 2, 2, 6])[0]
            if place in "SH" or (place not in taken and (place not in own or rules.own_collision == "share")):
                own.append(place)
        taken |= {place for place in own if place.isdigit()}
        groups.append(" ".join([color, *own]))
    return " / ".join(groups)


RULES = {
    "printed": Rules(),
    "passing allowed": Rules(must_move=False),
    "sharing squares": Rules(pawns=6, own_collision="share", seven_parts=3),
    "sliding after swaps": Rules(pawns=3, slide_after_swap="both", own_collision="ends_turn"),
    "own pawns sent back": Rules(pawns=2, own_collision="bump_self", seven_resolution="simultaneous"),
    "any slide": Rules(slides="all", home_overshoot="bounce", forward_past_entry="decline_ok", sorry_alt_forward=4),
}


def test_scores_are_sums_of_weights_times_features() -> None:
    luck = random.Random(7)
    values: dict[str, set[float]] = {feature: set() for feature in FEATURES}
    choosers = [(name, Chooser(rules, seated)) for name, rules in RULES.items() for seated in SEATED.values()]
    for name, chooser in choosers * 50:
        position = random_position(luck, chooser.table.rules, chooser.table.players)
        color, card = luck.choice(chooser.table.players), luck.choice([*CARDS, "7", "11", "sorry"])
        weights = {feature: luck.choice((-3.0, -0.5, 0.25, 1.0, 7.0)) for feature in luck.sample(list(FEATURES), luck.randint(1, 6))}
        for outcome, score in chooser.scores(weights, position, color, card):
            seen = Seen(color, read(position), read(outcome.position), outcome)
            worked_out = {feature: float(FEATURES[feature](seen)) for feature in weights}
            expected = sum(weight * worked_out[feature] for feature, weight in weights.items())
            assert score == pytest.approx(expected, abs=1e-3), f"{name}: {position}, {color} {card}, {outcome}: {worked_out}, {weights}"
            for feature, value in worked_out.items():
                values[feature].add(value)
    assert all(len(found) > 1 for found in values.values()), values


# -- by hand ---------------------------------------------------------------------------------------------

RESTING = "yellow S S S S"


@pytest.mark.parametrize(
    ("feature", "position", "card", "after", "value"),
    [
        # Red's circle is 4, its entry 2; triangles of others are 16, 24, 31, 39, 46 and 54.
        ("progress", f"red S S H 4 / {RESTING}", "3", "red S S 7 H", 65 + 4),
        ("progress", f"red S S H 4 / {RESTING}", "12", "red S S 19 H", 65 + 16),  # rides from 16 to 19
        ("lead", f"red S S H 4 / {RESTING}", "3", "red S S 7 H", 65 + 16 / 65),
        ("short_cut", f"red S S S 4 / {RESTING}", "2", "red S S S 6", 1),
        ("short_cut", f"red S S S 4 / {RESTING}", "3", "red S S S 7", 0),
        ("short_cut", f"red S S S 4 / {RESTING}", "10", "red S S S 3", 1),
        ("bumps", "red S S S 13 / yellow 16 17 19 S", "3", "red S S S 19", 3),
        ("own_bumps", f"red S S 13 18 / {RESTING}", "3", "red S S S 19", 1),
        ("own_bumps", f"red S S S 20 / {RESTING}", "1", "red S S 4 20", 0),
        ("pawns_behind", f"red S 10 20 H / {RESTING}", "5", "red S 10 25 H", 2),
        ("pawns_behind", f"red S 10 20 H / {RESTING}", "5", "red S 15 20 H", 1),
        ("pawns_behind", f"red S 10 20 H / {RESTING}", "7", "red S 12 25 H", 1),  # 2 and 5: the rearmost of the two counts
        ("pawns_behind", f"red S 10 20 H / {RESTING}", "10", "red S 10 19 H", 0),  # backward
        ("pawns_behind", f"red S 10 20 H / {RESTING}", "1", "red 4 10 20 H", 0),  # started
        # Yellow on 18 hits 20 with a 2 and 17 with a 10; with a 7 it comes to 25, with a 6, which no card has, to 24.
        ("threats", "red S S S 18 / yellow 17 S S S", "2", "red S S S 20", 1),
        ("threats", "red S S S 18 / yellow 17 S S S", "5", "red S S S 23", 0),  # 6 ahead
        ("threats", "red S S S 18 / yellow 17 S S S", "11", "red S S S 29", 1),  # 12 ahead
        ("threats", "red S S S 18 / yellow 17 S S S", "12", "red S S S 30", 0),  # 13 ahead
        ("threats", "red S S S 21 / yellow 26 S S S", "1", "red S S S 22", 1),  # 4 back
        ("threats", "red S S S 21 / yellow 26 S S S", "2", "red S S S 23", 0),
        ("threats", "red S S S 25 / yellow 32 Z1 S S", "8", "red S S S 33", 0),  # yellow turns in at 32
        ("threats", "red S S S 25 / yellow 14 S S S", "1", "red S S S 26", 1),  # a 10 rides from 24 to 28, and a 12 hits too: one pair
        ("threats", "red S S S 25 / yellow 21 S S S", "2", "red S S S 27", 1),  # 3 to the triangle; 27 is 6 ahead
        ("threats", "red S S S 40 / yellow 34 S S S", "1", "red S S S 41", 1),  # 7; yellow does not ride its own slide from 39
        ("threats", "red S S S 40 / yellow 34 S S S", "3", "red S S S 43", 0),  # 9, and yellow stops on its own triangle
        ("stake", "red S S S 18 / yellow 17 S S S", "2", "red S S S 20", 17),
        ("targets", "red S S S 5 / yellow 11 S S S", "1", "red S S S 6", 1),
        ("targets", "red S S S 5 / yellow 11 S S S", "2", "red S S S 7", 0),  # 4 ahead
        ("targets", "red S S S 20 / yellow 26 S S S", "2", "red S S S 22", 1),  # 4 ahead, on the slide that begins 2 ahead
        ("targets", "red S S S 5 / yellow 11 S S S", "10", "red S S S 15", 1),  # 4 back
        ("sorry_risk", f"red S S Z1 4 / {RESTING}", "3", "red S S 7 Z1", 4),
        ("sorry_risk", "red S S Z1 4 / yellow 40 41 42 43", "3", "red S S 7 Z1", 0),
        ("start_risk", f"red S S S 32 / {RESTING}", "2", "red S S S 34", 1),
        ("start_risk", "red S S S 32 / yellow H 41 42 43", "2", "red S S S 34", 0),
        ("foe_progress", "red S S S 13 / yellow 33 H S 44", "3", "red S S S 19", 0 + 65 + 0 + 11),  # 33 is behind the circle
        ("leader_progress", "red S S S 20 / blue H H S S / yellow H 40 S S", "1", "red S S S 21", 130),
        ("leader_progress", "red S S S 20 / blue H 4 S S / yellow H H H H", "1", "red S S S 21", 65 + 46),  # yellow has finished
        ("leader_in_start", "red S S S 13 / blue 16 H S S / yellow 17 S S S", "3", "red S S S 19", 3),
    ],
)
def test_by_hand(feature: str, position: str, card: str, after: str, value: float) -> None:
    players = tuple(read(position))
    found = [
        score
        for outcome, score in Chooser(Rules(), players).scores({feature: 1.0}, position, "red", card)
        if outcome.position.startswith(f"{after} /")
    ]
    assert found == [pytest.approx(value, abs=1e-4)]


def test_equal_policies_share_their_tables_and_seats_keep_their_own() -> None:
    record = classic.compile_line_up([{"progress": 1.0}, {}, {"progress": 1.0, "home": 0.0}, {"home": 2.0}])[0]
    first, second, third, fourth = record["row"].tolist()
    assert first == third
    assert len({first, second, fourth}) == 3
    assert record["weighted"].tolist() == [1, 0, 1, 1]
    assert record["own"][first + 10] == 11_000_000
    assert record["own"][fourth + 10] == 0


def test_the_smallest_weight_counts() -> None:
    record = classic.compile_line_up([{"bumps": 1e-6}])[0]
    assert record["event"].any()
    assert record["weighted"][0] == 1
