"""A question that is answered by playing: one TOML file, read and checked.

It names the ruleset that is asked about and its arms, the options that are varied in it or a panel of ways to play it, those who play,
and how many games; its texts say what is asked, what is held fixed and what would count as an answer.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from simsorry import toml
from simsorry.errors import SimsorryError
from simsorry.games.options import as_tuple
from simsorry.rulesets import schema

MAX_ARMS = 200
MOST = 10_000  # of a weight and of a level
Text = Annotated[str, Field(min_length=1, max_length=4_000)]
Spec = Annotated[str, Field(min_length=1, max_length=1_000)]


Specs = Annotated[tuple[Spec, ...], BeforeValidator(as_tuple)]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Number = Annotated[float, Field(ge=-MOST, le=MOST)]
Weights = dict[str, Number]


class Dose(BaseModel):
    """Something that a way to play can have more or less of."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: Name = Field(description="What it is, in a few words; a level stands behind it: starting a pawn +10.")
    told: Annotated[str, Field(min_length=1, max_length=200)] = Field(description="What a level counts: the axis of the figure.")
    per: Weights = Field(description="What is added to the policy's weights for each 1 of a level.", min_length=1)
    levels: Annotated[tuple[Number, ...], BeforeValidator(as_tuple)] = Field(
        description="How much of it, but for 0, which is the policy as it is.", min_length=1, max_length=20
    )

    @model_validator(mode="after")
    def _levels(self) -> "Dose":
        """Refuses the level of no change, and levels that are given twice."""
        if 0 in self.levels:
            raise ValueError("levels: 0 is the policy as it is, which is shown anyway")
        if len(set(self.levels)) < len(self.levels):
            raise ValueError("levels: a level is given twice")
        return self


class Way(BaseModel):
    """A way to play: a policy with other weights, or another policy."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: Name = Field(description="How one plays, in a few words: never splits a 7.")
    weights: Weights = Field({}, description="Weights in place of the policy's.")
    added: Weights = Field({}, description="What is added to the policy's weights.")
    policy: Spec | None = Field(None, description="Another policy, by its name or file, instead of weights.")

    @model_validator(mode="after")
    def _one_kind(self) -> "Way":
        """Refuses what says nothing, and what says two things."""
        if bool(self.weights or self.added) == bool(self.policy):
            raise ValueError("either weights or added, or a policy is needed")
        if both := self.weights.keys() & self.added.keys():
            raise ValueError(f"{min(both)} stands in weights and in added")
        return self


def _names(doses: tuple[Dose, ...], ways: tuple[Way, ...]) -> tuple[str, ...]:
    return (*(dose.name for dose in doses), *(way.name for way in ways))


class Panel(BaseModel):
    """Ways to play that are tried by one side, where all others play by the policy that they start from."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    policies: Specs = Field(("balanced",), description="The policies that are changed, each in turn.", min_length=1, max_length=8)
    doses: Annotated[tuple[Dose, ...], BeforeValidator(as_tuple)] = Field((), description="What is given in several doses.", max_length=8)
    ways: Annotated[tuple[Way, ...], BeforeValidator(as_tuple)] = Field((), description="Other ways to play.", max_length=40)

    @model_validator(mode="after")
    def _some(self) -> "Panel":
        """Refuses a panel of nothing, and what is named twice."""
        if not self.doses and not self.ways:
            raise ValueError("neither doses nor ways are there: nothing is tried")
        for key, names in (("policies", self.policies), ("doses and ways", _names(self.doses, self.ways))):
            again = next((name for at, name in enumerate(names) if name in names[:at]), None)
            if again is not None:
                raise ValueError(f'{key}: "{again}" is named twice')
        return self


