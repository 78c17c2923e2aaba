"""What is measured: one entry in ``METRICS`` each; those of seats, teams, policies and bonuses are listed in ``at_table.py``.

A metric turns the rows of some games into a numerator and a denominator per game, both whole numbers; its value is the sum of the
one over the sum of the other. It is there for every game that counts its columns. What it needs of a ruleset is part of it,
too: where nothing could be counted nothing is said, which is not the same as a count of zero. Sums over blocks are kept in
``tally.py``, intervals are made in ``stats``.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from simsorry.margin import Margin
from simsorry.simulate import Traits

NO_WINNER = 255  # column winner of a game that was cut off
START_LOCK_TURNS = 5
MOVES = ("moves_small", "moves_medium", "moves_large")  # by the size of the pawn that is moved
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
PLAIN = Traits()
TEAM_NAMES = ("the team that moves first", "the other team")

# The sizes of difference that matter unless the user says otherwise, by kind of metric.
MARGINS = {
    "seat_share": Margin(0.01),
    "policy_share": Margin(0.02),
    "game_share": Margin(0.01),
    "round_share": Margin(0.01),
    "length": Margin(0.025, relative=True),
    "points": Margin(0.05, relative=True),
    "place": Margin(0.05),
    "rate": Margin(0.05, relative=True),
    "drama": Margin(0.02),
}

Column = npt.NDArray[Any]
PerGame = tuple[Column, Column]
TableSeats = Callable[[Traits], Sequence[int]]


@dataclass(frozen=True)
class Rows:
    """Some consecutive games of one task: columns per game, and per game and play-order seat."""

    games: Mapping[str, Column]
    seats: Mapping[str, Column]
    players: int
    first_game: int
    traits: Traits = PLAIN
    audits: Column | None = None  # what was counted of audited games, by chunk (``games/audited.py``)

    def __len__(self) -> int:
        return len(self.games["winner"])

    def seat(self, column: str) -> Column:
        """A column of ``seats`` as games x play-order seats."""
        return self.seats[column].reshape(-1, self.players)

    def counted(self, *columns: str) -> Column:
        """The sum of those of these columns of ``games`` that the game counts."""
        found: Column = sum((self.games[name] for name in columns if name in self.games), np.zeros(len(self), dtype=np.int64))
        return found

    def total(self, *columns: str) -> Column:
        """The sum of these columns of ``games``."""
        total: Column = sum((self.games[name].astype(np.int64) for name in columns), np.zeros(len(self), dtype=np.int64))
        return total

    @property
    def decided(self) -> Column:
        """Which games have a winner."""
        decided: Column = self.games["winner"] != NO_WINNER
        return decided

    def sits_at(self, table_seats: TableSeats) -> Column:
        """Which players sit at these table seats, as games x play-order seats."""
        return np.isin(self.seat("table_seat"), table_seats(self.traits))

    @property
    def first_team(self) -> Column:
        """Which players are of the team that moves first, as games x play-order seats."""
        team_at = np.zeros(self.players, dtype=np.int64)  # by table seat
        team_at[list(self.traits.teams[1])] = 1
        teams = team_at[self.seat("table_seat")]
        first: Column = teams == teams[:, :1]
        return first


@dataclass(frozen=True)
class Need:
    """What a ruleset must have for a metric to mean something."""

    holds: Callable[[Traits], bool]
    lacking: str  # said of a ruleset without it: "hasbro keeps no points"


ALONE = Need(lambda traits: not traits.teams, "is played in teams")
TEAMS = Need(lambda traits: bool(traits.teams), "is played without teams")
HAND = Need(lambda traits: traits.hand > 0, "is played without a hand")
POINTS = Need(lambda traits: traits.points, "keeps no points")
MATCH = Need(lambda traits: traits.match, "is a single round")
SINGLE = Need(lambda traits: not traits.match, "is a match of several rounds")
RANKED = Need(lambda traits: traits.places or traits.match, "ranks nobody behind the winner")
ONE_FINISHES = Need(lambda traits: traits.one_finishes, "is won by both partners together")
MOVES_PARTNER = Need(lambda traits: traits.moves_partner, "lets nobody move a partner's pawns")
BUMPS_PARTNER = Need(lambda traits: traits.bumps_partner, "spares partners")
BONUS_MOVES = Need(lambda traits: traits.home_moves or traits.bump_moves, "gives no bonus moves")
HOME_MOVES = Need(lambda traits: traits.home_moves, "gives no bonus moves for HOME")
BUMP_MOVES = Need(lambda traits: traits.bump_moves, "gives no bonus moves for pawns sent back")


@dataclass(frozen=True)
class Metric:
    """One thing that is measured; ``counts`` gives its numerator and denominator for each game."""

    name: str
    title: str  # as a row heading
    noun: str  # as in "<noun> go up from … to …"
    unit: str  # "share" is printed in percent and its differences in percentage points
    definition: str
    columns: tuple[str, ...]
    margin: str  # key of MARGINS
    counts: Callable[[Rows], PerGame]
    headline: bool = False  # in the scorecard; the others are in the longer table
    event: bool = False  # a yes or no of every game
    plural: bool = True  # of the noun
    needs: tuple[Need, ...] = ()  # where one is missing there is nothing to count
    beside: Need | None = None  # shown only where some ruleset at the table has this
    squares: Callable[[Rows], Column] | None = None  # of the values: the metric is then their standard deviation, unless they are folded
    audit: Callable[[Column], PerGame] | None = None  # of audited games: numerators and denominators by block, from the counts by block
    fold: Callable[[Column, Column, Column], PerGame] | None = None  # numerators and denominators by block, from sums, squares included
    source: str = ""  # where the idea is from, if it is a published one
    also: tuple[str, ...] = ()  # columns that come in where a game counts them
    dice: bool | None = None  # True if it is for games with dice alone, False for those without; None for both

    @property
    def is_spread(self) -> bool:
        """Whether it is a standard deviation."""
        return self.squares is not None and self.fold is None

    @property
    def cost(self) -> str:
        """What it takes to know it."""
        if self.audit:
            return "audited games, one in 23"
        if any(column.startswith("chance_") for column in self.columns):
            return "a gauge of the chance to win, fitted first (--chances)"
        if any(column.startswith(("walked_", "rank_")) for column in self.columns):
            return "standings at round ends, worked out when a game ends"
        return "counted in every game"

    @property
    def short(self) -> str:
        """The title inside a sentence."""
        title = self.title.partition(":")[0]
        return title[:1].lower() + title[1:]

    def in_game(self, counted: Collection[str]) -> "Metric | None":
        """The metric of a game that counts these columns, with those that it uses there; None if there is none."""
        if not set(self.columns) <= set(counted) or self.dice not in (None, "rolls" in counted):
            return None
        return replace(self, columns=(*self.columns, *(column for column in self.also if column in counted)))

    def of_games(self, traits: Traits) -> bool:
        """Whether it is a share of the games, each of which is a yes or a no."""
        return self.margin in ("seat_share", "policy_share", "game_share") or (self.margin == "round_share" and not traits.match)

    def of_every_game(self, traits: Traits) -> bool:
        """Whether it is a share of all games, with or without a winner."""
        return self.event or (self.margin == "round_share" and not traits.match)

    def measured(self, traits: Traits) -> bool:
        """Whether there is anything to measure under such rules."""
        return self.lacking(traits) is None

    def lacking(self, traits: Traits) -> str | None:
        """What is to be said of rules under which there is nothing to measure."""
        return next((need.lacking for need in self.needs if not need.holds(traits)), None)


# -- numerators and denominators -------------------------------------------------------------------


def _ones(rows: Rows) -> Column:
    return np.ones(len(rows), dtype=np.int64)


def per_game(column: str) -> Callable[[Rows], PerGame]:
    """The mean of a column over games."""
    return lambda rows: (rows.games[column], _ones(rows))


def per_turn(column: str) -> Callable[[Rows], PerGame]:
    """A column's total over the total number of turns."""
    return lambda rows: (rows.games[column], rows.games["turns_all"])


