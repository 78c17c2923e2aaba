"""All tests of hostile input with many examples, others every time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


@pytest.mark.slow
@pytest.mark.parametrize(("part", "examples"), [("files", 300), ("commands", 300), ("results", 60)])
def test_many_more_are_taken_or_refused(part: str, examples: int) -> None:
    """What fails is named with its example, and once it is mended belongs beside the others as an ``@example``."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-k", "any or damaged", str(FOLDER / f"test_hostile_{part}.py")],
        env={**os.environ, "SIMSORRY_HOSTILE_EXAMPLES": str(examples)},
        cwd=FOLDER.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8_000:]
