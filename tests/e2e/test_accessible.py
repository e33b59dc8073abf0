"""Every table, judged by axe; other pages in test_axe.py, and the contrast of the themes is computed in web/tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.finished import GAMES
from tests.e2e.sitting import ASKED, CORNER, sit_down
from tests.e2e.table import DESKTOP, MINE_NOW, PHONE, Visit, play_now, resize

pytestmark = pytest.mark.e2e

# Gradients are beyond axe; that what is read aloud has the words that are seen is asked for only when wished.
JUDGED = {
    "color-contrast": {"enabled": False},
    "label-content-name-mismatch": {"enabled": True},
}
AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"


def faults(page: Page) -> list[str]:
    """Of a page that is there, not of the picture that is shown until it is."""
    expect(page.locator("#app main").first).to_be_visible()
    expect(page.locator("#app main.waiting")).to_have_count(0)
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate(f"axe.run(document, {{rules: {json.dumps(JUDGED)}}})")
    return [
        f"{fault['id']}: {fault['help']} ({node['html'][:160]})"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("game", GAMES)
def test_tables_have_no_faults(visit: Visit, game: str) -> None:
    page = sit_down(visit, game, PHONE, seats=3)
    page.wait_for_selector(ASKED)
    if page.locator(MINE_NOW).count():  # in 11 nimmt! one may have to take a stack
        page.locator(MINE_NOW).first.click(position=CORNER)
    for size in (PHONE, DESKTOP):
        resize(page, size)
        assert faults(page) == [], size


def test_dialogs_have_no_faults(visit: Visit) -> None:
    page = visit("/", PHONE)
    play_now(page, "6 nimmt!")
    for opener in ("Chat", "More"):
        page.get_by_role("button", name=opener).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert faults(page) == []
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
