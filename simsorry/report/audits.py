"""What audited games say of one ruleset: every card, every kind of turn, who hits whom, and every square of the track.

Each number has its interval. The counts are those of ``games.audited``, by blocks of games; the number of games behind an estimate is
that of the audited ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from simsorry import stats
from simsorry.games import audited, track
from simsorry.games.options import CARDS
from simsorry.games.sorreesi.rules import QUARTER
from simsorry.simulate import Traits
from simsorry.stats import Counts, Estimate, Floats

SORREESI_SQUARES = 4 * QUARTER


@dataclass(frozen=True)
class CardFacts:
    """What one card comes to."""

    card: str
    drawn: Estimate  # per game
    unused: Estimate  # share of those that move nothing
    unused_by_phase: tuple[Estimate, ...]  # in the first, second and last third of the player's own way
    gained: Estimate  # squares gained by the player, less what it costs them, per card
    lost: Estimate  # squares lost by others, per card
    hits: Estimate  # pawns hit, per card
    uses: dict[str, Estimate]  # share of each use among those that move something; only uses that occur
    worth: Estimate  # chance to win that goes with one more of it among a player's first cards


@dataclass(frozen=True)
class SquareFacts:
    """What happens on one square of the track."""

    square: int  # as the rulebook of the game counts them
    visits: Estimate  # share of the pawns on the track that stand there at the end of a round
    landings: Estimate  # pawns that come to stand there, per game
    hits: Estimate  # pawns hit there, per game
    risk: Estimate  # the same for each that stands there at the end of a round


@dataclass(frozen=True)
class PhaseFacts:
    """What turns are like in one third of the mover's own way."""

    turns: Estimate  # per game
    kinds: dict[str, Estimate]  # share of each of audited.KINDS


@dataclass(frozen=True)
class Audits:
    """What was counted of audited games under one ruleset."""

    games: int
    early_players: int  # those whose first cards are compared
    cards: tuple[CardFacts, ...]
    hits: tuple[tuple[Estimate, ...], ...]  # per game, by play-order seat of who hits and of who is hit
    hits_after: tuple[Estimate, ...]  # share of the hits that are on who moves so many seats later, 1 first
    squares: tuple[SquareFacts, ...]
    places: dict[int, tuple[SquareFacts, ...]]  # the same of as many squares together as lie in the same place on 2 or 4 sides of the board
    phases: tuple[PhaseFacts, ...]  # empty where turns were not counted by kind

    @property
    def any_hits(self) -> bool:
        """Whether anybody is hit at all."""
        return any(each.value > 0 for row in self.hits for each in row)


def audits_of(counts: Counts, game: str, players: int) -> Audits | None:
    """What the counts of some blocks of games say; None if no game was audited."""
    blocks = counts.astype(np.float64)
    found = _Blocks(blocks, int(audited.section(blocks, "games").sum()))
    if not found.games:
        return None
    return Audits(
        games=found.games,
        early_players=int(found.numbers("early_players", 0).sum()),
        cards=tuple(_card(found, number, name) for number, name in enumerate(CARDS) if found.by_phase("drawn", number).any()),
        hits=tuple(tuple(found.per_game(found.numbers("hits", 4 * one + other)) for other in range(players)) for one in range(players)),
        hits_after=_hits_after(found, players),
        squares=_squares(found, game),
        places={sides: _places(found, game, sides) for sides in (2, 4)},
        phases=_phases(found),
    )


@dataclass(frozen=True)
class _Blocks:
    """Counts by block of games."""

    counts: Floats
    games: int  # audited

    def numbers(self, section: str, at: int) -> Floats:
        """One number of a section, by block."""
        found: Floats = audited.section(self.counts, section)[:, at]
        return found

    def by_phase(self, section: str, card: int) -> Floats:
        """A card's numbers, blocks x phases."""
        found: Floats = audited.section(self.counts, section)[:, card :: audited.CARDS]
        return found

    def per_game(self, numbers: Floats, unit: str = "pawns") -> Estimate:
        """A mean count over games."""
        return self.count(numbers, self.numbers("games", 0), unit)

    def count(self, numbers: Floats, of: Floats, unit: str) -> Estimate:
        """How many of something there are for each of something else: never fewer than none, and not surely none where none was seen."""
        if of.any() and not numbers.any():
            return replace(stats.share(0, int(of.sum())), n=self.games, unit=unit)
        found = self.each(numbers, of, unit)
        return replace(found, low=max(found.low, 0.0))

    def each(self, numbers: Floats, of: Floats, unit: str) -> Estimate:
        """The same of what may be negative."""
        return stats.ratio(numbers, of, self.games, unit)

    def share(self, numbers: Floats, of: Floats) -> Estimate:
        """Some of all."""
        return stats.ratio_share(numbers, of, self.games)


