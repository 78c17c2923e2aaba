"""Command lines that nobody would type in good faith: every expression that an option takes, with anything in it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hostile_tools import EVIL_TEXTS, FEW, HUGE, NUMBERS, demand, names, snapshot, toml_text, values
from hypothesis import example, given
from hypothesis import strategies as st

from simsorry import simulate
from simsorry.errors import IMPRECISE, SimsorryError

numbers = st.sampled_from(NUMBERS) | st.sampled_from(HUGE).map(str) | st.integers().map(str) | st.floats().map(str)
texts = st.sampled_from(EVIL_TEXTS) | st.text(max_size=20) | numbers
RULESETS = ("hasbro", "hasbro+hand_size=5", "hasbro-teams", "hasbro-match", "sorreesi", "ice")


@pytest.fixture(autouse=True)
def nothing_is_played(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What would be played is refused instead, and names without a folder are of an empty one."""

    def refuse(self: Any, task: Any) -> None:
        raise SimsorryError("all is well, and games would be played now", IMPRECISE)

    monkeypatch.setattr(simulate.Engine, "__init__", refuse)
    monkeypatch.chdir(tmp_path_factory.mktemp("here"))


def of_anything(*options: str) -> st.SearchStrategy[list[str]]:
    """Up to three of some options, each with anything behind it."""
    one = st.tuples(st.sampled_from(options), texts).map(lambda pair: f"{pair[0]}={pair[1]}")
    return st.lists(one, min_size=1, max_size=3)


@FEW
@given(
    ruleset=st.sampled_from(RULESETS),
    options=of_anything(
        "--games",
        "--seed",
        "--threads",
        "--block",
        "--players",
        "--precision",
        "--seats",
        "--policy",
        "--set",
        "--keep",
        "--format",
        "--trace",
        "--cluster",
    ),
)
def test_run_takes_or_refuses_any_options(ruleset: str, options: list[str]) -> None:
    demand("run", ruleset, "--quiet", *options)


@FEW
@given(ruleset=st.sampled_from(RULESETS), option=names, value=values.map(toml_text) | texts)
def test_any_house_rule_is_taken_or_refused(ruleset: str, option: str, value: str) -> None:
    demand("rulesets", "show", f"{ruleset}+{option}={value}")
    demand("rulesets", "show", ruleset, f"--set={option}={value}", "--json")


@FEW
@given(
    options=of_anything(
        "--vary",
        "--target",
        "--fraction",
        "--margin",
        "--also-policy",
        "--seconds-per-turn",
        "--title",
        "--policy",
        "--games",
        "--players",
        "--set",
        "--keep-games",
    )
)
def test_a_sweep_takes_or_refuses_any_options(options: list[str]) -> None:
    demand("sweep", "hasbro", "--vary=slides=on,off", "--quiet", *options)


@FEW
@given(option=names, levels=st.lists(values.map(toml_text) | texts, max_size=3), joint=st.sampled_from([",", "..", "..1e9,"]))
@example(option="hand_size", levels=["0", "1000000000"], joint="..")
@example(option="hand_size", levels=["-9" * 300, "9" * 300], joint="..")
def test_a_sweep_takes_or_refuses_any_levels(option: str, levels: list[str], joint: str) -> None:
    demand("sweep", "hasbro", f"--vary={option}={joint.join(levels)}", "--quiet")


@FEW
@given(
    variant=texts,
    options=of_anything(
        "--margin",
        "--precision",
        "--also-policy",
        "--seconds-per-turn",
        "--title",
        "--policy",
        "--games",
        "--players",
        "--seats",
        "--keep-games",
    ),
)
def test_a_comparison_takes_or_refuses_any_options(variant: str, options: list[str]) -> None:
    demand("compare", "--quiet", *options, "--", "hasbro", "hasbro+slides=off", *([variant] if variant else []))


@FEW
@given(
    verb=st.sampled_from(["skill", "tournament", "price", "tune", "decisions", "play", "bench", "metrics"]),
    ruleset=st.sampled_from(RULESETS) | texts,
    options=of_anything(
        "--games", "--seed", "--players", "--policy", "--seats", "--set", "--threads", "--game", "--turns", "--every", "--seat", "--from"
    ),
)
def test_other_verbs_take_or_refuse_any_options(verb: str, ruleset: str, options: list[str]) -> None:
    demand(verb, *options, "--", ruleset)


places = st.sampled_from(
    [
        "S",
        "H",
        "B",
        "Z1",
        "Z5",
        "Z6",
        "P7",
        "0",
        "59",
        "60",
        "67",
        "-1",
        "10" * 40,
        "S:s",
        "Z3:l",
        "12:",
        ":",
        "| 12: rs bm",
        "|",
        "/",
        "red",
        "blue",
        "yellow",
        "green",
        "rs",
        "²",
        "١",
        *EVIL_TEXTS,
    ]
)
positions = st.lists(places, max_size=14).map(" ".join) | st.lists(
    st.sampled_from(["red", "blue", "yellow", "green"]).flatmap(
        lambda color: st.lists(places, min_size=3, max_size=5).map(lambda pawns: f"{color} {' '.join(pawns)}")
    ),
    max_size=5,
).map(" / ".join)


