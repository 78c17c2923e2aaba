"""What policies of Ice Soo Sorry! can weigh: each feature worked out once more on the referee's board, and by hand."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from ice_listing import Lister, Question, some_question
from ice_tools import Follower, Recorder, U, line_up
from ice_vectors import places_of
from referee import ice as referee
from referee.board import SLIDES, TRACK, circle, entry, squares_to_go
from scipy import stats

from simsorry.games import ice
from simsorry.games.ice import scoring
from simsorry.games.ice.counting import take_stock
from simsorry.games.ice.listing import APART
from simsorry.games.ice.rules import Rules
from simsorry.games.options import CARDS, COLORS
from simsorry.games.weights import SCALE
from simsorry.jit import entry as compiled

# -- the engine's scores ---------------------------------------------------------------------------------


@compiled
def _scores(tables, line_up, scratch, seat, n, whole, scores):  # type: ignore[no-untyped-def]
    """The score of every listed outcome; ``whole``: the parts of a 7 are always carried out together."""
    r = tables[0]
    q = line_up[0]
    x = scratch[0]
    color, row = U(r.seat_color[seat]), q.row[seat]
    take_stock(r, x)
    leader = scoring.find_leader(r, x, color) if q.uses_leader[seat] != U(0) else U(4)
    danger = q.uses_danger[seat] != U(0)
    if danger:
        scoring.look_around(r, q, x, color)
    for place in range(80):
        x.place_value[U(place)] = scoring.value_at(r, q, x, row, color, leader, danger, U(place))
    off_board = scoring.value_off_board(r, q, x, row, color, leader)
    parts_known = False
    for i in range(n):
        action, slides = x.action[U(i)], U(x.ridden[U(i)])
        apart = slides & APART != U(0) and not whole
        if apart and not parts_known:
            scoring.value_parts(r, q, x, row, color, leader, danger, off_board)
            parts_known = True
        scores[i] = scoring.position_value(r, q, x, row, color, leader, danger, off_board, action, apart)
        scores[i] += scoring.event_value(r, q, x, row << U(4), color, action, slides & U(3))
        if q.uses_hand[seat] * r.hand_size != U(0):
            scores[i] += scoring.hand_value(q, x, seat, row, U(x.card[U(i)]))


@compiled
def _choose(tables, line_up, scratch, seat, n, luck):  # type: ignore[no-untyped-def]
    """The number of the outcome that is chosen, for the decision in the scratch record."""
    take_stock(tables[0], scratch[0])
    return scoring.best_play(tables[0], line_up[0], scratch[0], n, seat, luck)


class Chooser(Lister):
    """The engine at one table, with policies."""

    def scores(self, weights: Mapping[str, float], question: Question, *, whole: bool = False) -> list[float]:
        """The score of every outcome, in the order of ``ask``; they mean something in comparison only."""
        n, seat = self.fill(question), U(self.seated.index(question.color))
        scores = np.zeros(n, np.int64)
        _scores(self.tables, self._line_up(weights), self.scratch, seat, U(n), whole, scores)
        return [float(score) / SCALE for score in scores]

    def choices(self, weights: Mapping[str, float], question: Question, luck: list[int]) -> list[int]:
        """The outcomes chosen, one for each random word."""
        n, seat, line = self.fill(question), U(self.seated.index(question.color)), self._line_up(weights)
        return [int(_choose(self.tables, line, self.scratch, seat, U(n), U(word))) for word in luck]

    def _line_up(self, weights: Mapping[str, float]) -> Any:
        return ice.compile_line_up([weights] * len(self.seated))


# -- what the features mean ------------------------------------------------------------------------------


class Standing(NamedTuple):
    """A pawn on the board, or on START or HOME."""

    color: str
    size: int
    place: referee.Place
    above: int  # pawns on top of it
    covered: bool
    leader: str  # whose the top pawn of its pile is

    @property
    def come(self) -> int:
        return 65 - squares_to_go(self.color, referee.walked(self.place))

    @property
    def lead(self) -> float:
        return self.come**2 / 65

    @property
    def in_play(self) -> bool:
        return referee.in_play(self.place)

    @property
    def on_track(self) -> bool:
        return isinstance(self.place, int)

    @property
    def in_start(self) -> bool:
        return self.place == referee.start(self.color)

    @property
    def home(self) -> bool:
        return self.place == referee.home(self.color)

    @property
    def past_circle(self) -> int:
        """Squares past the own start circle; -1 off the track."""
        return (self.place - circle(self.color)) % TRACK if isinstance(self.place, int) else -1


def standing(board: referee.Board) -> list[Standing]:
    """Every pawn."""
    found, covered = [], board.covered()
    for place, pile in board.piles.items():
        for level, pawn in enumerate(pile):
            above = len(pile) - 1 - level if referee.in_play(place) else 0
            found.append(Standing(pawn.color, pawn.size, place, above, pawn in covered, pile[-1].color))
    return found


CARD_STEPS = (1, 2, 3, 5, 7, 8, 10, 11, 12, -1, -4)


@cache
def in_reach(color: str, square: int) -> frozenset[int]:
    """The squares that a pawn hits from another with one card of the printed rules: where it stops, and all that it rides over."""
    ends = set()
    for steps in CARD_STEPS:
        if steps < 0 or (entry(color) - square) % TRACK >= steps:  # or else it turns in
            ends.add((square + steps) % TRACK)
    rides = {slide.triangle: slide.ride for slide in SLIDES if slide.color != color}
    return frozenset(ends.union(*(rides.get(end, ()) for end in ends)))


class Seen(NamedTuple):
    """An outcome as its player sees it."""

    question: Question
    choice: referee.Outcome
    before: list[Standing]
    after: list[Standing]

    @property
    def way(self) -> referee.Way | None:
        return self.choice.way

    def is_kind(self, *kinds: str) -> bool:
        return self.way is not None and self.way.kind in kinds

    @property
    def own(self) -> list[Standing]:
        return [pawn for pawn in self.after if pawn.color == self.question.color]

    @property
    def foes(self) -> list[Standing]:
        return [pawn for pawn in self.after if pawn.color != self.question.color]

    @property
    def leader(self) -> list[Standing]:
        """The pawns of the opponent on the way with least to go before it, the next to play among equals."""
        me = COLORS.index(self.question.color)
        others = [COLORS[(me + step) % 4] for step in (1, 2, 3) if COLORS[(me + step) % 4] in self.question.seated]
        pawns = {color: [pawn for pawn in self.before if pawn.color == color] for color in others}
        home = {color: sum(pawn.home for pawn in some) for color, some in pawns.items()}
        on_the_way = [color for color in others if home[color] < self.question.rules.pawns]
        if not on_the_way:
            return []
        first = min(on_the_way, key=lambda color: sum(65 - pawn.come for pawn in pawns[color]))
        return [pawn for pawn in self.after if pawn.color == first]

    @property
    def parts(self) -> tuple[referee.Part, ...]:
        return self.way.parts if self.way is not None else ()

    def stack_moves(self) -> int:
        return sum(len(part.group) > 1 and part.kind in ("forward", "past", "back") for part in self.parts)

    def pawns_behind(self) -> int:
        """Own pawns farther back than the rearmost one moved forward."""
        if not self.is_kind("forward", "past", "split"):
            return 0
        assert self.way is not None
        numbers = [self.way.details[0]] if self.way.kind != "split" else [part[0] for part in self.way.details]
        own = [pawn for pawn in self.before if pawn.color == self.question.color]
        places = {referee.number_of(pawn.place): pawn.place for pawn in self.before if pawn.in_play}
        come = min(65 - squares_to_go(self.question.color, referee.walked(places[number])) for number in numbers)
        return sum(pawn.come < come for pawn in own)

    # -- danger --

    def pairs(self) -> Iterator[tuple[Standing, Standing]]:
        """Own top pawns on the track, with each top pawn that an opponent had on the track before."""
        for mine in self.own:
            if mine.on_track and not mine.above:
                for theirs in self.before:
                    if theirs.color != self.question.color and theirs.on_track and not theirs.above:
                        yield mine, theirs

    def threats(self) -> list[tuple[Standing, Standing]]:
        return [(mine, theirs) for mine, theirs in self.pairs() if mine.place in in_reach(theirs.color, theirs.place)]

    def targets(self) -> int:
        return sum(theirs.place in in_reach(mine.color, mine.place) for mine, theirs in self.pairs())

    def sorry_risk(self) -> int:
        waiting = {pawn.color for pawn in self.before if pawn.in_start} - {self.question.color}
        return sum(mine.come for mine in self.own if mine.on_track and not mine.above) * len(waiting)

    # -- the hand --

    def hand(self) -> Counter[str]:
        """What is left of it; a card that chance will throw in counts as kept."""
        left = Counter(self.question.hand)
        if self.choice.card in left and self.choice.kind != "pass":
            left[self.choice.card] -= 1
        return +left


def total(which: str, value: Callable[[Standing], float]) -> Callable[[Seen], float]:
    return lambda seen: sum(value(pawn) for pawn in getattr(seen, which))


def leads(pawn: Standing, seen: Seen) -> bool:
    """Whether the pile that a pawn lies in is the player's."""
    return pawn.in_play and pawn.leader == seen.question.color


