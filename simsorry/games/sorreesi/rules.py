"""The options of Sorreesi: one field each, and nowhere else.

Every field's default is the family's rule sheet, read as its ruleset says; its description says in plain words what the
option does, and the comment beside it names the clause of the rulebook. The TOML loader, ``--set``, the JSON schema, the
parquet metadata and the report tables all walk these fields. What the options mean for a move is worked out in ``tables.py``;
the turn loop is in ``kernel.py``.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from simsorry.games.options import (
    COLORS,
    HEAD_STARTS,
    MAX_DECK,
    MAX_PAWNS,
    Color,
    Deck,
    DeckCounts,
    HeadStarts,
    StartCards,
    TeamPairs,
    as_tuple,
    check_head_starts,
    check_seats,
    in_pairs,
    named_deck,
    named_pairs,
    option,
    refuse_without,
    whole_number,
)

QUARTER = 17  # track squares from one color's entry square to the next
MAX_BONUS = 60


def _sorted_squares(squares: tuple[int, ...]) -> tuple[int, ...]:
    """Sorts squares, so that their spelling does not change the hash."""
    if len(set(squares)) < len(squares):
        raise ValueError("a square stands in the list twice")
    return tuple(sorted(squares))


Square = Annotated[int, Field(ge=0, lt=QUARTER), BeforeValidator(whole_number)]
SafeSquares = Annotated[tuple[Square, ...], BeforeValidator(as_tuple), AfterValidator(_sorted_squares)]


class Rules(BaseModel):
    """Every option of Sorreesi, at its printed value unless said otherwise."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    # -- set-up ------------------------------------------------------------------------------------
    pawns: int = option(8, "Pawns of each color.", ge=1, le=MAX_PAWNS)  # S-1
    quick_start_pawns: int = option(  # section 8
        0, "Pawns that begin on the entry square instead of in the base.", ge=0, le=MAX_PAWNS
    )
    head_starts: HeadStarts = option((), HEAD_STARTS)  # simsorry's own, for making seats even
    deck_counts: Annotated[DeckCounts, BeforeValidator(named_deck, json_schema_input_type=Deck | DeckCounts)] = option(  # rulebook 1.4
        DeckCounts(), "Copies of each card: deck_45 (five 1s), deck_44 (four of everything), deck_55 (five of everything) or a table."
    )
    draw: Literal["without_replacement", "with_replacement"] = option(  # rulebook 10
        "without_replacement", "Whether a drawn card stays out until the discards are reshuffled, or goes back at once like a spinner."
    )
    first_player: Literal["random", "fixed", "rotate", "high_roll"] = option(  # SQ13
        "random", "Who moves first: random, fixed (first seat), rotate (by game number), high_roll (highest roll of the dice)."
    )
    seat_colors: Annotated[tuple[Color, ...], BeforeValidator(as_tuple)] = option(  # 13.5
        (), "Colors in seat order; empty means two players opposite (red, yellow), three red, blue, yellow, four all."
    )
    turn_vs_travel: Literal["same", "opposite"] = option(  # SQ46
        "same",
        "Whether the turn passes around the board the way the pawns travel, so that the next player's entry square lies 17 squares ahead, "
        "or the other way around.",
    )
    home_path_length: Annotated[Literal[7, 8], BeforeValidator(whole_number)] = option(  # 2.2
        7, "Squares of the private path between a color's turn-off square and HOME."
    )
    safe_squares: SafeSquares = option(  # SQ21
        (0, 7, 12),
        "Safe squares of each quarter of the track, in squares ahead of the entry square in it: 0 is that square, 12 the turn-off "
        "square of the next color. On the private path nobody else can stand anyway.",
    )
    turnoff_safe_for: Literal["all", "owner"] = option(  # SQ27
        "all", "For whom the turn-off squares are safe: for all, or only for pawns of the color that turns off there."
    )

    # -- the turn ----------------------------------------------------------------------------------
    resolution_order: Literal["roll_draw_move", "dice_then_card"] = option(  # SQ1
        "roll_draw_move", "Whether the card is drawn right after the roll, or only once the dice have been used or passed."
    )
    combine_mode: Literal["either", "sequential", "single_hop"] = option(  # SQ2
        "either",
        "How dice and a forward card move a pawn: any of them added up into one hop or used one by one, only one by one, or only all "
        "of what is left in one hop.",
    )
    dice_pass: Literal["none", "one", "any"] = option(  # S-5, SQ4
        "one", "How many dice that could be used may be left unused at the end of a roll."
    )
    card_compulsion: Literal["at_end", "global"] = option(  # S-6, SQ5
        "at_end",
        "A card that can be used must be: looked at when the player wants to stop, or already before, so that nothing else may be "
        "used in a way that leaves the card without a use.",
    )
    eleven_swap_forced: bool = option(True, "Whether an 11 that only allows a swap must be played.")  # SQ6
    ten_back_forced: bool = option(True, "Whether a 10 that only allows the step back must be played.")  # HQ14
    two_draws_again: Literal["always", "if_played", "never"] = option(  # SQ12
        "always", "When a 2 gives another card: always, only if the 2 was played, or never."
    )
    doubles_redraw: Literal["dice_only", "dice_and_card"] = option(  # S-7, SQ7
        "dice_only", "What equal dice bring: another roll, or another roll and another card."
    )
    doubles_bottoms: bool = option(  # SQ9
        False, "Whether equal dice also give the numbers on their undersides (7 less each), if no own pawn is in the base."
    )
    third_double: Literal["lose_roll", "play_then_penalty"] = option(  # S-8, SQ10
        "lose_roll", "What a third roll of equal dice in a turn brings before its penalty: nothing, or the roll is played first."
    )
    triple_penalty_piece: Literal["last_moved", "closest_to_home"] = option(  # S-8, SQ11
        "last_moved", "Which pawn a third roll of equal dice sends back: the one moved last in this turn, or the one nearest to HOME."
    )
    triple_penalty_exempt: Literal["home", "home_and_path"] = option(  # SQ11
        "home", "Which pawns that penalty leaves alone: those HOME, or also those on the private path."
    )

    # -- leaving the base --------------------------------------------------------------------------
    start_cards: StartCards = option(  # S-3, SQ18
        ("1", "2", "sorry"),
        "Cards that bring a pawn out of the base: a number puts it on the entry square, sorry puts it onto an opponent.",
    )
    enter_die_five: bool = option(True, "Whether a die that shows a 5 brings a pawn out of the base.")  # S-3, SQ15
    enter_sum_five: bool = option(True, "Whether dice that add up to 5 together bring a pawn out of the base.")  # SQ15
    enter_forced: bool = option(  # SQ17
        False, "Whether a roll may not be ended while a pawn can leave the base by the dice."
    )
    entry_conflict: Literal["fight", "capture"] = option(  # SQ20
        "fight", "What happens to opponents on the entry square of a pawn that leaves the base: a fight, or they are sent back."
    )

    # -- moving ------------------------------------------------------------------------------------
    home_overshoot: Literal["illegal", "bounce", "any"] = option(  # S-9, SQ33
        "illegal", "A count larger than the distance to HOME: illegal, the surplus bounces back, or any count is enough."
    )
    backward_out_of_zone: bool = option(True, "Whether a backward move may leave the private path.")  # SQ34
    seven_parts: int = option(2, "Into how many parts a 7 may be split, each for another pawn (1: no split).", ge=1, le=7)  # SQ35
    swap_requires_single: bool = option(  # SQ36
        True,
        "Whether an 11 swaps only pawns that stand alone on their squares. If not, one pawn of each changes places, and each meets who is "
        "left where it arrives like a pawn that lands there, the player's own first.",
    )
    swap_may_cross_entry: bool = option(  # HQ8
        True, "Whether an 11 may leave the player's own pawn farther from HOME than it was."
    )
    sorry_alt_forward: Annotated[Literal[0, 4], BeforeValidator(whole_number)] = option(  # HQ22
        0, "Squares that a Sorry! card may count forward instead, alone or added to dice (0: none)."
    )
    sorry_on_safe: Literal["forbidden", "fight"] = option(  # S-18, SQ37
        "forbidden", "Whether a Sorry! card may put a pawn onto a safe square where opponents stand, for a fight."
    )

    # -- bonus moves and fights ----------------------------------------------------------------------
    capture_bonus: int = option(
        20, "Squares that each pawn sent back earns, to be moved by one pawn (0: none).", ge=0, le=MAX_BONUS
    )  # S-16
    home_bonus: int = option(
        10, "Squares that each pawn brought HOME earns, to be moved by one pawn (0: none).", ge=0, le=MAX_BONUS
    )  # S-11
    sorry_bonus: bool = option(True, "Whether pawns sent back by a Sorry! card earn the bonus too.")  # SQ32
    fight_bonus: int = option(  # SQ24
        0, "Squares that each opponent's pawn sent back by a fight earns (0: none), to be moved by one pawn.", ge=0, le=MAX_BONUS
    )
    fight_bonus_to: Literal["mover", "any_winner"] = option(  # SQ24
        "mover", "Who earns that bonus: only the player whose turn it is, or whoever wins, for use in the own next turn."
    )
    bonus_timing: Literal["any_time", "end_of_roll", "end_of_turn"] = option(  # SQ29
        "any_time", "When bonus moves are made: at any time of the turn, after dice and card of each roll, or after those of the last."
    )
    bonus_forced: bool = option(False, "Whether a turn may not be ended while a bonus move is possible.")  # SQ30
    fight_tie: Literal["reroll", "attacker", "defender", "both_stay", "both_back"] = option(  # SQ23
        "reroll",
        "If the highest dice of a fight are equal: they roll again, the attacker wins, the defender wins, they stay together on the "
        "square, or they all go back.",
    )

    # -- teams -------------------------------------------------------------------------------------
    team_pairs: Annotated[  # S-19
        tuple[tuple[Color, Color], ...], BeforeValidator(named_pairs, json_schema_input_type=TeamPairs), AfterValidator(in_pairs)
    ] = option(
        (),
        'The teams of a game of four: two pairs of colors, or "opposite" (red and yellow, blue and green); empty: no teams. Partners '
        "share squares.",
        examples=[[["red", "yellow"], ["blue", "green"]]],
    )
    team_control: Literal["own_only", "both_colors"] = option(  # SQ40
        "own_only", "In team play, whose pawns a player moves: only the own ones, or those of both partners."
    )
    team_sorry_target: Literal["opponents_only", "any"] = option(  # SQ44
        "opponents_only", "Whom a Sorry! card hits in team play: opponents alone, or the partner too, who is then sent back."
    )
    team_eleven_partner: bool = option(False, "Whether an 11 may also swap two partners' pawns.")  # SQ44
    team_finished_player: Literal["skips", "plays_for_partner"] = option(  # SQ42
        "skips", "In team play, what a player does with all own pawns HOME: takes no more turns, or goes on with the partner's."
    )
    team_win: Literal["all_members", "first_member"] = option(  # SQ41
        "all_members", "When a team has won: with the pawns of both partners HOME, or of the first one."
    )

    # -- deck and end ------------------------------------------------------------------------------
    reshuffle_when: Literal["on_draw_from_empty", "when_last_taken"] = option(  # SQ14, H-9
        "on_draw_from_empty", "When the discards become the new pile: when a card is needed and none is left, or when the last is taken."
    )
    card_in_play_in_reshuffle: Literal["included", "excluded"] = option(  # HQ23
        "included", "Whether a 2 whose further card is being drawn is shuffled into the new pile."
    )
    game_end: Literal["first_home", "full_ranking", "all_home"] = option(  # S-13
        "first_home", "When the game ends: with the winner, when only one player is left, or when everybody is HOME."
    )
    turn_cap: int = option(20_000, "Turns after which a game is cut off and counted as capped.", ge=1, le=1_000_000)

    @model_validator(mode="after")
    def _combinations(self) -> "Rules":
        """Refuses what makes no sense together."""
        for check in (_check_set_up, _check_start, _check_turn, _check_teams):
            check(self)
        return self


