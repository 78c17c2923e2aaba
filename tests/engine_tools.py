"""What the engine's tests share: games told card by card, dense random positions, random rules, and rows by name."""

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, get_args, get_origin

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError
from referee import classic as referee

from simsorry.errors import SimsorryError
from simsorry.games import audited, classic, hands
from simsorry.games.classic import actions, choices, kernel, moves, notation, queries, story
from simsorry.games.classic.rules import Rules
from simsorry.games.hands import NO_CARD
from simsorry.games.options import CARDS, COLORS
from simsorry.games.seating import DEFAULT_SEATS
from simsorry.jit import entry

U = np.uint64
_0, _1, _2, _3 = U(0), U(1), U(2), U(3)
SEATED = DEFAULT_SEATS
MIXED = (
    {},
    {"progress": 1.0, "bumps": 4.0, "home": 10.0, "mistakes": 0.2},
    {},
    {"progress": -1.0, "passes": 3.0, "splits": 1.0, "swaps": 2.0, "random_from": 0.3},
)

# -- rows ------------------------------------------------------------------------------------------------


class Rows(NamedTuple):
    """What ``play_block`` writes."""

    games: NDArray[np.int32]
    seats: NDArray[np.int32]
    audits: NDArray[np.int64] = np.zeros((0, audited.SIZE), np.int64)

    def game(self, name: str) -> NDArray[np.int32]:
        return self.games[GAME[name]]

    def seat(self, name: str, players: int) -> NDArray[np.int32]:
        """A column of the seats table, a row per game and a column per play-order seat."""
        return self.seats[SEAT[name]].reshape(-1, players)


GAME = {column.name: number for number, column in enumerate(classic.GAME_COLUMNS)}
SEAT = {column.name: number for number, column in enumerate(classic.SEAT_COLUMNS)}


def line_up(players: int, *weights: dict[str, float]) -> NDArray[Any]:
    """The same policy on every seat, one for each, or random players."""
    return classic.compile_line_up((weights or ({},)) * players if len(weights) < 2 else weights[:players])


def play(
    rules: Rules | NDArray[Any],
    players: int,
    games: int,
    *,
    policies: NDArray[Any] | None = None,
    seed: int = 1,
    first_game: int = 0,
    scratch: NDArray[Any] | None = None,
) -> Rows:
    """Plays games in one block; fails if the engine reports an error."""
    tables = classic.compile_rules(rules, players) if isinstance(rules, Rules) else rules
    rows = Rows(
        np.zeros((len(GAME), games), np.int32),
        np.zeros((len(SEAT), games * players), np.int32),
        np.zeros((audited.chunks(first_game, games), audited.SIZE), np.int64),
    )
    policies = line_up(players) if policies is None else policies
    scratch = classic.new_scratch() if scratch is None else scratch
    assert classic.play_block(tables, policies, scratch, U(seed), U(first_game), *rows) == kernel.OK
    return rows


def assert_same(one: Rows, other: Rows) -> None:
    """Fails unless two blocks of rows are equal, naming what differs."""
    for columns, here, there in ((GAME, one.games, other.games), (SEAT, one.seats, other.seats)):
        different = [name for name, number in columns.items() if not np.array_equal(here[number], there[number])]
        assert not different


# -- turning the board -----------------------------------------------------------------------------------

ROTATIONS = {
    2: [("red", "yellow"), ("blue", "green"), ("yellow", "red"), ("green", "blue")],
    3: [("red", "blue", "yellow"), ("blue", "yellow", "green"), ("green", "red", "blue")],
    4: [COLORS, ("blue", "yellow", "green", "red"), ("yellow", "green", "red", "blue"), ("green", "red", "blue", "yellow")],
}


def turned_games(seatings: Sequence[tuple[str, ...]], options: Sequence[dict[str, Any]]) -> list[Rows]:
    """The same games with seats, and options, of other colors; the colors are left out of the rows."""
    blocks = []
    for seats, turned in zip(seatings, options, strict=True):
        players = len(seats)
        rows = play(Rules(seat_colors=seats, **turned), players, 60, policies=line_up(players, *MIXED), seed=3)
        assert (rows.seat("color", players) == np.array([COLORS.index(color) for color in seats])[rows.seat("table_seat", players)]).all()
        rows.game("winner_color")[:] = 0
        rows.seat("color", players)[:] = 0
        blocks.append(rows)
    return blocks


