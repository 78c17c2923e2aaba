"""What policies of Sorreesi can weigh: each feature worked out once more on the referee's board, and by hand."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from referee import sorreesi as referee
from scipy import stats
from sorreesi_listing import Lister, Question, some_question
from sorreesi_tools import Follower, U, line_up
from sorreesi_vectors import groups_of

from simsorry.games import sorreesi
from simsorry.games.frames import frame_of
from simsorry.games.options import COLORS, DECKS
from simsorry.games.sorreesi import scoring
from simsorry.games.sorreesi.moves import put_down
from simsorry.games.sorreesi.rules import Rules
from simsorry.games.sorreesi.uses import expand
from simsorry.games.weights import SCALE
from simsorry.jit import entry

# -- the engine's scores ---------------------------------------------------------------------------------


@entry
def _scores(tables, line_up, scratch, seat, n, scores):  # type: ignore[no-untyped-def]
    """The score of every listed outcome, for the decision in the scratch record."""
    r = tables[0]
    q = line_up[0]
    x = scratch[0]
    expand(x)
    color = U(r.seat_color[seat])
    p0, p1, p2, p3 = frame_of(x, color)
    leader = scoring.find_leader(r, *scoring.opponents_of(r, color, p1, p2, p3))
    for i in range(n):
        action = x.action[U(i)]
        w0, w1, w2, w3 = put_down(r, x, color, p0, p1, p2, p3, action)
        score = scoring.event_value(r, q, x, seat, color, action, p0, p1, p2, p3, w0, w1, w2, w3)
        scores[i] = score + scoring.side_value(r, q, x, seat, color, leader, False, np.int64(0), w0, w1, w2, w3)


@entry
def _choose(tables, line_up, scratch, seat, n, luck):  # type: ignore[no-untyped-def]
    """The action that is chosen, for the decision in the scratch record."""
    return scoring.best_use(tables[0], line_up[0], scratch[0], seat, n, luck)


class Roll(NamedTuple):
    """Where in a turn a decision is made: which roll it is, whether the dice are equal."""

    number: int = 1
    double: bool = False


FIRST = Roll()


class Chooser(Lister):
    """The engine at one table, with policies."""

    def scores(self, weights: Mapping[str, float], question: Question, roll: Roll = FIRST) -> list[float]:
        """The score of every outcome, in the order of ``outcomes``."""
        n = self._list(question, roll)
        scores = np.zeros(n, np.int64)
        _scores(self.tables, self._line_up(weights), self.scratch, U(self.seated.index(question.color)), U(n), scores)
        return [float(score) / SCALE for score in scores]

    def choices(self, weights: Mapping[str, float], question: Question, luck: list[int], roll: Roll = FIRST) -> list[int]:
        """The actions chosen, one for each random word."""
        n, seat, line_up = self._list(question, roll), U(self.seated.index(question.color)), self._line_up(weights)
        return [int(_choose(self.tables, line_up, self.scratch, seat, U(n), U(word))) for word in luck]

    def _list(self, question: Question, roll: Roll) -> int:
        n = self.fill(question.board, question.color, question.pool)
        self.scratch[0]["roll"], self.scratch[0]["double"] = roll
        return n

    def _line_up(self, weights: Mapping[str, float]) -> Any:
        return sorreesi.compile_line_up([weights] * len(self.seated))


# -- what the features mean ------------------------------------------------------------------------------

TOGO = 72  # squares from the base to HOME


class Seen(NamedTuple):
    """An outcome as its player sees it."""

    question: Question
    roll: Roll
    outcome: referee.Outcome
    after: referee.Board
    landings: list[referee.Landing]

    @property
    def rules(self) -> Rules:
        return self.question.rules

    @property
    def before(self) -> referee.Board:
        return self.question.board

    @property
    def action(self) -> referee.Action | None:
        return self.outcome.action

    @property
    def partner(self) -> str | None:
        return referee.partner_of(self.rules, self.question.color)

    @property
    def team(self) -> referee.Side:
        """The colors whose pawns count as own ones."""
        return referee.side_of(self.rules, self.question.color)

    @property
    def opponents(self) -> list[str]:
        """The others, clockwise from the player."""
        return [color for color in referee.clockwise_from(self.question.color) if color in self.question.seated and color not in self.team]

    def standing(self, colors: Collection[str]) -> list["Standing"]:
        """Where pawns of some colors stand after it."""
        return [Standing(self.rules, pawn.color, place) for pawn, place in self.after.places.items() if pawn.color in colors]

    @property
    def own(self) -> list["Standing"]:
        return self.standing(self.team)

    @property
    def foes(self) -> list["Standing"]:
        return self.standing(self.opponents)

    @property
    def leader(self) -> list["Standing"]:
        """The pawns of the opponent on the way with least to go before it, the next to play among equals."""
        left = {color: referee.standing(self.before, color) for color in self.opponents}
        on_the_way = [color for color in self.opponents if left[color]]
        return self.standing([min(on_the_way, key=lambda color: left[color])] if on_the_way else [])

    def is_kind(self, kind: str) -> bool:
        return self.action is not None and self.action.kind == kind

    @property
    def moved(self) -> list[referee.Part]:
        """The own pawns moved."""
        return list(self.action.parts) if self.action else []

    def captured(self) -> int:
        """Opponents' pawns sent back by own ones."""
        return sum(len(landing.captured) for landing in self.landings if landing.pawn.color in self.team)

    def adds_up(self) -> bool:
        return self.action is not None and len(self.action.use.text) > 1

    def pawns_behind(self) -> int:
        """Own pawns farther back than the rearmost pawn moved forward; those in the base are behind all."""
        if not (self.is_kind("hop") or self.is_kind("split")):
            return 0
        rearmost = max(self.before.to_go(part.pawn) for part in self.moved)
        own = [(pawn, place) for pawn, place in self.before.places.items() if pawn.color in self.team]
        return sum(place == referee.BASE or self.before.to_go(pawn) > rearmost for pawn, place in own)

    def is_safe(self, pawn: referee.Pawn, place: referee.Place) -> bool:
        return isinstance(place, int) and referee.safe_for(self.rules, place, pawn.color)

    def leaves_safe(self) -> bool:
        return any(self.is_safe(part.pawn, self.before.places[part.pawn]) for part in self.moved)

    def reaches_safe(self) -> bool:
        return any(self.is_safe(part.pawn, part.place) for part in self.moved)

    def earned(self) -> int:
        """Squares of bonus moves earned."""
        if self.action is None:
            return 0
        return sum(self.left("bonus")) - sum(self.question.pool.without(self.action.use).bonus)

    # -- fights --

    def fighting(self) -> Iterator[tuple[float, float, list["Standing"], list["Standing"]]]:
        """Of each fight: the chances to lose and to win it, the own pawns and the opponents' on its square."""
        begun = {landing.place: landing.pawn.color for landing in self.landings if landing.fight}
        for square in self.outcome.fights:
            here = [pawn for pawn in self.standing(COLORS) if pawn.place == square]
            own = [pawn for pawn in here if pawn.color in self.team]
            theirs = [pawn for pawn in here if pawn.color not in self.team]
            sides = len({pawn.color for pawn in own}), len({pawn.color for pawn in theirs})
            if begun[square] in self.team:
                won, lost = odds(self.rules.fight_tie, *sides)
            else:  # an opponent's pawn that an 11 has brought there
                lost, won = odds(self.rules.fight_tie, *sides[::-1])
            yield as_weighed(lost), as_weighed(won), own, theirs

    def fight_risk(self) -> float:
        return sum(lost * sum(pawn.come for pawn in own) for lost, _, own, _ in self.fighting())

    def fight_gain(self) -> float:
        return sum(won * sum(pawn.come for pawn in theirs) for _, won, _, theirs in self.fighting())

    # -- what is left --

    def left(self, what: str) -> Any:
        """Dice, card or bonus moves that are not spent."""
        pool = self.question.pool
        whole: dict[str, Any] = {"dice": pool.dice, "card": pool.card, "bonus": pool.bonus}
        return (self.outcome.left or whole)[what]

    def ends_turn(self) -> bool:
        """Whether it ends the turn that the player stops."""
        rules, pool = self.rules, self.question.pool
        alone = pool.units_open and rules.bonus_timing != "any_time"
        has_card = self.roll.number == 1 or rules.doubles_redraw == "dice_and_card"
        more_cards = pool.card == "2" and rules.two_draws_again == "always"
        more_cards |= rules.resolution_order == "dice_then_card" and not pool.card and has_card
        more_bonus = bool(pool.units) and rules.bonus_timing != "any_time"
        again = self.roll.double and self.roll.number < 3
        return self.outcome.kind == "stop" and not again and (alone or not (more_cards or more_bonus))

    def bonus(self, *, lost: bool) -> int:
        return sum(self.left("bonus")) * (self.ends_turn() == lost)

    # -- danger --

    def threats(self) -> Iterator[tuple["Standing", float]]:
        """Own pawns on unsafe squares, with the chance of each opponent's pawn to hit them."""
        for own, foe in itertools.product(self.own, self.foes):
            if own.is_open:
                yield own, in_reach(referee.road_of(self.rules, foe.color), foe.place).get(own.place, 0.0)

    def targets(self) -> float:
        pairs = itertools.product(self.own, self.foes)
        return sum(in_reach(referee.road_of(self.rules, own.color), own.place).get(foe.place, 0.0) for own, foe in pairs if foe.is_open)

    def waiting(self) -> int:
        """The opponents with pawns in the base."""
        return len({foe.color for foe in self.foes if foe.place == referee.BASE})


