"""Ratings in the browser: after a game, on one's own page, and a leaderboard that is read by pages and by keyboard."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.finished import beside
from tests.e2e.table import DESKTOP, PHONE, Visit
from tests.e2e.test_accessible import faults
from tests.server.running import seated, served

pytestmark = pytest.mark.e2e

POINTS = re.compile(r"\d ± \d")
START = """async () => {
    const headers = {'content-type': 'application/json'};
    const ask = async (path, body) =>
        (await fetch('/api' + path, {method: 'POST', headers, body: JSON.stringify(body)})).json();
    const wish = {
        game: 'six-nimmt', name: 'Anna', clock: null, options: {rounds: 1, deck: 'tactical'},
        seats: [{kind: 'person'}, {kind: 'bot', level: 'easy'}],
    };
    const {table} = await ask('/tables', wish);
    await ask(`/tables/${table}/start`, {});
    return table;
}"""


def played(page: Page, url: str) -> str:
    """A game of this browser, to its end."""
    table: str = page.evaluate(START)
    tokens = [
        one["value"]
        for one in page.context.cookies(f"{url}/api/tables/{table}")
        if one["name"] == "seat"
    ]

    async def play() -> None:
        async with seated(url, table, tokens[0]) as at_table:
            await at_table.play_on()

    beside(lambda: asyncio.run(play()))
    return table


def test_a_game_says_what_it_changed_and_one_finds_oneself_on_the_leaderboard(visit: Visit) -> None:
    page = visit("/", PHONE, name="Anna")
    page.goto(f"{visit.url}/me")
    page.goto(f"{visit.url}/ratings/six-nimmt")
    expect(page.get_by_text("You have no rating in this game yet.")).to_be_visible()
    table = played(page, visit.url)
    page.goto(f"{visit.url}/table/{table}")
    changed = page.get_by_role("link", name=re.compile(r"Rating: [\d,]+ ± \d+ \([+−]\d+\)"))
    expect(changed).to_be_visible()
    changed.click()
    own = page.locator("tr.you")
    expect(own).to_contain_text("Anna")
    expect(own).to_contain_text(POINTS)
    expect(own).to_have_attribute("aria-current", "true")
    expect(page.get_by_text(re.compile(r"place \d+ of \d+ after 1 game"))).to_be_visible()
    assert faults(page) == []
    page.goto(f"{visit.url}/me")
    section = page.get_by_role("region", name="My ratings")
    expect(section).to_contain_text(POINTS)
    assert faults(page) == []
    page.goto(f"{visit.url}/mine")
    expect(page.get_by_text(re.compile(r"Rating 1,000 → [\d,]+"))).to_be_visible()


def many(path: Path, count: int) -> None:
    """So many players, who have played."""
    with sqlite3.connect(path, timeout=30) as db:
        for number in range(count):
            player = f"p{number:04}"
            # Of today: without a table, older ones are not kept.
            row = (player, f"Player {number}", number % 6, "en", time.time())
            db.execute("INSERT INTO player VALUES (?, ?, ?, ?, ?)", row)
            rating = ("six-nimmt", player, 40.0 - number / 10, 2.0, 36.0 - number / 10, 9)
            db.execute("INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?)", rating)
            decided = ("six-nimmt", player, 1, 100, 123.0, 300.0, 15129.0, 12300.0, 10000.0)
            db.execute("INSERT INTO quality VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", decided)
    db.close()


@pytest.mark.parametrize(
    ("language", "following", "of_pages"),
    [
        ("en", "Next", "Page 2 of 3"),
        ("pl", "Następna", "Strona 2 z 3"),
        ("de", "Weiter", "Seite 2 von 3"),
    ],
)
def test_a_leaderboard_is_read_page_by_page_by_keyboard_on_a_phone(
    chromium: Browser, tmp_path: Path, language: str, following: str, of_pages: str
) -> None:
    with served(tmp_path) as server:
        many(tmp_path / "tables.db", 60)
        visit = Visit(chromium, server.url, [])
        page = visit("/", PHONE if language != "en" else DESKTOP, language=language)
        page.goto(f"{server.url}/ratings/six-nimmt")
        rows = page.locator("tbody tr")
        expect(rows).to_have_count(25)
        expect(rows.first).to_contain_text("Player 0")
        expect(rows.first).to_contain_text(re.compile(r"1[.,]23 ± 0[.,]\d\d"))
        page.get_by_role("button", name=following, exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text(of_pages)).to_be_visible()
        expect(rows.first).to_contain_text("Player 25")
        expect(page.locator("h2").first).to_be_focused()
        wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        assert page.evaluate(wide)
        assert faults(page) == []
        page.get_by_role("combobox").select_option("x-nimmt")
        expect(page).to_have_url(f"{server.url}/ratings/x-nimmt")
        expect(rows).to_have_count(0)