def holds(card: str) -> Callable[[Seen], float]:
    return lambda seen: seen.hand()[card]


FEATURES: dict[str, Callable[[Seen], float]] = {
    "slides": lambda seen: seen.way.slides if seen.way else 0,
    "starts": lambda seen: seen.is_kind("start"),
    "takes": lambda seen: seen.is_kind("sorry"),
    "swaps": lambda seen: seen.is_kind("switch"),
    "splits": lambda seen: seen.is_kind("split"),
    "backs": lambda seen: seen.is_kind("back"),
    "passes": lambda seen: seen.choice.kind == "pass",
    "throws": lambda seen: seen.choice.kind == "throw",
    "idles": lambda seen: seen.choice.kind == "idle",
    "stack_moves": Seen.stack_moves,
    "pawns_behind": Seen.pawns_behind,
    "progress": total("own", lambda pawn: pawn.come),
    "lead": total("own", lambda pawn: pawn.lead),
    "in_start": total("own", lambda pawn: pawn.in_start),
    "large_in_start": total("own", lambda pawn: pawn.in_start and pawn.size == 2),
    "on_circle": total("own", lambda pawn: pawn.past_circle == 0),
    "short_cut": total("own", lambda pawn: pawn.past_circle in (59, 0, 1, 2)),
    "on_track": total("own", lambda pawn: pawn.on_track),
    "in_zone": total("own", lambda pawn: pawn.in_play and not pawn.on_track),
    "home": total("own", lambda pawn: pawn.home),
    "home_size": total("own", lambda pawn: pawn.home * (pawn.size + 1)),
    "covered": total("own", lambda pawn: pawn.covered),
    "covered_progress": total("own", lambda pawn: pawn.covered * pawn.come),
    "carried": lambda seen: sum(pawn.in_play and not pawn.covered and not leads(pawn, seen) for pawn in seen.own),
    "stacked": lambda seen: sum(not pawn.covered and pawn.above > 0 and leads(pawn, seen) for pawn in seen.own),
    "burden": total("own", lambda pawn: pawn.above),
    "led": lambda seen: sum(not pawn.covered and leads(pawn, seen) for pawn in seen.foes),
    "threats": lambda seen: len(seen.threats()),
    "stake": lambda seen: sum(mine.come for mine, _ in seen.threats()),
    "cover_risk": lambda seen: sum(theirs.size > mine.size for mine, theirs in seen.threats()),
    "targets": Seen.targets,
    "sorry_risk": Seen.sorry_risk,
    "foe_progress": total("foes", lambda pawn: pawn.come),
    "foe_lead": total("foes", lambda pawn: pawn.lead),
    "foe_in_start": total("foes", lambda pawn: pawn.in_start),
    "foe_covered": total("foes", lambda pawn: pawn.covered),
    "foe_covered_progress": total("foes", lambda pawn: pawn.covered * pawn.come),
    "leader_progress": total("leader", lambda pawn: pawn.come),
    "leader_lead": total("leader", lambda pawn: pawn.lead),
    "leader_in_start": total("leader", lambda pawn: pawn.in_start),
    "leader_covered": total("leader", lambda pawn: pawn.covered),
    **{f"holds_{card}": holds(card) for card in CARDS},
    "holds_start": lambda seen: any(seen.hand()[card] for card in ("1", "2", "3")),
    "variety": lambda seen: len(seen.hand()),
}


