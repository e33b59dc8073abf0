"""One server for all tests that do not harm it."""

from collections.abc import Iterator

import pytest

from tests.server.running import Served, served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server")) as running:
        yield running
        log = running.log.read_text()
    assert "Traceback" not in log, log


@pytest.fixture(scope="session")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that lets a socket say as much as it likes."""
    with served(tmp_path_factory.mktemp("patient"), BULLPEN_MESSAGES="1000000") as running:
        yield running
        log = running.log.read_text()
    assert "Traceback" not in log, log
