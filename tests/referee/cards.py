"""What a card of the classic game allows: every way to play it, each on a board of its own."""

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, permutations, product
from typing import NamedTuple

from referee.board import (
    HOME,
    IN_HAND,
    START,
    Board,
    OwnPawnInTheWay,
    Pawn,
    PawnInTheWay,
    Place,
    Target,
    backward_target,
    circle,
    forward_targets,
    on_track,
    order_of,
    partner_of,
    squares_to_go,
)
from simsorry.games.classic.rules import Rules

SEVEN = 7


class Way(NamedTuple):
    """One way to play a card: the board afterwards (with its events), and whether the player could refuse it."""

    board: Board
    compulsory: bool = True


def ways_to_play(board: Board, player: str, card: str) -> list[Way]:
    """Every way a player may use a card, equal ends included."""
    rules = board.rules
    colors = colors_moved(board, player)
    ways: list[Way] = []
    for color in colors:
        ways += _ways_with_one_pawn(board, color, card)
    if card == "7" and rules.seven_parts > 1:
        ways += _split(board, colors)
    if card == "11":
        ways += _swap(board, colors)
    if card == "sorry" and "sorry" in rules.start_cards:
        for color in colors:
            if rules.team_sorry_start == "either" or color == player:
                ways += _sorry(board, color)
    return [Way(way.board, way.compulsory and rules.must_move) for way in ways]


def colors_moved(board: Board, player: str) -> list[str]:
    """The colors whose pawns a player may move."""
    partner = partner_of(board.rules, player)
    if partner is None:
        return [player]
    if board.rules.team_control == "both_colors":
        return [player, partner]
    done = all(board.pawns[number].place == HOME for number in board.numbers(player))
    return [partner] if done and board.rules.team_finished_player == "plays_for_partner" else [player]


def _ways_with_one_pawn(board: Board, color: str, card: str) -> list[Way]:
    rules = board.rules
    ways = _start(board, color) if card != "sorry" and card in rules.start_cards else []
    if card in ("1", "2", "3", "5", "7", "8", "11", "12"):
        ways += _forward(board, color, int(card))
    elif card == "4":
        ways += _backward(board, color, 4, compulsory=True)
    elif card == "10":
        ways += _forward(board, color, 10) + _backward(board, color, 1, compulsory=rules.ten_back_forced)
    elif rules.sorry_alt_forward:
        ways += _forward(board, color, rules.sorry_alt_forward)
    return ways


# -- one pawn by a count ---------------------------------------------------------------------------------


def _blocked(board: Board) -> list[Way]:
    """What a move is that only an own pawn forbids: nothing, or the choice to end the turn on it."""
    if board.rules.own_collision != "ends_turn":
        return []
    after = board.copy()
    after.events.blocked = True
    return [Way(after)]


def _landed(board: Board, after: Board, number: int, place: Place, *, slides: bool = True, compulsory: bool = True) -> list[Way]:
    """The way of putting a pawn down on a place: ``after`` with the pawn there, or what stands in its way."""
    try:
        after.land(number, place, slides=slides)
    except OwnPawnInTheWay:
        return _blocked(board)
    except PawnInTheWay:
        return []
    return [Way(after, compulsory)]


def _on_start(board: Board, color: str) -> list[int]:
    return [number for number in board.numbers(color) if board.pawns[number].place == START]


def _start(board: Board, color: str) -> list[Way]:
    waiting = _on_start(board, color)
    if not waiting:
        return []
    after = board.copy()
    after.events.start = True
    return _landed(board, after, waiting[0], circle(color), slides=False)


def _forward(board: Board, color: str, count: int) -> list[Way]:
    ways = []
    for number in board.numbers(color):
        for target in forward_targets(board.rules, color, board.pawns[number].place, count):
            compulsory = not _declinable(board.rules, target)
            ways += _landed(board, board.copy(), number, target.place, compulsory=compulsory)
    return ways


def _declinable(rules: Rules, target: Target) -> bool:
    return target.past_entry and rules.forward_past_entry == "decline_ok"


def _backward(board: Board, color: str, count: int, compulsory: bool) -> list[Way]:
    ways = []
    for number in board.numbers(color):
        place = backward_target(board.rules, color, board.pawns[number].place, count)
        if place is None:
            continue
        after = board.copy()
        after.events.backward = True
        ways += _landed(board, after, number, place, slides=board.rules.slide_on_backward, compulsory=compulsory)
    return ways


