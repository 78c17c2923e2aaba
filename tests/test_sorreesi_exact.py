"""Numbers of Sorreesi that are known exactly, identities, and symmetries of the board.

Chance is tested at fixed seeds: a number may lie ``STANDARD_ERRORS`` from the exact one, which a correct engine passes
with all but a few in a hundred thousand seeds.
"""

import itertools
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from referee import sorreesi as referee
from scipy import stats
from sorreesi_listing import SEATED, Lister
from sorreesi_tools import MIXED, SEAT, Rows, Stream, U, assert_same, line_up, play

from simsorry.games import sorreesi
from simsorry.games.columns import NOBODY
from simsorry.games.options import CARDS, COLORS, DECKS
from simsorry.games.sorreesi import fights, notation, queries, state
from simsorry.games.sorreesi import tables as t
from simsorry.games.sorreesi.rules import Rules
from simsorry.jit import entry

STANDARD_ERRORS = 4.0
CHANCE = 1e-5
PLAYERS = sorted(SEATED)
STARTER = {"starts": 1.0}
THROWS = list(itertools.product(range(1, 7), repeat=2))
DICE, FIGHTS = 3, 4  # streams


def assert_share(found: NDArray[np.bool_], exact: float) -> None:
    """A share over independent games."""
    assert abs(found.mean() - exact) < STANDARD_ERRORS * np.sqrt(exact * (1 - exact) / found.size)


# -- the board -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("travel", ["same", "opposite"])
@pytest.mark.parametrize("path", [7, 8])
def test_distances(path: int, travel: str) -> None:
    rules = Rules(home_path_length=path, turn_vs_travel=travel)
    for color in range(4):
        entry = t.entry_square(rules, color)
        assert entry == 17 * (color if travel == "same" else (4 - color) % 4)
        place = {rel: t.place_of(rules, color, (entry + rel) % 68) for rel in range(68)}
        assert place[0] == 64 + path
        assert place[63] == path + 1
        assert [place[rel] for rel in range(64)] == list(range(64 + path, path, -1))
        assert [place[rel] for rel in (-1 % 68, -2 % 68, -3 % 68, -4 % 68)] == [65 + path, 66 + path, 67 + path, 68 + path]
        assert all(t.square_of(rules, color, place[rel]) == (entry + rel) % 68 for rel in place)
        assert [rel for rel in range(68) if t.is_safe(rules, color, (entry + rel) % 68)] == [0, 7, 12, 17, 24, 29, 34, 41, 46, 51, 58, 63]
        others = {t.entry_square(rules, other) for other in range(4)} - {entry}
        assert {(other - entry) % 68 for other in others} == {17, 34, 51}
        owned = rules.model_copy(update={"turnoff_safe_for": "owner"})
        assert {rel for rel in range(68) if t.is_safe(owned, color, (entry + rel) % 68)} == {0, 7, 17, 24, 34, 41, 51, 58, 63}


@pytest.mark.parametrize("path", [7, 8])
def test_squares_to_go_from_the_base(path: int) -> None:
    rows = play(Rules(home_path_length=path, turn_cap=1), 4, 40)
    idle = rows.game("dead_turns") == 1
    assert idle.any()
    assert (rows.seat("pips_left", 4)[idle] == 8 * (65 + path)).all()
    out = play(Rules(home_path_length=path, quick_start_pawns=8, turn_cap=1), 2, 1)
    assert out.seat("pips_left", 2)[0, 1] == 8 * (64 + path)


# -- leaving the base ------------------------------------------------------------------------------------


def enters(thrown: tuple[int, int], *, sums: bool) -> bool:
    return 5 in thrown or (sums and sum(thrown) == 5)


@pytest.mark.parametrize(("sums", "published"), [(False, 0.4444), (True, 0.5333)])
def test_the_chance_to_be_able_to_enter(sums: bool, published: float) -> None:
    # Every throw with every card of the deck, in the position that a game begins with.
    lister, total = Lister(Rules(enter_sum_five=sums), SEATED[4]), Fraction(0)
    board = referee.Board.of(lister.rules, SEATED[4], {color: [referee.BASE] * 8 for color in SEATED[4]})
    for thrown, (card, copies) in itertools.product(THROWS, DECKS["deck_45"].items()):
        able = lister.fill(board, "red", referee.Pool(tuple(sorted(thrown)), card)) > 0
        assert able == (enters(thrown, sums=sums) or card in ("1", "2"))
        total += Fraction(able * copies, 36 * 45)
    assert total == (Fraction(8, 15) if sums else Fraction(4, 9))
    assert round(float(total), 4) == published


