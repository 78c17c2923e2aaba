"""What a player of Sorreesi may do with what is left to spend of a roll: each use of dice, card or bonus, and stopping."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from referee.sorreesi_board import (
    BASE,
    HOME,
    IN_HAND,
    Board,
    Landing,
    Pawn,
    Place,
    Position,
    backward_target,
    forward_target,
    in_play,
    on_track,
    partner_of,
    road_of,
    side_of,
)
from simsorry.games.sorreesi.rules import Rules

FORWARD = {"1": 1, "2": 2, "3": 3, "5": 5, "7": 7, "8": 8, "10": 10, "11": 11, "12": 12}  # cards with a plain forward count
FIVE = 5
SEVEN = 7
BACKWARD = {"4": 4, "10": 1}
SOURCES = ("home", "capture", "fight")  # of bonus units, in the order in which equal ones are spent


class Unit(NamedTuple):
    """A bonus move: its squares, and what earned it."""

    value: int
    source: str


@dataclass(frozen=True)
class Pool:
    """What is left to spend; ``units_open`` is whether bonus moves may be made now."""

    dice: tuple[int, ...] = ()
    card: str | None = None
    units: tuple[Unit, ...] = ()
    units_open: bool = True

    @property
    def bonus(self) -> tuple[int, ...]:
        """The squares of the bonus moves."""
        return tuple(sorted(unit.value for unit in self.units))

    def without(self, use: "Use") -> "Pool":
        """What is left after a use."""
        units = list(self.units)
        if use.unit is not None:
            units.remove(use.unit)
        dice = (Counter(self.dice) - Counter(use.dice)).elements()
        return Pool(tuple(sorted(dice)), None if use.card else self.card, tuple(units), self.units_open)


class Use(NamedTuple):
    """Components spent together."""

    dice: tuple[int, ...] = ()
    card: str | None = None
    unit: Unit | None = None

    @property
    def text(self) -> tuple[str, ...]:
        """The components in words."""
        words = [f"die {die}" for die in self.dice]
        words += [f"card {self.card}"] if self.card else []
        words += [f"bonus {self.unit.value}"] if self.unit else []
        return tuple(sorted(words))


class Part(NamedTuple):
    """One pawn's share of an action: where it is put down and how (walk, enter, sorry), and its share of a 7."""

    pawn: Pawn
    place: Place
    how: str = "walk"
    share: int = 0


class Action(NamedTuple):
    """One way to use components: kind is hop, start, back, split, swap or sorry."""

    kind: str
    use: Use
    parts: tuple[Part, ...]
    swapped: Pawn | None = None


@dataclass
class Way:
    """An action and what it leads to once all pawns are put down, no fight being rolled."""

    action: Action
    board: Board
    landings: list[Landing]
    order: tuple[Any, ...]  # sorts the plainest of equal ways first
    compulsory: bool = False


@dataclass
class Outcome:
    """One distinct choice: of the plainest action that leads there, or to stop.

    ``text`` is the placement with the pawns put down, ``fights`` the squares where a fight is due, ``left`` what remains to be spent
    (with ``draw``: a further card follows), None for a stop; ``over``: the player's side has won.
    """

    use: tuple[str, ...]
    text: str
    fights: tuple[int, ...] = ()
    left: dict[str, Any] | None = None
    kind: str = "play"
    action: Action | None = None
    compulsory: bool = False
    over: bool = False


@dataclass
class Decision:
    """All that a player may do now; no outcomes: nothing, the roll is at its end."""

    color: str
    board: Board
    pool: Pool
    outcomes: list[Outcome]

    @property
    def text(self) -> str:
        """The placement before."""
        return self.board.text

    @property
    def stop(self) -> Outcome | None:
        """Stopping, if it is on offer."""
        return next((outcome for outcome in self.outcomes if outcome.kind == "stop"), None)


def outcomes(
    rules: Rules,
    seated: Sequence[str],
    position: Position,
    color: str,
    *,
    dice: Sequence[int] = (),
    card: str | None = None,
    bonus: Sequence[int] = (),
    bonus_open: bool = True,
) -> Decision:
    """The decision of a player in a position; ``seated`` are the colors by seat, the rest is unspent."""
    pool = Pool(tuple(sorted(dice)), card, tuple(Unit(value, "capture") for value in bonus), bonus_open)
    return decide(Board.of(rules, seated, position), color, pool)


# -- putting pawns down ----------------------------------------------------------------------------------