@FEW
@given(
    ruleset=st.sampled_from(RULESETS),
    position=positions,
    options=of_anything("--seat", "--card", "--hand", "--drawn", "--dice", "--bonus", "--roll"),
)
def test_any_position_is_answered_or_refused(ruleset: str, position: str, options: list[str]) -> None:
    demand("moves", ruleset, f"--position={position}", "--seat=1", "--card=1", *options)
    demand("play", ruleset, f"--from={position}", "--turns=1")


points = st.dictionaries(
    st.sampled_from(
        [
            "id",
            "preset",
            "ruleset",
            "options",
            "players",
            "teams",
            "seat",
            "position",
            "card",
            "hand",
            "pawns",
            "dice",
            "bonus",
            "followup",
            "state",
        ]
    ),
    values | st.sampled_from(["hasbro", "sorreesi", "ice", ["red", "blue"], 4]),
    max_size=8,
)


@FEW
@given(point=points, preset=st.sampled_from(["hasbro", "sorreesi", "ice"]))
def test_any_decision_point_is_answered_or_refused(point: dict[str, Any], preset: str) -> None:
    Path("points").write_text(json.dumps({"preset": preset, "players": 2, **point}) + "\n", encoding="utf-8")
    demand("moves", "--points", "points")


@FEW
@given(data=st.binary(max_size=100))
@example(data=b'{"preset": "hasbro", "players": 2, "options": {"hand_size": ' + b"[" * 400 + b"]" * 400 + b"}}")
@example(data=b'{"id": ' + b"[" * 900 + b"]" * 900 + b', "preset": "hasbro", "players": 2}')
@example(data=b'{"preset": "hasbro", "players": ' + b"9" * 4000 + b"}")
@example(data=b'{"preset": "hasbro", "options": {"hand_size": 1' + b"0" * 4400 + b"}}")
def test_any_line_of_points_is_answered_or_refused(data: bytes) -> None:
    Path("points").write_bytes(data)
    demand("moves", "--points", "points")


OUTS = (
    "",
    " ",
    "\n",
    "x" * 300,
    "y/" * 2_500,
    "..",
    ".",
    "/",
    "/dev/null",
    "/dev/null/x",
    "/proc/x",
    "/dev/full",
    "file",
    "file/x",
    "link",
    "loop",
    "loop/x",
    "full",
    "a\nb",
    "\x1b[31m",
    "\udcff",
    "~",
    "nul://x",
    "s3://",
    "s3://[",
    "file://[",
    "file:///dev/null/x",
    "http://[::1",
    "://",
    "S3://",
    "memory://",
    "zip://x",
    "data://",
    "=1+1",
)


OFTEN = ("/", "loop", "file", "full", "a\nb", "\udcff", "file://[")  # of each kind one


@pytest.mark.parametrize("out", [pytest.param(out, marks=[] if out in OFTEN else pytest.mark.slow) for out in OUTS])
def test_a_folder_of_any_name_is_made_or_refused_and_nothing_else_touched(out: str) -> None:
    for folder in ("full", "elsewhere"):
        Path(folder).mkdir()
        Path(folder, "mine").write_text("mine")
    Path("file").write_text("mine")
    Path("link").symlink_to("elsewhere")
    Path("loop").symlink_to("loop")
    before = snapshot(Path())
    for verb in (
        ("run", "hasbro", "--games=1"),
        ("compare", "hasbro", "hasbro+slides=off", "--games=20"),
        ("sweep", "hasbro", "--vary=slides=on,off"),
    ):
        demand(*verb, "--quiet", f"--out={out}")
    for reader in ("report", "export", "gallery"):
        demand(reader, "full", f"--out={out}")
    demand("run", "hasbro", "--games=1", "--quiet", f"--trace={out}")
    demand("compare", "hasbro", "hasbro+slides=off", "--quiet", f"--keep-games={out}")
    for folder in ("report", "export", "verify", "gallery", "study"):
        demand(folder, "--", out)
    assert {name: data for name, data in snapshot(Path()).items() if name in before} == before


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--games", "1e30"),
        ("--games", "-1"),
        ("--games", "1e999"),
        ("--games", "0x10"),
        ("--seed", "-1"),
        ("--seed", "1e30"),
        ("--threads", "1e9"),
        ("--block", "0"),
        ("--players", "1000000000"),
        ("--players", "-1"),
    ],
)
def test_an_absurd_number_is_refused_by_its_option_and_what_is_allowed(option: str, value: str) -> None:
    answer = demand("run", "hasbro", f"{option}={value}", codes=(2, 4))
    assert value.replace("000000000", "") in answer.err.replace(",", "").replace("000000000", "")
    assert "internal" not in answer.err
