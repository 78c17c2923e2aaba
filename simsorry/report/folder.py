"""Writing the folder of a report or a gallery: it appears whole or not at all, and never replaces anything but an earlier one."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from simsorry.errors import FAILURE, SimsorryError
from simsorry.report.study import FORMAT
from simsorry.results.folders import making, tidy


@dataclass(frozen=True)
class Kind:
    """What is written: how an earlier one is told from other folders, and what in it is no part of it."""

    name: str
    is_one: Callable[[Path], bool]
    foreign: Callable[[Path], str | None]


def check(folder: Path, kind: Kind | None = None) -> None:
    """Raises SimsorryError if a report (or another kind) could not be written to ``folder``; called before any game is played."""
    kind = kind or REPORT
    try:
        tidy(folder)
        _check_there(folder, kind)
        parent = _existing(folder.absolute().parent)
        writable = parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)
    except OSError as error:
        raise SimsorryError(f"--out {folder} cannot be used: {(error.strerror or str(error)).lower()}") from error
    if not writable:
        raise SimsorryError(f"--out {folder} cannot be made: nothing can be written to {parent}")


def _check_there(folder: Path, kind: Kind) -> None:
    """Refuses what may not be replaced."""
    if not (folder.is_symlink() or folder.exists()):
        return
    if not folder.is_dir():
        raise SimsorryError(f"--out {folder} is a file; a {kind.name} is a folder")
    if any(folder.iterdir()) and not kind.is_one(folder):
        raise SimsorryError(f"--out {folder} exists and is not a {kind.name} of simsorry: choose another folder, or remove it yourself")
    if foreign := kind.foreign(folder):
        raise SimsorryError(
            f"--out {folder} holds {foreign}, which is no part of the {kind.name} there: move it away, or choose another folder"
        )


def _existing(folder: Path) -> Path:
    """The nearest ancestor that exists."""
    while not folder.exists():
        folder = folder.parent
    return folder


def _is_report(folder: Path) -> bool:
    try:
        found = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and str(found.get("format", "")).startswith(FORMAT.rpartition(" ")[0])


def _foreign(folder: Path) -> str | None:
    """Something in a report's folder that no report writes, and that replacing the report would take away."""
    for path in sorted(folder.iterdir()):
        if path.name == "figures" and path.is_dir() and not path.is_symlink():
            strange = [each for each in path.iterdir() if each.suffix not in (".svg", ".png") or not each.is_file()]
            if strange:
                return f"figures/{strange[0].name}"
        elif path.name not in ("report.html", "report.md", "report.json"):
            return path.name
    return None


REPORT = Kind("report", _is_report, _foreign)


def write(files: Mapping[str, bytes], folder: Path, kind: Kind = REPORT) -> None:
    """Writes all files, by their paths inside, beside the target and then renames the folder into place.

    Raises SimsorryError if the target is not free or the disk refuses; then nothing is left behind.
    """
    check(folder, kind)
    with making(folder, FAILURE) as made:
        for name, content in files.items():
            path = made.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        _check_there(folder, kind)
        made.put()
