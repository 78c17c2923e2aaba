"""What options of several games are made of: colors, cards, decks, teams, and how they may be written in a file."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from simsorry.toml import value_text

COLORS = ("red", "blue", "yellow", "green")  # clockwise; the index is the color's number
CARDS = ("1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "sorry")
TEAMS = (("red", "yellow"), ("blue", "green"))  # the printed partnerships: colors that sit opposite each other
MAX_PAWNS = 8
MAX_DECK = 250
MAX_HAND = 60
MAX_BANDS = 4
MAX_ROUNDS_WON = 100
SLIDES = [f"{color} {letter}" for color in COLORS for letter in "AB"]

Color = Literal["red", "blue", "yellow", "green"]
Card = Literal["1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "sorry"]
Deck = Literal["deck_45", "deck_44", "deck_55"]
TeamPairs = Literal["opposite"] | tuple[tuple[Color, Color], ...]

# Rulebook 1.4: the counts of the three known printings.
DECKS = {
    "deck_45": {card: 5 if card == "1" else 4 for card in CARDS},
    "deck_44": dict.fromkeys(CARDS, 4),
    "deck_55": dict.fromkeys(CARDS, 5),
}


def named_deck(value: Any) -> Any:
    """Replaces a deck's name by its counts; anything else is left for the validator."""
    if isinstance(value, str):
        if value not in DECKS:
            raise ValueError(f"no deck is called {value!r}; known decks are {', '.join(DECKS)}, or give a table of counts")
        return DECKS[value]
    return value


def as_tuple(value: Any) -> Any:
    """Takes lists, and lists in lists, for the tuples they stand for."""
    return tuple(map(as_tuple, value)) if isinstance(value, list) else value


def in_order(order: tuple[str, ...]) -> Any:
    """Sorts a set written as a list into the printed order, so that its spelling does not change the hash."""

    def sort(names: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(names)) < len(names):
            raise ValueError("a name stands in the list twice")
        return tuple(sorted(names, key=order.index))

    return AfterValidator(sort)


def whole_number(value: Any) -> Any:
    """Refuses what Python calls equal to a whole number: false is no 0, 4.0 is no 4."""
    if isinstance(value, (bool, float)):
        raise ValueError("not a whole number")
    return value


def named_pairs(value: Any) -> Any:
    """Replaces the word for the printed partnerships by these; anything else is left for the validator."""
    return TEAMS if value == "opposite" else as_tuple(value)


def in_pairs(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, ...], ...]:
    """Sorts pairs, so that their spelling does not change the hash; refuses what makes no teams."""
    if pairs and sorted(color for pair in pairs for color in pair) != sorted(COLORS):
        raise ValueError("not two pairs in which every color stands once")
    return tuple(sorted((tuple(sorted(pair, key=COLORS.index)) for pair in pairs), key=lambda pair: COLORS.index(pair[0])))


# HQ41: how a match may end; the titles say the patterns in words.
ROUNDS = {"pattern": "^rounds:[1-9][0-9]{0,2}$", "title": "rounds:N (1 to 999)", "type": "string"}
TARGET = {"pattern": "^target:[1-9][0-9]{0,3}$", "title": "target:T (1 to 9999)", "type": "string"}

MatchEnd = Annotated[
    str,
    Field(pattern=f"^single_round$|{ROUNDS['pattern']}|{TARGET['pattern']}"),
    WithJsonSchema({"anyOf": [{"const": "single_round", "type": "string"}, ROUNDS, TARGET]}),
]
Slide = Annotated[str, Field(pattern=r"^(red|blue|yellow|green) [AB]$"), WithJsonSchema({"type": "string", "enum": SLIDES})]