def put_down(board: Board, action: Action, part: Part) -> list[Landing]:
    """Moves the pawn of a part; of a swap both pawns, the player's first."""
    if action.swapped is None:
        return [board.land(part.pawn, part.place, part.how)]
    here, there = board.places[part.pawn], board.places[action.swapped]
    if board.rules.swap_requires_single:
        board.places[part.pawn], board.places[action.swapped] = there, here
        return []
    board.places[action.swapped] = IN_HAND
    return [board.land(part.pawn, there), board.land(action.swapped, here)]


def earned_by(board: Board, player: str, action: Action, landings: Iterable[Landing]) -> list[Unit]:
    """The bonus moves that a player's action earns; ``board`` is the one it led to. The move that wins earns none for HOME."""
    rules, side = board.rules, side_of(board.rules, player)
    units: list[Unit] = []
    for landing in landings:
        if landing.pawn.color not in side:
            continue  # a swapped opponent's
        if rules.capture_bonus and (action.kind != "sorry" or rules.sorry_bonus):
            units += [Unit(rules.capture_bonus, "capture")] * len(landing.captured)
        if rules.home_bonus and landing.place == HOME and not board.has_won(player):
            units.append(Unit(rules.home_bonus, "home"))
    return units


def turn_is_over(board: Board, player: str) -> bool:
    """Whether a player has nothing more to do: the side has won, or the player is HOME and leaves the rest to the partner."""
    skips = board.rules.team_pairs and board.rules.team_finished_player == "skips"
    return board.has_won(player) or bool(skips and board.all_home(player))


def draws_again(board: Board, player: str, use: Use) -> bool:
    """Whether a further card follows a use; ``board`` is the one it led to."""
    return use.card == "2" and board.rules.two_draws_again != "never" and not turn_is_over(board, player)


# -- the decision ----------------------------------------------------------------------------------------


def decide(board: Board, color: str, pool: Pool) -> Decision:
    """The decision of a player with this much to spend."""
    ways = _ways(board, color, pool)
    if board.rules.card_compulsion == "global" and any(way.compulsory for way in ways):
        ways = [way for way in ways if way.action.use.card or _card_is_due(way.board, color, pool.without(way.action.use))]
    found = _distinct(ways, color, pool)
    if ways and _stop_on_offer(board.rules, pool, ways):
        found.append(Outcome(("stop",), board.text, kind="stop"))
    return Decision(color, board, pool, found)


def _distinct(ways: list[Way], color: str, pool: Pool) -> list[Outcome]:
    """One outcome for all ways that lead to the same."""
    found: dict[tuple[Any, ...], Outcome] = {}
    for way in sorted(ways, key=lambda way: way.order):
        outcome = _outcome(way, color, pool)
        assert outcome.left is not None
        key = (outcome.use, outcome.text, outcome.fights, outcome.left["draw"], tuple(outcome.left["bonus"]))
        first = found.setdefault(key, outcome)
        first.compulsory = first.compulsory or outcome.compulsory
    return [found[key] for key in sorted(found)]


def _outcome(way: Way, color: str, pool: Pool) -> Outcome:
    action, board = way.action, way.board
    left = pool.without(action.use)
    values = [*left.bonus, *(unit.value for unit in earned_by(board, color, action, way.landings))]
    return Outcome(
        use=action.use.text,
        text=board.text,
        fights=tuple(sorted({landing.place for landing in way.landings if landing.fight and isinstance(landing.place, int)})),
        left={
            "dice": list(left.dice),
            "card": left.card,
            "draw": draws_again(board, color, action.use),
            "bonus": sorted(values),
        },
        action=action,
        compulsory=way.compulsory,
        over=board.has_won(color),
    )


def _card_is_due(board: Board, color: str, pool: Pool) -> bool:
    """Whether the card has a use that must be made."""
    return any(way.compulsory for way in _ways(board, color, pool))


def _stop_on_offer(rules: Rules, pool: Pool, ways: list[Way]) -> bool:
    if any(way.compulsory for way in ways):
        return False
    if rules.enter_forced and any(way.action.kind == "start" and way.action.use.dice for way in ways):
        return False
    if rules.bonus_forced and any(way.action.use.unit for way in ways):
        return False
    usable = sum(_die_can_hop(rules, die, ways) for die in pool.dice)
    return rules.dice_pass == "any" or usable <= {"none": 0, "one": 1}[rules.dice_pass]


