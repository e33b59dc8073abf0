"""A real browser at a real server: the fixtures of all tests of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from scripts import browser, web
from tests.e2e.table import BROWSER_FLAGS, Visit
from tests.patience import MS
from tests.server.running import Served, served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With the built client, and with a store of its own."""
    assert (web.BUILT / "index.html").is_file(), (
        "the table in the browser is not built: run `make web`"
    )
    settings = {
        "BULLPEN_MESSAGES": "1000000",
        "BULLPEN_OPEN_SECONDS": "60",
    }  # browsers may be slow here
    with served(tmp_path_factory.mktemp("e2e"), **settings) as running:
        yield running
        log = running.log.read_text()
    assert "Traceback" not in log, log


expect.set_options(timeout=MS)  # a slow machine is no fault of the page


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser that is there, else the one that Playwright has fetched; without one the tests fail."""
    found = browser.find()
    assert found, browser.MISSING
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=found, headless=True, args=BROWSER_FLAGS, timeout=MS
        )
        yield running
        running.close()


@pytest.fixture
def visit(chromium: Browser, server: Served, tmp_path: Path) -> Iterator[Visit]:
    """Opens pages as devices of their own; at the end no page may have complained."""
    made: list[tuple[BrowserContext, Page, list[str]]] = []
    visit = Visit(chromium, server.url, made)
    yield visit
    complaints = [
        line
        for _, _, lines in made
        for line in lines
        if not any(words in line for words in visit.pardoned)
    ]
    for context, _, _ in made:
        context.close()
    assert not complaints, complaints
