"""How games go and what is audited of them: by a second bookkeeper, by identities, and what luck and relabelings must leave alone."""

from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import course_referee as referee
import engine_tools
import ice_tools
import numpy as np
import pytest
import sorreesi_tools
from numpy.typing import NDArray

from simsorry import rulesets
from simsorry.games import audited, classic, ice, sorreesi
from simsorry.games.classic.rules import Rules as Classic
from simsorry.games.ice.rules import Rules as Ice
from simsorry.games.options import CARDS
from simsorry.games.records import CARD_WORTH
from simsorry.games.sorreesi.rules import Rules as Sorreesi

SEED = 5
GAMES = (0, 23, 69, 7)  # three audited ones, and one that is not


class World(NamedTuple):
    """Rules that games are looked at under."""

    rules: Any
    players: int
    mixed: bool = False  # policies, or random players

    @property
    def module(self) -> ModuleType:
        return {Classic: classic, Sorreesi: sorreesi, Ice: ice}[type(self.rules)]

    @property
    def tools(self) -> Any:
        return {Classic: engine_tools, Sorreesi: sorreesi_tools, Ice: ice_tools}[type(self.rules)]

    @property
    def policies(self) -> NDArray[Any]:
        policies: NDArray[Any] = self.tools.line_up(self.players, *(self.tools.MIXED if self.mixed else ()))
        return policies

    def play(self, game: int, games: int = 1, seed: int = SEED) -> Any:
        return self.tools.play(self.rules, self.players, games, policies=self.policies, seed=seed, first_game=game)


TEAMS = {"team_pairs": "opposite"}
FEW = {"pieces": (2, 2, 1), "hand_size": 0}
WORLDS = {
    "hasbro": World(rulesets.load("hasbro").rules, 4),
    "hasbro weighed": World(rulesets.load("hasbro").rules, 3, True),
    "two players": World(rulesets.load("apologies").rules, 2, True),
    "points": World(rulesets.load("hasbro-points").rules, 4, True),
    "teams": World(Classic(**TEAMS), 4, True),
    "teams with hands": World(Classic(**TEAMS, team_collision="bump_mover", hand_size=4, team_eleven_partner=True, pawns=3), 4, True),
    "teams won by one": World(Classic(**TEAMS, team_win="first_member", pawns=3), 4),
    "another card": World(Classic(two_draws_again="if_played", turn_cap=60), 4),
    "places": World(Classic(game_end="full_ranking"), 4),
    "head starts": World(Classic(head_starts=(0, 3, 10, 15)), 4),
    "quick start": World(Classic(quick_start_pawns=1), 3),
    "cut off": World(Classic(turn_cap=37), 4),
    "shared squares": World(Classic(own_collision="share", pawns=6), 3, True),
    "one pawn": World(Classic(pawns=1), 4),
    "passes": World(Classic(forward_past_entry="decline_ok", pass_scope="always"), 4, True),
    "turns ended by own pawns": World(Classic(own_collision="ends_turn"), 4),
    "swapped pawns ride": World(Classic(slide_after_swap="both"), 4, True),
    "spinner": World(Classic(draw="with_replacement", slides="off"), 4),
    "sorreesi": World(Sorreesi(), 4),
    "sorreesi weighed": World(Sorreesi(pawns=3), 3, True),
    "sorreesi teams": World(Sorreesi(**TEAMS, fight_bonus=20, pawns=3), 4),
    "sorreesi later": World(Sorreesi(resolution_order="dice_then_card", doubles_redraw="dice_and_card", pawns=3), 2, True),
    "sorreesi places": World(Sorreesi(game_end="all_home", pawns=2), 3),
    "sorreesi strict": World(Sorreesi(dice_pass="none", card_compulsion="global", third_double="play_then_penalty", pawns=3), 2),
    "sorreesi cut off": World(Sorreesi(turn_cap=30, safe_squares=(0, 7)), 4, True),
    "ice": World(Ice(turn_cap=120), 4),
    "ice without hands": World(Ice(**FEW), 3, True),
    "ice of two": World(Ice(pieces=(1, 1, 1)), 2, True),
    "ice carried": World(Ice(**FEW, ice_slide_mode="carry_stacked", slides="all", pass_scope="always"), 4, True),
    "ice to START": World(Ice(**FEW, ice_mixed_stack_zone="to_start"), 4, True),
    "ice on top": World(Ice(**FEW, ice_swap_mode="land_on_top", two_draws_again="if_played"), 4, True),
    "ice places": World(Ice(pieces=(1, 1, 0), game_end="all_home", hand_size=0), 4, True),
    "ice quick start": World(Ice(**FEW, quick_start_pawns=3), 4),
}


