"""What every game module offers, and that its rows depend on nothing but task and game number."""

import random
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import engine_tools
import ice_listing
import ice_tools
import numpy as np
import pytest
import sorreesi_tools
from engine_tools import MIXED, SEATED, Recorder, assert_same, line_up, play, random_rules, values_off_default
from numpy.typing import NDArray
from referee import sorreesi as referee
from sorreesi_listing import Lister

from simsorry import games, jit, policies, rulesets
from simsorry.games import audited, classic, ice, sorreesi
from simsorry.games.classic import kernel, playing, queries
from simsorry.games.classic import tables as t
from simsorry.games.classic.decision import Table
from simsorry.games.classic.rules import Rules
from simsorry.games.ice import playing as ice_playing
from simsorry.games.ice import queries as ice_queries
from simsorry.games.ice.rules import Rules as IceRules
from simsorry.games.sorreesi import playing as sorreesi_playing
from simsorry.games.sorreesi import queries as sorreesi_queries
from simsorry.games.sorreesi.rules import Rules as SorreesiRules
from simsorry.games.weights import alone

U = np.uint64
PLAYERS = sorted(SEATED)
# Of each game: its module, and what the tests play it with. Both tools have the same names for that.
MODULES: dict[str, Any] = {"classic": classic, "sorreesi": sorreesi, "ice": ice}
TOOLS: dict[str, Any] = {"classic": engine_tools, "sorreesi": sorreesi_tools, "ice": ice_tools}
# Default rules, but where whole games take long with fewer pawns.
QUICK: dict[str, Any] = {"classic": Rules(), "sorreesi": SorreesiRules(), "ice": IceRules(pieces=(2, 1, 1))}
NOBODY = 255
WEIGHTS = {
    game: {name: policies.load(name, game).weights for name in policies.names() if policies.game_of(name) in (None, game)}
    for game in games.GAMES
}


def game_of(rules: Any) -> str:
    """The game that rules are of."""
    return next(name for name, module in MODULES.items() if isinstance(rules, module.Rules))


def tools_of(rules: Any) -> Any:
    """What the game of these rules is played with."""
    return TOOLS[game_of(rules)]


# -- every game ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games.GAMES)
def test_a_game_module_offers_the_names(name: str) -> None:
    module = games.load(name)
    missing = [offered for offered in classic.__all__ if not hasattr(module, offered)]
    assert not missing
    assert name == module.NAME
    assert isinstance(module.VERSION, int)
    for columns in (module.GAME_COLUMNS, module.SEAT_COLUMNS):
        names = [column.name for column in columns]
        assert len(set(names)) == len(names)
        assert all(column.meaning and np.dtype(column.dtype).itemsize <= 4 for column in columns)


@pytest.mark.parametrize("name", games.GAMES)
def test_a_game_module_plays_its_default_rules(name: str) -> None:
    module = games.load(name)
    rules = module.Rules()
    players = len(module.COLORS)
    assert len(module.seat_colors(rules, players)) == players
    out = np.zeros((len(module.GAME_COLUMNS), 3), np.int32), np.zeros((len(module.SEAT_COLUMNS), 3 * players), np.int32)
    audits = np.zeros((1, audited.SIZE), np.int64)
    scratch, policy = module.new_scratch(), module.compile_line_up([{}] * players)
    assert module.play_block(module.compile_rules(rules, players), policy, scratch, U(1), U(0), *out, audits) == 0


def test_every_game_is_tested_here() -> None:
    assert MODULES.keys() == TOOLS.keys() == games.GAMES.keys()


@cache
def everybody(game: str, players: int, policy: str) -> NDArray[Any]:
    """A table of players with the same built-in policy."""
    line: NDArray[Any] = TOOLS[game].line_up(players, WEIGHTS[game][policy])
    return line


@pytest.mark.parametrize("name", rulesets.names())
def test_every_ruleset_plays_with_every_policy(name: str) -> None:
    rules = rulesets.load(name).rules
    game, tools = game_of(rules), tools_of(rules)
    rules = rules.model_copy(update={"turn_cap": min(rules.turn_cap, 100)}) if game == "ice" else rules  # whole games take long
    for players in [4] if rules.team_pairs else PLAYERS:
        tables = MODULES[game].compile_rules(rules, players)
        for policy in WEIGHTS[game]:
            rows = tools.play(tables, players, 1, policies=everybody(game, players, policy), seed=9)
            finished = (rows.game("winner") < players) & (rows.game("capped") == 0)
            cut_off = (rows.game("capped") == 1) & (rows.game("turns_all") >= rules.turn_cap)
            assert (finished | cut_off).all(), policy