def _die_can_hop(rules: Rules, die: int, ways: list[Way]) -> bool:
    """Whether a die can be used, otherwise than to leave the base: alone, or within the one total there is."""
    hops = [way.action.use for way in ways if way.action.kind == "hop"]
    if rules.combine_mode == "single_hop":
        return any(die in use.dice for use in hops)
    return any(use == Use((die,)) for use in hops)


def _ways(board: Board, color: str, pool: Pool) -> list[Way]:
    """Every way to use something, equal ends included."""
    colors = colors_moved(board, color)
    actions = list(_actions(board, colors, pool))
    forward = any(action.kind == "hop" and action.use.card for action in actions)
    return [_way(board, colors, action, forward) for action in actions]


def _way(board: Board, colors: Sequence[str], action: Action, forward: bool) -> Way:
    after, landings = board.copy(), []
    for part in action.parts:
        landings += put_down(after, action, part)
    where = tuple((colors.index(part.pawn.color), board.to_go(part.pawn), part.pawn.number, part.share) for part in action.parts)
    return Way(action, after, landings, (len(where), where), _compulsory(board.rules, action, forward))


def _compulsory(rules: Rules, action: Action, forward: bool) -> bool:
    """Whether a use of the card must be made if nothing else is done with it; ``forward``: it can carry a pawn forward."""
    if action.use.card is None:
        return False
    if action.kind == "swap":
        return rules.eleven_swap_forced or forward
    if action.kind == "back" and action.use.card == "10":
        return rules.ten_back_forced or forward
    return True


def colors_moved(board: Board, player: str) -> list[str]:
    """The colors whose pawns a player moves, the own one first."""
    rules, partner = board.rules, partner_of(board.rules, player)
    if partner is None:
        return [player]
    helps = rules.team_finished_player == "plays_for_partner" and board.all_home(player)
    return [player, partner] if helps or rules.team_control == "both_colors" else [player]


# -- actions ---------------------------------------------------------------------------------------------


def _actions(board: Board, colors: Sequence[str], pool: Pool) -> Iterator[Action]:
    for use, count in _counts(board.rules, pool):
        yield from _hops(board, colors, use, count)
    for use in _starting_uses(board.rules, pool):
        yield from _starts(board, colors, use)
    if pool.card in BACKWARD:
        yield from _backs(board, colors, pool.card)
    if pool.card == "7":
        yield from _splits(board, colors)
    if pool.card == "11":
        yield from _swaps(board, colors)
    if pool.card == "sorry" and "sorry" in board.rules.start_cards:
        yield from _sorries(board, colors)


def subsets(dice: Sequence[int]) -> list[tuple[int, ...]]:
    """All distinct selections of dice, none among them."""
    found = {chosen for size in range(len(dice) + 1) for chosen in combinations(sorted(dice), size)}
    return sorted(found, key=lambda chosen: (len(chosen), chosen))


def _counts(rules: Rules, pool: Pool) -> Iterator[tuple[Use, int]]:
    """What can be added up into one forward count."""
    forward = FORWARD | ({"sorry": rules.sorry_alt_forward} if rules.sorry_alt_forward else {})
    cards = [None, pool.card] if pool.card in forward else [None]
    for dice in subsets(pool.dice):
        for card in cards:
            use = Use(dice, card)
            if _may_be_added_up(rules, use, Use(pool.dice, cards[-1])):
                yield use, sum(dice) + (forward[card] if card else 0)
    if pool.units_open:
        for value in sorted(set(pool.bonus)):
            unit = min((unit for unit in pool.units if unit.value == value), key=lambda unit: SOURCES.index(unit.source))
            yield Use(unit=unit), value


def _may_be_added_up(rules: Rules, use: Use, everything: Use) -> bool:
    parts = len(use.dice) + (use.card is not None)
    if rules.combine_mode == "single_hop":
        return parts > 0 and use == everything
    return parts == 1 if rules.combine_mode == "sequential" else parts > 0


def _hops(board: Board, colors: Sequence[str], use: Use, count: int) -> Iterator[Action]:
    for pawn in board.pawns_of(colors):
        place = forward_target(board.rules, pawn.color, board.places[pawn], count)
        if place is not None:
            yield Action("hop", use, (Part(pawn, place),))


def _starting_uses(rules: Rules, pool: Pool) -> Iterator[Use]:
    """What brings a pawn out of the base onto its entry square."""
    for dice in subsets(pool.dice):
        allowed = rules.enter_die_five if len(dice) == 1 else rules.enter_sum_five
        if dice and allowed and sum(dice) == FIVE:
            yield Use(dice)
    if pool.card in rules.start_cards and pool.card != "sorry":
        yield Use(card=pool.card)