def _check_set_up(rules: Rules) -> None:
    if rules.quick_start_pawns > rules.pawns:
        raise ValueError(f"quick_start_pawns = {rules.quick_start_pawns} is more than pawns = {rules.pawns}")
    check_seats(rules)
    check_head_starts(rules)
    counts = rules.deck_counts.counts
    total = sum(counts.values())
    if not 1 <= total <= MAX_DECK:
        raise ValueError(f"deck_counts holds {total} cards; 1 to {MAX_DECK} are possible")
    if counts["2"] == total and rules.two_draws_again != "never":
        raise ValueError("a deck of nothing but 2s that bring another card would never end a turn")
    if rules.turnoff_safe_for == "owner" and 12 not in rules.safe_squares:
        raise ValueError('turnoff_safe_for = "owner" means nothing where the turn-off squares are not safe (safe_squares without 12)')


def _check_start(rules: Rules) -> None:
    counts = rules.deck_counts.counts
    by_card = any(counts[card] for card in rules.start_cards if card != "sorry")
    if not (rules.quick_start_pawns or by_card or rules.enter_die_five or rules.enter_sum_five):
        raise ValueError("no pawn could ever leave the base: neither the dice nor any number card in start_cards brings one out")
    if not (rules.enter_die_five or rules.enter_sum_five):
        refuse_without(rules, "where the dice bring no pawn out of the base (enter_die_five and enter_sum_five are off)", "enter_forced")
    if "sorry" not in rules.start_cards:
        refuse_without(rules, "without Sorry! in start_cards", "sorry_on_safe sorry_bonus team_sorry_target")