@pytest.mark.parametrize(
    "rules",
    [Rules(hand_size=5, team_pairs="opposite"), SorreesiRules(team_pairs="opposite", team_control="both_colors", pawns=4), IceRules()],
    ids=["classic", "sorreesi", "ice"],
)
def test_policies_differ(rules: Any) -> None:
    # Or every one of them could be random. With hands and partners, as some weigh nothing else; some weigh what only one game has.
    game, tools = game_of(rules), tools_of(rules)
    different = {tuple(alone(weights).items()) for weights in WEIGHTS[game].values()}  # nobody looks ahead there
    lines = [everybody(game, 4, policy) for policy in WEIGHTS[game]]
    courses = {tuple(tools.play(rules, 4, 3, policies=line, seed=9).game("digest").tolist()) for line in lines}
    assert len(courses) == len(different)


# -- the same rows whatever is done before, beside or around it ------------------------------------------

SHARED = {"team_pairs": "opposite", "team_collision": "coexist", "team_eleven_partner": True, "seven_parts": 4}
DRAWN = {"two_in_hand": "play_drawn", "hand_refill": "end_of_turn", "dead_hand": "random", "two_playable_idle": True}
LATER = {"resolution_order": "dice_then_card", "bonus_timing": "end_of_turn", "fight_bonus": 20, "fight_bonus_to": "any_winner"}
COMMON = {"team_pairs": "opposite", "team_control": "both_colors", "team_sorry_target": "any", "seven_parts": 4}
TOP = {"ice_contact_piece": "top", "ice_mixed_stack_zone": "drop_at_entry", "ice_slide_mode": "carry_stacked"}
DROPPED = {"hand_size": 0, "ice_swap_mode": "land_on_top", "ice_slide_triangle": "take", "pass_scope": "always"}
STRICT = {"card_compulsion": "global", "fight_tie": "both_stay", "swap_requires_single": False, "doubles_bottoms": True}
TASKS: dict[str, tuple[Any, int]] = {
    "hasbro": (Rules(), 4),
    "french": (rulesets.load("french").rules, 3),
    "full list": (Rules(pawns=6, own_collision="share", seven_parts=3, slide_after_swap="both", turn_cap=300), 2),
    "hands": (Rules(hand_size=5, pawns=2, **DRAWN, card_in_play_in_reshuffle="excluded"), 3),
    "teams": (Rules(pawns=2, team_pairs="opposite"), 4),
    "teams, hands, full list": (Rules(**SHARED, hand_size=7, pawns=3, seven_resolution="simultaneous", turn_cap=100), 4),
    "match": (Rules(pawns=2, match_end="rounds:3", next_leader="random", score_home_to="all_players", game_end="all_home"), 3),
    "sorreesi": (SorreesiRules(), 4),
    "sorreesi, later": (SorreesiRules(**LATER, pawns=3, game_end="all_home"), 3),
    "sorreesi, a team's pool": (SorreesiRules(**COMMON, pawns=4, turn_cap=100, card_in_play_in_reshuffle="excluded"), 4),
    "sorreesi, strict": (SorreesiRules(**STRICT, pawns=2, reshuffle_when="when_last_taken", turn_cap=200), 2),
    "ice": (IceRules(turn_cap=120), 4),
    "ice, contact at the top": (IceRules(**TOP, pieces=(2, 1, 1), card_in_play_in_reshuffle="excluded"), 3),
    "ice, cards drawn": (IceRules(**DROPPED, pieces=(1, 2, 0), game_end="all_home"), 2),
    "ice, match": (IceRules(**DRAWN, pieces=(1, 1, 0), match_end="rounds:2", next_leader="random", score_home_to="all_players"), 3),
}
EVERY_TASK = pytest.mark.parametrize(("rules", "players"), TASKS.values(), ids=TASKS)


def mixed(rules: Any, players: int) -> NDArray[Any]:
    """Players of several policies."""
    line: NDArray[Any] = tools_of(rules).line_up(players, *tools_of(rules).MIXED)
    return line


def joined(blocks: list[Any]) -> Any:
    kind = type(blocks[0])
    return kind(np.concatenate([block.games for block in blocks], axis=1), np.concatenate([block.seats for block in blocks], axis=1))


