"""Metrics of the course of a game: tension, leads and comebacks, and luck.

They rest on the standings at round ends (``games/course.py``), when all have had as many turns; a lead that is only due to having moved
already is none. They are of games with a winner and at least one round end before the end, and of single rounds: in a match of several
the standings say nothing of points. In team play sides are teams.
"""

from collections.abc import Callable

import numpy as np

from simsorry.games.columns import CHECKPOINTS, UNIT
from simsorry.metrics import ALONE, SINGLE, Column, Metric, Need, PerGame, Rows

GAUGE = Need(lambda traits: traits.gauge, "was played without a gauge of the chance to win (--chances)")

LOWER_RANKS = {2: "second", 3: "third", 4: "fourth"}  # behind who leads
TEAMS_AT_TABLE = 2  # that can have a rank, in team play

# Where each idea is from; the definitions are simsorry's own.
BROWNE = "after Browne 2008 and Ludii's state evaluation metrics, with round ends in place of moves and all opponents looked at"
DESIGNERS = "designers' talk of runaway leaders and catching up; definition of simsorry's own"


def watched(rows: Rows) -> Column:
    """Which games have a winner and a round end before the end."""
    found: Column = rows.decided & (rows.games["round_ends"] > 0)
    return found


def part(column: str) -> Callable[[Rows], PerGame]:
    """The mean over games of a share that is stored in ten-thousandths."""

    def counts(rows: Rows) -> PerGame:
        there = watched(rows)
        return np.where(there, rows.games[column].astype(np.int64), 0), there * np.int64(UNIT)

    return counts


def sides_of(rows: Rows) -> tuple[Column, int]:
    """The seats that stand for a side, games x seats, and how many there are in a game."""
    if not rows.traits.teams:
        return np.ones((len(rows), rows.players), dtype=bool), rows.players
    other = ~rows.first_team
    alone = np.zeros((len(rows), rows.players), dtype=bool)
    alone[:, 0] = True
    np.put_along_axis(alone, other.argmax(axis=1)[:, None], True, axis=1)
    return alone, 2


def leader_won(percent: int) -> Callable[[Rows], tuple[Column, Column, int]]:
    """Whether the sole leader at a checkpoint won, whether there was one, and the number of sides."""

    def found(rows: Rows) -> tuple[Column, Column, int]:
        alone, sides = sides_of(rows)
        leads = (rows.seat(f"rank_{percent}") == 1) & alone
        there = (leads.sum(axis=1) == 1) & rows.decided
        return (leads & (rows.seat("won") == 1)).any(axis=1) & there, there, sides

    return found


def lead_conversion(percent: int) -> Callable[[Rows], PerGame]:
    """Games won by who alone led at a checkpoint."""

    def counts(rows: Rows) -> PerGame:
        won, there, _ = leader_won(percent)(rows)
        return won, there

    return counts


def rank_conversion(percent: int, rank: int) -> Callable[[Rows], PerGame]:
    """Games won by who alone had a rank at a checkpoint."""

    def counts(rows: Rows) -> PerGame:
        alone, _ = sides_of(rows)
        ranks, won = rows.seat(f"rank_{percent}"), rows.seat("won")
        holders, winners = np.zeros((2, len(rows)), dtype=np.int8)
        for seat in range(rows.players):  # seat by seat, which is much faster than sums over the short axis
            holds = (ranks[:, seat] == rank) & alone[:, seat]
            holders += holds
            winners += holds & (won[:, seat] == 1)
        there = (holders == 1) & rows.decided
        return (winners == 1) & there, there

    return counts


def runaway(percent: int) -> Callable[[Rows], PerGame]:
    """The same, from 0 where a lead is worth nothing to 1 where it always wins."""

    def counts(rows: Rows) -> PerGame:
        won, there, sides = leader_won(percent)(rows)
        return sides * won.astype(np.int64) - there, there * np.int64(sides - 1)

    return counts


