"""Writing the folder of a report or a gallery: it appears whole or not at all, and never replaces anything but an earlier one."""

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from simsorry.errors import FAILURE, SimsorryError
from simsorry.report.study import FORMAT
from simsorry.results.files import replace_folder


@dataclass(frozen=True)
class Kind:
    """What is written: how an earlier one is told from other folders, and what in it is no part of it."""

    name: str
    is_one: Callable[[Path], bool]
    foreign: Callable[[Path], str | None]


def check(folder: Path, kind: Kind | None = None) -> None:
    """Raises SimsorryError if a report (or another kind) could not be written to ``folder``; called before any game is played."""
    kind = kind or REPORT
    if folder.is_symlink() or folder.exists():
        if not folder.is_dir():
            raise SimsorryError(f"--out {folder} is a file; a {kind.name} is a folder")
        if any(folder.iterdir()) and not kind.is_one(folder):
            raise SimsorryError(f"--out {folder} exists and is not a {kind.name} of simsorry: choose another folder, or remove it yourself")
        if foreign := kind.foreign(folder):
            raise SimsorryError(
                f"--out {folder} holds {foreign}, which is no part of the {kind.name} there: move it away, or choose another folder"
            )
    parent = _existing(folder.absolute().parent)
    try:
        Path(tempfile.mkdtemp(prefix=".simsorry.", dir=parent)).rmdir()
    except OSError as error:
        raise SimsorryError(f"--out {folder} cannot be made: nothing can be written to {parent} ({error.strerror or error})") from error


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
    folder = folder.resolve()  # a link to a report stays a link
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    except OSError as error:
        raise SimsorryError(f"the {kind.name} could not be written to {folder}: {error.strerror or error}", FAILURE) from error
    try:
        for name, content in files.items():
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        replace_folder(made, folder)
    except OSError as error:
        raise SimsorryError(f"the {kind.name} could not be written to {folder}: {error.strerror or error}", FAILURE) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
