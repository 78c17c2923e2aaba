"""The options of the classic game: one field each, and nowhere else.

Every field's default is the printed rule of the Hasbro sheet; its description says in plain words what
the option does, and the comment beside it names the clause of the rulebook. The TOML loader, ``--set``,
the JSON schema, the parquet metadata and the report tables all walk these fields. What the options
mean for a move is worked out in ``tables.py``; the turn loop is in ``kernel.py``.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from simsorry.games.options import (
    COLORS,
    HEAD_STARTS,
    MAX_BANDS,
    MAX_DECK,
    MAX_HAND,
    MAX_PAWNS,
    Color,
    Deck,
    DeckCounts,
    HeadStarts,
    MatchEnd,
    Points,
    Riders,
    Slide,
    StartCards,
    TeamPairs,
    as_tuple,
    by_strictness,
    check_hand,
    check_head_starts,
    check_match,
    check_points,
    check_seats,
    in_pairs,
    named_deck,
    named_pairs,
    option,
    refuse_without,
    whole_number,
)

Band = tuple[Annotated[int, Field(ge=0, le=3 * MAX_PAWNS)], Points]


class Rules(BaseModel):
    """Every option of the classic game, at its printed value unless said otherwise."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    # -- set-up ------------------------------------------------------------------------------------
    pawns: int = option(4, "Pawns of each color.", ge=1, le=MAX_PAWNS)  # H-1
    quick_start_pawns: int = option(  # H-2
        0, "Pawns that begin on the start circle instead of on START (0 or 1 unless own pawns may share a square).", ge=0, le=MAX_PAWNS
    )
    head_starts: HeadStarts = option((), HEAD_STARTS)  # simsorry's own, for making seats even
    deck_counts: Annotated[DeckCounts, BeforeValidator(named_deck, json_schema_input_type=Deck | DeckCounts)] = option(  # rulebook 1.4
        DeckCounts(), "Copies of each card: deck_45 (five 1s), deck_44 (four of everything), deck_55 (five of everything) or a table."
    )
    draw: Literal["without_replacement", "with_replacement"] = option(  # rulebook 10, Sorry! Spin
        "without_replacement", "Whether a drawn card stays out until the discards are reshuffled, or goes back at once like a spinner."
    )
    start_cards: StartCards = option(  # H-13, H-14, H-23
        ("1", "2", "sorry"), "Cards that bring a pawn out of START: a number puts it on the start circle, sorry puts it onto an opponent."
    )
    first_player: Literal["random", "fixed", "rotate", "high_card"] = option(  # HQ1
        "random", "Who moves first: random, fixed (first seat), rotate (by game number), high_card (highest card drawn, Sorry! high)."
    )
    seat_colors: Annotated[tuple[Color, ...], BeforeValidator(as_tuple)] = option(  # HQ2
        (), "Colors in seat order; empty means two players opposite (red, yellow), three red, blue, yellow, four all."
    )

    # -- what must be played -----------------------------------------------------------------------
    must_move: bool = option(True, "Whether a possible move must be made even if it hurts; if not, passing is always allowed.")  # H-8, HQ24
    eleven_swap_forced: bool = option(  # H-21, HQ6, FQ5
        False, "Whether an 11 that only allows a swap must be played."
    )
    ten_back_forced: bool = option(True, "Whether a 10 that only allows the step back must be played.")  # HQ14
    two_draws_again: Literal["always", "if_played", "never"] = option(  # H-14, HQ4, FQ4
        "always", "When a 2 gives another card: always, only if the 2 was played, or never."
    )

    # -- moving ------------------------------------------------------------------------------------
    forward_past_entry: Literal["forbidden", "decline_ok", "forced"] = option(  # H-25, HQ26
        "forbidden", "Whether a pawn may walk past its own safety zone for another lap, and whether it must if nothing else is possible."
    )
    pass_scope: Literal["overshoot_only", "always"] = option(  # IQ8, rulebook 13.6
        "overshoot_only", "Where walking past is allowed: only for counts that overshoot HOME, or also for counts that fit."
    )
    backward_out_of_zone: bool = option(True, "Whether a backward move may leave the safety zone.")  # H-26, FQ9
    home_overshoot: Literal["illegal", "bounce", "any"] = option(  # H-27, HQ27
        "illegal", "A count larger than the distance to HOME: illegal, the surplus bounces back, or any count is enough."
    )
    own_collision: Literal["illegal", "ends_turn", "bump_self", "share"] = option(  # H-12, FQ3
        "illegal",
        "Landing on a pawn of the same color: illegal, can be chosen to end the turn, sends it back, or both share the square.",
    )
    seven_parts: int = option(2, "Into how many parts a 7 may be split, each for another pawn (1: no split).", ge=1, le=8)  # H-17
    seven_resolution: Literal["sequential", "simultaneous"] = option(  # HQ10
        "sequential", "Whether the parts of a 7 are played one after the other, or all pawns are lifted and put down together."
    )
    swap_may_cross_entry: bool = option(  # HQ8
        True, "Whether a swap may leave the player's own pawn farther from HOME than it was."
    )
    sorry_alt_forward: Annotated[Literal[0, 4], BeforeValidator(whole_number)] = option(  # HQ22
        0, "Squares a Sorry! card may move a pawn forward instead (0: none)."
    )

    # -- slides ------------------------------------------------------------------------------------
    slides: Literal["off", "all_but_own", "all"] = option(  # H-28
        "all_but_own", "Which slides a pawn rides: none, those of the other colors, or its own too."
    )
    slide_riders: dict[Slide, Riders] = option(  # rulebook 10: per-slide color sets
        {}, 'Exceptions to slides: a slide ("red A" is the one at red\'s start, "red B" the longer one) to the colors that ride it.'
    )
    slide_on_backward: bool = option(True, "Whether a backward move that ends on a triangle slides.")  # HQ16
    slide_after_swap: Literal["mover", "both", "none"] = option(  # H-29, HQ7
        "mover", "Who slides when a swap ends on a triangle: the player's own pawn, both pawns, or nobody."
    )
    slide_after_sorry: bool = option(True, "Whether a pawn put onto a triangle by a Sorry! card slides.")  # HQ19
    own_on_triangle: Literal["illegal", "bump"] = option(  # HQ17
        "illegal", "Landing on a triangle that would be ridden while a pawn of the same color stands there: illegal, or it is sent back."
    )
    absent_color_slides: Literal["active", "inert"] = option("active", "Whether slides of colors nobody plays work.")  # HQ3

    # -- hands -------------------------------------------------------------------------------------
    hand_size: int = option(  # F-40, F-41
        0, "Cards in each player's hand, of which one is chosen and played; 0: one card is drawn and played at a time.", ge=0, le=MAX_HAND
    )
    two_in_hand: Literal["play_another", "play_drawn", "none"] = option(  # FQ19
        "play_another", "With a hand, what a 2 brings: another card of the hand, the card drawn in its place, or nothing."
    )
    two_playable_idle: bool = option(  # rulebook 13.6
        False, "With a hand, whether a 2 that cannot move a pawn may be laid down all the same, for the card that follows it."
    )
    two_followup_stuck: Literal["end_turn", "discard_one"] = option(  # IQ22
        "end_turn", "With a hand, if no card can be played after a 2: the turn ends, or a card is thrown in first."
    )
    hand_refill: Literal["per_card", "end_of_turn", "when_empty"] = option(  # FQ20
        "per_card", "When a hand is filled up from the pile: after every card, at the end of the turn, or only once it is empty."
    )
    dead_hand: Literal["choose", "random", "oldest"] = option(  # F-42, FQ23
        "choose", "Which card is thrown in where none can be played: the player's choice, a random one, or the one held longest."
    )
    optional_counts_as_playable: bool = option(  # FQ22
        False,
        "With a hand of which only declinable plays can be made, whether one must be; if not, a card may be thrown in instead.",
    )
    first_turn_dead_hand: Literal["discard_and_draw", "skip"] = option(  # rulebook 13.6
        "discard_and_draw", "What a player does who can play no card in the first turn: throws one in, or nothing."
    )

    # -- teams -------------------------------------------------------------------------------------
    team_pairs: Annotated[  # H-31
        tuple[tuple[Color, Color], ...], BeforeValidator(named_pairs, json_schema_input_type=TeamPairs), AfterValidator(in_pairs)
    ] = option(
        (),
        'The teams of a game of four: two pairs of colors, or "opposite" (red and yellow, blue and green); empty: no teams.',
        examples=[[["red", "yellow"], ["blue", "green"]]],
    )
    team_control: Literal["both_colors", "own_only"] = option(  # H-32, F-21
        "both_colors", "In team play, whose pawns a player moves: those of both partners, or only the own ones."
    )
    team_collision: Literal["bump_occupant", "bump_mover", "coexist", "illegal"] = option(  # H-33, F-23, FQ12
        "bump_occupant",
        "Landing on a partner's pawn: that pawn goes back, the arriving one does, both share the square, or it is illegal.",
    )
    team_own_collision: Literal["illegal", "bump"] = option(  # HQ33, FQ13
        "illegal", "In team play, landing on a pawn of the same color: as own_collision says, or that pawn goes back."
    )
    team_sorry_target: Literal["opponents_first", "any", "opponents_only"] = option(  # H-34, HQ29
        "opponents_first",
        "Whom a Sorry! card hits in team play: the partner only where no opponent can be hit, either, or opponents alone.",
    )
    team_sorry_start: Literal["either", "own"] = option(  # HQ30
        "either", "In team play, from whose START a Sorry! card takes the pawn: either partner's, or the player's own."
    )
    team_eleven_partner: bool = option(False, "Whether an 11 may also swap two partners' pawns.")  # HQ31
    team_finished_player: Literal["plays_for_partner", "skips"] = option(  # F-24, HQ36
        "plays_for_partner", "In team play, what a player does with all own pawns HOME: goes on with the partner's, or takes no more turns."
    )
    team_win: Literal["all_members", "first_member"] = option(  # H-37, F-25
        "all_members", "When a team has won: with the pawns of both partners HOME, or of the first one."
    )

    # -- points and matches ------------------------------------------------------------------------
    score_home_to: Literal["none", "all_players", "winner_only"] = option(  # H-38, F-44, FQ24
        "none", "Who scores for own pawns HOME when somebody has won: everybody, or the winner alone; none: no points are kept at all."
    )
    score_home_value: Points = option(5, "Points for each own pawn HOME.")  # H-38, F-44
    score_not_home_value: Points = option(5, "Points to the winner for each opposing pawn not HOME.")  # H-39, F-44
    score_bands: Annotated[tuple[Band, ...], BeforeValidator(as_tuple), AfterValidator(by_strictness)] = option(  # H-39, F-44
        ((2, 25), (1, 50), (0, 100)),
        "Bonuses to the winner: pairs of how many pawns HOME opponents may have at most, and the points that earns.",
        max_length=MAX_BANDS,
        examples=[[[2, 25], [0, 100]]],
    )
    bonus_bands: Literal["highest_only", "cumulative"] = option(  # HQ39
        "highest_only", "Of several bonuses earned: the highest counts, or all are added up."
    )
    band_measure: Literal["max_per_opponent", "total"] = option(  # HQ40
        "max_per_opponent", "Which pawns HOME a bonus looks at: those of the opponent who has most, or those of all opponents together."
    )
    team_scoring: Literal["none", "pooled"] = option(  # HQ42
        "none", "Points in team play: none, or both partners count as one player."
    )
    match_end: MatchEnd = option(  # HQ41
        "single_round",
        "What counts as one game: a single round, a match of N rounds (rounds:N), or one until somebody has T points (target:T). A match "
        "goes to most points, or rounds won where no points are kept; a tie is played on.",
    )
    next_leader: Literal["winner", "next_seat", "random"] = option(  # H-30, F-15
        "winner", "Who begins the next round of a match: the winner of the last one, the next seat, or anybody."
    )

    # -- deck and end ------------------------------------------------------------------------------
    reshuffle_when: Literal["on_draw_from_empty", "when_last_taken"] = option(  # H-9, HQ23
        "on_draw_from_empty", "When the discards become the new pile: when a card is needed and none is left, or when the last is taken."
    )
    card_in_play_in_reshuffle: Literal["included", "excluded"] = option(  # HQ23
        "included", "Whether the card being played is shuffled into the new pile."
    )
    game_end: Literal["first_home", "full_ranking", "all_home"] = option(  # H-30, F-15, HQ25, FQ17
        "first_home", "When the game ends: with the winner, when only one player is left, or when everybody is HOME."
    )
    turn_cap: int = option(20_000, "Turns after which a game is cut off and counted as capped.", ge=1, le=1_000_000)

    @model_validator(mode="after")
    def _combinations(self) -> "Rules":
        """Refuses what makes no sense together."""
        for check in (_check_set_up, _check_deck, check_hand, _check_teams, check_points, check_match):
            check(self)
        return self