def comeback(percent: int) -> Callable[[Rows], PerGame]:
    """Games won by who alone was last at a checkpoint."""

    def counts(rows: Rows) -> PerGame:
        alone, sides = sides_of(rows)
        ranks = rows.seat(f"rank_{percent}")
        there = (ranks > 0).all(axis=1) & rows.decided
        return ((ranks == sides) & alone & (rows.seat("won") == 1)).any(axis=1) & there, there

    return counts


def winning_margin(rows: Rows) -> PerGame:
    """Squares that the nearest opponent of the winner still had to go."""
    left = np.where(rows.seat("won") == 1, np.int64(1 << 40), rows.seat("pips_left").astype(np.int64))
    if rows.traits.teams:
        left = np.where(rows.seat("won") == 1, 0, rows.seat("pips_left").astype(np.int64))
        return np.where(rows.decided, left.sum(axis=1), 0), rows.decided
    return np.where(rows.decided, left.min(axis=1), 0), rows.decided


def shutouts_within(pawns: int) -> Callable[[Rows], PerGame]:
    """Decided games in which no loser has more than so many pawns HOME."""

    def counts(rows: Rows) -> PerGame:
        losers_home = np.where(rows.seat("won") == 1, 0, rows.seat("pawns_home")).max(axis=1)
        return (losers_home <= pawns) & rows.decided, rows.decided

    return counts


def no_choice(rows: Rows) -> PerGame:
    """Games in which somebody never had a choice."""
    return (rows.seat("choice_turns") == 0).any(axis=1), np.ones(len(rows), dtype=np.int64)


def turns_once(rows: Rows) -> PerGame:
    """The lengths."""
    return rows.games["turns"].astype(np.int64), np.ones(len(rows), dtype=np.int64)


def turns_squared(rows: Rows) -> Column:
    """The squares of the lengths."""
    squares: Column = rows.games["turns"].astype(np.int64) ** 2
    return squares


def no_sum(rows: Rows) -> PerGame:
    """Nothing, and the squares of the numbers of players: deviations are taken within a game, where they add up to nothing."""
    many = np.where(rows.decided, np.int64(rows.players) ** 2, 0)
    return np.zeros(len(rows), dtype=np.int64), many


def squares_within(rows: Rows) -> Column:
    """How far the players' squares to go are apart within a game, squared."""
    left = np.where(rows.decided[:, None], rows.seat("pips_left").astype(np.int64), 0)
    found: Column = rows.players * (left**2).sum(axis=1) - left.sum(axis=1) ** 2
    return found


# -- luck ------------------------------------------------------------------------------------------


def relative_luck(rows: Rows) -> Column:
    """Everybody's luck beyond the mean of all, times the number of players, games x seats."""
    luck = rows.seat("luck").astype(np.int64)
    found: Column = rows.players * luck - luck.sum(axis=1, keepdims=True)
    return np.where(rows.decided[:, None], found, 0)


def relative_wins(rows: Rows) -> Column:
    """Having won beyond an even share, times the number of players, games x seats."""
    won = rows.seat("won").astype(np.int64)
    found: Column = rows.players * won - won.sum(axis=1, keepdims=True)
    return np.where(rows.decided[:, None], found, 0)


def luck_and_wins(rows: Rows) -> PerGame:
    """Sums of the products of luck and wins, and of the squares of wins."""
    won = relative_wins(rows)
    return (relative_luck(rows) * won).sum(axis=1), (won**2).sum(axis=1)


def luck_squared(rows: Rows) -> Column:
    """Sums of the squares of luck."""
    squares: Column = (relative_luck(rows) ** 2).sum(axis=1)
    return squares


def squared_correlation(products: Column, wins: Column, luck: Column) -> PerGame:
    """Numbers by block whose ratio of sums is the squared correlation, with the error that it has to first order."""
    slope = products.sum() / luck.sum() if luck.sum() else 0.0
    return 2 * slope * products - slope**2 * luck, wins


# -- the list --------------------------------------------------------------------------------------

_OF_COURSE = ("round_ends", "winner")
_OF_RANKS = ("won", "winner", "table_seat")