class Standing(NamedTuple):
    """A pawn's color and place."""

    rules: Rules
    color: str
    place: referee.Place

    @property
    def to_go(self) -> int:
        """Squares to HOME, of a path of 8 squares the last two counting as one."""
        left = referee.squares_to_go(referee.road_of(self.rules, self.color), self.place)
        return left - (self.rules.home_path_length == 8 and left > 1)

    @property
    def come(self) -> int:
        return TOGO - self.to_go

    @property
    def lead(self) -> float:
        return self.come * abs(self.come) / TOGO

    @property
    def past_entry(self) -> int:
        """Squares past the own entry square; -1 off the track."""
        entry = referee.road_of(self.rules, self.color).entry
        return (self.place - entry) % referee.TRACK if isinstance(self.place, int) else -1

    @property
    def is_safe(self) -> bool:
        return isinstance(self.place, int) and referee.safe_for(self.rules, self.place, self.color)

    @property
    def is_open(self) -> bool:
        """Whether it can be sent back."""
        return isinstance(self.place, int) and not self.is_safe


@cache
def chances() -> dict[int, float]:
    """The chance that two dice and a card of the full printed deck make a count, backward ones below 0."""
    deck = [card for card, copies in DECKS["deck_45"].items() for _ in range(copies)]
    hits: Counter[int] = Counter()
    for one, other, card in itertools.product(range(1, 7), range(1, 7), deck):
        counts = [one, other] if card in ("4", "sorry") else [one, other, int(card)]
        forward = {sum(some) for size in (1, 2, 3) for some in itertools.combinations(counts, size)}
        hits.update(forward | {"4": {-4}, "10": {-1}}.get(card, set()))
    return {count: as_weighed(number / 36 / len(deck)) for count, number in hits.items()}