def share_of(part: str, *whole: str) -> Callable[[Rows], PerGame]:
    """A column's total over that of another, or of several together."""
    return lambda rows: (rows.games[part], rows.total(*whole))


def all_of(*columns: str) -> Callable[[Rows], PerGame]:
    """The mean of several columns together over games."""
    return lambda rows: (rows.total(*columns), _ones(rows))


def choice_turns(rows: Rows) -> PerGame:
    """Turns with a choice of what to do on the board, over all turns."""
    return rows.games["choice_turns"] - rows.counted("throw_choice_turns"), rows.games["turns_all"]


def stuck_turns(rows: Rows) -> PerGame:
    """Turns in which nothing could be done on the board: a dead turn in which the player declined to move had a choice."""
    choice, turns = choice_turns(rows)
    return turns - rows.games["forced_turns"] - choice, turns


def options_per_choice(rows: Rows) -> PerGame:
    """Distinct outcomes over the decisions that have two or more."""
    return rows.games["outcomes"], rows.games["choices"]


def landing_bumps(rows: Rows) -> PerGame:
    """Bumps that neither a slide nor a fight nor the Sorry! card made."""
    return rows.games["bumps"] - rows.counted("bumps_slide", "bumps_fight", "bumps_sorry"), _ones(rows)


def first_start(rows: Rows) -> PerGame:
    """Own turns until the first pawn is out; a player who never got one out has waited all their turns so far."""
    waited = rows.seat("first_start")
    return np.where(waited >= 0, waited, rows.seat("turns")).sum(axis=1), np.full(len(rows), rows.players)


