"""The fights of Sorreesi: who rolls, who stays on the square, who goes back, and to whose credit."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from referee.sorreesi_board import BASE, Board, Pawn, Place, Side, clockwise_from, side_of

RollOne = Callable[[], int]  # one die


class SentBack(NamedTuple):
    """A pawn that a fight sent back, and the color of the seat that gets the credit."""

    pawn: Pawn
    credited: str


class Fight(NamedTuple):
    """A fight: its square, the pawn that came, every roll (color to die, in the order rolled), ties of sides, who went back."""

    square: Place
    pawn: Pawn
    rolls: list[dict[str, int]]
    ties: int
    sent_back: list[SentBack]

    @property
    def lost(self) -> bool:
        """Whether the pawn that came was sent back."""
        return any(back.pawn == self.pawn for back in self.sent_back)

    def credited_to(self, color: str) -> int:
        """The pawns sent back that count for a seat."""
        return sum(back.credited == color for back in self.sent_back)


class Verdict(NamedTuple):
    """The sides that stay on the square, and the colors whose dice made them stay."""

    stay: Collection[Side]
    by: list[str]


def fight(board: Board, player: str, pawn: Pawn, roll: RollOne) -> Fight:
    """Fights out the landing of a pawn by the player's move, and sends back who has lost."""
    square = board.places[pawn]
    present = {other.color for other in board.on(square)}
    colors = [color for color in clockwise_from(pawn.color) if color in present]
    rolls: list[dict[str, int]] = []
    ties = 0
    rolling = colors
    while True:
        rolls.append({color: roll() for color in rolling})
        highest = [color for color in rolling if rolls[-1][color] == max(rolls[-1].values())]
        ties += len({side_of(board.rules, color) for color in highest}) > 1
        verdict, rolling = _judge(board, pawn.color, highest)
        if verdict is not None:
            break
    sent_back = [
        SentBack(other, _credit(board, player, pawn.color, other, verdict, rolls))
        for other in board.on(square)
        if side_of(board.rules, other.color) not in verdict.stay
    ]
    for back in sent_back:
        board.places[back.pawn] = BASE
    return Fight(square, pawn, rolls, ties, sent_back)


def _judge(board: Board, came: str, highest: list[str]) -> tuple[Verdict | None, list[str]]:
    """What the highest dice of a roll decide; if nothing, who rolls again."""
    sides = {side_of(board.rules, color) for color in highest}
    attacker = side_of(board.rules, came)
    tie = board.rules.fight_tie
    if len(sides) == 1 or tie == "both_stay":
        return Verdict(sides, highest), []
    if tie == "both_back":
        return Verdict([], []), []
    if tie == "attacker" and attacker in sides:
        return Verdict([attacker], [color for color in highest if color in attacker]), []
    if tie == "defender":
        defenders = [color for color in highest if color not in attacker]
        others = sides - {attacker}
        return (Verdict(others, defenders), []) if len(others) == 1 else (None, defenders)
    return None, highest


def _credit(board: Board, player: str, came: str, loser: Pawn, verdict: Verdict, rolls: list[dict[str, int]]) -> str:
    """Whose seat has sent a pawn back."""
    attacker = side_of(board.rules, came)
    mover = player if player in attacker else came
    if loser.color in attacker:
        rivals = [color for color in verdict.by or rolls[0] if color not in attacker]
        return _highest(came, rivals, rolls)
    if attacker in verdict.stay or not verdict.stay:
        return mover
    return _highest(came, verdict.by, rolls)


def _highest(came: str, colors: Collection[str], rolls: list[dict[str, int]]) -> str:
    """The color with the highest last die, of equal ones the first clockwise."""
    last: dict[str, int] = {}
    for roll in rolls:
        last |= roll
    return max((color for color in clockwise_from(came) if color in colors), key=lambda color: last[color])