@cache
def in_reach(road: referee.Road, place: referee.Place) -> dict[referee.Place, float]:
    """The chance to come to each track square from another."""
    ends = {walk(road, place, count): chance for count, chance in chances().items()} if isinstance(place, int) else {}
    return {square: chance for square, chance in ends.items() if isinstance(square, int)}


def walk(road: referee.Road, place: referee.Place, count: int) -> referee.Place:
    step = referee.step_forward if count > 0 else referee.step_back
    for _ in range(abs(count)):
        place = step(road, place)
    return place


def as_weighed(chance: float) -> float:
    """A chance as exactly as the engine knows it."""
    return round(chance * 1024) / 1024


def _hit(road: referee.Road, place: int, thrown: tuple[int, int], card: str) -> set[referee.Place]:
    counts = [*thrown] if card in ("4", "sorry") else [*thrown, int(card)]
    forward = {sum(some) for size in (1, 2, 3) for some in itertools.combinations(counts, size)}
    back = {"4": {4}, "10": {1}}.get(card, set())
    return {walk(road, place, count) for count in forward} | {walk(road, place, -count) for count in back}


@cache
def odds(tie: str, coming: int, there: int) -> tuple[float, float]:
    """The chances that those on the square go back, and that those who come do, if the two sides roll so many dice."""
    won = lost = again = 0.0
    for dice in itertools.product(range(1, 7), repeat=coming + there):
        highest = [number for number, die in enumerate(dice) if die == max(dice)]
        ours, theirs = sum(number < coming for number in highest), sum(number >= coming for number in highest)
        chance = 6.0 ** -len(dice)
        if not (ours and theirs and tie == "reroll"):
            won += chance * (not theirs or (ours > 0 and tie in ("attacker", "both_back")))
            lost += chance * (not ours or (theirs > 0 and tie in ("defender", "both_back")))
        elif (ours, theirs) == (coming, there):
            again += chance
        else:
            fewer = odds(tie, ours, theirs)
            won, lost = won + chance * fewer[0], lost + chance * fewer[1]
    return won / (1 - again), lost / (1 - again)


def total(which: str, value: Callable[[Standing], float]) -> Callable[[Seen], float]:
    return lambda seen: sum(value(pawn) for pawn in getattr(seen, which))


def at(place: referee.Place) -> Callable[[Standing], float]:
    return lambda pawn: pawn.place == place


def partners(value: Callable[[Standing], float]) -> Callable[[Seen], float]:
    return lambda seen: sum(value(pawn) for pawn in seen.standing([seen.partner] if seen.partner else []))


FEATURES: dict[str, Callable[[Seen], float]] = {
    "bumps": Seen.captured,
    "multi_captures": lambda seen: seen.captured() > 1,
    "partner_bumps": lambda seen: sum(pawn.color == seen.partner for landing in seen.landings for pawn in landing.partners),
    "partner_moves": lambda seen: any(part.pawn.color == seen.partner for part in seen.moved),
    "starts": lambda seen: seen.is_kind("start"),
    "takes": lambda seen: seen.is_kind("sorry"),
    "swaps": lambda seen: seen.is_kind("swap"),
    "splits": lambda seen: seen.is_kind("split"),
    "backs": lambda seen: seen.is_kind("back"),
    "hops": Seen.adds_up,
    "passes": lambda seen: seen.outcome.kind == "stop",
    "pawns_behind": Seen.pawns_behind,
    "safe_left": Seen.leaves_safe,
    "safe_reached": Seen.reaches_safe,
    "bonus_earned": Seen.earned,
    "fights": lambda seen: len(seen.outcome.fights),
    "fight_risk": Seen.fight_risk,
    "fight_gain": Seen.fight_gain,
    "dice_left": lambda seen: len(seen.left("dice")),
    "card_left": lambda seen: seen.left("card") is not None,
    "bonus_left": lambda seen: seen.bonus(lost=False),
    "bonus_lost": lambda seen: seen.bonus(lost=True),
    "progress": total("own", lambda pawn: pawn.come),
    "lead": total("own", lambda pawn: pawn.lead),
    "in_start": total("own", at(referee.BASE)),
    "on_circle": total("own", lambda pawn: pawn.past_entry == 0),
    "short_cut": total("own", lambda pawn: pawn.past_entry in (64, 65, 66, 67)),
    "on_track": total("own", lambda pawn: isinstance(pawn.place, int)),
    "on_safe": total("own", lambda pawn: pawn.is_safe),
    "in_zone": total("own", lambda pawn: isinstance(pawn.place, tuple)),
    "home": total("own", at(referee.HOME)),
    "threats": lambda seen: sum(chance for _, chance in seen.threats()),
    "stake": lambda seen: sum(pawn.come * chance for pawn, chance in seen.threats()),
    "targets": Seen.targets,
    "sorry_risk": lambda seen: sum(pawn.come * seen.waiting() for pawn in seen.own if pawn.is_open),
    "foe_progress": total("foes", lambda pawn: pawn.come),
    "foe_lead": total("foes", lambda pawn: pawn.lead),
    "foe_in_start": total("foes", at(referee.BASE)),
    "leader_progress": total("leader", lambda pawn: pawn.come),
    "leader_lead": total("leader", lambda pawn: pawn.lead),
    "leader_in_start": total("leader", at(referee.BASE)),
    "partner_progress": partners(lambda pawn: pawn.come),
    "partner_lead": partners(lambda pawn: pawn.lead),
    "partner_in_start": partners(at(referee.BASE)),
    "partner_home": partners(at(referee.HOME)),
}