def test_every_feature_is_worked_out_here() -> None:
    assert list(FEATURES) == [feature.name for feature in ice.FEATURES]


def all_seen(question: Question, decision: referee.Decision) -> dict[tuple[Any, ...], Seen]:
    """What there is to choose from, by what tells outcomes apart."""
    before = standing(decision.board)
    return {(one.kind, one.card, one.text): Seen(question, one, before, standing(one.board)) for one in decision.choices}


def some_weights(luck: random.Random) -> dict[str, float]:
    return {feature: luck.choice((-3.0, -0.5, 0.25, 1.0, 7.0)) for feature in luck.sample(list(FEATURES), luck.randint(1, 40))}


def value_of(seen: Seen, weights: Mapping[str, float]) -> float:
    return sum(weight * FEATURES[name](seen) for name, weight in weights.items())


KINDS_OF_RULES: dict[str, dict[str, Any]] = {
    "any": {},
    "hands": {"hand_size": 5},
    "dead hands": {"hand_size": 5, "forward_past_entry": "forbidden", "must_move": False, "pieces": (1, 1, 1)},
    "sevens and switches": {"hand_size": 0, "pieces": (2, 2, 2)},
    "contact at the top": {"ice_contact_piece": "top", "ice_mixed_stack_zone": "drop_at_entry"},
    "units ride": {"ice_slide_mode": "carry_stacked", "ice_slide_triangle": "take", "slides": "all"},
    "laps": {"pass_scope": "always", "hand_size": 0},
    "back to START": {"ice_mixed_stack_zone": "to_start", "two_playable_idle": True, "hand_size": 3},
}


