"""One round of the classic game, from the deal until somebody has won it or, where play goes on, until its end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.board import HOME, START, TRACK, Board, Pawn, Place, Position, circle, squares_to_go, write_position
from referee.common import head_start
from referee.counting import Counters
from referee.decisions import ANY_CARD, Decision, Outcome, decide, decide_hand
from referee.deck import Deck, Draw
from simsorry.games.classic.rules import Rules

Choose = Callable[[Decision], Outcome]  # picks one of ``choices``
Throw = Callable[[list[str]], str]  # picks the card that chance throws in, from a hand, oldest first
Lead = Callable[[int], int]  # picks the table seat that moves first in a round of a match, given its number from 1
MOST_CARDS = 10_000  # of a turn
Side = tuple[str, ...]  # the colors that win together: one, or those of a team


class Caller(NamedTuple):
    """Who decides what the rules leave to chance and to the players."""

    draw: Draw
    choose: Choose
    throw: Throw | None
    lead: Lead | None


class Step(NamedTuple):
    """One card of a game, or a hand of which none was played.

    The turn of its round, from 1, whose it is, the card ("" for none), the position afterwards, what was done (the kinds
    of an outcome, or "forfeit" where nothing could be), the hand before (or the card drawn), and the round, from 1.
    """

    turn: int
    color: str
    card: str
    text: str
    kind: str
    hand: tuple[str, ...]
    round: int


@dataclass
class Turn:
    """What has been seen of a turn so far."""

    acted: bool = False
    chose: bool = False
    chose_a_throw_only: bool = True


def sides_of(rules: Rules, players: Sequence[str]) -> list[Side]:
    """The teams, or every color by itself."""
    return list(rules.team_pairs) or [(color,) for color in players]


class Round:
    """A round in progress."""

    def __init__(
        self,
        rules: Rules,
        players: Sequence[str],
        first_seat: int,
        caller: Caller,
        number: int,
        steps: list[Step],
        position: Position | None,
    ) -> None:
        self.rules = rules
        self.first_seat = first_seat
        self.players = tuple(players)
        self.order = [*players[first_seat:], *players[:first_seat]]
        self.sides = sides_of(rules, players)
        self.caller = caller
        self.number = number
        self.steps = steps
        self.deck = Deck(rules, caller.draw)
        self.board = Board(rules, players, self._set_up(position))
        self.hands: dict[str, list[str]] = {color: [] for color in self.order}
        self.in_play: list[str] = []  # cards used, but not yet on the discard pile
        self.counters = Counters(rules, self.order)
        self.turn = Turn()
        self.finished: list[Side] = []
        self.winner: str | None = None  # who made the winning move
        self.last_leader: Side | None = None
        self.endless = False  # cut off in a turn that would never have ended
        self.turns = 0  # when the winner finished; like the following
        self.pips_left: dict[str, int] = {}
        self.pawns_home: dict[str, int] = {}

    def _set_up(self, position: Position | None) -> list[Pawn]:
        if position is not None:
            return [Pawn(color, place) for color in self.players for place in position[color]]
        return [Pawn(color, place) for color in self.players for place in self._first_places(color)]

    def _first_places(self, color: str) -> list[Place]:
        places: list[Place] = [circle(color)] * self.rules.quick_start_pawns
        if ahead := head_start(self.rules, self.order, color):
            places.append((circle(color) + ahead - 1) % TRACK)
        return places + [START] * (self.rules.pawns - len(places))

    def play(self) -> None:
        """Plays to the end, or to the turn cap."""
        self._deal()
        self.counters.game["rounds"] = 1
        color = self.order[0]
        while True:
            self._take_turn(color)
            if self.over or self.endless or self.counters.game["turns_all"] == self.rules.turn_cap:
                break
            following = self._next_after(color)
            if self.order.index(following) <= self.order.index(color):
                self._end_round()
            color = following
        if not self.finished:
            self._note_standing()

    @property
    def over(self) -> bool:
        """Whether the round has come to its end."""
        needed = {"first_home": 1, "full_ranking": len(self.sides) - 1, "all_home": len(self.sides)}
        return len(self.finished) >= needed[self.rules.game_end]

    def side_of(self, color: str) -> Side:
        """The team of a color, or the color alone."""
        return next(side for side in self.sides if color in side)

    def _next_after(self, color: str) -> str:
        place = self.order.index(color) + 1
        return next(other for other in [*self.order[place:], *self.order[:place]] if self._plays(other))

    def _plays(self, color: str) -> bool:
        """Whether a player still takes turns."""
        if self.side_of(color) in self.finished:
            return False
        return self.rules.team_finished_player != "skips" or not self._all_home(color)

    def _all_home(self, color: str) -> bool:
        return self.home(color) == self.rules.pawns

    def home(self, color: str) -> int:
        """Pawns of a color on HOME."""
        return self.board.position[color].count(HOME)

    def place(self, side: Side) -> int:
        """Finishing place from 1; who is still on the way ranks by pawns HOME, then by squares to go, equals alike."""
        if side in self.finished:
            return self.finished.index(side) + 1
        behind = [other for other in self.sides if other not in self.finished]
        return len(self.finished) + 1 + sum(self._rank(other) < self._rank(side) for other in behind)

    def _rank(self, side: Side) -> tuple[int, int]:
        return -sum(map(self.home, side)), sum(map(self._to_go, side))

    def _to_go(self, color: str) -> int:
        return sum(squares_to_go(color, place) for place in self.board.position[color])

    def _end_round(self) -> None:
        """Once around: looks who is in the lead."""
        self.counters.game["rounds"] += 1
        to_go = {side: sum(map(self._to_go, side)) for side in self.sides}
        leaders = [side for side in self.sides if to_go[side] == min(to_go.values())]
        if len(leaders) > 1:
            return
        self.counters.game["lead_changes"] += self.last_leader not in (None, leaders[0])
        self.last_leader = leaders[0]

    # -- one turn --

    def _take_turn(self, color: str) -> None:
        self.turn = Turn()
        self.counters.game["turns_all"] += 1
        self.counters.seats[color]["turns"] += 1
        if self.rules.hand_size:
            self._play_from_hand(color)
        else:
            self._play_drawn_cards(color)
        turn = self.turn
        self.counters.add(color, dead_turns=not turn.acted, choice_turns=turn.chose)
        self.counters.game["forced_turns"] += turn.acted and not turn.chose
        self.counters.game["throw_choice_turns"] += turn.chose and turn.chose_a_throw_only

    def _chosen(self, decision: Decision) -> Outcome | None:
        """What the player does, or None if there is nothing to do."""
        choices = decision.choices
        if len(choices) < 2:
            return choices[0] if choices else None
        self.turn.chose = True
        if any(choice.kind != "throw" for choice in choices):
            self.turn.chose_a_throw_only = False
        self.counters.game["choices"] += 1
        self.counters.game["outcomes"] += len(choices)
        return self.caller.choose(decision)

    def _carry_out(self, decision: Decision, chosen: Outcome | None, card: str) -> None:
        """Does what was chosen, counts it and writes it down."""
        color, kind = decision.color, chosen.kind if chosen else "forfeit"
        self.counters.add(color, draws=card != "", throws=kind == "throw")
        self.counters.game["passes"] += kind == "pass"
        if chosen is not None and kind == "play":
            self.turn.acted = True
            self.counters.play(color, chosen)
            self.board = chosen.board.fresh()
            self._note_finish(color)
        turn, text = self.counters.game["turns_all"], write_position(self.board.position)
        self.steps.append(Step(turn, color, card, text, kind, decision.cards, self.number))

    def _note_finish(self, color: str) -> None:
        side = self.side_of(color)
        if side not in self.finished and (any if self.rules.team_win == "first_member" else all)(map(self._all_home, side)):
            self.finished.append(side)
            if len(self.finished) == 1:
                self.winner = color
                self._note_standing()
        for other in self.order:
            if not self._plays(other):
                self._lay_down(self.hands[other])

    def _note_standing(self) -> None:
        """Keeps what is counted when the winner finishes, or at the cut-off if nobody has."""
        self.turns = self.counters.game["turns_all"]
        self.pips_left = {color: self._to_go(color) for color in self.order}
        self.pawns_home = {color: self.home(color) for color in self.order}

    # -- cards that are drawn and played --

    def _play_drawn_cards(self, color: str) -> None:
        again = True
        while again:
            card = self.deck.take()
            assert card is not None
            self._lay_down(self.in_play)
            decision = decide(self.board, color, card)
            chosen = self._chosen(decision)
            self._carry_out(decision, chosen, card)
            again = self._draws_again(color, card, chosen)
            if again and self.rules.card_in_play_in_reshuffle == "excluded":
                self.in_play.append(card)
            else:
                self.deck.lay_down(card)

    def _draws_again(self, color: str, card: str, chosen: Outcome | None) -> bool:
        if card != "2" or not self._plays(color) or (chosen is not None and chosen.ends_turn):
            return False
        if self.rules.two_draws_again == "if_played":
            return chosen is not None and not chosen.passed
        return self.rules.two_draws_again == "always"

    # -- cards of a hand --

    def _deal(self) -> None:
        for _ in range(self.rules.hand_size):
            for color in self.order:
                self._draw_one(color)

    def _draw_one(self, color: str) -> str | None:
        card = self.deck.take()
        if card is not None:
            self.hands[color].append(card)
        return card

    def _fill_up(self, color: str) -> None:
        while len(self.hands[color]) < self.rules.hand_size and self._draw_one(color) is not None:
            pass

    def _lay_down(self, cards: list[str]) -> None:
        """Puts all of these cards on the discard pile."""
        for card in cards:
            self.deck.lay_down(card)
        cards.clear()

    def _play_from_hand(self, color: str) -> None:
        hand, first_turn = self.hands[color], self.counters.seats[color]["turns"] == 1
        decision = decide_hand(self.board, color, hand, first_turn=first_turn)
        for _ in range(MOST_CARDS):
            chosen = self._chosen(decision)
            if chosen is None:
                break
            card = self._leave_hand(hand, chosen)
            self._carry_out(decision, chosen, card)
            if chosen.kind == "throw" and self.rules.hand_refill != "when_empty":
                self._draw_one(color)
            if chosen.kind in ("throw", "pass"):
                break
            drawn, goes_on = self._after_playing(color, card, chosen)
            if not goes_on:
                break
            decision = decide_hand(self.board, color, hand, followup=True, drawn=drawn, first_turn=first_turn)
        else:
            self.endless = True
        self._end_turn(color)

    def _leave_hand(self, hand: list[str], chosen: Outcome) -> str:
        """Takes the card that was chosen out of the hand and puts it where it belongs; "" for none."""
        card = chosen.card
        if card == ANY_CARD:
            assert self.caller.throw is not None
            card = self.caller.throw(list(hand))
        if not card:
            return ""
        hand.remove(card)  # the oldest of its value
        if chosen.kind == "throw" or self.rules.card_in_play_in_reshuffle == "included":
            self.deck.lay_down(card)
        else:
            self.in_play.append(card)
        return card

    def _after_playing(self, color: str, card: str, chosen: Outcome) -> tuple[str | None, bool]:
        """Draws after a card was played; the card that must come next, if one must, and whether any does."""
        rules = self.rules
        if not self._plays(color):
            return None, False
        brings_another = card == "2" and chosen.kind != "blocked" and rules.two_in_hand != "none"
        drawn = self._draw_one(color) if brings_another and rules.two_in_hand == "play_drawn" else None
        if rules.hand_refill == "per_card":
            self._fill_up(color)
        if rules.hand_refill == "per_card" or drawn is not None:
            self._lay_down(self.in_play)
        if rules.two_in_hand == "play_drawn":
            return drawn, drawn is not None
        return None, brings_another and bool(self.hands[color])

    def _end_turn(self, color: str) -> None:
        refill, hand = self.rules.hand_refill, self.hands[color]
        if self._plays(color) and (refill == "end_of_turn" or not hand):
            self._fill_up(color)
        self._lay_down(self.in_play)
