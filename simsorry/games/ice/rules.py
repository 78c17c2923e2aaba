"""The options of Ice Soo Sorry!: one field each, and nowhere else.

Every field's default is the rule of the printed sheet (version 1.1.4), where that is silent the plainest reading; its description
says in plain words what the option does, and the comment beside it names the clause of the rulebook. The TOML loader, ``--set``, the JSON
schema, the parquet metadata and the report tables all walk these fields. What the options mean for a move is worked out in
``tables.py``; the turn loop is in ``kernel.py``. What other games have too has the same name here.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from simsorry.games.options import (
    HEAD_STARTS,
    MAX_BANDS,
    MAX_DECK,
    MAX_HAND,
    Color,
    Deck,
    DeckCounts,
    HeadStarts,
    MatchEnd,
    Points,
    Riders,
    Slide,
    as_tuple,
    by_strictness,
    check_hand,
    check_head_starts,
    check_match,
    check_points,
    check_seats,
    in_order,
    named_deck,
    option,
    refuse_without,
    whole_number,
)

SIZES = ("small", "medium", "large")  # the index is the size's number
MAX_OF_SIZE = 5  # a stash holds five pyramids of each size

Size = Literal["small", "medium", "large"]


def _numbers(value: Any) -> Any:
    """Takes "5,5,5" as well as a list, so that three numbers can be given on the command line."""
    if isinstance(value, str) and all(part.strip().isdecimal() for part in value.split(",")):
        return tuple(map(int, value.split(",")))
    return as_tuple(value)


OfSize = Annotated[int, Field(ge=0, le=MAX_OF_SIZE)]
Pieces = Annotated[tuple[OfSize, OfSize, OfSize], BeforeValidator(_numbers, json_schema_input_type=tuple[OfSize, OfSize, OfSize] | str)]
BySize = Annotated[tuple[Points, Points, Points], BeforeValidator(_numbers, json_schema_input_type=tuple[Points, Points, Points] | str)]
Band = tuple[Annotated[int, Field(ge=0, le=9 * MAX_OF_SIZE)], Points]
Sizes = Annotated[tuple[Size, ...], BeforeValidator(as_tuple), in_order(SIZES)]


class StartCards(BaseModel):
    """Which sizes each number card brings out of START."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)

    one: Sizes = Field(("small",), alias="1")
    two: Sizes = Field(("medium",), alias="2")
    three: Sizes = Field(("small", "medium", "large"), alias="3")
    four: Sizes = Field((), alias="4")
    five: Sizes = Field((), alias="5")
    seven: Sizes = Field((), alias="7")
    eight: Sizes = Field((), alias="8")
    ten: Sizes = Field((), alias="10")
    eleven: Sizes = Field((), alias="11")
    twelve: Sizes = Field((), alias="12")

    @property
    def sizes(self) -> dict[str, tuple[str, ...]]:
        """Card name to the sizes that it starts, in the order of ``CARDS``."""
        return self.model_dump(by_alias=True)


