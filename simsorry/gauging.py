"""Fitting a gauge of the chance to win to games of a ruleset and line-up, and checking it on others.

The weights are rounded to what the kernel counts with, and the check is of the rounded ones.
"""

import hashlib
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from simsorry import trace
from simsorry.errors import SimsorryError
from simsorry.games.records import EXP_STEPS, GAUGED
from simsorry.gauge import FAN, Bin, Check, Gauge, Mean, Moment
from simsorry.simulate import Task
from simsorry.stats import ratio, ratio_share

FIT_GAMES, CHECK_GAMES = 2_000, 1_000
MOST_NOTES = 60_000  # round ends that are fitted to
BINS = 10  # of the reliability curve
MOMENTS = 10  # of the fan
LARGEST_WEIGHT = 1 << 20

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Notes:
    """Standings at round ends: features by note, side and feature, and which side won, by note; games by note."""

    features: Floats  # notes x sides x 5: share of the way, pawns HOME, on START and safe, seats that move before
    winner: Ints
    game: Ints

    def __len__(self) -> int:
        return len(self.winner)


def fit(task: Task) -> Gauge:
    """A gauge for a task's ruleset and line-up, fitted to and checked on games that none of its own are; SimsorryError if nobody wins any.

    The games are those of two other seeds made from the task's.
    """
    fitted = gather(replace(task, seed=_seed(task.seed, "fit"), gauge=None), FIT_GAMES)
    if not len(fitted):
        raise SimsorryError(f"{task.ruleset.name}: no game has a winner and a round end before, so that chances to win cannot be gauged")
    weights = np.round(_fitted(fitted) * EXP_STEPS).astype(np.int64)
    weights = np.clip(weights, -LARGEST_WEIGHT, LARGEST_WEIGHT)
    gauge = Gauge((int(weights[0]), int(weights[1]), int(weights[2]), int(weights[3])), int(weights[4]))
    return replace(gauge, check=check(gauge, gather(replace(task, seed=_seed(task.seed, "check"), gauge=None), CHECK_GAMES)))


def _seed(seed: int, purpose: str) -> int:
    return int.from_bytes(hashlib.sha256(f"gauge {purpose} {seed}".encode()).digest()[:8], "big")


# -- standings -------------------------------------------------------------------------------------


def gather(task: Task, games: int) -> Notes:
    """The standings at all round ends of some games of a single-round ruleset that have a winner."""
    found = [_of_game(course) for course in trace.follow(task, range(games)) if course.winner is not None and len(course.rounds)]
    if not found:
        return Notes(np.zeros((0, 2, GAUGED + 1)), np.zeros(0, np.int64), np.zeros(0, np.int64))
    return Notes(*(np.concatenate([getattr(each, name) for each in found]) for name in ("features", "winner", "game")))


def _of_game(course: trace.Course) -> Notes:
    notes, before = len(course.rounds), np.broadcast_to(course.seats, course.squares.shape)
    features = np.stack([1 - course.squares / course.way, course.home, course.start, course.safe, before], axis=2)
    return Notes(features, np.full(notes, course.winner), np.full(notes, course.game))


# -- fitting ---------------------------------------------------------------------------------------


def _fitted(notes: Notes) -> Floats:
    """Weights by maximum likelihood, with a touch of shrinkage for what the games do not settle."""
    from scipy import optimize

    every = -(-len(notes) // MOST_NOTES)
    features, winner = notes.features[::every], notes.winner[::every]
    spread = features.std(axis=(0, 1))
    spread[spread == 0] = 1.0
    scaled = features / spread

    def loss(weights: Floats) -> tuple[float, Floats]:
        chances = softmax(scaled @ weights)
        of_winner = np.take_along_axis(chances, winner[:, None], axis=1)[:, 0]
        misses = chances.copy()
        misses[np.arange(len(winner)), winner] -= 1
        slope = np.einsum("ns,nsf->f", misses, scaled) / len(winner) + 2e-5 * weights
        return float(-np.log(np.maximum(of_winner, 1e-300)).mean() + 1e-5 * weights @ weights), slope

    result = optimize.minimize(loss, np.zeros(features.shape[2]), jac=True, method="L-BFGS-B")
    weights: Floats = result.x / spread
    return weights


def softmax(scores: Floats) -> Floats:
    """Chances from scores, notes x sides."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Floats = powers / powers.sum(axis=1, keepdims=True)
    return found


def check(gauge: Gauge, notes: Notes) -> Check:
    """How well chances agree with who wins; every game counts as one in the intervals, as its round ends all have the same winner."""
    weights = np.array([*gauge.weights, gauge.order]) / EXP_STEPS
    chances = softmax(notes.features @ weights)
    outcome = np.zeros_like(chances)
    outcome[np.arange(len(notes)), notes.winner] = 1
    sides = chances.shape[1]
    brier = float(((chances - outcome) ** 2).sum(axis=1).mean()) if len(notes) else float("nan")
    games = len(np.unique(notes.game))
    return Check(
        FIT_GAMES,
        games,
        len(notes),
        brier,
        1 - 1 / sides,
        _reliability(chances, outcome, notes.game),
        _fan(chances, notes.winner, notes.game),
    )


def _reliability(chances: Floats, outcome: Floats, games: Ints) -> tuple[Bin, ...]:
    found = []
    number = np.minimum((chances * BINS).astype(int), BINS - 1)
    for each in range(BINS):
        there = number == each
        if not there.any():
            continue
        at = np.broadcast_to(games[:, None], chances.shape)[there]
        won: Floats = np.bincount(at, weights=outcome[there], minlength=int(games.max()) + 1).astype(np.float64)
        many: Floats = np.bincount(at, minlength=int(games.max()) + 1).astype(np.float64)
        share = ratio_share(won, many, int((many > 0).sum()))
        found.append(Bin(float(chances[there].mean()), share.value, share.low, share.high, int(there.sum())))
    return tuple(found)


def _fan(chances: Floats, winner: Ints, games: Ints) -> tuple[Moment, ...]:
    """Chances at each tenth of the way through the round ends of every game; the notes of a game stand together, in their order."""
    if not len(games):
        return ()
    begins = np.flatnonzero(np.diff(games, prepend=-1))
    many = np.diff(begins, append=len(games))
    return tuple(_moment(chances, winner, begins + -(-tenth * many // MOMENTS) - 1, tenth / MOMENTS) for tenth in range(1, MOMENTS + 1))


def _moment(chances: Floats, winner: Ints, notes: Ints, passed: float) -> Moment:
    """Chances at one note of every game."""
    there, won = chances[notes], winner[notes]
    of_winner = np.take_along_axis(there, won[:, None], axis=1)[:, 0]
    losers = np.sort(there[np.arange(there.shape[1]) != won[:, None]].reshape(len(there), -1), axis=1)
    low, lower, middle, higher, high = (float(each) for each in np.quantile(of_winner, FAN))
    others = _mean(losers[:, :-1].mean(axis=1)) if losers.shape[1] > 1 else None
    return Moment(passed, _mean(of_winner), (low, lower, middle, higher, high), _mean(losers[:, -1]), others)


def _mean(chances: Floats) -> Mean:
    found = ratio(chances, np.ones_like(chances), len(chances), "share")
    return Mean(found.value, max(found.low, 0.0), min(found.high, 1.0))