def start_lock(rows: Rows) -> PerGame:
    """Players with no pawn out after so many own turns, over the players of whom that is known."""
    waited, turns = rows.seat("first_start"), rows.seat("turns")
    known = (waited >= 0) | (turns >= START_LOCK_TURNS)
    locked = known & ((waited < 0) | (waited > START_LOCK_TURNS))
    return locked.sum(axis=1), known.sum(axis=1)


def shutouts(rows: Rows) -> PerGame:
    """Decided games in which no loser has a pawn HOME."""
    losers_home = np.where(rows.seat("won") == 1, 0, rows.seat("pawns_home")).max(axis=1)
    return (losers_home == 0) & rows.decided, rows.decided


def own_covers(rows: Rows) -> PerGame:
    """Pawns covered by plays of their own player, over all pawns covered."""
    return rows.seat("own_covers").sum(axis=1), rows.games["pawns_covered"]


def partner_moves(rows: Rows) -> PerGame:
    """Cards with which a pawn of the partner was moved, over all cards."""
    return rows.seat("partner_moves").sum(axis=1), rows.games["draws"]


def all_partner_moves(rows: Rows) -> PerGame:
    """The mean of all moves of a partner's pawn over games."""
    return rows.seat("partner_moves").sum(axis=1), _ones(rows)


def bump_moves_used(rows: Rows) -> PerGame:
    """Bonus moves for pawns sent back that were used, over those that were earned."""
    used = rows.games["bonuses_used"] - rows.games["home_bonuses_used"]
    return used, rows.games["bonuses_earned"] - rows.games["home_bonuses_earned"]


def ended_by_earlier(rows: Rows) -> PerGame:
    """Decided games whose last move is made by the one of the winning partners who comes first in play order."""
    return (rows.seat("won").argmax(axis=1) == rows.games["winner"]) & rows.decided, rows.decided


def partners_pips(won: int, farther: bool = False) -> Callable[[Rows], PerGame]:
    """Squares that the partners who have won or not still have to go, or only the one who is farther from HOME."""

    def counts(rows: Rows) -> PerGame:
        pips = np.where(rows.seat("won") == won, rows.seat("pips_left"), 0)
        return np.where(rows.decided, pips.max(axis=1) if farther else pips.sum(axis=1), 0), rows.decided

    return counts


def per_match_round(column: str) -> Callable[[Rows], PerGame]:
    """A column's total over the number of rounds that the matches took."""
    return lambda rows: (rows.games[column], rows.games["match_rounds"])


def winner_rounds(rows: Rows) -> PerGame:
    """Rounds won by who wins the match, over the rounds of the matches that have a winner."""
    won = np.where(rows.seat("won") == 1, rows.seat("match_rounds_won"), 0).max(axis=1)
    return won, np.where(rows.decided, rows.games["match_rounds"], 0)


def seat_wins(seat: int) -> Callable[[Rows], PerGame]:
    """Decided games won by one play-order seat."""
    return lambda rows: (rows.games["winner"] == seat, rows.decided)


def team_wins(team: int) -> Callable[[Rows], PerGame]:
    """Decided games won by the team of the player who moves first (0), or by the other (1)."""
    return lambda rows: ((rows.seat("won")[:, 0] != team) & rows.decided, rows.decided)


def wins_from(table_seats: TableSeats) -> Callable[[Rows], PerGame]:
    """Decided games won from one of these table seats."""
    return lambda rows: (((rows.seat("won") == 1) & rows.sits_at(table_seats)).any(axis=1), rows.decided)


def at_seat(column: str, seat: int) -> Callable[[Rows], PerGame]:
    """The mean of a column of ``seats`` at one play-order seat."""
    return lambda rows: (rows.seat(column)[:, seat], _ones(rows))


def mean_at(column: str, table_seats: TableSeats) -> Callable[[Rows], PerGame]:
    """The mean of a column of ``seats`` over the players at these table seats."""

    def counts(rows: Rows) -> PerGame:
        there = rows.sits_at(table_seats)
        return np.where(there, rows.seat(column), 0).sum(axis=1), there.sum(axis=1)

    return counts


def placed_at_seat(place: int, seat: int) -> Callable[[Rows], PerGame]:
    """Games in which one play-order seat finishes in this place."""
    return lambda rows: (rows.seat("place")[:, seat] == place, _ones(rows))