def test_every_feature_is_worked_out_here() -> None:
    assert list(FEATURES) == [feature.name for feature in sorreesi.FEATURES]


def all_seen(question: Question, roll: Roll) -> dict[tuple[Any, ...], Seen]:
    """What there is to choose from, by what tells outcomes apart."""
    found = {}
    for outcome in referee.decide(question.board.copy(), question.color, question.pool).outcomes:
        after, landings = question.board.copy(), []
        for part in outcome.action.parts if outcome.action else ():
            landings += referee.put_down(after, outcome.action, part)
        found[outcome.use, outcome.text, outcome.fights] = Seen(question, roll, outcome, after, landings)
    return found


ROLLS = (Roll(1), Roll(1, double=True), Roll(2), Roll(2, double=True), Roll(3, double=True))
UNPAID = ("bonus_earned", "bonus_left")  # what a pawn that wins would have earned by coming HOME: weighed, but never paid


def some_weights(luck: random.Random) -> dict[str, float]:
    return {feature: luck.choice((-3.0, -0.5, 0.25, 1.0, 7.0)) for feature in luck.sample(list(FEATURES), luck.randint(1, 25))}


def value_of(seen: Seen, weights: Mapping[str, float]) -> float:
    return sum(weight * FEATURES[name](seen) for name, weight in weights.items())


KINDS_OF_RULES: dict[str, dict[str, Any]] = {
    "any": {},
    "teams": {"team_pairs": "opposite", "team_sorry_target": "any", "team_eleven_partner": True},
    "teams of neighbors": {"team_pairs": (("red", "blue"), ("yellow", "green")), "team_control": "both_colors", "pawns": 4},
    "dice first": {"resolution_order": "dice_then_card", "pawns": 3},
    "bonus moves later": {"bonus_timing": "end_of_roll", "fight_bonus": 20},
    "many splits": {"seven_parts": 4, "pawns": 4, "home_path_length": 8},
    "own turn-offs": {"turnoff_safe_for": "owner", "pawns": 6},
}


def test_scores_are_sums_of_weights_times_features() -> None:
    luck = random.Random(7)
    values: dict[str, set[float]] = {feature: set() for feature in FEATURES}
    for options in [*KINDS_OF_RULES.values()] * 25:
        question, roll, weights = some_question(luck, 4, **options), luck.choice(ROLLS), some_weights(luck)
        chooser, seen = Chooser(question.rules, question.seated), all_seen(question, roll)
        listed, scores = chooser.ask(question), chooser.scores(weights, question, roll)
        some = [*zip(listed, scores, strict=True)]
        for outcome, score in luck.sample(some, min(16, len(some))):
            if outcome.over and not weights.keys().isdisjoint(UNPAID):
                continue
            found = {name: float(FEATURES[name](seen[outcome.key])) for name in weights}
            expected = sum(weights[name] * value for name, value in found.items())
            assert score == pytest.approx(expected, abs=2e-3), f"{question}, {roll}, {outcome.key}: {found}, {weights}"
            for name, value in found.items():
                values[name].add(value)
    assert {feature for feature, seen in values.items() if len(seen) < 2} <= {"partner_bumps"}  # rare: see by hand


# -- what is chosen --------------------------------------------------------------------------------------


def test_the_best_outcome_is_chosen_and_equals_are_drawn_for() -> None:
    luck = random.Random(3)
    several = 0
    for _ in range(60):
        question, roll, weights = some_question(luck, 3), luck.choice(ROLLS), some_weights(luck)
        if luck.random() < 0.7:
            weights = {luck.choice(("home", "hops", "starts", "on_safe", "dice_left", "card_left", "in_zone")): 1.0}
        chooser = Chooser(question.rules, question.seated)
        scores = chooser.scores(weights, question, roll)
        if len(scores) < 2:
            continue
        best = [outcome.action for outcome, score in zip(chooser.ask(question), scores, strict=True) if score == max(scores)]
        chosen = Counter(chooser.choices(weights, question, [luck.getrandbits(64) for _ in range(60)], roll))
        assert chosen.keys() <= set(best)
        if 1 < len(best) <= 8:
            several += 1
            assert stats.chisquare([chosen[action] for action in best]).pvalue > 1e-6
    assert several > 10


class Judge(Follower):
    """A game in which everything chosen is weighed again."""

    def __init__(self, rules: Rules, players: int, game: int, weights: list[dict[str, float]]) -> None:
        self.weights, self.mattered = weights, 0
        super().__init__(rules, players, game, policies=line_up(players, *weights))

    def _choose(self, decision: referee.Decision) -> referee.Outcome:
        chosen = super()._choose(decision)
        game = self.game
        dice = next(step.dice for step in reversed(game.steps) if step.kind == "roll")
        question = Question(game.rules, game.seated, decision.board, decision.color, decision.pool)
        weights = self.weights[game.seated.index(decision.color)]
        seen = all_seen(question, Roll(game.number, double=dice[0] == dice[1]))
        scores = {key: value_of(outcome, weights) for key, outcome in seen.items()}
        best = max(scores.values())
        assert scores[chosen.use, chosen.text, chosen.fights] >= best - 4e-3, f"{question}, {weights}: {chosen.use}, {chosen.text}"
        self.mattered += min(scores.values()) < best - 1
        return chosen


