"""Ruleset, policy and question files that nobody would write in good faith."""

from pathlib import Path
from typing import Any

import pytest
from hostile_tools import FEW, demand, mutated, names, toml_text, values
from hypothesis import given
from hypothesis import strategies as st

from simsorry import games, policies, rulesets
from simsorry.games.weights import HABITS
from simsorry.question import Question

CHECKS = {"ruleset": ("rulesets", "check"), "policy": ("policies", "check"), "question": ("study", "--plan")}
EXAMPLES = {
    "ruleset": [path.read_text() for path in sorted(rulesets.FOLDER.glob("*.toml"))],
    "policy": [path.read_text() for path in sorted(Path(policies.__file__).parent.glob("*.toml"))],
    "question": [path.read_text() for path in sorted((Path(__file__).parents[1] / "experiments").glob("*.toml"))],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


def check(folder: Path, kind: str, data: bytes) -> None:
    file = folder / f"{kind}.toml"
    file.write_bytes(data)
    demand(*CHECKS[kind], str(file))


@pytest.mark.parametrize("kind", CHECKS)
@FEW
@given(data=st.data())
def test_a_damaged_file_is_taken_or_refused_in_a_sentence(folder: Path, kind: str, data: st.DataObject) -> None:
    check(folder, kind, data.draw(st.sampled_from(EXAMPLES[kind]).flatmap(mutated)))


@FEW
@given(
    game=st.sampled_from([*games.GAMES]),
    top=st.dictionaries(st.sampled_from(["title", "source", "readings", "extends", "game", "rules"]), values, max_size=2),
    rules=st.dictionaries(names | st.text(max_size=4), values, max_size=4),
)
def test_a_ruleset_of_anything_is_taken_or_refused_in_a_sentence(
    folder: Path, game: str, top: dict[str, Any], rules: dict[str, Any]
) -> None:
    check(folder, "ruleset", written({"game": game, **top, **({} if "rules" in top else {"rules": rules})}))


@FEW
@given(
    top=st.dictionaries(st.sampled_from(["title", "description", "extends", "game", "weights", *games.GAMES, *HABITS]), values, max_size=4)
)
def test_a_policy_of_anything_is_taken_or_refused_in_a_sentence(folder: Path, top: dict[str, Any]) -> None:
    check(folder, "policy", written(top))


@FEW
@given(
    top=st.dictionaries(
        st.sampled_from([*Question.model_fields]), values | st.lists(st.sampled_from(["hasbro", "random", "ice"]), max_size=3), max_size=4
    )
)
def test_a_question_of_anything_is_taken_or_refused_in_a_sentence(folder: Path, top: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"title": "T", "question": "Q?", "answer": "A", "base": "hasbro", "games": 20}
    if "survey" in top:
        del asked["base"]
    check(folder, "question", written(asked | top))


def written(tables: dict[str, Any]) -> bytes:
    """A file that says so, also where TOML has no word for it."""
    return "".join(f"{toml_text(key)} = {toml_text(value)}\n" for key, value in tables.items()).encode("utf-8", "surrogatepass")


@pytest.fixture(autouse=True)
def no_games_for_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan of a question says how long it takes: here as if a game took a millisecond."""
    from simsorry.cli import _answering

    monkeypatch.setattr(_answering, "_seconds_a_game", lambda _: 0.001)
