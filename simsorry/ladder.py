"""The skill ladder: a chain of policies by effort, and what each wins against the one below it.

Every step is a duel of ``simsorry.skill``: one side plays a rung, all others the rung below, and every game number is played once with
each side as the one. Every rung meets players who choose at random too, so that steps add up to something. Where the steps end, skill
has its ceiling, as far as these policies know.
"""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING

from simsorry import policies, stats
from simsorry.skill import Dealt, Design, Duel, change_of, deal, gap_of, less, share_of
from simsorry.stats import Estimate, Verdict

if TYPE_CHECKING:
    from simsorry.policies import Policy

# The ladder that rulesets are compared by: chance; the greedy player of a published program; everything weighed by hand; the
# strongest weights known; a round looked ahead; two of them, from fewer outcomes and more often.
RUNGS = ("random", "reward-v1", "balanced", "tuned", "expect", "rollout")
DEEP_DEALS = 100  # of duels in which somebody looks ahead, if not asked otherwise: they take hundreds of times as long


# -- what is played --------------------------------------------------------------------------------


def default_rungs(game: str) -> tuple["Policy", ...]:
    """The published ladder, without who would play like a rung below in this game."""
    return policies.distinct(RUNGS, game)


@dataclass(frozen=True)
class Chain:
    """What is asked: which rungs, the lowest first, in the games of which design."""

    design: Design
    rungs: tuple["Policy", ...]
    deep_deals: int  # of each duel in which somebody looks ahead or is asked in Python; of all others those of the design

    @cached_property
    def steps(self) -> tuple[Duel, ...]:
        """Each rung but the lowest against the one below."""
        return tuple(Duel(above.name, above.title, above, below) for below, above in pairwise(self.rungs))

    @cached_property
    def at_random(self) -> tuple[Duel | None, ...]:
        """Each rung against players who choose at random; None for one that does so itself, and so wins its fair share."""
        other = self.design.at_random
        return tuple(None if rung.hash == other.hash else Duel(rung.name, rung.title, rung, other) for rung in self.rungs)

    def is_deep(self, duel: Duel) -> bool:
        """Whether somebody looks ahead in a duel or is asked in Python."""
        return self.design.arrangement(duel, 0).is_deep

    def deals(self, duel: Duel) -> int:
        """Deals that a duel is played in."""
        return self.deep_deals if self.is_deep(duel) else self.design.deals

    @property
    def games(self) -> int:
        """All games that are played."""
        return len(self.design.sides) * sum(map(self.deals, self.distinct.values()))

    @property
    def deep_games(self) -> int:
        """Those of them in which somebody looks ahead or is asked in Python."""
        return len(self.design.sides) * sum(self.deals(duel) for duel in self.distinct.values() if self.is_deep(duel))

    @cached_property
    def distinct(self) -> dict[tuple[str, str], Duel]:
        """All duels, those once that are a step and against random players too."""
        return {_key(duel): duel for duel in (*self.steps, *self.at_random) if duel}

    @property
    def entry_points(self) -> set[str]:
        """Compiled functions that are called."""
        return {self.design.arrangement(duel, 0).entry_point for duel in self.distinct.values()}


def _key(duel: Duel) -> tuple[str, str]:
    """The same for duels that are the same games."""
    return duel.one.hash, duel.others.hash


# -- what it comes to ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """What one side that plays a rung wins against others that play the rung below."""

    share: Estimate  # of the games with a winner
    change: Estimate  # of the share from the fair one
    elo: Estimate  # by how much the rung is the stronger for it
    verdict: Verdict | None

    @property
    def shown(self) -> int:
        """1 if the rung is shown to win more than the one below, -1 if less, 0 if neither, or not by more than matters."""
        if not self.verdict or self.verdict.word not in (stats.DIFFERENT, stats.UNSIZED):
            return 0
        return 1 if self.change.value > 0 else -1


@dataclass(frozen=True)
class Rung:
    """What a policy came to."""

    policy: "Policy"
    step: Step | None  # None for the lowest
    share: Estimate | None  # won by one side against random ones; None for who chooses at random
    gap: Estimate | None  # the same as a part of the way from the fair share to all games


@dataclass(frozen=True)
class Ladder:
    """Everything that was found."""

    chain: Chain
    rungs: tuple[Rung, ...]
    no_winner: int  # games that were cut off, of all

    @property
    def steps(self) -> list[tuple[Rung, Rung, Step]]:
        """Each step that could be measured: the rung below, the one above, and what it came to."""
        return [(below, above, above.step) for below, above in pairwise(self.rungs) if above.step and above.step.share.known]

    @property
    def largest(self) -> tuple[Rung, Rung, Step] | None:
        """The step that adds most strength, of those that are shown to add any."""
        return max((each for each in self.steps if each[2].shown > 0), key=lambda each: each[2].elo.value, default=None)

    @property
    def flat_from(self) -> int:
        """The number of the highest rung that is shown to win more than the one below; 0, the lowest, if none is."""
        return max((at for at, rung in enumerate(self.rungs) if rung.step and rung.step.shown > 0), default=0)


def climb(
    chain: Chain, *, threads: int | None = None, stop: threading.Event | None = None, on_games: Callable[[int], None] = lambda _: None
) -> Ladder | None:
    """Plays all duels and works out what they come to; None if ``stop`` was set before all were played."""
    play = partial(deal, threads=threads, stop=stop or threading.Event(), on_games=on_games)
    found: dict[tuple[str, str], Dealt] = {}
    for key, duel in chain.distinct.items():
        dealt = play(replace(chain.design, deals=chain.deals(duel)), duel)
        if dealt is None:
            return None
        found[key] = dealt
    return measure(chain, found)


def measure(chain: Chain, found: dict[tuple[str, str], Dealt]) -> Ladder:
    """What duels that were played come to, by ``Chain.distinct``."""
    fair = chain.design.fair
    steps = (None, *_steps(chain, [found[_key(duel)] for duel in chain.steps]))
    shares = [share_of(found[_key(duel)]) if duel else None for duel in chain.at_random]
    return Ladder(
        chain=chain,
        rungs=tuple(
            Rung(policy, step, share, gap_of(share, fair) if share else None)
            for policy, step, share in zip(chain.rungs, steps, shares, strict=True)
        ),
        no_winner=sum(each.wins.size * len(chain.design.sides) - int(each.decided.sum()) for each in found.values()),
    )


def _steps(chain: Chain, dealt: Sequence[Dealt]) -> list[Step]:
    fair = chain.design.fair
    verdicts = stats.judge([change_of(each, fair) for each in dealt], [chain.design.margin.of(fair)] * len(dealt), "bh")
    shares = [share_of(each) for each in dealt]
    return [Step(share, less(share, fair), elo_of(share, fair), verdict) for share, verdict in zip(shares, verdicts, strict=True)]


def elo_of(share: Estimate, fair: float) -> Estimate:
    """How much stronger the one is than each of the others who wins this share, in Elo points, by the model of Plackett and Luce."""
    value, low, high = (stats.ELO * (_log_odds(each) - _log_odds(fair)) for each in (share.value, share.low, share.high))
    return Estimate(value, low, high, share.n, "Elo", share.level)


def _log_odds(share: float) -> float:
    if share in (0, 1):
        return math.inf if share else -math.inf
    return math.log(share / (1 - share))