# -- a 7 shared out --------------------------------------------------------------------------------------


def _split(board: Board, colors: Sequence[str]) -> list[Way]:
    numbers = [number for color in colors for number in board.numbers(color) if board.pawns[number].place not in (START, HOME)]
    if board.rules.seven_resolution == "sequential":
        return _split_in_order(board, numbers)
    return _split_together(board, numbers)


class Begun(NamedTuple):
    """A 7 of which some parts are played: the board, the pawns that have moved, and whether a part could be refused."""

    board: Board
    moved: frozenset[int]
    declinable: bool

    def likeness(self) -> tuple[object, ...]:
        """Equal for two from which the rest of the 7 can be played in the same ways, to the same ends."""
        pawns = [(pawn.color, order_of(pawn.place), number in self.moved) for number, pawn in enumerate(self.board.pawns)]
        return self.declinable, *sorted(pawns)


def _split_in_order(board: Board, numbers: list[int]) -> list[Way]:
    """The ways to share out a 7, part after part, each with all its effects.

    Parts played so far lead to few different boards in many ways. Only the plainest ways to each are followed: what the
    rest of the 7 adds to them is the same.
    """
    begun: list[dict[tuple[object, ...], list[Begun]]] = [{} for _ in range(SEVEN + 1)]  # by squares left to walk
    begun[SEVEN][()] = [Begun(board, frozenset(), declinable=False)]
    for left in range(SEVEN, 0, -1):
        for alike in begun[left].values():
            for before in alike:
                for after, count in _next_parts(before, numbers, left):
                    _note_plainest(begun[left - count].setdefault(after.likeness(), []), after)
    return [Way(split.board, not split.declinable) for alike in begun[0].values() for split in alike]


def _next_parts(before: Begun, numbers: list[int], left: int) -> Iterable[tuple[Begun, int]]:
    """What one more part can do, with its count; the whole 7 for one pawn is no part."""
    parts = len(before.moved) + 1
    for number in numbers:
        if number in before.moved:
            continue
        for count in range(1, left + 1):
            if (count == SEVEN) or (count < left and parts == before.board.rules.seven_parts):
                continue
            for after in _walked(before, number, count):
                after.board.events.parts = parts
                yield after, count


def _walked(before: Begun, number: int, count: int) -> Iterable[Begun]:
    pawn, rules = before.board.pawns[number], before.board.rules
    for target in forward_targets(rules, pawn.color, pawn.place, count):
        after = before.board.copy()
        try:
            after.land(number, target.place)
        except PawnInTheWay:
            continue
        yield Begun(after, before.moved | {number}, before.declinable or _declinable(rules, target))


def _note_plainest(known: list[Begun], found: Begun) -> None:
    """Keeps, of ways to the same board with the same pawns moved, those with fewest slides; of ways on which the same happens, one."""
    events = found.board.events
    if known and known[0].board.events.slides > events.slides:
        known.clear()
    if known and known[0].board.events.slides < events.slides:
        return
    if not any(other.board.events.same_as(events) for other in known):
        known.append(found)


def _shares(parts: int) -> list[tuple[int, ...]]:
    """Every way to write 7 as that many counts of at least 1, in order."""
    cuts = [(0, *inner, SEVEN) for inner in combinations(range(1, SEVEN), parts - 1)]
    return [tuple(end - begin for begin, end in pairwise(cut)) for cut in cuts]


def _split_together(board: Board, numbers: list[int]) -> list[Way]:
    """Every share-out of a 7 whose pawns are lifted and put down at once."""
    ways = []
    for parts in range(2, board.rules.seven_parts + 1):
        for movers, counts in product(combinations(numbers, parts), _shares(parts)):
            pawns = [board.pawns[number] for number in movers]
            choices = [forward_targets(board.rules, pawn.color, pawn.place, count) for pawn, count in zip(pawns, counts, strict=True)]
            for targets in product(*choices):
                after = board.copy()
                after.events.parts = parts
                try:
                    _put_down_together(after, movers, [target.place for target in targets])
                except PawnInTheWay:
                    continue
                ways.append(Way(after, not any(_declinable(board.rules, target) for target in targets)))
    return ways


