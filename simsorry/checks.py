"""What must hold in every single game, so that a report can say that it did."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np

from simsorry.metrics import MOVES, Column, Rows


@dataclass(frozen=True)
class Check:
    """Something that must hold; ``broken`` gives the games in which it does not."""

    columns: tuple[str, ...]  # that a game must count for it; nothing is checked of a game that does not
    broken: Callable[[Rows], Column]


def _wrong_turns(rows: Rows) -> Column:
    """Games whose turns are of no kind, or of more kinds than they can be: dead and with a choice is a turn without any action chosen."""
    games = rows.games
    overlap: Column = games["dead_turns"] + games["forced_turns"] + games["choice_turns"] - games["turns_all"]
    most = np.minimum(games["dead_turns"], games["choice_turns"])
    if not rows.traits.idle:
        most = np.minimum(most, rows.counted("passes", "throws"))
    wrong: Column = (overlap < 0) | (overlap > most)
    return wrong


def _unequal(rows: Rows, columns: Mapping[str, str]) -> Column:
    """Games in which a column of ``seats``, added up over the players, is not one of ``games``."""
    wrong: Column = np.any([rows.seat(own).sum(axis=1) != rows.games[all_] for own, all_ in columns.items()], axis=0)
    return wrong


def _same(*columns: str) -> dict[str, str]:
    return dict(zip(columns, columns, strict=True))


def _wrong_moves(rows: Rows) -> Column:
    """Games in which more bonus moves were used and lost than earned, or more pawns sent back than third doubles rolled."""
    games = rows.games
    wrong: Column = games["bonuses_used"] + games["bonuses_lost"] > games["bonuses_earned"]
    wrong |= (games["home_bonuses_used"] > games["home_bonuses_earned"]) | (games["home_bonuses_earned"] > games["homes"])
    return wrong | (games["penalties"] > games["third_doubles"])


def _wrong_fights(rows: Rows) -> Column:
    """Games in which more fights were lost than fought, or more pawns sent back by fights and Sorry! cards than in all."""
    games = rows.games
    wrong: Column = (games["fights_lost"] > games["fights"]) | (games["bumps_fight"] + games["bumps_sorry"] > games["bumps"])
    return wrong


def _wrong_dice(rows: Rows) -> Column:
    """Games in which more was used than was rolled and drawn, or more turns were moved in than there were without the dead ones."""
    games = rows.games
    used = games["dice_turns"] + games["card_turns"] + games["both_turns"]
    wrong: Column = (used > games["turns_all"] - games["dead_turns"]) | (games["cards_used"] > games["draws"])
    return wrong | (games["dice_used"] > 4 * games["rolls"])


def _wrong_covers(rows: Rows) -> Column:
    """Games in which the players' covers do not add up, or more pawns were freed than covered, or one was covered for too long."""
    games = rows.games
    wrong: Column = rows.seat("covers_given").sum(axis=1) + rows.seat("own_covers").sum(axis=1) != games["pawns_covered"]
    wrong |= _unequal(rows, _same("pawn_turns", "covered_turns"))
    wrong |= rows.seat("covers_taken").sum(axis=1) != rows.seat("covers_given").sum(axis=1)
    wrong |= (games["covered_turns"] > games["pawn_turns"]) | (games["pile_turns"] > games["pawn_turns"] - games["covered_turns"])
    return wrong | (games["pawns_freed"] > games["pawns_covered"]) | (games["longest_cover"] > games["turns_all"])


def _wrong_stacks(rows: Rows) -> Column:
    """Games in which more stacks were moved than moves made, or pawns carried without a stack or by nobody."""
    games = rows.games
    wrong: Column = (games["stack_moves"] > rows.total(*MOVES)) | ((games["carried"] > 0) & (games["stack_moves"] == 0))
    return wrong | _unequal(rows, _same("carried", "sorry_starts"))


def _wrong_winners(rows: Rows) -> Column:
    """Games in which those who have won are not one player or two partners, or have won although nobody has."""
    won = rows.seat("won")
    wrong: Column = won.sum(axis=1) != rows.decided * (2 if rows.traits.teams else 1)
    winner = np.where(rows.decided, rows.games["winner"], 0)[:, None]
    wrong |= rows.decided & (np.take_along_axis(won, np.minimum(winner, rows.players - 1).astype(np.int64), axis=1)[:, 0] != 1)
    if rows.traits.teams:
        wrong |= (np.where(rows.first_team, won, 0).sum(axis=1) == 1) | (np.where(rows.first_team, 0, won).sum(axis=1) == 1)
    return wrong