@EVERY_TASK
@pytest.mark.parametrize("sizes", [[1] * 40, [13, 26, 1], [20, 20]], ids=["ones", "uneven", "halves"])
def test_any_cut_into_blocks_gives_the_same_rows(rules: Any, players: int, sizes: list[int]) -> None:
    tools, policy = tools_of(rules), mixed(rules, players)
    whole = tools.play(rules, players, 40, policies=policy, first_game=1_000_003)
    begins = [1_000_003 + sum(sizes[:number]) for number in range(len(sizes))]
    blocks = [tools.play(rules, players, size, policies=policy, first_game=begin) for begin, size in zip(begins, sizes, strict=True)]
    tools.assert_same(joined(blocks), whole)
    assert np.array_equal(sum(block.audits.sum(axis=0) for block in blocks), whole.audits.sum(axis=0))


EVERY_GAME = pytest.mark.parametrize("game", games.GAMES)


@EVERY_GAME
def test_games_and_seeds_differ(game: str) -> None:
    # Or the test above could compare a game with itself.
    blocks = [TOOLS[game].play(QUICK[game], 4, 500, **options) for options in ({}, {"seed": 2}, {"first_game": 500})]
    digests = joined(blocks).game("digest").tolist()
    assert len(set(digests)) == len(digests)


def dirty_scratch(game: str) -> np.ndarray[Any, Any]:
    """A record in which nothing is as a new one; its lists have been used many times, but not as often as their stamps have bits."""
    scratch: np.ndarray[Any, Any] = MODULES[game].new_scratch()
    for field in scratch.dtype.names or ():
        scratch[field].view(np.uint8)[...] = 0xA5
    scratch["listing"] = 0xA5A5A5A5
    return scratch


@EVERY_TASK
def test_nothing_is_left_over_from_other_games(rules: Any, players: int) -> None:
    tools, game, policy = tools_of(rules), game_of(rules), mixed(rules, players)
    fresh = tools.play(rules, players, 20, policies=policy)
    used = MODULES[game].new_scratch()
    for others, seats in TASKS.values():
        if game_of(others) == game:
            tools.play(others, seats, 7, policies=mixed(others, seats), seed=99, scratch=used)
    tools.assert_same(tools.play(rules, players, 20, policies=policy, scratch=used), fresh)
    tools.assert_same(tools.play(rules, players, 20, policies=policy, scratch=dirty_scratch(game)), fresh)
    tools.assert_same(tools.play(rules, players, 20, policies=policy, scratch=used), fresh)


@EVERY_TASK
def test_the_entry_point_is_what_plays(rules: Any, players: int) -> None:
    # By its name people are told that something has to be compiled first.
    tools_of(rules).play(rules, players, 1)
    assert not (jit.CACHED and jit.is_cold(MODULES[game_of(rules)].entry_point(rules)))


@EVERY_GAME
def test_rows_that_were_there_before_are_written_over(game: str) -> None:
    module, tools = MODULES[game], TOOLS[game]
    out = np.full((len(module.GAME_COLUMNS), 9), -77, np.int32), np.full((len(module.SEAT_COLUMNS), 36), -77, np.int32)
    audits = np.zeros((1, audited.SIZE), np.int64)
    module.play_block(module.compile_rules(module.Rules(), 4), tools.line_up(4), module.new_scratch(), U(1), U(0), *out, audits)
    tools.assert_same(tools.Rows(*out), tools.play(module.Rules(), 4, 9))


@EVERY_GAME
def test_threads_do_not_disturb_each_other(game: str) -> None:
    tools, rules = TOOLS[game], QUICK[game]
    tables, policy = MODULES[game].compile_rules(rules, 4), mixed(rules, 4)
    whole = tools.play(tables, 4, 800, policies=policy)
    with ThreadPoolExecutor(4) as pool:
        blocks = list(pool.map(lambda begin: tools.play(tables, 4, 100, policies=policy, first_game=begin), range(0, 800, 100)))
    tools.assert_same(joined(blocks), whole)


@EVERY_GAME
def test_tables_and_line_up_are_only_read(game: str) -> None:
    rules = MODULES[game].Rules()
    tables, policy = MODULES[game].compile_rules(rules, 4), mixed(rules, 4)
    before = tables.tobytes(), policy.tobytes()
    TOOLS[game].play(tables, 4, 50, policies=policy)
    assert (tables.tobytes(), policy.tobytes()) == before


