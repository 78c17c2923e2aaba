"""Games of Ice's referee: counters worked out by hand, and random games under any options, in which nothing is made or lost."""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pydantic import ValidationError
from referee import ice as referee
from referee.common import NOT_COUNTED
from referee.ice import Board, Decision, Game, Outcome, Place, Record, Step, Way
from referee_tools import Script

from simsorry.games.ice.columns import GAME_COLUMNS, SEAT_COLUMNS
from simsorry.games.ice.rules import Rules
from simsorry.games.options import CARDS, COLORS

# -- games worked out by hand ----------------------------------------------------------------------------


def plan(*wanted: str) -> Callable[[Decision], Outcome]:
    """A policy that makes one choice after the other: ``"3 4: rm"`` is the 3 after which that stands in the text, ``"throw 3"``."""
    to_come = iter(wanted)

    def matches(choice: Outcome, first: str, rest: str) -> bool:
        if first in ("pass", "throw", "idle"):
            return (choice.kind, choice.card) == (first, rest)
        return choice.kind == "play" and choice.card == first and rest in f"{choice.text} "

    def choose(decision: Decision) -> Outcome:
        first, _, rest = next(to_come).partition(" ")
        found = [choice for choice in decision.choices if matches(choice, first, rest)]
        assert len(found) == 1, [(choice.kind, choice.card, choice.text) for choice in decision.choices]
        return found[0]

    return choose


def played(position: str, cards: str, *choices: str, **options: Any) -> Record:
    """A game from a position, without hands unless said; fails unless all of the cards have come."""
    places = referee.read_position(position)
    script = Script(cards)
    players = [color for color in COLORS if color in places]
    rules = Rules(**{"hand_size": 0, "draw": "with_replacement"} | options)
    record = referee.play(rules, players, 0, script, plan(*choices), position=places)
    assert script.left == []
    return record


def counted(counters: Mapping[str, int], names: str) -> list[int]:
    return [counters[name] for name in names.split()]


def course(record: Record) -> list[str]:
    """Who did what with which hand before."""
    return [" ".join([step.color, step.kind, step.card or "nothing", "of", *step.hand]) for step in record.steps]


def test_a_game_of_starts_covers_and_a_switch() -> None:
    record = played(
        "red S:s S:m S:l / yellow S:s S:m S:l",
        "1 1 2 3 12 5 7 11 sorry 4 1",
        "2 4: rs rm",
        "3 4: rs | 7: rm",
        "5 4: rs | 12: rm",
        "11 4: ys | 12: rm | 56: rs",
        "sorry 12: rm yl",
        "1 12: rm | 13: yl",
        turn_cap=10,
    )
    game = record.game
    assert record.steps[-1].text == "red S:l / yellow S:m | 4: ys | 12: rm | 13: yl | 52: rs"
    assert counted(game, "turns turns_all rounds draws dead_turns capped winner") == [10, 10, 5, 11, 0, 1, 255]
    assert counted(game, "choice_turns forced_turns choices") == [5, 5, 6]
    assert counted(game, "starts sorry_starts swaps slides splits backs homes") == [3, 1, 1, 1, 0, 1, 0]
    assert counted(game, "moves_small moves_medium moves_large stack_moves carried swept") == [3, 2, 1, 0, 0, 0]
    assert counted(game, "covers stacks pawns_covered pawns_freed longest_cover highest_pile") == [2, 0, 2, 2, 2, 2]
    assert counted(game, "pawn_turns covered_turns pile_turns") == [30, 2, 28]
    red, yellow = record.seats
    assert counted(red, "turns starts sorry_starts swaps slides covers_given covers_taken own_covers") == [5, 2, 0, 1, 0, 0, 1, 1]
    assert counted(yellow, "turns starts sorry_starts swaps slides covers_given covers_taken own_covers") == [5, 1, 1, 0, 1, 1, 0, 0]
    assert counted(red, "pawn_turns covered_turns first_start pawns_home place") == [18, 2, 1, 0, 2]
    assert counted(yellow, "pawn_turns covered_turns first_start pawns_home place") == [12, 0, 1, 0, 1]
    assert counted(red, "pips_left") == [65 + 56 + 16]
    assert counted(yellow, "pips_left") == [65 + 34 + 25]