def stays_in(roll: int, *, sums: bool) -> float:
    """The chance that no pawn can come out by the dice of a roll, nor by those that it brings if they are equal."""
    total = 0.0
    for thrown in THROWS:
        again = thrown[0] == thrown[1]
        if again and roll == 3:
            total += 1  # the roll is lost
        elif not enters(thrown, sums=sums):
            total += stays_in(roll + 1, sums=sums) if again else 1
    return total / 36


@pytest.mark.parametrize("sums", [False, True])
def test_pawns_come_out_as_often_in_games(sums: bool) -> None:
    rows = play(Rules(enter_sum_five=sums, turn_cap=1), 4, 60_000, policies=line_up(4, STARTER), seed=5)
    assert_share(rows.game("start_turns") == 1, 1 - stays_in(1, sums=sums) * 36 / 45)
    assert (rows.seat("first_start", 4)[:, 0] == np.where(rows.game("starts") > 0, 1, -1)).all()


def test_without_cards_and_sums_only_a_5_on_a_die_starts() -> None:
    deck = dict.fromkeys(CARDS, 0) | {"12": 4}
    rows = play(Rules(enter_sum_five=False, deck_counts=deck, turn_cap=1), 2, 60_000, policies=line_up(2, STARTER), seed=6)
    assert_share(rows.game("starts_dice") > 0, 1 - stays_in(1, sums=False))
    assert (rows.game("starts_dice") == rows.game("starts")).all()


def test_two_fives_bring_out_two() -> None:
    rows = play(Rules(turn_cap=1), 4, 2000, policies=line_up(4, STARTER), seed=9)
    seen = 0
    for game in range(2000):
        if Stream(9, game, DICE).below(36) == 4 * 6 + 4:
            seen += 1
            assert rows.game("starts_dice")[game] >= 2
    assert seen > 30


def test_quick_start_begins_outside() -> None:
    rows = play(Rules(quick_start_pawns=1, turn_cap=30), 3, 100)
    assert (rows.seat("first_start", 3) == 0).all()


# -- dice, cards, and who begins -------------------------------------------------------------------------


def test_the_dice_are_even() -> None:
    tables, scratch, line = sorreesi.compile_rules(Rules(), 2), sorreesi.new_scratch(), line_up(2)
    counts = np.zeros((6, 6), int)
    for game in range(6000):
        queries.begin(tables, scratch, U(3), U(game))
        queries.next_use(tables, line, scratch)
        one, other = scratch[0]["number"].tolist()
        assert (one - 1) * 6 + other - 1 == Stream(3, game, DICE).below(36)
        counts[one - 1, other - 1] += 1
    assert stats.chisquare(counts.ravel()).pvalue > CHANCE


@pytest.mark.parametrize("options", [{}, {"doubles_bottoms": True, "third_double": "play_then_penalty"}], ids=str)
def test_equal_dice(options: dict[str, Any]) -> None:
    # Nobody wins in the first 25 turns, so all turns are whole.
    turns = 25
    rows = play(Rules(turn_cap=turns, **options), 4, 8000, seed=12)
    assert (rows.game("turns_all") == turns).all()
    all_turns = turns * 8000
    for column, mean, variance in (
        ("rolls", 1 + 1 / 6 + 1 / 36, 1 / 6 * 1 + 1 / 36 * 3 - (1 / 6 + 1 / 36) ** 2),  # of the rolls after the first
        ("third_doubles", 1 / 216, 1 / 216 * 215 / 216),
    ):
        assert abs(rows.game(column).sum() / all_turns - mean) < STANDARD_ERRORS * np.sqrt(variance / all_turns), column
    rolls = rows.game("rolls").sum()
    assert abs(rows.game("doubles").sum() / rolls - 1 / 6) < STANDARD_ERRORS * np.sqrt(5 / 36 / rolls)
    assert (rows.game("penalties") <= rows.game("third_doubles")).all()


