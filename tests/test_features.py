"""What policies can weigh: each feature worked out once more from the text of a decision, and by hand."""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import pytest
from policy_tools import Chooser, Question

from simsorry.games import classic
from simsorry.games.classic.decision import Outcome
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS

SEATED = {2: ("red", "yellow"), 3: ("red", "blue", "yellow"), 4: ("red", "blue", "yellow", "green")}
CLOCKWISE = ["red", "blue", "yellow", "green"]
CORNER = {"red": 0, "blue": 15, "yellow": 30, "green": 45}
COLOR = f"({'|'.join(CLOCKWISE)})"
Pawns = dict[str, list[str]]  # by color, in the one-line notation


# -- the board, from the rulebook ------------------------------------------------------------------------


def entry(color: str) -> int:
    return CORNER[color] + 2


def circle(color: str) -> int:
    return CORNER[color] + 4


def read(text: str) -> Pawns:
    return {group.split()[0]: group.split()[1:] for group in text.split(" / ")}


def to_go(color: str, place: str) -> int:
    if place in ("S", "START"):
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


class Part(NamedTuple):
    """What the text of an outcome says of one pawn."""

    color: str  # the pawn's
    text: str

    def sends_back(self, color: str) -> int:
        """How many pawns of a color it sends back."""
        return sum(int(number or 1) for number in re.findall(rf"(?:(\d+) )?\b{color} from \d", self.text))


class Seen(NamedTuple):
    """One outcome of a decision, as its text tells it."""

    color: str
    partner: str | None
    before: Pawns
    after: Pawns
    outcome: Outcome
    hand: list[str]  # before

    @property
    def team(self) -> list[str]:
        """The colors whose pawns count as own ones."""
        return [self.color, self.partner] if self.partner else [self.color]

    @property
    def opponents(self) -> list[str]:
        return [color for color in self.after if color not in self.team]

    @property
    def own(self) -> list[tuple[str, str]]:
        return [(color, place) for color in self.team for place in self.after[color]]

    @property
    def own_squares(self) -> list[tuple[str, int]]:
        return [(color, square) for color in self.team for square in squares(self.after[color])]

    @property
    def foes(self) -> list[tuple[str, str]]:
        return [(color, place) for color in self.opponents for place in self.after[color]]

    @property
    def partners(self) -> list[tuple[str, str]]:
        return [(self.partner, place) for place in self.after[self.partner]] if self.partner else []

    @property
    def leader(self) -> list[tuple[str, str]]:
        turn = CLOCKWISE.index(self.color)
        others = [color for color in CLOCKWISE[turn + 1 :] + CLOCKWISE[:turn] if color in self.opponents]
        left = {color: sum(to_go(color, place) for place in self.before[color]) for color in others}
        on_the_way = [color for color in others if left[color]]
        if not on_the_way:
            return []
        first = min(on_the_way, key=lambda color: left[color])
        return [(first, place) for place in self.after[first]]

    def back(self, colors: list[str]) -> int:
        """Pawns more on START."""
        return sum(self.after[color].count("S") - self.before[color].count("S") for color in colors)

    def did(self, pattern: str) -> bool:
        return bool(re.search(pattern, self.outcome.did)) and self.outcome.kind == "play"

    @property
    def parts(self) -> list[Part]:
        """The text pawn by pawn."""
        if self.outcome.kind != "play":
            return []
        texts = re.split("; (?:then |at the same time )?", self.outcome.did)
        named = [re.match(rf"(?:(?:moves|starts|swaps) (?:a )?)?{COLOR}\b", text) for text in texts]
        return [Part(name.group(1) if name else self.color, text) for name, text in zip(named, texts, strict=True)]

    def partner_bumps(self) -> int:
        """Pawns sent back by those of the partner's color, or by one of them on the square where they arrive."""
        if not self.partner:
            return 0
        mate = {self.color: self.partner, self.partner: self.color}
        ours = [part for part in self.parts if part.color in mate]
        return sum(part.sends_back(mate[part.color]) + part.text.count("goes back to START") for part in ours)

    def partner_moves(self) -> bool:
        return any(part.color == self.partner for part in self.parts) or self.did(f"^swaps its pawn on .* with {self.partner}'s")

    def slides(self) -> int:
        return sum(part.text.count("slides to") for part in self.parts if part.color in self.team)

    def moved_forward(self) -> list[tuple[str, str]]:
        """The pawns that a number card has moved forward, where they stood."""
        ways = [(part.color, re.search(r"^starts|moves .*\d forward from (\w+)", part.text)) for part in self.parts]
        return [(color, way.group(1) or "S") for color, way in ways if way]

    def pawns_behind(self) -> int:
        moved = [to_go(*pawn) for pawn in self.moved_forward()]
        before = [(color, place) for color in self.team for place in self.before[color]]
        return sum(to_go(*pawn) > max(moved) for pawn in before) if moved else 0

    def threats(self) -> Iterator[tuple[str, int]]:
        """The own pawn of every pair of an own and an opponent's pawn that has it in reach."""
        for other in self.opponents:
            for square in set(squares(self.after[other])):
                yield from (pawn for pawn in self.own_squares if pawn[1] in in_reach(other, square))

    def targets(self) -> int:
        foes = [square for color in self.opponents for square in set(squares(self.after[color]))]
        return sum(square in in_reach(*own) for own in self.own_squares for square in foes)

    @property
    def waiting(self) -> list[str]:
        """The opponents with pawns on START."""
        return [color for color in self.opponents if "S" in self.after[color]]

    @property
    def kept(self) -> list[str]:
        """The hand without the card that is spent, if that is known."""
        kept = list(self.hand)
        if self.outcome.card in kept:
            kept.remove(self.outcome.card)
        return kept


