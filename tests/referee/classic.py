"""The referee of the classic draw-one game: pawns on a board, moved square by square as the rulebook says.

It shares nothing with the compiled engine but the list of options. A place is ``"S"`` (START), a track
square 0..59, ``("Z", 1)`` .. ``("Z", 5)`` (the safety zone counted from the track) or ``"H"`` (HOME).

``outcomes`` answers one decision, ``play`` plays a whole game with cards and choices fed in by the caller.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations, product
from typing import NamedTuple

from simsorry.games.classic.rules import CARDS, COLORS, Rules

Place = int | str | tuple[str, int]
Position = dict[str, list[Place]]

START: Place = "S"
HOME: Place = "H"
IN_HAND: Place = "in hand"  # lifted off the board while the pawns of a 7 move together
TRACK = 60
ZONE = 5
CORNER = {"red": 0, "blue": 15, "yellow": 30, "green": 45}
START_TO_HOME = 65
NOBODY = 255


class Slide(NamedTuple):
    """A slide: its color, its name, the triangle and the squares ridden after it."""

    color: str
    name: str
    triangle: int
    ride: tuple[int, ...]


def _slides() -> list[Slide]:
    both = []
    for color, corner in CORNER.items():
        both.append(Slide(color, f"{color} A", corner + 1, tuple(range(corner + 2, corner + 5))))
        both.append(Slide(color, f"{color} B", corner + 9, tuple(range(corner + 10, corner + 14))))
    return both


SLIDES = _slides()


# -- squares and steps ---------------------------------------------------------------------------------


def entry(color: str) -> int:
    """The last track square of a color, from which it turns into its safety zone."""
    return CORNER[color] + 2


def circle(color: str) -> int:
    """The square onto which a number card starts a pawn."""
    return CORNER[color] + 4


def on_track(place: Place) -> bool:
    """Whether the place is one of the 60 squares everybody uses."""
    return isinstance(place, int)


def step_forward(color: str, place: Place) -> Place:
    """One square on towards HOME."""
    if isinstance(place, int):
        return ("Z", 1) if place == entry(color) else (place + 1) % TRACK
    if isinstance(place, tuple) and place[1] < ZONE:
        return ("Z", place[1] + 1)
    return HOME


def step_back(color: str, place: Place) -> Place:
    """One square back: out of HOME (for a bounce), out of the zone, or along the track."""
    if isinstance(place, int):
        return (place - 1) % TRACK
    if isinstance(place, tuple):
        return ("Z", place[1] - 1) if place[1] > 1 else entry(color)
    return ("Z", ZONE)


def squares_to_go(color: str, place: Place) -> int:
    """Forward steps from a place to HOME; START counts 65."""
    if place == START:
        return START_TO_HOME
    steps = 0
    while place != HOME:
        place = step_forward(color, place)
        steps += 1
    return steps


def backward_target(rules: Rules, color: str, place: Place, count: int) -> Place | None:
    """Where a backward count leads, or None if it may not be walked."""
    if place in (START, HOME):
        return None
    began_in_zone = not on_track(place)
    for _ in range(count):
        place = step_back(color, place)
    if began_in_zone and on_track(place) and not rules.backward_out_of_zone:
        return None
    return place


class Target(NamedTuple):
    """A place a forward count may lead to, and whether the pawn walked past its own entry to get there."""

    place: Place
    past_entry: bool = False


def forward_targets(rules: Rules, color: str, place: Place, count: int) -> list[Target]:
    """Where a forward count may lead: into the zone or HOME, and around for another lap where the rules allow it."""
    if place in (START, HOME):
        return []
    found = []
    home_way = _homeward(rules, color, place, count)
    if home_way is not None:
        found.append(Target(home_way))
    if _may_pass_entry(rules, color, place, count):
        assert isinstance(place, int)
        found.append(Target((place + count) % TRACK, past_entry=True))
    return found


def _homeward(rules: Rules, color: str, place: Place, count: int) -> Place | None:
    """The end of the ordinary way: along the track, into the zone, HOME, and what an overshoot does."""
    left = count
    while left and place != HOME:
        place = step_forward(color, place)
        left -= 1
    if not left or rules.home_overshoot == "any":
        return place
    if rules.home_overshoot == "illegal":
        return None
    for _ in range(left):
        place = step_back(color, place)
    if on_track(place) and not rules.backward_out_of_zone:
        return None
    return place


def _may_pass_entry(rules: Rules, color: str, place: Place, count: int) -> bool:
    if rules.forward_past_entry == "forbidden" or not isinstance(place, int):
        return False
    left_behind = [(place + step) % TRACK for step in range(count)]
    if entry(color) not in left_behind:
        return False
    return rules.pass_scope == "always" or count > squares_to_go(color, place)


# -- writing positions down ----------------------------------------------------------------------------


def read_place(text: str | int) -> Place:
    """A place as the notation writes it: 12, "12", "S", "H" or "Z3"."""
    if isinstance(text, int):
        return text
    if text.startswith("Z"):
        return ("Z", int(text[1:]))
    return text if text in (START, HOME) else int(text)


def read_position(text: str) -> Position:
    """The position of a line such as ``red S S 12 H / yellow Z2 S S S``."""
    groups = [group.split() for group in text.split("/")]
    return {color: [read_place(place) for place in places] for color, *places in groups}


def _order(place: Place) -> tuple[int, int]:
    if isinstance(place, int):
        return 1, place
    if isinstance(place, tuple):
        return 2, place[1]
    return (0, 0) if place == START else (3, 0)


def _write_place(place: Place) -> str:
    return f"Z{place[1]}" if isinstance(place, tuple) else str(place)


def write_position(position: Position) -> str:
    """The one canonical line of a position: groups clockwise from red; START, track, zone, HOME."""
    groups = []
    for color in COLORS:
        if color in position:
            groups.append(" ".join([color, *map(_write_place, sorted(position[color], key=_order))]))
    return " / ".join(groups)


# -- the board -----------------------------------------------------------------------------------------


@dataclass
class Pawn:
    """One pawn."""

    color: str
    place: Place


class Bump(NamedTuple):
    """A pawn sent back to START: the color of the pawn that did it, the color sent back, and how."""

    by: str
    victim: str
    cause: str  # "landing", "ride" or "sorry"


@dataclass
class Events:
    """What happened while a card was played in one particular way."""

    parts: int = 1
    rides: list[str] = field(default_factory=list)  # color of each pawn that rode a slide
    bumps: list[Bump] = field(default_factory=list)
    start: bool = False
    sorry: bool = False
    swap: bool = False
    backward: bool = False
    homes: int = 0
    blocked: bool = False  # nothing moved: the move was chosen although an own pawn is in its way

    @property
    def slides(self) -> int:
        """Slides ridden."""
        return len(self.rides)

    @property
    def split(self) -> bool:
        """Whether a 7 was shared out."""
        return self.parts > 1

    def bumped(self, cause: str) -> int:
        """Pawns sent back by a pawn of another color in the way named."""
        return sum(bump.cause == cause and bump.by != bump.victim for bump in self.bumps)

    @property
    def own_bumps(self) -> int:
        """Pawns sent back by a pawn of their own color."""
        return sum(bump.by == bump.victim for bump in self.bumps)

    def copy(self) -> "Events":
        """The same events, free to go on differently."""
        return Events(**{**vars(self), "rides": list(self.rides), "bumps": list(self.bumps)})

    def plainness(self) -> tuple[bool, int, int]:
        """Sorts the plainest way first: a real move, fewest slides, fewest parts."""
        return self.blocked, self.slides, self.parts

    def simplicity(self) -> tuple[bool, int, int, int]:
        """The same, and of equally plain ways the one on whose rides fewest pawns are met."""
        return *self.plainness(), self.bumped("ride")


class OwnPawnInTheWay(Exception):
    """A landing that the rules forbid because a pawn of the same color stands there."""


class Board:
    """Pawns on a board, and what has happened there since the card was drawn."""

    def __init__(self, rules: Rules, players: Sequence[str], pawns: list[Pawn], events: Events | None = None) -> None:
        self.rules = rules
        self.players = tuple(players)
        self.pawns = pawns
        self.events = events or Events()

    def copy(self) -> "Board":
        """A second board with the same pawns in the same order."""
        return Board(self.rules, self.players, [Pawn(pawn.color, pawn.place) for pawn in self.pawns], self.events.copy())

    def fresh(self) -> "Board":
        """A second board with the same pawns, on which nothing has happened yet."""
        return Board(self.rules, self.players, [Pawn(pawn.color, pawn.place) for pawn in self.pawns])

    @property
    def position(self) -> Position:
        """Color to places."""
        return {color: [pawn.place for pawn in self.pawns if pawn.color == color] for color in self.players}

    def numbers(self, color: str) -> list[int]:
        """The pawns of a color, by their number on this board."""
        return [number for number, pawn in enumerate(self.pawns) if pawn.color == color]

    def others_on(self, place: Place, pawn: Pawn) -> list[Pawn]:
        """The pawns, other than the one given, that stand on a square it can reach; its zone is its own."""
        return [
            other
            for other in self.pawns
            if other is not pawn and other.place == place and (on_track(place) or other.color == pawn.color) and place != HOME
        ]

    def ride_from(self, color: str, place: Place) -> tuple[int, ...]:
        """The squares a pawn of this color rides over after landing on a place; empty if it stays."""
        for slide in SLIDES:
            if slide.triangle == place and self._rides(color, slide):
                return slide.ride
        return ()

    def _rides(self, color: str, slide: Slide) -> bool:
        if self.rules.absent_color_slides == "inert" and slide.color not in self.players:
            return False
        if slide.name in self.rules.slide_riders:
            return color in self.rules.slide_riders[slide.name]
        if self.rules.slides == "off":
            return False
        return self.rules.slides == "all" or color != slide.color

    def bump(self, by: Pawn, victim: Pawn, cause: str) -> None:
        """Sends a pawn back to START."""
        victim.place = START
        self.events.bumps.append(Bump(by.color, victim.color, cause))

    def clear(self, place: Place, pawn: Pawn, ridden: bool, cause: str = "landing") -> None:
        """Does to the pawns on a square what the arrival of another does, before any ride.

        Raises OwnPawnInTheWay if a pawn of the same color forbids the landing.
        """
        own_sent_back = self.rules.own_collision == "bump_self" or (ridden and self.rules.own_on_triangle == "bump")
        for other in self.others_on(place, pawn):
            if other.color != pawn.color or own_sent_back:
                self.bump(pawn, other, cause)
            elif self.rules.own_collision != "share":
                raise OwnPawnInTheWay

    def ride(self, pawn: Pawn, squares: tuple[int, ...]) -> None:
        """Takes a pawn down a slide; every pawn it meets goes back, own ones too."""
        if not squares:
            return
        for square in squares:
            for other in self.others_on(square, pawn):
                self.bump(pawn, other, "ride")
        pawn.place = squares[-1]
        self.events.rides.append(pawn.color)

    def land(self, number: int, place: Place, *, slides: bool = True, cause: str = "landing") -> None:
        """Moves a pawn to a place with all that follows. Raises OwnPawnInTheWay if it may not."""
        pawn = self.pawns[number]
        squares = self.ride_from(pawn.color, place) if slides else ()
        self.clear(place, pawn, bool(squares), cause)
        pawn.place = place
        self.ride(pawn, squares)
        if place == HOME:
            self.events.homes += 1


# -- what a card allows --------------------------------------------------------------------------------


class Way(NamedTuple):
    """One way to play a card: the board afterwards (with its events), and whether the player could refuse it."""

    board: Board
    compulsory: bool = True


def _blocked(board: Board) -> list[Way]:
    """What a move is that only an own pawn forbids: nothing, or the choice to end the turn on it."""
    if board.rules.own_collision != "ends_turn":
        return []
    after = board.copy()
    after.events.blocked = True
    return [Way(after)]


def _start(board: Board, color: str) -> list[Way]:
    waiting = [number for number in board.numbers(color) if board.pawns[number].place == START]
    if not waiting:
        return []
    after = board.copy()
    after.events.start = True
    try:
        after.land(waiting[0], circle(color), slides=False)
    except OwnPawnInTheWay:
        return _blocked(board)
    return [Way(after)]


def _forward(board: Board, color: str, count: int) -> list[Way]:
    ways = []
    for number in board.numbers(color):
        for target in forward_targets(board.rules, color, board.pawns[number].place, count):
            after = board.copy()
            try:
                after.land(number, target.place)
            except OwnPawnInTheWay:
                ways += _blocked(board)
                continue
            ways.append(Way(after, compulsory=not _declinable(board.rules, target)))
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
        try:
            after.land(number, place, slides=board.rules.slide_on_backward)
        except OwnPawnInTheWay:
            ways += _blocked(board)
            continue
        ways.append(Way(after, compulsory))
    return ways


def _seven(board: Board, color: str) -> list[Way]:
    ways = _forward(board, color, 7)
    if board.rules.seven_parts == 1:
        return ways
    if board.rules.seven_resolution == "sequential":
        return ways + _split_in_order(board, color, 7, ())
    return ways + _split_together(board, color)


def _split_in_order(board: Board, color: str, left: int, moved: tuple[int, ...]) -> list[Way]:
    """Every way to share out what is left of a 7, part after part, each with all its effects."""
    ways: list[Way] = []
    parts = len(moved) + 1
    for number in board.numbers(color):
        if number in moved:
            continue
        for count in range(1, left + 1):
            last = count == left
            if (last and parts < 2) or (not last and parts == board.rules.seven_parts):
                continue
            for target in forward_targets(board.rules, color, board.pawns[number].place, count):
                after = board.copy()
                after.events.parts = parts
                try:
                    after.land(number, target.place)
                except OwnPawnInTheWay:
                    continue
                rest = [Way(after)] if last else _split_in_order(after, color, left - count, (*moved, number))
                declinable = _declinable(board.rules, target)
                ways += [Way(way.board, way.compulsory and not declinable) for way in rest]
    return ways


def _shares(parts: int) -> list[tuple[int, ...]]:
    """Every way to write 7 as that many counts of at least 1, in order."""
    cuts = [(0, *inner, 7) for inner in combinations(range(1, 7), parts - 1)]
    return [tuple(end - begin for begin, end in pairwise(cut)) for cut in cuts]


def _split_together(board: Board, color: str) -> list[Way]:
    """Every share-out of a 7 whose pawns are lifted and put down at once."""
    ways = []
    for parts in range(2, board.rules.seven_parts + 1):
        for numbers, counts in product(combinations(board.numbers(color), parts), _shares(parts)):
            places = [board.pawns[number].place for number in numbers]
            choices = [forward_targets(board.rules, color, place, count) for place, count in zip(places, counts, strict=True)]
            for targets in product(*choices):
                after = board.copy()
                after.events.parts = parts
                try:
                    _put_down_together(after, numbers, [target.place for target in targets])
                except OwnPawnInTheWay:
                    continue
                ways.append(Way(after, not any(_declinable(board.rules, target) for target in targets)))
    return ways


def _put_down_together(board: Board, numbers: tuple[int, ...], places: list[Place]) -> None:
    movers = [board.pawns[number] for number in numbers]
    rides = [board.ride_from(pawn.color, place) for pawn, place in zip(movers, places, strict=True)]
    ends: list[Place] = [ride[-1] if ride else place for ride, place in zip(rides, places, strict=True)]
    if board.rules.own_collision != "share" and (_same_square(places) or _same_square(ends)):
        raise OwnPawnInTheWay
    for pawn in movers:
        pawn.place = IN_HAND
    for pawn, place, ride in zip(movers, places, rides, strict=True):
        board.clear(place, pawn, bool(ride))
    for pawn, ride in zip(movers, rides, strict=True):
        board.ride(pawn, ride)
        pawn.place = IN_HAND  # not met by the rides of the others
    for pawn, end in zip(movers, ends, strict=True):
        pawn.place = end
    board.events.homes += places.count(HOME)


def _same_square(places: Iterable[Place]) -> bool:
    squares = [place for place in places if place != HOME]
    return len(set(squares)) < len(squares)


def _swap(board: Board, color: str) -> list[Way]:
    ways = []
    for own, other in permutations(range(len(board.pawns)), 2):
        mine, theirs = board.pawns[own], board.pawns[other]
        if mine.color != color or theirs.color == color or not _may_change_places(board, mine, theirs):
            continue
        after = board.copy()
        _change_places(after, after.pawns[own], after.pawns[other])
        farther = squares_to_go(color, after.pawns[own].place) > squares_to_go(color, mine.place)
        if board.rules.swap_may_cross_entry or not farther:
            ways.append(Way(after, compulsory=board.rules.eleven_swap_forced))
    return ways


def _may_change_places(board: Board, mine: Pawn, theirs: Pawn) -> bool:
    if not (on_track(mine.place) and on_track(theirs.place)):
        return False
    return not board.others_on(mine.place, mine) and not board.others_on(theirs.place, theirs)


def _change_places(board: Board, mine: Pawn, theirs: Pawn) -> None:
    board.events.swap = True
    mine.place, theirs.place = theirs.place, mine.place
    given = theirs.place
    if board.rules.slide_after_swap != "none":
        board.ride(mine, board.ride_from(mine.color, mine.place))
    if board.rules.slide_after_swap == "both" and theirs.place == given:
        board.ride(theirs, board.ride_from(theirs.color, theirs.place))


def _sorry(board: Board, color: str) -> list[Way]:
    ways = []
    waiting = [number for number in board.numbers(color) if board.pawns[number].place == START]
    if waiting and "sorry" in board.rules.start_cards:
        for place in sorted({pawn.place for pawn in board.pawns if isinstance(pawn.place, int) and pawn.color != color}):
            after = board.copy()
            after.events.sorry = True
            after.land(waiting[0], place, slides=board.rules.slide_after_sorry, cause="sorry")
            ways.append(Way(after))
    if board.rules.sorry_alt_forward:
        ways += _forward(board, color, board.rules.sorry_alt_forward)
    return ways


def ways_to_play(board: Board, color: str, card: str) -> list[Way]:
    """Every way a player may use a card, equal ends included."""
    rules = board.rules
    ways = _start(board, color) if card != "sorry" and card in rules.start_cards else []
    if card in ("1", "2", "3", "5", "8", "12"):
        ways += _forward(board, color, int(card))
    elif card == "4":
        ways += _backward(board, color, 4, compulsory=True)
    elif card == "7":
        ways += _seven(board, color)
    elif card == "10":
        ways += _forward(board, color, 10) + _backward(board, color, 1, compulsory=rules.ten_back_forced)
    elif card == "11":
        ways += _forward(board, color, 11) + _swap(board, color)
    else:
        ways += _sorry(board, color)
    return [Way(way.board, way.compulsory and rules.must_move) for way in ways]


# -- the decision --------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """One distinct placement a card can lead to, with the plainest way to reach it."""

    text: str
    board: Board
    compulsory: bool
    passed: bool = False
    met_on_rides: int = 0  # opponents' pawns, in that of the equally plain ways that meets most

    @property
    def position(self) -> Position:
        """Color to places."""
        return self.board.position

    @property
    def events(self) -> Events:
        """What happens on the plainest way."""
        return self.board.events

    @property
    def ends_turn(self) -> bool:
        """Whether choosing it only ends the turn, because an own pawn is in the way."""
        return self.events.blocked


@dataclass
class Decision:
    """What a player may do with a card."""

    players: tuple[str, ...]
    color: str
    card: str
    outcomes: list[Outcome]  # of the actions, each placement once, sorted by its text
    declined: Outcome  # the outcome of passing, on offer or not

    @property
    def nothing_legal(self) -> bool:
        """Whether the card is forfeited."""
        return not self.outcomes

    @property
    def compulsory(self) -> bool:
        """Whether some action must be taken."""
        return any(outcome.compulsory for outcome in self.outcomes)

    @property
    def pass_offered(self) -> bool:
        """Whether the player may decline what could be done."""
        return not self.nothing_legal and not self.compulsory

    @property
    def choices(self) -> list[Outcome]:
        """The decision set: the outcomes, and passing where it is on offer."""
        return self.outcomes + [self.declined] * self.pass_offered


def outcomes(rules: Rules, players: tuple[str, ...], seat: int, position: Position, card: str) -> Decision:
    """The decision of the player in ``seat`` who has drawn ``card``; ``players`` are the colors by seat."""
    pawns = [Pawn(color, place) for color in players for place in position[color]]
    return _decide(Board(rules, players, pawns), players[seat], card)


def _decide(board: Board, color: str, card: str) -> Decision:
    found: dict[str, Outcome] = {}
    for way in ways_to_play(board, color, card):
        text, events = write_position(way.board.position), way.board.events
        known = found.setdefault(text, Outcome(text, way.board, way.compulsory))
        known.compulsory = known.compulsory or way.compulsory
        if events.plainness() < known.events.plainness():
            known.met_on_rides = 0
        if events.simplicity() < known.events.simplicity():
            known.board = way.board
        if events.plainness() == known.events.plainness():
            known.met_on_rides = max(known.met_on_rides, events.bumped("ride"))
    declined = Outcome(write_position(board.position), board, compulsory=False, passed=True)
    return Decision(board.players, color, card, [found[text] for text in sorted(found)], declined)


# -- the deck ------------------------------------------------------------------------------------------

Draw = Callable[[list[str]], str]  # picks the card that comes, from the cards of the draw pile
Choose = Callable[[Decision], Outcome]  # picks one of ``choices``


class Deck:
    """A draw pile and a discard pile, as lists of card names."""

    def __init__(self, rules: Rules, draw: Draw) -> None:
        self.rules = rules
        self._pick = draw
        counts = rules.deck_counts.counts
        self.pile = [card for card in CARDS for _ in range(counts[card])]
        self.discards: list[str] = []
        self.reshuffles = 0
        self._already_back = False  # the card in play went into the new pile when it was taken

    def take(self) -> str:
        """The next card."""
        if not self.pile:
            self._reshuffle()
        card = self._pick(list(self.pile))
        if self.rules.draw == "with_replacement":
            return card
        self.pile.remove(card)
        self._already_back = False
        if not self.pile and self.rules.reshuffle_when == "when_last_taken":
            self._reshuffle_at_once(card)
        return card

    def _reshuffle(self) -> None:
        self.pile, self.discards = self.discards, []
        self.reshuffles += 1

    def _reshuffle_at_once(self, card: str) -> None:
        if self.rules.card_in_play_in_reshuffle == "included":
            self.discards.append(card)
            self._already_back = True
        if self.discards:
            self._reshuffle()

    def lay_down(self, card: str) -> None:
        """Puts a card that has been used on the discard pile."""
        if self.rules.draw == "without_replacement" and not self._already_back:
            self.discards.append(card)


# -- the game ------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One card of a game: which turn of the game (from 1), whose, the card, and the position afterwards."""

    turn: int
    color: str
    card: str
    text: str


