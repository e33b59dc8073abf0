"""Settings of all tests."""

from collections.abc import Iterator
from functools import cache

import pytest
from httpx import create_ssl_context
from hypothesis import HealthCheck, settings

from tests.patience import give_httpx_time
from tests.second_tries import pytest_runtest_protocol, pytest_terminal_summary  # noqa: F401

# A loaded machine must not make an honest test fail.
settings.register_profile("bullpen", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("bullpen")
give_httpx_time()

# Begun last, one of these would be waited for by all the other processes.
LONG = (
    "tests/test_package.py",
    "tests/faults/test_faults.py",
    "tests/server/test_hostile.py",
    "tests/test_ray.py",
    "tests/server/test_many_tables.py",
    "tests/server/test_proxies.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


@pytest.fixture(scope="session", autouse=True)
def certificates_are_read_once() -> Iterator[None]:
    """Else httpx reads them for every request, which takes 50 ms; and the servers here need none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._transports.default.create_ssl_context", cache(create_ssl_context))
        yield