class Rules(BaseModel):
    """Every option of Ice Soo Sorry!, at its printed value unless said otherwise."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    # -- set-up ------------------------------------------------------------------------------------
    pieces: Pieces = option((5, 5, 5), "Small, medium and large pawns of each color, 0 to 5 of each.")  # I-1
    quick_start_pawns: int = option(  # section 8
        0, "Pawns that begin on the start circle, as one stack: the largest ones, the larger the lower.", ge=0, le=3 * MAX_OF_SIZE
    )
    head_starts: HeadStarts = option((), HEAD_STARTS)  # simsorry's own, for making seats even
    deck_counts: Annotated[DeckCounts, BeforeValidator(named_deck, json_schema_input_type=Deck | DeckCounts)] = option(  # I-30
        DeckCounts(), "Copies of each card: deck_45 (five 1s), deck_44 (four of everything), deck_55 (five of everything) or a table."
    )
    draw: Literal["without_replacement", "with_replacement"] = option(  # rulebook 10
        "without_replacement", "Whether a drawn card stays out until the discards are reshuffled, or goes back at once like a spinner."
    )
    start_cards: StartCards = option(  # I-8
        StartCards(), "Sizes that each number card brings out of START onto the start circle (a Sorry! card: ice_sorry_size)."
    )
    first_player: Literal["random", "fixed", "rotate", "high_card"] = option(  # I-3, HQ1
        "random", "Who moves first: random, fixed (first seat), rotate (by game number), high_card (highest card drawn, Sorry! high)."
    )
    seat_colors: Annotated[tuple[Color, ...], BeforeValidator(as_tuple)] = option(  # HQ2
        (), "Colors in seat order; empty means two players opposite (red, yellow), three red, blue, yellow, four all."
    )

    # -- what must be played -----------------------------------------------------------------------
    must_move: bool = option(True, "Whether a possible move must be made even if it hurts; if not, passing is always allowed.")  # I-7
    eleven_swap_forced: bool = option(False, "Whether an 11 that only allows a swap must be played.")  # I-27
    ten_back_forced: bool = option(True, "Whether a 10 that only allows the step back must be played.")  # HQ14
    two_draws_again: Literal["always", "if_played", "never"] = option(  # IQ21
        "always", "Without a hand, when a 2 gives another card: always, only if the 2 was played, or never."
    )

    # -- moving ------------------------------------------------------------------------------------
    forward_past_entry: Literal["forbidden", "decline_ok", "forced"] = option(  # I-11, IQ8
        "decline_ok", "Whether a pawn may walk past its own safety zone for another lap, and whether it must if nothing else is possible."
    )
    pass_scope: Literal["overshoot_only", "always"] = option(  # IQ8
        "overshoot_only", "Where walking past is allowed: only for counts that overshoot HOME, or also for counts that fit."
    )
    backward_out_of_zone: bool = option(True, "Whether a backward move may leave the safety zone.")  # I-26
    home_overshoot: Literal["illegal", "bounce", "any"] = option(  # I-28
        "illegal", "A count larger than the distance to HOME: illegal, the surplus bounces back, or any count is enough."
    )
    seven_parts: int = option(2, "Into how many parts a 7 may be split, each another move (1: no split).", ge=1, le=2)  # I-18
    ice_seven_same_pile: Literal["allowed", "forbidden"] = option(  # IQ4
        "allowed", "Whether both parts of a 7 may begin on the same square: the top pawn leaves it, then the one beneath."
    )
    ice_contact_piece: Literal["bottom", "top"] = option(  # IQ1
        "bottom",
        "Which pawn of a moved stack decides whether it covers or stacks where it lands: its lowest one, which touches, or the top one.",
    )
    ice_mixed_stack_zone: Literal["top_only", "drop_at_entry", "to_start"] = option(  # IQ5
        "top_only",
        "What happens to other colors' pawns in a stack that would enter the safety zone: only the top pawn may go in, not the stack; they "
        "stay on the entry square; or they go back to START.",
    )
    ice_stack_home: Literal["together", "top_only"] = option(  # IQ6
        "together", "Whether a stack of one color may go HOME as a whole, or only its top pawn."
    )
    ice_carry_past_entry: Literal["allowed", "forbidden"] = option(  # IQ7
        "allowed", "Whether a stack may carry another color's pawn past that color's safety zone, so that it owes another lap."
    )
    sorry_alt_forward: Annotated[Literal[0, 4], BeforeValidator(whole_number)] = option(  # HQ22
        0, "Squares a Sorry! card may move a pawn forward instead (0: none)."
    )

    # -- slides ------------------------------------------------------------------------------------
    slides: Literal["off", "all_but_own", "all"] = option(  # I-25
        "all_but_own", "Which slides a pawn rides: none, those of the other colors, or its own too."
    )
    slide_riders: dict[Slide, Riders] = option(  # rulebook 10: per-slide color sets
        {}, 'Exceptions to slides: a slide ("red A" is the one at red\'s start, "red B" the longer one) to the colors that ride it.'
    )
    slide_on_backward: bool = option(True, "Whether a backward move that ends on a triangle slides.")  # HQ16
    slide_after_sorry: bool = option(True, "Whether a pawn put onto a triangle by a Sorry! card slides.")  # IQ15
    absent_color_slides: Literal["active", "inert"] = option("active", "Whether slides of colors nobody plays work.")  # HQ3
    ice_slide_mode: Literal["sweep", "carry_stacked", "end_only"] = option(  # IQ9
        "sweep",
        "What a slide does to pawns on it: everything met is taken along to its end; only what can be stacked on is, and what is covered "
        "stays; or only pawns on its last square are met (and those on the triangle, if it takes these), the others jumped.",
    )
    ice_slide_order: Literal["last_met_lowest", "first_met_lowest"] = option(  # IQ10
        "last_met_lowest", "Which of the piles taken along by a slide is the lowest at its end; the slider is on top of them all."
    )
    ice_slide_triangle: Literal["leave", "take"] = option(  # IQ11
        "leave", "Whether pawns on the triangle itself stay there or are met by the slide."
    )

    # -- switches and Sorry! -----------------------------------------------------------------------
    ice_swap_mode: Literal["slot_exchange", "land_on_top", "same_size"] = option(  # IQ16
        "slot_exchange",
        "How an 11 switches pawns in piles: each takes the other's place within the pile; each lands on top of the other's pile; or "
        "places within piles are exchanged, between pawns of equal size only.",
    )
    ice_swap_same_space: bool = option(True, "Whether an 11 may switch two pawns of one pile.")  # IQ17
    ice_swap_slide: Literal["if_top", "never"] = option(  # IQ18
        "if_top", "Whether a player's own pawn that an 11 brings to the top of a pile on a triangle slides."
    )
    swap_may_cross_entry: bool = option(  # HQ8
        True, "Whether a swap may leave the player's own pawn farther from HOME than it was."
    )
    ice_sorry_target: Literal["top_opponent", "any_in_pile"] = option(  # IQ13
        "top_opponent", "Where a Sorry! card may put a pawn: onto piles with an opponent's pawn on top, or anywhere in them."
    )
    ice_sorry_size: Literal["any", "small_only", "medium_only", "large_only"] = option(  # IQ14
        "any", "Which sizes a Sorry! card brings out of START."
    )

    # -- hands -------------------------------------------------------------------------------------
    hand_size: int = option(  # I-2, I-4
        5, "Cards in each player's hand, of which one is chosen and played; 0: one card is drawn and played at a time.", ge=0, le=MAX_HAND
    )
    two_in_hand: Literal["play_another", "play_drawn", "none"] = option(  # I-5, IQ21
        "play_another", "With a hand, what a 2 brings: another card of the hand, the card drawn in its place, or nothing."
    )
    two_playable_idle: bool = option(  # IQ21
        False, "With a hand, whether a 2 that cannot move a pawn may be laid down all the same, for the card that follows it."
    )
    two_followup_stuck: Literal["end_turn", "discard_one"] = option(  # IQ22
        "end_turn", "With a hand, if no card can be played after a 2: the turn ends, or a card is thrown in first."
    )
    hand_refill: Literal["per_card", "end_of_turn", "when_empty"] = option(  # I-4
        "per_card", "When a hand is filled up from the pile: after every card, at the end of the turn, or only once it is empty."
    )
    dead_hand: Literal["choose", "random", "oldest"] = option(  # I-6
        "choose", "Which card is thrown in where none can be played: the player's choice, a random one, or the one held longest."
    )
    optional_counts_as_playable: bool = option(  # FQ22
        False,
        "With a hand of which only declinable plays can be made, whether one must be; if not, a card may be thrown in instead.",
    )
    first_turn_dead_hand: Literal["discard_and_draw", "skip"] = option(  # IQ20
        "discard_and_draw", "What a player does who can play no card in the first turn: throws one in, or nothing."
    )

    # -- points and matches ------------------------------------------------------------------------
    score_home_to: Literal["none", "all_players", "winner_only"] = option(  # I-31
        "none", "Who scores for own pawns HOME when somebody has won: everybody, or the winner alone; none: no points are kept at all."
    )
    score_home_value: BySize = option((1, 2, 3), "Points for each own small, medium and large pawn HOME.")  # I-31
    score_not_home_value: BySize = option(  # I-31, IQ31
        (1, 2, 3), "Points to the winner for each opposing small, medium and large pawn not HOME."
    )
    score_bands: Annotated[tuple[Band, ...], BeforeValidator(as_tuple), AfterValidator(by_strictness)] = option(  # I-31, IQ32
        ((8, 5), (5, 10), (0, 40)),
        "Bonuses to the winner: pairs of how many pawns HOME opponents may have at most, and the points that earns.",
        max_length=MAX_BANDS,
        examples=[[[8, 5], [0, 40]]],
    )
    bonus_bands: Literal["highest_only", "cumulative"] = option(  # IQ30
        "highest_only", "Of several bonuses earned: the highest counts, or all are added up."
    )
    band_measure: Literal["max_per_opponent", "total"] = option(  # HQ40
        "max_per_opponent", "Which pawns HOME a bonus looks at: those of the opponent who has most, or those of all opponents together."
    )
    match_end: MatchEnd = option(  # HQ41
        "single_round",
        "What counts as one game: a single round, a match of N rounds (rounds:N), or one until somebody has T points (target:T). A match "
        "goes to most points, or rounds won where no points are kept; a tie is played on.",
    )
    next_leader: Literal["winner", "next_seat", "random"] = option(  # I-3
        "winner", "Who begins the next round of a match: the winner of the last one, the next seat, or anybody."
    )

    # -- deck and end ------------------------------------------------------------------------------
    reshuffle_when: Literal["on_draw_from_empty", "when_last_taken"] = option(  # I-29, HQ23
        "on_draw_from_empty", "When the discards become the new pile: when a card is needed and none is left, or when the last is taken."
    )
    card_in_play_in_reshuffle: Literal["included", "excluded"] = option(  # HQ23
        "included", "Whether the card being played is shuffled into the new pile."
    )
    game_end: Literal["first_home", "full_ranking", "all_home"] = option(  # I-28
        "first_home", "When the game ends: with the winner, when only one player is left, or when everybody is HOME."
    )
    turn_cap: int = option(20_000, "Turns after which a game is cut off and counted as capped.", ge=1, le=1_000_000)  # IQ33

    @property
    def team_pairs(self) -> tuple[tuple[str, str], ...]:
        """The teams: none in this game (IQ29)."""
        return ()

    @property
    def pawns(self) -> int:
        """Pawns of each color."""
        return sum(self.pieces)

    @model_validator(mode="after")
    def _combinations(self) -> "Rules":
        """Refuses what makes no sense together."""
        for check in (_check_set_up, _check_moves, check_hand, check_points, check_match):
            check(self)
        return self


def _check_set_up(rules: Rules) -> None:
    pieces = f"pieces = {list(rules.pieces)}"
    if not rules.pawns:
        raise ValueError(f"{pieces} leaves nobody a pawn")
    if rules.quick_start_pawns > rules.pawns:
        raise ValueError(f"quick_start_pawns = {rules.quick_start_pawns} is more than the {rules.pawns} pawns of {pieces}")
    check_seats(rules)
    check_head_starts(rules)
    counts = rules.deck_counts.counts
    total = sum(counts.values())
    if not 1 <= total <= MAX_DECK:
        raise ValueError(f"deck_counts holds {total} cards; 1 to {MAX_DECK} are possible")
    if not rules.quick_start_pawns and not any(counts[card] and rules.pieces[SIZES.index(size)] for card, size in _starts(rules)):
        raise ValueError("no pawn could ever leave START: the deck holds no number card of start_cards that starts a size in pieces")
    if counts["2"] == total and (rules.two_in_hand != "none" if rules.hand_size else rules.two_draws_again != "never"):
        raise ValueError("a deck of nothing but 2s that bring another card would never end a turn")
    _check_all_can_start(rules, counts)


def _starts(rules: Rules) -> list[tuple[str, str]]:
    """The number cards that start pawns, with each size that they start."""
    return [(card, size) for card, sizes in rules.start_cards.sizes.items() for size in sizes]


def _check_all_can_start(rules: Rules, counts: dict[str, int]) -> None:
    """Refuses sizes that no card of the deck brings out of START, so that no game could ever end."""
    inside = list(rules.pieces)
    for number in (2, 1, 0):
        inside[number] -= min(inside[number], max(0, rules.quick_start_pawns - sum(rules.pieces[number + 1 :])))
    startable = {size for card, size in _starts(rules) if counts[card]}
    if counts["sorry"]:
        startable |= set(SIZES) if rules.ice_sorry_size == "any" else {rules.ice_sorry_size.removesuffix("_only")}
    for size, left in zip(SIZES, inside, strict=True):
        if left and size not in startable:
            raise ValueError(
                f"pieces = {list(rules.pieces)}: no card of the deck brings a {size} pawn out of START (start_cards, ice_sorry_size)"
            )


def _check_moves(rules: Rules) -> None:
    if rules.forward_past_entry == "forbidden":
        refuse_without(rules, 'where nobody walks past the own safety zone (forward_past_entry = "forbidden")', "pass_scope")
    if rules.home_overshoot == "bounce" and rules.ice_mixed_stack_zone != "top_only":
        reason = "pawns that bounce back out of the safety zone have left nobody behind"
        raise ValueError(f'home_overshoot = "bounce" contradicts ice_mixed_stack_zone = "{rules.ice_mixed_stack_zone}": {reason}')
    if rules.seven_parts == 1:
        refuse_without(rules, "where a 7 is not split (seven_parts = 1)", "ice_seven_same_pile")
    if rules.slides == "off" and not any(rules.slide_riders.values()):
        options = "slide_on_backward slide_after_sorry absent_color_slides ice_slide_mode ice_slide_order ice_slide_triangle ice_swap_slide"
        refuse_without(rules, 'without slides (slides = "off")', options)
    if rules.ice_slide_mode == "end_only":
        order = 'where a slide meets pawns on its last square only (ice_slide_mode = "end_only", ice_slide_triangle = "leave")'
        if rules.ice_slide_triangle == "leave":
            refuse_without(rules, order, "ice_slide_order")