def _wrong_rounds(rows: Rows) -> Column:
    """Matches whose rounds do not add up, or that were won by somebody who does not alone have most points or rounds."""
    games, won = rows.games, rows.seat("match_rounds_won").astype(np.int64)
    sides = 2 if rows.traits.teams else 1
    rounds = won.sum(axis=1)
    wrong: Column = (rounds > sides * games["match_rounds"]) | (rounds < sides * (games["match_rounds"].astype(np.int64) - games["capped"]))
    if rows.traits.match:
        score = rows.seat("points") if rows.traits.points else won
        of_winner = np.where(rows.seat("won") == 1, score, -1).max(axis=1)
        wrong |= rows.decided & (np.where(rows.seat("won") == 1, -1, score).max(axis=1) >= of_winner)
    return wrong


def _unpaid(rows: Rows) -> Column:
    """Games with points or bonuses where there should be none, or with more bonuses than rounds, or partners who do not score alike."""
    points = rows.seat("points")
    paid = [name for name in rows.games if name.startswith("band_")]
    possible = {f"band_{number}" for number in range(1, len(rows.traits.bonuses) + 1)}
    wrong: Column = np.any([rows.games[name] > rows.games["match_rounds"] * (name in possible) for name in paid], axis=0)
    if not rows.traits.points:
        wrong |= points.any(axis=1)
    if rows.traits.teams:
        one, other = (np.where(rows.first_team == first, points, 0) for first in (True, False))
        wrong |= (2 * one.max(axis=1) != one.sum(axis=1)) | (2 * other.max(axis=1) != other.sum(axis=1))
    return wrong


_PAID = ("points", "match_rounds", "match_rounds_won")

CHECKS: dict[str, Check] = {
    "a game has one winner or one winning team, or it was cut off": Check((), _wrong_winners),
    "dead, forced and choice turns cover all turns, and overlap only where it was chosen to do nothing": Check((), _wrong_turns),
    "the players' turns add up to all turns": Check((), lambda rows: _unequal(rows, {"turns": "turns_all"})),
    "bumps given, bumps taken and bumps of the game are the same number": Check(
        ("bumps",), lambda rows: _unequal(rows, {"bumps_given": "bumps", "bumps_taken": "bumps"})
    ),
    "own pawns bumped by the players add up to those of the game": Check(("own_bumps",), lambda rows: _unequal(rows, _same("own_bumps"))),
    "partners' pawns bumped by the players add up to those of the game": Check(
        ("partner_bumps",),
        lambda rows: _unequal(rows, _same("partner_bumps")) | ((rows.games["partner_bumps"] > 0) & (not rows.traits.bumps_partner)),
    ),
    "cards thrown in by the players add up to those of the game, and are some of its cards": Check(
        ("throws", "throw_choice_turns"),
        lambda rows: (
            _unequal(rows, _same("throws"))
            | (rows.games["throws"] > rows.games["draws"] * (rows.traits.hand > 0))
            | (rows.games["throw_choice_turns"] > np.minimum(rows.games["throws"], rows.games["choice_turns"]))
        ),
    ),
    "the rounds won add up to those of the match, whose winner alone has most points (rounds won, where no points are kept)": Check(
        _PAID, _wrong_rounds
    ),
    "points and bonuses are paid only where they are kept, no bonus twice in a round, and to partners alike": Check(_PAID, _unpaid),
    "the players' rolls, fights, bonus moves and penalties add up to those of the game": Check(
        ("rolls", "fights", "bonuses_earned", "penalties"),
        lambda rows: _unequal(rows, _same("rolls", "fights", "fights_lost", "bonuses_earned", "bonuses_used", "bonuses_lost", "penalties")),
    ),
    "no more dice and cards are used than there are, and in no turn that is dead": Check(("dice_turns", "dice_used"), _wrong_dice),
    "no more bonus moves are used and lost than earned, and no more pawns sent back for a third double than these": Check(
        ("bonuses_earned", "penalties"), _wrong_moves
    ),
    "pawns covered by the players add up to those of the game, no more are freed, and none is covered for longer than the game": Check(
        ("pawns_covered", "pile_turns"), _wrong_covers
    ),
    "no more stacks are moved than moves made, and pawns carried and started by Sorry! cards add up to those of the game": Check(
        ("stack_moves", "carried"), _wrong_stacks
    ),
    "no more fights are lost than fought, and fights and Sorry! cards bump no more pawns than all": Check(("fights",), _wrong_fights),
}


def checks_of(counted: Collection[str]) -> dict[str, Callable[[Rows], Column]]:
    """The checks of a game that counts these columns: each gives the games that break it."""
    return {name: check.broken for name, check in CHECKS.items() if set(check.columns) <= set(counted)}
