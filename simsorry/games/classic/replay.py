"""One game, card by card: driven by the very functions that play whole blocks of games, and looked at after every card."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.games import hands, track
from simsorry.games.classic import actions, board, notation, queries, state, story
from simsorry.games.classic import tables as t
from simsorry.games.classic.decision import Table
from simsorry.games.classic.rules import Rules
from simsorry.games.columns import NOBODY
from simsorry.games.hands import NO_CARD
from simsorry.games.options import CARDS, COLORS
from simsorry.games.words import sides

_COUNTED = (
    "turns turns_all draws dead_turns forced_turns choice_turns throw_choice_turns choices outcomes starts bumps bumps_slide bumps_sorry "
    "own_bumps partner_bumps swaps slides splits backs passes homes throws reshuffles match_rounds match_upsets"
)


class Card(NamedTuple):
    """One card drawn, or chosen from a hand, and resolved."""

    rules: Rules  # of the game
    match_round: int  # counted from 1
    turn: int  # of the round, counted from 1
    seat: int  # table seat
    color: int
    card: int  # NO_CARD where a player with a hand did nothing
    hand: tuple[int, ...]  # what it was chosen from, the card held longest first; empty for a drawn card
    again: bool  # a 2 gave this card
    choices: int  # distinct outcomes there were; 0: nothing was possible
    kind: str  # as story.kind says
    action: int  # the kernel's action and what it brought about; 0 if there was none
    events: int
    did: str  # the same in plain words
    words: tuple[int, ...]  # the position afterwards, by color
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
        return story.opening(self)

    @property
    def line(self) -> str:
        """The card and what came of it, on one line."""
        return story.line(self)

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

    rules: Rules
    number: int  # counted from 1
    turns: int  # up to and including the winner's last, or to the turn cap
    winners: tuple[str, ...]  # the color that has won, or those of the team; nobody if the round was cut off before
    scores: tuple[Score, ...]  # of everybody
    tied: bool  # the match would have ended with this round, had nobody stood as well as the leader

    @property
    def keeps_points(self) -> bool:
        """Whether the game keeps points."""
        return self.rules.score_home_to != "none"

    @property
    def told(self) -> list[str]:
        """What is to be said at its end, in lines; empty in a single round without points."""
        return story.round_end(self)

    def plain(self) -> dict[str, Any]:
        """The round as plain data."""
        scores = [score.plain() for score in self.scores]
        return {"round": self.number, "turns": self.turns, "winners": list(self.winners), "scores": scores}


class Replay:
    """A game that can be looked at: iterate over ``steps``.

    ``rules``, ``players`` (colors by table seat), ``line_up`` (compiled policies), ``seed`` and ``game`` say which game. It
    begins as the ruleset says, or from a position ``start``; ``first_seat`` replaces who would have begun (of a match both are for
    the first round). Raises SimsorryError if nobody can have got there, or the game would be over.
    """

    STEPS = "cards"  # what the steps are called
    COMPILED = "step"  # the compiled function that takes them

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
        self.rounds: list[Round] = []  # those that are over
        self.counters: dict[str, int] = dict.fromkeys(_COUNTED.split(), 0)  # as the columns of the same names
        self._line_up = line_up
        self._seed, self._game = np.uint64(seed), np.uint64(game)
        self._memory = state.new_scratch()
        self._state = self._memory[0]
        self._kind = 0  # of this turn: the sum of ACTED, CHOSE and CHOSE_THROW
        self._turns_before = 0  # as the counter turns, of the rounds that are over
        queries.begin(self.table.compiled, self._memory, self._seed, self._game)
        if first_seat is not None:
            queries.let_begin(self.table.compiled, self._memory, np.uint64(first_seat))
        if start is not None:
            self._begin_from(self.table.words(start), first_seat)

    def _begin_from(self, words: NDArray[np.uint64], first_seat: int | None) -> None:
        """Puts the pawns elsewhere than where a game begins."""
        rules, players = self.table.rules, self.table.players
        home = [color for color in players if self._is_home(words.tolist(), color)]
        for side in self.sides:
            arrived = [color for color in side if color in home]
            if arrived and (len(arrived) == len(side) or rules.team_win == "first_member"):
                raise SimsorryError(f"position: {' and '.join(arrived)} {'has' if len(arrived) == 1 else 'have'} all pawns HOME already")
        if rules.team_finished_player == "skips" and players[self.first_seat] in home:
            if first_seat is not None:
                raise SimsorryError(f"position: {players[first_seat]} has all pawns HOME and takes no more turns, so it can't begin")
            waiting = [*players[self.first_seat :], *players[: self.first_seat]]
            following = next(color for color in waiting if color not in home)
            queries.let_begin(self.table.compiled, self._memory, np.uint64(players.index(following)))
        queries.put_pawns(self.table.compiled, self._memory, words)

    def _is_home(self, words: Sequence[int], color: str) -> bool:
        """Whether all pawns of a color are HOME."""
        return notation.lanes_of(int(words[COLORS.index(color)])).count(track.HOME) == self.table.rules.pawns

    @property
    def words(self) -> tuple[int, ...]:
        """The position, by color."""
        return tuple(self._state["word"].tolist())

    @property
    def position(self) -> str:
        """The position, in the one-line notation."""
        return notation.to_text(self.words, self.table.players)

    @property
    def columns(self) -> str:
        """What stands in the columns of a card's line, if that needs to be said."""
        return story.columns(self.table.rules)

    @property
    def legend(self) -> str:
        """What the signs of the picture mean."""
        return board.legend(self.table.rules)

    def board(self, colored: bool = False) -> str:
        """The position as a picture."""
        return board.draw(self.words, self.table.players, self.table.compiled[0], colored)

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
        reached = self._state["place"].tolist()
        return {color: reached[seat] for seat, color in enumerate(self.table.players) if reached[seat]}

    @property
    def _is_match(self) -> bool:
        return self.table.rules.match_end != "single_round"

    @property
    def _standing(self) -> dict[str, int]:
        """What decides a match, by color: points, or rounds won where none are kept."""
        return self.rounds_won if self.table.rules.score_home_to == "none" else self.points

    @property
    def points(self) -> dict[str, int]:
        """What everybody has scored, by color."""
        return dict(zip(self.table.players, self._state["points"].tolist(), strict=False))

    @property
    def rounds_won(self) -> dict[str, int]:
        """How many rounds of the match everybody has won, by color; in team play the team."""
        return dict(zip(self.table.players, self._state["rounds_won"].tolist(), strict=False))

    @property
    def winners(self) -> tuple[str, ...]:
        """The color of the winner, or those of the team; nobody while there is none, in a match until it is over."""
        seat = int(self._state["winner"])
        return () if seat == NOBODY or (self._is_match and not self.over) else self._side_of(seat)

    def _side_of(self, seat: int) -> tuple[str, ...]:
        return next(side for side in self.sides if self.table.players[seat] in side)

    @property
    def hands(self) -> dict[str, list[str]]:
        """The cards that everybody holds, by color, the card held longest first."""
        return {color: [CARDS[card] for card in self._hand(seat)] for seat, color in enumerate(self.table.players)}

    @property
    def closing(self) -> list[str]:
        """What is to be said of the round that is over, in lines."""
        return self.rounds[-1].told

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
            "points": self.points,
            "rounds": [ended.plain() for ended in self.rounds],
            "counters": self.counters,
        }

    def steps(self) -> Iterator[Card]:
        """Plays on to the end, and yields every card once it is resolved: with the board as it leaves it, in ``position`` too."""
        while not self.over:
            if len(self.rounds) > int(self._state["match_round"]):
                queries.next_round(self.table.compiled, self._memory, self._seed, self._game)
            yield self._next()

    def _next(self) -> Card:
        now = self._state
        seat, again, before, hand = int(now["seat"]), bool(now["again"]), now["word"].tolist(), self._hand(int(now["seat"]))
        turn, match_round = int(now["turns"]) + 1, int(now["match_round"]) + 1
        place, reshuffles = int(now["place"][seat]), int(now["reshuffles"])
        color = COLORS.index(self.table.players[seat])
        going = queries.step(self.table.compiled, self._line_up, self._memory)
        choices, action, number = int(now["outcomes"]), int(now["did_action"]), int(now["did_card"])
        card = Card(
            rules=self.table.rules,
            match_round=match_round,
            turn=turn,
            seat=seat,
            color=color,
            card=number,
            hand=hand,
            again=again,
            choices=choices,
            kind=story.kind(action),
            action=action if choices else 0,
            events=int(now["did_events"]) if choices else 0,
            did=story.did(self.table.compiled[0], action, before, color, number) if choices else "",
            words=self.words,
            draws_again=bool(now["again"]),
            drawn=self._must_follow(),
            reshuffled=int(now["reshuffles"]) > reshuffles,
            home=tuple(each for each in self.table.players if self._is_home(self.words, each) and not self._is_home(before, each)),
            place=int(now["place"][seat]) - place,
            ends_round=not going,
        )
        self._count(card)
        if card.ends_round:
            self._end_round(card)
        return card

    def _must_follow(self) -> int:
        """The card that must be played next because it was drawn in place of a 2, or NO_CARD."""
        only_drawn = self._state["again"] and self.table.rules.hand_size and self.table.rules.two_in_hand == "play_drawn"
        return int(self._state["drawn"] if only_drawn else NO_CARD)

    def _end_round(self, card: Card) -> None:
        """Has the points of a round given, and notes who got them."""
        rules, points, bonuses, winner = self.table.rules, self.points, self._state["bonuses"].tolist(), int(self._state["winner"])
        self.over = not queries.end_round(self.table.compiled, self._memory)
        winners = () if winner == NOBODY else self._side_of(winner)
        counts = zip(rules.score_bands, bonuses, self._state["bonuses"].tolist(), strict=False)
        paid = tuple(band for band, before, after in counts if after > before)
        scores = tuple(self._score(side, winners, paid, self.points[side[0]] - points[side[0]]) for side in self.sides)
        turns, self._turns_before = self.counters["turns"] - self._turns_before, self.counters["turns"]
        tied = not self.over and self._is_due(card.match_round, scores)
        self.rounds.append(Round(rules, card.match_round, turns, winners, scores, tied))
        self.counters["match_upsets"] = int(self._state["upsets"])

    def _is_due(self, number: int, scores: Sequence[Score]) -> bool:
        """Whether a match ends with this round if one player, or one team, is alone ahead."""
        target, rounds = (int(self.table.compiled[name][0]) for name in ("match_target", "match_rounds"))
        return max(score.standing for score in scores) >= target if target else number >= rounds

    def _score(self, side: tuple[str, ...], winners: tuple[str, ...], paid: tuple[tuple[int, int], ...], points: int) -> Score:
        """What a side scores in the round that is over: so many points, and what they are for."""
        rules, won = self.table.rules, side == winners
        pawns_home = dict(zip(self.table.players, self._state["pawns_home"].tolist(), strict=False))
        home = sum(pawns_home[color] for color in side)
        not_home = sum(rules.pawns - count for color, count in pawns_home.items() if color not in side)
        scores_home = won or (rules.score_home_to == "all_players" and bool(winners))
        keeps_points = rules.score_home_to != "none"
        return Score(
            colors=side,
            points=points,
            home=home,
            for_home=rules.score_home_value * home * (scores_home and keeps_points),
            not_home=not_home,
            for_not_home=rules.score_not_home_value * not_home * (won and keeps_points),
            bonuses=paid if won else (),
            standing=self._standing[side[0]],
        )

    def _hand(self, seat: int) -> tuple[int, ...]:
        """A player's hand, the card held longest first."""
        begin = seat * hands.MAX_HELD
        return tuple(self._state["hand"][begin : begin + int(self._state["held"][seat])].tolist())

    # -- counting ----------------------------------------------------------------------------------

    def _count(self, card: Card) -> None:
        """Adds a card to the counters."""
        counters = Counter(self.counters)
        counters["draws"] += not self.table.rules.hand_size or (card.card != int(NO_CARD) and card.kind != "pass")
        counters["reshuffles"] = int(self._state["reshuffles"])  # a card may see two
        counters["choices"] += card.choices > 1
        counters["outcomes"] += card.choices if card.choices > 1 else 0
        counters["passes"] += card.kind == "pass"
        counters["throws"] += card.kind == "throw"
        if card.kind == "play":
            counters.update(_events(card))
            self._kind |= int(state.ACTED)
        if card.choices > 1:
            self._kind |= int(state.CHOSE_THROW if self._only_throws() else state.CHOSE)
        if not card.draws_again:
            counters["turns_all"] += 1
            counters["turns"] += card.place == 1 or not self._state["finished"]
            counters["dead_turns"] += not self._kind & int(state.ACTED)
            counters["forced_turns"] += self._kind == int(state.ACTED)
            counters["choice_turns"] += self._kind not in (0, int(state.ACTED))
            counters["throw_choice_turns"] += self._kind & ~int(state.ACTED) == int(state.CHOSE_THROW)
            self._kind = 0
        counters["match_rounds"] = card.match_round
        self.counters = dict(counters)

    def _only_throws(self) -> bool:
        """Whether all that there was to choose from were cards to throw in."""
        return bool(self._state["action"][0] & 7 == story.THROW)


