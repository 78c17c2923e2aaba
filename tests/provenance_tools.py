"""What every report must tell of where its numbers come from, whichever verb or test made it."""

import json
import shlex
from pathlib import Path
from typing import Any

from simsorry import __version__
from simsorry.games.weights import ASKS
from simsorry.results import Stored, rebuild
from simsorry.simulate import FORMAT

_REBUILT = 5  # tasks of a report that are made again


def demand(document: dict[str, Any], command: str) -> None:
    """Fails unless a document says all that it takes to play its games again."""
    told = document["provenance"]
    assert told["simsorry"] == __version__
    assert told["results_format"] == FORMAT
    assert shlex.split(told["command"])[:1] == ["simsorry"]
    assert told["command"] == command
    assert told["tasks"], "no task is named"
    for task in told["tasks"][:_REBUILT]:
        described = description(told, task)
        if not any(ASKS in policy["weights"] for policy in described["policies"]):
            assert rebuild(Stored(task["id"], Path(), described, "rows", {}, {})).id == task["id"]


def description(told: dict[str, Any], task: dict[str, Any]) -> dict[str, Any]:
    """A task as its own description has it, put together again from what a report tells."""
    ruleset = next(dict(each) for each in told["rulesets"] if each["hash"] == task["ruleset"])
    policies = {each["hash"]: each for each in told["policies"]}
    return {
        "id": task["id"],
        "format": told["results_format"],
        "game": ruleset.pop("game"),
        "version": ruleset.pop("game_version"),
        "ruleset": ruleset,
        "players": task["players"],
        "seat_colors": task["seat_colors"],
        "policies": [policies[digest] for digest in task["policies"]],
        "seed": task["seed"],
        **({"gauge": {**task["gauge"], "check": None}} if "gauge" in task else {}),
    }


def demand_of_files(folder: Path) -> None:
    """Fails unless the files of a report say it, too: those for people in short, the document in full."""
    document = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    told = document["provenance"]
    demand(document, told["command"])
    ids = [task["id"] for task in told["tasks"]]
    for name in ("report.html", "report.md"):
        text = (folder / name).read_text(encoding="utf-8")
        for said in (f"simsorry {__version__}", "from seed ", "by “simsorry ", "Version of the game: ", ids[0]):
            assert said in text, f"{name} does not say {said!r}"
    for path in folder.glob("figures/*.svg"):
        assert f"<desc>Played by simsorry {__version__} from seed " in path.read_text(encoding="utf-8")
        assert ids[0] in path.read_text(encoding="utf-8")
    for path in folder.glob("figures/*.png"):
        assert f"Played by simsorry {__version__}".encode() in path.read_bytes()
