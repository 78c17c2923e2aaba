"""Hand-worked decisions of the classic game with a hand: a position, the cards held, and what may be done.

Like ``classic_vectors`` the table knows no implementation. A choice is written as ``"3: red 23 H"`` (play the 3; the groups
that change), ``"throw 3"``, ``"throw random"``, ``"idle 2"``, ``"blocked 3"`` or ``"pass"``; ``"4: "`` is a play that changes nothing.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from classic_vectors import canonical, groups_of


class HandCase(NamedTuple):
    """A decision with a hand, oldest card first, and the whole decision set; red moves."""

    name: str
    position: str
    hand: str
    exactly: tuple[str, ...]
    followup: bool = False
    drawn: str | None = None
    first_turn: bool = False
    compulsory: bool = False
    options: Mapping[str, Any] = {}

    @property
    def players(self) -> tuple[str, ...]:
        """Colors by seat."""
        return tuple(groups_of(self.position))


def written(case: HandCase, card: str, kind: str, text: str) -> str:
    """A choice as the table writes it; ``text`` is the canonical line it leads to."""
    if kind != "play":
        return f"{kind} {card}".strip()
    before, after = groups_of(canonical(groups_of(case.position))), groups_of(text)
    changed = [f"{color} {' '.join(places)}" for color, places in after.items() if places != before[color]]
    return f"{card}: {' / '.join(changed)}"


def check_hand(case: HandCase, found: Iterable[str], compulsory: bool) -> None:
    """Fails unless the decision is what the case says."""
    choices = sorted(found)
    assert choices == sorted(case.exactly)
    assert compulsory == case.compulsory


def named(case: HandCase) -> str:
    """A readable test name."""
    return case.name


def _must(name: str, position: str, hand: str, *exactly: str, **more: Any) -> HandCase:
    return _may(name, position, hand, *exactly, **more)._replace(compulsory=True)


def _may(
    name: str, position: str, hand: str, *exactly: str, followup: bool = False, drawn: str | None = None, first_turn: bool = False,
    **options: Any
) -> HandCase:  # fmt: skip
    shown = ",".join(f"{option}={value}" for option, value in options.items())
    size = len(hand.split())
    return HandCase(f"{name} {shown}".strip(), position, hand, exactly, followup, drawn, first_turn, options={"hand_size": size} | options)


LONE = "red 20 H / yellow S S"  # any forward card can be played
STUCK = "red S Z5 / yellow 40 S"  # only a 1, a 2 to start with, a Sorry!, and cards that go back
SWAP_ONLY = "red 58 H / yellow 20 S"  # an 11 can only swap: 10 squares to HOME

PLAYS = [
    _must("F-41 any card of the hand", LONE, "3 5", "3: red 23 H", "5: red 25 H"),
    _must("13.1 every value once", LONE, "3 5 3", "3: red 23 H", "5: red 25 H"),
    _must("13.1 one placement by two cards is two choices", "red S H / yellow S S", "1 2", "1: red 4 H", "2: red 4 H"),
    _must("cards that cannot be played are not on offer", STUCK, "3 1 8", "1: red 4 Z5", "1: red S H"),
    _must("13.1 optional plays beside compulsory ones, and nothing else", SWAP_ONLY, "11 3", "11: red 20 H / yellow S 58", "3: red 1 H"),
    _must("13.1 a play that changes nothing", "red 28 H / yellow S S", "4 5", "4: ", "5: red 33 H"),
    _must("FQ3 a blocked move once a card", "red 10 13 15 H / yellow S S S S", "3 5", "3: red 10 15 19 H", "3: red 10 13 18 H", "blocked 3",
          "5: red 10 15 18 H", "5: red 10 13 20 H", "blocked 5", own_collision="ends_turn"),
]  # fmt: skip

DEAD = [
    _may("F-42 FQ23 the player chooses what to throw in", STUCK, "3 8 3", "throw 3", "throw 8"),
    _may("FQ23 chance chooses", STUCK, "3 8 3", "throw random", dead_hand="random"),
    _may("FQ23 the card held longest", STUCK, "8 3 3", "throw 8", dead_hand="oldest"),
    _may("FQ22 a swap alone need not be played", SWAP_ONLY, "11 12", "11: red 20 H / yellow S 58", "throw 11", "throw 12"),
    _may("FQ22 a swap alone, else chance throws in", SWAP_ONLY, "11 12", "11: red 20 H / yellow S 58", "throw random", dead_hand="random"),
    _may("FQ22 a swap alone must be played", SWAP_ONLY, "11 12", "11: red 20 H / yellow S 58", optional_counts_as_playable=True),
    _must("FQ5 a forced swap", SWAP_ONLY, "11 12", "11: red 20 H / yellow S 58", eleven_swap_forced=True),
    _may("HQ24 no play need be made", LONE, "3 12", "3: red 23 H", "12: red 32 H", "throw 3", "throw 12", must_move=False),
    _may("no cards, no choice", LONE, "", hand_size=2),
    _may("no cards, nothing for chance to throw in", LONE, "", hand_size=2, dead_hand="random"),
    _may("first turn: nothing is thrown in", STUCK, "3 8", first_turn=True, first_turn_dead_hand="skip"),
    _may("first turn: declining", SWAP_ONLY, "11 12", "11: red 20 H / yellow S 58", "pass", first_turn=True, first_turn_dead_hand="skip"),
    _may("later turns: thrown in", STUCK, "3 8", "throw 3", "throw 8", first_turn_dead_hand="skip"),
    _may("first turn: thrown in", STUCK, "3 8", "throw 3", "throw 8", first_turn=True),
]  # fmt: skip

AFTER_A_TWO = [
    _must("FQ19 another card", LONE, "3 5", "3: red 23 H", "5: red 25 H", followup=True),
    _may("13.1 stuck after a 2", STUCK, "3 8", followup=True),
    _may("13.1 only optional plays after a 2", SWAP_ONLY, "11 12", "11: red 20 H / yellow S 58", "pass", followup=True),
    _may("only optional plays after a 2, and one must be made", SWAP_ONLY, "11 12", "11: red 20 H / yellow S 58", followup=True,
         optional_counts_as_playable=True),
    _may("IQ22 stuck after a 2: thrown in", STUCK, "3 8", "throw 3", "throw 8", followup=True, two_followup_stuck="discard_one"),
    _may("IQ22 only optional plays after a 2: thrown in", SWAP_ONLY, "11 12", "11: red 20 H / yellow S 58", "throw 11", "throw 12",
         followup=True, two_followup_stuck="discard_one"),
    _may("in the first turn nothing is thrown in after a 2", STUCK, "3 8", followup=True, first_turn=True,
         two_followup_stuck="discard_one", first_turn_dead_hand="skip"),
    _must("FQ19 the card drawn", LONE, "3 5", "5: red 25 H", followup=True, drawn="5", two_in_hand="play_drawn"),
    _may("FQ19 the card drawn cannot be played", "red Z5 H / yellow S S", "1 5", followup=True, drawn="5", two_in_hand="play_drawn"),
    _may("FQ19 the card drawn cannot be played: any is thrown in", "red Z5 H / yellow S S", "1 5", "throw 1", "throw 5", followup=True,
         drawn="5", two_in_hand="play_drawn", two_followup_stuck="discard_one"),
]  # fmt: skip

IDLE = [
    _may("a 2 is laid down idle", "red Z5 H / yellow S S", "2 3", "idle 2", "throw 2", "throw 3", two_playable_idle=True),
    _may("no 2 is laid down idle", "red Z5 H / yellow S S", "2 3", "throw 2", "throw 3"),
    _must("not one that can move", "red Z4 20 / yellow S S", "2 3", "2: red 20 H", "2: red 22 Z4", "3: red 23 Z4", two_playable_idle=True),
    _must("beside a compulsory play", "red Z5 H / yellow S S", "2 1", "idle 2", "1: red H H", two_playable_idle=True),
    _may("after another 2", "red Z5 H / yellow S S", "2 3", "idle 2", "pass", followup=True, two_playable_idle=True),
    _may("as the card drawn", "red Z5 H / yellow S S", "1 2", "idle 2", "pass", followup=True, drawn="2", two_playable_idle=True,
         two_in_hand="play_drawn"),
    _may("not where another card was drawn", "red Z5 H / yellow S S", "2 3", followup=True, drawn="3", two_playable_idle=True,
         two_in_hand="play_drawn"),
    _may("where one play must be made", "red Z5 H / yellow S S", "2 3", "idle 2", two_playable_idle=True, optional_counts_as_playable=True),
    _must("beside the choice to end the turn", "red Z3 Z5 / yellow S S", "2 8", "blocked 2", "idle 2", two_playable_idle=True,
          own_collision="ends_turn"),
]  # fmt: skip

IN_TEAMS = [
    _must("H-36 either partner's pawns", "red 20 H / blue S S / yellow 40 H / green S S", "3 1", "3: red 23 H", "3: yellow 43 H",
          "1: red 21 H", "1: yellow 41 H", team_pairs="opposite"),
    _must("HQ37 the partner's pawns are no way out", "red Z5 H / blue S S / yellow 40 H / green S S", "3 5", "3: yellow 43 H",
          "5: yellow 45 H", team_pairs="opposite"),
    _may("own pawns only", "red Z5 H / blue S S / yellow 40 H / green S S", "3 5", "throw 3", "throw 5", team_pairs="opposite",
         team_control="own_only"),
]  # fmt: skip

CASES = PLAYS + DEAD + AFTER_A_TWO + IDLE + IN_TEAMS