def test_a_game_of_stacks_slides_and_a_dropped_pawn() -> None:
    record = played(
        "red S:m H:l / yellow S:l | 0: ym rs | 18: ys",
        "5 3 3 11 2 12 5 5 1",
        "5 2: ym",
        "3 5: ym",
        "3 H:s",
        "11 19: ys ym",
        "5 28: ym rm",
        ice_mixed_stack_zone="drop_at_entry",
        turn_cap=8,
    )
    game = record.game
    assert record.steps[-1].text == "red H:s H:l / yellow S:l | 20: ys | 28: ym rm"
    assert [step.kind for step in record.steps] == ["play"] * 6 + ["forfeit"] + ["play"] * 2
    assert counted(game, "turns draws dead_turns choice_turns forced_turns") == [8, 9, 1, 5, 2]
    assert counted(game, "starts slides homes moves_small moves_medium moves_large") == [1, 3, 1, 3, 4, 0]
    assert counted(game, "stack_moves carried swept covers stacks") == [2, 2, 1, 1, 1]
    assert counted(game, "pawns_covered pawns_freed longest_cover highest_pile") == [1, 1, 3, 3]
    assert counted(game, "pawn_turns covered_turns pile_turns") == [22, 3, 15]
    assert [seat["carried"] for seat in record.seats] == [2, 0]
    assert [seat["own_covers"] for seat in record.seats] == [0, 1]


def test_parts_of_a_7_count_one_by_one() -> None:
    record = played("red / blue | 20: bs | 18: rl rm | 40: rs", "7", "7 20: bs rm | 45: rs", turn_cap=1)
    assert counted(record.game, "splits moves_small moves_medium moves_large covers stacks stack_moves") == [1, 1, 1, 0, 1, 0, 0]
    record = played("red Z3:s / blue | 40: bm rl rs", "7", "7 H:s / blue | 40: bm | 44: rl rs", turn_cap=1)
    assert counted(record.game, "splits homes moves_small stack_moves carried pawns_freed") == [1, 1, 2, 1, 0, 1]
    record = played("red Z3:s / blue | 37: bl rl rs", "7", "7 H:s / blue | 41: bl rl rs", turn_cap=1)
    assert counted(record.game, "splits homes moves_small stack_moves carried pawns_freed") == [1, 1, 2, 1, 1, 0]


def test_who_is_covered_and_freed_within_one_turn() -> None:
    record = played("red S:m H:s / yellow S:m | 4: ys", "2 5", "2 4: ys rm", turn_cap=1)
    assert counted(record.game, "pawns_covered pawns_freed longest_cover draws") == [1, 1, 0, 2]
    assert counted(record.game, "covers pawn_turns covered_turns pile_turns") == [1, 2, 0, 2]


def test_how_long_a_pawn_is_covered() -> None:
    begun = "red S:m H:s / yellow H:m | 4: ys"
    freed = played(begun, "2 12 5", two_draws_again="never", turn_cap=3)
    assert counted(freed.game, "pawns_covered pawns_freed longest_cover covered_turns dead_turns") == [1, 1, 2, 2, 1]
    to_the_end = played(begun, "2 12", two_draws_again="never", turn_cap=2)
    assert counted(to_the_end.game, "pawns_covered pawns_freed longest_cover covered_turns dead_turns") == [1, 0, 1, 2, 1]


def test_a_switch_covers_too() -> None:
    record = played("red / blue | 20: bm rs | 30: bl rl", "11", "11 20: bm bl | 30: rs rl", turn_cap=1)
    assert counted(record.game, "swaps covers stacks pawns_covered pawns_freed covered_turns") == [1, 0, 0, 2, 0, 2]
    assert counted(record.seats[0], "own_covers covers_given covers_taken") == [1, 1, 0]
    assert counted(record.seats[1], "own_covers covers_given covers_taken") == [0, 0, 1]


def test_a_slide_takes_pawns_along() -> None:
    record = played("red / blue | 15: bm rm | 17: bs bl | 18: rs | 19: bs rl", "1", "1 15: bm | 19: bs rl rs bs bl rm", turn_cap=1)
    assert counted(record.game, "slides swept covers stacks pawns_covered pawns_freed carried") == [1, 3, 0, 1, 2, 0, 0]
    assert counted(record.seats[0], "covers_given own_covers") == [0, 2]