def total(pawns: list[tuple[str, str]], value: Callable[[str, str], float]) -> float:
    return sum(value(*pawn) for pawn in pawns)


def lead(color: str, place: str) -> float:
    return come(color, place) ** 2 / 65


def is_short_cut(color: str, place: str) -> bool:
    return place.isdigit() and (int(place) - circle(color)) % 60 in (59, 0, 1, 2)


def at(*places: str) -> Callable[[str, str], float]:
    return lambda _, place: float(place in places)


FEATURES: dict[str, Callable[[Seen], float]] = {
    "bumps": lambda seen: seen.back(seen.opponents),
    "own_bumps": lambda seen: seen.back(seen.team) + seen.did("^starts|from START"),
    "partner_bumps": Seen.partner_bumps,
    "partner_moves": Seen.partner_moves,
    "slides": Seen.slides,
    "starts": lambda seen: seen.did("^starts"),
    "takes": lambda seen: seen.did("from START"),
    "swaps": lambda seen: seen.did("^swaps"),
    "splits": lambda seen: seen.did("; then|; at the same time"),
    "backs": lambda seen: seen.did(rf"^moves (?:{COLOR} )?\d+ back "),
    "passes": lambda seen: seen.outcome.kind in ("pass", "blocked"),
    "throws": lambda seen: seen.outcome.kind == "throw",
    "idles": lambda seen: seen.outcome.kind == "idle",
    "pawns_behind": Seen.pawns_behind,
    "progress": lambda seen: total(seen.own, come),
    "lead": lambda seen: total(seen.own, lead),
    "in_start": lambda seen: total(seen.own, at("S")),
    "on_circle": lambda seen: total(seen.own, lambda color, place: place == str(circle(color))),
    "short_cut": lambda seen: total(seen.own, is_short_cut),
    "on_track": lambda seen: len(seen.own_squares),
    "in_zone": lambda seen: total(seen.own, lambda _, place: place[0] == "Z"),
    "home": lambda seen: total(seen.own, at("H")),
    "threats": lambda seen: len(list(seen.threats())),
    "stake": lambda seen: sum(come(color, str(square)) for color, square in seen.threats()),
    "targets": Seen.targets,
    "sorry_risk": lambda seen: len(seen.waiting) * sum(come(color, str(square)) for color, square in seen.own_squares),
    "start_risk": lambda seen: sum(square == circle(color) for _, square in seen.own_squares for color in seen.waiting),
    "foe_progress": lambda seen: total(seen.foes, come),
    "foe_lead": lambda seen: total(seen.foes, lead),
    "foe_in_start": lambda seen: total(seen.foes, at("S")),
    "leader_progress": lambda seen: total(seen.leader, come),
    "leader_lead": lambda seen: total(seen.leader, lead),
    "leader_in_start": lambda seen: total(seen.leader, at("S")),
    "partner_progress": lambda seen: total(seen.partners, come),
    "partner_lead": lambda seen: total(seen.partners, lead),
    "partner_in_start": lambda seen: total(seen.partners, at("S")),
    "partner_home": lambda seen: total(seen.partners, at("H")),
    **{f"holds_{card}": lambda seen, card=card: seen.kept.count(card) for card in CARDS},  # type: ignore[misc]
    "holds_start": lambda seen: "1" in seen.kept or "2" in seen.kept,
    "variety": lambda seen: len(set(seen.kept)),
}