GAMES_OF: dict[str, dict[str, Any]] = {
    "the sheet": {},
    "teams": {"team_pairs": "opposite", "team_finished_player": "plays_for_partner", "pawns": 2},
    "a pool": {"team_pairs": "opposite", "team_control": "both_colors", "pawns": 2},
    "bonus moves at the end": {"bonus_timing": "end_of_turn", "fight_bonus": 20, "pawns": 3},
    "dice first": {"resolution_order": "dice_then_card", "doubles_redraw": "dice_and_card", "pawns": 3},
    "undersides": {"doubles_bottoms": True, "third_double": "play_then_penalty", "pawns": 2},
}


@pytest.mark.parametrize("name", GAMES_OF)
def test_players_in_games_take_what_scores_best(name: str) -> None:
    luck = random.Random(name)
    rules = Rules(**{"turn_cap": 60} | GAMES_OF[name])
    mattered = 0
    for game in range(2):
        weights = [{feature: luck.uniform(-5, 5) for feature in luck.sample(list(FEATURES), 12)} for _ in range(4)]
        # What a win would earn is weighed by the engine as if it were earned.
        weights = [{feature: weight for feature, weight in some.items() if feature not in UNPAID} for some in weights]
        mattered += Judge(rules, 4, game, weights).mattered
    assert mattered > 40


# -- by hand ---------------------------------------------------------------------------------------------


def read_pool(text: str, rules: Rules) -> referee.Pool:
    """What there is to spend, such as ``die 5, card 11, bonus 20``."""
    words = [word.split() for word in text.split(", ")]
    sources = {rules.home_bonus: "home", rules.capture_bonus: "capture"}
    return referee.Pool(
        tuple(sorted(int(value) for what, value in words if what == "die")),
        next((value for what, value in words if what == "card"), None),
        tuple(referee.Unit(int(value), sources[int(value)]) for what, value in words if what == "bonus"),
    )


def score_by_hand(feature: str, position: str, spend: str, outcome: str, *, roll: Roll = FIRST, **options: Any) -> float:
    """What a feature counts for red's outcome, written as in the hand-worked decisions with the groups that matter."""
    board = groups_of(position)
    rules = Rules(**{"pawns": len(board["red"])} | options)
    seated = tuple(board)
    question = Question(rules, seated, referee.Board.of(rules, seated, referee.read_position(position)), "red", read_pool(spend, rules))
    chooser = Chooser(rules, seated)
    listed, scores = chooser.ask(question), chooser.scores({feature: 1.0}, question, roll)
    use, _, text = outcome.partition(": ")
    wanted = tuple(sorted(use.split(" + "))), set(text.split(" / ") if text else ())
    found = [score for one, score in zip(listed, scores, strict=True) if (one.use, wanted[1] & set(one.text.split(" / "))) == wanted]
    assert len(found) == 1, [(one.use, one.text) for one in listed]
    return found[0]


ALONE = "yellow B B"  # an opponent who is not in the way
HIT_1 = 1 - 25 / 36 * 40 / 45  # no die shows 1, and the card is no 1
HIT_2 = 12 / 36 + 24 / 36 * 4 / 45 + 8 / 36 * 5 / 45  # a 2 or two 1s; else the card is a 2, or a 1 beside a 1
HIT_4 = 14 / 36 + (9 * 5 + 9 * 4 + 7 * 4) / 36 / 45  # a 4, or two dice; else 1, 2 or 3 on the card beside dice that make up for the rest
HIT_24 = 1 / 36 * 4 / 45
BACK = 4 / 45
THREE = "red 3 B / blue B 7 / yellow B B / green B 7"
FRIENDS = "red 20 B / blue 40 B / yellow 50 B / green B B"
TEAMS = {"team_pairs": "opposite"}


