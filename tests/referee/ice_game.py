"""Whole games of Ice Soo Sorry!: one round, or the rounds of a match, with cards and choices fed in by the caller."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.counting import BAND_COUNTERS
from referee.decisions import ANY_CARD
from referee.deck import Deck, Draw
from referee.ice_board import Board, Position
from referee.ice_counting import GAME_COUNTERS, HIGHEST_COUNTERS, SEAT_COUNTERS, Counters
from referee.ice_decisions import Decision, Outcome, decide, decide_hand
from referee.match import MOST_ROUNDS, NOBODY, bonuses_paid
from referee.rounds import MOST_CARDS, Lead, Throw, Turn
from simsorry.games.ice.rules import Rules
from simsorry.games.options import COLORS

Choose = Callable[[Decision], Outcome]  # picks one of ``choices``
BySize = tuple[int, ...]  # a number for small, medium and large pawns


class Step(NamedTuple):
    """One card of a game, or a hand of which none was played.

    The turn of its round, from 1, whose it is, the card ("" for none), the position afterwards, what was done (the kind of the outcome
    chosen, or "forfeit" where nothing could be), the hand before (or the card drawn), the round, from 1, the decision, and the outcome if
    there was one.
    """

    turn: int
    color: str
    card: str
    text: str
    kind: str
    hand: tuple[str, ...]
    round: int
    decision: Decision
    chosen: Outcome | None


Watch = Callable[[Step], None]


class Caller(NamedTuple):
    """Who decides what the rules leave to chance and to the players, and who looks on."""

    draw: Draw
    choose: Choose
    throw: Throw | None
    lead: Lead | None
    watch: Watch | None


@dataclass
class Record:
    """The counters of a finished game as the columns define them (but for ``digest``), and its course."""

    game: dict[str, int]
    seats: list[dict[str, int]]  # in play order
    steps: list[Step]


# -- one round -------------------------------------------------------------------------------------------


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
        self.order = [*players[first_seat:], *players[:first_seat]]
        self.caller = caller
        self.number = number
        self.steps = steps
        self.deck = Deck(rules, caller.draw)
        self.board = Board.of(rules, players, position) if position else Board.set_up(rules, players, first_seat)
        self.hands: dict[str, list[str]] = {color: [] for color in self.order}
        self.in_play: list[str] = []  # cards used, but not yet on the discard pile
        self.counters = Counters(rules, self.order, self.board)
        self.turn = Turn()
        self.finished: list[str] = []
        self.last_leader: str | None = None
        self.endless = False  # cut off in a turn that would never have ended
        self.turns = 0  # when the winner finished; like the following
        self.pips_left: dict[str, int] = {}
        self.home: dict[str, BySize] = {}

    @property
    def winner(self) -> str | None:
        """Who has finished first."""
        return self.finished[0] if self.finished else None

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
        self.counters.end_round()
        if not self.finished:
            self._note_standing()

    @property
    def over(self) -> bool:
        """Whether the round has come to its end."""
        needed = {"first_home": 1, "full_ranking": len(self.order) - 1, "all_home": len(self.order)}
        return len(self.finished) >= needed[self.rules.game_end]

    def _next_after(self, color: str) -> str:
        place = self.order.index(color) + 1
        return next(other for other in [*self.order[place:], *self.order[:place]] if other not in self.finished)

    def place(self, color: str) -> int:
        """Finishing place from 1; who is still on the way ranks by pawns HOME, then by squares to go, equals alike."""
        if color in self.finished:
            return self.finished.index(color) + 1
        behind = [other for other in self.order if other not in self.finished]
        return len(self.finished) + 1 + sum(self._rank(other) < self._rank(color) for other in behind)

    def _rank(self, color: str) -> tuple[int, int]:
        return -sum(self.board.count_home(color)), self.board.to_go(color)

    def _end_round(self) -> None:
        """Once around: looks who is in the lead."""
        self.counters.game["rounds"] += 1
        to_go = {color: self.board.to_go(color) for color in self.order}
        leaders = [color for color in self.order if to_go[color] == min(to_go.values())]
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
        self.counters.end_turn(self.board)

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
            self.counters.play(color, self.board, chosen)
            self.board = chosen.board.at_rest()
            self._note_finish(color)
        turn = self.counters.game["turns_all"]
        step = Step(turn, color, card, self.board.text, kind, decision.cards, self.number, decision, chosen)
        self.steps.append(step)
        if self.caller.watch is not None:
            self.caller.watch(step)

    def _note_finish(self, color: str) -> None:
        if sum(self.board.count_home(color)) < self.rules.pawns:
            return
        self.finished.append(color)
        if len(self.finished) == 1:
            self._note_standing()
        self._lay_down(self.hands[color])

    def _note_standing(self) -> None:
        """Keeps what is counted when the winner finishes, or at the cut-off if nobody has."""
        self.turns = self.counters.game["turns_all"]
        self.pips_left = {color: self.board.to_go(color) for color in self.order}
        self.home = {color: self.board.count_home(color) for color in self.order}

    # -- cards that are drawn and played --

    def _play_drawn_cards(self, color: str) -> None:
        for _ in range(MOST_CARDS):
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
            if not again:
                return
        self.endless = True

    def _draws_again(self, color: str, card: str, chosen: Outcome | None) -> bool:
        if card != "2" or color in self.finished:
            return False
        if self.rules.two_draws_again == "if_played":
            return chosen is not None and chosen.kind != "pass"
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
            drawn, goes_on = self._after_playing(color, card)
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

    def _after_playing(self, color: str, card: str) -> tuple[str | None, bool]:
        """Draws after a card was played; the card that must come next, if one must, and whether any does."""
        rules = self.rules
        if color in self.finished:
            return None, False
        brings_another = card == "2" and rules.two_in_hand != "none"
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
        if color not in self.finished and (refill == "end_of_turn" or not hand):
            self._fill_up(color)
        self._lay_down(self.in_play)


# -- points ----------------------------------------------------------------------------------------------


def round_points(rules: Rules, winner: str, home: Mapping[str, BySize]) -> dict[str, int]:
    """The points of a round by color; ``home`` is the pawns HOME by color and size."""
    points = dict.fromkeys(home, 0)
    if rules.score_home_to == "none":
        return points
    for color in home if rules.score_home_to == "all_players" else [winner]:
        points[color] += _worth(rules.score_home_value, home[color])
    for color in home:
        if color != winner:
            missing = [all_of_size - there for all_of_size, there in zip(rules.pieces, home[color], strict=True)]
            points[winner] += _worth(rules.score_not_home_value, missing)
    points[winner] += sum(rules.score_bands[number - 1][1] for number in _bonuses(rules, winner, home))
    return points


def _worth(values: Sequence[int], pawns: Sequence[int]) -> int:
    return sum(value * count for value, count in zip(values, pawns, strict=True))


def _bonuses(rules: Rules, winner: str, home: Mapping[str, BySize]) -> list[int]:
    """The numbers of the bonuses paid to the winner, 1 being the easiest."""
    return bonuses_paid(rules, (winner,), {color: sum(pawns) for color, pawns in home.items()})


# -- the game --------------------------------------------------------------------------------------------


class Game:
    """A game in progress: one round, or the rounds of a match."""

    def __init__(
        self,
        rules: Rules,
        players: Sequence[str],
        first_seat: int,
        draw: Draw,
        choose: Choose,
        *,
        throw: Throw | None = None,
        lead: Lead | None = None,
        watch: Watch | None = None,
        position: Position | None = None,
    ) -> None:
        self.rules = rules
        self.players = tuple(players)
        self.first_seat = first_seat
        self.order = [*players[first_seat:], *players[:first_seat]]
        self.caller = Caller(draw, choose, throw, lead, watch)
        self.position = position
        self.rounds: list[Round] = []
        self.steps: list[Step] = []
        self.points = dict.fromkeys(players, 0)
        self.rounds_won = dict.fromkeys(players, 0)
        self.upsets = 0
        self.bands = dict.fromkeys(BAND_COUNTERS, 0)

    def play(self) -> Record:
        """Plays to the end."""
        while True:
            played = self._play_round()
            winner = self._winner()
            if winner or not played.over or len(self.rounds) == MOST_ROUNDS:
                return self._record(winner)

    def _play_round(self) -> Round:
        position = None if self.rounds else self.position
        leader = self._leader() if self.rounds else self.first_seat
        played = Round(self.rules, self.players, leader, self.caller, len(self.rounds) + 1, self.steps, position)
        self.rounds.append(played)
        played.play()
        self._score(played)
        return played

    def _leader(self) -> int:
        """The seat that moves first in the next round."""
        last = self.rounds[-1]
        if self.rules.next_leader == "next_seat":
            return (last.first_seat + 1) % len(self.players)
        if self.rules.next_leader == "random":
            assert self.caller.lead is not None
            return self.caller.lead(len(self.rounds) + 1)
        assert last.winner is not None
        return self.players.index(last.winner)

    def _score(self, played: Round) -> None:
        winner = played.winner
        if winner is None:
            return
        self.rounds_won[winner] += 1
        for color, points in round_points(self.rules, winner, played.home).items():
            self.points[color] += points
        for number in _bonuses(self.rules, winner, played.home):
            self.bands[f"band_{number}"] += 1
        self.upsets += self._ahead() != [winner]

    @property
    def _standing(self) -> dict[str, int]:
        """What decides a match: points, or rounds won where none are kept."""
        return self.rounds_won if self.rules.score_home_to == "none" else self.points

    def _ahead(self) -> list[str]:
        most = max(self._standing.values())
        return [color for color, score in self._standing.items() if score == most]

    def _winner(self) -> str | None:
        """Who has won, if that is decided."""
        last = self.rounds[-1]
        if last.winner is None or self.rules.match_end == "single_round":
            return last.winner
        what, goal = self.rules.match_end.split(":")
        reached = len(self.rounds) if what == "rounds" else max(self._standing.values())
        ahead = self._ahead()
        return ahead[0] if reached >= int(goal) and len(ahead) == 1 else None

    # -- the end --

    def _record(self, winner: str | None) -> Record:
        rounds, last = self.rounds, self.rounds[-1]
        game = {name: sum(each.counters.game[name] for each in rounds) for name in GAME_COUNTERS}
        game |= {name: max(each.counters.game[name] for each in rounds) for name in HIGHEST_COUNTERS}
        game["winner"] = NOBODY if winner is None else self.order.index(winner)
        game["winner_color"] = NOBODY if winner is None else COLORS.index(winner)
        game["first_seat"] = self.first_seat
        game["capped"] = int(winner is None or not last.over)
        game["turns"] = sum(each.turns for each in rounds)
        game["reshuffles"] = sum(each.deck.reshuffles for each in rounds)
        game["match_rounds"] = len(rounds)
        game["match_upsets"] = self.upsets
        return Record(game | self.bands, [self._seat(color, winner) for color in self.order], self.steps)

    def _seat(self, color: str, winner: str | None) -> dict[str, int]:
        last = self.rounds[-1]
        seat = {name: sum(each.counters.seats[color][name] for each in self.rounds) for name in SEAT_COUNTERS}
        return seat | {
            "color": COLORS.index(color),
            "table_seat": self.players.index(color),
            "won": int(color == winner),
            "place": self._place(color),
            "points": self.points[color],
            "match_rounds_won": self.rounds_won[color],
            "pips_left": last.pips_left[color],
            "pawns_home": sum(last.home[color]),
            "first_start": self.rounds[0].counters.seats[color]["first_start"],
        }

    def _place(self, color: str) -> int:
        if self.rules.match_end == "single_round":
            return self.rounds[-1].place(color)
        return 1 + sum(score > self._standing[color] for score in self._standing.values())


def play(
    rules: Rules,
    players: Sequence[str],
    first_seat: int,
    draw: Draw,
    choose: Choose,
    *,
    throw: Throw | None = None,
    lead: Lead | None = None,
    watch: Watch | None = None,
    position: Position | None = None,
) -> Record:
    """Plays a full game, or match; ``players`` are the colors by table seat, ``first_seat`` moves first.

    ``draw`` is given the cards of the draw pile and says which of them comes: for the deal one card at a time round the table
    from the first player, then as cards are needed. ``choose`` is given every decision with two or more choices and
    answers with one of them. ``throw`` picks the card that chance throws in (``dead_hand = "random"``) from a hand, oldest
    first; ``lead`` the first player of a later round (``next_leader = "random"``), given its number from 1, as a table seat; ``watch`` is
    shown every step. ``position`` is where the first round begins, if not from the printed set-up.
    """
    return Game(rules, players, first_seat, draw, choose, throw=throw, lead=lead, watch=watch, position=position).play()
