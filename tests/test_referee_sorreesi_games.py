"""Random games of Sorreesi's referee, under any options together: pawns, cards and bonus moves are neither made nor lost."""

import random
from collections import Counter
from typing import Any

import pytest
from pydantic import ValidationError
from referee import sorreesi as referee
from referee.sorreesi import Decision, Game, Outcome, Record, Step
from referee_sorreesi_tools import in_words

from simsorry.games.options import CARDS, COLORS
from simsorry.games.sorreesi.rules import Rules

SEATED = {2: ("red", "yellow"), 3: ("red", "blue", "yellow"), 4: COLORS}
TEAM_OPTIONS = {
    "team_control": ("both_colors",),
    "team_sorry_target": ("any",),
    "team_eleven_partner": (True,),
    "team_finished_player": ("plays_for_partner",),
    "team_win": ("first_member",),
}
VALUES: dict[str, tuple[Any, ...]] = {
    "pawns": (1, 2, 3, 5),
    "quick_start_pawns": (1, 2),
    "head_starts": ((0, 3), (15,)),
    "deck_counts": ("deck_44", dict.fromkeys(CARDS, 1)),
    "draw": ("with_replacement",),
    "turn_vs_travel": ("opposite",),
    "home_path_length": (8,),
    "safe_squares": ((), (0,), (3, 12), tuple(range(17))),
    "turnoff_safe_for": ("owner",),
    "resolution_order": ("dice_then_card",),
    "combine_mode": ("sequential", "single_hop"),
    "dice_pass": ("none", "any"),
    "card_compulsion": ("global",),
    "eleven_swap_forced": (False,),
    "ten_back_forced": (False,),
    "two_draws_again": ("if_played", "never"),
    "doubles_redraw": ("dice_and_card",),
    "doubles_bottoms": (True,),
    "third_double": ("play_then_penalty",),
    "triple_penalty_piece": ("closest_to_home",),
    "triple_penalty_exempt": ("home_and_path",),
    "start_cards": (("1", "2", "4", "7", "10", "11", "sorry"), ("3",)),
    "enter_die_five": (False,),
    "enter_sum_five": (False,),
    "enter_forced": (True,),
    "entry_conflict": ("capture",),
    "home_overshoot": ("bounce", "any"),
    "backward_out_of_zone": (False,),
    "seven_parts": (1, 3, 7),
    "swap_requires_single": (False,),
    "swap_may_cross_entry": (False,),
    "sorry_alt_forward": (4,),
    "sorry_on_safe": ("fight",),
    "capture_bonus": (0, 7, 60),
    "home_bonus": (0, 20),
    "sorry_bonus": (False,),
    "fight_bonus": (20, 6),
    "fight_bonus_to": ("any_winner",),
    "bonus_timing": ("end_of_roll", "end_of_turn"),
    "bonus_forced": (True,),
    "fight_tie": ("attacker", "defender", "both_stay", "both_back"),
    "reshuffle_when": ("when_last_taken",),
    "card_in_play_in_reshuffle": ("excluded",),
    "game_end": ("full_ranking", "all_home"),
}
TOLD_BY_THE_CALLER = {"first_player", "seat_colors"}


def random_rules(luck: random.Random, players: int) -> Rules:
    """Rules with about a third of the options off their printed values; with four players half of them for teams."""
    while True:
        open_to_choice = dict(VALUES)
        options: dict[str, Any] = {"turn_cap": 100}
        if players == len(COLORS) and luck.random() < 0.5:
            options["team_pairs"] = "opposite"
            open_to_choice |= TEAM_OPTIONS
        options |= {name: luck.choice(values) for name, values in open_to_choice.items() if luck.random() < 0.3}
        try:
            return Rules(**options)
        except ValidationError:
            continue


class Watched:
    """A game of random players; fails if anything is unsound after a step or at a decision."""

    def __init__(self, rules: Rules, players: int, seed: int) -> None:
        self.rules = rules
        self.luck = luck = random.Random(seed)
        self.game = Game(
            rules,
            SEATED[players],
            luck.randrange(players),
            roll=lambda: (luck.randint(1, 6), luck.randint(1, 6)),
            draw=luck.choice,
            fight=lambda: luck.randint(1, 6),
            choose=self._choose,
            watch=self._watch,
        )

    def play(self) -> Record:
        return self.game.play()

    def _choose(self, decision: Decision) -> Outcome:
        words = [in_words(decision, outcome) for outcome in decision.outcomes]
        assert len(set(words)) == len(words) > 1
        assert decision.text == self.game.board.text
        for outcome in decision.outcomes:
            assert all(len(places) == self.rules.pawns for places in referee.read_position(outcome.text).values())
        self._assert_cards_are_sound()
        return self.luck.choice(decision.outcomes)

    def _watch(self, step: Step) -> None:
        """Rulebook 11.3: pawns are neither made nor lost, and opponents share no square at rest."""
        standing: dict[int, set[tuple[str, ...]]] = {}
        for color, places in referee.read_position(step.text).items():
            assert len(places) == self.rules.pawns
            for place in places:
                if isinstance(place, int):
                    standing.setdefault(place, set()).add(referee.side_of(self.rules, color))
        assert self.rules.fight_tie == "both_stay" or all(len(sides) == 1 for sides in standing.values())
        earned, used, lost = (self.game.counters.game[f"bonuses_{what}"] for what in ("earned", "used", "lost"))
        unspent = len(step.pool.units) + sum(map(len, self.game.kept.values()))
        ended_by_a_win = step.kind == "turn" and self.game.over
        assert earned == used + lost + unspent or (ended_by_a_win and earned >= used + lost + unspent)

    def _assert_cards_are_sound(self) -> None:
        """Rulebook 11.3: cards are neither made nor lost."""
        if self.rules.draw == "with_replacement":
            return
        deck, card = self.game.deck, self.game.pool.card
        cards = Counter([*deck.pile, *deck.discards, *self.game.in_play])
        if card is not None and not deck._already_back:
            cards[card] += 1
        assert cards == Counter({card: count for card, count in self.rules.deck_counts.counts.items() if count})