@pytest.mark.parametrize(
    ("feature", "position", "spend", "outcome", "value"),
    [
        # Red enters on 0 and turns off on 63; yellow enters on 34. Safe squares: 0, 7 and 12 of each 17.
        ("bumps", "red 3 B / yellow 8 8", "card 5", "card 5: red B 8", 2),
        ("bumps", "red 3 B / yellow 7 7", "die 4", "die 4: red B 7", 0),  # a fight
        ("multi_captures", "red 3 B / yellow 8 8", "card 5", "card 5: red B 8", 1),
        ("multi_captures", "red 3 B / yellow 8 9", "card 5", "card 5: red B 8", 0),
        ("starts", f"red B B / {ALONE}", "die 5", "die 5: red B 0", 1),
        ("starts", f"red B B / {ALONE}", "card 2", "card 2: red B 0", 1),
        ("starts", "red B B / yellow B 20", "card sorry", "card sorry: red B 20", 0),
        ("takes", "red B B / yellow B 20", "card sorry", "card sorry: red B 20", 1),
        ("swaps", "red 5 B / yellow B 20", "card 11", "card 11: red B 20 / yellow B 5", 1),
        ("swaps", "red 5 B / yellow B 20", "card 11", "card 11: red B 16", 0),
        ("splits", f"red 5 20 / {ALONE}", "card 7", "card 7: red 6 26", 1),
        ("splits", f"red 5 20 / {ALONE}", "card 7", "card 7: red 12 20", 0),
        ("backs", f"red 5 B / {ALONE}", "card 10", "card 10: red B 4", 1),
        ("hops", f"red 5 B / {ALONE}", "die 1, card 3", "card 3 + die 1: red B 9", 1),
        ("hops", f"red 5 B / {ALONE}", "die 1, card 3", "card 3: red B 8", 0),
        ("hops", f"red B B / {ALONE}", "die 1, die 4", "die 1 + die 4: red B 0", 1),
        ("passes", f"red 5 B / {ALONE}", "die 1", "stop", 1),
        ("pawns_behind", f"red B 10 20 H / {ALONE} B B", "die 5", "die 5: red B 10 25 H", 2),
        ("pawns_behind", f"red B 10 20 H / {ALONE} B B", "die 5", "die 5: red B 15 20 H", 1),
        ("pawns_behind", f"red B 10 20 H / {ALONE} B B", "die 5", "die 5: red 0 10 20 H", 0),
        ("pawns_behind", f"red B 10 20 H / {ALONE} B B", "card 7", "card 7: red B 12 25 H", 1),
        ("pawns_behind", f"red B 10 20 H / {ALONE} B B", "card 4", "card 4: red B 10 16 H", 0),
        ("pawns_behind", f"red B 65 / {ALONE}", "die 1", "die 1: red B 66", 1),  # the base is behind everything
        ("safe_left", f"red B 24 / {ALONE}", "die 1", "die 1: red B 25", 1),
        ("safe_left", f"red B 23 / {ALONE}", "die 1", "die 1: red B 24", 0),
        ("safe_reached", f"red B 23 / {ALONE}", "die 1", "die 1: red B 24", 1),
        ("safe_reached", f"red B 62 / {ALONE}", "die 2", "die 2: red B P1", 0),
        ("safe_reached", f"red 5 20 / {ALONE}", "card 7", "card 7: red 8 24", 1),
        ("safe_reached", f"red B B / {ALONE}", "die 5", "die 5: red B 0", 1),
        ("bonus_earned", "red 3 B / yellow 8 8", "card 5", "card 5: red B 8", 40),
        ("bonus_earned", f"red B P3 P6 / {ALONE} B", "card 7", "card 7: red B H H", 20),
        # A fight is lost and won as often; red has come 8 squares, yellow's pawns 42.
        ("fights", "red 3 B / yellow B 7", "die 4", "die 4: red B 7", 1),
        ("fight_risk", "red 3 B / yellow B 7", "die 4", "die 4: red B 7", 4),
        ("fight_risk", "red 3 7 / yellow B B", "die 4", "die 4: red 7 7", 0),
        ("fight_gain", "red 3 B / yellow B 7", "die 4", "die 4: red B 7", 21),
        ("fight_gain", "red 3 B / yellow 7 7", "die 4", "die 4: red B 7", 42),
        ("dice_left", f"red 20 B / {ALONE}", "die 2, die 3, card 8", "die 2: red B 22", 1),
        ("dice_left", f"red P6 B / {ALONE}", "die 1, die 4", "stop", 2),
        ("card_left", f"red 20 B / {ALONE}", "die 2, die 3, card 8", "die 2: red B 22", 1),
        ("card_left", f"red 20 B / {ALONE}", "die 2, die 3, card 8", "card 8: red B 28", 0),
        ("card_left", f"red P6 B / {ALONE}", "die 1, card 8", "stop", 1),
        ("bonus_left", f"red 20 B / {ALONE}", "die 2, bonus 20", "die 2: red B 22", 20),
        ("bonus_left", "red 20 B / yellow 22 B", "die 2, bonus 10", "die 2: red B 22", 30),
        ("bonus_left", f"red 20 B / {ALONE}", "die 2, bonus 20", "bonus 20: red B 40", 0),
        ("bonus_left", f"red 20 B / {ALONE}", "die 2, bonus 20", "stop", 0),
        ("bonus_lost", f"red 20 B / {ALONE}", "die 2, bonus 20, bonus 10", "stop", 30),
        ("bonus_lost", f"red 20 B / {ALONE}", "die 2, bonus 20", "die 2: red B 22", 0),
        ("progress", f"red B 0 / {ALONE}", "die 2", "die 2: red B 2", 3),
        ("progress", f"red 0 H / {ALONE}", "die 2", "die 2: red 2 H", 75),
        ("progress", f"red 0 H / {ALONE}", "card 4", "card 4: red 64 H", 72 - 3),
        ("lead", f"red B 0 / {ALONE}", "die 2", "die 2: red B 2", 9 / 72),
        ("lead", f"red B 0 / {ALONE}", "card 4", "card 4: red B 64", -9 / 72),
        ("in_start", f"red B 0 / {ALONE}", "die 5", "die 5: red 0 0", 0),
        ("in_start", f"red B 0 / {ALONE}", "die 5", "die 5: red B 5", 1),
        ("on_circle", f"red B 0 / {ALONE}", "die 5", "die 5: red 0 0", 2),
        ("short_cut", f"red 1 65 / {ALONE}", "card 4", "card 4: red 65 65", 2),
        ("short_cut", f"red 1 65 / {ALONE}", "card 4", "card 4: red 1 61", 0),
        ("on_track", f"red 62 P1 / {ALONE}", "die 1", "die 1: red 63 P1", 1),
        ("on_track", f"red 62 P1 / {ALONE}", "die 2", "die 2: red P1 P1", 0),
        ("in_zone", f"red 62 P1 / {ALONE}", "die 2", "die 2: red P1 P1", 2),
        ("on_safe", f"red 62 P1 / {ALONE}", "die 1", "die 1: red 63 P1", 1),
        ("home", f"red P7 H / {ALONE}", "die 2, card 1", "card 1: red H H", 2),
        # The other pawn is HOME, or nobody can be hit by it.
        ("threats", "red 20 H / yellow B 21", "die 2", "die 2: red 22 H", HIT_1),
        ("threats", "red 20 H / yellow B 21", "die 3", "die 3: red 23 H", HIT_2),
        ("threats", "red 20 H / yellow B 1", "die 5", "die 5: red 25 H", HIT_24),
        ("threats", "red 36 H / yellow B 43", "die 3", "die 3: red 39 H", BACK),
        ("threats", "red 36 H / yellow B 43", "die 2", "die 2: red 38 H", 0),
        ("threats", "red 20 H / yellow B 23", "die 4", "die 4: red 24 H", 0),  # safe
        ("threats", "red 26 H / yellow B 28", "die 6", "die 6: red 32 H", 0),  # beyond yellow's turn-off
        ("threats", "red 20 H / yellow B 33", "die 6", "die 6: red 26 H", 0),
        ("threats", "red 22 H / yellow B 30", "die 3, die 4", "die 3 + die 4: red 29 H", 0),  # safe
        ("threats", "red 27 H / yellow B 32", "die 1", "die 1: red 28 H", BACK),  # behind the entry square, and back around
        ("stake", "red 20 H / yellow B 21", "die 2", "die 2: red 22 H", 23 * HIT_1),
        ("targets", "red 18 H / yellow B 22", "die 3", "die 3: red 21 H", HIT_1),
        ("targets", "red 18 H / yellow B 24", "die 5", "die 5: red 23 H", 0),  # safe
        ("targets", "red 18 H / yellow B 22", "die 5", "die 5: red 23 H", BACK),
        ("targets", "red 18 18 / yellow 22 22", "die 2", "die 2: red 18 20", 2 * HIT_2 + 2 * HIT_4),
        ("sorry_risk", f"red 20 H / {ALONE}", "die 2", "die 2: red 22 H", 23),
        ("sorry_risk", f"red 20 H / {ALONE}", "die 4", "die 4: red 24 H", 0),
        ("sorry_risk", "red 20 H / blue B B / yellow B 9", "die 2", "die 2: red 22 H", 46),
        ("sorry_risk", "red 20 H / yellow 60 61", "die 2", "die 2: red 22 H", 0),
        ("foe_progress", "red 20 H / yellow B 35", "die 2", "die 2: red 22 H", 2),
        ("foe_lead", "red 20 H / yellow H 45", "die 2", "die 2: red 22 H", 72 + 12**2 / 72),
        ("foe_in_start", "red 20 H / blue B B / yellow 22 B", "die 2", "die 2: red 22 H", 4),
        # Before it blue leads yellow.
        ("leader_progress", "red 20 H / blue B 22 / yellow B 35", "die 2", "die 2: red 22 H", 0),
        ("leader_progress", "red 20 H / blue H H / yellow B 35", "die 2", "die 2: red 22 H", 2),
        ("leader_lead", "red 20 H / blue H 22 / yellow H 35", "die 3", "die 3: red 23 H", 72 + 6 * 6 / 72),
        ("leader_in_start", "red 20 H / blue B 22 / yellow B 35", "die 2", "die 2: red 22 H", 2),
    ],
)
def test_by_hand(feature: str, position: str, spend: str, outcome: str, value: float) -> None:
    assert score_by_hand(feature, position, spend, outcome) == pytest.approx(value, abs=1e-3 * max(1, abs(value)))


