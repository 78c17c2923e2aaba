"""``simsorry bench``: what it measures, and the program it is compared with, on real games and in short."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from simsorry import policies, rulesets
from simsorry.cli import app, bench
from simsorry.errors import INVALID, MISSING, USAGE
from simsorry.simulate import Task, play

SHORT = ("--seconds", "0.1")
ANCHOR_LINES = """V2 splitmix      p5  48.13 med  48.28 ns/draw  p5   53476 games/s  draws/game 388.566 turns/game 354.195
V3 splitmix      p5  35.05 med  36.26 ns/draw  p5   73430 games/s  draws/game 388.566 turns/game 354.195
V3 xoshiro       p5  33.42 med  33.47 ns/draw  p5   76927 games/s  draws/game 388.996 turns/game 354.567
"""


def cli(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["bench", *map(str, arguments)])


def document(*arguments: str | Path) -> dict[str, Any]:
    result = cli(*SHORT, "--json", *arguments)
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


def refusal(*arguments: str | Path) -> tuple[int, str]:
    """Exit code and message of a command that must end in one clear line."""
    result = cli(*SHORT, *arguments)
    lines = [line for line in result.stderr.splitlines() if not line.endswith("…")]
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("simsorry: ")
    return result.exit_code, lines[0]


@pytest.fixture(autouse=True)
def _few_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "TURNS", 4)
    monkeypatch.setattr(bench, "CLOCK_SECONDS", 0.02)


@pytest.fixture
def anchor(tmp_path: Path) -> Path:
    """A program that prints what classic_anchor prints, and notes how it was called."""
    program = tmp_path / "anchor"
    program.write_text(f"#!/bin/sh\necho $* >>{tmp_path}/calls\ncat <<END\n{ANCHOR_LINES}END\n")
    program.chmod(0o755)
    return program


# -- measuring -------------------------------------------------------------------------------------


def test_every_ruleset_is_measured_with_every_policy() -> None:
    about = document("--ruleset", "hasbro", "--ruleset", "hasbro+slides=off", "--policy", "random,runner", "--players", "2")
    assert [(line["ruleset"], line["policy"]) for line in about["lines"]] == [
        ("hasbro", "random"),
        ("hasbro", "runner"),
        ("hasbro+slides=off", "random"),
        ("hasbro+slides=off", "runner"),
    ]
    assert about["players"] == 2
    assert about["anchor"] is None
    assert about["cpu"]
    assert {"simsorry", "python", "numba"} <= about["versions"].keys()
    for line in about["lines"]:
        assert line["batches"] >= bench.TURNS
        for speed in line["per_cpu_second"].values():
            assert speed["fastest"] >= speed["median"] > 0


def test_what_is_counted_is_what_the_games_hold() -> None:
    line = document("--policy", "random")["lines"][0]
    task = Task(rulesets.load("hasbro"), 4, policies.line_up(["random"], 4), seed=1)
    games = play(task, 0, line["games"]).games
    assert line["cards_per_game"] == games["draws"].mean()
    assert line["choices_per_game"] == games["choices"].mean()
    per_second = line["per_cpu_second"]
    assert per_second["cards"]["median"] / per_second["games"]["median"] == pytest.approx(games["draws"].mean())
    assert per_second["choices"]["median"] / per_second["games"]["median"] == pytest.approx(games["choices"].mean())


def test_a_batch_that_ends_a_stored_part_is_counted_as_short_as_it_is() -> None:
    task = Task(rulesets.load("hasbro"), 4, policies.line_up(["random"], 4), seed=1)
    line = bench._Line(task, batch_games=64, played=99_990)
    bench._play_batches(line, 1e-9)
    assert line.played == 100_000


def test_threads_are_compared_by_the_clock() -> None:
    clock = document("--policy", "random", "--threads", "3")["lines"][0]["by_the_clock"]
    assert clock["threads"] == 3
    for speed in clock["games_per_second"].values():
        assert speed["fastest"] >= speed["median"] > 0
    assert clock["factor"] > 0


def test_the_factor_is_taken_turn_by_turn() -> None:
    line = bench._Line(Task(rulesets.load("hasbro"), 4, policies.line_up(["random"], 4), seed=1))
    bench._play_batches(line, 1e-9)
    line.wall_one, line.wall_many = [10.0, 20.0, 5.0], [18.0, 38.0, 9.5]
    assert bench._line_document(line, 2, None)["by_the_clock"]["factor"] == pytest.approx(1.9)


def test_the_text_says_the_same(anchor: Path) -> None:
    result = cli(*SHORT, "--policy", "random", "--anchor", anchor, "--threads", "2")
    assert result.exit_code == 0, result.output
    for words in ("simsorry 0.", "classic game version", "choices", "73,430", "times the anchor", "in 2 threads", "times one thread"):
        assert words in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


# -- the anchor ------------------------------------------------------------------------------------


def test_the_anchor_takes_turns_and_gives_the_ratio(anchor: Path) -> None:
    about = document("--policy", "random", "--anchor", anchor)
    calls = (anchor.parent / "calls").read_text().splitlines()
    assert calls == [f"{bench.ANCHOR_GAMES} {turn + 1}" for turn in range(bench.TURNS)]
    assert about["anchor"] == {"batches": bench.TURNS, "games_per_cpu_second": {"fastest": 73430.0, "median": 73430.0}}
    line = about["lines"][0]
    assert line["times_the_anchor"]["fastest"] == pytest.approx(line["per_cpu_second"]["games"]["fastest"] / 73430)


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ here")
def test_a_source_file_is_compiled_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "classic_anchor.cpp"
    source.write_text(f'#include <cstdio>\nint main() {{ puts(R"({ANCHOR_LINES})"); }}\n')
    monkeypatch.chdir(tmp_path)
    about = document("--policy", "random", "--anchor", "classic_anchor.cpp")
    assert about["anchor"]["games_per_cpu_second"]["median"] == 73430
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ here")
def test_a_source_file_with_an_error_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "broken.cpp"
    source.write_text("int main() { nonsense }\n")
    code, said = refusal("--anchor", source)
    assert code == INVALID
    assert "g++ cannot compile it" in said
    assert "nonsense" in said


def test_a_missing_compiler_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "classic_anchor.cpp"
    source.write_text("int main() {}\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    code, said = refusal("--anchor", source)
    assert code == MISSING
    assert "g++" in said


def test_what_is_no_anchor_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("V3 splitmix")
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\necho V3 is faster\n")
    silent.chmod(0o755)
    for path, words in (
        (tmp_path / "nothing", "there is no such file"),
        (tmp_path, "this is a folder"),
        (text, "cannot be run"),
        (silent, "is no classic_anchor"),
    ):
        code, said = refusal("--anchor", path)
        assert code == INVALID
        assert words in said
        assert str(path) in said


def test_an_anchor_that_does_not_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[Any], **_: Any) -> None:
        raise subprocess.TimeoutExpired(command, 120)

    program = tmp_path / "sleeper"
    program.touch()
    monkeypatch.setattr(subprocess, "run", run)
    assert "still running" in refusal("--anchor", program)[1]


# -- arguments -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--seconds", "0"), USAGE, "--seconds 0"),
        (("--seconds", "nan"), USAGE, "--seconds nan"),
        (("--threads", "1"), USAGE, "--threads 1"),
        (("--ruleset", "hasbor"), INVALID, "did you mean hasbro?"),
        (("--policy", "randm"), INVALID, "did you mean random?"),
        (("--players", "7"), INVALID, "players"),
    ],
)
def test_nonsense_is_one_clear_line(arguments: tuple[str, ...], code: int, words: str) -> None:
    found, said = refusal(*arguments)
    assert found == code
    assert words in said