class Question(BaseModel):
    """What a file of a question says."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    title: Annotated[str, Field(min_length=1, max_length=200)] = Field(description="The question in a line; the title of the report.")
    question: Text = Field(description="The question at length, and why it is asked.")
    held: str = Field("", description="What is held fixed.", max_length=4_000)
    answer: Text = Field(description="What would count as an answer.")
    base: Spec = Field(description="The ruleset that everything is compared with.")
    arms: Specs = Field((), description="The rulesets compared with it; those that a panel is tried in as well.", max_length=MAX_ARMS)
    players: int = Field(4, description="Number of players.", ge=2, le=4)
    line_ups: Specs = Field(
        ("random", "balanced"),
        description="Who plays, each in turn: a policy for all seats, or one for each, with commas between them.",
        min_length=1,
    )
    games: int = Field(
        20_000,
        description="Games of each ruleset with each line-up; the game numbers of a panel, each played with every side.",
        ge=20,
        le=10**9,
    )
    seed: int = Field(1, description="Seed of all chance.", ge=0, le=2**64 - 1)
    margins: dict[str, str] = Field({}, description="What is too small to matter, by kind of number or by measure.")
    chances: bool = Field(
        False, description="Whether everybody's chance to win is followed, by gauges that are fitted to other games first."
    )
    vary: dict[str, Any] = Field({}, description="In place of arms: options with their levels, of which every combination is played.")
    fraction: str | None = Field(None, description="Resolution of the part of the combinations that is played: V or IV; all if left out.")
    skip_invalid: bool = Field(False, description="Whether combinations that the rules refuse are left out.")
    target: str | None = Field(None, description="What the smallest change is looked for that reaches it: turns_p50<120.", max_length=400)
    sensitivity: bool = Field(False, description="Whether the variance between the combinations is shared out to the options.")
    panel: Panel | None = Field(None, description="In place of line-ups: ways to play, each tried by one side against a policy.")

    @model_validator(mode="after")
    def _seated(self) -> "Question":
        """Refuses line-ups that do not fit the players, and what is named twice."""
        for line_up in self.line_ups:
            names = line_up.split(",")
            if len(names) not in (1, self.players):
                needed = f"one or {self.players} are needed for players = {self.players}"
                raise ValueError(f'line_ups: "{line_up[:60]}" names {len(names)} policies; {needed}')
        for key, named in (("line_ups", self.line_ups), ("arms", (self.base, *self.arms))):
            again = next((name for at, name in enumerate(named) if name in named[:at]), None)
            if again is not None:
                raise ValueError(f'{key}: "{again[:60]}" is named twice')
        return self

    @model_validator(mode="after")
    def _varied(self) -> "Question":
        """Refuses arms beside what is varied, and what only belongs to that without it."""
        if self.vary and self.arms:
            raise ValueError("arms: arms and vary are two questions; give each a file of its own")
        if self.vary and self.chances:
            raise ValueError("chances: that goes with arms, not with vary")
        given = self.model_fields_set & {"fraction", "skip_invalid", "target", "sensitivity"}
        if given and not self.vary:
            raise ValueError(f"{min(given)}: that goes with a table vary, which is not there")
        _ = self.varied
        return self

    @model_validator(mode="after")
    def _paneled(self) -> "Question":
        """Refuses what has no meaning beside a panel."""
        given = self.model_fields_set & {"line_ups", "chances", "vary"} if self.panel else set()
        if given:
            raise ValueError(f"{min(given)}: that does not go with a table panel, whose policies play")
        other = self.margins.keys() - {"policy_share", "length"} if self.panel else set()
        if other:
            raise ValueError(f"margins: {min(other)[:60]}: a panel is judged by policy_share and length alone")
        return self

    @property
    def varied(self) -> list[str]:
        """The options that are varied, as ``OPTION=LEVEL,LEVEL``."""
        return [f"{option}={_levels(option, levels)}" for option, levels in _flat(self.vary).items()]


def _flat(tables: dict[str, Any]) -> dict[str, Any]:
    """Tables in tables entry by entry under dotted names: TOML reads ``deck_counts.sorry = "2..6"`` so."""
    flat: dict[str, Any] = {}
    for key, value in tables.items():
        inner = _flat(value) if isinstance(value, dict) else {}
        flat |= {toml.dotted([key]) + f".{name}": item for name, item in inner.items()} if inner else {toml.dotted([key]): value}
    return flat


def _levels(option: str, levels: Any) -> str:
    """Levels as on the command line; a level that is a list, or has commas, stands in brackets."""
    if isinstance(levels, str) and levels:
        return levels
    if not isinstance(levels, list) or not levels or not all(isinstance(level, (str, int, float, list)) for level in levels):
        raise ValueError(f'vary: {option[:60]}: its levels are a list such as ["on", "off"] or [0, 3, 5], or a range such as "2..6"')
    texts = [level if isinstance(level, str) else toml.value_text(level) for level in levels]
    return ",".join(f"[{text}]" if "," in text and text[:1] not in "[{\"'" else text for text in texts)


def load(file: str) -> Question:
    """Reads a question. Raises SimsorryError with one sentence that names the file, the key, the value and what is allowed."""
    where, tables = toml.shorten(file), toml.read(Path(file), file)
    if not tables:
        raise SimsorryError(f"{where}: the file is empty; a question has at least a title, a question, an answer and a base")
    _check_keys(where, Question, tables)
    for place, model, table in _tables_of_panel(tables.get("panel")):
        _check_keys(f"{where}: {place}", model, table)
    try:
        return Question.model_validate(tables)
    except ValidationError as error:
        raise schema.explain(error, Question, lambda path: (where, path)) from error


def _check_keys(where: str, model: type[BaseModel], table: Mapping[str, Any]) -> None:
    """Refuses keys that a table can't have, and a table that lacks one it must have."""
    known = list(model.model_fields)
    for key, value in table.items():
        if key not in known:
            raise schema.unknown_key(where, [key], value, known)
    needed = [name for name, part in model.model_fields.items() if part.is_required() and name not in table]
    if needed:
        raise SimsorryError(f"{where}: {needed[0]} is missing: {model.model_fields[needed[0]].description}")


def _tables_of_panel(panel: Any) -> Iterator[tuple[str, type[BaseModel], dict[str, Any]]]:
    """The tables that a panel is written in, as far as they are any, each with its place for messages and what it is."""
    if not isinstance(panel, dict):
        return
    yield "panel", Panel, panel
    kinds: tuple[tuple[str, type[BaseModel]], ...] = (("doses", Dose), ("ways", Way))
    for key, model in kinds:
        listed = panel.get(key)
        for at, table in enumerate(listed if isinstance(listed, list) else [], start=1):
            if isinstance(table, dict):
                yield f"panel.{key} (item {at})", model, table