def assert_alike(blocks: Sequence[Rows]) -> None:
    """Fails unless all blocks are the same as the first."""
    for block in blocks[1:]:
        assert_same(block, blocks[0])


# -- games told card by card -----------------------------------------------------------------------------


class Recording(NamedTuple):
    """A game as the engine played it, a row per card; of a match all its rounds."""

    seats: NDArray[np.int64]
    cards: NDArray[np.int64]  # NO_CARD where a player with a hand did nothing
    kinds: list[str]  # what was done, as story.kind says
    actions: list[int]
    hands: list[tuple[int, ...]]  # that the card was chosen from, the card held longest first
    rounds: NDArray[np.int64]  # of the match, from 0
    again: NDArray[np.int64]  # 1 where the turn goes on with another card
    capped: NDArray[np.int64]
    words: NDArray[np.uint64]  # after the card, by color
    piles: NDArray[np.int64]  # after the card: all cards there are by number, and last how many can still be drawn
    held: NDArray[np.int64]  # after the card, by table seat
    drawn: list[list[int]]  # by round of the match: the cards in the order in which they were drawn
    first_seats: list[int]  # by round of the match
    winner: int  # table seat, NOBODY if the game was cut off
    points: list[int]  # by table seat
    rounds_won: list[int]

    @property
    def passed(self) -> NDArray[np.int64]:
        """1 where the card was declined."""
        return np.array([kind == "pass" for kind in self.kinds], np.int64)

    @property
    def swapped(self) -> NDArray[np.int64]:
        """1 where an 11 changed places."""
        return np.array([kind == "play" and action & 7 == SWAP for kind, action in zip(self.kinds, self.actions, strict=True)], np.int64)

    @property
    def partner(self) -> NDArray[np.bool_]:
        """Where a single pawn of the partner was moved."""
        return np.array([bool(action & PARTNER) for action in self.actions])

    def texts(self, seated: Sequence[str]) -> list[str]:
        """The position after every card."""
        return [notation.to_text(row, seated) for row in self.words.tolist()]


SWAP, PARTNER = int(actions.SWAP), int(actions.PARTNER)


class Recorder:
    """Plays games step by step, over and over in the same memory."""

    def __init__(self) -> None:
        self.scratch = classic.new_scratch()

    def record(self, tables: NDArray[Any], policies: NDArray[Any], seed: int, game: int) -> Recording:
        """One game, which is left in ``scratch``."""
        x = self.scratch[0]
        x["held"] = 0  # nobody, where these rules know no hands
        queries.begin(tables, self.scratch, U(seed), U(game))
        rows: list[_Row] = []
        drawn, first_seats = [self._deal(tables)], [int(x["first_seat"])]
        more = True
        while more:
            seat = int(x["seat"])
            hand, match_round = self._hand(seat), int(x["match_round"])
            going = queries.step(tables, policies, self.scratch)
            kind, card, action = story.kind(int(x["did_action"])), int(x["did_card"]), int(x["did_action"])
            drawn[-1] += self._new(seat, hand, kind) if tables[0]["hand_size"] else [card]
            state_after = int(x["again"]), int(x["capped"]), x["word"].copy()
            rows.append(_Row(seat, card, kind, action, hand, match_round, *state_after, *self._cards(tables)))
            if not going:
                more = queries.end_round(tables, self.scratch)
                if more:
                    queries.next_round(tables, self.scratch, U(seed), U(game))
                    drawn.append(self._deal(tables))
                    first_seats.append(int(x["first_seat"]))
        columns = _Row(*zip(*rows, strict=True))  # type: ignore[arg-type]
        numbers = {name: np.array(getattr(columns, name), np.int64) for name in _NUMBERS}
        lists: dict[str, list[Any]] = {name: list(getattr(columns, name)) for name in ("kinds", "actions", "hands")}
        lists |= {name: x[name][: int(tables[0]["players"])].tolist() for name in ("points", "rounds_won")}
        words = np.array(columns.words, np.uint64)
        return Recording(**numbers, **lists, words=words, drawn=drawn, first_seats=first_seats, winner=int(x["winner"]))

    def _hand(self, seat: int) -> tuple[int, ...]:
        begin = seat * hands.MAX_HELD
        return tuple(self.scratch[0]["hand"][begin : begin + int(self.scratch[0]["held"][seat])].tolist())

    def _deal(self, tables: NDArray[Any]) -> list[int]:
        """The cards of a deal in the order in which they were drawn."""
        first, players = int(self.scratch[0]["first_seat"]), int(tables[0]["players"])
        size = int(tables[0]["hand_size"])
        return [self._hand((first + order) % players)[number] for number in range(size) for order in range(players)]

    def _new(self, seat: int, before: tuple[int, ...], kind: str) -> list[int]:
        """The cards that a player has drawn after one."""
        kept = len(before) - (kind not in ("nothing", "pass"))
        return list(self._hand(seat)[kept:])

    def _cards(self, tables: NDArray[Any]) -> tuple[list[int], list[int]]:
        """All cards there are by number, with how many can still be drawn last; and how many everybody holds."""
        x, size, players = self.scratch[0], int(tables[0]["deck_size"]), int(tables[0]["players"])
        cards = x["deck"][:size].tolist()
        if tables[0]["hand_size"] and not tables[0]["replacement"]:
            hands = [self._hand(seat) for seat in range(players)]
            cards = [*cards[: int(x["left"])], *x["discard"][: int(x["discarded"])].tolist(), *itertools.chain(*hands)]
        return [*map(cards.count, range(len(CARDS))), int(x["left"])], x["held"][:players].tolist()


