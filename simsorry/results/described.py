"""What the files of results must say to be taken at their word: anybody may have written to the folder meanwhile.

Only the form is looked at here, types, lengths and ranges; whether it is true is what ``verifying`` finds out.
"""

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from simsorry import games
from simsorry.errors import SimsorryError
from simsorry.gauge import Gauge
from simsorry.simulate import MAX_SEED, Traits

MOST_PLAYERS = 8
_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")  # most of them may not stand in an SVG
_WRONG = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError)


def _readable(text: str) -> str:
    if _UNREADABLE.search(text):
        raise ValueError("it has control characters")
    return text


Text = Annotated[str, Field(max_length=20_000), AfterValidator(_readable)]
Count = Annotated[int, Field(ge=0, lt=1 << 63)]
Whole = Annotated[int, Field(gt=-(1 << 200), lt=1 << 200)]  # sums of squares are exact, so they may be larger than a register
Number = Annotated[float, Field(allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow")


class _Ruleset(_Strict):
    name: Text
    title: Text
    source: Text
    hash: Annotated[str, Field(pattern=r"^\w{1,64}$")]
    readings: list[Text]
    rules: dict[str, Any]


class _Policy(_Strict):
    name: Text
    title: Text
    weights: dict[str, Number]


class _Description(_Strict):
    """What ``Task.describe`` says."""

    id: Annotated[str, Field(pattern=r"^\w{1,64}$")]  # files are named by it
    format: Count
    game: str
    version: Count
    ruleset: _Ruleset
    players: Annotated[int, Field(ge=1, le=MOST_PLAYERS)]
    seat_colors: list[str]
    policies: list[_Policy]
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)]
    gauge: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _fits(self) -> "_Description":
        """Refuses what the game does not have, and seats that are not all taken once."""
        colors = games.load(self.game).COLORS if self.game in games.GAMES else self.seat_colors
        if len(self.policies) != self.players or len(self.seat_colors) != self.players:
            raise ValueError("not one policy and one color for each player")
        if len(set(self.seat_colors)) != self.players or not set(self.seat_colors) <= set(colors):
            raise ValueError("not the colors of the game")
        return self


def is_description(description: dict[str, Any]) -> bool:
    """Whether it describes a task as simsorry does, in any version."""
    try:
        _Description.model_validate(description)
        traits = Traits.of(description)
        if description.get("gauge") is not None:
            Gauge.of(description["gauge"])
    except (*_WRONG, SimsorryError):
        return False
    return type(traits.hand) is int and all(type(number) is int for bonus in traits.bonuses for number in bonus[:2])


# -- summaries ---------------------------------------------------------------------------------------

_Triple = Annotated[list[Whole], Field(min_length=3, max_length=3)]


def _counted(pairs: list[list[int]]) -> list[list[int]]:
    values, counts = pairs
    if len(values) != len(counts) or any(count < 0 for count in counts):
        raise ValueError("not a count for each value")
    return pairs


_Pairs = Annotated[list[list[Whole]], Field(min_length=2, max_length=2), AfterValidator(_counted)]


class _Summary(_Strict):
    """What ``Summary.to_json`` says."""

    players: Annotated[int, Field(ge=1, le=MOST_PLAYERS)]
    games: Count
    digest: Annotated[int, Field(ge=0, lt=1 << 64)]
    game_moments: dict[str, _Triple]
    seat_moments: dict[str, list[_Triple]]
    histograms: dict[str, _Pairs]
    seat_histograms: dict[str, list[_Pairs]]
    wins: list[list[Count]]
    table_sums: dict[str, Annotated[list[Any], Field(min_length=2, max_length=2)]]
    products: dict[str, Whole]
    decided_sums: dict[str, Annotated[list[Whole], Field(min_length=2, max_length=2)]]

    @model_validator(mode="after")
    def _fits(self) -> "_Summary":
        """Refuses rows that are not one for each player."""
        rows: list[Any] = [*self.seat_moments.values(), *self.seat_histograms.values(), self.wins, *self.wins]
        for totals, products in self.table_sums.values():
            _LISTS.validate_python([totals, *products])
            rows += [totals, products, *products]
        if any(len(row) != self.players for row in rows):
            raise ValueError("not one row for each player")
        return self


_LISTS = TypeAdapter(list[list[Whole]], config=ConfigDict(strict=True))


def check_summary(data: Any, games: int) -> None:
    """Raises ValueError for what is no summary of so many games."""
    if _Summary.model_validate(data).games != games:  # a ValidationError is a ValueError
        raise ValueError("not the sums of so many games")
