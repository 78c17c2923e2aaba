"""Whole games of Sorreesi, with dice, cards and choices fed in by the caller."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from referee.common import head_start
from referee.deck import Deck as CardPiles
from referee.deck import Draw
from referee.sorreesi_board import BASE, HOME, TRACK, Board, Landing, Place, Position, Side, in_play, road_of, side_of
from referee.sorreesi_counting import Counters, Turn, penalty_pawn, standing
from referee.sorreesi_decisions import (
    Decision,
    Outcome,
    Pool,
    Unit,
    colors_moved,
    decide,
    draws_again,
    earned_by,
    put_down,
    turn_is_over,
)
from referee.sorreesi_fights import Fight, RollOne, fight
from simsorry.games.options import COLORS
from simsorry.games.sorreesi.rules import Rules

NOBODY = 255
MOST_CARDS = 10_000  # of a turn
THIRD = 3  # roll of a turn
OPPOSITE_SIDES = 7  # what a die shows on top and at the bottom together

Roll = Callable[[], tuple[int, int]]
Choose = Callable[[Decision], Outcome]  # picks one of two or more outcomes


class Step(NamedTuple):
    """Something that has happened, with the position and the pool as they are now.

    ``kind`` is roll (``dice``: as thrown), card (``card``: as drawn), play or stop (with the decision and what was chosen; a play's
    fights have been rolled, a further card has not been drawn), discard (``card`` goes unused), phase (what is left may be spent on
    bonus moves only), penalty, or turn (it is over). ``turn`` and ``roll`` count from 1, the latter within the turn.
    """

    kind: str
    turn: int
    roll: int
    color: str
    text: str
    pool: Pool
    dice: tuple[int, ...] = ()
    card: str = ""
    decision: Decision | None = None
    chosen: Outcome | None = None
    fights: tuple[Fight, ...] = ()


Watch = Callable[[Step], None]


class Caller(NamedTuple):
    """Who decides what the rules leave to chance and to the players, and who looks on."""

    roll: Roll
    draw: Draw
    fight: RollOne
    choose: Choose
    watch: Watch | None


@dataclass
class Record:
    """The counters of a finished game as the columns define them (but for ``digest``), and its course."""

    game: dict[str, int]
    seats: list[dict[str, int]]  # in play order
    steps: list[Step]


class Endless(Exception):
    """A turn that would never end."""


class Deck(CardPiles):
    """A draw pile and a discard pile."""

    def _reshuffle_at_once(self, card: str) -> None:
        if self.rules.card_in_play_in_reshuffle == "included":
            self.discards.append(card)
            self._already_back = True
        self._reshuffle()


class Game:
    """A game in progress."""

    def __init__(
        self,
        rules: Rules,
        seated: Sequence[str],
        first_seat: int,
        *,
        roll: Roll,
        draw: Draw,
        fight: RollOne,
        choose: Choose,
        watch: Watch | None = None,
        position: Position | None = None,
    ) -> None:
        self.rules = rules
        self.seated = tuple(seated)
        self.first_seat = first_seat
        self.order = [*seated[first_seat:], *seated[:first_seat]]
        self.sides: list[Side] = list(dict.fromkeys(side_of(rules, color) for color in seated))
        self.caller = Caller(roll, draw, fight, choose, watch)
        self.deck = Deck(rules, draw)
        self.in_play: list[str] = []  # 2s that are not on the discard pile until the next card is drawn
        self.board = Board.of(rules, seated, position or self._set_up())
        self.counters = Counters(rules, self.order)
        self.kept: dict[str, list[Unit]] = {color: [] for color in self.order}  # bonus moves for the next turn
        self.steps: list[Step] = []
        self.color = self.order[0]
        self.turn = Turn()
        self.pool = Pool()
        self.number = 0  # of the roll in this turn
        self.finished: list[Side] = []
        self.winner: str | None = None  # who made the winning move
        self.last_leader: Side | None = None
        self.endless = False  # cut off in a turn that would never have ended
        self.turns = 0  # when the winner finished; like the following
        self.pips_left: dict[str, int] = {}
        self.pawns_home: dict[str, int] = {}

    def _set_up(self) -> Position:
        return {color: self._first_places(color) for color in self.seated}

    def _first_places(self, color: str) -> list[Place]:
        entry = road_of(self.rules, color).entry
        places: list[Place] = [entry] * self.rules.quick_start_pawns
        if ahead := head_start(self.rules, self.order, color):
            places.append((entry + ahead - 1) % TRACK)
        return places + [BASE] * (self.rules.pawns - len(places))

    def play(self) -> Record:
        """Plays to the end, or to the turn cap."""
        self.counters.game["rounds"] = 1
        while True:
            self._take_turn()
            if self.over or self.endless or self.counters.game["turns_all"] == self.rules.turn_cap:
                break
            following = self._next()
            if self.order.index(following) <= self.order.index(self.color):
                self._end_round()
            self.color = following
        if not self.finished:
            self._note_standing()
        return self._record()

    @property
    def over(self) -> bool:
        """Whether the game has come to its end."""
        needed = {"first_home": 1, "full_ranking": len(self.sides) - 1, "all_home": len(self.sides)}
        return len(self.finished) >= needed[self.rules.game_end]

    def _next(self) -> str:
        place = self.order.index(self.color) + 1
        return next(color for color in [*self.order[place:], *self.order[:place]] if not turn_is_over(self.board, color))

    def _end_round(self) -> None:
        """Once around: looks who is in the lead."""
        self.counters.game["rounds"] += 1
        to_go = {side: self._to_go(side) for side in self.sides}
        leaders = [side for side in self.sides if to_go[side] == min(to_go.values())]
        if len(leaders) > 1:
            return
        self.counters.game["lead_changes"] += self.last_leader not in (None, leaders[0])
        self.last_leader = leaders[0]

    def _to_go(self, side: Side) -> int:
        return sum(standing(self.board, color) for color in side)

    def _note(self, kind: str, **more: Any) -> None:
        step = Step(kind, self.counters.game["turns_all"], self.number, self.color, self.board.text, self.pool, **more)
        self.steps.append(step)
        if self.caller.watch is not None:
            self.caller.watch(step)

    # -- one turn --

    def _take_turn(self) -> None:
        self.turn, self.number = Turn(), 0
        self.counters.game["turns_all"] += 1
        self.counters.seats[self.color]["turns"] += 1
        self.pool = Pool(units=tuple(self.kept[self.color]))
        self.kept[self.color] = []
        try:
            self._roll_and_play()
        except Endless:
            self.endless = True
        self._drop_card()
        if not self.over:
            self.counters.add(self.color, bonuses_lost=len(self.pool.units))
        self.pool = Pool()
        self.counters.end_turn(self.color, self.turn)
        self._note("turn")

    @property
    def _turn_is_over(self) -> bool:
        return turn_is_over(self.board, self.color)

    def _roll_and_play(self) -> None:
        again = True
        while again and not self._turn_is_over:
            dice = self._roll()
            equal = dice[0] == dice[1]
            third = equal and self.number == THIRD
            self.counters.game["third_doubles"] += third
            if not third or self.rules.third_double == "play_then_penalty":
                self._play_roll(dice)
            again = equal and not third
        if third and self.rules.third_double == "lose_roll":
            self._penalty()
            return
        if self.rules.bonus_timing == "end_of_turn":
            self._spend_bonuses()
        if third:
            self._penalty()

    def _roll(self) -> tuple[int, int]:
        self.number += 1
        dice = self.caller.roll()
        self.counters.add(self.color, rolls=1)
        self.counters.game["doubles"] += dice[0] == dice[1]
        self.pool = replace(self.pool, dice=())
        self._note("roll", dice=dice)
        return dice

    def _play_roll(self, dice: tuple[int, int]) -> None:
        rules = self.rules
        with_card = self.number == 1 or rules.doubles_redraw == "dice_and_card"
        self.pool = replace(self.pool, dice=self._pool_dice(dice), units_open=rules.bonus_timing == "any_time")
        if with_card and rules.resolution_order == "roll_draw_move":
            self._draw()
        self._spend()
        self.pool = replace(self.pool, dice=())
        if with_card and rules.resolution_order == "dice_then_card" and not self._turn_is_over:
            self._draw()
            self._spend()
        if rules.bonus_timing == "end_of_roll":
            self._spend_bonuses()

    def _pool_dice(self, dice: tuple[int, int]) -> tuple[int, ...]:
        """The dice as thrown, and their bottoms where these are played too."""
        in_base = any(pawn.color == self.color and place == BASE for pawn, place in self.board.places.items())
        if self.rules.doubles_bottoms and dice[0] == dice[1] and not in_base:
            return tuple(sorted([*dice, *(OPPOSITE_SIDES - die for die in dice)]))
        return tuple(sorted(dice))

    def _spend(self) -> None:
        """Plays dice and card, until the player stops or nothing can be done; an unplayable 2 may bring another card."""
        while True:
            self._play_on()
            unplayed = self.pool.card
            self._drop_card()
            if unplayed != "2" or self.rules.two_draws_again != "always" or self._turn_is_over:
                return
            self._draw()

    def _spend_bonuses(self) -> None:
        """The time for bonus moves, where they have one of their own."""
        if self.pool.units and not self._turn_is_over:
            self.pool = replace(self.pool, dice=(), units_open=True)
            self._note("phase")
            self._play_on()

    def _play_on(self) -> None:
        while not self._turn_is_over:
            decision = decide(self.board.copy(), self.color, self.pool)
            chosen = self._chosen(decision)
            if chosen is None:
                return
            if chosen.kind == "stop":
                self.counters.game["passes"] += 1
                self._note("stop", decision=decision, chosen=chosen)
                return
            self._carry_out(decision, chosen)

    def _chosen(self, decision: Decision) -> Outcome | None:
        """What the player does, or None if there is nothing to do."""
        choices = decision.outcomes
        if len(choices) < 2:
            return choices[0] if choices else None
        self.turn.chose = True
        self.counters.game["choices"] += 1
        self.counters.game["outcomes"] += len(choices)
        return self.caller.choose(decision)

    # -- what is done --

    def _carry_out(self, decision: Decision, chosen: Outcome) -> None:
        """Moves the pawns, fights and earns; then a 2 brings another card."""
        action, color = chosen.action, self.color
        assert action is not None
        self.counters.action(color, action, self.turn)
        self.pool = self.pool.without(action.use)
        landings: list[Landing] = []
        fights: list[Fight] = []
        for part in action.parts:
            if action.kind == "split" and not in_play(self.board.places[part.pawn]):
                continue  # a fight of an earlier part has sent it back
            put = put_down(self.board, action, part)
            self.turn.moved.append(part.pawn)
            landings += put
            fights += [fight(self.board, color, landing.pawn, self.caller.fight) for landing in put if landing.fight]
        self.counters.landings(color, action, landings)
        self._earn(color, earned_by(self.board, color, action, landings))
        for fought in fights:
            self.counters.fight(color, fought)
            self._earn_by_fight(fought)
        self._note_finish()
        self._note("play", decision=decision, chosen=chosen, fights=tuple(fights))
        if draws_again(self.board, color, action.use):
            self._lay_down_two()
            self._draw()
        elif action.use.card is not None:
            self.deck.lay_down(action.use.card)

    def _earn(self, color: str, units: list[Unit]) -> None:
        """Bonus moves for the player whose turn it is, or for the next turn of another one."""
        self.counters.earn(color, units)
        if color == self.color:
            self.pool = replace(self.pool, units=(*self.pool.units, *units))
        else:
            self.kept[color] += units

    def _earn_by_fight(self, fought: Fight) -> None:
        if not self.rules.fight_bonus:
            return
        winners = self.order if self.rules.fight_bonus_to == "any_winner" else [self.color]
        for color in winners:
            self._earn(color, [Unit(self.rules.fight_bonus, "fight")] * fought.credited_to(color))

    def _note_finish(self) -> None:
        side = side_of(self.rules, self.color)
        if side not in self.finished and self.board.has_won(self.color):
            self.finished.append(side)
            if len(self.finished) == 1:
                self.winner = self.color
                self._note_standing()

    def _note_standing(self) -> None:
        """Keeps what is counted when the winner finishes, or at the cut-off if nobody has."""
        self.turns = self.counters.game["turns_all"]
        self.pips_left = {color: standing(self.board, color) for color in self.order}
        self.pawns_home = {color: self._home(color) for color in self.order}

    def _home(self, color: str) -> int:
        return self.board.position[color].count(HOME)

    def _penalty(self) -> None:
        """Sends a pawn back for a third double."""
        if self._turn_is_over:
            return
        pawn = penalty_pawn(self.board, self.color, colors_moved(self.board, self.color), self.turn.moved)
        if pawn is not None:
            self.board.places[pawn] = BASE
            self.counters.add(self.color, penalties=1)
            self.turn.acted = True
        self._note("penalty")

    # -- cards --

    def _draw(self) -> None:
        if self.turn.cards == MOST_CARDS:
            raise Endless
        card = self.deck.take()
        assert card is not None
        for used in self.in_play:
            self.deck.lay_down(used)
        self.in_play.clear()
        self.turn.cards += 1
        self.counters.add(self.color, draws=1)
        self.pool = replace(self.pool, card=card)
        self._note("card", card=card)

    def _lay_down_two(self) -> None:
        """Puts a 2 that brings another card where it belongs."""
        if self.rules.card_in_play_in_reshuffle == "excluded":
            self.in_play.append("2")
        else:
            self.deck.lay_down("2")

    def _drop_card(self) -> None:
        """Discards a card that was not played."""
        card = self.pool.card
        if card is None:
            return
        self.pool = replace(self.pool, card=None)
        if card == "2" and self.rules.two_draws_again == "always" and not self._turn_is_over:
            self._lay_down_two()
        else:
            self.deck.lay_down(card)
        self._note("discard", card=card)

    # -- the end --

    def _place(self, side: Side) -> int:
        """Finishing place from 1; who is still on the way ranks by pawns HOME, then by squares to go, equals alike."""
        if side in self.finished:
            return self.finished.index(side) + 1
        behind = [other for other in self.sides if other not in self.finished]
        return len(self.finished) + 1 + sum(self._rank(other) < self._rank(side) for other in behind)

    def _rank(self, side: Side) -> tuple[int, int]:
        return -sum(map(self._home, side)), self._to_go(side)

    def _record(self) -> Record:
        game = dict(self.counters.game)
        game["winner"] = NOBODY if self.winner is None else self.order.index(self.winner)
        game["winner_color"] = NOBODY if self.winner is None else COLORS.index(self.winner)
        game["first_seat"] = self.first_seat
        game["capped"] = int(self.winner is None or not self.over)
        game["turns"] = self.turns
        game["reshuffles"] = self.deck.reshuffles
        return Record(game, [self._seat(color) for color in self.order], self.steps)

    def _seat(self, color: str) -> dict[str, int]:
        side = side_of(self.rules, color)
        return self.counters.seats[color] | {
            "color": COLORS.index(color),
            "table_seat": self.seated.index(color),
            "won": int(self.winner is not None and side == side_of(self.rules, self.winner)),
            "place": self._place(side),
            "pips_left": self.pips_left[color],
            "pawns_home": self.pawns_home[color],
        }
