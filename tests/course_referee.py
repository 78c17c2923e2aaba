"""A second, slow bookkeeper of how games go: what the course columns and the audits say, worked out anew from games told step by step.

A game's ``Story`` is told by its ``Replay``. All numbers follow from the definitions in ``games/columns.py`` and ``games/audited.py``, and
squares to go from the board's plan; none of the kernel's counts is looked at. Where a definition leaves something open, it is said here.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simsorry.games import audited, classic, ice, sorreesi
from simsorry.games.classic import notation as classic_notation
from simsorry.games.classic import tables as classic_tables
from simsorry.games.classic.replay import Replay as ClassicReplay
from simsorry.games.ice import placement as ice_placement
from simsorry.games.ice.replay import Replay as IceReplay
from simsorry.games.options import CARDS, COLORS
from simsorry.games.sorreesi import actions as sorreesi_actions
from simsorry.games.sorreesi import notation as sorreesi_notation
from simsorry.games.sorreesi import retelling as told
from simsorry.games.sorreesi import tables as sorreesi_tables
from simsorry.games.sorreesi.replay import Replay as SorreesiReplay

START, SAFE, HOME = "start", "safe", "home"
NO_CARD = 15
UNIT = 10_000
Place = int | str  # a square of the track, or one of the words above


@dataclass(frozen=True)
class Pawn:
    """Where a pawn stands."""

    place: Place
    togo: int  # squares
    covered: bool = False


Board = tuple[tuple[Pawn, ...], ...]  # by table seat


@dataclass(frozen=True)
class Step:
    """A card, or a decision of Sorreesi's, and what has come of it."""

    seat: int
    turn: int  # from 1
    card: int  # the one resolved, NO_CARD if none was
    moved: bool  # whether it moved a pawn
    dead: bool  # whether nothing could be done with the card
    acted: bool  # whether it makes its turn one with an action
    use: str
    board: Board
    finished: bool  # whether a side has all its pawns HOME with it
    covered: tuple[tuple[int, Place], ...] = ()  # seats and places of pawns that it has covered
    hand: tuple[int, ...] = ()  # the cards that it was chosen from
    chosen: bool = False  # whether there were two or more distinct outcomes


@dataclass(frozen=True)
class Story:
    """A single round."""

    first: int  # table seat
    side: tuple[int, ...]  # by table seat: the first seat of those who play together
    begin: Board
    steps: tuple[Step, ...]
    way: int  # squares that all pawns of a player have to go from START
    squares: tuple[int, ...]  # by card: how far it moves a pawn, 0 if it moves none
    one_wins: bool = False  # whether a team has won with the pawns of one partner HOME

    @property
    def sides(self) -> list[int]:
        return sorted(set(self.side))

    def partners(self, side: int) -> list[int]:
        return [seat for seat, other in enumerate(self.side) if other == side]

    def way_of_side(self, side: int) -> int:
        return self.way * len(self.partners(side))

    def side_togo(self, board: Board, side: int) -> int:
        return sum(togo(board[seat]) for seat in self.partners(side))

    @property
    def win(self) -> int | None:
        """Number of the step with which the first side finished."""
        return next((number for number, step in enumerate(self.steps) if step.finished), None)

    @property
    def winner(self) -> int | None:
        """The side that has won."""
        return None if self.win is None else self.side[self.steps[self.win].seat]

    @property
    def boards(self) -> list[Board]:
        """Before the first step, and after each."""
        return [self.begin, *(step.board for step in self.steps)]

    @property
    def round_ends(self) -> list[int]:
        """Numbers of the steps with which play came back to the first seat, or passed over it."""
        found, players = [], len(self.side)
        for number, (step, following) in enumerate(pairwise(self.steps)):
            if following.turn == step.turn:
                continue
            passed = [(step.seat + k) % players for k in range(1, players + 1)]
            if self.first in passed[: passed.index(following.seat) + 1]:
                found.append(number)
        return found

    @property
    def round_ends_to_win(self) -> list[int]:
        return [number for number in self.round_ends if self.win is None or number < self.win]