# -- turns -----------------------------------------------------------------------------------------


def _phases(found: _Blocks) -> tuple[PhaseFacts, ...]:
    """The kinds of turns by third of the way, where there are any."""
    kinds = audited.section(found.counts, "kinds").reshape(-1, audited.PHASES, len(audited.KINDS))
    return tuple(_phase(found, kinds[:, phase]) for phase in range(audited.PHASES)) if kinds.any() else ()


def _phase(found: _Blocks, kinds: Floats) -> PhaseFacts:
    turns = kinds.sum(axis=1)
    return PhaseFacts(found.per_game(turns, "turns"), {name: found.share(kinds[:, at], turns) for at, name in enumerate(audited.KINDS)})


# -- cards -----------------------------------------------------------------------------------------


def _card(found: _Blocks, number: int, name: str) -> CardFacts:
    drawn, unused = found.by_phase("drawn", number), found.by_phase("unused", number)
    cards, idle = drawn.sum(axis=1), unused.sum(axis=1)
    used = {use: found.numbers("uses", at * audited.CARDS + number) for at, use in enumerate(audited.USES)}
    return CardFacts(
        card=name,
        drawn=found.per_game(cards, "cards"),
        unused=found.share(idle, cards),
        unused_by_phase=tuple(found.share(unused[:, phase], drawn[:, phase]) for phase in range(audited.PHASES)),
        gained=found.each(found.numbers("gain", number), cards, "squares"),
        lost=found.count(found.numbers("harm", number), cards, "squares"),
        hits=found.count(found.numbers("strikes", number), cards, "pawns"),
        uses={use: found.share(times, cards - idle) for use, times in used.items() if times.any()},
        worth=_worth(found, number),
    )


def _worth(found: _Blocks, number: int) -> Estimate:
    """Slope of having won on how many of a player's first cards are of a kind: their covariance over the variance of the number.

    The sums are taken about the means of all players, whose own errors then do not matter to first order.
    """
    players, winners = found.numbers("early_players", 0), found.numbers("early_players", 1)
    cards, squares, of_winners = (found.numbers(section, number) for section in ("early", "early_squares", "early_wins"))
    total = players.sum() or 1.0
    mean, share = cards.sum() / total, winners.sum() / total
    together = of_winners - share * cards - mean * winners + players * mean * share
    return found.each(together, squares - 2 * mean * cards + players * mean**2, "share")


# -- hits and squares ------------------------------------------------------------------------------


def _hits_after(found: _Blocks, players: int) -> tuple[Estimate, ...]:
    seats = range(players)
    matrix = audited.section(found.counts, "hits").reshape(-1, 4, 4)
    every = matrix.sum(axis=(1, 2))
    after = [sum((matrix[:, seat, (seat + step) % players] for seat in seats), np.zeros(len(every))) for step in range(1, players)]
    return tuple(found.share(numbers, every) for numbers in after)


def _squares(found: _Blocks, game: str) -> tuple[SquareFacts, ...]:
    """Every square, in the order of their numbers."""
    return tuple(_at(found, square, [square]) for square in range(_track(game)))


def _places(found: _Blocks, game: str, sides: int) -> tuple[SquareFacts, ...]:
    """The squares of a part of the track, each together with those that lie in its place in the other parts."""
    part = _track(game) // sides
    return tuple(_at(found, place, range(place, sides * part, part)) for place in range(part))


def _track(game: str) -> int:
    """How many squares the track has; they are counted as the rulebook numbers them."""
    return SORREESI_SQUARES if game == "sorreesi" else track.TRACK


def _at(found: _Blocks, number: int, squares: Sequence[int]) -> SquareFacts:
    """What happens on some squares together."""
    everywhere = audited.section(found.counts, "visits").sum(axis=1)
    visits, landings, hits = (
        audited.section(found.counts, name)[:, list(squares)].sum(axis=1) for name in ("visits", "landings", "danger")
    )
    return SquareFacts(
        number, found.share(visits, everywhere), found.per_game(landings), found.per_game(hits), found.count(hits, visits, "pawns")
    )


def opponents_after(traits: Traits, players: int) -> int | None:
    """How many opponents there are to be hit alike by everybody, the next player being one; None where that differs from seat to seat."""
    if not traits.teams:
        return players - 1 if players > 2 else None
    return 2 if all(abs(one - other) == 2 for one, other in traits.teams) else None