def test_the_winner_ends_the_game() -> None:
    record = played("red Z3:m H:s / blue S:m S:l | 20: bs", "3", score_home_to="all_players", pieces=(1, 1, 0))
    assert counted(record.game, "winner winner_color capped turns homes band_1 band_2 band_3") == [0, 0, 0, 1, 1, 0, 0, 1]
    assert [seat["points"] for seat in record.seats] == [1 + 2 + (1 + 2) + 40, 0]
    assert [seat["place"] for seat in record.seats] == [1, 2]
    assert [seat["pips_left"] for seat in record.seats] == [0, 65 + 65 + 63]


def test_play_goes_on_for_places() -> None:
    options: dict[str, Any] = {"pieces": (1, 0, 0), "two_draws_again": "never"}
    position = "red Z3:s / blue Z3:s / yellow Z3:s"
    record = played(position, "3 1 5 2 3", game_end="all_home", **options)
    assert counted(record.game, "winner turns turns_all rounds dead_turns capped") == [0, 1, 5, 2, 1, 0]
    assert [seat["place"] for seat in record.seats] == [1, 2, 3]
    assert [seat["pips_left"] for seat in record.seats] == [0, 3, 3]
    record = played(position, "3 1 5 2", game_end="full_ranking", **options)
    assert counted(record.game, "winner turns turns_all rounds dead_turns capped") == [0, 1, 4, 2, 1, 0]
    assert record.steps[-1].text == "red H:s / blue H:s / yellow Z3:s"


# -- points and matches ----------------------------------------------------------------------------------

FIFTEEN = (5, 5, 5)
SCORED: dict[str, Any] = {"score_home_to": "all_players"}


def points(*home: tuple[int, ...], **options: Any) -> list[int]:
    """The points of a round that red, the first, has won."""
    by_color = dict(zip(COLORS, home, strict=False))
    return list(referee.round_points(Rules(**SCORED | options), "red", by_color).values())


def test_I31_points_go_by_size() -> None:
    assert points(FIFTEEN, (1, 2, 0)) == [30 + (4 + 6 + 15) + 10, 5]
    assert points(FIFTEEN, (1, 2, 0), score_home_to="winner_only") == [65, 0]
    assert points(FIFTEEN, (5, 3, 0)) == [30 + (4 + 15) + 5, 11]
    assert points(FIFTEEN, (5, 3, 1)) == [30 + (4 + 12), 14]
    assert points(FIFTEEN, (5, 3, 1), score_home_to="none") == [0, 0]


def test_I31_most_points_there_can_be() -> None:
    nobody = (0, 0, 0)
    assert points(FIFTEEN, nobody, nobody, nobody)[0] == 160
    assert points(FIFTEEN, nobody, nobody, nobody, bonus_bands="cumulative")[0] == 175


def test_points_are_options() -> None:
    values: dict[str, Any] = {"score_home_value": (3, 0, 1), "score_not_home_value": (0, 0, 2), "score_bands": ((1, 7),)}
    assert points((1, 1, 1), (1, 0, 0), (0, 1, 0), pieces=(1, 1, 1), **values) == [4 + 2 + 2 + 7, 3, 0]
    assert points((1, 1, 1), (1, 0, 0), (0, 1, 0), pieces=(1, 1, 1), band_measure="total", **values) == [4 + 2 + 2, 3, 0]


def test_a_match() -> None:
    fast: dict[str, Any] = {"pieces": (1, 0, 0), "quick_start_pawns": 1, "slides": "off", "home_overshoot": "any", "hand_size": 0}
    cards = ("12 1 " * 5 + "12 ") + "12 1 " * 5 + "12 "
    script = Script(cards)
    rules = Rules(draw="with_replacement", match_end="rounds:2", next_leader="next_seat", turn_cap=50, **fast, **SCORED)
    with pytest.raises(StopIteration):  # a tie is played on
        referee.play(rules, ("red", "yellow"), 0, script, lambda decision: decision.outcomes[0])
    script = Script(cards)
    record = referee.play(
        rules.model_copy(update={"next_leader": "winner"}), ("red", "yellow"), 0, script, lambda decision: decision.outcomes[0]
    )
    assert counted(record.game, "winner match_rounds band_3 homes turns") == [0, 2, 2, 2, 22]
    assert [seat["points"] for seat in record.seats] == [2 * (1 + 1 + 40), 0]
    assert [seat["match_rounds_won"] for seat in record.seats] == [2, 0]


# -- hands -----------------------------------------------------------------------------------------------


