"""A question that is answered by playing: one TOML file, read and checked.

It names the ruleset that is asked about and its arms, the options that are varied in it or a panel of ways to play it, or a survey of
many rulesets one by one; those who play, how many games or how precisely, and what the report shows. Its texts say what is asked, what is
held fixed and what would count as an answer.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from simsorry import toml
from simsorry.errors import SimsorryError
from simsorry.games.options import as_tuple
from simsorry.rulesets import schema

MAX_ARMS = 200
MOST = 10_000  # of a weight and of a level
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def _readable(value: Any) -> Any:
    """A text without white space at its ends, and refused if it has control characters; anything else as it is."""
    if not isinstance(value, str):
        return value
    if _CONTROL.search(value.replace("\r\n", "\n")):
        raise ValueError("it has a control character")
    return value.strip()


def _on_one_line(value: Any) -> Any:
    return " ".join(_readable(value).split()) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_readable), Field(min_length=1, max_length=4_000)]
Spec = Annotated[str, Field(min_length=1, max_length=1_000)]
Line = Annotated[str, BeforeValidator(_on_one_line), Field(min_length=1, max_length=200)]


Specs = Annotated[tuple[Spec, ...], BeforeValidator(as_tuple)]
Name = Annotated[str, BeforeValidator(_on_one_line), Field(min_length=1, max_length=60)]
Number = Annotated[float, Field(ge=-MOST, le=MOST)]
Weights = dict[str, Number]


def _named_twice(named: Sequence[Any]) -> Any:
    """The first that is there a second time; None if all are different."""
    return next((each for at, each in enumerate(named) if each in named[:at]), None)


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
            again = _named_twice(names)
            if again is not None:
                raise ValueError(f'{key}: "{again}" is named twice')
        return self


class Survey(BaseModel):
    """Rulesets that are looked at one by one, at tables of several sizes: there is no base, and nothing is taken off anything."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    rulesets: Specs = Field(
        description="Rulesets, or patterns of built-in ones: hasbro*, house-*; * is every built-in ruleset.",
        min_length=1,
        max_length=MAX_ARMS,
    )
    players: Annotated[tuple[Annotated[int, Field(ge=2, le=4)], ...], BeforeValidator(as_tuple)] = Field(
        (2, 3, 4), description="Numbers of players; each ruleset is played by those of them that it is for.", min_length=1, max_length=3
    )
    show: Literal["first_player", "evening"] = Field(
        description="What is looked at: first_player, whether it helps to move first; evening, how long a game lasts by the clock."
    )

    @model_validator(mode="after")
    def _once(self) -> "Survey":
        """Refuses what is named twice."""
        for key, named in (("rulesets", self.rulesets), ("players", self.players)):
            again = _named_twice(named)
            if again is not None:
                raise ValueError(f"{key}: {str(again)[:60]} is named twice")
        return self


