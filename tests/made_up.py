"""Made-up rows with the columns of a game, plausible and consistent, for tests that need no engine."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from simsorry.at_table import all_metrics
from simsorry.games.classic import columns as classic_columns
from simsorry.games.columns import CHECKPOINTS, MEASURED, UNIT, Column
from simsorry.games.ice import columns as ice_columns
from simsorry.games.sorreesi import columns as sorreesi_columns
from simsorry.margin import Margin
from simsorry.metrics import MARGINS, PLAIN, Rows
from simsorry.report.study import OptionChange, RulesetCard, Sitting, Study, build_sitting
from simsorry.report.tallies import Tallies
from simsorry.simulate import Bonus, Traits
from simsorry.tally import Plan

HAND = Traits(hand=5)
POINTS = Traits(hand=5, points=True, bonuses=(Bonus(2, 25, False), Bonus(1, 50, False), Bonus(0, 100, False)))
MATCH = replace(POINTS, match=True)
TEAMS = Traits(teams=((0, 2), (1, 3)), moves_partner=True, bumps_partner=True)
PLACES = Traits(places=True)
BONUS_MOVES = Traits(home_moves=True, bump_moves=True)  # of a game with dice

Columns = tuple[tuple[Column, ...], tuple[Column, ...]]  # of games and of seats
CLASSIC = (classic_columns.GAME_COLUMNS, classic_columns.SEAT_COLUMNS)
ICE = (ice_columns.GAME_COLUMNS, ice_columns.SEAT_COLUMNS)
SORREESI = (sorreesi_columns.GAME_COLUMNS, sorreesi_columns.SEAT_COLUMNS)


def counted(columns: Columns) -> set[str]:
    """The names of all columns."""
    return {column.name for table in columns for column in table}


def rows(
    games: int,
    players: int = 4,
    *,
    first_game: int = 0,
    seed: int = 1,
    length: float = 400.0,
    tilt: float = 0.0,
    capped: int = 0,
    traits: Traits = PLAIN,
    columns: Columns = CLASSIC,
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
        "match_rounds": np.ones(games), "bumps": bumps, "bumps_slide": on_slides, "bumps_sorry": by_sorry,
        "starts": bumps // 2 + 8, "swaps": rng.binomial(turns, 0.03), "slides": rng.binomial(turns, 0.1),
        "splits": rng.binomial(turns, 0.04), "backs": rng.binomial(turns, 0.08),
        "lead_changes": rng.binomial(turns // players, 0.2), "digest": rng.integers(0, 2**32, games),
    }  # fmt: skip
    seat = {
        "table_seat": np.tile(np.arange(players), (games, 1)), "won": won, "match_rounds_won": won, "place": 2 - won,
        "turns": own_turns, "bumps_given": given, "bumps_taken": taken,
        "pawns_home": np.where(won == 1, 4, rng.integers(0, 4, (games, players))), "first_start": rng.geometric(0.2, (games, players)),
    }  # fmt: skip
    _add_course(np.random.default_rng([seed, first_game, 1]), game, seat)
    if traits.teams:
        _add_teams(rng, traits, game, seat)
    if traits.hand:
        _add_hands(rng, game, seat)
    if traits.match:
        _add_match(rng, traits, game, seat)
    if traits.points:
        _add_points(traits, game, seat)
    if traits.places:
        _add_places(rng, seat)
    if columns is SORREESI:
        _add_dice(rng, traits, game, seat)
    if columns is ICE:
        _add_piles(rng, game, seat)
    return Rows(
        {c.name: np.asarray(game.get(c.name, np.zeros(games))).astype(c.dtype) for c in columns[0]},
        {c.name: np.asarray(seat.get(c.name, np.zeros((games, players)))).astype(c.dtype).reshape(-1) for c in columns[1]},
        players,
        first_game,
        traits,
    )


Made = dict[str, np.ndarray]


def _add_course(rng: np.random.Generator, game: Made, seat: Made) -> None:
    """The leader at a checkpoint wins more often than others; shares are anything."""
    games, players = seat["won"].shape
    game["round_ends"] = np.maximum(game["turns"] // players - 1, 1)
    for name in MEASURED:
        game[f"walked_{name}"] = rng.integers(0, UNIT, games)
    for percent, edge in zip(CHECKPOINTS, (0.1, 0.3, 0.6), strict=True):
        ahead = rng.random((games, players)) + edge * seat["won"]
        seat[f"rank_{percent}"] = players - ahead.argsort(axis=1).argsort(axis=1)
    seat["luck"] = np.rint(rng.normal(1500 * (seat["won"] - 1 / players), 2000))


def _add_teams(rng: np.random.Generator, traits: Traits, game: Made, seat: Made) -> None:
    """The partner of the winner has won, too; where they can, they bump each other and move each other's pawns."""
    partner = {one: other for pair in traits.teams for one, other in (pair, pair[::-1])}
    seat["won"] = seat["match_rounds_won"] = seat["won"] | seat["won"][:, [partner[at] for at in range(4)]]
    seat["place"] = 2 - seat["won"]
    seat["pawns_home"] = np.where(seat["won"] == 1, 4, np.minimum(seat["pawns_home"], 3))
    seat["pips_left"] = np.where(seat["won"] == 1, 0, rng.integers(1, 200, seat["won"].shape))
    seat["partner_bumps"] = rng.binomial(seat["turns"], 0.03 if traits.bumps_partner else 0)
    seat["partner_moves"] = rng.binomial(seat["turns"], 0.4 if traits.moves_partner else 0)
    game["partner_bumps"] = seat["partner_bumps"].sum(axis=1)