class _Row(NamedTuple):
    """A card of a ``Recording``."""

    seats: int
    cards: int
    kinds: str
    actions: int
    hands: tuple[int, ...]
    rounds: int
    again: int
    capped: int
    words: NDArray[np.uint64]
    piles: list[int]
    held: list[int]


_NUMBERS = ("seats", "cards", "rounds", "again", "capped", "piles", "held")


# -- decisions -------------------------------------------------------------------------------------------


@entry
def _list_plain(tables, scratch, color, card, words):  # type: ignore[no-untyped-def]
    """``outcomes_of`` the fast way: as the turn loops do it, of the hand that a player holds if these rules have hands."""
    r = tables[0]
    x = scratch[0]
    x.outcomes = _0
    x.compulsory = _0
    p0, p1, p2, p3 = words[color], words[(color + _1) & _3], words[(color + _2) & _3], words[(color + _3) & _3]
    if r.hand_size != _0:
        choices.list_choices(r, x, U(r.color_seat[color]), color, p0, p1, p2, p3)
    else:
        choices.list_for(r, x, color, card, p0, p1, p2, p3)
        moves.add_pass(r, x, card, p0, p1, p2, p3)


def plain_actions(tables: NDArray[Any], scratch: NDArray[Any], color: int, card: int, words: NDArray[np.uint64]) -> list[int]:
    """The actions that the fast enumeration lists."""
    scratch[0]["word"] = words  # it looks at the game that is played
    _list_plain(tables, scratch, U(color), U(card), words)
    return _actions(scratch)


def full_actions(tables: NDArray[Any], scratch: NDArray[Any], color: int, card: int, words: NDArray[np.uint64]) -> list[int]:
    """The actions of the full list of distinct outcomes."""
    queries.outcomes_of(tables, scratch, U(color), U(card), words)
    return _actions(scratch)


def hand_actions(
    tables: NDArray[Any], scratch: NDArray[Any], color: int, hand: Sequence[int], words: NDArray[np.uint64], *, fast: bool
) -> list[tuple[int, int]]:
    """The actions of a hand in a turn that is not the player's first, with the cards they are played with, by either enumeration."""
    queries.outcomes_of_hand(tables, scratch, U(color), np.array(hand, np.uint8), _0, NO_CARD, _0, words)
    if fast:
        scratch[0]["word"] = words
        _list_plain(tables, scratch, U(color), NO_CARD, words)
    return list(zip(_actions(scratch), scratch[0]["card"].tolist(), strict=False))


