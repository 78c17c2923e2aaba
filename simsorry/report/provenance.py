"""Where the numbers of a report come from: what makes it again, and every game that was played for it, whatever kind of report it is.

All of it stands in ``report.json`` under ``provenance``, in short at the foot of the page and of the Markdown, and in each picture's file.
It holds nothing of the machine or the time, so that the same question gives the same bytes.
"""

import re
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any
from zlib import crc32

from simsorry import __version__
from simsorry.policies import Policy
from simsorry.simulate import FORMAT, Task

Description = Mapping[str, Any]

_TOLD = 4  # task ids that are told where there is little room
_PNG_HEAD = 33  # bytes of a PNG up to the end of its header


@dataclass(frozen=True)
class Played:
    """A task, as it describes itself, and how many of its games were played."""

    about: Description
    games: int


def played(tasks: Iterable[Task], games: int) -> tuple[Played, ...]:
    """Tasks of which equally many games were played."""
    return tuple(Played(task.describe(), games) for task in tasks)


def document(tasks: Iterable[Played], command: str) -> dict[str, Any]:
    """All of it as plain data: each ruleset with every option, each policy with its weights, and each task with what it is made of."""
    rulesets: dict[str, Any] = {}
    policies: dict[str, Any] = {}
    rows: dict[str, Any] = {}
    for each in tasks:
        about, ruleset = each.about, each.about["ruleset"]
        told = {"game": about["game"], "game_version": about["version"], **ruleset}
        rulesets.setdefault(ruleset["hash"], told)
        named = [(_hash(policy), policy) for policy in about["policies"]]
        for digest, policy in named:
            policies.setdefault(digest, {"hash": digest, **policy})
        rows.setdefault(about["id"], _row(each, [digest for digest, _ in named]))
    return {
        "simsorry": __version__,
        "command": command or None,
        "results_format": FORMAT,
        "rulesets": list(rulesets.values()),
        "policies": list(policies.values()),
        "tasks": list(rows.values()),
    }


def _hash(policy: Mapping[str, Any]) -> str:
    return Policy(policy["name"], policy["title"], "", dict(policy["weights"])).hash


def _row(each: Played, policies: list[str]) -> dict[str, Any]:
    about = each.about
    gauge = about.get("gauge")
    return {
        "id": about["id"],
        "ruleset": about["ruleset"]["hash"],
        "players": about["players"],
        "seat_colors": about["seat_colors"],
        "policies": policies,
        "seed": about["seed"],
        "games": each.games,
        **({"gauge": {"weights": gauge["weights"], "order": gauge["order"]}} if gauge else {}),
    }


def in_short(tasks: Iterable[Played]) -> str:
    """A sentence on the tasks; empty where none are known."""
    abouts = {each.about["id"]: each.about for each in tasks}
    if not abouts:
        return ""
    versions = sorted({f"{about['game']} {about['version']}" for about in abouts.values()})
    ids = [f"{name} (rules {about['ruleset']['hash']})" for name, about in abouts.items()]
    more = f" and {len(ids) - _TOLD:,} more, which the report.json of that command names" if len(ids) > _TOLD else ""
    return f"Version of the game: {', '.join(versions)}. {'Tasks' if len(ids) > 1 else 'Task'}: {', '.join(ids[:_TOLD])}{more}."


# -- in the files of pictures ------------------------------------------------------------------------


def in_svg(svg: str, text: str) -> str:
    """A picture that says where it comes from, to who looks into its file."""
    return re.sub(r"(<svg\b[^>]*>)", lambda match: f"{match[0]}\n <desc>{escape(text)}</desc>", svg, count=1)


def in_png(png: bytes, text: str) -> bytes:
    """Likewise pixels: as international text behind the header, under the keyword that the PNG standard has for it."""
    content = b"iTXtSource\0\0\0\0\0" + text.encode()
    chunk = struct.pack(">I", len(content) - 4) + content + struct.pack(">I", crc32(content))
    return png[:_PNG_HEAD] + chunk + png[_PNG_HEAD:]