def keys_of(question: Question, chooser: Chooser) -> list[tuple[Any, ...]]:
    """What tells the engine's outcomes apart, as the referee has it."""
    found = chooser.ask(question)
    card = question.card
    return [(one.kind, one.card if card is None else card, one.text) for one in found]


def test_scores_are_sums_of_weights_times_features() -> None:
    luck = random.Random(22)
    differ: set[str] = set()
    for options in [*KINDS_OF_RULES.values()] * 12:
        question, weights = some_question(luck, 4, **options), some_weights(luck)
        chooser, seen = Chooser(question.rules, question.seated), all_seen(question, question.decision)
        keys, scores = keys_of(question, chooser), chooser.scores(weights, question)
        if len(keys) < 2:
            continue
        some = luck.sample(range(len(keys)), min(16, len(keys)))
        values = {number: {name: float(FEATURES[name](seen[keys[number]])) for name in weights} for number in some}
        first = some[0]
        for number in some:
            changes = {name: values[number][name] - values[first][name] for name in weights}
            expected = sum(weights[name] * change for name, change in changes.items())
            assert scores[number] - scores[first] == pytest.approx(expected, abs=2e-3), f"{question}, {keys[number]}: {changes}, {weights}"
            differ |= {name for name, change in changes.items() if change}
    assert set(FEATURES) - differ <= {"idles", "leader_in_start", "foe_in_start"}  # rare: see by hand


def test_a_7_whose_parts_are_apart_scores_as_if_it_were_carried_out() -> None:
    luck = random.Random(8)
    apart = 0
    for number in range(60):
        options = {"hand_size": 0, "pieces": (2, 2, 2)} | ({"pass_scope": "always"} if number % 2 else {})
        question, weights = some_question(luck, 3, **options)._replace(card="7"), some_weights(luck)
        chooser = Chooser(question.rules, question.seated)
        whole, parts = (chooser.scores(weights, question, whole=whole) for whole in (True, False))
        assert whole == pytest.approx(parts, abs=1e-9), f"{question}, {weights}"
        apart += sum(int(ridden) & int(APART) != 0 for ridden in chooser.scratch[0]["ridden"][: len(whole)])
    assert apart > 200


# -- what is chosen --------------------------------------------------------------------------------------


def test_the_best_outcome_is_chosen_and_equals_are_drawn_for() -> None:
    luck = random.Random(3)
    several = 0
    for _ in range(50):
        question, weights = some_question(luck, 3), some_weights(luck)
        if luck.random() < 0.7:
            weights = {luck.choice(("home", "splits", "starts", "on_circle", "stack_moves", "covered", "in_zone")): 1.0}
        chooser = Chooser(question.rules, question.seated)
        scores = chooser.scores(weights, question)
        if len(scores) < 2:
            continue
        best = [number for number, score in enumerate(scores) if score == max(scores)]
        chosen = Counter(chooser.choices(weights, question, [luck.getrandbits(64) for _ in range(60)]))
        assert chosen.keys() <= set(best)
        if 1 < len(best) <= 8:
            several += 1
            assert stats.chisquare([chosen[number] for number in best]).pvalue > 1e-6
    assert several > 10