def test_every_feature_is_worked_out_here() -> None:
    assert list(FEATURES) == [feature.name for feature in classic.FEATURES]


def partner_of(rules: Rules, color: str) -> str | None:
    return next((other for pair in rules.team_pairs if color in pair for other in pair if other != color), None)


def random_position(luck: random.Random, rules: Rules, players: tuple[str, ...]) -> str:
    """Pawns all over the board, often near each other."""
    begin, width = luck.randrange(60), luck.choice((10, 25, 60))
    owner: dict[str, str] = {}  # of track squares
    groups = []
    for color in players:
        own: list[str] = []
        friends = [color] if rules.own_collision == "share" else []
        friends += [partner_of(rules, color) or color] if rules.team_collision == "coexist" else []
        while len(own) < rules.pawns:
            track = (begin + luck.randrange(width)) % 60
            near = (circle(color) + luck.randrange(-6, 4)) % 60
            place = luck.choices(["S", "H", f"Z{luck.randint(1, 5)}", str(near), str(track)], [3, 1, 2, 2, 6])[0]
            there = color if place in own else owner.get(place)
            if place in "SH" or there is None or there in friends:
                own.append(place)
                owner |= {place: color} if place.isdigit() else {}
        groups.append(" ".join([color, *own]))
    return " / ".join(groups)


def random_question(luck: random.Random, chooser: Chooser) -> Question:
    """A decision in a dense position, with a card or a hand."""
    rules, players = chooser.table.rules, chooser.table.players
    position, color = random_position(luck, rules, players), luck.choice(players)
    if not rules.hand_size:
        return Question(position, color, luck.choice([*CARDS, "7", "11", "sorry"]))
    hand = luck.sample([card for card, copies in rules.deck_counts.counts.items() for _ in range(copies)], rules.hand_size)
    followup = rules.two_in_hand != "none" and luck.random() < 0.3
    state: dict[str, Any] = {"followup": followup, "first_turn": luck.random() < 0.2}
    if followup and rules.two_in_hand == "play_drawn":
        state["drawn"] = hand[-1]
    return Question(position, color, " ".join(hand), state)