def togo(pawns: Sequence[Pawn]) -> int:
    return sum(pawn.togo for pawn in pawns)


def many(pawns: Sequence[Pawn], place: Place) -> int:
    return sum(pawn.place == place for pawn in pawns)


# -- the columns of the course -----------------------------------------------------------------------


def course_columns(story: Story) -> dict[str, int]:
    """The columns of the games table; ``walked_root`` may be one off, being rounded from a sum of roots."""
    ends = story.round_ends_to_win
    columns = dict.fromkeys("mean most root rank behind last_lead decided".split(), 0)  # noqa: SIM905
    if story.winner is not None and ends:
        columns = _way_of_winner(story, story.winner, [story.steps[number].board for number in ends])
    return {
        "round_ends": len(ends),
        "lead_changes": len(_leaders(story)) - 1 if _leaders(story) else 0,
        **{f"walked_{name}": value for name, value in columns.items()},
    }


def _leaders(story: Story) -> list[int]:
    """The sole leaders at round ends, each as often as the lead comes to it."""
    found: list[int] = []
    for number in story.round_ends:
        leader = sole_leader(story, story.steps[number].board)
        if leader is not None and found[-1:] != [leader]:
            found.append(leader)
    return found


def sole_leader(story: Story, board: Board) -> int | None:
    least = min(story.side_togo(board, side) for side in story.sides)
    best = [side for side in story.sides if story.side_togo(board, side) == least]
    return best[0] if len(best) == 1 else None


def _way_of_winner(story: Story, winner: int, boards: Sequence[Board]) -> dict[str, int]:
    notes, way = len(boards), story.way_of_side(winner)
    mine = [story.side_togo(board, winner) for board in boards]
    others = [[story.side_togo(board, side) for side in story.sides if side != winner] for board in boards]
    missing = [max(0, own - min(other)) for own, other in zip(mine, others, strict=True)]
    not_alone = [number for number in range(notes) if min(others[number]) <= mine[number]]
    nearest = min(min(other) for other in others)
    nearer = [number for number in range(notes) if mine[number] < nearest]
    ahead = sum(sum(theirs < own for theirs in other) for own, other in zip(mine, others, strict=True))
    roots = [math.sqrt(squares / way) for squares in missing if squares]
    return {
        "mean": _share(Fraction(sum(missing), notes * way)),
        "most": _share(Fraction(max(missing), way)),
        "root": int(UNIT * sum(roots) / len(roots)) if roots else 0,
        "rank": _share(Fraction(ahead, notes * (len(story.sides) - 1))),
        "behind": _share(Fraction(sum(squares > 0 for squares in missing), notes)),
        # The game is the rounds up to each round end, and the one that the winner finishes.
        "last_lead": _share(Fraction(not_alone[-1] + 1 if not_alone else 0, notes + 1)),
        "decided": _share(Fraction(notes - nearer[0] if nearer else 0, notes + 1)),
    }


def _share(exact: Fraction) -> int:
    return int(exact * UNIT)


def ranks(story: Story) -> dict[str, list[int]]:
    """The columns rank_25 … by table seat; those of a game without a winner are 0."""
    boards = [story.steps[number].board for number in story.round_ends_to_win]
    found = {}
    for percent in (25, 50, 75):
        rank = [0] * len(story.side)
        for board in boards if story.winner is not None else []:
            left = {side: story.side_togo(board, side) for side in story.sides}
            if any(100 * squares <= (100 - percent) * story.way_of_side(side) for side, squares in left.items()):
                rank = [1 + sum(squares < left[side] for squares in left.values()) for side in story.side]
                break
        found[f"rank_{percent}"] = rank
    return found