class Shown(BaseModel):
    """What the report on a question shows."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    chapters: Specs = Field(
        (), description="The chapters by their ids, such as how-long, in the order in which they are to stand; all if left out."
    )
    picture: Spec | None = Field(
        None, description="The figure that stands for the answer in a gallery, by its name; the first if left out."
    )
    seconds_per_turn: Annotated[float, Field(ge=0.01, le=86_400)] = Field(15.0, description="For turning turns into minutes.")
    topic: Line = Field("Other questions", description="The heading under which a gallery has the question.")
    place: int = Field(100, description="Where a gallery has it: those with small numbers come first.", ge=0, le=10_000)
    paragraphs: int = Field(1, description="How many paragraphs of the opening a gallery tells.", ge=1, le=20)


class Question(BaseModel):
    """What a file of a question says."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    title: Line = Field(description="The question in a line; the title of the report.")
    question: Text = Field(description="The question at length, and why it is asked.")
    held: Annotated[str, BeforeValidator(_readable)] = Field("", description="What is held fixed.", max_length=4_000)
    answer: Text = Field(description="What would count as an answer.")
    base: Spec | None = Field(None, description="The ruleset that everything is compared with.")
    arms: Specs = Field((), description="The rulesets compared with it; those that a panel is tried in as well.", max_length=MAX_ARMS)
    names: dict[str, Name] = Field({}, description="What the report calls some of these rulesets, in plain words: three pawns.")
    called: Annotated[str, Field(max_length=60)] = Field("", description="What the report calls the arms together: house rules, editions.")
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
    precision: dict[str, str] = Field(
        {}, description='Play until this is known so precisely, and ``games`` at most: seat_share = "0.5pp", turns = "1%".'
    )
    until_clear: bool = Field(False, description="Play until each verdict of the scorecard is clear, and ``games`` at most.")
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
    survey: Survey | None = Field(None, description="In place of a base and arms: rulesets that are looked at one by one.")
    report: Shown = Field(Shown(), description="What the report shows.")

    @model_validator(mode="after")
    def _seated(self) -> "Question":
        """Refuses line-ups that do not fit the players, and what is named twice."""
        for line_up in self.line_ups:
            names = line_up.split(",")
            if not self.survey and len(names) not in (1, self.players):
                needed = f"one or {self.players} are needed for players = {self.players}"
                raise ValueError(f'line_ups: "{line_up[:60]}" names {len(names)} policies; {needed}')
        line_ups = tuple(",".join(name.strip() for name in line_up.split(",")) for line_up in self.line_ups)
        for key, named in (("line_ups", line_ups), ("arms", (self.base or "", *self.arms))):
            again = _named_twice(named)
            if again is not None:
                raise ValueError(f'{key}: "{again[:60]}" is named twice')
        return self

    @model_validator(mode="after")
    def _named(self) -> "Question":
        """Refuses names for what is not played, and the same name for two rulesets."""
        there = (self.base, *self.arms)
        for spec in self.names:
            if spec not in there:
                raise ValueError(f"names: {spec[:60]} is neither the base nor one of the arms{toml.closest(spec, filter(None, there))}")
        called = [self.names.get(spec, spec) for spec in there if spec]
        again = _named_twice(called)
        if again is not None:
            raise ValueError(f'names: two rulesets are called "{again[:60]}"')
        other = "vary" if self.vary else "panel" if self.panel else "survey" if self.survey else None
        if other and self.model_fields_set & {"names", "called"}:
            raise ValueError(f"{min(self.model_fields_set & {'names', 'called'})}: that does not go with a table {other}")
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
    def _precise(self) -> "Question":
        """Refuses two ways to say when there are enough games, and both where games are counted beforehand."""
        given = self.model_fields_set & {"precision", "until_clear"}
        if len(given) > 1:
            raise ValueError("until_clear: precision is another way to say when there are enough games: give one of them")
        fixed = "vary" if self.vary else "panel" if self.panel else None
        if given and fixed:
            raise ValueError(f"{min(given)}: that does not go with a table {fixed}, for which games are counted beforehand")
        return self

    @model_validator(mode="after")
    def _surveyed(self) -> "Question":
        """Refuses what has no meaning beside a survey, and a question about nothing."""
        asking_otherwise = {"base", "arms", "players", "vary", "panel", "chances", "until_clear"}
        given = self.model_fields_set & asking_otherwise if self.survey else set()
        if given:
            raise ValueError(f"{min(given)}: that does not go with a table survey, whose rulesets are looked at one by one")
        if self.survey and (many := next((line_up for line_up in self.line_ups if "," in line_up), None)):
            raise ValueError(f'line_ups: "{many[:60]}": in a survey all players of a table have the same policy')
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
    def asked_of(self) -> str:
        """The base, for questions that have one."""
        assert self.base
        return self.base

    @property
    def kind(self) -> str:
        """What is played: ``survey``, ``panel``, ``sweep``, or ``comparison``, which may be of one ruleset alone."""
        return "survey" if self.survey else "panel" if self.panel else "sweep" if self.vary else "comparison"

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
    if "base" not in tables and "survey" not in tables:
        raise SimsorryError(f"{where}: base is missing: {Question.model_fields['base'].description}")
    for place, model, table in _inner_tables(tables):
        _check_keys(f"{where}: {place}", model, table)
    try:
        return _beside(Question.model_validate(tables), Path(file).parent)
    except ValidationError as error:
        raise schema.explain(error, Question, lambda path: (where, path)) from error


def _beside(asked: Question, folder: Path) -> Question:
    """The question with files that it names by their place (./mine.toml) taken from where it lies itself."""
    if folder == Path():
        return asked

    def placed(spec: str) -> str:
        return f"{folder}/{spec.removeprefix('./')}" if spec.startswith(("./", "../")) else spec

    def all_of(specs: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(placed, specs))

    changed: dict[str, Any] = {
        "base": placed(asked.base) if asked.base else None,
        "arms": all_of(asked.arms),
        "names": {placed(spec): name for spec, name in asked.names.items()},
        "line_ups": tuple(",".join(placed(name.strip()) for name in line_up.split(",")) for line_up in asked.line_ups),
    }
    if asked.panel:
        ways = tuple(way.model_copy(update={"policy": placed(way.policy)}) if way.policy else way for way in asked.panel.ways)
        changed["panel"] = asked.panel.model_copy(update={"policies": all_of(asked.panel.policies), "ways": ways})
    if asked.survey:
        changed["survey"] = asked.survey.model_copy(update={"rulesets": all_of(asked.survey.rulesets)})
    return asked.model_copy(update={key: value for key, value in changed.items() if key in asked.model_fields_set})


def _check_keys(where: str, model: type[BaseModel], table: Mapping[str, Any]) -> None:
    """Refuses keys that a table can't have, and a table that lacks one it must have."""
    known = list(model.model_fields)
    for key, value in table.items():
        if key not in known:
            raise schema.unknown_key(where, [key], value, known)
    needed = [name for name, part in model.model_fields.items() if part.is_required() and name not in table]
    if needed:
        raise SimsorryError(f"{where}: {needed[0]} is missing: {model.model_fields[needed[0]].description}")


def _inner_tables(tables: dict[str, Any]) -> Iterator[tuple[str, type[BaseModel], dict[str, Any]]]:
    """The tables inside a question, as far as they are any, each with its place for messages and what it is."""
    inner: tuple[tuple[str, type[BaseModel]], ...] = (("panel", Panel), ("survey", Survey), ("report", Shown))
    for key, model in inner:
        table = tables.get(key)
        if isinstance(table, dict):
            yield key, model, table
    panel = tables.get("panel")
    parts: tuple[tuple[str, type[BaseModel]], ...] = (("doses", Dose), ("ways", Way))
    for key, model in parts:
        listed = panel.get(key) if isinstance(panel, dict) else None
        for at, table in enumerate(listed if isinstance(listed, list) else [], start=1):
            if isinstance(table, dict):
                yield f"panel.{key} (item {at})", model, table