def _actions(scratch: NDArray[Any]) -> list[int]:
    assert not scratch[0]["overflow"]
    return scratch[0]["action"][: int(scratch[0]["outcomes"])].tolist()


# -- positions -------------------------------------------------------------------------------------------


def dense_position(luck: random.Random, rules: Rules, seated: Sequence[str]) -> referee.Position:
    """A legal placement with many pawns near each other, in zones, and near triangles, entries and circles."""
    base, width = luck.randrange(60), luck.choice((8, 15, 30, 60))
    taken: set[int] = set()
    position: referee.Position = {}
    for color in seated:
        places: list[referee.Place] = []
        while len(places) < rules.pawns:
            place = _some_place(luck, color, base, width)
            alone = place not in places or rules.own_collision == "share"
            if place in ("S", "H") or (alone and (place not in taken or _is_partners(place, color, position, rules))):
                places.append(place)
        taken |= {place for place in places if isinstance(place, int)}
        position[color] = places
    return position


def _is_partners(place: referee.Place, color: str, position: referee.Position, rules: Rules) -> bool:
    """Whether a taken square holds pawns of the partner alone, who lets others share it."""
    if rules.team_collision != "coexist":
        return False
    partner = referee.partner_of(rules, color)
    return all(owner == partner for owner, places in position.items() if place in places)


def _some_place(luck: random.Random, color: str, base: int, width: int) -> referee.Place:
    kind = luck.random()
    if kind < 0.15:
        return referee.START
    if kind < 0.25:
        return referee.HOME
    if kind < 0.4:
        return "Z", luck.randint(1, referee.ZONE)
    if kind < 0.55:  # before the entry, and the squares behind it
        return (referee.entry(color) + luck.randint(-12, 3)) % referee.TRACK
    if kind < 0.6:
        return luck.choice(referee.SLIDES).triangle
    if kind < 0.7:  # a few squares before a triangle, or on a slide
        return (luck.choice(referee.SLIDES).triangle + luck.randint(-7, 4)) % referee.TRACK
    return (base + luck.randrange(width)) % referee.TRACK


def words_of(position: referee.Position, rules: Rules, seated: Sequence[str]) -> NDArray[np.uint64]:
    """The engine's four words of a position."""
    return notation.to_words(written(position), rules, seated)


def written(position: referee.Position) -> dict[str, list[Any]]:
    """A referee's position in the notation of the engine."""
    return {color: [f"Z{place[1]}" if isinstance(place, tuple) else place for place in places] for color, places in position.items()}


# -- rules -----------------------------------------------------------------------------------------------

# Values off the default of the options that are neither true or false nor one of a few words.
_VALUES: dict[str, list[Any]] = {
    "pawns": [1, 2, 3, 5, 6, 7, 8],
    "quick_start_pawns": [1],
    "head_starts": [(0, 15), (3, 1, 0, 8)],
    "deck_counts": ["deck_44", "deck_55", {"1": 2, "2": 3, "7": 9, "sorry": 6, "10": 0}],
    "start_cards": [
        ("1",),
        ("1", "2", "3", "5", "7", "8", "10", "11", "12", "sorry"),
        ("4", "10", "sorry"),
        ("2", "7"),
        ("8", "11", "12", "sorry"),
    ],
    "seat_colors": [()],  # of as many colors as there are players: see with_seats
    "seven_parts": [1, 3, 4, 5, 8],
    "slide_riders": [
        {"red B": ("red", "yellow"), "blue A": ("blue",)},
        {"red A": COLORS, "blue A": COLORS, "yellow A": COLORS, "green A": COLORS},
        {"red B": (), "green B": (), "yellow A": ("red",)},
        {"green A": ("green", "red"), "red A": ("red",), "yellow B": ("yellow",)},
    ],
    "turn_cap": [7, 60],
    "hand_size": [1, 2, 3, 5, 7, 11],
    "team_pairs": ["opposite", (("red", "blue"), ("yellow", "green"))],
    "score_home_value": [0, 3],
    "score_not_home_value": [0, 2],
    "score_bands": [(), ((3, 10),), ((4, 7), (2, 30), (1, 20), (0, 0))],
    "match_end": ["rounds:2", "rounds:3", "target:2"],
}


