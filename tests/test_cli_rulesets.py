"""The ``rulesets`` and ``doctor`` verbs, and what the command line does for every verb: errors, exit codes, pipes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_tools import refused, said, simsorry_says

import simsorry
from simsorry import cli
from simsorry.rulesets import load, names
from simsorry.rulesets.schema import file_schema


def process(*arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run([sys.executable, "-m", "simsorry", *arguments], capture_output=True, text=True, check=False, **settings)  # type: ignore[call-overload]


# -- rulesets ---------------------------------------------------------------------------------------


def test_list_names_every_ruleset_with_its_title() -> None:
    lines = said("rulesets", "list").splitlines()
    assert [line.split()[0] for line in lines if line.startswith(" ")] == names()
    assert [line for line in lines if not line.startswith(" ")] == ["classic:", "", "sorreesi:", "", "ice:"]
    assert any(line.split(maxsplit=1) == ["house-no-slides", "No slides"] for line in lines)
    assert {"name": "french", "title": "French sheet", "game": "classic"} in json.loads(said("rulesets", "list", "--json"))


def test_list_of_one_game() -> None:
    lines = said("rulesets", "list", "--game", "sorreesi").splitlines()
    assert lines[0] == "sorreesi:"
    assert [line.split()[0] for line in lines[1:]] == names("sorreesi")
    assert {each["game"] for each in json.loads(said("rulesets", "list", "--game", "sorreesi", "--json"))} == {"sorreesi"}
    assert "no game is called 'ludo'" in refused("rulesets", "list", "--game", "ludo")


def test_show_says_source_changes_descriptions_and_readings() -> None:
    text = said("rulesets", "show", "hasbro-2013-base", "--set", "slide_after_swap=both", "--origin")
    assert "Fire and Ice" in text
    assert "pawns = 3   (default: 4)   (hasbro-2013-base.toml)" in text
    assert 'slide_after_swap = "both"   (default: "mover")   (--set)' in text
    assert "Pawns of each color." in text
    assert "44 or 45 cards, by source" in text
    assert load("hasbro-2013-base", ["slide_after_swap=both"]).hash in text


def test_show_of_the_printed_rules() -> None:
    assert "No option differs from the defaults." in said("rulesets", "show", "hasbro")


def test_show_of_an_exception_to_the_slides() -> None:
    assert 'slide_riders."red A" = ["red"]   (default: not set)' in said("rulesets", "show", "hasbro+slide_riders.red A=red")


def test_show_of_sorreesi() -> None:
    text = said("rulesets", "show", "sorreesi-parcheesi", "--set", "safe_squares=0,12", "--origin")
    assert "pawns = 4   (default: 8)   (sorreesi-parcheesi.toml)" in text
    assert "safe_squares = [0, 12]   (default: [0, 7, 12])   (--set)" in text
    resolved = " ".join(said("rulesets", "show", "sorreesi", "--resolved").replace("\n# ", " ").split())
    assert "Allowed: a list of whole numbers from 0 to 16. safe_squares = [0, 7, 12]" in resolved
    assert 'game = "sorreesi"' in resolved


def test_show_of_hands_teams_points_and_matches() -> None:
    text = said("rulesets", "show", "hasbro-teams-points", "--set", "match_end=target:200", "--set", "score_bands=[[2,30],[0,100]]")
    assert "hand_size = 5   (default: 0)" in text
    assert 'team_pairs = [["red", "yellow"], ["blue", "green"]]   (default: [])' in text
    assert "score_bands = [[2, 30], [0, 100]]   (default: [[2, 25], [1, 50], [0, 100]])" in text
    assert 'match_end = "target:200"   (default: "single_round")' in text
    assert "(`match_end=target:500`)" not in text, "settled by the house rule"


def test_what_an_option_may_be_is_said_in_words() -> None:
    text = " ".join(said("rulesets", "show", "hasbro", "--resolved").replace("\n# ", " ").split())
    assert 'Allowed: "single_round", rounds:N (1 to 999) or target:T (1 to 9999). match_end' in text
    assert (
        'Allowed: "opposite" or a list of pairs of "red", "blue", "yellow" or "green", such as [["red", "yellow"], ["blue", "green"]].'
        in text
    )
    assert (
        "a list of pairs of a whole number from 0 to 24 and a whole number from 0 to 1000 (at most 4), such as [[2, 25], [0, 100]]." in text
    )
    assert "[0-9]" not in text


@pytest.mark.parametrize(
    "spec",
    [
        *names(),
        "hasbro+slide_riders.red A=red,blue+deck_counts=deck_55+deck_counts.7=0",
        "hasbro-teams-points+team_pairs=[[red,blue],[green,yellow]]+score_bands=[]+match_end=rounds:3",
        "sorreesi-teams+safe_squares=3+deck_counts=deck_55+start_cards=5",
    ],
)
def test_the_resolved_file_is_the_same_ruleset(tmp_path: Path, spec: str) -> None:
    again = tmp_path / "again.toml"
    again.write_text(said("rulesets", "show", spec, "--resolved", "--origin"), encoding="utf-8")
    one, other = load(spec), load(str(again))
    assert other.rules == one.rules
    assert (other.hash, other.title, other.source, other.readings) == (one.hash, one.title, one.source, one.readings)
    assert set(other.resolved()) == set(one.resolved())


def test_origin_names_the_file_that_set_each_option() -> None:
    text = said("rulesets", "show", "parker-1934", "--set", "slides=off", "--resolved", "--origin").splitlines()
    assert "1 = 5 # parker-1934.toml" in text
    assert "2 = 4 # parker-1939.toml" in text
    assert 'slides = "off" # --set' in text
    assert "pawns = 4 # default" in text


def test_show_as_json_holds_everything() -> None:
    document = json.loads(said("rulesets", "show", "french", "--set", "pawns=3", "--json"))
    ruleset = load("french+pawns=3")
    assert document["hash"] == ruleset.hash
    assert document["rules"] == ruleset.resolved()
    assert document["changes"] == {"pawns": 3, "game_end": "full_ranking"}
    assert document["origin"] == {"pawns": "--set", "game_end": "french.toml"}
    assert document["readings"] == list(ruleset.readings)


def test_diff_shows_both_values() -> None:
    text = said("rulesets", "diff", "hasbro", "house-no-slides")
    assert text.splitlines()[:3] == ["slides", '  hasbro           "all_but_own"', '  house-no-slides  "off"']
    assert "Which slides a pawn rides" in text
    assert said("rulesets", "diff", "hasbro", "hasbro-2024") == "no option differs\n"
    teams = said("rulesets", "diff", "hasbro", "hasbro-teams").splitlines()
    assert teams[0] == "seven_parts"
    assert '  hasbro-teams  [["red", "yellow"], ["blue", "green"]]' in teams
    assert json.loads(said("rulesets", "diff", "hasbro", "parker-1939", "--json"))[0] == {
        "option": "deck_counts.1",
        "values": {"first": 5, "second": 4},
    }


def test_check_goes_through_all_files_and_fails_if_one_is_wrong(tmp_path: Path) -> None:
    right, wrong, gone = tmp_path / "right.toml", tmp_path / "wrong.toml", tmp_path / "gone.toml"
    right.write_text('extends = "hasbro"\n')
    wrong.write_text("[rules]\nslides = 'of'\n")
    assert said("rulesets", "check", str(right)) == f"{right}: ok (right)\n"
    result = simsorry_says("rulesets", "check", str(wrong), str(gone), str(right))
    assert result.exit_code == 4
    assert result.stdout == f"{right}: ok (right)\n"
    first, second = result.stderr.splitlines()
    assert first.startswith(f"simsorry: {wrong}: rules.slides = ")
    assert second == f"simsorry: {gone}: there is no such file"


def test_schema_prints_the_stored_schema() -> None:
    assert json.loads(said("rulesets", "schema")) == file_schema()
    assert json.loads(said("rulesets", "schema", "--game", "sorreesi")) == file_schema("sorreesi")
    assert "no game is called 'ludo'" in refused("rulesets", "schema", "--game", "ludo")


def test_a_wrong_name_is_one_line_and_exit_code_4() -> None:
    assert refused("rulesets", "show", "hasbo").endswith("did you mean hasbro?")
    assert "slides" in refused("rulesets", "show", "hasbro", "--set", "slides=of")
    assert refused("rulesets", "show", "hasbro", "--set", "team_pairs=oposite").endswith("did you mean opposite?")
    assert "means nothing without a hand" in refused("rulesets", "diff", "hasbro", "hasbro+dead_hand=random")
    assert "hasbo" in refused("rulesets", "diff", "hasbro", "hasbo")
    assert "only rulesets of the same game can be compared" in refused("rulesets", "diff", "hasbro", "sorreesi")


# -- doctor -----------------------------------------------------------------------------------------


def test_doctor_tells_versions_cores_and_the_cache() -> None:
    facts = json.loads(said("doctor", "--json"))
    assert facts["simsorry"] == simsorry.__version__
    assert facts["python"] == ".".join(map(str, sys.version_info[:3]))
    assert facts["cores"] == len(os.sched_getaffinity(0))
    assert {"numba", "numpy", "pandas", "pyarrow", "cache folder", "cache writable"} <= facts.keys()
    assert "cache folder" in said("doctor")


def test_doctor_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simsorry.cli.doctor._version", lambda package: None if package == "pyarrow" else "1")
    result = simsorry_says("doctor")
    assert result.exit_code == 69
    assert "pyarrow" in result.stderr
    assert "not installed" in result.stdout


# -- every verb -------------------------------------------------------------------------------------


def test_version_and_help() -> None:
    assert said("--version") == f"simsorry {simsorry.__version__}\n"
    text = said("-h")
    assert "rulesets" in text
    assert "130 interrupted" in " ".join(text.split())


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["rulesets", "nonsense"], ["rulesets", "show"], ["rulesets", "show", "hasbro", "--nonsense"]]
)
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    assert simsorry_says(*arguments).exit_code == 2


def test_every_verb_has_help() -> None:
    for verb in sorted(path.stem for path in Path(cli.__file__).parent.glob("[!_]*.py")):
        assert "Usage" in said(verb, "--help")


def test_a_traceback_only_with_debug() -> None:
    plain, debug = process("rulesets", "show", "hasbo"), process("--debug", "rulesets", "show", "hasbo")
    assert plain.returncode == debug.returncode == 4
    assert plain.stderr.splitlines() == [plain.stderr.strip()]
    assert "Traceback" in debug.stderr


def test_the_unforeseen_is_one_line_too() -> None:
    script = "import simsorry.rulesets as r, simsorry.cli as c\ndef titles(game): raise {}\nr.titles = titles\nc.main()"
    for error, words in [("ZeroDivisionError('why')", "internal error: ZeroDivisionError: why"), ("MemoryError", "not enough memory")]:
        done = subprocess.run([sys.executable, "-c", script.format(error), "rulesets", "list"], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith(f"simsorry: {words}")
        assert len(done.stderr.splitlines()) == 1


def test_interrupting_is_exit_code_130() -> None:
    script = "import simsorry.rulesets as r, simsorry.cli as c\ndef titles(game): raise KeyboardInterrupt\nr.titles = titles\nc.main()"
    done = subprocess.run([sys.executable, "-c", script, "rulesets", "list"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m simsorry rulesets schema | head -c 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("{", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
def test_a_full_disk_is_said() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "simsorry", "rulesets", "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr.startswith("simsorry: ")
    assert "No space left" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_a_terminal_can_not_write_is_escaped(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("title = 'Łuk'\n", encoding="utf-8")
    done = process(
        "rulesets",
        "show",
        "./mine.toml",
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    assert "\\u0141" in done.stdout


def test_names_are_completed() -> None:
    from simsorry.cli.rulesets import complete_ruleset

    assert complete_ruleset("hasbro-2") == ["hasbro-2013-base", "hasbro-2024"]
