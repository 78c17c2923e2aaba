"""What all tests share."""

from collections.abc import Iterator

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write recorded playthroughs anew instead of comparing with them")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether recordings are to be written anew."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(scope="module")
def sketched() -> Iterator[None]:
    """All pictures of a file's reports are sketches."""
    from sketches import sketch

    from simsorry.report import drawing

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing.Picture, "files", sketch)
        yield