@EVERY_GAME
def test_no_games_are_no_rows(game: str) -> None:
    assert TOOLS[game].play(MODULES[game].Rules(), 4, 0).games.shape == (len(MODULES[game].GAME_COLUMNS), 0)


@EVERY_GAME
def test_a_game_cut_off_has_no_winner(game: str) -> None:
    rows = TOOLS[game].play(MODULES[game].Rules(turn_cap=20), 4, 50)
    assert (rows.game("capped") == 1).all()
    assert (rows.game("winner") == NOBODY).all()
    assert (rows.game("winner_color") == NOBODY).all()
    assert (rows.game("turns") == 20).all()
    assert (rows.seat("won", 4) == 0).all()


# -- policies --------------------------------------------------------------------------------------------


@EVERY_GAME
def test_a_policy_of_zeros_is_random(game: str) -> None:
    module, tools = MODULES[game], TOOLS[game]
    zeros = dict.fromkeys([feature.name for feature in module.FEATURES], 0.0)
    tools.assert_same(tools.play(module.Rules(), 4, 30, policies=tools.line_up(4, zeros)), tools.play(module.Rules(), 4, 30))


# Rules by which a swap can always be declined.
@pytest.mark.parametrize(
    "rules",
    [Rules(forward_past_entry="forbidden"), SorreesiRules(eleven_swap_forced=False), QUICK["ice"]],
    ids=["classic", "sorreesi", "ice"],
)
def test_a_policy_is_that_of_its_table_seat(rules: Any) -> None:
    # The seat that declines every swap it can decline, and no other.
    never = {"swaps": -1000.0}
    policy = MODULES[game_of(rules)].compile_line_up([never, {}, never, {}])
    rows = tools_of(rules).play(rules, 4, 200, policies=policy)
    swaps, seat = rows.seat("swaps", 4), rows.seat("table_seat", 4)
    assert swaps[np.isin(seat, [0, 2])].sum() == 0
    assert swaps[np.isin(seat, [1, 3])].sum() > 200


# -- the two lists, the two loops, the compiled code, and what an old seed means -----------------------------

SOME_POLICIES = ([], MIXED, [WEIGHTS["classic"]["balanced"]])


def any_rules(luck: random.Random, players: int, scalar: str, **fixed: Any) -> NDArray[Any]:
    """Compiled rules that one of those scalars is set for."""
    while True:
        rules = random_rules(luck, players, most=4, **fixed)
        if t._is_plain(rules) and (scalar == "plain" or t.is_single(rules)):  # compiling all would take long
            return classic.compile_rules(rules, players)


def assert_it_makes_no_difference(tables: NDArray[Any], scalar: str) -> None:
    """Fails unless the same games are played with another value of what only says how the engine goes about them."""
    players = int(tables[0]["players"])
    other = tables.copy()
    assert tables[0][scalar] == 1
    other[0][scalar] = 0
    for weights in SOME_POLICIES:
        policy = line_up(players, *weights)
        assert_same(play(tables, players, 40, policies=policy), play(other, players, 40, policies=policy))


@pytest.mark.parametrize("players", PLAYERS)
def test_the_full_list_plays_the_same_games_as_the_fast_one(players: int) -> None:
    luck = random.Random(players)
    assert_it_makes_no_difference(classic.compile_rules(Rules(), players), "plain")
    for _ in range(16):
        assert_it_makes_no_difference(any_rules(luck, players, "plain"), "plain")


HANDS, TEAMS = {"hand_size": 5}, {"team_pairs": "opposite"}


@pytest.mark.parametrize(("players", "needed"), [(2, HANDS), (3, HANDS), (4, TEAMS), (4, TEAMS | HANDS)], ids=str)
def test_the_full_list_plays_the_same_games_with_hands_and_teams(players: int, needed: dict[str, Any]) -> None:
    luck = random.Random(players)
    assert_it_makes_no_difference(classic.compile_rules(Rules(**needed), players), "plain")
    for _ in range(9):
        fixed = {name: luck.choice(values_off_default()[name]) for name in needed}
        assert_it_makes_no_difference(any_rules(luck, players, "plain", **fixed, turn_cap=400), "plain")


@pytest.mark.parametrize("players", PLAYERS)
def test_the_loop_of_everything_plays_the_same_single_games(players: int) -> None:
    luck = random.Random(players + 10)
    assert_it_makes_no_difference(classic.compile_rules(Rules(), players), "single")
    for _ in range(12):
        assert_it_makes_no_difference(any_rules(luck, players, "single"), "single")