def _course(name: str, column: str, title: str, noun: str, definition: str, *, headline: bool = False, plural: bool = False) -> Metric:
    return Metric(
        name, title, noun, "share", definition, (f"walked_{column}", *_OF_COURSE), "drama", part(f"walked_{column}"),
        headline=headline, plural=plural, needs=(SINGLE,), source=BROWNE,
    )  # fmt: skip


def _chance(name: str, column: str, title: str, noun: str, definition: str) -> Metric:
    return Metric(
        name, title, noun, "share", definition, (f"chance_{column}", *_OF_COURSE), "drama", part(f"chance_{column}"),
        plural=False, needs=(SINGLE, GAUGE), source=BROWNE,
    )  # fmt: skip


COURSE = (
    _course(
        "drama_avg", "mean", "Drama", "the later winner's average deficit, as a part of the way,",
        "How far the later winner is behind who leads, in squares to go over those of the whole way; the mean of all round ends of a game, "
        "then of all games. 0 for a winner who always led.",
        headline=True,
    ),
    _course(
        "last_lead_take", "last_lead", "Lead taken for good", "the part of a game that is over when the lead is taken for good",
        "How much of a game is over at the last round end at which the later winner was not the sole leader in squares to go, over all its "
        "rounds: 0 for a winner who always led alone, near 100% where the last round decides.",
        headline=True,
    ),
    *(
        Metric(
            f"runaway_{percent}", f"Runaway at {percent}%", f"the edge of whoever leads at {percent}% of the way",
            "share of the possible",
            f"How much more often than evenly who alone leads wins, at the first round end at which somebody has {percent}% of the "
            "way behind them: 0 if a lead is worth nothing, 100% if it always wins. Games without a sole leader then do not count.",
            (f"rank_{percent}", *_OF_RANKS), "drama", runaway(percent), headline=percent == 50, plural=False, needs=(SINGLE,),
            source=DESIGNERS,
        )
        for percent in CHECKPOINTS
    ),
    *(
        Metric(
            f"comeback_{percent}", f"Comebacks at {percent}%", f"wins of whoever is last at {percent}% of the way", "share",
            f"Games won by who alone was last at the first round end at which somebody had {percent}% of the way behind them.",
            (f"rank_{percent}", *_OF_RANKS), "game_share", comeback(percent), headline=percent == 50, needs=(SINGLE,), source=DESIGNERS,
        )
        for percent in CHECKPOINTS
    ),
    *(
        Metric(
            f"lead_conv_{percent}", f"Leads won at {percent}%", f"wins of whoever leads at {percent}% of the way", "share",
            f"Games won by who alone led at the first round end at which somebody had {percent}% of the way behind them, over the games "
            "that had a sole leader then.",
            (f"rank_{percent}", *_OF_RANKS), "game_share", lead_conversion(percent), needs=(SINGLE,), source=DESIGNERS,
        )
        for percent in CHECKPOINTS
    ),
    *(
        Metric(
            f"win_at_{percent}_rank_{rank}", f"Won from rank {rank} at {percent}%",
            f"wins of whoever is {place} at {percent}% of the way", "share",
            f"Games won by who alone was {place} at the first round end at which somebody had {percent}% of the way behind them, over the "
            "games in which somebody was.",
            (f"rank_{percent}", *_OF_RANKS), "game_share", rank_conversion(percent, rank),
            needs=(SINGLE, ALONE) if rank > TEAMS_AT_TABLE else (SINGLE,), source=DESIGNERS,
        )
        for percent in CHECKPOINTS
        for rank, place in LOWER_RANKS.items()
    ),
    _course(
        "drama_max", "most", "Deepest deficit", "the deepest deficit of the later winner",
        "How far the later winner was behind who led at most at any round end, as a part of the whole way.",
    ),
    _course(
        "drama_root", "root", "Drama, root", "the root of how far the later winner is behind, where it is behind,",
        "Mean square root of how far the later winner is behind, over the round ends of a game at which it is; 0 where it never is.",
    ),
    _course(
        "drama_rank", "rank", "Opponents ahead of the winner", "the part of the others who are ahead of the later winner",
        "The share of the other sides who have fewer squares to go than the later winner, on average over the round ends of a game.",
    ),
    _course(
        "behind_share", "behind", "Time behind", "the part of the game that the later winner is behind",
        "Round ends at which somebody has fewer squares to go than the later winner, over all round ends of the game.",
    ),
    _course(
        "decided_share", "decided", "Decided early", "the part of the game that is played after it is decided",
        "How much of a game is still to come when the later winner has come nearer to winning than anybody else ever does in it.",
    ),
    _chance("chance_drama", "mean", "Drama, by chances", "how far the later winner's chance is behind", "Drama by the chance to win."),
    _chance(
        "chance_drama_max", "most", "Deepest deficit, by chances", "the deepest deficit of the later winner's chance",
        "How far the later winner's chance was below the highest at most.",
    ),
    _chance(
        "chance_decided", "decided", "Decided early, by chances", "the part of the game that is played after its chances are decided",
        "How much of a game is still to come when the later winner's chance has come higher than anybody else's ever does in it.",
    ),
    _chance(
        "chance_last_lead", "last_lead", "Favorite for good", "the part of a game that is over when its winner is the favorite for good",
        "How much of a game is over at the last round end at which the later winner did not alone have the highest chance.",
    ),
    _chance(
        "t90", "sure", "As good as won", "the part of a game that is over when it is as good as won",
        "How much of a game is over at the last round end at which its winner's chance was below 90%.",
    ),
    _chance(
        "uncertainty", "open", "Uncertainty", "how open the game is",
        "Entropy of the chances to win over that of equal chances, on average over the round ends of a game: 100% if nobody is favored.",
    ),
    _chance(
        "uncertainty_late", "open_late", "Uncertainty, last quarter", "how open the last quarter of a game is",
        "The same over the last quarter of a game's round ends.",
    ),
    _chance(
        "dead_man_turns", "written_off", "Turns without hope", "turns of players with a chance below 1%",
        "Turns of players who have a chance below 1% at the round end before, over all turns.",
    ),
    Metric(
        "winning_margin", "Winning margin", "the squares that the nearest opponent still has to go", "squares",
        "Squares that the nearest opponent of the winner, in team play the other team, still has to go when the game is won.",
        ("pips_left", "won", "winner"), "rate", winning_margin, plural=False, needs=(SINGLE,), source="TAG: LeaderGap",
    ),
    Metric(
        "finish_spread", "Field at the finish", "the spread of the field at the finish", "squares",
        "Standard deviation of what the players of a game still have to go when it is won, over all of them and all games.",
        ("pips_left", "winner"), "rate", no_sum, plural=False, needs=(SINGLE,), squares=squares_within, source="TAG, Ludii: score spreads",
    ),
    *(
        Metric(
            f"shutouts_{pawns}", f"Wins with at most {pawns} against", f"games in which no loser has more than {pawns} HOME", "share",
            f"Decided games in which no loser has more than {pawns} of their pawns HOME when the winner finishes.",
            ("pawns_home", "won", "winner"), "game_share", shutouts_within(pawns), needs=(SINGLE,),
        )
        for pawns in (1, 2)
    ),
    Metric(
        "no_choice_games", "Games without a choice for somebody", "games in which somebody never has a choice", "share",
        "Games in which at least one player never had a turn with a choice.",
        ("choice_turns",), "game_share", no_choice, event=True, source="write-ups of Trouble simulations",
    ),
    Metric(
        "turns_sd", "Spread of the length", "the spread of the length", "turns",
        "Standard deviation of the turns of a game.",
        ("turns",), "length", turns_once, plural=False, squares=turns_squared,
    ),
    Metric(
        "luck_share", "Luck of the draw", "the part of winning that the luck of the draw explains", "share",
        "Squared correlation of winning with one's own luck beyond that of all: what one's cards and dice were worth more than the average "
        "of those that could have come, each card at a fixed worth in squares. It leaves out what luck does through others' choices and "
        "through when a card comes, so it is the least that is luck.",
        ("luck", "won", "winner"), "drama", luck_and_wins, plural=False, squares=luck_squared,
        fold=squared_correlation,
        needs=(SINGLE,), source="backgammon's luck accounts and AIVAT",
    ),
)  # fmt: skip
