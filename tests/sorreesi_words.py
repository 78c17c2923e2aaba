"""What the tests of Sorreesi's words share: what is said to be done, read back and done to pawns."""

import re
from collections.abc import Mapping, Sequence

from sorreesi_vectors import canonical

COLOR = "red|blue|yellow|green"
PAWNS = re.compile(rf"(?:(\d) )?({COLOR})")
WALK = re.compile(rf"moves (?:({COLOR}) )?\d+ (?:forward|back) from (\w+) to (?:HOME and back to )?(\w+)")
START = re.compile(rf"(?:brings a (?:({COLOR}) )?pawn out|moves a (?:({COLOR}) )?pawn from the base) to (\d+)")
SWAP = re.compile(rf"swaps (?:its|({COLOR})'s) pawn on (\d+) with ({COLOR})'s on (\d+)")
OTHER = re.compile(rf"({COLOR})'s pawn on (\d+) (.*)")
SENT = re.compile(r"sends back ([\w ,]+?)(?=, (?:fights|has to fight)|$)")
FOUGHT = re.compile(r"fights [\w ,]+ \([^)]*\): (?:([\w ,]+) goe?s? back|both stay|all stay)$")
BRINGS = re.compile(r"; (?:earns .*|draws another card|all pawns HOME)")


def carried_out(position: Mapping[str, Sequence[int | str]], color: str, did: str) -> str:
    """Does to the pawns what the words say, and nothing else; the position that this leads to."""
    board = {each: [str(place) for place in places] for each, places in position.items()}
    if did == "stops":
        return canonical(board)
    for clause in re.split("; then |; ", BRINGS.sub("", did)):
        if clause.startswith("can't move "):
            continue
        if found := OTHER.fullmatch(clause):
            assert found[2] in board[found[1]]
            end, rest = found[2], found[3]
        else:
            action, _, rest = clause.partition(", ")
            end = moved(board, color, action)
        if found := SENT.search(rest):
            send_back(board, found[1], end)
        if found := FOUGHT.search(rest):
            send_back(board, found[1] or "", end)
    return canonical(board)


def moved(board: dict[str, list[str]], color: str, action: str) -> str:
    """Moves the pawn of a clause; returns where it ends."""
    if found := SWAP.fullmatch(action):
        mover = found[1] or color
        take(board, mover, found[2])
        take(board, found[3], found[4])
        board[found[3]].append(found[2])
        end = found[4]
    elif found := START.fullmatch(action):
        mover, end = found[1] or found[2] or color, found[3]
        take(board, mover, "B")
    else:
        found = WALK.fullmatch(action)
        assert found, action
        mover, end = found[1] or color, found[3]
        take(board, mover, found[2])
    board[mover].append("H" if end == "HOME" else end)
    return end


def send_back(board: dict[str, list[str]], pawns: str, square: str) -> None:
    for count, color in PAWNS.findall(pawns):
        assert board[color].count(square) == int(count or 1)
        for _ in range(int(count or 1)):
            take(board, color, square)
            board[color].append("B")


def take(board: dict[str, list[str]], color: str, place: str) -> None:
    assert place in board[color], f"no {color} pawn on {place}"
    board[color].remove(place)
