"""The options of the classic game: one field each, and nowhere else.

Every field's default is the printed rule of the Hasbro sheet; its description says in plain words what
the option does, and the comment beside it names the clause of the rulebook. The TOML loader, ``--set``,
the JSON schema, the parquet metadata and the report tables all walk these fields. What the options
mean for a move is worked out in ``tables.py``; the turn loop is in ``kernel.py``.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

COLORS = ("red", "blue", "yellow", "green")  # clockwise; the index is the color's number
CARDS = ("1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "sorry")
SLIDES = [f"{color} {letter}" for color in COLORS for letter in "AB"]
MAX_PAWNS = 8
MAX_DECK = 250

Color = Literal["red", "blue", "yellow", "green"]
Card = Literal["1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "sorry"]
Deck = Literal["deck_45", "deck_44", "deck_55"]
Slide = Annotated[str, Field(pattern=r"^(red|blue|yellow|green) [AB]$"), WithJsonSchema({"type": "string", "enum": SLIDES})]

# Rulebook 1.4: the counts of the three known printings.
DECKS = {
    "deck_45": {card: 5 if card == "1" else 4 for card in CARDS},
    "deck_44": dict.fromkeys(CARDS, 4),
    "deck_55": dict.fromkeys(CARDS, 5),
}


def _named_deck(value: Any) -> Any:
    """Replaces a deck's name by its counts; anything else is left for the validator."""
    if isinstance(value, str):
        if value not in DECKS:
            raise ValueError(f"no deck is called {value!r}; known decks are {', '.join(DECKS)}, or give a table of counts")
        return DECKS[value]
    return value


def _in_order(order: tuple[str, ...]) -> Any:
    """Sorts a set written as a list into the printed order, so that its spelling does not change the hash."""

    def sort(value: Any) -> Any:
        if isinstance(value, (list, tuple, set, frozenset)) and all(isinstance(name, str) for name in value):
            if len(set(value)) < len(value):
                raise ValueError("a name stands in the list twice")
            return tuple(sorted(value, key=lambda name: order.index(name) if name in order else len(order)))
        return value

    return BeforeValidator(sort)


def _whole_number(value: Any) -> Any:
    """Refuses what Python calls equal to a whole number: false is no 0, 4.0 is no 4."""
    if isinstance(value, (bool, float)):
        raise ValueError("not a whole number")
    return value


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


Copies = Annotated[int, Field(ge=0, le=40)]