def test_turns_with_a_hand() -> None:
    record = played(
        "red S:m / yellow | 39: ym",
        "2 5 3 8 10 12 11 1",
        "2 4: rm",
        "3 7: rm",
        "5 44: ym",
        "12 19: rm",
        hand_size=2,
        turn_cap=3,
    )
    assert course(record) == ["red play 2 of 2 3", "red play 3 of 3 10", "yellow play 5 of 5 8", "red play 12 of 10 12"]


# -- random games ----------------------------------------------------------------------------------------

SEATED = {2: ("red", "yellow"), 3: ("red", "blue", "yellow"), 4: COLORS}
VALUES: dict[str, tuple[Any, ...]] = {
    "pieces": ((1, 1, 1), (2, 0, 1), (0, 3, 0), (3, 3, 3)),
    "quick_start_pawns": (1, 2, 3),
    "head_starts": ((0, 3), (15,)),
    "deck_counts": ("deck_44", dict.fromkeys(CARDS, 2), dict.fromkeys(CARDS, 3) | {"7": 9, "11": 6}),
    "draw": ("with_replacement",),
    "start_cards": ({"1": ("small", "medium", "large"), "5": ("large",)}, {"7": ("small", "large"), "3": ()}),
    "must_move": (False,),
    "eleven_swap_forced": (True,),
    "ten_back_forced": (False,),
    "two_draws_again": ("if_played", "never"),
    "forward_past_entry": ("forbidden", "forced"),
    "pass_scope": ("always",),
    "backward_out_of_zone": (False,),
    "home_overshoot": ("bounce", "any"),
    "seven_parts": (1,),
    "ice_seven_same_pile": ("forbidden",),
    "ice_contact_piece": ("top",),
    "ice_mixed_stack_zone": ("drop_at_entry", "to_start"),
    "ice_stack_home": ("top_only",),
    "ice_carry_past_entry": ("forbidden",),
    "sorry_alt_forward": (4,),
    "slides": ("off", "all"),
    "slide_riders": ({"red A": COLORS, "blue B": ()},),
    "slide_on_backward": (False,),
    "slide_after_sorry": (False,),
    "absent_color_slides": ("inert",),
    "ice_slide_mode": ("carry_stacked", "end_only"),
    "ice_slide_order": ("first_met_lowest",),
    "ice_slide_triangle": ("take",),
    "ice_swap_mode": ("land_on_top", "same_size"),
    "ice_swap_same_space": (False,),
    "ice_swap_slide": ("never",),
    "swap_may_cross_entry": (False,),
    "ice_sorry_target": ("any_in_pile",),
    "ice_sorry_size": ("small_only", "medium_only", "large_only"),
    "hand_size": (0, 1, 3),
    "two_in_hand": ("play_drawn", "none"),
    "two_playable_idle": (True,),
    "two_followup_stuck": ("discard_one",),
    "hand_refill": ("end_of_turn", "when_empty"),
    "dead_hand": ("random", "oldest"),
    "optional_counts_as_playable": (True,),
    "first_turn_dead_hand": ("skip",),
    "score_home_to": ("all_players", "winner_only"),
    "score_home_value": ((2, 2, 2),),
    "score_not_home_value": ((0, 1, 0),),
    "score_bands": (((1, 7), (4, 2)), ()),
    "bonus_bands": ("cumulative",),
    "band_measure": ("total",),
    "match_end": ("rounds:2", "target:40"),
    "next_leader": ("next_seat", "random"),
    "reshuffle_when": ("when_last_taken",),
    "card_in_play_in_reshuffle": ("excluded",),
    "game_end": ("full_ranking", "all_home"),
}
_POINTS = {"score_home_to": "all_players"}
NEEDS: dict[str, dict[str, Any]] = {  # what an option needs before it means anything
    "two_draws_again": {"hand_size": 0},
    "next_leader": {"match_end": "rounds:2"},
    **dict.fromkeys(("score_home_value", "score_not_home_value", "score_bands", "bonus_bands", "band_measure"), _POINTS),
}
TOLD_BY_THE_CALLER = {"first_player", "seat_colors", "turn_cap"}