RULES = {
    "printed": Rules(),
    "passing allowed": Rules(must_move=False),
    "sharing squares": Rules(pawns=6, own_collision="share", seven_parts=3),
    "sliding after swaps": Rules(pawns=3, slide_after_swap="both", own_collision="ends_turn"),
    "own pawns sent back": Rules(pawns=2, own_collision="bump_self", seven_resolution="simultaneous"),
    "any slide": Rules(slides="all", home_overshoot="bounce", forward_past_entry="decline_ok", sorry_alt_forward=4),
    "hand": Rules(hand_size=5),
    "hand that passes": Rules(hand_size=3, must_move=False, two_in_hand="play_drawn", two_followup_stuck="discard_one"),
    "hand of idle 2s": Rules(hand_size=6, pawns=1, start_cards=("1", "sorry"), two_playable_idle=True),
    "hand that skips": Rules(hand_size=4, own_collision="ends_turn", two_playable_idle=True, first_turn_dead_hand="skip"),
    "hand thrown in at random": Rules(hand_size=2, dead_hand="random", ten_back_forced=False),
}


def in_teams(**options: Any) -> Rules:
    """Rules for two teams, red and yellow against blue and green unless said otherwise."""
    return Rules(**{"team_pairs": "opposite"} | options)


TEAM_RULES = {
    "teams": in_teams(),
    "neighbors": in_teams(pawns=3, team_pairs=(("red", "blue"), ("yellow", "green")), seven_parts=8, team_eleven_partner=True),
    "arriving partner sent back": in_teams(team_collision="bump_mover", team_sorry_target="any", must_move=False),
    "partners sharing": in_teams(team_collision="coexist", team_eleven_partner=True, slide_after_swap="both"),
    "partners in the way": in_teams(pawns=2, team_collision="illegal", team_own_collision="bump", seven_parts=4),
    "own pawns first": in_teams(pawns=2, team_control="own_only", own_collision="ends_turn", seven_parts=3),
    "pawns lifted together": in_teams(pawns=3, seven_resolution="simultaneous", slide_after_swap="both"),
    "teams with hands": in_teams(hand_size=3, team_sorry_target="any", must_move=False),
}
CHOOSERS = [(name, Chooser(rules, seated)) for name, rules in RULES.items() for seated in SEATED.values()]
CHOOSERS += [(name, Chooser(rules, SEATED[4])) for name, rules in TEAM_RULES.items() for _ in range(2)]


def features_of(chooser: Chooser, question: Question, names: Mapping[str, float]) -> list[dict[str, float]]:
    """The features named, of every outcome of a decision."""
    before, color = read(question.position), question.color
    hand = question.cards.split() if chooser.table.rules.hand_size else []
    partner = partner_of(chooser.table.rules, color)
    outcomes = chooser.decide(question).outcomes
    all_seen = [Seen(color, partner, before, read(outcome.position), outcome, hand) for outcome in outcomes]
    return [{name: float(FEATURES[name](seen)) for name in names} for seen in all_seen]


def random_weights(luck: random.Random) -> dict[str, float]:
    return {feature: luck.choice((-3.0, -0.5, 0.25, 1.0, 7.0)) for feature in luck.sample(list(FEATURES), luck.randint(1, 20))}


def test_scores_are_sums_of_weights_times_features() -> None:
    luck = random.Random(7)
    values: dict[str, set[float]] = {feature: set() for feature in FEATURES}
    for name, chooser in CHOOSERS * 30:
        question, weights = random_question(luck, chooser), random_weights(luck)
        found = features_of(chooser, question, weights)
        expected = [sum(weight * features[feature] for feature, weight in weights.items()) for features in found]
        scores = chooser.scores(weights, question)
        # With a hand, what is kept whatever is chosen is left out of all scores.
        beside = scores[0] - expected[0] if chooser.table.rules.hand_size and scores else 0.0
        for score, value, features in zip(scores, expected, found, strict=True):
            assert score - beside == pytest.approx(value, abs=1e-3), f"{name}: {question}, {features}, {weights}"
        for features in found if len(found) > 1 else []:
            for feature, value in features.items():
                values[feature].add(value)
    assert not [feature for feature, seen in values.items() if len(seen) < 2]