@pytest.mark.parametrize(
    ("feature", "options", "position", "spend", "outcome", "value"),
    [
        ("fight_risk", {"fight_tie": "attacker"}, "red 3 B / yellow B 7", "die 4", "die 4: red B 7", 8 * 15 / 36),
        ("fight_gain", {"fight_tie": "attacker"}, "red 3 B / yellow B 7", "die 4", "die 4: red B 7", 42 * 21 / 36),
        ("fight_risk", {"fight_tie": "defender"}, "red 3 B / yellow B 7", "die 4", "die 4: red B 7", 8 * 21 / 36),
        ("fight_gain", {"fight_tie": "defender"}, "red 3 B / yellow B 7", "die 4", "die 4: red B 7", 42 * 15 / 36),
        ("fight_risk", {"fight_tie": "both_stay"}, "red 3 B / yellow B 7", "die 4", "die 4: red B 7", 8 * 15 / 36),
        ("fight_gain", {"fight_tie": "both_stay"}, "red 3 B / yellow B 7", "die 4", "die 4: red B 7", 42 * 15 / 36),
        ("fight_risk", {"fight_tie": "both_back"}, "red 3 B / yellow B 7", "die 4", "die 4: red B 7", 8 * 21 / 36),
        ("fight_gain", {"fight_tie": "both_back"}, "red 3 B / yellow B 7", "die 4", "die 4: red B 7", 42 * 21 / 36),
        # Two partners against one, each with a die; blue's pawn has come 59 squares, green's 25.
        ("fight_risk", TEAMS, THREE, "die 4", "die 4: red B 7", 8 * 2 / 3),
        ("fight_gain", TEAMS, THREE, "die 4", "die 4: red B 7", (59 + 25) / 3),
        ("fight_gain", TEAMS | {"fight_tie": "attacker"}, THREE, "die 4", "die 4: red B 7", (59 + 25) * 91 / 216),
        # Yellow's pawn on 7 helps red's.
        ("fight_risk", TEAMS, "red 3 B / blue 7 B / yellow 7 B / green B B", "die 4", "die 4: red B 7", (8 + 42) / 3),
        ("bonus_earned", {"sorry_bonus": False}, "red B B / yellow B 20", "card sorry", "card sorry: red B 20", 0),
        ("bonus_earned", {"capture_bonus": 15}, "red 3 B / yellow 8 8", "card 5", "card 5: red B 8", 30),
        ("bonus_lost", {"dice_pass": "any", "two_draws_again": "never"}, f"red P6 B / {ALONE}", "die 1, bonus 10", "stop", 10),
        ("progress", {"home_path_length": 8}, f"red 0 H / {ALONE}", "die 2", "die 2: red 2 H", 75),
        ("progress", {"home_path_length": 8}, f"red P8 B / {ALONE}", "die 1", "stop", 71),
        ("progress", {"home_path_length": 8}, f"red P7 B / {ALONE}", "die 1", "stop", 71),
        ("progress", {"turn_vs_travel": "opposite"}, "red 0 H / blue B B", "die 2", "die 2: red 2 H", 75),
        ("partner_bumps", TEAMS | {"team_sorry_target": "any"}, FRIENDS, "card sorry", "card sorry: red 20 50", 1),
        ("partner_bumps", TEAMS | {"team_sorry_target": "any"}, FRIENDS, "card sorry", "card sorry: red 20 40", 0),
        ("partner_moves", TEAMS | {"team_control": "both_colors"}, FRIENDS, "die 2", "die 2: yellow B 52", 1),
        ("partner_moves", TEAMS | {"team_control": "both_colors"}, FRIENDS, "die 2", "die 2: red B 22", 0),
        ("partner_moves", TEAMS | {"team_control": "both_colors"}, FRIENDS, "card 7", "card 7: red B 21 / yellow B 56", 1),
        ("pawns_behind", TEAMS | {"team_control": "both_colors"}, FRIENDS, "die 2", "die 2: red B 22", 3),
        ("pawns_behind", TEAMS | {"team_control": "both_colors"}, FRIENDS, "die 2", "die 2: yellow B 52", 2),
        ("progress", TEAMS, FRIENDS, "die 2", "die 2: red B 22", 23 + 17),
        ("in_start", TEAMS, FRIENDS, "die 2", "die 2: red B 22", 2),
        ("partner_progress", TEAMS, FRIENDS, "die 2", "die 2: red B 22", 17),
        ("partner_lead", TEAMS, FRIENDS, "die 2", "die 2: red B 22", 17**2 / 72),
        ("partner_in_start", TEAMS, FRIENDS, "die 2", "die 2: red B 22", 1),
        ("partner_home", TEAMS, "red 20 B / blue B B / yellow H B / green B B", "die 2", "die 2: red B 22", 1),
        ("foe_progress", TEAMS, FRIENDS, "die 2", "die 2: red B 22", 24),
        ("leader_progress", TEAMS, FRIENDS, "die 2", "die 2: red B 22", 24),
        ("threats", TEAMS, "red 20 B / blue B B / yellow 21 B / green B B", "die 2", "die 2: red B 22", 0),
    ],
)
def test_by_hand_under_other_rules(feature: str, options: dict[str, Any], position: str, spend: str, outcome: str, value: float) -> None:
    found = score_by_hand(feature, position, spend, outcome, **options)
    assert found == pytest.approx(value, abs=1e-3 * max(1, abs(value)))