def placed_at(place: int, table_seats: TableSeats) -> Callable[[Rows], PerGame]:
    """Players at these table seats who finish in this place, over all who sit there."""

    def counts(rows: Rows) -> PerGame:
        there = rows.sits_at(table_seats)
        return (there & (rows.seat("place") == place)).sum(axis=1), there.sum(axis=1)

    return counts


def team_points(team: int) -> Callable[[Rows], PerGame]:
    """Points of the team that moves first (0), or of the other (1)."""
    return lambda rows: (np.where(rows.first_team != team, rows.seat("points"), 0).max(axis=1), _ones(rows))


def all_points(rows: Rows) -> PerGame:
    """Points of all players, over the players."""
    return rows.seat("points").sum(axis=1), np.full(len(rows), rows.players)


def squared_points(rows: Rows) -> Column:
    """Sum of the squares of the players' points."""
    squares: Column = (rows.seat("points").astype(np.int64) ** 2).sum(axis=1)
    return squares


def winner_points(rows: Rows) -> PerGame:
    """Points of the winner or of the winning team."""
    return np.where(rows.seat("won") == 1, rows.seat("points"), 0).max(axis=1), rows.decided


def number_of(bonus: str, traits: Traits) -> int:
    """The number in the columns, from 1, of the bonus with this key; 0 if the ruleset has none."""
    return next((number for number, each in enumerate(traits.bonuses, start=1) if each.key == bonus), 0)


def bonus_paid(bonus: str) -> Callable[[Rows], PerGame]:
    """Rounds in which the bonus with this key was paid, whatever the ruleset's number for it."""
    return lambda rows: per_match_round(f"band_{number_of(bonus, rows.traits)}")(rows)


# -- the list --------------------------------------------------------------------------------------

