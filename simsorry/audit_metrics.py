"""Metrics of audited games, every 23rd: leads, the last pawn, who is hit, and what moves and cards come to (``games/audited.py``).

Each turns counts by block of games into numerators and denominators by block.
"""

from collections.abc import Callable

import numpy as np

from simsorry.games import audited
from simsorry.metrics import HAND, SINGLE, Column, Metric, Need, PerGame

NO_HAND = Need(lambda traits: not traits.hand, "is played with hands, whose dead cards are thrown in")

_DESIGNERS = "designers' talk of runaway leaders and catching up; definition of simsorry's own"


def _numbers(counts: Column, section: str, *at: int) -> list[Column]:
    """Some of the numbers of a section, by block."""
    found = audited.section(counts, section)
    return [found[:, index] for index in at or range(found.shape[1])]


def over(top: tuple[str, int], bottom: tuple[str, int]) -> Callable[[Column], PerGame]:
    """One number over another, each given by its section and its place there."""

    def counts(blocks: Column) -> PerGame:
        return _numbers(blocks, *top)[0], _numbers(blocks, *bottom)[0]

    return counts


def feedback(blocks: Column) -> PerGame:
    """The slope of a lead's change on the lead, by sums about the means of all blocks."""
    n, lead, change, squares, products = _numbers(blocks, "leads")
    total = n.sum() or 1.0
    mean, mean_change = lead.sum() / total, change.sum() / total
    return products - mean * change - mean_change * lead + n * mean * mean_change, squares - 2 * mean * lead + n * mean**2


def swing(blocks: Column) -> PerGame:
    """The largest gain of a game, over the games."""
    return _numbers(blocks, "swing_squares")[0], _numbers(blocks, "games")[0]


def rework(blocks: Column) -> PerGame:
    """Squares gained over those by which everybody is nearer HOME in the end."""
    begun, left = _numbers(blocks, "standing")
    gained, _, helped, _ = _numbers(blocks, "squares")
    return gained + helped, begun - left


def lost_to_others(blocks: Column) -> PerGame:
    """Squares lost to others' moves, over the games."""
    return _numbers(blocks, "squares", 3)[0], _numbers(blocks, "games")[0]


def hand_turns(blocks: Column) -> PerGame:
    """Cards held at the beginning of a turn, over the cards that were laid down: how many own turns a card is held."""
    return audited.section(blocks, "held").sum(axis=1), audited.section(blocks, "drawn").sum(axis=1)


def leader_hits(blocks: Column) -> PerGame:
    """Hits on who led, over all hits while somebody did."""
    hits, on_leader = _numbers(blocks, "led")
    return on_leader, hits


def dead_because(reason: str) -> Callable[[Column], PerGame]:
    """Dead cards for one reason, over all cards."""

    def counts(blocks: Column) -> PerGame:
        return _numbers(blocks, "dead", audited.DEAD.index(reason))[0], audited.section(blocks, "drawn").sum(axis=1)

    return counts


def drawn_cards(blocks: Column) -> PerGame:
    """Cards without use, over all cards."""
    return audited.section(blocks, "unused").sum(axis=1), audited.section(blocks, "drawn").sum(axis=1)


def neighbor_hits(step: int) -> Callable[[Column], PerGame]:
    """Hits on who moves so many seats later, over all hits."""

    def counts(blocks: Column) -> PerGame:
        matrix = audited.section(blocks, "hits").reshape(-1, 4, 4)
        seats = np.arange(4)
        there = matrix.sum(axis=2).sum(axis=0) + matrix.sum(axis=1).sum(axis=0) > 0  # seats that are played
        players = int(there.sum())
        if players < 3:
            return np.zeros(len(blocks)), np.zeros(len(blocks))
        victims = (seats[:players] + step) % players
        return matrix[:, seats[:players], victims].sum(axis=1), matrix.sum(axis=(1, 2))

    return counts


def _dead(reason: str, title: str, noun: str, definition: str) -> Metric:
    return Metric(
        f"dead_{reason}", title, noun, "share", definition + " Over all cards drawn.", (), "rate", _none,
        needs=(NO_HAND,), audit=dead_because(reason),
    )  # fmt: skip


