"""Strengths of competitors from who finished before whom, by the model of Plackett and Luce with a term for each place at the table.

The winner of a contest is drawn from its entrants with chances proportional to exp(strength + term of the place), the second from those
who are left in the same way, and so on; of two entrants this is the model of Bradley and Terry. Contests of the same *cluster* share
their luck, so errors are made from the sums over clusters (the sandwich). Nothing here knows what a game is.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import optimize
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from simsorry.stats.estimates import LEVEL, Estimate, Floats, t_quantile, z_quantile

ELO = 400 / math.log(10)  # Elo points in a unit of strength: 400 points are odds of 10 to 1
RIDGE = 0.01  # strengths as if drawn with a standard deviation of 10 (1,700 Elo): a pull that only those feel who always win or lose
_UNIT = "Elo"

Ints = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Contests:
    """Who met whom, and how they finished."""

    entrants: Ints  # contests x places at the table: the number of the competitor there
    finish: Ints  # contests x places at the table: the first, the second … by place at the table; -1 from where on nothing is known
    cluster: Ints  # number of the cluster of each contest, from 0


class _Distinct(NamedTuple):
    """Contests that are alike, once each."""

    entrants: Ints
    finish: Ints
    often: Floats
    which: Ints  # the row here of every contest


@dataclass(frozen=True)
class Ratings:
    """Strengths and the terms of places, each with a mean of 0, and all that their errors are made from."""

    strengths: Floats  # natural logarithms of odds
    places: Floats
    sandwich: Floats  # covariance of strengths and then places, from what clusters differ by
    model: Floats  # the same as the model has it
    influences: Floats  # clusters x (strengths and places): what each cluster adds to their error
    groups: Ints  # of each competitor; of two groups one never beat the other
    contests: int
    df: int  # clusters less one

    @property
    def separated(self) -> bool:
        """Whether some won all their contests against the others, so that nothing but the ridge bounds how much stronger they are."""
        return bool((self.groups != self.groups[0]).any())

    def contrast(self, weights: Floats, level: float = LEVEL) -> Estimate:
        """A sum of strengths and places with these weights, in Elo points."""
        value = float(weights @ np.concatenate([self.strengths, self.places]))
        half = t_quantile(level, self.df) * self.error(weights)
        return Estimate(value * ELO, (value - half) * ELO, (value + half) * ELO, self.contests, _UNIT, level)

    def error(self, weights: Floats) -> float:
        """Standard error of such a sum, in units of strength.

        Between groups no two clusters differ, and a sandwich would take that for certainty: there the error is that of the model.
        """
        between = np.bincount(self.groups, weights[: len(self.strengths)])
        covariance = self.sandwich if np.allclose(between, 0, atol=1e-9) else self.model
        return math.sqrt(max(float(weights @ covariance @ weights), 0.0))

    def strength(self, competitor: int, others: Sequence[int]) -> Estimate:
        """The strength of a competitor above the mean of others, or of one other, in Elo points."""
        return self.contrast(self._one(competitor) - self._mean(others))

    def place(self, place: int, level: float = LEVEL) -> Estimate:
        """What a place at the table is worth against the mean of all, in Elo points."""
        first = len(self.strengths)
        return self.contrast(self._one(first + place) - self._mean(range(first, first + len(self.places))), level)

    def span(self, level: float = LEVEL) -> Estimate:
        """The strongest above the weakest, by simultaneous intervals of all pairs: that of equals is above 0, its interval is not."""
        competitors = range(len(self.strengths))
        pairs = [self._one(i) - self._one(j) for i in competitors for j in range(i)]
        sizes = [abs(float(self.strengths @ pair[: len(self.strengths)])) for pair in pairs]
        z = z_quantile((1 - level) / 2 / len(pairs)) * t_quantile(level, self.df) / z_quantile((1 - level) / 2)
        halves = [z * self.error(pair) for pair in pairs]
        low = max(0.0, *(size - half for size, half in zip(sizes, halves, strict=True)))
        high = max(size + half for size, half in zip(sizes, halves, strict=True))
        return Estimate(max(sizes) * ELO, low * ELO, high * ELO, self.contests, _UNIT, level)

    def deviation(self, level: float = LEVEL) -> Estimate:
        """Standard deviation of the strengths of these competitors, who are all there are, in Elo points; by the delta method."""
        apart = self.strengths - self.strengths.mean()
        value = math.sqrt(float(apart @ apart) / len(apart))
        weights = np.concatenate([apart / (len(apart) * value) if value else apart, np.zeros(len(self.places))])
        half = t_quantile(level, self.df) * self.error(weights)
        return Estimate(value * ELO, max(value - half, 0.0) * ELO, (value + half) * ELO, self.contests, _UNIT, level)

    def chance(self, entrants: Ints, place: int) -> tuple[float, Floats]:
        """The chance that whoever sits at a place finishes first, the mean over some contests; and its slope in strengths and places."""
        parameters = np.concatenate([self.strengths, self.places])
        chances = _chances(_utilities(entrants, parameters), np.ones(entrants.shape, dtype=bool))
        slopes = -chances * chances[:, [place]]
        slopes[:, place] += chances[:, place]
        return float(chances[:, place].mean()), _gathered(entrants, slopes / len(entrants), len(parameters))

    def _one(self, at: int) -> Floats:
        return self._mean([at])

    def _mean(self, of: Sequence[int]) -> Floats:
        weights = np.zeros(len(self.strengths) + len(self.places))
        weights[list(of)] = 1 / len(of)
        return weights


def rate(contests: Contests, competitors: int, ridge: float = RIDGE) -> Ratings:
    """The most likely strengths and places, given a slight pull towards equality (``ridge``).

    Those who won every contest against all others have no finite likeliest strength; the ridge keeps it finite, and as no sandwich can
    tell how uncertain it is, errors of what sets such groups apart are those of the model.
    """
    places = contests.entrants.shape[1]
    distinct = _distinct(contests)
    total = max(float(distinct.often.sum()), 1.0)

    def loss(parameters: Floats) -> tuple[float, Floats]:
        value, slope = likelihood(distinct.entrants, distinct.finish, distinct.often, parameters)
        return (ridge / 2 * float(parameters @ parameters) - value) / total, (ridge * parameters - slope) / total

    def curvature(parameters: Floats) -> Floats:
        return (_information(distinct, parameters) + ridge * np.eye(len(parameters))) / total

    start = np.zeros(competitors + places)
    found = optimize.minimize(loss, start, jac=True, hess=curvature, method="trust-exact", options={"gtol": 1e-10}).x
    inverse: Floats = np.linalg.inv(curvature(found) * total).astype(float)
    scores = _scores_by_cluster(contests, distinct, found)
    influences = scores @ inverse
    clusters = len(influences)
    return Ratings(
        strengths=found[:competitors],
        places=found[competitors:],
        sandwich=influences.T @ influences * (clusters / max(clusters - 1, 1)),
        model=inverse,
        influences=influences,
        groups=_groups(distinct, competitors),
        contests=len(contests.entrants),
        df=clusters - 1,
    )


def likelihood(entrants: Ints, finish: Ints, often: Floats, parameters: Floats) -> tuple[float, Floats]:
    """Logarithm of the likelihood of contests that happened ``often`` times each, and its slope in strengths and places."""
    value, slopes = _log_chances(entrants, finish, parameters)
    return float(often @ value), _gathered(entrants, slopes * often[:, None], len(parameters))


def _distinct(contests: Contests) -> _Distinct:
    """Contests that are alike, once each, by a number that has all of a contest in it."""
    columns = np.concatenate([contests.entrants, contests.finish], axis=1)
    code = np.zeros(len(columns), dtype=np.int64)
    for column in columns.T:
        code = code * (int(column.max(initial=0)) + 2) + column + 1
    _, first, which, count = np.unique(code, return_index=True, return_inverse=True, return_counts=True)
    return _Distinct(contests.entrants[first], contests.finish[first], count.astype(float), which)


def _utilities(entrants: Ints, parameters: Floats) -> Floats:
    """Strength plus place of every entrant."""
    places = entrants.shape[1]
    return np.asarray(parameters[:-places][entrants] + parameters[-places:])


def _chances(utilities: Floats, left: npt.NDArray[np.bool_]) -> Floats:
    """The chance of every entrant who is left to finish next."""
    above = np.where(left, utilities, -np.inf)
    odds = np.exp(above - above.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _steps(entrants: Ints, finish: Ints, parameters: Floats) -> Iterator[tuple[Floats, Ints, Floats]]:
    """Stage by stage of the finish: whether it is known, who came in, and the chances of all; the last is left over."""
    utilities, left = _utilities(entrants, parameters), np.ones(entrants.shape, dtype=bool)
    rows = np.arange(len(entrants))
    for stage in range(entrants.shape[1] - 1):
        next_in = finish[:, stage]
        yield (next_in >= 0).astype(float), np.maximum(next_in, 0), _chances(utilities, left)
        left[rows[next_in >= 0], next_in[next_in >= 0]] = False


def _log_chances(entrants: Ints, finish: Ints, parameters: Floats) -> tuple[Floats, Floats]:
    """Of each contest: the logarithm of its chance, and the slope of that in each entrant's strength."""
    rows = np.arange(len(entrants))
    value, slopes = np.zeros(len(entrants)), np.zeros(entrants.shape)
    for known, next_in, chances in _steps(entrants, finish, parameters):
        value += known * np.log(np.where(known > 0, chances[rows, next_in], 1.0))
        slopes -= known[:, None] * chances
        slopes[rows, next_in] += known
    return value, slopes


