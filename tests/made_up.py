"""Made-up rows with the columns of the classic game, plausible and consistent, for tests that need no engine."""

from collections.abc import Sequence

import numpy as np

from simsorry.games.classic.columns import GAME_COLUMNS, SEAT_COLUMNS
from simsorry.metrics import Plan, Rows, Tallies, all_metrics
from simsorry.report.study import OptionChange, RulesetCard, Sitting, Study, build_sitting
from simsorry.stats import Margin


def rows(
    games: int, players: int = 4, *, first_game: int = 0, seed: int = 1, length: float = 400.0, tilt: float = 0.0, capped: int = 0
) -> Rows:
    """Games of about ``length`` turns; ``tilt`` moves win share from the other seats to the first; the last ``capped`` games are cut off.

    The same seed gives the same chance, so two calls are correlated as two rulesets would be.
    """
    rng = np.random.default_rng([seed, first_game])
    luck = rng.normal(size=games)
    turns = np.maximum(40, np.rint(length * (1 + 0.33 * luck))).astype(np.int64)
    shares = np.full(players, (1 - tilt) / players) + np.eye(players)[0] * tilt
    winner = np.minimum((rng.random(games)[:, None] >= np.cumsum(shares)).sum(axis=1), players - 1)
    cut = np.arange(games) >= games - capped
    winner = np.where(cut, 255, winner)
    own_turns = turns[:, None] // players + (np.arange(players) < (turns % players)[:, None])
    dead = rng.binomial(turns, 0.2)
    choice = rng.binomial(turns - dead, 0.55)
    given = rng.binomial(own_turns, 0.155)
    bumps = given.sum(axis=1)
    taken = rng.multinomial(bumps, np.full(players, 1 / players))
    on_slides = rng.binomial(bumps, 0.2)
    by_sorry = rng.binomial(bumps - on_slides, 0.3)
    won = (np.arange(players) == winner[:, None]).astype(np.int64)
    game = {
        "winner": winner, "capped": cut, "turns": turns, "turns_all": turns, "rounds": -(-turns // players),
        "draws": turns + rng.binomial(turns, 0.09), "dead_turns": dead, "choice_turns": choice, "forced_turns": turns - dead - choice,
        "choices": choice, "outcomes": 2 * choice + rng.binomial(choice, 0.6),
        "bumps": bumps, "bumps_slide": on_slides, "bumps_sorry": by_sorry,
        "starts": bumps // 2 + 8, "swaps": rng.binomial(turns, 0.03), "slides": rng.binomial(turns, 0.1),
        "splits": rng.binomial(turns, 0.04), "backs": rng.binomial(turns, 0.08),
        "lead_changes": rng.binomial(turns // players, 0.2), "digest": rng.integers(0, 2**32, games),
    }  # fmt: skip
    seat = {
        "table_seat": np.tile(np.arange(players), (games, 1)), "won": won, "turns": own_turns, "bumps_given": given, "bumps_taken": taken,
        "pawns_home": np.where(won == 1, 4, rng.integers(0, 4, (games, players))), "first_start": rng.geometric(0.2, (games, players)),
    }  # fmt: skip
    return Rows(
        {c.name: np.asarray(game.get(c.name, np.zeros(games))).astype(c.dtype) for c in GAME_COLUMNS},
        {c.name: np.asarray(seat.get(c.name, np.zeros((games, players)))).astype(c.dtype).reshape(-1) for c in SEAT_COLUMNS},
        players,
        first_game,
    )


def card(name: str, title: str = "", changes: Sequence[tuple[str, str, str]] = ()) -> RulesetCard:
    """A ruleset's identity."""
    short = name.removeprefix("hasbro+")
    return RulesetCard(
        name, short, title or f"Title of {name}", f"Sheet of {name}", ("A reading.",), "abcdef012345", "classic", 1, 20_000, f"task-{name}",
        short != name, tuple(OptionChange(option, base, here, f"What {option} does.") for option, base, here in changes),
    )  # fmt: skip


HASBRO = card("hasbro", "Hasbro sheet")
NO_SLIDES = card("hasbro+slides=off", "Hasbro sheet, with slides = off", [("slides", "all_but_own", "off")])
SINGLE = card("hasbro+two_draws_again=never", "Hasbro sheet, with two_draws_again = never", [("two_draws_again", "always", "never")])


def sitting(
    arms: Sequence[tuple[RulesetCard, Rows]], policies: Sequence[str] = ("random",) * 4, margins: dict[str, Margin] | None = None
) -> Sitting:
    """The evaluation of these rows, one ruleset after the other."""
    base = arms[0][1]
    plan = Plan(all_metrics(base.players, policies), base.players, base.first_game, len(base))
    tallies = Tallies(plan, len(arms))
    tallies.add([plan.count(each) for _, each in arms])
    return build_sitting(tallies, [each for each, _ in arms], [(name, f"{name[:6]}0hash") for name in policies], 1, margins or {})


def study(games: int = 2400, variants: int = 2) -> Study:
    """A base with up to two variants under two line-ups."""
    from simsorry.metrics import MARGINS

    others = [(NO_SLIDES, rows(games, length=424, seed=1)), (SINGLE, rows(games, length=398, seed=2))][:variants]
    main = sitting([(HASBRO, rows(games)), *others])
    again = sitting(
        [(HASBRO, rows(games, seed=5, length=300)), *[(each, rows(games, seed=6, length=310)) for each, _ in others]], ["balanced"] * 4
    )
    return Study("What do the slides do?", "0.1.0", 15.0, dict(MARGINS), (main, again))