SINGLE = [name for name in rulesets.names("classic") if classic.compile_rules(rulesets.load(name).rules, 4)[0]["single"]]


@pytest.mark.parametrize("name", SINGLE)
def test_the_loop_of_everything_plays_the_single_rulesets(name: str) -> None:
    players = PLAYERS[SINGLE.index(name) % len(PLAYERS)]
    assert_it_makes_no_difference(classic.compile_rules(rulesets.load(name).rules, players), "single")


def test_every_entry_point_is_compiled_once() -> None:
    for rules, players in TASKS.values():
        if game_of(rules) != "classic":
            continue
        play(rules, players, 1, policies=line_up(players, *MIXED))
        play(rules, players, 1)
        table = Table(rules, classic.seat_colors(rules, players))
        position = {color: ["S"] * rules.pawns for color in table.players}
        recorder = Recorder()
        recorder.record(table.compiled, line_up(players), 1, 1)
        queries.let_begin(table.compiled, recorder.scratch, U(1))
        queries.put_pawns(table.compiled, recorder.scratch, table.words(position))
        if rules.hand_size:
            table.decide_hand(position, "red", "1 5", followup=True, drawn="5" if rules.two_in_hand == "play_drawn" else None)
            table.decide_hand(position, "red", "1 5 5", first_turn=True)
        else:
            table.decide(position, "red", 1)
    entries = [getattr(queries, name) for name in ("outcomes_of", "outcomes_of_hand", "begin", "let_begin", "put_pawns", "step")]
    entries += [kernel.play_single, playing.play_matches, queries.end_round, queries.next_round]
    assert [len(function.signatures) for function in entries] == [1] * len(entries)


def test_every_entry_point_of_sorreesi_is_compiled_once() -> None:
    for rules, players in TASKS.values():
        if game_of(rules) != "sorreesi":
            continue
        tables, line = sorreesi.compile_rules(rules, players), mixed(rules, players)
        sorreesi_tools.play(tables, players, 1, policies=line)
        lister = Lister(rules, sorreesi.seat_colors(rules, players))
        board = referee.Board.of(rules, lister.seated, {color: [referee.BASE] * rules.pawns for color in lister.seated})
        assert lister.outcomes(board, "red", referee.Pool((5,), "2"))
        sorreesi_queries.begin(tables, lister.scratch, U(1), U(1))
        sorreesi_queries.let_begin(tables, lister.scratch, U(1))
        sorreesi_queries.put_pawns(tables, lister.scratch, lister.words(board))
        sorreesi_queries.next_use(tables, line, lister.scratch)
    entries = [getattr(sorreesi_queries, name) for name in ("uses_of", "look_at", "begin", "let_begin", "put_pawns", "next_use")]
    assert [len(function.signatures) for function in [*entries, sorreesi_playing.play_sorreesi]] == [1] * 7


def test_every_entry_point_of_ice_is_compiled_once() -> None:
    for rules, players in TASKS.values():
        if game_of(rules) != "ice":
            continue
        tables, line = ice.compile_rules(rules, players), mixed(rules, players)
        ice_tools.play(tables, players, 1, policies=line)
        question = ice_listing.Question(rules, ice.seat_colors(rules, players), {"red": ["S:s"]}, "red", hand=("1", "2"))
        lister = ice_listing.Lister(rules, question.seated)
        assert lister.ask(question if rules.hand_size else question._replace(card="1"))
        ice_queries.begin_ice(tables, lister.scratch, U(1), U(1))
        ice_queries.let_begin(tables, lister.scratch, U(1))
        ice_queries.next_card(tables, line, lister.scratch)
        ice_queries.next_round(tables, lister.scratch, U(1), U(1))
    names = ("plays_of", "show_play", "take_back", "begin_ice", "let_begin", "next_card", "next_round", "take_position")
    entries = [getattr(ice_queries, name) for name in names]
    assert [len(function.signatures) for function in [*entries, ice_playing.play_ice]] == [1] * 9


