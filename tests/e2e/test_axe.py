"""The pages around the play, judged by axe: in both languages, in several themes, on phone and desktop."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.finished import finished
from tests.e2e.table import DESKTOP, PHONE, Visit
from tests.e2e.test_accessible import faults
from tests.server.running import Served, people, started_table

pytestmark = pytest.mark.e2e

LOOKS = [
    ("en", "meadow", PHONE),
    ("pl", "contrast", DESKTOP),
    pytest.param("pl", "daylight", DESKTOP, marks=pytest.mark.soak),
    pytest.param("pl", "barn", PHONE, marks=pytest.mark.soak),
    pytest.param("en", "dusk", DESKTOP, marks=pytest.mark.soak),
]
PAGES = {
    "/": ".fan .card",
    "/new/x-nimmt": "form .card",
    "/no-such-page": "main nav a",
    "/rules/six-nimmt/SN-5": ".stage [data-card]",
    "/rules/bullenparty/BP-9": ".stage [data-card]",
    "/tutorial": ".fan .card",
    "/tutorial/x-nimmt": ".bubble",
    "/statistics": "main p",
    "/mine": "main .acts",
    "/daily": "main .panel",
    "/me": "main output, main .danger",
    "/ratings/six-nimmt": ".ratings",
    "/clubs": ".clubs form",
    "/cards/hornochsen": "main .card",
    "/replay/{table}": "main .board",
    "/review/{table}": "main .panel",
    "/verify/{table}": "[data-verdict]",
    "/screen/{running}": "main .board",
    "/screen/{waiting}": ".join svg",
}


@pytest.mark.parametrize(("language", "theme", "size"), LOOKS)
def test_no_page_has_faults(
    visit: Visit, server: Served, language: str, theme: str, size: tuple[int, int]
) -> None:
    page = visit("/", size, language=language, theme=theme)
    running, _ = started_table(server.url, "six-nimmt", people(1, bots=2))
    waiting = made_and_waiting(page)
    names = {"table": finished(server.url, "six-nimmt"), "running": running, "waiting": waiting}
    found: dict[str, list[str]] = {}
    for path, shown in PAGES.items():
        page.goto(server.url + path.format(**names))
        expect(page.locator(shown).first).to_be_visible()
        if bad := faults(page):
            found[path] = bad
    assert found == {}


def made_and_waiting(page: Page) -> str:
    table: str = page.evaluate(
        """async () => {
            const wish = {game: 'x-nimmt', name: 'Ann', seats: [{kind: 'person'}, {kind: 'person'}], listed: true};
            const headers = {'content-type': 'application/json'};
            return (await (await fetch('/api/tables', {method: 'POST', headers, body: JSON.stringify(wish)})).json()).table;
        }"""
    )
    return table
