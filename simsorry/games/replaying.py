"""Games with cards, looked at card by card: what games of one card a turn or a hand of cards have in common, with points and matches.

A game's own ``Replay`` says how a card is resolved, what it did, and what is counted of that.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from simsorry.games import hands, telling
from simsorry.games.columns import NOBODY
from simsorry.games.options import CARDS, COLORS
from simsorry.games.words import sides

ACTED, CHOSE, CHOSE_THROW = 1, 2, 4  # a turn's kind is their sum


@dataclass(frozen=True, kw_only=True)
class Card:
    """One card drawn, or chosen from a hand, and resolved."""

    rules: Any  # of the game
    match_round: int  # counted from 1
    turn: int  # of the round, counted from 1
    seat: int  # table seat
    color: int
    card: int  # NO_CARD where a player with a hand did nothing
    hand: tuple[int, ...]  # what it was chosen from, the card held longest first; empty for a drawn card
    again: bool  # a 2 gave this card
    choices: int  # distinct outcomes there were; 0: nothing was possible
    kind: str  # as the game's story.kind says
    did: str  # what was done, in plain words
    draws_again: bool  # another card follows
    drawn: int  # the card of the hand that it must be, drawn in place of a 2; else NO_CARD
    reshuffled: bool
    home: tuple[str, ...]  # colors whose last pawn came HOME with it
    place: int  # the finishing place that the card earned; 0: none
    ends_round: bool

    @property
    def ends_turn(self) -> bool:
        """Whether the turn is over with it."""
        return not self.draws_again

    @property
    def begins_round(self) -> bool:
        """Whether it is the first of its round."""
        return self.turn == 1 and not self.again

    @property
    def opening(self) -> str:
        """The heading of the round of a match that the card begins; empty if it begins none."""
        return telling.opening(self)

    @property
    def line(self) -> str:
        """The card and what came of it, on one line."""
        return telling.line(self)

    def plain(self) -> dict[str, Any]:
        """The card as plain data."""
        return {
            "match_round": self.match_round,
            "turn": self.turn,
            "color": COLORS[self.color],
            "card": _card(self.card),
            "hand": [CARDS[card] for card in self.hand],
            "choices": self.choices,
            "kind": self.kind,
            "did": self.did,
            "draws_again": self.draws_again,
            "drawn": _card(self.drawn),
            "reshuffled": self.reshuffled,
            "home": list(self.home),
            "place": self.place or None,
        }


def _card(number: int) -> str | None:
    return CARDS[number] if number < len(CARDS) else None


class Score(NamedTuple):
    """What a player, or a team, scores in a round that somebody has won."""

    colors: tuple[str, ...]
    points: int  # all that follow together; 0 where no points are kept
    home: int  # own pawns HOME
    for_home: int
    not_home: int  # opponents' pawns not HOME
    for_not_home: int
    bonuses: tuple[tuple[int, int], ...]  # those paid: how many pawns HOME an opponent may have at most, and the points for it
    standing: int  # points so far or, where none are kept, rounds of the match won

    def plain(self) -> dict[str, Any]:
        """The score as plain data."""
        return {**self._asdict(), "colors": list(self.colors), "bonuses": [points for _, points in self.bonuses]}


class Round(NamedTuple):
    """A round that is over: one of a match, or all of the game."""

    rules: Any
    number: int  # counted from 1
    turns: int  # up to and including the winner's last, or to the turn cap
    winners: tuple[str, ...]  # the color that has won, or those of the team; nobody if the round was cut off before
    scores: tuple[Score, ...]  # of everybody
    tied: bool  # the match would have ended with this round, had nobody stood as well as the leader

    @property
    def keeps_points(self) -> bool:
        """Whether the game keeps points."""
        return bool(self.rules.score_home_to != "none")

    @property
    def told(self) -> list[str]:
        """What is to be said at its end, in lines; empty in a single round without points."""
        return telling.round_end(self)

    def plain(self) -> dict[str, Any]:
        """The round as plain data."""
        scores = [score.plain() for score in self.scores]
        return {"round": self.number, "turns": self.turns, "winners": list(self.winners), "scores": scores}


class Replay(ABC):
    """A game that can be looked at: iterate over ``steps``.

    ``table`` is the game's ``Table``, ``state`` the record that the kernel works on, ``counted`` the columns of the games table that are
    counted along.
    """

    STEPS = "cards"  # what the steps are called

    def __init__(self, table: Any, state: Any, counted: str) -> None:
        self.table = table
        self.rules = table.rules
        self.sides = sides(self.rules, table.players)  # the colors, those of a team together
        self.over = False
        self.rounds: list[Round] = []  # those that are over
        self.counters: dict[str, int] = dict.fromkeys(counted.split(), 0)  # as the columns of the same names
        self._state = state
        self._between_rounds = False
        self._kind = 0  # of this turn: the sum of ACTED, CHOSE and CHOSE_THROW
        self._turns_before = 0  # as the counter turns, of the rounds that are over

    def step_by(self, step: Callable[[], bool]) -> None:
        """Has something else resolve the cards: it says whether the round goes on."""
        self._step = step

    # -- what a game says of itself ----------------------------------------------------------------

    @property
    @abstractmethod
    def position(self) -> str:
        """The position, in the one-line notation."""

    @property
    @abstractmethod
    def legend(self) -> str:
        """What the signs of the picture mean."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """How the game ended, or how far it has come, on one line."""

    @abstractmethod
    def board(self, colored: bool = False) -> str:
        """The position as a picture."""

    @abstractmethod
    def _resolve(self) -> bool:
        """Has the kernel resolve the next card; returns whether the round goes on."""

    @abstractmethod
    def _card(self, action: int, **common: Any) -> Card:
        """The card that was resolved, by what the kernel did and what all games' cards have in common."""

    @abstractmethod
    def _kind_of(self, action: int) -> str:
        """Which kind of outcome an action makes."""

    @abstractmethod
    def _close_round(self) -> bool:
        """Has the kernel count the round that is over; returns whether the match goes on."""

    @abstractmethod
    def _open_round(self) -> None:
        """Before the first card of the next round of a match."""

    @abstractmethod
    def _counts(self, card: Any) -> Counter[str]:
        """What a card that moved pawns adds to the counters of the game's own."""

    # -- how it stands -----------------------------------------------------------------------------

    @property
    def columns(self) -> str:
        """What stands in the columns of a card's line, if that needs to be said."""
        return telling.columns(self.rules)

    @property
    def first_seat(self) -> int:
        """The table seat that moves first, of a match in its first round."""
        return int(self._state["opening_seat"])

    @property
    def turns(self) -> int:
        """Turns over, of a match in all its rounds."""
        return self.counters["turns_all"]

    @property
    def capped(self) -> bool:
        """Whether the game was cut off."""
        return bool(self._state["capped"])

    @property
    def places(self) -> dict[str, int]:
        """The finishing places reached so far, by color; of a match by how it stands, equals alike, once it is over."""
        if self._is_match:
            standing = [self._standing[side[0]] for side in self.sides]
            return {color: 1 + sum(other > self._standing[color] for other in standing) for color in self.table.players if self.over}
        return {color: place for color, place in self._by_color("place").items() if place}

    @property
    def _is_match(self) -> bool:
        return bool(self.rules.match_end != "single_round")

    @property
    def _standing(self) -> dict[str, int]:
        """What decides a match, by color: points, or rounds won where none are kept."""
        return self.rounds_won if self.rules.score_home_to == "none" else self.points

    @property
    def points(self) -> dict[str, int]:
        """What everybody has scored, by color."""
        return self._by_color("points")

    @property
    def rounds_won(self) -> dict[str, int]:
        """How many rounds of the match everybody has won, by color; in team play the team."""
        return self._by_color("rounds_won")

    def _by_color(self, field: str) -> dict[str, int]:
        """A field of the record that is kept by table seat."""
        return dict(zip(self.table.players, self._state[field].tolist(), strict=False))

    @property
    def winners(self) -> tuple[str, ...]:
        """The color of the winner, or those of the team; nobody while there is none, in a match until it is over."""
        return () if self._is_match and not self.over else self._side_of(int(self._state["winner"]))

    def _side_of(self, seat: int) -> tuple[str, ...]:
        """Who plays together with a seat, nobody for NOBODY."""
        return () if seat == NOBODY else next(side for side in self.sides if self.table.players[seat] in side)

    @property
    def hands(self) -> dict[str, list[str]]:
        """The cards that everybody holds, by color, the card held longest first."""
        return {color: [CARDS[card] for card in self._hand(seat)] for seat, color in enumerate(self.table.players)}

    def _hand(self, seat: int) -> tuple[int, ...]:
        """A player's hand, the card held longest first."""
        begin = seat * hands.MAX_HELD
        return tuple(self._state["hand"][begin : begin + int(self._state["held"][seat])].tolist())

    @property
    def closing(self) -> list[str]:
        """What is to be said of the round that is over, in lines."""
        return self.rounds[-1].told

    def plain(self) -> dict[str, Any]:
        """How far the game has come, as plain data."""
        return {
            "over": self.over,
            "capped": self.capped,
            "winners": list(self.winners),
            "places": self.places,
            "points": self.points,
            "rounds": [ended.plain() for ended in self.rounds],
            "counters": self.counters,
        }

    # -- card by card ------------------------------------------------------------------------------

    def steps(self) -> Iterator[Any]:
        """Plays on to the end, and yields every card once it is resolved: with the board as it leaves it, in ``position`` too."""
        while not self.over:
            if self._between_rounds:
                self._open_round()
                self._between_rounds = False
            card = self._next()
            self._count(card)
            if card.ends_round:
                self._end_round(card)
                self._between_rounds = True
            yield card

    def _next(self) -> Card:
        """Resolves the next card."""
        now = self._state
        seat, again = int(now["seat"]), bool(now["again"])
        turn, match_round, hand = int(now["turns"]) + 1, int(now["match_round"]) + 1, self._hand(seat)
        place, reshuffles = int(now["place"][seat]), int(now["reshuffles"])
        going = self._resolve()
        return self._card(
            int(now["did_action"]),
            rules=self.rules,
            match_round=match_round,
            turn=turn,
            seat=seat,
            color=COLORS.index(self.table.players[seat]),
            card=int(now["did_card"]),
            hand=hand,
            again=again,
            choices=int(now["outcomes"]),
            draws_again=bool(now["again"]),
            drawn=self._must_follow(),
            reshuffled=int(now["reshuffles"]) > reshuffles,
            place=int(now["place"][seat]) - place,
            ends_round=not going,
        )

    def _must_follow(self) -> int:
        """The card that must be played next because it was drawn in place of a 2, or NO_CARD."""
        only_drawn = self._state["again"] and self.rules.hand_size and self.rules.two_in_hand == "play_drawn"
        return int(self._state["drawn"] if only_drawn else hands.NO_CARD)

    def _end_round(self, card: Card) -> None:
        """Has the points of a round given, and notes who got them."""
        points, bonuses = self.points, self._state["bonuses"].tolist()
        winners = self._side_of(int(self._state["winner"]))
        self.over = not self._close_round()
        counts = zip(self.rules.score_bands, bonuses, self._state["bonuses"].tolist(), strict=False)
        paid = tuple(band for band, before, after in counts if after > before)
        scores = tuple(self._score(side, winners, paid, self.points[side[0]] - points[side[0]]) for side in self.sides)
        turns, self._turns_before = self.counters["turns"] - self._turns_before, self.counters["turns"]
        tied = not self.over and self._is_due(card.match_round, scores)
        self.rounds.append(Round(self.rules, card.match_round, turns, winners, scores, tied))
        self.counters["match_upsets"] = int(self._state["upsets"])

    def _is_due(self, number: int, scores: Sequence[Score]) -> bool:
        """Whether a match ends with this round if one player, or one team, is alone ahead."""
        target, rounds = (int(self.table.compiled[name][0]) for name in ("match_target", "match_rounds"))
        return max(score.standing for score in scores) >= target if target else number >= rounds

    def _score(self, side: tuple[str, ...], winners: tuple[str, ...], paid: tuple[tuple[int, int], ...], points: int) -> Score:
        """What a side scores in the round that is over: so many points, and what they are for."""
        won, pawns_home = side == winners, self._by_color("pawns_home")
        home_worth, missing_worth = self._by_color("home_worth"), self._by_color("missing_worth")
        scores_home = won or (self.rules.score_home_to == "all_players" and bool(winners))
        keeps_points = self.rules.score_home_to != "none"
        others = [color for color in pawns_home if color not in side]
        return Score(
            colors=side,
            points=points,
            home=sum(pawns_home[color] for color in side),
            for_home=sum(home_worth[color] for color in side) * (scores_home and keeps_points),
            not_home=sum(self.rules.pawns - pawns_home[color] for color in others),
            for_not_home=sum(missing_worth[color] for color in others) * (won and keeps_points),
            bonuses=paid if won else (),
            standing=self._standing[side[0]],
        )

    # -- counting ----------------------------------------------------------------------------------

    def _count(self, card: Card) -> None:
        """Adds a card to the counters."""
        counters = Counter(self.counters)
        counters["draws"] += not self.rules.hand_size or (card.card != int(hands.NO_CARD) and card.kind != "pass")
        counters["reshuffles"] = int(self._state["reshuffles"])  # a card may see two
        counters["choices"] += card.choices > 1
        counters["outcomes"] += card.choices if card.choices > 1 else 0
        counters["passes"] += card.kind == "pass"
        counters["throws"] += card.kind == "throw"
        if card.kind == "play":
            counters.update(self._counts(card))
            self._kind |= ACTED
        if card.choices > 1:
            only_throws = self._kind_of(int(self._state["action"][0])) == "throw"
            self._kind |= CHOSE_THROW if only_throws else CHOSE
        counters["match_rounds"] = card.match_round
        self.counters = dict(counters)
        if not card.draws_again:
            self._count_turn(card)

    def _count_turn(self, card: Card) -> None:
        """Adds a turn that is over to the counters."""
        counters = self.counters
        counters["turns_all"] += 1
        counters["turns"] += card.place == 1 or not self._state["finished"]
        counters["dead_turns"] += not self._kind & ACTED
        counters["forced_turns"] += self._kind == ACTED
        counters["choice_turns"] += self._kind not in (0, ACTED)
        counters["throw_choice_turns"] += self._kind & ~ACTED == CHOSE_THROW
        self._kind = 0
