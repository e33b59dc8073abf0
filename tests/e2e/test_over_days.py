"""A game over days: it goes on after restarts of the server and of the browser, and a push says whose turn it is."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.table import MINE, PHONE, expect_table, remember
from tests.patience import MS, until
from tests.push_service import push_service
from tests.server.running import Served, checked, seated, served

pytestmark = pytest.mark.e2e

DAY = 86_400
# A browser in a test has no push service of its maker's: it subscribes at ours.
SUBSCRIBES = """
Object.defineProperty(Notification, 'permission', { get: () => 'default' });
Notification.requestPermission = async () => 'granted';
{
  const forget = async () => (localStorage.removeItem('test.push'), true);
  const made = { toJSON: () => (SUBSCRIPTION), unsubscribe: forget };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem('test.push') ? made : null);
  PushManager.prototype.subscribe = async (wish) => {
    if (!wish.userVisibleOnly || !wish.applicationServerKey) throw new Error('nobody asked');
    localStorage.setItem('test.push', 'on');
    return made;
  };
}
"""
MAKE = """async (wish) => {
    const body = JSON.stringify(wish);
    const headers = {'content-type': 'application/json'};
    return (await fetch('/api/tables', {method: 'POST', headers, body})).json();
}"""
START = "async (table) => (await fetch(`/api/tables/${table}/start`, {method: 'POST'})).status"


@contextmanager
def browser(chromium: Browser, scripts: list[str], kept: Any = None) -> Iterator[Page]:
    """Started anew, with what it has kept."""
    size = {"width": PHONE[0], "height": PHONE[1]}
    context = chromium.new_context(viewport=size, locale="en", storage_state=kept)  # type: ignore[arg-type]
    context.set_default_timeout(MS)
    for script in scripts:
        context.add_init_script(script)
    try:
        yield context.new_page()
    finally:
        context.close()


def decide(page: Page) -> None:
    page.locator(f"[data-card]{MINE}").first.click()
    page.get_by_role("button", name=re.compile("^Play ")).click()


async def play_until_asked(server: Served, table: str, token: str, other: int) -> None:
    """Bert decides whatever he is asked, until the other one has to."""
    async with seated(server.url, table, token) as bert:
        while True:  # after his card perhaps a row
            assert (await bert.move())["type"] == "accepted"
            if other in (await bert.hear_of("view"))["waiting"]:
                return


def test_a_game_over_days_goes_on_after_restarts_of_server_and_browser_and_a_push_arrives(
    chromium: Browser, tmp_path: Path
) -> None:
    settings = {"BULLPEN_PUSH_LOCAL": "yes", "BULLPEN_SLEEP_SECONDS": "0"}
    with served(tmp_path, **settings) as server, push_service() as service:
        subscription = json.dumps(service.subscription())
        scripts = [
            remember({"speed": "instant", "name": "Anna"}),
            SUBSCRIBES.replace("SUBSCRIPTION", subscription),
        ]
        with browser(chromium, scripts) as page:
            page.goto(server.url)
            wish = {"game": "six-nimmt", "name": "Anna", "seats": [{"kind": "person"}] * 2}
            made = page.evaluate(MAKE, {**wish, "clock": 3 * DAY})
            table: str = made["table"]
            joining = {"name": "Bert", "invite": made["invite"], "as": "program"}
            joined = checked(httpx.post(f"{server.url}/api/tables/{table}/join", json=joining))
            page.goto(f"{server.url}/table/{table}")
            agreed = page.locator("[data-conditions]")
            expect(agreed).to_contain_text("Time for a decision: 3 days")
            assert page.evaluate(START, table) == 200
            expect_table(page)
            expect(page.get_by_role("timer")).to_have_text("3 days")
            decide(page)
            asked = page.get_by_role("dialog", name="Shall we tell you?")
            asked.get_by_role("button", name="Tell me").click()
            expect(asked).to_be_hidden()
            expect(page.locator(".seat.me .dot.on")).to_have_count(1)  # the server has the decision
            kept = page.context.storage_state()
        server.end(signal.SIGKILL)
        server.start()
        with ThreadPoolExecutor(1) as pool:  # beside the loop of the browser
            playing = play_until_asked(server, table, joined["token"], other=0)
            pool.submit(asyncio.run, playing).result()
        (push,) = until(lambda: service.arrived)
        assert push.text == {
            "title": "Your turn",
            "body": "6 nimmt! with Bert: 3 days left.",
            "table": table,
        }
        with browser(chromium, scripts, kept) as page:
            page.goto(f"{server.url}/mine")
            expect(page.get_by_text("Your turn · 3 days left")).to_be_visible()
            expect(page).to_have_title(re.compile(r"^\(1\) "))
            page.goto(f"{server.url}/table/{table}#mine")  # as a tap on the notification does
            expect_table(page)
            expect(page.get_by_role("timer")).to_have_text("3 days")
            assert "#" not in page.url
            page.goto(f"{server.url}/me")
            part = page.get_by_role("region", name="Notifications")
            expect(part).to_contain_text("Notifications are on for this device.")
            part.get_by_role("button", name="Tell me nothing").click()
            expect(part).to_contain_text("Notifications are off for this device.")
        assert len(service.arrived) == 1
        with httpx.Client(base_url=f"{server.url}/api") as same:
            for one in kept["cookies"]:
                same.cookies.set(str(one["name"]), str(one["value"]), path=str(one["path"]))
            assert not checked(same.get("/push"))["subscribed"]
    assert "Traceback" not in server.log.read_text()
