"""What a player may decide: with the card drawn, or with a hand of cards."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.board import Board, Events, Pawn, Position, write_position
from referee.cards import ways_to_play
from simsorry.games.classic.rules import Rules
from simsorry.games.options import CARDS

ANY_CARD = "random"  # stands for the card that chance throws in


@dataclass
class Outcome:
    """One distinct placement that a card can lead to, with the plainest way to reach it; or what is done instead of playing."""

    text: str
    board: Board
    card: str  # that was drawn or leaves the hand
    compulsory: bool = False
    instead: str = ""  # "pass", "throw" or "idle"; empty where a card is played
    alike: list[Events] = field(default_factory=list)  # what happens on each of the equally plain ways, where they differ

    @property
    def kind(self) -> str:
        """Play, pass, blocked (it only ends the turn, because an own pawn is in the way), throw or idle."""
        return self.instead or ("blocked" if self.events.blocked else "play")

    @property
    def position(self) -> Position:
        """Color to places."""
        return self.board.position

    @property
    def events(self) -> Events:
        """What happens on the plainest way."""
        return self.board.events

    @property
    def passed(self) -> bool:
        """Whether choosing it declines what could be done."""
        return self.instead == "pass"

    @property
    def ends_turn(self) -> bool:
        """Whether choosing it only ends the turn, because an own pawn is in the way."""
        return self.kind == "blocked"

    @property
    def met_on_rides(self) -> int:
        """Opponents' pawns met on slides, on that of the equally plain ways that meets most."""
        return max((events.bumped("ride") for events in self.alike), default=0)

    def note(self, board: Board, compulsory: bool) -> None:
        """Takes another way to the same placement into account."""
        events = board.events
        self.compulsory = self.compulsory or compulsory
        if not self.alike or events.plainness() < self.events.plainness():
            self.alike = []
        elif events.plainness() > self.events.plainness():
            return
        if not self.alike or events.simplicity() < self.events.simplicity():
            self.board = board
        if not any(other.same_as(events) for other in self.alike):
            self.alike.append(events)


@dataclass
class Decision:
    """What a player may do with a card, or with a hand."""

    players: tuple[str, ...]
    color: str
    cards: tuple[str, ...]  # the card drawn, or the hand, oldest first
    outcomes: list[Outcome]  # of playing, each placement once a card, by card and then by text
    others: list[Outcome]  # what is on offer beside them: a pass, or cards thrown in

    @property
    def card(self) -> str:
        """The card, where one was drawn to be played."""
        (card,) = self.cards
        return card

    @property
    def nothing_legal(self) -> bool:
        """Whether there is nothing to play."""
        return not self.outcomes

    @property
    def compulsory(self) -> bool:
        """Whether some action must be taken."""
        return any(outcome.compulsory for outcome in self.outcomes)

    @property
    def pass_offered(self) -> bool:
        """Whether the player may decline what could be done."""
        return any(outcome.passed for outcome in self.others)

    @property
    def choices(self) -> list[Outcome]:
        """The decision set: the outcomes of playing, and what is on offer beside them."""
        return self.outcomes + self.others


def outcomes(rules: Rules, players: tuple[str, ...], seat: int, position: Position, card: str) -> Decision:
    """The decision of the player in ``seat`` who has drawn ``card``; ``players`` are the colors by seat."""
    return decide(_board(rules, players, position), players[seat], card)


def hand_outcomes(
    rules: Rules,
    players: tuple[str, ...],
    seat: int,
    position: Position,
    hand: Sequence[str],
    *,
    followup: bool = False,
    drawn: str | None = None,
    first_turn: bool = False,
) -> Decision:
    """The decision of the player in ``seat`` with a hand, oldest card first.

    ``followup``: a 2 has brought this further card; ``drawn``: only this card of the hand may be played (``play_drawn``);
    ``first_turn``: it is the player's first.
    """
    board = _board(rules, players, position)
    return decide_hand(board, players[seat], hand, followup=followup, drawn=drawn, first_turn=first_turn)


def _board(rules: Rules, players: tuple[str, ...], position: Position) -> Board:
    return Board(rules, players, [Pawn(color, place) for color in players for place in position[color]])


def decide(board: Board, color: str, card: str) -> Decision:
    """The decision about a card drawn."""
    found = _plays(board, color, card)
    declined = [_instead(board, card, "pass")] if found and not any(outcome.compulsory for outcome in found) else []
    return Decision(board.players, color, (card,), found, declined)


def decide_hand(
    board: Board, color: str, hand: Sequence[str], *, followup: bool = False, drawn: str | None = None, first_turn: bool = False
) -> Decision:
    """The decision about a hand."""
    found: list[Outcome] = []
    for card in _distinct(hand) if drawn is None else [drawn]:
        plays = _plays(board, color, card)
        found += plays
        if card == "2" and board.rules.two_playable_idle and not any(outcome.kind == "play" for outcome in plays):
            found.append(_instead(board, card, "idle"))
    decision = Decision(board.players, color, tuple(hand), found, [])
    if not decision.compulsory and not (found and board.rules.optional_counts_as_playable):
        decision.others = _beside_playing(decision, board, followup, first_turn)
    return decision


def _beside_playing(decision: Decision, board: Board, followup: bool, first_turn: bool) -> list[Outcome]:
    """What can be done where no card must be played."""
    rules = board.rules
    if (followup and rules.two_followup_stuck == "end_turn") or (first_turn and rules.first_turn_dead_hand == "skip"):
        return [] if decision.nothing_legal else [_instead(board, "", "pass")]
    if not decision.cards:
        return []
    thrown = {"choose": _distinct(decision.cards), "random": [ANY_CARD], "oldest": [decision.cards[0]]}
    return [_instead(board, card, "throw") for card in thrown[rules.dead_hand]]


def _distinct(hand: Sequence[str]) -> list[str]:
    return sorted(set(hand), key=CARDS.index)


def _instead(board: Board, card: str, what: str) -> Outcome:
    """An outcome that leaves the placement as it is."""
    return Outcome(write_position(board.position), board, card, instead=what)


def _plays(board: Board, color: str, card: str) -> list[Outcome]:
    """The distinct outcomes of playing a card, sorted by their text."""
    found: dict[str, Outcome] = {}
    for way in ways_to_play(board, color, card):
        text = write_position(way.board.position)
        found.setdefault(text, Outcome(text, way.board, card)).note(way.board, way.compulsory)
    return [found[text] for text in sorted(found)]