def _events(card: Card) -> dict[str, int]:
    """What an action adds to the counters."""
    kind, parts, row = card.action & 7, card.action >> 3 & 7, card.action >> 16 & 63
    met = {name: card.events // int(count) & 255 for name, count in _COUNTS.items()}
    swapped = {name: card.events >> shift & 31 for name, shift in _AFTER_SWAP.items()}
    single = kind == story.MOVE and parts == 1
    return {
        "starts": single and row == t.OUT,
        "backs": single and t.BACKWARD <= row < t.PAST,
        "splits": kind == story.MOVE and parts > 1,
        "swaps": kind == story.SWAP,
        "bumps": met["landed"] + met["ridden"] + swapped["met"],
        "bumps_slide": met["ridden"] + swapped["met"],
        "bumps_sorry": met["landed"] if kind == story.TAKE else 0,
        "own_bumps": met["own"] + swapped["own"],
        "partner_bumps": met["partner"] + swapped["partner"],
        "slides": met["slides"] + (card.events >> 48 & 1),
        "homes": met["homes"],
    }


_COUNTS = {
    "landed": actions.BUMP,
    "ridden": actions.RIDE_BUMP,
    "own": actions.OWN_BUMP,
    "slides": actions.SLIDE,
    "homes": actions.ARRIVAL,
    "partner": actions.PARTNER_BUMP,
}
_AFTER_SWAP = {"met": 49, "own": 54, "partner": 59}  # where the counts of a swapped opponent's ride begin
