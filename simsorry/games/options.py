"""What options of several games are made of: colors, cards, decks, teams, and how they may be written in a file."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from simsorry.toml import value_text

COLORS = ("red", "blue", "yellow", "green")  # clockwise; the index is the color's number
CARDS = ("1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "sorry")
TEAMS = (("red", "yellow"), ("blue", "green"))  # the printed partnerships: colors that sit opposite each other
MAX_PAWNS = 8
MAX_DECK = 250

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