def _put_down_together(board: Board, numbers: tuple[int, ...], places: list[Place]) -> None:
    movers = [board.pawns[number] for number in numbers]
    rides = [board.ride_from(pawn.color, place) for pawn, place in zip(movers, places, strict=True)]
    _refuse_same_squares(board, movers, places)
    for pawn in movers:
        pawn.place = IN_HAND
    ends: list[Place] = []
    for pawn, place, ride in zip(movers, places, rides, strict=True):
        stays = board.clear(place, pawn, bool(ride))
        ends.append((ride[-1] if ride else place) if stays else START)
        pawn.place = IN_HAND
    _refuse_same_squares(board, movers, ends)
    for pawn, ride, end in zip(movers, rides, ends, strict=True):
        if end != START:
            board.ride(pawn, ride)
        pawn.place = IN_HAND  # not met by the rides of the others
    for pawn, end in zip(movers, ends, strict=True):
        pawn.place = end
    board.events.moved += [pawn.color for pawn in movers]
    board.events.homes += places.count(HOME)


def _refuse_same_squares(board: Board, pawns: list[Pawn], places: list[Place]) -> None:
    """Raises PawnInTheWay if pawns put down together would share a square and may not: none was there before the other."""
    for (one, here), (other, there) in combinations(zip(pawns, places, strict=True), 2):
        if here != there or here in (START, HOME):
            continue
        if one.color == other.color and board.rules.own_collision != "share":
            raise PawnInTheWay
        if one.color != other.color and on_track(here) and board.rules.team_collision != "coexist":
            raise PawnInTheWay


# -- swaps and Sorry! ------------------------------------------------------------------------------------


def _swap(board: Board, colors: Sequence[str]) -> list[Way]:
    ways = []
    for own, other in permutations(range(len(board.pawns)), 2):
        mine, theirs = board.pawns[own], board.pawns[other]
        if mine.color not in colors or not _may_change_places(board, mine, theirs):
            continue
        after = board.copy()
        _change_places(after, after.pawns[own], after.pawns[other])
        farther = squares_to_go(mine.color, after.pawns[own].place) > squares_to_go(mine.color, mine.place)
        if board.rules.swap_may_cross_entry or not farther:
            ways.append(Way(after, compulsory=board.rules.eleven_swap_forced))
    return ways


def _may_change_places(board: Board, mine: Pawn, theirs: Pawn) -> bool:
    if mine.color == theirs.color or (board.partners(mine, theirs) and not board.rules.team_eleven_partner):
        return False
    if not (on_track(mine.place) and on_track(theirs.place)):
        return False
    return not board.others_on(mine.place, mine) and not board.others_on(theirs.place, theirs)


def _change_places(board: Board, mine: Pawn, theirs: Pawn) -> None:
    board.events.swap = True
    board.events.moved.append(mine.color)
    if board.partners(mine, theirs):
        board.events.moved.append(theirs.color)
    mine.place, theirs.place = theirs.place, mine.place
    given = theirs.place
    if board.rules.slide_after_swap != "none":
        board.ride(mine, board.ride_from(mine.color, mine.place))
    if board.rules.slide_after_swap == "both" and theirs.place == given:
        board.ride(theirs, board.ride_from(theirs.color, theirs.place))


def _sorry(board: Board, color: str) -> list[Way]:
    ways = []
    waiting = _on_start(board, color)
    for place in _sorry_targets(board, color) if waiting else []:
        after = board.copy()
        after.events.sorry = True
        try:
            after.land(waiting[0], place, slides=board.rules.slide_after_sorry, cause="sorry")
        except PawnInTheWay:
            continue
        ways.append(Way(after))
    return ways


def _sorry_targets(board: Board, color: str) -> list[int]:
    """The squares on which a Sorry! card may put a pawn of this color."""
    partner = partner_of(board.rules, color)
    opponents: set[int] = set()
    partners: set[int] = set()
    for pawn in board.pawns:
        if isinstance(pawn.place, int) and pawn.color != color:
            (partners if pawn.color == partner else opponents).add(pawn.place)
    allowed = board.rules.team_sorry_target == "any" or (board.rules.team_sorry_target == "opponents_first" and not opponents)
    return sorted(opponents | partners if allowed else opponents)
