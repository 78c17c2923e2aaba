"""A question that is answered by playing: one TOML file, read and checked.

It names the ruleset that is asked about and its arms, those who play, and how many games; its texts say what is asked, what is
held fixed and what would count as an answer.
"""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from simsorry import toml
from simsorry.errors import SimsorryError
from simsorry.games.options import as_tuple
from simsorry.rulesets import schema

MAX_ARMS = 200
Text = Annotated[str, Field(min_length=1, max_length=4_000)]
Spec = Annotated[str, Field(min_length=1, max_length=1_000)]


Specs = Annotated[tuple[Spec, ...], BeforeValidator(as_tuple)]


class Question(BaseModel):
    """What a file of a question says."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    title: Annotated[str, Field(min_length=1, max_length=200)] = Field(description="The question in a line; the title of the report.")
    question: Text = Field(description="The question at length, and why it is asked.")
    held: str = Field("", description="What is held fixed.", max_length=4_000)
    answer: Text = Field(description="What would count as an answer.")
    base: Spec = Field(description="The ruleset that everything is compared with.")
    arms: Specs = Field((), description="The rulesets compared with it.", max_length=MAX_ARMS)
    players: int = Field(4, description="Number of players.", ge=2, le=4)
    line_ups: Specs = Field(
        ("random", "balanced"),
        description="Who plays, each in turn: a policy for all seats, or one for each, with commas between them.",
        min_length=1,
    )
    games: int = Field(20_000, description="Games of each ruleset with each line-up.", ge=20, le=10**9)
    seed: int = Field(1, description="Seed of all chance.", ge=0, le=2**64 - 1)
    margins: dict[str, str] = Field({}, description="What is too small to matter, by kind of number or by measure.")

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


def load(file: str) -> Question:
    """Reads a question. Raises SimsorryError with one sentence that names the file, the key, the value and what is allowed."""
    where, tables = toml.shorten(file), toml.read(Path(file), file)
    if not tables:
        raise SimsorryError(f"{where}: the file is empty; a question has at least a title, a question, an answer and a base")
    known = list(Question.model_fields)
    for key, value in tables.items():
        if key not in known:
            raise schema.unknown_key(where, [key], value, known)
    needed = [name for name, part in Question.model_fields.items() if part.is_required() and name not in tables]
    if needed:
        raise SimsorryError(f"{where}: {needed[0]} is missing: {Question.model_fields[needed[0]].description}")
    try:
        return Question.model_validate(tables)
    except ValidationError as error:
        raise schema.explain(error, Question, lambda path: (where, path)) from error