def chances(story: Story, weights: Sequence[int], order: int) -> NDArray[np.float64]:
    """Every side's chance by a gauge at the round ends before the winner finished: a softmax of what it weighs, in 1/64."""
    found = []
    for number in story.round_ends_to_win:
        board, scores = story.steps[number].board, []
        for side in story.sides:
            pawns = [pawn for seat in story.partners(side) for pawn in board[seat]]
            way = story.way_of_side(side)
            count = [sum(pawn.place == place for pawn in pawns) for place in (HOME, START, SAFE)]
            seats_before = min((seat - story.first) % len(story.side) for seat in story.partners(side))
            score = (way - togo(pawns)) * weights[0] // way + sum(n * weight for n, weight in zip(count, weights[1:], strict=True))
            scores.append((score + seats_before * order) / 64)
        powers = np.exp(np.array(scores) - max(scores))
        found.append(powers / powers.sum())
    return np.array(found)


def chance_columns(story: Story, weights: Sequence[int], order: int) -> dict[str, float]:
    """The columns of the games table that are about chances to win, as shares."""
    by_note = chances(story, weights, order)
    notes, sides = by_note.shape
    assert story.winner is not None
    winner = story.sides.index(story.winner)
    mine, others = by_note[:, winner], np.delete(by_note, winner, axis=1)
    missing = np.maximum(others.max(axis=1) - mine, 0)
    late = notes - max(1, notes // 4)
    open_ = -(by_note * np.log(np.maximum(by_note, 1e-300))).sum(axis=1) / math.log(sides)
    nearer = np.flatnonzero(mine > others.max())
    return {
        "chance_mean": float(missing.mean()),
        "chance_most": float(missing.max()),
        "chance_rank": float((others > mine[:, None]).mean()),
        "chance_behind": float((missing > 0).mean()),
        "chance_last_lead": _last(others.max(axis=1) >= mine) / (notes + 1),
        "chance_decided": (notes - int(nearer[0])) / (notes + 1) if len(nearer) else 0.0,
        "chance_sure": _last(mine < 0.9) / (notes + 1),
        "chance_open": float(open_.mean()),
        "chance_open_late": float(open_[late:].mean()),
        "chance_written_off": float((by_note < 0.01).mean()),
    }


def _last(there: NDArray[np.bool_]) -> int:
    """The number of the last that is so, from 1; 0 if none is."""
    found = np.flatnonzero(there)
    return int(found[-1]) + 1 if len(found) else 0


# -- audits ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """What a step has done to the board."""

    walked: tuple[int, ...]  # by table seat: squares nearer HOME in all
    hit: Counter[int]  # pawns that others have hit, by table seat
    danger: Counter[Place]  # where
    open_danger: bool  # whether it can be told where
    landed: Counter[Place]  # by square, pawns that are more of a color


def change(story: Story, before: Board, step: Step) -> Change:
    seats = range(len(story.side))
    hit, danger, landed = Counter[int](), Counter[Place](), Counter[Place]()
    unsure = False
    for seat in seats:
        was, now = Counter(pawn.place for pawn in before[seat]), Counter(pawn.place for pawn in step.board[seat])
        landed.update({place: n for place, n in (now - was).items() if isinstance(place, int)})
        sent = now[START] - was[START]
        if sent <= 0 or story.side[seat] == story.side[step.seat]:
            continue
        hit[seat] += sent
        left = Counter({place: n for place, n in (was - now).items() if isinstance(place, int)})
        unsure |= left.total() != sent
        danger.update(left)
    for seat, place in step.covered:
        if story.side[seat] != story.side[step.seat]:
            hit[seat] += 1
            danger.update([place] if isinstance(place, int) else [])
    walked = tuple(togo(before[seat]) - togo(step.board[seat]) for seat in seats)
    return Change(walked, hit, danger, unsure, landed)


class Audit:
    """All sections of one audited game."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.sections = {name: np.zeros(size, np.int64) for name, size in audited.SECTIONS.items()}
        self.danger_is_known = True
        self._changes = [change(story, before, step) for before, step in zip(story.boards, story.steps, strict=False)]
        self._add("games", 0, 1)
        self._add("won", 0, story.winner is not None)
        for board, index in ((story.begin, 0), (story.boards[-1], 1)):
            self._add("standing", index, sum(map(togo, board)))
        self._turns()
        for before, step, done in zip(story.boards, story.steps, self._changes, strict=False):
            self._step(step, done)
            self._card(before, step, done)
        self._led()
        self._round_ends()
        self._stall()
        self._early()
        self._swing()

    def _add(self, name: str, index: int, n: int) -> None:
        self.sections[name][index] += n

    def _order(self, seat: int) -> int:
        return (seat - self.story.first) % len(self.story.side)

    def _turns(self) -> None:
        turn, was_out = 0, [any(pawn.place != START for pawn in pawns) for pawns in self.story.begin]
        for before, step in zip(self.story.boards, self.story.steps, strict=False):
            was_out = [out or any(pawn.place != START for pawn in pawns) for out, pawns in zip(was_out, before, strict=True)]
            if step.turn == turn:
                continue
            turn = step.turn
            own = before[step.seat]
            nobody = all(pawn.place in (START, HOME) for pawn in own) and many(own, START) > 0
            self._add("turns", 0, 1)
            for card in step.hand:
                self._add("held", card, 1)
            self._add("relocked", 0, nobody and was_out[step.seat])
            self._add("kinds", self._phase(before, step) * len(audited.KINDS) + self._kind(turn), 1)

    def _step(self, step: Step, done: Change) -> None:
        for seat, squares in enumerate(done.walked):
            others = self.story.side[seat] != self.story.side[step.seat]
            self._add("squares", 2 * others + (squares < 0), abs(squares))
        for seat, n in done.hit.items():
            self._add("hits", 4 * self._order(step.seat) + self._order(seat), n)
        for square, n in done.landed.items():
            self._add("landings", int(square), n)
        for square, n in done.danger.items():
            self._add("danger", int(square), n)
        self.danger_is_known &= not done.open_danger

    def gained(self, step: Step, done: Change) -> int:
        """Squares that the mover's side has gained with a step."""
        return sum(squares for seat, squares in enumerate(done.walked) if self.story.side[seat] == self.story.side[step.seat])

    def _card(self, before: Board, step: Step, done: Change) -> None:
        if step.card == NO_CARD:
            return
        side, card = self.story.side[step.seat], step.card
        phase = self._phase(before, step)
        self._add("drawn", phase * audited.CARDS + card, 1)
        if not step.moved:
            self._add("unused", phase * audited.CARDS + card, 1)
        if step.dead:
            self._add("dead", audited.DEAD.index(self._why(step)), 1)
        else:
            self._add("gain", card, self.gained(step, done))
            self._add("harm", card, -sum(n for seat, n in enumerate(done.walked) if self.story.side[seat] != side and n < 0))
            self._add("strikes", card, done.hit.total())
            self._add("uses", audited.USES.index(step.use) * audited.CARDS + card, 1)

    def _phase(self, before: Board, step: Step) -> int:
        """Which third of its own way the mover's side was in."""
        side = self.story.side[step.seat]
        way = self.story.way_of_side(side)
        return min(max(3 * (way - self.story.side_togo(before, side)) // way, 0), 2)

    def _kind(self, turn: int) -> int:
        steps = [step for step in self.story.steps if step.turn == turn]
        return any(step.acted for step in steps) + 2 * any(step.chosen for step in steps)

    def _why(self, step: Step) -> str:
        squares, own = self.story.squares[step.card], step.board[step.seat]
        if not squares:
            return "sorry"
        on_way = [pawn.togo for pawn in own if pawn.place not in (START, HOME)]
        if not on_way:
            return "lock"
        return "blocked" if max(on_way) >= squares else "exact"

    def _led(self) -> None:
        """Hits once somebody has led alone at a round end, and on who was the last to do so."""
        leader, ends = None, set(self.story.round_ends)
        for number, (step, done) in enumerate(zip(self.story.steps, self._changes, strict=True)):
            if leader is not None:
                self._add("led", 0, done.hit.total())
                self._add("led", 1, sum(n for seat, n in done.hit.items() if self.story.side[seat] == leader))
            if number in ends:
                alone = sole_leader(self.story, step.board)
                leader = leader if alone is None else alone

    def _round_ends(self) -> None:
        story = self.story
        boards = [story.steps[number].board for number in story.round_ends]
        for board in boards:
            for square in (pawn.place for pawns in board for pawn in pawns if isinstance(pawn.place, int)):
                self._add("visits", square, 1)
        for board, later in pairwise(boards):
            for side in story.sides:
                left = {other: story.side_togo(board, other) for other in story.sides if other != side}
                rival = min(left, key=lambda other: (left[other], other))  # of equals the one who sits first at the table
                lead = left[rival] - story.side_togo(board, side)
                then = story.side_togo(later, rival) - story.side_togo(later, side)
                for index, n in enumerate((1, lead, then - lead, lead * lead, lead * (then - lead))):
                    self._add("leads", index, n)

    def _stall(self) -> None:
        story = self.story
        if story.win is None or story.winner is None:
            return
        own = story.partners(story.winner)
        missing = [self._missing(board, own) for board in story.boards]
        begin = next(number for number, n in enumerate(missing) if n <= 1)  # so many steps are over
        if missing[begin] != 1:
            return  # the last two at once
        ended = ended_turns(story.steps[:begin], story.steps[begin:])
        turns = [turn for turn in turns_of(story.steps[: story.win + 1]) if turn[0].turn > ended]
        self._add("stall", 0, len(turns))
        self._add("stall", 1, sum(turn[0].seat in own and not any(step.acted for step in turn) for turn in turns))

    def _missing(self, board: Board, own: Sequence[int]) -> int:
        """How many pawns more the partners need HOME to win."""
        missing = [len(board[seat]) - many(board[seat], HOME) for seat in own]
        return min(missing) if self.story.one_wins else sum(missing)

    def _early(self) -> None:
        story = self.story
        if story.winner is None:
            return
        for seat, side in enumerate(story.side):
            cards = [step.card for step in story.steps if step.seat == seat and step.card != NO_CARD][: audited.EARLY]
            if len(cards) < audited.EARLY:
                continue
            won = side == story.winner
            self._add("early_players", 0, 1)
            self._add("early_players", 1, won)
            for card, n in Counter(cards).items():
                for name, number in (("early", n), ("early_squares", n * n), ("early_wins", n * won)):
                    self._add(name, card, number)

    def _swing(self) -> None:
        """The largest gain of one step, of equal ones the first."""
        gains = [self.gained(step, done) for step, done in zip(self.story.steps, self._changes, strict=True)]
        best = max(gains)
        if best > 0:
            self._add("swing", self.story.steps[gains.index(best)].card, 1)
            self._add("swing_squares", 0, best)


def turns_of(steps: Sequence[Step]) -> list[list[Step]]:
    found: dict[int, list[Step]] = {}
    for step in steps:
        found.setdefault(step.turn, []).append(step)
    return list(found.values())


def ended_turns(done: Sequence[Step], to_come: Sequence[Step]) -> int:
    """How many turns are over after some steps."""
    if not done:
        return 0
    return done[-1].turn - (bool(to_come) and to_come[0].turn == done[-1].turn)


# -- stories -----------------------------------------------------------------------------------------


def tell(module: Any, rules: Any, policies: NDArray[Any], players: int, seed: int, game: int) -> Story:
    """The story of a game, which has a single round."""
    seated = module.seat_colors(rules, players)
    teller = _TELLERS[module](rules, seated)
    replay = _REPLAYS[module](rules, seated, policies, seed, game)
    first = replay.first_seat
    begin = teller.board(replay)
    steps = tuple(teller.steps(replay))
    pairs = [{seated.index(color) for color in pair} for pair in getattr(rules, "team_pairs", ()) or ()]
    side = tuple(min(next((pair for pair in pairs if seat in pair), {seat})) for seat in range(players))
    squares = [0 if card == "sorry" else int(card) for card in CARDS]
    squares[CARDS.index("sorry")] = rules.sorry_alt_forward
    one_wins = getattr(rules, "team_win", "") == "first_member"
    return Story(first, side, begin, steps, teller.way, tuple(squares), one_wins)


class _Cards:
    """What stories of games of cards have in common."""

    def __init__(self, rules: Any, seated: Sequence[str]) -> None:
        self.rules = rules
        self.colors = [COLORS.index(color) for color in seated]
        self.way = rules.pawns * 65

    def board(self, replay: Any) -> Board:
        raise NotImplementedError

    def steps(self, replay: Any) -> Iterator[Step]:
        for card in replay.steps():
            yield Step(
                seat=card.seat,
                turn=card.turn,
                card=card.card if card.card < len(CARDS) else NO_CARD,
                moved=card.kind == "play",
                dead=card.kind == "nothing",
                acted=card.kind == "play",
                use=self.use(card),
                board=self.board(replay),
                finished=card.place > 0,
                covered=self.covered(card),
                hand=card.hand,
                chosen=card.choices > 1,
            )

    def use(self, card: Any) -> str:
        raise NotImplementedError

    def covered(self, _card: Any) -> tuple[tuple[int, Place], ...]:
        return ()


def _on_sixty(color: int, square: int) -> int:
    """Squares to go from a square, counted from red's corner, on the board with 60 of them."""
    return (2 + 15 * color - square) % 60 + 6


class _Classic(_Cards):
    def board(self, replay: Any) -> Board:
        return tuple(
            tuple(self._pawn(color, place) for place in classic_notation.places_of(replay.words[color], color)) for color in self.colors
        )

    def _pawn(self, color: int, place: Any) -> Pawn:
        if place == "S":
            return Pawn(START, 65)
        if place == "H":
            return Pawn(HOME, 0)
        if isinstance(place, str):
            return Pawn(SAFE, 6 - int(place[1:]))
        return Pawn(place, _on_sixty(color, place))

    def use(self, card: Any) -> str:
        kind, parts, row = card.action & 7, card.action >> 3 & 7, card.action >> 16 & 63
        if kind == 0 and parts > 1:
            return "split"
        if kind == 0:
            return "start" if row == classic_tables.OUT else "back" if classic_tables.BACKWARD <= row < classic_tables.PAST else "forward"
        return {1: "swap", 2: "sorry", 3: "passed", 5: "thrown"}.get(kind, "forward")


class _Ice(_Cards):
    def board(self, replay: Any) -> Board:
        placement, pawns = replay.placement, {color: [] for color in self.colors}  # type: ignore[var-annotated]
        covered = placement.covered()
        for color, found in pawns.items():
            found += [Pawn(START, 65)] * sum(placement.start[4 * color : 4 * color + 3])
            found += [Pawn(HOME, 0)] * sum(placement.home[4 * color : 4 * color + 3])
        for pawn, place in placement.in_play():
            color = ice_placement.color_of(pawn)
            here = pawn >> ice_placement.NUMBER in covered
            left = _on_sixty(color, place) if place < 60 else 5 - (place - 60) % 5
            pawns[color].append(Pawn(place if place < 60 else SAFE, left, here))
        return tuple(tuple(found) for found in pawns.values())

    def use(self, card: Any) -> str:
        uses = ("start", "forward", "forward", "back", "split", "swap", "sorry", "passed", "thrown")
        return uses[card.play.kind] if card.play.kind < len(uses) else "forward"

    def covered(self, card: Any) -> tuple[tuple[int, Place], ...]:
        found = [(self.colors.index(ice_placement.color_of(pawn)), place) for pawn, place in card.play.covered]
        return tuple((seat, place if place < 60 else SAFE) for seat, place in found)


class _Sorreesi:
    def __init__(self, rules: Any, seated: Sequence[str]) -> None:
        self.rules = rules
        self.colors = [COLORS.index(color) for color in seated]
        self.base = 65 + rules.home_path_length
        self.way = rules.pawns * self.base

    def board(self, replay: Any) -> Board:
        return tuple(
            tuple(self._pawn(color, place) for place in sorreesi_notation.places_of(self.rules, replay.words[color], color))
            for color in self.colors
        )

    def _pawn(self, color: int, place: Any) -> Pawn:
        path = self.rules.home_path_length
        if place == "B":
            return Pawn(START, self.base)
        if place == "H":
            return Pawn(HOME, 0)
        if isinstance(place, str):
            return Pawn(SAFE, path + 1 - int(place[1:]))
        turn_off = sorreesi_tables.entry_square(self.rules, color) - 5
        return Pawn(place, (turn_off - place) % 68 + path + 1)

    def steps(self, replay: Any) -> Iterator[Step]:
        found = [(step, self.board(replay)) for step in replay.steps()]
        for number, (step, board) in enumerate(found):
            following = found[number + 1][0] if number + 1 < len(found) else None
            used = bool(step.moves and step.action & int(sorreesi_actions.CARD))
            gone = not used and step.card != NO_CARD and self._is_gone(step, following) and not self._ends_it(step, board)
            acted = bool(step.moves) or step.penalty is not None
            yield Step(
                seat=step.seat,
                turn=step.turn,
                card=step.card if used or gone else NO_CARD,
                moved=used,
                dead=gone,  # one that is left when its player stops, too
                acted=acted,
                use=self._use(step),
                board=board,
                finished=step.place > 0,
                chosen=step.choices > 1,
            )

    def _is_gone(self, step: Any, following: Any) -> bool:
        """Whether the card that was there is not there any more."""
        if step.ends_turn or following is None or step.drawn != NO_CARD:
            return True
        return bool(following.card == NO_CARD or following.drawn_first != NO_CARD or following.rolled)

    def _ends_it(self, step: Any, board: Board) -> bool:
        """Whether the turn is over because the player has finished: what is left then is not resolved."""
        own = board[step.seat]
        skips = getattr(self.rules, "team_pairs", ()) and self.rules.team_finished_player == "skips"
        return step.place > 0 or bool(skips and many(own, HOME) == len(own))

    def _use(self, step: Any) -> str:
        uses = {told.START: "start", told.SPLIT: "split", told.SWAP: "swap", told.BACK: "back", told.TAKE: "sorry"}
        return uses.get(step.kind, "forward")


_REPLAYS: dict[Any, Any] = {classic: ClassicReplay, sorreesi: SorreesiReplay, ice: IceReplay}
_TELLERS: dict[Any, Any] = {classic: _Classic, sorreesi: _Sorreesi, ice: _Ice}

# -- together ----------------------------------------------------------------------------------------


def compare(module: Any, rules: Any, policies: NDArray[Any], players: int, seed: int, game: int, rows: Any) -> dict[str, str]:
    """What is not alike, by column or section, in the rows of one game (a block of its own) and in its story."""
    story = tell(module, rules, policies, players, seed, game)
    wrong = {}
    for name, value in course_columns(story).items():
        found = int(rows.game(name)[0])
        if abs(found - value) > (name == "walked_root"):
            wrong[name] = f"{found} for {value}"
    for name, by_seat in ranks(story).items():
        found_ranks = rows.seat(name, players)[0].tolist()
        told_ranks = [by_seat[(story.first + order) % players] for order in range(players)]
        if found_ranks != told_ranks:
            wrong[name] = f"{found_ranks} for {told_ranks}"
    if game % audited.EVERY == 0:
        wrong |= compare_audits(Audit(story), rows.audits[0])
    elif rows.audits.any():
        wrong["audits"] = "of a game that is not audited"
    return wrong


def compare_audits(audit: Audit, counts: NDArray[Any]) -> dict[str, str]:
    wrong = {}
    for name, section in audit.sections.items():
        found = audited.section(counts, name)
        if not np.array_equal(found, section) and (name != "danger" or audit.danger_is_known):
            wrong[name] = ", ".join(f"[{at}] {found[at]} for {section[at]}" for at in np.flatnonzero(found != section).tolist())
    return wrong