# What an option needs before it means anything: other options, by the name or the beginning of the name.
_HANDS: dict[str, Any] = {"hand_size": 5}
_TEAMS: dict[str, Any] = {"team_pairs": "opposite"}
_POINTS: dict[str, Any] = {"score_home_to": "all_players"}
NEEDS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("two_in_hand", "two_playable_idle", "two_followup_stuck", "hand_refill", "dead_hand"), _HANDS),
    **dict.fromkeys(("optional_counts_as_playable", "first_turn_dead_hand"), _HANDS),
    **dict.fromkeys(("team_control", "team_collision", "team_own_collision", "team_sorry_target", "team_sorry_start"), _TEAMS),
    **dict.fromkeys(("team_eleven_partner", "team_finished_player", "team_win"), _TEAMS),
    "team_scoring": _TEAMS | _POINTS,
    **dict.fromkeys(("score_home_value", "score_not_home_value", "score_bands", "bonus_bands", "band_measure"), _POINTS),
    "next_leader": {"match_end": "rounds:3"},
    "pass_scope": {"forward_past_entry": "decline_ok"},
}


def values_off_default() -> dict[str, list[Any]]:
    """Every option with the values to try; a new option of another kind fails here until it has some."""
    values: dict[str, list[Any]] = {}
    for name, field in Rules.model_fields.items():
        if field.annotation is bool:
            values[name] = [not field.default]
        elif get_origin(field.annotation) is Literal:
            values[name] = [value for value in get_args(field.annotation) if value != field.default]
        else:
            values[name] = _VALUES[name]
    return values


def with_seats(luck: random.Random, options: dict[str, Any], players: int) -> dict[str, Any]:
    """The options with colors for their seats, if they speak of those at all."""
    return options | {"seat_colors": tuple(luck.sample(COLORS, players))} if "seat_colors" in options else options


def players_of(options: dict[str, Any], players: int) -> int:
    """How many can play: teams are four, and every head start is somebody's."""
    return 4 if options.get("team_pairs") else max(players, len(options.get("head_starts", ())))


def with_needs(options: dict[str, Any]) -> dict[str, Any]:
    """The options with what they need to mean anything."""
    needed: dict[str, Any] = {}
    for name in options:
        needed |= NEEDS.get(name, {})
    if "team_pairs" in needed | options and "score_home_to" in needed | options:
        needed["team_scoring"] = "pooled"
    return needed | options


def playable(options: dict[str, Any], players: int) -> Rules | None:
    """Rules with these options, unless they make no sense together or not for so many players."""
    try:
        rules = Rules(**options)
        classic.seat_colors(rules, players)
    except (ValidationError, SimsorryError):
        return None
    return rules


def random_rules(luck: random.Random, players: int, most: int = 4, **fixed: Any) -> Rules:
    """Rules with some options off their default, of different kinds and at random; hands, teams, points and matches come often."""
    values = values_off_default()
    while True:
        options = {}
        for name, chance in (("hand_size", 0.3), ("team_pairs", 0.4), ("score_home_to", 0.2), ("match_end", 0.1)):
            if luck.random() < chance:
                options[name] = luck.choice(values[name])
        chosen = luck.sample([name for name in values if name not in fixed], luck.randint(1, most))
        options |= {name: luck.choice(values[name]) for name in chosen}
        rules = playable(with_needs(with_seats(luck, options, players) | fixed), players)
        if rules:
            return rules


def single_changes(players: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every value of every option that so many can play by itself, with what it needs: a label, and the keyword arguments for ``Rules``."""
    luck = random.Random(players)
    for name, values in values_off_default().items():
        for value in values:
            options = with_seats(luck, with_needs({name: value}), players)
            if players_of(options, players) == players:
                yield f"{name}={'...' if isinstance(value, (dict, tuple)) else value}", options
    yield "quick_start_pawns=3", {"quick_start_pawns": 3, "own_collision": "share"}
    yield "match_end=target:200", {"match_end": "target:200", **_POINTS}


def changed(rules: Rules) -> dict[str, Any]:
    """The options off their default, for a message."""
    return {name: getattr(rules, name) for name, field in Rules.model_fields.items() if getattr(rules, name) != field.default}
