"""From a number back to what made it: the command that a report names makes the same report, and its tasks are made of what it tells.

That every report that any test writes says where it comes from is demanded in ``conftest.py``.
"""

import io
import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from cli_tools import said
from matplotlib.figure import Figure
from PIL import Image
from provenance_tools import demand

from simsorry import policies, results, rulesets
from simsorry.report import provenance
from simsorry.report.drawing import Picture
from simsorry.report.provenance import played
from simsorry.report.render import Part, Report, Section
from simsorry.simulate import Task

COMMANDS = {
    "run": "run hasbro-points --set slides=off --policy balanced,random --players 2 --games 30 --seed 7 --json --quiet --threads 2",
    "run of a file": "run ./mine.toml --policy ./me.toml,random,random,random --games 20 --json --quiet",
    "run with chances": "run hasbro --games 40 --chances --json --quiet",
    "decisions": "decisions hasbro --games 2 --players 2 --json --quiet",
    "play": "play sorreesi --game 3 --seed 5 --json --players 2",
    "compare": "compare hasbro hasbro+slides=off --games 60 --also-policy none --json --quiet --out OUT",
    "sweep": "sweep hasbro --vary slides=on,off --vary pawns=3,4 --games 60 --also-policy none --json --quiet --out OUT",
    "tournament": "tournament hasbro --players 2 --policies random,balanced --games 40 --json --quiet --out OUT",
}
SLOW = ("run with chances", "decisions")  # a gauge is fitted to thousands of games first


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a ruleset and a policy of one's own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text('extends = "hasbro"\ntitle = "Mine & \\"yours\\""\n[rules]\npawns = 3\n')
    (tmp_path / "me.toml").write_text('title = "Me"\n[weights]\nhome = 2.5\n')
    return tmp_path


def document(command: list[str], out: str) -> dict[str, Any]:
    return dict(json.loads(said(*[word.replace("OUT", out) for word in command])))


# Before the others, whose pictures are sketches.
def test_real_pictures_are_traced_back_and_still_pictures() -> None:
    def draw(figure: Figure) -> None:
        figure.subplots().plot([1, 2])

    picture = Picture("one", "A finding.", "What is drawn.", draw, 1.5)
    task = Task(rulesets.load("hasbro"), 2, policies.line_up(["random"], 2), 3)
    parts = (Part(pictures=(picture,)),)
    report = Report("Title", "9.9", "Few games.", (Section("s", "S", parts=parts),), {}, 3, 20, "simsorry run <x> & é", played([task], 20))
    files = report.files
    assert files == replace(report).files  # drawn anew, the same bytes
    with Image.open(io.BytesIO(files["figures/one.png"])) as image:
        image.load()
        told = image.text["Source"]  # type: ignore[attr-defined]
    assert told.startswith("Played by simsorry 9.9 from seed 3, by “simsorry run <x> & é”. Version of the game: classic ")
    assert task.id in told
    (description,) = ET.fromstring(files["figures/one.svg"]).iter("{http://www.w3.org/2000/svg}desc")
    assert description.text == told


@pytest.mark.usefixtures("where", "sketched")
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in COMMANDS])
def test_the_command_that_is_named_makes_the_same_numbers(name: str) -> None:
    written = shlex.split(COMMANDS[name])
    first = document(written, "one")
    demand(first, first["provenance"]["command"])
    command = shlex.split(first["provenance"]["command"])
    assert not {"--quiet", "--json", "--threads", "--out"} & set(command)
    out = ["--out", "two"] if "OUT" in written else []
    assert document([*command[1:], "--json", *(["--quiet"] if name != "play" else []), *out], "two") == first


def test_a_file_is_not_needed_to_know_what_was_played(where: Path) -> None:
    first = document(shlex.split(COMMANDS["run of a file"]), "one")
    for path in where.glob("*.toml"):
        path.unlink()
    demand(first, "simsorry run ./mine.toml --policy ./me.toml,random,random,random --games 20")
    ruleset, policy = first["provenance"]["rulesets"][0], first["provenance"]["policies"][0]
    assert (ruleset["name"], ruleset["rules"]["pawns"]) == ("./mine.toml", 3)
    assert (policy["name"], policy["weights"]) == ("./me.toml", {"home": 2.5})


def test_text_in_pictures_cannot_break_out_of_them() -> None:
    assert provenance.in_svg("<svg a='1'><g/></svg>", "</desc><script>&").startswith(
        "<svg a='1'>\n <desc>&lt;/desc&gt;&lt;script&gt;&amp;</desc>"
    )
    plain = io.BytesIO()
    Image.new("P", (3, 2)).save(plain, "PNG")
    with Image.open(io.BytesIO(provenance.in_png(plain.getvalue(), "é “x”\n" * 1000))) as image:
        image.load()
        assert image.text == {"Source": "é “x”\n" * 1000}  # type: ignore[attr-defined]


def test_many_tasks_are_told_in_short() -> None:
    tasks = [Task(rulesets.load("hasbro"), 2, policies.line_up(["random"], 2), seed) for seed in range(9)]
    told = provenance.in_short(played(tasks, 5))
    assert told.startswith("Version of the game: classic ")
    assert told.endswith("and 5 more, which the report.json of that command names.")
    assert provenance.in_short(()) == ""
    assert len(provenance.document(played([*tasks, *tasks], 5), "")["tasks"]) == 9
    assert provenance.document((), "")["command"] is None


def test_an_export_tells_what_its_tasks_are(where: Path) -> None:
    task = Task(rulesets.load("./mine.toml"), 2, policies.line_up(["./me.toml"], 2), 3)
    results.run(task, 20, out=where / "runs")
    said("export", "runs", "--out", "sheets", "--quiet")
    (told,) = json.loads((where / "sheets" / "export.json").read_text())["tasks"]
    assert told["description"] == json.loads(json.dumps(task.describe()))
