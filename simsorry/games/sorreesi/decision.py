"""One decision of Sorreesi: the distinct outcomes of what there is to spend in a position, and what is done to get there.

    from simsorry import rulesets
    from simsorry.games.sorreesi.decision import decide

    rules = rulesets.load("sorreesi-four-pawns").rules
    for outcome in decide(rules, ("red", "yellow"), "red B B 12 H / yellow B 34 34 P2", "red", dice=(5, 2), card=11).outcomes:
        print(outcome.use, outcome.position, outcome.did)

A ``Table`` is what that is made of: rules and players compiled once, for thousands of decisions a second.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simsorry.errors import SimsorryError
from simsorry.games.given import checked_players, color_number, mover_of
from simsorry.games.options import CARDS, COLORS
from simsorry.games.sorreesi import notation, queries, state, story
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.retelling import STOP, TAKE, Retelling
from simsorry.games.sorreesi.rules import Rules
from simsorry.games.sorreesi.spending import Due, Pool, bonus_values, read_pool
from simsorry.games.words import do
from simsorry.toml import brief

_TWO = CARDS.index("2")
_GROUPS = 1 << 14  # groups of positions whose text is kept


class Outcome(NamedTuple):
    """One distinct outcome."""

    use: tuple[str, ...]  # what is spent: "die 5", "card 11", "bonus 20"; or "stop"
    position: str  # the placement with the pawns put down, in the one-line notation
    fights: tuple[int, ...]  # track squares on which a fight is to come
    left: dict[str, Any] | None  # what remains: dice, card, draw (another card is drawn), bonus (with what it earns); None after stopping
    did: str  # what is done to get there, in plain words
    kind: str  # "play" or "stop"
    compulsory: bool  # False if the roll may be ended without anything of its kind
    over: bool  # the last pawn that the player, or the team, needs comes HOME


class Decision(NamedTuple):
    """What dice, card and bonus moves offer."""

    color: str
    dice: tuple[int, ...]  # unspent, as is everything here
    card: str | None
    bonus: tuple[int, ...]
    outcomes: tuple[Outcome, ...]  # empty: nothing is possible

    @property
    def compulsory(self) -> bool:
        """Whether something must be used."""
        return any(outcome.compulsory for outcome in self.outcomes)

    @property
    def may_stop(self) -> bool:
        """Whether ending the roll, or the bonus moves, is one of the outcomes."""
        return any(outcome.kind == "stop" for outcome in self.outcomes)


def decide(rules: Rules, players: Sequence[str], position: str | Mapping[str, Sequence[Any]], color: str, **spent: Any) -> Decision:
    """The full set of distinct outcomes for ``color``; ``spent`` as for ``Table.decide``.

    ``players`` are colors by table seat; ``position`` is the one-line notation, or colors and their pawns' places. Raises
    SimsorryError for anything impossible. Not for several threads at once: give each a ``Table``.
    """
    return _table(rules.model_dump_json(by_alias=True), tuple(players)).decide(position, color, **spent)


@lru_cache(maxsize=64)
def _table(rules: str, players: tuple[str, ...]) -> "Table":
    """The table of rules given as JSON."""
    return Table(Rules.model_validate_json(rules), players)


class Listed(NamedTuple):
    """The outcomes as the kernel lists them."""

    actions: list[int]
    results: list[list[int]]  # the position after each: four words by color
    captured: list[int]  # pawns sent back by landing
    fights: list[tuple[int, ...]]  # track squares


class Table:
    """A ruleset and its players, ready to answer decisions.

    ``players`` are colors by table seat. Raises SimsorryError if they can't play this ruleset.
    """

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.players = checked_players(players)
        self.rules: Rules = rules.model_copy(update={"seat_colors": self.players})
        self.compiled: NDArray[Any] = t.compile_rules(self.rules, len(self.players))
        self._scratch = state.new_scratch()
        self._group = lru_cache(maxsize=_GROUPS)(self._written)  # most groups of a position stay as they were

    def words(self, position: str | Mapping[str, Sequence[Any]]) -> NDArray[np.uint64]:
        """A position, in the one-line notation or as colors and places, as four words by color; raises SimsorryError."""
        if isinstance(position, str):
            position = notation.parse(position)
        if not isinstance(position, Mapping):
            raise SimsorryError(f"position = {brief(position)} is no table of colors and their pawns' places")
        return notation.to_words(position, self.rules, self.players)

    def text(self, words: Sequence[int] | NDArray[np.uint64]) -> str:
        """Four words by color in the one-line notation."""
        return " / ".join([self._group(int(words[number]), number) for number, color in enumerate(COLORS) if color in self.players])

    def _written(self, word: int, number: int) -> str:
        return " ".join([COLORS[number], *map(str, notation.places_of(self.rules, word, number))])

    @staticmethod
    def compiled_for(_asked: Mapping[str, Any]) -> str:
        """The compiled function that answers a recorded decision point, or a question by the same names."""
        return "uses_of"

    def decide(
        self,
        position: str | Mapping[str, Sequence[Any]],
        color: str,
        *,
        dice: Sequence[int] = (),
        card: object = None,
        bonus: Sequence[int] = (),
        bonus_open: bool | None = None,
        roll: int = 1,
    ) -> Decision:
        """The full set of distinct outcomes; raises SimsorryError for anything impossible.

        ``dice``, ``card`` and ``bonus`` are what is unspent: numbers, a card, and the squares of bonus moves. ``bonus_open``: whether
        these may be made now where the rules put them off; if None, where there is nothing else. ``roll`` is the number of the roll.
        """
        pool = self.read_pool(dice=dice, card=card, bonus=bonus, bonus_open=bonus_open, roll=roll)
        mover, before = color_number(color, self.players), self.words(position)
        return self._decision(before, mover, pool)

    def of_record(self, record: Any) -> tuple[str, str, Decision]:
        """The decision that is open in the kernel's scratch record: the position, the color to move, and the outcomes as numbered there."""
        before, mover = record["word"].copy(), COLORS.index(self.players[int(record["seat"])])
        counts, card = record["dice"].tolist(), int(record["card"])
        order = tuple(number if count else 0 for number, count in zip(record["number"].tolist(), counts, strict=True))
        pool = Pool(
            rules=self.rules,
            dice=tuple(sorted(number for number, count in zip(order, counts, strict=True) for _ in range(count))),
            card=card,
            bonus=tuple(
                sorted(value for value, n in zip(bonus_values(self.rules), record["units"].tolist(), strict=False) for _ in range(n))
            ),
            bonus_open=self.rules.bonus_timing == "any_time" or int(record["phase"]) == int(state.BONUS_ALONE),
            order=(order[0], order[1]),
        )
        return self.text(before), COLORS[mover], self._decision(before, mover, pool)

    def _decision(self, before: NDArray[np.uint64], mover: int, pool: Pool) -> Decision:
        self._check_playing(before, mover)
        listed = self.outcomes(before, mover, pool)
        due, outcomes = Due.of(pool, listed.actions), []
        for action, (outcome, earned) in zip(listed.actions, self._made(before, mover, pool, listed), strict=True):
            moves = Retelling(self.rules, before.tolist(), mover).carry_out(action)
            draws = outcome.left is not None and outcome.left["draw"]
            did = story.outcome(self.rules, moves, mover, earned=earned, draws=draws, over=outcome.over)
            outcomes.append(outcome._replace(did=did, compulsory=due.asks_for(action)))
        return Decision(COLORS[mover], pool.dice, pool.card_name, pool.bonus, tuple(outcomes))

    def read_pool(self, **spendable: Any) -> Pool:
        """What there is to spend, as ``decide`` takes it; raises SimsorryError if these rules never bring it about."""
        return read_pool(self.rules, **spendable)

    def answer(self, point: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The outcomes of a recorded decision point: ``use``, ``pos``, ``fights`` and ``left`` of each, and ``over`` where that is true.

        Raises SimsorryError for a point that this game can't have.
        """
        pool = self.read_pool(**{key: point[key] for key in ("dice", "card", "bonus", "bonus_open", "roll") if key in point})
        mover = color_number(mover_of(point, self.players), self.players)
        before = self.words(point["pos"] if "pos" in point else point.get("position", {}))
        self._check_playing(before, mover)
        answers = []
        for outcome, _ in self._made(before, mover, pool, self.outcomes(before, mover, pool)):
            told = {"use": list(outcome.use), "pos": outcome.position, "fights": list(outcome.fights), "left": outcome.left}
            answers.append(told | ({"over": True} if outcome.over else {}))
        return answers

    # -- what the kernel lists ---------------------------------------------------------------------

    def outcomes(self, words: NDArray[np.uint64], mover: int, pool: Pool) -> Listed:
        """The outcomes for a color by number, in a position of four words by color; raises SimsorryError if they are too many."""
        numbers, counts, units = (np.array(values, np.uint64) for values in (pool.numbers, pool.counts, pool.units))
        color, phase, card = np.uint64(mover), np.uint64(pool.phase), np.uint64(pool.card)
        n = int(queries.uses_of(self.compiled, self._scratch, color, phase, numbers, counts, card, units, words))
        record = self._scratch[0]
        if record["overflow"]:
            raise SimsorryError(f"this decision has more than {state.CAPACITY - 1:,} outcomes, which is more than simsorry looks at")
        actions, results, captured, fights = record["action"][:n].tolist(), [], [], []
        for i in range(n):
            queries.look_at(self.compiled, self._scratch, color, np.uint64(i))
            results.append(record["result"].tolist())
            captured.append(int(record["captured"]))
            fights.append(tuple(sorted(record["fight_square"][: int(record["fights"])].tolist())))
        return Listed(actions, results, captured, fights)

    def _made(self, before: NDArray[np.uint64], mover: int, pool: Pool, listed: Listed) -> Iterator[tuple[Outcome, tuple[int, ...]]]:
        """Every outcome, but for its words and whether it is compulsory, and the bonus moves that it earns."""
        home = self._home(before.tolist(), mover)
        for action, after, captured, fights in zip(listed.actions, listed.results, listed.captured, listed.fights, strict=True):
            stops = action & 15 == STOP
            over, arrived = self._is_over(after, mover), self._home(after, mover) - home
            earned = () if stops else self._earned(action, captured, 0 if over else arrived)
            outcome = Outcome(
                use=pool.use(action),
                position=self.text(after),
                fights=fights,
                left=None if stops else self._left(pool, action, earned, over or (arrived > 0 and self._skips(after, mover))),
                did="",
                kind="stop" if stops else "play",
                compulsory=False,
                over=over,
            )
            yield outcome, earned

    def _left(self, pool: Pool, action: int, earned: tuple[int, ...], ends: bool) -> dict[str, Any]:
        """What there is to spend after an action; ``ends``: it ends the player's turn."""
        dice, card, bonus = pool.left(action, earned)
        draws = pool.card == _TWO and card is None and self.rules.two_draws_again != "never" and not ends
        return {"dice": dice, "card": card, "draw": draws, "bonus": bonus}

    def _earned(self, action: int, captured: int, home: int) -> tuple[int, ...]:
        """The bonus moves that an action earns."""
        home_bonus, capture_bonus, _ = bonus_values(self.rules)
        if action & 15 == TAKE and not self.rules.sorry_bonus:
            captured = 0
        return (home_bonus,) * (home if home_bonus else 0) + (capture_bonus,) * (captured if capture_bonus else 0)

    # -- who is done -------------------------------------------------------------------------------

    def _side(self, mover: int) -> list[int]:
        """The colors that play together with a color, itself first."""
        partners = [COLORS.index(color) for pair in self.rules.team_pairs if COLORS[mover] in pair for color in pair]
        return [mover, *(color for color in partners if color != mover)]

    def _home(self, words: Sequence[int], mover: int) -> int:
        """Pawns HOME of a color and its partner."""
        return sum(notation.lanes_of(words[color]).count(t.HOME) for color in self._side(mover))

    def _is_home(self, words: Sequence[int], color: int) -> bool:
        """Whether all pawns of a color are HOME."""
        return notation.lanes_of(words[color]).count(t.HOME) == self.rules.pawns

    def _skips(self, words: Sequence[int], color: int) -> bool:
        """Whether a player has all own pawns HOME, and so takes no more turns."""
        return self._is_home(words, color) and (not self.rules.team_pairs or self.rules.team_finished_player == "skips")

    def _is_over(self, words: Sequence[int], color: int) -> bool:
        """Whether all pawns that a color's side needs are HOME."""
        home = [self._is_home(words, each) for each in self._side(color)]
        return any(home) if self.rules.team_win == "first_member" else all(home)

    def _check_playing(self, words: NDArray[np.uint64], mover: int) -> None:
        """Refuses a decision of a side that is done, or in a game that is over."""
        position = words.tolist()
        for color in map(COLORS.index, self.players):
            if self._is_over(position, color) and (self.rules.game_end == "first_home" or color in self._side(mover)):
                done = [COLORS[each] for each in self._side(color) if self._is_home(position, each)]
                raise SimsorryError(f"position: {do(done, 'has', 'have')} all pawns HOME already")
