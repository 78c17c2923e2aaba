"""What the tests of the words share: what is said to be done, read back and done to pawns."""

import re
from collections.abc import Mapping, Sequence

from referee import classic as referee

WHOSE = "(?:(red|blue|yellow|green) )?"
SENT = re.compile(r"(?:(\d) )?(red|blue|yellow|green) from (\w+)")
WALK = re.compile(rf"moves {WHOSE}\d+ (?:forward|back) from (\w+) (?:past its safety zone |to HOME and back )?to (\w+)")
START = re.compile(rf"(?:starts a {WHOSE}pawn on|moves a {WHOSE}pawn from START to) (\d+)")
SWAP = re.compile(r"swaps (?:its|(\w+)'s) pawn on (\d+) with (\w+)'s on (\d+)")
RIDE = re.compile(r"(\w+)'s pawn slides to (\d+)")
AWAY = re.compile(r", goes back to START, for (?:red|blue|yellow|green) stands there$")
NO_PAWN = re.compile(r"passes|ends the turn .*|throws in .*|lays the 2 down without a move")


def carried_out(position: Mapping[str, Sequence[int | str]], color: str, did: str) -> str:
    """Does to the pawns what the words say, and nothing else; the position that this leads to."""
    board = {each: [str(place) for place in places] for each, places in position.items()}
    if NO_PAWN.fullmatch(did):
        return written(board)
    swapped = ("", "")
    for clause in re.split("; then |; at the same time |; ", did):
        action, _, sent = clause.partition(", sends back ")
        action, away = AWAY.subn("", action)
        action, _, slid = action.partition(", slides to ")
        if found := SWAP.fullmatch(action):
            mover, mine, other, end = found[1] or color, found[2], found[3], found[4]
            take(board, mover, mine)
            take(board, other, end)
            board[other].append(mine)
            swapped = (other, mine)
        elif found := RIDE.fullmatch(action):
            mover, end = swapped[0], found[2]
            assert found[1] == mover
            take(board, *swapped)
        elif found := START.fullmatch(action):
            mover, end = found[1] or found[2] or color, found[3]
            take(board, mover, "S")
        else:
            found = WALK.fullmatch(action)
            assert found, action
            mover, end = found[1] or color, found[3]
            take(board, mover, found[2])
        for count, victim, square in SENT.findall(sent):
            for _ in range(int(count or 1)):
                take(board, victim, square)
                board[victim].append("S")
        board[mover].append("S" if away else slid or {"HOME": "H"}.get(end, end))
    return written(board)


def take(board: dict[str, list[str]], color: str, place: str) -> None:
    assert place in board[color], f"no {color} pawn on {place}"
    board[color].remove(place)


def written(board: dict[str, list[str]]) -> str:
    return referee.write_position({color: [referee.read_place(place) for place in places] for color, places in board.items()})
