"""The strip of open tables on the first page: what stands there, in which order, and where it leads."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.table import PHONE, Visit
from tests.server.running import Served, checked, people, started_table

pytestmark = pytest.mark.e2e

TABLES = "#open a[href^='/table/']"
# As long as `empty` holds the server is not asked for its tables, and there are none.
NO_TABLES = """
    [window.empty, window.asked] = [true, 0];
    const plain = window.fetch;
    window.fetch = (what, ...how) => window.empty && /\\/api\\/tables($|\\?)/.test(what)
        ? (window.asked++, Promise.resolve(Response.json([]))) : plain(what, ...how);
"""


def made(url: str, **wishes: Any) -> str:
    """By Ann, with a free seat and a bot."""
    wish = {"game": "x-nimmt", "name": "Ann", "seats": people(2, bots=1), "clock": None, **wishes}
    table: str = checked(httpx.post(f"{url}/api/tables", json=wish))["table"]
    return table


def shown(page: Page, table: str) -> int:
    """At which place of the strip."""
    links: list[str] = page.locator(TABLES).evaluate_all(
        "(all) => all.map((one) => one.getAttribute('href'))"
    )
    return links.index(f"/table/{table}")


def test_open_tables_stand_above_the_games_with_who_sits_there_and_what_was_agreed(
    visit: Visit, server: Served
) -> None:
    running, _ = started_table(server.url, "six-nimmt", people(1, bots=2), listed=True)
    waiting, private = made(server.url, listed=True, clock=30), made(server.url)
    page = visit("/", PHONE, name="Zoe")
    strip = page.get_by_role("region", name="Open tables")
    table = strip.locator(f"li:has(a[href='/table/{waiting}'])")
    expect(table).to_contain_text("X nimmt!")
    expect(table).to_contain_text("Ann")
    expect(table).to_contain_text("(bot)")
    expect(table).to_contain_text("Time for a decision: 30 seconds")
    expect(table).to_contain_text("waiting for players · 2 of 3 seats taken")
    expect(strip.locator(f"a[href='/table/{running}']")).to_have_text("Watch")
    expect(strip.locator(f"a[href='/table/{private}']")).to_have_count(0)
    assert shown(page, waiting) < shown(page, running), "where a seat is free one looks first"
    first = page.locator(".games li").first.bounding_box()
    above = strip.bounding_box()
    assert first
    assert above
    assert above["y"] + above["height"] <= first["y"]
    table.get_by_role("link", name="Sit down").click()
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    expect(page.locator(".seats li.open")).to_have_count(0)


def test_a_table_that_is_opened_later_comes_by_itself_and_without_any_there_is_no_strip(
    visit: Visit, server: Served
) -> None:
    page = visit("/", PHONE)
    page.add_init_script(NO_TABLES)
    page.reload()
    page.wait_for_function("() => window.asked > 1")  # so the first answer has been shown
    expect(page.locator("#open")).to_have_count(0)
    page.evaluate("window.empty = false")
    later = made(server.url, listed=True)
    expect(page.locator(f"#open a[href='/table/{later}']")).to_be_visible()