def test_equal_weights_choose_equally() -> None:
    # In whatever order they are written, whoever else sits at the table, and whatever seat they have there.
    luck = random.Random(4)
    for _ in range(30):
        question, weights = some_question(luck, 3), some_weights(luck)
        chooser, words = Chooser(question.rules, question.seated), [luck.getrandbits(64) for _ in range(5)]
        chosen = chooser.choices(weights, question, words)
        again = dict(reversed(list(weights.items()))) | {name: 0.0 for name in FEATURES if name not in weights}
        assert chooser.choices(again, question, words) == chosen
        n, seat = chooser.fill(question), question.seated.index(question.color)
        if n < 2:
            continue
        mixed = [some_weights(luck) for _ in question.seated]
        mixed[seat] = weights
        line = ice.compile_line_up(mixed)
        assert [int(_choose(chooser.tables, line, chooser.scratch, U(seat), U(n), U(word))) for word in words] == chosen


class Judge(Follower):
    """A game in which everything chosen is weighed again."""

    def __init__(self, rules: Rules, players: int, game: int, weights: list[dict[str, float]]) -> None:
        self.weights, self.mattered = weights, 0
        super().__init__(Recorder(), rules, players, game, policies=line_up(players, *weights), look_at=10**6)

    def _choose(self, decision: referee.Decision) -> referee.Outcome:
        chosen = super()._choose(decision)
        game = self.game
        hand = decision.cards if game.rules.hand_size else ()
        question = Question(game.rules, game.players, decision.position, decision.color, hand=hand)
        weights = self.weights[game.players.index(decision.color)]
        scores = {key: value_of(outcome, weights) for key, outcome in all_seen(question, decision).items()}
        best = max(scores.values())
        assert scores[chosen.kind, chosen.card, chosen.text] >= best - 4e-3, f"{question}, {weights}: {chosen.card}, {chosen.text}"
        self.mattered += min(scores.values()) < best - 1
        return chosen


GAMES_OF: dict[str, dict[str, Any]] = {
    "the sheet": {"turn_cap": 40},
    "few pawns": {"pieces": (1, 1, 1)},
    "cards drawn": {"pieces": (2, 1, 1), "hand_size": 0, "turn_cap": 100},
    "contact at the top": {"pieces": (2, 2, 2), "ice_contact_piece": "top", "ice_swap_mode": "land_on_top", "turn_cap": 60},
}


@pytest.mark.parametrize("name", GAMES_OF)
def test_players_in_games_take_what_scores_best(name: str) -> None:
    luck = random.Random(name)
    weights = [{feature: luck.uniform(-5, 5) for feature in luck.sample(list(FEATURES), 12)} for _ in range(4)]
    assert Judge(Rules(**GAMES_OF[name]), 4, luck.randrange(1000), weights).mattered > 20


# -- by hand ---------------------------------------------------------------------------------------------


def differs_by_hand(feature: str, position: str, cards: str, outcome: str, other: str, **options: Any) -> float:
    """By how much a feature of an outcome is larger than of another, both written with the places that tell them apart."""
    places = places_of(position)
    seated = tuple(color for color in COLORS if color in places)
    hand = tuple(cards.split()) if " " in cards else ()
    rules = Rules(**{"hand_size": 5 if hand else 0, "seat_colors": seated} | options)
    question = Question(rules, seated, places, "red", None if hand else cards, hand)
    chooser = Chooser(rules, seated)
    found, scores = chooser.ask(question), chooser.scores({feature: 1.0}, question)
    values = []
    for wanted in (outcome, other):
        card, _, where = wanted.rpartition(", ")
        matching = [
            score
            for one, score in zip(found, scores, strict=True)
            if (card in ("", one.card)) and (one.kind == where if where in ("pass", "throw", "idle") else where in one.text + " ")
        ]
        assert len(matching) == 1, (wanted, [(one.kind, one.card, one.text) for one in found])
        values += matching
    return values[0] - values[1]


