"""The counters of a round of Ice Soo Sorry!, as the columns of the games and seats tables define them."""

from collections.abc import Sequence

from referee.common import head_start
from referee.ice_board import Board, Pawn
from referee.ice_decisions import Outcome, Part, Way
from simsorry.games.ice.rules import SIZES, Rules

GAME_COUNTERS = [
    "turns_all",
    "rounds",
    "draws",
    "dead_turns",
    "forced_turns",
    "choice_turns",
    "choices",
    "outcomes",
    "starts",
    "sorry_starts",
]
GAME_COUNTERS += ["swaps", "slides", "splits", "backs", "passes", "homes", "throws", "throw_choice_turns"]
GAME_COUNTERS += [
    *(f"moves_{size}" for size in SIZES),
    "stack_moves",
    "carried",
    "swept",
    "covers",
    "stacks",
    "pawns_covered",
    "pawns_freed",
]
GAME_COUNTERS += ["pawn_turns", "covered_turns", "pile_turns", "lead_changes"]
HIGHEST_COUNTERS = ["highest_pile", "longest_cover"]  # of a match the highest of its rounds, not their sum
SEAT_COUNTERS = ["turns", "draws", "dead_turns", "choice_turns", "starts", "sorry_starts", "throws", "swaps", "slides"]
SEAT_COUNTERS += ["covers_given", "covers_taken", "own_covers", "carried", "pawn_turns", "covered_turns"]


class Counters:
    """The counters of one round: of the game, and of each color's seat."""

    def __init__(self, rules: Rules, order: Sequence[str], board: Board) -> None:
        self.game = dict.fromkeys([*GAME_COUNTERS, *HIGHEST_COUNTERS], 0)
        self.seats = {color: dict.fromkeys(SEAT_COUNTERS, 0) for color in order}
        for color, seat in self.seats.items():
            seat["first_start"] = 0 if rules.quick_start_pawns or head_start(rules, order, color) else -1
        self._covered_in = dict.fromkeys(board.covered(), 0)  # pawns covered now, and the turn that covered them

    @property
    def _turn(self) -> int:
        """The turn that is being played, from 0."""
        return self.game["turns_all"] - 1

    def add(self, color: str, **amounts: int) -> None:
        """Adds to counters that both the game and the seats have."""
        for name, amount in amounts.items():
            self.game[name] += amount
            self.seats[color][name] += amount

    def play(self, player: str, before: Board, outcome: Outcome) -> None:
        """Counts what happens where a player moves pawns."""
        way, after = outcome.way, outcome.board
        assert way is not None
        self._action(player, way)
        for part in way.parts:
            self._part(player, part)
        self._covering(player, before, after)
        self.game["highest_pile"] = max([self.game["highest_pile"], *(len(pile) for _, pile in after.squares())])

    def _action(self, player: str, way: Way) -> None:
        self.add(player, starts=way.kind == "start", sorry_starts=way.kind == "sorry", swaps=way.kind == "switch", slides=way.slides)
        self.game["splits"] += way.kind == "split"
        self.game["backs"] += way.kind == "back"
        seat = self.seats[player]
        if way.kind in ("start", "sorry") and seat["first_start"] < 0:
            seat["first_start"] = seat["turns"]

    def _part(self, player: str, part: Part) -> None:
        self.game["swept"] += part.ride.swept
        self.game["homes"] += part.homes
        self.game["covers"] += part.rests == "cover"
        self.game["stacks"] += part.rests == "stack"
        if part.kind in ("forward", "past", "back"):
            self.game[f"moves_{SIZES[part.group[-1].size]}"] += 1
            self.game["stack_moves"] += len(part.group) > 1
            self.add(player, carried=part.carried)

    def _covering(self, player: str, before: Board, after: Board) -> None:
        """Counts which pawns are covered that were not, and the other way round; a pawn that has left play is not freed."""
        then, now = before.covered(), after.covered()
        for pawn in now - then:
            self._covered_in[pawn] = self._turn
            self.game["pawns_covered"] += 1
            own = pawn.color == player
            self.seats[player]["own_covers" if own else "covers_given"] += 1
            self.seats[pawn.color]["covers_taken"] += not own
        still = {pawn for _, pile in after.squares() for pawn in pile}
        for pawn in then - now:
            self._note_length(pawn)
            self.game["pawns_freed"] += pawn in still

    def _note_length(self, pawn: Pawn) -> None:
        self.game["longest_cover"] = max(self.game["longest_cover"], self._turn - self._covered_in.pop(pawn))

    def end_turn(self, board: Board) -> None:
        """Counts what stands on the board at the end of a turn."""
        covered = board.covered()
        for _, pile in board.squares():
            self.game["pile_turns"] += 1
            for pawn in pile:
                self.add(pawn.color, pawn_turns=1, covered_turns=pawn in covered)

    def end_round(self) -> None:
        """Ends what still lasts."""
        for pawn in list(self._covered_in):
            self._note_length(pawn)