METRICS = (
    Metric(
        "turns", "Turns per game", "turns per game", "turns",
        "Turns up to and including the winner's last, forfeited turns included; a turn lasts until play passes on. "
        "A game that was cut off counts with the turns it had, so the mean is then a lower bound.",
        ("turns",), "length", per_game("turns"), headline=True,
    ),
    Metric(
        "dead_share", "Dead turns", "dead turns, in which nothing happens,", "share",
        "Turns in which no action was taken, be it that none was possible or that the player declined, over all turns.",
        ("dead_turns", "turns_all"), "rate", per_turn("dead_turns"), headline=True,
    ),
    Metric(
        "choice_share", "Choice turns", "turns with a choice", "share",
        "Turns in which some decision had two or more distinct outcomes, over all turns; "
        "what may be chosen instead of a move, such as passing, counts as one, too.",
        ("choice_turns", "turns_all"), "rate", per_turn("choice_turns"), headline=True,
    ),
    Metric(
        "board_choice_share", "Choice turns on the board", "turns with a choice on the board", "share",
        "Choice turns without those in which there was nothing to choose but which card of the hand to throw in, over all turns.",
        ("choice_turns", "throw_choice_turns", "turns_all"), "rate", choice_turns, headline=True, beside=HAND,
    ),
    Metric(
        "throw_share", "Cards thrown in", "cards thrown in", "share",
        "Cards of a hand thrown in because none could be played, or none was, over all cards played or thrown in; this is no action.",
        ("throws", "draws"), "rate", share_of("throws", "draws"), headline=True, needs=(HAND,),
    ),
    Metric(
        "options", "Options per choice", "options per choice", "options",
        "Distinct outcomes over the decisions that had two or more of them.",
        ("outcomes", "choices"), "rate", options_per_choice, headline=True,
    ),
    Metric(
        "bumps", "Bumps per game", "bumps per game", "bumps",
        "Opponents' pawns sent back to their start in a game, by any cause.",
        ("bumps",), "rate", per_game("bumps"), headline=True,
    ),
    Metric(
        "bumps_per_turn", "Bumps per turn", "bumps per turn", "bumps",
        "Opponents' pawns sent back to their start, over all turns.",
        ("bumps", "turns_all"), "rate", per_turn("bumps"), headline=True,
    ),
    Metric(
        "covered_share", "Pawns that are covered", "covered pawns, which nobody can move,", "share",
        "Pawns that lie below what can be moved of their pile, over all pawns on the track and in safety zones, both counted at the end of "
        "every turn.",
        ("covered_turns", "pawn_turns"), "rate", share_of("covered_turns", "pawn_turns"), headline=True,
    ),
    Metric(
        "pawns_covered", "Pawns covered per game", "pawns that become covered per game", "pawns",
        "Times per game that a pawn becomes covered, by whatever play.",
        ("pawns_covered",), "rate", per_game("pawns_covered"), headline=True,
    ),
    Metric(
        "longest_cover", "Longest cover", "the longest cover of a game", "turns",
        "Most turns for which one and the same pawn was covered without a break, per game, from the turn that covered it.",
        ("longest_cover",), "rate", per_game("longest_cover"), headline=True, plural=False,
    ),
    Metric(
        "pile_height", "Height of a pile", "the mean height of a pile", "pawns",
        "Pawns on the track and in safety zones, over the squares on which they stand, both counted at the end of every turn; a pawn alone "
        "is a pile of height 1.",
        ("pawn_turns", "pile_turns"), "rate", share_of("pawn_turns", "pile_turns"), headline=True, plural=False,
    ),
    Metric(
        "stack_share", "Moves of a stack", "moves of a stack", "share",
        "Moves of a stack of two or more pawns, over all moves; a part of a split 7 is a move, a start or a swap is none.",
        ("stack_moves", *MOVES), "rate", share_of("stack_moves", *MOVES), headline=True,
    ),
    Metric(
        "fights", "Fights per game", "fights per game", "fights",
        "Fights for a safe square in a game.",
        ("fights",), "rate", per_game("fights"), headline=True,
    ),
    Metric(
        "fights_lost", "Fights lost by the newcomer", "fights lost by the newcomer", "share",
        "Fights after which the pawn that came onto the square, and began the fight, was sent back, over all fights.",
        ("fights_lost", "fights"), "rate", share_of("fights_lost", "fights"), headline=True,
    ),
    Metric(
        "bonuses_earned", "Bonus moves per game", "bonus moves earned per game", "moves",
        "Bonus moves earned in a game, by pawns brought HOME and pawns sent back.",
        ("bonuses_earned",), "rate", per_game("bonuses_earned"), headline=True, needs=(BONUS_MOVES,),
    ),
    Metric(
        "bonuses_lost_share", "Bonus moves lost", "lost bonus moves", "share",
        "Bonus moves lost at the end of the turn, because no pawn could make them or the player did not, over those earned.",
        ("bonuses_lost", "bonuses_earned"), "rate", share_of("bonuses_lost", "bonuses_earned"), headline=True, needs=(BONUS_MOVES,),
    ),
    Metric(
        "start_share", "Turns that bring a pawn out", "turns that bring a pawn out", "share",
        "Turns in which a pawn was brought out of its start by the dice or a number card, over all turns.",
        ("start_turns", "turns_all"), "rate", per_turn("start_turns"), headline=True,
    ),
    Metric(
        "partner_bumps", "Partners bumped", "partners' pawns bumped per game", "pawns",
        "Pawns sent back to their start in a game by a pawn of their partner's color.",
        ("partner_bumps",), "rate", per_game("partner_bumps"), headline=True, needs=(TEAMS, BUMPS_PARTNER),
    ),
    Metric(
        "partner_share", "Cards for the partner", "cards that move a pawn of the partner", "share",
        "Cards with which the player moved a pawn of the partner's color, over all cards.",
        ("partner_moves", "draws"), "rate", partner_moves, headline=True, needs=(TEAMS, MOVES_PARTNER), dice=False,
    ),
    Metric(
        "partner_moves", "Moves of partners' pawns", "moves of partners' pawns per game", "moves",
        "Moves of a pawn of the partner's color in a game, by dice, cards or bonus moves.",
        ("partner_moves",), "rate", all_partner_moves, headline=True, needs=(TEAMS, MOVES_PARTNER), dice=True,
    ),
    Metric(
        "match_rounds", "Rounds of a match", "rounds per match", "rounds",
        "Rounds of a match, each of them played until somebody wins it; not rounds of turns.",
        ("match_rounds",), "length", per_game("match_rounds"), headline=True, needs=(MATCH,),
    ),
    Metric(
        "match_round_turns", "Turns per round of a match", "turns per round of a match", "turns",
        "Turns to the end, over the rounds of the matches; where a game is no match it is one round.",
        ("turns_all", "match_rounds"), "length", per_match_round("turns_all"), headline=True, beside=MATCH,
    ),
    Metric(
        "match_upsets", "Rounds that leave the winner behind", "rounds whose winner does not lead the match afterwards", "share",
        "Rounds whose winner does not alone have most points of the match after it (most rounds won, where no points are kept), over all "
        "rounds of the matches.",
        ("match_upsets", "match_rounds"), "round_share", per_match_round("match_upsets"), headline=True, needs=(MATCH,),
    ),
    Metric(
        "lead_changes", "Lead changes per game", "lead changes per game", "changes",
        "Ends of rounds at which the sole leader in squares to go, in team play the leading team, is not the last sole leader.",
        ("lead_changes",), "rate", per_game("lead_changes"), headline=True,
    ),
    Metric(
        "first_start", "Wait for the first pawn", "the wait for the first pawn to come out, in own turns,", "own turns",
        "Own turn in which a player's first pawn comes out of its start, averaged over players; 0 if it begins outside. "
        "A player who never gets one out counts with the own turns they had.",
        ("first_start", "turns"), "rate", first_start, headline=True, plural=False, needs=(SINGLE,),
    ),
    Metric(
        "capped", "Games cut off", "games cut off", "share",
        "Games that were cut off without a winner or, where play goes on for places, without an end. They stay in every number.",
        ("capped",), "game_share", per_game("capped"), headline=True, event=True,
    ),
    Metric(
        "rounds", "Rounds per game", "rounds per game", "rounds",
        "Times play came back to the first seat still playing, counting the round begun.",
        ("rounds",), "length", per_game("rounds"),
    ),
    Metric(
        "turns_all", "Turns to the end", "turns to the end of the game", "turns",
        "Turns to the end of the game; more than the winner's where play goes on for places.",
        ("turns_all",), "length", per_game("turns_all"),
    ),
    Metric(
        "draws", "Cards per game", "cards per game", "cards",
        "Cards resolved, whatever became of them; a further card after a 2 adds a card, not a turn.",
        ("draws",), "length", per_game("draws"),
    ),
    Metric(
        "stuck_share", "Stuck turns", "turns in which nothing can be done", "share",
        "Turns without any possible action, over all turns; dead turns in which the player could have moved are not among them.",
        ("turns_all", "forced_turns", "choice_turns"), "rate", stuck_turns, also=("throw_choice_turns",),
    ),
    Metric(
        "forced_share", "Forced turns", "forced turns", "share",
        "Turns with an action and never more than one distinct outcome to choose from, over all turns.",
        ("forced_turns", "turns_all"), "rate", per_turn("forced_turns"),
    ),
    Metric(
        "bumps_landing", "Bumps by landing", "bumps by landing on a pawn", "bumps",
        "Bumps per game made by landing on a pawn: all but those whose cause is counted by itself.",
        ("bumps",), "rate", landing_bumps, also=("bumps_slide", "bumps_fight", "bumps_sorry"),
    ),
    Metric(
        "bumps_slide", "Bumps by sliding", "bumps on slides", "bumps",
        "Bumps per game of pawns met while riding a slide.",
        ("bumps_slide",), "rate", per_game("bumps_slide"),
    ),
    Metric(
        "bumps_sorry", "Bumps by Sorry!", "bumps by the Sorry! card", "bumps",
        "Bumps per game of pawns hit by the Sorry! card itself.",
        ("bumps_sorry",), "rate", per_game("bumps_sorry"),
    ),
    Metric(
        "bumps_fight", "Bumps by fights", "bumps by fights", "bumps",
        "Bumps per game of pawns that lose a fight, whoever began it.",
        ("bumps_fight",), "rate", per_game("bumps_fight"),
    ),
    Metric(
        "multi_captures", "Moves that bump several", "moves that bump several pawns at once", "moves",
        "Moves per game that send back two or more pawns by landing on them.",
        ("multi_captures",), "rate", per_game("multi_captures"),
    ),
    Metric(
        "fight_ties", "Ties per fight", "ties per fight", "ties",
        "Rolls in which the highest dice of two sides are equal, over all fights.",
        ("fight_ties", "fights"), "rate", share_of("fight_ties", "fights"),
    ),
    Metric(
        "bonuses_used", "Bonus moves used per game", "bonus moves made per game", "moves",
        "Bonus moves made in a game.",
        ("bonuses_used",), "rate", per_game("bonuses_used"), needs=(BONUS_MOVES,),
    ),
    Metric(
        "bonuses_lost", "Bonus moves lost per game", "bonus moves lost per game", "moves",
        "Bonus moves lost in a game; what is open when the game ends is neither used nor lost.",
        ("bonuses_lost",), "rate", per_game("bonuses_lost"), needs=(BONUS_MOVES,),
    ),
    Metric(
        "home_moves_used", "Bonus moves for HOME that are used", "bonus moves for HOME that are made", "share",
        "Bonus moves for pawns brought HOME that were made, over those earned.",
        ("home_bonuses_used", "home_bonuses_earned"), "rate", share_of("home_bonuses_used", "home_bonuses_earned"), needs=(HOME_MOVES,),
    ),
    Metric(
        "bump_moves_used", "Bonus moves for bumps that are used", "bonus moves for pawns sent back that are made", "share",
        "Bonus moves for pawns sent back that were made, over those earned.",
        ("bonuses_used", "bonuses_earned", "home_bonuses_used", "home_bonuses_earned"), "rate", bump_moves_used, needs=(BUMP_MOVES,),
    ),
    Metric(
        "own_bumps", "Own pawns bumped", "own pawns bumped per game", "pawns",
        "Pawns of the mover's own color sent back to their start in a game.",
        ("own_bumps",), "rate", per_game("own_bumps"),
    ),
    Metric(
        "own_covers_share", "Pawns covered by their own player", "pawns covered by their own player", "share",
        "Pawns that become covered by a play of the player whose pawns they are, over all pawns that become covered.",
        ("own_covers", "pawns_covered"), "rate", own_covers,
    ),
    Metric(
        "pawns_freed", "Pawns freed per game", "pawns freed per game", "pawns",
        "Times per game that a covered pawn is covered no longer, and still in play.",
        ("pawns_freed",), "rate", per_game("pawns_freed"),
    ),
    Metric(
        "covers", "Landings that cover", "landings that cover a pawn", "landings",
        "Starts and moves per game that end with what is moved covering the pawn beneath it.",
        ("covers",), "rate", per_game("covers"),
    ),
    Metric(
        "stacks", "Landings that stack", "landings that stack on a pawn", "landings",
        "Starts and moves per game that end with what is moved stacked on the pawn beneath it.",
        ("stacks",), "rate", per_game("stacks"),
    ),
    Metric(
        "highest_pile", "Highest pile", "the highest pile of a game", "pawns",
        "Most pawns on one square at the end of a play, per game.",
        ("highest_pile",), "rate", per_game("highest_pile"), plural=False,
    ),
    Metric(
        "moves", "Moves per game", "moves per game", "moves",
        "Moves forward and backward per game, of one pawn or of a stack; a part of a split 7 is a move, a start or a swap is none.",
        MOVES, "rate", all_of(*MOVES),
    ),
    *(
        Metric(
            f"{size}_share", f"Moves of {size} pawns", f"moves of {size} pawns", "share",
            f"Moves of a {size} pawn, alone or with the stack under it, over all moves.",
            MOVES, "rate", share_of(f"moves_{size}", *MOVES),
        )
        for size in ("small", "medium", "large")
    ),
    Metric(
        "carried", "Pawns carried per game", "other colors' pawns carried per game", "pawns",
        "Pawns of other colors in the stacks that are moved, per game.",
        ("carried",), "rate", per_game("carried"),
    ),
    Metric(
        "swept", "Pawns swept per game", "pawns swept along by slides per game", "pawns",
        "Pawns that slides take along, per game, those that ride the slide by the move itself left out.",
        ("swept",), "rate", per_game("swept"),
    ),
    Metric(
        "swaps", "Swaps per game", "swaps per game", "swaps",
        "11s used to change places, per game.",
        ("swaps",), "rate", per_game("swaps"),
    ),
    Metric(
        "slides", "Slides per game", "slides ridden per game", "slides",
        "Slides ridden per game.",
        ("slides",), "rate", per_game("slides"),
    ),
    Metric(
        "splits", "Split 7s per game", "split 7s per game", "7s",
        "7s split between pawns, per game.",
        ("splits",), "rate", per_game("splits"),
    ),
    Metric(
        "backs", "Backward moves per game", "backward moves per game", "moves",
        "Backward moves per game.",
        ("backs",), "rate", per_game("backs"),
    ),
    Metric(
        "starts", "Starts per game", "starts per game", "pawns",
        "Pawns brought out of their start in a game, by other means than a Sorry! card.",
        ("starts",), "rate", per_game("starts"),
    ),
    Metric(
        "sorry_starts", "Starts by Sorry! per game", "starts by a Sorry! card per game", "pawns",
        "Pawns brought out of their start by a Sorry! card, per game.",
        ("sorry_starts",), "rate", per_game("sorry_starts"),
    ),
    Metric(
        "starts_dice_share", "Starts by the dice", "starts by the dice", "share",
        "Pawns brought out of their start by the dice, over all brought out by other means than a Sorry! card.",
        ("starts_dice", "starts"), "rate", share_of("starts_dice", "starts"),
    ),
    Metric(
        "both_share", "Turns with dice and card", "turns in which both dice and a card are used", "share",
        "Turns in which a die and a card were used, over all turns.",
        ("both_turns", "turns_all"), "rate", per_turn("both_turns"),
    ),
    Metric(
        "dice_share", "Turns with dice alone", "turns in which only dice are used", "share",
        "Turns in which dice were used and no card, over all turns.",
        ("dice_turns", "turns_all"), "rate", per_turn("dice_turns"),
    ),
    Metric(
        "card_share", "Turns with a card alone", "turns in which only a card is used", "share",
        "Turns in which a card was used and no die, over all turns.",
        ("card_turns", "turns_all"), "rate", per_turn("card_turns"),
    ),
    Metric(
        "rolls_per_turn", "Rolls per turn", "rolls per turn", "rolls",
        "Rolls of the dice over all turns; the dice of fights are not among them.",
        ("rolls", "turns_all"), "rate", per_turn("rolls"),
    ),
    Metric(
        "draws_per_turn", "Cards per turn", "cards per turn", "cards",
        "Cards resolved, whatever became of them, over all turns.",
        ("draws", "turns_all"), "rate", per_turn("draws"),
    ),
    Metric(
        "dice_per_roll", "Dice used per roll", "dice used per roll", "dice",
        "Dice used, alone or added up with others, over all rolls.",
        ("dice_used", "rolls"), "rate", share_of("dice_used", "rolls"),
    ),
    Metric(
        "cards_used_share", "Cards that are used", "cards that are used", "share",
        "Cards used over all cards drawn.",
        ("cards_used", "draws"), "rate", share_of("cards_used", "draws"),
    ),
    Metric(
        "hops", "Moves by added counts", "moves for which counts are added up", "moves",
        "Moves per game for which several counts of dice and card were added up.",
        ("hops",), "rate", per_game("hops"),
    ),
    Metric(
        "stops", "Rolls ended early", "rolls ended early", "share",
        "Times that a player stopped although something could still be used, over all rolls.",
        ("passes", "rolls"), "rate", share_of("passes", "rolls"),
    ),
    Metric(
        "third_doubles", "Third doubles per game", "third doubles per game", "rolls",
        "Third rolls of equal dice in the same turn, per game.",
        ("third_doubles",), "rate", per_game("third_doubles"),
    ),
    Metric(
        "penalties", "Penalties per game", "pawns sent back for a third double per game", "pawns",
        "Pawns sent back for a third roll of equal dice, per game; they are no bumps, and such a turn is not dead.",
        ("penalties",), "rate", per_game("penalties"),
    ),
    Metric(
        "start_lock", f"Locked for {START_LOCK_TURNS} turns", f"players with no pawn out after {START_LOCK_TURNS} own turns", "share",
        f"Players with no pawn out after {START_LOCK_TURNS} own turns, over the players of whom that is known.",
        ("first_start", "turns"), "rate", start_lock, needs=(SINGLE,),
    ),
    Metric(
        "shutouts", "Shutouts", "games in which no loser has a pawn HOME", "share",
        "Decided games in which no loser has a pawn HOME when the winner finishes.",
        ("pawns_home", "won", "winner"), "game_share", shutouts, needs=(SINGLE,),
    ),
    Metric(
        "throws", "Cards thrown in per game", "cards thrown in per game", "cards",
        "Cards of a hand thrown in because none could be played, or none was, per game.",
        ("throws",), "rate", per_game("throws"), needs=(HAND,),
    ),
    Metric(
        "points_sd", "Spread of a player's points", "the spread of a player's points", "points",
        "Standard deviation of the points of a player in a game, all seats together; in team play of the team's points.",
        ("points",), "points", all_points, plural=False, needs=(POINTS,), squares=squared_points,
    ),
    Metric(
        "ended_by_earlier", "Wins ended by the earlier partner", "wins ended by the partner who moves earlier", "share",
        "Games whose winning move is made by the one of the winning partners who comes first in play order, over the games that have "
        "a winner.",
        ("won", "winner"), "game_share", ended_by_earlier, needs=(TEAMS, SINGLE),
    ),
    Metric(
        "losers_pips", "Squares left to the losers", "squares that the losing partners still have to go", "squares",
        "Squares that all pawns of both losing partners still have to go when the other team has won; from its start a pawn has one more "
        "to go than from the square on which it comes out.",
        ("pips_left", "won", "winner"), "rate", partners_pips(0), needs=(TEAMS, SINGLE),
    ),
    Metric(
        "losers_far_pips", "Squares left to the farther loser", "squares that the farther losing partner still has to go", "squares",
        "Of these, the squares of the losing partner who has more to go.",
        ("pips_left", "won", "winner"), "rate", partners_pips(0, farther=True), needs=(TEAMS, SINGLE),
    ),
    Metric(
        "winners_pips", "Squares left to the winners", "squares that the winning partners still have to go", "squares",
        "Squares that the partner of the player who has won the game for both still has to go.",
        ("pips_left", "won", "winner"), "rate", partners_pips(1), needs=(TEAMS, ONE_FINISHES, SINGLE),
    ),
    Metric(
        "winner_rounds", "Rounds won by the winner of the match", "rounds won by the winner of the match", "share",
        "Rounds won by the winner of the match, over all rounds of the matches that have a winner.",
        ("match_rounds_won", "won", "match_rounds", "winner"), "round_share", winner_rounds, needs=(MATCH,),
    ),
)  # fmt: skip


def margin_of(metric: Metric, margins: Mapping[str, Margin]) -> Margin:
    """The margin set for the metric itself, else for its kind."""
    return margins.get(metric.name) or margins.get(metric.margin) or MARGINS[metric.margin]
