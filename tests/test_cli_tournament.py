"""The command that holds a tournament: its sentences, its report, its document, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli_tools import refused, said, simsorry_says

from simsorry import tournament
from simsorry.errors import INTERRUPTED
from simsorry.report import tournament as report

ASKED = ("tournament", "hasbro", "--players", "2", "--policies", "random,balanced,balanced~mistakes=0.5", "--games", "30")


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A report, and what the command said."""
    out = tmp_path_factory.mktemp("tournament") / "report"
    return out, said(*ASKED, "--out", str(out), "-q")


def test_the_command_says_what_it_found(held: tuple[Path, str]) -> None:
    out, text = held
    words = " ".join(text.split())
    assert words.startswith("Under “Hasbro 1998-2005” balanced is the strongest of three policies, ")
    assert "Head to head balanced wins " in words
    assert "There is a policy that beats every other: balanced." in words
    assert "Games are longest where all play random" in words
    assert "270 games." in words
    assert text.endswith(f"report: {out / 'report.html'}\n")


def test_the_report_is_whole(held: tuple[Path, str]) -> None:
    out, _ = held
    assert sorted(path.name for path in (out / "figures").iterdir()) == ["ladder.png", "ladder.svg", "payoff.png", "payoff.svg"]
    html, markdown = ((out / name).read_text(encoding="utf-8") for name in ("report.html", "report.md"))
    for text in ("The ladder", "Who beats whom", "How long games take", "alpha-Rank", "elo_span", "degrees of freedom", "in 9 seatings"):
        assert text in html
        assert text.replace("_", "\\_") in markdown


def test_the_document_has_every_number(held: tuple[Path, str]) -> None:
    out, _ = held
    document = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert document["format"] == report.FORMAT
    assert document["games"] == 9 * 30
    assert document["zero"] == ["random"]
    assert list(document["elo"]) == ["balanced", "balanced~mistakes=0.5", "random"]
    assert document["elo"]["random"] == {"value": 0, "low": 0, "high": 0, "games": 270, "unit": "Elo"}
    assert document["elo_span"]["value"] == pytest.approx(document["elo"]["balanced"]["value"])
    assert document["champion"] == "balanced"
    assert document["cycles"] == []
    assert len(document["seats"]) == 2
    assert len(document["line_ups"]) == 6
    shares = {(each["one"], each["others"]): each["won"]["value"] for each in document["payoff"]}
    assert len(shares) == 6
    for (one, other), share in shares.items():
        assert share + shares[other, one] == pytest.approx(1)
    assert sum(each["value"] for each in document["alpha_rank"].values()) == pytest.approx(1)
    for each in (*document["elo"].values(), document["elo_span"], document["elo_sd"], *document["alpha_rank"].values()):
        assert each["low"] <= each["value"] <= each["high"]
        assert each["games"] > 0


def test_a_report_can_be_replaced_and_printed(held: tuple[Path, str]) -> None:
    out, _ = held
    before = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert json.loads(said(*ASKED, "--out", str(out), "-q", "--json", "--threads", "1")) == before


def test_teams_and_what_is_said_first(tmp_path: Path) -> None:
    asked = ("tournament", "hasbro-teams", "--policies", "balanced,racer", "--games", "20", "--out", str(tmp_path / "report"), "--json")
    result = simsorry_says(*asked)
    assert result.exit_code == 0, result.output
    assert "2 policies in 3 line-ups, 4 seatings, of 20 game numbers: 80 games\n" in result.stderr
    document: dict[str, Any] = json.loads(result.stdout)
    assert document["sides"] == [[0, 2], [1, 3]]
    assert document["zero"] == ["balanced", "racer"]
    assert document["elo"]["balanced"]["value"] == pytest.approx(-document["elo"]["racer"]["value"])
    assert document["fair_share"] == 0.5


def test_stopping_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "play", lambda *_, **__: None)
    line = refused(*ASKED, "-q", "--out", str(tmp_path / "report"), code=INTERRUPTED)
    assert "stopped after 0 of 270 games; no report was written" in line
    assert not (tmp_path / "report").exists()


@pytest.mark.parametrize(
    ("arguments", "told", "code"),
    [
        (("--policies", "balanced"), "--policies balanced: two policies at least are needed", 2),
        (("--policies", "balanced,random,balanced"), "--policies names 'balanced' twice", 2),
        (("--policies", "balanced,randm"), "did you mean random?", 4),
        (("--games", "5"), "--games 5: a whole number from 20", 2),
        (("--players", "7"), "7", 4),
        (("--out", ""), "--out is empty", 2),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(tmp_path: Path, arguments: tuple[str, ...], told: str, code: int) -> None:
    assert told in refused("tournament", "hasbro", "--out", str(tmp_path / "report"), *arguments, code=code)
    assert not (tmp_path / "report").exists()
