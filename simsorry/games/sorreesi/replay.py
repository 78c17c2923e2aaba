"""One game, use by use: driven by the very functions that play whole blocks of games, and looked at after every decision."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.games.columns import NOBODY
from simsorry.games.options import CARDS, COLORS
from simsorry.games.sorreesi import actions, board, notation, queries, state, story
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.decision import Table
from simsorry.games.sorreesi.retelling import BACK, NOTHING, SPLIT, START, STOP, SWAP, TAKE, Move, Retelling
from simsorry.games.sorreesi.rules import Rules
from simsorry.games.sorreesi.spending import NO_CARD, bonus_of, bonus_values, dice_of, use_of
from simsorry.games.words import do, sides

_COUNTED = (
    "turns turns_all rolls doubles draws dead_turns forced_turns choice_turns choices outcomes dice_turns card_turns both_turns dice_used "
    "cards_used hops passes starts starts_dice start_turns bumps bumps_sorry bumps_fight partner_bumps multi_captures fights fights_lost "
    "fight_ties bonuses_earned bonuses_used bonuses_lost home_bonuses_earned home_bonuses_used third_doubles penalties swaps splits backs "
    "homes reshuffles"
)
_HOME = 0  # of the kinds of bonus moves
_LAST_ROLL = 3
_CARD = int(actions.CARD)


class Step(NamedTuple):
    """One decision and what comes of it; with the roll before it, if there is one."""

    rules: Rules  # of the game
    turn: int  # counted from 1
    seat: int  # table seat
    color: int
    roll: int  # of the turn, counted from 1
    rolled: tuple[int, int] | None  # what is rolled; None where an earlier roll is played on
    lost: bool  # it is a third double, whose roll is not played
    drawn_first: int  # the card drawn with the roll; NO_CARD if there is none
    dice: tuple[int, ...]  # what there is to spend
    card: int
    bonus: tuple[int, ...]
    choices: int  # distinct outcomes there were; 0: nothing was possible
    action: int  # the kernel's; NOTHING if there was none
    use: tuple[str, ...]  # what it spends, in order
    moves: tuple[Move, ...]  # the pawns that it puts down
    earned: tuple[int, ...]  # bonus moves
    earned_home: int  # how many of them by bringing pawns HOME
    earned_by_others: dict[str, tuple[int, ...]]  # by color: bonus moves for the next own turn
    drawn: int  # the card drawn after it; NO_CARD if there is none
    reshuffled: bool
    penalty: tuple[int, int] | None  # color and place of the pawn that goes back for a third double
    lapsed: tuple[int, ...]  # bonus moves lost because the turn ends
    home: tuple[str, ...]  # colors whose last pawn came HOME
    place: int  # the finishing place that is earned; 0: none
    words: tuple[int, ...]  # the position afterwards, by color
    ends_turn: bool
    ends_round: bool  # of the game, which has no other

    @property
    def kind(self) -> int:
        """The kind of action, as ``retelling`` names them."""
        return self.action & 15

    @property
    def begins_round(self) -> bool:
        """Whether it is the first step of the game."""
        return self.turn == 1 and self.roll == 1 and self.rolled is not None

    @property
    def opening(self) -> str:
        """The heading of a round of a match; empty, for there are no matches."""
        return ""

    @property
    def did(self) -> str:
        """What is done with the pawns, in plain words; empty if there was nothing to do."""
        if self.kind == STOP:
            return "stops"
        return story.told(self.rules, self.moves, self.color) if self.moves else ""

    @property
    def line(self) -> str:
        """The step and what came of it, on a line or two."""
        return story.lines(self)

    def plain(self) -> dict[str, Any]:
        """The step as plain data."""
        return {
            "turn": self.turn,
            "color": COLORS[self.color],
            "roll": self.roll,
            "rolled": list(self.rolled) if self.rolled else None,
            "roll_lost": self.lost,
            "dice": list(self.dice),
            "card": _card(self.card),
            "bonus": list(self.bonus),
            "choices": self.choices,
            "use": list(self.use),
            "did": self.did,
            "fights": [_plain_fight(move) for move in self.moves if move.fight],
            "earned": list(self.earned),
            "earned_by_others": {color: list(values) for color, values in self.earned_by_others.items()},
            "drawn": _card(self.drawn),
            "reshuffled": self.reshuffled,
            "penalty": self._plain_penalty(),
            "lost": list(self.lapsed),
            "ends_turn": self.ends_turn,
            "home": list(self.home),
            "place": self.place or None,
        }

    def _plain_penalty(self) -> dict[str, Any] | None:
        if self.penalty is None:
            return None
        color, place = self.penalty
        return {"color": COLORS[color], "place": notation.place_name(self.rules, place, color)}


def _card(number: int) -> str | None:
    return CARDS[number] if number < len(CARDS) else None


def _plain_fight(move: Move) -> dict[str, Any]:
    """The fight of a move as plain data."""
    fight = move.fight
    assert fight is not None
    return {
        "square": fight.square,
        "rolls": [{COLORS[color]: die for color, die in roll.items()} for roll in fight.rolls],
        "sent_back": {COLORS[color]: pawns for color, pawns in fight.lost.items()},
    }


class _Before(NamedTuple):
    """What the kernel's record says before a decision, with the dice rolled."""

    seat: int
    words: tuple[int, ...]
    roll: int
    rolled: int  # rolls of the game
    draws: int
    numbers: tuple[int, int]  # that the dice show
    double: bool
    dice: tuple[int, ...]  # unspent
    card: int
    units: tuple[int, ...]  # bonus moves by kind
    place: int
    tally: NDArray[np.int32]

    @classmethod
    def of(cls, now: Any, lost: bool) -> "_Before":
        """The record as it stands; of a lost roll no dice can be spent."""
        seat, numbers = int(now["seat"]), now["number"].tolist()
        dice = [number for number, n in zip(numbers, now["dice"].tolist(), strict=True) for _ in range(n)]
        return cls(
            seat=seat,
            words=tuple(now["word"].tolist()),
            roll=int(now["roll"]),
            rolled=int(now["rolled"]),
            draws=int(now["draws"]),
            numbers=tuple(numbers),
            double=bool(now["double"]),
            dice=() if lost else tuple(sorted(dice)),
            card=int(now["card"]),
            units=tuple(now["units"].tolist()[: state.KINDS]),
            place=int(now["place"][seat]),
            tally=now["tally"].copy(),
        )

    @property
    def shown(self) -> tuple[int, int]:
        """What the roll shows."""
        one, other = self.numbers
        return one, one if self.double else other

    def bonus(self, rules: Rules) -> tuple[int, ...]:
        """The open bonus moves, shortest first."""
        return tuple(sorted(value for value, n in zip(bonus_values(rules), self.units, strict=True) for _ in range(n)))