@pytest.mark.parametrize(("options", "per"), [({}, "turns_all"), ({"doubles_redraw": "dice_and_card"}, "rolls")], ids=["turn", "roll"])
@pytest.mark.parametrize("order", ["roll_draw_move", "dice_then_card"])
def test_a_card_for_every_turn_or_roll(options: dict[str, Any], per: str, order: str) -> None:
    rows = play(Rules(two_draws_again="never", resolution_order=order, turn_cap=40, **options), 3, 300)
    lost = rows.game("third_doubles") if per == "rolls" else 0
    assert (rows.game("draws") == rows.game(per) - lost).all()


def test_a_2_brings_another_card() -> None:
    # Every turn draws until no 2 comes; of 45 cards with replacement 4 are 2s.
    rows = play(Rules(draw="with_replacement", turn_cap=30), 4, 4000, seed=4)
    more = rows.game("draws") - rows.game("turns_all")
    mean = 4 / 41
    assert abs(more.mean() / 30 - mean) < STANDARD_ERRORS * np.sqrt(mean * (1 + mean) / (30 * 4000))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("way", ["random", "high_roll"])
def test_every_seat_begins_equally_often(players: int, way: str) -> None:
    first = play(Rules(first_player=way, turn_cap=1), players, 30_000, seed=8).game("first_seat")
    assert stats.chisquare(np.bincount(first, minlength=players)).pvalue > CHANCE


def test_who_begins_by_rule() -> None:
    assert (play(Rules(first_player="fixed", turn_cap=1), 3, 50, first_game=4).game("first_seat") == 0).all()
    rotated = play(Rules(first_player="rotate", turn_cap=1), 3, 50, first_game=4).game("first_seat")
    assert rotated.tolist() == [game % 3 for game in range(4, 54)]


# -- fights ----------------------------------------------------------------------------------------------


@entry
def _fight(tables, scratch, seat, color, place):  # type: ignore[no-untyped-def]
    """Has those on a square fight, as after a move of a seat."""
    fights.fight(tables[0], scratch[0], seat, color, place)


class Ring:
    """The engine's fights in positions of one's own."""

    def __init__(self, rules: Rules, seated: tuple[str, ...], game: int) -> None:
        self.lister = Lister(rules, seated)
        self.scratch = self.lister.scratch
        queries.begin(self.lister.tables, self.scratch, U(3), U(game))

    def fight(self, board: referee.Board, player: str, came: str, square: int) -> str:
        """The position after a fight that a pawn of the color that came has begun by a player's move."""
        self.scratch[0]["word"] = self.lister.words(board)
        color = COLORS.index(came)
        place = t.place_of(self.lister.rules, color, square)
        _fight(self.lister.tables, self.scratch, U(self.lister.seated.index(player)), U(color), U(place))
        return notation.to_text(self.lister.rules, self.scratch[0]["word"].tolist(), self.lister.seated)

    def counted(self, name: str) -> list[int]:
        """One of the counts, by seat."""
        at = int(getattr(state.TALLY, name))
        return self.scratch[0]["tally"][at :: state.TALLY_STRIDE][: len(self.lister.seated)].tolist()


ATTACKED = "red B 7 / yellow B 7"
WON, LOST, STAYED, GONE = "red B 7 / yellow B B", "red B B / yellow B 7", ATTACKED, "red B B / yellow B B"
RESULTS = {
    "attacker": {WON: 21, LOST: 15},
    "defender": {WON: 15, LOST: 21},
    "both_stay": {WON: 15, LOST: 15, STAYED: 6},
    "both_back": {WON: 15, LOST: 15, GONE: 6},
}


@pytest.mark.parametrize("tie", RESULTS)
def test_a_fight_ends_by_every_throw_as_it_must(tie: str) -> None:
    rules, stream = Rules(fight_tie=tie, pawns=2), Stream(3, 0, FIGHTS)
    dice = [stream.below(6) + 1 for _ in range(400)]
    ring = Ring(rules, SEATED[2], 0)
    board = referee.Board.of(rules, SEATED[2], referee.read_position(ATTACKED))
    found = dict.fromkeys(RESULTS[tie], 0)
    for ours, theirs in THROWS:
        ring.scratch[0]["fight_dice"] = next(k for k in range(399) if (dice[k], dice[k + 1]) == (ours, theirs))
        found[ring.fight(board, "red", "red", 7)] += 1
    assert found == RESULTS[tie]
    assert sum(ring.counted("ties")) == 6
    assert sum(ring.counted("fights_lost")) == found.get(LOST, 0) + found.get(GONE, 0)


