"""The kernel's followers of a round in plain Python, for made-up rounds: run with NUMBA_DISABLE_JIT, rounds in and numbers out as JSON."""

import json
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np

from simsorry.games import audit, audited, course
from simsorry.games.columns import CHECKPOINTS, MEASURED

U = np.uint64
NOBODY = U(255)


def rules(players: int, way: int, team: bool) -> Any:
    """What the followers look at: everybody in the seat of the color of the same number, partners opposite each other."""
    seats = np.arange(4, dtype=np.uint8)
    return SimpleNamespace(
        players=U(players), team=U(team), full_way=U(way), gauge=U(0), seat_color=seats, color_seat=seats, partner=np.full(4, 2, np.uint8)
    )  # fmt: skip


def scratch() -> Any:
    found = SimpleNamespace(
        leader=NOBODY,
        lead_changes=0,
        winner=NOBODY,
        first_seat=U(0),
        turns=U(0),
        leads_known=U(0),
        rival=np.zeros(4, np.uint64),
        lead_before=np.zeros(4, np.int64),
        counts=np.zeros(audited.SIZE, np.int64),
    )
    for name in ("togo", "home", "start", "safe"):
        setattr(found, f"stock_{name}", np.zeros(4, np.int32))
    for name, kind, *shape in course.SCRATCH_FIELDS:
        setattr(found, name, np.zeros(shape[0], kind) if shape else kind(0))
    for name in ("pips_left", "pawns_home"):
        setattr(found, name, np.zeros(4, np.int32))
    return found


def follow(told: dict[str, Any]) -> dict[str, Any]:
    """A round: ``togo`` of everybody by round end, ``winner`` (none: nobody), ``way`` and whether in teams; what is noted of it."""
    players = len(told["togo"][0]) if told["togo"] else told["players"]
    r, x = rules(players, told["way"], told.get("team", False)), scratch()
    course.clear_course(x)
    for togo in told["togo"]:
        x.stock_togo[:players] = togo
        course.note_round(r, x)
        audit.note_leads(r, x)
    x.winner = NOBODY if told["winner"] is None else U(told["winner"])
    course.note_finish(r, x)
    ranks = [[int(x.rank[4 * k + seat]) for seat in range(players)] for k in range(len(CHECKPOINTS))]
    return {
        "round_ends": int(x.round_ends_to_win),
        "lead_changes": int(x.lead_changes),
        **{name: int(x.walked[k]) for k, name in enumerate(MEASURED)},
        "ranks": ranks,
        "leads": audited.section(x.counts, "leads").tolist(),
    }


if __name__ == "__main__":
    with np.errstate(over="ignore"):
        print(json.dumps([follow(told) for told in json.load(sys.stdin)]))
