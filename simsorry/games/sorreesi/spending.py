"""What there is to spend in a decision: dice, card and bonus moves, read and checked against the rules."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from simsorry.errors import SimsorryError
from simsorry.games.given import card_number
from simsorry.games.options import CARDS
from simsorry.games.sorreesi import actions, state
from simsorry.games.sorreesi.rules import Rules
from simsorry.toml import brief

NO_CARD = int(state.NO_CARD)
MOST_BONUS = 64  # more bonus moves than anybody could ever have open

_TURN = 3  # rolls at most
_CARD = int(actions.CARD)
_HOP, _START, _BACK, _SWAP, _STOP = map(int, (actions.HOP, actions.START, actions.BACK, actions.SWAP, actions.STOP))


class Pool(NamedTuple):
    """What there is to spend, as far as it is unspent."""

    rules: Rules
    dice: tuple[int, ...]
    card: int  # NO_CARD if there is none
    bonus: tuple[int, ...]  # squares
    bonus_open: bool  # whether bonus moves may be made now
    order: tuple[int, int] | None = None  # what the two dice show, in the order in which they were rolled, if that is known

    @property
    def card_name(self) -> str | None:
        """The card as it is written."""
        return CARDS[self.card] if self.card < len(CARDS) else None

    @property
    def phase(self) -> int:
        """What the player is at, as the kernel says it."""
        alone = self.bonus_open and self.rules.bonus_timing != "any_time"
        return int(state.BONUS_ALONE if alone else state.POOL)

    @property
    def numbers(self) -> tuple[int, int]:
        """The numbers that the dice show, 0 where there is none."""
        one, other, *_ = [*sorted(set(self.dice)), 0, 0]
        return self.order or (one, other)

    @property
    def counts(self) -> tuple[int, int]:
        """How many dice show each of the numbers."""
        one, other = self.numbers
        return self.dice.count(one), self.dice.count(other) if other else 0

    @property
    def units(self) -> tuple[int, int, int]:
        """The bonus moves by what earned them; those of equal value are one choice, and count for the first."""
        counts, values = Counter(self.bonus), bonus_values(self.rules)
        return tuple(counts[value] if value and value not in values[:kind] else 0 for kind, value in enumerate(values))  # type: ignore[return-value]

    def use(self, action: int) -> tuple[str, ...]:
        """What an action spends, in order."""
        return use_of(self.rules, action, self.numbers, self.card)

    def left(self, action: int, earned: Iterable[int]) -> tuple[list[int], str | None, list[int]]:
        """Dice, card and bonus moves after an action that earns some."""
        dice, bonus = Counter(self.dice), Counter(self.bonus)
        for number, count in zip(self.numbers, dice_of(action), strict=True):
            dice[number] -= count
        bonus[bonus_of(self.rules, action)] -= 1
        bonus.update(earned)
        card = None if action & _CARD else self.card_name
        return sorted(dice.elements()), card, sorted(value for value in bonus.elements() if value)


# -- of an action ----------------------------------------------------------------------------------


def bonus_values(rules: Rules) -> tuple[int, int, int]:
    """The squares of a bonus move by what earns it: HOME, a capture, a fight; 0 where nothing is earned."""
    return rules.home_bonus, rules.capture_bonus, rules.fight_bonus


def dice_of(action: int) -> tuple[int, int]:
    """How many dice of the first and of the second number an action spends."""
    return action >> int(actions.DIE1) & 3, action >> int(actions.DIE2) & 3


def bonus_of(rules: Rules, action: int) -> int:
    """The squares of the bonus move that an action is; 0 if it is none."""
    kind = action >> int(actions.BONUS) & 3
    return bonus_values(rules)[kind - 1] if kind else 0


def use_of(rules: Rules, action: int, numbers: Sequence[int], card: int) -> tuple[str, ...]:
    """What an action spends, in order: "card 11", "die 2"; for stopping "stop"."""
    if action & 15 == _STOP:
        return ("stop",)
    use = [f"die {number}" for number, count in zip(numbers, dice_of(action), strict=True) for _ in range(count)]
    if action & _CARD:
        use.append(f"card {CARDS[card]}")
    if squares := bonus_of(rules, action):
        use.append(f"bonus {squares}")
    return tuple(sorted(use))


class Due(NamedTuple):
    """What the roll can't be ended without (rulebook 13.1), for the actions on offer."""

    pool: Pool
    forward: bool  # the card can carry a pawn forward
    dice: bool
    start: bool  # the dice have to bring a pawn out of the base
    bonus: bool

    @classmethod
    def of(cls, pool: Pool, listed: Sequence[int]) -> "Due":
        """What is due where these are the actions on offer."""
        usable = {number for action in listed for number in _shows_usable(pool, action)}
        passable = {"none": 0, "one": 1, "any": len(pool.dice)}[pool.rules.dice_pass]
        return cls(
            pool=pool,
            forward=any(action & _CARD and action & 15 == _HOP for action in listed),
            dice=sum(number in usable for number in pool.dice) > passable,
            start=pool.rules.enter_forced,
            bonus=pool.rules.bonus_forced,
        )

    def asks_for(self, action: int) -> bool:
        """Whether an action is of a kind that is due."""
        kind, rules = action & 15, self.pool.rules
        if kind == _STOP:
            return False
        if kind == _SWAP:  # the swap of an 11 and the step back of a 10 are the only uses of a card that may be declined (SQ6, HQ14)
            return rules.eleven_swap_forced or self.forward
        if kind == _BACK and self.pool.card_name == "10":
            return rules.ten_back_forced or self.forward
        if action & _CARD:
            return True
        if action >> int(actions.BONUS) & 3:
            return self.bonus
        return self.start if kind == _START else self.dice


