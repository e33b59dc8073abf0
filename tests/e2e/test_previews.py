"""What would happen with a picked card: the page shows what the server has told of its offer, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.sitting import ASKED, Sitting, sit_down
from tests.e2e.table import DESKTOP, Visit, expect_table
from tests.patience import MS

pytestmark = pytest.mark.e2e

# How a row shows that the picked card would join it, take it, or that it could be chosen.
MARKED = "main .row.aim, main .row.full, main .row.may"
TURNS = 4


def decisions_told(page: Page) -> list[dict[str, Any]]:
    """All that this page is asked, as it comes over the wire, the last one last."""
    told: list[dict[str, Any]] = []

    def hear(frame: str | bytes) -> None:
        message = json.loads(frame)
        # What was accepted has a decision, too: its number.
        view = {"welcome": message.get("view"), "view": message}.get(message["type"])
        if view and view["decision"]:
            told.append(view["decision"])

    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    return told


@pytest.mark.parametrize("game", ["six-nimmt", "x-nimmt", "baron-oxx"])
def test_a_picked_card_shows_what_its_offer_means(visit: Visit, game: str) -> None:
    page = sit_down(visit, game, DESKTOP, seats=3)
    told = decisions_told(page)
    page.reload()
    expect_table(page)
    sitting, effects = Sitting(page, seed=1, patience=MS), set()
    for _ in range(TURNS):
        page.wait_for_selector(ASKED)  # what is not answered yet: until then the table may go on
        expect(page.get_by_role("button", name="Skip")).to_have_count(0)  # nothing flies any more
        for offer in told[-1]["moves"]:
            if offer["origin"] == "hand 0":
                effects.add(look_at(page, offer))
        sitting.decide()
    assert "joins" in effects


def look_at(page: Page, offer: dict[str, Any]) -> str:
    """Pick its card, and put it back."""
    page.locator(f"[data-card='{offer['card']}']").focus()
    page.keyboard.press("Space")
    led_to = offer["next"] if offer["effect"] == "chooses" else [offer["place"]]
    rows = [place for place in led_to if place.startswith("row ")]
    marked = page.locator(MARKED)
    expect(marked).to_have_count(len(rows))
    assert sorted(marked.evaluate_all("rows => rows.map(row => row.dataset.place)")) == sorted(
        rows
    ), offer
    page.keyboard.press("Escape")
    return str(offer["effect"])