class DeckCounts(BaseModel):
    """How many copies of each card the deck holds."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)

    one: Copies = Field(5, alias="1")
    two: Copies = Field(4, alias="2")
    three: Copies = Field(4, alias="3")
    four: Copies = Field(4, alias="4")
    five: Copies = Field(4, alias="5")
    seven: Copies = Field(4, alias="7")
    eight: Copies = Field(4, alias="8")
    ten: Copies = Field(4, alias="10")
    eleven: Copies = Field(4, alias="11")
    twelve: Copies = Field(4, alias="12")
    sorry: Copies = 4

    @property
    def counts(self) -> dict[str, int]:
        """Card name to number of copies, in the order of ``CARDS``."""
        return self.model_dump(by_alias=True)


def _option(default: Any, description: str, **limits: Any) -> Any:
    return Field(default, description=description, **limits)


class Rules(BaseModel):
    """Every option of the classic game, at its printed value unless said otherwise."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    # -- set-up ------------------------------------------------------------------------------------
    pawns: int = _option(4, "Pawns of each color.", ge=1, le=MAX_PAWNS)  # H-1
    quick_start_pawns: int = _option(  # H-2
        0, "Pawns that begin on the start circle instead of on START (0 or 1 unless own pawns may share a square).", ge=0, le=MAX_PAWNS
    )
    deck_counts: Annotated[DeckCounts, BeforeValidator(_named_deck, json_schema_input_type=Deck | DeckCounts)] = _option(  # rulebook 1.4
        DeckCounts(), "Copies of each card: deck_45 (five 1s), deck_44 (four of everything), deck_55 (five of everything) or a table."
    )
    draw: Literal["without_replacement", "with_replacement"] = _option(  # rulebook 10, Sorry! Spin
        "without_replacement", "Whether a drawn card stays out until the discards are reshuffled, or goes back at once like a spinner."
    )
    start_cards: Annotated[tuple[Card, ...], _in_order(CARDS)] = _option(  # H-13, H-14, H-23
        ("1", "2", "sorry"), "Cards that bring a pawn out of START: a number puts it on the start circle, sorry puts it onto an opponent."
    )
    first_player: Literal["random", "fixed", "rotate", "high_card"] = _option(  # HQ1
        "random", "Who moves first: random, fixed (first seat), rotate (by game number), high_card (highest card drawn, Sorry! high)."
    )
    seat_colors: Annotated[tuple[Color, ...], BeforeValidator(_as_tuple)] = _option(  # HQ2
        (), "Colors in seat order; empty means two players opposite (red, yellow), three red, blue, yellow, four all."
    )

    # -- what must be played -----------------------------------------------------------------------
    must_move: bool = _option(
        True, "Whether a possible move must be made even if it hurts; if not, passing is always allowed."
    )  # H-8, HQ24
    eleven_swap_forced: bool = _option(  # H-21, HQ6, FQ5
        False, "Whether an 11 that only allows a swap must be played."
    )
    ten_back_forced: bool = _option(True, "Whether a 10 that only allows the step back must be played.")  # HQ14
    two_draws_again: Literal["always", "if_played", "never"] = _option(  # H-14, HQ4, FQ4
        "always", "When a 2 gives another card: always, only if the 2 was played, or never."
    )

    # -- moving ------------------------------------------------------------------------------------
    forward_past_entry: Literal["forbidden", "decline_ok", "forced"] = _option(  # H-25, HQ26
        "forbidden", "Whether a pawn may walk past its own safety zone for another lap, and whether it must if nothing else is possible."
    )
    pass_scope: Literal["overshoot_only", "always"] = _option(  # IQ8, rulebook 13.6
        "overshoot_only", "Where walking past is allowed: only for counts that overshoot HOME, or also for counts that fit."
    )
    backward_out_of_zone: bool = _option(True, "Whether a backward move may leave the safety zone.")  # H-26, FQ9
    home_overshoot: Literal["illegal", "bounce", "any"] = _option(  # H-27, HQ27
        "illegal", "A count larger than the distance to HOME: illegal, the surplus bounces back, or any count is enough."
    )
    own_collision: Literal["illegal", "ends_turn", "bump_self", "share"] = _option(  # H-12, FQ3
        "illegal",
        "Landing on a pawn of the same color: illegal, can be chosen to end the turn, sends it back, or both share the square.",
    )
    seven_parts: int = _option(2, "Into how many parts a 7 may be split, each for another pawn (1: no split).", ge=1, le=8)  # H-17
    seven_resolution: Literal["sequential", "simultaneous"] = _option(  # HQ10
        "sequential", "Whether the parts of a 7 are played one after the other, or all pawns are lifted and put down together."
    )
    swap_may_cross_entry: bool = _option(  # HQ8
        True, "Whether a swap may leave the player's own pawn farther from HOME than it was."
    )
    sorry_alt_forward: Annotated[Literal[0, 4], BeforeValidator(_whole_number)] = _option(  # HQ22
        0, "Squares a Sorry! card may move a pawn forward instead (0: none)."
    )

    # -- slides ------------------------------------------------------------------------------------
    slides: Literal["off", "all_but_own", "all"] = _option(  # H-28
        "all_but_own", "Which slides a pawn rides: none, those of the other colors, or its own too."
    )
    slide_riders: dict[Slide, Annotated[tuple[Color, ...], _in_order(COLORS)]] = _option(  # rulebook 10: per-slide color sets
        {}, 'Exceptions to slides: a slide ("red A" is the one at red\'s start, "red B" the longer one) to the colors that ride it.'
    )
    slide_on_backward: bool = _option(True, "Whether a backward move that ends on a triangle slides.")  # HQ16
    slide_after_swap: Literal["mover", "both", "none"] = _option(  # H-29, HQ7
        "mover", "Who slides when a swap ends on a triangle: the player's own pawn, both pawns, or nobody."
    )
    slide_after_sorry: bool = _option(True, "Whether a pawn put onto a triangle by a Sorry! card slides.")  # HQ19
    own_on_triangle: Literal["illegal", "bump"] = _option(  # HQ17
        "illegal", "Landing on a triangle that would be ridden while a pawn of the same color stands there: illegal, or it is sent back."
    )
    absent_color_slides: Literal["active", "inert"] = _option("active", "Whether slides of colors nobody plays work.")  # HQ3

    # -- deck and end ------------------------------------------------------------------------------
    reshuffle_when: Literal["on_draw_from_empty", "when_last_taken"] = _option(  # H-9, HQ23
        "on_draw_from_empty", "When the discards become the new pile: when a card is needed and none is left, or when the last is taken."
    )
    card_in_play_in_reshuffle: Literal["included", "excluded"] = _option(  # HQ23
        "included", "Whether the card being played is shuffled into the new pile."
    )
    game_end: Literal["first_home", "full_ranking", "all_home"] = _option(  # H-30, F-15, HQ25, FQ17
        "first_home", "When the game ends: with the winner, when only one player is left, or when everybody is HOME."
    )
    turn_cap: int = _option(20_000, "Turns after which a game is cut off and counted as capped.", ge=1, le=1_000_000)

    @model_validator(mode="after")
    def _combinations(self) -> "Rules":
        """Refuses what makes no sense together."""
        if self.quick_start_pawns > self.pawns:
            raise ValueError(f"quick_start_pawns = {self.quick_start_pawns} is more than pawns = {self.pawns}")
        if self.quick_start_pawns > 1 and self.own_collision != "share":
            raise ValueError('quick_start_pawns above 1 needs own_collision = "share": two own pawns may not stand on the start circle')
        if len(set(self.seat_colors)) < len(self.seat_colors):
            raise ValueError("seat_colors names a color twice")
        if len(self.seat_colors) == 1:
            raise ValueError("seat_colors names one color; a game needs two to four players")
        counts = self.deck_counts.counts
        total = sum(counts.values())
        if not 1 <= total <= MAX_DECK:
            raise ValueError(f"deck_counts holds {total} cards; 1 to {MAX_DECK} are possible")
        if not self.quick_start_pawns and not any(counts[card] for card in self.start_cards if card != "sorry"):
            raise ValueError("no pawn could ever leave START: the deck holds none of the number cards in start_cards")
        if counts["2"] == total and self.two_draws_again != "never":
            raise ValueError("a deck of nothing but 2s that draw again would never end a turn")
        return self
