"""``simsorry export``: stored games as CSV files that a spreadsheet opens as they are."""

import csv
import json
import re
import threading
from pathlib import Path

import pandas as pd
import pytest
from cli_tools import refused, said, simsorry_says

from simsorry import results
from simsorry.errors import USAGE
from simsorry.results import export

TABLES = ["columns.csv", "export.json", "games.csv", "seats.csv", "summary.csv"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two policies in turn, some games cut off, and a match of another game."""
    folder = tmp_path_factory.mktemp("export") / "runs"
    said("run", "hasbro+turn_cap=220", "--policy", "balanced,random,balanced,random", "--games", "40", "--out", str(folder), "--quiet")
    said("run", "sorreesi", "--games", "20", "--seed", "18446744073709551615", "--out", str(folder), "--quiet")
    return folder


def exported(runs: Path, out: Path, *arguments: str) -> dict[str, list[list[str]]]:
    """The cells of every CSV file, as the standard library reads them."""
    said("export", str(runs), "--csv", "--out", str(out), "--quiet", *arguments)
    return {path.name: list(csv.reader(path.open(encoding="utf-8", newline=""), strict=True)) for path in out.glob("*.csv")}


def test_players_stand_there_by_name(runs: Path, tmp_path: Path) -> None:
    exported(runs, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == TABLES
    games, stored = pd.read_csv(tmp_path / "out" / "games.csv"), results.read_games(runs)
    assert len(games) == 60
    assert games["turns"].tolist() == stored["turns"].tolist()
    decided = stored["winner"] != 255
    assert 0 < (~decided).sum() < 40
    assert games["winner_seat"].isna().tolist() == games["winner_color"].isna().tolist() == (~decided).tolist()
    assert games["winner_seat"][decided].tolist() == (stored["winner"][decided] + 1).tolist()
    colors = ("red", "blue", "yellow", "green")
    assert games["winner_color"][decided].tolist() == [colors[number] for number in stored["winner_color"][decided]]
    mixed = games[games["ruleset"].str.startswith("hasbro") & decided]
    assert mixed["winner_policy"].tolist() == [
        "balanced" if color in ("red", "yellow") else "random" for color in mixed["winner_color"]
    ]  # at every second seat of the table
    assert games["first_color"].tolist() == [colors[number] for number in stored["first_seat"]]


def test_seats_are_told_in_play_order(runs: Path, tmp_path: Path) -> None:
    exported(runs, tmp_path / "out")
    games, seats = (pd.read_csv(tmp_path / "out" / f"{table}.csv") for table in ("games", "seats"))
    assert len(seats) == 240
    assert seats["seat"].tolist() == [1, 2, 3, 4] * 60
    winners = seats[seats["won"] == 1].merge(games, on=["task", "game"])
    assert len(winners) == games["winner_seat"].count()
    for told, same in (("seat", "winner_seat"), ("color", "winner_color"), ("policy", "winner_policy")):
        assert winners[told].tolist() == winners[same].tolist()
    first = seats[seats["seat"] == 1].merge(games, on=["task", "game"])
    assert first["color"].tolist() == first["first_color"].tolist()


def test_a_summary_has_a_row_for_each_task(runs: Path, tmp_path: Path) -> None:
    files = exported(runs, tmp_path / "out", "--table", "summary")
    assert sorted(files) == ["columns.csv", "summary.csv"]
    table = pd.read_csv(tmp_path / "out" / "summary.csv").set_index("ruleset")
    games = results.read_games(runs)
    for task in results.tasks(runs):
        row, played = table.loc[task.description["ruleset"]["name"]], games[games["task"] == task.id]
        assert row["turns"] == pytest.approx(played["turns"].mean(), abs=1e-4)
        assert row["turns_low"] < row["turns"] < row["turns_high"]
        half = 1.96 * played["turns"].std() / len(played) ** 0.5
        assert row["turns_high"] - row["turns"] == pytest.approx(half, rel=1e-3)
        assert (row["games"], row["cut_off"]) == (len(played), played["capped"].sum())
        assert row["won_seat_2"] == pytest.approx((played["winner"] == 1).mean(), abs=1e-4)
    hasbro = table.loc["hasbro+turn_cap=220"]
    assert hasbro["policies"] == "balanced, random, balanced, random"
    assert hasbro["won_by_balanced"] > hasbro["won_by_random"]
    assert hasbro["won_by_balanced"] + hasbro["won_by_random"] == pytest.approx(1 - hasbro["cut_off"] / 40, abs=1e-4)
    assert pd.isna(table.loc["sorreesi", "won_by_random"])


def test_what_a_game_does_not_count_is_empty(runs: Path, tmp_path: Path) -> None:
    games = pd.DataFrame((rows := exported(runs, tmp_path / "out")["games.csv"])[1:], columns=rows[0])
    by_ruleset = games.groupby(games["ruleset"] == "sorreesi")
    assert by_ruleset["fights"].agg(lambda column: (column == "").all()).tolist() == [True, False]
    assert by_ruleset["slides"].agg(lambda column: (column == "").all()).tolist() == [False, True]


def test_every_column_is_explained(runs: Path, tmp_path: Path) -> None:
    files = exported(runs, tmp_path / "out")
    told = {(table, column): meaning for table, column, meaning in files["columns.csv"][1:]}
    assert all(told.values())
    for table in ("games", "seats"):
        assert [column for where, column in told if where == table] == files[f"{table}.csv"][0]
    known = {column for where, column in told if where == "summary"}
    for column in files["summary.csv"][0]:
        assert re.sub("_(low|high)$", "", column) in known or column.startswith("won_by_")
    assert told["games", "fights"] == "fights"
    assert told["games", "dead_turns"].startswith("classic: ")  # says something else of dice


def test_only_some_columns_and_games(runs: Path, tmp_path: Path) -> None:
    files = exported(runs, tmp_path / "out", "--columns", "turns,winner_color,policy", "--games", "5")
    about = ["task", "ruleset", "players", "policies", "seed"]
    assert files["games.csv"][0] == [*about, "game", "winner_color", "turns"]
    assert files["seats.csv"][0] == [*about, "game", "seat", "policy", "turns"]
    assert [row[5] for row in files["games.csv"][1:]] == ["0", "1", "2", "3", "4"] * 2
    (games,) = {row[files["summary.csv"][0].index("games")] for row in files["summary.csv"][1:]}
    assert games == "5"
    turns = [int(row[-1]) for row in files["games.csv"][1:6]]
    assert float(files["summary.csv"][1][files["summary.csv"][0].index("turns")]) == pytest.approx(sum(turns) / 5)


def test_each_task_apart(runs: Path, tmp_path: Path) -> None:
    files = exported(runs, tmp_path / "out", "--apart")
    for task in results.tasks(runs):
        rows = files[f"games-{task.id}.csv"]
        assert len(rows) == task.games + 1
        assert ("fights" in rows[0]) == (task.description["game"] == "sorreesi")
    assert "games.csv" not in files


def test_a_table_longer_than_a_sheet_is_cut(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = exported(runs, tmp_path / "whole")["seats.csv"]
    monkeypatch.setattr(export, "SHEET_ROWS", 101)
    done = simsorry_says("export", str(runs), "--out", str(tmp_path / "cut"))
    assert done.stderr == (
        "seats: 240 rows are more than a sheet can hold (101), so they are cut into several files; --games N takes the first N games "
        "of each task\n"
    )
    parts = [list(csv.reader((tmp_path / "cut" / f"seats-{at}.csv").open(newline=""))) for at in (1, 2, 3)]
    assert [len(part) for part in parts] == [101, 101, 41]
    assert [part[0] for part in parts] == [whole[0]] * 3
    assert [row for part in parts for row in part[1:]] == whole[1:]
    assert (tmp_path / "cut" / "games.csv").exists()


@pytest.mark.parametrize("name", ["=1+1", "+slides", "-1", "@sum", "1e5", "1234567890123456", "\tx"])
def test_names_do_not_become_formulas_or_numbers(name: str) -> None:
    assert export.as_text(name) == f"'{name}"


@pytest.mark.parametrize("name", ["hasbro+slides=off", "1939", "ba1c714979574aa1", "a=b", 'say "so", they'])
def test_other_names_stay(name: str) -> None:
    assert export.as_text(name) == name


def test_names_and_long_seeds_are_safe_in_the_files(runs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    (task,) = (task for task in results.tasks(runs) if task.description["game"] == "sorreesi")
    for path in (path for path in task.folder.rglob("*") if path.is_file()):
        (folder / path.relative_to(task.folder)).parent.mkdir(parents=True, exist_ok=True)
        (folder / path.relative_to(task.folder)).write_bytes(path.read_bytes())
    about = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    about["ruleset"] |= {"name": '=HYPERLINK("x"), ä', "title": "two\nlines"}
    (folder / "task.json").write_text(json.dumps(about), encoding="utf-8")
    files = exported(folder, tmp_path / "out")
    for table in ("summary", "games", "seats"):
        rows = [dict(zip(files[f"{table}.csv"][0], row, strict=True)) for row in files[f"{table}.csv"][1:]]
        assert {row["ruleset"] for row in rows} == {'\'=HYPERLINK("x"), ä'}
        assert {row["seed"] for row in rows} == {"'18446744073709551615"}  # of more digits than a spreadsheet has
    assert files["summary.csv"][1][5] == "two\nlines"


def test_of_sums_there_is_a_summary_alone(tmp_path: Path) -> None:
    runs, out = tmp_path / "runs", tmp_path / "out"
    said("run", "hasbro", "--games", "30", "--keep", "summary", "--out", str(runs), "--quiet")
    (folder,) = runs.iterdir()
    done = simsorry_says("export", str(runs), "--out", str(out))
    assert done.exit_code == 0
    assert done.stderr == f"{folder} keeps sums only (--keep summary): its summary is exported\n"
    assert pd.read_csv(out / "summary.csv")["games"].tolist() == [30]
    assert not list(out.glob("games*"))
    assert "there are no rows to export, only a summary" in refused("export", str(runs), "--table", "games", "--out", str(out))
    assert "leave --games out" in refused("export", str(runs), "--games", "10", "--out", str(out), code=USAGE)


def test_the_folder_of_a_study_is_found(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "slides").mkdir()
    (tmp_path / "slides" / "games").symlink_to(runs)
    files = exported(tmp_path / "slides", tmp_path / "out", "--table", "summary")
    assert len(files["summary.csv"]) == 3
    again = said("export", str(runs), str(tmp_path / "slides"), "--out", str(tmp_path / "out"), "--quiet")
    assert again.startswith("2 tasks\n")  # not counted twice


def test_nothing_is_replaced_but_an_earlier_export(runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "games.csv").write_text("mine")
    assert "is no export of simsorry" in refused("export", str(runs), "--out", str(out), code=USAGE)
    assert (out / "games.csv").read_text() == "mine"
    (out / "games.csv").unlink()
    exported(runs, out)
    exported(runs, out, "--table", "seats")
    assert sorted(path.name for path in out.iterdir()) == ["columns.csv", "export.json", "seats.csv"]
    (out / "notes.txt").write_text("mine")
    assert "holds notes.txt" in refused("export", str(runs), "--out", str(out), code=USAGE)
    assert "is a file" in refused("export", str(runs), "--out", str(out / "notes.txt"), code=USAGE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_stopped_nothing_is_left(runs: Path, tmp_path: Path) -> None:
    stop, told = threading.Event(), []

    def heard(games: int) -> None:
        told.append(games)
        stop.set()

    wanted = export.Wanted(results.tasks(runs))
    assert export.write(wanted, tmp_path / "out", stop=stop, on_games=heard) is None
    assert len(told) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "expected", "code"),
    [
        (["--columns", "turn"], "--columns: there is no column 'turn' in games and seats; did you mean turns?", USAGE),
        (["--columns", "turns", "--table", "summary"], "there is no column 'turns' in a summary", USAGE),
        (["--games", "0"], "--games 0: a whole number from 1", USAGE),
        (["--out", ""], "--out", USAGE),
    ],
)
def test_what_can_not_be_exported_is_said(runs: Path, tmp_path: Path, arguments: list[str], expected: str, code: int) -> None:
    assert expected in refused(
        "export", str(runs), *(["--out", str(tmp_path / "out")] if "--out" not in arguments else []), *arguments, code=code
    )


def test_a_folder_without_results_is_named(tmp_path: Path) -> None:
    assert "holds no results of simsorry" in refused("export", str(tmp_path), "--out", str(tmp_path / "out"))