def test_the_two_ways_to_score_agree_where_both_apply() -> None:
    luck = random.Random(8)
    choosers = [chooser for name, chooser in CHOOSERS if name in RULES and not chooser.table.rules.hand_size]
    for chooser in choosers * 40:
        question, weights = random_question(luck, chooser), random_weights(luck)
        assert chooser.scores(weights, question) == chooser.scores(weights, question, alone=True)
        words = [luck.getrandbits(64) for _ in range(4)]
        assert chooser.choices(weights, question, words) == chooser.choices(weights, question, words, alone=True)


# -- by hand ---------------------------------------------------------------------------------------------


def score_by_hand(rules: Rules, feature: str, question: Question, after: str) -> float:
    """What a feature counts for the outcomes in which the pawns come to stand as said."""
    chooser = Chooser(rules, tuple(read(question.position)))
    groups = set(after.split(" / "))
    outcomes, scores = chooser.decide(question).outcomes, chooser.scores({feature: 1.0}, question)
    found = {score for outcome, score in zip(outcomes, scores, strict=True) if groups <= set(outcome.position.split(" / "))}
    (score,) = found
    return score


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
    assert score_by_hand(Rules(), feature, Question(position, "red", card), after) == pytest.approx(value, abs=1e-4)


RESTED = "blue S S S S / yellow S S S S / green S S S S"
TEAMS = in_teams(team_eleven_partner=True, seven_parts=3)
MOVER = in_teams(team_collision="bump_mover")
APART = "red S S S 5 / blue S S S 22 / yellow S S S 40 / green S S S S"


