"""The deal, checked in the browser: it finds what fits, and what does not."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.finished import QUICK, beside, finished
from tests.e2e.table import DESKTOP, Visit, expect_table, play_now, step
from tests.server.running import Served, people, play_together, started_table

pytestmark = pytest.mark.e2e

NO_SUBTLE = "Object.defineProperty(crypto, 'subtle', { value: undefined })"


def verdict(page: Page) -> str | None:
    expect(page.locator("[data-verdict]")).to_be_visible()
    return page.locator("[data-verdict]").get_attribute("data-verdict")


def forge(page: Page, how: Any) -> None:
    """The server hands out another record."""

    def answer(route: Route) -> None:
        record = route.fetch().json()
        how(record)
        route.fulfill(body=json.dumps(record), content_type="application/json")

    page.route("**/record*", answer)


def test_a_served_deal_is_fair(visit: Visit, server: Served) -> None:
    page = visit(f"/verify/{finished(server.url, 'bullenparty')}")
    assert verdict(page) == "fair"
    expect(page.locator(".checks")).to_contain_text("Shuffle 1: all")


def test_it_is_computed_without_the_browsers_own_hashes_too(visit: Visit, server: Served) -> None:
    """Pages over plain HTTP, as in a local network, have no crypto.subtle."""
    page = visit("/")
    page.add_init_script(NO_SUBTLE)
    page.goto(f"{server.url}/verify/{finished(server.url, 'six-nimmt')}")
    assert page.evaluate("crypto.subtle") is None
    assert verdict(page) == "fair"


def exchange_cards(record: Any) -> None:
    first = record["shuffles"][0]
    first[3], first[4] = first[4], first[3]


def exchange_secret(record: Any) -> None:
    record["fair"]["secret"] = "ab" * 32


@pytest.mark.parametrize("how", [exchange_cards, exchange_secret])
def test_a_forged_deal_is_found_out(visit: Visit, server: Served, how: Any) -> None:
    page = visit("/")
    forge(page, how)
    page.goto(f"{server.url}/verify/{finished(server.url, 'six-nimmt')}")
    assert verdict(page) == "unfair"


def test_a_player_finds_the_seal_and_the_share_of_the_own_device(
    visit: Visit, server: Served
) -> None:
    page = visit("/new/six-nimmt", DESKTOP)
    made = page.evaluate(
        """async () => {
            const seats = [{kind: 'person'}, {kind: 'bot', level: 'easy'}];
            const wish = {game: 'six-nimmt', name: 'Ann', seats, clock: null, options: {rounds: 1, deck: 'tactical'}};
            const headers = {'content-type': 'application/json'};
            return await (await fetch('/api/tables', {method: 'POST', headers, body: JSON.stringify(wish)})).json();
        }"""
    )
    page.goto(f"{server.url}{made['link']}")
    page.get_by_role("button", name="Start").click()
    expect_table(page)  # until then the waiting room has buttons, too
    while step(page):
        pass
    page.goto(f"{server.url}/verify/{made['table']}")
    assert verdict(page) == "fair"
    checks = page.locator(".checks")
    expect(checks).to_contain_text("the seal that this device saw before the game")
    expect(checks).to_contain_text("Your own share")
    expect(checks).to_contain_text("opened and are in it: 1 of 1")

    page.goto(f"{server.url}/statistics")
    expect(page.locator("main li")).to_contain_text("Ann")
    expect(page.locator("main li")).to_contain_text(str(datetime.now(UTC).year))
    page.goto(f"{server.url}/verify/{made['table']}")
    assert verdict(page) == "fair"

    # Another seal than the one that was seen is no longer the promise.
    page.evaluate(
        "localStorage.setItem('bullpen.promises', localStorage.getItem('bullpen.promises').replace(/\"commitment\":\"./, '\"commitment\":\"x'))"
    )
    page.reload()
    assert verdict(page) == "unfair"


def shorten(route: Route) -> None:
    """A table is made for a game that is soon over."""
    wish = {**(route.request.post_data_json or {}), "options": {"rounds": 1, "deck": "tactical"}}
    route.continue_(post_data=json.dumps(wish))


def test_who_plays_at_once_has_seen_the_seal_before_the_game(visit: Visit, server: Served) -> None:
    page = visit("/", DESKTOP)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    page.route(
        "**/api/tables?*",
        lambda route: shorten(route) if route.request.method == "POST" else route.continue_(),
    )
    play_now(page, "6 nimmt!")
    table = page.url.rpartition("/")[2]
    looked, started = (
        next(at for at, line in enumerate(asked) if line.startswith(f"{how}?"))
        for how in (
            f"GET {server.url}/api/tables/{table}",
            f"POST {server.url}/api/tables/{table}/start",
        )
    )
    assert looked < started  # one commits when the seal is known
    while step(page):
        pass
    page.goto(f"{server.url}/verify/{table}")
    assert verdict(page) == "fair"
    expect(page.locator(".checks")).to_contain_text("the seal that this device saw before the game")
    expect(page.locator(".checks")).to_contain_text("Your own share")


def test_who_came_late_cannot_say_whether_the_seal_was_exchanged(
    visit: Visit, server: Served
) -> None:
    table, tokens = beside(
        lambda: started_table(server.url, "six-nimmt", people(2), options=QUICK["six-nimmt"])
    )
    page = visit(f"/table/{table}", DESKTOP)
    expect(page.get_by_role("group", name="Row 1")).to_be_visible()
    beside(lambda: asyncio.run(play_together(server.url, table, tokens)))
    page.goto(f"{server.url}/verify/{table}")
    assert verdict(page) == "fair"
    expect(page.locator(".checks")).to_contain_text("was not at the table before the start")
    expect(page.locator(".checks")).not_to_contain_text("Your own share")
    expect(page.locator(".checks")).to_contain_text("No player opened a share")
    expect(page.locator("[data-verdict]")).to_contain_text("as far as it can be shown")


def test_an_older_record_is_told_as_what_it_is(visit: Visit, server: Served) -> None:
    old = (Path(__file__).parent.parent / "records" / "bullenparty-3-served-fair.json").read_text()
    page = visit("/")
    page.route("**/record*", lambda route: route.fulfill(body=old, content_type="application/json"))
    page.goto(f"{server.url}/verify/{'a' * 16}")
    assert verdict(page) == "fair"
    expect(page.locator("[data-verdict]")).to_contain_text("as far as it can be shown")
    expect(page.locator(".checks")).to_contain_text("could have chosen the deal")