def _shows_usable(pool: Pool, action: int) -> list[int]:
    """The numbers of dice that an action shows to have a use: alone or, where only the total counts, in it."""
    counts, alone = dice_of(action), not action & _CARD and sum(dice_of(action)) == 1
    if action & 15 != _HOP or not (alone or pool.rules.combine_mode == "single_hop"):
        return []
    return [number for number, count in zip(pool.numbers, counts, strict=True) if count]


# -- what is given -----------------------------------------------------------------------------------


def read_pool(
    rules: Rules,
    *,
    dice: Any = (),
    card: object = None,
    bonus: Any = (),
    bonus_open: Any = None,
    roll: Any = 1,
) -> Pool:
    """What is given, as a pool; raises SimsorryError if these rules never bring it about."""
    number = NO_CARD if card is None else card_number(card)
    if type(roll) is not int or not 1 <= roll <= _TURN:
        raise SimsorryError(f"roll = {brief(roll)}: a turn has no more than {_TURN} rolls, counted from 1")
    pool = Pool(rules, _read_dice(rules, dice), number, _read_bonus(rules, bonus), _is_open(rules, bonus_open, dice, card))
    _check_roll(pool, roll)
    _check_card(pool, roll)
    return pool


def _read_dice(rules: Rules, written: Any) -> tuple[int, ...]:
    """The unspent dice, lowest first."""
    dice = _numbers("dice", written)
    for die in dice:
        if not 1 <= die <= 6:
            raise SimsorryError(f"dice: {brief(die)} is not on a die; its numbers are 1 to 6")
    if len(dice) <= 2:
        return tuple(dice)
    counts = Counter(dice)
    if not rules.doubles_bottoms:
        raise SimsorryError(f"dice: {len(dice)} are too many; two are rolled (doubles_bottoms = false)")
    if len(dice) > 4 or len(counts) > 2 or max(counts.values()) > 2 or sum(counts) != 7:
        raise SimsorryError("dice: more than two come of equal dice and their undersides alone, such as 2, 2, 5 and 5")
    return tuple(dice)


def _read_bonus(rules: Rules, written: Any) -> tuple[int, ...]:
    """The bonus moves, shortest first."""
    bonus, known = _numbers("bonus", written), sorted(set(bonus_values(rules)) - {0})
    for squares in bonus:
        if squares not in known:
            told = f"those of these rules are of {' or '.join(map(str, known))} squares" if known else "these rules have none"
            raise SimsorryError(f"bonus: there is no bonus move of {brief(squares)}; {told}")
    if len(bonus) > MOST_BONUS:
        raise SimsorryError(f"bonus: {len(bonus)} bonus moves are more than anybody can have; {MOST_BONUS} are possible here")
    return tuple(bonus)


def _numbers(name: str, written: Any) -> list[int]:
    """A list of numbers in order."""
    if not isinstance(written, (list, tuple)):
        raise SimsorryError(f"{name} = {brief(written)} is no list of numbers")
    for number in written:
        if type(number) is not int:
            raise SimsorryError(f"{name}: {brief(number)} is not a whole number")
    return sorted(written)


def _is_open(rules: Rules, given: Any, dice: Sequence[Any], card: object) -> bool:
    """Whether bonus moves may be made now: as given or, if it is not, as the rules have it."""
    if given is not None and not isinstance(given, bool):
        raise SimsorryError(f"bonus_open = {brief(given)} is neither true nor false")
    if rules.bonus_timing == "any_time":
        if given is False:
            raise SimsorryError('bonus_open = false: in these rules bonus moves are made at any time (bonus_timing = "any_time")')
        return True
    alone = not dice and card is None
    if given and not alone:
        raise SimsorryError(f'bonus_open = true: in these rules dice and card come first (bonus_timing = "{rules.bonus_timing}")')
    return alone if given is None else given


def _check_roll(pool: Pool, roll: int) -> None:
    """Refuses a third double that is not played."""
    if roll == _TURN and max(pool.counts) > 1 and pool.rules.third_double == "lose_roll":
        raise SimsorryError('dice: equal dice in the third roll of a turn are not played in these rules (third_double = "lose_roll")')


def _check_card(pool: Pool, roll: int) -> None:
    """Refuses a card that can't be there."""
    rules, name = pool.rules, pool.card_name
    if name is None:
        return
    if not rules.deck_counts.counts[name]:
        raise SimsorryError(f"card {name}: the deck of these rules holds none")
    if rules.resolution_order == "dice_then_card" and pool.dice:
        raise SimsorryError(
            f'card {name}: in these rules the dice are used or gone when the card is drawn (resolution_order = "dice_then_card")'
        )
    if roll > 1 and rules.doubles_redraw == "dice_only":
        raise SimsorryError(f'card {name}: in these rules only the first roll of a turn has a card (doubles_redraw = "dice_only")')
