"""A new store for each test, on SQLite and on PostgreSQL."""

from pathlib import Path

import pytest

from tests.postgres import postgres, postgres_url

__all__ = ["postgres", "postgres_url", "url"]


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/store.db"
    found: str = request.getfixturevalue("postgres_url")
    return found