def assert_counters_go_together(record: Record, rules: Rules) -> None:
    """What is counted for the game is what is counted for the seats, and parts are no more than the whole."""
    game, seats = record.game, record.seats
    for of_game, of_seat in [("turns_all", "turns"), ("bumps", "bumps_given"), ("bumps", "bumps_taken")]:
        assert game[of_game] == sum(seat[of_seat] for seat in seats)
    both = {name for name in game if name in seats[0]} - {"turns", "first_seat"}
    for name in both:
        assert game[name] == sum(seat[name] for seat in seats), name
    assert game["dead_turns"] + game["forced_turns"] <= game["turns_all"]
    assert game["dice_turns"] + game["card_turns"] + game["both_turns"] <= game["turns_all"] - game["dead_turns"]
    assert game["bumps_sorry"] + game["bumps_fight"] <= game["bumps"]
    assert game["fights_lost"] <= game["fights"]
    assert game["starts_dice"] <= game["starts"]
    kinds = Counter(step.kind for step in record.steps)
    assert (game["rolls"], game["draws"], game["passes"]) == (kinds["roll"], kinds["card"], kinds["stop"])
    assert game["turns_all"] == kinds["turn"]
    assert game["penalties"] <= kinds["penalty"] <= game["third_doubles"]
    assert game["homes"] == sum(places.count("H") for places in referee.read_position(record.steps[-1].text).values())
    assert sum(seat["won"] for seat in seats) == (game["winner"] != referee.NOBODY) * (2 if rules.team_pairs else 1)
    assert game["capped"] or min(seat["place"] for seat in seats) == 1


def changed(rules: Rules) -> str:
    """The options off their printed values."""
    return ", ".join(f"{name}={value}" for name, value in rules if value != Rules.model_fields[name].default)


def test_every_option_comes_up() -> None:
    assert VALUES.keys() | TEAM_OPTIONS.keys() | TOLD_BY_THE_CALLER | {"team_pairs", "turn_cap"} == Rules.model_fields.keys()


@pytest.mark.parametrize("players", SEATED)
def test_games_by_the_printed_rules_are_sound(players: int) -> None:
    rules = Rules()
    record = Watched(rules, players, seed=players).play()
    assert_counters_go_together(record, rules)
    assert not record.game["capped"]


@pytest.mark.parametrize("seed", range(30))
def test_games_by_any_rules_are_sound(seed: int) -> None:
    luck = random.Random(seed)
    players = luck.choice([2, 3, 4, 4])
    rules = random_rules(luck, players)
    try:
        assert_counters_go_together(Watched(rules, players, seed).play(), rules)
    except AssertionError as error:
        raise AssertionError(f"{players} players, {changed(rules)}: {error}") from error


class Again:
    """Feeds the steps of a game to another one, and fails where that takes another course."""

    def __init__(self, rules: Rules, seated: tuple[str, ...], first_seat: int, steps: list[Step]) -> None:
        self.steps = steps
        self.rolls = iter([step.dice for step in steps if step.kind == "roll"])
        self.cards = iter([step.card for step in steps if step.kind == "card"])
        self.dice = iter([die for step in steps for fight in step.fights for roll in fight.rolls for die in roll.values()])
        self.game = Game(
            rules,
            seated,
            first_seat,
            roll=lambda: next(self.rolls),
            draw=lambda _: next(self.cards),
            fight=lambda: next(self.dice),
            choose=self._choose,
            watch=self._watch,
        )

    def _choose(self, decision: Decision) -> Outcome:
        chosen = self.steps[len(self.game.steps)].chosen
        assert chosen is not None
        wanted = (chosen.use, chosen.text, chosen.fights)
        found = [choice for choice in decision.outcomes if (choice.use, choice.text, choice.fights) == wanted]
        assert len(found) == 1
        return found[0]

    def _watch(self, step: Step) -> None:
        before = self.steps[len(self.game.steps) - 1]
        assert (step.kind, step.turn, step.roll, step.color) == (before.kind, before.turn, before.roll, before.color)
        assert (step.text, step.pool) == (before.text, before.pool)


@pytest.mark.parametrize("options", [{}, {"fight_tie": "both_stay", "combine_mode": "sequential", "bonus_timing": "end_of_roll"}], ids=len)
def test_a_recorded_game_can_be_fed_in_again(options: dict[str, Any]) -> None:
    rules = Rules(turn_cap=60, **options)
    watched = Watched(rules, 4, seed=5)
    record = watched.play()
    again = Again(rules, COLORS, watched.game.first_seat, record.steps).game.play()
    assert (again.game, again.seats, len(again.steps)) == (record.game, record.seats, len(record.steps))
