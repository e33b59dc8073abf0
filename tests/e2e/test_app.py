"""Installed as an app: what it needs for that, and what it says when the server is gone."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Route, expect

from bullpen.languages import LANGUAGES
from bullpen.text import voice
from tests.e2e.sitting import sit_down
from tests.e2e.table import MINE_NOW, PHONE, Visit
from tests.server.running import Served

pytestmark = pytest.mark.e2e


def test_it_can_be_installed(server: Served) -> None:
    manifest = httpx.get(f"{server.url}/bullpen.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    told = manifest.json()
    assert told["start_url"] == "/"
    assert told["display"] == "standalone"
    assert {"any", "maskable"} <= {icon["purpose"] for icon in told["icons"]}
    for icon in told["icons"]:
        answer = httpx.get(server.url + icon["src"])
        assert answer.status_code == 200
        assert answer.headers["content-type"] == icon["type"]


def test_without_the_server_it_says_so_in_every_language(visit: Visit) -> None:
    page = visit("/", PHONE)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # from now on the worker looks after this page
    expect(page.locator(".fan").first).to_be_visible()
    page.context.set_offline(True)
    page.reload()
    for language in LANGUAGES:
        title = voice(language).say("server.pages.offline_title")
        expect(page.get_by_role("heading", name=title)).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator(".fan").first).to_be_visible()
    visit.made[-1][2].clear()  # the browser notes that there was no network


def test_a_page_whose_files_are_gone_is_loaded_again(visit: Visit) -> None:
    """As after an update of the server, when a page was left open."""
    page = visit("/", PHONE)
    visit.pardoned.append("status of 404")
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=404)
        else:
            route.continue_()

    page.route("**/assets/NewTable-*.js", answer)
    page.get_by_role("link", name="Friends, options").first.click()
    expect(page.get_by_role("heading", name="New table: 6 nimmt!")).to_be_visible()


@pytest.mark.parametrize("path", ["/new/chess", "/rules/chess", "/nowhere", "/table/unknown"])
def test_an_address_that_leads_nowhere_says_so_and_where_to_go(visit: Visit, path: str) -> None:
    visit.pardoned += ["status of 404", "WebSocket connection"]
    page = visit(path, PHONE)
    expect(
        page.get_by_role("heading", name=re.compile("no such page|cannot be opened"))
    ).to_be_visible()
    expect(page.get_by_role("navigation").get_by_role("link")).to_have_count(6)
    page.get_by_role("link", name="All games").last.click()
    expect(page.get_by_role("heading", name="Which game?")).to_be_visible()


def test_the_first_page_leads_back_to_a_game_that_still_runs(visit: Visit) -> None:
    page = sit_down(visit, "x-nimmt", PHONE)
    page.goto(f"{visit.url}/")
    page.get_by_role("link", name="Go on with your game of X nimmt!").click()
    expect(page.locator(MINE_NOW).first).to_be_visible()