def _add_hands(rng: np.random.Generator, game: Made, seat: Made) -> None:
    """One in ten turns only throws a card in, most of them with a choice of which; dead turns are among these."""
    seat["throws"] = rng.binomial(seat["turns"], 0.1)
    game["throws"] = seat["throws"].sum(axis=1)
    game["throw_choice_turns"] = np.minimum(game["throws"] * 9 // 10, game["dead_turns"])
    game["choice_turns"] = game["choice_turns"] + game["throw_choice_turns"]


def _add_match(rng: np.random.Generator, traits: Traits, game: Made, seat: Made) -> None:
    """The winner of a match wins three rounds, and each of the others at most two; where teams play, both partners do."""
    others = rng.integers(0, 3, seat["won"].shape) * (1 - seat["won"])
    for one, other in traits.teams:
        others[:, other] = others[:, one]
    seat["match_rounds_won"] = 3 * seat["won"] + others
    game["match_rounds"] = seat["match_rounds_won"].sum(axis=1) // (2 if traits.teams else 1) + game["capped"]
    game["match_upsets"] = rng.binomial(game["match_rounds"], 0.3)


def _add_points(traits: Traits, game: Made, seat: Made) -> None:
    """Five for every pawn HOME, and fifty for every round won; the bonus comes from how many pawns a loser has HOME."""
    losers_home = np.where(seat["won"] == 1, 0, seat["pawns_home"]).max(axis=1)
    decided = game["winner"] != 255
    earned = [number for number, bonus in enumerate(traits.bonuses, start=1) if not bonus.together]
    best = np.zeros(len(decided), dtype=np.int64)
    for number in earned:
        best = np.where(decided & (losers_home <= traits.bonuses[number - 1].at_most), number, best)
    for number in earned:
        game[f"band_{number}"] = (best == number).astype(np.int64)
    paid = np.array([0, *(bonus.points for bonus in traits.bonuses)])[best]
    seat["points"] = 5 * np.where(seat["won"] == 1, 4, seat["pawns_home"]) + seat["match_rounds_won"] * 50 + seat["won"] * paid[:, None]
    for one, other in traits.teams:
        seat["points"][:, other] = seat["points"][:, one]


def _add_places(rng: np.random.Generator, seat: Made) -> None:
    """The winner comes first, the others in any order."""
    luck = rng.random(seat["won"].shape) - seat["won"]
    seat["place"] = luck.argsort(axis=1).argsort(axis=1) + 1


def _add_dice(rng: np.random.Generator, traits: Traits, game: Made, seat: Made) -> None:
    """Dice beside the cards, fights for safe squares, and bonus moves."""
    turns, dead = game["turns"], game["dead_turns"]
    game["both_turns"] = rng.binomial(turns - dead, 0.9)
    game["dice_turns"] = rng.binomial(turns - dead - game["both_turns"], 0.7)
    game["start_turns"] = rng.binomial(turns, 0.2)
    game["starts_dice"] = rng.binomial(game["starts"], 0.6)
    seat["rolls"] = seat["turns"] + rng.binomial(seat["turns"], 0.19)
    seat["fights"] = rng.binomial(seat["turns"], 0.03)
    seat["fights_lost"] = rng.binomial(seat["fights"], 0.5)
    seat["penalties"] = rng.binomial(seat["turns"], 0.004)
    if traits.home_moves or traits.bump_moves:
        seat["bonuses_earned"] = rng.binomial(seat["turns"], 0.24)
        seat["bonuses_used"] = rng.binomial(seat["bonuses_earned"], 0.5)
        seat["bonuses_lost"] = seat["bonuses_earned"] - seat["bonuses_used"]
    for name in ("rolls", "fights", "fights_lost", "penalties", "bonuses_earned", "bonuses_used", "bonuses_lost"):
        game[name] = seat.get(name, np.zeros_like(seat["turns"])).sum(axis=1)
    game["homes"] = game["home_bonuses_earned"] = rng.binomial(game["bonuses_earned"], 0.4)
    game["home_bonuses_used"] = np.minimum(game["home_bonuses_earned"], rng.binomial(game["bonuses_used"], 0.3))
    game["third_doubles"] = game["penalties"] + 1
    game["cards_used"], game["dice_used"] = rng.binomial(game["draws"], 0.83), rng.binomial(2 * game["rolls"], 0.75)
    game["hops"], game["passes"] = rng.binomial(turns, 0.5), rng.binomial(game["rolls"], 0.2)
    game["bumps_fight"] = rng.binomial(game["bumps"] - game["bumps_sorry"], 0.3)
    game["fight_ties"], game["multi_captures"] = rng.binomial(game["fights"], 0.2), rng.binomial(game["bumps"], 0.01)


def _add_piles(rng: np.random.Generator, game: Made, seat: Made) -> None:
    """Pawns that cover each other, moves by size, and stacks that take others along."""
    players = np.arange(seat["turns"].shape[1])
    seat["covers_given"], seat["own_covers"] = rng.binomial(seat["turns"], 0.05), rng.binomial(seat["turns"], 0.03)
    seat["covers_taken"] = seat["covers_given"][:, (players + 1) % len(players)]
    seat["pawn_turns"] = 3 * seat["turns"]
    seat["covered_turns"] = rng.binomial(seat["pawn_turns"], 0.2)
    seat["carried"], seat["sorry_starts"] = rng.binomial(seat["turns"], 0.02), rng.binomial(seat["turns"], 0.02)
    for name in ("pawn_turns", "covered_turns", "carried", "sorry_starts"):
        game[name] = seat[name].sum(axis=1)
    game["pawns_covered"] = (seat["covers_given"] + seat["own_covers"]).sum(axis=1)
    game["pawns_freed"] = rng.binomial(game["pawns_covered"], 0.8)
    game["pile_turns"] = (game["pawn_turns"] - game["covered_turns"]) * 9 // 10
    game["longest_cover"], game["highest_pile"] = rng.binomial(game["turns"], 0.3), 2 + rng.binomial(6, 0.3, game["turns"].shape)
    for size, share in (("small", 0.3), ("medium", 0.25), ("large", 0.2)):
        game[f"moves_{size}"] = rng.binomial(game["turns"], share)
    game["stack_moves"] = 1 + rng.binomial(game["moves_small"], 0.2)
    game["swept"], game["covers"], game["stacks"] = (rng.binomial(game["turns"], share) for share in (0.05, 0.1, 0.15))


def card(name: str, title: str = "", changes: Sequence[tuple[str, str, str]] = (), traits: Traits = PLAIN) -> RulesetCard:
    """A ruleset's identity."""
    short = name.removeprefix("hasbro+")
    return RulesetCard(
        name, short, title or f"Title of {name}", f"Sheet of {name}", ("A reading.",), "abcdef012345", "classic", 1, 20_000, f"task-{name}",
        ("red", "blue", "yellow", "green"), traits, short != name,
        tuple(OptionChange(option, base, here, f"What {option} does.") for option, base, here in changes),
    )  # fmt: skip


HASBRO = card("hasbro", "Hasbro sheet")
NO_SLIDES = card("hasbro+slides=off", "Hasbro sheet, with slides = off", [("slides", "all_but_own", "off")])
SINGLE = card("hasbro+two_draws_again=never", "Hasbro sheet, with two_draws_again = never", [("two_draws_again", "always", "never")])


def sitting(
    arms: Sequence[tuple[RulesetCard, Rows]], policies: Sequence[str] = ("random",) * 4, margins: dict[str, Margin] | None = None
) -> Sitting:
    """The evaluation of these rows, one ruleset after the other."""
    base = arms[0][1]
    names = base.games.keys() | base.seats.keys()
    traits = [each.traits for _, each in arms]
    plan = Plan(all_metrics(policies, names, traits), base.players, base.first_game, len(base))
    tallies = Tallies(plan, traits)
    tallies.add([plan.count(each) for _, each in arms])
    return build_sitting(
        tallies,
        [replace(each, traits=made.traits) for each, made in arms],
        [(name, f"{name[:6]}0hash") for name in policies],
        1,
        margins or {},
    )


def study(games: int = 2400, variants: int = 2) -> Study:
    """A base with up to two variants under two line-ups."""
    others = [(NO_SLIDES, rows(games, length=424, seed=1)), (SINGLE, rows(games, length=398, seed=2))][:variants]
    main = sitting([(HASBRO, rows(games)), *others])
    again = sitting(
        [(HASBRO, rows(games, seed=5, length=300)), *[(each, rows(games, seed=6, length=310)) for each, _ in others]], ["balanced"] * 4
    )
    return Study("What do the slides do?", "0.1.0", 15.0, dict(MARGINS), (main, again))