# -- the second bookkeeper -----------------------------------------------------------------------------


# What needs a closer look at its definition has a test of its own.
APART = {
    "led": "hits while somebody alone led at the last round end before, and those of them on that leader",
    "relocked": "turns begun with no pawn on the way by players who had one out before, as they may from the beginning",
    "stall": "turns from when the winner's side needed one pawn more to win until it won, not until the game was over",
    "unused": "cards with which no pawn was moved, declined ones too",
    "dead": "cards with which nothing could be done, with the reason; covered pawns are on their way",
    "uses": "what other cards were used for, those for a partner's pawn too",
    "danger": "squares on which pawns were hit, as many as hits",
}


@cache
def wrong_in(name: str) -> dict[str, list[str]]:
    """What a world's games and the second bookkeeper do not agree on."""
    world = WORLDS[name]
    found: dict[str, list[str]] = {}
    for game in GAMES:
        rows = world.play(game)
        for what, difference in referee.compare(world.module, world.rules, world.policies, world.players, SEED, game, rows).items():
            found.setdefault(what, []).append(f"{name}, game {game}: {difference}")
    return found


@pytest.mark.parametrize("name", WORLDS)
def test_a_second_bookkeeper_finds_the_same(name: str) -> None:
    assert not {what: where for what, where in wrong_in(name).items() if what not in APART}


@pytest.mark.parametrize("section", APART)
def test_a_second_bookkeeper_finds_by_definition(section: str) -> None:
    wrong = [where for name in WORLDS for where in wrong_in(name).get(section, [])]
    assert not wrong, f"{APART[section]}\n" + "\n".join(wrong)


def test_the_worlds_show_what_they_are_for() -> None:
    """There is something to count in every section, and everything that a card can come to."""
    found = np.zeros(audited.SIZE, np.int64)
    for world in WORLDS.values():
        found += world.play(0, 50).audits.sum(axis=0)
    assert all(audited.section(found, name).any() for name in audited.SECTIONS)
    assert (audited.section(found, "dead") > 0).all()
    assert (audited.section(found, "drawn").reshape(3, audited.CARDS)[:, : len(CARDS)] > 0).all()
    assert (audited.section(found, "early")[: len(CARDS)] > 0).all()


# -- identities ----------------------------------------------------------------------------------------


def audit_of(world: World, game: int) -> tuple[Any, dict[str, NDArray[np.int64]]]:
    rows = world.play(game)
    return rows, {name: audited.section(rows.audits[0], name) for name in audited.SECTIONS}


@pytest.mark.parametrize("name", WORLDS)
def test_sums_that_hold_in_every_audited_game(name: str) -> None:
    world = WORLDS[name]
    for game in range(0, 8 * audited.EVERY, audited.EVERY):
        rows, found = audit_of(world, game)
        gained, lost, helped, harmed = found["squares"].tolist()
        begun, left = found["standing"].tolist()
        assert begun - left == gained - lost + helped - harmed
        assert begun == rows_of_standing(world)
        assert found["early"].sum() == audited.EARLY * found["early_players"][0]
        assert found["early_wins"].sum() == audited.EARLY * found["early_players"][1]
        assert (found["unused"] <= found["drawn"]).all()
        assert found["turns"][0] == rows.game("turns_all")[0]
        assert found["led"][1] <= found["led"][0] <= found["hits"].sum()
        assert found["won"][0] == (rows.game("winner")[0] != 255)
        assert not found["hits"].reshape(4, 4).diagonal().any()
        assert found["gain"].sum() <= gained
        assert found["harm"].sum() <= harmed
        draws = int(rows.game("draws")[0])
        cards = found["drawn"].sum()
        assert cards == draws or (world.module is sorreesi and draws - world.players <= cards < draws)  # who finishes may hold one
        squares = world.rules.pawns * world.players * (65 if world.module is not sorreesi else 65 + world.rules.home_path_length)
        assert begun <= squares


def rows_of_standing(world: World) -> int:
    """Squares that all have to go when a game begins."""
    story = referee.tell(world.module, world.rules, world.policies, world.players, SEED, 0)
    return sum(map(referee.togo, story.begin))


HITTING = [name for name, world in WORLDS.items() if world.module is not ice and name != "swapped pawns ride"]