@pytest.mark.parametrize(
    ("rules", "feature", "position", "card", "after", "value"),
    [
        # Red plays with yellow, whose circle is 34 and whose entry is 32; blue's circle is 19, green's 49.
        (TEAMS, "progress", f"red S S S 5 / {RESTED}", "3", "red S S S 8", 5),
        (TEAMS, "progress", "red S S S 5 / blue S S S S / yellow S S S 44 / green S S S S", "3", "red S S S 8", 5 + 11),
        (TEAMS, "progress", "red S S S 5 / blue S S S S / yellow S S S 44 / green S S S S", "3", "yellow S S S 47", 2 + 14),
        (TEAMS, "partner_progress", "red S S S 5 / blue S S S S / yellow S S S 44 / green S S S S", "3", "red S S S 8", 11),
        (TEAMS, "partner_progress", "red S S S 5 / blue S S S S / yellow S S S 44 / green S S S S", "3", "yellow S S S 47", 14),
        (TEAMS, "partner_lead", "red S S S 5 / blue S S S S / yellow S S S 44 / green S S S S", "3", "yellow S S S 47", 14**2 / 65),
        (TEAMS, "partner_in_start", f"red S S S 5 / {RESTED}", "1", "yellow S S S 34", 3),
        (TEAMS, "in_start", f"red S S S 5 / {RESTED}", "1", "yellow S S S 34", 3 + 3),
        (TEAMS, "home", "red S S S 5 / blue S S S S / yellow S S H Z3 / green S S S S", "3", "yellow S S H H", 2),
        (TEAMS, "partner_home", "red S S H 5 / blue S S S S / yellow S S H Z3 / green S S S S", "3", "yellow S S H H", 2),
        (TEAMS, "short_cut", f"red S S S 5 / {RESTED}", "1", "yellow S S S 34", 2),  # both, each on its own squares
        (TEAMS, "on_circle", f"red S S S 5 / {RESTED}", "1", "yellow S S S 34", 1),
        (TEAMS, "foe_progress", "red S S S 5 / blue S S S 20 / yellow S S S 44 / green S S S 50", "3", "red S S S 8", 2 + 2),
        # Yellow has come farthest, but leads nobody of its own team.
        (TEAMS, "leader_progress", "red S S S 5 / blue S S S 22 / yellow H H S 44 / green S S S 50", "3", "red S S S 8", 4),
        (TEAMS, "bumps", "red S S S 5 / blue S S S 8 / yellow S S S 44 / green S S S S", "3", "red S S S 8", 1),
        (TEAMS, "bumps", "red S S S 5 / blue S S S S / yellow S S S 8 / green S S S S", "3", "red S S S 8", 0),
        (TEAMS, "own_bumps", "red S S S 5 / blue S S S S / yellow S S S 8 / green S S S S", "3", "red S S S 8", 1),
        (TEAMS, "partner_bumps", "red S S S 5 / blue S S S S / yellow S S S 8 / green S S S S", "3", "red S S S 8", 1),
        (TEAMS, "own_bumps", "red S S 13 18 / blue S S S S / yellow S S S 17 / green S S S S", "3", "red S S S 19", 2),
        (TEAMS, "partner_bumps", "red S S 13 18 / blue S S S S / yellow S S S 17 / green S S S S", "3", "red S S S 19", 1),
        (MOVER, "partner_bumps", "red S S S 5 / blue S S S S / yellow S S S 8 / green S S S S", "3", "red S S S S", 1),
        (MOVER, "own_bumps", "red S S S 5 / blue S S S S / yellow S S S 8 / green S S S S", "3", "red S S S S", 1),
        (TEAMS, "partner_moves", "red S S S 5 / blue S S S S / yellow S S S 44 / green S S S S", "3", "red S S S 8", 0),
        (TEAMS, "partner_moves", "red S S S 5 / blue S S S S / yellow S S S 44 / green S S S S", "3", "yellow S S S 47", 1),
        (TEAMS, "partner_moves", "red S S S 5 / blue S S S S / yellow S S S 40 / green S S S S", "7", "red S S S 8 / yellow S S S 44", 1),
        (TEAMS, "partner_moves", "red S S 5 11 / blue S S S S / yellow S S S 40 / green S S S S", "7", "red S S 8 15", 0),
        (TEAMS, "partner_moves", "red S S S 5 / blue S S S S / yellow S S S 40 / green S S S S", "11", "red S S S 40 / yellow S S S 5", 1),
        (TEAMS, "partner_moves", APART, "11", "red S S S 22 / blue S S S 5", 0),
        (TEAMS, "partner_moves", APART, "11", "yellow S S S 22 / blue S S S 40", 1),
        (TEAMS, "partner_moves", "red S S S S / blue S S S 22 / yellow S S S S / green S S S S", "sorry", "yellow S S S 22", 1),
        (TEAMS, "partner_moves", "red S S S S / blue S S S S / yellow S S S 22 / green S S S S", "sorry", "red S S S 22", 0),  # only hit
        # Yellow's 44 has come 11, red's 5, 20 and Z1 have come 2, 17 and 60.
        (TEAMS, "pawns_behind", "red S S S 20 / blue S S S S / yellow S S S 44 / green S S S S", "3", "red S S S 23", 3 + 4),
        (TEAMS, "pawns_behind", "red S S S 20 / blue S S S S / yellow S S S 44 / green S S S S", "3", "yellow S S S 47", 3 + 3),
        (TEAMS, "pawns_behind", "red S S 20 H / blue S S S S / yellow 40 H H H / green S S S S", "7", "yellow 44 H H H", 2),
        # Between partners there is no danger, and each is in danger on its own way round.
        (TEAMS, "threats", "red S S S 18 / blue S S S S / yellow S S S 17 / green S S S S", "2", "red S S S 20", 0),
        (TEAMS, "threats", "red S S S 18 / blue S S S S / yellow S S S 22 / green S S S 17", "2", "red S S S 20", 1 + 1),  # 3 and 5 ahead
        (TEAMS, "stake", "red S S S 18 / blue S S S S / yellow S S S 22 / green S S S 17", "2", "red S S S 20", 17 + 49),
        (TEAMS, "targets", "red S S S 18 / blue S S S 25 / yellow S S S 22 / green S S S S", "2", "red S S S 20", 1 + 1),
        (TEAMS, "targets", "red S S S 18 / blue S S S S / yellow S S S 25 / green S S S S", "2", "red S S S 20", 0),
        (TEAMS, "sorry_risk", "red S S S 18 / blue S 5 6 7 / yellow S S S 44 / green H H H 46", "2", "red S S S 20", 1 * (17 + 11)),
        (TEAMS, "start_risk", "red S S S 32 / blue S S S S / yellow S S S S / green S S S S", "2", "red S S S 34", 0),  # yellow's circle
        (TEAMS, "start_risk", "red S S S 5 / blue S S S S / yellow S S S 16 / green S S S S", "3", "yellow S S S 19", 1),  # blue's
    ],
)
def test_by_hand_in_teams(rules: Rules, feature: str, position: str, card: str, after: str, value: float) -> None:
    assert score_by_hand(rules, feature, Question(position, "red", card), after) == pytest.approx(value, abs=1e-4)