def _none(_rows: object) -> PerGame:
    raise TypeError("what is counted of audited games is not in their rows")


AUDITED = (
    Metric(
        "feedback", "Feedback of leads", "the part of a lead that is gained or lost in a round", "share per round",
        "Slope of the change of a side's lead, from one round end to the next, on the lead; in squares to go, over the best other side at "
        "the first of the two: "
        "above 0 leads grow by themselves (runaway), below 0 they shrink (rubber band).",
        (), "drama", _none, plural=False, needs=(SINGLE,), audit=feedback, source=_DESIGNERS,
    ),
    Metric(
        "leader_bash", "Hits on who leads", "hits on who leads", "share",
        "Pawns of who was the last to lead alone at a round end that others sent back (in Ice Soo Sorry!: covered), over all that were "
        "sent back once somebody had led. Blind hitting gives about 1 in as many as there are sides, as leaders hit, too.",
        (), "rate", _none, audit=leader_hits, source="kingmaking and leader bashing, designers' talk; definition of simsorry's own",
    ),
    Metric(
        "relock_share", "Turns with all pawns lost", "turns begun with no pawn on the way although some had been", "share",
        "Turns begun with no pawn out, and not all of them HOME, by players who had had one out before, over all turns.",
        (), "rate", _none, audit=over(("relocked", 0), ("turns", 0)),
    ),
    Metric(
        "stall_turns", "The last pawn", "turns from needing one pawn to the end", "turns",
        "Turns of all players from when the later winner's side needed only one pawn more until it won.",
        (), "rate", _none, needs=(SINGLE,), audit=over(("stall", 0), ("won", 0)),
    ),
    Metric(
        "stall_dead", "Dead turns with the last pawn", "dead turns of the winner that needs one pawn", "turns",
        "Turns without an action that the later winner's side had from when it needed only one pawn more.",
        (), "rate", _none, needs=(SINGLE,), audit=over(("stall", 1), ("won", 0)),
    ),
    Metric(
        "rework", "Squares gained for each that counts", "the squares gained for each that counts in the end", "squares",
        "Squares by which pawns came nearer HOME, over those by which they are nearer when all is over: 1 if nothing is ever lost.",
        (), "rate", _none, plural=False, audit=rework,
    ),
    Metric(
        "squares_lost", "Squares lost to others", "squares lost to others' moves per game", "squares",
        "Squares by which pawns were put back by others' moves in a game: sent back, swapped or swept.",
        (), "rate", _none, audit=lost_to_others,
    ),
    Metric(
        "biggest_swing", "Largest gain", "the largest gain of a game", "squares",
        "Squares that the best single card or use of a game gained whoever made it.",
        (), "rate", _none, plural=False, audit=swing, source="Browne's killer moves, Ludii's largest rise",
    ),
    Metric(
        "hand_hold", "Turns in hand", "the own turns that a card stays in hand", "turns",
        "Own turns that a card is held for before it is played or thrown in, on average: cards in hands at the beginning of turns, over "
        "cards laid down.",
        (), "rate", _none, needs=(HAND,), audit=hand_turns,
    ),
    Metric(
        "dead_cards", "Cards without use", "cards with which nothing is done", "share",
        "Cards with which no pawn was moved, over all cards that were resolved.",
        (), "rate", _none, audit=drawn_cards,
    ),
    _dead(
        "lock", "Dead: nobody out", "cards lost because no pawn is out",
        "Cards that could do nothing because no own pawn was out.",
    ),
    _dead(
        "sorry", "Dead: nobody to hit", "Sorry! cards lost",
        "Sorry! cards that could do nothing.",
    ),
    _dead(
        "blocked", "Dead: pawns in the way", "cards lost because pawns are in the way",
        "Cards that could do nothing because pawns were in the way.",
    ),
    _dead(
        "exact", "Dead: HOME too near", "cards lost because HOME is too near",
        "Cards that could do nothing because no pawn on its way had that far to go.",
    ),
    Metric(
        "hits_next", "Hits on the next player", "hits on who moves next", "share",
        "Hits on the player who moves next, over all hits, among three or more: 1 in as many as there are others if all are hit alike.",
        (), "rate", _none, audit=neighbor_hits(1),
    ),
)  # fmt: skip