@pytest.mark.parametrize("name", HITTING)
def test_hits_are_the_bumps_that_the_rows_count(name: str) -> None:
    """In fights the pawn that came is sent back by nobody who moves: those are not hits."""
    world = WORLDS[name]
    total = np.zeros((4, 4), np.int64)
    for game in range(0, 8 * audited.EVERY, audited.EVERY):
        rows, found = audit_of(world, game)
        hits = found["hits"].reshape(4, 4)
        fights_lost = rows.seat("fights_lost", world.players)[0] if world.module is sorreesi else np.zeros(world.players, int)
        assert hits.sum() == rows.game("bumps")[0] - fights_lost.sum()
        assert (hits.sum(axis=0)[: world.players] == rows.seat("bumps_taken", world.players)[0] - fights_lost).all()
        if world.module is classic:
            assert (hits.sum(axis=1)[: world.players] == rows.seat("bumps_given", world.players)[0]).all()
            assert found["strikes"].sum() == hits.sum()
        assert found["danger"].sum() == hits.sum()
        total += hits
        if world.rules.team_pairs:
            seats = np.arange(4)
            assert not hits[seats, (seats + 2) % 4].any()  # partners sit opposite each other
    assert total[: world.players, : world.players].sum() == total.sum() > 0


@pytest.mark.parametrize("name", [name for name, world in WORLDS.items() if world.module is ice])
def test_hits_are_the_pawns_of_others_covered(name: str) -> None:
    world = WORLDS[name]
    for game in range(0, 6 * audited.EVERY, audited.EVERY):
        rows, found = audit_of(world, game)
        hits = found["hits"].reshape(4, 4)[: world.players, : world.players]
        given, taken = rows.seat("covers_given", world.players)[0], rows.seat("covers_taken", world.players)[0]
        if name == "ice to START":
            assert (hits.sum(axis=1) >= given).all()  # pawns that do not go HOME with others are sent back
            continue
        assert (hits.sum(axis=1) == given).all()
        assert (hits.sum(axis=0) == taken).all()
        assert found["danger"].sum() == hits.sum()


def test_pawns_land_at_least_as_often_as_they_are_hit() -> None:
    for name in ("hasbro", "teams", "sorreesi"):
        counts = WORLDS[name].play(0, 300).audits.sum(axis=0)
        assert audited.section(counts, "landings").sum() > audited.section(counts, "hits").sum() > 0


