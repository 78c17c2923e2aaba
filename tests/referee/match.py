"""Whole games of the classic family: one round, or the rounds of a match, with cards and choices fed in by the caller."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from referee.board import Position
from referee.counting import BAND_COUNTERS, GAME_COUNTERS, SEAT_COUNTERS
from referee.deck import Draw
from referee.rounds import Caller, Choose, Lead, Round, Side, Step, Throw, sides_of
from simsorry.games.classic.rules import Rules
from simsorry.games.options import COLORS

NOBODY = 255
MOST_ROUNDS = 1000


@dataclass
class Record:
    """The counters of a finished game as the columns define them (but for ``digest``), and its course.

    Where several ways to one outcome are equally plain, what happens is counted by one of them that meets fewest opponents on
    rides. ``more_on_rides`` is what the others could add to ``bumps_slide``; ``in_doubt`` names all counters to which
    others of these ways would have added something else.
    """

    game: dict[str, int]
    seats: list[dict[str, int]]  # in play order
    steps: list[Step]
    more_on_rides: int = 0
    in_doubt: frozenset[str] = frozenset()


# -- points ----------------------------------------------------------------------------------------------


def bonuses_paid(rules: Rules, winners: Side, home: Mapping[str, int]) -> list[int]:
    """The numbers of the bonuses paid to the winner, 1 being the easiest; ``home`` is the pawns HOME by color."""
    if rules.score_home_to == "none":
        return []
    of_opponents = [pawns for color, pawns in home.items() if color not in winners]
    measured = max(of_opponents) if rules.band_measure == "max_per_opponent" else sum(of_opponents)
    earned = [number for number, (limit, _) in enumerate(rules.score_bands, 1) if measured <= limit]
    if rules.bonus_bands == "cumulative" or not earned:
        return earned
    return [max(earned, key=lambda number: rules.score_bands[number - 1][1])]


def round_points(rules: Rules, sides: Iterable[Side], winners: Side, home: Mapping[str, int]) -> dict[Side, int]:
    """The points of a round by side."""
    points = dict.fromkeys(sides, 0)
    if rules.score_home_to == "none":
        return points
    for side in points:
        if side == winners or rules.score_home_to == "all_players":
            points[side] += rules.score_home_value * sum(home[color] for color in side)
    points[winners] += rules.score_not_home_value * sum(rules.pawns - pawns for color, pawns in home.items() if color not in winners)
    points[winners] += sum(rules.score_bands[number - 1][1] for number in bonuses_paid(rules, winners, home))
    return points


# -- the game ----------------------------------------------------------------------------------------------


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
        position: Position | None = None,
    ) -> None:
        self.rules = rules
        self.players = tuple(players)
        self.first_seat = first_seat
        self.order = [*players[first_seat:], *players[:first_seat]]
        self.caller = Caller(draw, choose, throw, lead)
        self.position = position
        self.rounds: list[Round] = []
        self.steps: list[Step] = []
        sides = sides_of(rules, players)
        self.points = dict.fromkeys(sides, 0)
        self.rounds_won = dict.fromkeys(sides, 0)
        self.upsets = 0
        self.bands = dict.fromkeys(BAND_COUNTERS, 0)

    def play(self) -> Record:
        """Plays to the end."""
        while True:
            played = self._play_round()
            winners = self._winners()
            if winners or not played.over or len(self.rounds) == MOST_ROUNDS:
                return self._record(winners)

    def _play_round(self) -> Round:
        position = None if self.rounds else self.position
        leader = self._leader() if self.rounds else self.first_seat
        self.rounds.append(Round(self.rules, self.players, leader, self.caller, len(self.rounds) + 1, self.steps, position))
        self.rounds[-1].play()
        self._score(self.rounds[-1])
        return self.rounds[-1]

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
        if played.winner is None:
            return
        winners = played.side_of(played.winner)
        self.rounds_won[winners] += 1
        for side, points in round_points(self.rules, self.points, winners, played.pawns_home).items():
            self.points[side] += points
        for number in bonuses_paid(self.rules, winners, played.pawns_home):
            self.bands[f"band_{number}"] += 1
        self.upsets += self._ahead() != [winners]

    @property
    def _standing(self) -> dict[Side, int]:
        """What decides a match: points, or rounds won where none are kept."""
        return self.rounds_won if self.rules.score_home_to == "none" else self.points

    def _ahead(self) -> list[Side]:
        most = max(self._standing.values())
        return [side for side, score in self._standing.items() if score == most]

    def _winners(self) -> Side | None:
        """Who has won, if that is decided."""
        last = self.rounds[-1]
        if last.winner is None:
            return None
        if self.rules.match_end == "single_round":
            return last.side_of(last.winner)
        what, goal = self.rules.match_end.split(":")
        reached = len(self.rounds) if what == "rounds" else max(self._standing.values())
        ahead = self._ahead()
        return ahead[0] if reached >= int(goal) and len(ahead) == 1 else None

    # -- the end --

    def _record(self, winners: Side | None) -> Record:
        rounds, last = self.rounds, self.rounds[-1]
        game = {name: sum(each.counters.game[name] for each in rounds) for name in GAME_COUNTERS}
        winner = self._winning_color(winners) if winners else None
        game["winner"] = NOBODY if winner is None else self.order.index(winner)
        game["winner_color"] = NOBODY if winner is None else COLORS.index(winner)
        game["first_seat"] = self.first_seat
        game["capped"] = int(winners is None or not last.over)
        game["turns"] = sum(each.turns for each in rounds)
        game["reshuffles"] = sum(each.deck.reshuffles for each in rounds)
        game["match_rounds"] = len(rounds)
        game["match_upsets"] = self.upsets
        in_doubt = frozenset().union(*(each.counters.in_doubt for each in rounds))
        more_on_rides = sum(each.counters.more_on_rides for each in rounds)
        return Record(game | self.bands, [self._seat(color, winners) for color in self.order], self.steps, more_on_rides, in_doubt)

    def _winning_color(self, winners: Side) -> str:
        """The winner; of a team, who made its last winning move, or its first in play order if it made none."""
        movers = [each.winner for each in self.rounds if each.winner is not None and each.winner in winners]
        return movers[-1] if movers else next(color for color in self.order if color in winners)

    def _seat(self, color: str, winners: Side | None) -> dict[str, int]:
        first, last = self.rounds[0], self.rounds[-1]
        side = last.side_of(color)
        seat = {name: sum(each.counters.seats[color][name] for each in self.rounds) for name in SEAT_COUNTERS}
        return seat | {
            "color": COLORS.index(color),
            "table_seat": self.players.index(color),
            "won": int(side == winners),
            "place": self._place(side),
            "points": self.points[side],
            "match_rounds_won": self.rounds_won[side],
            "pips_left": last.pips_left[color],
            "pawns_home": last.pawns_home[color],
            "first_start": first.counters.seats[color]["first_start"],
        }

    def _place(self, side: Side) -> int:
        if self.rules.match_end == "single_round":
            return self.rounds[-1].place(side)
        return 1 + sum(score > self._standing[side] for score in self._standing.values())


def play(
    rules: Rules,
    players: tuple[str, ...],
    first_seat: int,
    draw: Draw,
    choose: Choose,
    *,
    throw: Throw | None = None,
    lead: Lead | None = None,
    position: Position | None = None,
) -> Record:
    """Plays a full game, or match; ``players`` are the colors by table seat, ``first_seat`` moves first.

    ``draw`` is given the cards of the draw pile and says which of them comes: for the deal one card at a time round the table
    from the first player, then as cards are needed. ``choose`` is given every decision with two or more choices and
    answers with one of them. ``throw`` picks the card that chance throws in (``dead_hand = "random"``) from a hand, oldest
    first; ``lead`` the first player of a later round (``next_leader = "random"``), given its number from 1, as a table seat.
    ``position`` is where the first round begins, if not from the printed set-up.
    """
    return Game(rules, players, first_seat, draw, choose, throw=throw, lead=lead, position=position).play()