def _check_set_up(rules: Rules) -> None:
    if rules.quick_start_pawns > rules.pawns:
        raise ValueError(f"quick_start_pawns = {rules.quick_start_pawns} is more than pawns = {rules.pawns}")
    if rules.quick_start_pawns > 1 and rules.own_collision != "share":
        raise ValueError('quick_start_pawns above 1 needs own_collision = "share": two own pawns may not stand on the start circle')
    check_seats(rules)
    check_head_starts(rules)


def _check_deck(rules: Rules) -> None:
    counts = rules.deck_counts.counts
    total = sum(counts.values())
    if not 1 <= total <= MAX_DECK:
        raise ValueError(f"deck_counts holds {total} cards; 1 to {MAX_DECK} are possible")
    if not rules.quick_start_pawns and not any(counts[card] for card in rules.start_cards if card != "sorry"):
        raise ValueError("no pawn could ever leave START: the deck holds none of the number cards in start_cards")
    goes_on = rules.two_in_hand != "none" if rules.hand_size else rules.two_draws_again != "never"
    if counts["2"] == total and goes_on:
        raise ValueError("a deck of nothing but 2s that bring another card would never end a turn")


def _check_teams(rules: Rules) -> None:
    if not rules.team_pairs:
        options = "team_control team_collision team_own_collision team_sorry_target team_sorry_start team_eleven_partner"
        refuse_without(rules, "without teams (team_pairs is empty)", f"{options} team_finished_player team_win team_scoring")
        return
    if rules.seat_colors and len(rules.seat_colors) < len(COLORS):
        raise ValueError(f"seat_colors names {len(rules.seat_colors)} colors, but team play needs all four")
    if rules.pawns > 4 and rules.seven_parts > 3:
        raise ValueError(
            f"seven_parts = {rules.seven_parts} is too much for two teams with pawns = {rules.pawns}: 3 parts or 4 pawns at most"
        )
    if rules.team_own_collision == "bump" and rules.own_collision in ("share", "ends_turn"):
        raise ValueError(f'team_own_collision = "bump" contradicts own_collision = "{rules.own_collision}"')
    if (rules.score_home_to != "none") != (rules.team_scoring != "none"):
        raise ValueError(
            f'score_home_to = "{rules.score_home_to}" and team_scoring = "{rules.team_scoring}" contradict each other: '
            'points of a team need team_scoring = "pooled"'
        )