ALONE = "blue S:s"  # an opponent who is not in the way
TWO = "red / blue | 20: rm | 40: bs"
REACHED = "red / blue | 25: bl | 29: rm | 50: rl"
REACHING = "red / blue | 29: rm | 35: bs | 50: rl"
BEHIND = f"red S:l / {ALONE} | 10: rs | 20: rm | 30: rl"
THREE = "red / blue / yellow | 20: rm | 40: bs | 50: ys"  # blue has 43 squares to go, yellow 48
BY_HAND: list[tuple[str, str, str, str, str, float]] = [
    # Red starts on 4 and turns in on 2. Blue's slides run from 16 to 19 and from 24 to 28, yellow's first one from 31 to 34.
    ("slides", f"red / {ALONE} | 15: rs | 28: rm", "1", "19: rs", "29: rm", 1),
    ("slides", f"red / {ALONE} | 12: rs | 20: rm", "7", "19: rs | 23: rm", "13: rs | 26: rm", 1),
    ("starts", f"red S:s / {ALONE} | 20: rm", "1", "4: rs", "21: rm", 1),
    ("swaps", TWO, "11", "20: bs", "34: rm", 1),
    ("splits", f"red / {ALONE} | 20: rm | 40: rs", "7", "21: rm | 49: rs", "27: rm", 1),
    ("backs", f"red / {ALONE} | 20: rm", "10", "19: rm", "30: rm", 1),
    ("passes", f"red / {ALONE} | 59: rm", "12", "pass", "11: rm", 1),
    ("throws", f"red / {ALONE} | 59: rm", "12 12", "throw", "11: rm", 1),
    ("stack_moves", f"red / {ALONE} | 20: rl rm", "1", "21: rl rm", "20: rl | 21: rm", 1),
    ("stack_moves", f"red / {ALONE} | 20: rl rm | 40: rl rs", "7", "21: rl rm | 49: rl rs", "21: rl rm | 40: rl | 49: rs", 1),
    ("pawns_behind", BEHIND, "5", "25: rm", "15: rs", 1),
    ("pawns_behind", BEHIND, "5", "35: rl", "15: rs", 2),
    ("pawns_behind", BEHIND, "7", "10: rs | 21: rm | 36: rl", "37: rl", -1),  # of two parts the rearmost pawn counts
    ("progress", f"red / {ALONE} | 10: rs | 15: rm", "1", "19: rm", "11: rs", 3),
    ("lead", f"red / {ALONE} | 10: rs | 20: rm", "1", "21: rm", "11: rs", (18**2 + 7**2 - 8**2 - 17**2) / 65),
    ("in_start", f"red S:s / {ALONE} | 20: rm", "1", "21: rm", "4: rs", 1),
    ("large_in_start", f"red S:s S:l / {ALONE}", "3", "4: rs", "4: rl", 1),
    ("on_circle", f"red S:s / {ALONE} | 20: rm", "1", "4: rs", "21: rm", 1),
    ("short_cut", f"red / {ALONE} | 6: rs | 20: rm", "1", "21: rm", "7: rs", 1),
    ("on_track", f"red / {ALONE} | 1: rs | 20: rm", "2", "22: rm", "Z1:s", 1),
    ("in_zone", f"red / {ALONE} | 1: rs | 20: rm", "2", "Z1:s", "22: rm", 1),
    ("home", f"red Z4:l / {ALONE} | 20: rm", "2", "H:l", "22: rm", 1),
    ("home_size", f"red Z4:l / {ALONE} | 20: rm", "2", "H:l", "22: rm", 3),
    ("covered", f"red / {ALONE} | 20: rm | 21: rs | 40: rl", "1", "21: rs rm", "41: rl", 1),
    ("covered", f"red / {ALONE} | 20: rm | 21: rm | 40: rl", "1", "21: rm rm", "41: rl", 0),
    ("covered_progress", f"red / {ALONE} | 20: rm | 21: rs | 40: rl", "1", "21: rs rm", "41: rl", 18),
    ("carried", "red / blue | 20: rm bm | 30: rl", "11", "41: rl", "20: bm rm", 1),
    ("stacked", f"red / {ALONE} | 20: rm | 21: rm | 40: rl", "1", "21: rm rm", "41: rl", 1),
    ("burden", f"red / {ALONE} | 20: rm | 21: bs rm rm | 40: rl", "1", "21: bs rm rm rm", "41: rl", 2),
    ("led", "red / blue | 20: rm | 21: bm | 40: rl", "1", "21: bm rm", "41: rl", 1),
    ("led", "red / blue | 20: rm | 21: bs | 40: rl", "1", "21: bs rm", "41: rl", 0),
    # Blue comes from 25 to 30 with a 5, and to 29 with no card; from 29 red comes to 34, with a slide, and to 30, but not to 35.
    ("threats", REACHED, "1", "30: rm", "51: rl", 1),
    ("threats", "red / blue | 20: bl | 34: rm | 50: rl", "1", "35: rm", "51: rl", -1),  # 11 and a slide
    ("threats", "red / blue | 20: bs bl rm | 34: rm | 50: rl", "1", "35: rm", "51: rl", 0),  # not by whom another leads
    ("stake", REACHED, "1", "30: rm", "51: rl", 27),
    ("cover_risk", REACHED, "1", "30: rm", "51: rl", 1),
    ("cover_risk", REACHED.replace("25: bl", "25: bm"), "1", "30: rm", "51: rl", 0),
    ("targets", REACHING, "1", "30: rm", "51: rl", 1),
    ("targets", REACHING.replace("35: bs", "35: bs rs"), "1", "30: rm", "51: rl", 0),
    ("sorry_risk", f"red / {ALONE} | 1: rs | 20: rm", "2", "22: rm", "Z1:s", 58 + 19 - 17),
    ("sorry_risk", f"red / {ALONE} / yellow S:l | 1: rs | 20: rm", "2", "22: rm", "Z1:s", 2 * (58 + 19 - 17)),
    ("foe_progress", TWO, "11", "20: bs", "34: rm", -20),
    ("foe_lead", TWO, "11", "20: bs", "34: rm", (2**2 - 22**2) / 65),
    ("foe_covered", "red / blue | 20: rm | 21: bs | 40: rl", "1", "21: bs rm", "41: rl", 1),
    ("foe_covered_progress", "red / blue | 24: rm | 25: bs | 40: rl", "1", "25: bs rm", "41: rl", 7),
    ("leader_progress", THREE, "11", "20: bs", "34: rm", -20),
    ("leader_progress", THREE, "11", "20: ys", "34: rm", 0),
    ("leader_lead", THREE, "11", "20: bs", "34: rm", (2**2 - 22**2) / 65),
    ("leader_covered", "red / blue | 20: rm | 21: bs | 40: rl", "1", "21: bs rm", "41: rl", 1),
    ("holds_8", f"red / {ALONE} | 20: rm", "5 8 8", "5, 25: rm", "8, 28: rm", 1),
    ("variety", f"red / {ALONE} | 20: rm", "5 8 8", "5, 25: rm", "8, 28: rm", -1),
    ("holds_start", f"red / {ALONE} | 20: rm", "1 5", "5, 25: rm", "1, 21: rm", 1),
    ("holds_start", f"red / {ALONE} | 20: rm", "1 3", "3, 23: rm", "1, 21: rm", 0),
]


