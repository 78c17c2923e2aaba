"""Games followed decision by decision: where everybody stands after each of the outcomes on offer, and which one is taken.

A *standing* is what a gauge of the chance to win weighs of a position: by color, the squares to go and the pawns HOME, on START and safe.
"""

import importlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from simsorry import replays
from simsorry.errors import SimsorryError
from simsorry.games import track
from simsorry.games.asked import Hand
from simsorry.games.hands import NO_CARD
from simsorry.games.options import CARDS, COLORS
from simsorry.simulate import Task

SQUARES, HOME, START, SAFE = range(4)  # of a standing

_TWO = CARDS.index("2")
_WHY_NOT = "a decision here spends one of several dice, cards and bonus moves, and no gauge of the chance to win weighs those left"

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Offer:
    """A card drawn, or a hand to choose from, with all its distinct outcomes."""

    turn: int  # counted from 1
    seat: int  # table seat of the mover
    card: int  # drawn, or taken from the hand; NO_CARD where a player with a hand did nothing
    kind: str  # of what was done, as the game's story.kind says
    did: str  # in plain words
    before: Ints  # 4 x 4: the standing by color
    choices: int  # distinct outcomes; 0: nothing is possible
    after: Ints  # outcomes x 4 x 4; without outcomes what is before, once
    again: Bools  # by outcome: whether the same player goes on
    taken: int  # which of them
    decided: bool  # whether somebody has won before


def refuse(task: Task) -> None:
    """Raises SimsorryError for games that can't be followed so."""
    name = task.ruleset.name
    if task.ruleset.game not in _SEEN:
        raise SimsorryError(f"{name}: {_WHY_NOT}; rulesets of the games {' and '.join(_SEEN)} can be looked at")
    if task.traits.match:
        raise SimsorryError(f"{name}: chances to win are those of a single round, and this is a match (--set match_end=single_round)")


def compiled_for(task: Task) -> list[str]:
    """The compiled functions that are called to follow games."""
    table = importlib.import_module(f"{task.game.__name__}.decision").Table
    return [replays.compiled_for(task), table.compiled_for({"hand": ()} if task.traits.hand else {})]


def followed(task: Task, games: Iterable[int]) -> Iterator[list[Offer]]:
    """Plays games of a task, and says of every card of each what it offered."""
    for game in games:
        yield follow(task.ruleset.game, replays.replay_of(task, game))


def follow(name: str, replay: Any) -> list[Offer]:
    """Plays a game of the kind of that name on to its end, and says of every card what it offered."""
    see = _SEEN[name]()
    met = list(_met(see, replay))
    stood = see.standings(replay.table, see.joined([*(each.before for each in met), *(each.positions for each in met)]))
    begins = np.cumsum([len(met), *(len(each.positions) for each in met)]).tolist()
    return [_offer(each, stood[at], stood[begin:end]) for at, (each, begin, end) in enumerate(zip(met, begins, begins[1:], strict=False))]


@dataclass
class _Met:
    """A card as it was met, with positions in place of standings."""

    step: Any
    choices: int
    before: Any  # positions: one
    positions: Any
    again: list[bool]
    taken: int
    decided: bool


def _met(see: Any, replay: Any) -> Iterator[_Met]:
    table, rules = replay.table, replay.rules
    began: set[int] = set()  # seats that have had a turn
    drawn, decided, before = int(NO_CARD), False, see.position(replay)
    for step in replay.steps():
        if rules.hand_size:
            hand = Hand(list(step.hand), step.again, None if drawn == int(NO_CARD) else drawn, step.seat not in began)
            listed = see.listed(table.hand_outcomes(see.only(before), step.color, hand))
        else:
            listed = see.listed(table.outcomes(see.only(before), step.color, step.card))
        now = see.position(replay)
        yield _choice(see, rules, step, before, listed, now, decided)
        if step.ends_turn:
            began.add(step.seat)
        before, drawn, decided = now, step.drawn, decided or bool(step.place)


def _choice(see: Any, rules: Any, step: Any, before: Any, listed: tuple[Any, Any, Any], now: Any, decided: bool) -> _Met:
    """What there was to choose from, and what was chosen: that with its card which left the position as it is now."""
    actions, cards, positions = listed
    if not actions:
        return _Met(step, 0, before, before, [step.draws_again], 0, decided)
    kinds = [see.kind(action) for action in actions]
    again = [_goes_on(rules, card, kind) for card, kind in zip(cards, kinds, strict=True)]
    thrown = step.kind == "throw"  # of a card at random only the kind is listed
    taken = next(at for at in see.equal(positions, now) if (kinds[at] == "throw" if thrown else cards[at] == step.card))
    again[taken] = step.draws_again
    return _Met(step, len(actions), before, positions, again, taken, decided)