class Replay:
    """A game that can be looked at: iterate over ``steps``.

    ``rules``, ``players`` (colors by table seat), ``line_up`` (compiled policies), ``seed`` and ``game`` say which game. It
    begins as the ruleset says, or from a position ``start``; ``first_seat`` replaces who would have begun. Raises SimsorryError if
    nobody can have got there, or the game would be over.
    """

    STEPS = "uses"  # what the steps are called
    COMPILED = "next_use"  # the compiled function that takes them

    def __init__(
        self,
        rules: Rules,
        players: Sequence[str],
        line_up: NDArray[Any],
        seed: int,
        game: int,
        start: str | Mapping[str, Sequence[Any]] | None = None,
        first_seat: int | None = None,
    ) -> None:
        self.table = Table(rules, players)
        self.sides = sides(rules, self.table.players)  # the colors, those of a team together
        self.over = False
        self.columns = ""  # what stands in the columns of a line, if that needs to be said
        self.closing: list[str] = []  # what is to be said at the end of a round, in lines
        self.counters: dict[str, int] = dict.fromkeys(_COUNTED.split(), 0)  # as the columns of the same names
        self._step: Callable[[], bool] = lambda: bool(queries.next_use(self.table.compiled, line_up, self.memory))
        self.memory = state.new_scratch()
        self._state = self.memory[0]
        self._kind = 0  # of this turn: the sum of ACTED, CHOSE …
        self._fight_dice = count()  # numbers of the dice of fights
        queries.begin(self.table.compiled, self.memory, np.uint64(seed), np.uint64(game))
        if first_seat is not None:
            queries.let_begin(self.table.compiled, self.memory, np.uint64(first_seat))
        if start is not None:
            self._begin_from(self.table.words(start), first_seat)

    def _begin_from(self, words: NDArray[np.uint64], first_seat: int | None) -> None:
        """Puts the pawns elsewhere than where a game begins."""
        rules, players = self.table.rules, self.table.players
        home = [color for color in players if self._is_home(words.tolist(), color)]
        for side in self.sides:
            arrived = [color for color in side if color in home]
            if arrived and (len(arrived) == len(side) or rules.team_win == "first_member"):
                raise SimsorryError(f"position: {do(arrived, 'has', 'have')} all pawns HOME already")
        if rules.team_finished_player == "skips" and players[self.first_seat] in home:
            if first_seat is not None:
                raise SimsorryError(f"position: {players[first_seat]} has all pawns HOME and takes no more turns, so it can't begin")
            waiting = [*players[self.first_seat :], *players[: self.first_seat]]
            following = next(color for color in waiting if color not in home)
            queries.let_begin(self.table.compiled, self.memory, np.uint64(players.index(following)))
        queries.put_pawns(self.table.compiled, self.memory, words)

    def _is_home(self, words: Sequence[int], color: str) -> bool:
        """Whether all pawns of a color are HOME."""
        return notation.lanes_of(int(words[COLORS.index(color)])).count(t.HOME) == self.table.rules.pawns

    # -- how things stand --------------------------------------------------------------------------

    def step_by(self, step: Callable[[], bool]) -> None:
        """Has something else resolve the decisions: it says whether the game goes on."""
        self._step = step

    @property
    def words(self) -> tuple[int, ...]:
        """The position, by color."""
        return tuple(self._state["word"].tolist())

    @property
    def position(self) -> str:
        """The position, in the one-line notation."""
        return self.table.text(self.words)

    @property
    def legend(self) -> str:
        """What the signs of the picture mean."""
        return board.legend(self.table.rules)

    def board(self, colored: bool = False) -> str:
        """The position as a picture."""
        return board.draw(self.table.rules, self.words, self.table.players, colored)

    @property
    def first_seat(self) -> int:
        """The table seat that moves first."""
        return int(self._state["opening_seat"])

    @property
    def turns(self) -> int:
        """Turns over."""
        return self.counters["turns_all"]

    @property
    def capped(self) -> bool:
        """Whether the game was cut off."""
        return bool(self._state["capped"])

    @property
    def places(self) -> dict[str, int]:
        """The finishing places reached so far, by color."""
        reached = self._state["place"].tolist()
        return {color: reached[seat] for seat, color in enumerate(self.table.players) if reached[seat]}

    @property
    def winners(self) -> tuple[str, ...]:
        """The color of the winner, or those of the team; nobody while there is none."""
        seat = int(self._state["winner"])
        return () if seat == NOBODY else next(side for side in self.sides if self.table.players[seat] in side)

    @property
    def summary(self) -> str:
        """How the game ended, or how far it has come, on one line."""
        return story.summary(self)

    def plain(self) -> dict[str, Any]:
        """How far the game has come, as plain data."""
        return {
            "over": self.over,
            "capped": self.capped,
            "winners": list(self.winners),
            "places": self.places,
            "counters": self.counters,
        }

    # -- playing on --------------------------------------------------------------------------------

    def steps(self) -> Iterator[Step]:
        """Plays on to the end, and yields every step once it is done: with the board as it leaves it, in ``position`` too."""
        while not self.over:
            yield self._next()

    def _next(self) -> Step:
        now, rules = self._state, self.table.rules
        turn, rolls, draws, shuffled = int(now["turns"]) + 1, int(now["rolled"]), int(now["draws"]), int(now["reshuffles"])
        lost = bool(queries.roll(self.table.compiled, self.memory))
        before = _Before.of(now, lost)
        seat, color = before.seat, COLORS.index(self.table.players[before.seat])
        if lost:
            self.over = not queries.lose_turn(self.table.compiled, self.memory)
        else:
            self.over = not self._step()
        action = int(NOTHING if lost else now["did_action"])
        board = Retelling(rules, before.words, color, self._die)
        moves = board.carry_out(action)
        earned, by_others = self._earned(before)
        step = Step(
            rules=rules,
            turn=turn,
            seat=seat,
            color=color,
            roll=before.roll,
            rolled=before.shown if before.rolled > rolls else None,
            lost=lost,
            drawn_first=before.card if before.draws > draws else NO_CARD,
            dice=before.dice,
            card=before.card,
            bonus=before.bonus(rules),
            choices=0 if lost else int(now["outcomes"]),
            action=action,
            use=use_of(rules, action, before.numbers, before.card) if action != NOTHING else (),
            moves=moves,
            earned=sum(((value,) * n for value, n in zip(bonus_values(rules), earned, strict=True)), ()),
            earned_home=earned[_HOME],
            earned_by_others=by_others,
            drawn=int(now["card"]) if int(now["draws"]) > before.draws else NO_CARD,
            reshuffled=int(now["reshuffles"]) > shuffled,
            penalty=self._penalty(board.words),
            lapsed=self._lapsed(before, action, earned),
            home=tuple(each for each in self.table.players if self._is_home(self.words, each) and not self._is_home(before.words, each)),
            place=int(now["place"][seat]) - before.place,
            words=self.words,
            ends_turn=int(now["turns"]) >= turn,
            ends_round=self.over,
        )
        self._count(step)
        return step

    def _die(self) -> int:
        """The next die of a fight."""
        return int(queries.fight_die(self.memory, np.uint64(next(self._fight_dice))))

    def _more(self, before: "_Before", name: str) -> list[int]:
        """By table seat: how much a count has grown."""
        at = int(getattr(state.TALLY, name))
        counts = self._state["tally"][at :: state.TALLY_STRIDE] - before.tally[at :: state.TALLY_STRIDE]
        return [int(n) for n in counts[: len(self.table.players)]]

    def _earned(self, before: "_Before") -> tuple[tuple[int, int, int], dict[str, tuple[int, ...]]]:
        """Bonus moves that the player has earned, by kind; and those that others have, by color."""
        rules, seat, earned = self.table.rules, before.seat, self._more(before, "earned")
        home, fight = self._more(before, "home_earned")[seat], self._more(before, "fight_bumps")[seat] * bool(rules.fight_bonus)
        others = {color: (rules.fight_bonus,) * n for color, n in zip(self.table.players, earned, strict=True) if n}
        others.pop(self.table.players[seat], None)
        return (home, earned[seat] - home - fight, fight), others

    def _lapsed(self, before: "_Before", action: int, earned: tuple[int, int, int]) -> tuple[int, ...]:
        """The bonus moves that are lost with the end of the turn."""
        if not any(self._more(before, "lost")):
            return ()
        rules = self.table.rules
        left = Counter(before.bonus(rules))
        left.update({value: n for value, n in zip(bonus_values(rules), earned, strict=True) if n})
        left[bonus_of(rules, action)] -= 1
        return tuple(sorted(value for value in left.elements() if value))

    def _penalty(self, told: Sequence[int]) -> tuple[int, int] | None:
        """Color and place of the pawn that has gone back without being told: for a third double."""
        for color, (one, other) in enumerate(zip(told, self.words, strict=True)):
            for place, now in zip(notation.lanes_of(one), notation.lanes_of(other), strict=True):
                if place != now:
                    return color, place
        return None

    # -- counting ----------------------------------------------------------------------------------

    def _count(self, step: Step) -> None:
        """Adds a step to the counters."""
        counters = Counter(self.counters)
        if step.rolled:
            double = step.rolled[0] == step.rolled[1]
            counters.update(rolls=1, doubles=double, third_doubles=double and step.roll == _LAST_ROLL)
        counters["draws"] += (step.drawn_first != NO_CARD) + (step.drawn != NO_CARD)
        counters["reshuffles"] = int(self._state["reshuffles"])  # a card may see two
        counters["penalties"] += step.penalty is not None
        counters["choices"] += step.choices > 1
        counters["outcomes"] += step.choices if step.choices > 1 else 0
        counters["passes"] += step.kind == STOP
        counters["bonuses_earned"] += len(step.earned) + sum(map(len, step.earned_by_others.values()))
        counters["home_bonuses_earned"] += step.earned_home
        counters["bonuses_lost"] += len(step.lapsed)
        counters.update(_used(step))
        self._kind |= _kind_of(step)
        if step.ends_turn:
            self._count_turn(counters, step)
        self.counters = {name: int(number) for name, number in counters.items()}

    def _count_turn(self, counters: Counter[str], step: Step) -> None:
        kind, acted, chose = self._kind, int(state.ACTED), int(state.CHOSE)
        by_dice, by_card = bool(kind & int(state.DIE_USED)), bool(kind & int(state.CARD_USED))
        counters["turns_all"] = int(self._state["turns"])  # where a turn without end is cut off, all to the turn cap
        if step.place == 1 or not self._state["finished"]:
            counters["turns"] = counters["turns_all"]
        counters["dead_turns"] += not kind & acted
        counters["forced_turns"] += bool(kind & acted) and not kind & chose
        counters["choice_turns"] += bool(kind & chose)
        counters["dice_turns"] += by_dice and not by_card
        counters["card_turns"] += by_card and not by_dice
        counters["both_turns"] += by_dice and by_card
        counters["start_turns"] += bool(kind & int(state.STARTED))
        self._kind = 0