def random_rules(luck: random.Random, players: int) -> Rules:
    """Rules with some options off their printed values."""
    chosen: dict[str, Any] = {"turn_cap": 40, "pieces": luck.choice([(5, 5, 5), (2, 2, 2), (1, 1, 1)])}
    for name in luck.sample(list(VALUES), luck.randint(0, 12)):
        tried = chosen | NEEDS.get(name, {}) | {name: luck.choice(VALUES[name])}
        try:
            rules = Rules(**tried)
        except ValidationError:
            continue
        if rules.hand_size * players <= sum(rules.deck_counts.counts.values()):
            chosen = tried
    return Rules(**chosen)


def changed(rules: Rules) -> str:
    """The options off their printed values."""
    return ", ".join(f"{name}={value}" for name, value in rules if value != Rules.model_fields[name].default)


class Watched:
    """A game of random players; fails if anything is unsound at a decision or after a card."""

    def __init__(self, rules: Rules, players: int, seed: int) -> None:
        self.rules = rules
        self.luck = luck = random.Random(seed)
        self.game = Game(
            rules,
            SEATED[players],
            luck.randrange(players),
            luck.choice,
            self._choose,
            throw=luck.choice,
            lead=lambda _: luck.randrange(players),
            watch=self._watch,
        )

    def play(self) -> Record:
        return self.game.play()

    def _choose(self, decision: Decision) -> Outcome:
        choices = [(choice.card, choice.kind, str(choice.changes)) for choice in decision.choices]
        assert len(set(choices)) == len(choices) > 1
        if self.rules.draw == "without_replacement" and self.rules.hand_size:
            self._assert_cards_are_sound()
        return self.luck.choice(decision.choices)

    def _assert_cards_are_sound(self) -> None:
        """Rulebook 11.3: cards are neither made nor lost."""
        now = self.game.rounds[-1]
        cards = Counter([*now.deck.pile, *now.deck.discards, *now.in_play])
        for hand in now.hands.values():
            cards += Counter(hand)
            assert len(hand) <= self.rules.hand_size
        assert cards == Counter({card: count for card, count in self.rules.deck_counts.counts.items() if count})

    def _watch(self, step: Step) -> None:
        before, after = step.decision.board, self.game.rounds[-1].board
        assert_pawns_are_sound(self.rules, before, after)
        assert step.text == after.text == referee.write_position(referee.read_position(step.text))
        assert Board.of(self.rules, self.game.players, after.position).position == after.position
        if step.chosen is None or step.chosen.way is None:
            assert after.piles == before.piles
            return
        assert step.decision.find(step.text, step.kind, step.chosen.card) is step.chosen
        assert_only_what_may_move_has_moved(step.chosen.way, before, after)


def assert_pawns_are_sound(rules: Rules, before: Board, after: Board) -> None:
    """Rulebook 11.3: pawns are neither made nor lost, and START gains none, except where stacks are barred from zones."""
    where = places_of(after)
    assert where.keys() == places_of(before).keys()
    for pawn, place in where.items():
        assert isinstance(place, int) or place[0] == pawn.color
    pawns = Counter((pawn.color, pawn.size) for pawn in where)
    assert pawns == Counter({(color, size): rules.pieces[size] for color in after.players for size in range(3)} | Counter())
    if rules.ice_mixed_stack_zone != "to_start":
        for color in after.players:
            assert set(after.pile(referee.start(color))) <= set(before.pile(referee.start(color)))
    assert rules.ice_contact_piece == "top" or not after.flagged
    lowest = {pile[0] for _, pile in after.squares()}
    inside = {pawn for color in after.players for place in (referee.start(color), referee.home(color)) for pawn in after.pile(place)}
    assert after.flagged.isdisjoint(lowest | inside)


def places_of(board: Board) -> dict[referee.Pawn, Place]:
    return {pawn: place for place, pile in board.piles.items() for pawn in pile}


def assert_only_what_may_move_has_moved(way: Way, before: Board, after: Board) -> None:
    """Who has moved was in a unit, was switched, or was swept along."""
    then, now = places_of(before), places_of(after)
    led = {pawn for part in way.parts for pawn in part.group}
    others = {pawn for pawn in then if then[pawn] != now[pawn]} - led
    swept = sum(part.ride.swept for part in way.parts)
    if way.kind == "switch":
        assert len(others) <= swept + 1
        return
    assert len(others) <= swept
    assert way.slides or not others
    assert led.isdisjoint(before.covered()) or way.kind == "split"
    assert all(pawn.color == led_by(way) for part in way.parts for pawn in part.group[-1:])