def test_chunks_sum_up_the_games_in_them() -> None:
    world = WORLDS["hasbro"]
    together = world.play(150, 300)
    assert len(together.audits) == audited.chunks(150, 300) == 4
    alone = np.zeros_like(together.audits)
    for game in range(161, 450, audited.EVERY):
        alone[game // audited.CHUNK - 1] += world.play(game).audits[0]
    assert (together.audits == alone).all()
    assert audited.section(together.audits, "games").ravel().tolist() == [2, 5, 4, 2]


MATCHES = {
    "classic": World(Classic(pawns=1, match_end="rounds:3", next_leader="next_seat"), 3),
    "classic with hands": World(Classic(pawns=1, hand_size=4, match_end="rounds:2"), 4),
    "ice": World(Ice(pieces=(1, 0, 1), match_end="rounds:2"), 3),
}


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_is_audited_in_all_its_rounds(name: str) -> None:
    world = MATCHES[name]
    for game in range(0, 6 * audited.EVERY, audited.EVERY):
        rows, found = audit_of(world, game)
        rounds = int(rows.game("match_rounds")[0])
        assert rounds >= 2
        assert found["games"][0] == 1
        assert found["won"][0] == rounds
        assert found["turns"][0] == rows.game("turns_all")[0]
        assert found["drawn"].sum() == rows.game("draws")[0]
        assert found["standing"][0] == rounds * world.players * world.rules.pawns * 65
        gained, lost, helped, harmed = found["squares"].tolist()
        assert found["standing"][0] - found["standing"][1] == gained - lost + helped - harmed
        assert found["early"].sum() == audited.EARLY * found["early_players"][0]
        assert found["swing"].sum() <= rounds


ONLY_STARTS = {card: 9 if card in ("1", "3", "5") else 0 for card in CARDS}  # nobody goes back but by bumps


def test_nobody_is_locked_anew_when_another_round_of_a_match_begins() -> None:
    """A turn at the beginning of a round is none with all pawns lost, though there were some out in the round before."""
    world = World(Classic(pawns=1, match_end="rounds:2", slides="off", start_cards=("1",), deck_counts=ONLY_STARTS), 2)
    for game in range(0, 40 * audited.EVERY, audited.EVERY):
        rows, found = audit_of(world, game)
        if not rows.game("bumps")[0]:
            assert found["relocked"][0] == 0


# -- games looked at -----------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [classic, sorreesi, ice])
def test_a_game_looked_at_is_the_game_that_is_played(module: ModuleType) -> None:
    """Under policies of all kinds: those that err, and those that play at random once they have come so far."""
    rules = {classic: Classic(), sorreesi: Sorreesi(pawns=3), ice: Ice(**FEW)}[module]
    world = World(rules, 4)
    policies = world.tools.line_up(
        4, {"progress": 1.0, "random_from": 0.3}, {}, {"progress": 1.0, "mistakes": 0.5}, {"home": 1.0, "random_from": 0.6}
    )
    for game in range(3):
        rows = world.tools.play(rules, 4, 1, policies=policies, seed=SEED, first_game=game)
        story = referee.tell(module, rules, policies, 4, SEED, game)
        assert len(referee.turns_of(story.steps)) == rows.game("turns_all")[0]
        left = [referee.togo(story.boards[-1][(story.first + order) % 4]) for order in range(4)]
        assert left == rows.seat("pips_left", 4)[0].tolist()


# -- relabelings ---------------------------------------------------------------------------------------


def test_turning_the_board_turns_squares_and_changes_nothing_else() -> None:
    for players, seatings in engine_tools.ROTATIONS.items():
        if players == 3:
            continue  # one side of the board is empty, and it matters which
        turned = []
        for seats in seatings:
            rows = engine_tools.play(Classic(seat_colors=seats), players, 60, policies=engine_tools.line_up(players, *engine_tools.MIXED))
            counts = {name: audited.section(rows.audits, name).copy() for name in audited.SECTIONS}
            side = engine_tools.COLORS.index(seats[0])
            for name in ("visits", "landings", "danger"):
                counts[name][:, :60] = np.roll(counts[name][:, :60], -15 * side, axis=1)
            course = [name for name in engine_tools.GAME if name.startswith(("walked_", "chance_", "round_ends", "lead_"))]
            turned.append((counts, [rows.game(name) for name in course], [rows.seat(name, players) for name in ("luck", "rank_50")]))
        for counts, *columns in turned[1:]:
            assert all(np.array_equal(counts[name], turned[0][0][name]) for name in audited.SECTIONS)
            assert all(
                np.array_equal(one, other) for at, block in enumerate(columns, 1) for one, other in zip(block, turned[0][at], strict=True)
            )


# -- luck ----------------------------------------------------------------------------------------------

FAIR = {
    "hasbro": (World(Classic(), 4), 3_000),
    "with replacement": (World(Classic(draw="with_replacement"), 3), 3_000),
    "excluded": (
        World(Classic(reshuffle_when="when_last_taken", card_in_play_in_reshuffle="excluded", two_draws_again="always"), 2),
        3_000,
    ),
    "hands": (World(rulesets.load("hasbro-points").rules, 4), 2_000),
    "teams with hands": (World(Classic(**TEAMS, hand_size=5, two_in_hand="play_drawn"), 4), 1_000),
    "sorreesi": (World(Sorreesi(pawns=2), 3), 1_000),
    "ice": (World(Ice(pieces=(1, 1, 0), hand_size=0), 3), 600),
}


@pytest.mark.parametrize("name", FAIR)
def test_luck_is_nothing_on_average(name: str) -> None:
    world, games = FAIR[name]
    luck = world.play(0, games).seat("luck", world.players).astype(float)
    error = luck.std(axis=0, ddof=1) / np.sqrt(games)
    assert (error > 0).all()
    assert (np.abs(luck.mean(axis=0)) < 4 * error).all()


def test_luck_is_what_cards_are_worth_beyond_those_left() -> None:
    for rules, module in ((Classic(), classic), (Classic(draw="with_replacement"), classic), (Ice(**FEW), ice)):
        world = World(rules, 3, True)
        for game in (2, 23):
            story = referee.tell(module, rules, world.policies, 3, SEED, game)
            found = world.play(game).seat("luck", 3)[0]
            luck, apart = luck_of(story, rules)
            for order in range(3):
                seat = (story.first + order) % 3
                # The kernel multiplies by rounded reciprocals of how many cards are left.
                assert found[order] == pytest.approx(256 * luck[seat], abs=1 + 256 * apart[seat] / 500)


def luck_of(story: referee.Story, rules: Any) -> tuple[list[float], list[float]]:
    """By table seat: the luck of all cards, and the sum of how far it went either way."""
    worth = [CARD_WORTH[card] for card in CARDS]
    full = [number for number, card in enumerate(CARDS) for _ in range(rules.deck_counts.counts[card])]
    pile, luck, apart = list(full), [0.0] * 3, [0.0] * 3
    for step in story.steps:
        pile = pile or list(full)
        beyond = worth[step.card] - sum(worth[card] for card in pile) / len(pile)
        luck[step.seat] += beyond
        apart[step.seat] += abs(beyond)
        if rules.draw == "without_replacement":
            pile.remove(step.card)
    return luck, apart