@pytest.mark.parametrize(("feature", "position", "cards", "outcome", "other", "value"), BY_HAND)
def test_by_hand(feature: str, position: str, cards: str, outcome: str, other: str, value: float) -> None:
    assert differs_by_hand(feature, position, cards, outcome, other) == pytest.approx(value, abs=1e-3)


@pytest.mark.parametrize(
    ("feature", "options", "position", "cards", "outcome", "other", "value"),
    [
        ("takes", {"sorry_alt_forward": 4}, "red S:s / blue | 21: rm | 40: bs", "sorry", "40: bs rs", "25: rm", 1),
        ("idles", {"two_playable_idle": True}, f"red Z5:s / {ALONE}", "2 5", "idle", "5, throw", 1),
        ("foe_in_start", {"ice_mixed_stack_zone": "to_start"}, f"red / {ALONE} | 1: bm rm", "2", "S:m", "1: bm", 1),
        ("leader_in_start", {"ice_mixed_stack_zone": "to_start"}, f"red / {ALONE} | 1: bm rm", "2", "S:m", "1: bm", 1),
        # Who has finished leads no more; yellow then has 48 squares to go, or 18.
        ("leader_progress", {"pieces": (1, 0, 0)}, "red / blue H:s / yellow | 20: rs | 50: ys", "11", "20: ys", "34: rs", 30),
        ("covered", {"ice_contact_piece": "top"}, f"red / {ALONE} | 20: rl rs | 21: rm", "1", "21: rm rl= rs", "20: rl | 21: rm rs", 0),
    ],
)
def test_by_hand_under_other_rules(
    feature: str, options: dict[str, Any], position: str, cards: str, outcome: str, other: str, value: float
) -> None:
    assert differs_by_hand(feature, position, cards, outcome, other, **options) == pytest.approx(value, abs=1e-3)