def led_by(way: Way) -> str:
    """Whose pawns lead."""
    return way.parts[0].group[-1].color


def assert_counters_go_together(record: Record, rules: Rules) -> None:
    """What is counted for the game is what is counted for the seats, and parts are no more than the whole."""
    game, seats = record.game, record.seats
    assert game.keys() == {column.name for column in GAME_COLUMNS} - NOT_COUNTED
    assert all(seat.keys() == {column.name for column in SEAT_COLUMNS} - NOT_COUNTED for seat in seats)
    assert game["turns_all"] == sum(seat["turns"] for seat in seats)
    for name in game.keys() & seats[0].keys() - {"turns"}:
        assert game[name] == sum(seat[name] for seat in seats), name
    assert game["pawns_covered"] == sum(seat["covers_given"] + seat["own_covers"] for seat in seats)
    assert sum(seat["covers_given"] for seat in seats) == sum(seat["covers_taken"] for seat in seats)
    assert game["pawns_freed"] <= game["pawns_covered"]
    assert game["dead_turns"] + game["forced_turns"] <= game["turns_all"]
    assert game["throw_choice_turns"] <= game["choice_turns"] <= game["choices"]
    assert game["draws"] == sum(step.card != "" for step in record.steps)
    kinds = Counter(step.kind for step in record.steps)
    assert (game["throws"], game["passes"]) == (kinds["throw"], kinds["pass"])
    ways = [step.chosen.way for step in record.steps if step.chosen is not None and step.chosen.way is not None]
    moves = sum(len(way.parts) for way in ways if way.kind not in ("start", "sorry", "switch"))
    assert game["moves_small"] + game["moves_medium"] + game["moves_large"] == moves
    assert game["stack_moves"] <= moves
    assert game["covered_turns"] <= game["pawn_turns"]
    assert game["pile_turns"] <= game["pawn_turns"] <= game["turns_all"] * rules.pawns * len(seats)
    assert game["longest_cover"] < max(1, game["turns_all"])
    assert sum(seat["won"] for seat in seats) == (game["winner"] != referee.NOBODY)
    assert game["capped"] or min(seat["place"] for seat in seats) == 1


def test_every_option_comes_up() -> None:
    assert VALUES.keys() | TOLD_BY_THE_CALLER == Rules.model_fields.keys()


def test_a_game_by_the_printed_rules_is_sound_and_ends() -> None:
    record = Watched(Rules(), 2, seed=2).play()
    assert_counters_go_together(record, Rules())
    assert not record.game["capped"]
    assert 13 <= record.game["homes"] <= 30


@pytest.mark.parametrize("players", SEATED)
def test_first_turns_by_the_printed_rules_are_sound(players: int) -> None:
    rules = Rules(turn_cap=150)
    assert_counters_go_together(Watched(rules, players, seed=players).play(), rules)


@pytest.mark.parametrize("seed", range(50))
def test_games_by_any_rules_are_sound(seed: int) -> None:
    luck = random.Random(seed)
    players = luck.choice([2, 3, 4])
    rules = random_rules(luck, players)
    try:
        assert_counters_go_together(Watched(rules, players, seed).play(), rules)
    except AssertionError as error:
        raise AssertionError(f"{players} players, {changed(rules)}: {error}") from error


@pytest.mark.parametrize("options", [{}, {"hand_size": 0, "ice_contact_piece": "top", "dead_hand": "choose"}], ids=len)
def test_a_recorded_game_can_be_fed_in_again(options: dict[str, Any]) -> None:
    rules = Rules(turn_cap=60, draw="with_replacement", **options)
    luck = random.Random(5)
    drawn: list[str] = []

    def draw(pile: list[str]) -> str:
        drawn.append(luck.choice(pile))
        return drawn[-1]

    record = referee.play(rules, COLORS, 2, draw, lambda decision: luck.choice(decision.choices))
    cards = iter(drawn)

    def choose(decision: Decision) -> Outcome:
        step = record.steps[len(again.steps)]
        return decision.find(step.text, step.kind, step.card if step.kind != "pass" or not rules.hand_size else "")

    again = Game(rules, COLORS, 2, lambda _: next(cards), choose)
    second = again.play()
    assert (second.game, second.seats) == (record.game, record.seats)
    assert [step[:7] for step in second.steps] == [step[:7] for step in record.steps]