def _offer(met: _Met, before: Ints, after: Ints) -> Offer:
    step, again = met.step, np.array(met.again, dtype=bool)
    return Offer(step.turn, step.seat, step.card, step.kind, step.did, before, met.choices, after, again, met.taken, met.decided)


def _goes_on(rules: Any, card: int, kind: str) -> bool:
    """Whether an outcome brings the same player another card (H-14, HQ4, FQ19)."""
    if card != _TWO or kind in ("blocked", "throw", "nothing"):
        return False
    if rules.hand_size:
        return bool(rules.two_in_hand != "none" and kind != "pass")
    return bool(rules.two_draws_again == "always" or (rules.two_draws_again == "if_played" and kind != "pass"))


# -- the games' positions --------------------------------------------------------------------------


class _Classic:
    """Positions as four words by color, a byte for each pawn's place."""

    def __init__(self) -> None:
        from simsorry.games.classic import story

        self.kind = story.kind

    def position(self, replay: Any) -> npt.NDArray[np.uint64]:
        """Where pawns stand now, as positions of which there is one."""
        return np.array([replay.words], np.uint64)

    def only(self, position: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """The one position, as a table takes it."""
        found: npt.NDArray[np.uint64] = position[0]
        return found

    def joined(self, positions: list[npt.NDArray[np.uint64]]) -> npt.NDArray[np.uint64]:
        """All positions after another."""
        return np.concatenate(positions)

    def listed(self, listed: Any) -> tuple[list[int], list[int], npt.NDArray[np.uint64]]:
        """Actions, cards and positions of what a table lists."""
        return listed.actions, listed.cards, np.array(listed.results, np.uint64).reshape(-1, len(COLORS))

    def equal(self, positions: npt.NDArray[np.uint64], now: npt.NDArray[np.uint64]) -> list[int]:
        """Which positions are the same as one."""
        found: list[int] = np.flatnonzero((positions == now).all(axis=1)).tolist()
        return found

    def standings(self, table: Any, positions: Any) -> Ints:
        """Positions x colors x what is weighed."""
        places = np.ascontiguousarray(positions, dtype="<u8").view(np.uint8).reshape(len(positions), len(COLORS), 8)
        found = np.empty((len(positions), len(COLORS), 4), np.int64)
        found[..., SQUARES] = table.compiled["togo"][0][places].sum(axis=2)
        found[..., HOME] = (places == track.HOME).sum(axis=2)
        found[..., START] = (places == track.START).sum(axis=2)
        found[..., SAFE] = ((places >= track.ZONE) & (places < track.HOME)).sum(axis=2)
        return found


class _Ice:
    """Positions as placements: pawns on START and HOME, and piles."""

    def __init__(self) -> None:
        from simsorry.games.ice import placement, story
        from simsorry.games.ice import tables as t

        self.kind, self._placement, self._tables = story.kind, placement, t

    def position(self, replay: Any) -> list[Any]:
        """Where pawns stand now, without the numbers that follow them, as positions of which there is one."""
        seen = replay.placement.copy()
        for pile in seen.piles.values():
            pile[:] = [pawn & self._placement.CODE for pawn in pile]
        return [seen]

    def only(self, position: list[Any]) -> Any:
        """The one position, as a table takes it."""
        return position[0]

    def joined(self, positions: list[list[Any]]) -> list[Any]:
        """All positions after another."""
        return list(chain.from_iterable(positions))

    def listed(self, listed: Any) -> tuple[list[int], list[int], list[Any]]:
        """Actions, cards and positions of what a table lists."""
        every = list(listed)
        return [each.action for each in every], [each.card for each in every], [each.after for each in every]

    def equal(self, positions: list[Any], now: list[Any]) -> list[int]:
        """Which positions are the same as one."""
        here = (now[0].start, now[0].home, now[0].piles)
        return [at for at, each in enumerate(positions) if (each.start, each.home, each.piles) == here]

    def standings(self, table: Any, positions: Any) -> Ints:
        """Positions x colors x what is weighed."""
        togo = table.compiled["togo"][0].reshape(len(COLORS), self._tables.STRIDE).tolist()
        return np.array([self._standing(togo, each) for each in positions], np.int64).reshape(-1, len(COLORS), 4)

    def _standing(self, togo: list[list[int]], position: Any) -> list[list[int]]:
        t, found = self._tables, []
        for color in range(len(COLORS)):
            waiting = sum(position.start[4 * color : 4 * color + 4])
            found.append([waiting * track.squares_to_go(track.START), sum(position.home[4 * color : 4 * color + 4]), waiting, 0])
        for place, pile in position.piles.items():
            for pawn in pile:
                color = self._placement.color_of(pawn)
                found[color][SQUARES] += togo[color][place]
            if place >= t.ZONE:
                found[(place - t.ZONE) // t.ZONE_SQUARES][SAFE] += len(pile)
        return found


_SEEN: dict[str, Any] = {"classic": _Classic, "ice": _Ice}