def _in_base(board: Board, colors: Sequence[str]) -> list[Pawn]:
    return [pawn for pawn in board.pawns_of(colors) if board.places[pawn] == BASE]


def _starts(board: Board, colors: Sequence[str], use: Use) -> Iterator[Action]:
    for pawn in _in_base(board, colors):
        yield Action("start", use, (Part(pawn, road_of(board.rules, pawn.color).entry, "enter"),))


def _backs(board: Board, colors: Sequence[str], card: str) -> Iterator[Action]:
    for pawn in board.pawns_of(colors):
        place = backward_target(board.rules, pawn.color, board.places[pawn], BACKWARD[card])
        if place is not None:
            yield Action("back", Use(card=card), (Part(pawn, place),))


def _sorries(board: Board, colors: Sequence[str]) -> Iterator[Action]:
    for pawn in _in_base(board, colors):
        for square in sorted({place for place in board.places.values() if isinstance(place, int)}):
            if _sorry_may_hit(board, square, pawn.color):
                yield Action("sorry", Use(card="sorry"), (Part(pawn, square, "sorry"),))


def _sorry_may_hit(board: Board, square: int, color: str) -> bool:
    opponents = board.opponents_on(square, color)
    if any(map(board.may_be_sent_back, opponents)) or (opponents and board.rules.sorry_on_safe == "fight"):
        return True
    partners = [pawn for pawn in board.on(square) if pawn.color == partner_of(board.rules, color)]
    return board.rules.team_sorry_target == "any" and any(map(board.may_be_sent_back, partners))


def _swaps(board: Board, colors: Sequence[str]) -> Iterator[Action]:
    rules = board.rules
    standing = [pawn for pawn in board.pawns_of(board.seated) if on_track(board.places[pawn])]
    if rules.swap_requires_single:
        standing = [pawn for pawn in standing if len(board.on(board.places[pawn])) == 1]
    for pawn in standing:
        for other in standing:
            apart = board.places[pawn] != board.places[other] and board.may_be_sent_back(other)
            if not rules.swap_may_cross_entry and board.to_go_from(pawn, board.places[other]) > board.to_go(pawn):
                continue
            if pawn.color in colors and apart and _may_change_places(rules, pawn.color, other.color):
                yield Action("swap", Use(card="11"), (Part(pawn, board.places[other]),), swapped=other)


def _may_change_places(rules: Rules, color: str, other: str) -> bool:
    if other == partner_of(rules, color):
        return rules.team_eleven_partner
    return other != color


# -- a split 7 -------------------------------------------------------------------------------------------


def _splits(board: Board, colors: Sequence[str]) -> Iterator[Action]:
    """A 7 shared out: own pawns before the partner's, nearest to HOME first."""
    groups: dict[tuple[int, int], list[Pawn]] = {}
    for pawn, place in board.places.items():
        if pawn.color in colors and in_play(place):
            groups.setdefault((colors.index(pawn.color), board.to_go(pawn)), []).append(pawn)
    shared = _share_out(board, [groups[key] for key in sorted(groups)], SEVEN, board.rules.seven_parts)
    for parts in shared:
        if len(parts) > 1:
            yield Action("split", Use(card="7"), tuple(parts))


def _share_out(board: Board, groups: list[list[Pawn]], left: int, most: int) -> Iterator[list[Part]]:
    """All ways to share out what is left of a 7 among at most so many pawns; a group is pawns on one place, lowest number first."""
    if not left:
        yield []
    if not left or not groups:
        return
    for shares in _shares(left, min(most, len(groups[0]))):
        parts = _parts(board, groups[0], shares)
        if parts is not None:
            for rest in _share_out(board, groups[1:], left - sum(shares), most - len(shares)):
                yield parts + rest


def _shares(total: int, most: int, least: int = 1) -> Iterator[list[int]]:
    """Rising lists of at most so many shares, of no more than the total together; the empty one first."""
    yield []
    if most:
        for share in range(least, total + 1):
            for more in _shares(total - share, most - 1, share):
                yield [share, *more]


def _parts(board: Board, pawns: list[Pawn], shares: list[int]) -> list[Part] | None:
    """The pawns of one place moved by their shares, or None if one of these cannot be walked."""
    parts = []
    for pawn, share in zip(pawns, shares, strict=False):
        place = forward_target(board.rules, pawn.color, board.places[pawn], share)
        if place is None:
            return None
        parts.append(Part(pawn, place, share=share))
    return parts
