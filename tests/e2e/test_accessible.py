"""Every page, judged by axe; the contrast of the themes is computed in web/tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.table import DESKTOP, PHONE, Visit, play_now

pytestmark = pytest.mark.e2e

# Gradients are beyond axe; and a card's name has its number once, the drawing twice, in the corner too.
NOT_JUDGED = {
    "color-contrast": {"enabled": False},
    "label-content-name-mismatch": {"enabled": False},
}
AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"


def faults(page: Page) -> list[str]:
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate(f"axe.run(document, {{rules: {json.dumps(NOT_JUDGED)}}})")
    return [
        f"{fault['id']}: {fault['help']} ({node['html'][:160]})"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("path", ["/", "/new/x-nimmt", "/cards/baron-oxx", "/no-such-page"])
def test_pages_have_no_faults(visit: Visit, path: str, size: tuple[int, int]) -> None:
    page = visit(path, size)
    expect(page.locator("main")).to_be_visible()
    if path != "/no-such-page":
        expect(page.locator(".card").first).to_be_visible()
    assert faults(page) == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("title", ["6 nimmt!", "X nimmt!", "6 nimmt! Baron Oxx"])
def test_tables_have_no_faults(visit: Visit, title: str, size: tuple[int, int]) -> None:
    page = visit("/", size)
    play_now(page, title)
    page.locator("[data-card]").first.click()
    assert faults(page) == []


def test_dialogs_have_no_faults(visit: Visit) -> None:
    page = visit("/", PHONE)
    play_now(page, "6 nimmt!")
    for opener in ("Chat", "More"):
        page.get_by_role("button", name=opener).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert faults(page) == []
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