@pytest.mark.parametrize(
    ("roll", "spend", "options", "lost"),
    [
        (Roll(1), "die 2, bonus 20", {}, 20),
        (Roll(1, double=True), "die 2, bonus 20", {}, 0),  # another roll follows
        (Roll(3, double=True), "die 2, bonus 20", {"third_double": "play_then_penalty"}, 20),
        (Roll(1), "die 2, bonus 20", {"resolution_order": "dice_then_card"}, 0),  # the card is still to come
        (Roll(2), "die 2, bonus 20", {"resolution_order": "dice_then_card"}, 20),
        (Roll(2), "die 2, bonus 20", {"resolution_order": "dice_then_card", "doubles_redraw": "dice_and_card"}, 0),
        (Roll(1), "die 1, card 2, bonus 20", {"start_cards": ("1",)}, 0),  # a 2 without a use brings another card
        (Roll(1), "die 1, card 2, bonus 20", {"start_cards": ("1",), "two_draws_again": "if_played"}, 20),
    ],
)
def test_bonus_moves_are_lost_where_stopping_ends_the_turn(roll: Roll, spend: str, options: dict[str, Any], lost: int) -> None:
    position = "red 20 B / yellow B B" if "card" not in spend else "red P7 B / yellow B B"
    found = [score_by_hand(feature, position, spend, "stop", roll=roll, **options) for feature in ("bonus_lost", "bonus_left")]
    assert found == [lost, 20 - lost]