def _gathered(entrants: Ints, slopes: Floats, size: int) -> Floats:
    """Slopes by entrant added up by strength and by place."""
    competitors = size - entrants.shape[1]
    return np.concatenate([np.bincount(entrants.ravel(), slopes.ravel(), competitors), slopes.sum(axis=0)])


def _information(distinct: _Distinct, parameters: Floats) -> Floats:
    """Minus the second derivatives of the log-likelihood."""
    size, places = len(parameters), distinct.entrants.shape[1]
    found = np.zeros(size**2)
    for known, _, chances in _steps(distinct.entrants, distinct.finish, parameters):
        weighted = (known * distinct.often)[:, None] * chances
        for a in range(places):
            for b in range(places):
                joint = (weighted[:, a] if a == b else 0.0) - weighted[:, a] * chances[:, b]
                for row in (distinct.entrants[:, a].astype(np.int64), size - places + a):
                    for column in (distinct.entrants[:, b].astype(np.int64), size - places + b):
                        at = np.broadcast_to(row * size + column, joint.shape)
                        found += np.bincount(at, joint, size**2)
    return found.reshape(size, size)


def _scores_by_cluster(contests: Contests, distinct: _Distinct, parameters: Floats) -> Floats:
    """The slopes of the contests' log-likelihoods, added up by cluster: clusters x (strengths and places)."""
    size, places = len(parameters), contests.entrants.shape[1]
    clusters = int(contests.cluster.max(initial=-1)) + 1
    _, slopes = _log_chances(distinct.entrants, distinct.finish, parameters)
    found = np.zeros(clusters * size)
    row = contests.cluster.astype(np.int64) * size
    for place in range(places):
        slope = slopes[distinct.which, place]
        for column in (contests.entrants[:, place].astype(np.int64), size - places + place):
            found += np.bincount(row + column, slope, clusters * size)
    return found.reshape(clusters, size)


def _groups(distinct: _Distinct, competitors: int) -> Ints:
    """Competitors who beat one another, if through others; between groups only the ridge keeps strengths finite (Ford 1957)."""
    count, places = distinct.entrants.shape
    left, rows = np.ones((count, places), dtype=bool), np.arange(count)
    beaten = np.zeros((competitors, competitors), dtype=bool)
    for stage in range(places - 1):
        known = distinct.finish[:, stage] >= 0
        next_in = distinct.finish[known, stage]
        left[rows[known], next_in] = False
        winners = distinct.entrants[known, next_in]
        for place in range(places):
            there = left[known, place]
            beaten[winners[there], distinct.entrants[known, place][there]] = True
    _, groups = connected_components(coo_array(beaten), directed=True, connection="strong")
    return np.asarray(groups)