HAND = Rules(hand_size=5)


@pytest.mark.parametrize(
    ("feature", "hand", "values"),
    [
        # Nothing can be played: one card is thrown in.
        ("holds_3", "3 5 8 3 sorry", {"3": 1, "5": 2, "8": 2, "sorry": 2}),
        ("holds_sorry", "3 5 8 3 sorry", {"3": 1, "5": 1, "8": 1, "sorry": 0}),
        ("holds_12", "3 5 8 3 sorry", {"3": 0, "5": 0, "8": 0, "sorry": 0}),
        ("holds_start", "3 5 8 3 sorry", {"3": 0, "5": 0, "8": 0, "sorry": 0}),
        ("variety", "3 5 8 3 sorry", {"3": 4, "5": 3, "8": 3, "sorry": 3}),
        ("throws", "3 5 8 3 sorry", {"3": 1, "5": 1, "8": 1, "sorry": 1}),
        # A pawn can be started: with the 1, or the 2, and nothing else.
        ("holds_start", "1 5 8 3 2", {"1": 1, "2": 1}),
        ("holds_1", "1 5 1 3 2", {"1": 1, "2": 2}),
        ("variety", "1 5 1 3 2", {"1": 4, "2": 3}),
        ("throws", "1 5 1 3 2", {"1": 0, "2": 0}),
    ],
)
def test_by_hand_with_a_hand(feature: str, hand: str, values: dict[str, int]) -> None:
    # What is kept whatever is chosen is left out of all scores alike.
    chooser, question = Chooser(HAND, ("red", "yellow")), Question(f"red S S S S / {RESTING}", "red", hand)
    outcomes, scores = chooser.decide(question).outcomes, chooser.scores({feature: 1.0}, question)
    assert [outcome.card for outcome in outcomes] == list(values)
    assert [score - scores[0] for score in scores] == [value - next(iter(values.values())) for value in values.values()]


@pytest.mark.parametrize(
    ("options", "hand", "state", "values"),
    [
        # Pawns 4 apart; what a 2 brings may be declined.
        ({"must_move": False}, "3 12", {}, {("play", "3"): 0, ("play", "12"): -5, ("throw", "3"): 0, ("throw", "12"): -5}),
        ({"must_move": False}, "3 12", {"followup": True}, {("play", "3"): 0, ("play", "12"): -5, ("pass", ""): 0}),
        ({"dead_hand": "random"}, "11 12", {}, {("play", "11"): 0, ("throw", "random"): 0}),
    ],
)
def test_what_is_not_spent_is_kept(options: dict[str, Any], hand: str, state: dict[str, Any], values: dict[tuple[str, str], float]) -> None:
    position = "red S H H 58 / yellow S S S 30" if "dead_hand" in options else f"red S H H 20 / {RESTING}"
    chooser, question = Chooser(Rules(hand_size=2, **options), ("red", "yellow")), Question(position, "red", hand, state)
    outcomes, scores = chooser.decide(question).outcomes, chooser.scores({"holds_12": 5.0}, question)
    assert {(outcome.kind, outcome.card): score for outcome, score in zip(outcomes, scores, strict=True)} == values


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
