"""The counters of a round, as the columns of the games and seats tables define them."""

from collections import Counter
from collections.abc import Sequence

from referee.board import Bump, Events, partner_of
from referee.common import head_start
from referee.decisions import Outcome
from simsorry.games.classic.rules import MAX_BANDS, Rules

GAME_COUNTERS = ["turns_all", "rounds", "draws", "dead_turns", "forced_turns", "choice_turns", "choices", "outcomes", "starts"]
GAME_COUNTERS += ["bumps", "bumps_slide", "bumps_sorry", "own_bumps", "partner_bumps", "swaps", "slides", "splits", "backs", "passes"]
GAME_COUNTERS += ["homes", "throws", "throw_choice_turns", "lead_changes"]
SEAT_COUNTERS = ["turns", "draws", "dead_turns", "choice_turns", "starts", "bumps_given", "bumps_taken", "own_bumps", "partner_bumps"]
SEAT_COUNTERS += ["partner_moves", "throws", "swaps", "slides"]
BAND_COUNTERS = [f"band_{number}" for number in range(1, MAX_BANDS + 1)]

Changes = Counter[tuple[str, str]]  # by how much a counter grows: of whose seat, or of the GAME, and its name
GAME = "game"


class Counters:
    """The counters of one round: of the game, and of each color's seat."""

    def __init__(self, rules: Rules, order: Sequence[str]) -> None:
        self.rules = rules
        self.game = dict.fromkeys(GAME_COUNTERS, 0)
        self.seats = {color: dict.fromkeys(SEAT_COUNTERS, 0) for color in order}
        for color, seat in self.seats.items():
            seat["first_start"] = 0 if rules.quick_start_pawns or head_start(rules, order, color) else -1
        self.more_on_rides = 0
        self.in_doubt: set[str] = set()

    def add(self, color: str, **amounts: int) -> None:
        """Adds to counters that both the game and the seats have."""
        for name, amount in amounts.items():
            self.game[name] += amount
            self.seats[color][name] += amount

    def play(self, player: str, outcome: Outcome) -> None:
        """Counts what happens where a player plays a card."""
        changes = self._changes(player, outcome.events)
        for events in outcome.alike:
            others = self._changes(player, events)
            self.in_doubt |= {name for whose, name in changes.keys() | others.keys() if changes[whose, name] != others[whose, name]}
        for (whose, name), amount in changes.items():
            (self.game if whose == GAME else self.seats[whose])[name] += amount
        self.more_on_rides += outcome.met_on_rides - outcome.events.bumped("ride")

    def _changes(self, player: str, events: Events) -> Changes:
        changes: Changes = Counter()
        for bump in events.bumps:
            changes += self._of_bump(bump, self._credited(player, bump.by))
        for rider in events.rides:
            changes += Counter([(GAME, "slides"), (self._credited(player, rider), "slides")])
        if events.swap:
            changes += Counter([(GAME, "swaps"), (player, "swaps")])
        if events.start or events.sorry:
            changes += self._of_leaving_start(player, events)
        changes[GAME, "splits"] += events.split
        changes[GAME, "backs"] += events.backward
        changes[GAME, "homes"] += events.homes
        changes[player, "partner_moves"] += partner_of(self.rules, player) in events.moved
        return changes

    def _credited(self, player: str, color: str) -> str:
        """Whose seat counts what a pawn of this color did: the player who moved it; what a swapped opponent's does is its own."""
        return player if color == partner_of(self.rules, player) else color

    def _of_bump(self, bump: Bump, player: str) -> Changes:
        if not bump.opponents:
            name = "own_bumps" if bump.own else "partner_bumps"
            return Counter([(GAME, name), (player, name)])
        changes = Counter([(GAME, "bumps"), (player, "bumps_given"), (bump.victim, "bumps_taken")])
        changes[GAME, "bumps_slide"] += bump.cause == "ride"
        changes[GAME, "bumps_sorry"] += bump.cause == "sorry"
        return changes

    def _of_leaving_start(self, player: str, events: Events) -> Changes:
        """A start is the seat's whose pawn it is, whoever moved it; the partner's turns are those had so far and the next."""
        color, seat = events.moved[0], self.seats[events.moved[0]]
        changes: Changes = Counter()
        if events.start:
            changes += Counter([(GAME, "starts"), (color, "starts")])
        if seat["first_start"] < 0:
            turn = seat["turns"] if color == player else seat["turns"] + 1
            changes[color, "first_start"] += turn - seat["first_start"]
        return changes
