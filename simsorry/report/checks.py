"""What must hold in every single game, so that a report can say that it did."""

from collections.abc import Callable

import numpy as np

from simsorry.metrics import Column, Rows


def _overlap(rows: Rows) -> Column:
    """Turns that are both dead and choice turns."""
    games = rows.games
    overlap: Column = games["dead_turns"] + games["forced_turns"] + games["choice_turns"] - games["turns_all"]
    return overlap


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


# Each gives the games that break it.
CHECKS: dict[str, Callable[[Rows], Column]] = {
    "a game has one winner or one winning team, or it was cut off": _wrong_winners,
    "dead, forced and choice turns cover all turns, and overlap only where a card was declined or thrown in": lambda rows: (
        (_overlap(rows) < 0) | (_overlap(rows) > np.minimum(rows.games["passes"] + rows.games["throws"], rows.games["choice_turns"]))
    ),
    "the players' turns add up to all turns": lambda rows: rows.seat("turns").sum(axis=1) != rows.games["turns_all"],
    "bumps given, bumps taken and bumps of the game are the same number": lambda rows: (
        (rows.seat("bumps_given").sum(axis=1) != rows.games["bumps"]) | (rows.seat("bumps_taken").sum(axis=1) != rows.games["bumps"])
    ),
    "own pawns and partners' pawns bumped by the players add up to those of the game": lambda rows: (
        (rows.seat("own_bumps").sum(axis=1) != rows.games["own_bumps"])
        | (rows.seat("partner_bumps").sum(axis=1) != rows.games["partner_bumps"])
        | ((rows.games["partner_bumps"] > 0) & (not rows.traits.teams))
    ),
    "cards thrown in by the players add up to those of the game, and are some of its cards": lambda rows: (
        (rows.seat("throws").sum(axis=1) != rows.games["throws"])
        | (rows.games["throws"] > rows.games["draws"] * (rows.traits.hand > 0))
        | (rows.games["throw_choice_turns"] > np.minimum(rows.games["throws"], rows.games["choice_turns"]))
    ),
    "the rounds won add up to those of the match, whose winner alone has most points (rounds won, where no points are kept)": _wrong_rounds,
    "points and bonuses are paid only where they are kept, no bonus twice in a round, and to partners alike": _unpaid,
}
