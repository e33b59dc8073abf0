"""Hornochsen! in the browser: whole games, the ring at every size, special cards, and the count at the end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.sitting import ByKeys, Sitting, sit_down
from tests.e2e.table import DESKTOP, PHONE, SMALL_PHONE, TABLET, Visit, fits, resize

pytestmark = pytest.mark.e2e


def test_a_whole_game_is_played_by_mouse(visit: Visit) -> None:
    page = sit_down(visit, "hornochsen", PHONE)
    sitting = Sitting(page)
    sitting.play_to_the_end()
    assert any("joins the row ending in" in said for said in sitting.said)
    assert any("or end your turn" in said for said in sitting.said)
    assert any(said.startswith("×2 doubles") for said in sitting.said)
    count = page.get_by_role("region", name="How the points came about")
    expect(count.get_by_role("listitem").first).to_be_visible()


def test_a_whole_game_is_played_by_keyboard_alone(visit: Visit) -> None:
    page = sit_down(visit, "hornochsen", DESKTOP)
    ByKeys(page, seed=1).play_to_the_end()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


def test_fifteen_rows_lie_in_a_ring_on_every_screen(visit: Visit) -> None:
    page = sit_down(visit, "hornochsen", PHONE, seats=6)
    rows = page.get_by_role("group", name="The ring of rows, clockwise").get_by_role("group")
    expect(rows).to_have_count(15)
    for size in (PHONE, SMALL_PHONE, TABLET, DESKTOP, (1280, 720)):
        resize(page, size)
        assert fits(page), size
        room = page.locator("main").bounding_box()
        assert room is not None
        for row in rows.all():
            box = row.bounding_box()
            assert box is not None
            assert box["x"] >= room["x"] - 4, size
            assert box["y"] >= room["y"] - 4, size
            assert box["x"] + box["width"] <= room["x"] + room["width"] + 4, size
            assert box["y"] + box["height"] <= room["y"] + room["height"] + 4, size


def test_a_special_card_is_laid_on_a_row_of_ones_choice(visit: Visit) -> None:
    page = sit_down(visit, "hornochsen", DESKTOP)
    page.get_by_role("button", name="Special card ×2").focus()
    page.keyboard.press("Space")
    places = page.get_by_role("button", name=re.compile("Put your x2 on the row ending in"))
    expect(places).to_have_count(7)
    places.first.click()
    expect(page.locator("main .specials")).to_have_text("×2")
    expect(page.get_by_role("button", name="End your turn")).to_be_visible()
