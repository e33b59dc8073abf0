"""Bullenparty in the browser: whole games, bids, drawing, piles by dragging, by tapping and arranged by the server."""

from __future__ import annotations

import contextlib
import re

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.e2e.sitting import ASKED, CORNER, ByKeys, Sitting, sit_down
from tests.e2e.table import DESKTOP, PHONE, SMALL_PHONE, TABLET, Visit, fits, resize

pytestmark = pytest.mark.e2e


def test_a_whole_game_is_played_by_mouse(visit: Visit) -> None:
    page = sit_down(visit, "bullenparty", PHONE)
    sitting = Sitting(page)
    sitting.play_to_the_end()
    for asked in ("Bid a card secretly", "which row do you take", "on your piles, always upwards"):
        assert any(asked in said for said in sitting.said), asked
    count = page.get_by_role("region", name="How the points came about")
    expect(count).to_contain_text("the richest pile")


def test_a_whole_game_is_played_by_keyboard_alone(visit: Visit) -> None:
    page = sit_down(visit, "bullenparty", DESKTOP)
    ByKeys(page, seed=1).play_to_the_end()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


def play_until_laying(page: Page) -> None:
    sitting = Sitting(page)
    arrange = page.get_by_role("button", name="Arrange for me")
    for _ in range(40):
        page.wait_for_selector(ASKED)
        if arrange.count():
            return
        with contextlib.suppress(TimeoutError):  # then there is a next step
            sitting.decide()
    raise AssertionError("no card was to be laid on a pile")


def test_the_server_arranges_the_piles_and_lays_them(visit: Visit) -> None:
    page = sit_down(visit, "bullenparty", PHONE)
    play_until_laying(page)
    page.get_by_role("button", name="Arrange for me").click()
    best = page.get_by_role("dialog", name="The best piles")
    expect(best).to_contain_text(re.compile(r"These piles score -?\d+ point"))
    planned = best.get_by_role("group", name=re.compile("^Pile"))
    names = [pile.get_attribute("aria-label") for pile in planned.all()]
    best.get_by_role("button", name="Lay them like this").click()
    expect(page.get_by_role("button", name="Arrange for me")).to_have_count(0)
    laid = page.get_by_role("region", name="Your piles").get_by_role(
        "group", name=re.compile("^Pile")
    )
    expect(laid).to_have_count(len(names))
    for number, name in enumerate(names):  # they grow card by card
        expect(laid.nth(number)).to_have_attribute("aria-label", name or "")


def test_a_card_is_dragged_to_a_pile(visit: Visit) -> None:
    page = sit_down(visit, "bullenparty", DESKTOP)
    play_until_laying(page)
    card = page.locator("[data-card][aria-disabled='false']").first
    number = card.get_attribute("data-card")
    card.hover(position=CORNER)  # waits until it lies still
    start = card.bounding_box()
    target = page.locator("[data-target='new']").bounding_box()
    assert start is not None
    assert target is not None
    page.mouse.move(start["x"] + 12, start["y"] + 30)
    page.mouse.down()
    page.mouse.move(start["x"] + 40, start["y"] - 40, steps=4)
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=6)
    page.mouse.up()
    expect(page.locator(f"main [data-flip='c{number}']")).to_be_visible()
    expect(page.locator(f"[data-card='{number}']")).to_have_count(0)


def test_five_seats_fit_on_every_screen(visit: Visit) -> None:
    page = sit_down(visit, "bullenparty", PHONE, seats=5)
    expect(page.locator("main .row")).to_have_count(5)
    for size in (PHONE, SMALL_PHONE, TABLET, DESKTOP):
        resize(page, size)
        assert fits(page), size
        board, own = page.locator("main").bounding_box(), page.locator(".own h2").bounding_box()
        assert board is not None
        assert own is not None
        assert own["y"] + own["height"] <= board["y"] + board["height"], size


def test_the_table_speaks_polish(visit: Visit) -> None:
    page = sit_down(visit, "bullenparty", PHONE, language="pl")
    expect(page.locator(".say")).to_contain_text("Licytuj kartą w tajemnicy")
    page.locator("[data-card]").last.focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Licytuj zerem")).to_be_enabled()