@pytest.mark.parametrize(("tie", "won"), [("reroll", 1 / 2), ("attacker", 21 / 36), ("defender", 15 / 36), ("both_stay", 15 / 36)])
def test_fights_are_won_as_often_as_they_should(tie: str, won: float) -> None:
    rules = Rules(fight_tie=tie, pawns=2)
    ring = Ring(rules, SEATED[2], 1)
    board = referee.Board.of(rules, SEATED[2], referee.read_position(ATTACKED))
    assert_share(np.array([ring.fight(board, "red", "red", 7) == WON for _ in range(4000)]), won)


def some_fight(luck: random.Random) -> tuple[Rules, tuple[str, ...], referee.Board, str, str, int]:
    """Pawns of two to four colors on a square, one of which has come there by a player's move."""
    options = {
        "fight_tie": luck.choice(["reroll", "attacker", "defender", "both_stay", "both_back"]),
        "fight_bonus": luck.choice([0, 20]),
        "team_pairs": luck.choice([(), "opposite", (("red", "green"), ("blue", "yellow"))]),
        "pawns": luck.choice([1, 2, 4]),
    }
    options |= {"fight_bonus_to": luck.choice(["mover", "any_winner"])} if options["fight_bonus"] else {}
    rules = Rules(**options)
    seated = SEATED[4] if rules.team_pairs else SEATED[luck.choice(PLAYERS)]
    square = luck.choice([0, 7, 12, 24, 46])
    came, against = luck.sample(seated, 2)
    while against in referee.side_of(rules, came):
        against = luck.choice(seated)
    there = {came, against, *luck.sample(seated, luck.randint(0, 2))}
    position: referee.Position = {}
    for color in seated:
        standing = luck.randint(1, rules.pawns) if color in there else 0
        position[color] = [square] * standing + [luck.choice([referee.BASE, referee.HOME]) for _ in range(rules.pawns - standing)]
    return rules, seated, referee.Board.of(rules, seated, position), luck.choice(seated), came, square


def test_the_referee_ends_any_fight_the_same() -> None:
    luck = random.Random(4)
    for number in range(300):
        rules, seated, board, player, came, square = some_fight(luck)
        ring, stream = Ring(rules, seated, number), Stream(3, number, FIGHTS)
        after = board.copy()
        pawn = next(pawn for pawn in after.on(square) if pawn.color == came)
        fought = referee.fight(after, player, pawn, lambda stream=stream: stream.below(6) + 1)
        where = f"{rules.fight_tie} {rules.team_pairs} {board.text}: {came} by {player} on {square}: {fought}"
        assert ring.fight(board, player, came, square) == after.text, where
        assert int(ring.scratch[0]["fight_dice"]) == stream.used
        assert (sum(ring.counted("ties")), sum(ring.counted("fights_lost"))) == (fought.ties, fought.lost), where
        credited = [fought.credited_to(color) for color in seated]
        lost = [sum(back.pawn.color == color for back in fought.sent_back) for color in seated]
        assert (ring.counted("given"), ring.counted("fight_bumps"), ring.counted("taken")) == (credited, credited, lost), where
        paid = [n * (color == player or rules.fight_bonus_to == "any_winner") for n, color in zip(credited, seated, strict=True)]
        assert ring.counted("earned") == [n * (rules.fight_bonus > 0) for n in paid], where
        kept = ring.scratch[0]["carried"].tolist()[: len(seated)]
        own = seated.index(player)
        assert int(ring.scratch[0]["units"][2]) == ring.counted("earned")[own]
        assert kept == [n * (seat != own) for seat, n in enumerate(ring.counted("earned"))], where


# -- identities ------------------------------------------------------------------------------------------

