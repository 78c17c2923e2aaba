"""Who beats whom: cycles, and what evolution among finitely many players makes of a payoff matrix (alpha-Rank)."""

import itertools
from collections import deque

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from simsorry.stats.estimates import Floats

POPULATION = 50  # players of the evolving population
SELECTION = 100.0  # by how much a payoff that is higher by 1 multiplies the logarithm of the offspring: a hundredth counts in full
_NEVER = 1e-300  # smaller chances than this are no numbers any more

Bools = npt.NDArray[np.bool_]


def cycles(beats: Bools) -> list[tuple[int, ...]]:
    """The shortest ways round, from the smallest number in each, in which everyone beats the next and the last the first."""
    _, parts = connected_components(coo_array(beats), directed=True, connection="strong")  # outside of these nothing leads back
    inside = beats & (parts[:, None] == parts)
    found = {_from_smallest(way) for start in range(len(beats)) for way in _ways_round(inside, start)}
    shortest = min(map(len, found), default=0)
    return sorted(way for way in found if len(way) == shortest)


def _ways_round(beats: Bools, start: int) -> list[tuple[int, ...]]:
    """All the shortest ways from one back to itself."""
    waiting: deque[tuple[int, ...]] = deque([(start,)])
    found: list[tuple[int, ...]] = []
    while waiting:
        way = waiting.popleft()
        if found and len(way) > len(found[0]):
            break
        if len(way) > 1 and beats[way[-1], start]:
            found.append(way)
            continue
        waiting.extend((*way, int(other)) for other in np.flatnonzero(beats[way[-1]]) if other not in way)
    return found


def _from_smallest(way: tuple[int, ...]) -> tuple[int, ...]:
    at = way.index(min(way))
    return way[at:] + way[:at]


def alpha_rank(payoff: Floats, players: int, population: int = POPULATION, selection: float = SELECTION) -> Floats:
    """The share of time that a population spends with each way of playing, if copies of what wins more take over (Omidshafiei 2019).

    ``payoff[i, j]`` is the share of contests that one player of ``i`` wins at a table with ``players - 1`` of ``j``. All of the population
    play alike but for a single mutant, whose kind, drawn at random, dies out or takes over in a Moran process before the next comes.
    A mutant's advantage while it is alone is its own payoff less that of one of the others; when only one of the others is left, the
    others' payoff less its own; between, it is taken to change evenly with their number. With two players both are the same.
    """
    count = len(payoff)
    moves = np.zeros((count, count))
    for resident, mutant in itertools.permutations(range(count), 2):
        rare = _advantage(payoff[mutant, resident], players)
        common = -_advantage(payoff[resident, mutant], players)
        moves[resident, mutant] = _takes_over(rare, common, population, selection) / (count - 1)
    return _stationary(moves)


def _advantage(won: float, players: int) -> float:
    """What one player wins more than each of the others."""
    return won - (1 - won) / (players - 1)


def _takes_over(rare: float, common: float, population: int, selection: float) -> float:
    """The chance that one mutant's kind takes over, whose advantage goes from ``rare`` to ``common``."""
    advantage = np.linspace(rare, common, population - 1)
    exponents = np.concatenate([[0.0], np.cumsum(-selection * advantage)])
    return max(float(np.exp(-np.logaddexp.reduce(exponents))), _NEVER)


def _stationary(moves: Floats) -> Floats:
    """Shares of time of a chain, from its chances to move, by elimination without a subtraction (Grassmann, Taksar and Heyman 1985)."""
    left = moves.copy()
    for last in range(len(left) - 1, 0, -1):
        left[:last, last] /= left[last, :last].sum()
        left[:last, :last] += np.outer(left[:last, last], left[last, :last])
    shares = np.ones(len(left))
    for at in range(1, len(left)):
        shares[at] = shares[:at] @ left[:at, at]
    return np.asarray(shares / shares.sum())