def _check_turn(rules: Rules) -> None:
    if rules.resolution_order == "dice_then_card":
        refuse_without(rules, 'where the card is drawn after the dice are used (resolution_order = "dice_then_card")', "card_compulsion")
    if not rules.capture_bonus:
        refuse_without(rules, "where pawns sent back earn nothing (capture_bonus = 0)", "sorry_bonus")
    if not rules.fight_bonus:
        refuse_without(rules, "where fights earn nothing (fight_bonus = 0)", "fight_bonus_to")
    if not (rules.capture_bonus or rules.home_bonus or rules.fight_bonus):
        refuse_without(rules, "without any bonus (capture_bonus, home_bonus and fight_bonus are 0)", "bonus_timing bonus_forced")


def _check_teams(rules: Rules) -> None:
    if not rules.team_pairs:
        options = "team_control team_sorry_target team_eleven_partner team_finished_player team_win"
        refuse_without(rules, "without teams (team_pairs is empty)", options)
        return
    if rules.seat_colors and len(rules.seat_colors) < len(COLORS):
        raise ValueError(f"seat_colors names {len(rules.seat_colors)} colors, but team play needs all four")
    if rules.team_control == "both_colors" and rules.pawns > 4 and rules.seven_parts > 3:
        raise ValueError(
            f"seven_parts = {rules.seven_parts} is too much where a player moves two colors with pawns = {rules.pawns}: 3 parts or 4 pawns "
            "at most"
        )
    if rules.team_win == "first_member":
        refuse_without(rules, 'where the first partner HOME wins for both (team_win = "first_member")', "team_finished_player")