TABLES: dict[str, tuple[dict[str, Any], int]] = {
    "two": ({}, 2),
    "three": ({}, 3),
    "four": ({}, 4),
    "teams": ({"team_pairs": "opposite", "team_sorry_target": "any", "team_finished_player": "plays_for_partner"}, 4),
    "a pool": ({"team_pairs": "opposite", "team_control": "both_colors", "pawns": 3}, 4),
    "everything later": ({"bonus_timing": "end_of_turn", "resolution_order": "dice_then_card", "pawns": 4}, 3),
    "to the last": ({"game_end": "all_home", "pawns": 3, "fight_bonus": 20, "fight_bonus_to": "any_winner"}, 4),
    "many fights": ({"safe_squares": tuple(range(17)), "sorry_on_safe": "fight", "fight_tie": "both_stay", "pawns": 4}, 4),
}
SUMMED = ["rolls", "draws", "dead_turns", "choice_turns", "starts", "partner_bumps", "fights", "fights_lost", "penalties", "swaps"]
SUMMED += ["bonuses_earned", "bonuses_used", "bonuses_lost"]
PARTS = [("bumps_sorry", "bumps"), ("bumps_fight", "bumps"), ("starts_dice", "starts"), ("fights_lost", "fights")]
PARTS += [("home_bonuses_earned", "bonuses_earned"), ("home_bonuses_used", "bonuses_used"), ("doubles", "rolls")]
PARTS += [("third_doubles", "doubles"), ("penalties", "third_doubles"), ("splits", "cards_used"), ("backs", "cards_used")]
PARTS += [("cards_used", "draws"), ("start_turns", "starts"), ("multi_captures", "bumps")]


@pytest.mark.parametrize("name", TABLES)
def test_identities(name: str) -> None:
    options, players = TABLES[name]
    rules = Rules(**options)
    rows = play(rules, players, 150, policies=line_up(players, *MIXED), seed=2)
    members = 2 if rules.team_pairs else 1
    by_seat = {column: rows.seat(column, players) for column in SEAT}
    summed = {column: by_seat[column].sum(axis=1) for column in SEAT}
    first = np.arange(150), rows.game("winner")
    assert (rows.game("winner") != NOBODY).all()
    assert (summed["won"] == members).all()
    assert (by_seat["won"][first] == 1).all()
    assert (by_seat["color"][first] == rows.game("winner_color")).all()
    assert (summed["turns"] == rows.game("turns_all")).all()
    assert (summed["bumps_given"] == rows.game("bumps")).all()
    assert (summed["bumps_taken"] == rows.game("bumps")).all()
    for column in SUMMED:
        assert (summed[column] == rows.game(column)).all(), column
    for part, whole in PARTS:
        assert (rows.game(part) <= rows.game(whole)).all(), part
    kinds = rows.game("dead_turns") + rows.game("forced_turns") + rows.game("choice_turns")
    both = kinds - rows.game("turns_all")  # turns with a choice in which nothing was done but stopping
    assert (both >= 0).all()
    assert (both <= rows.game("passes")).all()
    used = rows.game("dice_turns") + rows.game("card_turns") + rows.game("both_turns")
    assert (used <= rows.game("turns_all") - rows.game("dead_turns")).all()
    unspent = rows.game("bonuses_earned") - rows.game("bonuses_used") - rows.game("bonuses_lost")
    assert (unspent >= 0).all()
    assert (unspent[rows.game("capped") == 0] <= 12).all()  # those that the winning move left open
    assert_places_fit(rows, players, members)