def _kind_of(step: Step) -> int:
    """What a step adds to the kind of its turn."""
    played = step.kind not in (STOP, NOTHING)
    kinds = {
        state.ACTED: played or step.penalty is not None,
        state.CHOSE: step.choices > 1,
        state.DIE_USED: played and any(dice_of(step.action)),
        state.CARD_USED: played and step.action & _CARD,
        state.STARTED: step.kind == START,
    }
    return sum(int(kind) for kind, is_so in kinds.items() if is_so)


def _used(step: Step) -> dict[str, int]:
    """What a use adds to the counters."""
    if step.kind in (STOP, NOTHING):
        return {}
    dice, card = sum(dice_of(step.action)), bool(step.action & _CARD)
    fights = [move.fight for move in step.moves if move.fight]
    mates = {COLORS.index(mate): {COLORS.index(one) for one in pair} for pair in step.rules.team_pairs for mate in pair}
    hits = [
        (move, sum(n for color, n in move.captured.items() if color not in mates.get(move.color, set())), sum(move.captured.values()))
        for move in step.moves
    ]
    own = [opponents for move, opponents, _ in hits if move.color == step.color or move.color in mates.get(step.color, set())]
    by_fights = sum(sum(fight.lost.values()) for fight in fights)
    return {
        "dice_used": dice,
        "cards_used": card,
        "hops": dice + card > 1,
        "starts": step.kind == START,
        "starts_dice": step.kind == START and not card,
        "bumps": sum(opponents for _, opponents, _ in hits) + by_fights,
        "bumps_sorry": sum(own) if step.kind == TAKE else 0,
        "bumps_fight": by_fights,
        "partner_bumps": sum(everybody - opponents for _, opponents, everybody in hits),
        "multi_captures": sum(own) > 1,
        "fights": len(fights),
        "fights_lost": sum(fight.colors[0] in fight.lost for fight in fights),
        "fight_ties": sum(fight.ties for fight in fights),
        "bonuses_used": bool(bonus_of(step.rules, step.action)),
        "home_bonuses_used": step.action >> int(actions.BONUS) & 3 == _HOME + 1,
        "swaps": step.kind == SWAP,
        "splits": step.kind == SPLIT,
        "backs": step.kind == BACK,
        "homes": sum(move.target == t.HOME for move in step.moves),
    }
