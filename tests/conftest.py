"""What all tests share."""

from collections.abc import Iterator
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write recorded playthroughs anew instead of comparing with them")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether recordings are to be written anew."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(scope="session", autouse=True)
def _reports_say_where_they_come_from() -> Iterator[None]:
    """Of every report that any verb writes in any test it is demanded that its numbers can be traced back."""
    from provenance_tools import demand_of_files

    from simsorry.cli import _files

    give = _files.give_report

    def give_and_look(report: Any, target: Any, *rest: Any) -> None:
        give(report, target, *rest)
        demand_of_files(target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_files, "give_report", give_and_look)
        yield


@pytest.fixture(scope="module")
def sketched() -> Iterator[None]:
    """All pictures of a file's reports are sketches."""
    from sketches import sketch

    from simsorry.report import drawing

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing.Picture, "files", sketch)
        yield