def assert_places_fit(rows: Rows, players: int, members: int) -> None:
    """The winner is first, and the others come after, ties sharing a place; partners have the place of their team."""
    places = rows.seat("place", players)
    assert ((places == 1) == rows.seat("won", players)).all()
    ranks = np.array([stats.rankdata(row, method="min") for row in places])
    assert ((ranks - 1) // members + 1 == places).all()


def test_pips_left_and_pawns_home_at_the_end() -> None:
    rows = play(Rules(), 4, 300)
    left, home, won = (rows.seat(column, 4) for column in ("pips_left", "pawns_home", "won"))
    assert ((left == 0) == (home == 8)).all()
    assert ((home == 8) == won).all()
    assert (left <= 75 * (8 - home)).all()
    assert (left >= 8 - home).all()


# -- symmetries ------------------------------------------------------------------------------------------

ROTATIONS = {
    2: [("red", "yellow"), ("blue", "green"), ("yellow", "red"), ("green", "blue")],
    3: [("red", "blue", "yellow"), ("blue", "yellow", "green"), ("green", "red", "blue")],
    4: [tuple(COLORS[turn:] + COLORS[:turn]) for turn in range(4)],
}
ADJACENT = [("red", "blue"), ("blue", "yellow"), ("green", "red")]
BOARDS: list[dict[str, Any]] = [
    {},
    {"turn_vs_travel": "opposite", "turnoff_safe_for": "owner", "fight_tie": "both_stay"},
    {"swap_requires_single": False, "sorry_on_safe": "fight", "fight_bonus": 20, "fight_bonus_to": "any_winner", "pawns": 4},
    {"seven_parts": 3, "pawns": 4, "doubles_bottoms": True, "triple_penalty_piece": "closest_to_home"},
]
WEIGHING = [{"progress": 1.0, "threats": -9.0, "targets": 4.0, "leader_progress": -0.3, "on_safe": 3.0, "sorry_risk": -0.1}]
WEIGHING += [{}, {"fight_gain": 1.0, "fight_risk": -1.0, "pawns_behind": -2.0, "safe_left": -3.0, "partner_progress": 0.2}, {"hops": 1.0}]


def turned_games(seatings: list[tuple[str, ...]], options: list[dict[str, Any]]) -> list[Rows]:
    """The same games with seats, and options, of other colors; the colors are left out of the rows."""
    blocks = []
    for seats, turned in zip(seatings, options, strict=True):
        players = len(seats)
        rows = play(Rules(seat_colors=seats, turn_cap=200, **turned), players, 60, policies=line_up(players, *WEIGHING), seed=3)
        assert (rows.seat("color", players) == np.array([COLORS.index(color) for color in seats])[rows.seat("table_seat", players)]).all()
        rows.game("winner_color")[:] = 0
        rows.seat("color", players)[:] = 0
        blocks.append(rows)
    return blocks


@pytest.mark.parametrize("options", BOARDS, ids=lambda options: ",".join(options) or "the sheet")
@pytest.mark.parametrize("seatings", [*ROTATIONS.values(), ADJACENT], ids=["2", "3", "4", "2 adjacent"])
def test_turning_the_board_changes_nothing_but_the_names(seatings: list[tuple[str, ...]], options: dict[str, Any]) -> None:
    first, *others = turned_games(seatings, [options] * len(seatings))
    for other in others:
        assert_same(other, first)


@pytest.mark.parametrize("control", ["own_only", "both_colors"])
@pytest.mark.parametrize("steps", [1, 2], ids=["neighbors", "opposite"])
def test_turning_the_board_with_the_teams(steps: int, control: str) -> None:
    options = []
    for seats in ROTATIONS[4]:
        pairs = ((seats[0], seats[steps]), (seats[3 - steps], seats[3])) if steps == 2 else ((seats[0], seats[1]), (seats[2], seats[3]))
        options.append({"team_pairs": pairs, "team_control": control, "team_eleven_partner": True, "pawns": 4})
    first, *others = turned_games(ROTATIONS[4], options)
    for other in others:
        assert_same(other, first)


def test_sitting_beside_each_other_is_another_game() -> None:
    # Or the tests above could not fail.
    opposite, adjacent = (play(Rules(seat_colors=seats), 2, 60, seed=3) for seats in (("red", "yellow"), ("red", "blue")))
    assert (opposite.game("turns") != adjacent.game("turns")).any()
    same, other = (play(Rules(turn_vs_travel=travel), 4, 60, seed=3) for travel in ("same", "opposite"))
    assert (same.game("turns") != other.game("turns")).any()


@pytest.mark.parametrize(("options", "players"), [({}, 2), ({"pawns": 4}, 4), ({"team_pairs": "opposite", "pawns": 2}, 4)], ids=str)
def test_no_color_is_better_than_another(options: dict[str, Any], players: int) -> None:
    winners = play(Rules(**options), players, 6000, seed=4).game("winner_color")
    counts = np.bincount(winners, minlength=4)
    assert stats.chisquare(counts[counts > 0]).pvalue > CHANCE
    assert (counts > 0).sum() == players


def test_a_turn_that_would_never_end_is_cut_off() -> None:
    tables = sorreesi.compile_rules(Rules(start_cards=("1",)), 2)
    tables[0]["deck"][:] = CARDS.index("2")  # which the rules would refuse
    rows = play(tables, 2, 20)
    assert (rows.game("capped") == 1).all()
    assert (rows.game("winner") == NOBODY).all()
    assert (rows.game("turns_all") == 1).all()
    assert (rows.game("draws") > 9_999).all()
