"""The ``run`` script, in a folder of its own and with an interpreter that only pretends to install."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Answers questions like Python; "makes" a venv whose interpreter is this same script, and "installs" a command called tool.
FAKE = """#!/bin/sh
log() {{ echo "$*" >>"{folder}/log"; }}
case "$*" in
    *'-m venv'*) log venv; rm -rf "{home}/.venv"; mkdir -p "{home}/.venv/bin"; cp "$0" "{home}/.venv/bin/python"
        echo "#!{home}/.venv/bin/python" >"{home}/.venv/bin/pip" ;;
    *'-m pip'*) log pip; sleep 0.2; [ ! -e "{folder}/offline" ] || exit 1
        printf '#!/bin/sh\\necho tool "$@"\\n' >"{home}/.venv/bin/tool"; chmod +x "{home}/.venv/bin/tool" ;;
    *) exec {python} "$@" ;;
esac
"""


class Project:
    """A copy of the script with what it reads beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, folder / "a project"
        self.home.mkdir()
        for name in ("run", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, self.home / name)
        self.python = folder / "python"
        self.python.write_text(FAKE.format(folder=folder, home=self.home, python=sys.executable))
        self.python.chmod(0o755)

    def start(self, *arguments: str, shell: str = "sh", **environment: str) -> subprocess.Popen[str]:
        """One call, from another folder."""
        return subprocess.Popen(
            [shell, str(self.home / "run"), *arguments],
            env={**os.environ, "PYTHON": str(self.python), **environment},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **settings: str) -> tuple[int, str, str]:
        process = self.start(*arguments, **settings)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def log(self) -> list[str]:
        """What was done since the last look."""
        file = self.folder / "log"
        lines = file.read_text().split() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.mark.parametrize("shell", ["dash", "bash", "sh"])
def test_the_first_call_sets_up_and_the_next_does_not(project: Project, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    assert project.run("tool", "a b", "c", shell=shell)[:2] == (0, "tool a b c\n")
    assert project.log() == ["venv", "pip"]
    assert project.run("tool", shell=shell) == (0, "tool\n", "")
    assert project.log() == []


def test_calls_at_the_same_time_set_up_once(project: Project) -> None:
    calls = [project.start("tool", str(number)) for number in range(4)]
    assert [call.communicate(timeout=60)[0] for call in calls] == [f"tool {number}\n" for number in range(4)]
    assert project.log() == ["venv", "pip"]


def test_a_change_of_what_is_needed_installs_into_the_same_venv(project: Project) -> None:
    project.run("tool")
    project.log()
    with (project.home / "constraints.txt").open("a") as file:
        file.write("\n")
    assert project.run("tool")[0] == 0
    assert project.log() == ["pip"]


def test_a_half_made_venv_is_made_anew(project: Project) -> None:
    (project.folder / "offline").touch()
    code, out, err = project.run("tool")
    assert (code, out) == (69, "")
    assert "pip could not install" in err
    project.log()
    (project.folder / "offline").unlink()
    assert project.run("tool")[0] == 0
    assert project.log() == ["venv", "pip"]


def test_a_whole_venv_that_somebody_else_made_is_kept(project: Project) -> None:
    project.run("tool")
    project.log()
    for stamp in (project.home / ".venv").glob("ready-*"):
        stamp.unlink()
    assert project.run("tool")[0] == 0
    assert project.log() == ["pip"]


def test_a_venv_that_was_moved_here_is_made_anew(project: Project) -> None:
    project.run("tool")
    project.log()
    (project.home / ".venv" / "bin" / "pip").write_text("#!/elsewhere/.venv/bin/python\n")
    with (project.home / "constraints.txt").open("a") as file:
        file.write("\n")
    assert project.run("tool")[0] == 0
    assert project.log() == ["venv", "pip"]


def test_an_interpreter_that_does_not_fit_is_refused(project: Project) -> None:
    code, _, err = project.run("tool", PYTHON="/bin/false")
    assert code == 69
    assert err == "run: simsorry needs Python 3.11 to 3.14, and PYTHON=/bin/false is not one\n"
    assert not (project.home / ".venv").exists()


def test_wrong_usage_is_said(project: Project) -> None:
    assert project.run()[0] == 2
    code, out, err = project.run("nonsense")
    assert (code, out) == (127, "")
    assert "no command nonsense" in err


def test_the_lock_names_no_place() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert lines
    assert not [line for line in lines if "==" not in line or "/" in line or "#" in line]