@dataclass
class Record:
    """The counters of a finished game as the columns define them (but for ``digest``), and its course.

    Where several ways to one outcome are equally plain, ``bumps_slide`` is counted by the one that meets fewest pawns on
    rides; ``more_on_rides`` is what the others could add.
    """

    game: dict[str, int]
    seats: list[dict[str, int]]  # in play order
    steps: list[Step]
    more_on_rides: int = 0


GAME_COUNTERS = ["turns_all", "rounds", "draws", "dead_turns", "forced_turns", "choice_turns", "choices", "outcomes", "starts"]
GAME_COUNTERS += ["bumps", "bumps_slide", "bumps_sorry", "own_bumps", "swaps", "slides", "splits", "backs", "passes", "homes"]
GAME_COUNTERS += ["lead_changes"]
SEAT_COUNTERS = ["turns", "draws", "dead_turns", "choice_turns", "starts", "bumps_given", "bumps_taken", "own_bumps", "swaps", "slides"]


class Game:
    """A game in progress."""

    def __init__(self, rules: Rules, players: Sequence[str], first_seat: int, draw: Draw, choose: Choose) -> None:
        self.rules = rules
        self.first_seat = first_seat
        self.players = tuple(players)
        self.order = [*players[first_seat:], *players[:first_seat]]
        self.choose = choose
        self.deck = Deck(rules, draw)
        self.board = Board(rules, players, self._set_up())
        self.game = dict.fromkeys(GAME_COUNTERS, 0)
        self.seats = {color: dict.fromkeys(SEAT_COUNTERS, 0) for color in self.order}
        for seat in self.seats.values():
            seat["first_start"] = 0 if rules.quick_start_pawns else -1
        self.finished: list[str] = []
        self.last_leader: str | None = None
        self.when_won: dict[str, int] = {}
        self.more_on_rides = 0
        self.steps: list[Step] = []

    def _set_up(self) -> list[Pawn]:
        outside = self.rules.quick_start_pawns
        return [Pawn(color, circle(color) if number < outside else START) for color in self.players for number in range(self.rules.pawns)]

    def play(self) -> Record:
        """Plays to the end, or to the turn cap."""
        self.game["rounds"] = 1
        color = self.order[0]
        while True:
            self._take_turn(color)
            if self._over() or self.game["turns_all"] == self.rules.turn_cap:
                return self._record()
            following = self._next_after(color)
            if self.order.index(following) <= self.order.index(color):
                self._end_round()
            color = following

    def _over(self) -> bool:
        needed = {"first_home": 1, "full_ranking": len(self.order) - 1, "all_home": len(self.order)}
        return len(self.finished) >= needed[self.rules.game_end]

    def _next_after(self, color: str) -> str:
        place = self.order.index(color) + 1
        return next(other for other in [*self.order[place:], *self.order[:place]] if other not in self.finished)

    def _end_round(self) -> None:
        self.game["rounds"] += 1
        least = min(self._to_go(color) for color in self.order)
        leaders = [color for color in self.order if self._to_go(color) == least]
        if len(leaders) > 1:
            return
        self.game["lead_changes"] += self.last_leader not in (None, leaders[0])
        self.last_leader = leaders[0]

    def _to_go(self, color: str) -> int:
        return sum(squares_to_go(color, place) for place in self.board.position[color])

    def _home(self, color: str) -> int:
        return self.board.position[color].count(HOME)

    # -- one turn --

    def _take_turn(self, color: str) -> None:
        seat = self.seats[color]
        self.game["turns_all"] += 1
        seat["turns"] += 1
        acted, chose, again, held = False, False, True, None
        while again:
            card = self.deck.take()
            if held is not None:
                self.deck.lay_down(held)
                held = None
            decision = _decide(self.board, color, card)
            chose = chose or len(decision.choices) > 1
            outcome = self._resolve(decision)
            acted = acted or (outcome is not None and not outcome.ends_turn)
            again = self._draws_again(color, card, outcome)
            if again and self.rules.card_in_play_in_reshuffle == "excluded":
                held = card
            else:
                self.deck.lay_down(card)
        for counters in (self.game, seat):
            counters["dead_turns"] += not acted
            counters["choice_turns"] += chose
        self.game["forced_turns"] += acted and not chose

    def _resolve(self, decision: Decision) -> Outcome | None:
        """Plays a card; the outcome that was played, or None if the card was forfeited or declined."""
        color = decision.color
        self.game["draws"] += 1
        self.seats[color]["draws"] += 1
        chosen = self._chosen(decision)
        if chosen is not None and not chosen.passed:
            self._count_events(color, chosen.events)
            self.more_on_rides += chosen.met_on_rides - chosen.events.bumped("ride")
            self.board = chosen.board.fresh()
            self._note_finish(color)
        self.steps.append(Step(self.game["turns_all"], color, decision.card, write_position(self.board.position)))
        return None if chosen is None or chosen.passed else chosen

    def _chosen(self, decision: Decision) -> Outcome | None:
        choices = decision.choices
        if len(choices) < 2:
            return choices[0] if choices else None
        self.game["choices"] += 1
        self.game["outcomes"] += len(choices)
        chosen = self.choose(decision)
        self.game["passes"] += chosen.passed
        return chosen

    def _draws_again(self, color: str, card: str, outcome: Outcome | None) -> bool:
        if card != "2" or color in self.finished or (outcome is not None and outcome.ends_turn):
            return False
        if self.rules.two_draws_again == "if_played":
            return outcome is not None
        return self.rules.two_draws_again == "always"

    def _note_finish(self, color: str) -> None:
        if self._home(color) < self.rules.pawns:
            return
        self.finished.append(color)
        if len(self.finished) == 1:
            self._note_standing()

    def _note_standing(self) -> None:
        """Keeps what is counted when the winner finishes, or at the cut-off if nobody has."""
        self.when_won = {"turns": self.game["turns_all"]}
        for color, seat in self.seats.items():
            seat["pips_left"] = self._to_go(color)
            seat["pawns_home"] = self._home(color)

    # -- counting --

    def _count_events(self, color: str, events: Events) -> None:
        for bump in events.bumps:
            self._count_bump(bump)
        for rider in events.rides:
            self.game["slides"] += 1
            self.seats[rider]["slides"] += 1
        for counters in (self.game, self.seats[color]):
            counters["starts"] += events.start
            counters["swaps"] += events.swap
        self.game["splits"] += events.split
        self.game["backs"] += events.backward
        self.game["homes"] += events.homes
        if (events.start or events.sorry) and self.seats[color]["first_start"] < 0:
            self.seats[color]["first_start"] = self.seats[color]["turns"]

    def _count_bump(self, bump: Bump) -> None:
        if bump.by == bump.victim:
            self.game["own_bumps"] += 1
            self.seats[bump.by]["own_bumps"] += 1
            return
        self.game["bumps"] += 1
        self.game["bumps_slide"] += bump.cause == "ride"
        self.game["bumps_sorry"] += bump.cause == "sorry"
        self.seats[bump.by]["bumps_given"] += 1
        self.seats[bump.victim]["bumps_taken"] += 1

    # -- the end --

    def _record(self) -> Record:
        if not self.finished:
            self._note_standing()
        winner = self.finished[0] if self.finished else None
        self.game |= self.when_won
        self.game["winner"] = NOBODY if winner is None else self.order.index(winner)
        self.game["winner_color"] = NOBODY if winner is None else COLORS.index(winner)
        self.game["first_seat"] = self.first_seat
        self.game["capped"] = int(not self._over())
        self.game["reshuffles"] = self.deck.reshuffles
        for color, seat in self.seats.items():
            seat["color"] = COLORS.index(color)
            seat["table_seat"] = self.players.index(color)
            seat["won"] = int(color == winner)
            seat["place"] = self._place(color)
        return Record(self.game, [self.seats[color] for color in self.order], self.steps, self.more_on_rides)

    def _place(self, color: str) -> int:
        if color in self.finished:
            return self.finished.index(color) + 1
        ahead = [other for other in self.order if other not in self.finished and self._standing(other) < self._standing(color)]
        return len(self.finished) + len(ahead) + 1

    def _standing(self, color: str) -> tuple[int, int]:
        return -self._home(color), self._to_go(color)


def play(rules: Rules, players: tuple[str, ...], first_seat: int, draw: Draw, choose: Choose) -> Record:
    """Plays a full game; ``players`` are the colors by table seat, ``first_seat`` moves first.

    ``draw`` is given the cards of the draw pile and says which of them comes; ``choose`` is given every
    decision with two or more choices and answers with one of them.
    """
    return Game(rules, players, first_seat, draw, choose).play()