# Winner, turns and digest of three games. Where these differ behaviour has changed: raise VERSION, or find the mistake.
COURSES = {
    ("hasbro", 2): [[1, 136, 951684533], [1, 160, 664354677], [0, 87, -2007383527]],
    ("hasbro", 4): [[1, 210, 1547558080], [0, 229, -1082421428], [2, 179, 661475284]],
    ("french", 3): [[2, 171, -1019100918], [1, 257, -1014797906], [1, 119, -1462921521]],
    ("house-bump-own", 4): [[1, 170, 908873161], [0, 269, -1153241302], [2, 175, -1974802348]],
    ("hasbro-points", 3): [[1, 80, -1437472737], [0, 85, -740923490], [0, 85, 1010076723]],
    ("hasbro-teams", 4): [[1, 286, 1698660491], [0, 437, -1979741945], [2, 479, -1209510318]],
    ("hasbro-teams-points", 4): [[1, 278, 2016676764], [1, 298, 1966075168], [3, 240, -1313931937]],
    ("house-partners-share", 4): [[1, 390, 996467421], [3, 344, -1963436932], [3, 340, -734856047]],
    ("hasbro-match", 2): [[1, 519, -1857893459], [1, 197, 1469254952], [0, 356, 1862084788]],
    ("hasbro-match-rounds", 3): [[1, 296, -1860842768], [0, 274, -1284754956], [0, 319, -528863025]],
    ("sorreesi", 2): [[0, 91, 1299695767], [1, 86, -1000747665], [0, 61, -1321773977]],
    ("sorreesi", 3): [[1, 152, -1644559105], [2, 114, -34157674], [0, 115, 2116715167]],
    ("sorreesi", 4): [[1, 166, -1301062469], [0, 85, -1689598702], [3, 108, -1347640880]],
    ("sorreesi-teams", 4): [[2, 238, 406654581], [3, 208, 998435315], [2, 210, 1547435144]],
    ("sorreesi-teams-pool", 4): [[2, 207, -1010579915], [0, 269, -1410041914], [2, 199, 1052080217]],
    ("sorreesi-parcheesi", 4): [[2, 111, 343147666], [0, 57, 1166426850], [2, 55, 1635380213]],
    ("sorreesi-dice-then-card", 3): [[1, 152, 742767309], [0, 148, 1657237896], [0, 145, 110691065]],
    ("sorreesi-defender-wins-ties", 2): [[0, 91, 1299695767], [1, 86, -1000747665], [0, 61, -1321773977]],
    ("ice", 2): [[1, 116, 1285608019], [1, 142, 1506243377], [0, 205, 395652469]],
    ("ice", 3): [[1, 236, -1928002879], [0, 196, -441123165], [0, 193, -1976129913]],
    ("ice", 4): [[1, 226, 1681771337], [0, 241, 919361729], [3, 256, -427298047]],
    ("ice-nine", 4): [[1, 130, 675547525], [0, 241, 834706641], [3, 192, 629972226]],
    ("ice-three", 2): [[1, 26, 2120896416], [1, 52, 256640664], [0, 63, 1322905744]],
    ("ice-scoring", 3): [[1, 236, -1928002879], [0, 196, -441123165], [0, 193, -1976129913]],
    ("ice-draw-one", 4): [[1, 454, -1270877512], [0, 501, 1463221562], [3, 528, 1270840489]],
    ("ice-top-contact", 3): [[1, 236, 1762180592], [0, 235, 1973788418], [0, 223, -221503336]],
    ("ice-carry-stacked", 4): [[1, 250, -720658938], [0, 261, 1775956332], [3, 244, 474051604]],
    ("ice-drop-at-entry", 3): [[1, 176, -1361011875], [0, 202, 727861398], [0, 235, 1216523348]],
    ("ice-land-on-top", 2): [[1, 172, 730874620], [1, 142, 656879889], [0, 213, 1896758201]],
}


VERSIONS = {"classic": 1, "sorreesi": 1, "ice": 1}


def without_mistakes(rules: Any, players: int) -> NDArray[Any]:
    """Players of several policies, none of whom leaves anything to chance: as when these games were noted."""
    tools = tools_of(rules)
    line: NDArray[Any] = tools.line_up(
        players, *({name: weight for name, weight in each.items() if name not in ("mistakes", "random_from")} for each in tools.MIXED)
    )
    return line


@pytest.mark.parametrize(("name", "players"), COURSES)
def test_old_seeds_mean_the_old_games(name: str, players: int) -> None:
    rules = rulesets.load(name).rules
    assert VERSIONS[game_of(rules)] == MODULES[game_of(rules)].VERSION
    rows = tools_of(rules).play(rules, players, 3, policies=without_mistakes(rules, players), seed=1)
    found = [[int(rows.game(column)[game]) for column in ("winner", "turns", "digest")] for game in range(3)]
    assert found == COURSES[name, players]