def by_strictness(bands: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Sorts bands from the easiest to the hardest, so that their order does not change the hash."""
    if len({limit for limit, _ in bands}) < len(bands):
        raise ValueError("the same number of pawns stands in the list twice")
    return tuple(sorted(bands, reverse=True))


def without_last_zeros(squares: tuple[int, ...]) -> tuple[int, ...]:
    """Leaves out seats at the end that begin as usual, so that naming them does not change the hash."""
    while squares and not squares[-1]:
        squares = squares[:-1]
    return squares


HEAD_START = 15  # squares at most: up to the next color's start circle
HeadStarts = Annotated[
    tuple[Annotated[int, Field(ge=0, le=HEAD_START)], ...],
    BeforeValidator(as_tuple),
    Field(max_length=4),
    AfterValidator(without_last_zeros),
]
HEAD_STARTS = (
    "By seat in the order of play, squares that a player begins ahead to make up for moving later: 1 puts a pawn on the start circle, 2 a "
    "square farther, and so on up to 15; 0, or no number, is a start as usual."
)

Points = Annotated[int, Field(ge=0, le=1_000)]
Riders = Annotated[tuple[Color, ...], BeforeValidator(as_tuple), in_order(COLORS)]
Copies = Annotated[int, Field(ge=0, le=40)]
StartCards = Annotated[tuple[Card, ...], BeforeValidator(as_tuple), in_order(CARDS)]


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


def option(default: Any, description: str, **limits: Any) -> Any:
    return Field(default, description=description, **limits)


def refuse_without(rules: BaseModel, missing: str, names: str) -> None:
    """Refuses options that were given another value than the printed one, though nothing in these rules looks at them."""
    for name in names.split():
        value = getattr(rules, name)
        if value != type(rules).model_fields[name].default:
            raise ValueError(f"{name} = {value_text(value)} means nothing {missing}")


# -- what several games refuse ---------------------------------------------------------------------


def check_seats(rules: Any) -> None:
    """Refuses colors in a seat order that nobody could play."""
    if len(set(rules.seat_colors)) < len(rules.seat_colors):
        raise ValueError("seat_colors names a color twice")
    if len(rules.seat_colors) == 1:
        raise ValueError("seat_colors names one color; a game needs two to four players")


def check_head_starts(rules: Any) -> None:
    """Refuses head starts for players who all begin with a pawn out."""
    if rules.head_starts and rules.quick_start_pawns:
        raise ValueError(f"head_starts = {value_text(list(rules.head_starts))} needs quick_start_pawns = 0: it brings the first pawn out")


def check_hand(rules: Any) -> None:
    """Refuses options of hands without one, and hands that the deck has not the cards for."""
    if not rules.hand_size:
        options = "two_in_hand two_playable_idle two_followup_stuck hand_refill dead_hand optional_counts_as_playable first_turn_dead_hand"
        refuse_without(rules, "without a hand (hand_size = 0)", options)
        return
    refuse_without(rules, f"with a hand (hand_size = {rules.hand_size}): two_in_hand says what a 2 brings", "two_draws_again")
    if rules.two_in_hand == "none":
        refuse_without(rules, 'where no card follows a 2 (two_in_hand = "none")', "two_playable_idle two_followup_stuck")
    total = sum(rules.deck_counts.counts.values())
    if 2 * rules.hand_size > total and rules.draw == "without_replacement":
        raise ValueError(f"hand_size = {rules.hand_size} is too much for a deck of {total} cards: two players need {2 * rules.hand_size}")


def as_numbers(value: int | tuple[int, ...]) -> tuple[int, ...]:
    """One number for all pawns, or one for each size, as numbers by size."""
    return value if isinstance(value, tuple) else (value,)


def check_points(rules: Any) -> None:
    """Refuses options of points where none are kept."""
    if rules.score_home_to == "none":
        options = "score_home_value score_not_home_value score_bands bonus_bands band_measure"
        refuse_without(rules, 'where no points are kept (score_home_to = "none")', options)
    elif not rules.score_bands:
        refuse_without(rules, "without bonuses (score_bands is empty)", "bonus_bands band_measure")


def check_match(rules: Any) -> None:
    """Refuses options of matches in a single round, and matches that could never end."""
    kind, _, number = rules.match_end.partition(":")
    points = rules.score_home_to != "none"
    if kind == "single_round":
        refuse_without(rules, 'in a single round (match_end = "single_round")', "next_leader")
    elif kind == "target" and not points and int(number) > MAX_ROUNDS_WON:
        limit = f"and at most {MAX_ROUNDS_WON} rounds can be played for"
        raise ValueError(f'match_end = "{rules.match_end}" means rounds won where no points are kept (score_home_to = "none"), {limit}')
    elif points and not any(as_numbers(rules.score_home_value)) and not any(as_numbers(rules.score_not_home_value)):
        raise ValueError(f'match_end = "{rules.match_end}" needs points: score_home_value and score_not_home_value are both 0')
